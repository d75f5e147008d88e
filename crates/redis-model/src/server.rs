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
    clients::{Clients, LastCommand},
    command::CommandId,
    config::Config,
    db::Db,
    eviction::{Eviction, STARTUP_BYTES, Use},
    pubsub::PubSub,
    rng::Rng,
    script::{Busy, Scripts, engine::ScriptEngine},
    sorted_map::SortedMap,
};

/// The Redis version that is modelled.
pub const REDIS_VERSION: &str = "7.0.15";

/// One effect of an input; effects are listed in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// The reply to one command.
    Reply {
        /// The client that sent the command.
        client: ClientId,
        /// The reply.
        value: Value,
    },
    /// Output that is not a reply: a message, a monitor line, a confirmation of a subscription.
    Push {
        /// The receiver.
        client: ClientId,
        /// A `Value::Push` for messages, a status line for `MONITOR`.
        value: Value,
    },
    /// Output for a client that does not read: it stays in the client's output buffer until [`Server::read_on`].
    Held {
        /// The client.
        client: ClientId,
        /// A reply or a push.
        value: Value,
    },
    /// The client is blocked in its command; `Client::blocked` holds the reason.
    Blocked {
        /// The client.
        client: ClientId,
    },
    /// The client is no longer blocked; its reply is the output next to this one.
    Unblocked {
        /// The client.
        client: ClientId,
    },
    /// The server closed the connection.
    Closed {
        /// The client.
        client: ClientId,
        /// The reason for closing.
        reason: CloseReason,
    },
    /// A database was emptied; there is no output for each of its keys.
    Flushed {
        /// Its number.
        db: usize,
    },
    /// Two databases swapped their keys.
    Swapped {
        /// One number.
        first: usize,
        /// The other.
        second: usize,
    },
    /// A key was created, changed or deleted.
    Changed {
        /// Its database.
        db: usize,
        /// The key.
        key: Bytes,
        /// The cause of the change.
        cause: Cause,
    },
}

/// Why a key changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// A command changed it.
    Command,
    /// It was deleted because its TTL had expired.
    Expiry,
    /// It was evicted.
    Eviction,
}

/// Why the server closed a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CloseReason {
    /// `QUIT`.
    Quit,
    /// `CLIENT KILL`.
    Killed,
    /// It sent HTTP.
    CrossProtocol,
    /// It did not read, and its output buffer exceeded its limit.
    OutputBuffer,
    /// The server crashed.
    Crashed,
}

/// Key of a command in the call counters. Every command is counted, so lookup compares a number made of the first eight
/// bytes of the name; strings are compared only if two numbers are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallKey {
    head: u64,
    /// Container and name.
    pub id: CommandId,
}

