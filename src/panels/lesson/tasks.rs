//! The tasks of a lesson: what is asked, hints before solutions, and what is told when one is done.
use ::lesson::{Choice, Task, TaskKind};
use yew::prelude::*;

use super::prose;
use super::repair::{Repair, RepairProps};
use crate::hooks::course::use_lesson;
use crate::hooks::{SessionHandle, use_kept_focus, use_lang, use_progress, use_session};
use crate::i18n::Lang;
use crate::state::lab::attempt::{Attempt, attempt};
use crate::state::lesson::{self, Opened};
use crate::state::progress::Did;
use crate::ui::{Button, ButtonLook, Picture, html, icon, part_of};

/// All tasks.
#[component]
pub fn TasksPart() -> Html {
    let opened = use_lesson();
    html! {
        <div class="tasks">
            { for opened.lesson.tasks.iter().map(|task| html! {
                { part_of::<TaskCard>(&task.id, TaskCardProps { task: task.clone() }) }
            }) }
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct TaskCardProps {
    task: Task,
}

#[component]
fn TaskCard(props: &TaskCardProps) -> Html {
    let t = use_lang();
    let opened = use_lesson();
    let progress = use_progress();
    let task = &props.task;
    let card = use_node_ref();
    use_kept_focus(&card);
    let is_done = progress.is_done(&opened.name, &task.id);
    let attempt = use_breaking(&opened, task, is_done);
    let session = use_session();
    // What was predicted right is explained at once.
    let asked = use_state_eq(|| None::<bool>);
    let is_shown = asked.unwrap_or(is_done && matches!(task.kind, TaskKind::Predict { .. }));
    let hints = task.hints.len();
    let open = usize::try_from(progress.hints(&opened.name, &task.id)).unwrap_or(hints).min(hints);
    let open_hint = {
        let (progress, name, id) = (progress.clone(), opened.name.clone(), task.id.clone());
        let hint = u32::try_from(open).unwrap_or(u32::MAX).saturating_add(1);
        Callback::from(move |_: MouseEvent| progress.note(&name, Did::OpenHint(id.clone(), hint)))
    };
    let toggle = {
        let asked = asked.clone();
        Callback::from(move |_: MouseEvent| asked.set(Some(!is_shown)))
    };
    // Whoever has read the answer cannot predict any more.
    let may_show = is_done || (open == hints && !matches!(task.kind, TaskKind::Predict { .. }));
    html! {
        <section class="task" data-done={is_done.then_some("")} data-testid={format!("task-{}", task.id)} ref={card} tabindex="-1">
            <p class="task-head">
                <span class="chip">{ kind(t, &task.kind) }</span>
                if let TaskKind::Break { par, .. } = task.kind && par > 0 {
                    <span class="soft small" title={t.task_par_rule()}>{ t.task_par(u64::from(par)) }</span>
                }
                if is_done { <span class="task-done">{ icon(Picture::Check) }{ t.task_done() }</span> }
            </p>
            <h3>{ &task.title }</h3>
            { prose(&task.html) }
            if let TaskKind::Break { .. } = &task.kind {
                <div role="status" class="task-attempt" data-testid="attempt">
                    { for attempt.iter().flat_map(|attempt| told(t, &session, attempt)).map(|said| html! { <p>{ said }</p> }) }
                </div>
            }
            if let TaskKind::Predict { choices, .. } = &task.kind {
                { part_of::<Predict>(&task.id, PredictProps { task: task.clone(), choices: choices.clone(), is_done }) }
            }
            if let TaskKind::Repair { .. } = &task.kind {
                { part_of::<Repair>(&task.id, RepairProps { task: task.clone() }) }
            }
            if open > 0 {
                <ol class="task-hints">
                    { for task.hints.iter().take(open).enumerate().map(|(nth, hint)| html! {
                        <li>
                            <p class="soft small">{ t.task_hint(hints as u64, nth.saturating_add(1) as u64) }</p>
                            { prose(hint) }
                        </li>
                    }) }
                </ol>
            }
            <div class="row">
                if open < hints && !is_done {
                    { Button::words(t.task_hint_open(hints as u64, open.saturating_add(1) as u64)).picture(Picture::Help)
                        .look(ButtonLook::Quiet).testid("hint").on(open_hint) }
                }
                { Button::words(if is_shown { t.task_solution_hide() } else { t.task_solution_show() }).look(ButtonLook::Quiet)
                    .picture(Picture::Eye).disabled(!may_show).title(if may_show { "" } else { t.task_solution_later() })
                    .testid("solution").on(toggle) }
            </div>
            if is_shown && may_show { { solution(t, task) } }
        </section>
    }
}

fn kind(t: Lang, kind: &TaskKind) -> &'static str {
    match kind {
        TaskKind::Break { .. } => t.task_break(),
        TaskKind::Repair { .. } => t.task_repair(),
        TaskKind::Predict { .. } => t.task_predict(),
    }
}

fn solution(t: Lang, task: &Task) -> Html {
    html! {
        <div class="task-solution">
            <h4>{ t.task_solution() }</h4>
            { prose(&task.solution) }
            if let TaskKind::Repair { solution, .. } = &task.kind { <pre class="prose-code" tabindex="0"><code>{ solution }</code></pre> }
        </div>
    }
}

/// A task to break something is done when the learner breaks it: not the story, nor a schedule that was found, put onto the stage or
/// shared and is only looked at.
#[hook]
fn use_breaking(opened: &Opened, task: &Task, is_done: bool) -> Option<Attempt> {
    let session = use_session();
    let progress = use_progress();
    let found = {
        let (lesson, kind) = (opened.lesson.clone(), task.kind.clone());
        let key = (session.revision(), task.id.clone());
        use_memo(key, move |_| attempt(&lesson, &session, &kind))
    };
    let (name, id) = (opened.name.clone(), task.id.clone());
    let solves = matches!(&*found, Some(Attempt::Done { .. })) && !is_done;
    use_effect_with(solves, move |solves| {
        if *solves {
            progress.note(&name, Did::Solve(id));
        }
    });
    Option::clone(&found)
}

/// What the learner's attempt is worth, in a sentence or two.
fn told(t: Lang, session: &SessionHandle, attempt: &Attempt) -> Vec<String> {
    let (steps, par, is_within, passed_over) = match attempt {
        Attempt::Given => return vec![t.attempt_given().to_owned()],
        Attempt::Foreign => return vec![t.attempt_foreign().to_owned()],
        Attempt::Done { steps, par, is_within, passed_over } => {
            (u64::from(*steps), u64::from(*par), is_within, passed_over)
        }
    };
    let mut said = vec![if *is_within { t.attempt_within(par, steps) } else { t.attempt_beyond(par, steps) }];
    if !passed_over.is_empty() {
        let who: Vec<String> = passed_over.iter().map(|client| session.name_of(*client)).collect();
        said.push(t.attempt_stood(&who.join(t.told_comma())));
    }
    said
}

#[derive(Clone, PartialEq, Properties)]
struct PredictProps {
    task: Task,
    choices: Vec<Choice>,
    is_done: bool,
}

/// What happens next? Chosen, told, and tried on the stage.
#[component]
fn Predict(props: &PredictProps) -> Html {
    let t = use_lang();
    let session = use_session();
    let progress = use_progress();
    let opened = use_lesson();
    let chosen = use_state_eq(|| None::<usize>);
    let put = {
        let (lesson, task) = (opened.lesson.clone(), props.task.clone());
        Callback::from(move |_: MouseEvent| {
            if let TaskKind::Predict { after, .. } = &task.kind
                && let Ok(timeline) = lesson::after(&lesson, after, script::program::installed())
            {
                session.replace(timeline);
            }
        })
    };
    let choose = |nth: usize, is_right: bool| {
        let (chosen, progress) = (chosen.clone(), progress.clone());
        let (name, id) = (opened.name.clone(), props.task.id.clone());
        Callback::from(move |_: MouseEvent| {
            chosen.set(Some(nth));
            if is_right {
                progress.note(&name, Did::Solve(id.clone()));
            }
        })
    };
    html! {
        <div class="predict" role="group" aria-label={t.task_choose()}>
            { for props.choices.iter().enumerate().map(|(nth, choice)| {
                let is_chosen = *chosen == Some(nth);
                let mark = match choice.is_right {
                    true if is_chosen || props.is_done => Some("right"),
                    false if is_chosen => Some("wrong"),
                    _ => None,
                };
                html! {
                    <button type="button" class="choice" data-mark={mark} aria-pressed={if is_chosen { "true" } else { "false" }}
                        onclick={choose(nth, choice.is_right)}>{ prose(&choice.html) }</button>
                }
            }) }
            <p role="status" class="small">
                {
                    match chosen.and_then(|nth| props.choices.get(nth)) {
                        Some(choice) if choice.is_right => t.task_right(),
                        Some(_) => t.task_wrong(),
                        None => "",
                    }
                }
            </p>
            { Button::words(t.task_stage()).picture(Picture::Play).look(ButtonLook::Quiet).testid("put-on-stage").on(put) }
        </div>
    }
}
