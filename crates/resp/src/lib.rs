//! RESP2 and RESP3, the protocols that Redis speaks: one value type for both, encoding, decoding, and how redis-cli shows a value.
pub mod cli;
pub mod decimal;
pub mod decode;
pub mod encode;
pub mod split;
pub mod value;

pub use value::Value;

/// The protocol version of a connection. `HELLO` switches it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Protocol {
    /// RESP2, the version of a connection before `HELLO 3`.
    #[default]
    Resp2,
    /// RESP3: maps, sets, doubles, booleans, pushes.
    Resp3,
}
