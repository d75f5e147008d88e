//! The nodes of a [`super::Tree`]: inserting, splitting, removing and merging.
use super::strategy::{InsertionStrategy, SearchStrategy};
use std::rc::Rc;

/// Maximum entries of a leaf and children of an inner node: with 24, both a search and the copy of a shared path are fast.
pub(super) const NODE_MAX: usize = 24;
/// A node below this size is merged with a neighbour, or takes items from it.
pub(super) const NODE_MIN: usize = 8;
/// Size of nodes made by bulk loading: compact, with room for insertions.
pub(super) const NODE_BULK: usize = 20;

#[derive(Clone)]
pub(super) enum Node<K, V> {
    Leaf(Vec<(K, V)>),
    Inner(Vec<Child<K, V>>),
}

pub(super) struct Child<K, V> {
    pub(super) low: K,
    pub(super) count: usize,
    pub(super) node: Rc<Node<K, V>>,
}

impl<K: Clone, V> Clone for Child<K, V> {
    fn clone(&self) -> Self {
        Self { low: self.low.clone(), count: self.count, node: Rc::clone(&self.node) }
    }
}

/// The result of an insertion into a node.
pub(super) enum Put<K, V> {
    Replaced(V),
    Added,
    /// The node was full; this is its new right neighbour.
    Split(Child<K, V>),
}

impl<K, V> Node<K, V> {
    pub(super) fn len(&self) -> usize {
        match self {
            Node::Leaf(entries) => entries.len(),
            Node::Inner(children) => children.len(),
        }
    }

    pub(super) fn count(&self) -> usize {
        match self {
            Node::Leaf(entries) => entries.len(),
            Node::Inner(children) => children.iter().map(|child| child.count).sum(),
        }
    }
}

/// Inserts into a vector that may be full; on overflow returns the contents of a new right neighbour.
pub(super) fn insert_or_split<T>(items: &mut Vec<T>, at: usize, item: T) -> Option<Vec<T>> {
    if items.len() < NODE_MAX {
        items.insert(at, item);
        return None;
    }
    // Adding in order at one end (bulk load, log, queue) leaves full nodes behind instead of half-full ones.
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
    pub(super) fn put(
        node: &mut Rc<Self>,
        insertion: &mut impl InsertionStrategy<K, V>,
        key: K,
        value: V,
    ) -> Put<K, V> {
        match Rc::make_mut(node) {
            Node::Leaf(entries) => match insertion.slot(entries, &key) {
                Ok(at) => match entries.get_mut(at) {
                    Some(entry) => Put::Replaced(std::mem::replace(&mut entry.1, value)),
                    None => Put::Added,
                },
                Err(at) => match insert_or_split(entries, at, (key, value)) {
                    None => Put::Added,
                    Some(right) => match right.first() {
                        Some(first) => {
                            let low = first.0.clone();
                            Put::Split(Child { low, count: right.len(), node: Rc::new(Node::Leaf(right)) })
                        }
                        None => Put::Added,
                    },
                },
            },
            Node::Inner(children) => {
                let at = insertion.child(children, &key);
                let Some(child) = children.get_mut(at) else { return Put::Added };
                match Self::put(&mut child.node, insertion, key, value) {
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
                                    Put::Split(Child { low, count: node.count(), node: Rc::new(node) })
                                }
                                None => Put::Added,
                            },
                        }
                    }
                }
            }
        }
    }

    pub(super) fn take(node: &mut Rc<Self>, search: &mut impl SearchStrategy<K, V>) -> Option<(K, V)> {
        match Rc::make_mut(node) {
            Node::Leaf(entries) => {
                let at = search.slot(entries).ok()?;
                (at < entries.len()).then(|| entries.remove(at))
            }
            Node::Inner(children) => {
                let at = search.child(children);
                let child = children.get_mut(at)?;
                let taken = Self::take(&mut child.node, search)?;
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

    /// Keeps only the entries with the indices `start..end`, at least one of them. Subtrees outside are dropped as a whole; the
    /// two paths along the cuts may be left with small nodes.
    pub(super) fn keep(node: &mut Rc<Self>, start: usize, end: usize) {
        match Rc::make_mut(node) {
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

    /// Merges the small child at `at` with a neighbour; if both together are too large, shares the items evenly.
    fn rebalance(children: &mut Vec<Child<K, V>>, at: usize) {
        let left_at = at.saturating_sub(1);
        if left_at + 1 >= children.len() {
            return;
        }
        let right = children.remove(left_at + 1);
        let Some(left) = children.get_mut(left_at) else { return };
        let split = match (Rc::make_mut(&mut left.node), Rc::unwrap_or_clone(right.node)) {
            (Node::Leaf(entries), Node::Leaf(more)) => {
                entries.extend(more);
                (entries.len() > NODE_MAX).then(|| entries.split_off(entries.len() / 2)).and_then(|half| {
                    let low = half.first()?.0.clone();
                    Some(Child { low, count: half.len(), node: Rc::new(Node::Leaf(half)) })
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
                    Some(Child { low, count: node.count(), node: Rc::new(node) })
                })
            }
            // Neighbours have the same depth: no other case can occur.
            _ => None,
        };
        left.count += right.count;
        if let Some(new) = split {
            left.count -= new.count;
            children.insert(left_at + 1, new);
        }
    }
}

/// Splits a vector into chunks of about `NODE_BULK` items of nearly equal length, so that none is too small.
pub(super) fn even_chunks<T>(items: Vec<T>) -> impl Iterator<Item = Vec<T>> {
    let pieces = items.len().div_ceil(NODE_BULK).max(1);
    let (short, longer) = (items.len() / pieces, items.len() % pieces);
    let mut items = items.into_iter();
    (0..pieces).map(move |piece| {
        let mut chunk = Vec::with_capacity(NODE_MAX);
        chunk.extend(items.by_ref().take(short + usize::from(piece < longer)));
        chunk
    })
}
