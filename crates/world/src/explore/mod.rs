//! The explorer: all schedules of a world's programs, breadth first, until one breaks what should hold.
//!
//! ```text
//!   layer d     ●──►●──►●          worlds that d steps lead to, each once (canonical.rs: what tells two worlds apart)
//!               │╲  │
//!   layer d+1   ●  ●●             every input that is enabled in each of them (programs/enabled.rs), within the bounds
//!                  ▲
//!                  └── breaks the property: the way back is a shortest schedule
//! ```
//!
//! What is found is a list of inputs: put into a timeline it leads to the breach. What is not found was not found within the
//! bounds; that there is none is said only when nothing was left out.
mod assumed;
mod blind;
mod canonical;
mod measure;
mod order;
mod sleep;
mod starved;
mod stuck;
mod symmetry;
mod way;
mod words;

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::{Breach, ClientIndex, Event, Faults, Input, Process, Property, World};
use assumed::Assumed;
use sleep::{Bits, Deeds, SleepSet, Sleepers, deeds};
use stuck::{Life, Liveness};
use symmetry::Symmetry;

pub use measure::Measure;
pub use order::{Exchanges, decisive};
pub use way::way;
pub use words::{Order, Report};

/// How far to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// What may go wrong, and how often in one schedule.
    pub faults: Faults,
    /// Inputs of the longest schedule.
    pub depth: u32,
    /// Worlds that are looked at.
    pub states: usize,
    /// Is the symmetry of clients used that run the same program and have not begun?
    pub symmetry: bool,
    /// Is one order enough for steps that touch different things?
    pub independence: bool,
    /// Has something gone wrong before the search begins? Then a dead lock is one as soon as nothing can avert it.
    pub has_failed: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        let (faults, has_failed) = (Faults::default(), false);
        Limits { faults, depth: 100, states: 200_000, symmetry: true, independence: true, has_failed }
    }
}

/// How a search came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A shortest schedule that breaks a property.
    Broken {
        /// The property's number.
        property: usize,
        /// How it is broken.
        breach: Breach,
        /// What to put into the world, in order.
        schedule: Vec<Input>,
    },
    /// None was found.
    Nothing {
        /// What the search had to leave out.
        cut: Option<Cut>,
    },
}

/// Why a search left something out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cut {
    /// Schedules would have become longer than [`Limits::depth`].
    Depth,
    /// There were more worlds than [`Limits::states`].
    States,
    /// Memory was at its end; see [`Explorer::give_up`].
    Memory,
    /// Somebody had seen enough; see [`Explorer::give_up`].
    Stopped,
}

/// How far a search has got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Different worlds that were found.
    pub states: usize,
    /// Inputs that were tried.
    pub steps: usize,
    /// Worlds that are still to be looked at.
    pub frontier: usize,
    /// Inputs that lead to those that are looked at now.
    pub depth: u32,
    /// Properties that are looked for and that no schedule has put to the test yet: bit n stands for the one of number n. Of a program
    /// that does nothing such a property is true, and says nothing.
    pub untested: u32,
    /// Worlds among [`Progress::states`] with a program that cannot be looked into: only its history of answers tells it from another, so
    /// a client that polls there never comes back to where it was.
    pub by_history: usize,
}

/// A search that can be carried on bit by bit.
pub struct Explorer {
    limits: Limits,
    /// Numbers of the properties that are looked for.
    goals: Vec<usize>,
    /// Worlds by fingerprint: their places among the origins.
    visited: FxHashMap<u128, u32>,
    /// How every world was reached: from which one, by which of the inputs that were enabled in it.
    origins: Vec<Origin>,
    /// Who sleeps in every world, and so was or is not tried there.
    asleep: Vec<Deeds>,
    /// So many of them have been gone on from: that is done in the order in which they were found.
    begun: u32,
    /// The bits of deeds.
    known: Bits,
    /// Lists of what is enabled in a world and of what happens in a step, kept for the next.
    inputs: Vec<Input>,
    events: Vec<Event>,
    start: World,
    /// This layer, the last to come first, and the next one.
    layer: Vec<Found>,
    next: Vec<Found>,
    progress: Progress,
    /// The clients whose programs only their history tells, somewhere.
    by_history: BTreeSet<ClientIndex>,
    liveness: Liveness,
    symmetry: Symmetry,
    assumed: Assumed,
    /// A step broke an assumption: everything begins again.
    is_void: bool,
    was_cut: Option<Cut>,
    outcome: Option<Outcome>,
}