impl Ord for CallKey {
    fn cmp(&self, other: &CallKey) -> Ordering {
        self.head.cmp(&other.head).then_with(|| {
            // Nearly always both point to the same strings of one row. Measured: comparing two empty container names byte by byte
            // costs more than the rest of a GET, because their addresses point to no memory.
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
        // The first letter is the most significant byte, so that numbers sort like names.
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
    /// Calls while `latency-tracking` was off, for which there are no latencies.
    pub untracked_calls: SortedMap<CallKey, u64>,
    /// Changes since the last save; the model never saves.
    pub changes: u64,
}

/// An active `CLIENT PAUSE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pause {
    /// When the pause ends, in ms of the server's clock.
    pub until_ms: u64,
    /// Are reads paused too?
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
    /// Has its memory been counted since the change?
    pub is_counted: bool,
}

/// The keys and connections that a server had before an input, to which its outputs refer. It shares them with the server.
#[derive(Clone, Debug)]
pub struct Former {
    databases: Part<Vec<Part<Db>>>,
    clients: Clients,
}

impl Former {
    /// A database by number.
    pub fn db(&self, index: usize) -> Option<&Db> {
        self.databases.get(index).map(Deref::deref)
    }

    /// A connection by id.
    pub fn client(&self, id: ClientId) -> Option<&Client> {
        self.clients.get(&id)
    }
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
    /// The engine that runs scripts.
    pub(crate) engine: ScriptEngine,
    /// Shared as a whole too: most steps of a search change no database.
    pub(crate) databases: Part<Vec<Part<Db>>>,
    /// Number of the highest database that has ever held a key, plus one. Checks over all databases only look at these.
    pub(crate) used_databases: usize,
    pub(crate) clients: Clients,
    pub(crate) next_client: ClientId,
    /// (deadline in ms, client) of every wait with a timeout, soonest first.
    pub(crate) wait_deadlines: BTreeSet<(u64, ClientId)>,
    /// Monitoring clients; every command checks whether there are any.
    pub(crate) monitors: BTreeSet<ClientId>,
    /// Clients that do not read their output.
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
    /// `DEBUG SLEEP`: until this time, in ms of the server's clock, the server does nothing.
    pub(crate) asleep_until_ms: Option<u64>,
    /// State of eviction.
    pub(crate) eviction: Eviction,
    /// Keys that the running command has used, under the LFU policies.
    pub(crate) used_keys: Vec<((usize, Bytes), Use)>,
    /// The highest memory use so far, in bytes.
    pub(crate) memory_peak: usize,
    /// Is `EXEC` or a script running? Then nothing blocks.
    pub(crate) is_atomic: bool,
    /// Is a script running?
    pub(crate) is_in_script: bool,
    /// Scripts and libraries of functions.
    pub(crate) scripts: Part<Scripts>,
    /// The script that keeps the server busy, if any.
    pub(crate) busy: Option<Box<Busy>>,
    /// State of the scripts' `math.random`.
    pub(crate) script_random: u64,
    /// Was memory exhausted when the last command began? As in Redis the value stays as it is while there is no limit.
    pub(crate) was_full: bool,
    /// Bytes that the queues of all transactions take.
    pub(crate) queued_bytes: usize,
    /// Created keys that clients wait for, in order of creation.
    pub(crate) ready: VecDeque<(usize, Bytes)>,
    /// Clients that were just unblocked and may have queued further commands.
    pub(crate) unblocked: VecDeque<ClientId>,
    /// Keys that the running command has changed; drained when it ends.
    pub(crate) changed: Vec<Change>,
    /// Index in `outputs` for the running command's reply, if it does not come after all of the command's events.
    pub(crate) reply_at: Option<usize>,
    /// Outputs of the current input; drained when it ends.
    pub(crate) outputs: Vec<Output>,
}

impl Server {
    /// An empty server whose clock is at `now_ms` (Unix time in ms).
    pub fn new(config: Config, now_ms: u64) -> Server {
        let databases = vec![Part::default(); config.databases.max(1)];
        let rng = Rng::new(config.seed);
        Server {
            config: Part::new(config),
            engine: ScriptEngine::default(),
            databases: Part::new(databases),
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

    /// The same server with an engine for its scripts; without one, `EVAL` replies with an error.
    #[must_use]
    pub fn with_engine(self, engine: ScriptEngine) -> Server {
        Server { engine, ..self }
    }

    /// The engine that runs scripts.
    pub fn engine(&self) -> &ScriptEngine {
        &self.engine
    }

    /// Opens a connection with an address derived from its id.
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

    /// The client closed its connection: its watches, waits and subscriptions end.
    pub fn disconnect(&mut self, now_ms: u64, client: ClientId) -> Vec<Output> {
        self.run_until(now_ms);
        if !self.leaves_during_its_script(client) {
            self.forget(client);
        }
        self.settle();
        self.hand_out()
    }

    /// Handles a command of a client. Everything that was due before `now_ms` happens first. A clock that
    /// runs backwards is treated as standing still.
    pub fn handle(&mut self, now_ms: u64, client: ClientId, argv: Vec<Bytes>) -> Vec<Output> {
        self.run_until(now_ms);
        self.process_or_queue(client, argv);
        self.settle();
        self.hand_out()
    }

    /// Takes back a consumed list of outputs, so that the next input need not allocate one.
    pub fn recycle(&mut self, mut outputs: Vec<Output>) {
        if self.outputs.is_empty() {
            outputs.clear();
            self.outputs = outputs;
        }
    }

    /// Lets time pass: timeouts, expiry cycles and the end of a pause happen in order up to `now_ms`.
    pub fn advance(&mut self, now_ms: u64) -> Vec<Output> {
        self.run_until(now_ms);
        self.settle();
        self.hand_out()
    }

    /// The server's clock, Unix time in ms.
    pub fn now_ms(&self) -> u64 {
        self.now_ms
    }

    /// Its keys and connections, to compare them with those after an input.
    pub fn former(&self) -> Former {
        Former { databases: self.databases.clone(), clients: self.clients.clone() }
    }

    /// A database by number.
    pub fn db(&self, index: usize) -> Option<&Db> {
        self.databases.get(index).map(Deref::deref)
    }

    /// All databases in order.
    pub fn databases(&self) -> &[Part<Db>] {
        &self.databases
    }

    /// The databases up to the highest one that has ever held a key.
    pub fn used_databases(&self) -> &[Part<Db>] {
        self.databases.get(..self.used_databases).unwrap_or(&self.databases)
    }

    /// A connection by id.
    pub fn client(&self, id: ClientId) -> Option<&Client> {
        self.clients.get(&id)
    }

    /// The last command of a connection.
    pub fn last_command(&self, id: ClientId) -> Option<LastCommand> {
        self.clients.last_command(id)
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

    /// All subscriptions.
    pub fn pubsub(&self) -> &PubSub {
        &self.pubsub
    }

    /// Bytes of all keys, transaction queues and output that clients have not read.
    pub fn used_memory(&self) -> usize {
        self.used_databases().iter().fold(self.clients_bytes(), |sum, db| sum.saturating_add(db.memory()))
    }

    /// Bytes of transaction queues and output buffers.
    pub(crate) fn clients_bytes(&self) -> usize {
        self.queued_bytes.saturating_add(self.unread_bytes())
    }

    /// Sends a push to a client, outside of a reply.
    pub(crate) fn push(&mut self, client: ClientId, parts: Vec<Value>) {
        self.outputs.push(Output::Push { client, value: Value::Push(parts) });
    }

    /// Replies to a command, unless the client switched replies off.
    pub(crate) fn reply(&mut self, client: ClientId, value: Value) {
        self.count_if_error(&value);
        self.answer(client, value);
    }

    /// Like [`Server::reply`], for a value whose errors have already been counted.
    pub(crate) fn answer(&mut self, client: ClientId, value: Value) {
        if self.clients.get(&client).is_some_and(Client::is_answered) {
            self.outputs.push(Output::Reply { client, value });
        }
    }

    /// Counts a change that concerns no key: of the function libraries.
    pub(crate) fn count_change(&mut self) {
        self.stats.changes = self.stats.changes.saturating_add(1);
    }

    /// Counts `value` for `INFO errorstats` if it is an error.
    pub(crate) fn count_if_error(&mut self, value: &Value) {
        if let Value::Error(text) = value {
            let code = text.split(|byte| *byte == b' ').next().unwrap_or_default();
            let code = String::from_utf8_lossy(code).into_owned();
            self.stats.errors = self.stats.errors.saturating_add(1);
            let count = self.stats.errors_by_code.entry(code, || 0);
            *count = count.saturating_add(1);
        }
    }

    /// Moves the outputs from `start` on to index `to`, in front of the outputs between.
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

    /// Removes a connection and all references to it. False if there is no connection with this id.
    pub(crate) fn forget(&mut self, id: ClientId) -> bool {
        self.stop_waiting(id);
        self.discard_transaction(id);
        self.unsubscribe_everything(id);
        self.monitors.remove(&id);
        self.not_reading.remove(&id);
        self.clients.remove(&id)
    }
}
