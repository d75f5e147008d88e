//! Inside a key: the data structure in which Redis stores its value, with the changes of the last step.
//!
//! One file per kind of structure: `string`, `list` (quicklist), `table` (hash table), `pack` (listpack and intset), `ranking` (score axis
//! and skip list), `stream` (nodes and groups). `cell` is the box of an element in all of them. Beside a hash stands the `card` that an
//! application shows of it, beside a sorted set its leaderboard (`board`). A string can also be shown as `bits` or as the `registers` of a
//! HyperLogLog, a sorted set as a `map`, a set as a circle of a `venn` diagram; `choose` switches between them. Some pictures are in a chunk
//! that is loaded later (`crates/xtask/src/split/chunks.txt`). `edit` has the fields for changing a key by hand.
mod bits;
mod board;
mod card;
mod cell;
mod choose;
mod edit;
mod leaving;
mod limits;
mod list;
mod map;
mod pack;
mod ranking;
mod registers;
mod rows;
mod stream;
mod string;
mod table;
mod venn;

use std::cell::RefCell;

use redis_model::value::Value;
use redis_model::value::limits::Limits;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use world::StepId;
use yew::prelude::*;

use crate::hooks::assets::{Chunk, use_chunk};
use crate::hooks::{SessionHandle, SessionPart, use_lang, use_session_for};
use crate::i18n::messages::{
    InsideWhyHashListpack, InsideWhyHashTable, InsideWhySkiplist, InsideWhyStream, InsideWhyZsetListpack,
};
use crate::i18n::{Lang, code, rich};
use crate::panels::NodeProps;
use crate::state::inside::{Choice, Look, View};
use crate::state::key::Database;
use crate::ui::{Button, ButtonLook, Picture, html, part_of, type_badge};
use choose::Chooser;
use edit::{Edit, EditProps};

/// The inside of the selected key, if the key belongs to this node.
#[component]
pub fn Inside(props: &NodeProps) -> Html {
    let node = props.node;
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps, SessionPart::Active, SessionPart::Look]);
    let look = use_memo((session.revision(), session.selected().cloned(), node), |_| Look::of(&session, node));
    let shown_step = use_mut_ref(|| (None, false));
    let again = is_again(&shown_step, session.current().map(|(step, _)| step));
    let again = look.as_ref().as_ref().filter(|look| look.is_changed() && again).map(|_| "");
    let follow = {
        let session = session.clone();
        Callback::from(move |_: MouseEvent| session.follow())
    };
    let choice = use_state_eq(Choice::default);
    let choose = Chooser::of(&choice, look.as_ref().as_ref());
    let held = use_mut_ref(Html::default);
    let is_here = use_chunk(look.as_ref().as_ref().and_then(|look| chunk_of(look, &choose)));
    let is_editing = use_state_eq(|| false);
    let tools = use_node_ref();
    let by_hand =
        look.as_ref().as_ref().and_then(|look| by_hand(t, &session, look, &is_editing, &tools)).unwrap_or_default();
    let limits = session.world().server(node).map(|server| server.config().limits).unwrap_or_default();
    html! {
        <section class="panel inside" aria-label={t.panel_inside()} data-testid="inside" data-again={again}>
            <div class="panel-head">
                <h2>{ t.panel_inside() }</h2>
                if let Some(look) = &*look {
                    <code class="inside-key">{ resp::split::quote_argument(&look.key.key) }</code>
                    if let Some(value) = look.value() { { type_badge(t, value.type_name()) } }
                }
                <span class="spacer" />
                { by_hand.0 }
                if session.is_pinned() {
                    { Button::words(t.inside_follow()).look(ButtonLook::Quiet).on(follow) }
                }
            </div>
            <div class="panel-body inside-body" tabindex="0">
                { by_hand.1 }
                {
                    match &*look {
                        None => html! { <div class="panel-empty"><p>{ t.inside_nothing() }</p></div> },
                        Some(_) if !is_here => Html::default(),
                        Some(look) => whole(t, look, &limits, &choose, &held),
                    }
                }
            </div>
        </section>
    }
}

/// Alternates from step to step: a row that glides in two of them then has an animation with another name, which starts again. Anything else
/// that draws the panel again, such as time that passes, starts nothing.
fn is_again(shown: &RefCell<(Option<StepId>, bool)>, step: Option<StepId>) -> bool {
    let mut shown = shown.borrow_mut();
    if shown.0 != step {
        *shown = (step, !shown.1);
    }
    shown.1
}

