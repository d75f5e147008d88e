//! Traffic as part of a world: it uses the world's first Redis server and first database, and runs while the world's time passes.
//!
//! ```text
//!   @traffic begin …    Traffic::begin, and the table `item` of the database is filled
//!   @+60000ms           World::advance ─▶ pass_time: runs up to the next other deadline, and so on
//!   @traffic step       one event, with everything that it causes
//!   @traffic crash 3    a machine crashes, until @traffic restart
//! ```
//! Outputs of servers for other clients become events as usual; outputs for handlers go to the handlers.
//!
//! These functions are part of a chunk of the page, so none is inlined.
use std::rc::Rc;

use bytes::Bytes;
use redis_model::{ClientId, Output, Server};
use table::{Database, Output as TableOutput};

use super::crash::CrashTarget;
use super::event::{RequestEvent, Service, TrafficEvent};
use super::settings::{EXPECTED_MAX, Handler, TrafficSettings};
use super::{Around, MS, Scripts, Traffic, cost, items};
use crate::{ClientIndex, Event, EventKind, Input, NodeIndex, StepError, TEXT_BYTES_MAX, World};

/// What can be done to the traffic of a world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TrafficAct {
    /// It begins and replaces any former traffic. The database gets a new table `item` with all items.
    Begin {
        /// The settings.
        settings: Rc<TrafficSettings>,
    },
    /// Runs the next event.
    Step,
    /// An application machine crashes.
    Crash {
        /// Which one.
        target: CrashTarget,
    },
    /// Crashed machines start again.
    Restart {
        /// The machine with this number, from 0; `None`: all that are down.
        machine: Option<u32>,
    },
    /// It ends; its connections are closed.
    End,
}

/// The word for [`CrashTarget::Loader`].
const LOADER: &[u8] = b"loader";
/// A step ends after this time without events, in ms.
const QUIET_MS: u64 = 60_000;
/// Maximum number of events of others, such as replies to a terminal, reported for one stretch.
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
            TrafficAct::Crash { target } => vec![
                Bytes::from_static(b"crash"),
                match target {
                    CrashTarget::Machine(machine) => number_of(*machine),
                    CrashTarget::Loader => Bytes::from_static(LOADER),
                },
            ],
            TrafficAct::Restart { machine } => {
                [Bytes::from_static(b"restart")].into_iter().chain(machine.map(number_of)).collect()
            }
            TrafficAct::End => vec![Bytes::from_static(b"end")],
        }
    }

    /// Are both equal, ignoring the text of a handler? Its comments may be in another language.
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

    /// Parses such words; `None` if they are invalid.
    #[inline(never)]
    pub fn from_words(words: &[Bytes]) -> Option<TrafficAct> {
        let (first, rest) = words.split_first()?;
        match (first.as_ref(), rest) {
            (b"begin", rest) => Some(TrafficAct::Begin { settings: Rc::new(TrafficSettings::from_words(rest)?) }),
            (b"step", []) => Some(TrafficAct::Step),
            (b"crash", [word]) if word.as_ref() == LOADER => Some(TrafficAct::Crash { target: CrashTarget::Loader }),
            (b"crash", [word]) => Some(TrafficAct::Crash { target: CrashTarget::Machine(machine_of(word)?) }),
            (b"restart", []) => Some(TrafficAct::Restart { machine: None }),
            (b"restart", [word]) => Some(TrafficAct::Restart { machine: Some(machine_of(word)?) }),
            (b"end", []) => Some(TrafficAct::End),
            _ => None,
        }
    }
}

/// A machine's number as people count: from 1.
fn number_of(machine: u32) -> Bytes {
    Bytes::from(machine.saturating_add(1).to_string())
}

fn machine_of(word: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(word).ok().filter(|text| text.starts_with(|first: char| first.is_ascii_digit()))?;
    text.parse::<u32>().ok()?.checked_sub(1)
}

