//! `Tree`: a persistent counted B+tree, the structure behind every large value and the keyspace.
//!
//! ```text
//!                       ┌ low=– count=3 │ low=m count=2 ┐             inner node: children
//!                       └───────┬───────┴───────┬───────┘
//!                 ┌ a:1 │ c:2 │ f:3 ┐     ┌ m:4 │ z:5 ┐               leaves: entries, in order
//! ```
//!
//! Nodes are stored in `Rc`s. A clone of the tree shares all of them; a change copies only the nodes on the path from the root to
//! one leaf (`Rc::make_mut`), and copies no node that is not shared. Every child is stored with the number of
//! entries below it, so that ranks (`ZRANK`), access by index (`RANDOMKEY`) and counts of ranges (`ZCOUNT`) take O(log n).
//!
//! Invariants, verified by `check` in the tests:
//! - All leaves have the same depth. No node is empty, and an inner root has at least two children. (Most nodes are at
//!   least a third full, but removing a range may leave smaller nodes along the cuts.)
//! - For every child but the first of its node, `low` is greater than all keys to its left and not greater than any of its own keys.
//!   (A removed key may remain as `low`: it only has to separate the two sides.)
//! - `low` of a first child has no meaning.
//!
//! Equality and hash cover the entries in order: two trees with the same entries are equal, even if their nodes
//! differ.
mod differences;
mod iter;
mod node;
mod path;
mod strategy;

pub use differences::{Difference, Differences};
pub use iter::Iter;
pub use path::Path;
pub use strategy::InterpolationKey;

use node::{Child, NODE_BULK, Node, Put, even_chunks};
use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Bound, RangeBounds};
use std::rc::Rc;
use strategy::{AtIndex, ByIndex, ByOrder, ByPosition, InOrder, InPosition, InsertionStrategy, SearchStrategy};

/// An ordered map that knows the rank of each entry; with `()` as key, a sequence. Clones cost O(1).
///
/// ```
/// use redis_model::value::Tree;
/// let mut tree: Tree<u32, &str> = [(3, "c"), (1, "a"), (2, "b")].into_iter().collect();
/// let before = tree.clone();
/// tree.remove(&1);
/// assert_eq!((tree.rank_of(&3), before.rank_of(&3)), (Some(1), Some(2)));
/// assert_eq!(before.range(1..).rev().map(|(key, _)| *key).collect::<Vec<_>>(), [3, 2]);
/// ```
pub struct Tree<K, V> {
    root: Option<Rc<Node<K, V>>>,
    len: usize,
}

impl<K, V> Tree<K, V> {
    /// An empty tree; allocates nothing.
    pub const fn new() -> Self {
        Self { root: None, len: 0 }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether both trees have the same root in memory, and therefore are certainly equal. O(1).
    pub fn ptr_eq(&self, other: &Self) -> bool {
        match (&self.root, &other.root) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }

    fn find(&self, mut search: impl SearchStrategy<K, V>) -> Option<(&K, &V)> {
        let mut node = self.root.as_ref()?;
        loop {
            match &**node {
                Node::Inner(children) => node = &children.get(search.child(children))?.node,
                Node::Leaf(entries) => {
                    let at = search.slot(entries).ok()?;
                    return entries.get(at).map(|(key, value)| (key, value));
                }
            }
        }
    }

    /// The entry for which `order` returns `Equal`. `order` compares a key with the one sought, as in `slice::binary_search_by`.
    pub fn get_by(&self, order: impl FnMut(&K) -> Ordering) -> Option<(&K, &V)> {
        self.find(ByOrder(order))
    }

    /// The value at `key`.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.get_by(|k| k.borrow().cmp(key)).map(|(_, value)| value)
    }

