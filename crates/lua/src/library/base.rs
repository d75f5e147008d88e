//! Global functions: those that Redis changes, and those that would expose the platform.
use super::{add, add_rare, compile, original, whole};
use crate::bounds;
use crate::native::{self, Returns, as_number};
use crate::redis::Session;
use lua_types::{LuaError, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;
use std::rc::Rc;

/// The result of `collectgarbage("count")`: constant, because the true value depends on the platform.
const KILOBYTES: f64 = 64.0;

pub fn install(state: &mut LuaState, session: &Rc<Session>) -> Result<(), LuaError> {
    let unpack = original(state, "unpack");
    add(state, "unpack", move |state| {
        native::table(state, 1)?;
        whole(state, 2)?;
        whole(state, 3)?;
        unpack.call(state)
    })?;
    let assert = original(state, "assert");
    add_rare(state, "assert", move |state| {
        if native::is_none(state, 1) {
            return native::bad_argument(state, 1, "value expected");
        }
        assert.call(state)
    })?;
    let select = original(state, "select");
    add_rare(state, "select", move |state| {
        if is_number(state, 1) {
            whole(state, 1)?;
        }
        select.call(state)
    })?;
    let to_number = original(state, "tonumber");
    add(state, "tonumber", move |state| {
        // C accepts words such as `inf` as numbers.
        if api::get_top(state) == 1
            && let LuaValue::Str(text) = native::value(state, 1)
            && let text = text.as_bytes().trim_ascii()
            && let Some((number, length)) = super::strtod::strtod(text)
            && length == text.len()
        {
            native::push_value(state, LuaValue::Float(number))?;
            return Ok(1);
        }
        to_number.call(state)
    })?;
    let pcall = original(state, "pcall");
    add(state, "pcall", move |state| {
        if api::get_top(state) == 0 {
            native::push_value(state, LuaValue::Bool(false))?;
            native::push(state, b"attempt to call a nil value")?;
            return Ok(2);
        }
        native::charge(state, 16)?;
        let count = pcall.call(state)?;
        plain_error(state, count)?;
        Ok(count)
    })?;
    let xpcall = original(state, "xpcall");
    let hopeless = native::function(state, |state| {
        native::push(state, b"error in error handling")?;
        Ok(1)
    });
    add_rare(state, "xpcall", move |state| {
        if native::is_none(state, 2) {
            return native::bad_argument(state, 2, "value expected");
        }
        if !matches!(native::value(state, 2), LuaValue::Function(_)) {
            native::push_value(state, hopeless)?;
            api::copy(state, -1, 2);
            state.pop();
        }
        native::charge(state, 16)?;
        xpcall.call(state)
    })?;
    let known = Rc::clone(session);
    add(state, "tostring", move |state| to_string(state, &known))?;
    add_rare(state, "collectgarbage", collect_garbage)?;
    add_rare(state, "gcinfo", |state| {
        native::push_value(state, LuaValue::Float(KILOBYTES))?;
        Ok(1)
    })?;
    let known = Rc::clone(session);
    add_rare(state, "loadstring", move |state| load_string(state, &known))?;
    let known = Rc::clone(session);
    add_rare(state, "load", move |state| load(state, &known))
}

fn is_number(state: &LuaState, index: i32) -> bool {
    native::is_number(&native::value(state, index))
}

/// Redis' `pcall` returns the text of an error table, not the table.
fn plain_error(state: &mut LuaState, count: usize) -> Result<(), LuaError> {
    if count != 2 || !matches!(native::value(state, -2), LuaValue::Bool(false)) {
        return Ok(());
    }
    if let LuaValue::Table(table) = native::value(state, -1) {
        let text = native::field(&table, b"err");
        if matches!(text, LuaValue::Str(_)) || native::is_number(&text) {
            state.pop();
            state.push(text);
        }
    }
    Ok(())
}

/// `tostring`: tables, functions and threads get numbers instead of memory addresses.
fn to_string(state: &mut LuaState, session: &Session) -> Returns {
    if native::is_none(state, 1) {
        return native::bad_argument(state, 1, "value expected");
    }
    native::room(state, 4)?;
    let value = native::value(state, 1);
    let has_text = match &value {
        LuaValue::Table(table) => table.metatable().is_some_and(|meta| !native::field(&meta, b"__tostring").is_nil()),
        LuaValue::LightUserData(_) => {
            native::push(state, b"userdata: (nil)")?;
            return Ok(1);
        }
        LuaValue::Function(_) | LuaValue::Thread(_) | LuaValue::UserData(_) => false,
        _ => true,
    };
    if let LuaValue::Float(number) = value {
        native::push(state, &super::number_text(number))?;
        return Ok(1);
    }
    if has_text {
        state.to_display_string(1)?;
        return Ok(1);
    }
    let number = match api::value_identity_pointer(state, &value) {
        Some(address) => number_of(state, session, address, value),
        None => 0,
    };
    let text = format!("{}: 0x{:012x}", value.type_name(), 0x7f00_0000_0000_u64 + 0x20 * (number as u64 + 1));
    native::push(state, text.as_bytes())?;
    Ok(1)
}

/// The number of the object among those named in this run.
fn number_of(state: &mut LuaState, session: &Session, address: usize, value: LuaValue) -> usize {
    let mut named = session.named.borrow_mut();
    if let Some(number) = named.iter().position(|&(known, _)| known == address) {
        return number;
    }
    named.push((address, state.external_root_value(value)));
    named.len() - 1
}

/// `collectgarbage`: the collector works by itself.
fn collect_garbage(state: &mut LuaState) -> Returns {
    let option =
        if native::is_absent(state, 1) { b"collect".to_vec() } else { native::string(state, 1)?.as_bytes().to_vec() };
    let result = match option.as_slice() {
        b"collect" | b"stop" | b"restart" => LuaValue::Float(0.0),
        b"step" => LuaValue::Bool(false),
        b"count" => LuaValue::Float(KILOBYTES),
        b"setpause" | b"setstepmul" => LuaValue::Float(200.0),
        _ => return native::bad_argument(state, 1, [b"invalid option '", option.as_slice(), b"'"].concat()),
    };
    native::push_value(state, result)?;
    Ok(1)
}

/// `loadstring(text, name)`
fn load_string(state: &mut LuaState, session: &Session) -> Returns {
    let text = native::string(state, 1)?.as_bytes().to_vec();
    let name = if native::is_absent(state, 2) { text.clone() } else { native::string(state, 2)?.as_bytes().to_vec() };
    // A C string ends at its first zero byte.
    let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
    compiled(state, session, &text, name)
}

/// `load(function, name)`: the function returns the text in pieces.
fn load(state: &mut LuaState, session: &Session) -> Returns {
    if !matches!(native::value(state, 1), LuaValue::Function(_)) {
        return native::wrong_type(state, 1, "function");
    }
    let name =
        if native::is_absent(state, 2) { b"=(load)".to_vec() } else { native::string(state, 2)?.as_bytes().to_vec() };
    let mut text = Vec::new();
    loop {
        native::room(state, 2)?;
        state.push(native::value(state, 1));
        api::call_k(state, 0, 1, 0, None)?;
        let piece = match native::value(state, -1) {
            LuaValue::Nil => Vec::new(),
            LuaValue::Str(piece) => piece.as_bytes().to_vec(),
            other => match as_number(&other) {
                Some(number) => super::number_text(number),
                None => {
                    api::set_top(state, 0)?;
                    native::push_value(state, LuaValue::Nil)?;
                    native::push(state, b"reader function must return a string")?;
                    return Ok(2);
                }
            },
        };
        state.pop();
        if piece.is_empty() {
            return compiled(state, session, &text, &name);
        }
        text.extend_from_slice(&piece);
        // No source text begins like this, and the compiler reads no further.
        if text.first() == Some(&0x1b) {
            return compiled(state, session, &text, &name);
        }
        native::reserve(state, text.len())?;
    }
}

/// The function of a text, or nil and the compiler's message. Charges the budget for the compilation.
fn compiled(state: &mut LuaState, session: &Session, text: &[u8], name: &[u8]) -> Returns {
    // Any compilation takes at least as long as about two hundred instructions.
    native::charge(state, 200 + text.len())?;
    native::reserve(state, text.len().saturating_mul(8))?;
    // The new functions may run for long, even if the compiling text is short.
    bounds::watch(state, session);
    match compile(state, text, name) {
        Ok(()) => Ok(1),
        Err(LuaError::Runtime(message) | LuaError::Syntax(message)) => {
            native::push_value(state, LuaValue::Nil)?;
            native::push_value(state, message)?;
            Ok(2)
        }
        Err(other) => Err(other),
    }
}
