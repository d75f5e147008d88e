//! Traffic as part of a world: it asks the first Redis server and the first database, and goes on while the world's time passes.
//!
//! ```text
//!   @traffic begin …    Traffic::begin, and the table `item` of the database is filled
//!   @+60000ms           World::advance ─▶ pass_time: runs up to whatever else is due, and so on
//!   @traffic step       one event, told with everything that comes of it
//! ```
//! What servers say to connections of others becomes events as always; what others make them say to handlers goes to the handlers.
//!
//! These functions are part of a chunk of the page, so none is inlined.
use std::rc::Rc;

use bytes::Bytes;
use redis_model::{ClientId, Output};
use table::Output as TableOutput;

use super::settings::{EXPECTED_MAX, Handler, TrafficSettings};
use super::told::{Service, Told, What};
use super::{Around, MS, Traffic, cost, site};
use crate::{ClientIndex, Event, EventKind, NodeIndex, StepError, TEXT_BYTES_MAX, World};

/// What is done to the traffic of a world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TrafficAct {
    /// It begins, in place of what there was before. The database gets a new table `item` with all items.
    Begin {
        /// How it is set up.
        settings: Rc<TrafficSettings>,
    },
    /// The next thing happens.
    Step,
    /// It is over; its connections are closed.
    End,
}

/// Nothing happens for so long: then a step is over.
const QUIET_MS: u64 = 60_000;
/// Most events of others, such as replies to a terminal, that are told of one stretch.
const OTHERS_MAX: usize = 10_000;

impl TrafficAct {
    /// The words of its line in a session.
    #[inline(never)]
    pub fn to_words(&self) -> Vec<Bytes> {
        match self {
            TrafficAct::Begin { settings } => {
                let mut words = vec![Bytes::from_static(b"begin")];
                words.extend(settings.to_words());
                words
            }
            TrafficAct::Step => vec![Bytes::from_static(b"step")],
            TrafficAct::End => vec![Bytes::from_static(b"end")],
        }
    }

    /// Whether both are the same but for the text of a handler: its comments may be in another language.
    #[inline(never)]
    pub fn is_alike(&self, other: &TrafficAct) -> bool {
        let without = |act: &TrafficAct| match act {
            TrafficAct::Begin { settings } if matches!(settings.handler, Handler::Lua(_)) => {
                let settings =
                    TrafficSettings { handler: Handler::Lua(Bytes::new()), ..TrafficSettings::clone(settings) };
                TrafficAct::Begin { settings: Rc::new(settings) }
            }
            act => act.clone(),
        };
        without(self) == without(other)
    }

    /// What such words mean; `None` if nothing.
    #[inline(never)]
    pub fn from_words(words: &[Bytes]) -> Option<TrafficAct> {
        let (first, rest) = words.split_first()?;
        match (first.as_ref(), rest) {
            (b"begin", rest) => Some(TrafficAct::Begin { settings: Rc::new(TrafficSettings::from_words(rest)?) }),
            (b"step", []) => Some(TrafficAct::Step),
            (b"end", []) => Some(TrafficAct::End),
            _ => None,
        }
    }
}

/// What came of a stretch of traffic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ran {
    /// Requests that came.
    pub arrived: u64,
    /// Requests that were answered in time.
    pub answered: u64,
    /// Requests that ended as an error for their callers.
    pub errors: u64,
    /// Statements that the database was sent.
    pub queries: u64,
}

impl Ran {
    /// Both together.
    #[must_use]
    pub const fn and(self, other: Ran) -> Ran {
        Ran {
            arrived: self.arrived.saturating_add(other.arrived),
            answered: self.answered.saturating_add(other.answered),
            errors: self.errors.saturating_add(other.errors),
            queries: self.queries.saturating_add(other.queries),
        }
    }

    /// What came since then.
    const fn since(self, before: Ran) -> Ran {
        Ran {
            arrived: self.arrived.saturating_sub(before.arrived),
            answered: self.answered.saturating_sub(before.answered),
            errors: self.errors.saturating_sub(before.errors),
            queries: self.queries.saturating_sub(before.queries),
        }
    }
}

