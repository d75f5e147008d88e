//! The log from afar, beside its table: a column a group, and what is in view. A click goes there.
use std::fmt::Write as _;

use web_sys::HtmlElement;
use yew::prelude::*;

use crate::i18n::Lang;
use crate::state::river::{Picture, Stretch};
use crate::ui::html;

/// Stretches that are told apart.
const STRETCHES: usize = 60;
/// A log of fewer entries is seen as it is.
const ENTRIES_MIN: usize = 100;
/// Groups that have a column.
const GROUPS_MAX: usize = 6;
/// Width of a group's column, and height of all.
const WIDTH: usize = 12;
const HEIGHT: f64 = 1000.0;

/// The log from afar, when it is long. `shown` are the places in view, `unit_px` is the height of one, `scroller` has them.
pub fn overview(
    t: Lang,
    picture: &Picture,
    shown: (usize, usize),
    unit_px: f64,
    scroller: &NodeRef,
) -> Option<Html> {
    let places = picture.log.places();
    let groups = picture.groups.len().min(GROUPS_MAX);
    if places < ENTRIES_MIN || groups == 0 {
        return None;
    }
    let stretches = picture.overview(STRETCHES);
    let y = |place: usize| place as f64 * HEIGHT / places as f64;
    let columns = (0..groups).map(|nth| column(&stretches, nth, &y));
    let cursors = picture.groups.iter().take(groups).enumerate().map(|(nth, group)| {
        let (x, at) = (nth.saturating_mul(WIDTH), y(group.place));
        html! { <path class="river-far-cursor" d={format!("M{x} {at:.0}h{}", WIDTH.saturating_sub(2))} /> }
    });
    let (first, last) = shown;
    let width = groups.saturating_mul(WIDTH);
    let onclick = {
        let scroller = scroller.clone();
        Callback::from(move |event: MouseEvent| {
            let (Some(map), Some(view)) =
                (event.target_dyn_into::<web_sys::Element>(), scroller.cast::<HtmlElement>())
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
            <rect class="river-far-view" x="0" width={width.to_string()} y={format!("{:.0}", y(first))}
                height={format!("{:.0}", (y(last) - y(first)).max(8.0))} />
        </svg>
    })
}

/// A group's column: what is done as a narrow bar, what is held as a wide one.
fn column(stretches: &[Stretch], nth: usize, y: &dyn Fn(usize) -> f64) -> Html {
    let (mut done, mut held) = (String::new(), String::new());
    let left = nth.saturating_mul(WIDTH);
    for Stretch { places, shares } in stretches {
        let Some(share) = shares.get(nth) else { continue };
        let (top, bottom) = (y(places.start), y(places.end));
        let passed = places.len().saturating_sub(share.ahead);
        let to = top + (bottom - top) * passed as f64 / places.len().max(1) as f64;
        let bar = |out: &mut String, x: usize, width: f64, to: f64| {
            let _ = write!(out, "M{x} {top:.1}h{width:.1}V{to:.1}h-{width:.1}z");
        };
        if passed > 0 {
            bar(&mut done, left, 3.0, to);
        }
        if share.pending > 0 {
            // One that is held among a thousand is seen.
            let part = (share.pending as f64 / places.len().max(1) as f64).min(1.0);
            bar(&mut held, left.saturating_add(3), 2.0 + 5.0 * part, to.max(top + 4.0));
        }
    }
    html! { <><path class="river-far-done" d={done} /><path class="river-far-held" d={held} /></> }
}
