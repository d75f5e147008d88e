//! Traffic: callers send requests to handlers on application machines, which query a Redis server and a database.
//!
//! ```text
//!  arrivals ─▶ machine: [waiting …] ─▶ worker: get(id) ──▶ [queue] Redis, one command at a time
//!     ▲ gives up, tries again                 │    ▲─────────────────┘
//!     └───────────────────────────────────────┘    └───▶ [queue] database, its own workers
//! ```
//!
//! Everything that happens is an *event* at one time; [`Traffic::run`] executes events in order. Time is in ns since traffic began, and the
//! servers' clocks follow it in ms. Only the settings and the seed decide what happens, so splitting time into any number of stretches
//! makes no difference.
//!
//! - Requests arrive as a Poisson process ([`arrivals`]), independent of their outcome: two handlers can be compared on the same
//!   requests.
//! - A worker runs a handler ([`handler`]) until all its threads have ended. The caller has its answer once the handler calls `answer`.
//! - One way on the network always takes the same time, so messages arrive in the order of sending, and four queues hold the messages
//!   in flight.
//! - Data that handlers keep on their machine between requests is the machine's memory ([`memory`]). A machine can subscribe to channels
//!   of the Redis server ([`subscribers`]).
//! - A machine can crash and start again ([`crash`]).
//! - Answers are compared with what the database has committed ([`truth`]); outcomes of all requests are counted in intervals
//!   ([`series`]), and a lesson puts bounds on the figures ([`bound`]).
pub mod arrivals;
pub mod bound;
mod callers;
mod chance;
mod cost;
mod crash;
pub mod event;
pub mod handler;
pub mod items;
pub mod limit;
mod machines;
mod memory;
mod pieces;
mod plain;
pub mod report;
pub mod seen;
pub mod series;
mod servers;
pub mod settings;
mod site;
mod subscribers;
#[cfg(test)]
mod tests;
pub mod trial;
pub mod truth;
mod within;
mod words;

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use bytes::Bytes;
use redis_model::rng::Rng;
use redis_model::{ClientId, Output, Server};
use script::Alike;
use script::program::{Programs, Reply, Thread};
use table::{ConnectionId, Database};

use arrivals::{Arrival, Arrivals, Wish};
use callers::Caller;
pub use crash::CrashTarget;
use crash::Crashed;
use handler::Memo;
use machines::{Job, Worker};
use memory::Memories;
pub use memory::Memory;
pub use pieces::Scripts;
use pieces::{EVENTS_PER_RUN, Pieces};
use series::Series;
use servers::Connections;
use settings::{Handler, OutOfRange, TrafficSettings};
pub use site::Site;
pub use subscribers::RESUBSCRIBE_MS;
use subscribers::Subscribers;
use truth::Truth;
pub use within::{Ran, TrafficAct};

/// Nanoseconds per millisecond.
const MS: u64 = 1_000_000;
/// Nanoseconds per microsecond.
const US: u64 = 1_000;
/// Maximum number of different faults of a handler to report.
const FAULTS_MAX: usize = 16;

/// The parts of a world that traffic uses.
pub struct Around<'a> {
    /// The Redis server; `None` while its node is down.
    pub redis: Option<&'a mut Server>,
    /// The database; `None` while its node is down, or if there is none.
    pub database: Option<&'a mut Database>,
    /// Plays handlers in Lua.
    pub programs: &'a Programs,
    /// How far the Redis server's clock is ahead of the world's, in ms.
    pub redis_ahead_ms: u64,
    /// How far the database's clock is ahead, in ms.
    pub database_ahead_ms: u64,
    /// What the Redis server sent to connections that are not traffic's, and, while a listener is on, which keys changed.
    pub said: Vec<Output>,
    /// The same for the database and its rows.
    pub said_by_database: Vec<table::Output>,
    /// How the Redis server runs scripts.
    pub scripts: Scripts,
}

