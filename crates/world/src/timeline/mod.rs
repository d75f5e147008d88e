//! `Timeline`: a tree of steps with a cursor. Going back, forward, elsewhere; branching; never losing a future.
//!
//! ```text
//!   start ── 1 ── 2 ── 3 ── 4 ── 5          path: 1 2 3 6 7   cursor: after 6
//!                      └── 6 ── 7           branches: …5, …7
//! ```
//!
//! A step holds its input and the events it caused; the world at a step is the nearest keyframe before
//! it plus a replay of the inputs between. A new input while the cursor stands in the past starts a
//! branch, unless it is just what comes next anyway. Everything inside is shared between clones, so
//! that a clone costs some reference counts, however many steps there are.
//!
//! ```text
//!   tree.rs        all steps, the ends of branches, ways to ancestors
//!   path.rs        the active path as a value
//!   keyframes.rs   worlds that are kept
//!   chunks.rs      the vector under them, whose clones share
//!   text.rs        the text form; lines.rs: its lines
//! ```
mod chunks;
mod keyframes;
mod lines;
mod path;
mod stretch;
#[cfg(test)]
mod tests;
mod text;
mod tree;

use std::rc::Rc;

use crate::traffic::Ran;
use crate::{Engines, Event, EventKind, Happening, Input, Settings, StepError, World};
use chunks::Chunks;
use keyframes::Keyframes;
use stretch::Points;
use tree::Tree;

pub use lines::{inputs_from_text, inputs_to_text};
pub use path::Path;
pub use stretch::Stretch;
pub use text::{Reading, TEXT_BYTES_MAX, TEXT_VERSION, TextError, TextLog};

/// Number of a step in the order in which steps were made, from 1; 0 is the start, before any step.
pub type StepId = u32;

/// More steps than a lesson of hours makes.
pub const STEPS_MAX: usize = 100_000;

/// One step.
#[derive(Debug, PartialEq, Eq)]
pub struct Step {
    /// The step it follows; 0: the start.
    pub parent: StepId,
    /// How many steps lead to it, itself included.
    pub depth: u32,
    /// What was put in.
    pub input: Input,
    /// What it made happen.
    pub events: Vec<Event>,
    /// The clock after it, Unix time in ms.
    pub now_ms: u64,
}

/// A line of steps from the start to an end that nothing follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Its last step.
    pub head: StepId,
    /// How many steps it has.
    pub len: usize,
    /// How many of its first steps it shares with the active path.
    pub shared: usize,
    /// Is it the active path?
    pub is_active: bool,
}

/// A tree of steps, the path that is being looked at, and where on it the cursor stands.
#[derive(Clone, Debug)]
pub struct Timeline {
    settings: Settings,
    tree: Tree,
    /// Steps from the start to the end of the active path.
    path: Chunks<StepId>,
    /// How many steps of the path have been taken.
    position: usize,
    keyframes: Keyframes,
    /// Worlds inside of stretches of traffic, the newest ones last.
    points: Vec<Points>,
    /// The world at the cursor.
    world: Rc<World>,
}

impl PartialEq for Timeline {
    fn eq(&self, other: &Timeline) -> bool {
        self.settings == other.settings
            && self.tree == other.tree
            && self.path == other.path
            && self.position == other.position
    }
}

impl Timeline {
    /// The same as [`Timeline::with_engines`] without engines: scripts and programs are refused.
    pub fn new(settings: Settings) -> Timeline {
        Timeline::with_engines(settings, &Engines::default())
    }

    /// An empty timeline. It takes its steps, and takes them again, by these engines.
    pub fn with_engines(settings: Settings, engines: &Engines) -> Timeline {
        let world = Rc::new(World::with_engines(settings, engines));
        let settings = world.settings().clone();
        let keyframes = Keyframes::new(Rc::clone(&world));
        Timeline {
            settings,
            tree: Tree::default(),
            path: Chunks::default(),
            position: 0,
            keyframes,
            points: Vec::new(),
            world,
        }
    }

