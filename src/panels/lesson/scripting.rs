//! *Script it*: the learner writes a script, which then runs in each case. The first case in which it is wrong is shown with its data.
use std::cell::Cell;
use std::rc::Rc;

use ::lesson::scripting::{Case, SCRIPT, Scripting};
use ::lesson::{Lesson, Task, TaskKind};
use wasm_bindgen_futures::spawn_local;
use world::claim::Outcome;
use yew::prelude::*;

use super::functions::{Writing, number, use_functions};
use super::prose;
use crate::hooks::course::use_lesson;
use crate::hooks::next_task::next_task;
use crate::hooks::read::read;
use crate::hooks::{SessionPart, machine, use_brought_into_view, use_kept_focus, use_lang, use_session_for};
use crate::i18n::Lang;
use crate::i18n::messages::RepairOutcome;
use crate::state::judge::Answer;
use crate::state::scripting::{Attempt, End, outcome};
use crate::state::session_store;
use crate::ui::{Picture, html, icon};

/// Properties of [`Script`].
#[derive(Clone, PartialEq, Properties)]
pub struct ScriptProps {
    /// The task.
    pub task: Task,
    /// Receives the result of each test that came to its end.
    pub onanswer: Callback<Answer>,
}

/// The editor, the test, and its results.
#[component]
pub fn Script(props: &ScriptProps) -> Html {
    let t = use_lang();
    let opened = use_lesson();
    let session = use_session_for(&[SessionPart::Steps]);
    // The pressed button disappears when the editor opens or closes.
    let (root, result) = (use_node_ref(), use_node_ref());
    use_kept_focus(&root);
    let start = if let TaskKind::Script(scripting) = &props.task.kind { scripting.start.as_str() } else { "" };
    let functions =
        use_functions(&session_store::of_lesson(&opened.name.track, &opened.name.id), &props.task.id, start);
    let newest = use_state(|| None::<Rc<Attempt>>);
    // The number of the test that runs; an older one ends when it notices.
    let run = use_mut_ref(|| Rc::new(Cell::new(0_u64)));
    let run = Rc::clone(&run.borrow());
    {
        let run = Rc::clone(&run);
        use_effect_with((), move |()| move || run.set(run.get().wrapping_add(1)));
    }
    let text = Rc::clone(&functions.text);
    // Results are shown only for the text that was tried.
    let attempt = (*newest).clone().filter(|attempt| **attempt.script() == *text);
    let TaskKind::Script(scripting) = &props.task.kind else { return Html::default() };
    let is_over = |attempt: &Attempt| attempt.next(scripting).is_none();
    let is_running = newest.as_ref().is_some_and(|attempt| !is_over(attempt));
    // The result is brought into view when a test begins and when it ends.
    use_brought_into_view(&result, attempt.as_ref().map(|attempt| (attempt.script().as_ptr(), is_over(attempt))));
    let start = {
        let (lesson, task, onanswer) = (Rc::clone(&opened.lesson), props.task.clone(), props.onanswer.clone());
        let (set, run) = (newest.setter(), Rc::clone(&run));
        Callback::from(move |script: Rc<str>| {
            let number = run.get().wrapping_add(1);
            run.set(number);
            let (run, set) = (Rc::clone(&run), set.clone());
            let show = move |attempt: &Attempt| {
                let is_newest = run.get() == number;
                if is_newest {
                    set.set(Some(Rc::new(attempt.clone())));
                }
                is_newest
            };
            let attempt = Attempt::new(&script);
            show(&attempt);
            spawn_local(test(Rc::clone(&lesson), task.clone(), attempt, onanswer.clone(), show));
        })
    };
    let stop = {
        let (set, run, attempt) = (newest.setter(), Rc::clone(&run), newest.clone());
        Callback::from(move |_: MouseEvent| {
            run.set(run.get().wrapping_add(1));
            set.set(attempt.as_ref().map(|attempt| Rc::new((**attempt).clone().stopped())));
        })
    };
    let failed = attempt.as_ref().and_then(|attempt| scripting.cases.get(attempt.failed()?)).map(|case| {
        let stage = case.stage(&opened.lesson).session(&[]);
        (stage, case.inputs_with(&text).join("\n") + "\n")
    });
    let writing = Writing {
        title: t.script_yours(),
        change: t.script_change(),
        use_hint: t.script_use_hint(),
        reset: t.script_reset(),
        show: t.script_show(),
        is_running,
        start,
        stop,
        failed,
        findings: attempt.as_ref().map(|attempt| findings(t, attempt, scripting)).unwrap_or_default(),
        said: attempt.as_ref().filter(|attempt| is_over(attempt)).map(|attempt| in_words(t, attempt, scripting)),
    };
    functions.written(t, &session, &root, &result, writing)
}

