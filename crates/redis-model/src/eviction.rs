//! Eviction: what goes when the keys take more than `maxmemory`, chosen as Redis chooses.
//!
//! ```text
//!  before a command        used > maxmemory?
//!      lru lfu ttl         some keys of each database at random ──► a pool of the 16 best candidates so far ──► the best of them
//!      random              one key at random, of each database in turn
//!      noeviction          none: commands that need memory are refused
//! ```
//! Redis has no list of all keys by age: it looks at `maxmemory-samples` keys at a time and remembers the best of those that it did not
//! take. The pool outlives the command; a candidate that meanwhile went is passed over.
//!
//! Redis stops after some milliseconds and goes on between commands (`maxmemory-eviction-tenacity`). Here eviction takes no time.
use bytes::Bytes;

use crate::{
    Error, Notify, Server,
    access::{Access, Counting},
    db::Db,
    lazyfree::Freeing,
    server::Cause,
};

/// Candidates remembered (`EVPOOL_SIZE`).
const POOL_MAX: usize = 16;
/// What a Redis that has just started takes itself, measured on 7.0.15 on a 64-bit Linux. `maxmemory` counts it too.
pub(crate) const STARTUP_BYTES: usize = 876_216;

/// What a reply may copy however low `maxmemory` is.
const REPLY_BYTES: u64 = 1 << 20;

/// `maxmemory-policy`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Of the keys with a TTL the one that was not used for longest.
    VolatileLru,
    /// Of the keys with a TTL the one that is used least often.
    VolatileLfu,
    /// Any key with a TTL.
    VolatileRandom,
    /// The key whose TTL ends soonest.
    VolatileTtl,
    /// The key that was not used for longest.
    AllkeysLru,
    /// The key that is used least often.
    AllkeysLfu,
    /// Any key.
    AllkeysRandom,
    /// None.
    #[default]
    Noeviction,
}

impl Policy {
    const ALL: [Policy; 8] = [
        Policy::VolatileLru,
        Policy::VolatileLfu,
        Policy::VolatileRandom,
        Policy::VolatileTtl,
        Policy::AllkeysLru,
        Policy::AllkeysLfu,
        Policy::AllkeysRandom,
        Policy::Noeviction,
    ];

    /// As `CONFIG GET` prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Policy::VolatileLru => "volatile-lru",
            Policy::VolatileLfu => "volatile-lfu",
            Policy::VolatileRandom => "volatile-random",
            Policy::VolatileTtl => "volatile-ttl",
            Policy::AllkeysLru => "allkeys-lru",
            Policy::AllkeysLfu => "allkeys-lfu",
            Policy::AllkeysRandom => "allkeys-random",
            Policy::Noeviction => "noeviction",
        }
    }

    /// The policy of a name as `CONFIG SET` has checked it.
    pub(crate) fn named(name: &[u8]) -> Option<Policy> {
        Policy::ALL.into_iter().find(|policy| policy.name().as_bytes() == name)
    }

    /// Does it count uses?
    pub const fn is_lfu(self) -> bool {
        matches!(self, Policy::VolatileLfu | Policy::AllkeysLfu)
    }

    /// Does it look at when keys were used?
    pub const fn is_lru(self) -> bool {
        matches!(self, Policy::VolatileLru | Policy::AllkeysLru)
    }

    const fn is_random(self) -> bool {
        matches!(self, Policy::VolatileRandom | Policy::AllkeysRandom)
    }

    /// May keys without a TTL go?
    const fn takes_all(self) -> bool {
        matches!(self, Policy::AllkeysLru | Policy::AllkeysLfu | Policy::AllkeysRandom)
    }
}

/// How a command uses a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Use {
    /// It reads it.
    Read,
    /// It looks it up to change it, or has made it.
    Change,
}

/// What eviction remembers from one time to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Eviction {
    /// The best last.
    pool: Vec<Candidate>,
    /// The database whose turn it was last, when keys go at random.
    last_db: usize,
    /// The limit was lowered: keys go once the command that did it has ended.
    pub(crate) is_due: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Candidate {
    /// The more, the better: seconds idle, rareness, or nearness of the end.
    idle: u64,
    db: usize,
    key: Bytes,
}

impl Eviction {
    /// Remembers a candidate, if it is better than the worst, or there is room.
    fn consider(&mut self, candidate: Candidate) {
        let place = self.pool.iter().position(|known| known.idle >= candidate.idle).unwrap_or(self.pool.len());
        if self.pool.len() < POOL_MAX {
            self.pool.insert(place, candidate);
        } else if let Some(place) = place.checked_sub(1) {
            self.pool.remove(0);
            self.pool.insert(place, candidate);
        }
    }
}

