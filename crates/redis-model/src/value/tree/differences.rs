//! The differences between two versions of a [`super::Tree`], found without visiting shared nodes.
//!
//! Both versions are walked in parallel, in order. If both are about to enter the same node in memory, everything below it is the same
//! and is skipped. Otherwise the higher node is entered, until two entries can be compared. A version that differs by a few
//! changes shares all nodes except those on the paths to the changes, so the cost is O(changes · log n).
use super::Tree;
use super::node::{Child, Node};
use std::cmp::Ordering;
use std::rc::Rc;

/// An entry that differs between two trees.
#[derive(Debug, PartialEq, Eq)]
pub struct Difference<'a, K, V> {
    /// Its key.
    pub key: &'a K,
    /// The old value; `None` if the entry was added.
    pub before: Option<&'a V>,
    /// The new value; `None` if the entry was removed.
    pub now: Option<&'a V>,
}

/// Iterator over the entries that differ between two trees, in order.
pub struct Differences<'a, K, V> {
    before: Walk<'a, K, V>,
    now: Walk<'a, K, V>,
}

impl<K: Ord, V: PartialEq> Tree<K, V> {
    /// The differences since this tree was `before`, in order.
    ///
    /// ```
    /// use redis_model::value::Tree;
    /// let before: Tree<u32, &str> = [(1, "a"), (2, "b")].into_iter().collect();
    /// let mut now = before.clone();
    /// now.remove(&1);
    /// now.insert(2, "c");
    /// let changes: Vec<_> = now.since(&before).map(|entry| (*entry.key, entry.before.copied(), entry.now.copied())).collect();
    /// assert_eq!(changes, [(1, Some("a"), None), (2, Some("b"), Some("c"))]);
    /// ```
    pub fn since<'a>(&'a self, before: &'a Tree<K, V>) -> Differences<'a, K, V> {
        Differences { before: Walk::over(before), now: Walk::over(self) }
    }
}

impl<'a, K: Ord, V: PartialEq> Iterator for Differences<'a, K, V> {
    type Item = Difference<'a, K, V>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match (self.before.ahead(), self.now.ahead()) {
                (None, None) => return None,
                (Some(Ahead::Node(was)), Some(Ahead::Node(is))) => {
                    let (high, low) = (height(was), height(is));
                    if Rc::ptr_eq(was, is) {
                        self.before.pass();
                        self.now.pass();
                        continue;
                    }
                    if high >= low {
                        self.before.enter(was);
                    }
                    if low >= high {
                        self.now.enter(is);
                    }
                }
                (Some(Ahead::Node(was)), _) => self.before.enter(was),
                (_, Some(Ahead::Node(is))) => self.now.enter(is),
                (Some(Ahead::Entry((key, was))), None) => {
                    self.before.pass();
                    return Some(Difference { key, before: Some(was), now: None });
                }
                (None, Some(Ahead::Entry((key, is)))) => {
                    self.now.pass();
                    return Some(Difference { key, before: None, now: Some(is) });
                }
                (Some(Ahead::Entry((old, was))), Some(Ahead::Entry((new, is)))) => match old.cmp(new) {
                    Ordering::Less => {
                        self.before.pass();
                        return Some(Difference { key: old, before: Some(was), now: None });
                    }
                    Ordering::Greater => {
                        self.now.pass();
                        return Some(Difference { key: new, before: None, now: Some(is) });
                    }
                    Ordering::Equal => {
                        self.before.pass();
                        self.now.pass();
                        if was != is {
                            return Some(Difference { key: new, before: Some(was), now: Some(is) });
                        }
                    }
                },
            }
        }
    }
}

/// Number of levels below a node.
fn height<K, V>(mut node: &Rc<Node<K, V>>) -> usize {
    let mut levels = 0;
    while let Node::Inner(children) = &**node
        && let Some(first) = children.first()
    {
        node = &first.node;
        levels += 1;
    }
    levels
}

/// The next node or entry of a walk.
enum Ahead<'a, K, V> {
    Node(&'a Rc<Node<K, V>>),
    Entry(&'a (K, V)),
}

/// The unvisited rest of an entered node.
enum Rest<'a, K, V> {
    Root(&'a Rc<Node<K, V>>),
    Children(&'a [Child<K, V>]),
    Entries(&'a [(K, V)]),
}

/// A walk over a tree, at some position.
struct Walk<'a, K, V> {
    /// The rests of all entered nodes, innermost last. None of them is empty.
    rests: Vec<Rest<'a, K, V>>,
}

impl<'a, K, V> Walk<'a, K, V> {
    fn over(tree: &'a Tree<K, V>) -> Self {
        Walk { rests: tree.root.iter().map(Rest::Root).collect() }
    }

    fn ahead(&self) -> Option<Ahead<'a, K, V>> {
        match *self.rests.last()? {
            Rest::Root(root) => Some(Ahead::Node(root)),
            Rest::Children(children) => children.first().map(|child| Ahead::Node(&child.node)),
            Rest::Entries(entries) => entries.first().map(Ahead::Entry),
        }
    }

    /// Skips the next node or entry as a whole.
    fn pass(&mut self) {
        let left = match self.rests.pop() {
            Some(Rest::Children([_, left @ ..])) if !left.is_empty() => Rest::Children(left),
            Some(Rest::Entries([_, left @ ..])) if !left.is_empty() => Rest::Entries(left),
            _ => return,
        };
        self.rests.push(left);
    }

    /// Enters the next node.
    fn enter(&mut self, node: &'a Rc<Node<K, V>>) {
        self.pass();
        match &**node {
            Node::Inner(children) if !children.is_empty() => self.rests.push(Rest::Children(children)),
            Node::Leaf(entries) if !entries.is_empty() => self.rests.push(Rest::Entries(entries)),
            _ => {}
        }
    }
}
