//! Several strings at once: `MGET MSET MSETNX`.
use std::collections::BTreeSet;

use bytes::Bytes;
use resp::Value as Reply;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{
    Answer, Ctx, Error, Notify,
    value::{Value, string::Str},
};

pub(super) const MGET: Command = Command {
    name: "mget",
    summary: "Get the values of all the given keys",
    since: "1.0.0",
    complexity: "O(N) where N is the number of keys to retrieve.",
    arity: -2,
    flags: Flags::FAST_READ,
    tips: &["request_policy:multi_shard"],
    keys: &[KeySpec::rest(1, KeyFlags::READ)],
    syntax: "key#0...",
    run: Run::Call(mget),
    ..Command::of(Group::String)
};

fn mget(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (mut replies, mut copied) = (Vec::new(), 0);
    for key in ctx.args_from(1) {
        // A key of another type counts as missing.
        let Some(Value::String(string)) = ctx.read_any(key).cloned() else {
            replies.push(Reply::Null);
            continue;
        };
        ctx.copies(&mut copied, string.len())?;
        replies.push(Reply::Bulk(string.to_bytes()));
    }
    Ok(Reply::Array(replies).into())
}

pub(super) const MSET: Command = Command {
    name: "mset",
    summary: "Set multiple keys to multiple values",
    since: "1.0.1",
    complexity: "O(N) where N is the number of keys to set.",
    arity: -3,
    flags: Flags::GROWING_WRITE,
    tips: &["request_policy:multi_shard", "response_policy:all_succeeded"],
    keys: &[KeySpec::range(1, -1, 2, KeyFlags::OVERWRITE)],
    syntax: "key_value{key#0 value}...",
    run: Run::Call(mset),
    ..Command::of(Group::String)
};

fn mset(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    store_all(ctx, pairs(ctx)?);
    Ok(Answer::OK)
}

pub(super) const MSETNX: Command = Command {
    name: "msetnx",
    summary: "Set multiple keys to multiple values, only if none of the keys exist",
    since: "1.0.1",
    complexity: "O(N) where N is the number of keys to set.",
    arity: -3,
    flags: Flags::GROWING_WRITE,
    tips: &["request_policy:multi_shard", "response_policy:agg_min"],
    keys: &[KeySpec::range(1, -1, 2, KeyFlags::OW.union(KeyFlags::INSERT))],
    syntax: "key_value{key#0 value}...",
    run: Run::Call(msetnx),
    ..Command::of(Group::String)
};

fn msetnx(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let pairs = pairs(ctx)?;
    if pairs.iter().any(|(key, _)| ctx.exists(key)) {
        return Ok(Answer::flag(false));
    }
    store_all(ctx, pairs);
    Ok(Answer::flag(true))
}

/// The arguments as pairs of key and value.
fn pairs<'a>(ctx: &Ctx<'a>) -> Result<Vec<(&'a Bytes, &'a Bytes)>, Error> {
    let (pairs, rest) = ctx.args_from(1).as_chunks::<2>();
    if !rest.is_empty() {
        return Err(Error::Arity(ctx.command.full_name()));
    }
    Ok(pairs.iter().map(|[key, value]| (key, value)).collect())
}

fn store_all(ctx: &mut Ctx<'_>, pairs: Vec<(&Bytes, &Bytes)>) {
    let (counts_uses, mut seen) = (ctx.counts_uses(), BTreeSet::new());
    for (key, value) in pairs {
        if counts_uses && !seen.insert(key) {
            ctx.looks_again(key);
        }
        ctx.set(key, Value::String(Str::new(value.clone())));
        ctx.notify(Notify::STRING, "set", key);
    }
}
