//! The values that keys hold: pure data structures with Redis' encodings, knowing nothing of servers or commands.
pub mod limits;
pub mod table;
pub mod tree;

pub use limits::Limits;
pub use table::Table;
pub use tree::Tree;
