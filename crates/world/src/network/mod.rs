//! The network between clients and nodes: links, connections, and what is in flight.
//!
//! ```text
//!   client ──── request ───►╳    node      a cut link loses requests and replies of programs; the program waits until its timeout
//!          ◄─── reply ─────────            and does not use that connection again
//!                                          the node does not notice: the connection stays half-open until the link is mended
//! ```
//! Three things wait for the end of a cut instead, as in TCP: typed commands and their replies, what a node sends to a client that is
//! subscribed or blocked, and held-up requests ([`HeldUp`]).
//!
//! ```text
//!   mod.rs         Link, LinkAct, Network: the state of the network
//!   connection.rs  who owns a connection; how programs open and close theirs
//!   request.rs     InFlight: where a thread's request is
//!   transport.rs   how a request travels: sent, queued, executed, answered, lost
//!   held_up.rs     requests that arrive when the scheduler decides
//!   terminal.rs    typed commands over slow links, and values sent to terminals and subscribers
//!   act.rs         cut, mend, delay; what a cut link does to a connection
//!   lines.rs       link acts as lines of a session
//! ```
mod act;
pub(crate) mod connection;
mod held_up;
pub(crate) mod lines;
mod request;
mod terminal;
mod transport;

use std::hash::{Hash, Hasher};

use redis_model::{ClientId, sorted_map::SortedMap};
use script::program::Thread;

use crate::{ClientIndex, NodeIndex, World};

pub(crate) use connection::Owner;
pub use held_up::HeldUp;
pub use request::{InFlight, Queued, RequestStage};
pub use terminal::{Delivery, Typed};
pub(crate) use transport::timed_out;

/// The link between a client and a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Link {
    /// Is the link cut, so that no message gets through?
    pub is_cut: bool,
    /// Delay of each message in ms, in addition to the delay of the client's program.
    pub delay_ms: u64,
}

/// What can be done to a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkAct {
    /// Messages no longer get through.
    Cut,
    /// Messages get through again.
    Mend,
    /// Sets the delay of each message.
    Delay {
        /// The delay in ms; at most [`crate::DELAY_MAX_MS`].
        ms: u64,
    },
}

/// The network between the clients and the nodes of a world.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Network {
    /// Links that differ from the default.
    links: SortedMap<(ClientIndex, NodeIndex), Link>,
    /// Connections that a client gave up while its link was cut, by client and node: the node does not know yet.
    half_open: Vec<(ClientIndex, NodeIndex, ClientId)>,
    /// The requests of threads.
    pub(crate) requests: SortedMap<(ClientIndex, Thread), InFlight>,
    /// The requests queued for a node's event loop, including those of clients that have left. No queue is empty.
    queues: SortedMap<NodeIndex, Vec<Queued>>,
    /// Held-up messages, by client, oldest first.
    held_up: Vec<HeldUp>,
    /// Typed commands in flight, in the order in which they were typed.
    typed: Vec<Typed>,
    /// Values in flight from nodes to terminals and subscribers, in the order in which they were sent.
    said: Vec<Delivery>,
}

impl Network {
    fn link(&self, client: ClientIndex, node: NodeIndex) -> Link {
        self.links.get(&(client, node)).copied().unwrap_or_default()
    }

    /// Does a link of this client differ from the default?
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

    /// A client gives up a connection over a cut link.
    pub(crate) fn leave_half_open(&mut self, client: ClientIndex, node: NodeIndex, connection: ClientId) {
        let after = self.half_open.partition_point(|(other, at, _)| (*other, *at) <= (client, node));
        self.half_open.insert(after, (client, node, connection));
    }

    /// Has the client given up this connection, without the node knowing?
    pub(crate) fn is_half_open(&self, node: NodeIndex, connection: ClientId) -> bool {
        self.half_open.iter().any(|(_, at, id)| (*at, *id) == (node, connection))
    }

