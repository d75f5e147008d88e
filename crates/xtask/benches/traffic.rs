//! A million requests to cache-aside, without Lua and with it, and the cost of drawing the requests alone; the browser must produce the
//! same figures.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
use page_bench::traffic::{EXPECTED, traffic};
use std::time::Instant;
use world::traffic::arrivals::Arrivals;
use world::traffic::settings::{RatePoint, TrafficSettings};

/// The allocator of `lockstep`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let settings = TrafficSettings { rate: vec![RatePoint { at_ms: 0, per_s: 1_000 }], ..TrafficSettings::default() };
    let (started, mut arrivals) = (Instant::now(), Arrivals::new(&settings));
    let last = (0..1_000_000).filter_map(|_| arrivals.take(&settings)).last().expect("they go on for ever");
    let alone = started.elapsed().as_secs_f64();
    println!("  drawing a million requests    {:.3} s, the last one at {} s", alone, last.at_ns / 1_000_000_000);
    for expected in EXPECTED.lines() {
        let handler = expected.split(' ').next().unwrap();
        let rates = (0..3).map(|_| {
            let started = Instant::now();
            let found = traffic(handler);
            assert_eq!(found, expected);
            let arrived: f64 = found.split(' ').nth(1).unwrap().parse().unwrap();
            arrived / started.elapsed().as_secs_f64()
        });
        let rate = rates.fold(0.0, f64::max);
        println!("  {handler:<8} {rate:>12.0} requests/s, {:.1} times what drawing them takes", 1e6 / rate / alone);
    }
}
