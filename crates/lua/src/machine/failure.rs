//! Errors of scripts: how they get their source position, and how they become the outcome of a run.
use crate::convert;
use crate::library;
use crate::native::{self, Returns};
use lua_types::{LuaError, LuaValue};
use lua_vm::api;
use lua_vm::debug::{LuaDebug, get_info, get_stack};
use lua_vm::state::LuaState;
use script::{Failure, SourceLocation};

/// Converts any raised value to a table with the position of the error, like Redis' error handler.
pub fn handle(state: &mut LuaState) -> Returns {
    let mut info = LuaDebug::default();
    let mut found = get_stack(state, 1, &mut info);
    if found {
        get_info(state, b"Sl", &mut info);
        if info.what == Some(b"C") {
            info = LuaDebug::default();
            found = get_stack(state, 2, &mut info);
            if found {
                get_info(state, b"Sl", &mut info);
                // A native function that was not called from Lua has no position.
                found = info.what != Some(b"C");
            }
        }
    }
    native::room(state, 6)?;
    if !matches!(native::value(state, 1), LuaValue::Table(_)) {
        let mut message = b"ERR ".to_vec();
        let text = state.to_display_string(1)?;
        // The only operator error to which the VM adds no position.
        if text.starts_with(b"table index is N") || text.starts_with(b"table index is n") {
            message.extend_from_slice(&native::place(state, 1));
        }
        message.extend_from_slice(&text);
        api::set_top(state, 0)?;
        native::push_table(state, 0, 3)?;
        native::set_string(state, b"err", &message)?;
    } else {
        api::set_top(state, 1)?;
    }
    if found {
        let source = info.source.unwrap_or_default();
        native::set_string(state, b"source", &source)?;
        native::set_field(state, b"line", LuaValue::Float(f64::from(info.currentline)))?;
    }
    Ok(1)
}

/// Converts the raised value to the error of the run.
pub fn of(error: LuaError) -> Failure {
    let LuaError::Runtime(LuaValue::Table(table)) = error else {
        let message = [b"ERR ", native::message_of(error).as_slice()].concat();
        return Failure { message: message.into(), place: None, counted: false };
    };
    let text = |name: &[u8]| match native::field(&table, name) {
        LuaValue::Str(text) => Some(text.as_bytes().to_vec()),
        LuaValue::Float(number) => Some(library::number_text(number)),
        _ => None,
    };
    let place = match (text(b"source"), native::as_number(&native::field(&table, b"line"))) {
        (Some(source), Some(line)) => Some(SourceLocation { source: source.into(), line: line as i64 }),
        _ => None,
    };
    // Redis 7.0.15 itself crashes on an error table without a text.
    let message = text(b"err").unwrap_or_else(|| b"ERR unknown error".to_vec());
    let counted = matches!(native::field(&table, b"ignore_error_stats_update"), LuaValue::Bool(true));
    Failure { message: convert::one_line(&message).into(), place, counted }
}
