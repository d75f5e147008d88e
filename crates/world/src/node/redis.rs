//! A node that runs a Redis server: the server and its disk.
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use redis_model::value::Value;
use redis_model::{Config, Dataset, ScriptEngine, Server};

use super::Durability;
use crate::Faults;

/// A Redis server with its disk. Clones share their data. All times are those of the node's own clock, Unix time in ms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RedisNode {
    /// The running server; an empty one while the node is down.
    pub(crate) server: Rc<Server>,
    durability: Durability,
    /// The data on disk: with `everysec` as of the last write; while the node is down, what the next start loads.
    disk: Dataset,
    /// The second of the last write to disk, Unix time in s. Used with `everysec` only.
    written_s: u64,
}

impl RedisNode {
    /// A server that has just started, with an empty disk.
    pub(super) fn new(durability: Durability, config: Config, now_ms: u64, engine: &ScriptEngine) -> RedisNode {
        RedisNode {
            server: Rc::new(Server::new(config, now_ms).with_engine(engine.clone())),
            durability,
            disk: Dataset::default(),
            written_s: now_ms / 1_000,
        }
    }

    /// Hashes the part of the disk that can still be read, with these faults left.
    pub(super) fn hash_disk<H: Hasher>(&self, is_up: bool, now_ms: u64, faults: Faults, state: &mut H) {
        match self.durability {
            _ if is_up && faults.node_crashes == 0 => {}
            Durability::EverySecond => {
                self.disk.hash_canonical(now_ms, state);
                // The time of the next write.
                (now_ms % 1_000, now_ms / 1_000 > self.written_s).hash(state);
            }
            // While the node is up, a crash leaves all data or none on disk.
            Durability::Always if !is_up => self.disk.hash_canonical(now_ms, state),
            Durability::Always | Durability::None => {}
        }
    }

    /// The live value of a key in database 0; while the node is down, the value on disk.
    pub(super) fn value(&self, is_up: bool, now_ms: u64, key: &[u8]) -> Option<&Value> {
        let entry = if is_up { self.server.db(0)?.entry(key) } else { self.disk.entry(0, key) }?;
        entry.expires_ms.is_none_or(|at_ms| now_ms <= at_ms).then_some(&entry.value)
    }

    pub(super) fn writes_every_second(&self) -> bool {
        self.durability == Durability::EverySecond
    }

    /// Has everything done before the current second been written to disk? Used with `everysec` only.
    pub(super) fn has_written(&self, now_ms: u64) -> bool {
        now_ms / 1_000 <= self.written_s
    }

    /// With `everysec`, writes to disk everything done before the current second.
    pub(super) fn sync_disk(&mut self, now_ms: u64) {
        if self.durability == Durability::EverySecond && !self.has_written(now_ms) {
            self.disk = self.server.dataset();
            self.written_s = now_ms / 1_000;
        }
    }

    /// Loses all data in memory.
    pub(super) fn crash(&mut self, config: Config, now_ms: u64) {
        match self.durability {
            Durability::None => self.disk = Dataset::default(),
            Durability::Always => self.disk = self.server.dataset(),
            Durability::EverySecond => {}
        }
        self.server = Rc::new(Server::new(config, now_ms).with_engine(self.server.engine().clone()));
    }

    /// Starts again and loads the disk.
    pub(super) fn restart(&mut self, config: Config, now_ms: u64) {
        self.written_s = now_ms / 1_000;
        let started = Server::started_with(config, now_ms, &self.disk);
        self.server = Rc::new(started.with_engine(self.server.engine().clone()));
    }
}
