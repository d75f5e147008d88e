//! Ways down a [`super::Tree`]: by order, by index.
use super::node::Child;
use std::cmp::Ordering;

/// Says where to go: which child of an inner node, which place in a leaf (`Ok`: an entry, `Err`: a gap).
pub(super) trait Guide<K, V> {
    fn child(&mut self, children: &[Child<K, V>]) -> usize;
    fn slot(&mut self, entries: &[(K, V)]) -> Result<usize, usize>;
}

/// Finds the entry for which `order` answers `Equal`, or the gap where it would stand. Entry by entry: a processor reads
/// ahead along a straight walk, while each step of a binary search waits for the memory of the one before.
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

/// Goes to the key for which the comparison answers `Equal`.
pub(super) struct ByOrder<F>(pub(super) F);

impl<K, V, F: FnMut(&K) -> Ordering> Guide<K, V> for ByOrder<F> {
    fn child(&mut self, children: &[Child<K, V>]) -> usize {
        let rest = children.get(1..).unwrap_or_default();
        rest.iter().position(|child| (self.0)(&child.low) == Ordering::Greater).unwrap_or(rest.len())
    }

    fn slot(&mut self, entries: &[(K, V)]) -> Result<usize, usize> {
        seek(entries, &mut self.0)
    }
}

/// Goes to the entry at an index.
pub(super) struct ByIndex(pub(super) usize);

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
pub(super) trait Seat<K, V> {
    fn child(&mut self, children: &[Child<K, V>], key: &K) -> usize;
    fn slot(&mut self, entries: &[(K, V)], key: &K) -> Result<usize, usize>;
}

/// Seats a key in order.
pub(super) struct InOrder;

impl<K: Ord, V> Seat<K, V> for InOrder {
    fn child(&mut self, children: &[Child<K, V>], key: &K) -> usize {
        ByOrder(|known: &K| known.cmp(key)).child(children)
    }

    fn slot(&mut self, entries: &[(K, V)], key: &K) -> Result<usize, usize> {
        seek(entries, |known| known.cmp(key))
    }
}

/// Seats a key in the gap before the entry at an index, or behind the last entry.
pub(super) struct AtIndex(pub(super) usize);

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
