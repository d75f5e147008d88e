//! Set operations: intersection, union and difference, answered, counted or stored.
use bytes::Bytes;
use resp::Value as Reply;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run, collect, whole};
use crate::{Answer, Ctx, Error, Notify, Typed, sorting, value::set::Set};

pub(super) const SINTER: Command = Command {
    name: "sinter",
    summary: "Intersect multiple sets",
    since: "1.0.0",
    complexity: "O(N*M) worst case where N is the cardinality of the smallest set and M is the number of sets.",
    arity: -2,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output_order"],
    keys: &[KeySpec::rest(1, KeyFlags::READ)],
    syntax: "key#0...",
    run: Run::Call(sinter),
    ..Command::of(Group::Set)
};

pub(super) const SINTERSTORE: Command = Command {
    name: "sinterstore",
    summary: "Intersect multiple sets and store the resulting set in a key",
    since: "1.0.0",
    complexity: "O(N*M) worst case where N is the cardinality of the smallest set and M is the number of sets.",
    arity: -3,
    flags: Flags::GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::UPDATE)), KeySpec::rest(2, KeyFlags::READ)],
    syntax: "destination#0 key#1...",
    run: Run::Call(sinterstore),
    ..Command::of(Group::Set)
};

pub(super) const SINTERCARD: Command = Command {
    name: "sintercard",
    summary: "Intersect multiple sets and return the cardinality of the result",
    since: "7.0.0",
    complexity: "O(N*M) worst case where N is the cardinality of the smallest set and M is the number of sets.",
    arity: -3,
    flags: Flags::READONLY,
    keys: &[KeySpec::counted(1, KeyFlags::READ)],
    syntax: "numkeys:int key#0... [LIMIT=limit:int]",
    run: Run::Call(sintercard),
    ..Command::of(Group::Set)
};

fn sinter(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let sets = sets_of(ctx, ctx.args_from(1))?;
    Ok(Reply::Set(Common::of(&sets).members().map(Reply::Bulk).collect()).into())
}

fn sinterstore(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let sets = sets_of(ctx, ctx.args_from(2))?;
    // If a set is missing, Redis skips the intersection: it deletes the destination first, then replies.
    if sets.contains(&None) {
        delete(ctx, ctx.arg(1));
        return Ok(Answer::int(0));
    }
    let limits = ctx.limits();
    let common = collect(Common::of(&sets).members(), &limits);
    store(ctx, common, "sinterstore")
}

fn sintercard(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let numkeys = ctx.int_at_least(1, 1, Error::NotGreaterThanZero("numkeys"))?;
    let options_at = usize::try_from(numkeys).unwrap_or(usize::MAX).saturating_add(2);
    let keys = ctx.argv.get(2..options_at).ok_or(Error::TooManyKeys)?;
    let mut limit = 0;
    let mut i = options_at;
    while i < ctx.argv.len() {
        let value_at = i.saturating_add(1);
        if !ctx.is_word(i, "limit") || value_at >= ctx.argv.len() {
            return Err(Error::Syntax);
        }
        limit = ctx.int_at_least(value_at, 0, Error::LimitNegative)?;
        i = value_at.saturating_add(1);
    }
    let most = if limit == 0 { usize::MAX } else { usize::try_from(limit).unwrap_or(usize::MAX) };
    let sets = sets_of(ctx, keys)?;
    Ok(Answer::int(Common::of(&sets).members().take(most).count()))
}

/// The intersection of several sets: the members of the smallest set that are in all others.
struct Common<'s> {
    smallest: Option<&'s Set>,
    others: Vec<&'s Set>,
}

impl<'s> Common<'s> {
    fn of(sets: &'s [Option<Set>]) -> Common<'s> {
        let mut present: Vec<&Set> = sets.iter().flatten().collect();
        // If a set is missing, the intersection is empty.
        if present.len() < sets.len() {
            present.clear();
        }
        sorting::sort_by(&mut present, |a, b| a.len().cmp(&b.len()));
        let mut sets = present.into_iter();
        Common { smallest: sets.next(), others: sets.collect() }
    }

    fn members(&self) -> impl Iterator<Item = Bytes> {
        let candidates = self.smallest.into_iter().flatten();
        candidates.filter(|member| self.others.iter().all(|set| set.contains(member)))
    }
}

pub(super) const SUNION: Command = Command {
    name: "sunion",
    summary: "Add multiple sets",
    since: "1.0.0",
    complexity: "O(N) where N is the total number of elements in all given sets.",
    arity: -2,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output_order"],
    keys: &[KeySpec::rest(1, KeyFlags::READ)],
    syntax: "key#0...",
    run: Run::Call(sunion),
    ..Command::of(Group::Set)
};

pub(super) const SUNIONSTORE: Command = Command {
    name: "sunionstore",
    summary: "Add multiple sets and store the resulting set in a key",
    since: "1.0.0",
    complexity: "O(N) where N is the total number of elements in all given sets.",
    arity: -3,
    flags: Flags::GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::OVERWRITE), KeySpec::rest(2, KeyFlags::READ)],
    syntax: "destination#0 key#1...",
    run: Run::Call(sunionstore),
    ..Command::of(Group::Set)
};

