//! `Timeline`: a tree of steps with a cursor. The cursor can move anywhere, new inputs make branches, and no future is lost.
//!
//! ```text
//!   start ── 1 ── 2 ── 3 ── 4 ── 5          path: 1 2 3 6 7   cursor: after 6
//!                      └── 6 ── 7           branches: …5, …7
//! ```
//!
//! A step holds its input and the events it caused; the world at a step is the nearest keyframe before it plus a replay of the inputs
//! between. A new input at a cursor in the past starts a branch, unless it equals the next step. All contents are shared between clones, so
//! a clone costs a few reference counts, however many steps there are.
//!
//! ```text
//!   tree.rs        all steps, the ends of branches, fast access to ancestors
//!   path.rs        the active path as a value
//!   keyframes.rs   cached worlds
//!   chunks.rs      the vector under them, shared between clones
//!   text.rs        the text form; lines.rs: its lines; tail.rs: those since it was stored
//! ```
mod chunks;
mod keyframes;
mod lines;
mod path;
mod stretch;
mod tail;
#[cfg(test)]
mod tests;
mod text;
mod tree;

use std::rc::Rc;

use redis_model::sorting;

use crate::traffic::Ran;
use crate::{Engines, Event, EventKind, Input, ProgramEvent, Settings, StepError, World};
use chunks::Chunks;
use keyframes::Keyframes;
use stretch::Points;
use tree::Tree;

pub use lines::{inputs_from_text, inputs_to_text};
pub use path::Path;
pub use stretch::Stretch;
pub use tail::{StoredText, with_tail};
pub use text::{Reading, TEXT_BYTES_MAX, TEXT_VERSION, TextError, TextLog};

/// Number of a step, from 1 in the order of creation; 0 is the start, before any step.
pub type StepId = u32;

/// Maximum number of steps, more than a lesson of several hours makes.
pub const STEPS_MAX: usize = 100_000;

/// One step.
#[derive(Debug, PartialEq, Eq)]
pub struct Step {
    /// The step it follows; 0: the start.
    pub parent: StepId,
    /// Number of steps from the start up to and including this one.
    pub depth: u32,
    /// The input.
    pub input: Input,
    /// The events that it caused.
    pub events: Vec<Event>,
    /// The clock after it, Unix time in ms.
    pub now_ms: u64,
}

/// The steps from the start to a leaf of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Its last step.
    pub head: StepId,
    /// Number of steps.
    pub len: usize,
    /// Number of its first steps that it shares with the active path.
    pub shared: usize,
    /// Is it the active path?
    pub is_active: bool,
}

/// A tree of steps with an active path and a cursor on it.
#[derive(Clone, Debug)]
pub struct Timeline {
    settings: Settings,
    tree: Tree,
    /// Steps from the start to the end of the active path.
    path: Chunks<StepId>,
    /// Number of steps of the path before the cursor.
    position: usize,
    keyframes: Keyframes,
    /// Worlds within stretches of traffic, newest last.
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
    /// The same as [`Timeline::with_engines`] without engines: the timeline rejects scripts and programs.
    pub fn new(settings: Settings) -> Timeline {
        Timeline::with_engines(settings, &Engines::default())
    }

    /// An empty timeline. It runs and replays its steps with these engines.
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

    /// The settings of its first world.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The world at the cursor.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Number of steps of the active path before the cursor.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Number of steps of the active path.
    pub fn len(&self) -> usize {
        self.path.len()
    }

    /// Is the active path empty?
    pub fn is_empty(&self) -> bool {
        self.path.is_empty()
    }

    /// Is the cursor at the end of the active path?
    pub fn is_at_end(&self) -> bool {
        self.position == self.path.len()
    }

    /// Number of steps on all branches.
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

    /// The active path as a value. A cache of data derived from it can later check which steps are unchanged.
    pub fn path(&self) -> Path {
        Path::new(&self.tree, &self.path)
    }

    /// The steps before the cursor, oldest first.
    pub fn taken(&self) -> impl DoubleEndedIterator<Item = (StepId, &Rc<Step>)> {
        self.path.range(0, self.position).filter_map(|id| Some((*id, self.step(*id)?)))
    }

    /// The steps of the active path from the `i`th on, before and after the cursor.
    pub fn steps_from(&self, i: usize) -> impl Iterator<Item = (StepId, &Rc<Step>)> {
        self.path.range(i, self.path.len()).filter_map(|id| Some((*id, self.step(*id)?)))
    }

    /// The last step before the cursor; 0 at the start.
    pub fn cursor(&self) -> StepId {
        self.position.checked_sub(1).and_then(|i| self.path.get(i)).copied().unwrap_or(0)
    }

