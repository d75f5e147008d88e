//! Fixes for functions of `string` that the VM rejects or prints inexactly, and bounds for patterns and results of `gsub`.
use super::{add, add_rare, format, original, truncate, whole};
use crate::native::{self, Returns, as_number};
use lua_stdlib::state_stub::upvalue_index;
use lua_types::closure::LuaCClosure;
use lua_types::{GcRef, LuaClosure, LuaError, LuaValue};
use lua_vm::api;
use lua_vm::state::{LuaCallable, LuaState};
use std::cell::RefCell;

/// Longer patterns are rejected: the VM's matcher recurses once per pattern item.
const PATTERN_BYTES_MAX: usize = 8 << 10;

/// `gsub` computes its size bound exactly if the result could be larger than this, in bytes.
const RESULT_BYTES_SURE: usize = 256 << 10;

pub fn install(state: &mut LuaState) -> Result<(), LuaError> {
    truncate(state, "rep", &[2])?;
    let rep = original(state, "rep");
    add_rare(state, "rep", move |state| {
        charge_for_repeats(state)?;
        rep.call(state)
    })?;
    truncate(state, "sub", &[2, 3])?;
    truncate(state, "byte", &[2, 3])?;
    add_rare(state, "char", char)?;
    for name in ["find", "match", "gmatch", "gfind"] {
        let original = original(state, name);
        add(state, name, move |state| {
            bound_pattern(state)?;
            whole(state, 3)?;
            begin_inside(state)?;
            original.call(state)
        })?;
    }
    let gsub = original(state, "gsub");
    let counted = state.register_c_function(counted, false);
    add_rare(state, "gsub", move |state| self::gsub(state, &gsub, counted))?;
    add_rare(state, "dump", dump)?;
    for name in [b"pack".as_slice(), b"unpack", b"packsize"] {
        native::set_field(state, name, LuaValue::Nil)?;
    }
    format::install(state)
}

/// The head of the bytecode of Lua 5.1 on a machine of 64 bits: a mark, the version, the format, the order of bytes, and sizes.
const BYTECODE_HEAD: &[u8] = b"\x1bLuaQ\x00\x01\x04\x08\x04\x08\x00";

/// `string.dump(function)`: the header alone. The bytecode of this VM differs, and no script may load bytecode anyway.
fn dump(state: &mut LuaState) -> Returns {
    match native::value(state, 1) {
        LuaValue::Function(LuaClosure::Lua(_)) => {
            native::push(state, BYTECODE_HEAD)?;
            Ok(1)
        }
        LuaValue::Function(_) => native::fail(state, "unable to dump given function"),
        _ => native::wrong_type(state, 1, "function"),
    }
}

/// Bytes of a `rep` result per charged instruction.
const REPEATED_BYTES: f64 = 32.0;
/// The charge is limited to this, because larger results exceed the memory cap.
const REPEATED_BYTES_MAX: f64 = (16u32 << 20) as f64;

/// Charges for long results: otherwise a loop of long repeats, all garbage, would run for minutes before the budget is used up.
fn charge_for_repeats(state: &mut LuaState) -> Result<(), LuaError> {
    if let (LuaValue::Str(text), Some(times)) = (native::value(state, 1), as_number(&native::value(state, 2))) {
        let bytes = text.as_bytes().len() as f64 * times;
        native::reserve(state, bytes as usize)?;
        let bytes = bytes.clamp(0.0, REPEATED_BYTES_MAX);
        native::charge(state, (bytes / REPEATED_BYTES) as usize)?;
    }
    Ok(())
}

/// `string.char(…)`
fn char(state: &mut LuaState) -> Returns {
    let mut text = Vec::new();
    for place in 1..=api::get_top(state) {
        match u8::try_from(native::integer(state, place)?) {
            Ok(byte) => text.push(byte),
            Err(_) => return native::bad_argument(state, place, "invalid value"),
        }
    }
    native::push(state, &text)?;
    Ok(1)
}

/// A search that would begin after the end of the subject begins at its end, as in Lua 5.1.
fn begin_inside(state: &mut LuaState) -> Result<(), LuaError> {
    if let (LuaValue::Str(subject), Some(begin)) = (native::value(state, 1), as_number(&native::value(state, 3))) {
        let end = subject.as_bytes().len() as f64 + 1.0;
        if begin > end {
            native::push_value(state, LuaValue::Float(end))?;
            api::copy(state, -1, 3);
            state.pop();
        }
    }
    Ok(())
}

