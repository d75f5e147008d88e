//! Sets: `members` adds, removes and tests members, `random` draws members, `algebra` combines
//! sets.
mod algebra;
mod members;
mod random;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{
    Ctx,
    value::{limits::Limits, set::Set},
};
use bytes::Bytes;
use resp::Value as Reply;

pub(super) static COMMANDS: &[Command] = &[
    members::SADD,
    members::SCARD,
    algebra::SDIFF,
    algebra::SDIFFSTORE,
    algebra::SINTER,
    algebra::SINTERCARD,
    algebra::SINTERSTORE,
    members::SISMEMBER,
    members::SMEMBERS,
    members::SMISMEMBER,
    members::SMOVE,
    random::SPOP,
    random::SRANDMEMBER,
    members::SREM,
    members::SSCAN,
    algebra::SUNION,
    algebra::SUNIONSTORE,
];

/// All members as a reply: a set in RESP3.
fn whole(set: &Set) -> Reply {
    Reply::Set(set.iter().map(Reply::Bulk).collect())
}

/// Collects a new set. It starts as an intset, independent of the encodings of the source sets.
fn collect(members: impl Iterator<Item = Bytes>, limits: &Limits) -> Set {
    let mut set = Set::default();
    for member in members {
        set.insert(member, limits);
    }
    set
}

/// Called after members were removed: deletes the key of an empty set.
fn shrunk(ctx: &mut Ctx<'_>, key: &Bytes) {
    // Deleting the key has already notified `WATCH`.
    if !ctx.remove_if_empty::<Set>(key) {
        ctx.modified(key);
    }
}
