//! The header of the script editor: the open file, and actions on files.
use wasm_bindgen_futures::spawn_local;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use super::{Act, doing};
use crate::hooks::files;
use crate::i18n::Lang;
use crate::state::notices::NoticeText;
use crate::state::scripts::{
    Asking, EditorAction, EditorState, File, NAME_CHARS_MAX, TEXT_CHARS_MAX, is_text, starter,
};
use crate::ui::{Button, NameField, NameFieldProps, Picture, html, icon, part};

/// Default name of a new file.
const NEW_NAME: &str = "script.lua";

/// The header of the panel.
pub fn bar(t: Lang, editor: &EditorState, act: &Callback<Act>, onclose: Callback<MouseEvent>) -> Html {
    let Some(file) = editor.file() else { return Html::default() };
    let original = starter(&file.name, t);
    let doing = |action: EditorAction| doing(act, Act::Editor(action));
    let export = {
        let file = file.clone();
        Callback::from(move |_: MouseEvent| {
            // If the browser refuses the download, it says so itself.
            let _ = files::download(&file.name, &file.text);
        })
    };
    let new = EditorAction::Add(File::new(NEW_NAME, ""));
    html! {
        <div class="panel-head script-bar">
            <h2>{ t.panel_scripts() }</h2>
            if editor.asking() == Asking::Name {
                { part::<NameField>(NameFieldProps {
                    name: file.name.clone(), label: t.client_rename_field(&file.name), most: NAME_CHARS_MAX as u32,
                    ondone: renamed(editor, act),
                }) }
            } else {
                { chooser(t, editor, act) }
            }
            { tool(Picture::Add, t.scripts_new().into(), "script-new", editor.has_room(), doing(new)) }
            { tool(Picture::Pencil, t.client_rename(&file.name).into(), "script-rename", true,
                doing(EditorAction::Ask(Asking::Name))) }
            { import(t, act) }
            { tool(Picture::Download, t.scripts_export().into(), "script-export", true, export) }
            if let Some(original) = &original {
                { tool(Picture::Undo, t.scripts_restore().into(), "script-restore", original != file, doing(EditorAction::Remove)) }
            } else if editor.asking() == Asking::Removal {
                { Button::words(t.sessions_really()).testid("script-really").on(doing(EditorAction::Remove)) }
            } else {
                { tool(Picture::Trash, t.delete().into(), "script-delete", true, doing(EditorAction::Ask(Asking::Removal))) }
            }
            <span class="spacer" />
            { tool(Picture::Close, t.close().into(), "scripts-close", true, onclose) }
        </div>
    }
}

/// A button of the header.
#[inline(never)]
fn tool(
    picture: Picture,
    label: AttrValue,
    testid: &'static str,
    is_enabled: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    Button::icon(picture, label).disabled(!is_enabled).testid(testid).act(testid).on(onclick)
}

fn renamed(editor: &EditorState, act: &Callback<Act>) -> Callback<Option<String>> {
    let (editor, act) = (editor.clone(), act.clone());
    Callback::from(move |name: Option<String>| {
        let action = match name {
            Some(name) if editor.may_be_called(&name) => EditorAction::Rename(name),
            Some(_) => {
                act.emit(Act::Say(NoticeText::ScriptName));
                EditorAction::Ask(Asking::Nothing)
            }
            None => EditorAction::Ask(Asking::Nothing),
        };
        act.emit(Act::Editor(action));
    })
}

fn chooser(t: Lang, editor: &EditorState, act: &Callback<Act>) -> Html {
    let open = editor.file().map(|file| file.name.as_str()).unwrap_or_default();
    let onchange = {
        let act = act.clone();
        Callback::from(move |event: Event| {
            act.emit(Act::Editor(EditorAction::Open(event.target_unchecked_into::<HtmlSelectElement>().value())));
        })
    };
    html! {
        <select class="field script-file" aria-label={t.scripts_file()} data-testid="script-file" {onchange}>
            { for editor.files().iter().map(|file| html! {
                <option key={file.name.clone()} value={file.name.clone()} selected={file.name == open}>{ &file.name }</option>
            }) }
        </select>
    }
}

/// A hidden file input in a label that looks like a button.
fn import(t: Lang, act: &Callback<Act>) -> Html {
    let chosen = {
        let act = act.clone();
        Callback::from(move |event: Event| {
            let input = event.target_unchecked_into::<HtmlInputElement>();
            if let Some(file) = input.files().and_then(|files| files.get(0)) {
                let act = act.clone();
                spawn_local(async move { act.emit(imported(&file).await) });
            }
            // Cleared so that selecting the same file again fires an event.
            input.set_value("");
        })
    };
    html! {
        <label class="button button-quiet button-icon" title={t.scripts_import()}>
            { icon(Picture::Upload) }
            <input type="file" class="sr-only" accept=".lua,text/plain" onchange={chosen} aria-label={t.scripts_import()}
                data-testid="script-input" />
        </label>
    }
}

async fn imported(file: &web_sys::File) -> Act {
    if file.size() > TEXT_CHARS_MAX as f64 {
        return Act::Say(NoticeText::ScriptTooLarge);
    }
    match files::read(file).await {
        // A file from Windows has CRLF line endings.
        Ok(text) if is_text(&text) => {
            Act::Editor(EditorAction::Add(File::new(&file.name(), &text.replace("\r\n", "\n"))))
        }
        _ => Act::Say(NoticeText::ScriptNotText),
    }
}
