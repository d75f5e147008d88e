//! The server as a whole: its state, its inputs (connect, disconnect, handle, advance) and its outputs.
use std::{
    cmp::Ordering,
    collections::{BTreeSet, VecDeque},
    ops::Deref,
};

use bytes::Bytes;
use resp::Value;

use crate::{
    Part,
    client::{Client, ClientId},
    clients::Clients,
    command::CommandId,
    config::Config,
    db::Db,
    eviction::{Eviction, STARTUP_BYTES, Use},
    pubsub::PubSub,
    rng::Rng,
    script::{Busy, Scripts, engine::ScriptEngine},
    sorted_map::SortedMap,
};

/// The version of Redis whose behaviour this is.
pub const REDIS_VERSION: &str = "7.0.15";

/// What an input made happen, in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// The answer to one command.
    Reply {
        /// Who asked.
        client: ClientId,
        /// The answer.
        value: Value,
    },
    /// Something the client did not ask for just now: a message, a monitor line, a confirmation of a subscription.
    Push {
        /// Who receives it.
        client: ClientId,
        /// A `Value::Push` for messages, a status line for `MONITOR`.
        value: Value,
    },
    /// A client that does not read was told this: it waits in its output buffer until [`Server::read_on`].
    Held {
        /// Whose.
        client: ClientId,
        /// A reply, or what would be pushed.
        value: Value,
    },
    /// The client waits inside its command; `Client::blocked` says for what.
    Blocked {
        /// Who.
        client: ClientId,
    },
    /// It no longer waits; its reply stands beside this output.
    Unblocked {
        /// Who.
        client: ClientId,
    },
    /// The server closed the connection.
    Closed {
        /// Whose.
        client: ClientId,
        /// Why.
        reason: CloseReason,
    },
    /// A database was emptied as a whole; its keys are not told one by one.
    Flushed {
        /// Its number.
        db: usize,
    },
    /// Two databases exchanged their keys.
    Swapped {
        /// One number.
        first: usize,
        /// The other.
        second: usize,
    },
    /// A key came, went or changed.
    Changed {
        /// Its database.
        db: usize,
        /// The key.
        key: Bytes,
        /// Why.
        cause: Cause,
    },
}

/// Why a key changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// A command did it.
    Command,
    /// Its TTL had run out, and it went.
    Expiry,
    /// Memory was short, and it went.
    Eviction,
}

/// Why the server closed a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CloseReason {
    /// `QUIT`.
    Quit,
    /// `CLIENT KILL`.
    Killed,
    /// It spoke HTTP.
    CrossProtocol,
    /// It did not read, and its output buffer passed its limit.
    OutputBuffer,
    /// The server itself is gone.
    Crashed,
}

/// Where the calls of a command are counted. Every command counts, so the place is found by a number made of the first eight
/// bytes of its name; texts are compared only where two names begin alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallKey {
    head: u64,
    /// Container and name.
    pub id: CommandId,
}

impl Ord for CallKey {
    fn cmp(&self, other: &CallKey) -> Ordering {
        self.head.cmp(&other.head).then_with(|| {
            // Nearly always both are the very texts of one row. Measured: comparing two empty container names byte by byte
            // costs more than the rest of a GET, since their addresses point to no memory.
            let is_same = std::ptr::eq(self.id.0, other.id.0) && std::ptr::eq(self.id.1, other.id.1);
            if is_same { Ordering::Equal } else { self.id.cmp(&other.id) }
        })
    }
}

