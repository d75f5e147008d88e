//! One row of the key list: name, value, type, encoding, size, time to live, and the change made by the last step.
use bytes::Bytes;
use redis_model::value::Value;
use yew::prelude::*;

use crate::hooks::{SessionHandle, SessionPart, use_clock, use_lang, use_session_for};
use crate::i18n::Lang;
use crate::state::key::KeyName;
use crate::state::keyspace::Change;
use crate::ui::{html, part, time_ring, type_badge};

/// Maximum number of characters shown of a name.
const NAME_MAX: usize = 120;

/// Size of a value, in the unit that suits its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Length of a string in bytes.
    Bytes(usize),
    /// Number of elements, fields or members.
    Elements(usize),
}

/// Size of a value.
pub fn size_of(value: &Value) -> Size {
    match value {
        Value::String(string) => Size::Bytes(string.len()),
        Value::List(list) => Size::Elements(list.len()),
        Value::Set(set) => Size::Elements(set.len()),
        Value::Hash(hash) => Size::Elements(hash.len()),
        Value::ZSet(zset) => Size::Elements(zset.len()),
        Value::Stream(stream) => Size::Elements(stream.len()),
    }
}

/// Properties of [`KeyRow`].
#[derive(Clone, PartialEq, Properties)]
pub struct KeyRowProps {
    /// Id of the element.
    pub id: String,
    /// Node, database and name of the key.
    pub name: KeyName,
    /// In a tree: the number of groups around it, and the length of the prefix that they show.
    pub inner: Option<(usize, usize)>,
    /// The type, as `TYPE` replies.
    pub kind: &'static str,
    /// The encoding, as `OBJECT ENCODING` replies.
    pub encoding: &'static str,
    /// Size of the value.
    pub size: Size,
    /// The value as one line; empty until its chunk of the program is loaded.
    pub value: String,
    /// The value before the last step, if that changed it.
    pub was: Option<String>,
    /// Memory of the key, in bytes.
    pub memory: usize,
    /// When the key expires, Unix time in ms.
    pub expires_ms: Option<u64>,
    /// The change made by the last step.
    pub change: Option<Change>,
    /// Whether the panel Inside shows this key.
    pub is_selected: bool,
}

/// The row of one key.
#[component]
pub fn KeyRow(props: &KeyRowProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps, SessionPart::Look]);
    let name = props.name.clone();
    let onclick = Callback::from(move |_: MouseEvent| session.select(name.clone()));
    let size = match props.size {
        Size::Bytes(bytes) => t.bytes(bytes as u64),
        Size::Elements(count) => t.number(count as u64),
    };
    let (mark, word) = match props.change {
        Some(Change::Came) => ("+", t.keyspace_came()),
        Some(Change::Changed) => ("∗", t.keyspace_changed()),
        Some(Change::Went | Change::Expired | Change::Evicted) | None => ("", ""),
    };
    let (role, level) = match props.inner {
        Some((depth, _)) => ("treeitem", Some(depth.saturating_add(1).to_string())),
        None => ("option", None),
    };
    let (prefix, rest) = match props.inner {
        Some((_, start)) if start < props.name.key.len() => {
            (props.name.key.slice(..start), props.name.key.slice(start..))
        }
        _ => (Bytes::new(), props.name.key.clone()),
    };
    html! {
        <li id={props.id.clone()} class="key-row" {role} aria-level={level} data-change={(!mark.is_empty()).then_some("")} {onclick}
            aria-selected={if props.is_selected { "true" } else { "false" }} title={t.bytes(props.memory as u64)}
            style={props.inner.map(|(depth, _)| format!("--level: {depth}"))}>
            <span class="key-change" aria-label={(!word.is_empty()).then_some(word)} title={word}>{ mark }</span>
            <span class="key-name">
                if !prefix.is_empty() { <span class="sr-only">{ shown(&prefix) }</span> }
                { shown(&rest) }
            </span>
            <span class="key-value" data-testid="key-value">
                if let Some(was) = &props.was { <s>{ was }</s>{ " → " } }
                { &props.value }
            </span>
            { type_badge(t, props.kind) }
            <span class="key-encoding soft">{ props.encoding }</span>
            <span class="key-size tabular">{ size }</span>
            <span class="key-ttl">
                if let Some(expires_ms) = props.expires_ms { { part::<Ttl>(TtlProps { expires_ms }) } }
            </span>
        </li>
    }
}

/// A name, quoted as for redis-cli and shortened.
fn shown(name: &Bytes) -> String {
    let quoted = resp::split::quote_argument(name);
    match quoted.char_indices().nth(NAME_MAX) {
        Some((end, _)) => format!("{}…", quoted.get(..end).unwrap_or_default()),
        None => quoted,
    }
}

#[derive(Clone, PartialEq, Properties)]
struct TtlProps {
    /// When the key expires, Unix time in ms.
    expires_ms: u64,
}

/// Time to live of a key as ring and number, updated with the virtual clock.
#[component]
fn Ttl(props: &TtlProps) -> Html {
    let t = use_lang();
    let now_ms = use_clock().now_ms;
    // The ring is full when this deadline is first seen.
    let whole = use_mut_ref(|| (0u64, 0u64));
    let left_ms = props.expires_ms.saturating_sub(now_ms);
    {
        let mut whole = whole.borrow_mut();
        if whole.0 != props.expires_ms || whole.1 < left_ms {
            *whole = (props.expires_ms, left_ms);
        }
    }
    let whole_ms = whole.borrow().1;
    if now_ms > props.expires_ms {
        return html! { <span class="key-overdue" title={t.keyspace_overdue_hint()}>{ t.keyspace_overdue() }</span> };
    }
    // Faster digits could not be read.
    let step_ms = if left_ms < 10_000 { 100 } else { 1_000 };
    let shown_ms = left_ms.div_ceil(step_ms).saturating_mul(step_ms);
    html! { <>{ time_ring(left_ms, whole_ms) }<span class="tabular">{ t.duration(shown_ms) }</span></> }
}

/// A key removed by the last step: a click shows its last value.
pub fn gone(t: Lang, session: &SessionHandle, name: KeyName, change: Change) -> Html {
    let word = match change {
        Change::Expired => t.keyspace_expired(),
        Change::Evicted => t.keyspace_evicted(),
        _ => t.keyspace_went(),
    };
    let text = shown(&name.key);
    let session = session.clone();
    let click = Callback::from(move |_: MouseEvent| session.select(name.clone()));
    html! {
        <li class="key-row key-gone" data-why={change.word()}>
            <span class="key-change">{ "−" }</span>
            <button type="button" class="key-name" onclick={click}><s>{ text }</s></button>
            <span class="small">{ word }</span>
        </li>
    }
}
