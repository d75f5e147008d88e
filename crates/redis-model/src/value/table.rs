//! `Table`: Redis' dict as clients observe it, stored as a persistent tree ordered by reversed hash.
//!
//! Redis has a power-of-two array of buckets and lets `SCAN` visit them in the order of their *reversed* bits. Then,
//! if the array doubles or halves between two calls, the visited buckets are exactly those whose keys
//! were visited, and no key that is present all the time is missed. Here the structure itself has that order:
//!
//! ```text
//! hash, low bits first    000… 001…   010… 011…   100… 101…   110… 111…      entries sorted by reversed hash
//! table of 4 buckets      └─ 0 ─┘     └─ 2 ─┘     └─ 1 ─┘     └─ 3 ─┘        a bucket is a contiguous range
//! table of 8 buckets      0    4      2    6      1    5      3    7         growing splits each range in two
//! ```
//!
//! The bucket of a key is the low bits of its hash, as in Redis. The low bits of the hash are the *high* bits of the
//! reversed hash. So tables of all sizes are the same sorted sequence, divided finer or coarser. A cursor is a position in
//! that sequence, bit-reversed, which gives the same numbers as Redis. Growing and shrinking only change one number.
//!
//! The hash has no seed and does not depend on the machine: the same keys give the same order natively and in a browser.
use crate::sorting;
use crate::value::tree::{self, InterpolationKey, Path, Tree};
use bytes::Bytes;
use std::cmp::Ordering;
use std::fmt;

/// Initial number of buckets of a table with an entry (`DICT_HT_INITIAL_SIZE`).
const BUCKETS_INITIAL: u64 = 4;
/// A table filled to less than this, in percent, shrinks (`HASHTABLE_MIN_FILL`).
const FILL_PERCENT_MIN: u64 = 10;

/// Sort key of an entry: reversed hash, then key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct HashPosition {
    reversed: u64,
    key: Bytes,
}

impl InterpolationKey for HashPosition {
    fn position(&self) -> u64 {
        self.reversed
    }
}

/// A hash table with Redis' buckets, cursors and rules of growth. Clones cost O(1).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Table<V> {
    entries: Tree<HashPosition, V>,
    /// Number of buckets: 0 before the first entry, then a power of two; depends on history, as in Redis.
    buckets: u64,
}

