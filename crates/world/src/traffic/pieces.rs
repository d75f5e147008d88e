//! Long work in small pieces, so that a page stays responsive: scripts that run ahead, and handlers that continue in the next piece.
//!
//! ```text
//!   event ─▶ EVAL that takes long ─▶ paused: nothing of the event has happened ─▶ the script runs ahead ─▶ the same event again
//!         └▶ a handler runs Lua and has its answer at once ─▶ a piece of the same event, before any other event ─▶ …
//! ```
//! Pieces are executed in the order in which one piece would have done everything, so their number makes no difference.
use std::hash::{Hash, Hasher};

use bytes::Bytes;
use redis_model::rehearsal::{Attempt, Rehearsal};
use redis_model::{ClientId, Output, Server};
use resp::Value;
use script::program::{Reply, Thread};

use super::event::Service;
use super::settings::Handler;
use super::{Around, Traffic, WorkerThread};

/// A run of Lua counts as this many events: it usually takes as long, and up to a thousand times longer.
pub(super) const EVENTS_PER_RUN: u64 = 25;

/// How the Redis server runs scripts.
#[derive(Default)]
pub enum Scripts {
    /// Each in one piece.
    #[default]
    Whole,
    /// A script that takes long pauses the run before its event. Contains the script that was run ahead, which is the next one.
    Attempted(Option<Rehearsal>),
    /// The next event has a script that takes long, which has to run ahead.
    Paused(Rehearsal),
}

impl Scripts {
    /// Is the run paused?
    pub(crate) const fn is_paused(&self) -> bool {
        matches!(self, Scripts::Paused(_))
    }

    /// The server handles a client's command; returns its outputs. `Err`, with the command: paused, the server is unchanged.
    pub(super) fn handle(
        &mut self,
        server: &mut Server,
        now_ms: u64,
        client: ClientId,
        argv: Vec<Bytes>,
    ) -> Result<Vec<Output>, Vec<Bytes>> {
        if matches!(self, Scripts::Whole) || !server.may_run_script(&argv) {
            return Ok(server.handle(now_ms, client, argv));
        }
        self.attempt(server, |server| server.handle(now_ms, client, argv.clone())).ok_or(argv)
    }

    /// Time passes on the server, and commands that waited may run; returns the outputs. `None`: paused, the server is unchanged.
    pub(super) fn advance(&mut self, server: &mut Server, now_ms: u64) -> Option<Vec<Output>> {
        if matches!(self, Scripts::Whole) || !server.may_run_script(&[]) {
            return Some(server.advance(now_ms));
        }
        self.attempt(server, |server| server.advance(now_ms))
    }

    fn attempt<T>(&mut self, server: &mut Server, act: impl FnOnce(&mut Server) -> T) -> Option<T> {
        let Scripts::Attempted(ahead) = self else { return None };
        match server.attempt(ahead.take(), act) {
            Attempt::Done(done) => Some(done),
            Attempt::Paused(rehearsal) => {
                *self = Scripts::Paused(rehearsal);
                None
            }
        }
    }
}

/// Words without which a handler calls no script, in lower case.
const SCRIPT_WORDS: [&[u8]; 2] = [b"eval", b"fcall"];

impl Handler {
    /// Does its text name a command that runs a script?
    pub(crate) fn mentions_scripts(&self) -> bool {
        let Handler::Lua(text) = self else { return false };
        let text = text.to_ascii_lowercase();
        SCRIPT_WORDS.iter().any(|word| text.windows(word.len()).any(|part| part == *word))
    }
}

/// The rest of an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Piece {
    /// A worker goes on, with this answer if it has asked for one.
    Serve { worker: u32, answer: Option<(Thread, Reply)> },
    /// A thread gets the Redis server's answer to its question.
    Hear { place: WorkerThread, ask: u64, said: Value },
    /// The workers of a machine that has started take waiting requests.
    TakeWaiting { machine: u32 },
    /// A subscriber has handled the confirmation of a channel.
    Confirmed { machine: u32 },
}

/// The rest of the current event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pieces {
    /// The last one comes first.
    rest: Vec<Piece>,
    /// How many times the current event or piece has run Lua; 0 between two of them.
    pub(super) runs: u64,
}

impl Hash for Pieces {
    /// Between two events, traffic has the hash that it had when each event was one piece.
    fn hash<H: Hasher>(&self, state: &mut H) {
        if !self.rest.is_empty() {
            self.rest.hash(state);
        }
    }
}

impl Pieces {
    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Adds a piece that comes before all others.
    pub(super) fn push(&mut self, piece: Piece) {
        self.rest.push(piece);
    }

    pub(super) fn pop(&mut self) -> Option<Piece> {
        self.rest.pop()
    }
}

impl Traffic {
    /// Executes a piece of the current event.
    pub(super) fn go_on_with(&mut self, piece: Piece, around: &mut Around<'_>) {
        match piece {
            Piece::Serve { worker, answer } => self.serve(worker, answer, around.programs),
            Piece::Hear { place, ask, said } => {
                self.hear(place, ask, (Some(Service::Redis), Reply::Value(said)), around.programs);
            }
            Piece::TakeWaiting { machine } => self.take_waiting(machine, around.programs),
            Piece::Confirmed { machine } => self.has_confirmed(machine, around.programs),
        }
    }
}
