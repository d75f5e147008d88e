//! Application machines: requests wait for a worker, a worker runs a handler and answers.
use std::sync::Arc;

use bytes::Bytes;
use resp::Value;
use script::program::{History, Programs, Reply, Request, State, Target, Thread, ThreadSnapshot};

use super::arrivals::Wish;
use super::callers::Caller;
use super::event::{RequestEvent, Service};
use super::handler::{Beginning, Scene, answered, notice_of, start, who};
use super::limit::{ANSWERS_MAX, HandlerLimit, RECEIVED_BYTES_MAX, failed, received_bytes, unplayable};
use super::pieces::Piece;
use super::plain::CacheAsideStage;
use super::settings::Handler;
use super::truth::{Worth, value_of};
use super::{Due, MS, Message, Traffic, US, WorkerThread};
use crate::programs::TIMED_OUT;

/// A request at a machine, or the start of the machine's handler.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Job {
    /// Number of the request, from 1; 0: a start.
    number: u64,
    pub(super) wish: Wish,
    pub(super) id: u32,
    came_ns: u64,
    /// How many times its caller has tried before.
    tries: u32,
}

impl Job {
    /// The start of a machine's handler, before its first request, or a call of its subscriber. No caller waits for it.
    pub(super) fn start() -> Job {
        Job { number: 0, wish: Wish::Get, id: 0, came_ns: 0, tries: 0 }
    }

    /// The number of the request; 0 for a start.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    fn is_start(&self) -> bool {
        self.number == 0
    }
}

/// A worker of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Worker {
    pub(super) task: Option<Box<Task>>,
}

/// A request in progress at a worker.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Task {
    pub(super) job: Job,
    /// The answers that the handler has got.
    history: History,
    /// Their size in bytes.
    received_bytes: usize,
    /// Threads that failed, one bit each.
    failed: u64,
    /// The stage of a handler without Lua.
    pub(super) stage: CacheAsideStage,
    /// Threads that wait for an answer, each with the number of its question.
    asked: Vec<(Thread, u64)>,
    has_queried: bool,
    /// Has it answered its caller?
    has_answered: bool,
}

impl Task {
    /// The number of its request.
    pub(super) fn number(&self) -> u64 {
        self.job.number
    }

    /// The questions of its threads that wait for an answer.
    pub(super) fn waits(&self) -> &[(Thread, u64)] {
        &self.asked
    }

    /// Its request, if the caller has no answer yet.
    pub(super) fn into_unanswered(self) -> Option<Job> {
        (!self.has_answered).then_some(self.job)
    }

    /// Does it serve no request?
    pub(super) fn is_start(&self) -> bool {
        self.job.is_start()
    }

    /// The number of the question that a thread waits for; 0 if it waits for none.
    pub(super) fn asked_of(&self, thread: Thread) -> u64 {
        self.asked.iter().find(|(other, _)| *other == thread).map_or(0, |(_, ask)| *ask)
    }
}

/// How a handler goes on.
pub(super) enum Next {
    /// It waits for answers.
    Waits,
    /// It goes on in the next piece, with the answer to a thread.
    Later((Thread, Reply)),
    /// All its threads have ended.
    Over,
}

/// How a request ends for its caller.
enum End {
    Answer { answer: Option<Bytes>, has_queried: bool },
    Failure,
    Refusal,
}

/// The number of the database in [`Target`]; the Redis server has 0.
const DATABASE: u32 = 1;

