//! Parts of a string: `APPEND STRLEN GETRANGE SUBSTR SETRANGE`.
use bytes::Bytes;
use resp::Value as Reply;

use super::{Command, Deprecation, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{
    Answer, Ctx, Error, Notify,
    value::{Value, string::Str},
};

pub(super) const APPEND: Command = Command {
    name: "append",
    summary: "Append a value to a key",
    since: "2.0.0",
    complexity: "O(1). The amortized time complexity is O(1) assuming the appended value is small and the already present value is of any size, since the dynamic string library used by Redis will double the free space available on every reallocation.",
    arity: 3,
    flags: Flags::FAST_GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::INSERT))],
    syntax: "key#0 value",
    run: Run::Call(append),
    ..Command::of(Group::String)
};

fn append(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (key, tail) = (ctx.arg(1), ctx.arg(2));
    let len = match ctx.peek::<Str>(key)?.map(Str::len) {
        None => {
            ctx.add(key, Value::String(Str::new(tail.clone())));
            tail.len()
        }
        Some(before) => {
            let len = before.saturating_add(tail.len());
            ctx.reserve(len as u64)?;
            if let Some(string) = ctx.write::<Str>(key)? {
                string.append(tail);
            }
            len
        }
    };
    ctx.modified(key);
    ctx.notify(Notify::STRING, "append", key);
    Ok(Answer::int(len))
}

pub(super) const STRLEN: Command = Command {
    name: "strlen",
    summary: "Get the length of the value stored in a key",
    since: "2.2.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::RO)],
    syntax: "key#0",
    run: Run::Call(strlen),
    ..Command::of(Group::String)
};

fn strlen(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Answer::int(ctx.read::<Str>(ctx.arg(1))?.map_or(0, Str::len)))
}

pub(super) const GETRANGE: Command = Command {
    name: "getrange",
    summary: "Get a substring of the string stored at a key",
    since: "2.4.0",
    complexity: "O(N) where N is the length of the returned string. The complexity is ultimately determined by the returned length, but because creating a substring from an existing string is very cheap, it can be considered O(1) for small strings.",
    arity: 4,
    flags: Flags::READONLY,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 start:int end:int",
    run: Run::Call(getrange),
    ..Command::of(Group::String)
};

fn getrange(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (start, end) = (ctx.int(2)?, ctx.int(3)?);
    let part = match ctx.read::<Str>(ctx.arg(1))? {
        Some(string) => slice(string, start, end),
        None => Bytes::new(),
    };
    Ok(Reply::Bulk(part).into())
}

pub(super) const SUBSTR: Command = Command {
    name: "substr",
    summary: "Get a substring of the string stored at a key",
    since: "1.0.0",
    complexity: "O(N) where N is the length of the returned string. The complexity is ultimately determined by the returned length, but because creating a substring from an existing string is very cheap, it can be considered O(1) for small strings.",
    arity: 4,
    flags: Flags::READONLY,
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation { since: "2.0.0", replaced_by: "`GETRANGE`" }),
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 start:int end:int",
    run: Run::Call(substr),
    ..Command::of(Group::String)
};

fn substr(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    getrange(ctx)
}

/// The bytes from `start` to `end`, both inclusive, negative ones counted from the end; clamped to the string.
fn slice(string: &Str, start: i64, end: i64) -> Bytes {
    // Redis compares before it clamps: two negative indices in the wrong order give an empty string, never the first byte.
    if start < 0 && end < 0 && start > end {
        return Bytes::new();
    }
    let len = string.len();
    let from_start = |index: i64| {
        let distance = usize::try_from(index.unsigned_abs()).unwrap_or(usize::MAX);
        if index < 0 { len.saturating_sub(distance) } else { distance }
    };
    let (start, end) = (from_start(start), from_start(end).min(len.saturating_sub(1)));
    if start > end { Bytes::new() } else { string.slice(start..end.saturating_add(1)) }
}

pub(super) const SETRANGE: Command = Command {
    name: "setrange",
    summary: "Overwrite part of a string at key starting at the specified offset",
    since: "2.2.0",
    complexity: "O(1), not counting the time taken to copy the new string in place. Usually, this string is very small so the amortized complexity is O(1). Otherwise, complexity is O(M) with M being the length of the value argument.",
    arity: 4,
    flags: Flags::GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::UPDATE))],
    syntax: "key#0 offset:int value",
    run: Run::Call(setrange),
    ..Command::of(Group::String)
};

fn setrange(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (key, patch) = (ctx.arg(1), ctx.arg(3));
    let offset = u64::try_from(ctx.int(2)?).map_err(|_| Error::OffsetOutOfRange)?;
    let before = ctx.peek::<Str>(key)?.map(Str::len);
    if patch.is_empty() {
        return Ok(Answer::int(before.unwrap_or(0)));
    }
    ctx.reserve(offset.saturating_add(patch.len() as u64))?;
    if before.is_none() {
        ctx.add(key, Value::String(Str::Raw(Bytes::new().into())));
    }
    let offset = usize::try_from(offset).map_err(|_| Error::StringTooLong)?;
    let len = match ctx.write::<Str>(key)? {
        Some(string) => {
            string.set_range(offset, patch);
            string.len()
        }
        None => 0,
    };
    ctx.modified(key);
    ctx.notify(Notify::STRING, "setrange", key);
    Ok(Answer::int(len))
}
