//! Properties of streams, against a naive model: a sorted map of entries, and counters computed by counting.
use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// One operation on a stream.
#[derive(Clone, Debug)]
enum Step {
    Add { gap: u64, fields: usize, value: usize },
    Delete(u64),
    Trim { to: usize, is_by_length: bool, is_approximate: bool, limit: usize },
    Read { group: u8, consumer: u8, count: usize, needs_ack: bool },
    ReadAgain { group: u8, consumer: u8 },
    Acknowledge { group: u8, id: u64 },
    Claim { group: u8, consumer: u8, id: u64, is_forced: bool },
    ClaimFrom { group: u8, consumer: u8, id: u64, count: usize },
    SetGroup { group: u8, id: u64 },
    DropConsumer { group: u8, consumer: u8 },
    DropGroup(u8),
}

fn step() -> impl Strategy<Value = Step> {
    let (group, consumer, id) = (|| 0u8..2, || 0u8..3, || 0u64..120);
    prop_oneof![
        8 => (1u64..4, 0usize..3, 0usize..40).prop_map(|(gap, fields, value)| Step::Add { gap, fields, value }),
        3 => id().prop_map(Step::Delete),
        1 => (0usize..60, any::<bool>(), any::<bool>(), 0usize..9).prop_map(
            |(to, is_by_length, is_approximate, limit)| Step::Trim { to, is_by_length, is_approximate, limit }),
        4 => (group(), consumer(), 1usize..6, any::<bool>()).prop_map(
            |(group, consumer, count, needs_ack)| Step::Read { group, consumer, count, needs_ack }),
        1 => (group(), consumer()).prop_map(|(group, consumer)| Step::ReadAgain { group, consumer }),
        2 => (group(), id()).prop_map(|(group, id)| Step::Acknowledge { group, id }),
        2 => (group(), consumer(), id(), any::<bool>()).prop_map(
            |(group, consumer, id, is_forced)| Step::Claim { group, consumer, id, is_forced }),
        1 => (group(), consumer(), id(), 1usize..5).prop_map(
            |(group, consumer, id, count)| Step::ClaimFrom { group, consumer, id, count }),
        1 => (group(), id()).prop_map(|(group, id)| Step::SetGroup { group, id }),
        1 => (group(), consumer()).prop_map(|(group, consumer)| Step::DropConsumer { group, consumer }),
        1 => group().prop_map(Step::DropGroup),
    ]
}

/// The naive group: its last-delivered id, and for each pending entry its consumer and number of deliveries.
#[derive(Clone, Debug, Default)]
struct NaiveGroup {
    last: u64,
    pending: BTreeMap<u64, (u8, u64)>,
}

#[derive(Clone, Debug, Default)]
struct Naive {
    entries: BTreeMap<u64, Vec<(Bytes, Bytes)>>,
    last: u64,
    groups: BTreeMap<u8, NaiveGroup>,
}

fn named(n: u8) -> Bytes {
    Bytes::from(vec![b'a' + n])
}

/// Ids whose bytes differ in several positions.
fn id_of(n: u64) -> Id {
    Id::new(n / 7 * 100, n % 7)
}

const NOW_MS: u64 = 1_700_000_000_000;
const CLAIM: Claim =
    Claim { min_idle_ms: 0, delivered_ms: NOW_MS, deliveries: None, is_forced: false, is_just_id: false };

struct Pair {
    stream: Stream,
    naive: Naive,
    limits: Limits,
}

