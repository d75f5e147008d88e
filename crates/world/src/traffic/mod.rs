//! Traffic: callers whose requests are answered by handlers on application machines, which ask a Redis server and a database.
//!
//! ```text
//!  arrivals ─▶ machine: [waiting …] ─▶ worker: get(id) ──▶ [queue] Redis, one command at a time
//!     ▲ gives up, tries again                 │    ▲─────────────────┘
//!     └───────────────────────────────────────┘    └───▶ [queue] database, its own workers
//! ```
//!
//! Everything that happens is one *event* at one time; [`Traffic::run`] lets them happen in order. Time is in ns since traffic began, and the
//! clocks of the servers follow it in ms. Nothing but the settings and the seed decides what happens, so it makes no difference in how
//! many stretches time passes.
//!
//! - Requests come as a Poisson process ([`arrivals`]), which does not see what becomes of them: two handlers can be held
//!   against each other with the same requests.
//! - A worker runs a handler ([`handler`]) until all its threads are over. Its caller has its answer when the handler says `answer`.
//! - One way on the network always takes the same time, so messages arrive in the order in which they were sent, and four queues hold
//!   what is on its way.
//! - What handlers keep on their machine between requests is its memory ([`memory`]).
//! - Answers are held against what the database has committed ([`truth`]); what came of all requests is counted in intervals
//!   ([`series`]), and a lesson asks for figures within bounds ([`bound`]).
pub mod arrivals;
pub mod bound;
mod chance;
mod cost;
pub mod handler;
mod machines;
mod memory;
pub mod report;
pub mod seen;
pub mod series;
mod servers;
pub mod settings;
mod site;
#[cfg(test)]
mod tests;
pub mod told;
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
use handler::Memo;
use machines::{Caller, Job, Worker};
use memory::Memories;
pub use memory::Memory;
use series::Series;
use servers::Connections;
use settings::{Handler, OutOfRange, TrafficSettings};
pub use site::Site;
use truth::Truth;
pub use within::{Ran, TrafficAct};

/// Nanoseconds of a millisecond.
const MS: u64 = 1_000_000;
/// Nanoseconds of a microsecond.
const US: u64 = 1_000;
/// Different faults of a handler that are told.
const FAULTS_MAX: usize = 16;

/// What traffic needs of the world around it.
pub struct Around<'a> {
    /// The Redis server; `None` while its node is down.
    pub redis: Option<&'a mut Server>,
    /// The database; `None` while its node is down, or where there is none.
    pub database: Option<&'a mut Database>,
    /// What plays handlers in Lua.
    pub programs: &'a Programs,
    /// How far the clocks of the two are ahead of the world's, in ms.
    pub redis_ahead_ms: u64,
    /// The same for the database.
    pub database_ahead_ms: u64,
    /// What the Redis server said to connections that are not traffic's, and, while somebody listens, which keys changed.
    pub said: Vec<Output>,
    /// The same of the database and its rows.
    pub said_by_database: Vec<table::Output>,
}

/// Traffic at one moment: a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Traffic {
    settings: Rc<TrafficSettings>,
    /// The program of a handler in Lua.
    text: Bytes,
    /// The time of the world at which it began, in ms.
    start_ms: u64,
    now_ns: u64,
    arrivals: Arrivals,
    /// What handlers draw, and callers who try again. Arrivals have a generator of their own.
    rng: Rng,
    /// Of all machines, those of the first one first.
    workers: Vec<Worker>,
    /// Of each machine, workers that have nothing to do; the last one begins next.
    free: Vec<Vec<u32>>,
    /// Of each machine, requests that wait for a worker.
    waiting: Vec<VecDeque<Job>>,
    waiting_count: u64,
    /// Callers that may still give up, in the order in which they will, and the number of the first one's request.
    callers: VecDeque<Caller>,
    first_caller: u64,
    /// Requests so far.
    requests: u64,
    /// Things that were asked of servers or of the clock so far: each has its number. The first numbers are those of the machines' starts.
    asks: u64,
    to_redis: VecDeque<(u64, Message<Vec<Bytes>>)>,
    from_redis: VecDeque<(u64, Message<Reply>)>,
    /// Commands that have arrived while another one is executed.
    redis_queue: VecDeque<Message<Vec<Bytes>>>,
    /// Until when the server executes a command.
    redis_busy_ns: u64,
    to_database: VecDeque<(u64, Message<Vec<Bytes>>)>,
    from_database: VecDeque<(u64, Message<Reply>)>,
    /// Statements at the database.
    at_database: u64,
    redis_connections: Connections<ClientId>,
    database_connections: Connections<ConnectionId>,
    /// What else is due, by time and number.
    due: BTreeMap<(u64, u64), Due>,
    series: Series,
    truth: Truth,
    faults: Vec<Fault>,
    /// What happens, while somebody listens.
    told: Option<Vec<told::Told>>,
    memories: Memories,
    memo: Alike<Memo>,
}

