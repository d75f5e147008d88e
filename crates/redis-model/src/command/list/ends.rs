//! Both ends of a list: pushing, popping, moving from one end to another.
use resp::Value as Reply;

use super::{
    Command, Deprecation, End, Flags, Group, KeyFlags, KeySpec, PopMany, Run, list_to_grow, move_element, take,
    take_one,
};
use crate::{Answer, Ctx, Error, Notify, value::list::List};

pub(super) const LPUSH: Command = Command {
    name: "lpush",
    summary: "Prepend one or multiple elements to a list",
    since: "1.0.0",
    complexity: "O(1) for each element added, so O(N) to add N elements when the command is called with multiple arguments.",
    arity: -3,
    flags: Flags::FAST_GROWING_WRITE,
    history: &[("2.4.0", "Accepts multiple `element` arguments.")],
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::INSERT))],
    syntax: "key#0 element...",
    run: Run::Call(lpush),
    ..Command::of(Group::List)
};

pub(super) const RPUSH: Command = Command {
    name: "rpush",
    summary: "Append one or multiple elements to a list",
    since: "1.0.0",
    complexity: "O(1) for each element added, so O(N) to add N elements when the command is called with multiple arguments.",
    arity: -3,
    flags: Flags::FAST_GROWING_WRITE,
    history: &[("2.4.0", "Accepts multiple `element` arguments.")],
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::INSERT))],
    syntax: "key#0 element...",
    run: Run::Call(rpush),
    ..Command::of(Group::List)
};

pub(super) const LPUSHX: Command = Command {
    name: "lpushx",
    summary: "Prepend an element to a list, only if the list exists",
    since: "2.2.0",
    complexity: "O(1) for each element added, so O(N) to add N elements when the command is called with multiple arguments.",
    arity: -3,
    flags: Flags::FAST_GROWING_WRITE,
    history: &[("4.0.0", "Accepts multiple `element` arguments.")],
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::INSERT))],
    syntax: "key#0 element...",
    run: Run::Call(lpushx),
    ..Command::of(Group::List)
};

pub(super) const RPUSHX: Command = Command {
    name: "rpushx",
    summary: "Append an element to a list, only if the list exists",
    since: "2.2.0",
    complexity: "O(1) for each element added, so O(N) to add N elements when the command is called with multiple arguments.",
    arity: -3,
    flags: Flags::FAST_GROWING_WRITE,
    history: &[("4.0.0", "Accepts multiple `element` arguments.")],
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::INSERT))],
    syntax: "key#0 element...",
    run: Run::Call(rpushx),
    ..Command::of(Group::List)
};

fn lpush(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    push(ctx, End::Left)
}

fn rpush(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    push(ctx, End::Right)
}

fn lpushx(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    push_if_exists(ctx, End::Left)
}

fn rpushx(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    push_if_exists(ctx, End::Right)
}

fn push_if_exists(ctx: &mut Ctx<'_>, end: End) -> Result<Answer, Error> {
    if ctx.peek::<List>(ctx.arg(1))?.is_none() {
        return Ok(Answer::int(0));
    }
    push(ctx, end)
}

fn push(ctx: &mut Ctx<'_>, end: End) -> Result<Answer, Error> {
    let key = ctx.arg(1);
    let elements = ctx.args_from(2);
    let list = list_to_grow(ctx, key)?;
    for element in elements {
        end.push(list, element);
    }
    let len = list.len();
    ctx.reply_stands_here();
    ctx.modified(key);
    ctx.notify(Notify::LIST, end.push_event(), key);
    Ok(Answer::int(len))
}

pub(super) const LPOP: Command = Command {
    name: "lpop",
    summary: "Remove and get the first elements in a list",
    since: "1.0.0",
    complexity: "O(N) where N is the number of elements returned",
    arity: -2,
    flags: Flags::FAST_WRITE,
    history: &[("6.2.0", "Added the `count` argument.")],
    keys: &[KeySpec::one(1, KeyFlags::TAKE)],
    syntax: "key#0 [count:int@6.2.0]",
    run: Run::Call(lpop),
    ..Command::of(Group::List)
};

