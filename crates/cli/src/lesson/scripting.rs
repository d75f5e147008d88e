//! Judges scripts of learners in every case, as the page does; and checks tasks of this kind.
use std::collections::BTreeSet;

use lesson::Lesson;
use lesson::scripting::{Case, Scripting};
use lesson::source::{Functions, Proofs};
use world::Timeline;
use world::claim::{Claim, Outcome};

use super::{mutants, play};

/// The verdict on a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Every claim holds in every case.
    Passes,
    /// The first case in which a claim does not hold.
    Fails {
        /// The index of the case.
        case: usize,
        /// Its id.
        id: String,
        /// What came of it.
        outcome: Outcome,
    },
}

impl Judgement {
    /// In words.
    pub fn describe(&self) -> String {
        match self {
            Judgement::Passes => "passes".to_owned(),
            Judgement::Fails { id, outcome, .. } => {
                let replies = outcome.replies.iter().map(|(client, text)| format!("{client}: {}", text.trim_end()));
                let replies = replies.collect::<Vec<_>>().join("; ");
                format!("{id}: {} of {} claims hold; {replies}", count(&outcome.holds), outcome.holds.len())
            }
        }
    }
}

fn count(holds: &[bool]) -> usize {
    holds.iter().filter(|holds| **holds).count()
}

/// Judges a script.
///
/// # Errors
/// If a case cannot be played, independent of the script.
pub fn judge(lesson: &Lesson, scripting: &Scripting, script: &str) -> Result<Judgement, String> {
    for (nth, case) in scripting.cases.iter().enumerate() {
        let outcome = outcome(lesson, case, script)?;
        if !outcome.has_passed() {
            return Ok(Judgement::Fails { case: nth, id: case.id.clone(), outcome });
        }
    }
    Ok(Judgement::Passes)
}

/// What comes of a script in a case.
fn outcome(lesson: &Lesson, case: &Case, script: &str) -> Result<Outcome, String> {
    let timeline = Timeline::from_text(&case.session(lesson, script), &play::engines())
        .map_err(|why| format!("case {}: {why}", case.id))?;
    let claims = case.checks.iter().map(|check| Claim::from_text(&check.claim)).collect::<Option<Vec<_>>>();
    let claims = claims.ok_or_else(|| format!("case {}: one of its claims is none", case.id))?;
    Ok(Outcome::of(&claims, &timeline, case.stage(lesson).opening().len()))
}

/// Scripts that do as little as possible.
const IDLE: [&str; 9] = [
    "",
    "return nil",
    "return 0",
    "return 1",
    "return {}",
    "return KEYS",
    "return ARGV",
    "return redis.status_reply('OK')",
    "while true do end",
];

/// Checks a task to write a script. Returns the checks, one line each, and the mistakes. `with_mutants`: also tries mutated solutions.
pub fn prove(
    lesson: &Lesson,
    scripting: &Scripting,
    proofs: &Proofs,
    with_mutants: bool,
) -> (Vec<String>, Vec<String>) {
    let mut prover =
        Prover { lesson, scripting, proofs, lines: Vec::new(), faults: Vec::new(), failed: BTreeSet::new() };
    prover.claims();
    if prover.faults.is_empty() {
        prover.beginning();
        prover.passing();
        prover.failing();
        prover.idle();
        prover.cases();
    }
    if with_mutants && prover.faults.is_empty() {
        prover.mutants();
    }
    (prover.lines, prover.faults)
}

struct Prover<'a> {
    lesson: &'a Lesson,
    scripting: &'a Scripting,
    proofs: &'a Proofs,
    lines: Vec<String>,
    faults: Vec<String>,
    /// Ids of cases in which some script of the folder fails first.
    failed: BTreeSet<String>,
}

