//! Requests in flight: where each request is, from when a thread sends it until the thread has its reply.
//!
//! ```text
//!   thread ── ToNode ──► Queued ──► AtNode ── ToClient ──► thread
//!               │           │          │          │
//!               └───────────┴── lost ──┴──────────┘   the thread waits until its timeout (Phase::Until), and nothing is in flight
//! ```
//! A thread has at most one request in flight. If the sender is gone, its request stays in the node's queue and is executed without a
//! reply.
use std::hash::{Hash, Hasher};

use bytes::Bytes;
use redis_model::ClientId;
use script::program::{Reply, Thread};

use super::Network;
use crate::programs::{Condition, Direction, Phase};
use crate::{ClientIndex, NodeIndex, World};

/// A request of a thread, from when it is sent until the thread has its reply.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InFlight {
    /// The node that it is sent to.
    pub node: NodeIndex,
    /// Its connection; `None` if the node has refused it.
    pub(crate) connection: Option<ClientId>,
    /// Where the request is.
    pub stage: RequestStage,
    /// When the thread stops waiting for the node's reply, Unix time in ms; `None`: it waits forever.
    pub(crate) gives_up_ms: Option<u64>,
}

/// Where a request or its reply is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RequestStage {
    /// The request is on its way to the node.
    ToNode {
        /// When it arrives, Unix time in ms.
        at_ms: u64,
    },
    /// It waits in the node's queue.
    Queued,
    /// It was executed and has no reply yet.
    AtNode,
    /// The reply is on its way back.
    ToClient {
        /// When it arrives, Unix time in ms.
        at_ms: u64,
        /// The reply.
        reply: Reply,
    },
}

/// A request in a node's queue.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Queued {
    /// The client that sent it.
    pub client: ClientIndex,
    /// The thread that sent it.
    pub thread: Thread,
    /// The command.
    pub argv: Vec<Bytes>,
    /// The connection.
    pub(crate) connection: ClientId,
}

impl InFlight {
    /// Can its request or reply be lost? Not if the client's own machine has answered.
    pub(super) fn can_be_lost(&self, direction: Direction) -> bool {
        match self.stage {
            RequestStage::ToNode { .. } => direction == Direction::Request,
            RequestStage::Queued => true,
            RequestStage::AtNode => false,
            RequestStage::ToClient { .. } => direction == Direction::Reply && self.connection.is_some(),
        }
    }

    /// When it moves on by itself, Unix time in ms.
    fn deadline_ms(&self) -> Option<u64> {
        match self.stage {
            RequestStage::ToNode { at_ms } | RequestStage::ToClient { at_ms, .. } => Some(at_ms),
            RequestStage::Queued | RequestStage::AtNode => self.gives_up_ms,
        }
    }

    /// Is the request, or its thread, due?
    fn is_due(&self, now_ms: u64) -> bool {
        self.stage == RequestStage::Queued || self.deadline_ms().is_some_and(|at_ms| at_ms <= now_ms)
    }

    /// Has the thread's timeout passed while the request is still at the node?
    pub(crate) fn is_given_up(&self, now_ms: u64) -> bool {
        let is_with_node = matches!(self.stage, RequestStage::Queued | RequestStage::AtNode);
        is_with_node && self.gives_up_ms.is_some_and(|at_ms| at_ms <= now_ms)
    }

    /// Hashes it with times relative to now, without the number of its connection.
    pub(super) fn hash_canonical<H: Hasher>(&self, now_ms: u64, state: &mut H) {
        self.node.hash(state);
        self.gives_up_ms.map(|at_ms| at_ms.saturating_sub(now_ms)).hash(state);
        std::mem::discriminant(&self.stage).hash(state);
        match &self.stage {
            RequestStage::ToNode { at_ms } => at_ms.saturating_sub(now_ms).hash(state),
            RequestStage::ToClient { at_ms, reply } => (at_ms.saturating_sub(now_ms), reply).hash(state),
            RequestStage::Queued | RequestStage::AtNode => {}
        }
    }
}

impl Network {
    /// Adds a request to a node's queue.
    pub(super) fn enqueue(&mut self, node: NodeIndex, queued: Queued) {
        self.queues.entry(node, Vec::new).push(queued);
    }

    /// Removes and returns the first request of a node's queue.
    pub(super) fn dequeue(&mut self, node: NodeIndex) -> Option<Queued> {
        let queue = self.queues.get_mut(&node)?;
        let first = (!queue.is_empty()).then(|| queue.remove(0));
        if queue.is_empty() {
            self.queues.remove(&node);
        }
        first
    }

