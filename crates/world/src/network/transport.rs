//! How a program's request travels: sent, queued, executed, answered, or lost.
use bytes::Bytes;
use redis_model::ClientId;
use resp::{Protocol, Value};
use script::program::{Reply, Request, Thread};
use table::{Answer, Connection, ConnectionId};

use super::connection::Owner;
use super::held_up::HeldUp;
use super::request::{InFlight, Queued, RequestStage};
use crate::programs::{Condition, Direction, Phase, TIMED_OUT, TIMEOUT_MS};
use crate::{ClientIndex, Event, EventKind, NodeIndex, ProgramEvent, World, node};

/// The error that a program gets if its node is down.
fn connection_refused() -> Reply {
    Reply::Value(Value::error("ERR could not connect: connection refused"))
}

/// The error that a program gets if its database accepts no more connections.
fn too_many_connections() -> Reply {
    Reply::Value(Answer::Failed(node::table::too_many_connections()).to_value())
}

/// The error that a program gets after its timeout.
pub(crate) fn timed_out() -> Reply {
    Reply::Value(Value::error(TIMED_OUT))
}

impl World {
    /// Sends a thread's request into the server's queue; over a slow network it is in flight first.
    pub(crate) fn send(&mut self, client: ClientIndex, thread: Thread, events: &mut Vec<Event>) {
        if let Some((node, queued)) = self.set_out(client, thread, events) {
            self.enqueue(node, queued);
        }
    }

    fn enqueue(&mut self, node: NodeIndex, queued: Queued) {
        self.set_stage(queued.client, queued.thread, RequestStage::Queued);
        self.network.enqueue(node, queued);
    }

    /// Sends a thread's request, and returns it if it reaches its server at once.
    fn set_out(&mut self, client: ClientIndex, thread: Thread, events: &mut Vec<Event>) -> Option<(NodeIndex, Queued)> {
        let argv = self.command_of(client, thread)?;
        if self.is_cut_from_node(client, thread) {
            self.lose(client, thread, Direction::Request, events);
            return None;
        }
        let Some((node, connection)) = self.connection_for(client, thread, events) else {
            self.refuse(client, thread);
            return None;
        };
        if self.process(client)?.phase(thread) == Some(&Phase::Ready) {
            let timeout_ms = self.process(client)?.timeout_ms(thread);
            let delay_ms = self.delay_ms(client, node);
            self.emit_program(events, client, thread, ProgramEvent::Sent { argv: argv.clone() });
            if delay_ms > timeout_ms {
                // It arrives like a held-up request.
                self.keep_held_up(HeldUp { client, thread, node, argv, reply: None, connection });
                return None;
            }
            let at_ms = self.now_ms.saturating_add(delay_ms);
            let has_timeout = self.process(client)?.target(thread).is_some_and(|target| target.timeout_ms.is_some());
            let gives_up_ms = has_timeout.then(|| self.now_ms.saturating_add(timeout_ms));
            let stage = RequestStage::ToNode { at_ms };
            self.put_in_flight(client, thread, InFlight { node, connection: Some(connection), stage, gives_up_ms });
            if delay_ms > 0 {
                return None;
            }
        }
        Some((node, Queued { client, thread, argv, connection }))
    }

    /// The node of a thread's request is down, or accepts no more connections.
    pub(super) fn refuse(&mut self, client: ClientIndex, thread: Thread) {
        let Some(node) = self.node_of_request(client, thread) else { return };
        let reply = if self.is_up(node) { too_many_connections() } else { connection_refused() };
        let stage = RequestStage::ToClient { at_ms: self.now_ms, reply };
        self.put_in_flight(client, thread, InFlight { node, connection: None, stage, gives_up_ms: None });
    }

    /// Requests in flight to a node arrive there, although no thread waits for a reply now.
    pub(super) fn abandon(&mut self, client: ClientIndex, events: &mut Vec<Event>) {
        let under_way =
            self.requests_of(client).filter(|(_, found)| matches!(found.stage, RequestStage::ToNode { .. }));
        for thread in under_way.map(|(thread, _)| thread).collect::<Vec<_>>() {
            self.send(client, thread, events);
        }
    }

