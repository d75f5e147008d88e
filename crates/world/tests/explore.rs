//! The explorer: state spaces that were counted by hand, the broken locks of the course, and that what is found is what it says.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]
mod rungs;
mod stage;

use rungs::{Rung, rungs};
use stage::Stage;
use world::explore::{Cut, Explorer, Limits, Outcome, Progress};
use world::{Breach, EventKind, Faults};

const NO_FAULTS: Faults = Faults { crashes: 0, pauses: 0, losses: 0 };

fn limits(faults: Faults, symmetry: bool) -> Limits {
    Limits { faults, symmetry, ..Limits::default() }
}

fn space<const N: usize>(programs: [&str; N], faults: Faults, symmetry: bool) -> Progress {
    let (outcome, progress) = Explorer::new(Stage::new(programs).world, None, limits(faults, symmetry)).finish();
    assert_eq!(outcome, Outcome::Nothing { cut: None });
    progress
}

#[test]
fn spaces_are_as_large_as_counted_by_hand() {
    // One request each and no trace on the server: who has had his turn, 2 × 2 and 2 × 2 × 2.
    let ping = "redis.call('PING')";
    assert_eq!(space([ping, ping], NO_FAULTS, false).states, 4);
    assert_eq!(space([ping, ping, ping], NO_FAULTS, false).states, 8);
    // Alike, only their number counts: 0, 1, 2, 3.
    assert_eq!(space([ping, ping, ping], NO_FAULTS, true).states, 4);
    // Three requests each: 4 × 4.
    let three = "for i = 1, 3 do redis.call('PING') end";
    assert_eq!(space([three, three], NO_FAULTS, false).states, 16);
    // Who counts first knows it: start, a, b, ab, ba.
    let incr = "redis.call('INCR', 'n')";
    assert_eq!(space([incr, incr], NO_FAULTS, false).states, 5);
    assert_eq!(space([incr, incr], NO_FAULTS, true).states, 3);
    // Asleep, awake, done.
    assert_eq!(space(["sleep(10)"], NO_FAULTS, false).states, 3);
    // Different times: both asleep; one awake; it is done; both done at last, in one order only.
    assert_eq!(space(["sleep(10)", "sleep(20)"], NO_FAULTS, false).states, 5);
    // Crashed before its request, or done, after which it cannot crash.
    let crash = Faults { crashes: 1, ..NO_FAULTS };
    assert_eq!(space([ping], crash, false).states, 3);
    // Paused and resumed is another world than before: a pause has been spent. start, paused, resumed; done with and without.
    let pause = Faults { pauses: 1, ..NO_FAULTS };
    assert_eq!(space([ping], pause, false).states, 5);
    // The request is lost, the reply is lost (nobody can tell which of PING): waits, times out; done.
    let loss = Faults { losses: 1, ..NO_FAULTS };
    assert_eq!(space(["pcall(redis.call, 'PING')"], loss, false).states, 5);
}

#[test]
fn bounds_are_told() {
    let forever = "while true do redis.call('PING') end";
    let limits = Limits { depth: 5, ..Limits::default() };
    let (outcome, progress) = Explorer::new(Stage::new([forever]).world, None, limits).finish();
    assert_eq!(outcome, Outcome::Nothing { cut: Some(Cut::Depth) });
    assert_eq!((progress.states, progress.depth), (6, 5));
    let limits = Limits { states: 3, ..Limits::default() };
    let (outcome, progress) = Explorer::new(Stage::new([forever]).world, None, limits).finish();
    assert_eq!(outcome, Outcome::Nothing { cut: Some(Cut::States) });
    assert_eq!(progress.states, 3);
}

fn search(rung: &Rung, symmetry: bool) -> (Stage, Outcome, Progress) {
    let mut stage = Stage::new::<0>([]);
    rung.inputs().into_iter().for_each(|input| _ = stage.step(input));
    let (outcome, progress) = Explorer::new(stage.world.clone(), Some(0), limits(rung.faults, symmetry)).finish();
    (stage, outcome, progress)
}

#[test]
fn every_broken_lock_is_found_by_the_shortest_way() {
    for rung in rungs() {
        let (mut stage, outcome, progress) = search(&rung, true);
        let name = format!("{} {:?}\n{:?}\n{:#?}", rung.property, rung.faults, progress, outcome);
        let Outcome::Broken { breach, schedule, property } = outcome else {
            assert_eq!(rung.shortest, None, "{name}");
            assert_eq!(outcome, Outcome::Nothing { cut: None }, "{name}");
            continue;
        };
        assert_eq!(Some(schedule.len()), rung.shortest, "{name}");
        // It replays to its breach, and not a step earlier.
        for (number, input) in (1..).zip(schedule) {
            let events = stage.step(input);
            let is_broken =
                events.iter().any(|e| matches!(&e.kind, EventKind::Broken { property: p, .. } if *p == property));
            assert_eq!(
                is_broken && breach != Breach::Stuck,
                number == rung.shortest.unwrap() && breach != Breach::Stuck,
                "{name}"
            );
        }
        if breach == Breach::Stuck {
            assert!(stage.world.is_stuck(), "{name}");
        }
    }
}

#[test]
fn symmetry_changes_neither_verdict_nor_shortest_length() {
    for rung in rungs() {
        let length = |outcome| match outcome {
            Outcome::Broken { schedule, .. } => Some(schedule.len()),
            Outcome::Nothing { cut } => {
                assert_eq!(cut, None);
                None
            }
        };
        let ((_, with, few), (_, without, many)) = (search(&rung, true), search(&rung, false));
        assert_eq!(length(with), length(without), "{} {:?}", rung.property, rung.faults);
        assert!(few.states <= many.states);
    }
}
