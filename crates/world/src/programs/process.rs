//! `Process`: a program that a virtual client runs, as a value.
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use bytes::Bytes;
use redis_model::ClientId;
use script::program::{Answer, History, Programs, Reply, Request, Scene, Stand, State, Target, Thread, Unplayable};

use super::TIMEOUT_MS;
use crate::NodeIndex;

/// Which way a message went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leg {
    /// To the server.
    Request,
    /// Back from it.
    Reply,
}

/// How a client is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Condition {
    /// Its threads go on when they can.
    #[default]
    Runs,
    /// The world stands still for it: none of its threads goes on, and it notices nothing.
    Paused,
    /// It is dead until it is started again.
    Crashed,
    /// It has asked for a thousand things in a row that no one else notices, and was ended.
    RanAway,
}

/// Where a thread stands between two requests.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The request was not sent yet.
    Ready,
    /// The request, or its reply, is in flight: [`crate::World::in_flight`].
    Sent,
    /// It is answered once the clock has got there.
    Until {
        /// Unix time in ms.
        at_ms: u64,
        /// With what.
        reply: Reply,
    },
    /// It waits for a message.
    Listening {
        /// Until when, Unix time in ms; `None`: for ever.
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

/// A program that runs.
#[derive(Clone, Debug)]
pub struct Process {
    text: Bytes,
    args: Vec<Bytes>,
    history: History,
    /// What the two lead to.
    scene: Result<Arc<Scene>, Unplayable>,
    /// By thread.
    pub(super) phases: Vec<Phase>,
    pub(super) condition: Condition,
    /// What its clock shows beyond the world's, in ms.
    pub(super) clock_shift_ms: i64,
    /// How long each of its messages takes, in ms.
    pub(super) delay_ms: u64,
    pub(super) steps: u32,
    /// How many random numbers it has had.
    pub(super) draws: u64,
    /// Has it read its clock? Follows from its history, like what comes next.
    pub(super) has_read_clock: bool,
    /// Has it drawn a `uuid()`?
    pub(super) has_drawn_text: bool,
    /// Was it told its client's number?
    pub(super) knows_its_number: bool,
    /// Did it run before? Then something of it may be left on the server.
    pub(super) was_restarted: bool,
    /// Who is in which critical section, in the order of entering.
    pub(super) inside: Vec<(Bytes, Thread)>,
    /// Sections that it has been in, sorted.
    pub(super) has_been_in: Rc<Vec<Bytes>>,
    /// Messages (channel, text) that it has not looked at.
    pub(crate) inbox: Vec<(Bytes, Bytes)>,
    /// Connections of its threads beside the client's own, which the first thread has to the client's own node.
    pub(crate) connections: Vec<ThreadConnection>,
    /// The connection that it listens on.
    pub(crate) subscription: Option<ClientId>,
}

impl PartialEq for Process {
    fn eq(&self, other: &Process) -> bool {
        // The scene follows from text and history.
        self.text == other.text
            && self.args == other.args
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
        self.text.hash(state);
        // Where there is none, the fingerprint is what it always was; so below.
        if !self.args.is_empty() {
            self.args.hash(state);
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
    /// A program before its first request; `draws` random numbers were drawn by those before it.
    pub(super) fn new(text: Bytes, args: Vec<Bytes>, draws: u64, programs: &Programs) -> Process {
        let history = History::default();
        let scene = programs.scene(&text, &history);
        Process {
            text,
            args,
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

    /// Hashes what can still come of it: times relative to now, without numbers of connections. Its text is left out, which stays the
    /// same throughout a search and would be most of what is hashed.
    pub(crate) fn hash_canonical<H: Hasher>(&self, now_ms: u64, state: &mut H) {
        match self.live() {
            Some(live) => live.hash(state),
            None => self.history.hash(state),
        }
        self.hash_phases(now_ms, state);
        self.hash_rest(state);
    }

    /// Can its state be told only by the answers that led to it? See [`script::program::Scene::live`].
    pub fn is_told_by_history(&self) -> bool {
        self.scene.is_ok() && self.live().is_none()
    }

    fn live(&self) -> Option<u128> {
        self.scene.as_ref().ok()?.live
    }

    fn hash_phases<H: Hasher>(&self, now_ms: u64, state: &mut H) {
        for phase in &self.phases {
            std::mem::discriminant(phase).hash(state);
            match phase {
                Phase::Until { at_ms, reply } => (at_ms.saturating_sub(now_ms), reply).hash(state),
                Phase::Listening { until_ms } => until_ms.map(|at_ms| at_ms.saturating_sub(now_ms)).hash(state),
                Phase::Ready | Phase::Sent | Phase::Over => {}
            }
        }
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

    /// Has nothing been done to it yet, after it was loaded?
    pub fn is_fresh(&self) -> bool {
        self.steps == 0
    }

    /// How much has been done to it since it was loaded: steps and faults.
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

    /// Before its first step, would it do the same as this one, but for what it draws? Not once it knows its number, by which it may do
    /// something else.
    pub(crate) fn is_like(&self, other: &Process) -> bool {
        let is_nobody = |process: &Process| process.is_fresh() && !process.was_restarted && !process.knows_its_number;
        is_nobody(self)
            && is_nobody(other)
            && self.text == other.text
            && self.args == other.args
            && self.clock_shift_ms == other.clock_shift_ms
    }

    /// Its text.
    pub fn text(&self) -> &Bytes {
        &self.text
    }

    /// What it was given.
    pub fn args(&self) -> &[Bytes] {
        &self.args
    }

    /// The answers that it has got.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Where its threads stand, with lines and local variables.
    ///
    /// # Errors
    /// [`Unplayable`]: the text is no program.
    pub fn scene(&self) -> Result<&Scene, &Unplayable> {
        self.scene.as_deref()
    }

    /// The same, to be looked at while the process changes.
    pub(super) fn shared_scene(&self) -> Option<Arc<Scene>> {
        self.scene.as_ref().ok().map(Arc::clone)
    }

    /// How the client is.
    pub fn condition(&self) -> Condition {
        self.condition
    }

    /// How many threads it has had.
    pub fn thread_count(&self) -> usize {
        self.phases.len()
    }

    /// Where a thread stands in the text.
    pub fn stand(&self, thread: Thread) -> Option<&Stand> {
        self.scene.as_ref().ok()?.threads.get(usize::try_from(thread).ok()?)
    }

    /// What a thread asks for; `None` when it is over.
    pub fn request(&self, thread: Thread) -> Option<&Request> {
        match &self.stand(thread)?.state {
            State::Requests(request) => Some(request),
            _ => None,
        }
    }

    /// The connection that a thread's command goes through, if `connect` made it.
    pub(crate) fn target(&self, thread: Thread) -> Option<Target> {
        match self.request(thread)? {
            Request::Call { to, .. } => *to,
            _ => None,
        }
    }

    /// How long a thread waits for the reply to its command, in ms.
    pub(crate) fn timeout_ms(&self, thread: Thread) -> u64 {
        self.target(thread).and_then(|target| target.timeout_ms).unwrap_or(TIMEOUT_MS)
    }

    /// Where a thread stands between two requests.
    pub fn phase(&self, thread: Thread) -> Option<&Phase> {
        self.phases.get(usize::try_from(thread).ok()?)
    }

    /// Its threads with where each stands between two requests.
    pub fn phases(&self) -> impl Iterator<Item = (Thread, &Phase)> {
        (0..).zip(&self.phases)
    }

    /// Critical sections with the threads that are inside, in the order of entering.
    pub fn inside(&self) -> &[(Bytes, Thread)] {
        &self.inside
    }

    /// Has it ever been in this section?
    pub fn has_been_in(&self, section: &Bytes) -> bool {
        self.has_been_in.binary_search(section).is_ok()
    }

    /// What its clock shows beyond the world's, in ms.
    pub fn clock_shift_ms(&self) -> i64 {
        self.clock_shift_ms
    }

    /// How long each of its requests and replies is under way, in ms.
    pub fn delay_ms(&self) -> u64 {
        self.delay_ms
    }

    /// Could it read its clock?
    pub(crate) fn may_read_clock(&self) -> bool {
        self.may_call(b"now")
    }

    /// Could it make connections by `connect`?
    pub(crate) fn may_connect(&self) -> bool {
        self.may_call(b"connect")
    }

    /// Could it call this function? Its text has the name then, or that of something that leads to any name.
    fn may_call(&self, function: &[u8]) -> bool {
        let has = |name: &[u8]| self.text.windows(name.len()).any(|part| part == name);
        [function, b"_G", b"getfenv", b"load"].into_iter().any(has)
    }

    /// Messages (channel, text) that wait for it.
    pub fn inbox(&self) -> &[(Bytes, Bytes)] {
        &self.inbox
    }

    /// Will none of its threads ever go on?
    pub fn is_over(&self) -> bool {
        matches!(self.condition, Condition::Crashed | Condition::RanAway)
            || self.phases.iter().all(|phase| *phase == Phase::Over)
    }

    /// Has it come to its end by itself, without breaking off?
    pub fn is_done(&self) -> bool {
        let has_failed = |stand: &Stand| matches!(stand.state, State::Failed(_));
        self.is_over()
            && !matches!(self.condition, Condition::Crashed | Condition::RanAway)
            && self.scene().is_ok_and(|scene| !scene.threads.iter().any(has_failed))
    }

    /// Can this thread go on at this moment, with nothing in flight?
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

    /// When one of its threads can go on without anyone's doing and with nothing in flight, Unix time in ms.
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

    /// Gives a thread its answer, and plays on to the next requests.
    pub(super) fn take(&mut self, thread: Thread, reply: Reply, programs: &Programs) {
        self.history = self.history.push(Answer { thread, reply });
        self.scene = programs.scene(&self.text, &self.history);
    }

    /// Takes the next message (channel, text).
    pub(super) fn next_message(&mut self) -> Option<(Bytes, Bytes)> {
        (!self.inbox.is_empty()).then(|| self.inbox.remove(0))
    }

    /// Ends everything at once.
    pub(super) fn end(&mut self, condition: Condition) {
        self.condition = condition;
        self.phases.iter_mut().for_each(|phase| *phase = Phase::Over);
        self.inside.clear();
        self.inbox.clear();
    }
}