    /// The event loop executes the first request of its queue.
    pub(crate) fn serve(&mut self, node: NodeIndex, events: &mut Vec<Event>) {
        if self.queue(node).is_empty() {
            return;
        }
        let Some(queued) = self.network.dequeue(node) else { return };
        let is_awaited = self.stage_of(queued.client, queued.thread) == Some(&RequestStage::Queued)
            && self.owners.contains_key(&(node, queued.connection));
        if !is_awaited {
            // The client is gone or its thread was cancelled; the request is executed all the same.
            self.execute(node, queued.connection, None, queued.argv, events);
            self.close(node, queued.connection, events);
            return;
        }
        self.run(node, queued, events);
    }

    /// Sends a request, lets the server execute it, and returns the reply; `None` if the thread must wait for it.
    pub(crate) fn round_trip(&mut self, client: ClientIndex, thread: Thread, events: &mut Vec<Event>) -> Option<Reply> {
        if let Some(Request::Subscribe { channels }) = self.process(client)?.request(thread) {
            let channels = channels.clone();
            if self.is_cut_from_node(client, thread) {
                self.lose(client, thread, Direction::Request, events);
                return None;
            }
            let is_heard = self.subscribe(client, channels, events).is_some();
            return Some(if is_heard { Reply::Nothing } else { connection_refused() });
        }
        let node = self.node_of_request(client, thread)?;
        let is_to_send = match self.process(client)?.phase(thread)? {
            Phase::Ready => true,
            _ => matches!(self.stage_of(client, thread), Some(RequestStage::ToNode { .. })),
        };
        if is_to_send && let Some((node, queued)) = self.set_out(client, thread, events) {
            if self.queue(node).is_empty() {
                self.run(node, queued, events);
            } else {
                self.enqueue(node, queued);
            }
        }
        // Earlier requests are served first.
        while self.stage_of(client, thread) == Some(&RequestStage::Queued) && !self.queue(node).is_empty() {
            self.serve(node, events);
        }
        match self.stage_of(client, thread) {
            Some(RequestStage::ToClient { at_ms, reply }) if *at_ms <= self.now_ms => Some(reply.clone()),
            _ => None,
        }
    }

    /// Loses a request on its way to the server, or its reply on the way back.
    pub(crate) fn lose(&mut self, client: ClientIndex, thread: Thread, direction: Direction, events: &mut Vec<Event>) {
        let is_ready = self.process(client).and_then(|process| process.phase(thread)) == Some(&Phase::Ready);
        let is_queued = self.stage_of(client, thread) == Some(&RequestStage::Queued);
        match direction {
            Direction::Request if is_ready => {
                if let Some(argv) = self.command_of(client, thread) {
                    self.emit_program(events, client, thread, ProgramEvent::Sent { argv });
                }
            }
            Direction::Request if is_queued => {
                self.network.leave_queues(client, thread);
            }
            Direction::Reply if is_ready || is_queued => {
                self.round_trip(client, thread, events);
            }
            _ => {}
        }
        // A client library gives up a connection with a missing reply.
        let process = self.process(client);
        let owner = match process.and_then(|process| process.request(thread)) {
            Some(Request::Subscribe { .. }) => {
                let connection = process.and_then(|process| process.subscription);
                self.client(client).and_then(|found| Some((found.node, connection?)))
            }
            _ => self.connection_of(client, thread),
        };
        if let Some((node, connection)) = owner {
            self.close(node, connection, events);
        }
        let until_ms = self.wait_until_timeout(client, thread);
        self.emit_program(events, client, thread, ProgramEvent::Lost { direction, until_ms });
    }

    /// Removes the thread's request in flight; the thread waits for a reply until its timeout, which is returned as Unix time in ms.
    pub(super) fn wait_until_timeout(&mut self, client: ClientIndex, thread: Thread) -> u64 {
        let now_ms = self.now_ms;
        // A connection's own timeout counts from when the request was sent.
        let own_ms = self.network.requests.remove(&(client, thread)).and_then(|found| found.gives_up_ms);
        let timeout_ms = self.process(client).map_or(TIMEOUT_MS, |process| process.timeout_ms(thread));
        let at_ms = own_ms.map_or(now_ms.saturating_add(timeout_ms), |at_ms| at_ms.max(now_ms));
        self.set_phase(client, thread, Phase::Until { at_ms, reply: timed_out() });
        at_ms
    }

