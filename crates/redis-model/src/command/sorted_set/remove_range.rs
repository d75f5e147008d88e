//! Removing a range: `ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREMRANGEBYLEX`.
use std::ops::Range;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run, range::rank_bounds};
use crate::{Answer, Ctx, Error, Notify, value::zset::ZSet};

pub(super) const ZREMRANGEBYRANK: Command = Command {
    name: "zremrangebyrank",
    summary: "Remove all members in a sorted set within the given indexes",
    since: "2.0.0",
    complexity: "O(log(N)+M) with N being the number of elements in the sorted set and M the number of elements removed by the operation.",
    arity: 4,
    flags: Flags::WRITE,
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::DELETE))],
    syntax: "key#0 start:int stop:int",
    run: Run::Call(zremrangebyrank),
    ..Command::of(Group::SortedSet)
};

fn zremrangebyrank(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (first, last) = (ctx.int(2)?, ctx.int(3)?);
    remove(ctx, "zremrangebyrank", |zset| rank_bounds(first, last, zset.len(), false))
}

pub(super) const ZREMRANGEBYSCORE: Command = Command {
    name: "zremrangebyscore",
    summary: "Remove all members in a sorted set within the given scores",
    since: "1.2.0",
    complexity: "O(log(N)+M) with N being the number of elements in the sorted set and M the number of elements removed by the operation.",
    arity: 4,
    flags: Flags::WRITE,
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::DELETE))],
    syntax: "key#0 min:double max:double",
    run: Run::Call(zremrangebyscore),
    ..Command::of(Group::SortedSet)
};

fn zremrangebyscore(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let range = ctx.score_range(2, 3)?;
    remove(ctx, "zremrangebyscore", |zset| zset.ranks_by_score(&range))
}

pub(super) const ZREMRANGEBYLEX: Command = Command {
    name: "zremrangebylex",
    summary: "Remove all members in a sorted set between the given lexicographical range",
    since: "2.8.9",
    complexity: "O(log(N)+M) with N being the number of elements in the sorted set and M the number of elements removed by the operation.",
    arity: 4,
    flags: Flags::WRITE,
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::DELETE))],
    syntax: "key#0 min max",
    run: Run::Call(zremrangebylex),
    ..Command::of(Group::SortedSet)
};

fn zremrangebylex(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let range = ctx.lex_range(2, 3)?;
    remove(ctx, "zremrangebylex", |zset| zset.ranks_by_lex(&range))
}

fn remove(ctx: &mut Ctx<'_>, event: &'static str, ranks: impl Fn(&ZSet) -> Range<usize>) -> Result<Answer, Error> {
    let key = ctx.arg(1);
    let Some(zset) = ctx.write::<ZSet>(key)? else { return Ok(Answer::int(0)) };
    let ranks = ranks(zset);
    let removed = zset.remove_range(ranks);
    if removed > 0 {
        ctx.modified(key);
        ctx.notify(Notify::ZSET, event, key);
        ctx.remove_if_empty::<ZSet>(key);
    }
    Ok(Answer::int(removed))
}