/// Traffic at one moment: a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Traffic {
    settings: Rc<TrafficSettings>,
    /// The program of a handler in Lua.
    text: Bytes,
    /// The world's time when it began, in ms.
    start_ms: u64,
    now_ns: u64,
    arrivals: Arrivals,
    /// Used by handlers and by retries of callers. Arrivals have their own generator.
    rng: Rng,
    /// The workers of all machines, those of machine 0 first.
    workers: Vec<Worker>,
    /// Per machine, the idle workers; the last one is used next.
    free: Vec<Vec<u32>>,
    /// Per machine, the requests that wait for a worker.
    waiting: Vec<VecDeque<Job>>,
    waiting_count: u64,
    /// Callers that may still give up, in the order of their deadlines, and the request number of the first.
    callers: VecDeque<Caller>,
    first_caller: u64,
    /// Number of requests so far.
    requests: u64,
    /// Number of questions to servers or the clock so far; each question has a number. The first numbers belong to the starts of machines.
    asks: u64,
    to_redis: VecDeque<(u64, Message<Vec<Bytes>>)>,
    from_redis: VecDeque<(u64, Message<Reply>)>,
    /// Commands that arrived while another one is executed.
    redis_queue: VecDeque<Message<Vec<Bytes>>>,
    /// When the current command of the server ends.
    redis_busy_ns: u64,
    to_database: VecDeque<(u64, Message<Vec<Bytes>>)>,
    from_database: VecDeque<(u64, Message<Reply>)>,
    /// Number of statements at the database.
    at_database: u64,
    redis_connections: Connections<ClientId>,
    database_connections: Connections<ConnectionId>,
    /// Other due events, by time and number.
    due: BTreeMap<(u64, u64), Due>,
    series: Series,
    truth: Truth,
    faults: Vec<HandlerError>,
    /// The rest of the current event.
    pieces: Pieces,
    /// Events so far, while a listener is on.
    events: Option<Vec<event::TrafficEvent>>,
    memories: Memories,
    subscribers: Subscribers,
    crashed: Crashed,
    memo: Alike<Memo>,
}

/// A thread of a worker's handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct WorkerThread {
    worker: u32,
    thread: Thread,
}

/// A message in flight between a worker and a server.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Message<T> {
    place: WorkerThread,
    /// The question's number; the worker may no longer wait for it.
    ask: u64,
    said: T,
}

/// An event at a time that was set before.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Due {
    /// A thread's sleep or work ends.
    Wake { place: WorkerThread, ask: u64 },
    /// A thread's wait for a server times out.
    GiveUp { place: WorkerThread, ask: u64 },
    /// A machine's handler starts.
    Start { machine: u32 },
    /// A thread's wait for an entry of its machine's memory ends.
    Changes { place: WorkerThread, ask: u64, has_changed: bool },
    /// A caller tries again.
    Retry { wish: Wish, id: u32, tries: u32 },
    /// A machine that lost its subscription subscribes again.
    Subscribe { machine: u32 },
}

/// An error in a handler.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HandlerError {
    /// The message, with its line.
    pub what: Bytes,
    /// How many times it occurred.
    pub count: u64,
}

/// The queues at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queues {
    /// Workers with a request.
    pub busy: u64,
    /// Workers of all machines that run.
    pub workers: u64,
    /// Requests waiting for a worker.
    pub waiting: u64,
    /// Commands waiting for the Redis server.
    pub at_redis: u64,
    /// Statements at the database, including those in its queue.
    pub at_database: u64,
    /// Machines that are down.
    pub down: u64,
}

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Next {
    IntervalEnds,
    RedisDeadline,
    DatabaseDeadline,
    RedisIsFree,
    FromRedis,
    FromDatabase,
    ToRedis,
    ToDatabase,
    Due,
    CallerGivesUp,
    Arrives,
}

impl Traffic {
    /// Traffic that starts now.
    ///
    /// # Errors
    /// [`OutOfRange`]
    pub fn begin(settings: TrafficSettings, start_ms: u64) -> Result<Traffic, OutOfRange> {
        settings.check()?;
        let machines = settings.machines;
        let count = machines.saturating_mul(settings.workers);
        let memories = Memories::new(&settings);
        let free = |machine: u32| {
            let first = machine.saturating_mul(settings.workers);
            (first..first.saturating_add(settings.workers)).rev().collect()
        };
        Ok(Traffic {
            text: match &settings.handler {
                Handler::Lua(functions) => handler::program(functions),
                Handler::CacheAside { .. } => Bytes::new(),
            },
            start_ms,
            now_ns: 0,
            arrivals: Arrivals::new(&settings),
            rng: Rng::new(!settings.seed),
            workers: (0..count).map(|_| Worker::default()).collect(),
            free: (0..machines).map(free).collect(),
            waiting: (0..machines).map(|_| VecDeque::new()).collect(),
            waiting_count: 0,
            callers: VecDeque::new(),
            first_caller: 1,
            requests: 0,
            asks: u64::from(machines),
            to_redis: VecDeque::new(),
            from_redis: VecDeque::new(),
            redis_queue: VecDeque::new(),
            redis_busy_ns: 0,
            to_database: VecDeque::new(),
            from_database: VecDeque::new(),
            at_database: 0,
            redis_connections: Connections::default(),
            database_connections: Connections::default(),
            due: memories.starts(),
            series: Series::new(u64::from(settings.interval_ms)),
            truth: Truth::default(),
            faults: Vec::new(),
            pieces: Pieces::default(),
            events: None,
            memories,
            subscribers: Subscribers::default(),
            crashed: Crashed::default(),
            memo: Alike::default(),
            settings: Rc::new(settings),
        })
    }

