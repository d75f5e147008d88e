//! `Db`: one database: keys with values and deadlines, the clients that watch or wait for them, and the memory they take.
//!
//! [`Db::set`] and [`Db::touch_mut`] change a key, [`Db::remove`] deletes it. A caller that changes a key
//! reports it through `Ctx::modified`, which handles `WATCH`, memory accounting and the panels.
use std::{
    collections::BTreeMap,
    hash::{Hash, Hasher},
};

use bytes::Bytes;

use crate::{
    access::Access,
    client::ClientId,
    eviction::bucket_bytes,
    value::{
        Value, memory,
        table::Table,
        tree::{Path, Tree},
    },
};

/// The value of a key with its deadline and last access.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The value in its encoding.
    pub value: Value,
    /// When its TTL expires, in ms of the server's clock.
    pub expires_ms: Option<u64>,
    /// When, or how often, it was read or written.
    pub access: Access,
    /// Bytes that the entry adds to `used_memory`, as last counted.
    cost: usize,
}

/// Bytes of the entry in the table of deadlines, as the allocator hands them out.
const DEADLINE_OVERHEAD: usize = 32;
/// Bytes that the allocator hands out for an entry of the key table, beyond the 24 bytes that `MEMORY USAGE` counts.
const ENTRY_SLACK: usize = 8;

/// A numbered database of the server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Db {
    entries: Table<Entry>,
    /// (deadline, key) of every key with a TTL, soonest first.
    deadlines: Tree<(u64, Bytes), ()>,
    /// Clients that watch a key, in the order in which they came.
    pub(crate) watchers: BTreeMap<Bytes, Vec<ClientId>>,
    /// Clients blocked on a key, in the order in which they came.
    pub(crate) waiting: BTreeMap<Bytes, Vec<ClientId>>,
    memory: usize,
    latest: Latest,
}

/// Cached path to the key that was last accessed or changed: a command looks up its key three or four times. It is not part of the
/// state, and it is verified before every use.
#[derive(Clone, Copy, Debug, Default)]
struct Latest(Path);

impl PartialEq for Latest {
    fn eq(&self, _: &Latest) -> bool {
        true
    }
}

impl Eq for Latest {}

impl Hash for Latest {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Db {
    /// An empty database.
    pub const fn new() -> Db {
        Db {
            entries: Table::new(),
            deadlines: Tree::new(),
            watchers: BTreeMap::new(),
            waiting: BTreeMap::new(),
            memory: 0,
            latest: Latest(Path::new()),
        }
    }

    /// The same keys without waiting or watching clients.
    pub(crate) fn without_clients(&self) -> Db {
        Db { watchers: BTreeMap::new(), waiting: BTreeMap::new(), ..self.clone() }
    }

    /// The path to a key; the cached one if it fits.
    fn path(&self, key: &[u8]) -> Option<Path> {
        let Latest(latest) = self.latest;
        let is_there = self.entries.at(&latest).is_some_and(|(known, _)| *known == *key);
        if is_there { Some(latest) } else { self.entries.locate(key) }
    }

    /// Like [`Db::path`], and caches the path for the next lookup.
    fn note_path(&mut self, key: &[u8]) -> Option<Path> {
        let path = self.path(key)?;
        self.latest = Latest(path);
        Some(path)
    }

    fn entry_mut(&mut self, key: &[u8]) -> Option<&mut Entry> {
        let path = self.note_path(key)?;
        self.entries.at_mut(&path)
    }

    /// Number of keys, including expired keys that were not deleted yet.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Are there no keys?
    pub fn is_empty(&self) -> bool {
        self.entries.len() == 0
    }

    /// Number of keys with a TTL.
    pub fn expires_len(&self) -> usize {
        self.deadlines.len()
    }

    /// Bytes that its keys take.
    pub fn memory(&self) -> usize {
        self.memory
    }

    /// The table of keys, for `SCAN`, `RANDOMKEY` and the visualisation.
    pub fn entries(&self) -> &Table<Entry> {
        &self.entries
    }

    /// The entry of a key, even if its TTL has expired.
    pub fn entry(&self, key: &[u8]) -> Option<&Entry> {
        self.entries.at(&self.path(key)?).map(|(_, entry)| entry)
    }

    /// The value of a key, even if its TTL has expired.
    pub fn value(&self, key: &[u8]) -> Option<&Value> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// When the key's TTL expires, in ms of the server's clock.
    pub fn expires_ms(&self, key: &[u8]) -> Option<u64> {
        self.entry(key)?.expires_ms
    }

