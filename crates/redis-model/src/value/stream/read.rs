//! What groups do with a stream: reading on, reading again, acknowledging, claiming.
use super::Stream;
use super::group::{Group, Pending};
use super::id::Id;
use super::node::Entry;
use bytes::Bytes;

/// An entry as it is handed to a consumer.
pub type Delivered = (Id, Entry);

/// How `XCLAIM` takes entries over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Entries that have been pending for less than this are left alone; 0 for all.
    pub min_idle_ms: i64,
    /// The time of delivery that is noted, Unix time in ms.
    pub delivered_ms: u64,
    /// The number of deliveries that is noted; without it one is added where the entry itself is handed out.
    pub deliveries: Option<u64>,
    /// Entries that are pending of no one become so.
    pub is_forced: bool,
    /// Only ids are asked for.
    pub is_just_id: bool,
}

impl Claim {
    /// What an entry's pending becomes, if it is pending (or made so) and has been for long enough.
    fn apply(&self, before: Option<&Pending>, consumer: &Bytes, now_ms: u64) -> Option<Pending> {
        let is_too_young = |pending: &Pending| self.min_idle_ms != 0 && pending.idle_ms(now_ms) < self.min_idle_ms;
        if before.map_or(!self.is_forced, is_too_young) {
            return None;
        }
        // To Redis an entry that is forced into the list has been delivered once before.
        let deliveries = before.map_or(1, |pending| pending.deliveries);
        let deliveries = self.deliveries.unwrap_or(deliveries.wrapping_add(u64::from(!self.is_just_id)));
        Some(Pending { consumer: consumer.clone(), delivered_ms: self.delivered_ms, deliveries })
    }
}

/// What came of claiming.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claimed {
    /// The entries that changed hands.
    pub entries: Vec<Delivered>,
    /// The consumer came into being for the first of them. Who gets nothing is not noted at all.
    pub is_new_consumer: bool,
    /// Ids that are pending no more because their entries are gone.
    pub deleted: Vec<Id>,
    /// Of `XAUTOCLAIM`: where to go on; `0-0` at the end.
    pub next: Id,
}

impl Stream {
    /// The groups in the order of their names.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = (&Bytes, &Group)> {
        self.groups.iter()
    }

    /// A group by name.
    pub fn group(&self, name: &[u8]) -> Option<&Group> {
        self.groups.get(name)
    }

    /// Changes a group and counts its memory again.
    fn change_group<R>(&mut self, name: &[u8], change: impl FnOnce(&mut Group) -> R) -> Option<R> {
        let group = self.groups.get_mut(name)?;
        self.groups_memory -= group.memory();
        let result = change(group);
        self.groups_memory += group.memory();
        Some(result)
    }

    /// Makes a group that has read up to an id; false when there is one of this name.
    pub fn create_group(&mut self, name: &Bytes, last_id: Id, entries_read: Option<i64>) -> bool {
        if self.groups.contains(name) {
            return false;
        }
        let group = Group::new(last_id, entries_read);
        self.groups_memory += group.memory();
        self.groups.insert(name.clone(), group);
        true
    }

    /// Moves a group's cursor; false when there is no such group.
    pub fn set_group(&mut self, name: &[u8], last_id: Id, entries_read: Option<i64>) -> bool {
        let change = |group: &mut Group| (group.last_id, group.entries_read) = (last_id, entries_read);
        self.change_group(name, change).is_some()
    }

    /// Takes a group away with its consumers and all that is pending; false when there is none.
    pub fn destroy_group(&mut self, name: &[u8]) -> bool {
        let group = self.groups.remove(name);
        self.groups_memory -= group.as_ref().map_or(0, Group::memory);
        group.is_some()
    }

    /// Makes a consumer; false when there is one of this name.
    pub fn create_consumer(&mut self, group: &[u8], consumer: &Bytes, now_ms: u64) -> bool {
        self.change_group(group, |group| group.add_consumer(consumer, now_ms)).unwrap_or(false)
    }

    /// Takes a consumer away with all that is pending of it: how much that was. `None` when there is no such consumer.
    pub fn remove_consumer(&mut self, group: &[u8], consumer: &[u8]) -> Option<usize> {
        self.change_group(group, |group| group.remove_consumer(consumer)).flatten()
    }

    /// Notes that a consumer was here, making it if need be; true when it is new.
    pub fn see_consumer(&mut self, group: &[u8], consumer: &Bytes, now_ms: u64) -> bool {
        self.change_group(group, |group| group.see(consumer, now_ms)).unwrap_or(false)
    }

    /// Hands a consumer (which there is) the entries that no one of its group has had, and notes them as pending if they are to be
    /// acknowledged. O(log n) an entry.
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
        // What the counter of the group becomes with each: one more, or what the stream knows.
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

    /// Hands a consumer again what is pending of it above an id; entries that are gone come as `None`. O(log n) an entry.
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

    /// Entries are done with; how many of them were pending. O(log n) each.
    pub fn acknowledge(&mut self, name: &[u8], ids: &[Id]) -> usize {
        // Looked at before it is taken for writing, which copies what a clone shares.
        let is_pending = |group: &Group| ids.iter().any(|id| group.pending_entry(*id).is_some());
        if !self.group(name).is_some_and(is_pending) {
            return 0;
        }
        let release = |group: &mut Group| ids.iter().filter(|id| group.release(**id)).count();
        self.change_group(name, release).unwrap_or(0)
    }

    /// Moves a group's cursor forward, never back.
    pub fn advance_group(&mut self, name: &[u8], id: Id) {
        self.change_group(name, |group| group.last_id = group.last_id.max(id));
    }

    /// Takes entries over for a consumer, and out of the pending list those that are gone. O(log n) each.
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

    /// Goes through the pending list from an id on and takes over what has been pending long enough, up to `count` entries or
    /// deleted ids, looking at ten times as many at most.
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
