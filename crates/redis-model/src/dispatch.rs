//! From words to a reply: look-up, checks in Redis' order, queueing, running, and who is told.
//!
//! The order of the checks is that of `processCommand` in Redis 7.0 and can be seen from outside: an
//! unknown command is refused before its arity, inside `MULTI` a refusal aborts the transaction, and so on.
use bytes::Bytes;
use resp::{Protocol, Value};

use crate::{
    Answer, Ctx, Error, Server,
    client::{ClientId, ReplyMode, Wait, WaitReason},
    command::{self, Command, Flags, Run},
    server::CloseReason,
};

/// Commands that a blocked client may have sent ahead; past it the oldest behaviour would be unbounded memory.
const BACKLOG_MAX: usize = 100_000;

impl Server {
    /// Runs a command now, or later when its client waits inside another one.
    pub(crate) fn process_or_queue(&mut self, id: ClientId, argv: Vec<Bytes>) {
        if argv.is_empty() {
            return;
        }
        let Some(client) = self.clients.get_mut(&id) else { return };
        if client.blocked.is_some() {
            if client.backlog.len() < BACKLOG_MAX {
                client.backlog.push_back(argv);
            }
        } else {
            self.process(id, argv);
        }
    }

    /// Checks a command and runs or queues it.
    pub(crate) fn process(&mut self, id: ClientId, argv: Vec<Bytes>) {
        let now_ms = self.now_ms;
        let was_skipping = match self.clients.get_mut(&id) {
            None => return,
            Some(client) => {
                client.last_command_ms = now_ms;
                client.reply_mode == ReplyMode::SkipNext
            }
        };
        let row = command::find(&argv);
        let admission = row.clone().and_then(|row| self.admit(id, row, &argv).map(|admission| (row, admission)));
        match admission {
            Err(error) => self.refuse(id, row.ok(), error),
            Ok((_, Admission::Queue)) => self.queue(id, argv),
            Ok((_, Admission::Postpone)) => {
                let wait = Wait { reason: WaitReason::Pause, deadline_ms: None, on_timeout: Value::Null };
                self.start_waiting(id, argv, wait);
            }
            Ok((row, Admission::Run)) => self.run(id, row, argv),
        }
        self.after_command(id, was_skipping);
    }

