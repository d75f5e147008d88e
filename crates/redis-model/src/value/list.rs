//! `List`: the value of type list, with the nodes that Redis' quicklist would have.
//!
//! ```text
//! elements   ┌ a │ b │ c │ d │ e │ f │ g ┐          one persistent sequence: index, ends and ranges in O(log n)
//! nodes      └─ 3, 19 B ─┴── 4, 23 B ────┘          beside it, how a quicklist would cut it into listpacks
//! ```
//!
//! A quicklist is a chain of listpacks, each limited in bytes or in entries (`list-max-listpack-size`). Which
//! element lies in which node depends on how the list came about, and lessons show it; so the cuts are kept, by Redis' own rules for
//! filling, splitting and merging, but as numbers only: no element is copied when a node is cut in two.
use crate::value::limits::Limits;
use crate::value::tree::{self, Tree};
use crate::value::{listpack, memory};
use bytes::Bytes;
use std::ops::RangeBounds;

/// Bytes a node may have where the limit counts entries (`SIZE_SAFETY_LIMIT`).
const SAFETY_BYTES: usize = 8192;
/// What Redis adds to an element's length to guess what it takes in a listpack (`SIZE_ESTIMATE_OVERHEAD`).
const OVERHEAD_BYTES: usize = 8;
/// What Redis 7.0 takes off the sum of two nodes to guess what they take as one: the head of a ziplist, which listpacks replaced,
/// and not the 7 bytes that a merger does save. So a node may outgrow its limit by four bytes.
const MERGED_BYTES: usize = 11;
/// More elements than this are removed in one walk, fewer one by one.
const REMOVALS_SINGLE_MAX: usize = 8;
/// Bytes limits of a node for -1 … -5.
const NODE_BYTES: [usize; 5] = [4096, 8192, 16_384, 32_768, 65_536];

/// One node of the quicklist: so many elements in so many bytes of listpack.
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
}

/// How full a node may become: the list's `list-max-listpack-size` at the time when it was made.
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

/// Where an element lies: which node, and how far into it.
#[derive(Clone, Copy)]
struct Spot {
    node: usize,
    offset: usize,
    count: usize,
}

/// A list. Clones cost O(1).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct List {
    elements: Tree<(), Bytes>,
    nodes: Tree<(), Node>,
    /// Sum of what the nodes take in memory.
    node_memory: usize,
    fill: Fill,
}

impl List {
    /// An empty list. The size of its nodes is that of `limits` now, for as long as it lives, as in Redis.
    pub fn new(limits: &Limits) -> Self {
        Self { elements: Tree::new(), nodes: Tree::new(), node_memory: 0, fill: Fill::new(limits) }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The element at an index from the head. O(log n).
    pub fn get(&self, index: usize) -> Option<&Bytes> {
        self.elements.nth(index).map(|((), element)| element)
    }

    /// All elements from head to tail, from both ends.
    pub fn iter(&self) -> Iter<'_> {
        self.range(..)
    }

