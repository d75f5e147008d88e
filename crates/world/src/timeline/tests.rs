//! The incremental state of a timeline agrees with walks over all steps; a seek replays few steps.
use proptest::prelude::*;

use super::*;

/// An operation on a timeline.
#[derive(Clone, Debug)]
enum Action {
    Push(u64),
    Seek(usize),
    /// To any step, including inner steps.
    Switch(usize),
    AppendBranch(usize, Vec<u64>, usize),
}

fn any_action() -> impl Strategy<Value = Action> {
    prop_oneof![
        8 => (0..6u64).prop_map(Action::Push),
        3 => (0..40usize).prop_map(Action::Seek),
        2 => (0..60usize).prop_map(Action::Switch),
        1 => (0..60usize, prop::collection::vec(0..6u64, 0..6), 0..6usize)
            .prop_map(|(after, inputs, ahead)| Action::AppendBranch(after, inputs, ahead)),
    ]
}

/// Few different inputs, so that paths meet again: clients that come and go, and time.
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

fn apply(timeline: &mut Timeline, action: Action) {
    let step = |timeline: &Timeline, i: usize| StepId::try_from(i % (timeline.step_count() + 1)).unwrap();
    match action {
        Action::Push(kind) => _ = timeline.push(input(kind)),
        Action::Seek(position) => timeline.seek(position),
        Action::Switch(i) => _ = timeline.switch_to(step(timeline, i)),
        Action::AppendBranch(after, kinds, ahead) => {
            let inputs: Vec<Input> = kinds.into_iter().map(input).collect();
            let _ = timeline.append_branch(step(timeline, after), &inputs, ahead);
        }
    }
}

/// All branches, computed by a walk over all steps and one back from each end.
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
    fn branches_and_followers_agree_with_walk_over_all_steps(actions in prop::collection::vec(any_action(), 1..80)) {
        let mut timeline = new();
        for action in actions {
            let (before, branches) = (timeline.clone(), timeline.branches());
            apply(&mut timeline, action);
            prop_assert_eq!(timeline.branches(), branches_the_long_way(&timeline));
            for id in 0..=timeline.tree.newest() {
                let children = (1..=timeline.tree.newest()).filter(|other| timeline.tree.parent(*other) == id);
                let followers = timeline.tree.followers(id).map(|(id, _)| id);
                prop_assert_eq!(followers.collect::<Vec<_>>(), children.collect::<Vec<_>>());
            }
            prop_assert_eq!(before.branches(), branches, "a clone stays as it was");
        }
    }

    #[test]
    fn shared_prefix_agrees_with_stepwise_comparison(actions in prop::collection::vec(any_action(), 1..60), parts_at in 0..60usize) {
        let mut timeline = new();
        let mut other = new();
        let mut paths = vec![timeline.path()];
        for (i, action) in actions.into_iter().enumerate() {
            if i == parts_at {
                other = timeline.clone();
            }
            apply(&mut timeline, action.clone());
            // Another timeline, or one that was equal until now: its steps have the same numbers.
            apply(&mut other, action);
            paths.extend([timeline.path(), other.path()]);
            for path in &paths {
                let last = timeline.path();
                let same = |i: &usize| match (path.get(*i), last.get(*i)) {
                    (Some((_, a)), Some((_, b))) => Rc::ptr_eq(a, b),
                    _ => false,
                };
                prop_assert_eq!(last.shared_with(path), (0..last.len()).take_while(same).count());
            }
        }
    }
}

/// Number of steps that a seek to a step replays, wherever the cursor is.
fn replayed(timeline: &Timeline, mut id: StepId) -> usize {
    let mut steps = 0;
    while timeline.keyframes.get(id).is_none() {
        id = timeline.tree.parent(id);
        steps += 1;
    }
    steps
}

fn connect(timeline: &mut Timeline, client: u32) {
    timeline.push(Input::Connect { client, name: format!("c{client}") }).unwrap();
}

fn set(timeline: &mut Timeline, i: usize) {
    let argv = ["SET", &format!("key:{}", i % 100), &i.to_string()].map(|word| word.to_owned().into()).to_vec();
    timeline.push(Input::Command { client: 0, argv }).unwrap();
}

#[test]
fn a_seek_replays_at_most_seven_steps() {
    let mut timeline = new();
    connect(&mut timeline, 0);
    for i in 0..3_000 {
        if i % 100 == 99 {
            timeline.seek(timeline.len() / 2);
        }
        set(&mut timeline, i);
    }
    assert!((0..=timeline.tree.newest()).all(|id| replayed(&timeline, id) <= 7));
}

#[test]
fn very_long_session_thins_keyframes_but_keeps_slow_steps() {
    let mut timeline = new();
    connect(&mut timeline, 0);
    let pairs = (0..300).flat_map(|i| [format!("key:{i}"), "v".to_owned()]).map(Into::into);
    let argv = std::iter::once("MSET".into()).chain(pairs).collect();
    let long = timeline.push(Input::Command { client: 0, argv }).unwrap();
    let mut prints = vec![];
    for i in 0..20_000 {
        set(&mut timeline, i);
        if i % 997 == 0 {
            prints.push((timeline.position(), timeline.world().fingerprint()));
        }
    }
    assert!((0..=timeline.tree.newest()).all(|id| replayed(&timeline, id) <= 15));
    assert_eq!(replayed(&timeline, long), 0);
    for (position, fingerprint) in prints {
        timeline.seek(position);
        assert_eq!(timeline.world().fingerprint(), fingerprint);
    }
}
