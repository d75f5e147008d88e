//! One reusable virtual machine and its cache of compiled texts.
mod environment;
mod failure;
mod loaded;
mod run;
mod text;

use crate::redis::{HOST, Lent, Session};
#[cfg(not(target_family = "wasm"))]
use crate::slices::{self, Running, Slice};
use crate::{bounds, library, native};
use bytes::Bytes;
use environment::{ARGV, Environment, KEYS};
use lua_types::LuaError;
use lua_vm::state::{SANDBOX_TRIP_INSTRUCTIONS, SANDBOX_TRIP_MEMORY};
use omnilua::{HostHooks, LuaRuntime, LuaVersion};
use rustc_hash::FxHashMap;
use script::{Engine, Host, Job, Ran, ScriptOutcome, Work};
#[cfg(not(target_family = "wasm"))]
use script::{Progress, SourceLocation};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use text::Text;

/// A text longer than this is not compiled: the compiler is not charged to the budget.
const TEXT_BYTES_MAX: usize = 1 << 20;

/// Compiled texts in the cache. When there are more, the machine is created again.
const COMPILED_MAX: usize = 256;

/// Native functions per machine. The VM never frees those of `gmatch` and `coroutine.wrap`; when there are more, the machine is
/// created again.
const NATIVES_MAX: usize = 100_000;

/// Garbage from earlier runs, in bytes, above which the heap is collected before the next run.
const GARBAGE_BYTES_MAX: usize = 256 << 10;

/// Lua 5.1 with Redis' environment. Created at the first job, reused from job to job, and created again after a run that
/// reached a bound.
#[derive(Default)]
pub struct LuaMachine {
    machine: Option<Box<Machine>>,
    /// Instructions after which a job is paused; `None`: never.
    slice: Option<u64>,
    #[cfg(not(target_family = "wasm"))]
    paused: Option<Running>,
    /// The stack of the last job that ran on its own stack, for reuse.
    #[cfg(not(target_family = "wasm"))]
    stack: Option<corosensei::stack::DefaultStack>,
}

impl LuaMachine {
    /// A machine that is created at its first job.
    pub fn new() -> LuaMachine {
        LuaMachine::default()
    }

    /// A machine that pauses its jobs after every `instructions` instructions; commands count as instructions too. A short
    /// text without loops runs to its end without a pause. In WebAssembly the machine never pauses itself: it only asks its host regularly,
    /// and the caller of the module may suspend it there.
    pub fn in_slices(instructions: u64) -> LuaMachine {
        let mut machine = LuaMachine::default();
        machine.slice = Some(instructions);
        machine
    }

    fn machine(&mut self) -> Option<&mut Machine> {
        if self.machine.as_ref().is_some_and(|machine| machine.is_exhausted()) {
            self.machine = None;
        }
        if self.machine.is_none() {
            let is_sliced = self.slice.is_some();
            self.machine = catch_unwind(|| Machine::new(is_sliced)).ok().and_then(Result::ok).map(Box::new);
        }
        self.machine.as_deref_mut()
    }

    /// Discards the machine after a run that reached a bound.
    fn keep_unless_spent(&mut self, machine: Option<Box<Machine>>, ran: &Ran) {
        let is_spent =
            matches!(ran.outcome, ScriptOutcome::BudgetSpent(_) | ScriptOutcome::OutOfMemory | ScriptOutcome::Broken);
        self.machine = machine.filter(|_| !is_spent);
    }

    #[cfg(not(target_family = "wasm"))]
    fn slice(&mut self, running: Running, host: &mut dyn Host, slice: u64) -> Progress {
        let done = running.run(host, slice, script::RANDOM_AT_START);
        let progress = slices::progress(&done);
        match done {
            Slice::Paused(running) => self.paused = Some(running),
            Slice::Ended(machine, ran, stack) => {
                self.keep_unless_spent(machine, &ran);
                self.stack = stack;
            }
        }
        progress
    }
}

