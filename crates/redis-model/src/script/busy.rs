//! `Busy`: a server whose script takes time.
//!
//! ```text
//!   since_ms                    since_ms + busy-reply-threshold                       its end, or SCRIPT KILL
//!      ├── deaf: commands wait ───────┼── busy: BUSY to every client, few commands run ───┤ the caller gets its reply,
//!      │                              │   nothing expires, no timeout ends                │ the server continues
//! ```
//!
//! With virtual script time, a script runs to its end when it begins; its changes are stored until its time is over
//! ([`Continuation::Ends`]), and a kill before its first write discards them. With real script time, the script VM pauses the script
//! now and then ([`Continuation::Paused`]). A script that never ends keeps the changes it has made and makes no more
//! ([`Continuation::Endless`]).
use std::collections::VecDeque;

use bytes::Bytes;
use resp::{Protocol, Value};

use ::script::{Progress, SourceLocation};

use super::{
    host,
    outcome::{After, Before},
    run::End,
};
use crate::{
    Error, Server,
    client::{ClientId, Wait, WaitReason},
    command,
    monitor::Source,
    server::{Change, Output},
};

/// A running script that keeps the server busy.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Busy {
    /// The caller; it may have disconnected since.
    pub client: ClientId,
    /// When it began, Unix time in ms of the server's clock.
    pub since_ms: u64,
    /// The arguments of the call.
    pub argv: Vec<Bytes>,
    /// The script's SHA-1 or the function's name.
    pub name: Bytes,
    /// Is it a function of a library? Then `FUNCTION KILL` ends it, not `SCRIPT KILL`.
    pub is_function: bool,
    /// It has called commands that write, so that only `SHUTDOWN NOSAVE` can end it. For a script whose end is known: it will
    /// have called some by its end.
    pub has_written: bool,
    /// The line number for the caller's error message.
    line: i64,
    is_killed: bool,
    /// Its caller has closed the connection.
    has_caller_left: bool,
    rest: Option<RestOfQueue>,
    stage: Continuation,
}

/// How the script continues.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Continuation {
    /// It never ends by itself.
    Endless,
    /// It continues with the next slice.
    Paused(Box<Paused>),
    /// Its end is known.
    Ends(Box<Ends>),
}

/// A script between two slices.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Paused {
    pub state: host::State,
    /// The database that it has selected and its protocol version.
    pub spoken: (usize, Protocol),
    /// Outputs that were not sent yet.
    pub outputs: Vec<Output>,
    pub changed: Vec<Change>,
}

/// A script whose end lies in the future.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ends {
    /// Its end, Unix time in ms of the server's clock.
    pub at_ms: u64,
    /// When it first calls a command that writes.
    pub writes_from_ms: Option<u64>,
    pub after: After,
    /// The reply to its caller.
    pub value: Value,
}

/// The rest of a transaction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RestOfQueue {
    /// Commands that have yet to run.
    pub queue: VecDeque<Vec<Bytes>>,
    /// Number of commands of the whole transaction.
    pub len: usize,
    /// Replies of the commands that have run.
    pub stream: Vec<Value>,
    /// Did the caller receive replies when it called `EXEC`?
    pub was_answered: bool,
}

/// The call of a script.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Called {
    pub client: ClientId,
    pub since_ms: u64,
    pub argv: Vec<Bytes>,
    pub name: Bytes,
    pub is_function: bool,
    /// Its text begins with a line of flags.
    pub has_first_line: bool,
}

impl Busy {
    fn new(called: Called, has_written: bool, stage: Continuation) -> Busy {
        let Called { client, since_ms, argv, name, is_function, has_first_line } = called;
        Busy {
            client,
            since_ms,
            argv,
            name,
            is_function,
            has_written,
            line: if has_first_line { 2 } else { 1 },
            is_killed: false,
            has_caller_left: false,
            rest: None,
            stage,
        }
    }

    /// A script that never ends; `place`: where it was when that became clear.
    pub(super) fn endless(called: Called, has_written: bool, place: Option<SourceLocation>) -> Busy {
        let mut busy = Busy::new(called, has_written, Continuation::Endless);
        busy.line = place.map_or(busy.line, |place| place.line);
        busy
    }

    pub(super) fn paused(called: Called, paused: Paused) -> Busy {
        Busy::new(called, paused.state.has_written, Continuation::Paused(Box::new(paused)))
    }

