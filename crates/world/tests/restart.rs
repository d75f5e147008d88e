//! Restarts compared with a second opinion: a server that never crashed, and received only the commands that must have been on disk.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
use std::collections::BTreeMap;

use bytes::Bytes;
use proptest::prelude::*;
use redis_model::value::Value as Held;
use world::{Durability, Input, NodeAct, NodeIndex, NodeSettings, Settings, World};

/// These commands draw no random numbers, and no key expires before the end.
const COMMANDS: [&str; 12] = [
    "SET k1 v1 PX 600000",
    "SET k2 v2",
    "APPEND k2 more",
    "DEL k1",
    "INCR n",
    "RPUSH l a b",
    "LPOP l",
    "HSET h f 1 g 2",
    "ZADD z 1 a 2 b",
    "SELECT 3",
    "PERSIST k1",
    "FLUSHDB",
];

/// Keys with values and deadlines, by database.
type Contents = BTreeMap<(usize, Bytes), (Held, Option<u64>)>;

fn contents(world: &World) -> Contents {
    let databases = world.server(NodeIndex::FIRST).unwrap().databases();
    let of = |(db, keys): (usize, &redis_model::Part<redis_model::Db>)| -> Vec<_> {
        keys.entries().iter().map(|(key, entry)| ((db, key.clone()), (entry.value.clone(), entry.expires_ms))).collect()
    };
    databases.iter().enumerate().flat_map(of).collect()
}

fn world(durability: Durability) -> World {
    let nodes = vec![NodeSettings::redis("redis", durability)];
    let mut world = World::new(Settings { nodes, ..Settings::default() });
    world.step(&Input::Connect { client: 0, name: "a".into() }).unwrap();
    world
}

/// Runs these commands, each after a pause, up to the first that `is_lost` at the clock of its node.
fn run(world: &mut World, script: &[(usize, u64)], is_lost: impl Fn(u64) -> bool) {
    for (command, pause_ms) in script {
        world.step(&Input::Advance { ms: *pause_ms }).unwrap();
        if is_lost(world.clock_ms(NodeIndex::FIRST)) {
            break;
        }
        let argv = resp::split::split(COMMANDS[*command].as_bytes()).unwrap();
        world.step(&Input::Command { client: 0, argv }).unwrap();
    }
}

fn act(world: &mut World, act: NodeAct) {
    world.step(&Input::Node { node: NodeIndex::FIRST, act }).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn restart_finds_exactly_what_was_on_disk(
        script in prop::collection::vec((0..COMMANDS.len(), 0..700_u64), 0..40),
        after_ms in 0..1_500_u64,
        ahead_ms in prop::sample::select(vec![0, 1, 500, 60_123]),
        down_ms in 0..3_000_u64,
    ) {
        for (_, durability) in Durability::ALL {
            let mut crashed = world(durability);
            if ahead_ms > 0 {
                act(&mut crashed, NodeAct::ShiftClock { ms: ahead_ms });
            }
            let mut spared = crashed.clone();
            run(&mut crashed, &script, |_| false);
            crashed.step(&Input::Advance { ms: after_ms }).unwrap();
            let second = crashed.clock_ms(NodeIndex::FIRST) / 1_000;
            act(&mut crashed, NodeAct::Crash);
            prop_assert!(contents(&crashed).is_empty());
            crashed.step(&Input::Advance { ms: down_ms }).unwrap();
            act(&mut crashed, NodeAct::Restart);
            match durability {
                Durability::None => {}
                Durability::Always => run(&mut spared, &script, |_| false),
                Durability::EverySecond => run(&mut spared, &script, |clock_ms| clock_ms / 1_000 == second),
            }
            prop_assert_eq!(contents(&crashed), contents(&spared), "{:?}", durability);
            // A second crash at once loses nothing else.
            let before = contents(&crashed);
            act(&mut crashed, NodeAct::Crash);
            act(&mut crashed, NodeAct::Restart);
            let expected = if durability == Durability::None { Contents::new() } else { before };
            prop_assert_eq!(contents(&crashed), expected, "{:?}, twice", durability);
        }
    }
}