pub(super) const RPOP: Command = Command {
    name: "rpop",
    summary: "Remove and get the last elements in a list",
    since: "1.0.0",
    complexity: "O(N) where N is the number of elements returned",
    arity: -2,
    flags: Flags::FAST_WRITE,
    history: &[("6.2.0", "Added the `count` argument.")],
    keys: &[KeySpec::one(1, KeyFlags::TAKE)],
    syntax: "key#0 [count:int@6.2.0]",
    run: Run::Call(rpop),
    ..Command::of(Group::List)
};

fn lpop(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    pop(ctx, End::Left)
}

fn rpop(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    pop(ctx, End::Right)
}

fn pop(ctx: &mut Ctx<'_>, end: End) -> Result<Answer, Error> {
    let key = ctx.arg(1);
    let count = match ctx.args_from(2) {
        [] => None,
        [_] => Some(ctx.int_at_least(2, 0, Error::NotPositive)?),
        // The arity cannot express "two or three words".
        _ => return Err(Error::Arity(ctx.command.full_name())),
    };
    let Some(count) = count else { return Ok(take_one(ctx, key, end)?.map_or(Reply::Null, Reply::Bulk).into()) };
    let is_missing = ctx.peek::<List>(key)?.is_none();
    Ok(match count {
        _ if is_missing => Reply::NullArray.into(),
        0 => Reply::Array(Vec::new()).into(),
        count => Reply::Array(take(ctx, key, end, usize::try_from(count).unwrap_or(usize::MAX))?).into(),
    })
}

pub(super) const LMPOP: Command = Command {
    name: "lmpop",
    summary: "Pop elements from a list",
    since: "7.0.0",
    complexity: "O(N+M) where N is the number of provided keys and M is the number of elements returned.",
    arity: -4,
    flags: Flags::WRITE,
    keys: &[KeySpec::counted(1, KeyFlags::TAKE)],
    syntax: "numkeys:int key#0... where(LEFT|RIGHT) [COUNT=count:int]",
    run: Run::Call(lmpop),
    ..Command::of(Group::List)
};

fn lmpop(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let words = PopMany::parse(ctx, 1)?;
    Ok(words.serve(ctx, words.keys)?.unwrap_or(Reply::NullArray).into())
}

pub(super) const LMOVE: Command = Command {
    name: "lmove",
    summary: "Pop an element from a list, push it to another list and return it",
    since: "6.2.0",
    complexity: "O(1)",
    arity: 5,
    flags: Flags::GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::TAKE), KeySpec::one(2, KeyFlags::RW.union(KeyFlags::INSERT))],
    syntax: "source#0 destination#1 wherefrom(LEFT|RIGHT) whereto(LEFT|RIGHT)",
    run: Run::Call(lmove),
    ..Command::of(Group::List)
};

pub(super) const RPOPLPUSH: Command = Command {
    name: "rpoplpush",
    summary: "Remove the last element in a list, prepend it to another list and return it",
    since: "1.2.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::GROWING_WRITE,
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation { since: "6.2.0", replaced_by: "`LMOVE` with the `RIGHT` and `LEFT` arguments" }),
    keys: &[KeySpec::one(1, KeyFlags::TAKE), KeySpec::one(2, KeyFlags::RW.union(KeyFlags::INSERT))],
    syntax: "source#0 destination#1",
    run: Run::Call(rpoplpush),
    ..Command::of(Group::List)
};

fn lmove(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (from, to) = (End::parse(ctx, 3)?, End::parse(ctx, 4)?);
    let moved = move_element(ctx, (ctx.arg(1), from), (ctx.arg(2), to))?;
    Ok(moved.map_or(Reply::Null, Reply::Bulk).into())
}

fn rpoplpush(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let moved = move_element(ctx, (ctx.arg(1), End::Right), (ctx.arg(2), End::Left))?;
    Ok(moved.map_or(Reply::Null, Reply::Bulk).into())
}
