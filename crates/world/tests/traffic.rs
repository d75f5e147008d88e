//! Traffic as part of a world: it runs while the session's time passes, a step runs one event, and other clients and traffic affect each
//! other.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
use std::rc::Rc;

use bytes::Bytes;
use lua_machine::{LuaMachine, LuaPlayer};
use proptest::prelude::*;
use world::traffic::arrivals::Wish;
use world::traffic::event::{RequestEvent, TrafficEvent};
use world::traffic::handler::CACHE_ASIDE;
use world::traffic::series::Interval;
use world::traffic::settings::{Handler, Popularity, RatePoint, TrafficSettings};
use world::traffic::{CrashTarget, Ran, Site, TrafficAct};
use world::{
    Durability, Engines, Event, EventKind, Input, NodeAct, NodeIndex, NodeKind, NodeSettings, Settings, StepError,
    Timeline, World,
};

const REDIS: NodeIndex = NodeIndex::FIRST;

fn engines() -> Engines {
    Engines::new(LuaMachine::new(), LuaPlayer::for_traffic())
}

fn database() -> table::Settings {
    table::Settings { service_ms: 5, workers: 4, connections_max: 1_000, ..table::Settings::default() }
}

/// A Redis server with this durability, and a database.
fn nodes(durability: Durability) -> Settings {
    let database = NodeSettings { name: "db".to_owned(), kind: NodeKind::Table(database()) };
    Settings { nodes: vec![NodeSettings::redis("redis", durability), database], maxmemory: 0, ..Settings::default() }
}

fn settings() -> TrafficSettings {
    TrafficSettings {
        rate: vec![RatePoint { at_ms: 0, per_s: 200 }],
        items: 50,
        writes_ppm: 50_000,
        absent_ppm: 50_000,
        absent_ids: 20,
        handler: Handler::CacheAside { ttl_s: 1 },
        ..TrafficSettings::default()
    }
}

fn begin(settings: &TrafficSettings) -> Input {
    Input::Traffic { act: TrafficAct::Begin { settings: Rc::new(settings.clone()) } }
}

const STEP: Input = Input::Traffic { act: TrafficAct::Step };

fn advance(ms: u64) -> Input {
    Input::Advance { ms }
}

fn command(client: u32, line: &str) -> Input {
    Input::Command { client, argv: resp::split::split(line.as_bytes()).unwrap() }
}

/// A world with two terminals at its Redis server and one at its database, after traffic has begun.
fn world_of(settings: &TrafficSettings, durability: Durability) -> World {
    let mut world = World::with_engines(nodes(durability), &engines());
    for (client, name) in (0..).zip(["a", "b", "sql"]) {
        world.step(&Input::Connect { client, name: name.to_owned() }).unwrap();
    }
    let database = world.traffic_nodes().1.unwrap();
    world.step(&Input::SwitchNode { client: 2, node: database }).unwrap();
    world.step(&begin(settings)).unwrap();
    world
}

fn total(world: &World) -> Interval {
    world.traffic().unwrap().series().total()
}

fn traffic_events(events: &[Event]) -> impl Iterator<Item = &TrafficEvent> {
    events.iter().filter_map(|event| match &event.kind {
        EventKind::Traffic { event } => Some(event.as_ref()),
        _ => None,
    })
}

fn ran(events: &[Event]) -> Ran {
    let of = |event: &Event| match event.kind {
        EventKind::TrafficRan { ran } => Some(ran),
        _ => None,
    };
    events.iter().find_map(of).unwrap()
}

#[test]
fn world_agrees_with_site() {
    for handler in [Handler::CacheAside { ttl_s: 7_200 }, Handler::Lua(CACHE_ASIDE.into())] {
        let settings = TrafficSettings { handler, ..settings() };
        let mut site = Site::begin(settings.clone(), database(), 0, &engines()).unwrap();
        site.run(20_000);
        let mut world = World::with_engines(nodes(Durability::None), &engines());
        world.step(&begin(&settings)).unwrap();
        let events = world.step(&advance(20_000)).unwrap();
        assert_eq!(world.traffic().unwrap().series(), site.traffic().series());
        let all = total(&world);
        let expected = Ran { arrived: all.arrived, answered: all.answered, errors: all.errors(), queries: all.queries };
        assert_eq!(ran(&events), expected);
        assert!(expected.arrived > 3_500 && expected.queries > 100, "{expected:?}");
    }
}

