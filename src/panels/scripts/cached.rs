//! The scripts in a node's cache and its libraries with their functions, at the cursor.
use world::NodeIndex;
use yew::prelude::*;

use super::{Act, doing};
use crate::hooks::SessionHandle;
use crate::i18n::Lang;
use crate::state::scripts::{EditorAction, EditorState, File, gist};
use crate::ui::{Button, Picture, html};

/// Maximum number of scripts and of libraries that are shown; more would slow the browser down.
const DRAWN_MAX: usize = 100;

/// The list of scripts and libraries.
pub fn cached(t: Lang, session: &SessionHandle, node: NodeIndex, editor: &EditorState, act: &Callback<Act>) -> Html {
    let Some(server) = session.world().server(node) else { return Html::default() };
    let (scripts, libraries) = (server.cached_scripts(), server.function_libraries());
    let count = scripts.len().saturating_add(libraries.len());
    let hidden = count.saturating_sub(DRAWN_MAX);
    html! {
        <div class="script-kept" data-testid="script-kept">
            <h3>{ t.scripts_kept() }</h3>
            if count == 0 { <p class="soft small">{ t.scripts_kept_nothing() }</p> }
            <ul>
                { for libraries.take(DRAWN_MAX).map(|library| {
                    let name = lossy(&library.name);
                    let functions = library.functions.iter().map(|function| html! {
                        <span class="small">
                            <code>{ lossy(&function.name) }</code>
                            { for function.flag_names().map(|flag| html! { <span class="chip">{ flag }</span> }) }
                        </span>
                    });
                    let head = html! { <><code>{ &name }</code><span class="chip">{ t.scripts_library() }</span></> };
                    row(t, editor, act, &format!("{name}.lua"), &library.text, head, functions.collect())
                }) }
                { for scripts.take(DRAWN_MAX).map(|(sha, text)| {
                    let sha = lossy(sha);
                    let short = sha.get(..8).unwrap_or_default();
                    let head = html! { <code title={sha.clone()}>{ format!("{short}…") }</code> };
                    let first = html! { <code class="small script-gist">{ gist(text) }</code> };
                    row(t, editor, act, &format!("{short}.lua"), text, head, vec![first])
                }) }
            </ul>
            if hidden > 0 { <p class="soft small">{ t.terminal_not_drawn(hidden as u64) }</p> }
        </div>
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A script or a library, with a button that opens the file with its text, or a new one.
fn row(
    t: Lang,
    editor: &EditorState,
    act: &Callback<Act>,
    name: &str,
    text: &[u8],
    head: Html,
    lines: Vec<Html>,
) -> Html {
    let file = editor.files().iter().find(|file| file.text.as_bytes() == text);
    let action = match file {
        Some(file) => EditorAction::Open(file.name.clone()),
        None => EditorAction::Add(File::new(name, &lossy(text))),
    };
    let label = t.scripts_open(file.map_or(name, |file| &file.name));
    html! {
        <li key={name}>
            <div class="script-kept-what">
                <span>{ head }<span class="soft small">{ t.bytes(text.len() as u64) }</span></span>
                { lines }
            </div>
            { Button::icon(Picture::Pencil, label).testid("script-open").on(doing(act, Act::Editor(action))) }
        </li>
    }
}