    /// Clients that wait for the key, in the order in which they are served.
    pub fn waiting(&self, key: &[u8]) -> &[ClientId] {
        self.waiting.get(key).map_or(&[], Vec::as_slice)
    }

    /// Has the key's TTL expired? As in Redis, strictly after the deadline.
    pub fn is_expired(&self, key: &[u8], now_ms: u64) -> bool {
        // Most databases have no key with a TTL, and every command asks.
        !self.deadlines.is_empty() && self.expires_ms(key).is_some_and(|deadline_ms| now_ms > deadline_ms)
    }

    /// Stores a value under a key. An existing TTL stays, and so does the access record if it counts uses. True if
    /// the key is new.
    pub(crate) fn set(&mut self, key: &Bytes, value: Value, access: Access, counts_uses: bool) -> bool {
        // The memory is counted here because the entry is at hand: that saves `recount` a second lookup.
        if let Some(entry) = self.entry_mut(key) {
            entry.value = value;
            if !counts_uses {
                entry.access = access;
            }
            let cost = cost_of(key, entry);
            let before = std::mem::replace(&mut entry.cost, cost);
            self.memory = self.memory.saturating_sub(before).saturating_add(cost);
            return false;
        }
        let mut entry = Entry { value, expires_ms: None, access, cost: 0 };
        entry.cost = cost_of(key, &entry);
        self.memory = self.memory.saturating_add(entry.cost);
        self.entries.insert(key.clone(), entry);
        true
    }

    /// Removes a key with its entry and deadline.
    pub(crate) fn remove(&mut self, key: &[u8]) -> Option<Entry> {
        let entry = self.entries.remove(key)?;
        if let Some(deadline_ms) = entry.expires_ms {
            self.deadlines.remove(&(deadline_ms, Bytes::copy_from_slice(key)));
        }
        self.memory = self.memory.saturating_sub(entry.cost);
        Some(entry)
    }

    /// Sets the deadline of an existing key, or removes it. False if the key is missing.
    pub(crate) fn set_expires(&mut self, key: &Bytes, expires_ms: Option<u64>) -> bool {
        // Checked before it is borrowed mutably, which copies state that a clone of the server shares.
        match self.entry(key) {
            None => return false,
            Some(entry) if entry.expires_ms == expires_ms => return true,
            Some(_) => {}
        }
        let Some(entry) = self.entry_mut(key) else { return false };
        let before = std::mem::replace(&mut entry.expires_ms, expires_ms);
        let cost = cost_of(key, entry);
        let cost_before = std::mem::replace(&mut entry.cost, cost);
        self.memory = self.memory.saturating_sub(cost_before).saturating_add(cost);
        if let Some(deadline_ms) = before {
            self.deadlines.remove(&(deadline_ms, key.clone()));
        }
        if let Some(deadline_ms) = expires_ms {
            self.deadlines.insert((deadline_ms, key.clone()), ());
        }
        true
    }

    /// Records an access; true if the key exists. The record changes at most once a second.
    pub(crate) fn touch(&mut self, key: &[u8], now_ms: u64) -> bool {
        self.set_access(key, Access::at(now_ms))
    }

    /// Sets a key's access record; true if the key exists.
    pub(crate) fn set_access(&mut self, key: &[u8], access: Access) -> bool {
        // Checked before it is borrowed mutably, which copies state that a clone of the server shares.
        let Some(path) = self.note_path(key) else { return false };
        if self.entries.at(&path).is_some_and(|(_, entry)| entry.access != access)
            && let Some(entry) = self.entries.at_mut(&path)
        {
            entry.access = access;
        }
        true
    }

    /// The value of a key, mutable.
    pub(crate) fn value_mut(&mut self, key: &[u8]) -> Option<&mut Value> {
        self.entry_mut(key).map(|entry| &mut entry.value)
    }

    /// The value of a key, mutable; the access is recorded.
    pub(crate) fn touch_mut(&mut self, key: &[u8], now_ms: u64) -> Option<&mut Value> {
        let entry = self.entry_mut(key)?;
        entry.access = Access::at(now_ms);
        Some(&mut entry.value)
    }

    /// Bytes of the bucket arrays of its two tables, keys and deadlines.
    pub(crate) fn table_memory(&self) -> usize {
        let (main, deadlines) = bucket_bytes(self);
        main.saturating_add(deadlines)
    }

