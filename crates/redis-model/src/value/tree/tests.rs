//! Properties of `Tree`, against `BTreeMap` and `Vec`.
use super::node::NODE_MAX;
use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

impl<K: Ord + Clone + fmt::Debug, V> Tree<K, V> {
    /// Verifies the invariants listed in the module documentation.
    fn check(&self) {
        fn walk<K: Ord + Clone, V>(node: &Node<K, V>, root: bool, keys: &mut Vec<K>) -> usize {
            assert!(node.len() > 0 && node.len() <= NODE_MAX);
            match node {
                Node::Leaf(entries) => {
                    keys.extend(entries.iter().map(|entry| entry.0.clone()));
                    1
                }
                Node::Inner(children) => {
                    assert!(!root || children.len() >= 2);
                    let mut depths = Vec::new();
                    for (at, child) in children.iter().enumerate() {
                        let start = keys.len();
                        if at > 0 {
                            // The keys are verified to be sorted below, so checking the last one is enough.
                            assert!(keys.last().is_none_or(|key| *key < child.low));
                        }
                        depths.push(walk(&child.node, false, keys));
                        assert_eq!(child.count, keys.len() - start);
                        if at > 0 {
                            assert!(keys.get(start).is_none_or(|key| *key >= child.low));
                        }
                    }
                    assert!(depths.iter().all(|depth| *depth == depths[0]));
                    depths[0] + 1
                }
            }
        }
        let mut keys = Vec::new();
        if let Some(root) = &self.root {
            walk(root, true, &mut keys);
        }
        assert_eq!(keys.len(), self.len);
        assert!(keys.windows(2).all(|pair| pair[0] < pair[1]));
    }
}

#[derive(Clone, Debug)]
enum Step {
    Insert(u16, u32),
    Remove(u16),
    RemoveAt(u16),
    Change(u16, u32),
    PopFirst,
    PopLast,
    Keep(u16, u16),
    Snapshot,
}

fn step(keys: u16) -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..keys, any::<u32>()).prop_map(|(k, v)| Step::Insert(k, v)),
        4 => (0..keys).prop_map(Step::Remove),
        2 => any::<u16>().prop_map(Step::RemoveAt),
        2 => (0..keys, any::<u32>()).prop_map(|(k, v)| Step::Change(k, v)),
        1 => (0u16..60, 0u16..60).prop_map(|(front, back)| Step::Keep(front, back)),
        1 => Just(Step::PopFirst),
        1 => Just(Step::PopLast),
        1 => Just(Step::Snapshot),
    ]
}

fn same(tree: &Tree<u16, u32>, model: &BTreeMap<u16, u32>) {
    tree.check();
    assert!(tree.iter().eq(model.iter()));
    assert!(tree.iter().rev().eq(model.iter().rev()));
    assert_eq!(tree.first(), model.first_key_value());
    assert_eq!(tree.last(), model.last_key_value());
}

/// Four keys share each position.
impl InterpolationKey for u16 {
    fn position(&self) -> u64 {
        u64::from(*self / 4) << 40
    }
}