impl Traffic {
    /// All of it so far.
    fn ran(&self) -> Ran {
        let intervals = self.series.over().iter().map(Rc::as_ref).chain([self.series.now()]);
        intervals.fold(Ran::default(), |so_far, interval| {
            so_far.and(Ran {
                arrived: interval.arrived,
                answered: interval.answered,
                errors: interval.errors(),
                queries: interval.queries,
            })
        })
    }
}

impl World {
    /// Its traffic.
    pub fn traffic(&self) -> Option<&Traffic> {
        self.traffic.as_deref()
    }

    /// The Redis server and the database that traffic asks: the first of each.
    pub fn traffic_nodes(&self) -> (Option<NodeIndex>, Option<NodeIndex>) {
        let mut servers = self.nodes().filter(|node| self.server(*node).is_some());
        (servers.next(), self.settings().tables().next())
    }

    #[inline(never)]
    pub(crate) fn check_traffic(&self, act: &TrafficAct) -> Result<(), StepError> {
        let TrafficAct::Begin { settings } = act else {
            return if self.traffic.is_some() { Ok(()) } else { Err(StepError::NoTraffic) };
        };
        settings.check().map_err(StepError::BadTraffic)?;
        if let Handler::Lua(text) = &settings.handler {
            if text.len() > TEXT_BYTES_MAX {
                return Err(StepError::ProgramTooLarge { given: text.len(), most: TEXT_BYTES_MAX });
            }
            if !self.engines().programs.is_installed() {
                return Err(StepError::NoPlayer);
            }
        }
        Ok(())
    }

    /// Requests that are expected in so many ms from now, without those of callers who try again.
    #[inline(never)]
    pub fn expected_requests(&self, ms: u64) -> u64 {
        self.traffic().map_or(0, |traffic| {
            let from_ms = self.now_ms().saturating_sub(traffic.start_ms);
            traffic.settings.expected(from_ms, from_ms.saturating_add(ms))
        })
    }

    #[inline(never)]
    pub(crate) fn check_passing(&self, ms: u64) -> Result<(), StepError> {
        let tries = self.traffic().map_or(1, |traffic| u64::from(traffic.settings.retries).saturating_add(1));
        if self.expected_requests(ms).saturating_mul(tries) > EXPECTED_MAX {
            return Err(StepError::TooMuchTraffic(EXPECTED_MAX));
        }
        Ok(())
    }

    #[inline(never)]
    pub(crate) fn act_on_traffic(&mut self, act: &TrafficAct, events: &mut Vec<Event>) {
        match act {
            TrafficAct::Begin { settings } => {
                self.end_traffic(events);
                let settings = TrafficSettings::clone(settings);
                let now_ms = self.now_ms();
                if let Some(node) = self.traffic_nodes().1 {
                    let clock_ms = self.clock_ms(node);
                    if let Some(database) = self.nodes.get_mut(node.0).and_then(|found| found.table_mut()) {
                        site::fill(Rc::make_mut(database), settings.items, clock_ms);
                    }
                }
                // Settings out of range were refused before.
                self.traffic = Traffic::begin(settings, now_ms).ok().map(Rc::new);
                self.emit(events, None, EventKind::TrafficBegan);
            }
            TrafficAct::Step => self.step_traffic(events),
            TrafficAct::End => {
                self.end_traffic(events);
                self.emit(events, None, EventKind::TrafficEnded);
            }
        }
    }

    fn end_traffic(&mut self, events: &mut Vec<Event>) {
        let Some(traffic) = self.traffic.take() else { return };
        let (redis, database) = self.traffic_nodes();
        if let Some(node) = redis {
            for connection in traffic.connections_to_redis() {
                self.close(node, connection, events);
            }
        }
        if let Some(node) = database {
            for connection in traffic.connections_to_database() {
                self.close(node, connection.0, events);
            }
        }
    }

    /// What its traffic has done so far; nothing where there is none.
    pub(crate) fn ran(&self) -> Ran {
        self.traffic().map_or_else(Ran::default, Traffic::ran)
    }