/// The figures of a stretch of traffic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ran {
    /// Requests that arrived.
    pub arrived: u64,
    /// Requests answered in time.
    pub answered: u64,
    /// Requests that ended with an error for their callers.
    pub errors: u64,
    /// Statements sent to the database.
    pub queries: u64,
}

impl Ran {
    /// The sum of both.
    #[must_use]
    pub const fn and(self, other: Ran) -> Ran {
        Ran {
            arrived: self.arrived.saturating_add(other.arrived),
            answered: self.answered.saturating_add(other.answered),
            errors: self.errors.saturating_add(other.errors),
            queries: self.queries.saturating_add(other.queries),
        }
    }

    /// The difference from an earlier state.
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
    /// The figures from the beginning.
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
    /// The world's traffic.
    pub fn traffic(&self) -> Option<&Traffic> {
        self.traffic.as_deref()
    }

    /// The Redis server and the database that traffic uses: the first of each.
    pub fn traffic_nodes(&self) -> (Option<NodeIndex>, Option<NodeIndex>) {
        let mut servers = self.nodes().filter(|node| self.server(*node).is_some());
        (servers.next(), self.settings().tables().next())
    }

    /// The number of items that an input puts into the table of a database, if they are many and the table is not prepared yet.
    #[inline(never)]
    pub fn items_to_fill(&self, input: &Input) -> Option<u32> {
        let Input::Traffic { act: TrafficAct::Begin { settings } } = input else { return None };
        let items = settings.items;
        let is_long = items >= items::MANY_ITEMS && settings.check().is_ok() && self.traffic_nodes().1.is_some();
        (is_long && !self.engines().items.are_filled(items)).then_some(items)
    }

