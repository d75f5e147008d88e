//! *Repair it*: the learner changes the program, and the explorer looks for a schedule that still breaks it.
use std::rc::Rc;

use ::lesson::{Task, TaskKind};
use yew::prelude::*;

use super::prose;
use crate::hooks::course::use_lesson;
use crate::hooks::storage::Store;
use crate::hooks::{use_explorer, use_kept, use_lang, use_progress, use_session};
use crate::i18n::{Lang, rich};
use crate::panels::programs::{Edit, EditProps};
use crate::state::explorer::{Finding, Search};
use crate::state::progress::Did;
use crate::state::repair::{Check, Refused, Verdict, verdict};
use crate::state::shelf;
use crate::ui::{Button, ButtonLook, Picture, html, icon, part_of};

/// Properties of [`Repair`].
#[derive(Clone, PartialEq, Properties)]
pub struct RepairProps {
    /// The task.
    pub task: Task,
}

/// What was found so far.
#[derive(Clone, PartialEq)]
struct Checked {
    check: Rc<Check>,
    /// The text that is checked.
    text: Rc<str>,
    /// The search that runs, or the one after the last.
    nth: usize,
    /// The last finding, when it ended the check.
    end: Option<Finding>,
}

/// The editor, the check, and what came of it.
#[component]
pub fn Repair(props: &RepairProps) -> Html {
    let t = use_lang();
    let opened = use_lesson();
    let progress = use_progress();
    let session = use_session();
    let explorer = use_explorer();
    let is_editing = use_state_eq(|| false);
    let refused = use_state_eq(|| None::<Refused>);
    let checked = use_state_eq(|| None::<Checked>);
    let TaskKind::Repair { start, wrong, .. } = &props.task.kind else { return Html::default() };
    let name = format!("{}repair-{}", shelf::of_lesson(&opened.name.track, &opened.name.id), props.task.id);
    let (kept, keep) = use_kept(Store::Browser, name, "");
    let text: Rc<str> = if kept.is_empty() { start.as_str().into() } else { kept.as_str().into() };
    {
        // One search after the other, until one finds something or all are done.
        let (checked, explorer) = (checked.clone(), explorer.clone());
        let (progress, lesson, task) = (progress.clone(), opened.name.clone(), props.task.id.clone());
        let finding = explorer.search.as_ref().and_then(|search| search.finding.clone());
        let at = checked.as_ref().filter(|checked| checked.end.is_none()).map(|checked| checked.nth);
        use_effect_with((at, finding), move |(at, finding)| {
            let (Some(nth), Some(finding), Some(now)) = (at, finding, (*checked).clone()) else { return };
            let nth = nth.saturating_add(1);
            if verdict(finding) != Some(Verdict::Holds) {
                checked.set(Some(Checked { end: Some(finding.clone()), ..now }));
            } else if nth < now.check.len() {
                explorer.begin(now.check.beginning(), &now.check.order(nth));
                checked.set(Some(Checked { nth, ..now }));
            } else {
                progress.note(&lesson, Did::Solve(task.clone()));
                checked.set(Some(Checked { nth, end: Some(finding.clone()), ..now }));
            }
        });
    }
    let check = {
        let (lesson, task, text) = (opened.lesson.clone(), props.task.clone(), Rc::clone(&text));
        let (refused, checked, explorer) = (refused.clone(), checked.clone(), explorer.clone());
        Callback::from(move |_: MouseEvent| match Check::new(&lesson, &task, &text) {
            Ok(check) => {
                refused.set(None);
                explorer.begin(check.beginning(), &check.order(0));
                checked.set(Some(Checked { check: Rc::new(check), text: Rc::clone(&text), nth: 0, end: None }));
            }
            Err(why) => {
                checked.set(None);
                refused.set(Some(why));
            }
        })
    };
    let stop = {
        let explorer = explorer.clone();
        Callback::from(move |_: MouseEvent| explorer.stop())
    };
    let change = {
        let is_editing = is_editing.clone();
        Callback::from(move |_: MouseEvent| is_editing.set(true))
    };
    let done = {
        let (is_editing, keep) = (is_editing.clone(), keep.clone());
        Callback::from(move |text: Option<Rc<str>>| {
            is_editing.set(false);
            if let Some(text) = text {
                keep.emit(text.to_string());
            }
        })
    };
    let reset = keep.reform(|_: MouseEvent| String::new());
    let stage = {
        let (lesson, task, text) = (opened.lesson.clone(), props.task.clone(), Rc::clone(&text));
        let (session, refused, checked) = (session.clone(), refused.clone(), checked.clone());
        Callback::from(move |_: MouseEvent| match Check::new(&lesson, &task, &text) {
            Ok(check) => {
                // What was found is laid out with it, as long as the text is the one that was checked.
                let found =
                    checked.as_ref().filter(|checked| checked.text == text).and_then(|found| found.end.as_ref());
                session.replace(check.stage(found));
            }
            Err(why) => refused.set(Some(why)),
        })
    };
    let now = checked.as_ref().filter(|checked| checked.text == text);
    let is_running = now.is_some_and(|checked| checked.end.is_none());
    let known = wrong.iter().find(|wrong| wrong.text.trim() == text.trim());
    let is_found = now.and_then(|checked| checked.end.as_ref()).and_then(verdict) == Some(Verdict::Broken);
    html! {
        <div class="repair">
            if *is_editing {
                { part_of::<Edit>(&props.task.id, EditProps { name: t.repair_all().to_owned(), text: Rc::clone(&text), fault: None, ondone: done }) }
            } else {
                <details class="repair-source">
                    <summary>{ t.repair_program() }</summary>
                    <pre class="prose-code" tabindex="0"><code>{ text.to_string() }</code></pre>
                </details>
                <div class="row">
                    { Button::words(t.repair_change()).picture(Picture::Pencil).look(ButtonLook::Quiet).testid("repair-change").on(change) }
                    if is_running {
                        { Button::words(t.explore_stop()).picture(Picture::Stop).testid("repair-stop").on(stop) }
                    } else {
                        { Button::words(t.repair_check()).picture(Picture::Search).look(ButtonLook::Primary).testid("repair-check").on(check) }
                    }
                    { Button::words(if is_found { t.repair_show() } else { t.task_stage() }).picture(Picture::Play)
                        .look(ButtonLook::Quiet).testid("repair-stage").on(stage) }
                    if !kept.is_empty() { { Button::words(t.repair_reset()).look(ButtonLook::Quiet).testid("repair-reset").on(reset) } }
                </div>
            }
            <div role="status" data-testid="repair-told">
                if let Some(refused) = &*refused { <p class="repair-refused">{ told_refusal(t, refused) }</p> }
                if let Some(checked) = now { { findings(t, checked, &opened.lesson.properties, explorer.search.as_deref()) } }
                if let (true, Some(wrong)) = (is_found, known) {
                    <section class="repair-wrong"><h4>{ &wrong.title }</h4>{ prose(&wrong.html) }</section>
                }
            </div>
        </div>
    }
}