/// In the sandbox: the buttons that edit and delete the key, by commands of the active client in its own database, and the fields.
fn by_hand(
    t: Lang,
    session: &SessionHandle,
    look: &Look,
    is_editing: &UseStateHandle<bool>,
    tools: &NodeRef,
) -> Option<(Html, Html)> {
    let client = session.active();
    look.value()?;
    let is_its = Database::of_client(session.world(), client) == Some(look.key.database);
    if !is_its || !session.is_of_sandbox() {
        return None;
    }
    let (name, is_open, set) = (session.name_of(client), **is_editing, is_editing.setter());
    let (pinned, edited) = (session.clone(), look.key.clone());
    let toggle = Callback::from(move |_: MouseEvent| {
        // A change of another key must not take the fields away.
        pinned.select(edited.clone());
        set.set(!is_open);
    });
    let (key, running) = (look.key.key.clone(), session.clone());
    let delete = Callback::from(move |_: MouseEvent| running.run(client, vec!["DEL".into(), key.clone()]));
    let buttons = html! {
        <span class="row-tight" ref={tools.clone()}>
            { Button::icon(Picture::Pencil, t.keys_edit(&name)).pressed(is_open).testid("edit-key").on(toggle) }
            { Button::icon(Picture::Trash, t.inside_delete(&name)).testid("delete-key").on(delete) }
        </span>
    };
    let set = is_editing.setter();
    let tools = tools.clone();
    let onclose = Callback::from(move |()| {
        set.set(false);
        // The focus goes back to the button that opened the fields.
        let button = tools.cast::<Element>().and_then(|tools| tools.first_element_child());
        if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
            let _ = button.focus();
        }
    });
    let fields = is_open.then(|| {
        let id = format!("{} {}", look.key.database.db, resp::split::quote_argument(&look.key.key));
        part_of::<Edit>(&id, EditProps { name: look.key.clone(), client, onclose })
    });
    Some((buttons, html! { { for fields } }))
}

/// The chunk that renders this value; `None` if it is the first part of the program.
fn chunk_of(look: &Look, choose: &Chooser) -> Option<Chunk> {
    let value = look.value().or_else(|| look.value_before())?;
    let is_later = match value {
        Value::String(_) => matches!(View::chosen(look, value, &choose.now), View::Bits | View::Registers),
        Value::Set(_) => View::chosen(look, value, &choose.now) == View::Venn,
        Value::ZSet(_) | Value::Stream(_) => true,
        Value::List(_) | Value::Hash(_) => false,
    };
    is_later.then_some(Chunk::Rest)
}

/// Facts, picture and the reason for the encoding. The reason comes before the part of the picture that shows the encoding; if there is
/// none, after the picture. For a deleted key: a message, and the value that the last step removed. `held` is the last picture: it is hidden
/// instead of removed, because changing its elements costs less than creating new ones.
fn whole(t: Lang, look: &Look, limits: &Limits, choose: &Chooser, held: &RefCell<Html>) -> Html {
    let value = look.value();
    let why = html! {
        <>
            <p class="inside-why">
                {
                    match value {
                        Some(value) => html! { <>{ why(t, value, limits) }</> },
                        None => rich(&t.inside_gone(&code(&resp::split::quote_argument(&look.key.key)))),
                    }
                }
            </p>
            if let Some(value) = value { { limits::limits(t, value, limits) } }
        </>
    };
    let is_behind = value.is_some_and(|value| {
        matches!(View::chosen(look, value, &choose.now), View::Bits | View::Registers | View::Map | View::Venn)
    });
    // These have a part that does not show the encoding, and comes first.
    let is_within = !is_behind && matches!(value, Some(Value::Hash(_) | Value::ZSet(_)));
    let drawn = drawn(t, look, choose, if is_within { why.clone() } else { Html::default() });
    let is_nothing = drawn.is_none();
    if let Some(drawn) = drawn {
        *held.borrow_mut() = drawn;
    }
    html! {
        <>
            if let Some(value) = value { <>{ facts(t, look, value, choose) }{ leaving::leaving(t, look) }</> }
            if !is_behind && !is_within { { why.clone() } }
            <div class="inside-held" data-before={value.is_none().then_some("")} hidden={is_nothing}>{ held.borrow().clone() }</div>
            if is_behind { { why } }
        </>
    }
}

