//! `List`: the value of type list, with the nodes that Redis' quicklist would have.
//!
//! ```text
//! elements   ┌ a b c d e │ f g ┐                    packed into chunks of a kilobyte ([`elements`])
//! nodes      └─ 3, 19 B ─┴── 4, 23 B ────┘          how a quicklist would split the same elements into listpacks
//! ```
//!
//! A quicklist is a chain of listpacks, each limited in bytes or in entries (`list-max-listpack-size`). Which
//! element is in which node depends on the history of the list, and lessons show it. So the nodes follow Redis' own rules for
//! filling, splitting and merging, but are stored as numbers only: how much a change copies after a clone does not depend on their size.
mod chunk;
mod deque;
mod elements;

pub use chunk::Element;
pub use elements::Iter;

use crate::value::limits::Limits;
use crate::value::{listpack, memory};
use bytes::Bytes;
use chunk::Side;
use deque::Deque;
use elements::Elements;
use std::ops::RangeBounds;

/// Maximum bytes of a node if the limit counts entries (`SIZE_SAFETY_LIMIT`).
const SAFETY_BYTES: usize = 8192;
/// Bytes that Redis adds to an element's length to estimate its size in a listpack (`SIZE_ESTIMATE_OVERHEAD`).
const OVERHEAD_BYTES: usize = 8;
/// Bytes that Redis 7.0 subtracts from the sum of two nodes to estimate the merged size: the header of a ziplist, which listpacks
/// replaced, and not the 7 bytes that merging really saves. So a node may exceed its limit by four bytes.
const MERGED_BYTES: usize = 11;
/// Up to this many elements are removed one by one; more are removed in one walk.
const REMOVALS_SINGLE_MAX: usize = 8;
/// Byte limits of a node for `list-max-listpack-size` -1 … -5.
const NODE_BYTES: [usize; 5] = [4096, 8192, 16_384, 32_768, 65_536];

/// One node of the quicklist: the number of its elements and the bytes of its listpack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// Elements in this node.
    pub count: usize,
    /// Bytes of its listpack, header and terminator included.
    pub bytes: usize,
}

impl Node {
    fn of(element: &[u8]) -> Self {
        Self { count: 1, bytes: listpack::EMPTY_BYTES + listpack::entry_bytes(element) }
    }

    /// Bytes that Redis uses for the node and its listpack.
    fn memory(&self) -> usize {
        memory::QUICKLIST_NODE_BYTES + memory::allocated(self.bytes)
    }

    /// Counts one more element in the node and in the memory of the list.
    fn take_in(&mut self, element: &[u8], memory: &mut usize) {
        let before = self.memory();
        self.count += 1;
        self.bytes += listpack::entry_bytes(element);
        *memory += self.memory() - before;
    }

    /// Counts one element less in the node and in the memory of the list.
    fn let_go(&mut self, element: &[u8], memory: &mut usize) {
        let before = self.memory();
        self.count -= 1;
        self.bytes -= listpack::entry_bytes(element);
        *memory -= before - self.memory();
    }
}

/// The size limit of a node: `list-max-listpack-size` when the list was created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Fill(i16);

impl Fill {
    fn new(limits: &Limits) -> Self {
        Self(limits.list_max_listpack_size.clamp(-5, i64::from(i16::MAX)) as i16)
    }

    fn fits(self, count: usize, bytes: usize) -> bool {
        match usize::try_from(self.0) {
            Ok(count_max) => bytes <= SAFETY_BYTES && count <= count_max,
            Err(_) => {
                let at = usize::from(self.0.unsigned_abs()).saturating_sub(1);
                NODE_BYTES.get(at).is_some_and(|bytes_max| bytes <= *bytes_max)
            }
        }
    }

    fn takes(self, node: Option<&Node>, element: &[u8]) -> bool {
        node.is_some_and(|node| self.fits(node.count + 1, node.bytes + element.len() + OVERHEAD_BYTES))
    }

    fn merges(self, left: Option<&Node>, right: Option<&Node>) -> bool {
        match (left, right) {
            (Some(left), Some(right)) => self.fits(left.count + right.count, left.bytes + right.bytes - MERGED_BYTES),
            _ => false,
        }
    }
}

/// Position of an element: its node, and its index within the node.
#[derive(Clone, Copy)]
struct Spot {
    node: usize,
    offset: usize,
    count: usize,
}

