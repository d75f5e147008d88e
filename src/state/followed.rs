//! `Followed`: data derived step by step from the active path of a timeline, kept up to date when the path grows, branches or is replaced.
//!
//! ```text
//!   path before    1  2  3  4  5  6           shared with the path now: 4 steps
//!   path now       1  2  3  4  7  8
//!   checkpoints    ▲     ▲                    go back to the last shared one, then take 3, 4, 7, 8
//! ```
//!
//! One more step costs one [`Derive::take`]; a step elsewhere in the timeline costs nothing. After a branch, at most as many steps are
//! taken again as lie between two checkpoints. The steps themselves show which of them are unchanged (`world::timeline::Path`): no caller
//! has to announce another branch, another timeline, or quiet time that has grown.
//!
//! # How to derive something new
//!
//! 1. Write a type that holds the data, empty by `Default`, with [`Derive::take`]: what one step adds.
//! 2. Define a [`Derive::Checkpoint`] to go back to. For a log that only grows, it is the log's length. For data that a step may change
//!    in place, it holds the part that can still change, and nothing else: there are up to [`CHECKPOINTS_MAX`] checkpoints.
//! 3. Keep a `Followed` of the type beside the session (`use_derived`, `src/hooks/derived.rs`) and call [`Followed::follow`] before
//!    reading it.
//!
//! ```
//! use lockstep_page::state::followed::{Derive, Followed};
//! use world::{EventKind, Settings, Step, StepId, Timeline};
//!
//! /// Positions at which a key expired.
//! #[derive(Default)]
//! struct Expiries(Vec<usize>);
//!
//! impl Derive for Expiries {
//!     type Context = ();
//!     type Checkpoint = usize;
//!
//!     fn take(&mut self, position: usize, _: StepId, step: &Step, (): &()) {
//!         if step.events.iter().any(|event| matches!(event.kind, EventKind::KeyExpired { .. })) {
//!             self.0.push(position);
//!         }
//!     }
//!
//!     fn checkpoint(&self) -> usize {
//!         self.0.len()
//!     }
//!
//!     fn go_back(&mut self, len: &usize) {
//!         self.0.truncate(*len);
//!     }
//! }
//!
//! let mut expiries = Followed::<Expiries>::default();
//! expiries.follow(&Timeline::new(Settings::default()), ());
//! assert!(expiries.0.is_empty());
//! ```
use std::ops::Deref;

use world::timeline::Path;
use world::{Input, Step, StepId, Timeline};

/// Steps between two checkpoints, at first.
const EVERY: usize = 64;
/// Most checkpoints; beyond that, every other one is dropped. 8,192 steps have one every 64 steps, 100,000 steps one every 1,024.
const CHECKPOINTS_MAX: usize = 128;

/// Data that is derived from a path, one step after the other. It must be a function of the steps and the context.
pub trait Derive: Default {
    /// What else the data depends on. When it changes, all steps are derived again.
    type Context: Clone + PartialEq;
    /// The state to restore when going back.
    type Checkpoint;

    /// How many steps of the active path must be taken; by default all. More may have been taken already, when this number was larger.
    fn needed(timeline: &Timeline) -> usize {
        timeline.len()
    }

    /// Takes the next step, after which the position on the path is `position`.
    fn take(&mut self, position: usize, id: StepId, step: &Step, context: &Self::Context);

    /// The state from which [`Derive::go_back`] can return to here.
    fn checkpoint(&self) -> Self::Checkpoint;

    /// Goes back to the state of `checkpoint`. Only steps were added since.
    fn go_back(&mut self, checkpoint: &Self::Checkpoint);
}

/// The derived data, and how many steps it covers.
#[derive(Clone, Debug)]
pub struct Followed<T: Derive> {
    derived: T,
    context: Option<T::Context>,
    /// The path as of the last call of [`Followed::follow`].
    path: Path,
    /// How many steps of the path have been taken.
    taken: usize,
    /// Each checkpoint with the number of steps taken before it, ascending.
    checkpoints: Vec<(usize, T::Checkpoint)>,
    every: usize,
    edition: u64,
}

impl<T: Derive> Default for Followed<T> {
    fn default() -> Self {
        Followed {
            derived: T::default(),
            context: None,
            path: Path::default(),
            taken: 0,
            checkpoints: Vec::new(),
            every: EVERY,
            edition: 0,
        }
    }
}

impl<T: Derive> Deref for Followed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.derived
    }
}

