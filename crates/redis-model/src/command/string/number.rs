//! Strings as numbers: `INCR DECR INCRBY DECRBY INCRBYFLOAT`.
use bytes::Bytes;
use resp::Value as Reply;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{
    Answer, Ctx, Error, Notify,
    value::{Value, long_double::LongDouble, string::Str},
};

pub(super) const INCR: Command = Command {
    name: "incr",
    summary: "Increment the integer value of a key by one",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::FAST_GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::MODIFY)],
    syntax: "key#0",
    run: Run::Call(incr),
    ..Command::of(Group::String)
};

fn incr(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    add(ctx, 1)
}

pub(super) const DECR: Command = Command {
    name: "decr",
    summary: "Decrement the integer value of a key by one",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::FAST_GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::MODIFY)],
    syntax: "key#0",
    run: Run::Call(decr),
    ..Command::of(Group::String)
};

fn decr(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    add(ctx, -1)
}

pub(super) const INCRBY: Command = Command {
    name: "incrby",
    summary: "Increment the integer value of a key by the given amount",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::FAST_GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::MODIFY)],
    syntax: "key#0 increment:int",
    run: Run::Call(incrby),
    ..Command::of(Group::String)
};

fn incrby(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    add(ctx, ctx.int(2)?)
}

pub(super) const DECRBY: Command = Command {
    name: "decrby",
    summary: "Decrement the integer value of a key by the given number",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::FAST_GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::MODIFY)],
    syntax: "key#0 decrement:int",
    run: Run::Call(decrby),
    ..Command::of(Group::String)
};

fn decrby(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    add(ctx, ctx.int(2)?.checked_neg().ok_or(Error::DecrementOverflow)?)
}

fn add(ctx: &mut Ctx<'_>, increment: i64) -> Result<Answer, Error> {
    let key = ctx.arg(1);
    let before = match ctx.peek::<Str>(key)? {
        Some(string) => string.as_i64().ok_or(Error::NotInteger)?,
        None => 0,
    };
    let sum = before.checked_add(increment).ok_or(Error::IncrementOverflow)?;
    ctx.set_keeping_ttl(key, Value::String(Str::from(sum)));
    ctx.notify(Notify::STRING, "incrby", key);
    Ok(Answer::int(sum))
}

pub(super) const INCRBYFLOAT: Command = Command {
    name: "incrbyfloat",
    summary: "Increment the float value of a key by the given amount",
    since: "2.6.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::FAST_GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::MODIFY)],
    syntax: "key#0 increment:double",
    run: Run::Call(incrbyfloat),
    ..Command::of(Group::String)
};

fn incrbyfloat(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let key = ctx.arg(1);
    let before = match ctx.peek::<Str>(key)? {
        Some(Str::Int(integer)) => LongDouble::from(*integer),
        Some(string) => string.with_bytes(LongDouble::parse).ok_or(Error::NotFloat)?,
        None => LongDouble::from(0),
    };
    let increment = LongDouble::parse(ctx.arg(2)).ok_or(Error::NotFloat)?;
    let sum = before.checked_add(increment).ok_or(Error::NanOrInfinity)?;
    let text = Bytes::from(sum.to_string());
    // Redis stores the printed text, never an integer.
    ctx.set_keeping_ttl(key, Value::String(Str::plain(text.clone())));
    ctx.notify(Notify::STRING, "incrbyfloat", key);
    Ok(Reply::Bulk(text).into())
}
