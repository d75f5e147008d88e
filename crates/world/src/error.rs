//! Why an input was not taken.
use std::fmt;

use crate::traffic::settings::OutOfRange;
use crate::{ClientIndex, NodeIndex};

/// An input that the world refuses; nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepError {
    /// No virtual client has this number.
    UnknownClient(ClientIndex),
    /// A virtual client of this number is there already.
    ClientExists(ClientIndex),
    /// No more virtual clients than this.
    TooManyClients(usize),
    /// It waits inside a command: interrupt it first.
    ClientIsBlocked(ClientIndex),
    /// It stands still: it has to go on first.
    ClientIsPaused(ClientIndex),
    /// Nothing to interrupt.
    ClientIsIdle(ClientIndex),
    /// A command without a word.
    EmptyCommand,
    /// More words than a command may have.
    TooManyArguments {
        /// Words given.
        given: usize,
        /// Words allowed.
        most: usize,
    },
    /// A command longer than `proto-max-bulk-len`.
    CommandTooLarge {
        /// Bytes given.
        given: usize,
        /// Bytes allowed.
        most: usize,
    },
    /// A client's name longer than this many bytes, or with a character that a name may not have.
    BadName,
    /// Another client is called so: names tell clients apart in the text form.
    NameTaken,
    /// The clock would pass the year 9999.
    EndOfTime,
    /// The world has nothing that plays programs ([`crate::Engines`]).
    NoPlayer,
    /// The command runs a script, and the world has nothing that does that.
    NoMachine,
    /// The client has no program.
    NoProgram(ClientIndex),
    /// This cannot be done to its program at this moment.
    NotNow(ClientIndex),
    /// A program longer than this.
    ProgramTooLarge {
        /// Bytes given.
        given: usize,
        /// Bytes allowed.
        most: usize,
    },
    /// No server has this number.
    UnknownServer(NodeIndex),
    /// No request waits for this server.
    NothingToServe(NodeIndex),
    /// This cannot be done to this node at this moment: one that is down cannot crash, one that runs cannot start.
    NodeCannot(NodeIndex),
    /// This cannot be done to the link between the two at this moment: one that is cut cannot be cut, only that one can be mended.
    LinkCannot(ClientIndex, NodeIndex),
    /// No more properties than this.
    TooManyProperties(usize),
    /// This property is watched already.
    PropertyExists,
    /// Traffic cannot be set up so.
    BadTraffic(OutOfRange),
    /// There is no traffic.
    NoTraffic,
    /// More requests are expected in this time than one input lets come.
    TooMuchTraffic(u64),
    /// The timeline holds no more steps than this.
    TimelineFull(usize),
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepError::UnknownClient(client) => write!(f, "there is no client number {client}"),
            StepError::ClientExists(client) => write!(f, "client number {client} is there already"),
            StepError::TooManyClients(most) => write!(f, "there are {most} clients, which is all there can be"),
            StepError::ClientIsBlocked(client) => write!(f, "client number {client} waits inside a command"),
            StepError::ClientIsPaused(client) => write!(f, "client number {client} stands still"),
            StepError::ClientIsIdle(client) => write!(f, "client number {client} does not wait"),
            StepError::EmptyCommand => f.write_str("a command needs at least one word"),
            StepError::TooManyArguments { given, most } => write!(f, "{given} words where {most} are allowed"),
            StepError::CommandTooLarge { given, most } => write!(f, "{given} bytes where {most} are allowed"),
            StepError::BadName => f.write_str("a name has 1 to 32 bytes, none of them a blank, a quote or `>`"),
            StepError::NameTaken => f.write_str("another client is called so"),
            StepError::EndOfTime => f.write_str("the clock ends with the year 9999"),
            StepError::NoPlayer => f.write_str("programs cannot be played here"),
            StepError::NoMachine => f.write_str("scripts cannot be run here"),
            StepError::NoProgram(client) => write!(f, "client number {client} has no program"),
            StepError::NotNow(client) => write!(f, "this cannot be done to the program of client number {client} now"),
            StepError::ProgramTooLarge { given, most } => {
                write!(f, "{given} bytes of program where {most} are allowed")
            }
            StepError::UnknownServer(node) => write!(f, "there is no server number {node}"),
            StepError::NodeCannot(node) => write!(f, "this cannot be done to node number {node} now"),
            StepError::LinkCannot(client, node) => {
                write!(f, "this cannot be done to the link of client number {client} and node number {node} now")
            }
            StepError::NothingToServe(node) => write!(f, "no request waits for server number {node}"),
            StepError::TooManyProperties(most) => write!(f, "{most} properties are watched, which is all there can be"),
            StepError::PropertyExists => f.write_str("this property is watched already"),
            StepError::BadTraffic(why) => why.fmt(f),
            StepError::TooMuchTraffic(most) => {
                write!(f, "more than {most} requests are expected in this time: let less time pass at once")
            }
            StepError::NoTraffic => f.write_str("there is no traffic"),
            StepError::TimelineFull(most) => write!(f, "the timeline holds {most} steps and no more"),
        }
    }
}

impl std::error::Error for StepError {}
