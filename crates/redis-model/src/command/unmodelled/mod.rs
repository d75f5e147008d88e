//! Commands of Redis 7.0 that the model knows by name, but cannot run yet: they are listed, documented, completed and
//! their arity is checked, and then they answer one clear error ([`crate::Error::NotModelled`]).
//!
//! Recipe: to model one, move its row into the file of its family and give it a `run`.
mod cluster;
mod persistence;
mod replication;
mod security;

use super::Command;

/// The rows, family by family.
pub(super) static FAMILIES: &[&[Command]] =
    &[cluster::COMMANDS, persistence::COMMANDS, replication::COMMANDS, security::COMMANDS];
