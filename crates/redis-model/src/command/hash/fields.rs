//! Named fields of a hash: setting, reading, deleting, incrementing.
use bytes::Bytes;
use resp::Value as Reply;

use super::{Command, Deprecation, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{
    Answer, Ctx, Error, Notify,
    value::{hash::Hash, long_double::LongDouble, number},
};

pub(super) const HSET: Command = Command {
    name: "hset",
    summary: "Set the string value of a hash field",
    since: "2.0.0",
    complexity: "O(1) for each field/value pair added, so O(N) to add N field/value pairs when the command is called with multiple field/value pairs.",
    arity: -4,
    flags: Flags::FAST_GROWING_WRITE,
    history: &[("4.0.0", "Accepts multiple `field` and `value` arguments.")],
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::UPDATE))],
    syntax: "key#0 field_value{field value}...",
    run: Run::Call(hset),
    ..Command::of(Group::Hash)
};

pub(super) const HMSET: Command = Command {
    name: "hmset",
    summary: "Set multiple hash fields to multiple values",
    since: "2.0.0",
    complexity: "O(N) where N is the number of fields being set.",
    arity: -4,
    flags: Flags::FAST_GROWING_WRITE,
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation { since: "4.0.0", replaced_by: "`HSET` with multiple field-value pairs" }),
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::UPDATE))],
    syntax: "key#0 field_value{field value}...",
    run: Run::Call(hmset),
    ..Command::of(Group::Hash)
};

fn hset(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    set_pairs(ctx).map(Answer::int)
}

fn hmset(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    set_pairs(ctx).map(|_| Answer::OK)
}

/// Sets pairs of fields and values; returns the number of new fields.
fn set_pairs(ctx: &mut Ctx<'_>) -> Result<usize, Error> {
    let key = ctx.arg(1);
    let (pairs, rest) = ctx.args_from(2).as_chunks::<2>();
    // The arity cannot express "an even number of words".
    if !rest.is_empty() {
        return Err(Error::Arity(ctx.command.full_name()));
    }
    let limits = ctx.limits();
    let hash = ctx.write_or_new::<Hash>(key)?;
    let mut created = 0usize;
    for [field, value] in pairs {
        let is_new = hash.insert(field.clone(), value.clone(), &limits).is_none();
        created = created.saturating_add(usize::from(is_new));
    }
    ctx.reply_stands_here();
    ctx.modified(key);
    ctx.notify(Notify::HASH, "hset", key);
    Ok(created)
}

pub(super) const HSETNX: Command = Command {
    name: "hsetnx",
    summary: "Set the value of a hash field, only if the field does not exist",
    since: "2.0.0",
    complexity: "O(1)",
    arity: 4,
    flags: Flags::FAST_GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::INSERT))],
    syntax: "key#0 field value",
    run: Run::Call(hsetnx),
    ..Command::of(Group::Hash)
};

fn hsetnx(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (key, field, value) = (ctx.arg(1), ctx.arg(2), ctx.arg(3));
    if ctx.peek::<Hash>(key)?.is_some_and(|hash| hash.contains(field)) {
        return Ok(Answer::int(0));
    }
    put(ctx, key, field, value.clone(), "hset")?;
    Ok(Answer::int(1))
}

/// Sets one field and sends the event.
fn put(ctx: &mut Ctx<'_>, key: &Bytes, field: &Bytes, value: Bytes, event: &'static str) -> Result<(), Error> {
    let limits = ctx.limits();
    ctx.write_or_new::<Hash>(key)?.insert(field.clone(), value, &limits);
    ctx.reply_stands_here();
    ctx.modified(key);
    ctx.notify(Notify::HASH, event, key);
    Ok(())
}

pub(super) const HGET: Command = Command {
    name: "hget",
    summary: "Get the value of a hash field",
    since: "2.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 field",
    run: Run::Call(hget),
    ..Command::of(Group::Hash)
};

fn hget(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let field = ctx.arg(2);
    let value = ctx.read::<Hash>(ctx.arg(1))?.and_then(|hash| hash.get(field));
    Ok(value_reply(value).into())
}

fn value_reply(value: Option<&Bytes>) -> Reply {
    value.map_or(Reply::Null, |value| Reply::Bulk(value.clone()))
}

pub(super) const HMGET: Command = Command {
    name: "hmget",
    summary: "Get the values of all the given hash fields",
    since: "2.0.0",
    complexity: "O(N) where N is the number of fields being requested.",
    arity: -3,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 field...",
    run: Run::Call(hmget),
    ..Command::of(Group::Hash)
};