impl PartialOrd for CallKey {
    fn partial_cmp(&self, other: &CallKey) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<CommandId> for CallKey {
    fn from(id: CommandId) -> CallKey {
        let (container, name) = id;
        let full = if container.is_empty() { name } else { container };
        // The first letter counts most, so that names are in the order of texts.
        CallKey { head: crate::command::head_of(full.as_bytes()).swap_bytes(), id }
    }
}

/// Counters that `INFO stats` prints and `CONFIG RESETSTAT` clears.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Stats {
    pub connections_received: u64,
    pub commands_processed: u64,
    pub expired_keys: u64,
    pub evicted_keys: u64,
    pub keyspace_hits: u64,
    pub keyspace_misses: u64,
    pub errors: u64,
    /// By error code (`ERR`, `WRONGTYPE` …), as `INFO errorstats` prints it.
    pub errors_by_code: SortedMap<String, u64>,
    /// (calls, rejected, failed) of each command, as `INFO commandstats` prints it.
    pub calls_by_command: SortedMap<CallKey, (u64, u64, u64)>,
    pub lazyfreed_objects: u64,
    /// Calls while `latency-tracking` was off, which have no latencies to tell.
    pub untracked_calls: SortedMap<CallKey, u64>,
    /// Changes since the last save, which never happens.
    pub changes: u64,
}

/// `CLIENT PAUSE` while it lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pause {
    /// Its end, in ms of the server's clock.
    pub until_ms: u64,
    /// Reads wait too.
    pub pauses_all: bool,
}

/// One entry of the slow log.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SlowCommand {
    pub id: u64,
    pub at_ms: u64,
    pub duration_us: u64,
    pub argv: Vec<Bytes>,
    pub client_addr: String,
    pub client_name: Bytes,
}

/// A key that changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Change {
    pub db: usize,
    pub key: Bytes,
    pub cause: Cause,
    /// Has its memory been counted since?
    pub is_counted: bool,
}

/// A Redis server. Cloning shares the keys and costs microseconds.
///
/// ```
/// use redis_model::{Config, Output, Server};
/// use resp::Value;
///
/// let mut server = Server::new(Config::default(), 0);
/// let client = server.connect(0);
/// let outputs = server.handle(0, client, vec!["PING".into()]);
/// assert_eq!(outputs, [Output::Reply { client, value: Value::simple("PONG") }]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Server {
    pub(crate) config: Part<Config>,
    /// What runs its scripts.
    pub(crate) engine: ScriptEngine,
    pub(crate) databases: Vec<Part<Db>>,
    /// So many of them, counted from the first, have ever held a key: what every command asks of all is asked of these.
    pub(crate) used_databases: usize,
    pub(crate) clients: Clients,
    pub(crate) next_client: ClientId,
    /// Who waits at most until when, in ms, soonest first.
    pub(crate) wait_deadlines: BTreeSet<(u64, ClientId)>,
    /// Who monitors: every command asks whether anybody does.
    pub(crate) monitors: BTreeSet<ClientId>,
    /// Who does not read what it is told.
    pub(crate) not_reading: BTreeSet<ClientId>,
    pub(crate) pubsub: Part<PubSub>,
    pub(crate) rng: Rng,
    pub(crate) now_ms: u64,
    pub(crate) started_ms: u64,
    /// When the expiry cycle last ran.
    pub(crate) last_cycle_ms: u64,
    pub(crate) stats: Part<Stats>,
    pub(crate) slowlog: Part<VecDeque<SlowCommand>>,
    pub(crate) next_slowlog: u64,
    pub(crate) pause: Option<Pause>,
    /// `DEBUG SLEEP`: until this moment, in ms of the server's clock, nothing happens at all.
    pub(crate) asleep_until_ms: Option<u64>,
    /// Candidates for eviction.
    pub(crate) eviction: Eviction,
    /// Keys that the running command has used, where uses are counted.
    pub(crate) used_keys: Vec<((usize, Bytes), Use)>,
    /// The most bytes that were ever taken.
    pub(crate) memory_peak: usize,
    /// Is `EXEC` or a script running? Then nothing blocks.
    pub(crate) is_atomic: bool,
    /// Is it a script that runs?
    pub(crate) is_in_script: bool,
    /// Scripts and libraries of functions.
    pub(crate) scripts: Part<Scripts>,
    /// The script that keeps the server busy, if one does.
    pub(crate) busy: Option<Box<Busy>>,
    /// The state of `math.random` of scripts.
    pub(crate) script_random: u64,
    /// Was the server full when the last command began? As in Redis this is remembered while there is no limit.
    pub(crate) was_full: bool,
    /// Bytes that the queues of all transactions take.
    pub(crate) queued_bytes: usize,
    /// Keys that came into being for clients that wait for them, in order.
    pub(crate) ready: VecDeque<(usize, Bytes)>,
    /// Clients that just stopped waiting and may have commands behind the one that waited.
    pub(crate) unblocked: VecDeque<ClientId>,
    /// Keys that the running command has changed; drained when it ends.
    pub(crate) changed: Vec<Change>,
    /// Where among the outputs the running command's reply stands, when not behind all of its events.
    pub(crate) reply_at: Option<usize>,
    /// Outputs of the running input; drained when it ends.
    pub(crate) outputs: Vec<Output>,
}

