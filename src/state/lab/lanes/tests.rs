//! Lanes of small timelines, row by row.
use std::rc::Rc;

use bytes::Bytes;
use proptest::prelude::*;
use world::{
    Act, Breach, ClientIndex, Direction, Durability, Input, LinkAct, NodeAct, NodeIndex, NodeSettings, Settings, Step,
    Timeline,
};

use crate::state::followed::tests::{Played, any_action};

use super::super::fixture::{Fixture, LEASE};
use super::{AtServer, Bar, BarKind, Diagram, LaneEvent, LaneKey, LeaseEnd, NodeCell, Picture, RequestProgress};

fn picture(stage: &Fixture) -> Picture {
    let mut picture = Picture::default();
    picture.follow(&stage.timeline, 0);
    picture
}

/// What happened in the last row, in words.
fn last(stage: &Fixture) -> Vec<String> {
    let picture = picture(stage);
    let row = picture.rows.last().unwrap();
    let mut lines: Vec<String> = row.passed_ms.iter().map(|ms| format!("+{ms}")).collect();
    for cell in &row.cells {
        lines
            .extend(cell.lines.iter().map(|line| format!("c{}.{} {}", cell.client + 1, line.thread, said(&line.what))));
    }
    assert!(row.nodes.len() <= 1 && row.nodes.iter().all(|cell| cell.node == NodeIndex::FIRST));
    lines.extend(row.nodes.iter().flat_map(|cell| &cell.lines).map(served));
    lines.extend(row.broken.iter().map(|(property, _)| format!("broken {property}")));
    lines
}

fn said(what: &LaneEvent) -> String {
    match what {
        LaneEvent::Asks { words, way: RequestProgress::Executed, .. } => format!("{words} >"),
        LaneEvent::Asks { words, way: RequestProgress::Queued, .. } => format!("{words} >>"),
        LaneEvent::Asks { words, way: RequestProgress::Lost, .. } => format!("{words} x"),
        LaneEvent::Gets { words, is_error: true, .. } => format!("! {words}"),
        LaneEvent::Gets { words, .. } => format!("< {words}"),
        LaneEvent::Enters(section) => format!("enter {section}"),
        LaneEvent::Leaves(section) => format!("leave {section}"),
        LaneEvent::Rests { is_busy, ms } => format!("{} {ms}", if *is_busy { "work" } else { "sleep" }),
        other => format!("{other:?}"),
    }
}

fn served(line: &AtServer) -> String {
    match line {
        AtServer::Serves { client, words, .. } => format!("@ c{} {words}", client + 1),
        AtServer::Locked { key, holder, ms } => format!("@ {key} = {holder:?} {ms:?}"),
        AtServer::Renewed { key, ms } => format!("@ {key} ~ {ms:?}"),
        AtServer::Released { key, is_owner, .. } => format!("@ {key} {}", if *is_owner { "released" } else { "taken" }),
        AtServer::Expired { key } => format!("@ {key} expired"),
        AtServer::Value { key, value } => format!("@ {key}: {value:?}"),
        other => format!("@ {other:?}"),
    }
}

fn bars(picture: &Picture, client: ClientIndex) -> Vec<(usize, Option<usize>, &BarKind)> {
    picture.lane(LaneKey::Client(client)).unwrap().bars.iter().map(|bar| (bar.from, bar.to, &bar.kind)).collect()
}

/// Start row, end row, holder, rows with renewals, and how it ended.
type Held = (usize, Option<usize>, Option<ClientIndex>, Vec<usize>, Option<LeaseEnd>);

fn leases(picture: &Picture) -> Vec<Held> {
    let lease = |bar: &Bar| match &bar.kind {
        BarKind::Lease(lease) => Some((bar.from, bar.to, lease.holder, lease.renewals.clone(), lease.end)),
        _ => None,
    };
    picture
        .lane(LaneKey::Node(NodeIndex::FIRST))
        .map(|lane| lane.bars.iter().filter_map(lease).collect())
        .unwrap_or_default()
}

