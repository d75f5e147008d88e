//! A line between two panels that can be moved by pointer and by arrow keys.
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

use super::html;
use crate::state::layout::Direction;

/// Properties of [`Splitter`].
#[derive(Clone, PartialEq, Properties)]
pub struct SplitterProps {
    /// Which way the line runs.
    pub direction: Direction,
    /// Where it stands, in percent of the box around it.
    pub percent: u8,
    /// How far it can be moved, in percent.
    pub bounds: (u8, u8),
    /// What it changes, in words.
    pub label: &'static str,
    /// Called with the wanted position, in percent.
    pub onmove: Callback<u8>,
}

/// A movable line; the parent element is the box that it divides.
#[component]
pub fn Splitter(props: &SplitterProps) -> Html {
    let dragging = use_state_eq(|| false);
    let down = {
        let dragging = dragging.clone();
        Callback::from(move |event: PointerEvent| {
            if let Some(line) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) {
                // Without capture the drag ends at the edge of the line; that is a nuisance, not a fault.
                let _ = line.set_pointer_capture(event.pointer_id());
            }
            event.prevent_default();
            dragging.set(true);
        })
    };
    let moved = {
        let (dragging, direction, onmove) = (dragging.clone(), props.direction, props.onmove.clone());
        Callback::from(move |event: PointerEvent| {
            if *dragging && let Some(percent) = percent_at(&event, direction) {
                onmove.emit(percent);
            }
        })
    };
    let up = {
        let dragging = dragging.clone();
        Callback::from(move |_: PointerEvent| dragging.set(false))
    };
    let key = {
        let (direction, percent, onmove) = (props.direction, props.percent, props.onmove.clone());
        Callback::from(move |event: KeyboardEvent| {
            let (less, more) = match direction {
                Direction::Vertical => ("ArrowLeft", "ArrowRight"),
                Direction::Horizontal => ("ArrowUp", "ArrowDown"),
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
        <div class="splitter" role="separator" tabindex="0" aria-orientation={props.direction.word()} aria-label={props.label}
            aria-valuenow={props.percent.to_string()} aria-valuemin={props.bounds.0.to_string()} aria-valuemax={props.bounds.1.to_string()}
            data-dragging={dragging.then_some("")} onpointerdown={down} onpointermove={moved} onpointerup={up.clone()}
            onpointercancel={up} onkeydown={key} />
    }
}

/// Where the pointer is inside the box, in percent.
fn percent_at(event: &PointerEvent, direction: Direction) -> Option<u8> {
    let line: Element = event.target()?.dyn_into().ok()?;
    let area = line.parent_element()?.get_bounding_client_rect();
    let (position, start, length) = match direction {
        Direction::Vertical => (f64::from(event.client_x()), area.left(), area.width()),
        Direction::Horizontal => (f64::from(event.client_y()), area.top(), area.height()),
    };
    // A float to integer cast saturates, so a wild position ends at the edge.
    (length > 0.0).then(|| ((position - start) / length * 100.0).round() as u8)
}
