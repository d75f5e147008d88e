//! A database as a node: its outputs become events.
//!
//! ```text
//!   World::execute ──► Database::handle ──► Output::Answered ──► Reply, also to a program thread that waits for it
//!                                           Output::Waits ─────► RowWait
//!                                           Output::RowChanged ► RowChanged
//! ```
//! The first word of a command to a database is a statement; further words replace the `?` in it.
//!
//! These functions are part of a chunk of the page, so none is inlined.
use std::rc::Rc;

use bytes::Bytes;
use redis_model::{ClientId, CloseReason};
use resp::{Protocol, Value};
use table::{Activity, Answer, Cell, Connection, ConnectionId, Database, Failure, Output, Row, Table};

use super::{Node, NodeIndex};
use crate::network::Owner;
use crate::{ClientIndex, Event, EventKind, World};

impl Node {
    /// Opens a connection to the database; `None` if it takes no more.
    #[inline(never)]
    pub(crate) fn connect_to_table(&mut self, clock_ms: u64) -> Option<ClientId> {
        Rc::make_mut(self.table_mut()?).connect(clock_ms).ok().map(|connection| connection.0)
    }
}

impl World {
    /// Runs what is due at a database by its clock.
    #[inline(never)]
    pub(crate) fn advance_table(&mut self, node: NodeIndex, clock_ms: u64, events: &mut Vec<Event>) {
        self.on_table(node, events, |database| database.advance(clock_ms));
    }

    /// Lets a database execute a statement with its parameters.
    #[inline(never)]
    pub(crate) fn query(&mut self, node: NodeIndex, connection: ClientId, argv: Vec<Bytes>, events: &mut Vec<Event>) {
        let id = ConnectionId(connection);
        let clock_ms = self.clock_ms(node);
        match bound(&argv) {
            Some(statement) => self.on_table(node, events, |database| database.handle(clock_ms, id, &statement)),
            None => self.on_table(node, events, |_| {
                let answer = Answer::Failed(wrong_parameters());
                vec![Output::Answered { connection: id, answer }]
            }),
        }
    }

    /// The number in a committed row of the first database; 0 if there is none.
    #[inline(never)]
    pub(crate) fn cell(&self, table: &[u8], key: &[u8], column: &[u8]) -> i64 {
        let is_it = |name: &Bytes, wanted: &[u8]| name.eq_ignore_ascii_case(wanted);
        let found = self.nodes.iter().find_map(|node| node.table()).and_then(|database| {
            let table = database.tables().find(|found| is_it(found.name(), table))?;
            let place = table.columns().iter().position(|found| is_it(&found.name, column))?;
            table.rows().find(|row| printed_key(table, row) == key)?.get(place).cloned()
        });
        match found {
            Some(Cell::Integer(number)) => number,
            Some(cell @ (Cell::Text(_) | Cell::Decimal { .. })) => crate::property::formula::number(&cell.to_text()),
            Some(Cell::Null | Cell::DateTime { .. }) | None => 0,
        }
    }

    /// Closes a connection to a database: its open transaction is rolled back.
    #[inline(never)]
    pub(crate) fn disconnect_from_table(&mut self, node: NodeIndex, connection: ClientId, events: &mut Vec<Event>) {
        let clock_ms = self.clock_ms(node);
        self.on_table(node, events, |database| database.disconnect(clock_ms, ConnectionId(connection)));
    }

    fn on_table(&mut self, node: NodeIndex, events: &mut Vec<Event>, act: impl FnOnce(&mut Database) -> Vec<Output>) {
        let Some(found) = self.nodes.get_mut(node.0).filter(|found| found.is_up) else { return };
        let Some(database) = found.table_mut() else { return };
        let mut outputs = act(Rc::make_mut(database));
        if self.traffic.is_some() {
            outputs = self.pass_rows_to_traffic(node, outputs);
        }
        self.take_table_outputs(node, outputs, events);
    }

