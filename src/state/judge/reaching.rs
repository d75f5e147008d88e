//! How far a learner has come in a task to reach a state: which of its checks hold, and whether a known wrong way matches.
use lesson::Achieve;
use world::claim::{Claim, Record};
use world::{Step, StepId};

use super::{Done, Standing, Worth};
use crate::state::followed::{Derive, Followed};
use crate::state::session::Session;

/// The facts of the active path that the claims of one task depend on.
#[derive(Clone, Debug, Default)]
pub struct PathFacts {
    record: Record,
    position: usize,
}

/// Which claims to follow, and from where.
#[derive(Clone, Debug, PartialEq)]
pub struct Sought {
    /// The end of the stage: earlier steps are not the learner's.
    floor: usize,
    /// The claims of the checks and of the wrong ways.
    claims: Vec<Claim>,
}

impl Derive for PathFacts {
    type Context = Sought;
    type Checkpoint = usize;

    fn take(&mut self, position: usize, _: StepId, step: &Step, sought: &Sought) {
        if position > sought.floor {
            self.record.take(&sought.claims, position, step);
        }
        self.position = position;
    }

    fn checkpoint(&self) -> usize {
        self.position
    }

    fn go_back(&mut self, position: &usize) {
        self.record.go_back(*position);
        self.position = *position;
    }
}

impl Sought {
    fn of(session: &Session, Achieve { checks, wrong }: &Achieve) -> Sought {
        let texts = checks.iter().map(|check| &check.claim).chain(wrong.iter().flat_map(|way| &way.claims));
        Sought { floor: session.floor(), claims: texts.filter_map(|text| Claim::from_text(text)).collect() }
    }
}

/// How far the session has come at its cursor. Only the path from the stage to the cursor counts.
pub fn standing(way: &mut Followed<PathFacts>, session: &Session, achieve: &Achieve) -> Standing {
    let sought = Sought::of(session, achieve);
    way.follow(session.timeline(), sought.clone());
    let held = way.record.holds(&sought.claims, session.world(), session.timeline().position());
    // A text that is not a claim never holds; `lesson check` rejects such a lesson.
    let holds = |text: &String| {
        let claim = Claim::from_text(text);
        sought.claims.iter().zip(&held).any(|(other, holds)| *holds && claim.as_ref() == Some(other))
    };
    Standing {
        checks: achieve.checks.iter().map(|check| holds(&check.claim)).collect(),
        wrong: achieve.wrong.iter().position(|way| !way.claims.is_empty() && way.claims.iter().all(holds)),
    }
}

/// The worth of a standing.
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
