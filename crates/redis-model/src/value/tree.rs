//! `Tree`: a persistent counted B+tree, the one structure under every large value and under the keyspace.
//!
//! ```text
//!                       ┌ low=– count=3 │ low=m count=2 ┐             inner node: children
//!                       └───────┬───────┴───────┬───────┘
//!                 ┌ a:1 │ c:2 │ f:3 ┐     ┌ m:4 │ z:5 ┐               leaves: entries, in order
//! ```
//!
//! Nodes stand behind `Arc`. A clone of the tree shares all of them; a change copies only the path from the root to
//! one leaf (`Arc::make_mut`), and copies nothing where nobody else holds the node. Every child is stored with the number of
//! entries below it, so that ranks (`ZRANK`), picks by index (`RANDOMKEY`) and counts of ranges (`ZCOUNT`) take O(log n).
//!
//! Invariants, proved by `check` in the tests:
//! - all leaves stand at the same depth; no node is empty, an inner root has two children or more (nodes are mostly at
//!   least a third full, but cutting a range out may leave smaller ones along the cuts);
//! - for every child but the first of its node, `low` is above all keys to its left and not above any key of its own
//!   (a key that was removed may survive as `low`: it only has to part the sides);
//! - `low` of a first child means nothing.
//!
//! Equality and hash are those of the entries in order: two trees with the same entries are equal, whatever
//! their histories made of the nodes.
use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Bound, RangeBounds};
use std::sync::Arc;

/// Most entries of a leaf and most children of an inner node: with 24 both a search and the copy of a shared path are short.
const NODE_MAX: usize = 24;
/// A node below this size is merged with a neighbour, or takes from it.
const NODE_MIN: usize = 8;
/// How full bulk loading makes a node: full enough to be compact, with room for what comes next.
const NODE_BULK: usize = 20;

/// An ordered map that knows the rank of each entry; also, with `()` as key, a sequence. Clones cost O(1).
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
    root: Option<Arc<Node<K, V>>>,
    len: usize,
}

#[derive(Clone)]
enum Node<K, V> {
    Leaf(Vec<(K, V)>),
    Inner(Vec<Child<K, V>>),
}

struct Child<K, V> {
    low: K,
    count: usize,
    node: Arc<Node<K, V>>,
}

impl<K: Clone, V> Clone for Child<K, V> {
    fn clone(&self) -> Self {
        Self { low: self.low.clone(), count: self.count, node: Arc::clone(&self.node) }
    }
}

/// Says where to go: which child of an inner node, which place in a leaf (`Ok`: an entry, `Err`: a gap).
trait Guide<K, V> {
    fn child(&mut self, children: &[Child<K, V>]) -> usize;
    fn slot(&mut self, entries: &[(K, V)]) -> Result<usize, usize>;
}

/// Goes to the key for which the comparison answers `Equal`.
struct ByOrder<F>(F);

impl<K, V, F: FnMut(&K) -> Ordering> Guide<K, V> for ByOrder<F> {
    fn child(&mut self, children: &[Child<K, V>]) -> usize {
        let rest = children.get(1..).unwrap_or_default();
        rest.partition_point(|child| (self.0)(&child.low) != Ordering::Greater)
    }

    fn slot(&mut self, entries: &[(K, V)]) -> Result<usize, usize> {
        entries.binary_search_by(|entry| (self.0)(&entry.0))
    }
}

/// Goes to the entry at an index.
struct ByIndex(usize);

impl<K, V> Guide<K, V> for ByIndex {
    fn child(&mut self, children: &[Child<K, V>]) -> usize {
        let mut at = 0;
        for child in children {
            if self.0 < child.count {
                break;
            }
            self.0 -= child.count;
            at += 1;
        }
        at
    }

    fn slot(&mut self, entries: &[(K, V)]) -> Result<usize, usize> {
        if self.0 < entries.len() { Ok(self.0) } else { Err(entries.len()) }
    }
}

/// As [`Guide`], for a key that is about to be put there.
trait Seat<K, V> {
    fn child(&mut self, children: &[Child<K, V>], key: &K) -> usize;
    fn slot(&mut self, entries: &[(K, V)], key: &K) -> Result<usize, usize>;
}

/// Seats a key in order.
struct InOrder;

