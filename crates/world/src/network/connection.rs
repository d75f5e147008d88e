//! Connections: who owns each, and how programs open and close them.
use bytes::Bytes;
use redis_model::{ClientId, CloseReason};
use resp::Value;
use script::program::Thread;

use crate::programs::ThreadConnection;
use crate::{ClientIndex, Event, EventKind, NodeIndex, ProgramEvent, World};

/// The owner of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Owner {
    /// A client: for typed commands and for the first thread of its program.
    Client(ClientIndex),
    /// A thread of a program: connections made by `connect`, and those of further threads.
    Thread(ClientIndex, Thread),
    /// A program that listens for messages.
    Subscription(ClientIndex),
}

impl Owner {
    /// The owner's client.
    pub(crate) const fn client(self) -> ClientIndex {
        match self {
            Owner::Client(client) | Owner::Thread(client, _) | Owner::Subscription(client) => client,
        }
    }

    /// The event when the server closes the connection; `None` for connections of further threads.
    pub(crate) const fn closed(self, reason: CloseReason) -> Option<EventKind> {
        match self {
            Owner::Client(client) => Some(EventKind::Disconnected { client, reason: Some(reason) }),
            Owner::Subscription(client) => {
                Some(EventKind::Program { client, thread: 0, what: ProgramEvent::Deafened { reason } })
            }
            Owner::Thread(..) => None,
        }
    }

    /// The program thread that sends through it.
    pub(super) const fn thread(self) -> Option<Thread> {
        match self {
            Owner::Client(_) => Some(0),
            Owner::Thread(_, thread) => Some(thread),
            Owner::Subscription(_) => None,
        }
    }
}

impl World {
    /// The connection of a thread, opened if there is none.
    pub(super) fn connection_for(
        &mut self,
        client: ClientIndex,
        thread: Thread,
        events: &mut Vec<Event>,
    ) -> Option<(NodeIndex, ClientId)> {
        if let Some(found) = self.connection_of(client, thread) {
            return Some(found);
        }
        let node = self.node_of_request(client, thread)?;
        if thread == 0 && node == self.client(client)?.node {
            self.connect(client, events);
            return self.connection_of(client, thread);
        }
        let connection = self.open(node, Owner::Thread(client, thread))?;
        self.process_mut(client)?.connections.push(ThreadConnection { thread, node, connection });
        Some((node, connection))
    }

    /// The connection of a thread, if it is open.
    pub(super) fn connection_of(&self, client: ClientIndex, thread: Thread) -> Option<(NodeIndex, ClientId)> {
        let (found, node) = (self.client(client)?, self.node_of_request(client, thread)?);
        if thread == 0 && node == found.node {
            return Some((node, found.connection?));
        }
        let mut open = self.process(client)?.connections.iter();
        let found = open.find(|open| (open.thread, open.node) == (thread, node))?;
        Some((node, found.connection))
    }

    /// Opens a subscription; `None` if the node is down.
    pub(super) fn subscribe(
        &mut self,
        client: ClientIndex,
        channels: Vec<Bytes>,
        events: &mut Vec<Event>,
    ) -> Option<()> {
        let node = self.client(client)?.node;
        let open = self.process(client)?.subscription;
        let connection = open.or_else(|| self.open(node, Owner::Subscription(client)))?;
        if let Some(process) = self.process_mut(client) {
            process.subscription = Some(connection);
        }
        let mut argv = vec![Bytes::from_static(b"SUBSCRIBE")];
        argv.extend(channels);
        self.execute(node, connection, Some(client), argv, events);
        Some(())
    }

    /// Closes the connections of a client's program other than the client's own.
    pub(crate) fn close_all(&mut self, client: ClientIndex, events: &mut Vec<Event>) {
        self.abandon(client, events);
        let Some(own) = self.client(client).map(|found| found.node) else { return };
        let Some(process) = self.process_mut(client) else { return };
        let open = std::mem::take(&mut process.connections).into_iter().map(|open| (open.node, open.connection));
        let subscription = process.subscription.take().map(|connection| (own, connection));
        for (node, connection) in open.chain(subscription).collect::<Vec<_>>() {
            self.close(node, connection, events);
        }
    }

    /// A client closes a connection. Requests already sent through it are still executed; then the node closes it too.
    pub(crate) fn close(&mut self, node: NodeIndex, connection: ClientId, events: &mut Vec<Event>) {
        if let Some(owner) = self.owners.remove(&(node, connection)) {
            self.detach(node, owner, connection);
            if self.is_cut(owner.client(), node) {
                return self.network.leave_half_open(owner.client(), node, connection);
            }
        }
        if self.network.is_half_open(node, connection) {
            return;
        }
        if self.is_anything_under_way(node, connection) {
            return;
        }
        if self.table(node).is_some() {
            return self.disconnect_from_table(node, connection, events);
        }
        let clock_ms = self.clock_ms(node);
        self.on_server(node, None, events, |server| server.disconnect(clock_ms, connection));
    }

    /// Is a request still on its way to the node through this connection?
    fn is_anything_under_way(&self, node: NodeIndex, connection: ClientId) -> bool {
        self.queue(node).iter().any(|queued| queued.connection == connection)
            || self
                .network
                .held_up
                .iter()
                .any(|found| found.reply.is_none() && (found.node, found.connection) == (node, connection))
            || self.network.has_typed(node, connection)
    }

    /// Removes a connection from its client.
    fn detach(&mut self, node: NodeIndex, owner: Owner, connection: ClientId) {
        // Values still in flight are lost with the connection.
        if !self.network.is_silent() {
            self.network.drop_said(node, owner);
        }
        let Some(found) = self.client_mut(owner.client()) else { return };
        match (owner, found.program.as_mut()) {
            (Owner::Client(_), _) => found.connection = None,
            (Owner::Thread(..), Some(process)) => {
                process.connections.retain(|open| (open.node, open.connection) != (node, connection));
            }
            (Owner::Subscription(_), Some(process)) if process.subscription == Some(connection) => {
                process.subscription = None;
            }
            _ => {}
        }
    }

    /// The server or the learner closed a connection: a thread that waits for a reply through it gets an error.
    pub(crate) fn on_disconnect(
        &mut self,
        node: NodeIndex,
        owner: Owner,
        connection: ClientId,
        events: &mut Vec<Event>,
    ) {
        self.reply_arrives(node, owner, &Value::error("ERR the connection was closed"), events);
        self.detach(node, owner, connection);
    }

    /// A message arrives on a connection on which a program listens.
    pub(crate) fn message_arrives(&mut self, client: ClientIndex, value: &Value) {
        let (Value::Push(words) | Value::Array(words)) = value else { return };
        if let [Value::Bulk(kind), Value::Bulk(channel), Value::Bulk(text)] = words.as_slice()
            && kind.as_ref() == b"message"
            && let Some(process) = self.process_mut(client)
        {
            process.inbox.push((channel.clone(), text.clone()));
        }
    }
}
