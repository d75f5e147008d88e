//! The servers that handlers ask: a Redis server, which executes one command at a time, and a database with workers and a queue of its own.
use std::collections::BTreeMap;

use bytes::Bytes;
use redis_model::{ClientId, Output, Server};
use resp::Value;
use script::program::Reply;
use table::{Answer, Cell, ConnectionId, Database, Failure, Output as Told};

use super::settings::Service;
use super::told::{Service as At, What};
use super::{Around, MS, Message, Place, Traffic, US, chance, cost};
use crate::node::table::bound;

/// Connections of handlers to one server: each thread of each worker has one, which is opened when it is used first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Connections<Id> {
    by_place: BTreeMap<Place, Id>,
    places: BTreeMap<Id, Place>,
}

impl<Id> Default for Connections<Id> {
    fn default() -> Connections<Id> {
        Connections { by_place: BTreeMap::new(), places: BTreeMap::new() }
    }
}

impl<Id: Copy + Ord> Connections<Id> {
    /// All of them.
    fn all(&self) -> Vec<Id> {
        self.places.keys().copied().collect()
    }

    /// The connection of a thread.
    fn of(&self, place: Place) -> Option<Id> {
        self.by_place.get(&place).copied()
    }

    /// The thread that has a connection.
    fn place(&self, connection: Id) -> Option<Place> {
        self.places.get(&connection).copied()
    }

    /// From now on a thread has this connection, or none.
    fn set(&mut self, place: Place, connection: Option<Id>) {
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

/// What a server answers that is not there.
const REFUSED: &str = "connection refused";
/// What a client hears whose server closes the connection, or crashes.
const CLOSED: &str = "the server closed the connection";
/// The table with all items.
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

    /// One way on the network, in ns.
    fn network_ns(&self) -> u64 {
        u64::from(self.settings.network_us).saturating_mul(US)
    }

    /// What every command takes, in ns.
    fn command_ns(&self) -> u64 {
        u64::from(self.settings.redis_us).saturating_mul(US)
    }

    /// The server has executed a command of someone else, which looked at so many keys: those of traffic wait for its end.
    pub(super) fn occupy_redis(&mut self, looked_at: u64, reply: Option<&Value>) {
        let cost_ns = cost::cost_ns(self.command_ns(), looked_at, reply);
        self.redis_busy_ns = self.redis_busy_ns.max(self.now_ns).saturating_add(cost_ns);
    }

    /// The server executes a command, and is busy with it for a while; then the reply is on its way.
    pub(super) fn execute(&mut self, message: Message<Vec<Bytes>>, around: &mut Around<'_>) {
        let Message { place, ask, said } = message;
        let now_ms = self.redis_ms(around);
        let Some(server) = around.redis.as_deref_mut() else {
            return self.reply(place, ask, Value::error(REFUSED), 0);
        };
        let words = self.told.is_some().then(|| said.clone());
        let looked_at = cost::looked_at(server, self.redis_connections.of(place), &said);
        let client = match self.redis_connections.of(place) {
            Some(client) => client,
            None => {
                let client = server.connect(now_ms);
                self.redis_connections.set(place, Some(client));
                client
            }
        };
        self.series.now_mut().commands = self.series.now().commands.saturating_add(1);
        let mut own = None;
        let outputs = server.handle(now_ms, client, said);
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
            self.tell_of(place, None, || What::Taken { server: At::Redis, argv, value });
        }
        if let Some(value) = own {
            self.reply(place, ask, value, cost_ns);
        }
        self.tell(rest, around);
    }

    /// The reply to a command arrives once the command is over and has come back.
    fn reply(&mut self, place: Place, ask: u64, value: Value, cost_ns: u64) {
        let at_ns = self.now_ns.saturating_add(cost_ns).saturating_add(self.network_ns());
        // A reply that waited for another command's end may stand behind later ones.
        let at = self.from_redis.partition_point(|(other_ns, _)| *other_ns <= at_ns);
        self.from_redis.insert(at, (at_ns, Message { place, ask, said: Reply::Value(value) }));
    }

