//! The table `redis`: the functions with which a script calls its server.
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

/// The version that scripts see.
const VERSION: &[u8] = b"7.0.15";
const VERSION_NUMBER: f64 = 458_767.0;

/// The host of the current run, accessible to native functions while it lasts.
pub struct Lent<'a>(pub &'a mut (dyn Host + 'a));

impl<'a, 'b: 'a> ReborrowMut<'a> for Lent<'b> {
    type Result = Lent<'a>;

    fn reborrow_mut(&'a mut self) -> Lent<'a> {
        Lent(&mut *self.0)
    }
}

scoped_tls_hkt::scoped_thread_local!(pub static mut HOST: for<'a> Lent<'a>);

/// Calls the host; `None` outside a run.
pub fn ask<R>(question: impl FnOnce(&mut dyn Host) -> R) -> Option<R> {
    HOST.is_set().then(|| HOST.with(|host| question(host.0)))
}

/// The state of a run, shared with native functions.
pub struct Session {
    /// The protocol set by `redis.setresp`.
    pub protocol: Cell<Protocol>,
    /// The replication targets set by `redis.set_repl`.
    pub repl: Cell<Repl>,
    /// The state of `math.random`.
    pub random: Cell<u64>,
    /// The limits of the run.
    pub limits: Cell<Limits>,
    /// Instructions that the run used.
    pub instructions: Cell<u64>,
    /// Whether a library is being loaded.
    pub loading: Cell<bool>,
    /// Whether `redis.log` has been called.
    pub has_logged: Cell<bool>,
    /// The functions that the library has registered so far.
    pub registered: RefCell<Vec<Registration>>,
    /// The reusable table of a status reply.
    pub status: OnceCell<Status>,
    /// The settings of `cjson`.
    pub json: Rc<Cell<Settings>>,
    /// Whether the machine runs in slices.
    pub is_sliced: Cell<bool>,
    /// Checks of the bounds left until the host is asked whether the script may go on.
    pub looks_left: Cell<u32>,
    /// The memory bound; `None` for programs of virtual clients, which have other bounds.
    pub memory: Cell<Option<Memory>>,
    /// Memory after the last collection between runs.
    pub bytes_at_rest: Cell<usize>,
    /// The tables, functions and threads that `tostring` has named in this run: address, number, and the root that keeps the object
    /// alive, so that no other object can get its address.
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
    /// Resets the session for a new run.
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

    /// Releases the run's references, so that the collector can free them.
    pub fn end(&self, state: &mut LuaState) {
        for registration in self.registered.take() {
            state.external_unroot_value(registration.root);
        }
        for (_, root) in self.named.take() {
            state.external_unroot_value(root);
        }
    }
}

/// A function that a library registered, with its callback.
pub struct Registration {
    /// Keeps the callback alive until the run is over.
    pub root: ExternalRootKey,
    /// The function as the server sees it.
    pub function: Function,
    /// The Lua function.
    pub callback: LuaValue,
}

/// The kind of code that uses the table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// A script of `EVAL`.
    Script,
    /// A function of a library.
    Function,
    /// A library while it is being loaded.
    Loading,
}

/// Creates the guarded table for this scope.
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

/// Raises an error table, as the functions of `redis` do: no source position, and the code `ERR`.
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
