//! The job of a machine, the requests that it may make to its host, and the outcome.
use crate::codec::foreign;
use bytes::Bytes;
use resp::{Protocol, Value};
use serde::{Deserialize, Serialize};

/// Work to run, and its limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The work.
    pub work: Work,
    /// The limits of the run.
    pub limits: Limits,
    /// The state of `math.random`, which a server keeps from script to script: first [`RANDOM_AT_START`], then
    /// [`Ran::random`] of the previous run.
    pub random: u64,
}

/// The state of `math.random` when a server starts: 48 bits, the default seed of `lrand48`.
pub const RANDOM_AT_START: u64 = 0x1234_ABCD_330E;

/// The code to run.
///
/// A first line that begins with `#!` is skipped, but still counts in line numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Work {
    /// A script of `EVAL`. Redis calls the chunk `user_script`.
    Script {
        /// The script's source.
        text: Bytes,
        /// `KEYS`.
        keys: Vec<Bytes>,
        /// `ARGV`.
        args: Vec<Bytes>,
    },
    /// The code of a library, run once for the functions that it registers (`FUNCTION LOAD`); Redis calls the chunk
    /// `user_function`. The outcome is [`ScriptOutcome::Loaded`], possibly without functions.
    Load {
        /// The library as it was typed.
        text: Bytes,
    },
    /// A function of a library (`FCALL`). The library is in the state after loading: its own variables are reset.
    Call {
        /// The library as it was typed.
        text: Bytes,
        /// The name under which the function was registered.
        function: Bytes,
        /// The function's first argument.
        keys: Vec<Bytes>,
        /// The function's second argument.
        args: Vec<Bytes>,
    },
}

/// The limits of a run. At a limit the run ends at once; the script cannot catch that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Limits {
    /// Instructions of the virtual machine, including the load of a library.
    pub instructions: u64,
    /// Memory of the virtual machine, in bytes.
    pub memory_bytes: u64,
}

impl Limits {
    /// Three million instructions (a tenth of a second in a browser) and 16 MiB.
    pub const USUAL: Limits = Limits { instructions: 3_000_000, memory_bytes: 16 << 20 };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::USUAL
    }
}

/// The requests of a running script to its server.
pub trait Host {
    /// `redis.call` and `redis.pcall`: runs a command. An error is a [`Value::Error`], as it would be sent to a client,
    /// without the suffix with the source position (`ERR Unknown Redis command called from script`).
    fn call(&mut self, call: Call) -> Value;

    /// `redis.log`.
    fn log(&mut self, level: Level, message: Bytes);

    /// `redis.acl_check_cmd`: whether the script's user may run this command.
    fn may(&mut self, argv: Vec<Bytes>) -> Permission;

    /// Called regularly by an engine that runs in slices; false: the script must end now.
    fn goes_on(&mut self) -> bool {
        true
    }
}

/// A host that fails every request and ends the script.
pub struct Deaf;

impl Host for Deaf {
    fn call(&mut self, _: Call) -> Value {
        Value::error("ERR the script is being ended")
    }

    fn log(&mut self, _: Level, _: Bytes) {}

    fn may(&mut self, _: Vec<Bytes>) -> Permission {
        Permission::Denied
    }

    fn goes_on(&mut self) -> bool {
        false
    }
}

/// A command that a script runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The command and its arguments; not empty.
    pub argv: Vec<Bytes>,
    /// The protocol that the script chose (`redis.setresp`). The machine itself flattens maps, doubles and the like for RESP2; the
    /// protocol matters to commands whose replies differ in other ways.
    #[serde(with = "foreign::ProtocolDef")]
    pub protocol: Protocol,
    /// Where the command is propagated (`redis.set_repl`).
    pub repl: Repl,
    /// Instructions that the script has used before this command, counted as in [`Ran::instructions`].
    pub instructions: u64,
}

/// Where a script's commands are propagated, as chosen by `redis.set_repl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Repl {
    /// To the append-only file.
    pub aof: bool,
    /// To replicas.
    pub replicas: bool,
}

impl Default for Repl {
    fn default() -> Repl {
        Repl { aof: true, replicas: true }
    }
}

/// The level of a line of `redis.log`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// `redis.LOG_DEBUG`
    Debug,
    /// `redis.LOG_VERBOSE`
    Verbose,
    /// `redis.LOG_NOTICE`
    Notice,
    /// `redis.LOG_WARNING`
    Warning,
}

/// The answer to `redis.acl_check_cmd`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Permission {
    /// The user may run the command.
    Granted,
    /// The user may not run it.
    Denied,
    /// The command does not exist, or its arity is different.
    NoSuchCommand,
}

