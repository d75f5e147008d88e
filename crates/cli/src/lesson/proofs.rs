//! Checks a repair: the initial program fails, right programs pass, wrong ones and cheats fail for the recorded reason, no property is
//! idle, and no mutant of the solution passes unless it is recorded as harmless.
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use lesson::repair::{Repair, Tested, Variation};
use lesson::source::{Mistake, Proofs, Source};
use lesson::{Lesson, Verdict};

use super::judge::{Failure, Judgement, Search, fails_on, judge, judge_on};
use super::mutants::{self, Mutant};
use super::written::Judged;

/// A mutant is searched over this many times the worlds of the solution.
const MUTANT_FACTOR: usize = 10;
/// Minimum number of worlds searched for a mutant.
const MUTANT_STATES_MIN: usize = 3_000;

/// The result of the checks.
pub struct Proven {
    /// Passed checks, one line each.
    pub lines: Vec<String>,
    /// Mistakes.
    pub faults: Vec<Mistake>,
    /// Ids of properties that some functions break.
    pub broken: BTreeSet<String>,
}

/// Checks a repair; `with_mutants`: also tries mutated solutions.
pub fn prove(source: &Source, lesson: &Lesson, repair: &Repair, proofs: &Proofs, with_mutants: bool) -> Proven {
    let place = format!("task.{}", proofs.task);
    let proven = Proven { lines: Vec::new(), faults: Vec::new(), broken: BTreeSet::new() };
    let mut prover = Prover { source, lesson, repair, proofs, place, proven };
    prover.beginning();
    prover.passing();
    prover.failing();
    prover.idle();
    prover.properties();
    if with_mutants {
        prover.mutants();
    }
    prover.proven
}

struct Prover<'a> {
    source: &'a Source,
    lesson: &'a Lesson,
    repair: &'a Repair,
    proofs: &'a Proofs,
    place: String,
    proven: Proven,
}

