//! Binary encoding of jobs, questions and outcomes, of programs and their states, for a machine in another module.
//!
//! The types derive serde's traits, and `postcard` turns them into bytes; types of other crates are in `foreign.rs`. The input is not
//! trusted: no length reserves more memory than the remaining bytes justify, and the nesting of replies is limited.
use bytes::Bytes;
use postcard::Error;
use resp::Value;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub(crate) mod foreign;

/// Why bytes cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// The input ends too early.
    Short,
    /// Bytes remain after the end of the value.
    Long,
    /// An unknown tag, a number that does not fit its type, a reply whose parts do not fit together or are nested deeper than
    /// [`DEPTH_MAX`].
    Content,
}

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Malformed::Short => "the bytes end too early",
            Malformed::Long => "the bytes go on after the end",
            Malformed::Content => "no value has these bytes",
        })
    }
}

impl std::error::Error for Malformed {}

/// Maximum nesting depth of replies. Machines never return deeper ones.
pub const DEPTH_MAX: usize = 512;

/// A value with a binary encoding.
pub trait Wire: Serialize + DeserializeOwned {
    /// The encoded value.
    fn encode(&self) -> Vec<u8> {
        // Fails only for lists of unknown length; no type here has one.
        postcard::to_allocvec(self).unwrap_or_default()
    }

    /// Decodes a value from all of `bytes`.
    ///
    /// # Errors
    /// If the bytes do not encode exactly one value.
    fn decode(bytes: &[u8]) -> Result<Self, Malformed> {
        match postcard::take_from_bytes(bytes) {
            Ok((value, [])) => Ok(value),
            Ok(_) => Err(Malformed::Long),
            Err(Error::DeserializeUnexpectedEnd) => Err(Malformed::Short),
            Err(_) => Err(Malformed::Content),
        }
    }
}

impl<T: Serialize + DeserializeOwned> Wire for T {}

/// A request of a machine to its server while it runs a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// To [`Question::Call`].
    Reply(#[serde(with = "foreign::value")] Value),
    /// To [`Question::Log`].
    Noted,
    /// To [`Question::May`].
    Permission(crate::Permission),
    /// To [`Question::GoesOn`].
    GoesOn(bool),
}

/// A request to the module with the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EngineRequest {
    /// [`crate::Engine::compile`]
    Compile(Bytes),
    /// [`crate::Engine::run`]
    Run(crate::Job),
}

/// The module's reply to an [`EngineRequest`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Report {
    /// To [`EngineRequest::Compile`]: the compiler's message, if it found an error.
    Compiled(Option<Bytes>),
    /// To [`EngineRequest::Run`].
    Ran(crate::Ran),
}
