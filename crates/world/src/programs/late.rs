//! Requests that are held up on their way.
//!
//! ```text
//!   hold-up   sent, and under way: the thread waits for an answer until it takes the request for lost
//!      │
//!      ├── arrives in time              executed, and the thread has its answer
//!      ├── arrives after that           executed all the same; nobody hears the answer
//!      └── arrives after a crash        the same: the DEL of a client that is long dead
//! ```
//! When it arrives, the scheduler decides: it may be later than anything else.
use bytes::Bytes;
use redis_model::ClientId;
use script::program::{Request, Thread};

use super::{Phase, Process, Queued};
use crate::{ClientIndex, Event, Happening, NodeIndex, World};

/// A request that is held up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Late {
    /// The thread that has sent it, or one of the same number before the client was started again.
    pub thread: Thread,
    /// Where it goes.
    pub node: NodeIndex,
    /// The command.
    pub argv: Vec<Bytes>,
    /// Through which connection.
    pub(crate) connection: ClientId,
}

impl Process {
    /// Can a request of this thread be held up?
    fn can_hold_up(&self, thread: Thread, now_ms: u64) -> bool {
        self.can_go_on(thread, now_ms)
            && self.phase(thread) == Some(&Phase::Ready)
            && matches!(self.request(thread), Some(Request::Call { .. }))
    }
}

impl World {
    /// Can a request of this thread be held up?
    pub fn can_hold_up(&self, client: ClientIndex, thread: Thread) -> bool {
        let can = self.process(client).is_some_and(|process| process.can_hold_up(thread, self.now_ms));
        can && !self.is_cut_from_node(client, thread)
    }

    /// Requests that are held up, with whose they are and where they go.
    pub(crate) fn late(&self) -> impl Iterator<Item = (ClientIndex, NodeIndex, &Late)> {
        self.clients().flat_map(|(client, found)| {
            let late = found.program.as_ref().map(Process::late).unwrap_or_default();
            late.iter().map(move |late| (client, late.node, late))
        })
    }

    /// Is something still under way through this connection?
    pub(super) fn has_late(&self, node: NodeIndex, connection: ClientId) -> bool {
        self.late().any(|(_, to, late)| (to, late.connection) == (node, connection))
    }

    /// Sends a thread's request, which does not arrive yet.
    pub(super) fn hold_up(&mut self, client: ClientIndex, thread: Thread, events: &mut Vec<Event>) {
        let Some(argv) = self.command_of(client, thread) else { return };
        let Some((node, connection)) = self.line_for(client, thread, events) else {
            return self.refuse(client, thread);
        };
        self.happens(events, client, thread, Happening::Sent { argv: argv.clone() });
        self.keep_late(client, Late { thread, node, argv, connection });
    }

    /// A request does not arrive before its thread stops waiting for the reply.
    pub(super) fn keep_late(&mut self, client: ClientIndex, late: Late) {
        self.wait_until_timeout(client, late.thread);
        if let Some(process) = self.process_mut(client) {
            process.late.push(late);
        }
    }

    /// A request that was held up arrives, and is executed whether anybody waits for its answer or not.
    pub(super) fn arrive_late(&mut self, client: ClientIndex, nth: usize, events: &mut Vec<Event>) {
        let Some(process) = self.process_mut(client).filter(|process| nth < process.late.len()) else { return };
        let Late { thread, node, argv, connection } = process.late.remove(nth);
        let waits = matches!(process.phase(thread), Some(Phase::Until { .. }))
            && matches!(process.request(thread), Some(Request::Call { .. }));
        if waits && self.lines.contains_key(&(node, connection)) {
            return self.run(node, Queued { client, thread, argv, connection }, events);
        }
        if self.refusal(node, &argv).is_none() {
            self.execute(node, connection, Some(client), argv, events);
        }
        self.forget(node, connection, events);
    }

    /// The client leaves the stage: what is under way gets into the queue, because no scheduler could name it later.
    pub(crate) fn hurry_late(&mut self, client: ClientIndex) {
        let late = self.process_mut(client).map(|process| std::mem::take(&mut process.late)).unwrap_or_default();
        for Late { thread, node, argv, connection } in late {
            if let Some(queue) = self.queues.get_mut(node.0) {
                queue.push(Queued { client, thread, argv, connection });
            }
        }
    }
}
