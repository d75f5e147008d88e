//! Programs of virtual clients in the world: steps, the path of a request, faults, properties, and programs as values.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]
mod fixture;

use bytes::Bytes;
use fixture::{Fixture, shown};
use proptest::prelude::*;
use world::explore::{Explorer, Limits};
use world::{
    Act, Breach, Condition, Direction, EventKind, Faults, Input, NodeAct, NodeIndex, Phase, ProgramEvent,
    RequestStage as InFlight, Settings, StepError, Timeline, World,
};

/// A lock with a lease, as an application would take it; its work takes longer than the lease.
const LEASE: &str = "
local token = uuid()
if redis.call('SET', 'lock', token, 'NX', 'PX', 10000) then
  enter('checkout')
  work(15000)
  leave('checkout')
  redis.call('DEL', 'lock')
end";

#[test]
fn a_step_completes_a_request_and_runs_to_the_next() {
    let mut stage = Fixture::new([LEASE, LEASE]);
    stage.program(0, Act::Step { thread: 0 });
    assert_eq!(stage.request(0), "Work 15000");
    assert_eq!(stage.line(0), 5);
    assert_eq!(stage.process(0).inside(), [(Bytes::from("checkout"), 0)]);
    // The other client loses.
    stage.program(1, Act::Step { thread: 0 });
    assert!(stage.process(1).is_over());
    // No client can run before 15 s have passed.
    // A key still exists in the millisecond of its deadline.
    assert_eq!(stage.world.until_next_ms(), Some(10_001));
    assert_eq!(stage.refused(0, Act::Step { thread: 0 }), StepError::NotNow(0));
    stage.step(Input::Advance { ms: 15_000 });
    stage.program(0, Act::Step { thread: 0 });
    assert_eq!(stage.process(0).inside(), []);
    assert_eq!(stage.request(0), "Call DEL lock");
    stage.program(0, Act::Step { thread: 0 });
    assert!(stage.process(0).is_over() && stage.world.is_end());
}

#[test]
fn program_requests_have_a_node_and_other_steps_none() {
    let mut stage = Fixture::new([LEASE]);
    let node = stage.world.client(0).unwrap().node;
    let events = stage.program(0, Act::Step { thread: 0 });
    let of_programs = events.iter().filter_map(|event| match &event.kind {
        EventKind::Program { what, .. } => Some((what.is_about_request(), event.node)),
        _ => None,
    });
    // Sent and delivered; then it has entered, and works.
    assert_eq!(of_programs.collect::<Vec<_>>(), [(true, Some(node)), (true, Some(node)), (false, None), (false, None)]);
    assert!(events.iter().all(|event| event.node.is_none_or(|at| at == node)));
}

#[test]
fn second_holder_and_wrong_release_are_detected() {
    let mut stage = Fixture::new([LEASE, LEASE]);
    stage.watch("mutual-exclusion");
    stage.watch("only-owner-releases lock");
    stage.program(0, Act::Step { thread: 0 });
    stage.step(Input::Advance { ms: 10_001 });
    let events = stage.program(1, Act::Step { thread: 0 });
    let broken = events.iter().find_map(|event| match &event.kind {
        EventKind::Broken { property: 0, breach } => Some(breach.clone()),
        _ => None,
    });
    assert!(
        matches!(broken, Some(Breach::BothInside { first, second, .. }) if (first.client, second.client) == (0, 1))
    );
    stage.step(Input::Advance { ms: 4_999 });
    stage.program(0, Act::Step { thread: 0 });
    assert_eq!(stage.verdicts(), ["broken", "holds"]);
    stage.program(0, Act::Step { thread: 0 });
    assert_eq!(stage.verdicts(), ["broken", "broken"]);
    let (_, breach) = stage.world.watch().verdicts().nth(1).unwrap();
    assert_eq!(breach, Some(&Breach::ReleasedByOther { key: "lock".into(), owner: 1, by: 0 }));
}

