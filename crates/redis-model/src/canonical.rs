//! Canonical hashes: two servers with equal hashes cannot be told apart by any client, now or later.
use std::hash::{Hash, Hasher};

use resp::Protocol;
use script::GatheringFingerprinter;

use crate::Part;
use crate::client::{Client, ClientId, ReplyMode};
use crate::dataset::Dataset;
use crate::db::Db;
use crate::server::Server;

impl Server {
    /// Hashes what clients can observe, with times relative to now: live keys, scripts, settings, and which client waits for what.
    /// Left out: counters (`INFO`), when keys were last used, connections (see [`Server::hash_connection`]) and absolute time,
    /// including `TIME`. `who` maps connections to names that do not depend on their numbers.
    ///
    /// O(keys): meant for searches over the small keyspaces of lessons.
    pub fn hash_canonical<H: Hasher>(&self, who: &dyn Fn(ClientId) -> u64, state: &mut H) {
        self.config.digest(0, |config| digest(|state| config.hash(state))).hash(state);
        self.used_databases.hash(state);
        for db in self.used_databases() {
            db.canonical_hash(self.now_ms).hash(state);
            db.waiting.len().hash(state);
            for (key, clients) in &db.waiting {
                (key, clients.len()).hash(state);
                clients.iter().for_each(|client| who(*client).hash(state));
            }
        }
        self.rng.hash(state);
        self.script_random.hash(state);
        self.scripts.digest(0, |scripts| digest(|state| scripts.hash(state))).hash(state);
        let is_calm =
            self.monitors.is_empty() && self.pause.is_none() && self.asleep_until_ms.is_none() && self.busy.is_none();
        state.write_u8(u8::from(is_calm));
        if is_calm {
            return;
        }
        self.monitors.len().hash(state);
        for monitor in &self.monitors {
            who(*monitor).hash(state);
        }
        let remaining = |at_ms: u64| at_ms.saturating_sub(self.now_ms);
        self.pause.map(|pause| (remaining(pause.until_ms), pause.pauses_all)).hash(state);
        self.asleep_until_ms.map(remaining).hash(state);
        // The future changes of a busy script are compared as a whole, counters included: this rarely finds equal states, but never
        // treats different states as equal.
        self.busy.as_ref().map(|busy| busy.ends_ms().is_some().then_some((busy, self.now_ms))).hash(state);
    }

    /// Are all connections in the state of a new one? Then no client has an open transaction, watches a key, is subscribed or monitors.
    pub fn is_quiet(&self) -> bool {
        self.clients.are_like_fresh()
    }

    fn canonical_hash_of(&self, client: &Part<Client>) -> u128 {
        // Only a wait and unread output have times.
        let at_ms = if client.blocked.is_none() && client.unread.is_none() { 0 } else { self.now_ms };
        client.digest(at_ms, |client| client.canonical_hash(at_ms))
    }

    /// The id that the next connection will get.
    pub fn next_connection(&self) -> ClientId {
        self.next_client
    }

    /// Hashes what distinguishes a connection, for its owner and for other clients. A missing connection has a hash of its own.
    pub fn hash_connection<H: Hasher>(&self, id: ClientId, state: &mut H) {
        // Most connections are in the fresh state; one byte stands for it.
        if self.is_quiet() {
            return state.write_u8(u8::from(self.clients.contains(id)));
        }
        match self.clients.part(&id).map(|client| self.canonical_hash_of(client)) {
            None => state.write_u8(0),
            Some(FRESH) => state.write_u8(1),
            Some(hash) => {
                state.write_u8(2);
                hash.hash(state);
            }
        }
    }
}

impl Dataset {
    /// Hashes the live keys with the time left until their deadlines. `now_ms`: Unix time in ms.
    pub fn hash_canonical<H: Hasher>(&self, now_ms: u64, state: &mut H) {
        for db in &self.0 {
            db.canonical_hash(now_ms).hash(state);
        }
    }
}

impl Part<Db> {
    /// The hash of the keys that are alive.
    fn canonical_hash(&self, now_ms: u64) -> u128 {
        // Without a TTL it is the same at any time, so that it stays cached.
        let at_ms = if self.expires_len() == 0 { 0 } else { now_ms };
        self.digest(at_ms, |db| digest(|state| db.hash_canonical(at_ms, state)))
    }
}

impl Db {
    /// Hashes the keys that are alive.
    fn hash_canonical<H: Hasher>(&self, now_ms: u64, state: &mut H) {
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

/// The canonical hash of a connection in the state of a new one.
const FRESH: u128 = 0;

impl Client {
    fn canonical_hash(&self, now_ms: u64) -> u128 {
        if self.is_like_fresh() { FRESH } else { digest(|state| self.hash_canonical(now_ms, state)) }
    }

    /// Is everything that [`Client::hash_canonical`] hashes as in a new connection?
    pub(crate) fn is_like_fresh(&self) -> bool {
        self.name.is_empty()
            && self.db == 0
            && self.protocol == Protocol::Resp2
            && self.multi.is_none()
            && self.watched.is_empty()
            && !self.is_dirty
            && !self.is_subscriber()
            && !self.is_monitor
            && self.reply_mode == ReplyMode::On
            && self.backlog.is_empty()
            && self.unread.is_none()
            && self.blocked.is_none()
    }

    /// Hashes everything except id, age and address.
    fn hash_canonical<H: Hasher>(&self, now_ms: u64, state: &mut H) {
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
        (self.unread.is_some(), self.blocked.is_some()).hash(state);
        if let Some(unread) = &self.unread {
            unread.hash_canonical(now_ms, state);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{Blocked, Multi, Wait, WaitReason, Watched};
    use resp::Value;

    #[test]
    fn each_change_of_a_fresh_connection_changes_its_hash() {
        let changes: [fn(&mut Client); 13] = [
            |client| client.name = "a".into(),
            |client| client.db = 1,
            |client| client.protocol = Protocol::Resp3,
            |client| client.multi = Some(Multi::default()),
            |client| client.watched.push(Watched { db: 0, key: "k".into(), was_expired: false }),
            |client| client.is_dirty = true,
            |client| _ = client.channels.insert("c".into()),
            |client| client.patterns.push("p".into()),
            |client| _ = client.shard_channels.insert("s".into()),
            |client| client.is_monitor = true,
            |client| client.reply_mode = ReplyMode::Off,
            |client| client.backlog.push_back(Vec::new()),
            |client| {
                let wait = Wait { reason: WaitReason::Replicas, deadline_ms: None, on_timeout: Value::Null };
                client.blocked = Some(Blocked { argv: Vec::new(), wait, since_ms: 0 });
            },
        ];
        let fresh = || Client::new(1, "127.0.0.1:50001", 0);
        assert_eq!(fresh().canonical_hash(5), FRESH);
        let mut hashes: Vec<u128> = Vec::new();
        for change in changes {
            let mut client = fresh();
            change(&mut client);
            hashes.push(client.canonical_hash(5));
        }
        hashes.push(FRESH);
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), changes.len() + 1, "each of them tells it from the others");
        let mut server = Server::new(crate::Config::default(), 0);
        let id = server.connect(0);
        assert!(server.is_quiet());
        server.stop_reading(id);
        assert!(!server.is_quiet());
    }
}
