//! Transactions: `MULTI EXEC DISCARD WATCH UNWATCH`.
//!
//! The dispatcher queues commands; this module opens, runs and discards queues, and tracks watched keys.
use std::collections::VecDeque;

use bytes::Bytes;
use resp::{Protocol, Value, encode::in_resp2};

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{
    Answer, Ctx, Error, Server,
    client::{Client, ClientId, Multi, Watched},
    monitor::Source,
    script::RestOfQueue,
    server::Output,
};

pub(super) static COMMANDS: &[Command] = &[DISCARD, EXEC, MULTI, UNWATCH, WATCH];

const DISCARD: Command = Command {
    name: "discard",
    summary: "Discard all commands issued after MULTI",
    since: "2.0.0",
    complexity: "O(N), when N is the number of queued commands",
    arity: 1,
    flags: Flags::NOSCRIPT.union(Flags::LOADING).union(Flags::STALE).union(Flags::FAST).union(Flags::ALLOW_BUSY),
    run: Run::Call(discard),
    ..Command::of(Group::Transactions)
};
const EXEC: Command = Command {
    name: "exec",
    summary: "Execute all commands issued after MULTI",
    since: "1.2.0",
    complexity: "Depends on commands in the transaction",
    arity: 1,
    flags: Flags::NOSCRIPT.union(Flags::LOADING).union(Flags::STALE).union(Flags::SKIP_SLOWLOG),
    run: Run::Call(exec),
    ..Command::of(Group::Transactions)
};
const MULTI: Command = Command {
    name: "multi",
    summary: "Mark the start of a transaction block",
    since: "1.2.0",
    complexity: "O(1)",
    arity: 1,
    flags: Flags::NOSCRIPT.union(Flags::LOADING).union(Flags::STALE).union(Flags::FAST).union(Flags::ALLOW_BUSY),
    run: Run::Call(multi),
    ..Command::of(Group::Transactions)
};
const UNWATCH: Command = Command {
    name: "unwatch",
    summary: "Forget about all watched keys",
    since: "2.2.0",
    complexity: "O(1)",
    arity: 1,
    flags: Flags::NOSCRIPT.union(Flags::LOADING).union(Flags::STALE).union(Flags::FAST).union(Flags::ALLOW_BUSY),
    run: Run::Call(unwatch),
    ..Command::of(Group::Transactions)
};
const WATCH: Command = Command {
    name: "watch",
    summary: "Watch the given keys to determine execution of the MULTI/EXEC block",
    since: "2.2.0",
    complexity: "O(1) for every key.",
    arity: -2,
    flags: Flags::NOSCRIPT.union(Flags::LOADING).union(Flags::STALE).union(Flags::FAST).union(Flags::ALLOW_BUSY),
    keys: &[KeySpec::rest(1, KeyFlags::RO)],
    syntax: "key#0...",
    run: Run::Call(watch),
    ..Command::of(Group::Transactions)
};

fn multi(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    if ctx.caller().multi.is_some() {
        return Err(Error::NestedMulti);
    }
    ctx.caller().multi = Some(Multi::default());
    Ok(Answer::OK)
}

fn discard(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    if ctx.caller().multi.is_none() {
        return Err(Error::DiscardWithoutMulti);
    }
    ctx.server.discard_transaction(ctx.client);
    Ok(Answer::OK)
}

fn exec(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let id = ctx.client;
    let Some(multi) = ctx.caller().multi.clone() else { return Err(Error::ExecWithoutMulti) };
    let is_dirty = ctx.caller().is_dirty || ctx.server.watches_expired(id);
    ctx.server.discard_transaction(id);
    if multi.is_aborted {
        return Err(Error::ExecAbort);
    }
    if is_dirty {
        return Ok(Value::NullArray.into());
    }
    ctx.caller().in_exec = Some(multi.queued());
    let rest = RestOfQueue {
        len: multi.queue.len(),
        queue: VecDeque::from(multi.queue),
        stream: Vec::new(),
        was_answered: ctx.caller().is_answered(),
    };
    Ok(ctx.server.run_queue(id, rest))
}

