//! Checking functions that should repair a lesson: one search a variation, in which everything that the variation watches has to hold.
//!
//! ```text
//!   the learner's functions ──▶ Check ──▶ variation 0 ──▶ search ──▶ holds ─┐
//!                                         variation 1 ──▶ search ◀──────────┘
//!                                            ⋮               └───▶ the first that does not hold ends the check
//! ```
//!
//! A variation holds only when its whole space was looked at: what was cut off is undecided. When all of them hold, each property has
//! to have been put to the test somewhere: one that nothing ever tests says nothing.
mod functions;

use std::rc::Rc;

use ::lesson::Lesson;
use ::lesson::repair::{DEPTH_MAX, Repair, STATES_MAX, Tested, Variation, Wrong};
use world::explore::{Cut, Limits, Order, way};
use world::{Engines, Input, Property, Timeline, World};

use super::explorer::{Beginning, Finding, Search};
use super::lab::run::{Goal, INPUTS_MAX, Runner};
use super::lab::stand::{Fault, fault};
use super::lesson::{faults, property_of};
use super::session;

/// Functions that are checked.
#[derive(Clone, Debug)]
pub struct Check {
    lesson: Rc<Lesson>,
    task: String,
    functions: Rc<str>,
    engines: Engines,
}

/// Why functions are not searched at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// This line, from 1, is the one that separates functions from the frame.
    Mark(u32),
    /// The frame calls functions of these names, and there are none.
    Missing(Vec<String>),
    /// They are no program, or break off before the first request: what is wrong, and in which line.
    Fault(Fault, Option<u32>),
    /// Every program is over before it has asked for anything.
    Idle,
    /// The lesson does not open with them.
    Broken,
}

/// How the search of a variation came out.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// All of it was looked at, and nothing breaks.
    Holds,
    /// A schedule breaks a property.
    Broken {
        /// Which.
        property: Property,
        /// A shortest schedule.
        schedule: Vec<Input>,
        /// In which way.
        way: String,
    },
    /// Something was left out.
    Undecided(Cut),
    /// There was no search: the explorer could not be fetched or broke down.
    Failed,
}

/// A variation after its search.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// How it came out.
    pub verdict: Verdict,
    /// Worlds that were looked at.
    pub states: usize,
    /// Steps of the longest schedule that was looked at.
    pub depth: u32,
    /// Properties that no schedule has put to the test, as bits.
    pub untested: u32,
}

/// A client that breaks off: which, why, and in which line.
pub type BrokeOff = (String, Fault, Option<u32>);

