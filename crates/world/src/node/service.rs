//! A node: its service, its clock, and whether it is up; and the database connections of clients.
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use redis_model::value::Value;
use redis_model::{ClientId, Config, Dataset, Server};
use table::{Activity, Connection, ConnectionId, Database};

use super::{NodeIndex, NodeKind, NodeSettings, RedisNode};
use crate::{ClientIndex, Engines, Faults, World};

/// A machine that can crash. Clones share their data.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Node {
    pub(crate) service: Service,
    pub(crate) is_up: bool,
    /// How far its clock is ahead of the world's, in ms.
    pub(crate) clock_ahead_ms: u64,
    /// How many times it was restarted.
    restarts: u64,
}

/// What runs on a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Service {
    Redis(RedisNode),
    /// A database. While its node is down, what the next start loads: everything that was committed.
    Table(Rc<Database>),
}

impl Node {
    /// A node that has just started, with no data.
    pub(crate) fn new(settings: &NodeSettings, config: Config, now_ms: u64, engines: &Engines) -> Node {
        let service = match &settings.kind {
            NodeKind::Redis(durability) => {
                Service::Redis(RedisNode::new(*durability, config, now_ms, &engines.scripts))
            }
            NodeKind::Table(settings) => Service::Table(Rc::new(Database::new(settings.clone()))),
        };
        Node { service, is_up: true, clock_ahead_ms: 0, restarts: 0 }
    }

    /// The Redis server that runs on it.
    pub(crate) fn server(&self) -> Option<&Rc<Server>> {
        match &self.service {
            Service::Redis(redis) => Some(&redis.server),
            Service::Table(_) => None,
        }
    }

    /// The Redis server, mutable.
    pub(crate) fn server_mut(&mut self) -> Option<&mut Rc<Server>> {
        match &mut self.service {
            Service::Redis(redis) => Some(&mut redis.server),
            Service::Table(_) => None,
        }
    }

    /// The database that runs on it.
    pub(crate) fn table(&self) -> Option<&Rc<Database>> {
        match &self.service {
            Service::Table(database) => Some(database),
            Service::Redis(_) => None,
        }
    }

    /// The database, mutable.
    pub(crate) fn table_mut(&mut self) -> Option<&mut Rc<Database>> {
        match &mut self.service {
            Service::Table(database) => Some(database),
            Service::Redis(_) => None,
        }
    }

    /// Hashes the state that decides its future apart from the data in memory, with these faults left.
    pub(crate) fn hash_canonical<H: Hasher>(&self, world_ms: u64, faults: Faults, state: &mut H) {
        (self.is_up, self.clock_ahead_ms, self.restarts).hash(state);
        if let Service::Redis(redis) = &self.service {
            redis.hash_disk(self.is_up, self.clock_ms(world_ms), faults, state);
        }
    }

    /// The time of its clock at this time of the world.
    fn clock_ms(&self, world_ms: u64) -> u64 {
        world_ms.saturating_add(self.clock_ahead_ms)
    }

    /// The live value of a key in database 0; while the node is down, the value on disk.
    pub(crate) fn value(&self, world_ms: u64, key: &[u8]) -> Option<&Value> {
        match &self.service {
            Service::Redis(redis) => redis.value(self.is_up, self.clock_ms(world_ms), key),
            Service::Table(_) => None,
        }
    }

    /// The next time something happens at the node by itself, by the world's clock.
    pub(crate) fn next_deadline_ms(&self) -> Option<u64> {
        let due_ms = match &self.service {
            _ if !self.is_up => None,
            Service::Redis(redis) => redis.server.next_deadline_ms(),
            Service::Table(database) => database.next_deadline_ms(),
        };
        Some(due_ms?.saturating_sub(self.clock_ahead_ms))
    }

    /// The next write to disk, by the world's clock; `None` if it writes never, or with every command.
    pub(crate) fn next_write_ms(&self, world_ms: u64) -> Option<u64> {
        match &self.service {
            Service::Redis(redis) if self.is_up && redis.writes_every_second() => {
                let now_ms = self.clock_ms(world_ms);
                // A slice of time may end within the millisecond of a write that has not been done yet.
                let after_ms = if redis.has_written(now_ms) { 1_000_u64.saturating_sub(now_ms % 1_000) } else { 0 };
                Some(world_ms.saturating_add(after_ms))
            }
            _ => None,
        }
    }

    /// Writes to disk what must be there by now. Called before each command.
    pub(crate) fn sync_disk(&mut self, world_ms: u64) {
        let clock_ms = self.clock_ms(world_ms);
        if let Service::Redis(redis) = &mut self.service
            && self.is_up
        {
            redis.sync_disk(clock_ms);
        }
    }

    /// Loses all data that is only in memory.
    pub(super) fn crash(&mut self, config: Config, world_ms: u64) {
        self.sync_disk(world_ms);
        self.is_up = false;
        let clock_ms = self.clock_ms(world_ms);
        match &mut self.service {
            Service::Redis(redis) => redis.crash(config, clock_ms),
            Service::Table(database) => *database = Rc::new(database.restarted()),
        }
    }

    /// Starts again, and returns the keys loaded from disk. Each start uses a different random seed.
    pub(super) fn restart(&mut self, config: Config, world_ms: u64) -> Dataset {
        self.restarts = self.restarts.saturating_add(1);
        let config = Config { seed: config.seed.wrapping_add(self.restarts << 32), ..config };
        self.is_up = true;
        let clock_ms = self.clock_ms(world_ms);
        match &mut self.service {
            Service::Redis(redis) => {
                redis.restart(config, clock_ms);
                redis.server.dataset()
            }
            Service::Table(_) => Dataset::default(),
        }
    }
}

// Every step needs these; the other database functions are part of a chunk of the page (chunks.txt).
impl World {
    /// The database that runs on a node; `None` if the node runs something else.
    pub fn table(&self, node: NodeIndex) -> Option<&Database> {
        self.nodes.get(node.0)?.table().map(Rc::as_ref)
    }

    /// The node of the database that a client is connected to, and the client's connection there.
    pub fn table_connection(&self, client: ClientIndex) -> Option<(NodeIndex, &Connection)> {
        let (node, connection) = self.address(client)?;
        Some((node, self.table(node)?.connection(ConnectionId(connection))?))
    }

    /// Does the client have an open transaction at a database?
    pub fn is_in_transaction(&self, client: ClientIndex) -> bool {
        self.table_connection(client).is_some_and(|(_, found)| found.is_in_transaction())
    }

    /// Does the client wait for a database's reply?
    pub(crate) fn waits_at_table(&self, client: ClientIndex) -> bool {
        self.table_connection(client).is_some_and(|(_, found)| *found.activity() != Activity::Idle)
    }

    /// Hashes the server's or database's state of a connection.
    pub(crate) fn hash_connection<H: Hasher>(&self, node: NodeIndex, connection: ClientId, state: &mut H) {
        if let Some(server) = self.server(node) {
            server.hash_connection(connection, state);
        } else if let Some(database) = self.table(node) {
            database.hash_connection(self.clock_ms(node), ConnectionId(connection), state);
        }
    }
}
