//! `Stream`: the value of type stream: a log of entries in listpack nodes, and the groups that read it.
//!
//! ```text
//!  radix tree by the id of each node's first entry
//!    1-0 ──► │ 1-0 │ 1-1 │ 2-0 ✗│        a node: live entries, and entries marked as deleted
//!    2-1 ──► │ 2-1 │ 2-2 │               a new node begins at the limits of bytes and entries
//!                        ▲
//!  group g  last delivered: 2-1          delivered entries without acknowledgement are pending,
//!    pending  1-1 (alice), 2-1 (bob)     in the group's list and in the consumer's list
//! ```
//! A node is removed with its last live entry. Trimming removes whole nodes from the front; only exact trimming then marks entries
//! inside a node. The stream itself stays when it is empty, because of its last id and its groups.
mod group;
mod id;
mod lag;
mod node;
mod radix;
mod read;
mod trim;

pub use group::{Consumer, Group, Pending};
pub use id::Id;
pub use node::{Entry, Node};
pub use read::{Claim, Claimed, Delivered};
pub use trim::{Trim, TrimTo};

use crate::value::limits::Limits;
use crate::value::tree::Tree;
use bytes::Bytes;
use node::NODE_BYTES_MAX;
use radix::IdTree;
use std::ops::RangeInclusive;

/// Size of Redis' `stream`: pointers, counters, ids.
const STREAM_BYTES: usize = 80;

/// A stream. Clones cost O(1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stream {
    nodes: IdTree<Node>,
    /// Number of live entries.
    len: usize,
    first_id: Id,
    last_id: Id,
    max_deleted_id: Id,
    /// Number of entries ever added. Like Redis' C counter it wraps, and `XSETID` may set it to any value.
    entries_added: u64,
    groups: Tree<Bytes, Group>,
    /// Bytes allocated for the listpacks of all nodes.
    listpacks: usize,
    /// Bytes of all groups.
    groups_memory: usize,
}

/// Why an entry was not added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Its id is not greater than the last one.
    NotAbove,
    /// The stream's last id is already the greatest possible id.
    Exhausted,
    /// It is too large for a listpack, or its millisecond has no sequence number left.
    TooLarge,
}

/// The requested id of a new entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewId {
    /// `*`: from the clock, but always greater than the last one.
    Auto,
    /// `ms-*`: the next sequence number in this millisecond.
    Millisecond(u64),
    /// Exactly this id.
    Exactly(Id),
}

impl Stream {
    /// An empty stream.
    pub fn new() -> Stream {
        Stream::default()
    }

    /// Number of entries, without the deleted ones.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Are there no entries? An empty stream may still have a last id and groups.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Id of the first entry; `0-0` when there is none.
    pub fn first_id(&self) -> Id {
        self.first_id
    }

    /// The greatest id ever used; a new one must be greater.
    pub fn last_id(&self) -> Id {
        self.last_id
    }

    /// The greatest id that `XDEL` ever deleted.
    pub fn max_deleted_id(&self) -> Id {
        self.max_deleted_id
    }

    /// Number of entries ever added.
    pub fn entries_added(&self) -> u64 {
        self.entries_added
    }

