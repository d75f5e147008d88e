//! `Alike`: a shared value that is ignored by comparisons and hashes.
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::rc::Rc;

/// A value shared by its clones. All instances are equal and have equal hashes, so a type with an engine in it can still be compared and
/// hashed: an engine's results depend only on its input.
pub struct Alike<T>(Rc<T>);

impl<T> Alike<T> {
    /// Wraps a value.
    pub fn new(value: T) -> Alike<T> {
        Alike(Rc::new(value))
    }
}

impl<T> Clone for Alike<T> {
    fn clone(&self) -> Alike<T> {
        Alike(Rc::clone(&self.0))
    }
}

impl<T: Default> Default for Alike<T> {
    fn default() -> Alike<T> {
        Alike(Rc::default())
    }
}

impl<T> Deref for Alike<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> PartialEq for Alike<T> {
    fn eq(&self, _: &Alike<T>) -> bool {
        true
    }
}

impl<T> Eq for Alike<T> {}

impl<T> Hash for Alike<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl<T> fmt::Debug for Alike<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("shared")
    }
}
