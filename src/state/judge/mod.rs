//! Judges what a learner has done in a task: one function of the lesson, the task, the session at its cursor, and the answer.
//!
//! ```text
//!               looks at                      result
//!   Break       the session                   nothing, given, foreign, done
//!   Achieve     the session                   nothing, partly, given, foreign, done
//!   Predict     the choice                    nothing, done: right or wrong
//!   Choose      the ticks                     nothing, done: right or wrong
//!   Forecast    the ticks                     nothing, done: right or wrong
//!   Repair      the run of the checker        nothing, partly, done
//!   Handler     the attempt                   nothing, partly, done
//!   Script      the result of the test        nothing, partly, done
//! ```
//!
//! A [`Judge`] judges again after each step; its state is only a cache. The progress knows whether a task was done before, and so what is
//! new. [`noted`] returns what to record there.
mod breaking;
mod reaching;

use std::rc::Rc;

use lesson::{Lesson, Task, TaskKind};
use world::ClientIndex;

use super::choice::Ticks;
use super::followed::Followed;
use super::forecast;
use super::handling::{Attempt, VariationOutcome};
use super::progress::{Did, How};
use super::repair::{Run, VariationVerdict};
use super::session::Session;

/// A learner's answer that is not part of the session.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The index of the chosen option of a prediction.
    Chosen(usize),
    /// The ticked fixes, or the ticked cells of a table.
    Ticked(Ticks),
    /// A repair that was checked.
    Checked(Rc<Run>),
    /// A handler that was tried.
    Handled(Rc<Attempt>),
    /// A script that was tested in its cases.
    Scripted {
        /// Whether it passed in all of them.
        has_passed: bool,
    },
}

/// The judgement of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// The worth of what was done.
    pub worth: Worth,
    /// In a task to reach a state: which parts of it hold.
    pub standing: Standing,
}

/// What an attempt at a task is worth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Worth {
    /// Nothing yet.
    #[default]
    Nothing,
    /// Something was done, but not enough: some checks do not hold, or a repair does not pass.
    Partly,
    /// It would be done, but some of its steps came from a story, a search or a link.
    Given,
    /// It would be done, but not in the way the task asks for: on another stage, or, where only the schedule counts, with something typed,
    /// changed or added.
    Foreign,
    /// The learner has done it.
    Done(Done),
}

/// How a task was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// A property was broken.
    Broken {
        /// The length of the schedule, as the explorer counts it.
        steps: u32,
        /// The length of the shortest schedule.
        shortest: u32,
        /// Whether it used no more faults than the lesson allows.
        is_within: bool,
        /// Clients that were ready to run while time passed.
        passed_over: Vec<ClientIndex>,
    },
    /// A state was reached.
    Reached,
    /// A question was answered.
    Answered {
        /// Whether the answer is right.
        is_right: bool,
    },
    /// A repair passed every variation.
    Repaired,
}

/// How far a learner has come in a task to reach a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// For each check, whether it holds.
    pub checks: Vec<bool>,
    /// The index of the first known wrong way that matches.
    pub wrong: Option<usize>,
}

/// Judges one task after each step, at a cost that does not grow with the path.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    way: Followed<reaching::PathFacts>,
    measured: breaking::Measured,
}

impl Judge {
    /// Judges the task. The answer is used only if the task asks for one.
    pub fn judge(&mut self, lesson: &Lesson, task: &Task, session: &Session, answer: Option<&Answer>) -> Judgement {
        let mut judgement = Judgement::default();
        judgement.worth = match (&task.kind, answer) {
            (TaskKind::Break(task), _) => breaking::worth(&mut self.measured, lesson, session, task),
            (TaskKind::Achieve(achieve), _) => {
                judgement.standing = reaching::standing(&mut self.way, session, achieve);
                reaching::worth(session, &judgement.standing)
            }
            (TaskKind::Predict { choices, .. }, Some(Answer::Chosen(nth))) => {
                choices.get(*nth).map_or(Worth::Nothing, |choice| answered(choice.is_right))
            }
            (TaskKind::Choose { fixes, .. }, Some(Answer::Ticked(ticks))) => {
                answered(ticks.are_right(fixes.iter().map(|fix| fix.survives)))
            }
            (TaskKind::Forecast { rows, .. }, Some(Answer::Ticked(ticks))) => {
                answered(ticks.are_right(forecast::answers(rows)))
            }
            (TaskKind::Repair(_), Some(Answer::Checked(run))) => checked(run),
            (TaskKind::Handler(_), Some(Answer::Handled(attempt))) => handled(attempt),
            (TaskKind::Script(_), Some(Answer::Scripted { has_passed: true })) => Worth::Done(Done::Repaired),
            (TaskKind::Script(_), Some(Answer::Scripted { has_passed: false })) => Worth::Partly,
            (
                TaskKind::Predict { .. }
                | TaskKind::Choose { .. }
                | TaskKind::Forecast { .. }
                | TaskKind::Repair(_)
                | TaskKind::Handler(_)
                | TaskKind::Script(_),
                _,
            ) => Worth::Nothing,
        };
        judgement
    }
}

/// Judges without any cached state: the simple second opinion for tests.
#[cfg(test)]
pub(crate) fn judge(lesson: &Lesson, task: &Task, session: &Session, answer: Option<&Answer>) -> Judgement {
    Judge::default().judge(lesson, task, session, answer)
}

fn answered(is_right: bool) -> Worth {
    Worth::Done(Done::Answered { is_right })
}

/// The worth of a check of a repair. A check that could not run is worth nothing.
fn checked(run: &Run) -> Worth {
    if run.has_passed() {
        Worth::Done(Done::Repaired)
    } else if run.judged().last().is_some_and(|last| last.verdict != VariationVerdict::Failed) {
        Worth::Partly
    } else {
        Worth::Nothing
    }
}

/// The worth of a handler test. A test that could not run is worth nothing.
fn handled(attempt: &Attempt) -> Worth {
    if attempt.has_passed() {
        Worth::Done(Done::Repaired)
    } else if attempt.tried().last().is_some_and(|last| last.outcome != VariationOutcome::Failed) {
        Worth::Partly
    } else {
        Worth::Nothing
    }
}

/// What to record in the progress for a judgement, if the task was solved with this much help.
pub fn noted(task: &Task, judgement: &Judgement, help: How) -> Vec<Did> {
    let id = || task.id.clone();
    match (&judgement.worth, &task.kind) {
        (Worth::Done(Done::Answered { is_right }), _) => vec![Did::Answer(id(), *is_right)],
        (Worth::Done(Done::Broken { .. } | Done::Reached), _) => vec![Did::Reach(id(), help)],
        (Worth::Done(Done::Repaired), _) => vec![Did::Reach(id(), help), Did::Try(id())],
        (Worth::Partly, TaskKind::Repair(_) | TaskKind::Handler(_) | TaskKind::Script(_)) => vec![Did::Try(id())],
        (Worth::Nothing | Worth::Partly | Worth::Given | Worth::Foreign, _) => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
