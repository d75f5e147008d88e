//! Operations of consumer groups on a stream: reading new and pending entries, acknowledging, claiming.
use super::Stream;
use super::group::{Group, Pending};
use super::id::Id;
use super::node::Entry;
use bytes::Bytes;

/// An entry as it is delivered to a consumer.
pub type Delivered = (Id, Entry);

/// Options of `XCLAIM`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Only entries idle for at least this long are claimed; 0: all.
    pub min_idle_ms: i64,
    /// The delivery time to set, Unix time in ms.
    pub delivered_ms: u64,
    /// The number of deliveries to set; `None`: add one if the entry itself is delivered.
    pub deliveries: Option<u64>,
    /// `FORCE`: entries that are not pending become pending.
    pub is_forced: bool,
    /// `JUSTID`: only ids are returned.
    pub is_just_id: bool,
}

impl Claim {
    /// The new state of a pending entry, if it is pending (or forced to be) and has been idle for long enough.
    fn apply(&self, before: Option<&Pending>, consumer: &Bytes, now_ms: u64) -> Option<Pending> {
        let is_too_young = |pending: &Pending| self.min_idle_ms != 0 && pending.idle_ms(now_ms) < self.min_idle_ms;
        if before.map_or(!self.is_forced, is_too_young) {
            return None;
        }
        // Redis counts a forced entry as delivered once before.
        let deliveries = before.map_or(1, |pending| pending.deliveries);
        let deliveries = self.deliveries.unwrap_or(deliveries.wrapping_add(u64::from(!self.is_just_id)));
        Some(Pending { consumer: consumer.clone(), delivered_ms: self.delivered_ms, deliveries })
    }
}

/// The result of a claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claimed {
    /// The claimed entries.
    pub entries: Vec<Delivered>,
    /// The consumer was created for the first claimed entry. Without a claimed entry the consumer is not even created.
    pub is_new_consumer: bool,
    /// Ids that are no longer pending because their entries were deleted.
    pub deleted: Vec<Id>,
    /// For `XAUTOCLAIM`: the cursor for the next call; `0-0` at the end.
    pub next: Id,
}

