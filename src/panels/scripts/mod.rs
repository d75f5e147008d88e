//! The script editor: Lua files, run as one of a node's clients, and the scripts that the node has cached.
//!
//! `bar` selects and manages files, `source` edits one, `call` runs it, `cached` lists the scripts and functions of the node. Commands are
//! sent through the timeline like typed ones; results and lists are read from the timeline, so they follow the cursor.
mod bar;
mod cached;
mod call;
mod source;

use std::rc::Rc;

use bytes::Bytes;
use redis_model::script_sha;
use world::{ClientIndex, NodeIndex};
use yew::prelude::*;

use crate::hooks::{
    EditorEvent, SessionHandle, SessionPart, scripts, use_lang, use_notices, use_preferences, use_session_for,
};
use crate::panels::NodeProps;
use crate::state::notices::NoticeText;
use crate::state::preferences::Prefer;
use crate::state::scripts::outcome;
use crate::state::scripts::{EditorAction, EditorState, File, call};
use crate::ui::{html, part};

/// An action of the panel.
#[derive(Clone, Debug, PartialEq)]
enum Act {
    /// An action on files.
    Editor(EditorAction),
    /// `EVAL`
    Eval,
    /// `SCRIPT LOAD`
    Load,
    /// `EVALSHA`
    EvalSha,
    /// `FUNCTION LOAD`, with `REPLACE` or without.
    LoadLibrary { is_replacing: bool },
    /// `FCALL`
    Call(Bytes),
    /// Show a notice.
    Say(NoticeText),
}

/// A callback that emits one fixed action.
fn doing<E>(act: &Callback<Act>, what: Act) -> Callback<E> {
    let act = act.clone();
    Callback::from(move |_: E| act.emit(what.clone()))
}

/// The script editor.
#[component]
pub fn Scripts(props: &NodeProps) -> Html {
    let node = props.node;
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps, SessionPart::Active]);
    let notices = use_notices();
    let preferences = use_preferences();
    let handle = scripts::use_editor_state();
    let editor: &EditorState = &handle;
    let client = client_of(&session, node, editor.client());
    let outcome = outcome::last(session.timeline(), node, editor.sent());
    let act = {
        let (session, editor, dispatcher) = (session.clone(), editor.clone(), handle.dispatcher());
        Callback::from(move |what: Act| {
            let Some(file) = editor.file() else { return };
            let argv = match what {
                Act::Editor(action) => return dispatcher.dispatch(action),
                Act::Say(said) => return notices.say(said),
                _ => argv_of(&what, file),
            };
            if let Some(argv) = argv {
                dispatcher.dispatch(EditorAction::Sent);
                session.run(client, argv);
            }
        })
    };
    let Some(file) = editor.file().cloned() else { return Html::default() };
    let fault = outcome.as_ref().and_then(|outcome| match &outcome.reply {
        Some((resp::Value::Error(text), _)) => outcome::fault(text),
        _ => None,
    });
    let onevent = {
        let (act, is_library) = (act.clone(), file.is_library());
        Callback::from(move |event: EditorEvent| {
            act.emit(match event {
                EditorEvent::Text(text) => Act::Editor(EditorAction::Text(text)),
                EditorEvent::Run if is_library => Act::LoadLibrary { is_replacing: true },
                EditorEvent::Run => Act::Eval,
                EditorEvent::TooLarge => Act::Say(NoticeText::ScriptTooLarge),
            });
        })
    };
    html! {
        <section class="panel scripts" aria-label={t.panel_scripts()} data-testid="scripts">
            { bar::bar(t, editor, &act, preferences.preferring(Prefer::ScriptsOpen(false))) }
            <div class="panel-body">
                <div class="scripts-body">
                    { part::<source::Source>(source::SourceProps {
                        file: file.clone(),
                        sent: Rc::clone(editor.sent()),
                        edition: editor.edition(),
                        fault: fault.clone(),
                        go: editor.line(),
                        onevent,
                    }) }
                    <div class="script-side" tabindex="0" role="group" aria-label={t.scripts_run_label()} data-testid="script-side">
                        { call::form(t, &session, node, &file, client, &act) }
                        { call::outcome(t, &session, outcome.as_ref(), fault.as_ref(), &act) }
                        { call::about(t, &session, node, &file) }
                        { cached::cached(t, &session, node, editor, &act) }
                    </div>
                </div>
            </div>
        </section>
    }
}

/// The client that runs a script on a node: the chosen or else the active client if it is connected to the node, or else the first one that
/// is.
fn client_of(session: &SessionHandle, node: NodeIndex, chosen: Option<ClientIndex>) -> ClientIndex {
    let is_here = |client: &ClientIndex| session.world().client(*client).is_some_and(|found| found.node == node);
    let others = session.world().clients().map(|(client, _)| client);
    chosen.into_iter().chain([session.active()]).chain(others).find(is_here).unwrap_or(session.active())
}

/// The command that an action sends for a file; `None` if its fields cannot be parsed.
fn argv_of(what: &Act, file: &File) -> Option<Vec<Bytes>> {
    let text = || Bytes::from(file.text.to_string());
    let (keys, args) = file.words().ok()?;
    let words = |words: &[&'static str], text: Bytes| -> Vec<Bytes> {
        words.iter().map(|word| Bytes::from_static(word.as_bytes())).chain([text]).collect()
    };
    Some(match what {
        Act::Eval => call("EVAL", text(), &keys, &args),
        Act::EvalSha => call("EVALSHA", script_sha(file.text.as_bytes()), &keys, &args),
        Act::Call(function) => call("FCALL", function.clone(), &keys, &args),
        Act::Load => words(&["SCRIPT", "LOAD"], text()),
        Act::LoadLibrary { is_replacing: true } => words(&["FUNCTION", "LOAD", "REPLACE"], text()),
        Act::LoadLibrary { is_replacing: false } => words(&["FUNCTION", "LOAD"], text()),
        Act::Editor(_) | Act::Say(_) => return None,
    })
}
