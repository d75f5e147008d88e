//! Jobs, questions and outcomes, programs and scenes as bytes, for a machine in another module.
//!
//! A number is seven bits a byte, least significant first, with the high bit set on all but the last; a signed one is
//! folded first (0, -1, 1, -2 …). A string is its length and its bytes, a list its length and its items, a choice one byte
//! and what belongs to it. Whatever is read has been written by somebody else: every length is checked against what is
//! there, and nesting is bounded.
use bytes::Bytes;
use resp::Value;

mod programs;
mod read;
mod shapes;
mod write;

pub use read::Reader;
pub use write::Writer;

/// Why bytes are not what they should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// They end too early.
    Short,
    /// They go on after the end.
    Long,
    /// A number does not fit.
    Number,
    /// A choice that there is not.
    Choice,
    /// Replies in replies in replies, more than [`DEPTH_MAX`].
    Deep,
}

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Malformed::Short => "the bytes end too early",
            Malformed::Long => "the bytes go on after the end",
            Malformed::Number => "a number does not fit",
            Malformed::Choice => "there is no such choice",
            Malformed::Deep => "replies are nested too deeply",
        })
    }
}

impl std::error::Error for Malformed {}

/// How deep replies nest in each other at most. Machines answer nothing deeper.
pub const DEPTH_MAX: usize = 512;

/// A value that has a form in bytes.
pub trait Wire: Sized {
    /// Writes it.
    fn write(&self, to: &mut Writer);

    /// Reads it.
    ///
    /// # Errors
    /// When the bytes are no such value.
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed>;

    /// Its bytes.
    fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        self.write(&mut writer);
        writer.into_bytes()
    }

    /// The value that these bytes are, all of them.
    ///
    /// # Errors
    /// When they are not.
    fn decode(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes);
        let value = Self::read(&mut reader)?;
        reader.end()?;
        Ok(value)
    }
}

/// What a machine asks of its server while it runs a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// [`crate::Host::call`]
    Call(crate::Call),
    /// [`crate::Host::log`]
    Log(crate::Level, Bytes),
    /// [`crate::Host::may`]
    May(Vec<Bytes>),
    /// [`crate::Host::goes_on`]
    GoesOn,
}

/// What the server answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// To [`Question::Call`].
    Reply(Value),
    /// To [`Question::Log`].
    Noted,
    /// To [`Question::May`].
    Permission(crate::Permission),
    /// To [`Question::GoesOn`].
    GoesOn(bool),
}

/// What the other module is asked first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// [`crate::Engine::compile`]
    Compile(Bytes),
    /// [`crate::Engine::run`]
    Run(crate::Job),
}

/// What it answers in the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// To [`Order::Compile`]: the compiler's words, if it found an error.
    Compiled(Option<Bytes>),
    /// To [`Order::Run`].
    Ran(crate::Ran),
}
