//! The servers that handlers query: a Redis server, which executes one command at a time, and a database with its own workers and queue.
use std::collections::BTreeMap;

use bytes::Bytes;
use redis_model::{ClientId, Output, Server};
use resp::Value;
use script::program::Reply;
use table::{Answer, Cell, ConnectionId, Database, Failure, Output as TableOutput};

use super::crash::is_end;
use super::event::{RequestEvent, Service as At};
use super::settings::Service;
use super::subscribers::SUBSCRIBER;
use super::{Around, MS, Message, Traffic, US, WorkerThread, chance, cost};
use crate::node::table::bound;

/// Connections of handlers to one server: one per thread of each worker, opened on first use.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Connections<Id> {
    by_place: BTreeMap<WorkerThread, Id>,
    places: BTreeMap<Id, WorkerThread>,
}

impl<Id> Default for Connections<Id> {
    fn default() -> Connections<Id> {
        Connections { by_place: BTreeMap::new(), places: BTreeMap::new() }
    }
}

impl<Id: Copy + Ord> Connections<Id> {
    /// Each thread's connection.
    pub(super) fn iter(&self) -> impl Iterator<Item = (WorkerThread, Id)> {
        self.by_place.iter().map(|(place, connection)| (*place, *connection))
    }

    /// All connections.
    fn all(&self) -> Vec<Id> {
        self.places.keys().copied().collect()
    }

    /// The connection of a thread.
    pub(super) fn of(&self, place: WorkerThread) -> Option<Id> {
        self.by_place.get(&place).copied()
    }

    /// The thread that has a connection.
    fn place(&self, connection: Id) -> Option<WorkerThread> {
        self.places.get(&connection).copied()
    }

    /// Sets or removes a thread's connection.
    pub(super) fn set(&mut self, place: WorkerThread, connection: Option<Id>) {
        let former = match connection {
            Some(connection) => {
                self.places.insert(connection, place);
                self.by_place.insert(place, connection)
            }
            None => self.by_place.remove(&place),
        };
        if let Some(former) = former {
            self.places.remove(&former);
        }
    }
}

/// The error if a server is down.
const REFUSED: &str = "connection refused";
/// The error if a server closes the connection or crashes.
const CLOSED: &str = "the server closed the connection";
/// The table of items.
pub(super) const ITEMS: &[u8] = b"item";

impl Traffic {
    /// Connections of handlers to the Redis server.
    pub(super) fn connections_to_redis(&self) -> Vec<ClientId> {
        self.redis_connections.all()
    }

    /// Connections of handlers to the database.
    pub(super) fn connections_to_database(&self) -> Vec<ConnectionId> {
        self.database_connections.all()
    }

    /// Time of one way on the network, in ns.
    pub(super) fn network_ns(&self) -> u64 {
        u64::from(self.settings.network_us).saturating_mul(US)
    }

    /// Base time of every command, in ns.
    fn command_ns(&self) -> u64 {
        u64::from(self.settings.redis_us).saturating_mul(US)
    }

    /// The server has executed another client's command, which looked at this many keys: traffic's commands wait until its end.
    pub(super) fn occupy_redis(&mut self, looked_at: u64, reply: Option<&Value>) {
        let cost_ns = cost::cost_ns(self.command_ns(), looked_at, reply);
        self.redis_busy_ns = self.redis_busy_ns.max(self.now_ns).saturating_add(cost_ns);
    }

    /// The server executes a command and is busy for its duration; then the reply is in flight. Returns the message if its script has to
    /// run ahead.
    pub(super) fn execute(
        &mut self,
        message: Message<Vec<Bytes>>,
        around: &mut Around<'_>,
    ) -> Option<Message<Vec<Bytes>>> {
        if is_end(&message) {
            self.crashed.connection_ended(self.machine_of(message.place.worker));
            self.disconnect_redis(message.place, around);
            return None;
        }
        let Message { place, ask, said } = message;
        let now_ms = self.redis_ms(around);
        let Some(server) = around.redis.as_deref_mut() else {
            self.reply(place, ask, Value::error(REFUSED), 0);
            return None;
        };
        let words = self.events.is_some().then(|| said.clone());
        let looked_at = cost::looked_at(server, self.redis_connections.of(place), &said);
        let client = match self.redis_connections.of(place) {
            Some(client) => client,
            None => {
                let client = server.connect(now_ms);
                self.redis_connections.set(place, Some(client));
                client
            }
        };
        let outputs = match around.scripts.handle(server, now_ms, client, said) {
            Ok(outputs) => outputs,
            Err(said) => return Some(Message { place, ask, said }),
        };
        self.series.now_mut().commands = self.series.now().commands.saturating_add(1);
        let mut own = None;
        let mut rest = Vec::new();
        for output in &outputs {
            match output {
                Output::Reply { client: whose, value } if *whose == client && own.is_none() => {
                    own = Some(value.clone())
                }
                Output::Changed { .. } if words.is_none() => {}
                other => rest.push(other.clone()),
            }
        }
        server.recycle(outputs);
        let cost_ns = cost::cost_ns(self.command_ns(), looked_at, own.as_ref());
        self.redis_busy_ns = self.now_ns.saturating_add(cost_ns);
        if let Some(argv) = words {
            let value = own.clone();
            self.emit_taken(place, || RequestEvent::Taken { server: At::Redis, argv, value });
        }
        if let Some(value) = own {
            self.reply(place, ask, value, cost_ns);
        }
        self.emit_outputs(rest, around);
        None
    }

