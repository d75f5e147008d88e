//! Binary encoding of jobs, questions and outcomes, of programs and their states, for a machine in another module.
//!
//! Numbers are LEB128: seven bits per byte, least significant first, with the high bit set on all bytes but the last; signed numbers are
//! zigzag-encoded first (0, -1, 1, -2 …). A string is its length and its bytes, a list its length and its items, an enum a tag byte
//! and the variant's fields. The input is not trusted: every length is checked against the remaining bytes, and nesting is limited.
use bytes::Bytes;
use resp::Value;

mod programs;
mod read;
mod shapes;
mod write;

pub use read::Reader;
pub use write::Writer;

/// Why bytes cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// The input ends too early.
    Short,
    /// Bytes remain after the end of the value.
    Long,
    /// A number does not fit its type.
    Number,
    /// An unknown tag.
    Choice,
    /// Replies are nested deeper than [`DEPTH_MAX`].
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

/// Maximum nesting depth of replies. Machines never return deeper ones.
pub const DEPTH_MAX: usize = 512;

/// A value with a binary encoding.
pub trait Wire: Sized {
    /// Appends the encoded value to `to`.
    fn write(&self, to: &mut Writer);

    /// Decodes a value and advances `from`.
    ///
    /// # Errors
    /// If the bytes do not encode a value of this type.
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed>;

    /// The encoded value.
    fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        self.write(&mut writer);
        writer.into_bytes()
    }

    /// Decodes a value from all of `bytes`.
    ///
    /// # Errors
    /// If the bytes do not encode exactly one value.
    fn decode(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes);
        let value = Self::read(&mut reader)?;
        reader.end()?;
        Ok(value)
    }
}

/// A request of a machine to its server while it runs a script.
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

/// The server's reply to a [`Question`].
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

/// A request to the module with the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineRequest {
    /// [`crate::Engine::compile`]
    Compile(Bytes),
    /// [`crate::Engine::run`]
    Run(crate::Job),
}

/// The module's reply to an [`EngineRequest`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// To [`EngineRequest::Compile`]: the compiler's message, if it found an error.
    Compiled(Option<Bytes>),
    /// To [`EngineRequest::Run`].
    Ran(crate::Ran),
}
