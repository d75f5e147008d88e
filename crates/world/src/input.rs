//! What can happen to the world from outside.
use bytes::Bytes;
use redis_model::{Config, INSTRUCTIONS_PER_MS, ScriptTime};
use script::program::Thread;

use crate::traffic::TrafficAct;
use crate::{Leg, LinkAct, NodeAct, NodeIndex, NodeSettings, Property};

/// Number of a virtual client: its place on the stage, kept for life.
pub type ClientIndex = u32;

/// How a world starts; part of every link and file, so that a replay needs nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// Start of all randomness.
    pub seed: u64,
    /// Where the clock starts, Unix time in ms.
    pub start_ms: u64,
    /// `maxmemory` of every server in bytes; 0: no limit.
    pub maxmemory: u64,
    /// `proto-max-bulk-len` of every server, and the largest command, in bytes.
    pub proto_max_bulk_len: u64,
    /// Instructions of a script that take a millisecond; 0: scripts take no time, or never end. Sessions that were written before
    /// scripts took time say nothing of it, which means the latter.
    pub script_rate: u64,
    /// Instructions after which a script never ends, where scripts take time.
    pub script_bound: u64,
    /// The nodes, the first one first: clients speak to it unless they switch to another. Empty: one node, [`NodeSettings::default`]. More than
    /// [`crate::NODES_MAX`] are not taken.
    pub nodes: Vec<NodeSettings>,
}

impl Default for Settings {
    /// 64 MB of keys, 16 MB a string and 10⁸ instructions a script: what a page can bear. The clock starts on 1 January 2026, 12:00 UTC.
    fn default() -> Settings {
        Settings {
            seed: 1,
            start_ms: 1_767_268_800_000,
            maxmemory: 64 * 1024 * 1024,
            proto_max_bulk_len: 16 * 1024 * 1024,
            script_rate: INSTRUCTIONS_PER_MS,
            script_bound: 100_000_000,
            nodes: vec![NodeSettings::default()],
        }
    }
}

impl Settings {
    /// The configuration with which the server of a node starts.
    pub(crate) fn config(&self, node: NodeIndex) -> Config {
        Config {
            // Each node draws its own random numbers; the seed of the first one is that of the settings.
            seed: self.seed.wrapping_add(u64::try_from(node.0).unwrap_or_default()),
            maxmemory: self.maxmemory,
            proto_max_bulk_len: self.proto_max_bulk_len,
            script_time: self.script_time(),
            ..Config::default()
        }
    }

    /// Are there several nodes? Then people have to be told which is meant.
    pub fn has_several_nodes(&self) -> bool {
        self.nodes.len() > 1
    }

    /// Is this node a database?
    pub fn is_table(&self, node: NodeIndex) -> bool {
        self.nodes.get(node.0).is_some_and(NodeSettings::is_table)
    }

    /// The nodes that are databases.
    pub fn tables(&self) -> impl Iterator<Item = NodeIndex> + '_ {
        (0..self.nodes.len()).map(NodeIndex).filter(|node| self.is_table(*node))
    }

    /// What people call a node, where there are several.
    pub fn told_name_of_node(&self, node: NodeIndex) -> Option<&str> {
        self.has_several_nodes().then(|| self.name_of_node(node))
    }

    /// What people call a node; empty where there is none of this number.
    pub fn name_of_node(&self, node: NodeIndex) -> &str {
        self.nodes.get(node.0).map_or("", |settings| settings.name.as_str())
    }

    /// How long scripts take.
    pub const fn script_time(&self) -> ScriptTime {
        match self.script_rate {
            0 => ScriptTime::Uncounted,
            per_ms => ScriptTime::Virtual { per_ms, bound: self.script_bound },
        }
    }
}