fn hmget(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let fields = ctx.args_from(2);
    let hash = ctx.read::<Hash>(ctx.arg(1))?;
    let values = fields.iter().map(|field| value_reply(hash.and_then(|hash| hash.get(field))));
    Ok(Reply::Array(values.collect()).into())
}

pub(super) const HEXISTS: Command = Command {
    name: "hexists",
    summary: "Determine if a hash field exists",
    since: "2.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::RO)],
    syntax: "key#0 field",
    run: Run::Call(hexists),
    ..Command::of(Group::Hash)
};

fn hexists(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let field = ctx.arg(2);
    Ok(Answer::flag(ctx.read::<Hash>(ctx.arg(1))?.is_some_and(|hash| hash.contains(field))))
}

pub(super) const HSTRLEN: Command = Command {
    name: "hstrlen",
    summary: "Get the length of the value of a hash field",
    since: "3.2.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::RO)],
    syntax: "key#0 field",
    run: Run::Call(hstrlen),
    ..Command::of(Group::Hash)
};

fn hstrlen(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let field = ctx.arg(2);
    let value = ctx.read::<Hash>(ctx.arg(1))?.and_then(|hash| hash.get(field));
    Ok(Answer::int(value.map_or(0, Bytes::len)))
}

pub(super) const HDEL: Command = Command {
    name: "hdel",
    summary: "Delete one or more hash fields",
    since: "2.0.0",
    complexity: "O(N) where N is the number of fields to be removed.",
    arity: -3,
    flags: Flags::FAST_WRITE,
    history: &[("2.4.0", "Accepts multiple `field` arguments.")],
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::DELETE))],
    syntax: "key#0 field...",
    run: Run::Call(hdel),
    ..Command::of(Group::Hash)
};

fn hdel(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (key, fields) = (ctx.arg(1), ctx.args_from(2));
    let Some(hash) = ctx.peek::<Hash>(key)? else { return Ok(Answer::int(0)) };
    // Write access copies a shared hash, so it is taken only if there is a field to remove.
    if !fields.iter().any(|field| hash.contains(field)) {
        return Ok(Answer::int(0));
    }
    let Some(hash) = ctx.write::<Hash>(key)? else { return Ok(Answer::int(0)) };
    let deleted = fields.iter().filter(|field| hash.remove(field).is_some()).count();
    ctx.notify(Notify::HASH, "hdel", key);
    if !ctx.remove_if_empty::<Hash>(key) {
        ctx.modified(key);
    }
    Ok(Answer::int(deleted))
}

pub(super) const HINCRBY: Command = Command {
    name: "hincrby",
    summary: "Increment the integer value of a hash field by the given number",
    since: "2.0.0",
    complexity: "O(1)",
    arity: 4,
    flags: Flags::FAST_GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::MODIFY)],
    syntax: "key#0 field increment:int",
    run: Run::Call(hincrby),
    ..Command::of(Group::Hash)
};

fn hincrby(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (key, field) = (ctx.arg(1), ctx.arg(2));
    let increment = ctx.int(3)?;
    let current = match ctx.peek::<Hash>(key)?.and_then(|hash| hash.get(field)) {
        Some(text) => number::parse_i64(text).ok_or(Error::Text("ERR hash value is not an integer"))?,
        None => 0,
    };
    let sum = current.checked_add(increment).ok_or(Error::IncrementOverflow)?;
    put(ctx, key, field, Bytes::from(sum.to_string()), "hincrby")?;
    Ok(Answer::int(sum))
}

pub(super) const HINCRBYFLOAT: Command = Command {
    name: "hincrbyfloat",
    summary: "Increment the float value of a hash field by the given amount",
    since: "2.6.0",
    complexity: "O(1)",
    arity: 4,
    flags: Flags::FAST_GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::MODIFY)],
    syntax: "key#0 field increment:double",
    run: Run::Call(hincrbyfloat),
    ..Command::of(Group::Hash)
};

fn hincrbyfloat(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (key, field) = (ctx.arg(1), ctx.arg(2));
    let increment = LongDouble::parse(ctx.arg(3)).ok_or(Error::NotFloat)?;
    if increment.is_infinite() {
        return Err(Error::Text("ERR value is NaN or Infinity"));
    }
    let current = match ctx.peek::<Hash>(key)?.and_then(|hash| hash.get(field)) {
        Some(text) => LongDouble::parse(text).ok_or(Error::Text("ERR hash value is not a float"))?,
        None => LongDouble::from(0),
    };
    let sum = current.checked_add(increment).ok_or(Error::NanOrInfinity)?;
    let text = Bytes::from(sum.to_string());
    put(ctx, key, field, text.clone(), "hincrbyfloat")?;
    Ok(Reply::Bulk(text).into())
}
