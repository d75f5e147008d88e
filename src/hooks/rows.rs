//! Lists of any length: only the rows that can be seen are drawn.
use std::ops::Range;

use resp::decimal::fixed;
use web_sys::HtmlElement;
use yew::prelude::*;

/// Rows drawn beyond both edges, so that scrolling does not show gaps.
const BEYOND: usize = 8;

/// The part of a long list that is drawn.
#[derive(Clone, PartialEq)]
pub struct Rows {
    /// Which rows.
    pub range: Range<usize>,
    /// Height of a row in px, as measured.
    pub row_px: f64,
    /// To be put on the element that scrolls.
    pub onscroll: Callback<Event>,
}

impl Rows {
    /// The height of the whole list, and how far down the first drawn row begins: for the style of the list.
    pub fn style(&self, count: usize) -> String {
        let px = |rows: usize| fixed(rows as f64 * self.row_px, 2);
        let (top, whole) = (px(self.range.start), px(count));
        format!("height: {whole}px; padding-top: {top}px; box-sizing: border-box")
    }
}

/// Which of `count` rows can be seen in the element that scrolls. Its rows are children of its first child and of one height.
#[hook]
pub fn use_rows(scroller: &NodeRef, count: usize) -> Rows {
    // (row height, height of the view, how far it is scrolled)
    let measured = use_state_eq(|| (36.0_f64, 800.0_f64, 0.0_f64));
    let measure = {
        let (scroller, measured) = (scroller.clone(), measured.clone());
        move || {
            let Some(view) = scroller.cast::<HtmlElement>() else { return };
            let row = view.first_element_child().and_then(|list| list.first_element_child());
            let row_px = row.map(|row| row.get_bounding_client_rect().height()).filter(|px| *px > 1.0);
            measured.set((row_px.unwrap_or(measured.0), f64::from(view.client_height()), f64::from(view.scroll_top())));
        }
    };
    {
        let measure = measure.clone();
        use_effect(measure);
    }
    let onscroll = Callback::from(move |_: Event| measure());
    let (row_px, view_px, top_px) = *measured;
    let first = ((top_px / row_px) as usize).saturating_sub(BEYOND).min(count);
    let seen = (view_px / row_px).ceil() as usize;
    let last = first.saturating_add(seen).saturating_add(BEYOND * 2).min(count);
    Rows { range: first..last, row_px, onscroll }
}
