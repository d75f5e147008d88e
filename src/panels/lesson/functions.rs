//! The functions that a learner writes for a task: kept in the browser, edited in place, and reset to those of the lesson; and what stands
//! around them where runs check them.
use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;
use world::timeline::inputs_from_text;
use yew::prelude::*;

use crate::hooks::assets::Chunk;
use crate::hooks::draft::{Draft, use_draft};
use crate::hooks::read::read;
use crate::hooks::storage::Store;
use crate::hooks::{SessionHandle, machine, use_persisted};
use crate::i18n::Lang;
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

/// What stands around the text in a task that is checked by runs: a handler, a script.
pub struct Writing {
    /// The heading.
    pub title: &'static str,
    /// The words that open the editor, which are also its label.
    pub change: &'static str,
    /// What the editor's button does.
    pub use_hint: &'static str,
    /// The words that return to the lesson's text.
    pub reset: &'static str,
    /// The words that put the failed run on the stage.
    pub show: &'static str,
    /// Whether the check is running.
    pub is_running: bool,
    /// Starts the check with a text.
    pub start: Callback<Rc<str>>,
    /// Stops it.
    pub stop: Callback<MouseEvent>,
    /// The failed run, if there is one: its stage as the text of a session, and the input lines that follow.
    pub failed: Option<(String, String)>,
    /// The results so far.
    pub findings: Html,
    /// The end of the check in one sentence, for screen readers.
    pub said: Option<String>,
}

impl Functions {
    /// The whole of such a task; `root` is its element, `result` that of its results.
    #[inline(never)]
    pub fn written(
        &self,
        t: Lang,
        session: &SessionHandle,
        root: &NodeRef,
        result: &NodeRef,
        writing: Writing,
    ) -> Html {
        let begin = {
            let text = Rc::clone(&self.text);
            writing.start.reform(move |_: MouseEvent| Rc::clone(&text))
        };
        let keep_and_start = {
            let functions = self.clone();
            writing.start.reform(move |text: Rc<str>| functions.keep(&text))
        };
        let check = EditCheck { is_running: writing.is_running, start: keep_and_start, stop: writing.stop.clone() };
        let show = writing.failed.map(|(stage, lines)| {
            let session = session.clone();
            Callback::from(move |_: MouseEvent| {
                spawn_local(play_on_stage(session.clone(), stage.clone(), lines.clone()))
            })
        });
        html! {
            <div class="repair" ref={root.clone()} tabindex="-1">
                <h4>{ writing.title }</h4>
                { self.shown(writing.change, writing.use_hint, None, check) }
                if !self.is_open() {
                    <div class="row">
                        { self.change(writing.change) }
                        if writing.is_running {
                            { Button::words(t.explore_stop()).picture(Picture::Stop).testid("repair-stop").on(writing.stop) }
                        } else {
                            { Button::words(t.repair_check()).picture(Picture::Search).look(ButtonLook::Primary).testid("repair-check").on(begin) }
                        }
                        if let Some(show) = show {
                            { Button::words(writing.show).picture(Picture::Play).look(ButtonLook::Quiet).testid("repair-stage").on(show) }
                        }
                        { self.reset(writing.reset) }
                    </div>
                }
                <div class="repair-result" ref={result.clone()} data-testid="repair-result">{ writing.findings }</div>
                // The progress above is not announced, only the end.
                <p class="sr-only" role="status" data-testid="repair-said">{ writing.said.unwrap_or_default() }</p>
            </div>
        }
    }
}

/// Puts a stage in place of the session and plays the lines that follow. The learner did not do these steps.
async fn play_on_stage(session: SessionHandle, stage: String, lines: String) {
    if machine::ready().await.is_err() {
        return;
    }
    let Ok(timeline) = read(&stage).await else { return };
    let inputs = inputs_from_text(timeline.world(), &lines).unwrap_or_default();
    let then = session.clone();
    let play = move |()| inputs.iter().for_each(|input| then.play_story(input.clone()));
    session.replace_and_go_on(timeline, None, Callback::from(play));
}

/// A count for a message.
pub fn number(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}