impl Check {
    /// The check of these functions in the repair of this name.
    ///
    /// # Errors
    /// [`Refused`]
    pub fn new(lesson: &Rc<Lesson>, task: &str, text: &str, engines: &Engines) -> Result<Check, Refused> {
        let repair = lesson.repair(task).ok_or(Refused::Broken)?;
        if let Some(line) = functions::mark(text) {
            return Err(Refused::Mark(line));
        }
        let missing = functions::missing(repair, text);
        let engines = engines.clone();
        let check = Check { lesson: Rc::clone(lesson), task: task.to_owned(), functions: text.into(), engines };
        let stage = check.stage(0).ok_or(Refused::Broken)?;
        // What is no Lua defines nothing: its own mistake is told first.
        match broken_off(stage.world()) {
            Some((_, why @ Fault::DoesNotCompile(_), line)) => Err(Refused::Fault(why, line)),
            _ if !missing.is_empty() => Err(Refused::Missing(missing)),
            Some((_, why, line)) => Err(Refused::Fault(why, line)),
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

    /// Is there none?
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

    /// The same with a schedule laid out, to be gone through.
    pub fn laid(&self, nth: usize, schedule: &[Input]) -> Option<Timeline> {
        let mut stage = self.stage(nth)?;
        // What was found here can be laid here.
        let _ = stage.lay(stage.cursor(), schedule, 0);
        Some(stage)
    }

    /// The search of a variation: where it begins, and what the explorer is asked.
    pub fn search(&self, nth: usize) -> Option<(Beginning, Order)> {
        let faults = faults(&self.variation(nth)?.budget);
        let stage = self.stage(nth)?;
        let beginning = Beginning { after: stage.cursor(), first: Vec::new(), world: stage.world().clone() };
        let limits = Limits { faults, depth: DEPTH_MAX, states: STATES_MAX, ..Limits::default() };
        Some((beginning, Order { goal: None, limits, session: stage.to_text() }))
    }
}

/// A check that is carried out, variation by variation.
#[derive(Clone, Debug)]
pub struct Run {
    check: Rc<Check>,
    judged: Vec<Judged>,
    /// Where it does not pass, and a client breaks off there.
    broke_off: Option<BrokeOff>,
    /// The search that was judged last: each is judged once.
    last: Option<Rc<Search>>,
}

impl PartialEq for Run {
    fn eq(&self, other: &Run) -> bool {
        Rc::ptr_eq(&self.check, &other.check) && self.judged == other.judged
    }
}

impl Run {
    /// One that begins.
    pub fn new(check: Rc<Check>) -> Run {
        Run { check, judged: Vec::new(), broke_off: None, last: None }
    }

    /// What is checked.
    pub fn check(&self) -> &Rc<Check> {
        &self.check
    }

    /// Variations that were searched, in their order.
    pub fn judged(&self) -> &[Judged] {
        &self.judged
    }

    /// Does everything hold, everywhere, and was all of it put to the test?
    pub fn has_passed(&self) -> bool {
        self.holds() && self.idle().is_none()
    }

    fn holds(&self) -> bool {
        !self.check.is_empty()
            && self.judged.len() == self.check.len()
            && self.judged.iter().all(|judged| judged.verdict == Verdict::Holds)
    }

    /// Where everything holds: a property that was never put to the test, by its places among the variations and among the properties
    /// of that one.
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

    /// A client that breaks off where the check does not pass.
    pub fn broke_off(&self) -> Option<&BrokeOff> {
        self.broke_off.as_ref()
    }

    /// Is there nothing left to search?
    pub fn is_over(&self) -> bool {
        let has_ended = self.judged.last().is_some_and(|judged| judged.verdict != Verdict::Holds);
        has_ended || self.judged.len() >= self.check.len()
    }

    /// The run after this search, which belongs to the next variation; nothing as long as that goes on.
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

    /// Who breaks off in the schedule that was found from this start; or when everybody goes on in turn, where nothing was tested.
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
        let Verdict::Broken { property, schedule, .. } = &last.verdict else { return None };
        Some((self.judged.len().saturating_sub(1), property, schedule))
    }

    /// The stage on which it broke, with the schedule laid out.
    pub fn laid(&self) -> Option<Timeline> {
        let (nth, _, schedule) = self.broken()?;
        self.check.laid(nth, schedule)
    }

    /// Which order decides in it, where that is known.
    pub fn order(&self) -> Option<session::Order> {
        self.broken().and(self.last.as_ref()?.order())
    }

    /// The mistake of these known ones that was made: the same functions, or others that break in the same variation, the same property
    /// and the same way.
    pub fn known<'a>(&self, repair: &'a Repair) -> Option<&'a Wrong> {
        let last = self.judged.last()?;
        let Verdict::Broken { property, way, .. } = &last.verdict else { return None };
        let variation = repair.variations.get(self.judged.len().saturating_sub(1))?;
        let id =
            variation.properties.iter().find(|other| property_of(other).as_ref() == Some(property)).map(|it| &it.id);
        let is_same = |wrong: &&Wrong| wrong.text.trim() == self.check.functions.trim();
        let breaks_alike = |wrong: &&Wrong| {
            !wrong.way.is_empty() && wrong.variation == variation.id && Some(&wrong.property) == id && wrong.way == *way
        };
        // What one begins with is no mistake of the learner's, even where it breaks like one.
        let is_start = repair.start.trim() == self.check.functions.trim();
        let alike = || repair.wrong.iter().filter(|_| !is_start).find(breaks_alike);
        repair.wrong.iter().find(is_same).or_else(alike)
    }
}

/// How a search came out; nothing as long as it goes on.
fn judged(search: &Search) -> Option<Judged> {
    let progress = search.progress.unwrap_or_default();
    let start = &search.beginning.world;
    let verdict = match search.finding.as_ref()? {
        Finding::Broken { property, schedule, .. } => {
            Verdict::Broken { property: property.clone(), schedule: schedule.clone(), way: way(start, schedule) }
        }
        Finding::Nothing { cut: Some(cut) } => Verdict::Undecided(*cut),
        Finding::Nothing { cut: None } => Verdict::Holds,
        Finding::BrokeDown(_) | Finding::Unreachable => Verdict::Failed,
    };
    Some(Judged { verdict, states: progress.states, depth: progress.depth, untested: progress.untested })
}

/// The world after these inputs, as far as they fit.
fn after(world: &World, inputs: &[Input]) -> World {
    let mut world = world.clone();
    let _ = inputs.iter().try_for_each(|input| world.step(input).map(|_| ()));
    world
}

/// The first client whose program is none, or has broken off: its name, why, and in which line.
fn broken_off(world: &World) -> Option<BrokeOff> {
    world.clients().find_map(|(_, found)| {
        let (why, line) = fault(found.program.as_ref()?)?;
        Some((found.name.clone(), why, line))
    })
}

/// Is every program over?
fn is_over(world: &World) -> bool {
    world.clients().filter_map(|(_, found)| found.program.as_ref()).all(world::Process::is_over)
}

#[cfg(test)]
mod tests;
