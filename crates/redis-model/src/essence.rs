//! What two servers must share so that nobody who talks to them could tell them apart, now or later.
use std::hash::{Hash, Hasher};

use script::GatheringFingerprinter;

use crate::client::{Client, ClientId};
use crate::db::Db;
use crate::server::Server;

impl Server {
    /// Hashes what clients can find out about, with times relative to now: keys that are alive, scripts, settings, who waits for what.
    /// Left out: counters (`INFO`), when keys were last used, connections (see [`Server::hash_connection`]), and absolute time, `TIME`
    /// included. `who` gives connections names that do not depend on their numbers.
    ///
    /// O(keys): meant for searches over the small keyspaces of lessons.
    pub fn hash_essence<H: Hasher>(&self, who: &dyn Fn(ClientId) -> u64, state: &mut H) {
        self.config.digest(0, |config| digest(|state| config.hash(state))).hash(state);
        for (number, db) in self.databases.iter().enumerate().take(self.used_databases) {
            number.hash(state);
            db.digest(self.now_ms, |db| digest(|state| db.hash_essence(self.now_ms, state))).hash(state);
            for (key, clients) in &db.waiting {
                key.hash(state);
                clients.iter().for_each(|client| who(*client).hash(state));
            }
        }
        for monitor in &self.monitors {
            who(*monitor).hash(state);
        }
        let remaining = |at_ms: u64| at_ms.saturating_sub(self.now_ms);
        self.pause.map(|pause| (remaining(pause.until_ms), pause.pauses_all)).hash(state);
        self.asleep_until_ms.map(remaining).hash(state);
        self.rng.hash(state);
        self.script_random.hash(state);
        self.scripts.digest(0, |scripts| digest(|state| scripts.hash(state))).hash(state);
        self.busy.is_some().hash(state);
        // What it will have changed is compared whole, counters included: seldom the same, but never taken for the same.
        self.busy.as_ref().filter(|busy| busy.ends_ms().is_some()).map(|busy| (busy, self.now_ms)).hash(state);
    }

    /// The number that the next connection will have.
    pub fn next_connection(&self) -> ClientId {
        self.next_client
    }

    /// Hashes what tells a connection from another one, for its owner and for others; nothing of one that there is not.
    pub fn hash_connection<H: Hasher>(&self, id: ClientId, state: &mut H) {
        if let Some(client) = self.clients.part(&id) {
            client.digest(self.now_ms, |client| digest(|state| client.hash_essence(self.now_ms, state))).hash(state);
        }
    }
}

impl Db {
    /// Hashes the keys that are alive.
    fn hash_essence<H: Hasher>(&self, now_ms: u64, state: &mut H) {
        for (key, entry) in self.entries().iter() {
            if entry.expires_ms.is_some_and(|at_ms| now_ms > at_ms) {
                continue;
            }
            key.hash(state);
            entry.value.hash(state);
            entry.expires_ms.map(|at_ms| at_ms.saturating_sub(now_ms)).hash(state);
        }
    }
}

impl Client {
    /// Its number, its age and its address are left out.
    fn hash_essence<H: Hasher>(&self, now_ms: u64, state: &mut H) {
        self.name.hash(state);
        self.db.hash(state);
        self.protocol.hash(state);
        self.multi.hash(state);
        self.watched.hash(state);
        self.is_dirty.hash(state);
        self.channels.hash(state);
        self.patterns.hash(state);
        self.shard_channels.hash(state);
        self.is_monitor.hash(state);
        self.reply_mode.hash(state);
        self.backlog.hash(state);
        if let Some(unread) = &self.unread {
            unread.hash_essence(now_ms, state);
        }
        if let Some(blocked) = &self.blocked {
            blocked.argv.hash(state);
            blocked.wait.reason.hash(state);
            blocked.wait.deadline_ms.map(|at_ms| at_ms.saturating_sub(now_ms)).hash(state);
        }
    }
}

fn digest(hash: impl FnOnce(&mut GatheringFingerprinter)) -> u128 {
    let mut state = GatheringFingerprinter::default();
    hash(&mut state);
    state.finish128()
}
