//! What can happen to the world from outside.
use bytes::Bytes;

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
}

impl Default for Settings {
    /// 64 MB of keys and 16 MB a string: what a page can bear. The clock starts on 1 January 2026, 12:00 UTC.
    fn default() -> Settings {
        Settings {
            seed: 1,
            start_ms: 1_767_268_800_000,
            maxmemory: 64 * 1024 * 1024,
            proto_max_bulk_len: 16 * 1024 * 1024,
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
    /// A virtual client sends a command; a closed connection is opened anew first, as redis-cli does.
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
}

impl Input {
    /// The virtual client it is about.
    pub const fn client(&self) -> Option<ClientIndex> {
        match self {
            Input::Connect { client, .. }
            | Input::Disconnect { client }
            | Input::Rename { client, .. }
            | Input::Command { client, .. }
            | Input::Interrupt { client } => Some(*client),
            Input::Advance { .. } => None,
        }
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
