//! A whole hash: its size, all fields and values, random fields, scanning.
use resp::Value as Reply;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{
    Answer, Ctx, Error,
    command::{random, scan},
    value::hash::Hash,
};

pub(super) const HLEN: Command = Command {
    name: "hlen",
    summary: "Get the number of fields in a hash",
    since: "2.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::RO)],
    syntax: "key#0",
    run: Run::Call(hlen),
    ..Command::of(Group::Hash)
};

fn hlen(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Answer::int(ctx.read::<Hash>(ctx.arg(1))?.map_or(0, Hash::len)))
}

pub(super) const HKEYS: Command = Command {
    name: "hkeys",
    summary: "Get all the fields in a hash",
    since: "2.0.0",
    complexity: "O(N) where N is the size of the hash.",
    arity: 2,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output_order"],
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0",
    run: Run::Call(hkeys),
    ..Command::of(Group::Hash)
};

pub(super) const HVALS: Command = Command {
    name: "hvals",
    summary: "Get all the values in a hash",
    since: "2.0.0",
    complexity: "O(N) where N is the size of the hash.",
    arity: 2,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output_order"],
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0",
    run: Run::Call(hvals),
    ..Command::of(Group::Hash)
};

pub(super) const HGETALL: Command = Command {
    name: "hgetall",
    summary: "Get all the fields and values in a hash",
    since: "2.0.0",
    complexity: "O(N) where N is the size of the hash.",
    arity: 2,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output_order"],
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0",
    run: Run::Call(hgetall),
    ..Command::of(Group::Hash)
};

fn hkeys(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let hash = ctx.read::<Hash>(ctx.arg(1))?;
    Ok(Reply::Array(hash.into_iter().flatten().map(|(field, _)| Reply::Bulk(field.clone())).collect()).into())
}

fn hvals(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let hash = ctx.read::<Hash>(ctx.arg(1))?;
    Ok(Reply::Array(hash.into_iter().flatten().map(|(_, value)| Reply::Bulk(value.clone())).collect()).into())
}

fn hgetall(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let hash = ctx.read::<Hash>(ctx.arg(1))?;
    let pairs = hash.into_iter().flatten();
    let pairs = pairs.map(|(field, value)| (Reply::Bulk(field.clone()), Reply::Bulk(value.clone())));
    Ok(Reply::Map(pairs.collect()).into())
}

pub(super) const HRANDFIELD: Command = Command {
    name: "hrandfield",
    summary: "Get one or multiple random fields from a hash",
    since: "6.2.0",
    complexity: "O(N) where N is the number of fields returned",
    arity: -2,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output"],
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 [options{count:int [WITHVALUES]}]",
    run: Run::Call(hrandfield),
    ..Command::of(Group::Hash)
};

fn hrandfield(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let key = ctx.arg(1);
    if ctx.argv.len() == 2 {
        let Some(hash) = ctx.read::<Hash>(key)?.cloned() else { return Ok(Reply::Null.into()) };
        let field = hash.nth(ctx.rng().index(hash.len()));
        return Ok(field.map_or(Reply::Null, |(field, _)| Reply::Bulk(field.clone())).into());
    }
    let count = random::signed_count(ctx, 2)?;
    let is_with_values = match ctx.args_from(3) {
        [] => false,
        [word] if word.eq_ignore_ascii_case(b"withvalues") => true,
        _ => return Err(Error::Syntax),
    };
    // A field and its value are two elements of the reply, and the number of elements must fit into
    // a C `long`.
    if is_with_values && count.unsigned_abs() > i64::MAX.unsigned_abs() / 2 {
        return Err(Error::Text("ERR value is out of range"));
    }
    let Some(hash) = ctx.read::<Hash>(key)?.cloned() else { return Ok(Reply::Array(Vec::new()).into()) };
    let picked = random::indices(ctx, hash.len(), count)?;
    let pairs = picked.into_iter().filter_map(|index| hash.nth(index));
    let mut reply = Vec::new();
    for (field, value) in pairs {
        let (field, value) = (Reply::Bulk(field.clone()), Reply::Bulk(value.clone()));
        match (is_with_values, ctx.is_resp3()) {
            (false, _) => reply.push(field),
            (true, false) => reply.extend([field, value]),
            (true, true) => reply.push(Reply::Array(vec![field, value])),
        }
    }
    Ok(Reply::Array(reply).into())
}

pub(super) const HSCAN: Command = Command {
    name: "hscan",
    summary: "Incrementally iterate hash fields and associated values",
    since: "2.8.0",
    complexity: "O(1) for every call. O(N) for a complete iteration, including enough command calls for the cursor to return back to 0. N is the number of elements inside the collection..",
    arity: -3,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output"],
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 cursor:int [MATCH=pattern:pattern] [COUNT=count:int]",
    run: Run::Call(hscan),
    ..Command::of(Group::Hash)
};

fn hscan(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let cursor = scan::cursor(ctx.arg(2))?;
    let words = ctx.args_from(3);
    let Some(hash) = ctx.read::<Hash>(ctx.arg(1))? else { return Ok(scan::reply(0, Vec::new())) };
    let options = scan::Options::parse(words)?;
    let mut found = Vec::new();
    let next = options.walk(cursor, |cursor, seen| {
        hash.scan(cursor, |field, value| {
            *seen = seen.saturating_add(1);
            if options.matches(field) {
                found.extend([Reply::Bulk(field.clone()), Reply::Bulk(value.clone())]);
            }
        })
    });
    Ok(scan::reply(next, found))
}