#[test]
fn lease_that_is_too_short_lets_two_clients_hold_the_lock() {
    let mut stage = Fixture::new([LEASE, LEASE]);
    stage.watch("mutual-exclusion");
    stage.watch("only-owner-releases lock");
    stage.step(0);
    let first =
        ["c1.0 SET lock … NX >", "c1.0 < OK", "c1.0 enter checkout", "c1.0 work 15000", "@ lock = Some(0) Some(10000)"];
    assert_eq!(last(&stage), first);
    stage.pass(10_001);
    assert_eq!(last(&stage), ["+10001", "c2.0 StoodStill", "@ lock expired"]);
    stage.step(1);
    assert!(last(&stage).contains(&"broken 0".to_owned()));
    stage.pass(4_999);
    stage.step(0);
    assert_eq!(last(&stage), ["c1.0 leave checkout"]);
    stage.step(0);
    assert_eq!(last(&stage), ["c1.0 DEL lock >", "c1.0 < 1", "c1.0 Ended", "@ lock taken", "broken 1"]);
    let picture = picture(&stage);
    assert_eq!(picture.clients().collect::<Vec<_>>(), [0, 1]);
    // Rows: two loads, then the six steps.
    assert_eq!(
        leases(&picture),
        [(2, Some(3), Some(0), vec![], Some(LeaseEnd::Expired)), (4, Some(7), Some(1), vec![], Some(LeaseEnd::Taken))]
    );
    let section = BarKind::Section("checkout".into());
    let of_first = bars(&picture, 0);
    assert!(
        of_first.contains(&(2, Some(6), &section))
            && of_first.contains(&(2, Some(6), &BarKind::Rests { is_busy: true }))
    );
    assert_eq!(of_first.last(), Some(&(7, None, &BarKind::Over { is_well: true })));
    let breach = picture.rows[4].broken.first().unwrap();
    assert!(matches!(&breach.1, Breach::BothInside { .. }));
    assert_eq!(picture.rows[4].position, 9);
    assert_eq!(picture.rows_until(9), 5);
}

#[test]
fn same_lock_name_at_another_node_is_another_lock() {
    let mut stage = Fixture::new([LEASE]);
    stage.step(0);
    let steps: Vec<Rc<Step>> = stage.timeline.steps_from(0).map(|(_, step)| Rc::clone(step)).collect();
    let other: NodeIndex = "1".parse().unwrap();
    let mut diagram = Diagram::default();
    for (position, step) in (1..).zip(&steps) {
        diagram.add(position, 0, step, 0);
    }
    // The events of the last step happen again, at another node.
    let last = steps.last().unwrap();
    let mut events = last.events.clone();
    events.iter_mut().for_each(|event| event.node = event.node.map(|_| other));
    let again = Step { parent: 0, depth: 0, input: last.input.clone(), events, now_ms: last.now_ms };
    diagram.add(steps.len() + 1, 0, &again, 0);
    for node in [NodeIndex::FIRST, other] {
        let lane = diagram.lane(LaneKey::Node(node)).unwrap();
        assert!(matches!(lane.bars.as_slice(), [Bar { to: None, kind: BarKind::Lease(_), .. }]), "{lane:?}");
    }
    let row = diagram.rows.last().unwrap();
    assert_eq!(row.nodes.iter().map(|cell| cell.node).collect::<Vec<_>>(), [other]);
    let arrows: Vec<Option<NodeIndex>> = row.cells[0].lines.iter().map(|line| line.node).collect();
    // Requests and replies point to the node; entering and working do not.
    assert_eq!(arrows, [Some(other), Some(other), None, None]);
}

#[test]
fn request_travels_through_its_own_rows() {
    let mut stage = Fixture::new(["redis.call('INCR', 'n')", "redis.call('INCR', 'n')"]);
    stage.program(0, Act::Send { thread: 0 });
    assert_eq!(last(&stage), ["c1.0 INCR n >>"]);
    stage.push(Input::Serve { node: NodeIndex::FIRST });
    assert_eq!(last(&stage), ["@ c1 INCR n", "@ n: Some(\"1\")"]);
    stage.program(0, Act::Deliver { thread: 0 });
    assert_eq!(last(&stage), ["c1.0 < 1", "c1.0 Ended"]);
    assert_eq!(bars(&picture(&stage), 0)[0], (2, Some(4), &BarKind::Waits));
    stage.program(1, Act::Send { thread: 0 });
    stage.program(1, Act::Lose { thread: 0, direction: Direction::Request });
    assert_eq!(last(&stage), ["c2.0 INCR n x"]);
}

