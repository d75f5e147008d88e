//! The input line of a terminal: typing, history and its search, completion, the grey hint, pasting, and the documentation above it.
use std::rc::Rc;

use resp::split::quote_command;
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, HtmlInputElement};
use world::ClientIndex;
use yew::prelude::*;

use super::documentation::{Documentation, DocumentationProps};
use crate::hooks::assets::Chunk;
use crate::hooks::{PreferencesHandle, SessionHandle, scripts, use_lang, use_notices, use_preferences};
use crate::i18n::Lang;
use crate::state::key::Database;
use crate::state::notices::NoticeText;
use crate::state::preferences::Prefer;
use crate::state::terminal::complete::{self, Candidate, CandidateKind, Completion};
use crate::state::terminal::eval;
use crate::state::terminal::history::{self, Walk};
use crate::state::terminal::notes::Notes;
use crate::state::terminal::paste::{self, Paste};
use crate::state::terminal::statement;
use crate::ui::{Picture, html, icon, later, part};

/// Properties of [`Line`].
#[derive(Clone, PartialEq, Properties)]
pub struct LineProps {
    /// The client of the line.
    pub client: ClientIndex,
    /// Its accessible name.
    pub label: String,
    /// The prompt before it.
    pub prompt: String,
    /// Whether the client is blocked by a command: lines typed meanwhile run after it.
    pub is_waiting: bool,
    /// Whether this is the line of the active client.
    pub is_active: bool,
    /// The session, for completion of keys and for the history.
    pub session: SessionHandle,
    /// The notes of the terminal, which map commands to the lines that were typed for them.
    pub notes: Notes,
    /// Receives the lines to run.
    pub onsubmit: Callback<Vec<String>>,
    /// Ctrl-C.
    pub oninterrupt: Callback<()>,
    /// Ctrl-L.
    pub onclear: Callback<()>,
    /// Called when the line receives the focus.
    pub onfocus: Callback<()>,
}

impl LineProps {
    /// The history. Computed on demand: doing it at each step would cost more than the step.
    fn lines(&self) -> Rc<[String]> {
        let lines = history::of(self.session.timeline(), self.client);
        let evaluated: Vec<(String, &str)> =
            self.notes.evaluated().map(|(argv, typed)| (quote_command(argv), typed)).collect();
        let typed = |line: &String| evaluated.iter().find(|(command, _)| command == line).map(|(_, typed)| *typed);
        lines.iter().map(|line| typed(line).unwrap_or(line).to_owned()).collect()
    }
}

/// The mode of the line.
#[derive(Clone, Debug, Default, PartialEq)]
enum Mode {
    /// Typing.
    #[default]
    Typing,
    /// Choosing among candidates.
    Choosing { completion: Completion, chosen: usize },
    /// Searching the history for the typed text.
    Searching { nth: usize, draft: String },
}

/// The state of the line that keys can change.
#[derive(Clone, Debug, Default, PartialEq)]
struct Editing {
    text: String,
    walk: Walk,
    mode: Mode,
}

