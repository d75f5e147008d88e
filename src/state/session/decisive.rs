//! Which order of steps decides in the counterexample that is played. It is known of one line of steps, so on any other nothing is said: who
//! goes back and does something else is on another, and who comes back to it finds it again.
use std::rc::Rc;

use world::{Input, Property, StepId, Timeline};

use super::Session;

/// A counterexample, and the pairs of its steps whose exchange would have averted it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// What it breaks.
    pub property: Property,
    /// How many steps it has.
    pub steps: usize,
    /// The pairs, by the places of their steps in it.
    pub pairs: Vec<(usize, usize)>,
}

/// The same on a timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decisive {
    /// What the counterexample breaks.
    pub property: Property,
    /// The positions of the path after the steps of each pair.
    pairs: Vec<(usize, usize)>,
    /// The position after its last step, and that step: a path with this step there has all steps before it, too.
    end: usize,
    last: StepId,
}

impl Decisive {
    /// Of the counterexample that begins behind the cursor; nothing where no pair is known.
    pub fn behind(timeline: &Timeline, order: Order) -> Option<Decisive> {
        let Order { property, steps, pairs } = order;
        let from = timeline.position();
        let end = from.checked_add(steps)?;
        let last = timeline.id_at(end.checked_sub(1)?)?;
        let position = |place: usize| from.saturating_add(place).saturating_add(1);
        let pairs: Vec<(usize, usize)> =
            pairs.into_iter().map(|(first, second)| (position(first), position(second))).collect();
        let is_known = !pairs.is_empty() && pairs.iter().all(|(first, second)| first < second && *second <= end);
        is_known.then_some(Decisive { property, pairs, end, last })
    }

    /// The pairs, by the positions after their steps, where they are true of the active path of this timeline. A reader who has gone on
    /// behind the counterexample may have undone what can be undone.
    pub fn pairs_on(&self, timeline: &Timeline) -> &[(usize, usize)] {
        let is_played = self.end.checked_sub(1).and_then(|last| timeline.id_at(last)) == Some(self.last);
        let mut verdicts = timeline.world().watch().verdicts();
        let is_true = timeline.position() <= self.end
            || verdicts.any(|(property, breach)| *property == self.property && breach.is_some());
        if is_played && is_true { &self.pairs } else { &[] }
    }
}

impl Session {
    /// Which order decides in the counterexample that was laid last, on whichever line it lies.
    pub fn decisive(&self) -> Option<&Rc<Decisive>> {
        self.decisive.as_ref()
    }

    /// The number of the step that leads to a position of the path, beyond the floor; in a lesson it is that of the track.
    pub fn number_of(&self, position: usize) -> u64 {
        u64::try_from(position.saturating_sub(self.floor())).unwrap_or(u64::MAX)
    }

    /// Lays inputs behind a step; see [`super::SessionAction::Lay`].
    pub(super) fn lay(&mut self, after: StepId, inputs: &[Input], ahead: usize, order: Option<Order>) {
        self.decisive = match self.timeline.lay(after, inputs, ahead) {
            Ok(()) => order.and_then(|order| Decisive::behind(&self.timeline, order)).map(Rc::new),
            Err(why) => {
                self.refuse(why);
                None
            }
        };
    }
}
