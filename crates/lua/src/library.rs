//! The globals of scripts besides `redis`: the VM's own libraries, corrected, and those that Redis adds.
mod base;
mod bits;
mod chains;
mod format;
pub mod json;
mod math;
mod message_pack;
mod strings;
mod strtod;
mod structs;
mod tables;

use crate::bounds;
use crate::guard::{self, guard};
use crate::native::{self, Returns};
use crate::redis::Session;
use lua_types::{LuaClosure, LuaError, LuaStatus, LuaValue};
use lua_vm::api;
use lua_vm::state::{LuaCallable, LuaState};
use std::rc::Rc;

pub use format::{number_text, number_text_17};

/// The globals that exist in Redis 7.0, functions and tables; the tables are guarded.
const NAMES: [&[u8]; 31] = [
    b"_VERSION",
    b"assert",
    b"collectgarbage",
    b"coroutine",
    b"error",
    b"gcinfo",
    b"getmetatable",
    b"ipairs",
    b"load",
    b"loadstring",
    b"math",
    b"next",
    b"pairs",
    b"pcall",
    b"rawequal",
    b"rawget",
    b"rawset",
    b"select",
    b"setmetatable",
    b"string",
    b"table",
    b"tonumber",
    b"tostring",
    b"type",
    b"unpack",
    b"xpcall",
    b"bit",
    b"cjson",
    b"cmsgpack",
    b"struct",
    b"redis",
];

/// Turns the globals on top of the stack into those of Redis: corrects and adds libraries, then guards them one by one.
pub fn put_right(state: &mut LuaState, session: &Rc<Session>) -> Result<(), LuaError> {
    install(state, session)?;
    guard::look_through(state)?;
    guard_libraries(state)
}

/// Adds and replaces functions in the globals on top of the stack.
fn install(state: &mut LuaState, session: &Rc<Session>) -> Result<(), LuaError> {
    base::install(state, session)?;
    in_table(state, b"math", |state| math::install(state, session))?;
    in_table(state, b"string", strings::install)?;
    in_table(state, b"table", tables::install)?;
    in_new_table(state, b"bit", bits::install)?;
    in_new_table(state, b"struct", structs::install)?;
    in_new_table(state, b"cmsgpack", message_pack::install)?;
    in_new_table(state, b"cjson", |state| json::install(state, &session.json))?;
    in_table(state, b"coroutine", |state| ["create", "wrap"].iter().try_for_each(|name| costly(state, session, name)))?;
    for library in [b"string".as_slice(), b"table", b"math", b"coroutine"] {
        in_table(state, library, locate_all)?;
    }
    for name in [b"rawequal".as_slice(), b"assert", b"unpack", b"ipairs", b"select", b"tonumber"] {
        locate(state, name)?;
    }
    Ok(())
}

/// Wraps a function that creates a thread so that it charges the budget for the time that this takes.
fn costly(state: &mut LuaState, session: &Rc<Session>, name: &str) -> Result<(), LuaError> {
    let original = original(state, name);
    let session = Rc::clone(session);
    add(state, name, move |state| {
        native::charge(state, 100)?;
        if !matches!(native::value(state, 1), LuaValue::Function(LuaClosure::Lua(_))) {
            return native::bad_argument(state, 1, "Lua function expected");
        }
        let count = original.call(state)?;
        bounds::attend_last_thread(state, &session);
        Ok(count)
    })
}

/// Wraps all functions of the table on top of the stack so that their errors have a source position.
fn locate_all(state: &mut LuaState) -> Result<(), LuaError> {
    let LuaValue::Table(table) = native::value(state, -1) else { return Ok(()) };
    let mut names = Vec::new();
    table.for_each_entry(|name, value| {
        if let (LuaValue::Str(name), LuaValue::Function(_)) = (name, value) {
            names.push(name.as_bytes().to_vec());
        }
    });
    names.sort();
    names.iter().try_for_each(|name| locate(state, name))
}

/// Wraps a function of the table on top of the stack so that its errors have a source position, as in Lua 5.1. The VM omits it.
fn locate(state: &mut LuaState, name: &[u8]) -> Result<(), LuaError> {
    let LuaValue::Table(table) = native::value(state, -1) else { return Ok(()) };
    let original = native_of(state, &native::field(&table, name));
    let function = native::function(state, move |state| {
        original.call(state).map_err(|error| match error {
            // Operators raise these errors, and they find no source position in a native function.
            LuaError::RuntimeMsg(text) if !text.starts_with(b"attempt to") => native::located(state, &text),
            other => other,
        })
    });
    native::set_field(state, name, function)
}

/// Guards the libraries in the globals on top of the stack, once for all environments.
fn guard_libraries(state: &mut LuaState) -> Result<(), LuaError> {
    let LuaValue::Table(globals) = native::value(state, -1) else { return Ok(()) };
    for name in NAMES {
        let library = native::field(&globals, name);
        if let LuaValue::Table(_) = library {
            native::push_value(state, library)?;
            guard(state, None)?;
            let guarded = native::value(state, -1);
            if name == b"string" {
                string_metatable(state, guarded)?;
            }
            native::set_field_below(state, name, guarded)?;
        }
    }
    Ok(())
}

/// Runs a closure on a table of the globals on top of the stack.
fn in_table(
    state: &mut LuaState,
    name: &[u8],
    work: impl FnOnce(&mut LuaState) -> Result<(), LuaError>,
) -> Result<(), LuaError> {
    api::get_field(state, -1, name)?;
    work(state)?;
    api::set_top(state, -2)
}

