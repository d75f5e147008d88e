//! `SortedMap`: a map of few entries, kept as a sorted vector.
//!
//! Where there are dozens of entries, or keys only ever grow, a vector is as quick as a `BTreeMap`, and in the page it is a fifth of the
//! code for each type of entry. What a stranger can fill in any order (channels, watched keys) stays in a `BTreeMap`: an insertion
//! here moves what stands behind it.
use std::borrow::Borrow;

/// A map ordered by its keys. Search O(log n); insertion and removal O(n), at the end O(1).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SortedMap<K, V> {
    entries: Vec<(K, V)>,
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V> SortedMap<K, V> {
    /// Without entries.
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Number of entries.
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Are there none?
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Takes all out.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Entries by ascending key.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + ExactSizeIterator {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    /// Keys, ascending.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.entries.iter().map(|(key, _)| key)
    }

    /// Values by ascending key.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.iter().map(|(_, value)| value)
    }

    /// Values by ascending key, without their keys.
    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.entries.into_iter().map(|(_, value)| value)
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    fn seek<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        match self.entries.last() {
            // Numbers that grow are added at the end.
            Some((last, _)) if last.borrow() < key => Err(self.entries.len()),
            _ => self.entries.binary_search_by(|(other, _)| other.borrow().cmp(key)),
        }
    }

    /// The value at `key`.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let at = self.seek(key).ok()?;
        self.entries.get(at).map(|(_, value)| value)
    }

    /// The value at `key`, to be changed in place.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let at = self.seek(key).ok()?;
        self.entries.get_mut(at).map(|(_, value)| value)
    }

    /// Is something at `key`?
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.seek(key).is_ok()
    }

    /// Puts `value` at `key`, in place of what was there.
    pub fn insert(&mut self, key: K, value: V) {
        match self.seek(&key) {
            Ok(at) => {
                if let Some(entry) = self.entries.get_mut(at) {
                    entry.1 = value;
                }
            }
            Err(at) => self.entries.insert(at, (key, value)),
        }
    }

    /// Takes `key` out and answers its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.seek(key).ok().map(|at| self.entries.remove(at).1)
    }

    /// The value at `key`, made by `fresh` when nothing was there, to be changed in place.
    #[expect(clippy::indexing_slicing, reason = "the place was just found or filled")]
    pub fn entry(&mut self, key: K, fresh: impl FnOnce() -> V) -> &mut V {
        let at = match self.seek(&key) {
            Ok(at) => at,
            Err(at) => {
                self.entries.insert(at, (key, fresh()));
                at
            }
        };
        &mut self.entries[at].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn behaves_like_a_map(actions in prop::collection::vec((0u8..4, 0u8..20, any::<u16>()), 0..80)) {
            let (mut map, mut model) = (SortedMap::new(), BTreeMap::new());
            for (action, key, value) in actions {
                match action {
                    0 => prop_assert_eq!(map.remove(&key), model.remove(&key)),
                    1 => {
                        *map.entry(key, || 7) ^= value;
                        *model.entry(key).or_insert(7) ^= value;
                    }
                    _ => {
                        map.insert(key, value);
                        model.insert(key, value);
                    }
                }
                prop_assert_eq!(map.get(&key), model.get(&key));
                prop_assert_eq!(map.get_mut(&key), model.get_mut(&key));
                prop_assert_eq!(map.contains_key(&key), model.contains_key(&key));
                prop_assert_eq!((map.len(), map.is_empty()), (model.len(), model.is_empty()));
                prop_assert!(map.iter().eq(&model) && map.keys().eq(model.keys()) && map.values().eq(model.values()));
            }
            prop_assert!(map.into_values().eq(model.into_values()));
        }
    }
}