    /// How its world started.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The world at the cursor.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// How many steps of the active path have been taken.
    pub fn position(&self) -> usize {
        self.position
    }

    /// How many steps the active path has.
    pub fn len(&self) -> usize {
        self.path.len()
    }

    /// No step on the active path?
    pub fn is_empty(&self) -> bool {
        self.path.is_empty()
    }

    /// Stands the cursor at the end of the active path?
    pub fn is_at_end(&self) -> bool {
        self.position == self.path.len()
    }

    /// How many steps there are on all branches.
    pub fn step_count(&self) -> usize {
        self.tree.len()
    }

    /// A step by number; `None` for the start.
    pub fn step(&self, id: StepId) -> Option<&Rc<Step>> {
        self.tree.step(id)
    }

    /// The `i`th step of the active path, from 0.
    pub fn step_at(&self, i: usize) -> Option<&Rc<Step>> {
        self.step(*self.path.get(i)?)
    }

    /// The number of the `i`th step of the active path, from 0.
    pub fn id_at(&self, i: usize) -> Option<StepId> {
        self.path.get(i).copied()
    }

    /// The active path as a value: what is derived from it can tell later which steps are still the same.
    pub fn path(&self) -> Path {
        Path::new(&self.tree, &self.path)
    }

    /// The steps that have been taken, oldest first.
    pub fn taken(&self) -> impl DoubleEndedIterator<Item = (StepId, &Rc<Step>)> {
        self.path.range(0, self.position).filter_map(|id| Some((*id, self.step(*id)?)))
    }

    /// The steps of the active path from the `i`th on, taken or not.
    pub fn steps_from(&self, i: usize) -> impl Iterator<Item = (StepId, &Rc<Step>)> {
        self.path.range(i, self.path.len()).filter_map(|id| Some((*id, self.step(*id)?)))
    }

    /// The last step that has been taken; 0 at the start.
    pub fn cursor(&self) -> StepId {
        self.position.checked_sub(1).and_then(|i| self.path.get(i)).copied().unwrap_or(0)
    }

    /// Takes an input at the cursor. In the past this starts a branch; the old future stays reachable.
    /// An input that is just what comes next on the path moves forward instead. Time that passes
    /// while nothing happens is joined to such time just before it, so that a running clock does not fill the log.
    ///
    /// # Errors
    /// [`StepError`]; nothing has changed then.
    pub fn push(&mut self, input: Input) -> Result<StepId, StepError> {
        if let Some(next) = self.step_at(self.position)
            && next.input == input
        {
            self.forward();
            return Ok(self.cursor());
        }
        let mut world = World::clone(&self.world);
        let events = world.step(&input)?;
        self.push_taken(input, events, world)
    }

    /// Takes an input whose events and world are known.
    fn push_taken(&mut self, input: Input, events: Vec<Event>, world: World) -> Result<StepId, StepError> {
        if let Some(next) = self.id_at(self.position)
            && self.step(next).is_some_and(|step| step.input == input)
        {
            self.world = Rc::new(world);
            self.position = self.position.saturating_add(1);
            return Ok(next);
        }
        if let Input::Advance { ms } = &input
            && is_uneventful(&events)
            && self.extend_quiet_time(*ms, &events, &world)
        {
            return Ok(self.cursor());
        }
        self.append(input, events, world)
    }

    /// Adds a step at the cursor and moves there; what the path had beyond stays as a branch.
    fn append(&mut self, input: Input, events: Vec<Event>, world: World) -> Result<StepId, StepError> {
        if self.tree.len() >= STEPS_MAX {
            return Err(StepError::TimelineFull(STEPS_MAX));
        }
        let id = self.tree.push(self.cursor(), input, events, world.now_ms());
        self.path.truncate(self.position);
        self.path.push(id);
        self.position = self.path.len();
        self.world = Rc::new(world);
        self.keep_newest();
        Ok(id)
    }