    /// Lets time pass up to `until_ms`, with traffic.
    #[inline(never)]
    pub(crate) fn pass_time(&mut self, until_ms: u64, events: &mut Vec<Event>) {
        let before = self.ran();
        while !self.pass_some_time(until_ms, u64::MAX, events) {}
        self.tell_ran(before, events);
    }

    /// The same with at most so many events of traffic; whether the time has passed. What traffic did is not told.
    #[inline(never)]
    pub(crate) fn pass_some_time(&mut self, until_ms: u64, events_max: u64, events: &mut Vec<Event>) -> bool {
        if self.traffic.is_none() {
            self.advance(until_ms, events);
            return true;
        }
        let mut left = events_max;
        loop {
            let stop_ms = self.due_beside_traffic().map_or(until_ms, |due_ms| due_ms.min(until_ms)).max(self.now_ms());
            if !self.run_traffic(stop_ms, &mut left, events) {
                if left == 0 {
                    return false;
                }
                continue;
            }
            self.advance_to(stop_ms, events);
            if stop_ms >= until_ms && self.due_beside_traffic().is_none_or(|due_ms| due_ms > until_ms) {
                return true;
            }
        }
    }

    /// What every end of a time that has passed in slices is.
    #[inline(never)]
    pub(crate) fn end_passing(&mut self, before: Ran, late: &[ClientIndex], events: &mut Vec<Event>) {
        self.tell_ran(before, events);
        self.end_advance(late, events);
    }

    /// What traffic did since then.
    fn tell_ran(&self, before: Ran, events: &mut Vec<Event>) {
        if self.traffic.is_some() {
            self.emit(events, None, EventKind::TrafficRan { ran: self.ran().since(before) });
        }
    }

    /// The next thing of traffic happens, and what comes before it by itself.
    fn step_traffic(&mut self, events: &mut Vec<Event>) {
        let until_ms = self.now_ms().saturating_add(QUIET_MS);
        let mut left = u64::MAX;
        loop {
            let stop_ms = self.due_beside_traffic().map_or(until_ms, |due_ms| due_ms.min(until_ms)).max(self.now_ms());
            if let Some(traffic) = &mut self.traffic {
                Rc::make_mut(traffic).listen();
            }
            let is_there = self.run_traffic(stop_ms, &mut left, events);
            if is_there {
                self.advance_to(stop_ms, events);
            }
            if !events.is_empty() || (is_there && stop_ms == until_ms) {
                return;
            }
        }
    }

    /// When something is due that is not traffic's, by the world's clock.
    fn due_beside_traffic(&self) -> Option<u64> {
        let (redis, database) = self.traffic_nodes();
        let others = self.nodes.iter().zip(self.nodes()).filter(|(_, node)| ![redis, database].contains(&Some(*node)));
        let disk = redis.and_then(|node| self.nodes.get(node.0)?.next_write_ms(self.now_ms()));
        others.filter_map(|(node, _)| node.next_deadline_ms()).chain(disk).chain(self.next_arrival_ms()).min()
    }

    /// Traffic goes on up to a time, or to where others hear of it; whether that time has come.
    fn run_traffic(&mut self, until_ms: u64, left: &mut u64, events: &mut Vec<Event>) -> bool {
        let Some(mut shared) = self.traffic.take() else { return true };
        let traffic = Rc::make_mut(&mut shared);
        let listens = traffic.listens();
        let (redis, database) = self.traffic_nodes();
        let before = redis.and_then(|node| self.nodes.get(node.0)?.server()).filter(|_| listens).cloned();
        let engines = self.engines().clone();
        let mut around = Around {
            redis: None,
            database: None,
            programs: &engines.programs,
            redis_ahead_ms: 0,
            database_ahead_ms: 0,
            said: Vec::new(),
            said_by_database: Vec::new(),
        };
        for (place, node) in (0..).map(NodeIndex).zip(&mut self.nodes) {
            if Some(place) == redis {
                around.redis_ahead_ms = node.clock_ahead_ms;
                around.redis = node.is_up.then(|| node.server_mut()).flatten().map(Rc::make_mut);
            } else if Some(place) == database {
                around.database_ahead_ms = node.clock_ahead_ms;
                around.database = node.is_up.then(|| node.table_mut()).flatten().map(Rc::make_mut);
            }
        }
        let until_ns = until_ms.saturating_sub(traffic.start_ms).saturating_mul(MS);
        let is_there = traffic.run(&mut around, until_ns, left);
        let Around { said, said_by_database, .. } = around;
        self.now_ms = self.now_ms.max(traffic.now_ms());
        let told = traffic.take_told();
        self.traffic = Some(shared);
        for told in told {
            self.tell(told, events);
        }
        let is_full = events.len() >= OTHERS_MAX;
        if let Some(node) = redis {
            let is_wanted = |output: &Output| listens || !(is_full || matches!(output, Output::Flushed { .. }));
            let said = said.into_iter().filter(is_wanted).collect();
            let before = before.or_else(|| self.nodes.get(node.0)?.server().cloned());
            if let Some(before) = before {
                self.take_outputs(node, &before, said, events);
            }
        }
        if let Some(node) = database {
            self.take_table_outputs(node, said_by_database, events);
        }
        is_there
    }

