//! `IdTree`: a map by id that also knows how many nodes Redis' radix tree would have.
//!
//! ```text
//!  ids 4-1 and 5-1 as keys of 16 bytes                     (0000000)          a node with the common bytes
//!                                                              │
//!                                                          [ 04 05 ]          a branch: one child per byte
//!                                                           │     │
//!                                              (00000001) ──┘     └── (00000001)   the rest of each key
//!                                                   │                    │
//!                                                  ( )                  ( )        its end, which holds the value
//! ```
//! `XINFO STREAM` shows the number of nodes, and `MEMORY USAGE` multiplies by it. The shape of a radix tree depends only on its keys,
//! so the values are stored in an ordered tree, and only the number of nodes is tracked: O(log n) per insertion, O(1) to read.
use super::id::{ID_BYTES, Id};
use crate::value::tree::{self, Tree};
use std::ops::RangeInclusive;

/// Bytes that `MEMORY USAGE` assumes for a node of a radix tree: its header, and thirty pointers on average.
const NODE_BYTES: usize = 4 + 30 * 8;

/// Values by id, and the number of nodes of the radix tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct IdTree<V> {
    tree: Tree<Id, V>,
    nodes: usize,
}

impl<V> Default for IdTree<V> {
    fn default() -> Self {
        // An empty radix tree has a root node.
        IdTree { tree: Tree::new(), nodes: 1 }
    }
}

impl<V> IdTree<V> {
    pub(super) fn len(&self) -> usize {
        self.tree.len()
    }

    /// Number of nodes of the radix tree.
    pub(super) fn radix_nodes(&self) -> usize {
        self.nodes
    }

    /// Bytes that Redis assumes for the radix tree, without the values.
    pub(super) fn memory(&self) -> usize {
        self.len() * ID_BYTES + self.nodes * NODE_BYTES
    }

    pub(super) fn get(&self, id: Id) -> Option<&V> {
        self.tree.get(&id)
    }

    pub(super) fn first(&self) -> Option<(Id, &V)> {
        self.tree.first().map(|(id, value)| (*id, value))
    }

    pub(super) fn last(&self) -> Option<(Id, &V)> {
        self.tree.last().map(|(id, value)| (*id, value))
    }

    /// Differences since the values were `before`.
    pub(super) fn since<'a>(&'a self, before: &'a IdTree<V>) -> tree::Differences<'a, Id, V>
    where
        V: PartialEq,
    {
        self.tree.since(&before.tree)
    }

    pub(super) fn iter(&self) -> tree::Iter<'_, Id, V> {
        self.tree.iter()
    }

    /// Number of ids below this one.
    pub(super) fn rank(&self, id: Id) -> usize {
        self.tree.lower_bound(|known| *known < id)
    }

    /// The values with these ids.
    pub(super) fn range(&self, ids: RangeInclusive<Id>) -> tree::Iter<'_, Id, V> {
        let start = self.tree.lower_bound(|id| id < ids.start());
        let end = self.tree.lower_bound(|id| id <= ids.end());
        self.tree.range(start..end)
    }

    /// The value with the greatest id that is at most `id`.
    pub(super) fn at_or_before(&self, id: Id) -> Option<(Id, &V)> {
        let behind = self.tree.lower_bound(|known| *known <= id);
        self.tree.nth(behind.checked_sub(1)?).map(|(id, value)| (*id, value))
    }

    /// The values whose spans may contain ids of a range: from the last one at or before its start to the last one at or before its end.
    pub(super) fn reaching(&self, ids: &RangeInclusive<Id>) -> tree::Iter<'_, Id, V> {
        let start = self.tree.lower_bound(|id| id <= ids.start());
        let end = self.tree.lower_bound(|id| id <= ids.end());
        self.tree.range(start.saturating_sub(1)..end)
    }

    /// Number of nodes that the radix tree gains with `id`, which must be new.
    fn nodes_gained(&self, id: Id) -> usize {
        let key = id.key();
        let at = self.tree.lower_bound(|known| *known < id);
        let neighbour = |index: Option<usize>| index.and_then(|index| self.tree.nth(index)).map(|(id, _)| id.key());
        let common = |other: Option<[u8; ID_BYTES]>| other.map(|other| shared(&key, &other));
        let (before, after) = (common(neighbour(at.checked_sub(1))), common(neighbour(Some(at))));
        let Some(depth) = before.max(after) else { return tail(0) - 1 };
        // The keys that share the longest prefix that `key` shares with any other key.
        let (low, high) = same_beginning(&key, depth);
        let first = self.tree.lower_bound(|known| *known < low);
        let last = self.tree.lower_bound(|known| *known <= high).saturating_sub(1);
        let (Some(first_key), Some(last_key)) = (neighbour(Some(first)), neighbour(Some(last))) else { return 0 };
        let end = shared(&first_key, &last_key);
        let leaf = tail(depth + 1);
        if end == depth {
            // They already branch at this depth: one more child.
            return leaf;
        }
        // They share more bytes: split those bytes in two, with a branch between.
        let above = common(neighbour(first.checked_sub(1))).max(common(neighbour(Some(last + 1))));
        let start = above.map_or(0, |above| above + 1);
        let upper = usize::from(depth > start);
        let lower = usize::from(end > depth + 1);
        leaf + upper + lower
    }
}

