//! The session: a timeline, the client that the reader types for, and the key shown inside. A pure reducer over `world::Timeline`.
//!
//! Time that has passed on the screen but not yet in the world (the clock runs between two inputs) comes with every action as `ahead_ms`:
//! it goes into the log just before the input that follows it. So the log holds no ticks.
mod by_hand;
mod clients;
mod dead_lock;
mod decisive;
pub mod departed;
mod opening;
mod stops;
mod stretch;

use std::collections::VecDeque;
use std::rc::Rc;

use bytes::Bytes;
use redis_model::sorted_map::SortedMap;
use world::timeline::Stretch;
use world::{ClientIndex, Engines, EventKind, Input, Settings, Step, StepError, StepId, Timeline, World};
use yew::Reducible;

use super::followed::Followed;
use super::inside::view::asked;
use super::key::KeyName;
use super::terminal::notes::{Note, Notes};
use by_hand::ByHand;
pub use clients::default_name;
pub use decisive::{Decisive, DecisivePairs};
pub use opening::is_alike;
use stops::{StopRule, Stops};

/// The most virtual clients: there are this many shapes and colours.
pub const CLIENTS_MAX: usize = 8;
/// Number of clients of a new session.
pub const FRESH_CLIENTS: ClientIndex = 2;
/// The most commands that may wait for a blocked client.
const TYPED_AHEAD_MAX: usize = 1_000;

/// All session state that panels show.
#[derive(Clone, Debug)]
pub struct Session {
    timeline: Timeline,
    /// Grows whenever the timeline changes, in content or position.
    revision: u64,
    /// Positions on the active path after each step that is a stop of the track.
    stops: Followed<Stops>,
    /// The inputs that set up the lesson; `None` in the sandbox.
    stage: Option<Rc<[Input]>>,
    /// Whether this timeline starts with them.
    is_staged: bool,
    /// The client that the reader types for.
    active: ClientIndex,
    /// The key that the inside panel shows.
    selected: Option<KeyName>,
    /// Whether the inside panel keeps its key when another one changes.
    is_pinned: bool,
    /// How often the reader has chosen a key: choosing the same key again counts too.
    choices: u32,
    /// Commands typed while their client was blocked; they run when it is unblocked, as in redis-cli.
    typed_ahead: SortedMap<ClientIndex, VecDeque<Vec<Bytes>>>,
    /// The notes of each client's terminal.
    notes: SortedMap<ClientIndex, Notes>,
    /// Why the last action was refused, if it was; the number distinguishes two equal refusals.
    refusal: Option<(u64, StepError)>,
    /// The steps that the reader took, as opposed to a story, a search or a link.
    by_hand: Rc<ByHand>,
    /// The revision for which a search found a dead lock at the cursor.
    dead_lock: Option<u64>,
    /// Which order of steps is decisive in the counterexample that was inserted last.
    decisive: Option<Rc<Decisive>>,
}

/// A change of a session.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionAction {
    /// Apply an input at the cursor, after `ahead_ms` have passed. A command of a blocked client waits until that client is unblocked.
    Push {
        /// The input.
        input: Input,
        /// Time that passed on the screen before it, in ms.
        ahead_ms: u64,
    },
    /// Apply an input as part of a story, not by the reader.
    Story(Input),
    /// Add a client with the lowest free number and a matching name.
    AddClient {
        /// Time that passed on the screen before it, in ms.
        ahead_ms: u64,
    },
    /// Put the passed time into the log and do nothing else: the clock was stopped.
    Settle {
        /// Time that passed on the screen, in ms.
        ahead_ms: u64,
    },
    /// Put the cursor after this many steps of the active path.
    Seek(usize),
    /// Back to the previous stop.
    Back,
    /// Forward to the next stop.
    Forward,
    /// Exactly one step forward, for replay.
    PlayOn,
    /// To the start.
    First,
    /// To the end of the active path.
    Last,
    /// Make the branch that ends in this step the active path; the cursor moves to where the branches part.
    Switch(StepId),
    /// Append inputs after a step, as a branch of their own, and put the cursor after the first `ahead` of them.
    AppendBranch {
        /// The step to insert after.
        after: StepId,
        /// The inputs.
        inputs: Vec<Input>,
        /// How many of them are before the cursor.
        ahead: usize,
        /// Which order of steps is decisive in the rest, if known.
        order: Option<DecisivePairs>,
    },
    /// Type for this client.
    Activate(ClientIndex),
    /// Add a note after the cursor to a client's terminal.
    Note(ClientIndex, Note),
    /// Show this key inside, and stay with it.
    Select(KeyName),
    /// Show the key that changed last again.
    Follow,
    /// A search found that the world at the cursor of this revision is a dead lock.
    DeadLock(u64),
    /// Time with traffic has passed, in slices; the flag says whether a story caused it.
    Stretch(Box<Stretch>, bool),
    /// Replace the timeline; with the decisive order of the counterexample after its cursor, if it has one.
    Replace(Box<Timeline>, Option<DecisivePairs>),
}

