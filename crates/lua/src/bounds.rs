//! The bounds of a run: an instruction budget and a memory cap.
//!
//! The VM checks them before each instruction, which costs more than most instructions, and native functions check them when they
//! charge for their work. A text that cannot run for long ([`crate::machine`] decides which) pays for all of its
//! instructions at once and runs unwatched; meanwhile, every native function checks the memory cap.
//!
//! The cap limits *live* memory. How much garbage is on the heap depends on earlier runs, and an answer must
//! not: when the total passes the cap, the heap is collected first, and only the remaining memory counts.
use crate::native;
use crate::redis::{self, Session};
use lua_types::LuaError;
use lua_vm::state::{LuaState, SANDBOX_TRIP_NONE};
use std::rc::Rc;

/// Instructions between two calls that ask the host whether the script may go on.
pub const BREATH: u32 = 4096;

/// Instructions between two checks of the bounds.
const CHECK_INTERVAL: i32 = 4;

/// Checks of the bounds between two calls to the host.
const LOOKS_A_BREATH: u32 = BREATH / CHECK_INTERVAL.unsigned_abs();

/// Collections that measure a run exactly. After these, a run that stays close to its cap is measured only once for every
/// eighth of the cap that it allocates, so that it does not collect all the time.
const EXACT_COLLECTIONS: u32 = 16;

/// The VM's own memory limit for a watched run, as a multiple of the run's cap. The limit counts garbage too; it catches growth between
/// two checks. An unwatched run is short, and its limit is the cap itself.
const CAPS_IN_ALL: usize = 2;

/// Bytes that a run allocates before its first collection.
const FIRST_COLLECTION_BYTES: usize = 1 << 20;

/// The VM's hook mask for the instruction-count event.
const COUNTED: u8 = 1 << 3;

/// The memory cap of a run, and when to measure again.
#[derive(Clone, Copy)]
pub struct Memory {
    /// Live bytes allowed, including those of the idle machine.
    cap: usize,
    /// Total bytes, garbage included, above which the heap is collected and measured.
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
    // The first collection happens at the same point of the run, independent of earlier runs.
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

/// Instructions that the run has used so far.
pub fn taken(state: &LuaState) -> u64 {
    state.sandbox_instr_limit().saturating_sub(state.sandbox_instr_remaining())
}

/// Call this before a text runs: from now on each instruction is checked, unless the text pays for `ahead` instructions in advance.
///
/// # Errors
/// If the budget is smaller than `ahead`.
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

/// The memory cap of a run, in bytes; for an unwatched run, the limit of its total memory.
pub fn cap(state: &LuaState) -> usize {
    let bytes = state.global().sandbox.mem_limit.get().unwrap_or(usize::MAX);
    let is_judged = state.hook().is_some() && state.hook_mask() != 0;
    if is_judged { bytes / CAPS_IN_ALL } else { bytes }
}

/// Ends a run, so that later work is neither charged to it nor stopped by its bounds.
pub fn end(state: &mut LuaState) {
    let global = state.global();
    global.sandbox.instr_limited.set(false);
    global.sandbox.mem_limit.set(None);
    global.sandbox.aborting.set(false);
}

/// Called when a run may now take long: from here on, each instruction is checked in functions that are
/// called after this.
pub fn watch(state: &mut LuaState, session: &Session) {
    if state.hook_mask() == 0 && state.global().sandbox_active() {
        let in_all = session.memory.get().map(|memory| memory.cap.saturating_mul(CAPS_IN_ALL));
        state.global().sandbox.mem_limit.set(in_all);
        state.set_hook_mask(COUNTED);
        state.set_base_hook_count(CHECK_INTERVAL);
        state.reset_hook_count();
    }
}

/// Installs the hook that checks this thread's bounds. If the machine runs in slices, the hook also asks the host regularly
/// whether the script may go on.
pub fn attend(state: &mut LuaState, session: &Rc<Session>) {
    let session = Rc::clone(session);
    state.set_hook(Some(Box::new(move |state, _| look_up(state, &session))));
}

/// Installs the hook on the coroutine that the run has just created. Programs of virtual clients have other bounds.
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

/// Checks the bounds. If the host says stop, the remaining budget is set to the minimum, which no `pcall` can catch.
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

/// If memory has passed the threshold, collects garbage, and ends the run if it still holds too much. The VM raises the error at its
/// next check.
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

/// Checks the memory cap if the thread is not watched.
pub fn look(state: &LuaState) -> Result<(), LuaError> {
    if state.hook_mask() == 0 { native::charge(state, 0) } else { Ok(()) }
}
