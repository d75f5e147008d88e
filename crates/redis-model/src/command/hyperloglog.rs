//! Counting distinct elements: `PFADD PFCOUNT PFMERGE`, and `PFDEBUG PFSELFTEST` for the internals.
use bytes::{Bytes, BytesMut};
use resp::Value as Reply;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{
    Answer, Ctx, Error, Notify,
    error::clipped,
    value::{
        hyperloglog::{self, Corrupted, Encoding, HyperLogLog, NotHyperLogLog, Opcode, Registers},
        string::Str,
    },
};

pub(super) static COMMANDS: &[Command] = &[PFADD, PFCOUNT, PFDEBUG, PFMERGE, PFSELFTEST];

/// Checks that a string is a HyperLogLog.
fn of(bytes: &[u8]) -> Result<HyperLogLog<'_>, Error> {
    HyperLogLog::of(bytes)
        .map_err(|NotHyperLogLog| Error::Text("WRONGTYPE Key is not a valid HyperLogLog string value."))
}

fn corrupted(_: Corrupted) -> Error {
    Error::Text("INVALIDOBJ Corrupted HLL object detected")
}

const PFADD: Command = Command {
    name: "pfadd",
    summary: "Adds the specified elements to the specified HyperLogLog.",
    since: "2.8.9",
    complexity: "O(1) to add every element.",
    arity: -2,
    flags: Flags::FAST_GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::INSERT))],
    syntax: "key#0 [element...]",
    run: Run::Call(pfadd),
    ..Command::of(Group::Hyperloglog)
};

fn pfadd(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (key, bytes_max) = (ctx.arg(1), ctx.limits().hll_sparse_max_bytes);
    let before = ctx.peek::<Str>(key)?.cloned();
    let (mut bytes, is_new) = draft(before.as_ref())?;
    let mut is_changed = is_new;
    for element in ctx.args_from(2) {
        match hyperloglog::add(&mut bytes, element, bytes_max) {
            Ok(is_raised) => is_changed |= is_raised,
            // Redis stops here: elements already added stay, and no event is sent.
            Err(broken) => {
                put(ctx, key, bytes, is_new)?;
                return Err(corrupted(broken));
            }
        }
    }
    if is_changed {
        hyperloglog::forget_count(&mut bytes);
    }
    put(ctx, key, bytes, is_new)?;
    if is_changed {
        ctx.modified(key);
        ctx.notify(Notify::STRING, "pfadd", key);
    }
    Ok(Answer::flag(is_changed))
}

/// A mutable copy of a HyperLogLog, or an empty one if there is no string. The flag is true for an
/// empty one.
fn draft(string: Option<&Str>) -> Result<(BytesMut, bool), Error> {
    let Some(string) = string else { return Ok((BytesMut::from(&hyperloglog::empty()[..]), true)) };
    let bytes = string.with_bytes(|bytes| of(bytes).map(|_| BytesMut::from(bytes)))?;
    Ok((bytes, false))
}

/// Stores a HyperLogLog under a key. The caller reports the change if Redis counts it as one.
fn put(ctx: &mut Ctx<'_>, key: &Bytes, bytes: BytesMut, is_new: bool) -> Result<(), Error> {
    let string = Str::Raw(Bytes::from(bytes).into());
    if is_new {
        ctx.add(key, string.into());
    } else if let Some(place) = ctx.write::<Str>(key)?
        && *place != string
    {
        *place = string;
        ctx.reshaped(key);
    }
    Ok(())
}

const PFCOUNT: Command = Command {
    name: "pfcount",
    summary: "Return the approximated cardinality of the set(s) observed by the HyperLogLog at key(s).",
    since: "2.8.9",
    complexity: "O(1) with a very small average constant time when called with a single key. O(N) with N being the number of keys, and much bigger constant times, when called with multiple keys.",
    arity: -2,
    flags: Flags::MAY_REPLICATE.union(Flags::READONLY),
    keys: &[KeySpec::rest(1, KeyFlags::RW.union(KeyFlags::ACCESS))
        .noted("RW because it may change the internal representation of the key, and propagate to replicas")],
    syntax: "key#0...",
    run: Run::Call(pfcount),
    ..Command::of(Group::Hyperloglog)
};

fn pfcount(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let keys = ctx.args_from(1);
    if let [key] = keys {
        return count_one(ctx, key);
    }
    let mut union = Registers::default();
    merge(ctx, keys, &mut union)?;
    Ok(reply_of(union.estimate()))
}

/// Counts the elements of one key. The HyperLogLog caches the count until the next change.
fn count_one(ctx: &mut Ctx<'_>, key: &Bytes) -> Result<Answer, Error> {
    let Some(string) = ctx.read::<Str>(key)?.cloned() else { return Ok(Answer::int(0)) };
    let (mut bytes, _) = draft(Some(&string))?;
    let hll = of(&bytes)?;
    let known = hll.cached_count();
    let count = known.map_or_else(|| hll.count(), Ok).map_err(corrupted)?;
    if known.is_none() {
        hyperloglog::remember_count(&mut bytes, count);
    }
    put(ctx, key, bytes, false)?;
    if known.is_none() {
        ctx.modified(key);
    }
    Ok(reply_of(count))
}

/// Redis prints the 64 bits as a signed integer.
fn reply_of(count: u64) -> Answer {
    Answer::Reply(Reply::Integer(count.cast_signed()))
}