/// The bit of a property in [`Progress::untested`].
fn bit_of(goal: usize) -> Option<u32> {
    u32::try_from(goal).ok().and_then(|goal| 1_u32.checked_shl(goal))
}

#[derive(Clone, Copy)]
struct Origin {
    parent: u32,
    choice: u32,
}

/// A world in a layer.
struct Found {
    /// Its place among the origins.
    number: u32,
    faults: Faults,
    world: World,
    /// Who sleeps in it, when it was found.
    sleepers: Sleepers,
    /// Those to go on with, where the world was gone on from before; otherwise everybody.
    only: Option<Deeds>,
}

/// A way into a world.
struct Arrival {
    origin: Origin,
    faults: Faults,
    sleepers: Sleepers,
}

impl Explorer {
    /// A search that begins in this world, for a breach of one of its properties (by number), or of any.
    pub fn new(start: World, goal: Option<usize>, limits: Limits) -> Explorer {
        let goals = goal.map_or_else(|| (0..start.watch().len()).collect(), |goal| vec![goal]);
        let mut explorer = Explorer {
            limits,
            goals,
            visited: FxHashMap::default(),
            origins: Vec::new(),
            asleep: Vec::new(),
            begun: 0,
            known: Bits::default(),
            inputs: Vec::new(),
            events: Vec::new(),
            layer: Vec::new(),
            next: Vec::new(),
            progress: Progress::default(),
            by_history: BTreeSet::new(),
            liveness: Liveness::default(),
            symmetry: Symmetry::of(&start),
            assumed: Assumed::of(&start),
            is_void: false,
            was_cut: None,
            outcome: None,
            start: start.clone(),
        };
        explorer.begin();
        explorer
    }

    /// Begins, or begins again with what is assumed now.
    fn begin(&mut self) {
        loop {
            self.is_void = false;
            self.visited.clear();
            (self.origins, self.asleep, self.layer, self.next) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            (self.begun, self.was_cut, self.outcome) = (0, None, None);
            self.progress = Progress::default();
            self.by_history.clear();
            self.liveness = Liveness::default();
            self.progress.untested =
                self.goals.iter().fold(0, |untested, goal| untested | bit_of(*goal).unwrap_or_default());
            let origin = Origin { parent: 0, choice: 0 };
            let arrival = Arrival { origin, faults: self.limits.faults, sleepers: Vec::new() };
            self.add(self.start.clone(), arrival);
            if !self.is_void {
                break;
            }
        }
        std::mem::swap(&mut self.layer, &mut self.next);
    }

    /// How far it has got.
    pub fn progress(&self) -> Progress {
        Progress { frontier: self.layer.len().saturating_add(self.next.len()), ..self.progress }
    }

    /// The clients whose programs only their history of answers tells, in any of the worlds that were found.
    pub fn told_by_history(&self) -> impl Iterator<Item = ClientIndex> {
        self.by_history.iter().copied()
    }

    /// The world in which it began.
    pub fn start(&self) -> &World {
        &self.start
    }

    /// How it came out, once it has.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Looks at so many more worlds; returns the outcome when there is one.
    pub fn carry_on(&mut self, worlds: usize) -> Option<&Outcome> {
        for _ in 0..worlds {
            if self.outcome.is_some() {
                break;
            }
            match self.layer.pop() {
                Some(found) => self.expand(found),
                None => self.next_layer(),
            }
            if self.is_void {
                self.begin();
            }
        }
        self.outcome.as_ref()
    }

    /// Ends the search, unless it has ended: memory is at its end, or its caller wants no more.
    pub fn give_up(&mut self, why: Cut) {
        if self.outcome.is_none() {
            self.outcome = Some(Outcome::Nothing { cut: Some(why) });
            (self.layer, self.next) = (Vec::new(), Vec::new());
        }
    }