    #[inline(never)]
    pub(crate) fn check_traffic(&self, act: &TrafficAct) -> Result<(), StepError> {
        let TrafficAct::Begin { settings } = act else {
            let traffic = self.traffic().ok_or(StepError::NoTraffic)?;
            let (machine, can) = match act {
                TrafficAct::Crash { target } => {
                    let machine = if let CrashTarget::Machine(machine) = target { Some(*machine) } else { None };
                    (machine, traffic.crash_victim(*target, self.traffic_database()).is_some())
                }
                TrafficAct::Restart { machine } => {
                    (*machine, traffic.startable().iter().any(|down| machine.is_none_or(|machine| machine == *down)))
                }
                _ => (None, true),
            };
            return if can { Ok(()) } else { Err(StepError::MachineCannot(machine)) };
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

    /// Expected number of requests in the next `ms`, without retries.
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
                    let (clock_ms, known) = (self.clock_ms(node), self.engines().items.clone());
                    if let Some(database) = self.nodes.get_mut(node.0).and_then(|found| found.table_mut()) {
                        items::fill(Rc::make_mut(database), settings.items, clock_ms, &known);
                    }
                }
                // Settings out of range were rejected before.
                self.traffic = Traffic::begin(settings, now_ms).ok().map(Rc::new);
                self.emit(events, None, EventKind::TrafficBegan);
            }
            TrafficAct::Step => self.step_traffic(events),
            TrafficAct::Crash { target } => self.crash_machine(*target, events),
            TrafficAct::Restart { machine } => self.restart_machines(*machine, events),
            TrafficAct::End => {
                self.end_traffic(events);
                self.emit(events, None, EventKind::TrafficEnded);
            }
        }
    }

    /// The database that traffic uses, if it is up.
    fn traffic_database(&self) -> Option<&Database> {
        self.nodes.get(self.traffic_nodes().1?.0).filter(|node| node.is_up)?.table().map(Rc::as_ref)
    }

    fn crash_machine(&mut self, target: CrashTarget, events: &mut Vec<Event>) {
        let victim = self.traffic().and_then(|traffic| traffic.crash_victim(target, self.traffic_database()));
        if let (Some(machine), Some(traffic)) = (victim, &mut self.traffic) {
            let lost = Rc::make_mut(traffic).crash(machine);
            self.emit_of_machine(machine, RequestEvent::Crashes { lost }, events);
        }
    }

    fn restart_machines(&mut self, machine: Option<u32>, events: &mut Vec<Event>) {
        let down = self.traffic().map(Traffic::startable).unwrap_or_default();
        for machine in down.into_iter().filter(|down| machine.is_none_or(|machine| machine == *down)) {
            if let Some(traffic) = &mut self.traffic {
                Rc::make_mut(traffic).restart(machine);
            }
            self.emit_of_machine(machine, RequestEvent::Restarts, events);
        }
    }

    fn emit_of_machine(&self, machine: u32, what: RequestEvent, events: &mut Vec<Event>) {
        self.emit_traffic(TrafficEvent { request: 0, machine: Some(machine), worker: None, what }, events);
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

    /// The figures of its traffic from the beginning; zero without traffic.
    pub(crate) fn ran(&self) -> Ran {
        self.traffic().map_or_else(Ran::default, Traffic::ran)
    }

    /// Lets time pass up to `until_ms`, with traffic.
    #[inline(never)]
    pub(crate) fn pass_time(&mut self, until_ms: u64, events: &mut Vec<Event>) {
        let before = self.ran();
        while !self.pass_some_time(until_ms, u64::MAX, &mut Scripts::Whole, events) {}
        self.report_ran(before, events);
    }

    /// The same with at most `events_max` traffic events, or until a script has to run ahead; returns whether the time is reached. Does
    /// not report the traffic.
    #[inline(never)]
    pub(crate) fn pass_some_time(
        &mut self,
        until_ms: u64,
        events_max: u64,
        scripts: &mut Scripts,
        events: &mut Vec<Event>,
    ) -> bool {
        if self.traffic.is_none() {
            self.advance(until_ms, events);
            return true;
        }
        let mut left = events_max;
        loop {
            let stop_ms = self.traffic_until(until_ms);
            if !self.run_traffic(stop_ms, &mut left, scripts, events) {
                if left == 0 || scripts.is_paused() {
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

    /// The common end of an advance in slices.
    #[inline(never)]
    pub(crate) fn end_passing(&mut self, before: Ran, late: &[ClientIndex], events: &mut Vec<Event>) {
        self.report_ran(before, events);
        self.end_advance(late, events);
    }

    /// Reports the traffic since an earlier state.
    fn report_ran(&self, before: Ran, events: &mut Vec<Event>) {
        if self.traffic.is_some() {
            self.emit(events, None, EventKind::TrafficRan { ran: self.ran().since(before) });
        }
    }

    /// Runs the next event of traffic, and everything due before it.
    fn step_traffic(&mut self, events: &mut Vec<Event>) {
        self.step_some_traffic(self.step_until_ms(), u64::MAX, &mut Scripts::Whole, events);
    }

    /// When a step of traffic ends in which nothing happens.
    pub(crate) fn step_until_ms(&self) -> u64 {
        self.now_ms().saturating_add(QUIET_MS)
    }

    /// The next event of traffic, or as much of it as this many pieces, or until a script has to run ahead; returns whether it is over.
    /// `events` must be empty at its beginning.
    #[inline(never)]
    pub(crate) fn step_some_traffic(
        &mut self,
        until_ms: u64,
        events_max: u64,
        scripts: &mut Scripts,
        events: &mut Vec<Event>,
    ) -> bool {
        let mut left = events_max;
        while left > 0 && !scripts.is_paused() {
            let stop_ms = self.traffic_until(until_ms);
            if let Some(traffic) = &mut self.traffic {
                Rc::make_mut(traffic).listen();
            }
            let is_there = self.run_traffic(stop_ms, &mut left, scripts, events);
            if is_there {
                self.advance_to(stop_ms, events);
            }
            if !events.is_empty() || (is_there && stop_ms == until_ms) {
                return true;
            }
        }
        false
    }

    /// How far traffic can run before something else is due, up to `until_ms`.
    fn traffic_until(&self, until_ms: u64) -> u64 {
        self.due_beside_traffic().map_or(until_ms, |due_ms| due_ms.min(until_ms)).max(self.now_ms())
    }

    /// When something other than traffic is due next, by the world's clock.
    fn due_beside_traffic(&self) -> Option<u64> {
        let (redis, database) = self.traffic_nodes();
        let others = self.nodes.iter().zip(self.nodes()).filter(|(_, node)| ![redis, database].contains(&Some(*node)));
        let disk = redis.and_then(|node| self.nodes.get(node.0)?.next_write_ms(self.now_ms()));
        others.filter_map(|(node, _)| node.next_deadline_ms()).chain(disk).chain(self.next_arrival_ms()).min()
    }

    /// Runs traffic up to a time, or until others must see an event, or a script has to run ahead; returns whether the time is reached.
    fn run_traffic(&mut self, until_ms: u64, left: &mut u64, scripts: &mut Scripts, events: &mut Vec<Event>) -> bool {
        let Some(mut shared) = self.traffic.take() else { return true };
        let traffic = Rc::make_mut(&mut shared);
        let listens = traffic.listens();
        let (redis, database) = self.traffic_nodes();
        let before = redis.and_then(|node| self.server(node)).filter(|_| listens).map(Server::former);
        let engines = self.engines().clone();
        let mut around = Around {
            redis: None,
            database: None,
            programs: &engines.programs,
            redis_ahead_ms: 0,
            database_ahead_ms: 0,
            said: Vec::new(),
            said_by_database: Vec::new(),
            scripts: std::mem::take(scripts),
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
        let Around { said, said_by_database, scripts: afterwards, .. } = around;
        *scripts = afterwards;
        self.now_ms = self.now_ms.max(traffic.now_ms());
        if listens && !traffic.pieces.is_empty() {
            // The event is reported once it is over. Handlers go on in it, and they reach the servers only by later events.
            debug_assert!(
                said.is_empty() && said_by_database.is_empty(),
                "a server has said something in the middle of an event"
            );
            self.traffic = Some(shared);
            return false;
        }
        let traffic_events = traffic.take_events();
        self.traffic = Some(shared);
        for event in traffic_events {
            self.emit_traffic(event, events);
        }
        let is_full = events.len() >= OTHERS_MAX;
        if let Some(node) = redis {
            let is_wanted = |output: &Output| listens || !(is_full || matches!(output, Output::Flushed { .. }));
            let said = said.into_iter().filter(is_wanted).collect();
            let before = before.or_else(|| self.server(node).map(Server::former));
            if let Some(before) = before {
                self.take_outputs(node, &before, said, events);
            }
        }
        if let Some(node) = database {
            self.take_table_outputs(node, said_by_database, events);
        }
        is_there
    }

    fn emit_traffic(&self, event: TrafficEvent, events: &mut Vec<Event>) {
        let (redis, database) = self.traffic_nodes();
        let node = match &event.what {
            RequestEvent::Queued { server }
            | RequestEvent::Taken { server, .. }
            | RequestEvent::Answers { server, .. } => match server {
                Service::Redis => redis,
                Service::Database => database,
            },
            _ => None,
        };
        self.emit(events, node, EventKind::Traffic { event: Box::new(event) });
    }

    /// A Redis server executes a command that is not traffic's. Traffic's commands wait until it ends.
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

    /// Passes a Redis server's outputs for traffic to the traffic; returns the rest.
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
    pub(crate) fn report_crash_to_traffic(&mut self, node: NodeIndex) {
        let (redis, database) = self.traffic_nodes();
        let (Some(traffic), Some(found)) = (&mut self.traffic, self.nodes.get(node.0)) else { return };
        if let Some(server) = found.server().filter(|_| redis == Some(node)) {
            Rc::make_mut(traffic).lose_redis(server);
        } else if let Some(found) = found.table().filter(|_| database == Some(node)) {
            Rc::make_mut(traffic).lose_database(found);
        }
    }
}
