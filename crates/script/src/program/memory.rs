//! The commands with which a traffic handler accesses its machine's memory.
use bytes::Bytes;
use serde::{Deserialize, Serialize};

/// Bits of a region; positions are below this.
pub const MEMORY_BITS: u32 = 1 << 27;
/// Most bit positions in one command.
pub const MEMORY_PLACES_MAX: usize = 10_000;
/// Greatest entry limit of a region.
pub const MEMORY_MOST_MAX: u32 = 1_000_000;

/// A command for a region of a machine's memory. Every command may also be answered by an error.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MemoryCommand {
    /// Reads an entry. Answered by the value, or null.
    Get {
        /// The name of the entry.
        key: Bytes,
    },
    /// Sets an entry. Answered by `OK`.
    Set {
        /// Of which entry.
        key: Bytes,
        /// Its value from now on.
        value: Bytes,
        /// It goes after so many ms; at least 1.
        ttl_ms: Option<u64>,
    },
    /// Sets an entry if it does not exist. Answered by 1 if it was set, else by 0.
    Add {
        /// Of which entry.
        key: Bytes,
        /// Its value from now on.
        value: Bytes,
        /// It goes after so many ms; at least 1.
        ttl_ms: Option<u64>,
    },
    /// Adds to an integer value; a missing entry counts as 0. Answered by the sum. The remaining time of the entry is kept.
    Incr {
        /// Of which entry.
        key: Bytes,
        /// The increment.
        n: i64,
    },
    /// Deletes an entry. Answered by 1 if it existed, else by 0.
    Delete {
        /// Of which entry.
        key: Bytes,
    },
    /// Blocks until the entry is set, deleted or expired. Answered by 1 then, or by 0 after the timeout.
    Wait {
        /// The name of the entry.
        key: Bytes,
        /// The timeout in ms. `None`: no timeout.
        timeout_ms: Option<u64>,
    },
    /// Sets bits. Answered by `OK`.
    SetBits {
        /// Their positions, below [`MEMORY_BITS`].
        places: Vec<u32>,
    },
    /// Tests bits. Answered by 1 if all of them are set, else by 0.
    HasBits {
        /// Their positions, below [`MEMORY_BITS`].
        places: Vec<u32>,
    },
    /// Deletes all entries and bits. Answered by `OK`.
    Clear,
}

impl MemoryCommand {
    /// Length of its key, value or list, in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            MemoryCommand::Get { key }
            | MemoryCommand::Incr { key, .. }
            | MemoryCommand::Delete { key }
            | MemoryCommand::Wait { key, .. } => key.len(),
            MemoryCommand::Set { key, value, .. } | MemoryCommand::Add { key, value, .. } => {
                key.len().saturating_add(value.len())
            }
            MemoryCommand::Clear => 0,
            MemoryCommand::SetBits { places } | MemoryCommand::HasBits { places } => places.len().saturating_mul(4),
        }
    }
}