#[test]
fn request_travels_in_observable_steps() {
    let mut stage = Fixture::new(["note(redis.call('INCR', 'n'))", "note(redis.call('INCR', 'n'))"]);
    stage.program(1, Act::Send { thread: 0 });
    stage.program(0, Act::Send { thread: 0 });
    let waiting: Vec<u32> = stage.world.queue(NodeIndex::FIRST).iter().map(|queued| queued.client).collect();
    assert_eq!(waiting, [1, 0]);
    stage.step(Input::Serve { node: NodeIndex::FIRST });
    assert!(matches!(stage.stage_of(1, 0), Some(InFlight::ToClient { .. })));
    assert_eq!(stage.stage_of(0, 0), Some(&InFlight::Queued));
    // A thread that steps past its sent request waits for earlier requests.
    let events = stage.program(0, Act::Step { thread: 0 });
    assert!(
        events
            .iter()
            .any(|e| matches!(&e.kind, EventKind::Program { what: ProgramEvent::Noted { text }, .. } if text == "2"))
    );
    stage.program(1, Act::Deliver { thread: 0 });
    assert!(stage.world.is_end());
    assert_eq!(
        stage.world.step(&Input::Serve { node: NodeIndex::FIRST }),
        Err(StepError::NothingToServe(NodeIndex::FIRST))
    );
}

#[test]
fn lost_message_becomes_error_after_timeout() {
    let text = "local ok, why = pcall(redis.call, 'INCR', 'n') note(tostring(ok) .. ' ' .. tostring(why)) redis.call('INCR', 'n')";
    for (direction, counted) in [(Direction::Request, "1"), (Direction::Reply, "2")] {
        let mut stage = Fixture::new([text]);
        stage.program(0, Act::Lose { thread: 0, direction });
        assert_eq!(stage.refused(0, Act::Step { thread: 0 }), StepError::NotNow(0));
        stage.step(Input::Advance { ms: world::TIMEOUT_MS });
        let events = stage.program(0, Act::Step { thread: 0 });
        assert!(shown(&events).iter().any(|what| what.contains("timeout")), "{:?}", shown(&events));
        stage.program(0, Act::Step { thread: 0 });
        assert!(stage.world.is_end());
        assert_eq!(stage.get("n"), counted, "lost: {direction:?}");
    }
}

#[test]
fn requests_and_replies_take_time_over_slow_network() {
    let mut stage = Fixture::new(["note(redis.call('INCR', 'n'))", "redis.call('INCR', 'n')"]);
    assert_eq!(stage.refused(0, Act::Delay { ms: world::DELAY_MAX_MS + 1 }), StepError::NotNow(0));
    stage.program(0, Act::Delay { ms: 80 });
    stage.program(0, Act::Step { thread: 0 });
    let at_ms = stage.world.now_ms() + 80;
    assert_eq!(stage.stage_of(0, 0), Some(&InFlight::ToNode { at_ms }));
    assert_eq!(stage.refused(0, Act::Step { thread: 0 }), StepError::NotNow(0));
    assert_eq!(stage.refused(0, Act::Lose { thread: 0, direction: Direction::Reply }), StepError::NotNow(0));
    // The client that sends later has no delay, so its request arrives first.
    stage.program(1, Act::Step { thread: 0 });
    assert_eq!(stage.get("n"), "1");
    assert_eq!(stage.world.until_next_ms(), Some(80));
    stage.step(Input::Advance { ms: 80 });
    stage.program(0, Act::Step { thread: 0 });
    assert_eq!(stage.get("n"), "2");
    assert!(matches!(stage.stage_of(0, 0), Some(InFlight::ToClient { .. })));
    assert_eq!(stage.refused(0, Act::Deliver { thread: 0 }), StepError::NotNow(0));
    stage.step(Input::Advance { ms: 80 });
    let events = stage.program(0, Act::Step { thread: 0 });
    assert!(shown(&events).iter().any(|what| what.contains("Noted")), "{:?}", shown(&events));
    assert!(stage.world.is_end());
}

#[test]
fn request_in_flight_arrives_after_client_crash() {
    let mut stage = Fixture::new(["redis.call('INCR', 'n')"]);
    stage.program(0, Act::Delay { ms: 80 });
    stage.program(0, Act::Send { thread: 0 });
    stage.program(0, Act::Crash);
    assert_eq!(stage.world.queue(NodeIndex::FIRST).len(), 1);
    stage.step(Input::Serve { node: NodeIndex::FIRST });
    assert_eq!(stage.get("n"), "1");
    // The network stays slow for a restarted client.
    stage.program(0, Act::Restart);
    stage.program(0, Act::Step { thread: 0 });
    assert!(matches!(stage.stage_of(0, 0), Some(InFlight::ToNode { .. })));
}

