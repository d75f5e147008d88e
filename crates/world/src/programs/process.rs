//! `Process`: the program of a virtual client, as a value.
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use bytes::Bytes;
use redis_model::ClientId;
use script::program::{
    Answer, History, ProgramState, Programs, Reply, Request, State, Target, Thread, ThreadSnapshot, Unplayable,
};

use super::TIMEOUT_MS;
use crate::NodeIndex;

/// The direction of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// From the client to the server.
    Request,
    /// From the server to the client.
    Reply,
}

/// The state of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Condition {
    /// Its threads run when they can.
    #[default]
    Runs,
    /// Paused: none of its threads runs, and it notices nothing.
    Paused,
    /// Crashed, until it is restarted.
    Crashed,
    /// It made a thousand requests in a row that no other client can observe, and was ended.
    RanAway,
}

/// The state of a thread between two requests.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The request is not sent yet.
    Ready,
    /// The request, or its reply, is in flight: [`crate::World::in_flight`].
    Sent,
    /// The thread gets its answer at a set time.
    Until {
        /// Unix time in ms.
        at_ms: u64,
        /// The answer.
        reply: Reply,
    },
    /// It waits for a message.
    Listening {
        /// The end of the wait, Unix time in ms; `None`: never.
        until_ms: Option<u64>,
    },
    /// The thread has ended.
    Over,
}

/// A connection of a thread to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ThreadConnection {
    pub(crate) thread: Thread,
    pub(crate) node: NodeIndex,
    pub(crate) connection: ClientId,
}

/// What a program is loaded from.
#[derive(Debug, PartialEq, Eq)]
struct Source {
    text: Bytes,
    args: Vec<Bytes>,
}

/// A running program.
#[derive(Clone, Debug)]
pub struct Process {
    source: Rc<Source>,
    history: History,
    /// The scene that follows from text and history.
    scene: Result<Arc<ProgramState>, Unplayable>,
    /// The phase of each thread.
    pub(super) phases: Vec<Phase>,
    pub(super) condition: Condition,
    /// Its clock minus the world's, in ms.
    pub(super) clock_shift_ms: i64,
    /// The delay of each of its messages, in ms.
    pub(super) delay_ms: u64,
    pub(super) steps: u32,
    /// Number of random numbers drawn.
    pub(super) draws: u64,
    /// Has it read its clock? Follows from its history, like the next fields.
    pub(super) has_read_clock: bool,
    /// Has it drawn a `uuid()`?
    pub(super) has_drawn_text: bool,
    /// Was it given its client's number?
    pub(super) knows_its_number: bool,
    /// Was it restarted? Then it may have left data on the server.
    pub(super) was_restarted: bool,
    /// The threads in critical sections, in the order of entering.
    pub(super) inside: Vec<(Bytes, Thread)>,
    /// Sections that it has ever entered, sorted.
    pub(super) has_been_in: Rc<Vec<Bytes>>,
    /// Unread messages (channel, text).
    pub(crate) inbox: Vec<(Bytes, Bytes)>,
    /// Connections of its threads other than the client's own, which the first thread uses to the client's own node.
    pub(crate) connections: Vec<ThreadConnection>,
    /// The connection that it listens on.
    pub(crate) subscription: Option<ClientId>,
}

impl PartialEq for Process {
    fn eq(&self, other: &Process) -> bool {
        // The scene follows from text and history.
        self.source == other.source
            && self.history == other.history
            && self.phases == other.phases
            && self.condition == other.condition
            && self.clock_shift_ms == other.clock_shift_ms
            && self.delay_ms == other.delay_ms
            && self.steps == other.steps
            && self.draws == other.draws
            && self.inside == other.inside
            && self.has_been_in == other.has_been_in
            && self.inbox == other.inbox
            && self.connections == other.connections
            && self.subscription == other.subscription
            && self.was_restarted == other.was_restarted
    }
}

impl Eq for Process {}

impl Hash for Process {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text().hash(state);
        // An empty list adds nothing, so that old fingerprints stay valid; the same below.
        if !self.args().is_empty() {
            self.args().hash(state);
        }
        self.history.hash(state);
        self.phases.hash(state);
        self.hash_rest(state);
        self.steps.hash(state);
        self.connections.hash(state);
        self.subscription.hash(state);
        self.was_restarted.hash(state);
    }
}

