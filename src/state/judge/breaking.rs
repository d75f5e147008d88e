//! What a learner's own schedule is worth in a task to break something: done, and how long against the shortest one.
use lesson::{Budget, Lesson};
use world::explore::Measure;
use world::{Faults, Input};

use super::{Done, Worth};
use crate::state::lab::verdict::first_break;
use crate::state::lesson::{is_broken, property_of, runs_own_programs};
use crate::state::session::Session;

/// What the session is worth where its cursor stands; nothing while the property holds.
pub fn worth(lesson: &Lesson, session: &Session, property: &str, par: u32) -> Worth {
    if !is_broken(lesson, session, property) {
        return Worth::Nothing;
    }
    if !session.is_by_hand() {
        return Worth::Given;
    }
    done(lesson, session, property, par).unwrap_or(Worth::Nothing)
}

fn done(lesson: &Lesson, session: &Session, property: &str, par: u32) -> Option<Worth> {
    let (timeline, floor) = (session.timeline(), session.floor());
    let sought = lesson.properties.iter().find(|other| other.id == property).and_then(property_of)?;
    let nth = session.world().watch().verdicts().position(|(other, _)| *other == sought)?;
    // A dead lock is no event: it is there where it is seen.
    let until = first_break(timeline, nth).unwrap_or_else(|| timeline.position()).saturating_sub(floor);
    let inputs: Vec<Input> = session.inputs().into_iter().take(until).collect();
    let start = timeline.world_at(floor.checked_sub(1).and_then(|last| timeline.id_at(last)).unwrap_or(0));
    let measure = Measure::of(&start, &inputs);
    // Another program put onto the stage, a repair for one, may be easier to break.
    let is_foreign = measure.is_foreign() || !session.is_staged() || !runs_own_programs(lesson, &start);
    if is_foreign && !lesson.cast.is_empty() {
        return Some(Worth::Foreign);
    }
    let Budget { crashes, pauses, losses, .. } = lesson.budget;
    Some(Worth::Done(Done::Broken {
        steps: measure.steps(),
        par,
        is_within: measure.fits(Faults { crashes, pauses, losses }),
        passed_over: measure.passed_over().to_vec(),
    }))
}
