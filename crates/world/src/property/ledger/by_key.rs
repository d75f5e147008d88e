//! The ledger by key: what became of the messages that were produced with each key, counted when somebody asks.
use bytes::Bytes;

use super::{KEY, Ledger, Message, Note, name_of};

/// What became of the messages of one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySums {
    /// The key.
    pub key: Bytes,
    /// Messages that were produced with it.
    pub produced: u64,
    /// Of these, those that were processed, once or more often.
    pub processed: u64,
    /// Of these, those that were processed more than once.
    pub repeated: u64,
    /// Messages that were seen to be out of order among those of the key.
    pub disordered: u64,
}

impl KeySums {
    /// How many messages were produced and not processed (yet).
    pub fn open(&self) -> u64 {
        self.produced.saturating_sub(self.processed)
    }
}

impl Ledger {
    /// The sums of each key, in the order in which the first message of each was produced. Looks through all messages.
    pub fn by_key(&self) -> Vec<KeySums> {
        let keyed =
            self.messages().filter_map(|(_, message)| Some((message.key.as_ref()?, message.produced?, message)));
        let mut keyed: Vec<(&Bytes, u64, &Message)> = keyed.collect();
        keyed.sort_unstable_by_key(|(key, produced, _)| (*key, *produced));
        let of_key = |all: &[(&Bytes, u64, &Message)]| {
            let (key, first, _) = all.first()?;
            let times = |at_least: u64| all.iter().filter(|(_, _, message)| message.times >= at_least).count() as u64;
            let disordered = match self.notes.get(&name_of(KEY, key)) {
                Some(Note::OrderOfKey { disordered, .. }) => *disordered,
                _ => 0,
            };
            let (produced, processed, repeated) = (all.len() as u64, times(1), times(2));
            Some((*first, KeySums { key: (*key).clone(), produced, processed, repeated, disordered }))
        };
        let mut sums: Vec<(u64, KeySums)> =
            keyed.chunk_by(|(one, ..), (other, ..)| one == other).filter_map(of_key).collect();
        sums.sort_unstable_by_key(|(first, _)| *first);
        sums.into_iter().map(|(_, sums)| sums).collect()
    }
}