fn told_refusal(t: Lang, refused: &Refused) -> String {
    match refused {
        Refused::Wrong(why) => t.repair_wrong(why),
        Refused::Broken => t.course_stuck().to_owned(),
    }
}

/// Each property that was looked at, with how it came out.
fn findings(t: Lang, checked: &Checked, properties: &[::lesson::Property], search: Option<&Search>) -> Html {
    let rows = (0..checked.check.len()).filter(|nth| *nth <= checked.nth);
    let rows = rows.filter_map(|nth| Some((nth, properties.get(checked.check.goal(nth)?)?)));
    let of = |nth: usize| if nth < checked.nth { Some(Verdict::Holds) } else { checked.end.as_ref().and_then(verdict) };
    let is_over = checked.nth >= checked.check.len();
    let states = search.and_then(|search| search.progress).map_or(0, |progress| progress.states as u64);
    html! {
        <>
            <ul class="repair-findings">
                { for rows.map(|(nth, property)| {
                    let (picture, word, what) = match (of(nth), &checked.end) {
                        (Some(Verdict::Holds), _) => (Some(Picture::Check), "holds", t.repair_holds().to_owned()),
                        (Some(Verdict::Broken), Some(Finding::Broken { schedule, .. })) => {
                            (Some(Picture::Close), "broken", t.repair_broken(schedule.len() as u64))
                        }
                        (None, None) => (None, "running", t.repair_searching(states)),
                        (None, Some(_)) => (None, "failed", t.repair_failed().to_owned()),
                        _ => (None, "undecided", t.repair_undecided(states)),
                    };
                    html! {
                        <li data-verdict={word}>
                            if let Some(picture) = picture { { icon(picture) } }
                            <strong>{ &property.title }</strong>{ " " }{ rich(&what) }
                        </li>
                    }
                }) }
            </ul>
            if is_over { <p class="task-done">{ icon(Picture::Check) }{ t.repair_done() }</p> }
        </>
    }
}
