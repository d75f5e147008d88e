//! The limits of a handler, and the messages of handlers that exceed them.
use std::fmt;

use bytes::Bytes;
use resp::Value;
use script::program::{Failed, Reply, ThreadSnapshot, Unplayable};

/// Maximum number of answers to one request's handler. Time may stand still for it, as in `while now() < later do end`.
pub const ANSWERS_MAX: usize = 1_000;
/// Maximum size of all answers to one request's handler, in bytes: they are all kept until the request ends.
pub const RECEIVED_BYTES_MAX: usize = 4 << 20;

/// A limit that a handler has exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandlerLimit {
    /// It runs without asking for anything.
    Endless,
    /// Memory.
    Memory,
    /// [`ANSWERS_MAX`]
    Answers,
    /// [`RECEIVED_BYTES_MAX`]
    Received,
    /// Messages come faster than they are handled.
    Messages,
}

impl HandlerLimit {
    /// All limits.
    const ALL: [HandlerLimit; 5] = [
        HandlerLimit::Endless,
        HandlerLimit::Memory,
        HandlerLimit::Answers,
        HandlerLimit::Received,
        HandlerLimit::Messages,
    ];

    /// The message of a handler that exceeds the limit in this thread, in the format of Lua's messages: `program:2: it takes …`.
    pub(super) fn message(self, thread: Option<&ThreadSnapshot>) -> Bytes {
        let line = thread.and_then(|thread| thread.frames.first()).map(|frame| frame.line);
        line.map_or_else(|| self.to_string(), |line| format!("program:{line}: {self}")).into()
    }

    /// The line, if known, and the limit of such a message; `None` for any other message.
    ///
    /// ```
    /// use world::traffic::limit::HandlerLimit;
    /// assert_eq!(HandlerLimit::of("program:2: it takes too much memory"), Some((Some(2), HandlerLimit::Memory)));
    /// assert_eq!(HandlerLimit::of("program:2: no"), None);
    /// ```
    pub fn of(message: &str) -> Option<(Option<u32>, HandlerLimit)> {
        let limit = HandlerLimit::ALL.into_iter().find(|limit| message.ends_with(&limit.to_string()))?;
        let place = message.strip_suffix(&limit.to_string())?;
        let line = place.strip_prefix("program:").and_then(|place| place.strip_suffix(": "));
        match (place, line) {
            ("", _) => Some((None, limit)),
            (_, Some(line)) => Some((Some(line.parse().ok()?), limit)),
            _ => None,
        }
    }
}

impl fmt::Display for HandlerLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HandlerLimit::Endless => f.write_str("it runs for too long without asking for anything"),
            HandlerLimit::Memory => f.write_str("it takes too much memory"),
            HandlerLimit::Answers => write!(f, "it asks for more than {ANSWERS_MAX} things for one request"),
            HandlerLimit::Messages => f.write_str("messages come faster than message() handles them"),
            HandlerLimit::Received => {
                write!(f, "it receives more than {} MB for one request", RECEIVED_BYTES_MAX >> 20)
            }
        }
    }
}

/// Approximate size of a reply in memory, in bytes.
pub(super) fn received_bytes(reply: &Reply) -> usize {
    fn bytes(value: &Value) -> usize {
        match value {
            Value::Bulk(text) | Value::Simple(text) => text.len().saturating_add(40),
            Value::Array(items) => items.iter().map(bytes).sum::<usize>().saturating_add(40),
            _ => 40,
        }
    }
    match reply {
        Reply::Value(value) => bytes(value),
        Reply::Text(text) => text.len().saturating_add(40),
        Reply::Nothing | Reply::Integer(_) => 40,
    }
}

/// The message of a handler that cannot be played.
pub(super) fn unplayable(why: &Unplayable) -> Bytes {
    match why {
        Unplayable::DoesNotCompile(why) => why.clone(),
        Unplayable::Diverged { .. } | Unplayable::Broken => Bytes::from_static(b"the handler cannot be played"),
        Unplayable::NoPlayer => Bytes::from_static(b"nothing plays handlers in Lua here"),
    }
}

/// The message of a failed thread.
pub(super) fn failed(why: &Failed, thread: &ThreadSnapshot) -> Bytes {
    match why {
        Failed::Error(text) => text.clone(),
        Failed::Endless => HandlerLimit::Endless.message(Some(thread)),
        Failed::OutOfMemory => HandlerLimit::Memory.message(Some(thread)),
    }
}
