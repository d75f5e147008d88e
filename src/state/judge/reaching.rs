//! Where a learner stands in a task to reach a state: which of its checks hold, and whether a wrong way is recognised.
use lesson::Achieve;
use world::claim::{Claim, Record};

use super::{Done, Standing, Worth};
use crate::state::session::Session;

/// What the session is worth where its cursor stands. What counts is the path to the cursor, from the stage on.
pub fn standing(session: &Session, Achieve { checks, wrong }: &Achieve) -> Standing {
    let steps = session.timeline().taken().skip(session.floor());
    let record = Record::of(steps.map(|(_, step)| step.as_ref()));
    // What is no claim holds nowhere; `lesson check` lets no such lesson pass.
    let holds = |text: &String| Claim::from_text(text).is_some_and(|claim| claim.holds(session.world(), &record));
    Standing {
        checks: checks.iter().map(|check| holds(&check.claim)).collect(),
        wrong: wrong.iter().position(|way| !way.claims.is_empty() && way.claims.iter().all(holds)),
    }
}

/// What that is worth.
pub fn worth(session: &Session, standing: &Standing) -> Worth {
    if session.is_at_floor() {
        Worth::Nothing
    } else if standing.wrong.is_some() || !standing.checks.iter().all(|holds| *holds) {
        Worth::Partly
    } else if !session.is_by_hand() {
        Worth::Given
    } else if !session.is_staged() {
        Worth::Foreign
    } else {
        Worth::Done(Done::Reached)
    }
}
