//! The machine on which programs are played. One snapshot is active at a time.
use super::live::{Besides, Numbers, StateHasher};
use super::names::Names;
use super::snapshot::{Coroutine, Shared, Snapshot, join};
use super::{frame, itself, look, message_of};
use crate::native;
use crate::redis::Session;
use crate::{convert, library};
use bytes::Bytes;
use lua_types::{LuaError, LuaValue};
use lua_vm::api;
use lua_vm::state::{LuaState, SANDBOX_TRIP_INSTRUCTIONS, SANDBOX_TRIP_MEMORY, SANDBOX_TRIP_NONE};
use omnilua::{HostHooks, LuaRuntime, LuaVersion};
use resp::{Protocol, Value};
use script::codec::DEPTH_MAX;
use script::program::{
    Answer, Failed, Frame, ProgramState, Reply, Request, State, Thread, ThreadSnapshot, Unplayable, asks_who,
};
use std::rc::Rc;

/// Most instructions of a thread from one request to the next.
const INSTRUCTIONS_MAX: u64 = 1_000_000;

/// Memory limit of a machine with a single snapshot, in bytes.
const WHOLE_BYTES: usize = 16 << 20;

/// Most bytes that a snapshot may allocate in total, garbage included, on a shared machine. The limit is so far below [`WHOLE_BYTES`]
/// that any snapshot within it would also fit on a machine of its own, even if that machine counted all texts, which snapshots share
/// here, and as much garbage.
const SHARE_BYTES: usize = 1 << 20;

/// Least growth of the shared heap before the next collection, in bytes.
const GARBAGE_BYTES: usize = 8 << 20;

/// Instructions between two checks of the limits.
const CHECK_INTERVAL: i32 = 4;

/// A text longer than this is not compiled.
const TEXT_BYTES_MAX: usize = 1 << 18;

/// The chunk name of a program's text in errors.
pub const CHUNK: &[u8] = b"@program";

/// Most native functions of a machine. The VM never frees those that programs create (`gmatch`, `coroutine.wrap`).
const NATIVES_MAX: usize = 100_000;

/// The memory limit of a snapshot.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// The machine has a single snapshot, which may use [`WHOLE_BYTES`].
    Whole,
    /// Snapshots share the machine, and each may allocate [`SHARE_BYTES`].
    Share,
}

/// Why a snapshot did not reach its moment.
pub enum Stop {
    /// The history cannot be played on any machine.
    Unplayable(Unplayable),
    /// The snapshot exceeded its share and needs a machine of its own.
    TooBig,
}

impl Stop {
    /// For a machine with a single snapshot, where `TooBig` cannot occur.
    pub fn into_unplayable(self) -> Unplayable {
        match self {
            Stop::Unplayable(why) => why,
            Stop::TooBig => Unplayable::Broken,
        }
    }
}

impl From<Unplayable> for Stop {
    fn from(why: Unplayable) -> Stop {
        Stop::Unplayable(why)
    }
}

/// A machine on which programs are played.
pub struct Vm {
    runtime: LuaRuntime,
    shared: Rc<Shared>,
    session: Rc<Session>,
    /// The names that all programs share.
    names: Names,
    /// Numbers of the shared objects, for live states.
    known: Numbers,
    /// `coroutine.resume`, which programs may replace for themselves.
    resume: LuaValue,
    memory: Memory,
    is_blind: bool,
    /// Bytes that the active snapshot has allocated so far.
    made_bytes: usize,
    /// Bytes that remained after the last full collection.
    bytes_at_rest: usize,
    /// Bytes of the stacks of snapshots released since then, which the VM does not count.
    stacks_bytes: usize,
}