    /// A connection to the Redis server ends.
    pub(super) fn disconnect_redis(&mut self, place: WorkerThread, around: &mut Around<'_>) {
        let now_ms = self.redis_ms(around);
        let Some(client) = self.redis_connections.of(place) else { return };
        self.redis_connections.set(place, None);
        if let Some(server) = around.redis.as_deref_mut() {
            let outputs = server.disconnect(now_ms, client);
            self.emit_outputs(outputs, around);
        }
    }

    /// Sends the reply to a command: it arrives after the command's end plus the way back.
    fn reply(&mut self, place: WorkerThread, ask: u64, value: Value, cost_ns: u64) {
        if self.has_crashed(place) {
            return;
        }
        let at_ns = self.now_ns.saturating_add(cost_ns).saturating_add(self.network_ns());
        // A reply delayed by another command may come after later ones.
        let at = self.from_redis.partition_point(|(other_ns, _)| *other_ns <= at_ns);
        self.from_redis.insert(at, (at_ns, Message { place, ask, said: Reply::Value(value) }));
    }

    /// Runs what is due at the Redis server by its own clock.
    pub(super) fn advance_redis(&mut self, around: &mut Around<'_>) {
        let now_ms = self.redis_ms(around);
        let Some(server) = around.redis.as_deref_mut() else { return };
        let Some(outputs) = around.scripts.advance(server, now_ms) else { return };
        let is_emitted = |output: &&Output| self.events.is_some() || !matches!(output, Output::Changed { .. });
        let emitted = outputs.iter().filter(is_emitted).cloned().collect();
        server.recycle(outputs);
        self.emit_outputs(emitted, around);
    }

    /// Delivers a server's outputs: replies to waiting workers, the rest to the world.
    pub(super) fn emit_outputs(&mut self, outputs: Vec<Output>, around: &mut Around<'_>) {
        for output in outputs {
            let place = |client: &ClientId| self.redis_connections.place(*client);
            match &output {
                Output::Reply { client, value } => match place(client) {
                    Some(place) => {
                        let ask = self.asked(place);
                        self.emit_reply(place, At::Redis, value);
                        self.reply(place, ask, value.clone(), 0);
                    }
                    None => around.said.push(output),
                },
                Output::Closed { client, .. } => match place(client) {
                    Some(place) => {
                        let ask = self.asked(place);
                        self.redis_connections.set(place, None);
                        self.reply(place, ask, Value::error(CLOSED), 0);
                    }
                    None => around.said.push(output),
                },
                Output::Push { client, value } => match place(client) {
                    Some(place) if place.thread == SUBSCRIBER => self.push_to_subscriber(place, value.clone()),
                    Some(_) => {}
                    None => around.said.push(output),
                },
                Output::Blocked { client } | Output::Unblocked { client } | Output::Held { client, .. }
                    if place(client).is_some() => {}
                _ => around.said.push(output),
            }
        }
    }

    /// The number of the question that a thread waits for, 0 if it waits for none; of a subscriber, the number of its connection.
    pub(super) fn asked(&self, place: WorkerThread) -> u64 {
        if place.thread == SUBSCRIBER {
            return self.subscription(place);
        }
        self.task_of(place.worker).map_or(0, |task| task.asked_of(place.thread))
    }

