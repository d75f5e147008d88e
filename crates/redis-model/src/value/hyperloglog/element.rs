//! From an element to its register: `MurmurHash64A` with Redis' seed, and splitting its bits.
use super::REGISTERS;

/// The seed of Redis' HyperLogLog.
const SEED: u64 = 0xadc8_3b19;
/// Bits of the hash that choose the register.
const REGISTER_BITS: u32 = REGISTERS.ilog2();
/// Bits of the hash in which the run of zeros is counted.
const RUN_BITS: u32 = 64 - REGISTER_BITS;

/// The register that an element updates, and the value it may raise the register to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterUpdate {
    /// Index of the register, 0 … 16383.
    pub register: usize,
    /// Number of trailing zeros in the other 50 bits of the hash, plus one: 1 … 51.
    pub run: u8,
}

impl RegisterUpdate {
    /// The register and run of an element.
    pub fn of(element: &[u8]) -> RegisterUpdate {
        let hash = murmur64a(element, SEED);
        let register = (hash % REGISTERS as u64) as usize;
        // A 1 after the last bit ends every run.
        let run = ((hash >> REGISTER_BITS) | 1 << RUN_BITS).trailing_zeros() as u8 + 1;
        RegisterUpdate { register, run }
    }
}

/// `MurmurHash64A` by Austin Appleby (public domain), which reads little-endian words.
pub fn murmur64a(bytes: &[u8], seed: u64) -> u64 {
    const M: u64 = 0xc6a4_a793_5bd1_e995;
    const R: u32 = 47;
    let mut hash = seed ^ (bytes.len() as u64).wrapping_mul(M);
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        let mut word = u64::from_le_bytes(*word).wrapping_mul(M);
        word ^= word >> R;
        hash = (hash ^ word.wrapping_mul(M)).wrapping_mul(M);
    }
    if !rest.is_empty() {
        let tail = rest.iter().rev().fold(0u64, |tail, byte| tail << 8 | u64::from(*byte));
        hash = (hash ^ tail).wrapping_mul(M);
    }
    hash ^= hash >> R;
    hash = hash.wrapping_mul(M);
    hash ^ hash >> R
}
