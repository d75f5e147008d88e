//! The way of a program's request: sent, queued, executed, answered, or lost.
use bytes::Bytes;
use redis_model::ClientId;
use resp::{Protocol, Value};
use script::program::{Reply, Request, Thread};
use table::{Answer, Connection, ConnectionId};

use super::connection::Owner;
use super::held_up::HeldUp;
use super::request::{InFlight, Queued, Stage};
use crate::programs::{Condition, Leg, Phase, TIMED_OUT, TIMEOUT_MS};
use crate::{ClientIndex, Event, EventKind, Happening, NodeIndex, World, node};

/// The reply to a program whose node is down.
fn connection_refused() -> Reply {
    Reply::Value(Value::error("ERR could not connect: connection refused"))
}

/// The reply to a program whose database takes no more connections.
fn too_many_connections() -> Reply {
    Reply::Value(Answer::Failed(node::table::too_many_connections()).to_value())
}

/// The reply to a program after its timeout.
pub(crate) fn timed_out() -> Reply {
    Reply::Value(Value::error(TIMED_OUT))
}

impl World {
    /// Sends a thread's request into the server's queue; over a slow network it travels there first.
    pub(crate) fn send(&mut self, client: ClientIndex, thread: Thread, events: &mut Vec<Event>) {
        if let Some((node, queued)) = self.set_out(client, thread, events) {
            self.enqueue(node, queued);
        }
    }

    fn enqueue(&mut self, node: NodeIndex, queued: Queued) {
        self.set_stage(queued.client, queued.thread, Stage::Queued);
        if let Some(queue) = self.network.queues.get_mut(node.0) {
            queue.push(queued);
        }
    }

    /// Lets a thread's request go, and returns it where it is at its server at once.
    fn set_out(&mut self, client: ClientIndex, thread: Thread, events: &mut Vec<Event>) -> Option<(NodeIndex, Queued)> {
        let argv = self.command_of(client, thread)?;
        if self.is_cut_from_node(client, thread) {
            self.lose(client, thread, Leg::Request, events);
            return None;
        }
        let Some((node, connection)) = self.connection_for(client, thread, events) else {
            self.refuse(client, thread);
            return None;
        };
        if self.process(client)?.phase(thread) == Some(&Phase::Ready) {
            let timeout_ms = self.process(client)?.timeout_ms(thread);
            let delay_ms = self.delay_ms(client, node);
            self.happens(events, client, thread, Happening::Sent { argv: argv.clone() });
            if delay_ms > timeout_ms {
                // It arrives like one that is held up.
                self.keep_held_up(HeldUp { client, thread, node, argv, reply: None, connection });
                return None;
            }
            let at_ms = self.now_ms.saturating_add(delay_ms);
            let has_timeout = self.process(client)?.target(thread).is_some_and(|target| target.timeout_ms.is_some());
            let gives_up_ms = has_timeout.then(|| self.now_ms.saturating_add(timeout_ms));
            let stage = Stage::ToNode { at_ms };
            self.put_in_flight(client, thread, InFlight { node, connection: Some(connection), stage, gives_up_ms });
            if delay_ms > 0 {
                return None;
            }
        }
        Some((node, Queued { client, thread, argv, connection }))
    }

    /// The node of a thread's request is down, or takes no more connections.
    pub(super) fn refuse(&mut self, client: ClientIndex, thread: Thread) {
        let Some(node) = self.node_of_request(client, thread) else { return };
        let reply = if self.is_up(node) { too_many_connections() } else { connection_refused() };
        let stage = Stage::ToClient { at_ms: self.now_ms, reply };
        self.put_in_flight(client, thread, InFlight { node, connection: None, stage, gives_up_ms: None });
    }

    /// What was under way to a node arrives there, though no one waits for a reply any longer.
    pub(super) fn abandon(&mut self, client: ClientIndex, events: &mut Vec<Event>) {
        let under_way = self.requests_of(client).filter(|(_, found)| matches!(found.stage, Stage::ToNode { .. }));
        for thread in under_way.map(|(thread, _)| thread).collect::<Vec<_>>() {
            self.send(client, thread, events);
        }
    }

