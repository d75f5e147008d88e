//! Values that Redis frees in a background thread, as `INFO memory` counts them (`lazyfree.c`). In the model freeing takes no time.
use bytes::Bytes;

use crate::{Server, db::Entry, value::Value};

/// A value with at most this many parts is freed at once (`LAZYFREE_THRESHOLD`).
const PARTS_MAX: usize = 64;

/// Why a value is freed. Each reason but the first has a configuration parameter that makes it lazy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Freeing {
    /// `UNLINK`.
    Always,
    /// `DEL`.
    User,
    /// Another value replaces it, or a command has emptied it.
    Server,
    /// Its TTL has expired.
    Expiry,
    /// It was evicted.
    Eviction,
}

impl Freeing {
    const fn parameter(self) -> &'static str {
        match self {
            Freeing::Always => "",
            Freeing::User => "lazyfree-lazy-user-del",
            Freeing::Server => "lazyfree-lazy-server-del",
            Freeing::Expiry => "lazyfree-lazy-expire",
            Freeing::Eviction => "lazyfree-lazy-eviction",
        }
    }
}

impl Server {
    /// Removes a key and frees its value.
    pub(crate) fn free(&mut self, db: usize, key: &Bytes, freeing: Freeing) -> Option<Entry> {
        let entry = self.take(db, key)?;
        self.count_freed(parts(&entry.value), freeing);
        Some(entry)
    }

    /// Counts a freed value that has `parts` parts.
    pub(crate) fn count_freed(&mut self, parts: usize, freeing: Freeing) {
        let is_large = parts > PARTS_MAX;
        if is_large && (freeing == Freeing::Always || self.config.shown_by_name(freeing.parameter()) == "yes") {
            self.stats.lazyfreed_objects = self.stats.lazyfreed_objects.saturating_add(1);
        }
    }
}

/// Number of parts to free, exact only up to [`PARTS_MAX`] (`lazyfreeGetFreeEffort`).
pub(crate) fn parts(value: &Value) -> usize {
    match value {
        Value::String(_) => 1,
        Value::List(list) => list.nodes().take(PARTS_MAX + 1).count(),
        Value::Set(set) => set.as_table().map_or(1, |table| table.len()),
        Value::Hash(hash) => hash.as_table().map_or(1, |table| table.len()),
        Value::ZSet(zset) => zset.listpack_bytes().map_or_else(|| zset.len(), |_| 1),
        Value::Stream(stream) => {
            // Redis looks at the first group only and assumes that the others are like it.
            let pending = stream.groups().next().map_or(0, |(_, group)| group.pending_len().saturating_add(1));
            stream.radix_nodes().saturating_add(stream.groups().len().saturating_mul(pending))
        }
    }
}