impl Server {
    /// Bytes that count for `maxmemory`: those of a server that has just started, of keys, their tables, and transactions.
    pub fn allocated_memory(&self) -> usize {
        let tables = self.used_databases().iter().fold(STARTUP_BYTES, |sum, db| sum.saturating_add(db.table_memory()));
        tables.saturating_add(self.used_memory())
    }

    /// Is there more than `maxmemory` allows?
    pub(crate) fn is_out_of_memory(&self) -> bool {
        self.config.maxmemory > 0 && self.allocated_memory() as u64 > self.config.maxmemory
    }

    /// How uses are counted.
    pub(crate) fn counting(&self) -> Counting {
        Counting { log_factor: self.config.lfu_log_factor, decay_minutes: self.config.lfu_decay_time }
    }

    /// Lets keys go until the rest fits; false when it does not. While clients are paused the keys stay as they are.
    pub(crate) fn make_room(&mut self) -> bool {
        if self.pause.is_some() {
            return true;
        }
        while self.is_out_of_memory() {
            let Some((db, key)) = self.victim() else { return false };
            self.evict(db, &key);
        }
        true
    }

    fn evict(&mut self, db: usize, key: &Bytes) {
        self.free(db, key, Freeing::Eviction);
        self.stats.evicted_keys = self.stats.evicted_keys.saturating_add(1);
        self.note_change(db, key, Cause::Eviction);
        self.touch_watched(db, key);
        self.notify(Notify::EVICTED, "evicted", db, key);
    }

    /// The next key to go.
    fn victim(&mut self) -> Option<(usize, Bytes)> {
        let policy = self.config.maxmemory_policy;
        if policy == Policy::Noeviction {
            return None;
        }
        if policy.is_random() { self.random_victim() } else { self.best_victim() }
    }

    fn random_victim(&mut self) -> Option<(usize, Bytes)> {
        let takes_all = self.config.maxmemory_policy.takes_all();
        for _ in 0..self.databases.len() {
            self.eviction.last_db = self.eviction.last_db.saturating_add(1) % self.databases.len().max(1);
            let index = self.eviction.last_db;
            let Some(db) = self.databases.get(index) else { continue };
            let count = if takes_all { db.len() } else { db.expires_len() };
            if count == 0 {
                continue;
            }
            let nth = self.rng.index(count);
            let key = if takes_all {
                db.entries().nth(nth).map(|(key, _)| key.clone())
            } else {
                db.nth_deadline(nth).map(|(_, key)| key.clone())
            };
            return key.map(|key| (index, key));
        }
        None
    }

    fn best_victim(&mut self) -> Option<(usize, Bytes)> {
        let takes_all = self.config.maxmemory_policy.takes_all();
        loop {
            let mut is_any = false;
            for db in 0..self.databases.len() {
                is_any |= self.look_for_candidates(db);
            }
            if !is_any {
                return None;
            }
            while let Some(Candidate { db, key, .. }) = self.eviction.pool.pop() {
                let is_there =
                    self.db_or_empty(db).entry(&key).is_some_and(|entry| takes_all || entry.expires_ms.is_some());
                if is_there {
                    return Some((db, key));
                }
            }
        }
    }

    /// Samples one database into the pool; false when it has no key that might go.
    fn look_for_candidates(&mut self, index: usize) -> bool {
        let policy = self.config.maxmemory_policy;
        let Some(db) = self.databases.get(index) else { return false };
        let count = self.config.maxmemory_samples;
        let keys: Vec<Bytes> = if policy.takes_all() {
            let table = db.entries();
            table.sample(count, |bound| self.rng.below(bound)).into_iter().map(|(key, _)| key.clone()).collect()
        } else {
            // Redis samples its table of deadlines by buckets. The model keeps deadlines in order, and picks evenly.
            let picks = self.rng.distinct_indices(db.expires_len(), count);
            picks.into_iter().filter_map(|nth| db.nth_deadline(nth)).map(|(_, key)| key.clone()).collect()
        };
        let (now_ms, counting) = (self.now_ms, self.counting());
        let is_any = !keys.is_empty();
        for key in keys {
            let Some(entry) = db.entry(&key) else { continue };
            let idle = if policy.is_lru() {
                entry.access.idle_s(now_ms).into()
            } else if policy.is_lfu() {
                u64::from(u8::MAX.saturating_sub(entry.access.frequency(now_ms, counting)))
            } else {
                u64::MAX.saturating_sub(entry.expires_ms.unwrap_or(0))
            };
            self.eviction.consider(Candidate { idle, db: index, key });
        }
        is_any
    }

    /// Refuses what would allocate this many bytes at once, before it does. Redis lets the command that passes the limit through; a
    /// single jump past all of it would take the page down.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] past all of `maxmemory`.
    pub(crate) fn reserve_memory(&self, bytes: u64) -> Result<(), Error> {
        let limit = self.config.maxmemory;
        let room = limit.saturating_sub(STARTUP_BYTES as u64);
        if limit > 0 && bytes > room { Err(Error::OutOfMemory) } else { Ok(()) }
    }