    /// Searches to the end.
    pub fn finish(mut self) -> (Outcome, Progress) {
        while self.outcome.is_none() {
            self.carry_on(usize::MAX);
        }
        let progress = self.progress();
        (self.outcome.unwrap_or(Outcome::Nothing { cut: self.was_cut }), progress)
    }

    fn next_layer(&mut self) {
        if self.next.is_empty() {
            self.outcome = Some(Outcome::Nothing { cut: self.was_cut });
            return;
        }
        self.progress.depth = self.progress.depth.saturating_add(1);
        if self.progress.depth >= self.limits.depth {
            let goes_on = |found: &Found| !found.world.enabled(found.faults).is_empty();
            self.was_cut = self.was_cut.or(self.next.iter().any(goes_on).then_some(Cut::Depth));
            self.outcome = Some(Outcome::Nothing { cut: self.was_cut });
            return;
        }
        // In the order in which they were found.
        self.next.reverse();
        std::mem::swap(&mut self.layer, &mut self.next);
    }

    fn expand(&mut self, found: Found) {
        let Found { number, faults, world, mut sleepers, only } = found;
        self.begun = self.begun.max(number.saturating_add(1));
        let asleep = self.asleep(number);
        // Clients that another way into this world has woken are tried too.
        sleepers.retain(|sleeper| sleeper.is_among(asleep));
        let mut known = std::mem::take(&mut self.known);
        let mut sleep_set = SleepSet::new(&mut known, sleepers);
        let (mut inputs, mut events) = (std::mem::take(&mut self.inputs), std::mem::take(&mut self.events));
        inputs.clear();
        world.add_enabled(faults, &mut inputs);
        let independence = self.limits.independence && !self.assumed.tells_orders_of_connections(&world);
        let is_plain = independence && world.is_plain();
        let is_symmetric = self.limits.symmetry && self.assumed.is_symmetric();
        let needless = if is_symmetric { self.symmetry.needless(&world) } else { Vec::new() };
        let mut rest = Some(world);
        let count = inputs.len();
        for (choice, input) in inputs.iter().enumerate() {
            if self.outcome.is_some() || self.is_void {
                break;
            }
            if input.client().is_some_and(|client| needless.contains(&client)) {
                continue;
            }
            let bit = sleep_set.bit(input);
            if bit & asleep != 0 || only.is_some_and(|only| bit & only == 0) {
                continue;
            }
            let Some(left) = faults.after(input) else { continue };
            let is_last = choice.saturating_add(1) == count;
            let Some(mut next) = (if is_last { rest.take() } else { rest.clone() }) else { break };
            let footprint = if independence { next.footprint(input, is_plain) } else { None };
            events.clear();
            if next.step_into(input, &mut events).is_err() {
                continue;
            }
            self.progress.steps = self.progress.steps.saturating_add(1);
            if self.assumed.is_broken_by(&next, input.client(), &events) {
                self.is_void = true;
                break;
            }
            if self.progress.untested != 0 {
                self.note_tested(&next, &events);
            }
            let origin = Origin { parent: number, choice: u32::try_from(choice).unwrap_or(u32::MAX) };
            let sleepers = sleep_set.behind(input, bit, footprint.map(|footprint| footprint.after(&events)));
            self.add(next, Arrival { origin, faults: left, sleepers });
        }
        (self.known, self.inputs, self.events) = (known, inputs, events);
    }

    /// Crosses off which of the goals a step has put to the test.
    fn note_tested(&mut self, world: &World, events: &[Event]) {
        for goal in &self.goals {
            let (Some(bit), Some((property, _))) = (bit_of(*goal), world.watch().verdicts().nth(*goal)) else {
                continue;
            };
            if self.progress.untested & bit != 0 && property.is_tested_by(events, world) {
                self.progress.untested &= !bit;
            }
        }
    }

    /// Counts a world with programs that only their history tells.
    fn note_by_history(&mut self, world: &World) {
        let mut is_one = false;
        for (client, found) in world.clients() {
            if found.program.as_ref().is_some_and(Process::is_told_by_history) {
                is_one = true;
                self.by_history.insert(client);
            }
        }
        self.progress.by_history = self.progress.by_history.saturating_add(usize::from(is_one));
    }

