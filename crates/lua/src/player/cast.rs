//! A cast: the threads of one program at one moment, and what native functions know of the one that is on stage.
use super::compiled::Compiled;
use super::live::{Numbers, Teller};
use super::look;
use crate::library::json::Settings;
use crate::native;
use bytes::Bytes;
use lua_stdlib::state_stub::LuaStateStubExt as _;
use lua_types::{LuaError, LuaValue};
use lua_vm::state::{ExternalRootKey, LuaState};
use script::program::{Frame, Request, State, Thread};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// Bytes of a value on a thread's stack.
const SLOT_BYTES: usize = 24;

/// What native functions know of the cast that is on stage.
#[derive(Default)]
pub struct Shared {
    /// Its threads by number.
    pub actors: RefCell<Vec<Actor>>,
    /// The thread that runs.
    pub current: Cell<Thread>,
    /// What it has requested.
    pub request: RefCell<Option<Request>>,
    /// The global names that the program has assigned to.
    pub assigned: RefCell<BTreeSet<Bytes>>,
    /// The line behind which its frame begins; the greatest number where it has none.
    pub frame_line: Cell<u32>,
    /// Numbers for the functions of its text.
    pub protos: RefCell<Numbers>,
    /// What keeps them from the collector.
    pub text: Cell<Option<ExternalRootKey>>,
    /// Functions of texts, of whatever cast.
    pub compiled: RefCell<Compiled>,
    /// Tells its live state, where somebody wants to know.
    pub teller: Option<&'static Teller>,
}

impl Shared {
    /// Numbers the functions of a program's text, which is this body and what comes with it, and keeps them.
    pub fn number(&self, state: &mut LuaState, body: LuaValue, besides: &[LuaValue]) {
        let Some(teller) = self.teller else { return };
        let mut numbers = self.protos.borrow_mut();
        std::iter::once(&body).chain(besides).for_each(|body| (teller.protos)(body, &mut numbers));
        self.text.set(Some(state.external_root_value(body)));
    }

    /// Puts the function of a text on top of the stack.
    pub fn compile(&self, state: &mut LuaState, text: &[u8], name: &'static [u8]) -> Result<(), LuaError> {
        self.compiled.borrow_mut().push(state, text, name)
    }

    /// Is it a thread of the program that runs, and no coroutine that the program has made?
    pub fn is_actor(&self, state: &LuaState) -> bool {
        let actors = self.actors.borrow();
        let actor = usize::try_from(self.current.get()).ok().and_then(|current| actors.get(current));
        actor.is_some_and(
            |actor| matches!(actor.coroutine, LuaValue::Thread(thread) if thread.id == state.global().current_thread_id),
        )
    }
}

/// The threads of a program at a moment, and what else is theirs.
#[derive(Default)]
pub struct Cast {
    /// Its threads by number.
    pub actors: Vec<Actor>,
    /// What `tostring` has counted.
    pub named: Vec<(usize, ExternalRootKey)>,
    /// What `cjson` was told.
    pub json: Settings,
    /// The global names that it has assigned to.
    pub assigned: BTreeSet<Bytes>,
    /// The line of its text behind which its frame begins, if it has one.
    pub frame_line: Option<u32>,
    /// Numbers for the functions of its text.
    pub protos: Numbers,
    /// What keeps them from the collector.
    pub text: Option<ExternalRootKey>,
    /// What it has made in memory since it began, garbage included.
    pub made_bytes: usize,
    /// What its threads' stacks take.
    stack_bytes: usize,
}

impl Cast {
    /// What it takes in memory at most.
    pub const fn bytes(&self) -> usize {
        self.made_bytes.saturating_add(self.stack_bytes)
    }

    /// What its threads' stacks took when it was last on stage.
    pub const fn stack_bytes(&self) -> usize {
        self.stack_bytes
    }

    /// Looks how large its threads' stacks are by now.
    pub fn weigh_stacks(&mut self, state: &LuaState) {
        let slots = self.actors.iter().map(|actor| look::stack_slots(state, &actor.coroutine));
        self.stack_bytes = slots.fold(0, |bytes, slots| bytes.saturating_add(slots.saturating_mul(SLOT_BYTES)));
    }

    /// What keeps it from the collector.
    pub fn into_roots(self) -> impl Iterator<Item = ExternalRootKey> {
        let named = self.named.into_iter().map(|(_, root)| root);
        self.actors.into_iter().map(|actor| actor.root).chain(named).chain(self.text)
    }
}

/// A thread of the program.
pub struct Actor {
    /// Its coroutine.
    pub coroutine: LuaValue,
    /// Keeps it from the collector.
    root: ExternalRootKey,
    /// What it is about.
    pub state: State,
    /// Where it broke off.
    pub broke_off: Vec<Frame>,
}

/// Adds a thread that will run this function.
pub fn join(state: &mut LuaState, shared: &Shared, body: LuaValue) -> Result<(), LuaError> {
    native::room(state, 1)?;
    state.new_thread(Some(body))?;
    let coroutine = native::value(state, -1);
    let root = state.external_root_value(coroutine);
    let state = State::Requests(Request::Begin);
    shared.actors.borrow_mut().push(Actor { coroutine, root, state, broke_off: Vec::new() });
    Ok(())
}
