//! What happens to requests, one thing after the other: told only when traffic is taken event by event.
use bytes::Bytes;
use resp::Value;

use super::arrivals::Wish;
use super::machines::Task;
use super::truth::Worth;
use super::{Place, Traffic};

/// Something that happens to a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Told {
    /// The number of the request, from 1.
    pub request: u64,
    /// The machine that it came to, from 0; `None` once no machine has it.
    pub machine: Option<u32>,
    /// The worker that has it, from 0 at each machine; `None` before one has begun.
    pub worker: Option<u32>,
    /// What happens.
    pub what: What,
}

/// A server that handlers ask.
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
pub enum What {
    /// It comes to a machine.
    Came {
        /// What it wants.
        wish: Wish,
        /// Of which item.
        id: u32,
        /// How often its caller has tried before.
        tries: u32,
    },
    /// All workers of the machine have something to do: it waits.
    Waits {
        /// How many wait there now, this one included.
        waiting: u32,
    },
    /// As many as can wait there already: its caller is answered an error.
    Refused,
    /// A worker begins with it.
    Begins,
    /// Its handler asks a server.
    Asks {
        /// Which.
        server: Service,
        /// The words.
        argv: Vec<Bytes>,
    },
    /// What it asks has come to a server that is busy, and waits there.
    Queued {
        /// Which.
        server: Service,
    },
    /// A server takes what it asks.
    Taken {
        /// Which.
        server: Service,
        /// The words.
        argv: Vec<Bytes>,
        /// What it answers; `None` where that takes time.
        value: Option<Value>,
    },
    /// A server answers what took time.
    Answers {
        /// Which.
        server: Service,
        /// What.
        value: Value,
    },
    /// Its handler hears an answer.
    Hears {
        /// It.
        value: Value,
    },
    /// Its handler no longer waits for an answer.
    TimesOut,
    /// Its handler sleeps or works.
    Rests {
        /// For how long, in ms.
        ms: u64,
    },
    /// Its handler has slept or worked.
    Woke,
    /// Its handler has answered.
    Answered {
        /// A value; `None` for nil, and after a change.
        answer: Option<Bytes>,
        /// How long that took since it came, in µs.
        took_us: u64,
        /// What the answer is worth; a change is always true.
        worth: Worth,
        /// Does its caller still wait?
        is_heard: bool,
    },
    /// Its handler ended without an answer.
    Failed,
    /// Something is wrong with its handler.
    Broke {
        /// What, with its line.
        why: Bytes,
    },
    /// Its caller waits no longer. The machine does not notice.
    GaveUp,
}

impl Traffic {
    /// From now on what happens is told.
    pub(super) fn listen(&mut self) {
        self.told = Some(Vec::new());
    }

    /// Does somebody listen?
    pub(super) fn listens(&self) -> bool {
        self.told.is_some()
    }

    /// What was told since then; from now on nothing is.
    pub(super) fn take_told(&mut self) -> Vec<Told> {
        self.told.take().unwrap_or_default()
    }

    /// Was something told?
    pub(super) fn has_told(&self) -> bool {
        self.told.as_ref().is_some_and(|told| !told.is_empty())
    }

    /// Tells what happens to the request of a worker.
    pub(super) fn tell_of(&mut self, place: Place, request: Option<u64>, what: impl FnOnce() -> What) {
        if self.told.is_none() {
            return;
        }
        let request = request.or_else(|| self.request_of(place.worker)).unwrap_or_default();
        let told = Told {
            request,
            machine: Some(self.machine_of(place.worker)),
            worker: Some(place.worker % self.settings.workers.max(1)),
            what: what(),
        };
        self.told.get_or_insert_default().push(told);
    }

    /// Something is wrong with the handler of a worker's request.
    pub(super) fn breaks(&mut self, worker: u32, task: &Task, why: Bytes) {
        self.tell_of(Place { worker, thread: 0 }, Some(task.number()), || What::Broke { why: why.clone() });
        self.blame(why);
    }

    /// Tells what happens to a request that no worker has.
    pub(super) fn tell_of_waiting(&mut self, request: u64, machine: Option<u32>, what: impl FnOnce() -> What) {
        if let Some(told) = &mut self.told {
            told.push(Told { request, machine, worker: None, what: what() });
        }
    }

    /// The request that a worker has.
    fn request_of(&self, worker: u32) -> Option<u64> {
        Some(self.workers.get(worker as usize)?.task.as_ref()?.number())
    }
}