#[test]
fn cancelled_thread_gets_no_reply() {
    for delay in [0, 10] {
        let text = "local dog = spawn(function() redis.call('INCR', 'n') end) sleep(20) cancel(dog) redis.call('PING')";
        let mut stage = Fixture::new([text]);
        stage.program(0, Act::Delay { ms: delay });
        stage.program(0, Act::Send { thread: 1 });
        stage.step(Input::Advance { ms: 20 });
        if delay > 0 {
            stage.program(0, Act::Send { thread: 1 });
        }
        stage.program(0, Act::Step { thread: 0 });
        assert_eq!(stage.process(0).phase(1), Some(&Phase::Over));
        stage.step(Input::Serve { node: NodeIndex::FIRST });
        assert_eq!(stage.get("n"), "1");
        assert_eq!(stage.process(0).phase(1), Some(&Phase::Over));
        assert_eq!(stage.request(0), "Call PING");
    }
}

#[test]
fn client_crash_keeps_server_data_and_queued_requests() {
    let mut stage = Fixture::new(["redis.call('SET', 'lock', 'a', 'NX') enter('s') redis.call('INCR', 'n')"]);
    stage.program(0, Act::Step { thread: 0 });
    stage.program(0, Act::Send { thread: 0 });
    stage.program(0, Act::Crash);
    assert_eq!(stage.process(0).condition(), Condition::Crashed);
    assert_eq!(stage.process(0).inside(), []);
    assert_eq!(stage.get("lock"), "a");
    stage.step(Input::Serve { node: NodeIndex::FIRST });
    assert_eq!(stage.get("n"), "1");
    assert_eq!(stage.world.server(NodeIndex::FIRST).unwrap().clients().count(), 0);
    stage.program(0, Act::Restart);
    assert_eq!(stage.request(0), "Call SET lock a NX");
}

#[test]
fn paused_client_does_not_run_and_misses_its_wakeup() {
    let mut stage = Fixture::new(["sleep(100) redis.call('PING')"]);
    stage.program(0, Act::Pause);
    stage.step(Input::Advance { ms: 500 });
    assert_eq!(stage.refused(0, Act::Step { thread: 0 }), StepError::NotNow(0));
    assert_eq!(stage.world.until_next_ms(), None);
    stage.program(0, Act::Resume);
    stage.program(0, Act::Step { thread: 0 });
    assert_eq!(stage.request(0), "Call PING");
}

#[test]
fn threads_have_own_connections_and_can_be_cancelled() {
    let mut stage = Fixture::new([
        "local dog = spawn(function() while true do sleep(10) redis.call('PEXPIRE', 'lock', 30) end end)
        redis.call('BLPOP', 'queue', 0)
        cancel(dog)",
        "redis.call('RPUSH', 'queue', 'go')",
    ]);
    stage.program(0, Act::Step { thread: 0 });
    assert_eq!(stage.stage_of(0, 0), Some(&InFlight::AtNode));
    stage.step(Input::Advance { ms: 10 });
    stage.program(0, Act::Step { thread: 1 });
    stage.program(0, Act::Step { thread: 1 });
    assert_eq!(stage.world.server(NodeIndex::FIRST).unwrap().clients().count(), 3);
    stage.program(1, Act::Step { thread: 0 });
    stage.program(0, Act::Step { thread: 0 });
    assert!(stage.world.is_end(), "{:?}", stage.process(0));
}

#[test]
fn messages_arrive_in_order_or_not_at_all() {
    let mut stage = Fixture::new([
        "subscribe('news') for i = 1, 2 do local _, text = wait_message(1000) note(tostring(text)) end note(tostring(wait_message(50)))",
        "redis.call('PUBLISH', 'news', 'a') redis.call('PUBLISH', 'news', 'b')",
    ]);
    stage.program(0, Act::Step { thread: 0 });
    stage.program(1, Act::Step { thread: 0 });
    stage.program(1, Act::Step { thread: 0 });
    let mut log = Vec::new();
    log.extend(shown(&stage.program(0, Act::Step { thread: 0 })));
    log.extend(shown(&stage.program(0, Act::Step { thread: 0 })));
    assert_eq!(stage.refused(0, Act::Step { thread: 0 }), StepError::NotNow(0));
    stage.step(Input::Advance { ms: 50 });
    log.extend(shown(&stage.program(0, Act::Step { thread: 0 })));
    let notes: Vec<&String> = log.iter().filter(|what| what.starts_with("Noted")).collect();
    assert_eq!(notes, ["Noted a", "Noted b", "Noted nil"]);
}

