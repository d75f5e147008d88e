//! One virtual machine that is kept: its making, its limits, the texts it has compiled, and from a job to an outcome.
use crate::native::{self, Returns};
use crate::redis::{HOST, Lent, Registration, Session};
use crate::{convert, guard, library, redis};
use bytes::Bytes;
use lua_types::{LuaError, LuaStatus, LuaValue};
use lua_vm::api;
use lua_vm::debug::{LuaDebug, get_info, get_stack};
use lua_vm::state::{ExternalRootKey, LuaState};
use omnilua::{HostHooks, LuaRuntime, LuaVersion};
use rustc_hash::FxHashMap;
use script::{Engine, Failure, Host, Job, Outcome, Place, Ran, Work};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// A text longer than this is not compiled: the compiler is not charged to the budget.
const TEXT_BYTES_MAX: usize = 1 << 20;

/// How many compiled texts are kept. Past it the machine is made anew.
const COMPILED_MAX: usize = 256;

/// How many native functions a machine may have. It keeps those of `gmatch` and `coroutine.wrap` for good; past this it is made
/// anew.
const NATIVES_MAX: usize = 100_000;

/// What one run leaves behind before the next begins with a collection.
const GARBAGE_BYTES_MAX: usize = 256 << 10;

/// How many instructions pass between two looks at the limits.
const CHECK_INTERVAL: i32 = 4;

/// Lua 5.1 with Redis' environment. Made when it is first needed, kept from job to job, made anew after a run that reached
/// a bound.
#[derive(Default)]
pub struct LuaMachine {
    machine: Option<Machine>,
}

impl LuaMachine {
    /// A machine that is not there yet.
    pub fn new() -> LuaMachine {
        LuaMachine::default()
    }

    fn machine(&mut self) -> Option<&mut Machine> {
        if self.machine.as_ref().is_some_and(Machine::is_worn) {
            self.machine = None;
        }
        if self.machine.is_none() {
            self.machine = catch_unwind(Machine::new).ok().and_then(Result::ok);
        }
        self.machine.as_mut()
    }
}

impl Engine for LuaMachine {
    fn compile(&mut self, text: &Bytes) -> Result<(), Bytes> {
        let work = Work::Script { text: text.clone(), keys: Vec::new(), args: Vec::new() };
        let Some(machine) = self.machine() else { return Err(Bytes::from_static(b"user_script: no machine")) };
        let compiled = catch_unwind(AssertUnwindSafe(|| machine.at_rest(|machine| machine.prepare(&work))));
        compiled.unwrap_or_else(|_| {
            self.machine = None;
            Err(Bytes::from_static(b"user_script: the machine broke down"))
        })
    }

    fn run(&mut self, job: &Job, host: &mut dyn Host) -> Ran {
        let broken = Ran { outcome: Outcome::Broken, instructions: 0, random: job.random };
        let Some(machine) = self.machine() else { return broken };
        let ran = catch_unwind(AssertUnwindSafe(|| {
            machine.session.begin(job);
            let outcome = HOST.set(Lent(host), || machine.at_rest(|machine| machine.run(&job.work)));
            let session = &machine.session;
            Ran { outcome, instructions: session.instructions.get(), random: session.random.get() }
        }));
        let ran = ran.unwrap_or(broken);
        if matches!(ran.outcome, Outcome::BudgetSpent | Outcome::OutOfMemory | Outcome::Broken) {
            self.machine = None;
        }
        ran
    }
}

/// A virtual machine and what it shares with its native functions.
struct Machine {
    runtime: LuaRuntime,
    session: Rc<Session>,
    environment: Environment,
    /// The functions of texts that were compiled, by kind and text.
    compiled: FxHashMap<(Chunk, Bytes), ExternalRootKey>,
}

/// Which environment a text is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Chunk {
    Script,
    Library,
}

impl Chunk {
    /// What Redis calls it.
    const fn name(self) -> &'static [u8] {
        match self {
            Chunk::Script => b"@user_script",
            Chunk::Library => b"@user_function",
        }
    }
}

