//! The target of a script or a random run: the model or a real server, behind the same interface.
mod model;
mod process;
mod real;

use std::fmt;

use bytes::Bytes;
use resp::{Protocol, Value};

pub use model::ModelTarget;
pub use process::ServerProcess;
pub use real::{Connection, Parameters, RealTarget};

/// The output of one input for one client.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The client's name in the script.
    pub client: String,
    /// The events.
    pub what: What,
}

/// An event that a client can observe.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A reply, a push or a monitor line, with the types of its protocol: RESP2 has no maps and sets.
    Message(Value),
    /// No reply: the client waits inside its command.
    Blocked,
    /// No reply will come (`CLIENT REPLY OFF`).
    Silent,
    /// The server closed the connection.
    Closed,
}

/// The identity of a client on a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// `CLIENT ID`
    pub id: u64,
    /// `ip:port`
    pub addr: String,
}

/// A server under test. Clients have names; a new name is a new connection.
pub trait Target {
    /// Resets the server, and sets these parameters (name, value).
    ///
    /// # Errors
    /// If the server cannot be reached, or rejects a parameter.
    fn reset(&mut self, config: &[(String, String)]) -> Result<(), TargetError>;

    /// Opens a connection.
    ///
    /// # Errors
    /// If the server cannot be reached.
    fn connect(&mut self, client: &str, protocol: Protocol) -> Result<Identity, TargetError>;

    /// Closes a connection from the client's side; returns what other clients see.
    ///
    /// # Errors
    /// If the server cannot be reached.
    fn disconnect(&mut self, client: &str) -> Result<Vec<Event>, TargetError>;

    /// Sends a command and collects the output of all clients: the sender first, then the others by name.
    ///
    /// # Errors
    /// If the server cannot be reached or sends invalid RESP.
    fn send(&mut self, client: &str, argv: &[Bytes]) -> Result<Vec<Event>, TargetError>;

    /// Lets time pass and collects the output of all clients, by name.
    ///
    /// # Errors
    /// If the server cannot be reached or sends invalid RESP.
    fn advance(&mut self, by_ms: u64) -> Result<Vec<Event>, TargetError>;

    /// The server's clock: Unix time in ms.
    fn now_ms(&self) -> u64;
}

/// Why a target failed.
#[derive(Debug)]
pub enum TargetError {
    /// The connection or the process failed.
    Io(std::io::Error),
    /// The server sent invalid RESP.
    Reply(resp::decode::ReplyError),
    /// The server rejected a command that the harness needs.
    Refused(String),
    /// No client with that name is connected.
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
