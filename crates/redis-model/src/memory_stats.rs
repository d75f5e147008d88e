//! `MemoryStats`: the memory that counts for `maxmemory`, by purpose, for `MEMORY STATS` and `INFO memory`.
use crate::{
    Server,
    eviction::{STARTUP_BYTES, bucket_bytes},
    value::memory::{DICT_ENTRY_BYTES, OBJECT_BYTES},
};

/// Bytes that Redis reports for functions when none is loaded, in addition to the startup memory.
const FUNCTIONS_BYTES: usize = 200;

/// Bytes of the two tables of a database, without keys and values.
pub(crate) struct Tables {
    /// Number of the database.
    pub db: usize,
    /// Table of keys, in bytes: entries, buckets, objects.
    pub main: usize,
    /// Table of deadlines, in bytes: entries and buckets.
    pub expires: usize,
}

/// Everything that is counted, in bytes.
pub(crate) struct MemoryStats {
    pub total: usize,
    pub peak: usize,
    pub startup: usize,
    pub functions: usize,
    /// Transaction queues and output buffers.
    pub clients: usize,
    /// Tables of the databases that have keys.
    pub tables: Vec<Tables>,
    /// Everything that is not data.
    pub overhead: usize,
    pub keys: usize,
}

impl MemoryStats {
    pub(crate) fn of(server: &Server) -> MemoryStats {
        let tables = |(index, db): (usize, &crate::Part<crate::Db>)| {
            let (main, expires) = bucket_bytes(db);
            let entries = db.len().saturating_mul(DICT_ENTRY_BYTES.saturating_add(OBJECT_BYTES));
            let deadlines = db.expires_len().saturating_mul(DICT_ENTRY_BYTES);
            Tables { db: index, main: main.saturating_add(entries), expires: expires.saturating_add(deadlines) }
        };
        let databases = || server.databases.iter().enumerate().filter(|(_, db)| !db.is_empty());
        let tables: Vec<Tables> = databases().map(tables).collect();
        let fixed = STARTUP_BYTES.saturating_add(FUNCTIONS_BYTES).saturating_add(server.clients_bytes());
        let total = server.allocated_memory();
        MemoryStats {
            total,
            peak: server.memory_peak.max(total),
            startup: STARTUP_BYTES,
            functions: FUNCTIONS_BYTES,
            clients: server.clients_bytes(),
            overhead: tables.iter().fold(fixed, |sum, db| sum.saturating_add(db.main).saturating_add(db.expires)),
            tables,
            keys: databases().fold(0, |sum, (_, db)| sum.saturating_add(db.len())),
        }
    }

    /// Bytes beyond those of an empty server.
    pub(crate) fn net(&self) -> usize {
        self.total.saturating_sub(self.startup)
    }

    /// Bytes of keys and values themselves.
    pub(crate) fn dataset(&self) -> usize {
        self.total.saturating_sub(self.overhead)
    }

    /// `dataset` as a share of `net`, in percent.
    pub(crate) fn dataset_percent(&self) -> f64 {
        percent(self.dataset(), self.net())
    }

    /// Current memory as a share of its peak, in percent.
    pub(crate) fn peak_percent(&self) -> f64 {
        percent(self.total, self.peak)
    }

    pub(crate) fn bytes_per_key(&self) -> usize {
        self.net().checked_div(self.keys).unwrap_or(0)
    }
}

fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}
