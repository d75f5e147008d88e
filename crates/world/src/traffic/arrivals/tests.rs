//! Arrivals have the right distributions, and are the same each time.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
use super::*;

fn drawn(settings: &TrafficSettings, count: usize) -> Vec<Arrival> {
    let mut arrivals = Arrivals::new(settings);
    (0..count).map_while(|_| arrivals.take(settings)).collect()
}

fn rate(points: &[(u64, u32)]) -> Vec<RatePoint> {
    points.iter().map(|(at_ms, per_s)| RatePoint { at_ms: *at_ms, per_s: *per_s }).collect()
}

#[test]
fn gaps_of_a_steady_rate_are_exponential() {
    let settings = TrafficSettings { rate: rate(&[(0, 2_000)]), ..TrafficSettings::default() };
    let all = drawn(&settings, 200_000);
    let gaps: Vec<f64> = all.windows(2).map(|two| (two[1].at_ns - two[0].at_ns) as f64 / 5e5).collect();
    let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
    assert!((mean - 1.0).abs() < 0.01, "{mean}");
    // The share of gaps above x is e^-x.
    for x in [0.1, 0.5, 1.0, 2.0, 4.0] {
        let above = gaps.iter().filter(|gap| **gap > x).count() as f64 / gaps.len() as f64;
        assert!((above - libm::exp(-x)).abs() < 0.005, "{x}: {above}");
    }
}

#[test]
fn rate_is_linear_between_points_and_constant_outside() {
    let points = [(10_000, 100), (20_000, 900), (20_001, 0), (30_000, 0), (30_001, 500)];
    let settings = TrafficSettings { rate: rate(&points), ..TrafficSettings::default() };
    let all = drawn(&settings, 60_000);
    let between = |from_s: f64, to_s: f64| {
        let within = |arrival: &&Arrival| (from_s..to_s).contains(&(arrival.at_ns as f64 / 1e9));
        all.iter().filter(within).count() as f64
    };
    for (from, to, expected) in
        [(0.0, 10.0, 1_000.0), (10.0, 15.0, 1_500.0), (15.0, 20.0, 3_500.0), (20.01, 30.0, 0.0), (40.0, 50.0, 5_000.0)]
    {
        let found = between(from, to);
        // Five standard deviations.
        assert!((found - expected).abs() <= 5.0 * f64::sqrt(expected), "{from} to {to}: {found}");
    }
    assert!(all.windows(2).all(|two| two[0].at_ns <= two[1].at_ns));
}

#[test]
fn no_request_arrives_once_rate_stays_at_zero() {
    let settings = TrafficSettings { rate: rate(&[(0, 0)]), ..TrafficSettings::default() };
    assert_eq!(Arrivals::new(&settings).next_ns(), None);
    let ends = TrafficSettings { rate: rate(&[(0, 100), (1_000, 0)]), ..TrafficSettings::default() };
    let all = drawn(&ends, 10_000);
    assert!(
        (10..100).contains(&all.len()) && all.iter().all(|arrival| arrival.at_ns <= 1_000_000_000),
        "{}",
        all.len()
    );
    let begins = TrafficSettings { rate: rate(&[(0, 0), (5_000, 0), (5_001, 100)]), ..TrafficSettings::default() };
    assert!(Arrivals::new(&begins).next_ns().unwrap() > 5_000_000_000);
}

#[test]
fn items_are_requested_by_popularity() {
    let count = 400_000;
    let shares = |popularity: Popularity, items: u32| {
        let settings = TrafficSettings { items, popularity, ..TrafficSettings::default() };
        let mut counts = vec![0_u32; items as usize + 1];
        drawn(&settings, count).iter().for_each(|arrival| counts[arrival.id as usize] += 1);
        counts
    };
    // Pearson's statistic of n cells is about n, with a deviation of √2n.
    let check = |counts: &[u32], weight: &dyn Fn(u32) -> f64| {
        let items = counts.len() as u32 - 1;
        let all: f64 = (1..=items).map(weight).sum();
        let statistic: f64 = (1..=items)
            .map(|id| {
                let expected = count as f64 * weight(id) / all;
                (f64::from(counts[id as usize]) - expected).powi(2) / expected
            })
            .sum();
        let items = f64::from(items);
        assert!((statistic - items).abs() < 5.0 * f64::sqrt(2.0 * items), "{statistic} of {items}");
    };
    check(&shares(Popularity::Uniform, 500), &|_| 1.0);
    for exponent_milli in [0, 700, 1_000, 1_300] {
        let exponent = f64::from(exponent_milli) / 1e3;
        check(&shares(Popularity::Zipf { exponent_milli }, 500), &|id| libm::pow(f64::from(id), -exponent));
    }
    check(&shares(Popularity::Hot { share_ppm: 400_000 }, 100), &|id| if id == 1 { 66.0 } else { 1.0 });
    assert_eq!(shares(Popularity::Hot { share_ppm: 0 }, 1)[1], count as u32);
}

#[test]
fn shares_of_absent_ids_and_writes_match_settings() {
    let settings = TrafficSettings {
        absent_ppm: 100_000,
        absent_ids: 50,
        writes_ppm: 20_000,
        items: 10,
        ..TrafficSettings::default()
    };
    let all = drawn(&settings, 100_000);
    let share = |is: &dyn Fn(&&Arrival) -> bool| all.iter().filter(is).count() as f64 / all.len() as f64;
    assert!((share(&|arrival| arrival.id > 10) - 0.1).abs() < 0.005);
    assert!((share(&|arrival| arrival.wish == Wish::Put) - 0.02).abs() < 0.003);
    assert!(all.iter().all(|arrival| arrival.id >= 1 && arrival.id <= 60));
    assert!(all.iter().all(|arrival| arrival.wish == Wish::Get || arrival.id <= 10));
    assert!((0..4).all(|machine| share(&|arrival| arrival.machine == machine) > 0.24));
}

#[test]
fn same_seed_gives_same_requests_on_every_machine() {
    let settings = TrafficSettings { writes_ppm: 10_000, ..TrafficSettings::default() };
    let all = drawn(&settings, 10_000);
    assert_eq!(all, drawn(&settings, 10_000));
    assert_ne!(all, drawn(&TrafficSettings { seed: 2, ..settings }, 10_000));
    let sum =
        all.iter().fold(0_u64, |sum, arrival| sum.wrapping_mul(31).wrapping_add(arrival.at_ns ^ u64::from(arrival.id)));
    assert_eq!((all[9_999].at_ns, sum), (100_408_373_080, 5_735_764_728_292_034_827));
}
