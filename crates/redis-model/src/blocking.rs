//! Clients that wait for keys, and waking them.
//!
//! A handler that cannot reply yet returns [`Answer::Block`]. The client is then listed under each
//! of its keys, in order of arrival. When such a key is created it is queued as *ready*; after
//! the running command (or the whole transaction) has ended, [`Server::settle`] serves ready keys in
//! order and, for each, the clients that wait for it, first come first served: the command runs again
//! with `woken_by` naming the key. If it blocks again, the client keeps its place.
//!
//! Recipe for a new blocking command: return `ctx.block_on::<T>(…)` when nothing can be served, and
//! serve only from `ctx.keys_to_serve(…)`. Nothing else is needed.
//!
//! A client that reads a stream may wait for a key that exists: [`Server::signal_ready`] is also called for each new entry.
//! A client that reads in a group also wakes, with an error, when the group or the stream is deleted.
use std::collections::BTreeSet;

use bytes::Bytes;

use crate::{
    Answer, Error, Part, Server, Typed,
    client::{Blocked, ClientId, Reading, Wait, WaitReason},
    command,
    db::Db,
    eviction::Use,
    server::{Cause, Change, Output},
    sorting,
    value::{Stream, ZSet},
};

impl Server {
    /// Blocks a client inside `argv`, listed under every key it waits for.
    pub(crate) fn start_waiting(&mut self, id: ClientId, argv: Vec<Bytes>, wait: Wait) {
        if let WaitReason::Keys { db, keys, .. } = &wait.reason
            && let Some(db) = self.databases.get_mut(*db)
        {
            for key in keys {
                let line = db.waiting.entry(key.clone()).or_default();
                if !line.contains(&id) {
                    line.push(id);
                }
            }
        }
        let since_ms = self.now_ms;
        if let Some(client) = self.clients.get_mut(&id) {
            self.wait_deadlines.extend(wait.deadline_ms.map(|deadline_ms| (deadline_ms, id)));
            client.blocked = Some(Blocked { argv, wait, since_ms });
            self.outputs.push(Output::Blocked { client: id });
        }
    }

    /// Ends a client's wait, for any reason; returns the command it was blocked in.
    pub(crate) fn stop_waiting(&mut self, id: ClientId) -> Option<Blocked> {
        // Checked before it is borrowed mutably, which copies state that a clone of the server shares.
        self.clients.get(&id)?.blocked.as_ref()?;
        let blocked = self.clients.get_mut(&id)?.blocked.take()?;
        if let Some(deadline_ms) = blocked.wait.deadline_ms {
            self.wait_deadlines.remove(&(deadline_ms, id));
        }
        if let WaitReason::Keys { db, keys, .. } = &blocked.wait.reason
            && let Some(db) = self.databases.get_mut(*db)
        {
            for key in keys {
                if let Some(line) = db.waiting.get_mut(key) {
                    line.retain(|waiting| *waiting != id);
                    if line.is_empty() {
                        db.waiting.remove(key);
                    }
                }
            }
        }
        self.unblocked.push_back(id);
        self.outputs.push(Output::Unblocked { client: id });
        Some(blocked)
    }

    /// A key was created (or a stream grew): clients that wait for it are served once the running command ends.
    pub(crate) fn signal_ready(&mut self, db: usize, key: &Bytes) {
        // If no client waits for a value of this type at any key, Redis does not look further.
        if self.db_or_empty(db).waiting.contains_key(key) && self.is_awaited(db, key) {
            self.list_ready(db, key);
        }
    }

    /// A stream was deleted or replaced by another value: clients that read it in a group are notified once the running command ends.
    /// Redis looks the key up for that, which counts as a use, as long as any client waits for any stream.
    pub(crate) fn signal_gone(&mut self, db: usize, key: &Bytes) {
        if self.db_or_empty(db).waiting.contains_key(key) && self.is_type_awaited(Stream::TYPE_NAME) {
            self.list_ready(db, key);
        }
    }

