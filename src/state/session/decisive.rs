//! Which order of steps is decisive in the counterexample that is shown. It is known for one branch only: if the reader goes back and does
//! something else, it is hidden, and on the way back to that branch it is shown again.
use std::rc::Rc;

use world::{Input, Property, StepId, Timeline};

use super::Session;

/// A counterexample, and the pairs of its steps that would have prevented it if they had run in the other order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisivePairs {
    /// The property that it breaks.
    pub property: Property,
    /// How many steps it has.
    pub steps: usize,
    /// The pairs, as indexes of its steps.
    pub pairs: Vec<(usize, usize)>,
}

/// The same for a timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decisive {
    /// The property that the counterexample breaks.
    pub property: Property,
    /// For each pair, the positions of the path after its two steps.
    pairs: Vec<(usize, usize)>,
    /// The position after its last step, and that step: a path with this step there has all steps before it, too.
    end: usize,
    last: StepId,
}

impl Decisive {
    /// For the counterexample that starts after the cursor; `None` if no pair is known.
    pub fn behind(timeline: &Timeline, order: DecisivePairs) -> Option<Decisive> {
        let DecisivePairs { property, steps, pairs } = order;
        let from = timeline.position();
        let end = from.checked_add(steps)?;
        let last = timeline.id_at(end.checked_sub(1)?)?;
        let position = |place: usize| from.saturating_add(place).saturating_add(1);
        let pairs: Vec<(usize, usize)> =
            pairs.into_iter().map(|(first, second)| (position(first), position(second))).collect();
        let is_known = !pairs.is_empty() && pairs.iter().all(|(first, second)| first < second && *second <= end);
        is_known.then_some(Decisive { property, pairs, end, last })
    }

    /// The pairs, by the positions after their steps, if they hold on the active path of this timeline. Beyond the counterexample, the
    /// reader may have undone what can be undone.
    pub fn pairs_on(&self, timeline: &Timeline) -> &[(usize, usize)] {
        let is_played = self.end.checked_sub(1).and_then(|last| timeline.id_at(last)) == Some(self.last);
        let mut verdicts = timeline.world().watch().verdicts();
        let is_true = timeline.position() <= self.end
            || verdicts.any(|(property, breach)| *property == self.property && breach.is_some());
        if is_played && is_true { &self.pairs } else { &[] }
    }
}

impl Session {
    /// The decisive order of the counterexample that was inserted last, on any branch.
    pub fn decisive(&self) -> Option<&Rc<Decisive>> {
        self.decisive.as_ref()
    }

    /// The number of the step that leads to a position of the path, beyond the floor; in a lesson it is the stop's number.
    pub fn number_of(&self, position: usize) -> u64 {
        u64::try_from(position.saturating_sub(self.floor())).unwrap_or(u64::MAX)
    }

    /// Appends a branch of inputs after a step; see [`super::SessionAction::AppendBranch`].
    pub(super) fn append_branch(
        &mut self,
        after: StepId,
        inputs: &[Input],
        ahead: usize,
        order: Option<DecisivePairs>,
    ) {
        self.decisive = match self.timeline.append_branch(after, inputs, ahead) {
            Ok(()) => order.and_then(|order| Decisive::behind(&self.timeline, order)).map(Rc::new),
            Err(why) => {
                self.refuse(why);
                None
            }
        };
    }
}
