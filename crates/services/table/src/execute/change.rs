//! `UPDATE` and `DELETE`: first all rows are found and locked, then they are changed one after another.
use super::collect::{Purpose, Search};
use super::{Execution, missing_table};
use crate::answer::{Answer, Cell, Done, Failure, Info, Row};
use crate::eval::{Scope, column, resolve};
use crate::schema::Table;
use crate::server::Database;
use crate::sql::ast::{Expr, Filter, Op};
use crate::transaction::{Stop, Work, duplicate_entry};
use crate::value::store;
use bytes::Bytes;

/// Resolves the columns in `SET` and in its values.
pub(super) fn assignments(set: &mut [(Bytes, Expr)], table: &Table) -> Result<Vec<usize>, Box<Failure>> {
    let columns = set.iter().map(|(name, _)| column(table, name, "field list")).collect::<Result<_, _>>()?;
    for (_, expr) in set {
        resolve(expr, Some(table), "field list")?;
        if expr.any(crate::eval::is_aggregate) {
            return Err(Failure::new(1111, b"HY000", "Invalid use of group function"));
        }
    }
    Ok(columns)
}

/// The row after all assignments, evaluated in order: later ones see the results of earlier ones.
pub(super) fn assigned(
    set: &[(Bytes, Expr)],
    columns: &[usize],
    scope: &Scope,
    table: &Table,
    row: &[Cell],
    line: usize,
) -> Result<Row, Box<Failure>> {
    let mut cells = row.to_vec();
    for ((_, expr), index) in set.iter().zip(columns) {
        let Some(column) = table.columns.get(*index) else { continue };
        let value = match expr.op {
            Op::Default => super::insert::default(column, scope.now_ms)?,
            _ => scope.eval(expr, &cells)?,
        };
        let value = store(column, &value, line)?;
        if let Some(cell) = cells.get_mut(*index) {
            *cell = value;
        }
    }
    Ok(cells.into())
}

impl Execution {
    pub(super) fn update(
        &self,
        db: &mut Database,
        name: &Bytes,
        set: &mut [(Bytes, Expr)],
        filter: &mut Filter,
        work: &mut Work,
    ) -> Result<Answer, Stop> {
        let table = db.tables.get(name).cloned().ok_or_else(|| missing_table(name))?;
        let scope = self.scope(db, Some(&table), work);
        let columns = assignments(set, &table)?;
        Search { id: self.id, table: &table, scope, purpose: Purpose::Update }.collect(db, filter, false, work)?;
        while let Some((key, row)) = work.found.get(work.next).cloned() {
            let new = assigned(set, &columns, &scope, &table, &row, work.next + 1)?;
            if new != row {
                let fresh = db.tables.get(name).cloned().ok_or_else(|| missing_table(name))?;
                if let Some(duplicate) = db.write(self.id, &fresh, Some(&(key, row)), Some(&new), false, work)? {
                    return Err(duplicate_entry(&table, duplicate.index, &new).into());
                }
                work.changed += 1;
            }
            work.next += 1;
        }
        let info = Info::Updated { matched: count(work.next), changed: work.changed };
        Ok(Answer::Done(Done { affected: work.changed, info, ..Done::default() }))
    }

    pub(super) fn delete(
        &self,
        db: &mut Database,
        name: &Bytes,
        filter: &mut Filter,
        work: &mut Work,
    ) -> Result<Answer, Stop> {
        let table = db.tables.get(name).cloned().ok_or_else(|| missing_table(name))?;
        let scope = self.scope(db, Some(&table), work);
        Search { id: self.id, table: &table, scope, purpose: Purpose::Delete }.collect(db, filter, false, work)?;
        drop(table);
        while let Some(old) = work.found.get(work.next).cloned() {
            let table = db.tables.get(name).cloned().ok_or_else(|| missing_table(name))?;
            db.write(self.id, &table, Some(&old), None, false, work)?;
            work.next += 1;
        }
        Ok(Answer::Done(Done { affected: count(work.next), ..Done::default() }))
    }
}

pub(super) fn count(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}
