//! Casts of moments that were played lately.
use super::cast::Cast;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A moment of a program: the fingerprints of its text and of its history.
pub type Moment = (u128, u128);

/// How many casts are kept.
const CASTS_MAX: usize = 2_000;

/// How much memory they may have made together, in bytes.
const BYTES_MAX: usize = 48 << 20;

/// Casts by their moments; when there are too many, the one that has been there longest goes.
#[derive(Default)]
pub struct Kept {
    casts: FxHashMap<Moment, (u64, Cast)>,
    /// The moments in the order in which they were put here.
    order: BTreeMap<u64, Moment>,
    next: u64,
    bytes: usize,
}

impl Kept {
    /// Takes the cast of this moment out.
    pub fn take(&mut self, moment: Moment) -> Option<Cast> {
        let (number, cast) = self.casts.remove(&moment)?;
        self.order.remove(&number);
        self.bytes = self.bytes.saturating_sub(cast.bytes());
        Some(cast)
    }

    /// Puts a cast here; what was here at this moment.
    #[must_use]
    pub fn put(&mut self, moment: Moment, cast: Cast) -> Option<Cast> {
        let former = self.take(moment);
        self.bytes = self.bytes.saturating_add(cast.bytes());
        self.order.insert(self.next, moment);
        self.casts.insert(moment, (self.next, cast));
        self.next = self.next.wrapping_add(1);
        former
    }

    /// How many casts there are.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.casts.len()
    }

    /// Is there more than should be kept?
    pub fn is_full(&self) -> bool {
        self.casts.len() > CASTS_MAX || self.bytes > BYTES_MAX
    }

    /// Takes the one out that has been here longest.
    pub fn take_oldest(&mut self) -> Option<Cast> {
        let (_, &moment) = self.order.first_key_value()?;
        self.take(moment)
    }
}