impl Process {
    /// A program before its first request; earlier programs of the client drew `draws` random numbers.
    pub(super) fn new(text: Bytes, args: Vec<Bytes>, draws: u64, programs: &Programs) -> Process {
        let history = History::default();
        let scene = programs.scene(&text, &history);
        Process {
            source: Rc::new(Source { text, args }),
            history,
            scene,
            phases: Vec::new(),
            condition: Condition::Runs,
            clock_shift_ms: 0,
            delay_ms: 0,
            steps: 0,
            draws,
            has_read_clock: false,
            has_drawn_text: false,
            knows_its_number: false,
            was_restarted: false,
            inside: Vec::new(),
            has_been_in: Rc::default(),
            inbox: Vec::new(),
            connections: Vec::new(),
            subscription: None,
        }
    }

    /// Hashes the state that decides its future, without times (see [`Process::hash_times`]) and numbers of connections. Its text is left
    /// out: it does not change during a search and would be most of the hashed data.
    pub(crate) fn hash_canonical<H: Hasher>(&self, state: &mut H) {
        let live = self.live();
        live.hash(state);
        if live.is_none() {
            self.history.hash(state);
        }
        self.phases.len().hash(state);
        for phase in &self.phases {
            std::mem::discriminant(phase).hash(state);
            if let Phase::Until { reply, .. } = phase {
                reply.hash(state);
            }
        }
        self.hash_rest(state);
    }

    /// Hashes the times of its phases relative to now. They are all that changes while time passes, so the hash of the rest can be cached.
    pub(crate) fn hash_times<H: Hasher>(&self, now_ms: u64, state: &mut H) {
        for phase in &self.phases {
            match phase {
                Phase::Until { at_ms, .. } => at_ms.saturating_sub(now_ms).hash(state),
                Phase::Listening { until_ms } => until_ms.map(|at_ms| at_ms.saturating_sub(now_ms)).hash(state),
                Phase::Ready | Phase::Sent | Phase::Over => {}
            }
        }
    }

    /// Is its history the only description of its state? See [`script::program::ProgramState::live`].
    pub fn is_told_by_history(&self) -> bool {
        self.scene.is_ok() && self.live().is_none()
    }

    fn live(&self) -> Option<u128> {
        self.scene.as_ref().ok()?.live
    }

    fn hash_rest<H: Hasher>(&self, state: &mut H) {
        self.condition.hash(state);
        self.clock_shift_ms.hash(state);
        self.delay_ms.hash(state);
        self.draws.hash(state);
        self.inside.hash(state);
        self.has_been_in.hash(state);
        self.inbox.hash(state);
    }

    /// Is it unchanged since it was loaded?
    pub fn is_fresh(&self) -> bool {
        self.steps == 0
    }

    /// Number of steps and faults since it was loaded.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// Has it read its clock?
    pub fn has_read_clock(&self) -> bool {
        self.has_read_clock
    }

    /// Has it drawn a `uuid()`?
    pub fn has_drawn_text(&self) -> bool {
        self.has_drawn_text
    }

    /// Before its first step, would it do the same as the other, apart from what it draws? `false` once it was given its number, because it
    /// may act on it.
    pub(crate) fn is_like(&self, other: &Process) -> bool {
        let is_nobody = |process: &Process| process.is_fresh() && !process.was_restarted && !process.knows_its_number;
        is_nobody(self)
            && is_nobody(other)
            && self.source == other.source
            && self.clock_shift_ms == other.clock_shift_ms
    }

    /// Its text.
    pub fn text(&self) -> &Bytes {
        &self.source.text
    }

    /// Its arguments.
    pub fn args(&self) -> &[Bytes] {
        &self.source.args
    }

    /// Its answers so far.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The positions of its threads, with lines and local variables.
    ///
    /// # Errors
    /// [`Unplayable`]: the text is not a valid program.
    pub fn scene(&self) -> Result<&ProgramState, &Unplayable> {
        self.scene.as_deref()
    }

    /// The scene as a shared pointer, to read while the process changes.
    pub(super) fn shared_scene(&self) -> Option<Arc<ProgramState>> {
        self.scene.as_ref().ok().map(Arc::clone)
    }

    /// The state of the client.
    pub fn condition(&self) -> Condition {
        self.condition
    }

    /// Number of threads so far.
    pub fn thread_count(&self) -> usize {
        self.phases.len()
    }

    /// The position of a thread in the text.
    pub fn thread(&self, thread: Thread) -> Option<&ThreadSnapshot> {
        self.scene.as_ref().ok()?.threads.get(usize::try_from(thread).ok()?)
    }

    /// The pending request of a thread; `None` if the thread has ended.
    pub fn request(&self, thread: Thread) -> Option<&Request> {
        match &self.thread(thread)?.state {
            State::Requests(request) => Some(request),
            _ => None,
        }
    }

