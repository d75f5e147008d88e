//! Claims: what a task of a lesson says of a state and of the way to it. A condition is a list of them, all of which have to hold.
//!
//! ```text
//!   ask "GET lock" is "\"c1\""      what a command that only reads prints, asked of a copy of the server
//!   reply c2 is (nil)               the last reply of a client
//!   by c1 at-most 1                 how many commands were sent since the stage was set
//!   without EXPIRE PEXPIRE          none of these commands was sent
//!   sent SET lacks NX               one of these was, without any of these words
//!   closed c1 output-buffer         a connection of a client was closed for one of these reasons
//!   not-closed c1 killed quit       none was
//!   traffic queries-peak in 200 *   a figure of the traffic that runs: see `traffic::bound`
//!   handler "function get(id) …"    traffic runs this handler
//! ```
//!
//! Commands are asked over a connection of their own, as redis-cli would ask them: the same condition can be asked of a real server.
//! Each is asked of a fresh copy, so none of them changes what another one sees, nor what the learner sees. What clients have sent and
//! heard is noted step by step ([`Record`]), so that judging the ten-thousandth step costs no more than the first one.
mod record;
mod words;

use bytes::Bytes;
use redis_model::CloseReason;
use redis_model::command::{self, Flags};
use resp::{Protocol, Value, cli, split};

use crate::traffic::bound::Bound;

pub use self::record::Record;

/// One claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// What a command prints.
    Ask {
        /// Its words. It only reads: see [`Claim::objection`].
        command: Vec<Bytes>,
        /// What.
        prints: Prints,
    },
    /// What the last reply of a client was. One that waits for its reply has none.
    Reply {
        /// The client's name.
        client: String,
        /// What redis-cli printed.
        prints: Prints,
    },
    /// How many commands were sent.
    Count {
        /// By this client; `None`: by all together.
        by: Option<String>,
        /// At most, or else at least.
        is_most: bool,
        /// So many.
        commands: usize,
    },
    /// None of these commands was sent.
    Without {
        /// By this client; `None`: by anyone.
        by: Option<String>,
        /// The words with which each begins: `EXPIRE`, `CONFIG SET`.
        commands: Vec<Vec<Bytes>>,
    },
    /// One of these commands was sent, and without any of these words among its arguments.
    Sent {
        /// By this client; `None`: by anyone.
        by: Option<String>,
        /// The words with which each begins.
        commands: Vec<Vec<Bytes>>,
        /// Words that it lacks, in any case.
        lacks: Vec<Bytes>,
    },
    /// A connection of a client was closed, its own or the one on which its program listens.
    Closed {
        /// The client's name.
        client: String,
        /// Or else: none was.
        is_closed: bool,
        /// For one of these reasons.
        reasons: Vec<Reason>,
    },
    /// A figure of the traffic that runs is within a bound.
    Traffic(Bound),
    /// The traffic that runs has this handler, but for comments and space around lines.
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
    /// The client ended it: Ctrl-C, a crash, another program.
    Itself,
}

impl Reason {
    /// All of them, and the word for each.
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

/// What a reply has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prints {
    /// One of these texts, as redis-cli prints them.
    Any(Vec<String>),
    /// None of these texts.
    Not(Vec<String>),
    /// An integer, or a string that is one, from the first to the second, both included; `None`: without a bound.
    Within(Option<i64>, Option<i64>),
}

impl Claim {
    /// What is wrong with it, whatever the world: a command that does not exist, writes, waits or runs a script.
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

    /// The client that it names.
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
    let told = split::quote_command(argv);
    let Ok(row) = command::find(argv) else { return Some(format!("there is no command `{told}`")) };
    if !row.takes(argv.len()) {
        return Some(format!("`{told}` has the wrong number of words"));
    }
    let reads = row.flags.contains(Flags::READONLY) || READERS.contains(&row.id());
    if row.run.address().is_none() {
        Some(format!("`{told}` is not modelled"))
    } else if row.flags.contains(Flags::BLOCKING) || command::needs_machine(argv) {
        Some(format!("`{told}` may not answer at once"))
    } else if !reads {
        Some(format!("`{told}` does not only read"))
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