impl SessionAction {
    /// Whether it changes only what the reader looks at, and therefore need not wait for the actions before it.
    pub fn only_looks(&self) -> bool {
        matches!(self, SessionAction::Activate(_) | SessionAction::Select(_) | SessionAction::Follow)
    }
}

impl Session {
    /// A fresh session: an empty Redis and two clients.
    pub fn fresh(settings: Settings, engines: &Engines) -> Session {
        let mut session = Session::of(Timeline::with_engines(settings, engines));
        for client in 0..FRESH_CLIENTS {
            // The world is empty, so these clients always fit.
            let _ = session.timeline.push(Input::Connect { client, name: default_name(client) });
        }
        session
    }

    /// A session on a timeline from a link, a file or storage.
    pub fn of(timeline: Timeline) -> Session {
        let mut session = Session {
            timeline,
            revision: 0,
            stops: Followed::default(),
            stage: None,
            is_staged: false,
            active: 0,
            selected: None,
            is_pinned: false,
            choices: 0,
            typed_ahead: SortedMap::new(),
            notes: SortedMap::new(),
            refusal: None,
            by_hand: Rc::default(),
            dead_lock: None,
            decisive: None,
        };
        session.find_stops();
        session.look_around();
        session.selected = session.selected.take().or_else(|| session.last_change());
        session
    }

    /// A lesson: all steps of this timeline are its stage, done before the learner does anything.
    pub fn staged(timeline: Timeline) -> Session {
        let stage = timeline.steps_from(0).map(|(_, step)| step.input.clone()).collect();
        Session::of(timeline).with_stage(Some(stage))
    }

    /// The same session as part of the lesson that has this stage. A session that starts differently (a variation of a repair, a lesson
    /// that has changed since, an imported session) starts after its own programs were loaded, if it has any.
    pub fn on_stage_of(self, stage: &Session) -> Session {
        self.with_stage(stage.stage.clone())
    }

    fn with_stage(mut self, stage: Option<Rc<[Input]>>) -> Session {
        let is_staged = {
            let mut steps = self.timeline.steps_from(0);
            let mut begin = stage.iter().flat_map(|stage| stage.iter());
            begin.all(|input| steps.next().is_some_and(|(_, step)| is_alike(&step.input, input)))
        };
        self.is_staged = is_staged;
        self.stage = stage;
        self.find_stops();
        self
    }

    /// The last changed key that still exists, in any step: an opened session shows it inside.
    fn last_change(&self) -> Option<KeyName> {
        self.timeline.events().rev().find_map(|(_, event)| match &event.kind {
            EventKind::KeyChanged { after: Some(_), .. } => KeyName::of_event(event).filter(|key| self.holds(key)),
            _ => None,
        })
    }

    /// Whether this key exists at the cursor.
    fn holds(&self, key: &KeyName) -> bool {
        key.entry(self.world()).is_some()
    }

    /// The timeline.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// The world at the cursor.
    pub fn world(&self) -> &World {
        self.timeline.world()
    }

    /// Grows whenever the timeline changes, in content or position.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The client that the reader types for.
    pub fn active(&self) -> ClientIndex {
        self.active
    }

    /// The key that the inside panel shows.
    pub fn selected(&self) -> Option<&KeyName> {
        self.selected.as_ref()
    }

    /// Whether the inside panel keeps its key when another one changes.
    pub fn is_pinned(&self) -> bool {
        self.is_pinned
    }

