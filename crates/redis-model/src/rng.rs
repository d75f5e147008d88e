//! `Rng`: the server's only random generator, part of its state: the same seed gives the same picks in every run.
use std::collections::BTreeMap;

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014): eight
/// bytes of state, which are hashed and compared with the rest of the server; the generators of the
/// usual crates do not implement `Hash`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// A generator that starts from `seed`.
    pub const fn new(seed: u64) -> Rng {
        Rng { state: seed }
    }

    /// The next 64 random bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..bound`, uniform (Lemire's multiplication, bias below 2⁻⁶⁴ × bound); 0 when `bound` is 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        ((self.next_u64() as u128 * bound as u128) >> 64) as u64
    }

    /// A random index into a sequence of `len` elements; 0 if `len` is 0.
    pub const fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// `count` distinct indices into a sequence of `len` elements, in random order, every choice equally likely; all indices
    /// if `count` is at least `len`. O(count log count), independent of `len`.
    ///
    /// These are the first steps of a Fisher–Yates shuffle that stores only the positions it moved.
    pub fn distinct_indices(&mut self, len: usize, count: usize) -> Vec<usize> {
        let mut moved = BTreeMap::new();
        let mut indices = Vec::new();
        for place in 0..count.min(len) {
            let other = place.saturating_add(self.index(len.saturating_sub(place)));
            let here = moved.get(&place).copied().unwrap_or(place);
            indices.push(moved.insert(other, here).unwrap_or(other));
        }
        indices
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinct_indices_are_distinct_and_fair() {
        let mut rng = Rng::new(7);
        let mut chosen = [0; 10];
        for _ in 0..10_000 {
            let mut indices = rng.distinct_indices(10, 3);
            for index in &indices {
                chosen[*index] += 1;
            }
            indices.sort_unstable();
            indices.dedup();
            assert_eq!(indices.len(), 3);
        }
        assert!(chosen.iter().all(|times| (2800..3200).contains(times)), "{chosen:?}");
        let mut all = rng.distinct_indices(5, 99);
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3, 4]);
    }
}
