//! Metadata of a value: `OBJECT ENCODING | FREQ | HELP | IDLETIME | REFCOUNT`.
use resp::Value as Reply;

use super::{Categories, Command, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{
    Answer, Ctx, Error,
    value::{Value, string::Str},
};

const OBJECT_REFCOUNT: Command = Command {
    name: "refcount",
    summary: "Get the number of references to the value of the key",
    since: "2.2.3",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output"],
    keys: &[KeySpec::one(2, KeyFlags::RO)],
    syntax: "key#0",
    run: Run::Call(object_refcount),
    ..Command::within("object", Group::Generic)
};

const OBJECT_IDLETIME: Command = Command {
    name: "idletime",
    summary: "Get the time since a Redis object was last accessed",
    since: "2.2.3",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output"],
    keys: &[KeySpec::one(2, KeyFlags::RO)],
    syntax: "key#0",
    run: Run::Call(object_idletime),
    ..Command::within("object", Group::Generic)
};

const OBJECT_HELP: Command = Command {
    name: "help",
    summary: "Show helpful text about the different subcommands",
    since: "6.2.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ANYTIME,
    run: Run::Call(object_help),
    ..Command::within("object", Group::Generic)
};

const OBJECT_FREQ: Command = Command {
    name: "freq",
    summary: "Get the logarithmic access frequency counter of a Redis object",
    since: "4.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output"],
    keys: &[KeySpec::one(2, KeyFlags::RO)],
    syntax: "key#0",
    run: Run::Call(object_freq),
    ..Command::within("object", Group::Generic)
};

const OBJECT_ENCODING: Command = Command {
    name: "encoding",
    summary: "Inspect the internal encoding of a Redis object",
    since: "2.2.3",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output"],
    keys: &[KeySpec::one(2, KeyFlags::RO)],
    syntax: "key#0",
    run: Run::Call(object_encoding),
    ..Command::within("object", Group::Generic)
};

pub(super) const OBJECT: Command = Command {
    name: "object",
    summary: "A container for object introspection commands",
    since: "2.2.3",
    complexity: "Depends on subcommand.",
    arity: -2,
    subcommands: &[OBJECT_ENCODING, OBJECT_FREQ, OBJECT_HELP, OBJECT_IDLETIME, OBJECT_REFCOUNT],
    run: Run::Container,
    categories: Categories::empty(),
    ..Command::of(Group::Generic)
};

fn object_encoding(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let value = ctx.read_silently(ctx.arg(2));
    Ok(value.map_or(Reply::Null, |value| Reply::bulk(value.encoding())).into())
}

fn object_refcount(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    /// The reference count that Redis shows for an object that is never freed.
    const SHARED: i64 = i32::MAX as i64;
    let config = &ctx.server.config;
    let has_own_notes = config.maxmemory > 0 && (config.maxmemory_policy.is_lru() || config.maxmemory_policy.is_lfu());
    let count = |value: &Value| match value {
        // Redis creates the objects of small integers once, at start, and shares them, unless each object must record its own accesses. (It
        // does not share a copy made by `COPY`, which the model cannot distinguish.)
        Value::String(Str::Int(0..=9_999)) if !has_own_notes => SHARED,
        _ => 1,
    };
    Ok(ctx.read_silently(ctx.arg(2)).map_or(Reply::Null, |value| Reply::Integer(count(value))).into())
}

fn object_idletime(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let key = ctx.arg(2);
    if ctx.read_silently(key).is_none() {
        return Ok(Reply::Null.into());
    }
    if ctx.server.config.maxmemory_policy.is_lfu() {
        return Err(Error::Text(
            "ERR An LFU maxmemory policy is selected, idle time not tracked. Please note that when switching between \
             policies at runtime LRU and LFU data will take some time to adjust.",
        ));
    }
    let now_ms = ctx.now_ms();
    Ok(Answer::int(ctx.db().entry(key).map_or(0, |entry| entry.access.idle_s(now_ms))))
}

fn object_freq(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let key = ctx.arg(2);
    if ctx.read_silently(key).is_none() {
        return Ok(Reply::Null.into());
    }
    if !ctx.server.config.maxmemory_policy.is_lfu() {
        return Err(Error::Text(
            "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when switching \
             between policies at runtime LRU and LFU data will take some time to adjust.",
        ));
    }
    let (now_ms, counting) = (ctx.now_ms(), ctx.server.counting());
    Ok(Answer::int(ctx.db().entry(key).map_or(0, |entry| entry.access.frequency(now_ms, counting))))
}

fn object_help(_: &mut Ctx<'_>) -> Result<Answer, Error> {
    const LINES: [&str; 15] = [
        "OBJECT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
        "ENCODING <key>",
        "    Return the kind of internal representation used in order to store the value",
        "    associated with a <key>.",
        "FREQ <key>",
        "    Return the access frequency index of the <key>. The returned integer is",
        "    proportional to the logarithm of the recent access frequency of the key.",
        "IDLETIME <key>",
        "    Return the idle time of the <key>, that is the approximated number of",
        "    seconds elapsed since the last access to the key.",
        "REFCOUNT <key>",
        "    Return the number of references of the value associated with the specified",
        "    <key>.",
        "HELP",
        "    Prints this help.",
    ];
    Ok(Reply::Array(LINES.map(Reply::simple).to_vec()).into())
}
