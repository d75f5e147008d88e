//! Session and administration statements: transactions, settings, `SHOW`, `KILL`.
use super::Execution;
use crate::answer::{Answer, Cell, Done, Failure, Heading, Rows};
use crate::error::{join, lossy};
use crate::output::{Activity, ConnectionId};
use crate::server::Database;
use crate::sql::ast::{Expr, Item, Op, Statement};
use crate::transaction::{Stop, Work};
use bytes::Bytes;

/// Builds result rows. Prefixes of column names: `*` for numeric columns, `!` for other columns without `NULL`.
pub(super) fn rows(columns: &[&'static str], rows: Vec<Vec<Cell>>) -> Answer {
    let heading = |name: &&'static str| Heading {
        name: Bytes::from_static(name.trim_start_matches(['*', '!']).as_bytes()),
        is_numeric: name.starts_with('*'),
        is_nullable: !name.starts_with(['!', '*']),
    };
    Answer::Rows(Rows { columns: columns.iter().map(heading).collect(), rows })
}

pub(super) fn text(text: impl Into<String>) -> Cell {
    Cell::Text(Bytes::from(text.into()))
}

impl Execution {
    pub(super) fn session(
        &self,
        db: &mut Database,
        statement: &mut Statement,
        work: &mut Work,
    ) -> Result<Answer, Stop> {
        let Some(connection) = db.connections.get_mut(&self.id) else { return Ok(Answer::Done(Done::default())) };
        match statement {
            Statement::Begin => {
                db.end(self.id, true);
                if let Some(connection) = db.connections.get_mut(&self.id) {
                    connection.is_in_transaction = true;
                }
            }
            Statement::Commit => db.end(self.id, true),
            Statement::Rollback => db.end(self.id, false),
            Statement::Set(settings) => {
                for (name, value) in settings {
                    self.set(db, name, value, work)?;
                }
            }
            Statement::Kill(expr) => {
                let number = self.scope(db, None, work).eval(expr, &[])?.number().map_or(0, |(units, _)| units);
                let victim = ConnectionId(u64::try_from(number).unwrap_or(0));
                if !db.connections.contains_key(&victim) {
                    let message = join(&["Unknown thread id: ", &number.to_string()]);
                    return Err(Failure::new(1094, b"HY000", message).into());
                }
                db.killed.push(victim);
                if victim == self.id {
                    return Err(Failure::new(1317, b"70100", "Query execution was interrupted").into());
                }
            }
            Statement::Use(name) if !name.eq_ignore_ascii_case(b"lockstep") => {
                let message = join(&["Unknown database '", &lossy(name), "'"]);
                return Err(Failure::new(1049, b"42000", message).into());
            }
            Statement::ShowWarnings => return Ok(rows(&["!Level", "*Code", "!Message"], Vec::new())),
            Statement::ShowProcesslist => {
                let mut lines = Vec::new();
                for (id, connection) in db.connections.iter() {
                    let is_idle = connection.activity == Activity::Idle && *id != self.id;
                    let state = match &connection.activity {
                        Activity::Waiting { .. } => "Waiting for a lock",
                        Activity::Queued { .. } => "Queued",
                        _ if is_idle => "",
                        _ => "executing",
                    };
                    lines.push(vec![
                        Cell::Integer(id.0.cast_signed()),
                        text("root"),
                        text("localhost"),
                        text("lockstep"),
                        text(if is_idle { "Sleep" } else { "Query" }),
                        Cell::Integer(0),
                        text(state),
                        if is_idle { Cell::Null } else { Cell::Text(connection.statement.clone()) },
                    ]);
                }
                let columns = ["*Id", "!User", "!Host", "db", "!Command", "*Time", "State", "Info"];
                return Ok(rows(&columns, lines));
            }
            Statement::ShowTables => {
                let lines = db.tables.keys().map(|name| vec![Cell::Text(name.clone())]).collect();
                return Ok(rows(&["!Tables_in_lockstep"], lines));
            }
            other => {
                let _ = connection;
                return self.define(db, other, work);
            }
        }
        Ok(Answer::Done(Done::default()))
    }

    fn set(&self, db: &mut Database, name: &[u8], value: &Expr, work: &Work) -> Result<(), Box<Failure>> {
        let cell = self.scope(db, None, work).eval(value, &[])?;
        let is = |known: &str| {
            let short = name.strip_prefix(b"@@").unwrap_or(name);
            short.strip_prefix(b"session.").unwrap_or(short).eq_ignore_ascii_case(known.as_bytes())
        };
        let wrong = || {
            let message =
                join(&["Variable '", &lossy(name), "' can't be set to the value of '", &lossy(&cell.to_text()), "'"]);
            Failure::new(1231, b"42000", message)
        };
        let Some(connection) = db.connections.get_mut(&self.id) else { return Ok(()) };
        if is("autocommit") {
            let on = match &cell {
                Cell::Integer(n @ (0 | 1)) => *n == 1,
                Cell::Text(text) if text.eq_ignore_ascii_case(b"on") => true,
                Cell::Text(text) if text.eq_ignore_ascii_case(b"off") => false,
                _ => return Err(wrong()),
            };
            let was = std::mem::replace(&mut connection.autocommit, on);
            if on && !was {
                db.end(self.id, true);
            }
            return Ok(());
        }
        if is("innodb_lock_wait_timeout") {
            let Cell::Integer(seconds) = cell else {
                return Err(Failure::new(
                    1232,
                    b"42000",
                    "Incorrect argument type to variable 'innodb_lock_wait_timeout'",
                ));
            };
            // MySQL clamps the value to 1 … 1,073,741,824 seconds.
            connection.lock_wait_ms = seconds.clamp(1, 1 << 30).unsigned_abs() * 1000;
            return Ok(());
        }
        Err(Failure::new(1193, b"HY000", join(&["Unknown system variable '", &lossy(name), "'"])))
    }

    /// `SELECT GET_LOCK('name', seconds)` and similar functions, which are only allowed as the whole statement.
    pub(super) fn user_lock(
        &self,
        _db: &mut Database,
        items: &[Item],
        _work: &mut Work,
    ) -> Result<Option<Answer>, Stop> {
        let is_lock = |op: Op| matches!(op, Op::GetLock | Op::ReleaseLock | Op::IsFreeLock);
        if items.iter().flatten().any(|(expr, _)| expr.any(is_lock)) {
            return Err(Failure::new(1235, b"42000", "This server does not yet support 'user-level locks'").into());
        }
        Ok(None)
    }
}
