//! Connections, the statement queue, and time.
//!
//! A statement is queued (if no worker is free), in service (for `service_ms`), executed at one point in time, and answered. If it needs a
//! lock that others hold, it waits and then continues where it stopped; its progress is kept (`Work`), and its worker is free.
use crate::answer::{Answer, Done, Failure};
use crate::execute::Execution;
use crate::locks::{Slot, split_name};
use crate::output::{Activity, Connection, ConnectionId, Lock, Output, Settings, Uncommitted};
use crate::schema::Table;
use crate::sql::ast::Statement;
use crate::sql::parse;
use crate::transaction::{Stop, Work};
use bytes::Bytes;
use redis_model::sorted_map::SortedMap;
use redis_model::value::Tree;
use std::rc::Rc;

/// Maximum length of a statement, in bytes.
const STATEMENT_BYTES_MAX: usize = 1 << 20;

/// A database server.
///
/// ```
/// use table::{Answer, Database, Output, Settings};
/// let mut database = Database::new(Settings::default());
/// let connection = database.connect(0).expect("there is room");
/// let outputs = database.handle(0, connection, b"SELECT 1 + 1");
/// let [Output::Answered { answer, .. }] = outputs.as_slice() else { panic!("it is answered at once") };
/// assert!(answer.print(0).starts_with("+-------+\n| 1 + 1 |\n+-------+\n|     2 |\n"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Database {
    pub(crate) settings: Settings,
    pub(crate) tables: SortedMap<Bytes, Rc<Table>>,
    pub(crate) connections: SortedMap<ConnectionId, Connection>,
    /// Locks and changes of open transactions.
    pub(crate) slots: Tree<Bytes, Slot>,
    pub(crate) connection_next: u64,
    /// Connections whose statements are queued, and those in service, in order.
    pub(crate) queue: Vec<Queued>,
    pub(crate) at_work: Vec<ConnectionId>,
    /// Connections that wait for a lock, in the order in which their waits began.
    pub(crate) waiting: Vec<ConnectionId>,
    /// Connections that were granted their lock and continue. Empty between two calls, like the next two fields.
    pub(crate) ready: Vec<ConnectionId>,
    pub(crate) killed: Vec<ConnectionId>,
    pub(crate) outputs: Vec<Output>,
}

/// A queued statement: its connection and its service time in ms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Queued {
    pub(crate) id: ConnectionId,
    pub(crate) service_ms: u64,
}

pub(crate) fn deadlock() -> Box<Failure> {
    Failure::new(1213, b"40001", "Deadlock found when trying to get lock; try restarting transaction")
}

impl Database {
    /// An empty database.
    pub fn new(settings: Settings) -> Database {
        Database {
            settings,
            tables: SortedMap::new(),
            connections: SortedMap::new(),
            slots: Tree::new(),
            connection_next: 1,
            queue: Vec::new(),
            at_work: Vec::new(),
            waiting: Vec::new(),
            ready: Vec::new(),
            killed: Vec::new(),
            outputs: Vec::new(),
        }
    }

    /// Opens a connection.
    ///
    /// # Errors
    /// 1040 if the maximum number of connections is reached.
    pub fn connect(&mut self, _now_ms: u64) -> Result<ConnectionId, Failure> {
        if self.connections.len() >= self.settings.connections_max as usize {
            return Err(*Failure::new(1040, b"08004", "Too many connections"));
        }
        let id = ConnectionId(self.connection_next);
        self.connection_next = self.connection_next.saturating_add(1);
        self.connections.insert(id, Connection::new(self.settings.lock_wait_ms));
        Ok(id)
    }

    /// Closes a connection: rolls back, releases its locks (others continue), and drops its queued statement.
    pub fn disconnect(&mut self, now_ms: u64, id: ConnectionId) -> Vec<Output> {
        self.remove(id);
        self.settle(now_ms)
    }

    /// Handles a statement; a trailing `;` is allowed. A second statement during an outstanding one is answered by 2014; an unknown
    /// connection is answered by 2006.
    pub fn handle(&mut self, now_ms: u64, id: ConnectionId, statement: &[u8]) -> Vec<Output> {
        self.handle_taking(now_ms, id, statement, self.settings.service_ms)
    }

    /// Like [`Database::handle`], with a service time of its own instead of the one in the settings.
    pub fn handle_taking(&mut self, now_ms: u64, id: ConnectionId, statement: &[u8], service_ms: u64) -> Vec<Output> {
        let failure = match self.connections.get_mut(&id) {
            None => Failure::new(2006, b"HY000", "MySQL server has gone away"),
            Some(connection) if connection.activity != Activity::Idle => {
                Failure::new(2014, b"HY000", "Commands out of sync; you can't run this command now")
            }
            Some(_) if statement.len() > STATEMENT_BYTES_MAX => {
                Failure::new(1153, b"08S01", "Got a packet bigger than 'max_allowed_packet' bytes")
            }
            Some(connection) => {
                connection.statement = Bytes::copy_from_slice(statement);
                connection.activity = Activity::Queued { since_ms: now_ms };
                self.queue.push(Queued { id, service_ms });
                return self.settle(now_ms);
            }
        };
        vec![Output::Answered { connection: id, answer: Answer::Failed(*failure) }]
    }

