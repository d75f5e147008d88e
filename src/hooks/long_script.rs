//! A session whose long scripts and long stretches of traffic run in slices: further actions are queued meanwhile, and the page stays
//! responsive. They are also queued while code is being loaded, so that the commands of all clients run in the order of typing.
//!
//! ```text
//!   action ──▶ attempt ── done ──▶ the next session
//!           │     └── a script takes long ──▶ slices between which the page renders and listens ──▶ the same attempt again
//!           ├── much traffic follows ──▶ slices of time, and slices of each long script in it ──▶ one step
//!           └── its code is not loaded yet, or a large table ──▶ the code is loaded, the table filled ──▶ the same action again
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

use super::assets::Chunk;
use super::clock::real_ms;
use super::machine;
use super::needs::Needs;
use super::next_task::next_task;
use crate::state::notices::NoticeText;
use crate::state::session::{Session, SessionAction};
use crate::state::traffic::flow::TrafficSnapshot;

/// Interval at which the progress of a script is shown, also before it is first shown, in ms of real time.
const SHOW_PROGRESS_EVERY_MS: f64 = 200.0;

/// Interval at which a waiting task checks whether the running script has ended, in ms.
const FREE_EVERY_MS: u32 = 20;

/// The number of traffic events between two checks of the clock.
#[derive(Clone, Copy)]
pub struct EventPace {
    events: u64,
    most: u64,
}

impl EventPace {
    /// Begins with a single event; at most this many.
    pub const fn up_to(most: u64) -> EventPace {
        EventPace { events: 1, most }
    }

    /// The number of the next events.
    pub const fn events(self) -> u64 {
        self.events
    }

    /// The pace after these events took so long, in ms.
    #[must_use]
    pub fn after(self, took_ms: f64) -> EventPace {
        let events = if took_ms > CHECK_EVERY_MS { (self.events / 2).max(1) } else { self.events.saturating_mul(2) };
        EventPace { events: events.min(self.most), ..self }
    }
}

/// Traffic with so many expected requests is shown as running at once, and other traffic if it takes longer than a slice.
const SHOWN_AT_ONCE_REQUESTS: u64 = 20;

/// Number of queued actions performed in one task.
const ACTIONS_AT_ONCE: usize = 50;

/// Length of a slice of traffic, in ms of real time.
const SLICE_MS: f64 = 24.0;
/// Length of the first slice, in ms; each further slice is a fifth longer. The first events take long because functions are compiled on
/// their first call and handlers are loaded.
const FIRST_SLICE_MS: f64 = 4.0;
/// Factor by which each slice is longer than the one before.
const SLICE_GROWTH: f64 = 1.2;
/// Most events of traffic between two checks of the clock.
const EVENTS_AT_ONCE: u64 = 200;
/// Fewer events run between two checks if those before took longer than this, in ms of real time: an event that runs an endless handler
/// to its limit takes several ms.
const CHECK_EVERY_MS: f64 = 2.0;
/// Shortest interval at which running traffic is shown, in ms of real time.
const SHOW_EVERY_MS: f64 = 100.0;
/// If rendering is slow, traffic is shown less often: the interval is the duration of the last render times this factor.
const SHOW_EVERY_DRAWINGS: f64 = 10.0;
/// Longest such interval, in ms.
const SHOW_AT_LEAST_EVERY_MS: f64 = 1_000.0;

/// The script or traffic that runs in slices, as shown to the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongRun {
    /// Script or traffic, with its progress.
    pub what: Long,
    /// Whether the reader has asked to stop it.
    pub is_stopping: bool,
}

/// A script or traffic that takes long.
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
        /// Share of the virtual time that has passed, in percent.
        percent: u64,
    },
}

impl Long {
    fn traffic(stretch: &Stretch) -> Long {
        let requests = stretch.world().traffic().map_or(0, Traffic::requests);
        Long::Traffic { requests, percent: stretch.percent() }
    }
}

/// An action of the reducer [`BusySession`].
pub enum BusyAction {
    /// Perform an action, or queue it while something runs in slices.
    Act(SessionAction),
    /// What the queued actions waited for has ended or was stopped: take its result, if any, and the queued actions.
    GoOn,
}