impl Traffic {
    /// A request arrives at a machine.
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
        self.emit_for_waiting(number, Some(machine), || RequestEvent::Came { wish, id, tries });
        if self.is_down(machine) {
            self.emit_for_waiting(number, Some(machine), || RequestEvent::Unreachable);
            return self.end(&job, End::Refusal);
        }
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
                self.emit_for_waiting(number, Some(machine), || RequestEvent::Waits { waiting: here });
            }
            _ => {
                self.emit_for_waiting(number, Some(machine), || RequestEvent::Refused);
                self.end(&job, End::Refusal);
            }
        }
    }

    /// A worker starts a request.
    pub(super) fn take_on(&mut self, worker: u32, job: Job) {
        if self.subscriber_of(worker).is_none() {
            self.emit_for(WorkerThread { worker, thread: 0 }, Some(job.number), || RequestEvent::Begins);
        }
        let has_answered = job.is_start();
        let task = Task {
            job,
            history: History::default(),
            received_bytes: 0,
            failed: 0,
            stage: CacheAsideStage::Begins,
            asked: Vec::new(),
            has_queried: false,
            // No caller waits for the answer to a start.
            has_answered,
        };
        if let Some(found) = self.worker_mut(worker) {
            found.task = Some(Box::new(task));
        }
    }

    /// A thread gets the answer to its question, unless it no longer waits for it. `server` is the server that replied, if one did.
    pub(super) fn hear(
        &mut self,
        place: WorkerThread,
        ask: u64,
        (server, reply): (Option<Service>, Reply),
        programs: &Programs,
    ) {
        let Some(task) = self.task(place.worker) else { return };
        let Some(at) = task.asked.iter().position(|(_, asked)| *asked == ask) else { return };
        task.asked.swap_remove(at);
        self.emit_for(place, None, || match &reply {
            Reply::Value(value) => RequestEvent::Hears { server, value: value.clone() },
            _ => RequestEvent::Woke,
        });
        self.serve(place.worker, Some((place.thread, reply)), programs);
    }

    fn task(&mut self, worker: u32) -> Option<&mut Task> {
        self.worker_mut(worker)?.task.as_deref_mut()
    }

    /// A worker, or the subscriber with this number.
    fn worker_mut(&mut self, worker: u32) -> Option<&mut Worker> {
        match self.subscriber_of(worker) {
            Some(machine) => self.subscribers.worker_mut(machine),
            None => self.workers.get_mut(worker as usize),
        }
    }

    /// The request in progress at a worker, or the call in progress of the subscriber with this number.
    pub(super) fn task_of(&self, worker: u32) -> Option<&Task> {
        let found = match self.subscriber_of(worker) {
            Some(machine) => self.subscribers.worker(machine),
            None => self.workers.get(worker as usize),
        };
        found?.task.as_deref()
    }

    /// Gives a worker an answer and lets it run; when its request ends, the worker takes waiting requests.
    pub(super) fn serve(&mut self, worker: u32, mut answer: Option<(Thread, Reply)>, programs: &Programs) {
        loop {
            let Some(mut task) = self.worker_mut(worker).and_then(|found| found.task.take()) else { return };
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
                Next::Waits => return self.put_back(worker, task),
                Next::Later(answer) => {
                    self.put_back(worker, task);
                    return self.pieces.push(Piece::Serve { worker, answer: Some(answer) });
                }
                Next::Over if self.subscriber_of(worker).is_some() => {
                    if !self.take_on_notice(worker) {
                        return;
                    }
                    if self.pieces.runs > 0 {
                        return self.pieces.push(Piece::Serve { worker, answer: None });
                    }
                    continue;
                }
                Next::Over if task.job.is_start() => return self.has_started(worker, programs),
                Next::Over if !task.has_answered => {
                    self.emit_for(WorkerThread { worker, thread: 0 }, Some(task.job.number), || RequestEvent::Failed);
                    self.end(&task.job, End::Failure);
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
            if self.pieces.runs > 0 {
                return self.pieces.push(Piece::Serve { worker, answer: None });
            }
        }
    }

    fn put_back(&mut self, worker: u32, task: Box<Task>) {
        if let Some(found) = self.worker_mut(worker) {
            found.task = Some(task);
        }
    }

    /// Runs a handler in Lua until all its threads wait or have ended.
    fn go_on(&mut self, worker: u32, task: &mut Task, answer: Option<(Thread, Reply)>, programs: &Programs) -> Next {
        let mut answer = answer;
        let is_get = task.job.wish == Wish::Get && !task.is_start();
        let mut begins = (is_get && answer.is_none() && task.history.is_empty()).then_some(task.job.id);
        let mut known = begins.and_then(|id| self.memo.beginning(id)).map(|beginning| {
            begins = None;
            (task.history, task.received_bytes) = (beginning.history, beginning.received_bytes);
            beginning.scene
        });
        loop {
            let mut before_nothing = None;
            if let Some((thread, reply)) = answer.take() {
                task.received_bytes = task.received_bytes.saturating_add(received_bytes(&reply));
                let is_nothing = matches!(reply, Reply::Nothing);
                let before = std::mem::take(&mut task.history);
                task.history = answered(&before, thread, reply);
                before_nothing = is_nothing.then_some(before);
            }
            let scene = match known.take() {
                Some(scene) => Ok(scene),
                None => self.memo.scene(programs, &self.text, &task.history, &mut self.pieces.runs),
            };
            let Scene { state, is_last } = match scene {
                Ok(scene) => scene,
                // Requests will report the same error.
                Err(_) if task.job.is_start() => return Next::Over,
                Err(why) => {
                    self.breaks(worker, task, unplayable(&why));
                    return Next::Over;
                }
            };
            if let Some(id) = begins.filter(|_| !Beginning::includes(&state)) {
                begins = None;
                let (history, scene) = (task.history.clone(), Scene { state: Arc::clone(&state), is_last });
                self.memo.keep_beginning(id, Beginning { history, received_bytes: task.received_bytes, scene });
            }
            let exceeded = if task.received_bytes > RECEIVED_BYTES_MAX {
                Some(HandlerLimit::Received)
            } else {
                (task.history.len() > ANSWERS_MAX).then_some(HandlerLimit::Answers)
            };
            if let Some(limit) = exceeded {
                let is_asking = |thread: &&ThreadSnapshot| matches!(thread.state, State::Requests(_));
                self.breaks(worker, task, limit.message(state.threads.iter().find(is_asking)));
                return Next::Over;
            }
            if let Some(before) = before_nothing
                && state.threads.iter().all(|thread| matches!(thread.state, State::Done | State::Cancelled))
            {
                self.memo.mark_last(&before);
                return Next::Over;
            }
            let mut is_over = true;
            for (thread, snapshot) in (0..).zip(&state.threads) {
                match &snapshot.state {
                    State::Requests(request) => {
                        is_over = false;
                        if task.asked.iter().any(|(other, _)| *other == thread) {
                            continue;
                        }
                        let place = WorkerThread { worker, thread };
                        if let Some(reply) = self.ask(place, task, request) {
                            answer = Some((thread, reply));
                            break;
                        }
                    }
                    State::Done | State::Cancelled => {}
                    State::Failed(why) => {
                        // Its other threads may go on.
                        let bit = 1_u64.checked_shl(thread).unwrap_or_default();
                        if task.failed & bit == 0 {
                            task.failed |= bit;
                            self.breaks(worker, task, failed(why, snapshot));
                        }
                    }
                }
            }
            match answer.take() {
                Some((_, Reply::Nothing)) if is_last => return Next::Over,
                None => return if is_over { Next::Over } else { Next::Waits },
                // One event would otherwise take as long as a thousand runs.
                Some(next) if self.pieces.runs > 0 => return Next::Later(next),
                next => answer = next,
            }
        }
    }

    /// Handles a thread's question; returns the answer if there is one at once.
    fn ask(&mut self, place: WorkerThread, task: &mut Task, request: &Request) -> Option<Reply> {
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
                self.emit_for(place, Some(task.job.number), || RequestEvent::Rests { ms: *ms });
                let at_ns = self.now_ns.saturating_add(ms.saturating_mul(MS));
                self.due.insert((at_ns, ask), Due::Wake { place, ask });
                None
            }
            Request::Who { number, .. } => {
                let machine = number.then(|| self.machine_of(place.worker));
                let Job { wish, id, number, .. } = task.job;
                let notice = self.subscriber_of(place.worker).and_then(|machine| self.subscribers.current(machine));
                Some(match notice {
                    Some(notice) => notice_of(machine, notice),
                    None if task.job.is_start() => start(machine),
                    None => who(machine, wish, id, || value_of(number, id)),
                })
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
            Request::Subscribe { channels } => self.subscribe(place, task, channels),
            Request::WaitMessage { .. } => error("messages come to the function message(channel, text)"),
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

    /// Numbers a thread's question; the thread now waits for the answer.
    pub(super) fn note_ask(&mut self, place: WorkerThread, task: &mut Task) -> u64 {
        self.asks = self.asks.saturating_add(1);
        task.asked.push((place.thread, self.asks));
        self.asks
    }

    /// Sends a command to the Redis server or a statement to the database.
    pub(super) fn send(
        &mut self,
        place: WorkerThread,
        task: &mut Task,
        said: Vec<Bytes>,
        timeout_ms: Option<u64>,
        to_database: bool,
    ) {
        let ask = self.note_ask(place, task);
        self.emit_for(place, Some(task.job.number), || RequestEvent::Asks {
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

    /// A handler answers its caller.
    pub(super) fn answers(&mut self, place: WorkerThread, task: &mut Task, answer: Option<Bytes>) {
        task.has_answered = true;
        if self.events.is_some() {
            let Job { number, wish, id, came_ns, .. } = task.job;
            let worth = match wish {
                Wish::Put => Worth::True,
                Wish::Get => self.truth.worth(self.settings.items, id, answer.as_ref(), came_ns),
            };
            let (took_us, is_heard) = (self.now_ns.saturating_sub(came_ns) / US, self.is_waited_for(number));
            let reported = answer.clone();
            self.emit_for(place, Some(number), || RequestEvent::Answered {
                answer: reported,
                took_us,
                worth,
                is_heard,
            });
        }
        self.end(&task.job, End::Answer { answer, has_queried: task.has_queried });
    }

    /// A thread stops waiting for a server: it times out and closes the connection.
    pub(super) fn give_up_asking(&mut self, place: WorkerThread, ask: u64, around: &mut super::Around<'_>) {
        if self.task(place.worker).is_some_and(|task| task.asked.contains(&(place.thread, ask))) {
            self.emit_for(place, None, || RequestEvent::TimesOut);
            self.close(place, ask, around);
            self.hear(place, ask, (None, Reply::Value(Value::error(TIMED_OUT))), around.programs);
        }
    }

    /// A request ends with an error: its machine has crashed.
    pub(super) fn fail(&mut self, job: &Job) {
        self.end(job, End::Failure);
    }

    /// A request ends for its caller, unless the caller has given up before.
    fn end(&mut self, job: &Job, end: End) {
        let is_heard = self.caller_hears(job.number);
        let interval = self.series.now_mut();
        let add = |count: &mut u64| *count = count.saturating_add(1);
        match end {
            End::Answer { .. } if !is_heard => add(&mut interval.too_late),
            _ if !is_heard => {}
            End::Refusal | End::Failure => {
                add(if matches!(end, End::Refusal) { &mut interval.refused } else { &mut interval.failed });
                self.try_again(job.wish, job.id, job.tries);
            }
            End::Answer { answer, has_queried } => {
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
}
