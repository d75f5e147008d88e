//! Inspects a stopped thread: its call stack, the current lines, and the local variables.
use super::frame;
use crate::library::number_text;
use crate::native;
use bytes::Bytes;
use lua_types::{GcRef, LuaTable, LuaValue};
use lua_vm::api;
use lua_vm::debug::{LuaDebug, get_info, get_local, get_stack};
use lua_vm::state::LuaState;
use script::program::{FRAMES_MAX, Frame, LOCALS_MAX, Local, SHOWN_BYTES_MAX};
use std::cmp::Ordering;
use std::rc::Rc;

/// Most stack levels inspected.
const LEVELS_MAX: i32 = 200;

/// Most upvalues of a function that are shown.
const UPVALUES_MAX: i32 = 60;

/// Most entries of a table that are shown.
const ENTRIES_MAX: usize = 12;

/// The call stack of a suspended coroutine, functions of the program only. The innermost frame also shows, after its own
/// variables, those that it can access and no other frame shows: upvalues and global variables, where an application keeps
/// its state. Variables that hold functions are left out.
pub fn frames_of(state: &LuaState, coroutine: &LuaValue) -> Vec<Frame> {
    let LuaValue::Thread(thread) = coroutine else { return Vec::new() };
    let globals = globals(&state.v51_thread_lgt(thread.id));
    let frames = within(state, coroutine, |state| {
        let mut frames = frames(state, locals);
        let seen = upvalues_of_innermost(state).into_iter().chain(globals);
        let seen = seen.filter(|(_, value)| !matches!(value, LuaValue::Function(_)));
        for (name, value) in seen.collect::<Vec<_>>() {
            let is_shown = frames.iter().any(|frame| frame.locals.iter().any(|local| local.name == name));
            if let Some(innermost) = frames.first_mut()
                && innermost.locals.len() < LOCALS_MAX
                && !is_shown
            {
                innermost.locals.push(Local { name, shown: shown(&value) });
            }
        }
        frames
    });
    frames.unwrap_or_default()
}

/// The global variables that a program has assigned to, sorted by name.
fn globals(table: &LuaValue) -> Vec<(Bytes, LuaValue)> {
    let LuaValue::Table(table) = table else { return Vec::new() };
    let named = sorted_entries(table).into_iter().filter_map(|(key, value)| match key {
        Key::Name(name) if name != "_G" => Some((name, value)),
        _ => None,
    });
    named.collect()
}

/// A key of a table that is shown.
enum Key {
    Number(f64),
    Name(Bytes),
}

impl Key {
    /// Numbers come before names.
    fn compare(&self, other: &Key) -> Ordering {
        match (self, other) {
            (Key::Number(a), Key::Number(b)) => a.total_cmp(b),
            (Key::Number(_), Key::Name(_)) => Ordering::Less,
            (Key::Name(_), Key::Number(_)) => Ordering::Greater,
            (Key::Name(a), Key::Name(b)) => a.cmp(b),
        }
    }
}

/// The entries whose keys are numbers or strings, sorted.
fn sorted_entries(table: &GcRef<LuaTable>) -> Vec<(Key, LuaValue)> {
    let mut entries = Vec::new();
    table.for_each_entry(|key, value| {
        let key = match key {
            LuaValue::Int(number) => Key::Number(*number as f64),
            LuaValue::Float(number) => Key::Number(*number),
            LuaValue::Str(name) => Key::Name(Bytes::copy_from_slice(name.as_bytes())),
            _ => return,
        };
        entries.push((key, *value));
    });
    entries.sort_by(|(a, _), (b, _)| a.compare(b));
    entries
}

/// The upvalues of the program's innermost function.
fn upvalues_of_innermost(state: &mut LuaState) -> Vec<(Bytes, LuaValue)> {
    for level in 0..LEVELS_MAX {
        let mut info = LuaDebug::default();
        if !get_stack(state, level, &mut info) {
            break;
        }
        get_info(state, b"Sl", &mut info);
        if info.currentline > 0 && info.source.as_deref() != Some(frame::CALLER) {
            return upvalues(state, &mut info);
        }
    }
    Vec::new()
}

/// The call stack without local variables.
pub fn outline_of(state: &LuaState, coroutine: &LuaValue) -> Vec<Frame> {
    within(state, coroutine, |state| frames(state, |_, _| Vec::new())).unwrap_or_default()
}

/// Names of the variables that the function at this level can access, upvalues included.
pub fn names_in_sight(state: &mut LuaState, level: i32) -> Vec<Bytes> {
    let mut info = LuaDebug::default();
    if !get_stack(state, level, &mut info) {
        return Vec::new();
    }
    let locals = locals(state, &info).into_iter().map(|local| local.name);
    locals.chain(upvalues(state, &mut info).into_iter().map(|(name, _)| name)).collect()
}

/// The current line of the function at this level.
pub fn current_line(state: &mut LuaState, level: i32) -> Option<u32> {
    let mut info = LuaDebug::default();
    let is_there = get_stack(state, level, &mut info) && get_info(state, b"l", &mut info);
    u32::try_from(info.currentline).ok().filter(|_| is_there)
}

