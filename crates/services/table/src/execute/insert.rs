//! `INSERT` and `REPLACE`.
use super::change::{assigned, assignments, count};
use super::{Execution, missing_table};
use crate::answer::{Answer, Cell, Done, Failure, Info, Row};
use crate::error::{join, lossy};
use crate::eval::{column, now, resolve};
use crate::locks::slot_name;
use crate::schema::{Column, Default, Table};
use crate::server::Database;
use crate::sql::ast::{Expr, OnDuplicate, Op};
use crate::transaction::{Stop, Work, duplicate_entry};
use crate::value::store;
use bytes::Bytes;
use std::rc::Rc;

/// The value of a column that the statement does not name.
///
/// # Errors
/// 1364 if the column has no default.
pub(super) fn default(column: &Column, now_ms: u64) -> Result<Cell, Box<Failure>> {
    match &column.default {
        Default::Value(cell) => Ok(cell.clone()),
        Default::Now => Ok(match column.kind {
            crate::schema::Kind::DateTime(digits) => now(now_ms, digits),
            _ => now(now_ms, 0),
        }),
        Default::None if column.is_nullable || column.is_auto_increment => Ok(Cell::Null),
        Default::None => Err(Failure::new(
            1364,
            b"HY000",
            join(&["Field '", &lossy(&column.name), "' doesn't have a default value"]),
        )),
    }
}

/// The parts of an `INSERT`.
pub(super) struct Insert<'a> {
    pub(super) table: &'a Bytes,
    pub(super) columns: Option<&'a Vec<Bytes>>,
    pub(super) rows: &'a mut Vec<Vec<Expr>>,
    pub(super) on_duplicate: &'a mut OnDuplicate,
}

impl Execution {
    pub(super) fn insert(&self, db: &mut Database, insert: Insert, work: &mut Work) -> Result<Answer, Stop> {
        let Insert { table: name, columns, rows, on_duplicate } = insert;
        let table = db.tables.get(name).cloned().ok_or_else(|| missing_table(name))?;
        let columns: Vec<usize> = match columns {
            Some(names) => names.iter().map(|name| column(&table, name, "field list")).collect::<Result<_, _>>()?,
            None => (0..table.columns.len()).collect(),
        };
        for (at, index) in columns.iter().enumerate() {
            if columns.get(..at).is_some_and(|before| before.contains(index)) {
                let name = table.columns.get(*index).map(|column| lossy(&column.name)).unwrap_or_default();
                return Err(Failure::new(1110, b"42000", join(&["Column '", &name, "' specified twice"])).into());
            }
        }
        for (line, row) in rows.iter_mut().enumerate() {
            // `()` is a row of defaults if no columns are named.
            let is_default = row.is_empty() && (columns.is_empty() || columns.len() == table.columns.len());
            if row.len() != columns.len() && !is_default {
                let line = (line + 1).to_string();
                let message = join(&["Column count doesn't match value count at row ", &line]);
                return Err(Failure::new(1136, b"21S01", message).into());
            }
            for expr in row {
                resolve(expr, Some(&table), "field list")?;
            }
        }
        let updated = match on_duplicate {
            OnDuplicate::Update(set) => assignments(set, &table)?,
            _ => Vec::new(),
        };
        while let Some(values) = rows.get(work.next) {
            let row = match work.row.clone() {
                Some(row) => row,
                None => self.new_row(db, name, &columns, values, rows.len(), work)?,
            };
            work.row = Some(row.clone());
            let table = db.tables.get(name).cloned().ok_or_else(|| missing_table(name))?;
            self.insert_row(db, &table, &row, on_duplicate, &updated, work)?;
            work.row = None;
            work.next += 1;
        }
        let records = count(rows.len());
        let info = if records > 1 { Info::Inserted { records, duplicates: work.duplicates } } else { Info::None };
        let last_insert_id = if work.generated > 0 { work.generated } else { work.given };
        if let (true, Some(connection)) = (work.generated > 0, db.connections.get_mut(&self.id)) {
            connection.last_insert_id = work.generated;
        }
        let last_insert_id = last_insert_id.max(0).unsigned_abs();
        Ok(Answer::Done(Done { affected: work.affected, last_insert_id, warnings: work.warnings, info }))
    }

