//! The keyspace of a node: all keys of the active client's database with type, encoding, size and time to live.
mod row;
mod view;

use std::ops::Range;
use std::rc::Rc;

use bytes::Bytes;
use redis_model::Entry;
use web_sys::{HtmlElement, HtmlInputElement};
use world::NodeIndex;
use yew::prelude::*;

use crate::hooks::assets::{Chunk, use_chunk};
use crate::hooks::{SessionHandle, SessionPart, use_lang, use_preferences, use_session_for, use_window};
use crate::i18n::Lang;
use crate::i18n::messages::{KeyspaceMemory, KeyspaceOtherDatabase, KeyspaceSum};
use crate::panels::NodeProps;
use crate::state::key::{Database, KeyName};
use crate::state::keyspace::arrange::{Turn, arrange, toggled, turn, unfolded};
use crate::state::keyspace::{Change, Listing, Row, Wanted, changes_of, first_changed, gone, limit_matters};
use crate::state::preview::preview;
use crate::ui::{html, part, part_of};
use row::{KeyRow, KeyRowProps};
use view::ViewProps;

/// Maximum number of keys removed by the last step that are shown.
const GONE_MAX: usize = 40;

/// What the reader has set in the panel.
#[derive(Clone, Debug, Default, PartialEq)]
struct Set {
    /// What is listed; its arrangement is a preference instead.
    wanted: Wanted,
    /// The group at which the keyboard is, and the key that was selected then: selecting another key leaves the group.
    at: Option<(Bytes, Option<KeyName>)>,
}

/// What the rows are made from.
struct Rows<'a> {
    session: &'a SessionHandle,
    listing: &'a Listing,
    database: Database,
    /// The group at which the keyboard is.
    group: Option<&'a Bytes>,
}

