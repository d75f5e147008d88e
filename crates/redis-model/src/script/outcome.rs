//! A script's changes, separated from the server: taking them back when it has run, and applying them when its time is over.
use std::collections::VecDeque;

use bytes::Bytes;

use crate::{
    Part, Server,
    client::{ClientId, Watched},
    db::Db,
    eviction::Eviction,
    rng::Rng,
    server::{Change, Output, SlowCommand, Stats},
};

/// All state that a script's commands can change, except whether transactions of watching clients fail. Keys are shared with the
/// server until one of the two changes them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Keyspace {
    databases: Part<Vec<Part<Db>>>,
    used_databases: usize,
    rng: Rng,
    stats: Part<Stats>,
    slowlog: Part<VecDeque<SlowCommand>>,
    next_slowlog: u64,
    eviction: Eviction,
    memory_peak: usize,
    script_random: u64,
    ready: VecDeque<(usize, Bytes)>,
}

/// Snapshot of a server before a script.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Before {
    keyspace: Keyspace,
    /// For each client: whether its `EXEC` will fail, and its watched keys.
    watches: Vec<(ClientId, bool, Vec<Watched>)>,
}

/// The changes of a script that has run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct After {
    keyspace: Keyspace,
    /// The counters when the script began.
    stats_before: Part<Stats>,
    /// Clients whose transactions the script makes fail.
    dirty: Vec<ClientId>,
    changed: Vec<Change>,
    outputs: Vec<Output>,
}

impl Server {
    /// A snapshot of everything that a script can change.
    pub(super) fn before_script(&self) -> Before {
        let keyspace = Keyspace {
            databases: self.databases.clone(),
            used_databases: self.used_databases,
            rng: self.rng.clone(),
            stats: self.stats.clone(),
            slowlog: self.slowlog.clone(),
            next_slowlog: self.next_slowlog,
            eviction: self.eviction.clone(),
            memory_peak: self.memory_peak,
            script_random: self.script_random,
            ready: self.ready.clone(),
        };
        let watches = self.clients.iter().filter(|client| !client.watched.is_empty());
        Before {
            keyspace,
            watches: watches.map(|client| (client.id, client.is_dirty, client.watched.clone())).collect(),
        }
    }

    /// Restores the snapshot; returns the script's changes, with these outputs and changed keys.
    pub(super) fn put_back(&mut self, before: Before, outputs: Vec<Output>, changed: Vec<Change>) -> After {
        let Before { mut keyspace, watches } = before;
        let stats_before = keyspace.stats.clone();
        self.exchange(&mut keyspace);
        let mut dirty = Vec::new();
        for (id, was_dirty, watched) in watches {
            if let Some(client) = self.clients.get_mut(&id) {
                client.watched = watched;
                if std::mem::replace(&mut client.is_dirty, was_dirty) && !was_dirty {
                    dirty.push(id);
                }
            }
        }
        After { keyspace, stats_before, dirty, changed, outputs }
    }

    /// Applies a script's changes when its time is over. What other clients did meanwhile stays: they can connect, disconnect, watch and
    /// be refused, but cannot access keys.
    pub(super) fn adopt(&mut self, after: After) {
        let After { mut keyspace, stats_before, dirty, changed, outputs } = after;
        keyspace.stats.add_since(&stats_before, &self.stats);
        keyspace.memory_peak = keyspace.memory_peak.max(self.memory_peak);
        self.exchange(&mut keyspace);
        for id in dirty {
            if let Some(client) = self.clients.get_mut(&id) {
                client.is_dirty |= !client.watched.is_empty();
            }
        }
        // Other clients may have begun to watch meanwhile.
        for change in &changed {
            self.touch_watched(change.db, &change.key);
        }
        self.changed.extend(changed);
        let is_there = |output: &Output| match output {
            Output::Push { client, .. } => self.clients.get(client).is_some(),
            _ => true,
        };
        let outputs: Vec<Output> = outputs.into_iter().filter(is_there).collect();
        self.outputs.extend(outputs);
    }

    fn exchange(&mut self, other: &mut Keyspace) {
        let Keyspace {
            databases,
            used_databases,
            rng,
            stats,
            slowlog,
            next_slowlog,
            eviction,
            memory_peak,
            script_random,
            ready,
        } = other;
        // Waiting and watching clients are not part of the script's changes, and stay.
        let is_somebody = |db: &Db| !(db.watchers.is_empty() && db.waiting.is_empty());
        for (own, other) in self.databases.iter_mut().zip(databases.iter_mut()) {
            if is_somebody(own) || is_somebody(other) {
                std::mem::swap(&mut own.watchers, &mut other.watchers);
                std::mem::swap(&mut own.waiting, &mut other.waiting);
            }
        }
        std::mem::swap(&mut self.databases, databases);
        std::mem::swap(&mut self.used_databases, used_databases);
        std::mem::swap(&mut self.rng, rng);
        std::mem::swap(&mut self.stats, stats);
        std::mem::swap(&mut self.slowlog, slowlog);
        std::mem::swap(&mut self.next_slowlog, next_slowlog);
        std::mem::swap(&mut self.eviction, eviction);
        std::mem::swap(&mut self.memory_peak, memory_peak);
        std::mem::swap(&mut self.script_random, script_random);
        std::mem::swap(&mut self.ready, ready);
    }
}

impl Stats {
    /// Adds the differences of the counters between `before` and `after`.
    fn add_since(&mut self, before: &Stats, after: &Stats) {
        let Stats {
            connections_received,
            commands_processed,
            expired_keys,
            evicted_keys,
            keyspace_hits,
            keyspace_misses,
            errors,
            errors_by_code,
            calls_by_command,
            lazyfreed_objects,
            untracked_calls,
            changes,
        } = self;
        let add = |to: &mut u64, before: u64, after: u64| *to = to.saturating_add(after.saturating_sub(before));
        add(connections_received, before.connections_received, after.connections_received);
        add(commands_processed, before.commands_processed, after.commands_processed);
        add(expired_keys, before.expired_keys, after.expired_keys);
        add(evicted_keys, before.evicted_keys, after.evicted_keys);
        add(keyspace_hits, before.keyspace_hits, after.keyspace_hits);
        add(keyspace_misses, before.keyspace_misses, after.keyspace_misses);
        add(errors, before.errors, after.errors);
        add(changes, before.changes, after.changes);
        add(lazyfreed_objects, before.lazyfreed_objects, after.lazyfreed_objects);
        for (command, calls) in after.untracked_calls.iter() {
            let known = before.untracked_calls.get(command).copied().unwrap_or(0);
            add(untracked_calls.entry(*command, || 0), known, *calls);
        }
        for (code, count) in after.errors_by_code.iter() {
            let known = before.errors_by_code.get(code).copied().unwrap_or(0);
            add(errors_by_code.entry(code.clone(), || 0), known, *count);
        }
        for (command, counts) in after.calls_by_command.iter() {
            let known = before.calls_by_command.get(command).copied().unwrap_or_default();
            let to = calls_by_command.entry(*command, Default::default);
            add(&mut to.0, known.0, counts.0);
            add(&mut to.1, known.1, counts.1);
            add(&mut to.2, known.2, counts.2);
        }
    }
}
