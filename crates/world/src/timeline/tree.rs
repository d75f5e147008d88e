//! `Tree`: all steps of a timeline, the ends of its branches, and fast access to a step's ancestors.
//!
//! ```text
//!   steps   1 ◀── 2 ◀── 3 ◀── 4          heads: 4, 6       forks: (2, 5)
//!                 └── 5 ◀── 6
//! ```
//!
//! No operation walks over all steps: each new step updates heads and forks, and has a *jump*, an ancestor so far back that any ancestor is
//! found in O(log n) jumps (E. W. Myers, "An applicative random-access stack", Information Processing Letters 17, 1983).
use std::rc::Rc;

use super::chunks::Chunks;
use super::{Step, StepId};
use crate::{Event, Input};

/// All steps. A clone costs O(1).
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tree {
    /// Step `id` is at index `id - 1`.
    steps: Chunks<Rc<Step>>,
    /// The jump of step `id` is at index `id - 1`.
    jumps: Chunks<StepId>,
    /// Steps without followers, ascending.
    heads: Rc<Vec<StepId>>,
    /// Parent and number of each step that does not follow the step created just before it, ascending.
    forks: Rc<Vec<(StepId, StepId)>>,
}

impl Tree {
    /// Number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// The newest step.
    pub fn newest(&self) -> StepId {
        StepId::try_from(self.steps.len()).unwrap_or(StepId::MAX)
    }

    /// A step by number; `None` for the start.
    pub fn step(&self, id: StepId) -> Option<&Rc<Step>> {
        self.steps.get(place(id)?)
    }

    /// Number of steps from the start up to and including a step.
    pub fn depth(&self, id: StepId) -> u32 {
        self.step(id).map_or(0, |step| step.depth)
    }

    /// The step before a step.
    pub fn parent(&self, id: StepId) -> StepId {
        self.step(id).map_or(0, |step| step.parent)
    }

    fn jump(&self, id: StepId) -> StepId {
        place(id).and_then(|place| self.jumps.get(place)).copied().unwrap_or(0)
    }

    /// The jump of a step after `parent`: two jumps of the same length are followed by one over both.
    fn jump_after(&self, parent: StepId) -> StepId {
        let middle = self.jump(parent);
        let far = self.jump(middle);
        let length = |from: StepId, to: StepId| self.depth(from).saturating_sub(self.depth(to));
        if length(parent, middle) == length(middle, far) { far } else { parent }
    }

    /// Adds a step that follows `parent`.
    pub fn push(&mut self, parent: StepId, input: Input, events: Vec<Event>, now_ms: u64) -> StepId {
        let depth = self.depth(parent).saturating_add(1);
        self.jumps.push(self.jump_after(parent));
        let before = self.newest();
        self.steps.push(Rc::new(Step { parent, depth, input, events, now_ms }));
        let id = self.newest();
        let heads = Rc::make_mut(&mut self.heads);
        match heads.last_mut() {
            Some(last) if *last == parent => *last = id,
            _ => {
                if let Ok(at) = heads.binary_search(&parent) {
                    heads.remove(at);
                }
                heads.push(id);
            }
        }
        if parent != before {
            let forks = Rc::make_mut(&mut self.forks);
            let at = forks.partition_point(|fork| *fork < (parent, id));
            forks.insert(at, (parent, id));
        }
        id
    }

    /// Replaces the newest step, with the same parent.
    pub fn replace_newest(&mut self, input: Input, events: Vec<Event>, now_ms: u64) {
        if let Some(newest) = self.steps.last_mut() {
            let Step { parent, depth, .. } = **newest;
            *newest = Rc::new(Step { parent, depth, input, events, now_ms });
        }
    }

    /// Steps without followers, ascending.
    pub fn heads(&self) -> &[StepId] {
        &self.heads
    }

    /// The steps that follow a step, oldest first.
    pub fn followers(&self, id: StepId) -> impl Iterator<Item = (StepId, &Rc<Step>)> {
        let next = Some(id.saturating_add(1)).filter(|next| self.step(*next).is_some_and(|step| step.parent == id));
        let from = self.forks.partition_point(|(parent, _)| *parent < id);
        let forks = self.forks.iter().skip(from).take_while(move |(parent, _)| *parent == id).map(|(_, step)| *step);
        next.into_iter().chain(forks).filter_map(|id| Some((id, self.step(id)?)))
    }

    /// Number of steps that the path to `head` shares with a path.
    pub fn shared(&self, path: &Chunks<StepId>, head: StepId) -> usize {
        let depth = |id| self.depth(id) as usize;
        let is_on_path = |id| depth(id).checked_sub(1).is_none_or(|index| path.get(index) == Some(&id));
        let mut at = head;
        while !is_on_path(at) {
            let jump = self.jump(at);
            at = if is_on_path(jump) { self.parent(at) } else { jump };
        }
        depth(at)
    }
}

/// The index of a step; `None` for the start.
fn place(id: StepId) -> Option<usize> {
    usize::try_from(id).ok()?.checked_sub(1)
}