fn watch(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    if ctx.caller().multi.is_some() {
        return Err(Error::WatchInsideMulti);
    }
    // If the client's `EXEC` is already bound to fail, it needs no more watches.
    if !ctx.caller().is_dirty {
        for key in ctx.args_from(1) {
            ctx.server.watch(ctx.client, key);
        }
    }
    Ok(Answer::OK)
}

fn unwatch(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    ctx.server.unwatch_all(ctx.client);
    ctx.caller().is_dirty = false;
    Ok(Answer::OK)
}

/// Redis encodes each reply with the protocol at that time: replies before a queued `HELLO 3` stay in RESP2.
fn as_written_in_resp2(answer: &mut Value) {
    *answer = in_resp2(std::mem::replace(answer, Value::Null));
}

impl Server {
    /// Runs the commands of a transaction and sends their replies as one array.
    ///
    /// Redis writes the number of commands and then the output of each. A command may write several pushes (`SUBSCRIBE a b`) or nothing
    /// (`CLIENT REPLY OFF`). So the client reads the first values of that stream as the array, and the remaining values after it.
    ///
    /// If one command is a script that does not end, the remaining commands wait. If the replies exceed `maxmemory`, the remaining commands
    /// are refused: Redis would keep the replies in the client's output buffer, but the page cannot.
    fn run_queue(&mut self, id: ClientId, mut rest: RestOfQueue) -> Answer {
        let mut answers_bytes =
            rest.stream.iter().fold(0, |sum: usize, value| sum.saturating_add(value.approximate_bytes()));
        while let Some(argv) = rest.queue.pop_front() {
            if let Err(error) = self.reserve_reply(answers_bytes as u64) {
                let value = Value::from(error);
                self.count_if_error(&value);
                rest.stream.push(value);
                continue;
            }
            let mark = self.outputs.len();
            let spoken = self.protocol_of(id);
            let answer = self.run_atomically(id, &argv);
            if (spoken, self.protocol_of(id)) == (Protocol::Resp2, Protocol::Resp3) {
                rest.stream.iter_mut().for_each(as_written_in_resp2);
            }
            for output in self.outputs.split_off(mark.min(self.outputs.len())) {
                match output {
                    Output::Push { client, value } if client == id => rest.stream.push(value),
                    other => self.outputs.push(other),
                }
            }
            if self.busy.is_some() {
                return Answer::Block(self.suspend(rest));
            }
            if self.clients.get(&id).is_some_and(Client::is_answered) {
                answers_bytes = answers_bytes.saturating_add(answer.as_ref().map_or(0, Value::approximate_bytes));
                rest.stream.extend(answer);
            }
        }
        if let Some(client) = self.clients.get_mut(&id) {
            client.in_exec = None;
        }
        let left_over = rest.stream.split_off(rest.len.min(rest.stream.len()));
        if rest.was_answered {
            self.outputs.push(Output::Reply { client: id, value: Value::Array(rest.stream) });
        }
        self.outputs.extend(left_over.into_iter().map(|value| Output::Push { client: id, value }));
        Answer::Nothing
    }

    fn protocol_of(&self, id: ClientId) -> Protocol {
        self.clients.get(&id).map_or(Protocol::Resp2, |client| client.protocol)
    }

    /// Continues a transaction after a script in it was stopped. `answer` is the reply of the script, `exec` the words of the `EXEC` call.
    pub(crate) fn go_on_with_queue(&mut self, id: ClientId, exec: &[Bytes], mut rest: RestOfQueue, answer: Value) {
        if self.clients.get(&id).is_some_and(Client::is_answered) {
            rest.stream.push(answer);
        }
        match self.run_queue(id, rest) {
            Answer::Block(wait) => self.start_waiting(id, exec.to_vec(), wait),
            _ => self.note(id, &EXEC, exec, false, Source::Client),
        }
    }

