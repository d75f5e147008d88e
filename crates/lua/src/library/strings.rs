//! What the machine's `string` refuses or prints inexactly, and bounds for patterns and for what `gsub` builds.
use super::{add, format, original, truncate, whole};
use crate::native::{self, Returns, as_number};
use lua_stdlib::state_stub::upvalue_index;
use lua_types::closure::LuaCClosure;
use lua_types::{GcRef, LuaClosure, LuaError, LuaValue};
use lua_vm::api;
use lua_vm::state::{LuaCallable, LuaState};
use std::cell::RefCell;

/// A longer pattern is refused: the machine's matcher goes one call deeper for each item.
const PATTERN_BYTES_MAX: usize = 8 << 10;

/// `gsub` looks closer when its result could be larger than this.
const RESULT_BYTES_SURE: usize = 256 << 10;

pub fn install(state: &mut LuaState) -> Result<(), LuaError> {
    truncate(state, "rep", &[2])?;
    let rep = original(state, "rep");
    add(state, "rep", move |state| {
        charge_for_repeats(state)?;
        rep.call(state)
    })?;
    truncate(state, "sub", &[2, 3])?;
    truncate(state, "byte", &[2, 3])?;
    add(state, "char", char)?;
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
    add(state, "gsub", move |state| self::gsub(state, &gsub, counted))?;
    add(state, "dump", dump)?;
    for name in [b"pack".as_slice(), b"unpack", b"packsize"] {
        native::set_field(state, name, LuaValue::Nil)?;
    }
    format::install(state)
}

/// The head of the bytecode of Lua 5.1 on a machine of 64 bits: a mark, the version, the format, the order of bytes, and sizes.
const BYTECODE_HEAD: &[u8] = b"\x1bLuaQ\x00\x01\x04\x08\x04\x08\x00";

/// `string.dump(function)`: the head alone. What stands behind it is of another machine, and no script may load it again.
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

/// Bytes that `rep` writes for one instruction of the budget.
const REPEATED_BYTES: f64 = 32.0;
/// More is not charged for: that much is refused by the cap of memory.
const REPEATED_BYTES_MAX: f64 = (16u32 << 20) as f64;

/// A loop of long repeats would take minutes before the budget is spent, and all of it be collected meanwhile.
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

/// A search that would begin behind the subject begins at its end: so does Lua 5.1.
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

/// `string.gsub`: before it builds much, the cap of memory is asked.
fn gsub(state: &mut LuaState, original: &LuaCallable, counted: usize) -> Returns {
    bound_pattern(state)?;
    whole(state, 4)?;
    if native::is_none(state, 4) {
        // A nil in the fourth place is no count either, so none is given.
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

/// How many bytes of a replacement stand for themselves, and how many references to captures there are.
fn weigh(by: &[u8]) -> (usize, usize) {
    let references = by.iter().filter(|&&byte| byte == b'%').count();
    (by.len(), references)
}

/// The most that the result can be: matches do not overlap, so that all together a capture has no more bytes than the
/// subject; a position has 20 digits at most.
fn size(subject: usize, matches: usize, literal: usize, references: usize) -> usize {
    let captured = subject.saturating_add(matches.saturating_mul(20));
    subject.saturating_add(matches.saturating_mul(literal)).saturating_add(references.saturating_mul(captured))
}

/// How often the pattern matches: the substitution with nothing in the place.
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

/// Puts a function before a replacing table or function that asks the cap about all that it has given.
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

/// What such a function does: what it stands for is its first upvalue, the bytes so far the second.
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
