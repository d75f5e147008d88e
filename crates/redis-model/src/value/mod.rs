//! The values that keys hold: pure data structures with Redis' encodings, independent of servers and commands.
//!
//! All of them clone in O(1): clones share their nodes, and a change copies only what it touches (see [`tree`]). Equality and hash
//! cover the contents, the encoding and everything else of a value's history that clients can observe.
use std::rc::Rc;

pub mod bits;
pub mod geohash;
pub mod glob;
pub mod hash;
pub mod hyperloglog;
pub mod intset;
pub mod limits;
pub mod list;
pub mod listpack;
pub mod long_double;
pub mod memory;
pub mod number;
pub mod range;
pub mod raw;
pub mod set;
pub mod stream;
pub mod string;
pub mod table;
pub mod tree;
pub mod trig;
pub mod zset;

pub use hash::Hash;
pub use limits::Limits;
pub use list::List;
pub use long_double::LongDouble;
pub use set::Set;
pub use stream::Stream;
pub use string::Str;
pub use table::Table;
pub use tree::Tree;
pub use zset::ZSet;

/// The value of a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Bytes, or an integer.
    String(Str),
    /// A list.
    List(Rc<List>),
    /// A set.
    Set(Rc<Set>),
    /// A hash of fields.
    Hash(Rc<Hash>),
    /// A sorted set.
    ZSet(Rc<ZSet>),
    /// A stream.
    Stream(Rc<Stream>),
}

impl Value {
    /// As `TYPE` prints it.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::String(_) => "string",
            Self::List(_) => "list",
            Self::Set(_) => "set",
            Self::Hash(_) => "hash",
            Self::ZSet(_) => "zset",
            Self::Stream(_) => "stream",
        }
    }

    /// As `OBJECT ENCODING` prints it.
    pub fn encoding(&self) -> &'static str {
        match self {
            Self::String(string) => string.encoding(),
            Self::List(list) => list.encoding(),
            Self::Set(set) => set.encoding(),
            Self::Hash(hash) => hash.encoding(),
            Self::ZSet(zset) => zset.encoding(),
            Self::Stream(stream) => stream.encoding(),
        }
    }

    /// Bytes that Redis would use for the value, its key not counted (see [`memory::key`]). O(1).
    pub fn memory(&self) -> usize {
        match self {
            Self::String(string) => string.memory(),
            Self::List(list) => list.memory(),
            Self::Set(set) => set.memory(),
            Self::Hash(hash) => hash.memory(),
            Self::ZSet(zset) => zset.memory(),
            Self::Stream(stream) => stream.memory(),
        }
    }

    /// Is it an empty collection, so that its key must be deleted? An empty stream stays, because of its last id and its groups.
    pub fn is_vacant(&self) -> bool {
        match self {
            Self::String(_) | Self::Stream(_) => false,
            Self::List(list) => list.is_empty(),
            Self::Set(set) => set.is_empty(),
            Self::Hash(hash) => hash.is_empty(),
            Self::ZSet(zset) => zset.is_empty(),
        }
    }

    /// The value that `COPY` stores in the other key. It differs only for a stream: unused memory of its nodes is not copied.
    pub fn copied(&self) -> Self {
        match self {
            Self::Stream(stream) => stream.copied().into(),
            other => other.clone(),
        }
    }

    /// Verifies the stored counts and sizes against the contents, by recounting: for tests and debug assertions. O(n).
    ///
    /// # Errors
    /// A description of the first mismatch.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::String(string) => string.check(),
            Self::List(list) => list.check(),
            Self::Set(set) => set.check(),
            Self::Hash(hash) => hash.check(),
            Self::ZSet(zset) => zset.check(),
            Self::Stream(stream) => stream.check(),
        }
    }
}

impl From<Str> for Value {
    fn from(string: Str) -> Self {
        Self::String(string)
    }
}

impl From<List> for Value {
    fn from(list: List) -> Self {
        Self::List(Rc::new(list))
    }
}

impl From<Set> for Value {
    fn from(set: Set) -> Self {
        Self::Set(Rc::new(set))
    }
}

impl From<Hash> for Value {
    fn from(hash: Hash) -> Self {
        Self::Hash(Rc::new(hash))
    }
}

impl From<ZSet> for Value {
    fn from(zset: ZSet) -> Self {
        Self::ZSet(Rc::new(zset))
    }
}

impl From<Stream> for Value {
    fn from(stream: Stream) -> Self {
        Self::Stream(Rc::new(stream))
    }
}
