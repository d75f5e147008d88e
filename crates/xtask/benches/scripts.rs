//! Scripts with 10^3 … 10^6 commands in a world, natively: the time must grow linearly with the commands.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
use std::time::Instant;
use world::{Engines, EventKind, Input, Settings, World};

/// Numbers of commands.
const SIZES: [u64; 4] = [1_000, 10_000, 100_000, 1_000_000];
const ROUNDS: usize = 3;

fn main() {
    println!("{:>10} {:>12} {:>14} {:>16}", "commands", "wall clock", "a command", "virtual time");
    for size in SIZES {
        let mut rounds: Vec<(f64, u64)> = (0..ROUNDS).map(|_| run(size)).collect();
        rounds.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (ms, virtual_ms) = rounds[ROUNDS / 2];
        println!("{size:>10} {ms:>9.1} ms {:>11.2} µs {virtual_ms:>13} ms", ms * 1000.0 / size as f64);
    }
}

/// Duration of the script from call to reply: wall clock and the server's clock, both in ms.
fn run(size: u64) -> (f64, u64) {
    let engines = Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
    let mut world = World::with_engines(Settings { maxmemory: 0, ..Settings::default() }, &engines);
    world.step(&Input::Connect { client: 0, name: "a".into() }).unwrap();
    let text = format!("for i=1,{size} do redis.call('SET','k'..i,i) end return redis.call('DBSIZE')");
    let argv = ["EVAL".into(), text.into(), "0".into()].to_vec();
    let began_ms = world.now_ms();
    let began = Instant::now();
    let mut events = world.step(&Input::Command { client: 0, argv }).unwrap();
    if let Some(ends_ms) = world.next_deadline_ms() {
        events = world.step(&Input::Advance { ms: ends_ms - began_ms }).unwrap();
    }
    let took_ms = began.elapsed().as_secs_f64() * 1000.0;
    let is_reply = |kind: &EventKind| matches!(kind, EventKind::Reply { value, .. } if *value == resp::Value::Integer(size as i64));
    assert!(events.iter().any(|event| is_reply(&event.kind)), "{size}: no reply");
    (took_ms, world.now_ms() - began_ms)
}
