//! One entry of a terminal's log: a command, a reply, a push message, or an event of the connection.
use std::cell::RefCell;
use std::mem;
use std::rc::Rc;

use bytes::Bytes;
use redis_model::{CloseReason, WaitReason};
use resp::cli::{self, SpanKind};
use resp::{Value, split};
use yew::prelude::*;

use super::explained::explained;
use crate::hooks::assets::Chunk;
use crate::hooks::{SessionHandle, use_lang};
use crate::i18n::{Lang, code, rich, time_of_day};
use crate::state::key::{Database, KeyName};
use crate::state::terminal::transcript::{Entry, ItemContent, readable, reply_lines};
use crate::ui::{html, later};

/// Maximum number of lines shown of a reply until the reader expands it.
const LINES_DRAWN: usize = 120;
/// Maximum number of lines shown of an expanded reply.
const LINES_MAX: usize = 5_000;
/// Maximum number of characters shown of one word or line; more would slow the browser down.
pub const CHARS_MAX: usize = 4_000;
/// Maximum number of characters shown of a word with several lines, usually a script.
const SCRIPT_CHARS_MAX: usize = 80;
/// Maximum number of words shown of a command.
pub const WORDS_DRAWN: usize = 100;

/// Properties of [`Asked`].
#[derive(Clone, PartialEq, Properties)]
pub struct AskedProps {
    /// The prompt before the command.
    pub prompt: String,
    /// Its words.
    pub argv: Rc<[Bytes]>,
    /// The database to which it was sent.
    pub database: Option<Database>,
    /// For each word: whether it is an existing key.
    pub links: Vec<bool>,
    /// A key was clicked.
    pub onselect: Callback<KeyName>,
}

/// A command after its prompt, with links from its keys to their inside.
#[component]
pub fn Asked(props: &AskedProps) -> Html {
    let t = use_lang();
    let hidden = props.argv.len().saturating_sub(WORDS_DRAWN);
    // Words between two links form one text, so that a jump in time creates fewer DOM nodes.
    let (mut drawn, mut words) = (Vec::new(), String::new());
    for (place, word) in props.argv.iter().take(WORDS_DRAWN).enumerate() {
        // A long script would hide its command; the script editor shows the whole script.
        let most = if word.contains(&b'\n') { SCRIPT_CHARS_MAX } else { CHARS_MAX };
        let shown = clipped(&split::quote_argument(word), most);
        if place > 0 {
            words.push(' ');
        }
        match props.database.filter(|_| props.links.get(place) == Some(&true)) {
            Some(database) => {
                drawn.push(html! { { mem::take(&mut words) } });
                drawn.push(key_link(&shown, database.key(word.clone()), &props.onselect));
            }
            None => words.push_str(&shown),
        }
    }
    drawn.push(html! { { words } });
    html! {
        <div class="terminal-command">
            <b>{ &props.prompt }</b>{ drawn }
            if hidden > 0 { <small>{ " " }{ t.terminal_words(hidden as u64) }</small> }
        </div>
    }
}

/// A key as a link to its inside. A link, not a button, so that its text can be selected.
fn key_link(shown: &str, key: KeyName, onselect: &Callback<KeyName>) -> Html {
    let onselect = onselect.clone();
    let onclick = Callback::from(move |event: MouseEvent| {
        event.prevent_default();
        event.stop_propagation();
        onselect.emit(key.clone());
    });
    html! { <a class="key-link" href="#" tabindex="-1" {onclick}>{ shown }</a> }
}

pub fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}… ({} B)", text.get(..end).unwrap_or_default(), text.len()),
        None => text.to_owned(),
    }
}

/// Properties of [`Answer`].
#[derive(Clone, Properties)]
pub struct AnswerProps {
    /// The reply or push message.
    pub entry: Rc<Entry>,
    /// For each word that may be a key: whether it is an existing key now.
    pub links: Vec<bool>,
    /// The current session.
    pub session: Rc<RefCell<SessionHandle>>,
    /// A key was clicked.
    pub onselect: Callback<KeyName>,
    /// A suggested line was clicked.
    pub onrun: Callback<String>,
}

impl PartialEq for AnswerProps {
    // The session is used only for the past, which does not change, and for existing keys, which are compared through `links`.
    fn eq(&self, other: &AnswerProps) -> bool {
        Rc::ptr_eq(&self.entry, &other.entry) && self.links == other.links
    }
}

