//! Editing a program: the syntax-highlighting editor, or a plain text area until it is loaded or if it cannot be fetched. In a task, its
//! check runs while the editor stays open.
use std::rc::Rc;

use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

use crate::hooks::draft::Draft;
use crate::hooks::{Editing, EditorEvent, use_brought_into_view, use_editor, use_lang, use_root_mark};
use crate::i18n::{late, unmarked};
use crate::state::scripts::TEXT_CHARS_MAX;
use crate::state::scripts::outcome::LineError;
use crate::ui::{Button, ButtonLook, Picture, html};

/// The check of the task whose program is edited.
#[derive(Clone, PartialEq)]
pub struct EditCheck {
    /// Whether it is running.
    pub is_running: bool,
    /// Keeps the text and starts the check with it; the editor stays open.
    pub start: Callback<Rc<str>>,
    /// Stops the check.
    pub stop: Callback<MouseEvent>,
}

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
    /// Called with the new text, or `None` if the reader cancelled. In a task, closing keeps the text.
    pub ondone: Callback<Option<Rc<str>>>,
    /// The check, if a task's program is edited.
    pub check: Option<EditCheck>,
}

/// The editor with its buttons.
#[component]
pub fn Edit(props: &EditProps) -> Html {
    let t = use_lang();
    let (root, host) = (use_node_ref(), use_node_ref());
    let is_task = props.check.is_some();
    // The style sheet then gives the lesson half of the page. Its text is wrapped again, which moves the editor.
    use_root_mark(is_task.then_some("data-editing"));
    use_brought_into_view(&root, is_task.then_some(()));
    let start = || props.draft.text().unwrap_or_else(|| Rc::clone(&props.text));
    let text = use_state(start);
    let label = props.label.clone();
    let newest = use_mut_ref(start);
    let done = {
        let (newest, ondone) = (Rc::clone(&newest), props.ondone.clone());
        move || ondone.emit(Some(Rc::clone(&newest.borrow())))
    };
    let run = {
        let (newest, done) = (Rc::clone(&newest), done.clone());
        let start = props.check.as_ref().map(|check| check.start.clone());
        move || match &start {
            Some(start) => start.emit(Rc::clone(&newest.borrow())),
            None => done(),
        }
    };
    let onevent = {
        let (newest, run, draft) = (Rc::clone(&newest), run.clone(), props.draft.clone());
        Callback::from(move |event: EditorEvent| match event {
            EditorEvent::Text(text) => {
                draft.keep(&text);
                *newest.borrow_mut() = text;
            }
            EditorEvent::Run => run(),
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
        let (run, done, ondone) = (run.clone(), done.clone(), props.ondone.clone());
        Callback::from(move |event: KeyboardEvent| match event.key().as_str() {
            "Enter" if event.ctrl_key() || event.meta_key() => {
                event.prevent_default();
                run();
            }
            "Escape" if is_task => done(),
            "Escape" => ondone.emit(None),
            _ => {}
        })
    };
    let cancel = props.ondone.reform(|_: MouseEvent| None);
    let use_it = Callback::from(move |_: MouseEvent| done());
    let run_it = Callback::from(move |_: MouseEvent| run());
    html! {
        <div class="program-edit" ref={root}>
            <style>{ unmarked(late!("rest", "/src/panels/programs/edit.css")) }</style>
            <div class="program-host" ref={host} hidden={!editor.is_here} />
            if !editor.is_here {
                <textarea class="program-plain" value={text.to_string()} oninput={typed} onkeydown={key} maxlength={TEXT_CHARS_MAX.to_string()}
                    aria-label={label} spellcheck="false" autocapitalize="off" autocomplete="off" data-testid="program-text" />
            }
            <div class="row">
                if let Some(check) = &props.check {
                    if check.is_running {
                        { Button::words(t.explore_stop()).picture(Picture::Stop).testid("repair-stop").on(check.stop.clone()) }
                    } else {
                        { Button::words(t.repair_check()).title(t.repair_check_hint()).picture(Picture::Search).look(ButtonLook::Primary)
                            .testid("repair-check").on(run_it) }
                    }
                    { Button::words(t.repair_close()).title(props.hint.clone()).look(ButtonLook::Quiet).testid("use-program").on(use_it) }
                } else {
                    { Button::words(t.programs_use()).title(props.hint.clone()).look(ButtonLook::Tool).testid("use-program").on(use_it) }
                    { Button::words(t.programs_cancel()).look(ButtonLook::Quiet).on(cancel) }
                }
            </div>
        </div>
    }
}
