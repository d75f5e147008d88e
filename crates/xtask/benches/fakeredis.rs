//! Operations per second of the model, compared with Python's fakeredis in the same run.
//!
//! Both are called inside their process, one command after the other, with words prepared before the clock starts: the model from Rust by
//! `Server::handle`, fakeredis from Python by `execute_command`. Every round begins with an empty server.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
mod harness;

use bytes::Bytes;
use harness::{Bench, median, per_second};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

/// The same as in `fakeredis/measure.py`.
const ROUNDS: usize = 5;
const COMMANDS: usize = 10_000;
const KEYS: usize = 10_000;

/// A name, the preparation and the measured command. A preparation with `{i}` runs once for each key.
const CASES: [(&str, &str, &str); 12] = [
    ("SET", "", "SET key:{i} value"),
    ("GET", "SET key:{i} value", "GET key:{i}"),
    ("INCR", "", "INCR counter"),
    ("EXPIRE", "SET key:{i} value", "EXPIRE key:{i} 100"),
    ("LPUSH", "", "LPUSH list element"),
    ("LPOP", "RPUSH list {i}", "LPOP list"),
    ("HSET", "", "HSET hash field:{i} value"),
    ("SADD", "", "SADD set member:{i}"),
    ("ZADD", "", "ZADD zset {score} member:{i}"),
    ("ZRANK", "ZADD zset {score} member:{i}", "ZRANK zset member:{i}"),
    ("ZRANGE", "ZADD zset {score} member:{i}", "ZRANGE zset 100 109"),
    ("XADD", "", "XADD stream * field value"),
];

fn words(line: &str, i: usize) -> Vec<Bytes> {
    let line = line.replace("{i}", &(i % KEYS).to_string()).replace("{score}", &(i * 7919 % KEYS).to_string());
    harness::words(&line)
}

/// Nanoseconds of one command on the model.
fn model(before: &str, line: &str) -> f64 {
    let round = |_| {
        let mut bench = Bench::new();
        let times = if before.contains("{i}") { KEYS } else { before.len().min(1) };
        for i in 0..times {
            bench.run(words(before, i));
        }
        let commands: Vec<_> = (0..COMMANDS).map(|i| words(line, i)).collect();
        let started = Instant::now();
        for argv in commands {
            let outputs = bench.server.handle(harness::NOW_MS, bench.client, argv);
            assert!(!outputs.is_empty());
            std::hint::black_box(outputs);
        }
        started.elapsed().as_nanos() as f64 / COMMANDS as f64
    };
    median(&mut (0..ROUNDS).map(round).collect::<Vec<f64>>())
}

/// The same for fakeredis, by name.
fn fakeredis() -> BTreeMap<String, f64> {
    let python =
        std::env::var_os("LOCKSTEP_FAKEREDIS").expect("`cargo xtask bench fakeredis` says which Python to use");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/fakeredis/measure.py");
    let mut child = Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let cases: String = CASES.iter().map(|(name, before, line)| format!("{name}\t{before}\t{line}\n")).collect();
    child.stdin.take().unwrap().write_all(cases.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "fakeredis could not be measured");
    let text = String::from_utf8(output.stdout).unwrap();
    let pairs = text.lines().map(|line| line.split_once(' ').expect("a name and a figure"));
    pairs.map(|(name, figure)| (name.to_owned(), figure.parse().unwrap())).collect()
}

fn main() {
    let theirs = fakeredis();
    println!("{:<8} {:>12} {:>12} {:>8}", "command", "model", "fakeredis", "ratio");
    for (name, before, line) in CASES {
        let (ours, theirs) = (model(before, line), theirs[name]);
        println!("{name:<8} {:>12} {:>12} {:>7.0}x", per_second(ours), per_second(theirs), theirs / ours);
    }
}
