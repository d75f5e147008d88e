//! The functions that a learner writes for a task: kept in the browser, edited in place, and reset to those of the lesson.
use std::rc::Rc;

use yew::prelude::*;

use crate::hooks::assets::Chunk;
use crate::hooks::draft::{Draft, use_draft};
use crate::hooks::storage::Store;
use crate::hooks::use_persisted;
use crate::panels::programs::{Edit, EditProps};
use crate::state::scripts::outcome::LineError;
use crate::ui::{Button, ButtonLook, Picture, html, later, part_of};

/// The functions and their editor.
pub struct Functions {
    /// The current text.
    pub text: Rc<str>,
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
    let text = if kept.is_empty() { start.into() } else { kept.as_str().into() };
    Functions { text, is_own: !kept.is_empty(), task: task.to_owned(), draft, keep }
}

impl Functions {
    /// Whether the editor is open.
    pub fn is_open(&self) -> bool {
        self.draft.is_open()
    }

    /// The text, or its editor with this label, hint and faulty line.
    pub fn shown(&self, label: &str, hint: &str, fault: Option<LineError>) -> Html {
        if !self.is_open() {
            return html! {
                <pre class="prose-code repair-source" tabindex="0" data-testid="repair-source"><code>{ self.text.to_string() }</code></pre>
            };
        }
        let done = {
            let (draft, keep) = (self.draft.clone(), self.keep.clone());
            Callback::from(move |text: Option<Rc<str>>| {
                draft.close();
                if let Some(text) = text {
                    keep.emit(text.to_string());
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
