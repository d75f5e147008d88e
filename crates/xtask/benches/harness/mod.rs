//! A small harness: repeats work for a while, takes the median of rounds, and prints a table.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
// A bench is a test of speed: it should panic if something cannot be measured.
pub mod real;

use bytes::Bytes;
use redis_model::{ClientId, Config, Output, Server};
use resp::Value;
use std::time::{Duration, Instant};

/// 1 January 2026, 12:00 UTC, in ms; an arbitrary fixed time.
pub const NOW_MS: u64 = 1_767_268_800_000;

/// Time spent on each figure.
const MEASURED: Duration = Duration::from_millis(600);

/// Number of rounds; the median counts.
const ROUNDS: usize = 5;

/// Nanoseconds per call of `work`: median of rounds. `work` gets an increasing number.
pub fn nanoseconds(mut work: impl FnMut(usize)) -> f64 {
    let mut calls = 0;
    let mut batch = 1;
    // Double the batch until it lasts long enough for the clock; this warms up too.
    loop {
        let started = Instant::now();
        for _ in 0..batch {
            work(calls);
            calls += 1;
        }
        if started.elapsed() > Duration::from_millis(5) {
            break;
        }
        batch *= 2;
    }
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let started = Instant::now();
        let mut done = 0;
        while started.elapsed() < MEASURED / u32::try_from(ROUNDS).unwrap() {
            for _ in 0..batch {
                work(calls);
                calls += 1;
            }
            done += batch;
        }
        rounds.push(started.elapsed().as_nanos() as f64 / done as f64);
    }
    median(&mut rounds)
}

/// The median.
pub fn median(figures: &mut [f64]) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// The percentile: the value below which `percent` of the figures lie.
pub fn percentile(figures: &mut [f64], percent: usize) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[(figures.len() * percent / 100).min(figures.len() - 1)]
}

/// The words of a line without quotes.
pub fn words(line: &str) -> Vec<Bytes> {
    line.split_whitespace().map(|word| Bytes::copy_from_slice(word.as_bytes())).collect()
}

/// A server with one client.
pub struct Bench {
    /// The server.
    pub server: Server,
    /// Its client.
    pub client: ClientId,
}

impl Bench {
    /// An empty server without a memory limit.
    pub fn new() -> Bench {
        let mut server = Server::new(Config::default(), NOW_MS);
        let client = server.connect(NOW_MS);
        Bench { server, client }
    }

    /// Runs a command and returns its reply; an error ends the bench.
    pub fn run(&mut self, argv: Vec<Bytes>) -> Value {
        let outputs = self.server.handle(NOW_MS, self.client, argv.clone());
        for output in outputs {
            if let Output::Reply { value, .. } = output {
                assert!(!value.is_error(), "{argv:?} answered {value:?}");
                return value;
            }
        }
        panic!("{argv:?} was not answered")
    }

    /// Runs a line.
    pub fn line(&mut self, line: &str) -> Value {
        self.run(words(line))
    }

    /// Runs a command repeatedly and returns the nanoseconds per command.
    pub fn time(&mut self, mut argv: impl FnMut(usize) -> Vec<Bytes>) -> f64 {
        // Building the words is the caller's work, not the server's: it is measured separately and subtracted.
        let building = nanoseconds(|i| {
            std::hint::black_box(argv(i));
        });
        let both = nanoseconds(|i| {
            let words = argv(i);
            let outputs = self.server.handle(NOW_MS, self.client, words);
            assert!(!outputs.is_empty());
            std::hint::black_box(outputs);
        });
        (both - building).max(1.0)
    }
}

/// Operations per second, from nanoseconds per operation: `1.53 M`, `812 k`.
pub fn per_second(nanoseconds: f64) -> String {
    let rate = 1e9 / nanoseconds;
    if rate >= 1e6 { format!("{:.2} M/s", rate / 1e6) } else { format!("{:.0} k/s", rate / 1e3) }
}

/// A time in the unit that suits it.
pub fn shown(nanoseconds: f64) -> String {
    match nanoseconds {
        n if n < 1e3 => format!("{n:.0} ns"),
        n if n < 1e6 => format!("{:.2} µs", n / 1e3),
        n => format!("{:.2} ms", n / 1e6),
    }
}
