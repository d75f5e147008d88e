//! Keys of the lab: a digit steps the program of the client in that place, unless a field or a dialog has the focus.
use gloo_events::{EventListener, EventListenerOptions, EventListenerPhase};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};
use world::Input;
use yew::prelude::*;

use super::{SessionPart, use_preferences, use_session_for};
use crate::state::lab::status;

/// Steps clients with the digits 1 to 9 while this is on the page.
#[component]
pub fn LabKeys() -> Html {
    let latest = use_mut_ref(|| None);
    let is_single = use_preferences().now().keys.is_single;
    latest.replace(Some(use_session_for(&[SessionPart::Steps])).filter(|_| is_single));
    // Not in an effect: effects run after the children are drawn, and a key pressed in between would be lost.
    let _listener = use_mut_ref(move || {
        web_sys::window().map(|window| {
            // Runs before the page's shortcuts, which select a terminal with the same digits.
            let options = EventListenerOptions { phase: EventListenerPhase::Capture, passive: false };
            EventListener::new_with_options(&window, "keydown", options, move |event| {
                let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
                let (Some(place), Some(session)) = (digit(event), &*latest.borrow()) else { return };
                let world = session.world();
                let client = world.clients().filter(|(_, found)| found.program.is_some()).nth(place);
                if let Some((client, _)) = client {
                    event.prevent_default();
                    if let Some(act) = status::next_act(world, client) {
                        session.push(Input::Program { client, act });
                    }
                }
            })
        })
    });
    Html::default()
}

/// The client's place for this key, from 0.
fn digit(event: &KeyboardEvent) -> Option<usize> {
    let has_modifier = event.ctrl_key() || event.meta_key() || event.alt_key();
    if has_modifier || event.is_composing() || event.default_prevented() {
        return None;
    }
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let is_busy = |element: Element| {
        let field =
            "textarea, input:not([type=range]):not([type=checkbox]), select, [contenteditable=true], dialog[open] *";
        element.matches(field).unwrap_or(false)
    };
    if target.is_some_and(is_busy) {
        return None;
    }
    // Use the key's position: on some keyboards digits need Shift.
    let code = event.code();
    let digit = code.strip_prefix("Digit").or_else(|| code.strip_prefix("Numpad"))?;
    digit.parse::<usize>().ok().filter(|digit| *digit <= 9 && !event.shift_key())?.checked_sub(1)
}
