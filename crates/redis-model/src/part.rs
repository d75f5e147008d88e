//! `Part`: copy-on-write shared state with a cached digest.
use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// A value that its clones share until one of them changes it. A mutable borrow first copies the value, unless it is not shared, and
/// clears the cached digest.
pub struct Part<T>(Rc<Inner<T>>);

struct Inner<T> {
    value: T,
    digest: Cell<Option<(u64, u128)>>,
}

impl<T> Part<T> {
    /// A part that is not shared yet.
    pub fn new(value: T) -> Part<T> {
        Part(Rc::new(Inner { value, digest: Cell::new(None) }))
    }

    /// The digest of the value at `at_ms`; `digest` must depend on nothing else. The last digest is cached, for one value of `at_ms`,
    /// until the value changes.
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

    /// Is the value shared, so that a change would copy it?
    pub(crate) fn is_shared(&self) -> bool {
        Rc::strong_count(&self.0) > 1
    }

    /// Shares the value of `other` if the two are equal.
    pub fn share_equal(&mut self, other: &Part<T>)
    where
        T: Eq,
    {
        if !self.is_shared_with(other) && **self == **other {
            self.clone_from(other);
        }
    }

    /// Do both share one value?
    pub fn is_shared_with(&self, other: &Part<T>) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Clone for Part<T> {
    fn clone(&self) -> Part<T> {
        Part(Rc::clone(&self.0))
    }
}

impl<T: Clone> Clone for Inner<T> {
    fn clone(&self) -> Inner<T> {
        Inner { value: self.value.clone(), digest: Cell::new(None) }
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
    fn digest_is_computed_once_per_value_and_time() {
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
        part.share_equal(&copy);
        assert!(!part.is_shared_with(&copy), "they differ");
        *part = 3;
        part.share_equal(&copy);
        assert!(part.is_shared_with(&copy));
    }
}
