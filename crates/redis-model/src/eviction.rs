//! Eviction: which keys are deleted when memory exceeds `maxmemory`, chosen by Redis' algorithm.
//!
//! ```text
//!  before a command        used > maxmemory?
//!      lru lfu ttl         some keys of each database at random ──► a pool of the 16 best candidates so far ──► the best of them
//!      random              one key at random, of each database in turn
//!      noeviction          none: commands that need memory are refused
//! ```
//! Redis has no list of all keys by age: it samples `maxmemory-samples` keys at a time and remembers the best candidates that it did
//! not evict. The pool survives between commands; a candidate that was deleted meanwhile is skipped.
//!
//! Redis stops after some milliseconds and continues between commands (`maxmemory-eviction-tenacity`). In the model eviction takes no
//! time.
use bytes::Bytes;

use crate::{
    Error, Notify, Server,
    access::{Access, Counting},
    db::Db,
    lazyfree::Freeing,
    server::Cause,
};

/// Size of the candidate pool (`EVPOOL_SIZE`).
const POOL_MAX: usize = 16;
/// Bytes that Redis itself takes after startup, measured on 7.0.15 on 64-bit Linux. They count towards `maxmemory`.
pub(crate) const STARTUP_BYTES: usize = 876_216;

/// Bytes that a reply may always copy, even under a low `maxmemory`.
const REPLY_BYTES: u64 = 1 << 20;

/// `maxmemory-policy`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Among keys with a TTL, the least recently used.
    VolatileLru,
    /// Among keys with a TTL, the least frequently used.
    VolatileLfu,
    /// A random key with a TTL.
    VolatileRandom,
    /// The key whose TTL expires soonest.
    VolatileTtl,
    /// Among all keys, the least recently used.
    AllkeysLru,
    /// Among all keys, the least frequently used.
    AllkeysLfu,
    /// A random key.
    AllkeysRandom,
    /// No key.
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

    /// The policy with this name; `CONFIG SET` has checked the name.
    pub(crate) fn named(name: &[u8]) -> Option<Policy> {
        Policy::ALL.into_iter().find(|policy| policy.name().as_bytes() == name)
    }

    /// Does it count uses?
    pub const fn is_lfu(self) -> bool {
        matches!(self, Policy::VolatileLfu | Policy::AllkeysLfu)
    }

    /// Does it use the time of the last access?
    pub const fn is_lru(self) -> bool {
        matches!(self, Policy::VolatileLru | Policy::AllkeysLru)
    }

    const fn is_random(self) -> bool {
        matches!(self, Policy::VolatileRandom | Policy::AllkeysRandom)
    }

    /// May keys without a TTL be evicted?
    const fn takes_all(self) -> bool {
        matches!(self, Policy::AllkeysLru | Policy::AllkeysLfu | Policy::AllkeysRandom)
    }
}

/// How a command uses a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Use {
    /// It reads it.
    Read,
    /// It looks it up to change it, or has created it.
    Change,
}

/// State of eviction between commands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Eviction {
    /// Candidates, the best last.
    pool: Vec<Candidate>,
    /// The database of the last turn, for the random policies.
    last_db: usize,
    /// The limit was lowered: keys are evicted once the command that lowered it has ended.
    pub(crate) is_due: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Candidate {
    /// Score, higher is evicted first: seconds idle, rarity of use, or closeness of the deadline.
    idle: u64,
    db: usize,
    key: Bytes,
}

impl Eviction {
    /// Adds a candidate to the pool if there is room or it is better than the worst one.
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
    /// Bytes that count for `maxmemory`: the startup memory, keys, their tables, and transactions.
    pub fn allocated_memory(&self) -> usize {
        let tables = self.used_databases().iter().fold(STARTUP_BYTES, |sum, db| sum.saturating_add(db.table_memory()));
        tables.saturating_add(self.used_memory())
    }

    /// The keys that eviction would delete one after the other, with their databases, if memory ran out now: at most `count`. It asks a
    /// clone, so the random picks are those that will be made if nothing else happens before.
    pub fn next_victims(&self, count: usize) -> Vec<(usize, Bytes)> {
        let mut server = self.clone();
        let mut victims = Vec::new();
        while victims.len() < count
            && let Some((db, key)) = server.victim()
        {
            server.evict(db, &key);
            victims.push((db, key));
        }
        victims
    }

    /// Is more memory in use than `maxmemory` allows?
    pub(crate) fn is_out_of_memory(&self) -> bool {
        self.config.maxmemory > 0 && self.allocated_memory() as u64 > self.config.maxmemory
    }

    /// The parameters of LFU counting.
    pub(crate) fn counting(&self) -> Counting {
        Counting { log_factor: self.config.lfu_log_factor, decay_minutes: self.config.lfu_decay_time }
    }

    /// Evicts keys until the rest fits; false if it does not fit. While clients are paused no key is evicted.
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

    /// The next key to evict.
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