#[test]
fn failing_program_reports_error_and_others_go_on() {
    let mut stage = Fixture::new([
        "redis.call('SET' 'x')",
        "while true do end",
        "while true do note('x') end",
        "nothing()",
        "redis.call('PING')",
    ]);
    stage.watch("no-errors");
    assert!(stage.process(0).scene().is_err());
    for client in 1..4 {
        assert!(stage.process(client).is_over(), "client {client}");
    }
    assert_eq!(stage.process(2).condition(), Condition::RanAway);
    stage.program(4, Act::Step { thread: 0 });
    assert!(stage.process(4).is_over());
    // A new text restarts the program, and only for this client.
    let fifth = stage.process(4).clone();
    stage.program(0, Act::load("redis.call('PING')".into()));
    assert_eq!(stage.request(0), "Call PING");
    assert_eq!(stage.process(4), &fifth);
    assert_eq!(stage.world.watch().first_broken(), None, "what went wrong before it was watched does not count");
    stage.program(0, Act::load("error('on purpose')".into()));
    assert_eq!(stage.world.watch().first_broken(), Some(0));
}

#[test]
fn client_memory_request_is_an_error() {
    let mut stage = Fixture::new(["redis.call('PING')\nlocal m = memory('m')\nm:set('k', 1)"]);
    stage.program(0, Act::Step { thread: 0 });
    let log = "program:3: a client has no memory of a machine: only a handler of traffic has one";
    assert!(stage.log.iter().any(|what| what.contains(log)), "{:?}", stage.log);
}

#[test]
fn sums_are_checked_always_or_at_the_end() {
    let mut stage = Fixture::new(["redis.call('DECR', 'stock') tally('sold') redis.call('HINCRBY', 'h', 'f', 2)"]);
    stage.watch("sum end = 5 key stock tally sold");
    stage.watch("sum always <= 1 field h f");
    stage.step(Input::Connect { client: 9, name: "hand".into() });
    stage.step(Input::Command { client: 9, argv: vec!["SET".into(), "stock".into(), "5".into()] });
    stage.program(0, Act::Step { thread: 0 });
    assert_eq!(stage.verdicts(), ["holds", "holds"]);
    stage.program(0, Act::Step { thread: 0 });
    assert_eq!(stage.verdicts(), ["holds", "broken"]);
    assert!(stage.world.is_end());
}

#[test]
fn tallies_are_compared_with_server_when_no_reply_is_in_flight() {
    let mut stage = Fixture::new(["redis.call('DECR', 'stock') tally('sold')", "redis.call('DECR', 'stock')"]);
    stage.step(Input::Connect { client: 9, name: "hand".into() });
    stage.step(Input::Command { client: 9, argv: vec!["SET".into(), "stock".into(), "5".into()] });
    for sum in ["sum always = 5 key stock tally sold", "sum always >= 5 key stock", "sum always <= 0 tally sold"] {
        stage.watch(sum);
    }
    stage.program(0, Act::Send { thread: 0 });
    stage.step(Input::Serve { node: NodeIndex::FIRST });
    assert_eq!(stage.verdicts(), ["holds", "broken", "holds"], "it has not heard that it was sold");
    stage.program(0, Act::Deliver { thread: 0 });
    assert_eq!(stage.verdicts(), ["holds", "broken", "broken"]);
    stage.program(1, Act::Send { thread: 0 });
    stage.step(Input::Serve { node: NodeIndex::FIRST });
    assert_eq!(stage.verdicts()[0], "holds");
    stage.program(1, Act::Deliver { thread: 0 });
    assert_eq!(stage.verdicts()[0], "broken", "nobody has counted this one");
}

#[test]
fn uuids_differ_between_clients_and_draws_but_not_between_runs() {
    let text = "note(uuid()) note(uuid()) note(random(1, 1000000))";
    let run = || {
        let stage = Fixture::new([text, text]);
        stage.log.iter().filter(|what| what.starts_with("Noted")).cloned().collect::<Vec<_>>()
    };
    let (one, other) = (run(), run());
    assert_eq!(one, other);
    let mut distinct = one.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), 6, "{one:?}");
}

