//! Consumer groups: last-delivered id, consumers, and the pending entries list.
use super::id::Id;
use super::radix::IdTree;
use crate::value::tree::{self, Tree};
use bytes::Bytes;
use std::ops::RangeInclusive;

/// Size of Redis' `streamCG`.
const GROUP_BYTES: usize = 40;
/// Size of Redis' `streamConsumer`.
const CONSUMER_BYTES: usize = 24;
/// Size of Redis' `streamNACK`: an entry of a pending entries list, shared by group and consumer.
const PENDING_BYTES: usize = 24;

/// A pending entry: delivered, but not acknowledged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pending {
    /// The consumer it was delivered to.
    pub consumer: Bytes,
    /// When it was last delivered, Unix time in ms.
    pub delivered_ms: u64,
    /// How often it was delivered. Like Redis' C counter it wraps, and `XCLAIM` may set it to any value.
    pub deliveries: u64,
}

impl Pending {
    /// Milliseconds since its last delivery; negative if the delivery time was set into the future.
    pub fn idle_ms(&self, now_ms: u64) -> i64 {
        now_ms.cast_signed().wrapping_sub(self.delivered_ms.cast_signed())
    }
}

/// A consumer of a group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Consumer {
    /// When it last received a reply to a request, Unix time in ms.
    seen_ms: u64,
    pending: IdTree<()>,
}

impl Consumer {
    /// When it last received a reply to a request, Unix time in ms.
    pub fn seen_ms(&self) -> u64 {
        self.seen_ms
    }

    /// Number of its pending entries.
    pub fn pending_len(&self) -> usize {
        self.pending.len()
    }

    /// Ids of its pending entries, in order.
    pub fn pending_ids(&self) -> impl DoubleEndedIterator<Item = Id> + ExactSizeIterator {
        self.pending.iter().map(|(id, ())| *id)
    }

    fn memory(&self, name: &[u8]) -> usize {
        CONSUMER_BYTES + name.len() + self.pending.memory()
    }
}

/// A consumer group of a stream.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    pub(super) last_id: Id,
    pub(super) entries_read: Option<i64>,
    pending: IdTree<Pending>,
    consumers: Tree<Bytes, Consumer>,
    /// Bytes of all consumers, as Redis counts them.
    consumers_memory: usize,
}

impl Group {
    pub(super) fn new(last_id: Id, entries_read: Option<i64>) -> Group {
        Group { last_id, entries_read, pending: IdTree::default(), consumers: Tree::new(), consumers_memory: 0 }
    }

    /// The last-delivered id.
    pub fn last_id(&self) -> Id {
        self.last_id
    }

    /// Number of entries ever added up to the last-delivered one, if it is known.
    pub fn entries_read(&self) -> Option<i64> {
        self.entries_read
    }

    /// Its consumers, ordered by name.
    pub fn consumers(&self) -> impl ExactSizeIterator<Item = (&Bytes, &Consumer)> {
        self.consumers.iter()
    }

    /// A consumer by name.
    pub fn consumer(&self, name: &[u8]) -> Option<&Consumer> {
        self.consumers.get(name)
    }

    /// Number of pending entries.
    pub fn pending_len(&self) -> usize {
        self.pending.len()
    }

    /// The pending entries, ordered by id.
    pub fn pending(&self) -> impl DoubleEndedIterator<Item = (Id, &Pending)> + ExactSizeIterator {
        self.pending.iter().map(|(id, pending)| (*id, pending))
    }

    /// The pending entries with these ids, of one consumer or of all. Starting costs O(log n).
    pub fn pending_range(
        &self,
        ids: RangeInclusive<Id>,
        consumer: Option<&[u8]>,
    ) -> impl Iterator<Item = (Id, &Pending)> {
        // One of the two iterators is empty.
        let (of_one, of_all) = match consumer {
            Some(name) => (self.consumer(name).map(|consumer| consumer.pending.range(ids)), None),
            None => (None, Some(self.pending.range(ids))),
        };
        let of_one = of_one.into_iter().flatten().filter_map(|(id, ())| Some((*id, self.pending.get(*id)?)));
        of_one.chain(of_all.into_iter().flatten().map(|(id, pending)| (*id, pending)))
    }

    /// Number of pending entries with an id below this one. O(log n).
    pub fn pending_below(&self, id: Id) -> usize {
        self.pending.rank(id)
    }

