//! Events of single requests: recorded only when traffic runs event by event.
use bytes::Bytes;
use resp::Value;

use super::arrivals::Wish;
use super::machines::Task;
use super::truth::Worth;
use super::{Traffic, WorkerThread};

/// An event of a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TrafficEvent {
    /// The number of the request, from 1; 0 for the start of a machine's handler, for its subscriber and for its crash.
    pub request: u64,
    /// The machine that received it, from 0; `None` if no machine has it, or the machine that sent the query has crashed.
    pub machine: Option<u32>,
    /// The worker that runs it, from 0 at each machine; `None` before it starts, and for the subscriber.
    pub worker: Option<u32>,
    /// What happens.
    pub what: RequestEvent,
}

/// A server that handlers query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Service {
    /// The Redis server.
    Redis,
    /// The database.
    Database,
}

impl Service {
    pub(super) const fn of(is_database: bool) -> Service {
        if is_database { Service::Database } else { Service::Redis }
    }
}

/// What happens to a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RequestEvent {
    /// It arrives at a machine.
    Came {
        /// What it wants.
        wish: Wish,
        /// The item's id.
        id: u32,
        /// How many times its caller has tried before.
        tries: u32,
    },
    /// All workers of the machine are busy: it waits.
    Waits {
        /// Number of requests waiting there now, including this one.
        waiting: u32,
    },
    /// The machine's backlog is full: its caller gets an error.
    Refused,
    /// The machine is down: its caller gets an error.
    Unreachable,
    /// A worker starts it.
    Begins,
    /// Its handler queries a server.
    Asks {
        /// The server.
        server: Service,
        /// The command's words, or the statement's.
        argv: Vec<Bytes>,
    },
    /// Its query waits at a busy server.
    Queued {
        /// The server.
        server: Service,
    },
    /// A server executes its query.
    Taken {
        /// The server.
        server: Service,
        /// The command's words, or the statement's.
        argv: Vec<Bytes>,
        /// The reply; `None` if it takes time.
        value: Option<Value>,
    },
    /// A server replies to a query that took time.
    Answers {
        /// The server.
        server: Service,
        /// The reply.
        value: Value,
    },
    /// Its handler receives a reply.
    Hears {
        /// The server that replied; `None` if the machine itself did: a wait timed out, or its memory changed.
        server: Option<Service>,
        /// The reply.
        value: Value,
    },
    /// Its handler's wait for a reply times out.
    TimesOut,
    /// Its handler sleeps or works.
    Rests {
        /// The duration in ms.
        ms: u64,
    },
    /// Its handler's sleep or work ends.
    Woke,
    /// Its handler has answered.
    Answered {
        /// The value; `None` for nil, and after a write.
        answer: Option<Bytes>,
        /// Time since its arrival, in µs.
        took_us: u64,
        /// The accuracy of the answer; a write is always accurate.
        worth: Worth,
        /// Does its caller still wait?
        is_heard: bool,
    },
    /// Its handler ended without an answer.
    Failed,
    /// Its handler has an error.
    Broke {
        /// The message, with its line.
        why: Bytes,
    },
    /// Its caller gives up. The machine does not notice.
    GaveUp,
    /// A machine subscribes.
    Subscribes {
        /// The channels.
        channels: Vec<Bytes>,
    },
    /// A machine learns that it is subscribed.
    Subscribed {
        /// The channel.
        channel: Bytes,
    },
    /// A message arrives at a machine.
    Message {
        /// The channel.
        channel: Bytes,
        /// The message.
        text: Bytes,
    },
    /// A machine has lost its subscriptions.
    Unsubscribed,
    /// A machine crashes.
    Crashes {
        /// Number of requests whose callers get an error.
        lost: u64,
    },
    /// A crashed machine will start again.
    Restarts,
}

impl Traffic {
    /// Starts to record events.
    pub(super) fn listen(&mut self) {
        self.events.get_or_insert_default();
    }

    /// Are events recorded?
    pub(super) fn listens(&self) -> bool {
        self.events.is_some()
    }

    /// The events recorded so far; stops recording.
    pub(super) fn take_events(&mut self) -> Vec<TrafficEvent> {
        self.events.take().unwrap_or_default()
    }

    /// Is any event recorded?
    pub(super) fn has_events(&self) -> bool {
        self.events.as_ref().is_some_and(|events| !events.is_empty())
    }

    /// Records an event of a worker's request.
    pub(super) fn emit_for(&mut self, place: WorkerThread, request: Option<u64>, what: impl FnOnce() -> RequestEvent) {
        if self.events.is_none() {
            return;
        }
        let request = request.or_else(|| self.request_of(place.worker)).unwrap_or_default();
        let event = TrafficEvent {
            request,
            machine: Some(self.machine_of(place.worker)),
            worker: self.worker_number(place.worker),
            what: what(),
        };
        self.events.get_or_insert_default().push(event);
    }

    /// Records an error in the handler of a worker's request.
    pub(super) fn breaks(&mut self, worker: u32, task: &Task, why: Bytes) {
        self.emit_for(WorkerThread { worker, thread: 0 }, Some(task.number()), || RequestEvent::Broke {
            why: why.clone(),
        });
        self.blame(why);
    }

    /// Records an event of a request without a worker.
    pub(super) fn emit_for_waiting(&mut self, request: u64, machine: Option<u32>, what: impl FnOnce() -> RequestEvent) {
        if let Some(events) = &mut self.events {
            events.push(TrafficEvent { request, machine, worker: None, what: what() });
        }
    }

    /// The request of a worker.
    pub(super) fn request_of(&self, worker: u32) -> Option<u64> {
        Some(self.task_of(worker)?.number())
    }

    /// The number of a worker at its machine, from 0; `None` for the machine's subscriber.
    pub(super) fn worker_number(&self, worker: u32) -> Option<u32> {
        self.subscriber_of(worker).is_none().then(|| worker % self.settings.workers.max(1))
    }
}
