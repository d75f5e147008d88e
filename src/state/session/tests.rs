//! Sessions: steps, branches, cursors, and what they carry over.
use std::rc::Rc;

use proptest::prelude::*;
use world::{EventKind, Input, NodeIndex, Property, Settings, StepError, StepId, Timeline};
use yew::Reducible;

use super::{CLIENTS_MAX, DecisivePairs, KeyName, Session, SessionAction};
use crate::state::key::Database;
use crate::state::terminal::notes::Note;

fn fresh() -> Rc<Session> {
    Rc::new(Session::fresh(Settings::default(), &world::Engines::default()))
}

/// A key of the first database.
fn key(name: &'static str) -> KeyName {
    Database { node: NodeIndex::FIRST, db: 0 }.key(name.into())
}

fn run(session: Rc<Session>, client: u32, line: &str, ahead_ms: u64) -> Rc<Session> {
    let argv = resp::split::split(line.as_bytes()).unwrap();
    session.reduce(SessionAction::Push { input: Input::Command { client, argv }, ahead_ms })
}

#[test]
fn fresh_session_has_only_two_clients() {
    let session = fresh();
    assert_eq!(session.world().clients().count(), 2);
    assert_eq!(session.name_of(1), "c2");
    assert_eq!(session.timeline().len(), 2);
    assert_eq!(session.selected(), None);
    assert!(session.is_untouched());
    assert!(!run(session, 0, "PING", 0).is_untouched());
}

#[test]
fn notes_belong_to_the_step_before_them_and_to_one_session() {
    let help = || Note::Help { line: "HELP".into(), topic: Vec::new() };
    let session = run(fresh(), 0, "PING", 0);
    let after = session.timeline().cursor();
    let noted = Rc::clone(&session).reduce(SessionAction::Note(0, help()));
    assert_eq!(noted.notes(0).between(0, StepId::MAX).collect::<Vec<_>>(), [(after, &help())]);
    assert_eq!(noted.notes(1).between(0, StepId::MAX).count(), 0);
    assert_eq!(noted.revision(), session.revision());
    let other = Timeline::with_engines(Settings::default(), &world::Engines::default());
    let replaced = noted.reduce(SessionAction::Replace(Box::new(other), None));
    assert_eq!(replaced.notes(0).between(0, StepId::MAX).count(), 0);
}

#[test]
fn passed_time_goes_into_the_log_before_the_command() {
    let start_ms = Settings::default().start_ms;
    let session = run(fresh(), 0, "SET k v", 1_500);
    assert_eq!(session.world().now_ms(), start_ms + 1_500);
    assert_eq!(session.timeline().len(), 4);
    assert_eq!(session.selected(), Some(&key("k")));
    let back = Rc::clone(&session).reduce(SessionAction::Back);
    assert_eq!(back.timeline().position(), 2, "quiet time is skipped");
    assert_eq!(back.reduce(SessionAction::Forward).timeline().position(), 4);
}

#[test]
fn typing_in_the_past_branches_and_keeps_the_old_future() {
    let session = run(run(fresh(), 0, "SET k 1", 0), 0, "SET k 2", 0);
    let old_head = session.timeline().cursor();
    let session = run(session.reduce(SessionAction::Back), 1, "SET k 3", 9_000);
    assert_eq!(session.timeline().branches().len(), 2);
    assert_eq!(session.timeline().len(), 4, "no time passes in the past");
    let session = session.reduce(SessionAction::Switch(old_head));
    assert_eq!(session.timeline().cursor(), old_head);
}

#[test]
fn switching_branches_shows_the_first_difference() {
    let session = run(run(run(fresh(), 0, "SET k 1", 300), 0, "SET k 2", 300), 0, "SET k 3", 300);
    let head = session.timeline().cursor();
    let session = run(session.reduce(SessionAction::Back).reduce(SessionAction::Back), 0, "DEL k", 0);
    let session = session.reduce(SessionAction::Switch(head));
    assert_eq!(session.stop(), 2);
    let (_, step) = session.current().unwrap();
    assert!(matches!(&step.input, Input::Command { argv, .. } if argv[2].as_ref() == b"2"));
}

