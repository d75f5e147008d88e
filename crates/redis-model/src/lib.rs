//! One Redis server as a deterministic state machine: (state, now, input) → (state, outputs).
//!
//! Architecture invariant: nothing here reads a clock, a random device, a file or a socket; nothing
//! iterates in an order that is not a function of contents and seed.
pub mod value;
