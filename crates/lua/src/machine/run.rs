//! Runs a job within its bounds.
use super::environment::Environment;
use super::loaded::LoadedLibrary;
use super::text::Text;
use crate::bounds;
use crate::convert;
use crate::native;
use crate::redis::Session;
use lua_types::{LuaError, LuaStatus, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;
use script::{ScriptOutcome, Work};

/// Runs a compiled text: a script, the load of a library, or the call of a library function.
pub fn carry_out(
    state: &mut LuaState,
    session: &Session,
    environment: &mut Environment,
    work: &Work,
    text: &Text,
) -> Result<ScriptOutcome, LuaError> {
    bounds::begin(state, session);
    let main = state.global().main_thread_id;
    match work {
        Work::Script { keys, args, .. } => {
            state.v51_set_thread_lgt(main, environment.script);
            environment.set_lists(state, keys, args)?;
            text.prepare();
            bounds::enter(state, session, text.straight)?;
            call(state, environment, text.function, &[])?;
            Ok(ScriptOutcome::Reply(convert::reply_of(state, session.protocol.get())?))
        }
        Work::Load { .. } => {
            load(state, session, environment, text)?;
            let registered = session.registered.borrow();
            let functions = registered.iter().map(|registration| registration.function.clone()).collect();
            Ok(ScriptOutcome::Loaded(functions))
        }
        Work::Call { function: name, keys, args, .. } => {
            // If the budget is too small for the load, the library is really loaded and the run ends in the middle.
            match text.kept.get().filter(|kept| (kept.instructions as u64) < state.sandbox_instr_remaining()) {
                Some(kept) => native::charge(state, kept.instructions)?,
                None => {
                    let random = session.random.get();
                    load(state, session, environment, text)?;
                    if let Some(new) = LoadedLibrary::new(session, text, environment, random, bounds::taken(state)) {
                        text.kept.get_or_init(|| new);
                    }
                }
            }
            let (callback, straight) = match text.kept.get() {
                Some(kept) => {
                    let Some(function) = kept.function(name) else { return Ok(ScriptOutcome::NoSuchFunction) };
                    (function.callback, function.straight)
                }
                None => {
                    let registered = session.registered.borrow();
                    let known = registered.iter().find(|registration| registration.function.name == name);
                    let Some(registration) = known else { return Ok(ScriptOutcome::NoSuchFunction) };
                    (registration.callback, None)
                }
            };
            state.v51_set_thread_lgt(main, environment.library);
            let lists = environment.set_lists(state, keys, args)?;
            bounds::enter(state, session, straight)?;
            call(state, environment, callback, &lists)?;
            Ok(ScriptOutcome::Reply(convert::reply_of(state, session.protocol.get())?))
        }
    }
}

/// Runs a library's text so that it registers its functions.
fn load(state: &mut LuaState, session: &Session, environment: &Environment, text: &Text) -> Result<(), LuaError> {
    let main = state.global().main_thread_id;
    state.v51_set_thread_lgt(main, environment.library);
    environment.exchange_names(state, environment.loading_names)?;
    text.prepare();
    bounds::enter(state, session, None)?;
    session.loading.set(true);
    let called = call(state, environment, text.function, &[]);
    session.loading.set(false);
    environment.exchange_names(state, environment.running_names)?;
    called
}

/// Calls a function; afterwards its first result is on top of the stack.
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
