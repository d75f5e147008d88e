//! Properties of `ZSet`, against a sorted vector.
use super::*;
use crate::value::range::LexBound;
use proptest::prelude::*;

/// A naive sorted set, as the Redis documentation describes it.
#[derive(Clone, Default)]
struct Model(Vec<(f64, Bytes)>);

impl Model {
    fn sort(&mut self) {
        self.0.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap().then_with(|| a.1.cmp(&b.1)));
    }

    fn score(&self, member: &[u8]) -> Option<f64> {
        self.0.iter().find(|pair| pair.1 == member).map(|pair| pair.0)
    }

    fn insert(&mut self, member: Bytes, score: f64) -> Option<f64> {
        let old = self.remove(&member);
        self.0.push((old.filter(|old| *old == score).unwrap_or(score), member));
        self.sort();
        old
    }

    fn remove(&mut self, member: &[u8]) -> Option<f64> {
        let at = self.0.iter().position(|pair| pair.1 == member)?;
        Some(self.0.remove(at).0)
    }
}

fn score() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => (-5i32..5).prop_map(f64::from),
        2 => any::<f64>().prop_filter("scores are numbers", |score| !score.is_nan()),
        1 => prop::sample::select(vec![0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY]),
    ]
}

fn member() -> impl Strategy<Value = Bytes> {
    "[a-e]{1,2}|[0-9]{1,3}|[a-z]{9}".prop_map(Bytes::from)
}

fn same(zset: &ZSet, model: &Model) {
    assert_eq!(zset.check(), Ok(()));
    assert!(zset.iter().map(|(member, score)| (score, member)).eq(model.0.iter().map(|pair| (pair.0, &pair.1))));
    assert!(zset.iter().rev().map(|pair| pair.0).eq(model.0.iter().rev().map(|pair| &pair.1)));
    for (rank, (score, member)) in model.0.iter().enumerate() {
        assert_eq!((zset.rank(member), zset.score(member)), (Some(rank), Some(*score)));
        assert_eq!(zset.nth(rank), Some((member, *score)));
    }
    let (mut seen, mut cursor) = (Model::default(), 0);
    loop {
        cursor = zset.scan(cursor, |member, score| seen.0.push((score, member.clone())));
        if cursor == 0 {
            break;
        }
    }
    seen.sort();
    assert_eq!(seen.0, model.0);
}

