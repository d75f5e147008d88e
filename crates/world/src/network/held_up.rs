//! Requests and replies that are held up in flight.
//!
//! ```text
//!   hold-up   sent, and in flight: the thread waits for a reply until its timeout
//!      │
//!      ├── arrives in time              executed, and the thread gets its reply
//!      ├── arrives after the timeout    executed too; no thread receives the reply
//!      └── arrives after a crash        executed too: the DEL of a client that crashed long ago
//! ```
//! The scheduler decides when a held-up message arrives: it may be later than anything else. A held-up reply was given in time; it can
//! arrive as long as its thread waits for it.
use bytes::Bytes;
use redis_model::ClientId;
use script::program::{Reply, Request, Thread};

use super::Network;
use super::request::{InFlight, Queued, RequestStage};
use crate::programs::{Condition, Phase};
use crate::{ClientIndex, Direction, Event, NodeIndex, ProgramEvent, World};

/// A request or a reply that is held up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HeldUp {
    /// The client that sends or receives it.
    pub client: ClientIndex,
    /// The thread that sent it or waits for it, or a thread with the same number before the client was restarted.
    pub thread: Thread,
    /// The node that sends or receives it.
    pub node: NodeIndex,
    /// The command.
    pub argv: Vec<Bytes>,
    /// The reply, if the reply is held up.
    pub reply: Option<Reply>,
    /// The connection.
    pub(crate) connection: ClientId,
}

impl Network {
    /// Inserts a message after those of the same client; the list is sorted by client, so that two clients' messages give the same state in
    /// either order.
    fn hold_up(&mut self, request: HeldUp) {
        let after = self.held_up.partition_point(|other| other.client <= request.client);
        self.held_up.insert(after, request);
    }

    fn take_held_up(&mut self, client: ClientIndex, nth: usize) -> Option<HeldUp> {
        let (place, _) = self.held_up.iter().enumerate().filter(|(_, found)| found.client == client).nth(nth)?;
        Some(self.held_up.remove(place))
    }
}

impl World {
    /// Can this thread's request or reply be held up? A reply over a slow link can, once it is in flight.
    pub fn can_hold_up(&self, client: ClientIndex, thread: Thread, direction: Direction) -> bool {
        let Some(process) = self.process(client).filter(|process| process.condition() == Condition::Runs) else {
            return false;
        };
        let is_ready = process.phase(thread) == Some(&Phase::Ready);
        let is_answered = || {
            let found = self.in_flight(client, thread).filter(|found| found.connection.is_some());
            found.is_some_and(|found| matches!(found.stage, RequestStage::ToClient { .. }))
        };
        let is_fast = || self.node_of_request(client, thread).is_some_and(|node| self.delay_ms(client, node) == 0);
        let can_be_held_up = match direction {
            Direction::Request => is_ready,
            Direction::Reply => (is_ready && is_fast()) || is_answered(),
        };
        can_be_held_up
            && matches!(process.request(thread), Some(Request::Call { .. }))
            && !self.is_cut_from_node(client, thread)
    }

    /// The client's held-up messages, oldest first.
    pub fn held_up(&self, client: ClientIndex) -> impl Iterator<Item = &HeldUp> {
        self.network.held_up.iter().filter(move |found| found.client == client)
    }

    /// Can a held-up message arrive now? Not over a cut link, and no reply at a paused client.
    pub fn can_arrive(&self, found: &HeldUp) -> bool {
        let is_heard = found.reply.is_none() || !self.is_paused(found.client);
        is_heard && !self.is_cut(found.client, found.node)
    }

    /// Does this client have a held-up message?
    pub(crate) fn has_held_up(&self, client: ClientIndex) -> bool {
        self.held_up(client).next().is_some()
    }

    /// Sends a thread's request, and holds it up.
    pub(crate) fn hold_up(&mut self, client: ClientIndex, thread: Thread, events: &mut Vec<Event>) {
        let Some(argv) = self.command_of(client, thread) else { return };
        let Some((node, connection)) = self.connection_for(client, thread, events) else {
            return self.refuse(client, thread);
        };
        self.emit_program(events, client, thread, ProgramEvent::Sent { argv: argv.clone() });
        self.keep_held_up(HeldUp { client, thread, node, argv, reply: None, connection });
    }

    /// Executes a thread's request and holds up the reply. If there is no immediate reply, nothing is held up.
    pub(crate) fn hold_up_reply(&mut self, client: ClientIndex, thread: Thread, events: &mut Vec<Event>) {
        if self.in_flight(client, thread).is_none() {
            self.round_trip(client, thread, events);
        }
        let Some(InFlight { node, connection: Some(connection), stage: RequestStage::ToClient { reply, .. }, .. }) =
            self.in_flight(client, thread)
        else {
            return;
        };
        let (node, connection, reply) = (*node, *connection, Some(reply.clone()));
        let argv = self.command_of(client, thread).unwrap_or_default();
        self.keep_held_up(HeldUp { client, thread, node, argv, reply, connection });
    }

    /// Drops the held-up replies to a client, or to one of its threads: no thread waits for them now.
    pub(crate) fn drop_held_up_replies(&mut self, client: ClientIndex, thread: Option<Thread>) {
        let is_it = |found: &HeldUp| {
            found.client == client && found.reply.is_some() && thread.is_none_or(|thread| thread == found.thread)
        };
        if self.network.held_up.iter().any(is_it) {
            self.network.held_up.retain(|found| !is_it(found));
        }
    }

    /// Holds up a message until its thread stops waiting for the reply.
    pub(super) fn keep_held_up(&mut self, request: HeldUp) {
        self.wait_until_timeout(request.client, request.thread);
        self.network.hold_up(request);
    }

    /// A held-up message arrives. A request is executed even if no thread waits for its reply.
    pub(crate) fn arrive_late(&mut self, client: ClientIndex, nth: usize, events: &mut Vec<Event>) {
        let Some(HeldUp { thread, node, argv, reply, connection, .. }) = self.network.take_held_up(client, nth) else {
            return;
        };
        if let Some(reply) = reply {
            return self.answer(client, thread, reply, events);
        }
        let awaited = self.process(client).and_then(|process| match (process.phase(thread), process.request(thread)) {
            (Some(Phase::Until { at_ms, .. }), Some(Request::Call { to, .. })) => {
                // A connection's own timeout counts from when the request was sent.
                Some(to.and_then(|to| to.timeout_ms).map(|_| *at_ms))
            }
            _ => None,
        });
        if let Some(gives_up_ms) = awaited
            && self.owners.contains_key(&(node, connection))
        {
            let request = InFlight { node, connection: Some(connection), stage: RequestStage::AtNode, gives_up_ms };
            self.put_in_flight(client, thread, request);
            return self.run(node, Queued { client, thread, argv, connection }, events);
        }
        if self.refusal(node, &argv).is_none() {
            self.execute(node, connection, Some(client), argv, events);
        }
        self.close(node, connection, events);
    }

    /// The client leaves: its held-up requests are queued now, because no scheduler could name them later.
    pub(crate) fn hurry_held_up(&mut self, client: ClientIndex) {
        self.drop_held_up_replies(client, None);
        while let Some(HeldUp { thread, node, argv, connection, .. }) = self.network.take_held_up(client, 0) {
            self.network.enqueue(node, Queued { client, thread, argv, connection });
        }
    }
}