    /// Samples one database into the pool; false if no key of it can be evicted.
    fn look_for_candidates(&mut self, index: usize) -> bool {
        let policy = self.config.maxmemory_policy;
        let Some(db) = self.databases.get(index) else { return false };
        let count = self.config.maxmemory_samples;
        let keys: Vec<Bytes> = if policy.takes_all() {
            let table = db.entries();
            table.sample(count, |bound| self.rng.below(bound)).into_iter().map(|(key, _)| key.clone()).collect()
        } else {
            // Redis samples its table of deadlines by buckets. The model keeps deadlines in order and picks uniformly.
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

    /// Refuses to allocate this many bytes at once. Redis lets the command that passes the limit through; a single allocation past all of
    /// `maxmemory` would crash the page.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] past all of `maxmemory`.
    pub(crate) fn reserve_memory(&self, bytes: u64) -> Result<(), Error> {
        let limit = self.config.maxmemory;
        let room = limit.saturating_sub(STARTUP_BYTES as u64);
        if limit > 0 && bytes > room { Err(Error::OutOfMemory) } else { Ok(()) }
    }

    /// Refuses a reply that would copy this many bytes out of values. In Redis, reading needs no free memory, so a small amount is always
    /// allowed.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] past both `maxmemory` and [`REPLY_BYTES`].
    pub(crate) fn reserve_reply(&self, bytes: u64) -> Result<(), Error> {
        let limit = self.config.maxmemory;
        if limit > 0 && bytes > limit.max(REPLY_BYTES) { Err(Error::OutOfMemory) } else { Ok(()) }
    }

    /// Records a use of a key; true if the key exists.
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

    /// Does the key exist? `None` if its use is not recorded yet. Recording a use twice would change nothing, but would copy a database
    /// that a clone of the server shares.
    pub(crate) fn noted_use(&self, db: usize, key: &[u8]) -> Option<bool> {
        let is_list_shared = self.databases.is_shared();
        let entry = self.databases.get(db).filter(|db| is_list_shared || db.is_shared())?.entry(key);
        let is_noted = entry.is_none_or(|entry| entry.access == Access::at(self.now_ms));
        is_noted.then_some(entry.is_some())
    }

    /// Records a read of a key; true if the key exists.
    pub(crate) fn touch_to_read(&mut self, db: usize, key: &Bytes) -> bool {
        self.note_used(db, key, Use::Read);
        self.touch(db, key)
    }

    /// Records a lookup of a key for changing it. A command counts at most one such use, however often the model looks up the key, and
    /// none after reading it. True if the key exists.
    pub(crate) fn touch_to_change(&mut self, db: usize, key: &Bytes) -> bool {
        if self.note_used(db, key, Use::Change) {
            self.touch(db, key)
        } else {
            self.db_or_empty(db).entries().contains(key)
        }
    }

    /// Records that a key gets another value: one more lookup after reading the old value.
    pub(crate) fn touch_to_replace(&mut self, db: usize, key: &Bytes) {
        let is_looked_up =
            self.used_keys.iter().any(|(known, use_)| (known.0, &known.1) == (db, key) && *use_ == Use::Change);
        if !is_looked_up {
            self.touch(db, key);
            self.note_used(db, key, Use::Change);
        }
    }

    /// The running command has not looked up the key for changing it, although it has changed its value.
    pub(crate) fn note_only_read(&mut self, db: usize, key: &Bytes) {
        self.used_keys.retain(|(known, how)| (known.0, &known.1) != (db, key) || *how != Use::Change);
    }

    /// Records a use by the running command; true if it is the command's first use of the key. Only the LFU policies count uses.
    pub(crate) fn note_used(&mut self, db: usize, key: &Bytes, how: Use) -> bool {
        if !self.config.maxmemory_policy.is_lfu() {
            return true;
        }
        let is_first = !self.used_keys.iter().any(|(known, _)| (known.0, &known.1) == (db, key));
        self.used_keys.push(((db, key.clone()), how));
        is_first
    }

    /// Sets the access record of a key.
    pub(crate) fn set_access(&mut self, db: usize, key: &[u8], access: crate::access::Access) {
        if let Some(db) = self.databases.get_mut(db) {
            db.set_access(key, access);
        }
    }
}

/// Bytes of the bucket arrays of keys and deadlines, with as many buckets as Redis would have.
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
    fn next_victims_are_those_that_are_evicted() {
        for policy in Policy::ALL {
            let mut server = Server::new(crate::Config::default(), 0);
            let client = server.connect(0);
            let run = |server: &mut Server, now_ms: u64, line: &str| {
                let argv = line.split(' ').map(|word| Bytes::copy_from_slice(word.as_bytes())).collect();
                server.handle(now_ms, client, argv);
            };
            run(&mut server, 0, &format!("CONFIG SET maxmemory-policy {}", policy.name()));
            for i in 0..40u64 {
                run(&mut server, i * 1_000, &format!("SET k{i} x"));
                if i % 2 == 0 {
                    run(&mut server, i * 1_000, &format!("PEXPIRE k{i} {}", 100_000 - i * 7 % 40 * 1_000));
                }
            }
            let foretold = server.next_victims(5);
            assert_eq!(server.next_victims(5), foretold, "asking changes nothing");
            let count = if policy == Policy::Noeviction { 0 } else { 5 };
            assert_eq!(foretold.len(), count, "{policy:?}");
            // Lowering the limit to nothing evicts every key that may go, in the order in which the changes are reported.
            let now_ms = server.now_ms();
            let argv = ["CONFIG", "SET", "maxmemory", "1"].map(Bytes::from).to_vec();
            let outputs = server.handle(now_ms, client, argv);
            let gone: Vec<(usize, Bytes)> = outputs
                .into_iter()
                .filter_map(|output| match output {
                    crate::Output::Changed { db, key, cause: Cause::Eviction } => Some((db, key)),
                    _ => None,
                })
                .collect();
            assert_eq!(gone.get(..count), Some(foretold.as_slice()), "{policy:?}");
        }
    }

    #[test]
    fn pool_keeps_the_best_candidates_in_order() {
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
