//! A session whose long scripts and long stretches of traffic run ahead: whatever is done to it waits meanwhile, and the page goes on.
//!
//! ```text
//!   act ──▶ attempt ── done ──▶ the next session
//!        │     └── a script takes long ──▶ slices between which the page draws and listens ──▶ the same attempt again
//!        └── much traffic comes ──▶ slices of time ──▶ one step
//! ```
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use gloo_timers::future::TimeoutFuture;
use redis_model::rehearsal::{Attempt, Rehearsal};
use wasm_bindgen_futures::spawn_local;
use world::timeline::Stretch;
use world::traffic::Traffic;
use yew::prelude::*;

use super::clock::real_ms;
use super::machine;
use crate::state::session::{Session, SessionAction};
use crate::state::traffic::flow::Moment;

/// How long a script runs before anybody is told, and how often then, in ms of the reader's time.
const TELL_EVERY_MS: f64 = 200.0;

/// How often somebody who waits looks whether it is over, in ms.
const FREE_EVERY_MS: u32 = 20;

/// Length of a slice of traffic, in ms of the reader's time.
const SLICE_MS: f64 = 24.0;
/// Length of the first slice, which looks at the clock after each event; each further one is a fifth longer. Functions that run for the first
/// time are compiled first, and the first handlers are loaded: the first events take long.
const FIRST_SLICE_MS: f64 = 4.0;
/// How much longer each slice is than the one before.
const SLICE_GROWTH: f64 = 1.2;
/// Events of traffic between two looks at the clock.
const EVENTS_AT_ONCE: u64 = 50;
/// How often traffic is shown while it runs, in ms of the reader's time.
const SHOW_EVERY_MS: f64 = 100.0;
/// Where drawing takes long, it is shown less often: so many times what the last drawing took lie between two.
const SHOW_EVERY_DRAWINGS: f64 = 10.0;
/// They are not further apart.
const SHOW_AT_LEAST_EVERY_MS: f64 = 1_000.0;

/// What runs ahead, as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunsAhead {
    /// What.
    pub what: Long,
    /// It has been told to stop.
    pub is_stopping: bool,
}

/// What takes long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Long {
    /// A script.
    Script {
        /// Commands that it has called so far.
        commands: u64,
    },
    /// Traffic.
    Traffic {
        /// Requests since traffic began.
        requests: u64,
        /// How much of the time has passed, in hundredths.
        percent: u64,
    },
}

/// What happens to a session that may have to wait.
pub enum Doing {
    /// Something is done to it.
    Act(SessionAction),
    /// A script that ran ahead has ended, or was stopped.
    GoOn,
}

/// The session as yew holds it: a reducer's state can be looked at but not shared, so it holds a shared one.
pub struct Patient {
    /// The session.
    pub session: Rc<Session>,
    desk: Rc<Desk>,
}

/// What lies about while a script runs ahead.
#[derive(Default)]
pub struct Desk {
    /// Things to do after it.
    waiting: RefCell<VecDeque<SessionAction>>,
    /// What was attempted, and its script, once that has ended.
    ended: RefCell<Option<(SessionAction, Rehearsal)>>,
    /// Time that has passed in slices, and what is to be done after it.
    passed: RefCell<Option<(SessionAction, Option<SessionAction>)>>,
    /// Who is shown traffic while it runs.
    watcher: RefCell<Option<Callback<Moment>>>,
    /// The session as it is now.
    newest: RefCell<Option<Rc<Session>>>,
    is_taken: Cell<bool>,
    is_stopping: Cell<bool>,
    /// Does traffic stop where its handler fails?
    stops_at_fault: Cell<bool>,
    /// The ways back to the page.
    outlets: RefCell<Option<Outlets>>,
}

/// How a desk reaches the page.
#[derive(Clone)]
pub struct Outlets {
    /// Lets the session go on.
    pub dispatcher: UseReducerDispatcher<Patient>,
    /// Shows what runs.
    pub show: UseStateSetter<Option<RunsAhead>>,
    /// Tells that a script was stopped, or (true) traffic.
    pub stopped: Callback<bool>,
}

impl Patient {
    /// A session, and the desk for what has to wait.
    pub fn new(session: Rc<Session>, desk: Rc<Desk>) -> Patient {
        Patient { session, desk }
    }
}

