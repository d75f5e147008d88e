//! Locks on index records, and the wait-for graph.
//!
//! Each locked or changed record has a slot with its requests in the order of arrival. A request waits if it conflicts with an earlier
//! request, granted or not. Waiting requests are granted in this order (like InnoDB before MySQL 8.0.20; later versions prefer the
//! transaction that blocks most others).
//!
//! The name of a slot is `table 0 index entry`, where the index is one byte. In a unique index the entry excludes the primary key,
//! so a value keeps its slot name when it is deleted and inserted again: in InnoDB, locks on the gap of the deleted record have the same
//! effect. The index 0xff represents the table itself (MySQL's metadata lock).
use crate::answer::Row;
use crate::output::{ConnectionId, LockName};
use crate::schema::Table;
use crate::server::Database;
use bytes::Bytes;

/// The index number in the name of a whole-table slot.
pub(crate) const WHOLE_TABLE: u8 = 0xff;

/// A request for a lock.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Request {
    pub(crate) owner: ConnectionId,
    pub(crate) is_exclusive: bool,
    pub(crate) is_granted: bool,
    /// Implicit lock of a change: InnoDB stores no lock record for it, so it has no weight in deadlock detection.
    pub(crate) is_implied: bool,
}

/// The locks and the uncommitted version of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Slot {
    pub(crate) requests: Vec<Request>,
    /// The uncommitted version by the owner of the exclusive lock: `Some(None)` means deleted.
    pub(crate) change: Option<Option<Row>>,
}

impl Slot {
    pub(crate) fn writer(&self) -> Option<ConnectionId> {
        self.requests.iter().find(|request| request.is_exclusive && request.is_granted).map(|request| request.owner)
    }
}

/// The result of a lock request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taken {
    /// The lock was already held.
    Before,
    /// The lock was granted.
    Now,
    /// Other requests conflict; nothing was changed.
    Busy,
}

pub(crate) fn slot_name(table: &[u8], index: u8, entry: &[u8]) -> Bytes {
    let mut name = Vec::with_capacity(table.len().saturating_add(entry.len()).saturating_add(2));
    name.extend_from_slice(table);
    name.extend([0, index]);
    name.extend_from_slice(entry);
    name.into()
}

/// Splits a slot name into table, index and entry.
pub(crate) fn split_name(name: &[u8]) -> Option<(&[u8], u8, &[u8])> {
    let end = name.iter().position(|byte| *byte == 0)?;
    let (table, rest) = name.split_at_checked(end)?;
    match rest {
        [_, index, entry @ ..] => Some((table, *index, entry)),
        _ => None,
    }
}

