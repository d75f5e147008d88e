//! The tasks of a lesson: the question, hints before the solution, and the message when a task is done.
use std::rc::Rc;

use ::lesson::{Break, Task, TaskKind};
use yew::prelude::*;

use super::achieve::{Again, Reach, ReachProps};
use super::attempt;
use super::choose::{Choose, ChooseProps};
use super::forecast::{Forecast, ForecastProps};
use super::handling::{Handling, HandlingProps};
use super::judging::use_judging;
use super::predict::{Predict, PredictProps};
use super::prose;
use super::repair::{Repair, RepairProps};
use super::scripting::{Script, ScriptProps};
use crate::hooks::assets::Chunk;
use crate::hooks::course::use_lesson;
use crate::hooks::{ProgressHandle, SessionPart, use_kept_focus, use_lang, use_progress, use_session_for};
use crate::i18n::Lang;
use crate::i18n::messages::{TaskHint, TaskHintOpen};
use crate::state::judge::Worth;
use crate::state::lesson::Opened;
use crate::state::progress::{Did, How};
use crate::ui::{Button, ButtonLook, Picture, html, icon, later, part, part_of};

/// Properties of [`TaskCard`].
#[derive(Clone, PartialEq, Properties)]
pub struct TaskCardProps {
    /// The task.
    pub task: Task,
    /// Whether it is the first one that is not done.
    pub is_next: bool,
}

