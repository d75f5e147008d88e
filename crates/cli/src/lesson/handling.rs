//! Judges handlers of learners on every variation, as the page does; and checks tasks of this kind.
use std::collections::BTreeSet;

use lesson::handling::{Handling, Load};
use lesson::source::Proofs;
use lesson::{Lesson, Property};
use world::claim::Claim;
use world::traffic::bound::Bound;
use world::{Timeline, World};

use super::play;
use super::written::{Judged, Prover, Wrong};

/// The verdict on a handler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Every figure is within its bound, in all variations.
    Passes {
        /// The figures per variation.
        figures: Vec<String>,
    },
    /// The first variation with a figure out of bounds.
    Fails {
        /// The variation's id.
        variation: String,
        /// The bound's id.
        bound: String,
        /// The measured value; `None` if nothing was counted.
        figure: Option<u64>,
    },
}

impl Judgement {
    /// The id of the violated bound.
    fn into_bound(self) -> Option<String> {
        match self {
            Judgement::Passes { .. } => None,
            Judgement::Fails { bound, .. } => Some(bound),
        }
    }
}

impl Judged for Judgement {
    fn has_passed(&self) -> bool {
        matches!(self, Judgement::Passes { .. })
    }

    fn describe(&self) -> String {
        match self {
            Judgement::Passes { figures } => format!("passes ({})", figures.join("; ")),
            Judgement::Fails { variation, bound, figure } => {
                let figure = figure.map_or_else(|| "nothing was counted".to_owned(), |figure| figure.to_string());
                format!("{variation}: {bound}: {figure}")
            }
        }
    }
}

/// The bound of a claim about traffic.
pub fn bound(text: &str) -> Option<Bound> {
    match Claim::from_text(text)? {
        Claim::Traffic(bound) => Some(bound),
        _ => None,
    }
}

/// Judges a handler.
///
/// # Errors
/// If a variation cannot be played, independent of the handler.
pub fn judge(lesson: &Lesson, handling: &Handling, handler: &str) -> Result<Judgement, String> {
    let mut figures = Vec::new();
    for load in &handling.variations {
        let world = play(lesson, load, handler)?;
        let measured = measured(load, &world)?;
        if let Some((property, _, figure)) =
            measured.iter().find(|(_, bound, figure)| !figure.is_some_and(|figure| bound.allows(figure)))
        {
            return Ok(Judgement::Fails { variation: load.id.clone(), bound: property.id.clone(), figure: *figure });
        }
        let figure_of = |(property, _, figure): &Measured| format!("{} {}", property.id, figure.unwrap_or_default());
        figures.push(format!("{}: {}", load.id, measured.iter().map(figure_of).collect::<Vec<_>>().join(", ")));
    }
    Ok(Judgement::Passes { figures })
}

/// The world after a variation.
fn play(lesson: &Lesson, load: &Load, handler: &str) -> Result<World, String> {
    let session = load.session(lesson, handler);
    let timeline =
        Timeline::from_text(&session, &play::engines()).map_err(|why| format!("variation {}: {why}", load.id))?;
    Ok(timeline.world().clone())
}

/// A bound of a lesson and the measured value; `None` if nothing was counted.
type Measured<'a> = (&'a Property, Bound, Option<u64>);

/// The figures of a variation with their bounds.
fn measured<'a>(load: &'a Load, world: &World) -> Result<Vec<Measured<'a>>, String> {
    let traffic = world.traffic().ok_or_else(|| format!("variation {}: traffic has ended", load.id))?;
    let measured = |property: &'a Property| {
        let bound = bound(&property.text).ok_or_else(|| format!("`{}` is no figure of traffic", property.text))?;
        Ok((property, bound, bound.measure(traffic)))
    };
    load.bounds.iter().map(measured).collect()
}

/// Handlers that do as little as possible.
const IDLE: [&str; 5] = [
    "",
    "function get(id) return nil end\nfunction put(id, value) end\n",
    "function get(id) return '1' end\nfunction put(id, value) end\n",
    "function get(id) error('no') end\nfunction put(id, value) error('no') end\n",
    "function get(id) return redis.call('GET', 'item:' .. id) end\nfunction put(id, value) redis.call('SET', 'item:' .. id, value) end\n",
];

/// Checks a task to write a handler. Returns the checks, one line each, and the mistakes. `with_mutants`: also tries mutated solutions.
pub fn prove(lesson: &Lesson, handling: &Handling, proofs: &Proofs, with_mutants: bool) -> (Vec<String>, Vec<String>) {
    let judge = |handler: &str| judge(lesson, handling, handler);
    let mut prover = Prover::new("handler", proofs, &judge);
    let mut judged = vec![prover.beginning(&handling.start)];
    prover.passing();
    // Wrong answers and cheats fail in the recorded variation for the recorded reason.
    let wrong = handling.wrong.iter();
    let wrong = wrong.map(|wrong| (wrong.title.as_str(), &wrong.text, &wrong.variation, &wrong.property));
    let cheats = proofs.cheats.iter();
    let cheats =
        cheats.map(|cheat| (cheat.functions.file.as_str(), &cheat.functions.text, &cheat.variation, &cheat.property));
    for (name, text, variation, property) in wrong.chain(cheats) {
        let wrong = Wrong { name, text, recorded: format!("{variation}: {property}") };
        judged.push(prover.failing(&wrong, |judgement| match judgement {
            Judgement::Fails { variation: found, bound, .. } => found == variation && bound == property,
            Judgement::Passes { .. } => false,
        }));
    }
    judged.extend(IDLE.iter().map(|handler| prover.idle(handler)));
    // Every bound is the first that some handler of the folder violates.
    let broken: BTreeSet<String> = judged.into_iter().flatten().filter_map(Judgement::into_bound).collect();
    let bounds: BTreeSet<&String> =
        handling.variations.iter().flat_map(|load| &load.bounds).map(|bound| &bound.id).collect();
    for bound in bounds.into_iter().filter(|bound| !broken.contains(*bound)) {
        prover.faults.push(format!("no handler of the folder leaves the bound `{bound}` first"));
    }
    if with_mutants && prover.faults.is_empty() {
        prover.mutants();
    }
    (prover.lines, prover.faults)
}
