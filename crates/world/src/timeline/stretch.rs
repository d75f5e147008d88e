//! `Stretch`: time that passes in slices, so that a page can draw in between: a day of traffic takes seconds. Or a single event of traffic,
//! whose handler may take long.
//!
//! ```text
//!   Timeline::stretch(ms) or stretch_of_event() ─▶ Stretch::run, repeatedly ─▶ Timeline::push_stretch: one step, as if it had been pushed
//! ```
//! Some worlds on the way are cached. A later stretch after the same step starts at the last one that is early enough.
//!
//! A script that takes long pauses a stretch ([`Stretch::attempt`]). While it runs ahead, the stretch can still be ended: it then ends at
//! the last millisecond that is over, which is kept as a *checkpoint* (`stop_before_script`).
use std::rc::Rc;

use redis_model::rehearsal::{Attempt, Rehearsal};

use super::{StepId, Timeline};
use crate::traffic::{Scripts, TrafficAct};
use crate::{Event, Input, StepError, World};

/// Number of worlds cached per stretch.
const POINTS: u64 = 32;
/// Number of stretches with cached worlds.
const KEPT_MAX: usize = 4;

/// An advance of time or an event of traffic after a step, in slices.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// The step before it.
    after: StepId,
    /// Whether it is an event of traffic: its length is then 0, and its end the latest possible one.
    is_event: bool,
    /// Its length in ms.
    ms: u64,
    /// Its begin and end, Unix time in ms.
    from_ms: u64,
    until_ms: u64,
    /// The world in which it began.
    start: Rc<World>,
    world: World,
    events: Vec<Event>,
    points: Vec<Point>,
    state: State,
    /// Where it can end before a script that takes long; `None`: where it began.
    checkpoint: Option<Point>,
    /// Whether the next full millisecond becomes the checkpoint.
    is_checkpoint_due: bool,
    /// Whether the handler runs scripts on the Redis server.
    has_scripts: bool,
}

/// How far a stretch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    /// At its end.
    Over,
    /// Stopped before anything happened: it becomes no step.
    Dropped,
}

/// A cached world on the way, with the events up to it.
#[derive(Clone, Debug, PartialEq)]
struct Point {
    world: World,
    events: usize,
}

/// The cached worlds of a finished stretch.
#[derive(Clone, Debug)]
pub(super) struct Points {
    after: StepId,
    events: Rc<[Event]>,
    points: Rc<[Point]>,
}

impl Points {
    /// Do they belong to a stretch after this step?
    pub(super) const fn is_after(&self, step: StepId) -> bool {
        self.after == step
    }
}

impl Stretch {
    /// Runs at most this many traffic events; returns whether the time is over. Without traffic it is over at once.
    pub fn run(&mut self, events_max: u64) -> bool {
        self.run_with(events_max, &mut Scripts::Whole);
        self.is_over()
    }

    /// Like [`Stretch::run`], but stops before an event with a script that takes long. Run the script ahead, and pass its rehearsal to the
    /// next call.
    pub fn attempt(&mut self, events_max: u64, ahead: Option<Rehearsal>) -> Attempt<bool> {
        let mut scripts = Scripts::Attempted(ahead);
        self.run_with(events_max, &mut scripts);
        match scripts {
            Scripts::Paused(rehearsal) => Attempt::Paused(rehearsal),
            Scripts::Whole | Scripts::Attempted(_) => Attempt::Done(self.is_over()),
        }
    }

    fn is_over(&self) -> bool {
        self.state != State::Running
    }

    fn run_with(&mut self, events_max: u64, scripts: &mut Scripts) {
        if self.is_over() {
            return;
        }
        if self.is_event {
            if self.world.step_some_traffic(self.until_ms, events_max, scripts, &mut self.events) {
                self.state = State::Over;
            }
            return;
        }
        let next_ms = self.world.now_ms().saturating_add(1);
        if self.is_checkpoint_due && next_ms < self.until_ms {
            if self.world.pass_some_time(next_ms, events_max, scripts, &mut self.events) {
                self.is_checkpoint_due = false;
                self.checkpoint = Some(self.point());
            }
            return;
        }
        if self.world.pass_some_time(self.until_ms, events_max, scripts, &mut self.events) {
            self.state = State::Over;
            return;
        }
        let passed_ms = self.passed_ms();
        let next = u64::try_from(self.points.len()).unwrap_or(u64::MAX).saturating_add(1);
        if passed_ms.saturating_mul(POINTS) >= self.ms.saturating_mul(next) {
            self.points.push(self.point());
        }
    }

    fn point(&self) -> Point {
        Point { world: self.world.clone(), events: self.events.len() }
    }

    /// Makes the next full millisecond a checkpoint, if the handler runs scripts. What changes next is then copied, so this is done
    /// once per slice.
    pub fn set_checkpoint(&mut self) {
        self.is_checkpoint_due = self.has_scripts;
    }

    /// The world so far.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The time that has passed, in ms.
    pub fn passed_ms(&self) -> u64 {
        self.world.now_ms().saturating_sub(self.from_ms)
    }

