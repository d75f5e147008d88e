//! `Limits`: the thresholds at which a value changes its encoding, with the defaults of Redis 7.0.

/// Encoding thresholds, as `CONFIG GET *-max-*` shows them. Passed by reference to whatever may change an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// `hash-max-listpack-entries`: more fields than this make a hash a hash table.
    pub hash_max_listpack_entries: usize,
    /// `hash-max-listpack-value`: a longer field or value, in bytes, makes a hash a hash table.
    pub hash_max_listpack_value: usize,
    /// `zset-max-listpack-entries`: more members than this make a sorted set a skip list.
    pub zset_max_listpack_entries: usize,
    /// `zset-max-listpack-value`: a longer member, in bytes, makes a sorted set a skip list.
    pub zset_max_listpack_value: usize,
    /// `set-max-intset-entries`: more integers than this make a set a hash table.
    pub set_max_intset_entries: usize,
    /// `list-max-listpack-size`: entries of a list's node when positive; -1 … -5 mean 4, 8, 16, 32, 64 KB.
    pub list_max_listpack_size: i64,
    /// `list-compress-depth`: nodes at each end that stay uncompressed, 0 for no compression. Only shown.
    pub list_compress_depth: i64,
    /// `stream-node-max-bytes`: a stream begins a new node rather than let one reach this size; 0 for no limit but Redis' own.
    pub stream_node_max_bytes: usize,
    /// `stream-node-max-entries`: entries of a stream's node, deleted ones included; 0 for no limit.
    pub stream_node_max_entries: usize,
    /// `hll-sparse-max-bytes`: a longer HyperLogLog, header included, is kept dense.
    pub hll_sparse_max_bytes: usize,
}

impl Limits {
    /// What Redis 7.0 starts with.
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
