//! Callers and application machines: requests wait for a worker, a worker runs a handler, a caller hears the answer or gives up.
use bytes::Bytes;
use resp::Value;
use script::program::{Failed, History, Programs, Reply, Request, State, Target, Thread, Unplayable};

use super::arrivals::Wish;
use super::handler::{answered, start, who};
use super::settings::Handler;
use super::told::{Service, What};
use super::truth::{Worth, value_of};
use super::{Due, MS, Message, Place, Traffic, US};
use crate::programs::TIMED_OUT;

/// A request at a machine, or the handler's start there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Job {
    /// Requests are numbered from 1; 0 is a start.
    number: u64,
    wish: Wish,
    id: u32,
    came_ns: u64,
    /// How often its caller has tried before.
    tries: u32,
}

impl Job {
    /// What a machine does before its first request. No one waits for it.
    pub(super) fn start() -> Job {
        Job { number: 0, wish: Wish::Get, id: 0, came_ns: 0, tries: 0 }
    }

    fn is_start(&self) -> bool {
        self.number == 0
    }
}

/// Someone who waits for the answer to a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Caller {
    pub(super) until_ns: u64,
    is_over: bool,
    wish: Wish,
    id: u32,
    tries: u32,
}

impl Caller {
    /// Has it heard something, or given up?
    #[cfg(test)]
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }
}

/// A worker of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Worker {
    pub(super) task: Option<Box<Task>>,
}

/// A request that a worker works on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Task {
    job: Job,
    /// What the handler has been answered.
    history: History,
    /// What the handler has been told so far, in bytes.
    told_bytes: usize,
    /// Threads that broke off, a bit each.
    failed: u64,
    /// Where a handler that is not in Lua stands.
    stage: Stage,
    /// Threads that wait for an answer, each with the number of what it asked.
    asked: Vec<(Thread, u64)>,
    has_queried: bool,
    /// Has it said its answer?
    has_answered: bool,
}

impl Task {
    /// The number of its request.
    pub(super) fn number(&self) -> u64 {
        self.job.number
    }

    /// The number of what a thread waits for; 0 where it waits for nothing.
    pub(super) fn asked_of(&self, thread: Thread) -> u64 {
        self.asked.iter().find(|(other, _)| *other == thread).map_or(0, |(_, ask)| *ask)
    }
}

/// Where cache-aside stands, and what it has read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Begins,
    /// `GET` was sent.
    Looks,
    /// `SELECT` was sent.
    Reads,
    /// `SET` was sent.
    Keeps(Bytes),
    /// `UPDATE` was sent.
    Writes,
    /// `DEL` was sent.
    Deletes,
}

/// How a handler goes on.
enum Next {
    /// It waits for answers.
    Waits,
    /// All its threads are over.
    Over,
}

/// How a request ends for its caller.
enum End {
    Answer(Option<Bytes>),
    Failure,
    Refusal,
}

/// A handler that has been answered so often is broken off: time may stand still for it, as in `while now() < later do end`.
const ANSWERS_MAX: usize = 1_000;
/// What a handler may be told for one request, in bytes: all of it is kept until the request is over.
const TOLD_BYTES_MAX: usize = 4 << 20;

/// The number of the database for [`Target`]; that of the Redis server is 0.
const DATABASE: u32 = 1;

