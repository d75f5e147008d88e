//! Several strings at once: `MGET MSET MSETNX`.
use std::collections::BTreeSet;

use bytes::Bytes;
use resp::Value as Reply;

use super::{Categories, Command, Flags, Group, KeyFlags, KeySpec, Run};
use crate::command::{Begin, Find};
use crate::{
    Answer, Ctx, Error, Notify,
    value::{Value, string::Str},
};

pub(super) const MGET: Command = Command {
    name: "mget",
    summary: "Get the values of all the given keys",
    since: "1.0.0",
    group: Group::String,
    complexity: "O(N) where N is the number of keys to retrieve.",
    arity: -2,
    flags: Flags::READONLY.union(Flags::FAST),
    categories: Categories::STRING,
    tips: &["request_policy:multi_shard"],
    keys: &[KeySpec::rest(1, KeyFlags::RO.union(KeyFlags::ACCESS))],
    syntax: "key#0...",
    run: Run::Call(mget),
    ..Command::BLANK
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
    group: Group::String,
    complexity: "O(N) where N is the number of keys to set.",
    arity: -3,
    flags: Flags::WRITE.union(Flags::DENYOOM),
    categories: Categories::STRING,
    tips: &["request_policy:multi_shard", "response_policy:all_succeeded"],
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::OW.union(KeyFlags::UPDATE),
        begin: Begin::Index(1),
        find: Find::Range { last: -1, step: 2, limit: 0 },
    }],
    syntax: "key_value{key#0 value}...",
    run: Run::Call(mset),
    ..Command::BLANK
};

fn mset(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    store_all(ctx, pairs(ctx)?);
    Ok(Answer::OK)
}

pub(super) const MSETNX: Command = Command {
    name: "msetnx",
    summary: "Set multiple keys to multiple values, only if none of the keys exist",
    since: "1.0.1",
    group: Group::String,
    complexity: "O(N) where N is the number of keys to set.",
    arity: -3,
    flags: Flags::WRITE.union(Flags::DENYOOM),
    categories: Categories::STRING,
    tips: &["request_policy:multi_shard", "response_policy:agg_min"],
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::OW.union(KeyFlags::INSERT),
        begin: Begin::Index(1),
        find: Find::Range { last: -1, step: 2, limit: 0 },
    }],
    syntax: "key_value{key#0 value}...",
    run: Run::Call(msetnx),
    ..Command::BLANK
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