/// The input line.
#[component]
pub fn Line(props: &LineProps) -> Html {
    let t = use_lang();
    let notices = use_notices();
    let preferences = use_preferences();
    let editing = {
        let text = props.session.draft(props.client);
        use_state_eq(move || Editing { text, ..Editing::default() })
    };
    {
        let (session, client) = (props.session.clone(), props.client);
        use_effect_with(editing.text.clone(), move |text| session.keep_draft(client, text));
    }
    let run = use_callback(props.onsubmit.clone(), |line: String, onsubmit| onsubmit.emit(vec![line]));
    let input = use_node_ref();
    use_focus(&input, props.is_active);
    let id = format!("line-{}", props.client);
    let typed = {
        let editing = editing.clone();
        Callback::from(move |event: InputEvent| {
            let text = event.target_unchecked_into::<HtmlInputElement>().value();
            let mode = match &editing.mode {
                Mode::Searching { draft, .. } => Mode::Searching { nth: 0, draft: draft.clone() },
                _ => Mode::Typing,
            };
            editing.set(Editing { text, walk: Walk::default(), mode });
        })
    };
    let key = {
        let (editing, props) = (editing.clone(), props.clone());
        Callback::from(move |event: KeyboardEvent| on_key(&event, &editing, &props))
    };
    let pasted = {
        let (editing, onsubmit) = (editing.clone(), props.onsubmit.clone());
        Callback::from(move |event: Event| {
            let Some(event) = event.dyn_ref::<ClipboardEvent>() else { return };
            let text = event.clipboard_data().and_then(|data| data.get_data("text").ok()).unwrap_or_default();
            match paste::read(&editing.text, &text) {
                Paste::Inline => {}
                Paste::TooLarge => {
                    event.prevent_default();
                    notices.say(NoticeText::PasteTooLarge);
                }
                Paste::Lines(lines, rest) => {
                    event.prevent_default();
                    editing.set(Editing { text: rest, ..Editing::default() });
                    onsubmit.emit(lines);
                }
            }
        })
    };
    let focused = {
        let onfocus = props.onfocus.clone();
        Callback::from(move |_: FocusEvent| onfocus.emit(()))
    };
    let left = {
        let editing = editing.clone();
        Callback::from(move |_: FocusEvent| {
            if matches!(editing.mode, Mode::Choosing { .. }) {
                editing.set(Editing { mode: Mode::Typing, ..(*editing).clone() });
            }
        })
    };
    let is_choosing = matches!(editing.mode, Mode::Choosing { .. });
    let has_commands = props.session.database_of(props.client).is_none();
    // Only the active terminal shows it, so that it takes room once.
    let is_documented = has_commands && props.is_active && preferences.now().documentation_open;
    let hint = match props.session.database_of(props.client) {
        _ if editing.mode != Mode::Typing => String::new(),
        Some(_) => statement::hint(&editing.text),
        None => complete::hint(&editing.text),
    };
    let active = match &editing.mode {
        Mode::Choosing { chosen, .. } => Some(format!("{id}-{chosen}")),
        _ => None,
    };
    html! {
        <>
        <div class="terminal-line">
            { choices(&id, &editing, &input) }
            if let Mode::Searching { nth, .. } = &editing.mode {
                <p class="terminal-search" aria-live="polite">
                    { t.terminal_search() }{ " " }
                    <code>{ history::search(&props.lines(), &editing.text, *nth).cloned().unwrap_or_default() }</code>
                </p>
            }
            <span class="terminal-prompt" aria-hidden="true">{ &props.prompt }</span>
            <span class="terminal-typing">
                <span class="terminal-ghost" aria-hidden="true"><span>{ &editing.text }</span>{ &hint }</span>
                <input ref={input} id={id.clone()} class="terminal-input" value={editing.text.clone()} oninput={typed} onkeydown={key}
                    onpaste={pasted} onfocus={focused} onblur={left} autocomplete="off" autocapitalize="off" autocorrect="off"
                    spellcheck="false" aria-label={props.label.clone()} role="combobox" aria-autocomplete="list"
                    aria-expanded={if is_choosing { "true" } else { "false" }} aria-controls={format!("{id}-choices")}
                    aria-activedescendant={active} placeholder={props.is_waiting.then(|| t.terminal_waiting_line())}
                    data-testid={format!("input-{}", props.client)} />
            </span>
            if has_commands { { documentation_toggle(t, &id, is_documented, preferences, &props.onfocus) } }
        </div>
        if is_documented {
            { later(Chunk::Rest, {
                let shown = DocumentationProps { id: documentation_id(&id), line: editing.text.clone(), onrun: run };
                move || part::<Documentation>(shown.clone())
            }) }
        }
        </>
    }
}

fn documentation_id(line: &str) -> String {
    format!("{line}-documentation")
}

/// The button that opens and closes the documentation of the command being typed. It leaves the focus where it is.
fn documentation_toggle(
    t: Lang,
    line: &str,
    is_open: bool,
    preferences: PreferencesHandle,
    onfocus: &Callback<()>,
) -> Html {
    let activate = onfocus.clone();
    let onclick = Callback::from(move |event: MouseEvent| {
        event.stop_propagation();
        preferences.prefer(Prefer::DocumentationOpen(!is_open));
        if !is_open {
            activate.emit(());
        }
    });
    let onmousedown = Callback::from(|event: MouseEvent| event.prevent_default());
    html! {
        <button type="button" class="button button-quiet button-icon soft" {onclick} {onmousedown}
            aria-label={t.documentation_toggle()} title={t.documentation_toggle()}
            aria-expanded={if is_open { "true" } else { "false" }} aria-controls={is_open.then(|| documentation_id(line))}
            data-testid="documentation-toggle">
            { icon(Picture::Help) }
        </button>
    }
}

