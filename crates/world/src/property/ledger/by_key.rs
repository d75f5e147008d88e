//! The ledger by key: what became of the messages that were produced with each key, counted when somebody asks.
use bytes::Bytes;

use super::{KEY, Ledger, Note, name_of};

/// What became of the messages of one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySums {
    /// The key.
    pub key: Bytes,
    /// The place of the first of its messages in the order in which messages were produced, from 1.
    pub first: u64,
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
    fn new(key: &Bytes, disordered: u64) -> KeySums {
        KeySums { key: key.clone(), first: u64::MAX, produced: 0, processed: 0, repeated: 0, disordered }
    }

    /// How many messages were produced and not processed (yet).
    pub fn open(&self) -> u64 {
        self.produced.saturating_sub(self.processed)
    }
}

impl Ledger {
    /// The sums of each key, in the order in which the first message of each was produced; nothing where there are more than so many
    /// keys. Looks through all messages, and for each through the keys found so far.
    pub fn by_key(&self, keys_max: usize) -> Option<Vec<KeySums>> {
        // Neither sorted nor put into a map: in the page each type that is weighs some kilobytes, and keys are few.
        let mut found: Vec<KeySums> = Vec::new();
        for (_, message) in self.messages() {
            let (Some(key), Some(produced)) = (&message.key, message.produced) else { continue };
            if !found.iter().any(|sums| sums.key == *key) {
                if found.len() >= keys_max {
                    return None;
                }
                found.push(KeySums::new(key, self.disordered_in(key)));
            }
            let Some(sums) = found.iter_mut().find(|sums| sums.key == *key) else { continue };
            sums.first = sums.first.min(produced);
            sums.produced = sums.produced.saturating_add(1);
            sums.processed = sums.processed.saturating_add(u64::from(message.times > 0));
            sums.repeated = sums.repeated.saturating_add(u64::from(message.times > 1));
        }
        let mut ordered: Vec<KeySums> = Vec::new();
        for sums in found {
            ordered.insert(ordered.partition_point(|other| other.first < sums.first), sums);
        }
        Some(ordered)
    }

    fn disordered_in(&self, key: &Bytes) -> u64 {
        match self.notes.get(&name_of(KEY, key)) {
            Some(Note::OrderOfKey { disordered, .. }) => *disordered,
            _ => 0,
        }
    }
}
