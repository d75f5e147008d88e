//! Checks a learner's functions that should repair a lesson: one search per variation, in which every watched property must hold.
//!
//! ```text
//!   the learner's functions ──▶ Check ──▶ variation 0 ──▶ search ──▶ holds ─┐
//!                                         variation 1 ──▶ search ◀──────────┘
//!                                            ⋮               └───▶ the first one that does not hold ends the check
//! ```
//!
//! A variation holds only if its whole space was searched: a search that was cut off is undecided. If all variations hold, each property
//! must also have been tested somewhere: a property that no schedule tests proves nothing.
mod functions;

use std::rc::Rc;

use ::lesson::Lesson;
use ::lesson::repair::{DEPTH_MAX, Repair, STATES_MAX, Tested, Variation, Wrong};
use world::explore::{Cut, Limits, SearchRequest, way};
use world::{Engines, Input, Property, Timeline, World};

use super::explorer::{Beginning, Finding, Search};
use super::lab::run::{Goal, INPUTS_MAX, Runner};
use super::lab::status::{ProgramError, fault};
use super::lesson::{faults, property_of};
use super::session;

/// The functions to check.
#[derive(Clone, Debug)]
pub struct Check {
    lesson: Rc<Lesson>,
    task: String,
    functions: Rc<str>,
    engines: Engines,
}

/// Why functions were refused before any search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// This line, from 1, looks like the separator between functions and frame.
    Mark(u32),
    /// The frame calls functions of these names, but the text does not define them.
    Missing(Vec<String>),
    /// The program does not compile, or fails before its first request: the error, and its line.
    Program(ProgramError, Option<u32>),
    /// Every program ends before it sends a request.
    Idle,
    /// The lesson does not open with these functions.
    Broken,
}

/// The result of a variation's search.
#[derive(Clone, Debug, PartialEq)]
pub enum VariationVerdict {
    /// The whole space was searched, and no schedule breaks a property.
    Holds,
    /// A schedule breaks a property.
    Broken {
        /// The property.
        property: Property,
        /// A shortest schedule.
        schedule: Vec<Input>,
        /// How it is broken.
        way: String,
    },
    /// Part of the space was left out.
    Undecided(Cut),
    /// The search failed: the explorer could not be loaded or crashed.
    Failed,
}

/// A variation with its search result.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The result.
    pub verdict: VariationVerdict,
    /// How many worlds were visited.
    pub states: usize,
    /// Length of the longest visited schedule, in steps.
    pub depth: u32,
    /// Properties that no schedule tested, as bits.
    pub untested: u32,
}

/// A client whose program failed: its name, the error, and the line.
pub type BrokeOff = (String, ProgramError, Option<u32>);

impl Check {
    /// Checks these functions in the repair task with this name.
    ///
    /// # Errors
    /// [`Refused`] says why the functions are not searched.
    pub fn new(lesson: &Rc<Lesson>, task: &str, text: &str, engines: &Engines) -> Result<Check, Refused> {
        let repair = lesson.repair(task).ok_or(Refused::Broken)?;
        if let Some(line) = functions::mark(text) {
            return Err(Refused::Mark(line));
        }
        let missing = functions::missing(repair, text);
        let engines = engines.clone();
        let check = Check { lesson: Rc::clone(lesson), task: task.to_owned(), functions: text.into(), engines };
        let stage = check.stage(0).ok_or(Refused::Broken)?;
        // Text that does not compile defines no function: report the compile error first.
        match broken_off(stage.world()) {
            Some((_, why @ ProgramError::DoesNotCompile(_), line)) => Err(Refused::Program(why, line)),
            _ if !missing.is_empty() => Err(Refused::Missing(missing)),
            Some((_, why, line)) => Err(Refused::Program(why, line)),
            None if is_over(stage.world()) => Err(Refused::Idle),
            None => Ok(check),
        }
    }

    fn repair(&self) -> Option<&Repair> {
        self.lesson.repair(&self.task)
    }

    /// The functions.
    pub fn functions(&self) -> &Rc<str> {
        &self.functions
    }

    /// How many variations there are.
    pub fn len(&self) -> usize {
        self.repair().map_or(0, |repair| repair.variations.len())
    }