#[test]
fn commands_typed_for_a_blocked_client_run_when_it_is_unblocked() {
    let session = run(run(fresh(), 0, "BLPOP q 0", 0), 0, "SET after 1", 0);
    assert_eq!(session.typed_ahead(0), 1);
    assert!(session.refusal().is_none());
    let session = run(session, 1, "RPUSH q x", 0);
    assert_eq!(session.typed_ahead(0), 0);
    let last = session.timeline().step_at(session.timeline().len() - 1).unwrap();
    assert!(matches!(&last.input, Input::Command { client: 0, argv } if argv[0].as_ref() == b"SET"));
    assert!(last.events.iter().any(|event| matches!(event.kind, EventKind::KeyChanged { .. })));
}

#[test]
fn going_back_drops_commands_typed_ahead() {
    let session = run(run(fresh(), 0, "BLPOP q 0", 0), 0, "SET after 1", 0);
    assert_eq!(session.reduce(SessionAction::Back).typed_ahead(0), 0);
}

#[test]
fn moments_are_the_steps_in_which_something_happened() {
    let mut session = fresh();
    let check = |session: &Session| {
        let timeline = session.timeline();
        let expected: Vec<usize> = (session.floor()..timeline.len())
            .filter(|index| !world::Timeline::is_quiet(timeline.step_at(*index).unwrap()))
            .map(|index| index + 1)
            .collect();
        assert_eq!(**session.stops(), expected);
    };
    for n in 0..9 {
        session = run(session, n % 2, &format!("SET k {n}"), u64::from(n) * 10);
        check(&session);
    }
    assert_eq!(session.stop(), 9);
    for _ in 0..4 {
        session = session.reduce(SessionAction::Back);
    }
    assert_eq!((session.stop(), session.position_of(5)), (5, session.timeline().position()));
    let old = session.timeline().branches()[0].head;
    session = run(session, 0, "DEL k", 0);
    check(&session);
    session = session.reduce(SessionAction::Settle { ahead_ms: 50 });
    check(&session);
    session = session.reduce(SessionAction::Switch(old));
    check(&session);
    assert_eq!(session.position_of(0), session.floor());
}

#[test]
fn going_back_undoes_a_step_even_after_quiet_time() {
    let session = run(run(fresh(), 0, "SET k 1", 0), 0, "SET k 2", 0);
    let session = session.reduce(SessionAction::Settle { ahead_ms: 5_000 }).reduce(SessionAction::Back);
    assert_eq!(session.stop(), 1);
    let session = session.reduce(SessionAction::Forward);
    assert!(session.timeline().is_at_end(), "the quiet time at the end belongs to the last step");
}

#[test]
fn action_without_a_change_returns_the_same_session() {
    let session = fresh();
    for action in [
        SessionAction::Last,
        SessionAction::Forward,
        SessionAction::PlayOn,
        SessionAction::Seek(99),
        SessionAction::Activate(0),
        SessionAction::Follow,
        SessionAction::Settle { ahead_ms: 0 },
    ] {
        assert!(Rc::ptr_eq(&session, &Rc::clone(&session).reduce(action.clone())), "{action:?}");
    }
}

#[test]
fn at_most_eight_clients_are_added() {
    let mut session = fresh();
    for _ in 0..20 {
        session = session.reduce(SessionAction::AddClient { ahead_ms: 0 });
    }
    assert_eq!(session.world().clients().count(), CLIENTS_MAX);
    assert_eq!(session.active(), 7);
    let session = session.reduce(SessionAction::Push { input: Input::Disconnect { client: 7 }, ahead_ms: 0 });
    assert_eq!(session.active(), 0, "nobody types as a client that left");
}

#[test]
fn another_timeline_takes_over_no_state() {
    let other = run(run(fresh(), 0, "SET x 1", 0), 0, "SET x 2", 0);
    let session = run(fresh(), 0, "SET k 1", 0);
    let replaced = Rc::clone(&session).reduce(SessionAction::Replace(Box::new(other.timeline().clone()), None));
    assert_eq!(replaced.stops(), other.stops());
    assert!(replaced.revision() > session.revision());
}

#[test]
fn opened_session_shows_the_last_changed_existing_key() {
    let session = run(run(run(fresh(), 0, "SET a 1", 0), 0, "SET b 1", 0), 0, "DEL b", 0);
    let session = run(session, 0, "GET a", 0);
    let opened = Session::of(session.timeline().clone());
    assert_eq!(opened.selected(), Some(&key("a")));
}

