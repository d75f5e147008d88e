//! Double-ended iterator over the entries of a [`super::Tree`].
use super::Tree;

/// Double-ended iterator over the entries of a tree or of a range of it.
pub struct Iter<'a, K, V> {
    pub(super) tree: &'a Tree<K, V>,
    /// The rest of the leaf at each end; after its last entry the next leaf is found by descending again.
    pub(super) front: std::slice::Iter<'a, (K, V)>,
    pub(super) back: std::slice::Iter<'a, (K, V)>,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Self { tree: self.tree, front: self.front.clone(), back: self.back.clone(), start: self.start, end: self.end }
    }
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        if self.start >= self.end {
            return None;
        }
        if self.front.as_slice().is_empty() {
            let (leaf, skip) = self.tree.leaf_at(self.start)?;
            self.front = leaf.get(skip..)?.iter();
        }
        self.start += 1;
        self.front.next().map(|(key, value)| (key, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.end - self.start;
        (left, Some(left))
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.start = self.start.saturating_add(n).min(self.end);
        self.front = [].iter();
        self.next()
    }
}

impl<K, V> DoubleEndedIterator for Iter<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.start >= self.end {
            return None;
        }
        if self.back.as_slice().is_empty() {
            let (leaf, before) = self.tree.leaf_at(self.end - 1)?;
            self.back = leaf.get(..=before)?.iter();
        }
        self.end -= 1;
        self.back.next_back().map(|(key, value)| (key, value))
    }
}

impl<K, V> ExactSizeIterator for Iter<'_, K, V> {}
