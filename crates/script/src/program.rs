//! Programs of virtual clients: Lua code as an application would write it, which stops at every request to the outside.
//!
//! ```text
//!   history: [] ──▶ play ──▶ ProgramState { thread 0 requests Call(SET lock …), line 2, locals }
//!   history: [0: "OK"] ──▶ play ──▶ ProgramState { thread 0 requests Sleep(100), line 4 … }
//! ```
//!
//! A coroutine can be neither cloned nor hashed, but a program's behaviour is a function of the answers that it has received. So the
//! state of a virtual client is the list of its answers ([`History`]), and [`Programs::scene`] replays them to compute the program state.
mod history;
mod itself;
mod memory;
mod outline;
mod programs;
pub mod remote;

use crate::codec::foreign;
use bytes::Bytes;
use resp::Value;
use serde::{Deserialize, Serialize};

pub use history::History;
pub use itself::asks_who;
pub use memory::{MEMORY_BITS, MEMORY_MOST_MAX, MEMORY_PLACES_MAX, MemoryCommand};
pub use outline::Outline;
pub use programs::Programs;
pub use remote::{Remote, Served};

/// The line that divides a program: functions above it, and below it the frame that calls them.
///
/// Functions can use everything except [`FRAME_ONLY`]. The frame sees the globals that they assign, but they cannot replace the
/// frame's own names. The last such line of a text counts.
pub const FRAME_MARK: &str = "---- frame ----";

/// Names that only a frame may use, because their requests decide the verdict.
pub const FRAME_ONLY: [&str; 8] = ["enter", "leave", "work", "tally", "check", "produced", "processed", "answer"];

/// Number of a thread of a program: 0 is the initial thread, the others are numbered in the order of their creation.
pub type Thread = u32;

/// A request of a program to the world. Times are in ms of the client's own clock.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Request {
    /// A spawned thread is ready to begin. Answered by [`Reply::Nothing`].
    Begin,
    /// `client.id` and `args`: the first request of a program whose text contains one of them ([`asks_who`]). Answered by
    /// [`Reply::Value`], an array: the client's number (null if not requested), followed by the program's arguments.
    Who {
        /// Whether `client.id` is requested.
        number: bool,
        /// Whether `args` is requested.
        args: bool,
    },
    /// `connect(name)`: the number of a node, for [`Target`]. Answered by [`Reply::Value`], an integer, or an error if no node has this
    /// name.
    Connect {
        /// The name of the node.
        node: Bytes,
    },
    /// A command for a server. Answered by [`Reply::Value`].
    Call {
        /// `None`: `redis.call` and `redis.pcall`, which go to the client's own node.
        to: Option<Target>,
        /// The command and its arguments; not empty.
        argv: Vec<Bytes>,
    },
    /// `sleep(ms)`: the thread is idle. Answered by [`Reply::Nothing`].
    Sleep {
        /// Duration in ms.
        ms: u64,
    },
    /// `work(ms)`: the thread is busy. Answered by [`Reply::Nothing`].
    Work {
        /// Duration in ms.
        ms: u64,
    },
    /// `now()`: the time of the client's clock in ms. Answered by [`Reply::Integer`].
    Now,
    /// `uuid()`: a unique string. Answered by [`Reply::Text`].
    Uuid,
    /// `random(from, to)`: an integer in this inclusive range. Answered by [`Reply::Integer`].
    Random {
        /// The lower bound.
        from: i64,
        /// The upper bound; not less than `from`.
        to: i64,
    },
    /// `enter(section)`: a critical section begins. Answered by [`Reply::Nothing`].
    Enter {
        /// Its name.
        section: Bytes,
    },
    /// `leave(section)`: the critical section ends. Answered by [`Reply::Nothing`].
    Leave {
        /// Its name.
        section: Bytes,
    },
    /// `spawn(function)`: creates a thread of the same client. Answered by [`Reply::Nothing`]; the program gets the thread's number.
    Spawn {
        /// The new thread, whose first request is [`Request::Begin`].
        thread: Thread,
    },
    /// `cancel(thread)`: ends that thread at its current request. Answered by [`Reply::Nothing`].
    Cancel {
        /// The thread to end.
        thread: Thread,
    },
    /// `subscribe(channel …)`. Answered by [`Reply::Nothing`].
    Subscribe {
        /// The channels; not empty.
        channels: Vec<Bytes>,
    },
    /// `wait_message(ms)`: the next message, or nil after the timeout. Answered by [`Reply::Value`], an array of channel and
    /// message, or null.
    WaitMessage {
        /// The timeout in ms. `None`: no timeout.
        ms: Option<u64>,
    },
    /// `note(text)`: a message for the event log. Answered by [`Reply::Nothing`].
    Note {
        /// The message.
        text: Bytes,
    },
    /// `tally(name, n)`: adds to a counter of the world. Answered by [`Reply::Nothing`].
    Tally {
        /// The counter's name.
        name: Bytes,
        /// The increment.
        n: i64,
    },
    /// `produced(id, key)`: a message was produced. Answered by [`Reply::Nothing`].
    Produced {
        /// Its id.
        id: Bytes,
        /// Its key: messages with the same key belong together.
        key: Option<Bytes>,
    },
    /// `processed(id)`: a message was processed. Answered by [`Reply::Nothing`].
    Processed {
        /// Its id.
        id: Bytes,
    },
    /// `answer(value)`: a traffic handler's reply to its caller. Answered by [`Reply::Nothing`].
    Answer {
        /// The reply; `None` for no value.
        value: Option<Bytes>,
    },
    /// A command for `memory(name, { most = … })`, the memory that a traffic machine keeps between requests. Answered by
    /// [`Reply::Value`].
    Memory {
        /// The name of a region of the machine's memory.
        region: Bytes,
        /// Sets the region's entry limit. `None`: unchanged.
        most: Option<u32>,
        /// The command.
        command: MemoryCommand,
    },
    /// `check(holds, text)`: an assertion. Answered by [`Reply::Nothing`].
    Check {
        /// Whether it holds.
        holds: bool,
        /// The asserted statement.
        text: Bytes,
    },
}

