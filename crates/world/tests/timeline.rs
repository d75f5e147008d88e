//! Properties of the timeline: replay, seeking, branches and the text form restore exactly the same world.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
use bytes::Bytes;
use proptest::prelude::*;
use world::{
    CLOCK_AHEAD_MAX_MS, ClientIndex, DELAY_MAX_MS, Durability, Engines, EventKind, Input, LinkAct, NODES_MAX, NodeAct,
    NodeIndex, NodeSettings, Settings, StepError, Timeline, World, timeline::TextError,
};

fn command(client: u32, line: &str) -> Input {
    Input::Command { client, argv: resp::split::split(line.as_bytes()).unwrap() }
}

fn connect(client: u32, name: &str) -> Input {
    Input::Connect { client, name: name.to_owned() }
}

fn node(number: u32) -> NodeIndex {
    number.to_string().parse().unwrap()
}

/// Three nodes, one with each durability: none, all but the last second, everything.
fn three_nodes() -> Vec<NodeSettings> {
    Durability::ALL.iter().map(|(word, durability)| NodeSettings::redis(format!("r-{word}"), *durability)).collect()
}

/// Two clients, one lock.
fn lock_session() -> Timeline {
    let mut timeline = Timeline::new(Settings::default());
    for input in [
        connect(0, "a"),
        connect(1, "b"),
        command(0, "SET lock t1 NX PX 3000"),
        command(1, "SET lock t2 NX PX 3000"),
        Input::Advance { ms: 3001 },
        command(1, "SET lock t2 NX PX 3000"),
    ] {
        timeline.push(input).unwrap();
    }
    timeline
}

fn any_input() -> impl Strategy<Value = Input> {
    let client = 0..3u32;
    let line = prop::sample::select(vec![
        "SET k v PX 150",
        "GET k",
        "INCR n",
        "LPUSH l a b",
        "BRPOP l 1",
        "BLPOP l 0",
        "DEL k l n",
        "MULTI",
        "EXEC",
        "WATCH k",
        "SUBSCRIBE ch",
        "PUBLISH ch hi",
        "HSET h f v",
        "ZADD z 1 a 2 b",
        "SADD s 1 2 3",
        "NOSUCH x",
        "SET",
        "EXPIRE n 1",
        "SPOP s",
        "MONITOR",
        "QUIT",
        "CLIENT PAUSE 50",
        "HELLO 3",
        "APPEND k \"\\xff\\x00 '\\n\"",
        "SELECT 3",
        "FLUSHALL",
    ]);
    prop_oneof![
        6 => (client.clone(), line).prop_map(|(client, line)| command(client, line)),
        3 => (0..400u64).prop_map(|ms| Input::Advance { ms }),
        1 => client.clone().prop_map(|client| Input::Interrupt { client }),
        1 => client.clone().prop_map(|client| Input::Disconnect { client }),
        1 => (client.clone(), "[a-z库存]{1,6}").prop_map(|(client, name)| Input::Rename { client, name }),
        1 => (client.clone(), 0..4u32).prop_map(|(client, to)| Input::SwitchNode { client, node: node(to) }),
        1 => (0..4u32).prop_map(|number| Input::Node { node: node(number), act: NodeAct::Crash }),
        2 => (0..3u32).prop_map(|number| Input::Node { node: node(number), act: NodeAct::Restart }),
        1 => (0..3u32, 0..5_000u64)
            .prop_map(|(number, ms)| Input::Node { node: node(number), act: NodeAct::ShiftClock { ms } }),
        2 => (client.clone(), 0..3u32, any_link_act()).prop_map(|(client, to, act)| link(client, to, act)),
        2 => client.prop_map(|client| Input::Connect { client, name: format!("c{client}") }),
    ]
}

fn link(client: ClientIndex, to: u32, act: LinkAct) -> Input {
    Input::Link { client, node: node(to), act }
}

fn any_link_act() -> impl Strategy<Value = LinkAct> {
    prop_oneof![
        3 => Just(LinkAct::Cut),
        3 => Just(LinkAct::Mend),
        1 => (0..2 * DELAY_MAX_MS).prop_map(|ms| LinkAct::Delay { ms }),
    ]
}

/// What a learner may do to a timeline.
#[derive(Clone, Debug)]
enum Act {
    Push(Input),
    Seek(usize),
    Switch(usize),
}

fn any_act() -> impl Strategy<Value = Act> {
    prop_oneof![
        8 => any_input().prop_map(Act::Push),
        1 => (0..200usize).prop_map(Act::Seek),
        1 => (0..10usize).prop_map(Act::Switch),
    ]
}