proptest! {
    #[test]
    fn behaves_as_a_sorted_vector_and_clones_never_change(
        steps in prop::collection::vec((0u8..8, member(), score(), any::<prop::sample::Index>()), 0..150),
        entries in 0usize..30,
        longest in 3usize..12,
    ) {
        let limits = Limits { zset_max_listpack_entries: entries, zset_max_listpack_value: longest, ..Limits::DEFAULT };
        let (mut zset, mut model) = (ZSet::new(), Model::default());
        let mut small = true;
        let mut earlier = Vec::new();
        for (at, (what, member, score, index)) in steps.into_iter().enumerate() {
            match what {
                0..5 => {
                    small &= model.score(&member).is_some() || (model.0.len() < entries && member.len() <= longest);
                    prop_assert_eq!(zset.insert(member.clone(), score, &limits), model.insert(member, score));
                }
                5 if !zset.is_empty() => {
                    let rank = index.index(zset.len());
                    let (score, member) = model.0.remove(rank);
                    prop_assert_eq!(zset.remove_nth(rank), Some((member, score)));
                }
                6 if !zset.is_empty() => {
                    let start = index.index(zset.len());
                    let end = (start + 3).min(model.0.len());
                    prop_assert_eq!(zset.remove_range(start..start + 3), end - start);
                    model.0.drain(start..end);
                }
                _ => prop_assert_eq!(zset.remove(&member), model.remove(&member)),
            }
            prop_assert_eq!(zset.encoding(), if small { "listpack" } else { "skiplist" });
            if at % 15 == 0 { earlier.push((zset.clone(), model.clone())); }
        }
        earlier.push((zset, model));
        for ((before, _), (now, model)) in earlier.iter().zip(earlier.iter().skip(1)) {
            // A member that was removed and added again can have -0 for 0.
            let score = |zset: &ZSet, member: &Bytes| zset.score(member).map(f64::to_bits);
            let changed = model.0.iter().map(|pair| &pair.1).filter(|member| score(before, member) != score(now, member));
            prop_assert!(now.changed_since(before).eq(changed));
        }
        for (zset, model) in earlier {
            same(&zset, &model);
        }
    }

    #[test]
    fn bulk_construction_equals_inserting_one_by_one(
        pairs in prop::collection::btree_map(member(), score(), 0..60), entries in 0usize..40, longest in 3usize..12,
    ) {
        let limits = Limits { zset_max_listpack_entries: entries, zset_max_listpack_value: longest, ..Limits::DEFAULT };
        let at_once = ZSet::from_members(pairs.clone(), &limits);
        let mut one_by_one = ZSet { skiplist: at_once.skiplist, ..ZSet::new() };
        one_by_one.bytes = if at_once.skiplist { 0 } else { listpack::EMPTY_BYTES };
        for (member, score) in pairs {
            one_by_one.insert(member, score, &limits);
        }
        prop_assert_eq!(at_once.check(), Ok(()));
        prop_assert_eq!(at_once, one_by_one);
    }

    #[test]
    fn ranges_by_score_are_the_members_within(
        pairs in prop::collection::btree_map(member(), score(), 0..60),
        min in score(), max in score(), open in any::<(bool, bool)>(),
    ) {
        let zset = ZSet::from_members(pairs, &Limits::DEFAULT);
        let bound = |score, open| if open { Bound::Excluded(score) } else { Bound::Included(score) };
        let range = ScoreRange { min: bound(min, open.0), max: bound(max, open.1) };
        let within = |score: f64| {
            (if open.0 { score > min } else { score >= min }) && (if open.1 { score < max } else { score <= max })
        };
        let expected: Vec<_> = zset.iter().filter(|pair| within(pair.1)).collect();
        prop_assert_eq!(zset.range(zset.ranks_by_score(&range)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn ranges_by_member_are_the_members_within(
        members in prop::collection::btree_set(member(), 0..60),
        min in member(), max in member(), open in any::<(bool, bool)>(), entries in prop::sample::select(vec![0, 128]),
    ) {
        let limits = Limits { zset_max_listpack_entries: entries, ..Limits::DEFAULT };
        let zset = ZSet::from_members(members.iter().map(|member| (member.clone(), 1.0)), &limits);
        let bound = |member: &Bytes, open| if open { LexBound::Excluded(member.clone()) } else { LexBound::Included(member.clone()) };
        let range = LexRange { min: bound(&min, open.0), max: bound(&max, open.1) };
        let within = |member: &Bytes| {
            (if open.0 { *member > min } else { *member >= min }) && (if open.1 { *member < max } else { *member <= max })
        };
        let expected: Vec<_> = members.iter().filter(|member| within(member)).collect();
        for ranks in [zset.ranks_by_lex(&range), zset.ranks_by_lex_from_tail(&range)] {
            prop_assert_eq!(zset.range(ranks).map(|pair| pair.0).collect::<Vec<_>>(), expected.clone());
        }
        let all = LexRange { min: LexBound::Lowest, max: LexBound::Highest };
        prop_assert_eq!(zset.ranks_by_lex(&all), 0..members.len());
    }

    #[test]
    fn scores_and_their_integers_have_the_same_order(a in score(), b in score()) {
        prop_assert_eq!(a.partial_cmp(&b), Some(order(a).cmp(&order(b))));
        prop_assert_eq!(ScorePosition::new(a, Bytes::new()).score(), a);
    }
}

use std::ops::Bound;

#[test]
fn a_quarter_of_the_nodes_of_a_level_reach_the_next() {
    let mut counts = [0u32; LEVEL_MAX + 1];
    for n in 0..100_000 {
        counts[level(format!("member:{n}").as_bytes())] += 1;
    }
    let reach: Vec<u32> = (1..=5).map(|level| counts[level..].iter().sum()).collect();
    assert_eq!(reach[0], 100_000);
    for pair in reach.windows(2) {
        let share = f64::from(pair[1]) / f64::from(pair[0]);
        assert!((0.2..0.3).contains(&share), "{reach:?}");
    }
}

#[test]
fn a_stored_result_takes_the_encoding_of_the_whole() {
    let members = |count: u32| (0..count).map(|n| (Bytes::from(n.to_string()), f64::from(n)));
    assert_eq!(ZSet::from_members(members(128), &Limits::DEFAULT).encoding(), "listpack");
    assert_eq!(ZSet::from_members(members(129), &Limits::DEFAULT).encoding(), "skiplist");
    let long = [(Bytes::from("x".repeat(65)), 1.0)];
    assert_eq!(ZSet::from_members(long, &Limits::DEFAULT).encoding(), "skiplist");
}

#[test]
fn minus_zero_is_kept_where_redis_keeps_it() {
    let skiplist = Limits { zset_max_listpack_entries: 0, ..Limits::DEFAULT };
    let minus_zero = |limits| {
        let mut zset = ZSet::new();
        zset.insert(Bytes::from("m"), -0.0, limits);
        zset.score(b"m").map(f64::is_sign_negative)
    };
    assert_eq!((minus_zero(&Limits::DEFAULT), minus_zero(&skiplist)), (Some(false), Some(true)));
}
