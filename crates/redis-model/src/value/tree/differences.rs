//! What two versions of a [`super::Tree`] do not have in common, without looking at what they share.
//!
//! Both are walked side by side in order. Where both are about to go into the same node in memory, everything below it is the same, and
//! is passed over. Otherwise the higher node is entered, until entries face each other. A version that came of the other by a few
//! changes shares all nodes but those on the paths to them, so that this costs O(changes · log n).
use super::Tree;
use super::node::{Child, Node};
use std::cmp::Ordering;
use std::rc::Rc;

/// An entry that is not the same in two trees.
#[derive(Debug, PartialEq, Eq)]
pub struct Difference<'a, K, V> {
    /// Its key.
    pub key: &'a K,
    /// What stood there; nothing: it has come.
    pub before: Option<&'a V>,
    /// What stands there; nothing: it has gone.
    pub now: Option<&'a V>,
}

/// The entries that are not the same in two trees, in order.
pub struct Differences<'a, K, V> {
    before: Walk<'a, K, V>,
    now: Walk<'a, K, V>,
}

impl<K: Ord, V: PartialEq> Tree<K, V> {
    /// What has changed since this tree was `before`, in order.
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

/// How many levels lie below a node.
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

/// What comes next of a tree.
enum Ahead<'a, K, V> {
    Node(&'a Rc<Node<K, V>>),
    Entry(&'a (K, V)),
}

/// What is left of a node that was entered.
enum Rest<'a, K, V> {
    Root(&'a Rc<Node<K, V>>),
    Children(&'a [Child<K, V>]),
    Entries(&'a [(K, V)]),
}

/// A tree from some place on.
struct Walk<'a, K, V> {
    /// The innermost node last. Nothing in it is empty.
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

    /// Passes over what comes next, as a whole.
    fn pass(&mut self) {
        let left = match self.rests.pop() {
            Some(Rest::Children([_, left @ ..])) if !left.is_empty() => Rest::Children(left),
            Some(Rest::Entries([_, left @ ..])) if !left.is_empty() => Rest::Entries(left),
            _ => return,
        };
        self.rests.push(left);
    }

    /// Goes into the node that comes next.
    fn enter(&mut self, node: &'a Rc<Node<K, V>>) {
        self.pass();
        match &**node {
            Node::Inner(children) if !children.is_empty() => self.rests.push(Rest::Children(children)),
            Node::Leaf(entries) if !entries.is_empty() => self.rests.push(Rest::Entries(entries)),
            _ => {}
        }
    }
}
