//! Running a script or a function: the checks before, and the reply at its end.
use std::rc::Rc;

use bytes::Bytes;
use resp::{Protocol, Value};

use ::script::{Engine, Job, Limits, Progress, Ran, ScriptOutcome, SourceLocation, Work};

use super::{
    Script, ScriptFlags,
    busy::{Busy, Called, Paused},
    host::{Errors, RunningScript, State, count_errors},
    library::{Function, Library},
    rehearsal::{self, Turn},
    sha_of,
    time::ScriptTime,
};
use crate::{
    Answer, Error, Server,
    client::ClientId,
    server::{Change, Output},
};

/// The meaning of the end of a run.
pub(super) enum End {
    /// The script never ends; with its position when that became clear.
    Never(Option<SourceLocation>),
    /// The reply to its caller, its errors already counted, and the instructions used, including those charged for commands.
    Answer(Value, u64),
}

/// Prefix of the compiler's message when a script does not compile.
const CANNOT_COMPILE_PREFIX: &str = "ERR Error compiling script (new function): ";

/// A script or function to run for a client.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The script's SHA-1 or the function's name, as error messages show it.
    pub name: Bytes,
    pub job: Job,
    pub flags: ScriptFlags,
    /// Was it called by a command that only reads (`EVAL_RO`, `FCALL_RO` …)?
    pub is_called_to_read: bool,
}

impl Task {
    /// Is it a function of a library?
    pub const fn is_function(&self) -> bool {
        matches!(self.job.work, Work::Call { .. })
    }

    /// Does its text begin with a line of flags, before the code?
    pub fn has_first_line(&self) -> bool {
        let (Work::Script { text, .. } | Work::Load { text } | Work::Call { text, .. }) = &self.job.work;
        text.starts_with(b"#!")
    }

    /// Are commands that write forbidden?
    const fn is_read_only(&self) -> bool {
        self.is_called_to_read
            || self.flags.contains(ScriptFlags::NO_WRITES) && !self.flags.contains(ScriptFlags::COMPATIBLE)
    }
}

impl Server {
    /// Caches a script's text, unless it is cached already.
    ///
    /// # Errors
    /// Redis refuses its first line, it does not compile, or the cache is full.
    pub(crate) fn cache_script(&mut self, text: &Bytes) -> Result<Rc<Script>, Error> {
        if let Some(script) = self.scripts.cached_text(text) {
            return Ok(Rc::clone(script));
        }
        let flags = ScriptFlags::of_script(text)?;
        self.engine
            .with(|machine| machine.compile(text))?
            .map_err(|why| Error::Message(format!("{CANNOT_COMPILE_PREFIX}{}", String::from_utf8_lossy(&why))))?;
        self.scripts_mut().cache(Script { sha: sha_of(text), text: text.clone(), flags })
    }

    /// Runs a script for a client until it ends, until the VM pauses it, or until it is known never to end.
    ///
    /// # Errors
    /// The script may not begin. Errors that it raises are replies, counted already.
    pub(crate) fn run_script(&mut self, client: ClientId, argv: &[Bytes], mut task: Task) -> Result<Answer, Error> {
        self.may_begin(&task)?;
        if !self.engine.is_installed() {
            return Err(Error::NoMachine);
        }
        let time = self.config.script_time;
        (task.job.random, task.job.limits) = (self.script_random, time.limits());
        let before = time.is_virtual().then(|| self.before_script());
        let marks = (self.outputs.len(), self.changed.len());
        let mut spoken = self.clients.get(&client).map_or((0, Protocol::Resp2), |client| (client.db, client.protocol));
        let state = State::new(task.is_read_only(), task.flags, time.work_max());
        let turn =
            if time.is_virtual() { rehearsal::turn(&self.engine, client, self.now_ms, argv) } else { Turn::Alone };
        let may_pause = time == ScriptTime::Real || matches!(turn, Turn::Begin);
        let (progress, state) = match turn {
            Turn::Void => return Ok(Answer::Counted(Value::Null)),
            Turn::Known(known) => {
                self.adopt(known.after.clone());
                (Progress::Ended(known.ran.clone()), known.state.clone())
            }
            Turn::Alone | Turn::Begin => self.run_slice(client, state, &mut spoken, |machine, host| {
                if may_pause { machine.begin(&task.job, host) } else { Progress::Ended(machine.run(&task.job, host)) }
            }),
        };
        let ran = match (progress, &before) {
            (Progress::Ended(ran), _) => ran,
            (Progress::Paused, Some(before)) => {
                rehearsal::pause(self, client, argv, before.clone(), marks, state, spoken);
                return Ok(Answer::Counted(Value::Null));
            }
            (Progress::Paused, None) => {
                let (outputs, changed) = self.split_off(marks);
                let paused = Paused { state, spoken, outputs, changed };
                self.become_busy(Busy::paused(self.called(client, argv, &task), paused));
                return Ok(Answer::Block(super::busy::wait(None)));
            }
        };
        match self.end_of_run(ran, &state, &task.name) {
            End::Never(place) => {
                self.become_busy(Busy::endless(self.called(client, argv, &task), state.has_written, place));
                Ok(Answer::Block(super::busy::wait(None)))
            }
            End::Answer(value, instructions) => {
                let ms = time.ms_of(instructions);
                let Some(before) = before.filter(|_| ms > 0) else { return Ok(Answer::Counted(value)) };
                let outputs = self.split_off(marks);
                let ends = self.ends(self.now_ms, ms, &state, before, outputs, value);
                let wait = super::busy::wait(Some(ends.at_ms));
                self.become_busy(Busy::ends(self.called(client, argv, &task), ends));
                Ok(Answer::Block(wait))
            }
        }
    }

