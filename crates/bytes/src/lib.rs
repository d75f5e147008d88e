//! The byte string that all crates use, cheap to clone. Every crate depends on this crate under the name `bytes`.
//!
//! Native builds use our own type, which stores short strings inline ([`short`]). The page uses the type of the `bytes` crate, which has
//! the same interface: code that distinguishes two forms at every clone and drop would make the page much larger, and a command takes
//! microseconds there either way.
#[cfg(not(target_family = "wasm"))]
pub mod short;

/// A mutable buffer that can be frozen into [`Bytes`].
pub use shared::BytesMut;

#[cfg(target_family = "wasm")]
pub use shared::Bytes;
#[cfg(not(target_family = "wasm"))]
pub use short::Bytes;
