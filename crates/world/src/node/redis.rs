//! A node that is a Redis server: the server, what its disk holds, its own clock, and whether it is up.
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use redis_model::{Config, Dataset, Server};

use super::{Durability, NodeSettings};

/// A Redis server on a machine that can crash. Cloning it shares what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RedisNode {
    /// What runs, and ran last where it is down.
    pub(crate) server: Rc<Server>,
    pub(crate) is_up: bool,
    /// How far its clock is ahead of the world's, in ms.
    pub(crate) clock_ahead_ms: u64,
    durability: Durability,
    /// What its disk has, as of the second in which it last wrote; while the node is down, what the next start loads.
    disk: Dataset,
    /// That second of its clock, Unix time; only where it writes once a second.
    written_s: u64,
    /// How often it has been started again.
    restarts: u64,
}

/// Nodes of which nothing more is to be said than their server hash as that alone: fingerprints are what they were before nodes could crash.
impl Hash for RedisNode {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.server.hash(state);
        if self.is_special() {
            (self.is_up, self.clock_ahead_ms, self.durability, &self.disk, self.written_s, self.restarts).hash(state);
        }
    }
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

    /// Is there more to it than a server that runs, with the world's clock and no disk?
    pub(crate) fn is_special(&self) -> bool {
        !self.is_up || self.clock_ahead_ms > 0 || self.durability != Durability::None || self.restarts > 0
    }

    /// Hashes what of it decides the future of a search, beside its server: what is on its disk, and whether it runs.
    pub(crate) fn hash_essence<H: Hasher>(&self, state: &mut H) {
        if self.is_special() {
            (self.is_up, self.durability, &self.disk).hash(state);
        }
    }

    /// What its clock shows when the world's shows this.
    pub(crate) fn clock_ms(&self, world_ms: u64) -> u64 {
        world_ms.saturating_add(self.clock_ahead_ms)
    }

    /// When something happens there by itself, by the world's clock.
    pub(crate) fn next_deadline_ms(&self) -> Option<u64> {
        let due_ms = self.server.next_deadline_ms().filter(|_| self.is_up)?;
        Some(due_ms.saturating_sub(self.clock_ahead_ms))
    }

    /// Its disk gets what was done up to the last full second, where it writes once a second. To be asked before anything is done.
    pub(crate) fn write_behind(&mut self, world_ms: u64) {
        let second = self.clock_ms(world_ms) / 1_000;
        if self.durability == Durability::EverySecond && self.is_up && second > self.written_s {
            self.disk = self.server.dataset();
            self.written_s = second;
        }
    }

    /// It is gone at once, with all that is in its memory.
    pub(super) fn crash(&mut self, config: Config, world_ms: u64) {
        self.write_behind(world_ms);
        match self.durability {
            Durability::None => self.disk = Dataset::default(),
            Durability::Always => self.disk = self.server.dataset(),
            Durability::EverySecond => {}
        }
        self.is_up = false;
        self.server = Rc::new(Server::new(config, self.clock_ms(world_ms)));
    }

    /// It starts again and loads what its disk has. Its random numbers are others each time.
    pub(super) fn restart(&mut self, config: Config, world_ms: u64) {
        self.restarts = self.restarts.saturating_add(1);
        let config = Config { seed: config.seed.wrapping_add(self.restarts << 32), ..config };
        self.is_up = true;
        let now_ms = self.clock_ms(world_ms);
        self.written_s = now_ms / 1_000;
        self.server = Rc::new(Server::started_with(config, now_ms, &self.disk));
    }
}
