//! Crashes of application machines: requests, memory and subscriptions are lost, and what was sent before still arrives.
//!
//! ```text
//!   @traffic crash 3        machine 3: its requests fail, its memory is empty; further requests fail at once
//!   @traffic crash loader   the machine that has waited longest for the database
//!   @traffic restart        all crashed machines: start() runs, then requests are served
//! ```
//!
//! A crash does not tell the servers anything by itself: the end of each connection is a message without words, behind what was sent on
//! the connection before. A server executes that first, and then closes the connection: it rolls back a transaction and drops a running
//! statement. What a machine holds in Redis, such as a lock, stays there. A machine serves again only when the ends of all its former
//! connections have arrived, so nothing from its former life reaches it.
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{Hash, Hasher};

use bytes::Bytes;
use resp::Value;
use script::program::Programs;
use table::Database;

use super::event::{RequestEvent, Service, TrafficEvent};
use super::machines::Job;
use super::servers::is_active;
use super::settings::Handler;
use super::{Due, Message, Traffic, US, WorkerThread};

/// Which machine crashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CrashTarget {
    /// The machine with this number, from 0.
    Machine(u32),
    /// The machine that has waited longest for the database; the first running machine if none waits for it.
    Loader,
}

/// The machines that are down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Crashed(BTreeMap<u32, Down>);

/// A machine that is down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Down {
    /// Ends of its connections that have not arrived at their servers yet.
    ends: u64,
    /// It starts again as soon as all have arrived.
    is_restarting: bool,
}

impl Hash for Crashed {
    /// Traffic without crashes has the hash that it had before there were crashes.
    fn hash<H: Hasher>(&self, state: &mut H) {
        if !self.0.is_empty() {
            self.0.hash(state);
        }
    }
}

impl Crashed {
    /// The end of a machine's connection has arrived at the server, or was lost with it.
    pub(super) fn connection_ended(&mut self, machine: u32) {
        if let Some(down) = self.0.get_mut(&machine) {
            down.ends = down.ends.saturating_sub(1);
        }
    }
}

/// Is this message the end of its connection?
pub(super) fn is_end(message: &Message<Vec<Bytes>>) -> bool {
    message.said.is_empty()
}

impl Traffic {
    /// Is a machine down? Machines are numbered from 0.
    pub fn is_down(&self, machine: u32) -> bool {
        !self.crashed.0.is_empty() && self.crashed.0.contains_key(&machine)
    }

    /// Is the machine of this thread down?
    pub(super) fn has_crashed(&self, place: WorkerThread) -> bool {
        !self.crashed.0.is_empty() && self.is_down(self.machine_of(place.worker))
    }

    /// Number of machines that are down.
    pub fn down_count(&self) -> u64 {
        self.crashed.0.len() as u64
    }

    /// The machines that can crash now, in order.
    #[inline(never)]
    pub fn running(&self) -> Vec<u32> {
        (0..self.settings.machines).filter(|machine| !self.is_down(*machine)).collect()
    }

    /// The machines that can be started again now, in order.
    #[inline(never)]
    pub fn startable(&self) -> Vec<u32> {
        self.crashed.0.iter().filter(|(_, down)| !down.is_restarting).map(|(machine, _)| *machine).collect()
    }

    /// The machine that a crash would hit now; `None` if it is down or does not exist.
    #[inline(never)]
    pub(super) fn crash_victim(&self, target: CrashTarget, database: Option<&Database>) -> Option<u32> {
        match target {
            CrashTarget::Machine(machine) => {
                Some(machine).filter(|machine| *machine < self.settings.machines && !self.is_down(*machine))
            }
            CrashTarget::Loader => self.loader(database).or_else(|| self.running().first().copied()),
        }
    }

    /// The machine that has waited longest for the database.
    fn loader(&self, database: Option<&Database>) -> Option<u32> {
        let at_database = self.database_connections.iter().filter(|(_, found)| is_active(database, *found));
        let at_database = at_database.map(|(place, _)| (place, self.asked(place)));
        // No one waits for the end of a connection: its number is 0.
        let on_way = self.to_database.iter().map(|(_, message)| (message.place, message.ask));
        let on_way_back = self.from_database.iter().map(|(_, message)| (message.place, message.ask));
        let waits = |(place, ask): &(WorkerThread, u64)| {
            *ask > 0 && self.task_of(place.worker).is_some_and(|task| task.asked_of(place.thread) == *ask)
        };
        let oldest = at_database.chain(on_way).chain(on_way_back).filter(waits).min_by_key(|(_, ask)| *ask);
        oldest.map(|(place, _)| self.machine_of(place.worker))
    }

