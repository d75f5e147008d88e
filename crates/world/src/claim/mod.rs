//! Claims: what a lesson task states about a world and the path that led to it. A condition is a list of claims, all of which must hold.
//!
//! ```text
//!   ask "GET lock" is "\"c1\""      what a command that only reads prints, asked of a copy of the server
//!   reply c2 is (nil)               the last reply of a client
//!   by c1 at-most 1                 how many commands were sent since the setup
//!   without EXPIRE PEXPIRE          none of these commands was sent
//!   sent SET lacks NX               one of these commands was sent, without any of these words
//!   closed c1 output-buffer         a connection of a client was closed for one of these reasons
//!   not-closed c1 killed quit       no connection was closed for one of these reasons
//!   traffic queries-peak in 200 *   a figure of the traffic that runs: see `traffic::bound`
//!   handler "function get(id) …"    traffic runs this handler
//! ```
//!
//! Each command runs on its own connection, as redis-cli would run it, so a real server can check the same condition ([`Scene`]). In a world
//! it runs on a fresh copy of the server, so it changes nothing that another claim or the learner sees. What clients sent and received is noted step by step
//! ([`Record`]), so judging step 10,000 costs no more than judging step 1.
mod outcome;
mod record;
mod words;

use bytes::Bytes;
use redis_model::CloseReason;
use redis_model::command::{self, Flags};
use resp::{Protocol, Value, cli, split};

use crate::traffic::bound::Bound;

pub use self::outcome::Outcome;
pub use self::record::{Record, Scene};

/// One claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// What a command prints.
    Ask {
        /// The command's words. It must be read-only: see [`Claim::objection`].
        command: Vec<Bytes>,
        /// What it must print.
        prints: Prints,
    },
    /// What the last reply of a client was. A client that waits for its reply has none.
    Reply {
        /// The client's name.
        client: String,
        /// What redis-cli printed.
        prints: Prints,
    },
    /// How many commands were sent.
    Count {
        /// By this client; `None`: by all clients together.
        by: Option<String>,
        /// `true`: at most this many; `false`: at least.
        is_most: bool,
        /// The bound on the number of commands.
        commands: usize,
    },
    /// None of these commands was sent.
    Without {
        /// By this client; `None`: by any client.
        by: Option<String>,
        /// Command prefixes: `EXPIRE`, `CONFIG SET`.
        commands: Vec<Vec<Bytes>>,
    },
    /// One of these commands was sent, and without any of these words among its arguments.
    Sent {
        /// By this client; `None`: by any client.
        by: Option<String>,
        /// Command prefixes.
        commands: Vec<Vec<Bytes>>,
        /// Words that must be missing, compared without case.
        lacks: Vec<Bytes>,
    },
    /// A connection of a client was closed, its own or the one on which its program listens.
    Closed {
        /// The client's name.
        client: String,
        /// `false`: no connection was closed for one of these reasons.
        is_closed: bool,
        /// The reasons that count.
        reasons: Vec<Reason>,
    },
    /// A figure of the running traffic is within a bound.
    Traffic(Bound),
    /// The running traffic has this handler, ignoring comments and space around lines.
    Handler(String),
}

/// Why a connection was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The client was not reading, and its output buffer passed its limit.
    OutputBuffer,
    /// `CLIENT KILL`.
    Killed,
    /// `QUIT`.
    Quit,
    /// The client closed it: Ctrl-C, a crash, another program.
    Itself,
}

impl Reason {
    /// All reasons, each with its word in the text form.
    pub const WORDS: [(&str, Reason); 4] = [
        ("output-buffer", Reason::OutputBuffer),
        ("killed", Reason::Killed),
        ("quit", Reason::Quit),
        ("itself", Reason::Itself),
    ];

    fn of(reason: Option<CloseReason>) -> Option<Reason> {
        match reason {
            None => Some(Reason::Itself),
            Some(CloseReason::OutputBuffer) => Some(Reason::OutputBuffer),
            Some(CloseReason::Killed) => Some(Reason::Killed),
            Some(CloseReason::Quit) => Some(Reason::Quit),
            Some(CloseReason::CrossProtocol | CloseReason::Crashed) => None,
        }
    }
}