    /// The connection of a thread's command, if `connect` made it.
    pub(crate) fn target(&self, thread: Thread) -> Option<Target> {
        match self.request(thread)? {
            Request::Call { to, .. } => *to,
            _ => None,
        }
    }

    /// The timeout of a thread's command, in ms.
    pub(crate) fn timeout_ms(&self, thread: Thread) -> u64 {
        self.target(thread).and_then(|target| target.timeout_ms).unwrap_or(TIMEOUT_MS)
    }

    /// The phase of a thread.
    pub fn phase(&self, thread: Thread) -> Option<&Phase> {
        self.phases.get(usize::try_from(thread).ok()?)
    }

    /// Its threads with their phases.
    pub fn phases(&self) -> impl Iterator<Item = (Thread, &Phase)> {
        (0..).zip(&self.phases)
    }

    /// Critical sections with the threads that are inside, in the order of entering.
    pub fn inside(&self) -> &[(Bytes, Thread)] {
        &self.inside
    }

    /// Has it ever entered this section?
    pub fn has_been_in(&self, section: &Bytes) -> bool {
        self.has_been_in.binary_search(section).is_ok()
    }

    /// Its clock minus the world's, in ms.
    pub fn clock_shift_ms(&self) -> i64 {
        self.clock_shift_ms
    }

    /// The delay of each of its requests and replies, in ms.
    pub fn delay_ms(&self) -> u64 {
        self.delay_ms
    }

    /// Could it read its clock?
    pub(crate) fn may_read_clock(&self) -> bool {
        self.may_call(b"now")
    }

    /// Could it open connections with `connect`?
    pub(crate) fn may_connect(&self) -> bool {
        self.may_call(b"connect")
    }

    /// Could it call this function? Only if its text contains the function's name, or a name that gives access to any function.
    fn may_call(&self, function: &[u8]) -> bool {
        let has = |name: &[u8]| self.text().windows(name.len()).any(|part| part == name);
        [function, b"_G", b"getfenv", b"load"].into_iter().any(has)
    }

    /// Unread messages (channel, text).
    pub fn inbox(&self) -> &[(Bytes, Bytes)] {
        &self.inbox
    }

    /// Will none of its threads ever run again?
    pub fn is_over(&self) -> bool {
        matches!(self.condition, Condition::Crashed | Condition::RanAway)
            || self.phases.iter().all(|phase| *phase == Phase::Over)
    }

    /// Did it end normally, without an error?
    pub fn is_done(&self) -> bool {
        let has_failed = |snapshot: &ThreadSnapshot| matches!(snapshot.state, State::Failed(_));
        self.is_over()
            && !matches!(self.condition, Condition::Crashed | Condition::RanAway)
            && self.scene().is_ok_and(|scene| !scene.threads.iter().any(has_failed))
    }

    /// Can this thread run now, with nothing in flight?
    pub(crate) fn is_due(&self, thread: Thread, now_ms: u64) -> bool {
        match self.phase(thread) {
            Some(Phase::Ready) => true,
            Some(Phase::Until { at_ms, .. }) => *at_ms <= now_ms,
            Some(Phase::Listening { until_ms }) => {
                !self.inbox.is_empty() || until_ms.is_some_and(|until_ms| until_ms <= now_ms)
            }
            Some(Phase::Sent | Phase::Over) | None => false,
        }
    }

    /// When one of its threads can run by itself, with nothing in flight, Unix time in ms.
    pub(crate) fn next_deadline_ms(&self) -> Option<u64> {
        let deadlines = self.phases.iter().filter_map(|phase| match phase {
            Phase::Until { at_ms, .. } => Some(*at_ms),
            Phase::Listening { until_ms } => *until_ms,
            Phase::Ready | Phase::Sent | Phase::Over => None,
        });
        deadlines.min()
    }

    pub(super) fn phase_mut(&mut self, thread: Thread) -> Option<&mut Phase> {
        self.phases.get_mut(usize::try_from(thread).ok()?)
    }

    /// Gives a thread its answer, and plays to the next requests.
    pub(super) fn take(&mut self, thread: Thread, reply: Reply, programs: &Programs) {
        self.history = self.history.push(Answer { thread, reply });
        self.scene = programs.scene(&self.source.text, &self.history);
    }

    /// Takes the next message (channel, text).
    pub(super) fn next_message(&mut self) -> Option<(Bytes, Bytes)> {
        (!self.inbox.is_empty()).then(|| self.inbox.remove(0))
    }

    /// Ends all threads at once.
    pub(super) fn end(&mut self, condition: Condition) {
        self.condition = condition;
        self.phases.iter_mut().for_each(|phase| *phase = Phase::Over);
        self.inside.clear();
        self.inbox.clear();
    }
}
