//! The text of a file: the syntax-highlighting editor, or a plain text area until it is loaded or if it cannot be fetched.
use std::rc::Rc;

use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

use crate::hooks::{Editing, EditorEvent, use_editor, use_lang};
use crate::state::scripts::outcome::LineError;
use crate::state::scripts::{File, TEXT_CHARS_MAX};
use crate::ui::html;

/// Properties of [`Source`].
#[derive(Clone, PartialEq, Properties)]
pub struct SourceProps {
    /// The open file.
    pub file: File,
    /// Its text when it was opened or last sent.
    pub sent: Rc<str>,
    /// Increases whenever the text changes other than by typing.
    pub edition: u32,
    /// The last error and its line.
    pub fault: Option<LineError>,
    /// A line to move the cursor to, and the number of such requests so far.
    pub go: (u32, u32),
    /// Called when the text changes, on Ctrl+Enter, and when a change is refused.
    pub onevent: Callback<EditorEvent>,
}

/// The text of the file.
#[component]
pub fn Source(props: &SourceProps) -> Html {
    let t = use_lang();
    let host = use_node_ref();
    let area = use_node_ref();
    let label = t.scripts_source(&props.file.name);
    let editor = use_editor(
        &host,
        &Editing {
            text: Rc::clone(&props.file.text),
            edition: props.edition,
            sent: Rc::clone(&props.sent),
            label: label.clone(),
            fault: props.fault.clone(),
            onevent: props.onevent.clone(),
        },
    );
    let (is_here, is_missing) = (editor.is_here, editor.is_missing);
    {
        let (area, text) = (area.clone(), Rc::clone(&props.file.text));
        use_effect_with(props.go, move |(line, _)| {
            if *line > 0 && !editor.go(*line) {
                go_in_area(&area, &text, *line);
            }
        });
    }
    let typed = {
        let (onevent, before) = (props.onevent.clone(), Rc::clone(&props.file.text));
        Callback::from(move |event: InputEvent| {
            let area = event.target_unchecked_into::<HtmlTextAreaElement>();
            let text = area.value();
            onevent.emit(if text.chars().count() > TEXT_CHARS_MAX {
                area.set_value(&before);
                EditorEvent::TooLarge
            } else {
                EditorEvent::Text(text.into())
            });
        })
    };
    let key = {
        let onevent = props.onevent.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
                event.prevent_default();
                onevent.emit(EditorEvent::Run);
            }
        })
    };
    html! {
        <div class="script-source">
            <div class="script-host" ref={host} hidden={!is_here} data-testid="script-host" />
            if !is_here {
                <textarea class="script-plain" ref={area} value={props.file.text.to_string()} oninput={typed} onkeydown={key}
                    aria-label={label} spellcheck="false" autocapitalize="off" autocomplete="off" data-testid="script-plain" />
            }
            <p class="script-hint">
                if is_here { { t.scripts_keys() } } else { { t.scripts_keys_plain() } }
                if is_missing { { " · " }{ t.scripts_no_colours() } }
            </p>
        </div>
    }
}

/// Moves the cursor of the text area to the start of a line.
fn go_in_area(area: &NodeRef, text: &str, line: u32) {
    let Some(area) = area.cast::<HtmlTextAreaElement>() else { return };
    let before = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1);
    let units = text.split_inclusive('\n').take(before).flat_map(str::encode_utf16).count();
    let at = u32::try_from(units).unwrap_or(u32::MAX);
    let _ = area.focus();
    let _ = area.set_selection_range(at, at);
}