    /// Turns a database's outputs into events.
    pub(crate) fn take_table_outputs(&mut self, node: NodeIndex, outputs: Vec<Output>, events: &mut Vec<Event>) {
        for output in outputs {
            let mut lost = Vec::new();
            if let Output::Closed { connection } = output {
                self.hear_out(node, connection.0, events);
            }
            if let Some(kind) = self.event_of_table(node, output, &mut lost) {
                self.emit(events, Some(node), kind);
            }
            events.append(&mut lost);
        }
    }

    fn event_of_table(&mut self, node: NodeIndex, output: Output, lost: &mut Vec<Event>) -> Option<EventKind> {
        let owner = |id: ConnectionId| self.owners.get(&(node, id.0)).copied();
        Some(match output {
            Output::Answered { connection, answer } => {
                let (value, owner) = (answer.to_value(), owner(connection)?);
                if self.is_kept_back(node, owner) {
                    self.keep_for(node, owner, value.clone());
                    return Some(EventKind::Held { client: owner.client(), value });
                }
                self.answer_connection(node, owner, value, Protocol::Resp3, lost)?
            }
            Output::Waits { connection, lock, holders } => EventKind::RowWait {
                client: owner(connection)?.client(),
                table: lock.table,
                key: lock.key,
                holders: holders.into_iter().filter_map(|holder| self.client_at_table(node, holder)).collect(),
            },
            Output::GoesOn { connection } => EventKind::Unblocked { client: owner(connection)?.client() },
            Output::RowChanged { table, key, before, after, by } => {
                EventKind::RowChanged { client: owner(by).map(Owner::client), table, key, before, after }
            }
            Output::Closed { connection } => {
                let owner = self.owners.remove(&(node, connection.0))?;
                self.on_disconnect(node, owner, connection.0, lost);
                owner.closed(CloseReason::Killed)?
            }
        })
    }

    /// The client of a connection, also if the client has given it up without the database knowing.
    fn client_at_table(&self, node: NodeIndex, connection: ConnectionId) -> Option<ClientIndex> {
        let open = self.client_of_connection(node, connection.0);
        open.or_else(|| self.network.client_of_half_open(node, connection.0))
    }

    /// Is a database's reply held back from a terminal, because its link is cut or its client is paused?
    fn is_kept_back(&self, node: NodeIndex, owner: Owner) -> bool {
        let Owner::Client(client) = owner else { return false };
        let found = self.client(client).filter(|found| found.program.is_none());
        found.is_some_and(|found| found.is_paused || self.is_cut(client, node))
    }
}

/// Does no client have a transaction, a lock or a statement at a database? Then a client that leaves changes nothing there.
pub(crate) fn is_quiet(database: &Database) -> bool {
    let is_quiet =
        |(_, found): (ConnectionId, &Connection)| *found.activity() == Activity::Idle && !found.is_in_transaction();
    database.connections().all(is_quiet) && database.locks().next().is_none()
}

/// A statement with its parameters in place of the `?`; `None` if their number does not match.
pub(crate) fn bound(argv: &[Bytes]) -> Option<Vec<u8>> {
    let (statement, parameters) = argv.split_first()?;
    let parameters: Vec<Value> = parameters.iter().cloned().map(Value::Bulk).collect();
    table::bind(statement, &parameters)
}

/// The error for a statement with a wrong number of parameters.
fn wrong_parameters() -> Failure {
    Failure { code: 1210, sqlstate: *b"HY000", message: "Incorrect arguments to EXECUTE".to_owned() }
}

/// The error if a database accepts no more connections.
pub(crate) fn too_many_connections() -> Failure {
    Failure { code: 1040, sqlstate: *b"08004", message: "Too many connections".to_owned() }
}

/// A row's primary key as a database prints it in messages.
pub fn printed_key(table: &Table, row: &Row) -> Vec<u8> {
    let columns = table.indexes().first().map(|index| index.columns.as_slice()).unwrap_or_default();
    let parts: Vec<Bytes> = columns.iter().filter_map(|at| row.get(*at)).map(Cell::to_text).collect();
    parts.join(b"-".as_slice())
}
