//! Memory sizes of Redis objects on a 64-bit machine with jemalloc: the numbers behind `MEMORY USAGE` and `maxmemory`.
//!
//! The model's own structures have other sizes, but lessons about memory are about Redis. So these are Redis' sizes, rounded up
//! to jemalloc's size classes.

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

/// Bytes that jemalloc allocates for a request of `bytes`: the next size class (8, then steps of 16 up to 128, then four per doubling).
pub fn allocated(bytes: usize) -> usize {
    match bytes {
        0..=8 => 8,
        9..=128 => bytes.next_multiple_of(16),
        _ => {
            // A mask instead of a division, because every pushed element calls this.
            let below = (1 << ((bytes - 1).ilog2() - 2)) - 1;
            (bytes + below) & !below
        }
    }
}

/// Bytes of the header of a Redis string (`sds`) of `len` bytes, and the largest length that such a header can store.
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

/// Bytes of a Redis string (`sds`) of length `len`: header, text, a zero byte.
pub fn sds(len: usize) -> usize {
    allocated(sds_header(len).0 + len + 1)
}

/// Length to which a string of `len` bytes can grow in place, because the allocator rounds up. The shortest header cannot
/// record that.
pub fn sds_room(len: usize) -> usize {
    let (header, longest) = sds_header(len);
    if header == 1 { len } else { (sds(len) - header - 1).min(longest) }
}

/// Length to which a string can grow in place after it has grown to `len`: twice `len`, or one megabyte more if it is longer
/// (`SDS_MAX_PREALLOC`); never with the shortest header.
pub fn sds_room_ahead(len: usize) -> usize {
    const AHEAD_MAX: usize = 1024 * 1024;
    let wanted = len + len.min(AHEAD_MAX);
    if wanted < 32 { allocated(3 + wanted + 1) - 3 - 1 } else { sds_room(wanted) }
}

/// Bytes of a skip list node with `level` levels, without its member.
pub fn skiplist_node(level: usize) -> usize {
    allocated(24 + 16 * level)
}

/// Bytes of a keyspace entry besides its value: the key and its entry in the dict. `MEMORY USAGE` replies this plus
/// [`crate::value::Value::memory`].
pub fn key(key: &[u8]) -> usize {
    sds(key.len()) + DICT_ENTRY_BYTES
}

/// Bytes of a dict with its buckets and entries, without keys and values.
pub fn dict<V>(table: &super::Table<V>) -> usize {
    DICT_BYTES + BUCKET_BYTES * table.bucket_count() as usize + DICT_ENTRY_BYTES * table.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growing_string_has_the_capacity_redis_would_allocate() {
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
