//! Overview of the whole log, next to its table: one column per group, and the visible part. A click scrolls there.
use std::fmt::Write as _;

use web_sys::HtmlElement;
use yew::prelude::*;

use crate::i18n::Lang;
use crate::state::river::{Picture, Stretch};
use crate::ui::html;

/// Number of sections into which the log is divided.
const STRETCHES: usize = 60;
/// A log with fewer entries needs no overview.
const ENTRIES_MIN: usize = 100;
/// Maximum number of groups with a column.
const GROUPS_MAX: usize = 6;
/// Width of a group's column, and height of the drawing, in its units. Whole numbers: code that formats floats costs kilobytes.
const WIDTH: usize = 120;
const HEIGHT: usize = 10_000;

/// Overview of the log; `None` if it is short. `shown` are the entries in view, `unit_px` is the height of one, `scroller` scrolls them.
pub fn overview(t: Lang, picture: &Picture, shown: (usize, usize), unit_px: f64, scroller: &NodeRef) -> Option<Html> {
    let places = picture.log.places();
    let groups = picture.groups.len().min(GROUPS_MAX);
    if places < ENTRIES_MIN || groups == 0 {
        return None;
    }
    let stretches = picture.overview(STRETCHES);
    let y = |place: usize| place.saturating_mul(HEIGHT) / places;
    let columns = (0..groups).map(|nth| column(&stretches, nth, &y));
    let cursors = picture.groups.iter().take(groups).enumerate().map(|(nth, group)| {
        let (x, at) = (nth.saturating_mul(WIDTH), y(group.place));
        html! { <path class="river-far-cursor" d={format!("M{x} {at}h{}", WIDTH.saturating_sub(20))} /> }
    });
    let (first, last) = shown;
    let width = groups.saturating_mul(WIDTH);
    let onclick = {
        let scroller = scroller.clone();
        Callback::from(move |event: MouseEvent| {
            let (Some(map), Some(view)) = (event.target_dyn_into::<web_sys::Element>(), scroller.cast::<HtmlElement>())
            else {
                return;
            };
            let bounds = map.closest("svg").ok().flatten().unwrap_or(map).get_bounding_client_rect();
            let share = (f64::from(event.client_y()) - bounds.top()) / bounds.height().max(1.0);
            let middle = share * places as f64 * unit_px - f64::from(view.client_height()) / 2.0;
            view.set_scroll_top(middle.max(0.0) as i32);
        })
    };
    Some(html! {
        <svg class="river-far" viewBox={format!("0 0 {width} {HEIGHT}")} preserveAspectRatio="none" aria-hidden="true" {onclick}
            data-testid="river-far" style={format!("--groups: {groups}")}>
            <title>{ t.river_far() }</title>
            { for columns }
            { for cursors }
            <rect class="river-far-view" x="0" width={width.to_string()} y={y(first).to_string()}
                height={y(last).saturating_sub(y(first)).max(80).to_string()} />
        </svg>
    })
}

/// The column of a group: processed entries as a narrow bar, pending ones as a wide bar.
fn column(stretches: &[Stretch], nth: usize, y: &dyn Fn(usize) -> usize) -> Html {
    let (mut done, mut held) = (String::new(), String::new());
    let left = nth.saturating_mul(WIDTH);
    for Stretch { places, shares } in stretches {
        let Some(share) = shares.get(nth) else { continue };
        let top = y(places.start);
        let to = y(places.end.saturating_sub(share.ahead));
        let bar = |out: &mut String, x: usize, width: usize, to: usize| {
            let _ = write!(out, "M{x} {top}h{width}V{to}h-{width}z");
        };
        if to > top {
            bar(&mut done, left, 30, to);
        }
        if share.pending > 0 {
            // A single pending entry among a thousand has to stay visible.
            let part = share.pending.saturating_mul(50).checked_div(places.len()).unwrap_or(0).min(50);
            bar(&mut held, left.saturating_add(30), part.saturating_add(20), to.max(top.saturating_add(40)));
        }
    }
    html! { <><path class="river-far-done" d={done} /><path class="river-far-held" d={held} /></> }
}
