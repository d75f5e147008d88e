//! The nodes of a world: their numbers, their settings, and what can be done to them.
//!
//! ```text
//!   mod.rs      NodeIndex, NodeSettings, NodeAct
//!   service.rs  a node: what runs on it, its clock
//!   redis.rs    a Redis server with its disk
//!   table.rs    a database: how its outputs become events
//!   lines.rs    nodes and their acts as lines of a session
//!   act.rs      crash, restart, clock jumps, terminals that switch to another node
//! ```
mod act;
pub(crate) mod lines;
mod redis;
mod service;
pub(crate) mod table;

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use crate::World;
use redis::RedisNode;
pub(crate) use service::Node;
pub use table::printed_key;

/// Number of a node: its index among the nodes of a world, kept for life. [`crate::World::nodes`] lists them; everything about a node
/// carries its number, so code never needs a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeIndex(pub(crate) usize);

impl NodeIndex {
    /// The node of this number.
    pub(crate) fn of(number: u32) -> NodeIndex {
        NodeIndex(usize::try_from(number).unwrap_or(usize::MAX))
    }

    /// The node that every world has. In the text form of a session, a line without a node is about this one: where a client connects, and
    /// whose keys a property is about.
    pub const FIRST: NodeIndex = NodeIndex(0);
}

/// How much of its data a node keeps across a restart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Durability {
    /// Nothing: all data was in memory only.
    #[default]
    None,
    /// All but the last second, as with `appendfsync everysec`: everything before the current second of its clock.
    EverySecond,
    /// Everything, as with `appendfsync always`.
    Always,
}

impl Durability {
    /// All values, each with its word in the text form.
    pub const ALL: [(&'static str, Durability); 3] =
        [("none", Durability::None), ("everysec", Durability::EverySecond), ("always", Durability::Always)];

    /// The word in the text form.
    pub fn word(self) -> &'static str {
        Durability::ALL.iter().find(|(_, each)| *each == self).map_or("none", |(word, _)| word)
    }

    fn named(word: &str) -> Option<Durability> {
        Durability::ALL.iter().find(|(known, _)| *known == word).map(|(_, each)| *each)
    }
}

/// How a node is set up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NodeSettings {
    /// Its display name: same rules as a client's name, and unique.
    pub name: String,
    /// What runs on it.
    pub kind: NodeKind,
}

/// What runs on a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// A Redis server.
    Redis(Durability),
    /// A database. Its disk holds everything that was committed.
    Table(::table::Settings),
}

impl NodeSettings {
    /// A Redis server.
    pub fn redis(name: impl Into<String>, durability: Durability) -> NodeSettings {
        NodeSettings { name: name.into(), kind: NodeKind::Redis(durability) }
    }

    /// A database that replies at once.
    pub fn table(name: impl Into<String>) -> NodeSettings {
        NodeSettings { name: name.into(), kind: NodeKind::Table(::table::Settings::default()) }
    }

    /// Is it a database?
    pub const fn is_table(&self) -> bool {
        matches!(self.kind, NodeKind::Table(_))
    }
}

/// The node of a world without node settings: `redis`, all in memory.
impl Default for NodeSettings {
    fn default() -> NodeSettings {
        NodeSettings::redis("redis", Durability::None)
    }
}

/// Maximum number of nodes.
pub const NODES_MAX: usize = 16;

/// How far a node's clock can be ahead of the world's, in ms: a year.
pub const CLOCK_AHEAD_MAX_MS: u64 = 366 * 24 * 3_600_000;

/// What can be done to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeAct {
    /// Its process crashes: the data in memory is lost, all connections close, and no client can connect.
    Crash,
    /// It starts again, with the data on its disk.
    Restart,
    /// Its clock jumps ahead.
    ShiftClock {
        /// By how much, in ms.
        ms: u64,
    },
}

/// The number, as in the line `@serve 0`.
impl fmt::Display for NodeIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for NodeIndex {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<NodeIndex, ParseIntError> {
        text.parse().map(NodeIndex)
    }
}

// Every step needs these; the rest of `act.rs` is part of a chunk of the page (chunks.txt).
impl World {
    /// Is the process of this node running?
    pub fn is_up(&self, node: NodeIndex) -> bool {
        self.nodes.get(node.0).is_some_and(|found| found.is_up)
    }

    /// How far the clock of a node is ahead of the world's, in ms.
    pub fn clock_ahead_ms(&self, node: NodeIndex) -> u64 {
        self.nodes.get(node.0).map_or(0, |found| found.clock_ahead_ms)
    }