/// One input. Everything that ever happens to a world is a list of these.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// A virtual client appears and connects.
    Connect {
        /// Its number.
        client: ClientIndex,
        /// What people call it; also the word before `>` in the text form.
        name: String,
    },
    /// A virtual client leaves.
    Disconnect {
        /// Which.
        client: ClientIndex,
    },
    /// A virtual client gets another name.
    Rename {
        /// Which.
        client: ClientIndex,
        /// Its new name.
        name: String,
    },
    /// A virtual client sends a command; a closed connection is opened again first, as redis-cli does.
    Command {
        /// Which.
        client: ClientIndex,
        /// The words.
        argv: Vec<Bytes>,
    },
    /// Ctrl-C: a waiting, subscribed or monitoring client drops its connection and opens a new one.
    Interrupt {
        /// Which.
        client: ClientIndex,
    },
    /// Time passes.
    Advance {
        /// How much, in ms.
        ms: u64,
    },
    /// Something is done to the program of a virtual client.
    Program {
        /// Whose.
        client: ClientIndex,
        /// What.
        act: Act,
    },
    /// The event loop of a server takes the first request of its queue.
    Serve {
        /// Which.
        node: NodeIndex,
    },
    /// A virtual client closes its connection and connects to another node.
    SwitchNode {
        /// Which client.
        client: ClientIndex,
        /// Where to.
        node: NodeIndex,
    },
    /// Something happens to a node.
    Node {
        /// Which.
        node: NodeIndex,
        /// What.
        act: NodeAct,
    },
    /// Something happens to the link between a client and a node.
    Link {
        /// Which client.
        client: ClientIndex,
        /// Which node.
        node: NodeIndex,
        /// What.
        act: LinkAct,
    },
    /// Something is done to the traffic of the world.
    Traffic {
        /// What.
        act: TrafficAct,
    },
    /// From now on the world watches a property.
    Watch {
        /// Which.
        property: Property,
    },
}

/// What can be done to a program. The learner, or the explorer, is the scheduler.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// The client begins with this program, in place of the one that it has.
    Load {
        /// Its text.
        text: Bytes,
        /// What it is given: its `args`. At most [`crate::ARGS_MAX`].
        args: Vec<Bytes>,
    },
    /// What a thread waits for is completed, and it runs to its next request. A command makes its whole way to the server and back.
    Step {
        /// Which thread.
        thread: Thread,
    },
    /// A thread's command goes into the server's queue.
    Send {
        /// Which thread's.
        thread: Thread,
    },
    /// A thread's reply arrives, and the thread runs to its next request.
    Deliver {
        /// Which thread's.
        thread: Thread,
    },
    /// A request or a reply is lost; the client takes it for lost after [`crate::TIMEOUT_MS`].
    Lose {
        /// Which thread's.
        thread: Thread,
        /// On which way.
        leg: Leg,
    },
    /// The client dies where it stands.
    Crash,
    /// A client that is dead or done begins again.
    Restart,
    /// The world stands still for the client.
    Pause,
    /// It goes on.
    Resume,
    /// The client's own clock jumps.
    ShiftClock {
        /// By how much, in ms.
        ms: i64,
    },
    /// A thread's command, or the reply to it, is held up on its way: it arrives at some later moment. The client takes it for lost after
    /// its timeout ([`crate::TIMEOUT_MS`]); a command arrives also after that, and after a crash of the client.
    HoldUp {
        /// Which thread's.
        thread: Thread,
        /// Which way it goes.
        leg: Leg,
    },
    /// A message that was held up arrives.
    Arrive {
        /// Which of the client's that are held up, from 0, the oldest first.
        late: u32,
    },
    /// From now on each request and each reply of the client takes so long on its way.
    Delay {
        /// How long, in ms; at most [`crate::DELAY_MAX_MS`].
        ms: u64,
    },
}

impl Act {
    /// The client begins with this program, and nothing is given to it.
    pub const fn load(text: Bytes) -> Act {
        Act::Load { text, args: Vec::new() }
    }
}

impl Input {
    /// The virtual client it is about.
    pub const fn client(&self) -> Option<ClientIndex> {
        match self {
            Input::Connect { client, .. }
            | Input::Disconnect { client }
            | Input::Rename { client, .. }
            | Input::Command { client, .. }
            | Input::Interrupt { client }
            | Input::SwitchNode { client, .. }
            | Input::Link { client, .. }
            | Input::Program { client, .. } => Some(*client),
            Input::Advance { .. }
            | Input::Serve { .. }
            | Input::Node { .. }
            | Input::Traffic { .. }
            | Input::Watch { .. } => None,
        }
    }

    /// Does only version 2 of the text form have it?
    pub const fn is_of_version_2(&self) -> bool {
        let is_late_reply = matches!(self, Input::Program { act: Act::HoldUp { leg: Leg::Reply, .. }, .. });
        is_late_reply
            || matches!(
                self,
                Input::SwitchNode { .. } | Input::Node { .. } | Input::Link { .. } | Input::Traffic { .. }
            )
    }
}

/// Longest name of a virtual client in bytes.
pub(crate) const NAME_BYTES_MAX: usize = 32;

/// May a virtual client be called so? Names stand before `>` in the text form and in golden scripts.
pub(crate) fn is_good_name(name: &str) -> bool {
    let is_good =
        |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '>' | '<' | '!' | '=' | '"' | '\'' | '#' | '@');
    !name.is_empty() && name.len() <= NAME_BYTES_MAX && name.chars().all(is_good)
}