    /// Processes the ends of service times and of lock waits up to `now_ms`, in chronological order.
    pub fn advance(&mut self, now_ms: u64) -> Vec<Output> {
        let mut outputs = Vec::new();
        while let Some((at_ms, id)) = self.next_event().filter(|(at_ms, _)| *at_ms <= now_ms) {
            if self.at_work.contains(&id) {
                self.at_work.retain(|other| *other != id);
                self.proceed(at_ms, id);
            } else {
                self.give_up(
                    id,
                    *Failure::new(1205, b"HY000", "Lock wait timeout exceeded; try restarting transaction"),
                );
            }
            outputs.extend(self.settle(at_ms));
        }
        outputs
    }

    /// The time of the next event for [`Database::advance`], in ms.
    pub fn next_deadline_ms(&self) -> Option<u64> {
        self.next_event().map(|(at_ms, _)| at_ms)
    }

    /// The next event. At the same time: ends of service before ends of waits, those that began earlier first.
    fn next_event(&self) -> Option<(u64, ConnectionId)> {
        let timed =
            self.at_work.iter().chain(&self.waiting).filter_map(|id| match self.connections.get(id)?.activity {
                Activity::AtWork { until_ms } | Activity::Waiting { until_ms, .. } => Some((until_ms, *id)),
                _ => None,
            });
        timed.min_by_key(|(at_ms, _)| *at_ms)
    }

    /// The database after a crash and restart: committed data survive; connections, locks and uncommitted changes are lost.
    pub fn restarted(&self) -> Database {
        let mut fresh = self.clone();
        let ids: Vec<ConnectionId> = self.connections.keys().copied().collect();
        for id in ids {
            fresh.remove(id);
        }
        Database { tables: fresh.tables, ..Database::new(fresh.settings) }
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The tables by name.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.values().map(|table| &**table)
    }

    /// The connection with this number.
    pub fn connection(&self, id: ConnectionId) -> Option<&Connection> {
        self.connections.get(&id)
    }

    /// The number of the next connection.
    pub fn next_connection(&self) -> ConnectionId {
        ConnectionId(self.connection_next)
    }

    /// All connections, by number.
    pub fn connections(&self) -> impl Iterator<Item = (ConnectionId, &Connection)> {
        self.connections.iter().map(|(id, connection)| (*id, connection))
    }

    /// Locks by table, index and key; those of one record in the order of the requests.
    pub fn locks(&self) -> impl Iterator<Item = Lock> {
        self.slots.iter().flat_map(|(name, slot)| {
            slot.requests.iter().map(|request| Lock {
                name: self.lock_name(name),
                owner: request.owner,
                is_exclusive: request.is_exclusive,
                is_granted: request.is_granted,
            })
        })
    }

    /// The connections that currently block a waiting one ([`Activity::Waiting`] lists those at the start of the wait).
    pub fn holders(&self, id: ConnectionId) -> Vec<ConnectionId> {
        self.blockers(id)
    }

    /// Rows with uncommitted changes, by table and key.
    pub fn uncommitted(&self) -> impl Iterator<Item = Uncommitted> {
        self.slots.iter().filter_map(|(name, slot)| {
            let (table, _, key) = split_name(name)?;
            let named = self.lock_name(name);
            let before = self.tables.get(table)?.rows.get(key).cloned();
            let (owner, after) = (slot.writer()?, slot.change.clone()?);
            Some(Uncommitted { table: named.table, key: named.key, owner, before, after })
        })
    }

    /// Starts queued statements, continues those that were granted their lock, and returns all outputs since the last call.
    fn settle(&mut self, now_ms: u64) -> Vec<Output> {
        loop {
            if !self.killed.is_empty() {
                let id = self.killed.remove(0);
                if self.connections.contains_key(&id) {
                    self.remove(id);
                    self.outputs.push(Output::Closed { connection: id });
                }
            } else if !self.ready.is_empty() {
                let id = self.ready.remove(0);
                self.outputs.push(Output::GoesOn { connection: id });
                self.proceed(now_ms, id);
            } else if !self.queue.is_empty() && self.has_free_worker() {
                let Queued { id, service_ms } = self.queue.remove(0);
                if service_ms == 0 {
                    self.proceed(now_ms, id);
                } else if let Some(connection) = self.connections.get_mut(&id) {
                    connection.activity = Activity::AtWork { until_ms: now_ms.saturating_add(service_ms) };
                    self.at_work.push(id);
                }
            } else {
                return std::mem::take(&mut self.outputs);
            }
        }
    }

