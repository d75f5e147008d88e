//! `Path`: the way down a [`super::Tree`] to an entry, to be gone once more without looking for it.
use super::node::Node;
use super::strategy::{ByPosition, SearchStrategy};
use super::{InterpolationKey, Tree};
use std::cmp::Ordering;
use std::rc::Rc;

/// More levels than any tree has: with 15 it would have far more entries than memory has bytes.
const LEVELS_MAX: usize = 15;

/// Which child to take at each level, and which place in the leaf. After a change of the tree it may lead to another entry, or to
/// none: who keeps one looks at what it leads to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Path {
    steps: [u8; LEVELS_MAX],
    levels: u8,
}

impl Path {
    /// One that leads nowhere.
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
    /// The way to the entry for which `order` answers `Equal`; it compares a key with the one sought, whose position is given.
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
    /// What the path leads to.
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
    /// The value that the path leads to, to be changed in place.
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