impl Engine for LuaMachine {
    fn compile(&mut self, text: &Bytes) -> Result<(), Bytes> {
        let work = Work::Script { text: text.clone(), keys: Vec::new(), args: Vec::new() };
        let Some(machine) = self.machine() else { return Err(Bytes::from_static(b"user_script: no machine")) };
        let compiled = catch_unwind(AssertUnwindSafe(|| machine.at_rest(|machine| machine.prepare(&work).map(drop))));
        compiled.unwrap_or_else(|_| {
            self.machine = None;
            Err(Bytes::from_static(b"user_script: the machine broke down"))
        })
    }

    fn run(&mut self, job: &Job, host: &mut dyn Host) -> Ran {
        let Some(machine) = self.machine() else { return Ran::broken(job.random) };
        let ran = catch_unwind(AssertUnwindSafe(|| HOST.set(Lent(host), || machine.carry_out(job))));
        let ran = ran.unwrap_or(Ran::broken(job.random));
        let machine = self.machine.take();
        self.keep_unless_spent(machine, &ran);
        ran
    }

    #[cfg(not(target_family = "wasm"))]
    fn begin(&mut self, job: &Job, host: &mut dyn Host) -> Progress {
        self.stop();
        let Some(slice) = self.slice else { return Progress::Ended(self.run(job, host)) };
        let is_brief = self.machine().is_none_or(|machine| machine.is_brief(&job.work));
        if is_brief {
            return Progress::Ended(self.run(job, host));
        }
        match (self.stack.take().or_else(slices::stack), self.machine.take()) {
            (Some(stack), Some(machine)) => self.slice(Running::new(stack, machine, job.clone()), host, slice),
            _ => Progress::Ended(Ran::broken(job.random)),
        }
    }

    #[cfg(not(target_family = "wasm"))]
    fn go_on(&mut self, host: &mut dyn Host) -> Progress {
        match (self.paused.take(), self.slice) {
            (Some(running), Some(slice)) => self.slice(running, host, slice),
            _ => Progress::Ended(Ran::broken(script::RANDOM_AT_START)),
        }
    }

    #[cfg(not(target_family = "wasm"))]
    fn stop(&mut self) -> Option<SourceLocation> {
        let running = self.paused.take()?;
        match self.slice(running, &mut script::Deaf, u64::MAX) {
            Progress::Ended(Ran { outcome: ScriptOutcome::BudgetSpent(place), .. }) => place,
            _ => None,
        }
    }
}

#[cfg(not(target_family = "wasm"))]
impl Drop for LuaMachine {
    /// Leaks the stack of a job that is still paused: unwinding it needs thread-local data, and the thread may be ending.
    fn drop(&mut self) {
        std::mem::forget(self.paused.take());
    }
}

/// A virtual machine and the state that it shares with its native functions.
pub struct Machine {
    runtime: LuaRuntime,
    session: Rc<Session>,
    environment: Environment,
    /// Cache of compiled scripts, by text.
    scripts: FxHashMap<Bytes, Rc<Text>>,
    /// Cache of compiled libraries, by text.
    libraries: FxHashMap<Bytes, Rc<Text>>,
}

impl Machine {
    fn new(is_sliced: bool) -> Result<Machine, LuaError> {
        let mut runtime = LuaRuntime::with_hooks_versioned(HostHooks::default(), LuaVersion::V51)
            .map_err(omnilua::Error::into_lua_error)?;
        let session = Rc::new(Session::default());
        let state = runtime.state_mut();
        let _heap = lua_gc::HeapGuard::push(&state.global().heap);
        session.is_sliced.set(is_sliced);
        bounds::attend(state, &session);
        let environment = Environment::new(state, &session)?;
        Ok(Machine { runtime, session, environment, scripts: FxHashMap::default(), libraries: FxHashMap::default() })
    }

    /// Whether the machine has accumulated so much that it should be replaced by a new one.
    fn is_exhausted(&self) -> bool {
        self.scripts.len() + self.libraries.len() >= COMPILED_MAX
            || self.runtime.state().global().c_functions.len() > NATIVES_MAX
    }