/// Creates a table with a closure and adds it to the globals on top of the stack.
fn in_new_table(
    state: &mut LuaState,
    name: &[u8],
    work: impl FnOnce(&mut LuaState) -> Result<(), LuaError>,
) -> Result<(), LuaError> {
    native::push_table(state, 0, 16)?;
    work(state)?;
    let table = native::value(state, -1);
    api::set_top(state, -2)?;
    native::set_field(state, name, table)
}

/// Copies the names that scripts may use to the table on top of the stack.
pub fn share(state: &mut LuaState, globals: &LuaValue) -> Result<(), LuaError> {
    let LuaValue::Table(globals) = globals else { return Ok(()) };
    for name in NAMES {
        native::set_field(state, name, native::field(globals, name))?;
    }
    Ok(())
}

/// Makes string methods use the guarded table, and guards their metatable too.
fn string_metatable(state: &mut LuaState, strings: LuaValue) -> Result<(), LuaError> {
    let base = api::get_top(state);
    native::push(state, b"")?;
    native::push_table(state, 0, 2)?;
    native::push_table(state, 0, 1)?;
    native::set_field(state, b"__index", strings)?;
    guard(state, None)?;
    let shown = native::value(state, -1);
    api::set_top(state, -2)?;
    native::set_field(state, b"__index", strings)?;
    native::set_field(state, b"__metatable", shown)?;
    // The VM uses these for arithmetic on numeric strings; scripts cannot see them.
    for &(name, operation) in lua_stdlib::string_lib::STRING_META_METHODS {
        if name != b"__index" {
            let operation = native::function(state, move |state| arithmetic(state, operation));
            native::set_field(state, name, operation)?;
        }
    }
    api::set_metatable(state, -2)?;
    api::set_top(state, base)
}

/// Arithmetic with a string operand; a non-numeric one raises the error message of Lua 5.1.
fn arithmetic(state: &mut LuaState, operation: fn(&mut LuaState) -> Returns) -> Returns {
    operation(state).or_else(|error| match error {
        LuaError::RuntimeMsg(text)
            if text.starts_with(b"attempt to") || text.windows(12).any(|part| part == b": attempt to") =>
        {
            let first_is_number = api::to_number_x(state, 1).is_some();
            let culprit = native::type_name(state, if first_is_number { 2 } else { 1 });
            native::fail(state, format!("attempt to perform arithmetic on a {culprit} value"))
        }
        other => Err(other),
    })
}

/// Adds a function to the table on top of the stack.
fn add(state: &mut LuaState, name: &str, run: impl Fn(&mut LuaState) -> Returns + 'static) -> Result<(), LuaError> {
    let function = native::function(state, run);
    native::set_field(state, name.as_bytes(), function)
}

/// Adds a function that few scripts call.
fn add_rare(
    state: &mut LuaState,
    name: &str,
    run: impl Fn(&mut LuaState) -> Returns + 'static,
) -> Result<(), LuaError> {
    let function = native::rare(state, run);
    native::set_field(state, name.as_bytes(), function)
}

/// The native function in a value; if it is none, a function that returns nothing.
pub fn native_of(state: &LuaState, function: &LuaValue) -> LuaCallable {
    let index = match function {
        LuaValue::Function(LuaClosure::LightC(index)) => Some(*index),
        LuaValue::Function(LuaClosure::C(closure)) => Some(closure.func),
        _ => None,
    };
    index
        .and_then(|index| state.global().c_functions.get(index).cloned())
        .unwrap_or_else(|| LuaCallable::bare(|_| Ok(0)))
}

/// The original function of the table on top of the stack.
fn original(state: &LuaState, name: &str) -> LuaCallable {
    match native::value(state, -1) {
        LuaValue::Table(table) => native_of(state, &native::field(&table, name.as_bytes())),
        _ => native_of(state, &LuaValue::Nil),
    }
}

/// Wraps a function of the table on top of the stack so that it truncates these arguments to integers, as in Lua 5.1: the
/// VM would reject a fraction.
fn truncate(state: &mut LuaState, name: &str, places: &'static [i32]) -> Result<(), LuaError> {
    let original = original(state, name);
    add(state, name, move |state| {
        for &place in places {
            whole(state, place)?;
        }
        original.call(state)
    })
}

/// Truncates an argument of type number to an integer.
fn whole(state: &mut LuaState, place: i32) -> Result<(), LuaError> {
    let number = match native::value(state, place) {
        LuaValue::Float(number) => number,
        LuaValue::Str(_) => match api::to_number_x(state, place) {
            Some(number) => number,
            None => return Ok(()),
        },
        _ => return Ok(()),
    };
    let cut = native::to_i64(number) as f64;
    if cut != number || number.is_nan() {
        native::push_value(state, LuaValue::Float(cut))?;
        api::copy(state, -1, place);
        state.pop();
    }
    Ok(())
}

/// Compiles a text and pushes its function.
///
/// # Errors
/// The compiler's message.
pub fn compile(state: &mut LuaState, text: &[u8], name: &[u8]) -> Result<(), LuaError> {
    // No `push_where` here: the compiler's message already has a position.
    // Bytecode is rejected: it is read as source text, which cannot begin with its signature.
    let spaced: Vec<u8>;
    let text = if text.first() == Some(&0x1b) {
        spaced = [b" ", text].concat();
        &spaced
    } else {
        text
    };
    match lua_stdlib::auxlib::load_bufferx(state, text, name, Some(b"t"))? {
        status if status == LuaStatus::Ok as i32 => {
            chains::shorten(state);
            Ok(())
        }
        _ => Err(LuaError::Runtime(state.pop())),
    }
}