    /// How often the reader has chosen a key to look into.
    pub fn choices(&self) -> u32 {
        self.choices
    }

    /// How many commands wait for a blocked client.
    pub fn typed_ahead(&self, client: ClientIndex) -> usize {
        self.typed_ahead.get(&client).map_or(0, VecDeque::len)
    }

    /// Whether both sessions have the same commands waiting for blocked clients.
    pub fn has_same_typed_ahead(&self, other: &Session) -> bool {
        self.typed_ahead == other.typed_ahead
    }

    /// The notes of a client's terminal.
    pub fn notes(&self, client: ClientIndex) -> Notes {
        self.notes.get(&client).cloned().unwrap_or_default()
    }

    /// Whether both sessions have the same notes in all terminals.
    pub fn has_same_notes(&self, other: &Session) -> bool {
        self.notes == other.notes
    }

    /// Why the last action was refused, with a number that distinguishes two equal refusals.
    pub fn refusal(&self) -> Option<&(u64, StepError)> {
        self.refusal.as_ref()
    }

    /// The last step before the cursor in which something happened: panels highlight it and the footer describes it. `None` at the start.
    pub fn current(&self) -> Option<(StepId, &Rc<Step>)> {
        let position = if self.last_taken().is_some_and(|step| !self.is_stop(step)) {
            self.timeline.previous_event()
        } else {
            self.timeline.position()
        };
        let index = position.checked_sub(1).filter(|index| *index >= self.floor())?;
        Some((self.timeline.id_at(index)?, self.timeline.step_at(index)?))
    }

    /// Whether this is a lesson on its own stage.
    pub fn is_staged(&self) -> bool {
        self.is_staged && self.stage.is_some()
    }

    /// The first position that the reader can go back to: the clients of a fresh session, and the whole stage of a lesson, come before it.
    pub fn floor(&self) -> usize {
        if let Some(stage) = self.stage.as_ref().filter(|_| self.is_staged()) {
            return stage.len();
        }
        if self.stage.is_some()
            && let Some(floor) = opening::loaded(&self.timeline)
        {
            return floor;
        }
        let is_arrival = |input: &Input| matches!(input, Input::Connect { client: 0 | 1, .. });
        self.timeline.steps_from(0).take(2).take_while(|(_, step)| is_arrival(&step.input)).count()
    }

    /// Whether the reader took every step from the floor to the cursor one by one in this session; unknown for an opened session.
    pub fn is_by_hand(&self) -> bool {
        self.timeline.taken().skip(self.floor()).all(|(step, _)| self.by_hand.contains(step))
    }

    /// The inputs from the floor to the cursor.
    pub fn inputs(&self) -> Vec<Input> {
        self.timeline.taken().skip(self.floor()).map(|(_, step)| step.input.clone()).collect()
    }

    /// Whether no one has done anything yet: there is nothing to save.
    pub fn is_untouched(&self) -> bool {
        self.timeline.step_count() <= self.floor()
    }

    /// The end of the next branch, cyclically; `None` if there is only one.
    pub fn next_branch(&self) -> Option<StepId> {
        let branches = self.timeline.branches();
        let active = branches.iter().position(|branch| branch.is_active)?;
        let next = branches.iter().cycle().skip(active).nth(1)?;
        (!next.is_active).then_some(next.head)
    }

    /// Whether the cursor cannot go back further.
    pub fn is_at_floor(&self) -> bool {
        self.timeline.position() <= self.floor()
    }

    /// Positions on the active path after each step in which something happened, beyond the floor: the stops of the track.
    pub fn stops(&self) -> &Rc<Vec<usize>> {
        self.stops.positions()
    }

    /// How many of the stops are at or before a position.
    pub fn stops_until(&self, position: usize) -> usize {
        self.stops().partition_point(|stop| *stop <= position)
    }

    /// How many of the stops the cursor has reached.
    pub fn stop(&self) -> usize {
        self.stops_until(self.timeline.position())
    }

    /// The position of a stop; 0 is the floor, and the last one is the end, including the quiet time after it.
    pub fn position_of(&self, stop: usize) -> usize {
        if stop >= self.stops().len() {
            return self.timeline.len();
        }
        let index = stop.checked_sub(1);
        index.and_then(|index| self.stops().get(index)).copied().unwrap_or_else(|| self.floor())
    }

