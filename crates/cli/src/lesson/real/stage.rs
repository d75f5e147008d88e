//! A way on a real server: what the world was told, the server is told too, and its replies take the place of the model's.
//!
//! ```text
//!   steps of the world ──► commands ──► one connection per client ──► redis-server
//!        │                                                               │
//!        │ how many messages each client gets, in which step             │ replies
//!        └───────────────► the same steps with the replies of the server ◄┘
//! ```
//! The world says only *when* a reply belongs to a step; what is in it comes from the server. No client is read on a thread of its own: a
//! socket keeps what has arrived until someone asks for it, so a client that waits in `BLPOP` holds up no one.
//!
//! # Time
//! Up to two seconds really pass. More passes by bringing the deadline of every key nearer (`PEXPIREAT`), and the distance of the two clocks
//! grows by as much. Some things such a shift does not reach, or it disturbs them: a running script, a blocked client, `WATCH`, a listener,
//! the ids and idle times of a stream, the order of last use. There, more time really passes, up to [`REAL_MS_MAX`]; beyond that the way
//! cannot be played.
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use conformance::diff::rules::{self, Rule, Terms};
use conformance::target::{Connection, TargetError};
use redis_model::WaitReason;
use resp::{Protocol, Value, cli, decode::decode_reply, encode::encode};
use world::{ClientIndex, EventKind, Input, Step};

use super::moments::{Clocks, TOLERANCE_MS, has_moment, same_but_for_moments};
use super::server::Server;

/// Time that always really passes, in ms.
const SHORT_MS: u64 = 2_000;
/// Most time that really passes at once, in ms.
const REAL_MS_MAX: u64 = 12_000;
/// Added to each wait, because a server's timers fire late.
const SLACK: Duration = Duration::from_millis(5);
/// After this time the server has deleted expired keys of its own accord: it looks ten times a second.
const EXPIRY: Duration = Duration::from_millis(250);
/// How long a message that the world knows of may take. A busy server says so after five seconds.
const PATIENCE: Duration = Duration::from_secs(8);

/// Why a way ends early.
pub enum Stop {
    /// It cannot be played on a real server, for this reason.
    Unplayable(String),
    /// The server failed.
    Failed(TargetError),
}

impl From<TargetError> for Stop {
    fn from(error: TargetError) -> Stop {
        Stop::Failed(error)
    }
}

/// A client of the server.
struct Client {
    connection: Connection,
    arrived: VecDeque<Value>,
    /// Commands without a reply.
    sent: VecDeque<Vec<Bytes>>,
    /// Commands of an open transaction.
    queue: Vec<Vec<Bytes>>,
    is_watching: bool,
    is_listening: bool,
}

/// A real server while a way is played.
pub struct Stage<'a> {
    server: &'a mut Server,
    clients: BTreeMap<ClientIndex, Client>,
    /// Clients blocked in a command.
    blocked: BTreeSet<ClientIndex>,
    world_ms: u64,
    ahead_ms: i64,
    /// A command has picked at random: what follows may differ.
    is_random: bool,
    /// A command has set a limit of memory. A server remembers candidates for eviction even when all keys are gone.
    pub has_limit: bool,
    /// Commands sent.
    pub commands: usize,
    /// Replies that differ from the model's.
    pub differences: Vec<String>,
}