#[test]
fn refusal_is_reported_and_changes_nothing_else() {
    let session = fresh();
    let input = Input::Rename { client: 0, name: "no way".into() };
    let refused = Rc::clone(&session).reduce(SessionAction::Push { input, ahead_ms: 0 });
    assert_eq!(refused.refusal(), Some(&(0, StepError::BadName)));
    assert_eq!(refused.revision(), session.revision());
}

#[test]
fn inside_panel_follows_a_question_that_its_view_answers() {
    let session = run(run(fresh(), 0, "SETBIT a 1 1", 0), 0, "SET b 1", 0);
    let session = run(session, 0, "BITCOUNT a", 0);
    assert_eq!(session.selected(), Some(&key("a")));
    let session = run(run(session, 0, "GET b", 0), 0, "PFCOUNT nothing", 0);
    assert_eq!(session.selected(), Some(&key("a")));
}

#[test]
fn inside_panel_follows_until_it_is_pinned() {
    let session = run(run(fresh(), 0, "SET a 1", 0), 0, "SET b 1", 0);
    assert_eq!(session.selected(), Some(&key("b")));
    let session = session.reduce(SessionAction::Select(key("a")));
    let session = run(session, 0, "SET c 1", 0);
    assert_eq!(session.selected(), Some(&key("a")));
    assert_eq!(session.reduce(SessionAction::Follow).selected(), Some(&key("c")));
}

#[test]
fn only_the_readers_own_steps_are_by_hand() {
    let session = run(fresh(), 0, "SET k v", 0);
    assert!(session.is_by_hand());
    let story = Rc::clone(&session).reduce(SessionAction::Story(Input::Advance { ms: 5 }));
    assert!(!story.is_by_hand());
    assert!(story.reduce(SessionAction::Back).is_by_hand());
    // It is unknown who took the steps of another timeline, even after looking at them; taking them again makes them the reader's.
    let other = Box::new(session.timeline().clone());
    let opened = session.reduce(SessionAction::Replace(other, None));
    let back = Rc::clone(&opened).reduce(SessionAction::Back);
    assert!(!opened.is_by_hand() && !Rc::clone(&back).reduce(SessionAction::Forward).is_by_hand());
    let again = run(back, 0, "SET k v", 0);
    assert_eq!(
        (again.is_by_hand(), again.timeline().branches().len()),
        (true, 1),
        "the same step, and by hand all the same"
    );
}

/// Commands for c1 and c2 in turn.
fn line() -> Vec<Input> {
    let command =
        |(client, line): (u32, &str)| Input::Command { client, argv: resp::split::split(line.as_bytes()).unwrap() };
    [(0, "GET n"), (1, "GET n"), (0, "SET n 1"), (1, "SET n 1")].map(command).to_vec()
}

#[test]
fn decisive_order_is_known_only_on_its_own_branch() {
    let pairs = |session: &Session| match session.decisive() {
        Some(decisive) => decisive.pairs_on(session.timeline()).to_vec(),
        None => Vec::new(),
    };
    let session = run(fresh(), 0, "SET n 0", 0);
    let after = session.timeline().cursor();
    let order = |pair| Some(DecisivePairs { property: Property::NoDeadlock, steps: 4, pairs: vec![pair] });
    let append = |order| SessionAction::AppendBranch { after, inputs: line(), ahead: 0, order };
    assert_eq!(pairs(&Rc::clone(&session).reduce(append(None))), []);
    // A step that does not exist.
    assert_eq!(pairs(&Rc::clone(&session).reduce(append(order((1, 4))))), []);
    let laid = session.reduce(append(order((1, 2))));
    assert_eq!(pairs(&laid), [(5, 6)]);
    assert_eq!((laid.number_of(5), laid.number_of(6)), (3, 4));
    // At any position on that branch, and after any of its steps is taken again.
    for action in [SessionAction::Last, SessionAction::First, SessionAction::Seek(5), SessionAction::Forward] {
        assert_eq!(pairs(&Rc::clone(&laid).reduce(action)), [(5, 6)]);
    }
    assert_eq!(pairs(&run(Rc::clone(&laid), 0, "GET n", 0)), [(5, 6)]);
    // On another branch they are gone, and they are back after the return.
    let head = Rc::clone(&laid).reduce(SessionAction::Last).timeline().cursor();
    let other = run(Rc::clone(&laid), 0, "PING", 0);
    assert_eq!(pairs(&other), []);
    assert_eq!(pairs(&other.reduce(SessionAction::Switch(head))), [(5, 6)]);
    // After its end a dead lock may have been resolved.
    let beyond = run(Rc::clone(&laid).reduce(SessionAction::Last), 0, "DEL n", 0);
    assert_eq!(pairs(&beyond), []);
    assert_eq!(pairs(&beyond.reduce(SessionAction::Back)), [(5, 6)]);
    // A shorter branch is another branch.
    let sooner = Rc::clone(&laid).reduce(SessionAction::Seek(6));
    let sooner = run(sooner, 1, "PING", 0);
    assert_eq!(pairs(&sooner), []);
    // Steps of another timeline have the same numbers; with a counterexample after its cursor it has pairs of its own.
    let again = || Box::new(Timeline::from_text(&laid.timeline().to_text(), laid.world().engines()).unwrap());
    assert_eq!(pairs(&Rc::clone(&laid).reduce(SessionAction::Replace(again(), None))), []);
    let mut begun = again();
    begun.seek(3);
    assert_eq!(pairs(&Rc::clone(&laid).reduce(SessionAction::Replace(begun, order((0, 3))))), [(4, 7)]);
    // Without such steps there are no pairs.
    let mut ended = again();
    ended.seek(7);
    assert_eq!(pairs(&Rc::clone(&laid).reduce(SessionAction::Replace(ended, order((0, 3))))), []);
    // Inserting the same steps with new findings is a change too.
    let unknown = Rc::clone(&laid).reduce(append(None));
    assert_eq!(pairs(&unknown), []);
    assert_eq!(pairs(&unknown.reduce(append(order((0, 1))))), [(4, 5)]);
}

