//! Judges handlers of learners on every variation, as the page does; and checks tasks of this kind.
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread;

use lesson::handling::{Handling, Load};
use lesson::source::{Functions, Proofs};
use lesson::{Lesson, Property};
use world::claim::Claim;
use world::traffic::bound::Bound;
use world::{Timeline, World};

use super::mutants::{self, Mutant};
use super::play;

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
    /// In words.
    pub fn describe(&self) -> String {
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
    let mut prover =
        Prover { lesson, handling, proofs, lines: Vec::new(), faults: Vec::new(), broken: BTreeSet::new() };
    prover.beginning();
    prover.passing();
    prover.failing();
    prover.idle();
    prover.bounds();
    if with_mutants && prover.faults.is_empty() {
        prover.mutants();
    }
    (prover.lines, prover.faults)
}

struct Prover<'a> {
    lesson: &'a Lesson,
    handling: &'a Handling,
    proofs: &'a Proofs,
    lines: Vec<String>,
    faults: Vec<String>,
    /// Ids of bounds that some handler of the folder violates.
    broken: BTreeSet<String>,
}

impl Prover<'_> {
    fn judge(&mut self, name: &str, handler: &str) -> Option<Judgement> {
        match judge(self.lesson, self.handling, handler) {
            Ok(judgement) => {
                self.lines.push(format!("  {name}: {}", judgement.describe()));
                if let Judgement::Fails { bound, .. } = &judgement {
                    self.broken.insert(bound.clone());
                }
                Some(judgement)
            }
            Err(why) => {
                self.faults.push(format!("{name}: {why}"));
                None
            }
        }
    }

    /// The initial handler fails.
    fn beginning(&mut self) {
        if let Some(Judgement::Passes { .. }) = self.judge("begins with", &self.handling.start) {
            self.faults.push("what one begins with passes".to_owned());
        }
    }

    /// At least two different handlers pass.
    fn passing(&mut self) {
        if self.proofs.passing.len() < 2 {
            self.faults.push("there is a solution and at least one other handler that passes (`right`)".to_owned());
        }
        for Functions { file, text } in &self.proofs.passing {
            if let Some(judgement @ Judgement::Fails { .. }) = self.judge(file, text) {
                self.faults.push(format!("{file} does not pass: {}", judgement.describe()));
            }
        }
    }

    /// Wrong answers and cheats fail in the recorded variation for the recorded reason.
    fn failing(&mut self) {
        let wrong = self.handling.wrong.iter();
        let wrong = wrong.map(|wrong| (wrong.title.as_str(), &wrong.text, &wrong.variation, &wrong.property));
        let cheats = self
            .proofs
            .cheats
            .iter()
            .map(|cheat| (cheat.functions.file.as_str(), &cheat.functions.text, &cheat.variation, &cheat.property));
        for (name, text, variation, property) in wrong.chain(cheats) {
            let Some(judgement) = self.judge(name, text) else { continue };
            let is_it = match &judgement {
                Judgement::Fails { variation: found, bound, .. } => found == variation && bound == property,
                Judgement::Passes { .. } => false,
            };
            if !is_it {
                let found = judgement.describe();
                self.faults.push(format!("{name}: recorded is {variation}: {property}; found was {found}"));
            }
        }
    }

    /// No handler passes that does nothing or never queries the database.
    fn idle(&mut self) {
        for handler in IDLE {
            let name = handler.lines().next().unwrap_or("nothing at all");
            if let Some(Judgement::Passes { .. }) = self.judge(name, handler) {
                self.faults.push(format!("a handler passes that is idle: {name}"));
            }
        }
    }

    /// Every bound is violated by some handler of the folder.
    fn bounds(&mut self) {
        let bounds: BTreeSet<&str> =
            self.handling.variations.iter().flat_map(|load| &load.bounds).map(|bound| bound.id.as_str()).collect();
        for bound in bounds.iter().filter(|bound| !self.broken.contains(**bound)) {
            self.faults.push(format!("no handler of the folder leaves the bound `{bound}` first"));
        }
    }

    /// No mutant of the solution passes, unless it is recorded as harmless.
    fn mutants(&mut self) {
        let Some(solution) = self.proofs.passing.first() else { return };
        let mutants = match mutants::of(&solution.text) {
            Ok(mutants) => mutants,
            Err(why) => return self.faults.push(format!("{}: {why}", solution.file)),
        };
        let passing = self.passing_of(&mutants);
        self.lines.push(format!(
            "  {}: {} changes, {} pass, each with its reason",
            solution.file,
            mutants.len(),
            passing.len()
        ));
        self.faults.extend(mutants::objections(self.proofs, &solution.file, &passing));
    }

    /// The mutants that pass, tried on all cores.
    fn passing_of<'m>(&self, mutants: &'m [Mutant]) -> Vec<&'m Mutant> {
        let next = Mutex::new(mutants.iter().enumerate());
        let found = Mutex::new(Vec::new());
        let work = || {
            loop {
                let Some((number, mutant)) = next.lock().ok().and_then(|mut next| next.next()) else { return };
                let passes = matches!(judge(self.lesson, self.handling, &mutant.text), Ok(Judgement::Passes { .. }));
                if let (true, Ok(mut found)) = (passes, found.lock()) {
                    found.push((number, mutant));
                }
            }
        };
        thread::scope(|scope| {
            (0..thread::available_parallelism().map_or(1, usize::from)).for_each(|_| _ = scope.spawn(work));
        });
        let mut found = found.into_inner().unwrap_or_default();
        found.sort_by_key(|(number, _)| *number);
        found.into_iter().map(|(_, mutant)| mutant).collect()
    }
}