impl<T: Derive> Followed<T> {
    /// Brings the data up to date with a timeline.
    pub fn follow(&mut self, timeline: &Timeline, context: T::Context) {
        if self.context.as_ref() != Some(&context) {
            *self = Followed { edition: self.edition.saturating_add(1), ..Followed::default() };
        }
        let path = timeline.path();
        self.go_back_to(path.shared_with(&self.path));
        let needed = T::needed(timeline);
        while self.taken < needed
            && let Some((id, step)) = path.get(self.taken)
        {
            let position = self.taken.saturating_add(1);
            self.mark(step, position == path.len());
            self.derived.take(position, id, step, &context);
            self.taken = position;
            self.edition = self.edition.saturating_add(1);
        }
        self.path = path;
        self.context = Some(context);
    }

    /// Changes whenever the derived data may have changed, so results computed from it can be cached under this number.
    pub const fn edition(&self) -> u64 {
        self.edition
    }

    /// Makes a checkpoint before this step if one is due. Time that passes at the end of a path may grow and is then taken again: going
    /// back to before it should cost nothing else.
    fn mark(&mut self, step: &Step, is_last: bool) {
        let may_grow = is_last && matches!(step.input, Input::Advance { .. });
        let last = self.checkpoints.last().map(|(at, _)| *at);
        if last == Some(self.taken) || !may_grow && !self.taken.is_multiple_of(self.every) {
            return;
        }
        // The path continues after the time that passed.
        if last.is_some_and(|at| !at.is_multiple_of(self.every)) {
            self.checkpoints.pop();
        }
        self.checkpoints.push((self.taken, self.derived.checkpoint()));
        if self.checkpoints.len() > CHECKPOINTS_MAX {
            self.every = self.every.saturating_mul(2);
            self.checkpoints.retain(|(at, _)| at.is_multiple_of(self.every));
        }
    }

