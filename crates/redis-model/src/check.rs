//! `Server::check`: the invariants that hold between any two inputs, verified by recounting. For tests and debug assertions.
//!
//! ```text
//!  keys      memory known = memory counted; deadlines = keys with a TTL; no empty collections; each value's own invariants
//!  clients   who waits, watches and listens: recorded by the client and by an index, and both agree
//!  server    nothing half done: no ready key unserved, no change unreported, no output unsent, no deadline missed
//! ```
use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;

use crate::{
    Server,
    client::{Client, ClientId, Wait, WaitReason},
};

/// An index as pairs of a name and a client listed under it.
type Pairs<'a> = BTreeSet<(&'a Bytes, ClientId)>;

impl Server {
    /// Verifies the invariants that hold between any two inputs. O(n) in the size of the whole state.
    ///
    /// # Errors
    /// A description of the first invariant that fails.
    pub fn check(&self) -> Result<(), String> {
        self.check_rest()?;
        self.check_clients()?;
        self.check_listeners()?;
        self.scripts.check()?;
        for (index, db) in self.databases.iter().enumerate() {
            db.check().map_err(|wrong| format!("database {index}: {wrong}"))?;
            let waiting = self.clients.iter().flat_map(|client| waits_for(client, index));
            same("waiting", index, pairs(&db.waiting)?, waiting.collect())?;
            let watching = self.clients.iter().flat_map(|client| watches(client, index));
            same("watching", index, pairs(&db.watchers)?, watching.collect())?;
        }
        Ok(())
    }

    /// Checks that nothing of the last input is left over.
    fn check_rest(&self) -> Result<(), String> {
        let unused = self.databases.get(self.used_databases..).unwrap_or_default();
        let left_over = [
            (unused.iter().any(|db| !db.is_empty()), "a database has keys and counts as one that never had"),
            (!self.ready.is_empty() && self.busy.is_none(), "a key is ready and not served"),
            (!self.unblocked.is_empty(), "a client goes on and its backlog has not run"),
            (!self.changed.is_empty(), "a change is not reported"),
            (!self.outputs.is_empty(), "an output is not handed out"),
            (self.is_atomic, "a transaction has not ended"),
            (self.is_in_script, "a script has not ended"),
            (!self.used_keys.is_empty(), "a command has ended and the keys that it used are still noted"),
            (self.eviction.is_due, "keys are to go and have not gone"),
            (self.reply_at.is_some(), "a reply has its place and has not come"),
            (
                self.busy.is_none() && self.pause.is_some_and(|pause| pause.until_ms <= self.now_ms),
                "a pause is over and lasts",
            ),
        ];
        let queued = self.clients.iter().filter_map(|client| client.multi.as_ref());
        let queued = queued.fold(0usize, |sum, multi| sum.saturating_add(multi.counted_bytes()));
        if queued != self.queued_bytes {
            return Err(format!("transactions are known to take {} bytes and take {queued}", self.queued_bytes));
        }
        left_over.iter().find(|(is_so, _)| *is_so).map_or(Ok(()), |(_, wrong)| Err((*wrong).to_owned()))
    }

    fn check_clients(&self) -> Result<(), String> {
        let deadline = |c: &Client| Some((c.blocked.as_ref()?.wait.deadline_ms?, c.id));
        if !self.wait_deadlines.iter().copied().eq(sorted(self.clients.iter().filter_map(deadline))) {
            return Err("the deadlines of those who wait are not those of the clients".to_owned());
        }
        if !self.monitors.iter().copied().eq(self.clients.iter().filter(|c| c.is_monitor).map(|c| c.id)) {
            return Err("those who monitor are not those of the clients".to_owned());
        }
        // No timeout ends while the server sleeps or is busy with a script.
        let stands_still = self.asleep_until_ms.is_some() || self.busy.is_some();
        if !self.clients.iter().is_sorted_by(|a, b| a.id < b.id) {
            return Err("the clients are not in order of number".to_owned());
        }
        for client in self.clients.iter() {
            let wait = client.blocked.as_ref().map(|blocked| &blocked.wait);
            let is_late = !stands_still
                && wait.and_then(|wait| wait.deadline_ms).is_some_and(|deadline_ms| deadline_ms <= self.now_ms);
            let wrongs = [
                (client.id >= self.next_client, "has a number that was not given yet"),
                (client.db >= self.databases.len(), "has selected no database"),
                (client.closes_after_reply, "has had its last reply and is still there"),
                (wait.is_none() && !client.backlog.is_empty(), "does not wait and has a backlog"),
                (is_late, "waits past its timeout"),
                (wait.is_some_and(|wait| !is_put_off(wait)) && client.multi.is_some(), "waits inside a transaction"),
            ];
            if let Some((_, wrong)) = wrongs.iter().find(|(is_so, _)| *is_so) {
                return Err(format!("client {} {wrong}", client.id));
            }
        }
        Ok(())
    }

    fn check_listeners(&self) -> Result<(), String> {
        let clients = || self.clients.iter();
        let said = clients().flat_map(|client| client.channels.iter().map(|name| (name, client.id)));
        same("listening to channels", 0, pairs(&self.pubsub.channels)?, said.collect())?;
        let said = clients().flat_map(|client| client.patterns.iter().map(|name| (name, client.id)));
        same("listening to patterns", 0, pairs(&self.pubsub.patterns)?, said.collect())?;
        let said = clients().flat_map(|client| client.shard_channels.iter().map(|name| (name, client.id)));
        same("listening to shard channels", 0, pairs(&self.pubsub.shard_channels)?, said.collect())
    }
}

/// Is the whole command postponed, possibly an `EXEC`, so that it has not run yet?
fn is_put_off(wait: &Wait) -> bool {
    wait.reason == WaitReason::Pause
}

fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> BTreeSet<T> {
    items.collect()
}

/// The pairs of an index; an error if a client is listed twice under a name or a name has no client.
fn pairs(index: &BTreeMap<Bytes, Vec<ClientId>>) -> Result<Pairs<'_>, String> {
    let mut pairs = Pairs::new();
    for (name, ids) in index {
        if ids.is_empty() {
            return Err(format!("no client has the name {name:?}"));
        }
        for id in ids {
            if !pairs.insert((name, *id)) {
                return Err(format!("client {id} stands twice under {name:?}"));
            }
        }
    }
    Ok(pairs)
}

fn same(what: &str, index: usize, indexed: Pairs<'_>, said: Pairs<'_>) -> Result<(), String> {
    if indexed == said {
        return Ok(());
    }
    Err(format!("{what} (database {index}): the index has {indexed:?}, the clients say {said:?}"))
}

fn waits_for(client: &Client, index: usize) -> impl Iterator<Item = (&Bytes, ClientId)> {
    let keys = match client.blocked.as_ref().map(|blocked| &blocked.wait.reason) {
        Some(WaitReason::Keys { db, keys, .. }) if *db == index => keys.as_slice(),
        _ => &[],
    };
    keys.iter().map(|key| (key, client.id))
}

fn watches(client: &Client, index: usize) -> impl Iterator<Item = (&Bytes, ClientId)> {
    client.watched.iter().filter(move |watched| watched.db == index).map(|watched| (&watched.key, client.id))
}
