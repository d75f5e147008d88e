//! `VirtualClient`: a client in the learner's view, with a name, a number and its current connection.

use std::rc::Rc;

use redis_model::ClientId;

use crate::{NodeIndex, Process};

/// A virtual client. Its number and name outlive its connections.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VirtualClient {
    /// Its display name.
    pub name: Rc<str>,
    /// The node it connects to.
    pub node: NodeIndex,
    /// Its connection there; `None` after `QUIT` or `CLIENT KILL`, until its next command.
    pub connection: Option<ClientId>,
    /// Is it paused, without a program? With a program, [`Process::condition`] says so.
    pub is_paused: bool,
    /// Its program.
    pub program: Option<Process>,
}