/// The keys of the active client's database at this node.
#[component]
pub fn Keyspace(props: &NodeProps) -> Html {
    let node = props.node;
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps, SessionPart::Active, SessionPart::Look]);
    let arrangement = use_preferences().now().keyspace;
    let set = use_state_eq(Set::default);
    // Values as text, and other arrangements, are in a chunk that is loaded later.
    let has_rest = use_chunk(Some(Chunk::Rest));
    let scroller = use_node_ref();
    let selected = Database::of_client(session.world(), session.active()).filter(|selected| selected.node == node);
    let database = selected.unwrap_or(Database { node, db: 0 });
    let wanted = Wanted { arrangement, ..set.wanted.clone() };
    let listing = use_memo((session.revision(), database, wanted.clone(), has_rest), |(.., wanted, has_rest)| {
        listing_of(&session, database, wanted, *has_rest)
    });
    let rows = u32::try_from(listing.len()).unwrap_or(u32::MAX);
    let window = use_window(&scroller, rows, None);
    let range = window.range.start as usize..window.range.end as usize;
    let (gone, more_gone) = session.current().map(|(_, step)| gone(step, database, GONE_MAX)).unwrap_or_default();
    let names = names_of(&session, &listing, database, range.clone());
    let known: Vec<Bytes> = names.iter().flatten().cloned().collect();
    let mut changed =
        session.current().map(|(_, step)| changes_of(step, database, &known)).unwrap_or_default().into_iter();
    // The key to show, and the revision that it belongs to.
    let to_show = use_mut_ref(|| (u64::MAX, None::<Bytes>));
    {
        let (session, listing, scroller, row_px, set) =
            (session.clone(), Rc::clone(&listing), scroller.clone(), window.unit_px, set.clone());
        use_effect_with((session.revision(), Rc::clone(&listing)), move |_| {
            let mut to_show = to_show.borrow_mut();
            if to_show.0 != session.revision() {
                let first = session.current().and_then(|(_, step)| first_changed(step, database));
                *to_show = (session.revision(), first.cloned());
            }
            let Some(key) = to_show.1.take() else { return };
            if let Some(position) = listing.position(&key) {
                show(&scroller, position, row_px);
            } else if listing.rows().is_some()
                && let Some(folded) = unfolded(&set.wanted.folded, &key)
            {
                // It is shown once its groups are unfolded.
                to_show.1 = Some(key);
                set.set(Set { wanted: Wanted { folded, ..set.wanted.clone() }, ..(*set).clone() });
            }
        });
    }
    let filtered = {
        let set = set.clone();
        Callback::from(move |event: InputEvent| {
            let filter = event.target_unchecked_into::<HtmlInputElement>().value();
            set.set(Set { wanted: Wanted { filter, ..set.wanted.clone() }, at: None });
        })
    };
    let onkind = {
        let set = set.clone();
        Callback::from(move |kind| set.set(Set { wanted: Wanted { kind, ..set.wanted.clone() }, at: None }))
    };
    let key = {
        let (session, listing, scroller, row_px, set) =
            (session.clone(), Rc::clone(&listing), scroller.clone(), window.unit_px, set.clone());
        Callback::from(move |event: KeyboardEvent| {
            let rows = Rows { session: &session, listing: &listing, database, group: group_of(&set, &session) };
            let turned = listing.rows().and_then(|all| turn(all, rows.active()?, &event.key()));
            let position = match turned {
                Some(Turn::Toggle(prefix)) => {
                    event.prevent_default();
                    return toggle(&set, &session, &prefix);
                }
                Some(Turn::Go(position)) => Some(position),
                None => moved(&event, &rows),
            };
            if let Some(position) = position {
                event.prevent_default();
                if let Some(Row::Group { prefix, .. }) = listing.rows().and_then(|rows| rows.get(position)) {
                    set.set(Set { at: Some((prefix.clone(), session.selected().cloned())), ..(*set).clone() });
                } else {
                    set.set(Set { at: None, ..(*set).clone() });
                    select(&session, &listing, database, position);
                }
                show(&scroller, position, row_px);
            }
        })
    };
    let world = session.world();
    let (count, memory) = database.find(world).map_or((0, 0), |db| (db.len(), db.memory()));
    let is_tree = listing.rows().is_some();
    let drawing = Rows { session: &session, listing: &listing, database, group: group_of(&set, &session) };
    let active_id = drawing.active().filter(|at| range.contains(at)).map(row_id);
    html! {
        <section class="panel keyspace" aria-label={t.panel_keyspace()} data-testid="keyspace">
            <div class="panel-head">
                <h2>{ t.panel_keyspace() }</h2>
                if let Some(name) = world.settings().shown_name_of_node(node) {
                    <span class="chip" data-testid="keyspace-node">{ name.to_owned() }</span>
                }
                { part::<Databases>(DatabasesProps { database }) }
                <span class="soft small">{ t.say(KeyspaceSum { n: count as u64, bytes: &t.bytes(memory as u64) }) }</span>
                <span class="spacer" />
                if has_rest { { view::menu(t, ViewProps { database, wanted: wanted.clone(), onkind }) } }
                <input class="field keyspace-filter" type="search" value={wanted.filter.clone()} oninput={filtered}
                    placeholder={t.keyspace_filter()} aria-label={t.keyspace_filter_label()} data-shortcut="filter"
                    autocomplete="off" autocapitalize="off" spellcheck="false" />
            </div>
            <div class="panel-body keyspace-body">
                if count == 0 && gone.is_empty() {
                    <div class="panel-empty"><p>{ crate::i18n::rich(&t.keyspace_empty(&crate::i18n::code("SET greeting hello"))) }</p></div>
                } else {
                    { limit(t, &session, node) }
                    <ul class="keyspace-gone" data-testid="keyspace-gone">
                        { for gone.iter().map(|(key, change)| row::gone(t, &session, database.key(key.clone()), *change)) }
                        if more_gone > 0 { <li class="key-row key-gone soft">{ t.inside_more(more_gone as u64) }</li> }
                    </ul>
                    if listing.is_empty() && count > 0 { <p class="panel-empty">{ t.keyspace_nothing() }</p> }
                    if listing.is_long() { <p class="soft small keyspace-order">{ t.keyspace_scan_order() }</p> }
                    <div class="keyspace-scroll" ref={scroller} onscroll={window.onscroll.clone()} onkeydown={key} tabindex="0"
                        role={if is_tree { "tree" } else { "listbox" }} aria-label={t.panel_keyspace()} aria-activedescendant={active_id}>
                        <ul style={window.style(rows)} role="presentation">
                            { for range.zip(names).filter_map(|(i, name)| {
                                let Some(name) = name else { return group_row(t, &drawing, &set, i) };
                                let change = changed.next().flatten();
                                drawing.key_row(database.key(name), i, change, has_rest)
                            }) }
                        </ul>
                        { window.probe.clone() }
                    </div>
                }
            </div>
        </section>
    }
}

