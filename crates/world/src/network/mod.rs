//! The links between clients and nodes: which are cut, how slow each is, and what can be done to them.
//!
//! ```text
//!   client ──── request ───►╳    node      a cut link loses what is sent over it, either way; the client waits until its timeout
//!          ◄─── reply ─────────            and does not use that connection again
//!                                          the node notices nothing: the connection stays half-open until the link is mended
//! ```
//! Two things wait for the end of a cut instead, as TCP has it: what a node has to tell a client that listens or waits inside a command, and
//! requests that are held up ([`crate::Late`]).
//!
//! ```text
//!   mod.rs     Link, LinkAct, Network: the state of the links
//!   act.rs     cut, mend, delay; what a cut link does to a connection
//!   lines.rs   these as lines of a session
//! ```
mod act;
pub(crate) mod lines;

use std::hash::{Hash, Hasher};

use redis_model::{ClientId, sorted_map::SortedMap};
use resp::Value;

use crate::{ClientIndex, NodeIndex, World};

/// The link between a client and a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Link {
    /// Does nothing get through?
    pub is_cut: bool,
    /// How long each message of a program takes, in ms; beside what all messages of its client take.
    pub delay_ms: u64,
}

/// What can be done to a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkAct {
    /// Nothing gets through from now on.
    Cut,
    /// Messages get through again.
    Mend,
    /// From now on each message takes so long.
    Delay {
        /// How long, in ms; at most [`crate::DELAY_MAX_MS`].
        ms: u64,
    },
}

/// The links of a world that are not as they were at first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Network {
    links: SortedMap<(ClientIndex, NodeIndex), Link>,
    /// Connections that a client has given up while its link was cut, by client and node: the node has not heard of it.
    half_open: Vec<(ClientIndex, NodeIndex, ClientId)>,
    /// What databases have answered to terminals that cannot hear it.
    held: Vec<(ClientIndex, NodeIndex, Value)>,
}

impl Hash for Network {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Where nothing has been done to any link, the fingerprint of a world is what it always was.
        if !self.is_as_at_first() {
            self.links.hash(state);
            self.half_open.hash(state);
            self.held.hash(state);
        }
    }
}

impl Network {
    fn is_as_at_first(&self) -> bool {
        self.links.is_empty() && self.half_open.is_empty() && self.held.is_empty()
    }

    fn link(&self, client: ClientIndex, node: NodeIndex) -> Link {
        self.links.get(&(client, node)).copied().unwrap_or_default()
    }

    /// Was something done to a link of this client?
    pub(crate) fn has_links_of(&self, client: ClientIndex) -> bool {
        self.links.keys().any(|(whose, _)| *whose == client)
    }

    fn set(&mut self, client: ClientIndex, node: NodeIndex, link: Link) {
        if link == Link::default() {
            self.links.remove(&(client, node));
        } else {
            self.links.insert((client, node), link);
        }
    }

    /// A client gives up a connection over a link that is cut.
    pub(crate) fn leave_half_open(&mut self, client: ClientIndex, node: NodeIndex, connection: ClientId) {
        let after = self.half_open.partition_point(|(other, at, _)| (*other, *at) <= (client, node));
        self.half_open.insert(after, (client, node, connection));
    }

    /// Has its client given it up, but its node not heard of it?
    pub(crate) fn is_half_open(&self, node: NodeIndex, connection: ClientId) -> bool {
        self.half_open.iter().any(|(_, at, id)| (*at, *id) == (node, connection))
    }

    /// The client that has given up a connection of which its node has not heard.
    pub(crate) fn client_of_half_open(&self, node: NodeIndex, connection: ClientId) -> Option<ClientIndex> {
        let found = self.half_open.iter().find(|(_, at, id)| (*at, *id) == (node, connection));
        found.map(|(client, ..)| *client)
    }

    /// The connections of a link that its node can be told of now.
    fn take_half_open(&mut self, client: ClientIndex, node: NodeIndex) -> Vec<ClientId> {
        let (closed, rest) =
            self.half_open.iter().partition::<Vec<_>, _>(|(other, at, _)| (*other, *at) == (client, node));
        self.half_open = rest;
        closed.into_iter().map(|(.., id)| id).collect()
    }

    /// A node has crashed, and all its connections with it.
    pub(crate) fn forget_half_open(&mut self, node: NodeIndex) {
        self.half_open.retain(|(_, at, _)| *at != node);
    }

    /// Keeps what a database has answered to a terminal that cannot hear it.
    pub(crate) fn hold(&mut self, client: ClientIndex, node: NodeIndex, answer: Value) {
        self.held.push((client, node, answer));
    }

    /// What was kept for a client, the oldest first.
    pub(crate) fn take_held(&mut self, client: ClientIndex, node: NodeIndex) -> Vec<Value> {
        let (due, rest) = std::mem::take(&mut self.held)
            .into_iter()
            .partition::<Vec<_>, _>(|(other, at, _)| (*other, *at) == (client, node));
        self.held = rest;
        due.into_iter().map(|(.., answer)| answer).collect()
    }

    /// Is there something that a terminal has not heard?
    pub(crate) fn holds_for(&self, client: ClientIndex) -> bool {
        self.held.iter().any(|(other, ..)| *other == client)
    }

    /// Hashes what decides what can still come of a world.
    pub(crate) fn hash_essence<H: Hasher>(&self, world: &World, state: &mut H) {
        if self.is_as_at_first() {
            return;
        }
        self.links.hash(state);
        for (client, node, connection) in &self.half_open {
            (client, node).hash(state);
            world.hash_connection(*node, *connection, state);
        }
        self.held.hash(state);
    }
}

// What every step asks; `act.rs` is part of a chunk of the page (chunks.txt).
impl World {
    /// The link between a client and a node.
    pub fn link(&self, client: ClientIndex, node: NodeIndex) -> Link {
        self.network.link(client, node)
    }

    /// Does nothing get through between the two?
    pub fn is_cut(&self, client: ClientIndex, node: NodeIndex) -> bool {
        self.link(client, node).is_cut
    }

    /// How long a message of a client's program to or from a node takes, in ms.
    pub(crate) fn delay_ms(&self, client: ClientIndex, node: NodeIndex) -> u64 {
        let of_client = self.process(client).map_or(0, crate::Process::delay_ms);
        of_client.saturating_add(self.link(client, node).delay_ms)
    }

    /// Are the links of two clients alike?
    pub(crate) fn has_same_links(&self, one: ClientIndex, other: ClientIndex) -> bool {
        let of = |client: ClientIndex| {
            let links = self.network.links.iter().filter(move |((whose, _), _)| *whose == client);
            links.map(|((_, node), link)| (*node, *link))
        };
        of(one).eq(of(other))
    }

    /// Links that are cut.
    pub fn cut_links(&self) -> impl Iterator<Item = (ClientIndex, NodeIndex)> + '_ {
        self.network.links.iter().filter(|(_, link)| link.is_cut).map(|(ends, _)| *ends)
    }
}