    /// A thread stops waiting for its reply, and does not use that connection again.
    pub(crate) fn give_up(&mut self, client: ClientIndex, thread: Thread, events: &mut Vec<Event>) {
        let Some((node, connection)) =
            self.connection_of(client, thread).filter(|_| self.command_of(client, thread).is_some())
        else {
            return;
        };
        // The client's own connection may be new, opened after the loss.
        let is_made = self.process(client).is_some_and(|process| process.target(thread).is_some());
        let is_late = |found: &HeldUp| (found.thread, found.node, found.connection) == (thread, node, connection);
        let is_late = self.held_up(client).any(is_late);
        self.drop_held_up_replies(client, Some(thread));
        if is_made || is_late {
            self.close(node, connection, events);
        }
    }

    /// The words of a thread's command.
    pub(crate) fn command_of(&self, client: ClientIndex, thread: Thread) -> Option<Vec<Bytes>> {
        match self.process(client)?.request(thread)? {
            Request::Call { argv, .. } => Some(argv.clone()),
            _ => None,
        }
    }

    /// The node that a thread's request goes to.
    pub fn node_of_request(&self, client: ClientIndex, thread: Thread) -> Option<NodeIndex> {
        let found = self.client(client)?;
        let target = found.program.as_ref().and_then(|process| process.target(thread));
        Some(target.map_or(found.node, |target| NodeIndex::of(target.node)))
    }

    /// Is the link of a thread's request cut?
    pub(crate) fn is_cut_from_node(&self, client: ClientIndex, thread: Thread) -> bool {
        self.node_of_request(client, thread).is_some_and(|node| self.is_cut(client, node))
    }

    /// Is, or could be, a message of this thread in flight in this direction that can be lost? Over a cut link every message is.
    pub fn can_lose(&self, client: ClientIndex, thread: Thread, direction: Direction) -> bool {
        let Some(process) = self.process(client) else { return false };
        let delay_ms = || self.node_of_request(client, thread).map_or(0, |node| self.delay_ms(client, node));
        let can_be_lost = match process.phase(thread) {
            // A slow reply can be lost only once it exists.
            Some(Phase::Ready) => direction == Direction::Request || delay_ms() == 0,
            Some(Phase::Sent) => self.in_flight(client, thread).is_some_and(|found| found.can_be_lost(direction)),
            _ => false,
        };
        process.condition() == Condition::Runs && can_be_lost && !self.is_cut_from_node(client, thread)
    }

    /// Executes a thread's command on its server.
    pub(super) fn run(&mut self, node: NodeIndex, queued: Queued, events: &mut Vec<Event>) {
        let Queued { client, thread, argv, connection } = queued;
        self.set_stage(client, thread, RequestStage::AtNode);
        if let Some(refusal) = self.refusal(node, &argv) {
            return self.set_answered(client, thread, refusal, events);
        }
        self.execute(node, connection, Some(client), argv, events);
    }

    /// The error for commands that a program cannot run in the usual way.
    pub(super) fn refusal(&self, node: NodeIndex, argv: &[Bytes]) -> Option<Value> {
        let too_large = || self.too_large(argv).map(|why| Value::error(format!("ERR {why}")));
        if self.table(node).is_some() {
            return too_large();
        }
        let is_one_of = |at: usize, names: &[&str]| {
            argv.get(at).is_some_and(|word| names.iter().any(|name| word.eq_ignore_ascii_case(name.as_bytes())))
        };
        if is_one_of(0, &["subscribe", "psubscribe", "ssubscribe"]) {
            return Some(Value::error("ERR a program listens with subscribe(channel) and wait_message()"));
        }
        if is_one_of(0, &["monitor", "quit", "sync", "psync"]) {
            return Some(Value::error("ERR this command is not for programs: type it in a terminal"));
        }
        if is_one_of(0, &["client"]) && is_one_of(1, &["reply"]) {
            return Some(Value::error("ERR a program waits for every answer: CLIENT REPLY is not for it"));
        }
        too_large()
    }