    /// `CLIENT REPLY SKIP` covers one command; `QUIT` and a client that killed itself are closed once answered.
    fn after_command(&mut self, id: ClientId, was_skipping: bool) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        if was_skipping && client.reply_mode == ReplyMode::SkipNext {
            client.reply_mode = ReplyMode::On;
        }
        if client.closes_after_reply {
            let reason =
                if client.last_command == Some(("", "quit")) { CloseReason::Quit } else { CloseReason::Killed };
            self.close(id, reason);
        }
    }

    /// May this command run, and when?
    fn admit(&self, id: ClientId, row: &'static Command, argv: &[Bytes]) -> Result<Admission, Error> {
        if !row.takes(argv.len()) {
            return Err(Error::Arity(row.full_name()));
        }
        if self.is_out_of_memory() && self.needs_memory(id, row) {
            return Err(Error::OutOfMemory);
        }
        let Some(client) = self.clients.get(&id) else { return Ok(Admission::Run) };
        if client.is_subscriber() && client.protocol == Protocol::Resp2 && !is_allowed_to_subscribers(row) {
            return Err(Error::SubscribeContext(row.full_name()));
        }
        if client.multi.is_some() && row.flags.contains(Flags::NO_MULTI) {
            return Err(Error::NotAllowedInMulti);
        }
        let is_queued = client.multi.is_some() && !runs_inside_multi(row);
        if self.pauses(client.multi.is_some(), id, row) {
            return Ok(Admission::Postpone);
        }
        Ok(if is_queued { Admission::Queue } else { Admission::Run })
    }

    fn is_out_of_memory(&self) -> bool {
        self.config.maxmemory > 0 && self.used_memory() as u64 > self.config.maxmemory
    }

    /// Is it a command that the memory limit forbids, or an `EXEC` with one in its queue?
    fn needs_memory(&self, id: ClientId, row: &Command) -> bool {
        row.flags.contains(Flags::DENYOOM) || (row.id() == ("", "exec") && self.queue_has(id, Flags::DENYOOM))
    }

    /// Does a client's transaction hold a command with one of these flags?
    fn queue_has(&self, id: ClientId, flags: Flags) -> bool {
        let queue = self.clients.get(&id).and_then(|client| client.multi.as_ref()).map(|multi| multi.queue.as_slice());
        queue.unwrap_or_default().iter().any(|argv| command::find(argv).is_ok_and(|row| row.flags.intersects(flags)))
    }

    /// Does `CLIENT PAUSE` hold this command back?
    fn pauses(&self, is_in_multi: bool, id: ClientId, row: &Command) -> bool {
        let writes = Flags::WRITE.union(Flags::MAY_REPLICATE);
        match self.pause {
            None => false,
            Some(pause) if pause.pauses_all => true,
            Some(_) if row.id() == ("", "exec") => self.queue_has(id, writes),
            Some(_) => !is_in_multi && row.flags.intersects(writes),
        }
    }

    /// Answers a refusal; inside `MULTI` it aborts the transaction, and `EXEC` itself discards it.
    fn refuse(&mut self, id: ClientId, row: Option<&'static Command>, error: Error) {
        if let Some(row) = row {
            let calls = self.stats.calls_by_command.entry(row.id()).or_default();
            calls.1 = calls.1.saturating_add(1);
            if row.id() == ("", "exec") {
                self.discard_transaction(id);
            }
        }
        if let Some(multi) = self.clients.get_mut(&id).and_then(|client| client.multi.as_mut()) {
            multi.is_aborted = true;
        }
        self.reply(id, error.into());
    }

    fn queue(&mut self, id: ClientId, argv: Vec<Bytes>) {
        if let Some(multi) = self.clients.get_mut(&id).and_then(|client| client.multi.as_mut()) {
            multi.queue.push(argv);
        }
        self.reply(id, Value::QUEUED);
    }

    /// Runs an admitted command and answers it.
    fn run(&mut self, id: ClientId, row: &'static Command, argv: Vec<Bytes>) {
        let outcome = self.run_and_note(id, row, &argv);
        match outcome {
            Ok(Answer::Reply(value)) => self.reply(id, value),
            Ok(Answer::Nothing) => {}
            Ok(Answer::Block(wait)) => self.start_waiting(id, argv, wait),
            Err(error) => self.reply(id, error.into()),
        }
    }

    /// Runs a command inside a transaction, where nothing blocks, and answers its reply.
    /// `None`: it has said by pushes what it had to say.
    pub(crate) fn run_atomically(&mut self, id: ClientId, argv: &[Bytes]) -> Option<Value> {
        let was_atomic = std::mem::replace(&mut self.is_atomic, true);
        let outcome = command::find(argv).and_then(|row| self.run_and_note(id, row, argv));
        self.is_atomic = was_atomic;
        match outcome {
            Ok(Answer::Reply(value)) => Some(value),
            Ok(Answer::Nothing) => None,
            Ok(Answer::Block(wait)) => Some(wait.on_timeout),
            Err(error) => Some(error.into()),
        }
    }

    /// Runs a command and tells the statistics, the monitors and the slow log.
    fn run_and_note(&mut self, id: ClientId, row: &'static Command, argv: &[Bytes]) -> Result<Answer, Error> {
        let outcome = self.run_handler(id, row, argv, None);
        self.stats.commands_processed = self.stats.commands_processed.saturating_add(1);
        let calls = self.stats.calls_by_command.entry(row.id()).or_default();
        calls.0 = calls.0.saturating_add(1);
        if outcome.is_err() {
            calls.2 = calls.2.saturating_add(1);
        }
        self.feed_monitors(id, row, argv);
        self.log_if_slow(id, row, argv);
        outcome
    }

    /// Calls a row's handler, without any check.
    pub(crate) fn run_handler(
        &mut self,
        id: ClientId,
        row: &'static Command,
        argv: &[Bytes],
        woken_by: Option<&Bytes>,
    ) -> Result<Answer, Error> {
        let Run::Call(handler) = row.run else { return Err(Error::NotModelled(row.full_name())) };
        if let Some(client) = self.clients.get_mut(&id) {
            client.last_command = Some(row.id());
        }
        let mut ctx = Ctx { server: self, client: id, argv, command: row, woken_by };
        match handler(&mut ctx) {
            Ok(Answer::Block(wait)) if self.is_atomic => Ok(Answer::Reply(wait.on_timeout)),
            outcome => outcome,
        }
    }
}

/// What the checks decided.
enum Admission {
    Run,
    Queue,
    Postpone,
}

/// Commands that act on the transaction or the connection itself instead of being queued.
fn runs_inside_multi(row: &Command) -> bool {
    row.container.is_empty() && matches!(row.name, "exec" | "discard" | "multi" | "watch" | "quit" | "reset")
}

/// What a subscribed RESP2 connection may still call.
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
