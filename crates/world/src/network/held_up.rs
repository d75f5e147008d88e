//! Requests and replies that are held up on their way.
//!
//! ```text
//!   hold-up   sent, and under way: the thread waits for a reply until it takes the request for lost
//!      │
//!      ├── arrives in time              executed, and the thread has its reply
//!      ├── arrives after that           executed all the same; no one hears the reply
//!      └── arrives after a crash        the same: the DEL of a client that crashed long ago
//! ```
//! When it arrives, the scheduler decides: it may be later than anything else. A reply that is held up was given in time; it arrives as long as
//! its thread waits for it.
use bytes::Bytes;
use redis_model::ClientId;
use script::program::{Reply, Request, Thread};

use super::Network;
use super::request::{InFlight, Queued, Stage};
use crate::programs::{Condition, Phase};
use crate::{ClientIndex, Event, Happening, Leg, NodeIndex, World};

/// A request or a reply that is held up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HeldUp {
    /// The client at its one end.
    pub client: ClientIndex,
    /// The thread that has sent it, or waits for it, or one of the same number before the client was started again.
    pub thread: Thread,
    /// The node at its other end.
    pub node: NodeIndex,
    /// The command.
    pub argv: Vec<Bytes>,
    /// The reply to it, if that is what is held up.
    pub reply: Option<Reply>,
    /// Through which connection.
    pub(crate) connection: ClientId,
}

impl Network {
    /// Keeps a request that is held up behind those of the same client, by client: two that were sent in either order are the same.
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
    /// Can a request of this thread, or the reply to it, be held up? A reply that is slow anyway can once it is under way.
    pub fn can_hold_up(&self, client: ClientIndex, thread: Thread, leg: Leg) -> bool {
        let Some(process) = self.process(client).filter(|process| process.condition() == Condition::Runs) else {
            return false;
        };
        let is_ready = process.phase(thread) == Some(&Phase::Ready);
        let is_answered = || {
            let found = self.in_flight(client, thread).filter(|found| found.connection.is_some());
            found.is_some_and(|found| matches!(found.stage, Stage::ToClient { .. }))
        };
        let is_fast = || self.node_of_request(client, thread).is_some_and(|node| self.delay_ms(client, node) == 0);
        let can_be_held_up = match leg {
            Leg::Request => is_ready,
            Leg::Reply => (is_ready && is_fast()) || is_answered(),
        };
        can_be_held_up
            && matches!(process.request(thread), Some(Request::Call { .. }))
            && !self.is_cut_from_node(client, thread)
    }

    /// Messages of a client that are held up on their way, the oldest first.
    pub fn held_up(&self, client: ClientIndex) -> impl Iterator<Item = &HeldUp> {
        self.network.held_up.iter().filter(move |found| found.client == client)
    }

    /// Can a message that is held up arrive now? Not over a cut link, and no reply at a client that stands still.
    pub fn can_arrive(&self, found: &HeldUp) -> bool {
        let is_heard = found.reply.is_none() || !self.is_paused(found.client);
        is_heard && !self.is_cut(found.client, found.node)
    }

    /// Is a message of this client held up on its way?
    pub(crate) fn has_held_up(&self, client: ClientIndex) -> bool {
        self.held_up(client).next().is_some()
    }

    /// Sends a thread's request, which does not arrive yet.
    pub(crate) fn hold_up(&mut self, client: ClientIndex, thread: Thread, events: &mut Vec<Event>) {
        let Some(argv) = self.command_of(client, thread) else { return };
        let Some((node, connection)) = self.connection_for(client, thread, events) else {
            return self.refuse(client, thread);
        };
        self.happens(events, client, thread, Happening::Sent { argv: argv.clone() });
        self.keep_held_up(HeldUp { client, thread, node, argv, reply: None, connection });
    }

    /// A thread's request is carried out, and the reply does not arrive yet. Where there is none at once, nothing is held up.
    pub(crate) fn hold_up_reply(&mut self, client: ClientIndex, thread: Thread, events: &mut Vec<Event>) {
        if self.in_flight(client, thread).is_none() {
            self.round_trip(client, thread, events);
        }
        let Some(InFlight { node, connection: Some(connection), stage: Stage::ToClient { reply, .. }, .. }) =
            self.in_flight(client, thread)
        else {
            return;
        };
        let (node, connection, reply) = (*node, *connection, Some(reply.clone()));
        let argv = self.command_of(client, thread).unwrap_or_default();
        self.keep_held_up(HeldUp { client, thread, node, argv, reply, connection });
    }

    /// No one waits for replies any longer to a client, or to one of its threads, that are held up.
    pub(crate) fn drop_held_up_replies(&mut self, client: ClientIndex, thread: Option<Thread>) {
        let is_it = |found: &HeldUp| {
            found.client == client && found.reply.is_some() && thread.is_none_or(|thread| thread == found.thread)
        };
        if self.network.held_up.iter().any(is_it) {
            self.network.held_up.retain(|found| !is_it(found));
        }
    }

    /// A message does not arrive before its thread stops waiting for the reply.
    pub(super) fn keep_held_up(&mut self, request: HeldUp) {
        self.wait_until_timeout(request.client, request.thread);
        self.network.hold_up(request);
    }

    /// A message that was held up arrives. A request is executed whether anyone waits for its reply or not.
    pub(crate) fn arrive_late(&mut self, client: ClientIndex, nth: usize, events: &mut Vec<Event>) {
        let Some(HeldUp { thread, node, argv, reply, connection, .. }) = self.network.take_held_up(client, nth) else {
            return;
        };
        if let Some(reply) = reply {
            return self.answer(client, thread, reply, events);
        }
        let awaited = self.process(client).and_then(|process| match (process.phase(thread), process.request(thread)) {
            (Some(Phase::Until { at_ms, .. }), Some(Request::Call { to, .. })) => {
                // A timeout of the connection's own counts from when the request was sent.
                Some(to.and_then(|to| to.timeout_ms).map(|_| *at_ms))
            }
            _ => None,
        });
        if let Some(gives_up_ms) = awaited
            && self.owners.contains_key(&(node, connection))
        {
            let request = InFlight { node, connection: Some(connection), stage: Stage::AtNode, gives_up_ms };
            self.put_in_flight(client, thread, request);
            return self.run(node, Queued { client, thread, argv, connection }, events);
        }
        if self.refusal(node, &argv).is_none() {
            self.execute(node, connection, Some(client), argv, events);
        }
        self.close(node, connection, events);
    }

    /// The client leaves the stage: what is under way gets into the queue, because no scheduler could name it later.
    pub(crate) fn hurry_held_up(&mut self, client: ClientIndex) {
        self.drop_held_up_replies(client, None);
        while let Some(HeldUp { thread, node, argv, connection, .. }) = self.network.take_held_up(client, 0) {
            if let Some(queue) = self.network.queues.get_mut(node.0) {
                queue.push(Queued { client, thread, argv, connection });
            }
        }
    }
}