    pub(super) fn ends(called: Called, ends: Ends) -> Busy {
        Busy::new(called, ends.writes_from_ms.is_some(), Continuation::Ends(Box::new(ends)))
    }

    /// When it ends by itself, if that is known, Unix time in ms of the server's clock.
    pub fn ends_ms(&self) -> Option<u64> {
        match &self.stage {
            Continuation::Ends(ends) => Some(ends.at_ms),
            _ => None,
        }
    }

    /// Is it between two slices, so that [`Server::go_on`] runs the next one?
    pub const fn is_paused(&self) -> bool {
        matches!(self.stage, Continuation::Paused(_))
    }

    /// Has it called a command that writes by now?
    fn has_written_by(&self, now_ms: u64) -> bool {
        match &self.stage {
            Continuation::Ends(ends) => ends.writes_from_ms.is_some_and(|from_ms| from_ms <= now_ms),
            _ => self.has_written,
        }
    }

    /// The error for other clients while the script runs.
    const fn refusal(&self) -> Error {
        if self.is_function { BUSY_WITH_FUNCTION } else { BUSY_WITH_SCRIPT }
    }

    /// The error reply to the caller after a kill.
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

/// The wait of the caller.
pub(super) const fn wait(ends_ms: Option<u64>) -> Wait {
    Wait { reason: WaitReason::Script { ends_ms }, deadline_ms: None, on_timeout: Value::Null }
}

/// The error of a busy server; `None` if the server is not busy.
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
        wait(self.busy.as_ref().and_then(|busy| busy.ends_ms()))
    }

    /// When a busy server changes by itself: it begins to reply with `BUSY`, or the script ends.
    pub(crate) fn next_of_busy_ms(&self) -> Option<u64> {
        let ends_ms = self.busy.as_ref().and_then(|busy| busy.ends_ms());
        let hears_ms = self.hears_from_ms().filter(|hears_ms| *hears_ms > self.now_ms && *hears_ms < u64::MAX);
        ends_ms.into_iter().chain(hears_ms).min()
    }

    /// Does the server not reply at all yet, not even with `BUSY`?
    pub fn is_deaf(&self) -> bool {
        self.hears_from_ms().is_some_and(|hears_ms| hears_ms > self.now_ms)
    }

    fn hears_from_ms(&self) -> Option<u64> {
        let busy = self.busy.as_ref()?;
        let threshold_ms = self.config.shown_by_name("busy-reply-threshold").parse().unwrap_or(0);
        Some(if threshold_ms == 0 { u64::MAX } else { busy.since_ms.saturating_add(threshold_ms) })
    }

    /// `SCRIPT KILL`, `FUNCTION KILL`: the script ends once this command has ended.
    ///
    /// # Errors
    /// No script runs, it has written, or it is of the other kind.
    pub(crate) fn kill_script(&mut self, is_function: bool) -> Result<(), Error> {
        let now_ms = self.now_ms;
        let Some(busy) = self.busy.as_mut() else {
            return Err(Error::Text("NOTBUSY No scripts in execution right now."));
        };
        if busy.has_written_by(now_ms) {
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

    /// Does this client's script keep the server busy? Then the client is removed when the script has ended.
    pub(crate) fn leaves_during_its_script(&mut self, client: ClientId) -> bool {
        let busy = self.busy.as_mut().filter(|busy| busy.client == client);
        busy.is_some_and(|busy| {
            busy.has_caller_left = true;
            true
        })
    }

    /// Ends a script that was killed.
    pub(crate) fn end_killed_script(&mut self) {
        let Some(mut busy) = self.busy.take_if(|busy| busy.is_killed) else { return };
        if busy.is_paused()
            && let Ok(Some(place)) = self.engine.with(|machine| machine.stop())
        {
            busy.line = place.line;
        }
        let line = busy.killed_line();
        self.count_if_error(&line);
        self.after_busy(*busy, line);
    }

    /// Ends a script whose time is over.
    pub(crate) fn end_script_if_due(&mut self) {
        let now_ms = self.now_ms;
        let is_due = |busy: &mut Box<Busy>| busy.ends_ms().is_some_and(|at_ms| at_ms <= now_ms);
        let Some(mut busy) = self.busy.take_if(is_due) else { return };
        if let Continuation::Ends(ends) = std::mem::replace(&mut busy.stage, Continuation::Endless) {
            self.adopt(ends.after);
            self.after_busy(*busy, ends.value);
        }
    }

    /// Replies to the caller, runs the rest of its transaction and everything that became due meanwhile.
    fn after_busy(&mut self, busy: Busy, value: Value) {
        if let Ok(row) = command::find(&busy.argv) {
            self.note(busy.client, row, &busy.argv, super::holds_error(&value), Source::Client);
        }
        if let Some(blocked) = self.stop_waiting(busy.client) {
            match busy.rest {
                None => self.answer(busy.client, value),
                Some(rest) => self.go_on_with_queue(busy.client, &blocked.argv, rest, value),
            }
        }
        if busy.has_caller_left && !self.leaves_during_its_script(busy.client) {
            self.forget(busy.client);
            self.outputs.retain(|output| {
                !matches!(output,
                Output::Reply { client, .. } | Output::Unblocked { client } if *client == busy.client)
            });
        }
        let now_ms = self.now_ms;
        // Clients that wait for a key which the script has created are served before any timeout ends.
        self.serve_ready();
        if self.busy.is_none() {
            self.let_postponed_run();
        }
        self.run_until(now_ms);
    }

    /// Runs the next slice of a paused script, with real script time. [`Busy::is_paused`] says whether there is
    /// anything to do.
    pub fn go_on(&mut self, now_ms: u64) -> Vec<Output> {
        self.run_until(now_ms);
        self.run_next_slice();
        self.settle();
        std::mem::take(&mut self.outputs)
    }

    /// Aborts a paused script at its current position, which leaves its changes half done. For callers that drop the server.
    pub fn abandon_script(&mut self) {
        if self.busy.as_ref().is_some_and(|busy| busy.is_paused()) {
            let _ = self.engine.with(|machine| machine.stop());
        }
    }

    fn run_next_slice(&mut self) {
        let Some(mut busy) = self.busy.take_if(|busy| busy.is_paused()) else { return };
        let Continuation::Paused(paused) = std::mem::replace(&mut busy.stage, Continuation::Endless) else { return };
        let Paused { state, mut spoken, outputs, changed } = *paused;
        let earlier = (std::mem::replace(&mut self.outputs, outputs), std::mem::replace(&mut self.changed, changed));
        // The clock stands still in a script.
        let clock_ms = std::mem::replace(&mut self.now_ms, busy.since_ms);
        // The server is busy meanwhile.
        let client = busy.client;
        self.busy = Some(busy);
        let (progress, state) = self.run_slice(client, state, &mut spoken, |machine, host| machine.go_on(host));
        self.now_ms = clock_ms;
        let outputs = std::mem::replace(&mut self.outputs, earlier.0);
        let changed = std::mem::replace(&mut self.changed, earlier.1);
        let is_deaf = self.is_deaf();
        let Some(mut busy) = self.busy.take() else { return };
        match progress {
            Progress::Paused => {
                let mut paused = Paused { state, spoken, outputs, changed };
                busy.has_written = paused.state.has_written;
                if !is_deaf {
                    // Subscribers receive these together with the next outputs.
                    self.outputs.append(&mut paused.outputs);
                    self.changed.append(&mut paused.changed);
                }
                busy.stage = Continuation::Paused(Box::new(paused));
                self.busy = Some(busy);
            }
            Progress::Ended(ran) => match self.end_of_run(ran, &state, &busy.name) {
                End::Never(place) => {
                    self.outputs.extend(outputs);
                    self.changed.extend(changed);
                    busy.line = place.map_or(busy.line, |place| place.line);
                    busy.has_written = state.has_written;
                    self.busy = Some(busy);
                }
                End::Answer(value, _) => {
                    self.outputs.extend(outputs);
                    self.changed.extend(changed);
                    self.after_busy(*busy, value);
                }
            },
        }
    }

    /// Makes a script that has run take this many milliseconds: until then the server is as it was before the script.
    pub(super) fn ends(
        &mut self,
        since_ms: u64,
        ms: u64,
        state: &host::State,
        before: Before,
        (outputs, changed): (Vec<Output>, Vec<Change>),
        value: Value,
    ) -> Ends {
        let time = self.config.script_time;
        let writes_from_ms = state.first_write.map(|instructions| since_ms.saturating_add(time.ms_of(instructions)));
        let after = self.put_back(before, outputs, changed);
        Ends { at_ms: since_ms.saturating_add(ms), writes_from_ms, after, value }
    }
}
