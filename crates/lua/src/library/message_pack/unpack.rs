//! From MessagePack to Lua.
use crate::convert::holes;
use crate::native::{self, Returns};
use lua_types::{LuaError, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;

/// Deeper nesting is rejected, because this decoder is recursive.
const DEPTH_MAX: usize = 256;

/// `cmsgpack.unpack(text)`: all values in the text.
pub fn unpack(state: &mut LuaState) -> Returns {
    unpack_from(state, 0, 0)
}

/// `cmsgpack.unpack_one(text, offset)`: the next offset, and one value.
pub fn unpack_one(state: &mut LuaState) -> Returns {
    let offset = if native::is_absent(state, 2) { 0 } else { native::integer(state, 2)? };
    unpack_from(state, 1, offset)
}

/// `cmsgpack.unpack_limit(text, count, offset)`: the next offset, and up to `count` values.
pub fn unpack_limit(state: &mut LuaState) -> Returns {
    let limit = native::integer(state, 2)?;
    let offset = if native::is_absent(state, 3) { 0 } else { native::integer(state, 3)? };
    unpack_from(state, limit, offset)
}

fn unpack_from(state: &mut LuaState, limit: i64, offset: i64) -> Returns {
    let text = native::string(state, 1)?;
    let text = text.as_bytes();
    let (Ok(count_max), Ok(begin)) = (usize::try_from(limit), usize::try_from(offset)) else {
        return native::fail(
            state,
            format!("Invalid request to unpack with offset of {offset} and limit of {}.", text.len()),
        );
    };
    let Some(rest) = text.get(begin..) else {
        return native::fail(state, format!("Start offset {offset} greater than input length {}.", text.len()));
    };
    let everything = limit == 0 && offset == 0;
    let base = api::get_top(state);
    let mut reader = Unpacker { rest };
    let mut count = 0;
    while !reader.rest.is_empty() && (everything || count < count_max) {
        count += 1;
        reader.value(state, 0)?;
    }
    if !everything {
        let next = if reader.rest.is_empty() { -1.0 } else { (text.len() - reader.rest.len()) as f64 };
        native::push_value(state, LuaValue::Float(next))?;
        api::rotate(state, base + 1, 1);
        count += 1;
    }
    Ok(count)
}

struct Unpacker<'a> {
    rest: &'a [u8],
}

impl<'a> Unpacker<'a> {
    fn take(&mut self, state: &mut LuaState, count: usize) -> Result<&'a [u8], LuaError> {
        match self.rest.split_at_checked(count) {
            Some((bytes, rest)) => {
                self.rest = rest;
                Ok(bytes)
            }
            None => native::fail(state, "Missing bytes in input."),
        }
    }

    fn array<const N: usize>(&mut self, state: &mut LuaState) -> Result<[u8; N], LuaError> {
        let bytes = self.take(state, N)?;
        bytes.try_into().or_else(|_| native::fail(state, "Missing bytes in input."))
    }

    fn length(&mut self, state: &mut LuaState, bytes: usize) -> Result<usize, LuaError> {
        let bytes = self.take(state, bytes)?;
        Ok(bytes.iter().fold(0, |length, &byte| length << 8 | usize::from(byte)))
    }

    /// Puts the next value on the stack.
    fn value(&mut self, state: &mut LuaState, depth: usize) -> Result<(), LuaError> {
        native::charge(state, 1)?;
        native::room(state, 4)?;
        let [tag] = self.array(state)?;
        let number = match tag {
            0x00..=0x7f => f64::from(tag),
            0xe0..=0xff => f64::from(tag.cast_signed()),
            0xcc => f64::from(u8::from_be_bytes(self.array(state)?)),
            0xcd => f64::from(u16::from_be_bytes(self.array(state)?)),
            0xce => f64::from(u32::from_be_bytes(self.array(state)?)),
            0xcf => u64::from_be_bytes(self.array(state)?) as f64,
            0xd0 => f64::from(i8::from_be_bytes(self.array(state)?)),
            0xd1 => f64::from(i16::from_be_bytes(self.array(state)?)),
            0xd2 => f64::from(i32::from_be_bytes(self.array(state)?)),
            0xd3 => i64::from_be_bytes(self.array(state)?) as f64,
            0xca => f64::from(f32::from_be_bytes(self.array(state)?)),
            0xcb => f64::from_be_bytes(self.array(state)?),
            0xc0 => return native::push_value(state, LuaValue::Nil),
            0xc2 => return native::push_value(state, LuaValue::Bool(false)),
            0xc3 => return native::push_value(state, LuaValue::Bool(true)),
            0xa0..=0xbf => return self.string(state, usize::from(tag & 0x1f)),
            0xd9..=0xdb => {
                let length = self.length(state, 1 << (tag - 0xd9))?;
                return self.string(state, length);
            }
            0x90..=0x9f => return self.list(state, usize::from(tag & 0x0f), depth),
            0xdc | 0xdd => {
                let count = self.length(state, 2 << (tag - 0xdc))?;
                return self.list(state, count, depth);
            }
            0x80..=0x8f => return self.map(state, usize::from(tag & 0x0f), depth),
            0xde | 0xdf => {
                let count = self.length(state, 2 << (tag - 0xde))?;
                return self.map(state, count, depth);
            }
            _ => return native::fail(state, "Bad data format in input."),
        };
        native::push_value(state, LuaValue::Float(number))
    }

    fn string(&mut self, state: &mut LuaState, length: usize) -> Result<(), LuaError> {
        let bytes = self.take(state, length)?;
        native::push(state, bytes)
    }

    fn list(&mut self, state: &mut LuaState, count: usize, depth: usize) -> Result<(), LuaError> {
        if depth > DEPTH_MAX {
            return native::fail(state, "stack overflow (in function mp_decode_to_lua_array)");
        }
        // Each item takes at least one byte.
        holes::push_list(state, count.min(self.rest.len()))?;
        let mut has_holes = false;
        for number in 1..=count {
            self.value(state, depth + 1)?;
            has_holes |= native::value(state, -1).is_nil();
            api::raw_set_i(state, -2, i64::try_from(number).unwrap_or(i64::MAX))?;
        }
        if has_holes { holes::settle(state, count) } else { Ok(()) }
    }

    fn map(&mut self, state: &mut LuaState, count: usize, depth: usize) -> Result<(), LuaError> {
        if depth > DEPTH_MAX {
            return native::fail(state, "stack overflow (in function mp_decode_to_lua_hash)");
        }
        native::push_table(state, 0, 0)?;
        for _ in 0..count {
            self.value(state, depth + 1)?;
            self.value(state, depth + 1)?;
            match native::value(state, -2) {
                LuaValue::Nil => return Err(native::raw("table index is nil")),
                LuaValue::Float(number) if number.is_nan() => return Err(native::raw("table index is NaN")),
                _ => api::raw_set(state, -3)?,
            }
        }
        Ok(())
    }
}
