//! A client on the stage: a name, a number, and the connection it has just now.

use redis_model::ClientId;

use crate::{NodeIndex, Process};

/// A virtual client. Its number and name outlive its connections.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VirtualClient {
    /// What people call it.
    pub name: String,
    /// The node it talks to.
    pub node: NodeIndex,
    /// Its connection there; `None` after `QUIT` or `CLIENT KILL`, until its next command.
    pub connection: Option<ClientId>,
    /// Does it stand still, without a program? Of one with a program, that knows ([`Process::condition`]).
    pub is_paused: bool,
    /// The program that it runs.
    pub program: Option<Process>,
}
