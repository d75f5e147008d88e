//! One database: keys, their values and deadlines, who watches them, what memory they take.
//!
//! A key's life: [`Db::set`] and [`Db::touch_mut`] change it, [`Db::remove`] ends it. A caller that changes
//! a key says so through `Ctx::modified`, from which `WATCH`, memory accounting and the panels follow.
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

/// What stands behind a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The value in its encoding.
    pub value: Value,
    /// When its TTL runs out, in ms of the server's clock.
    pub expires_ms: Option<u64>,
    /// When it was last read or written, or how often.
    pub access: Access,
    /// Bytes it counts for in `used_memory`, as of the last time it was counted.
    cost: usize,
}

/// Bytes of the entry in the table of deadlines, as the allocator hands them out.
const DEADLINE_OVERHEAD: usize = 32;
/// What the allocator hands out for an entry in the table of keys beyond the 24 bytes that `MEMORY USAGE` counts.
const ENTRY_SLACK: usize = 8;

/// A numbered database of the server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Db {
    entries: Table<Entry>,
    /// (deadline, key) of every key with a TTL, soonest first.
    deadlines: Tree<(u64, Bytes), ()>,
    /// Who is to be told of a change of which key, in the order in which they came.
    pub(crate) watchers: BTreeMap<Bytes, Vec<ClientId>>,
    /// Who is blocked on which key, in the order in which they came.
    pub(crate) waiting: BTreeMap<Bytes, Vec<ClientId>>,
    memory: usize,
    latest: Latest,
}

