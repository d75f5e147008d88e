//! *Choose*: which of these fixes survive? The first answer counts. Then each fix shows its result, and the learner can replay a schedule
//! that breaks a wrong one.
use std::rc::Rc;

use ::lesson::Task;
use ::lesson::repair::Fix;
use yew::prelude::*;

use super::findings::{describe_refusal, findings};
use super::prose;
use crate::hooks::course::use_lesson;
use crate::hooks::storage::Store;
use crate::hooks::{SessionPart, machine, use_brought_into_view, use_check, use_lang, use_persisted, use_session_for};
use crate::i18n::rich;
use crate::state::choice::Ticks;
use crate::state::judge::Answer;
use crate::state::repair::{Check, Refused, Run};
use crate::state::session_store;
use crate::ui::{Button, ButtonLook, Picture, html, icon, part_of};

/// Properties of [`Choose`].
#[derive(Clone, PartialEq, Properties)]
pub struct ChooseProps {
    /// The task.
    pub task: Task,
    /// The id of the repair task whose variations the fixes have to survive.
    pub of: String,
    /// The fixes to choose from.
    pub fixes: Vec<Fix>,
    /// Whether the task was answered.
    pub is_done: bool,
    /// Receives the answer.
    pub onanswer: Callback<Answer>,
}

/// The fixes, and the answer.
#[component]
pub fn Choose(props: &ChooseProps) -> Html {
    let t = use_lang();
    let opened = use_lesson();
    let prefix = session_store::of_lesson(&opened.name.track, &opened.name.id);
    let (kept, keep) = use_persisted(Store::Browser, format!("{prefix}choose-{}", props.task.id), "");
    let ticks = use_state_eq(Ticks::default);
    let has_just_answered = use_state_eq(|| false);
    // The ticks of the first answer, if known.
    let answered = props.is_done.then(|| Ticks::from_text(&kept)).flatten();
    let answer = {
        let (ticks, answer) = ((*ticks).clone(), props.onanswer.clone());
        let set_answered = has_just_answered.setter();
        Callback::from(move |_: MouseEvent| {
            set_answered.set(true);
            keep.emit(ticks.to_text());
            answer.emit(Answer::Ticked(ticks.clone()));
        })
    };
    html! {
        <div class="choose" role="group" aria-label={t.choose_ask()}>
            <ul class="fixes">
                { for props.fixes.iter().enumerate().map(|(nth, fix)| {
                    let toggle = {
                        let ticks = ticks.clone();
                        Callback::from(move |_: MouseEvent| ticks.set(ticks.toggled(nth)))
                    };
                    part_of::<FixCard>(&nth, FixCardProps {
                        fix: fix.clone(),
                        of: props.of.clone(),
                        is_ticked: answered.as_ref().unwrap_or(&ticks).has(nth),
                        is_done: props.is_done,
                        was_ticked: answered.as_ref().map(|answered| answered.has(nth)),
                        // The verdicts make the list much longer: it is read from its beginning.
                        is_in_view: nth == 0 && props.is_done && *has_just_answered,
                        ontoggle: toggle,
                    })
                }) }
            </ul>
            if !props.is_done {
                <div class="row">
                    { Button::words(t.choose_answer()).look(ButtonLook::Primary).picture(Picture::Check).testid("choose-answer").on(answer) }
                </div>
            }
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct FixCardProps {
    fix: Fix,
    of: String,
    is_ticked: bool,
    is_done: bool,
    /// Whether the fix was ticked in the first answer; `None` if unknown.
    was_ticked: Option<bool>,
    /// Whether it is brought into view.
    is_in_view: bool,
    ontoggle: Callback<MouseEvent>,
}

/// One fix: its functions, a checkbox, and after the answer its result.
#[component]
fn FixCard(props: &FixCardProps) -> Html {
    let t = use_lang();
    let opened = use_lesson();
    let session = use_session_for(&[SessionPart::Steps]);
    let refused = use_state_eq(|| None::<Refused>);
    let card = use_node_ref();
    use_brought_into_view(&card, props.is_in_view.then_some(()));
    let check = {
        let session = session.clone();
        use_check(Callback::from(move |run: Rc<Run>| {
            if let Some(laid) = run.laid() {
                session.replace(laid);
            }
        }))
    };
    let FixCardProps { fix, of, is_done, .. } = props;
    let show = {
        let (lesson, of, text) = (opened.lesson.clone(), of.clone(), fix.text.clone());
        let (check, refused, session) = (check.clone(), refused.clone(), session.clone());
        Callback::from(move |_: MouseEvent| {
            // A schedule that was found before is replayed without a new search.
            if let Some(laid) = check.run.as_ref().and_then(|run| run.laid()) {
                return session.replace(laid);
            }
            match Check::new(&lesson, &of, &text, &machine::engines()) {
                Ok(found) => check.begin(found),
                Err(why) => refused.set(Some(why)),
            }
        })
    };
    let was_right = props.was_ticked.map(|ticked| ticked == fix.survives);
    let mark = was_right.map(|is_right| if is_right { "right" } else { "wrong" });
    let repair = opened.lesson.repair(of);
    html! {
        <li class="fix" ref={card} data-testid="fix" data-mark={mark} data-survives={is_done.then_some(if fix.survives { "yes" } else { "no" })}>
            <div class="fix-head">
                <h4>{ &fix.title }</h4>
                <button type="button" class="fix-tick" role="checkbox" aria-checked={if props.is_ticked { "true" } else { "false" }}
                    aria-label={t.choose_survives_of(&fix.title)} disabled={*is_done}
                    onclick={props.ontoggle.clone()} data-testid="fix-tick">{ t.choose_survives() }</button>
            </div>
            <details>
                <summary>{ t.choose_code() }</summary>
                <pre class="prose-code" tabindex="0"><code>{ fix.text.clone() }</code></pre>
            </details>
            if *is_done {
                <div class="fix-worth" data-testid="fix-worth">
                    <p>
                        <b class="fix-verdict">
                            { icon(if fix.survives { Picture::Check } else { Picture::Close }) }
                            { if fix.survives { t.choose_does() } else { t.choose_does_not() } }
                        </b>
                        if let Some(was_right) = was_right {
                            { " " }<span class="fix-judged">{ if was_right { t.choose_right() } else { t.choose_wrong() } }</span>
                        }
                    </p>
                    { prose(&fix.html) }
                    if !fix.survives {
                        <div class="row">
                            { Button::words(t.repair_show()).picture(Picture::Play).look(ButtonLook::Quiet)
                                .disabled(check.is_running()).testid("fix-show").on(show) }
                        </div>
                    }
                    <div role="status">
                        if let Some(refused) = &*refused { <p class="repair-refused" data-testid="repair-refused">{ rich(&describe_refusal(t, refused)) }</p> }
                        if let (Some(run), Some(repair)) = (&check.run, repair) { { findings(t, &check, run, repair) } }
                    </div>
                </div>
            }
        </li>
    }
}
