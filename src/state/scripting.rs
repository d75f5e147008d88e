//! Tests a learner's script: one case after the other until something does not hold there, then which known mistake does the same.
use std::rc::Rc;

use ::lesson::scripting::{Case, Scripting};
use world::Timeline;
use world::claim::{Claim, Outcome};

/// The test of a script.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    script: Rc<str>,
    /// What came of each case so far.
    outcomes: Vec<Outcome>,
    /// How many known mistakes were compared in the case that failed.
    compared: usize,
    /// The index of the known mistake that does the same.
    known: Option<usize>,
    /// A case could not be played, or the test was stopped.
    end: Option<End>,
}

/// Why a test ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The learner stopped it.
    Stopped,
    /// A case could not be played.
    Failed,
}

impl Attempt {
    /// A test that starts now.
    pub fn new(script: &Rc<str>) -> Attempt {
        Attempt { script: Rc::clone(script), outcomes: Vec::new(), compared: 0, known: None, end: None }
    }

    /// The script.
    pub fn script(&self) -> &Rc<str> {
        &self.script
    }

    /// What came of each case so far.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// The index of the known mistake that does the same in the case that failed.
    pub fn known(&self) -> Option<usize> {
        self.known
    }

    /// Why the test ended without a result.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// The index of the case that failed.
    pub fn failed(&self) -> Option<usize> {
        let last = self.outcomes.len().checked_sub(1)?;
        self.outcomes.get(last).filter(|outcome| !outcome.has_passed()).map(|_| last)
    }

    /// What to play next: a case, and the script to play there; `None` once the test is over.
    pub fn next<'a>(&'a self, scripting: &'a Scripting) -> Option<(&'a Case, &'a str)> {
        if self.end.is_some() || self.known.is_some() {
            return None;
        }
        match self.failed() {
            None => Some((scripting.cases.get(self.outcomes.len())?, &self.script)),
            Some(failed) => {
                let case = scripting.cases.get(failed)?;
                let (_, wrong) = mistakes(scripting, case).nth(self.compared)?;
                Some((case, wrong))
            }
        }
    }

    /// The test after what [`Attempt::next`] named was played; `None`: it could not be.
    #[must_use]
    pub fn after(mut self, scripting: &Scripting, outcome: Option<Outcome>) -> Attempt {
        match (self.failed(), outcome) {
            (None, Some(outcome)) => self.outcomes.push(outcome),
            (None, None) => self.end = Some(End::Failed),
            // The result stands, whatever becomes of the comparison.
            (Some(failed), outcome) => {
                let case = scripting.cases.get(failed);
                let compared = case.and_then(|case| mistakes(scripting, case).nth(self.compared));
                let is_like = |outcome: &Outcome| self.outcomes.get(failed).is_some_and(|own| own.is_like(outcome));
                if outcome.as_ref().is_some_and(is_like) {
                    self.known = compared.map(|(nth, _)| nth);
                }
                self.compared = self.compared.saturating_add(1);
            }
        }
        self
    }

    /// The test after the learner stopped it.
    #[must_use]
    pub fn stopped(mut self) -> Attempt {
        self.end = Some(End::Stopped);
        self
    }

    /// Whether everything holds in every case.
    pub fn has_passed(&self, scripting: &Scripting) -> bool {
        self.end.is_none() && self.failed().is_none() && self.outcomes.len() == scripting.cases.len()
    }
}

/// The known mistakes that fail first in this case, with their indices.
fn mistakes<'a>(scripting: &'a Scripting, case: &'a Case) -> impl Iterator<Item = (usize, &'a str)> {
    let wrong = scripting.wrong.iter().enumerate().filter(|(_, wrong)| wrong.variation == case.id);
    wrong.map(|(nth, wrong)| (nth, wrong.text.as_str()))
}

/// What came of a case, after the first `before` steps of its session; `None` if it has no claims, which `lesson check` rules out.
pub fn outcome(case: &Case, timeline: &Timeline, before: usize) -> Option<Outcome> {
    let claims = case.checks.iter().map(|check| Claim::from_text(&check.claim)).collect::<Option<Vec<_>>>()?;
    (!claims.is_empty()).then(|| Outcome::of(&claims, timeline, before))
}

#[cfg(test)]
mod tests {
    use ::lesson::Wrong;

    use super::*;

    fn scripting() -> Scripting {
        let case = |id: &str| Case { id: id.into(), ..Case::default() };
        let wrong =
            |variation: &str, text: &str| Wrong { variation: variation.into(), text: text.into(), ..Wrong::default() };
        Scripting {
            cases: vec![case("one"), case("two")],
            wrong: vec![wrong("two", "a"), wrong("one", "b"), wrong("two", "c")],
            ..Scripting::default()
        }
    }