    /// Sends a statement with its parameters to the database.
    pub(super) fn query(&mut self, message: Message<Vec<Bytes>>, around: &mut Around<'_>) {
        if is_end(&message) {
            self.crashed.connection_ended(self.machine_of(message.place.worker));
            return self.disconnect_database(message.place, around);
        }
        let Message { place, ask, said } = message;
        // A database counts in whole ms: rounding has no bias on average.
        let now_ms = self.start_ms.saturating_add(self.now_ns.saturating_add(MS / 2) / MS);
        let now_ms = now_ms.saturating_add(around.database_ahead_ms);
        let Some(database) = around.database.as_deref_mut() else {
            return self.answer(place, ask, Value::error(REFUSED));
        };
        self.series.now_mut().queries = self.series.now().queries.saturating_add(1);
        let connection = match self.database_connections.of(place) {
            Some(connection) => connection,
            None => match database.connect(now_ms) {
                Ok(connection) => {
                    self.database_connections.set(place, Some(connection));
                    connection
                }
                Err(failure) => return self.answer(place, ask, Answer::Failed(failure).to_value()),
            },
        };
        let Some(statement) = bound(&said) else {
            let failure =
                Failure { code: 1210, sqlstate: *b"HY000", message: "Incorrect arguments to EXECUTE".to_owned() };
            return self.answer(place, ask, Answer::Failed(failure).to_value());
        };
        self.emit_taken(place, || RequestEvent::Taken { server: At::Database, argv: said, value: None });
        self.at_database = self.at_database.saturating_add(1);
        self.series.now_mut().at_database_max = self.series.now().at_database_max.max(self.at_database);
        let mean_ms = database.settings().service_ms;
        let service_ms = match self.settings.service {
            Service::Fixed => mean_ms,
            Service::Exponential => (chance::exponential(&mut self.rng) * mean_ms as f64 + 0.5) as u64,
        };
        let outputs = database.handle_taking(now_ms, connection, &statement, service_ms);
        self.hear_database(outputs, around);
    }

    /// Runs what is due at the database.
    pub(super) fn advance_database(&mut self, around: &mut Around<'_>) {
        let now_ms = self.now_ms().saturating_add(around.database_ahead_ms);
        let Some(database) = around.database.as_deref_mut() else { return };
        let outputs = database.advance(now_ms);
        self.hear_database(outputs, around);
    }

    /// Delivers the database's outputs: replies to waiting workers, the rest to the world.
    fn hear_database(&mut self, outputs: Vec<TableOutput>, around: &mut Around<'_>) {
        for output in outputs {
            if let Some(output) = self.hear_from_database(output) {
                around.said_by_database.push(output);
            }
        }
    }

    /// Handles an output for traffic; returns it if it concerns others too.
    fn hear_from_database(&mut self, output: TableOutput) -> Option<TableOutput> {
        match &output {
            TableOutput::Answered { connection, answer } => {
                let Some(place) = self.database_connections.place(*connection) else { return Some(output) };
                self.at_database = self.at_database.saturating_sub(1);
                let (ask, value) = (self.asked(place), answer.to_value());
                self.emit_reply(place, At::Database, &value);
                self.answer(place, ask, value);
            }
            TableOutput::RowChanged { table, key, after, .. } => {
                if table.eq_ignore_ascii_case(ITEMS) {
                    let id = std::str::from_utf8(key).ok().and_then(|key| key.parse().ok());
                    let value = after.as_ref().and_then(|row| row.get(1)).map(Cell::to_text);
                    if let Some(id) = id {
                        self.truth.change(self.settings.items, id, value, self.now_ns);
                    }
                }
                return self.events.is_some().then_some(output);
            }
            TableOutput::Closed { connection } => {
                let Some(place) = self.database_connections.place(*connection) else { return Some(output) };
                self.database_connections.set(place, None);
            }
            TableOutput::Waits { connection, .. } | TableOutput::GoesOn { connection } => {
                let is_other = self.database_connections.place(*connection).is_none();
                return is_other.then_some(output);
            }
        }
        None
    }

    /// Handles an output of the Redis server for a handler's connection that another client caused; returns any other output.
    pub(super) fn hear_redis(&mut self, output: Output) -> Option<Output> {
        let client = match &output {
            Output::Reply { client, .. }
            | Output::Closed { client, .. }
            | Output::Blocked { client }
            | Output::Unblocked { client }
            | Output::Held { client, .. }
            | Output::Push { client, .. } => *client,
            Output::Changed { .. } | Output::Flushed { .. } | Output::Swapped { .. } => return Some(output),
        };
        let Some(place) = self.redis_connections.place(client) else { return Some(output) };
        let ask = self.asked(place);
        match output {
            Output::Push { value, .. } if place.thread == SUBSCRIBER => self.push_to_subscriber(place, value),
            Output::Reply { value, .. } => self.reply(place, ask, value, 0),
            Output::Closed { .. } => {
                self.redis_connections.set(place, None);
                self.reply(place, ask, Value::error(CLOSED), 0);
            }
            _ => {}
        }
        None
    }