impl<'a> Stage<'a> {
    /// Empties the server, for these steps of the world.
    ///
    /// # Errors
    /// If it does not reply.
    pub fn new<'b>(
        server: &'a mut Server,
        start_ms: u64,
        mut steps: impl Iterator<Item = &'b Step>,
    ) -> Result<Stage<'a>, TargetError> {
        server.reset()?;
        let start = signed(start_ms);
        // The clocks are whole seconds apart, so that a moment in seconds is one for both. If the way names a moment, it begins at the right
        // fraction of a second; otherwise the server's clock may be ahead by one. It is never late, so that what has ended has ended.
        let names_moment = |step: &Step| matches!(&step.input, Input::Command { argv, .. } if has_moment(argv, start));
        if steps.any(names_moment) {
            let early_ms = start.saturating_sub(now_ms()).rem_euclid(1_000);
            std::thread::sleep(Duration::from_millis(early_ms.unsigned_abs()));
        }
        let behind_ms = now_ms().saturating_sub(start).div_euclid(1_000).saturating_mul(1_000);
        let ahead_ms = behind_ms.saturating_neg();
        let (clients, blocked) = (BTreeMap::new(), BTreeSet::new());
        Ok(Stage {
            server,
            clients,
            blocked,
            world_ms: start_ms,
            ahead_ms,
            is_random: false,
            has_limit: false,
            commands: 0,
            differences: Vec::new(),
        })
    }

    fn clocks(&self) -> Clocks {
        Clocks { world_ms: signed(self.world_ms), real_ms: now_ms(), ahead_ms: self.ahead_ms }
    }

    /// Does a script run, or does something else keep the server from replying?
    pub fn is_busy(&self) -> bool {
        self.clients.iter().any(|(client, found)| !found.sent.is_empty() && !self.blocked.contains(client))
    }

    /// Plays a step of the world, written as `line`. Returns it with the replies of the server.
    ///
    /// # Errors
    /// [`Stop`]
    pub fn take(&mut self, step: &Step, line: &str) -> Result<Step, Stop> {
        match &step.input {
            Input::Connect { client, .. } | Input::Interrupt { client } => self.connect(*client)?,
            Input::Disconnect { client } => {
                self.clients.remove(client);
                self.blocked.remove(client);
            }
            Input::Rename { .. } | Input::Watch { .. } => {}
            Input::Command { client, argv } => self.send(*client, argv)?,
            Input::Advance { ms } => self.pass(*ms)?,
            input => return unplayable(of_world(input).unwrap_or_default()),
        }
        self.world_ms = step.now_ms;
        let mut events = Vec::new();
        for event in &step.events {
            let mut event = event.clone();
            match &mut event.kind {
                EventKind::Command { client, argv, .. } => self.note(*client, argv),
                EventKind::Blocked { client, wait } if is_for_data(&wait.reason) => {
                    self.blocked.insert(*client);
                }
                EventKind::Unblocked { client } => _ = self.blocked.remove(client),
                EventKind::Reply { client, value, protocol } => {
                    let Some(real) = self.receive(*client, value, *protocol, true, line)? else { continue };
                    *value = real;
                }
                EventKind::Push { client, value, protocol } => {
                    let Some(real) = self.receive(*client, value, *protocol, false, line)? else { continue };
                    *value = real;
                }
                EventKind::Disconnected { client, reason: Some(_) } if !self.is_closed(*client)? => {
                    self.differences.push(format!("`{line}`: a real Redis closes no connection"));
                    continue;
                }
                _ => {}
            }
            events.push(event);
        }
        if !self.is_busy() {
            self.nothing_more(line)?;
        }
        let Step { parent, depth, input, now_ms, .. } = step;
        Ok(Step { parent: *parent, depth: *depth, input: input.clone(), events, now_ms: *now_ms })
    }

    /// The reply to a command that only reads, on a new connection, with times as in the world; `expected` is the model's.
    pub fn ask(&self, argv: &[Bytes], expected: Option<&Value>) -> Option<Value> {
        let mut connection = self.server.connect().ok()?;
        connection.send(&self.clocks().for_server(argv)).ok()?;
        let patience = if expected.is_some() { PATIENCE } else { Duration::from_millis(50) };
        let real = self.clocks().of_server(connection.next(patience).ok()??);
        let expected = expected.map(|value| on_the_wire(value, Protocol::Resp2));
        Some(expected.map_or_else(|| real.clone(), |model| settled(&model, &real, argv, &[])))
    }

    fn connect(&mut self, client: ClientIndex) -> Result<(), Stop> {
        let connection = self.server.connect()?;
        self.blocked.remove(&client);
        let (arrived, sent, queue) = (VecDeque::new(), VecDeque::new(), Vec::new());
        let found = Client { connection, arrived, sent, queue, is_watching: false, is_listening: false };
        self.clients.insert(client, found);
        Ok(())
    }

    fn send(&mut self, client: ClientIndex, argv: &[Bytes]) -> Result<(), Stop> {
        if self.clients.get(&client).is_none_or(|found| found.connection.is_closed) {
            self.connect(client)?;
        }
        if sets_limit(argv) {
            self.has_limit = true;
            if !self.server.is_own() {
                return unplayable("keys are evicted, which needs a server that has evicted none before");
            }
        }
        let argv = self.clocks().for_server(argv);
        self.commands = self.commands.saturating_add(1);
        self.is_random |= is_random(&argv);
        if let Some(found) = self.clients.get_mut(&client) {
            found.connection.send(&argv)?;
        }
        Ok(())
    }

    /// Notes a command that has reached the server.
    fn note(&mut self, client: ClientIndex, argv: &[Bytes]) {
        let Some(found) = self.clients.get_mut(&client) else { return };
        found.sent.push_back(argv.to_vec());
        let is = |nth: usize, words: &[&str]| {
            let word = argv.get(nth).map(|word| word.to_ascii_lowercase()).unwrap_or_default();
            words.iter().any(|other| other.as_bytes() == word)
        };
        if is(0, &["watch"]) {
            found.is_watching = true;
        } else if is(0, &["exec", "discard", "unwatch"]) {
            found.is_watching = false;
        }
        found.is_listening |=
            is(0, &["subscribe", "psubscribe", "ssubscribe", "monitor"]) || is(0, &["client"]) && is(1, &["tracking"]);
    }

    /// The next message of a client, where the world has this one.
    fn receive(
        &mut self,
        client: ClientIndex,
        model: &Value,
        protocol: Protocol,
        is_reply: bool,
        line: &str,
    ) -> Result<Option<Value>, Stop> {
        let clocks = self.clocks();
        let Some(found) = self.clients.get_mut(&client) else { return Ok(None) };
        let is_answered = is_reply || found.is_listening;
        let argv = is_answered.then(|| found.sent.pop_front()).flatten().unwrap_or_default();
        let real = match found.arrived.pop_front() {
            Some(value) => Some(value),
            None => found.connection.next(PATIENCE)?,
        };
        let model = on_the_wire(model, protocol);
        let Some(real) = real.map(|value| clocks.of_server(value)) else {
            let model = cli::text(&model, protocol);
            self.differences.push(format!("`{line}`: a real Redis prints nothing, the model {model}"));
            return Ok(None);
        };
        let queue = match argv.first().map(|word| word.to_ascii_lowercase()).as_deref() {
            _ if model == Value::QUEUED => {
                found.queue.push(argv.clone());
                Vec::new()
            }
            Some(b"exec") => std::mem::take(&mut found.queue),
            Some(b"multi" | b"discard") => {
                found.queue.clear();
                Vec::new()
            }
            _ => Vec::new(),
        };
        let settled = settled(&model, &real, &argv, &queue);
        if !self.has_limit && model != settled && is_out_of_memory(&model) {
            return unplayable("it meets a limit of the page's memory");
        }
        if !self.is_random && !agree(&model, &settled, &argv, &queue) {
            let text = |value: &Value| cli::text(value, protocol).trim_end().to_owned();
            let (real, model) = (text(&real), text(&model));
            self.differences.push(format!("`{line}`: a real Redis prints {real}, the model {model}"));
        }
        Ok(Some(settled))
    }

    /// Has the server closed the connection of a client?
    fn is_closed(&mut self, client: ClientIndex) -> Result<bool, Stop> {
        let Some(found) = self.clients.get_mut(&client) else { return Ok(true) };
        found.sent.clear();
        let asked = Instant::now();
        while !found.connection.is_closed && asked.elapsed() < PATIENCE {
            if let Some(value) = found.connection.next(Duration::from_millis(20))? {
                found.arrived.push_back(value);
            }
        }
        Ok(found.connection.is_closed)
    }

    /// Makes sure that the server has done all it was told, and has sent nothing else. One event loop serves all: what a command causes is
    /// written before a later `PING` is answered.
    fn nothing_more(&mut self, line: &str) -> Result<(), Stop> {
        self.server.ask(&["PING"])?;
        for found in self.clients.values_mut() {
            found.arrived.extend(found.connection.drain()?);
            for value in std::mem::take(&mut found.arrived) {
                let text = cli::text(&value, Protocol::Resp3).trim_end().to_owned();
                self.differences.push(format!("`{line}`: a real Redis prints {text} as well, the model does not"));
            }
        }
        Ok(())
    }

    /// Lets time pass.
    fn pass(&mut self, ms: u64) -> Result<(), Stop> {
        if ms > SHORT_MS {
            let Some(why) = self.hindrance()? else {
                self.ahead_ms = self.ahead_ms.saturating_add(signed(ms));
                if self.server.shift_deadlines(ms)? {
                    std::thread::sleep(EXPIRY);
                }
                return Ok(());
            };
            if ms > REAL_MS_MAX {
                let seconds = ms.div_ceil(1_000);
                return unplayable(&format!("{seconds} s pass while {why}"));
            }
        }
        std::thread::sleep(Duration::from_millis(ms).saturating_add(SLACK));
        Ok(())
    }

    /// Why a shift of deadlines would not do.
    fn hindrance(&mut self) -> Result<Option<&'static str>, Stop> {
        if self.is_busy() {
            return Ok(Some("a script runs"));
        }
        if !self.blocked.is_empty() {
            return Ok(Some("a client is blocked"));
        }
        if self.clients.values().any(|client| client.is_watching) {
            return Ok(Some("a client watches keys"));
        }
        if self.clients.values().any(|client| client.is_listening) {
            return Ok(Some("a client listens"));
        }
        let policy = self.server.policy()?;
        if policy.contains("lru") || policy.contains("lfu") {
            return Ok(Some("the last use of keys counts"));
        }
        Ok(self.server.has_stream()?.then_some("there is a stream, whose ids and idle times are times"))
    }
}

