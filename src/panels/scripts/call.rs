//! Running the open file: its keys and arguments, the client, the command, and the result.
use redis_model::{Server, script_sha};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use world::{ClientIndex, NodeIndex};
use yew::prelude::*;

use super::{Act, doing};
use crate::hooks::SessionHandle;
use crate::i18n::messages::ScriptsOutcome;
use crate::i18n::{Lang, code, rich};
use crate::panels::client::slot_of;
use crate::state::scripts::outcome::{LastCall, LineError};
use crate::state::scripts::{EditorAction, File, is_starter};
use crate::state::terminal::transcript::reply_lines;
use crate::ui::{Picture, client_mark, html, icon};

/// Maximum number of lines shown of a reply; the terminal shows all.
const LINES_SHOWN: usize = 8;

/// The fields and the buttons.
pub fn form(
    t: Lang,
    session: &SessionHandle,
    node: NodeIndex,
    file: &File,
    client: ClientIndex,
    act: &Callback<Act>,
) -> Html {
    let is_unreadable = file.words().is_err();
    html! {
        <>
            <div class="script-fields">
                { field("KEYS", &file.keys, "script-keys", act, EditorAction::Keys) }
                { field("ARGV", &file.args, "script-args", act, EditorAction::Args) }
            </div>
            if is_unreadable { <p class="warning small" role="alert">{ t.scripts_words() }</p> }
            <div class="row script-buttons">
                { clients(t, session, node, client, act) }
                if file.is_library() {
                    { library_buttons(t, session.world().server(node), file, is_unreadable, act) }
                } else {
                    { button(t.scripts_run(), "EVAL", true, is_unreadable, "script-run", doing(act, Act::Eval)) }
                    { button(t.scripts_load(), "SCRIPT LOAD", false, false, "script-load", doing(act, Act::Load)) }
                    { button(t.scripts_run_sha(), "EVALSHA", false, is_unreadable, "script-sha", doing(act, Act::EvalSha)) }
                }
            </div>
        </>
    }
}

/// The purpose of the file, and the name under which the node has cached it.
pub fn about(t: Lang, session: &SessionHandle, node: NodeIndex, file: &File) -> Html {
    html! {
        <>
            if let Some(what) = what_it_does(t, &file.name) { <p class="soft small">{ what }</p> }
            if !file.is_library() { { sha_line(t, session.world().server(node), file) } }
        </>
    }
}

/// The purpose of a starter file.
fn what_it_does(t: Lang, name: &str) -> Option<&'static str> {
    is_starter(name).then(|| match name {
        "release.lua" => t.scripts_about_release(),
        "stock.lua" => t.scripts_about_stock(),
        "multiply.lua" => t.scripts_about_multiply(),
        _ => t.scripts_about_locks(),
    })
}

fn field(
    label: &'static str,
    value: &str,
    testid: &'static str,
    act: &Callback<Act>,
    action: fn(String) -> EditorAction,
) -> Html {
    let act = act.clone();
    let oninput = Callback::from(move |event: InputEvent| {
        act.emit(Act::Editor(action(event.target_unchecked_into::<HtmlInputElement>().value())));
    });
    html! {
        <label class="script-field">
            <code>{ label }</code>
            <input class="field code" value={value.to_owned()} {oninput} autocomplete="off" autocapitalize="off" spellcheck="false"
                maxlength="2000" data-testid={testid} />
        </label>
    }
}

/// Selects one of the clients that are connected to the node.
fn clients(t: Lang, session: &SessionHandle, node: NodeIndex, client: ClientIndex, act: &Callback<Act>) -> Html {
    let act = act.clone();
    let onchange = Callback::from(move |event: Event| {
        if let Ok(client) = event.target_unchecked_into::<HtmlSelectElement>().value().parse() {
            act.emit(Act::Editor(EditorAction::Client(client)));
        }
    });
    html! {
        <span class="row-tight" data-client={slot_of(client).to_string()}>
            { client_mark(slot_of(client)) }
            <select class="field script-client" {onchange} aria-label={t.scripts_client()} title={t.scripts_client()}
                data-testid="script-client">
                { for session.world().clients().filter(|(_, found)| found.node == node).map(|(index, found)| html! {
                    <option key={index.to_string()} value={index.to_string()} selected={index == client}>{ &*found.name }</option>
                }) }
            </select>
        </span>
    }
}

fn button(
    words: &'static str,
    command: &'static str,
    is_main: bool,
    is_disabled: bool,
    testid: &'static str,
    onclick: Callback<MouseEvent>,
) -> Html {
    let class = if is_main { "button button-primary script-button" } else { "button script-button" };
    html! {
        <button type="button" {class} {onclick} disabled={is_disabled} data-testid={testid}>
            <span>{ words }</span><code>{ command }</code>
        </button>
    }
}