impl Pair {
    fn run(&mut self, step: &Step) {
        if let Step::Read { group, .. } | Step::SetGroup { group, .. } = step
            && !self.naive.groups.contains_key(group)
        {
            self.stream.create_group(&named(*group), Id::MIN, Some(0));
            self.naive.groups.insert(*group, NaiveGroup::default());
        }
        match step {
            Step::Add { gap, fields, value } => self.add(*gap, *fields, *value),
            Step::Delete(n) => {
                assert_eq!(self.stream.delete(id_of(*n)), self.naive.entries.remove(n).is_some());
            }
            Step::Trim { to, is_by_length, is_approximate, limit } => {
                self.trim(*to, *is_by_length, *is_approximate, *limit);
            }
            Step::Read { group, consumer, count, needs_ack } => self.read(*group, *consumer, *count, *needs_ack),
            Step::ReadAgain { group, consumer } => self.read_again(*group, *consumer),
            Step::Acknowledge { group, id } => {
                let theirs = self.naive.groups.get_mut(group).and_then(|group| group.pending.remove(id));
                let ours = self.stream.acknowledge(&named(*group), &[id_of(*id)]);
                assert_eq!(ours, usize::from(theirs.is_some()));
            }
            Step::Claim { group, consumer, id, is_forced } => self.claim(*group, *consumer, *id, *is_forced),
            Step::ClaimFrom { group, consumer, id, count } => self.claim_from(*group, *consumer, *id, *count),
            Step::SetGroup { group, id } => {
                self.stream.set_group(&named(*group), id_of(*id), None);
                self.naive.groups.get_mut(group).unwrap().last = *id;
            }
            Step::DropConsumer { group, consumer } => {
                let ours = self.stream.remove_consumer(&named(*group), &named(*consumer)).unwrap_or(0);
                let Some(group) = self.naive.groups.get_mut(group) else { return assert_eq!(ours, 0) };
                let before = group.pending.len();
                group.pending.retain(|_, (owner, _)| owner != consumer);
                assert_eq!(ours, before - group.pending.len());
            }
            Step::DropGroup(group) => {
                assert_eq!(self.stream.destroy_group(&named(*group)), self.naive.groups.remove(group).is_some());
            }
        }
    }

    fn add(&mut self, gap: u64, fields: usize, value: usize) {
        let n = self.naive.last + gap;
        let pair = |i: usize| (Bytes::from(format!("f{i}")), Bytes::from("v".repeat(value)));
        let pairs: Vec<_> = (0..=fields).map(pair).collect();
        let (names, values) = pairs.iter().cloned().unzip();
        assert_eq!(self.stream.next_id(NewId::Exactly(id_of(n)), NOW_MS), Ok(id_of(n)));
        assert_eq!(self.stream.push(id_of(n), names, values, &self.limits), Ok(()));
        self.naive.entries.insert(n, pairs);
        self.naive.last = n;
    }

    /// Exact trimming follows from the entries alone; for approximate trimming this checks what it must not do.
    fn trim(&mut self, to: usize, is_by_length: bool, is_approximate: bool, limit: usize) {
        let limit = Some(limit).filter(|limit| is_approximate && *limit > 0);
        let entries = &mut self.naive.entries;
        let excess = if is_by_length {
            entries.len().saturating_sub(to)
        } else {
            entries.keys().filter(|n| id_of(**n) < id_of(to as u64)).count()
        };
        let to = if is_by_length { TrimTo::Length(to) } else { TrimTo::From(id_of(to as u64)) };
        let trimmed = self.stream.trim(&Trim { to, is_approximate, limit });
        if is_approximate {
            assert!(trimmed <= excess && limit.is_none_or(|limit| trimmed <= limit));
        } else {
            assert_eq!(trimmed, excess);
        }
        (0..trimmed).for_each(|_| _ = entries.pop_first());
    }

    fn read(&mut self, group: u8, consumer: u8, count: usize, needs_ack: bool) {
        self.stream.see_consumer(&named(group), &named(consumer), NOW_MS);
        let ours = self.stream.read_new(&named(group), &named(consumer), count, needs_ack, NOW_MS);
        let theirs = self.naive.groups.get_mut(&group).unwrap();
        let wanted: Vec<u64> = self.naive.entries.range(theirs.last + 1..).take(count).map(|(n, _)| *n).collect();
        assert_eq!(
            ours.iter().map(|(id, _)| *id).collect::<Vec<_>>(),
            wanted.iter().map(|n| id_of(*n)).collect::<Vec<_>>()
        );
        for n in wanted {
            theirs.last = n;
            if needs_ack {
                theirs.pending.insert(n, (consumer, 1));
            }
        }
    }

