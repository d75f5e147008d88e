//! Memory of application machines: data that handlers keep there between requests, and the job that fills it before the first request.
//!
//! ```text
//!   machine 1 ─ region 'items'   entries by key, by last use (beyond `most`, the least recently used is evicted) and by deadline
//!             └ region 'bloom'   bits, in pages
//!   waits      of threads, for an entry to change: by region and key, in order of arrival
//! ```
//!
//! A handler is replayed from its answers, so every value that it reads from a memory is an answer too. A command takes no time, so nothing
//! happens between two commands. Entries expire by the clock of traffic, and are deleted when their region is used next.
mod region;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use bytes::Bytes;
use resp::Value;
use script::program::{MEMORY_BITS, MEMORY_PLACES_MAX, MemoryCommand, Programs, Reply, Thread};

use super::machines::{Job, Task};
use super::pieces::Piece;
use super::settings::{Handler, TrafficSettings};
use super::{Due, MS, Traffic, WorkerThread};
use region::{Refusal, Region};

/// Maximum memory of one machine, and of all machines together, in bytes.
const MACHINE_BYTES_MAX: usize = 32 << 20;
const ALL_BYTES_MAX: usize = 256 << 20;
/// Maximum number of regions per machine.
const REGIONS_MAX: usize = 100;
/// Maximum length of a key and of a region's name, in bytes.
const KEY_BYTES_MAX: usize = 1_024;
/// Approximate overhead of a region, in bytes.
const REGION_BYTES: usize = 400;

/// The memories of all machines. Clones share their contents.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Memories {
    machines: Vec<Memory>,
    /// Machines that serve no requests yet, because their handler must start first.
    starting: BTreeSet<u32>,
    /// Maximum memory of each machine, in bytes.
    bytes_max: usize,
}

/// The memory of one machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Memory {
    regions: BTreeMap<Bytes, Region>,
    /// Its approximate size in bytes.
    bytes: usize,
    /// Threads that wait for an entry to change, by question number.
    waits: BTreeMap<u64, Wait>,
    /// The same waits by region, key and number.
    waiting: BTreeSet<(Bytes, Bytes, u64)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Wait {
    place: WorkerThread,
    region: Bytes,
    key: Bytes,
    /// When the wait ends at the latest.
    until_ns: Option<u64>,
}

impl Memories {
    /// Empty memories; a handler in Lua must start first.
    pub(super) fn new(settings: &TrafficSettings) -> Memories {
        let is_lua = matches!(settings.handler, Handler::Lua(_));
        Memories {
            machines: (0..settings.machines).map(|_| Memory::default()).collect(),
            starting: if is_lua { (0..settings.machines).collect() } else { BTreeSet::new() },
            bytes_max: (ALL_BYTES_MAX / settings.machines.max(1) as usize).min(MACHINE_BYTES_MAX),
        }
    }

    /// The due times of the handlers' starts: at once.
    pub(super) fn starts(&self) -> BTreeMap<(u64, u64), Due> {
        self.starting.iter().map(|machine| ((0, u64::from(*machine)), Due::Start { machine: *machine })).collect()
    }

    /// Must requests wait until this machine's handler has started?
    pub(super) fn is_starting(&self, machine: u32) -> bool {
        !self.starting.is_empty() && self.starting.contains(&machine)
    }
}

impl Traffic {
    /// The memory of a machine; machines are numbered from 0.
    pub fn memory(&self, machine: u32) -> Option<&Memory> {
        self.memories.machines.get(machine as usize)
    }

    /// The number of the machine of a worker or subscriber.
    pub(super) fn machine_of(&self, worker: u32) -> u32 {
        self.subscriber_of(worker).unwrap_or(worker / self.settings.workers.max(1))
    }

    /// Starts a machine's handler on one of its workers.
    pub(super) fn start(&mut self, machine: u32, programs: &Programs) {
        self.memories.starting.insert(machine);
        if let Some(worker) = self.free.get_mut(machine as usize).and_then(Vec::pop) {
            self.take_on(worker, Job::start());
            self.serve(worker, None, programs);
        }
    }