    /// The client that has given up a connection, without the node knowing.
    pub(crate) fn client_of_half_open(&self, node: NodeIndex, connection: ClientId) -> Option<ClientIndex> {
        let found = self.half_open.iter().find(|(_, at, id)| (*at, *id) == (node, connection));
        found.map(|(client, ..)| *client)
    }

    /// Removes and returns the given-up connections of a link, to close them at the node.
    fn take_half_open(&mut self, client: ClientIndex, node: NodeIndex) -> Vec<ClientId> {
        let (closed, rest) =
            self.half_open.iter().partition::<Vec<_>, _>(|(other, at, _)| (*other, *at) == (client, node));
        self.half_open = rest;
        closed.into_iter().map(|(.., id)| id).collect()
    }

    /// A node has crashed, and with it all its connections.
    pub(crate) fn drop_half_open(&mut self, node: NodeIndex) {
        self.half_open.retain(|(_, at, _)| *at != node);
    }

    /// Hashes the state that decides the future of a world: times relative to now, no numbers of connections.
    pub(crate) fn hash_canonical<H: Hasher>(&self, world: &World, state: &mut H) {
        // Lengths, so that two different splits into lists have different hashes.
        (self.requests.len(), self.held_up.len()).hash(state);
        for (sender, request) in self.requests.iter() {
            sender.hash(state);
            request.hash_canonical(world.now_ms(), state);
        }
        self.queues.len().hash(state);
        for (node, queue) in self.queues.iter() {
            (node, queue.len()).hash(state);
            queue.iter().for_each(|queued| (queued.client, queued.thread, &queued.argv).hash(state));
        }
        // A held-up request will be executed on its connection, which has no owner if no thread waits for the reply.
        for found in &self.held_up {
            let is_awaited = world.owners.contains_key(&(found.node, found.connection));
            (found.client, found.thread, found.node, &found.argv, &found.reply, is_awaited).hash(state);
            world.hash_connection(found.node, found.connection, state);
        }
        self.hash_links(world, state);
        self.is_silent().hash(state);
        if !self.is_silent() {
            self.hash_terminals(world, state);
        }
    }

    fn hash_links<H: Hasher>(&self, world: &World, state: &mut H) {
        (self.links.is_empty(), self.half_open.len()).hash(state);
        if !self.links.is_empty() || !self.half_open.is_empty() {
            self.links.hash(state);
            for (client, node, connection) in &self.half_open {
                (client, node).hash(state);
                world.hash_connection(*node, *connection, state);
            }
        }
    }
}

// Every step needs these; `act.rs` is part of a chunk of the page (chunks.txt).
impl World {
    /// The link between a client and a node.
    pub fn link(&self, client: ClientIndex, node: NodeIndex) -> Link {
        self.network.link(client, node)
    }

    /// Is the link between the two cut?
    pub fn is_cut(&self, client: ClientIndex, node: NodeIndex) -> bool {
        self.link(client, node).is_cut
    }

    /// How long a message between a client's program and a node takes, in ms.
    pub(crate) fn delay_ms(&self, client: ClientIndex, node: NodeIndex) -> u64 {
        let of_client = self.process(client).map_or(0, crate::Process::delay_ms);
        of_client.saturating_add(self.link(client, node).delay_ms)
    }

    /// Do two clients have equal links?
    pub(crate) fn has_same_links(&self, one: ClientIndex, other: ClientIndex) -> bool {
        let of = |client: ClientIndex| {
            let links = self.network.links.iter().filter(move |((whose, _), _)| *whose == client);
            links.map(|((_, node), link)| (*node, *link))
        };
        of(one).eq(of(other))
    }

    /// The links that are cut.
    pub fn cut_links(&self) -> impl Iterator<Item = (ClientIndex, NodeIndex)> + '_ {
        self.network.links.iter().filter(|(_, link)| link.is_cut).map(|(ends, _)| *ends)
    }
}
