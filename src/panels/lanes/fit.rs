//! How many lanes can be read beside each other: as many as there is room for at a size that is never too small. Measured by the browser
//! when the panel changes its width.
use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::{Element, ResizeObserver, ResizeObserverEntry};
use yew::prelude::*;

use crate::ui::html;

/// Fewer lanes than this say nothing about who is in whose way.
const LEAST: usize = 2;
/// More have never been open at once.
const MOST: usize = 8;
/// What the column of the times takes, in lanes.
const GUTTER: f64 = 0.7;

/// How many lanes of clients fit beside that of the server; the second part has to stand in the element.
#[hook]
pub fn use_fit(panel: &NodeRef) -> (usize, Html) {
    let fit = use_state_eq(|| MOST);
    let probe = use_node_ref();
    let observing = use_mut_ref(|| None::<Observing>);
    {
        let (panel, probe, set) = (panel.clone(), probe.clone(), fit.setter());
        use_effect(move || {
            let (Some(panel), Some(lane)) = (panel.cast::<Element>(), probe.cast::<Element>()) else { return };
            let mut observing = observing.borrow_mut();
            if observing.as_ref().is_none_or(|observing| observing.lane != lane) {
                *observing = Observing::begin(&panel, lane, set);
            }
        });
    }
    (*fit, html! { <i ref={probe} class="lane-fit" aria-hidden="true" /> })
}

/// How many lanes fit into so much room; nothing while the panel is not in view.
fn fitting(panel_px: f64, lane_px: f64) -> Option<usize> {
    let is_seen = panel_px > 1.0 && lane_px > 1.0;
    // With the lane of the server.
    let all = is_seen.then(|| (panel_px / lane_px - GUTTER).floor())?;
    Some((all as usize).saturating_sub(1).clamp(LEAST, MOST))
}

/// An observer of the panel and of the probe; it ends when this is dropped.
struct Observing {
    lane: Element,
    observer: ResizeObserver,
    _heard: Closure<dyn FnMut(Array)>,
}

impl Observing {
    fn begin(panel: &Element, lane: Element, set: UseStateSetter<usize>) -> Option<Observing> {
        let widths = Rc::new(RefCell::new((0.0, 0.0)));
        let heard = {
            let lane = lane.clone();
            Closure::<dyn FnMut(Array)>::new(move |entries: Array| {
                let mut widths = widths.borrow_mut();
                for entry in entries.iter().filter_map(|entry| entry.dyn_into::<ResizeObserverEntry>().ok()) {
                    let width = entry.content_rect().width();
                    if entry.target() == lane { widths.1 = width } else { widths.0 = width }
                }
                if let Some(fit) = fitting(widths.0, widths.1) {
                    set.set(fit);
                }
            })
        };
        let observer = ResizeObserver::new(heard.as_ref().unchecked_ref()).ok()?;
        observer.observe(panel);
        observer.observe(&lane);
        Some(Observing { lane, observer, _heard: heard })
    }
}

impl Drop for Observing {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn a_narrow_panel_has_fewer_lanes_and_never_less_than_two() {
        assert_eq!(fitting(600.0, 96.0), Some(4));
        assert_eq!(fitting(100.0, 96.0), Some(2));
        assert_eq!(fitting(4000.0, 96.0), Some(8));
        assert_eq!(fitting(0.0, 96.0), None);
        assert_eq!(fitting(600.0, 0.0), None);
    }
}
