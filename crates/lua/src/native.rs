//! How a Rust function uses the Lua stack: arguments are numbered from 1, results are pushed, errors get their source position.
use crate::bounds;
use lua_stdlib::auxlib;
use lua_types::{GcRef, LuaError, LuaString, LuaTable, LuaType, LuaValue};
use lua_vm::api;
use lua_vm::debug::{LuaDebug, get_info, get_stack};
use lua_vm::state::{LuaCallable, LuaState};
use std::rc::Rc;

/// The result of a native function: how many values it left on the stack.
pub type Returns = Result<usize, LuaError>;

/// An error prefixed with the position of the calling Lua code (`user_script:1: …`), as `luaL_error` makes it.
pub fn fail<T>(state: &mut LuaState, message: impl AsRef<[u8]>) -> Result<T, LuaError> {
    let mut text = place(state, 1);
    text.extend_from_slice(message.as_ref());
    Err(raw(text))
}

/// Prefixes an error of the VM's own libraries with its position, unless it has one already.
pub fn located(state: &mut LuaState, text: &[u8]) -> LuaError {
    if let Some((number, why)) = nameless_argument(text) {
        return match bad_argument::<()>(state, number, why) {
            Err(error) => error,
            Ok(()) => raw(text),
        };
    }
    let mut place = place(state, 1);
    if text.starts_with(&place) {
        return raw(text);
    }
    place.extend_from_slice(text);
    match state.intern_str(&place) {
        Ok(string) => LuaError::Runtime(LuaValue::Str(string)),
        Err(error) => error,
    }
}

/// Number and reason of a `bad argument #2 (…)` message without a function name.
fn nameless_argument(text: &[u8]) -> Option<(i32, &[u8])> {
    let rest = text.strip_prefix(b"bad argument #")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, rest) = rest.split_at_checked(digits)?;
    let why = rest.strip_prefix(b" (")?.strip_suffix(b")")?;
    Some((std::str::from_utf8(number).ok()?.parse().ok()?, why))
}

/// An error with exactly this text, without a position.
pub fn raw(text: impl Into<Vec<u8>>) -> LuaError {
    LuaError::RuntimeMsg(text.into().into_boxed_slice())
}

/// `chunk:line: ` of the function at this level, if it is a Lua function.
pub fn place(state: &mut LuaState, level: i32) -> Vec<u8> {
    let mut info = LuaDebug::default();
    if !get_stack(state, level, &mut info) {
        return Vec::new();
    }
    get_info(state, b"Sl", &mut info);
    if info.currentline <= 0 {
        return Vec::new();
    }
    let end = info.short_src.iter().position(|&byte| byte == 0).unwrap_or(info.short_src.len());
    let mut text = info.short_src.get(..end).unwrap_or_default().to_vec();
    text.extend_from_slice(format!(":{}: ", info.currentline).as_bytes());
    text
}

/// `bad argument #1 to 'rep' (…)`, with the name under which the function was called.
pub fn bad_argument<T>(state: &mut LuaState, mut number: i32, why: impl AsRef<[u8]>) -> Result<T, LuaError> {
    let mut info = LuaDebug::default();
    let mut name = b"?".to_vec();
    if get_stack(state, 0, &mut info) {
        get_info(state, b"n", &mut info);
        if let Some(known) = info.name {
            name = known;
        }
        if info.namewhat == Some(b"method") {
            number -= 1;
            if number == 0 {
                return fail(state, [b"calling '", name.as_slice(), b"' on bad self (", why.as_ref(), b")"].concat());
            }
        }
    }
    let text = [format!("bad argument #{number} to '").as_bytes(), &name, b"' (", why.as_ref(), b")"].concat();
    fail(state, text)
}

/// `bad argument … (string expected, got nil)`
pub fn wrong_type<T>(state: &mut LuaState, number: i32, expected: &str) -> Result<T, LuaError> {
    let got = type_name(state, number);
    bad_argument(state, number, format!("{expected} expected, got {got}"))
}

/// The type name of the value at an index; `no value` past the last argument.
pub fn type_name(state: &LuaState, index: i32) -> &'static str {
    if index > 0 && index > api::get_top(state) {
        return "no value";
    }
    value(state, index).type_name()
}

/// The value at an index; nil past the last one. Positive indexes count arguments from 1, negative ones count from the top.
pub fn value(state: &LuaState, index: i32) -> LuaValue {
    if index > 0 {
        if index > api::get_top(state) {
            return LuaValue::Nil;
        }
        let base = state.current_call_info().func;
        state.get_at(base + index)
    } else {
        state.get_at(state.top_idx() + index)
    }
}

/// Whether the argument is missing.
pub fn is_none(state: &LuaState, index: i32) -> bool {
    index > api::get_top(state)
}

/// Whether the argument is missing or nil.
pub fn is_absent(state: &LuaState, index: i32) -> bool {
    matches!(value(state, index), LuaValue::Nil)
}

/// The argument as a number; numeric strings are converted.
pub fn number(state: &mut LuaState, index: i32) -> Result<f64, LuaError> {
    match value(state, index) {
        LuaValue::Float(number) => Ok(number),
        LuaValue::Int(number) => Ok(number as f64),
        LuaValue::Str(_) => match api::to_number_x(state, index) {
            Some(number) => Ok(number),
            None => wrong_type(state, index, "number"),
        },
        _ => wrong_type(state, index, "number"),
    }
}

/// The argument as C casts a double to `long long`: truncated, and the minimum value if it does not fit.
pub fn integer(state: &mut LuaState, index: i32) -> Result<i64, LuaError> {
    number(state, index).map(to_i64)
}

