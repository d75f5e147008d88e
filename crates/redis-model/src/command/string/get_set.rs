//! Whole strings: `GET SET SETNX SETEX PSETEX GETSET GETDEL GETEX`, and their common options.
use bytes::Bytes;
use resp::Value as Reply;

use super::{Command, Deprecation, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{
    Answer, Ctx, Error, Notify,
    value::{Value, string::Str},
};

pub(super) const GET: Command = Command {
    name: "get",
    summary: "Get the value of a key",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0",
    run: Run::Call(get),
    ..Command::of(Group::String)
};

fn get(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(read_reply(ctx, ctx.arg(1))?.into())
}

/// The string at a key as a reply; nil if the key is missing.
fn read_reply(ctx: &mut Ctx<'_>, key: &Bytes) -> Result<Reply, Error> {
    Ok(ctx.read::<Str>(key)?.map_or(Reply::Null, |string| Reply::Bulk(string.to_bytes())))
}

pub(super) const SET: Command = Command {
    name: "set",
    summary: "Set the string value of a key",
    since: "1.0.0",
    complexity: "O(1)",
    arity: -3,
    flags: Flags::GROWING_WRITE,
    history: &[
        ("2.6.12", "Added the `EX`, `PX`, `NX` and `XX` options."),
        ("6.0.0", "Added the `KEEPTTL` option."),
        ("6.2.0", "Added the `GET`, `EXAT` and `PXAT` option."),
        ("7.0.0", "Allowed the `NX` and `GET` options to be used together."),
    ],
    keys: &[KeySpec::one(1, KeyFlags::MODIFY.union(KeyFlags::VARIABLE_FLAGS))
        .noted("RW and ACCESS due to the optional `GET` argument")],
    syntax: "key#0 value [condition(NX|XX)@2.6.12] [GET@6.2.0] [expiration(EX=seconds:int@2.6.12|\
        PX=milliseconds:int@2.6.12|EXAT=unix-time-seconds:time@6.2.0|PXAT=unix-time-milliseconds:time@6.2.0|\
        KEEPTTL@6.0.0)]",
    run: Run::Call(set),
    ..Command::of(Group::String)
};

fn set(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let options = Options::parse(ctx, 3, Family::Set)?;
    let expires_ms = options.deadline_ms(ctx)?;
    let key = ctx.arg(1);
    let before = if options.gets { Some(read_reply(ctx, key)?) } else { None };
    if options.gets {
        ctx.reply_stands_here();
    }
    if options.gets && options.condition.is_some() {
        ctx.looks_again(key);
    }
    let is_refused = match options.condition {
        None => false,
        Some(Condition::Missing) => ctx.exists(key),
        Some(Condition::Exists) => !ctx.exists(key),
    };
    if is_refused {
        return Ok(before.unwrap_or(Reply::Null).into());
    }
    store(ctx, key, ctx.arg(2), expires_ms, options.ttl == Ttl::Keep);
    Ok(before.unwrap_or(Reply::OK).into())
}

/// Stores a string at a key and sends the events. Without a deadline, the TTL is removed unless `keeps_ttl`.
fn store(ctx: &mut Ctx<'_>, key: &Bytes, text: &Bytes, expires_ms: Option<u64>, keeps_ttl: bool) {
    let value = Value::String(Str::new(text.clone()));
    if keeps_ttl {
        ctx.set_keeping_ttl(key, value);
    } else {
        ctx.set(key, value);
    }
    ctx.notify(Notify::STRING, "set", key);
    if expires_ms.is_some() {
        ctx.set_expires(key, expires_ms);
        ctx.notify(Notify::GENERIC, "expire", key);
    }
}

pub(super) const SETNX: Command = Command {
    name: "setnx",
    summary: "Set the value of a key, only if the key does not exist",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::FAST_GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::OW.union(KeyFlags::INSERT))],
    syntax: "key#0 value",
    run: Run::Call(setnx),
    ..Command::of(Group::String)
};

fn setnx(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let is_new = !ctx.exists(ctx.arg(1));
    if is_new {
        store(ctx, ctx.arg(1), ctx.arg(2), None, false);
    }
    Ok(Answer::flag(is_new))
}