impl Prover<'_> {
    fn fault(&mut self, what: impl Into<String>) {
        self.proven.faults.push(self.source.fault(&self.place, what));
    }

    fn say(&mut self, line: String) {
        self.proven.lines.push(line);
    }

    fn judge(&mut self, functions: &str) -> Option<Judgement> {
        match judge(self.lesson, self.repair, functions, Search::Reduced) {
            Ok(judgement) => {
                if let Judgement::Fails { why: Failure::Broken { property, .. }, .. } = &judgement {
                    self.proven.broken.insert(property.clone());
                }
                Some(judgement)
            }
            Err(why) => {
                self.fault(why);
                None
            }
        }
    }

    /// The initial program breaks a property.
    fn beginning(&mut self) {
        match self.judge(&self.repair.start) {
            Some(Judgement::Fails { variation, why: why @ Failure::Broken { .. } }) => {
                self.say(format!("  begins with: {variation}: {}", why.describe()));
            }
            Some(other) => self.fault(format!("what one begins with breaks nothing: {}", other.describe())),
            None => {}
        }
    }

    /// At least two different programs pass.
    fn passing(&mut self) {
        if self.proofs.passing.len() < 2 {
            self.fault("a repair has a solution and at least one other program that passes (`right`)");
        }
        for functions in &self.proofs.passing {
            let Some(judgement) = self.judge(&functions.text) else { continue };
            self.say(format!("  {}: {}", functions.file, judgement.describe()));
            if !matches!(judgement, Judgement::Passes { .. }) {
                self.fault(format!("{} does not pass: {}", functions.file, judgement.describe()));
                continue;
            }
            match judge(self.lesson, self.repair, &functions.text, Search::Plain) {
                Ok(plain @ Judgement::Passes { .. }) => self.say(format!("    in every order: {}", plain.describe())),
                Ok(other) => self.fault(format!("{}: a plain search says: {}", functions.file, other.describe())),
                Err(why) => self.fault(why),
            }
        }
    }

    /// Wrong answers and cheats fail in the recorded variation for the recorded reason.
    fn failing(&mut self) {
        for wrong in &self.repair.wrong {
            let Some(judgement) = self.judge(&wrong.text) else { continue };
            self.say(format!("  \"{}\": {}", wrong.title, judgement.describe()));
            let is_it = match &judgement {
                Judgement::Fails { variation, why: Failure::Broken { property, way, .. } } => {
                    *variation == wrong.variation && *property == wrong.property && *way == wrong.way
                }
                _ => false,
            };
            if !is_it {
                let (variation, property, way) = (&wrong.variation, &wrong.property, &wrong.way);
                self.fault(format!(
                    "the wrong answer \"{}\": recorded is {variation}: {property} broken by \"{way}\"; found was {}",
                    wrong.title,
                    judgement.describe()
                ));
            }
        }
        for cheat in &self.proofs.cheats {
            let Some(judgement) = self.judge(&cheat.functions.text) else { continue };
            let file = &cheat.functions.file;
            self.say(format!("  {file}: {}", judgement.describe()));
            let is_it = match &judgement {
                Judgement::Fails { variation, why } => {
                    *variation == cheat.variation && why.property() == Some(cheat.property.as_str())
                }
                Judgement::Passes { .. } => false,
            };
            if !is_it {
                let (variation, property) = (&cheat.variation, &cheat.property);
                self.fault(format!("{file}: recorded is {variation}: {property}; found was {}", judgement.describe()));
            }
        }
    }

    /// No program passes that does nothing.
    fn idle(&mut self) {
        for answer in ["", "return false", "return true", "return 1", "return ..."] {
            let idle = idle(&self.repair.start, answer);
            if let Some(judgement @ Judgement::Passes { .. }) = self.judge(&idle) {
                self.fault(format!("functions that only `{answer}` pass: {}", judgement.describe()));
            }
        }
    }

    /// Each property is broken by some functions, and holds for no empty program.
    fn properties(&mut self) {
        let mut open: Vec<(&Variation, &str)> = Vec::new();
        for variation in &self.repair.variations {
            for property in &variation.properties {
                match fails_on(self.lesson, self.repair, variation, "", &property.id) {
                    Ok((false, false)) => {
                        self.fault(format!("{}: `{}` holds of an empty program", variation.id, property.id));
                    }
                    Ok((true, _)) => _ = self.proven.broken.insert(property.id.clone()),
                    Ok(_) => open.push((variation, &property.id)),
                    Err(why) => self.fault(why),
                }
            }
        }
        let starts = [self.repair.start.clone(), idle(&self.repair.start, ""), idle(&self.repair.start, "return true")];
        let wrong = self.repair.wrong.iter().map(|wrong| wrong.text.clone());
        let cheats = self.proofs.cheats.iter().map(|cheat| cheat.functions.text.clone());
        let programs: Vec<String> = starts.into_iter().chain(wrong).chain(cheats).collect();
        for (variation, property) in open {
            if self.proven.broken.contains(property) {
                continue;
            }
            let mut tried =
                programs.iter().map(|program| fails_on(self.lesson, self.repair, variation, program, property));
            if tried.any(|found| matches!(found, Ok((true, _)))) {
                self.proven.broken.insert(property.to_owned());
            }
        }
        let all: BTreeSet<&str> = self
            .repair
            .variations
            .iter()
            .flat_map(|variation| variation.properties.iter().map(|property| property.id.as_str()))
            .collect();
        for property in all {
            let is_broken_on_stage = self
                .lesson
                .properties
                .iter()
                .any(|other| other.id == property && matches!(other.verdict, Verdict::Broken { .. }));
            if !is_broken_on_stage && !self.proven.broken.contains(property) {
                self.fault(format!(
                    "no functions of the folder break `{property}`: add a wrong answer or a cheat that does"
                ));
            }
        }
    }

    /// No mutant of the solution passes, unless it is recorded as harmless.
    fn mutants(&mut self) {
        let Some(solution) = self.proofs.passing.first() else { return };
        let mutants = match mutants::of(&solution.text) {
            Ok(mutants) => mutants,
            Err(why) => return self.fault(format!("{} cannot be changed: {why}", solution.file)),
        };
        let (passing, undecided) = self.passing_of(&solution.text, &mutants);
        self.say(format!(
            "  {}: {} changes, {} pass, each with its reason; {undecided} have a space many times that of the solution",
            solution.file,
            mutants.len(),
            passing.len()
        ));
        let objections = mutants::objections(self.proofs, &solution.file, &passing);
        objections.into_iter().for_each(|what| self.fault(what));
    }

    /// The mutants that pass, tried on all cores, and the number whose search was not complete: a variation is searched over
    /// [`MUTANT_FACTOR`] times as many worlds as the solution has there.
    fn passing_of<'m>(&self, solution: &str, mutants: &'m [Mutant]) -> (Vec<&'m Mutant>, usize) {
        let Ok(Judgement::Passes { states }) = judge(self.lesson, self.repair, solution, Search::Reduced) else {
            return (Vec::new(), 0);
        };
        let bounds: Vec<usize> =
            states.iter().map(|states| states.saturating_mul(MUTANT_FACTOR).max(MUTANT_STATES_MIN)).collect();
        let next = Mutex::new(mutants.iter().enumerate());
        let found = Mutex::new(Vec::new());
        let undecided = AtomicUsize::new(0);
        let work = || {
            loop {
                let Some((number, mutant)) = next.lock().ok().and_then(|mut next| next.next()) else { return };
                match self.first_failure(&mutant.text, &bounds) {
                    None => {
                        if let Ok(mut found) = found.lock() {
                            found.push((number, mutant));
                        }
                    }
                    Some(Failure::Undecided(_)) => _ = undecided.fetch_add(1, Ordering::Relaxed),
                    Some(_) => {}
                }
            }
        };
        thread::scope(|scope| {
            (0..thread::available_parallelism().map_or(1, usize::from)).for_each(|_| _ = scope.spawn(work));
        });
        let mut found = found.into_inner().unwrap_or_default();
        found.sort_by_key(|(number, _)| *number);
        (found.into_iter().map(|(_, mutant)| mutant).collect(), undecided.into_inner())
    }

    /// Why functions fail, if each variation is searched over at most this many worlds; `None`: they pass.
    fn first_failure(&self, functions: &str, bounds: &[usize]) -> Option<Failure> {
        let mut tested = Tested::default();
        for (variation, bound) in self.repair.variations.iter().zip(bounds) {
            match judge_on(self.lesson, self.repair, variation, functions, Search::Within(*bound)) {
                Ok(Ok(progress)) => tested.note(variation, progress.untested),
                Ok(Err(why)) => return Some(why),
                Err(why) => return Some(Failure::Refused(why)),
            }
        }
        tested.idle().map(|(property, _)| Failure::Untested { property: property.to_owned() })
    }
}

/// The same functions, each with only this body.
fn idle(functions: &str, answer: &str) -> String {
    let names =
        functions.lines().filter_map(|line| line.strip_prefix("function ")?.split_once('(').map(|(name, _)| name));
    names.map(|name| format!("function {name}(...) {answer} end\n")).collect()
}
