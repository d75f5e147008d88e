//! Many bits at once: `BITCOUNT BITPOS BITOP`.
use super::{Command, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{
    Answer, Ctx, Error, Notify,
    value::{
        bits::{self, Operation},
        string::{Str, View},
    },
};

pub(super) const BITCOUNT: Command = Command {
    name: "bitcount",
    summary: "Count set bits in a string",
    since: "2.6.0",
    complexity: "O(N)",
    arity: -2,
    flags: Flags::READONLY,
    history: &[("7.0.0", "Added the `BYTE|BIT` option.")],
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 [index{start:int end:int [index_unit(BYTE|BIT)@7.0.0]}]",
    run: Run::Call(bitcount),
    ..Command::of(Group::Bitmap)
};

fn bitcount(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    // Redis parses the range only if the string exists.
    let Some(string) = ctx.read::<Str>(ctx.arg(1))?.cloned() else { return Ok(Answer::int(0)) };
    let view = string.view();
    let range = match ctx.argv.len() {
        2 => Unit::Byte.range(&view, 0, -1),
        4 | 5 => {
            let (start, end) = (ctx.int(2)?, ctx.int(3)?);
            if start < 0 && end < 0 && start > end {
                return Ok(Answer::int(0));
            }
            unit(ctx, 4)?.range(&view, start, end)
        }
        _ => return Err(Error::Syntax),
    };
    Ok(Answer::int(range.map_or(0, |(first, last)| bits::count(&view, first, last))))
}

/// The unit of a range.
#[derive(Clone, Copy)]
enum Unit {
    Byte,
    Bit,
}

/// Parses `BYTE` or `BIT` at `word`; bytes if there is no such word.
fn unit(ctx: &Ctx<'_>, word: usize) -> Result<Unit, Error> {
    match () {
        () if word >= ctx.argv.len() || ctx.is_word(word, "BYTE") => Ok(Unit::Byte),
        () if ctx.is_word(word, "BIT") => Ok(Unit::Bit),
        () => Err(Error::Syntax),
    }
}

impl Unit {
    /// First and last bit of a range; negative bounds count from the end of the string. `None` if the range is empty.
    fn range(self, view: &View<'_>, start: i64, end: i64) -> Option<(u64, u64)> {
        let bits: i64 = match self {
            Unit::Byte => 8,
            Unit::Bit => 1,
        };
        let total = i64::try_from(view.len()).unwrap_or(i64::MAX).saturating_mul(8) / bits;
        let from_start = |index: i64| if index < 0 { total.saturating_add(index).max(0) } else { index };
        let (start, end) = (from_start(start), from_start(end).min(total.saturating_sub(1)));
        if start > end {
            return None;
        }
        let first = start.saturating_mul(bits);
        let last = end.saturating_mul(bits).saturating_add(bits.saturating_sub(1));
        Some((first.unsigned_abs(), last.unsigned_abs()))
    }
}

pub(super) const BITPOS: Command = Command {
    name: "bitpos",
    summary: "Find first bit set or clear in a string",
    since: "2.8.7",
    complexity: "O(N)",
    arity: -3,
    flags: Flags::READONLY,
    history: &[("7.0.0", "Added the `BYTE|BIT` option.")],
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 bit:int [index{start:int [end_index{end:int [index_unit(BYTE|BIT)@7.0.0]}]}]",
    run: Run::Call(bitpos),
    ..Command::of(Group::Bitmap)
};

fn bitpos(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    const NOWHERE: i64 = -1;
    let bit = match ctx.int(2)? {
        0 => false,
        1 => true,
        _ => return Err(Error::Text("ERR The bit argument must be 1 or 0.")),
    };
    // A missing key is all zeros; the range is not parsed.
    let Some(string) = ctx.read::<Str>(ctx.arg(1))?.cloned() else {
        return Ok(Answer::int(if bit { NOWHERE } else { 0 }));
    };
    let view = string.view();
    let words = ctx.argv.len();
    if words > 6 {
        return Err(Error::Syntax);
    }
    let start = if words > 3 { ctx.int(3)? } else { 0 };
    let unit = unit(ctx, 5)?;
    let end = if words > 4 { ctx.int(4)? } else { -1 };
    let Some((first, last)) = unit.range(&view, start, end) else { return Ok(Answer::int(NOWHERE)) };
    match bits::find(&view, bit, first, last) {
        Some(index) => Ok(Answer::int(index)),
        // Without an explicit end, zeros follow the string.
        None if !bit && words <= 4 => Ok(Answer::int(last.saturating_add(1))),
        None => Ok(Answer::int(NOWHERE)),
    }
}

pub(super) const BITOP: Command = Command {
    name: "bitop",
    summary: "Perform bitwise operations between strings",
    since: "2.6.0",
    complexity: "O(N)",
    arity: -4,
    flags: Flags::GROWING_WRITE,
    keys: &[KeySpec::one(2, KeyFlags::OVERWRITE), KeySpec::rest(3, KeyFlags::READ)],
    syntax: "operation destkey#0 key#1...",
    run: Run::Call(bitop),
    ..Command::of(Group::Bitmap)
};

fn bitop(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let operation = match () {
        () if ctx.is_word(1, "AND") => Operation::And,
        () if ctx.is_word(1, "OR") => Operation::Or,
        () if ctx.is_word(1, "XOR") => Operation::Xor,
        () if ctx.is_word(1, "NOT") => Operation::Not,
        () => return Err(Error::Syntax),
    };
    let (target, keys) = (ctx.arg(2), ctx.args_from(3));
    if operation == Operation::Not && keys.len() != 1 {
        return Err(Error::Text("ERR BITOP NOT must be called with a single source key."));
    }
    let mut sources = Vec::with_capacity(keys.len());
    for key in keys {
        sources.push(ctx.read::<Str>(key)?.cloned().unwrap_or_else(|| Str::plain("")));
    }
    let views: Vec<View<'_>> = sources.iter().map(Str::view).collect();
    let len = views.iter().map(View::len).max().unwrap_or(0);
    if len > 0 {
        ctx.reserve_memory(len as u64)?;
        ctx.set(target, Str::Raw(bits::combine(operation, &views)).into());
        ctx.notify(Notify::STRING, "set", target);
    } else if ctx.delete_unseen(target) {
        ctx.notify(Notify::GENERIC, "del", target);
    }
    Ok(Answer::int(len))
}
