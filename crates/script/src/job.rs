//! What a machine is asked to do, what it may ask meanwhile, and how it ends.
use bytes::Bytes;
use resp::{Protocol, Value};

/// Something to run, with the bounds within which it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// What to run.
    pub work: Work,
    /// When to give up.
    pub limits: Limits,
    /// The state of `math.random`, which a server keeps from script to script: [`RANDOM_AT_START`] and then
    /// [`Ran::random`].
    pub random: u64,
}

/// The state of `math.random` in a server that has just started: 48 bits, the usual start of `lrand48`.
pub const RANDOM_AT_START: u64 = 0x1234_ABCD_330E;

/// What to run.
///
/// A text whose first line begins with `#!` runs without that line; lines are counted as if it were there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Work {
    /// A script of `EVAL`. Redis calls the chunk `user_script`.
    Script {
        /// The script as it was typed.
        text: Bytes,
        /// `KEYS`.
        keys: Vec<Bytes>,
        /// `ARGV`.
        args: Vec<Bytes>,
    },
    /// The code of a library, run once for the functions that it registers (`FUNCTION LOAD`); Redis calls the chunk
    /// `user_function`. Answered by [`Outcome::Loaded`], perhaps with no function at all.
    Load {
        /// The library as it was typed.
        text: Bytes,
    },
    /// A function of a library (`FCALL`). The library is as if it had just been loaded: its own variables begin again.
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

/// When to give up on a script. Past a bound the run ends at once, whatever the script catches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Instructions of the virtual machine, loading of a library included.
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

/// What a script may ask of its server while it runs.
pub trait Host {
    /// `redis.call` and `redis.pcall`: runs a command. A refusal is a [`Value::Error`], as it would be sent to a client,
    /// without the suffix that tells the place (`ERR Unknown Redis command called from script`).
    fn call(&mut self, call: Call) -> Value;

    /// `redis.log`.
    fn log(&mut self, level: Level, message: Bytes);

    /// `redis.acl_check_cmd`: may the script's user run this?
    fn may(&mut self, argv: Vec<Bytes>) -> Permission;

    /// Called now and then by an engine that runs in slices; false: the script is to end now.
    fn goes_on(&mut self) -> bool {
        true
    }
}

/// A host that answers nothing and wants the script to end.
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

/// A command that a script runs. There is at least one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The command's words.
    pub argv: Vec<Bytes>,
    /// The protocol that the script chose (`redis.setresp`). The machine flattens maps, doubles and the like for RESP2 by
    /// itself; it matters to commands that answer otherwise altogether.
    pub protocol: Protocol,
    /// Where effects go (`redis.set_repl`).
    pub repl: Repl,
    /// Instructions that the script has taken before it, as [`Ran::instructions`] counts them.
    pub instructions: u64,
}

/// Where effects of a script's commands go, as `redis.set_repl` chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

/// How grave a line of `redis.log` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Permission {
    /// The user may.
    Granted,
    /// The user may not.
    Denied,
    /// There is no such command, or its arity is another.
    NoSuchCommand,
}

/// How a run ended, and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub outcome: Outcome,
    /// Instructions of the virtual machine and what natives charged like them; a short text without loops and functions counts
    /// as a whole, whichever of its branches ran. The same for the same job everywhere, unless
    /// it ran out of memory: when that is depends on the platform.
    pub instructions: u64,
    /// The state of `math.random` after it.
    pub random: u64,
}

impl Ran {
    /// The machine broke down; `random`: the state of `math.random` before.
    pub const fn broken(random: u64) -> Ran {
        Ran { outcome: Outcome::Broken, instructions: 0, random }
    }
}

/// How a run ended. Whatever commands it called have been carried out in any case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The script returned; its value by Redis' rules. An error that a script *returns* (`redis.error_reply`) is a
    /// [`Value::Error`] here, and goes to the client as it is.
    Reply(Value),
    /// A library was loaded and registered these, in this order.
    Loaded(Vec<Function>),
    /// The text does not compile: the compiler's words with the chunk's name and line, such as
    /// `user_script:1: unexpected symbol near '<eof>'`.
    DoesNotCompile(Bytes),
    /// The script raised an error.
    Failed(Failure),
    /// [`Work::Call`] names a function that the library does not register.
    NoSuchFunction,
    /// The script took all of [`Limits::instructions`]; and where it was then, if that is known.
    BudgetSpent(Option<Place>),
    /// The script took more than [`Limits::memory_bytes`].
    OutOfMemory,
    /// The machine itself broke down (in the page: its module trapped). A new one is in its place.
    Broken,
}

/// An error that a script raised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The error line without minus sign, code included: `ERR user_script:1: boo`, `WRONGTYPE Operation …`.
    pub message: Bytes,
    /// Where it was raised, if that is known. See [`Failure::line`].
    pub place: Option<Place>,
    /// A command answered this error, so that the server has counted it already.
    pub counted: bool,
}

/// Where in a script something happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The chunk with an at sign before it: `@user_script`.
    pub source: Bytes,
    /// The line, from 1; -1 where there is none.
    pub line: i64,
}

impl Failure {
    /// The error line that Redis sends for a script or an `FCALL`. (`FUNCTION LOAD` puts `ERR Error registering functions: `
    /// before [`Failure::message`], and nothing behind it.) `name` is the script's SHA-1 or the function's name; it appears only
    /// where the place is known.
    pub fn line(&self, name: &[u8]) -> Bytes {
        let mut line = self.message.to_vec();
        if let Some(Place { source, line: number }) = &self.place {
            line.extend_from_slice(b" script: ");
            line.extend_from_slice(name);
            line.extend_from_slice(b", on ");
            line.extend_from_slice(source);
            line.extend_from_slice(format!(":{number}.").as_bytes());
        }
        // A line end would end the reply early: Redis replaces it too.
        for byte in &mut line {
            if matches!(byte, b'\r' | b'\n') {
                *byte = b' ';
            }
        }
        Bytes::from(line)
    }
}

/// A function that a library registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: Bytes,
    /// What it says of itself.
    pub description: Option<Bytes>,
    /// Its flags as written, such as `no-writes`; only flags that Redis 7.0 knows.
    pub flags: Vec<Bytes>,
}

/// A machine that runs scripts.
pub trait Engine {
    /// Compiles a script of `EVAL` and runs nothing (`SCRIPT LOAD`).
    ///
    /// # Errors
    /// The compiler's words, as in [`Outcome::DoesNotCompile`].
    fn compile(&mut self, text: &Bytes) -> Result<(), Bytes>;

    /// Runs a job to its end.
    fn run(&mut self, job: &Job, host: &mut dyn Host) -> Ran;

    /// Begins a job. An engine that runs in slices may pause it; then [`Engine::go_on`] continues, and nothing else is asked of
    /// the engine until the job has ended or [`Engine::stop`] has given it up.
    fn begin(&mut self, job: &Job, host: &mut dyn Host) -> Progress {
        Progress::Ended(self.run(job, host))
    }

    /// Runs the next slice of a paused job. The host is the one it began with, or one that goes on in its place.
    fn go_on(&mut self, _host: &mut dyn Host) -> Progress {
        Progress::Ended(Ran::broken(RANDOM_AT_START))
    }

    /// Ends a paused job where it stands, whatever it would catch; where that is, if it is known.
    fn stop(&mut self) -> Option<Place> {
        None
    }
}

/// How far a job has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// To the end of a slice.
    Paused,
    /// To its end.
    Ended(Ran),
}
