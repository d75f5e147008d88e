//! Running a script or a function: what is checked before, and what its end becomes.
use std::rc::Rc;

use bytes::Bytes;
use resp::Value;

use ::script::{Engine, Job, Limits, Outcome, Work};

use super::{
    Script, ScriptFlags,
    busy::Busy,
    host::{Errors, RunningScript, count_errors},
    library::{Function, Library},
    sha_of,
};
use crate::{Answer, Error, Server, client::ClientId};

/// What stands before a compiler's words when a script does not compile.
const CANNOT_COMPILE_PREFIX: &str = "ERR Error compiling script (new function): ";

/// Something to run for a client.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The script's SHA-1 or the function's name, as errors tell it.
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

    /// Does its text begin with a line of flags, behind which the code stands?
    pub fn has_first_line(&self) -> bool {
        let (Work::Script { text, .. } | Work::Load { text } | Work::Call { text, .. }) = &self.job.work;
        text.starts_with(b"#!")
    }

    /// Must its commands not write?
    const fn is_read_only(&self) -> bool {
        self.is_called_to_read
            || self.flags.contains(ScriptFlags::NO_WRITES) && !self.flags.contains(ScriptFlags::COMPATIBLE)
    }
}

impl Server {
    /// A script's text into the cache, unless it is there.
    ///
    /// # Errors
    /// When its first line is none that Redis takes, it does not compile, or the cache is full.
    pub(crate) fn cache_script(&mut self, text: &Bytes) -> Result<Rc<Script>, Error> {
        if let Some(script) = self.scripts.cached_text(text) {
            return Ok(Rc::clone(script));
        }
        let flags = ScriptFlags::of_script(text)?;
        with_machine(|machine| machine.compile(text))?
            .map_err(|why| Error::Message(format!("{CANNOT_COMPILE_PREFIX}{}", String::from_utf8_lossy(&why))))?;
        self.scripts_mut().cache(Script { sha: sha_of(text), text: text.clone(), flags })
    }

    /// Runs a script for a client, to its end or for ever.
    ///
    /// # Errors
    /// When it may not begin. Errors that it raises are answers, counted already.
    pub(crate) fn run_script(&mut self, client: ClientId, argv: &[Bytes], mut task: Task) -> Result<Answer, Error> {
        self.may_begin(&task)?;
        let before = self.clients.get(&client).map(|client| (client.db, client.protocol));
        let was_atomic = std::mem::replace(&mut self.is_atomic, true);
        self.is_in_script = true;
        task.job.random = self.script_random;
        let mut host = RunningScript::new(self, client, task.is_read_only(), task.flags);
        let ran = with_machine(|machine| machine.run(&task.job, &mut host));
        let end = host.end();
        self.is_atomic = was_atomic;
        self.is_in_script = false;
        // What a script selects and the protocol that it speaks are its own.
        if let (Some((db, protocol)), Some(client)) = (before, self.clients.get_mut(&client)) {
            (client.db, client.protocol) = (db, protocol);
        }
        let ran = ran?;
        self.script_random = ran.random;
        let outcome = match ran.outcome {
            Outcome::Failed(failure) if end.is_exhausted => Outcome::BudgetSpent(failure.place),
            outcome @ Outcome::BudgetSpent(_) => outcome,
            _ if end.is_exhausted => Outcome::BudgetSpent(None),
            outcome => outcome,
        };
        Ok(match outcome {
            Outcome::BudgetSpent(place) => {
                self.become_busy(Busy::new(client, self.now_ms, argv, &task, place, end.has_written));
                Answer::Block(super::busy::wait())
            }
            outcome => self.answer_of(outcome, &task, &end.told),
        })
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

    /// What a script's end is to the client. `told`: errors that commands answered to it, which are counted.
    fn answer_of(&mut self, outcome: Outcome, task: &Task, told: &Errors) -> Answer {
        match outcome {
            Outcome::Reply(value) => {
                count_errors(self, &value, told);
                Answer::Counted(value)
            }
            Outcome::Failed(failure) => {
                let value = Value::Error(failure.line(&task.name));
                if !failure.counted && !told.contains(&failure.message) {
                    self.count_if_error(&value);
                }
                Answer::Counted(value)
            }
            Outcome::DoesNotCompile(why) => {
                let text = String::from_utf8_lossy(&why);
                Value::error(format!("{CANNOT_COMPILE_PREFIX}{text}")).into()
            }
            Outcome::OutOfMemory => {
                let name = String::from_utf8_lossy(&task.name);
                Value::error(format!("ERR not enough memory script: {name}")).into()
            }
            Outcome::NoSuchFunction => Value::error("ERR Function not found").into(),
            Outcome::Broken => {
                Value::error("ERR the machine that runs scripts broke down at this one; a new one is in its place")
                    .into()
            }
            // Neither is an end of a script or of a function.
            Outcome::Loaded(_) | Outcome::BudgetSpent(_) => Value::Null.into(),
        }
    }

    /// Loads a library for the functions that it registers. It can call no command meanwhile.
    ///
    /// # Errors
    /// What Redis says of a library that cannot be loaded.
    pub(crate) fn functions_of(&mut self, text: &Bytes) -> Result<Vec<Function>, Error> {
        let job = Job { work: Work::Load { text: text.clone() }, limits: Limits::USUAL, random: self.script_random };
        let mut host = RunningScript::new(self, 0, true, ScriptFlags::empty());
        let ran = with_machine(|machine| machine.run(&job, &mut host))?;
        self.script_random = ran.random;
        let outcome = ran.outcome;
        let why = match outcome {
            Outcome::Loaded(functions) if functions.is_empty() => {
                return Err(Error::Text("ERR No functions registered"));
            }
            Outcome::Loaded(functions) => return Ok(functions.into_iter().map(Into::into).collect()),
            Outcome::DoesNotCompile(why) => {
                let why = String::from_utf8_lossy(&why);
                return Err(Error::Message(format!("ERR Error compiling function: {why}")));
            }
            Outcome::Failed(failure) => String::from_utf8_lossy(&failure.message).into_owned(),
            // Redis gives a library half a second.
            Outcome::BudgetSpent(_) => "ERR FUNCTION LOAD timeout".to_owned(),
            Outcome::OutOfMemory => "ERR not enough memory".to_owned(),
            Outcome::Broken => "ERR the machine that runs scripts broke down".to_owned(),
            Outcome::Reply(_) | Outcome::NoSuchFunction => "ERR the library ended like a script".to_owned(),
        };
        Err(Error::Message(format!("ERR Error registering functions: {why}")))
    }
}

/// Work within the usual bounds; the state of `math.random` is the server's when it begins.
const fn job(work: Work) -> Job {
    Job { work, limits: Limits::USUAL, random: ::script::RANDOM_AT_START }
}

/// Lets the machine of this thread do something.
fn with_machine<R>(act: impl FnOnce(&mut dyn Engine) -> R) -> Result<R, Error> {
    ::script::with(|machine| machine.map(act)).ok_or(Error::NoMachine)
}

impl Task {
    /// A script of the cache.
    pub fn script(script: &Script, keys: &[Bytes], args: &[Bytes], is_called_to_read: bool) -> Task {
        let work = Work::Script { text: script.text.clone(), keys: keys.to_vec(), args: args.to_vec() };
        Task { name: script.sha.clone(), job: job(work), flags: script.flags, is_called_to_read }
    }

    /// A function of a library.
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