impl Reducible for Patient {
    type Action = Doing;

    fn reduce(self: Rc<Self>, doing: Doing) -> Rc<Self> {
        let desk = &self.desk;
        let mut session = Rc::clone(&self.session);
        match doing {
            Doing::Act(action) => desk.waiting.borrow_mut().push_back(action),
            Doing::GoOn => {
                desk.is_taken.set(false);
                let passed = desk.passed.borrow_mut().take();
                if let Some((taken, rest)) = passed {
                    session = session.reduce(taken);
                    if let Some(rest) = rest {
                        session = desk.take(session, rest, None);
                    }
                }
                let ended = desk.ended.borrow_mut().take();
                if let Some((action, rehearsal)) = ended {
                    session = desk.take(session, action, Some(rehearsal));
                }
            }
        }
        session = desk.take_waiting(session);
        if Rc::ptr_eq(&self.session, &session) {
            return self;
        }
        desk.newest.replace(Some(Rc::clone(&session)));
        Rc::new(Patient { session, desk: Rc::clone(&self.desk) })
    }
}

impl Desk {
    /// Where the desk reports to.
    pub fn set_outlets(&self, outlets: Outlets) {
        self.outlets.replace(Some(outlets));
    }

    /// The session as it is now, if anything was done to it.
    pub fn newest(&self) -> Option<Rc<Session>> {
        self.newest.borrow().clone()
    }

    /// Does everything wait for a script that runs ahead?
    pub fn is_taken(&self) -> bool {
        self.is_taken.get()
    }

    /// Shows traffic while it runs.
    pub fn watch_traffic(&self, watcher: Option<Callback<Moment>>) {
        self.watcher.replace(watcher);
    }

    /// Whether traffic stops where its handler fails; otherwise it goes on.
    pub fn stop_at_fault(&self, is_wanted: bool) {
        self.stops_at_fault.set(is_wanted);
    }

    /// Stops what runs ahead: after a script the session is as it was before, after traffic it goes on from where that has come to.
    pub fn stop(&self) {
        self.is_stopping.set(true);
    }

    /// Does something to a session. If a script of it takes long, the session stays as it is for now.
    fn take(self: &Rc<Self>, session: Rc<Session>, action: SessionAction, rehearsal: Option<Rehearsal>) -> Rc<Session> {
        if let Some((ms, rest)) = session.long_time(&action, self.stops_at_fault.get())
            && let Ok(stretch) = session.timeline().stretch(ms)
        {
            self.is_taken.set(true);
            self.is_stopping.set(false);
            let is_told = matches!(action, SessionAction::Tell(_));
            spawn_local(Rc::clone(self).pass_time(stretch, is_told, rest));
            return session;
        }
        let act = || Rc::clone(&session).reduce(action.clone());
        let attempt = match rehearsal {
            Some(rehearsal) => rehearsal.attempt_again(act),
            None => machine::engines().scripts.attempt(act),
        };
        match attempt {
            Attempt::Done(next) => next,
            Attempt::Paused(rehearsal) => {
                self.is_taken.set(true);
                self.is_stopping.set(false);
                spawn_local(Rc::clone(self).run_ahead(action, rehearsal));
                session
            }
        }
    }

    /// Does what waits, until something of it has to run ahead.
    fn take_waiting(self: &Rc<Self>, mut session: Rc<Session>) -> Rc<Session> {
        while !self.is_taken.get() {
            if machine::is_pacing() {
                // A script of a session that is being opened, or of a run that is being planned.
                self.is_taken.set(true);
                spawn_local(Rc::clone(self).wait());
                break;
            }
            let Some(action) = self.waiting.borrow_mut().pop_front() else { break };
            session = self.take(session, action, None);
        }
        session
    }

    /// Goes on once no script runs in slices any longer.
    async fn wait(self: Rc<Self>) {
        until_free().await;
        let outlets = self.outlets.borrow().clone();
        if let Some(outlets) = outlets {
            outlets.dispatcher.dispatch(Doing::GoOn);
        }
    }

