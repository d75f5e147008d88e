//! `Keyframes`: worlds that are kept, so that going to a step takes few inputs again.
use std::rc::Rc;

use super::chunks::Chunks;
use super::{Step, StepId};
use crate::{Input, World};

/// Steps between two keyframes on a path.
const EVERY: u32 = 64;
/// A step with as many events took long, and so did one after which a script keeps a server busy: a seek should not wait for it
/// again.
const EVENTS_OF_LONG_STEP: usize = 256;

/// The world after a step.
#[derive(Clone, Debug)]
struct Keyframe {
    id: StepId,
    world: Rc<World>,
}

/// Worlds by the steps that led to them, ascending. A clone costs O(1).
#[derive(Clone, Debug)]
pub(super) struct Keyframes {
    kept: Chunks<Keyframe>,
}

impl Keyframes {
    /// Only the start.
    pub fn new(start: Rc<World>) -> Keyframes {
        let start = Keyframe { id: 0, world: start };
        Keyframes { kept: [start].into_iter().collect() }
    }

    /// The world after a step, if it is kept.
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

    /// Keeps the world after the newest step if that is worth it. The newest step may also be another one than it was.
    pub fn note(&mut self, id: StepId, step: &Step, world: &Rc<World>) {
        if self.kept.last().is_some_and(|last| last.id == id) {
            if let Some(last) = self.kept.last_mut() {
                last.world = Rc::clone(world);
            }
            return;
        }
        if !took_long(step, world) && !step.depth.is_multiple_of(EVERY) {
            return;
        }
        self.kept.push(Keyframe { id, world: Rc::clone(world) });
    }
}

fn took_long(step: &Step, world: &World) -> bool {
    let is_busy = || world.servers().iter().any(|server| server.busy().is_some());
    step.events.len() >= EVENTS_OF_LONG_STEP || matches!(step.input, Input::Command { .. }) && is_busy()
}
