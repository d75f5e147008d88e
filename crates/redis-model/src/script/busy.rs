//! A script that never ends.
//!
//! ```text
//!   since_ms                    since_ms + busy-reply-threshold                       SCRIPT KILL
//!      ├── deaf: what arrives waits ──┼── busy: BUSY to everybody, few commands run ──────┤ the caller gets its error,
//!      │                              │   nothing expires, no timeout ends                │ the world goes on
//! ```
//!
//! The script has done what it has done before; nothing more comes of it. So all that is kept is who called, since when,
//! and what is left of a transaction that it was part of.
use std::collections::VecDeque;

use bytes::Bytes;
use resp::Value;

use ::script::Place;

use super::Task;
use crate::{
    Error, Server,
    client::{ClientId, Wait, WaitReason},
    command,
    monitor::Source,
};

/// A script that never ends: the server is busy with it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Busy {
    /// Who called it; it may have gone since.
    pub client: ClientId,
    /// When it began, Unix time in ms of the server's clock.
    pub since_ms: u64,
    /// The words of the call.
    pub argv: Vec<Bytes>,
    /// The script's SHA-1 or the function's name.
    pub name: Bytes,
    /// Is it a function of a library? Then `FUNCTION KILL` ends it, not `SCRIPT KILL`.
    pub is_function: bool,
    /// It has called commands that write, so that nothing can end it but `SHUTDOWN NOSAVE`.
    pub has_written: bool,
    /// The line that the caller's error will name: where the script had spent its budget.
    line: i64,
    is_killed: bool,
    rest: Option<RestOfQueue>,
}

/// What is left of a transaction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RestOfQueue {
    /// Commands that have yet to run.
    pub queue: VecDeque<Vec<Bytes>>,
    /// Commands that there were in all.
    pub len: usize,
    /// What the caller reads of those that have run.
    pub stream: Vec<Value>,
    /// Were the caller's commands answered when it called `EXEC`?
    pub was_answered: bool,
}

impl Busy {
    pub(super) fn new(
        client: ClientId,
        since_ms: u64,
        argv: &[Bytes],
        task: &Task,
        place: Option<Place>,
        has_written: bool,
    ) -> Busy {
        Busy {
            client,
            since_ms,
            argv: argv.to_vec(),
            name: task.name.clone(),
            is_function: task.is_function(),
            has_written,
            line: place.map_or(if task.has_first_line() { 2 } else { 1 }, |place| place.line),
            is_killed: false,
            rest: None,
        }
    }

    /// What everybody is told meanwhile.
    const fn refusal(&self) -> Error {
        if self.is_function { BUSY_WITH_FUNCTION } else { BUSY_WITH_SCRIPT }
    }

    /// The error line of the caller once it is ended.
    fn killed_line(&self) -> Value {
        let chunk = if self.is_function { "user_function" } else { "user_script" };
        let (name, line) = (String::from_utf8_lossy(&self.name), self.line);
        Value::error(format!("ERR Script killed by user with SCRIPT KILL... script: {name}, on @{chunk}:{line}."))
    }
}

const BUSY_WITH_SCRIPT: Error =
    Error::Text("BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.");
const BUSY_WITH_FUNCTION: Error =
    Error::Text("BUSY Redis is busy running a script. You can only call FUNCTION KILL or SHUTDOWN NOSAVE.");

/// How the caller waits.
pub(super) const fn wait() -> Wait {
    Wait { reason: WaitReason::Script, deadline_ms: None, on_timeout: Value::Null }
}

/// What a server says that is busy; `None` when it is not.
pub(crate) fn busy_with(server: &Server) -> Option<Error> {
    server.busy.as_ref().map(|busy| busy.refusal())
}

impl Server {
    pub(super) fn become_busy(&mut self, busy: Busy) {
        self.busy = Some(Box::new(busy));
    }

    /// The rest of a transaction waits for the end of the script that one of its commands ran.
    pub(crate) fn suspend(&mut self, rest: RestOfQueue) -> Wait {
        if let Some(busy) = self.busy.as_mut() {
            busy.rest = Some(rest);
        }
        wait()
    }

    /// From when on a busy server answers again, if only to say that it is busy; `None` when it does so now, or never
    /// will (`busy-reply-threshold 0`).
    pub(crate) fn hears_again_ms(&self) -> Option<u64> {
        let hears_ms = self.hears_from_ms()?;
        (hears_ms > self.now_ms && hears_ms < u64::MAX).then_some(hears_ms)
    }

    /// Does it not even say that it is busy?
    pub(crate) fn is_deaf(&self) -> bool {
        self.hears_from_ms().is_some_and(|hears_ms| hears_ms > self.now_ms)
    }

    fn hears_from_ms(&self) -> Option<u64> {
        let busy = self.busy.as_ref()?;
        let threshold_ms = self.config.shown_by_name("busy-reply-threshold").parse().unwrap_or(0);
        Some(if threshold_ms == 0 { u64::MAX } else { busy.since_ms.saturating_add(threshold_ms) })
    }

    /// `SCRIPT KILL`, `FUNCTION KILL`: the script ends once this command has.
    ///
    /// # Errors
    /// When none runs, it has written, or it is of the other kind.
    pub(crate) fn kill_script(&mut self, is_function: bool) -> Result<(), Error> {
        let Some(busy) = self.busy.as_mut() else {
            return Err(Error::Text("NOTBUSY No scripts in execution right now."));
        };
        if busy.has_written {
            return Err(Error::Text(
                "UNKILLABLE Sorry the script already executed write commands against the dataset. You can either wait the script termination or kill the server in a hard way using the SHUTDOWN NOSAVE command.",
            ));
        }
        if busy.is_function != is_function {
            return Err(busy.refusal());
        }
        busy.is_killed = true;
        Ok(())
    }

    /// Ends a script that was killed: its caller is told, the rest of its transaction runs, and what was due meanwhile
    /// happens.
    pub(crate) fn end_killed_script(&mut self) {
        let Some(busy) = self.busy.as_deref().filter(|busy| busy.is_killed).cloned() else { return };
        let line = busy.killed_line();
        self.count_if_error(&line);
        if let Ok(row) = command::find(&busy.argv) {
            self.note(busy.client, row, &busy.argv, true, Source::Client);
        }
        self.busy = None;
        if let Some(blocked) = self.stop_waiting(busy.client) {
            match busy.rest {
                None => self.answer(busy.client, line),
                Some(rest) => self.go_on_with_queue(busy.client, &blocked.argv, rest, line),
            }
        }
        let now_ms = self.now_ms;
        self.run_until(now_ms);
    }
}
