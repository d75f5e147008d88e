//! Cache of the snapshots of recently played moments.
use super::snapshot::Snapshot;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The cache key: the fingerprints of a program's text and of its history.
pub type SnapshotKey = (u128, u128);

/// Most snapshots in the cache.
const SNAPSHOTS_MAX: usize = 2_000;

/// Most memory that they may have allocated together, in bytes.
const BYTES_MAX: usize = 48 << 20;

/// Snapshots by key; when there are too many, the oldest entry is evicted.
#[derive(Default)]
pub struct SnapshotCache {
    snapshots: FxHashMap<SnapshotKey, (u64, Snapshot)>,
    /// The keys in the order of insertion.
    order: BTreeMap<u64, SnapshotKey>,
    next: u64,
    bytes: usize,
}

impl SnapshotCache {
    /// Removes and returns the snapshot of this key.
    pub fn take(&mut self, key: SnapshotKey) -> Option<Snapshot> {
        let (number, snapshot) = self.snapshots.remove(&key)?;
        self.order.remove(&number);
        self.bytes = self.bytes.saturating_sub(snapshot.bytes());
        Some(snapshot)
    }

    /// Inserts a snapshot; returns the previous snapshot of this key.
    #[must_use]
    pub fn put(&mut self, key: SnapshotKey, snapshot: Snapshot) -> Option<Snapshot> {
        let former = self.take(key);
        self.bytes = self.bytes.saturating_add(snapshot.bytes());
        self.order.insert(self.next, key);
        self.snapshots.insert(key, (self.next, snapshot));
        self.next = self.next.wrapping_add(1);
        former
    }

    /// Number of snapshots.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.snapshots.len()
    }

    /// Whether the cache exceeds its limits.
    pub fn is_full(&self) -> bool {
        self.snapshots.len() > SNAPSHOTS_MAX || self.bytes > BYTES_MAX
    }

    /// Removes and returns the oldest snapshot.
    pub fn take_oldest(&mut self) -> Option<Snapshot> {
        let (_, &key) = self.order.first_key_value()?;
        self.take(key)
    }
}