/// Plays what the test needs, one session after the other, until it is over or `show` returns that it is no longer the newest.
async fn test(
    lesson: Rc<Lesson>,
    task: Task,
    mut attempt: Attempt,
    onanswer: Callback<Answer>,
    show: impl Fn(&Attempt) -> bool,
) {
    let TaskKind::Script(scripting) = &task.kind else { return };
    let is_ready = machine::ready().await.is_ok();
    while let Some((case, script)) = attempt.next(scripting) {
        let found = if is_ready { play(&lesson, case, script).await } else { None };
        attempt = attempt.after(scripting, found);
        if !show(&attempt) {
            return;
        }
        next_task().await;
    }
    if attempt.end().is_none() {
        onanswer.emit(Answer::Scripted { has_passed: attempt.has_passed(scripting) });
    }
}

async fn play(lesson: &Lesson, case: &Case, script: &str) -> Option<Outcome> {
    let timeline = read(&case.session(lesson, script)).await.ok()?;
    outcome(case, &timeline, case.stage(lesson).opening().len())
}

/// The cases tried so far and the current one; the remaining ones are only counted.
fn findings(t: Lang, attempt: &Attempt, scripting: &Scripting) -> Html {
    let tried = attempt.outcomes().len();
    let is_running = attempt.end().is_none() && attempt.failed().is_none();
    let begun = tried.saturating_add(usize::from(is_running)).min(scripting.cases.len());
    let rest = number(scripting.cases.len().saturating_sub(begun));
    let all = number(scripting.cases.len());
    html! {
        <>
            <ul class="repair-findings">
                { for scripting.cases.iter().take(begun).enumerate().map(|(nth, case)| finding(t, case, attempt.outcomes().get(nth))) }
            </ul>
            if let Some(end) = attempt.end() { <p class="repair-refused">{ ended(t, end) }</p> }
            if rest > 0 { <p class="soft small">{ t.script_rest(rest) }</p> }
            if attempt.has_passed(scripting) {
                <p class="task-done" data-testid="repair-done">{ icon(Picture::Check) }{ t.script_done(all) }</p>
            }
            if let Some(wrong) = attempt.known().and_then(|nth| scripting.wrong.get(nth)) {
                <section class="repair-wrong" data-testid="repair-known">
                    <h4>{ t.repair_known(&wrong.title) }</h4>
                    { prose(&wrong.html) }
                </section>
            }
        </>
    }
}

/// A case: its title and, if it failed, the commands, the replies and the claims.
fn finding(t: Lang, case: &Case, outcome: Option<&Outcome>) -> Html {
    let (picture, word) = match outcome {
        None => (None, "running"),
        Some(outcome) if outcome.has_passed() => (Some(Picture::Check), "holds"),
        Some(_) => (Some(Picture::Close), "broken"),
    };
    let failed = outcome.filter(|outcome| !outcome.has_passed());
    html! {
        <li key={case.id.clone()} data-verdict={word}>
            if let Some(picture) = picture { { icon(picture) } }
            <strong>{ &case.title }</strong>
            if outcome.is_none() { { " " }{ t.script_trying() } }
            if let Some(outcome) = failed { { what_happened(t, case, outcome) } }
        </li>
    }
}

fn what_happened(t: Lang, case: &Case, outcome: &Outcome) -> Html {
    let runs: Vec<String> = case.inputs.iter().map(|line| line.replace(SCRIPT, "…")).collect();
    let replies: Vec<&str> = outcome.replies.iter().map(|(_, text)| text.trim_end()).collect();
    let replies = if replies.is_empty() { t.script_nothing().to_owned() } else { replies.join("\n") };
    let block = |words: &'static str, text: String, testid: &'static str| {
        html! {
            <>
                <dt>{ words }</dt>
                <dd><pre class="prose-code" tabindex="0" aria-label={words} data-testid={testid}><code>{ text }</code></pre></dd>
            </>
        }
    };
    html! {
        <>
            <dl class="script-case">
                if !case.setup.is_empty() { { block(t.script_before(), case.setup.join("\n"), "case-setup") } }
                { block(t.script_runs(), runs.join("\n"), "case-runs") }
                { block(t.script_replies(), replies, "case-replies") }
            </dl>
            <ul class="task-checks" aria-label={t.reach_checks()} data-testid="checks">
                { for case.checks.iter().zip(&outcome.holds).map(|(check, holds)| html! {
                    <li data-holds={if *holds { "yes" } else { "no" }}>
                        <span class="task-check-mark">{ icon(if *holds { Picture::Check } else { Picture::Close }) }</span>
                        <div class="prose">
                            <p>{ Html::from_html_unchecked(AttrValue::from(check.html.clone())) }</p>
                            <span class="sr-only">{ if *holds { t.reach_holds() } else { t.reach_holds_not() } }</span>
                        </div>
                    </li>
                }) }
            </ul>
        </>
    }
}

fn ended(t: Lang, end: End) -> &'static str {
    match end {
        End::Stopped => t.script_stopped(),
        End::Failed => t.script_failed(),
    }
}

/// The result of a finished test in one sentence, for screen readers.
fn in_words(t: Lang, attempt: &Attempt, scripting: &Scripting) -> String {
    if let Some(end) = attempt.end() {
        return ended(t, end).to_owned();
    }
    match attempt.failed().and_then(|nth| scripting.cases.get(nth)) {
        Some(case) => t.say(RepairOutcome { title: &case.title, what: t.script_wrong() }),
        None => t.script_done(number(scripting.cases.len())),
    }
}
