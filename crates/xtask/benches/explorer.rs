//! The explorer over the locks of the course: time to each counterexample, states and transitions per second, bytes of a queued world.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#[path = "shared/allocated.rs"]
mod allocated;
#[path = "../../world/tests/scenarios/mod.rs"]
mod scenarios;

use scenarios::{Scenario, large, scenarios};
use std::time::{Duration, Instant};
use world::explore::{Explorer, Limits, Progress, SearchOutcome};
use world::{Engines, Settings, World};

/// Number of rounds; the best one counts, because the others were disturbed.
const ROUNDS: usize = 5;

fn main() {
    println!("size of a world: {} bytes in place", size_of::<World>());
    println!(
        "{:<16} {:<26} {:>8} {:>9} {:>10} {:>10}  outcome",
        "program", "property", "states", "steps", "time", "states/s"
    );
    for scenario in scenarios() {
        measured(&scenario, Limits { faults: scenario.faults, ..Limits::default() });
    }
    let scenario = large();
    measured(&scenario, Limits { faults: scenario.faults, states: 100_000, ..Limits::default() });
    frontier(&scenario);
}

fn start(scenario: &Scenario) -> World {
    // A player with an empty cache.
    let engines = Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
    let mut world = World::with_engines(Settings::default(), &engines);
    for input in scenario.inputs() {
        world.step(&input).unwrap();
    }
    world
}

/// Searches with a new player, whose cache is empty.
fn measured(scenario: &Scenario, limits: Limits) {
    let search = || {
        let start = start(scenario);
        let started = Instant::now();
        let (outcome, progress) = Explorer::new(start, Some(0), limits).finish();
        (started.elapsed(), outcome, progress)
    };
    let rounds = if limits.states == Limits::default().states { ROUNDS } else { 1 };
    let (took, outcome, progress) = (0..rounds).map(|_| search()).min_by_key(|(took, _, _)| *took).unwrap();
    let verdict = match outcome {
        SearchOutcome::Broken { schedule, .. } => format!("broken by {} steps", schedule.len()),
        SearchOutcome::Nothing { cut: None } => format!("nothing, whole space, depth {}", progress.depth),
        SearchOutcome::Nothing { cut: Some(cut) } => format!("nothing, cut by {cut:?}, depth {}", progress.depth),
    };
    report(scenario, took, progress, &verdict);
}

fn report(scenario: &Scenario, took: Duration, progress: Progress, verdict: &str) {
    let faults = scenario.faults;
    let property = format!("{} {}{}{}", scenario.property, faults.crashes, faults.pauses, faults.losses);
    println!(
        "{:<16} {:<26} {:>8} {:>9} {:>8.2}ms {:>8.0}/s  {verdict}",
        scenario.name,
        property.chars().take(26).collect::<String>(),
        progress.states,
        progress.steps,
        took.as_secs_f64() * 1e3,
        progress.states as f64 / took.as_secs_f64(),
    );
}

/// Bytes of a queued world.
fn frontier(scenario: &Scenario) {
    let start = start(scenario);
    let before = allocated::bytes();
    let mut explorer = Explorer::new(start, Some(0), Limits { faults: scenario.faults, ..Limits::default() });
    for worlds in [1_000, 10_000, 20_000] {
        explorer.carry_on(worlds);
        let progress = explorer.progress();
        let bytes = allocated::bytes() - before;
        println!(
            "{:>8} states, {:>7} wait, depth {:>2}: {:>7.1} MB, {:>6} bytes for each that waits",
            progress.states,
            progress.frontier,
            progress.depth,
            bytes as f64 / 1e6,
            bytes / progress.frontier.max(1),
        );
    }
}
