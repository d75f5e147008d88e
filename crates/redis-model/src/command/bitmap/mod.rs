//! Strings as bits: `SETBIT GETBIT BITCOUNT BITPOS BITOP BITFIELD BITFIELD_RO`.
mod bit;
mod field;
mod many;

use bytes::Bytes;

use bit::{GETBIT, SETBIT};
use field::{BITFIELD, BITFIELD_RO};
use many::{BITCOUNT, BITOP, BITPOS};

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{
    Ctx, Error,
    value::{number, string::Str},
};

pub(super) static COMMANDS: &[Command] = &[BITCOUNT, BITFIELD, BITFIELD_RO, BITOP, BITPOS, GETBIT, SETBIT];

const BIT_OFFSET: Error = Error::Text("ERR bit offset is not an integer or out of range");

/// Redis' fixed limit of a string, independent of `proto-max-bulk-len`: the bits of 512 MB.
const BITS_MAX: u64 = 1 << 32;

/// What a bit offset is used for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Read,
    Write,
}

/// Parses a bit offset: the index of a bit, or, if `width` is given, also `#n` for the n-th integer of `width` bits.
fn bit_offset(ctx: &Ctx<'_>, word: &[u8], width: Option<u32>, purpose: Purpose) -> Result<u64, Error> {
    let (number, unit) = match (word.strip_prefix(b"#"), width) {
        (Some(number), Some(bits)) => (number, i64::from(bits)),
        _ => (word, 1),
    };
    // In Redis the product wraps.
    let offset = number::parse_i64(number).ok_or(BIT_OFFSET)?.wrapping_mul(unit);
    let offset = u64::try_from(offset).map_err(|_| BIT_OFFSET)?;
    if offset / 8 < ctx.server.config.proto_max_bulk_len {
        return Ok(offset);
    }
    // If `proto-max-bulk-len` is lower than Redis' fixed limit, as in the page, such a bit fails for lack of memory.
    let lacks_memory = purpose == Purpose::Write && offset < BITS_MAX && ctx.reserve_memory(offset / 8).is_err();
    Err(if lacks_memory { Error::OutOfMemory } else { BIT_OFFSET })
}

/// Prepares the string at a key for writing the bit at `offset`: encoded as `raw` and long enough. Returns true if it grew.
fn make_room(ctx: &mut Ctx<'_>, key: &Bytes, offset: u64) -> Result<bool, Error> {
    let before = ctx.peek::<Str>(key)?.map(|string| (string.len(), string.memory()));
    let bytes = (offset / 8).saturating_add(1);
    ctx.reserve_memory(bytes)?;
    let bytes = usize::try_from(bytes).map_err(|_| Error::OutOfMemory)?;
    if before.is_none() {
        ctx.add(key, Str::Raw(Bytes::new().into()).into());
    }
    let Some(string) = ctx.write::<Str>(key)? else { return Ok(false) };
    string.edit(|raw| raw.grow(bytes));
    let after = (string.len(), string.memory());
    if before != Some(after) {
        ctx.reshaped(key);
    }
    Ok(before.is_none_or(|before| before.0 < after.0))
}
