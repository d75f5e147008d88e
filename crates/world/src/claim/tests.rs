//! Claims about states, replies and paths.
use std::rc::Rc;

use bytes::Bytes;
use proptest::prelude::*;

use resp::{Protocol, Value};

use super::{Claim, Prints, Reason, Record};
use crate::{Act, Event, EventKind, Input, NodeAct, NodeIndex, ProgramEvent, Settings, Step, Timeline, World};

/// A session of lines such as `c1> SET k v`; `@+5ms` advances the clock.
fn played(lines: &[&str]) -> Timeline {
    let engines = crate::Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
    let mut timeline = Timeline::with_engines(Settings::default(), &engines);
    for (client, name) in [(0, "c1"), (1, "c2")] {
        timeline.push(Input::Connect { client, name: name.into() }).unwrap();
    }
    for line in lines {
        let input = match line.strip_prefix("@+").and_then(|line| line.strip_suffix("ms")) {
            Some(ms) => Input::Advance { ms: ms.parse().unwrap() },
            None => match *line {
                "c1< pause" => Input::Program { client: 0, act: Act::Pause },
                "c1< interrupt" => Input::Interrupt { client: 0 },
                _ => {
                    let (client, command) = line.split_once("> ").unwrap();
                    let argv = resp::split::split(command.as_bytes()).unwrap();
                    Input::Command { client: if client == "c1" { 0 } else { 1 }, argv }
                }
            },
        };
        timeline.push(input).unwrap();
    }
    timeline
}

fn holds(lines: &[&str], claim: &str) -> bool {
    is_so(&played(lines), claim)
}

fn is_so(timeline: &Timeline, claim: &str) -> bool {
    let claims = [Claim::from_text(claim).unwrap_or_else(|| panic!("{claim}"))];
    let record = Record::of(&claims, timeline.taken().map(|(_, step)| step.as_ref()));
    record.holds(&claims, timeline.world(), usize::MAX) == [true]
}

