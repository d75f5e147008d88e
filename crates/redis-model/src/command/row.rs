//! What a command's row says of it: name, arity, flags, keys, arguments, documentation, handler.
//!
//! Everything that speaks *about* commands (`COMMAND`, `COMMAND DOCS`, arity checks, ACL
//! categories, completion, syntax hints, help) reads these rows and nothing else.
use bitflags::bitflags;

use super::Arg;
use crate::{Answer, Ctx, Error};

/// A handler: parses and checks everything first, then mutates. An `Err` has changed nothing.
pub type Handler = fn(&mut Ctx<'_>) -> Result<Answer, Error>;

/// (container or empty, name)
pub type CommandId = (&'static str, &'static str);

/// What runs when the command is called.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    /// This handler.
    Call(Handler),
    /// One of its subcommands.
    Container,
    /// One of its subcommands, or this handler when none is named.
    ContainerOr(Handler),
    /// Known by name, not modelled: answers one clear error.
    NotModelled,
}

impl Run {
    /// The address of the handler, if there is one: where a program is loaded in parts, it tells whether the handler is there yet.
    pub fn address(self) -> Option<usize> {
        match self {
            Run::Call(handler) | Run::ContainerOr(handler) => Some(handler as usize),
            Run::Container | Run::NotModelled => None,
        }
    }
}

/// One row of the command table.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// Lower-case name; of a subcommand only its own part (`kill` of `client|kill`).
    pub name: &'static str,
    /// Name of the container of a subcommand (`client`); empty otherwise.
    pub container: &'static str,
    /// One line on what it does, as `COMMAND DOCS` prints it.
    pub summary: &'static str,
    /// Redis version that brought it.
    pub since: &'static str,
    /// Family, as in `COMMAND DOCS`.
    pub group: Group,
    /// Documented complexity; empty for containers.
    pub complexity: &'static str,
    /// Number of words with the name; negative: at least that many.
    pub arity: i32,
    /// Flags as `COMMAND INFO` prints them, `movablekeys` aside, which follows from `keys`.
    pub flags: Flags,
    /// ACL categories beyond those that follow from `flags`.
    pub categories: Categories,
    /// Hints to client libraries.
    pub tips: &'static [&'static str],
    /// (version, what changed).
    pub history: &'static [(&'static str, &'static str)],
    /// `deprecated`, `syscmd` …
    pub doc_flags: &'static [&'static str],
    /// Since when and by what it is replaced.
    pub deprecated: Option<Deprecation>,
    /// Where its keys stand.
    pub keys: &'static [KeySpec],
    /// Its arguments in order, the name aside, in the notation of `argument.rs`; read by `args`.
    pub syntax: &'static str,
    /// Subcommands of a container.
    pub subcommands: &'static [Command],
    /// What runs.
    pub run: Run,
}

impl Command {
    /// A row to fill in: `Command { name: …, ..Command::BLANK }`.
    pub const BLANK: Command = Command {
        name: "",
        container: "",
        summary: "",
        since: "",
        group: Group::Generic,
        complexity: "",
        arity: 1,
        flags: Flags::empty(),
        categories: Categories::empty(),
        tips: &[],
        history: &[],
        doc_flags: &[],
        deprecated: None,
        keys: &[],
        syntax: "",
        subcommands: &[],
        run: Run::NotModelled,
    };

    /// Does a call with this many words (name included, as the client sent it) satisfy the arity?
    pub const fn takes(&self, words: usize) -> bool {
        let least = self.arity.unsigned_abs() as usize;
        if self.arity < 0 { words >= least } else { words == least }
    }

    /// `get`, `client|kill`
    pub fn full_name(&self) -> String {
        if self.container.is_empty() { self.name.to_owned() } else { format!("{}|{}", self.container, self.name) }
    }

    /// Its arguments in order, the name aside.
    pub fn args(&self) -> Vec<Arg> {
        Arg::read(self.syntax)
    }

    /// Container and name: what statistics are kept by.
    pub const fn id(&self) -> CommandId {
        (self.container, self.name)
    }