proptest! {
    /// Holds also for unevenly spread keys, and with removed keys left as `low` in the nodes.
    #[test]
    fn search_by_position_and_by_order_agree(
        initial in prop::collection::btree_map(0u16..3000, any::<u32>(), 0..1500),
        steps in prop::collection::vec((0u8..3, prop_oneof![0u16..3000, 900u16..1000]), 0..600),
    ) {
        let mut model = initial;
        let mut tree = Tree::from_sorted(model.clone());
        for (what, key) in steps {
            let order = |known: &u16| known.cmp(&key);
            prop_assert_eq!(tree.get_at(key.position(), order), model.get_key_value(&key));
            match what {
                0 => prop_assert_eq!(tree.insert_in_position(key, 7), model.insert(key, 7)),
                1 => prop_assert_eq!(tree.remove_at_position(key.position(), order), model.remove_entry(&key)),
                _ => {
                    let path = tree.locate(key.position(), order);
                    let found = path.and_then(|path| tree.at(&path)).map(|(key, value)| (*key, *value));
                    prop_assert_eq!(found, model.get_key_value(&key).map(|(key, value)| (*key, *value)));
                    prop_assert_eq!(path.and_then(|path| tree.at_mut(&path)), model.get_mut(&key));
                }
            }
        }
        same(&tree, &model);
    }

    #[test]
    fn keeping_a_range_leaves_a_valid_tree(
        len in 1usize..6000, cut in any::<(prop::sample::Index, prop::sample::Index)>(),
        after in prop::collection::vec((0u8..3, any::<u16>()), 0..300),
    ) {
        let mut model: BTreeMap<u16, u32> = (0..len as u16).map(|k| (k * 10, 0)).collect();
        let mut tree = Tree::from_sorted(model.clone());
        let whole = tree.clone();
        let (a, b) = (cut.0.index(len), cut.1.index(len));
        let (start, end) = (a.min(b), a.max(b));
        tree.keep_range(start, end);
        model = model.into_iter().take(end).skip(start).collect();
        same(&tree, &model);
        for (at, (what, key)) in after.into_iter().enumerate() {
            match what {
                0 => prop_assert_eq!(tree.insert(key, 1), model.insert(key, 1)),
                1 => prop_assert_eq!(tree.pop_first(), model.pop_first()),
                _ => prop_assert_eq!(tree.pop_last(), model.pop_last()),
            }
            if at % 16 == 0 {
                tree.check();
            }
        }
        same(&tree, &model);
        prop_assert_eq!(whole.len(), len);
        whole.check();
    }

    #[test]
    fn behaves_as_a_btreemap_and_clones_never_change(
        initial in prop::collection::btree_map(0u16..2000, any::<u32>(), 0..1500),
        steps in prop::collection::vec(step(2000), 0..400),
    ) {
        let mut model = initial;
        let mut tree = Tree::from_sorted(model.clone());
        same(&tree, &model);
        let mut snapshots = vec![(tree.clone(), model.clone())];
        for step in steps {
            match step {
                Step::Insert(k, v) => prop_assert_eq!(tree.insert(k, v), model.insert(k, v)),
                Step::Remove(k) => prop_assert_eq!(tree.remove(&k), model.remove(&k)),
                Step::RemoveAt(i) => {
                    let key = model.keys().nth(usize::from(i)).copied();
                    let removed = key.and_then(|k| model.remove_entry(&k));
                    prop_assert_eq!(tree.remove_at(usize::from(i)), removed);
                }
                Step::Change(k, v) => {
                    let (a, b) = (tree.get_mut(&k), model.get_mut(&k));
                    prop_assert_eq!(a.is_some(), b.is_some());
                    if let (Some(a), Some(b)) = (a, b) { *a = v; *b = v; }
                }
                Step::Keep(front, back) => {
                    let end = model.len().saturating_sub(usize::from(back));
                    tree.keep_range(usize::from(front), end);
                    model = model.into_iter().take(end).skip(usize::from(front)).collect();
                    tree.check();
                }
                Step::PopFirst => prop_assert_eq!(tree.pop_first(), model.pop_first()),
                Step::PopLast => prop_assert_eq!(tree.pop_last(), model.pop_last()),
                Step::Snapshot => snapshots.push((tree.clone(), model.clone())),
            }
            prop_assert_eq!(tree.len(), model.len());
        }
        same(&tree, &model);
        for (before, was) in &snapshots {
            same(before, was);
            prop_assert_eq!(changes(tree.since(before)), compared(was, &model));
            prop_assert_eq!(changes(before.since(&tree)), compared(&model, was));
        }
    }

    #[test]
    fn finds_by_rank_and_bound(keys in prop::collection::btree_set(0u32..5000, 0..700), start in 0usize..800, end in 0usize..800) {
        let sorted: Vec<u32> = keys.iter().copied().collect();
        let tree: Tree<u32, u32> = keys.iter().map(|k| (*k, k * 2)).collect();
        for probe in (0..5000).step_by(37) {
            let rank = sorted.partition_point(|k| *k < probe);
            prop_assert_eq!(tree.lower_bound(|k| *k < probe), rank);
            prop_assert_eq!(tree.rank_of(&probe), sorted.binary_search(&probe).ok());
            prop_assert_eq!(tree.get(&probe).copied(), keys.contains(&probe).then_some(probe * 2));
        }
        for (rank, key) in sorted.iter().enumerate() {
            prop_assert_eq!(tree.nth(rank).map(|e| *e.0), Some(*key));
        }
        let (start, end) = (start.min(sorted.len()), end.min(sorted.len()));
        let expected = sorted.get(start..end).unwrap_or_default();
        prop_assert!(tree.range(start..end).map(|e| *e.0).eq(expected.iter().copied()));
        prop_assert!(tree.range(start..end).rev().map(|e| *e.0).eq(expected.iter().rev().copied()));
        // Iterating from both ends meets in the middle.
        let mut both = tree.range(start..end);
        let (mut front, mut back) = (Vec::new(), Vec::new());
        while let Some(entry) = both.next() {
            front.push(*entry.0);
            back.extend(both.next_back().map(|e| *e.0));
        }
        back.reverse();
        front.extend(back);
        prop_assert_eq!(front, expected);
    }

    #[test]
    fn is_a_sequence_with_unit_keys(steps in prop::collection::vec((any::<bool>(), any::<u16>(), any::<u32>()), 0..900)) {
        let mut model: Vec<u32> = Vec::new();
        let mut tree: Tree<(), u32> = Tree::new();
        for (grow, at, value) in steps {
            let at = usize::from(at) % (model.len() + 1);
            if grow || model.len() < 40 {
                model.insert(at, value);
                tree.insert_at(at, value);
            } else if at < model.len() {
                prop_assert_eq!(tree.remove_at(at).map(|e| e.1), Some(model.remove(at)));
            }
        }
        prop_assert!(tree.values().eq(model.iter()));
        prop_assert_eq!(tree.root.as_ref().map_or(0, |root| root.count()), model.len());
    }
}

