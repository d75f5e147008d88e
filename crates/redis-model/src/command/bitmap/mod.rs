//! Strings as bits: `SETBIT GETBIT BITCOUNT BITPOS BITOP BITFIELD BITFIELD_RO`.
mod bit;
mod field;
mod many;

use bytes::Bytes;

use bit::{GETBIT, SETBIT};
use field::{BITFIELD, BITFIELD_RO};
use many::{BITCOUNT, BITOP, BITPOS};

use super::{Categories, Command, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{
    Ctx, Error,
    value::{number, string::Str},
};

pub(super) static COMMANDS: &[Command] = &[BITCOUNT, BITFIELD, BITFIELD_RO, BITOP, BITPOS, GETBIT, SETBIT];

const BIT_OFFSET: Error = Error::Text("ERR bit offset is not an integer or out of range");

/// Redis' own limit of a string, whatever `proto-max-bulk-len` says: the bits of 512 MB.
const BITS_MAX: u64 = 1 << 32;

/// What a bit offset is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Read,
    Write,
}

/// The index of a bit: of the bit itself, or with `#` in front (`width` given) of the n-th integer of so many bits.
fn bit_offset(ctx: &Ctx<'_>, word: &[u8], width: Option<u32>, purpose: Purpose) -> Result<u64, Error> {
    let (number, unit) = match (word.strip_prefix(b"#"), width) {
        (Some(number), Some(bits)) => (number, i64::from(bits)),
        _ => (word, 1),
    };
    // Redis lets the product wrap.
    let offset = number::parse_i64(number).ok_or(BIT_OFFSET)?.wrapping_mul(unit);
    let offset = u64::try_from(offset).map_err(|_| BIT_OFFSET)?;
    if offset / 8 < ctx.server.config.proto_max_bulk_len {
        return Ok(offset);
    }
    // Where the limit of strings is set below Redis' own, as in the page, it is memory that is missing for such a bit.
    let lacks_memory = purpose == Purpose::Write && offset < BITS_MAX && ctx.reserve_memory(offset / 8).is_err();
    Err(if lacks_memory { Error::OutOfMemory } else { BIT_OFFSET })
}

/// The string behind a key that bits are about to be written to: `raw`, and long enough for the bit at `offset`. True when it grew.
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