/// Merges the HyperLogLogs of `keys` into `union`; missing keys are empty. Returns true if one of
/// them is dense.
fn merge(ctx: &mut Ctx<'_>, keys: &[Bytes], union: &mut Registers) -> Result<bool, Error> {
    let mut is_dense = false;
    for key in keys {
        let Some(string) = ctx.read::<Str>(key)? else { continue };
        let (encoding, registers) = string.with_bytes(|bytes| {
            let hll = of(bytes)?;
            Ok::<_, Error>((hll.encoding(), hll.registers().map_err(corrupted)?))
        })?;
        is_dense |= encoding == Encoding::Dense;
        union.merge(&registers);
    }
    Ok(is_dense)
}

const PFMERGE: Command = Command {
    name: "pfmerge",
    summary: "Merge N different HyperLogLogs into a single one.",
    since: "2.8.9",
    complexity: "O(N) to merge N HyperLogLogs, but with high constant times.",
    arity: -2,
    flags: Flags::GROWING_WRITE,
    keys: &[
        KeySpec::one(1, KeyFlags::RW.union(KeyFlags::ACCESS).union(KeyFlags::INSERT)),
        KeySpec::rest(2, KeyFlags::READ),
    ],
    syntax: "destkey#0 sourcekey#1...",
    run: Run::Call(pfmerge),
    ..Command::of(Group::Hyperloglog)
};

fn pfmerge(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (key, bytes_max) = (ctx.arg(1), ctx.limits().hll_sparse_max_bytes);
    let mut union = Registers::default();
    let is_dense = merge(ctx, ctx.args_from(1), &mut union)?;
    // Redis looks the key up twice: as a source of the merge, and for writing.
    ctx.looks_again(key);
    let before = ctx.peek::<Str>(key)?.cloned();
    let (mut bytes, is_new) = draft(before.as_ref())?;
    if is_dense {
        hyperloglog::to_dense(&mut bytes).map_err(corrupted)?;
    }
    for (index, value) in union.as_slice().iter().enumerate().filter(|(_, value)| **value > 0) {
        hyperloglog::raise(&mut bytes, index, *value, bytes_max).map_err(corrupted)?;
    }
    hyperloglog::forget_count(&mut bytes);
    put(ctx, key, bytes, is_new)?;
    ctx.modified(key);
    // Redis reports a merge as a `pfadd` event.
    ctx.notify(Notify::STRING, "pfadd", key);
    Ok(Answer::OK)
}

const PFDEBUG: Command = Command {
    name: "pfdebug",
    summary: "Internal commands for debugging HyperLogLog values",
    since: "2.8.9",
    complexity: "N/A",
    arity: 3,
    flags: Flags::WRITE.union(Flags::DENYOOM).union(Flags::ADMIN),
    doc_flags: &["syscmd"],
    keys: &[KeySpec::one(2, KeyFlags::RW.union(KeyFlags::ACCESS))],
    syntax: "subcommand key#0",
    run: Run::Call(pfdebug),
    ..Command::of(Group::Hyperloglog)
};

fn pfdebug(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let key = ctx.arg(2);
    let before = ctx.peek::<Str>(key)?.cloned().ok_or(Error::Text("ERR The specified key does not exist"))?;
    let (mut bytes, _) = draft(Some(&before))?;
    let hll = of(&bytes)?;
    let reply = match () {
        () if ctx.is_word(1, "GETREG") => {
            let registers = hll.registers().map_err(corrupted)?;
            hyperloglog::to_dense(&mut bytes).map_err(corrupted)?;
            Reply::Array(registers.as_slice().iter().map(|register| Reply::Integer(i64::from(*register))).collect())
        }
        () if ctx.is_word(1, "DECODE") => {
            if hll.encoding() == Encoding::Dense {
                return Err(Error::Text("ERR HLL encoding is not sparse"));
            }
            Reply::bulk(decoded(&hll))
        }
        () if ctx.is_word(1, "ENCODING") => Reply::simple(hll.encoding().name()),
        () if ctx.is_word(1, "TODENSE") => Reply::flag(hyperloglog::to_dense(&mut bytes).map_err(corrupted)?),
        () => {
            return Err(Error::Message(format!("ERR Unknown PFDEBUG subcommand '{}'", clipped(ctx.arg(1), 1 << 16))));
        }
    };
    put(ctx, key, bytes, false)?;
    Ok(reply.into())
}

/// The runs of the sparse form: `z` and `Z` for zeros in one and two bytes, `v` for a value.
fn decoded(hll: &HyperLogLog<'_>) -> String {
    let word = |opcode| match opcode {
        Opcode::Zero(len) => format!("z:{len}"),
        Opcode::ZeroLong(len) => format!("Z:{len}"),
        Opcode::Value(value, len) => format!("v:{value},{len}"),
    };
    hll.opcodes().map(word).collect::<Vec<_>>().join(" ")
}

const PFSELFTEST: Command = Command {
    name: "pfselftest",
    summary: "An internal command for testing HyperLogLog values",
    since: "2.8.9",
    complexity: "N/A",
    arity: 1,
    flags: Flags::ADMIN,
    doc_flags: &["syscmd"],
    run: Run::Call(pfselftest),
    ..Command::of(Group::Hyperloglog)
};

fn pfselftest(_: &mut Ctx<'_>) -> Result<Answer, Error> {
    hyperloglog::self_test().map_err(|wrong| Error::Message(format!("TESTFAILED {wrong}")))?;
    Ok(Answer::OK)
}
