//! Carrying a job out, within its bounds.
use super::environment::Environment;
use super::text::Text;
use crate::bounds;
use crate::convert;
use crate::native;
use crate::redis::{Registration, Session};
use bytes::Bytes;
use lua_types::{LuaError, LuaStatus, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;
use script::{Outcome, Work};

/// Runs a text as the work wants it.
pub fn carry_out(
    state: &mut LuaState,
    session: &Session,
    environment: &mut Environment,
    work: &Work,
    text: Text,
) -> Result<Outcome, LuaError> {
    let function = text.function;
    match work {
        Work::Script { keys, args, .. } => {
            let main = state.global().main_thread_id;
            state.v51_set_thread_lgt(main, environment.script);
            environment.set_lists(state, keys, args)?;
            bounds::begin(state, session.limits.get(), text.straight)?;
            call(state, environment, function, &[])?;
            Ok(Outcome::Reply(convert::reply_of(state, session.protocol.get())?))
        }
        Work::Load { .. } => {
            bounds::begin(state, session.limits.get(), None)?;
            load(state, session, environment, function)?;
            let registered = session.registered.borrow();
            let functions = registered.iter().map(|registration| registration.function.clone()).collect();
            Ok(Outcome::Loaded(functions))
        }
        Work::Call { function: name, keys, args, .. } => {
            bounds::begin(state, session.limits.get(), None)?;
            load(state, session, environment, function)?;
            let callback = session
                .registered
                .borrow()
                .iter()
                .find_map(|Registration { function, callback, .. }| (function.name == name).then_some(*callback));
            let Some(callback) = callback else { return Ok(Outcome::NoSuchFunction) };
            push_list(state, keys)?;
            push_list(state, args)?;
            let lists = [native::value(state, -2), native::value(state, -1)];
            call(state, environment, callback, &lists)?;
            Ok(Outcome::Reply(convert::reply_of(state, session.protocol.get())?))
        }
    }
}

/// Runs a library for its registrations. Its functions stay on the stack of this call.
fn load(
    state: &mut LuaState,
    session: &Session,
    environment: &Environment,
    function: LuaValue,
) -> Result<(), LuaError> {
    let main = state.global().main_thread_id;
    state.v51_set_thread_lgt(main, environment.library);
    environment.exchange_names(state, environment.loading_names)?;
    session.loading.set(true);
    let called = call(state, environment, function, &[]);
    session.loading.set(false);
    environment.exchange_names(state, environment.running_names)?;
    called
}

/// Calls a function with these arguments; its first result is on top of the stack then.
fn call(
    state: &mut LuaState,
    environment: &Environment,
    function: LuaValue,
    args: &[LuaValue],
) -> Result<(), LuaError> {
    let count = i32::try_from(args.len()).unwrap_or(0);
    native::room(state, 2 + count)?;
    state.push(environment.handler);
    let handler = api::get_top(state);
    state.push(function);
    for &arg in args {
        state.push(arg);
    }
    let status = api::pcall_k(state, count, 1, handler, 0, None)?;
    debug_assert_eq!(status, LuaStatus::Ok);
    Ok(())
}

/// A table of strings.
fn push_list(state: &mut LuaState, list: &[Bytes]) -> Result<(), LuaError> {
    native::push_table(state, list.len(), 0)?;
    for (number, item) in list.iter().enumerate() {
        native::push(state, item)?;
        api::raw_set_i(state, -2, number as i64 + 1)?;
    }
    Ok(())
}