#[test]
fn time_passes_only_if_no_thread_can_run() {
    let stage = Fixture::new([LEASE, LEASE]);
    let step = |client| Input::Program { client, act: Act::Step { thread: 0 } };
    assert_eq!(stage.world.enabled(Faults::default()), [step(0), step(1)]);
    let faults = Faults { crashes: 1, pauses: 1, losses: 1, ..Faults::NONE };
    let all = stage.world.enabled(faults);
    assert_eq!(all.len(), 2 + 2 * 4);
    for input in &all {
        assert!(stage.world.clone().step(input).is_ok(), "{input:?}");
        let spends = !matches!(input, Input::Program { act: Act::Step { .. }, .. });
        assert_eq!(faults.after(input) != Some(faults), spends);
    }
}

/// Programs that together use every kind of request.
const CAST: [&str; 3] = [
    LEASE,
    "local t = uuid() for i = 1, 3 do if redis.call('SET', 'lock', t, 'NX', 'PX', 100 * random(3)) then break end sleep(50) end
     local ok, why = redis.pcall('INCR', 'lock') check(not ok, 'a token is no number') tally('tries', 2) note(now())",
    "subscribe('c') local dog = spawn(function() for i = 1, 3 do work(20) redis.call('PUBLISH', 'c', i) end end)
     enter('s') wait_message(70) leave('s') cancel(dog)",
];

/// More faults than any of these schedules uses.
const ANY_FAULTS: Faults = Faults { crashes: 9, pauses: 9, losses: 9, ..Faults::NONE };

/// One of all possible inputs, including those that the explorer never uses.
fn any_input(world: &World, choice: usize) -> Input {
    let mut inputs = world.enabled(ANY_FAULTS);
    inputs.push(Input::Advance { ms: 1 + choice as u64 % 40 });
    for client in 0..3 {
        let program = |act| Input::Program { client, act };
        inputs.extend([
            program(Act::Send { thread: 0 }),
            program(Act::Deliver { thread: 0 }),
            program(Act::Send { thread: 1 }),
        ]);
        inputs.push(program(Act::Lose { thread: 0, direction: Direction::Reply }));
        inputs.push(program(Act::ShiftClock { ms: -7 }));
        inputs.push(program(Act::Delay { ms: choice as u64 % 3 * 15 }));
        inputs.push(program(Act::Restart));
    }
    inputs.push(Input::Serve { node: NodeIndex::FIRST });
    inputs.push(Input::Command { client: 3, argv: vec!["PUBLISH".into(), "c".into(), "by hand".into()] });
    inputs.retain(|input| world.clone().step(input).is_ok());
    inputs.swap_remove(choice % inputs.len())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Live stepping, replaying the log, restoring from a keyframe and parsing the text form lead to the same world.
    #[test]
    fn replay_keyframe_and_text_lead_to_the_same_world(choices in prop::collection::vec(any::<usize>(), 1..150)) {
        let stage = Fixture::new(CAST);
        let mut timeline = Timeline::with_engines(stage.world.settings().clone(), stage.world.engines());
        for input in &stage.inputs {
            timeline.push(input.clone()).unwrap();
        }
        timeline.push(Input::Connect { client: 3, name: "hand".into() }).unwrap();
        let mut live = timeline.world().clone();
        let mut prints = vec![];
        for choice in choices {
            let input = any_input(&live, choice);
            let is_quiet = matches!(input, Input::Advance { .. });
            live.step(&input).unwrap();
            timeline.push(input).unwrap();
            if !is_quiet {
                prints.push((timeline.position(), live.fingerprint()));
            }
            prop_assert_eq!(timeline.world().fingerprint(), live.fingerprint());
        }
        for (position, fingerprint) in prints.iter().rev() {
            timeline.seek(*position);
            prop_assert_eq!(timeline.world().fingerprint(), *fingerprint);
        }
        let text = timeline.to_text();
        let read = Timeline::from_text(&text, stage.world.engines()).unwrap();
        prop_assert_eq!(read.to_text(), text);
        prop_assert_eq!(read.world().fingerprint(), timeline.world().fingerprint());
    }
}

