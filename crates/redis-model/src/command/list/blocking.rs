//! Blocking until a list has an element: `BLPOP`, `BRPOP`, `BLMPOP`, `BLMOVE`, `BRPOPLPUSH`.
//!
//! A list cannot be empty, so a client waits for the key to appear. The client that has waited longest for the key is served first;
//! elements that remain after all waiting clients are served stay in the list.
use bytes::Bytes;
use resp::Value as Reply;

use super::{Command, Deprecation, End, Flags, Group, KeyFlags, KeySpec, PopMany, Run, first_list, move_element, take};
use crate::{Answer, Ctx, Error, value::list::List};

pub(super) const BLPOP: Command = Command {
    name: "blpop",
    summary: "Remove and get the first element in a list, or block until one is available",
    since: "2.0.0",
    complexity: "O(N) where N is the number of provided keys.",
    arity: -3,
    flags: Flags::WRITE.union(Flags::NOSCRIPT).union(Flags::BLOCKING),
    history: &[("6.0.0", "`timeout` is interpreted as a double instead of an integer.")],
    keys: &[KeySpec::range(1, -2, 1, KeyFlags::TAKE)],
    syntax: "key#0... timeout:double",
    run: Run::Call(blpop),
    ..Command::of(Group::List)
};

pub(super) const BRPOP: Command = Command {
    name: "brpop",
    summary: "Remove and get the last element in a list, or block until one is available",
    since: "2.0.0",
    complexity: "O(N) where N is the number of provided keys.",
    arity: -3,
    flags: Flags::WRITE.union(Flags::NOSCRIPT).union(Flags::BLOCKING),
    history: &[("6.0.0", "`timeout` is interpreted as a double instead of an integer.")],
    keys: &[KeySpec::range(1, -2, 1, KeyFlags::TAKE)],
    syntax: "key#0... timeout:double",
    run: Run::Call(brpop),
    ..Command::of(Group::List)
};

fn blpop(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    pop_or_wait(ctx, End::Left)
}

fn brpop(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    pop_or_wait(ctx, End::Right)
}

fn pop_or_wait(ctx: &mut Ctx<'_>, end: End) -> Result<Answer, Error> {
    let timeout_at = ctx.argv.len().saturating_sub(1);
    let keys = ctx.argv.get(1..timeout_at).unwrap_or_default();
    let deadline_ms = ctx.timeout_seconds(timeout_at)?;
    let candidates = ctx.keys_to_serve(keys);
    let Some(key) = first_list(ctx, &candidates)? else {
        return Ok(ctx.block_on::<List>(keys, deadline_ms, Reply::NullArray));
    };
    let mut reply = take(ctx, &key, end, 1)?;
    reply.insert(0, Reply::Bulk(key));
    Ok(Reply::Array(reply).into())
}

pub(super) const BLMPOP: Command = Command {
    name: "blmpop",
    summary: "Pop elements from a list, or block until one is available",
    since: "7.0.0",
    complexity: "O(N+M) where N is the number of provided keys and M is the number of elements returned.",
    arity: -5,
    flags: Flags::WRITE.union(Flags::BLOCKING),
    keys: &[KeySpec::counted(2, KeyFlags::TAKE)],
    syntax: "timeout:double numkeys:int key#0... where(LEFT|RIGHT) [COUNT=count:int]",
    run: Run::Call(blmpop),
    ..Command::of(Group::List)
};

fn blmpop(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let words = PopMany::parse(ctx, 2)?;
    let deadline_ms = ctx.timeout_seconds(1)?;
    let candidates = ctx.keys_to_serve(words.keys);
    Ok(match words.serve(ctx, &candidates)? {
        Some(reply) => reply.into(),
        None => ctx.block_on::<List>(words.keys, deadline_ms, Reply::NullArray),
    })
}

pub(super) const BLMOVE: Command = Command {
    name: "blmove",
    summary: "Pop an element from a list, push it to another list and return it; or block until one is available",
    since: "6.2.0",
    complexity: "O(1)",
    arity: 6,
    flags: Flags::WRITE.union(Flags::DENYOOM).union(Flags::NOSCRIPT).union(Flags::BLOCKING),
    keys: &[KeySpec::one(1, KeyFlags::TAKE), KeySpec::one(2, KeyFlags::RW.union(KeyFlags::INSERT))],
    syntax: "source#0 destination#1 wherefrom(LEFT|RIGHT) whereto(LEFT|RIGHT) timeout:double",
    run: Run::Call(blmove),
    ..Command::of(Group::List)
};

pub(super) const BRPOPLPUSH: Command = Command {
    name: "brpoplpush",
    summary: "Pop an element from a list, push it to another list and return it; or block until one is available",
    since: "2.2.0",
    complexity: "O(1)",
    arity: 4,
    flags: Flags::WRITE.union(Flags::DENYOOM).union(Flags::NOSCRIPT).union(Flags::BLOCKING),
    history: &[("6.0.0", "`timeout` is interpreted as a double instead of an integer.")],
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation { since: "6.2.0", replaced_by: "`BLMOVE` with the `RIGHT` and `LEFT` arguments" }),
    keys: &[KeySpec::one(1, KeyFlags::TAKE), KeySpec::one(2, KeyFlags::RW.union(KeyFlags::INSERT))],
    syntax: "source#0 destination#1 timeout:double",
    run: Run::Call(brpoplpush),
    ..Command::of(Group::List)
};

fn blmove(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (from, to) = (End::parse(ctx, 3)?, End::parse(ctx, 4)?);
    let deadline_ms = ctx.timeout_seconds(5)?;
    move_or_wait(ctx, from, to, deadline_ms)
}

fn brpoplpush(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let deadline_ms = ctx.timeout_seconds(3)?;
    move_or_wait(ctx, End::Right, End::Left, deadline_ms)
}

fn move_or_wait(ctx: &mut Ctx<'_>, from: End, to: End, deadline_ms: Option<u64>) -> Result<Answer, Error> {
    let (source, destination): (&Bytes, &Bytes) = (ctx.arg(1), ctx.arg(2));
    // Redis looks the key up once more to decide whether to block.
    if !ctx.is_woken() && ctx.peek::<List>(source)?.is_some() {
        ctx.looks_again(source);
    }
    if let Some(element) = move_element(ctx, (source, from), (destination, to))? {
        return Ok(Reply::Bulk(element).into());
    }
    // Redis answers the two cases without a move differently: null inside a transaction or script, a null array after a timeout.
    if ctx.server.is_atomic {
        return Ok(Reply::Null.into());
    }
    Ok(ctx.block_on::<List>(std::slice::from_ref(source), deadline_ms, Reply::NullArray))
}