impl Database {
    pub(crate) fn try_lock(&mut self, id: ConnectionId, name: &Bytes, is_exclusive: bool) -> Taken {
        let mut slot = self.slots.get(name).cloned().unwrap_or_default();
        let mut others = false;
        for request in &slot.requests {
            if request.owner != id {
                others |= request.is_exclusive || is_exclusive;
            } else if request.is_granted && (request.is_exclusive || !is_exclusive) {
                return Taken::Before;
            }
        }
        if others {
            return Taken::Busy;
        }
        // An upgrade keeps the shared lock, so that the exclusive one can be released alone.
        slot.requests.push(Request { owner: id, is_exclusive, is_granted: true, is_implied: false });
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.held.push(name.clone());
        }
        self.slots.insert(name.clone(), slot);
        Taken::Now
    }

    /// Marks the latest lock of a connection in a slot as implicit.
    pub(crate) fn imply(&mut self, id: ConnectionId, name: &Bytes) {
        let requests = self.slots.get_mut(name).map(|slot| slot.requests.iter_mut());
        if let Some(request) = requests.and_then(|mut requests| requests.rfind(|request| request.owner == id)) {
            request.is_implied = true;
        }
    }

    /// Appends a waiting request to a slot.
    pub(crate) fn enqueue(&mut self, id: ConnectionId, name: &Bytes, is_exclusive: bool) {
        let mut slot = self.slots.get(name).cloned().unwrap_or_default();
        slot.requests.push(Request { owner: id, is_exclusive, is_granted: false, is_implied: false });
        self.slots.insert(name.clone(), slot);
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.waits_for = Some(name.clone());
        }
        self.waiting.push(id);
    }

    /// Removes the requests of a connection for which `goes` holds from a slot, and grants the requests that are no longer blocked.
    pub(crate) fn release(&mut self, id: ConnectionId, name: &Bytes, goes: impl Fn(&Request) -> bool) {
        let Some(slot) = self.slots.get_mut(name) else { return };
        slot.requests.retain(|request| request.owner != id || !goes(request));
        let mut lucky = Vec::new();
        let mut at = 0;
        while let Some(request) = slot.requests.get(at) {
            let is_free = slot.requests.iter().enumerate().all(|(place, other)| {
                other.owner == request.owner
                    || !(other.is_exclusive || request.is_exclusive)
                    || (place > at && !other.is_granted)
            });
            if !request.is_granted && is_free {
                lucky.push(request.owner);
                if let Some(request) = slot.requests.get_mut(at) {
                    request.is_granted = true;
                }
            }
            at += 1;
        }
        if slot.requests.is_empty() && slot.change.is_none() {
            self.slots.remove(name);
        }
        for owner in lucky {
            self.waiting.retain(|other| *other != owner);
            if let Some(connection) = self.connections.get_mut(&owner) {
                connection.waits_for = None;
                connection.held.push(name.clone());
            }
            self.ready.push(owner);
        }
    }

    /// Releases a lock before the end of the transaction.
    pub(crate) fn unlock(&mut self, id: ConnectionId, name: &Bytes, is_exclusive: bool) {
        if let Some(connection) = self.connections.get_mut(&id)
            && let Some(at) = connection.held.iter().rposition(|held| held == name)
        {
            connection.held.remove(at);
        }
        self.release(id, name, |request| request.is_granted && request.is_exclusive == is_exclusive);
    }

    /// The connections that block a waiting one.
    pub(crate) fn blockers(&self, id: ConnectionId) -> Vec<ConnectionId> {
        let mut found = Vec::new();
        let name = self.connections.get(&id).and_then(|connection| connection.waits_for.as_ref());
        let Some(slot) = name.and_then(|name| self.slots.get(name)) else { return found };
        let Some(own) = slot.requests.iter().position(|request| request.owner == id && !request.is_granted) else {
            return found;
        };
        let is_exclusive = slot.requests.get(own).is_some_and(|request| request.is_exclusive);
        for (place, request) in slot.requests.iter().enumerate() {
            let is_ahead = place < own || request.is_granted;
            if is_ahead
                && request.owner != id
                && (request.is_exclusive || is_exclusive)
                && !found.contains(&request.owner)
            {
                found.push(request.owner);
            }
        }
        found
    }

    /// The connections of a wait cycle through `start`.
    fn circle(&self, start: ConnectionId) -> Option<Vec<ConnectionId>> {
        let mut path = vec![(start, self.blockers(start))];
        let mut seen = vec![start];
        while let Some((_, ahead)) = path.last_mut() {
            match ahead.pop() {
                None => {
                    path.pop();
                }
                Some(next) if next == start => return Some(path.iter().map(|(id, _)| *id).collect()),
                Some(next) if !seen.contains(&next) => {
                    seen.push(next);
                    path.push((next, self.blockers(next)));
                }
                Some(_) => {}
            }
        }
        None
    }

    /// The deadlock victim if the wait of `start` closes a cycle: the connection with the least weight; with equal weights
    /// preferably `start`. Source: `Deadlock::report` of MariaDB 10.11, and the real server.
    pub(crate) fn victim(&self, start: ConnectionId) -> Option<ConnectionId> {
        let circle = self.circle(start)?;
        let mut victim = start;
        for id in circle {
            if self.weight(id) < self.weight(victim) {
                victim = id;
            }
        }
        Some(victim)
    }

    /// The cost of rolling a transaction back: its changes plus its kinds of locks on each index (InnoDB counts pages with
    /// locks; a small table has one page).
    fn weight(&self, id: ConnectionId) -> usize {
        let Some(connection) = self.connections.get(&id) else { return 0 };
        let mut kinds: Vec<(&[u8], u8, bool)> = Vec::new();
        for name in &connection.held {
            let Some((table, index, _)) = split_name(name) else { continue };
            let Some(slot) = self.slots.get(name) else { continue };
            for request in slot.requests.iter().filter(|request| request.owner == id && !request.is_implied) {
                let kind = (table, index, request.is_exclusive);
                if index != WHOLE_TABLE && !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
        }
        connection.changes.saturating_add(kinds.len())
    }

    /// The displayed name of a slot.
    pub(crate) fn lock_name(&self, name: &[u8]) -> LockName {
        let (table_name, index, entry) = split_name(name).unwrap_or((name, WHOLE_TABLE, &[]));
        let table = self.tables.get(table_name);
        let index_of = table.and_then(|table| table.indexes.get(usize::from(index)));
        LockName {
            table: Bytes::copy_from_slice(table_name),
            index: index_of.map(|index| index.name.clone()),
            key: match (table, index_of) {
                (Some(table), Some(_)) => self.printed_entry(table, usize::from(index), entry),
                _ => Bytes::new(),
            },
        }
    }

    /// An index entry as shown in messages, with the spelling of its row if the row exists.
    fn printed_entry(&self, table: &Table, index: usize, entry: &[u8]) -> Bytes {
        let of_row = |key: &[u8]| {
            let change =
                self.slots.get(&*slot_name(&table.name, 0, key)).and_then(|slot| slot.change.clone().flatten());
            let rows = [table.rows.get(key).cloned(), change];
            rows.into_iter().flatten().find(|row| index == 0 || table.entry(index, row).starts_with(entry))
        };
        let row = if index == 0 {
            of_row(entry)
        } else {
            table.entries_with(index, entry).find_map(|(_, full)| of_row(table.primary_of(index, full)))
        };
        match row {
            Some(row) => table.printed(index, &row),
            None => table.decoded(index, entry),
        }
    }
}
