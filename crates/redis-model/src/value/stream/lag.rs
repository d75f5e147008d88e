//! The lag of a consumer group, computed from counters as Redis does, without counting entries.
//!
//! A stream counts the entries ever added, a group those it has read. The difference is the lag, as long as no entry was deleted
//! in between. If one was (`max_deleted_id` only knows the greatest), the group's counter is unusable until the group
//! reaches a position whose number is known: the first entry, the last one, or any position after all deleted entries.
use super::Stream;
use super::group::Group;
use super::id::Id;

impl Stream {
    /// Number of entries the group has not read yet, if it is known.
    pub fn lag(&self, group: &Group) -> Option<i64> {
        let added = self.entries_added.cast_signed();
        if added == 0 {
            return Some(0);
        }
        let read = match group.entries_read() {
            Some(read) if !self.has_deleted_from(group.last_id()) => Some(read),
            _ => self.number_of(group.last_id()),
        };
        Some(added.wrapping_sub(read?))
    }

    /// May `XDEL` have deleted an entry at or above this id and after the first remaining entry?
    pub(super) fn has_deleted_from(&self, id: Id) -> bool {
        let deleted = self.max_deleted_id;
        self.len > 0 && !deleted.is_zero() && self.first_id <= deleted && id <= deleted
    }

    /// The position of this id among all entries ever added, counted from 1, if it is known.
    pub(super) fn number_of(&self, id: Id) -> Option<i64> {
        let added = self.entries_added.cast_signed();
        if added == 0 {
            return Some(0);
        }
        if self.is_empty() && id <= self.last_id {
            return Some(added);
        }
        if id == self.last_id {
            return Some(added);
        }
        if id > self.last_id {
            return None;
        }
        let len = i64::try_from(self.len).unwrap_or(i64::MAX);
        let is_whole = self.max_deleted_id.is_zero() || self.max_deleted_id < self.first_id;
        match id.cmp(&self.first_id) {
            std::cmp::Ordering::Less if is_whole => Some(added.wrapping_sub(len)),
            std::cmp::Ordering::Equal if is_whole => Some(added.wrapping_sub(len).wrapping_add(1)),
            _ => None,
        }
    }
}
