//! The small functions of `redis`.
use super::call::words;
use super::{Session, push_error, raise};
use crate::convert::one_line;
use crate::native::{self, Returns, as_number};
use bytes::Bytes;
use lua_types::LuaValue;
use lua_vm::api;
use lua_vm::state::LuaState;
use resp::Protocol;
use script::{Level, Permission, Repl};
use sha1::{Digest, Sha1};
use std::rc::Rc;

/// `redis.log(level, …)`
pub fn log(state: &mut LuaState, session: &Rc<Session>) -> Returns {
    session.has_logged.set(true);
    let count = api::get_top(state);
    if count < 2 {
        return raise(state, "redis.log() requires two arguments or more.");
    }
    let Some(level) = as_number(&native::value(state, 1)) else {
        return raise(state, "First argument must be a number (log level).");
    };
    let level = match level as i64 {
        0 => Level::Debug,
        1 => Level::Verbose,
        2 => Level::Notice,
        3 => Level::Warning,
        _ => return raise(state, "Invalid debug level."),
    };
    let mut message = Vec::new();
    for index in 2..=count {
        // Non-strings are left out, as in Redis.
        if let Ok(part) = native::string(state, index) {
            if index > 2 {
                message.push(b' ');
            }
            message.extend_from_slice(part.as_bytes());
        }
    }
    super::ask(|host| host.log(level, message.into()));
    Ok(0)
}

/// `redis.error_reply(text)`: a table that represents an error. A text without an error code gets `ERR`.
pub fn error_reply(state: &mut LuaState, _: &Rc<Session>) -> Returns {
    let Some(text) = only_string(state) else {
        return push_error(state, "wrong number or type of arguments");
    };
    // In C, it ends at a zero byte.
    let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let end = text.iter().rposition(|byte| !matches!(byte, b'\r' | b'\n')).map_or(0, |last| last + 1);
    let text = text.get(..end).unwrap_or_default();
    let line = if text.contains(&b' ') { one_line(text) } else { [b"ERR ", one_line(text).as_slice()].concat() };
    native::push_table(state, 0, 1)?;
    native::set_string(state, b"err", &line)?;
    Ok(1)
}

/// `redis.status_reply(text)`: a table that represents a status.
pub fn status_reply(state: &mut LuaState, _: &Rc<Session>) -> Returns {
    let Some(text) = only_string(state) else {
        return push_error(state, "wrong number or type of arguments");
    };
    native::push_table(state, 0, 1)?;
    native::set_string(state, b"ok", &text)?;
    Ok(1)
}

/// The one argument, if it is a string.
fn only_string(state: &LuaState) -> Option<Vec<u8>> {
    match (api::get_top(state), native::value(state, 1)) {
        (1, LuaValue::Str(text)) => Some(text.as_bytes().to_vec()),
        _ => None,
    }
}

/// `redis.sha1hex(text)`
pub fn sha1hex(state: &mut LuaState, _: &Rc<Session>) -> Returns {
    if api::get_top(state) != 1 {
        return raise(state, "wrong number of arguments");
    }
    // A non-string counts as an empty string.
    let text = native::string(state, 1).map(|text| text.as_bytes().to_vec()).unwrap_or_default();
    native::charge(state, text.len() / 16)?;
    let digest: String = Sha1::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
    native::push(state, digest.as_bytes())?;
    Ok(1)
}

/// `redis.setresp(2 or 3)`
pub fn set_resp(state: &mut LuaState, session: &Rc<Session>) -> Returns {
    if api::get_top(state) != 1 {
        return raise(state, "redis.setresp() requires one argument.");
    }
    let protocol = match api::to_number_x(state, 1).map(|number| number as i64) {
        Some(2) => Protocol::Resp2,
        Some(3) => Protocol::Resp3,
        _ => return raise(state, "RESP version must be 2 or 3."),
    };
    session.protocol.set(protocol);
    Ok(0)
}

/// `redis.set_repl(flags)`
pub fn set_repl(state: &mut LuaState, session: &Rc<Session>) -> Returns {
    if api::get_top(state) != 1 {
        return raise(state, "redis.set_repl() requires two arguments.");
    }
    let flags = api::to_number_x(state, 1).map_or(0, |number| number as i64);
    if flags & !3 != 0 {
        return raise(state, "Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
    }
    session.repl.set(Repl { aof: flags & 1 != 0, replicas: flags & 2 != 0 });
    Ok(0)
}

/// `redis.replicate_commands()`: always true since Redis 7.
pub fn replicate_commands(state: &mut LuaState, _: &Rc<Session>) -> Returns {
    native::push_value(state, LuaValue::Bool(true))?;
    Ok(1)
}

/// `redis.breakpoint()`: there is no debugger.
pub fn breakpoint(state: &mut LuaState, _: &Rc<Session>) -> Returns {
    native::push_value(state, LuaValue::Bool(false))?;
    Ok(1)
}

/// `redis.debug(…)`: there is no debugger.
pub fn debug(_: &mut LuaState, _: &Rc<Session>) -> Returns {
    Ok(0)
}

/// `redis.acl_check_cmd(…)`: may the user run this?
pub fn acl_check_cmd(state: &mut LuaState, _: &Rc<Session>) -> Returns {
    let argv: Vec<Bytes> = match words(state) {
        Ok(argv) => argv,
        Err(message) => return raise(state, message),
    };
    let granted = match super::ask(|host| host.may(argv)) {
        Some(Permission::Granted) => true,
        Some(Permission::NoSuchCommand) => return raise(state, "Invalid command passed to redis.acl_check_cmd()"),
        Some(Permission::Denied) | None => false,
    };
    native::push_value(state, LuaValue::Bool(granted))?;
    Ok(1)
}
