//! `Chunks`: an append-only vector that can be truncated, with clones that share their common chunks.
//!
//! ```text
//!   full ──▶ [ 64 elements ][ 64 elements ][ 64 elements ]      shared by clones, each chunk and the whole list
//!   tail ──▶ [ 1 to 64 elements ]                               shared until one of the clones is changed
//! ```
//!
//! Every action of the page clones the timeline, which costs two reference counts for any length.
use std::rc::Rc;

/// Elements per chunk; all chunks but the last are full.
const CHUNK: usize = 64;

/// A sequence. A clone costs O(1), as does every other operation on average.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunks<T> {
    full: Rc<Vec<Rc<Vec<T>>>>,
    /// Empty only if the whole sequence is empty.
    tail: Rc<Vec<T>>,
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Chunks { full: Rc::default(), tail: Rc::default() }
    }
}

impl<T: Clone> Chunks<T> {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.full.len().saturating_mul(CHUNK).saturating_add(self.tail.len())
    }

    /// Is it empty?
    pub fn is_empty(&self) -> bool {
        self.tail.is_empty()
    }

    /// The element at `i`.
    pub fn get(&self, i: usize) -> Option<&T> {
        let chunk = i / CHUNK;
        let elements = if chunk == self.full.len() { &self.tail } else { self.full.get(chunk)? };
        elements.get(i % CHUNK)
    }

    /// The elements from `from` up to `to`, as far as they exist.
    pub fn range(&self, from: usize, to: usize) -> impl DoubleEndedIterator<Item = &T> {
        (from..to.min(self.len())).filter_map(|i| self.get(i))
    }

    /// All elements.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.range(0, self.len())
    }

    /// The last element.
    pub fn last(&self) -> Option<&T> {
        self.tail.last()
    }

    /// The last element, mutable.
    pub fn last_mut(&mut self) -> Option<&mut T> {
        own(&mut self.tail).last_mut()
    }

    /// Appends an element.
    pub fn push(&mut self, element: T) {
        if self.tail.len() >= CHUNK {
            let full = std::mem::take(&mut self.tail);
            Rc::make_mut(&mut self.full).push(full);
        }
        own(&mut self.tail).push(element);
    }

    /// Truncates to the first `len` elements.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.len() {
            return;
        }
        let Some(last) = len.checked_sub(1) else {
            *self = Chunks::default();
            return;
        };
        let last_chunk = last / CHUNK;
        if let Some(chunk) = self.full.get(last_chunk) {
            self.tail = Rc::clone(chunk);
            Rc::make_mut(&mut self.full).truncate(last_chunk);
        }
        own(&mut self.tail).truncate((last % CHUNK).saturating_add(1));
    }
}

/// A chunk with a single owner, with room for all of its elements.
fn own<T: Clone>(chunk: &mut Rc<Vec<T>>) -> &mut Vec<T> {
    if Rc::get_mut(chunk).is_none() {
        let mut copy = Vec::with_capacity(CHUNK);
        copy.extend_from_slice(chunk);
        *chunk = Rc::new(copy);
    }
    Rc::make_mut(chunk)
}

impl<T: Clone> FromIterator<T> for Chunks<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut chunks = Chunks::default();
        for element in elements {
            chunks.push(element);
        }
        chunks
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Chunks;

    proptest! {
        /// Repeated pushes and truncations: it agrees with a vector, and earlier clones are unchanged.
        #[test]
        fn chunks_are_a_vector(rounds in prop::collection::vec((0_usize..300, 0_usize..600), 1..6)) {
            let (mut chunks, mut model) = (Chunks::default(), Vec::new());
            for (pushed, kept) in rounds {
                let (earlier, earlier_model) = (chunks.clone(), model.clone());
                for _ in 0..pushed {
                    chunks.push(model.len());
                    model.push(model.len());
                }
                chunks.truncate(kept);
                model.truncate(kept);
                if let (Some(a), Some(b)) = (chunks.last_mut(), model.last_mut()) {
                    (*a, *b) = (7, 7);
                }
                prop_assert_eq!(chunks.len(), model.len());
                prop_assert_eq!(chunks.is_empty(), model.is_empty());
                prop_assert_eq!(chunks.last(), model.last());
                prop_assert_eq!(chunks.get(model.len()), None);
                prop_assert_eq!(chunks.iter().copied().collect::<Vec<_>>(), model.clone());
                prop_assert_eq!(chunks.range(3, 200).rev().collect::<Vec<_>>(), model.iter().take(200).skip(3).rev().collect::<Vec<_>>());
                prop_assert_eq!(&model.iter().copied().collect::<Chunks<_>>(), &chunks);
                prop_assert_eq!(earlier.iter().copied().collect::<Vec<_>>(), earlier_model);
            }
        }
    }
}