    /// A machine has crashed: its memory is empty.
    pub(super) fn lose_memory(&mut self, machine: u32) {
        self.memories.starting.remove(&machine);
        if let Some(memory) = self.memories.machines.get_mut(machine as usize) {
            *memory = Memory::default();
        }
    }

    /// A machine's handler has started: its workers now serve requests, waiting ones first.
    pub(super) fn has_started(&mut self, worker: u32, programs: &Programs) {
        let machine = self.machine_of(worker);
        self.memories.starting.remove(&machine);
        let Some(free) = self.free.get_mut(machine as usize) else { return };
        free.push(worker);
        self.take_waiting(machine, programs);
    }

    /// A worker of a machine takes a waiting request, and then the next worker.
    pub(super) fn take_waiting(&mut self, machine: u32, programs: &Programs) {
        let Some(waiting) = self.waiting.get_mut(machine as usize).filter(|waiting| !waiting.is_empty()) else {
            return;
        };
        let Some(worker) = self.free.get_mut(machine as usize).and_then(Vec::pop) else { return };
        let Some(job) = waiting.pop_front() else { return };
        self.waiting_count = self.waiting_count.saturating_sub(1);
        self.take_on(worker, job);
        self.pieces.push(Piece::TakeWaiting { machine });
        self.serve(worker, None, programs);
    }

    /// Runs a thread's memory command: returns the answer, unless the thread must wait.
    pub(super) fn remember(
        &mut self,
        place: WorkerThread,
        task: &mut Task,
        (region, most): (&Bytes, Option<u32>),
        command: &MemoryCommand,
    ) -> Option<Reply> {
        let (now_ns, bytes_max) = (self.now_ns, self.memories.bytes_max);
        let machine = self.machine_of(place.worker);
        let Some(memory) = self.memories.machines.get_mut(machine as usize) else { return Some(Reply::Nothing) };
        let mut changed = Vec::new();
        let answered = memory.answer(now_ns, bytes_max, (region, most), command, &mut changed);
        if !memory.waits.is_empty() {
            changed.iter().for_each(|key| memory.wake(now_ns, region, key, &mut self.due));
        }
        match (answered, command) {
            (Ok(_), MemoryCommand::Wait { key, timeout_ms }) => {
                self.wait(place, task, region, key, *timeout_ms);
                None
            }
            (Ok(value), _) => Some(Reply::Value(value)),
            (Err(why), _) => Some(Reply::Value(Value::error(why))),
        }
    }

    /// A thread waits for an entry to change.
    fn wait(&mut self, place: WorkerThread, task: &mut Task, region: &Bytes, key: &Bytes, timeout_ms: Option<u64>) {
        let ask = self.note_ask(place, task);
        let machine = self.machine_of(place.worker) as usize;
        let timeout_ns = timeout_ms.map(|ms| self.now_ns.saturating_add(ms.saturating_mul(MS)));
        let Some(memory) = self.memories.machines.get_mut(machine) else { return };
        // Earlier, any change of the entry ends the wait.
        let expires_ns = memory.regions.get(region).and_then(|region| region.until_ns(key));
        let has_changed = expires_ns.is_some_and(|expires| timeout_ns.is_none_or(|timeout| expires <= timeout));
        let until_ns = if has_changed { expires_ns } else { timeout_ns };
        if let Some(until_ns) = until_ns {
            self.due.insert((until_ns, ask), Due::Changes { place, ask, has_changed });
        }
        memory.waiting.insert((region.clone(), key.clone(), ask));
        memory.waits.insert(ask, Wait { place, region: region.clone(), key: key.clone(), until_ns });
    }

    /// Ends a thread's wait for an entry: the entry has changed, or the wait has timed out.
    pub(super) fn hear_of_change(&mut self, place: WorkerThread, ask: u64, has_changed: bool, programs: &Programs) {
        let machine = self.machine_of(place.worker) as usize;
        if let Some(memory) = self.memories.machines.get_mut(machine) {
            memory.take_wait(ask);
        }
        self.hear(place, ask, (None, Reply::Value(Value::Integer(i64::from(has_changed)))), programs);
    }

