//! Programs of virtual clients: Lua as an application would be written, which stops wherever it leaves itself.
//!
//! ```text
//!   history: [] ──▶ play ──▶ Scene { thread 0 requests Call(SET lock …), line 2, locals }
//!   history: [0: "OK"] ──▶ play ──▶ Scene { thread 0 requests Sleep(100), line 4 … }
//! ```
//!
//! A coroutine can be neither cloned nor hashed. It need not be: what a program does follows from the answers that it has got, so the
//! state of a virtual client is the list of its answers ([`History`]), and [`Programs::scene`] plays them again to show it.
mod history;
mod itself;
mod memory;
mod outline;
mod programs;
pub mod remote;

use bytes::Bytes;
use resp::Value;

pub use history::History;
pub use itself::asks_who;
pub use memory::{MEMORY_BITS, MEMORY_MOST_MAX, MEMORY_PLACES_MAX, MemoryCommand};
pub use outline::Outline;
pub use programs::Programs;
pub use remote::{Remote, Served};

/// The line between the two parts of a program: functions above it, and below it the frame that calls them.
///
/// Functions see everything but [`FRAME_ONLY`]; what they assign to is seen by the frame, and nothing that they do changes what the
/// frame finds under a name of its own. The last such line of a text counts.
pub const FRAME_MARK: &str = "---- frame ----";

/// What only a frame may do: it decides what counts.
pub const FRAME_ONLY: [&str; 8] = ["enter", "leave", "work", "tally", "check", "produced", "processed", "answer"];

/// A thread of a program; 0 is the one that it begins with, and they are numbered as they are spawned.
pub type Thread = u32;

/// What a program cannot do by itself. Times are in ms of the client's own clock.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Request {
    /// A spawned thread would begin. Answered by [`Reply::Nothing`].
    Begin,
    /// `client.id` and `args`: asked before everything else by a program whose text names one of them ([`asks_who`]). Answered by
    /// [`Reply::Value`], an array: the client's number, null where it is not asked for, and then what the program was given.
    Who {
        /// Does it want its number?
        number: bool,
        /// Does it want what it was given?
        args: bool,
    },
    /// `connect(name)`: the number of a node, for [`Target`]. Answered by [`Reply::Value`], an integer, or an error if no node has this name.
    Connect {
        /// The name of the node.
        node: Bytes,
    },
    /// A command for a server. Answered by [`Reply::Value`].
    Call {
        /// `None`: `redis.call` and `redis.pcall`, which go to the client's own node.
        to: Option<Target>,
        /// The command's words; there is at least one.
        argv: Vec<Bytes>,
    },
    /// `sleep(ms)`: idle for so long. Answered by [`Reply::Nothing`].
    Sleep {
        /// For how long.
        ms: u64,
    },
    /// `work(ms)`: busy for so long. Answered by [`Reply::Nothing`].
    Work {
        /// For how long.
        ms: u64,
    },
    /// `now()`: what the client's clock shows. Answered by [`Reply::Integer`].
    Now,
    /// `uuid()`: a text that no one else gets. Answered by [`Reply::Text`].
    Uuid,
    /// `random(from, to)`: a whole number between these, both included. Answered by [`Reply::Integer`].
    Random {
        /// The least.
        from: i64,
        /// The greatest; not less than `from`.
        to: i64,
    },
    /// `enter(section)`: a critical section begins. Answered by [`Reply::Nothing`].
    Enter {
        /// Its name.
        section: Bytes,
    },
    /// `leave(section)`: it ends. Answered by [`Reply::Nothing`].
    Leave {
        /// Its name.
        section: Bytes,
    },
    /// `spawn(function)`: another thread of the same client. Answered by [`Reply::Nothing`]; the program gets its number.
    Spawn {
        /// The new one, which requests [`Request::Begin`] from now on.
        thread: Thread,
    },
    /// `cancel(thread)`: that one ends where it stands. Answered by [`Reply::Nothing`].
    Cancel {
        /// Which one.
        thread: Thread,
    },
    /// `subscribe(channel …)`. Answered by [`Reply::Nothing`].
    Subscribe {
        /// The channels; there is at least one.
        channels: Vec<Bytes>,
    },
    /// `wait_message(ms)`: the next message, or nil after so long. Answered by [`Reply::Value`], an array of channel and
    /// message, or null.
    WaitMessage {
        /// For how long; without it, for ever.
        ms: Option<u64>,
    },
    /// `note(text)`: something for those who watch. Answered by [`Reply::Nothing`].
    Note {
        /// What is said.
        text: Bytes,
    },
    /// `tally(name, n)`: adds to a count that the whole world sees. Answered by [`Reply::Nothing`].
    Tally {
        /// Which count.
        name: Bytes,
        /// How much is added.
        n: i64,
    },
    /// `produced(id, key)`: a message exists now. Answered by [`Reply::Nothing`].
    Produced {
        /// Its id.
        id: Bytes,
        /// What it is about: messages with the same key belong together.
        key: Option<Bytes>,
    },
    /// `processed(id)`: what a message asks for was done. Answered by [`Reply::Nothing`].
    Processed {
        /// Its id.
        id: Bytes,
    },
    /// `answer(value)`: what a handler of traffic answers its caller. Answered by [`Reply::Nothing`].
    Answer {
        /// A text, or `None`: there is nothing.
        value: Option<Bytes>,
    },
    /// What `memory(name, { most = … })` is asked for: something that a machine of traffic keeps between requests. Answered by
    /// [`Reply::Value`].
    Memory {
        /// The name of a part of the machine's memory.
        region: Bytes,
        /// From now on it has at most so many entries. `None`: as many as before.
        most: Option<u32>,
        /// What is asked for.
        command: MemoryCommand,
    },
    /// `check(holds, text)`: something that should hold. Answered by [`Reply::Nothing`].
    Check {
        /// Does it?
        holds: bool,
        /// What should hold.
        text: Bytes,
    },
}