    fn tell(&self, told: Told, events: &mut Vec<Event>) {
        let (redis, database) = self.traffic_nodes();
        let node = match &told.what {
            What::Queued { server } | What::Taken { server, .. } | What::Answers { server, .. } => match server {
                Service::Redis => redis,
                Service::Database => database,
            },
            _ => None,
        };
        self.emit(events, node, EventKind::Traffic { told: Box::new(told) });
    }

    /// A Redis server executes a command that is not traffic's. What traffic sends to it then waits until it is over.
    #[inline(never)]
    pub(crate) fn execute_beside_traffic(
        &mut self,
        node: NodeIndex,
        (connection, client): (ClientId, Option<ClientIndex>),
        argv: Vec<Bytes>,
        events: &mut Vec<Event>,
    ) {
        let is_asked = self.traffic_nodes().0 == Some(node);
        let clock_ms = self.clock_ms(node);
        let looked_at = self.server(node).map_or(0, |server| cost::looked_at(server, Some(connection), &argv));
        let mut reply = None;
        self.on_server(node, client, events, |server| {
            let outputs = server.handle(clock_ms, connection, argv);
            reply = outputs.iter().find_map(|output| match output {
                Output::Reply { client, value } if *client == connection => Some(value.clone()),
                _ => None,
            });
            outputs
        });
        if let Some(traffic) = self.traffic.as_mut().filter(|_| is_asked) {
            Rc::make_mut(traffic).occupy_redis(looked_at, reply.as_ref());
        }
    }

    /// What a Redis server says that concerns traffic goes there; the rest is returned.
    #[inline(never)]
    pub(crate) fn pass_to_traffic(&mut self, node: NodeIndex, outputs: Vec<Output>) -> Vec<Output> {
        let is_asked = self.traffic_nodes().0 == Some(node);
        match self.traffic.as_mut().filter(|_| is_asked) {
            Some(shared) => {
                let traffic = Rc::make_mut(shared);
                outputs.into_iter().filter_map(|output| traffic.hear_redis(output)).collect()
            }
            None => outputs,
        }
    }

    /// The same for a database.
    #[inline(never)]
    pub(crate) fn pass_rows_to_traffic(&mut self, node: NodeIndex, outputs: Vec<TableOutput>) -> Vec<TableOutput> {
        let is_asked = self.traffic_nodes().1 == Some(node);
        match self.traffic.as_mut().filter(|_| is_asked) {
            Some(shared) => {
                let traffic = Rc::make_mut(shared);
                outputs.into_iter().filter_map(|output| traffic.hear_table(output)).collect()
            }
            None => outputs,
        }
    }

    /// A node is about to crash.
    #[inline(never)]
    pub(crate) fn tell_traffic_of_crash(&mut self, node: NodeIndex) {
        let (redis, database) = self.traffic_nodes();
        let (Some(traffic), Some(found)) = (&mut self.traffic, self.nodes.get(node.0)) else { return };
        if let Some(server) = found.server().filter(|_| redis == Some(node)) {
            Rc::make_mut(traffic).lose_redis(server);
        } else if let Some(found) = found.table().filter(|_| database == Some(node)) {
            Rc::make_mut(traffic).lose_database(found);
        }
    }
}