impl Vm {
    /// Creates a machine with this memory limit. Without a `hasher` there are no live states; if `is_blind`, there are no frames.
    pub fn new(memory: Memory, hasher: Option<&'static StateHasher>, is_blind: bool) -> Result<Vm, LuaError> {
        let mut runtime = LuaRuntime::with_hooks_versioned(HostHooks::default(), LuaVersion::V51)
            .map_err(omnilua::Error::into_lua_error)?;
        let (shared, session) = (Rc::new(Shared { hasher, ..Shared::default() }), Rc::new(Session::default()));
        let state = runtime.state_mut();
        let _heap = lua_gc::HeapGuard::push(&state.global().heap);
        let original = state.v51_thread_lgt(state.global().main_thread_id);
        native::push_value(state, original)?;
        let resume = field(&field(&original, b"coroutine"), b"resume");
        library::put_right(state, &session)?;
        api::set_top(state, 0)?;
        let names = Names::new(state, &original, &shared)?;
        for kept in [original, resume] {
            // These roots are never removed: they live as long as the machine.
            state.external_root_value(kept);
        }
        api::set_top(state, 0)?;
        if memory == Memory::Share {
            collect(state);
        }
        let bytes_at_rest = state.global().total_bytes();
        let known = hasher.map(|hasher| (hasher.known)(&names.roots())).unwrap_or_default();
        Ok(Vm {
            runtime,
            shared,
            session,
            names,
            known,
            resume,
            memory,
            is_blind,
            made_bytes: 0,
            bytes_at_rest,
            stacks_bytes: 0,
        })
    }

    /// Whether the machine has accumulated so much that it should be replaced by a new one.
    pub fn is_exhausted(&self) -> bool {
        self.runtime.state().global().c_functions.len() > NATIVES_MAX
    }

    /// Memory used by the machine, in bytes.
    pub fn bytes(&self) -> usize {
        self.runtime.state().global().total_bytes()
    }

    /// Number of coroutines and bytes on the machine after a full collection.
    #[cfg(test)]
    pub fn size(&mut self) -> (usize, usize) {
        let state = self.runtime.state_mut();
        let _heap = lua_gc::HeapGuard::push(&state.global().heap);
        for _ in 0..2 {
            // Values captured from a thread's stack are only freed by the second collection.
            collect(state);
        }
        (state.global().threads.len(), state.global().total_bytes())
    }

    /// Creates the snapshot of a program and runs its first thread to its first request.
    pub fn begin(&mut self, text: &Bytes) -> Result<Snapshot, Stop> {
        let mut snapshot = Snapshot::default();
        let begun = self.with(&mut snapshot, |vm| {
            let names = vm.names;
            let asks = asks_who(text);
            vm.metered(|state, shared| begin(state, shared, names, text, asks.is_some()))?.0?;
            match asks {
                // The program starts only after the answer to this request.
                Some(request) => {
                    let mut coroutines = vm.shared.coroutines.borrow_mut();
                    coroutines.first_mut().ok_or(Unplayable::Broken)?.state = State::Requests(request);
                    Ok(())
                }
                None => vm.resume(0, None),
            }
        });
        if let Err(stop) = begun {
            self.release(snapshot);
            return Err(stop);
        }
        Ok(snapshot)
    }

    /// Plays these answers on a snapshot and returns its state. `from` is the index of the first answer in the history.
    pub fn play(&mut self, snapshot: &mut Snapshot, answers: &[&Answer], from: usize) -> Result<ProgramState, Stop> {
        self.with(snapshot, |vm| {
            answers.iter().zip(from..).try_for_each(|(answer, at)| vm.answer(at, answer))?;
            Ok(vm.scene())
        })
    }

    /// Releases a snapshot to the collector.
    pub fn release(&mut self, snapshot: Snapshot) {
        self.stacks_bytes = self.stacks_bytes.saturating_add(snapshot.stack_bytes());
        let state = self.runtime.state_mut();
        for root in snapshot.into_roots() {
            state.external_unroot_value(root);
        }
    }

