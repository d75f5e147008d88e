//! Row changes: visible to their own transaction immediately, to others after the commit.
use crate::answer::{Cell, Failure, Row};
use crate::error::{join, lossy};
use crate::locks::{Taken, slot_name, split_name};
use crate::output::{ConnectionId, Output};
use crate::schema::Table;
use crate::server::Database;
use bytes::Bytes;
use std::rc::Rc;

/// Why the execution of a statement stops.
pub(crate) enum Stop {
    /// The statement failed.
    Failed(Box<Failure>),
    /// The statement needs a lock: the slot's name, and whether the lock must be exclusive.
    Wait(Bytes, bool),
}

impl From<Box<Failure>> for Stop {
    fn from(failure: Box<Failure>) -> Stop {
        Stop::Failed(failure)
    }
}

/// The progress of a statement, which is kept while the statement waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Work {
    /// When the statement began.
    pub(crate) now_ms: u64,
    /// The rows found so far, with their primary keys.
    pub(crate) found: Vec<(Bytes, Row)>,
    /// The index of the current range, and the last entry visited in it.
    pub(crate) range: usize,
    pub(crate) position: Option<Bytes>,
    /// Whether all rows have been found.
    pub(crate) is_found: bool,
    /// Index of the current row to change, or of the current row of an `INSERT`.
    pub(crate) next: usize,
    /// The row that an `INSERT` is about to add.
    pub(crate) row: Option<Row>,
    /// Reserved `AUTO_INCREMENT` numbers: the next one, and the end of the range.
    pub(crate) reserved: (i64, i64),
    /// The first generated number, and the last one assigned explicitly.
    pub(crate) generated: i64,
    pub(crate) given: i64,
    pub(crate) affected: u64,
    pub(crate) changed: u64,
    pub(crate) duplicates: u64,
    pub(crate) warnings: u64,
    /// Undo log: slot names with their previous changes, the latest last.
    pub(crate) undo: Vec<(Bytes, Option<Option<Row>>)>,
    /// Implicit locks of changes, which are released when the changes are undone.
    pub(crate) implied: Vec<Bytes>,
}

/// An existing row with the same value in a unique index.
pub(crate) struct Duplicate {
    pub(crate) index: usize,
    pub(crate) key: Bytes,
}

pub(crate) fn duplicate_entry(table: &Table, index: usize, row: &[Cell]) -> Box<Failure> {
    let name = table.indexes.get(index).map(|index| lossy(&index.name)).unwrap_or_default();
    let printed = lossy(&table.printed(index, row));
    Failure::new(1062, b"23000", join(&["Duplicate entry '", &printed, "' for key '", &name, "'"]))
}

impl Database {
    /// The row as a connection sees it: its own uncommitted version, or the committed one.
    pub(crate) fn view(&self, id: ConnectionId, table: &Table, key: &[u8]) -> Option<Row> {
        match self.slots.get(&*slot_name(&table.name, 0, key)) {
            Some(slot) if slot.change.is_some() && slot.writer() == Some(id) => slot.change.clone().flatten(),
            _ => table.rows.get(key).cloned(),
        }
    }

    pub(crate) fn lock(&mut self, id: ConnectionId, name: &Bytes, is_exclusive: bool) -> Result<Taken, Stop> {
        match self.try_lock(id, name, is_exclusive) {
            Taken::Busy => Err(Stop::Wait(name.clone(), is_exclusive)),
            taken => Ok(taken),
        }
    }

    /// Locks the records that a change touches.
    fn lock_implied(&mut self, id: ConnectionId, name: Bytes, work: &mut Work) -> Result<(), Stop> {
        if self.lock(id, &name, true)? == Taken::Now {
            self.imply(id, &name);
            work.implied.push(name);
        }
        Ok(())
    }

    /// Replaces `old` (`None`: insert) by `new` (`None`: delete); the transaction sees the change immediately. The caller has locked `old`.
    /// The duplicate check takes a lock that is kept: shared, or exclusive if the duplicate row will be changed.
    pub(crate) fn write(
        &mut self,
        id: ConnectionId,
        table: &Rc<Table>,
        old: Option<&(Bytes, Row)>,
        new: Option<&Row>,
        asks_exclusively: bool,
        work: &mut Work,
    ) -> Result<Option<Duplicate>, Stop> {
        let new_key = new.map(|row| table.key(row));
        if let Some(key) = new_key.as_ref().filter(|key| old.is_none_or(|(old, _)| old != *key)) {
            let name = slot_name(&table.name, 0, key);
            if table.rows.contains(key) || table.inserted.contains(key) {
                self.lock(id, &name, asks_exclusively)?;
                if self.view(id, table, key).is_some() {
                    return Ok(Some(Duplicate { index: 0, key: key.clone() }));
                }
            }
            self.lock_implied(id, name, work)?;
        }
        for index in 1..table.indexes.len() {
            let number = u8::try_from(index).unwrap_or(WHOLE);
            let old_entry = old.map(|(_, row)| table.entry(index, row));
            let new_entry = new.map(|row| table.entry(index, row));
            if old_entry == new_entry {
                continue;
            }
            if let Some((_, row)) = old {
                self.lock_implied(id, slot_name(&table.name, number, &table.lock_part(index, row)), work)?;
            }
            let Some(row) = new else { continue };
            let name = slot_name(&table.name, number, &table.lock_part(index, row));
            if let Some(part) = table.unique_part(index, row) {
                for (place, entry) in table.entries_with(index, &part) {
                    if place == 0 {
                        self.lock(id, &name, asks_exclusively)?;
                    }
                    let key = table.primary_of(index, entry);
                    let is_own = old.is_some_and(|(old, _)| **old == *key);
                    if !is_own && self.view(id, table, key).is_some_and(|row| table.entry(index, &row) == *entry) {
                        return Ok(Some(Duplicate { index, key: Bytes::copy_from_slice(key) }));
                    }
                }
            }
            self.lock_implied(id, name, work)?;
        }
        if let Some((key, _)) = old.filter(|(key, _)| new_key.as_ref() != Some(key)) {
            self.change(id, table, key, None, work);
        }
        if let (Some(key), Some(row)) = (new_key, new) {
            self.change(id, table, &key, Some(row.clone()), work);
        }
        Ok(None)
    }