/// Runs event by event up to this time, and returns all events.
fn step_until(world: &mut World, ms: u64) -> Vec<Event> {
    let mut all = Vec::new();
    loop {
        let before = world.clone();
        let events = world.step(&STEP).unwrap();
        if world.now_ms() > ms {
            *world = before;
            return all;
        }
        all.extend(events);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn result_is_independent_of_how_time_is_split(
        seed in any::<u64>(),
        cuts in prop::collection::vec(1_u64..900, 1..12),
        slice in 1_u64..3_000,
        durability in prop::sample::select(vec![Durability::None, Durability::EverySecond]),
    ) {
        let settings = TrafficSettings { seed, ..settings() };
        let start = world_of(&settings, durability);
        let mut whole = start.clone();
        whole.step(&advance(10_000)).unwrap();

        let mut cut = start.clone();
        let mut left = 10_000_u64;
        for ms in cuts.into_iter().chain([10_000]) {
            let ms = ms.min(left);
            left -= ms;
            cut.step(&advance(ms)).unwrap();
        }
        prop_assert!(cut == whole);

        // Deadlines other than traffic's are met in single steps too.
        let mut stepped = start.clone();
        step_until(&mut stepped, start.now_ms() + 300);
        let passed_ms = stepped.now_ms() - start.now_ms();
        stepped.step(&advance(10_000 - passed_ms)).unwrap();
        prop_assert!(stepped == whole);

        let mut timeline = Timeline::with_engines(nodes(durability), &engines());
        timeline.push(begin(&settings)).unwrap();
        let mut other = timeline.clone();
        timeline.push(advance(10_000)).unwrap();
        let mut stretch = other.stretch(10_000).unwrap();
        let mut slices = 0_u32;
        while !stretch.run(slice) {
            slices += 1;
        }
        prop_assert!(slices > 1);
        other.push_stretch(stretch).unwrap().unwrap();
        prop_assert!(other == timeline && other.world() == timeline.world());

        // A shorter time after the same step starts within that stretch.
        for ms in [1, 4_321, 9_999, 10_000, 12_000] {
            timeline.seek(1);
            timeline.push(advance(ms)).unwrap();
            other.seek(1);
            let mut stretch = other.stretch(ms).unwrap();
            prop_assert!(slice > 500 || ms < 1_000 || stretch.passed_ms() > 0);
            while !stretch.run(u64::MAX) {}
            other.push_stretch(stretch).unwrap().unwrap();
            prop_assert!(other == timeline && other.world() == timeline.world(), "{}", ms);
        }
        let text = timeline.to_text();
        prop_assert_eq!(Timeline::from_text(&text, &engines()).unwrap().to_text(), text);
    }

    #[test]
    fn single_steps_report_exactly_the_counted_requests(seed in any::<u64>(), at_ms in 0_u64..3_000) {
        let settings = TrafficSettings { seed, patience_ms: 12, retries: 1, workers: 1, machines: 2, backlog: 1, ..settings() };
        let mut world = world_of(&settings, Durability::None);
        world.step(&advance(at_ms)).unwrap();
        let before = total(&world);
        let until_ms = world.now_ms() + 300;
        let events = step_until(&mut world, until_ms);
        let after = total(&world);
        let count = |is_it: fn(&RequestEvent) -> bool| traffic_events(&events).filter(|event| is_it(&event.what)).count() as u64;
        prop_assert_eq!(count(|what| matches!(what, RequestEvent::Came { .. })), after.arrived - before.arrived);
        prop_assert_eq!(count(|what| matches!(what, RequestEvent::Answered { is_heard: true, .. })), after.answered - before.answered);
        prop_assert_eq!(count(|what| matches!(what, RequestEvent::Answered { is_heard: false, .. })), after.too_late - before.too_late);
        prop_assert_eq!(count(|what| matches!(what, RequestEvent::GaveUp)), after.given_up - before.given_up);
        prop_assert_eq!(count(|what| matches!(what, RequestEvent::Refused)), after.refused - before.refused);
        let taken = |server| traffic_events(&events).filter(move |event| matches!(&event.what, RequestEvent::Taken { server: at, .. } if *at == server)).count() as u64;
        prop_assert_eq!(taken(world::traffic::event::Service::Redis), after.commands - before.commands);
        prop_assert_eq!(taken(world::traffic::event::Service::Database), after.queries - before.queries);
        prop_assert!(after.arrived > before.arrived);
        // Keys change as the commands say.
        let sets = traffic_events(&events).filter(|event| matches!(&event.what, RequestEvent::Taken { argv, .. } if argv[0].as_ref() == b"SET")).count();
        let changed = events.iter().filter(|event| matches!(&event.kind, EventKind::KeyChanged { after: Some(_), .. })).count();
        prop_assert!(changed <= sets && (sets == 0 || changed > 0), "{} of {}", changed, sets);
    }
}

#[test]
fn every_request_is_reported_from_start_to_end() {
    let settings = TrafficSettings { rate: vec![RatePoint { at_ms: 0, per_s: 5 }], writes_ppm: 0, ..settings() };
    let mut world = world_of(&settings, Durability::None);
    let until_ms = world.now_ms() + 3_000;
    let events = step_until(&mut world, until_ms);
    let story: Vec<&RequestEvent> =
        traffic_events(&events).filter(|event| event.request == 1).map(|event| &event.what).collect();
    let words = |argv: &[Bytes]| {
        argv.iter().map(|word| String::from_utf8_lossy(word).into_owned()).collect::<Vec<_>>().join(" ")
    };
    let lines: Vec<String> = story
        .iter()
        .map(|what| match what {
            RequestEvent::Came { wish: Wish::Get, .. } => "comes".to_owned(),
            RequestEvent::Begins => "begins".to_owned(),
            RequestEvent::Asks { argv, .. } => format!("asks {}", words(&argv[..1])),
            RequestEvent::Taken { argv, value, .. } => format!("taken {} {}", words(&argv[..1]), value.is_some()),
            RequestEvent::Answers { .. } => "answers".to_owned(),
            RequestEvent::Hears { .. } => "hears".to_owned(),
            RequestEvent::Answered { is_heard, .. } => format!("answered {is_heard}"),
            other => format!("{other:?}"),
        })
        .collect();
    let select = "SELECT value FROM item WHERE id = ?";
    assert_eq!(
        lines,
        [
            "comes",
            "begins",
            "asks GET",
            "taken GET true",
            "hears",
            &format!("asks {select}"),
            &format!("taken {select} false"),
            "answers",
            "hears",
            "asks SET",
            "taken SET true",
            "hears",
            "answered true"
        ]
    );
}

#[test]
fn terminals_and_traffic_affect_each_other() {
    let settings = TrafficSettings {
        items: 1,
        absent_ppm: 0,
        writes_ppm: 0,
        handler: Handler::CacheAside { ttl_s: 1_000 },
        ..settings()
    };
    let mut world = world_of(&settings, Durability::None);
    world.step(&advance(2_000)).unwrap();
    assert_eq!(total(&world).stale, 0);
    // A change in the database without a change of the cache.
    world.step(&command(2, "\"UPDATE item SET value = 'v99-1' WHERE id = 1\"")).unwrap();
    world.step(&advance(1_000)).unwrap();
    let stale = total(&world).stale;
    assert!((100..400).contains(&stale), "{stale}");
    world.step(&command(0, "DEL item:1")).unwrap();
    world.step(&advance(1_000)).unwrap();
    assert!(total(&world).stale <= stale + 3);

    // A handler that pushes wakes a blocked terminal at that moment.
    let text = "function get(id) redis.call('RPUSH', 'seen', id) return nil end";
    let settings = TrafficSettings {
        handler: Handler::Lua(text.into()),
        rate: vec![RatePoint { at_ms: 0, per_s: 1 }],
        ..settings
    };
    world.step(&begin(&settings)).unwrap();
    world.step(&command(0, "BLPOP seen 0")).unwrap();
    let from_ms = world.now_ms();
    let events = world.step(&advance(60_000)).unwrap();
    let reply = events.iter().find(|event| matches!(event.kind, EventKind::Reply { client: 0, .. })).unwrap();
    assert!(reply.at_ms > from_ms && reply.at_ms < from_ms + 20_000);
    assert_eq!(events.iter().filter(|event| matches!(event.kind, EventKind::Reply { .. })).count(), 1);

    // Handlers' connections can be killed: their requests get an error, and none is lost.
    let text = "function get(id) redis.call('BLPOP', 'never', 0) return nil end";
    let settings = TrafficSettings {
        handler: Handler::Lua(text.into()),
        patience_ms: 0,
        rate: vec![RatePoint { at_ms: 0, per_s: 20 }],
        ..settings
    };
    world.step(&begin(&settings)).unwrap();
    world.step(&advance(1_000)).unwrap();
    let (busy, _) = world.traffic().unwrap().unfinished();
    assert!(busy > 5);
    world.step(&command(0, "CLIENT KILL TYPE normal SKIPME yes")).unwrap();
    world.step(&advance(1)).unwrap();
    let failed = total(&world).failed;
    assert_eq!(failed, busy as u64);
    assert!(
        world.traffic().unwrap().faults()[0].what.starts_with(b"program:1: "),
        "{:?}",
        world.traffic().unwrap().faults()
    );

    // Traffic that has ended leaves no connections.
    world.step(&Input::Traffic { act: TrafficAct::End }).unwrap();
    assert_eq!(world.server(REDIS).unwrap().clients().count(), 1, "that of the terminal that killed all others");
    assert!(world.traffic().is_none());
    assert_eq!(world.step(&STEP), Err(StepError::NoTraffic));
}

#[test]
fn a_typed_command_keeps_the_server_busy_for_traffic_too() {
    let calm = TrafficSettings {
        rate: vec![RatePoint { at_ms: 0, per_s: 2_000 }],
        writes_ppm: 0,
        absent_ppm: 0,
        handler: Handler::CacheAside { ttl_s: 1_000 },
        ..settings()
    };
    let slowest_us = |lines: &[&str]| {
        let mut world = world_of(&calm, Durability::None);
        world.step(&command(0, "EVAL \"for i = 1, 50000 do redis.call('SET', 'k' .. i, i) end\" 0")).unwrap();
        world.step(&advance(3_000)).unwrap();
        let before = world.traffic().unwrap().series().over().len();
        for line in lines {
            world.step(&command(0, line)).unwrap();
        }
        world.step(&advance(2_000)).unwrap();
        let after = world.traffic().unwrap().series().over().iter().skip(before);
        after.filter_map(|interval| interval.latency.percentile_us(1_000)).max().unwrap()
    };
    // 100 µs each way, and commands of 10 µs.
    assert!(slowest_us(&[]) < 500);
    // 50,000 keys of 300 ns each.
    let keys_us = slowest_us(&["KEYS nothing:*"]);
    assert!((14_000..17_000).contains(&keys_us), "{keys_us}");
    // Commands at the same time wait for each other.
    let twice_us = slowest_us(&["KEYS nothing:*", "KEYS nothing:*"]);
    assert!((29_000..33_000).contains(&twice_us), "{twice_us}");
    assert!(slowest_us(&["SCAN 0 COUNT 1000", "MULTI", "KEYS nothing:*", "DISCARD", "KEYS"]) < 1_000);
    assert!((14_000..17_000).contains(&slowest_us(&["MULTI", "KEYS nothing:*", "EXEC"])));
    assert!((14_000..17_000).contains(&slowest_us(&["EVAL \"redis.call('KEYS', 'nothing:*')\" 0"])));
    assert!((14_000..17_000).contains(&slowest_us(&["SCAN 0 COUNT 100000 MATCH nothing:*"])));
    // In a database without keys.
    assert!(slowest_us(&["SELECT 1", "KEYS nothing:*"]) < 500);
}

#[test]
fn servers_crash_and_start_again_under_traffic() {
    for durability in [Durability::None, Durability::Always] {
        let settings = TrafficSettings {
            absent_ppm: 0,
            writes_ppm: 0,
            handler: Handler::CacheAside { ttl_s: 1_000 },
            ..settings()
        };
        let mut world = world_of(&settings, durability);
        world.step(&advance(10_000)).unwrap();
        let warm = total(&world);
        world.step(&Input::Node { node: REDIS, act: NodeAct::Crash }).unwrap();
        world.step(&advance(1_000)).unwrap();
        let down = total(&world);
        assert!(down.failed > 100, "everything fails that needs the cache: {}", down.failed);
        world.step(&Input::Node { node: REDIS, act: NodeAct::Restart }).unwrap();
        world.step(&advance(1_000)).unwrap();
        let again = total(&world).queries - down.queries;
        // An empty cache fills again; a persisted cache is as full as before.
        assert_eq!(again > 20, durability == Durability::None, "{again} of {}", warm.queries);

        let database = world.traffic_nodes().1.unwrap();
        world.step(&command(0, "FLUSHALL")).unwrap();
        world.step(&advance(2)).unwrap();
        let before = total(&world);
        world.step(&Input::Node { node: database, act: NodeAct::Crash }).unwrap();
        world.step(&advance(500)).unwrap();
        assert!(total(&world).failed > before.failed);
        world.step(&Input::Node { node: database, act: NodeAct::Restart }).unwrap();
        world.step(&advance(100)).unwrap();
        let before = total(&world);
        world.step(&advance(5_000)).unwrap();
        let after = total(&world);
        assert_eq!((after.failed, after.wrong), (before.failed, 0));
        let (busy, waiting) = world.traffic().unwrap().unfinished();
        assert!(busy + waiting as usize <= 4, "{busy} {waiting}");
    }
}

#[test]
fn session_with_crashing_machines_is_read_and_played_again() {
    let mut timeline = Timeline::with_engines(nodes(Durability::None), &engines());
    timeline.push(begin(&settings())).unwrap();
    for act in [
        TrafficAct::Crash { target: CrashTarget::Loader },
        TrafficAct::Crash { target: CrashTarget::Machine(1) },
        TrafficAct::Restart { machine: Some(1) },
        TrafficAct::Restart { machine: None },
    ] {
        timeline.push(advance(700)).unwrap();
        // A machine that the first crash has hit cannot crash again.
        let _ = timeline.push(Input::Traffic { act });
    }
    timeline.push(advance(700)).unwrap();
    let text = timeline.to_text();
    assert!(text.contains("\n@traffic crash loader\n") && text.ends_with("\n") && text.contains("\n@traffic restart"));
    let read = Timeline::from_text(&text, &engines()).unwrap();
    assert_eq!(read.to_text(), text);
    assert!(read.world() == timeline.world());
    assert!(Timeline::from_text(&text.replace("crash loader", "crash 0"), &engines()).is_err());
}

#[test]
fn traffic_out_of_range_is_refused_and_nothing_changes() {
    let mut world = world_of(&settings(), Durability::None);
    world.step(&advance(100)).unwrap();
    let before = world.clone();
    for wrong in [
        TrafficSettings { items: 0, ..settings() },
        TrafficSettings { machines: 5_000, ..settings() },
        TrafficSettings { rate: Vec::new(), ..settings() },
        TrafficSettings { popularity: Popularity::Zipf { exponent_milli: 9_000 }, ..settings() },
    ] {
        assert!(matches!(world.step(&begin(&wrong)), Err(StepError::BadTraffic(_))));
    }
    let long = Handler::Lua(Bytes::from(vec![b' '; world::TEXT_BYTES_MAX + 1]));
    let refused = world.step(&begin(&TrafficSettings { handler: long, ..settings() }));
    assert!(matches!(refused, Err(StepError::ProgramTooLarge { .. })));
    assert!(world == before);
    let mut without = World::new(nodes(Durability::None));
    let lua = TrafficSettings { handler: Handler::Lua(CACHE_ASIDE.into()), ..settings() };
    assert_eq!(without.step(&begin(&lua)), Err(StepError::NoPlayer));
}

#[test]
fn a_world_without_a_database_answers_errors_to_handlers() {
    let mut world = World::with_engines(Settings::default(), &engines());
    world.step(&begin(&TrafficSettings { rate: vec![RatePoint { at_ms: 0, per_s: 50 }], ..settings() })).unwrap();
    world.step(&advance(2_000)).unwrap();
    let all = total(&world);
    assert!(all.failed > 50 && all.answered == 0, "{all:?}");
}

#[test]
fn too_much_traffic_is_rejected() {
    let settings = TrafficSettings { rate: vec![RatePoint { at_ms: 0, per_s: 1_000_000 }], retries: 1, ..settings() };
    let mut world = world_of(&settings, Durability::None);
    assert_eq!(world.step(&advance(10_001)), Err(StepError::TooMuchTraffic(20_000_000)));
    assert!(world.step(&advance(1)).is_ok());
}

#[test]
fn stopped_stretch_equals_a_shorter_one() {
    let mut timeline = Timeline::with_engines(nodes(Durability::None), &engines());
    timeline.push(begin(&settings())).unwrap();
    let mut stretch = timeline.stretch(60_000).unwrap();
    assert!(timeline.clone().push_stretch(stretch.clone()).is_none(), "it is not over");
    while stretch.passed_ms() < 5_000 {
        assert!(!stretch.run(500));
    }
    stretch.stop();
    while !stretch.run(500) {}
    let ms = stretch.ms();
    assert!((5_000..10_000).contains(&ms), "{ms}");
    let mut other = timeline.clone();
    other.push_stretch(stretch.clone()).unwrap().unwrap();
    timeline.push(advance(ms)).unwrap();
    assert!(other == timeline && other.world() == timeline.world());
    // It starts at a different step now.
    assert!(other.push_stretch(stretch).is_none());
}
