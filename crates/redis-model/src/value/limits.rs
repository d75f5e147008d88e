//! `Limits`: the thresholds at which a value changes its encoding, with the defaults of Redis 7.0.

/// Encoding thresholds, as `CONFIG GET *-max-*` shows them. Every function that may change an encoding takes them by reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// `hash-max-listpack-entries`: with more fields than this a hash becomes a hash table.
    pub hash_max_listpack_entries: usize,
    /// `hash-max-listpack-value`: with a field or value longer than this, in bytes, a hash becomes a hash table.
    pub hash_max_listpack_value: usize,
    /// `zset-max-listpack-entries`: with more members than this a sorted set becomes a skip list.
    pub zset_max_listpack_entries: usize,
    /// `zset-max-listpack-value`: with a member longer than this, in bytes, a sorted set becomes a skip list.
    pub zset_max_listpack_value: usize,
    /// `set-max-intset-entries`: with more integers than this a set becomes a hash table.
    pub set_max_intset_entries: usize,
    /// `list-max-listpack-size`: positive: entries per node of a list; -1 … -5: 4, 8, 16, 32, 64 KB per node.
    pub list_max_listpack_size: i64,
    /// `list-compress-depth`: nodes at each end that stay uncompressed; 0: no compression. Only shown.
    pub list_compress_depth: i64,
    /// `stream-node-max-bytes`: a new entry goes into a new node if the last one would reach this size; 0: only Redis' own limit.
    pub stream_node_max_bytes: usize,
    /// `stream-node-max-entries`: entries per stream node, deleted ones included; 0: no limit.
    pub stream_node_max_entries: usize,
    /// `hll-sparse-max-bytes`: a HyperLogLog longer than this, header included, is stored dense.
    pub hll_sparse_max_bytes: usize,
}

impl Limits {
    /// The defaults of Redis 7.0.
    pub const DEFAULT: Self = Self {
        hash_max_listpack_entries: 512,
        hash_max_listpack_value: 64,
        zset_max_listpack_entries: 128,
        zset_max_listpack_value: 64,
        set_max_intset_entries: 512,
        list_max_listpack_size: -2,
        list_compress_depth: 0,
        stream_node_max_bytes: 4096,
        stream_node_max_entries: 100,
        hll_sparse_max_bytes: 3000,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
