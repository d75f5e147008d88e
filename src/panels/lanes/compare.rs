//! Two branches side by side: two schedules of one world, or a program before and after a change.
use web_sys::HtmlSelectElement;
use world::StepId;
use yew::prelude::*;

use super::{LanesOf, LanesOfProps};
use crate::hooks::{SessionHandle, SessionPart, use_lang, use_session_for};
use crate::i18n::messages::CompareBranch;
use crate::i18n::{Lang, plain};
use crate::state::description::Describer;
use crate::state::lab::compare::{others, parting};
use crate::ui::{Button, html, part_of};

/// Properties of [`Compare`].
#[derive(Clone, PartialEq, Properties)]
pub struct CompareProps {
    /// Closes the comparison.
    pub onclose: Callback<MouseEvent>,
}

/// The active path and another branch; the first step that differs is marked in both.
#[component]
pub fn Compare(props: &CompareProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let chosen = use_state_eq(|| None::<StepId>);
    let heads = others(session.timeline());
    let chosen_head = chosen.filter(|chosen| heads.contains(chosen)).or_else(|| heads.first().copied());
    let Some(head) = chosen_head else { return Html::default() };
    let choose = {
        let chosen = chosen.clone();
        Callback::from(move |event: Event| {
            chosen.set(event.target_unchecked_into::<HtmlSelectElement>().value().parse().ok());
        })
    };
    let parts_at = parting(session.timeline(), head).shared.checked_add(1);
    let lanes = |branch: Option<StepId>, title: &'static str| {
        part_of::<LanesOf>(&title, LanesOfProps { branch, parts_at, title: Some(title.into()), oncompare: None })
    };
    html! {
        <section class="panel compare" aria-label={t.compare_title()} data-testid="side-by-side">
            <div class="panel-head">
                <h2>{ t.compare_title() }</h2>
                <span class="spacer" />
                <label class="small">
                    { t.compare_choose() }
                    <select class="field" onchange={choose}>
                        { for heads.iter().map(|each| html! {
                            <option key={*each} value={each.to_string()} selected={*each == head}>{ name(t, &session, *each) }</option>
                        }) }
                    </select>
                </label>
                { Button::words(t.compare_title()).pressed(true).testid("compare").on(props.onclose.clone()) }
            </div>
            { super::summary::style() }
            <div class="compare-body">
                { lanes(None, t.compare_this()) }
                { lanes(Some(head), t.compare_other()) }
            </div>
        </section>
    }
}

/// Name of a branch: its first step that is not on the active path.
fn name(t: Lang, session: &SessionHandle, head: StepId) -> String {
    const CHARS_MAX: usize = 60;
    let name_of = |client| session.name_of(client);
    let parting = parting(session.timeline(), head);
    let step = parting.first.and_then(|first| session.timeline().step(first));
    let description = step.map(|step| {
        plain(
            &Describer { t, name_of: &name_of, settings: session.timeline().settings() }
                .step(&step.input, &step.events),
        )
    });
    let description: String = description.unwrap_or_default().chars().take(CHARS_MAX).collect();
    t.say(CompareBranch { n: parting.shared.saturating_sub(session.floor()) as u64, what: &description })
}
