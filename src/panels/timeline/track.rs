//! The track: all steps of the active path in a row, the playhead on it, and the places where other futures part.
use web_sys::HtmlInputElement;
use world::{StepId, Timeline};
use yew::prelude::*;

use super::told_plain;
use crate::hooks::{use_lang, use_session};
use crate::panels::client::slot_of;
use crate::ui::{ClientMark, Icon, Picture};

/// With more steps than this the row shows no single steps: they would touch.
const MARKS_MAX: usize = 90;
/// With more than this not even a line each.
const TICKS_MAX: usize = 600;

/// The row of steps; a slider for hands, keys and screen readers.
#[component]
pub fn Track() -> Html {
    let t = use_lang();
    let session = use_session();
    let timeline = session.timeline();
    let (floor, len, position) = (session.floor(), timeline.len(), timeline.position());
    let seek = {
        let session = session.clone();
        Callback::from(move |event: InputEvent| {
            let value = event.target_unchecked_into::<HtmlInputElement>().value();
            if let Ok(position) = value.parse() {
                session.seek(position);
            }
        })
    };
    let span = len.saturating_sub(floor).max(1);
    let percent = |position: usize| position.saturating_sub(floor) as f64 / span as f64 * 100.0;
    let steps = timeline.steps_from(floor).enumerate().filter(|(_, (_, step))| !Timeline::is_quiet(step));
    let is_marked = len.saturating_sub(floor) <= MARKS_MAX;
    let marks = (len.saturating_sub(floor) <= TICKS_MAX).then(|| {
        steps
            .map(|(index, (id, step))| {
                let after = floor.saturating_add(index).saturating_add(1);
                let style = format!("inset-inline-start: {:.3}%", percent(after));
                let slot = step.input.client().map(slot_of);
                html! {
                    <span class="track-step" {style} key={id} data-client={slot.map(|slot| slot.to_string())}
                        data-taken={(after <= position).then_some("")}>
                        if is_marked {
                            if let Some(slot) = slot { <ClientMark {slot} /> } else { <Icon picture={Picture::Clock} /> }
                        }
                    </span>
                }
            })
            .collect::<Html>()
    });
    let forks: Vec<(usize, StepId)> = timeline
        .branches()
        .into_iter()
        .filter(|branch| !branch.is_active)
        .map(|branch| (branch.shared, branch.head))
        .collect();
    let value_text = session.current().map(|(id, _)| told_plain(t, &session, id)).unwrap_or_default();
    html! {
        <div class="track" data-empty={(len <= floor).then_some("")}>
            <div class="track-rail" aria-hidden="true">
                <span class="track-done" style={format!("inline-size: {:.3}%", percent(position))} />
                { marks }
                <span class="track-head" style={format!("inset-inline-start: {:.3}%", percent(position))} />
            </div>
            <input type="range" class="track-input" min={floor.to_string()} max={len.to_string()}
                value={position.to_string()} oninput={seek} aria-label={t.time_track()} aria-valuetext={value_text}
                disabled={len <= floor} data-testid="track" />
            { for forks.into_iter().map(|(shared, head)| {
                let onclick = {
                    let session = session.clone();
                    Callback::from(move |_: MouseEvent| session.switch(head))
                };
                let told = first_own_step(&session, head, shared).map(|id| told_plain(t, &session, id)).unwrap_or_default();
                let label = t.time_branch_switch(&told);
                html! {
                    <button type="button" class="track-fork" style={format!("inset-inline-start: {:.3}%", percent(shared))}
                        title={label.clone()} aria-label={label} {onclick} key={head}>
                        <Icon picture={Picture::Branch} />
                    </button>
                }
            }) }
        </div>
    }
}

/// The first step of the line to `head` that the active path does not share.
pub(super) fn first_own_step(session: &crate::hooks::SessionHandle, head: StepId, shared: usize) -> Option<StepId> {
    let timeline = session.timeline();
    let mut at = head;
    loop {
        let step = timeline.step(at)?;
        if step.depth as usize <= shared.saturating_add(1) {
            return Some(at);
        }
        at = step.parent;
    }
}
