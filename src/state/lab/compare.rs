//! Two branches side by side: where they part, and the first step of each that the other does not have.
use world::{StepId, Timeline};

/// Where a branch leaves the active path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parting {
    /// How many steps both share.
    pub shared: usize,
    /// The first step of the branch alone; `None` if the branch ends on the active path.
    pub first: Option<StepId>,
}

/// The ends of all branches except the active one, newest first.
pub fn others(timeline: &Timeline) -> Vec<StepId> {
    let mut heads: Vec<StepId> =
        timeline.branches().into_iter().filter(|branch| !branch.is_active).map(|branch| branch.head).collect();
    heads.reverse();
    heads
}

/// Where the branch that ends in `head` leaves the active path.
pub fn parting(timeline: &Timeline, head: StepId) -> Parting {
    let (mut at, mut first) = (head, None);
    while let Some(step) = timeline.step(at) {
        let depth = step.depth as usize;
        if depth.checked_sub(1).and_then(|i| timeline.id_at(i)) == Some(at) {
            return Parting { shared: depth, first };
        }
        first = Some(at);
        at = step.parent;
    }
    Parting { shared: 0, first }
}

/// The timeline with this branch as its active path.
pub fn along(timeline: &Timeline, head: StepId) -> Timeline {
    let mut other = timeline.clone();
    other.switch_to(head);
    other
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, LEASE};
    use super::{Parting, along, others, parting};

    #[test]
    fn branches_part_where_they_first_differ() {
        let mut stage = Fixture::new([LEASE, LEASE]);
        let floor = stage.timeline.len();
        assert!(others(&stage.timeline).is_empty());
        stage.step(0);
        stage.step(1);
        let old = stage.timeline.cursor();
        stage.timeline.seek(floor + 1);
        stage.pass(10_001);
        stage.step(1);
        assert_eq!(others(&stage.timeline), [old]);
        assert_eq!(parting(&stage.timeline, old), Parting { shared: floor + 1, first: Some(old) });
        let other = along(&stage.timeline, old);
        assert_eq!((other.len(), other.cursor()), (floor + 2, old));
        let own = parting(&stage.timeline, stage.timeline.cursor());
        assert_eq!(own, Parting { shared: stage.timeline.len(), first: None });
    }
}
