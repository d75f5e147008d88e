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

/// A [`Fingerprinter`] that buffers small inputs and feeds most numbers as one byte, and so takes a third of the time. Its fingerprints
/// differ from those of [`fingerprint`], and only one search compares them. For searches, which mostly hash; elsewhere the code
/// size outweighs the benefit.
///
/// A number of 128 bits must be a digest, as random as a fingerprint. Digests are not hashed again: they are the coefficients of a
/// polynomial, whose value is fed last (a universal hash function: Carter and Wegman, "Universal classes of hash functions", 1979). Its
/// point is odd, so a random digest in any place makes the sum random.
pub struct GatheringFingerprinter {
    fed: Fingerprinter,
    gathered: [u8; GATHERED],
    len: usize,
    /// The value of the polynomial of all digests so far.
    digests: u128,
}

/// Where the polynomial of digests is evaluated: the multiplier of PCG's 128-bit generator (O'Neill, "PCG: A family of simple fast
/// space-efficient statistically good algorithms for random number generation", 2014).
const POINT: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

impl Default for GatheringFingerprinter {
    fn default() -> GatheringFingerprinter {
        GatheringFingerprinter { fed: Fingerprinter::default(), gathered: [0; GATHERED], len: 0, digests: 0 }
    }
}

impl GatheringFingerprinter {
    /// The fingerprint of all input.
    pub fn finish128(&self) -> u128 {
        self.whole().finish128()
    }

    fn whole(&self) -> Fingerprinter {
        let mut whole = self.fed_so_far();
        if self.digests != 0 {
            whole.write(&self.digests.to_le_bytes());
        }
        whole
    }

    fn fed_so_far(&self) -> Fingerprinter {
        let mut fed = Fingerprinter(self.fed.0);
        fed.write(self.gathered.get(..self.len).unwrap_or_default());
        fed
    }

    /// Feeds a number: below 255 as one byte, otherwise as nine, of which the first is 255. So no code is the beginning of another, and
    /// different lists of numbers stay different.
    #[inline(always)]
    fn write_number(&mut self, n: u64) {
        match u8::try_from(n) {
            Ok(small) if small < u8::MAX => self.write_u8(small),
            _ => self.write_large(n),
        }
    }

    #[inline(never)]
    fn write_large(&mut self, n: u64) {
        self.write_u8(u8::MAX);
        self.write(&n.to_le_bytes());
    }

    #[inline(never)]
    fn feed(&mut self, bytes: &[u8]) {
        self.fed = self.fed_so_far();
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
        match self.gathered.get_mut(self.len) {
            Some(place) => {
                *place = n;
                self.len = self.len.wrapping_add(1);
            }
            None => self.feed(&[n]),
        }
    }
    #[inline]
    fn write_u16(&mut self, n: u16) {
        self.write(&n.to_le_bytes());
    }
    #[inline]
    fn write_u32(&mut self, n: u32) {
        self.write_number(n.into());
    }
    #[inline]
    fn write_u64(&mut self, n: u64) {
        self.write_number(n);
    }
    #[inline]
    fn write_u128(&mut self, digest: u128) {
        self.digests = self.digests.wrapping_mul(POINT).wrapping_add(digest);
    }
    #[inline]
    fn write_usize(&mut self, n: usize) {
        self.write_number(n as u64);
    }
    #[inline]
    fn write_isize(&mut self, n: isize) {
        self.write_number(n as i64 as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn gathered(hash: impl Fn(&mut GatheringFingerprinter)) -> u128 {
        let mut state = GatheringFingerprinter::default();
        hash(&mut state);
        state.finish128()
    }

    proptest! {
        #[test]
        fn fingerprints_do_not_depend_on_input_chunks(pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 0..20)) {
            let (mut plain, mut gathering) = (Fingerprinter::default(), GatheringFingerprinter::default());
            for piece in &pieces {
                plain.write(piece);
                gathering.write(piece);
                prop_assert_eq!((gathering.finish128(), gathering.finish()), (plain.finish128(), plain.finish()));
            }
        }

        #[test]
        fn different_numbers_have_different_fingerprints(
            mut numbers in prop::collection::vec(prop_oneof![0_u64..600, any::<u64>()], 1..80),
            (at, other) in (any::<prop::sample::Index>(), prop_oneof![0_u64..600, any::<u64>()]),
        ) {
            let of = |numbers: &[u64]| gathered(|state| {
                numbers.iter().for_each(|n| (*n, *n as u32, *n as usize, *n as i64, *n as u8).hash(state));
            });
            let before = (numbers.clone(), of(&numbers));
            let at = at.index(numbers.len());
            numbers[at] = other;
            prop_assert_eq!(numbers == before.0, of(&numbers) == before.1);
        }
    }

    #[test]
    fn digests_count_with_their_order() {
        let of = |digests: &[u128]| gathered(|state| digests.iter().for_each(|digest| digest.hash(state)));
        let [a, b, c] = ["a", "b", "c"].map(|text| fingerprint(&text).0);
        let lists: [&[u128]; 8] = [&[], &[a], &[b], &[a, b], &[b, a], &[a, b, c], &[a, c, b], &[c, a, b]];
        let mut all: Vec<u128> = lists.iter().map(|digests| of(digests)).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), lists.len());
        // What is fed between digests may be longer than the buffer.
        let split = |text: &[u8]| gathered(|state| (a, text, b, text).hash(state));
        assert_ne!(split(&[1; 300]), split(&[2; 300]));
    }

    #[test]
    fn every_number_has_its_own_code() {
        let numbers = [0, 1, 253, 254, 255, 256, 0xff00, 0xffff, u64::from(u32::MAX), u64::MAX - 1, u64::MAX];
        for one in numbers {
            for other in numbers {
                let pair = |a: u64, b: u64| gathered(|state| (a, b).hash(state));
                assert_eq!(pair(one, other) == pair(other, one), one == other, "{one} {other}");
            }
        }
    }
}
