//! Subscriptions of machines: delivery and its delay, lost connections, limits, and equal results for any slicing.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
use std::rc::Rc;

use proptest::prelude::*;
use script::fingerprint;

use super::*;
use crate::traffic::event::TrafficEvent;
use crate::traffic::handler::program;
use crate::traffic::settings::{Handler, TrafficSettings};
use crate::traffic::tests::{after, check_conservation, database, engines, lua, steady};
use crate::traffic::{Site, TrafficAct};
use crate::{Event, EventKind, Input, NodeAct, NodeIndex, NodeKind, NodeSettings, Settings, World};

/// Counts what each machine is notified of, in Redis and in the memory of the machine.
const COUNTS: &str = "local db, seen = connect('db'), memory('seen')
function start() subscribe('changes') end
function message(channel, text)
  seen:set(channel .. ':' .. text, 1)
  redis.call('INCR', 'heard:' .. text)
end
function subscribed(channel) seen:clear() redis.call('INCR', 'subscribed') end
function get(id) return seen:get('changes:' .. id) and 'v1-1' or 'v0-' .. id end
function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
  redis.call('PUBLISH', 'changes', id)
end";

fn settings(handler: &str) -> TrafficSettings {
    TrafficSettings {
        rate: steady(100),
        items: 50,
        machines: 5,
        workers: 4,
        handler: lua(handler),
        ..Default::default()
    }
}

pub(in crate::traffic) fn world_of(settings: &TrafficSettings) -> World {
    let nodes = vec![
        NodeSettings::redis("redis", crate::Durability::None),
        NodeSettings { name: "db".to_owned(), kind: NodeKind::Table(database(5, 4)) },
    ];
    let mut world = World::with_engines(Settings { nodes, ..Settings::default() }, &engines());
    world.step(&Input::Connect { client: 0, name: "a".to_owned() }).unwrap();
    let act = TrafficAct::Begin { settings: Rc::new(settings.clone()) };
    world.step(&Input::Traffic { act }).unwrap();
    world
}

pub(in crate::traffic) fn advance(world: &mut World, ms: u64) -> Vec<Event> {
    world.step(&Input::Advance { ms }).unwrap()
}

/// Types a command; returns the reply.
pub(in crate::traffic) fn typed(world: &mut World, line: &str) -> Value {
    let argv = resp::split::split(line.as_bytes()).unwrap();
    let events = world.step(&Input::Command { client: 0, argv }).unwrap();
    let reply = events.into_iter().find_map(|event| match event.kind {
        EventKind::Reply { value, .. } => Some(value),
        _ => None,
    });
    reply.unwrap()
}

fn text(value: &str) -> Value {
    Value::Bulk(Bytes::copy_from_slice(value.as_bytes()))
}

pub(in crate::traffic) fn faults(traffic: &Traffic) -> Vec<(String, u64)> {
    let found = |fault: &crate::traffic::HandlerError| (String::from_utf8_lossy(&fault.what).into_owned(), fault.count);
    traffic.faults().iter().map(found).collect()
}

pub(in crate::traffic) fn traffic_events(events: &[Event]) -> Vec<(u64, TrafficEvent)> {
    let found = |event: &Event| match &event.kind {
        EventKind::Traffic { event: inner } => Some((event.at_ms, TrafficEvent::clone(inner))),
        _ => None,
    };
    events.iter().filter_map(found).collect()
}

/// Runs event by event for this long.
pub(in crate::traffic) fn step_for(world: &mut World, ms: u64) -> Vec<Event> {
    let until_ms = world.now_ms() + ms;
    let mut all = Vec::new();
    loop {
        let before = world.clone();
        let events = world.step(&Input::Traffic { act: TrafficAct::Step }).unwrap();
        if world.now_ms() > until_ms {
            *world = before;
            return all;
        }
        all.extend(events);
    }
}