#[test]
fn state_claims_compare_printed_replies() {
    let lock = ["c1> SET lock c1 NX EX 10"];
    for (claim, expected) in [
        (r#"ask "GET lock" is "\"c1\"""#, true),
        (r#"ask "GET lock" is "\"c2\"" "\"c1\"""#, true),
        (r#"ask "GET lock" is c1"#, false),
        (r#"ask "GET lock" not "\"c1\"" (nil)"#, false),
        ("ask 'TTL lock' in 1 10", true),
        ("ask 'TTL lock' in 1 9", false),
        ("ask 'TTL lock' in * 9", false),
        ("ask 'TTL lock' in 10 *", true),
        ("ask 'TTL none' is '(integer) -2'", true),
        ("ask 'TYPE lock' is string", true),
        ("ask 'OBJECT ENCODING lock' is '\"embstr\"'", true),
        ("ask 'MEMORY USAGE lock' in 1 1000", true),
        // Not an integer, an error, a command with the wrong number of words.
        ("ask 'GET lock' in * *", false),
        ("ask 'LLEN lock' in * *", false),
        ("ask 'GET' not x", true),
    ] {
        assert_eq!(holds(&lock, claim), expected, "{claim}");
    }
    assert!(holds(&["c1> SET n 5"], "ask 'GET n' in 5 5"), "a string that is an integer");
    assert!(holds(&["c1> SADD s a"], "ask 'SMEMBERS s' is '1) \"a\"'"));
}

#[test]
fn asking_changes_nothing_and_uses_its_own_connection() {
    // The key has expired, but no command has accessed it yet: it still exists and stays.
    let timeline = played(&["c1> SET lock c1 PX 50", "c2> MULTI", "@+60ms"]);
    let before = timeline.world().clone();
    let holds =
        |claim: &str| Record::default().holds(&[Claim::from_text(claim).unwrap()], &before, usize::MAX) == [true];
    assert!(holds("ask DBSIZE is '(integer) 1'"));
    assert!(holds("ask 'GET lock' is (nil)"));
    assert!(holds("ask DBSIZE is '(integer) 1'"), "each is asked of a fresh copy");
    assert_eq!(timeline.world(), &before);
}

#[test]
fn state_is_asked_at_node_time_and_never_of_a_crashed_node() {
    let mut timeline = played(&["c1> SET lock c1 PX 60000"]);
    let act = |act| Input::Node { node: NodeIndex::FIRST, act };
    assert!(is_so(&timeline, "ask 'PTTL lock' in 60000 60000"));
    timeline.push(act(NodeAct::ShiftClock { ms: 40_000 })).unwrap();
    assert!(is_so(&timeline, "ask 'PTTL lock' in 20000 20000"));
    timeline.push(Input::Advance { ms: 20_001 }).unwrap();
    assert!(is_so(&timeline, "ask 'GET lock' is (nil)"));
    timeline.push(act(NodeAct::Crash)).unwrap();
    assert!(!is_so(&timeline, "ask 'GET lock' is (nil)") && !is_so(&timeline, "ask 'GET lock' not x"));
}

#[test]
fn reply_claim_checks_last_reply_of_client() {
    let two = ["c1> SET lock c1 NX", "c2> SET lock c2 NX"];
    assert!(holds(&two, "reply c2 is (nil)") && holds(&two, "reply c1 is OK"));
    assert!(!holds(&two, "reply c1 is (nil)"), "a reply of another client");
    assert!(!holds(&two, "reply c3 not x"), "no such client");
    assert!(!holds(&[], "reply c1 not x"), "nothing was answered");
    let waits = ["c1> PING", "c1> BLPOP q 0"];
    assert!(!holds(&waits, "reply c1 is PONG"), "it waits for its reply");
    assert!(holds(&[waits[0], waits[1], "c2> LPUSH q a"], "reply c1 is '1) \"q\"\n2) \"a\"'"));
}

#[test]
fn command_claims_count_and_match_commands() {
    let two = ["c1> setnx lock c1", "c1> EXPIRE lock 10", "c2> config set maxmemory 0"];
    for (claim, expected) in [
        ("at-most 3", true),
        ("at-most 2", false),
        ("by c1 at-most 2", true),
        ("by c1 at-most 1", false),
        ("by c3 at-most 0", true),
        ("at-least 3", true),
        ("by c2 at-least 2", false),
        ("without DEL SETNX", false),
        ("by c2 without SETNX", true),
        ("without 'CONFIG GET'", true),
        ("without 'CONFIG SET'", false),
        ("sent EXPIRE PEXPIRE", true),
        ("by c2 sent EXPIRE", false),
        ("sent SETNX lacks C1", false),
        ("sent SETNX lacks NX", true),
        ("sent SET", false),
    ] {
        assert_eq!(holds(&two, claim), expected, "{claim}");
    }
    // Queued commands count as sent; commands called by a script do not.
    let multi = ["c1> MULTI", "c1> SETNX lock c1", "c1> EXPIRE lock 10", "c1> EXEC"];
    assert!(holds(&multi, "at-least 4") && holds(&multi, "sent EXPIRE"));
    let script = ["c1> EVAL \"redis.call('SETNX', 'lock', 'c1') return redis.call('EXPIRE', 'lock', 10)\" 0"];
    assert!(
        holds(&script, "at-most 1") && holds(&script, "without EXPIRE") && holds(&script, "ask 'TTL lock' in 1 10")
    );
}

/// The lines that make the server drop `c1`: it is paused, and a message arrives that exceeds its output buffer limit.
const DROPPED: [&str; 3] =
    ["c2> CONFIG SET client-output-buffer-limit 'pubsub 1 0 0'", "c1> SUBSCRIBE news", "c1< pause"];

#[test]
fn closed_claim_checks_close_reason() {
    let burst = "c2> EVAL \"return redis.call('PUBLISH', 'news', string.rep('x', 40000))\" 0";
    let [limit, subscribe, pause] = DROPPED;
    let ways: [(&[&str], &str); 5] = [
        (&[limit, subscribe, pause, burst], "output-buffer"),
        (&[subscribe, "c2> CLIENT KILL TYPE pubsub"], "killed"),
        (&[subscribe, "c1> QUIT"], "quit"),
        (&[subscribe, "c1< interrupt"], "itself"),
        // The client reads, or is not past the limit.
        (&[limit, subscribe, burst, pause, "c2> PUBLISH news a"], "none"),
    ];
    for (lines, reason) in ways {
        for (word, _) in Reason::WORDS {
            assert_eq!(holds(lines, &format!("closed c1 {word}")), word == reason, "{lines:?} {word}");
            assert_eq!(holds(lines, &format!("not-closed c1 {word}")), word != reason, "{lines:?} {word}");
        }
        assert_eq!(holds(lines, "closed c1 quit killed itself output-buffer"), reason != "none");
        assert!(!holds(lines, "closed c2 quit killed itself output-buffer"), "another client");
    }
    for text in ["closed c1", "not-closed", "closed c1 broken", "by c1 closed c1 quit", "closed c1 quit x"] {
        assert_eq!(Claim::from_text(text), None, "{text}");
    }
}

#[test]
fn subscription_of_a_program_counts_as_connection_of_its_client() {
    let mut timeline = played(&DROPPED[..1]);
    let program = |act| Input::Program { client: 0, act };
    timeline.push(program(Act::load("subscribe('news') wait_message()".into()))).unwrap();
    timeline.push(program(Act::Step { thread: 0 })).unwrap();
    timeline.push(program(Act::Pause)).unwrap();
    let large = vec!["PUBLISH".into(), "news".into(), Bytes::from(vec![b'x'; 40_000])];
    timeline.push(Input::Command { client: 1, argv: large }).unwrap();
    assert!(is_so(&timeline, "closed c1 output-buffer") && is_so(&timeline, "not-closed c1 killed quit itself"));
}

#[test]
fn claims_by_name_fail_after_name_is_reused() {
    let mut timeline = played(&["c1> SETNX lock c1", "c1> EXPIRE lock 10"]);
    let holds = |timeline: &Timeline| is_so(timeline, "by c1 at-most 1");
    assert!(!holds(&timeline));
    timeline.push(Input::Rename { client: 0, name: "x".into() }).unwrap();
    timeline.push(Input::Rename { client: 1, name: "c1".into() }).unwrap();
    assert!(!holds(&timeline));
    let mut timeline = played(&["c1> SETNX lock c1", "c1> EXPIRE lock 10"]);
    timeline.push(Input::Disconnect { client: 0 }).unwrap();
    timeline.push(Input::Connect { client: 2, name: "c1".into() }).unwrap();
    assert!(!holds(&timeline));
}

#[test]
fn commands_that_write_block_or_run_scripts_are_rejected() {
    let objection = |claim: &str| Claim::from_text(claim).unwrap().objection().unwrap_or_default();
    for (claim, expected) in [
        ("ask 'SET k v' is OK", "`SET k v` does not only read"),
        ("ask 'GETDEL k' is x", "`GETDEL k` does not only read"),
        ("ask 'CONFIG SET maxmemory 0' is OK", "`CONFIG SET maxmemory 0` does not only read"),
        ("ask 'XREAD BLOCK 0 STREAMS s $' is x", "`XREAD BLOCK 0 STREAMS s $` may not answer at once"),
        ("ask 'EVAL_RO \"return 1\" 0' in 1 1", "`EVAL_RO \"return 1\" 0` may not answer at once"),
        ("ask 'GIT lock' is x", "there is no command `GIT lock`"),
        ("ask GET is x", "`GET` has the wrong number of words"),
        ("without EXPIER", "there is no command `EXPIER`"),
        ("sent 'CONFIG SIT'", "there is no command `CONFIG SIT`"),
    ] {
        assert_eq!(objection(claim), expected, "{claim}");
    }
    for claim in [
        "ask 'ZSCORE z m' is x",
        "ask 'OBJECT ENCODING k' is x",
        "ask 'MEMORY USAGE k' in * 100",
        "ask 'XINFO STREAM s' is x",
        "ask 'PUBSUB NUMSUB c' is x",
        "ask 'CONFIG GET maxmemory' is x",
        "without EXPIRE 'CONFIG SET'",
        "sent 'SET lock' lacks NX",
    ] {
        assert_eq!(objection(claim), "", "{claim}");
    }
}

#[test]
fn invalid_claim_text_is_rejected() {
    for text in [
        "",
        "ask",
        "ask 'GET k'",
        "ask '' is x",
        "ask 'GET k' is",
        "ask 'GET k' in 1",
        "ask 'GET k' in 1 x",
        "by c1 ask 'GET k' is x",
        "by c1 reply c1 is x",
        "by c1",
        "at-most",
        "at-most -1",
        "at-most 1 2",
        "without",
        "without ''",
        "sent",
        "sent lacks NX",
        "sent SET lacks",
        "ask 'GET k is x",
    ] {
        assert_eq!(Claim::from_text(text), None, "{text}");
    }
}

fn any_claim() -> impl Strategy<Value = Claim> {
    let text = "[ -~中\n]{0,8}";
    let word = || "[A-Z]{1,6}".prop_map(bytes::Bytes::from);
    let commands = || prop::collection::vec(prop::collection::vec(word(), 1..3), 1..3);
    let by = || prop::option::of("[a-z0-9]{1,4}");
    let prints = || {
        prop_oneof![
            prop::collection::vec(text, 1..3).prop_map(Prints::Any),
            prop::collection::vec(text, 1..3).prop_map(Prints::Not),
            (any::<Option<i64>>(), any::<Option<i64>>()).prop_map(|(from, to)| Prints::Within(from, to)),
        ]
    };
    prop_oneof![
        (prop::collection::vec(word(), 1..4), prints()).prop_map(|(command, prints)| Claim::Ask { command, prints }),
        ("[a-z0-9]{1,4}", prints()).prop_map(|(client, prints)| Claim::Reply { client, prints }),
        (by(), any::<bool>(), any::<usize>()).prop_map(|(by, is_most, commands)| Claim::Count {
            by,
            is_most,
            commands
        }),
        (by(), commands()).prop_map(|(by, commands)| Claim::Without { by, commands }),
        (by(), commands(), prop::collection::vec(word(), 0..3)).prop_map(|(by, commands, lacks)| Claim::Sent {
            by,
            commands,
            lacks
        }),
        ("[a-z0-9]{1,4}", any::<bool>(), prop::collection::vec(prop::sample::select(Reason::WORDS.to_vec()), 1..4))
            .prop_map(|(client, is_closed, reasons)| {
                let reasons = reasons.into_iter().map(|(_, reason)| reason).collect();
                Claim::Closed { client, is_closed, reasons }
            }),
    ]
}

/// The slow reference: scan all events of a path for each claim, with no cached state.
fn holds_plainly(claim: &Claim, world: &World, steps: &[&Step]) -> bool {
    let events: Vec<&EventKind> = steps.iter().flat_map(|step| &step.events).map(|Event { kind, .. }| kind).collect();
    let index = |name: &str| world.clients().find(|(_, client)| *client.name == *name).map(|(index, _)| index);
    let sent = |by: &Option<String>| -> Vec<&Vec<Bytes>> {
        let by = by.as_deref().map(index);
        let mine = |client| by.is_none_or(|by| by == Some(client));
        let argv = |event| match event {
            &EventKind::Command { client, ref argv, .. } if mine(client) => Some(argv),
            _ => None,
        };
        events.iter().copied().filter_map(argv).collect()
    };
    let is_one_of = |argv: &[Bytes], commands: &[Vec<Bytes>]| {
        let upper = |words: &[Bytes]| -> Vec<_> { words.iter().map(|word| word.to_ascii_uppercase()).collect() };
        commands.iter().any(|head| upper(argv).starts_with(&upper(head)))
    };
    let is_recast = steps.iter().any(|step| matches!(step.input, Input::Rename { .. } | Input::Disconnect { .. }));
    match claim {
        _ if is_recast && claim.client().is_some() => false,
        Claim::Ask { .. } => Record::default().holds(std::slice::from_ref(claim), world, 0) == [true],
        Claim::Reply { client, prints } => {
            let Some(index) = index(client) else { return false };
            let last = events.iter().rev().find_map(|event| -> Option<Option<(&Value, Protocol)>> {
                match event {
                    EventKind::Command { client, .. } if *client == index => Some(None),
                    EventKind::Reply { client, value, protocol } if *client == index => Some(Some((value, *protocol))),
                    EventKind::Program { client, what: ProgramEvent::Delivered { value }, .. } if *client == index => {
                        Some(Some((value, Protocol::Resp2)))
                    }
                    _ => None,
                }
            });
            last.flatten().is_some_and(|(value, protocol)| prints.is(value, protocol))
        }
        Claim::Traffic(_) | Claim::Handler(_) => world.traffic().is_some(),
        Claim::Count { by, is_most: true, commands } => sent(by).len() <= *commands,
        Claim::Count { by, is_most: false, commands } => sent(by).len() >= *commands,
        Claim::Closed { client, is_closed, reasons } => {
            let Some(index) = index(client) else { return !is_closed };
            let reason = |event: &EventKind| match event {
                EventKind::Disconnected { client, reason } if *client == index => Some(*reason),
                EventKind::Program { client, what: ProgramEvent::Deafened { reason }, .. } if *client == index => {
                    Some(Some(*reason))
                }
                _ => None,
            };
            let was = events
                .iter()
                .filter_map(|event| reason(event))
                .filter_map(Reason::of)
                .any(|why| reasons.contains(&why));
            was == *is_closed
        }
        Claim::Without { by, commands } => !sent(by).into_iter().any(|argv| is_one_of(argv, commands)),
        Claim::Sent { by, commands, lacks } => {
            let is_lacking = |argv: &[Bytes]| {
                !argv.iter().skip(1).any(|word| lacks.iter().any(|lack| lack.eq_ignore_ascii_case(word)))
            };
            sent(by).into_iter().any(|argv| is_one_of(argv, commands) && is_lacking(argv))
        }
    }
}

/// Claims about what [`any_line`] does.
const CLAIMS: [&str; 17] = [
    "reply c1 is OK",
    "reply c2 is (nil)",
    "reply c2 in 1 2",
    "by c1 at-most 2",
    "by c2 at-least 2",
    "at-most 5",
    "at-least 3",
    "without SETNX",
    "by c2 without EXPIRE DEL",
    "sent SET lacks NX",
    "by c1 sent 'SET lock' lacks nx PX",
    "by x at-least 1",
    "ask 'EXISTS lock' in 1 1",
    "reply x not OK",
    "closed c1 quit killed",
    "not-closed c2 itself output-buffer",
    "closed x killed",
];

fn any_input() -> impl Strategy<Value = Input> {
    let command = |line: &str| resp::split::split(line.as_bytes()).unwrap();
    let lines = [
        "SET lock a NX",
        "set lock a",
        "setnx lock b",
        "EXPIRE lock 9",
        "DEL lock",
        "BLPOP q 0",
        "LPUSH q a",
        "SET",
        "QUIT",
        "CLIENT KILL TYPE normal",
    ];
    let client = 0..3u32;
    prop_oneof![
        20 => (client.clone(), prop::sample::select(lines.to_vec()))
            .prop_map(move |(client, line)| Input::Command { client, argv: command(line) }),
        4 => (1..9000u64).prop_map(|ms| Input::Advance { ms }),
        1 => (client.clone(), "c[12]|x").prop_map(|(client, name)| Input::Rename { client, name }),
        1 => client.clone().prop_map(|client| Input::Disconnect { client }),
        1 => client.clone().prop_map(|client| Input::Interrupt { client }),
        1 => (client, "c[12]|x").prop_map(|(client, name)| Input::Connect { client, name }),
    ]
}

proptest! {
    #[test]
    fn what_was_written_is_read(claim in any_claim()) {
        prop_assert_eq!(Claim::from_text(&claim.to_text()), Some(claim));
    }

    #[test]
    fn any_text_can_be_tried(text in any::<String>(), words in "((ask|reply|by|in|is|not|sent|lacks|without|at-most|closed|not-closed|quit|c1|1|'GET k') ){0,6}") {
        let _ = Claim::from_text(&text);
        if let Some(claim) = Claim::from_text(&words) {
            let _ = claim.objection();
            let _ = Record::default().holds(&[claim], played(&[]).world(), 0);
        }
    }

    #[test]
    fn record_agrees_with_scan_of_all_steps(
        inputs in prop::collection::vec(any_input(), 0..40),
        gone_back in prop::collection::vec(0..45usize, 0..4),
    ) {
        let claims = CLAIMS.map(|text| Claim::from_text(text).unwrap());
        let mut timeline = played(&[]);
        for input in inputs {
            let _ = timeline.push(input);
        }
        let steps: Vec<Rc<Step>> = timeline.taken().map(|(_, step)| Rc::clone(step)).collect();
        let steps: Vec<&Step> = steps.iter().map(Rc::as_ref).collect();
        let mut record = Record::of(&claims, steps.iter().copied());
        for position in 0..=steps.len() {
            timeline.seek(position);
            let plainly: Vec<bool> =
                claims.iter().map(|claim| holds_plainly(claim, timeline.world(), &steps[..position])).collect();
            prop_assert_eq!(record.holds(&claims, timeline.world(), position), plainly, "at {}", position);
        }
        let whole = record.clone();
        for position in gone_back.into_iter().filter(|position| *position <= steps.len()) {
            record.go_back(position);
            timeline.seek(position);
            prop_assert_eq!(
                record.holds(&claims, timeline.world(), usize::MAX),
                whole.holds(&claims, timeline.world(), position)
            );
            for (before, step) in steps.iter().enumerate().skip(position) {
                record.take(&claims, before + 1, step);
            }
            prop_assert_eq!(&record, &whole);
        }
    }
}

#[test]
fn traffic_claims_check_figures_and_handler() {
    let nodes = vec![crate::NodeSettings::default(), crate::NodeSettings::table("db")];
    let engines = crate::Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
    let mut timeline = Timeline::with_engines(Settings { nodes, ..Settings::default() }, &engines);
    let lua = "-- here\nfunction get(id)\n  return id\nend\n";
    let settings = crate::traffic::settings::TrafficSettings {
        handler: crate::traffic::settings::Handler::Lua(Bytes::from_static(lua.as_bytes())),
        ..Default::default()
    };
    let holds = |timeline: &Timeline, claim: &Claim| {
        let claims = std::slice::from_ref(claim);
        Record::of(claims, timeline.taken().map(|(_, step)| step.as_ref())).holds(claims, timeline.world(), usize::MAX)
            == [true]
    };
    let claim = |text: &str| Claim::from_text(text).unwrap();
    let (wrong, rate) = (claim("traffic wrong in 1 *"), claim("traffic rate in 100 100"));
    let handler = |text: &str| Claim::Handler(text.to_owned());
    assert!(!holds(&timeline, &rate) && !holds(&timeline, &handler(lua)));
    timeline.push(Input::Traffic { act: crate::traffic::TrafficAct::Begin { settings: Rc::new(settings) } }).unwrap();
    timeline.push(Input::Advance { ms: 1_000 }).unwrap();
    assert!(holds(&timeline, &wrong) && holds(&timeline, &rate) && !holds(&timeline, &claim("traffic queries in 1 *")));
    assert!(holds(&timeline, &handler("-- da\nfunction get(id)\nreturn id\n\nend")));
    assert!(!holds(&timeline, &handler("function get(id)\n  return 1\nend\n")));
    for claim in [wrong, handler(lua)] {
        assert_eq!(Claim::from_text(&claim.to_text()), Some(claim));
    }
}