impl<K: Ord, V> Seat<K, V> for InOrder {
    fn child(&mut self, children: &[Child<K, V>], key: &K) -> usize {
        ByOrder(|known: &K| known.cmp(key)).child(children)
    }

    fn slot(&mut self, entries: &[(K, V)], key: &K) -> Result<usize, usize> {
        entries.binary_search_by(|entry| entry.0.cmp(key))
    }
}

/// Seats a key in the gap before the entry at an index, or behind the last entry.
struct AtIndex(usize);

impl<K, V> Seat<K, V> for AtIndex {
    fn child(&mut self, children: &[Child<K, V>], _: &K) -> usize {
        let mut at = 0;
        for child in children {
            if self.0 <= child.count || at + 1 == children.len() {
                break;
            }
            self.0 -= child.count;
            at += 1;
        }
        at
    }

    fn slot(&mut self, entries: &[(K, V)], _: &K) -> Result<usize, usize> {
        Err(self.0.min(entries.len()))
    }
}

/// What an insertion did to a node.
enum Put<K, V> {
    Replaced(V),
    Added,
    /// The node was full; this is its new right neighbour.
    Split(Child<K, V>),
}

impl<K, V> Node<K, V> {
    fn len(&self) -> usize {
        match self {
            Node::Leaf(entries) => entries.len(),
            Node::Inner(children) => children.len(),
        }
    }

    fn count(&self) -> usize {
        match self {
            Node::Leaf(entries) => entries.len(),
            Node::Inner(children) => children.iter().map(|child| child.count).sum(),
        }
    }
}

/// Inserts into a vector that may be full; what does not fit comes back as the contents of a right neighbour.
fn insert_or_split<T>(items: &mut Vec<T>, at: usize, item: T) -> Option<Vec<T>> {
    if items.len() < NODE_MAX {
        items.insert(at, item);
        return None;
    }
    // Who adds in order at one end (a bulk load, a log, a queue) leaves full nodes behind instead of half-full ones.
    let cut = if at == 0 || at == items.len() { at } else { items.len() / 2 };
    let mut right = Vec::with_capacity(NODE_MAX);
    right.extend(items.drain(cut..));
    if at >= cut && cut != 0 {
        right.insert(at - cut, item)
    } else {
        items.insert(at, item)
    }
    Some(right)
}

impl<K: Clone, V: Clone> Node<K, V> {
    fn put(node: &mut Arc<Self>, seat: &mut impl Seat<K, V>, key: K, value: V) -> Put<K, V> {
        match Arc::make_mut(node) {
            Node::Leaf(entries) => match seat.slot(entries, &key) {
                Ok(at) => match entries.get_mut(at) {
                    Some(entry) => Put::Replaced(std::mem::replace(&mut entry.1, value)),
                    None => Put::Added,
                },
                Err(at) => match insert_or_split(entries, at, (key, value)) {
                    None => Put::Added,
                    Some(right) => match right.first() {
                        Some(first) => {
                            let low = first.0.clone();
                            Put::Split(Child { low, count: right.len(), node: Arc::new(Node::Leaf(right)) })
                        }
                        None => Put::Added,
                    },
                },
            },
            Node::Inner(children) => {
                let at = seat.child(children, &key);
                let Some(child) = children.get_mut(at) else { return Put::Added };
                match Self::put(&mut child.node, seat, key, value) {
                    Put::Replaced(old) => Put::Replaced(old),
                    Put::Added => {
                        child.count += 1;
                        Put::Added
                    }
                    Put::Split(new) => {
                        child.count = child.count + 1 - new.count;
                        match insert_or_split(children, at + 1, new) {
                            None => Put::Added,
                            Some(right) => match right.first() {
                                Some(first) => {
                                    let low = first.low.clone();
                                    let node = Node::Inner(right);
                                    Put::Split(Child { low, count: node.count(), node: Arc::new(node) })
                                }
                                None => Put::Added,
                            },
                        }
                    }
                }
            }
        }
    }

