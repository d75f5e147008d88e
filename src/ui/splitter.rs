//! A splitter between two panels that can be moved with the pointer and with arrow keys.
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

use super::html;
use crate::state::layout::Orientation;

/// Properties of [`Splitter`].
#[derive(Clone, PartialEq, Properties)]
pub struct SplitterProps {
    /// Direction of the line.
    pub orientation: Orientation,
    /// Its position, in percent of the parent element.
    pub percent: u8,
    /// Smallest and largest position, in percent.
    pub bounds: (u8, u8),
    /// Accessible name.
    pub label: &'static str,
    /// Called with the new position, in percent.
    pub onmove: Callback<u8>,
}

/// A movable line that divides its parent element.
#[component]
pub fn Splitter(props: &SplitterProps) -> Html {
    let dragging = use_state_eq(|| false);
    let down = {
        let dragging = dragging.clone();
        Callback::from(move |event: PointerEvent| {
            if let Some(line) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) {
                // Without pointer capture the drag ends at the edge of the line, which is acceptable.
                let _ = line.set_pointer_capture(event.pointer_id());
            }
            event.prevent_default();
            dragging.set(true);
        })
    };
    let moved = {
        let (dragging, orientation, onmove) = (dragging.clone(), props.orientation, props.onmove.clone());
        Callback::from(move |event: PointerEvent| {
            if *dragging && let Some(percent) = percent_at(&event, orientation) {
                onmove.emit(percent);
            }
        })
    };
    let up = {
        let dragging = dragging.clone();
        Callback::from(move |_: PointerEvent| dragging.set(false))
    };
    let key = {
        let (orientation, percent, onmove) = (props.orientation, props.percent, props.onmove.clone());
        Callback::from(move |event: KeyboardEvent| {
            let (less, more) = match orientation {
                Orientation::Vertical => ("ArrowLeft", "ArrowRight"),
                Orientation::Horizontal => ("ArrowUp", "ArrowDown"),
            };
            let step = 2;
            let wanted = match event.key() {
                key if key == less => percent.saturating_sub(step),
                key if key == more => percent.saturating_add(step),
                key if key == "Home" => 0,
                key if key == "End" => 100,
                _ => return,
            };
            event.prevent_default();
            onmove.emit(wanted);
        })
    };
    html! {
        <div class="splitter" role="separator" tabindex="0" aria-orientation={props.orientation.word()} aria-label={props.label}
            aria-valuenow={props.percent.to_string()} aria-valuemin={props.bounds.0.to_string()} aria-valuemax={props.bounds.1.to_string()}
            data-dragging={dragging.then_some("")} onpointerdown={down} onpointermove={moved} onpointerup={up.clone()}
            onpointercancel={up} onkeydown={key} />
    }
}

/// Position of the pointer in the parent element, in percent.
fn percent_at(event: &PointerEvent, orientation: Orientation) -> Option<u8> {
    let line: Element = event.target()?.dyn_into().ok()?;
    let area = line.parent_element()?.get_bounding_client_rect();
    let (position, start, length) = match orientation {
        Orientation::Vertical => (f64::from(event.client_x()), area.left(), area.width()),
        Orientation::Horizontal => (f64::from(event.client_y()), area.top(), area.height()),
    };
    // A float-to-integer cast saturates, so a position outside the element ends at the edge.
    (length > 0.0).then(|| ((position - start) / length * 100.0).round() as u8)
}