fn bound_pattern(state: &mut LuaState) -> Result<(), LuaError> {
    if let LuaValue::Str(pattern) = native::value(state, 2)
        && pattern.as_bytes().len() > PATTERN_BYTES_MAX
    {
        return native::fail(state, "pattern too complex");
    }
    Ok(())
}

/// `string.gsub`, which checks the memory cap before it builds a large result.
fn gsub(state: &mut LuaState, original: &LuaCallable, counted: usize) -> Returns {
    bound_pattern(state)?;
    whole(state, 4)?;
    if native::is_none(state, 4) {
        // A nil as fourth argument means no limit, so it is dropped.
        api::set_top(state, api::get_top(state).min(3))?;
    }
    let subject = match native::value(state, 1) {
        LuaValue::Str(text) => text.as_bytes().len(),
        _ => 0,
    };
    match native::value(state, 3) {
        LuaValue::Str(by) => {
            let (literal, references) = weigh(by.as_bytes());
            let matches_max = subject.saturating_add(1);
            let most = size(subject, matches_max, literal, references);
            if most > RESULT_BYTES_SURE {
                let matches = count_matches(state, original)?;
                native::reserve(state, size(subject, matches, literal, references))?;
            }
        }
        LuaValue::Table(_) | LuaValue::Function(_) => count_results(state, counted)?,
        LuaValue::Int(_) | LuaValue::Float(_) => {}
        _ if !matches!(native::value(state, 2), LuaValue::Str(_)) => {}
        _ => return native::bad_argument(state, 3, "string/function/table expected"),
    }
    original.call(state).map_err(|error| match error {
        LuaError::RuntimeMsg(text) if text.starts_with(b"invalid capture index") => {
            native::raw("invalid capture index")
        }
        other => other,
    })
}

/// Number of literal bytes and number of capture references in a replacement.
fn weigh(by: &[u8]) -> (usize, usize) {
    let references = by.iter().filter(|&&byte| byte == b'%').count();
    (by.len(), references)
}

/// Upper bound of the result's size: matches do not overlap, so the total length of one capture over all matches is at most that of the
/// subject; a position capture has at most 20 digits.
fn size(subject: usize, matches: usize, literal: usize, references: usize) -> usize {
    let captured = subject.saturating_add(matches.saturating_mul(20));
    subject.saturating_add(matches.saturating_mul(literal)).saturating_add(references.saturating_mul(captured))
}

/// Number of matches, counted by a substitution with the empty string.
fn count_matches(state: &mut LuaState, original: &LuaCallable) -> Result<usize, LuaError> {
    let top = api::get_top(state);
    let by = native::value(state, 3);
    native::push(state, b"")?;
    api::copy(state, -1, 3);
    state.pop();
    let counted = original.call(state);
    let matches = as_number(&native::value(state, -1)).unwrap_or(0.0);
    api::set_top(state, top)?;
    native::push_value(state, by)?;
    api::copy(state, -1, 3);
    state.pop();
    counted?;
    Ok(matches as usize)
}

/// Wraps a replacing table or function in a function that checks the total size of its results against the cap.
fn count_results(state: &mut LuaState, counted: usize) -> Result<(), LuaError> {
    let by = native::value(state, 3);
    let upvalues = RefCell::new(vec![by, LuaValue::Float(0.0)]);
    let closure = GcRef::new(LuaCClosure { func: counted, upvalues });
    closure.account_buffer(closure.buffer_bytes().cast_signed());
    native::push_value(state, LuaValue::Function(LuaClosure::C(closure)))?;
    api::copy(state, -1, 3);
    state.pop();
    Ok(())
}

/// The body of such a function: its first upvalue is the wrapped value, the second the number of bytes so far.
fn counted(state: &mut LuaState) -> Returns {
    let given = api::get_top(state);
    native::room(state, 4)?;
    api::push_value(state, upvalue_index(1));
    if let LuaValue::Table(_) = native::value(state, -1) {
        state.push(native::value(state, 1));
        api::get_table(state, -2)?;
    } else {
        api::rotate(state, 1, 1);
        api::call_k(state, given, 1, 0, None)?;
    }
    if let LuaValue::Str(text) = native::value(state, -1) {
        api::push_value(state, upvalue_index(2));
        let total = as_number(&native::value(state, -1)).unwrap_or(0.0) + text.as_bytes().len() as f64;
        state.pop();
        native::reserve(state, total as usize)?;
        state.push(LuaValue::Float(total));
        api::copy(state, -1, upvalue_index(2));
        state.pop();
    }
    Ok(1)
}
