//! The row of a command: name, arity, flags, keys, arguments, documentation, handler.
//!
//! Everything that needs information *about* commands (`COMMAND`, `COMMAND DOCS`, arity checks, ACL categories, completion, syntax hints,
//! help) reads only these rows.
use bitflags::bitflags;

use super::Arg;
use crate::{Answer, Ctx, Error};

/// A handler: parses and checks everything first, then mutates. A handler that returns `Err` has changed nothing.
pub type Handler = fn(&mut Ctx<'_>) -> Result<Answer, Error>;

/// (container, name); the container is empty for a command that is not a subcommand.
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
    /// Known by name but not modelled: every call gets [`Error::NotModelled`].
    NotModelled,
}

impl Run {
    /// The address of the handler, if there is one. In a program that is loaded in parts, it shows whether the handler is loaded yet.
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
    /// Lower-case name; for a subcommand only its own part (`kill` of `client|kill`).
    pub name: &'static str,
    /// For a subcommand, the name of its container (`client`); otherwise empty.
    pub container: &'static str,
    /// One-line summary, as `COMMAND DOCS` prints it.
    pub summary: &'static str,
    /// Redis version that introduced the command.
    pub since: &'static str,
    /// Group, as in `COMMAND DOCS`.
    pub group: Group,
    /// Documented complexity; empty for containers.
    pub complexity: &'static str,
    /// Number of words, name included; if negative, the minimum number.
    pub arity: i32,
    /// Flags as `COMMAND INFO` prints them, except `movablekeys`, which is derived from `keys`.
    pub flags: Flags,
    /// ACL categories in addition to those derived from `flags`.
    pub categories: Categories,
    /// Hints for client libraries, as `COMMAND INFO` prints them.
    pub tips: &'static [&'static str],
    /// (version, what changed).
    pub history: &'static [(&'static str, &'static str)],
    /// `deprecated`, `syscmd` …
    pub doc_flags: &'static [&'static str],
    /// Since when the command is deprecated, and what replaces it.
    pub deprecated: Option<Deprecation>,
    /// The positions of the keys.
    pub keys: &'static [KeySpec],
    /// The arguments in order, without the name, in the notation of `argument.rs`; parsed by [`Command::args`].
    pub syntax: &'static str,
    /// Subcommands of a container.
    pub subcommands: &'static [Command],
    /// What runs when the command is called.
    pub run: Run,
}

impl Command {
    /// A row of a group to fill in: `Command { name: …, ..Command::of(Group::String) }`. It has the group's ACL categories.
    pub const fn of(group: Group) -> Command {
        Command::within("", group)
    }

    /// A row of a container's subcommand to fill in.
    pub const fn within(container: &'static str, group: Group) -> Command {
        Command {
            name: "",
            container,
            summary: "",
            since: "",
            group,
            complexity: "",
            arity: 1,
            flags: Flags::empty(),
            categories: group.categories(),
            tips: &[],
            history: &[],
            doc_flags: &[],
            deprecated: None,
            keys: &[],
            syntax: "",
            subcommands: &[],
            run: Run::NotModelled,
        }
    }

    /// Does a call with this many words (name included) satisfy the arity?
    pub const fn takes(&self, words: usize) -> bool {
        let least = self.arity.unsigned_abs() as usize;
        if self.arity < 0 { words >= least } else { words == least }
    }

    /// The name with its container, as in `get` or `client|kill`.
    pub fn full_name(&self) -> String {
        if self.container.is_empty() { self.name.to_owned() } else { format!("{}|{}", self.container, self.name) }
    }

    /// The arguments in order, without the name.
    pub fn args(&self) -> Vec<Arg> {
        Arg::read(self.syntax)
    }

    /// Container and name: the key of the command statistics.
    pub const fn id(&self) -> CommandId {
        (self.container, self.name)
    }

    /// The subcommand with this name, in any case.
    pub fn subcommand(&self, name: &[u8]) -> Option<&'static Command> {
        self.subcommands.iter().find(|sub| sub.name.as_bytes().eq_ignore_ascii_case(name))
    }
}

/// `deprecated_since` and `replaced_by` of `COMMAND DOCS`.
#[derive(Clone, Copy, Debug)]
pub struct Deprecation {
    /// Redis version that deprecated the command.
    pub since: &'static str,
    /// The replacement, as text for people.
    pub replaced_by: &'static str,
}