    /// What is due at the Redis server by its own clock happens.
    pub(super) fn advance_redis(&mut self, around: &mut Around<'_>) {
        let now_ms = self.redis_ms(around);
        let Some(server) = around.redis.as_deref_mut() else { return };
        let outputs = server.advance(now_ms);
        let is_told = |output: &&Output| self.told.is_some() || !matches!(output, Output::Changed { .. });
        let told = outputs.iter().filter(is_told).cloned().collect();
        server.recycle(outputs);
        self.tell(told, around);
    }

    /// What the server says to connections: workers who waited get their replies; the rest is for the world.
    fn tell(&mut self, outputs: Vec<Output>, around: &mut Around<'_>) {
        for output in outputs {
            let place = |client: &ClientId| self.redis_connections.place(*client);
            match &output {
                Output::Reply { client, value } => match place(client) {
                    Some(place) => {
                        let ask = self.asked(place);
                        self.tell_of(place, None, || What::Answers { server: At::Redis, value: value.clone() });
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
                Output::Blocked { client }
                | Output::Unblocked { client }
                | Output::Held { client, .. }
                | Output::Push { client, .. }
                    if place(client).is_some() => {}
                _ => around.said.push(output),
            }
        }
    }

    /// The number of what a thread waits for; 0 where it waits for nothing.
    fn asked(&self, place: Place) -> u64 {
        let task = self.workers.get(place.worker as usize).and_then(|worker| worker.task.as_deref());
        task.map_or(0, |task| task.asked_of(place.thread))
    }

    /// The database is sent a statement with its parameters.
    pub(super) fn query(&mut self, message: Message<Vec<Bytes>>, around: &mut Around<'_>) {
        let Message { place, ask, said } = message;
        // A database counts in whole ms: on average this is neither early nor late.
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
        self.tell_of(place, None, || What::Taken { server: At::Database, argv: said, value: None });
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

    /// What is due at the database happens.
    pub(super) fn advance_database(&mut self, around: &mut Around<'_>) {
        let now_ms = self.now_ms().saturating_add(around.database_ahead_ms);
        let Some(database) = around.database.as_deref_mut() else { return };
        let outputs = database.advance(now_ms);
        self.hear_database(outputs, around);
    }

    /// What the database says to connections: workers who waited get their answers; the rest is for the world.
    fn hear_database(&mut self, outputs: Vec<Told>, around: &mut Around<'_>) {
        for output in outputs {
            if let Some(output) = self.hear_from_database(output) {
                around.said_by_database.push(output);
            }
        }
    }

    /// Takes what concerns traffic; what concerns others, too, is returned.
    fn hear_from_database(&mut self, output: Told) -> Option<Told> {
        match &output {
            Told::Answered { connection, answer } => {
                let Some(place) = self.database_connections.place(*connection) else { return Some(output) };
                self.at_database = self.at_database.saturating_sub(1);
                let (ask, value) = (self.asked(place), answer.to_value());
                self.tell_of(place, None, || What::Answers { server: At::Database, value: value.clone() });
                self.answer(place, ask, value);
            }
            Told::RowChanged { table, key, after, .. } => {
                if table.eq_ignore_ascii_case(ITEMS) {
                    let id = std::str::from_utf8(key).ok().and_then(|key| key.parse().ok());
                    let value = after.as_ref().and_then(|row| row.get(1)).map(Cell::to_text);
                    if let Some(id) = id {
                        self.truth.change(self.settings.items, id, value, self.now_ns);
                    }
                }
                return self.told.is_some().then_some(output);
            }
            Told::Closed { connection } => {
                let Some(place) = self.database_connections.place(*connection) else { return Some(output) };
                self.database_connections.set(place, None);
            }
            Told::Waits { connection, .. } | Told::GoesOn { connection } => {
                let is_other = self.database_connections.place(*connection).is_none();
                return is_other.then_some(output);
            }
        }
        None
    }

    /// Takes what the Redis server said to connections of handlers because of something that others did; the rest is returned.
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
            Output::Reply { value, .. } => self.reply(place, ask, value, 0),
            Output::Closed { .. } => {
                self.redis_connections.set(place, None);
                self.reply(place, ask, Value::error(CLOSED), 0);
            }
            _ => {}
        }
        None
    }

    /// The same for what the database said.
    pub(super) fn hear_table(&mut self, output: Told) -> Option<Told> {
        let is_row = matches!(output, Told::RowChanged { .. });
        let kept = is_row.then(|| output.clone());
        self.hear_from_database(output).or(kept)
    }

    /// The Redis server is about to crash: what is on its way to it, or waits there, is answered by an error, and all connections end.
    pub(super) fn lose_redis(&mut self, server: &Server) {
        let mut lost: Vec<(Place, u64)> = Vec::new();
        lost.extend(self.to_redis.drain(..).map(|(_, message)| (message.place, message.ask)));
        lost.extend(self.redis_queue.drain(..).map(|message| (message.place, message.ask)));
        let waits = |client: &ClientId| server.client(*client).is_some_and(|found| found.blocked.is_some());
        let blocked = self.redis_connections.by_place.iter().filter(|(_, client)| waits(client));
        lost.extend(blocked.map(|(place, _)| (*place, self.asked(*place))));
        self.redis_connections = Connections::default();
        self.redis_busy_ns = self.now_ns;
        lost.into_iter().for_each(|(place, ask)| self.reply(place, ask, Value::error(CLOSED), 0));
    }

    /// The same for the database.
    pub(super) fn lose_database(&mut self, database: &Database) {
        let mut lost: Vec<(Place, u64)> = Vec::new();
        lost.extend(self.to_database.drain(..).map(|(_, message)| (message.place, message.ask)));
        let waits = |connection: &ConnectionId| {
            database.connection(*connection).is_some_and(|found| *found.activity() != table::Activity::Idle)
        };
        let waiting = self.database_connections.by_place.iter().filter(|(_, connection)| waits(connection));
        lost.extend(waiting.map(|(place, _)| (*place, self.asked(*place))));
        self.database_connections = Connections::default();
        self.at_database = 0;
        lost.into_iter().for_each(|(place, ask)| self.answer(place, ask, Value::error(CLOSED)));
    }

    /// What the database answered is on its way back.
    fn answer(&mut self, place: Place, ask: u64, value: Value) {
        let at_ns = self.now_ns.saturating_add(self.network_ns());
        self.from_database.push_back((at_ns, Message { place, ask, said: Reply::Value(value) }));
    }

    /// A thread closes the connection on which it waits: a statement that is not over is dropped.
    pub(super) fn close(&mut self, place: Place, ask: u64, around: &mut Around<'_>) {
        let now_ms = self.now_ms().saturating_add(around.database_ahead_ms);
        // What has not arrived yet never does, and what comes back is not heard.
        let before = self.to_database.len();
        self.to_database.retain(|(_, message)| message.ask != ask);
        self.from_database.retain(|(_, message)| message.ask != ask);
        let never_came = self.to_database.len() < before;
        let is_at_database = |database: &Database, connection| {
            database.connection(connection).is_some_and(|found| *found.activity() != table::Activity::Idle)
        };
        if let (Some(connection), Some(database)) =
            (self.database_connections.of(place), around.database.as_deref_mut())
            && !never_came
            && is_at_database(database, connection)
        {
            self.database_connections.set(place, None);
            self.at_database = self.at_database.saturating_sub(1);
            let outputs = database.disconnect(now_ms, connection);
            self.hear_database(outputs, around);
        }
    }
}
