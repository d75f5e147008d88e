//! How a Rust function works on the machine's stack: arguments by number from 1, results pushed, errors with their place.
use crate::bounds;
use lua_stdlib::auxlib;
use lua_types::{GcRef, LuaError, LuaString, LuaTable, LuaType, LuaValue};
use lua_vm::api;
use lua_vm::debug::{LuaDebug, get_info, get_stack};
use lua_vm::state::{LuaCallable, LuaState};
use std::rc::Rc;

/// What a native function returns: how many values it left on the stack.
pub type Returns = Result<usize, LuaError>;

/// An error with the place of the Lua code that called (`user_script:1: …`), as `luaL_error` makes it.
pub fn fail<T>(state: &mut LuaState, message: impl AsRef<[u8]>) -> Result<T, LuaError> {
    let mut text = place(state, 1);
    text.extend_from_slice(message.as_ref());
    Err(raw(text))
}

/// An error of the machine's own libraries with its place, if it does not begin with it already.
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

/// Number and reason of a `bad argument #2 (…)` that does not tell the function's name.
fn nameless_argument(text: &[u8]) -> Option<(i32, &[u8])> {
    let rest = text.strip_prefix(b"bad argument #")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, rest) = rest.split_at_checked(digits)?;
    let why = rest.strip_prefix(b" (")?.strip_suffix(b")")?;
    Some((std::str::from_utf8(number).ok()?.parse().ok()?, why))
}

/// An error that is this text and nothing more.
pub fn raw(text: impl Into<Vec<u8>>) -> LuaError {
    LuaError::RuntimeMsg(text.into().into_boxed_slice())
}

/// `chunk:line: ` of the function at this level, if it is one in Lua.
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

/// What stands at an index in Lua's words; `no value` past the last argument.
pub fn type_name(state: &LuaState, index: i32) -> &'static str {
    if index > 0 && index > api::get_top(state) {
        return "no value";
    }
    value(state, index).type_name()
}

/// The value at an index; nil past the last one. A positive one counts arguments from 1, a negative one from the top.
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

/// Is there no such argument?
pub fn is_none(state: &LuaState, index: i32) -> bool {
    index > api::get_top(state)
}

/// Is there no such argument, or nil?
pub fn is_absent(state: &LuaState, index: i32) -> bool {
    matches!(value(state, index), LuaValue::Nil)
}

/// A number, from a string too.
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

/// A number as C casts it to a `long long`: without its fraction, and the least one where it does not fit.
pub fn integer(state: &mut LuaState, index: i32) -> Result<i64, LuaError> {
    number(state, index).map(to_i64)
}

/// As C on x86 casts.
pub fn to_i64(number: f64) -> i64 {
    const END: f64 = 9_223_372_036_854_775_808.0;
    if (-END..END).contains(&number) { number as i64 } else { i64::MIN }
}

/// A string; numbers become strings in place, as `lua_tolstring` does it. The string stays on the stack, so that the
/// collector leaves it alone.
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

/// A table.
pub fn table(state: &mut LuaState, index: i32) -> Result<GcRef<LuaTable>, LuaError> {
    match value(state, index) {
        LuaValue::Table(table) => Ok(table),
        _ => wrong_type(state, index, "table"),
    }
}

/// Is it one of Lua's numbers? (A string that looks like one is not.)
pub fn is_number(value: &LuaValue) -> bool {
    value.type_tag() == LuaType::Number
}

/// The number that a value is.
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

/// Puts an empty table on the stack and returns it; what is there keeps it from the collector.
pub fn new_table(state: &mut LuaState, items: usize, fields: usize) -> Result<GcRef<LuaTable>, LuaError> {
    push_table(state, items, fields)?;
    table(state, api::get_top(state))
}

/// Room for as many values on the stack.
pub fn room(state: &mut LuaState, values: i32) -> Result<(), LuaError> {
    auxlib::check_stack(state, values, None)
}

/// Gives the table on top of the stack a field of the value there, which is popped. No metamethods.
pub fn set_field(state: &mut LuaState, name: &[u8], value: LuaValue) -> Result<(), LuaError> {
    push_value(state, value)?;
    push(state, name)?;
    // Key below value is what a raw assignment wants.
    api::rotate(state, -2, 1);
    api::raw_set(state, -3)
}

/// Gives the table on top of the stack a string.
pub fn set_string(state: &mut LuaState, name: &[u8], text: &[u8]) -> Result<(), LuaError> {
    push(state, name)?;
    push(state, text)?;
    api::raw_set(state, -3)
}

/// A field of a table, without metamethods.
pub fn field(table: &GcRef<LuaTable>, name: &[u8]) -> LuaValue {
    table.get_str_bytes(name)
}

/// Makes a function of the machine out of one of Rust.
pub fn function(state: &LuaState, function: impl Fn(&mut LuaState) -> Returns + 'static) -> LuaValue {
    unbounded(state, move |state| {
        bounds::look(state)?;
        function(state)
    })
}

/// The same for one that works after a bound is reached too.
pub fn unbounded(state: &LuaState, function: impl Fn(&mut LuaState) -> Returns + 'static) -> LuaValue {
    let mut global = state.global_mut();
    global.c_functions.push(LuaCallable::rust(Rc::new(function)));
    LuaValue::Function(lua_types::LuaClosure::LightC(global.c_functions.len() - 1))
}

/// Charges the budget for work that is not instructions.
pub fn charge(state: &LuaState, amount: usize) -> Result<(), LuaError> {
    state.sandbox_charge(amount as u64).map_or(Ok(()), Err)
}

/// Asks the cap of memory before as many bytes are built. A single result past the cap is refused whatever else there is.
pub fn reserve(state: &LuaState, bytes: usize) -> Result<(), LuaError> {
    let bytes = if bytes > bounds::cap(state) { usize::MAX } else { bytes };
    state.sandbox_reserve(bytes).map_or(Ok(()), Err)
}

/// Gives the table below the value on top of the stack a field, and takes the value off.
pub fn set_field_below(state: &mut LuaState, name: &[u8], value: LuaValue) -> Result<(), LuaError> {
    api::set_top(state, -2)?;
    set_field(state, name, value)
}

/// The text of an error that is no table.
pub fn message_of(error: LuaError) -> Vec<u8> {
    match error {
        LuaError::Runtime(LuaValue::Str(text)) | LuaError::Syntax(LuaValue::Str(text)) => text.as_bytes().to_vec(),
        LuaError::RuntimeMsg(text) | LuaError::SyntaxMsg(text) => text.into_vec(),
        LuaError::Memory => b"not enough memory".to_vec(),
        _ => b"unknown error".to_vec(),
    }
}
