//! Judges functions that should repair a lesson on every variation, in the same way as the page.
use lesson::repair::{self, Repair, Tested, Variation};
use lesson::{Budget, Lesson};
use world::Timeline;
use world::explore::{Cut, Explorer, Limits, Progress, SearchOutcome, way};

use super::play::{self, Played};
use super::written::Judged;

/// A plain search may search this many times as many worlds.
const PLAIN_FACTOR: usize = 10;

/// The verdict on functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// They pass on every variation.
    Passes {
        /// Worlds of the complete space, per variation.
        states: Vec<usize>,
    },
    /// The first variation on which they fail.
    Fails {
        /// The variation's id.
        variation: String,
        /// Why.
        why: Failure,
    },
}

/// Why functions fail on a variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A program does not start; the error message.
    Refused(String),
    /// A schedule breaks a property.
    Broken {
        /// The property's id.
        property: String,
        /// Steps of the shortest schedule.
        steps: usize,
        /// The commands and faults of the schedule.
        way: String,
    },
    /// The search hit a limit.
    Undecided(Cut),
    /// No schedule of any variation tests a property.
    Untested {
        /// The property's id.
        property: String,
    },
}

impl Judged for Judgement {
    fn has_passed(&self) -> bool {
        matches!(self, Judgement::Passes { .. })
    }

    fn describe(&self) -> String {
        match self {
            Judgement::Passes { states } => {
                let states: Vec<String> = states.iter().map(usize::to_string).collect();
                format!("passes ({} states)", states.join(" + "))
            }
            Judgement::Fails { variation, why } => format!("{variation}: {}", why.describe()),
        }
    }
}

impl Failure {
    /// The property that is broken or never tested.
    pub fn property(&self) -> Option<&str> {
        match self {
            Failure::Broken { property, .. } | Failure::Untested { property } => Some(property),
            Failure::Refused(_) | Failure::Undecided(_) => None,
        }
    }

    /// In words.
    pub fn describe(&self) -> String {
        match self {
            Failure::Refused(why) => format!("does not start: {why}"),
            Failure::Broken { property, steps, way } => format!("{property} broken in {steps} steps by \"{way}\""),
            Failure::Undecided(cut) => format!("undecided, cut by {cut:?}"),
            Failure::Untested { property } => format!("{property} is never put to the test"),
        }
    }
}

/// How a space is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// As the page does: identical clients are interchangeable, and steps that commute are tried in one order.
    Reduced,
    /// Every order of every client: slow and plain, a second opinion.
    Plain,
    /// As the page does, up to this many worlds.
    Within(usize),
}

/// Judges functions.
///
/// # Errors
/// If a variation cannot be opened, independent of the functions.
pub fn judge(lesson: &Lesson, repair: &Repair, functions: &str, search: Search) -> Result<Judgement, String> {
    let (mut states, mut tested) = (Vec::new(), Tested::default());
    for variation in &repair.variations {
        match judge_on(lesson, repair, variation, functions, search)? {
            Ok(progress) => {
                states.push(progress.states);
                tested.note(variation, progress.untested);
            }
            Err(why) => return Ok(Judgement::Fails { variation: variation.id.clone(), why }),
        }
    }
    Ok(match tested.idle() {
        Some((property, variation)) => {
            let why = Failure::Untested { property: property.to_owned() };
            Judgement::Fails { variation: variation.to_owned(), why }
        }
        None => Judgement::Passes { states },
    })
}

/// Judges functions on one variation: the size of the search, or why they fail.
///
/// # Errors
/// When the variation cannot be opened.
pub fn judge_on(
    lesson: &Lesson,
    repair: &Repair,
    variation: &Variation,
    functions: &str,
    search: Search,
) -> Result<Result<Progress, Failure>, String> {
    let varied = repair.varied(lesson, variation, functions);
    let played = open(&varied, variation)?;
    if let Some(why) = played.failed() {
        return Ok(Err(Failure::Refused(why)));
    }
    let start = played.world().clone();
    let (outcome, progress) = Explorer::new(start.clone(), None, limits(&variation.budget, search)).finish();
    let id = |number: usize| variation.properties.get(number).map(|property| property.id.clone()).unwrap_or_default();
    Ok(match outcome {
        SearchOutcome::Broken { property, schedule, .. } => {
            let way = way(&start, &schedule);
            Err(Failure::Broken { property: id(property), steps: schedule.len(), way })
        }
        SearchOutcome::Nothing { cut: Some(cut) } => Err(Failure::Undecided(cut)),
        SearchOutcome::Nothing { cut: None } => Ok(progress),
    })
}

/// Is this property of a variation broken by these functions, or never tested?
///
/// # Errors
/// When the variation cannot be opened.
pub fn fails_on(
    lesson: &Lesson,
    repair: &Repair,
    variation: &Variation,
    functions: &str,
    property: &str,
) -> Result<(bool, bool), String> {
    let Some(number) = variation.properties.iter().position(|other| other.id == property) else {
        return Ok((false, false));
    };
    let played = open(&repair.varied(lesson, variation, functions), variation)?;
    let is_broken_already = played.is_broken(number);
    let (outcome, progress) =
        Explorer::new(played.world().clone(), Some(number), limits(&variation.budget, Search::Reduced)).finish();
    let is_broken = is_broken_already || matches!(outcome, SearchOutcome::Broken { .. });
    Ok((is_broken, progress.untested != 0))
}

fn open(varied: &Lesson, variation: &Variation) -> Result<Played, String> {
    let text = varied.session_of(variation.seed, &[]);
    Timeline::from_text(&text, &play::engines())
        .map(Played::of)
        .map_err(|why| format!("variation {}: {why}", variation.id))
}

fn limits(budget: &Budget, search: Search) -> Limits {
    let (faults, depth) = (play::faults(budget), budget.depth);
    let limits = Limits { faults, depth, states: repair::STATES_MAX, ..Limits::default() };
    match search {
        Search::Reduced => limits,
        Search::Within(states) => Limits { states: states.min(limits.states), ..limits },
        Search::Plain => {
            let states = limits.states.saturating_mul(PLAIN_FACTOR);
            Limits { states, symmetry: false, independence: false, ..limits }
        }
    }
}
