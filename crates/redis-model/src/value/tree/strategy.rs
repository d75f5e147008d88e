//! Strategies to descend a [`super::Tree`]: by order, by position, by index.
use super::node::Child;
use std::cmp::Ordering;

/// Chooses the child of an inner node, and the slot in a leaf (`Ok`: an entry, `Err`: a gap).
pub(super) trait SearchStrategy<K, V> {
    fn child(&mut self, children: &[Child<K, V>]) -> usize;
    fn slot(&mut self, entries: &[(K, V)]) -> Result<usize, usize>;
}

/// Finds the entry for which `order` returns `Equal`, or the gap where it belongs. A linear scan, because processors prefetch
/// sequential memory, while each step of a binary search waits for the previous one.
fn seek<K, V>(entries: &[(K, V)], mut order: impl FnMut(&K) -> Ordering) -> Result<usize, usize> {
    for (at, entry) in entries.iter().enumerate() {
        match order(&entry.0) {
            Ordering::Less => {}
            Ordering::Equal => return Ok(at),
            Ordering::Greater => return Err(at),
        }
    }
    Err(entries.len())
}

/// Searches the key for which the comparison returns `Equal`.
pub(super) struct ByOrder<F>(pub(super) F);

impl<K, V, F: FnMut(&K) -> Ordering> SearchStrategy<K, V> for ByOrder<F> {
    fn child(&mut self, children: &[Child<K, V>]) -> usize {
        let rest = children.get(1..).unwrap_or_default();
        rest.iter().position(|child| (self.0)(&child.low) == Ordering::Greater).unwrap_or(rest.len())
    }

    fn slot(&mut self, entries: &[(K, V)]) -> Result<usize, usize> {
        seek(entries, &mut self.0)
    }
}

/// A key with a numeric position. The positions of a tree's keys should be spread evenly over all 64-bit numbers.
pub trait InterpolationKey: Ord {
    /// The position; never decreases with the order of keys. Different keys may have the same position.
    fn position(&self) -> u64;
}

/// Searches like [`ByOrder`], but starts where the position suggests the key (interpolation search): of a node that is not in the
/// CPU cache, one or two cache lines are read instead of all.
pub(super) struct ByPosition<F> {
    order: F,
    position: u64,
    /// The node's keys have positions between `low` and `high`.
    low: u64,
    high: u64,
}

impl<F> ByPosition<F> {
    pub(super) fn new(position: u64, order: F) -> Self {
        Self { order, position, low: 0, high: u64::MAX }
    }

    /// The expected index of the key among `len` keys.
    fn guess(&self, len: usize) -> usize {
        if len < 2 {
            return 0;
        }
        // An estimate is enough: the result of the search does not depend on it.
        let (span, steps) = (self.high.saturating_sub(self.low) >> 32, self.position.saturating_sub(self.low) >> 32);
        let at = (steps * len as u64 / (span + 1)) as usize;
        at.min(len.saturating_sub(1))
    }
}

impl<K: InterpolationKey, V, F: FnMut(&K) -> Ordering> SearchStrategy<K, V> for ByPosition<F> {
    fn child(&mut self, children: &[Child<K, V>]) -> usize {
        let mut at = self.guess(children.len());
        let mut is_above =
            |at: usize| children.get(at).is_none_or(|child| (self.order)(&child.low) == Ordering::Greater);
        while at > 0 && is_above(at) {
            at -= 1;
        }
        while !is_above(at + 1) {
            at += 1;
        }
        if let Some(child) = children.get(at).filter(|_| at > 0) {
            self.low = child.low.position();
        }
        if let Some(next) = children.get(at + 1) {
            self.high = next.low.position();
        }
        at
    }

    fn slot(&mut self, entries: &[(K, V)]) -> Result<usize, usize> {
        let (before, from) = entries.split_at_checked(self.guess(entries.len())).unwrap_or_default();
        match seek(from, &mut self.order) {
            // The first entry is greater already: search backwards.
            Err(0) => {
                for (at, entry) in before.iter().enumerate().rev() {
                    match (self.order)(&entry.0) {
                        Ordering::Less => return Err(at + 1),
                        Ordering::Equal => return Ok(at),
                        Ordering::Greater => {}
                    }
                }
                Err(0)
            }
            found => found.map(|at| before.len() + at).map_err(|at| before.len() + at),
        }
    }
}

/// Finds the entry at an index.
pub(super) struct ByIndex(pub(super) usize);

impl<K, V> SearchStrategy<K, V> for ByIndex {
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

/// Like [`SearchStrategy`], for a key to insert.
pub(super) trait InsertionStrategy<K, V> {
    fn child(&mut self, children: &[Child<K, V>], key: &K) -> usize;
    fn slot(&mut self, entries: &[(K, V)], key: &K) -> Result<usize, usize>;
}

/// Inserts a key in order.
pub(super) struct InOrder;

impl<K: Ord, V> InsertionStrategy<K, V> for InOrder {
    fn child(&mut self, children: &[Child<K, V>], key: &K) -> usize {
        ByOrder(|known: &K| known.cmp(key)).child(children)
    }

    fn slot(&mut self, entries: &[(K, V)], key: &K) -> Result<usize, usize> {
        seek(entries, |known| known.cmp(key))
    }
}

/// Inserts a key in order, found by interpolation search.
pub(super) struct InPosition {
    low: u64,
    high: u64,
}

impl InPosition {
    pub(super) const fn new() -> Self {
        Self { low: 0, high: u64::MAX }
    }

    fn search<'k, K: InterpolationKey>(&self, key: &'k K) -> ByPosition<impl FnMut(&K) -> Ordering + 'k> {
        let Self { low, high } = *self;
        ByPosition { order: move |known: &K| known.cmp(key), position: key.position(), low, high }
    }
}

impl<K: InterpolationKey, V> InsertionStrategy<K, V> for InPosition {
    fn child(&mut self, children: &[Child<K, V>], key: &K) -> usize {
        let mut search = self.search(key);
        let at = search.child(children);
        (self.low, self.high) = (search.low, search.high);
        at
    }

    fn slot(&mut self, entries: &[(K, V)], key: &K) -> Result<usize, usize> {
        self.search(key).slot(entries)
    }
}

/// Inserts a key before the entry at an index, or after the last entry.
pub(super) struct AtIndex(pub(super) usize);

impl<K, V> InsertionStrategy<K, V> for AtIndex {
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