/// A connection that `connect` made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Target {
    /// The number of the node.
    pub node: u32,
    /// Reply timeout in ms. `None`: that of the client's own connection.
    pub timeout_ms: Option<u64>,
}

/// The reply to a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Reply {
    /// Done, without a value.
    Nothing,
    /// A number.
    Integer(i64),
    /// A text.
    Text(Bytes),
    /// A reply of a server.
    Value(#[serde(with = "foreign::value")] Value),
}

/// The answer to a thread's request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Answer {
    /// The thread.
    pub thread: Thread,
    /// The reply.
    pub reply: Reply,
}

/// The state of a program after a history.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ProgramState {
    /// Its threads by number.
    pub threads: Vec<ThreadSnapshot>,
    /// The fingerprint of everything that its future depends on: programs with the same text and the same live
    /// state behave alike from there on. `None`: it cannot be computed, and the history identifies the state.
    pub live: Option<u128>,
}

/// The state and the call stack of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ThreadSnapshot {
    /// Whether it waits, has ended or failed.
    pub state: State,
    /// Its call stack, innermost function first; at most [`FRAMES_MAX`]. For a failed thread: where it failed, or, if
    /// that is unknown, where it made its last request.
    pub frames: Vec<Frame>,
}

/// The state of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum State {
    /// Waits for the answer to this request.
    Requests(Request),
    /// Has ended.
    Done,
    /// Was cancelled by another thread.
    Cancelled,
    /// Has failed.
    Failed(Failed),
}

/// Why a thread failed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Failed {
    /// An uncaught error: Lua's message with its source position.
    Error(Bytes),
    /// It ran too long without a request.
    Endless,
    /// It used too much memory.
    OutOfMemory,
}

/// A function on the call stack.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Frame {
    /// Its name at the call site; the program's main chunk and anonymous functions have none.
    pub name: Option<Bytes>,
    /// Its current line, from 1.
    pub line: u32,
    /// Its variables in scope, in the order of their declaration; at most [`LOCALS_MAX`].
    pub locals: Vec<Local>,
}

/// A local variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Local {
    /// Its name.
    pub name: Bytes,
    /// Its value in Lua notation, truncated to [`SHOWN_BYTES_MAX`].
    pub shown: Bytes,
}

/// Most functions shown per thread.
pub const FRAMES_MAX: usize = 8;
/// Most local variables shown per function.
pub const LOCALS_MAX: usize = 32;
/// Most bytes shown per value.
pub const SHOWN_BYTES_MAX: usize = 200;
/// Most threads that one program may spawn.
pub const THREADS_MAX: usize = 64;

/// Why a program cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Unplayable {
    /// The text is not valid Lua: the compiler's message, with the line.
    DoesNotCompile(Bytes),
    /// The history does not fit the program: an answer for a thread without a request, or of the wrong kind.
    Diverged {
        /// Index of the first answer that does not fit.
        at: usize,
    },
    /// The machine crashed.
    Broken,
    /// No player is installed; see [`Programs`].
    NoPlayer,
}

/// A machine that plays programs. Its caches only save time: a program state is a function of text and history.
pub trait Player {
    /// Plays a program from its beginning.
    ///
    /// # Errors
    /// [`Unplayable`]
    fn play(&mut self, text: &Bytes, history: &History) -> Result<ProgramState, Unplayable>;
}