type Difference = (u16, Option<u32>, Option<u32>);

fn changes(differences: Differences<'_, u16, u32>) -> Vec<Difference> {
    differences.map(|entry| (*entry.key, entry.before.copied(), entry.now.copied())).collect()
}

/// The differences of two maps, computed key by key.
fn compared(before: &BTreeMap<u16, u32>, now: &BTreeMap<u16, u32>) -> Vec<Difference> {
    let keys: std::collections::BTreeSet<u16> = before.keys().chain(now.keys()).copied().collect();
    let changes = keys.into_iter().map(|key| (key, before.get(&key).copied(), now.get(&key).copied()));
    changes.filter(|(_, was, is)| was != is).collect()
}

#[test]
fn shared_nodes_of_two_versions_are_not_visited() {
    use std::cell::Cell;
    thread_local!(static LOOKED: Cell<usize> = const { Cell::new(0) });
    #[derive(Clone, Debug)]
    struct Counted(u32);
    impl PartialEq for Counted {
        fn eq(&self, other: &Counted) -> bool {
            LOOKED.set(LOOKED.get() + 1);
            self.0 == other.0
        }
    }
    let before: Tree<u32, Counted> = (0..100_000).map(|key| (key * 2, Counted(key))).collect();
    let mut now = before.clone();
    now.insert(4_001, Counted(0));
    now.remove(&100_000);
    now.insert(150_000, Counted(1));
    now.insert(200_001, Counted(2));
    let keys: Vec<u32> = now.since(&before).map(|entry| *entry.key).collect();
    assert_eq!(keys, [4_001, 100_000, 150_000, 200_001]);
    // Four leaves, and their neighbours if one was split or merged.
    assert!(LOOKED.get() < 8 * NODE_MAX, "{}", LOOKED.get());
}

#[test]
fn equality_and_hash_do_not_depend_on_history() {
    use std::hash::{BuildHasher, BuildHasherDefault};
    let fixed = BuildHasherDefault::<rustc_hash::FxHasher>::default();
    let straight = Tree::from_sorted((0..1000u32).map(|k| (k, k)));
    let mut crooked: Tree<u32, u32> = (0..3000u32).rev().map(|k| (k, k)).collect();
    for key in 1000..3000 {
        crooked.remove(&key);
    }
    assert_eq!(straight, crooked);
    assert_eq!(fixed.hash_one(&straight), fixed.hash_one(&crooked));
    crooked.insert(5, 6);
    assert_ne!(straight, crooked);
}

#[test]
fn a_miss_copies_nothing() {
    let tree = Tree::from_sorted((0..1000u32).map(|k| (k * 2, ())));
    let mut other = tree.clone();
    assert_eq!(other.remove(&1), None);
    assert_eq!(other.get_mut(&1), None);
    assert!(tree.ptr_eq(&other));
}
