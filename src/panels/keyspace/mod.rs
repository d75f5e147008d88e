//! The keyspace: every key of the active client's database with its type, encoding, size and time to live.
mod row;

use std::ops::Range;
use std::rc::Rc;

use bytes::Bytes;
use web_sys::{HtmlElement, HtmlInputElement};
use yew::prelude::*;

use crate::hooks::{SessionHandle, Side, use_lang, use_session_for, use_window};
use crate::i18n::Lang;
use crate::i18n::messages::{KeyspaceMemory, KeyspaceOtherDatabase, KeyspaceSum};
use crate::state::keyspace::{Change, Listing, changes_of, gone, limit_matters};
use crate::ui::{html, part, part_of};
use row::{KeyRow, KeyRowProps};

/// Keys that the last step took away, at most so many are drawn.
const GONE_MAX: usize = 40;

/// The keys of the active client's database.
#[component]
pub fn Keyspace() -> Html {
    let t = use_lang();
    let session = use_session_for(&[Side::Steps, Side::Active, Side::Look]);
    let filter = use_state_eq(String::new);
    let scroller = use_node_ref();
    let db = session.world().connection(session.active()).map_or(0, |connection| connection.db);
    let listing = use_memo((session.revision(), db, (*filter).clone()), |_| listing_of(&session, db, &filter));
    let rows = u32::try_from(listing.len()).unwrap_or(u32::MAX);
    let window = use_window(&scroller, rows, None);
    let range = window.range.start as usize..window.range.end as usize;
    let (gone, more_gone) = session.current().map(|(_, step)| gone(step, db, GONE_MAX)).unwrap_or_default();
    let names = names_of(&session, &listing, db, range.clone());
    let changed = session.current().map(|(_, step)| changes_of(step, db, &names)).unwrap_or_default();
    let filtered = {
        let filter = filter.clone();
        Callback::from(move |event: InputEvent| filter.set(event.target_unchecked_into::<HtmlInputElement>().value()))
    };
    let key = {
        let (session, listing, scroller, row_px) =
            (session.clone(), Rc::clone(&listing), scroller.clone(), window.unit_px);
        Callback::from(move |event: KeyboardEvent| {
            if let Some(position) = moved(&event, &session, &listing, db) {
                event.prevent_default();
                select(&session, &listing, db, position);
                show(&scroller, position, row_px);
            }
        })
    };
    let keys = session.world().server(0).and_then(|server| server.db(db));
    let (count, memory) = keys.map_or((0, 0), |db| (db.len(), db.memory()));
    html! {
        <section class="panel keyspace" aria-label={t.panel_keyspace()} data-testid="keyspace">
            <div class="panel-head">
                <h2>{ t.panel_keyspace() }</h2>
                { part::<Databases>(DatabasesProps { db }) }
                <span class="soft small">{ t.say(KeyspaceSum { n: count as u64, bytes: &t.bytes(memory as u64) }) }</span>
                <span class="spacer" />
                <input class="field keyspace-filter" type="search" value={(*filter).clone()} oninput={filtered}
                    placeholder={t.keyspace_filter()} aria-label={t.keyspace_filter_label()} data-shortcut="filter"
                    autocomplete="off" autocapitalize="off" spellcheck="false" />
            </div>
            <div class="panel-body keyspace-body">
                if count == 0 && gone.is_empty() {
                    <div class="panel-empty"><p>{ crate::i18n::rich(&t.keyspace_empty(&crate::i18n::code("SET greeting hello"))) }</p></div>
                } else {
                    { limit(t, &session) }
                    <ul class="keyspace-gone">
                        { for gone.iter().map(|(key, change)| row::gone(t, &session, (db, key.clone()), *change)) }
                        if more_gone > 0 { <li class="key-row key-gone soft">{ t.inside_more(more_gone as u64) }</li> }
                    </ul>
                    if listing.is_empty() && count > 0 { <p class="panel-empty">{ t.keyspace_nothing() }</p> }
                    if !listing.is_sorted() { <p class="soft small keyspace-order">{ t.keyspace_scan_order() }</p> }
                    <div class="keyspace-scroll" ref={scroller} onscroll={window.onscroll.clone()} onkeydown={key} tabindex="0"
                        role="listbox" aria-label={t.panel_keyspace()} aria-activedescendant={active_id(&session, &listing, db)}>
                        <ul style={window.style(rows)} role="presentation">
                            { for range.clone().zip(names).enumerate().filter_map(|(at, (i, name))| {
                                key_row(&session, (db, name), i, changed.get(at).copied().flatten())
                            }) }
                        </ul>
                        { window.probe.clone() }
                    </div>
                }
            </div>
        </section>
    }
}

