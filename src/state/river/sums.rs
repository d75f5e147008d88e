//! The ledger of a group: how many entries of its stream were delivered, delivered again, acknowledged, and given up.
//!
//! ```text
//!   delivered 5, again 1      pending 2 · acknowledged 1 · dropped 1 · passed with NOACK 1        these four are always the first
//! ```
use redis_model::value::stream::{Group, Id};

/// What a group has come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Entries that a consumer was given as new ones, those with `NOACK` among them. One that is still pending and given again, because the
    /// cursor was set back, is none: nothing in the group tells of it.
    pub delivered: u64,
    /// Of these, those with `NOACK`, which are never pending.
    pub passed: u64,
    /// How often an entry was delivered that had been delivered before: claimed, read again, or behind a cursor that was set back.
    pub again: u64,
    /// Entries that were acknowledged.
    pub acknowledged: u64,
    /// Entries that somebody held and no one acknowledged: they were deleted, or went with their consumer.
    pub dropped: u64,
}

impl Sums {
    /// Of a group that was not there before, or of which nothing is known.
    pub fn at_first(group: &Group) -> Sums {
        Sums { delivered: group.pending_len() as u64, ..Sums::default() }
    }

    /// After these entries were handed out with `NOACK`.
    pub fn pass(&mut self, entries: usize) {
        self.delivered = self.delivered.saturating_add(entries as u64);
        self.passed = self.passed.saturating_add(entries as u64);
    }

    /// After entries were delivered and acknowledged in one step.
    pub fn do_at_once(&mut self, entries: usize) {
        self.delivered = self.delivered.saturating_add(entries as u64);
        self.acknowledged = self.acknowledged.saturating_add(entries as u64);
    }

    /// After a step: what is pending now and was not before, or the other way round. `dropped` are the ids that no one acknowledged.
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
