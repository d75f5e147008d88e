//! Runs long scripts ahead, slice by slice, on a copy of the server, so that a page stays responsive meanwhile.
//!
//! ```text
//!   engine.attempt(act) ── act comes to a script that the machine pauses ──▶ Attempt::Paused: what act has made is thrown away
//!                                                                          │
//!                        Rehearsal::go_on, go_on, go_on … until it has ended
//!                                                                          ▼
//!   attempt_again(act) ── act comes to the same script: its end is known ──▶ Attempt::Done
//! ```
//!
//! `act` has to be a function of what it begins with, as everything about a [`Server`] and a world is: then the second attempt is the
//! first one, and nothing tells a script that was rehearsed from one that ran through.
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use bytes::Bytes;
use resp::Protocol;

use ::script::{Progress, Ran};

use super::{
    engine::ScriptEngine,
    host::State,
    outcome::{After, Before},
};
use crate::{Server, client::ClientId};

/// What an attempt has come to.
pub enum Attempt<T> {
    /// Its end; every script in it has ended.
    Done(T),
    /// A script that takes long. The rest of the attempt is void.
    Paused(Rehearsal),
}

/// Scripts of an attempt whose ends are known, by their number in it.
type Known = BTreeMap<usize, Rc<Rehearsed>>;

/// An attempt so far.
#[derive(Default)]
pub(super) struct Made {
    known: Known,
    /// Scripts that it has come to.
    scripts: usize,
    /// The one that was paused.
    paused: Option<Box<Running>>,
}

/// A call of a script, by which it is known again.
#[derive(Clone, PartialEq, Eq)]
struct Called {
    client: ClientId,
    now_ms: u64,
    argv: Vec<Bytes>,
}

/// How a script has ended.
pub(super) struct Rehearsed {
    called: Called,
    pub after: After,
    pub state: State,
    pub ran: Ran,
}

/// A script that has begun.
struct Running {
    nth: usize,
    called: Called,
    /// The server in the midst of the script's command.
    server: Server,
    before: Before,
    /// Outputs and changes before the script.
    marks: (usize, usize),
    state: Option<State>,
    spoken: (usize, Protocol),
}

/// What a server that comes to a script is to do.
pub(super) enum Turn {
    /// No attempt is being made: run it.
    Alone,
    /// Begin it; it may be paused.
    Begin,
    /// Its end is known.
    Known(Rc<Rehearsed>),
    /// The attempt is void: nothing of it counts.
    Void,
}

impl ScriptEngine {
    /// Does something in which scripts may run by this engine. One that the machine pauses ends the attempt.
    pub fn attempt<T>(&self, act: impl FnOnce() -> T) -> Attempt<T> {
        make(self, Known::new(), act)
    }

    /// Has the attempt that is being made come to a script that takes long? Whatever it would still do is thrown away.
    pub fn is_void(&self) -> bool {
        self.attempt_in_progress().borrow().as_ref().is_some_and(|made| made.paused.is_some())
    }
}

fn make<T>(engine: &ScriptEngine, known: Known, act: impl FnOnce() -> T) -> Attempt<T> {
    /// Puts back what was there before, however the attempt ends.
    struct Outer<'a>(&'a RefCell<Option<Made>>, Option<Made>);
    impl Drop for Outer<'_> {
        fn drop(&mut self) {
            self.0.replace(self.1.take());
        }
    }
    let place = engine.attempt_in_progress();
    let outer = Outer(place, place.replace(Some(Made { known, ..Made::default() })));
    let done = act();
    let made = place.take();
    drop(outer);
    match made {
        Some(Made { known, paused: Some(running), .. }) => {
            Attempt::Paused(Rehearsal { engine: engine.clone(), known, running: Some(running) })
        }
        _ => Attempt::Done(done),
    }
}

/// A script that runs ahead. Dropped, it is given up: the machine forgets it when it begins the next one.
pub struct Rehearsal {
    engine: ScriptEngine,
    known: Known,
    /// None once it has ended.
    running: Option<Box<Running>>,
}

impl Rehearsal {
    /// Runs the next slice; true: the script has ended.
    pub fn go_on(&mut self) -> bool {
        let Some(running) = self.running.as_mut() else { return true };
        let Some(state) = running.state.take() else { return true };
        let (client, server) = (running.called.client, &mut running.server);
        let (progress, state) =
            server.run_slice(client, state, &mut running.spoken, |machine, host| machine.go_on(host));
        match progress {
            Progress::Paused => {
                running.state = Some(state);
                false
            }
            Progress::Ended(ran) => {
                if let Some(running) = self.running.take() {
                    let Running { nth, called, mut server, before, marks, .. } = *running;
                    let (outputs, changed) = server.split_off(marks);
                    let after = server.put_back(before, outputs, changed);
                    self.known.insert(nth, Rc::new(Rehearsed { called, after, state, ran }));
                }
                true
            }
        }
    }

    /// How many commands the script has called so far.
    pub fn commands(&self) -> u64 {
        self.running.as_ref().and_then(|running| running.state.as_ref()).map_or(0, |state| state.commands)
    }

    /// The attempt again, with all that has been rehearsed.
    pub fn attempt_again<T>(self, act: impl FnOnce() -> T) -> Attempt<T> {
        make(&self.engine, self.known, act)
    }
}

/// A server has come to a script, whose time is counted.
pub(super) fn turn(engine: &ScriptEngine, client: ClientId, now_ms: u64, argv: &[Bytes]) -> Turn {
    let mut made = engine.attempt_in_progress().borrow_mut();
    let Some(made) = made.as_mut() else { return Turn::Alone };
    if made.paused.is_some() {
        return Turn::Void;
    }
    let nth = made.scripts;
    made.scripts = made.scripts.saturating_add(1);
    let is_same = |known: &&Rc<Rehearsed>| {
        let Called { client: other, now_ms: then_ms, argv: words } = &known.called;
        *other == client && *then_ms == now_ms && words.as_slice() == argv
    };
    made.known.get(&nth).filter(is_same).map_or(Turn::Begin, |known| Turn::Known(Rc::clone(known)))
}

/// The script that it has begun was paused: what follows is void.
pub(super) fn pause(
    server: &Server,
    client: ClientId,
    argv: &[Bytes],
    before: Before,
    marks: (usize, usize),
    state: State,
    spoken: (usize, Protocol),
) {
    if let Some(made) = server.engine.attempt_in_progress().borrow_mut().as_mut() {
        let called = Called { client, now_ms: server.now_ms, argv: argv.to_vec() };
        let (nth, server, state) = (made.scripts.saturating_sub(1), server.clone(), Some(state));
        made.paused = Some(Box::new(Running { nth, called, server, before, marks, state, spoken }));
    }
}
