//! What Redis' objects cost in memory on a 64-bit machine with jemalloc: the numbers behind `MEMORY USAGE` and `maxmemory`.
//!
//! Our own structures differ, but a lesson about memory is about Redis: so these are Redis' sizes, rounded up
//! as jemalloc rounds.

/// `robj`: type, encoding, LRU clock, reference count, pointer.
pub const OBJECT_BYTES: usize = 16;
/// `dict`, without its buckets.
pub const DICT_BYTES: usize = 56;
/// `dictEntry`: key, value, next.
pub const DICT_ENTRY_BYTES: usize = 24;
/// A bucket: one pointer.
pub const BUCKET_BYTES: usize = 8;
/// `quicklist`: head, tail, counts, settings.
pub const QUICKLIST_BYTES: usize = 40;
/// `quicklistNode`: neighbours, listpack, sizes and flags.
pub const QUICKLIST_NODE_BYTES: usize = 40;
/// `zset`, and `zskiplist` within.
pub const ZSET_BYTES: usize = 16;
/// `zskiplist`: head, tail, length, level.
pub const SKIPLIST_BYTES: usize = 32;

/// What jemalloc hands out for a request of `bytes`: the next of its size classes (8, then 16 apart up to 128, then four to a doubling).
pub fn allocated(bytes: usize) -> usize {
    match bytes {
        0..=8 => 8,
        9..=128 => bytes.next_multiple_of(16),
        _ => bytes.next_multiple_of(1 << ((bytes - 1).ilog2() - 2)),
    }
}

/// A string of Redis (`sds`) of `len` bytes: header, bytes, a zero byte.
pub fn sds(len: usize) -> usize {
    let header = match len {
        0 => 3,
        1..32 => 1,
        32..256 => 3,
        256..65_536 => 5,
        _ if len as u64 <= u64::from(u32::MAX) => 9,
        _ => 17,
    };
    allocated(header + len + 1)
}

/// A node of a skip list with `level` levels, its member not counted.
pub fn skiplist_node(level: usize) -> usize {
    allocated(24 + 16 * level)
}

/// What an entry of the keyspace costs beside its value: the key and its place in the dict. `MEMORY USAGE` answers this plus
/// [`crate::value::Value::memory`].
pub fn key(key: &[u8]) -> usize {
    sds(key.len()) + DICT_ENTRY_BYTES
}

/// A dict with its buckets and entries, keys and values not counted.
pub fn dict<V>(table: &super::Table<V>) -> usize {
    DICT_BYTES + BUCKET_BYTES * table.bucket_count() as usize + DICT_ENTRY_BYTES * table.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_as_jemalloc_does() {
        for (request, given) in [
            (1, 8),
            (8, 8),
            (9, 16),
            (17, 32),
            (128, 128),
            (129, 160),
            (161, 192),
            (257, 320),
            (1024, 1024),
            (1025, 1280),
            (8193, 10240),
        ] {
            assert_eq!(allocated(request), given, "{request}");
        }
    }
}