/// A connection that `connect` made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// The number of the node.
    pub node: u32,
    /// The client waits so many ms for a reply. `None`: as long as on its own connection.
    pub timeout_ms: Option<u64>,
}

/// What a request is answered with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reply {
    /// It is done.
    Nothing,
    /// A number.
    Integer(i64),
    /// A text.
    Text(Bytes),
    /// A reply of a server.
    Value(Value),
}

/// A thread's request was answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Answer {
    /// Whose request.
    pub thread: Thread,
    /// With what.
    pub reply: Reply,
}

/// What a program looks like after a history.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scene {
    /// Its threads by number.
    pub threads: Vec<Stand>,
    /// The fingerprint of everything that it can still do depends on: whatever led to it, a program with the same text and the same live
    /// state goes on alike. `None`: it cannot be told, and the history tells.
    pub live: Option<u128>,
}

/// Where a thread stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stand {
    /// What it is about.
    pub state: State,
    /// Functions that it is in, innermost first; at most [`FRAMES_MAX`]. Of a thread that broke off: where it did, or, when
    /// that is not known, where it made its last request.
    pub frames: Vec<Frame>,
}

/// What a thread is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// It waits for an answer.
    Requests(Request),
    /// It has come to its end.
    Done,
    /// Another thread has cancelled it.
    Cancelled,
    /// It broke off.
    Failed(Failed),
}

/// Why a thread broke off.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Failed {
    /// An error that no one caught, in Lua's words, with its place.
    Error(Bytes),
    /// It has run for too long without a request.
    Endless,
    /// It takes too much memory.
    OutOfMemory,
}

/// A function that is running.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// Its name where it was called; the program's own text and nameless functions have none.
    pub name: Option<Bytes>,
    /// Where it stands, from 1.
    pub line: u32,
    /// What it can see of its own, in the order in which it was declared; at most [`LOCALS_MAX`].
    pub locals: Vec<Local>,
}

/// A local variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Local {
    /// Its name.
    pub name: Bytes,
    /// Its value as Lua would write it, cut to [`SHOWN_BYTES_MAX`].
    pub shown: Bytes,
}

/// Functions of a thread that are shown.
pub const FRAMES_MAX: usize = 8;
/// Local variables of a function that are shown.
pub const LOCALS_MAX: usize = 32;
/// Bytes of a value that are shown.
pub const SHOWN_BYTES_MAX: usize = 200;
/// Threads that one program may spawn.
pub const THREADS_MAX: usize = 64;

/// Why a program cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Unplayable {
    /// Its text is no Lua: the compiler's words, with the line.
    DoesNotCompile(Bytes),
    /// The history is not one of this program: an answer for a thread that requests nothing, or of the wrong kind.
    Diverged {
        /// Number of the first answer that does not fit.
        at: usize,
    },
    /// The machine broke down.
    Broken,
    /// There is no player; see [`Programs`].
    NoPlayer,
}

/// A machine that plays programs. What it keeps only saves time: a scene is a function of text and history.
pub trait Player {
    /// Plays a program from its beginning.
    ///
    /// # Errors
    /// [`Unplayable`]
    fn play(&mut self, text: &Bytes, history: &History) -> Result<Scene, Unplayable>;
}
