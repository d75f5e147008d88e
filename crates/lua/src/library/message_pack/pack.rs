//! From Lua to MessagePack.
use crate::guard;
use crate::native::{self, Returns};
use lua_types::{GcRef, LuaError, LuaTable, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;

/// Tables nested deeper than this are written as nil.
const DEPTH_MAX: usize = 16;

/// `cmsgpack.pack(…)`: all arguments one after another.
pub fn pack(state: &mut LuaState) -> Returns {
    let count = api::get_top(state);
    if count == 0 {
        return native::bad_argument(state, 0, "MessagePack pack needs input.");
    }
    let mut out = Vec::new();
    for index in 1..=count {
        let value = native::value(state, index);
        write(state, &mut out, &value, 0)?;
    }
    native::push(state, &out)?;
    Ok(1)
}

fn write(state: &mut LuaState, out: &mut Vec<u8>, value: &LuaValue, depth: usize) -> Result<(), LuaError> {
    native::charge(state, 1)?;
    match value {
        LuaValue::Str(text) => string(out, text.as_bytes()),
        LuaValue::Bool(true) => out.push(0xc3),
        LuaValue::Bool(false) => out.push(0xc2),
        LuaValue::Int(number) => integer(out, *number),
        LuaValue::Float(number) => self::number(out, *number),
        LuaValue::Table(table) if depth < DEPTH_MAX => return self::table(state, out, table, depth),
        _ => out.push(0xc0),
    }
    native::reserve(state, out.len())
}

fn table(state: &mut LuaState, out: &mut Vec<u8>, table: &GcRef<LuaTable>, depth: usize) -> Result<(), LuaError> {
    let (mut count, mut length, mut is_array) = (0_usize, 0.0_f64, true);
    let mut key = LuaValue::Nil;
    while let Some((next, _)) = table.try_next_pair(&key)? {
        key = next;
        count += 1;
        let index = native::as_number(&key).unwrap_or(0.0);
        is_array &= index > 0.0 && index.floor() == index;
        length = length.max(index);
    }
    if is_array && length == count as f64 {
        header(out, count, [0x90, 0x0f, 0xdc, 0xdd]);
        for number in 1..=count {
            let item = table.get_int(i64::try_from(number).unwrap_or(i64::MAX));
            write(state, out, &item, depth + 1)?;
        }
        return Ok(());
    }
    guard::in_order(state, table)?;
    header(out, count, [0x80, 0x0f, 0xde, 0xdf]);
    let mut key = LuaValue::Nil;
    while let Some((next, value)) = table.try_next_pair(&key)? {
        key = next;
        write(state, out, &key, depth + 1)?;
        write(state, out, &value, depth + 1)?;
    }
    Ok(())
}

/// Writes the number of items: in the first byte, in two bytes or in four.
fn header(out: &mut Vec<u8>, count: usize, [small, small_max, two, four]: [u8; 4]) {
    if count <= usize::from(small_max) {
        out.push(small | count as u8);
    } else if let Ok(count) = u16::try_from(count) {
        out.push(two);
        out.extend_from_slice(&count.to_be_bytes());
    } else {
        out.push(four);
        out.extend_from_slice(&(count as u32).to_be_bytes());
    }
}

fn string(out: &mut Vec<u8>, text: &[u8]) {
    match text.len() {
        length @ 32..=0xff => out.extend_from_slice(&[0xd9, length as u8]),
        length => header(out, length, [0xa0, 0x1f, 0xda, 0xdb]),
    }
    out.extend_from_slice(text);
}

/// Writes an integral number as an integer, others as a 32-bit float if lossless, else as a double.
fn number(out: &mut Vec<u8>, number: f64) {
    let whole = native::to_i64(number);
    if whole as f64 == number && number.abs() < 9.3e18 {
        integer(out, whole);
    } else if f64::from(number as f32) == number {
        out.push(0xca);
        out.extend_from_slice(&(number as f32).to_be_bytes());
    } else {
        out.push(0xcb);
        out.extend_from_slice(&number.to_be_bytes());
    }
}

fn integer(out: &mut Vec<u8>, number: i64) {
    match number {
        0..=0x7f => out.push(number as u8),
        0x80..=0xff => out.extend_from_slice(&[0xcc, number as u8]),
        0x100..=0xffff => tagged(out, 0xcd, &(number as u16).to_be_bytes()),
        0x1_0000..=0xffff_ffff => tagged(out, 0xce, &(number as u32).to_be_bytes()),
        0x1_0000_0000.. => tagged(out, 0xcf, &number.to_be_bytes()),
        -32..=-1 => out.push(number as u8),
        -128..=-33 => out.extend_from_slice(&[0xd0, number as u8]),
        -0x8000..=-129 => tagged(out, 0xd1, &(number as i16).to_be_bytes()),
        -0x8000_0000..=-0x8001 => tagged(out, 0xd2, &(number as i32).to_be_bytes()),
        _ => tagged(out, 0xd3, &number.to_be_bytes()),
    }
}

fn tagged(out: &mut Vec<u8>, tag: u8, bytes: &[u8]) {
    out.push(tag);
    out.extend_from_slice(bytes);
}