/// The hash of a key: multiplies eight bytes at a time, then finishes like MurmurHash3, so that every
/// input bit affects the low bits, which select the bucket.
pub fn hash(key: &[u8]) -> u64 {
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = (key.len() as u64).wrapping_mul(SPREAD) ^ 0x517c_c1b7_2722_0a95;
    let (chunks, rest) = key.as_chunks::<8>();
    for chunk in chunks {
        state = (state ^ u64::from_le_bytes(*chunk)).wrapping_mul(SPREAD).rotate_left(29);
    }
    if !rest.is_empty() {
        let last = rest.iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
        state = (state ^ last).wrapping_mul(SPREAD).rotate_left(29);
    }
    state = (state ^ state >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    state = (state ^ state >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    state ^ state >> 33
}

/// The position of `key` (its reversed hash), and a comparison of stored keys with it.
fn seek(key: &[u8]) -> (u64, impl Fn(&HashPosition) -> Ordering) {
    let reversed = hash(key).reverse_bits();
    (reversed, move |place| place.reversed.cmp(&reversed).then_with(|| place.key.as_ref().cmp(key)))
}

impl<V> Table<V> {
    /// An empty table without buckets; allocates nothing.
    pub const fn new() -> Self {
        Self { entries: Tree::new(), buckets: 0 }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Number of buckets: 0, or a power of two.
    pub fn bucket_count(&self) -> u64 {
        self.buckets
    }

    /// The value at `key`.
    pub fn get(&self, key: &[u8]) -> Option<&V> {
        self.get_key_value(key).map(|(_, value)| value)
    }

    /// The key as it is stored, and its value.
    pub fn get_key_value(&self, key: &[u8]) -> Option<(&Bytes, &V)> {
        let (position, order) = seek(key);
        self.entries.get_at(position, order).map(|(place, value)| (&place.key, value))
    }

    /// The path to `key`, for repeated access.
    pub fn locate(&self, key: &[u8]) -> Option<Path> {
        let (position, order) = seek(key);
        self.entries.locate(position, order)
    }

    /// The entry at the end of a path.
    pub fn at(&self, path: &Path) -> Option<(&Bytes, &V)> {
        self.entries.at(path).map(|(place, value)| (&place.key, value))
    }

    /// Whether it contains `key`.
    pub fn contains(&self, key: &[u8]) -> bool {
        self.get(key).is_some()
    }

    /// All entries, in the order in which `SCAN` visits them.
    pub fn iter(&self) -> Iter<'_, V> {
        Iter(self.entries.iter())
    }

    /// The keys, in the order of `iter`.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Bytes> + ExactSizeIterator {
        self.iter().map(|(key, _)| key)
    }

    /// The entry at an index of `iter`'s order: a uniform index gives a uniformly random entry. O(log n).
    pub fn nth(&self, index: usize) -> Option<(&Bytes, &V)> {
        self.entries.nth(index).map(|(place, value)| (&place.key, value))
    }

    /// The entries of one bucket.
    pub fn bucket(&self, bucket: u64) -> Iter<'_, V> {
        if bucket >= self.buckets {
            return Iter(self.entries.range(0..0));
        }
        let first = bucket.reverse_bits();
        let last = first | (u64::MAX >> self.bits());
        let start = self.entries.lower_bound(|place| place.reversed < first);
        let end = self.entries.lower_bound(|place| place.reversed <= last);
        Iter(self.entries.range(start..end))
    }

    /// A cheap sample (`dictGetSomeKeys`): the entries of neighbouring buckets from a random one on, up to `count`,
    /// fewer if the table is sparse. Not uniformly random. `below` draws a number below a bound.
    pub fn sample(&self, count: usize, mut below: impl FnMut(u64) -> u64) -> Vec<(&Bytes, &V)> {
        let count = count.min(self.len());
        let mut found = Vec::new();
        let mut bucket = below(self.buckets);
        let mut empty = 0usize;
        for _ in 0..count.saturating_mul(10) {
            let before = found.len();
            found.extend(self.bucket(bucket).take(count.saturating_sub(before)));
            if found.len() >= count {
                break;
            }
            bucket = (bucket + 1) & (self.buckets - 1);
            empty = if found.len() == before { empty + 1 } else { 0 };
            // Many empty buckets in a row: try another region.
            if empty >= 5 && empty > count {
                bucket = below(self.buckets);
                empty = 0;
            }
        }
        found
    }

    /// Number of low bits of the hash that select the bucket. Never 0: the smallest table has four buckets.
    fn bits(&self) -> u32 {
        self.buckets.max(BUCKETS_INITIAL).trailing_zeros()
    }

    /// One step of `SCAN`: emits the entries of the bucket at `cursor` and returns the next cursor, 0 at the end. Every
    /// entry that is present from the first step to the last is emitted at least once, even if other entries are added or
    /// removed and the table grows or shrinks in between. Any number is a valid cursor.
    pub fn scan(&self, cursor: u64, mut emit: impl FnMut(&Bytes, &V)) -> u64 {
        if self.is_empty() {
            return 0;
        }
        for (key, value) in self.bucket(cursor & (self.buckets - 1)) {
            emit(key, value);
        }
        // Counts up with the bits reversed: the highest bit of the bucket number is the least significant.
        let below = u64::MAX >> self.bits();
        (cursor.reverse_bits() | below).wrapping_add(1).reverse_bits()
    }

    /// Number of buckets for `len` entries (the next power of two).
    fn buckets_for(len: usize) -> u64 {
        (len as u64).next_power_of_two().max(BUCKETS_INITIAL)
    }

    /// Grows the table to hold `len` entries, as Redis does before filling a table of known size.
    pub fn reserve(&mut self, len: usize) {
        if len > 0 {
            self.buckets = self.buckets.max(Self::buckets_for(len));
        }
    }

    /// Shrinks a table that is less than a tenth full. `remove` calls it.
    fn shrink_if_sparse(&mut self) {
        if self.buckets > BUCKETS_INITIAL && self.len() as u64 * 100 / self.buckets < FILL_PERCENT_MIN {
            self.buckets = Self::buckets_for(self.len());
        }
    }
}

impl<V: Clone> Table<V> {
    /// Builds a table from entries; the caller guarantees distinct keys. Faster than inserting one by one. O(n log n).
    pub fn from_entries(entries: impl IntoIterator<Item = (Bytes, V)>) -> Self {
        let place = |key: Bytes| HashPosition { reversed: hash(&key).reverse_bits(), key };
        let mut entries: Vec<_> = entries.into_iter().map(|(key, value)| (place(key), value)).collect();
        sorting::sort_by(&mut entries, |a, b| a.0.cmp(&b.0));
        let buckets = if entries.is_empty() { 0 } else { Self::buckets_for(entries.len()) };
        Self { entries: Tree::from_sorted(entries), buckets }
    }

