//! What Redis leaves to another thread to free, as `INFO memory` counts it (`lazyfree.c`). Here nothing takes time to free.
use bytes::Bytes;

use crate::{Server, db::Entry, value::Value};

/// A value of no more parts than this is freed at once (`LAZYFREE_THRESHOLD`).
const PARTS_MAX: usize = 64;

/// On whose behalf a value goes; each but the first has a parameter of its own that leaves it to another thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Freeing {
    /// `UNLINK`.
    Always,
    /// `DEL`.
    User,
    /// Another value comes in its place, or a command has emptied it.
    Server,
    /// Its TTL has run out.
    Expiry,
    /// Memory was short.
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
    /// Takes a key out and frees its value.
    pub(crate) fn free(&mut self, db: usize, key: &Bytes, freeing: Freeing) -> Option<Entry> {
        let entry = self.take(db, key)?;
        self.count_freed(parts(&entry.value), freeing);
        Some(entry)
    }

    /// Counts a value of so many parts that goes.
    pub(crate) fn count_freed(&mut self, parts: usize, freeing: Freeing) {
        let is_large = parts > PARTS_MAX;
        if is_large && (freeing == Freeing::Always || self.config.shown_by_name(freeing.parameter()) == "yes") {
            self.stats.lazyfreed_objects = self.stats.lazyfreed_objects.saturating_add(1);
        }
    }
}

/// How much there is to free, as far as it matters (`lazyfreeGetFreeEffort`).
pub(crate) fn parts(value: &Value) -> usize {
    match value {
        Value::String(_) => 1,
        Value::List(list) => list.nodes().take(PARTS_MAX + 1).count(),
        Value::Set(set) => set.as_table().map_or(1, |table| table.len()),
        Value::Hash(hash) => hash.as_table().map_or(1, |table| table.len()),
        Value::ZSet(zset) => zset.listpack_bytes().map_or_else(|| zset.len(), |_| 1),
        Value::Stream(stream) => {
            // Of the groups Redis looks at the first, and takes the others to be like it.
            let pending = stream.groups().next().map_or(0, |(_, group)| group.pending_len().saturating_add(1));
            stream.radix_nodes().saturating_add(stream.groups().len().saturating_mul(pending))
        }
    }
}
