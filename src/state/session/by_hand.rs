//! The steps that the reader took one by one.
use std::ops::RangeInclusive;

use world::StepId;

/// Steps, as ranges of their numbers: a step that follows the last range extends it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByHand(Vec<RangeInclusive<StepId>>);

impl ByHand {
    /// Records that the reader took this step.
    pub fn add(&mut self, step: StepId) {
        if self.contains(step) {
            return;
        }
        match self.0.last_mut() {
            Some(last) if last.end().checked_add(1) == Some(step) => *last = *last.start()..=step,
            _ => self.0.push(step..=step),
        }
    }

    /// Whether the reader took this step.
    pub fn contains(&self, step: StepId) -> bool {
        self.0.iter().any(|range| range.contains(&step))
    }
}
