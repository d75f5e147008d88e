//! Requests in flight: where each is between the thread that has sent it and the moment in which that has its reply.
//!
//! ```text
//!   thread ── ToNode ──► Queued ──► AtNode ── ToClient ──► thread
//!               │           │          │          │
//!               └───────────┴── lost ──┴──────────┘   the thread waits until its timeout (Phase::Until), and nothing is in flight
//! ```
//! A thread has at most one. A request whose sender is gone stays in the queue of its node, and is executed without a reply.
use std::hash::{Hash, Hasher};

use bytes::Bytes;
use redis_model::ClientId;
use script::program::{Reply, Thread};

use super::Network;
use crate::programs::{Condition, Leg, Phase};
use crate::{ClientIndex, NodeIndex, World};

/// A request of a thread, from when it is sent until the thread has its reply.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InFlight {
    /// The node that it goes to.
    pub node: NodeIndex,
    /// Through which connection; `None` if the node has refused one.
    pub(crate) connection: Option<ClientId>,
    /// Where it is.
    pub stage: Stage,
    /// When the thread stops waiting for a reply that the node has not given, Unix time in ms; `None`: it waits for as long as that takes.
    pub(crate) gives_up_ms: Option<u64>,
}

/// Where a request, or its reply, is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The request is on its way to the node.
    ToNode {
        /// When it is there, Unix time in ms.
        at_ms: u64,
    },
    /// It waits in the node's queue.
    Queued,
    /// It was executed and has no reply yet.
    AtNode,
    /// The reply is on its way back.
    ToClient {
        /// When it is there, Unix time in ms.
        at_ms: u64,
        /// The reply.
        reply: Reply,
    },
}

/// A request in a node's queue.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Queued {
    /// The client that has sent it.
    pub client: ClientIndex,
    /// The thread that has sent it.
    pub thread: Thread,
    /// The command.
    pub argv: Vec<Bytes>,
    /// Through which connection.
    pub(crate) connection: ClientId,
}

impl InFlight {
    /// Could it be lost on this way? Not what the client's own machine has answered.
    pub(super) fn can_be_lost(&self, leg: Leg) -> bool {
        match self.stage {
            Stage::ToNode { .. } => leg == Leg::Request,
            Stage::Queued => true,
            Stage::AtNode => false,
            Stage::ToClient { .. } => leg == Leg::Reply && self.connection.is_some(),
        }
    }

    /// When it gets further without anyone's doing, Unix time in ms.
    fn deadline_ms(&self) -> Option<u64> {
        match self.stage {
            Stage::ToNode { at_ms } | Stage::ToClient { at_ms, .. } => Some(at_ms),
            Stage::Queued | Stage::AtNode => self.gives_up_ms,
        }
    }

    /// Is it, or its sender, due?
    fn is_due(&self, now_ms: u64) -> bool {
        self.stage == Stage::Queued || self.deadline_ms().is_some_and(|at_ms| at_ms <= now_ms)
    }

    /// Has its thread waited for the reply as long as it would, with the request still at the node?
    pub(crate) fn is_given_up(&self, now_ms: u64) -> bool {
        let is_with_node = matches!(self.stage, Stage::Queued | Stage::AtNode);
        is_with_node && self.gives_up_ms.is_some_and(|at_ms| at_ms <= now_ms)
    }

    /// Hashes it without the number of its connection, with times relative to now.
    pub(super) fn hash_canonical<H: Hasher>(&self, now_ms: u64, state: &mut H) {
        self.node.hash(state);
        self.gives_up_ms.map(|at_ms| at_ms.saturating_sub(now_ms)).hash(state);
        std::mem::discriminant(&self.stage).hash(state);
        match &self.stage {
            Stage::ToNode { at_ms } => at_ms.saturating_sub(now_ms).hash(state),
            Stage::ToClient { at_ms, reply } => (at_ms.saturating_sub(now_ms), reply).hash(state),
            Stage::Queued | Stage::AtNode => {}
        }
    }
}

