//! Menus that the browser opens over everything else (`popover`): whether one is open, and closing it when something was chosen.
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// Whether the menu that tells of a change is open now.
pub fn is_open_now(event: &Event) -> bool {
    let menu = event.target_dyn_into::<Element>();
    // A browser without such menus shows them all the time.
    menu.is_some_and(|menu| menu.matches(":popover-open").unwrap_or(true))
}

/// Closes the menu in which a button was pressed; the focus goes back to what had opened it.
pub fn close_after_choice(event: &MouseEvent) {
    let chosen = event.target_dyn_into::<Element>().and_then(|chosen| chosen.closest("button").ok().flatten());
    let menu = chosen.and_then(|chosen| chosen.closest("[popover]").ok().flatten());
    if let Some(menu) = menu.and_then(|menu| menu.dyn_into::<HtmlElement>().ok()) {
        // It fails only where it is closed already.
        let _ = menu.hide_popover();
    }
}
