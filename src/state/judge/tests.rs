//! Judgements for each kind of task: what counts as done, and what only looks like it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]
use std::rc::Rc;

use bytes::Bytes;
use lesson::repair::Fix;
use lesson::{Achieve, Break, Check, Choice, ClientGroup, Faults, Program, Property, Row, Stage, Step, WrongWay};
use proptest::prelude::*;
use world::{Act, Input};
use yew::Reducible;

use super::*;
use crate::state::lab::fixture::LEASE;
use crate::state::lesson::{Story, after, open, stage_of};
use crate::state::session::SessionAction;

/// Three clients on the stage; the story breaks the lock with the shortest schedule.
fn lesson() -> Lesson {
    let story = ["c1< step 0", "@+10001ms", "c2< step 0"].map(str::to_owned).to_vec();
    Lesson {
        programs: vec![Program { name: "lease".into(), text: LEASE.into() }],
        clients: vec![ClientGroup { name: "c".into(), program: "lease".into(), count: 3 }],
        properties: vec![Property { id: "one".into(), text: "mutual-exclusion".into(), ..Property::default() }],
        story: vec![Step { inputs: story, ..Step::default() }],
        ..Lesson::default()
    }
}

fn task(kind: TaskKind) -> Task {
    Task { id: "t".into(), kind, ..Task::default() }
}

fn to_break() -> Task {
    task(TaskKind::Break(Break { property: "one".into(), shortest: 5, ..Break::default() }))
}

/// The worth of a session in a task to break mutual exclusion.
fn breaking(lesson: &Lesson, session: &Session) -> Worth {
    let judgement = judge(lesson, &to_break(), session, None);
    assert_eq!(judgement.standing, Standing::default());
    judgement.worth
}

