//! What a step made happen, in order: what panels highlight and sentences tell.
use bytes::Bytes;
use redis_model::{CloseReason, Entry, Wait};
use resp::Protocol;

use crate::ClientIndex;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// When, Unix time in ms.
    pub at_ms: u64,
    /// What.
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A client connected (again).
    Connected {
        /// Who.
        client: ClientIndex,
    },
    /// A client was renamed on the stage.
    Renamed {
        /// Who.
        client: ClientIndex,
    },
    /// A client's connection ended.
    Disconnected {
        /// Who.
        client: ClientIndex,
        /// `None`: by itself.
        reason: Option<CloseReason>,
    },
    /// A client interrupted what it was doing.
    Interrupted {
        /// Who.
        client: ClientIndex,
    },
    /// A command reached the server.
    Command {
        /// Whose.
        client: ClientIndex,
        /// Its words.
        argv: Vec<Bytes>,
        /// The database that was selected when it was sent.
        db: usize,
        /// Was a transaction open when it was sent?
        is_in_multi: bool,
    },
    /// A command was answered.
    Reply {
        /// Whose.
        client: ClientIndex,
        /// The answer.
        value: resp::Value,
        /// The dialect it is spoken in.
        protocol: Protocol,
    },
    /// A client received what it had not just asked for.
    Push {
        /// Who.
        client: ClientIndex,
        /// What.
        value: resp::Value,
        /// The dialect it is spoken in.
        protocol: Protocol,
    },
    /// A client now waits.
    Blocked {
        /// Who.
        client: ClientIndex,
        /// For what, and until when.
        wait: Wait,
    },
    /// A client no longer waits.
    Unblocked {
        /// Who.
        client: ClientIndex,
    },
    /// A key came, went or changed.
    KeyChanged {
        /// Database and key.
        key: KeyName,
        /// What stood behind it before this event's moment.
        before: KeyState,
        /// What stands behind it now.
        after: KeyState,
    },
    /// A database was emptied as a whole (`FLUSHDB`, `FLUSHALL`); its keys are not told one by one.
    Flushed {
        /// Its number.
        db: usize,
        /// How many keys it had.
        keys: usize,
    },
    /// Two databases exchanged their keys (`SWAPDB`).
    Swapped {
        /// One number.
        first: usize,
        /// The other.
        second: usize,
    },
    /// A key went because its TTL had run out.
    KeyExpired {
        /// Database and key.
        key: KeyName,
        /// What it held.
        before: KeyState,
    },
    /// A key went because memory was short (`maxmemory-policy`).
    KeyEvicted {
        /// Database and key.
        key: KeyName,
        /// What it held.
        before: KeyState,
    },
}

/// Database and key.
pub type KeyName = (usize, Bytes);

/// What stands behind a key; `None`: nothing. Cheap to keep, values are shared.
pub type KeyState = Option<Entry>;

impl EventKind {
    /// The client it is about.
    pub const fn client(&self) -> Option<ClientIndex> {
        match self {
            EventKind::Connected { client }
            | EventKind::Renamed { client }
            | EventKind::Disconnected { client, .. }
            | EventKind::Interrupted { client }
            | EventKind::Command { client, .. }
            | EventKind::Reply { client, .. }
            | EventKind::Push { client, .. }
            | EventKind::Blocked { client, .. }
            | EventKind::Unblocked { client } => Some(*client),
            EventKind::KeyChanged { .. }
            | EventKind::KeyExpired { .. }
            | EventKind::KeyEvicted { .. }
            | EventKind::Flushed { .. }
            | EventKind::Swapped { .. } => None,
        }
    }
}
