//! Menus in the browser's top layer (`popover`): whether one is open, and closing it after a choice.
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// Whether the menu that sent this event is open now.
pub fn is_open_now(event: &Event) -> bool {
    let menu = event.target_dyn_into::<Element>();
    // A browser without popovers always shows the menu.
    menu.is_some_and(|menu| menu.matches(":popover-open").unwrap_or(true))
}

/// Closes the menu in which a button was pressed; the focus returns to the button that opened the menu.
pub fn close_after_choice(event: &MouseEvent) {
    let chosen = event.target_dyn_into::<Element>().and_then(|chosen| chosen.closest("button").ok().flatten());
    let menu = chosen.and_then(|chosen| chosen.closest("[popover]").ok().flatten());
    if let Some(menu) = menu.and_then(|menu| menu.dyn_into::<HtmlElement>().ok()) {
        // Fails only if it is already closed.
        let _ = menu.hide_popover();
    }
}