/// A thread of a worker's handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Place {
    worker: u32,
    thread: Thread,
}

/// Something on its way between a worker and a server.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Message<T> {
    place: Place,
    /// The number of what was asked; the worker may have given it up.
    ask: u64,
    said: T,
}

/// What happens at a time that was set before.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Due {
    /// A thread has slept or worked.
    Wake { place: Place, ask: u64 },
    /// A thread waits no longer for a server.
    GiveUp { place: Place, ask: u64 },
    /// A machine's handler starts.
    Start { machine: u32 },
    /// A thread waits no longer for an entry of its machine's memory to change.
    Changes { place: Place, ask: u64, has_changed: bool },
    /// A caller tries again.
    Retry { wish: Wish, id: u32, tries: u32 },
}

/// Something that goes wrong in a handler.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// What, with its line.
    pub what: Bytes,
    /// How often.
    pub count: u64,
}

/// What is where at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queues {
    /// Workers that have a request.
    pub busy: u64,
    /// Workers of all machines.
    pub workers: u64,
    /// Requests that wait for a worker.
    pub waiting: u64,
    /// Commands that wait for the Redis server.
    pub at_redis: u64,
    /// Statements at the database, those in its queue among them.
    pub at_database: u64,
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
    /// Traffic that begins now.
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
            told: None,
            memories,
            memo: Alike::default(),
            settings: Rc::new(settings),
        })
    }

    /// How it was set up.
    pub fn settings(&self) -> &TrafficSettings {
        &self.settings
    }

    /// How long it has been going on, in ns.
    pub fn now_ns(&self) -> u64 {
        self.now_ns
    }

    /// The figures so far.
    pub fn series(&self) -> &Series {
        &self.series
    }

    /// What is where at this moment.
    pub fn queues(&self) -> Queues {
        let (busy, waiting) = self.unfinished();
        Queues {
            busy: busy as u64,
            workers: self.workers.len() as u64,
            waiting,
            at_redis: self.redis_queue.len() as u64,
            at_database: self.at_database,
        }
    }

    /// Requests so far.
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// What went wrong in handlers, the first one first.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// How often something went wrong in a handler.
    #[inline(never)]
    pub fn fault_count(&self) -> u64 {
        self.faults.iter().fold(0, |count, fault| count.saturating_add(fault.count))
    }

    /// Requests that a worker has, and requests that wait for one.
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
            // Of those at one time, the first of the list.
            if let Some(at_ns) = at_ns.filter(|at_ns| *at_ns < next.0) {
                next = (at_ns, what);
            }
        }
        (next.0.max(self.now_ns), next.1)
    }

    /// Lets everything happen up to a time, but at most so many events, of which as many remain, and not beyond one that others have to hear of. Returns whether all of
    /// it has happened.
    pub fn run(&mut self, around: &mut Around<'_>, until_ns: u64, events_max: &mut u64) -> bool {
        while let Some(left) = events_max.checked_sub(1) {
            let (at_ns, what) = self.next(around);
            if at_ns > until_ns {
                self.now_ns = self.now_ns.max(until_ns);
                return true;
            }
            *events_max = left;
            self.now_ns = at_ns;
            self.happen(what, around);
            if !around.said.is_empty() || !around.said_by_database.is_empty() || self.has_told() {
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
                if let Some(message) = self.redis_queue.pop_front() {
                    self.execute(message, around);
                }
            }
            Next::FromRedis => {
                if let Some((_, message)) = self.from_redis.pop_front() {
                    self.hear(message.place, message.ask, message.said, around.programs);
                }
            }
            Next::FromDatabase => {
                if let Some((_, message)) = self.from_database.pop_front() {
                    self.hear(message.place, message.ask, message.said, around.programs);
                }
            }
            Next::ToRedis => {
                if let Some((_, message)) = self.to_redis.pop_front() {
                    if self.redis_busy_ns > self.now_ns || !self.redis_queue.is_empty() {
                        self.tell_of(message.place, None, || told::What::Queued { server: told::Service::Redis });
                        self.redis_queue.push_back(message);
                    } else {
                        self.execute(message, around);
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
            Due::Wake { place, ask } => self.hear(place, ask, Reply::Nothing, around.programs),
            Due::GiveUp { place, ask } => self.give_up_asking(place, ask, around),
            Due::Start { machine } => self.start(machine, around.programs),
            Due::Changes { place, ask, has_changed } => self.hear_of_change(place, ask, has_changed, around.programs),
            Due::Retry { wish, id, tries } => {
                let machine = self.rng.below(u64::from(self.settings.machines)) as u32;
                self.arrive(wish, id, machine, tries, around.programs);
            }
        }
    }

    /// Notes what went wrong in a handler.
    fn blame(&mut self, what: Bytes) {
        if let Some(known) = self.faults.iter_mut().find(|fault| fault.what == what) {
            known.count = known.count.saturating_add(1);
        } else if self.faults.len() < FAULTS_MAX {
            self.faults.push(Fault { what, count: 1 });
        }
    }
}