    /// The subcommand of that name, in any case.
    pub fn subcommand(&self, name: &[u8]) -> Option<&'static Command> {
        self.subcommands.iter().find(|sub| sub.name.as_bytes().eq_ignore_ascii_case(name))
    }
}

/// `deprecated_since` and `replaced_by` of `COMMAND DOCS`.
#[derive(Clone, Copy, Debug)]
pub struct Deprecation {
    /// Redis version.
    pub since: &'static str,
    /// What to use in its place.
    pub replaced_by: &'static str,
}

/// Family of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Group {
    Bitmap,
    Cluster,
    Connection,
    Generic,
    Geo,
    Hash,
    Hyperloglog,
    List,
    Pubsub,
    Scripting,
    Server,
    Set,
    SortedSet,
    Stream,
    String,
    Transactions,
}

impl Group {
    /// The name in `COMMAND DOCS`.
    pub const fn name(self) -> &'static str {
        match self {
            Group::Bitmap => "bitmap",
            Group::Cluster => "cluster",
            Group::Connection => "connection",
            Group::Generic => "generic",
            Group::Geo => "geo",
            Group::Hash => "hash",
            Group::Hyperloglog => "hyperloglog",
            Group::List => "list",
            Group::Pubsub => "pubsub",
            Group::Scripting => "scripting",
            Group::Server => "server",
            Group::Set => "set",
            Group::SortedSet => "sorted-set",
            Group::Stream => "stream",
            Group::String => "string",
            Group::Transactions => "transactions",
        }
    }
}

bitflags! {
    /// Command flags; the lower-case name is what `COMMAND INFO` prints.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Flags: u32 {
        #[allow(missing_docs)]
        const WRITE = 1;
        #[allow(missing_docs)]
        const READONLY = 1 << 1;
        #[allow(missing_docs)]
        const DENYOOM = 1 << 2;
        #[allow(missing_docs)]
        const MODULE = 1 << 3;
        #[allow(missing_docs)]
        const ADMIN = 1 << 4;
        #[allow(missing_docs)]
        const PUBSUB = 1 << 5;
        #[allow(missing_docs)]
        const NOSCRIPT = 1 << 6;
        #[allow(missing_docs)]
        const BLOCKING = 1 << 8;
        #[allow(missing_docs)]
        const LOADING = 1 << 9;
        #[allow(missing_docs)]
        const STALE = 1 << 10;
        #[allow(missing_docs)]
        const SKIP_MONITOR = 1 << 11;
        #[allow(missing_docs)]
        const SKIP_SLOWLOG = 1 << 12;
        #[allow(missing_docs)]
        const ASKING = 1 << 13;
        #[allow(missing_docs)]
        const FAST = 1 << 14;
        #[allow(missing_docs)]
        const NO_AUTH = 1 << 15;
        #[allow(missing_docs)]
        const MAY_REPLICATE = 1 << 16;
        #[allow(missing_docs)]
        const NO_ASYNC_LOADING = 1 << 19;
        #[allow(missing_docs)]
        const NO_MULTI = 1 << 20;
        #[allow(missing_docs)]
        const NO_MANDATORY_KEYS = 1 << 21;
        #[allow(missing_docs)]
        const ALLOW_BUSY = 1 << 22;
    }

    /// ACL categories; the lower-case name with `@` is what `COMMAND INFO` prints.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Categories: u32 {
        #[allow(missing_docs)]
        const KEYSPACE = 1;
        #[allow(missing_docs)]
        const READ = 1 << 1;
        #[allow(missing_docs)]
        const WRITE = 1 << 2;
        #[allow(missing_docs)]
        const SET = 1 << 3;
        #[allow(missing_docs)]
        const SORTEDSET = 1 << 4;
        #[allow(missing_docs)]
        const LIST = 1 << 5;
        #[allow(missing_docs)]
        const HASH = 1 << 6;
        #[allow(missing_docs)]
        const STRING = 1 << 7;
        #[allow(missing_docs)]
        const BITMAP = 1 << 8;
        #[allow(missing_docs)]
        const HYPERLOGLOG = 1 << 9;
        #[allow(missing_docs)]
        const GEO = 1 << 10;
        #[allow(missing_docs)]
        const STREAM = 1 << 11;
        #[allow(missing_docs)]
        const PUBSUB = 1 << 12;
        #[allow(missing_docs)]
        const ADMIN = 1 << 13;
        #[allow(missing_docs)]
        const FAST = 1 << 14;
        #[allow(missing_docs)]
        const SLOW = 1 << 15;
        #[allow(missing_docs)]
        const BLOCKING = 1 << 16;
        #[allow(missing_docs)]
        const DANGEROUS = 1 << 17;
        #[allow(missing_docs)]
        const CONNECTION = 1 << 18;
        #[allow(missing_docs)]
        const TRANSACTION = 1 << 19;
        #[allow(missing_docs)]
        const SCRIPTING = 1 << 20;
    }

    /// What a command does with the keys of one specification.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct KeyFlags: u32 {
        #[allow(missing_docs)]
        const RO = 1;
        #[allow(missing_docs)]
        const RW = 1 << 1;
        #[allow(missing_docs)]
        const OW = 1 << 2;
        #[allow(missing_docs)]
        const RM = 1 << 3;
        #[allow(missing_docs)]
        const ACCESS = 1 << 4;
        #[allow(missing_docs)]
        const UPDATE = 1 << 5;
        #[allow(missing_docs)]
        const INSERT = 1 << 6;
        #[allow(missing_docs)]
        const DELETE = 1 << 7;
        #[allow(missing_docs)]
        const NOT_KEY = 1 << 8;
        #[allow(missing_docs)]
        const INCOMPLETE = 1 << 9;
        #[allow(missing_docs)]
        const VARIABLE_FLAGS = 1 << 10;
    }
}