    /// Refuses a reply that would copy this many bytes out of values. Reading needs no room in Redis, so a little is always there.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] past `maxmemory` and [`REPLY_BYTES`].
    pub(crate) fn reserve_reply(&self, bytes: u64) -> Result<(), Error> {
        let limit = self.config.maxmemory;
        if limit > 0 && bytes > limit.max(REPLY_BYTES) { Err(Error::OutOfMemory) } else { Ok(()) }
    }

    /// Notes that a key is used; true when it is there.
    pub(crate) fn touch(&mut self, db: usize, key: &Bytes) -> bool {
        if !self.config.maxmemory_policy.is_lfu() {
            let noted = self.noted_use(db, key);
            return noted.unwrap_or_else(|| self.databases.get_mut(db).is_some_and(|db| db.touch(key, self.now_ms)));
        }
        let Some(access) = self.db_or_empty(db).entry(key).map(|entry| entry.access) else { return false };
        let access = access.used(self.now_ms, self.counting(), &mut self.rng);
        self.set_access(db, key, access);
        true
    }

    /// Is the key there? `None` where its use is still to be noted. To note what is noted already would change nothing, but copy a
    /// database that a clone of the server shares.
    pub(crate) fn noted_use(&self, db: usize, key: &[u8]) -> Option<bool> {
        let entry = self.databases.get(db).filter(|db| db.is_shared())?.entry(key);
        let is_noted = entry.is_none_or(|entry| entry.access == Access::at(self.now_ms));
        is_noted.then_some(entry.is_some())
    }

    /// Notes that a key is read; true when it is there.
    pub(crate) fn touch_to_read(&mut self, db: usize, key: &Bytes) -> bool {
        self.note_used(db, key, Use::Read);
        self.touch(db, key)
    }

    /// Notes that a key is looked up to be changed in place: that a command does once, however often the model looks, and not at all
    /// behind reading it. True when the key is there.
    pub(crate) fn touch_to_change(&mut self, db: usize, key: &Bytes) -> bool {
        if self.note_used(db, key, Use::Change) {
            self.touch(db, key)
        } else {
            self.db_or_empty(db).entries().contains(key)
        }
    }

    /// Notes that a key gets another value: another look-up behind reading the old one.
    pub(crate) fn touch_to_replace(&mut self, db: usize, key: &Bytes) {
        let is_looked_up =
            self.used_keys.iter().any(|(known, use_)| (known.0, &known.1) == (db, key) && *use_ == Use::Change);
        if !is_looked_up {
            self.touch(db, key);
            self.note_used(db, key, Use::Change);
        }
    }

    /// The running command has not looked up the key to change it, though it has reached into its value.
    pub(crate) fn note_only_read(&mut self, db: usize, key: &Bytes) {
        self.used_keys.retain(|(known, how)| (known.0, &known.1) != (db, key) || *how != Use::Change);
    }

    /// True when the running command has not used the key before. Only the LFU policies count uses.
    pub(crate) fn note_used(&mut self, db: usize, key: &Bytes, how: Use) -> bool {
        if !self.config.maxmemory_policy.is_lfu() {
            return true;
        }
        let is_first = !self.used_keys.iter().any(|(known, _)| (known.0, &known.1) == (db, key));
        self.used_keys.push(((db, key.clone()), how));
        is_first
    }

    /// Sets what is noted with a key.
    pub(crate) fn set_access(&mut self, db: usize, key: &[u8], access: crate::access::Access) {
        if let Some(db) = self.databases.get_mut(db) {
            db.set_access(key, access);
        }
    }
}

/// Bytes of a table with as many buckets as Redis would give it.
pub(crate) fn bucket_bytes(db: &Db) -> (usize, usize) {
    use crate::value::memory::BUCKET_BYTES;
    let main = usize::try_from(db.entries().bucket_count()).unwrap_or(usize::MAX).saturating_mul(BUCKET_BYTES);
    let deadlines = match db.expires_len() {
        0 => 0,
        len => len.next_power_of_two().max(4).saturating_mul(BUCKET_BYTES),
    };
    (main, deadlines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pool_keeps_the_best_in_order() {
        let mut eviction = Eviction::default();
        for idle in [5, 3, 9, 3, 7, 1].into_iter().chain(10..30) {
            eviction.consider(Candidate { idle, db: 0, key: Bytes::new() });
        }
        let idles: Vec<u64> = eviction.pool.iter().map(|candidate| candidate.idle).collect();
        assert_eq!(idles, (14..30).collect::<Vec<u64>>());
        eviction.consider(Candidate { idle: 2, db: 0, key: Bytes::new() });
        assert_eq!(eviction.pool.first().map(|candidate| candidate.idle), Some(14));
    }
}
