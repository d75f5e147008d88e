//! Reading entries: `XLEN`, `XRANGE`, `XREVRANGE`.
use resp::Value as Reply;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run, count, entries_reply, interval_end, interval_start};
use crate::{Answer, Ctx, Error, value::stream::Stream};

pub(super) const XLEN: Command = Command {
    name: "xlen",
    summary: "Return the number of entries in a stream",
    since: "5.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::RO)],
    syntax: "key#0",
    run: Run::Call(xlen),
    ..Command::of(Group::Stream)
};

fn xlen(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Answer::int(ctx.read::<Stream>(ctx.arg(1))?.map_or(0, Stream::len)))
}

pub(super) const XRANGE: Command = Command {
    name: "xrange",
    summary: "Return a range of elements in a stream, with IDs matching the specified IDs interval",
    since: "5.0.0",
    complexity: "O(N) with N being the number of elements being returned. If N is constant (e.g. always asking for the first 10 elements with COUNT), you can consider it O(1).",
    arity: -4,
    flags: Flags::READONLY,
    history: &[("6.2.0", "Added exclusive ranges.")],
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 start end [COUNT=count:int]",
    run: Run::Call(xrange),
    ..Command::of(Group::Stream)
};

fn xrange(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    range(ctx, false)
}

pub(super) const XREVRANGE: Command = Command {
    name: "xrevrange",
    summary: "Return a range of elements in a stream, with IDs matching the specified IDs interval, in reverse order (from greater to smaller IDs) compared to XRANGE",
    since: "5.0.0",
    complexity: "O(N) with N being the number of elements returned. If N is constant (e.g. always asking for the first 10 elements with COUNT), you can consider it O(1).",
    arity: -4,
    flags: Flags::READONLY,
    history: &[("6.2.0", "Added exclusive ranges.")],
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 end start [COUNT=count:int]",
    run: Run::Call(xrevrange),
    ..Command::of(Group::Stream)
};

fn xrevrange(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    range(ctx, true)
}

fn range(ctx: &mut Ctx<'_>, is_backward: bool) -> Result<Answer, Error> {
    let (start_at, end_at) = if is_backward { (3, 2) } else { (2, 3) };
    let ids = interval_start(ctx.arg(start_at))?..=interval_end(ctx.arg(end_at))?;
    let mut most = None;
    let mut at: usize = 4;
    while at < ctx.argv.len() {
        let value = at.saturating_add(1);
        if !ctx.is_word(at, "COUNT") || value >= ctx.argv.len() {
            return Err(Error::Syntax);
        }
        most = Some(count(ctx, value)?);
        at = value.saturating_add(1);
    }
    let Some(stream) = ctx.read::<Stream>(ctx.arg(1))? else { return Ok(Reply::Array(Vec::new()).into()) };
    if most == Some(0) {
        return Ok(Reply::NullArray.into());
    }
    let most = most.unwrap_or(usize::MAX);
    let entries = stream.range(ids);
    let reply = if is_backward { entries_reply(entries.rev().take(most)) } else { entries_reply(entries.take(most)) };
    Ok(reply.into())
}
