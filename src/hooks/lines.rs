//! Lists whose rows have heights of their own, counted in lines of text: only what can be seen is drawn.
use std::ops::Range;

use web_sys::HtmlElement;
use yew::prelude::*;

/// Lines drawn beyond both edges, so that scrolling does not show gaps.
const BEYOND: u32 = 12;

/// The part of a list that is drawn.
#[derive(Clone, PartialEq)]
pub struct Lines {
    /// Which lines, counted from the top of the list.
    pub range: Range<u32>,
    /// Height of a line in px, as measured.
    pub line_px: f64,
    /// To be put on the element that scrolls.
    pub onscroll: Callback<Event>,
}

/// Which of `count` lines can be seen in the element that scrolls. Its first child is as high as all lines.
#[hook]
pub fn use_lines(scroller: &NodeRef, count: u32) -> Lines {
    // (line height in px, first line in view, lines in view)
    let measured = use_state_eq(|| (20.0_f64, 0_u32, 60_u32));
    let measure = {
        let (scroller, measured) = (scroller.clone(), measured.clone());
        move || {
            let Some(view) = scroller.cast::<HtmlElement>() else { return };
            let list_px = view.first_element_child().map_or(0.0, |list| list.get_bounding_client_rect().height());
            let line_px = if count > 0 && list_px > 1.0 { list_px / f64::from(count) } else { measured.0 };
            // In steps of a few lines: most scroll events change nothing.
            let first = (f64::from(view.scroll_top()) / line_px) as u32 / 8 * 8;
            let seen = (f64::from(view.client_height()) / line_px).ceil() as u32;
            measured.set((line_px, first, seen));
        }
    };
    {
        let measure = measure.clone();
        use_effect(measure);
    }
    let onscroll = Callback::from(move |_: Event| measure());
    let (line_px, first, seen) = *measured;
    let from = first.saturating_sub(BEYOND).min(count);
    let to = first.saturating_add(seen).saturating_add(BEYOND).min(count);
    Lines { range: from..to, line_px, onscroll }
}