    /// Removes the waits of a worker's threads that have ended.
    pub(super) fn forget_waits<'a>(&mut self, worker: u32, asked: impl IntoIterator<Item = &'a (Thread, u64)>) {
        let machine = self.machine_of(worker) as usize;
        let Some(memory) = self.memories.machines.get_mut(machine) else { return };
        for (_, ask) in asked {
            if let Some(Wait { until_ns: Some(until_ns), .. }) = memory.take_wait(*ask) {
                self.due.remove(&(until_ns, *ask));
            }
        }
    }
}

impl Memory {
    /// Number of entries in all regions, including those that have expired since their region was last used.
    pub fn entries(&self) -> usize {
        self.regions.values().map(Region::len).sum()
    }

    /// Its approximate size in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Number of threads that wait for an entry to change.
    pub fn waits(&self) -> usize {
        self.waits.len()
    }

    /// Runs a command. On an error nothing has changed. `changed` receives the keys of entries that were set or removed, except expired
    /// ones.
    fn answer(
        &mut self,
        now_ns: u64,
        bytes_max: usize,
        (name, most): (&Bytes, Option<u32>),
        command: &MemoryCommand,
        changed: &mut Vec<Bytes>,
    ) -> Result<Value, String> {
        let full = || format!("the memory of the machine is full: it has {} KB", bytes_max >> 10);
        if !self.regions.contains_key(name) {
            let bytes = REGION_BYTES.saturating_add(name.len());
            if name.len() > KEY_BYTES_MAX {
                return Err(format!("the name of a memory has at most {KEY_BYTES_MAX} bytes"));
            } else if self.regions.len() >= REGIONS_MAX {
                return Err(format!("a machine has at most {REGIONS_MAX} memories"));
            } else if self.bytes.saturating_add(bytes) > bytes_max {
                return Err(full());
            }
            self.bytes = self.bytes.saturating_add(bytes);
            self.regions.insert(name.clone(), Region::default());
        }
        let Some(region) = self.regions.get_mut(name) else { return Ok(Value::Null) };
        let others = self.bytes.saturating_sub(region.bytes());
        region.expire(now_ns);
        if let Some(most) = most {
            region.limit(most, changed);
        }
        let answered = region.answer(now_ns, bytes_max.saturating_sub(others), command, changed);
        self.bytes = others.saturating_add(region.bytes());
        answered.map_err(|why| match why {
            Refusal::Full => full(),
            Refusal::KeyTooLong => format!("a key has at most {KEY_BYTES_MAX} bytes"),
            Refusal::NoNumber => "the value is not a whole number, or the sum would be too great".to_owned(),
            Refusal::Places => format!("at most {MEMORY_PLACES_MAX} places, each below {MEMORY_BITS}"),
        })
    }

    /// Wakes the threads that wait for an entry, in order of arrival.
    fn wake(&mut self, now_ns: u64, region: &Bytes, key: &Bytes, due: &mut BTreeMap<(u64, u64), Due>) {
        let first = (region.clone(), key.clone(), 0);
        let last = (region.clone(), key.clone(), u64::MAX);
        let range = (Bound::Included(&first), Bound::Included(&last));
        let asks: Vec<u64> = self.waiting.range::<(Bytes, Bytes, u64), _>(range).map(|(_, _, ask)| *ask).collect();
        for ask in asks {
            let Some(Wait { place, until_ns, .. }) = self.take_wait(ask) else { continue };
            if let Some(until_ns) = until_ns {
                due.remove(&(until_ns, ask));
            }
            due.insert((now_ns, ask), Due::Changes { place, ask, has_changed: true });
        }
    }

    fn take_wait(&mut self, ask: u64) -> Option<Wait> {
        let wait = self.waits.remove(&ask)?;
        self.waiting.remove(&(wait.region.clone(), wait.key.clone(), ask));
        Some(wait)
    }
}
