//! From arguments to a reply: lookup, checks in Redis' order, queueing, running, and notifying.
//!
//! The order of the checks is that of `processCommand` in Redis 7.0 and is visible to clients: an
//! unknown command is refused before its arity, inside `MULTI` a refusal aborts the transaction, and so on.
use bytes::Bytes;
use resp::{Protocol, Value};

use crate::{
    Answer, Ctx, Error, Server,
    client::{Client, ClientId, Multi, ReplyMode, Wait, WaitReason},
    command::{self, Command, Flags, Group, Run},
    monitor::Source,
    script,
    server::{CloseReason, Pause},
};

/// Maximum number of commands that a blocked client may have sent ahead; without a limit their memory would be unbounded.
const BACKLOG_MAX: usize = 100_000;

/// Bytes that a queued command takes.
fn queued_bytes(argv: &[Bytes]) -> usize {
    /// Bytes of a queued command besides its arguments.
    const OVERHEAD: usize = 64;
    argv.iter().fold(OVERHEAD, |sum, word| sum.saturating_add(word.len()))
}

impl Multi {
    /// Bytes that the queue takes, counted from scratch.
    pub(crate) fn counted_bytes(&self) -> usize {
        self.queue.iter().fold(0, |sum, argv| sum.saturating_add(queued_bytes(argv)))
    }
}

impl Server {
    /// Runs a command now, or later if its client is blocked inside another one.
    pub(crate) fn process_or_queue(&mut self, id: ClientId, argv: Vec<Bytes>) {
        if argv.is_empty() {
            return;
        }
        // Checked before it is borrowed mutably, which copies state that a clone of the server shares; the same below.
        let Some(client) = self.clients.get(&id) else { return };
        if client.blocked.is_none() {
            self.process(id, argv);
        } else if client.backlog.len() < BACKLOG_MAX
            && let Some(client) = self.clients.get_mut(&id)
        {
            client.backlog.push_back(argv);
        }
    }

    /// Checks a command and runs or queues it.
    pub(crate) fn process(&mut self, id: ClientId, argv: Vec<Bytes>) {
        if self.asleep_until_ms.is_some() || self.is_deaf() {
            return self.postpone(id, argv);
        }
        if is_cross_protocol(&argv) {
            return self.close(id, CloseReason::CrossProtocol);
        }
        let row = command::find(&argv);
        let Some(client) = self.clients.get(&id) else { return };
        if client.reply_mode == ReplyMode::SkipNext
            && let Some(client) = self.clients.get_mut(&id)
        {
            client.reply_mode = ReplyMode::Skipping;
        }
        self.clients.note_command(id, self.now_ms, row.as_ref().ok().copied());
        match row {
            Err(error) => self.refuse(id, None, error),
            Ok(row) => match self.admit(id, row, &argv) {
                Err(error) => self.refuse(id, Some(row), error),
                Ok(Admission::Queue) => self.queue(id, argv),
                Ok(Admission::Postpone) => self.postpone(id, argv),
                Ok(Admission::Run) => self.run(id, row, argv),
            },
        }
        self.after_command(id);
    }

    /// Postpones a command until the server continues; it is then checked as if it had just arrived.
    fn postpone(&mut self, id: ClientId, argv: Vec<Bytes>) {
        if let Some(client) = self.clients.get_mut(&id).filter(|client| client.reply_mode == ReplyMode::Skipping) {
            client.reply_mode = ReplyMode::SkipNext;
        }
        let wait = Wait { reason: WaitReason::Pause, deadline_ms: None, on_timeout: Value::Null };
        self.start_waiting(id, argv, wait);
    }

    /// `CLIENT REPLY SKIP` covers one command; after `QUIT`, and after a client killed itself, the connection is closed once the reply is
    /// sent.
    fn after_command(&mut self, id: ClientId) {
        let Some(client) = self.clients.get(&id) else { return };
        let closes = client.closes_after_reply;
        if client.blocked.is_none()
            && client.reply_mode == ReplyMode::Skipping
            && let Some(client) = self.clients.get_mut(&id)
        {
            client.stop_skipping();
        }
        if closes {
            let has_quit = self.clients.last_command(id).is_some_and(|last| last.id() == Some(("", "quit")));
            self.close(id, if has_quit { CloseReason::Quit } else { CloseReason::Killed });
        }
    }

