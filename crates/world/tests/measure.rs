//! Learners' schedules measured in explorer steps.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]
mod fixture;

use fixture::Fixture;
use world::explore::Measure;
use world::{Act, Direction, Faults, Input, NodeIndex, World};

const LEASE: &str = "
if redis.call('SET', 'lock', 'me', 'NX', 'PX', 10000) then
  enter() work(15000) leave()
  redis.call('DEL', 'lock')
end";

fn act(client: u32, act: Act) -> Input {
    Input::Program { client, act }
}

fn step(client: u32) -> Input {
    act(client, Act::Step { thread: 0 })
}

fn pass(ms: u64) -> Input {
    Input::Advance { ms }
}

/// The translated schedule, in short.
fn translated(start: &World, inputs: &[Input]) -> Vec<String> {
    let measure = Measure::of(start, inputs);
    assert_eq!(measure.steps() as usize, measure.inputs().len());
    let short = |input: &Input| match input {
        Input::Program { client, act: Act::Step { .. } } => format!("{client} step"),
        Input::Program { client, act } => format!("{client} {act:?}").to_lowercase(),
        Input::Advance { ms } => format!("+{ms}"),
        other => format!("{other:?}"),
    };
    measure.inputs().iter().map(short).collect()
}

#[test]
fn time_that_passes_over_a_client_pauses_it() {
    let stage = Fixture::new([LEASE, LEASE, LEASE]);
    let start = &stage.world;
    let late = [step(0), pass(10_001), step(1)];
    assert_eq!(translated(start, &late), ["0 step", "1 pause", "+10001", "1 resume", "1 step"]);
    let measure = Measure::of(start, &late);
    assert_eq!(measure.passed_over(), [1]);
    assert!(!measure.fits(Faults::default()) && measure.fits(Faults { pauses: 1, ..Faults::default() }));
    // A client that the learner paused is not also counted as passed over.
    let paused = [step(0), act(1, Act::Pause), pass(10_001), act(1, Act::Resume), step(1)];
    assert_eq!(translated(start, &paused), ["0 step", "1 pause", "+10001", "1 resume", "1 step"]);
    assert!(Measure::of(start, &paused).passed_over().is_empty());
    // A client that is passed over, and then crashes.
    let died = [step(0), pass(5_000), act(1, Act::Crash)];
    assert_eq!(translated(start, &died), ["0 step", "1 pause", "+5000", "1 crash"]);
}

#[test]
fn time_is_counted_by_deadlines() {
    let stage = Fixture::new([LEASE]);
    // The lease ends in one step and the work in the next, however time is split.
    let expected = ["0 step", "+10001", "+4999", "0 step"];
    assert_eq!(translated(&stage.world, &[step(0), pass(15_000), step(0)]), expected);
    let bits = [step(0), pass(4_000), pass(6_000), pass(3_000), pass(2_000), step(0)];
    assert_eq!(translated(&stage.world, &bits), expected);
    // After the end of its work the client is paused.
    let late = [step(0), pass(16_000), step(0)];
    assert_eq!(
        translated(&stage.world, &late),
        ["0 step", "+10001", "+4999", "0 pause", "+1000", "0 resume", "0 step"]
    );
    assert_eq!(Measure::of(&stage.world, &late).passed_over(), [0]);
}

#[test]
fn foreign_inputs_are_reported() {
    let stage = Fixture::new([LEASE, LEASE]);
    let is_foreign = |inputs: &[Input]| Measure::of(&stage.world, inputs).is_foreign(Faults::default());
    assert!(!is_foreign(&[
        step(0),
        act(1, Act::Crash),
        act(0, Act::Pause),
        Input::Rename { client: 1, name: "x".into() }
    ]));
    assert!(!is_foreign(&[
        act(0, Act::Send { thread: 0 }),
        Input::Serve { node: NodeIndex::FIRST },
        act(0, Act::Deliver { thread: 0 })
    ]));
    assert!(!is_foreign(&[act(0, Act::Lose { thread: 0, direction: Direction::Reply })]));
    for foreign in [
        Input::Command { client: 0, argv: vec!["DEL".into(), "lock".into()] },
        Input::Connect { client: 7, name: "c8".into() },
        Input::Disconnect { client: 1 },
        act(1, Act::load("enter()".into())),
        act(1, Act::ShiftClock { ms: 1 }),
    ] {
        assert!(is_foreign(std::slice::from_ref(&foreign)), "{foreign:?}");
    }
}
