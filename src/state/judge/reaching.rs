//! Where a learner stands in a task to reach a state: which of its checks hold, and whether a wrong way is recognised.
use lesson::Achieve;
use world::claim::{Claim, Record};
use world::{Step, StepId};

use super::{Done, Standing, Worth};
use crate::state::followed::{Derive, Followed};
use crate::state::session::Session;

/// What of the active path concerns the claims of one task.
#[derive(Clone, Debug, Default)]
pub struct Way {
    record: Record,
    position: usize,
}

/// What is noted, and from where on.
#[derive(Clone, Debug, PartialEq)]
pub struct Sought {
    /// The stage: what has been set up before is nothing that anybody did.
    floor: usize,
    /// Those of the checks and of the wrong ways.
    claims: Vec<Claim>,
}

impl Derive for Way {
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

/// What the session is worth where its cursor stands. What counts is the path to the cursor, from the stage on.
pub fn standing(way: &mut Followed<Way>, session: &Session, achieve: &Achieve) -> Standing {
    let sought = Sought::of(session, achieve);
    way.follow(session.timeline(), sought.clone());
    let held = way.record.holds(&sought.claims, session.world(), session.timeline().position());
    // What is no claim holds nowhere; `lesson check` lets no such lesson pass.
    let holds = |text: &String| {
        let claim = Claim::from_text(text);
        sought.claims.iter().zip(&held).any(|(other, holds)| *holds && claim.as_ref() == Some(other))
    };
    Standing {
        checks: achieve.checks.iter().map(|check| holds(&check.claim)).collect(),
        wrong: achieve.wrong.iter().position(|way| !way.claims.is_empty() && way.claims.iter().all(holds)),
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