    async fn run_ahead(self: Rc<Self>, action: SessionAction, rehearsal: Rehearsal) {
        let mut told_ms = real_ms();
        let tell = |script| {
            if let Some(outlets) = self.outlets.borrow().as_ref() {
                outlets.show.set(script);
            }
        };
        let ended = machine::pace(rehearsal, |commands| {
            let (now_ms, is_stopping) = (real_ms(), self.is_stopping.get());
            if now_ms - told_ms >= TELL_EVERY_MS {
                told_ms = now_ms;
                tell(Some(RunsAhead { what: Long::Script { commands }, is_stopping }));
            }
            !is_stopping
        })
        .await;
        let was_stopped = ended.is_none();
        self.ended.replace(ended.map(|rehearsal| (action, rehearsal)));
        let outlets = self.outlets.borrow().clone();
        if let Some(outlets) = outlets {
            outlets.show.set(None);
            outlets.dispatcher.dispatch(Doing::GoOn);
            if was_stopped {
                outlets.stopped.emit(false);
            }
        }
    }

    /// Lets time pass with traffic, slice by slice.
    async fn pass_time(self: Rc<Self>, mut stretch: Stretch, is_told: bool, rest: Option<SessionAction>) {
        let outlets = self.outlets.borrow().clone();
        let Some(outlets) = outlets else { return };
        let mut shown_ms = f64::NEG_INFINITY;
        let mut is_drawn = true;
        let mut next_ms = 0.0_f64;
        let (mut slice_ms, mut events) = (FIRST_SLICE_MS, 1);
        let mut was_stopped = false;
        let faults = |stretch: &Stretch| stretch.world().traffic().map_or(0, Traffic::fault_count);
        let faults_before = faults(&stretch);
        loop {
            // What was done last is drawn first.
            TimeoutFuture::new(0).await;
            if !is_drawn {
                is_drawn = true;
                let took_ms = real_ms() - shown_ms;
                next_ms = shown_ms + (took_ms * SHOW_EVERY_DRAWINGS).clamp(SHOW_EVERY_MS, SHOW_AT_LEAST_EVERY_MS);
            }
            if self.is_stopping.get() && !was_stopped {
                was_stopped = true;
                stretch.stop();
            }
            let until_ms = real_ms() + slice_ms;
            let mut is_over = false;
            while !is_over && real_ms() < until_ms {
                is_over = stretch.run(events);
                if self.stops_at_fault.get() && !was_stopped && faults(&stretch) > faults_before {
                    was_stopped = true;
                    stretch.stop();
                }
            }
            if is_over {
                break;
            }
            (slice_ms, events) =
                ((slice_ms * SLICE_GROWTH).min(SLICE_MS), EVENTS_AT_ONCE.min(events.saturating_mul(2)));
            if real_ms() >= next_ms {
                // A slice and a drawing in one task would hold up a key press for too long.
                TimeoutFuture::new(0).await;
                shown_ms = real_ms();
                is_drawn = false;
                if let Some(traffic) = stretch.world().traffic() {
                    let what = Long::Traffic { requests: traffic.requests(), percent: stretch.percent() };
                    outlets.show.set(Some(RunsAhead { what, is_stopping: was_stopped }));
                    if let Some(watcher) = self.watcher.borrow().as_ref() {
                        watcher.emit(Moment::of(traffic));
                    }
                }
            }
        }
        TimeoutFuture::new(0).await;
        let taken = SessionAction::Stretch(Box::new(stretch), is_told);
        self.passed.replace(Some((taken, rest)));
        outlets.show.set(None);
        outlets.dispatcher.dispatch(Doing::GoOn);
        if was_stopped {
            outlets.stopped.emit(true);
        }
    }
}

/// One script runs in slices at a time.
async fn until_free() {
    while machine::is_pacing() {
        TimeoutFuture::new(FREE_EVERY_MS).await;
    }
}

/// Does something in which scripts may run, and returns when it is done; the page goes on meanwhile.
pub async fn patiently<T>(act: impl Fn() -> T) -> T {
    until_free().await;
    let engine = machine::engines().scripts;
    let mut attempt = engine.attempt(&act);
    loop {
        match attempt {
            Attempt::Done(done) => return done,
            Attempt::Paused(rehearsal) => {
                attempt = match machine::pace(rehearsal, |_| true).await {
                    Some(rehearsal) => rehearsal.attempt_again(&act),
                    // No one stops it.
                    None => engine.attempt(&act),
                };
            }
        }
    }
}
