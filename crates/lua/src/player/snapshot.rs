//! A snapshot: the threads of one program at one moment; and the state of the active snapshot that native functions share.
use super::compiled::Compiled;
use super::live::{Numbers, StateHasher};
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

/// Bytes per value on a thread's stack.
const SLOT_BYTES: usize = 24;

/// The active snapshot's state, shared with native functions.
#[derive(Default)]
pub struct Shared {
    /// Its threads by number.
    pub coroutines: RefCell<Vec<Coroutine>>,
    /// The running thread.
    pub current: Cell<Thread>,
    /// The request of the running thread.
    pub request: RefCell<Option<Request>>,
    /// The global names that the program has assigned to.
    pub assigned: RefCell<BTreeSet<Bytes>>,
    /// The line after which its frame begins; `u32::MAX` without a frame.
    pub frame_line: Cell<u32>,
    /// Numbers for the functions of its text.
    pub protos: RefCell<Numbers>,
    /// The root that keeps them alive.
    pub text: Cell<Option<ExternalRootKey>>,
    /// Compiled texts of all snapshots.
    pub compiled: RefCell<Compiled>,
    /// Computes live states; `None` if they are not needed.
    pub hasher: Option<&'static StateHasher>,
}

impl Shared {
    /// Numbers the functions of a program's text (`body` and `besides`) and keeps them alive.
    pub fn number(&self, state: &mut LuaState, body: LuaValue, besides: &[LuaValue]) {
        let Some(hasher) = self.hasher else { return };
        let mut numbers = self.protos.borrow_mut();
        std::iter::once(&body).chain(besides).for_each(|body| (hasher.protos)(body, &mut numbers));
        self.text.set(Some(state.external_root_value(body)));
    }

    /// Pushes the function of a text.
    pub fn compile(&self, state: &mut LuaState, text: &[u8], name: &'static [u8]) -> Result<(), LuaError> {
        self.compiled.borrow_mut().push(state, text, name)
    }

    /// Whether the running coroutine is a thread of the program, and not a coroutine that the program has created.
    pub fn is_program_thread(&self, state: &LuaState) -> bool {
        let coroutines = self.coroutines.borrow();
        let coroutine = usize::try_from(self.current.get()).ok().and_then(|current| coroutines.get(current));
        coroutine.is_some_and(
            |coroutine| matches!(coroutine.value, LuaValue::Thread(thread) if thread.id == state.global().current_thread_id),
        )
    }
}

/// The threads of a program at a moment, and their other state.
#[derive(Default)]
pub struct Snapshot {
    /// Its threads by number.
    pub coroutines: Vec<Coroutine>,
    /// The objects that `tostring` has numbered.
    pub named: Vec<(usize, ExternalRootKey)>,
    /// The settings of `cjson`.
    pub json: Settings,
    /// The global names that it has assigned to.
    pub assigned: BTreeSet<Bytes>,
    /// The line after which its frame begins, if it has one.
    pub frame_line: Option<u32>,
    /// Numbers for the functions of its text.
    pub protos: Numbers,
    /// The root that keeps them alive.
    pub text: Option<ExternalRootKey>,
    /// Bytes allocated since it began, garbage included.
    pub made_bytes: usize,
    /// Bytes of its threads' stacks.
    stack_bytes: usize,
}

impl Snapshot {
    /// Upper bound of its memory, in bytes.
    pub const fn bytes(&self) -> usize {
        self.made_bytes.saturating_add(self.stack_bytes)
    }

    /// Bytes of its threads' stacks when it was last active.
    pub const fn stack_bytes(&self) -> usize {
        self.stack_bytes
    }

    /// Measures its threads' stacks.
    pub fn weigh_stacks(&mut self, state: &LuaState) {
        let slots = self.coroutines.iter().map(|coroutine| look::stack_slots(state, &coroutine.value));
        self.stack_bytes = slots.fold(0, |bytes, slots| bytes.saturating_add(slots.saturating_mul(SLOT_BYTES)));
    }

    /// The roots that keep it alive.
    pub fn into_roots(self) -> impl Iterator<Item = ExternalRootKey> {
        let named = self.named.into_iter().map(|(_, root)| root);
        self.coroutines.into_iter().map(|coroutine| coroutine.root).chain(named).chain(self.text)
    }
}

/// A thread of the program.
pub struct Coroutine {
    /// Its coroutine.
    pub value: LuaValue,
    /// The root that keeps it alive.
    root: ExternalRootKey,
    /// Its current state.
    pub state: State,
    /// The frames where it failed.
    pub broke_off: Vec<Frame>,
}

/// Adds a thread that will run this function.
pub fn join(state: &mut LuaState, shared: &Shared, body: LuaValue) -> Result<(), LuaError> {
    native::room(state, 1)?;
    state.new_thread(Some(body))?;
    let coroutine = native::value(state, -1);
    let root = state.external_root_value(coroutine);
    let state = State::Requests(Request::Begin);
    shared.coroutines.borrow_mut().push(Coroutine { value: coroutine, root, state, broke_off: Vec::new() });
    Ok(())
}
