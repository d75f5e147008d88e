//! Connections: who owns each, and how programs open and close theirs.
use bytes::Bytes;
use redis_model::{ClientId, CloseReason};
use resp::Value;
use script::program::Thread;

use crate::programs::OpenLine;
use crate::{ClientIndex, Event, EventKind, Happening, NodeIndex, World};

/// Whose connection it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Line {
    /// The client's own: what is typed goes through it, and what the first thread of its program asks for.
    Own(ClientIndex),
    /// One of a program's further threads.
    Thread(ClientIndex, Thread),
    /// The one on which a program listens.
    Subscription(ClientIndex),
}

impl Line {
    /// Whose.
    pub(crate) const fn client(self) -> ClientIndex {
        match self {
            Line::Own(client) | Line::Thread(client, _) | Line::Subscription(client) => client,
        }
    }

    /// The event when the server closes it; none for the connections of further threads.
    pub(crate) const fn closed(self, reason: CloseReason) -> Option<EventKind> {
        match self {
            Line::Own(client) => Some(EventKind::Disconnected { client, reason: Some(reason) }),
            Line::Subscription(client) => {
                Some(EventKind::Program { client, thread: 0, what: Happening::Deafened { reason } })
            }
            Line::Thread(..) => None,
        }
    }

    /// The thread of a program that speaks through it.
    pub(super) const fn thread(self) -> Option<Thread> {
        match self {
            Line::Own(_) => Some(0),
            Line::Thread(_, thread) => Some(thread),
            Line::Subscription(_) => None,
        }
    }
}

impl World {
    /// The connection through which a thread speaks, opened where there is none.
    pub(super) fn line_for(
        &mut self,
        client: ClientIndex,
        thread: Thread,
        events: &mut Vec<Event>,
    ) -> Option<(NodeIndex, ClientId)> {
        if let Some(found) = self.line_of(client, thread) {
            return Some(found);
        }
        let node = self.node_of_request(client, thread)?;
        if thread == 0 && node == self.client(client)?.node {
            self.connect(client, events);
            return self.line_of(client, thread);
        }
        let connection = self.open(node, Line::Thread(client, thread))?;
        self.process_mut(client)?.lines.push(OpenLine { thread, node, connection });
        Some((node, connection))
    }

    pub(super) fn line_of(&self, client: ClientIndex, thread: Thread) -> Option<(NodeIndex, ClientId)> {
        let (found, node) = (self.client(client)?, self.node_of_request(client, thread)?);
        if thread == 0 && node == found.node {
            return Some((node, found.connection?));
        }
        let lines = &self.process(client)?.lines;
        let line = lines.iter().find(|line| (line.thread, line.node) == (thread, node))?;
        Some((node, line.connection))
    }

    /// `None` if the node is down.
    pub(super) fn subscribe(
        &mut self,
        client: ClientIndex,
        channels: Vec<Bytes>,
        events: &mut Vec<Event>,
    ) -> Option<()> {
        let node = self.client(client)?.node;
        let open = self.process(client)?.subscription;
        let connection = open.or_else(|| self.open(node, Line::Subscription(client)))?;
        if let Some(process) = self.process_mut(client) {
            process.subscription = Some(connection);
        }
        let mut argv = vec![Bytes::from_static(b"SUBSCRIBE")];
        argv.extend(channels);
        self.execute(node, connection, Some(client), argv, events);
        Some(())
    }

    /// Closes the connections that a program has beside the client's own.
    pub(crate) fn hang_up(&mut self, client: ClientIndex, events: &mut Vec<Event>) {
        self.abandon(client, events);
        let Some(own) = self.client(client).map(|found| found.node) else { return };
        let Some(process) = self.process_mut(client) else { return };
        let lines = std::mem::take(&mut process.lines).into_iter().map(|line| (line.node, line.connection));
        let subscription = process.subscription.take().map(|connection| (own, connection));
        for (node, connection) in lines.chain(subscription).collect::<Vec<_>>() {
            self.forget(node, connection, events);
        }
    }

    /// A connection that nobody listens to any more. What was sent through it is still executed, and then it closes.
    pub(crate) fn forget(&mut self, node: NodeIndex, connection: ClientId, events: &mut Vec<Event>) {
        if let Some(line) = self.lines.remove(&(node, connection)) {
            self.detach(node, line, connection);
            if self.is_cut(line.client(), node) {
                return self.network.leave_half_open(line.client(), node, connection);
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

    /// Does a node still get a request through this connection?
    fn is_anything_under_way(&self, node: NodeIndex, connection: ClientId) -> bool {
        self.queue(node).iter().any(|queued| queued.connection == connection)
            || self
                .network
                .held_up
                .iter()
                .any(|found| found.reply.is_none() && (found.node, found.connection) == (node, connection))
            || self.network.has_typed(node, connection)
    }

    fn detach(&mut self, node: NodeIndex, line: Line, connection: ClientId) {
        // What has not been heard ends with its connection.
        if !self.network.is_silent() {
            self.network.drop_said(node, line);
        }
        let Some(found) = self.client_mut(line.client()) else { return };
        match (line, found.program.as_mut()) {
            (Line::Own(_), _) => found.connection = None,
            (Line::Thread(..), Some(process)) => {
                process.lines.retain(|line| (line.node, line.connection) != (node, connection));
            }
            (Line::Subscription(_), Some(process)) if process.subscription == Some(connection) => {
                process.subscription = None;
            }
            _ => {}
        }
    }

    /// A connection was closed by the server, or by hand: whoever waits for an answer through it learns of that.
    pub(crate) fn line_breaks(&mut self, node: NodeIndex, line: Line, connection: ClientId, events: &mut Vec<Event>) {
        self.reply_arrives(node, line, &Value::error("ERR the connection was closed"), events);
        self.detach(node, line, connection);
    }

    /// A message came for a connection on which a program listens.
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
