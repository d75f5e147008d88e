//! `redis.register_function`, which a library calls while it is loaded.
use super::{Registration, Session, raise};
use crate::native::{self, Returns};
use bytes::Bytes;
use lua_types::{GcRef, LuaTable, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;
use script::Function;
use std::rc::Rc;

/// The flags that Redis 7.0 knows.
const FLAGS: [&[u8]; 5] = [b"no-writes", b"allow-oom", b"allow-stale", b"no-cluster", b"allow-cross-slot-keys"];

/// `redis.register_function(name, callback)` or `redis.register_function{…}`
pub fn register_function(state: &mut LuaState, session: &Rc<Session>) -> Returns {
    if !session.loading.get() {
        return raise(state, "redis.register_function can only be called on FUNCTION LOAD command");
    }
    let (function, callback) = match arguments(state) {
        Ok(arguments) => arguments,
        Err(message) => return raise(state, message),
    };
    let name = &function.name;
    if name.is_empty() || !name.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return raise(
            state,
            "Library names can only contain letters, numbers, or underscores(_) and must be at least one character long",
        );
    }
    if session.registered.borrow().iter().any(|other| other.function.name == name) {
        return raise(state, "Function already exists in the library");
    }
    let root = state.external_root_value(callback);
    session.registered.borrow_mut().push(Registration { root, function, callback });
    Ok(0)
}

fn arguments(state: &LuaState) -> Result<(Function, LuaValue), &'static str> {
    match api::get_top(state) {
        1 => match native::value(state, 1) {
            LuaValue::Table(table) => named(&table),
            _ => Err("calling redis.register_function with a single argument is only applicable to Lua table \
                      (representing named arguments)."),
        },
        2 => {
            let Some(name) = text(&native::value(state, 1)) else {
                return Err("first argument to redis.register_function must be a string");
            };
            let callback = native::value(state, 2);
            if !is_function(&callback) {
                return Err("second argument to redis.register_function must be a function");
            }
            Ok((Function { name, description: None, flags: Vec::new() }, callback))
        }
        _ => Err("wrong number of arguments to redis.register_function"),
    }
}

/// Reads named arguments from a table.
fn named(table: &GcRef<LuaTable>) -> Result<(Function, LuaValue), &'static str> {
    let (mut name, mut description, mut flags, mut callback) = (None, None, Vec::new(), None);
    let mut key = LuaValue::Nil;
    while let Ok(Some((next, value))) = table.try_next_pair(&key) {
        key = next;
        // A number is accepted as a string, as everywhere in Lua's C API.
        let argument = text(&key).ok_or("named argument key given to redis.register_function is not a string")?;
        match argument.to_ascii_lowercase().as_slice() {
            b"function_name" => {
                let given =
                    text(&value).ok_or("function_name argument given to redis.register_function must be a string")?;
                name = Some(given);
            }
            b"description" => {
                let given =
                    text(&value).ok_or("description argument given to redis.register_function must be a string")?;
                description = Some(given);
            }
            b"callback" => {
                if !is_function(&value) {
                    return Err("callback argument given to redis.register_function must be a function");
                }
                callback = Some(value);
            }
            b"flags" => {
                let LuaValue::Table(list) = value else {
                    return Err(
                        "flags argument to redis.register_function must be a table representing function flags",
                    );
                };
                flags = self::flags(&list)?;
            }
            _ => return Err("unknown argument given to redis.register_function"),
        }
    }
    let name = name.ok_or("redis.register_function must get a function name argument")?;
    let callback = callback.ok_or("redis.register_function must get a callback argument")?;
    Ok((Function { name, description, flags }, callback))
}

fn flags(list: &GcRef<LuaTable>) -> Result<Vec<Bytes>, &'static str> {
    let mut flags = Vec::new();
    for number in 1.. {
        match list.get_int(number) {
            LuaValue::Nil => break,
            LuaValue::Str(flag) => {
                let known = FLAGS.iter().find(|known| known.eq_ignore_ascii_case(flag.as_bytes()));
                flags.push(Bytes::from_static(known.ok_or("unknown flag given")?));
            }
            _ => return Err("unknown flag given"),
        }
    }
    Ok(flags)
}

/// A string, or a number converted to one.
fn text(value: &LuaValue) -> Option<Bytes> {
    match value {
        LuaValue::Str(text) => Some(Bytes::copy_from_slice(text.as_bytes())),
        LuaValue::Float(number) => Some(crate::library::number_text(*number).into()),
        LuaValue::Int(number) => Some(crate::library::number_text(*number as f64).into()),
        _ => None,
    }
}

const fn is_function(value: &LuaValue) -> bool {
    matches!(value, LuaValue::Function(_))
}
