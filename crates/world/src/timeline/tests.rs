//! What a timeline keeps up to date, held against walks over all steps.
use proptest::prelude::*;

use super::*;

/// What can be done to a timeline.
#[derive(Clone, Debug)]
enum Deed {
    Push(u64),
    Seek(usize),
    /// To any step, also one in the middle.
    Switch(usize),
    Lay(usize, Vec<u64>, usize),
}

fn any_deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        8 => (0..6u64).prop_map(Deed::Push),
        3 => (0..40usize).prop_map(Deed::Seek),
        2 => (0..60usize).prop_map(Deed::Switch),
        1 => (0..60usize, prop::collection::vec(0..6u64, 0..6), 0..6usize)
            .prop_map(|(after, inputs, ahead)| Deed::Lay(after, inputs, ahead)),
    ]
}

/// Few inputs, so that lines meet again: clients that come and go, and time.
fn input(kind: u64) -> Input {
    match kind {
        0..3 => Input::Connect { client: kind as u32, name: format!("c{kind}") },
        3 => Input::Disconnect { client: 0 },
        ms => Input::Advance { ms },
    }
}

fn new() -> Timeline {
    Timeline::new(Settings::default())
}

fn apply(timeline: &mut Timeline, deed: Deed) {
    let step = |timeline: &Timeline, i: usize| StepId::try_from(i % (timeline.step_count() + 1)).unwrap();
    match deed {
        Deed::Push(kind) => _ = timeline.push(input(kind)),
        Deed::Seek(position) => timeline.seek(position),
        Deed::Switch(i) => _ = timeline.switch_to(step(timeline, i)),
        Deed::Lay(after, kinds, ahead) => {
            let inputs: Vec<Input> = kinds.into_iter().map(input).collect();
            let _ = timeline.lay(step(timeline, after), &inputs, ahead);
        }
    }
}

/// All branches, by a walk over all steps and one back from each end.
fn branches_the_long_way(timeline: &Timeline) -> Vec<Branch> {
    let ids = || 1..=timeline.tree.newest();
    let is_head = |id: &StepId| ids().all(|other| timeline.tree.parent(other) != *id);
    let branch = |head: StepId| {
        let mut line = vec![head];
        while *line.last().unwrap() != 0 {
            line.push(timeline.tree.parent(*line.last().unwrap()));
        }
        line.reverse();
        let shared = line.iter().skip(1).zip(timeline.path.iter()).take_while(|(a, b)| a == b).count();
        Branch { head, len: line.len() - 1, shared, is_active: timeline.path.last() == Some(&head) }
    };
    ids().filter(is_head).map(branch).collect()
}

proptest! {
    #[test]
    fn branches_and_followers_are_those_of_a_walk_over_all_steps(deeds in prop::collection::vec(any_deed(), 1..80)) {
        let mut timeline = new();
        for deed in deeds {
            let (before, branches) = (timeline.clone(), timeline.branches());
            apply(&mut timeline, deed);
            prop_assert_eq!(timeline.branches(), branches_the_long_way(&timeline));
            for id in 0..=timeline.tree.newest() {
                let children = (1..=timeline.tree.newest()).filter(|other| timeline.tree.parent(*other) == id);
                let followers = timeline.tree.followers(id).map(|(id, _)| id);
                prop_assert_eq!(followers.collect::<Vec<_>>(), children.collect::<Vec<_>>());
            }
            prop_assert_eq!(before.branches(), branches, "a clone stays as it was");
        }
    }
}