#[test]
fn message_reaches_every_machine_and_its_memory() {
    let mut world = world_of(&settings(COUNTS));
    advance(&mut world, 1_000);
    assert_eq!(typed(&mut world, "GET subscribed"), text("5"), "once per machine");
    assert_eq!(typed(&mut world, "PUBSUB NUMSUB changes"), Value::Array(vec![text("changes"), Value::Integer(5)]));
    let list = format!("{:?}", typed(&mut world, "CLIENT LIST TYPE pubsub"));
    assert_eq!(list.matches(" sub=1 ").count(), 5, "{list}");
    // A typed PUBLISH, one in a script, one in a transaction; messages for other channels are for no one.
    assert_eq!(typed(&mut world, "PUBLISH changes 7"), Value::Integer(5));
    assert_eq!(typed(&mut world, "EVAL \"return redis.call('PUBLISH', 'changes', 8)\" 0"), Value::Integer(5));
    typed(&mut world, "MULTI");
    typed(&mut world, "PUBLISH changes 9");
    typed(&mut world, "EXEC");
    assert_eq!(typed(&mut world, "PUBLISH other 7"), Value::Integer(0));
    advance(&mut world, 1_000);
    for id in ["7", "8", "9"] {
        assert_eq!(typed(&mut world, &format!("GET heard:{id}")), text("5"), "{id}");
    }
    let traffic = world.traffic().unwrap();
    assert!((0..5).all(|machine| traffic.memory(machine).unwrap().entries() == 3));
    assert!(traffic.series().total().wrong > 0, "the memory decides what is answered");
    assert_eq!(faults(traffic), []);
}

#[test]
fn put_notifies_all_machines() {
    let settings = TrafficSettings { writes_ppm: 100_000, ..settings(COUNTS) };
    let site = after(settings, database(5, 4), 10_000);
    check_conservation(&site);
    let total = site.traffic().series().total();
    assert_eq!(faults(site.traffic()), []);
    assert_eq!(total.failed, 0);
    let db = site.redis().db(0).unwrap();
    assert!(db.len() > 30, "{}", db.len());
    // Nothing is counted as a request but requests; each message is one command here.
    assert!(
        total.commands > 5 * total.queries && total.arrived == total.answered + site.traffic().unfinished().0 as u64
    );
}

#[test]
fn message_takes_the_time_of_the_command_and_the_network() {
    let settings = TrafficSettings { rate: steady(1), network_us: 5_000, redis_us: 2_000, ..settings(COUNTS) };
    let mut world = world_of(&settings);
    let started = traffic_events(&step_for(&mut world, 100));
    let at = |events: &[(u64, TrafficEvent)], is_it: fn(&RequestEvent) -> bool| {
        events.iter().filter(|(_, event)| is_it(&event.what)).map(|(at_ms, _)| *at_ms).collect::<Vec<_>>()
    };
    let asked = at(&started, |what| matches!(what, RequestEvent::Subscribes { .. }));
    let confirmed = at(&started, |what| matches!(what, RequestEvent::Subscribed { .. }));
    // The five commands are executed one after the other.
    let start_ms = asked[0];
    assert_eq!(asked, [start_ms; 5]);
    assert_eq!(confirmed, [12, 14, 16, 18, 20].map(|ms| start_ms + ms));
    world.step(&Input::Command { client: 0, argv: resp::split::split(b"PUBLISH changes 7").unwrap() }).unwrap();
    let typed_ms = world.now_ms();
    let heard = traffic_events(&step_for(&mut world, 20));
    let messages: Vec<_> =
        heard.iter().filter(|(_, event)| matches!(event.what, RequestEvent::Message { .. })).collect();
    assert_eq!(messages.len(), 5);
    assert!(
        messages.iter().all(|(at_ms, event)| *at_ms == typed_ms + 5 && event.worker.is_none() && event.request == 0)
    );
    assert_eq!(
        messages.iter().map(|(_, event)| event.machine).collect::<Vec<_>>(),
        (0..5).map(Some).collect::<Vec<_>>()
    );
}

