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
        _ => {
            // A mask, not a division: each element that is pushed asks.
            let below = (1 << ((bytes - 1).ilog2() - 2)) - 1;
            (bytes + below) & !below
        }
    }
}

/// Bytes in front of a string of Redis (`sds`) of `len` bytes, and the longest that such a header can tell.
fn sds_header(len: usize) -> (usize, usize) {
    match len {
        0 => (3, 255),
        1..32 => (1, 31),
        32..256 => (3, 255),
        256..65_536 => (5, 65_535),
        _ if len as u64 <= u64::from(u32::MAX) => (9, u32::MAX as usize),
        _ => (17, usize::MAX),
    }
}

/// A string of Redis (`sds`) of `len` bytes: header, bytes, a zero byte.
pub fn sds(len: usize) -> usize {
    allocated(sds_header(len).0 + len + 1)
}

/// How long a string of `len` bytes may become where it lies: the allocator gives more than was asked for. The shortest header has no
/// place to note that.
pub fn sds_room(len: usize) -> usize {
    let (header, longest) = sds_header(len);
    if header == 1 { len } else { (sds(len) - header - 1).min(longest) }
}

/// How long a string may become where it lies after it has grown to `len`: twice that, past a megabyte one more
/// (`SDS_MAX_PREALLOC`), and never with the shortest header.
pub fn sds_room_ahead(len: usize) -> usize {
    const AHEAD_MAX: usize = 1024 * 1024;
    let wanted = len + len.min(AHEAD_MAX);
    if wanted < 32 { allocated(3 + wanted + 1) - 3 - 1 } else { sds_room(wanted) }
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
    fn a_string_that_grows_finds_the_room_that_redis_would_have_made() {
        for (len, room) in [(0, 4), (5, 5), (31, 31), (32, 44), (100, 108), (255, 255), (256, 314)] {
            assert_eq!(sds_room(len), room, "made with {len}");
        }
        for (len, room) in [(1, 4), (10, 28), (20, 44), (130, 314), (1 << 20, (1 << 21) + (1 << 19) - 10)] {
            assert_eq!(sds_room_ahead(len), room, "grown to {len}");
        }
    }

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
