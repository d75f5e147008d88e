//! What the server knows of one connection.
use std::{
    collections::{BTreeSet, VecDeque},
    rc::Rc,
};

use bytes::Bytes;
use resp::{Protocol, Value};

use crate::{Unread, command::CommandId, value::stream::Id};

/// Number of a connection, as `CLIENT ID` answers it; never used again.
pub type ClientId = u64;

/// One connection and the state that lives as long as it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Client {
    /// `CLIENT ID`.
    pub id: ClientId,
    /// `CLIENT SETNAME`; empty when none was given.
    pub name: Bytes,
    /// `ip:port` as `CLIENT LIST` shows it.
    pub addr: Rc<str>,
    /// Selected database.
    pub db: usize,
    /// RESP2 until `HELLO 3`.
    pub protocol: Protocol,
    /// When it connected, in ms of the server's clock.
    pub connected_ms: u64,
    /// When it last sent a command.
    pub last_command_ms: u64,
    /// The last command.
    pub last_command: Option<CommandId>,
    /// The open transaction.
    pub multi: Option<Multi>,
    /// The transaction that `EXEC` runs just now, as `CLIENT LIST` counts it.
    pub(crate) in_exec: Option<Queued>,
    /// Keys under `WATCH`, in order.
    pub watched: Vec<Watched>,
    /// A watched key was changed: `EXEC` will answer nil.
    pub is_dirty: bool,
    /// Subscribed channels.
    pub channels: BTreeSet<Bytes>,
    /// Subscribed patterns, in order of subscription.
    pub patterns: Vec<Bytes>,
    /// Subscribed shard channels.
    pub shard_channels: BTreeSet<Bytes>,
    /// May it call more than `AUTH` and `HELLO`? False only for who connected while a password was set.
    pub is_authenticated: bool,
    /// Receives every command that any client runs.
    pub is_monitor: bool,
    /// `CLIENT REPLY`.
    pub reply_mode: ReplyMode,
    /// `CLIENT NO-EVICT`.
    pub is_no_evict: bool,
    /// Why it waits, if it does.
    pub blocked: Option<Blocked>,
    /// Commands that arrived while it was blocked; they run in order once it is not.
    pub backlog: VecDeque<Vec<Bytes>>,
    /// What waits for it while it does not read.
    pub unread: Option<Box<Unread>>,
    /// Closed after the current reply (`QUIT`, `CLIENT KILL` of itself).
    pub closes_after_reply: bool,
}

/// The queue of a transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Multi {
    /// Queued commands, as sent.
    pub queue: Vec<Vec<Bytes>>,
    /// Bytes that the queue takes; they count for `maxmemory`.
    pub bytes: usize,
    /// An error while queueing: `EXEC` will answer `EXECABORT`.
    pub is_aborted: bool,
}

/// What `CLIENT LIST` says of a queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Queued {
    /// Commands.
    pub commands: usize,
    /// Bytes of their words and of the pointers to them (`argv_len_sums`).
    pub bytes: usize,
}

impl Multi {
    /// How many commands it holds and what they take.
    pub(crate) fn queued(&self) -> Queued {
        let bytes = self.queue.iter().fold(0, |sum: usize, argv| sum.saturating_add(words_bytes(argv)));
        Queued { commands: self.queue.len(), bytes }
    }
}

/// Bytes of the words of a command and of the pointers to them.
fn words_bytes(argv: &[Bytes]) -> usize {
    argv.iter().fold(argv.len().saturating_mul(POINTER_BYTES), |sum, word| sum.saturating_add(word.len()))
}

/// Of Redis on a machine of 64 bits.
pub(crate) const POINTER_BYTES: usize = 8;

/// A key under `WATCH`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Watched {
    /// Database of the key.
    pub db: usize,
    /// The key.
    pub key: Bytes,
    /// Its TTL had already run out when it was watched: its later deletion is no change.
    pub was_expired: bool,
}