    /// As `OBJECT ENCODING` prints it.
    pub fn encoding(&self) -> &'static str {
        "stream"
    }

    /// Bytes that Redis would use for the value. O(1).
    pub fn memory(&self) -> usize {
        crate::value::memory::OBJECT_BYTES + STREAM_BYTES + self.nodes.memory() + self.listpacks + self.groups_memory
    }

    /// The listpack nodes in order.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = &Node> + ExactSizeIterator {
        self.nodes.iter().map(|(_, node)| node)
    }

    /// Number of nodes of the radix tree above the listpacks.
    pub fn radix_nodes(&self) -> usize {
        self.nodes.radix_nodes()
    }

    /// The entry with this id, unless it is deleted. O(log n).
    pub fn get(&self, id: Id) -> Option<&Entry> {
        let (_, node) = self.nodes.at_or_before(id)?;
        node.get(id).filter(|entry| !entry.is_deleted())
    }

    /// The entries with these ids, without deleted ones. Starting costs O(log n).
    pub fn range(&self, ids: RangeInclusive<Id>) -> impl DoubleEndedIterator<Item = (Id, &Entry)> {
        let nodes = self.nodes.reaching(&ids);
        let entries = nodes.flat_map(move |(_, node)| node.range(&ids));
        entries.filter(|(_, entry)| !entry.is_deleted()).map(|(id, entry)| (*id, entry))
    }

    /// Id of the last live entry; `0-0` if there is none.
    fn last_live_id(&self) -> Id {
        self.range(Id::MIN..=Id::MAX).next_back().map_or(Id::MIN, |(id, _)| id)
    }

    /// Is there an entry above this id?
    pub fn has_above(&self, id: Id) -> bool {
        self.len > 0 && self.last_live_id() > id
    }

    // ── growing ────────────────────────────────────────────────────────────────────────────────

    /// The id that a new entry would get at `now_ms` (Unix time in ms).
    ///
    /// # Errors
    /// [`Refusal::NotAbove`], [`Refusal::Exhausted`] or, without a sequence number left, [`Refusal::TooLarge`].
    pub fn next_id(&self, wanted: NewId, now_ms: u64) -> Result<Id, Refusal> {
        if self.last_id == Id::MAX {
            return Err(Refusal::Exhausted);
        }
        let id = match wanted {
            NewId::Auto if now_ms > self.last_id.ms => Id::new(now_ms, 0),
            NewId::Auto => self.last_id.next().ok_or(Refusal::Exhausted)?,
            NewId::Millisecond(ms) if ms == self.last_id.ms => {
                Id::new(ms, self.last_id.seq.checked_add(1).ok_or(Refusal::TooLarge)?)
            }
            NewId::Millisecond(ms) => Id::new(ms, 0),
            NewId::Exactly(id) => id,
        };
        if id > self.last_id { Ok(id) } else { Err(Refusal::NotAbove) }
    }

    /// Adds an entry with an id from [`Stream::next_id`]; `fields` and `values` must have the same length. O(log n).
    ///
    /// # Errors
    /// [`Refusal::TooLarge`]; then nothing has changed.
    pub fn push(&mut self, id: Id, fields: Vec<Bytes>, values: Vec<Bytes>, limits: &Limits) -> Result<(), Refusal> {
        let text_bytes = fields.iter().chain(&values).fold(0usize, |sum, word| sum.saturating_add(word.len()));
        if text_bytes > NODE_BYTES_MAX {
            return Err(Refusal::TooLarge);
        }
        let (max_bytes, max_entries) = (limits.stream_node_max_bytes, limits.stream_node_max_entries);
        let has_room = self.nodes.last().is_some_and(|(_, node)| node.has_room(text_bytes, max_bytes, max_entries));
        if !has_room {
            self.change_last_node(Node::seal);
            let node = Node::new(id, &fields, max_bytes);
            self.listpacks += node.allocated();
            self.nodes.insert(id, node);
        }
        self.change_last_node(|node| node.push(id, fields, values));
        self.len += 1;
        self.entries_added = self.entries_added.wrapping_add(1);
        self.last_id = id;
        if self.len == 1 {
            self.first_id = id;
        }
        Ok(())
    }

    fn change_last_node(&mut self, change: impl FnOnce(&mut Node)) {
        if let Some(node) = self.nodes.last_mut() {
            self.listpacks -= node.allocated();
            change(node);
            self.listpacks += node.allocated();
        }
    }

    // ── shrinking ──────────────────────────────────────────────────────────────────────────────

    /// Deletes an entry: marks it, and removes its node if no live entry is left in it. False if there is
    /// no such entry. O(log n).
    pub fn delete(&mut self, id: Id) -> bool {
        if self.get(id).is_none() {
            return false;
        }
        let Some((key, node)) = self.nodes.at_or_before(id) else { return false };
        if node.live() == 1 {
            self.remove_node(key);
        } else if let Some(node) = self.nodes.get_mut(key) {
            self.listpacks -= node.allocated();
            node.mark(id);
            self.listpacks += node.allocated();
            self.len -= 1;
        }
        self.max_deleted_id = self.max_deleted_id.max(id);
        if id == self.first_id || self.len == 0 {
            self.find_first();
        }
        true
    }

    /// Removes a node with all its entries.
    fn remove_node(&mut self, key: Id) {
        if let Some(node) = self.nodes.remove(key) {
            self.listpacks -= node.allocated();
            self.len -= node.live();
        }
    }

    /// Updates the first id after entries were removed from the front.
    fn find_first(&mut self) {
        let first = self.range(Id::MIN..=Id::MAX).next().map(|(id, _)| id);
        self.first_id = first.unwrap_or(Id::MIN);
    }

    /// Sets the fields that `XSETID` sets; the caller has checked the values.
    pub fn set_last_id(&mut self, last_id: Id, entries_added: Option<u64>, max_deleted_id: Option<Id>) {
        self.last_id = last_id;
        self.entries_added = entries_added.unwrap_or(self.entries_added);
        self.max_deleted_id = max_deleted_id.unwrap_or(self.max_deleted_id);
    }

    /// The copy that `COPY` makes: the same contents without unused memory. O(nodes).
    pub fn copied(&self) -> Stream {
        let mut copy = self.clone();
        for key in self.nodes.iter().map(|(key, _)| *key) {
            if let Some(node) = copy.nodes.get_mut(key) {
                copy.listpacks -= node.allocated();
                node.seal();
                copy.listpacks += node.allocated();
            }
        }
        copy
    }

    // ── proof ──────────────────────────────────────────────────────────────────────────────────

    /// Verifies the stored counts against nodes and groups, by recounting. O(n).
    ///
    /// # Errors
    /// A description of the first mismatch.
    pub fn check(&self) -> Result<(), String> {
        self.nodes.check()?;
        for (key, node) in self.nodes.iter() {
            node.check()?;
            if *key != node.id() {
                return Err(format!("node {} stands under {key}", node.id()));
            }
        }
        let ends = self.nodes().zip(self.nodes().skip(1));
        let live: usize = self.nodes().map(Node::live).sum();
        let allocated: usize = self.nodes().map(Node::allocated).sum();
        let groups: usize = self.groups.values().map(Group::memory).sum();
        let first = self.range(Id::MIN..=Id::MAX).next().map_or(Id::MIN, |(id, _)| id);
        let wrongs = [
            (ends.into_iter().any(|(node, next)| node.last_id() >= next.id()), "nodes overlap"),
            (live != self.len, "the number of entries is wrong"),
            (allocated != self.listpacks, "the bytes of the listpacks are wrong"),
            (groups != self.groups_memory, "the bytes of the groups are wrong"),
            (first != self.first_id, "the first id is not the first entry's"),
            (self.nodes.last().is_some_and(|(_, node)| node.last_id() > self.last_id), "an entry is above the last id"),
        ];
        if let Some((_, wrong)) = wrongs.iter().find(|(is_so, _)| *is_so) {
            return Err((*wrong).to_owned());
        }
        self.groups
            .iter()
            .try_for_each(|(name, group)| group.check().map_err(|wrong| format!("group {name:?}: {wrong}")))
    }
}

#[cfg(test)]
mod tests;
