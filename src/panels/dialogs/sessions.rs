//! Sessions: everything stored in this browser, to open, download or delete.
use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;
use world::{Durability, NodeSettings, Settings};
use yew::prelude::*;

use super::DialogOnlyProps;
use super::open_file::OpenFile;
use super::paste::Paste;
use super::share::FILE_NAME;
use crate::hooks::session_store::{self, StoredSession};
use crate::hooks::{SessionPart, assets, files, machine, reload, use_lang, use_notices, use_session_for};
use crate::state::network::persistence;
use crate::state::notices::NoticeText;
use crate::state::session::Session;
use crate::state::session_store::NEW;
use crate::ui::{Button, ButtonLook, Picture, choice, dialog, html, part, part_of};

/// The dialog of stored sessions.
#[component]
pub fn Sessions(props: &DialogOnlyProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let notices = use_notices();
    let here = session.place();
    let kept = {
        let prefix = Rc::clone(&here.prefix);
        use_state(move || session_store::list(&prefix))
    };
    // Opening reloads the page, so that sessions are opened and locked in only one place.
    let prefix = Rc::clone(&here.prefix);
    let open = move |id: String| {
        let (notices, prefix) = (notices.clone(), Rc::clone(&prefix));
        Callback::from(move |_: MouseEvent| match session_store::open_next(&prefix, &id) {
            Ok(()) => reload(),
            Err(_) => notices.say(NoticeText::NotStored),
        })
    };
    let removed = {
        let kept = kept.clone();
        Callback::from(move |which: StoredSession| {
            session_store::remove(&which);
            kept.set(session_store::list(&which.prefix));
        })
    };
    let children = html! {
        <>
            <p class="soft">{ t.sessions_what() }</p>
            <div class="row">
                { Button::words(t.sessions_new()).look(ButtonLook::Primary).picture(Picture::Add).testid("new-session")
                    .on(open(NEW.to_owned())) }
                { part::<OpenFile>(props.clone()) }
            </div>
            if session.is_of_sandbox() { { part::<Paste>(props.clone()) } }
            { part::<OnNodes>(props.clone()) }
            if kept.is_empty() {
                <p class="soft">{ t.sessions_none() }</p>
            } else {
                <ul class="kept" data-testid="session-list">
                    { for kept.iter().map(|each| html! {
                        { part_of::<Row>(&each.about.id, RowProps {
                            kept: each.clone(),
                            is_here: !each.is_aside && each.about.id == here.id,
                            onopen: open(each.about.id.clone()),
                            onremove: removed.clone(),
                        }) }
                    }) }
                </ul>
            }
        </>
    };
    dialog(t.sessions(), props.onclose.clone(), "sessions-dialog", children)
}

/// Possible numbers of nodes of a new session. Other numbers can be opened from a file.
const NODES: [usize; 5] = [1, 2, 3, 5, 7];

/// Form for a new session on several nodes that all have the same durability.
#[component]
fn OnNodes(props: &DialogOnlyProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[]);
    let count = use_state_eq(|| 3_usize);
    let has_table = use_state_eq(|| false);
    let durability = use_state_eq(Durability::default);
    let begin = {
        let (count, durability, has_table, onclose) = (*count, *durability, *has_table, props.onclose.clone());
        Callback::from(move |_: MouseEvent| {
            let (session, onclose) = (session.clone(), onclose.clone());
            spawn_local(async move {
                // The session may need any chunk of the program.
                assets::whole().await;
                let node = |number: usize| NodeSettings::redis(format!("r{number}"), durability);
                let table = has_table.then(|| NodeSettings::table("db"));
                let settings = Settings { nodes: (1..=count).map(node).chain(table).collect(), ..Settings::default() };
                session.replace(Session::fresh(settings, &machine::engines()).timeline().clone());
                onclose.emit(());
            });
        })
    };
    let durabilities = Durability::ALL.map(|(_, durability)| durability);
    let (set_count, set_durability, set_table) = (count.setter(), durability.setter(), has_table.setter());
    let table_word =
        |has_table: &bool| if *has_table { t.nodes_database() } else { t.sessions_no_database() }.to_owned();
    html! {
        <div class="row sessions-nodes">
            { choice(Some(t.nodes_title()), "new-nodes", &NODES, &count, |count| t.sessions_nodes(*count as u64), move |n| set_count.set(n)) }
            { choice(Some(t.sessions_persistence()), "new-durability", &durabilities, &durability, |found| persistence(t, *found),
                move |found| set_durability.set(found)) }
            { choice(Some(t.sessions_database()), "new-table", &[false, true], &has_table, table_word, move |found| set_table.set(found)) }
            { Button::words(t.sessions_on_nodes()).picture(Picture::Add).testid("new-on-nodes").on(begin) }
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct RowProps {
    kept: StoredSession,
    /// Whether it is the session of this page.
    is_here: bool,
    onopen: Callback<MouseEvent>,
    onremove: Callback<StoredSession>,
}

#[component]
fn Row(props: &RowProps) -> Html {
    let t = use_lang();
    let is_sure = use_state_eq(|| false);
    let kept = &props.kept;
    let download = {
        let kept = kept.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(text) = session_store::text_of(&kept) {
                // If the browser refuses the download, it says so itself.
                let _ = files::download(FILE_NAME, &text);
            }
        })
    };
    let remove = {
        let (is_sure, kept, onremove) = (is_sure.clone(), kept.clone(), props.onremove.clone());
        Callback::from(move |_: MouseEvent| {
            if *is_sure {
                onremove.emit(kept.clone());
            } else {
                is_sure.set(true);
            }
        })
    };
    let title = match (kept.is_aside, kept.about.title.is_empty()) {
        (true, _) => t.sessions_aside().to_owned(),
        (false, true) => t.sessions_empty().to_owned(),
        (false, false) => kept.about.title.clone(),
    };
    html! {
        <li class="kept-row">
            <div class="kept-what">
                <code>{ title }</code>
                <span class="soft small">
                    if props.is_here { { t.sessions_this() }{ " · " } }
                    if !kept.is_aside {
                        { t.count_steps(kept.about.steps) }{ " · " }{ t.sessions_saved(&local_time(t.tag(), kept.about.saved_ms)) }
                    }
                </span>
            </div>
            if !props.is_here && !kept.is_aside {
                { Button::words(t.open()).picture(Picture::Folder).on(props.onopen.clone()) }
            }
            { Button::icon(Picture::Download, t.download()).on(download) }
            if !props.is_here {
                if *is_sure {
                    { Button::words(t.sessions_really()).on(remove) }
                } else {
                    { Button::icon(Picture::Trash, t.delete()).on(remove) }
                }
            }
        </li>
    }
}

/// A Unix time in ms as local time, in the format of the language `tag`.
fn local_time(tag: &str, ms: u64) -> String {
    let date = js_sys::Date::new(&wasm_bindgen::JsValue::from_f64(ms as f64));
    String::from(date.to_locale_string(tag, &wasm_bindgen::JsValue::UNDEFINED))
}
