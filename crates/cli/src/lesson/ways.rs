//! Checks a state to reach: it does not hold at the start, every right way leads to it, each wrong way is rejected and recognised, and
//! every check fails somewhere.
use lesson::source::Ways;
use lesson::{Achieve, Lesson};
use world::claim::{Claim, Record};

use super::play;

/// Checks a state to reach. Returns the checks, one line each, and the mistakes.
pub fn prove(lesson: &Lesson, achieve: &Achieve, ways: &Ways) -> (Vec<String>, Vec<String>) {
    let mut prover = Prover { lesson, checks: Vec::new(), wrong: Vec::new(), lines: Vec::new(), faults: Vec::new() };
    prover.checks = achieve.checks.iter().filter_map(|check| prover.claim(&check.claim)).collect();
    for way in &achieve.wrong {
        let claims = way.claims.iter().filter_map(|claim| prover.claim(claim)).collect();
        prover.wrong.push((&way.title, claims));
    }
    if prover.faults.is_empty() {
        prover.lines.push(format!("task {}: reach a state, {} checks", ways.task, achieve.checks.len()));
        prover.go(&ways.right, &ways.wrong);
    }
    (prover.lines, prover.faults)
}

struct Prover<'a> {
    lesson: &'a Lesson,
    checks: Vec<Claim>,
    /// Heading and claims of each wrong way.
    wrong: Vec<(&'a str, Vec<Claim>)>,
    lines: Vec<String>,
    faults: Vec<String>,
}

/// The state at the end of a way: which checks hold, and the first recognised wrong way.
struct Standing {
    held: Vec<bool>,
    wrong: Option<usize>,
}

impl Standing {
    fn is_reached(&self) -> bool {
        self.wrong.is_none() && self.held.iter().all(|holds| *holds)
    }
}

impl Prover<'_> {
    /// Parses a claim of the lesson and reports its mistakes.
    fn claim(&mut self, text: &str) -> Option<Claim> {
        let claim = Claim::from_text(text);
        let objection = match &claim {
            None => Some(format!("`{text}` is no claim")),
            Some(claim) => claim.objection(),
        };
        self.faults.extend(objection);
        claim
    }

    fn go(&mut self, right: &[Vec<String>], wrong: &[Vec<String>]) {
        let Some(begin) = self.standing(&[]) else { return };
        if begin.is_reached() {
            self.faults.push("it is reached before anything has happened".to_owned());
        }
        let mut tested: Vec<bool> = begin.held.iter().map(|holds| !holds).collect();
        for way in right {
            let Some(standing) = self.standing(way) else { continue };
            self.lines.push(format!("  {}", way.join("; ")));
            if let Some((title, _)) = standing.wrong.and_then(|nth| self.wrong.get(nth)) {
                self.faults.push(format!("the right way {way:?} is taken for the wrong way \"{title}\""));
            }
            for (claim, _) in self.checks.iter().zip(&standing.held).filter(|(_, holds)| !**holds) {
                self.faults.push(format!("after the right way {way:?} this does not hold: {}", claim.to_text()));
            }
        }
        for (nth, way) in wrong.iter().enumerate() {
            let Some(standing) = self.standing(way) else { continue };
            let title = self.wrong.get(nth).map_or("", |(title, _)| *title);
            self.lines.push(format!("  \"{title}\": {}", way.join("; ")));
            if standing.wrong != Some(nth) {
                let found = standing.wrong.and_then(|found| self.wrong.get(found));
                let found = found.map_or("none".to_owned(), |(title, _)| format!("\"{title}\""));
                self.faults
                    .push(format!("the example of the wrong way \"{title}\" is not recognised; found was {found}"));
            }
            for (tested, holds) in tested.iter_mut().zip(&standing.held) {
                *tested |= !holds;
            }
        }
        for (claim, _) in self.checks.iter().zip(&tested).filter(|(_, tested)| !**tested) {
            let claim = claim.to_text();
            self.faults.push(format!("holds at the beginning and in every wrong way, so nothing needs it: {claim}"));
        }
    }

    /// The state after these lines.
    fn standing(&mut self, way: &[String]) -> Option<Standing> {
        let played = match play::play(self.lesson, way) {
            Ok(played) => played,
            Err((at, why)) => {
                let line = at.and_then(|at| way.get(at)).map_or("", String::as_str);
                self.faults.push(format!("`{line}`: {why}"));
                return None;
            }
        };
        let holds =
            |claims: &[Claim]| Record::of(claims, played.steps(self.lesson)).holds(claims, played.world(), usize::MAX);
        Some(Standing {
            held: holds(&self.checks),
            wrong: self.wrong.iter().position(|(_, claims)| holds(claims).iter().all(|holds| *holds)),
        })
    }
}

