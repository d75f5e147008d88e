//! The bounds of a run: a budget of instructions and a cap of memory.
//!
//! The machine looks at them before each instruction, which costs more than most instructions, and so do native functions
//! that charge for what they do. A text that cannot run for long ([`crate::machine`] tells which) pays for all of its
//! instructions at once and runs unwatched; while it does, every native function looks at the cap of memory.
use crate::native;
use crate::redis::{self, Session};
use lua_types::LuaError;
use lua_vm::state::{LuaState, SANDBOX_TRIP_NONE};
use script::Limits;
use std::rc::Rc;

/// What lies between two questions whether the script goes on, in instructions.
pub const BREATH: u32 = 4096;

/// How many instructions pass between two looks at the bounds.
const CHECK_INTERVAL: i32 = 4;

/// What a look costs: the machine's mask of the event that counts instructions.
const COUNTED: u8 = 1 << 3;

/// Begins a run.
pub fn begin(state: &LuaState, limits: Limits) {
    let global = state.global();
    let bounds = &global.sandbox;
    bounds.interval.set(CHECK_INTERVAL);
    bounds.instr_limited.set(true);
    bounds.instr_limit.set(limits.instructions.max(1));
    bounds.instr_remaining.set(limits.instructions.max(1));
    bounds.mem_limit.set(Some(usize::try_from(limits.memory_bytes).unwrap_or(usize::MAX)));
    bounds.tripped.set(SANDBOX_TRIP_NONE);
    bounds.aborting.set(false);
}

/// What the run has taken so far.
pub fn taken(state: &LuaState) -> u64 {
    state.sandbox_instr_limit().saturating_sub(state.sandbox_instr_remaining())
}

/// Before a text is called: from now on each instruction is looked at, unless the text pays `ahead` for as many of them.
///
/// # Errors
/// When the budget does not allow even for these.
pub fn enter(state: &mut LuaState, ahead: Option<usize>) -> Result<(), LuaError> {
    state.set_hook_mask(0);
    match ahead {
        Some(instructions) => native::charge(state, instructions),
        None => {
            watch(state);
            Ok(())
        }
    }
}

/// Ends a run: what is left of it must not be charged to, and not stopped by, a run that is over.
pub fn end(state: &mut LuaState) {
    let global = state.global();
    global.sandbox.instr_limited.set(false);
    global.sandbox.mem_limit.set(None);
    global.sandbox.aborting.set(false);
}

/// Has a run something in its hands that may go on for long? Then each of its instructions is looked at from now on: those
/// of functions that begin after this.
pub fn watch(state: &mut LuaState) {
    if state.hook_mask() == 0 && state.global().sandbox_active() {
        state.set_hook_mask(COUNTED);
        state.set_base_hook_count(CHECK_INTERVAL);
        state.reset_hook_count();
    }
}

/// Where a machine runs in slices: lets the host now and then say whether the script goes on, from this thread on.
pub fn breathe(state: &mut LuaState, session: &Rc<Session>) {
    if session.is_sliced.get() {
        let session = Rc::clone(session);
        state.set_hook(Some(Box::new(move |state, _| look_up(state, &session))));
    }
}

/// The same for a coroutine that has just been made.
pub fn let_last_thread_breathe(state: &LuaState, session: &Rc<Session>) {
    if session.is_sliced.get() {
        let thread = {
            let global = state.global();
            global
                .next_thread_id
                .checked_sub(1)
                .and_then(|id| global.threads.get(&id))
                .map(|entry| Rc::clone(&entry.state))
        };
        if let Some(thread) = thread {
            breathe(&mut thread.borrow_mut(), session);
        }
    }
}

/// A look at the bounds. A script that is not to go on has nothing left of its budget: no `pcall` catches that.
fn look_up(state: &mut LuaState, session: &Session) {
    match session.looks_left.get().checked_sub(1) {
        Some(left) => session.looks_left.set(left),
        None => {
            session.looks_left.set(BREATH / CHECK_INTERVAL.unsigned_abs());
            if redis::ask(|host| host.goes_on()) == Some(false) {
                let global = state.global();
                global.sandbox.instr_limited.set(true);
                global.sandbox.instr_remaining.set(1);
            }
        }
    }
}

/// Looks at the cap of memory if nobody else does.
pub fn look(state: &LuaState) -> Result<(), LuaError> {
    if state.hook_mask() == 0 { native::charge(state, 0) } else { Ok(()) }
}
