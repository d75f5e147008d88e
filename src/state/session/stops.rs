//! The stops of the track: positions on the active path after each step in which something happened.
use std::rc::Rc;

use world::{Step, StepId, Timeline};

use crate::state::followed::Derive;

/// Decides which steps are stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StopRule {
    /// Only later positions are stops.
    pub floor: usize,
    /// In the sandbox, time passes between two commands; in a lesson the learner advances it on purpose, as a step like any other.
    pub is_lesson: bool,
}

impl StopRule {
    /// Whether this step is a stop, provided that it is beyond the floor.
    pub fn contain(self, step: &Step) -> bool {
        self.is_lesson || !Timeline::is_quiet(step)
    }
}

/// The positions of the stops, ascending.
#[derive(Clone, Debug, Default)]
pub struct Stops(Rc<Vec<usize>>);

impl Stops {
    /// The positions, ascending.
    pub fn positions(&self) -> &Rc<Vec<usize>> {
        &self.0
    }
}

impl Derive for Stops {
    type Context = StopRule;
    /// The number of positions.
    type Checkpoint = usize;

    fn take(&mut self, position: usize, _: StepId, step: &Step, rule: &StopRule) {
        if position > rule.floor && rule.contain(step) {
            Rc::make_mut(&mut self.0).push(position);
        }
    }

    fn checkpoint(&self) -> usize {
        self.0.len()
    }

    fn go_back(&mut self, len: &usize) {
        if self.0.len() > *len {
            Rc::make_mut(&mut self.0).truncate(*len);
        }
    }
}
