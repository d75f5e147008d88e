//! Locks that are watched: who may take one away, and in how many ways others can.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
mod stage;

use resp::split;
use stage::Stage;
use world::{Breach, ClientIndex, Input};

/// What a lock of client 0 has come to after client 1 has sent these commands: is it broken?
fn is_broken(made: &[&str], by: ClientIndex, commands: &[&str]) -> bool {
    let mut stage = Stage::of(Vec::new());
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
fn a_lock_of_another_is_taken_away_in_many_ways() {
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
fn a_lock_of_another_may_be_looked_at_asked_for_and_prolonged() {
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
    // After it has gone, the lock is the next one's.
    assert!(!is_broken(&["SET lock token-0", "DEL lock"], 1, &["SET lock token-1", "DEL lock"]));
}