fn opened(lesson: &Lesson) -> (Rc<Session>, Story) {
    let (session, story) = open(lesson).unwrap();
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
fn ready_clients_are_passed_over_when_time_advances() {
    let lesson = lesson();
    let (session, _) = opened(&lesson);
    let session = push(session, &way());
    // c1 step, c2 pause, time, c2 resume, c2 step. c3 takes no part.
    let done = Worth::Done(Done::Broken { steps: 5, shortest: 5, is_within: false, passed_over: vec![2] });
    assert_eq!(breaking(&lesson, &session), done.clone());
    // Steps after the breach do not count.
    let session = push(session, &[Input::Advance { ms: 5_000 }, step(1)]);
    assert_eq!(breaking(&lesson, &session), done);
    let mut within = lesson.clone();
    within.budget.faults.pauses = 1;
    let found = breaking(&within, &session);
    assert!(matches!(found, Worth::Done(Done::Broken { is_within: true, .. })), "{found:?}");
}

#[test]
fn nothing_is_done_before_the_property_is_broken() {
    let lesson = lesson();
    let (session, _) = opened(&lesson);
    let session = push(session, &way()[..2]);
    assert_eq!(breaking(&lesson, &session), Worth::Nothing);
    assert_eq!(judge(&lesson, &task(TaskKind::default()), &session, None).worth, Worth::Nothing);
}

#[test]
fn breach_by_the_story_does_not_count() {
    let lesson = lesson();
    let (session, story) = opened(&lesson);
    let story = story
        .rest(&session)
        .iter()
        .fold(Rc::clone(&session), |session, input| session.reduce(SessionAction::Story(input.clone())));
    assert_eq!(breaking(&lesson, &story), Worth::Given);
    // Half of it by hand is not enough; all of it by hand is.
    let floor = session.floor();
    let half = Rc::clone(&story).reduce(SessionAction::Seek(floor + 2));
    assert_eq!(breaking(&lesson, &push(half, &way()[2..])), Worth::Given);
    let begin = story.reduce(SessionAction::Seek(floor));
    assert!(matches!(breaking(&lesson, &push(begin, &way())), Worth::Done(Done::Broken { .. })));
}

#[test]
fn breach_by_a_search_or_a_link_does_not_count() {
    let lesson = lesson();
    let (session, _) = opened(&lesson);
    let after = session.timeline().cursor();
    let laid = Rc::clone(&session).reduce(SessionAction::AppendBranch {
        after,
        inputs: way().to_vec(),
        ahead: 0,
        order: None,
    });
    let shown = laid.reduce(SessionAction::Last);
    assert_eq!(breaking(&lesson, &shown), Worth::Given);
    let played = push(Rc::clone(&session), &way());
    let text = played.timeline().to_text();
    let linked =
        Session::of(world::Timeline::from_text(&text, session.world().engines()).unwrap()).on_stage_of(&session);
    assert_eq!(breaking(&lesson, &linked), Worth::Given);
    let timeline = Box::new(played.timeline().clone());
    assert_eq!(breaking(&lesson, &played.reduce(SessionAction::Replace(timeline, None))), Worth::Given);
}

#[test]
fn typed_or_changed_steps_do_not_count() {
    let lesson = lesson();
    let (session, _) = opened(&lesson);
    let typed = Input::Command { client: 2, argv: vec!["DEL".into(), "lock".into()] };
    let other = act(2, Act::load(Bytes::from_static(b"enter('checkout') redis.call('PING')")));
    // Another program on the same stage, as a repair loads it.
    let eager = lesson.with_program("lease", "enter('checkout') redis.call('PING')");
    let timeline = world::Timeline::from_text(&eager.session(&[]), session.world().engines()).unwrap();
    let other_stage = Rc::clone(&session).reduce(SessionAction::Replace(Box::new(timeline), None));
    let played = push(other_stage, &[step(1), step(2)]);
    assert_eq!(breaking(&lesson, &played), Worth::Foreign);
    for by_force in [vec![step(1), typed, step(2)], vec![step(1), other]] {
        let session = push(Rc::clone(&session), &by_force);
        assert_eq!(breaking(&lesson, &session), Worth::Foreign, "{by_force:?}");
    }
}
/// A lesson with two terminals. The lock must be acquired with one command, with its owner's name and a TTL, and another client refused.
fn terminals() -> Lesson {
    let story = ["c1> SET lock c1 NX EX 10", "c2> SET lock c2 NX EX 10"].map(str::to_owned).to_vec();
    Lesson { story: vec![Step { inputs: story, ..Step::default() }], ..Lesson::default() }
}

fn reach() -> Task {
    let claims = [r#"ask "GET lock" is "\"c1\"""#, "ask 'TTL lock' in 1 10", "by c1 at-most 1", "reply c2 is (nil)"];
    let wrong = ["ask 'TTL lock' is '(integer) -1'", "by c1 sent 'EXPIRE lock'", "sent 'SET lock' lacks NX"];
    task(TaskKind::Achieve(Achieve {
        checks: claims.map(|claim| Check { claim: claim.into(), ..Check::default() }).to_vec(),
        wrong: wrong.map(|claim| WrongWay { claims: vec![claim.into()], ..WrongWay::default() }).to_vec(),
    }))
}

/// A command typed by a client: `c1> GET k`.
fn typed(line: &str) -> Input {
    let (client, command) = line.split_once("> ").unwrap();
    let argv = resp::split::split(command.as_bytes()).unwrap();
    Input::Command { client: client.trim_start_matches('c').parse().unwrap(), argv }
}

fn type_all(session: Rc<Session>, lines: &[&str]) -> Rc<Session> {
    push(session, &lines.iter().map(|line| typed(line)).collect::<Vec<_>>())
}

fn reaching(session: &Session) -> Judgement {
    judge(&terminals(), &reach(), session, None)
}

const DONE: Worth = Worth::Done(Done::Reached);
const RIGHT: [&str; 2] = ["c1> SET lock c1 NX EX 10", "c2> SET lock c2 NX EX 10"];

#[test]
fn state_is_reached_check_by_check() {
    let (session, _) = opened(&terminals());
    let begin = reaching(&session);
    assert_eq!((begin.worth, begin.standing.checks), (Worth::Nothing, vec![false, false, true, false]));
    let session = type_all(session, &RIGHT[..1]);
    let half = reaching(&session);
    assert_eq!((half.worth, half.standing.checks), (Worth::Partly, vec![true, true, true, false]));
    let session = type_all(session, &RIGHT[1..]);
    let whole = reaching(&session);
    assert_eq!((&whole.worth, &whole.standing.checks), (&DONE, &vec![true; 4]));
    // Only the current state counts: after the lock has expired, the checks no longer hold.
    let later = reaching(&push(session, &[Input::Advance { ms: 10_001 }]));
    assert_eq!((later.worth, later.standing.checks), (Worth::Partly, vec![false, false, true, true]));
}

#[test]
fn any_right_way_counts() {
    let script = "EVAL \"return redis.call('SETNX', 'lock', 'c1') == 1 and redis.call('EXPIRE', 'lock', 9)\" 0";
    for way in [
        ["c1> set lock c1 px 9000 nx".to_owned(), "c2> SETNX lock c2".to_owned()],
        [format!("c1> {script}"), "c2> SET lock c2 EX 1 NX".to_owned()],
    ] {
        let (session, _) = opened(&terminals());
        let found = reaching(&type_all(session, &way.each_ref().map(String::as_str)));
        // `SETNX` refuses with another reply.
        let expected = if way[1].contains("SETNX") { Worth::Partly } else { DONE };
        assert_eq!(found.worth, expected, "{way:?}");
    }
}

#[test]
fn wrong_ways_do_not_reach_the_state() {
    let cases: [(&[&str], Option<usize>, [bool; 4]); 8] = [
        (&["c1> SETNX lock c1", RIGHT[1]], Some(0), [true, false, true, true]),
        (&["c1> SETNX lock c1", "c1> EXPIRE lock 10", RIGHT[1]], Some(1), [true, true, false, true]),
        // All checks hold, but the known wrong way still matches: the lock happened to be free.
        (&["c1> SET lock c1 EX 10", RIGHT[1]], Some(2), [true; 4]),
        (&[RIGHT[0], "c2> SET lock c2 EX 10"], Some(2), [false, true, true, false]),
        // The other client acquires the lock, and the reply is for the other client.
        (&[RIGHT[1], RIGHT[0]], None, [false, true, true, false]),
        (&[RIGHT[0], "c1> SET lock c1 NX EX 10"], None, [true, true, false, false]),
        // One transaction consists of several commands.
        (
            &["c1> MULTI", "c1> SET lock c1 NX", "c1> PEXPIRE lock 9000", "c1> EXEC", RIGHT[1]],
            None,
            [true, true, false, true],
        ),
        // The reply comes, but then it is no longer the last one.
        (&[RIGHT[0], RIGHT[1], "c2> GET lock"], None, [true, true, true, false]),
    ];
    for (way, wrong, checks) in cases {
        let (session, _) = opened(&terminals());
        let found = reaching(&type_all(session, way));
        assert_eq!(found.worth, Worth::Partly, "{way:?}");
        assert_eq!((found.standing.wrong, found.standing.checks.as_slice()), (wrong, checks.as_slice()), "{way:?}");
    }
}

#[test]
fn states_reached_by_a_story_a_search_or_a_link_are_given() {
    let lesson = terminals();
    let (session, story) = opened(&lesson);
    let story = story
        .rest(&session)
        .iter()
        .fold(Rc::clone(&session), |session, input| session.reduce(SessionAction::Story(input.clone())));
    assert_eq!(reaching(&story).worth, Worth::Given);
    assert_eq!(reaching(&story).standing.checks, [true; 4]);
    // Half of it by hand is not enough.
    let half = Rc::clone(&story).reduce(SessionAction::Seek(story.floor() + 1));
    assert_eq!(reaching(&type_all(half, &RIGHT[1..])).worth, Worth::Given);
    let text = type_all(Rc::clone(&session), &RIGHT).timeline().to_text();
    let linked =
        Session::of(world::Timeline::from_text(&text, session.world().engines()).unwrap()).on_stage_of(&session);
    assert_eq!(reaching(&linked).worth, Worth::Given);
    let after = session.timeline().cursor();
    let inputs = RIGHT.map(typed).to_vec();
    let laid = session
        .reduce(SessionAction::AppendBranch { after, inputs, ahead: 0, order: None })
        .reduce(SessionAction::Last);
    assert_eq!(reaching(&laid).worth, Worth::Given);
    // The same commands, run from the start by the learner.
    let begin = story.reduce(SessionAction::First);
    assert_eq!(reaching(&type_all(begin, &RIGHT)).worth, DONE);
}

#[test]
fn only_the_path_to_the_cursor_counts() {
    let (session, _) = opened(&terminals());
    let wrong = type_all(session, &["c1> SETNX lock c1", "c1> EXPIRE lock 10"]);
    let begin = Rc::clone(&wrong).reduce(SessionAction::First);
    assert_eq!(reaching(&begin).worth, Worth::Nothing);
    let right = type_all(begin, &RIGHT);
    assert_eq!(reaching(&right).worth, DONE, "what was tried before stands on another branch");
    let back = Rc::clone(&right).reduce(SessionAction::Back);
    assert_eq!(reaching(&back).worth, Worth::Partly);
    assert_eq!(reaching(&back.reduce(SessionAction::Forward)).worth, DONE);
    let other = right.timeline().branches().iter().find(|branch| !branch.is_active).unwrap().head;
    let switched = right.reduce(SessionAction::Switch(other)).reduce(SessionAction::Last);
    assert_eq!(reaching(&switched).standing.wrong, Some(1));
}

/// Actions on the stage of [`terminals`].
fn any_action() -> impl Strategy<Value = SessionAction> {
    let lines = [RIGHT[0], RIGHT[1], "c1> SETNX lock c1", "c1> EXPIRE lock 10", "c2> GET lock", "c1> DEL lock"];
    let line = prop::sample::select(lines.to_vec()).prop_map(typed);
    prop_oneof![
        8 => line.clone().prop_map(|input| SessionAction::Push { input, ahead_ms: 0 }),
        2 => (1..4000u64).prop_map(|ms| SessionAction::Push { input: Input::Advance { ms }, ahead_ms: 0 }),
        1 => line.prop_map(SessionAction::Story),
        2 => (0..20usize).prop_map(SessionAction::Seek),
        1 => (0..20u32).prop_map(SessionAction::Switch),
        1 => Just(SessionAction::Back),
        1 => Just(SessionAction::First),
        1 => Just(SessionAction::Push { input: Input::Rename { client: 0, name: "x".into() }, ahead_ms: 0 }),
    ]
}

proptest! {
    #[test]
    fn incremental_judge_agrees_with_a_fresh_one(actions in prop::collection::vec(any_action(), 0..60)) {
        let lesson = terminals();
        let (mut session, _) = opened(&lesson);
        let mut kept = Judge::default();
        for action in actions {
            session = session.reduce(action);
            prop_assert_eq!(kept.judge(&lesson, &reach(), &session, None), reaching(&session));
        }
    }
}

/// Actions on the stage of [`lesson`]; `None`: start again.
fn any_act() -> impl Strategy<Value = Option<SessionAction>> {
    let push = |input: Input| Some(SessionAction::Push { input, ahead_ms: 0 });
    prop_oneof![
        12 => (1..4u32).prop_map(move |client| push(step(client))),
        6 => prop::sample::select(vec![10u64, 4_000, 10_001]).prop_map(move |ms| push(Input::Advance { ms })),
        2 => (1..4u32).prop_map(move |client| push(act(client, Act::Crash))),
        1 => Just(push(typed("c1> DEL lock"))),
        2 => (0..20usize).prop_map(|position| Some(SessionAction::Seek(position))),
        2 => (0..20u32).prop_map(|head| Some(SessionAction::Switch(head))),
        2 => Just(Some(SessionAction::Back)),
        1 => Just(Some(SessionAction::First)),
        1 => Just(None),
    ]
}

proptest! {
    #[test]
    fn cached_measure_equals_a_fresh_one(acts in prop::collection::vec(any_act(), 0..40)) {
        let lesson = lesson();
        let (mut session, mut kept) = (opened(&lesson).0, Judge::default());
        for act in acts {
            session = match act {
                Some(action) => session.reduce(action),
                None => opened(&lesson).0,
            };
            prop_assert_eq!(kept.judge(&lesson, &to_break(), &session, None).worth, breaking(&lesson, &session));
        }
    }
}

#[test]
fn state_on_another_stage_is_foreign() {
    let lesson = lesson();
    let (session, _) = opened(&lesson);
    let reached = |session: Rc<Session>| judge(&lesson, &reach(), &type_all(session, &RIGHT), None).worth;
    assert_eq!(reached(Rc::clone(&session)), DONE);
    // For example a variation of a repair with another setup.
    let other = Lesson { setup: vec!["SET stock 1".into()], ..lesson.clone() };
    let timeline = world::Timeline::from_text(&other.session(&[]), session.world().engines()).unwrap();
    assert_eq!(reached(session.reduce(SessionAction::Replace(Box::new(timeline), None))), Worth::Foreign);
}

#[test]
fn programs_send_commands_too() {
    let lesson = lesson();
    let (session, _) = opened(&lesson);
    let by_hand = task(TaskKind::Achieve(Achieve {
        checks: vec![Check { claim: "by c1 at-most 1".into(), ..Check::default() }],
        wrong: Vec::new(),
    }));
    let session = push(session, &[step(1), typed("c1> GET lock")]);
    assert_eq!(judge(&lesson, &by_hand, &session, None).standing.checks, [false]);
}

#[test]
fn answers_are_judged_by_the_same_function() {
    let (session, _) = opened(&terminals());
    let choice = |is_right| Choice { is_right, ..Choice::default() };
    let predict =
        task(TaskKind::Predict { after: Vec::new(), then: Vec::new(), choices: vec![choice(false), choice(true)] });
    let fix = |survives| Fix { survives, ..Fix::default() };
    let choose = task(TaskKind::Choose { of: "r".into(), fixes: vec![fix(true), fix(false)] });
    let row = |expect| Row { expect, ..Row::default() };
    let rows = vec![row([true, false, false]), row([false, false, false])];
    let forecast = task(TaskKind::Forecast { inputs: Vec::new(), rows });
    let ticked = |nth| Answer::Ticked(Ticks::default().toggled(nth));
    let answered = |is_right| Worth::Done(Done::Answered { is_right });
    for (task, answer, expected) in [
        (&predict, None, Worth::Nothing),
        (&predict, Some(Answer::Chosen(0)), answered(false)),
        (&predict, Some(Answer::Chosen(1)), answered(true)),
        (&predict, Some(Answer::Chosen(2)), Worth::Nothing),
        (&predict, Some(ticked(1)), Worth::Nothing),
        (&choose, None, Worth::Nothing),
        (&choose, Some(ticked(0)), answered(true)),
        (&choose, Some(ticked(1)), answered(false)),
        (&choose, Some(Answer::Chosen(0)), Worth::Nothing),
        (&forecast, None, Worth::Nothing),
        (&forecast, Some(Answer::Ticked(Ticks::default())), answered(false)),
        (&forecast, Some(ticked(0)), answered(true)),
        (&forecast, Some(ticked(3)), answered(false)),
        (&forecast, Some(Answer::Chosen(0)), Worth::Nothing),
    ] {
        assert_eq!(judge(&terminals(), task, &session, answer.as_ref()).worth, expected, "{answer:?}");
    }
}

#[test]
fn noted_progress_is_what_was_done() {
    let judgement = |worth| Judgement { worth, ..Judgement::default() };
    let repair = task(TaskKind::Repair(lesson::Repair::default()));
    let (id, help) = (|| "t".to_owned(), How::Hints);
    for (task, worth, expected) in [
        (&reach(), DONE, vec![Did::Reach(id(), help)]),
        (&reach(), Worth::Partly, vec![]),
        (&reach(), Worth::Given, vec![]),
        (&reach(), Worth::Foreign, vec![]),
        (&repair, Worth::Done(Done::Repaired), vec![Did::Reach(id(), help), Did::Try(id())]),
        (&repair, Worth::Partly, vec![Did::Try(id())]),
        (&repair, Worth::Nothing, vec![]),
        (&task(TaskKind::default()), Worth::Done(Done::Answered { is_right: true }), vec![Did::Answer(id(), true)]),
    ] {
        assert_eq!(noted(task, &judgement(worth), help), expected);
    }
}

#[test]
fn task_with_its_own_stage_counts_only_there() {
    let mut lesson = lesson();
    let stage = Stage {
        id: "two".into(),
        clients: lesson.clients.clone(),
        nodes: vec!["r1 none".into(), "r2 none".into()],
        setup: vec!["@r2 SET k v".into()],
        budget: lesson.budget,
    };
    lesson.stages = vec![stage];
    let breaking = Break { property: "one".into(), shortest: 5, stage: "two".into(), ..Break::default() };
    let worth = |breaking: &Break, session: &Session| {
        judge(&lesson, &task(TaskKind::Break(breaking.clone())), session, None).worth
    };
    let (own, _) = opened(&lesson);
    let there = after(&lesson.on_stage("two"), &[], own.world().engines()).unwrap();
    let put = Rc::clone(&own).reduce(SessionAction::Replace(Box::new(there), None));
    assert_eq!(stage_of(&lesson, &own), None);
    assert_eq!(stage_of(&lesson, &put).map(|stage| stage.id.as_str()), Some("two"));
    let [own, there] = [&own, &put].map(|session| push(Rc::clone(session), &way()));
    let is_within = |worth: Worth| matches!(worth, Worth::Done(Done::Broken { steps: 5, is_within, .. }) if is_within);
    let is_done = |worth: Worth| matches!(worth, Worth::Done(_));
    assert!(is_done(worth(&breaking, &there)) && !is_within(worth(&breaking, &there)));
    assert_eq!(worth(&breaking, &own), Worth::Foreign);
    // A breach there does not count on the lesson's own stage either.
    let on_own = Break { stage: String::new(), ..breaking.clone() };
    assert_eq!(worth(&on_own, &there), Worth::Foreign);
    assert!(is_done(worth(&on_own, &own)));
    // A task can allow more faults than the search of its stage.
    let faults = Some(Faults { pauses: 1, ..Faults::default() });
    assert!(is_within(worth(&Break { faults, ..breaking.clone() }, &there)));
    // An earlier command, or another node, makes it another stage.
    let mut other = lesson.on_stage("two");
    other.setup.push("SET k w".into());
    for other in [other, Lesson { nodes: vec!["r1 none".into(), "r2 always".into()], ..lesson.on_stage("two") }] {
        let elsewhere = after(&other, &[], own.world().engines()).unwrap();
        let elsewhere = push(Rc::clone(&put).reduce(SessionAction::Replace(Box::new(elsewhere), None)), &way());
        assert_eq!(worth(&breaking, &elsewhere), Worth::Foreign);
    }
}
