//! Fixes for functions of `table` that the VM rejects, and `table.concat`, which checks the memory cap.
use super::add_rare;
use crate::native::{self, Returns, as_number};
use lua_types::{LuaError, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;

pub fn install(state: &mut LuaState) -> Result<(), LuaError> {
    add_rare(state, "insert", insert)?;
    add_rare(state, "remove", remove)?;
    add_rare(state, "concat", concat)
}

/// `table.insert(list, position, value)`; the position is optional and may be out of range.
fn insert(state: &mut LuaState) -> Returns {
    let list = native::table(state, 1)?;
    let end = list.getn().cast_signed() + 1;
    let position = match api::get_top(state) {
        2 => end,
        3 => native::integer(state, 2)?,
        _ => return native::fail(state, "wrong number of arguments to 'insert'"),
    };
    let mut number = end.max(position);
    while number > position {
        native::charge(state, 1)?;
        native::push_value(state, list.get_int(number - 1))?;
        api::raw_set_i(state, 1, number)?;
        number -= 1;
    }
    api::raw_set_i(state, 1, position)?;
    Ok(0)
}

/// `table.remove(list, position)`; without a position, the last item.
fn remove(state: &mut LuaState) -> Returns {
    let list = native::table(state, 1)?;
    let end = list.getn().cast_signed();
    let position = if native::is_absent(state, 2) { end } else { native::integer(state, 2)? };
    if position < 1 || position > end {
        return Ok(0);
    }
    native::push_value(state, list.get_int(position))?;
    for number in position..end {
        native::charge(state, 1)?;
        native::push_value(state, list.get_int(number + 1))?;
        api::raw_set_i(state, 1, number)?;
    }
    native::push_value(state, LuaValue::Nil)?;
    api::raw_set_i(state, 1, end)?;
    Ok(1)
}

/// `table.concat(list, between, first, last)`
fn concat(state: &mut LuaState) -> Returns {
    let list = native::table(state, 1)?;
    let between = if native::is_absent(state, 2) { Vec::new() } else { native::string(state, 2)?.as_bytes().to_vec() };
    let first = if native::is_absent(state, 3) { 1 } else { native::integer(state, 3)? };
    let last = if native::is_absent(state, 4) { list.getn().cast_signed() } else { native::integer(state, 4)? };
    let mut out = Vec::new();
    let mut number = first;
    while number <= last {
        match list.get_int(number) {
            LuaValue::Str(text) => out.extend_from_slice(text.as_bytes()),
            other => match as_number(&other) {
                Some(number) => out.extend_from_slice(&super::number_text(number)),
                None => {
                    let got = other.type_name();
                    return native::fail(
                        state,
                        format!("invalid value ({got}) at index {number} in table for 'concat'"),
                    );
                }
            },
        }
        if number < last {
            out.extend_from_slice(&between);
        }
        native::reserve(state, out.len())?;
        native::charge(state, 1)?;
        let Some(next) = number.checked_add(1) else { break };
        number = next;
    }
    native::push(state, &out)?;
    Ok(1)
}
