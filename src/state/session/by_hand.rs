//! Steps that the reader has taken one by one.
use std::ops::RangeInclusive;

use world::StepId;

/// Steps, as ranges of their numbers: a step that follows is added to the last one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByHand(Vec<RangeInclusive<StepId>>);

impl ByHand {
    /// The reader has taken this step.
    pub fn add(&mut self, step: StepId) {
        if self.contains(step) {
            return;
        }
        match self.0.last_mut() {
            Some(last) if last.end().checked_add(1) == Some(step) => *last = *last.start()..=step,
            _ => self.0.push(step..=step),
        }
    }

    /// Has he?
    pub fn contains(&self, step: StepId) -> bool {
        self.0.iter().any(|range| range.contains(&step))
    }
}