    /// The elements with the indices `range` (clamped to those that exist), from both ends. Starting costs O(log n).
    pub fn range(&self, range: impl RangeBounds<usize>) -> Iter<'_> {
        Iter(self.elements.range(range))
    }

    /// The nodes of the quicklist from head to tail: for the picture.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = Node> + ExactSizeIterator {
        self.nodes.values().copied()
    }

    /// Adds an element at the head.
    pub fn push_front(&mut self, element: Bytes) {
        if self.fill.takes(self.node(0), &element) {
            self.grow_node(0, &element);
        } else {
            self.insert_node(0, Node::of(&element));
        }
        self.elements.insert_at(0, element);
    }

    /// Adds an element at the tail.
    pub fn push_back(&mut self, element: Bytes) {
        let last = self.nodes.len().saturating_sub(1);
        if self.fill.takes(self.node(last), &element) {
            self.grow_node(last, &element);
        } else {
            self.insert_node(self.nodes.len(), Node::of(&element));
        }
        self.elements.insert_at(self.elements.len(), element);
    }

    /// Takes out the first element.
    pub fn pop_front(&mut self) -> Option<Bytes> {
        let ((), element) = self.elements.pop_first()?;
        self.shrink_node(0, &element);
        Some(element)
    }

    /// Takes out the last element.
    pub fn pop_back(&mut self) -> Option<Bytes> {
        let ((), element) = self.elements.pop_last()?;
        self.shrink_node(self.nodes.len().saturating_sub(1), &element);
        Some(element)
    }

    /// Replaces the element at an index; answers whether there is one. The node may outgrow its limit, as in Redis.
    pub fn set(&mut self, index: usize, element: Bytes) -> bool {
        let Some(spot) = self.spot(index) else { return false };
        let new_bytes = listpack::entry_bytes(&element);
        let Some(place) = self.elements.nth_mut(index) else { return false };
        let old = std::mem::replace(place, element);
        let old_bytes = listpack::entry_bytes(&old);
        self.change_node(spot.node, |node| node.bytes = node.bytes + new_bytes - old_bytes);
        true
    }

    /// Puts an element before the one at `index`; answers whether there is one.
    pub fn insert_before(&mut self, index: usize, element: Bytes) -> bool {
        self.insert(index, element, false)
    }

    /// Puts an element behind the one at `index`; answers whether there is one.
    pub fn insert_after(&mut self, index: usize, element: Bytes) -> bool {
        self.insert(index, element, true)
    }

    fn insert(&mut self, index: usize, element: Bytes, after: bool) -> bool {
        let Some(spot) = self.spot(index) else { return false };
        let Spot { node, offset, count } = spot;
        let neighbour = if after { Some(node + 1) } else { node.checked_sub(1) };
        let at_edge = if after { offset + 1 == count } else { offset == 0 };
        let neighbour_takes = neighbour.filter(|at| self.fill.takes(self.node(*at), &element));
        if self.fill.takes(self.node(node), &element) {
            self.grow_node(node, &element);
        } else if at_edge {
            match neighbour_takes {
                Some(neighbour) => self.grow_node(neighbour, &element),
                None => self.insert_node(node + usize::from(after), Node::of(&element)),
            }
        } else {
            self.split_and_insert(spot, index, &element, after);
        }
        self.elements.insert_at(index + usize::from(after), element);
        true
    }

    /// Cuts a full node beside the element at `spot`, adds the new one to the part without it, and merges what has become small.
    fn split_and_insert(&mut self, spot: Spot, index: usize, element: &[u8], after: bool) {
        let start = index - spot.offset;
        let cut = spot.offset + usize::from(after);
        let left_entries = self.entry_bytes(start, start + cut);
        let Some(whole) = self.node(spot.node).copied() else { return };
        let mut left = Node { count: cut, bytes: listpack::EMPTY_BYTES + left_entries };
        let mut right = Node { count: whole.count - cut, bytes: whole.bytes - left_entries };
        let grown = if after { &mut right } else { &mut left };
        grown.count += 1;
        grown.bytes += listpack::entry_bytes(element);
        self.change_node(spot.node, |node| *node = left);
        self.insert_node(spot.node + 1, right);
        // Redis keeps the part with the old element as its node and merges around that one.
        self.merge_around(spot.node + usize::from(!after));
    }

    /// Redis' merging around a node: the two before it, the two behind it, the one before with it, it with the one behind.
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

    /// Merges a node with the next one where both fit into one.
    fn merge(&mut self, left: usize) -> bool {
        if !self.fill.merges(self.node(left), self.node(left + 1)) {
            return false;
        }
        let Some(right) = self.remove_node(left + 1) else { return false };
        self.change_node(left, |node| {
            node.count += right.count;
            node.bytes += right.bytes - listpack::EMPTY_BYTES;
        });
        true
    }

    /// Takes out the element at an index.
    pub fn remove(&mut self, index: usize) -> Option<Bytes> {
        let spot = self.spot(index)?;
        let ((), element) = self.elements.remove_at(index)?;
        self.shrink_node(spot.node, &element);
        Some(element)
    }

    /// Takes out elements equal to `element`: the first `count` of them, the last `-count` for a negative one, all for 0.
    /// Answers how many. O(n).
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
            // From the tail on, so that indices still to come stay true.
            for index in found.iter().rev() {
                self.remove(*index);
            }
        }
        found.len()
    }

    /// Takes out the elements at these indices, which ascend, by building the list anew. O(n).
    fn remove_all(&mut self, indices: &[usize]) {
        let mut gone = indices.iter().copied().peekable();
        let mut elements = Vec::with_capacity(self.len() - indices.len());
        let mut nodes = Vec::with_capacity(self.nodes.len());
        let mut old = self.iter().enumerate();
        for mut node in self.nodes() {
            for (index, element) in old.by_ref().take(node.count) {
                if gone.next_if_eq(&index).is_some() {
                    node.count -= 1;
                    node.bytes -= listpack::entry_bytes(element);
                } else {
                    elements.push(((), element.clone()));
                }
            }
            if node.count > 0 {
                nodes.push(((), node));
            }
        }
        self.node_memory = nodes.iter().map(|(_, node)| node.memory()).sum();
        self.elements = Tree::from_sorted(elements);
        self.nodes = Tree::from_sorted(nodes);
    }

    /// Keeps only the elements with the indices `start..end`. Nodes outside go whole: O(nodes) beside freeing what goes.
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
        *self = Self { elements: Tree::new(), nodes: Tree::new(), node_memory: 0, fill: self.fill };
    }

    /// Bytes that the elements `start..end` take within listpacks.
    fn entry_bytes(&self, start: usize, end: usize) -> usize {
        self.range(start..end).map(|element| listpack::entry_bytes(element)).sum()
    }

    /// As `OBJECT ENCODING` prints it.
    pub fn encoding(&self) -> &'static str {
        "quicklist"
    }

    /// Bytes that Redis would use. O(1).
    pub fn memory(&self) -> usize {
        memory::OBJECT_BYTES + memory::QUICKLIST_BYTES + self.node_memory
    }

    /// Proves what is kept beside the elements, by counting again.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self) -> Result<(), String> {
        let mut elements = self.iter();
        let mut memory = 0;
        for (at, node) in self.nodes().enumerate() {
            let bytes = listpack::bytes(elements.by_ref().take(node.count).map(|element| &element[..]));
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

    fn node(&self, at: usize) -> Option<&Node> {
        self.nodes.nth(at).map(|((), node)| node)
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
            let mut start = len;
            for (node, Node { count, .. }) in self.nodes().enumerate().rev() {
                start -= count;
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
        let ((), node) = self.nodes.remove_at(at)?;
        self.node_memory -= node.memory();
        Some(node)
    }

    fn grow_node(&mut self, at: usize, element: &[u8]) {
        self.change_node(at, |node| {
            node.count += 1;
            node.bytes += listpack::entry_bytes(element);
        });
    }

    fn shrink_node(&mut self, at: usize, element: &[u8]) {
        if self.node(at).is_some_and(|node| node.count == 1) {
            self.remove_node(at);
            return;
        }
        self.change_node(at, |node| {
            node.count -= 1;
            node.bytes -= listpack::entry_bytes(element);
        });
    }
}

/// Elements of a list, from both ends.
#[derive(Clone)]
pub struct Iter<'a>(tree::Iter<'a, (), Bytes>);

