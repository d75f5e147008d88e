//! Removing the lowest or highest members: `ZPOPMIN ZPOPMAX ZMPOP`, and the blocking forms `BZPOPMIN BZPOPMAX BZMPOP`.
use bytes::Bytes;
use resp::Value as Reply;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run, members_reply};
use crate::{
    Answer, Ctx, Error, Notify,
    ctx::is_word,
    value::{number, zset::ZSet},
};

/// The end to pop from.
#[derive(Clone, Copy)]
enum End {
    Min,
    Max,
}

pub(super) const ZPOPMIN: Command = Command {
    name: "zpopmin",
    summary: "Remove and return members with the lowest scores in a sorted set",
    since: "5.0.0",
    complexity: "O(log(N)*M) with N being the number of elements in the sorted set, and M being the number of elements popped.",
    arity: -2,
    flags: Flags::FAST_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::TAKE)],
    syntax: "key#0 [count:int]",
    run: Run::Call(zpopmin),
    ..Command::of(Group::SortedSet)
};

fn zpopmin(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    pop_one_key(ctx, End::Min)
}

pub(super) const ZPOPMAX: Command = Command {
    name: "zpopmax",
    summary: "Remove and return members with the highest scores in a sorted set",
    since: "5.0.0",
    complexity: "O(log(N)*M) with N being the number of elements in the sorted set, and M being the number of elements popped.",
    arity: -2,
    flags: Flags::FAST_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::TAKE)],
    syntax: "key#0 [count:int]",
    run: Run::Call(zpopmax),
    ..Command::of(Group::SortedSet)
};

fn zpopmax(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    pop_one_key(ctx, End::Max)
}

fn pop_one_key(ctx: &mut Ctx<'_>, end: End) -> Result<Answer, Error> {
    if ctx.argv.len() > 3 {
        return Err(Error::Syntax);
    }
    let count = match ctx.argv.get(2) {
        None => None,
        Some(word) => Some(positive(word, 0).ok_or(Error::NotPositive)?),
    };
    let key = ctx.arg(1);
    let members = match ctx.peek::<ZSet>(key)? {
        None => Vec::new(),
        Some(_) => take(ctx, key, end, count.unwrap_or(1))?,
    };
    let is_nested = ctx.is_resp3() && count.is_some();
    Ok(members_reply(members.into_iter(), true, is_nested).into())
}

pub(super) const ZMPOP: Command = Command {
    name: "zmpop",
    summary: "Remove and return members with scores in a sorted set",
    since: "7.0.0",
    complexity: "O(K) + O(M*log(N)) where K is the number of provided keys, N being the number of elements in the sorted set, and M being the number of elements popped.",
    arity: -4,
    flags: Flags::WRITE,
    keys: &[KeySpec::counted(1, KeyFlags::TAKE)],
    syntax: "numkeys:int key#0... where(MIN|MAX) [COUNT=count:int]",
    run: Run::Call(zmpop),
    ..Command::of(Group::SortedSet)
};

fn zmpop(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let query = Query::parse(ctx, 1)?;
    let popped = pop_first(ctx, query.keys, query.end, query.count)?;
    Ok(popped.map_or(Reply::NullArray, |(key, members)| nested(key, members)).into())
}

pub(super) const BZMPOP: Command = Command {
    name: "bzmpop",
    summary: "Remove and return members with scores in a sorted set or block until one is available",
    since: "7.0.0",
    complexity: "O(K) + O(M*log(N)) where K is the number of provided keys, N being the number of elements in the sorted set, and M being the number of elements popped.",
    arity: -5,
    flags: Flags::WRITE.union(Flags::BLOCKING),
    keys: &[KeySpec::counted(2, KeyFlags::TAKE)],
    syntax: "timeout:double numkeys:int key#0... where(MIN|MAX) [COUNT=count:int]",
    run: Run::Call(bzmpop),
    ..Command::of(Group::SortedSet)
};

fn bzmpop(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let query = Query::parse(ctx, 2)?;
    let deadline_ms = ctx.timeout_seconds(1)?;
    let keys = ctx.keys_to_serve(query.keys);
    Ok(match pop_first(ctx, &keys, query.end, query.count)? {
        Some((key, members)) => {
            looks_before_it_waits(ctx, &key);
            nested(key, members).into()
        }
        None => ctx.block_on::<ZSet>(query.keys, deadline_ms, Reply::NullArray),
    })
}

pub(super) const BZPOPMIN: Command = Command {
    name: "bzpopmin",
    summary: "Remove and return the member with the lowest score from one or more sorted sets, or block until one is available",
    since: "5.0.0",
    complexity: "O(log(N)) with N being the number of elements in the sorted set.",
    arity: -3,
    flags: Flags::WRITE.union(Flags::NOSCRIPT).union(Flags::BLOCKING).union(Flags::FAST),
    history: &[("6.0.0", "`timeout` is interpreted as a double instead of an integer.")],
    keys: &[KeySpec::range(1, -2, 1, KeyFlags::TAKE)],
    syntax: "key#0... timeout:double",
    run: Run::Call(bzpopmin),
    ..Command::of(Group::SortedSet)
};

