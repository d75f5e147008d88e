//! What a command's row says of it: name, arity, flags, keys, arguments, documentation, handler.
//!
//! Everything that speaks *about* commands (`COMMAND`, `COMMAND DOCS`, arity checks, ACL
//! categories, completion, syntax hints, help) reads these rows and nothing else.
use bitflags::bitflags;

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
    /// Its arguments in order, the name aside.
    pub args: &'static [Arg],
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
        args: &[],
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

/// One argument of a command, possibly with parts.
#[derive(Clone, Copy, Debug)]
pub struct Arg {
    /// Name in `COMMAND DOCS` and in syntax hints.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
    /// The literal word before it (or that it is).
    pub token: &'static str,
    /// Which of the row's `keys` it belongs to.
    pub key_spec: Option<usize>,
    /// Redis version that brought it, when later than the command.
    pub since: &'static str,
    /// Redis version that deprecated it.
    pub deprecated_since: &'static str,
    /// May be left out.
    pub is_optional: bool,
    /// May be repeated.
    pub is_multiple: bool,
    /// Its token is repeated with it.
    pub is_multiple_token: bool,
    /// Choices of a `oneof`, parts of a `block`.
    pub parts: &'static [Arg],
}

/// Kind of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Kind {
    String,
    Integer,
    Double,
    Key,
    Pattern,
    UnixTime,
    PureToken,
    OneOf,
    Block,
}

impl Kind {
    /// The name in `COMMAND DOCS`.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::String => "string",
            Kind::Integer => "integer",
            Kind::Double => "double",
            Kind::Key => "key",
            Kind::Pattern => "pattern",
            Kind::UnixTime => "unix-time",
            Kind::PureToken => "pure-token",
            Kind::OneOf => "oneof",
            Kind::Block => "block",
        }
    }
}

/// Builders, so that a row reads like its documentation.
#[allow(missing_docs)]
impl Arg {
    pub const fn of(kind: Kind, name: &'static str) -> Arg {
        Arg {
            name,
            kind,
            token: "",
            key_spec: None,
            since: "",
            deprecated_since: "",
            is_optional: false,
            is_multiple: false,
            is_multiple_token: false,
            parts: &[],
        }
    }
    pub const fn key(name: &'static str, key_spec: usize) -> Arg {
        Arg { key_spec: Some(key_spec), ..Arg::of(Kind::Key, name) }
    }
    pub const fn string(name: &'static str) -> Arg {
        Arg::of(Kind::String, name)
    }
    pub const fn integer(name: &'static str) -> Arg {
        Arg::of(Kind::Integer, name)
    }
    pub const fn double(name: &'static str) -> Arg {
        Arg::of(Kind::Double, name)
    }
    pub const fn key_spec(self, key_spec: usize) -> Arg {
        Arg { key_spec: Some(key_spec), ..self }
    }
    pub const fn pattern(name: &'static str) -> Arg {
        Arg::of(Kind::Pattern, name)
    }
    pub const fn unix_time(name: &'static str) -> Arg {
        Arg::of(Kind::UnixTime, name)
    }
    pub const fn flag(name: &'static str, token: &'static str) -> Arg {
        Arg { token, ..Arg::of(Kind::PureToken, name) }
    }
    pub const fn oneof(name: &'static str, parts: &'static [Arg]) -> Arg {
        Arg { parts, ..Arg::of(Kind::OneOf, name) }
    }
    pub const fn block(name: &'static str, parts: &'static [Arg]) -> Arg {
        Arg { parts, ..Arg::of(Kind::Block, name) }
    }
    pub const fn token(self, token: &'static str) -> Arg {
        Arg { token, ..self }
    }
    pub const fn since(self, since: &'static str) -> Arg {
        Arg { since, ..self }
    }
    pub const fn deprecated_since(self, deprecated_since: &'static str) -> Arg {
        Arg { deprecated_since, ..self }
    }
    pub const fn optional(self) -> Arg {
        Arg { is_optional: true, ..self }
    }
    pub const fn multiple(self) -> Arg {
        Arg { is_multiple: true, ..self }
    }
    pub const fn multiple_token(self) -> Arg {
        Arg { is_multiple_token: true, ..self }
    }
}