fn play(acts: &[Act]) -> Timeline {
    // Every other session has three nodes.
    let nodes = if acts.len().is_multiple_of(2) { three_nodes() } else { Settings::default().nodes };
    let mut timeline = Timeline::new(Settings { seed: 7, nodes, ..Settings::default() });
    for client in 0..3 {
        timeline.push(connect(client, &format!("c{client}"))).unwrap();
    }
    for act in acts {
        match act {
            Act::Push(input) => {
                let before = timeline.world().fingerprint();
                if timeline.push(input.clone()).is_err() {
                    assert_eq!(timeline.world().fingerprint(), before, "a refused input changes nothing");
                }
            }
            Act::Seek(position) => timeline.seek(*position),
            Act::Switch(i) => {
                let heads: Vec<_> = timeline.branches().iter().map(|branch| branch.head).collect();
                if let Some(head) = heads.get(i % heads.len().max(1)) {
                    assert!(timeline.switch_to(*head));
                }
            }
        }
    }
    timeline
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn replaying_the_inputs_gives_the_live_world(acts in prop::collection::vec(any_act(), 1..160)) {
        let timeline = play(&acts);
        let mut world = World::new(timeline.settings().clone());
        for (_, step) in timeline.taken() {
            prop_assert_eq!(&world.step(&step.input).unwrap(), &step.events);
        }
        prop_assert_eq!(world.fingerprint(), timeline.world().fingerprint());
        prop_assert_eq!(&world, timeline.world());
    }

    #[test]
    fn every_position_has_one_world_on_every_path(acts in prop::collection::vec(any_act(), 1..160)) {
        let mut timeline = play(&acts);
        let mut forward = Vec::new();
        timeline.seek(0);
        loop {
            forward.push(timeline.world().fingerprint());
            if !timeline.forward() { break; }
        }
        for position in (0..forward.len()).rev() {
            timeline.seek(position);
            prop_assert_eq!(timeline.world().fingerprint(), forward[position]);
        }
    }

    #[test]
    fn the_text_form_gives_back_the_same_timeline(acts in prop::collection::vec(any_act(), 1..160)) {
        let timeline = play(&acts);
        let text = timeline.to_text();
        let read = Timeline::from_text(&text, &Engines::default()).unwrap();
        prop_assert_eq!(read.world().fingerprint(), timeline.world().fingerprint());
        prop_assert!(read == timeline);
        prop_assert_eq!(read.to_text(), text);
    }

    #[test]
    fn any_text_is_a_timeline_or_a_typed_error(text in "\\PC{0,200}", body in "([a-c@+^!=> 0-9msend\\-]{0,12}\n){0,12}") {
        for text in [text, format!("lockstep 1\nseed 1\n\n+ a 0\n{body}end 1 at 1 of 1\n")] {
            if let Ok(timeline) = Timeline::from_text(&text, &Engines::default()) {
                prop_assert!(Timeline::from_text(&timeline.to_text(), &Engines::default()).is_ok_and(|again| again == timeline), "{}", text);
            }
        }
    }

    #[test]
    fn truncated_text_is_rejected(acts in prop::collection::vec(any_act(), 1..60), cut in 0.0..1.0f64) {
        let text = play(&acts).to_text();
        let at = (0..text.len()).rev().find(|i| *i as f64 <= cut * text.len() as f64 && text.is_char_boundary(*i)).unwrap_or(0);
        // Only the last line feed may be missing.
        if at < text.len() - 1 {
            prop_assert!(Timeline::from_text(&text[..at], &Engines::default()).is_err());
        }
    }
}

#[test]
fn an_input_in_the_past_starts_a_branch_and_loses_nothing() {
    let mut timeline = lock_session();
    timeline.seek(4);
    timeline.push(command(0, "DEL lock")).unwrap();
    assert_eq!((timeline.len(), timeline.step_count()), (5, 7));
    let branches = timeline.branches();
    assert_eq!(branches.len(), 2);
    assert_eq!((branches[0].shared, branches[0].is_active, branches[1].is_active), (4, false, true));
    assert!(timeline.switch_to(branches[0].head));
    assert_eq!(timeline.len(), 6);
}

#[test]
fn repeating_the_next_input_makes_no_branch() {
    let mut timeline = lock_session();
    timeline.seek(2);
    timeline.push(command(0, "SET lock t1 NX PX 3000")).unwrap();
    assert_eq!((timeline.position(), timeline.len(), timeline.branches().len()), (3, 6, 1));
}

#[test]
fn quiet_time_is_one_step_for_any_number_of_ticks() {
    let mut timeline = lock_session();
    let before = timeline.len();
    for _ in 0..1000 {
        timeline.push(Input::Advance { ms: 1 }).unwrap();
    }
    assert_eq!(timeline.len(), before + 1);
    assert_eq!(timeline.world().now_ms(), Settings::default().start_ms + 4001);
}