/// Casts like C on x86.
pub fn to_i64(number: f64) -> i64 {
    const END: f64 = 9_223_372_036_854_775_808.0;
    if (-END..END).contains(&number) { number as i64 } else { i64::MIN }
}

/// The argument as a string; numbers become strings in place, as in `lua_tolstring`. The string stays on the stack, so the
/// collector does not free it.
pub fn string(state: &mut LuaState, index: i32) -> Result<GcRef<LuaString>, LuaError> {
    match value(state, index) {
        LuaValue::Str(string) => Ok(string),
        LuaValue::Int(_) | LuaValue::Float(_) => match api::to_lua_string(state, index)? {
            Some(string) => Ok(string),
            None => wrong_type(state, index, "string"),
        },
        _ => wrong_type(state, index, "string"),
    }
}

/// The argument as a table; an error if it is none.
pub fn table(state: &mut LuaState, index: i32) -> Result<GcRef<LuaTable>, LuaError> {
    match value(state, index) {
        LuaValue::Table(table) => Ok(table),
        _ => wrong_type(state, index, "table"),
    }
}

/// Whether the value has the type number (a numeric string has not).
pub fn is_number(value: &LuaValue) -> bool {
    value.type_tag() == LuaType::Number
}

/// The number in a value of type number.
pub fn as_number(value: &LuaValue) -> Option<f64> {
    match value {
        LuaValue::Float(number) => Some(*number),
        LuaValue::Int(number) => Some(*number as f64),
        _ => None,
    }
}

/// Puts a string on the stack.
pub fn push(state: &mut LuaState, bytes: &[u8]) -> Result<(), LuaError> {
    room(state, 1)?;
    api::push_lstring(state, bytes)?;
    Ok(())
}

/// Puts a value on the stack.
pub fn push_value(state: &mut LuaState, value: LuaValue) -> Result<(), LuaError> {
    room(state, 1)?;
    state.push(value);
    Ok(())
}

/// Puts an empty table on the stack.
pub fn push_table(state: &mut LuaState, items: usize, fields: usize) -> Result<(), LuaError> {
    room(state, 1)?;
    let count = |n: usize| i32::try_from(n.min(1 << 16)).unwrap_or(0);
    api::create_table(state, count(items), count(fields))
}

/// Pushes an empty table and returns it; the stack keeps it alive.
pub fn new_table(state: &mut LuaState, items: usize, fields: usize) -> Result<GcRef<LuaTable>, LuaError> {
    push_table(state, items, fields)?;
    table(state, api::get_top(state))
}

/// Reserves stack space for this many values.
pub fn room(state: &mut LuaState, values: i32) -> Result<(), LuaError> {
    auxlib::check_stack(state, values, None)
}

/// Sets a field of the table on top of the stack, without metamethods.
pub fn set_field(state: &mut LuaState, name: &[u8], value: LuaValue) -> Result<(), LuaError> {
    push_value(state, value)?;
    push(state, name)?;
    // A raw assignment expects the key below the value.
    api::rotate(state, -2, 1);
    api::raw_set(state, -3)
}

/// Sets a string field of the table on top of the stack.
pub fn set_string(state: &mut LuaState, name: &[u8], text: &[u8]) -> Result<(), LuaError> {
    push(state, name)?;
    push(state, text)?;
    api::raw_set(state, -3)
}

/// A field of a table, without metamethods.
pub fn field(table: &GcRef<LuaTable>, name: &[u8]) -> LuaValue {
    table.get_str_bytes(name)
}

/// Wraps a Rust function as a Lua function.
pub fn function(state: &LuaState, function: impl Fn(&mut LuaState) -> Returns + 'static) -> LuaValue {
    unbounded(state, move |state| {
        bounds::look(state)?;
        function(state)
    })
}

/// The same for a function that few scripts call. In the page it is in the second part of this module (crates/xtask/src/split/lua.txt).
pub fn rare(state: &LuaState, function: impl Fn(&mut LuaState) -> Returns + 'static) -> LuaValue {
    unbounded(state, move |state| {
        bounds::look(state)?;
        function(state)
    })
}

/// Wraps a Rust function that also works after a bound was reached.
pub fn unbounded(state: &LuaState, function: impl Fn(&mut LuaState) -> Returns + 'static) -> LuaValue {
    let mut global = state.global_mut();
    global.c_functions.push(LuaCallable::rust(Rc::new(function)));
    LuaValue::Function(lua_types::LuaClosure::LightC(global.c_functions.len() - 1))
}

/// Charges the budget for work that does not consist of instructions.
pub fn charge(state: &LuaState, amount: usize) -> Result<(), LuaError> {
    state.sandbox_charge(amount as u64).map_or(Ok(()), Err)
}

/// Checks the memory cap before `bytes` bytes are built. A single result larger than the cap is always refused.
pub fn reserve(state: &LuaState, bytes: usize) -> Result<(), LuaError> {
    let bytes = if bytes > bounds::cap(state) { usize::MAX } else { bytes };
    state.sandbox_reserve(bytes).map_or(Ok(()), Err)
}

/// Pops the value on top of the stack, then sets a field of the table below it.
pub fn set_field_below(state: &mut LuaState, name: &[u8], value: LuaValue) -> Result<(), LuaError> {
    api::set_top(state, -2)?;
    set_field(state, name, value)
}

/// The text of an error value that is not a table.
pub fn message_of(error: LuaError) -> Vec<u8> {
    match error {
        LuaError::Runtime(LuaValue::Str(text)) | LuaError::Syntax(LuaValue::Str(text)) => text.as_bytes().to_vec(),
        LuaError::RuntimeMsg(text) | LuaError::SyntaxMsg(text) => text.into_vec(),
        LuaError::Memory => b"not enough memory".to_vec(),
        _ => b"unknown error".to_vec(),
    }
}
