//! The byte string under everything, cheap to clone. Every crate knows this one as `bytes`.
//!
//! Natively it is a type of our own, in which short ones lie in place ([`short`]). In the page it is that of the `bytes` crate,
//! which has the same interface: telling two forms apart at every clone and drop would weigh far too much, and a
//! command takes microseconds there either way.
#[cfg(not(target_family = "wasm"))]
pub mod short;

/// Bytes to be changed, and then frozen.
pub use shared::BytesMut;

#[cfg(target_family = "wasm")]
pub use shared::Bytes;
#[cfg(not(target_family = "wasm"))]
pub use short::Bytes;
