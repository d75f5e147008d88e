//! `Node`: a listpack of a stream's entries, measured byte for byte as Redis encodes it.
//!
//! ```text
//!  live │ deleted │ n │ field 1 … field n │ 0 ║ flags │ ms │ seq │ value 1 … value n │ count ║ flags │ …
//!  └────────────── master entry ──────────┘    └── an entry with the master's fields ──────┘
//! ```
//! Ids of entries are stored as differences from the master id, which is the id of the node. An entry with the same fields as the
//! master entry omits them; any other entry stores its own fields and their number. A deleted entry is only marked in its flags.
use super::id::Id;
use crate::value::listpack::{self, int_bytes};
use crate::value::memory;
use crate::value::tree::{self, Tree};
use bytes::Bytes;
use std::ops::RangeInclusive;
use std::rc::Rc;

/// Maximum bytes of a stream's listpack, regardless of the configured limits.
pub(super) const NODE_BYTES_MAX: usize = 1 << 30;

/// Bytes that Redis allocates for a new node, unless the limit is lower.
const FIRST_ALLOCATION_BYTES: usize = 4096;

/// Bytes of the flags before an entry; every value of the flags fits the smallest integer encoding.
const FLAGS_BYTES: usize = 2;

/// An entry of a stream: fields and values in the order in which they were added.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    fields: Rc<[Bytes]>,
    values: Rc<[Bytes]>,
    is_deleted: bool,
}

impl Entry {
    /// Pairs of field and value, in order; fields may repeat.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = (&Bytes, &Bytes)> {
        self.fields.iter().zip(self.values.iter())
    }

    /// Is it marked as deleted? Then it still takes memory but is invisible.
    pub fn is_deleted(&self) -> bool {
        self.is_deleted
    }
}

/// Consecutive entries of a stream in one listpack.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// The first entry's id, deleted or not: the node's key in the radix tree.
    master: Id,
    /// The first entry's fields.
    fields: Rc<[Bytes]>,
    entries: Tree<Id, Entry>,
    live: usize,
    bytes: usize,
    allocated: usize,
}

impl Node {
    /// An empty node for a first entry with this id and these fields.
    pub(super) fn new(master: Id, fields: &[Bytes], max_bytes: usize) -> Node {
        let first = if max_bytes > 0 { max_bytes.min(FIRST_ALLOCATION_BYTES) } else { FIRST_ALLOCATION_BYTES };
        let mut node = Node {
            master,
            fields: Rc::from(fields),
            entries: Tree::new(),
            live: 0,
            bytes: 0,
            allocated: memory::allocated(first.max(listpack::EMPTY_BYTES)),
        };
        node.grow(node.head_bytes());
        node
    }

    /// Id of the first entry, deleted or not: the node's key in the radix tree.
    pub fn id(&self) -> Id {
        self.master
    }

    /// Fields of the first entry; entries with the same fields omit them.
    pub fn fields(&self) -> &[Bytes] {
        &self.fields
    }

    /// Number of entries that are not deleted.
    pub fn live(&self) -> usize {
        self.live
    }

    /// Number of entries marked as deleted.
    pub fn deleted(&self) -> usize {
        self.entries.len() - self.live
    }

    /// Bytes of the listpack.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Bytes allocated for the listpack, used or not.
    pub fn allocated(&self) -> usize {
        self.allocated
    }

