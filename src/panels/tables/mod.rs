//! The tables of a database: committed rows, uncommitted changes of transactions, locks with their owners, and waiting connections.
mod at_table;

use bytes::Bytes;
use table::{Activity, ConnectionId, Database, Lock, Row, Table, Uncommitted};
use world::NodeIndex;
use yew::prelude::*;

use crate::hooks::{SessionHandle, SessionPart, use_kept_focus, use_lang, use_session_for};
use crate::i18n::messages::TablesWork;
use crate::i18n::{Lang, code, rich};
use crate::panels::client::slot_of;
use crate::state::lab::lanes::label;
use crate::state::sql;
use crate::ui::{client_mark, html};
pub use at_table::AtTable;

/// Maximum number of rows shown of a table, from its beginning.
const ROWS_DRAWN: usize = 100;
/// Maximum number of characters shown of a cell.
const CELL_CHARS_MAX: usize = 60;

/// The tables of all databases of a session.
#[component]
pub fn Tables() -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let root = use_node_ref();
    use_kept_focus(&root);
    let settings = session.world().settings();
    let databases: Vec<NodeIndex> = settings.tables().collect();
    let is_named = databases.len() > 1;
    html! {
        <section class="panel tables" aria-label={t.tables_title()} data-testid="tables">
            <div class="panel-head"><h2>{ t.tables_title() }</h2></div>
            <div class="panel-body tables-body" ref={root} tabindex="0">
                { for databases.iter().map(|node| of_node(t, &session, *node, is_named)) }
            </div>
        </section>
    }
}

fn of_node(t: Lang, session: &SessionHandle, node: NodeIndex, is_named: bool) -> Html {
    let Some(database) = session.world().table(node) else { return Html::default() };
    let view = View { t, session, node, database };
    let is_up = session.world().is_up(node);
    html! {
        <div key={node.to_string()} class="tables-node" data-testid={format!("tables-{node}")}>
            if is_named { <h3>{ session.world().settings().name_of_node(node).to_owned() }</h3> }
            if is_up { { view.work() } } else { <p class="tables-down">{ t.nodes_down() }</p> }
            if database.tables().next().is_none() { <p class="soft">{ rich(t.tables_none()) }</p> }
            { for database.tables().map(|table| view.table(table)) }
        </div>
    }
}

/// A database and the data to render it.
struct View<'a> {
    t: Lang,
    session: &'a SessionHandle,
    node: NodeIndex,
    database: &'a Database,
}

