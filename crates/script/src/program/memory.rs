//! What a handler of traffic can ask the memory of its machine for.
use bytes::Bytes;

/// Bits of a region; places are from 0 to one less.
pub const MEMORY_BITS: u32 = 1 << 27;
/// Places in one list.
pub const MEMORY_PLACES_MAX: usize = 10_000;
/// The greatest number of entries to which a region can be limited.
pub const MEMORY_MOST_MAX: u32 = 1_000_000;

/// A command for a region of a machine's memory. Each can be answered by an error instead.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MemoryCommand {
    /// Answered by the value, or null.
    Get {
        /// Of which entry.
        key: Bytes,
    },
    /// Answered by `OK`.
    Set {
        /// Of which entry.
        key: Bytes,
        /// Its value from now on.
        value: Bytes,
        /// It goes after so many ms; at least 1.
        ttl_ms: Option<u64>,
    },
    /// Sets an entry that is not there. Answered by 1, or 0 where it is there.
    Add {
        /// Of which entry.
        key: Bytes,
        /// Its value from now on.
        value: Bytes,
        /// It goes after so many ms; at least 1.
        ttl_ms: Option<u64>,
    },
    /// Adds to a value that is a whole number, or to 0 where there is none. Answered by the sum. What time the entry has left stays.
    Incr {
        /// Of which entry.
        key: Bytes,
        /// How much is added.
        n: i64,
    },
    /// Answered by 1 where the entry was there, or else by 0.
    Delete {
        /// Of which entry.
        key: Bytes,
    },
    /// Answered by 1 once the entry is set, deleted or gone, or by 0 after the timeout.
    Wait {
        /// For which entry.
        key: Bytes,
        /// Waits so long. `None`: for ever.
        timeout_ms: Option<u64>,
    },
    /// Sets bits. Answered by `OK`.
    SetBits {
        /// Which, below [`MEMORY_BITS`].
        places: Vec<u32>,
    },
    /// Answered by 1 where all of these bits are set, or else by 0.
    HasBits {
        /// Which, below [`MEMORY_BITS`].
        places: Vec<u32>,
    },
}

impl MemoryCommand {
    /// Bytes of what it names.
    pub fn bytes(&self) -> usize {
        match self {
            MemoryCommand::Get { key }
            | MemoryCommand::Incr { key, .. }
            | MemoryCommand::Delete { key }
            | MemoryCommand::Wait { key, .. } => key.len(),
            MemoryCommand::Set { key, value, .. } | MemoryCommand::Add { key, value, .. } => {
                key.len().saturating_add(value.len())
            }
            MemoryCommand::SetBits { places } | MemoryCommand::HasBits { places } => places.len().saturating_mul(4),
        }
    }
}