/// A reply or a push message in the format of redis-cli; below an error, its explanation.
#[component]
pub fn Answer(props: &AnswerProps) -> Html {
    let t = use_lang();
    let is_whole = use_state_eq(|| false);
    let (value, protocol, argv) = match &props.entry.what {
        ItemContent::Reply { value, protocol, argv } => (value, *protocol, Some(argv)),
        ItemContent::Push { value, protocol } => (value, *protocol, None),
        _ => return Html::default(),
    };
    let words = argv.map(AsRef::as_ref).unwrap_or_default();
    let lines = reply_lines(value, protocol, words);
    let database = database_of(&props.session.borrow(), &props.entry);
    let explanation = matches!(value, Value::Error(_)).then(|| {
        let (entry, session, onrun) = (Rc::clone(&props.entry), Rc::clone(&props.session), props.onrun.clone());
        later(Chunk::Rest, move || explained(t, &entry, &session.borrow(), database, &onrun))
    });
    let most = if *is_whole { LINES_MAX } else { LINES_DRAWN };
    let all = {
        let is_whole = is_whole.clone();
        Callback::from(move |_: MouseEvent| is_whole.set(true))
    };
    let hidden = lines.len().saturating_sub(most);
    html! {
        <div class={if argv.is_some() { "terminal-answer" } else { "terminal-answer terminal-push" }} data-whole={is_whole.then_some("")}>
            { for lines.iter().take(most).map(|line| line_html(line, &props.session, database, &props.onselect)) }
            if hidden > 0 {
                if *is_whole {
                    <p class="terminal-explains">{ t.terminal_not_drawn(hidden as u64) }</p>
                } else {
                    <button type="button" class="terminal-more" onclick={all}>{ t.terminal_rest(hidden as u64) }</button>
                }
            }
            { for explanation }
        </div>
    }
}

/// Lower bound of the number of lines that an unexpanded entry takes; at least 1.
pub fn rows(entry: &Entry) -> usize {
    fn count(value: &Value, most: usize) -> usize {
        match value {
            Value::Array(values) | Value::Set(values) | Value::Push(values) => {
                let mut sum = 0_usize;
                for each in values.iter().take(most) {
                    sum = sum.saturating_add(count(each, most.saturating_sub(sum)));
                }
                sum
            }
            Value::Map(pairs) => pairs.len(),
            _ => 1,
        }
    }
    let sum = match &entry.what {
        ItemContent::Reply { value: Value::Bulk(text) | Value::Verbatim(_, text), argv, .. }
            if cli::prints_raw(argv) =>
        {
            text.iter().filter(|byte| **byte == b'\n').count()
        }
        ItemContent::Reply { value, .. } | ItemContent::Push { value, .. } => count(value, LINES_DRAWN),
        ItemContent::Result { text, .. } => text.lines().count(),
        _ => 1,
    };
    sum.clamp(1, LINES_DRAWN)
}

/// The words of a reply that may be keys, within the lines shown of an unexpanded entry.
pub fn sources(entry: &Entry) -> Rc<[Bytes]> {
    let (value, protocol, argv) = match &entry.what {
        ItemContent::Reply { value, protocol, argv } => (value, *protocol, argv.as_ref()),
        ItemContent::Push { value, protocol } => (value, *protocol, [].as_slice()),
        _ => return Rc::default(),
    };
    let lines = reply_lines(value, protocol, argv);
    let spans = lines.into_iter().take(LINES_DRAWN).flat_map(|line| line.spans);
    spans.filter_map(|span| span.source).collect()
}

/// The database that a reply is about: that of the command in its step on the same node, or else database 0 there.
pub fn database_of(session: &SessionHandle, entry: &Entry) -> Option<Database> {
    let node = entry.node?;
    let events = session.timeline().step(entry.step).map(|step| step.events.as_slice()).unwrap_or_default();
    let db = events.iter().filter(|event| event.node == Some(node)).find_map(|event| match &event.kind {
        world::EventKind::Command { db, .. } => Some(*db),
        _ => None,
    });
    Some(Database { node, db: db.unwrap_or(0) })
}

fn line_html(
    line: &cli::Line,
    session: &Rc<RefCell<SessionHandle>>,
    database: Option<Database>,
    onselect: &Callback<KeyName>,
) -> Html {
    // All indices before an element look the same, however deeply it is nested, so they share one DOM element.
    let lead = |span: &&cli::Span| class_of(span.kind) == "said-index" && span.source.is_none();
    let before: String = line.spans.iter().take_while(lead).map(|span| span.text.as_str()).collect();
    let rest = line.spans.iter().skip_while(lead);
    html! {
        <div>
            if !before.is_empty() { <span class="said-index">{ before }</span> }
            { for rest.map(|span| span_html(span, session, database, onselect)) }
        </div>
    }
}