    /// A node has replied through a connection: a waiting thread's reply is now in flight, and a terminal receives it.
    pub(crate) fn answer_connection(
        &mut self,
        node: NodeIndex,
        owner: Owner,
        value: Value,
        protocol: Protocol,
        events: &mut Vec<Event>,
    ) -> Option<EventKind> {
        let is_for_thread = self.reply_arrives(node, owner, &value, events);
        if is_for_thread || !matches!(owner, Owner::Client(_)) {
            return Some(EventKind::Reply { client: owner.client(), value, protocol });
        }
        self.say(node, owner, value, protocol, true)
    }

    /// A reply arrives on a connection. If a program thread waits for it, the thread gets it.
    pub(crate) fn reply_arrives(
        &mut self,
        node: NodeIndex,
        owner: Owner,
        value: &Value,
        events: &mut Vec<Event>,
    ) -> bool {
        let Some(thread) = owner.thread() else { return false };
        let client = owner.client();
        // The thread may wait for another node.
        let waits = |found: &InFlight| found.stage == RequestStage::AtNode && found.node == node;
        let is_awaited = self.in_flight(client, thread).is_some_and(waits);
        if is_awaited {
            self.set_answered(client, thread, value.clone(), events);
        }
        is_awaited
    }

    /// The server has replied; over a slow network the reply is in flight for a while, and over a cut link it is lost.
    fn set_answered(&mut self, client: ClientIndex, thread: Thread, value: Value, events: &mut Vec<Event>) {
        let (Some(process), Some(node)) = (self.process(client), self.node_of_request(client, thread)) else { return };
        if self.is_cut(client, node) {
            return self.lose(client, thread, Direction::Reply, events);
        }
        let (delay_ms, timeout_ms) = (self.delay_ms(client, node), process.timeout_ms(thread));
        let now_ms = self.now_ms;
        // Without its own timeout, the time that a command takes at the server does not count.
        let own_ms = self.in_flight(client, thread).and_then(|found| found.gives_up_ms);
        let gives_up_ms = own_ms.unwrap_or(now_ms.saturating_add(timeout_ms.saturating_sub(delay_ms)));
        let at_ms = now_ms.saturating_add(delay_ms);
        if gives_up_ms < at_ms {
            // The client times out before the reply arrives.
            self.network.requests.remove(&(client, thread));
            let at_ms = gives_up_ms.max(now_ms);
            return self.set_phase(client, thread, Phase::Until { at_ms, reply: timed_out() });
        }
        self.set_stage(client, thread, RequestStage::ToClient { at_ms, reply: Reply::Value(value) });
    }

    /// The database that a connection has selected, and whether it has a transaction open.
    pub(super) fn prompt_of(&self, node: NodeIndex, connection: ClientId) -> (usize, bool) {
        if let Some(database) = self.table(node) {
            let known = database.connection(ConnectionId(connection));
            return (0, known.is_some_and(Connection::is_in_transaction));
        }
        let known = self.server(node).and_then(|server| server.client(connection));
        known.map_or((0, false), |known| (known.db, known.multi.is_some()))
    }

    /// Lets a node execute a command.
    pub(crate) fn execute(
        &mut self,
        node: NodeIndex,
        connection: ClientId,
        client: Option<ClientIndex>,
        argv: Vec<Bytes>,
        events: &mut Vec<Event>,
    ) {
        if let Some(client) = client {
            let (db, is_in_multi) = self.prompt_of(node, connection);
            self.emit(events, Some(node), EventKind::Command { client, argv: argv.clone(), db, is_in_multi });
        }
        if self.table(node).is_some() {
            return self.query(node, connection, argv, events);
        }
        let clock_ms = self.clock_ms(node);
        if self.traffic.is_some() {
            return self.execute_beside_traffic(node, (connection, client), argv, events);
        }
        self.on_server(node, client, events, |server| server.handle(clock_ms, connection, argv));
    }
}