    fn has_free_worker(&self) -> bool {
        self.settings.workers == 0 || self.at_work.len() < self.settings.workers as usize
    }

    /// Removes a connection with its statement, locks and transaction.
    fn remove(&mut self, id: ConnectionId) {
        self.queue.retain(|other| other.id != id);
        self.at_work.retain(|other| *other != id);
        self.ready.retain(|other| *other != id);
        self.stop_waiting(id);
        self.end(id, false);
        self.connections.remove(&id);
    }

    fn stop_waiting(&mut self, id: ConnectionId) {
        self.waiting.retain(|other| *other != id);
        if let Some(name) = self.connections.get_mut(&id).and_then(|connection| connection.waits_for.take()) {
            self.release(id, &name, |request| !request.is_granted);
        }
    }

    /// Fails a waiting statement.
    fn give_up(&mut self, id: ConnectionId, failure: Failure) {
        self.stop_waiting(id);
        self.outputs.push(Output::GoesOn { connection: id });
        let work = self.connections.get_mut(&id).and_then(|connection| connection.work.take()).unwrap_or_default();
        self.fail(id, *work, failure);
    }

    /// Executes the statement of a connection, from its beginning or from where it stopped.
    fn proceed(&mut self, now_ms: u64, id: ConnectionId) {
        let Some(connection) = self.connections.get_mut(&id) else { return };
        let text = connection.statement.clone();
        let is_new = connection.work.is_none();
        let mut work = match connection.work.take() {
            Some(work) => *work,
            None => Work { now_ms, ..Work::default() },
        };
        loop {
            let stop = match parse(&text) {
                Err(failure) => Stop::Failed(failure),
                Ok(mut statement) => {
                    // A schema change commits the open transaction.
                    if is_new && statement.is_definition() {
                        self.end(id, true);
                    }
                    match (Execution { id }).run(self, &mut statement, &mut work) {
                        Ok(answer) => return self.succeed(id, &statement, answer),
                        Err(stop) => stop,
                    }
                }
            };
            match stop {
                Stop::Failed(failure) => return self.fail(id, work, *failure),
                Stop::Wait(name, is_exclusive) => {
                    if self.wait(now_ms, id, &name, is_exclusive, &mut work) {
                        return;
                    }
                }
            }
        }
    }

    /// Begins to wait. False: the wait is already over, because a deadlock victim was rolled back.
    fn wait(&mut self, now_ms: u64, id: ConnectionId, name: &Bytes, is_exclusive: bool, work: &mut Work) -> bool {
        self.enqueue(id, name, is_exclusive);
        while let Some(victim) = self.victim(id) {
            if victim == id {
                self.stop_waiting(id);
                self.fail(id, std::mem::take(work), *deadlock());
                return true;
            }
            self.give_up(victim, *deadlock());
            if let Some(at) = self.ready.iter().position(|other| *other == id) {
                self.ready.remove(at);
                return false;
            }
        }
        let holders = self.blockers(id);
        let lock = self.lock_name(name);
        if let Some(connection) = self.connections.get_mut(&id) {
            let until_ms = now_ms.saturating_add(connection.lock_wait_ms);
            connection.activity = Activity::Waiting { until_ms, lock: lock.clone(), holders: holders.clone() };
            connection.work = Some(Box::new(std::mem::take(work)));
        }
        self.outputs.push(Output::Waits { connection: id, lock, holders });
        true
    }

    fn succeed(&mut self, id: ConnectionId, statement: &Statement, answer: Answer) {
        let Some(connection) = self.connections.get_mut(&id) else { return };
        connection.row_count = match &answer {
            Answer::Done(Done { affected, .. }) => i64::try_from(*affected).unwrap_or(i64::MAX),
            _ => -1,
        };
        let commits = connection.autocommit && !connection.is_in_transaction;
        if commits || statement.is_definition() {
            self.end(id, true);
        }
        self.answer(id, answer);
    }

    /// Rolls back a statement, or its whole transaction after a deadlock.
    fn fail(&mut self, id: ConnectionId, mut work: Work, failure: Failure) {
        self.undo(id, &mut work);
        let Some(connection) = self.connections.get_mut(&id) else { return };
        connection.row_count = -1;
        // Without an open transaction, all locks belong to this statement: also those of a schema change while `autocommit` is off.
        if failure.code == 1213 || !connection.is_in_transaction {
            self.end(id, false);
        }
        self.answer(id, Answer::Failed(failure));
    }

    fn answer(&mut self, id: ConnectionId, answer: Answer) {
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.activity = Activity::Idle;
            connection.statement = Bytes::new();
        }
        self.outputs.push(Output::Answered { connection: id, answer });
    }
}
