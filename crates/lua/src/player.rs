//! Programs of virtual clients: each of their threads is a coroutine, which yields with a request and is resumed with the answer.
//!
//! ```text
//!   player.rs           from a text and a history to a scene
//!   player/requests.rs  what a program finds: redis.call, sleep, enter, spawn … and how each waits for its answer
//!   player/look.rs      lines and local variables of a thread that has stopped
//! ```
mod look;
mod requests;

use crate::native;
use crate::redis::Session;
use crate::{convert, library};
use bytes::Bytes;
use lua_stdlib::state_stub::LuaStateStubExt as _;
use lua_types::{LuaError, LuaValue};
use lua_vm::api;
use lua_vm::state::{ExternalRootKey, LuaState, SANDBOX_TRIP_INSTRUCTIONS, SANDBOX_TRIP_MEMORY, SANDBOX_TRIP_NONE};
use omnilua::{HostHooks, LuaRuntime, LuaVersion};
use resp::{Protocol, Value};
use script::program::{
    Answer, Failed, Frame, History, Player, Reply, Request, Scene, Stand, State, Thread, Unplayable,
};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// Instructions that a thread may take from one request to the next.
const INSTRUCTIONS_MAX: u64 = 1_000_000;

/// Memory of a machine, in bytes.
const MEMORY_MAX: usize = 16 << 20;

/// How many instructions pass between two looks at the limits.
const CHECK_INTERVAL: i32 = 4;

/// A text longer than this is not compiled.
const TEXT_BYTES_MAX: usize = 1 << 18;

/// What the program's text is called in errors.
const CHUNK: &[u8] = b"@program";

/// How often a machine plays before another takes its place: native functions that a program makes stay in it.
const PLAYS_MAX: u32 = 10_000;

/// Plays programs.
#[derive(Default)]
pub struct LuaPlayer {
    stage: Option<Stage>,
}

impl LuaPlayer {
    /// A player whose machine is not there yet.
    pub fn new() -> LuaPlayer {
        LuaPlayer::default()
    }
}

impl Player for LuaPlayer {
    fn play(&mut self, text: &Bytes, history: &History) -> Result<Scene, Unplayable> {
        let mut stage = match self.stage.take() {
            Some(stage) => stage,
            None => catch_unwind(Stage::new).ok().and_then(Result::ok).ok_or(Unplayable::Broken)?,
        };
        let played = catch_unwind(AssertUnwindSafe(|| stage.play(text, history))).unwrap_or(Err(Unplayable::Broken));
        let is_spent = stage.plays >= PLAYS_MAX || stage.is_tripped || played == Err(Unplayable::Broken);
        if !is_spent {
            self.stage = Some(stage);
        }
        played
    }
}

/// A machine on which programs are played, one after the other.
struct Stage {
    runtime: LuaRuntime,
    shared: Rc<Shared>,
    /// The names that every program finds.
    names: LuaValue,
    /// `coroutine.resume`, which programs may replace for themselves.
    resume: LuaValue,
    plays: u32,
    /// A limit was reached: what is left of the machine is not to be trusted.
    is_tripped: bool,
}

/// What native functions know of the program that calls them.
#[derive(Default)]
struct Shared {
    cast: RefCell<Vec<Actor>>,
    /// The thread that runs.
    current: Cell<Thread>,
    /// What it has requested, and where it stood then.
    request: RefCell<Option<(Request, Vec<Frame>)>>,
}

/// A thread of the program.
struct Actor {
    /// Its coroutine.
    coroutine: LuaValue,
    /// Keeps it from the collector.
    root: ExternalRootKey,
    stand: Stand,
}

