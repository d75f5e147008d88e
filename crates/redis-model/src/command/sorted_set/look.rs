//! Reading without changes: `ZCARD ZSCORE ZMSCORE ZRANK ZREVRANK ZCOUNT ZLEXCOUNT ZRANDMEMBER ZSCAN`.
use bytes::Bytes;
use resp::Value as Reply;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run, members_reply};
use crate::{
    Answer, Ctx, Error,
    command::{random, scan},
    value::{number, zset::ZSet},
};

pub(super) const ZCARD: Command = Command {
    name: "zcard",
    summary: "Get the number of members in a sorted set",
    since: "1.2.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::RO)],
    syntax: "key#0",
    run: Run::Call(zcard),
    ..Command::of(Group::SortedSet)
};

fn zcard(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Answer::int(ctx.read::<ZSet>(ctx.arg(1))?.map_or(0, ZSet::len)))
}

pub(super) const ZSCORE: Command = Command {
    name: "zscore",
    summary: "Get the score associated with the given member in a sorted set",
    since: "1.2.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 member",
    run: Run::Call(zscore),
    ..Command::of(Group::SortedSet)
};

fn zscore(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let member = ctx.arg(2);
    Ok(score_reply(ctx.read::<ZSet>(ctx.arg(1))?, member).into())
}

pub(super) const ZMSCORE: Command = Command {
    name: "zmscore",
    summary: "Get the score associated with the given members in a sorted set",
    since: "6.2.0",
    complexity: "O(N) where N is the number of members being requested.",
    arity: -3,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 member...",
    run: Run::Call(zmscore),
    ..Command::of(Group::SortedSet)
};

fn zmscore(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let members = ctx.args_from(2);
    let zset = ctx.read::<ZSet>(ctx.arg(1))?;
    Ok(Reply::Array(members.iter().map(|member| score_reply(zset, member)).collect()).into())
}

fn score_reply(zset: Option<&ZSet>, member: &[u8]) -> Reply {
    zset.and_then(|zset| zset.score(member)).map_or(Reply::Null, Reply::Double)
}

pub(super) const ZRANK: Command = Command {
    name: "zrank",
    summary: "Determine the index of a member in a sorted set",
    since: "2.0.0",
    complexity: "O(log(N))",
    arity: 3,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 member",
    run: Run::Call(zrank),
    ..Command::of(Group::SortedSet)
};

fn zrank(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    rank(ctx, |_, rank| rank)
}

pub(super) const ZREVRANK: Command = Command {
    name: "zrevrank",
    summary: "Determine the index of a member in a sorted set, with scores ordered from high to low",
    since: "2.0.0",
    complexity: "O(log(N))",
    arity: 3,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 member",
    run: Run::Call(zrevrank),
    ..Command::of(Group::SortedSet)
};

fn zrevrank(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    rank(ctx, |len, rank| len.saturating_sub(rank).saturating_sub(1))
}

fn rank(ctx: &mut Ctx<'_>, count: fn(usize, usize) -> usize) -> Result<Answer, Error> {
    let member = ctx.arg(2);
    let zset = ctx.read::<ZSet>(ctx.arg(1))?;
    let rank = zset.and_then(|zset| Some(count(zset.len(), zset.rank(member)?)));
    Ok(rank.map_or(Reply::Null, Reply::from).into())
}

pub(super) const ZCOUNT: Command = Command {
    name: "zcount",
    summary: "Count the members in a sorted set with scores within the given values",
    since: "2.0.0",
    complexity: "O(log(N)) with N being the number of elements in the sorted set.",
    arity: 4,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 min:double max:double",
    run: Run::Call(zcount),
    ..Command::of(Group::SortedSet)
};

fn zcount(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let range = ctx.score_range(2, 3)?;
    let zset = ctx.read::<ZSet>(ctx.arg(1))?;
    Ok(Answer::int(zset.map_or(0, |zset| zset.ranks_by_score(&range).len())))
}