/// The global tables. They are reached from the machine's registry, so that they live as long as it.
#[derive(Clone, Copy)]
struct Environment {
    /// What a script sees as `_G`.
    script: LuaValue,
    /// The table behind it, where `KEYS` and `ARGV` are put.
    script_names: LuaValue,
    /// What a library sees.
    library: LuaValue,
    /// The guard's metatable of `library`, whose names are exchanged when the library has been loaded.
    library_guard: LuaValue,
    /// The names while it is being loaded.
    loading_names: LuaValue,
    /// The names for its functions afterwards.
    running_names: LuaValue,
    /// Gives errors their place.
    handler: LuaValue,
    /// The names `KEYS` and `ARGV`.
    keys: LuaValue,
    args: LuaValue,
}

impl Machine {
    fn new() -> Result<Machine, LuaError> {
        let mut runtime = LuaRuntime::with_hooks_versioned(HostHooks::default(), LuaVersion::V51)
            .map_err(omnilua::Error::into_lua_error)?;
        let session = Rc::new(Session::default());
        let state = runtime.state_mut();
        let _heap = lua_gc::HeapGuard::push(&state.global().heap);
        let environment = environment(state, &session)?;
        Ok(Machine { runtime, session, environment, compiled: FxHashMap::default() })
    }

    /// Has the machine gathered so much that a new one should take its place?
    fn is_worn(&self) -> bool {
        self.compiled.len() >= COMPILED_MAX || self.runtime.state().global().c_functions.len() > NATIVES_MAX
    }

    /// Does something with the machine and clears its stack. Whatever is called is called protected, so that an error
    /// leaves nothing behind but values on the stack.
    fn at_rest<R>(&mut self, act: impl FnOnce(&mut Machine) -> R) -> R {
        let state = self.runtime.state_mut();
        let _heap = lua_gc::HeapGuard::push(&state.global().heap);
        let at_rest = self.session.bytes_at_rest.get();
        if state.global().total_bytes() > at_rest + GARBAGE_BYTES_MAX || at_rest == 0 {
            state.gc().full_collect();
            self.session.bytes_at_rest.set(state.global().total_bytes());
        }
        let top = state.top_idx();
        let done = act(self);
        self.runtime.state_mut().set_top_idx(top);
        done
    }

    /// From the work to its outcome, within the limits of the session.
    fn run(&mut self, work: &Work) -> Outcome {
        if let Err(message) = self.prepare(work) {
            return Outcome::DoesNotCompile(message);
        }
        let (state, session) = (self.runtime.state_mut(), &self.session);
        let limits = session.limits.get();
        let memory = usize::try_from(limits.memory_bytes).unwrap_or(usize::MAX);
        state.install_sandbox_limits(CHECK_INTERVAL, Some(limits.instructions.max(1)), Some(memory));
        state.sandbox_reset();
        let outcome = carry_out(state, session, &self.environment, work);
        session.instructions.set(limits.instructions.saturating_sub(state.sandbox_instr_remaining()));
        let outcome = match state.sandbox_tripped_code() {
            lua_vm::state::SANDBOX_TRIP_INSTRUCTIONS => Outcome::BudgetSpent,
            lua_vm::state::SANDBOX_TRIP_MEMORY => Outcome::OutOfMemory,
            _ => outcome.unwrap_or_else(failure),
        };
        session.end(state);
        // What is left of it must not be charged to, and not stopped by, a run that is over.
        state.install_sandbox_limits(1 << 20, None, None);
        state.sandbox_reset();
        outcome
    }

    /// Puts the function of the work's text on the stack, compiled now or before.
    fn prepare(&mut self, work: &Work) -> Result<(), Bytes> {
        let (chunk, text, globals) = match work {
            Work::Script { text, .. } => (Chunk::Script, text, self.environment.script),
            Work::Load { text } | Work::Call { text, .. } => (Chunk::Library, text, self.environment.library),
        };
        let state = self.runtime.state_mut();
        let key = (chunk, text.clone());
        if let Some(&root) = self.compiled.get(&key)
            && let Some(function) = state.external_rooted_value(root)
        {
            state.push(function);
            return Ok(());
        }
        if text.len() > TEXT_BYTES_MAX {
            let name = chunk.name().get(1..).unwrap_or_default();
            return Err(Bytes::from([name, b":1: script is too long"].concat()));
        }
        let main = state.global().main_thread_id;
        state.v51_set_thread_lgt(main, globals);
        match library::compile(state, without_shebang(text), chunk.name()) {
            Ok(()) => {
                let root = state.external_root_value(native::value(state, -1));
                self.compiled.insert(key, root);
                Ok(())
            }
            Err(error) => Err(Bytes::from(native::message_of(error))),
        }
    }
}

