//! `StepError`: why the world rejected an input.
use std::fmt;

use crate::traffic::settings::OutOfRange;
use crate::{ClientIndex, NodeIndex};

/// The world rejects an input. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepError {
    /// No virtual client has this number.
    UnknownClient(ClientIndex),
    /// A virtual client with this number already exists.
    ClientExists(ClientIndex),
    /// The maximum number of virtual clients is reached.
    TooManyClients(usize),
    /// The client is blocked in a command: interrupt it first.
    ClientIsBlocked(ClientIndex),
    /// The client is paused: resume it first.
    ClientIsPaused(ClientIndex),
    /// The client has nothing to interrupt.
    ClientIsIdle(ClientIndex),
    /// A command without words.
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
    /// The client's name is too long or has a character that names cannot have.
    BadName,
    /// Another client already has this name: names tell clients apart in the text form.
    NameTaken,
    /// The clock would pass the year 9999.
    EndOfTime,
    /// The world has no player for programs ([`crate::Engines`]).
    NoPlayer,
    /// The command runs a script, and the world has no machine for scripts.
    NoMachine,
    /// The client has no program.
    NoProgram(ClientIndex),
    /// The client's program does not allow this act now.
    NotNow(ClientIndex),
    /// The program is too long.
    ProgramTooLarge {
        /// Bytes given.
        given: usize,
        /// Bytes allowed.
        most: usize,
    },
    /// No server has this number.
    UnknownServer(NodeIndex),
    /// No request is queued at this server.
    NothingToServe(NodeIndex),
    /// The node does not allow this act now: a crashed node cannot crash, a running node cannot start.
    NodeCannot(NodeIndex),
    /// The link does not allow this act now: only a link that is up can be cut, only a cut link can be mended.
    LinkCannot(ClientIndex, NodeIndex),
    /// The maximum number of properties is reached.
    TooManyProperties(usize),
    /// The world already watches this property.
    PropertyExists,
    /// The traffic settings are out of range.
    BadTraffic(OutOfRange),
    /// The world has no traffic.
    NoTraffic,
    /// A machine that is down cannot crash, and one that runs cannot start; machines are numbered from 0. `None`: no machine can.
    MachineCannot(Option<u32>),
    /// More requests are expected in this time than one input may bring.
    TooMuchTraffic(u64),
    /// The timeline has reached its maximum number of steps.
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
            StepError::MachineCannot(Some(machine)) => {
                write!(f, "this cannot be done to machine {} now", machine.saturating_add(1))
            }
            StepError::MachineCannot(None) => f.write_str("this cannot be done to any machine now"),
            StepError::TooMuchTraffic(most) => {
                write!(f, "more than {most} requests are expected in this time: let less time pass at once")
            }
            StepError::NoTraffic => f.write_str("there is no traffic"),
            StepError::TimelineFull(most) => write!(f, "the timeline holds {most} steps and no more"),
        }
    }
}

impl std::error::Error for StepError {}
