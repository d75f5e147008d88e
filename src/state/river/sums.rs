//! The totals of a group: how many entries of its stream were delivered, delivered again, acknowledged, and dropped.
//!
//! ```text
//!   delivered 5, again 1      pending 2 · acknowledged 1 · dropped 1 · passed with NOACK 1        these four add up to the first
//! ```
use redis_model::value::stream::{Group, Id};

/// The totals of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Entries that a consumer got as new, including those with `NOACK`. An entry that is still pending and is delivered again because the
    /// cursor was set back does not count: the group has no trace of it.
    pub delivered: u64,
    /// Of these, entries with `NOACK`; they are never pending.
    pub passed: u64,
    /// How often an entry was delivered again: claimed, read again, or after the cursor was set back.
    pub again: u64,
    /// Entries that were acknowledged.
    pub acknowledged: u64,
    /// Entries that were pending and never acknowledged: they were deleted, or their consumer was.
    pub dropped: u64,
}

impl Sums {
    /// The totals of a group that is new, or has no recorded past.
    pub fn at_first(group: &Group) -> Sums {
        Sums { delivered: group.pending_len() as u64, ..Sums::default() }
    }

    /// Counts entries delivered with `NOACK`.
    pub fn pass(&mut self, entries: usize) {
        self.delivered = self.delivered.saturating_add(entries as u64);
        self.passed = self.passed.saturating_add(entries as u64);
    }

    /// Counts entries that were delivered and acknowledged in one step.
    pub fn do_at_once(&mut self, entries: usize) {
        self.delivered = self.delivered.saturating_add(entries as u64);
        self.acknowledged = self.acknowledged.saturating_add(entries as u64);
    }

    /// Counts a step: entries that became pending, and entries that are no longer pending. `dropped` are the ids that were not
    /// acknowledged.
    pub fn change(&mut self, was: &Group, now: &Group, dropped: &[Id], was_delivered: impl Fn(Id) -> bool) {
        let add = |sum: &mut u64, is_one: bool| *sum = sum.saturating_add(u64::from(is_one));
        for change in now.pending_since(was) {
            let id = *change.key;
            match (change.before, change.now) {
                (None, Some(_)) => {
                    add(&mut self.delivered, true);
                    add(&mut self.again, was_delivered(id));
                }
                (Some(before), Some(held)) => add(&mut self.again, held.deliveries > before.deliveries),
                (Some(_), None) => {
                    let is_dropped = dropped.contains(&id);
                    add(&mut self.dropped, is_dropped);
                    add(&mut self.acknowledged, !is_dropped);
                }
                (None, None) => {}
            }
        }
    }
}
