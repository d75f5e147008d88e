//! Typed commands in flight to a node, and values in flight from nodes to terminals and subscribers.
//!
//! ```text
//!   terminal ── Typed ──► node          at once, unless the link is slow
//!            ◄─ Said ────               in the order of sending; held back by a cut link or a paused client
//! ```
//! Unlike a program, a terminal has no timeout: as in TCP, what is in flight when a link is cut arrives once the link is mended.
mod slow;

use std::hash::{Hash, Hasher};

use bytes::Bytes;
use redis_model::ClientId;
use resp::{Protocol, Value};

use super::Network;
use super::connection::Owner;
use crate::{ClientIndex, Event, EventKind, NodeIndex, World};

/// A typed command in flight to the node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Typed {
    /// The client that typed it.
    pub client: ClientIndex,
    /// The node that it is sent to.
    pub node: NodeIndex,
    /// The command.
    pub argv: Vec<Bytes>,
    /// When it arrives, Unix time in ms.
    pub at_ms: u64,
    connection: ClientId,
}

/// A value in flight from a node to a client.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Delivery {
    /// The client that receives it.
    pub client: ClientIndex,
    /// The node that sent it.
    pub node: NodeIndex,
    /// When it arrives, Unix time in ms.
    pub at_ms: u64,
    /// Is it the reply to the typed command? Otherwise it is a message.
    pub is_reply: bool,
    /// The value.
    pub value: Value,
    protocol: Protocol,
    owner: Owner,
}

impl Network {
    /// Is nothing of terminals and subscribers in flight?
    pub(crate) fn is_silent(&self) -> bool {
        self.typed.is_empty() && self.said.is_empty()
    }

    /// Is a command of this terminal, or its reply, in flight?
    pub(crate) fn is_under_way(&self, client: ClientIndex) -> bool {
        self.typed.iter().any(|typed| typed.client == client)
            || self.said.iter().any(|said| said.client == client && said.is_reply)
    }

    /// Is a command that was typed through this connection in flight?
    pub(super) fn has_typed(&self, node: NodeIndex, connection: ClientId) -> bool {
        self.typed.iter().any(|typed| (typed.node, typed.connection) == (node, connection))
    }

    /// A client closed its connection: it receives nothing more through it.
    pub(super) fn drop_said(&mut self, node: NodeIndex, owner: Owner) {
        if self.said.iter().any(|said| (said.node, said.owner) == (node, owner)) {
            self.said.retain(|said| (said.node, said.owner) != (node, owner));
        }
    }

    /// A node has crashed, and with it all its connections.
    pub(crate) fn drop_terminals_at(&mut self, node: NodeIndex) {
        if !self.is_silent() {
            self.typed.retain(|typed| typed.node != node);
            self.said.retain(|said| said.node != node);
        }
    }

    #[inline(never)]
    pub(super) fn hash_terminals<H: Hasher>(&self, world: &World, state: &mut H) {
        (self.typed.len(), self.said.len()).hash(state);
        for typed in &self.typed {
            (typed.client, typed.node, &typed.argv, typed.at_ms.saturating_sub(world.now_ms())).hash(state);
            world.hash_connection(typed.node, typed.connection, state);
        }
        for said in &self.said {
            let in_ms = said.at_ms.saturating_sub(world.now_ms());
            (said.client, said.node, in_ms, said.is_reply, &said.value, said.protocol, said.owner).hash(state);
        }
    }
}

impl World {
    /// The typed commands in flight, in the order in which they were typed.
    pub fn typed(&self) -> &[Typed] {
        &self.network.typed
    }

    /// The values in flight from nodes to terminals and subscribers.
    pub fn said(&self) -> &[Delivery] {
        &self.network.said
    }

    /// Sends a command typed through the client's own connection.
    pub(crate) fn send_typed(&mut self, client: ClientIndex, argv: Vec<Bytes>, events: &mut Vec<Event>) {
        let Some((node, connection)) = self.address(client) else { return };
        match self.link(client, node).delay_ms {
            // It arrives at once.
            0 => self.execute(node, connection, Some(client), argv, events),
            delay_ms => self.type_slowly(Typed { client, node, argv, at_ms: delay_ms, connection }, events),
        }
    }

    /// A node sends a value through a connection. Returns the event if the value arrives at once.
    pub(crate) fn say(
        &mut self,
        node: NodeIndex,
        owner: Owner,
        value: Value,
        protocol: Protocol,
        is_reply: bool,
    ) -> Option<EventKind> {
        let client = owner.client();
        let delay_ms = self.link(client, node).delay_ms;
        if delay_ms == 0 && self.network.said.is_empty() {
            return Some(self.hear(owner, value, protocol, is_reply));
        }
        self.say_slowly(Delivery { client, node, at_ms: delay_ms, is_reply, value, protocol, owner })
    }

    /// Keeps a database's reply for a terminal that cannot receive it now.
    #[inline(never)]
    pub(crate) fn keep_for(&mut self, node: NodeIndex, owner: Owner, value: Value) {
        let (client, at_ms) = (owner.client(), self.now_ms);
        self.network.said.push(Delivery {
            client,
            node,
            at_ms,
            is_reply: true,
            value,
            protocol: Protocol::Resp3,
            owner,
        });
    }

    fn hear(&mut self, owner: Owner, value: Value, protocol: Protocol, is_reply: bool) -> EventKind {
        let client = owner.client();
        if is_reply {
            return EventKind::Reply { client, value, protocol };
        }
        if let Owner::Subscription(client) = owner {
            self.message_arrives(client, &value);
        }
        EventKind::Push { client, value, protocol }
    }

    /// When the next of these messages arrives, Unix time in ms.
    pub(crate) fn next_arrival_ms(&self) -> Option<u64> {
        if self.network.is_silent() { None } else { self.next_arrival().map(|(at_ms, ..)| at_ms) }
    }

    /// Delivers everything that is due. Called after time passes, or a link or client lets messages through again.
    pub(crate) fn let_arrive(&mut self, events: &mut Vec<Event>) {
        if !self.network.is_silent() {
            self.arrivals(events);
        }
    }

    /// A node closes a connection: values that it sent before arrive first.
    pub(crate) fn hear_out(&mut self, node: NodeIndex, connection: ClientId, events: &mut Vec<Event>) {
        let Some(owner) = self.owners.get(&(node, connection)).copied().filter(|_| !self.network.said.is_empty())
        else {
            return;
        };
        while let Some(place) = self.network.said.iter().position(|said| (said.node, said.owner) == (node, owner)) {
            let Delivery { owner, value, protocol, is_reply, .. } = self.network.said.remove(place);
            let kind = self.hear(owner, value, protocol, is_reply);
            self.emit(events, Some(node), kind);
        }
    }
}