impl Traffic {
    /// A request comes to a machine.
    pub(super) fn arrive(&mut self, wish: Wish, id: u32, machine: u32, tries: u32, programs: &Programs) {
        self.requests = self.requests.saturating_add(1);
        let job = Job { number: self.requests, wish, id, came_ns: self.now_ns, tries };
        self.series.now_mut().arrived = self.series.now().arrived.saturating_add(1);
        let patience_ns = u64::from(self.settings.patience_ms).saturating_mul(MS);
        if patience_ns > 0 {
            let until_ns = self.now_ns.saturating_add(patience_ns);
            self.callers.push_back(Caller { until_ns, is_over: false, wish, id, tries });
        }
        let number = job.number;
        self.tell_of_waiting(number, Some(machine), || What::Came { wish, id, tries });
        let place = machine as usize;
        let is_starting = self.memories.is_starting(machine);
        if let Some(worker) = self.free.get_mut(place).filter(|_| !is_starting).and_then(Vec::pop) {
            self.take_on(worker, job);
            return self.serve(worker, None, programs);
        }
        match self.waiting.get_mut(place) {
            Some(waiting) if waiting.len() < self.settings.backlog as usize => {
                waiting.push_back(job);
                self.waiting_count = self.waiting_count.saturating_add(1);
                let here = u32::try_from(waiting.len()).unwrap_or(u32::MAX);
                let most = self.waiting_count.max(self.series.now().waiting_max);
                self.series.now_mut().waiting_max = most;
                self.tell_of_waiting(number, Some(machine), || What::Waits { waiting: here });
            }
            _ => {
                self.tell_of_waiting(number, Some(machine), || What::Refused);
                self.end(&job, false, End::Refusal);
            }
        }
    }

    /// A worker begins with a request.
    pub(super) fn take_on(&mut self, worker: u32, job: Job) {
        self.tell_of(Place { worker, thread: 0 }, Some(job.number), || What::Begins);
        let has_answered = job.is_start();
        let task = Task {
            job,
            history: History::default(),
            told_bytes: 0,
            failed: 0,
            stage: Stage::Begins,
            asked: Vec::new(),
            has_queried: false,
            // No one waits for the answer to a start.
            has_answered,
        };
        if let Some(found) = self.workers.get_mut(worker as usize) {
            found.task = Some(Box::new(task));
        }
    }

    /// A thread hears the answer to what it asked, unless it has given that up.
    pub(super) fn hear(&mut self, place: Place, ask: u64, reply: Reply, programs: &Programs) {
        let Some(task) = self.task(place.worker) else { return };
        let Some(at) = task.asked.iter().position(|(_, asked)| *asked == ask) else { return };
        task.asked.swap_remove(at);
        self.tell_of(place, None, || match &reply {
            Reply::Value(value) => What::Hears { value: value.clone() },
            _ => What::Woke,
        });
        self.serve(place.worker, Some((place.thread, reply)), programs);
    }

    fn task(&mut self, worker: u32) -> Option<&mut Task> {
        self.workers.get_mut(worker as usize)?.task.as_deref_mut()
    }

    /// Lets a worker go on with an answer, and, when its request is over, with those that wait.
    pub(super) fn serve(&mut self, worker: u32, mut answer: Option<(Thread, Reply)>, programs: &Programs) {
        loop {
            let Some(mut task) = self.workers.get_mut(worker as usize).and_then(|found| found.task.take()) else {
                return;
            };
            let next = match &self.settings.handler {
                Handler::CacheAside { ttl_s } => {
                    let ttl_s = *ttl_s;
                    self.go_on_plainly(worker, &mut task, answer.take().map(|(_, reply)| reply), ttl_s)
                }
                Handler::Lua(_) => self.go_on(worker, &mut task, answer.take(), programs),
            };
            if matches!(next, Next::Over) && !task.asked.is_empty() {
                self.forget_waits(worker, &task.asked);
            }
            match next {
                Next::Waits => {
                    if let Some(found) = self.workers.get_mut(worker as usize) {
                        found.task = Some(task);
                    }
                    return;
                }
                Next::Over if task.job.is_start() => return self.has_started(worker, programs),
                Next::Over if !task.has_answered => {
                    self.tell_of(Place { worker, thread: 0 }, Some(task.job.number), || What::Failed);
                    self.end(&task.job, task.has_queried, End::Failure);
                }
                Next::Over => {}
            }
            let machine = self.machine_of(worker) as usize;
            let Some(job) = self.waiting.get_mut(machine).and_then(std::collections::VecDeque::pop_front) else {
                if let Some(free) = self.free.get_mut(machine) {
                    free.push(worker);
                }
                return;
            };
            self.waiting_count = self.waiting_count.saturating_sub(1);
            self.take_on(worker, job);
        }
    }

