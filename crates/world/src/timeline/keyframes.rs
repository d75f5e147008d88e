//! `Keyframes`: cached worlds, so that a seek replays few inputs.
//!
//! A world shares unchanged parts with the next ones. With a keyframe every 8 steps, worlds take 3 to 4 KB per step; every 64 steps, 2 to 3
//! KB (`cargo xtask bench seek`). So a short session keeps dense keyframes, and a very long one has fewer: at [`SPACED_MAX`] keyframes
//! every second one is dropped.
use std::rc::Rc;

use super::chunks::Chunks;
use super::{Step, StepId};
use crate::{Event, EventKind, Input, World};

/// Initial number of steps between two keyframes on a path.
const EVERY: u32 = 8;
/// Maximum number of regularly spaced keyframes: 16,384 steps have one every 8 steps, 100,000 steps one every 64.
const SPACED_MAX: usize = 2_048;
/// A step with this many events took long, as did a step after which a script keeps a server busy: a seek should not have to repeat it.
const EVENTS_OF_LONG_STEP: usize = 256;
/// The same for a step with this many traffic requests.
const REQUESTS_OF_LONG_STEP: u64 = 500;

/// The world after a step.
#[derive(Clone, Debug)]
struct Keyframe {
    id: StepId,
    depth: u32,
    /// Its step took long, so it is never dropped.
    took_long: bool,
    world: Rc<World>,
}

/// Cached worlds by step, ascending. A clone costs O(1).
#[derive(Clone, Debug)]
pub(super) struct Keyframes {
    kept: Chunks<Keyframe>,
    /// Number of keyframes with steps that did not take long.
    spaced: usize,
    every: u32,
}

impl Keyframes {
    /// Only the start.
    pub fn new(start: Rc<World>) -> Keyframes {
        let start = Keyframe { id: 0, depth: 0, took_long: false, world: start };
        Keyframes { kept: [start].into_iter().collect(), spaced: 1, every: EVERY }
    }

    /// The world after a step, if it is cached.
    pub fn get(&self, id: StepId) -> Option<&Rc<World>> {
        let (mut from, mut to) = (0, self.kept.len());
        while from < to {
            let middle = usize::midpoint(from, to);
            let keyframe = self.kept.get(middle)?;
            match keyframe.id.cmp(&id) {
                std::cmp::Ordering::Equal => return Some(&keyframe.world),
                std::cmp::Ordering::Less => from = middle.saturating_add(1),
                std::cmp::Ordering::Greater => to = middle,
            }
        }
        None
    }

    /// Caches the world after the newest step if that is worthwhile. `id` may also be a replaced newest step.
    pub fn note(&mut self, id: StepId, step: &Step, world: &Rc<World>) {
        if self.kept.last().is_some_and(|last| last.id == id) {
            if let Some(last) = self.kept.last_mut() {
                last.world = Rc::clone(world);
            }
            return;
        }
        let took_long = took_long(step, world);
        if !took_long && !step.depth.is_multiple_of(self.every) {
            return;
        }
        self.kept.push(Keyframe { id, depth: step.depth, took_long, world: Rc::clone(world) });
        self.spaced = self.spaced.saturating_add(usize::from(!took_long));
        while self.spaced > SPACED_MAX {
            self.thin_out();
        }
    }

    /// Doubles the distance between keyframes.
    fn thin_out(&mut self) {
        self.every = self.every.saturating_mul(2);
        let stays = |keyframe: &&Keyframe| keyframe.took_long || keyframe.depth.is_multiple_of(self.every);
        self.kept = self.kept.iter().filter(stays).cloned().collect();
        self.spaced = self.kept.iter().filter(|keyframe| !keyframe.took_long).count();
    }
}

fn took_long(step: &Step, world: &World) -> bool {
    let is_busy = || world.servers().any(|(_, server)| server.busy().is_some());
    let ran_long =
        |event: &Event| matches!(&event.kind, EventKind::TrafficRan { ran } if ran.arrived >= REQUESTS_OF_LONG_STEP);
    step.events.len() >= EVENTS_OF_LONG_STEP
        || step.events.iter().any(ran_long)
        || matches!(step.input, Input::Command { .. }) && is_busy()
}