    /// The part that has passed, in percent; 0 for an event.
    pub fn percent(&self) -> u64 {
        self.passed_ms().saturating_mul(100).checked_div(self.ms).unwrap_or(0)
    }

    /// Its length in ms; 0 for an event.
    pub const fn ms(&self) -> u64 {
        self.ms
    }

    /// Whether it is a single event of traffic.
    pub const fn is_event(&self) -> bool {
        self.is_event
    }

    /// Ends it now: its length becomes the time that has passed. An event has no middle to end in: it is dropped.
    pub fn stop(&mut self) {
        if self.is_over() {
            return;
        }
        if self.is_event {
            return self.stop_before_script();
        }
        self.ms = self.passed_ms().saturating_add(1).min(self.ms);
        self.until_ms = self.from_ms.saturating_add(self.ms);
    }

    /// Ends it at its last checkpoint. Where there is none, it is dropped.
    pub fn stop_before_script(&mut self) {
        let begin = || Point { world: World::clone(&self.start), events: 0 };
        let Point { world, events } = self.checkpoint.take().unwrap_or_else(begin);
        self.world = world;
        self.events.truncate(events);
        self.points.retain(|point| point.events <= events && point.world.now_ms() <= self.world.now_ms());
        self.ms = self.passed_ms();
        self.until_ms = self.from_ms.saturating_add(self.ms);
        self.state = if self.ms == 0 { State::Dropped } else { State::Over };
    }
}

impl Timeline {
    /// A stretch of time after the cursor.
    ///
    /// # Errors
    /// [`StepError`]
    pub fn stretch(&self, ms: u64) -> Result<Stretch, StepError> {
        self.world.check(&Input::Advance { ms })?;
        let after = self.cursor();
        let from_ms = self.world.now_ms();
        let until_ms = from_ms.saturating_add(ms);
        let known = self.points.iter().filter(|kept| kept.after == after).flat_map(|kept| {
            let of = |point: &Point| (point.world.clone(), kept.events.iter().take(point.events).cloned().collect());
            kept.points.iter().rev().find(|point| point.world.now_ms() < until_ms).map(of)
        });
        let furthest = known.max_by_key(|(world, _): &(World, Vec<Event>)| world.now_ms());
        let (world, events) = furthest.unwrap_or_else(|| (World::clone(&self.world), Vec::new()));
        let mut stretch = self.begin_stretch(ms, until_ms);
        stretch.has_scripts = world.traffic().is_some_and(|traffic| traffic.settings().handler.mentions_scripts());
        stretch.is_checkpoint_due = stretch.has_scripts;
        Ok(Stretch { world, events, ..stretch })
    }

    /// The next event of traffic after the cursor, as [`TrafficAct::Step`] executes it.
    ///
    /// # Errors
    /// [`StepError`]
    pub fn stretch_of_event(&self) -> Result<Stretch, StepError> {
        self.world.check(&Input::Traffic { act: TrafficAct::Step })?;
        Ok(Stretch { is_event: true, ..self.begin_stretch(0, self.world.step_until_ms()) })
    }

    fn begin_stretch(&self, ms: u64, until_ms: u64) -> Stretch {
        Stretch {
            after: self.cursor(),
            is_event: false,
            ms,
            from_ms: self.world.now_ms(),
            until_ms,
            start: Rc::clone(&self.world),
            world: World::clone(&self.world),
            events: Vec::new(),
            points: Vec::new(),
            state: State::Running,
            checkpoint: None,
            is_checkpoint_due: false,
            has_scripts: false,
        }
    }

    /// Adds a finished stretch as a step, as [`Timeline::push`] would have done. `None` if it is not finished, was dropped, or starts
    /// elsewhere: nothing has changed then.
    ///
    /// # Errors
    /// [`StepError`]
    pub fn push_stretch(&mut self, stretch: Stretch) -> Option<Result<StepId, StepError>> {
        let (input, events, world) = self.end_stretch(stretch)?;
        Some(self.push_taken(input, events, world))
    }

    /// The same as a separate step, never merged with its neighbours.
    pub(super) fn append_stretch(&mut self, stretch: Stretch) -> Option<Result<StepId, StepError>> {
        let (input, events, world) = self.end_stretch(stretch)?;
        Some(self.append(input, events, world))
    }

    fn end_stretch(&mut self, stretch: Stretch) -> Option<(Input, Vec<Event>, World)> {
        let Stretch { after, is_event, ms, until_ms, start, mut world, mut events, points, state, .. } = stretch;
        if state != State::Over || after != self.cursor() {
            return None;
        }
        if is_event {
            world.end_step(&mut events);
            return Some((Input::Traffic { act: TrafficAct::Step }, events, world));
        }
        world.end_passing(start.ran(), &start.passed_over(until_ms), &mut events);
        if !points.is_empty() {
            self.points.push(Points { after, events: events.clone().into(), points: points.into() });
            let excess = self.points.len().saturating_sub(KEPT_MAX);
            self.points.drain(..excess);
        }
        Some((Input::Advance { ms }, events, world))
    }
}
