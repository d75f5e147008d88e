//! The ledger by key: totals of the messages with each key, computed on demand.
use bytes::Bytes;

use super::{KEY, Ledger, Note, name_of};

/// Totals of the messages of one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySums {
    /// The key.
    pub key: Bytes,
    /// Position of its first message in the order of production, from 1.
    pub first: u64,
    /// Messages produced with the key.
    pub produced: u64,
    /// Of these, the ones processed at least once.
    pub processed: u64,
    /// Of these, the ones processed more than once.
    pub repeated: u64,
    /// Messages that were out of order among those with the key.
    pub disordered: u64,
}

impl KeySums {
    fn new(key: &Bytes, disordered: u64) -> KeySums {
        KeySums { key: key.clone(), first: u64::MAX, produced: 0, processed: 0, repeated: 0, disordered }
    }

    /// How many messages were produced but not processed (yet).
    pub fn open(&self) -> u64 {
        self.produced.saturating_sub(self.processed)
    }
}

impl Ledger {
    /// The totals of each key, in the order of each key's first message; `None` if there are more than `keys_max` keys. Scans all messages,
    /// and for each the keys found so far.
    pub fn by_key(&self, keys_max: usize) -> Option<Vec<KeySums>> {
        // Neither sorted nor in a map: each sort or map type adds some kilobytes to the page, and keys are few.
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
