//! Support for searches over schedules: hashes of the canonical state of a database, and footprints of statements.
//!
//! Lists are hashed with their lengths, and what may be missing with whether it is there, so that different states never feed a hasher
//! the same bytes, however long it makes a number.
use crate::answer::{Cell, Row};
use crate::eval::{Scope, resolve};
use crate::execute::path;
use crate::output::{Activity, Connection, ConnectionId};
use crate::schema::Table;
use crate::server::Database;
use crate::sql::ast::{Expr, Filter, OnDuplicate, Statement};
use crate::sql::parse;
use bytes::Bytes;
use redis_model::sorted_map::SortedMap;
use std::hash::{Hash, Hasher};

/// The reads and writes of a statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Footprint {
    /// The parts touched; empty: no interaction with other connections.
    pub touches: Vec<Touch>,
}

/// A part of the database that a statement reads or writes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Touch {
    /// Name of the table; `None`: the whole database.
    pub table: Option<Bytes>,
    /// Encoded primary key; `None`: all rows of the table.
    pub key: Option<Bytes>,
    /// Whether it is written or locked, not only read.
    pub writes: bool,
}

impl Footprint {
    fn everything() -> Footprint {
        Footprint { touches: vec![Touch { table: None, key: None, writes: true }] }
    }

    /// Whether neither statement writes a part that the other reads or writes.
    pub fn commutes_with(&self, other: &Footprint) -> bool {
        let meet = |a: &Option<Bytes>, b: &Option<Bytes>| a.is_none() || b.is_none() || a == b;
        self.touches.iter().all(|one| {
            other
                .touches
                .iter()
                .all(|two| !(one.writes || two.writes) || !meet(&one.table, &two.table) || !meet(&one.key, &two.key))
        })
    }
}

/// Hashes a row with times relative to now: programs that never read times cannot observe more. For statements that do
/// (`NOW()`, selected time columns), the caller must hash the time of day too.
fn hash_row(row: &Row, now_ms: u64, state: &mut impl Hasher) {
    row.len().hash(state);
    for cell in row.iter() {
        std::mem::discriminant(cell).hash(state);
        match cell {
            Cell::DateTime { micros, digits } => {
                let now_micros = i64::try_from(now_ms).unwrap_or(i64::MAX).saturating_mul(1_000);
                (micros.saturating_sub(now_micros), digits).hash(state);
            }
            other => other.hash(state),
        }
    }
}

fn hash_change(change: Option<&Option<Row>>, now_ms: u64, state: &mut impl Hasher) {
    change.map(Option::is_some).hash(state);
    if let Some(Some(row)) = change {
        hash_row(row, now_ms, state);
    }
}

impl Connection {
    /// Hashes the canonical state of a connection, with times relative to now, including the progress of its statement.
    fn hash_state(&self, now_ms: u64, state: &mut impl Hasher) {
        match &self.activity {
            Activity::Idle => 0u8.hash(state),
            Activity::Queued { .. } => 1u8.hash(state),
            Activity::AtWork { until_ms } => (2u8, until_ms.saturating_sub(now_ms)).hash(state),
            Activity::Waiting { until_ms, .. } => (3u8, until_ms.saturating_sub(now_ms)).hash(state),
        }
        self.statement.hash(state);
        (self.autocommit, self.is_in_transaction, self.lock_wait_ms).hash(state);
        (self.last_insert_id, self.row_count, self.changes).hash(state);
        self.held.hash(state);
        self.waits_for.hash(state);
        self.work.is_some().hash(state);
        if let Some(work) = &self.work {
            let mut work = (**work).clone();
            work.now_ms = now_ms.saturating_sub(work.now_ms);
            work.hash(state);
        }
    }
}

impl Database {
    /// Hashes the canonical state: databases with equal hashes have the same future. Connections are identified by `owner`; their actual
    /// and future numbers are left out (only `CONNECTION_ID()`, `KILL` and `SHOW PROCESSLIST` could observe them), and so is the time of
    /// day (which `NOW()` could observe).
    pub fn hash_canonical<H: Hasher>(&self, now_ms: u64, owner: &dyn Fn(ConnectionId) -> u64, state: &mut H) {
        self.settings.hash(state);
        self.tables.len().hash(state);
        for table in self.tables.values() {
            table.name.hash(state);
            table.columns.hash(state);
            table.indexes.len().hash(state);
            for index in &table.indexes {
                // Index entries are a function of rows and slots.
                (&index.name, index.is_unique, &index.columns).hash(state);
            }
            (table.auto_increment, table.row_number).hash(state);
            table.rows.len().hash(state);
            for (key, row) in table.rows.iter() {
                key.hash(state);
                hash_row(row, now_ms, state);
            }
        }
        self.slots.len().hash(state);
        for (name, slot) in self.slots.iter() {
            name.hash(state);
            hash_change(slot.change.as_ref(), now_ms, state);
            slot.requests.len().hash(state);
            for request in &slot.requests {
                (owner(request.owner), request.is_exclusive, request.is_granted).hash(state);
            }
        }
        let mut owners: SortedMap<u64, &Connection> = SortedMap::new();
        for (id, connection) in self.connections.iter() {
            owners.insert(owner(*id), connection);
        }
        owners.len().hash(state);
        for (name, connection) in owners.iter() {
            name.hash(state);
            connection.hash_state(now_ms, state);
        }
        self.queue.len().hash(state);
        self.queue.iter().for_each(|queued| (owner(queued.id), queued.service_ms).hash(state));
        for list in [&self.at_work, &self.waiting] {
            list.len().hash(state);
            list.iter().for_each(|id| owner(*id).hash(state));
        }
    }