#[test]
fn first_request_waits_until_start_is_subscribed() {
    let handler =
        COUNTS.replace("subscribe('changes') end", "subscribe('changes', 'more') redis.call('SET', 'started', 1) end");
    let settings = TrafficSettings { network_us: 50_000, patience_ms: 0, ..settings(&handler) };
    let mut world = world_of(&settings);
    let events = traffic_events(&step_for(&mut world, 400));
    let first = |is_it: &dyn Fn(&TrafficEvent) -> bool| events.iter().position(|(_, event)| is_it(event)).unwrap();
    for machine in 0..5 {
        let is_here = |event: &TrafficEvent| event.machine == Some(machine);
        let confirmed = first(&|event| is_here(event) && matches!(event.what, RequestEvent::Subscribed { .. }));
        let served = first(&|event| is_here(event) && event.request > 0 && matches!(event.what, RequestEvent::Begins));
        assert!(confirmed < served);
    }
    assert_eq!(typed(&mut world, "PUBSUB NUMSUB more"), Value::Array(vec![text("more"), Value::Integer(5)]));
}

#[test]
fn lost_connection_loses_messages_and_is_subscribed_again() {
    let redis = NodeIndex::FIRST;
    let mut world = world_of(&settings(COUNTS));
    advance(&mut world, 1_000);
    typed(&mut world, "PUBLISH changes 7");
    advance(&mut world, 10);
    assert!((0..5).all(|machine| world.traffic().unwrap().memory(machine).unwrap().entries() == 1));
    world.step(&Input::Node { node: redis, act: NodeAct::Crash }).unwrap();
    advance(&mut world, 1_000);
    world.step(&Input::Node { node: redis, act: NodeAct::Restart }).unwrap();
    assert_eq!(typed(&mut world, "PUBLISH changes 8"), Value::Integer(0), "no one is there yet");
    // Each attempt fails at once, and the next one comes 100 ms and both ways of the network later.
    advance(&mut world, RESUBSCRIBE_MS + 2);
    assert_eq!(typed(&mut world, "PUBLISH changes 9"), Value::Integer(5));
    advance(&mut world, 10);
    assert_eq!(typed(&mut world, "GET subscribed"), text("5"), "the server was empty");
    assert_eq!(typed(&mut world, "GET heard:8"), Value::Null);
    assert_eq!(typed(&mut world, "GET heard:9"), text("5"));
    assert!(
        (0..5).all(|machine| world.traffic().unwrap().memory(machine).unwrap().entries() == 1),
        "they were cleared"
    );
    // The same for connections that the server closes, and for a command that it rejects.
    assert_eq!(typed(&mut world, "CLIENT KILL TYPE pubsub"), Value::Integer(5));
    advance(&mut world, RESUBSCRIBE_MS + 2);
    assert_eq!(typed(&mut world, "GET subscribed"), text("10"));
    typed(&mut world, "CONFIG SET requirepass x");
    typed(&mut world, "CLIENT KILL TYPE pubsub");
    advance(&mut world, 1_000);
    assert_eq!(typed(&mut world, "PUBSUB NUMSUB changes"), Value::Array(vec![text("changes"), Value::Integer(0)]));
    typed(&mut world, "CONFIG SET requirepass ''");
    advance(&mut world, RESUBSCRIBE_MS + 2);
    assert_eq!(typed(&mut world, "GET subscribed"), text("15"));
    // Nothing is left when traffic ends.
    world.step(&Input::Traffic { act: TrafficAct::End }).unwrap();
    assert_eq!(world.server(redis).unwrap().clients().count(), 1);
}

#[test]
fn start_without_a_server_fails_and_the_machine_subscribes_later() {
    let mut settings = settings(COUNTS);
    settings.network_us = 10_000;
    let mut world = world_of(&settings);
    world.step(&Input::Node { node: NodeIndex::FIRST, act: NodeAct::Crash }).unwrap();
    advance(&mut world, 500);
    assert_eq!(faults(world.traffic().unwrap())[0], ("program:2: connection refused".to_owned(), 5));
    world.step(&Input::Node { node: NodeIndex::FIRST, act: NodeAct::Restart }).unwrap();
    advance(&mut world, 500);
    assert_eq!(typed(&mut world, "GET subscribed"), text("5"));
}

