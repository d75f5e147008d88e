//! `Deque`: a persistent sequence with fast access to both ends, where lists are pushed and popped.
//!
//! ```text
//!  first │ middle: a tree │ last          pushing another item moves the end item into the tree, popping takes one out
//! ```
use crate::value::tree::Tree;

/// A sequence. Access at the ends costs O(1), elsewhere O(log n); cloning costs O(1).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Deque<T> {
    /// `None` only if there are no items.
    first: Option<T>,
    middle: Tree<(), T>,
    /// `None` if there are fewer than two items.
    last: Option<T>,
}

impl<T: Clone> Deque<T> {
    pub(super) const fn new() -> Self {
        Self { first: None, middle: Tree::new(), last: None }
    }

    pub(super) fn len(&self) -> usize {
        self.middle.len() + usize::from(self.first.is_some()) + usize::from(self.last.is_some())
    }

    pub(super) fn first_mut(&mut self) -> Option<&mut T> {
        self.first.as_mut()
    }

    pub(super) fn last_mut(&mut self) -> Option<&mut T> {
        self.last.as_mut().or(self.first.as_mut())
    }

    pub(super) fn nth(&self, at: usize) -> Option<&T> {
        let Some(inside) = at.checked_sub(1) else { return self.first.as_ref() };
        if inside < self.middle.len() {
            return self.middle.nth(inside).map(|((), item)| item);
        }
        self.last.as_ref().filter(|_| inside == self.middle.len())
    }

    pub(super) fn nth_mut(&mut self, at: usize) -> Option<&mut T> {
        let Some(inside) = at.checked_sub(1) else { return self.first.as_mut() };
        let len = self.middle.len();
        if inside < len {
            return self.middle.nth_mut(inside);
        }
        self.last.as_mut().filter(|_| inside == len)
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.first.iter().chain(self.middle.values()).chain(&self.last)
    }

    pub(super) fn push_front(&mut self, item: T) {
        let Some(second) = self.first.replace(item) else { return };
        if self.last.is_none() {
            self.last = Some(second);
        } else {
            self.middle.insert_at(0, second);
        }
    }

    pub(super) fn push_back(&mut self, item: T) {
        if self.first.is_none() {
            self.first = Some(item);
        } else if let Some(before) = self.last.replace(item) {
            self.middle.insert_at(self.middle.len(), before);
        }
    }

    pub(super) fn pop_front(&mut self) -> Option<T> {
        let second = self.middle.pop_first().map(|((), item)| item).or_else(|| self.last.take());
        std::mem::replace(&mut self.first, second)
    }

    pub(super) fn pop_back(&mut self) -> Option<T> {
        let before = self.middle.pop_last().map(|((), item)| item);
        std::mem::replace(&mut self.last, before).or_else(|| self.first.take())
    }

    /// Inserts an item before the one at `at`, or at the end if there is none.
    pub(super) fn insert_at(&mut self, at: usize, item: T) {
        if at >= self.len() {
            self.push_back(item);
        } else if let Some(inside) = at.checked_sub(1) {
            self.middle.insert_at(inside, item);
        } else {
            self.push_front(item);
        }
    }

    pub(super) fn remove_at(&mut self, at: usize) -> Option<T> {
        let inside = at.checked_sub(1).filter(|inside| *inside < self.middle.len());
        match inside {
            Some(inside) => self.middle.remove_at(inside).map(|((), item)| item),
            None if at == 0 => self.pop_front(),
            None if at + 1 == self.len() => self.pop_back(),
            None => None,
        }
    }

    /// Keeps only the items `start..end`. O(log n), plus dropping the others.
    pub(super) fn keep_range(&mut self, start: usize, end: usize) {
        let mut all = std::mem::take(&mut self.middle);
        if let Some(first) = self.first.take() {
            all.insert_at(0, first);
        }
        if let Some(last) = self.last.take() {
            all.insert_at(all.len(), last);
        }
        all.keep_range(start, end);
        self.first = all.pop_first().map(|((), item)| item);
        self.last = all.pop_last().map(|((), item)| item);
        self.middle = all;
    }
}

impl<T: Clone> FromIterator<T> for Deque<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut line = Self::new();
        items.into_iter().for_each(|item| line.push_back(item));
        line
    }
}