impl Stage {
    fn new() -> Result<Stage, LuaError> {
        let mut runtime = LuaRuntime::with_hooks_versioned(HostHooks::default(), LuaVersion::V51)
            .map_err(omnilua::Error::into_lua_error)?;
        let (shared, session) = (Rc::new(Shared::default()), Rc::new(Session::default()));
        let state = runtime.state_mut();
        let _heap = lua_gc::HeapGuard::push(&state.global().heap);
        let original = state.v51_thread_lgt(state.global().main_thread_id);
        native::push_value(state, original)?;
        let resume = field(&field(&original, b"coroutine"), b"resume");
        library::put_right(state, &session)?;
        api::set_top(state, 0)?;
        native::push_table(state, 0, 48)?;
        library::share(state, &original)?;
        requests::install(state, &shared)?;
        let names = native::value(state, -1);
        for kept in [original, names, resume] {
            // Never taken out again: they live as long as the machine.
            state.external_root_value(kept);
        }
        api::set_top(state, 0)?;
        Ok(Stage { runtime, shared, names, resume, plays: 0, is_tripped: false })
    }

    fn play(&mut self, text: &Bytes, history: &History) -> Result<Scene, Unplayable> {
        self.plays = self.plays.saturating_add(1);
        let state = self.runtime.state_mut();
        let _heap = lua_gc::HeapGuard::push(&state.global().heap);
        let top = state.top_idx();
        let begun = begin(state, &self.shared, self.names, text);
        let played = begun.and_then(|()| {
            self.resume(0, None)?;
            history.answers().iter().enumerate().try_for_each(|(at, answer)| self.answer(at, answer))
        });
        let state = self.runtime.state_mut();
        state.install_sandbox_limits(1 << 20, None, None);
        state.sandbox_reset();
        let mut threads = Vec::new();
        for actor in self.shared.cast.take() {
            state.external_unroot_value(actor.root);
            threads.push(actor.stand);
        }
        state.set_top_idx(top);
        played.map(|()| Scene { threads })
    }

    /// Lets a thread have the answer to its request, and run to the next one.
    fn answer(&mut self, at: usize, answer: &Answer) -> Result<(), Unplayable> {
        let diverged = Unplayable::Diverged { at };
        let cancelled = {
            let cast = self.shared.cast.borrow();
            let actor = usize::try_from(answer.thread).ok().and_then(|thread| cast.get(thread));
            let Some(State::Requests(request)) = actor.map(|actor| &actor.stand.state) else { return Err(diverged) };
            if !fits(request, &answer.reply) {
                return Err(diverged);
            }
            match request {
                Request::Cancel { thread } => Some(*thread),
                _ => None,
            }
        };
        if let Some(actor) = cancelled.and_then(|thread| usize::try_from(thread).ok())
            && let Some(actor) = self.shared.cast.borrow_mut().get_mut(actor)
            && matches!(actor.stand.state, State::Requests(_))
        {
            actor.stand = Stand { state: State::Cancelled, frames: Vec::new() };
        }
        self.resume(answer.thread, Some(&answer.reply))
    }