/// Where some of a command's keys stand (Redis' "key specifications").
#[derive(Clone, Copy, Debug)]
pub struct KeySpec {
    /// A remark on `flags`; often empty.
    pub notes: &'static str,
    /// What happens to these keys.
    pub flags: KeyFlags,
    /// Where to begin looking.
    pub begin: Begin,
    /// How to go on from there.
    pub find: Find,
}

/// The usual ones, so that a row reads like its syntax. Positions count words; the name is word 0.
impl KeySpec {
    /// One key, at this word.
    pub const fn one(at: usize, flags: KeyFlags) -> KeySpec {
        KeySpec { notes: "", flags, begin: Begin::Index(at), find: Find::Range { last: 0, step: 1, limit: 0 } }
    }

    /// This word and all behind it.
    pub const fn rest(at: usize, flags: KeyFlags) -> KeySpec {
        KeySpec { notes: "", flags, begin: Begin::Index(at), find: Find::Range { last: -1, step: 1, limit: 0 } }
    }

    /// As many as this word says, behind it.
    pub const fn counted(at: usize, flags: KeyFlags) -> KeySpec {
        KeySpec { notes: "", flags, begin: Begin::Index(at), find: Find::Keynum { index: 0, first: 1, step: 1 } }
    }
}

/// Where the keys of a specification begin.
#[derive(Clone, Copy, Debug)]
pub enum Begin {
    /// At this word (the name is word 0).
    Index(usize),
    /// After this keyword, searched from this word on (from the end when negative).
    Keyword(&'static str, i32),
    /// Not to be told from the words alone.
    Unknown,
}

/// How the keys of a specification go on from their beginning.
#[derive(Clone, Copy, Debug)]
pub enum Find {
    /// Up to `last` words further (negative: counted from the end), every `step`th; `limit` cuts
    /// the rest to a fraction when `last` is -1.
    Range {
        /// Offset of the last key.
        last: i32,
        /// Distance between keys.
        step: usize,
        /// 0 or 1: no limit; n: the first 1/n of what remains.
        limit: usize,
    },
    /// A count stands at `index`, the first key at `first`.
    Keynum {
        /// Offset of the count.
        index: usize,
        /// Offset of the first key.
        first: usize,
        /// Distance between keys.
        step: usize,
    },
    /// Not to be told from the words alone.
    Unknown,
}