    fn called(&self, client: ClientId, argv: &[Bytes], task: &Task) -> Called {
        Called {
            client,
            since_ms: self.now_ms,
            argv: argv.to_vec(),
            name: task.name.clone(),
            is_function: task.is_function(),
            has_first_line: task.has_first_line(),
        }
    }

    /// Splits off the outputs and changes from these indices on.
    pub(super) fn split_off(&mut self, (outputs, changed): (usize, usize)) -> (Vec<Output>, Vec<Change>) {
        let (outputs, changed) = (outputs.min(self.outputs.len()), changed.min(self.changed.len()));
        (self.outputs.split_off(outputs), self.changed.split_off(changed))
    }

    /// Lets the VM run on this server for a client. `spoken`: database and protocol version that the script has selected, separate from
    /// those of the client.
    pub(super) fn run_slice(
        &mut self,
        client: ClientId,
        state: State,
        spoken: &mut (usize, Protocol),
        act: impl FnOnce(&mut dyn Engine, &mut RunningScript<'_>) -> Progress,
    ) -> (Progress, State) {
        self.exchange_spoken(client, spoken);
        let was_atomic = std::mem::replace(&mut self.is_atomic, true);
        self.is_in_script = true;
        let random = self.script_random;
        let engine = self.engine.clone();
        let mut host = RunningScript::new(self, client, state);
        let progress = engine.with(|machine| act(machine, &mut host));
        let state = host.end();
        self.is_atomic = was_atomic;
        self.is_in_script = false;
        self.exchange_spoken(client, spoken);
        (progress.unwrap_or(Progress::Ended(Ran::broken(random))), state)
    }

    fn exchange_spoken(&mut self, client: ClientId, (db, protocol): &mut (usize, Protocol)) {
        if let Some(client) = self.clients.get_mut(&client) {
            std::mem::swap(&mut client.db, db);
            std::mem::swap(&mut client.protocol, protocol);
        }
    }

    /// Interprets the end of a run. `name`: of the script or function.
    pub(super) fn end_of_run(&mut self, ran: Ran, state: &State, name: &Bytes) -> End {
        self.script_random = ran.random;
        let outcome = match ran.outcome {
            ScriptOutcome::Failed(failure) if state.is_exhausted() => return End::Never(failure.place),
            ScriptOutcome::BudgetSpent(place) => return End::Never(place),
            _ if state.is_exhausted() => return End::Never(None),
            outcome => outcome,
        };
        let value = match self.answer_of(outcome, name, &state.reported) {
            Answer::Counted(value) => value,
            Answer::Reply(value) => {
                self.count_if_error(&value);
                value
            }
            Answer::Nothing | Answer::Block(_) => Value::Null,
        };
        End::Answer(value, ran.instructions.saturating_add(state.work_done))
    }

    /// May a script with these flags begin now?
    fn may_begin(&self, task: &Task) -> Result<(), Error> {
        if task.flags.contains(ScriptFlags::COMPATIBLE) || task.flags.contains(ScriptFlags::NO_WRITES) {
            return Ok(());
        }
        if task.is_called_to_read {
            return Err(Error::Text("ERR Can not execute a script with write flag using *_ro command."));
        }
        let is_full = self.config.maxmemory > 0 && self.was_full;
        if is_full && !task.flags.contains(ScriptFlags::ALLOW_OOM) {
            return Err(Error::Text(
                "OOM allow-oom flag is not set on the script, can not run it when used memory > 'maxmemory'",
            ));
        }
        Ok(())
    }

    /// The reply for a script's end. `reported`: errors that commands replied to it, already counted.
    fn answer_of(&mut self, outcome: ScriptOutcome, name: &Bytes, reported: &Errors) -> Answer {
        match outcome {
            ScriptOutcome::Reply(value) => {
                count_errors(self, &value, reported);
                Answer::Counted(value)
            }
            ScriptOutcome::Failed(failure) => {
                let value = Value::Error(failure.line(name));
                if !failure.counted && !reported.contains(&failure.message) {
                    self.count_if_error(&value);
                }
                Answer::Counted(value)
            }
            ScriptOutcome::DoesNotCompile(why) => {
                let text = String::from_utf8_lossy(&why);
                Value::error(format!("{CANNOT_COMPILE_PREFIX}{text}")).into()
            }
            ScriptOutcome::OutOfMemory => {
                let name = String::from_utf8_lossy(name);
                Value::error(format!("ERR not enough memory script: {name}")).into()
            }
            ScriptOutcome::NoSuchFunction => Value::error("ERR Function not found").into(),
            ScriptOutcome::Broken => {
                Value::error("ERR the machine that runs scripts broke down at this one; a new one is in its place")
                    .into()
            }
            // Neither can be the end of a script or of a function.
            ScriptOutcome::Loaded(_) | ScriptOutcome::BudgetSpent(_) => Value::Null.into(),
        }
    }

    /// Loads a library to find the functions that it registers. It cannot call commands meanwhile.
    ///
    /// # Errors
    /// Redis' error for a library that cannot be loaded.
    pub(crate) fn functions_of(&mut self, text: &Bytes) -> Result<Vec<Function>, Error> {
        let job = Job { work: Work::Load { text: text.clone() }, limits: Limits::USUAL, random: self.script_random };
        let state = State::new(true, ScriptFlags::empty(), u64::MAX);
        let engine = self.engine.clone();
        let mut host = RunningScript::new(self, 0, state);
        let ran = engine.with(|machine| machine.run(&job, &mut host))?;
        self.script_random = ran.random;
        let outcome = ran.outcome;
        let why = match outcome {
            ScriptOutcome::Loaded(functions) if functions.is_empty() => {
                return Err(Error::Text("ERR No functions registered"));
            }
            ScriptOutcome::Loaded(functions) => return Ok(functions.into_iter().map(Into::into).collect()),
            ScriptOutcome::DoesNotCompile(why) => {
                let why = String::from_utf8_lossy(&why);
                return Err(Error::Message(format!("ERR Error compiling function: {why}")));
            }
            ScriptOutcome::Failed(failure) => String::from_utf8_lossy(&failure.message).into_owned(),
            // Redis stops loading a library after half a second.
            ScriptOutcome::BudgetSpent(_) => "ERR FUNCTION LOAD timeout".to_owned(),
            ScriptOutcome::OutOfMemory => "ERR not enough memory".to_owned(),
            ScriptOutcome::Broken => "ERR the machine that runs scripts broke down".to_owned(),
            ScriptOutcome::Reply(_) | ScriptOutcome::NoSuchFunction => "ERR the library ended like a script".to_owned(),
        };
        Err(Error::Message(format!("ERR Error registering functions: {why}")))
    }
}

/// A job with default limits; its `math.random` state is set from the server when it begins.
const fn job(work: Work) -> Job {
    Job { work, limits: Limits::USUAL, random: ::script::RANDOM_AT_START }
}

impl Task {
    /// A task for a cached script.
    pub fn script(script: &Script, keys: &[Bytes], args: &[Bytes], is_called_to_read: bool) -> Task {
        let work = Work::Script { text: script.text.clone(), keys: keys.to_vec(), args: args.to_vec() };
        Task { name: script.sha.clone(), job: job(work), flags: script.flags, is_called_to_read }
    }

    /// A task for a function of a library.
    pub fn function(
        library: &Library,
        function: &Function,
        keys: &[Bytes],
        args: &[Bytes],
        is_called_to_read: bool,
    ) -> Task {
        let work = Work::Call {
            text: library.text.clone(),
            function: function.name.clone(),
            keys: keys.to_vec(),
            args: args.to_vec(),
        };
        Task { name: function.name.clone(), job: job(work), flags: function.flags, is_called_to_read }
    }
}
