//! *Do it*: the conditions of the task, which of them hold now, and a known wrong way if the learner took one.
use std::rc::Rc;

use ::lesson::{Achieve, Task, TaskKind};
use yew::prelude::*;

use super::{prose, put_on_stage};
use crate::hooks::course::use_lesson;
use crate::hooks::{SessionPart, use_lang, use_session_for};
use crate::i18n::Lang;
use crate::i18n::messages::ReachSome;
use crate::state::judge::{Done, Judgement, Worth};
use crate::ui::{Button, ButtonLook, Picture, html, icon};

/// Properties of [`Reach`].
#[derive(Clone, PartialEq, Properties)]
pub struct ReachProps {
    /// The task.
    pub task: Task,
    /// The judgement of the session at the cursor.
    pub judgement: Rc<Judgement>,
}

/// The conditions, how many of them hold, and the result of the attempt.
#[component]
pub fn Reach(props: &ReachProps) -> Html {
    let t = use_lang();
    let TaskKind::Achieve(achieve) = &props.task.kind else { return Html::default() };
    let judgement = &props.judgement;
    html! {
        <>
            { checks(t, achieve, judgement) }
            { count(t, achieve, judgement) }
            <div role="status" class="task-attempt" data-testid="attempt">{ feedback(t, achieve, judgement) }</div>
        </>
    }
}

/// The conditions, each marked if it holds now.
fn checks(t: Lang, achieve: &Achieve, judgement: &Judgement) -> Html {
    html! {
        <ul class="task-checks" aria-label={t.reach_checks()} data-testid="checks">
            { for achieve.checks.iter().enumerate().map(|(nth, check)| {
                let holds = judgement.standing.checks.get(nth).copied().unwrap_or_default();
                html! {
                    <li key={nth} data-holds={if holds { "yes" } else { "no" }}>
                        <span class="task-check-mark">
                            if holds { { icon(Picture::Check) } }
                        </span>
                        <div class="prose">
                            <p>{ Html::from_html_unchecked(AttrValue::from(check.html.clone())) }</p>
                            <span class="sr-only" data-testid="check-said">{ if holds { t.reach_holds() } else { t.reach_holds_not() } }</span>
                        </div>
                    </li>
                }
            }) }
        </ul>
    }
}

/// How many conditions hold. Not announced by screen readers, because most steps change it.
fn count(t: Lang, achieve: &Achieve, judgement: &Judgement) -> Html {
    let holds = judgement.standing.checks.iter().filter(|holds| **holds).count() as u64;
    match &judgement.worth {
        Worth::Partly if judgement.standing.wrong.is_none() => {
            html! { <p class="soft small" data-testid="reach-count">{ t.say(ReachSome { n: holds, all: achieve.checks.len() as u64 }) }</p> }
        }
        _ => Html::default(),
    }
}

/// The result of the attempt, and the explanation of a recognised wrong way.
fn feedback(t: Lang, achieve: &Achieve, judgement: &Judgement) -> Html {
    let standing = &judgement.standing;
    if let (Worth::Partly, Some(wrong)) = (&judgement.worth, standing.wrong.and_then(|nth| achieve.wrong.get(nth))) {
        return html! {
            <section class="repair-wrong" data-testid="wrong-way">
                <h4>{ &wrong.title }</h4>
                { prose(&wrong.html) }
            </section>
        };
    }
    let said = match &judgement.worth {
        Worth::Given => t.reach_given().to_owned(),
        Worth::Foreign => t.reach_foreign().to_owned(),
        Worth::Done(Done::Reached) => t.reach_done().to_owned(),
        Worth::Nothing | Worth::Partly | Worth::Done(_) => return Html::default(),
    };
    html! { <p>{ said }</p> }
}

/// A button that moves to the start of the task: all steps since then count.
#[component]
pub fn Again() -> Html {
    let t = use_lang();
    let opened = use_lesson();
    let session = use_session_for(&[SessionPart::Steps]);
    if session.is_staged() && session.is_at_floor() {
        return Html::default();
    }
    let again = {
        let (session, lesson) = (session.clone(), opened.lesson.clone());
        Callback::from(move |_: MouseEvent| {
            if session.is_staged() {
                session.seek(session.floor());
            } else {
                put_on_stage(&session, &lesson, &[]);
            }
        })
    };
    Button::words(t.reach_again()).picture(Picture::Undo).look(ButtonLook::Quiet).testid("reach-again").on(again)
}