#[test]
fn rejected_inputs_return_typed_errors() {
    let mut timeline = lock_session();
    let refused = |timeline: &mut Timeline, input| timeline.push(input).unwrap_err();
    assert_eq!(refused(&mut timeline, command(9, "GET k")), StepError::UnknownClient(9));
    assert_eq!(refused(&mut timeline, connect(0, "again")), StepError::ClientExists(0));
    assert_eq!(refused(&mut timeline, connect(5, "a b")), StepError::BadName);
    assert_eq!(refused(&mut timeline, connect(5, "b")), StepError::NameTaken);
    assert_eq!(refused(&mut timeline, Input::Interrupt { client: 0 }), StepError::ClientIsIdle(0));
    assert_eq!(refused(&mut timeline, Input::Command { client: 0, argv: vec![] }), StepError::EmptyCommand);
    let huge = Bytes::from(vec![0; 17 * 1024 * 1024]);
    let argv = vec!["SET".into(), "k".into(), huge];
    assert!(matches!(refused(&mut timeline, Input::Command { client: 0, argv }), StepError::CommandTooLarge { .. }));
    assert_eq!(refused(&mut timeline, Input::Advance { ms: u64::MAX }), StepError::EndOfTime);
    let on_node = |number, act| Input::Node { node: node(number), act };
    assert_eq!(refused(&mut timeline, on_node(1, NodeAct::Crash)), StepError::UnknownServer(node(1)));
    assert_eq!(refused(&mut timeline, on_node(0, NodeAct::Restart)), StepError::NodeCannot(node(0)));
    for ms in [0, CLOCK_AHEAD_MAX_MS + 1, u64::MAX] {
        assert_eq!(refused(&mut timeline, on_node(0, NodeAct::ShiftClock { ms })), StepError::NodeCannot(node(0)));
    }
    assert_eq!(refused(&mut timeline, Input::SwitchNode { client: 0, node: node(0) }), StepError::NotNow(0));
    assert_eq!(refused(&mut timeline, Input::SwitchNode { client: 9, node: node(0) }), StepError::UnknownClient(9));
    timeline.push(on_node(0, NodeAct::Crash)).unwrap();
    assert_eq!(refused(&mut timeline, on_node(0, NodeAct::Crash)), StepError::NodeCannot(node(0)));
    assert_eq!(refused(&mut timeline, link(9, 0, LinkAct::Cut)), StepError::UnknownClient(9));
    assert_eq!(refused(&mut timeline, link(0, 1, LinkAct::Cut)), StepError::UnknownServer(node(1)));
    let cannot = StepError::LinkCannot(0, node(0));
    assert_eq!(refused(&mut timeline, link(0, 0, LinkAct::Mend)), cannot);
    assert_eq!(refused(&mut timeline, link(0, 0, LinkAct::Delay { ms: DELAY_MAX_MS + 1 })), cannot);
    timeline.push(link(0, 0, LinkAct::Cut)).unwrap();
    assert_eq!(refused(&mut timeline, link(0, 0, LinkAct::Cut)), cannot);
}

