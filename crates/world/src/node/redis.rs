//! A node that is a Redis server: the server, what its disk holds, its own clock, and whether it is up.
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use redis_model::value::Value;
use redis_model::{Config, Dataset, Server};

use super::{Durability, NodeSettings};
use crate::Faults;

/// A Redis server on a machine that can crash. Cloning it shares what it holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RedisNode {
    /// The running server; an empty one while the node is down.
    pub(crate) server: Rc<Server>,
    pub(crate) is_up: bool,
    /// How far its clock is ahead of the world's, in ms.
    pub(crate) clock_ahead_ms: u64,
    durability: Durability,
    /// What is on disk: with `everysec` as of the last write; while the node is down, what the next start loads.
    disk: Dataset,
    /// The second of its clock when it last wrote to disk, Unix time in s. Used with `everysec` only.
    written_s: u64,
    /// How often it has been started again.
    restarts: u64,
}

impl RedisNode {
    /// A server that has just started, with an empty disk.
    pub(crate) fn new(settings: &NodeSettings, config: Config, now_ms: u64) -> RedisNode {
        RedisNode {
            server: Rc::new(Server::new(config, now_ms)),
            is_up: true,
            clock_ahead_ms: 0,
            durability: settings.durability,
            disk: Dataset::default(),
            written_s: now_ms / 1_000,
            restarts: 0,
        }
    }

    /// Hashes what decides its future beside its server, with these faults left: of its disk only what can still be found.
    pub(crate) fn hash_essence<H: Hasher>(&self, world_ms: u64, faults: Faults, state: &mut H) {
        (self.is_up, self.clock_ahead_ms, self.restarts).hash(state);
        let now_ms = self.clock_ms(world_ms);
        match self.durability {
            _ if self.is_up && faults.node_crashes == 0 => {}
            Durability::EverySecond => {
                self.disk.hash_essence(now_ms, state);
                // When it is next written.
                (now_ms % 1_000, now_ms / 1_000 > self.written_s).hash(state);
            }
            // While it is up, a crash writes everything or nothing.
            Durability::Always if !self.is_up => self.disk.hash_essence(now_ms, state),
            Durability::Always | Durability::None => {}
        }
    }

    /// Its clock, at this time of the world.
    fn clock_ms(&self, world_ms: u64) -> u64 {
        world_ms.saturating_add(self.clock_ahead_ms)
    }

    /// What stands behind a key of its first database and is alive; while it is down, what its disk has.
    pub(crate) fn value(&self, world_ms: u64, key: &[u8]) -> Option<&Value> {
        let entry = if self.is_up { self.server.db(0)?.entry(key) } else { self.disk.entry(0, key) }?;
        let clock_ms = self.clock_ms(world_ms);
        entry.expires_ms.is_none_or(|at_ms| clock_ms <= at_ms).then_some(&entry.value)
    }

    /// When something happens there by itself, by the world's clock.
    pub(crate) fn next_deadline_ms(&self) -> Option<u64> {
        let due_ms = self.server.next_deadline_ms().filter(|_| self.is_up)?;
        Some(due_ms.saturating_sub(self.clock_ahead_ms))
    }

    /// With `everysec`, writes to disk what was done before the current second. Called before each command.
    pub(crate) fn sync_disk(&mut self, world_ms: u64) {
        let second = self.clock_ms(world_ms) / 1_000;
        if self.durability == Durability::EverySecond && self.is_up && second > self.written_s {
            self.disk = self.server.dataset();
            self.written_s = second;
        }
    }

    /// Loses everything in memory.
    pub(super) fn crash(&mut self, config: Config, world_ms: u64) {
        self.sync_disk(world_ms);
        match self.durability {
            Durability::None => self.disk = Dataset::default(),
            Durability::Always => self.disk = self.server.dataset(),
            Durability::EverySecond => {}
        }
        self.is_up = false;
        self.server = Rc::new(Server::new(config, self.clock_ms(world_ms)));
    }

    /// Starts again and loads the disk. Each start draws other random numbers.
    pub(super) fn restart(&mut self, config: Config, world_ms: u64) {
        self.restarts = self.restarts.saturating_add(1);
        let config = Config { seed: config.seed.wrapping_add(self.restarts << 32), ..config };
        self.is_up = true;
        let now_ms = self.clock_ms(world_ms);
        self.written_s = now_ms / 1_000;
        self.server = Rc::new(Server::started_with(config, now_ms, &self.disk));
    }
}