    /// What the clock of a node shows, Unix time in ms.
    pub fn clock_ms(&self, node: NodeIndex) -> u64 {
        self.now_ms.saturating_add(self.clock_ahead_ms(node))
    }

    /// The world's time when the node's clock shows `clock_ms`, Unix time in ms. A server's deadlines are times of its own clock.
    pub fn world_ms(&self, node: NodeIndex, clock_ms: u64) -> u64 {
        clock_ms.saturating_sub(self.clock_ahead_ms(node))
    }
}

#[cfg(test)]
mod tests {
    use super::{Durability, NodeIndex, NodeSettings};
    use crate::{Event, EventKind, Input, Property, Settings, World, fingerprint};

    /// A world with two nodes; the second client is connected to the second node.
    fn two_nodes() -> World {
        let nodes = vec![NodeSettings::default(), NodeSettings::redis("r2", Durability::None)];
        let mut world = World::new(Settings { nodes, ..Settings::default() });
        for client in 0..2 {
            world.step(&Input::Connect { client, name: format!("c{client}") }).unwrap();
        }
        world.step(&Input::SwitchNode { client: 1, node: NodeIndex(1) }).unwrap();
        world
    }

    fn command(world: &mut World, client: u32, line: &str) -> Vec<Event> {
        world.step(&Input::Command { client, argv: resp::split::split(line.as_bytes()).unwrap() }).unwrap()
    }

    #[test]
    fn events_and_keys_belong_to_the_node_of_their_client() {
        let mut world = two_nodes();
        for (client, node) in [(0, NodeIndex::FIRST), (1, NodeIndex(1))] {
            let events = command(&mut world, client, "SET k v PX 10");
            assert!(events.iter().any(|event| matches!(event.kind, EventKind::Command { .. })));
            assert!(events.iter().any(|event| matches!(event.kind, EventKind::Reply { .. })));
            assert!(events.iter().any(|event| matches!(event.kind, EventKind::KeyChanged { .. })));
            assert!(events.iter().all(|event| event.node == Some(node)), "{events:?}");
        }
        command(&mut world, 0, "DEL k");
        let keys: Vec<usize> = world.servers().map(|(_, server)| server.databases()[0].len()).collect();
        assert_eq!(keys, [0, 1]);
        let events = world.step(&Input::Advance { ms: 1_000 }).unwrap();
        let expired = events.iter().find(|event| matches!(event.kind, EventKind::KeyExpired { .. })).unwrap();
        assert_eq!(expired.node, Some(NodeIndex(1)));
    }

    #[test]
    fn events_local_to_a_client_have_no_node() {
        let mut world = two_nodes();
        let events = world.step(&Input::Rename { client: 1, name: "other".into() }).unwrap();
        assert_eq!(events.iter().map(|event| event.node).collect::<Vec<_>>(), [None]);
        command(&mut world, 1, "BLPOP q 0");
        let events = world.step(&Input::Interrupt { client: 1 }).unwrap();
        for event in &events {
            let is_own = matches!(event.kind, EventKind::Interrupted { .. });
            assert_eq!(event.node, if is_own { None } else { Some(NodeIndex(1)) }, "{event:?}");
        }
    }

    #[test]
    fn a_property_is_about_keys_of_the_first_node() {
        let mut world = two_nodes();
        world.step(&Input::Watch { property: Property::OnlyOwnerReleases { key: "lock".into() } }).unwrap();
        command(&mut world, 1, "SET lock v");
        assert_eq!(world.watch().owner(b"lock"), None);
        command(&mut world, 0, "SET lock v");
        command(&mut world, 1, "DEL lock");
        assert_eq!((world.watch().owner(b"lock"), world.watch().first_broken()), (Some(0), None));
    }

    #[test]
    fn node_serializes_and_hashes_as_its_number() {
        for number in [0, 1, 12] {
            let node = NodeIndex(number);
            assert_eq!(node.to_string(), number.to_string());
            assert_eq!(node.to_string().parse(), Ok(node));
            // Fingerprints of worlds are the same as before nodes had their own type.
            assert_eq!(fingerprint(&node), fingerprint(&number));
        }
        assert!("".parse::<NodeIndex>().is_err() && "first".parse::<NodeIndex>().is_err());
        assert_eq!(NodeIndex::FIRST, NodeIndex(0));
    }
}
