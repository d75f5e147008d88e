//! Finding and deleting keys, and their types: `DEL UNLINK EXISTS TOUCH TYPE KEYS RANDOMKEY`.
use resp::Value as Reply;

use super::{Categories, Command, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{
    Answer, Ctx, Error, Notify,
    lazyfree::Freeing,
    value::{Value, glob},
};

pub(super) const DEL: Command = Command {
    name: "del",
    summary: "Delete a key",
    since: "1.0.0",
    complexity: "O(N) where N is the number of keys that will be removed. When a key to remove holds a value other than a string, the individual complexity for this key is O(M) where M is the number of elements in the list, set, sorted set or hash. Removing a single key that holds a string value is O(1).",
    arity: -2,
    flags: Flags::WRITE,
    tips: &["request_policy:multi_shard", "response_policy:agg_sum"],
    keys: &[KeySpec::rest(1, KeyFlags::RM.union(KeyFlags::DELETE))],
    syntax: "key#0...",
    run: Run::Call(del),
    ..Command::of(Group::Generic)
};

fn del(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    delete_all(ctx, Freeing::User)
}

fn delete_all(ctx: &mut Ctx<'_>, freeing: Freeing) -> Result<Answer, Error> {
    let mut count = 0usize;
    for key in ctx.args_from(1) {
        if ctx.delete_for(key, freeing) {
            ctx.notify(Notify::GENERIC, "del", key);
            count = count.saturating_add(1);
        }
    }
    Ok(Answer::int(count))
}

pub(super) const UNLINK: Command = Command {
    name: "unlink",
    summary: "Delete a key asynchronously in another thread. Otherwise it is just as DEL, but non blocking.",
    since: "4.0.0",
    complexity: "O(1) for each key removed regardless of its size. Then the command does O(N) work in a different thread in order to reclaim memory, where N is the number of allocations the deleted objects where composed of.",
    arity: -2,
    flags: Flags::FAST_WRITE,
    tips: &["request_policy:multi_shard", "response_policy:agg_sum"],
    keys: &[KeySpec::rest(1, KeyFlags::RM.union(KeyFlags::DELETE))],
    syntax: "key#0...",
    run: Run::Call(unlink),
    ..Command::of(Group::Generic)
};

/// Redis frees the value in another thread here; to clients, this looks the same as `DEL`.
fn unlink(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    delete_all(ctx, Freeing::Always)
}

pub(super) const EXISTS: Command = Command {
    name: "exists",
    summary: "Determine if a key exists",
    since: "1.0.0",
    complexity: "O(N) where N is the number of keys to check.",
    arity: -2,
    flags: Flags::FAST_READ,
    tips: &["request_policy:multi_shard", "response_policy:agg_sum"],
    history: &[("3.0.3", "Accepts multiple `key` arguments.")],
    keys: &[KeySpec::rest(1, KeyFlags::RO)],
    syntax: "key#0...",
    run: Run::Call(exists),
    ..Command::of(Group::Generic)
};

fn exists(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Answer::int(ctx.args_from(1).iter().filter(|key| ctx.read_untouched(key).is_some()).count()))
}

pub(super) const TOUCH: Command = Command {
    name: "touch",
    summary: "Alters the last access time of a key(s). Returns the number of existing keys specified.",
    since: "3.2.1",
    complexity: "O(N) where N is the number of keys that will be touched.",
    arity: -2,
    flags: Flags::FAST_READ,
    tips: &["request_policy:multi_shard", "response_policy:agg_sum"],
    keys: &[KeySpec::rest(1, KeyFlags::RO)],
    syntax: "key#0...",
    run: Run::Call(touch),
    ..Command::of(Group::Generic)
};

fn touch(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Answer::int(ctx.args_from(1).iter().filter(|key| ctx.read_any(key).is_some()).count()))
}

pub(super) const TYPE: Command = Command {
    name: "type",
    summary: "Determine the type stored at key",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::RO)],
    syntax: "key#0",
    run: Run::Call(type_),
    ..Command::of(Group::Generic)
};

fn type_(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Reply::simple(ctx.read_untouched(ctx.arg(1)).map_or("none", Value::type_name)).into())
}

pub(super) const KEYS: Command = Command {
    name: "keys",
    summary: "Find all keys matching the given pattern",
    since: "1.0.0",
    complexity: "O(N) with N being the number of keys in the database, under the assumption that the key names in the database and the given pattern have limited length.",
    arity: 2,
    flags: Flags::READONLY,
    categories: Categories::KEYSPACE.union(Categories::DANGEROUS),
    tips: &["request_policy:all_shards", "nondeterministic_output_order"],
    syntax: "pattern:pattern",
    run: Run::Call(keys),
    ..Command::of(Group::Generic)
};

fn keys(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let pattern = ctx.arg(1);
    // Only the pattern `*` matches an empty key.
    let is_all = pattern.as_ref() == b"*";
    let now_ms = ctx.now_ms();
    let db = ctx.db();
    let found = db.entries().keys().filter(|key| is_all || glob::matches(pattern, key, false));
    let found = found.filter(|key| !db.is_expired(key, now_ms)).cloned().map(Reply::Bulk).collect();
    Ok(Reply::Array(found).into())
}

pub(super) const RANDOMKEY: Command = Command {
    name: "randomkey",
    summary: "Return a random key from the keyspace",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 1,
    flags: Flags::READONLY,
    tips: &["request_policy:all_shards", "nondeterministic_output"],
    run: Run::Call(randomkey),
    ..Command::of(Group::Generic)
};

/// Number of draws after which an expired key is answered: while clients are paused, expired keys are not deleted, and there may be no
/// other keys. Redis 7.0 would draw forever; 7.2.8 has this bound.
const DRAWS_MAX: usize = 100;

fn randomkey(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let db = ctx.db_index();
    for draw in 1.. {
        let len = ctx.db().len();
        let pick = ctx.rng().index(len);
        let Some((key, _)) = ctx.db().entries().nth(pick) else { return Ok(Reply::Null.into()) };
        let key = key.clone();
        // An expired key is deleted, so the next draw has fewer keys.
        if !ctx.server.expire_if_due(db, &key) || ctx.server.pause.is_some() && draw >= DRAWS_MAX {
            return Ok(Reply::Bulk(key).into());
        }
    }
    Ok(Reply::Null.into())
}