/// A subscriber, and a publisher of this many messages of this many bytes.
fn slow_subscriber(messages: usize, bytes: usize) -> Fixture {
    let publisher =
        format!("for i = 1, {messages} do redis.call('PUBLISH', 'news', i .. string.rep('x', {bytes})) end");
    let mut stage = Fixture::of(vec![
        "subscribe('news') while true do local _, text = wait_message(1000) note(text and text:sub(1, 1) or 'nothing') end"
            .into(),
        publisher,
    ]);
    stage.step(Input::Connect { client: 9, name: "c9".into() });
    let limit = ["CONFIG", "SET", "client-output-buffer-limit", "pubsub 50kb 8kb 10"].map(Bytes::from).to_vec();
    stage.step(Input::Command { client: 9, argv: limit });
    stage.program(0, Act::Step { thread: 0 });
    stage.program(0, Act::Pause);
    for _ in 0..messages {
        stage.program(1, Act::Step { thread: 0 });
    }
    stage
}

fn notes(log: &[String]) -> Vec<&str> {
    log.iter().filter_map(|what| what.strip_prefix("Noted ")).collect()
}

#[test]
fn unread_messages_wait_for_paused_subscriber() {
    let mut stage = slow_subscriber(3, 10);
    assert!(stage.process(0).inbox().is_empty());
    let unread = stage.world.unread(0).and_then(|client| client.unread.as_ref()).unwrap();
    assert_eq!((unread.count(), unread.blocks(), unread.memory()), (3, 0, 0));
    stage.program(0, Act::Resume);
    assert_eq!(stage.process(0).inbox().len(), 3);
    assert!(stage.world.unread(0).is_none());
    for _ in 0..3 {
        stage.program(0, Act::Step { thread: 0 });
    }
    assert_eq!(notes(&stage.log), ["1", "2", "3"]);
}

#[test]
fn a_subscriber_past_its_hard_limit_is_disconnected_at_once() {
    // 16 KB fit into the connection's own buffer, plus two blocks of 20 KB; a third is too much.
    let mut stage = slow_subscriber(5, 15_000);
    let deafened = "Deafened { reason: OutputBuffer }";
    assert_eq!(stage.log.iter().filter(|what| *what == deafened).count(), 1, "{:?}", stage.log);
    assert!(stage.world.unread(0).is_none());
    stage.program(0, Act::Resume);
    assert!(stage.process(0).inbox().is_empty());
    stage.step(Input::Advance { ms: 1_000 });
    stage.program(0, Act::Step { thread: 0 });
    assert_eq!(notes(&stage.log), ["nothing"]);
}

#[test]
fn subscriber_past_soft_limit_is_disconnected_after_its_seconds() {
    for (reads_after, is_lost) in [(10_999, false), (11_000, true)] {
        let mut stage = slow_subscriber(2, 15_000);
        // Seconds are counted as Redis counts them: whole seconds, and more than ten of them.
        assert_eq!(stage.world.server(NodeIndex::FIRST).unwrap().next_wait_ms(), Some(stage.world.now_ms() + 11_000));
        stage.step(Input::Advance { ms: reads_after });
        stage.program(0, Act::Resume);
        assert_eq!(stage.process(0).inbox().is_empty(), is_lost);
        assert_eq!(stage.log.iter().any(|what| what.starts_with("Deafened")), is_lost);
    }
}

#[test]
fn paused_terminal_rejects_commands_and_loses_no_messages() {
    let mut stage = Fixture::new([]);
    stage.step(Input::Connect { client: 0, name: "c0".into() });
    stage.step(Input::Connect { client: 1, name: "c1".into() });
    let command = |client: u32, words: &str| Input::Command {
        client,
        argv: words.split(' ').map(|word| Bytes::copy_from_slice(word.as_bytes())).collect(),
    };
    assert_eq!(stage.refused(0, Act::Resume), StepError::NotNow(0));
    stage.step(command(0, "BLPOP q 0"));
    stage.program(0, Act::Pause);
    assert!(stage.world.is_paused(0));
    assert_eq!(stage.refused(0, Act::Pause), StepError::NotNow(0));
    assert_eq!(stage.world.clone().step(&command(0, "PING")), Err(StepError::ClientIsPaused(0)));
    let events = stage.step(command(1, "RPUSH q a"));
    let is_reply = |event: &world::Event| matches!(event.kind, world::EventKind::Reply { client: 0, .. });
    assert!(!events.iter().any(is_reply), "{events:?}");
    assert!(stage.program(0, Act::Resume).iter().any(is_reply));
    stage.step(command(0, "PING"));
    // Ctrl-C ends the pause too, and the connection.
    stage.step(command(0, "SUBSCRIBE news"));
    stage.program(0, Act::Pause);
    stage.step(command(1, "PUBLISH news a"));
    stage.step(Input::Interrupt { client: 0 });
    assert!(!stage.world.is_paused(0) && stage.world.unread(0).is_none());
    // A program that starts reads again.
    stage.step(command(0, "SUBSCRIBE news"));
    stage.program(0, Act::Pause);
    stage.program(0, Act::load("redis.call('PING')".into()));
    assert!(!stage.world.is_paused(0) && stage.world.unread(0).is_none());
}

