//! The functions that a learner writes for a task: kept in the browser, edited in place, and reset to those of the lesson.
use std::rc::Rc;

use yew::prelude::*;

use crate::hooks::assets::Chunk;
use crate::hooks::draft::{Draft, use_draft};
use crate::hooks::storage::Store;
use crate::hooks::use_persisted;
use crate::panels::programs::{Edit, EditCheck, EditProps};
use crate::state::scripts::outcome::LineError;
use crate::ui::{Button, ButtonLook, Picture, html, later, part_of};

/// The functions and their editor.
#[derive(Clone)]
pub struct Functions {
    /// The current text.
    pub text: Rc<str>,
    /// The lesson's text.
    start: Rc<str>,
    /// Whether it differs from the lesson's.
    is_own: bool,
    task: String,
    draft: Draft,
    keep: Callback<String>,
}

/// The functions of a task, `start` at first; `prefix` is that of all records of its lesson.
#[hook]
pub fn use_functions(prefix: &str, task: &str, start: &str) -> Functions {
    let (kept, keep) = use_persisted(Store::Browser, format!("{prefix}functions-{task}"), "");
    let draft = use_draft(&format!("{prefix}{task}"));
    let start: Rc<str> = start.into();
    let text = if kept.is_empty() { Rc::clone(&start) } else { kept.as_str().into() };
    Functions { text, start, is_own: !kept.is_empty(), task: task.to_owned(), draft, keep }
}

impl Functions {
    /// Whether the editor is open.
    pub fn is_open(&self) -> bool {
        self.draft.is_open()
    }

    /// Keeps this text, and returns it as it is kept.
    pub fn keep(&self, text: &Rc<str>) -> Rc<str> {
        // Nothing kept stands for the lesson's text.
        let text = if text.is_empty() { Rc::from("\n") } else { Rc::clone(text) };
        self.keep.emit(if text == self.start { String::new() } else { text.to_string() });
        text
    }

    /// The text, or its editor with this label, hint, faulty line and check.
    pub fn shown(&self, label: &str, hint: &str, fault: Option<LineError>, check: EditCheck) -> Html {
        if !self.is_open() {
            return html! {
                <pre class="prose-code repair-source" tabindex="0" data-testid="repair-source"><code>{ self.text.to_string() }</code></pre>
            };
        }
        let done = {
            let functions = self.clone();
            Callback::from(move |text: Option<Rc<str>>| {
                functions.draft.close();
                if let Some(text) = text {
                    functions.keep(&text);
                }
            })
        };
        let edit = EditProps {
            label: label.to_owned(),
            hint: hint.to_owned(),
            text: Rc::clone(&self.text),
            draft: self.draft.clone(),
            fault,
            ondone: done,
            check: Some(check),
        };
        let task = self.task.clone();
        later(Chunk::Rest, move || part_of::<Edit>(&task, edit.clone()))
    }

    /// The button that opens the editor.
    pub fn change(&self, words: &'static str) -> Html {
        let (draft, text) = (self.draft.clone(), Rc::clone(&self.text));
        let change = Callback::from(move |_: MouseEvent| draft.open(&text));
        Button::words(words).picture(Picture::Pencil).look(ButtonLook::Quiet).testid("repair-change").on(change)
    }

    /// The button that returns to the lesson's functions, if the learner has changed them.
    pub fn reset(&self, words: &'static str) -> Html {
        if !self.is_own {
            return html! { <></> };
        }
        let reset = self.keep.reform(|_: MouseEvent| String::new());
        Button::words(words).look(ButtonLook::Quiet).testid("repair-reset").on(reset)
    }
}