pub(super) const SETEX: Command = Command {
    name: "setex",
    summary: "Set the value and expiration of a key",
    since: "2.0.0",
    complexity: "O(1)",
    arity: 4,
    flags: Flags::GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::OVERWRITE)],
    syntax: "key#0 seconds:int value",
    run: Run::Call(setex),
    ..Command::of(Group::String)
};

fn setex(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    set_for(ctx, Unit::Seconds)
}

pub(super) const PSETEX: Command = Command {
    name: "psetex",
    summary: "Set the value and expiration in milliseconds of a key",
    since: "2.6.0",
    complexity: "O(1)",
    arity: 4,
    flags: Flags::GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::OVERWRITE)],
    syntax: "key#0 milliseconds:int value",
    run: Run::Call(psetex),
    ..Command::of(Group::String)
};

fn psetex(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    set_for(ctx, Unit::Milliseconds)
}

fn set_for(ctx: &mut Ctx<'_>, unit: Unit) -> Result<Answer, Error> {
    let expires_ms = deadline_ms(ctx, ctx.int(2)?, unit, true)?;
    store(ctx, ctx.arg(1), ctx.arg(3), Some(expires_ms), false);
    Ok(Answer::OK)
}

pub(super) const GETSET: Command = Command {
    name: "getset",
    summary: "Set the string value of a key and return its old value",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::FAST_GROWING_WRITE,
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation { since: "6.2.0", replaced_by: "`SET` with the `!GET` argument" }),
    keys: &[KeySpec::one(1, KeyFlags::MODIFY)],
    syntax: "key#0 value",
    run: Run::Call(getset),
    ..Command::of(Group::String)
};

fn getset(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let before = read_reply(ctx, ctx.arg(1))?;
    ctx.reply_stands_here();
    store(ctx, ctx.arg(1), ctx.arg(2), None, false);
    Ok(before.into())
}

pub(super) const GETDEL: Command = Command {
    name: "getdel",
    summary: "Get the value of a key and delete the key",
    since: "6.2.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::FAST_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::TAKE)],
    syntax: "key#0",
    run: Run::Call(getdel),
    ..Command::of(Group::String)
};

fn getdel(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let key = ctx.arg(1);
    let before = read_reply(ctx, key)?;
    ctx.reply_stands_here();
    if ctx.delete(key) {
        ctx.notify(Notify::GENERIC, "del", key);
    }
    Ok(before.into())
}

pub(super) const GETEX: Command = Command {
    name: "getex",
    summary: "Get the value of a key and optionally set its expiration",
    since: "6.2.0",
    complexity: "O(1)",
    arity: -2,
    flags: Flags::FAST_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::MODIFY).noted("RW and UPDATE because it changes the TTL")],
    syntax: "key#0 [expiration(EX=seconds:int|PX=milliseconds:int|EXAT=unix-time-seconds:time|\
        PXAT=unix-time-milliseconds:time|PERSIST)]",
    run: Run::Call(getex),
    ..Command::of(Group::String)
};

fn getex(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let options = Options::parse(ctx, 2, Family::Get)?;
    let key = ctx.arg(1);
    let Some(before) = ctx.read::<Str>(key)?.map(Str::to_bytes) else { return Ok(Reply::Null.into()) };
    // Unlike in `SET`, the time is checked only if the string exists.
    let expires_ms = options.deadline_ms(ctx)?;
    ctx.reply_stands_here();
    match (options.ttl, expires_ms) {
        (Ttl::At { is_relative: false, .. }, Some(at_ms)) if at_ms <= ctx.now_ms() => {
            ctx.delete(key);
            ctx.notify(Notify::GENERIC, "del", key);
        }
        (_, Some(_)) => {
            ctx.set_expires(key, expires_ms);
            ctx.modified(key);
            ctx.notify(Notify::GENERIC, "expire", key);
        }
        (Ttl::Drop, None) if ctx.db().expires_ms(key).is_some() => {
            ctx.set_expires(key, None);
            ctx.modified(key);
            ctx.notify(Notify::GENERIC, "persist", key);
        }
        _ => {}
    }
    Ok(Reply::Bulk(before).into())
}

/// The command whose options are parsed: some options belong to only one of them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Set,
    Get,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Condition {
    Missing,
    Exists,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Seconds,
    Milliseconds,
}

/// What happens to the TTL.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ttl {
    /// No option given.
    Unsaid,
    /// `KEEPTTL`
    Keep,
    /// `PERSIST`
    Drop,
    /// `EX PX EXAT PXAT`; the number is the word at `word`.
    At { unit: Unit, is_relative: bool, word: usize },
}