#[hook]
fn use_focus(input: &NodeRef, is_active: bool) {
    let input = input.clone();
    use_effect_with(is_active, move |is_active| {
        if *is_active
            && !is_among_tabs()
            && let Some(input) = input.cast::<HtmlInputElement>()
        {
            let _ = input.focus();
        }
    });
}

/// Whether the reader moves through tabs with the arrow keys: then this line must not take the focus.
fn is_among_tabs() -> bool {
    let active = web_sys::window().and_then(|window| window.document()).and_then(|document| document.active_element());
    active.is_some_and(|active| active.matches("[role=tab]:focus-visible").unwrap_or(false))
}

fn choices(id: &str, editing: &UseStateHandle<Editing>, input: &NodeRef) -> Html {
    let Mode::Choosing { completion, chosen } = &editing.mode else {
        return html! { <ul class="terminal-choices" id={format!("{id}-choices")} role="listbox" hidden=true /> };
    };
    html! {
        <ul class="terminal-choices" id={format!("{id}-choices")} role="listbox">
            { for completion.candidates.iter().enumerate().map(|(i, candidate)| {
                let (editing, completion, candidate, input) =
                    (editing.clone(), completion.clone(), candidate.clone(), input.clone());
                let class = match candidate.kind {
                    CandidateKind::Command => "choice-command",
                    CandidateKind::Option => "choice-option",
                    CandidateKind::Key => "choice-key",
                };
                let (text, detail) = (candidate.text.clone(), candidate.detail.clone());
                // `mousedown` instead of `click`: a click would first move the focus away from the line.
                let onmousedown = Callback::from(move |event: MouseEvent| {
                    event.prevent_default();
                    take(&editing, &completion, &candidate);
                    if let Some(input) = input.cast::<HtmlInputElement>() { let _ = input.focus(); }
                });
                html! {
                    <li role="option" id={format!("{id}-{i}")} {class} {onmousedown}
                        aria-selected={if i == *chosen { "true" } else { "false" }}>
                        <span>{ text }</span><small>{ detail }</small>
                    </li>
                }
            }) }
        </ul>
    }
}

fn take(editing: &UseStateHandle<Editing>, completion: &Completion, candidate: &Candidate) {
    let text = complete::accept(&editing.text, completion, candidate);
    editing.set(Editing { text, ..Editing::default() });
}

/// Handles a key. While an input method composes text, all keys belong to it.
fn on_key(event: &KeyboardEvent, editing: &UseStateHandle<Editing>, props: &LineProps) {
    if event.is_composing() || event.key_code() == 229 || event.alt_key() || event.meta_key() {
        return;
    }
    let is_done = if event.ctrl_key() {
        on_control(event, editing, props)
    } else {
        match &editing.mode {
            Mode::Typing => on_typing(event, editing, props),
            Mode::Choosing { completion, chosen } => on_choosing(event, editing, completion, *chosen),
            Mode::Searching { nth, draft } => on_searching(event, editing, props, *nth, draft),
        }
    };
    if is_done {
        event.prevent_default();
    }
}

fn submit(editing: &UseStateHandle<Editing>, props: &LineProps, line: String) {
    editing.set(Editing::default());
    props.onsubmit.emit(vec![line]);
}

fn on_typing(event: &KeyboardEvent, editing: &UseStateHandle<Editing>, props: &LineProps) -> bool {
    match event.key().as_str() {
        "Enter" => submit(editing, props, editing.text.clone()),
        "ArrowUp" => match editing.walk.older(&props.lines(), &editing.text) {
            Some((walk, text)) => editing.set(Editing { text, walk, mode: Mode::Typing }),
            None => return true,
        },
        "ArrowDown" => match editing.walk.newer(&props.lines()) {
            Some((walk, text)) => editing.set(Editing { text, walk, mode: Mode::Typing }),
            None => return true,
        },
        "Tab" if !event.shift_key() && !editing.text.is_empty() => return start_choosing(editing, props),
        _ => return false,
    }
    true
}