/// Group of a command.
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

    /// The ACL categories of nearly all its commands, in addition to those derived from their flags.
    const fn categories(self) -> Categories {
        match self {
            Group::Bitmap => Categories::BITMAP,
            Group::Connection => Categories::CONNECTION,
            Group::Generic => Categories::KEYSPACE,
            Group::Geo => Categories::GEO,
            Group::Hash => Categories::HASH,
            Group::Hyperloglog => Categories::HYPERLOGLOG,
            Group::List => Categories::LIST,
            Group::Scripting => Categories::SCRIPTING,
            Group::Set => Categories::SET,
            Group::SortedSet => Categories::SORTEDSET,
            Group::Stream => Categories::STREAM,
            Group::String => Categories::STRING,
            Group::Transactions => Categories::TRANSACTION,
            Group::Cluster | Group::Pubsub | Group::Server => Categories::empty(),
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

    /// How a command uses the keys of one key specification.
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

/// Common sets of flags. They are not named in `bitflags!`, so `COMMAND INFO` prints the flags that they consist of.
impl Flags {
    /// Reads in constant or logarithmic time.
    pub const FAST_READ: Flags = Flags::READONLY.union(Flags::FAST);
    /// Writes in constant or logarithmic time, and needs no memory.
    pub const FAST_WRITE: Flags = Flags::WRITE.union(Flags::FAST);
    /// May need memory, so it is refused when there is none.
    pub const GROWING_WRITE: Flags = Flags::WRITE.union(Flags::DENYOOM);
    /// Both.
    pub const FAST_GROWING_WRITE: Flags = Flags::GROWING_WRITE.union(Flags::FAST);
    /// Answered while the server loads its data, and by a replica that has lost its master.
    pub const ANYTIME: Flags = Flags::LOADING.union(Flags::STALE);
    /// About the client's own connection: not for scripts.
    pub const CLIENT_ANYTIME: Flags = Flags::NOSCRIPT.union(Flags::ANYTIME);
    /// For administrators, not for scripts.
    pub const ADMIN_ANYTIME: Flags = Flags::ADMIN.union(Flags::CLIENT_ANYTIME);
    /// For administrators, but not while the server loads its data from its master.
    pub const ADMIN_STALE: Flags = Flags::ADMIN.union(Flags::STALE).union(Flags::NO_ASYNC_LOADING);
}

/// Common uses of a key.
impl KeyFlags {
    /// Returns the value, or something about it.
    pub const READ: KeyFlags = KeyFlags::RO.union(KeyFlags::ACCESS);
    /// Returns what it removes.
    pub const TAKE: KeyFlags = KeyFlags::RW.union(KeyFlags::ACCESS).union(KeyFlags::DELETE);
    /// Returns what it changes.
    pub const MODIFY: KeyFlags = KeyFlags::RW.union(KeyFlags::ACCESS).union(KeyFlags::UPDATE);
    /// Replaces the value without reading it.
    pub const OVERWRITE: KeyFlags = KeyFlags::OW.union(KeyFlags::UPDATE);
}

/// The positions of some or all keys of a command (a "key specification" in Redis).
#[derive(Clone, Copy, Debug)]
pub struct KeySpec {
    /// A remark on `flags`; often empty.
    pub notes: &'static str,
    /// How the command uses these keys.
    pub flags: KeyFlags,
    /// How to find the first key.
    pub begin: Begin,
    /// How to find the other keys from there.
    pub find: Find,
}

/// Constructors of the common specifications. Positions count words; the name is word 0.
impl KeySpec {
    /// One key, at word `at`.
    pub const fn one(at: usize, flags: KeyFlags) -> KeySpec {
        KeySpec::range(at, 0, 1, flags)
    }

    /// Word `at` and all words after it.
    pub const fn rest(at: usize, flags: KeyFlags) -> KeySpec {
        KeySpec::range(at, -1, 1, flags)
    }

    /// Every `step`th word from `at` up to `last` words further; if negative, `last` counts from the end.
    pub const fn range(at: usize, last: i32, step: usize, flags: KeyFlags) -> KeySpec {
        KeySpec { notes: "", flags, begin: Begin::Index(at), find: Find::Range { last, step, limit: 0 } }
    }

    /// The same with a remark on its flags.
    pub const fn noted(self, notes: &'static str) -> KeySpec {
        KeySpec { notes, ..self }
    }

    /// Word `at` is the number of keys; the keys follow it.
    pub const fn counted(at: usize, flags: KeyFlags) -> KeySpec {
        KeySpec { notes: "", flags, begin: Begin::Index(at), find: Find::Keynum { index: 0, first: 1, step: 1 } }
    }
}

/// How to find the first key of a specification.
#[derive(Clone, Copy, Debug)]
pub enum Begin {
    /// The key is at this word (the name is word 0).
    Index(usize),
    /// The key follows this keyword, searched forwards from this word (backwards from the end if negative).
    Keyword(&'static str, i32),
    /// Cannot be computed from the words alone.
    Unknown,
}

/// How to find the keys of a specification, given the first one.
#[derive(Clone, Copy, Debug)]
pub enum Find {
    /// Every `step`th word up to `last` words further (counted from the end if negative); `limit` takes only a fraction of the remaining
    /// words if `last` is -1.
    Range {
        /// Offset of the last key.
        last: i32,
        /// Distance between keys.
        step: usize,
        /// 0 or 1: no limit; n: the first 1/n of the remaining words.
        limit: usize,
    },
    /// The number of keys is at `index`, the first key at `first`; both are offsets.
    Keynum {
        /// Offset of the count.
        index: usize,
        /// Offset of the first key.
        first: usize,
        /// Distance between keys.
        step: usize,
    },
    /// Cannot be computed from the words alone.
    Unknown,
}