    /// A handler in Lua, up to where all its threads wait or are over.
    fn go_on(&mut self, worker: u32, task: &mut Task, answer: Option<(Thread, Reply)>, programs: &Programs) -> Next {
        let mut answer = answer;
        loop {
            if let Some((thread, reply)) = answer.take() {
                task.told_bytes = task.told_bytes.saturating_add(told_bytes(&reply));
                task.history = answered(&task.history, thread, reply);
            }
            if task.told_bytes > TOLD_BYTES_MAX {
                let what = format!("it is told more than {} MB for one request", TOLD_BYTES_MAX >> 20);
                self.breaks(worker, task, what.into());
                return Next::Over;
            }
            let scene = match self.memo.scene(programs, &self.text, &task.history) {
                Ok(scene) => scene,
                // Requests tell it, too.
                Err(_) if task.job.is_start() => return Next::Over,
                Err(why) => {
                    self.breaks(worker, task, unplayable(&why));
                    return Next::Over;
                }
            };
            if task.history.len() > ANSWERS_MAX {
                let what = format!("it asks for more than {ANSWERS_MAX} things for one request");
                self.breaks(worker, task, what.into());
                return Next::Over;
            }
            let mut is_over = true;
            for (thread, stand) in (0..).zip(&scene.threads) {
                match &stand.state {
                    State::Requests(request) => {
                        is_over = false;
                        if task.asked.iter().any(|(other, _)| *other == thread) {
                            continue;
                        }
                        let place = Place { worker, thread };
                        if let Some(reply) = self.ask(place, task, request) {
                            answer = Some((thread, reply));
                            break;
                        }
                    }
                    State::Done | State::Cancelled => {}
                    State::Failed(why) => {
                        // Its others may go on.
                        let bit = 1_u64.checked_shl(thread).unwrap_or_default();
                        if task.failed & bit == 0 {
                            task.failed |= bit;
                            self.breaks(worker, task, failed(why));
                        }
                    }
                }
            }
            if answer.is_none() {
                return if is_over { Next::Over } else { Next::Waits };
            }
        }
    }

    /// What a thread asks for: the answer, if it is there at once.
    fn ask(&mut self, place: Place, task: &mut Task, request: &Request) -> Option<Reply> {
        let error = |text: &str| Some(Reply::Value(Value::error(text)));
        match request {
            Request::Call { to, argv } => {
                let Target { node, timeout_ms } = to.unwrap_or(Target { node: 0, timeout_ms: None });
                match node {
                    0 => self.send(place, task, argv.clone(), timeout_ms, false),
                    DATABASE => self.send(place, task, argv.clone(), timeout_ms, true),
                    _ => return error("there is no such node"),
                }
                None
            }
            Request::Sleep { ms } | Request::Work { ms } => {
                let ask = self.note_ask(place, task);
                self.tell_of(place, Some(task.job.number), || What::Rests { ms: *ms });
                let at_ns = self.now_ns.saturating_add(ms.saturating_mul(MS));
                self.due.insert((at_ns, ask), Due::Wake { place, ask });
                None
            }
            Request::Who { number, .. } => {
                let machine = number.then(|| self.machine_of(place.worker));
                let Job { wish, id, number, .. } = task.job;
                Some(if task.job.is_start() { start(machine) } else { who(machine, wish, id, || value_of(number, id)) })
            }
            Request::Connect { node } => match node.as_ref() {
                b"db" => Some(Reply::Value(Value::Integer(i64::from(DATABASE)))),
                b"redis" | b"r1" => Some(Reply::Value(Value::Integer(0))),
                other => error(&format!("no node is called '{}'", String::from_utf8_lossy(other))),
            },
            Request::Now => Some(Reply::Integer(i64::try_from(self.now_ms()).unwrap_or(i64::MAX))),
            Request::Uuid => {
                let (high, low) = (self.rng.next_u64(), self.rng.next_u64());
                Some(Reply::Text(Bytes::from(format!("{high:016x}{low:016x}"))))
            }
            Request::Random { from, to } => {
                let span = to.wrapping_sub(*from).cast_unsigned();
                let drawn = if span == u64::MAX { self.rng.next_u64() } else { self.rng.below(span.wrapping_add(1)) };
                Some(Reply::Integer(from.wrapping_add(drawn.cast_signed())))
            }
            Request::Answer { value } => {
                if !task.has_answered {
                    self.answers(place, task, value.clone());
                }
                Some(Reply::Nothing)
            }
            Request::Cancel { thread } => {
                self.forget_waits(place.worker, task.asked.iter().filter(|(other, _)| other == thread));
                task.asked.retain(|(other, _)| other != thread);
                Some(Reply::Nothing)
            }
            Request::Memory { region, most, command } => self.remember(place, task, (region, *most), command),
            Request::Subscribe { .. } | Request::WaitMessage { .. } => {
                error("a handler does not subscribe: it is over when it has answered")
            }
            Request::Begin
            | Request::Spawn { .. }
            | Request::Enter { .. }
            | Request::Leave { .. }
            | Request::Note { .. }
            | Request::Tally { .. }
            | Request::Produced { .. }
            | Request::Processed { .. }
            | Request::Check { .. } => Some(Reply::Nothing),
        }
    }

