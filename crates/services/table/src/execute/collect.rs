//! Finds the rows for a statement and locks them like InnoDB under `READ COMMITTED`: the lock of a row that does not match is released
//! again, unless the statement had to wait for it. A scanning `UPDATE` reads the committed version of a locked row, and
//! waits only if that version matches ("semi-consistent read"); all other statements wait for each row that they visit.
use super::path::{Path, path};
use crate::answer::{Cell, Failure, Row};
use crate::eval::{Scope, resolve};
use crate::locks::{Taken, slot_name};
use crate::output::ConnectionId;
use crate::schema::Table;
use crate::server::Database;
use crate::sql::ast::{Expr, Filter, Op, Wait};
use crate::transaction::{Stop, Work};
use bytes::Bytes;
use redis_model::value::Tree;
use std::rc::Rc;

/// The purpose of reading rows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Without locks.
    Read,
    /// With locks: whether they are exclusive, and the wait policy.
    Lock(bool, Wait),
    Update,
    Delete,
}

/// A search for rows: the connection, the table, and the purpose.
pub(super) struct Search<'a> {
    pub(super) id: ConnectionId,
    pub(super) table: &'a Rc<Table>,
    pub(super) scope: Scope<'a>,
    pub(super) purpose: Purpose,
}

/// Most rows that one statement may find.
const FOUND_MAX: usize = 1_000_000;

fn first_from<'a>(tree: &'a Tree<Bytes, Row>, from: &[u8], is_after: bool) -> Option<&'a Bytes> {
    let at = tree.lower_bound(|key| if is_after { **key <= *from } else { **key < *from });
    tree.nth(at).map(|(key, _)| key)
}

/// A row with its sort key.
type Keyed = (Vec<Cell>, (Bytes, Row));

/// Stable merge sort. `is_before(a, b)`: whether `a`, which came first, may stay before `b`. The library's sort has ten times the code
/// size.
fn merge_sort(rows: &mut Vec<Keyed>, is_before: &dyn Fn(&Keyed, &Keyed) -> bool) {
    if rows.len() < 2 {
        return;
    }
    let mut right = rows.split_off(rows.len() / 2);
    merge_sort(rows, is_before);
    merge_sort(&mut right, is_before);
    let left = std::mem::take(rows);
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    loop {
        let next = match (left.peek(), right.peek()) {
            (Some(a), Some(b)) if is_before(a, b) => left.next(),
            (Some(_), None) => left.next(),
            _ => right.next(),
        };
        match next {
            Some(row) => rows.push(row),
            None => return,
        }
    }
}

