//! A region of a machine's memory: bits, and entries that expire or are evicted by last use.
use std::collections::BTreeSet;
use std::rc::Rc;

use bytes::Bytes;
use redis_model::value::Tree;
use resp::Value;
use script::program::{MEMORY_BITS, MEMORY_MOST_MAX, MEMORY_PLACES_MAX, MemoryCommand};

use super::KEY_BYTES_MAX;
use crate::traffic::MS;

/// Bits per page.
const PAGE_BITS: u32 = 4_096;
/// Size of a page in bytes.
const PAGE_BYTES: usize = PAGE_BITS as usize / 8 + 64;
/// Approximate overhead of an entry in its three trees, in bytes.
const ENTRY_BYTES: usize = 200;

type Page = [u64; (PAGE_BITS / 64) as usize];

/// A region. Clones share their contents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Region {
    /// Maximum number of entries.
    most: Option<u32>,
    entries: Tree<Bytes, Entry>,
    /// Keys by the number of their last use.
    uses: Tree<u64, Bytes>,
    /// The number of the most recent use.
    last_use: u64,
    /// Entries that expire, earliest first.
    deadlines: Tree<(u64, Bytes), ()>,
    /// Pages with at least one set bit.
    pages: Tree<u32, Rc<Page>>,
    /// Its approximate size in bytes.
    bytes: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Entry {
    value: Bytes,
    last_use: u64,
    /// When it expires, in ns since traffic began.
    until_ns: Option<u64>,
}

/// Why a command is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Full,
    KeyTooLong,
    NoNumber,
    Places,
}

impl Region {
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Its approximate size in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// When an entry expires.
    pub fn until_ns(&self, key: &Bytes) -> Option<u64> {
        self.entries.get(key)?.until_ns
    }

    /// Deletes expired entries.
    pub fn expire(&mut self, now_ns: u64) {
        while let Some(((until_ns, key), ())) = self.deadlines.first()
            && *until_ns <= now_ns
        {
            let key = key.clone();
            self.take(&key);
        }
    }

    /// Sets the maximum number of entries and evicts the least recently used beyond it.
    pub fn limit(&mut self, most: u32, changed: &mut Vec<Bytes>) {
        if self.most == Some(most) {
            return;
        }
        let most = most.clamp(1, MEMORY_MOST_MAX);
        self.most = Some(most);
        while self.entries.len() > most as usize
            && let Some((_, key)) = self.uses.pop_first()
        {
            self.take(&key);
            changed.push(key);
        }
    }

    /// Runs a command; the region may use at most `bytes_max` bytes. `changed` receives the keys of entries that were set or removed.
    pub fn answer(
        &mut self,
        now_ns: u64,
        bytes_max: usize,
        command: &MemoryCommand,
        changed: &mut Vec<Bytes>,
    ) -> Result<Value, Refusal> {
        let done = || Value::Simple(Bytes::from_static(b"OK"));
        let until_ns = |ttl_ms: &Option<u64>| ttl_ms.map(|ms| now_ns.saturating_add(ms.saturating_mul(MS)));
        match command {
            MemoryCommand::Get { key } => Ok(self.use_entry(key).map_or(Value::Null, Value::Bulk)),
            MemoryCommand::Set { key, value, ttl_ms } => {
                self.put(bytes_max, key, value.clone(), until_ns(ttl_ms), changed)?;
                Ok(done())
            }
            MemoryCommand::Add { key, value, ttl_ms } => {
                let is_absent = self.use_entry(key).is_none();
                if is_absent {
                    self.put(bytes_max, key, value.clone(), until_ns(ttl_ms), changed)?;
                }
                Ok(Value::Integer(i64::from(is_absent)))
            }
            MemoryCommand::Incr { key, n } => {
                let before = match self.entries.get(key) {
                    Some(entry) => std::str::from_utf8(&entry.value).ok().and_then(|text| text.parse::<i64>().ok()),
                    None => Some(0),
                };
                let sum = before.and_then(|before| before.checked_add(*n)).ok_or(Refusal::NoNumber)?;
                self.put(bytes_max, key, Bytes::from(sum.to_string()), self.until_ns(key), changed)?;
                Ok(Value::Integer(sum))
            }
            MemoryCommand::Delete { key } => {
                let was_there = self.take(key);
                if was_there {
                    changed.push(key.clone());
                }
                Ok(Value::Integer(i64::from(was_there)))
            }
            MemoryCommand::Wait { key, .. } if key.len() > KEY_BYTES_MAX => Err(Refusal::KeyTooLong),
            MemoryCommand::Wait { .. } => Ok(Value::Null),
            MemoryCommand::SetBits { places } => {
                self.set_bits(bytes_max, places)?;
                Ok(done())
            }
            MemoryCommand::Clear => {
                changed.extend(self.uses.values().cloned());
                *self = Region { most: self.most, last_use: self.last_use, ..Region::default() };
                Ok(done())
            }
            MemoryCommand::HasBits { places } => {
                check(places)?;
                Ok(Value::Integer(i64::from(places.iter().all(|place| self.has_bit(*place)))))
            }
        }
    }

