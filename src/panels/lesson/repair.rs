//! *Repair it*: the learner writes the functions that a frame calls, and the explorer searches for a schedule that still breaks them, on
//! one variation of the stage after the other.
use std::rc::Rc;

use ::lesson::{Task, TaskKind};
use yew::prelude::*;

use super::findings::{describe_refusal, findings, known, outcome};
use super::functions::use_functions;
use crate::hooks::course::use_lesson;
use crate::hooks::storage::Store;
use crate::hooks::{
    SessionPart, machine, use_brought_into_view, use_check, use_kept_focus, use_lang, use_persisted, use_session_for,
};
use crate::i18n::{plain, rich};
use crate::panels::programs::{EditCheck, fault_mark};
use crate::state::judge::Answer;
use crate::state::repair::{Check, Refused};
use crate::state::session_store;
use crate::ui::{Button, ButtonLook, Picture, html};

/// Properties of [`Repair`].
#[derive(Clone, PartialEq, Properties)]
pub struct RepairProps {
    /// The task.
    pub task: Task,
    /// Receives each finished check.
    pub onanswer: Callback<Answer>,
}

/// The editor, the frame, the check, and its results.
#[component]
pub fn Repair(props: &RepairProps) -> Html {
    let t = use_lang();
    let opened = use_lesson();
    let session = use_session_for(&[SessionPart::Steps]);
    // The pressed button disappears when the editor opens or closes.
    let (root, result) = (use_node_ref(), use_node_ref());
    use_kept_focus(&root);
    let refused = use_state_eq(|| None::<(Rc<str>, Refused)>);
    let prefix = session_store::of_lesson(&opened.name.track, &opened.name.id);
    let start = if let TaskKind::Repair(repair) = &props.task.kind { repair.start.as_str() } else { "" };
    let functions = use_functions(&prefix, &props.task.id, start);
    // Text from an older version, in which a repair was a whole program: it is shown but never checked.
    let (earlier, _) = use_persisted(Store::Browser, format!("{prefix}repair-{}", props.task.id), "");
    let check = use_check(props.onanswer.reform(Answer::Checked));
    let text = Rc::clone(&functions.text);
    // Results are shown only for the text that was checked.
    let run = check.run.as_ref().filter(|run| **run.check().functions() == *text);
    let refusal = refused.as_ref().filter(|(of, _)| *of == text).map(|(_, why)| why);
    // The result is brought into view when a check begins and when it ends.
    let begun = run.map(|run| (run.check().functions().as_ptr(), run.is_over()));
    use_brought_into_view(&result, refusal.map(|_| (text.as_ptr(), true)).or(begun));
    let TaskKind::Repair(repair) = &props.task.kind else { return Html::default() };
    let start = {
        let (lesson, id) = (opened.lesson.clone(), props.task.id.clone());
        let (refused, check) = (refused.clone(), check.clone());
        Callback::from(move |text: Rc<str>| match Check::new(&lesson, &id, &text, &machine::engines()) {
            Ok(found) => {
                refused.set(None);
                check.begin(found);
            }
            Err(why) => {
                check.forget();
                refused.set(Some((text, why)));
            }
        })
    };
    let begin = {
        let text = Rc::clone(&text);
        start.reform(move |_: MouseEvent| Rc::clone(&text))
    };
    let stop = {
        let check = check.clone();
        Callback::from(move |_: MouseEvent| check.stop())
    };
    let edit_check = EditCheck {
        is_running: check.is_running(),
        start: {
            let functions = functions.clone();
            start.reform(move |text: Rc<str>| functions.keep(&text))
        },
        stop: stop.clone(),
    };
    let is_broken = run.is_some_and(|run| run.broken().is_some());
    let stage = {
        let (lesson, id, text) = (opened.lesson.clone(), props.task.id.clone(), Rc::clone(&text));
        let (session, refused, run) = (session.clone(), refused.clone(), run.cloned());
        Callback::from(move |_: MouseEvent| {
            if let Some((run, laid)) = run.as_ref().and_then(|run| Some((run, run.laid()?))) {
                return session.replace_and_mark(laid, run.order());
            }
            match Check::new(&lesson, &id, &text, &machine::engines()) {
                Ok(check) => {
                    if let Some(stage) = check.stage(0) {
                        session.replace(stage);
                    }
                }
                Err(why) => refused.set(Some((Rc::clone(&text), why))),
            }
        })
    };
    let mark = refusal.and_then(|refusal| match refusal {
        Refused::Program(fault, line) => fault_mark(t, Some(&(fault.clone(), *line))),
        _ => None,
    });
    let frame = repair.variations.first().map_or("", |variation| &variation.frame);
    let said = match (refusal, run) {
        (Some(refusal), _) => plain(&describe_refusal(t, refusal)),
        (None, Some(run)) if run.is_over() => outcome(t, run, repair),
        _ => String::new(),
    };
    let is_open = functions.is_open();
    let to_stage = || {
        Button::words(if is_broken { t.repair_show() } else { t.task_stage() })
            .picture(Picture::Play)
            .look(ButtonLook::Quiet)
            .testid("repair-stage")
            .on(stage.clone())
    };
    html! {
        <div class="repair" ref={root} tabindex="-1">
            <h4>{ t.repair_functions() }</h4>
            { functions.shown(t.repair_change(), t.repair_use_hint(), mark, edit_check) }
            if !is_open {
                <div class="repair-frame" role="group" aria-label={t.repair_frame()} data-testid="repair-frame">
                    <p class="repair-frame-label">{ t.repair_frame() }</p>
                    { code(frame) }
                </div>
                <div class="row">
                    { functions.change(t.repair_change()) }
                    if check.is_running() {
                        { Button::words(t.explore_stop()).picture(Picture::Stop).testid("repair-stop").on(stop) }
                    } else {
                        { Button::words(t.repair_check()).picture(Picture::Search).look(ButtonLook::Primary).testid("repair-check").on(begin) }
                    }
                    { to_stage() }
                    { functions.reset(t.repair_reset()) }
                </div>
            }
            <div class="repair-result" ref={result} data-testid="repair-result">
                if let Some(refusal) = refusal { <p class="repair-refused" data-testid="repair-refused">{ rich(&describe_refusal(t, refusal)) }</p> }
                if let Some(run) = run {
                    { findings(t, &check, run, repair) }
                    { known(t, run, repair) }
                    if is_open && is_broken { <div class="row">{ to_stage() }</div> }
                }
            </div>
            // The progress above is not announced, only the end.
            <p class="sr-only" role="status" data-testid="repair-said">{ said }</p>
            if is_open {
                <details class="repair-frame" data-testid="repair-frame">
                    <summary>{ t.repair_frame() }</summary>
                    { code(frame) }
                </details>
            }
            if !earlier.is_empty() {
                <details class="repair-earlier" data-testid="repair-earlier">
                    <summary>{ t.repair_earlier() }</summary>
                    <pre class="prose-code" tabindex="0"><code>{ earlier.clone() }</code></pre>
                </details>
            }
        </div>
    }
}

/// The frame, read-only.
fn code(frame: &str) -> Html {
    html! { <pre class="prose-code" tabindex="0"><code>{ frame.to_owned() }</code></pre> }
}