    /// Its settings.
    pub fn settings(&self) -> &TrafficSettings {
        &self.settings
    }

    /// Time since it began, in ns.
    pub fn now_ns(&self) -> u64 {
        self.now_ns
    }

    /// The figures so far.
    pub fn series(&self) -> &Series {
        &self.series
    }

    /// The queues at this moment.
    pub fn queues(&self) -> Queues {
        let (busy, waiting) = self.unfinished();
        Queues {
            busy: busy as u64,
            workers: (self.workers.len() as u64)
                .saturating_sub(self.down_count().saturating_mul(self.settings.workers.into())),
            waiting,
            at_redis: self.redis_queue.iter().filter(|message| !crash::is_end(message)).count() as u64,
            at_database: self.at_database,
            down: self.down_count(),
        }
    }

    /// Number of requests so far.
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// The errors in handlers, in the order of first occurrence.
    pub fn faults(&self) -> &[HandlerError] {
        &self.faults
    }

    /// How many times errors occurred in handlers.
    #[inline(never)]
    pub fn fault_count(&self) -> u64 {
        self.faults.iter().fold(0, |count, fault| count.saturating_add(fault.count))
    }

    /// Requests at a worker, and requests that wait for one.
    pub fn unfinished(&self) -> (usize, u64) {
        (self.workers.iter().filter(|worker| worker.task.is_some()).count(), self.waiting_count)
    }

    /// The clock of the Redis server, in ms.
    fn redis_ms(&self, around: &Around<'_>) -> u64 {
        self.now_ms().saturating_add(around.redis_ahead_ms)
    }

    /// The clock of the world, in ms.
    fn now_ms(&self) -> u64 {
        self.start_ms.saturating_add(self.now_ns / MS)
    }

    /// What happens next, and when.
    fn next(&self, around: &Around<'_>) -> (u64, Next) {
        let from_start = |at_ms: u64| at_ms.saturating_sub(self.start_ms).saturating_mul(MS);
        let redis_ms = around.redis.as_ref().and_then(|server| server.next_deadline_ms());
        let redis_ms = redis_ms.map(|at_ms| at_ms.saturating_sub(around.redis_ahead_ms));
        let database_ms = around.database.as_ref().and_then(|database| database.next_deadline_ms());
        let database_ms = database_ms.map(|at_ms| at_ms.saturating_sub(around.database_ahead_ms));
        let is_waited_for = !self.redis_queue.is_empty();
        let caller = self.callers.front().map(|caller| caller.until_ns);
        let mut next = (self.series.end_ms().saturating_mul(MS), Next::IntervalEnds);
        let others = [
            (redis_ms.map(from_start), Next::RedisDeadline),
            (database_ms.map(from_start), Next::DatabaseDeadline),
            (is_waited_for.then_some(self.redis_busy_ns), Next::RedisIsFree),
            (self.from_redis.front().map(|(at_ns, _)| *at_ns), Next::FromRedis),
            (self.from_database.front().map(|(at_ns, _)| *at_ns), Next::FromDatabase),
            (self.to_redis.front().map(|(at_ns, _)| *at_ns), Next::ToRedis),
            (self.to_database.front().map(|(at_ns, _)| *at_ns), Next::ToDatabase),
            (self.due.first_key_value().map(|((at_ns, _), _)| *at_ns), Next::Due),
            (caller, Next::CallerGivesUp),
            (self.arrivals.next_ns(), Next::Arrives),
        ];
        for (at_ns, what) in others {
            // Of events at the same time, the first in the list.
            if let Some(at_ns) = at_ns.filter(|at_ns| *at_ns < next.0) {
                next = (at_ns, what);
            }
        }
        (next.0.max(self.now_ns), next.1)
    }

