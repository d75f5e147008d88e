//! The ledger: what became of each message, by id, as programs report it with `produced` and `processed`.
//!
//! ```text
//!   produced(m1)  produced(m2)  processed(m2)  processed(m1)  processed(m1)
//!
//!   m1  place 1   first processed as number 2   processed twice
//!   m2  place 2   first processed as number 1   once                          out of order: 1
//! ```
//! A message is out of order if it was produced before another one and first processed after it. Processing it again does not affect order.
//! A consumer may be faster than the reply to the producer: then `processed` comes first, and order is judged once both are known.
mod by_key;

use std::hash::{Hash, Hasher};

pub use by_key::KeySums;
use bytes::Bytes;
use redis_model::value::Tree;

/// What became of one message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Message {
    /// Its position in the order of production, from 1; `None`: no producer has reported it yet.
    pub produced: Option<u64>,
    /// Its subject: messages with the same key belong together.
    pub key: Option<Bytes>,
    /// Its position in the order of first processing, from 1; `None`: not processed.
    pub processed: Option<u64>,
    /// How many times it was processed.
    pub times: u64,
}

impl Message {
    /// Was it produced and processed?
    fn is_done(&self) -> bool {
        self.produced.is_some() && self.processed.is_some()
    }
}

/// Two messages that were processed in the opposite order of production.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Disorder {
    /// The message that was produced first and processed later.
    pub late: Bytes,
    /// The message that was produced later and processed first.
    pub early: Bytes,
    /// Do both have the same key?
    pub is_of_key: bool,
}

/// All messages that programs have reported. A clone is O(1), however many messages there are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ledger {
    /// Messages by id and the order of each key, each after a byte that says which. They share a tree: each tree type adds some kilobytes
    /// to the page.
    notes: Tree<Bytes, Note>,
    produced: u64,
    processed: u64,
    done: u64,
    repeated: u64,
    disordered: u64,
    disordered_of_keys: u64,
    order: LastMessages,
    has_pair_of_key: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Note {
    Message(Message),
    OrderOfKey {
        order: LastMessages,
        /// Number of messages out of order.
        disordered: u64,
    },
}

/// Prefix of message ids in [`Ledger::notes`].
const MESSAGE: u8 = 0;
/// Prefix of message keys in [`Ledger::notes`].
const KEY: u8 = 1;

fn name_of(kind: u8, text: &[u8]) -> Bytes {
    let mut name = Vec::with_capacity(text.len().saturating_add(1));
    name.push(kind);
    name.extend_from_slice(text);
    name.into()
}

/// Of the messages that were produced and processed: the last one in either order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct LastMessages {
    produced: Option<(u64, Bytes)>,
    processed: Option<(u64, Bytes)>,
    /// How many there are: 0, 1, or 2 for more.
    done: u8,
}

impl LastMessages {
    fn has_pair(&self) -> bool {
        self.done > 1
    }

    /// Adds a message that is now produced and processed. `None`: it is in order.
    fn take(&mut self, id: &Bytes, produced: u64, processed: u64) -> Option<(Bytes, Bytes)> {
        let before = |last: &Option<(u64, Bytes)>, place: u64| {
            last.as_ref().filter(|(other, _)| *other > place).map(|(_, other)| other.clone())
        };
        self.done = self.done.saturating_add(1).min(2);
        // It is the last one in one of the two orders, where it was just reported. In the other order, others may follow it.
        let early = before(&self.produced, produced).map(|other| (id.clone(), other));
        let late = before(&self.processed, processed).map(|other| (other, id.clone()));
        if self.produced.as_ref().is_none_or(|(last, _)| *last < produced) {
            self.produced = Some((produced, id.clone()));
        }
        if self.processed.as_ref().is_none_or(|(last, _)| *last < processed) {
            self.processed = Some((processed, id.clone()));
        }
        early.or(late)
    }
}

impl Ledger {
    /// Has no message been reported?
    pub fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    /// How many messages were produced.
    pub fn produced(&self) -> u64 {
        self.produced
    }

    /// How many messages were processed at least once.
    pub fn processed(&self) -> u64 {
        self.processed
    }

    /// How many messages were processed more than once.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// How many messages were produced but not processed (yet).
    pub fn open(&self) -> u64 {
        self.produced.saturating_sub(self.done)
    }

    /// The first message that was produced but not processed (yet). Scans all messages.
    pub fn first_open(&self) -> Option<Bytes> {
        let open = self.messages().filter(|(_, message)| message.produced.is_some() && message.processed.is_none());
        open.min_by_key(|(_, message)| message.produced).map(|(id, _)| Bytes::copy_from_slice(id))
    }

    /// How many messages were out of order.
    pub fn disordered(&self) -> u64 {
        self.disordered
    }

    /// How many messages were out of order among those with the same key.
    pub fn disordered_of_keys(&self) -> u64 {
        self.disordered_of_keys
    }

    /// Are two messages produced and processed, so that order can be judged?
    pub(crate) fn has_pair(&self) -> bool {
        self.order.has_pair()
    }

    /// Are two messages with the same key produced and processed?
    pub(crate) fn has_pair_of_key(&self) -> bool {
        self.has_pair_of_key
    }