impl Search<'_> {
    fn next_entry(&self, path: &Path, from: &[u8], is_after: bool) -> Option<Bytes> {
        let table = self.table;
        if path.index > 0 {
            return first_from(&table.indexes.get(path.index)?.entries, from, is_after).cloned();
        }
        let committed = first_from(&table.rows, from, is_after);
        let inserted = first_from(&table.inserted, from, is_after);
        match (committed, inserted) {
            (Some(a), Some(b)) => Some(a.min(b).clone()),
            (a, b) => a.or(b).cloned(),
        }
    }

    fn matches(&self, condition: Option<&Expr>, row: &[Cell]) -> Result<bool, Box<Failure>> {
        match condition {
            Some(condition) => Ok(self.scope.eval(condition, row)?.truth() == Some(true)),
            None => Ok(true),
        }
    }

    /// Fills `work.found` in the order of `filter` and up to its limit (unless `all` is set).
    pub(super) fn collect(
        &self,
        db: &mut Database,
        filter: &mut Filter,
        all: bool,
        work: &mut Work,
    ) -> Result<(), Stop> {
        if work.is_found {
            return Ok(());
        }
        if let Some(condition) = &mut filter.condition {
            resolve(condition, Some(self.table), "where clause")?;
        }
        for (expr, _) in &mut filter.order {
            resolve(expr, Some(self.table), "order clause")?;
        }
        let condition = filter.condition.as_ref();
        let path = path(self.table, condition, &self.scope)?;
        let is_ordered = self.is_ordered(&path, filter);
        let limit = match filter.limit {
            Some(limit) if !all => usize::try_from(limit.saturating_add(filter.offset)).unwrap_or(usize::MAX),
            _ => usize::MAX,
        };
        'search: while let Some((low, high)) = path.ranges.get(work.range) {
            loop {
                if is_ordered && work.found.len() >= limit {
                    break 'search;
                }
                let from = work.position.as_ref().unwrap_or(low);
                let Some(entry) = self.next_entry(&path, from, work.position.is_some()).filter(|entry| entry < high)
                else {
                    break;
                };
                if let Some(found) = self.visit(db, &path, &entry, condition)? {
                    if work.found.len() >= FOUND_MAX {
                        return Err(too_large().into());
                    }
                    work.found.push(found);
                }
                work.position = Some(entry);
            }
            work.position = None;
            work.range += 1;
        }
        if !is_ordered {
            self.sort(filter, work)?;
        }
        work.found.truncate(limit);
        let offset = usize::try_from(if all { 0 } else { filter.offset }).unwrap_or(usize::MAX);
        work.found.drain(..offset.min(work.found.len()));
        work.is_found = true;
        Ok(())
    }

    /// Whether rows already come in the requested order: if none is requested, or if it is that of the primary key.
    fn is_ordered(&self, path: &Path, filter: &Filter) -> bool {
        let columns =
            |index: usize| self.table.indexes.get(index).map(|index| index.columns.as_slice()).unwrap_or_default();
        let mut natural = columns(path.index).to_vec();
        if path.index > 0 {
            natural.extend_from_slice(columns(0));
        }
        let wanted =
            |(expr, is_descending): &(Expr, bool)| (expr.op == Op::Column && !is_descending).then_some(expr.index);
        let wanted: Option<Vec<usize>> = filter.order.iter().map(wanted).collect();
        let behind = if path.ranges.len() <= 1 { natural.get(path.given..).unwrap_or_default() } else { &[] };
        wanted.is_some_and(|wanted| natural.starts_with(&wanted) || behind.starts_with(&wanted))
    }

    fn sort(&self, filter: &Filter, work: &mut Work) -> Result<(), Box<Failure>> {
        let mut keyed = Vec::with_capacity(work.found.len());
        for found in std::mem::take(&mut work.found) {
            let keys = filter.order.iter().map(|(expr, _)| self.scope.eval(expr, &found.1));
            keyed.push((keys.collect::<Result<Vec<Cell>, Box<Failure>>>()?, found));
        }
        merge_sort(&mut keyed, &|(a, _), (b, _)| {
            let pairs = a.iter().zip(b).zip(&filter.order);
            for ((a, b), (_, is_descending)) in pairs {
                // `NULL` sorts first.
                let order = a.compare(b).unwrap_or_else(|| (*a != Cell::Null).cmp(&(*b != Cell::Null)));
                if order.is_ne() {
                    return order.is_lt() != *is_descending;
                }
            }
            true
        });
        work.found = keyed.into_iter().map(|(_, found)| found).collect();
        Ok(())
    }

    /// Visits one entry; returns the row if it matches.
    fn visit(
        &self,
        db: &mut Database,
        path: &Path,
        entry: &Bytes,
        condition: Option<&Expr>,
    ) -> Result<Option<(Bytes, Row)>, Stop> {
        let table = self.table;
        let key = Bytes::copy_from_slice(table.primary_of(path.index, entry));
        let is_of_entry = |row: &Row| path.index == 0 || table.entry(path.index, row) == *entry;
        let row_name = slot_name(&table.name, 0, &key);
        let mut fresh = Vec::new();
        match self.purpose {
            Purpose::Read => {}
            Purpose::Update if path.index == 0 && !path.is_whole => match db.try_lock(self.id, &row_name, true) {
                Taken::Before => {}
                Taken::Now => fresh.push(row_name),
                Taken::Busy => {
                    return match table.rows.get(&key) {
                        Some(row) if self.matches(condition, row)? => Err(Stop::Wait(row_name, true)),
                        _ => Ok(None),
                    };
                }
            },
            Purpose::Lock(..) | Purpose::Update | Purpose::Delete => {
                let (is_exclusive, wait) = match self.purpose {
                    Purpose::Lock(is_exclusive, wait) => (is_exclusive, wait),
                    _ => (true, Wait::Patient),
                };
                let mut names = vec![row_name];
                if path.index > 0 {
                    let is_unique = table.indexes.get(path.index).is_some_and(|index| index.is_unique);
                    let columns = entry.get(..table.columns_bytes(path.index, entry)).unwrap_or_default();
                    // Index ranges exclude `NULL`, so the slot name in a unique index consists of the columns only.
                    let part = if is_unique && path.given > 0 { columns } else { entry };
                    names.insert(0, slot_name(&table.name, u8::try_from(path.index).unwrap_or(u8::MAX), part));
                }
                for name in names {
                    match db.try_lock(self.id, &name, is_exclusive) {
                        Taken::Before => {}
                        Taken::Now => fresh.push(name),
                        Taken::Busy => match wait {
                            Wait::Patient => return Err(Stop::Wait(name, is_exclusive)),
                            Wait::Refuse => return Err(nowait().into()),
                            Wait::Skip => {
                                self.let_go(db, &fresh);
                                return Ok(None);
                            }
                        },
                    }
                }
            }
        }
        let row = db.view(self.id, table, &key).filter(is_of_entry);
        let is_there = row.is_some();
        if let Some(row) = row
            && self.matches(condition, &row)?
        {
            return Ok(Some((key, row)));
        }
        // A row that was looked up by a complete unique key stays locked.
        if !(is_there && path.is_point && matches!(self.purpose, Purpose::Lock(..))) {
            self.let_go(db, &fresh);
        }
        Ok(None)
    }

    fn let_go(&self, db: &mut Database, names: &[Bytes]) {
        for name in names.iter().rev() {
            db.unlock(self.id, name, !matches!(self.purpose, Purpose::Lock(false, _)));
        }
    }
}

fn nowait() -> Box<Failure> {
    Failure::new(
        3572,
        b"HY000",
        "Statement aborted because lock(s) could not be acquired immediately and NOWAIT is set.",
    )
}

pub(super) fn too_large() -> Box<Failure> {
    Failure::new(1105, b"HY000", "The result is larger than this server answers")
}
