//! Consumer groups: how far a group has read, who reads in it, and what was delivered and not acknowledged yet.
use super::id::Id;
use super::radix::IdTree;
use crate::value::tree::{self, Tree};
use bytes::Bytes;
use std::ops::RangeInclusive;

/// `streamCG` of Redis.
const GROUP_BYTES: usize = 40;
/// `streamConsumer` of Redis.
const CONSUMER_BYTES: usize = 24;
/// `streamNACK` of Redis: an entry of a pending list, shared by group and consumer.
const PENDING_BYTES: usize = 24;

/// An entry that was delivered and is not acknowledged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pending {
    /// Whose it is.
    pub consumer: Bytes,
    /// When it was last delivered, Unix time in ms.
    pub delivered_ms: u64,
    /// How often it was delivered. A counter of C: `XCLAIM` may set it anywhere, and it wraps.
    pub deliveries: u64,
}

impl Pending {
    /// For how many ms it has been pending since its last delivery; negative when that was set into the future.
    pub fn idle_ms(&self, now_ms: u64) -> i64 {
        now_ms.cast_signed().wrapping_sub(self.delivered_ms.cast_signed())
    }
}

/// A member of a group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Consumer {
    /// When it last asked for something and got an answer, Unix time in ms.
    seen_ms: u64,
    pending: IdTree<()>,
}

impl Consumer {
    /// When it last asked for something and got an answer, Unix time in ms.
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
    /// Bytes of all consumers.
    consumers_memory: usize,
}

impl Group {
    pub(super) fn new(last_id: Id, entries_read: Option<i64>) -> Group {
        Group { last_id, entries_read, pending: IdTree::default(), consumers: Tree::new(), consumers_memory: 0 }
    }

    /// The id of the entry that was delivered last: the group's cursor.
    pub fn last_id(&self) -> Id {
        self.last_id
    }

    /// How many entries the stream had added when the last delivered one came, if that is known.
    pub fn entries_read(&self) -> Option<i64> {
        self.entries_read
    }

    /// Its consumers in the order of their names.
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

    /// The pending entries in order.
    pub fn pending(&self) -> impl DoubleEndedIterator<Item = (Id, &Pending)> + ExactSizeIterator {
        self.pending.iter().map(|(id, pending)| (*id, pending))
    }

    /// The pending entries from one id to another: of one consumer, or of all. Starting costs O(log n).
    pub fn pending_range(
        &self,
        ids: RangeInclusive<Id>,
        consumer: Option<&[u8]>,
    ) -> impl Iterator<Item = (Id, &Pending)> {
        // One of the two walks is over nothing.
        let (of_one, of_all) = match consumer {
            Some(name) => (self.consumer(name).map(|consumer| consumer.pending.range(ids)), None),
            None => (None, Some(self.pending.range(ids))),
        };
        let of_one = of_one.into_iter().flatten().filter_map(|(id, ())| Some((*id, self.pending.get(*id)?)));
        of_one.chain(of_all.into_iter().flatten().map(|(id, pending)| (*id, pending)))
    }

    /// How many of the pending entries have an id below this one. O(log n).
    pub fn pending_below(&self, id: Id) -> usize {
        self.pending.rank(id)
    }

    /// What of the pending entries has changed since the group was `before`, in order. What both share is not looked at.
    pub fn pending_since<'a>(&'a self, before: &'a Group) -> tree::Differences<'a, Id, Pending> {
        self.pending.since(&before.pending)
    }

    /// What is pending of an id.
    pub fn pending_entry(&self, id: Id) -> Option<&Pending> {
        self.pending.get(id)
    }

    /// Bytes that Redis takes the group for. O(1).
    pub fn memory(&self) -> usize {
        GROUP_BYTES + self.pending.memory() + PENDING_BYTES * self.pending.len() + self.consumers_memory
    }

    // ── changes ────────────────────────────────────────────────────────────────────────────────

    /// Makes a consumer; false when there is one of this name.
    pub(super) fn add_consumer(&mut self, name: &Bytes, now_ms: u64) -> bool {
        if self.consumers.contains(name) {
            return false;
        }
        let consumer = Consumer { seen_ms: now_ms, pending: IdTree::default() };
        self.consumers_memory += consumer.memory(name);
        self.consumers.insert(name.clone(), consumer);
        true
    }

    /// Notes that a consumer was here, making it if need be; true when it is new.
    pub(super) fn see(&mut self, name: &Bytes, now_ms: u64) -> bool {
        if let Some(consumer) = self.consumers.get_mut(name) {
            consumer.seen_ms = now_ms;
            return false;
        }
        self.add_consumer(name, now_ms)
    }

    /// Takes a consumer out with all that is pending of it; how much that was.
    pub(super) fn remove_consumer(&mut self, name: &[u8]) -> Option<usize> {
        let consumer = self.consumers.remove(name)?;
        self.consumers_memory -= consumer.memory(name);
        for id in consumer.pending_ids() {
            self.pending.remove(id);
        }
        Some(consumer.pending.len())
    }

    /// Makes an entry pending of a consumer that there is, no matter who had it before.
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

    /// What is pending of an id, to be changed in all but its consumer.
    pub(super) fn pending_mut(&mut self, id: Id) -> Option<&mut Pending> {
        self.pending.get_mut(id)
    }

    /// An entry is no longer pending; false when it was not.
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

    /// Proves that the group's list is the union of its consumers' lists, and what is kept beside them.
    ///
    /// # Errors
    /// What is wrong.
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
