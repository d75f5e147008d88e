//! `Path`: a stored path to an entry of a [`super::Tree`], to access the entry again without a search.
use super::node::Node;
use super::strategy::{ByPosition, SearchStrategy};
use super::{InterpolationKey, Tree};
use std::cmp::Ordering;
use std::rc::Rc;

/// More levels than any tree has: a tree with 15 levels would have far more entries than memory has bytes.
const LEVELS_MAX: usize = 15;

/// The child index at each level and the index in the leaf. After a change of the tree the path may lead to another entry or to
/// none: callers must check the entry they get.
#[derive(Clone, Copy, Debug, Default)]
pub struct Path {
    steps: [u8; LEVELS_MAX],
    levels: u8,
}

impl Path {
    /// A path that leads to no entry.
    pub const fn new() -> Path {
        Path { steps: [0; LEVELS_MAX], levels: 0 }
    }

    fn push(&mut self, at: usize) -> Option<()> {
        *self.steps.get_mut(usize::from(self.levels))? = u8::try_from(at).ok()?;
        self.levels += 1;
        Some(())
    }

    fn steps(&self) -> impl Iterator<Item = usize> {
        self.steps.iter().take(usize::from(self.levels)).map(|at| usize::from(*at))
    }
}

impl<K: InterpolationKey, V> Tree<K, V> {
    /// The path to the entry for which `order` returns `Equal`; `order` compares a key with the one sought, `position` is that of the
    /// key sought.
    pub fn locate(&self, position: u64, order: impl FnMut(&K) -> Ordering) -> Option<Path> {
        let mut search = ByPosition::new(position, order);
        let mut path = Path::default();
        let mut node = self.root.as_ref()?;
        loop {
            match &**node {
                Node::Inner(children) => {
                    let at = search.child(children);
                    path.push(at)?;
                    node = &children.get(at)?.node;
                }
                Node::Leaf(entries) => {
                    path.push(search.slot(entries).ok()?)?;
                    return Some(path);
                }
            }
        }
    }
}

impl<K, V> Tree<K, V> {
    /// The entry at the end of a path.
    pub fn at(&self, path: &Path) -> Option<(&K, &V)> {
        let mut node = self.root.as_ref()?;
        for at in path.steps() {
            match &**node {
                Node::Inner(children) => node = &children.get(at)?.node,
                Node::Leaf(entries) => return entries.get(at).map(|(key, value)| (key, value)),
            }
        }
        None
    }
}

impl<K: Clone, V: Clone> Tree<K, V> {
    /// The value at the end of a path, mutable.
    pub fn at_mut(&mut self, path: &Path) -> Option<&mut V> {
        let mut node = self.root.as_mut()?;
        for at in path.steps() {
            match Rc::make_mut(node) {
                Node::Inner(children) => node = &mut children.get_mut(at)?.node,
                Node::Leaf(entries) => return entries.get_mut(at).map(|(_, value)| value),
            }
        }
        None
    }
}