/// The reducer of the session. Yew does not hand out shared ownership of a reducer's state, so it contains an `Rc` of the session.
pub struct BusySession {
    /// The session that is shown.
    pub session: Rc<Session>,
    backlog: Rc<Backlog>,
}

/// The state of a session whose script or traffic runs in slices, and the queue behind it.
#[derive(Default)]
pub struct Backlog {
    /// Queued actions, in order.
    waiting: RefCell<VecDeque<SessionAction>>,
    /// The attempted action and its script, once the script has ended.
    ended: RefCell<Option<(SessionAction, Rehearsal)>>,
    /// The stretch of time that has passed in slices, and the action that follows it.
    passed: RefCell<Option<(SessionAction, Option<SessionAction>)>>,
    /// Called with the figures of running traffic.
    watcher: RefCell<Option<Callback<TrafficSnapshot>>>,
    /// The newest session.
    newest: RefCell<Option<Rc<Session>>>,
    is_taken: Cell<bool>,
    is_stopping: Cell<bool>,
    /// Whether traffic stops when its handler fails.
    stops_at_fault: Cell<bool>,
    /// Callbacks into the page.
    outlets: RefCell<Option<Outlets>>,
}

/// Callbacks from [`Backlog`] into the page.
#[derive(Clone)]
pub struct Outlets {
    /// Takes [`BusyAction::GoOn`].
    pub dispatcher: UseReducerDispatcher<BusySession>,
    /// Shows the script or traffic that runs in slices.
    pub show: UseStateSetter<Option<LongRun>>,
    /// Called when a script or traffic was stopped or code cannot be loaded, with the notice that says so.
    pub say: Callback<NoticeText>,
}

impl BusySession {
    /// A session and its queue.
    pub fn new(session: Rc<Session>, backlog: Rc<Backlog>) -> BusySession {
        BusySession { session, backlog }
    }
}

impl Reducible for BusySession {
    type Action = BusyAction;

    fn reduce(self: Rc<Self>, doing: BusyAction) -> Rc<Self> {
        let backlog = &self.backlog;
        let mut session = Rc::clone(&self.session);
        match doing {
            // While actions wait, the reader can still go to another terminal.
            BusyAction::Act(action) if action.only_looks() => session = session.reduce(action),
            BusyAction::Act(action) => backlog.waiting.borrow_mut().push_back(action),
            BusyAction::GoOn => {
                backlog.is_taken.set(false);
                let passed = backlog.passed.borrow_mut().take();
                if let Some((taken, rest)) = passed {
                    session = session.reduce(taken);
                    if let Some(rest) = rest {
                        session = backlog.take(session, rest, None);
                    }
                }
                let ended = backlog.ended.borrow_mut().take();
                if let Some((action, rehearsal)) = ended {
                    session = backlog.take(session, action, Some(rehearsal));
                }
            }
        }
        session = backlog.take_waiting(session);
        if Rc::ptr_eq(&self.session, &session) {
            return self;
        }
        backlog.newest.replace(Some(Rc::clone(&session)));
        Rc::new(BusySession { session, backlog: Rc::clone(&self.backlog) })
    }
}

impl Backlog {
    /// Sets the callbacks into the page.
    pub fn set_outlets(&self, outlets: Outlets) {
        self.outlets.replace(Some(outlets));
    }

    /// The newest session; `None` if no action has changed it yet.
    pub fn newest(&self) -> Option<Rc<Session>> {
        self.newest.borrow().clone()
    }

    /// Whether all actions are queued: a script or traffic runs in slices, or code is being loaded.
    pub fn is_taken(&self) -> bool {
        self.is_taken.get()
    }

    /// Sets the callback that receives the figures of running traffic.
    pub fn watch_traffic(&self, watcher: Option<Callback<TrafficSnapshot>>) {
        self.watcher.replace(watcher);
    }

    /// Sets whether traffic stops when its handler fails; otherwise it continues.
    pub fn stop_at_fault(&self, is_wanted: bool) {
        self.stops_at_fault.set(is_wanted);
    }