    fn watch(&mut self, id: ClientId, key: &Bytes) {
        let now_ms = self.now_ms;
        let Some(client) = self.clients.get_mut(&id) else { return };
        let index = client.db;
        if client.watched.iter().any(|watched| watched.db == index && watched.key == *key) {
            return;
        }
        let Some(db) = self.databases.get_mut(index) else { return };
        let was_expired = db.is_expired(key, now_ms);
        client.watched.push(Watched { db: index, key: key.clone(), was_expired });
        db.watchers.entry(key.clone()).or_default().push(id);
    }

    /// Unwatches all keys of a client.
    pub(crate) fn unwatch_all(&mut self, id: ClientId) {
        // Checked first, because write access copies data shared with a clone of the server.
        if self.clients.get(&id).is_none_or(|client| client.watched.is_empty()) {
            return;
        }
        let Some(client) = self.clients.get_mut(&id) else { return };
        for watched in std::mem::take(&mut client.watched) {
            let Some(db) = self.databases.get_mut(watched.db) else { continue };
            if let Some(watchers) = db.watchers.get_mut(&watched.key) {
                watchers.retain(|watcher| *watcher != id);
                if watchers.is_empty() {
                    db.watchers.remove(&watched.key);
                }
            }
        }
    }

    /// Has a watched key expired since `WATCH` without being deleted yet?
    fn watches_expired(&self, id: ClientId) -> bool {
        let watched = self.clients.get(&id).map(|client| client.watched.as_slice()).unwrap_or_default();
        watched.iter().any(|w| !w.was_expired && self.db_or_empty(w.db).is_expired(&w.key, self.now_ms))
    }

    /// All keys of a database are about to be deleted, or replaced with those of another. Clients that watch a key stored before or after
    /// will fail at `EXEC`, unless the key was missing or expired when it was watched and is so afterwards.
    pub(crate) fn touch_all_watched(&mut self, emptied: usize, replaced_with: Option<usize>) {
        let watchers: Vec<(Bytes, Vec<ClientId>)> =
            self.db_or_empty(emptied).watchers.iter().map(|(key, ids)| (key.clone(), ids.clone())).collect();
        for (key, ids) in watchers {
            let is_before = self.db_or_empty(emptied).value(&key).is_some();
            let after = replaced_with.map(|db| self.db_or_empty(db));
            let is_after = after.is_some_and(|db| db.value(&key).is_some());
            let is_expired_after = after.is_some_and(|db| db.is_expired(&key, self.now_ms));
            if !is_before && !is_after {
                continue;
            }
            for id in ids {
                let Some(client) = self.clients.get_mut(&id) else { continue };
                let Some(watched) = client.watched.iter_mut().find(|w| w.db == emptied && w.key == key) else {
                    continue;
                };
                match (watched.was_expired, is_after) {
                    (true, false) => watched.was_expired = false,
                    (true, true) if is_expired_after => {}
                    (false, _) if !is_before && is_expired_after => watched.was_expired = true,
                    _ => client.is_dirty = true,
                }
            }
        }
    }

    /// A key changed: clients that watch it will fail at `EXEC`. Deleting a key that had already expired when it was watched is not a
    /// change.
    pub(crate) fn touch_watched(&mut self, db: usize, key: &Bytes) {
        let Some(watchers) = self.db_or_empty(db).watchers.get(key).cloned() else { return };
        let is_gone = self.db_or_empty(db).value(key).is_none();
        for id in watchers {
            let Some(client) = self.clients.get_mut(&id) else { continue };
            let Some(watched) = client.watched.iter_mut().find(|w| w.db == db && w.key == *key) else { continue };
            if watched.was_expired && is_gone {
                watched.was_expired = false;
            } else if !watched.was_expired {
                client.is_dirty = true;
            }
        }
    }
}