impl Server {
    /// An empty server whose clock stands at `now_ms` (Unix time in ms).
    pub fn new(config: Config, now_ms: u64) -> Server {
        let databases = vec![Part::default(); config.databases.max(1)];
        let rng = Rng::new(config.seed);
        Server {
            config: Part::new(config),
            engine: ScriptEngine::default(),
            databases,
            used_databases: 0,
            clients: Clients::default(),
            next_client: 1,
            wait_deadlines: BTreeSet::new(),
            monitors: BTreeSet::new(),
            not_reading: BTreeSet::new(),
            pubsub: Part::default(),
            rng,
            now_ms,
            started_ms: now_ms,
            last_cycle_ms: 0,
            stats: Part::default(),
            slowlog: Part::default(),
            next_slowlog: 0,
            pause: None,
            asleep_until_ms: None,
            eviction: Eviction::default(),
            used_keys: Vec::new(),
            memory_peak: STARTUP_BYTES,
            is_atomic: false,
            is_in_script: false,
            scripts: Part::default(),
            busy: None,
            script_random: ::script::RANDOM_AT_START,
            was_full: false,
            queued_bytes: 0,
            ready: VecDeque::new(),
            unblocked: VecDeque::new(),
            changed: Vec::new(),
            reply_at: None,
            outputs: Vec::new(),
        }
    }

    /// The same server with something that runs its scripts; without, they are answered by an error.
    #[must_use]
    pub fn with_engine(self, engine: ScriptEngine) -> Server {
        Server { engine, ..self }
    }

    /// What runs its scripts.
    pub fn engine(&self) -> &ScriptEngine {
        &self.engine
    }

    /// Opens a connection. Its address is made up from its number.
    pub fn connect(&mut self, now_ms: u64) -> ClientId {
        let port = 50_000u64.saturating_add(self.next_client % 15_000);
        self.connect_from(now_ms, format!("127.0.0.1:{port}"))
    }

    /// Opens a connection from `addr` (`ip:port`).
    pub fn connect_from(&mut self, now_ms: u64, addr: String) -> ClientId {
        self.now_ms = self.now_ms.max(now_ms);
        let id = self.next_client;
        self.next_client = self.next_client.saturating_add(1);
        let mut client = Client::new(id, addr, self.now_ms);
        client.is_authenticated = self.config.requirepass.is_empty();
        self.clients.insert(client);
        self.stats.connections_received = self.stats.connections_received.saturating_add(1);
        id
    }

    /// The client closed its connection: what it watched, waited for and subscribed to is forgotten.
    pub fn disconnect(&mut self, now_ms: u64, client: ClientId) -> Vec<Output> {
        self.run_until(now_ms);
        if !self.leaves_during_its_script(client) {
            self.forget(client);
        }
        self.settle();
        self.hand_out()
    }

    /// A client sent a command. Everything that was due before `now_ms` happens first. A clock that
    /// stands still or runs backwards is taken as standing still.
    pub fn handle(&mut self, now_ms: u64, client: ClientId, argv: Vec<Bytes>) -> Vec<Output> {
        self.run_until(now_ms);
        self.process_or_queue(client, argv);
        self.settle();
        self.hand_out()
    }

    /// Takes back a list of outputs that has been read, so that the next input need not allocate one.
    pub fn recycle(&mut self, mut outputs: Vec<Output>) {
        if self.outputs.is_empty() {
            outputs.clear();
            self.outputs = outputs;
        }
    }

