//! A session with scripts, including an endless one, supports seeking and the text form like any other.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
use world::{Engines, EventKind, Input, NodeIndex, Settings, Timeline};

fn command(client: u32, line: &str) -> Input {
    Input::Command { client, argv: resp::split::split(line.as_bytes()).unwrap() }
}

fn engines() -> Engines {
    Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new())
}

/// Two clients; one script counts, another never ends and is killed.
fn session() -> Timeline {
    let mut timeline = Timeline::with_engines(Settings { script_bound: 1_000_000, ..Settings::default() }, &engines());
    let connect = |client, name: &str| Input::Connect { client, name: name.to_owned() };
    for input in [
        connect(0, "a"),
        connect(1, "b"),
        command(0, "EVAL \"return redis.call('incrby',KEYS[1],ARGV[1])\" 1 n 5"),
        command(0, "SCRIPT LOAD \"return redis.call('get',KEYS[1])\""),
        command(1, "EVALSHA fd758d1589d044dd850a6f05d52f2eefd27f033f 1 n"),
        command(1, "EVAL \"return math.random(1000)\" 0"),
        command(0, "SET lease x PX 1000"),
        command(0, "EVAL \"while true do end\" 0"),
        command(1, "GET n"),
        Input::Advance { ms: 4999 },
        Input::Advance { ms: 1 },
        command(1, "GET n"),
        Input::Advance { ms: 60_000 },
        command(1, "SCRIPT KILL"),
        command(1, "EVAL \"return {redis.call('get','n'),math.random(1000)}\" 0"),
    ] {
        timeline.push(input).unwrap();
    }
    timeline
}

#[test]
fn every_position_is_the_same_on_every_path_to_it() {
    let mut timeline = session();
    let prints: Vec<_> = (0..=timeline.len())
        .map(|position| {
            timeline.seek(position);
            timeline.world().fingerprint()
        })
        .collect();
    for (from, to) in [(0, 8), (15, 8), (8, 13), (13, 2), (2, 15), (10, 11)] {
        timeline.seek(from);
        timeline.seek(to);
        assert_eq!(timeline.world().fingerprint(), prints[to], "from {from} to {to}");
    }
    let again = Timeline::from_text(&timeline.to_text(), &engines()).unwrap();
    assert_eq!(again.to_text(), timeline.to_text());
    assert_eq!(again.world().fingerprint(), timeline.world().fingerprint());
}

#[test]
fn the_page_can_tell_since_when_the_server_is_busy() {
    let mut timeline = session();
    timeline.seek(8);
    let world = timeline.world();
    let busy = world.server(NodeIndex::FIRST).unwrap().busy().expect("the script runs for ever");
    assert_eq!(busy.since_ms, world.now_ms());
    assert_eq!(world.client_of_connection(NodeIndex::FIRST, busy.client), Some(0));
    assert_eq!(world.next_deadline_ms(), Some(busy.since_ms + 5_000), "then it answers again");
    timeline.seek(12);
    assert!(timeline.world().server(NodeIndex::FIRST).unwrap().busy().is_some());
    timeline.seek(14);
    assert!(timeline.world().server(NodeIndex::FIRST).unwrap().busy().is_none());
    // Events due meanwhile happened when the script ended.
    let expired = timeline.events().filter(|(_, event)| matches!(event.kind, EventKind::KeyExpired { .. })).count();
    assert_eq!(expired, 1);
}

#[test]
fn a_session_says_that_it_needs_a_machine() {
    let (session, words) = (session(), |line: &str| resp::split::split(line.as_bytes()).unwrap());
    assert!(session.world().needs_machine(0, &words("eval 'return 1' 0")));
    assert!(!session.world().needs_machine(0, &words("SCRIPT KILL")));
    assert!(Timeline::text_needs_machine(&session.to_text()));
    assert!(!Timeline::text_needs_machine("nothing of a session"));
}

/// Two clients; a script takes three tenths of a second while other clients type.
fn slow_session(settings: Settings, engines: &Engines) -> Timeline {
    let mut timeline = Timeline::with_engines(settings, engines);
    let connect = |client, name: &str| Input::Connect { client, name: name.to_owned() };
    for input in [
        connect(0, "a"),
        connect(1, "b"),
        command(1, "CONFIG SET busy-reply-threshold 100"),
        command(0, "EVAL \"for i=1,1000 do redis.call('SET','k'..i,i) end for i=1,2e5 do end return 'done'\" 0"),
        command(1, "DBSIZE"),
        Input::Advance { ms: 10_000 },
        command(1, "DBSIZE"),
    ] {
        timeline.push(input).unwrap();
    }
    timeline
}

fn replies(timeline: &Timeline) -> Vec<(u32, resp::Value)> {
    let reply = |event: &EventKind| match event {
        EventKind::Reply { client, value, .. } => Some((*client, value.clone())),
        _ => None,
    };
    timeline.events().filter_map(|(_, event)| reply(&event.kind)).collect()
}

