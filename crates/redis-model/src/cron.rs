//! What happens as time passes, without a command: keys expire, blocked clients time out, a pause ends.
//!
//! Redis deletes an expired key when a client looks it up (*lazily*) and, ten times a second, in a
//! cycle that samples the keys with a TTL (*actively*). The model does both: between the end of a
//! TTL and the next cycle a key still takes memory and still counts in `DBSIZE`.
use bytes::Bytes;

use crate::{
    Notify, Server,
    client::{ClientId, WaitReason},
    lazyfree::Freeing,
    server::Cause,
    sorting,
};

/// Redis' `hz 10`: the cycle runs at whole multiples of this many milliseconds.
const CYCLE_MS: u64 = 100;
/// Keys looked at in one round of the cycle (`ACTIVE_EXPIRE_CYCLE_KEYS_PER_LOOP`).
const KEYS_PER_ROUND: usize = 20;
/// A database with more than this share of expired keys in a round, in percent, gets another round at once.
const ACCEPTABLE_STALE_PERCENT: usize = 10;
/// Maximum rounds of a cycle before it leaves the rest to the next one; replaces Redis' time limit.
const ROUNDS_MAX: usize = 64;

impl Server {
    /// When the next event is due without a command, in ms of the server's clock.
    pub fn next_deadline_ms(&self) -> Option<u64> {
        let is_deaf = self.asleep_until_ms.is_some() || self.busy.is_some();
        let cycle = if is_deaf { None } else { self.next_cycle_ms() };
        soonest(cycle, self.next_wait_ms())
    }

    /// When the next waiting client is answered or closed at the latest, in ms of the server's clock: the end of a timeout, of
    /// `CLIENT PAUSE`, of a sleep or of a script that keeps the server busy, or the moment when the server closes a client that does not
    /// read. These are the events of [`Server::next_deadline_ms`] that clients notice without asking.
    pub fn next_wait_ms(&self) -> Option<u64> {
        if self.asleep_until_ms.is_some() {
            return self.asleep_until_ms;
        }
        if self.busy.is_some() {
            return self.next_of_busy_ms();
        }
        let timeout = self.wait_deadlines.first().map(|(deadline_ms, _)| *deadline_ms);
        let closing = self.next_overflow_ms();
        soonest(closing, soonest(timeout, self.pause.map(|pause| pause.until_ms)))
    }

    /// Runs everything that is due up to `now_ms`, in order, and sets the clock.
    pub(crate) fn run_until(&mut self, now_ms: u64) {
        while let Some(due_ms) = self.next_deadline_ms().filter(|due_ms| *due_ms <= now_ms) {
            self.now_ms = self.now_ms.max(due_ms);
            self.wake_up();
            if self.busy.as_ref().is_some_and(|busy| busy.ends_ms().is_some_and(|ends_ms| ends_ms <= self.now_ms)) {
                self.end_script_if_due();
            } else if self.busy.is_some() {
                self.let_postponed_run();
            } else {
                self.do_what_is_due(due_ms);
            }
            self.settle();
        }
        self.now_ms = self.now_ms.max(now_ms);
    }

    fn do_what_is_due(&mut self, due_ms: u64) {
        self.end_pause_if_due();
        self.time_out_blocked();
        if self.next_cycle_ms().is_some_and(|cycle_ms| cycle_ms <= due_ms) {
            self.expire_cycle();
            self.last_cycle_ms = self.now_ms;
        }
        self.close_full();
    }

    /// The first cycle that will find an expired key.
    fn next_cycle_ms(&self) -> Option<u64> {
        if !self.config.is_active_expire_on {
            return None;
        }
        let soonest_ms = self.used_databases().iter().filter_map(|db| db.next_deadline_ms()).min()?;
        // While clients are paused no key expires, so that a replica can catch up.
        let pause_end_ms = self.pause.map_or(0, |pause| pause.until_ms);
        // A cycle that left expired keys behind is followed by the next cycle, not by itself again.
        let free_from_ms = self.last_cycle_ms.max(pause_end_ms);
        Some(next_multiple(soonest_ms).max(next_multiple(free_from_ms)))
    }

