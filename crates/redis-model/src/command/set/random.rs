//! Random members of a set: `SPOP` removes them, `SRANDMEMBER` keeps them.
use resp::Value as Reply;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run, collect, shrunk, whole};
use crate::{Answer, Ctx, Error, Notify, command::random, value::set::Set};

pub(super) const SPOP: Command = Command {
    name: "spop",
    summary: "Remove and return one or multiple random members from a set",
    since: "1.0.0",
    complexity: "Without the count argument O(1), otherwise O(N) where N is the value of the passed count.",
    arity: -2,
    flags: Flags::FAST_WRITE,
    tips: &["nondeterministic_output"],
    history: &[("3.2.0", "Added the `count` argument.")],
    keys: &[KeySpec::one(1, KeyFlags::TAKE)],
    syntax: "key#0 [count:int@3.2.0]",
    run: Run::Call(spop),
    ..Command::of(Group::Set)
};

fn spop(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    match ctx.args_from(2) {
        [] => pop_one(ctx),
        [_] => pop_many(ctx),
        _ => Err(Error::Syntax),
    }
}

/// If the members that stay are at most a fifth of the members to remove, Redis moves them to a new set, which may be an intset again
/// (`SPOP_MOVE_STRATEGY_MUL`).
const REBUILD_FACTOR: usize = 5;

fn pop_one(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let key = ctx.arg(1);
    let Some(len) = ctx.peek::<Set>(key)?.map(Set::len) else { return Ok(Reply::Null.into()) };
    let index = ctx.rng().index(len);
    let popped = ctx.write::<Set>(key)?.and_then(|set| set.remove_nth(index));
    ctx.notify(Notify::SET, "spop", key);
    ctx.reply_stands_here();
    shrunk(ctx, key);
    Ok(popped.map_or(Reply::Null, Reply::Bulk).into())
}

fn pop_many(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let key = ctx.arg(1);
    let count = usize::try_from(ctx.int_at_least(2, 0, Error::NotPositive)?).unwrap_or(usize::MAX);
    let len = ctx.peek::<Set>(key)?.map_or(0, Set::len);
    if len == 0 || count == 0 {
        return Ok(Reply::Set(Vec::new()).into());
    }
    ctx.notify(Notify::SET, "spop", key);
    if count >= len {
        // Redis answers with the union of this one set, which looks the key up again.
        let all = ctx.read::<Set>(key)?.cloned().unwrap_or_default();
        let reply = whole(&collect(all.iter(), &ctx.limits()));
        ctx.reply_stands_here();
        ctx.delete(key);
        ctx.notify(Notify::GENERIC, "del", key);
        return Ok(reply.into());
    }
    let indices: Vec<usize> = (0..count).map(|taken| ctx.rng().index(len.saturating_sub(taken))).collect();
    let limits = ctx.limits();
    let Some(set) = ctx.write::<Set>(key)? else { return Ok(Reply::Set(Vec::new()).into()) };
    let popped = indices.into_iter().filter_map(|index| set.remove_nth(index)).map(Reply::Bulk).collect();
    if set.len().saturating_mul(REBUILD_FACTOR) <= count {
        *set = collect(set.iter(), &limits);
    }
    ctx.modified(key);
    Ok(Reply::Set(popped).into())
}

pub(super) const SRANDMEMBER: Command = Command {
    name: "srandmember",
    summary: "Get one or multiple random members from a set",
    since: "1.0.0",
    complexity: "Without the count argument O(1), otherwise O(N) where N is the absolute value of the passed count.",
    arity: -2,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output"],
    history: &[("2.6.0", "Added the optional `count` argument.")],
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 [count:int@2.6.0]",
    run: Run::Call(srandmember),
    ..Command::of(Group::Set)
};

fn srandmember(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let key = ctx.arg(1);
    let count = match ctx.args_from(2) {
        [] => None,
        [_] => Some(random::signed_count(ctx, 2)?),
        _ => return Err(Error::Syntax),
    };
    let set = ctx.read::<Set>(key)?.cloned();
    let Some(count) = count else {
        let Some(set) = set else { return Ok(Reply::Null.into()) };
        let index = ctx.rng().index(set.len());
        return Ok(set.nth(index).map_or(Reply::Null, Reply::Bulk).into());
    };
    let set = set.unwrap_or_default();
    let indices = random::indices(ctx, set.len(), count)?;
    Ok(Reply::Array(indices.into_iter().filter_map(|index| set.nth(index)).map(Reply::Bulk).collect()).into())
}
