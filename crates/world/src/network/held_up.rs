//! Requests that are held up on their way.
//!
//! ```text
//!   hold-up   sent, and under way: the thread waits for a reply until it takes the request for lost
//!      │
//!      ├── arrives in time              executed, and the thread has its reply
//!      ├── arrives after that           executed all the same; no one hears the reply
//!      └── arrives after a crash        the same: the DEL of a client that crashed long ago
//! ```
//! When it arrives, the scheduler decides: it may be later than anything else.
use bytes::Bytes;
use redis_model::ClientId;
use script::program::{Request, Thread};

use super::Network;
use super::request::{InFlight, Queued, Stage};
use crate::programs::Phase;
use crate::{ClientIndex, Event, Happening, NodeIndex, World};

/// A request that is held up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HeldUp {
    /// The client that has sent it.
    pub client: ClientIndex,
    /// The thread that has sent it, or one of the same number before the client was started again.
    pub thread: Thread,
    /// Where it goes.
    pub node: NodeIndex,
    /// The command.
    pub argv: Vec<Bytes>,
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
    /// Can a request of this thread be held up?
    pub fn can_hold_up(&self, client: ClientIndex, thread: Thread) -> bool {
        let Some(process) = self.process(client) else { return false };
        process.phase(thread) == Some(&Phase::Ready)
            && matches!(process.request(thread), Some(Request::Call { .. }))
            && self.can_go_on(client, thread)
            && !self.is_cut_from_node(client, thread)
    }

    /// Requests of a client that are held up on their way, the oldest first.
    pub fn held_up(&self, client: ClientIndex) -> impl Iterator<Item = &HeldUp> {
        self.network.held_up.iter().filter(move |found| found.client == client)
    }

    /// Is a request of this client held up on its way?
    pub(crate) fn has_held_up(&self, client: ClientIndex) -> bool {
        self.held_up(client).next().is_some()
    }

    /// Sends a thread's request, which does not arrive yet.
    pub(crate) fn hold_up(&mut self, client: ClientIndex, thread: Thread, events: &mut Vec<Event>) {
        let Some(argv) = self.command_of(client, thread) else { return };
        let Some((node, connection)) = self.line_for(client, thread, events) else {
            return self.refuse(client, thread);
        };
        self.happens(events, client, thread, Happening::Sent { argv: argv.clone() });
        self.keep_held_up(HeldUp { client, thread, node, argv, connection });
    }

    /// A request does not arrive before its thread stops waiting for the reply.
    pub(super) fn keep_held_up(&mut self, request: HeldUp) {
        self.wait_until_timeout(request.client, request.thread);
        self.network.hold_up(request);
    }

    /// A request that was held up arrives, and is executed whether anyone waits for its reply or not.
    pub(crate) fn arrive_late(&mut self, client: ClientIndex, nth: usize, events: &mut Vec<Event>) {
        let Some(HeldUp { thread, node, argv, connection, .. }) = self.network.take_held_up(client, nth) else {
            return;
        };
        let awaited = self.process(client).and_then(|process| match (process.phase(thread), process.request(thread)) {
            (Some(Phase::Until { at_ms, .. }), Some(Request::Call { to, .. })) => {
                // A timeout of the connection's own counts from when the request was sent.
                Some(to.and_then(|to| to.timeout_ms).map(|_| *at_ms))
            }
            _ => None,
        });
        if let Some(gives_up_ms) = awaited
            && self.lines.contains_key(&(node, connection))
        {
            let request = InFlight { node, connection: Some(connection), stage: Stage::AtNode, gives_up_ms };
            self.put_in_flight(client, thread, request);
            return self.run(node, Queued { client, thread, argv, connection }, events);
        }
        if self.refusal(node, &argv).is_none() {
            self.execute(node, connection, Some(client), argv, events);
        }
        self.forget(node, connection, events);
    }

    /// The client leaves the stage: what is under way gets into the queue, because no scheduler could name it later.
    pub(crate) fn hurry_held_up(&mut self, client: ClientIndex) {
        while let Some(HeldUp { thread, node, argv, connection, .. }) = self.network.take_held_up(client, 0) {
            if let Some(queue) = self.network.queues.get_mut(node.0) {
                queue.push(Queued { client, thread, argv, connection });
            }
        }
    }
}