    /// Hashes the canonical state of one connection: its transaction with its changes, its locks, its settings, and its lock wait.
    pub fn hash_connection<H: Hasher>(&self, now_ms: u64, id: ConnectionId, state: &mut H) {
        let connection = self.connections.get(&id);
        connection.is_some().hash(state);
        let Some(connection) = connection else { return };
        connection.hash_state(now_ms, state);
        for name in &connection.held {
            let slot = self.slots.get(name);
            let is_writer = slot.is_some_and(|slot| slot.writer() == Some(id));
            is_writer.hash(state);
            if let Some(slot) = slot.filter(|_| is_writer) {
                hash_change(slot.change.as_ref(), now_ms, state);
            }
        }
    }

    /// The rows and tables that a statement would read and write. Conservative: anything except a lookup by a complete primary key touches
    /// its whole table. The whole database is touched by statements about transactions, the schema and sessions, by unparsable ones, by
    /// writes in a multi-statement transaction, and by all statements if the number of workers is limited.
    pub fn footprint(&self, id: ConnectionId, statement: &[u8]) -> Footprint {
        let Ok(mut statement) = parse(statement) else { return Footprint::everything() };
        if self.settings.workers > 0 {
            return Footprint::everything();
        }
        let connection = i64::try_from(id.0).unwrap_or(i64::MAX);
        let touch =
            |table: &Bytes, key, writes| Footprint { touches: vec![Touch { table: Some(table.clone()), key, writes }] };
        match &mut statement {
            Statement::Select { table: None, .. } => Footprint { touches: Vec::new() },
            Statement::Select { table: Some(table), filter, lock, .. } => {
                let key = self.tables.get(table).and_then(|of| point(of, filter, connection));
                touch(table, key, lock.is_some())
            }
            Statement::Update { table, filter, set } => {
                let of = self.tables.get(table).filter(|of| of.indexes.len() == 1);
                let moves = |of: &Table| {
                    set.iter().any(|(name, _)| {
                        let at = crate::eval::position(of, name);
                        of.indexes.first().is_some_and(|index| at.is_none_or(|at| index.columns.contains(&at)))
                    })
                };
                touch(table, of.filter(|of| !moves(of)).and_then(|of| point(of, filter, connection)), true)
            }
            Statement::Delete { table, filter } => {
                let of = self.tables.get(table).filter(|of| of.indexes.len() == 1);
                touch(table, of.and_then(|of| point(of, filter, connection)), true)
            }
            Statement::Insert { table, columns, rows, on_duplicate } => {
                let of = self.tables.get(table).filter(|of| of.indexes.len() == 1 && of.auto_increment().is_none());
                let key = match (of, rows.as_slice(), &on_duplicate) {
                    (Some(of), [row], OnDuplicate::Fail | OnDuplicate::Ignore) => {
                        inserted_key(of, columns.as_deref(), row)
                    }
                    _ => None,
                };
                touch(table, key, true)
            }
            _ => Footprint::everything(),
        }
    }
}

/// The primary key that a condition requires.
fn point(table: &Table, filter: &mut Filter, connection: i64) -> Option<Bytes> {
    let condition = filter.condition.as_mut()?;
    resolve(condition, Some(table), "where clause").ok()?;
    let scope = Scope { table: Some(table), connection, ..Scope::default() };
    let path = path(table, Some(condition), &scope).ok().filter(|path| path.index == 0 && path.is_point)?;
    path.ranges.into_iter().next().map(|(low, _)| low)
}

/// The primary key of a row that consists of literals.
fn inserted_key(table: &Table, columns: Option<&[Bytes]>, row: &[Expr]) -> Option<Bytes> {
    let mut cells = vec![Cell::Null; table.columns.len()];
    for (at, expr) in row.iter().enumerate() {
        let index = match columns {
            Some(names) => crate::eval::position(table, names.get(at)?)?,
            None => at,
        };
        let column = table.columns.get(index)?;
        let is_key = table.indexes.first()?.columns.contains(&index);
        if is_key {
            let literal = (expr.op == crate::sql::ast::Op::Literal).then_some(&expr.cell)?;
            *cells.get_mut(index)? = crate::value::store(column, literal, 1).ok()?;
        }
    }
    let named = table.indexes.first()?.columns.iter().all(|at| cells.get(*at).is_some_and(|cell| *cell != Cell::Null));
    named.then(|| table.key(&cells))
}