    /// Numbers what a thread asks, which waits for the answer from now on.
    pub(super) fn note_ask(&mut self, place: Place, task: &mut Task) -> u64 {
        self.asks = self.asks.saturating_add(1);
        task.asked.push((place.thread, self.asks));
        self.asks
    }

    /// Sends a command to the Redis server or a statement to the database.
    fn send(&mut self, place: Place, task: &mut Task, said: Vec<Bytes>, timeout_ms: Option<u64>, to_database: bool) {
        let ask = self.note_ask(place, task);
        self.tell_of(place, Some(task.job.number), || What::Asks {
            server: Service::of(to_database),
            argv: said.clone(),
        });
        let arrives_ns = self.now_ns.saturating_add(u64::from(self.settings.network_us).saturating_mul(US));
        let message = Message { place, ask, said };
        if to_database {
            task.has_queried = true;
            self.to_database.push_back((arrives_ns, message));
        } else {
            self.to_redis.push_back((arrives_ns, message));
        }
        if let Some(timeout_ms) = timeout_ms {
            let at_ns = self.now_ns.saturating_add(timeout_ms.saturating_mul(MS));
            self.due.insert((at_ns, ask), Due::GiveUp { place, ask });
        }
    }

    /// Cache-aside without Lua. It asks for just what the same handler in Lua does.
    fn go_on_plainly(&mut self, worker: u32, task: &mut Task, reply: Option<Reply>, ttl_s: u32) -> Next {
        let place = Place { worker, thread: 0 };
        let id = task.job.id;
        let key = || Bytes::from(format!("item:{id}"));
        let number = || Bytes::from(id.to_string());
        let words = |words: &[&'static str]| words.iter().map(|word| Bytes::from_static(word.as_bytes())).collect();
        if let Some(Reply::Value(Value::Error(why))) = &reply {
            let why = Bytes::copy_from_slice(why.as_ref());
            self.breaks(worker, task, why);
            return Next::Over;
        }
        let stage = std::mem::replace(&mut task.stage, Stage::Begins);
        let answer = match (stage, task.job.wish, reply) {
            (Stage::Begins, Wish::Get, _) => {
                task.stage = Stage::Looks;
                self.send(place, task, vec![Bytes::from_static(b"GET"), key()], None, false);
                return Next::Waits;
            }
            (Stage::Begins, Wish::Put, _) => {
                task.stage = Stage::Writes;
                let value = value_of(task.job.number, id);
                let said = vec![Bytes::from_static(UPDATE), value, number()];
                self.send(place, task, said, None, true);
                return Next::Waits;
            }
            (Stage::Looks, _, Some(Reply::Value(Value::Bulk(value)))) => Some(value),
            (Stage::Looks, ..) => {
                task.stage = Stage::Reads;
                self.send(place, task, vec![Bytes::from_static(SELECT), number()], None, true);
                return Next::Waits;
            }
            (Stage::Reads, _, Some(Reply::Value(rows))) => match first_cell(&rows) {
                Some(value) => {
                    let mut said: Vec<Bytes> = words(&["SET"]);
                    said.extend([key(), value.clone(), Bytes::from_static(b"EX"), Bytes::from(ttl_s.to_string())]);
                    task.stage = Stage::Keeps(value);
                    self.send(place, task, said, None, false);
                    return Next::Waits;
                }
                None => None,
            },
            (Stage::Keeps(value), ..) => Some(value),
            (Stage::Writes, ..) => {
                task.stage = Stage::Deletes;
                self.send(place, task, vec![Bytes::from_static(b"DEL"), key()], None, false);
                return Next::Waits;
            }
            (Stage::Deletes | Stage::Reads, ..) => None,
        };
        self.answers(place, task, answer);
        Next::Over
    }

    /// A handler answers its request.
    fn answers(&mut self, place: Place, task: &mut Task, answer: Option<Bytes>) {
        task.has_answered = true;
        if self.told.is_some() {
            let Job { number, wish, id, came_ns, .. } = task.job;
            let worth = match wish {
                Wish::Put => Worth::True,
                Wish::Get => self.truth.worth(self.settings.items, id, answer.as_ref(), came_ns),
            };
            let (took_us, is_heard) = (self.now_ns.saturating_sub(came_ns) / US, self.is_waited_for(number));
            let told = answer.clone();
            self.tell_of(place, Some(number), || What::Answered { answer: told, took_us, worth, is_heard });
        }
        self.end(&task.job, task.has_queried, End::Answer(answer));
    }

    /// A thread waits no longer for a server: it takes the reply for lost and closes the connection.
    pub(super) fn give_up_asking(&mut self, place: Place, ask: u64, around: &mut super::Around<'_>) {
        if self.task(place.worker).is_some_and(|task| task.asked.contains(&(place.thread, ask))) {
            self.tell_of(place, None, || What::TimesOut);
            self.close(place, ask, around);
            self.hear(place, ask, Reply::Value(Value::error(TIMED_OUT)), around.programs);
        }
    }

    /// A request is over for its caller, who may have given up before.
    fn end(&mut self, job: &Job, has_queried: bool, end: End) {
        let is_heard = self.caller_hears(job.number);
        let interval = self.series.now_mut();
        let add = |count: &mut u64| *count = count.saturating_add(1);
        match end {
            End::Answer(_) if !is_heard => add(&mut interval.too_late),
            _ if !is_heard => {}
            End::Refusal | End::Failure => {
                add(if matches!(end, End::Refusal) { &mut interval.refused } else { &mut interval.failed });
                self.try_again(job.wish, job.id, job.tries);
            }
            End::Answer(answer) => {
                add(&mut interval.answered);
                interval.latency.add(self.now_ns.saturating_sub(job.came_ns) / US);
                if job.wish == Wish::Put {
                    return;
                }
                add(if has_queried { &mut interval.misses } else { &mut interval.hits });
                match self.truth.worth(self.settings.items, job.id, answer.as_ref(), job.came_ns) {
                    Worth::True => {}
                    Worth::Wrong => add(&mut interval.wrong),
                    Worth::Stale(ns) => {
                        add(&mut interval.stale);
                        interval.stale_ms_max = interval.stale_ms_max.max(ns.div_ceil(MS));
                    }
                }
            }
        }
    }

    /// The place of a request's caller among those that may still give up.
    fn caller_of(&self, number: u64) -> Option<usize> {
        usize::try_from(number.checked_sub(self.first_caller)?).ok()
    }

    /// Does the caller of this request still wait?
    fn is_waited_for(&self, number: u64) -> bool {
        let caller = self.caller_of(number).and_then(|place| self.callers.get(place));
        self.settings.patience_ms == 0 || caller.is_some_and(|caller| !caller.is_over)
    }

    /// The same; from now on it does not.
    fn caller_hears(&mut self, number: u64) -> bool {
        if self.settings.patience_ms == 0 {
            return true;
        }
        let Some(caller) = self.caller_of(number).and_then(|place| self.callers.get_mut(place)) else { return false };
        let waited = !std::mem::replace(&mut caller.is_over, true);
        // Those that are over need not be looked at again.
        while self.callers.front().is_some_and(|caller| caller.is_over) {
            self.callers.pop_front();
            self.first_caller = self.first_caller.saturating_add(1);
        }
        waited
    }

    /// The caller who has waited longest gives up. Its machine does not hear of it.
    pub(super) fn caller_gives_up(&mut self) {
        let Some(Caller { wish, id, tries, .. }) = self.callers.front().cloned() else { return };
        let number = self.first_caller;
        self.tell_of_waiting(number, None, || What::GaveUp);
        self.caller_hears(number);
        self.series.now_mut().given_up = self.series.now().given_up.saturating_add(1);
        self.try_again(wish, id, tries);
    }

    /// A caller that got an error tries again, if it may: after 50 to 150 ms, and twice as long each time.
    fn try_again(&mut self, wish: Wish, id: u32, tries: u32) {
        if tries >= self.settings.retries {
            return;
        }
        let pause_us = self.rng.below(100_000).saturating_add(50_000) << tries.min(10);
        self.asks = self.asks.saturating_add(1);
        let at_ns = self.now_ns.saturating_add(pause_us.saturating_mul(US));
        self.due.insert((at_ns, self.asks), Due::Retry { wish, id, tries: tries.saturating_add(1) });
    }
}

/// How cache-aside reads and changes an item.
const SELECT: &[u8] = b"SELECT value FROM item WHERE id = ?";
const UPDATE: &[u8] = b"UPDATE item SET value = ? WHERE id = ?";

/// What a reply takes in memory, roughly, in bytes.
fn told_bytes(reply: &Reply) -> usize {
    fn bytes(value: &Value) -> usize {
        match value {
            Value::Bulk(text) | Value::Simple(text) => text.len().saturating_add(40),
            Value::Array(items) => items.iter().map(bytes).sum::<usize>().saturating_add(40),
            _ => 40,
        }
    }
    match reply {
        Reply::Value(value) => bytes(value),
        Reply::Text(text) => text.len().saturating_add(40),
        Reply::Nothing | Reply::Integer(_) => 40,
    }
}

/// The first cell of the first row of an answer.
fn first_cell(rows: &Value) -> Option<Bytes> {
    let Value::Array(rows) = rows else { return None };
    let Some(Value::Array(row)) = rows.get(1) else { return None };
    match row.first() {
        Some(Value::Bulk(text)) => Some(text.clone()),
        _ => None,
    }
}

fn unplayable(why: &Unplayable) -> Bytes {
    match why {
        Unplayable::DoesNotCompile(why) => why.clone(),
        Unplayable::Diverged { .. } | Unplayable::Broken => Bytes::from_static(b"the handler cannot be played"),
        Unplayable::NoPlayer => Bytes::from_static(b"nothing plays handlers in Lua here"),
    }
}

fn failed(why: &Failed) -> Bytes {
    match why {
        Failed::Error(text) => text.clone(),
        Failed::Endless => Bytes::from_static(b"it runs for too long without asking for anything"),
        Failed::OutOfMemory => Bytes::from_static(b"it takes too much memory"),
    }
}