    /// The messages with their ids, by id.
    pub fn messages(&self) -> impl Iterator<Item = (&[u8], &Message)> {
        self.notes.iter().filter_map(|(name, note)| match note {
            Note::Message(message) => Some((name.get(1..)?, message)),
            Note::OrderOfKey { .. } => None,
        })
    }

    fn message(&self, id: &Bytes) -> Message {
        match self.notes.get(&name_of(MESSAGE, id)) {
            Some(Note::Message(message)) => message.clone(),
            _ => Message::default(),
        }
    }

    /// A producer reports a message; repeated reports are ignored. Returns the disorder that this reveals.
    pub fn produce(&mut self, id: &Bytes, key: Option<&Bytes>) -> Vec<Disorder> {
        let mut message = self.message(id);
        if message.produced.is_some() {
            return Vec::new();
        }
        self.produced = self.produced.saturating_add(1);
        message.produced = Some(self.produced);
        message.key = key.cloned();
        self.note(id, message)
    }

    /// A consumer has processed a message. Returns how many times so far, and the disorder that this reveals.
    pub fn process(&mut self, id: &Bytes) -> (u64, Vec<Disorder>) {
        let mut message = self.message(id);
        message.times = message.times.saturating_add(1);
        let times = message.times;
        if times > 1 {
            self.repeated = self.repeated.saturating_add(u64::from(times == 2));
            self.notes.insert(name_of(MESSAGE, id), Note::Message(message));
            return (times, Vec::new());
        }
        self.processed = self.processed.saturating_add(1);
        message.processed = Some(self.processed);
        (times, self.note(id, message))
    }

    /// Stores what became of a message, and judges its order if both sides are known now.
    fn note(&mut self, id: &Bytes, message: Message) -> Vec<Disorder> {
        let mut found = Vec::new();
        if let (Some(produced), Some(processed)) = (message.produced, message.processed) {
            self.done = self.done.saturating_add(1);
            if let Some((late, early)) = self.order.take(id, produced, processed) {
                self.disordered = self.disordered.saturating_add(1);
                found.push(Disorder { late, early, is_of_key: false });
            }
            if let Some(key) = &message.key {
                let name = name_of(KEY, key);
                let (mut order, mut disordered) = match self.notes.get(&name) {
                    Some(Note::OrderOfKey { order, disordered }) => (order.clone(), *disordered),
                    _ => Default::default(),
                };
                if let Some((late, early)) = order.take(id, produced, processed) {
                    disordered = disordered.saturating_add(1);
                    self.disordered_of_keys = self.disordered_of_keys.saturating_add(1);
                    found.push(Disorder { late, early, is_of_key: true });
                }
                self.has_pair_of_key |= order.has_pair();
                self.notes.insert(name, Note::OrderOfKey { order, disordered });
            }
        }
        self.notes.insert(name_of(MESSAGE, id), Note::Message(message));
        found
    }