/// A list. Clones cost O(1).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct List {
    elements: Elements,
    nodes: Deque<Node>,
    /// Sum of the nodes' memory in bytes.
    node_memory: usize,
    fill: Fill,
}

impl List {
    /// An empty list. Its node size limit is taken from `limits` now and never changes, as in Redis.
    pub fn new(limits: &Limits) -> Self {
        Self { elements: Elements::new(), nodes: Deque::new(), node_memory: 0, fill: Fill::new(limits) }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at an index from the head. O(1) near the ends; elsewhere it walks over chunks from the nearer end.
    pub fn get(&self, index: usize) -> Option<Element<'_>> {
        self.elements.get(index)
    }

    /// Double-ended iterator over all elements from head to tail.
    pub fn iter(&self) -> Iter<'_> {
        self.range(..)
    }

    /// Double-ended iterator over the elements in `range` (clamped to existing indices). Starting costs as much as [`List::get`].
    pub fn range(&self, range: impl RangeBounds<usize>) -> Iter<'_> {
        self.elements.range(range)
    }

    /// The nodes of the quicklist from head to tail: for the visualisation.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = Node> {
        self.nodes.iter().copied()
    }

    /// Adds an element at the head.
    pub fn push_front(&mut self, element: &Bytes) {
        match self.nodes.first_mut() {
            Some(node) if self.fill.takes(Some(node), element) => node.take_in(element, &mut self.node_memory),
            _ => self.insert_node(0, Node::of(element)),
        }
        self.elements.push(element, Side::Front);
    }

    /// Adds an element at the tail.
    pub fn push_back(&mut self, element: &Bytes) {
        match self.nodes.last_mut() {
            Some(node) if self.fill.takes(Some(node), element) => node.take_in(element, &mut self.node_memory),
            _ => self.insert_node(self.nodes.len(), Node::of(element)),
        }
        self.elements.push(element, Side::Back);
    }

    /// Removes the first element.
    pub fn pop_front(&mut self) -> Option<Bytes> {
        let element = self.elements.pop(Side::Front)?;
        match self.nodes.first_mut() {
            Some(node) if node.count > 1 => node.let_go(&element, &mut self.node_memory),
            _ => drop(self.remove_node(0)),
        }
        Some(element)
    }

    /// Removes the last element.
    pub fn pop_back(&mut self) -> Option<Bytes> {
        let element = self.elements.pop(Side::Back)?;
        match self.nodes.last_mut() {
            Some(node) if node.count > 1 => node.let_go(&element, &mut self.node_memory),
            _ => drop(self.remove_node(self.nodes.len().saturating_sub(1))),
        }
        Some(element)
    }

    /// Replaces the element at an index; returns whether it exists. The node may exceed its limit, as in Redis.
    pub fn set(&mut self, index: usize, element: &Bytes) -> bool {
        let Some(spot) = self.spot(index) else { return false };
        let new_bytes = listpack::entry_bytes(element);
        let Some(old) = self.elements.set(index, element) else { return false };
        let old_bytes = listpack::entry_bytes(&old);
        self.change_node(spot.node, |node| node.bytes = node.bytes + new_bytes - old_bytes);
        true
    }

    /// Inserts an element before the one at `index`; returns whether that one exists.
    pub fn insert_before(&mut self, index: usize, element: &Bytes) -> bool {
        self.insert(index, element, false)
    }

    /// Inserts an element after the one at `index`; returns whether that one exists.
    pub fn insert_after(&mut self, index: usize, element: &Bytes) -> bool {
        self.insert(index, element, true)
    }

    fn insert(&mut self, index: usize, element: &Bytes, after: bool) -> bool {
        let Some(spot) = self.spot(index) else { return false };
        let Spot { node, offset, count } = spot;
        let neighbour = if after { Some(node + 1) } else { node.checked_sub(1) };
        let at_edge = if after { offset + 1 == count } else { offset == 0 };
        let neighbour_takes = neighbour.filter(|at| self.fill.takes(self.nodes.nth(*at), element));
        if self.fill.takes(self.nodes.nth(node), element) {
            self.grow_node(node, element);
        } else if at_edge {
            match neighbour_takes {
                Some(neighbour) => self.grow_node(neighbour, element),
                None => self.insert_node(node + usize::from(after), Node::of(element)),
            }
        } else {
            self.split_and_insert(spot, index, element, after);
        }
        let at = index + usize::from(after);
        if !self.elements.insert(at, element) {
            self.elements.push(element, Side::Back);
        }
        true
    }

    /// Splits a full node next to the element at `spot`, adds the new element to the part without it, and merges small nodes.
    fn split_and_insert(&mut self, spot: Spot, index: usize, element: &[u8], after: bool) {
        let start = index - spot.offset;
        let cut = spot.offset + usize::from(after);
        let left_entries = self.entry_bytes(start, start + cut);
        let Some(whole) = self.nodes.nth(spot.node).copied() else { return };
        let mut left = Node { count: cut, bytes: listpack::EMPTY_BYTES + left_entries };
        let mut right = Node { count: whole.count - cut, bytes: whole.bytes - left_entries };
        let grown = if after { &mut right } else { &mut left };
        grown.count += 1;
        grown.bytes += listpack::entry_bytes(element);
        self.change_node(spot.node, |node| *node = left);
        self.insert_node(spot.node + 1, right);
        // Redis keeps the part with the old element as its node and merges around it.
        self.merge_around(spot.node + usize::from(!after));
    }

    /// Redis' merging around a node: the two before it, the two after it, the previous one with it, it with the next one.
    fn merge_around(&mut self, mut center: usize) {
        if center >= 2 && self.merge(center - 2) {
            center -= 1;
        }
        self.merge(center + 1);
        if center >= 1 && self.merge(center - 1) {
            center -= 1;
        }
        self.merge(center);
    }

    /// Merges a node with the next one if both fit into one.
    fn merge(&mut self, left: usize) -> bool {
        if !self.fill.merges(self.nodes.nth(left), self.nodes.nth(left + 1)) {
            return false;
        }
        let Some(right) = self.remove_node(left + 1) else { return false };
        self.change_node(left, |node| {
            node.count += right.count;
            node.bytes += right.bytes - listpack::EMPTY_BYTES;
        });
        true
    }

    /// Removes the element at an index.
    pub fn remove(&mut self, index: usize) -> Option<Bytes> {
        let spot = self.spot(index)?;
        let element = self.elements.remove(index)?;
        self.shrink_node(spot.node, &element);
        Some(element)
    }

    /// Removes elements equal to `element`: the first `count` of them, the last `-count` if negative, all if 0.
    /// Returns how many. O(n).
    pub fn remove_matching(&mut self, element: &[u8], count: i64) -> usize {
        let most = match usize::try_from(count.unsigned_abs()) {
            Ok(0) | Err(_) => usize::MAX,
            Ok(most) => most,
        };
        let mut found: Vec<usize> = if count >= 0 {
            self.iter().enumerate().filter(|(_, known)| *known == element).map(|(at, _)| at).take(most).collect()
        } else {
            self.iter().enumerate().rev().filter(|(_, known)| *known == element).map(|(at, _)| at).take(most).collect()
        };
        if count < 0 {
            found.reverse();
        }
        if found.len() > REMOVALS_SINGLE_MAX {
            self.remove_all(&found);
        } else {
            // From the tail, so that the remaining indices stay valid.
            for index in found.iter().rev() {
                self.remove(*index);
            }
        }
        found.len()
    }

    /// Removes the elements at these indices (ascending) by rebuilding the list. O(n).
    fn remove_all(&mut self, indices: &[usize]) {
        let mut gone = indices.iter().copied().peekable();
        let mut elements = Vec::with_capacity(self.len() - indices.len());
        let mut nodes = Vec::with_capacity(self.nodes.len());
        let mut old = self.iter().enumerate();
        for mut node in self.nodes() {
            for (index, element) in old.by_ref().take(node.count) {
                if gone.next_if_eq(&index).is_some() {
                    node.count -= 1;
                    node.bytes -= listpack::entry_bytes(&element);
                } else {
                    elements.push(element.to_bytes());
                }
            }
            if node.count > 0 {
                nodes.push(node);
            }
        }
        self.node_memory = nodes.iter().map(Node::memory).sum();
        self.elements = elements.into_iter().collect();
        self.nodes = nodes.into_iter().collect();
    }

    /// Keeps only the elements with the indices `start..end`. Nodes outside are removed as a whole: O(nodes), plus dropping the elements.
    pub fn trim(&mut self, start: usize, end: usize) {
        let end = end.min(self.len());
        let (Some(first), Some(last)) = (self.spot(start), end.checked_sub(1).and_then(|at| self.spot(at))) else {
            self.clear();
            return;
        };
        if start >= end {
            self.clear();
            return;
        }
        let cut_front = Node { count: first.offset, bytes: self.entry_bytes(start - first.offset, start) };
        let behind = last.count - last.offset - 1;
        let cut_back = Node { count: behind, bytes: self.entry_bytes(end, end + behind) };
        self.nodes.keep_range(first.node, last.node + 1);
        self.elements.keep_range(start, end);
        self.node_memory = self.nodes().map(|node| node.memory()).sum();
        for (at, cut) in [(0, cut_front), (self.nodes.len() - 1, cut_back)] {
            self.change_node(at, |node| {
                node.count -= cut.count;
                node.bytes -= cut.bytes;
            });
        }
    }

    fn clear(&mut self) {
        *self = Self { elements: Elements::new(), nodes: Deque::new(), node_memory: 0, fill: self.fill };
    }

    /// Bytes of the elements `start..end` inside listpacks.
    fn entry_bytes(&self, start: usize, end: usize) -> usize {
        self.range(start..end).map(|element| listpack::entry_bytes(&element)).sum()
    }

    /// As `OBJECT ENCODING` prints it.
    pub fn encoding(&self) -> &'static str {
        "quicklist"
    }

    /// Bytes that Redis would use. O(1).
    pub fn memory(&self) -> usize {
        memory::OBJECT_BYTES + memory::QUICKLIST_BYTES + self.node_memory
    }

    /// Verifies the stored sizes against the elements, by recounting.
    ///
    /// # Errors
    /// A description of the first mismatch.
    pub fn check(&self) -> Result<(), String> {
        self.elements.check()?;
        let mut elements = self.iter();
        let mut memory = 0;
        for (at, node) in self.nodes().enumerate() {
            let bytes = elements
                .by_ref()
                .take(node.count)
                .fold(listpack::EMPTY_BYTES, |sum, element| sum + listpack::entry_bytes(&element));
            if bytes != node.bytes || node.count == 0 {
                return Err(format!("node {at}: {node:?} noted, {bytes} bytes counted"));
            }
            memory += node.memory();
        }
        if elements.len() != 0 || memory != self.node_memory {
            return Err(format!(
                "{} elements in no node; {} bytes noted, {memory} counted",
                elements.len(),
                self.node_memory
            ));
        }
        Ok(())
    }

    /// Finds the node of an element, walking from the nearer end as Redis does. O(nodes).
    fn spot(&self, index: usize) -> Option<Spot> {
        let len = self.len();
        if index >= len {
            return None;
        }
        if index < len / 2 {
            let mut offset = index;
            for (node, Node { count, .. }) in self.nodes().enumerate() {
                if offset < count {
                    return Some(Spot { node, offset, count });
                }
                offset -= count;
            }
        } else {
            let (mut node, mut start) = (self.nodes.len(), len);
            for Node { count, .. } in self.nodes().rev() {
                (node, start) = (node - 1, start - count);
                if index >= start {
                    return Some(Spot { node, offset: index - start, count });
                }
            }
        }
        None
    }

    fn change_node(&mut self, at: usize, change: impl FnOnce(&mut Node)) {
        let Some(node) = self.nodes.nth_mut(at) else { return };
        self.node_memory -= node.memory();
        change(node);
        self.node_memory += node.memory();
    }

    fn insert_node(&mut self, at: usize, node: Node) {
        self.node_memory += node.memory();
        self.nodes.insert_at(at, node);
    }

    fn remove_node(&mut self, at: usize) -> Option<Node> {
        let node = self.nodes.remove_at(at)?;
        self.node_memory -= node.memory();
        Some(node)
    }

    fn grow_node(&mut self, at: usize, element: &[u8]) {
        if let Some(node) = self.nodes.nth_mut(at) {
            node.take_in(element, &mut self.node_memory);
        }
    }

    fn shrink_node(&mut self, at: usize, element: &[u8]) {
        match self.nodes.nth_mut(at) {
            Some(node) if node.count > 1 => node.let_go(element, &mut self.node_memory),
            _ => drop(self.remove_node(at)),
        }
    }
}

impl<'a> IntoIterator for &'a List {
    type Item = Element<'a>;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

#[cfg(test)]
mod tests;
