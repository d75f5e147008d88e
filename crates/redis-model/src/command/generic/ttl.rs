//! Reading the TTL of keys: `TTL PTTL EXPIRETIME PEXPIRETIME`.
use super::{Command, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{Answer, Ctx, Error};

pub(super) const TTL: Command = Command {
    name: "ttl",
    summary: "Get the time to live for a key in seconds",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::FAST_READ,
    tips: &["nondeterministic_output"],
    history: &[("2.8.0", "Added the -2 reply.")],
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0",
    run: Run::Call(ttl),
    ..Command::of(Group::Generic)
};

fn ttl(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(left_ms(ctx).map_or_else(absent, |ms| Answer::int(to_seconds(ms))))
}

pub(super) const PTTL: Command = Command {
    name: "pttl",
    summary: "Get the time to live for a key in milliseconds",
    since: "2.6.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::FAST_READ,
    tips: &["nondeterministic_output"],
    history: &[("2.8.0", "Added the -2 reply.")],
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0",
    run: Run::Call(pttl),
    ..Command::of(Group::Generic)
};

fn pttl(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(left_ms(ctx).map_or_else(absent, Answer::int))
}

pub(super) const EXPIRETIME: Command = Command {
    name: "expiretime",
    summary: "Get the expiration Unix timestamp for a key",
    since: "7.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0",
    run: Run::Call(expiretime),
    ..Command::of(Group::Generic)
};

fn expiretime(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(deadline_ms(ctx).map_or_else(absent, |ms| Answer::int(to_seconds(ms))))
}

pub(super) const PEXPIRETIME: Command = Command {
    name: "pexpiretime",
    summary: "Get the expiration Unix timestamp for a key in milliseconds",
    since: "7.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0",
    run: Run::Call(pexpiretime),
    ..Command::of(Group::Generic)
};

fn pexpiretime(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(deadline_ms(ctx).map_or_else(absent, Answer::int))
}

/// Why a key has no deadline.
enum Without {
    Key,
    Ttl,
}

fn absent(without: Without) -> Answer {
    Answer::int(match without {
        Without::Key => -2,
        Without::Ttl => -1,
    })
}

fn deadline_ms(ctx: &mut Ctx<'_>) -> Result<u64, Without> {
    let key = ctx.arg(1);
    ctx.read_untouched(key).ok_or(Without::Key)?;
    ctx.db().expires_ms(key).ok_or(Without::Ttl)
}

fn left_ms(ctx: &mut Ctx<'_>) -> Result<u64, Without> {
    Ok(deadline_ms(ctx)?.saturating_sub(ctx.now_ms()))
}

/// Redis rounds to the nearest second, so a TTL that was just set reads as it was set.
fn to_seconds(ms: u64) -> u64 {
    ms.saturating_add(500) / 1000
}