    /// The event loop takes the first request of its queue.
    pub(crate) fn serve(&mut self, node: NodeIndex, events: &mut Vec<Event>) {
        if self.queue(node).is_empty() {
            return;
        }
        let Some(queue) = self.network.queues.get_mut(node.0) else { return };
        let queued = queue.remove(0);
        let is_awaited = self.stage_of(queued.client, queued.thread) == Some(&Stage::Queued)
            && self.owners.contains_key(&(node, queued.connection));
        if !is_awaited {
            // Its client is gone, or its thread was cancelled; what was sent is done all the same.
            self.execute(node, queued.connection, None, queued.argv, events);
            self.close(node, queued.connection, events);
            return;
        }
        self.run(node, queued, events);
    }

    /// Sends a request, lets the server come to it, and returns the answer; `None` where it has to be waited for.
    pub(crate) fn round_trip(&mut self, client: ClientIndex, thread: Thread, events: &mut Vec<Event>) -> Option<Reply> {
        if let Some(Request::Subscribe { channels }) = self.process(client)?.request(thread) {
            let channels = channels.clone();
            if self.is_cut_from_node(client, thread) {
                self.lose(client, thread, Leg::Request, events);
                return None;
            }
            let is_heard = self.subscribe(client, channels, events).is_some();
            return Some(if is_heard { Reply::Nothing } else { connection_refused() });
        }
        let node = self.node_of_request(client, thread)?;
        let is_to_send = match self.process(client)?.phase(thread)? {
            Phase::Ready => true,
            _ => matches!(self.stage_of(client, thread), Some(Stage::ToNode { .. })),
        };
        if is_to_send && let Some((node, queued)) = self.set_out(client, thread, events) {
            if self.queue(node).is_empty() {
                self.run(node, queued, events);
            } else {
                self.enqueue(node, queued);
            }
        }
        // Those who came before it are served before it.
        while self.stage_of(client, thread) == Some(&Stage::Queued) && !self.queue(node).is_empty() {
            self.serve(node, events);
        }
        match self.stage_of(client, thread) {
            Some(Stage::ToClient { at_ms, reply }) if *at_ms <= self.now_ms => Some(reply.clone()),
            _ => None,
        }
    }

    /// Loses a request on its way to the server, or the reply on its way back.
    pub(crate) fn lose(&mut self, client: ClientIndex, thread: Thread, leg: Leg, events: &mut Vec<Event>) {
        let is_ready = self.process(client).and_then(|process| process.phase(thread)) == Some(&Phase::Ready);
        let is_queued = self.stage_of(client, thread) == Some(&Stage::Queued);
        match leg {
            Leg::Request if is_ready => {
                if let Some(argv) = self.command_of(client, thread) {
                    self.happens(events, client, thread, Happening::Sent { argv });
                }
            }
            Leg::Request if is_queued => {
                for queue in self.network.queues.iter_mut() {
                    queue.retain(|queued| (queued.client, queued.thread) != (client, thread));
                }
            }
            Leg::Reply if is_ready || is_queued => {
                self.round_trip(client, thread, events);
            }
            _ => {}
        }
        // A client library gives a connection up on which an answer is missing.
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
        self.happens(events, client, thread, Happening::Lost { leg, until_ms });
    }

    /// Nothing of the thread is in flight any longer; it waits for a reply until its timeout, Unix time in ms, which is returned.
    pub(super) fn wait_until_timeout(&mut self, client: ClientIndex, thread: Thread) -> u64 {
        let now_ms = self.now_ms;
        // A timeout of its own counts from when the request was sent.
        let own_ms = self.network.requests.remove(&(client, thread)).and_then(|found| found.gives_up_ms);
        let timeout_ms = self.process(client).map_or(TIMEOUT_MS, |process| process.timeout_ms(thread));
        let at_ms = own_ms.map_or(now_ms.saturating_add(timeout_ms), |at_ms| at_ms.max(now_ms));
        self.set_phase(client, thread, Phase::Until { at_ms, reply: timed_out() });
        at_ms
    }

