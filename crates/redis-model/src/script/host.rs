//! `RunningScript`: executes the commands of a running script under the rules of scripts, and counts, shows and limits them.
use std::collections::BTreeSet;

use bytes::Bytes;
use resp::Value;

use ::script::{Call, Host, Level, Permission};

use super::{
    ScriptFlags,
    time::{CALL_COST, NAME_COST},
};
use crate::{
    Answer, Error, Server,
    client::ClientId,
    command::{self, Command, Flags},
    monitor::Source,
};

/// Bytes of a string that count as one unit of work.
const BYTES_PER_UNIT: u64 = 64;

/// A script that has begun to write continues when the memory limit is reached, so that it does not stop half-way. This is how
/// far past `maxmemory` it may get, in bytes; Redis has no such limit, but a page needs one.
const OVERSHOOT_MAX: u64 = 64 << 20;

/// Errors that commands have replied to a script.
pub(super) type Errors = BTreeSet<Bytes>;

/// A running script with exclusive access to the server.
pub(super) struct RunningScript<'a> {
    server: &'a mut Server,
    client: ClientId,
    state: State,
}

/// State of a running script outside the VM.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    is_read_only: bool,
    allows_oom: bool,
    /// It has called a command that writes.
    pub has_written: bool,
    /// Instructions before the first command that writes, including those charged for commands.
    pub first_write: Option<u64>,
    /// Work that its commands may still do, in elements touched.
    work_left: u64,
    /// Number of commands that it has called.
    pub commands: u64,
    /// Instructions charged for its commands in addition to those the VM has charged.
    pub work_done: u64,
    /// Errors that commands replied to it.
    pub reported: Errors,
}

impl State {
    /// The state of a new script; `work_max`: work that all of its commands may do together.
    pub fn new(is_read_only: bool, flags: ScriptFlags, work_max: u64) -> State {
        let allows_oom = flags.contains(ScriptFlags::ALLOW_OOM) && !flags.contains(ScriptFlags::COMPATIBLE);
        let (reported, work_left) = (Errors::new(), work_max);
        State {
            is_read_only,
            allows_oom,
            has_written: false,
            first_write: None,
            work_left,
            commands: 0,
            work_done: 0,
            reported,
        }
    }

    /// Has it used up its work?
    pub const fn is_exhausted(&self) -> bool {
        self.work_left == 0
    }
}

impl<'a> RunningScript<'a> {
    pub const fn new(server: &'a mut Server, client: ClientId, state: State) -> RunningScript<'a> {
        RunningScript { server, client, state }
    }

    pub fn end(self) -> State {
        self.state
    }

    /// May the script run this command? The checks in Redis' order.
    fn admit(&self, row: &Command, argv: &[Bytes]) -> Result<(), Error> {
        if !row.takes(argv.len()) {
            return Err(Error::Text("ERR Wrong number of args calling Redis command from script"));
        }
        if row.flags.contains(Flags::NOSCRIPT) {
            return Err(Error::Text("ERR This Redis command is not allowed from script"));
        }
        if self.state.is_read_only && row.flags.intersects(Flags::WRITE.union(Flags::MAY_REPLICATE)) {
            return Err(Error::Text("ERR Write commands are not allowed from read-only scripts."));
        }
        if row.flags.contains(Flags::DENYOOM) && !self.state.allows_oom && self.is_full() {
            return Err(Error::OutOfMemory);
        }
        Ok(())
    }

    /// Does the memory limit forbid this script to write more?
    fn is_full(&self) -> bool {
        let limit = self.server.config.maxmemory;
        let bound = limit.saturating_add(OVERSHOOT_MAX);
        limit > 0 && (self.server.was_full && !self.state.has_written || self.server.used_memory() as u64 > bound)
    }

    fn refuse(&mut self, row: Option<&Command>, error: Error) -> Value {
        let value = Value::from(error);
        self.server.count_if_error(&value);
        if let Some(row) = row {
            self.server.count_rejection(row);
        }
        self.report(value)
    }

    fn run(&mut self, row: &'static Command, call: &Call) -> Value {
        if row.flags.contains(Flags::WRITE) && !self.state.has_written {
            self.state.has_written = true;
            self.state.first_write = Some(call.instructions.saturating_add(self.state.work_done));
        }
        let looked_at = work_before(self.server, self.client, row, &call.argv);
        if let Some(client) = self.server.clients.get_mut(&self.client) {
            client.protocol = call.protocol;
        }
        let mark = self.server.changed.len();
        let outcome = self.server.run_handler(self.client, row, &call.argv, None);
        // A script has one reply, after all of it has run.
        self.server.reply_at = None;
        let value = match outcome {
            Ok(Answer::Reply(value) | Answer::Counted(value)) => value,
            Ok(Answer::Nothing) => Value::Null,
            Ok(Answer::Block(wait)) => wait.on_timeout,
            Err(error) => error.into(),
        };
        self.server.note(self.client, row, &call.argv, value.is_error(), Source::Script);
        self.server.recount_changes_since(mark);
        self.server.count_if_error(&value);
        let size = size_of_reply(&value);
        self.state.work_left = self.state.work_left.saturating_sub(looked_at.saturating_add(size));
        let each = if row.name == "keys" { NAME_COST } else { 1 };
        let work = looked_at.saturating_mul(each).saturating_add(size).saturating_add(CALL_COST);
        self.state.work_done = self.state.work_done.saturating_add(work);
        self.report(value)
    }

    fn report(&mut self, value: Value) -> Value {
        if let Value::Error(text) = &value {
            self.state.reported.insert(text.clone());
        }
        value
    }
}

impl Host for RunningScript<'_> {
    fn call(&mut self, call: Call) -> Value {
        // The script is stopped for good in this call; until the VM notices, every command fails.
        if self.state.is_exhausted() {
            return Value::error("ERR the script has spent its budget");
        }
        self.state.commands = self.state.commands.saturating_add(1);
        let Ok(row) = command::find(&call.argv) else {
            return self.refuse(None, Error::Text("ERR Unknown Redis command called from script"));
        };
        match self.admit(row, &call.argv) {
            Ok(()) => self.run(row, &call),
            Err(error) => self.refuse(Some(row), error),
        }
    }