    fn holds(holds: bool, reply: &str) -> Option<Outcome> {
        Some(Outcome { holds: vec![holds], replies: vec![("c1".into(), reply.into())] })
    }

    /// What is to be played next: the case's id and the script.
    fn next(attempt: &Attempt, scripting: &Scripting) -> Option<(String, String)> {
        attempt.next(scripting).map(|(case, script)| (case.id.clone(), script.to_owned()))
    }

    fn pair(case: &str, script: &str) -> Option<(String, String)> {
        Some((case.to_owned(), script.to_owned()))
    }

    #[test]
    fn script_passes_when_every_case_does() {
        let scripting = scripting();
        let attempt = Attempt::new(&"mine".into());
        assert_eq!(next(&attempt, &scripting), pair("one", "mine"));
        let attempt = attempt.after(&scripting, holds(true, "1"));
        assert!(!attempt.has_passed(&scripting));
        assert_eq!(next(&attempt, &scripting), pair("two", "mine"));
        let attempt = attempt.after(&scripting, holds(true, "2"));
        assert!(attempt.has_passed(&scripting) && next(&attempt, &scripting).is_none());
    }

    #[test]
    fn mistake_is_recognised_by_what_it_does_in_the_case_that_failed() {
        let scripting = scripting();
        let failed =
            Attempt::new(&"mine".into()).after(&scripting, holds(true, "1")).after(&scripting, holds(false, "x"));
        assert_eq!((failed.failed(), next(&failed, &scripting)), (Some(1), pair("two", "a")));
        let other = failed.clone().after(&scripting, holds(false, "y"));
        assert_eq!((other.known(), next(&other, &scripting)), (None, pair("two", "c")));
        let same = other.clone().after(&scripting, holds(false, "x"));
        assert_eq!((same.known(), next(&same, &scripting)), (Some(2), None));
        let neither = other.after(&scripting, None);
        assert_eq!((neither.known(), next(&neither, &scripting), neither.end()), (None, None, None));
        assert!(!neither.has_passed(&scripting) && !same.has_passed(&scripting));
    }

    /// The end of a test of a script in a lesson, played without the page.
    fn tested(lesson: &::lesson::Lesson, scripting: &Scripting, script: &str) -> Attempt {
        let engines = world::Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
        let mut attempt = Attempt::new(&script.into());
        while let Some((case, script)) = attempt.next(scripting) {
            let timeline = Timeline::from_text(&case.session(lesson, script), &engines).unwrap();
            let found = outcome(case, &timeline, case.stage(lesson).opening().len());
            attempt = attempt.after(scripting, found);
        }
        attempt
    }

    #[test]
    fn scripts_of_the_course_have_the_recorded_results() {
        let course = ::lesson::source::read_course(std::path::Path::new("lessons")).unwrap();
        let mut scripts = 0;
        for source in course.lessons() {
            let lesson = &source.lessons[0];
            for task in &lesson.tasks {
                let Some(scripting) = lesson.scripting(&task.id) else { continue };
                let proofs = source.proofs.iter().find(|proofs| proofs.task == task.id).unwrap();
                for right in &proofs.passing {
                    assert!(tested(lesson, scripting, &right.text).has_passed(scripting), "{}", right.file);
                }
                for (nth, wrong) in scripting.wrong.iter().enumerate() {
                    // Spelt otherwise, with all lines at other places.
                    let text = format!("-- mine\n\n{}\n", wrong.text.replace("redis.call", "redis . call"));
                    let attempt = tested(lesson, scripting, &text);
                    let failed = attempt.failed().map(|case| scripting.cases[case].id.as_str());
                    assert_eq!(
                        (failed, attempt.known()),
                        (Some(wrong.variation.as_str()), Some(nth)),
                        "{}",
                        wrong.title
                    );
                    scripts += 1;
                }
            }
        }
        assert!(scripts > 10, "{scripts}");
    }

    #[test]
    fn test_without_a_result_has_not_passed() {
        let scripting = scripting();
        let attempt = Attempt::new(&"mine".into()).after(&scripting, None);
        assert_eq!((attempt.end(), next(&attempt, &scripting)), (Some(End::Failed), None));
        let stopped = Attempt::new(&"mine".into()).after(&scripting, holds(true, "1")).stopped();
        assert_eq!((stopped.end(), next(&stopped, &scripting)), (Some(End::Stopped), None));
        assert!(!attempt.has_passed(&scripting) && !stopped.has_passed(&scripting));
    }
}
