//! What a script or a random run talks to: the model, or a real server. Both answer in the same terms.
mod model;
mod process;
mod real;

use std::fmt;

use bytes::Bytes;
use resp::{Protocol, Value};

pub use model::ModelTarget;
pub use process::ServerProcess;
pub use real::{Connection, RealTarget};

/// What one input made one client see.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The client's name in the script.
    pub client: String,
    /// What it saw.
    pub what: What,
}

/// What a client can see.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A reply, a push or a monitor line, in the types of the wire: what RESP2 flattens is flat.
    Message(Value),
    /// No reply: the client waits inside its command.
    Blocked,
    /// No reply, and none to come (`CLIENT REPLY OFF`).
    Silent,
    /// The server closed the connection.
    Closed,
}

/// How a server knows a client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// `CLIENT ID`
    pub id: u64,
    /// `ip:port`
    pub addr: String,
}

/// A server under test. Clients have names; a new name is a new connection.
pub trait Target {
    /// Forgets everything, and starts with these parameters (name, value).
    ///
    /// # Errors
    /// When the server cannot be reached, or refuses a parameter.
    fn reset(&mut self, config: &[(String, String)]) -> Result<(), TargetError>;

    /// Opens a connection.
    ///
    /// # Errors
    /// When the server cannot be reached.
    fn connect(&mut self, client: &str, protocol: Protocol) -> Result<Identity, TargetError>;

    /// Closes a connection from the client's side; what others see of it.
    ///
    /// # Errors
    /// When the server cannot be reached.
    fn disconnect(&mut self, client: &str) -> Result<Vec<Event>, TargetError>;

    /// Sends a command and collects what everybody sees: the sender first, then the others by name.
    ///
    /// # Errors
    /// When the server cannot be reached or speaks no RESP.
    fn send(&mut self, client: &str, argv: &[Bytes]) -> Result<Vec<Event>, TargetError>;

    /// Lets time pass and collects what everybody sees, by name.
    ///
    /// # Errors
    /// When the server cannot be reached or speaks no RESP.
    fn advance(&mut self, by_ms: u64) -> Result<Vec<Event>, TargetError>;

    /// The server's clock: Unix time in ms.
    fn now_ms(&self) -> u64;
}

/// Why a target cannot go on.
#[derive(Debug)]
pub enum TargetError {
    /// The connection or the process failed.
    Io(std::io::Error),
    /// The server said something that is no RESP.
    Reply(resp::decode::ReplyError),
    /// The server refused something that the harness itself needs.
    Refused(String),
    /// A client of that name is not connected.
    NoClient(String),
    /// The server did not answer in time.
    Timeout(String),
}

impl fmt::Display for TargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TargetError::Io(error) => write!(f, "connection to the server: {error}"),
            TargetError::Reply(error) => write!(f, "the server's reply is no RESP: {error}"),
            TargetError::Refused(text) => write!(f, "the server refused: {text}"),
            TargetError::NoClient(name) => write!(f, "client {name} is not connected"),
            TargetError::Timeout(what) => write!(f, "no answer in time: {what}"),
        }
    }
}

impl std::error::Error for TargetError {}

impl From<std::io::Error> for TargetError {
    fn from(error: std::io::Error) -> TargetError {
        TargetError::Io(error)
    }
}

impl From<resp::decode::ReplyError> for TargetError {
    fn from(error: resp::decode::ReplyError) -> TargetError {
        TargetError::Reply(error)
    }
}
