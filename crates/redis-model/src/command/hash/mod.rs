//! Hashes: `fields` works on named fields, `whole` on all or random fields.
mod fields;
mod whole;

use super::{Command, Deprecation, Flags, Group, KeyFlags, KeySpec, Run};

pub(super) static COMMANDS: &[Command] = &[
    fields::HDEL,
    fields::HEXISTS,
    fields::HGET,
    whole::HGETALL,
    fields::HINCRBY,
    fields::HINCRBYFLOAT,
    whole::HKEYS,
    whole::HLEN,
    fields::HMGET,
    fields::HMSET,
    whole::HRANDFIELD,
    whole::HSCAN,
    fields::HSET,
    fields::HSETNX,
    fields::HSTRLEN,
    whole::HVALS,
];