    /// Whether it contains `key`.
    pub fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.get(key).is_some()
    }

    /// The entry at an index in order, from 0. O(log n).
    pub fn nth(&self, index: usize) -> Option<(&K, &V)> {
        self.find(ByIndex(index))
    }

    /// The smallest entry.
    pub fn first(&self) -> Option<(&K, &V)> {
        self.nth(0)
    }

    /// The greatest entry.
    pub fn last(&self) -> Option<(&K, &V)> {
        self.nth(self.len.checked_sub(1)?)
    }

    /// The index of the first entry for which `before` is false: `before` must be true for a (possibly empty)
    /// prefix of the keys. O(log n).
    pub fn lower_bound(&self, mut before: impl FnMut(&K) -> bool) -> usize {
        let mut index = 0;
        let Some(mut node) = self.root.as_ref() else { return 0 };
        loop {
            match &**node {
                Node::Inner(children) => {
                    let at = children.get(1..).unwrap_or_default().partition_point(|child| before(&child.low));
                    index += children.iter().take(at).map(|child| child.count).sum::<usize>();
                    let Some(child) = children.get(at) else { return index };
                    node = &child.node;
                }
                Node::Leaf(entries) => return index + entries.partition_point(|entry| before(&entry.0)),
            }
        }
    }

    /// The rank of the entry for which `order` returns `Equal`, from 0, or the rank it would have. O(log n).
    ///
    /// # Errors
    /// `Err(rank)` if there is no such entry.
    pub fn rank_by(&self, order: impl FnMut(&K) -> Ordering) -> Result<usize, usize> {
        let mut search = ByOrder(order);
        let mut rank = 0;
        let Some(mut node) = self.root.as_ref() else { return Err(0) };
        loop {
            match &**node {
                Node::Inner(children) => {
                    let at = search.child(children);
                    rank += children.iter().take(at).map(|child| child.count).sum::<usize>();
                    let Some(child) = children.get(at) else { return Err(rank) };
                    node = &child.node;
                }
                Node::Leaf(entries) => {
                    return search.slot(entries).map(|at| rank + at).map_err(|at| rank + at);
                }
            }
        }
    }

    /// The rank of `key`, from 0. O(log n).
    pub fn rank_of<Q: Ord + ?Sized>(&self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        self.rank_by(|k| k.borrow().cmp(key)).ok()
    }

    /// Double-ended iterator over all entries in order.
    pub fn iter(&self) -> Iter<'_, K, V> {
        self.range(..)
    }

    /// Double-ended iterator over the entries in `range` (clamped to existing indices). Starting costs O(log n), each entry O(1).
    pub fn range(&self, range: impl RangeBounds<usize>) -> Iter<'_, K, V> {
        let start = match range.start_bound() {
            Bound::Included(&start) => start,
            Bound::Excluded(&start) => start.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&end) => end.saturating_add(1),
            Bound::Excluded(&end) => end,
            Bound::Unbounded => self.len,
        };
        let end = end.min(self.len);
        Iter { tree: self, front: [].iter(), back: [].iter(), start: start.min(end), end }
    }

    /// The keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator {
        self.iter().map(|(key, _)| key)
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator {
        self.iter().map(|(_, value)| value)
    }

    /// The leaf that holds the entry at `index`, and the entry's index within the leaf.
    fn leaf_at(&self, index: usize) -> Option<(&[(K, V)], usize)> {
        let mut search = ByIndex(index);
        let mut node = self.root.as_ref()?;
        loop {
            match &**node {
                Node::Inner(children) => {
                    let at = SearchStrategy::<K, V>::child(&mut search, children);
                    node = &children.get(at)?.node;
                }
                Node::Leaf(entries) => return Some((entries, search.0)),
            }
        }
    }
}

impl<K: Clone, V: Clone> Tree<K, V> {
    /// Builds a tree from entries; the caller guarantees strictly ascending order. O(n).
    pub fn from_sorted(entries: impl IntoIterator<Item = (K, V)>) -> Self {
        let entries: Vec<(K, V)> = entries.into_iter().collect();
        let len = entries.len();
        let mut level: Vec<Child<K, V>> = Vec::with_capacity(len / NODE_BULK + 1);
        for leaf in even_chunks(entries) {
            let Some(first) = leaf.first() else { continue };
            level.push(Child { low: first.0.clone(), count: leaf.len(), node: Rc::new(Node::Leaf(leaf)) });
        }
        while level.len() > 1 {
            let mut above = Vec::with_capacity(level.len() / NODE_BULK + 1);
            for children in even_chunks(level) {
                let Some(first) = children.first() else { continue };
                let low = first.low.clone();
                let node = Node::Inner(children);
                above.push(Child { low, count: node.count(), node: Rc::new(node) });
            }
            level = above;
        }
        Self { root: level.pop().map(|child| child.node), len }
    }

    fn find_mut(&mut self, mut search: impl SearchStrategy<K, V>) -> Option<&mut (K, V)> {
        let mut node = self.root.as_mut()?;
        loop {
            match Rc::make_mut(node) {
                Node::Inner(children) => {
                    let at = search.child(children);
                    node = &mut children.get_mut(at)?.node;
                }
                Node::Leaf(entries) => {
                    let at = search.slot(entries).ok()?;
                    return entries.get_mut(at);
                }
            }
        }
    }

    fn put(&mut self, mut insertion: impl InsertionStrategy<K, V>, key: K, value: V) -> Option<V> {
        let Some(root) = self.root.as_mut() else {
            self.root = Some(Rc::new(Node::Leaf(vec![(key, value)])));
            self.len = 1;
            return None;
        };
        match Node::put(root, &mut insertion, key, value) {
            Put::Replaced(old) => return Some(old),
            Put::Added => self.len += 1,
            Put::Split(right) => {
                self.len += 1;
                let left = Child { low: right.low.clone(), count: self.len - right.count, node: Rc::clone(root) };
                // `low` of a first child has no meaning; the value of the right one will do.
                self.root = Some(Rc::new(Node::Inner(vec![left, right])));
            }
        }
        None
    }

