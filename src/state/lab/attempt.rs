//! What a learner's own schedule has come to, for a task to break something: done, and how long against the shortest one.
use lesson::{Budget, Lesson, TaskKind};
use world::explore::Measure;
use world::{ClientIndex, Faults, Input};

use super::verdict::first_break;
use crate::state::lesson::{is_broken, property_of, runs_own_programs};
use crate::state::session::Session;

/// What a broken property is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// Steps on the way were put there by a story, a search or a link.
    Given,
    /// Something else was done than to say who goes on and what goes wrong: typed, changed, added.
    Foreign,
    /// The learner has done it.
    Done {
        /// Its length, as the explorer counts.
        steps: u32,
        /// That of the shortest one.
        par: u32,
        /// Did no more go wrong than the lesson reckons with?
        is_within: bool,
        /// Clients that could have gone on while time passed.
        passed_over: Vec<ClientIndex>,
    },
}

/// What the session has come to where its cursor stands; nothing while the property of the task holds.
pub fn attempt(lesson: &Lesson, session: &Session, kind: &TaskKind) -> Option<Attempt> {
    let TaskKind::Break { property, par } = kind else { return None };
    if !is_broken(lesson, session, property) {
        return None;
    }
    if !session.is_by_hand() {
        return Some(Attempt::Given);
    }
    let (timeline, floor) = (session.timeline(), session.floor());
    let sought = lesson.properties.iter().find(|other| other.id == *property).and_then(property_of)?;
    let nth = session.world().watch().verdicts().position(|(other, _)| *other == sought)?;
    // A dead lock is no event: it is there where it is seen.
    let until = first_break(timeline, nth).unwrap_or_else(|| timeline.position()).saturating_sub(floor);
    let inputs: Vec<Input> = session.inputs().into_iter().take(until).collect();
    let start = timeline.world_at(floor.checked_sub(1).and_then(|last| timeline.id_at(last)).unwrap_or(0));
    let measure = Measure::of(&start, &inputs);
    // Another program put onto the stage, a repair for one, may be easier to break.
    let is_foreign = measure.is_foreign() || !session.is_staged() || !runs_own_programs(lesson, &start);
    if is_foreign && !lesson.cast.is_empty() {
        return Some(Attempt::Foreign);
    }
    let Budget { crashes, pauses, losses, .. } = lesson.budget;
    Some(Attempt::Done {
        steps: measure.steps(),
        par: *par,
        is_within: measure.fits(Faults { crashes, pauses, losses }),
        passed_over: measure.passed_over().to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use bytes::Bytes;
    use lesson::{Cast, Program, Property, Step};
    use world::Act;
    use yew::Reducible;

    use super::*;
    use crate::state::lab::stage::LEASE;
    use crate::state::lesson::open;
    use crate::state::session::SessionAction;

    /// Three clients on the stage; the story breaks the lock as the shortest schedule does.
    fn lesson() -> Lesson {
        let story = ["c1< step 0", "@+10001ms", "c2< step 0"].map(str::to_owned).to_vec();
        Lesson {
            programs: vec![Program { name: "lease".into(), text: LEASE.into() }],
            cast: vec![Cast { name: "c".into(), program: "lease".into(), count: 3 }],
            properties: vec![Property { id: "one".into(), text: "mutual-exclusion".into(), ..Property::default() }],
            story: vec![Step { inputs: story, ..Step::default() }],
            ..Lesson::default()
        }
    }

    fn kind() -> TaskKind {
        TaskKind::Break { property: "one".into(), par: 5 }
    }

    fn opened(lesson: &Lesson) -> (Rc<Session>, crate::state::lesson::Story) {
        script::install(Box::new(lua_machine::LuaMachine::new()));
        script::program::install(Box::new(lua_machine::LuaPlayer::new()));
        let (session, story) = open(lesson, true).unwrap();
        (Rc::new(session), story)
    }

    fn push(session: Rc<Session>, inputs: &[Input]) -> Rc<Session> {
        inputs
            .iter()
            .fold(session, |session, input| session.reduce(SessionAction::Push { input: input.clone(), ahead_ms: 0 }))
    }

    fn act(client: ClientIndex, act: Act) -> Input {
        Input::Program { client, act }
    }

    fn step(client: ClientIndex) -> Input {
        act(client, Act::Step { thread: 0 })
    }

    fn way() -> [Input; 3] {
        [step(1), Input::Advance { ms: 10_001 }, step(2)]
    }

    #[test]
    fn whoever_is_passed_over_by_time_has_stood_still() {
        let lesson = lesson();
        let (session, _) = opened(&lesson);
        let session = push(session, &way());
        // c1 step, c2 pause, time, c2 resume, c2 step. c3 takes no part.
        let done = Attempt::Done { steps: 5, par: 5, is_within: false, passed_over: vec![2] };
        assert_eq!(attempt(&lesson, &session, &kind()), Some(done.clone()));
        // What happens after the breach does not count.
        let session = push(session, &[Input::Advance { ms: 5_000 }, step(1)]);
        assert_eq!(attempt(&lesson, &session, &kind()), Some(done));
        let mut within = lesson.clone();
        within.budget.pauses = 1;
        let found = attempt(&within, &session, &kind());
        assert!(matches!(found, Some(Attempt::Done { is_within: true, .. })), "{found:?}");
    }

    #[test]
    fn nothing_is_done_before_it_is_broken() {
        let lesson = lesson();
        let (session, _) = opened(&lesson);
        let session = push(session, &way()[..2]);
        assert_eq!(attempt(&lesson, &session, &kind()), None);
        assert_eq!(attempt(&lesson, &session, &TaskKind::default()), None);
    }

    #[test]
    fn what_the_story_breaks_is_not_done() {
        let lesson = lesson();
        let (session, story) = opened(&lesson);
        let told = story
            .rest(&session)
            .iter()
            .fold(Rc::clone(&session), |session, input| session.reduce(SessionAction::Tell(input.clone())));
        assert_eq!(attempt(&lesson, &told, &kind()), Some(Attempt::Given));
        // Half of it is not enough; the same by hand is.
        let floor = session.floor();
        let half = Rc::clone(&told).reduce(SessionAction::Seek(floor + 2));
        assert_eq!(attempt(&lesson, &push(half, &way()[2..]), &kind()), Some(Attempt::Given));
        let begin = told.reduce(SessionAction::Seek(floor));
        assert!(matches!(attempt(&lesson, &push(begin, &way()), &kind()), Some(Attempt::Done { .. })));
    }

    #[test]
    fn what_a_search_or_a_link_brings_is_not_done() {
        let lesson = lesson();
        let (session, _) = opened(&lesson);
        let after = session.timeline().cursor();
        let laid = Rc::clone(&session).reduce(SessionAction::Lay { after, inputs: way().to_vec(), ahead: 0 });
        let shown = laid.reduce(SessionAction::Last);
        assert_eq!(attempt(&lesson, &shown, &kind()), Some(Attempt::Given));
        let played = push(Rc::clone(&session), &way());
        let text = played.timeline().to_text();
        let linked = Session::of(world::Timeline::from_text(&text).unwrap()).on_stage_of(&session);
        assert_eq!(attempt(&lesson, &linked, &kind()), Some(Attempt::Given));
        let timeline = Box::new(played.timeline().clone());
        assert_eq!(attempt(&lesson, &played.reduce(SessionAction::Replace(timeline)), &kind()), Some(Attempt::Given));
    }

    #[test]
    fn what_was_typed_or_changed_is_no_schedule() {
        let lesson = lesson();
        let (session, _) = opened(&lesson);
        let typed = Input::Command { client: 2, argv: vec!["DEL".into(), "lock".into()] };
        let other = act(2, Act::Load { text: Bytes::from_static(b"enter('checkout') redis.call('PING')") });
        // Another program on the same stage, as a repair puts it there.
        let eager = lesson.with_program("lease", "enter('checkout') redis.call('PING')");
        let timeline = world::Timeline::from_text(&eager.session(&[])).unwrap();
        let other_stage = Rc::clone(&session).reduce(SessionAction::Replace(Box::new(timeline)));
        let played = push(other_stage, &[step(1), step(2)]);
        assert_eq!(attempt(&lesson, &played, &kind()), Some(Attempt::Foreign));
        for by_force in [vec![step(1), typed, step(2)], vec![step(1), other]] {
            let session = push(Rc::clone(&session), &by_force);
            assert_eq!(attempt(&lesson, &session, &kind()), Some(Attempt::Foreign), "{by_force:?}");
        }
    }
}