    /// Ends `DEBUG SLEEP` when its time is over.
    fn wake_up(&mut self) {
        if self.asleep_until_ms.is_some_and(|until_ms| until_ms <= self.now_ms) {
            self.asleep_until_ms = None;
            self.let_postponed_run();
        }
    }

    fn end_pause_if_due(&mut self) {
        if self.pause.is_some_and(|pause| pause.until_ms <= self.now_ms) {
            self.end_pause();
        }
    }

    /// Ends `CLIENT PAUSE`: postponed commands run now, in order of arrival.
    pub(crate) fn end_pause(&mut self) {
        self.pause = None;
        self.let_postponed_run();
    }

    pub(crate) fn let_postponed_run(&mut self) {
        let mut waiting: Vec<_> = self
            .clients
            .iter()
            .filter(|c| c.blocked.as_ref().is_some_and(|b| b.wait.reason == WaitReason::Pause))
            .map(|c| (c.blocked.as_ref().map_or(0, |b| b.since_ms), c.id))
            .collect();
        sorting::sort(&mut waiting);
        for (_, client) in waiting {
            if let Some(blocked) = self.stop_waiting(client)
                && let Some(c) = self.clients.get_mut(&client)
            {
                c.backlog.push_front(blocked.argv);
            }
        }
    }

    fn time_out_blocked(&mut self) {
        let due: Vec<_> = self.wait_deadlines.range(..=(self.now_ms, ClientId::MAX)).copied().collect();
        for (_, client) in due {
            if let Some(blocked) = self.stop_waiting(client) {
                self.reply(client, blocked.wait.on_timeout);
            }
        }
    }

    /// Runs one cycle over all databases.
    fn expire_cycle(&mut self) {
        for db in 0..self.databases.len() {
            for _ in 0..ROUNDS_MAX {
                let picks = self.expire_picks(db);
                let now_ms = self.now_ms;
                let expired: Vec<Bytes> = self.databases.get(db).map_or_else(Vec::new, |db| {
                    let deadlines = picks.iter().map_while(|pick| db.nth_deadline(*pick));
                    // Soonest first: after the first key with time left, all keys have time left.
                    let passed = deadlines.take_while(|(deadline_ms, _)| now_ms > *deadline_ms);
                    passed.map(|(_, key)| key.clone()).collect()
                });
                for key in &expired {
                    self.expire(db, key);
                }
                if picks.is_empty() || expired.len().saturating_mul(100) <= picks.len() * ACCEPTABLE_STALE_PERCENT {
                    break;
                }
            }
        }
    }

    /// The keys that one round looks at, as indices into the keys with a TTL, soonest first: all keys when they are few, otherwise a
    /// random sample.
    fn expire_picks(&mut self, db: usize) -> Vec<usize> {
        let len = self.databases.get(db).map_or(0, |db| db.expires_len());
        if len <= KEYS_PER_ROUND {
            return (0..len).collect();
        }
        let mut picks: Vec<usize> = (0..KEYS_PER_ROUND).map(|_| self.rng.index(len)).collect();
        sorting::sort(&mut picks);
        picks.dedup();
        picks
    }

    /// Deletes a key if its TTL has expired: the lazy half of expiry. While clients are paused the key stays and only counts as
    /// missing. Returns whether the TTL has expired.
    pub(crate) fn expire_if_due(&mut self, db: usize, key: &Bytes) -> bool {
        let is_due = self.db_or_empty(db).is_expired(key, self.now_ms);
        if is_due && self.pause.is_none() {
            self.expire(db, key);
        }
        is_due
    }

    fn expire(&mut self, db: usize, key: &Bytes) {
        self.free(db, key, Freeing::Expiry);
        self.stats.expired_keys = self.stats.expired_keys.saturating_add(1);
        self.note_change(db, key, Cause::Expiry);
        self.notify(Notify::EXPIRED, "expired", db, key);
        self.touch_watched(db, key);
    }
}

fn soonest(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// The time of the first cycle after (not at) `after_ms`.
fn next_multiple(after_ms: u64) -> u64 {
    (after_ms / CYCLE_MS).saturating_add(1).saturating_mul(CYCLE_MS)
}
