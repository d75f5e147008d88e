//! Between a program and its server: requests wait in a queue, are executed one at a time, and are answered, or get lost.
use bytes::Bytes;
use redis_model::{ClientId, CloseReason};
use resp::Value;
use script::program::{Reply, Request, Thread};
use table::Answer;

use super::{Late, Leg, OpenLine, Phase, TIMED_OUT, TIMEOUT_MS};
use crate::{ClientIndex, Event, EventKind, Happening, NodeIndex, World, node};

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
    const fn thread(self) -> Option<Thread> {
        match self {
            Line::Own(_) => Some(0),
            Line::Thread(_, thread) => Some(thread),
            Line::Subscription(_) => None,
        }
    }
}

/// A request in the server's queue.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Queued {
    /// Whose.
    pub client: ClientIndex,
    /// Which thread's.
    pub thread: Thread,
    /// The command.
    pub argv: Vec<Bytes>,
    /// Through which connection.
    pub(crate) connection: ClientId,
}

/// The reply to a program whose node is down.
fn connection_refused() -> Reply {
    Reply::Value(Value::error("ERR could not connect: connection refused"))
}

/// The reply to a program whose database takes no more connections.
fn too_many_connections() -> Reply {
    Reply::Value(Answer::Failed(node::table::too_many_connections()).to_value())
}

/// The reply to a program after its timeout.
pub(super) fn timed_out() -> Reply {
    Reply::Value(Value::error(TIMED_OUT))
}

impl World {
    /// Requests that wait for the event loop of a node, first come first.
    pub fn queue(&self, node: NodeIndex) -> &[Queued] {
        self.queues.get(node.0).map_or(&[], Vec::as_slice)
    }

    /// Sends a thread's request into the server's queue; over a slow network it travels there first.
    pub(super) fn send(&mut self, client: ClientIndex, thread: Thread, events: &mut Vec<Event>) {
        if let Some((node, queued)) = self.set_out(client, thread, events) {
            self.enqueue(node, queued);
        }
    }