#[test]
fn lost_replies_and_requests_are_drawn() {
    let text = "redis.pcall('INCR', 'n')";
    let mut stage = Fixture::new([text, text]);
    stage.program(0, Act::Lose { thread: 0, direction: Direction::Reply });
    assert_eq!(last(&stage), ["c1.0 INCR n >", "c1.0 Misses", "@ n: Some(\"1\")"]);
    stage.program(1, Act::Lose { thread: 0, direction: Direction::Request });
    assert_eq!(last(&stage), ["c2.0 INCR n x"]);
    stage.pass(world::TIMEOUT_MS);
    stage.step(0);
    // No arrow: the reply does not come from a node.
    assert_eq!(last(&stage), ["c1.0 TimedOut", "c1.0 Ended"]);
    let picture = picture(&stage);
    assert!(bars(&picture, 0).contains(&(2, Some(5), &BarKind::Waits)), "{:?}", bars(&picture, 0));
}

#[test]
fn watchdog_renews_and_a_crash_ends_all_bars() {
    let mut stage = Fixture::new(["redis.call('SET', 'lock', 'me', 'PX', 30000)
        enter('s')
        spawn(function() while true do sleep(10000) redis.call('PEXPIRE', 'lock', 30000) end end)
        redis.call('BLPOP', 'q', 0)"]);
    stage.watch("only-owner-releases lock");
    stage.step(0);
    stage.step(0);
    for _ in 0..2 {
        stage.pass(10_000);
        stage.program(0, Act::Step { thread: 1 });
        stage.program(0, Act::Step { thread: 1 });
    }
    let renewal = ["c1.1 PEXPIRE lock 30000 >", "c1.1 < 1", "c1.1 sleep 10000", "@ lock ~ Some(30000)"];
    assert_eq!(last(&stage), renewal);
    stage.program(0, Act::Crash);
    let picture = picture(&stage);
    let at = picture.rows.len() - 1;
    let open: Vec<&Bar> =
        picture.lane(LaneKey::Client(0)).unwrap().bars.iter().filter(|bar| bar.to.is_none()).collect();
    assert_eq!(open.iter().map(|bar| (bar.from, &bar.kind)).collect::<Vec<_>>(), [(at, &BarKind::Crashed)]);
    assert_eq!(leases(&picture), [(1, None, Some(0), vec![5, 8], None)]);
    // Overlapping bars are side by side.
    let lane = picture.lane(LaneKey::Client(0)).unwrap();
    let crossing = |a: &Bar, b: &Bar| a.from < b.to.unwrap_or(at + 1) && b.from < a.to.unwrap_or(at + 1);
    for (i, a) in lane.bars.iter().enumerate() {
        for b in lane.bars.iter().skip(i + 1) {
            assert!(!crossing(a, b) || a.track != b.track, "{a:?} and {b:?}");
        }
    }
}

#[test]
fn acquired_keys_are_locks_without_being_watched() {
    let take = |words: &str| format!("redis.call({words})");
    let hash = "redis.call('HINCRBY', KEYS[1], 'me', 1) redis.call('PEXPIRE', KEYS[1], 30000) return nil";
    let script = format!("redis.call('EVAL', [[{hash}]], 1, 'lock')");
    for (program, until) in [
        (take("'SETNX', 'lock', '1'"), "None"),
        (take("'SET', 'lock', 'me', 'EX', 10, 'NX'"), "Some(10000)"),
        (script.clone(), "Some(30000)"),
    ] {
        let stage = &mut Fixture::new([program.as_str()]);
        stage.step(0);
        let lines = last(stage);
        assert!(lines.contains(&format!("@ lock = Some(0) {until}")), "{lines:?}");
    }
    // Entering again renews it.
    let mut stage = Fixture::new([format!("{script} sleep(1000) {script}").as_str()]);
    stage.step(0);
    stage.pass(1_000);
    stage.step(0);
    stage.step(0);
    let lines = last(&stage);
    assert!(lines.contains(&"@ lock ~ Some(30000)".to_owned()), "{lines:?}");
    assert_eq!(leases(&picture(&stage)), [(1, None, Some(0), vec![4], None)]);
    // A key that is only written, or only has a TTL, is not a lock.
    let count = "redis.call('EVAL', [[return redis.call('INCR', KEYS[1])]], 1, 'n')";
    for program in [count, &take("'SET', 'page', 'text', 'EX', 60"), &take("'SET', 'NX', 'NX'")] {
        let mut stage = Fixture::new([program]);
        stage.step(0);
        assert!(leases(&picture(&stage)).is_empty(), "{program}");
    }
}

#[test]
fn growing_quiet_time_is_one_row() {
    let mut stage = Fixture::new([LEASE]);
    stage.watch("only-owner-releases lock");
    stage.step(0);
    let mut live = picture(&stage);
    for _ in 0..4 {
        stage.pass(3_000);
        live.follow(&stage.timeline, 0);
    }
    assert_eq!(live.rows, picture(&stage).rows);
    let row = live.rows.last().unwrap();
    assert!(row.passed_ms.is_some());
    let lines = vec![AtServer::Expired { key: "lock".into() }];
    assert_eq!(row.nodes, [NodeCell { node: NodeIndex::FIRST, lines }]);
}

#[test]
fn longer_and_longer_pause_is_one_row() {
    let mut stage = Fixture::new([LEASE, "sleep(2000)", LEASE]);
    stage.step(0);
    let mut live = picture(&stage);
    let before = stage.timeline.len();
    for _ in 0..4 {
        stage.pass(1_000);
        live.follow(&stage.timeline, 0);
    }
    assert_eq!(live.rows, picture(&stage).rows);
    assert_eq!(stage.timeline.len(), before + 1);
    // The second client from its second second on.
    assert_eq!(last(&stage), ["+4000", "c2.0 StoodStill", "c3.0 StoodStill"]);
    let again = world::Timeline::from_text(&stage.timeline.to_text(), stage.world().engines()).unwrap();
    assert_eq!(again.step_at(before), stage.timeline.step_at(before));
}

#[test]
fn setup_has_no_rows_but_its_bars_are_drawn() {
    let mut stage = Fixture::new(["sleep(100)", "sleep(100)"]);
    let floor = stage.timeline.len();
    stage.pass(100);
    stage.step(0);
    let mut picture = Picture::default();
    picture.follow(&stage.timeline, floor);
    assert_eq!(picture.rows.len(), 2);
    assert_eq!(bars(&picture, 0)[0], (0, Some(1), &BarKind::Rests { is_busy: false }));
}

#[test]
fn only_open_lanes_take_room() {
    let text = "redis.call('PING') note('a') note('b')";
    let mut stage = Fixture::new([text, text, text]);
    let floor = stage.timeline.len();
    for client in [0, 1, 2] {
        stage.step(client);
    }
    let mut picture = Picture::default();
    picture.follow(&stage.timeline, floor);
    let all = picture.shown(&[0, 1, 2]);
    assert_eq!((all.rows.as_slice(), all.tops.as_slice()), (&[0, 1, 2][..], &[0, 5, 10, 15][..]));
    let one = picture.shown(&[1]);
    assert_eq!((one.rows.as_slice(), one.tops.as_slice()), (&[1][..], &[0, 5][..]));
    assert_eq!((all.between(0..5), all.between(4..6), all.between(11..99)), (0..1, 0..2, 2..3));
    assert_eq!((one.top(0), one.top(1), one.top(2)), (0, 0, 5));
    assert_eq!((one.place(0), one.place(1), one.place(2)), (None, Some(0), Some(0)));
    assert_eq!(picture.shown(&[]).between(0..9), 0..0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Any sequence of steps, seeks and branches leads to the same picture.
    #[test]
    fn growing_picture_equals_one_built_at_once(choices in prop::collection::vec((0u8..9, 0usize..40), 1..60)) {
        let mut stage = Fixture::new([LEASE, LEASE, "sleep(5) redis.call('DEL', 'lock')"]);
        stage.watch("only-owner-releases lock");
        let mut live = Picture::default();
        for (what, number) in choices {
            let client = number as u32 % 3;
            let act = |act| Input::Program { client, act };
            let input = match what {
                0..4 => act(Act::Step { thread: 0 }),
                4 => Input::Advance { ms: number as u64 * 500 + 1 },
                5 => act(Act::Send { thread: 0 }),
                6 => Input::Serve { node: NodeIndex::FIRST },
                7 => if number % 4 == 0 { act(Act::Crash) } else { act(Act::Restart) },
                _ => {
                    stage.timeline.seek(number);
                    continue;
                }
            };
            let _ = stage.timeline.push(input);
            live.follow(&stage.timeline, 0);
            let whole = picture(&stage);
            prop_assert_eq!(&live.rows, &whole.rows);
            prop_assert!(live.lanes.iter().eq(whole.lanes.iter()));
            for (_, lane) in live.lanes.iter() {
                // The slow way: look at every bar.
                let rows = number..=number.saturating_add(usize::from(what));
                let is_in = |bar: &Bar| bar.from <= *rows.end() && bar.to.is_none_or(|to| to >= *rows.start());
                let slow: Vec<usize> = lane.bars.iter().enumerate().filter(|(_, bar)| is_in(bar)).map(|(at, _)| at).collect();
                let mut quick: Vec<usize> = lane.bars_between(rows.clone()).map(|(at, _)| at).collect();
                quick.sort_unstable();
                prop_assert_eq!(quick, slow);
                let beside = lane.bars.iter().filter(|bar| bar.stands_beside()).map(|bar| bar.track + 1).max().unwrap_or(0);
                prop_assert_eq!(lane.beside(), beside);
            }
        }
    }

    /// The same with inserted steps, switched branches, replaced timelines and other floors.
    #[test]
    fn rewound_picture_equals_one_built_at_once(
        actions in prop::collection::vec((any_action(any_input()), 0usize..20), 1..80),
    ) {
        let mut stage = Fixture::new([LEASE, LEASE, "spawn(function() sleep(5) end) redis.call('DEL', 'lock')"]);
        stage.watch("only-owner-releases lock");
        let mut played = Played::new(stage.timeline);
        let mut live = Picture::default();
        for (action, floor) in actions {
            played.apply(action);
            let floor = if floor == 0 { 9 } else { 0 };
            live.follow(&played.timeline, floor);
            let mut whole = Picture::default();
            whole.follow(&played.timeline, floor);
            prop_assert_eq!(&live.rows, &whole.rows);
            prop_assert!(live.lanes.iter().eq(whole.lanes.iter()));
            prop_assert_eq!((&live.locks, &live.asked), (&whole.locks, &whole.asked));
        }
    }
}

fn any_input() -> impl Strategy<Value = Input> + Clone {
    let step = (0..3u32, 0..2u8).prop_map(|(client, thread)| (client, Act::Step { thread: thread.into() }));
    let other = prop::sample::select(vec![Act::Crash, Act::Restart, Act::Pause, Act::Resume, Act::Send { thread: 0 }]);
    let program = prop_oneof![6 => step, 2 => (0..3u32, other)];
    prop_oneof![
        6 => program.prop_map(|(client, act)| Input::Program { client, act }),
        2 => (1..9_000u64).prop_map(|ms| Input::Advance { ms }),
        1 => Just(Input::Serve { node: NodeIndex::FIRST }),
    ]
}

fn typed(stage: &mut Fixture, client: ClientIndex, line: &str) {
    stage.push(Input::Command { client, argv: resp::split::split(line.as_bytes()).unwrap() });
}

#[test]
fn typed_commands_go_to_the_server_and_their_replies_come_back() {
    let mut stage = Fixture::new([]);
    for client in 0..2 {
        stage.push(Input::Connect { client, name: format!("c{}", client + 1) });
    }
    typed(&mut stage, 0, "SET a 1");
    assert_eq!(last(&stage), ["c1.0 SET a 1 >", "c1.0 < OK", "@ a: Some(\"1\")"]);
    typed(&mut stage, 1, "LPUSH a 1");
    assert!(last(&stage)[1].starts_with("c2.0 ! WRONGTYPE"), "{:?}", last(&stage));
    // A blocked client waits in its lane until another client unblocks it.
    typed(&mut stage, 0, "BLPOP q 0");
    assert_eq!(last(&stage), ["c1.0 BLPOP q 0 >"]);
    let waiting = picture(&stage);
    assert_eq!(bars(&waiting, 0), [(2, None, &BarKind::Waits)]);
    typed(&mut stage, 1, "RPUSH q x");
    let lines = last(&stage);
    assert_eq!(lines[..3], ["c2.0 RPUSH q x >", "c2.0 < 1", "c1.0 < [q, x]"], "{lines:?}");
    assert_eq!(bars(&picture(&stage), 0), [(2, Some(3), &BarKind::Waits)]);
    // Ctrl-C ends the wait.
    typed(&mut stage, 0, "BLPOP q 0");
    stage.push(Input::Interrupt { client: 0 });
    assert_eq!(last(&stage), ["c1.0 Cancelled"]);
    assert!(bars(&picture(&stage), 0).iter().all(|(_, to, _)| to.is_some()));
}

#[test]
fn terminal_gets_published_messages() {
    let mut stage = Fixture::new([]);
    for client in 0..2 {
        stage.push(Input::Connect { client, name: format!("c{}", client + 1) });
    }
    typed(&mut stage, 0, "SUBSCRIBE news");
    typed(&mut stage, 1, "PUBLISH news hello");
    let lines = last(&stage);
    assert!(lines.iter().any(|line| line.starts_with("c1.0 Hears")), "{lines:?}");
    assert!(lines.contains(&"c2.0 < 1".to_owned()), "{lines:?}");
}

/// Puts a lock at a node with this durability, and returns the texts of the last rows of these acts.
fn acts_on_node(durability: Durability, acts: &[Input]) -> (Fixture, Vec<Vec<String>>) {
    let mut stage = Fixture::new([LEASE]);
    let settings = Settings { nodes: vec![NodeSettings::redis("redis", durability)], ..Settings::default() };
    stage.timeline = Timeline::with_engines(settings, stage.world().engines());
    stage.push(Input::Connect { client: 0, name: "c1".into() });
    stage.program(0, Act::load(Bytes::from_static(LEASE.as_bytes())));
    stage.step(0);
    let mut rows = Vec::new();
    for act in acts {
        stage.push(act.clone());
        rows.push(last(&stage));
    }
    (stage, rows)
}

#[test]
fn lock_survives_a_crash_only_if_it_was_on_disk() {
    let act = |act| Input::Node { node: NodeIndex::FIRST, act };
    let acts = [act(NodeAct::Crash), Input::Advance { ms: 2_000 }, act(NodeAct::Restart), Input::Advance { ms: 8_001 }];
    let crashed = vec!["@ Crashed".to_owned()];
    let (stage, rows) = acts_on_node(Durability::None, &acts);
    assert_eq!((&rows[0], &rows[2]), (&crashed, &vec!["@ Restarted".to_owned()]));
    assert_eq!(leases(&picture(&stage)), [(1, Some(2), Some(0), vec![], Some(LeaseEnd::Lost))]);
    let (stage, rows) = acts_on_node(Durability::Always, &acts);
    assert_eq!(rows[0], crashed);
    assert_eq!(rows[2], ["@ Restarted", "@ Found { key: \"lock\" }"]);
    assert_eq!(rows[3], ["+8001", "@ lock expired"]);
    assert_eq!(
        leases(&picture(&stage)),
        [(1, Some(2), Some(0), vec![], Some(LeaseEnd::Lost)), (4, Some(5), Some(0), vec![], Some(LeaseEnd::Expired))]
    );
}

#[test]
fn clock_jump_of_its_node_shortens_a_lease() {
    let jump = |ms| Input::Node { node: NodeIndex::FIRST, act: NodeAct::ShiftClock { ms } };
    let (stage, rows) = acts_on_node(Durability::None, &[jump(4_000), Input::Advance { ms: 6_001 }]);
    assert_eq!(rows, [vec!["@ ClockShifted { ms: 4000 }".to_owned()], vec!["+6001".into(), "@ lock expired".into()]]);
    assert_eq!(leases(&picture(&stage)), [(1, Some(3), Some(0), vec![], Some(LeaseEnd::Expired))]);
    // A jump past the deadline expires it at once. Later locks keep their full TTL.
    let (mut stage, rows) = acts_on_node(Durability::None, &[jump(10_001)]);
    assert_eq!(rows, [["@ ClockShifted { ms: 10001 }", "@ lock expired"]]);
    stage.push(Input::Connect { client: 1, name: "c2".into() });
    stage.program(1, Act::load(Bytes::from_static(LEASE.as_bytes())));
    stage.step(1);
    assert_eq!(last(&stage).last().unwrap(), "@ lock = Some(1) Some(10000)");
}

#[test]
fn typed_commands_are_lost_with_a_crash_and_refused_afterwards() {
    let mut stage = Fixture::new([]);
    let type_in = |line: &str| Input::Command { client: 0, argv: resp::split::split(line.as_bytes()).unwrap() };
    stage.push(Input::Connect { client: 0, name: "c1".into() });
    stage.push(type_in("BLPOP jobs 60"));
    stage.push(Input::Node { node: NodeIndex::FIRST, act: NodeAct::Crash });
    assert_eq!(last(&stage), ["c1.0 Misses", "@ Crashed"]);
    stage.push(type_in("GET k"));
    assert_eq!(last(&stage), ["c1.0 GET k x"]);
    stage.push(Input::Node { node: NodeIndex::FIRST, act: NodeAct::Restart });
    stage.push(type_in("GET k"));
    assert_eq!(last(&stage), ["c1.0 GET k >", "c1.0 < nil"]);
    let picture = picture(&stage);
    // It waited once, and the node was down in between.
    assert_eq!(bars(&picture, 0), [(0, Some(1), &BarKind::Waits)]);
    let lane = picture.lane(LaneKey::Node(NodeIndex::FIRST)).unwrap();
    let down: Vec<_> = lane.bars.iter().map(|bar| (bar.from, bar.to, &bar.kind)).collect();
    assert_eq!(down, [(1, Some(3), &BarKind::Crashed)]);
}

#[test]
fn cut_link_is_shown_at_its_node_and_loses_messages() {
    let mut stage = Fixture::new(["redis.pcall('INCR', 'n')\nredis.call('INCR', 'n')"]);
    let link = |act| Input::Link { client: 0, node: NodeIndex::FIRST, act };
    stage.push(link(LinkAct::Cut));
    assert_eq!(last(&stage), ["@ Link { client: 0, act: Cut }"]);
    stage.step(0);
    assert_eq!(last(&stage), ["c1.0 INCR n x"]);
    stage.push(Input::Command { client: 0, argv: vec!["GET".into(), "n".into()] });
    assert_eq!(last(&stage), ["c1.0 GET n x"]);
    stage.pass(world::TIMEOUT_MS);
    stage.step(0);
    assert_eq!(last(&stage), ["c1.0 TimedOut"]);
    stage.push(link(LinkAct::Mend));
    stage.push(link(LinkAct::Delay { ms: 40 }));
    assert_eq!(last(&stage), ["@ Link { client: 0, act: Delay { ms: 40 } }"]);
    stage.step(0);
    stage.pass(40);
    stage.push(link(LinkAct::Cut));
    // It was in flight when the link was cut.
    stage.step(0);
    assert_eq!(last(&stage).first().unwrap(), "c1.0 INCR n x");
}