    /// Runs a full collection if the heap has grown enough.
    pub fn collect(&mut self) {
        let state = self.runtime.state_mut();
        let allowed = self.bytes_at_rest.saturating_mul(2).max(self.bytes_at_rest.saturating_add(GARBAGE_BYTES));
        let taken = state.global().total_bytes().saturating_add(self.stacks_bytes);
        if self.memory == Memory::Share && taken > allowed {
            let _heap = lua_gc::HeapGuard::push(&state.global().heap);
            collect(state);
            self.bytes_at_rest = state.global().total_bytes();
            self.stacks_bytes = 0;
        }
    }

    /// Runs a closure with this snapshot active.
    fn with<R>(&mut self, snapshot: &mut Snapshot, act: impl FnOnce(&mut Vm) -> R) -> R {
        let _heap = lua_gc::HeapGuard::push(&self.runtime.state_mut().global().heap);
        self.shared.coroutines.replace(std::mem::take(&mut snapshot.coroutines));
        self.session.named.replace(std::mem::take(&mut snapshot.named));
        self.session.json.set(snapshot.json);
        self.shared.assigned.replace(std::mem::take(&mut snapshot.assigned));
        self.shared.frame_line.set(snapshot.frame_line.unwrap_or(u32::MAX));
        self.shared.protos.replace(std::mem::take(&mut snapshot.protos));
        self.shared.text.set(snapshot.text.take());
        self.made_bytes = snapshot.made_bytes;
        let done = act(self);
        snapshot.coroutines = self.shared.coroutines.take();
        snapshot.named = self.session.named.take();
        snapshot.json = self.session.json.get();
        snapshot.assigned = self.shared.assigned.take();
        snapshot.frame_line = Some(self.shared.frame_line.get());
        snapshot.protos = self.shared.protos.take();
        snapshot.text = self.shared.text.take();
        snapshot.made_bytes = self.made_bytes;
        snapshot.weigh_stacks(self.runtime.state());
        done
    }

    /// Runs a closure within the limits. The second result is the VM's code of the limit that was reached, if any.
    fn metered<R>(&mut self, act: impl FnOnce(&mut LuaState, &Shared) -> R) -> Result<(R, u8), Stop> {
        let state = self.runtime.state_mut();
        let (top, before) = (state.top_idx(), state.global().total_bytes());
        let limit = match self.memory {
            Memory::Whole => WHOLE_BYTES,
            Memory::Share => before.saturating_add(SHARE_BYTES.saturating_sub(self.made_bytes)),
        };
        state.install_sandbox_limits(CHECK_INTERVAL, Some(INSTRUCTIONS_MAX), Some(limit));
        state.sandbox_reset();
        let done = act(state, &self.shared);
        let tripped = state.sandbox_tripped_code();
        state.install_sandbox_limits(1 << 20, None, None);
        state.sandbox_reset();
        state.set_top_idx(top);
        self.made_bytes = self.made_bytes.saturating_add(state.global().total_bytes().saturating_sub(before));
        if self.memory == Memory::Share && (tripped == SANDBOX_TRIP_MEMORY || self.made_bytes > SHARE_BYTES) {
            return Err(Stop::TooBig);
        }
        Ok((done, tripped))
    }

    /// Answers a thread's request and runs it to its next one.
    fn answer(&mut self, at: usize, answer: &Answer) -> Result<(), Stop> {
        let diverged = Unplayable::Diverged { at };
        let cancelled = {
            let coroutines = self.shared.coroutines.borrow();
            let coroutine = usize::try_from(answer.thread).ok().and_then(|thread| coroutines.get(thread));
            let Some(State::Requests(request)) = coroutine.map(|coroutine| &coroutine.state) else {
                return Err(diverged.into());
            };
            if !fits(request, &answer.reply) {
                return Err(diverged.into());
            }
            match request {
                Request::Cancel { thread } => usize::try_from(*thread).ok(),
                _ => None,
            }
        };
        if let Some(cancelled) = cancelled
            && let Some(coroutine) = self.shared.coroutines.borrow_mut().get_mut(cancelled)
            && matches!(coroutine.state, State::Requests(_))
        {
            coroutine.state = State::Cancelled;
        }
        self.resume(answer.thread, Some(&answer.reply))
    }