/// Handles Tab: a single candidate is inserted, several are offered. Without candidates, Tab moves the focus as usual.
fn start_choosing(editing: &UseStateHandle<Editing>, props: &LineProps) -> bool {
    let world = props.session.world();
    let database = Database::of_client(world, props.client);
    if let Some(database) = props.session.database_of(props.client) {
        return offer(editing, statement::complete(&editing.text, database));
    }
    let completion = eval::complete(&editing.text, scripts::names)
        .unwrap_or_else(|| complete::complete(&editing.text, database.and_then(|database| database.find(world))));
    offer(editing, completion)
}

fn offer(editing: &UseStateHandle<Editing>, completion: Completion) -> bool {
    match completion.candidates.as_slice() {
        [] => return false,
        [only] => take(editing, &completion, only),
        _ => editing.set(Editing { mode: Mode::Choosing { completion, chosen: 0 }, ..(**editing).clone() }),
    }
    true
}

fn on_choosing(
    event: &KeyboardEvent,
    editing: &UseStateHandle<Editing>,
    completion: &Completion,
    chosen: usize,
) -> bool {
    let count = completion.candidates.len().max(1);
    let choose = |chosen: usize| {
        let mode = Mode::Choosing { completion: completion.clone(), chosen };
        editing.set(Editing { mode, ..(**editing).clone() });
    };
    match event.key().as_str() {
        "Tab" if event.shift_key() => choose((chosen + count - 1) % count),
        "Tab" | "ArrowDown" => choose((chosen + 1) % count),
        "ArrowUp" => choose((chosen + count - 1) % count),
        "Enter" | "ArrowRight" => match completion.candidates.get(chosen) {
            Some(candidate) => take(editing, completion, candidate),
            None => return false,
        },
        "Escape" => {
            event.stop_propagation();
            editing.set(Editing { mode: Mode::Typing, ..(**editing).clone() });
        }
        _ => return false,
    }
    true
}

fn on_searching(
    event: &KeyboardEvent,
    editing: &UseStateHandle<Editing>,
    props: &LineProps,
    nth: usize,
    draft: &str,
) -> bool {
    let found = history::search(&props.lines(), &editing.text, nth).cloned();
    match event.key().as_str() {
        "Enter" => match found {
            Some(line) => submit(editing, props, line),
            None => editing.set(Editing { text: draft.to_owned(), ..Editing::default() }),
        },
        "Tab" | "ArrowRight" => {
            editing.set(Editing { text: found.unwrap_or_else(|| draft.to_owned()), ..Editing::default() });
        }
        "Escape" => {
            event.stop_propagation();
            editing.set(Editing { text: draft.to_owned(), ..Editing::default() });
        }
        _ => return false,
    }
    true
}

fn on_control(event: &KeyboardEvent, editing: &UseStateHandle<Editing>, props: &LineProps) -> bool {
    match event.key().to_ascii_lowercase().as_str() {
        "c" => {
            let input = event.target_dyn_into::<HtmlInputElement>();
            let is_selecting = input
                .is_some_and(|input| input.selection_start().ok().flatten() != input.selection_end().ok().flatten());
            let selected = web_sys::window().and_then(|window| window.get_selection().ok().flatten());
            // With a selection, Ctrl-C copies it.
            if is_selecting || selected.is_some_and(|selection| !selection.is_collapsed()) {
                return false;
            }
            editing.set(Editing::default());
            props.oninterrupt.emit(());
        }
        "l" => props.onclear.emit(()),
        "u" => editing.set(Editing::default()),
        "r" => {
            let mode = match &editing.mode {
                Mode::Searching { nth, draft } => {
                    let next = nth.saturating_add(1);
                    let is_there = history::search(&props.lines(), &editing.text, next).is_some();
                    Mode::Searching { nth: if is_there { next } else { *nth }, draft: draft.clone() }
                }
                _ => Mode::Searching { nth: 0, draft: editing.text.clone() },
            };
            let text =
                if matches!(editing.mode, Mode::Searching { .. }) { editing.text.clone() } else { String::new() };
            editing.set(Editing { text, walk: Walk::default(), mode });
        }
        _ => return false,
    }
    true
}
