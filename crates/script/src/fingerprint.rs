//! 128-bit fingerprints: the same on 32-bit wasm and on a 64-bit machine.
use std::hash::{Hash, Hasher};

use siphasher::sip128::{Hasher128, SipHasher13};

/// A fingerprint: equal values have equal fingerprints; different values collide with a probability of 2⁻¹²⁸.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub u128);

impl std::fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// The fingerprint of any hashable value.
pub fn fingerprint(value: &impl Hash) -> Fingerprint {
    let mut hasher = Fingerprinter::default();
    value.hash(&mut hasher);
    Fingerprint(hasher.finish128())
}

/// A hasher for fingerprints: it feeds every number in little-endian order and every `usize` as 64 bits.
#[derive(Default)]
pub struct Fingerprinter(SipHasher13);

impl Fingerprinter {
    /// The fingerprint of all input.
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

/// Buffer size in bytes: enough for most of a small world's state.
const GATHERED: usize = 256;

/// A [`Fingerprinter`] that buffers small inputs and so takes half the time; the fingerprints are the same. For searches,
/// which mostly hash; elsewhere the code size outweighs the benefit.
pub struct GatheringFingerprinter {
    fed: Fingerprinter,
    gathered: [u8; GATHERED],
    len: usize,
}

impl Default for GatheringFingerprinter {
    fn default() -> GatheringFingerprinter {
        GatheringFingerprinter { fed: Fingerprinter::default(), gathered: [0; GATHERED], len: 0 }
    }
}

impl GatheringFingerprinter {
    /// The fingerprint of all input.
    pub fn finish128(&self) -> u128 {
        self.whole().finish128()
    }

    fn whole(&self) -> Fingerprinter {
        let mut whole = Fingerprinter(self.fed.0);
        whole.write(self.gathered.get(..self.len).unwrap_or_default());
        whole
    }

    #[inline(never)]
    fn feed(&mut self, bytes: &[u8]) {
        self.fed = self.whole();
        self.len = 0;
        self.fed.write(bytes);
    }
}

impl Hasher for GatheringFingerprinter {
    fn finish(&self) -> u64 {
        self.whole().finish()
    }
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let end = self.len.saturating_add(bytes.len());
        match self.gathered.get_mut(self.len..end) {
            Some(place) => {
                place.copy_from_slice(bytes);
                self.len = end;
            }
            None => self.feed(bytes),
        }
    }
    #[inline]
    fn write_u8(&mut self, n: u8) {
        self.write(&[n]);
    }
    #[inline]
    fn write_u16(&mut self, n: u16) {
        self.write(&n.to_le_bytes());
    }
    #[inline]
    fn write_u32(&mut self, n: u32) {
        self.write(&n.to_le_bytes());
    }
    #[inline]
    fn write_u64(&mut self, n: u64) {
        self.write(&n.to_le_bytes());
    }
    #[inline]
    fn write_u128(&mut self, n: u128) {
        self.write(&n.to_le_bytes());
    }
    #[inline]
    fn write_usize(&mut self, n: usize) {
        self.write(&(n as u64).to_le_bytes());
    }
    #[inline]
    fn write_isize(&mut self, n: isize) {
        self.write(&(n as i64).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn fingerprints_do_not_depend_on_input_chunks(pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 0..20)) {
            let (mut plain, mut gathering) = (Fingerprinter::default(), GatheringFingerprinter::default());
            for (number, piece) in (0_u64..).zip(&pieces) {
                (piece.as_slice(), number, number as usize, -1_isize, 7_u8, true).hash(&mut plain);
                (piece.as_slice(), number, number as usize, -1_isize, 7_u8, true).hash(&mut gathering);
                prop_assert_eq!((gathering.finish128(), gathering.finish()), (plain.finish128(), plain.finish()));
            }
        }
    }
}