    /// The server's log is a file, which the model does not have.
    fn log(&mut self, _: Level, _: Bytes) {}

    fn may(&mut self, argv: Vec<Bytes>) -> Permission {
        match command::find(&argv) {
            Ok(row) if row.takes(argv.len()) => Permission::Granted,
            _ => Permission::NoSuchCommand,
        }
    }
}

/// Work that a command may need: all of its values, or all keys if it names none. A fast command needs one unit.
fn work_before(server: &Server, client: ClientId, row: &Command, argv: &[Bytes]) -> u64 {
    const CALL: u64 = 1;
    if row.flags.contains(Flags::FAST) {
        return CALL;
    }
    let db = server.db_or_empty(server.clients.get(&client).map_or(0, |client| client.db));
    let size_of = |key: &Bytes| db.value(key).map_or(0, |value| value.memory() as u64 / BYTES_PER_UNIT);
    if let Some(key) = command::only_key(row).and_then(|index| argv.get(index)) {
        return CALL.saturating_add(size_of(key));
    }
    let keys = command::keys_of_row(row, argv).unwrap_or_default();
    let values = keys.iter().filter_map(|at| argv.get(at.index)).map(size_of);
    let all_keys = if keys.is_empty() { db.len() as u64 } else { 0 };
    values.fold(CALL.saturating_add(all_keys), u64::saturating_add)
}

/// Number of elements of a reply; long strings count more.
fn size_of_reply(value: &Value) -> u64 {
    let mut size = 0u64;
    each_part(value, |part| {
        let long = match part {
            Value::Bulk(bytes) | Value::Simple(bytes) | Value::Verbatim(_, bytes) => bytes.len() as u64,
            _ => 0,
        };
        size = size.saturating_add(1 + long / BYTES_PER_UNIT);
    });
    size
}

/// Counts the errors in a script's reply, except those that were counted when a command replied them.
pub(super) fn count_errors(server: &mut Server, value: &Value, reported: &Errors) {
    each_part(value, |part| {
        if let Value::Error(text) = part
            && !reported.contains(text)
        {
            server.count_if_error(part);
        }
    });
}

/// Is there an error anywhere in this reply?
pub(crate) fn holds_error(value: &Value) -> bool {
    let mut holds = false;
    each_part(value, |part| holds |= part.is_error());
    holds
}

/// Visits a reply and everything in it.
fn each_part<'a>(value: &'a Value, mut visit: impl FnMut(&'a Value)) {
    // Most replies have no parts; then nothing is allocated.
    let mut left = Vec::new();
    let mut next = Some(value);
    while let Some(value) = next {
        visit(value);
        match value {
            Value::Array(items) | Value::Set(items) | Value::Push(items) => left.extend(items),
            Value::Map(pairs) => left.extend(pairs.iter().flat_map(|(key, value)| [key, value])),
            _ => {}
        }
        next = left.pop();
    }
}