/// Builds both environments and returns them.
fn environment(state: &mut LuaState, session: &Rc<Session>) -> Result<Environment, LuaError> {
    let main = state.global().main_thread_id;
    let original = state.v51_thread_lgt(main);
    let handler = native::function(state, handle);
    let base = api::get_top(state);

    // The names that scripts and functions of libraries share, put right and then guarded one by one.
    native::push_value(state, original)?;
    library::put_right(state, session)?;
    api::set_top(state, base)?;

    let script_redis = redis::table(state, session, redis::Scope::Script)?;
    let running_redis = redis::table(state, session, redis::Scope::Function)?;
    let loading_redis = redis::table(state, session, redis::Scope::Loading)?;
    let missing = native::function(state, guard::missing);

    let mut names = |redis: LuaValue, all: bool| -> Result<(LuaValue, LuaValue), LuaError> {
        native::push_table(state, 0, 48)?;
        if all {
            library::share(state, &original)?;
        }
        native::set_field(state, b"redis", redis)?;
        let real = native::value(state, -1);
        guard::guard(state, Some(missing))?;
        let guarded = native::value(state, -1);
        if all && let LuaValue::Table(real) = real {
            let name = LuaValue::Str(state.intern_str(b"_G")?);
            real.raw_set(name, guarded);
        }
        Ok((guarded, real))
    };
    let (script, script_names) = names(script_redis, true)?;
    let (library, running_names) = names(running_redis, true)?;
    let (_, loading_names) = names(loading_redis, false)?;
    if let LuaValue::Table(names) = script_names {
        names.raw_set(LuaValue::Str(state.intern_str(b"__redis__err__handler")?), handler);
    }
    let library_guard = match library {
        LuaValue::Table(table) => table.metatable().map_or(LuaValue::Nil, LuaValue::Table),
        _ => LuaValue::Nil,
    };
    let (keys, args) = (LuaValue::Str(state.intern_str(b"KEYS")?), LuaValue::Str(state.intern_str(b"ARGV")?));
    for kept in [script, script_names, library, library_guard, loading_names, running_names, original, keys, args] {
        // Never taken out again: they live as long as the machine.
        state.external_root_value(kept);
    }
    api::set_top(state, base)?;
    Ok(Environment { script, script_names, library, library_guard, loading_names, running_names, handler, keys, args })
}

/// Makes whatever was raised a table with the place where it was raised, as Redis' error handler does.
fn handle(state: &mut LuaState) -> Returns {
    let mut info = LuaDebug::default();
    let mut found = get_stack(state, 1, &mut info);
    if found {
        get_info(state, b"Sl", &mut info);
        if info.what == Some(b"C") {
            info = LuaDebug::default();
            found = get_stack(state, 2, &mut info);
            if found {
                get_info(state, b"Sl", &mut info);
                // A native function that was called from outside of Lua is in no place.
                found = info.what != Some(b"C");
            }
        }
    }
    native::room(state, 6)?;
    if !matches!(native::value(state, 1), LuaValue::Table(_)) {
        let mut message = b"ERR ".to_vec();
        let text = state.to_display_string(1)?;
        // The one error of an operator to which the machine gives no place.
        if text.starts_with(b"table index is N") || text.starts_with(b"table index is n") {
            message.extend_from_slice(&native::place(state, 1));
        }
        message.extend_from_slice(&text);
        api::set_top(state, 0)?;
        native::push_table(state, 0, 3)?;
        native::set_string(state, b"err", &message)?;
    } else {
        api::set_top(state, 1)?;
    }
    if found {
        let source = info.source.unwrap_or_default();
        native::set_string(state, b"source", &source)?;
        native::set_field(state, b"line", LuaValue::Float(f64::from(info.currentline)))?;
    }
    Ok(1)
}

/// The text without a first line that begins with `#!`. Its line end stays, so that lines are counted right.
fn without_shebang(text: &[u8]) -> &[u8] {
    if !text.starts_with(b"#!") {
        return text;
    }
    let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
    text.get(end..).unwrap_or_default()
}

