//! `SortedMap`: a map of few entries, stored as a sorted vector.
//!
//! With only dozens of entries, or with keys that only grow, a vector is as fast as a `BTreeMap`, and its compiled code in the page is a
//! fifth as large for each type of entry. Maps that clients can fill in any order (channels, watched keys) stay `BTreeMap`s, because an
//! insertion here moves all entries behind it.
use std::borrow::Borrow;
use std::hash::{Hash, Hasher};

/// A map ordered by its keys. Search is O(log n); insertion and removal are O(n), at the end O(1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortedMap<K, V> {
    entries: Vec<(K, V)>,
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

/// Keys and values are hashed as two lists, which they once were: fingerprints stay the same.
impl<K: Hash, V: Hash> Hash for SortedMap<K, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        self.keys().for_each(|key| key.hash(state));
        self.len().hash(state);
        self.values().for_each(|value| value.hash(state));
    }
}

impl<K, V> SortedMap<K, V> {
    /// An empty map.
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Number of entries.
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Are there no entries?
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Removes the entries whose value fails the test.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&V) -> bool) {
        self.entries.retain(|(_, value)| is_kept(value));
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

    /// Values by ascending key, mutable.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    /// Values by ascending key; consumes the map.
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
            // Growing keys are appended.
            Some((last, _)) if last.borrow() < key => Err(self.entries.len()),
            _ => self.entries.binary_search_by(|(other, _)| other.borrow().cmp(key)),
        }
    }

    /// The value at `key`.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.entries.get(self.seek(key).ok()?).map(|(_, value)| value)
    }

    /// The value at `key`, mutable.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let at = self.seek(key).ok()?;
        self.entries.get_mut(at).map(|(_, value)| value)
    }

    /// The value at `key`, which is most likely the entry with this number: then one comparison finds it.
    pub fn get_near(&self, place: usize, key: &K) -> Option<&V> {
        match self.entries.get(place) {
            Some((other, value)) if other == key => Some(value),
            _ => self.get(key),
        }
    }

    /// The same, mutable.
    pub fn get_near_mut(&mut self, place: usize, key: &K) -> Option<&mut V> {
        let is_there = self.entries.get(place).is_some_and(|(other, _)| other == key);
        let at = if is_there { place } else { self.seek(key).ok()? };
        self.entries.get_mut(at).map(|(_, value)| value)
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
                if let Some((_, old)) = self.entries.get_mut(at) {
                    *old = value;
                }
            }
            Err(at) => self.entries.insert(at, (key, value)),
        }
    }

    /// Removes `key` and returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let at = self.seek(key).ok()?;
        Some(self.entries.remove(at).1)
    }

    /// The value at `key`, mutable; `fresh` creates it if it is missing.
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
                for place in 0..6 {
                    prop_assert_eq!(map.get_near(place, &key), model.get(&key));
                    prop_assert_eq!(map.get_near_mut(place, &key), model.get_mut(&key));
                }
                prop_assert_eq!(map.contains_key(&key), model.contains_key(&key));
                prop_assert_eq!((map.len(), map.is_empty()), (model.len(), model.is_empty()));
                prop_assert!(map.iter().eq(&model) && map.keys().eq(model.keys()) && map.values().eq(model.values()));
            }
            prop_assert!(map.into_values().eq(model.into_values()));
        }
    }
}
