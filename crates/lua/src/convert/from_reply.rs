//! Converts a command's reply to a Lua value, by the protocol that the script chose.
use super::holes;
use crate::native;
use lua_types::{LuaError, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;
use resp::{Protocol, Value};
use script::codec::DEPTH_MAX;

/// Puts a reply on the stack.
pub fn push_reply(state: &mut LuaState, reply: &Value, protocol: Protocol) -> Result<(), LuaError> {
    push_nested(state, reply, protocol, 0)
}

fn push_nested(state: &mut LuaState, reply: &Value, protocol: Protocol, depth: usize) -> Result<(), LuaError> {
    if depth > DEPTH_MAX {
        return Err(native::raw("ERR reply is nested too deeply"));
    }
    native::room(state, 4)?;
    let resp3 = protocol == Protocol::Resp3;
    match reply {
        Value::Simple(text) => tagged(state, b"ok", text),
        Value::Error(text) => push_error(state, text),
        Value::Integer(number) => native::push_value(state, LuaValue::Float(*number as f64)),
        Value::Bulk(bytes) => native::push(state, bytes),
        Value::Null | Value::NullArray => {
            native::push_value(state, if resp3 { LuaValue::Nil } else { LuaValue::Bool(false) })
        }
        Value::Array(items) | Value::Push(items) => push_items(state, items, protocol, depth),
        Value::Map(pairs) if resp3 => {
            native::push_table(state, 0, 1)?;
            native::push(state, b"map")?;
            native::push_table(state, 0, pairs.len())?;
            for (key, value) in pairs {
                push_nested(state, key, protocol, depth + 1)?;
                push_nested(state, value, protocol, depth + 1)?;
                set_unless_nil(state)?;
            }
            api::raw_set(state, -3)
        }
        Value::Map(pairs) => {
            native::push_table(state, pairs.len() * 2, 0)?;
            for (number, part) in pairs.iter().flat_map(|(key, value)| [key, value]).enumerate() {
                push_nested(state, part, protocol, depth + 1)?;
                api::raw_set_i(state, -2, number as i64 + 1)?;
            }
            Ok(())
        }
        Value::Set(items) if resp3 => {
            native::push_table(state, 0, 1)?;
            native::push(state, b"set")?;
            native::push_table(state, 0, items.len())?;
            for item in items {
                push_nested(state, item, protocol, depth + 1)?;
                native::push_value(state, LuaValue::Bool(true))?;
                set_unless_nil(state)?;
            }
            api::raw_set(state, -3)
        }
        Value::Set(items) => push_items(state, items, protocol, depth),
        Value::Double(number) if resp3 => {
            native::push_table(state, 0, 1)?;
            native::set_field(state, b"double", LuaValue::Float(*number))
        }
        Value::WideDouble(digits) if resp3 => {
            let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()).unwrap_or(f64::NAN);
            native::push_table(state, 0, 1)?;
            native::set_field(state, b"double", LuaValue::Float(number))
        }
        Value::WideDouble(digits) => native::push(state, digits),
        Value::Boolean(yes) if resp3 => native::push_value(state, LuaValue::Bool(*yes)),
        Value::Boolean(yes) => native::push_value(state, LuaValue::Float(f64::from(u8::from(*yes)))),
        Value::BigNumber(digits) if resp3 => tagged(state, b"big_number", digits),
        Value::BigNumber(text) => native::push(state, text),
        Value::Verbatim(format, text) if resp3 => {
            native::push_table(state, 0, 1)?;
            native::push(state, b"verbatim_string")?;
            native::push_table(state, 0, 2)?;
            native::set_string(state, b"string", text)?;
            native::set_string(state, b"format", format)?;
            api::raw_set(state, -3)
        }
        Value::Verbatim(_, text) => native::push(state, text),
        Value::Double(number) => {
            let mut text = Vec::new();
            resp::encode::double_text(*number, &mut text);
            native::push(state, &text)
        }
    }
}

fn push_items(state: &mut LuaState, items: &[Value], protocol: Protocol, depth: usize) -> Result<(), LuaError> {
    holes::push_list(state, items.len())?;
    for (number, item) in items.iter().enumerate() {
        push_nested(state, item, protocol, depth + 1)?;
        api::raw_set_i(state, -2, number as i64 + 1)?;
    }
    let is_null = |item: &Value| matches!(item, Value::Null | Value::NullArray);
    if protocol == Protocol::Resp3 && items.iter().any(is_null) {
        holes::settle(state, items.len())?;
    }
    Ok(())
}

/// Pops a key and a value and stores them in the table below; entries with a nil key are dropped.
fn set_unless_nil(state: &mut LuaState) -> Result<(), LuaError> {
    if native::value(state, -2).is_nil() {
        return api::set_top(state, -3);
    }
    api::raw_set(state, -3)
}

/// A table with one field.
fn tagged(state: &mut LuaState, name: &[u8], text: &[u8]) -> Result<(), LuaError> {
    native::push_table(state, 0, 1)?;
    native::set_string(state, name, text)
}

/// An error reply as a script sees it: a table that also says that the server has counted the error.
fn push_error(state: &mut LuaState, text: &[u8]) -> Result<(), LuaError> {
    native::push_table(state, 0, 2)?;
    native::set_string(state, b"err", text)?;
    native::set_field(state, b"ignore_error_stats_update", LuaValue::Bool(true))
}
