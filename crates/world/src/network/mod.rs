//! The network between clients and nodes: links, connections, and what is in flight.
//!
//! ```text
//!   client ──── request ───►╳    node      a cut link loses what a program sends over it, either way; the program waits until its timeout
//!          ◄─── reply ─────────            and does not use that connection again
//!                                          the node notices nothing: the connection stays half-open until the link is mended
//! ```
//! Three things wait for the end of a cut instead, as TCP has it: what is typed and what it is answered, what a node has to tell a client
//! that listens or waits inside a command, and requests that are held up ([`HeldUp`]).
//!
//! ```text
//!   mod.rs         Link, LinkAct, Network: the state of all this
//!   connection.rs  who owns a connection; how programs open and close theirs
//!   request.rs     InFlight: where the request of a thread is
//!   transport.rs   its way: sent, queued, executed, answered, lost
//!   held_up.rs     requests that arrive whenever the scheduler wants
//!   terminal.rs    what is typed over a slow link, and what terminals and subscribers are told over it
//!   act.rs         cut, mend, delay; what a cut link does to a connection
//!   lines.rs       these as lines of a session
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
pub use request::{InFlight, Queued, Stage};
pub use terminal::{Said, Typed};
pub(crate) use transport::timed_out;

/// The link between a client and a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Link {
    /// Does nothing get through?
    pub is_cut: bool,
    /// How long each message takes, in ms; beside what all messages of its client's program take.
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

/// What lies between the clients and the nodes of a world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Network {
    /// Links that are not as they were at first.
    links: SortedMap<(ClientIndex, NodeIndex), Link>,
    /// Connections that a client has given up while its link was cut, by client and node: the node has not heard of it.
    half_open: Vec<(ClientIndex, NodeIndex, ClientId)>,
    /// Requests of threads.
    pub(crate) requests: SortedMap<(ClientIndex, Thread), InFlight>,
    /// Requests that wait for the event loop of each node, also those whose senders are gone.
    pub(crate) queues: Vec<Vec<Queued>>,
    /// Requests that are held up, by client, the oldest first.
    held_up: Vec<HeldUp>,
    /// What was typed and is not there yet, in the order in which it was typed.
    typed: Vec<Typed>,
    /// What nodes have said to terminals and subscribers, in the order in which they have said it.
    said: Vec<Said>,
}

impl Network {
    /// Of a world with so many nodes, in which nothing was sent yet.
    pub(crate) fn new(nodes: usize) -> Network {
        Network {
            links: SortedMap::new(),
            half_open: Vec::new(),
            requests: SortedMap::new(),
            queues: vec![Vec::new(); nodes],
            held_up: Vec::new(),
            typed: Vec::new(),
            said: Vec::new(),
        }
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
    pub(crate) fn drop_half_open(&mut self, node: NodeIndex) {
        self.half_open.retain(|(_, at, _)| *at != node);
    }

    /// Hashes what decides what can still come of a world: times relative to now, no numbers of connections.
    pub(crate) fn hash_canonical<H: Hasher>(&self, world: &World, state: &mut H) {
        // Lengths, so that one list cannot be taken for another.
        (self.requests.len(), self.held_up.len()).hash(state);
        for (sender, request) in self.requests.iter() {
            sender.hash(state);
            request.hash_canonical(world.now_ms(), state);
        }
        for queue in self.queues.iter() {
            queue.len().hash(state);
            queue.iter().for_each(|queued| (queued.client, queued.thread, &queued.argv).hash(state));
        }
        // What is held up will be executed on its connection, which has no owner where no one waits for the reply.
        for found in &self.held_up {
            let is_awaited = world.owners.contains_key(&(found.node, found.connection));
            (found.client, found.thread, found.node, &found.argv, &found.reply, is_awaited).hash(state);
            world.hash_connection(found.node, found.connection, state);
        }
        self.hash_links(world, state);
        if !self.is_silent() {
            self.hash_terminals(world, state);
        }
    }

    fn hash_links<H: Hasher>(&self, world: &World, state: &mut H) {
        if !self.links.is_empty() || !self.half_open.is_empty() {
            self.links.hash(state);
            for (client, node, connection) in &self.half_open {
                (client, node).hash(state);
                world.hash_connection(*node, *connection, state);
            }
        }
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