    fn take(node: &mut Arc<Self>, guide: &mut impl Guide<K, V>) -> Option<(K, V)> {
        match Arc::make_mut(node) {
            Node::Leaf(entries) => {
                let at = guide.slot(entries).ok()?;
                (at < entries.len()).then(|| entries.remove(at))
            }
            Node::Inner(children) => {
                let at = guide.child(children);
                let child = children.get_mut(at)?;
                let taken = Self::take(&mut child.node, guide)?;
                child.count -= 1;
                if child.count == 0 {
                    children.remove(at);
                } else if child.node.len() < NODE_MIN {
                    Self::rebalance(children, at);
                }
                Some(taken)
            }
        }
    }

    /// Keeps only the entries with the indices `start..end`, at least one of them. Subtrees outside go whole; the
    /// two paths along the cuts may be left with small nodes.
    fn keep(node: &mut Arc<Self>, start: usize, end: usize) {
        match Arc::make_mut(node) {
            Node::Leaf(entries) => {
                entries.truncate(end);
                entries.drain(..start.min(entries.len()));
            }
            Node::Inner(children) => {
                let mut before = 0;
                children.retain_mut(|child| {
                    let count = child.count;
                    let (from, to) = (start.saturating_sub(before), end.saturating_sub(before).min(count));
                    before += count;
                    if from >= to {
                        return false;
                    }
                    if to - from < count {
                        Self::keep(&mut child.node, from, to);
                        child.count = to - from;
                    }
                    true
                });
            }
        }
    }

    /// Merges the small child at `at` with a neighbour; when both together are too many, shares them evenly.
    fn rebalance(children: &mut Vec<Child<K, V>>, at: usize) {
        let left_at = at.saturating_sub(1);
        if left_at + 1 >= children.len() {
            return;
        }
        let right = children.remove(left_at + 1);
        let Some(left) = children.get_mut(left_at) else { return };
        let split = match (Arc::make_mut(&mut left.node), Arc::unwrap_or_clone(right.node)) {
            (Node::Leaf(entries), Node::Leaf(more)) => {
                entries.extend(more);
                (entries.len() > NODE_MAX).then(|| entries.split_off(entries.len() / 2)).and_then(|half| {
                    let low = half.first()?.0.clone();
                    Some(Child { low, count: half.len(), node: Arc::new(Node::Leaf(half)) })
                })
            }
            (Node::Inner(below), Node::Inner(mut more)) => {
                if let Some(first) = more.first_mut() {
                    first.low = right.low;
                }
                below.extend(more);
                (below.len() > NODE_MAX).then(|| below.split_off(below.len() / 2)).and_then(|half| {
                    let low = half.first()?.low.clone();
                    let node = Node::Inner(half);
                    Some(Child { low, count: node.count(), node: Arc::new(node) })
                })
            }
            // Neighbours stand at the same depth: nothing else can occur.
            _ => None,
        };
        left.count += right.count;
        if let Some(new) = split {
            left.count -= new.count;
            children.insert(left_at + 1, new);
        }
    }
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

    /// Whether both trees are the same nodes in memory: then they are certainly equal. O(1).
    pub fn ptr_eq(&self, other: &Self) -> bool {
        match (&self.root, &other.root) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }

    fn find(&self, mut guide: impl Guide<K, V>) -> Option<(&K, &V)> {
        let mut node = self.root.as_ref()?;
        loop {
            match &**node {
                Node::Inner(children) => node = &children.get(guide.child(children))?.node,
                Node::Leaf(entries) => {
                    let at = guide.slot(entries).ok()?;
                    return entries.get(at).map(|(key, value)| (key, value));
                }
            }
        }
    }

    /// The entry for which `order` answers `Equal`. `order` compares a key with the one sought, as in `slice::binary_search_by`.
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

    /// Whether `key` is there.
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

    /// The index of the first entry that does not stand before the bound: `before` answers true for a (possibly empty)
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