    /// A thread stops waiting for a reply that is still to come, and does not use that connection again.
    pub(crate) fn give_up(&mut self, client: ClientIndex, thread: Thread, events: &mut Vec<Event>) {
        let Some((node, connection)) =
            self.connection_of(client, thread).filter(|_| self.command_of(client, thread).is_some())
        else {
            return;
        };
        // The client's own connection may be a new one, made after the loss.
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

    /// Is the link cut that a thread's request takes?
    pub(crate) fn is_cut_from_node(&self, client: ClientIndex, thread: Thread) -> bool {
        self.node_of_request(client, thread).is_some_and(|node| self.is_cut(client, node))
    }

    /// Is something of this thread on this way, or about to be, that could be lost? Over a cut link all is.
    pub fn can_lose(&self, client: ClientIndex, thread: Thread, leg: Leg) -> bool {
        let Some(process) = self.process(client) else { return false };
        let delay_ms = self.node_of_request(client, thread).map_or(0, |node| self.delay_ms(client, node));
        let can_be_lost = match process.phase(thread) {
            // A slow reply is lost once there is one.
            Some(Phase::Ready) => leg == Leg::Request || delay_ms == 0,
            Some(Phase::Sent) => self.in_flight(client, thread).is_some_and(|found| found.can_be_lost(leg)),
            _ => false,
        };
        process.condition() == Condition::Runs && can_be_lost && !self.is_cut_from_node(client, thread)
    }

    /// Executes a thread's command on its server.
    pub(super) fn run(&mut self, node: NodeIndex, queued: Queued, events: &mut Vec<Event>) {
        let Queued { client, thread, argv, connection } = queued;
        self.set_stage(client, thread, Stage::AtNode);
        if let Some(refusal) = self.refusal(node, &argv) {
            return self.set_answered(client, thread, refusal, events);
        }
        self.execute(node, connection, Some(client), argv, events);
    }

    /// Commands that a program cannot give like any other.
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

    /// A node has answered through a connection: a thread that waits for it has its reply on its way, and a terminal hears it.
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

    /// A reply came for a connection: does a thread of a program wait for it? It has it then.
    pub(crate) fn reply_arrives(
        &mut self,
        node: NodeIndex,
        owner: Owner,
        value: &Value,
        events: &mut Vec<Event>,
    ) -> bool {
        let Some(thread) = owner.thread() else { return false };
        let client = owner.client();
        // It may wait for another node.
        let waits = |found: &InFlight| found.stage == Stage::AtNode && found.node == node;
        let is_awaited = self.in_flight(client, thread).is_some_and(waits);
        if is_awaited {
            self.set_answered(client, thread, value.clone(), events);
        }
        is_awaited
    }

    /// The server has answered; over a slow network the answer travels for a while, and over a cut link it is lost.
    fn set_answered(&mut self, client: ClientIndex, thread: Thread, value: Value, events: &mut Vec<Event>) {
        let (Some(process), Some(node)) = (self.process(client), self.node_of_request(client, thread)) else { return };
        if self.is_cut(client, node) {
            return self.lose(client, thread, Leg::Reply, events);
        }
        let (delay_ms, timeout_ms) = (self.delay_ms(client, node), process.timeout_ms(thread));
        let now_ms = self.now_ms;
        // Where it has no timeout of its own, the time that a command takes at the server does not count.
        let own_ms = self.in_flight(client, thread).and_then(|found| found.gives_up_ms);
        let gives_up_ms = own_ms.unwrap_or(now_ms.saturating_add(timeout_ms.saturating_sub(delay_ms)));
        let at_ms = now_ms.saturating_add(delay_ms);
        if gives_up_ms < at_ms {
            // The client stops waiting before the reply is there.
            self.network.requests.remove(&(client, thread));
            let at_ms = gives_up_ms.max(now_ms);
            return self.set_phase(client, thread, Phase::Until { at_ms, reply: timed_out() });
        }
        self.set_stage(client, thread, Stage::ToClient { at_ms, reply: Reply::Value(value) });
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