/// One task.
#[component]
pub fn TaskCard(props: &TaskCardProps) -> Html {
    let t = use_lang();
    let opened = use_lesson();
    let progress = use_progress();
    let task = &props.task;
    let card = use_node_ref();
    use_kept_focus(&card);
    let is_done = progress.is_done(&opened.name, &task.id);
    let judging = use_judging(&opened, task, is_done);
    let judgement = &judging.judgement;
    let session = use_session_for(&[SessionPart::Steps]);
    let is_answer = matches!(task.kind, TaskKind::Predict { .. } | TaskKind::Choose { .. } | TaskKind::Forecast { .. });
    // After an answer the explanation opens at once.
    let asked = use_state_eq(|| None::<bool>);
    let is_shown = asked.unwrap_or(is_done && is_answer);
    let hints = task.hints.len();
    let open = usize::try_from(progress.hints(&opened.name, &task.id)).unwrap_or(hints).min(hints);
    let open_hint = {
        let (progress, name, id) = (progress.clone(), opened.name.clone(), task.id.clone());
        let hint = u32::try_from(open).unwrap_or(u32::MAX).saturating_add(1);
        Callback::from(move |_: MouseEvent| progress.note(&name, Did::OpenHint(id.clone(), hint)))
    };
    let toggle = {
        let (asked, progress) = (asked.clone(), progress.clone());
        let (name, id) = (opened.name.clone(), task.id.clone());
        Callback::from(move |_: MouseEvent| {
            if !is_shown && !is_done {
                progress.note(&name, Did::ReadSolution(id.clone()));
            }
            asked.set(Some(!is_shown));
        })
    };
    // The answer of a prediction is hidden until the learner has answered.
    let may_show = is_done || (open == hints && !is_answer);
    html! {
        <section class="task" data-done={is_done.then_some("")} data-next={props.is_next.then_some("")} aria-current={props.is_next.then_some("step")} data-testid={format!("task-{}", task.id)} ref={card} tabindex="-1">
            <p class="task-head">
                <span class="chip">{ kind(t, &task.kind) }</span>
                if let TaskKind::Break(Break { shortest, .. }) = &task.kind && *shortest > 0 {
                    <span class="soft small" title={t.task_shortest_rule()}>{ t.task_shortest(u64::from(*shortest)) }</span>
                }
                if props.is_next { <span class="chip task-next">{ t.task_next() }</span> }
                if is_done { { done(t, &progress, &opened, task) } }
            </p>
            <h3>{ &task.title }</h3>
            { prose(&task.html) }
            if let TaskKind::Break(breaking) = &task.kind {
                if !breaking.stage.is_empty() {
                    { {
                        let (opened, session, breaking) = (opened.clone(), session.clone(), breaking.clone());
                        later(Chunk::Rest, move || attempt::stage(t, &opened, &session, &breaking))
                    } }
                }
                <div role="status" class="task-attempt" data-testid="attempt">
                    // The text of the judge is in the same chunk as the judge.
                    if judgement.worth != Worth::Nothing { { attempt::feedback(t, &session, &judgement.worth) } }
                </div>
            }
            if let TaskKind::Achieve(_) = &task.kind {
                { {
                    let reach = ReachProps { task: task.clone(), judgement: Rc::clone(judgement) };
                    later(Chunk::Rest, move || part::<Reach>(reach.clone()))
                } }
            }
            if let TaskKind::Predict { choices, .. } = &task.kind {
                { {
                    let (task, choices) = (task.clone(), choices.clone());
                    let predict = PredictProps { task, choices, is_done, onanswer: judging.answer.clone() };
                    later(Chunk::Rest, move || part_of::<Predict>(&predict.task.id, predict.clone()))
                } }
            }
            if let TaskKind::Choose { of, fixes } = &task.kind {
                { {
                    let (task, of, fixes) = (task.clone(), of.clone(), fixes.clone());
                    let choose = ChooseProps { task, of, fixes, is_done, onanswer: judging.answer.clone() };
                    later(Chunk::Rest, move || part_of::<Choose>(&choose.task.id, choose.clone()))
                } }
            }
            if let TaskKind::Forecast { .. } = &task.kind {
                { {
                    let forecast = ForecastProps { task: task.clone(), is_done, onanswer: judging.answer.clone() };
                    later(Chunk::Rest, move || part_of::<Forecast>(&forecast.task.id, forecast.clone()))
                } }
            }
            if let TaskKind::Repair(_) = &task.kind {
                { {
                    let repair = RepairProps { task: task.clone(), onanswer: judging.answer.clone() };
                    later(Chunk::Rest, move || part_of::<Repair>(&repair.task.id, repair.clone()))
                } }
            }
            if let TaskKind::Handler(_) = &task.kind {
                { {
                    let handling = HandlingProps { task: task.clone(), onanswer: judging.answer.clone() };
                    // It also plays and describes traffic.
                    let card = move || part_of::<Handling>(&handling.task.id, handling.clone());
                    later(Chunk::Stretch, move || later(Chunk::Rest, card.clone()))
                } }
            }
            if let TaskKind::Script(_) = &task.kind {
                { {
                    let script = ScriptProps { task: task.clone(), onanswer: judging.answer.clone() };
                    later(Chunk::Rest, move || part_of::<Script>(&script.task.id, script.clone()))
                } }
            }
            if open > 0 {
                <ol class="task-hints">
                    { for task.hints.iter().take(open).enumerate().map(|(nth, hint)| html! {
                        <li>
                            <p class="soft small">{ t.say(TaskHint { n: nth.saturating_add(1) as u64, all: hints as u64 }) }</p>
                            { prose(hint) }
                        </li>
                    }) }
                </ol>
            }
            <div class="row">
                if let TaskKind::Achieve(_) = &task.kind { { later(Chunk::Rest, || part::<Again>(())) } }
                if open < hints && !is_done {
                    { Button::words(t.say(TaskHintOpen { n: open.saturating_add(1) as u64, all: hints as u64 })).picture(Picture::Help)
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

/// What a task asks, before the stage is there to do it on.
pub fn announced(t: Lang, task: &Task) -> Html {
    html! {
        <section key={task.id.clone()} class="task" aria-busy="true">
            <p class="task-head"><span class="chip">{ kind(t, &task.kind) }</span></p>
            <h3>{ &task.title }</h3>
            { prose(&task.html) }
        </section>
    }
}

fn kind(t: Lang, kind: &TaskKind) -> &'static str {
    match kind {
        TaskKind::Break(_) => t.task_break(),
        TaskKind::Achieve(_) => t.task_achieve(),
        TaskKind::Repair(_) => t.task_repair(),
        TaskKind::Handler(_) | TaskKind::Script(_) => t.task_handler(),
        TaskKind::Choose { .. } => t.task_choose(),
        TaskKind::Predict { .. } | TaskKind::Forecast { .. } => t.task_predict(),
    }
}

/// Message that a task is done, and how, if known.
fn done(t: Lang, progress: &ProgressHandle, opened: &Opened, task: &Task) -> Html {
    let first = progress.first(&opened.name, &task.id);
    let (word, said) = match (first, progress.how(&opened.name, &task.id)) {
        (Some(true), _) => ("right", t.task_first_right()),
        (Some(false), _) => ("wrong", t.task_first_wrong()),
        (None, Some(How::Alone)) => ("alone", t.task_alone()),
        (None, Some(How::Hints)) => ("hints", t.task_with_hints()),
        (None, Some(How::Solution)) => ("solution", t.task_after_solution()),
        (None, None) => ("done", t.task_done()),
    };
    html! { <span class="task-done" data-how={word} data-testid="task-done">{ icon(Picture::Check) }{ said }</span> }
}

fn solution(t: Lang, task: &Task) -> Html {
    html! {
        <div class="task-solution">
            <h4>{ t.task_solution() }</h4>
            { prose(&task.solution) }
            if let Some(text) = written(&task.kind) { <pre class="prose-code" tabindex="0"><code>{ text.to_owned() }</code></pre> }
        </div>
    }
}

/// The text of a solution that the learner could have written.
fn written(kind: &TaskKind) -> Option<&str> {
    match kind {
        TaskKind::Repair(repair) => Some(&repair.solution),
        TaskKind::Handler(handling) => Some(&handling.solution),
        TaskKind::Script(scripting) => Some(&scripting.solution),
        _ => None,
    }
}
