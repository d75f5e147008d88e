//! The machine on which programs are played, by a cast at a time.
use super::cast::{Actor, Cast, Shared, join};
use super::live::{Besides, Numbers, Teller};
use super::names::Names;
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
use script::program::{Answer, Failed, Frame, Reply, Request, Scene, Stand, State, Thread, Unplayable, asks_who};
use std::rc::Rc;

/// Instructions that a thread may take from one request to the next.
const INSTRUCTIONS_MAX: u64 = 1_000_000;

/// Memory of a machine that one cast has for itself, in bytes.
const WHOLE_BYTES: usize = 16 << 20;

/// What a cast may make in all, garbage included, on a machine with others. So much less than [`WHOLE_BYTES`] that no cast would find
/// memory full on a machine of its own which does not here: not even if all its texts, which casts have in common, were its own,
/// and as much garbage lay about.
const SHARE_BYTES: usize = 1 << 20;

/// What casts make before the collector looks at all of them again, at least.
const GARBAGE_BYTES: usize = 8 << 20;

/// How many instructions pass between two looks at the limits.
const CHECK_INTERVAL: i32 = 4;

/// A text longer than this is not compiled.
const TEXT_BYTES_MAX: usize = 1 << 18;

/// What the program's text is called in errors.
pub const CHUNK: &[u8] = b"@program";

/// How many native functions a machine may have. It keeps those that programs make (`gmatch`, `coroutine.wrap`) for good.
const NATIVES_MAX: usize = 100_000;

/// How much memory a cast may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// The machine is for one cast only.
    Whole,
    /// Casts share the machine, and each has made at most [`SHARE_BYTES`].
    Share,
}

/// Why a cast did not get to its moment.
pub enum Stop {
    /// No one can play this.
    Unplayable(Unplayable),
    /// It has made more than its share and must have a machine of its own.
    TooBig,
}

