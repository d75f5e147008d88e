//! `Part`: a part of a state that its copies share until one of them changes it, and that keeps its digest meanwhile.
use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// A value whose clones are one until one of them is changed. To borrow it mutably gives it a copy of its own, unless it is the only one, and
/// forgets the digest.
pub struct Part<T>(Rc<Kept<T>>);

struct Kept<T> {
    value: T,
    digest: Cell<Option<(u64, u128)>>,
}

impl<T> Part<T> {
    /// A part that no one shares yet.
    pub fn new(value: T) -> Part<T> {
        Part(Rc::new(Kept { value, digest: Cell::new(None) }))
    }

    /// What `digest` makes of the value at this moment (ms), which must depend on nothing else. It is kept for as long as the value does not change, for
    /// one moment.
    pub fn digest(&self, at_ms: u64, digest: impl FnOnce(&T) -> u128) -> u128 {
        match self.0.digest.get() {
            Some((kept_at_ms, kept)) if kept_at_ms == at_ms => kept,
            _ => {
                let fresh = digest(&self.0.value);
                self.0.digest.set(Some((at_ms, fresh)));
                fresh
            }
        }
    }

    /// Has it clones, so that a change would copy it?
    pub(crate) fn is_shared(&self) -> bool {
        Rc::strong_count(&self.0) > 1
    }

    /// Are the two one?
    pub fn is_shared_with(&self, other: &Part<T>) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Clone for Part<T> {
    fn clone(&self) -> Part<T> {
        Part(Rc::clone(&self.0))
    }
}

impl<T: Clone> Clone for Kept<T> {
    fn clone(&self) -> Kept<T> {
        Kept { value: self.value.clone(), digest: Cell::new(None) }
    }
}

impl<T> Deref for Part<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.value
    }
}

impl<T: Clone> DerefMut for Part<T> {
    fn deref_mut(&mut self) -> &mut T {
        let kept = Rc::make_mut(&mut self.0);
        kept.digest.set(None);
        &mut kept.value
    }
}

impl<T: Default> Default for Part<T> {
    fn default() -> Part<T> {
        Part::new(T::default())
    }
}

impl<T: std::fmt::Debug> std::fmt::Debug for Part<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Eq> PartialEq for Part<T> {
    fn eq(&self, other: &Part<T>) -> bool {
        self.is_shared_with(other) || **self == **other
    }
}

impl<T: Eq> Eq for Part<T> {}

impl<T: Hash> Hash for Part<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_made_once_for_a_value_and_a_moment() {
        let mut part = Part::new(3_u64);
        let digest = |part: &Part<u64>, at_ms, fresh| part.digest(at_ms, |value| u128::from(*value) * 10 + fresh);
        let copy = part.clone();
        assert_eq!((digest(&part, 1, 0), digest(&part, 1, 9)), (30, 30));
        assert_eq!((digest(&copy, 1, 9), digest(&copy, 2, 1), digest(&part, 1, 2)), (30, 31, 32), "the two are one");
        *part = 4;
        assert_eq!((*copy, digest(&copy, 1, 9), digest(&part, 1, 5)), (3, 32, 45));
        *part = 5;
        assert_eq!(digest(&part, 1, 0), 50, "a change of the only one forgets it too");
        assert!(!part.is_shared_with(&copy) && part.is_shared_with(&part.clone()));
    }
}
