//! All steps of the active path as sentences; a click moves the cursor to a step.
use web_sys::Element;
use yew::prelude::*;

use super::description;
use crate::hooks::{SessionPart, Write, before_paint, use_lang, use_session_for};
use crate::i18n::{rich, time_of_day};
use crate::panels::client::slot_of;
use crate::ui::{Picture, client_mark, html, icon};

/// Maximum number of steps shown on each side of the cursor.
const AROUND: usize = 80;

/// The list of steps.
#[component]
pub fn Steps() -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let here = use_node_ref();
    {
        let here = here.clone();
        use_effect_with(session.revision(), move |_| {
            before_paint(move || scroll_into_list(&here.cast::<Element>()?));
        });
    }
    let timeline = session.timeline();
    let current = session.current().map(|(id, _)| id);
    let all = session.stops();
    let at = session.stop();
    let (from, to) = (at.saturating_sub(AROUND), at.saturating_add(AROUND).min(all.len()));
    let shown = all.get(from..to).unwrap_or_default();
    let rows = shown.iter().filter_map(|position| {
        let index = position.checked_sub(1)?;
        let (id, step) = (timeline.id_at(index)?, timeline.step_at(index)?);
        let is_here = Some(id) == current;
        let onclick = {
            let (session, position) = (session.clone(), *position);
            Callback::from(move |_: MouseEvent| session.seek(position))
        };
        Some(html! {
            <li key={id}>
                <button type="button" class="step" {onclick} aria-current={is_here.then_some("step")}
                    data-future={(*position > timeline.position()).then_some("")}
                    ref={if is_here { here.clone() } else { NodeRef::default() }}>
                    <time class="tabular soft">{ time_of_day(step.now_ms) }</time>
                    { step.input.client().map_or_else(|| icon(Picture::Clock), |client| client_mark(slot_of(client))) }
                    <span>{ rich(&description(t, &session, step)) }</span>
                </button>
            </li>
        })
    });
    html! {
        <section class="steps" aria-label={t.time_steps()}>
            if all.is_empty() {
                <p class="soft">{ t.time_steps_none() }</p>
            } else {
                if from > 0 { <p class="soft small">{ t.time_steps_earlier(from as u64) }</p> }
                <ol data-testid="step-list">{ for rows }</ol>
                if to < all.len() { <p class="soft small">{ t.time_steps_later(all.len().saturating_sub(to) as u64) }</p> }
            }
        </section>
    }
}

/// Scrolls only the list, not its ancestors.
fn scroll_into_list(row: &Element) -> Option<Write> {
    let list = row.closest(".steps").ok().flatten()?;
    let (row, area) = (row.get_bounding_client_rect(), list.get_bounding_client_rect());
    let beyond = if row.bottom() > area.bottom() {
        row.bottom() - area.bottom()
    } else if row.top() < area.top() {
        row.top() - area.top()
    } else {
        return None;
    };
    let top = list.scroll_top().saturating_add(beyond.ceil() as i32);
    Some(Box::new(move || list.set_scroll_top(top)))
}