/// The buttons that load a library and call its functions.
fn library_buttons(t: Lang, server: Option<&Server>, file: &File, is_unreadable: bool, act: &Callback<Act>) -> Html {
    let library =
        server.and_then(|server| server.function_libraries().find(|library| library.text == file.text.as_bytes()));
    let functions = library.map(|library| library.functions.as_slice()).unwrap_or_default();
    html! {
        <>
            { button(t.scripts_load_library(), "FUNCTION LOAD REPLACE", true, false, "script-function-load",
                doing(act, Act::LoadLibrary { is_replacing: true })) }
            { button(t.scripts_load_library_new(), "FUNCTION LOAD", false, false, "script-function-load-new",
                doing(act, Act::LoadLibrary { is_replacing: false })) }
            if functions.is_empty() { <p class="soft small">{ t.scripts_library_first() }</p> }
            { for functions.iter().map(|function| {
                let name = String::from_utf8_lossy(&function.name).into_owned();
                let onclick = doing(act, Act::Call(function.name.clone()));
                html! {
                    <button type="button" class="button script-button" {onclick} disabled={is_unreadable} data-testid="script-fcall">
                        <span>{ t.scripts_call() }</span><code>{ format!("FCALL {name}") }</code>
                    </button>
                }
            }) }
        </>
    }
}

/// The SHA1 digest of the script, and whether the server has cached it.
fn sha_line(t: Lang, server: Option<&Server>, file: &File) -> Html {
    let sha = script_sha(file.text.as_bytes());
    let is_cached = server.is_some_and(|server| server.cached_scripts().any(|(kept, _)| *kept == sha));
    html! {
        <p class="small script-sha">
            <span class="soft">{ "SHA1 " }</span><code data-testid="script-sha1">{ String::from_utf8_lossy(&sha).into_owned() }</code>
            <span class="chip">{ if is_cached { t.scripts_cached() } else { t.scripts_not_cached() } }</span>
        </p>
    }
}

/// The result of the last call up to the cursor.
pub fn outcome(
    t: Lang,
    session: &SessionHandle,
    outcome: Option<&LastCall>,
    fault: Option<&LineError>,
    act: &Callback<Act>,
) -> Html {
    let body = match outcome {
        None => html! { <p class="soft small">{ t.scripts_not_sent() }</p> },
        Some(outcome) => html! {
            <>
                <p class="small">{ rich(&t.say(ScriptsOutcome { name: &session.name_of(outcome.client), command: &code(&command_of(outcome)) })) }</p>
                { reply(t, outcome) }
                if let Some(fault) = fault { { line_button(t, fault, act) } }
            </>
        },
    };
    html! { <div class="script-outcome" role="status" data-testid="script-outcome">{ body }</div> }
}

/// The command that was sent, without the text of the script: `EVAL`, `SCRIPT LOAD`, `FCALL acquire`.
fn command_of(outcome: &LastCall) -> String {
    let word =
        |i: usize| outcome.argv.get(i).map(|word| String::from_utf8_lossy(word).into_owned()).unwrap_or_default();
    let first = word(0).to_ascii_uppercase();
    if first.starts_with("EVAL") { first } else { format!("{first} {}", word(1)) }
}

fn line_button(t: Lang, fault: &LineError, act: &Callback<Act>) -> Html {
    html! {
        <button type="button" class="button script-line" onclick={doing(act, Act::Editor(EditorAction::Line(fault.line)))}
            data-testid="script-line">
            { icon(Picture::Search) }{ t.scripts_line(&fault.line.to_string()) }
        </button>
    }
}

fn reply(t: Lang, outcome: &LastCall) -> Html {
    let Some((value, protocol)) = &outcome.reply else {
        return html! { <p class="soft small">{ t.scripts_no_answer() }</p> };
    };
    let lines = reply_lines(value, *protocol, &outcome.argv);
    let texts = lines.iter().take(LINES_SHOWN).map(|line| {
        let text: String = line.spans.iter().map(|span| span.text.as_str()).collect();
        text.chars().take(400).collect::<String>()
    });
    let mut text = texts.collect::<Vec<_>>().join("\n");
    if lines.len() > LINES_SHOWN {
        text.push_str("\n…");
    }
    let class = if matches!(value, resp::Value::Error(_)) { "script-reply said-error" } else { "script-reply" };
    html! { <pre {class}>{ text }</pre> }
}