/// The group at which the keyboard is.
fn group_of<'a>(set: &'a Set, session: &SessionHandle) -> Option<&'a Bytes> {
    set.at.as_ref().filter(|(_, selected)| selected.as_ref() == session.selected()).map(|(prefix, _)| prefix)
}

/// Folds or unfolds a group.
fn toggle(set: &UseStateHandle<Set>, session: &SessionHandle, prefix: &Bytes) {
    let folded = toggled(&set.wanted.folded, prefix);
    let at = Some((prefix.clone(), session.selected().cloned()));
    set.set(Set { wanted: Wanted { folded, ..set.wanted.clone() }, at });
}

/// The row of a group.
fn group_row(t: Lang, rows: &Rows, set: &UseStateHandle<Set>, i: usize) -> Option<Html> {
    let Row::Group { prefix, depth, count, is_open } = rows.listing.rows()?.get(i)? else { return None };
    let (set, session, name) = (set.clone(), rows.session.clone(), prefix.clone());
    let onclick = Callback::from(move |_: MouseEvent| toggle(&set, &session, &name));
    let is_active = rows.group == Some(prefix);
    Some(view::group(t, row_id(i), (prefix, *depth), *count, (*is_open, is_active), onclick))
}

/// Memory usage, shown once the limit matters: it was set explicitly, or half of it is used.
fn limit(t: Lang, session: &SessionHandle, node: NodeIndex) -> Html {
    let world = session.world();
    let Some(server) = world.server(node) else { return Html::default() };
    let (used, most) = (server.allocated_memory() as u64, server.config().maxmemory);
    if !limit_matters(used, most, world.settings().maxmemory) {
        return Html::default();
    }
    let words = t.say(KeyspaceMemory { used: &t.bytes(used), most: &t.bytes(most) });
    let part = format!("--part: {}%", used.saturating_mul(100).checked_div(most).unwrap_or(0).min(100));
    html! {
        <p class="keyspace-limit small" role="meter" aria-label={t.keyspace_memory_label()} aria-valuemin="0" aria-valuemax={most.to_string()}
            aria-valuenow={used.min(most).to_string()} aria-valuetext={words.clone()} style={part}
            data-full={(used > most).then_some("")} data-testid="memory">
            <span>{ t.keyspace_memory_label() }</span><b>{ words }</b><code>{ server.config().maxmemory_policy.name() }</code>
        </p>
    }
}

fn listing_of(session: &SessionHandle, database: Database, wanted: &Wanted, has_rest: bool) -> Listing {
    match database.find(session.world()) {
        Some(db) if has_rest && !wanted.is_usual() => arrange(session, database, db, wanted),
        Some(db) => Listing::of(db, &wanted.filter),
        None => Listing::Everything(0),
    }
}

/// The keys in these rows; `None` for a group.
fn names_of(session: &SessionHandle, listing: &Listing, database: Database, rows: Range<usize>) -> Vec<Option<Bytes>> {
    let Some(db) = database.find(session.world()) else { return Vec::new() };
    rows.map(|i| listing.key(db, i)).collect()
}

