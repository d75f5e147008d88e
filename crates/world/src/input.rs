//! `Input`: everything that can happen to a world from outside, and `Settings`: how it starts.
use bytes::Bytes;
use redis_model::{Config, INSTRUCTIONS_PER_MS, ScriptTime};
use script::program::Thread;

use crate::traffic::TrafficAct;
use crate::{Direction, LinkAct, NodeAct, NodeIndex, NodeSettings, Property};

/// Number of a virtual client: its place in the learner's view, kept for life.
pub type ClientIndex = u32;

/// How a world starts. Part of every link and file, so a replay needs nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// Seed of all randomness.
    pub seed: u64,
    /// Where the clock starts, Unix time in ms.
    pub start_ms: u64,
    /// `maxmemory` of every server in bytes; 0: no limit.
    pub maxmemory: u64,
    /// `proto-max-bulk-len` of every server, and the largest command, in bytes.
    pub proto_max_bulk_len: u64,
    /// Instructions that a script executes per millisecond; 0: scripts take no time, or never end. Sessions written before scripts took
    /// time lack it, which means 0.
    pub script_rate: u64,
    /// Number of instructions after which a script counts as endless, if scripts take time.
    pub script_bound: u64,
    /// The nodes, first node first: clients connect to it unless they switch. Empty: one node, [`NodeSettings::default`]. Nodes beyond
    /// [`crate::NODES_MAX`] are ignored.
    pub nodes: Vec<NodeSettings>,
}

impl Default for Settings {
    /// 64 MB of keys, 16 MB per string and 10⁸ instructions per script: what a web page can afford. The clock starts on 1 January 2026,
    /// 12:00 UTC.
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

    /// Are there several nodes? If so, texts must name the node.
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

    /// The display name of a node, if there are several nodes.
    pub fn shown_name_of_node(&self, node: NodeIndex) -> Option<&str> {
        self.has_several_nodes().then(|| self.name_of_node(node))
    }

    /// The display name of a node; empty if there is no node with this number.
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

/// One input. A world's history is a list of inputs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// Adds a virtual client and connects it.
    Connect {
        /// Its number.
        client: ClientIndex,
        /// Its display name; also the word before `>` in the text form.
        name: String,
    },
    /// Removes a virtual client.
    Disconnect {
        /// The client.
        client: ClientIndex,
    },
    /// Renames a virtual client.
    Rename {
        /// The client.
        client: ClientIndex,
        /// Its new name.
        name: String,
    },
    /// A virtual client sends a command. A closed connection is reopened first, as in redis-cli.
    Command {
        /// The client.
        client: ClientIndex,
        /// The command's words.
        argv: Vec<Bytes>,
    },
    /// Ctrl-C: a blocked, subscribed or monitoring client drops its connection and opens a new one.
    Interrupt {
        /// The client.
        client: ClientIndex,
    },
    /// Time passes.
    Advance {
        /// How much time, in ms.
        ms: u64,
    },
    /// Acts on the program of a virtual client.
    Program {
        /// The client.
        client: ClientIndex,
        /// The act.
        act: Act,
    },
    /// The event loop of a server executes the first request of its queue.
    Serve {
        /// The server's node.
        node: NodeIndex,
    },
    /// A virtual client closes its connection and connects to another node.
    SwitchNode {
        /// The client.
        client: ClientIndex,
        /// The node to connect to.
        node: NodeIndex,
    },
    /// Acts on a node.
    Node {
        /// The node.
        node: NodeIndex,
        /// The act.
        act: NodeAct,
    },
    /// Acts on the link between a client and a node.
    Link {
        /// The client.
        client: ClientIndex,
        /// The node.
        node: NodeIndex,
        /// The act.
        act: LinkAct,
    },
    /// Acts on the traffic of the world.
    Traffic {
        /// The act.
        act: TrafficAct,
    },
    /// The world starts to watch a property.
    Watch {
        /// The property.
        property: Property,
    },
}

/// What can be done to a program. The scheduler is the learner or the explorer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// The client starts this program, which replaces its current one.
    Load {
        /// Its text.
        text: Bytes,
        /// Its arguments (`args`). At most [`crate::ARGS_MAX`].
        args: Vec<Bytes>,
    },
    /// Completes what the thread waits for and runs the thread to its next request. A command travels to the server and back.
    Step {
        /// The thread.
        thread: Thread,
    },
    /// Puts the thread's command into the server's queue.
    Send {
        /// The thread.
        thread: Thread,
    },
    /// Delivers the thread's reply and runs the thread to its next request.
    Deliver {
        /// The thread.
        thread: Thread,
    },
    /// Loses a request or a reply; the client times out after [`crate::TIMEOUT_MS`].
    Lose {
        /// The thread.
        thread: Thread,
        /// Which of the two is lost.
        direction: Direction,
    },
    /// The client crashes at once.
    Crash,
    /// Restarts a client that has crashed or ended.
    Restart,
    /// Pauses the client: none of its threads runs.
    Pause,
    /// Resumes a paused client.
    Resume,
    /// The client's own clock jumps.
    ShiftClock {
        /// By how much, in ms.
        ms: i64,
    },
    /// Holds up the thread's command or its reply in flight, to arrive at some later moment. The client still times out
    /// ([`crate::TIMEOUT_MS`]); a held-up command arrives even after that, and after a crash of the client.
    HoldUp {
        /// The thread.
        thread: Thread,
        /// Which of the two is held up.
        direction: Direction,
    },
    /// A held-up message arrives.
    Arrive {
        /// Index among the client's held-up messages, from 0, oldest first.
        late: u32,
    },
    /// Sets the delay of each request and reply of the client.
    Delay {
        /// The delay in ms; at most [`crate::DELAY_MAX_MS`].
        ms: u64,
    },
}

impl Act {
    /// The client starts this program, without arguments.
    pub const fn load(text: Bytes) -> Act {
        Act::Load { text, args: Vec::new() }
    }
}

impl Input {
    /// The virtual client that the input is about.
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

    /// Does the text form need version 2 for this input?
    pub const fn is_of_version_2(&self) -> bool {
        let is_late_reply = matches!(self, Input::Program { act: Act::HoldUp { direction: Direction::Reply, .. }, .. });
        is_late_reply
            || matches!(
                self,
                Input::SwitchNode { .. } | Input::Node { .. } | Input::Link { .. } | Input::Traffic { .. }
            )
    }
}

/// Maximum length of a virtual client's name, in bytes.
pub(crate) const NAME_BYTES_MAX: usize = 32;

/// Is this a valid client name? Names stand before `>` in the text form and in golden scripts.
pub fn is_good_name(name: &str) -> bool {
    let is_good =
        |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '>' | '<' | '!' | '=' | '"' | '\'' | '#' | '@');
    !name.is_empty() && name.len() <= NAME_BYTES_MAX && name.chars().all(is_good)
}