impl Stop {
    /// Of a machine with one cast, where nothing is too big.
    pub fn told(self) -> Unplayable {
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
pub struct Stage {
    runtime: LuaRuntime,
    shared: Rc<Shared>,
    session: Rc<Session>,
    /// The names that every program finds.
    names: Names,
    /// Numbers for what they are.
    known: Numbers,
    /// `coroutine.resume`, which programs may replace for themselves.
    resume: LuaValue,
    memory: Memory,
    is_blind: bool,
    /// What the cast on stage has made so far.
    made_bytes: usize,
    /// What was left when the collector had last looked at everything.
    bytes_at_rest: usize,
    /// What the stacks of casts take that were let go since then: the machine does not count them.
    stacks_bytes: usize,
}

impl Stage {
    /// One whose casts have so much memory, and whose live states are told by this teller, if any. A blind one tells no frames.
    pub fn new(memory: Memory, teller: Option<&'static Teller>, is_blind: bool) -> Result<Stage, LuaError> {
        let mut runtime = LuaRuntime::with_hooks_versioned(HostHooks::default(), LuaVersion::V51)
            .map_err(omnilua::Error::into_lua_error)?;
        let (shared, session) = (Rc::new(Shared { teller, ..Shared::default() }), Rc::new(Session::default()));
        let state = runtime.state_mut();
        let _heap = lua_gc::HeapGuard::push(&state.global().heap);
        let original = state.v51_thread_lgt(state.global().main_thread_id);
        native::push_value(state, original)?;
        let resume = field(&field(&original, b"coroutine"), b"resume");
        library::put_right(state, &session)?;
        api::set_top(state, 0)?;
        let names = Names::new(state, &original, &shared)?;
        for kept in [original, resume] {
            // Never taken out again: they live as long as the machine.
            state.external_root_value(kept);
        }
        api::set_top(state, 0)?;
        if memory == Memory::Share {
            collect(state);
        }
        let bytes_at_rest = state.global().total_bytes();
        let known = teller.map(|teller| (teller.known)(&names.roots())).unwrap_or_default();
        Ok(Stage {
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

    /// Has the machine gathered so much that a new one should take its place?
    pub fn is_worn(&self) -> bool {
        self.runtime.state().global().c_functions.len() > NATIVES_MAX
    }

    /// What the machine takes in memory, in bytes.
    pub fn bytes(&self) -> usize {
        self.runtime.state().global().total_bytes()
    }

    /// What is on the machine after a look for garbage: coroutines, and bytes.
    #[cfg(test)]
    pub fn size(&mut self) -> (usize, usize) {
        let state = self.runtime.state_mut();
        let _heap = lua_gc::HeapGuard::push(&state.global().heap);
        for _ in 0..2 {
            // What a variable of a thread has held is found to be garbage the second time only.
            collect(state);
        }
        (state.global().threads.len(), state.global().total_bytes())
    }

    /// The cast of a program at its beginning: its first thread has run to its first request.
    pub fn begin(&mut self, text: &Bytes) -> Result<Cast, Stop> {
        let mut cast = Cast::default();
        let begun = self.with(&mut cast, |stage| {
            let names = stage.names;
            let asks = asks_who(text);
            stage.metered(|state, shared| begin(state, shared, names, text, asks.is_some()))?.0?;
            match asks {
                // Until it is told, none of it runs.
                Some(request) => {
                    let mut actors = stage.shared.actors.borrow_mut();
                    actors.first_mut().ok_or(Unplayable::Broken)?.state = State::Requests(request);
                    Ok(())
                }
                None => stage.resume(0, None),
            }
        });
        if let Err(stop) = begun {
            self.dismiss(cast);
            return Err(stop);
        }
        Ok(cast)
    }

    /// Lets a cast have these answers; what it looks like then. `from` is the number of the first of them in the history.
    pub fn play(&mut self, cast: &mut Cast, answers: &[&Answer], from: usize) -> Result<Scene, Stop> {
        self.with(cast, |stage| {
            answers.iter().zip(from..).try_for_each(|(answer, at)| stage.answer(at, answer))?;
            Ok(stage.scene())
        })
    }

    /// Lets the collector have a cast.
    pub fn dismiss(&mut self, cast: Cast) {
        self.stacks_bytes = self.stacks_bytes.saturating_add(cast.stack_bytes());
        let state = self.runtime.state_mut();
        for root in cast.into_roots() {
            state.external_unroot_value(root);
        }
    }

    /// Looks for garbage, if there may be much of it.
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

    /// Does something with this cast on stage.
    fn with<R>(&mut self, cast: &mut Cast, act: impl FnOnce(&mut Stage) -> R) -> R {
        let _heap = lua_gc::HeapGuard::push(&self.runtime.state_mut().global().heap);
        self.shared.actors.replace(std::mem::take(&mut cast.actors));
        self.session.named.replace(std::mem::take(&mut cast.named));
        self.session.json.set(cast.json);
        self.shared.assigned.replace(std::mem::take(&mut cast.assigned));
        self.shared.frame_line.set(cast.frame_line.unwrap_or(u32::MAX));
        self.shared.protos.replace(std::mem::take(&mut cast.protos));
        self.shared.text.set(cast.text.take());
        self.made_bytes = cast.made_bytes;
        let done = act(self);
        cast.actors = self.shared.actors.take();
        cast.named = self.session.named.take();
        cast.json = self.session.json.get();
        cast.assigned = self.shared.assigned.take();
        cast.frame_line = Some(self.shared.frame_line.get());
        cast.protos = self.shared.protos.take();
        cast.text = self.shared.text.take();
        cast.made_bytes = self.made_bytes;
        cast.weigh_stacks(self.runtime.state());
        done
    }

    /// Does something within the limits; whether it has reached one, and which.
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

    /// Lets a thread have the answer to its request, and run to the next one.
    fn answer(&mut self, at: usize, answer: &Answer) -> Result<(), Stop> {
        let diverged = Unplayable::Diverged { at };
        let cancelled = {
            let actors = self.shared.actors.borrow();
            let actor = usize::try_from(answer.thread).ok().and_then(|thread| actors.get(thread));
            let Some(State::Requests(request)) = actor.map(|actor| &actor.state) else { return Err(diverged.into()) };
            if !fits(request, &answer.reply) {
                return Err(diverged.into());
            }
            match request {
                Request::Cancel { thread } => usize::try_from(*thread).ok(),
                _ => None,
            }
        };
        if let Some(cancelled) = cancelled
            && let Some(actor) = self.shared.actors.borrow_mut().get_mut(cancelled)
            && matches!(actor.state, State::Requests(_))
        {
            actor.state = State::Cancelled;
        }
        self.resume(answer.thread, Some(&answer.reply))
    }

    /// Runs a thread to its next request or its end.
    fn resume(&mut self, thread: Thread, reply: Option<&Reply>) -> Result<(), Stop> {
        let index = usize::try_from(thread).unwrap_or(usize::MAX);
        let (coroutine, has_begun) = {
            let actors = self.shared.actors.borrow();
            let actor = actors.get(index).ok_or(Unplayable::Broken)?;
            (actor.coroutine, !matches!(actor.state, State::Requests(Request::Begin)))
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
                // A `pcall` has taken them down before the limit was told: what is known is the last request.
                (State::Failed(failed), if frames.is_empty() { before } else { frames })
            }
        };
        if let Some(actor) = self.shared.actors.borrow_mut().get_mut(index) {
            actor.state = state;
            actor.broke_off = broke_off;
        }
        Ok(())
    }

    /// Where the threads stand.
    fn scene(&self) -> Scene {
        let stand = |actor: &Actor| {
            let frames = match &actor.state {
                State::Requests(_) if self.is_blind => Vec::new(),
                State::Requests(_) => look::frames_of(self.runtime.state(), &actor.coroutine),
                _ => actor.broke_off.clone(),
            };
            Stand { state: actor.state.clone(), frames }
        };
        let actors = self.shared.actors.borrow();
        let live = self.shared.teller.and_then(|teller| self.live(teller, &actors));
        Scene { threads: actors.iter().map(stand).collect(), live }
    }

    /// The live state of the cast on stage.
    fn live(&self, teller: &Teller, actors: &[Actor]) -> Option<u128> {
        let named: Vec<usize> = self.session.named.borrow().iter().map(|(address, _)| *address).collect();
        let besides = Besides {
            known: &self.known,
            protos: &self.shared.protos.borrow(),
            assigned: &self.shared.assigned.borrow(),
            named: &named,
            json: &self.session.json.get(),
        };
        (teller.live)(self.runtime.state(), actors, &besides)
    }
}

impl Drop for Stage {
    /// What a machine holds refers to itself in circles, which only the machine can undo.
    fn drop(&mut self) {
        self.runtime.state_mut().gc().free_all_objects();
    }
}

/// Looks for garbage now, and lets the collector do nothing by itself until the next time.
fn collect(state: &mut LuaState) {
    state.gc_clear_dead_stack_tails();
    state.gc().full_collect();
    let global = state.global();
    global.heap.set_threshold_bytes(usize::MAX);
}

/// Makes the program's text its first thread.
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
            let body = itself::tell_first(state, shared, &names, text, [globals, LuaValue::Nil])?;
            shared.number(state, body, &[text]);
            return join(state, shared, body);
        };
        shared.frame_line.set(parts.line);
        frame::begin(state, shared, names, &parts, asks)
    };
    begun().map_err(|error| Unplayable::DoesNotCompile(message_of(error)))
}

/// Resumes a coroutine; the message of the error that it broke off with.
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

/// An error that no one caught tells its place, also one that was raised without: a server's, or a table.
fn with_place(message: Bytes, frames: &[Frame]) -> Bytes {
    match frames.first() {
        Some(frame) if !message.starts_with(b"program:") => {
            [format!("program:{}: ", frame.line).as_bytes(), &message].concat().into()
        }
        _ => message,
    }
}

/// A reply as a client library gives it to an application: a status is a text, and nothing is nil.
fn push_reply(state: &mut LuaState, reply: &Value) -> Result<(), LuaError> {
    match plain(reply, 0) {
        Value::Null | Value::NullArray => native::push_value(state, LuaValue::Nil),
        plain => convert::push_reply(state, &plain, Protocol::Resp2),
    }
}

/// A reply whose statuses are texts, those in arrays (`EXEC`) too. Nothing in an array stays `false`: a list with nil in it ends there.
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

/// Is this the kind of reply that the request wants?
const fn fits(request: &Request, reply: &Reply) -> bool {
    match request {
        Request::Now | Request::Random { .. } => matches!(reply, Reply::Integer(_)),
        Request::Uuid => matches!(reply, Reply::Text(_)),
        Request::Call { .. } | Request::Connect { .. } | Request::WaitMessage { .. } | Request::Memory { .. } => {
            matches!(reply, Reply::Value(_))
        }
        Request::Who { .. } => matches!(reply, Reply::Value(Value::Array(_))),
        // Unless it was lost on its way.
        Request::Subscribe { .. } => matches!(reply, Reply::Nothing | Reply::Value(Value::Error(_))),
        _ => matches!(reply, Reply::Nothing),
    }
}