    /// Whether there are no variations.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn variation(&self, nth: usize) -> Option<&Variation> {
        self.repair()?.variations.get(nth)
    }

    /// The stage of a variation with these functions, before the first step.
    pub fn stage(&self, nth: usize) -> Option<Timeline> {
        let variation = self.variation(nth)?;
        let varied = self.repair()?.varied(&self.lesson, variation, &self.functions);
        Timeline::from_text(&varied.session_of(variation.seed, &[]), &self.engines).ok()
    }

    /// The same stage with a schedule inserted, to step through.
    pub fn laid(&self, nth: usize, schedule: &[Input]) -> Option<Timeline> {
        let mut stage = self.stage(nth)?;
        // The schedule was found on this stage, so it fits.
        let _ = stage.append_branch(stage.cursor(), schedule, 0);
        Some(stage)
    }

    /// The search of a variation: its start, and the order for the explorer.
    pub fn search(&self, nth: usize) -> Option<(Beginning, SearchRequest)> {
        let faults = faults(&self.variation(nth)?.budget);
        let stage = self.stage(nth)?;
        let beginning = Beginning { after: stage.cursor(), first: Vec::new(), world: stage.world().clone() };
        let limits = Limits { faults, depth: DEPTH_MAX, states: STATES_MAX, ..Limits::default() };
        Some((beginning, SearchRequest { goal: None, limits, session: stage.to_text() }))
    }
}

/// A running check, variation by variation.
#[derive(Clone, Debug)]
pub struct Run {
    check: Rc<Check>,
    judged: Vec<Judged>,
    /// The client whose program failed, if the check does not pass because of it.
    broke_off: Option<BrokeOff>,
    /// The last judged search: each search is judged only once.
    last: Option<Rc<Search>>,
}

impl PartialEq for Run {
    fn eq(&self, other: &Run) -> bool {
        Rc::ptr_eq(&self.check, &other.check) && self.judged == other.judged
    }
}

impl Run {
    /// A check that starts now.
    pub fn new(check: Rc<Check>) -> Run {
        Run { check, judged: Vec::new(), broke_off: None, last: None }
    }

    /// What is checked.
    pub fn check(&self) -> &Rc<Check> {
        &self.check
    }

    /// The variations searched so far, in order.
    pub fn judged(&self) -> &[Judged] {
        &self.judged
    }

    /// Whether every variation holds and every property was tested.
    pub fn has_passed(&self) -> bool {
        self.holds() && self.idle().is_none()
    }

    fn holds(&self) -> bool {
        !self.check.is_empty()
            && self.judged.len() == self.check.len()
            && self.judged.iter().all(|judged| judged.verdict == VariationVerdict::Holds)
    }

    /// If every variation holds: a property that was never tested, as the index of its variation and its index among that variation's
    /// properties.
    pub fn idle(&self) -> Option<(usize, usize)> {
        let variations = self.check.repair().filter(|_| self.holds()).map(|repair| &repair.variations)?;
        let mut tested = Tested::default();
        for (variation, judged) in variations.iter().zip(&self.judged) {
            tested.note(variation, judged.untested);
        }
        let (property, variation) = tested.idle()?;
        let nth = variations.iter().position(|other| other.id == variation)?;
        let of = variations.get(nth)?.properties.iter().position(|other| other.id == property)?;
        Some((nth, of))
    }

    /// The client whose program failed, if the check does not pass.
    pub fn broke_off(&self) -> Option<&BrokeOff> {
        self.broke_off.as_ref()
    }

    /// Whether nothing is left to search.
    pub fn is_over(&self) -> bool {
        let has_ended = self.judged.last().is_some_and(|judged| judged.verdict != VariationVerdict::Holds);
        has_ended || self.judged.len() >= self.check.len()
    }

    /// The check after this search, ready for the next variation; `None` while the search is running.
    pub fn after(&self, search: &Rc<Search>) -> Option<Run> {
        if self.is_over() || self.last.as_ref().is_some_and(|last| Rc::ptr_eq(last, search)) {
            return None;
        }
        let judged = judged(search)?;
        let mut next = Run { last: Some(Rc::clone(search)), ..self.clone() };
        next.judged.push(judged);
        next.broke_off = next.breaks_off(&search.beginning.world);
        Some(next)
    }

