//! Judges a learner's own schedule in a task to break something: whether it counts, and its length compared with the shortest one.
use std::rc::Rc;

use lesson::{Break, Lesson};
use world::explore::Measure;
use world::timeline::Path;
use world::{Input, World};

use super::{Done, Worth};
use crate::state::lab::verdict::first_break;
use crate::state::lesson::{begins_as, faults, is_broken, property_of, runs_own_programs};
use crate::state::session::Session;

/// The worth of the session at its cursor; nothing while the property holds.
pub fn worth(last: &mut Measured, lesson: &Lesson, session: &Session, task: &Break) -> Worth {
    if !is_broken(lesson, session, &task.property) {
        return Worth::Nothing;
    }
    if !session.is_by_hand() {
        return Worth::Given;
    }
    done(last, &lesson.broken_by(task), session, task).unwrap_or(Worth::Nothing)
}

/// The lesson is on the stage of the task, with its budget.
fn done(last: &mut Measured, lesson: &Lesson, session: &Session, task: &Break) -> Option<Worth> {
    let (timeline, floor) = (session.timeline(), session.floor());
    let sought = lesson.properties.iter().find(|other| other.id == task.property).and_then(property_of)?;
    let nth = session.world().watch().verdicts().position(|(other, _)| *other == sought)?;
    // A dead lock is not an event: it is found at the cursor.
    let until = first_break(timeline, nth).unwrap_or_else(|| timeline.position()).saturating_sub(floor);
    let start = timeline.world_at(floor.checked_sub(1).and_then(|last| timeline.id_at(last)).unwrap_or(0));
    let measure = last.of(session, &start, until);
    // Other programs on the stage, such as a repair, may be easier to break.
    let faults = faults(&lesson.budget);
    let is_at_home = if task.stage.is_empty() { session.is_staged() } else { begins_as(lesson, session) };
    let is_foreign = measure.is_foreign(faults) || !is_at_home || !runs_own_programs(lesson, &start);
    if is_foreign && lesson.has_programs() {
        return Some(Worth::Foreign);
    }
    Some(Worth::Done(Done::Broken {
        steps: measure.steps(),
        shortest: task.shortest,
        is_within: measure.fits(faults),
        passed_over: measure.passed_over().to_vec(),
    }))
}

/// Caches the measure of the schedule that was judged last. Steps after the breach do not change it.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    path: Path,
    /// Positions of the path where the schedule starts and ends.
    schedule: (usize, usize),
    measure: Option<Rc<Measure>>,
}

impl Measured {
    /// The measure of the session's first `until` steps after its floor; `start` is the world there.
    fn of(&mut self, session: &Session, start: &World, until: usize) -> Rc<Measure> {
        let path = session.timeline().path();
        let schedule = (session.floor(), session.floor().saturating_add(until));
        let is_same = until > 0 && schedule == self.schedule && path.shared_with(&self.path) >= schedule.1;
        let measure = match self.measure.take().filter(|_| is_same) {
            Some(measure) => measure,
            None => {
                let inputs: Vec<Input> = session.inputs().into_iter().take(until).collect();
                Rc::new(Measure::of(start, &inputs))
            }
        };
        *self = Measured { path, schedule, measure: Some(Rc::clone(&measure)) };
        measure
    }
}
