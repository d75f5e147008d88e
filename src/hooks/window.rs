//! Windowing of long lists whose row heights are multiples of a unit: only the visible part is rendered. The unit and the height of the
//! view are measured when they change (`sizes.rs`).
use std::ops::Range;

use resp::decimal::fixed;
use web_sys::HtmlElement;
use yew::prelude::*;

use super::{Size, before_paint, use_sizes};
use crate::ui::html;

/// Units rendered beyond both edges, so that scrolling shows no gaps.
const BEYOND: u32 = 8;
/// Scrolling by fewer units than this renders nothing.
const STEP: u32 = 4;

/// The rendered part of a list.
#[derive(Clone, PartialEq)]
pub struct Window {
    /// The rendered units, counted from the top of the list.
    pub range: Range<u32>,
    /// Height of a unit in px.
    pub unit_px: f64,
    /// Handler for the scrolling element.
    pub onscroll: Callback<Event>,
    /// Has to be the last child of the scrolling element; its style sets its height to `--unit`.
    pub probe: Html,
}

impl Window {
    /// Style of a list of `count` rows of one unit each: its height, and the offset of the first rendered row.
    pub fn style(&self, count: u32) -> String {
        let px = |rows: u32| fixed(f64::from(rows) * self.unit_px, 2);
        let (top, whole) = (px(self.range.start), px(count));
        format!("height: {whole}px; padding-top: {top}px; box-sizing: border-box")
    }
}

/// Units to scroll into view whenever `occasion` changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Show {
    /// The units, counted from the top of the list.
    pub units: Range<u32>,
    /// Units at the top of the view that are covered by a header.
    pub head: u32,
    /// A new value requests scrolling again.
    pub occasion: u64,
}

/// The part of `count` units that is visible in the scrolling element. If units have to be shown, the list is scrolled to them during the
/// same render, so that it is rendered only once.
#[hook]
pub fn use_window(scroller: &NodeRef, count: u32, show: Option<Show>) -> Window {
    // Height of a unit and of the view, in px.
    let measured = use_state_eq(|| (20.0_f64, 800.0_f64));
    let probe = use_node_ref();
    // Scroll position in px.
    let top_px = use_mut_ref(|| 0.0_f64);
    // The first unit in view at the last render.
    let drawn = use_mut_ref(|| 0_u32);
    let shown = use_mut_ref(|| None::<(u64, Range<u32>, f64)>);
    let update = use_force_update();
    let (unit_px, view_px) = *measured;
    // Kept until the list is scrolled: of two renders in a row, only the effect of the second runs.
    let scroll_to = use_mut_ref(|| None::<f64>);
    if let Some(show) = show {
        let occasion = Some((show.occasion, show.units.clone(), unit_px));
        if *shown.borrow() != occasion {
            shown.replace(occasion);
            let wanted = wanted_px(&show, unit_px, view_px, *top_px.borrow());
            if let Some(wanted) = wanted {
                top_px.replace(wanted);
                scroll_to.replace(Some(wanted));
            }
        }
    }
    {
        let scroller = scroller.clone();
        use_effect(move || {
            let wanted = scroll_to.borrow_mut().take();
            if let Some(wanted) = wanted {
                before_paint(move || {
                    let view = scroller.cast::<HtmlElement>()?;
                    Some(Box::new(move || view.set_scroll_top(wanted as i32)))
                });
            }
        });
    }
    let set = measured.setter();
    use_sizes(
        scroller,
        &probe,
        Callback::from(move |[view, unit]: [Size; 2]| {
            // A hidden list has no size.
            if unit.height > 1.0 && view.height > 1.0 {
                set.set((unit.height, view.height));
            }
        }),
    );
    let first = first_of(*top_px.borrow(), unit_px);
    drawn.replace(first);
    let onscroll = {
        let scroller = scroller.clone();
        Callback::from(move |_: Event| {
            let Some(view) = scroller.cast::<HtmlElement>() else { return };
            top_px.replace(f64::from(view.scroll_top()));
            if first_of(*top_px.borrow(), unit_px) != *drawn.borrow() {
                update.force_update();
            }
        })
    };
    let seen = (view_px / unit_px).ceil() as u32;
    let from = first.saturating_sub(BEYOND).min(count);
    let to = first.saturating_add(seen).saturating_add(STEP).saturating_add(BEYOND).min(count);
    let probe = html! { <div ref={probe} class="probe" aria-hidden="true" /> };
    Window { range: from..to, unit_px, onscroll, probe }
}

/// The first unit in view, rounded down to a multiple of `STEP`, so that most scroll events render nothing.
fn first_of(top_px: f64, unit_px: f64) -> u32 {
    (top_px / unit_px) as u32 / STEP * STEP
}

/// The scroll position that brings the units into view; `None` if they are in view already.
fn wanted_px(show: &Show, unit_px: f64, view_px: f64, top_px: f64) -> Option<f64> {
    let px = |units: u32| f64::from(units) * unit_px;
    let (top, bottom) = (px(show.units.start), px(show.units.end) + px(show.head));
    if top < top_px {
        Some(top)
    } else if bottom > top_px + view_px {
        Some((bottom - view_px).ceil())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Show, wanted_px};

    #[test]
    fn only_units_out_of_view_are_scrolled_to() {
        let show = |from, to| Show { units: from..to, head: 2, occasion: 0 };
        // 20 units of 10 px are in view, two of them covered.
        let wanted = |from, to, top_px| wanted_px(&show(from, to), 10.0, 200.0, top_px);
        assert_eq!(wanted(0, 3, 0.0), None);
        assert_eq!(wanted(15, 18, 0.0), None);
        assert_eq!(wanted(16, 19, 0.0), Some(10.0));
        assert_eq!(wanted(5, 6, 100.0), Some(50.0));
    }
}
