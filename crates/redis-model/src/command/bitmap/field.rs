//! Integers in bitmaps: `BITFIELD BITFIELD_RO`.
use bytes::Bytes;
use resp::Value as Reply;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Purpose, Run, bit_offset, make_room};
use crate::{
    Answer, Ctx, Error, Notify,
    ctx::is_word as is,
    value::{
        bits::{Overflow, Width},
        number,
        string::Str,
    },
};

pub(super) const BITFIELD: Command = Command {
    name: "bitfield",
    summary: "Perform arbitrary bitfield integer operations on strings",
    since: "3.2.0",
    complexity: "O(1) for each subcommand specified",
    arity: -2,
    flags: Flags::GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::MODIFY.union(KeyFlags::VARIABLE_FLAGS))
        .noted("This command allows both access and modification of the key")],
    syntax: "key#0 [operation(GET=encoding_offset{encoding offset:int}|write{[OVERFLOW=wrap_sat_fail(WRAP|SAT|FAIL)] \
        write_operation(SET=encoding_offset_value{encoding offset:int value:int}|\
        INCRBY=encoding_offset_increment{encoding offset:int increment:int})})...]",
    run: Run::Call(bitfield),
    ..Command::of(Group::Bitmap)
};

fn bitfield(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let steps = parse(ctx)?;
    match steps.iter().filter_map(Step::last_bit_written).max() {
        Some(last_bit) => write(ctx, &steps, last_bit),
        None => read(ctx, &steps),
    }
}

pub(super) const BITFIELD_RO: Command = Command {
    name: "bitfield_ro",
    summary: "Perform arbitrary bitfield integer operations on strings. Read-only variant of BITFIELD",
    since: "6.0.0",
    complexity: "O(1) for each subcommand specified",
    arity: -2,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 [GET=encoding_offset{encoding offset:int}+...]",
    run: Run::Call(bitfield_ro),
    ..Command::of(Group::Bitmap)
};

fn bitfield_ro(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let steps = parse(ctx)?;
    if steps.iter().any(|step| step.action != Action::Get) {
        return Err(Error::Text("ERR BITFIELD_RO only supports the GET subcommand"));
    }
    read(ctx, &steps)
}

/// One operation of `BITFIELD`.
struct Step {
    action: Action,
    width: Width,
    offset: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Get,
    Set(i64, Overflow),
    IncrBy(i64, Overflow),
}

impl Step {
    fn last_bit_written(&self) -> Option<u64> {
        let last = self.offset.saturating_add(u64::from(self.width.bits)).saturating_sub(1);
        (self.action != Action::Get).then_some(last)
    }
}

fn parse(ctx: &Ctx<'_>) -> Result<Vec<Step>, Error> {
    let mut steps = Vec::new();
    let mut overflow = Overflow::Wrap;
    let mut rest = ctx.args_from(2);
    while let Some((name, words)) = rest.split_first() {
        rest = match words {
            [kind, rest @ ..] if is(name, "OVERFLOW") => {
                overflow = match () {
                    () if is(kind, "WRAP") => Overflow::Wrap,
                    () if is(kind, "SAT") => Overflow::Sat,
                    () if is(kind, "FAIL") => Overflow::Fail,
                    () => return Err(Error::Text("ERR Invalid OVERFLOW type specified")),
                };
                rest
            }
            [width, offset, rest @ ..] if is(name, "GET") => {
                let (width, offset) = place(ctx, width, offset, Purpose::Read)?;
                steps.push(Step { action: Action::Get, width, offset });
                rest
            }
            [width, offset, number, rest @ ..] if is(name, "SET") || is(name, "INCRBY") => {
                let (width, offset) = place(ctx, width, offset, Purpose::Write)?;
                let number = number::parse_i64(number).ok_or(Error::NotInteger)?;
                let action =
                    if is(name, "SET") { Action::Set(number, overflow) } else { Action::IncrBy(number, overflow) };
                steps.push(Step { action, width, offset });
                rest
            }
            _ => return Err(Error::Syntax),
        };
    }
    Ok(steps)
}

fn place(ctx: &Ctx<'_>, width: &Bytes, offset: &Bytes, purpose: Purpose) -> Result<(Width, u64), Error> {
    let width = Width::parse(width).ok_or(Error::Text(
        "ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is.",
    ))?;
    Ok((width, bit_offset(ctx, offset, Some(width.bits), purpose)?))
}

fn read(ctx: &mut Ctx<'_>, steps: &[Step]) -> Result<Answer, Error> {
    let string = ctx.read::<Str>(ctx.arg(1))?;
    let number = |step: &Step| string.map_or(0, |string| step.width.read(&string.view(), step.offset));
    Ok(Reply::Array(steps.iter().map(|step| Reply::Integer(number(step))).collect()).into())
}

fn write(ctx: &mut Ctx<'_>, steps: &[Step], last_bit: u64) -> Result<Answer, Error> {
    let key = ctx.arg(1);
    let is_longer = make_room(ctx, key, last_bit)?;
    let Some(string) = ctx.write::<Str>(key)? else { return Ok(Reply::Null.into()) };
    let mut is_changed = false;
    let mut replies = Vec::with_capacity(steps.len());
    for Step { action, width, offset } in steps {
        let before = width.read(&string.view(), *offset);
        let (after, reply) = match *action {
            Action::Get => (None, Some(before)),
            Action::Set(number, overflow) => {
                let after = width.fit(number, overflow);
                (after, after.map(|_| before))
            }
            Action::IncrBy(increment, overflow) => {
                let after = width.add(before, increment, overflow);
                (after, after)
            }
        };
        if let Some(after) = after {
            is_changed |= is_longer || after != before;
            width.write(string, *offset, after);
        }
        replies.push(reply.map_or(Reply::Null, Reply::Integer));
    }
    if is_changed {
        ctx.reply_stands_here();
        ctx.modified(key);
        ctx.notify(Notify::STRING, "setbit", key);
    }
    Ok(Reply::Array(replies).into())
}
