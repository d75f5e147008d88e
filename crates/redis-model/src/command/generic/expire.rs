//! Setting and removing the TTL of keys: `EXPIRE PEXPIRE EXPIREAT PEXPIREAT PERSIST`.
use bytes::Bytes;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{Answer, Ctx, Error, Notify, lazyfree::Freeing};

pub(super) const EXPIRE: Command = Command {
    name: "expire",
    summary: "Set a key's time to live in seconds",
    since: "1.0.0",
    complexity: "O(1)",
    arity: -3,
    flags: Flags::FAST_WRITE,
    history: &[("7.0.0", "Added options: `NX`, `XX`, `GT` and `LT`.")],
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::UPDATE))],
    syntax: "key#0 seconds:int [condition(NX|XX|GT|LT)@7.0.0]",
    run: Run::Call(expire),
    ..Command::of(Group::Generic)
};

fn expire(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    expire_at(ctx, Unit::Seconds, now_ms(ctx))
}

pub(super) const PEXPIRE: Command = Command {
    name: "pexpire",
    summary: "Set a key's time to live in milliseconds",
    since: "2.6.0",
    complexity: "O(1)",
    arity: -3,
    flags: Flags::FAST_WRITE,
    history: &[("7.0.0", "Added options: `NX`, `XX`, `GT` and `LT`.")],
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::UPDATE))],
    syntax: "key#0 milliseconds:int [condition(NX|XX|GT|LT)@7.0.0]",
    run: Run::Call(pexpire),
    ..Command::of(Group::Generic)
};

fn pexpire(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    expire_at(ctx, Unit::Milliseconds, now_ms(ctx))
}

pub(super) const EXPIREAT: Command = Command {
    name: "expireat",
    summary: "Set the expiration for a key as a UNIX timestamp",
    since: "1.2.0",
    complexity: "O(1)",
    arity: -3,
    flags: Flags::FAST_WRITE,
    history: &[("7.0.0", "Added options: `NX`, `XX`, `GT` and `LT`.")],
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::UPDATE))],
    syntax: "key#0 unix-time-seconds:time [condition(NX|XX|GT|LT)@7.0.0]",
    run: Run::Call(expireat),
    ..Command::of(Group::Generic)
};

fn expireat(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    expire_at(ctx, Unit::Seconds, 0)
}

pub(super) const PEXPIREAT: Command = Command {
    name: "pexpireat",
    summary: "Set the expiration for a key as a UNIX timestamp specified in milliseconds",
    since: "2.6.0",
    complexity: "O(1)",
    arity: -3,
    flags: Flags::FAST_WRITE,
    history: &[("7.0.0", "Added options: `NX`, `XX`, `GT` and `LT`.")],
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::UPDATE))],
    syntax: "key#0 unix-time-milliseconds:time [condition(NX|XX|GT|LT)@7.0.0]",
    run: Run::Call(pexpireat),
    ..Command::of(Group::Generic)
};

fn pexpireat(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    expire_at(ctx, Unit::Milliseconds, 0)
}

pub(super) const PERSIST: Command = Command {
    name: "persist",
    summary: "Remove the expiration from a key",
    since: "2.2.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::FAST_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::UPDATE))],
    syntax: "key#0",
    run: Run::Call(persist),
    ..Command::of(Group::Generic)
};

fn persist(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let key = ctx.arg(1);
    let had_ttl = ctx.exists(key) && ctx.db().expires_ms(key).is_some();
    if had_ttl {
        ctx.set_expires(key, None);
        ctx.modified(key);
        ctx.notify(Notify::GENERIC, "persist", key);
    }
    Ok(Answer::flag(had_ttl))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Seconds,
    Milliseconds,
}

fn now_ms(ctx: &Ctx<'_>) -> i64 {
    i64::try_from(ctx.now_ms()).unwrap_or(i64::MAX)
}

/// Sets the deadline given by word 2, relative to `base_ms`. A deadline in the past deletes the
/// key.
fn expire_at(ctx: &mut Ctx<'_>, unit: Unit, base_ms: i64) -> Result<Answer, Error> {
    let condition = Condition::parse(ctx)?;
    let at_ms = deadline_ms(ctx, ctx.int(2)?, unit, base_ms)?;
    let key = ctx.arg(1);
    if !ctx.exists(key) || !condition.holds(ctx.db().expires_ms(key), at_ms) {
        return Ok(Answer::flag(false));
    }
    match u64::try_from(at_ms) {
        Ok(at_ms) if at_ms > ctx.now_ms() => set_deadline(ctx, key, at_ms),
        _ => {
            ctx.delete_for(key, Freeing::Expiry);
            ctx.notify(Notify::GENERIC, "del", key);
        }
    }
    Ok(Answer::flag(true))
}

fn set_deadline(ctx: &mut Ctx<'_>, key: &Bytes, at_ms: u64) {
    ctx.set_expires(key, Some(at_ms));
    ctx.reply_stands_here();
    ctx.modified(key);
    ctx.notify(Notify::GENERIC, "expire", key);
}

/// Converts a time to a deadline in ms; negative times are allowed, overflow is refused.
fn deadline_ms(ctx: &Ctx<'_>, time: i64, unit: Unit, base_ms: i64) -> Result<i64, Error> {
    let ms = if unit == Unit::Seconds { time.checked_mul(1000) } else { Some(time) };
    ms.and_then(|ms| ms.checked_add(base_ms)).ok_or(Error::InvalidExpire(ctx.command.name))
}

/// `NX XX GT LT`: the condition for setting the deadline. `XX` may be combined with `GT` or `LT`.
#[derive(Default)]
struct Condition {
    nx: bool,
    xx: bool,
    gt: bool,
    lt: bool,
}

impl Condition {
    fn parse(ctx: &Ctx<'_>) -> Result<Condition, Error> {
        let mut condition = Condition::default();
        for (i, word) in ctx.argv.iter().enumerate().skip(3) {
            let flag = match () {
                () if ctx.is_word(i, "NX") => &mut condition.nx,
                () if ctx.is_word(i, "XX") => &mut condition.xx,
                () if ctx.is_word(i, "GT") => &mut condition.gt,
                () if ctx.is_word(i, "LT") => &mut condition.lt,
                () => return Err(unsupported(word)),
            };
            *flag = true;
        }
        if condition.nx && (condition.xx || condition.gt || condition.lt) {
            return Err(Error::Text("ERR NX and XX, GT or LT options at the same time are not compatible"));
        }
        if condition.gt && condition.lt {
            return Err(Error::Text("ERR GT and LT options at the same time are not compatible"));
        }
        Ok(condition)
    }

    /// A key without a TTL counts as having an infinite one.
    fn holds(&self, before_ms: Option<u64>, at_ms: i64) -> bool {
        let before_ms = before_ms.map(|ms| i64::try_from(ms).unwrap_or(i64::MAX));
        !(self.nx && before_ms.is_some()
            || self.xx && before_ms.is_none()
            || self.gt && before_ms.is_none_or(|before_ms| at_ms <= before_ms)
            || self.lt && before_ms.is_some_and(|before_ms| at_ms >= before_ms))
    }
}

fn unsupported(word: &[u8]) -> Error {
    // Redis prints the word as a C string, and an error cannot contain line ends.
    let word = word.split(|byte| *byte == 0).next().unwrap_or_default();
    Error::Message(format!("ERR Unsupported option {}", String::from_utf8_lossy(word).replace(['\r', '\n'], " ")))
}
