//! What is typed on its way to a node, and what nodes say to terminals and subscribers on its way back.
//!
//! ```text
//!   terminal ── Typed ──► node          at once where the link is not slow
//!            ◄─ Said ────               in the order in which it was said; a cut link and a client that stands still keep it
//! ```
//! Unlike a program, a terminal has no timeout: as TCP has it, what is under way when a link is cut arrives once the link is mended.
mod slow;

use std::hash::{Hash, Hasher};

use bytes::Bytes;
use redis_model::ClientId;
use resp::{Protocol, Value};

use super::Network;
use super::connection::Owner;
use crate::{ClientIndex, Event, EventKind, NodeIndex, World};

/// A command that was typed, on its way to the node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Typed {
    /// The client that has typed it.
    pub client: ClientIndex,
    /// Where it goes.
    pub node: NodeIndex,
    /// The command.
    pub argv: Vec<Bytes>,
    /// When it is there, Unix time in ms.
    pub at_ms: u64,
    connection: ClientId,
}

/// Something that a node has said to a client, on its way there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Said {
    /// Where it goes.
    pub client: ClientIndex,
    /// The node that has said it.
    pub node: NodeIndex,
    /// When it is there, Unix time in ms.
    pub at_ms: u64,
    /// Is it the reply to what was typed? Otherwise it is a message that the client has not just asked for.
    pub is_reply: bool,
    /// What.
    pub value: Value,
    protocol: Protocol,
    owner: Owner,
}

impl Network {
    /// Is nothing of terminals and subscribers under way?
    pub(crate) fn is_silent(&self) -> bool {
        self.typed.is_empty() && self.said.is_empty()
    }

    /// Is a command of this terminal, or the reply to one, under way?
    pub(crate) fn is_under_way(&self, client: ClientIndex) -> bool {
        self.typed.iter().any(|typed| typed.client == client)
            || self.said.iter().any(|said| said.client == client && said.is_reply)
    }

    /// Is anything that was typed through this connection under way?
    pub(super) fn has_typed(&self, node: NodeIndex, connection: ClientId) -> bool {
        self.typed.iter().any(|typed| (typed.node, typed.connection) == (node, connection))
    }

    /// A client has closed its connection: it hears nothing more of it.
    pub(super) fn drop_said(&mut self, node: NodeIndex, owner: Owner) {
        if self.said.iter().any(|said| (said.node, said.owner) == (node, owner)) {
            self.said.retain(|said| (said.node, said.owner) != (node, owner));
        }
    }

    /// A node has crashed, and all its connections with it.
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
    /// What was typed and is on its way to a node, in the order in which it was typed.
    pub fn typed(&self) -> &[Typed] {
        &self.network.typed
    }

    /// What nodes have said to terminals and subscribers, and is on its way there.
    pub fn said(&self) -> &[Said] {
        &self.network.said
    }

    /// Sends a command that was typed through the client's own connection.
    pub(crate) fn send_typed(&mut self, client: ClientIndex, argv: Vec<Bytes>, events: &mut Vec<Event>) {
        let Some((node, connection)) = self.address(client) else { return };
        match self.link(client, node).delay_ms {
            // It is there at once.
            0 => self.execute(node, connection, Some(client), argv, events),
            delay_ms => self.type_slowly(Typed { client, node, argv, at_ms: delay_ms, connection }, events),
        }
    }

    /// A node says something through a connection. Returns the event where it is heard at once.
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
        self.say_slowly(Said { client, node, at_ms: delay_ms, is_reply, value, protocol, owner })
    }

    /// A database answers a terminal that cannot hear it.
    #[inline(never)]
    pub(crate) fn keep_for(&mut self, node: NodeIndex, owner: Owner, value: Value) {
        let (client, at_ms) = (owner.client(), self.now_ms);
        self.network.said.push(Said { client, node, at_ms, is_reply: true, value, protocol: Protocol::Resp3, owner });
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

    /// When something of terminals and subscribers arrives, Unix time in ms.
    pub(crate) fn next_arrival_ms(&self) -> Option<u64> {
        if self.network.is_silent() { None } else { self.next_arrival().map(|(at_ms, ..)| at_ms) }
    }

    /// Everything that is there by now arrives. Called after whatever lets time pass, or lets something through.
    pub(crate) fn let_arrive(&mut self, events: &mut Vec<Event>) {
        if !self.network.is_silent() {
            self.arrivals(events);
        }
    }

    /// A node closes a connection: what it has said through it is heard before that.
    pub(crate) fn hear_out(&mut self, node: NodeIndex, connection: ClientId, events: &mut Vec<Event>) {
        let Some(owner) = self.owners.get(&(node, connection)).copied().filter(|_| !self.network.said.is_empty())
        else {
            return;
        };
        while let Some(place) = self.network.said.iter().position(|said| (said.node, said.owner) == (node, owner)) {
            let Said { owner, value, protocol, is_reply, .. } = self.network.said.remove(place);
            let kind = self.hear(owner, value, protocol, is_reply);
            self.emit(events, Some(node), kind);
        }
    }
}