    /// Offers the world after the newest step, at which the cursor stands, to the keyframes.
    fn keep_newest(&mut self) {
        let id = self.tree.newest();
        if let Some(step) = self.tree.step(id) {
            self.keyframes.note(id, step, &self.world);
        }
    }

    /// Joins quiet time to the last step, when that is quiet time too and nothing follows it anywhere. A client that stood still in one of
    /// them has stood still in both together.
    fn extend_quiet_time(&mut self, ms: u64, events: &[Event], world: &World) -> bool {
        let cursor = self.cursor();
        let is_newest = cursor == self.tree.newest();
        let Some(last) = self.step(cursor).filter(|_| is_newest && self.is_at_end()) else { return false };
        let Input::Advance { ms: before_ms } = last.input else { return false };
        if !is_uneventful(&last.events) {
            return false;
        }
        let late = joined(&last.events, events, world.now_ms());
        let input = Input::Advance { ms: before_ms.saturating_add(ms) };
        self.tree.replace_newest(input, late, world.now_ms());
        self.points.retain(|kept| !kept.is_after(cursor));
        self.world = Rc::new(world.clone());
        self.keep_newest();
        true
    }

    /// Puts the cursor after the `position`th step of the active path; past its end: at its end.
    pub fn seek(&mut self, position: usize) {
        let position = position.min(self.path.len());
        if position == self.position {
            return;
        }
        let target = position.checked_sub(1).and_then(|i| self.path.get(i)).copied().unwrap_or(0);
        self.world = self.shared_world_at(target);
        self.position = position;
    }

    /// One step back; false at the start.
    pub fn back(&mut self) -> bool {
        let is_possible = self.position > 0;
        self.seek(self.position.saturating_sub(1));
        is_possible
    }

    /// One step forward on the active path; false at its end.
    pub fn forward(&mut self) -> bool {
        let is_possible = !self.is_at_end();
        self.seek(self.position.saturating_add(1));
        is_possible
    }

    /// The world after any step, taken or not, on any branch.
    pub fn world_at(&self, id: StepId) -> World {
        Rc::unwrap_or_clone(self.shared_world_at(id))
    }

    /// The same, from the nearest world before it that is there: a keyframe, or the one at the cursor.
    fn shared_world_at(&self, id: StepId) -> Rc<World> {
        let cursor = self.cursor();
        let mut steps = Vec::new();
        let mut at = id;
        let before = loop {
            if at == cursor {
                break &self.world;
            }
            // Every step leads back to the start, which is a keyframe.
            match (self.keyframes.get(at), self.step(at)) {
                (Some(keyframe), _) => break keyframe,
                (None, Some(step)) => {
                    steps.push(step.as_ref());
                    at = step.parent;
                }
                (None, None) => {
                    return Rc::new(World::with_engines(self.settings.clone(), self.world.engines()));
                }
            }
        };
        if steps.is_empty() {
            return Rc::clone(before);
        }
        Rc::new(replay(World::clone(before), steps.into_iter().rev()))
    }

    /// All branches, oldest end first; one at least, unless there is no step at all.
    pub fn branches(&self) -> Vec<Branch> {
        let end = self.path.last().copied();
        let branch = |&head: &StepId| Branch {
            head,
            len: self.tree.depth(head) as usize,
            shared: self.tree.shared(&self.path, head),
            is_active: Some(head) == end,
        };
        self.tree.heads().iter().map(branch).collect()
    }

    /// Makes the line that ends in `head` the active path and puts the cursor at its end. `head` may
    /// also be a step in the middle: the path then ends there. False when there is no such step.
    pub fn switch_to(&mut self, head: StepId) -> bool {
        if self.step(head).is_none() {
            return false;
        }
        self.world = self.shared_world_at(head);
        self.path = self.line_to(head);
        self.position = self.path.len();
        true
    }