    /// Runs a thread to its next request or its end.
    fn resume(&mut self, thread: Thread, reply: Option<&Reply>) -> Result<(), Unplayable> {
        let shared = Rc::clone(&self.shared);
        let index = usize::try_from(thread).unwrap_or(usize::MAX);
        let (coroutine, has_begun) = {
            let cast = shared.cast.borrow();
            let actor = cast.get(index).ok_or(Unplayable::Broken)?;
            (actor.coroutine, !matches!(actor.stand.state, State::Requests(Request::Begin)))
        };
        shared.current.set(thread);
        let state = self.runtime.state_mut();
        state.install_sandbox_limits(CHECK_INTERVAL, Some(INSTRUCTIONS_MAX), Some(MEMORY_MAX));
        state.sandbox_reset();
        let top = state.top_idx();
        let resumed = run(state, [self.resume, coroutine], reply.filter(|_| has_begun));
        let stand = match (state.sandbox_tripped_code(), resumed) {
            (SANDBOX_TRIP_NONE, Ok(())) => match shared.request.take() {
                Some((request, frames)) => Stand { state: State::Requests(request), frames },
                None => Stand { state: State::Done, frames: Vec::new() },
            },
            (tripped, resumed) => {
                self.is_tripped |= tripped != SANDBOX_TRIP_NONE;
                shared.request.take();
                let failed = match (tripped, resumed) {
                    (SANDBOX_TRIP_INSTRUCTIONS, _) => Failed::Endless,
                    (SANDBOX_TRIP_MEMORY, _) => Failed::OutOfMemory,
                    (_, Err(message)) => Failed::Error(message),
                    (_, Ok(())) => return Err(Unplayable::Broken),
                };
                let mut frames = look::frames_of(state, &coroutine);
                if frames.is_empty() {
                    // A `pcall` has taken them down before the limit was told: what is known is the last request.
                    frames = shared
                        .cast
                        .borrow_mut()
                        .get_mut(index)
                        .map(|a| std::mem::take(&mut a.stand.frames))
                        .unwrap_or_default();
                }
                Stand { state: State::Failed(failed), frames }
            }
        };
        state.set_top_idx(top);
        if let Some(actor) = shared.cast.borrow_mut().get_mut(index) {
            actor.stand = stand;
        }
        Ok(())
    }
}

/// Makes the program's text its first thread.
fn begin(state: &mut LuaState, shared: &Shared, names: LuaValue, text: &Bytes) -> Result<(), Unplayable> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(Unplayable::DoesNotCompile(Bytes::from_static(b"program:1: the program is too long")));
    }
    let main = state.global().main_thread_id;
    let mut begun = || -> Result<(), LuaError> {
        // Its own globals, with the common names behind them.
        native::push_table(state, 0, 8)?;
        let globals = native::value(state, -1);
        native::push_table(state, 0, 1)?;
        native::set_field(state, b"__index", names)?;
        api::set_metatable(state, -2)?;
        if let LuaValue::Table(table) = globals {
            let name = LuaValue::Str(state.intern_str(b"_G")?);
            table.raw_set(name, globals);
        }
        state.v51_set_thread_lgt(main, globals);
        // What it makes is metered from the beginning.
        state.install_sandbox_limits(CHECK_INTERVAL, Some(INSTRUCTIONS_MAX), Some(MEMORY_MAX));
        state.sandbox_reset();
        library::compile(state, text, CHUNK)?;
        let body = native::value(state, -1);
        join(state, shared, body)
    };
    begun().map_err(|error| Unplayable::DoesNotCompile(message_of(error)))
}

/// Adds a thread that will run this function.
fn join(state: &mut LuaState, shared: &Shared, body: LuaValue) -> Result<(), LuaError> {
    native::room(state, 1)?;
    state.new_thread(Some(body))?;
    let coroutine = native::value(state, -1);
    let root = state.external_root_value(coroutine);
    let stand = Stand { state: State::Requests(Request::Begin), frames: Vec::new() };
    shared.cast.borrow_mut().push(Actor { coroutine, root, stand });
    Ok(())
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

/// A reply as a client library gives it to an application: a status is a text, and nothing is nil.
fn push_reply(state: &mut LuaState, reply: &Value) -> Result<(), LuaError> {
    match reply {
        Value::Simple(text) => native::push(state, text),
        Value::Null | Value::NullArray => native::push_value(state, LuaValue::Nil),
        other => convert::push_reply(state, other, Protocol::Resp2),
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
        Request::Call { .. } | Request::WaitMessage { .. } => matches!(reply, Reply::Value(_)),
        _ => matches!(reply, Reply::Nothing),
    }
}

/// What an error says; of a table, its field `err` or how Lua would write it.
fn message_of(error: LuaError) -> Bytes {
    match error {
        LuaError::Runtime(value) | LuaError::Syntax(value) => look::message(&value),
        other => native::message_of(other).into(),
    }
}