/// The outcome of a run, and its cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ran {
    /// How it ended.
    pub outcome: ScriptOutcome,
    /// Instructions of the virtual machine, including the charges of native functions. A short text without loops and functions counts
    /// completely, whichever of its branches ran. The number is the same for the same job on every platform, unless
    /// the run exceeded its memory: that point depends on the platform.
    pub instructions: u64,
    /// The state of `math.random` after the run.
    pub random: u64,
}

impl Ran {
    /// The result after a crash of the machine; `random` is the state of `math.random` before the run.
    pub const fn broken(random: u64) -> Ran {
        Ran { outcome: ScriptOutcome::Broken, instructions: 0, random }
    }
}

/// How a run ended. The commands that it called have been executed in any case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScriptOutcome {
    /// The script returned this value, converted by Redis' rules. An error that a script *returns* (`redis.error_reply`) is a
    /// [`Value::Error`] here and is sent to the client unchanged.
    Reply(#[serde(with = "foreign::value")] Value),
    /// A library was loaded and registered these, in this order.
    Loaded(Vec<Function>),
    /// The text does not compile: the compiler's message with the chunk's name and the line, such as
    /// `user_script:1: unexpected symbol near '<eof>'`.
    DoesNotCompile(Bytes),
    /// The script raised an error.
    Failed(Failure),
    /// [`Work::Call`] names a function that the library does not register.
    NoSuchFunction,
    /// The script used all of [`Limits::instructions`]; with its position at that time, if known.
    BudgetSpent(Option<SourceLocation>),
    /// The script used more than [`Limits::memory_bytes`].
    OutOfMemory,
    /// The machine itself crashed (in the page: its module trapped) and was replaced.
    Broken,
}

/// An error that a script raised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The error line without minus sign, code included: `ERR user_script:1: boo`, `WRONGTYPE Operation …`.
    pub message: Bytes,
    /// Where it was raised, if known. See [`Failure::line`].
    pub place: Option<SourceLocation>,
    /// Whether a command returned this error, so that the server has already counted it.
    pub counted: bool,
}

/// A position in a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceLocation {
    /// The chunk with an at sign before it: `@user_script`.
    pub source: Bytes,
    /// The line, from 1; -1 if unknown.
    pub line: i64,
}

impl Failure {
    /// The error line that Redis sends for a script or an `FCALL`. (`FUNCTION LOAD` puts `ERR Error registering functions: `
    /// before [`Failure::message`], and nothing after it.) `name` is the script's SHA-1 or the function's name; it appears only
    /// if the position is known.
    pub fn line(&self, name: &[u8]) -> Bytes {
        let mut line = self.message.to_vec();
        if let Some(SourceLocation { source, line: number }) = &self.place {
            line.extend_from_slice(b" script: ");
            line.extend_from_slice(name);
            line.extend_from_slice(b", on ");
            line.extend_from_slice(source);
            line.extend_from_slice(format!(":{number}.").as_bytes());
        }
        // A line break would end the reply early: Redis replaces it too.
        for byte in &mut line {
            if matches!(byte, b'\r' | b'\n') {
                *byte = b' ';
            }
        }
        Bytes::from(line)
    }
}

/// A function that a library registered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// Its name.
    pub name: Bytes,
    /// Its description.
    pub description: Option<Bytes>,
    /// Its flags, such as `no-writes`; only flags of Redis 7.0.
    pub flags: Vec<Bytes>,
}

/// A machine that runs scripts.
pub trait Engine {
    /// Compiles a script of `EVAL` without running it (`SCRIPT LOAD`).
    ///
    /// # Errors
    /// The compiler's message, as in [`ScriptOutcome::DoesNotCompile`].
    fn compile(&mut self, text: &Bytes) -> Result<(), Bytes>;

    /// Runs a job to its end.
    fn run(&mut self, job: &Job, host: &mut dyn Host) -> Ran;

    /// Begins a job. An engine that runs in slices may pause it; then [`Engine::go_on`] continues it. The engine accepts no other
    /// calls until the job has ended or [`Engine::stop`] has ended it.
    fn begin(&mut self, job: &Job, host: &mut dyn Host) -> Progress {
        Progress::Ended(self.run(job, host))
    }

    /// Runs the next slice of a paused job. The host is the original one or its successor.
    fn go_on(&mut self, _host: &mut dyn Host) -> Progress {
        Progress::Ended(Ran::broken(RANDOM_AT_START))
    }

    /// Ends a paused job, which cannot catch that. Returns its current position, if known.
    fn stop(&mut self) -> Option<SourceLocation> {
        None
    }
}

/// The progress of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The slice is over and the job is paused.
    Paused,
    /// The job has ended.
    Ended(Ran),
}