/// The way to the key that was last looked up to be noted or changed: a command comes to its key three or four times. It is part of
/// no state, and always tried before it is believed.
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
    /// An empty one.
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

    /// The way to a key.
    fn path(&self, key: &[u8]) -> Option<Path> {
        let Latest(latest) = self.latest;
        let is_there = self.entries.at(&latest).is_some_and(|(known, _)| *known == *key);
        if is_there { Some(latest) } else { self.entries.locate(key) }
    }

    /// The same, to be found at once the next time.
    fn note_path(&mut self, key: &[u8]) -> Option<Path> {
        let path = self.path(key)?;
        self.latest = Latest(path);
        Some(path)
    }

    fn entry_mut(&mut self, key: &[u8]) -> Option<&mut Entry> {
        let path = self.note_path(key)?;
        self.entries.at_mut(&path)
    }

    /// Number of keys, those included whose TTL has run out but that no one has looked at yet.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// No keys?
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

    /// The table of keys, for `SCAN`, `RANDOMKEY` and the pictures.
    pub fn entries(&self) -> &Table<Entry> {
        &self.entries
    }

    /// The entry of a key, whether or not its TTL has run out.
    pub fn entry(&self, key: &[u8]) -> Option<&Entry> {
        self.entries.at(&self.path(key)?).map(|(_, entry)| entry)
    }

    /// The value of a key, whether or not its TTL has run out.
    pub fn value(&self, key: &[u8]) -> Option<&Value> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// When the key's TTL runs out, in ms of the server's clock.
    pub fn expires_ms(&self, key: &[u8]) -> Option<u64> {
        self.entry(key)?.expires_ms
    }

    /// Clients that wait for the key, in the order in which they are served.
    pub fn waiting(&self, key: &[u8]) -> &[ClientId] {
        self.waiting.get(key).map_or(&[], Vec::as_slice)
    }

    /// Has the key's TTL run out? Redis: strictly after the deadline.
    pub fn is_expired(&self, key: &[u8], now_ms: u64) -> bool {
        // Most databases have no key with a TTL, and every command asks.
        !self.deadlines.is_empty() && self.expires_ms(key).is_some_and(|deadline_ms| now_ms > deadline_ms)
    }

    /// Puts a value behind a key; a TTL that stood there stays, and so does a note of access that counts uses. True when
    /// the key is new.
    pub(crate) fn set(&mut self, key: &Bytes, value: Value, access: Access, counts_uses: bool) -> bool {
        // The memory is counted here, where the entry is at hand; that spares `recount` a second walk to it.
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

    /// Takes a key out with everything known of it.
    pub(crate) fn remove(&mut self, key: &[u8]) -> Option<Entry> {
        let entry = self.entries.remove(key)?;
        if let Some(deadline_ms) = entry.expires_ms {
            self.deadlines.remove(&(deadline_ms, Bytes::copy_from_slice(key)));
        }
        self.memory = self.memory.saturating_sub(entry.cost);
        Some(entry)
    }

    /// Gives an existing key a deadline, or takes it away. False when there is no such key.
    pub(crate) fn set_expires(&mut self, key: &Bytes, expires_ms: Option<u64>) -> bool {
        // Looked at before it is taken for writing, which copies what a clone of the server shares.
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

    /// Notes that a key was looked at; true when it is there. Only once a second does this change anything.
    pub(crate) fn touch(&mut self, key: &[u8], now_ms: u64) -> bool {
        self.set_access(key, Access::at(now_ms))
    }

    /// Sets what is noted of a key's accesses; true when it is there.
    pub(crate) fn set_access(&mut self, key: &[u8], access: Access) -> bool {
        // Looked at before it is taken for writing, which copies what a clone of the server shares.
        let Some(path) = self.note_path(key) else { return false };
        if self.entries.at(&path).is_some_and(|(_, entry)| entry.access != access)
            && let Some(entry) = self.entries.at_mut(&path)
        {
            entry.access = access;
        }
        true
    }

    /// The value of a key, to be changed in place.
    pub(crate) fn value_mut(&mut self, key: &[u8]) -> Option<&mut Value> {
        self.entry_mut(key).map(|entry| &mut entry.value)
    }

    /// The value of a key, to be changed in place; the access is noted.
    pub(crate) fn touch_mut(&mut self, key: &[u8], now_ms: u64) -> Option<&mut Value> {
        let entry = self.entry_mut(key)?;
        entry.access = Access::at(now_ms);
        Some(&mut entry.value)
    }

    /// Bytes of the buckets of its two tables: keys, and deadlines.
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

    /// The soonest deadline of a key.
    pub fn next_deadline_ms(&self) -> Option<u64> {
        self.deadlines.first().map(|((deadline_ms, _), ())| *deadline_ms)
    }

    /// The first moment after this one at which another key is gone: the millisecond after its deadline. O(k) for k keys whose time
    /// has come and that are still there.
    pub fn next_expiry_ms(&self, now_ms: u64) -> Option<u64> {
        let mut deadlines = (0..self.deadlines.len()).filter_map(|i| self.nth_deadline(i)).map(|(at_ms, _)| at_ms);
        deadlines.find(|at_ms| *at_ms >= now_ms).map(|at_ms| at_ms.saturating_add(1))
    }

    /// The `i`th key with a TTL, soonest first, and its deadline.
    pub(crate) fn nth_deadline(&self, i: usize) -> Option<(u64, &Bytes)> {
        self.deadlines.nth(i).map(|((deadline_ms, key), ())| (*deadline_ms, key))
    }

    /// Mean of the TTLs that have not run out, in ms: Redis' estimate in `INFO keyspace`, here of some keys evenly spread.
    pub(crate) fn avg_ttl_ms(&self, now_ms: u64) -> u64 {
        const SAMPLES: usize = 64;
        let step = self.deadlines.len().div_ceil(SAMPLES).max(1);
        let deadlines = (0..self.deadlines.len()).step_by(step).filter_map(|i| self.nth_deadline(i));
        let ttls: Vec<u64> = deadlines.filter_map(|(ms, _)| ms.checked_sub(now_ms)).filter(|ms| *ms > 0).collect();
        let sum = ttls.iter().fold(0u128, |sum, ms| sum.saturating_add(u128::from(*ms)));
        u64::try_from(sum.checked_div(ttls.len() as u128).unwrap_or(0)).unwrap_or(u64::MAX)
    }

    /// Drops every key; who watches and who waits stays.
    pub(crate) fn clear(&mut self) {
        self.entries = Table::default();
        self.deadlines = Tree::default();
        self.memory = 0;
    }

    /// Exchanges the keys of two databases; watchers and waiting clients stay with the number.
    pub(crate) fn swap_keys(&mut self, other: &mut Db) {
        std::mem::swap(&mut self.entries, &mut other.entries);
        std::mem::swap(&mut self.deadlines, &mut other.deadlines);
        std::mem::swap(&mut self.memory, &mut other.memory);
    }

    /// Proves what is kept beside the keys, by counting again.
    ///
    /// # Errors
    /// What is wrong.
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

    /// Bytes that a key takes with name, value and bookkeeping: what `MEMORY USAGE` answers.
    pub fn key_memory(&self, key: &[u8]) -> Option<usize> {
        self.entry(key).map(|entry| memory::key(key).saturating_add(entry.value.memory()))
    }
}

fn cost_of(key: &[u8], entry: &Entry) -> usize {
    let deadline = if entry.expires_ms.is_some() { DEADLINE_OVERHEAD } else { 0 };
    memory::key(key).saturating_add(ENTRY_SLACK).saturating_add(entry.value.memory()).saturating_add(deadline)
}
