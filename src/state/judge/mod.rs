//! What a learner has done in a task: one function over the lesson, the task, the session where its cursor stands, and the answer.
//!
//! ```text
//!               looks at                      can be
//!   Break       the session                   nothing, given, foreign, done
//!   Achieve     the session                   nothing, partly, given, foreign, done
//!   Predict     the choice                    nothing, done: right or wrong
//!   Choose      the ticks                     nothing, done: right or wrong
//!   Forecast    the ticks                     nothing, done: right or wrong
//!   Repair      the run of the checker        nothing, partly, done
//!   Handler     the attempt                   nothing, partly, done
//! ```
//!
//! A [`Judge`] looks again after each step. What it keeps only saves time. Whether a task was done
//! before stands in the progress, which says by itself what of this is new. What is worth noting there is [`noted`].
mod breaking;
mod reaching;

use std::rc::Rc;

use lesson::{Lesson, Task, TaskKind};
use world::ClientIndex;

use super::choice::Ticks;
use super::followed::Followed;
use super::forecast;
use super::handling::{Attempt, Outcome};
use super::progress::{Did, How};
use super::repair::{Run, Verdict};
use super::session::Session;

/// What a learner answers where the answer is not in the session.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// One of the choices of a prediction, by its place.
    Chosen(usize),
    /// The fixes or the cells of a table that were ticked.
    Ticked(Ticks),
    /// A repair that was checked.
    Checked(Rc<Run>),
    /// A handler that was tried.
    Handled(Rc<Attempt>),
}

/// What a task has come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// What it is worth.
    pub worth: Worth,
    /// Of a task to reach a state: what of it holds.
    pub standing: Standing,
}

/// What something is worth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Worth {
    /// Nothing yet.
    #[default]
    Nothing,
    /// Something was done, and it is not enough: some checks do not hold, or a repair does not pass.
    Partly,
    /// It would be done, but steps on the way were put there by a story, a search or a link.
    Given,
    /// It would be done, but in another way than the task asks for: on another stage, or, where only the schedule counts, something was
    /// typed, changed or added.
    Foreign,
    /// The learner has done it.
    Done(Done),
}

/// How a task was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// A property was broken.
    Broken {
        /// The length of the schedule, as the explorer counts.
        steps: u32,
        /// That of the shortest one.
        par: u32,
        /// Did no more go wrong than the lesson reckons with?
        is_within: bool,
        /// Clients that could have gone on while time passed.
        passed_over: Vec<ClientIndex>,
    },
    /// A state was reached.
    Reached,
    /// A question was answered.
    Answered {
        /// Rightly?
        is_right: bool,
    },
    /// A repair holds on every variation.
    Repaired,
}

/// Where a learner stands in a task to reach a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Of each check, whether it holds.
    pub checks: Vec<bool>,
    /// The first wrong way that is recognised, by its place.
    pub wrong: Option<usize>,
}

/// Who judges one task after each step, at a cost that does not grow with the path.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    way: Followed<reaching::Way>,
    measured: breaking::Measured,
}

impl Judge {
    /// What the learner has done in a task. The answer counts where the task asks for one.
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
            (
                TaskKind::Predict { .. }
                | TaskKind::Choose { .. }
                | TaskKind::Forecast { .. }
                | TaskKind::Repair(_)
                | TaskKind::Handler(_),
                _,
            ) => Worth::Nothing,
        };
        judgement
    }
}

/// The same from nothing: the plain second opinion.
#[cfg(test)]
pub(crate) fn judge(lesson: &Lesson, task: &Task, session: &Session, answer: Option<&Answer>) -> Judgement {
    Judge::default().judge(lesson, task, session, answer)
}

fn answered(is_right: bool) -> Worth {
    Worth::Done(Done::Answered { is_right })
}

/// What a check of a repair is worth. One that could not be carried out says nothing.
fn checked(run: &Run) -> Worth {
    if run.has_passed() {
        Worth::Done(Done::Repaired)
    } else if run.judged().last().is_some_and(|last| last.verdict != Verdict::Failed) {
        Worth::Partly
    } else {
        Worth::Nothing
    }
}

/// What an attempt is worth. One that could not be carried out says nothing.
fn handled(attempt: &Attempt) -> Worth {
    if attempt.has_passed() {
        Worth::Done(Done::Repaired)
    } else if attempt.tried().last().is_some_and(|last| last.outcome != Outcome::Failed) {
        Worth::Partly
    } else {
        Worth::Nothing
    }
}

/// What of a judgement is noted in the progress, when the task was reached with so much help.
pub fn noted(task: &Task, judgement: &Judgement, help: How) -> Vec<Did> {
    let id = || task.id.clone();
    match (&judgement.worth, &task.kind) {
        (Worth::Done(Done::Answered { is_right }), _) => vec![Did::Answer(id(), *is_right)],
        (Worth::Done(Done::Broken { .. } | Done::Reached), _) => vec![Did::Reach(id(), help)],
        (Worth::Done(Done::Repaired), _) => vec![Did::Reach(id(), help), Did::Try(id())],
        (Worth::Partly, TaskKind::Repair(_) | TaskKind::Handler(_)) => vec![Did::Try(id())],
        (Worth::Nothing | Worth::Partly | Worth::Given | Worth::Foreign, _) => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
