//! Seeking in a timeline of 10,000 steps: to random places, and one step back and forth.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
mod harness;

use bytes::Bytes;
use harness::{median, percentile, shown};
use std::time::Instant;
use world::{Input, Settings, Timeline};

/// Steps of the timeline.
const STEPS: usize = 10_000;

/// Seeks that are measured.
const SEEKS: usize = 2_000;

fn main() {
    let started = Instant::now();
    let mut timeline = recorded();
    println!(
        "recording {} steps: {}",
        timeline.len(),
        shown(started.elapsed().as_nanos() as f64 / STEPS as f64) + " a step"
    );
    let mut random: Vec<f64> = (0..SEEKS).map(|i| timed(|| timeline.seek(i.wrapping_mul(7_919) % STEPS))).collect();
    report("seek to a random step", &mut random);
    timeline.seek(STEPS / 2);
    let mut near: Vec<f64> =
        (0..SEEKS).map(|i| timed(|| assert!(if i % 2 == 0 { timeline.back() } else { timeline.forward() }))).collect();
    report("one step back, one forward", &mut near);
}

/// Two clients; strings, lists, hashes and sorted sets over a thousand keys; now and then time passes.
fn recorded() -> Timeline {
    let mut timeline = Timeline::new(Settings::default());
    for (client, name) in [(1, "c1"), (2, "c2")] {
        timeline.push(Input::Connect { client, name: name.to_owned() }).unwrap();
    }
    let mut i = 0_usize;
    while timeline.len() < STEPS {
        i += 1;
        let key = i.wrapping_mul(7_919) % 1_000;
        let line = match i % 6 {
            0 => format!("SET string:{key} value-{i}"),
            1 => format!("INCR counter:{key}"),
            2 => format!("RPUSH list:{key} element-{i}"),
            3 => format!("HSET hash:{key} field-{} {i}", i % 50),
            4 => format!("ZADD zset:{} {i} member-{key}", key % 20),
            _ => format!("EXPIRE string:{key} {}", 10 + i % 100),
        };
        let argv: Vec<Bytes> = harness::words(&line);
        timeline.push(Input::Command { client: 1 + u32::from(i.is_multiple_of(2)), argv }).unwrap();
        if i.is_multiple_of(10) {
            timeline.push(Input::Advance { ms: 250 }).unwrap();
        }
    }
    timeline
}

fn timed(work: impl FnOnce()) -> f64 {
    let started = Instant::now();
    work();
    started.elapsed().as_nanos() as f64
}

fn report(name: &str, figures: &mut [f64]) {
    let (middle, late) = (median(figures), percentile(figures, 99));
    println!("{name:<28} p50 {:>10}   p99 {:>10}", shown(middle), shown(late));
}