    /// The value of an entry, marked as used.
    fn use_entry(&mut self, key: &Bytes) -> Option<Bytes> {
        let last_use = self.last_use;
        let entry = self.entries.get_mut(key)?;
        if entry.last_use != last_use {
            self.last_use = last_use.saturating_add(1);
            self.uses.remove(&entry.last_use);
            entry.last_use = self.last_use;
            self.uses.insert(self.last_use, key.clone());
        }
        Some(entry.value.clone())
    }

    /// Sets an entry; beyond the maximum, the least recently used entry is evicted.
    fn put(
        &mut self,
        bytes_max: usize,
        key: &Bytes,
        value: Bytes,
        until_ns: Option<u64>,
        changed: &mut Vec<Bytes>,
    ) -> Result<(), Refusal> {
        if key.len() > KEY_BYTES_MAX {
            return Err(Refusal::KeyTooLong);
        }
        let is_full = self.most.is_some_and(|most| self.entries.len() >= most as usize);
        let goes = match self.entries.contains(key) {
            true => Some(key.clone()),
            false if is_full => self.uses.first().map(|(_, key)| key.clone()),
            false => None,
        };
        let freed = goes.as_ref().and_then(|key| self.entries.get(key).map(|entry| weight(key, &entry.value)));
        let bytes = self.bytes.saturating_sub(freed.unwrap_or(0)).saturating_add(weight(key, &value));
        if bytes > bytes_max {
            return Err(Refusal::Full);
        }
        if let Some(goes) = goes {
            self.take(&goes);
            if goes != *key {
                changed.push(goes);
            }
        }
        self.last_use = self.last_use.saturating_add(1);
        self.uses.insert(self.last_use, key.clone());
        if let Some(until_ns) = until_ns {
            self.deadlines.insert((until_ns, key.clone()), ());
        }
        self.entries.insert(key.clone(), Entry { value, last_use: self.last_use, until_ns });
        self.bytes = bytes;
        changed.push(key.clone());
        Ok(())
    }

    /// Removes an entry; returns whether it existed.
    fn take(&mut self, key: &Bytes) -> bool {
        let Some(entry) = self.entries.remove(key) else { return false };
        self.uses.remove(&entry.last_use);
        if let Some(until_ns) = entry.until_ns {
            self.deadlines.remove(&(until_ns, key.clone()));
        }
        self.bytes = self.bytes.saturating_sub(weight(key, &entry.value));
        true
    }

    fn set_bits(&mut self, bytes_max: usize, places: &[u32]) -> Result<(), Refusal> {
        check(places)?;
        let pages = places.iter().map(|place| place / PAGE_BITS);
        let fresh: BTreeSet<u32> = pages.filter(|page| !self.pages.contains(page)).collect();
        let bytes = self.bytes.saturating_add(fresh.len().saturating_mul(PAGE_BYTES));
        if bytes > bytes_max {
            return Err(Refusal::Full);
        }
        self.bytes = bytes;
        for page in fresh {
            self.pages.insert(page, Rc::new([0; (PAGE_BITS / 64) as usize]));
        }
        for place in places {
            let (word, bit) = word_and_bit(*place);
            if let Some(page) = self.pages.get_mut(&(place / PAGE_BITS))
                && let Some(word) = Rc::make_mut(page).get_mut(word)
            {
                *word |= bit;
            }
        }
        Ok(())
    }

    /// Entries, least recently used first.
    #[cfg(test)]
    pub fn by_last_use(&self) -> Vec<(Bytes, Bytes, Option<u64>)> {
        let entry = |key: &Bytes| self.entries.get(key).map(|entry| (key.clone(), entry.value.clone(), entry.until_ns));
        self.uses.values().filter_map(entry).collect()
    }

    /// Asserts that its parts are consistent.
    #[cfg(test)]
    pub fn check(&self) {
        assert!(self.uses.len() == self.entries.len() && self.by_last_use().len() == self.entries.len());
        let expiring = self.entries.iter().filter(|(_, entry)| entry.until_ns.is_some()).count();
        assert_eq!(self.deadlines.len(), expiring);
        let entries: usize = self.entries.iter().map(|(key, entry)| weight(key, &entry.value)).sum();
        assert_eq!(self.bytes, entries + self.pages.len() * PAGE_BYTES);
    }

    fn has_bit(&self, place: u32) -> bool {
        let (word, bit) = word_and_bit(place);
        self.pages.get(&(place / PAGE_BITS)).and_then(|page| page.get(word)).is_some_and(|word| word & bit != 0)
    }
}

/// The position of a bit within its page.
fn word_and_bit(place: u32) -> (usize, u64) {
    let in_page = place % PAGE_BITS;
    ((in_page / 64) as usize, 1 << (in_page % 64))
}

fn check(places: &[u32]) -> Result<(), Refusal> {
    let fit = places.len() <= MEMORY_PLACES_MAX && places.iter().all(|place| *place < MEMORY_BITS);
    if fit { Ok(()) } else { Err(Refusal::Places) }
}

/// Approximate size of an entry in bytes.
fn weight(key: &Bytes, value: &Bytes) -> usize {
    ENTRY_BYTES.saturating_add(key.len()).saturating_add(value.len())
}
