//! `Path`: the active path of a timeline as a value, and how many steps two paths share.
use std::rc::Rc;

use super::chunks::Chunks;
use super::tree::Tree;
use super::{Step, StepId};

/// The steps of a path from the start, at the time of the call. A clone costs O(1).
///
/// Steps are compared by memory address, not by number: so a path shares nothing with another timeline's path with the same numbers, and a
/// step that was extended later (quiet time) differs from its earlier version.
///
/// ```
/// use world::{Engines, Input, Settings, Timeline};
/// let mut timeline = Timeline::new(Settings::default());
/// timeline.push(Input::Connect { client: 0, name: "a".into() })?;
/// timeline.push(Input::Connect { client: 1, name: "b".into() })?;
/// let before = timeline.path();
/// timeline.back();
/// timeline.push(Input::Connect { client: 2, name: "c".into() })?;
/// assert_eq!(timeline.path().shared_with(&before), 1);
/// let other = Timeline::from_text(&timeline.to_text(), &Engines::default()).unwrap();
/// assert_eq!(other.path().shared_with(&timeline.path()), 0);
/// # Ok::<(), world::StepError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Path {
    tree: Tree,
    ids: Chunks<StepId>,
}

impl Path {
    pub(super) fn new(tree: &Tree, ids: &Chunks<StepId>) -> Path {
        Path { tree: tree.clone(), ids: ids.clone() }
    }

    /// Number of steps.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Is it empty?
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The `i`th step, from 0, and its number.
    pub fn get(&self, i: usize) -> Option<(StepId, &Rc<Step>)> {
        let id = *self.ids.get(i)?;
        Some((id, self.tree.step(id)?))
    }

    /// Number of first steps that it has in common with `other`.
    pub fn shared_with(&self, other: &Path) -> usize {
        let is_same = |i: usize| match (self.get(i), other.get(i)) {
            (Some((_, own)), Some((_, its))) => Rc::ptr_eq(own, its),
            _ => false,
        };
        let most = self.len().min(other.len());
        // The common case: one path extends the other.
        if most.checked_sub(1).is_none_or(is_same) {
            return most;
        }
        // A step determines all steps before it: before the point where two paths part all steps are equal, after it none.
        let (mut same, mut different) = (0, most);
        while same < different {
            let middle = usize::midpoint(same, different);
            if is_same(middle) { same = middle.saturating_add(1) } else { different = middle }
        }
        same
    }
}
