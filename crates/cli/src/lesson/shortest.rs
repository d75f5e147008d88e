//! Tests that no learner beats the explorer: no sequence of actions in the page counts fewer steps than the shortest schedule.
use std::collections::BTreeSet;
use std::path::Path;

use lesson::{Budget, Lesson, TaskKind};
use world::explore::{self, Explorer, Limits, Measure, SearchOutcome};
use world::{Act, Breach, Direction, Faults, Input, Property, World};

use super::play::{self, limits};
use super::read;

/// Every lesson with a task to break a property: the property's number, and the shortest length in steps.
fn tasks() -> Vec<(Lesson, usize, u32)> {
    let lessons = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lessons")).unwrap_or_default();
    let mut tasks = Vec::new();
    for source in lessons {
        let [lesson, _] = source.lessons;
        for task in &lesson.tasks {
            let TaskKind::Break(task) = &task.kind else { continue };
            let number = lesson.properties.iter().position(|other| other.id == task.property).unwrap();
            tasks.push((lesson.broken_by(task), number, task.shortest));
        }
    }
    tasks
}

/// The violation of the property with this number, if any.
fn breach(measure: &Measure, number: usize) -> Option<Breach> {
    let world = measure.world();
    let (property, breach) = world.watch().verdicts().nth(number)?;
    let is_stuck = || if measure.fits(Faults::default()) { explore::is_dead(world) } else { explore::is_stuck(world) };
    let stuck = || (*property == Property::NoDeadlock && is_stuck()).then_some(Breach::Stuck);
    let starved = || (*property == Property::EveryoneGetsOn).then(|| explore::starved(world)).flatten();
    breach.cloned().or_else(stuck).or_else(|| starved().map(|client| Breach::Starved { client }))
}

#[test]
fn more_clients_than_the_budget_do_not_shorten_schedules() {
    let mut count = 0;
    // No property breaks in fewer than one step.
    for (lesson, number, shortest) in tasks().into_iter().filter(|(.., shortest)| *shortest > 1) {
        let lesson = lesson.with_clients_of(&Budget { clients: 4, ..lesson.budget });
        let played = play::play(&lesson, &[]).unwrap_or_else(|(_, why)| panic!("{}: {why}", lesson.id));
        let limits = Limits { depth: shortest.saturating_sub(1), states: 30_000, ..limits(&lesson.budget) };
        let (outcome, progress) = Explorer::new(played.world().clone(), Some(number), limits).finish();
        assert!(matches!(outcome, SearchOutcome::Nothing { .. }), "{} {number}: {outcome:?} {progress:?}", lesson.id);
        count += 1;
    }
    assert!(count > 8, "{count}");
}

/// Everything that a learner could do next in the page, including letting time pass while clients are ready, or only a little time.
fn choices(world: &World, faults: Faults) -> Vec<Input> {
    let mut choices: Vec<Input> = world.ready().collect();
    for (client, found) in world.clients() {
        let Some(process) = found.program.as_ref().filter(|process| !process.is_over()) else { continue };
        for (thread, _) in process.phases() {
            let acts = [
                Act::Send { thread },
                Act::Deliver { thread },
                Act::Lose { thread, direction: Direction::Request },
                Act::Lose { thread, direction: Direction::Reply },
            ];
            choices.extend(acts.map(|act| Input::Program { client, act }));
        }
        choices.extend([Act::Pause, Act::Resume, Act::Crash].map(|act| Input::Program { client, act }));
    }
    choices.extend(world.nodes().map(|node| Input::Serve { node }));
    let due_ms = world.until_next_ms().filter(|ms| *ms > 0);
    choices.extend(due_ms.into_iter().flat_map(|ms| [ms, ms / 2, ms + 1]).map(|ms| Input::Advance { ms }));
    choices.retain(|input| faults.after(input).is_some());
    choices
}

/// The shortest way, below a bound, in which a learner breaks the property within these faults.
fn least(start: &World, number: usize, faults: Faults, below: u32) -> Option<Measure> {
    let mut layers: Vec<Vec<Measure>> = vec![vec![Measure::begin(start)]];
    let mut seen = BTreeSet::new();
    let mut at = 0;
    while at < layers.len() {
        while let Some(measure) = layers[at].pop() {
            for input in choices(measure.world(), faults) {
                let mut next = measure.clone();
                next.take(&input);
                let steps = next.steps();
                let is_new = steps > measure.steps() && steps < below && next.fits(faults);
                if !is_new || !seen.insert(format!("{:?}", next.world().fingerprint())) {
                    continue;
                }
                if breach(&next, number).is_some() {
                    return Some(next);
                }
                let place = steps as usize;
                layers.resize_with(layers.len().max(place + 1), Vec::new);
                layers[place].push(next);
            }
        }
        at += 1;
    }
    None
}

#[test]
fn letting_time_pass_never_beats_the_explorer() {
    let mut tried = Vec::new();
    for (lesson, number, shortest) in tasks().into_iter().filter(|(.., shortest)| *shortest <= STEPS_MAX) {
        let lesson = lesson.with_clients_of(&lesson.budget);
        let played = play::play(&lesson, &[]).unwrap_or_else(|(_, why)| panic!("{}: {why}", lesson.id));
        let found = least(played.world(), number, play::faults(&lesson.budget), shortest);
        assert!(found.is_none(), "{} {number}: {:?}", lesson.id, found.map(|measure| measure.inputs().to_vec()));
        // The learner can also reach the same length.
        let found = least(played.world(), number, play::faults(&lesson.budget), shortest.saturating_add(1));
        assert_eq!(found.map(|measure| measure.steps()), Some(shortest), "{} {number}", lesson.id);
        tried.push(lesson.id.clone());
    }
    // Without faults, only time could help; and a crash does not affect other clients.
    assert!(["set-nx-ex", "setnx-expire"].iter().all(|id| tried.iter().any(|other| other == id)), "{tried:?}");
}

/// Longer schedules have too many ways for a test.
const STEPS_MAX: u32 = 7;