#[test]
fn typed_subscription_of_paused_program_client_waits() {
    let mut stage = Fixture::of(vec!["redis.call('PING') redis.call('GET', 'k')".into()]);
    stage.step(Input::Connect { client: 9, name: "c9".into() });
    let command = |client: u32, words: &str| Input::Command {
        client,
        argv: words.split(' ').map(|word| Bytes::copy_from_slice(word.as_bytes())).collect(),
    };
    let count =
        |stage: &Fixture| stage.world.unread(0).and_then(|own| own.unread.as_ref()).map(|unread| unread.count());
    stage.step(command(0, "SUBSCRIBE news"));
    stage.program(0, Act::Pause);
    stage.step(command(9, "PUBLISH news a"));
    assert_eq!(count(&stage), Some(1));
    assert_eq!(stage.world.clone().step(&command(0, "PING")), Err(StepError::ClientIsPaused(0)));
    let events = stage.program(0, Act::Resume);
    assert!(events.iter().any(|event| matches!(event.kind, world::EventKind::Push { client: 0, .. })), "{events:?}");
    assert_eq!(count(&stage), None);
    // Past its limit the connection is closed; the program goes on with a new one.
    stage.step(Input::Command {
        client: 9,
        argv: ["CONFIG", "SET", "client-output-buffer-limit", "pubsub 1 0 0"].map(Bytes::from).to_vec(),
    });
    stage.program(0, Act::Pause);
    stage.step(command(9, &format!("PUBLISH news {}", "x".repeat(40_000))));
    assert_eq!(count(&stage), None);
    stage.program(0, Act::Resume);
    stage.program(0, Act::Step { thread: 0 });
    stage.step(command(0, "GET k"));
    // Without a subscription the program's own connection carries replies, and a pause holds nothing back.
    stage.program(0, Act::Pause);
    assert_eq!(count(&stage), None);
}

#[test]
fn lost_subscription_is_an_error_that_programs_can_catch() {
    let subscriber = "local is_fine, why = pcall(subscribe, 'news') note(is_fine, why)
        if not is_fine then subscribe('news') end
        local _, text = wait_message(1000) note(tostring(text))";
    for direction in [Direction::Request, Direction::Reply] {
        let mut stage = Fixture::new([subscriber, "redis.call('PUBLISH', 'news', 'a')"]);
        stage.program(0, Act::Lose { thread: 0, direction });
        // A client that gives up on a reply closes the connection.
        assert!(stage.world.server(NodeIndex::FIRST).unwrap().pubsub().channels.is_empty());
        stage.step(Input::Advance { ms: world::TIMEOUT_MS });
        stage.program(0, Act::Step { thread: 0 });
        stage.program(0, Act::Step { thread: 0 });
        stage.program(1, Act::Step { thread: 0 });
        stage.program(0, Act::Step { thread: 0 });
        assert_eq!(notes(&stage.log), ["false\ttimeout: no reply from the server", "a"], "{direction:?}");
    }
    // A program that does not catch the error ends and reports it.
    let mut stage = Fixture::new(["subscribe('news') wait_message()"]);
    stage.program(0, Act::Lose { thread: 0, direction: Direction::Request });
    stage.step(Input::Advance { ms: world::TIMEOUT_MS });
    stage.program(0, Act::Step { thread: 0 });
    assert!(stage.log.iter().any(|what| what.contains("Failed") && what.contains("timeout")), "{:?}", stage.log);
}

