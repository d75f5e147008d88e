//! The values that keys hold: pure data structures with Redis' encodings, knowing nothing of servers or commands.
pub mod limits;
pub mod table;
pub mod tree;

pub use limits::Limits;
pub use table::Table;
pub use tree::Tree;
pub mod glob;
pub mod hash;
pub mod list;
pub mod number;
pub mod set;
pub mod string;
pub mod zset;
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    String(string::Str),
    List(std::sync::Arc<list::List>),
    Set(std::sync::Arc<set::Set>),
    Hash(std::sync::Arc<hash::Hash>),
    ZSet(std::sync::Arc<zset::ZSet>),
}
impl Value {
    pub fn memory(&self) -> usize {
        0
    }
    pub fn type_name(&self) -> &'static str {
        "string"
    }
}