impl View<'_> {
    /// The number of connections: all, running, queued and waiting ones.
    fn work(&self) -> Html {
        let is = |wanted: fn(&Activity) -> bool| {
            self.database.connections().filter(|(_, connection)| wanted(connection.activity())).count() as u64
        };
        let busy = is(|activity| matches!(activity, Activity::AtWork { .. }));
        let queued = is(|activity| matches!(activity, Activity::Queued { .. }));
        let waiting = is(|activity| matches!(activity, Activity::Waiting { .. }));
        html! {
            <p class="tables-work soft small">
                { self.t.say(TablesWork { connections: self.database.connections().count() as u64, busy, queued, waiting }) }
            </p>
        }
    }

    fn name_of(&self, connection: ConnectionId) -> String {
        match self.session.world().client_of_connection(self.node, connection.0) {
            Some(client) => self.session.name_of(client),
            None => self.t.tables_gone().to_owned(),
        }
    }

    fn table(&self, table: &Table) -> Html {
        let name = String::from_utf8_lossy(table.name()).into_owned();
        let changes: Vec<Uncommitted> =
            self.database.uncommitted().filter(|change| change.table == table.name()).collect();
        let locks: Vec<Lock> = self.database.locks().filter(|lock| lock.name.table == table.name()).collect();
        let inserted = changes.iter().filter(|change| change.before.is_none());
        let hidden = table.len().saturating_sub(ROWS_DRAWN) as u64;
        // Granted shared locks on the whole table exclude no one, so they are not shown.
        let is_worth_showing = |lock: &&Lock| lock.name.index.is_some() || lock.is_exclusive || !lock.is_granted;
        let others: Vec<&Lock> =
            locks.iter().filter(is_worth_showing).filter(|lock| !self.is_at_row(table, &changes, lock)).collect();
        html! {
            <figure key={name.clone()} class="tables-table">
                <figcaption><b>{ &name }</b>{ " " }<span class="soft small">{ self.t.tables_rows(table.len() as u64) }</span></figcaption>
                <div class="tables-scroll" tabindex="0">
                    <table>
                        <thead><tr>{ for (0..table.columns().len()).map(|at| heading(table, at)) }<td></td></tr></thead>
                        <tbody>
                            { for table.rows().take(ROWS_DRAWN).map(|row| {
                                let key = key_of(table, row);
                                let change = changes.iter().find(|change| change.key == key && change.before.is_some());
                                self.row(&key, row, change, &locks)
                            }) }
                            { for inserted.filter_map(|change| Some(self.row(&change.key, change.after.as_ref()?, Some(change), &locks))) }
                        </tbody>
                    </table>
                </div>
                if hidden > 0 { <p class="soft small">{ self.t.tables_more(hidden) }</p> }
                if !others.is_empty() {
                    <ul class="tables-locks">{ for others.into_iter().map(|lock| self.other_lock(lock)) }</ul>
                }
            </figure>
        }
    }

    /// Whether a lock is shown next to its row.
    fn is_at_row(&self, table: &Table, changes: &[Uncommitted], lock: &Lock) -> bool {
        let is_primary = lock.name.index.as_deref() == Some(b"PRIMARY".as_slice());
        let is_row = |row: &Row| key_of(table, row) == lock.name.key;
        is_primary
            && (table.rows().take(ROWS_DRAWN).any(is_row) || changes.iter().any(|change| change.key == lock.name.key))
    }

    fn row(&self, key: &Bytes, row: &Row, change: Option<&Uncommitted>, locks: &[Lock]) -> Html {
        let change_of = |change: &Uncommitted| {
            let who = self.name_of(change.owner);
            match (&change.before, &change.after) {
                (None, _) => ("inserted", self.t.tables_inserted(&who)),
                (Some(_), None) => ("deleted", self.t.tables_deleted(&who)),
                (Some(_), Some(_)) => ("updated", self.t.tables_changed(&who)),
            }
        };
        let (state, said) = change.map(change_of).unzip();
        let shown = change.and_then(|change| change.after.as_ref()).unwrap_or(row);
        let own = locks
            .iter()
            .filter(|lock| lock.name.index.as_deref() == Some(b"PRIMARY".as_slice()) && lock.name.key == *key);
        html! {
            <tr key={String::from_utf8_lossy(key).into_owned()} data-state={state}>
                { for shown.iter().zip(row.iter()).map(|(is, was)| {
                    let text = cut(&sql::cell(is));
                    let before = (is != was).then(|| cut(&sql::cell(was)));
                    html! { <td>if let Some(before) = before { <s>{ before }</s>{ " " } }{ text }</td> }
                }) }
                <td class="tables-marks">
                    if let Some(said) = said { <span class="chip">{ said }</span> }
                    { for own.map(|lock| self.lock(lock)) }
                </td>
            </tr>
        }
    }

    fn lock(&self, lock: &Lock) -> Html {
        let name = self.name_of(lock.owner);
        let client = self.session.world().client_of_connection(self.node, lock.owner.0);
        let text = match (lock.is_granted, lock.is_exclusive) {
            (false, _) => self.t.tables_waits(&name),
            (true, true) => self.t.tables_locked(&name),
            (true, false) => self.t.tables_shared(&name),
        };
        html! {
            <span class="chip tables-lock" data-granted={lock.is_granted.then_some("")}>
                if let Some(client) = client { { client_mark(slot_of(client)) } }
                { text }
            </span>
        }
    }

    /// A lock on a record of a secondary index, or on the whole table.
    fn other_lock(&self, lock: &Lock) -> Html {
        let text = |bytes: &Bytes| code(&String::from_utf8_lossy(bytes));
        let what = match &lock.name.index {
            Some(index) => format!("{} = {}", text(index), text(&lock.name.key)),
            None => self.t.tables_whole().to_owned(),
        };
        html! { <li>{ rich(&what) }{ " " }{ self.lock(lock) }</li> }
    }
}

fn heading(table: &Table, at: usize) -> Html {
    let Some(column) = table.columns().get(at) else { return Html::default() };
    let is_first_of = |index: &&table::Index| index.columns.contains(&at);
    let mark = table.indexes().iter().find(is_first_of).map(|index| match index.name.as_ref() {
        b"PRIMARY" => "PRI",
        _ if index.is_unique => "UNI",
        _ => "MUL",
    });
    html! {
        <th>{ String::from_utf8_lossy(&column.name).into_owned() }if let Some(mark) = mark { { " " }<small class="soft">{ mark }</small> }</th>
    }
}

fn key_of(table: &Table, row: &Row) -> Bytes {
    world::printed_key(table, row).into()
}

fn cut(text: &str) -> String {
    label::cut(text, CELL_CHARS_MAX)
}