    /// Stops the script or traffic that runs in slices. A stopped script leaves the session unchanged; stopped traffic keeps the time that
    /// has passed.
    pub fn stop(&self) {
        self.is_stopping.set(true);
    }

    /// Performs an action. If its script or traffic takes long, the session stays unchanged until that has ended.
    fn take(self: &Rc<Self>, session: Rc<Session>, action: SessionAction, rehearsal: Option<Rehearsal>) -> Rc<Session> {
        if let Some((stretch, rest)) = session.in_slices(&action, self.stops_at_fault.get()) {
            self.is_taken.set(true);
            self.is_stopping.set(false);
            let is_story = matches!(action, SessionAction::Story(_));
            let is_much = session.world().expected_requests(stretch.ms()) >= SHOWN_AT_ONCE_REQUESTS;
            if let Some(outlets) = &*self.outlets.borrow()
                && is_much
            {
                outlets.show.set(Some(LongRun { what: Long::traffic(&stretch), is_stopping: false }));
            }
            spawn_local(Rc::clone(self).pass_time(stretch, is_story, rest));
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
                let backlog = Rc::clone(self);
                spawn_local(async move {
                    // A script of a program can get here before the code is loaded.
                    Chunk::Rest.ready().await;
                    backlog.run_ahead(action, rehearsal).await;
                });
                session
            }
        }
    }

    /// Performs queued actions until one of them has to wait or to run in slices.
    fn take_waiting(self: &Rc<Self>, mut session: Rc<Session>) -> Rc<Session> {
        let mut left = ACTIONS_AT_ONCE;
        while !self.is_taken.get() {
            let Some(needs) = self.waiting.borrow().front().map(|action| Needs::of(&session, action)) else { break };
            if !needs.are_here() {
                self.is_taken.set(true);
                spawn_local(Rc::clone(self).load(needs));
                break;
            }
            // A script may run in slices for another task: a session is being opened, or a run is being planned.
            if left == 0 || machine::is_pacing() {
                self.is_taken.set(true);
                spawn_local(Rc::clone(self).wait());
                break;
            }
            let Some(action) = self.waiting.borrow_mut().pop_front() else { break };
            session = self.take(session, action, None);
            left = left.saturating_sub(1);
        }
        session
    }

    /// Continues in a later task, once no script runs in slices.
    async fn wait(self: Rc<Self>) {
        TimeoutFuture::new(0).await;
        until_free().await;
        self.go_on(None);
    }

    /// Continues once the next action has what it needs. An action whose code cannot be loaded is dropped.
    async fn load(self: Rc<Self>, needs: Needs) {
        let failed = needs.fetch().await.err();
        if failed.is_some() {
            self.waiting.borrow_mut().pop_front();
        }
        self.go_on(failed);
    }

    fn go_on(&self, said: Option<NoticeText>) {
        let outlets = self.outlets.borrow().clone();
        if let Some(outlets) = outlets {
            outlets.dispatcher.dispatch(BusyAction::GoOn);
            if let Some(said) = said {
                outlets.say.emit(said);
            }
        }
    }

    async fn run_ahead(self: Rc<Self>, action: SessionAction, rehearsal: Rehearsal) {
        let mut shown_ms = real_ms();
        let show = |script| {
            if let Some(outlets) = self.outlets.borrow().as_ref() {
                outlets.show.set(script);
            }
        };
        let ended = machine::pace(rehearsal, |commands| {
            let (now_ms, is_stopping) = (real_ms(), self.is_stopping.get());
            if now_ms - shown_ms >= SHOW_PROGRESS_EVERY_MS {
                shown_ms = now_ms;
                show(Some(LongRun { what: Long::Script { commands }, is_stopping }));
            }
            !is_stopping
        })
        .await;
        let was_stopped = ended.is_none();
        self.ended.replace(ended.map(|rehearsal| (action, rehearsal)));
        show(None);
        self.go_on(was_stopped.then_some(NoticeText::ScriptStopped));
    }

    /// Advances time with traffic, slice by slice.
    async fn pass_time(self: Rc<Self>, mut stretch: Stretch, is_story: bool, rest: Option<SessionAction>) {
        let outlets = self.outlets.borrow().clone();
        let Some(outlets) = outlets else { return };
        let mut shown_ms = f64::NEG_INFINITY;
        let mut is_drawn = true;
        let mut next_ms = 0.0_f64;
        let (mut slice_ms, mut pace) = (FIRST_SLICE_MS, EventPace::up_to(EVENTS_AT_ONCE));
        let (mut stopped, mut ahead) = (None, None);
        let faults = |stretch: &Stretch| stretch.world().traffic().map_or(0, Traffic::fault_count);
        let faults_before = faults(&stretch);
        loop {
            if is_drawn {
                next_task().await;
            } else {
                is_drawn = true;
                // A timer is slower than the browser, which draws meanwhile.
                TimeoutFuture::new(0).await;
                let took_ms = real_ms() - shown_ms;
                next_ms = shown_ms + (took_ms * SHOW_EVERY_DRAWINGS).clamp(SHOW_EVERY_MS, SHOW_AT_LEAST_EVERY_MS);
            }
            if self.is_stopping.get() && stopped.is_none() {
                stopped = Some(NoticeText::TrafficStopped);
                stretch.stop();
            }
            let mut now_ms = real_ms();
            let until_ms = now_ms + slice_ms;
            let (mut is_over, mut took_ms) = (false, 0.0);
            stretch.set_checkpoint();
            // If the last events took long, the next ones probably do too.
            while !is_over && now_ms + took_ms < until_ms {
                match stretch.attempt(pace.events(), ahead.take()) {
                    Attempt::Done(done) => is_over = done,
                    Attempt::Paused(script) => {
                        ahead = machine::pace(script, |_| !self.is_stopping.get()).await;
                        if ahead.is_none() {
                            stopped = Some(NoticeText::TrafficStopped);
                            stretch.stop_before_script();
                            is_over = true;
                        }
                        stretch.set_checkpoint();
                        now_ms = real_ms();
                        continue;
                    }
                }
                took_ms = real_ms() - now_ms;
                now_ms += took_ms;
                pace = pace.after(took_ms);
                let stops_at_fault = self.stops_at_fault.get() && !stretch.is_event();
                if stops_at_fault && stopped.is_none() && faults(&stretch) > faults_before {
                    stopped = Some(NoticeText::TrafficStoppedAtFault);
                    stretch.stop();
                }
            }
            if is_over {
                break;
            }
            slice_ms = (slice_ms * SLICE_GROWTH).min(SLICE_MS);
            if real_ms() >= next_ms {
                // A slice and a render in one task would delay a key press for too long.
                TimeoutFuture::new(0).await;
                shown_ms = real_ms();
                is_drawn = false;
                outlets.show.set(Some(LongRun { what: Long::traffic(&stretch), is_stopping: stopped.is_some() }));
                if let Some(traffic) = stretch.world().traffic()
                    && let Some(watcher) = self.watcher.borrow().as_ref()
                {
                    watcher.emit(TrafficSnapshot::of(traffic));
                }
            }
        }
        TimeoutFuture::new(0).await;
        let taken = SessionAction::Stretch(Box::new(stretch), is_story);
        self.passed.replace(Some((taken, rest)));
        outlets.show.set(None);
        self.go_on(stopped);
    }
}

/// Waits until no script runs in slices: only one can at a time.
async fn until_free() {
    while machine::is_pacing() {
        TimeoutFuture::new(FREE_EVERY_MS).await;
    }
}

/// Runs `act`, in which scripts may run in slices, and returns its result. The page stays responsive meanwhile. `act` may be called again.
pub async fn run_in_slices<T>(act: impl Fn() -> T) -> T {
    until_free().await;
    let engine = machine::engines().scripts;
    let mut attempt = engine.attempt(&act);
    loop {
        match attempt {
            Attempt::Done(done) => return done,
            Attempt::Paused(rehearsal) => {
                attempt = match machine::pace(rehearsal, |_| true).await {
                    Some(rehearsal) => rehearsal.attempt_again(&act),
                    // Does not happen: the closure above never asks to stop.
                    None => engine.attempt(&act),
                };
            }
        }
    }
}