    /// Whether this step is a stop of the track.
    fn is_stop(&self, step: &Step) -> bool {
        self.stop_rule().contain(step)
    }

    fn stop_rule(&self) -> StopRule {
        StopRule { floor: self.floor(), is_lesson: self.stage.is_some() }
    }

    /// Brings the stops up to date.
    fn find_stops(&mut self) {
        let rule = self.stop_rule();
        self.stops.follow(&self.timeline, rule);
    }

    fn last_taken(&self) -> Option<&Step> {
        self.timeline.step_at(self.timeline.position().checked_sub(1)?).map(AsRef::as_ref)
    }
}

impl Session {
    /// The session after `action`; `None` if the action changes nothing.
    fn after(&self, action: SessionAction) -> Option<Session> {
        let mut next = self.clone();
        match action {
            SessionAction::Push { input, ahead_ms } => next.push(input, ahead_ms),
            SessionAction::Story(input) => {
                next.push(input, 0);
                next.by_hand = Rc::clone(&self.by_hand);
            }
            SessionAction::AddClient { ahead_ms } => {
                let client = self.free_client()?;
                next.push(Input::Connect { client, name: self.free_name(client) }, ahead_ms);
                next.active = client;
            }
            SessionAction::Settle { ahead_ms } => next.settle(ahead_ms),
            SessionAction::Seek(position) => next.timeline.seek(position.max(self.floor())),
            SessionAction::Back => next.timeline.seek(self.position_of(self.stop().saturating_sub(1))),
            SessionAction::Forward => next.timeline.seek(self.position_of(self.stop().saturating_add(1))),
            SessionAction::PlayOn => {
                next.timeline.forward();
            }
            SessionAction::First => next.timeline.seek(self.floor()),
            SessionAction::Last => next.timeline.seek(self.timeline.len()),
            SessionAction::Switch(head) => next.switch(head),
            SessionAction::AppendBranch { after, inputs, ahead, order } => {
                next.append_branch(after, &inputs, ahead, order)
            }
            SessionAction::Activate(client) => next.active = client,
            SessionAction::Note(client, note) => {
                next.notes.entry(client, Notes::default).add(self.timeline.cursor(), note);
            }
            SessionAction::Select(key) => {
                (next.selected, next.is_pinned) = (Some(key), true);
                next.choices = self.choices.wrapping_add(1);
            }
            SessionAction::Follow => {
                next.is_pinned = false;
                next.follow();
            }
            SessionAction::DeadLock(revision) => next.dead_lock = Some(revision).filter(|of| *of == self.revision),
            SessionAction::Stretch(stretch, is_story) => {
                next.take_stretch(*stretch);
                if is_story {
                    next.by_hand = Rc::clone(&self.by_hand);
                }
            }
            // Steps of another timeline have the same numbers: nothing of the old one may be carried over.
            SessionAction::Replace(timeline, order) => {
                let decisive = order.and_then(|order| Decisive::behind(&timeline, order)).map(Rc::new);
                let next = Session { revision: self.revision.wrapping_add(1), decisive, ..Session::of(*timeline) };
                return Some(next.on_stage_of(self));
            }
        }
        next.after_move(self);
        next.differs_from(self).then_some(next)
    }

    /// Puts passed time into the log. If the world refuses it (the end of time), only the time is lost.
    fn settle(&mut self, ahead_ms: u64) {
        if ahead_ms > 0 && self.timeline.is_at_end() {
            self.try_push(Input::Advance { ms: ahead_ms });
        }
    }

    fn push(&mut self, input: Input, ahead_ms: u64) {
        // In the past, the passed time is part of the replay and not new.
        self.settle(ahead_ms);
        if let Input::Command { client, argv } = &input
            && self.world().is_waiting(*client)
        {
            let waiting = self.typed_ahead.entry(*client, VecDeque::new);
            if waiting.len() < TYPED_AHEAD_MAX {
                waiting.push_back(argv.clone());
            }
            return;
        }
        if let Input::Interrupt { client } | Input::Disconnect { client } = &input {
            self.typed_ahead.remove(client);
        }
        self.try_push(input);
        self.run_typed_ahead();
    }