    /// The rank of the entry for which `order` answers `Equal`, from 0, or the rank it would have. O(log n).
    ///
    /// # Errors
    /// `Err(rank)` when there is no such entry.
    pub fn rank_by(&self, order: impl FnMut(&K) -> Ordering) -> Result<usize, usize> {
        let mut guide = ByOrder(order);
        let mut rank = 0;
        let Some(mut node) = self.root.as_ref() else { return Err(0) };
        loop {
            match &**node {
                Node::Inner(children) => {
                    let at = guide.child(children);
                    rank += children.iter().take(at).map(|child| child.count).sum::<usize>();
                    let Some(child) = children.get(at) else { return Err(rank) };
                    node = &child.node;
                }
                Node::Leaf(entries) => {
                    return guide.slot(entries).map(|at| rank + at).map_err(|at| rank + at);
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

    /// All entries in order, from both ends.
    pub fn iter(&self) -> Iter<'_, K, V> {
        self.range(..)
    }

    /// The entries with the indices `range` (clamped to those that exist), from both ends. Starting costs O(log n), each entry O(1).
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

    /// The leaf that holds the entry at `index`, and how many entries of the leaf stand before it.
    fn leaf_at(&self, index: usize) -> Option<(&[(K, V)], usize)> {
        let mut guide = ByIndex(index);
        let mut node = self.root.as_ref()?;
        loop {
            match &**node {
                Node::Inner(children) => {
                    let at = Guide::<K, V>::child(&mut guide, children);
                    node = &children.get(at)?.node;
                }
                Node::Leaf(entries) => return Some((entries, guide.0)),
            }
        }
    }
}

impl<K: Clone, V: Clone> Tree<K, V> {
    /// Builds a tree from entries that come in strictly ascending order (the caller's word for it). O(n).
    pub fn from_sorted(entries: impl IntoIterator<Item = (K, V)>) -> Self {
        let entries: Vec<(K, V)> = entries.into_iter().collect();
        let len = entries.len();
        let mut level: Vec<Child<K, V>> = Vec::with_capacity(len / NODE_BULK + 1);
        for leaf in even_chunks(entries) {
            let Some(first) = leaf.first() else { continue };
            level.push(Child { low: first.0.clone(), count: leaf.len(), node: Arc::new(Node::Leaf(leaf)) });
        }
        while level.len() > 1 {
            let mut above = Vec::with_capacity(level.len() / NODE_BULK + 1);
            for children in even_chunks(level) {
                let Some(first) = children.first() else { continue };
                let low = first.low.clone();
                let node = Node::Inner(children);
                above.push(Child { low, count: node.count(), node: Arc::new(node) });
            }
            level = above;
        }
        Self { root: level.pop().map(|child| child.node), len }
    }

    fn find_mut(&mut self, mut guide: impl Guide<K, V>) -> Option<&mut (K, V)> {
        let mut node = self.root.as_mut()?;
        loop {
            match Arc::make_mut(node) {
                Node::Inner(children) => {
                    let at = guide.child(children);
                    node = &mut children.get_mut(at)?.node;
                }
                Node::Leaf(entries) => {
                    let at = guide.slot(entries).ok()?;
                    return entries.get_mut(at);
                }
            }
        }
    }

    fn put(&mut self, mut seat: impl Seat<K, V>, key: K, value: V) -> Option<V> {
        let Some(root) = self.root.as_mut() else {
            self.root = Some(Arc::new(Node::Leaf(vec![(key, value)])));
            self.len = 1;
            return None;
        };
        match Node::put(root, &mut seat, key, value) {
            Put::Replaced(old) => return Some(old),
            Put::Added => self.len += 1,
            Put::Split(right) => {
                self.len += 1;
                let left = Child { low: right.low.clone(), count: self.len - right.count, node: Arc::clone(root) };
                // `low` of a first child means nothing; the right one's serves.
                self.root = Some(Arc::new(Node::Inner(vec![left, right])));
            }
        }
        None
    }

    fn take(&mut self, mut guide: impl Guide<K, V>) -> Option<(K, V)> {
        let taken = Node::take(self.root.as_mut()?, &mut guide)?;
        self.len -= 1;
        self.lower_root();
        Some(taken)
    }

    /// Takes away roots that have only one child, and the last root of all when nothing is left.
    fn lower_root(&mut self) {
        while let Some(Node::Inner(children)) = self.root.as_deref() {
            match children.as_slice() {
                [only] => self.root = Some(Arc::clone(&only.node)),
                _ => break,
            }
        }
        if self.len == 0 {
            self.root = None;
        }
    }

    fn is_shared(&self) -> bool {
        self.root.as_ref().is_some_and(|root| Arc::strong_count(root) > 1)
    }

    /// The value of the entry for which `order` answers `Equal`, to be changed in place.
    pub fn get_mut_by(&mut self, mut order: impl FnMut(&K) -> Ordering) -> Option<&mut V> {
        // A miss in a shared tree must not copy its nodes for nothing.
        if self.is_shared() && self.get_by(&mut order).is_none() {
            return None;
        }
        self.find_mut(ByOrder(order)).map(|entry| &mut entry.1)
    }

    /// The value at `key`, to be changed in place.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.get_mut_by(|k| k.borrow().cmp(key))
    }

    /// The value at an index, to be changed in place.
    pub fn nth_mut(&mut self, index: usize) -> Option<&mut V> {
        if index >= self.len {
            return None;
        }
        self.find_mut(ByIndex(index)).map(|entry| &mut entry.1)
    }

    /// Puts `value` at `key`; answers the value that was there. A key that was there stays the same object.
    pub fn insert(&mut self, key: K, value: V) -> Option<V>
    where
        K: Ord,
    {
        self.put(InOrder, key, value)
    }

    /// Takes out the entry for which `order` answers `Equal`.
    pub fn remove_by(&mut self, mut order: impl FnMut(&K) -> Ordering) -> Option<(K, V)> {
        if self.is_shared() && self.get_by(&mut order).is_none() {
            return None;
        }
        self.take(ByOrder(order))
    }

    /// Takes out the value at `key`.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.remove_by(|k| k.borrow().cmp(key)).map(|(_, value)| value)
    }

    /// Takes out the entry at an index.
    pub fn remove_at(&mut self, index: usize) -> Option<(K, V)> {
        if index >= self.len {
            return None;
        }
        self.take(ByIndex(index))
    }

    /// Keeps only the entries with the indices `start..end`. O(log n) beside freeing what goes.
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

    /// Takes out the smallest entry.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        self.remove_at(0)
    }