impl Network {
    /// A node has crashed: the requests that it has not executed are lost with their connections, which tell their threads so.
    pub(crate) fn lose_requests_at(&mut self, node: NodeIndex) {
        if let Some(queue) = self.queues.get_mut(node.0) {
            queue.clear();
        }
        self.held_up.retain(|found| found.node != node);
        for found in self.requests.values_mut().filter(|found| found.node == node) {
            if matches!(found.stage, Stage::ToNode { .. } | Stage::Queued) {
                found.stage = Stage::AtNode;
            }
        }
    }
}

impl World {
    /// Requests of a client in flight, with their threads.
    pub fn requests_of(&self, client: ClientIndex) -> impl Iterator<Item = (Thread, &InFlight)> {
        let all = self.network.requests.iter().filter(move |((whose, _), _)| *whose == client);
        all.map(|((_, thread), found)| (*thread, found))
    }

    /// The request of a thread that is in flight.
    pub fn in_flight(&self, client: ClientIndex, thread: Thread) -> Option<&InFlight> {
        self.network.requests.get(&(client, thread))
    }

    /// Requests that wait for the event loop of a node, first come first.
    pub fn queue(&self, node: NodeIndex) -> &[Queued] {
        self.network.queues.get(node.0).map_or(&[], Vec::as_slice)
    }

    /// Can this thread go on at this moment?
    pub fn can_go_on(&self, client: ClientIndex, thread: Thread) -> bool {
        let Some(process) = self.process(client).filter(|process| process.condition() == Condition::Runs) else {
            return false;
        };
        match process.phase(thread) {
            Some(Phase::Sent) => self.in_flight(client, thread).is_some_and(|found| found.is_due(self.now_ms)),
            _ => process.is_due(thread, self.now_ms),
        }
    }

    /// When one of the threads of a client can go on without anyone's doing, Unix time in ms; also if it is paused.
    pub fn wakes_ms(&self, client: ClientIndex) -> Option<u64> {
        let process = self.process(client)?;
        let in_flight = self.requests_of(client).filter_map(|(_, found)| found.deadline_ms());
        let in_flight = in_flight.filter(|at_ms| *at_ms > self.now_ms);
        let is_alive = matches!(process.condition(), Condition::Runs | Condition::Paused);
        in_flight.chain(process.next_deadline_ms()).min().filter(|_| is_alive)
    }

    /// When a thread stops waiting for a reply that its node has not given, Unix time in ms; `None`: it waits for as long as that takes.
    pub fn gives_up_ms(&self, client: ClientIndex, thread: Thread) -> Option<u64> {
        let found = self.in_flight(client, thread)?;
        found.gives_up_ms.filter(|_| matches!(found.stage, Stage::Queued | Stage::AtNode))
    }

    pub(crate) fn stage_of(&self, client: ClientIndex, thread: Thread) -> Option<&Stage> {
        Some(&self.in_flight(client, thread)?.stage)
    }

    /// Ends what a client has in flight, but for what waits in queues.
    pub(crate) fn drop_requests_of(&mut self, client: ClientIndex) {
        self.drop_held_up_replies(client, None);
        for thread in self.requests_of(client).map(|(thread, _)| thread).collect::<Vec<_>>() {
            self.network.requests.remove(&(client, thread));
        }
    }

    /// Nothing of a thread is in flight any longer.
    pub(crate) fn nothing_in_flight(&mut self, client: ClientIndex, thread: Thread) {
        self.drop_held_up_replies(client, Some(thread));
        if self.network.requests.contains_key(&(client, thread)) {
            self.network.requests.remove(&(client, thread));
        }
    }

    pub(super) fn set_stage(&mut self, client: ClientIndex, thread: Thread, stage: Stage) {
        if let Some(found) = self.network.requests.get_mut(&(client, thread)) {
            found.stage = stage;
        }
    }

    /// A thread's request is in flight from now on.
    pub(super) fn put_in_flight(&mut self, client: ClientIndex, thread: Thread, request: InFlight) {
        self.network.requests.insert((client, thread), request);
        self.set_phase(client, thread, Phase::Sent);
    }
}