    /// Takes an input at the cursor. In the past this starts a branch; the old future stays reachable. An input that equals the next step
    /// on the path moves forward instead. Time without events is merged with such time just before it, so that a running clock does not
    /// fill the log.
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

    /// Takes an input with known events and world.
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

    /// Adds a step at the cursor and moves there; the old rest of the path stays as a branch.
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

    /// Offers the world at the cursor, after the newest step, to the keyframes.
    fn keep_newest(&mut self) {
        let id = self.tree.newest();
        if let Some(step) = self.tree.step(id) {
            self.keyframes.note(id, step, &self.world);
        }
    }

    /// Merges quiet time into the last step, if that is quiet time too and a leaf. A client that was held back in one of them counts as
    /// held back in both.
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

    /// Moves the cursor after the `position`th step of the active path, at most to its end.
    pub fn seek(&mut self, position: usize) {
        let position = position.min(self.path.len());
        if position == self.position {
            return;
        }
        let target = position.checked_sub(1).and_then(|i| self.path.get(i)).copied().unwrap_or(0);
        self.world = self.shared_world_at(target);
        self.position = position;
    }

    /// Moves one step back; `false` at the start.
    pub fn back(&mut self) -> bool {
        let is_possible = self.position > 0;
        self.seek(self.position.saturating_sub(1));
        is_possible
    }

    /// Moves one step forward on the active path; `false` at its end.
    pub fn forward(&mut self) -> bool {
        let is_possible = !self.is_at_end();
        self.seek(self.position.saturating_add(1));
        is_possible
    }

    /// The world after any step on any branch.
    pub fn world_at(&self, id: StepId) -> World {
        Rc::unwrap_or_clone(self.shared_world_at(id))
    }

    /// The same, replayed from the nearest known world before it: a keyframe, or the one at the cursor.
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

    /// All branches, in the order of their last steps; at least one unless the tree is empty.
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

    /// Makes the path to `head` the active path and moves the cursor to its end. `head` may also be an inner step: the path then ends
    /// there. `false` if there is no such step.
    pub fn switch_to(&mut self, head: StepId) -> bool {
        if self.step(head).is_none() {
            return false;
        }
        self.world = self.shared_world_at(head);
        self.path = self.line_to(head);
        self.position = self.path.len();
        true
    }

    /// Appends inputs after a step, reusing existing steps as long as they are equal, and makes the result the active path. The cursor is
    /// then before the input with index `ahead`.
    ///
    /// # Errors
    /// [`StepError`] of the first rejected input: the path ends before it, and the cursor is at its end.
    pub fn append_branch(&mut self, after: StepId, inputs: &[Input], ahead: usize) -> Result<(), StepError> {
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

    /// The path to a step. It shares the common prefix with the active path.
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

    /// Did nothing but time happen in this step?
    pub fn is_quiet(step: &Step) -> bool {
        matches!(step.input, Input::Advance { .. }) && step.events.is_empty()
    }

    /// The position on the active path after the last eventful step before the cursor.
    pub fn previous_event(&self) -> usize {
        let before = self.position.saturating_sub(1);
        (0..=before)
            .rev()
            .find(|p| p.checked_sub(1).and_then(|i| self.step_at(i)).is_none_or(|s| !Self::is_quiet(s)))
            .unwrap_or(0)
    }

    /// The events of the steps before the cursor, oldest first.
    pub fn events(&self) -> impl DoubleEndedIterator<Item = (StepId, &Event)> {
        self.taken().flat_map(|(id, step)| step.events.iter().map(move |event| (id, event)))
    }

    /// The events about one client, oldest first.
    pub fn events_of(&self, client: crate::ClientIndex) -> impl DoubleEndedIterator<Item = (StepId, &EventKind)> {
        self.events().map(|(id, event)| (id, &event.kind)).filter(move |(_, kind)| kind.client() == Some(client))
    }
}

/// Do the events only report clients that were held back, and traffic?
fn is_uneventful(events: &[Event]) -> bool {
    let is_quiet = |kind: &EventKind| {
        matches!(kind, EventKind::Program { what: ProgramEvent::StoodStill, .. } | EventKind::TrafficRan { .. })
    };
    events.iter().all(|event| is_quiet(&event.kind))
}

/// The merged events of two such times: clients that were held back in either, and the sum of all traffic.
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
    sorting::sort_by(&mut late, |a, b| a.kind.client().cmp(&b.kind.client()));
    let ran =
        ran.map(|ran| Event { at_ms: now_ms, clock_ahead_ms: 0, node: None, kind: EventKind::TrafficRan { ran } });
    ran.into_iter().chain(late).collect()
}

/// Replays inputs. They cannot fail, because they were accepted before.
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
