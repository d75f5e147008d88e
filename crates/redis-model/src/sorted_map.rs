//! `SortedMap`: a map of few entries, stored as sorted vectors.
//!
//! With only dozens of entries, or with keys that only grow, a vector is as fast as a `BTreeMap`, and its compiled code in the page is a
//! fifth as large for each type of entry. Maps that clients can fill in any order (channels, watched keys) stay `BTreeMap`s, because an
//! insertion here moves all entries behind it.
use std::borrow::Borrow;

/// A map ordered by its keys. Search is O(log n); insertion and removal are O(n), at the end O(1). Keys are stored apart from
/// values, so that a search reads only keys.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SortedMap<K, V> {
    keys: Vec<K>,
    values: Vec<V>,
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V> SortedMap<K, V> {
    /// An empty map.
    pub const fn new() -> Self {
        Self { keys: Vec::new(), values: Vec::new() }
    }

    /// Number of entries.
    pub const fn len(&self) -> usize {
        self.keys.len()
    }

    /// Are there no entries?
    pub const fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.values.clear();
    }

    /// Entries by ascending key.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + ExactSizeIterator {
        self.keys.iter().zip(&self.values)
    }

    /// Keys, ascending.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.keys.iter()
    }

    /// Values by ascending key.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.values.iter()
    }

    /// Values by ascending key, mutable.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.values.iter_mut()
    }

    /// Values by ascending key; consumes the map.
    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.values.into_iter()
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    fn seek<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        match self.keys.last() {
            // Growing keys are appended.
            Some(last) if last.borrow() < key => Err(self.keys.len()),
            _ => self.keys.binary_search_by(|other| other.borrow().cmp(key)),
        }
    }

    /// The value at `key`.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.values.get(self.seek(key).ok()?)
    }

    /// The value at `key`, mutable.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let at = self.seek(key).ok()?;
        self.values.get_mut(at)
    }

    /// Is there an entry at `key`?
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.seek(key).is_ok()
    }

    /// Inserts `value` at `key`, replacing any previous value.
    pub fn insert(&mut self, key: K, value: V) {
        match self.seek(&key) {
            Ok(at) => {
                if let Some(old) = self.values.get_mut(at) {
                    *old = value;
                }
            }
            Err(at) => self.insert_at(at, key, value),
        }
    }

    fn insert_at(&mut self, at: usize, key: K, value: V) {
        self.keys.insert(at, key);
        self.values.insert(at, value);
    }

    /// Removes `key` and returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let at = self.seek(key).ok()?;
        self.keys.remove(at);
        Some(self.values.remove(at))
    }

    /// The value at `key`, mutable; `fresh` creates it if it is missing.
    #[expect(clippy::indexing_slicing, reason = "the place was just found or filled")]
    pub fn entry(&mut self, key: K, fresh: impl FnOnce() -> V) -> &mut V {
        let at = match self.seek(&key) {
            Ok(at) => at,
            Err(at) => {
                self.insert_at(at, key, fresh());
                at
            }
        };
        &mut self.values[at]
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