/// Length of the common prefix of two keys, in bytes.
fn shared(a: &[u8; ID_BYTES], b: &[u8; ID_BYTES]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// Number of nodes for the rest of a key after `from` bytes: the remaining bytes, if any, and the end itself.
fn tail(from: usize) -> usize {
    1 + usize::from(from < ID_BYTES)
}

/// The smallest and the greatest id whose first `depth` bytes equal those of `key`.
fn same_beginning(key: &[u8; ID_BYTES], depth: usize) -> (Id, Id) {
    let bits = u32::try_from(8 * (ID_BYTES - depth)).unwrap_or(0);
    let free = u128::MAX.checked_shr(128 - bits.min(128)).unwrap_or(0);
    let number = u128::from_be_bytes(*key);
    let id = |number: u128| Id { ms: (number >> 64) as u64, seq: number as u64 };
    (id(number & !free), id(number | free))
}

impl<V: Clone> IdTree<V> {
    /// Inserts a value at an id; returns the previous one.
    pub(super) fn insert(&mut self, id: Id, value: V) -> Option<V> {
        if self.tree.contains(&id) {
            return self.tree.insert(id, value);
        }
        self.nodes += self.nodes_gained(id);
        self.tree.insert(id, value)
    }

    pub(super) fn remove(&mut self, id: Id) -> Option<V> {
        let value = self.tree.remove(&id)?;
        self.nodes -= self.nodes_gained(id);
        Some(value)
    }

    pub(super) fn get_mut(&mut self, id: Id) -> Option<&mut V> {
        self.tree.get_mut(&id)
    }

    pub(super) fn last_mut(&mut self) -> Option<&mut V> {
        self.tree.nth_mut(self.tree.len().checked_sub(1)?)
    }

    /// Verifies the number of nodes, by recounting.
    ///
    /// # Errors
    /// The stored number differs from the recounted one.
    pub(super) fn check(&self) -> Result<(), String> {
        let keys: Vec<_> = self.tree.keys().map(|id| id.key()).collect();
        let counted = counted_nodes(&keys);
        if counted == self.nodes {
            return Ok(());
        }
        Err(format!("a radix tree of {} ids is known to have {} nodes and has {counted}", self.len(), self.nodes))
    }
}

/// Counts the nodes of the radix tree of these sorted keys from scratch: groups by common prefix, depth by depth.
fn counted_nodes(keys: &[[u8; ID_BYTES]]) -> usize {
    let Some((first, last)) = keys.first().zip(keys.last()) else { return 1 };
    let whole = (keys, usize::from(keys.len() > 1 && shared(first, last) > 0));
    let (mut nodes, mut open) = (whole.1, vec![(whole.0, 0)]);
    while let Some((keys, spent)) = open.pop() {
        let (Some(first), Some(last)) = (keys.first(), keys.last()) else { continue };
        if keys.len() == 1 {
            nodes += tail(spent);
            continue;
        }
        let depth = shared(first, last);
        nodes += 1;
        for run in keys.chunk_by(|a, b| a.get(depth) == b.get(depth)) {
            if let [first, .., last] = run {
                nodes += usize::from(shared(first, last) > depth + 1);
            }
            open.push((run, depth + 1));
        }
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn the_count_follows_insertions_and_removals() {
        let mut rng = Rng::new(1);
        for spread in [3, 300, 70_000, u64::MAX] {
            let mut ids = IdTree::default();
            for _ in 0..400 {
                let id = Id::new(rng.below(spread), rng.below(4).wrapping_mul(rng.below(spread)));
                if rng.below(3) == 0 {
                    let near = ids.at_or_before(id).map_or(id, |(id, ())| id);
                    ids.remove(near);
                } else {
                    ids.insert(id, ());
                }
                assert_eq!(ids.check(), Ok(()), "{id}");
            }
        }
    }

    #[test]
    fn one_id_is_two_nodes_and_two_neighbours_are_six() {
        let mut ids = IdTree::default();
        assert_eq!(ids.radix_nodes(), 1);
        ids.insert(Id::new(4, 1), ());
        assert_eq!(ids.radix_nodes(), 2);
        ids.insert(Id::new(5, 1), ());
        assert_eq!((ids.radix_nodes(), ids.memory()), (6, 2 * 16 + 6 * 244));
        ids.remove(Id::new(4, 1));
        assert_eq!(ids.radix_nodes(), 2);
    }
}