    /// Goes back to the last checkpoint within the first `shared` steps, unless no step beyond them has been taken.
    fn go_back_to(&mut self, shared: usize) {
        if shared >= self.taken {
            return;
        }
        self.edition = self.edition.saturating_add(1);
        let kept = self.checkpoints.partition_point(|(at, _)| *at <= shared);
        self.checkpoints.truncate(kept);
        match self.checkpoints.last() {
            Some((at, checkpoint)) => {
                self.derived.go_back(checkpoint);
                self.taken = *at;
            }
            None => (self.derived, self.taken) = (T::default(), 0),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;
    use world::Settings;

    use super::*;

    /// A change of a timeline.
    #[derive(Clone, Debug)]
    pub enum Action {
        Push(Input),
        Seek(usize),
        /// Move to any step, including one in the middle.
        Switch(usize),
        AppendBranch(usize, Vec<Input>, usize),
        /// Replace the timeline with another one that has the same step numbers.
        Replace,
        /// Go back to the timeline before the last replacement.
        Return,
    }

    /// Changes with such inputs.
    pub fn any_action(input: impl Strategy<Value = Input> + Clone) -> impl Strategy<Value = Action> {
        prop_oneof![
            12 => input.clone().prop_map(Action::Push),
            4 => (0..80usize).prop_map(Action::Seek),
            2 => (0..200usize).prop_map(Action::Switch),
            1 => (0..200usize, prop::collection::vec(input, 0..6), 0..6usize)
                .prop_map(|(after, inputs, ahead)| Action::AppendBranch(after, inputs, ahead)),
            1 => Just(Action::Replace),
            1 => Just(Action::Return),
        ]
    }

    /// A timeline, and an earlier one to return to.
    pub struct Played {
        pub timeline: Timeline,
        was: Timeline,
    }

    impl Played {
        pub fn new(timeline: Timeline) -> Played {
            Played { was: timeline.clone(), timeline }
        }

        pub fn apply(&mut self, action: Action) {
            let timeline = &mut self.timeline;
            let step = |timeline: &Timeline, i: usize| StepId::try_from(i % (timeline.step_count() + 1)).unwrap();
            match action {
                Action::Push(input) => _ = timeline.push(input),
                Action::Seek(position) => timeline.seek(position),
                Action::Switch(i) => _ = timeline.switch_to(step(timeline, i)),
                Action::AppendBranch(after, inputs, ahead) => {
                    _ = timeline.append_branch(step(timeline, after), &inputs, ahead)
                }
                // The same steps, created again.
                Action::Replace => {
                    let again = Timeline::from_text(&timeline.to_text(), timeline.world().engines()).unwrap();
                    self.was = std::mem::replace(timeline, again);
                }
                Action::Return => std::mem::swap(timeline, &mut self.was),
            }
        }
    }

    /// Cheap inputs: clients that connect and disconnect, and time.
    fn any_input() -> impl Strategy<Value = Input> + Clone {
        prop_oneof![
            3 => (0..3u32).prop_map(|client| Input::Connect { client, name: format!("c{client}") }),
            2 => (0..3u32).prop_map(|client| Input::Disconnect { client }),
            2 => (1..9u64).prop_map(|ms| Input::Advance { ms }),
        ]
    }

    /// All steps, and how many were taken.
    #[derive(Clone, Debug, Default)]
    struct Log {
        steps: Vec<(usize, StepId, Input)>,
        cost: usize,
    }

    impl Derive for Log {
        type Context = u8;
        type Checkpoint = usize;

        fn take(&mut self, position: usize, id: StepId, step: &Step, _: &u8) {
            self.steps.push((position, id, step.input.clone()));
            self.cost += 1;
        }

        fn checkpoint(&self) -> usize {
            self.steps.len()
        }

        fn go_back(&mut self, len: &usize) {
            self.steps.truncate(*len);
        }
    }

    fn from_scratch(timeline: &Timeline) -> Vec<(usize, StepId, Input)> {
        (1..).zip(timeline.steps_from(0)).map(|(position, (id, step))| (position, id, step.input.clone())).collect()
    }

    proptest! {
        #[test]
        fn following_equals_deriving_from_scratch(actions in prop::collection::vec((any_action(any_input()), 0..3u8), 1..200)) {
            let mut played = Played::new(Timeline::new(Settings::default()));
            let mut log = Followed::<Log>::default();
            for (action, context) in actions {
                let before = (log.edition(), log.steps.clone());
                played.apply(action);
                log.follow(&played.timeline, context / 2);
                prop_assert_eq!(&log.steps, &from_scratch(&played.timeline));
                prop_assert!(log.edition() != before.0 || log.steps == before.1, "the same edition of something else");
            }
        }
    }

    /// Adds steps: a client connects and disconnects, with time between.
    fn grow(timeline: &mut Timeline, steps: usize) {
        for i in 0..steps {
            let input = match (timeline.world().client(0).is_some(), i % 3) {
                (_, 2) => Input::Advance { ms: 1 },
                (true, _) => Input::Disconnect { client: 0 },
                (false, _) => Input::Connect { client: 0, name: "c".to_owned() },
            };
            timeline.push(input).unwrap();
        }
    }

    #[test]
    fn step_is_taken_once_and_few_again_after_a_branch() {
        let mut timeline = Timeline::new(Settings::default());
        let mut log = Followed::<Log>::default();
        for _ in 0..3_000 {
            grow(&mut timeline, 1);
            log.follow(&timeline, 0);
        }
        assert_eq!(log.cost, 3_000);
        timeline.seek(100);
        log.follow(&timeline, 0);
        assert_eq!(log.cost, 3_000);
        // A branch near the end, and back: only the steps after the last checkpoint are taken again, fewer than lie between two
        // checkpoints.
        let end = timeline.branches()[0].head;
        timeline.seek(2_990);
        grow(&mut timeline, 1);
        log.follow(&timeline, 0);
        assert!(log.cost <= 3_000 + EVERY + 1);
        let before = log.cost;
        timeline.switch_to(end);
        log.follow(&timeline, 0);
        assert!(log.cost <= before + EVERY + 10);
        assert_eq!(log.steps, from_scratch(&timeline));
    }

    #[test]
    fn only_growing_time_is_taken_again() {
        let mut timeline = Timeline::new(Settings::default());
        grow(&mut timeline, 50);
        let mut log = Followed::<Log>::default();
        for ms in 1..100 {
            timeline.push(Input::Advance { ms }).unwrap();
            log.follow(&timeline, 0);
        }
        assert_eq!((log.steps.len(), log.cost), (timeline.len(), timeline.len() + 98));
    }

    #[test]
    fn long_path_has_few_checkpoints() {
        let mut timeline = Timeline::new(Settings::default());
        let mut log = Followed::<Log>::default();
        for _ in 0..10 {
            grow(&mut timeline, 3_000);
            log.follow(&timeline, 0);
            assert!(log.checkpoints.len() <= CHECKPOINTS_MAX);
            assert!(log.checkpoints.is_sorted_by_key(|(at, _)| *at));
        }
        assert_eq!(log.steps, from_scratch(&timeline));
        timeline.seek(20_000);
        timeline.push(Input::Connect { client: 9, name: "x".to_owned() }).unwrap();
        let before = log.cost;
        log.follow(&timeline, 0);
        assert_eq!(log.steps, from_scratch(&timeline));
        assert!(log.cost <= before + log.every + 1 && log.every == 256);
    }
}
