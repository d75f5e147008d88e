//! `redis.call` and `redis.pcall`.
use super::{Session, push_error, raise};
use crate::bounds;
use crate::convert::push_reply;
use crate::library::number_text_17;
use crate::native::{self, Returns};
use bytes::Bytes;
use lua_types::{LuaError, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;
use resp::Value;
use script::Call;
use std::rc::Rc;

/// `redis.call(…)`: an error reply is raised.
pub fn call(state: &mut LuaState, session: &Rc<Session>) -> Returns {
    match words(state) {
        Ok(argv) => {
            let reply = ask(state, session, argv)?;
            push(state, session, &reply)?;
            if reply.is_error() {
                return Err(LuaError::Runtime(native::value(state, -1)));
            }
            Ok(1)
        }
        Err(message) => raise(state, message),
    }
}

/// `redis.pcall(…)`: an error reply is returned.
pub fn pcall(state: &mut LuaState, session: &Rc<Session>) -> Returns {
    match words(state) {
        Ok(argv) => {
            let reply = ask(state, session, argv)?;
            push(state, session, &reply)?;
            Ok(1)
        }
        Err(message) => push_error(state, message),
    }
}

/// The charge for a command, in instructions, estimated from its running time.
const COMMAND_COST: usize = 32;

fn ask(state: &LuaState, session: &Rc<Session>, argv: Vec<Bytes>) -> Result<Value, LuaError> {
    native::charge(state, COMMAND_COST)?;
    let instructions = bounds::taken(state);
    let call = Call { argv, protocol: session.protocol.get(), repl: session.repl.get(), instructions };
    Ok(super::ask(|host| host.call(call)).unwrap_or_else(|| Value::error("ERR the server gave no answer")))
}

/// The Lua arguments as the argument vector of a command.
pub fn words(state: &LuaState) -> Result<Vec<Bytes>, &'static str> {
    let count = api::get_top(state);
    if count == 0 {
        return Err("Please specify at least one argument for this redis lib call");
    }
    let function = state.current_call_info().func;
    let mut words = Vec::with_capacity(usize::try_from(count).unwrap_or_default());
    for index in 1..=count {
        words.push(match state.get_at(function + index) {
            LuaValue::Str(string) => Bytes::copy_from_slice(string.as_bytes()),
            LuaValue::Float(number) => number_text_17(number).into(),
            LuaValue::Int(number) => number_text_17(number as f64).into(),
            _ => return Err("Lua redis lib command arguments must be strings or integers"),
        });
    }
    Ok(words)
}

/// Puts a reply on the stack.
fn push(state: &mut LuaState, session: &Session, reply: &Value) -> Result<(), LuaError> {
    if let Value::Simple(text) = reply
        && let Some(status) = session.status.get()
        && status.push(state, text)?
    {
        return Ok(());
    }
    push_reply(state, reply, session.protocol.get())
}