/// The picture of a key's value, or of its last value if the last step removed it.
fn drawn(t: Lang, look: &Look, choose: &Chooser, why: Html) -> Option<Html> {
    match (look.value(), look.value_before()) {
        (Some(value), _) => Some(picture(t, look, value, choose, why)),
        (None, Some(before)) => Some(picture(t, &look.earlier(), before, choose, why)),
        (None, None) => None,
    }
}

fn facts(t: Lang, look: &Look, value: &Value, choose: &Chooser) -> Html {
    let before = look.value_before().map(Value::encoding).filter(|encoding| *encoding != value.encoding());
    html! {
        <div class="inside-facts">
            <p>
                if let Some(before) = before { <s class="soft">{ before }</s>{ " → " } }
                <strong class="inside-encoding" data-testid="encoding">{ value.encoding() }</strong>
                <span class="soft">{ " · " }{ t.bytes(value.memory() as u64) }</span>
            </p>
            { choose.views(t, View::all_of(look, value), View::chosen(look, value, &choose.now)) }
        </div>
    }
}

/// Why Redis chose this encoding, and when it would change.
fn why(t: Lang, value: &Value, limits: &Limits) -> String {
    let n = |n: usize| n as u64;
    match (value, value.encoding()) {
        (Value::String(_), "int") => t.inside_why_int().to_owned(),
        (Value::String(_), "embstr") => t.inside_why_embstr().to_owned(),
        (Value::String(_), _) => t.inside_why_raw().to_owned(),
        (Value::List(list), _) => t.inside_why_quicklist(n(list.nodes().count())),
        (Value::Hash(_), "listpack") => t.say(InsideWhyHashListpack {
            entries: n(limits.hash_max_listpack_entries),
            bytes: n(limits.hash_max_listpack_value),
        }),
        (Value::Hash(_), _) => t.say(InsideWhyHashTable {
            entries: n(limits.hash_max_listpack_entries),
            bytes: n(limits.hash_max_listpack_value),
        }),
        (Value::Set(_), "intset") => t.inside_why_intset(n(limits.set_max_intset_entries)),
        (Value::Set(_), _) => t.inside_why_set_table(n(limits.set_max_intset_entries)),
        (Value::ZSet(_), "listpack") => t.say(InsideWhyZsetListpack {
            entries: n(limits.zset_max_listpack_entries),
            bytes: n(limits.zset_max_listpack_value),
        }),
        (Value::ZSet(_), _) => t.say(InsideWhySkiplist {
            entries: n(limits.zset_max_listpack_entries),
            bytes: n(limits.zset_max_listpack_value),
        }),
        (Value::Stream(_), _) => t.say(InsideWhyStream {
            entries: n(limits.stream_node_max_entries),
            bytes: n(limits.stream_node_max_bytes),
        }),
    }
}

/// The picture of a value. Those of a hash and of a sorted set contain `why`, the reason for their encoding.
fn picture(t: Lang, look: &Look, value: &Value, choose: &Chooser, why: Html) -> Html {
    let view = View::chosen(look, value, &choose.now);
    let before = look.value_before();
    let is_changed = look.is_changed();
    match value {
        Value::String(now) => {
            let before = if let Some(Value::String(before)) = before { Some(before) } else { None };
            match view {
                View::Bits => bits::picture(t, look, before, now, choose),
                View::Registers => registers::picture(t, look, before, now),
                _ => string::picture(t, before, now, is_changed),
            }
        }
        Value::List(now) => {
            let before = if let Some(Value::List(before)) = before { Some(&**before) } else { None };
            list::picture(t, before, now, is_changed)
        }
        Value::Hash(now) => {
            let before = if let Some(Value::Hash(before)) = before { Some(&**before) } else { None };
            table::hash(t, look, before, now, choose, why)
        }
        Value::Set(now) => {
            let before = if let Some(Value::Set(before)) = before { Some(&**before) } else { None };
            match view {
                View::Venn => venn::picture(t, look, before, now, choose),
                _ => table::set(t, before, now, is_changed),
            }
        }
        Value::ZSet(now) => {
            let before = if let Some(Value::ZSet(before)) = before { Some(&**before) } else { None };
            match view {
                View::Map => map::picture(t, look, before, now, choose),
                _ => ranking::picture(t, look, before, now, why),
            }
        }
        Value::Stream(now) => {
            let before = if let Some(Value::Stream(before)) = before { Some(&**before) } else { None };
            stream::picture(t, before, now, is_changed)
        }
    }
}
