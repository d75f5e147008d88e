//! *Write it*: the learner writes a handler for traffic. The handler is then run under each variation, and its figures are compared with
//! their bounds.
use std::rc::Rc;

use ::lesson::{Lesson, Task, TaskKind};
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::functions::{Writing, number, use_functions};
use super::prose;
use crate::hooks::course::use_lesson;
use crate::hooks::read::read;
use crate::hooks::trial::{TrialHandle, use_trial};
use crate::hooks::{
    SessionHandle, SessionPart, machine, use_brought_into_view, use_kept_focus, use_lang, use_session_for,
};
use crate::i18n::Lang;
use crate::i18n::messages::{HandlerBetween, HandlerFigure, RepairOutcome};
use crate::state::handling::{Attempt, Measured, VariationOutcome};
use crate::state::judge::Answer;
use crate::state::lesson::text_after;
use crate::state::session_store;
use crate::ui::{Picture, html, icon};

/// Properties of [`Handling`].
#[derive(Clone, PartialEq, Properties)]
pub struct HandlingProps {
    /// The task.
    pub task: Task,
    /// Receives each finished attempt.
    pub onanswer: Callback<Answer>,
}

/// The editor, the attempt, and its results.
#[component]
pub fn Handling(props: &HandlingProps) -> Html {
    let t = use_lang();
    let opened = use_lesson();
    let session = use_session_for(&[SessionPart::Steps]);
    // The pressed button disappears when the editor opens or closes.
    let (root, result) = (use_node_ref(), use_node_ref());
    use_kept_focus(&root);
    let start = if let TaskKind::Handler(handling) = &props.task.kind { handling.start.as_str() } else { "" };
    let functions =
        use_functions(&session_store::of_lesson(&opened.name.track, &opened.name.id), &props.task.id, start);
    let trial = use_trial(props.onanswer.reform(Answer::Handled));
    let text = Rc::clone(&functions.text);
    // Results are shown only for the text that was tried.
    let attempt = trial.attempt.as_ref().filter(|attempt| **attempt.handler() == *text);
    // The result is brought into view when an attempt begins and when it ends.
    use_brought_into_view(&result, attempt.map(|attempt| (attempt.handler().as_ptr(), attempt.is_over())));
    let TaskKind::Handler(handling) = &props.task.kind else { return Html::default() };
    let start = {
        let (lesson, id, trial) = (Rc::clone(&opened.lesson), props.task.id.clone(), trial.clone());
        Callback::from(move |text: Rc<str>| trial.begin(Attempt::new(&lesson, &id, &text)))
    };
    let stop = {
        let trial = trial.clone();
        Callback::from(move |_: MouseEvent| trial.stop())
    };
    let over = attempt.filter(|attempt| attempt.is_over());
    let failed = over.and_then(|attempt| attempt.shown()).map(|(stage, lines)| (stage, lines.join("\n") + "\n"));
    let writing = Writing {
        title: t.handler_yours(),
        change: t.handler_change(),
        use_hint: t.handler_use_hint(),
        reset: t.handler_reset(),
        show: t.handler_show(),
        is_running: trial.is_running(),
        start,
        stop,
        failed,
        findings: attempt.map(|attempt| findings(t, &trial, attempt, handling)).unwrap_or_default(),
        said: over.map(|attempt| outcome(t, attempt, handling)),
    };
    functions.written(t, &session, &root, &result, writing)
}

/// Sets up the stage of a lesson with traffic, as it is after these inputs. Much traffic takes long, so it runs in slices with its progress
/// shown.
#[inline(never)]
pub fn put_on_stage(session: &SessionHandle, lesson: &Lesson, after: &[String]) {
    let can_play = machine::engines().programs.is_installed();
    let (session, text) = (session.clone(), text_after(lesson, after, can_play));
    spawn_local(async move {
        if let Ok(timeline) = read(&text).await {
            session.replace(timeline);
        }
    });
}

