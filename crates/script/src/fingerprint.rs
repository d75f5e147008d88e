//! 128-bit fingerprints: the same on 32-bit wasm and on a 64-bit machine.
use std::hash::{Hash, Hasher};

use siphasher::sip128::{Hasher128, SipHasher13};

/// A fingerprint: equal values have equal ones, different values different ones but for a chance of 2⁻¹²⁸.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub u128);

impl std::fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// The fingerprint of anything that hashes.
pub fn fingerprint(value: &impl Hash) -> Fingerprint {
    let mut hasher = Fingerprinter::default();
    value.hash(&mut hasher);
    Fingerprint(hasher.finish128())
}

/// Makes fingerprints: feeds every number in little-endian order and every `usize` with 64 bits.
#[derive(Default)]
pub struct Fingerprinter(SipHasher13);

impl Fingerprinter {
    /// The fingerprint of what it was fed.
    pub fn finish128(&self) -> u128 {
        self.0.finish128().as_u128()
    }
}

impl Hasher for Fingerprinter {
    fn finish(&self) -> u64 {
        self.0.finish()
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }
    fn write_u16(&mut self, n: u16) {
        self.0.write(&n.to_le_bytes());
    }
    fn write_u32(&mut self, n: u32) {
        self.0.write(&n.to_le_bytes());
    }
    fn write_u64(&mut self, n: u64) {
        self.0.write(&n.to_le_bytes());
    }
    fn write_u128(&mut self, n: u128) {
        self.0.write(&n.to_le_bytes());
    }
    fn write_usize(&mut self, n: usize) {
        self.0.write(&(n as u64).to_le_bytes());
    }
    fn write_isize(&mut self, n: isize) {
        self.0.write(&(n as i64).to_le_bytes());
    }
}