    /// Runs a closure on the machine and clears the stack afterwards. All calls are protected calls, so after an error only
    /// the stack needs clearing.
    fn at_rest<R>(&mut self, act: impl FnOnce(&mut Machine) -> R) -> R {
        let state = self.runtime.state_mut();
        let _heap = lua_gc::HeapGuard::push(&state.global().heap);
        let at_rest = self.session.bytes_at_rest.get();
        if state.global().total_bytes() > at_rest + GARBAGE_BYTES_MAX || at_rest == 0 {
            self.rest();
        }
        let top = self.runtime.state().top_idx();
        let done = act(self);
        self.runtime.state_mut().set_top_idx(top);
        done
    }

    /// Collects garbage between two runs.
    fn rest(&mut self) {
        let state = self.runtime.state_mut();
        // The arguments of the last run are garbage too.
        let _ = self.environment.set_lists(state, &[], &[]);
        state.gc().full_collect();
        self.session.bytes_at_rest.set(state.global().total_bytes());
    }

    /// Whether the work is certain to end soon.
    #[cfg(not(target_family = "wasm"))]
    fn is_brief(&mut self, work: &Work) -> bool {
        let Ok(text) = self.at_rest(|machine| machine.prepare(work)) else { return true };
        match work {
            Work::Call { function, .. } => {
                text.kept.get().and_then(|kept| kept.function(function)).is_some_and(|known| known.straight.is_some())
            }
            Work::Script { .. } | Work::Load { .. } => text.straight.is_some(),
        }
    }

    /// Runs a job with the host that is currently set.
    pub fn carry_out(&mut self, job: &Job) -> Ran {
        self.session.begin(job);
        let outcome = self.at_rest(|machine| machine.run(&job.work));
        Ran { outcome, instructions: self.session.instructions.get(), random: self.session.random.get() }
    }

    /// Runs the work within the limits of the session.
    fn run(&mut self, work: &Work) -> ScriptOutcome {
        let text = match self.prepare(work) {
            Ok(text) => text,
            Err(message) => return ScriptOutcome::DoesNotCompile(message),
        };
        let (state, session) = (self.runtime.state_mut(), &self.session);
        let outcome = run::carry_out(state, session, &mut self.environment, work, &text);
        session.instructions.set(session.limits.get().instructions.saturating_sub(state.sandbox_instr_remaining()));
        let outcome = match state.sandbox_tripped_code() {
            SANDBOX_TRIP_INSTRUCTIONS => {
                ScriptOutcome::BudgetSpent(outcome.err().and_then(|error| failure::of(error).place))
            }
            SANDBOX_TRIP_MEMORY => ScriptOutcome::OutOfMemory,
            _ => outcome.unwrap_or_else(|error| ScriptOutcome::Failed(failure::of(error))),
        };
        session.end(state);
        bounds::end(state);
        outcome
    }

    /// The work's compiled text, from the cache if possible.
    fn prepare(&mut self, work: &Work) -> Result<Rc<Text>, Bytes> {
        let (compiled, text, name, globals, unguarded) = match work {
            Work::Script { text, .. } => {
                let unguarded = Some(self.environment.unguarded);
                (&mut self.scripts, text, b"@user_script".as_slice(), self.environment.script, unguarded)
            }
            Work::Load { text } | Work::Call { text, .. } => {
                (&mut self.libraries, text, b"@user_function".as_slice(), self.environment.library, None)
            }
        };
        if let Some(known) = compiled.get(text.as_ref()) {
            return Ok(Rc::clone(known));
        }
        if text.len() > TEXT_BYTES_MAX {
            let name = name.get(1..).unwrap_or_default();
            return Err(Bytes::from([name, b":1: script is too long"].concat()));
        }
        let state = self.runtime.state_mut();
        let main = state.global().main_thread_id;
        state.v51_set_thread_lgt(main, globals);
        library::compile(state, without_shebang(text), name).map_err(|error| Bytes::from(native::message_of(error)))?;
        let new = Rc::new(Text::new(state, globals, unguarded));
        compiled.insert(text.clone(), Rc::clone(&new));
        // Memory of the cache does not count for the run, so it is measured before the run begins.
        self.rest();
        Ok(new)
    }
}

/// The text without a first line that begins with `#!`. Its newline stays, so line numbers remain correct.
fn without_shebang(text: &[u8]) -> &[u8] {
    if !text.starts_with(b"#!") {
        return text;
    }
    let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
    text.get(end..).unwrap_or_default()
}
