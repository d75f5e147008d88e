//! The bounds of a run: a budget of instructions and a cap of memory.
//!
//! The machine looks at them before each instruction, which costs more than most instructions, and so do native functions
//! that charge for what they do. A text that cannot run for long ([`crate::machine`] tells which) pays for all of its
//! instructions at once and runs unwatched; while it does, every native function looks at the cap of memory.
//!
//! The cap is one of what a run *holds*. How much garbage lies beside it depends on the runs before, and an answer must
//! not: past the cap the heap is collected first, and only what is left is judged.
use crate::native;
use crate::redis::{self, Session};
use lua_types::LuaError;
use lua_vm::state::{LuaState, SANDBOX_TRIP_NONE};
use std::rc::Rc;

/// What lies between two questions whether the script goes on, in instructions.
pub const BREATH: u32 = 4096;

/// How many instructions pass between two looks at the bounds.
const CHECK_INTERVAL: i32 = 4;

/// How many looks lie between two questions to the host.
const LOOKS_A_BREATH: u32 = BREATH / CHECK_INTERVAL.unsigned_abs();

/// Collections that judge a run exactly. Past them a run that stays close to its cap is judged only each time that an
/// eighth of the cap has been allocated, so that it does not collect without end.
const EXACT_COLLECTIONS: u32 = 16;

/// The machine's own cap for a run that is watched, in caps of the run. It counts garbage too: it is there for what grows between
/// two looks. A run that no one watches is short, and has the one cap for all.
const CAPS_IN_ALL: usize = 2;

/// What a run allocates before its first collection.
const FIRST_COLLECTION_BYTES: usize = 1 << 20;

/// What a look costs: the machine's mask of the event that counts instructions.
const COUNTED: u8 = 1 << 3;

/// What a run may hold in memory, and when to look.
#[derive(Clone, Copy)]
pub struct Memory {
    /// Bytes that a run may hold, those of the machine at rest included.
    cap: usize,
    /// Bytes in all, garbage included, past which the heap is collected and judged.
    look_at: usize,
    /// Collections so far.
    collections: u32,
}

/// Begins a run.
pub fn begin(state: &LuaState, session: &Session) {
    let limits = session.limits.get();
    let cap = usize::try_from(limits.memory_bytes).unwrap_or(usize::MAX).saturating_add(session.bytes_at_rest.get());
    session.memory.set(Some(Memory { cap, look_at: cap, collections: 0 }));
    session.looks_left.set(LOOKS_A_BREATH);
    let global = state.global();
    // The collector begins at the same point of the run, whatever ran before.
    global.heap.set_threshold_bytes(global.total_bytes().saturating_add(FIRST_COLLECTION_BYTES));
    let bounds = &global.sandbox;
    bounds.interval.set(CHECK_INTERVAL);
    bounds.instr_limited.set(true);
    bounds.instr_limit.set(limits.instructions.max(1));
    bounds.instr_remaining.set(limits.instructions.max(1));
    bounds.mem_limit.set(Some(cap));
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
pub fn enter(state: &mut LuaState, session: &Session, ahead: Option<usize>) -> Result<(), LuaError> {
    state.set_hook_mask(0);
    state.global().sandbox.mem_limit.set(session.memory.get().map(|memory| memory.cap));
    match ahead {
        Some(instructions) => native::charge(state, instructions),
        None => {
            watch(state, session);
            Ok(())
        }
    }
}

/// What a run may hold, in bytes: of a run that no one judges, what it may take in all.
pub fn cap(state: &LuaState) -> usize {
    let bytes = state.global().sandbox.mem_limit.get().unwrap_or(usize::MAX);
    let is_judged = state.hook().is_some() && state.hook_mask() != 0;
    if is_judged { bytes / CAPS_IN_ALL } else { bytes }
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
pub fn watch(state: &mut LuaState, session: &Session) {
    if state.hook_mask() == 0 && state.global().sandbox_active() {
        let in_all = session.memory.get().map(|memory| memory.cap.saturating_mul(CAPS_IN_ALL));
        state.global().sandbox.mem_limit.set(in_all);
        state.set_hook_mask(COUNTED);
        state.set_base_hook_count(CHECK_INTERVAL);
        state.reset_hook_count();
    }
}

/// Has this thread, from now on, look at what the run holds; where a machine runs in slices, the host says now and then
/// whether the script goes on.
pub fn attend(state: &mut LuaState, session: &Rc<Session>) {
    let session = Rc::clone(session);
    state.set_hook(Some(Box::new(move |state, _| look_up(state, &session))));
}

/// The same for a coroutine that has just been made in a run. Programs of virtual clients have bounds of their own.
pub fn attend_last_thread(state: &LuaState, session: &Rc<Session>) {
    if session.memory.get().is_none() {
        return;
    }
    let thread = {
        let global = state.global();
        global.next_thread_id.checked_sub(1).and_then(|id| global.threads.get(&id)).map(|entry| Rc::clone(&entry.state))
    };
    if let Some(thread) = thread {
        attend(&mut thread.borrow_mut(), session);
    }
}

/// A look at the bounds. A script that is not to go on has nothing left of its budget: no `pcall` catches that.
fn look_up(state: &mut LuaState, session: &Session) {
    judge(state, session);
    if !session.is_sliced.get() {
        return;
    }
    match session.looks_left.get().checked_sub(1) {
        Some(left) => session.looks_left.set(left),
        None => {
            session.looks_left.set(LOOKS_A_BREATH);
            if redis::ask(|host| host.goes_on()) == Some(false) {
                let global = state.global();
                global.sandbox.instr_limited.set(true);
                global.sandbox.instr_remaining.set(1);
            }
        }
    }
}

/// Past the cap: collects what is garbage, and ends the run if it holds too much. The machine says so at its next look.
fn judge(state: &mut LuaState, session: &Session) {
    let Some(memory) = session.memory.get() else { return };
    if state.global().total_bytes() <= memory.look_at || state.global().sandbox.mem_limit.get().is_none() {
        return;
    }
    state.gc_clear_dead_stack_tails();
    state.gc().full_collect();
    let held = state.global().total_bytes();
    if held > memory.cap {
        state.global().sandbox.mem_limit.set(Some(0));
        return;
    }
    let collections = memory.collections.saturating_add(1);
    let look_at =
        if collections < EXACT_COLLECTIONS { memory.cap } else { memory.cap.max(held.saturating_add(memory.cap / 8)) };
    session.memory.set(Some(Memory { collections, look_at, ..memory }));
}

/// Looks at the cap of memory if no one else does.
pub fn look(state: &LuaState) -> Result<(), LuaError> {
    if state.hook_mask() == 0 { native::charge(state, 0) } else { Ok(()) }
}