impl Stream {
    /// The groups, ordered by name.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = (&Bytes, &Group)> {
        self.groups.iter()
    }

    /// A group by name.
    pub fn group(&self, name: &[u8]) -> Option<&Group> {
        self.groups.get(name)
    }

    /// Changes a group and updates its memory count.
    fn change_group<R>(&mut self, name: &[u8], change: impl FnOnce(&mut Group) -> R) -> Option<R> {
        let group = self.groups.get_mut(name)?;
        self.groups_memory -= group.memory();
        let result = change(group);
        self.groups_memory += group.memory();
        Some(result)
    }

    /// Creates a group with a last-delivered id; false if the name is taken.
    pub fn create_group(&mut self, name: &Bytes, last_id: Id, entries_read: Option<i64>) -> bool {
        if self.groups.contains(name) {
            return false;
        }
        let group = Group::new(last_id, entries_read);
        self.groups_memory += group.memory();
        self.groups.insert(name.clone(), group);
        true
    }

    /// Sets a group's last-delivered id; false if there is no such group.
    pub fn set_group(&mut self, name: &[u8], last_id: Id, entries_read: Option<i64>) -> bool {
        let change = |group: &mut Group| (group.last_id, group.entries_read) = (last_id, entries_read);
        self.change_group(name, change).is_some()
    }

    /// Removes a group with its consumers and pending entries; false if there is none.
    pub fn destroy_group(&mut self, name: &[u8]) -> bool {
        let group = self.groups.remove(name);
        self.groups_memory -= group.as_ref().map_or(0, Group::memory);
        group.is_some()
    }

    /// Creates a consumer; false if the name is taken.
    pub fn create_consumer(&mut self, group: &[u8], consumer: &Bytes, now_ms: u64) -> bool {
        self.change_group(group, |group| group.add_consumer(consumer, now_ms)).unwrap_or(false)
    }

    /// Removes a consumer with its pending entries; returns their number, or `None` if there is no such consumer.
    pub fn remove_consumer(&mut self, group: &[u8], consumer: &[u8]) -> Option<usize> {
        self.change_group(group, |group| group.remove_consumer(consumer)).flatten()
    }

    /// Updates a consumer's last-seen time, creating the consumer if it is missing; true if it is new.
    pub fn see_consumer(&mut self, group: &[u8], consumer: &Bytes, now_ms: u64) -> bool {
        self.change_group(group, |group| group.see(consumer, now_ms)).unwrap_or(false)
    }

    /// Delivers to an existing consumer the entries after the group's last-delivered id, and makes them pending if they need an
    /// acknowledgement. O(log n) per entry.
    pub fn read_new(
        &mut self,
        name: &[u8],
        consumer: &Bytes,
        count: usize,
        needs_ack: bool,
        now_ms: u64,
    ) -> Vec<Delivered> {
        let Some(first) = self.group(name).and_then(|group| group.last_id().next()) else { return Vec::new() };
        let entries: Vec<Delivered> =
            self.range(first..=Id::MAX).take(count).map(|(id, entry)| (id, entry.clone())).collect();
        // Updates the group's counter for each entry: plus one, or the number that the stream knows.
        let counts: Vec<_> = entries.iter().map(|(id, _)| (self.has_deleted_from(*id), self.number_of(*id))).collect();
        let is_counting = self.entries_added != 0;
        self.change_group(name, |group| {
            for ((id, _), (has_deleted, number)) in entries.iter().zip(counts) {
                match group.entries_read {
                    Some(read) if !has_deleted => group.entries_read = Some(read.wrapping_add(1)),
                    _ if is_counting => group.entries_read = number,
                    _ => {}
                }
                group.last_id = *id;
                if needs_ack {
                    let pending = Pending { consumer: consumer.clone(), delivered_ms: now_ms, deliveries: 1 };
                    group.assign(*id, pending);
                }
            }
        });
        entries
    }

    /// Delivers a consumer's pending entries above an id again; deleted entries are `None`. O(log n) per entry.
    pub fn read_again(
        &mut self,
        name: &[u8],
        consumer: &[u8],
        above: Id,
        count: usize,
        now_ms: u64,
    ) -> Vec<(Id, Option<Entry>)> {
        let Some((group, first)) = self.group(name).zip(above.next()) else { return Vec::new() };
        let ids = group.pending_range(first..=Id::MAX, Some(consumer)).take(count).map(|(id, _)| id);
        let entries: Vec<_> = ids.map(|id| (id, self.get(id).cloned())).collect();
        self.change_group(name, |group| {
            for (id, _) in entries.iter().filter(|(_, entry)| entry.is_some()) {
                if let Some(pending) = group.pending_mut(*id) {
                    pending.delivered_ms = now_ms;
                    pending.deliveries = pending.deliveries.wrapping_add(1);
                }
            }
        });
        entries
    }

    /// Acknowledges entries; returns how many of them were pending. O(log n) each.
    pub fn acknowledge(&mut self, name: &[u8], ids: &[Id]) -> usize {
        // Checked before it is borrowed mutably, which copies state that a clone shares.
        let is_pending = |group: &Group| ids.iter().any(|id| group.pending_entry(*id).is_some());
        if !self.group(name).is_some_and(is_pending) {
            return 0;
        }
        let release = |group: &mut Group| ids.iter().filter(|id| group.release(**id)).count();
        self.change_group(name, release).unwrap_or(0)
    }

    /// Advances a group's last-delivered id; never moves it back.
    pub fn advance_group(&mut self, name: &[u8], id: Id) {
        self.change_group(name, |group| group.last_id = group.last_id.max(id));
    }

    /// Claims entries for a consumer, and removes deleted ones from the pending list. O(log n) each.
    pub fn claim(&mut self, name: &[u8], consumer: &Bytes, ids: &[Id], claim: &Claim, now_ms: u64) -> Claimed {
        let mut claimed = Claimed::default();
        for id in ids {
            self.claim_one(name, consumer, *id, claim, now_ms, &mut claimed);
        }
        claimed
    }

    fn claim_one(&mut self, name: &[u8], to: &Bytes, id: Id, claim: &Claim, now_ms: u64, claimed: &mut Claimed) {
        let Some(entry) = self.get(id).cloned() else {
            if self.acknowledge(name, &[id]) > 0 {
                claimed.deleted.push(id);
            }
            return;
        };
        let taken = self.change_group(name, |group| {
            let pending = claim.apply(group.pending_entry(id), to, now_ms)?;
            let is_new_consumer = group.see(to, now_ms);
            group.assign(id, pending);
            Some(is_new_consumer)
        });
        if let Some(is_new_consumer) = taken.flatten() {
            claimed.is_new_consumer |= is_new_consumer;
            claimed.entries.push((id, entry));
        }
    }

    /// Walks the pending list from `start` and claims entries that have been idle for long enough, up to `count` entries or
    /// deleted ids, checking at most ten times as many.
    pub fn claim_from(
        &mut self,
        name: &[u8],
        consumer: &Bytes,
        start: Id,
        count: usize,
        claim: &Claim,
        now_ms: u64,
    ) -> Claimed {
        const ATTEMPTS_PER_ENTRY: usize = 10;
        let mut claimed = Claimed::default();
        let mut from = Some(start);
        let mut attempts = count.saturating_mul(ATTEMPTS_PER_ENTRY);
        while attempts > 0 && claimed.entries.len() + claimed.deleted.len() < count {
            attempts -= 1;
            let Some(id) = from.and_then(|from| self.next_pending(name, from)) else {
                from = None;
                break;
            };
            from = id.next();
            self.claim_one(name, consumer, id, claim, now_ms, &mut claimed);
        }
        claimed.next = from.and_then(|from| self.next_pending(name, from)).unwrap_or(Id::MIN);
        claimed
    }

    fn next_pending(&self, name: &[u8], from: Id) -> Option<Id> {
        self.group(name)?.pending_from(from).next().map(|(id, _)| *id)
    }
}