#[test]
fn program_arguments_are_kept_in_the_session() {
    let mut stage = Fixture::of(Vec::new());
    let text = "local wait = tonumber(args[1]) note(client.id .. ': ' .. args[2]) sleep(wait)";
    for (client, args) in [(0, ["5", "a b"]), (4, ["7", ""])] {
        stage.step(Input::Connect { client, name: format!("c{client}") });
        stage.program(client, Act::Load { text: text.into(), args: args.map(Into::into).to_vec() });
    }
    assert_eq!(
        stage.log.iter().filter(|log| log.starts_with("Noted")).collect::<Vec<_>>(),
        ["Noted 1: a b", "Noted 5: "]
    );
    // After a restart it has the same arguments.
    stage.program(4, Act::Crash);
    stage.program(4, Act::Restart);
    assert_eq!(stage.log.iter().rfind(|log| log.starts_with("Noted")), Some(&"Noted 5: ".to_owned()));
    let mut timeline = Timeline::with_engines(Settings::default(), stage.world.engines());
    for input in stage.inputs {
        timeline.push(input).unwrap();
    }
    assert_eq!(timeline.world(), &stage.world);
    let written = timeline.to_text();
    assert!(written.contains("sleep(wait)\" 5 \"a b\"\n") && written.contains("sleep(wait)\" 7 \"\"\n"), "{written}");
    assert_eq!(Timeline::from_text(&written, timeline.world().engines()).unwrap().world(), timeline.world());
    let act =
        |count: usize, size: usize| Act::Load { text: "note(1)".into(), args: vec![vec![b'x'; size].into(); count] };
    let refused = |act: Act| stage.world.clone().step(&Input::Program { client: 0, act }).unwrap_err();
    assert_eq!(refused(act(65, 1)), StepError::TooManyArguments { given: 65, most: 64 });
    assert_eq!(refused(act(64, 1_024)), StepError::ProgramTooLarge { given: 7 + 65_536, most: 65_536 });
}

#[test]
fn client_with_known_number_or_other_arguments_is_not_interchangeable() {
    let states = |text: &str, args: [&str; 2]| {
        let mut stage = Fixture::of(Vec::new()).watching(&["no-errors"]);
        for (client, word) in (0..).zip(args) {
            stage.step(Input::Connect { client, name: format!("c{client}") });
            stage.program(client, Act::Load { text: text.to_owned().into(), args: vec![word.to_owned().into()] });
        }
        let limits = Limits { independence: false, ..Limits::default() };
        Explorer::new(stage.world, Some(0), limits).finish().1.states
    };
    // No client has begun, the first has, both have; and the second alone if it may differ.
    assert_eq!(states("redis.call('INCR', 'a')", ["1", "1"]), 3);
    assert_eq!(states("redis.call('INCR', 'a' .. args[1])", ["1", "1"]), 3);
    assert_eq!(states("redis.call('INCR', 'a' .. args[1])", ["1", "2"]), 4);
    assert_eq!(states("redis.call('INCR', 'a' .. client.id)", ["1", "1"]), 4);
}

/// A lock with a lease that has expired by its node's clock is free, even if the world's clock is earlier.
#[test]
fn lease_expires_by_the_clock_of_its_node() {
    let first = "redis.call('SET', 'lock', 'a', 'NX', 'PX', 10)";
    let second = "redis.call('SET', 'lock', 'b')";
    for ahead_ms in [0, 1, 3_600_000] {
        let mut stage = Fixture::new([first, second]);
        stage.watch("only-owner-releases lock");
        if ahead_ms > 0 {
            stage.step(Input::Node { node: NodeIndex::FIRST, act: NodeAct::ShiftClock { ms: ahead_ms } });
        }
        stage.program(0, Act::Step { thread: 0 });
        stage.step(Input::Advance { ms: 11 });
        stage.program(1, Act::Step { thread: 0 });
        assert_eq!(stage.verdicts(), ["holds"], "{ahead_ms} ms ahead");
        // Within its lease the lock is deleted by another client.
        let mut stage = Fixture::new([first, second]);
        stage.watch("only-owner-releases lock");
        stage.program(0, Act::Step { thread: 0 });
        stage.program(1, Act::Step { thread: 0 });
        assert_eq!(stage.verdicts(), ["broken"]);
    }
}