/// The capacity of a coroutine's stack, in values.
pub fn stack_slots(state: &LuaState, coroutine: &LuaValue) -> usize {
    within(state, coroutine, |state| state.stack_size()).unwrap_or(0)
}

/// Inspects the state of a suspended coroutine.
fn within<R>(state: &LuaState, coroutine: &LuaValue, look: impl FnOnce(&mut LuaState) -> R) -> Option<R> {
    let LuaValue::Thread(thread) = coroutine else { return None };
    let found = state.global().threads.get(&thread.id).map(|entry| Rc::clone(&entry.state))?;
    found.try_borrow_mut().ok().map(|mut state| look(&mut state))
}

fn frames(state: &mut LuaState, locals: impl Fn(&mut LuaState, &LuaDebug) -> Vec<Local>) -> Vec<Frame> {
    let mut frames = Vec::new();
    for level in 0..LEVELS_MAX {
        let mut info = LuaDebug::default();
        if frames.len() == FRAMES_MAX || !get_stack(state, level, &mut info) {
            break;
        }
        get_info(state, b"nSl", &mut info);
        if let Ok(line @ 1..) = u32::try_from(info.currentline)
            && info.source.as_deref() != Some(frame::CALLER)
        {
            let locals = locals(state, &info);
            frames.push(Frame { name: info.name.map(Bytes::from), line, locals });
        }
    }
    frames
}

fn locals(state: &mut LuaState, info: &LuaDebug) -> Vec<Local> {
    let mut locals = Vec::new();
    for number in 1.. {
        if locals.len() == LOCALS_MAX || native::room(state, 1).is_err() {
            break;
        }
        let Some(name) = get_local(state, Some(info), number) else { break };
        let value = native::value(state, -1);
        state.pop();
        // Internal variables of the compiler have names in parentheses.
        if name.first() != Some(&b'(') {
            locals.push(Local { name: name.into(), shown: shown(&value) });
        }
    }
    locals
}

/// The upvalues of a function.
fn upvalues(state: &mut LuaState, info: &mut LuaDebug) -> Vec<(Bytes, LuaValue)> {
    let mut upvalues = Vec::new();
    let top = state.top_idx();
    if native::room(state, 2).is_ok() && get_info(state, b"f", info) {
        for number in 1..=UPVALUES_MAX {
            let Some(name) = api::get_upvalue(state, -1, number) else { break };
            let value = native::value(state, -1);
            state.pop();
            // The VM's upvalue for the globals.
            if name != b"_ENV" {
                upvalues.push((name.into(), value));
            }
        }
    }
    state.set_top_idx(top);
    upvalues
}

/// A value in Lua notation, tables one level deep.
pub fn shown(value: &LuaValue) -> Bytes {
    let mut text = Vec::new();
    match value {
        LuaValue::Table(table) => write_table(table, &mut text),
        value => write_plain(value, &mut text),
    }
    if text.len() > SHOWN_BYTES_MAX {
        text.truncate(SHOWN_BYTES_MAX.saturating_sub(3));
        text.extend_from_slice(b"...");
    }
    text.into()
}

fn write_plain(value: &LuaValue, text: &mut Vec<u8>) {
    match value {
        LuaValue::Nil => text.extend_from_slice(b"nil"),
        LuaValue::Bool(yes) => text.extend_from_slice(if *yes { b"true" } else { b"false" }),
        LuaValue::Int(number) => text.extend_from_slice(&number_text(*number as f64)),
        LuaValue::Float(number) => text.extend_from_slice(&number_text(*number)),
        LuaValue::Str(string) => {
            let bytes = string.as_bytes();
            let bytes = bytes.get(..SHOWN_BYTES_MAX).unwrap_or(bytes);
            text.push(b'"');
            for &byte in bytes {
                match byte {
                    b'"' | b'\\' => text.extend_from_slice(&[b'\\', byte]),
                    b'\n' => text.extend_from_slice(b"\\n"),
                    0..32 | 127 => text.extend_from_slice(format!("\\{byte:03}").as_bytes()),
                    byte => text.push(byte),
                }
            }
            text.push(b'"');
        }
        LuaValue::Table(_) => text.extend_from_slice(b"{...}"),
        value => text.extend_from_slice(value.type_name().as_bytes()),
    }
}

/// The array items, then the entries with string keys, sorted by key.
fn write_table(table: &GcRef<LuaTable>, text: &mut Vec<u8>) {
    let entries = sorted_entries(table);
    let count = entries.len();
    text.push(b'{');
    for (number, (key, value)) in entries.into_iter().take(ENTRIES_MAX).enumerate() {
        if number > 0 {
            text.extend_from_slice(b", ");
        }
        if let Key::Name(name) = key {
            text.extend_from_slice(&name);
            text.extend_from_slice(b" = ");
        }
        write_plain(&value, text);
    }
    if count > ENTRIES_MAX {
        text.extend_from_slice(b", ...");
    }
    text.push(b'}');
}

/// The message of an error value.
pub fn message(value: &LuaValue) -> Bytes {
    match value {
        LuaValue::Str(text) => Bytes::copy_from_slice(text.as_bytes()),
        LuaValue::Table(table) => match native::field(table, b"err") {
            LuaValue::Str(text) => Bytes::copy_from_slice(text.as_bytes()),
            _ => shown(value),
        },
        value => shown(value),
    }
}