    /// The value at `key`, mutable.
    pub fn get_mut(&mut self, key: &[u8]) -> Option<&mut V> {
        let path = self.locate(key)?;
        self.at_mut(&path)
    }

    /// The value at the end of a path, mutable.
    pub fn at_mut(&mut self, path: &Path) -> Option<&mut V> {
        self.entries.at_mut(path)
    }

    /// Inserts `value` at `key`; returns the previous value. A new key grows a full table.
    pub fn insert(&mut self, key: Bytes, value: V) -> Option<V> {
        let place = HashPosition { reversed: hash(&key).reverse_bits(), key };
        let full = self.len() as u64 >= self.buckets;
        let old = self.entries.insert_in_position(place, value);
        if old.is_none() && full {
            self.buckets = Self::buckets_for(self.len());
        }
        old
    }

    /// Removes the value at `key`.
    pub fn remove(&mut self, key: &[u8]) -> Option<V> {
        self.remove_entry(key).map(|(_, value)| value)
    }

    /// Removes `key`; returns the stored key and its value.
    pub fn remove_entry(&mut self, key: &[u8]) -> Option<(Bytes, V)> {
        let (position, order) = seek(key);
        let (place, value) = self.entries.remove_at_position(position, order)?;
        self.shrink_if_sparse();
        Some((place.key, value))
    }

    /// Removes the entry at an index of `iter`'s order. O(log n).
    pub fn remove_nth(&mut self, index: usize) -> Option<(Bytes, V)> {
        let (place, value) = self.entries.remove_at(index)?;
        self.shrink_if_sparse();
        Some((place.key, value))
    }

    /// Removes all entries and buckets.
    pub fn clear(&mut self) {
        *self = Self::new();
    }
}

/// The entries of a table or of a bucket.
pub struct Iter<'a, V>(tree::Iter<'a, HashPosition, V>);

impl<V> Clone for Iter<'_, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<'a, V> Iterator for Iter<'a, V> {
    type Item = (&'a Bytes, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(place, value)| (&place.key, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.0.nth(n).map(|(place, value)| (&place.key, value))
    }
}

impl<V> DoubleEndedIterator for Iter<'_, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(place, value)| (&place.key, value))
    }
}

impl<V> ExactSizeIterator for Iter<'_, V> {}

impl<'a, V> IntoIterator for &'a Table<V> {
    type Item = (&'a Bytes, &'a V);
    type IntoIter = Iter<'a, V>;

    fn into_iter(self) -> Iter<'a, V> {
        self.iter()
    }
}

impl<V> Default for Table<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: Clone> FromIterator<(Bytes, V)> for Table<V> {
    fn from_iter<I: IntoIterator<Item = (Bytes, V)>>(entries: I) -> Self {
        let mut table = Self::new();
        for (key, value) in entries {
            table.insert(key, value);
        }
        table
    }
}

