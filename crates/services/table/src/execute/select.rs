//! `SELECT`.
use super::collect::{Purpose, Search, too_large};
use super::{Execution, missing_table};
use crate::answer::{Answer, Cell, Heading, Rows};
use crate::eval::{is_aggregate, is_nullable, is_numeric, resolve};
use crate::server::Database;
use crate::sql::ast::{Expr, Filter, Item, Op, Wait};
use crate::transaction::{Stop, Work};
use bytes::Bytes;

/// Maximum bytes and rows of one answer.
const ANSWER_BYTES_MAX: usize = 8 << 20;

/// The parts of a `SELECT`.
pub(super) struct Select<'a> {
    pub(super) items: &'a mut Vec<Item>,
    pub(super) table: Option<&'a Bytes>,
    pub(super) filter: &'a mut Filter,
    pub(super) lock: Option<(bool, Wait)>,
}

impl Execution {
    pub(super) fn select(&self, db: &mut Database, select: Select, work: &mut Work) -> Result<Answer, Stop> {
        let Select { items, table, filter, lock } = select;
        let table = match table {
            Some(name) => Some(db.tables.get(name).cloned().ok_or_else(|| missing_table(name))?),
            None => None,
        };
        let table_ref = table.as_deref();
        let mut scope = self.scope(db, table_ref, work);
        let mut outputs: Vec<(Expr, Bytes)> = Vec::new();
        for item in items.drain(..) {
            match (item, table_ref) {
                (Some(item), _) => outputs.push(item),
                (None, Some(table)) => outputs.extend(
                    table
                        .columns
                        .iter()
                        .map(|column| (Expr::leaf(Op::Column, Cell::Text(column.name.clone())), column.name.clone())),
                ),
                (None, None) => return Err(crate::answer::Failure::new(1096, b"HY000", "No tables used").into()),
            }
        }
        for (expr, _) in &mut outputs {
            resolve(expr, table_ref, "field list")?;
        }
        for (expr, _) in &mut filter.order {
            self.rename(expr, &outputs);
        }
        let aggregates = outputs.iter().any(|(expr, _)| expr.any(is_aggregate));
        if let Some(table) = &table {
            let purpose = lock.map_or(Purpose::Read, |(is_exclusive, wait)| Purpose::Lock(is_exclusive, wait));
            let search = Search { id: self.id, table, scope, purpose };
            search.collect(db, filter, aggregates, work)?;
        }
        let columns = outputs.iter().map(|(expr, name)| Heading {
            name: name.clone(),
            is_numeric: is_numeric(expr, table_ref),
            is_nullable: is_nullable(expr, table_ref),
        });
        let columns = columns.collect();
        let mut rows = Vec::new();
        let mut bytes = 0usize;
        let lines = if aggregates || table.is_none() { usize::from(filter.limit != Some(0)) } else { work.found.len() };
        let found = std::mem::take(&mut work.found);
        scope.group = &found;
        let nothing: &[Cell] = &[];
        for line in 0..lines {
            let row = found.get(line).map_or(nothing, |(_, row)| row);
            let mut cells = Vec::with_capacity(outputs.len());
            for (expr, _) in &outputs {
                let cell = scope.eval(expr, row)?.shown();
                bytes = bytes.saturating_add(if let Cell::Text(text) = &cell { text.len() } else { 8 });
                cells.push(cell);
            }
            if bytes > ANSWER_BYTES_MAX {
                return Err(too_large().into());
            }
            rows.push(cells);
        }
        if let Some((expr, _)) = outputs.iter().find(|(expr, _)| expr.op == Op::LastInsertId && !expr.args.is_empty()) {
            let cell = scope.eval(expr, &[])?;
            if let (Cell::Integer(number), Some(connection)) = (cell, db.connections.get_mut(&self.id)) {
                connection.last_insert_id = number;
            }
        }
        Ok(Answer::Rows(Rows { columns, rows }))
    }

    /// Replaces references in `ORDER BY` to an item's alias or position by the item.
    fn rename(&self, expr: &mut Expr, items: &[(Expr, Bytes)]) {
        let item = match (&expr.cell, expr.op) {
            (Cell::Integer(place), Op::Literal) => {
                usize::try_from(*place).ok().and_then(|place| place.checked_sub(1)).and_then(|place| items.get(place))
            }
            (Cell::Text(name), Op::Column) if expr.args.is_empty() => {
                items.iter().find(|(_, other)| other.eq_ignore_ascii_case(name))
            }
            _ => None,
        };
        if let Some((item, _)) = item {
            *expr = item.clone();
        }
    }
}