    /// Removes the queued request of a thread.
    pub(super) fn leave_queues(&mut self, client: ClientIndex, thread: Thread) {
        self.queues
            .values_mut()
            .for_each(|queue| queue.retain(|queued| (queued.client, queued.thread) != (client, thread)));
        self.queues.retain(|queue| !queue.is_empty());
    }

    /// A node has crashed: requests that it has not executed are lost with their connections, and their threads get an error.
    pub(crate) fn lose_requests_at(&mut self, node: NodeIndex) {
        self.queues.remove(&node);
        self.held_up.retain(|found| found.node != node);
        for found in self.requests.values_mut().filter(|found| found.node == node) {
            if matches!(found.stage, RequestStage::ToNode { .. } | RequestStage::Queued) {
                found.stage = RequestStage::AtNode;
            }
        }
    }
}

impl World {
    /// A client's requests in flight, with their threads.
    pub fn requests_of(&self, client: ClientIndex) -> impl Iterator<Item = (Thread, &InFlight)> {
        let all = self.network.requests.iter().filter(move |((whose, _), _)| *whose == client);
        all.map(|((_, thread), found)| (*thread, found))
    }

    /// The request of a thread in flight.
    pub fn in_flight(&self, client: ClientIndex, thread: Thread) -> Option<&InFlight> {
        self.network.requests.get(&(client, thread))
    }

    /// Requests queued for a node's event loop, in the order of arrival.
    pub fn queue(&self, node: NodeIndex) -> &[Queued] {
        self.network.queues.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Can this thread run now?
    pub fn can_go_on(&self, client: ClientIndex, thread: Thread) -> bool {
        let Some(process) = self.process(client).filter(|process| process.condition() == Condition::Runs) else {
            return false;
        };
        match process.phase(thread) {
            Some(Phase::Sent) => self.in_flight(client, thread).is_some_and(|found| found.is_due(self.now_ms)),
            _ => process.is_due(thread, self.now_ms),
        }
    }

    /// When one of a client's threads can run by itself, Unix time in ms; also if the client is paused.
    pub fn wakes_ms(&self, client: ClientIndex) -> Option<u64> {
        let process = self.process(client)?;
        let in_flight = self.requests_of(client).filter_map(|(_, found)| found.deadline_ms());
        let in_flight = in_flight.filter(|at_ms| *at_ms > self.now_ms);
        let is_alive = matches!(process.condition(), Condition::Runs | Condition::Paused);
        in_flight.chain(process.next_deadline_ms()).min().filter(|_| is_alive)
    }

    /// When a thread stops waiting for its node's reply, Unix time in ms; `None`: it waits forever.
    pub fn gives_up_ms(&self, client: ClientIndex, thread: Thread) -> Option<u64> {
        let found = self.in_flight(client, thread)?;
        found.gives_up_ms.filter(|_| matches!(found.stage, RequestStage::Queued | RequestStage::AtNode))
    }

    pub(crate) fn stage_of(&self, client: ClientIndex, thread: Thread) -> Option<&RequestStage> {
        Some(&self.in_flight(client, thread)?.stage)
    }

    /// Drops a client's requests in flight, except those in queues.
    pub(crate) fn drop_requests_of(&mut self, client: ClientIndex) {
        self.drop_held_up_replies(client, None);
        for thread in self.requests_of(client).map(|(thread, _)| thread).collect::<Vec<_>>() {
            self.network.requests.remove(&(client, thread));
        }
    }

    /// Removes a thread's request in flight.
    pub(crate) fn nothing_in_flight(&mut self, client: ClientIndex, thread: Thread) {
        self.drop_held_up_replies(client, Some(thread));
        if self.network.requests.contains_key(&(client, thread)) {
            self.network.requests.remove(&(client, thread));
        }
    }

    pub(super) fn set_stage(&mut self, client: ClientIndex, thread: Thread, stage: RequestStage) {
        if let Some(found) = self.network.requests.get_mut(&(client, thread)) {
            found.stage = stage;
        }
    }

    /// Puts a thread's request in flight.
    pub(super) fn put_in_flight(&mut self, client: ClientIndex, thread: Thread, request: InFlight) {
        self.network.requests.insert((client, thread), request);
        self.set_phase(client, thread, Phase::Sent);
    }
}
