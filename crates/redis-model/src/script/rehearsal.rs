//! Runs long scripts ahead, slice by slice, on a copy of the server, so that a page stays responsive meanwhile.
//!
//! ```text
//!   engine.attempt(act) ── act runs a script that the VM pauses ──▶ Attempt::Paused: everything act has made is discarded
//!                                                                          │
//!                        Rehearsal::go_on, go_on, go_on … until it has ended
//!                                                                          ▼
//!   attempt_again(act) ── act runs the same script: its end is known ──▶ Attempt::Done
//! ```
//!
//! Traffic attempts single commands of a server ([`Server::attempt`]), because a copy of a whole world would make all of it slower.
//!
//! `act` must be a function of its initial state, as everything about a [`Server`] and a world is. Then the second attempt repeats the
//! first one, and a rehearsed script cannot be distinguished from one that ran through.
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
use crate::{
    Server,
    client::ClientId,
    command::{self, Group},
};

/// The result of an attempt.
pub enum Attempt<T> {
    /// The attempt has ended, with every script in it.
    Done(T),
    /// A script takes long. The rest of the attempt is void.
    Paused(Rehearsal),
}

/// Finished scripts of an attempt, by their index in it.
type Known = BTreeMap<usize, Rc<Rehearsed>>;

/// The state of an attempt in progress.
#[derive(Default)]
pub(super) struct Made {
    known: Known,
    /// Number of scripts it has begun.
    scripts: usize,
    /// The script that was paused.
    paused: Option<Box<Running>>,
}

/// A call of a script, to recognise it in the next attempt.
#[derive(Clone, PartialEq, Eq)]
struct Called {
    client: ClientId,
    now_ms: u64,
    argv: Vec<Bytes>,
}

/// The end of a rehearsed script.
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
    /// The server inside the script's command.
    server: Server,
    before: Before,
    /// Numbers of outputs and changes before the script.
    marks: (usize, usize),
    state: Option<State>,
    spoken: (usize, Protocol),
}

/// What a server must do with a script it is about to run.
pub(super) enum Turn {
    /// No attempt is in progress: run it.
    Alone,
    /// Begin it; it may be paused.
    Begin,
    /// Its end is known.
    Known(Rc<Rehearsed>),
    /// The attempt is void: the result is discarded.
    Void,
}

impl ScriptEngine {
    /// Runs `act`, which may run scripts with this engine. A script that the VM pauses ends the attempt.
    pub fn attempt<T>(&self, act: impl FnOnce() -> T) -> Attempt<T> {
        make(self, Known::new(), act)
    }

    /// Has the current attempt met a script that takes long? Everything it still does is discarded.
    pub fn is_void(&self) -> bool {
        self.attempt_in_progress().borrow().as_ref().is_some_and(|made| made.paused.is_some())
    }
}

impl Server {
    /// Calls `act` with this server in an attempt of its own. If it is paused, the server is unchanged: run the script ahead, and call this
    /// again with its rehearsal and the same `act`.
    pub fn attempt<T>(&mut self, ahead: Option<Rehearsal>, act: impl FnOnce(&mut Server) -> T) -> Attempt<T> {
        let (before, engine) = (self.clone(), self.engine.clone());
        let known = ahead.map_or_else(Known::new, |ahead| ahead.known);
        let attempt = make(&engine, known, || act(self));
        if matches!(attempt, Attempt::Paused(_)) {
            *self = before;
        }
        attempt
    }

    /// May this command run a script, or may others that waited run one before it? Without a command: may time bring one?
    pub fn may_run_script(&self, argv: &[Bytes]) -> bool {
        self.busy.is_some()
            || self.pause.is_some()
            || self.asleep_until_ms.is_some()
            || command::find(argv).is_ok_and(|row| row.group == Group::Scripting || row.id() == ("", "exec"))
    }
}

fn make<T>(engine: &ScriptEngine, known: Known, act: impl FnOnce() -> T) -> Attempt<T> {
    /// Restores the outer attempt, however this one ends.
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

/// A script that runs ahead. Dropping it aborts the script: the VM discards it when it begins the next one.
pub struct Rehearsal {
    engine: ScriptEngine,
    known: Known,
    /// `None` once the script has ended.
    running: Option<Box<Running>>,
}

impl Rehearsal {
    /// Runs the next slice; true if the script has ended.
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

    /// Number of commands the script has called so far.
    pub fn commands(&self) -> u64 {
        self.running.as_ref().and_then(|running| running.state.as_ref()).map_or(0, |state| state.commands)
    }

    /// Repeats the attempt with the results of all rehearsed scripts.
    pub fn attempt_again<T>(self, act: impl FnOnce() -> T) -> Attempt<T> {
        make(&self.engine, self.known, act)
    }
}

/// Decides what to do with a script whose time is counted.
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

/// Records that the script was paused: the rest of the attempt is void.
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