    fn list_ready(&mut self, db: usize, key: &Bytes) {
        let is_listed = self.ready.iter().any(|(listed_db, listed)| *listed_db == db && listed == key);
        if !is_listed {
            self.ready.push_back((db, key.clone()));
        }
    }

    fn reads_in_group(&self, id: ClientId) -> bool {
        let reason =
            self.clients.get(&id).and_then(|client| client.blocked.as_ref()).map(|blocked| &blocked.wait.reason);
        matches!(reason, Some(WaitReason::Keys { reading: Some(Reading::Group(_)), .. }))
    }

    /// After `SWAPDB` and `FLUSHDB`: keys that clients wait for may now exist and are ready; others may be gone.
    pub(crate) fn signal_all_awaited(&mut self, db: usize) {
        let awaited: Vec<Bytes> = self.db_or_empty(db).waiting.keys().cloned().collect();
        for key in awaited {
            if self.db_or_empty(db).value(&key).is_some() {
                self.signal_ready(db, &key);
            } else {
                self.signal_gone(db, &key);
            }
        }
    }

    /// Serves ready keys and runs commands that queued behind a wait, until nothing is left to do at this moment.
    pub(crate) fn settle(&mut self) {
        loop {
            self.serve_ready();
            self.end_killed_script();
            let Some(client) = self.unblocked.pop_front() else { break };
            self.run_backlog(client);
        }
        self.report_changes();
        if std::mem::take(&mut self.eviction.is_due) {
            self.make_room();
            self.report_changes();
        }
    }

    pub(crate) fn serve_ready(&mut self) {
        while self.busy.is_none()
            && let Some((db, key)) = self.ready.pop_front()
        {
            self.serve(db, &key);
        }
    }

    /// Serves the clients that wait for a key, in order of arrival.
    fn serve(&mut self, db: usize, key: &Bytes) {
        let line = self.db_or_empty(db).waiting.get(key).cloned().unwrap_or_default();
        self.serve_line(db, key, &line);
        let is_stream = self.db_or_empty(db).value(key).is_some_and(|value| Stream::of(value).is_some());
        let stranded = line.into_iter().filter(|id| !is_stream && self.reads_in_group(*id));
        for id in stranded.collect::<Vec<_>>() {
            let Some(blocked) = self.stop_waiting(id) else { continue };
            self.reply(id, Error::Text("UNBLOCKED the stream key no longer exists").into());
            if let Ok(row) = command::find(&blocked.argv) {
                self.note_after_wait(id, row, &blocked.argv, true);
            }
        }
    }

    /// Does any client wait for a value of the type that this key holds?
    fn is_awaited(&self, db: usize, key: &Bytes) -> bool {
        self.db_or_empty(db).value(key).is_some_and(|value| self.is_type_awaited(value.type_name()))
    }

    /// Does any client wait, at any key, for a value of this type?
    fn is_type_awaited(&self, type_name: &str) -> bool {
        self.clients.iter().filter_map(|client| client.blocked.as_ref()).any(|blocked| {
            matches!(&blocked.wait.reason, WaitReason::Keys { type_name: wanted, .. } if *wanted == type_name)
        })
    }

    fn serve_line(&mut self, db: usize, key: &Bytes, line: &[ClientId]) {
        // Redis looks the key up once for all waiting clients, and again for each client that wants a sorted set.
        self.touch(db, key);
        for id in line.iter().copied() {
            let Some(type_name) = self.db_or_empty(db).value(key).map(|value| value.type_name()) else { break };
            let Some(blocked) = self.clients.get(&id).and_then(|client| client.blocked.clone()) else { continue };
            let is_wanted = matches!(&blocked.wait.reason,
                WaitReason::Keys { type_name: wanted, .. } if *wanted == type_name);
            if !is_wanted {
                continue;
            }
            let Ok(row) = command::find(&blocked.argv) else { continue };
            if type_name != ZSet::TYPE_NAME {
                self.note_used(db, key, Use::Change);
            }
            let outcome = self.run_handler(id, row, &blocked.argv, Some(key));
            let reply_at = self.reply_at.take();
            let is_failure = outcome.is_err();
            match outcome {
                Ok(Answer::Block(_)) => continue,
                Ok(Answer::Reply(value) | Answer::Counted(value)) => {
                    let behind_events = self.outputs.len();
                    self.stop_waiting(id);
                    self.reply(id, value);
                    self.move_outputs(behind_events, reply_at);
                }
                Ok(Answer::Nothing) => {
                    self.stop_waiting(id);
                }
                Err(error) => {
                    self.stop_waiting(id);
                    self.reply(id, error.into());
                }
            }
            self.note_after_wait(id, row, &blocked.argv, is_failure);
        }
    }