    fn try_push(&mut self, input: Input) {
        let before = self.timeline.cursor();
        match self.timeline.push(input) {
            // Time that extends an existing time step belongs to the author of that step.
            Ok(step) if step != before => Rc::make_mut(&mut self.by_hand).add(step),
            Ok(_) => {}
            Err(why) => self.refuse(why),
        }
    }

    fn refuse(&mut self, why: StepError) {
        let number = self.refusal.as_ref().map_or(0, |(number, _)| number.wrapping_add(1));
        self.refusal = Some((number, why));
    }

    /// Runs commands that waited for clients that are now unblocked; each may unblock or block others.
    fn run_typed_ahead(&mut self) {
        let mut runs = 0;
        while let Some((client, argv)) = self.next_typed_ahead() {
            self.try_push(Input::Command { client, argv });
            runs += 1;
            if runs >= TYPED_AHEAD_MAX.saturating_mul(CLIENTS_MAX) {
                return;
            }
        }
    }

    fn next_typed_ahead(&mut self) -> Option<(ClientIndex, Vec<Bytes>)> {
        let world = self.timeline.world();
        let is_free = |client: ClientIndex| !world.is_waiting(client);
        let client = self.typed_ahead.keys().copied().find(|client| is_free(*client))?;
        let waiting = self.typed_ahead.get_mut(&client)?;
        let argv = waiting.pop_front();
        if waiting.is_empty() {
            self.typed_ahead.remove(&client);
        }
        Some((client, argv?))
    }

    fn switch(&mut self, head: StepId) {
        let shared = self.timeline.branches().iter().find(|branch| branch.head == head).map(|branch| branch.shared);
        if self.timeline.switch_to(head)
            && let Some(shared) = shared
        {
            // Go to the first stop of this branch alone: there the difference shows.
            self.find_stops();
            let stop = self.stops_until(shared).saturating_add(1);
            self.timeline.seek(self.position_of(stop));
        }
    }

    /// Updates all that depends on the cursor: the revision, the selected key, the active client, waiting commands.
    fn after_move(&mut self, before: &Session) {
        let has_moved = self.timeline.cursor() != before.timeline.cursor()
            || self.timeline.position() != before.timeline.position()
            || self.timeline.len() != before.timeline.len()
            || self.timeline.step_count() != before.timeline.step_count()
            || self.world().now_ms() != before.world().now_ms();
        if !has_moved {
            return;
        }
        self.revision = before.revision.wrapping_add(1);
        self.find_stops();
        if !self.timeline.is_at_end() {
            // The reader went back: commands typed ahead belong to a future that will not happen.
            self.typed_ahead.clear();
        }
        self.look_around();
    }

    /// Keeps the active client and the followed key valid at the new position of the cursor.
    fn look_around(&mut self) {
        if self.world().client(self.active).is_none() {
            let first = self.world().clients().next().map(|(client, _)| client);
            self.active = first.unwrap_or(self.active);
        }
        self.follow();
    }

    /// Selects the key that changed last, or the key that was asked about if its view shows the answer, unless the reader pinned a key.
    fn follow(&mut self) {
        if self.is_pinned {
            return;
        }
        let changed = self.current().and_then(|(_, step)| step.events.iter().rev().find_map(KeyName::of_event));
        let asked = || self.current().and_then(|(_, step)| asked(&step.events)).filter(|key| self.holds(key));
        if let Some(key) = changed.or_else(asked) {
            self.selected = Some(key);
        }
    }

    fn differs_from(&self, before: &Session) -> bool {
        self.revision != before.revision
            || self.active != before.active
            || self.selected != before.selected
            || self.is_pinned != before.is_pinned
            || self.choices != before.choices
            || self.is_dead_lock() != before.is_dead_lock()
            || self.decisive != before.decisive
            || self.refusal != before.refusal
            || self.typed_ahead != before.typed_ahead
            || self.notes != before.notes
    }
}

impl Reducible for Session {
    type Action = SessionAction;

    fn reduce(self: Rc<Self>, action: SessionAction) -> Rc<Self> {
        match self.after(action) {
            Some(next) => Rc::new(next),
            None => self,
        }
    }
}

#[cfg(test)]
mod tests;
