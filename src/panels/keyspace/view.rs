//! What differs from the usual list of keys: the menu for order, type and shape, and the groups of the tree.
use bytes::Bytes;
use yew::prelude::*;

use crate::hooks::{SessionPart, use_lang, use_preferences, use_session_for};
use crate::i18n::Lang;
use crate::i18n::messages::KeysKind;
use crate::state::description::type_name;
use crate::state::key::Database;
use crate::state::keyspace::arrange::kinds;
use crate::state::keyspace::{Arrangement, Order, Wanted};
use crate::state::preferences::Prefer;
use crate::ui::{Menu, MenuProps, Picture, choice, html, icon, part};

/// Properties of the menu.
#[derive(Clone, PartialEq, Properties)]
pub struct ViewProps {
    /// The shown database.
    pub database: Database,
    /// What is listed.
    pub wanted: Wanted,
    /// Lists only keys of this type.
    pub onkind: Callback<Option<&'static str>>,
}

/// The button with its menu.
#[inline(never)]
pub fn menu(t: Lang, props: ViewProps) -> Html {
    let label = AttrValue::from(t.keys_view());
    let id = format!("menu-keys-{}", props.database.node);
    let is_other = !props.wanted.is_usual();
    let draw = Callback::from(move |()| part::<Choices>(props.clone()));
    html! {
        <>
            <button type="button" class="button button-quiet button-icon" title={label.clone()} aria-label={label.clone()}
                popovertarget={id.clone()} data-on={is_other.then_some("")} data-testid="keys-view">{ icon(Picture::List) }</button>
            { part::<Menu>(MenuProps { id, label, testid: "keys-menu", draw }) }
        </>
    }
}

/// What the menu offers.
#[component]
fn Choices(props: &ViewProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let preferences = use_preferences();
    let Wanted { filter, kind, .. } = &props.wanted;
    let now = preferences.now().keyspace;
    let found = props.database.find(session.world()).map(|db| kinds(db, filter)).unwrap_or_default();
    let all = found.iter().map(|(_, count)| *count).sum::<usize>();
    // The chosen type stays in the list when its last key is gone.
    let chosen = kind.filter(|kind| found.iter().all(|(other, _)| other != kind)).map(|kind| (kind, 0));
    let counts: Vec<(Option<&'static str>, usize)> = std::iter::once((None, all))
        .chain(found.into_iter().chain(chosen).map(|(kind, count)| (Some(kind), count)))
        .collect();
    let types: Vec<Option<&'static str>> = counts.iter().map(|(kind, _)| *kind).collect();
    let type_words = |kind: &Option<&'static str>| {
        let n = counts.iter().find(|(other, _)| other == kind).map_or(0, |(_, count)| *count) as u64;
        match kind {
            Some(kind) => t.say(KeysKind { kind: type_name(t, kind), n }),
            None => t.keys_all_types(n),
        }
    };
    let shape_words = |is_tree: &bool| if *is_tree { t.keys_tree() } else { t.keys_list() }.to_owned();
    let order_words = |order: &Order| order_word(t, *order).to_owned();
    let (onkind, prefer, prefer_shape) = (props.onkind.clone(), preferences.clone(), preferences.clone());
    html! {
        <div class="keys-choices">
            <label>
                <span>{ t.keys_type() }</span>
                { choice(None, "keys-type", &types, kind, type_words, move |kind| onkind.emit(kind)) }
            </label>
            <label>
                <span>{ t.keys_order() }</span>
                { choice(None, "keys-order", &Arrangement::ORDERS, &now.order, order_words,
                    move |order| prefer.prefer(Prefer::Keyspace(Arrangement { order, ..now }))) }
            </label>
            <label>
                <span>{ t.keys_shape() }</span>
                { choice(None, "keys-shape", &[false, true], &now.is_tree, shape_words,
                    move |is_tree| prefer_shape.prefer(Prefer::Keyspace(Arrangement { is_tree, ..now }))) }
            </label>
        </div>
    }
}

fn order_word(t: Lang, order: Order) -> &'static str {
    match order {
        Order::Name => t.keys_by_name(),
        Order::Recent => t.keys_by_change(),
        Order::Expiry => t.keys_by_expiry(),
        Order::Size => t.keys_by_size(),
    }
}

/// A group of the tree.
#[inline(never)]
pub fn group(
    t: Lang,
    id: String,
    (prefix, depth): (&Bytes, usize),
    count: usize,
    (is_open, is_active): (bool, bool),
    onclick: Callback<MouseEvent>,
) -> Html {
    html! {
        <li key={format!("group {}", String::from_utf8_lossy(prefix))} {id} class="key-row key-group" role="treeitem" {onclick}
            aria-selected={if is_active { "true" } else { "false" }} aria-level={depth.saturating_add(1).to_string()} aria-expanded={if is_open { "true" } else { "false" }} style={format!("--level: {depth}")}>
            <span aria-hidden="true">{ if is_open { "▾" } else { "▸" } }</span>
            <span class="key-name">{ resp::split::quote_argument(prefix) }</span>
            <span class="soft small">{ t.keys_count(count as u64) }</span>
        </li>
    }
}