fn any_action() -> impl Strategy<Value = SessionAction> {
    let line = prop::sample::select(vec!["PING", "SET k v PX 50", "INCR n", "BLPOP q 1", "RPUSH q v"]);
    let command =
        |(client, line): (u32, &str)| Input::Command { client, argv: resp::split::split(line.as_bytes()).unwrap() };
    let input = prop_oneof![
        6 => (0..2u32, line).prop_map(command),
        1 => (1..99u64).prop_map(|ms| Input::Advance { ms }),
        1 => (0..3u32).prop_map(|client| Input::Disconnect { client }),
    ];
    prop_oneof![
        8 => (input.clone(), 0..60u64).prop_map(|(input, ahead_ms)| SessionAction::Push { input, ahead_ms }),
        2 => (0..60u64).prop_map(|ahead_ms| SessionAction::Settle { ahead_ms }),
        2 => (0..60usize).prop_map(SessionAction::Seek),
        2 => Just(SessionAction::Back),
        1 => Just(SessionAction::Forward),
        2 => (0..60 as StepId).prop_map(SessionAction::Switch),
        1 => (0..60 as StepId, prop::collection::vec(input, 0..5), 0..5usize)
            .prop_map(|(after, inputs, ahead)| SessionAction::AppendBranch { after, inputs, ahead, order: None }),
        // Replaced by an equal timeline, created again.
        1 => Just(SessionAction::Replace(Box::new(Timeline::new(Settings::default())), None)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// In the sandbox, and in a lesson.
    #[test]
    fn moments_are_those_of_a_walk_over_the_path(actions in prop::collection::vec(any_action(), 1..80), is_lesson: bool) {
        let mut session = fresh();
        if is_lesson {
            session = Rc::new(Session::staged(session.timeline().clone()));
        }
        for action in actions {
            let count = session.timeline().step_count().max(1) as StepId;
            session = session.clone().reduce(match action {
                SessionAction::Switch(head) => SessionAction::Switch(head % count),
                SessionAction::AppendBranch { after, inputs, ahead, order } => {
                    SessionAction::AppendBranch { after: after % count, inputs, ahead, order }
                }
                SessionAction::Replace(..) => {
                    let again = Timeline::from_text(&session.timeline().to_text(), session.world().engines()).unwrap();
                    SessionAction::Replace(Box::new(again), None)
                }
                other => other,
            });
            let timeline = session.timeline();
            let is_stop = |index: &usize| is_lesson || !Timeline::is_quiet(timeline.step_at(*index).unwrap());
            let stops = (session.floor()..timeline.len()).filter(is_stop).map(|index| index + 1);
            prop_assert_eq!(&**session.stops(), &stops.collect::<Vec<_>>());
        }
    }
}
