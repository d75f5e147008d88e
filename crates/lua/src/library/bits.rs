//! `bit`: operations on 32 bits.
use super::add_rare;
use crate::native::{self, Returns};
use lua_types::{LuaError, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;

pub fn install(state: &mut LuaState) -> Result<(), LuaError> {
    add_rare(state, "tobit", |state| unary(state, |bits| bits))?;
    add_rare(state, "bnot", |state| unary(state, |bits| !bits))?;
    add_rare(state, "bswap", |state| unary(state, u32::swap_bytes))?;
    add_rare(state, "band", |state| fold(state, |a, b| a & b))?;
    add_rare(state, "bor", |state| fold(state, |a, b| a | b))?;
    add_rare(state, "bxor", |state| fold(state, |a, b| a ^ b))?;
    add_rare(state, "lshift", |state| shift(state, |bits, by| bits << by))?;
    add_rare(state, "rshift", |state| shift(state, |bits, by| bits >> by))?;
    add_rare(state, "arshift", |state| shift(state, |bits, by| (bits.cast_signed() >> by).cast_unsigned()))?;
    add_rare(state, "rol", |state| shift(state, u32::rotate_left))?;
    add_rare(state, "ror", |state| shift(state, u32::rotate_right))?;
    add_rare(state, "tohex", to_hex)
}

/// An argument as 32 bits: rounded half to even, and modulo 2^32.
fn bits(state: &mut LuaState, index: i32) -> Result<u32, LuaError> {
    let number = native::number(state, index)?;
    // Adding 2^52 + 2^51 moves the number's low bits to the low bits of the mantissa, as in the original library.
    Ok((number + 6_755_399_441_055_744.0).to_bits() as u32)
}

fn push(state: &mut LuaState, bits: u32) -> Returns {
    native::push_value(state, LuaValue::Float(f64::from(bits.cast_signed())))?;
    Ok(1)
}

fn unary(state: &mut LuaState, operation: fn(u32) -> u32) -> Returns {
    let bits = bits(state, 1)?;
    push(state, operation(bits))
}

fn fold(state: &mut LuaState, operation: fn(u32, u32) -> u32) -> Returns {
    let mut result = bits(state, 1)?;
    for index in (2..=api::get_top(state)).rev() {
        let bits = bits(state, index)?;
        result = operation(result, bits);
    }
    push(state, result)
}

fn shift(state: &mut LuaState, operation: fn(u32, u32) -> u32) -> Returns {
    let bits = bits(state, 1)?;
    let by = self::bits(state, 2)? & 31;
    push(state, operation(bits, by))
}

/// `bit.tohex(number, digits)`: a negative number of digits selects capital letters.
fn to_hex(state: &mut LuaState) -> Returns {
    let bits = bits(state, 1)?;
    let digits = if native::is_none(state, 2) { 8 } else { self::bits(state, 2)?.cast_signed() };
    let mut text = format!("{bits:08x}");
    if digits < 0 {
        text.make_ascii_uppercase();
    }
    let count = usize::try_from(digits.unsigned_abs()).unwrap_or(8).min(8);
    native::push(state, text.as_bytes().get(8 - count..).unwrap_or_default())?;
    Ok(1)
}