impl Prover<'_> {
    fn judge(&mut self, name: &str, script: &str) -> Option<Judgement> {
        match judge(self.lesson, self.scripting, script) {
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

    /// The claims make sense in any world.
    fn claims(&mut self) {
        for check in self.scripting.cases.iter().flat_map(|case| &case.checks) {
            match Claim::from_text(&check.claim) {
                None => self.faults.push(format!("`{}` is no claim", check.claim)),
                Some(claim) => self.faults.extend(claim.objection()),
            }
        }
    }

    /// The initial script fails.
    fn beginning(&mut self) {
        if let Some(Judgement::Passes) = self.judge("begins with", &self.scripting.start) {
            self.faults.push("what one begins with passes".to_owned());
        }
    }

    /// At least two different scripts pass.
    fn passing(&mut self) {
        if self.proofs.passing.len() < 2 {
            self.faults.push("there is a solution and at least one other script that passes (`right`)".to_owned());
        }
        for Functions { file, text } in &self.proofs.passing {
            if let Some(judgement @ Judgement::Fails { .. }) = self.judge(file, text) {
                self.faults.push(format!("{file} does not pass: {}", judgement.describe()));
            }
        }
    }

    /// Wrong scripts and cheats fail first in the recorded case. No two wrong scripts do the same there, for that is how one is recognised.
    fn failing(&mut self) {
        let mut seen: Vec<(&str, usize, Outcome)> = Vec::new();
        for wrong in &self.scripting.wrong {
            let Some(judgement) = self.judge(&wrong.title, &wrong.text) else { continue };
            match judgement {
                Judgement::Fails { case, id, outcome } if id == wrong.variation => {
                    self.failed.insert(id);
                    if let Some((other, ..)) = seen.iter().find(|(_, at, found)| *at == case && found.is_like(&outcome))
                    {
                        self.faults.push(format!("\"{}\" does the same as \"{other}\"", wrong.title));
                    }
                    seen.push((&wrong.title, case, outcome));
                }
                other => {
                    let (title, recorded) = (&wrong.title, &wrong.variation);
                    self.faults.push(format!("{title}: recorded is {recorded}; found was {}", other.describe()));
                }
            }
        }
        for cheat in &self.proofs.cheats {
            let Some(judgement) = self.judge(&cheat.functions.file, &cheat.functions.text) else { continue };
            match judgement {
                Judgement::Fails { id, .. } if id == cheat.variation => _ = self.failed.insert(id),
                other => {
                    let (file, recorded) = (&cheat.functions.file, &cheat.variation);
                    self.faults.push(format!("{file}: recorded is {recorded}; found was {}", other.describe()));
                }
            }
        }
    }

    /// No script passes that hardly does anything.
    fn idle(&mut self) {
        for script in IDLE {
            if let Some(Judgement::Passes) = self.judge(&format!("`{script}`"), script) {
                self.faults.push(format!("a script passes that hardly does anything: `{script}`"));
            }
        }
    }

    /// Every case is the first in which some wrong script or cheat fails.
    fn cases(&mut self) {
        for case in self.scripting.cases.iter().filter(|case| !self.failed.contains(&case.id)) {
            self.faults.push(format!("no wrong script and no cheat fails first in the case `{}`", case.id));
        }
    }

    /// No mutant of the solution passes, unless it is recorded as harmless.
    fn mutants(&mut self) {
        let Some(solution) = self.proofs.passing.first() else { return };
        let mutants = match mutants::of(&solution.text) {
            Ok(mutants) => mutants,
            Err(why) => return self.faults.push(format!("{}: {why}", solution.file)),
        };
        let passes = |text: &str| matches!(judge(self.lesson, self.scripting, text), Ok(Judgement::Passes));
        let passing: Vec<_> = mutants.iter().filter(|mutant| passes(&mutant.text)).collect();
        self.lines.push(format!(
            "  {}: {} changes, {} pass, each with its reason",
            solution.file,
            mutants.len(),
            passing.len()
        ));
        self.faults.extend(mutants::objections(self.proofs, &solution.file, &passing));
    }
}