    /// Decides whether this command may run, and when.
    fn admit(&mut self, id: ClientId, row: &'static Command, argv: &[Bytes]) -> Result<Admission, Error> {
        if !row.takes(argv.len()) {
            return Err(Error::Arity(row.full_name()));
        }
        let Some(client) = self.clients.get(&id) else { return Ok(Admission::Run) };
        if !client.is_authenticated && !self.config.requirepass.is_empty() && !row.flags.contains(Flags::NO_AUTH) {
            return Err(Error::NotAuthenticated);
        }
        if client.multi.is_some() && row.flags.contains(Flags::NO_MULTI) {
            return Err(Error::NotAllowedInMulti);
        }
        // Every command evicts keys; only one that needs memory is refused if that was not enough. While a script that never ends
        // runs, nothing is evicted, and no command is refused for that.
        let has_room = self.busy.is_some() || self.make_room();
        let flags = self.flags_of_call(row, argv);
        if self.config.maxmemory > 0 && self.busy.is_none() {
            self.was_full = !has_room;
        }
        let Some(client) = self.clients.get(&id) else { return Ok(Admission::Run) };
        if !has_room && self.needs_memory(client, row, flags) {
            return Err(Error::OutOfMemory);
        }
        if client.is_subscriber() && client.protocol == Protocol::Resp2 && !is_allowed_to_subscribers(row) {
            return Err(Error::SubscribeContext(row.full_name()));
        }
        if let Some(busy) = script::busy_with(self).filter(|_| !is_allowed_while_busy(row, argv)) {
            return Err(busy);
        }
        if client.is_monitor && self.has_flags(client, row, flags, KEYSPACE_FLAGS) {
            return Err(Error::Text("ERR Replica can't interact with the keyspace"));
        }
        let is_queued = client.multi.is_some() && !runs_inside_multi(row);
        if self.pauses(client, row, flags) {
            return Ok(Admission::Postpone);
        }
        Ok(if is_queued { Admission::Queue } else { Admission::Run })
    }

    /// Does the memory limit forbid this command? Inside `MULTI` it forbids every command that would be queued, because the queue takes
    /// memory too.
    fn needs_memory(&self, client: &Client, row: &Command, flags: Flags) -> bool {
        let is_queued = client.multi.is_some() && (!runs_inside_multi(row) || row.id() == ("", "watch"));
        is_queued || self.has_flags(client, row, flags, Flags::DENYOOM)
    }

    /// Does `CLIENT PAUSE` hold this command back?
    fn pauses(&self, client: &Client, row: &Command, flags: Flags) -> bool {
        let is_held = |pause: Pause| pause.pauses_all || self.has_flags(client, row, flags, WRITE_FLAGS);
        // Redis treats a monitoring client as a kind of replica, and replicas are never paused.
        self.pause.is_some_and(is_held) && !client.is_monitor
    }

    /// The flags of a call: those of its row, unless the script that it runs declares its own.
    fn flags_of_call(&self, row: &Command, argv: &[Bytes]) -> Flags {
        let of_script =
            if row.group == Group::Scripting { command::script_flags(&self.scripts, row, argv) } else { None };
        of_script.map_or(row.flags, |flags| flags.of_command(row.flags))
    }

    /// Does a call with flags `own` have one of `flags`? `EXEC` also has the flags of the commands in its queue.
    fn has_flags(&self, client: &Client, row: &Command, own: Flags, flags: Flags) -> bool {
        if own.intersects(flags) {
            return true;
        }
        let queue = client.multi.as_ref().filter(|_| row.id() == ("", "exec")).map(|multi| multi.queue.as_slice());
        queue
            .unwrap_or_default()
            .iter()
            .any(|argv| command::find(argv).is_ok_and(|row| self.flags_of_call(row, argv).intersects(flags)))
    }