    /// Runs the commands a client sent while it was waiting, until it waits again. Each command wakes other clients before the next
    /// one runs.
    fn run_backlog(&mut self, id: ClientId) {
        while let Some(client) = self.clients.get_mut(&id) {
            if client.blocked.is_some() {
                break;
            }
            client.stop_skipping();
            let Some(argv) = client.backlog.pop_front() else { break };
            self.process(id, argv);
            self.serve_ready();
            self.report_changes();
        }
    }

    /// Records that a key has changed and that its memory must be counted. Two changes of the same key in a row are recorded as one.
    pub(crate) fn note_change(&mut self, db: usize, key: &Bytes, cause: Cause) {
        match self.changed.last_mut() {
            Some(last) if last.is_of(db, key) => last.is_counted = false,
            _ => self.changed.push(Change { db, key: key.clone(), cause, is_counted: false }),
        }
    }

    /// Counts the memory of the keys that changed from `mark` on, and of the change just before it: a repeated change of that key is
    /// recorded there.
    pub(crate) fn recount_changes_since(&mut self, mark: usize) {
        for change in self.changed.get_mut(mark.saturating_sub(1)..).unwrap_or_default() {
            change.count(&mut self.databases);
        }
    }

    /// Counts the memory of the changed keys and outputs each of them once, in order of first change.
    pub(crate) fn report_changes(&mut self) {
        if self.changed.is_empty() {
            return;
        }
        for change in &mut self.changed {
            change.count(&mut self.databases);
        }
        forget_repeated(&mut self.changed);
        let output = |Change { db, key, cause, .. }| Output::Changed { db, key, cause };
        // Most commands change one key.
        if self.changed.len() == 1 {
            self.outputs.extend(self.changed.pop().map(output));
        } else {
            self.outputs.extend(self.changed.drain(..).map(output));
        }
        self.memory_peak = self.memory_peak.max(self.allocated_memory());
    }
}

impl Change {
    /// Is this a change of `key` in database `db`?
    pub(crate) fn is_of(&self, db: usize, key: &Bytes) -> bool {
        self.db == db && self.key == *key
    }

    /// Counts the memory of the key, unless it is counted already.
    fn count(&mut self, databases: &mut [Part<Db>]) {
        if !std::mem::replace(&mut self.is_counted, true)
            && let Some(db) = databases.get_mut(self.db)
        {
            db.recount(&self.key);
        }
    }
}

/// Keeps only the first change of each key.
fn forget_repeated(changed: &mut Vec<Change>) {
    if changed.len() < 2 {
        return;
    }
    let mut order: Vec<(usize, &Change)> = changed.iter().enumerate().collect();
    // Stable: the first change of a key stays in front.
    sorting::sort_by(&mut order, |(_, a), (_, b)| (a.db, &a.key).cmp(&(b.db, &b.key)));
    let pairs = order.iter().zip(order.iter().skip(1));
    let repeated: BTreeSet<usize> =
        sorting::inserted(pairs.filter(|((_, a), (_, b))| b.is_of(a.db, &a.key)).map(|(_, (at, _))| *at));
    let mut at = 0..;
    changed.retain(|_| at.next().is_some_and(|at| !repeated.contains(&at)));
}