#[test]
fn invalid_texts_return_the_reason() {
    let why = |text: &str| Timeline::from_text(text, &Engines::default()).unwrap_err();
    assert_eq!(why(""), TextError::Foreign);
    assert_eq!(why("{\"version\":1}"), TextError::Foreign);
    assert_eq!(why("lockstep 3\n\nend 0 at 0 of 0\n"), TextError::NewerVersion { version: 3 });
    // Lines of version 2 are invalid in version 1.
    for line in ["a@ 0", "a@ 0 cut", "a@ 0 mend", "a@ 0 +5ms", "@crash 0", "@restart 0", "@clock 0 +5ms"] {
        let text = format!("lockstep 1\n\n+ a 0\n{line}\nend 2 at 2 of 2\n");
        assert_eq!(why(&text), TextError::BadLine { line: 4 }, "{line}");
    }
    assert_eq!(why("lockstep 1\nnode r1 none\n\nend 0 at 0 of 0\n"), TextError::BadLine { line: 2 });
    for line in ["node", "node r1", "node r1 sometimes", "node r>1 none", "node  none", "node r1 none none"] {
        assert_eq!(why(&format!("lockstep 2\n{line}\n\nend 0 at 0 of 0\n")), TextError::BadLine { line: 2 }, "{line}");
    }
    assert_eq!(why("lockstep 2\nnode r none\nnode r none\n\nend 0 at 0 of 0\n"), TextError::BadLine { line: 3 });
    let many: String = (0..=NODES_MAX).map(|number| format!("node r{number} none\n")).collect();
    assert_eq!(why(&format!("lockstep 2\n{many}\nend 0 at 0 of 0\n")), TextError::BadLine { line: NODES_MAX + 2 });
    for line in
        ["a@ first", "a@ 0 ", "a@ 0 cuts", "a@ 0 5ms", "a@ 0 +ms", "a@ 0 +5", "a@  cut", "b@ 0 cut", "a@ 0 cut "]
    {
        let text = format!("lockstep 2\n\n+ a 0\n{line}\nend 2 at 2 of 2\n");
        assert_eq!(why(&text), TextError::BadLine { line: 4 }, "{line}");
    }
    assert_eq!(
        why("lockstep 2\n\n+ a 0\na@ 1\nend 2 at 2 of 2\n"),
        TextError::BadStep { line: 4, why: StepError::UnknownServer(node(1)) }
    );
    assert_eq!(
        why("lockstep 2\n\n@restart 0\nend 1 at 1 of 1\n"),
        TextError::BadStep { line: 3, why: StepError::NodeCannot(node(0)) }
    );
    assert_eq!(why("lockstep 1\nseed x\n"), TextError::BadLine { line: 2 });
    assert_eq!(why("lockstep 1\n\n+ a 0\nb> GET k\nend 2 at 2 of 2"), TextError::BadLine { line: 4 });
    assert_eq!(why("lockstep 1\n\n+ a 0\na> GET \"k\nend 2 at 2 of 2"), TextError::BadLine { line: 4 });
    assert_eq!(
        why("lockstep 1\n\n+ a 0\n+ b 0\nend 2 at 2 of 2"),
        TextError::BadStep { line: 4, why: StepError::ClientExists(0) }
    );
    assert_eq!(why("lockstep 1\n\n+ a 0\n"), TextError::Truncated);
    assert_eq!(why("lockstep 1\n\n+ a 0\nend 2 at 1 of 1\n"), TextError::Truncated);
}

#[test]
fn the_text_form_is_the_documented_one() {
    let mut timeline = lock_session();
    timeline.seek(4);
    timeline.push(Input::Rename { client: 1, name: "bob".into() }).unwrap();
    timeline.push(command(1, "SET lock 'x y'")).unwrap();
    timeline.back();
    let expected = "lockstep 1\nseed 1\nstart 1767268800000\nmaxmemory 67108864\nproto-max-bulk-len 16777216\n\
        script-rate 100000\nscript-bound 100000000\n\n\
        + a 0\n+ b 1\na> SET lock t1 NX PX 3000\nb> SET lock t2 NX PX 3000\n@+3001ms\nb> SET lock t2 NX PX 3000\n\
        ^ 4\nb= bob\nbob> SET lock \"x y\"\nend 8 at 7 of 8\n";
    assert_eq!(timeline.to_text(), expected);
}

#[test]
fn key_removed_for_memory_is_reported_as_evicted() {
    let mut timeline = Timeline::new(Settings::default());
    for input in
        [connect(0, "a"), command(0, "SET k v"), command(0, "CONFIG SET maxmemory 1 maxmemory-policy allkeys-lru")]
    {
        timeline.push(input).unwrap();
    }
    let (_, last) = timeline.taken().next_back().unwrap();
    let evicted = last
        .events
        .iter()
        .filter(|event| matches!(&event.kind, EventKind::KeyEvicted { key: (0, key), before: Some(_) } if key == "k"));
    assert_eq!(evicted.count(), 1);
}

#[test]
fn appending_the_same_branch_twice_adds_no_steps() {
    let mut timeline = Timeline::new(Settings::default());
    timeline.push(connect(0, "a")).unwrap();
    timeline.push(command(0, "SET k 1")).unwrap();
    timeline.push(command(0, "SET k 2")).unwrap();
    // Shares its first step with an existing branch, and needs two of its own.
    let line = [command(0, "SET k 1"), Input::Advance { ms: 5 }, command(0, "DEL k")];
    timeline.append_branch(1, &line, 1).unwrap();
    assert_eq!((timeline.step_count(), timeline.len(), timeline.position()), (5, 4, 2));
    let text = timeline.to_text();
    timeline.seek(0);
    timeline.append_branch(1, &line, 1).unwrap();
    assert_eq!(timeline.to_text(), text);
    // The old branch still exists.
    assert_eq!(timeline.branches().len(), 2);
    // From the start, and with a rejected input.
    assert!(timeline.append_branch(0, &[Input::Advance { ms: 5 }, command(0, "PING")], 0).is_err());
    assert_eq!((timeline.len(), timeline.position()), (1, 1));
}