    /// Time passes: timeouts, expiry cycles and the end of a pause happen in order up to `now_ms`.
    pub fn advance(&mut self, now_ms: u64) -> Vec<Output> {
        self.run_until(now_ms);
        self.settle();
        self.hand_out()
    }

    /// The server's clock, Unix time in ms.
    pub fn now_ms(&self) -> u64 {
        self.now_ms
    }

    /// A database by number.
    pub fn db(&self, index: usize) -> Option<&Db> {
        self.databases.get(index).map(Deref::deref)
    }

    /// All databases in order.
    pub fn databases(&self) -> &[Part<Db>] {
        &self.databases
    }

    /// The databases that have ever held a key, and those between them.
    pub(crate) fn used_databases(&self) -> &[Part<Db>] {
        self.databases.get(..self.used_databases).unwrap_or(&self.databases)
    }

    /// A connection by number.
    pub fn client(&self, id: ClientId) -> Option<&Client> {
        self.clients.get(&id)
    }

    /// All connections, oldest first.
    pub fn clients(&self) -> impl Iterator<Item = &Client> {
        self.clients.iter()
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The counters.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Who listens to what.
    pub fn pubsub(&self) -> &PubSub {
        &self.pubsub
    }

    /// Bytes that all keys, the queues of transactions and what waits for clients that do not read take together.
    pub fn used_memory(&self) -> usize {
        self.used_databases().iter().fold(self.clients_bytes(), |sum, db| sum.saturating_add(db.memory()))
    }

    /// Bytes that are kept for clients.
    pub(crate) fn clients_bytes(&self) -> usize {
        self.queued_bytes.saturating_add(self.unread_bytes())
    }

    /// Sends a client something it did not just ask for.
    pub(crate) fn push(&mut self, client: ClientId, parts: Vec<Value>) {
        self.outputs.push(Output::Push { client, value: Value::Push(parts) });
    }

    /// Answers a command, unless the client switched replies off.
    pub(crate) fn reply(&mut self, client: ClientId, value: Value) {
        self.count_if_error(&value);
        self.answer(client, value);
    }

    /// The same with a value whose errors have been counted.
    pub(crate) fn answer(&mut self, client: ClientId, value: Value) {
        if self.clients.get(&client).is_some_and(Client::is_answered) {
            self.outputs.push(Output::Reply { client, value });
        }
    }

    /// Counts a change that is none of a key: of the libraries.
    pub(crate) fn count_change(&mut self) {
        self.stats.changes = self.stats.changes.saturating_add(1);
    }

    /// Counts an error for `INFO errorstats`.
    pub(crate) fn count_if_error(&mut self, value: &Value) {
        if let Value::Error(text) = value {
            let code = text.split(|byte| *byte == b' ').next().unwrap_or_default();
            let code = String::from_utf8_lossy(code).into_owned();
            self.stats.errors = self.stats.errors.saturating_add(1);
            let count = self.stats.errors_by_code.entry(code, || 0);
            *count = count.saturating_add(1);
        }
    }

    /// Moves the outputs from `start` on up to `to`, in front of what stands between.
    pub(crate) fn move_outputs(&mut self, start: usize, to: Option<usize>) {
        if let Some(to) = to
            && let Some(tail) = self.outputs.get_mut(to..)
            && let Some(between) = start.checked_sub(to)
            && between <= tail.len()
        {
            tail.rotate_left(between);
        }
    }

    /// Closes a connection from the server's side.
    pub(crate) fn close(&mut self, client: ClientId, reason: CloseReason) {
        if self.forget(client) {
            self.outputs.push(Output::Closed { client, reason });
        }
    }

    /// Forgets a connection and everything that points to it. False when there is none of that number.
    pub(crate) fn forget(&mut self, id: ClientId) -> bool {
        self.stop_waiting(id);
        self.discard_transaction(id);
        self.unsubscribe_everything(id);
        self.monitors.remove(&id);
        self.not_reading.remove(&id);
        self.clients.remove(&id).is_some()
    }
}
