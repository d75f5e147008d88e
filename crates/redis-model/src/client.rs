//! `Client`: the state of one connection.
use std::{
    collections::{BTreeSet, VecDeque},
    rc::Rc,
};

use bytes::Bytes;
use resp::{Protocol, Value};

use crate::{Unread, value::stream::Id};

/// Id of a connection, as `CLIENT ID` returns it; never reused.
pub type ClientId = u64;

/// One connection and the state that lives as long as the connection.
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
    /// The open transaction.
    pub multi: Option<Multi>,
    /// The transaction that `EXEC` is running, as `CLIENT LIST` counts it.
    pub(crate) in_exec: Option<Queued>,
    /// Keys under `WATCH`, in order.
    pub watched: Vec<Watched>,
    /// A watched key was changed: `EXEC` will return nil.
    pub is_dirty: bool,
    /// Subscribed channels.
    pub channels: BTreeSet<Bytes>,
    /// Subscribed patterns, in order of subscription.
    pub patterns: Vec<Bytes>,
    /// Subscribed shard channels.
    pub shard_channels: BTreeSet<Bytes>,
    /// May it call more than `AUTH` and `HELLO`? False only for a client that connected while a password was set and has not given it.
    pub is_authenticated: bool,
    /// Receives every command that any client runs.
    pub is_monitor: bool,
    /// `CLIENT REPLY`.
    pub reply_mode: ReplyMode,
    /// `CLIENT NO-EVICT`.
    pub is_no_evict: bool,
    /// The command it is blocked in and the reason, if it is blocked.
    pub blocked: Option<Blocked>,
    /// Commands that arrived while it was blocked; they run in order once it is unblocked.
    pub backlog: VecDeque<Vec<Bytes>>,
    /// Output that is buffered while the client does not read.
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
    /// A command was refused while queueing: `EXEC` will reply `EXECABORT`.
    pub is_aborted: bool,
}

/// Size of a transaction queue, as `CLIENT LIST` shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Queued {
    /// Number of commands.
    pub commands: usize,
    /// Bytes of their arguments and of the pointers to them (`argv_len_sums`).
    pub bytes: usize,
}

impl Multi {
    /// Number of queued commands and their bytes.
    pub(crate) fn queued(&self) -> Queued {
        let bytes = self.queue.iter().fold(0, |sum: usize, argv| sum.saturating_add(words_bytes(argv)));
        Queued { commands: self.queue.len(), bytes }
    }
}

/// Bytes of a command's arguments and of the pointers to them.
fn words_bytes(argv: &[Bytes]) -> usize {
    argv.iter().fold(argv.len().saturating_mul(POINTER_BYTES), |sum, word| sum.saturating_add(word.len()))
}

/// Bytes of a pointer of Redis on a 64-bit machine.
pub(crate) const POINTER_BYTES: usize = 8;

/// A key under `WATCH`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Watched {
    /// Database of the key.
    pub db: usize,
    /// The key.
    pub key: Bytes,
    /// Its TTL had already expired when it was watched: its later deletion is not a change.
    pub was_expired: bool,
}

/// `CLIENT REPLY ON | OFF | SKIP`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ReplyMode {
    /// Every command is answered.
    #[default]
    On,
    /// No command is answered.
    Off,
    /// `SKIP` was just called: the next command is not answered.
    SkipNext,
    /// `SKIP` was called before: this command is not answered.
    Skipping,
}

/// A client that waits inside a command.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Blocked {
    /// The command; it runs again when the client can continue.
    pub argv: Vec<Bytes>,
    /// What the client waits for.
    pub wait: Wait,
    /// When it was blocked, in ms of the server's clock.
    pub since_ms: u64,
}

/// What a blocked client waits for; handlers return it as [`crate::Answer::Block`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wait {
    /// Why it waits.
    pub reason: WaitReason,
    /// When the wait times out, in ms of the server's clock; `None`: never.
    pub deadline_ms: Option<u64>,
    /// The reply on timeout, and inside `MULTI`, where nothing may block.
    pub on_timeout: Value,
}

/// Why a client waits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WaitReason {
    /// Waits until one of these keys (in the database where it blocked) holds a value of this type.
    Keys {
        /// Database of the keys.
        db: usize,
        /// The keys in the order of the command.
        keys: Vec<Bytes>,
        /// `list`, `zset` or `stream`.
        type_name: &'static str,
        /// For a reader of streams: the position past which they must grow.
        reading: Option<Reading>,
    },
    /// Waits for replicas to acknowledge (`WAIT`).
    Replicas,
    /// Waits for the end of its own `DEBUG SLEEP`.
    Sleep,
    /// Waits for the end of `CLIENT PAUSE` or of another client's `DEBUG SLEEP`, or until a server that is busy with a script answers
    /// again; then its command runs for the first time.
    Pause,
    /// Waits for the end of its own script ([`crate::Busy`]).
    Script {
        /// When the script ends, Unix time in ms of the server's clock; `None` when that is unknown, or it never ends.
        ends_ms: Option<u64>,
    },
}

/// The position past which streams must grow for their reader to wake.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// Past these ids, one per key: `$` is the stream's last id when the wait began.
    After(Vec<Id>),
    /// Past the group's last-delivered id, which other consumers may advance meanwhile. Deleting the group or the stream also wakes.
    Group(Bytes),
}

impl Client {
    /// A new connection from `addr` (`ip:port`), opened at `now_ms`.
    pub fn new(id: ClientId, addr: impl Into<Rc<str>>, now_ms: u64) -> Client {
        Client {
            id,
            name: Bytes::new(),
            addr: addr.into(),
            db: 0,
            protocol: Protocol::Resp2,
            connected_ms: now_ms,
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

    /// Does it currently receive replies?
    pub fn is_answered(&self) -> bool {
        matches!(self.reply_mode, ReplyMode::On | ReplyMode::SkipNext)
    }

    /// The command that `CLIENT REPLY SKIP` covered has ended.
    pub(crate) fn stop_skipping(&mut self) {
        if self.reply_mode == ReplyMode::Skipping {
            self.reply_mode = ReplyMode::On;
        }
    }

    /// Number of subscriptions as `SUBSCRIBE` and `PSUBSCRIBE` count them (shard channels apart).
    pub fn subscription_count(&self) -> usize {
        self.channels.len().saturating_add(self.patterns.len())
    }

    /// Is it subscribed, so that RESP2 allows only (un)subscribing, `PING`, `QUIT` and `RESET`?
    pub fn is_subscriber(&self) -> bool {
        self.subscription_count() > 0 || !self.shard_channels.is_empty()
    }
}