    fn asleep(&self, number: u32) -> Deeds {
        usize::try_from(number).ok().and_then(|number| self.asleep.get(number)).copied().unwrap_or_default()
    }

    /// Takes a world into the next layer, unless it is known; notes when it breaks what should hold.
    fn add(&mut self, world: World, arrival: Arrival) {
        let Arrival { origin, faults, sleepers } = arrival;
        let number = u32::try_from(self.origins.len()).unwrap_or(u32::MAX);
        match self.visited.entry(world.canonical_hash(faults, &self.assumed)) {
            Entry::Occupied(place) => {
                let number = *place.get();
                return self.wake(world, number, faults, sleepers);
            }
            Entry::Vacant(place) => {
                if self.origins.len() >= self.limits.states {
                    self.was_cut = Some(Cut::States);
                    self.outcome = Some(Outcome::Nothing { cut: self.was_cut });
                    return;
                }
                place.insert(number);
            }
        }
        self.origins.push(origin);
        self.asleep.push(deeds(&sleepers));
        self.progress.states = self.origins.len();
        self.note_by_history(&world);
        if let Some((property, breach)) = self.breach(&world, self.limits.has_failed || faults != self.limits.faults) {
            self.outcome = Some(Outcome::Broken { property, breach, schedule: self.schedule(number) });
            return;
        }
        self.next.push(Found { number, faults, world, sleepers, only: None });
    }

    /// A known world was reached again: those who slept in it and do not this time are tried after all.
    fn wake(&mut self, world: World, number: u32, faults: Faults, sleepers: Sleepers) {
        let now = deeds(&sleepers);
        let Some(asleep) = usize::try_from(number).ok().and_then(|number| self.asleep.get_mut(number)) else { return };
        let woken = *asleep & !now;
        *asleep &= now;
        // Clients that wake before the search goes on from this world are tried then.
        if woken != 0 && number < self.begun {
            self.next.push(Found { number, faults, world, sleepers, only: Some(woken) });
        }
    }

    /// What of that which is looked for is broken in this world.
    fn breach(&mut self, world: &World, after_fault: bool) -> Option<(usize, Breach)> {
        for goal in &self.goals {
            let Some((property, breach)) = world.watch().verdicts().nth(*goal) else { continue };
            if let Some(breach) = breach {
                return Some((*goal, breach.clone()));
            }
            let mut lives = Vec::new();
            if *property == Property::NoDeadlock {
                lives.push((self.liveness.of(world, after_fault, &mut self.assumed), Breach::Stuck));
            } else if *property == Property::EveryoneGetsOn {
                for client in world.unfinished() {
                    let life = self.liveness.of_client(world, client, &mut self.assumed);
                    lives.push((life, Breach::Starved { client }));
                }
            }
            for (life, breach) in lives {
                match life {
                    Life::Over => return Some((*goal, breach)),
                    Life::Unknown => self.was_cut = self.was_cut.or(Some(Cut::States)),
                    Life::Void => self.is_void = true,
                    Life::GoesOn => {}
                }
            }
        }
        None
    }

    /// The inputs that lead to a world.
    fn schedule(&self, number: u32) -> Vec<Input> {
        let mut choices = Vec::new();
        let mut at = number;
        while let Some(origin) = usize::try_from(at).ok().and_then(|at| self.origins.get(at)).filter(|_| at > 0) {
            choices.push(origin.choice);
            at = origin.parent;
        }
        let (mut world, mut faults) = (self.start.clone(), self.limits.faults);
        let mut schedule = Vec::new();
        for choice in choices.into_iter().rev() {
            let enabled = world.enabled(faults);
            let Some(input) = usize::try_from(choice).ok().and_then(|choice| enabled.into_iter().nth(choice)) else {
                break;
            };
            if world.step(&input).is_err() {
                break;
            }
            faults = faults.after(&input).unwrap_or_default();
            schedule.push(input);
        }
        schedule
    }
}