    fn insert_row(
        &self,
        db: &mut Database,
        table: &Rc<Table>,
        row: &Row,
        on_duplicate: &OnDuplicate,
        updated: &[usize],
        work: &mut Work,
    ) -> Result<(), Stop> {
        let before = work.implied.len();
        let changes = matches!(on_duplicate, OnDuplicate::Replace | OnDuplicate::Update(_));
        let Some(duplicate) = db.write(self.id, table, None, Some(row), changes, work)? else {
            work.affected += 1;
            return Ok(());
        };
        match on_duplicate {
            OnDuplicate::Fail => return Err(duplicate_entry(table, duplicate.index, row).into()),
            OnDuplicate::Ignore => {
                db.unlock_implied(self.id, before, work);
                work.duplicates += 1;
                work.warnings += 1;
            }
            OnDuplicate::Replace | OnDuplicate::Update(_) => {
                db.unlock_implied(self.id, before, work);
                db.lock(self.id, &slot_name(&table.name, 0, &duplicate.key), true)?;
                let Some(old) = db.view(self.id, table, &duplicate.key) else { return Ok(()) };
                let found = (duplicate.key, old);
                let OnDuplicate::Update(set) = on_duplicate else {
                    // Delete the duplicate row; there may be another one.
                    db.write(self.id, table, Some(&found), None, false, work)?;
                    work.affected += 1;
                    work.duplicates += 1;
                    let table = db.tables.get(&table.name).cloned().ok_or_else(|| missing_table(&table.name))?;
                    return self.insert_row(db, &table, row, on_duplicate, updated, work);
                };
                let mut scope = self.scope(db, Some(table), work);
                scope.values = row;
                let new = assigned(set, updated, &scope, table, &found.1, work.next + 1)?;
                if new != found.1 {
                    if let Some(other) = db.write(self.id, table, Some(&found), Some(&new), false, work)? {
                        return Err(duplicate_entry(table, other.index, &new).into());
                    }
                    work.affected += 2;
                }
                work.duplicates += 1;
            }
        }
        Ok(())
    }

    fn new_row(
        &self,
        db: &mut Database,
        name: &Bytes,
        columns: &[usize],
        values: &[Expr],
        lines: usize,
        work: &mut Work,
    ) -> Result<Row, Box<Failure>> {
        let table = db.tables.get(name).cloned().ok_or_else(|| missing_table(name))?;
        let scope = self.scope(db, Some(&table), work);
        let given = |index: usize| columns.iter().position(|column| *column == index).and_then(|at| values.get(at));
        let mut cells = vec![Cell::Null; table.columns.len()];
        for (index, column) in table.columns.iter().enumerate() {
            if given(index).is_none()
                && let Some(cell) = cells.get_mut(index)
            {
                *cell = default(column, work.now_ms)?;
            }
        }
        for (index, column) in table.columns.iter().enumerate() {
            let value = match given(index) {
                Some(expr) if expr.op == Op::Default => default(column, work.now_ms)?,
                Some(expr) => scope.eval(expr, &cells)?,
                None => continue,
            };
            let value = match value {
                Cell::Null if column.is_auto_increment => Cell::Null,
                value => store(column, &value, work.next + 1)?,
            };
            if let Some(cell) = cells.get_mut(index) {
                *cell = value;
            }
        }
        let Some(stored) = db.tables.get_mut(name) else { return Err(missing_table(name)) };
        let stored = Rc::make_mut(stored);
        if let Some((index, column)) = table.columns.iter().enumerate().find(|(_, column)| column.is_auto_increment)
            && let Some(cell) = cells.get_mut(index)
        {
            match *cell {
                Cell::Null | Cell::Integer(0) => {
                    if work.reserved.0 >= work.reserved.1 {
                        // Reserve one number for each remaining row.
                        let lines = i64::try_from(lines.saturating_sub(work.next)).unwrap_or(1);
                        work.reserved = (stored.auto_increment, stored.auto_increment.saturating_add(lines));
                        stored.auto_increment = work.reserved.1;
                    }
                    let number = work.reserved.0;
                    if number > column.kind.range().1 || number == i64::MAX {
                        return Err(Failure::new(
                            1467,
                            b"HY000",
                            "Failed to read auto-increment value from storage engine",
                        ));
                    }
                    work.reserved.0 += 1;
                    *cell = Cell::Integer(number);
                    if work.generated == 0 {
                        work.generated = number;
                    }
                }
                Cell::Integer(number) => {
                    let behind = number.saturating_add(1);
                    stored.auto_increment = stored.auto_increment.max(behind);
                    work.reserved.0 = work.reserved.0.max(behind);
                    work.given = number;
                }
                _ => {}
            }
        }
        if table.has_hidden_key() {
            cells.push(Cell::Integer(stored.row_number));
            stored.row_number = stored.row_number.saturating_add(1);
        }
        Ok(cells.into())
    }
}