    /// Replies with a refusal; inside `MULTI` it aborts the transaction, and a refused `EXEC` discards it.
    fn refuse(&mut self, id: ClientId, row: Option<&'static Command>, error: Error) {
        if let Some(row) = row {
            self.count_rejection(row);
            if row.id() == ("", "exec") {
                self.discard_transaction(id);
                let text = error.to_string();
                let why = text.strip_prefix("ERR ").unwrap_or(&text).to_owned();
                return self.reply(id, Error::ExecRefused(why).into());
            }
        }
        if self.clients.get(&id).is_some_and(|client| client.multi.is_some())
            && let Some(multi) = self.clients.get_mut(&id).and_then(|client| client.multi.as_mut())
        {
            multi.is_aborted = true;
        }
        self.reply(id, error.into());
    }

    pub(crate) fn count_rejection(&mut self, row: &Command) {
        let calls = self.stats.calls_by_command.entry(row.id().into(), Default::default);
        calls.1 = calls.1.saturating_add(1);
    }

    fn queue(&mut self, id: ClientId, argv: Vec<Bytes>) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        let is_dirty = client.is_dirty;
        // A command that will never run is not stored.
        if let Some(multi) = client.multi.as_mut().filter(|multi| !multi.is_aborted && !is_dirty) {
            let bytes = queued_bytes(&argv);
            multi.bytes = multi.bytes.saturating_add(bytes);
            self.queued_bytes = self.queued_bytes.saturating_add(bytes);
            multi.queue.push(argv);
            self.memory_peak = self.memory_peak.max(self.allocated_memory());
        }
        self.reply(id, Value::QUEUED);
    }

    /// Runs an admitted command and sends its reply.
    fn run(&mut self, id: ClientId, row: &'static Command, argv: Vec<Bytes>) {
        let outcome = self.run_handler(id, row, &argv, None);
        let reply_at = self.reply_at.take();
        let is_failure = is_failure(&outcome);
        let wait = match outcome {
            Ok(Answer::Reply(value)) => {
                let behind_events = self.outputs.len();
                self.reply(id, value);
                self.move_outputs(behind_events, reply_at);
                None
            }
            Ok(Answer::Counted(value)) => {
                self.answer(id, value);
                None
            }
            Ok(Answer::Nothing) => None,
            Ok(Answer::Block(wait)) => Some(wait),
            Err(error) => {
                self.reply(id, error.into());
                None
            }
        };
        // A client that monitors itself receives its reply first. A script that never ends is recorded when it is ended.
        // A command that blocks goes into the slow log after its wait.
        match wait.as_ref().map(|wait| &wait.reason) {
            Some(WaitReason::Script { .. }) => {}
            Some(WaitReason::Keys { .. } | WaitReason::Replicas) => self.count_and_show(id, row, &argv, is_failure),
            _ => self.note(id, row, &argv, is_failure, Source::Client),
        }
        if let Some(wait) = wait {
            self.start_waiting(id, argv, wait);
        }
    }

    /// Runs a command inside a transaction, where nothing blocks, and returns its reply.
    /// `None`: everything was sent as pushes.
    pub(crate) fn run_atomically(&mut self, id: ClientId, argv: &[Bytes]) -> Option<Value> {
        let row = match command::find(argv) {
            Ok(row) => row,
            Err(error) => return Some(error.into()),
        };
        let was_atomic = std::mem::replace(&mut self.is_atomic, true);
        let outcome = self.run_handler(id, row, argv, None);
        self.is_atomic = was_atomic;
        // A transaction has one reply, after all of it has run.
        self.reply_at = None;
        if self.busy.is_some() {
            return None;
        }
        self.note(id, row, argv, is_failure(&outcome), Source::Client);
        let value = match outcome {
            Ok(Answer::Reply(value)) => value,
            Ok(Answer::Counted(value)) => return Some(value),
            Ok(Answer::Nothing) => return None,
            Ok(Answer::Block(wait)) => wait.on_timeout,
            Err(error) => error.into(),
        };
        self.count_if_error(&value);
        Some(value)
    }

    /// Reports a command that has run to the statistics, the monitors and the slow log.
    pub(crate) fn note(&mut self, id: ClientId, row: &Command, argv: &[Bytes], is_failure: bool, source: Source) {
        self.count_call(row, is_failure);
        self.feed_monitors(id, row, argv, source);
        self.log_if_slow(id, row, argv, source);
    }

    /// Reports a command that has run to the statistics and the monitors.
    fn count_and_show(&mut self, id: ClientId, row: &Command, argv: &[Bytes], is_failure: bool) {
        self.count_call(row, is_failure);
        self.feed_monitors(id, row, argv, Source::Client);
    }

    fn count_call(&mut self, row: &Command, is_failure: bool) {
        self.stats.commands_processed = self.stats.commands_processed.saturating_add(1);
        let calls = self.stats.calls_by_command.entry(row.id().into(), Default::default);
        calls.0 = calls.0.saturating_add(1);
        calls.2 = calls.2.saturating_add(u64::from(is_failure));
        if !self.config.is_latency_tracked {
            let untracked = self.stats.untracked_calls.entry(row.id().into(), || 0);
            *untracked = untracked.saturating_add(1);
        }
    }

    /// Reports a command that was blocked to the statistics and the slow log; it was counted as a call when its wait began.
    pub(crate) fn note_after_wait(&mut self, id: ClientId, row: &Command, argv: &[Bytes], is_failure: bool) {
        let calls = self.stats.calls_by_command.entry(row.id().into(), Default::default);
        calls.2 = calls.2.saturating_add(u64::from(is_failure));
        self.log_if_slow(id, row, argv, Source::Client);
    }

    /// Calls a row's handler, without any checks.
    pub(crate) fn run_handler(
        &mut self,
        id: ClientId,
        row: &'static Command,
        argv: &[Bytes],
        woken_by: Option<&Bytes>,
    ) -> Result<Answer, Error> {
        let (Run::Call(handler) | Run::ContainerOr(handler)) = row.run else {
            return Err(Error::NotModelled(row.full_name()));
        };
        let db = self.clients.get(&id).map_or(0, |client| client.db);
        let mut ctx = Ctx { server: self, client: id, db, argv, command: row, woken_by };
        let outcome = handler(&mut ctx);
        self.used_keys.clear();
        match outcome {
            Ok(Answer::Block(wait)) if self.is_atomic => Ok(Answer::Reply(wait.on_timeout)),
            outcome => outcome,
        }
    }
}

