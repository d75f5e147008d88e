//! Converts the result of a script to a reply.
use super::one_line;
use crate::native::{self, as_number, to_i64};
use bytes::Bytes;
use lua_types::{GcRef, LuaError, LuaTable, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;
use resp::{Protocol, Value};
use script::codec::DEPTH_MAX;

/// The reply for the value on top of the stack, which stays there. `protocol` is the protocol that the script chose.
///
/// # Errors
/// If the conversion exceeds the run's budget.
pub fn reply_of(state: &mut LuaState, protocol: Protocol) -> Result<Value, LuaError> {
    nested(state, protocol, 0)
}

fn nested(state: &mut LuaState, protocol: Protocol, depth: usize) -> Result<Value, LuaError> {
    // Deeper replies could not be sent to another module.
    if depth >= DEPTH_MAX {
        return Ok(Value::error("ERR reached lua stack limit"));
    }
    native::room(state, 4)?;
    native::charge(state, 1)?;
    Ok(match native::value(state, -1) {
        LuaValue::Str(string) => Value::Bulk(Bytes::copy_from_slice(string.as_bytes())),
        LuaValue::Int(number) => Value::Integer(to_i64(number as f64)),
        LuaValue::Float(number) => Value::Integer(to_i64(number)),
        LuaValue::Bool(yes) if protocol == Protocol::Resp3 => Value::Boolean(yes),
        LuaValue::Bool(true) => Value::Integer(1),
        LuaValue::Table(table) => match special(&table) {
            Special::Reply(reply) => reply,
            Special::Map(map) => {
                let mut pairs = Vec::new();
                each(state, map, |state| {
                    state.push(native::value(state, -2));
                    let key = nested(state, protocol, depth + 1)?;
                    state.pop();
                    let value = nested(state, protocol, depth + 1)?;
                    pairs.push((key, value));
                    Ok(())
                })?;
                Value::Map(pairs)
            }
            Special::Set(set) => {
                let mut items = Vec::new();
                each(state, set, |state| {
                    state.push(native::value(state, -2));
                    items.push(nested(state, protocol, depth + 1)?);
                    state.pop();
                    Ok(())
                })?;
                Value::Set(items)
            }
            Special::None => {
                let mut items = Vec::new();
                for number in 1.. {
                    let item = table.get_int(number);
                    if item.is_nil() {
                        break;
                    }
                    state.push(item);
                    items.push(nested(state, protocol, depth + 1)?);
                    state.pop();
                }
                Value::Array(items)
            }
        },
        _ => Value::Null,
    })
}

/// Calls `visit` with key and value on top of the stack for each pair.
fn each(
    state: &mut LuaState,
    table: GcRef<LuaTable>,
    mut visit: impl FnMut(&mut LuaState) -> Result<(), LuaError>,
) -> Result<(), LuaError> {
    native::push_value(state, LuaValue::Table(table))?;
    native::push_value(state, LuaValue::Nil)?;
    while api::next(state, -2)? {
        visit(state)?;
        state.pop();
    }
    state.pop();
    Ok(())
}

/// A table that represents something other than an array.
enum Special {
    Reply(Value),
    Map(GcRef<LuaTable>),
    Set(GcRef<LuaTable>),
    None,
}

/// Fields that mark such tables, in the order in which Redis looks for them.
fn special(table: &GcRef<LuaTable>) -> Special {
    if table.with_inner(|inner| inner.node.is_empty()) {
        return Special::None;
    }
    if let LuaValue::Str(text) = native::field(table, b"err") {
        return Special::Reply(Value::Error(one_line(text.as_bytes()).into()));
    }
    if let LuaValue::Str(text) = native::field(table, b"ok") {
        return Special::Reply(Value::Simple(one_line(text.as_bytes()).into()));
    }
    if let Some(number) = as_number(&native::field(table, b"double")) {
        return Special::Reply(Value::Double(number));
    }
    if let LuaValue::Table(map) = native::field(table, b"map") {
        return Special::Map(map);
    }
    if let LuaValue::Table(set) = native::field(table, b"set") {
        return Special::Set(set);
    }
    if let LuaValue::Str(digits) = native::field(table, b"big_number") {
        return Special::Reply(Value::BigNumber(one_line(digits.as_bytes()).into()));
    }
    if let LuaValue::Table(verbatim) = native::field(table, b"verbatim_string")
        && let LuaValue::Str(format) = native::field(&verbatim, b"format")
        && let LuaValue::Str(text) = native::field(&verbatim, b"string")
    {
        let mut three = *b"   ";
        for (to, from) in three.iter_mut().zip(format.as_bytes()) {
            *to = *from;
        }
        return Special::Reply(Value::Verbatim(three, Bytes::copy_from_slice(text.as_bytes())));
    }
    Special::None
}
