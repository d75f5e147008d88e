//! Executes statements.
mod change;
mod collect;
mod define;
mod insert;
mod path;
mod select;
mod session;

pub(crate) use path::path;

use crate::answer::{Answer, Failure};
use crate::error::{join, lossy};
use crate::eval::Scope;
use crate::locks::{WHOLE_TABLE, slot_name};
use crate::output::ConnectionId;
use crate::schema::Table;
use crate::server::Database;
use crate::sql::ast::Statement;
use crate::transaction::{Stop, Work};

pub(crate) fn missing_table(name: &[u8]) -> Box<Failure> {
    Failure::new(1146, b"42S02", join(&["Table 'lockstep.", &lossy(name), "' doesn't exist"]))
}

/// The execution of a connection's statement.
pub(crate) struct Execution {
    pub(crate) id: ConnectionId,
}

impl Execution {
    fn scope<'a>(&self, db: &Database, table: Option<&'a Table>, work: &Work) -> Scope<'a> {
        let connection = db.connections.get(&self.id);
        Scope {
            now_ms: work.now_ms,
            last_insert_id: connection.map_or(0, |connection| connection.last_insert_id),
            row_count: connection.map_or(0, |connection| connection.row_count),
            connection: i64::try_from(self.id.0).unwrap_or(i64::MAX),
            table,
            ..Scope::default()
        }
    }

    /// Executes a statement, continuing at the progress in `work`.
    ///
    /// # Errors
    /// The statement failed and must be undone, or it waits for a lock.
    pub(crate) fn run(&self, db: &mut Database, statement: &mut Statement, work: &mut Work) -> Result<Answer, Stop> {
        let is_definition = statement.is_definition();
        for table in statement.tables() {
            if db.tables.contains_key(table) || is_definition {
                db.lock(self.id, &slot_name(table, WHOLE_TABLE, &[]), is_definition)?;
            }
        }
        if !statement.tables().is_empty()
            && let Some(connection) = db.connections.get_mut(&self.id)
            && !connection.autocommit
            && !is_definition
        {
            connection.is_in_transaction = true;
        }
        match statement {
            Statement::Select { items, table, filter, lock } => {
                if let Some(answer) = self.user_lock(db, items, work)? {
                    return Ok(answer);
                }
                self.select(db, select::Select { items, table: table.as_ref(), filter, lock: *lock }, work)
            }
            Statement::Insert { table, columns, rows, on_duplicate } => {
                self.insert(db, insert::Insert { table, columns: columns.as_ref(), rows, on_duplicate }, work)
            }
            Statement::Update { table, set, filter } => self.update(db, table, set, filter, work),
            Statement::Delete { table, filter } => self.delete(db, table, filter, work),
            other => self.session(db, other, work),
        }
    }
}