    /// The same for the database.
    pub(super) fn hear_table(&mut self, output: TableOutput) -> Option<TableOutput> {
        let is_row = matches!(output, TableOutput::RowChanged { .. });
        let kept = is_row.then(|| output.clone());
        self.hear_from_database(output).or(kept)
    }

    /// Messages to a server that crashes: returns who waits for a reply.
    fn lose_messages(&mut self, messages: impl Iterator<Item = Message<Vec<Bytes>>>) -> Vec<(WorkerThread, u64)> {
        let (ends, asked): (Vec<_>, Vec<_>) = messages.partition(is_end);
        for end in ends {
            self.crashed.connection_ended(self.machine_of(end.place.worker));
        }
        asked.into_iter().map(|message| (message.place, message.ask)).collect()
    }

    /// The Redis server is about to crash: messages in flight to it or queued there get an error, and all connections close.
    pub(super) fn lose_redis(&mut self, server: &Server) {
        let mut lost: Vec<(WorkerThread, u64)> = Vec::new();
        let on_way = std::mem::take(&mut self.to_redis).into_iter().map(|(_, message)| message);
        let queued = std::mem::take(&mut self.redis_queue);
        lost.extend(self.lose_messages(on_way.chain(queued)));
        let waits = |place: &WorkerThread, client: &ClientId| {
            place.thread == SUBSCRIBER || server.client(*client).is_some_and(|found| found.blocked.is_some())
        };
        let blocked = self.redis_connections.by_place.iter().filter(|(place, client)| waits(place, client));
        lost.extend(blocked.map(|(place, _)| (*place, self.asked(*place))));
        self.redis_connections = Connections::default();
        self.redis_busy_ns = self.now_ns;
        lost.into_iter().for_each(|(place, ask)| self.reply(place, ask, Value::error(CLOSED), 0));
    }

    /// The same for the database.
    pub(super) fn lose_database(&mut self, database: &Database) {
        let mut lost: Vec<(WorkerThread, u64)> = Vec::new();
        let on_way = std::mem::take(&mut self.to_database).into_iter().map(|(_, message)| message);
        lost.extend(self.lose_messages(on_way));
        let waiting = self.database_connections.iter().filter(|(_, found)| is_active(Some(database), *found));
        lost.extend(waiting.map(|(place, _)| (place, self.asked(place))));
        self.database_connections = Connections::default();
        self.at_database = 0;
        lost.into_iter().for_each(|(place, ask)| self.answer(place, ask, Value::error(CLOSED)));
    }

    /// Sends a reply of the database back.
    fn answer(&mut self, place: WorkerThread, ask: u64, value: Value) {
        if self.has_crashed(place) {
            return;
        }
        let at_ns = self.now_ns.saturating_add(self.network_ns());
        self.from_database.push_back((at_ns, Message { place, ask, said: Reply::Value(value) }));
    }

    /// A thread closes the connection on which it waits: its running statement is dropped.
    pub(super) fn close(&mut self, place: WorkerThread, ask: u64, around: &mut Around<'_>) {
        // Messages in flight never arrive, and replies are discarded.
        let before = self.to_database.len();
        self.to_database.retain(|(_, message)| message.ask != ask);
        self.from_database.retain(|(_, message)| message.ask != ask);
        let never_came = self.to_database.len() < before;
        let connection = self.database_connections.of(place);
        if !never_came && connection.is_some_and(|connection| is_active(around.database.as_deref(), connection)) {
            self.disconnect_database(place, around);
        }
    }

    /// A connection to the database ends; its running statement is dropped.
    fn disconnect_database(&mut self, place: WorkerThread, around: &mut Around<'_>) {
        let now_ms = self.now_ms().saturating_add(around.database_ahead_ms);
        let Some(connection) = self.database_connections.of(place) else { return };
        self.database_connections.set(place, None);
        if is_active(around.database.as_deref(), connection) {
            self.at_database = self.at_database.saturating_sub(1);
        }
        if let Some(database) = around.database.as_deref_mut() {
            let outputs = database.disconnect(now_ms, connection);
            self.hear_database(outputs, around);
        }
    }
}

/// Does a connection wait for its statement?
pub(super) fn is_active(database: Option<&Database>, connection: ConnectionId) -> bool {
    let found = database.and_then(|database| database.connection(connection));
    found.is_some_and(|found| *found.activity() != table::Activity::Idle)
}