    /// Resumes a thread until its next request or its end.
    fn resume(&mut self, thread: Thread, reply: Option<&Reply>) -> Result<(), Stop> {
        let index = usize::try_from(thread).unwrap_or(usize::MAX);
        let (coroutine, has_begun) = {
            let coroutines = self.shared.coroutines.borrow();
            let coroutine = coroutines.get(index).ok_or(Unplayable::Broken)?;
            (coroutine.value, !matches!(coroutine.state, State::Requests(Request::Begin)))
        };
        self.shared.current.set(thread);
        let called = [self.resume, coroutine];
        self.shared.request.take();
        let before = if self.is_blind { Vec::new() } else { look::outline_of(self.runtime.state(), &coroutine) };
        let (resumed, tripped) = self.metered(|state, _| run(state, called, reply.filter(|_| has_begun)))?;
        let requested = self.shared.request.take();
        let (state, broke_off) = match (tripped, resumed) {
            (SANDBOX_TRIP_NONE, Ok(())) => (requested.map_or(State::Done, State::Requests), Vec::new()),
            (tripped, resumed) => {
                let frames = look::frames_of(self.runtime.state(), &coroutine);
                let failed = match (tripped, resumed) {
                    (SANDBOX_TRIP_INSTRUCTIONS, _) => Failed::Endless,
                    (SANDBOX_TRIP_MEMORY, _) => Failed::OutOfMemory,
                    (_, Err(message)) => Failed::Error(with_place(message, &frames)),
                    (_, Ok(())) => return Err(Unplayable::Broken.into()),
                };
                // A `pcall` may have unwound the stack before the limit was reported: then the frames of the last request remain.
                (State::Failed(failed), if frames.is_empty() { before } else { frames })
            }
        };
        if let Some(coroutine) = self.shared.coroutines.borrow_mut().get_mut(index) {
            coroutine.state = state;
            coroutine.broke_off = broke_off;
        }
        Ok(())
    }

    /// The state of all threads.
    fn scene(&self) -> ProgramState {
        let thread = |coroutine: &Coroutine| {
            let frames = match &coroutine.state {
                State::Requests(_) if self.is_blind => Vec::new(),
                State::Requests(_) => look::frames_of(self.runtime.state(), &coroutine.value),
                _ => coroutine.broke_off.clone(),
            };
            ThreadSnapshot { state: coroutine.state.clone(), frames }
        };
        let coroutines = self.shared.coroutines.borrow();
        let live = self.shared.hasher.and_then(|hasher| self.live(hasher, &coroutines));
        ProgramState { threads: coroutines.iter().map(thread).collect(), live }
    }

    /// The live state of the active snapshot.
    fn live(&self, hasher: &StateHasher, coroutines: &[Coroutine]) -> Option<u128> {
        let named: Vec<usize> = self.session.named.borrow().iter().map(|(address, _)| *address).collect();
        let besides = Besides {
            known: &self.known,
            protos: &self.shared.protos.borrow(),
            assigned: &self.shared.assigned.borrow(),
            named: &named,
            json: &self.session.json.get(),
        };
        (hasher.live)(self.runtime.state(), coroutines, &besides)
    }
}

impl Drop for Vm {
    /// Frees all objects: they contain reference cycles, which only the VM can break.
    fn drop(&mut self) {
        self.runtime.state_mut().gc().free_all_objects();
    }
}

/// Runs a full collection, and disables automatic collection until the next call.
fn collect(state: &mut LuaState) {
    state.gc_clear_dead_stack_tails();
    state.gc().full_collect();
    let global = state.global();
    global.heap.set_threshold_bytes(usize::MAX);
}

