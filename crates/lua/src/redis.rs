//! The table `redis`: what a script may ask of its server.
mod call;
mod misc;
mod register;
mod status;

pub use status::Status;

use crate::bounds::Memory;
use crate::guard;
use crate::library::json::Settings;
use crate::native::{self, Returns};
use lua_types::{LuaError, LuaValue};
use lua_vm::state::{ExternalRootKey, LuaState};
use resp::Protocol;
use scoped_tls_hkt::ReborrowMut;
use script::{Function, Host, Job, Limits, Repl, Work};
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// The version that scripts are told.
const VERSION: &[u8] = b"7.0.15";
const VERSION_NUMBER: f64 = 458_767.0;

/// The server of the run, lent to native functions for as long as it lasts.
pub struct Lent<'a>(pub &'a mut (dyn Host + 'a));

impl<'a, 'b: 'a> ReborrowMut<'a> for Lent<'b> {
    type Result = Lent<'a>;

    fn reborrow_mut(&'a mut self) -> Lent<'a> {
        Lent(&mut *self.0)
    }
}

scoped_tls_hkt::scoped_thread_local!(pub static mut HOST: for<'a> Lent<'a>);

/// Asks the host; `None` outside of a run.
pub fn ask<R>(question: impl FnOnce(&mut dyn Host) -> R) -> Option<R> {
    HOST.is_set().then(|| HOST.with(|host| question(host.0)))
}

/// What native functions know of the run that calls them.
pub struct Session {
    /// Chosen by `redis.setresp`.
    pub protocol: Cell<Protocol>,
    /// Chosen by `redis.set_repl`.
    pub repl: Cell<Repl>,
    /// The state of `math.random`.
    pub random: Cell<u64>,
    /// When to give up.
    pub limits: Cell<Limits>,
    /// What the run took.
    pub instructions: Cell<u64>,
    /// Is a library being loaded?
    pub loading: Cell<bool>,
    /// Has `redis.log` been called?
    pub has_logged: Cell<bool>,
    /// What the library has registered so far.
    pub registered: RefCell<Vec<Registration>>,
    /// The table of a status reply that the run before has left behind.
    pub status: OnceCell<Status>,
    /// What `cjson` was told about encoding and decoding.
    pub json: Rc<Cell<Settings>>,
    /// Does the machine run in slices?
    pub is_sliced: Cell<bool>,
    /// Looks at the bounds until the host is asked whether the script goes on.
    pub looks_left: Cell<u32>,
    /// What the run may hold; nothing where no run was begun: a program of a virtual client has bounds of its own.
    pub memory: Cell<Option<Memory>>,
    /// Memory after the last collection between runs.
    pub bytes_at_rest: Cell<usize>,
    /// The tables, functions and threads that `tostring` has named in this run: address, number, and what keeps it from
    /// the collector, so that no other can come to its address.
    pub named: RefCell<Vec<(usize, ExternalRootKey)>>,
}

impl Default for Session {
    fn default() -> Session {
        Session {
            protocol: Cell::default(),
            repl: Cell::default(),
            random: Cell::new(script::RANDOM_AT_START),
            limits: Cell::new(Limits::USUAL),
            instructions: Cell::default(),
            loading: Cell::default(),
            has_logged: Cell::default(),
            registered: RefCell::default(),
            status: OnceCell::new(),
            json: Rc::default(),
            is_sliced: Cell::default(),
            looks_left: Cell::default(),
            memory: Cell::default(),
            bytes_at_rest: Cell::default(),
            named: RefCell::default(),
        }
    }
}

impl Session {
    /// Forgets the run before.
    pub fn begin(&self, job: &Job) {
        self.protocol.set(Protocol::default());
        self.repl.set(Repl::default());
        self.random.set(job.random);
        self.limits.set(job.limits);
        self.instructions.set(0);
        self.loading.set(false);
        self.has_logged.set(false);
        if let Some(status) = self.status.get() {
            status.is_free.set(!matches!(job.work, Work::Load { .. }));
        }
        self.json.set(Settings::default());
    }

    /// Lets the collector have what the run held.
    pub fn end(&self, state: &mut LuaState) {
        for registration in self.registered.take() {
            state.external_unroot_value(registration.root);
        }
        for (_, root) in self.named.take() {
            state.external_unroot_value(root);
        }
    }
}

/// A function that a library registered, and what it calls.
pub struct Registration {
    /// Keeps the callback from the collector until the run is over.
    pub root: ExternalRootKey,
    /// As the server will know it.
    pub function: Function,
    /// The function in Lua.
    pub callback: LuaValue,
}

/// Who sees the table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// A script of `EVAL`.
    Script,
    /// A function of a library.
    Function,
    /// A library while it is being loaded.
    Loading,
}

/// Makes the table as this scope sees it, guarded.
pub fn table(state: &mut LuaState, session: &Rc<Session>, scope: Scope) -> Result<LuaValue, LuaError> {
    native::push_table(state, 0, 32)?;
    let levels = [(b"LOG_DEBUG".as_slice(), 0.0), (b"LOG_VERBOSE", 1.0), (b"LOG_NOTICE", 2.0), (b"LOG_WARNING", 3.0)];
    for (name, level) in levels {
        native::set_field(state, name, LuaValue::Float(level))?;
    }
    native::set_string(state, b"REDIS_VERSION", VERSION)?;
    native::set_field(state, b"REDIS_VERSION_NUM", LuaValue::Float(VERSION_NUMBER))?;
    let mut add = |name: &str, run: fn(&mut LuaState, &Rc<Session>) -> Returns| {
        let session = Rc::clone(session);
        let function = native::function(state, move |state| run(state, &session));
        native::set_field(state, name.as_bytes(), function)
    };
    add("log", misc::log)?;
    if scope == Scope::Loading {
        add("register_function", register::register_function)?;
    } else {
        add("call", call::call)?;
        add("pcall", call::pcall)?;
        add("error_reply", misc::error_reply)?;
        add("status_reply", misc::status_reply)?;
        add("sha1hex", misc::sha1hex)?;
        add("setresp", misc::set_resp)?;
        add("set_repl", misc::set_repl)?;
        add("acl_check_cmd", misc::acl_check_cmd)?;
        if scope == Scope::Script {
            add("replicate_commands", misc::replicate_commands)?;
            add("breakpoint", misc::breakpoint)?;
            add("debug", misc::debug)?;
        }
        let targets =
            [("REPL_NONE", 0.0), ("REPL_AOF", 1.0), ("REPL_SLAVE", 2.0), ("REPL_REPLICA", 2.0), ("REPL_ALL", 3.0)];
        for (name, target) in targets {
            native::set_field(state, name.as_bytes(), LuaValue::Float(target))?;
        }
    }
    let missing = (scope == Scope::Loading).then(|| native::function(state, guard::missing));
    guard::guard(state, missing)?;
    Ok(native::value(state, -1))
}

/// Raises an error table, as the functions of `redis` do: no place before the text, the code `ERR`.
pub fn raise(state: &mut LuaState, message: &str) -> Returns {
    push_error(state, message)?;
    let table = native::value(state, -1);
    Err(LuaError::Runtime(table))
}

/// Puts an error table on the stack.
fn push_error(state: &mut LuaState, message: &str) -> Returns {
    native::push_table(state, 0, 3)?;
    native::set_string(state, b"err", format!("ERR {message}").as_bytes())?;
    Ok(1)
}