    /// Lays inputs behind a step, along steps that are there already as far as they are the same, and makes that line the active
    /// path; the cursor stands before the `ahead`th of them then.
    ///
    /// # Errors
    /// [`StepError`] of the first input that is refused: the line ends before it, and the cursor stands at its end.
    pub fn lay(&mut self, after: StepId, inputs: &[Input], ahead: usize) -> Result<(), StepError> {
        self.go_to(after);
        let before = self.position;
        for input in inputs {
            let known = self.tree.followers(self.cursor()).find(|(_, step)| step.input == *input).map(|(id, _)| id);
            match known {
                Some(id) => self.go_to(id),
                None => _ = self.push_exactly(input.clone())?,
            }
        }
        self.seek(before.saturating_add(ahead));
        Ok(())
    }

    /// The path to a step: the active one as far as that leads there, and then what is its own.
    fn line_to(&self, head: StepId) -> Chunks<StepId> {
        let shared = self.tree.shared(&self.path, head);
        let own = (self.tree.depth(head) as usize).saturating_sub(shared);
        let mut steps: Vec<StepId> =
            std::iter::successors(Some(head), |id| Some(self.tree.parent(*id))).take(own).collect();
        steps.reverse();
        let mut line = self.path.clone();
        line.truncate(shared);
        steps.into_iter().for_each(|id| line.push(id));
        line
    }

    /// Did anything but time happen in this step?
    pub fn is_quiet(step: &Step) -> bool {
        matches!(step.input, Input::Advance { .. }) && step.events.is_empty()
    }

    /// The position on the active path after the last step before the cursor in which something happened.
    pub fn previous_event(&self) -> usize {
        let before = self.position.saturating_sub(1);
        (0..=before)
            .rev()
            .find(|p| p.checked_sub(1).and_then(|i| self.step_at(i)).is_none_or(|s| !Self::is_quiet(s)))
            .unwrap_or(0)
    }

    /// Who wrote what to whom: the events of the steps that have been taken, oldest first.
    pub fn events(&self) -> impl DoubleEndedIterator<Item = (StepId, &Event)> {
        self.taken().flat_map(|(id, step)| step.events.iter().map(move |event| (id, event)))
    }

    /// The events about one client, oldest first.
    pub fn events_of(&self, client: crate::ClientIndex) -> impl DoubleEndedIterator<Item = (StepId, &EventKind)> {
        self.events().map(|(id, event)| (id, &event.kind)).filter(move |(_, kind)| kind.client() == Some(client))
    }
}

/// Did nothing happen but that somebody stood still, and that traffic went on?
fn is_uneventful(events: &[Event]) -> bool {
    let is_quiet = |kind: &EventKind| {
        matches!(kind, EventKind::Program { what: Happening::StoodStill, .. } | EventKind::TrafficRan { .. })
    };
    events.iter().all(|event| is_quiet(&event.kind))
}

/// What happened in two such times together: who stood still in one of them, and all that traffic did.
fn joined(before: &[Event], after: &[Event], now_ms: u64) -> Vec<Event> {
    let mut ran: Option<Ran> = None;
    let mut late: Vec<Event> = Vec::new();
    for event in after.iter().chain(before) {
        match &event.kind {
            EventKind::TrafficRan { ran: more } => ran = Some(ran.unwrap_or_default().and(*more)),
            kind if late.iter().all(|known| known.kind != *kind) => late.push(Event { at_ms: now_ms, ..event.clone() }),
            _ => {}
        }
    }
    late.sort_by_key(|event| event.kind.client());
    let ran =
        ran.map(|ran| Event { at_ms: now_ms, clock_ahead_ms: 0, node: None, kind: EventKind::TrafficRan { ran } });
    ran.into_iter().chain(late).collect()
}

/// Takes inputs that were taken before; they cannot fail, and one that did would change nothing.
fn replay<'a>(mut world: World, steps: impl IntoIterator<Item = &'a Step>) -> World {
    for step in steps {
        if world.engines().scripts.is_void() {
            break;
        }
        let outcome = world.step(&step.input);
        debug_assert!(
            outcome.is_ok() || world.engines().scripts.is_void(),
            "an input that was taken once is taken again"
        );
    }
    world
}
