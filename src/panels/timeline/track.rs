//! The track: all steps of the active path in a row, the playhead, and the points where other branches diverge.
use web_sys::HtmlInputElement;
use world::{StepId, Timeline};
use yew::prelude::*;

use super::marks::Marks;
use super::plain_description;
use crate::hooks::SessionHandle;
use crate::i18n::Lang;
use crate::ui::{Picture, html, icon, part};

/// The row of steps, as a slider for pointer, keyboard and screen reader.
pub fn track(t: Lang, session: &SessionHandle) -> Html {
    let timeline = session.timeline();
    let (all, now) = (session.stops().len(), session.stop());
    let seek = {
        let session = session.clone();
        Callback::from(move |event: InputEvent| {
            let value = event.target_unchecked_into::<HtmlInputElement>().value();
            if let Ok(stop) = value.parse() {
                session.seek(session.position_of(stop));
            }
        })
    };
    let others = timeline.branches().into_iter().filter(|branch| !branch.is_active);
    let forks: Vec<(usize, usize, StepId)> =
        others.map(|branch| (session.stops_until(branch.shared), branch.shared, branch.head)).collect();
    let value_text = session.current().map(|(id, _)| plain_description(t, session, id)).unwrap_or_default();
    html! {
        <div class="track" data-empty={(all == 0).then_some("")} style={format!("--all: {}", all.max(1))}>
            <input type="range" class="track-input" min="0" max={all.to_string()}
                value={now.to_string()} oninput={seek} aria-label={t.time_track()} aria-valuetext={value_text}
                disabled={all == 0} data-testid="track" />
            <div class="track-rail" aria-hidden="true">
                <span class="track-done" style={format!("--nth: {now}")} />
                { part::<Marks>(()) }
                <span class="track-head" data-testid="track-head" style={format!("--nth: {now}")} />
            </div>
            { for forks.into_iter().map(|(stop, shared, head)| {
                let onclick = {
                    let session = session.clone();
                    Callback::from(move |_: MouseEvent| session.switch(head))
                };
                let description = first_own_step(session, head, shared).map(|id| plain_description(t, session, id)).unwrap_or_default();
                let label = t.time_branch_switch(&description);
                html! {
                    <button type="button" class="track-fork" style={format!("--nth: {stop}")}
                        title={label.clone()} aria-label={label} {onclick} key={head}>
                        { icon(Picture::Branch) }
                    </button>
                }
            }) }
        </div>
    }
}

/// The first step on the branch to `head` after the `shared` steps of the active path, preferably one that is not quiet.
pub(super) fn first_own_step(session: &SessionHandle, head: StepId, shared: usize) -> Option<StepId> {
    let timeline = session.timeline();
    let (mut at, mut first) = (head, None);
    while let Some(step) = timeline.step(at).filter(|step| step.depth as usize > shared) {
        if first.is_none() || !Timeline::is_quiet(step) {
            first = Some(at);
        }
        at = step.parent;
    }
    first
}