impl<'a> Iterator for Iter<'a> {
    type Item = &'a Bytes;

    fn next(&mut self) -> Option<&'a Bytes> {
        self.0.next().map(|((), element)| element)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<&'a Bytes> {
        self.0.nth(n).map(|((), element)| element)
    }
}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|((), element)| element)
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl<'a> IntoIterator for &'a List {
    type Item = &'a Bytes;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn element() -> impl Strategy<Value = Bytes> {
        prop_oneof![
            6 => "[a-c]",
            3 => "[0-9]{1,6}",
            1 => (100usize..3000).prop_map(|length| "x".repeat(length)),
        ]
        .prop_map(Bytes::from)
    }

    #[derive(Clone, Debug)]
    enum Step {
        PushFront(Bytes),
        PushBack(Bytes),
        PopFront,
        PopBack,
        Insert(prop::sample::Index, bool, Bytes),
        Set(prop::sample::Index, Bytes),
        RemoveMatching(Bytes, i64),
        Trim(prop::sample::Index, prop::sample::Index),
    }

    fn step() -> impl Strategy<Value = Step> {
        use prop::sample::Index;
        prop_oneof![
            6 => element().prop_map(Step::PushFront),
            6 => element().prop_map(Step::PushBack),
            2 => Just(Step::PopFront),
            2 => Just(Step::PopBack),
            9 => (any::<Index>(), any::<bool>(), element()).prop_map(|(at, after, e)| Step::Insert(at, after, e)),
            3 => (any::<Index>(), element()).prop_map(|(at, e)| Step::Set(at, e)),
            1 => (element(), -3i64..4).prop_map(|(e, count)| Step::RemoveMatching(e, count)),
            1 => (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Step::Trim(a, b)),
        ]
    }

    fn on_vector(model: &mut Vec<Bytes>, step: &Step) {
        let len = model.len();
        match step.clone() {
            Step::PushFront(e) => model.insert(0, e),
            Step::PushBack(e) => model.push(e),
            Step::PopFront => drop((len > 0).then(|| model.remove(0))),
            Step::PopBack => drop(model.pop()),
            Step::Insert(at, after, e) if len > 0 => model.insert(at.index(len) + usize::from(after), e),
            Step::Set(at, e) if len > 0 => model[at.index(len)] = e,
            Step::RemoveMatching(e, count) => {
                let mut left = if count == 0 { usize::MAX } else { count.unsigned_abs() as usize };
                let mut keep = |known: &Bytes| {
                    *known != e || left == 0 || {
                        left -= 1;
                        false
                    }
                };
                if count >= 0 {
                    model.retain(keep);
                } else {
                    model.reverse();
                    model.retain(&mut keep);
                    model.reverse();
                }
            }
            Step::Trim(a, b) if len > 0 => {
                let (a, b) = (a.index(len).min(b.index(len)), a.index(len).max(b.index(len)));
                *model = model[a..=b].to_vec();
            }
            _ => {}
        }
    }

    fn on_list(list: &mut List, step: &Step) {
        let len = list.len();
        match step.clone() {
            Step::PushFront(e) => list.push_front(e),
            Step::PushBack(e) => list.push_back(e),
            Step::PopFront => drop(list.pop_front()),
            Step::PopBack => drop(list.pop_back()),
            Step::Insert(at, after, e) if len > 0 => {
                let at = at.index(len);
                assert!(if after { list.insert_after(at, e) } else { list.insert_before(at, e) });
            }
            Step::Set(at, e) if len > 0 => assert!(list.set(at.index(len), e)),
            Step::RemoveMatching(e, count) => {
                let before = list.len();
                let removed = list.remove_matching(&e, count);
                assert_eq!(list.len(), before - removed);
            }
            Step::Trim(a, b) if len > 0 => {
                let (a, b) = (a.index(len).min(b.index(len)), a.index(len).max(b.index(len)));
                list.trim(a, b + 1);
            }
            _ => {}
        }
    }

    proptest! {
        #[test]
        fn behaves_as_a_vector_and_clones_never_change(
            steps in prop::collection::vec(step(), 0..120),
            size in prop_oneof![-5i64..0, 1i64..6],
        ) {
            let mut list = List::new(&Limits { list_max_listpack_size: size, ..Limits::DEFAULT });
            let mut model = Vec::new();
            let mut earlier = Vec::new();
            for (at, step) in steps.iter().enumerate() {
                on_list(&mut list, step);
                on_vector(&mut model, step);
                prop_assert_eq!(list.check(), Ok(()));
                if at % 10 == 0 { earlier.push((list.clone(), model.clone())); }
            }
            earlier.push((list, model));
            for (list, model) in earlier {
                prop_assert!(list.iter().eq(model.iter()));
                prop_assert!(list.iter().rev().eq(model.iter().rev()));
                prop_assert!((0..model.len()).all(|at| list.get(at) == model.get(at)));
            }
        }
    }

    #[test]
    fn a_full_node_is_cut_where_the_new_element_goes() {
        let mut list = List::new(&Limits { list_max_listpack_size: 4, ..Limits::DEFAULT });
        for element in ["a", "b", "c", "d", "e", "f", "g", "h"] {
            list.push_back(Bytes::from(element));
        }
        let counts = |list: &List| list.nodes().map(|node| node.count).collect::<Vec<_>>();
        assert_eq!(counts(&list), [4, 4]);
        list.insert_after(1, Bytes::from("x"));
        assert_eq!(counts(&list), [2, 3, 4]);
    }
}