#[cfg(test)]
mod tests {
    use lesson::{Check, WrongWay};

    use super::*;

    const LOCK: &str = "ask 'GET lock' is '\"c1\"'";

    /// The mistakes found for a state with these checks, these claims of a wrong way, and these ways.
    fn faults(checks: &[&str], wrong: &[&str], right: &[&str], missed: &[&str]) -> Vec<String> {
        let lesson = Lesson { setup: vec!["SET stock 5".into()], ..Lesson::default() };
        let line = |line: &&str| vec![(*line).to_owned()];
        let achieve = Achieve {
            checks: checks.iter().map(|claim| Check { claim: (*claim).into(), ..Check::default() }).collect(),
            wrong: wrong.iter().map(|claim| WrongWay { claims: line(claim), ..WrongWay::default() }).collect(),
        };
        let ways = Ways {
            task: "t".into(),
            right: right.iter().map(line).collect(),
            wrong: missed.iter().map(line).collect(),
        };
        prove(&lesson, &achieve, &ways).1
    }

    #[test]
    fn a_state_with_its_ways_passes() {
        let checks = [LOCK, "ask 'TTL lock' in 1 10"];
        let wrong = ["ask 'TTL lock' is '(integer) -1'", "sent 'SET lock' lacks NX"];
        let right = ["c1> SET lock c1 NX EX 10", "c1> SET lock c1 PX 900 NX"];
        let missed = ["c1> SETNX lock c1", "c1> SET lock c1 EX 10"];
        assert_eq!(faults(&checks, &wrong, &right, &missed), [""; 0]);
    }

    #[test]
    fn mistakes_in_checks_and_ways_are_reported() {
        let expect = |faults: Vec<String>, expected: &str| {
            assert!(faults.iter().any(|fault| fault.contains(expected)), "{expected}: {faults:#?}");
        };
        let (right, wrong, missed) = (["c1> SET lock c1 EX 9"], ["ask 'TTL lock' in -1 -1"], ["c1> SETNX lock c1"]);
        expect(faults(&["lock is mine"], &[], &[], &[]), "`lock is mine` is no claim");
        expect(faults(&["ask 'DEL lock' in 1 1"], &wrong, &right, &missed), "`DEL lock` does not only read");
        expect(faults(&[LOCK], &["without EXPIER"], &right, &missed), "there is no command `EXPIER`");
        expect(faults(&["ask 'GET stock' is '\"5\"'"], &wrong, &right, &missed), "it is reached before anything");
        expect(faults(&[LOCK], &wrong, &["c2> SET lock c2 EX 9"], &missed), "this does not hold: ask \"GET lock\"");
        expect(faults(&[LOCK], &wrong, &missed, &missed), "is taken for the wrong way");
        expect(faults(&[LOCK], &wrong, &right, &right), "is not recognised; found was none");
        expect(faults(&[LOCK, "at-most 1"], &wrong, &right, &missed), "nothing needs it: at-most 1");
        expect(faults(&[LOCK], &wrong, &["c9> PING"], &missed), "`c9> PING`: ");
    }
}