    fn read_again(&mut self, group: u8, consumer: u8) {
        let ours = self.stream.read_again(&named(group), &named(consumer), Id::MIN, usize::MAX, NOW_MS);
        let Some(theirs) = self.naive.groups.get_mut(&group) else { return assert!(ours.is_empty()) };
        let mut ours = ours.into_iter();
        for (n, (owner, deliveries)) in theirs.pending.iter_mut().filter(|(n, _)| **n > 0) {
            if *owner == consumer {
                let is_there = self.naive.entries.contains_key(n);
                let (id, entry) = ours.next().unwrap();
                assert_eq!((id, entry.is_some()), (id_of(*n), is_there));
                *deliveries += u64::from(is_there);
            }
        }
        assert_eq!(ours.next(), None);
    }

    fn claim(&mut self, group: u8, consumer: u8, n: u64, is_forced: bool) {
        let claim = Claim { is_forced, ..CLAIM };
        let ours = self.stream.claim(&named(group), &named(consumer), &[id_of(n)], &claim, NOW_MS).entries.len();
        let Some(theirs) = self.naive.groups.get_mut(&group) else { return assert_eq!(ours, 0) };
        if !self.naive.entries.contains_key(&n) {
            theirs.pending.remove(&n);
            return assert_eq!(ours, 0);
        }
        let before = theirs.pending.get(&n).map(|(_, deliveries)| *deliveries).or(is_forced.then_some(1));
        assert_eq!(ours, usize::from(before.is_some()));
        if let Some(deliveries) = before {
            theirs.pending.insert(n, (consumer, deliveries + 1));
        }
    }

    fn claim_from(&mut self, group: u8, consumer: u8, n: u64, count: usize) {
        let ours = self.stream.claim_from(&named(group), &named(consumer), id_of(n), count, &CLAIM, NOW_MS);
        let Some(theirs) = self.naive.groups.get_mut(&group) else { return assert_eq!(ours, Claimed::default()) };
        let met: Vec<u64> = theirs.pending.range(n..).take(count).map(|(n, _)| *n).collect();
        let next = theirs.pending.range(n..).nth(count).map_or(Id::MIN, |(n, _)| id_of(*n));
        let (kept, gone): (Vec<u64>, Vec<u64>) = met.iter().partition(|n| self.naive.entries.contains_key(n));
        assert_eq!(ours.next, next);
        assert_eq!(ours.deleted, gone.iter().map(|n| id_of(*n)).collect::<Vec<_>>());
        assert_eq!(ours.entries.len(), kept.len());
        gone.iter().for_each(|n| _ = theirs.pending.remove(n));
        for n in kept {
            theirs.pending.entry(n).and_modify(|pending| *pending = (consumer, pending.1 + 1));
        }
    }

    fn agree(&self) {
        assert_eq!(self.stream.check(), Ok(()));
        let ours: Vec<_> = self.stream.range(Id::MIN..=Id::MAX).collect();
        let mut backward: Vec<_> = self.stream.range(Id::MIN..=Id::MAX).rev().collect();
        backward.reverse();
        assert_eq!(ours, backward);
        assert_eq!((ours.len(), self.stream.len()), (self.naive.entries.len(), self.naive.entries.len()));
        for ((id, entry), (n, pairs)) in ours.into_iter().zip(&self.naive.entries) {
            assert_eq!(id, id_of(*n));
            assert!(entry.pairs().eq(pairs.iter().map(|(field, value)| (field, value))));
        }
        assert_eq!(self.stream.groups().len(), self.naive.groups.len());
        for ((name, group), (n, naive)) in self.stream.groups().zip(&self.naive.groups) {
            assert_eq!((name, group.last_id()), (&named(*n), id_of(naive.last)));
            let ours = group.pending().map(|(id, pending)| (id, pending.consumer.clone(), pending.deliveries));
            assert!(ours.eq(naive.pending.iter().map(|(n, (owner, times))| (id_of(*n), named(*owner), *times))));
        }
        for node in self.stream.nodes() {
            let entries = node.entries().len();
            assert!(self.limits.stream_node_max_entries == 0 || entries <= self.limits.stream_node_max_entries);
        }
    }
}