    fn enqueue(&mut self, node: NodeIndex, queued: Queued) {
        self.set_phase(queued.client, queued.thread, Phase::Queued);
        if let Some(queue) = self.queues.get_mut(node.0) {
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
        let Some((node, connection)) = self.line_for(client, thread, events) else {
            self.refuse(client, thread);
            return None;
        };
        let (now_ms, process) = (self.now_ms, self.process(client)?);
        let (delay_ms, timeout_ms) = (self.delay_ms(client, node), process.timeout_ms(thread));
        let has_timeout = process.target(thread).is_some_and(|target| target.timeout_ms.is_some());
        if has_timeout && process.phase(thread) == Some(&Phase::Ready) {
            self.process_mut(client)?.timeouts.push((thread, now_ms.saturating_add(timeout_ms)));
        }
        let process = self.process(client)?;
        if process.phase(thread) == Some(&Phase::Ready) {
            self.happens(events, client, thread, Happening::Sent { argv: argv.clone() });
            if delay_ms > timeout_ms {
                // It arrives like one that is held up.
                self.keep_late(client, Late { thread, node, argv, connection });
                return None;
            }
            if delay_ms > 0 {
                let at_ms = self.now_ms.saturating_add(delay_ms);
                self.set_phase(client, thread, Phase::RequestTravels { at_ms });
                return None;
            }
        }
        Some((node, Queued { client, thread, argv, connection }))
    }

    /// The node of a thread's request is down, or takes no more connections.
    pub(super) fn refuse(&mut self, client: ClientIndex, thread: Thread) {
        let is_up = self.node_of_request(client, thread).is_some_and(|node| self.is_up(node));
        let why = if is_up { too_many_connections() } else { connection_refused() };
        self.set_phase(client, thread, Phase::Answered(why));
    }

    /// What was under way to the server arrives there, though nobody waits for an answer any more.
    fn abandon(&mut self, client: ClientIndex, events: &mut Vec<Event>) {
        let travels = |process: &super::Process| -> Vec<Thread> {
            let under_way = process.phases().filter(|(_, phase)| matches!(phase, Phase::RequestTravels { .. }));
            under_way.map(|(thread, _)| thread).collect()
        };
        for thread in self.process(client).map(travels).unwrap_or_default() {
            self.send(client, thread, events);
        }
    }

    /// The event loop takes the first request of its queue.
    pub(crate) fn serve(&mut self, node: NodeIndex, events: &mut Vec<Event>) {
        if self.queue(node).is_empty() {
            return;
        }
        let Some(queue) = self.queues.get_mut(node.0) else { return };
        let queued = queue.remove(0);
        let phase = self.process(queued.client).and_then(|process| process.phase(queued.thread));
        let is_awaited = phase == Some(&Phase::Queued) && self.lines.contains_key(&(node, queued.connection));
        if !is_awaited {
            // Whoever sent it is gone, or its thread was cancelled; what was sent is done all the same.
            self.execute(node, queued.connection, None, queued.argv, events);
            self.forget(node, queued.connection, events);
            return;
        }
        self.run(node, queued, events);
    }

    /// Sends a request, lets the server come to it, and returns the answer; `None` where it has to be waited for.
    pub(super) fn round_trip(&mut self, client: ClientIndex, thread: Thread, events: &mut Vec<Event>) -> Option<Reply> {
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
        if matches!(self.process(client)?.phase(thread), Some(Phase::Ready | Phase::RequestTravels { .. }))
            && let Some((node, queued)) = self.set_out(client, thread, events)
        {
            if self.queue(node).is_empty() {
                self.run(node, queued, events);
            } else {
                self.enqueue(node, queued);
            }
        }
        // Those who came before it are served before it.
        while self.process(client)?.phase(thread) == Some(&Phase::Queued) && !self.queue(node).is_empty() {
            self.serve(node, events);
        }
        match self.process(client)?.phase(thread) {
            Some(Phase::Answered(reply)) => Some(reply.clone()),
            _ => None,
        }
    }

    /// Loses a request on its way to the server, or the reply on its way back.
    pub(super) fn lose(&mut self, client: ClientIndex, thread: Thread, leg: Leg, events: &mut Vec<Event>) {
        let phase = self.process(client).and_then(|process| process.phase(thread)).cloned();
        match (leg, phase) {
            (Leg::Request, Some(Phase::Ready)) => {
                if let Some(argv) = self.command_of(client, thread) {
                    self.happens(events, client, thread, Happening::Sent { argv });
                }
            }
            (Leg::Request, Some(Phase::Queued)) => {
                for queue in self.queues.iter_mut() {
                    queue.retain(|queued| (queued.client, queued.thread) != (client, thread));
                }
            }
            (Leg::Reply, Some(Phase::Ready | Phase::Queued)) => {
                self.round_trip(client, thread, events);
            }
            _ => {}
        }
        // A client library gives a connection up on which an answer is missing.
        let process = self.process(client);
        let line = match process.and_then(|process| process.request(thread)) {
            Some(Request::Subscribe { .. }) => {
                let connection = process.and_then(|process| process.subscription);
                self.client(client).and_then(|found| Some((found.node, connection?)))
            }
            _ => self.line_of(client, thread),
        };
        if let Some((node, connection)) = line {
            self.forget(node, connection, events);
        }
        let until_ms = self.wait_until_timeout(client, thread);
        self.happens(events, client, thread, Happening::Lost { leg, until_ms });
    }

    /// The thread waits for a reply until its timeout, Unix time in ms, which is returned.
    pub(super) fn wait_until_timeout(&mut self, client: ClientIndex, thread: Thread) -> u64 {
        let now_ms = self.now_ms;
        let at_ms = self
            .process(client)
            .map_or(now_ms.saturating_add(TIMEOUT_MS), |process| process.stops_waiting_ms(thread, now_ms));
        self.set_phase(client, thread, Phase::Until { at_ms, reply: timed_out() });
        at_ms
    }

    /// A thread stops waiting for a reply that is still to come, and does not use that connection again.
    pub(super) fn give_up(&mut self, client: ClientIndex, thread: Thread, events: &mut Vec<Event>) {
        let Some((node, connection)) =
            self.line_of(client, thread).filter(|_| self.command_of(client, thread).is_some())
        else {
            return;
        };
        // The client's own connection may be a new one, made after the loss.
        let is_made = self.process(client).is_some_and(|process| process.target(thread).is_some());
        let is_late = |(whose, to, late): (ClientIndex, NodeIndex, &Late)| {
            (whose, late.thread, to, late.connection) == (client, thread, node, connection)
        };
        if is_made || self.late().any(is_late) {
            self.forget(node, connection, events);
        }
    }

    /// The words of a thread's command.
    pub(super) fn command_of(&self, client: ClientIndex, thread: Thread) -> Option<Vec<Bytes>> {
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
    pub(super) fn is_cut_from_node(&self, client: ClientIndex, thread: Thread) -> bool {
        self.node_of_request(client, thread).is_some_and(|node| self.is_cut(client, node))
    }

    /// Is something of this thread on this way, or about to be, that could be lost? Over a cut link all is.
    pub fn can_lose(&self, client: ClientIndex, thread: Thread, leg: Leg) -> bool {
        let Some(process) = self.process(client) else { return false };
        let delay_ms = self.node_of_request(client, thread).map_or(0, |node| self.delay_ms(client, node));
        // A slow reply is lost once there is one.
        let is_too_soon = leg == Leg::Reply && delay_ms > 0 && process.phase(thread) == Some(&Phase::Ready);
        process.can_lose(thread, leg) && !is_too_soon && !self.is_cut_from_node(client, thread)
    }

    /// Executes a thread's command on its server.
    pub(super) fn run(&mut self, node: NodeIndex, queued: Queued, events: &mut Vec<Event>) {
        let Queued { client, thread, argv, connection } = queued;
        self.set_phase(client, thread, Phase::Blocked);
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

    fn line_of(&self, client: ClientIndex, thread: Thread) -> Option<(NodeIndex, ClientId)> {
        let (found, node) = (self.client(client)?, self.node_of_request(client, thread)?);
        if thread == 0 && node == found.node {
            return Some((node, found.connection?));
        }
        let lines = &self.process(client)?.lines;
        let line = lines.iter().find(|line| (line.thread, line.node) == (thread, node))?;
        Some((node, line.connection))
    }

    /// `None` if the node is down.
    fn subscribe(&mut self, client: ClientIndex, channels: Vec<Bytes>, events: &mut Vec<Event>) -> Option<()> {
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
        if self.queue(node).iter().any(|queued| queued.connection == connection) || self.has_late(node, connection) {
            return;
        }
        if self.table(node).is_some() {
            return self.disconnect_from_table(node, connection, events);
        }
        let clock_ms = self.clock_ms(node);
        self.on_server(node, None, events, |server| server.disconnect(clock_ms, connection));
    }

    fn detach(&mut self, node: NodeIndex, line: Line, connection: ClientId) {
        // What a terminal has not heard ends with its connection.
        if matches!(line, Line::Own(_)) && self.network.holds_for(line.client()) {
            self.network.take_held(line.client(), node);
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

    /// A reply came for a connection: does a thread of a program wait for it? It has it then.
    pub(crate) fn reply_arrives(&mut self, node: NodeIndex, line: Line, value: &Value, events: &mut Vec<Event>) {
        let Some(thread) = line.thread() else { return };
        let client = line.client();
        let waits = self.process(client).and_then(|process| process.phase(thread)) == Some(&Phase::Blocked);
        // It may wait for another node.
        if waits && self.node_of_request(client, thread) == Some(node) {
            self.set_answered(client, thread, value.clone(), events);
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

    /// The server has answered; over a slow network the answer travels for a while, and over a cut link it is lost.
    fn set_answered(&mut self, client: ClientIndex, thread: Thread, value: Value, events: &mut Vec<Event>) {
        let (Some(process), Some(node)) = (self.process(client), self.node_of_request(client, thread)) else { return };
        if self.is_cut(client, node) {
            return self.lose(client, thread, Leg::Reply, events);
        }
        let (delay_ms, timeout_ms) = (self.delay_ms(client, node), process.timeout_ms(thread));
        let now_ms = self.now_ms;
        // Where it has no timeout of its own, the time that a command takes at the server does not count.
        let gives_up_ms =
            process.gives_up_ms(thread).unwrap_or(now_ms.saturating_add(timeout_ms.saturating_sub(delay_ms)));
        let (there_ms, reply) = (now_ms.saturating_add(delay_ms), Reply::Value(value));
        let phase = match delay_ms {
            0 if now_ms <= gives_up_ms => Phase::Answered(reply),
            // The client stops waiting before the reply is there.
            _ if gives_up_ms < there_ms => Phase::Until { at_ms: gives_up_ms.max(now_ms), reply: timed_out() },
            _ => Phase::ReplyTravels { at_ms: there_ms, reply },
        };
        self.set_phase(client, thread, phase);
    }

    /// Loses the requests of a client that were sent to a node and not executed. Threads with an open connection wait until it is closed.
    pub(crate) fn lose_sent(&mut self, client: ClientIndex, node: NodeIndex) {
        let is_sent = |phase: &Phase| matches!(phase, Phase::RequestTravels { .. } | Phase::Queued);
        let Some(process) = self.process(client) else { return };
        let has_late = process.late().iter().any(|late| late.node == node);
        let is_there = |thread| self.line_of(client, thread).is_some_and(|(to, _)| to == node);
        let sent = process.phases().filter(|(thread, phase)| is_sent(phase) && is_there(*thread));
        for thread in sent.map(|(thread, _)| thread).collect::<Vec<_>>() {
            self.set_phase(client, thread, Phase::Blocked);
        }
        if let Some(process) = self.process_mut(client).filter(|_| has_late) {
            process.late.retain(|late| late.node != node);
        }
    }

    pub(super) fn set_phase(&mut self, client: ClientIndex, thread: Thread, phase: Phase) {
        if let Some(place) = self.process_mut(client).and_then(|process| process.phase_mut(thread)) {
            *place = phase;
        }
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
        if self.table(node).is_some() {
            return self.query(node, connection, client, argv, events);
        }
        if let Some(client) = client {
            let server = self.server(node).and_then(|server| server.client(connection));
            let (db, is_in_multi) = server.map_or((0, false), |known| (known.db, known.multi.is_some()));
            self.tell(events, Some(node), EventKind::Command { client, argv: argv.clone(), db, is_in_multi });
        }
        let clock_ms = self.clock_ms(node);
        self.on_server(node, client, events, |server| server.handle(clock_ms, connection, argv));
    }
}