    /// The client whose program fails: in the schedule that was found from this start, or, if a property was never tested, when all clients
    /// run in turn.
    fn breaks_off(&self, start: &World) -> Option<BrokeOff> {
        if let Some((_, _, schedule)) = self.broken() {
            return broken_off(&after(start, schedule));
        }
        let (nth, _) = self.idle()?;
        let stage = self.check.stage(nth)?;
        let (inputs, _) = Runner::new(stage.world(), Goal::End).take(INPUTS_MAX);
        broken_off(&after(stage.world(), &inputs))
    }

    /// The variation that broke, its property and schedule.
    pub fn broken(&self) -> Option<(usize, &Property, &[Input])> {
        let last = self.judged.last()?;
        let VariationVerdict::Broken { property, schedule, .. } = &last.verdict else { return None };
        Some((self.judged.len().saturating_sub(1), property, schedule))
    }

    /// The stage of that variation, with the schedule inserted.
    pub fn laid(&self) -> Option<Timeline> {
        let (nth, _, schedule) = self.broken()?;
        self.check.laid(nth, schedule)
    }

    /// Which order of steps is decisive in it, if known.
    pub fn order(&self) -> Option<session::DecisivePairs> {
        self.broken().and(self.last.as_ref()?.order())
    }

    /// The known mistake that the learner made: the same functions, or functions that break the same property in the same variation and the
    /// same way.
    pub fn known<'a>(&self, repair: &'a Repair) -> Option<&'a Wrong> {
        let last = self.judged.last()?;
        let VariationVerdict::Broken { property, way, .. } = &last.verdict else { return None };
        let variation = repair.variations.get(self.judged.len().saturating_sub(1))?;
        let id =
            variation.properties.iter().find(|other| property_of(other).as_ref() == Some(property)).map(|it| &it.id);
        let is_same = |wrong: &&Wrong| wrong.text.trim() == self.check.functions.trim();
        let breaks_alike = |wrong: &&Wrong| {
            !wrong.way.is_empty() && wrong.variation == variation.id && Some(&wrong.property) == id && wrong.way == *way
        };
        // The functions that the task starts with are not the learner's mistake, even if they break in the same way as one.
        let is_start = repair.start.trim() == self.check.functions.trim();
        let alike = || repair.wrong.iter().filter(|_| !is_start).find(breaks_alike);
        repair.wrong.iter().find(is_same).or_else(alike)
    }
}

/// The result of a search; `None` while it is running.
fn judged(search: &Search) -> Option<Judged> {
    let progress = search.progress.unwrap_or_default();
    let start = &search.beginning.world;
    let verdict = match search.finding.as_ref()? {
        Finding::Broken { property, schedule, .. } => VariationVerdict::Broken {
            property: property.clone(),
            schedule: schedule.clone(),
            way: way(start, schedule),
        },
        Finding::Nothing { cut: Some(cut) } => VariationVerdict::Undecided(*cut),
        Finding::Nothing { cut: None } => VariationVerdict::Holds,
        Finding::BrokeDown(_) | Finding::Unreachable => VariationVerdict::Failed,
    };
    Some(Judged { verdict, states: progress.states, depth: progress.depth, untested: progress.untested })
}

/// The world after these inputs; stops at the first one that is refused.
fn after(world: &World, inputs: &[Input]) -> World {
    let mut world = world.clone();
    let _ = inputs.iter().try_for_each(|input| world.step(input).map(|_| ()));
    world
}

/// The first client whose program does not compile or has failed: its name, the error, and the line.
fn broken_off(world: &World) -> Option<BrokeOff> {
    world.clients().find_map(|(_, found)| {
        let (why, line) = fault(found.program.as_ref()?)?;
        Some((found.name.to_string(), why, line))
    })
}

/// Whether every program has ended.
fn is_over(world: &World) -> bool {
    world.clients().filter_map(|(_, found)| found.program.as_ref()).all(world::Process::is_over)
}

#[cfg(test)]
mod tests;