fn class_of(kind: SpanKind) -> &'static str {
    match kind {
        SpanKind::Indent | SpanKind::Index | SpanKind::Punctuation => "said-index",
        SpanKind::Tag => "said-tag",
        SpanKind::Integer | SpanKind::Double => "said-number",
        SpanKind::Status => "said-status",
        SpanKind::Error => "said-error",
        SpanKind::String | SpanKind::Text => "said-string",
        SpanKind::Nil | SpanKind::Empty | SpanKind::Boolean => "said-nothing",
    }
}

fn span_html(
    span: &cli::Span,
    session: &Rc<RefCell<SessionHandle>>,
    database: Option<Database>,
    onselect: &Callback<KeyName>,
) -> Html {
    let class = class_of(span.kind);
    let text = clipped(&span.text, CHARS_MAX);
    let Some(source) = &span.source else { return html! { <span {class}>{ text }</span> } };
    let key = database.map(|database| database.key(source.clone()));
    let shown = match key.filter(|key| key.entry(session.borrow().world()).is_some()) {
        Some(key) => key_link(&text, key, onselect),
        None => html! { { &text } },
    };
    html! {
        <span {class}>
            { shown }
            // Shown next to the escapes of redis-cli, not instead of them, so that a copied transcript stays exact. Errors have no escapes.
            if let Some(readable) = readable(source).filter(|readable| !text.contains(readable)) { <span class="said-readable" data-text={readable} /> }
        </span>
    }
}

/// An event of a connection as a sentence.
pub fn said(t: Lang, what: &ItemContent, at_ms: u64) -> Option<Html> {
    let text = match what {
        ItemContent::Blocked { wait, clock_ms } => match &wait.reason {
            WaitReason::Keys { keys, .. } => {
                let keys: Vec<String> = keys.iter().map(|key| code(&split::quote_argument(key))).collect();
                t.terminal_waits(&keys.join(t.step_comma()))
            }
            WaitReason::Replicas => t.terminal_waits_replicas().to_owned(),
            WaitReason::Sleep => t.terminal_sleeps().to_owned(),
            WaitReason::Pause => t.terminal_waits_pause().to_owned(),
            WaitReason::Script { ends_ms: Some(ends_ms) } => {
                t.terminal_waits_script_end(ends_ms.saturating_sub(*clock_ms))
            }
            WaitReason::Script { ends_ms: None } => t.terminal_waits_script().to_owned(),
        },
        ItemContent::UnderWay { ms, .. } => t.terminal_under_way(*ms),
        ItemContent::Interrupted => "^C".to_owned(),
        ItemContent::Disconnected(None) => return None,
        ItemContent::Disconnected(Some(CloseReason::Quit)) => t.terminal_quit().to_owned(),
        ItemContent::Disconnected(Some(CloseReason::CrossProtocol)) => t.terminal_cross_protocol().to_owned(),
        ItemContent::Disconnected(Some(CloseReason::Killed)) => t.terminal_killed().to_owned(),
        ItemContent::Disconnected(Some(CloseReason::OutputBuffer)) => t.terminal_overflowed().to_owned(),
        ItemContent::Disconnected(Some(CloseReason::Crashed)) => t.terminal_crashed().to_owned(),
        ItemContent::Refused => t.terminal_refused().to_owned(),
        ItemContent::Unreachable => t.terminal_unreachable().to_owned(),
        ItemContent::TooManyConnections => t.terminal_too_many_connections().to_owned(),
        ItemContent::Paused => t.terminal_paused().to_owned(),
        ItemContent::Resumed => t.terminal_resumed().to_owned(),
        ItemContent::Connected => t.terminal_reconnected().to_owned(),
        ItemContent::Command { .. }
        | ItemContent::Reply { .. }
        | ItemContent::Push { .. }
        | ItemContent::Statement { .. }
        | ItemContent::Result { .. }
        | ItemContent::RowWait { .. } => return None,
    };
    Some(happened(&text, at_ms))
}

/// The text of an event with its time.
pub fn happened(text: &str, at_ms: u64) -> Html {
    html! { <p class="terminal-happened"><time>{ time_of_day(at_ms) }</time>{ rich(text) }</p> }
}