    /// All entries with their ids, in order, including those marked as deleted.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (Id, &Entry)> + ExactSizeIterator {
        self.entries.iter().map(|(id, entry)| (*id, entry))
    }

    /// Does this entry omit its fields because they are those of the first entry?
    pub fn shares_fields(&self, entry: &Entry) -> bool {
        entry.fields == self.fields
    }

    /// Bytes that this entry takes in the listpack.
    pub fn entry_bytes(&self, id: Id, entry: &Entry) -> usize {
        let delta = |value: u64, of: u64| int_bytes(value.wrapping_sub(of).cast_signed());
        let count = i64::try_from(entry.values.len()).unwrap_or(i64::MAX);
        let text = |words: &[Bytes]| words.iter().map(|word| listpack::entry_bytes(word)).sum::<usize>();
        let head = FLAGS_BYTES + delta(id.ms, self.master.ms) + delta(id.seq, self.master.seq) + text(&entry.values);
        if self.shares_fields(entry) {
            return head + int_bytes(count.saturating_add(3));
        }
        head + int_bytes(count) + text(&entry.fields) + int_bytes(count.saturating_mul(2).saturating_add(4))
    }

    /// Bytes before the entries, listpack header included.
    fn head_bytes(&self) -> usize {
        let fields = self.fields.iter().map(|field| listpack::entry_bytes(field)).sum::<usize>();
        let counts = size_bytes(self.live) + size_bytes(self.deleted()) + size_bytes(self.fields.len());
        listpack::EMPTY_BYTES + counts + fields + int_bytes(0)
    }

    /// Can an entry with this many bytes of text be added to this node?
    pub(super) fn has_room(&self, text_bytes: usize, max_bytes: usize, max_entries: usize) -> bool {
        let max_bytes = if max_bytes == 0 { NODE_BYTES_MAX } else { max_bytes.min(NODE_BYTES_MAX) };
        self.bytes.saturating_add(text_bytes) < max_bytes && (max_entries == 0 || self.entries.len() < max_entries)
    }

    /// Appends an entry.
    pub(super) fn push(&mut self, id: Id, fields: Vec<Bytes>, values: Vec<Bytes>) {
        let fields = if *fields == *self.fields { Rc::clone(&self.fields) } else { Rc::from(fields) };
        let entry = Entry { fields, values: Rc::from(values), is_deleted: false };
        let added = self.entry_bytes(id, &entry);
        let counts = size_bytes(self.live + 1).saturating_sub(size_bytes(self.live));
        self.entries.insert(id, entry);
        self.live += 1;
        self.grow(counts + added);
    }

    /// Marks the entry with this id as deleted; false if there is no such live entry.
    pub(super) fn mark(&mut self, id: Id) -> bool {
        if self.get(id).is_none_or(|entry| entry.is_deleted) {
            return false;
        }
        self.mark_unseen(id);
        self.recount(self.live - 1);
        true
    }

    /// Marks entries from the front as deleted while `goes` returns true; returns how many of them were live.
    pub(super) fn mark_front(&mut self, mut goes: impl FnMut(Id, bool) -> bool) -> usize {
        let goes = |(id, entry): &(Id, &Entry)| goes(*id, !entry.is_deleted);
        let gone: Vec<Id> = self.entries().take_while(goes).filter(|(_, e)| !e.is_deleted).map(|(id, _)| id).collect();
        for id in &gone {
            self.mark_unseen(*id);
        }
        self.recount(self.live - gone.len());
        gone.len()
    }

    fn mark_unseen(&mut self, id: Id) {
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.is_deleted = true;
        }
    }

    /// Updates the count of live entries, which may shrink the listpack, and then the count of deleted ones.
    fn recount(&mut self, live: usize) {
        let deleted = self.deleted();
        let (before, after) = (size_bytes(self.live), size_bytes(live));
        self.live = live;
        if after < before {
            self.bytes -= before - after;
            self.allocated = memory::allocated(self.bytes);
        }
        self.grow(size_bytes(self.deleted()).saturating_sub(size_bytes(deleted)));
    }

    fn grow(&mut self, by: usize) {
        self.bytes += by;
        self.allocated = self.allocated.max(memory::allocated(self.bytes));
    }

    /// Frees unused memory: nothing will be added to this node.
    pub(super) fn seal(&mut self) {
        self.allocated = memory::allocated(self.bytes);
    }

    /// The entry with this id, deleted or not.
    pub(super) fn get(&self, id: Id) -> Option<&Entry> {
        self.entries.get(&id)
    }

    /// Id of the last entry, deleted or not.
    pub(super) fn last_id(&self) -> Id {
        self.entries.last().map_or(self.master, |(id, _)| *id)
    }

    /// The entries with these ids, deleted ones included.
    pub(super) fn range(&self, ids: &RangeInclusive<Id>) -> tree::Iter<'_, Id, Entry> {
        let start = self.entries.lower_bound(|id| id < ids.start());
        let end = self.entries.lower_bound(|id| id <= ids.end());
        self.entries.range(start..end)
    }

    /// Verifies the stored counts and sizes against the entries, by recounting.
    ///
    /// # Errors
    /// A description of the first mismatch.
    pub(super) fn check(&self) -> Result<(), String> {
        let live = self.entries().filter(|(_, entry)| !entry.is_deleted).count();
        let entries: usize = self.entries().map(|(id, entry)| self.entry_bytes(id, entry)).sum();
        let wrongs = [
            (self.entries.first().map(|(id, _)| *id) != Some(self.master), "its key is not its first entry's id"),
            (self.entries.iter().any(|(_, e)| e.fields.len() != e.values.len()), "a field has no value"),
            (live != self.live, "the count of its entries is wrong"),
            (self.head_bytes() + entries != self.bytes, "its bytes are counted wrong"),
            (memory::allocated(self.bytes) > self.allocated, "it has less memory than bytes"),
        ];
        let wrong = wrongs.iter().find(|(is_so, _)| *is_so);
        wrong.map_or(Ok(()), |(_, wrong)| Err(format!("node {}: {wrong}", self.master)))
    }
}

fn size_bytes(size: usize) -> usize {
    int_bytes(i64::try_from(size).unwrap_or(i64::MAX))
}
