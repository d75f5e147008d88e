//! *Predict*: what happens next? The first answer counts; afterwards the feedback on the other choices can be read too.
use ::lesson::{Choice, Task, TaskKind};
use yew::prelude::*;

use super::{prose, put_on_stage};
use crate::hooks::course::use_lesson;
use crate::hooks::storage::Store;
use crate::hooks::{SessionPart, use_brought_into_view, use_lang, use_persisted, use_session_for};
use crate::state::judge::Answer;
use crate::state::session_store;
use crate::ui::{Button, ButtonLook, Picture, html};

/// Properties of [`Predict`].
#[derive(Clone, PartialEq, Properties)]
pub struct PredictProps {
    /// The task.
    pub task: Task,
    /// The possible answers.
    pub choices: Vec<Choice>,
    /// Whether the task was answered.
    pub is_done: bool,
    /// Receives an answer.
    pub onanswer: Callback<Answer>,
}

/// The choices, the feedback, and a button that tries it out.
#[component]
pub fn Predict(props: &PredictProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let opened = use_lesson();
    let prefix = session_store::of_lesson(&opened.name.track, &opened.name.id);
    // The first answer; whether it was right is part of the progress.
    let (first, keep_first) = use_persisted(Store::Browser, format!("{prefix}guess-{}", props.task.id), "");
    let first = first.parse::<usize>().ok().filter(|_| props.is_done);
    let looked_at = use_state_eq(|| None::<usize>);
    let shown = looked_at.or(first);
    let reply = use_node_ref();
    use_brought_into_view(&reply, looked_at.filter(|_| props.is_done));
    let put = {
        let (lesson, task) = (opened.lesson.clone(), props.task.clone());
        Callback::from(move |_: MouseEvent| {
            if let TaskKind::Predict { after, .. } = &task.kind {
                put_on_stage(&session, &lesson, after);
            }
        })
    };
    let choose = |nth: usize| {
        let (looked_at, keep_first) = (looked_at.clone(), keep_first.clone());
        let (answer, is_done) = (props.onanswer.clone(), props.is_done);
        Callback::from(move |_: MouseEvent| {
            looked_at.set(Some(nth));
            if !is_done {
                keep_first.emit(nth.to_string());
                answer.emit(Answer::Chosen(nth));
            }
        })
    };
    html! {
        <div class="predict" role="group" aria-label={t.predict_ask()} data-testid="predict">
            { for props.choices.iter().enumerate().map(|(nth, choice)| {
                let is_shown = shown == Some(nth);
                let mark = match choice.is_right {
                    true if props.is_done => Some("right"),
                    false if props.is_done && (is_shown || first == Some(nth)) => Some("wrong"),
                    _ => None,
                };
                html! {
                    <button type="button" class="choice" style={place(nth, 0)} data-testid="choice" data-mark={mark} data-first={(first == Some(nth)).then_some("")}
                        aria-pressed={if is_shown { "true" } else { "false" }} onclick={choose(nth)}>
                        <span class="choice-words">
                            { prose(&choice.html) }
                            if first == Some(nth) { <span class="soft small">{ t.predict_first() }</span> }
                        </span>
                    </button>
                }
            }) }
            <div role="status" class="choice-reply" style={shown.map(|nth| place(nth, 1))} ref={reply} data-testid="reply">
                if let Some(choice) = shown.filter(|_| props.is_done).and_then(|nth| props.choices.get(nth)) {
                    <p><b>{ if choice.is_right { t.task_right() } else { t.task_wrong() } }</b></p>
                    { prose(&choice.reply) }
                }
            </div>
            if props.is_done { <p class="soft small">{ t.predict_others() }</p> }
            { Button::words(t.task_stage()).picture(Picture::Play).look(ButtonLook::Quiet).testid("put-on-stage").on(put) }
        </div>
    }
}

/// Style of a choice, or, with `after` 1, of the reply directly below it. The reply is not moved in the document, because screen readers
/// announce only an element that stays.
fn place(nth: usize, after: usize) -> String {
    format!("order: {}", nth.saturating_mul(2).saturating_add(after))
}