    /// Counts a key's memory again after a change.
    pub(crate) fn recount(&mut self, key: &[u8]) {
        let Some(entry) = self.entry_mut(key) else { return };
        let cost = cost_of(key, entry);
        let before = std::mem::replace(&mut entry.cost, cost);
        self.memory = self.memory.saturating_sub(before).saturating_add(cost);
    }

    /// The earliest deadline of any key.
    pub fn next_deadline_ms(&self) -> Option<u64> {
        self.deadlines.first().map(|((deadline_ms, _), ())| *deadline_ms)
    }

    /// The first moment after `now_ms` at which another key expires: the millisecond after its deadline. O(k) for k expired keys
    /// that were not deleted yet.
    pub fn next_expiry_ms(&self, now_ms: u64) -> Option<u64> {
        let mut deadlines = (0..self.deadlines.len()).filter_map(|i| self.nth_deadline(i)).map(|(at_ms, _)| at_ms);
        deadlines.find(|at_ms| *at_ms >= now_ms).map(|at_ms| at_ms.saturating_add(1))
    }

    /// The `i`th key with a TTL, soonest first, and its deadline.
    pub(crate) fn nth_deadline(&self, i: usize) -> Option<(u64, &Bytes)> {
        self.deadlines.nth(i).map(|((deadline_ms, key), ())| (*deadline_ms, key))
    }

    /// Mean of the remaining TTLs in ms, as `INFO keyspace` estimates it; computed from an even sample of the keys.
    pub(crate) fn avg_ttl_ms(&self, now_ms: u64) -> u64 {
        const SAMPLES: usize = 64;
        let step = self.deadlines.len().div_ceil(SAMPLES).max(1);
        let deadlines = (0..self.deadlines.len()).step_by(step).filter_map(|i| self.nth_deadline(i));
        let ttls: Vec<u64> = deadlines.filter_map(|(ms, _)| ms.checked_sub(now_ms)).filter(|ms| *ms > 0).collect();
        let sum = ttls.iter().fold(0u128, |sum, ms| sum.saturating_add(u128::from(*ms)));
        u64::try_from(sum.checked_div(ttls.len() as u128).unwrap_or(0)).unwrap_or(u64::MAX)
    }

    /// Removes every key; watching and waiting clients stay registered.
    pub(crate) fn clear(&mut self) {
        self.entries = Table::default();
        self.deadlines = Tree::default();
        self.memory = 0;
    }

    /// Swaps the keys of two databases; watching and waiting clients stay with the database number.
    pub(crate) fn swap_keys(&mut self, other: &mut Db) {
        std::mem::swap(&mut self.entries, &mut other.entries);
        std::mem::swap(&mut self.deadlines, &mut other.deadlines);
        std::mem::swap(&mut self.memory, &mut other.memory);
    }

    /// Verifies the deadlines and memory counts against the keys, by recounting.
    ///
    /// # Errors
    /// A description of the first mismatch.
    pub(crate) fn check(&self) -> Result<(), String> {
        let (mut memory, mut with_ttl) = (0usize, 0usize);
        for (key, entry) in self.entries.iter() {
            entry.value.check().map_err(|wrong| format!("{key:?}: {wrong}"))?;
            if entry.value.is_vacant() {
                return Err(format!("{key:?} has no elements left"));
            }
            let cost = cost_of(key, entry);
            if cost != entry.cost {
                return Err(format!("{key:?} is known to take {} bytes and takes {cost}", entry.cost));
            }
            memory = memory.saturating_add(cost);
            if let Some(deadline_ms) = entry.expires_ms {
                with_ttl = with_ttl.saturating_add(1);
                if !self.deadlines.contains(&(deadline_ms, key.clone())) {
                    return Err(format!("{key:?} is not among the deadlines"));
                }
            }
        }
        if memory != self.memory {
            return Err(format!("the keys are known to take {} bytes and take {memory}", self.memory));
        }
        if with_ttl != self.deadlines.len() {
            return Err(format!("{} deadlines of {with_ttl} keys", self.deadlines.len()));
        }
        Ok(())
    }

    /// Bytes that a key takes with name, value and overhead: the reply of `MEMORY USAGE`.
    pub fn key_memory(&self, key: &[u8]) -> Option<usize> {
        self.entry(key).map(|entry| memory::key(key).saturating_add(entry.value.memory()))
    }
}

fn cost_of(key: &[u8], entry: &Entry) -> usize {
    let deadline = if entry.expires_ms.is_some() { DEADLINE_OVERHEAD } else { 0 };
    memory::key(key).saturating_add(ENTRY_SLACK).saturating_add(entry.value.memory()).saturating_add(deadline)
}