/// Why an input can be played in a world only.
pub fn of_world(input: &Input) -> Option<&'static str> {
    match input {
        Input::Connect { .. }
        | Input::Disconnect { .. }
        | Input::Rename { .. }
        | Input::Command { .. }
        | Input::Interrupt { .. }
        | Input::Advance { .. }
        | Input::Watch { .. } => None,
        Input::Program { .. } | Input::Serve { .. } => Some("programs are scheduled step by step"),
        Input::Node { .. } => Some("a node crashes or starts"),
        Input::SwitchNode { .. } | Input::Link { .. } => Some("it acts on nodes or links"),
        Input::Traffic { .. } => Some("traffic runs"),
    }
}

fn unplayable<T>(why: &str) -> Result<T, Stop> {
    Err(Stop::Unplayable(why.to_owned()))
}

fn signed(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}

/// The clock of this machine, and so of a server on it: Unix time in ms.
fn now_ms() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.as_millis()).unwrap_or(i64::MAX)
}

/// The value that a client reads: RESP2 has no maps and sets.
fn on_the_wire(value: &Value, protocol: Protocol) -> Value {
    let mut bytes = Vec::new();
    encode(value, protocol, &mut bytes);
    decode_reply(&bytes).ok().flatten().unwrap_or_else(|| value.clone())
}

