//! Judges scripts of learners in every case, as the page does; and checks tasks of this kind.
use std::collections::BTreeSet;

use lesson::scripting::{Case, Scripting};
use lesson::source::Proofs;
use lesson::{Check, Lesson};
use world::Timeline;
use world::claim::{Claim, Outcome};

use super::play;
use super::written::{Judged, Prover, Wrong};

/// The verdict on a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Every claim holds in every case.
    Passes,
    /// The first case in which a claim does not hold.
    Fails {
        /// Its id.
        case: String,
        /// What came of it.
        outcome: Outcome,
    },
}

impl Judged for Judgement {
    fn has_passed(&self) -> bool {
        *self == Judgement::Passes
    }

    fn describe(&self) -> String {
        match self {
            Judgement::Passes => "passes".to_owned(),
            Judgement::Fails { case, outcome } => {
                let replies = outcome.replies.iter().map(|(client, text)| format!("{client}: {}", text.trim_end()));
                let replies = replies.collect::<Vec<_>>().join("; ");
                let held = outcome.holds.iter().filter(|holds| **holds).count();
                format!("{case}: {held} of {} claims hold; {replies}", outcome.holds.len())
            }
        }
    }
}

/// Judges a script.
///
/// # Errors
/// If a case cannot be played, independent of the script.
pub fn judge(lesson: &Lesson, scripting: &Scripting, script: &str) -> Result<Judgement, String> {
    for case in &scripting.cases {
        let outcome = outcome(lesson, case, script)?;
        if !outcome.has_passed() {
            return Ok(Judgement::Fails { case: case.id.clone(), outcome });
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
    let judge = |script: &str| judge(lesson, scripting, script);
    let mut prover = Prover::new("script", proofs, &judge);
    prover.faults = objections(scripting);
    if prover.faults.is_empty() {
        let mut judged = vec![prover.beginning(&scripting.start)];
        prover.passing();
        failing(scripting, proofs, &mut prover, &mut judged);
        prover.faults.extend(needless(scripting, &judged));
        IDLE.iter().for_each(|script| _ = prover.idle(script));
    }
    if with_mutants && prover.faults.is_empty() {
        prover.mutants();
    }
    (prover.lines, prover.faults)
}

/// Claims that hold whenever a script of the folder fails in their case. Idle scripts do not count: one that never ends fails every claim.
fn needless(scripting: &Scripting, judged: &[Option<Judgement>]) -> Vec<String> {
    let is_needed = |case: &Case, nth: usize| {
        judged.iter().flatten().any(|judgement| match judgement {
            Judgement::Fails { case: failed, outcome } => *failed == case.id && outcome.holds.get(nth) == Some(&false),
            Judgement::Passes => false,
        })
    };
    let claims = scripting.cases.iter().flat_map(|case| case.checks.iter().enumerate().map(move |claim| (case, claim)));
    let needless = claims.filter(|(case, (nth, _))| !is_needed(case, *nth));
    needless
        .map(|(case, (_, check))| {
            format!("{}: holds for every wrong script, so nothing needs it: {}", case.id, check.claim)
        })
        .collect()
}

/// Claims that make no sense in any world.
fn objections(scripting: &Scripting) -> Vec<String> {
    let checks = scripting.cases.iter().flat_map(|case| &case.checks);
    let objection = |check: &Check| match Claim::from_text(&check.claim) {
        None => Some(format!("`{}` is no claim", check.claim)),
        Some(claim) => claim.objection(),
    };
    checks.filter_map(objection).collect()
}

/// Wrong scripts and cheats fail first in the recorded case, and one of them in each case. No two wrong scripts do the same there, for that
/// is how one is recognised.
fn failing(
    scripting: &Scripting,
    proofs: &Proofs,
    prover: &mut Prover<'_, Judgement>,
    judged: &mut Vec<Option<Judgement>>,
) {
    let wrong = scripting.wrong.iter().map(|wrong| (wrong.title.as_str(), &wrong.text, &wrong.variation, true));
    let cheats = proofs.cheats.iter();
    let cheats = cheats.map(|cheat| (cheat.functions.file.as_str(), &cheat.functions.text, &cheat.variation, false));
    let (mut failed, mut seen) = (BTreeSet::new(), Vec::<(&str, &String, Outcome)>::new());
    for (name, text, variation, is_recognised) in wrong.chain(cheats) {
        let wrong = Wrong { name, text, recorded: variation.clone() };
        let is_there = |judgement: &Judgement| matches!(judgement, Judgement::Fails { case, .. } if case == variation);
        let judgement = prover.failing(&wrong, is_there);
        judged.push(judgement.clone());
        let Some(Judgement::Fails { case, outcome }) = judgement.filter(is_there) else { continue };
        failed.insert(case);
        if is_recognised {
            let alike = seen.iter().find(|(_, at, found)| *at == variation && found.is_like(&outcome));
            if let Some((other, ..)) = alike {
                prover.faults.push(format!("\"{name}\" does the same as \"{other}\""));
            }
            seen.push((name, variation, outcome));
        }
    }
    for case in scripting.cases.iter().filter(|case| !failed.contains(&case.id)) {
        prover.faults.push(format!("no wrong script and no cheat fails first in the case `{}`", case.id));
    }
}