    /// Runs events up to a time, but at most `events_max`, which is reduced to the remaining number, and stops after an event that others
    /// must see, and before one with a script that has to run ahead. Returns whether the time has been reached.
    pub fn run(&mut self, around: &mut Around<'_>, until_ns: u64, events_max: &mut u64) -> bool {
        while let Some(left) = events_max.checked_sub(1) {
            *events_max = left;
            if let Some(piece) = self.pieces.pop() {
                self.go_on_with(piece, around);
            } else {
                let (at_ns, what) = self.next(around);
                if at_ns > until_ns {
                    self.now_ns = self.now_ns.max(until_ns);
                    return true;
                }
                self.now_ns = at_ns;
                self.happen(what, around);
                if around.scripts.is_paused() {
                    break;
                }
            }
            let runs = std::mem::take(&mut self.pieces.runs);
            *events_max = events_max.saturating_sub(runs.saturating_mul(EVENTS_PER_RUN));
            if !self.pieces.is_empty() {
                continue;
            }
            if !around.said.is_empty() || !around.said_by_database.is_empty() || self.has_events() {
                break;
            }
        }
        false
    }

    fn happen(&mut self, what: Next, around: &mut Around<'_>) {
        match what {
            Next::IntervalEnds => {
                let db = around.redis.as_ref().and_then(|server| server.db(0));
                let (keys, memory) = db.map_or((0, 0), |db| (db.len() as u64, db.memory() as u64));
                self.series.close(keys, memory);
            }
            Next::RedisDeadline => self.advance_redis(around),
            Next::DatabaseDeadline => self.advance_database(around),
            Next::RedisIsFree => {
                if let Some(message) = self.redis_queue.pop_front()
                    && let Some(message) = self.execute(message, around)
                {
                    self.redis_queue.push_front(message);
                }
            }
            Next::FromRedis => {
                if let Some((_, message)) = self.from_redis.pop_front() {
                    if message.place.thread == subscribers::SUBSCRIBER {
                        return self.hear_subscription(message, around);
                    }
                    let said = (Some(event::Service::Redis), message.said);
                    self.hear(message.place, message.ask, said, around.programs);
                }
            }
            Next::FromDatabase => {
                if let Some((_, message)) = self.from_database.pop_front() {
                    let said = (Some(event::Service::Database), message.said);
                    self.hear(message.place, message.ask, said, around.programs);
                }
            }
            Next::ToRedis => {
                if let Some((at_ns, message)) = self.to_redis.pop_front() {
                    if self.redis_busy_ns > self.now_ns || !self.redis_queue.is_empty() {
                        if !crash::is_end(&message) {
                            self.emit_for(message.place, None, || event::RequestEvent::Queued {
                                server: event::Service::Redis,
                            });
                        }
                        self.redis_queue.push_back(message);
                    } else if let Some(message) = self.execute(message, around) {
                        self.to_redis.push_front((at_ns, message));
                    }
                }
            }
            Next::ToDatabase => {
                if let Some((_, message)) = self.to_database.pop_front() {
                    self.query(message, around);
                }
            }
            Next::Due => {
                if let Some((_, due)) = self.due.pop_first() {
                    self.happen_due(due, around);
                }
            }
            Next::CallerGivesUp => self.caller_gives_up(),
            Next::Arrives => {
                let settings = Rc::clone(&self.settings);
                if let Some(Arrival { wish, id, machine, .. }) = self.arrivals.take(&settings) {
                    self.arrive(wish, id, machine, 0, around.programs);
                }
            }
        }
    }

    fn happen_due(&mut self, due: Due, around: &mut Around<'_>) {
        match due {
            Due::Wake { place, ask } => self.hear(place, ask, (None, Reply::Nothing), around.programs),
            Due::GiveUp { place, ask } => self.give_up_asking(place, ask, around),
            Due::Start { machine } => self.start_when_ready(machine, around.programs),
            Due::Changes { place, ask, has_changed } => self.hear_of_change(place, ask, has_changed, around.programs),
            Due::Subscribe { machine } => self.resubscribe(machine),
            Due::Retry { wish, id, tries } => {
                let machine = self.rng.below(u64::from(self.settings.machines)) as u32;
                self.arrive(wish, id, machine, tries, around.programs);
            }
        }
    }

    /// Notes an error in a handler.
    fn blame(&mut self, what: Bytes) {
        if let Some(known) = self.faults.iter_mut().find(|fault| fault.what == what) {
            known.count = known.count.saturating_add(1);
        } else if self.faults.len() < FAULTS_MAX {
            self.faults.push(HandlerError { what, count: 1 });
        }
    }
}
