//! What a search over schedules asks: hashes of what can still come of a database, and what a statement reads and writes.
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

/// What a statement reads and writes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Footprint {
    /// Reads and writes; empty: nothing that others can see.
    pub touches: Vec<Touch>,
}

/// A part of the database that a statement reads or writes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Touch {
    /// Name of the table; nothing: everything.
    pub table: Option<Bytes>,
    /// Encoded primary key; nothing: all rows of the table.
    pub key: Option<Bytes>,
    /// Written or locked, and not only read.
    pub writes: bool,
}

impl Footprint {
    fn everything() -> Footprint {
        Footprint { touches: vec![Touch { table: None, key: None, writes: true }] }
    }

    /// Neither statement writes what the other reads or writes.
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

/// Points in time count by how far they are from now: a program that never sees one notices nothing else of them. Who does is told by the
/// statements (`NOW()`, columns that are shown), for which the caller has to hash the time of day too.
fn hash_row(row: &Row, now_ms: u64, state: &mut impl Hasher) {
    row.len().hash(state);
    for cell in row.iter() {
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
    /// What can come of it, times relative to now. Of the statement's work all counts but the absolute time.
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
        if let Some(work) = &self.work {
            let mut work = (**work).clone();
            work.now_ms = now_ms.saturating_sub(work.now_ms);
            work.hash(state);
        }
    }
}

impl Database {
    /// Hash of what decides what can still come of it. Connections are named by `owner`; the numbers that they have, and will have, are left
    /// out (so that only `CONNECTION_ID()`, `KILL` and `SHOW PROCESSLIST` can tell databases with equal hashes apart), and so is the time of
    /// day (which `NOW()` tells).
    pub fn hash_canonical<H: Hasher>(&self, now_ms: u64, owner: &dyn Fn(ConnectionId) -> u64, state: &mut H) {
        self.settings.hash(state);
        for table in self.tables.values() {
            table.name.hash(state);
            table.columns.hash(state);
            for index in &table.indexes {
                // Entries follow from rows and slots.
                (&index.name, index.is_unique, &index.columns).hash(state);
            }
            (table.auto_increment, table.row_number).hash(state);
            table.rows.len().hash(state);
            for (key, row) in table.rows.iter() {
                key.hash(state);
                hash_row(row, now_ms, state);
            }
        }
        for (name, slot) in self.slots.iter() {
            name.hash(state);
            hash_change(slot.change.as_ref(), now_ms, state);
            for request in &slot.requests {
                (owner(request.owner), request.is_exclusive, request.is_granted).hash(state);
            }
        }
        let mut owners: SortedMap<u64, &Connection> = SortedMap::new();
        for (id, connection) in self.connections.iter() {
            owners.insert(owner(*id), connection);
        }
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

    /// The same for what one connection has: its transaction with its changes, its locks, its settings, what it waits for.
    pub fn hash_connection<H: Hasher>(&self, now_ms: u64, id: ConnectionId, state: &mut H) {
        let Some(connection) = self.connections.get(&id) else { return };
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

    /// Which rows and tables a statement would read and write. Conservative: anything but a lookup of a whole primary key touches its whole
    /// table; statements about transactions, the schema and sessions touch everything, and so does what cannot be parsed, what runs in a
    /// transaction of several statements and writes, and all where workers are counted.
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

/// The primary key that a condition names.
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