    /// A machine crashes. Returns the number of requests whose callers get an error for it.
    #[inline(never)]
    pub(super) fn crash(&mut self, machine: u32) -> u64 {
        let ends = self.end_connections(machine);
        self.crashed.0.insert(machine, Down { ends, is_restarting: false });
        let is_own =
            |due: &Due| matches!(due, Due::Start { machine: of } | Due::Subscribe { machine: of } if *of == machine);
        self.due.retain(|_, due| !is_own(due));
        self.lose_subscriber(machine);
        let jobs = self.lose_jobs(machine);
        self.lose_memory(machine);
        let lost = jobs.iter().filter(|job| self.is_waited_for(job.number())).count() as u64;
        jobs.iter().for_each(|job| self.fail(job));
        lost
    }

    /// Records that a server executes a query. That of a crashed machine belongs to no request.
    pub(super) fn emit_taken(&mut self, place: WorkerThread, what: impl FnOnce() -> RequestEvent) {
        if !self.has_crashed(place) {
            self.emit_for(place, None, what);
        } else if let Some(events) = &mut self.events {
            events.push(TrafficEvent { request: 0, machine: None, worker: None, what: what() });
        }
    }

    /// Records that a server replies to a query that took time.
    pub(super) fn emit_reply(&mut self, place: WorkerThread, server: Service, value: &Value) {
        if !self.has_crashed(place) {
            self.emit_for(place, None, || RequestEvent::Answers { server, value: value.clone() });
        }
    }

    /// Takes all requests that a machine has not answered, those at workers first.
    fn lose_jobs(&mut self, machine: u32) -> Vec<Job> {
        let first = machine.saturating_mul(self.settings.workers);
        let own = first..first.saturating_add(self.settings.workers);
        let mut jobs = Vec::new();
        for worker in own.clone() {
            let Some(task) = self.workers.get_mut(worker as usize).and_then(|found| found.task.take()) else {
                continue;
            };
            self.forget_waits(worker, task.waits());
            jobs.extend(task.into_unanswered());
        }
        if let Some(free) = self.free.get_mut(machine as usize) {
            *free = own.rev().collect();
        }
        let waiting: VecDeque<Job> = self.waiting.get_mut(machine as usize).map(std::mem::take).unwrap_or_default();
        self.waiting_count = self.waiting_count.saturating_sub(waiting.len() as u64);
        jobs.extend(waiting);
        jobs
    }

    /// Sends the ends of all connections of a machine; returns their number.
    fn end_connections(&mut self, machine: u32) -> u64 {
        let at_ns = self.now_ns.saturating_add(self.network_ns());
        let ends = |places: BTreeSet<WorkerThread>| {
            let end = move |place| (at_ns, Message { place, ask: 0, said: Vec::new() });
            places.into_iter().map(end)
        };
        let is_own = |place: &WorkerThread| self.machine_of(place.worker) == machine;
        // A connection that is not open yet is opened by what is on its way.
        let queued = self.to_redis.iter().map(|(_, message)| message).chain(&self.redis_queue);
        let open = self.redis_connections.iter().map(|(place, _)| place);
        let to_redis = open.chain(queued.map(|message| message.place)).filter(is_own).collect();
        let open = self.database_connections.iter().map(|(place, _)| place);
        let on_way = self.to_database.iter().map(|(_, message)| message.place);
        let to_database = open.chain(on_way).filter(is_own).collect();
        let before = self.to_redis.len().saturating_add(self.to_database.len());
        self.to_redis.extend(ends(to_redis));
        self.to_database.extend(ends(to_database));
        self.to_redis.len().saturating_add(self.to_database.len()).saturating_sub(before) as u64
    }

    /// A machine will start again, as soon as the servers know that it has crashed.
    #[inline(never)]
    pub(super) fn restart(&mut self, machine: u32) {
        if let Some(down) = self.crashed.0.get_mut(&machine) {
            down.is_restarting = true;
            self.asks = self.asks.saturating_add(1);
            self.due.insert((self.now_ns, self.asks), Due::Start { machine });
        }
    }

    /// A machine's handler is due to start: at the beginning of traffic, or after a crash.
    #[inline(never)]
    pub(super) fn start_when_ready(&mut self, machine: u32, programs: &Programs) {
        if self.crashed.0.get(&machine).is_some_and(|down| down.ends > 0) {
            self.asks = self.asks.saturating_add(1);
            let at_ns = self.now_ns.saturating_add(self.network_ns().max(US));
            self.due.insert((at_ns, self.asks), Due::Start { machine });
            return;
        }
        self.crashed.0.remove(&machine);
        if matches!(self.settings.handler, Handler::Lua(_)) {
            self.start(machine, programs);
        }
    }
}