#[test]
fn slow_script_delays_other_clients_in_virtual_time() {
    let mut timeline = slow_session(Settings { script_rate: 1_000, ..Settings::default() }, &engines());
    let busy =
        resp::Value::error("BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.");
    let expected = [(1, resp::Value::OK), (1, busy), (0, resp::Value::bulk("done")), (1, resp::Value::Integer(1_000))];
    assert_eq!(replies(&timeline), expected);
    let done = timeline.events().find(|(_, event)| matches!(&event.kind, EventKind::Reply { client: 0, .. }));
    let took_ms = done.unwrap().1.at_ms - timeline.settings().start_ms;
    assert!((330..350).contains(&took_ms), "{took_ms}");
    let text = timeline.to_text();
    let print = timeline.world().fingerprint();
    // Its changes are visible only after its end, from any earlier position.
    for (position, keys) in [(4, 0), (6, 1_000), (5, 0), (7, 1_000), (3, 0), (4, 0), (6, 1_000)] {
        timeline.seek(position);
        assert_eq!(timeline.world().server(NodeIndex::FIRST).unwrap().db(0).unwrap().len(), keys, "at {position}");
    }
    let again = Timeline::from_text(&text, &engines()).unwrap();
    assert_eq!((again.to_text(), again.world().fingerprint()), (text, print));
}

#[test]
fn old_sessions_without_script_time_replay_unchanged() {
    let settings = Settings { script_rate: 0, ..Settings::default() };
    let mut timeline = Timeline::with_engines(settings, &engines());
    timeline.push(Input::Connect { client: 0, name: "a".to_owned() }).unwrap();
    timeline.push(command(0, "EVAL \"for i=1,500000 do end return 'at once'\" 0")).unwrap();
    assert_eq!(replies(&timeline), [(0, resp::Value::bulk("at once"))]);
    let text = timeline.to_text();
    assert!(!text.contains("script-"), "{text}");
    let old = "lockstep 1\nseed 1\nstart 1767268800000\nmaxmemory 67108864\nproto-max-bulk-len 16777216\n\n\
        + a 0\na> EVAL \"for i=1,500000 do end return 'at once'\" 0\nend 2 at 2 of 2\n";
    assert_eq!(Timeline::from_text(old, &engines()).unwrap().to_text(), text);
    assert_eq!(replies(&Timeline::from_text(old, &engines()).unwrap()), replies(&timeline));
    timeline.push(command(0, "EVAL 'while true do end' 0")).unwrap();
    let busy = timeline.world().server(NodeIndex::FIRST).unwrap().busy().unwrap();
    assert_eq!(busy.ends_ms(), None);
}

#[test]
fn a_script_past_the_bound_never_ends() {
    let settings = Settings { script_bound: 1_000_000, ..Settings::default() };
    let mut timeline = Timeline::with_engines(settings, &engines());
    timeline.push(Input::Connect { client: 0, name: "a".to_owned() }).unwrap();
    timeline.push(command(0, "EVAL 'for i=1,2e6 do end' 0")).unwrap();
    timeline.push(Input::Advance { ms: 3_600_000 }).unwrap();
    assert!(timeline.world().server(NodeIndex::FIRST).unwrap().busy().is_some());
    let again = Timeline::from_text(&timeline.to_text(), &engines()).unwrap();
    assert_eq!(again.world().fingerprint(), timeline.world().fingerprint());
}

/// A machine that counts its runs.
struct Counting(lua_machine::LuaMachine, std::rc::Rc<std::cell::Cell<usize>>);

impl script::Engine for Counting {
    fn compile(&mut self, text: &bytes::Bytes) -> Result<(), bytes::Bytes> {
        self.0.compile(text)
    }

    fn run(&mut self, job: &script::Job, host: &mut dyn script::Host) -> script::Ran {
        self.1.set(self.1.get() + 1);
        self.0.run(job, host)
    }
}

#[test]
fn seeking_does_not_rerun_a_long_script() {
    let runs = std::rc::Rc::new(std::cell::Cell::new(0));
    let machine = Counting(lua_machine::LuaMachine::new(), std::rc::Rc::clone(&runs));
    let engines = Engines::new(machine, lua_machine::LuaPlayer::new());
    for settings in [Settings { script_rate: 1_000, ..Settings::default() }, Settings::default()] {
        runs.set(0);
        let mut timeline = slow_session(settings, &engines);
        assert_eq!(runs.get(), 1);
        for position in [4, 5, 4, 7, 6, 3, 4, 0, 5, 7] {
            timeline.seek(position);
        }
        timeline.seek(3);
        timeline.forward();
        assert_eq!(runs.get(), 1, "it has run once, when it was typed");
    }
}