/// What a reply must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prints {
    /// One of these texts, as redis-cli prints them.
    Any(Vec<String>),
    /// None of these texts.
    Not(Vec<String>),
    /// An integer, or a string that holds one, between the two bounds, both included; `None`: no bound.
    Within(Option<i64>, Option<i64>),
}

impl Claim {
    /// What is wrong with the claim in any world: a command that does not exist, writes, blocks or runs a script.
    ///
    /// ```
    /// use world::claim::Claim;
    /// let claim = |text| Claim::from_text(text).ok_or("no claim");
    /// assert_eq!(claim("ask 'TTL lock' in 1 10")?.objection(), None);
    /// assert_eq!(claim("ask 'DEL lock' is ''")?.objection().as_deref(), Some("`DEL lock` does not only read"));
    /// # Ok::<(), &str>(())
    /// ```
    pub fn objection(&self) -> Option<String> {
        match self {
            Claim::Ask { command, .. } => objection_to(command),
            Claim::Without { commands, .. } | Claim::Sent { commands, .. } => {
                let unknown = commands.iter().find(|command| is_unknown(command))?;
                Some(format!("there is no command `{}`", split::quote_command(unknown)))
            }
            Claim::Reply { .. }
            | Claim::Count { .. }
            | Claim::Closed { .. }
            | Claim::Traffic(_)
            | Claim::Handler(_) => None,
        }
    }

    /// The client that the claim names.
    pub fn client(&self) -> Option<&str> {
        match self {
            Claim::Ask { .. } | Claim::Traffic(_) | Claim::Handler(_) => None,
            Claim::Reply { client, .. } | Claim::Closed { client, .. } => Some(client),
            Claim::Count { by, .. } | Claim::Without { by, .. } | Claim::Sent { by, .. } => by.as_deref(),
        }
    }
}

impl Prints {
    fn is(&self, value: &Value, protocol: Protocol) -> bool {
        let text = || cli::text(value, protocol);
        match self {
            Prints::Any(texts) => texts.contains(&text()),
            Prints::Not(texts) => !texts.contains(&text()),
            Prints::Within(from, to) => {
                integer(value).is_some_and(|n| from.is_none_or(|from| from <= n) && to.is_none_or(|to| n <= to))
            }
        }
    }
}

fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(n) => Some(*n),
        Value::Bulk(text) | Value::Simple(text) => std::str::from_utf8(text).ok()?.parse().ok(),
        _ => None,
    }
}

/// Commands that only read, although their flags do not say so.
const READERS: [(&str, &str); 5] =
    [("config", "get"), ("function", "list"), ("pubsub", "channels"), ("pubsub", "numsub"), ("script", "exists")];

fn objection_to(argv: &[Bytes]) -> Option<String> {
    let line = split::quote_command(argv);
    let Ok(row) = command::find(argv) else { return Some(format!("there is no command `{line}`")) };
    if !row.takes(argv.len()) {
        return Some(format!("`{line}` has the wrong number of words"));
    }
    let reads = row.flags.contains(Flags::READONLY) || READERS.contains(&row.id());
    if row.run.address().is_none() {
        Some(format!("`{line}` is not modelled"))
    } else if row.flags.contains(Flags::BLOCKING) || command::needs_machine(argv) {
        Some(format!("`{line}` may not answer at once"))
    } else if !reads {
        Some(format!("`{line}` does not only read"))
    } else {
        None
    }
}

/// Does no command begin with these words?
fn is_unknown(head: &[Bytes]) -> bool {
    let Some(row) = head.first().and_then(|name| command::by_name(name)) else { return true };
    head.get(1).is_some_and(|word| !row.subcommands.is_empty() && row.subcommand(word).is_none())
}

#[cfg(test)]
mod tests;