    /// Differences of the pending entries since the group was `before`, ordered by id. Shared nodes are skipped.
    pub fn pending_since<'a>(&'a self, before: &'a Group) -> tree::Differences<'a, Id, Pending> {
        self.pending.since(&before.pending)
    }

    /// The pending entry with this id.
    pub fn pending_entry(&self, id: Id) -> Option<&Pending> {
        self.pending.get(id)
    }

    /// Bytes that Redis counts for the group. O(1).
    pub fn memory(&self) -> usize {
        GROUP_BYTES + self.pending.memory() + PENDING_BYTES * self.pending.len() + self.consumers_memory
    }

    // ── changes ────────────────────────────────────────────────────────────────────────────────

    /// Creates a consumer; false if the name is taken.
    pub(super) fn add_consumer(&mut self, name: &Bytes, now_ms: u64) -> bool {
        if self.consumers.contains(name) {
            return false;
        }
        let consumer = Consumer { seen_ms: now_ms, pending: IdTree::default() };
        self.consumers_memory += consumer.memory(name);
        self.consumers.insert(name.clone(), consumer);
        true
    }

    /// Updates a consumer's last-seen time, creating the consumer if it is missing; true if it is new.
    pub(super) fn see(&mut self, name: &Bytes, now_ms: u64) -> bool {
        if let Some(consumer) = self.consumers.get_mut(name) {
            consumer.seen_ms = now_ms;
            return false;
        }
        self.add_consumer(name, now_ms)
    }

    /// Removes a consumer with its pending entries; returns their number.
    pub(super) fn remove_consumer(&mut self, name: &[u8]) -> Option<usize> {
        let consumer = self.consumers.remove(name)?;
        self.consumers_memory -= consumer.memory(name);
        for id in consumer.pending_ids() {
            self.pending.remove(id);
        }
        Some(consumer.pending.len())
    }

    /// Makes an entry pending for an existing consumer, and removes it from any other consumer.
    pub(super) fn assign(&mut self, id: Id, to: Pending) {
        let name = to.consumer.clone();
        let before = self.pending.insert(id, to).map(|pending| pending.consumer);
        if before.as_ref() == Some(&name) {
            return;
        }
        if let Some(before) = before {
            self.change_list(&before, |list| _ = list.remove(id));
        }
        self.change_list(&name, |list| _ = list.insert(id, ()));
    }

    /// The pending entry with this id, mutable; its consumer must not be changed.
    pub(super) fn pending_mut(&mut self, id: Id) -> Option<&mut Pending> {
        self.pending.get_mut(id)
    }

    /// Removes a pending entry; false if it was not pending.
    pub(super) fn release(&mut self, id: Id) -> bool {
        let Some(pending) = self.pending.remove(id) else { return false };
        self.change_list(&pending.consumer, |list| _ = list.remove(id));
        true
    }

    fn change_list(&mut self, name: &Bytes, change: impl FnOnce(&mut IdTree<()>)) {
        if let Some(consumer) = self.consumers.get_mut(name) {
            self.consumers_memory -= consumer.pending.memory();
            change(&mut consumer.pending);
            self.consumers_memory += consumer.pending.memory();
        }
    }

    /// All pending entries from an id on.
    pub(super) fn pending_from(&self, id: Id) -> tree::Iter<'_, Id, Pending> {
        self.pending.range(id..=Id::MAX)
    }

    /// Verifies that the group's list is the union of its consumers' lists, and the stored memory.
    ///
    /// # Errors
    /// A description of the first mismatch.
    pub(super) fn check(&self) -> Result<(), String> {
        self.pending.check()?;
        let mut held = 0;
        for (name, consumer) in self.consumers.iter() {
            consumer.pending.check()?;
            held += consumer.pending_len();
            let is_theirs = |id: Id| self.pending.get(id).is_some_and(|pending| pending.consumer == *name);
            if let Some(id) = consumer.pending_ids().find(|id| !is_theirs(*id)) {
                return Err(format!("{id} is pending of {name:?} and not so in the group"));
            }
        }
        if held != self.pending.len() {
            return Err(format!("{} entries are pending, {held} of somebody", self.pending.len()));
        }
        let memory: usize = self.consumers.iter().map(|(name, consumer)| consumer.memory(name)).sum();
        if memory != self.consumers_memory {
            return Err(format!("consumers are known to take {} bytes and take {memory}", self.consumers_memory));
        }
        Ok(())
    }
}