/// Runs the function on top of the stack as the work wants it.
fn carry_out(
    state: &mut LuaState,
    session: &Session,
    environment: &Environment,
    work: &Work,
) -> Result<Outcome, LuaError> {
    let main = state.global().main_thread_id;
    let function = native::value(state, -1);
    match work {
        Work::Script { keys, args, .. } => {
            state.v51_set_thread_lgt(main, environment.script);
            if let LuaValue::Table(names) = environment.script_names {
                native::push_value(state, LuaValue::Table(names))?;
                for (name, list) in [(environment.keys, keys), (environment.args, args)] {
                    native::push_value(state, name)?;
                    push_list(state, list)?;
                    api::raw_set(state, -3)?;
                }
                api::set_top(state, -2)?;
            }
            call(state, environment, function, &[])?;
            Ok(Outcome::Reply(convert::reply_of(state, session.protocol.get())?))
        }
        Work::Load { .. } => {
            load(state, session, environment, function)?;
            let registered = session.registered.borrow();
            let functions = registered.iter().map(|registration| registration.function.clone()).collect();
            Ok(Outcome::Loaded(functions))
        }
        Work::Call { function: name, keys, args, .. } => {
            load(state, session, environment, function)?;
            let callback = session
                .registered
                .borrow()
                .iter()
                .find_map(|Registration { function, callback, .. }| (function.name == name).then_some(*callback));
            let Some(callback) = callback else { return Ok(Outcome::NoSuchFunction) };
            api::set_top(state, 1)?;
            native::push_value(state, callback)?;
            push_list(state, keys)?;
            push_list(state, args)?;
            let lists = [native::value(state, -2), native::value(state, -1)];
            call(state, environment, callback, &lists)?;
            Ok(Outcome::Reply(convert::reply_of(state, session.protocol.get())?))
        }
    }
}

/// Runs a library for its registrations. Its functions stay on the stack of this call.
fn load(
    state: &mut LuaState,
    session: &Session,
    environment: &Environment,
    function: LuaValue,
) -> Result<(), LuaError> {
    let main = state.global().main_thread_id;
    state.v51_set_thread_lgt(main, environment.library);
    exchange_names(state, environment, environment.loading_names)?;
    session.loading.set(true);
    let called = call(state, environment, function, &[]);
    session.loading.set(false);
    exchange_names(state, environment, environment.running_names)?;
    called
}

/// Makes these the names that a library sees.
fn exchange_names(state: &mut LuaState, environment: &Environment, names: LuaValue) -> Result<(), LuaError> {
    native::push_value(state, environment.library_guard)?;
    native::set_field(state, b"__index", names)?;
    native::set_field(state, guard::BEHIND, names)?;
    api::set_top(state, -2)
}

/// Calls a function with these arguments; its first result is on top of the stack then.
fn call(
    state: &mut LuaState,
    environment: &Environment,
    function: LuaValue,
    args: &[LuaValue],
) -> Result<(), LuaError> {
    native::push_value(state, environment.handler)?;
    let handler = api::get_top(state);
    native::push_value(state, function)?;
    for &arg in args {
        native::push_value(state, arg)?;
    }
    let status = api::pcall_k(state, i32::try_from(args.len()).unwrap_or(0), 1, handler, 0, None)?;
    debug_assert_eq!(status, LuaStatus::Ok);
    Ok(())
}

/// A table of strings.
fn push_list(state: &mut LuaState, list: &[Bytes]) -> Result<(), LuaError> {
    native::push_table(state, list.len(), 0)?;
    for (number, item) in list.iter().enumerate() {
        native::push(state, item)?;
        api::raw_set_i(state, -2, number as i64 + 1)?;
    }
    Ok(())
}

/// What was raised, as the error of the run.
fn failure(error: LuaError) -> Outcome {
    let LuaError::Runtime(LuaValue::Table(table)) = error else {
        let message = [b"ERR ", native::message_of(error).as_slice()].concat();
        return Outcome::Failed(Failure { message: message.into(), place: None, counted: false });
    };
    let text = |name: &[u8]| match native::field(&table, name) {
        LuaValue::Str(text) => Some(text.as_bytes().to_vec()),
        LuaValue::Float(number) => Some(library::number_text(number)),
        _ => None,
    };
    let place = match (text(b"source"), native::as_number(&native::field(&table, b"line"))) {
        (Some(source), Some(line)) => Some(Place { source: source.into(), line: line as i64 }),
        _ => None,
    };
    // Redis 7.0.15 itself breaks down over an error table without a text.
    let message = text(b"err").unwrap_or_else(|| b"ERR unknown error".to_vec());
    let counted = matches!(native::field(&table, b"ignore_error_stats_update"), LuaValue::Bool(true));
    Outcome::Failed(Failure { message: convert::one_line(&message).into(), place, counted })
}