impl Rows<'_> {
    fn key_row(
        &self,
        name: KeyName,
        i: usize,
        change: Option<(Change, Option<&Entry>)>,
        has_rest: bool,
    ) -> Option<Html> {
        let world = self.session.world();
        let db = name.database.find(world)?;
        let entry = db.entry(&name.key)?;
        let value = has_rest.then(|| preview(&entry.value));
        let was = change.and_then(|(_, before)| before).filter(|_| has_rest).map(|before| preview(&before.value));
        let inner = self.listing.rows().and_then(|rows| match rows.get(i)? {
            Row::Key { depth, start, .. } => Some((*depth, *start)),
            Row::Group { .. } => None,
        });
        let props = KeyRowProps {
            was: was.filter(|was| value.as_ref() != Some(was)),
            value: value.unwrap_or_default(),
            id: row_id(i),
            inner,
            kind: entry.value.type_name(),
            encoding: entry.value.encoding(),
            size: row::size_of(&entry.value),
            memory: db.key_memory(&name.key).unwrap_or(0),
            expires_ms: entry.expires_ms.map(|clock_ms| world.world_ms(name.database.node, clock_ms)),
            change: change.map(|(change, _)| change),
            is_selected: self.session.selected() == Some(&name),
            name,
        };
        let key = String::from_utf8_lossy(&props.name.key).into_owned();
        Some(part_of::<KeyRow>(&key, props))
    }

    /// The row at which the keyboard is: a group, or the selected key.
    fn active(&self) -> Option<usize> {
        if let Some(group) = self.group {
            let is_it = |row: &Row| matches!(row, Row::Group { prefix, .. } if prefix == group);
            return self.listing.rows()?.iter().position(is_it);
        }
        let selected = self.session.selected()?;
        if selected.database == self.database { self.listing.position(&selected.key) } else { None }
    }
}

fn row_id(i: usize) -> String {
    format!("key-row-{i}")
}

/// The row to which a key press moves the selection.
fn moved(event: &KeyboardEvent, rows: &Rows) -> Option<usize> {
    const PAGE: usize = 10;
    let last = rows.listing.len().checked_sub(1)?;
    let at = rows.active();
    Some(match event.key().as_str() {
        "ArrowDown" => at.map_or(0, |at| at.saturating_add(1)).min(last),
        "ArrowUp" => at.map_or(0, |at| at.saturating_sub(1)),
        "PageDown" => at.map_or(0, |at| at.saturating_add(PAGE)).min(last),
        "PageUp" => at.map_or(0, |at| at.saturating_sub(PAGE)),
        "Home" => 0,
        "End" => last,
        _ => return None,
    })
}

fn select(session: &SessionHandle, listing: &Listing, database: Database, position: usize) {
    let key = database.find(session.world()).and_then(|db| listing.key(db, position));
    if let Some(key) = key {
        session.select(database.key(key));
    }
}

/// Scrolls just far enough to bring a row into view.
fn show(scroller: &NodeRef, position: usize, row_px: f64) {
    let Some(view) = scroller.cast::<HtmlElement>() else { return };
    let (top, bottom) = (position as f64 * row_px, (position as f64 + 1.0) * row_px);
    let (from, height) = (f64::from(view.scroll_top()), f64::from(view.client_height()));
    if top < from {
        view.set_scroll_top(top as i32);
    } else if bottom > from + height {
        view.set_scroll_top((bottom - height).ceil() as i32);
    }
}

#[derive(Clone, PartialEq, Properties)]
struct DatabasesProps {
    /// The shown database.
    database: Database,
}

/// The databases that contain keys; shown once a database other than 0 does.
#[component]
fn Databases(props: &DatabasesProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps, SessionPart::Look]);
    let databases = session.world().server(props.database.node).map(|server| server.databases()).unwrap_or_default();
    let used: Vec<(usize, usize)> =
        databases.iter().map(|db| db.len()).enumerate().filter(|(_, keys)| *keys > 0).collect();
    if props.database.db == 0 && used.iter().all(|(index, _)| *index == 0) {
        return Html::default();
    }
    html! {
        <span class="row-tight">
            <span class="chip" aria-current="true">{ database_chip(t, props.database.db) }</span>
            { for used.iter().filter(|(index, _)| *index != props.database.db).map(|(index, keys)| html! {
                <span class="soft small">{ t.say(KeyspaceOtherDatabase { index: &index.to_string(), n: *keys as u64 }) }</span>
            }) }
        </span>
    }
}

fn database_chip(t: Lang, index: usize) -> String {
    t.state_database(&index.to_string())
}
