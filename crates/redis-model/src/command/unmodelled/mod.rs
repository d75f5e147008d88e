//! Commands of Redis 7.0 that the model knows by name but cannot run yet. They are listed, documented and completed, and their arity is
//! checked; a call returns [`crate::Error::NotModelled`].
//!
//! To model one, move its row to the file of its family and set `run`.
mod cluster;
mod persistence;
mod replication;
mod security;

use super::Command;

/// The rows, by family.
pub(super) static FAMILIES: &[&[Command]] =
    &[cluster::COMMANDS, persistence::COMMANDS, replication::COMMANDS, security::COMMANDS];