    fn take(&mut self, mut search: impl SearchStrategy<K, V>) -> Option<(K, V)> {
        let taken = Node::take(self.root.as_mut()?, &mut search)?;
        self.len -= 1;
        self.lower_root();
        Some(taken)
    }

    /// Removes roots with only one child, and an empty last root.
    fn lower_root(&mut self) {
        while let Some(Node::Inner(children)) = self.root.as_deref() {
            match children.as_slice() {
                [only] => self.root = Some(Rc::clone(&only.node)),
                _ => break,
            }
        }
        if self.len == 0 {
            self.root = None;
        }
    }

    fn is_shared(&self) -> bool {
        self.root.as_ref().is_some_and(|root| Rc::strong_count(root) > 1)
    }

    /// The value at `key`, mutable.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let order = |k: &K| k.borrow().cmp(key);
        // A miss in a shared tree must not copy nodes.
        if self.is_shared() && self.get_by(order).is_none() {
            return None;
        }
        self.find_mut(ByOrder(order)).map(|entry| &mut entry.1)
    }

    /// The value at an index, mutable.
    pub fn nth_mut(&mut self, index: usize) -> Option<&mut V> {
        if index >= self.len {
            return None;
        }
        self.find_mut(ByIndex(index)).map(|entry| &mut entry.1)
    }

    /// Inserts `value` at `key`; returns the previous value. An existing key is not replaced.
    pub fn insert(&mut self, key: K, value: V) -> Option<V>
    where
        K: Ord,
    {
        self.put(InOrder, key, value)
    }

    /// Removes the value at `key`.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let order = |k: &K| k.borrow().cmp(key);
        if self.is_shared() && self.get_by(order).is_none() {
            return None;
        }
        self.take(ByOrder(order)).map(|(_, value)| value)
    }

    /// Removes the entry at an index.
    pub fn remove_at(&mut self, index: usize) -> Option<(K, V)> {
        if index >= self.len {
            return None;
        }
        self.take(ByIndex(index))
    }

    /// Keeps only the entries with the indices `start..end`. O(log n), plus dropping the others.
    pub fn keep_range(&mut self, start: usize, end: usize) {
        let end = end.min(self.len);
        if start >= end {
            *self = Self::new();
        } else if let Some(root) = self.root.as_mut().filter(|_| end - start < self.len) {
            Node::keep(root, start, end);
            self.len = end - start;
            self.lower_root();
        }
    }

    /// Removes the smallest entry.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        self.remove_at(0)
    }

    /// Removes the greatest entry.
    pub fn pop_last(&mut self) -> Option<(K, V)> {
        self.remove_at(self.len.checked_sub(1)?)
    }
}

/// Interpolation search. `order` compares a key with the one sought; `position` is that of the key sought.
impl<K: InterpolationKey, V> Tree<K, V> {
    /// The entry for which `order` returns `Equal`.
    pub fn get_at(&self, position: u64, order: impl FnMut(&K) -> Ordering) -> Option<(&K, &V)> {
        self.find(ByPosition::new(position, order))
    }
}

impl<K: InterpolationKey + Clone, V: Clone> Tree<K, V> {
    /// Like [`Tree::insert`], by interpolation search.
    pub fn insert_in_position(&mut self, key: K, value: V) -> Option<V> {
        self.put(InPosition::new(), key, value)
    }

    /// Removes the entry for which `order` returns `Equal`.
    pub fn remove_at_position(&mut self, position: u64, mut order: impl FnMut(&K) -> Ordering) -> Option<(K, V)> {
        if self.is_shared() && self.get_at(position, &mut order).is_none() {
            return None;
        }
        self.take(ByPosition::new(position, order))
    }
}

/// A tree with `()` as keys is a sequence: only indices matter.
impl<V: Clone> Tree<(), V> {
    /// Inserts `value` before the entry at `index`, or at the end if `index` is the length or more. O(log n).
    pub fn insert_at(&mut self, index: usize, value: V) {
        self.put(AtIndex(index.min(self.len)), (), value);
    }
}

impl<'a, K, V> IntoIterator for &'a Tree<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K, V> Clone for Tree<K, V> {
    fn clone(&self) -> Self {
        Self { root: self.root.clone(), len: self.len }
    }
}

impl<K, V> Default for Tree<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for Tree<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && (self.ptr_eq(other) || self.iter().eq(other.iter()))
    }
}

impl<K: Eq, V: Eq> Eq for Tree<K, V> {}

impl<K: Hash, V: Hash> Hash for Tree<K, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len.hash(state);
        for entry in self {
            entry.hash(state);
        }
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Tree<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<K: Ord + Clone, V: Clone> FromIterator<(K, V)> for Tree<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut tree = Self::new();
        for (key, value) in entries {
            tree.insert(key, value);
        }
        tree
    }
}

#[cfg(test)]
mod tests;