#[test]
fn traffic_without_subscriptions_is_as_before() {
    let plain = "function get(id) return 'v0-' .. id end";
    assert!(!String::from_utf8_lossy(&program(plain.as_bytes())).contains("message"));
    assert_eq!(fingerprint(&(1, Subscribers::default(), 2)), fingerprint(&(1, 2)));
    // A subscription that no one writes to changes no figure but the commands.
    let one = after(settings(plain), database(5, 4), 5_000);
    let other = after(settings(&format!("{plain} function start() subscribe('x') end")), database(5, 4), 5_000);
    let [one, other] = [one, other].map(|site| site.traffic().series().total());
    assert_eq!((one.commands, other.commands), (0, 5));
    assert_eq!((one.answered, one.latency.count(), one.wrong), (other.answered, other.latency.count(), other.wrong));
}

/// The faults and the figures of a handler to which puts publish.
fn outcome_of(handler: &str) -> (Vec<(String, u64)>, Site) {
    let put = "\nfunction put(id) redis.call('PUBLISH', 'c', id) end";
    let settings = TrafficSettings { writes_ppm: 200_000, ..settings(&format!("{handler}{put}")) };
    let site = after(settings, database(1, 4), 5_000);
    check_conservation(&site);
    (faults(site.traffic()), site)
}

#[test]
fn errors_in_messages_are_reported_with_their_line() {
    let (first, get) = ("function start() subscribe('c') end\n", "\nfunction get(id) return 'v0-' .. id end");
    let of = |message: &str| outcome_of(&format!("{first}{message}{get}"));
    let (found, site) = of("function message(c, text)\n  error('no')\nend");
    assert_eq!(found[0].0, "program:3: no");
    assert!(found[0].1 > 400 && found.len() == 1, "{found:?}");
    assert_eq!(site.traffic().series().total().failed, 0, "requests do not fail because of it");
    assert_eq!(
        of("function message() while true do end end").0[0].0,
        "program:2: it runs for too long without asking for anything"
    );
    assert_eq!(
        of("function message() while true do now() end end").0[0].0,
        "program:2: it asks for more than 1000 things for one request"
    );
    assert_eq!(
        of("function message() redis.call('NO') end").0[0].0,
        "program:2: ERR unknown command 'NO', with args beginning with: "
    );
    assert_eq!(of("function message() end function subscribed() error('s') end").0, [("program:2: s".to_owned(), 5)]);
    let (found, _) = of("");
    assert!(found.len() == 1 && found[0].0.contains("message"), "{found:?}");
    // An error of a thread, and one after a command.
    let (found, _) =
        of("function message(c, text) redis.call('GET', 'x') spawn(function() sleep(1) error('late') end) end");
    assert_eq!(found[0].0, "program:2: late");
}

#[test]
fn subscribe_outside_of_start_is_an_error() {
    let wrong = "subscribe only works in start(), for the machine as a whole";
    let (found, site) = outcome_of("function get(id)\n  subscribe('c') return id end");
    assert_eq!(found, [(format!("program:2: {wrong}"), site.traffic().series().total().failed)]);
    let (found, _) = outcome_of("subscribe('c') function get(id) return id end");
    assert_eq!(found[0].0, format!("program:1: {wrong}"));
    let (found, _) =
        outcome_of("function start() subscribe('c') end function message() subscribe('d') end function get(id) end");
    assert_eq!(found[0].0, format!("program:1: {wrong}"));
    let in_start =
        |text: &str| outcome_of(&format!("function start() {text} end function message() end function get(id) end")).0;
    assert_eq!(
        in_start("subscribe()")[0].0,
        "program:1: bad argument #1 to 'subscribe' (string expected, got no value)"
    );
    assert_eq!(
        in_start("subscribe({})")[0].0,
        "program:1: bad argument #1 to 'subscribe' (string or number expected, got table)"
    );
    assert_eq!(in_start("subscribe(('c'):rep(1025))")[0].0, "program:1: the name of a channel has at most 1024 bytes");
    assert_eq!(
        in_start("for n = 1, 101 do subscribe(n) end")[0].0,
        "program:1: a machine subscribes to at most 100 channels"
    );
    // The same channel again, an empty name, names that are not text.
    assert_eq!(in_start("subscribe('c', 'c') subscribe('c', '', '\\0\\255 \\r\\n', 7)"), []);
    assert_eq!(in_start("spawn(function() subscribe('c') end) subscribe('d')"), []);
}