    /// Takes out the greatest entry.
    pub fn pop_last(&mut self) -> Option<(K, V)> {
        self.remove_at(self.len.checked_sub(1)?)
    }
}

/// A tree whose keys are `()` is a sequence: only indices count.
impl<V: Clone> Tree<(), V> {
    /// Puts `value` before the entry at `index`, or at the end when `index` is the length or more. O(log n).
    pub fn insert_at(&mut self, index: usize, value: V) {
        self.put(AtIndex(index.min(self.len)), (), value);
    }
}

/// Cuts a vector into pieces of about `NODE_BULK` items, all of nearly the same length, so that none is too small.
fn even_chunks<T>(items: Vec<T>) -> impl Iterator<Item = Vec<T>> {
    let pieces = items.len().div_ceil(NODE_BULK).max(1);
    let (short, longer) = (items.len() / pieces, items.len() % pieces);
    let mut items = items.into_iter();
    (0..pieces).map(move |piece| {
        let mut chunk = Vec::with_capacity(NODE_MAX);
        chunk.extend(items.by_ref().take(short + usize::from(piece < longer)));
        chunk
    })
}

/// The entries of a tree, or of a range of it, from both ends.
pub struct Iter<'a, K, V> {
    tree: &'a Tree<K, V>,
    /// What is left of the leaf at each end; an empty one is replaced by descending again, once a leaf.
    front: std::slice::Iter<'a, (K, V)>,
    back: std::slice::Iter<'a, (K, V)>,
    start: usize,
    end: usize,
}

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Self { tree: self.tree, front: self.front.clone(), back: self.back.clone(), start: self.start, end: self.end }
    }
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        if self.start >= self.end {
            return None;
        }
        if self.front.as_slice().is_empty() {
            let (leaf, skip) = self.tree.leaf_at(self.start)?;
            self.front = leaf.get(skip..)?.iter();
        }
        self.start += 1;
        self.front.next().map(|(key, value)| (key, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.end - self.start;
        (left, Some(left))
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.start = self.start.saturating_add(n).min(self.end);
        self.front = [].iter();
        self.next()
    }
}

impl<K, V> DoubleEndedIterator for Iter<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.start >= self.end {
            return None;
        }
        if self.back.as_slice().is_empty() {
            let (leaf, before) = self.tree.leaf_at(self.end - 1)?;
            self.back = leaf.get(..=before)?.iter();
        }
        self.end -= 1;
        self.back.next_back().map(|(key, value)| (key, value))
    }
}

impl<K, V> ExactSizeIterator for Iter<'_, K, V> {}

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
#[path = "tree_tests.rs"]
mod tests;