    /// Hashes the state that still matters to the properties: of a finished message only how many times it was processed, and, if order is
    /// watched, which message came last.
    pub(crate) fn hash_canonical<H: Hasher>(&self, is_order_watched: bool, state: &mut H) {
        (self.notes.len(), self.messages().count()).hash(state);
        for (id, message) in self.messages() {
            (id, message.produced.is_some(), message.times.min(2)).hash(state);
            if is_order_watched && !message.is_done() {
                (message.produced, message.processed, &message.key).hash(state);
            }
        }
        if is_order_watched {
            (&self.order, self.produced, self.processed).hash(state);
            for (key, note) in &self.notes {
                if let Note::OrderOfKey { order, .. } = note {
                    (key, order).hash(state);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What was reported, from first to last.
    #[derive(Clone, Debug)]
    enum Reported {
        Produced(u8, Option<u8>),
        Processed(u8),
    }

    fn reported() -> impl Strategy<Value = Reported> {
        prop_oneof![
            (0..8_u8, prop::option::of(0..3_u8)).prop_map(|(id, key)| Reported::Produced(id, key)),
            (0..8_u8).prop_map(Reported::Processed),
        ]
    }

    fn name(number: u8) -> Bytes {
        vec![b'm', number].into()
    }

    /// The same counts, computed from all reports.
    struct Recount {
        /// Id and key, in the order of production.
        produced: Vec<(u8, Option<u8>)>,
        /// Ids in the order in which they were first processed.
        processed: Vec<u8>,
        repeated: Vec<u8>,
    }

    fn recount(all: &[Reported]) -> Recount {
        let mut count = Recount { produced: Vec::new(), processed: Vec::new(), repeated: Vec::new() };
        for each in all {
            match each {
                Reported::Produced(id, key) if !count.produced.iter().any(|(other, _)| other == id) => {
                    count.produced.push((*id, *key));
                }
                Reported::Processed(id) if !count.processed.contains(id) => count.processed.push(*id),
                _ => {}
            }
        }
        let times = |id: u8| {
            all.iter().filter(|reported| matches!(reported, Reported::Processed(other) if *other == id)).count()
        };
        count.repeated = (0..=u8::MAX).filter(|id| times(*id) > 1).collect();
        count
    }

    impl Recount {
        /// Is any message out of order, among all or among those with the same key? Checks every pair.
        fn is_disordered(&self, of_key: bool) -> bool {
            self.has_disordered_pair(|one, other| !of_key || (one.is_some() && one == other))
        }

        /// Is any message out of order among those with this key?
        fn is_disordered_in(&self, key: u8) -> bool {
            self.has_disordered_pair(|one, other| one == Some(key) && other == Some(key))
        }

        fn has_disordered_pair(&self, is_looked_at: impl Fn(Option<u8>, Option<u8>) -> bool) -> bool {
            let place = |id: u8| self.processed.iter().position(|other| *other == id);
            let pairs = self
                .produced
                .iter()
                .enumerate()
                .flat_map(|(at, first)| self.produced.iter().skip(at + 1).map(move |second| (first, second)));
            pairs.into_iter().any(|(first, second)| {
                is_looked_at(first.1, second.1)
                    && matches!((place(first.0), place(second.0)), (Some(one), Some(other)) if one > other)
            })
        }
    }

    proptest! {
        #[test]
        fn ledger_agrees_with_recount(all in prop::collection::vec(reported(), 0..40)) {
            let mut ledger = Ledger::default();
            let mut disordered = [0_u64; 3];
            for (at, each) in all.iter().enumerate() {
                let found = match each {
                    Reported::Produced(id, key) => ledger.produce(&name(*id), key.map(name).as_ref()),
                    Reported::Processed(id) => ledger.process(&name(*id)).1,
                };
                let count = recount(&all[..=at]);
                let place = |id: &Bytes| count.produced.iter().position(|(other, _)| name(*other) == *id);
                for Disorder { late, early, is_of_key } in &found {
                    prop_assert!(place(late) < place(early) && place(late).is_some());
                    let turn = |id: &Bytes| count.processed.iter().position(|other| name(*other) == *id);
                    prop_assert!(turn(late) > turn(early) && turn(early).is_some());
                    let key = |id: &Bytes| place(id).map(|at| count.produced[at].1);
                    prop_assert!(!is_of_key || key(late) == key(early));
                    if let (true, Some(Some(key))) = (is_of_key, key(late)) {
                        disordered[usize::from(key)] += 1;
                    }
                }
                prop_assert_eq!(ledger.produced(), count.produced.len() as u64);
                prop_assert_eq!(ledger.processed(), count.processed.len() as u64);
                prop_assert_eq!(ledger.repeated(), count.repeated.len() as u64);
                let open: Vec<u8> = count.produced.iter().map(|(id, _)| *id).filter(|id| !count.processed.contains(id)).collect();
                prop_assert_eq!(ledger.open(), open.len() as u64);
                prop_assert_eq!(ledger.first_open(), open.first().map(|id| name(*id)));
                prop_assert_eq!(ledger.disordered() > 0, count.is_disordered(false));
                prop_assert_eq!(ledger.disordered_of_keys() > 0, count.is_disordered(true));
                let sums = ledger.by_key(3).unwrap();
                let mut keys: Vec<u8> = Vec::new();
                for key in count.produced.iter().filter_map(|(_, key)| *key) {
                    if !keys.contains(&key) {
                        keys.push(key);
                    }
                }
                prop_assert_eq!(sums.iter().map(|sums| sums.key.clone()).collect::<Vec<_>>(), keys.iter().map(|key| name(*key)).collect::<Vec<_>>());
                prop_assert_eq!(ledger.by_key(keys.len()), Some(sums.clone()));
                prop_assert!(keys.is_empty() || ledger.by_key(keys.len() - 1).is_none());
                for (sums, key) in sums.iter().zip(keys) {
                    let of_key = |id: &&u8| count.produced.contains(&(**id, Some(key)));
                    let ids = count.produced.iter().map(|(id, _)| id).filter(of_key);
                    prop_assert_eq!(sums.produced, ids.count() as u64);
                    prop_assert_eq!(sums.processed, count.processed.iter().filter(of_key).count() as u64);
                    prop_assert_eq!(sums.repeated, count.repeated.iter().filter(of_key).count() as u64);
                    prop_assert_eq!(sums.open(), open.iter().filter(of_key).count() as u64);
                    prop_assert_eq!(sums.disordered, disordered[usize::from(key)]);
                    prop_assert_eq!(sums.disordered > 0, count.is_disordered_in(key));
                }
            }
        }
    }

    #[test]
    fn message_may_be_processed_before_producer_reports_it() {
        let mut ledger = Ledger::default();
        let (one, two) = (Bytes::from_static(b"1"), Bytes::from_static(b"2"));
        assert_eq!(ledger.process(&two), (1, vec![]));
        assert_eq!(ledger.process(&one), (1, vec![]));
        assert_eq!(ledger.produce(&one, None), []);
        assert_eq!(ledger.produce(&two, None), [Disorder { late: one, early: two, is_of_key: false }]);
        assert_eq!((ledger.produced(), ledger.processed(), ledger.open(), ledger.disordered()), (2, 2, 0, 1));
    }
}