impl<V: fmt::Debug> fmt::Debug for Table<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn key(n: u32) -> Bytes {
        Bytes::from(format!("key:{n}"))
    }

    proptest! {
        #[test]
        fn behaves_as_a_map_and_clones_never_change(steps in prop::collection::vec((any::<bool>(), 0u32..300, any::<u8>()), 0..600)) {
            let mut model = BTreeMap::new();
            let mut table = Table::new();
            let mut earlier = Vec::new();
            for (at, (put, n, value)) in steps.into_iter().enumerate() {
                if put {
                    prop_assert_eq!(table.insert(key(n), value), model.insert(key(n), value));
                } else {
                    prop_assert_eq!(table.remove(&key(n)), model.remove(&key(n)));
                }
                if at % 50 == 0 {
                    earlier.push((table.clone(), model.clone()));
                }
            }
            earlier.push((table, model));
            for (table, model) in earlier {
                let sorted: BTreeMap<Bytes, u8> = table.iter().map(|(k, v)| (k.clone(), *v)).collect();
                prop_assert_eq!(&sorted, &model);
                for n in 0..300 {
                    prop_assert_eq!(table.get(&key(n)), model.get(&key(n)));
                }
                let in_buckets: usize = (0..table.bucket_count()).map(|bucket| table.bucket(bucket).len()).sum();
                prop_assert_eq!(in_buckets, model.len());
                for bucket in 0..table.bucket_count() {
                    prop_assert!(table.bucket(bucket).all(|(k, _)| hash(k) % table.bucket_count() == bucket));
                }
            }
        }

        /// The guarantee of `SCAN`: an element present from start to end is returned, whatever else changes.
        #[test]
        fn scan_keeps_its_guarantee_while_the_table_grows_and_shrinks(
            stable in 1u32..60,
            // Number of temporary keys after each step.
            waves in prop::collection::vec(0u32..1500, 1..40),
        ) {
            let mut table: Table<()> = (0..stable).map(|n| (key(n), ())).collect();
            let mut seen = BTreeSet::new();
            let mut present = 0;
            let mut cursor = 0;
            let mut waves = waves.into_iter();
            loop {
                cursor = table.scan(cursor, |key, ()| { seen.insert(key.clone()); });
                if cursor == 0 { break; }
                if let Some(wave) = waves.next() {
                    for n in present..wave { table.insert(key(10_000 + n), ()); }
                    for n in wave..present { table.remove(&key(10_000 + n)); }
                    present = wave;
                }
            }
            for n in 0..stable {
                prop_assert!(seen.contains(&key(n)));
            }
        }

        #[test]
        fn any_number_is_a_valid_cursor(len in 0u32..50, cursor in any::<u64>()) {
            let table: Table<()> = (0..len).map(|n| (key(n), ())).collect();
            let mut steps = 0;
            let mut cursor = cursor;
            loop {
                cursor = table.scan(cursor, |_, ()| ());
                steps += 1;
                if cursor == 0 { break; }
                prop_assert!(steps <= 128);
            }
        }
    }

    #[test]
    fn full_scan_of_an_unchanged_table_returns_each_key_once_with_the_cursors_of_redis() {
        let table: Table<()> = (0..100).map(|n| (key(n), ())).collect();
        assert_eq!(table.bucket_count(), 128);
        let (mut seen, mut cursors, mut cursor) = (Vec::new(), Vec::new(), 0);
        loop {
            cursor = table.scan(cursor, |key, ()| seen.push(key.clone()));
            cursors.push(cursor);
            if cursor == 0 {
                break;
            }
        }
        assert_eq!(cursors.len(), 128);
        assert_eq!(&cursors[..4], &[64, 32, 96, 16]);
        assert!(seen.iter().eq(table.keys()));
    }

    #[test]
    fn grows_and_shrinks_when_redis_does() {
        let mut table = Table::new();
        assert_eq!(table.bucket_count(), 0);
        let mut sizes = Vec::new();
        for n in 0..33 {
            table.insert(key(n), ());
            sizes.push(table.bucket_count());
        }
        assert_eq!((sizes[0], sizes[3], sizes[4], sizes[7], sizes[8], sizes[31], sizes[32]), (4, 4, 8, 8, 16, 32, 64));
        for n in (7..33).rev() {
            table.remove(&key(n));
        }
        assert_eq!((table.len(), table.bucket_count()), (7, 64), "10 % full: stays");
        table.remove(&key(6));
        assert_eq!((table.len(), table.bucket_count()), (6, 8), "9 % full: shrinks");
    }

    #[test]
    fn the_hash_spreads_sequential_keys_over_the_low_bits() {
        let families: [fn(u32) -> Bytes; 4] = [
            key,
            |n| Bytes::from(n.to_string()),
            |n| Bytes::copy_from_slice(&n.to_le_bytes()),
            |n| Bytes::from(format!("user:{n}:session:token:with:a:long:name")),
        ];
        for family in families {
            let mut table: Table<()> = (0..65_536).map(|n| (family(n), ())).collect();
            table.reserve(65_536);
            let used = (0..table.bucket_count()).filter(|bucket| table.bucket(*bucket).next().is_some()).count();
            let longest = (0..table.bucket_count()).map(|bucket| table.bucket(bucket).len()).max();
            // n random balls fill 1 - 1/e = 63.2 % of n boxes, the fullest with about 8.
            assert!((40_700..42_200).contains(&used), "{used} of 65536 buckets used");
            assert!(longest <= Some(12), "{longest:?} in one bucket");
        }
    }

    #[test]
    fn hash_never_changes() {
        // Saved sessions depend on it: a change here needs a new version of their format.
        assert_eq!(hash(b""), 0x37e8_d294_6949_7cd2);
        assert_eq!(hash(b"foo"), 0x23e6_aed7_457d_b5c6);
        assert_eq!(hash(b"a key of more than eight bytes"), 0x2fc1_5085_c0e1_51de);
    }
}