fn bzpopmin(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    pop_or_block(ctx, End::Min)
}

pub(super) const BZPOPMAX: Command = Command {
    name: "bzpopmax",
    summary: "Remove and return the member with the highest score from one or more sorted sets, or block until one is available",
    since: "5.0.0",
    complexity: "O(log(N)) with N being the number of elements in the sorted set.",
    arity: -3,
    flags: Flags::WRITE.union(Flags::NOSCRIPT).union(Flags::BLOCKING).union(Flags::FAST),
    history: &[("6.0.0", "`timeout` is interpreted as a double instead of an integer.")],
    keys: &[KeySpec::range(1, -2, 1, KeyFlags::TAKE)],
    syntax: "key#0... timeout:double",
    run: Run::Call(bzpopmax),
    ..Command::of(Group::SortedSet)
};

fn bzpopmax(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    pop_or_block(ctx, End::Max)
}

fn pop_or_block(ctx: &mut Ctx<'_>, end: End) -> Result<Answer, Error> {
    let deadline_ms = ctx.timeout_seconds(ctx.argv.len().saturating_sub(1))?;
    let (_, keys) = ctx.args_from(1).split_last().ok_or(Error::Syntax)?;
    let served = ctx.keys_to_serve(keys);
    let Some((key, members)) = pop_first(ctx, &served, end, 1)? else {
        return Ok(ctx.block_on::<ZSet>(keys, deadline_ms, Reply::NullArray));
    };
    looks_before_it_waits(ctx, &key);
    let pairs = members.into_iter().flat_map(|(member, score)| [Reply::Bulk(member), Reply::Double(score)]);
    Ok(Reply::Array(std::iter::once(Reply::Bulk(key)).chain(pairs).collect()).into())
}

/// A blocking command first looks the key up to decide whether to block, then pops like the non-blocking one: one more look-up.
fn looks_before_it_waits(ctx: &mut Ctx<'_>, key: &Bytes) {
    if !ctx.is_woken() {
        ctx.looks_again(key);
    }
}

/// A parsed `ZMPOP` or `BZMPOP`.
struct Query<'a> {
    keys: &'a [Bytes],
    end: End,
    count: usize,
}

impl<'a> Query<'a> {
    /// Parses the number of keys at word `at`, and the words after it.
    fn parse(ctx: &Ctx<'a>, at: usize) -> Result<Query<'a>, Error> {
        let keys = positive(ctx.arg(at), 1).ok_or(Error::NotGreaterThanZero("numkeys"))?;
        let words = ctx.args_from(at.saturating_add(1));
        let (keys, words) = words.split_at_checked(keys).ok_or(Error::Syntax)?;
        let (end, words) = words.split_first().ok_or(Error::Syntax)?;
        let end = match end {
            _ if is_word(end, "min") => End::Min,
            _ if is_word(end, "max") => End::Max,
            _ => return Err(Error::Syntax),
        };
        let count = match words {
            [] => 1,
            [option, count, rest @ ..] if is_word(option, "count") => {
                let count = positive(count, 1).ok_or(Error::NotGreaterThanZero("count"))?;
                if !rest.is_empty() {
                    return Err(Error::Syntax);
                }
                count
            }
            _ => return Err(Error::Syntax),
        };
        Ok(Query { keys, end, count })
    }
}

/// An integer of at least `least`, capped at `usize::MAX`.
fn positive(word: &[u8], least: i64) -> Option<usize> {
    number::parse_i64(word).filter(|n| *n >= least).map(|n| usize::try_from(n).unwrap_or(usize::MAX))
}

fn nested(key: Bytes, members: Vec<(Bytes, f64)>) -> Reply {
    Reply::Array(vec![Reply::Bulk(key), members_reply(members.into_iter(), true, true)])
}

/// Pops members from the first key that has any; returns the key and the members.
#[allow(clippy::type_complexity)]
fn pop_first(
    ctx: &mut Ctx<'_>,
    keys: &[Bytes],
    end: End,
    count: usize,
) -> Result<Option<(Bytes, Vec<(Bytes, f64)>)>, Error> {
    for key in keys {
        if ctx.peek::<ZSet>(key)?.is_some() {
            return Ok(Some((key.clone(), take(ctx, key, end, count)?)));
        }
    }
    Ok(None)
}

/// Pops up to `count` members from an existing sorted set.
fn take(ctx: &mut Ctx<'_>, key: &Bytes, end: End, count: usize) -> Result<Vec<(Bytes, f64)>, Error> {
    let Some(zset) = ctx.write::<ZSet>(key)? else { return Ok(Vec::new()) };
    let mut members = Vec::new();
    while members.len() < count {
        let popped = match end {
            End::Min => zset.pop_min(),
            End::Max => zset.pop_max(),
        };
        let Some(popped) = popped else { break };
        members.push(popped);
    }
    if !members.is_empty() {
        ctx.modified(key);
        let event = match end {
            End::Min => "zpopmin",
            End::Max => "zpopmax",
        };
        ctx.notify(Notify::ZSET, event, key);
        ctx.remove_if_empty::<ZSet>(key);
    }
    Ok(members)
}
