//! One bit: `SETBIT GETBIT`.
use super::{Command, Flags, Group, KeyFlags, KeySpec, Purpose, Run, bit_offset, make_room};
use crate::{
    Answer, Ctx, Error, Notify,
    value::{bits, string::Str},
};

pub(super) const SETBIT: Command = Command {
    name: "setbit",
    summary: "Sets or clears the bit at offset in the string value stored at key",
    since: "2.2.0",
    complexity: "O(1)",
    arity: 4,
    flags: Flags::GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::MODIFY)],
    syntax: "key#0 offset:int value:int",
    run: Run::Call(setbit),
    ..Command::of(Group::Bitmap)
};

fn setbit(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let offset = bit_offset(ctx, ctx.arg(2), None, Purpose::Write)?;
    let bit = match ctx.int(3) {
        Ok(0) => false,
        Ok(1) => true,
        _ => return Err(Error::Text("ERR bit is not an integer or out of range")),
    };
    let key = ctx.arg(1);
    let is_longer = make_room(ctx, key, offset)?;
    let Some(string) = ctx.write::<Str>(key)? else { return Ok(Answer::flag(false)) };
    let before = bits::get(&string.view(), offset);
    if before != bit {
        string.edit(|raw| bits::set(raw, offset, bit));
    }
    if is_longer || before != bit {
        ctx.modified(key);
        ctx.notify(Notify::STRING, "setbit", key);
    }
    Ok(Answer::flag(before))
}

pub(super) const GETBIT: Command = Command {
    name: "getbit",
    summary: "Returns the bit value at offset in the string value stored at key",
    since: "2.2.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 offset:int",
    run: Run::Call(getbit),
    ..Command::of(Group::Bitmap)
};

fn getbit(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let offset = bit_offset(ctx, ctx.arg(2), None, Purpose::Read)?;
    let string = ctx.read::<Str>(ctx.arg(1))?;
    Ok(Answer::flag(string.is_some_and(|string| bits::get(&string.view(), offset))))
}