/// The result of the checks.
enum Admission {
    Run,
    Queue,
    Postpone,
}

/// Commands that change keys, or might be replicated.
const WRITE_FLAGS: Flags = Flags::WRITE.union(Flags::MAY_REPLICATE);
/// Commands that access keys at all.
const KEYSPACE_FLAGS: Flags = WRITE_FLAGS.union(Flags::READONLY);

/// Did a command fail? A script failed if its reply contains an error.
fn is_failure(outcome: &Result<Answer, Error>) -> bool {
    match outcome {
        Ok(Answer::Counted(value)) => script::holds_error(value),
        Ok(_) => false,
        Err(_) => true,
    }
}

/// May this command be called while the server is busy with a script?
fn is_allowed_while_busy(row: &Command, argv: &[Bytes]) -> bool {
    let is_orderly_shutdown =
        row.id() == ("", "shutdown") && !argv.iter().any(|word| word.eq_ignore_ascii_case(b"nosave"));
    row.flags.contains(Flags::ALLOW_BUSY) && !is_orderly_shutdown
}

/// Is this the first line of an HTTP request, sent by a browser that was tricked into talking to Redis? The connection is closed
/// without a reply.
fn is_cross_protocol(argv: &[Bytes]) -> bool {
    argv.first().is_some_and(|name| name.eq_ignore_ascii_case(b"host:") || name.eq_ignore_ascii_case(b"post"))
}

/// Commands that act on the transaction or the connection itself instead of being queued.
fn runs_inside_multi(row: &Command) -> bool {
    row.container.is_empty() && matches!(row.name, "exec" | "discard" | "multi" | "watch" | "quit" | "reset")
}

/// May a subscribed RESP2 connection call this command?
fn is_allowed_to_subscribers(row: &Command) -> bool {
    row.container.is_empty()
        && matches!(
            row.name,
            "ping"
                | "subscribe"
                | "ssubscribe"
                | "unsubscribe"
                | "sunsubscribe"
                | "psubscribe"
                | "punsubscribe"
                | "quit"
                | "reset"
        )
}