#[test]
fn slow_message_function_loses_its_connection_and_goes_on() {
    let handler = "function start() subscribe('c') end
        function message(c, text) sleep(1000) end
        function subscribed() redis.call('INCR', 'subscribed') end
        function get(id) return 'v0-' .. id end
        function put(id) redis.call('EVAL', 'for i = 1, 300 do redis.call(\"PUBLISH\", \"c\", i) end', 0) end";
    let settings = TrafficSettings { writes_ppm: 500_000, machines: 100, workers: 1, ..settings(handler) };
    let mut site = Site::begin(settings.clone(), database(1, 4), 0, &engines()).unwrap();
    for at_ms in 1..60 {
        site.run(at_ms * 100);
        let waiting = site.traffic().subscribers.machines.values().map(|found| found.waiting.len()).max();
        assert!(waiting.unwrap() <= 2_000, "{waiting:?}");
    }
    check_conservation(&site);
    let found = faults(site.traffic());
    assert!(found.len() == 1 && found[0].0 == "messages come faster than message() handles them", "{found:?}");
    assert!(found[0].1 > 100, "{found:?}");
    assert_eq!(HandlerLimit::of(&found[0].0), Some((None, HandlerLimit::Messages)));
}

#[test]
fn flood_of_messages_and_huge_messages_are_limited() {
    let get = "function get(id) return 'v0-' .. id end";
    // 10,000 messages a second, each of which is known: no Lua runs for them.
    let many = format!(
        "function start() subscribe('c') end function message(c, text) memory('x'):delete(text) end {get}
        function put(id) redis.call('EVAL', 'for i = 1, 200 do redis.call(\"PUBLISH\", \"c\", \"1\") end', 0) end"
    );
    let site = after(TrafficSettings { writes_ppm: 500_000, ..settings(&many) }, database(1, 4), 5_000);
    assert_eq!(faults(site.traffic()), []);
    // 3 MB each: not too much for one call, but for several that wait.
    let huge = |message: &str| {
        format!(
            "function start() subscribe('c') end function message(c, text) {message} end {get}
        function put(id) redis.call('EVAL', 'redis.call(\"PUBLISH\", \"c\", string.rep(\"x\", 3000000))', 0) end"
        )
    };
    let site = after(TrafficSettings { writes_ppm: 100_000, ..settings(&huge("sleep(500)")) }, database(1, 4), 5_000);
    assert_eq!(faults(site.traffic())[0].0, "messages come faster than message() handles them");
    let twice = huge("").replace("3000000", "5000000");
    let site = after(TrafficSettings { writes_ppm: 100_000, ..settings(&twice) }, database(1, 4), 5_000);
    assert!(
        faults(site.traffic())[0].0.ends_with("it receives more than 4 MB for one request"),
        "{:?}",
        faults(site.traffic())
    );
    // A message that causes itself, where nothing takes time: time still passes.
    let echo = format!(
        "function start() subscribe('c') end function message(c, text) redis.call('PUBLISH', 'c', text) end {get}
        function put(id) redis.call('PUBLISH', 'c', id) end"
    );
    let settings = TrafficSettings { machines: 1, network_us: 0, redis_us: 0, writes_ppm: 500_000, ..settings(&echo) };
    let site = after(settings, database(1, 4), 200);
    let total = site.traffic().series().total();
    assert!(total.commands > 1_000, "{total:?} {:?}", faults(site.traffic()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn result_is_independent_of_slices_and_steps(
        seed in any::<u64>(),
        crash_ms in 100_u64..2_000,
        cuts in prop::collection::vec(1_u64..400, 1..12),
        slice in 1_u64..500,
        is_slow in any::<bool>(),
    ) {
        let handler = if is_slow { COUNTS.replace("  seen:set", "  sleep(random(0, 20)) seen:set") } else { COUNTS.to_owned() };
        let settings = TrafficSettings { seed, writes_ppm: 100_000, ..settings(&handler) };
        let mut whole = world_of(&settings);
        advance(&mut whole, crash_ms);
        let mut sliced = world_of(&settings);
        let mut left = crash_ms;
        for cut in cuts.iter().copied().chain([crash_ms]) {
            advance(&mut sliced, cut.min(left));
            left -= cut.min(left);
            sliced = sliced.clone();
        }
        prop_assert!(sliced == whole);
        prop_assert_eq!(fingerprint(&sliced), fingerprint(&whole));
        let mut stepped = whole.clone();
        for world in [&mut whole, &mut sliced, &mut stepped] {
            world.step(&Input::Node { node: NodeIndex::FIRST, act: NodeAct::Crash }).unwrap();
        }
        advance(&mut whole, 300);
        let from_ms = stepped.now_ms();
        let events = traffic_events(&step_for(&mut stepped, 200));
        let rest_ms = 300 - (stepped.now_ms() - from_ms);
        advance(&mut stepped, rest_ms);
        prop_assert!(stepped == whole);
        prop_assert!(events.iter().any(|(_, event)| matches!(event.what, RequestEvent::Unsubscribed)));
        for world in [&mut whole, &mut stepped] {
            world.step(&Input::Node { node: NodeIndex::FIRST, act: NodeAct::Restart }).unwrap();
        }
        advance(&mut whole, 500);
        let from_ms = stepped.now_ms();
        let events = traffic_events(&step_for(&mut stepped, 400));
        let rest_ms = 500 - (stepped.now_ms() - from_ms);
        advance(&mut stepped, rest_ms);
        prop_assert!(stepped == whole);
        let confirmed = events.iter().filter(|(_, event)| matches!(event.what, RequestEvent::Subscribed { .. })).count();
        prop_assert_eq!(confirmed, 5);

        // The same on its own site, in slices of events.
        let whole = after(settings.clone(), database(5, 4), 2_000);
        check_conservation(&whole);
        let mut sliced = Site::begin(settings, database(5, 4), 0, &engines()).unwrap();
        while !sliced.run_slice(2_000, slice) {
            sliced = sliced.clone();
        }
        prop_assert_eq!(&whole, &sliced);
    }

    #[test]
    fn any_channel_and_text_is_heard_as_sent(channel in prop::collection::vec(any::<u8>(), 0..40), text in prop::collection::vec(any::<u8>(), 0..40)) {
        let list = |bytes: &[u8]| bytes.iter().map(|byte| format!("\\{byte:03}")).collect::<String>();
        let handler = format!("local c = '{}' function start() subscribe(c) end
            function message(channel, text) redis.call('RPUSH', 'heard', channel, text) end
            function get(id) redis.call('PUBLISH', c, '{}') end", list(&channel), list(&text));
        let settings = TrafficSettings { machines: 1, rate: steady(20), ..settings(&handler) };
        let mut world = world_of(&settings);
        advance(&mut world, 1_000);
        prop_assert_eq!(faults(world.traffic().unwrap()), []);
        let expected = vec![Value::Bulk(Bytes::from(channel)), Value::Bulk(Bytes::from(text))];
        prop_assert_eq!(typed(&mut world, "LRANGE heard 0 1"), Value::Array(expected));
    }
}

#[test]
fn plain_handler_has_no_subscribers() {
    let settings = TrafficSettings { handler: Handler::CacheAside { ttl_s: 1 }, ..settings("") };
    let site = after(settings, database(1, 4), 1_000);
    assert_eq!(site.traffic().subscribers, Subscribers::default());
}