    fn change(&mut self, id: ConnectionId, table: &Table, key: &[u8], row: Option<Row>, work: &mut Work) {
        let name = slot_name(&table.name, 0, key);
        let before = self.slots.get(&name).and_then(|slot| slot.change.clone());
        work.undo.push((name.clone(), before));
        let committed = table.rows.get(key).cloned();
        self.place(&name, committed, Some(row));
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.changes = connection.changes.saturating_add(1);
        }
    }

    /// Sets the committed and the uncommitted version of a row, and updates the indexes.
    pub(crate) fn place(&mut self, name: &Bytes, committed: Option<Row>, change: Option<Option<Row>>) {
        let Some((table, _, key)) = split_name(name) else { return };
        let mut slot = self.slots.get(name).cloned().unwrap_or_default();
        if let Some(table) = self.tables.get_mut(table) {
            let table = Rc::make_mut(table);
            let before = [table.rows.get(key).cloned(), slot.change.clone().flatten()];
            let after = [committed.clone(), change.clone().flatten()];
            for index in 1..table.indexes.len() {
                let entries = |rows: &[Option<Row>]| -> Vec<Bytes> {
                    rows.iter().flatten().map(|row| table.entry(index, row)).collect()
                };
                let (old, new) = (entries(&before), entries(&after));
                let nothing = table.nothing.clone();
                let Some(index) = table.indexes.get_mut(index) else { continue };
                for entry in old.iter().filter(|entry| !new.contains(entry)) {
                    index.entries.remove(entry);
                }
                for entry in new.into_iter().filter(|entry| !old.contains(entry)) {
                    index.entries.insert(entry, nothing.clone());
                }
            }
            if matches!((&committed, &change), (None, Some(Some(_)))) {
                table.inserted.insert(Bytes::copy_from_slice(key), table.nothing.clone());
            } else {
                table.inserted.remove(key);
            }
            match committed {
                Some(row) if before.first() == Some(&Some(row.clone())) => {}
                Some(row) => {
                    table.rows.insert(Bytes::copy_from_slice(key), row);
                }
                None => {
                    table.rows.remove(key);
                }
            }
        }
        slot.change = change;
        if slot.change.is_none() && slot.requests.is_empty() {
            self.slots.remove(name);
        } else {
            self.slots.insert(name.clone(), slot);
        }
    }

    fn committed(&self, name: &[u8]) -> Option<Row> {
        let (table, _, key) = split_name(name)?;
        self.tables.get(table)?.rows.get(key).cloned()
    }

    /// Undoes the changes of a statement. Its locks are kept, except the implicit ones of its changes.
    pub(crate) fn undo(&mut self, id: ConnectionId, work: &mut Work) {
        while let Some((name, change)) = work.undo.pop() {
            if let Some(connection) = self.connections.get_mut(&id) {
                connection.changes = connection.changes.saturating_sub(1);
            }
            let committed = self.committed(&name);
            self.place(&name, committed, change);
        }
        self.unlock_implied(id, 0, work);
    }

    /// Releases the implicit locks from index `from` on.
    pub(crate) fn unlock_implied(&mut self, id: ConnectionId, from: usize, work: &mut Work) {
        while work.implied.len() > from
            && let Some(name) = work.implied.pop()
        {
            self.unlock(id, &name, true);
        }
    }

    /// Ends a transaction: changes are committed or dropped, locks released.
    pub(crate) fn end(&mut self, id: ConnectionId, commits: bool) {
        let Some(connection) = self.connections.get_mut(&id) else { return };
        connection.is_in_transaction = false;
        connection.changes = 0;
        let held = std::mem::take(&mut connection.held);
        for name in &held {
            let Some(slot) = self.slots.get(name) else { continue };
            let Some(change) = slot.change.clone().filter(|_| slot.writer() == Some(id)) else { continue };
            let before = self.committed(name);
            if commits {
                if before != change {
                    let lock = self.lock_name(name);
                    let (table, key) = (lock.table, lock.key);
                    self.outputs.push(Output::RowChanged { table, key, before, after: change.clone(), by: id });
                }
                self.place(name, change, None);
            } else {
                self.place(name, before, None);
            }
        }
        for name in &held {
            self.release(id, name, |_| true);
        }
    }
}

/// The index number of whole-table slots, which no real index has.
const WHOLE: u8 = crate::locks::WHOLE_TABLE;