const TERMS: Terms<'static> = Terms { apart_ms: TOLERANCE_MS, universe: None, is_in_exec: false, observer: "" };

fn agree(model: &Value, real: &Value, argv: &[Bytes], queue: &[Vec<Bytes>]) -> bool {
    let is_size = argv.first().is_some_and(|name| name.eq_ignore_ascii_case(b"dbsize"));
    match (model, real) {
        // Both servers delete expired keys from time to time; a real one at moments of its own.
        (Value::Integer(model), Value::Integer(real)) if is_size => real <= model,
        _ => rules::agree(model, real, argv, queue, TERMS),
    }
}

/// The reply of the server; times within the tolerance count as those of the model.
fn settled(model: &Value, real: &Value, argv: &[Bytes], queue: &[Vec<Bytes>]) -> Value {
    let is_time = matches!(rules::rule(argv), Rule::Clock(_) | Rule::Times);
    if is_time && rules::agree(model, real, argv, &[], TERMS) || same_but_for_moments(model, real) {
        return model.clone();
    }
    match (model, real) {
        (Value::Array(models), Value::Array(reals)) if models.len() == reals.len() && reals.len() == queue.len() => {
            let each = models.iter().zip(reals).zip(queue);
            Value::Array(each.map(|((model, real), argv)| settled(model, real, argv, &[])).collect())
        }
        _ => real.clone(),
    }
}

/// Does a client that waits for this let the server serve others?
fn is_for_data(reason: &WaitReason) -> bool {
    matches!(reason, WaitReason::Keys { .. } | WaitReason::Replicas)
}

fn is_out_of_memory(value: &Value) -> bool {
    matches!(value, Value::Error(why) if why.starts_with(b"OOM "))
}

/// Does the command set a limit of memory, or what happens there?
fn sets_limit(argv: &[Bytes]) -> bool {
    let [name, set, rest @ ..] = argv else { return false };
    let is_of_memory = |word: &Bytes| word.to_ascii_lowercase().starts_with(b"maxmemory");
    name.eq_ignore_ascii_case(b"config") && set.eq_ignore_ascii_case(b"set") && rest.iter().any(is_of_memory)
}

/// Does the command pick at random, itself or in a script?
fn is_random(argv: &[Bytes]) -> bool {
    let has = |text: &[u8], word: &str| {
        let text = text.to_ascii_lowercase();
        text.windows(word.len()).any(|part| part == word.as_bytes())
    };
    rules::rule(argv) == Rule::Picks
        || argv.iter().any(|word| {
            has(word, "redis.call")
                && ["spop", "randmember", "randfield", "randomkey"].iter().any(|name| has(word, name))
        })
}