/// `CLIENT REPLY ON | OFF | SKIP`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ReplyMode {
    /// Every command is answered.
    #[default]
    On,
    /// None is.
    Off,
    /// `SKIP` was just called: the next command is not answered.
    SkipNext,
    /// `SKIP` was called before: this command is not answered.
    Skipping,
}

/// A client that waits inside a command.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Blocked {
    /// The command, run again when it may go on.
    pub argv: Vec<Bytes>,
    /// What it waits for.
    pub wait: Wait,
    /// Since when, in ms of the server's clock.
    pub since_ms: u64,
}

/// What a blocked client waits for; handlers return it as [`crate::Answer::Block`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wait {
    /// Why it waits.
    pub reason: WaitReason,
    /// When it gives up, in ms of the server's clock; `None`: never.
    pub deadline_ms: Option<u64>,
    /// What is answered then, and inside `MULTI`, where nothing may block.
    pub on_timeout: Value,
}

/// Why a client waits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WaitReason {
    /// For one of these keys (in the database where it blocked) to hold a value of this type.
    Keys {
        /// Database of the keys.
        db: usize,
        /// In the order of the command.
        keys: Vec<Bytes>,
        /// `list`, `zset` or `stream`.
        type_name: &'static str,
        /// Of a reader of streams: past what they must grow.
        reading: Option<Reading>,
    },
    /// For replicas to acknowledge (`WAIT`).
    Replicas,
    /// For the end of its own `DEBUG SLEEP`.
    Sleep,
    /// For the end of `CLIENT PAUSE` or of somebody's `DEBUG SLEEP`, or until a server that is busy with a script says so;
    /// then its command runs for the first time.
    Pause,
    /// For the end of its own script ([`crate::Busy`]).
    Script {
        /// When that is, Unix time in ms of the server's clock; `None` when no one knows, or it never comes.
        ends_ms: Option<u64>,
    },
}

/// Past what streams must grow for their reader to wake.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// Past these ids, one a key: `$` is the stream's last id at the moment when the wait began.
    After(Vec<Id>),
    /// Past what this group has had, which others may read on meanwhile. It must not be gone, nor its stream.
    Group(Bytes),
}

impl Client {
    /// A fresh connection.
    pub fn new(id: ClientId, addr: impl Into<Rc<str>>, now_ms: u64) -> Client {
        Client {
            id,
            name: Bytes::new(),
            addr: addr.into(),
            db: 0,
            protocol: Protocol::Resp2,
            connected_ms: now_ms,
            last_command_ms: now_ms,
            last_command: None,
            multi: None,
            in_exec: None,
            watched: Vec::new(),
            is_dirty: false,
            channels: BTreeSet::new(),
            patterns: Vec::new(),
            shard_channels: BTreeSet::new(),
            is_authenticated: true,
            is_monitor: false,
            reply_mode: ReplyMode::On,
            is_no_evict: false,
            blocked: None,
            backlog: VecDeque::new(),
            unread: None,
            closes_after_reply: false,
        }
    }

    /// Are its commands answered just now?
    pub fn is_answered(&self) -> bool {
        matches!(self.reply_mode, ReplyMode::On | ReplyMode::SkipNext)
    }

    /// The command that `CLIENT REPLY SKIP` covered is over.
    pub(crate) fn stop_skipping(&mut self) {
        if self.reply_mode == ReplyMode::Skipping {
            self.reply_mode = ReplyMode::On;
        }
    }

    /// Number of subscriptions as `SUBSCRIBE` and `PSUBSCRIBE` count them (shard channels apart).
    pub fn subscription_count(&self) -> usize {
        self.channels.len().saturating_add(self.patterns.len())
    }

    /// Is it in the state in which RESP2 allows only (un)subscribing, `PING`, `QUIT` and `RESET`?
    pub fn is_subscriber(&self) -> bool {
        self.subscription_count() > 0 || !self.shard_channels.is_empty()
    }
}