/// Creates the first thread from the program's text.
fn begin(state: &mut LuaState, shared: &Shared, names: Names, text: &Bytes, asks: bool) -> Result<(), Unplayable> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(Unplayable::DoesNotCompile(Bytes::from_static(b"program:1: the program is too long")));
    }
    let main = state.global().main_thread_id;
    let mut begun = || -> Result<(), LuaError> {
        let Some(parts) = frame::Parts::of(text) else {
            let globals = names.push_globals(state)?;
            state.v51_set_thread_lgt(main, globals);
            shared.compile(state, text, CHUNK)?;
            let text = native::value(state, -1);
            if !asks {
                shared.number(state, text, &[]);
                return join(state, shared, text);
            }
            let body = itself::introduce_first(state, shared, &names, text, [globals, LuaValue::Nil])?;
            shared.number(state, body, &[text]);
            return join(state, shared, body);
        };
        shared.frame_line.set(parts.line);
        frame::begin(state, shared, names, &parts, asks)
    };
    begun().map_err(|error| Unplayable::DoesNotCompile(message_of(error)))
}

/// Resumes a coroutine. `Err` is the message of the error that ended it.
fn run(state: &mut LuaState, called: [LuaValue; 2], reply: Option<&Reply>) -> Result<(), Bytes> {
    let mut resume = || -> Result<bool, LuaError> {
        for value in called {
            native::push_value(state, value)?;
        }
        let base = api::get_top(state);
        match reply {
            None | Some(Reply::Nothing) => {}
            Some(Reply::Integer(number)) => native::push_value(state, LuaValue::Float(*number as f64))?,
            Some(Reply::Text(text)) => native::push(state, text)?,
            Some(Reply::Value(value)) => push_reply(state, value)?,
        }
        let count = 1 + api::get_top(state) - base;
        api::pcall_k(state, count, 2, 0, 0, None)?;
        Ok(matches!(native::value(state, -2), LuaValue::Bool(true)))
    };
    match resume() {
        Ok(true) => Ok(()),
        Ok(false) => {
            let value = native::value(state, -1);
            Err(message_of(LuaError::Runtime(value)))
        }
        Err(error) => Err(message_of(error)),
    }
}

/// Adds a position to an uncaught error without one: an error reply of a server, or a table.
fn with_place(message: Bytes, frames: &[Frame]) -> Bytes {
    match frames.first() {
        Some(frame) if !message.starts_with(b"program:") => {
            [format!("program:{}: ", frame.line).as_bytes(), &message].concat().into()
        }
        _ => message,
    }
}

/// A reply as a client library returns it: a status is a string, and a null reply is nil.
fn push_reply(state: &mut LuaState, reply: &Value) -> Result<(), LuaError> {
    match plain(reply, 0) {
        Value::Null | Value::NullArray => native::push_value(state, LuaValue::Nil),
        plain => convert::push_reply(state, &plain, Protocol::Resp2),
    }
}

/// A reply with statuses as strings, also within arrays (`EXEC`). A null in an array remains `false`, because nil would end the list.
fn plain(reply: &Value, depth: usize) -> Value {
    match reply {
        Value::Simple(text) => Value::Bulk(text.clone()),
        Value::Array(items) if depth < DEPTH_MAX => {
            Value::Array(items.iter().map(|item| plain(item, depth + 1)).collect())
        }
        other => other.clone(),
    }
}

/// A field of a table; nil of anything else.
fn field(value: &LuaValue, name: &[u8]) -> LuaValue {
    match value {
        LuaValue::Table(table) => native::field(table, name),
        _ => LuaValue::Nil,
    }
}

/// Whether this kind of reply fits the request.
const fn fits(request: &Request, reply: &Reply) -> bool {
    match request {
        Request::Now | Request::Random { .. } => matches!(reply, Reply::Integer(_)),
        Request::Uuid => matches!(reply, Reply::Text(_)),
        Request::Call { .. } | Request::Connect { .. } | Request::WaitMessage { .. } | Request::Memory { .. } => {
            matches!(reply, Reply::Value(_))
        }
        Request::Who { .. } => matches!(reply, Reply::Value(Value::Array(_))),
        // An error: the reply was lost.
        Request::Subscribe { .. } => matches!(reply, Reply::Nothing | Reply::Value(Value::Error(_))),
        _ => matches!(reply, Reply::Nothing),
    }
}
