//! `Chunks`: a vector that grows at its end and whose clones share what they have in common.
//!
//! The timeline is cloned by every action of the page. Ten thousand steps are eighty chunks, and only the last one is
//! ever copied.
use std::rc::Rc;

/// Elements of a chunk; all but the last are full.
const CHUNK: usize = 128;

/// A sequence. A clone costs O(n / 128), everything else O(1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunks<T> {
    chunks: Vec<Rc<Vec<T>>>,
}

impl<T: Clone> Chunks<T> {
    /// Without elements.
    pub const fn new() -> Self {
        Chunks { chunks: Vec::new() }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.len())
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// The element at `i`.
    pub fn get(&self, i: usize) -> Option<&T> {
        self.chunks.get(i / CHUNK)?.get(i % CHUNK)
    }

    /// The elements from `from` up to `to`, as far as there are any.
    pub fn range(&self, from: usize, to: usize) -> impl DoubleEndedIterator<Item = &T> {
        (from..to.min(self.len())).filter_map(|i| self.get(i))
    }

    /// All elements.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.range(0, self.len())
    }

    /// The last element.
    pub fn last(&self) -> Option<&T> {
        self.chunks.last()?.last()
    }

    /// The last element, to be changed in place.
    pub fn last_mut(&mut self) -> Option<&mut T> {
        Rc::make_mut(self.chunks.last_mut()?).last_mut()
    }

    /// Adds an element at the end.
    pub fn push(&mut self, element: T) {
        match self.chunks.last_mut() {
            Some(last) if last.len() < CHUNK => Rc::make_mut(last).push(element),
            _ => self.chunks.push(Rc::new(vec![element])),
        }
    }

    /// Keeps the first `len` elements.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.len() {
            return;
        }
        self.chunks.truncate(len.div_ceil(CHUNK));
        let rest = len % CHUNK;
        if let Some(last) = self.chunks.last_mut().filter(|_| rest > 0) {
            Rc::make_mut(last).truncate(rest);
        }
    }
}

impl<T: Clone> FromIterator<T> for Chunks<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut chunks = Chunks::new();
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
        /// Pushes so many, cuts to so many, over and over: it stays a vector, and earlier clones stay as they were.
        #[test]
        fn chunks_are_a_vector(rounds in prop::collection::vec((0_usize..300, 0_usize..600), 1..6)) {
            let (mut chunks, mut model) = (Chunks::new(), Vec::new());
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
