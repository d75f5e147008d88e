//! The explorer: searches all schedules of a world's programs, breadth first, until one breaks a property.
//!
//! ```text
//!   layer d     ●──►●──►●          worlds reachable in d steps, each once (canonical.rs: which worlds count as equal)
//!               │╲  │
//!   layer d+1   ●  ●●             every input that is enabled in each of them (programs/enabled.rs), within the limits
//!                  ▲
//!                  └── breaks the property: the path to it is a shortest schedule
//! ```
//!
//! The result is a list of inputs: applied to a timeline, it leads to the violation. If the search finds none, there is none within the
//! limits; it claims that there is none at all only if it left nothing out.
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
use canonical::canonical_hash;
use sleep::{Bits, KnownKeys, Siblings, SleepSet, TransitionSet, footprint, is_plain, transitions};
use starved::unfinished;
use stuck::{Life, Liveness};
use symmetry::Symmetry;

pub use measure::Measure;
pub use order::{Exchanges, decisive};
pub use starved::starved;
pub use stuck::{is_dead, is_stuck};
pub use way::way;
pub use words::{Report, SearchRequest};

/// The bounds of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Which faults may occur in one schedule, and how often.
    pub faults: Faults,
    /// Maximum number of inputs in a schedule.
    pub depth: u32,
    /// Maximum number of worlds to visit.
    pub states: usize,
    /// Treat clients that run the same program and have not begun as interchangeable?
    pub symmetry: bool,
    /// Try only one order of independent steps?
    pub independence: bool,
    /// Did a fault occur before the search begins? Then a deadlock counts as soon as nothing can resolve it.
    pub has_failed: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        let (faults, has_failed) = (Faults::default(), false);
        Limits { faults, depth: 100, states: 200_000, symmetry: true, independence: true, has_failed }
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchOutcome {
    /// A shortest schedule that breaks a property.
    Broken {
        /// The property's number.
        property: usize,
        /// How it is broken.
        breach: Breach,
        /// The inputs to apply, in order.
        schedule: Vec<Input>,
    },
    /// No schedule was found.
    Nothing {
        /// Why the search left something out; `None`: it left nothing out.
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
    /// Memory ran out; see [`Explorer::give_up`].
    Memory,
    /// The caller stopped the search; see [`Explorer::give_up`].
    Stopped,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Distinct worlds found.
    pub states: usize,
    /// Inputs that were tried.
    pub steps: usize,
    /// Worlds still to be visited.
    pub frontier: usize,
    /// Depth of the worlds that are visited now, in inputs.
    pub depth: u32,
    /// Goals that no schedule has tested yet: bit n stands for property n. For a program that does nothing such a property holds trivially.
    pub untested: u32,
    /// Worlds among [`Progress::states`] with a program that cannot be inspected: only its reply history identifies its state, so a client
    /// that polls there never returns to an earlier state.
    pub by_history: usize,
}

/// A search that runs in increments.
pub struct Explorer {
    limits: Limits,
    /// Numbers of the properties to break.
    goals: Vec<usize>,
    /// Worlds by canonical hash: their index in `origins`.
    visited: FxHashMap<u128, u32>,
    /// How each world was reached: from which world, by which of its enabled inputs.
    origins: Vec<Origin>,
    /// The sleep set of each world: the transitions that are not tried there.
    sleep_sets: Vec<TransitionSet>,
    /// Number of worlds already expanded, in the order in which they were found.
    begun: u32,
    /// The bit of each transition.
    known: Bits,
    known_keys: KnownKeys,
    /// Reusable buffers for the enabled inputs of a world and the events of a step.
    inputs: Vec<Input>,
    events: Vec<Event>,
    start: World,
    /// The current layer, last world first, and the next one.
    layer: Vec<LayerWorld>,
    next: Vec<LayerWorld>,
    progress: Progress,
    /// Clients with a program that, in some world, only its history identifies.
    by_history: BTreeSet<ClientIndex>,
    liveness: Liveness,
    symmetry: Symmetry,
    assumed: Assumed,
    /// A step broke an assumption: the search restarts.
    is_void: bool,
    was_cut: Option<Cut>,
    outcome: Option<SearchOutcome>,
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
struct LayerWorld {
    /// Its index in `origins`.
    number: u32,
    faults: Faults,
    world: World,
    /// Its sleep set when it was found.
    sleep_set: SleepSet,
    /// The transitions to try, if the world was expanded before; otherwise all.
    only: Option<TransitionSet>,
}

/// A way into a world.
struct Arrival {
    origin: Origin,
    faults: Faults,
    sleep_set: SleepSet,
}

impl Explorer {
    /// A search from this world for a violation of one property (by number), or of any.
    pub fn new(start: World, goal: Option<usize>, limits: Limits) -> Explorer {
        let goals = goal.map_or_else(|| (0..start.watch().len()).collect(), |goal| vec![goal]);
        let mut explorer = Explorer {
            limits,
            goals,
            visited: FxHashMap::default(),
            origins: Vec::new(),
            sleep_sets: Vec::new(),
            begun: 0,
            known: Bits::default(),
            known_keys: KnownKeys::default(),
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

    /// Starts, or restarts with the current assumptions.
    fn begin(&mut self) {
        loop {
            self.is_void = false;
            self.visited.clear();
            (self.origins, self.sleep_sets, self.layer, self.next) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            (self.begun, self.was_cut, self.outcome) = (0, None, None);
            self.progress = Progress::default();
            self.by_history.clear();
            self.liveness = Liveness::default();
            self.progress.untested =
                self.goals.iter().fold(0, |untested, goal| untested | bit_of(*goal).unwrap_or_default());
            let origin = Origin { parent: 0, choice: 0 };
            let arrival = Arrival { origin, faults: self.limits.faults, sleep_set: Vec::new() };
            self.add(self.start.clone(), arrival);
            if !self.is_void {
                break;
            }
        }
        std::mem::swap(&mut self.layer, &mut self.next);
    }

    /// How far the search has come.
    pub fn progress(&self) -> Progress {
        Progress { frontier: self.layer.len().saturating_add(self.next.len()), ..self.progress }
    }

    /// The clients with programs that only their reply history identifies, in any world found.
    pub fn compared_by_history(&self) -> impl Iterator<Item = ClientIndex> {
        self.by_history.iter().copied()
    }

    /// The world from which the search starts.
    pub fn start(&self) -> &World {
        &self.start
    }

    /// The outcome, once the search has ended.
    pub fn outcome(&self) -> Option<&SearchOutcome> {
        self.outcome.as_ref()
    }

    /// Visits this many more worlds; returns the outcome if there is one.
    pub fn carry_on(&mut self, worlds: usize) -> Option<&SearchOutcome> {
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

    /// Ends a running search: memory has run out, or the caller stops it.
    pub fn give_up(&mut self, why: Cut) {
        if self.outcome.is_none() {
            self.outcome = Some(SearchOutcome::Nothing { cut: Some(why) });
            (self.layer, self.next) = (Vec::new(), Vec::new());
        }
    }

    /// Runs the search to its end.
    pub fn finish(mut self) -> (SearchOutcome, Progress) {
        while self.outcome.is_none() {
            self.carry_on(usize::MAX);
        }
        let progress = self.progress();
        (self.outcome.unwrap_or(SearchOutcome::Nothing { cut: self.was_cut }), progress)
    }

    fn next_layer(&mut self) {
        if self.next.is_empty() {
            self.outcome = Some(SearchOutcome::Nothing { cut: self.was_cut });
            return;
        }
        self.progress.depth = self.progress.depth.saturating_add(1);
        if self.progress.depth >= self.limits.depth {
            let goes_on = |found: &LayerWorld| !found.world.enabled(found.faults).is_empty();
            self.was_cut = self.was_cut.or(self.next.iter().any(goes_on).then_some(Cut::Depth));
            self.outcome = Some(SearchOutcome::Nothing { cut: self.was_cut });
            return;
        }
        // In the order in which they were found.
        self.next.reverse();
        std::mem::swap(&mut self.layer, &mut self.next);
    }

    fn expand(&mut self, found: LayerWorld) {
        let LayerWorld { number, faults, world, mut sleep_set, only } = found;
        self.begun = self.begun.max(number.saturating_add(1));
        let stored = self.stored_sleep_set(number);
        // Transitions that another way into this world has woken are tried too.
        sleep_set.retain(|sleeping| sleeping.is_among(stored));
        let mut known = std::mem::take(&mut self.known);
        let mut siblings = Siblings::new(&mut known, sleep_set);
        let (mut inputs, mut events) = (std::mem::take(&mut self.inputs), std::mem::take(&mut self.events));
        inputs.clear();
        world.add_enabled(faults, &mut inputs);
        let independence = self.limits.independence && !self.assumed.tells_orders_of_connections(&world);
        let is_plain = independence && is_plain(&world);
        let is_symmetric = self.limits.symmetry && self.assumed.is_symmetric();
        let needless = if is_symmetric { self.symmetry.needless(&world) } else { Vec::new() };
        // A step that sends a request and receives the reply leaves nothing in flight.
        let network = world.network.clone();
        let mut rest = Some(world);
        let count = inputs.len();
        for (choice, input) in inputs.iter().enumerate() {
            if self.outcome.is_some() || self.is_void {
                break;
            }
            if input.client().is_some_and(|client| needless.contains(&client)) {
                continue;
            }
            let bit = siblings.bit(input);
            if bit & stored != 0 || only.is_some_and(|only| bit & only == 0) {
                continue;
            }
            let Some(left) = faults.after(input) else { continue };
            let is_last = choice.saturating_add(1) == count;
            let Some(mut next) = (if is_last { rest.take() } else { rest.clone() }) else { break };
            let footprint = if independence { footprint(&next, input, is_plain, &mut self.known_keys) } else { None };
            events.clear();
            if next.step_into(input, &mut events).is_err() {
                continue;
            }
            next.network.share_equal(&network);
            self.progress.steps = self.progress.steps.saturating_add(1);
            if self.assumed.is_broken_by(&next, input.client(), &events) {
                self.is_void = true;
                break;
            }
            if self.progress.untested != 0 {
                self.note_tested(&next, &events);
            }
            let origin = Origin { parent: number, choice: u32::try_from(choice).unwrap_or(u32::MAX) };
            let sleep_set = siblings.behind(input, bit, footprint.map(|footprint| footprint.after(&events)));
            self.add(next, Arrival { origin, faults: left, sleep_set });
        }
        (self.known, self.inputs, self.events) = (known, inputs, events);
    }

    /// Removes the goals that a step has tested from the untested ones.
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

    /// Counts a world with programs that only their history identifies.
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

    fn stored_sleep_set(&self, number: u32) -> TransitionSet {
        usize::try_from(number).ok().and_then(|number| self.sleep_sets.get(number)).copied().unwrap_or_default()
    }

    /// Adds a world to the next layer, unless it is known; notes whether it breaks a property.
    fn add(&mut self, world: World, arrival: Arrival) {
        let Arrival { origin, faults, sleep_set } = arrival;
        let number = u32::try_from(self.origins.len()).unwrap_or(u32::MAX);
        match self.visited.entry(canonical_hash(&world, faults, &self.assumed)) {
            Entry::Occupied(place) => {
                let number = *place.get();
                return self.wake(world, number, faults, sleep_set);
            }
            Entry::Vacant(place) => {
                if self.origins.len() >= self.limits.states {
                    self.was_cut = Some(Cut::States);
                    self.outcome = Some(SearchOutcome::Nothing { cut: self.was_cut });
                    return;
                }
                place.insert(number);
            }
        }
        self.origins.push(origin);
        self.sleep_sets.push(transitions(&sleep_set));
        self.progress.states = self.origins.len();
        self.note_by_history(&world);
        if let Some((property, breach)) = self.breach(&world, self.limits.has_failed || faults != self.limits.faults) {
            self.outcome = Some(SearchOutcome::Broken { property, breach, schedule: self.schedule(number) });
            return;
        }
        self.next.push(LayerWorld { number, faults, world, sleep_set, only: None });
    }

    /// A known world was reached again: transitions that slept there and do not sleep now are tried after all.
    fn wake(&mut self, world: World, number: u32, faults: Faults, sleep_set: SleepSet) {
        let now = transitions(&sleep_set);
        let Some(stored) = usize::try_from(number).ok().and_then(|number| self.sleep_sets.get_mut(number)) else {
            return;
        };
        let woken = *stored & !now;
        *stored &= now;
        // Transitions that wake before this world is expanded are tried then.
        if woken != 0 && number < self.begun {
            self.next.push(LayerWorld { number, faults, world, sleep_set, only: Some(woken) });
        }
    }

    /// Which goal this world breaks, and how.
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
                for client in unfinished(world) {
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