/// How full the memory is, once its limit matters: somebody has set it, or half of it is taken.
fn limit(t: Lang, session: &SessionHandle) -> Html {
    let world = session.world();
    let Some(server) = world.server(0) else { return Html::default() };
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

fn listing_of(session: &SessionHandle, db: usize, filter: &str) -> Listing {
    match session.world().server(0).and_then(|server| server.db(db)) {
        Some(db) => Listing::of(db, filter),
        None => Listing::Everything(0),
    }
}

/// The keys in these rows.
fn names_of(session: &SessionHandle, listing: &Listing, db: usize, rows: Range<usize>) -> Vec<Bytes> {
    let Some(database) = session.world().server(0).and_then(|server| server.db(db)) else { return Vec::new() };
    rows.map_while(|i| listing.key(database, i)).collect()
}

fn key_row(session: &SessionHandle, (db, name): (usize, Bytes), i: usize, change: Option<Change>) -> Option<Html> {
    let database = session.world().server(0)?.db(db)?;
    let entry = database.entry(&name)?;
    let props = KeyRowProps {
        id: row_id(i),
        kind: entry.value.type_name(),
        encoding: entry.value.encoding(),
        size: row::size_of(&entry.value),
        memory: database.key_memory(&name).unwrap_or(0),
        expires_ms: entry.expires_ms,
        change,
        is_selected: session.selected() == Some(&(db, name.clone())),
        name: (db, name),
    };
    let key = String::from_utf8_lossy(&props.name.1).into_owned();
    Some(part_of::<KeyRow>(&key, props))
}

fn row_id(i: usize) -> String {
    format!("key-row-{i}")
}

fn selected_position(session: &SessionHandle, listing: &Listing, db: usize) -> Option<usize> {
    let (selected_db, key) = session.selected()?;
    if *selected_db != db { None } else { listing.position(key) }
}

fn active_id(session: &SessionHandle, listing: &Listing, db: usize) -> Option<String> {
    selected_position(session, listing, db).map(row_id)
}

/// Where a key press moves the selection.
fn moved(event: &KeyboardEvent, session: &SessionHandle, listing: &Listing, db: usize) -> Option<usize> {
    const PAGE: usize = 10;
    let last = listing.len().checked_sub(1)?;
    let at = selected_position(session, listing, db);
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

fn select(session: &SessionHandle, listing: &Listing, db: usize, position: usize) {
    let key = session.world().server(0).and_then(|server| server.db(db)).and_then(|found| listing.key(found, position));
    if let Some(key) = key {
        session.select((db, key));
    }
}

/// Scrolls just far enough for a row to be seen.
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
    /// The database that is shown.
    db: usize,
}

/// Which databases hold keys; shown once there is more than the first.
#[component]
fn Databases(props: &DatabasesProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[Side::Steps, Side::Look]);
    let databases = session.world().server(0).map(|server| server.databases()).unwrap_or_default();
    let used: Vec<(usize, usize)> =
        databases.iter().map(|db| db.len()).enumerate().filter(|(_, keys)| *keys > 0).collect();
    if props.db == 0 && used.iter().all(|(index, _)| *index == 0) {
        return Html::default();
    }
    html! {
        <span class="row-tight">
            <span class="chip" aria-current="true">{ database(t, props.db) }</span>
            { for used.iter().filter(|(index, _)| *index != props.db).map(|(index, keys)| html! {
                <span class="soft small">{ t.say(KeyspaceOtherDatabase { index: &index.to_string(), n: *keys as u64 }) }</span>
            }) }
        </span>
    }
}

fn database(t: Lang, index: usize) -> String {
    t.state_database(&index.to_string())
}
