//! Watched locks: which clients may delete one, and in how many ways others can break it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
mod fixture;

use fixture::Fixture;
use resp::split;
use world::{Act, Breach, ClientIndex, Durability, Input, NodeAct, NodeIndex, Term};

/// Is the property broken after client 1 sends these commands to a lock of client 0?
fn is_broken(made: &[&str], by: ClientIndex, commands: &[&str]) -> bool {
    let mut stage = Fixture::of(Vec::new());
    for client in 0..2 {
        stage.step(Input::Connect { client, name: format!("c{client}") });
    }
    stage.watch("only-owner-releases lock");
    let mut send = |client, commands: &[&str]| {
        for command in commands {
            stage.step(Input::Command { client, argv: split::split(command.as_bytes()).unwrap() });
        }
    };
    send(0, made);
    send(by, commands);
    match stage.world.watch().verdicts().next().unwrap().1 {
        Some(Breach::ReleasedByOther { owner: 0, by: 1, .. }) => true,
        None => false,
        Some(other) => panic!("{other:?}"),
    }
}

#[test]
fn lock_of_another_client_can_be_broken_in_many_ways() {
    let token = ["SET lock token-0 NX PX 10000"];
    let ways: [&[&str]; 16] = [
        &["DEL lock"],
        &["UNLINK lock"],
        &["GETDEL lock"],
        &["SET lock token-1"],
        &["SET lock token-1", "DEL lock"],
        &["GETSET lock token-1"],
        &["APPEND lock x"],
        &["PEXPIRE lock 1"],
        &["PEXPIRE lock 0"],
        &["GETEX lock PX 9999"],
        &["RENAME lock other"],
        &["MOVE lock 1"],
        &["FLUSHDB"],
        &["FLUSHALL"],
        &["SWAPDB 0 1"],
        &["EVAL \"return redis.call('DEL', 'lock')\" 0"],
    ];
    for way in ways {
        assert!(is_broken(&token, 1, way), "{way:?}");
        assert!(!is_broken(&token, 0, way), "its owner may: {way:?}");
    }
    let hash = ["HSET lock client-0:1 1", "PEXPIRE lock 30000"];
    for way in [&["HDEL lock client-0:1"][..], &["SET lock token-1"], &["PEXPIRE lock 10"], &["DEL lock"]] {
        assert!(is_broken(&hash, 1, way), "{way:?}");
    }
}

#[test]
fn lock_of_another_client_may_be_read_requested_and_extended() {
    let token = ["SET lock token-0 NX PX 10000"];
    let ways: [&[&str]; 7] = [
        &["GET lock", "PTTL lock", "EXISTS lock"],
        &["SET lock token-1 NX PX 10000"],
        &["SETNX lock token-1"],
        &["PEXPIRE lock 20000"],
        &["PERSIST lock"],
        &["SELECT 1", "SET lock token-1", "DEL lock", "FLUSHDB"],
        &["SET other token-1", "DEL other"],
    ];
    for way in ways {
        assert!(!is_broken(&token, 1, way), "{way:?}");
    }
    let hash = ["HINCRBY lock client-0:1 1"];
    assert!(!is_broken(&hash, 1, &["HEXISTS lock client-1:1", "PTTL lock"]));
    // Once the lock is gone, the next client owns the next lock.
    assert!(!is_broken(&["SET lock token-0", "DEL lock"], 1, &["SET lock token-1", "DEL lock"]));
}

#[test]
fn crashed_node_holds_the_data_on_its_disk() {
    for (durability, verdicts) in [
        (Durability::None, ["holds", "broken", "broken"]),
        (Durability::Always, ["holds", "holds", "holds"]),
        // Writes in the second of the crash are lost.
        (Durability::EverySecond, ["holds", "broken", "broken"]),
    ] {
        let mut stage = Fixture::on_nodes(1, durability, ["redis.call('SET', 'stock', 5) tally('set')"]);
        stage.watch("always if sum >= 1 tally set then exists key stock");
        stage.watch("sum always <= 5 key stock");
        stage.program(0, Act::Step { thread: 0 });
        let mut seen = vec![stage.verdicts()];
        for act in [NodeAct::Crash, NodeAct::Restart] {
            stage.step(Input::Node { node: NodeIndex::FIRST, act });
            seen.push(stage.verdicts());
        }
        let first: Vec<_> = seen.iter().map(|verdicts| verdicts[0]).collect();
        assert_eq!(first, verdicts, "{durability:?}");
        assert!(seen.iter().all(|verdicts| verdicts[1] == "holds"));
    }
    // A lease on disk expires by the clock of its node.
    let mut stage = Fixture::on_nodes(1, Durability::Always, ["redis.call('SET', 'lock', 1, 'PX', 1000)"]);
    stage.program(0, Act::Step { thread: 0 });
    assert_eq!(stage.world.sum(&[(1, Term::Key("lock".into()))]), 1);
    stage.step(Input::Node { node: NodeIndex::FIRST, act: NodeAct::Crash });
    assert_eq!(stage.world.sum(&[(1, Term::Key("lock".into()))]), 1);
    stage.step(Input::Node { node: NodeIndex::FIRST, act: NodeAct::ShiftClock { ms: 1_001 } });
    assert_eq!(stage.world.sum(&[(1, Term::Key("lock".into()))]), 0);
}
