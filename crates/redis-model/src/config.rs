//! The server's configuration: what `CONFIG GET` and `CONFIG SET` show and change.
use bytes::Bytes;

use crate::{notify::Notify, value::limits::Limits};

/// Settings that change behaviour. Parameters that Redis knows and the model only remembers stand in `others`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Where it would listen, as `CLIENT LIST` and `INFO` tell it.
    pub port: u16,
    /// The password that a new connection must give first (`requirepass`); empty: none.
    pub requirepass: Bytes,
    /// Number of databases; fixed at start.
    pub databases: usize,
    /// Bytes that the keys may take together; 0: no limit.
    pub maxmemory: u64,
    /// Largest string and largest argument in bytes (`proto-max-bulk-len`).
    pub proto_max_bulk_len: u64,
    /// Thresholds at which values change their encoding.
    pub limits: Limits,
    /// Which keyspace events are published.
    pub notify_keyspace_events: Notify,
    /// Start of the random generator.
    pub seed: u64,
    /// Does the active expiry cycle run (`DEBUG SET-ACTIVE-EXPIRE`)?
    pub is_active_expire_on: bool,
    /// Entries slower than this many microseconds of *virtual* time go to the slow log; negative: none.
    pub slowlog_log_slower_than_us: i64,
    /// Entries that the slow log keeps.
    pub slowlog_max_len: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            port: 6379,
            requirepass: Bytes::new(),
            databases: 16,
            maxmemory: 0,
            proto_max_bulk_len: 512 * 1024 * 1024,
            limits: Limits::default(),
            notify_keyspace_events: Notify::empty(),
            seed: 0,
            is_active_expire_on: true,
            slowlog_log_slower_than_us: 10_000,
            slowlog_max_len: 128,
        }
    }
}