proptest! {
    #[test]
    fn does_what_a_naive_stream_does(
        steps in proptest::collection::vec(step(), 0..120),
        max_entries in prop_oneof![Just(0usize), 1usize..6, Just(100)],
        max_bytes in prop_oneof![Just(0usize), 30usize..200, Just(4096)],
    ) {
        let limits = Limits {
            stream_node_max_entries: max_entries,
            stream_node_max_bytes: max_bytes,
            ..Limits::DEFAULT
        };
        let mut pair = Pair { stream: Stream::new(), naive: Naive::default(), limits };
        for step in &steps {
            let (before, naive) = (pair.stream.clone(), pair.naive.clone());
            pair.run(step);
            pair.agree();
            // A clone is not affected by the change.
            let after = std::mem::replace(&mut pair, Pair { stream: before, naive, limits });
            pair.agree();
            pair = after;
        }
        prop_assert_eq!(pair.stream.copied().check(), Ok(()));
    }
}

#[test]
fn node_ends_at_its_limits_and_is_removed_with_its_last_live_entry() {
    let limits = Limits { stream_node_max_entries: 3, ..Limits::DEFAULT };
    let mut stream = Stream::new();
    for n in 1..=7 {
        stream.push(Id::new(n, 0), vec![Bytes::from("f")], vec![Bytes::from("1")], &limits).unwrap();
    }
    let shape = |stream: &Stream| stream.nodes().map(|n| (n.id().ms, n.live(), n.deleted())).collect::<Vec<_>>();
    assert_eq!(shape(&stream), [(1, 3, 0), (4, 3, 0), (7, 1, 0)]);
    assert!(stream.delete(Id::new(4, 0)) && stream.delete(Id::new(7, 0)) && !stream.delete(Id::new(7, 0)));
    assert_eq!(shape(&stream), [(1, 3, 0), (4, 2, 1)]);
    let trimmed = stream.trim(&Trim { to: TrimTo::Length(3), is_approximate: true, limit: None });
    assert_eq!((trimmed, shape(&stream)), (0, vec![(1, 3, 0), (4, 2, 1)]));
    let trimmed = stream.trim(&Trim { to: TrimTo::Length(1), is_approximate: false, limit: None });
    assert_eq!((trimmed, shape(&stream)), (4, vec![(4, 1, 2)]));
    assert_eq!(
        (stream.first_id(), stream.last_id(), stream.max_deleted_id()),
        (Id::new(6, 0), Id::new(7, 0), Id::new(7, 0))
    );
}

#[test]
fn listpacks_have_the_bytes_of_redis() {
    let limits = Limits::DEFAULT;
    let mut stream = Stream::new();
    let words =
        |words: &[&'static str]| words.iter().map(|word| Bytes::from_static(word.as_bytes())).collect::<Vec<_>>();
    stream.push(Id::new(5, 0), words(&["f"]), words(&["1"]), &limits).unwrap();
    stream.push(Id::new(5, 1), words(&["f"]), words(&["text"]), &limits).unwrap();
    stream.push(Id::new(300, 0), words(&["g"]), words(&["1"]), &limits).unwrap();
    let node = stream.nodes().next().unwrap();
    // Header: frame 7, three counts, one field, a zero. Entries: flags, both differences, stored values, their count.
    let sizes: Vec<usize> = node.entries().map(|(id, entry)| node.entry_bytes(id, entry)).collect();
    assert_eq!(sizes, [6 + 2 + 2, 6 + 6 + 2, 2 + 3 + 2 + 2 + 3 + 2 + 2]);
    assert_eq!((node.bytes(), node.allocated()), (7 + 6 + 3 + 2 + sizes.iter().sum::<usize>(), 4096));
}