struct Options {
    condition: Option<Condition>,
    gets: bool,
    ttl: Ttl,
}

impl Options {
    /// Parses the options from word `first` on. Redis allows repeated options and refuses contradictory ones.
    fn parse(ctx: &Ctx<'_>, first: usize, family: Family) -> Result<Options, Error> {
        let mut options = Options { condition: None, gets: false, ttl: Ttl::Unsaid };
        let mut at = first;
        while at < ctx.argv.len() {
            let word = at.saturating_add(1);
            at = if options.take_flag(ctx, at, family) {
                word
            } else if let Some((unit, is_relative)) = time_option(ctx, at).filter(|_| word < ctx.argv.len()) {
                options.take_time(unit, is_relative, word)?;
                word.saturating_add(1)
            } else {
                return Err(Error::Syntax);
            };
        }
        Ok(options)
    }

    /// Parses an option of one word; false if the word is not such an option or contradicts an earlier one.
    fn take_flag(&mut self, ctx: &Ctx<'_>, at: usize, family: Family) -> bool {
        let condition = match () {
            () if ctx.is_word(at, "NX") => Some(Condition::Missing),
            () if ctx.is_word(at, "XX") => Some(Condition::Exists),
            () => None,
        };
        let ttl = match () {
            () if ctx.is_word(at, "KEEPTTL") => Some((Ttl::Keep, Family::Set)),
            () if ctx.is_word(at, "PERSIST") => Some((Ttl::Drop, Family::Get)),
            () => None,
        };
        if let Some(condition) = condition {
            let fits = family == Family::Set && self.condition.is_none_or(|before| before == condition);
            self.condition = Some(condition);
            fits
        } else if let Some((ttl, owner)) = ttl {
            let fits = family == owner && (self.ttl == Ttl::Unsaid || self.ttl == ttl);
            self.ttl = ttl;
            fits
        } else {
            self.gets |= ctx.is_word(at, "GET");
            family == Family::Set && ctx.is_word(at, "GET")
        }
    }

    /// Sets the time. Repeating the same option replaces it; a different option contradicts it.
    fn take_time(&mut self, unit: Unit, is_relative: bool, word: usize) -> Result<(), Error> {
        let fits = match self.ttl {
            Ttl::Unsaid => true,
            Ttl::Keep | Ttl::Drop => false,
            Ttl::At { unit: u, is_relative: r, .. } => (u, r) == (unit, is_relative),
        };
        self.ttl = Ttl::At { unit, is_relative, word };
        if fits { Ok(()) } else { Err(Error::Syntax) }
    }

    /// The deadline given by the options, if any.
    fn deadline_ms(&self, ctx: &Ctx<'_>) -> Result<Option<u64>, Error> {
        match self.ttl {
            Ttl::At { unit, is_relative, word } => deadline_ms(ctx, ctx.int(word)?, unit, is_relative).map(Some),
            _ => Ok(None),
        }
    }
}

fn time_option(ctx: &Ctx<'_>, at: usize) -> Option<(Unit, bool)> {
    match () {
        () if ctx.is_word(at, "EX") => Some((Unit::Seconds, true)),
        () if ctx.is_word(at, "PX") => Some((Unit::Milliseconds, true)),
        () if ctx.is_word(at, "EXAT") => Some((Unit::Seconds, false)),
        () if ctx.is_word(at, "PXAT") => Some((Unit::Milliseconds, false)),
        () => None,
    }
}

/// Converts a time to a deadline in ms of the server's clock. Zero, negative and overflowing times are refused; times in the past are not.
fn deadline_ms(ctx: &Ctx<'_>, time: i64, unit: Unit, is_relative: bool) -> Result<u64, Error> {
    let invalid = Error::InvalidExpire(ctx.command.name);
    if time <= 0 {
        return Err(invalid);
    }
    let ms = if unit == Unit::Seconds { time.checked_mul(1000) } else { Some(time) };
    let now_ms = i64::try_from(ctx.now_ms()).unwrap_or(i64::MAX);
    let at_ms = if is_relative { ms.and_then(|ms| ms.checked_add(now_ms)) } else { ms };
    at_ms.map(i64::unsigned_abs).ok_or(invalid)
}