fn sunion(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let united = union_of(ctx, ctx.args_from(1))?;
    Ok(whole(&united).into())
}

fn sunionstore(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let united = union_of(ctx, ctx.args_from(2))?;
    store(ctx, united, "sunionstore")
}

fn union_of(ctx: &mut Ctx<'_>, keys: &[Bytes]) -> Result<Set, Error> {
    let sets = sets_of(ctx, keys)?;
    Ok(collect(sets.iter().flatten().flatten(), &ctx.limits()))
}

pub(super) const SDIFF: Command = Command {
    name: "sdiff",
    summary: "Subtract multiple sets",
    since: "1.0.0",
    complexity: "O(N) where N is the total number of elements in all given sets.",
    arity: -2,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output_order"],
    keys: &[KeySpec::rest(1, KeyFlags::READ)],
    syntax: "key#0...",
    run: Run::Call(sdiff),
    ..Command::of(Group::Set)
};

pub(super) const SDIFFSTORE: Command = Command {
    name: "sdiffstore",
    summary: "Subtract multiple sets and store the resulting set in a key",
    since: "1.0.0",
    complexity: "O(N) where N is the total number of elements in all given sets.",
    arity: -3,
    flags: Flags::GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::OVERWRITE), KeySpec::rest(2, KeyFlags::READ)],
    syntax: "destination#0 key#1...",
    run: Run::Call(sdiffstore),
    ..Command::of(Group::Set)
};

fn sdiff(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let left = difference_of(ctx, ctx.args_from(1))?;
    Ok(whole(&left).into())
}

fn sdiffstore(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let left = difference_of(ctx, ctx.args_from(2))?;
    store(ctx, left, "sdiffstore")
}

/// The members of the first set that are in no other set. Redis has two algorithms and takes the cheaper one: the first looks up each
/// member of the first set in the others, the second removes all members of the others from a copy of the first.
fn difference_of(ctx: &mut Ctx<'_>, keys: &[Bytes]) -> Result<Set, Error> {
    let sets = sets_of(ctx, keys)?;
    let limits = ctx.limits();
    let Some((Some(first), others)) = sets.split_first() else { return Ok(Set::default()) };
    let mut others: Vec<&Set> = others.iter().flatten().collect();
    let asking = first.len().saturating_mul(others.len().saturating_add(1)) / 2;
    let taking = others.iter().fold(first.len(), |sum, set| sum.saturating_add(set.len()));
    if asking <= taking {
        // The largest set is the most likely to contain a member.
        sorting::sort_by(&mut others, |a, b| b.len().cmp(&a.len()));
        return Ok(collect(first.iter().filter(|member| !others.iter().any(|set| set.contains(member))), &limits));
    }
    let mut left = collect(first.iter(), &limits);
    for member in others.into_iter().flatten() {
        left.remove(&member);
    }
    Ok(left)
}

/// The sets at the keys, in order; `None` for a missing key. All keys are looked up before any set is used.
fn sets_of(ctx: &mut Ctx<'_>, keys: &[Bytes]) -> Result<Vec<Option<Set>>, Error> {
    keys.iter().map(|key| Ok(ctx.read::<Set>(key)?.cloned())).collect()
}

/// Stores a result at the key in word 1, or deletes that key if the result is empty.
fn store(ctx: &mut Ctx<'_>, result: Set, event: &'static str) -> Result<Answer, Error> {
    let key = ctx.arg(1);
    let len = result.len();
    if len > 0 {
        ctx.set(key, result.wrap());
        ctx.reply_stands_here();
        ctx.notify(Notify::SET, event, key);
    } else {
        ctx.reply_stands_here();
        delete(ctx, key);
    }
    Ok(Answer::int(len))
}

fn delete(ctx: &mut Ctx<'_>, key: &Bytes) {
    if ctx.delete_unseen(key) {
        ctx.notify(Notify::GENERIC, "del", key);
    }
}
