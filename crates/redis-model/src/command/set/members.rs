//! Members of a set: adding, removing, moving, testing, listing.
use resp::Value as Reply;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run, shrunk, whole};
use crate::{Answer, Ctx, Error, Notify, command::scan, value::set::Set};

pub(super) const SADD: Command = Command {
    name: "sadd",
    summary: "Add one or more members to a set",
    since: "1.0.0",
    complexity: "O(1) for each element added, so O(N) to add N elements when the command is called with multiple arguments.",
    arity: -3,
    flags: Flags::FAST_GROWING_WRITE,
    history: &[("2.4.0", "Accepts multiple `member` arguments.")],
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::INSERT))],
    syntax: "key#0 member...",
    run: Run::Call(sadd),
    ..Command::of(Group::Set)
};

fn sadd(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (key, members, limits) = (ctx.arg(1), ctx.args_from(2), ctx.limits());
    // Write access copies a shared set, so it is taken only if there is a member to add.
    if ctx.peek::<Set>(key)?.is_some_and(|set| members.iter().all(|member| set.contains(member))) {
        return Ok(Answer::int(0));
    }
    let set = ctx.write_or_new::<Set>(key)?;
    let added = members.iter().filter(|member| set.insert((*member).clone(), &limits)).count();
    ctx.modified(key);
    ctx.notify(Notify::SET, "sadd", key);
    Ok(Answer::int(added))
}

pub(super) const SREM: Command = Command {
    name: "srem",
    summary: "Remove one or more members from a set",
    since: "1.0.0",
    complexity: "O(N) where N is the number of members to be removed.",
    arity: -3,
    flags: Flags::FAST_WRITE,
    history: &[("2.4.0", "Accepts multiple `member` arguments.")],
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::DELETE))],
    syntax: "key#0 member...",
    run: Run::Call(srem),
    ..Command::of(Group::Set)
};

fn srem(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (key, members) = (ctx.arg(1), ctx.args_from(2));
    let Some(set) = ctx.peek::<Set>(key)? else { return Ok(Answer::int(0)) };
    if !members.iter().any(|member| set.contains(member)) {
        return Ok(Answer::int(0));
    }
    let Some(set) = ctx.write::<Set>(key)? else { return Ok(Answer::int(0)) };
    let removed = members.iter().filter(|member| set.remove(member)).count();
    ctx.notify(Notify::SET, "srem", key);
    shrunk(ctx, key);
    Ok(Answer::int(removed))
}

pub(super) const SMOVE: Command = Command {
    name: "smove",
    summary: "Move a member from one set to another",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 4,
    flags: Flags::FAST_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::TAKE), KeySpec::one(2, KeyFlags::RW.union(KeyFlags::INSERT))],
    syntax: "source#0 destination#1 member",
    run: Run::Call(smove),
    ..Command::of(Group::Set)
};

fn smove(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (source, destination, member) = (ctx.arg(1), ctx.arg(2), ctx.arg(3));
    // Redis looks both keys up first: an expired destination is deleted even if the source is missing.
    ctx.exists(source);
    ctx.exists(destination);
    if source == destination {
        ctx.looks_again(source);
    }
    let Some(set) = ctx.peek::<Set>(source)? else { return Ok(Answer::int(0)) };
    let is_member = set.contains(member);
    ctx.peek::<Set>(destination)?;
    if source == destination || !is_member {
        return Ok(Answer::flag(is_member));
    }
    if let Some(set) = ctx.write::<Set>(source)? {
        set.remove(member);
    }
    ctx.notify(Notify::SET, "srem", source);
    shrunk(ctx, source);
    let limits = ctx.limits();
    if ctx.write_or_new::<Set>(destination)?.insert(member.clone(), &limits) {
        ctx.modified(destination);
        ctx.notify(Notify::SET, "sadd", destination);
    }
    Ok(Answer::int(1))
}

pub(super) const SCARD: Command = Command {
    name: "scard",
    summary: "Get the number of members in a set",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::RO)],
    syntax: "key#0",
    run: Run::Call(scard),
    ..Command::of(Group::Set)
};

fn scard(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Answer::int(ctx.read::<Set>(ctx.arg(1))?.map_or(0, Set::len)))
}

pub(super) const SISMEMBER: Command = Command {
    name: "sismember",
    summary: "Determine if a given value is a member of a set",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::RO)],
    syntax: "key#0 member",
    run: Run::Call(sismember),
    ..Command::of(Group::Set)
};

fn sismember(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let member = ctx.arg(2);
    Ok(Answer::flag(ctx.read::<Set>(ctx.arg(1))?.is_some_and(|set| set.contains(member))))
}

pub(super) const SMISMEMBER: Command = Command {
    name: "smismember",
    summary: "Returns the membership associated with the given elements for a set",
    since: "6.2.0",
    complexity: "O(N) where N is the number of elements being checked for membership",
    arity: -3,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 member...",
    run: Run::Call(smismember),
    ..Command::of(Group::Set)
};

fn smismember(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let members = ctx.args_from(2);
    let set = ctx.read::<Set>(ctx.arg(1))?;
    let flags = members.iter().map(|member| Reply::flag(set.is_some_and(|set| set.contains(member))));
    Ok(Reply::Array(flags.collect()).into())
}

pub(super) const SMEMBERS: Command = Command {
    name: "smembers",
    summary: "Get all the members in a set",
    since: "1.0.0",
    complexity: "O(N) where N is the set cardinality.",
    arity: 2,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output_order"],
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0",
    run: Run::Call(smembers),
    ..Command::of(Group::Set)
};

fn smembers(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(ctx.read::<Set>(ctx.arg(1))?.map_or(Reply::Set(Vec::new()), whole).into())
}

pub(super) const SSCAN: Command = Command {
    name: "sscan",
    summary: "Incrementally iterate Set elements",
    since: "2.8.0",
    complexity: "O(1) for every call. O(N) for a complete iteration, including enough command calls for the cursor to return back to 0. N is the number of elements inside the collection..",
    arity: -3,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output"],
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 cursor:int [MATCH=pattern:pattern] [COUNT=count:int]",
    run: Run::Call(sscan),
    ..Command::of(Group::Set)
};

fn sscan(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let cursor = scan::cursor(ctx.arg(2))?;
    let words = ctx.args_from(3);
    let Some(set) = ctx.read::<Set>(ctx.arg(1))? else { return Ok(scan::reply(0, Vec::new())) };
    let options = scan::Options::parse(words)?;
    let mut found = Vec::new();
    let next = options.walk(cursor, |cursor, seen| {
        set.scan(cursor, |member| {
            *seen = seen.saturating_add(1);
            if options.matches(&member) {
                found.push(Reply::Bulk(member));
            }
        })
    });
    Ok(scan::reply(next, found))
}
