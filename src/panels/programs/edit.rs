//! Editing a program: the syntax-highlighting editor, or a plain text area until it is loaded or if it cannot be fetched.
use std::rc::Rc;

use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

use crate::hooks::draft::Draft;
use crate::hooks::{Editing, EditorEvent, use_editor, use_lang};
use crate::state::scripts::TEXT_CHARS_MAX;
use crate::state::scripts::outcome::LineError;
use crate::ui::{Button, ButtonLook, html};

/// Properties of [`Edit`].
#[derive(Clone, PartialEq, Properties)]
pub struct EditProps {
    /// Accessible name of the editor.
    pub label: String,
    /// What happens when the new text is applied.
    pub hint: String,
    /// The current text.
    pub text: Rc<str>,
    /// The text as far as it has been edited; the caller closes it when editing ends.
    pub draft: Draft,
    /// The error in the text, if any.
    pub fault: Option<LineError>,
    /// Called with the new text, or `None` if the reader cancelled.
    pub ondone: Callback<Option<Rc<str>>>,
}

/// The editor with its two buttons.
#[component]
pub fn Edit(props: &EditProps) -> Html {
    let t = use_lang();
    let host = use_node_ref();
    let start = || props.draft.text().unwrap_or_else(|| Rc::clone(&props.text));
    let text = use_state(start);
    let label = props.label.clone();
    let newest = use_mut_ref(start);
    let done = {
        let (newest, ondone) = (Rc::clone(&newest), props.ondone.clone());
        move || ondone.emit(Some(Rc::clone(&newest.borrow())))
    };
    let onevent = {
        let (newest, done, draft) = (Rc::clone(&newest), done.clone(), props.draft.clone());
        Callback::from(move |event: EditorEvent| match event {
            EditorEvent::Text(text) => {
                draft.keep(&text);
                *newest.borrow_mut() = text;
            }
            EditorEvent::Run => done(),
            EditorEvent::TooLarge => {}
        })
    };
    let editing = Editing {
        text: Rc::clone(&text),
        edition: 0,
        sent: Rc::clone(&props.text),
        label: label.clone(),
        fault: props.fault.clone(),
        onevent,
    };
    let editor = use_editor(&host, &editing);
    let typed = {
        let (newest, text, draft) = (Rc::clone(&newest), text.clone(), props.draft.clone());
        Callback::from(move |event: InputEvent| {
            let now: Rc<str> = event.target_unchecked_into::<HtmlTextAreaElement>().value().into();
            draft.keep(&now);
            *newest.borrow_mut() = Rc::clone(&now);
            text.set(now);
        })
    };
    let key = {
        let (done, ondone) = (done.clone(), props.ondone.clone());
        Callback::from(move |event: KeyboardEvent| match event.key().as_str() {
            "Enter" if event.ctrl_key() || event.meta_key() => {
                event.prevent_default();
                done();
            }
            "Escape" => ondone.emit(None),
            _ => {}
        })
    };
    let cancel = props.ondone.reform(|_: MouseEvent| None);
    let use_it = Callback::from(move |_: MouseEvent| done());
    html! {
        <div class="program-edit">
            <div class="program-host" ref={host} hidden={!editor.is_here} />
            if !editor.is_here {
                <textarea class="program-plain" value={text.to_string()} oninput={typed} onkeydown={key} maxlength={TEXT_CHARS_MAX.to_string()}
                    aria-label={label} spellcheck="false" autocapitalize="off" autocomplete="off" data-testid="program-text" />
            }
            <div class="row">
                { Button::words(t.programs_use()).title(props.hint.clone()).look(ButtonLook::Tool).testid("use-program").on(use_it) }
                { Button::words(t.programs_cancel()).look(ButtonLook::Quiet).on(cancel) }
            </div>
        </div>
    }
}