/// The variations tried so far and the current one; the remaining ones are only counted.
fn findings(t: Lang, trial: &TrialHandle, attempt: &Attempt, handling: &::lesson::Handling) -> Html {
    let begun = attempt.tried().len().saturating_add(usize::from(trial.is_running()));
    let rest = number(handling.variations.len().saturating_sub(begun));
    html! {
        <>
            <ul class="repair-findings">
                { for handling.variations.iter().take(begun).enumerate().map(|(nth, load)| variation(t, attempt, nth, &load.title)) }
            </ul>
            if rest > 0 && !attempt.has_passed() { <p class="soft small">{ t.repair_rest(rest) }</p> }
            if attempt.has_passed() {
                <p class="task-done" data-testid="repair-done">{ icon(Picture::Check) }{ t.handler_done(number(handling.variations.len())) }</p>
            }
            if let Some(wrong) = attempt.known().filter(|_| attempt.is_over() && !attempt.has_passed()) {
                <section class="repair-wrong" data-testid="repair-known">
                    <h4>{ t.repair_known(&wrong.title) }</h4>
                    { prose(&wrong.html) }
                </section>
            }
        </>
    }
}

/// The result of a finished attempt in one sentence, for screen readers.
fn outcome(t: Lang, attempt: &Attempt, handling: &::lesson::Handling) -> String {
    if attempt.has_passed() {
        return t.handler_done(number(handling.variations.len()));
    }
    let last = || {
        let nth = attempt.tried().len().checked_sub(1)?;
        let measured = attempt.measured(nth);
        let what = match attempt.tried().get(nth)?.outcome {
            VariationOutcome::Measured(_) => figure(t, measured.iter().find(|one| !one.is_within())?),
            VariationOutcome::Stopped => t.handler_stopped().to_owned(),
            VariationOutcome::Failed => t.handler_failed().to_owned(),
        };
        Some(t.say(RepairOutcome { title: &handling.variations.get(nth)?.title, what: &what }))
    };
    last().unwrap_or_default()
}

fn variation(t: Lang, attempt: &Attempt, nth: usize, title: &str) -> Html {
    let tried = attempt.tried().get(nth);
    let measured = attempt.measured(nth);
    let is_within = measured.iter().all(Measured::is_within);
    let (picture, word) = match tried.map(|tried| &tried.outcome) {
        None => (None, "running"),
        Some(VariationOutcome::Measured(_)) if is_within => (Some(Picture::Check), "holds"),
        Some(VariationOutcome::Measured(_)) => (Some(Picture::Close), "broken"),
        Some(VariationOutcome::Stopped) => (Some(Picture::Help), "undecided"),
        Some(VariationOutcome::Failed) => (None, "failed"),
    };
    let said = match tried.map(|tried| &tried.outcome) {
        None => t.handler_trying(attempt.requests()),
        Some(VariationOutcome::Measured(_)) => String::new(),
        Some(VariationOutcome::Stopped) => t.handler_stopped().to_owned(),
        Some(VariationOutcome::Failed) => t.handler_failed().to_owned(),
    };
    html! {
        <li key={nth} data-verdict={word}>
            if let Some(picture) = picture { { icon(picture) } }
            <strong>{ title.to_owned() }</strong>{ " " }{ said }
            if !measured.is_empty() {
                <ul class="handler-figures">
                    { for measured.iter().map(|one| html! {
                        <li data-within={if one.is_within() { "yes" } else { "no" }}>
                            { icon(if one.is_within() { Picture::Check } else { Picture::Close }) }{ figure(t, one) }
                        </li>
                    }) }
                </ul>
            }
            { for tried.iter().flat_map(|tried| &tried.faults).map(|(count, what)| html! {
                <p class="repair-refused"><b>{ t.traffic_fault(*count) }</b>{ " " }<code>{ what.clone() }</code></p>
            }) }
        </li>
    }
}

/// A measured figure and its bound.
fn figure(t: Lang, measured: &Measured) -> String {
    let found = measured.figure.map_or_else(|| t.handler_nothing().to_owned(), |figure| t.number(figure));
    let allowed = match (measured.bound.least, measured.bound.most) {
        (Some(least), Some(most)) if least == most => t.number(least),
        (Some(least), Some(most)) => t.say(HandlerBetween { least: &t.number(least), most: &t.number(most) }),
        (Some(least), None) => t.handler_at_least(&t.number(least)),
        (None, most) => t.handler_at_most(&t.number(most.unwrap_or_default())),
    };
    t.say(HandlerFigure { title: &measured.property.title, figure: &found, allowed: &allowed })
}
