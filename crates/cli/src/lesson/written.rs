//! What the checks of handlers and scripts share: one that a learner writes is judged as a whole, and either passes or fails somewhere.
use std::sync::Mutex;
use std::thread;

use lesson::source::{Functions, Proofs};

use super::mutants::{self, Mutant};

/// A verdict on something that a learner writes.
pub trait Judged {
    /// Whether it passes everywhere.
    fn has_passed(&self) -> bool;

    /// In words.
    fn describe(&self) -> String;
}

/// A wrong text that must fail where it is recorded to.
pub struct Wrong<'a> {
    /// Its title, or its file.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
    /// Where it must fail first, in words.
    pub recorded: String,
}

/// Collects what the checks of one task find.
pub struct Prover<'a, J> {
    /// `handler` or `script`.
    what: &'static str,
    proofs: &'a Proofs,
    /// Judges a text. An error has nothing to do with the text.
    judge: &'a (dyn Fn(&str) -> Result<J, String> + Sync),
    /// The checks, one line each.
    pub lines: Vec<String>,
    /// The mistakes.
    pub faults: Vec<String>,
}

impl<'a, J: Judged> Prover<'a, J> {
    /// A prover that has found nothing yet.
    pub fn new(
        what: &'static str,
        proofs: &'a Proofs,
        judge: &'a (dyn Fn(&str) -> Result<J, String> + Sync),
    ) -> Prover<'a, J> {
        Prover { what, proofs, judge, lines: Vec::new(), faults: Vec::new() }
    }

    /// Judges a text, and notes the verdict.
    pub fn judge(&mut self, name: &str, text: &str) -> Option<J> {
        match (self.judge)(text) {
            Ok(judgement) => {
                self.lines.push(format!("  {name}: {}", judgement.describe()));
                Some(judgement)
            }
            Err(why) => {
                self.faults.push(format!("{name}: {why}"));
                None
            }
        }
    }

    /// The initial text fails.
    pub fn beginning(&mut self, start: &str) -> Option<J> {
        let judgement = self.judge("begins with", start)?;
        if judgement.has_passed() {
            self.faults.push("what one begins with passes".to_owned());
        }
        Some(judgement)
    }

    /// At least two different texts pass.
    pub fn passing(&mut self) {
        if self.proofs.passing.len() < 2 {
            let what = self.what;
            self.faults.push(format!("there is a solution and at least one other {what} that passes (`right`)"));
        }
        for Functions { file, text } in &self.proofs.passing {
            if let Some(judgement) = self.judge(file, text).filter(|judgement| !judgement.has_passed()) {
                self.faults.push(format!("{file} does not pass: {}", judgement.describe()));
            }
        }
    }

    /// A wrong text fails where it is recorded to; returns its judgement, whatever it is.
    pub fn failing(&mut self, wrong: &Wrong<'_>, is_recorded: impl FnOnce(&J) -> bool) -> Option<J> {
        let judgement = self.judge(wrong.name, wrong.text)?;
        if !is_recorded(&judgement) {
            let Wrong { name, recorded, .. } = wrong;
            self.faults.push(format!("{name}: recorded is {recorded}; found was {}", judgement.describe()));
        }
        Some(judgement)
    }

    /// A text that hardly does anything fails.
    pub fn idle(&mut self, text: &str) -> Option<J> {
        let name = text.lines().next().unwrap_or("nothing at all");
        let judgement = self.judge(name, text)?;
        if judgement.has_passed() {
            self.faults.push(format!("a {} passes that is idle: {name}", self.what));
        }
        Some(judgement)
    }

    /// No mutant of the solution passes, unless it is recorded as harmless.
    pub fn mutants(&mut self) {
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
        let judge = self.judge;
        let work = || {
            loop {
                let Some((number, mutant)) = next.lock().ok().and_then(|mut next| next.next()) else { return };
                let passes = judge(&mutant.text).is_ok_and(|judgement| judgement.has_passed());
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