pub(super) const ZLEXCOUNT: Command = Command {
    name: "zlexcount",
    summary: "Count the number of members in a sorted set between a given lexicographical range",
    since: "2.8.9",
    complexity: "O(log(N)) with N being the number of elements in the sorted set.",
    arity: 4,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 min max",
    run: Run::Call(zlexcount),
    ..Command::of(Group::SortedSet)
};

fn zlexcount(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let range = ctx.lex_range(2, 3)?;
    let zset = ctx.read::<ZSet>(ctx.arg(1))?;
    Ok(Answer::int(zset.map_or(0, |zset| zset.ranks_by_lex(&range).len())))
}

pub(super) const ZRANDMEMBER: Command = Command {
    name: "zrandmember",
    summary: "Get one or multiple random elements from a sorted set",
    since: "6.2.0",
    complexity: "O(N) where N is the number of elements returned",
    arity: -2,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output"],
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 [options{count:int [WITHSCORES]}]",
    run: Run::Call(zrandmember),
    ..Command::of(Group::SortedSet)
};

fn zrandmember(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    match ctx.argv.len() {
        ..=2 => zrandmember_one(ctx),
        _ => zrandmember_many(ctx),
    }
}

fn zrandmember_one(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let Some(zset) = ctx.read::<ZSet>(ctx.arg(1))?.cloned() else { return Ok(Reply::Null.into()) };
    let rank = ctx.rng().index(zset.len());
    Ok(zset.nth(rank).map_or(Reply::Null, |(member, _)| Reply::Bulk(member.clone())).into())
}

fn zrandmember_many(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let count = random::signed_count(ctx, 2)?;
    let is_with_scores = ctx.is_word(3, "withscores");
    if ctx.argv.len() > 4 || (ctx.argv.len() == 4 && !is_with_scores) {
        return Err(Error::Syntax);
    }
    // The reply has two elements per member, and the number of elements must fit too.
    if is_with_scores && count.unsigned_abs() > i64::MAX.unsigned_abs() / 2 {
        return Err(Error::Text("ERR value is out of range"));
    }
    let Some(zset) = ctx.read::<ZSet>(ctx.arg(1))?.cloned() else { return Ok(Reply::Array(Vec::new()).into()) };
    let ranks = random::indices(ctx, zset.len(), count)?;
    // For all members, Redis walks from the tail.
    let members = ranks.into_iter().rev().filter_map(|rank| zset.nth(rank));
    let members = members.map(|(member, score)| (member.clone(), score));
    Ok(members_reply(members, is_with_scores, ctx.is_resp3()).into())
}

pub(super) const ZSCAN: Command = Command {
    name: "zscan",
    summary: "Incrementally iterate sorted sets elements and associated scores",
    since: "2.8.0",
    complexity: "O(1) for every call. O(N) for a complete iteration, including enough command calls for the cursor to return back to 0. N is the number of elements inside the collection..",
    arity: -3,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output"],
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 cursor:int [MATCH=pattern:pattern] [COUNT=count:int]",
    run: Run::Call(zscan),
    ..Command::of(Group::SortedSet)
};

fn zscan(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let cursor = scan::cursor(ctx.arg(2))?;
    let Some(zset) = ctx.read::<ZSet>(ctx.arg(1))?.cloned() else { return Ok(scan::reply(0, Vec::new())) };
    let options = scan::Options::parse(ctx.args_from(3))?;
    let text = if zset.listpack_bytes().is_some() { listpack_text } else { number::format_double };
    let mut parts = Vec::new();
    let next = options.walk(cursor, |cursor, seen| {
        zset.scan(cursor, |member, score| {
            *seen = seen.saturating_add(1);
            if options.matches(member) {
                parts.extend([Reply::Bulk(member.clone()), Reply::Bulk(Bytes::from(text(score)))]);
            }
        })
    });
    Ok(scan::reply(next, parts))
}

/// A score as stored in a listpack: an integer if it is integral and not too large, otherwise the usual text.
fn listpack_text(score: f64) -> String {
    const WHOLE_MAX: f64 = (1u64 << 62) as f64;
    if score.trunc() == score && score.abs() <= WHOLE_MAX {
        (score as i64).to_string()
    } else {
        number::format_double(score)
    }
}
