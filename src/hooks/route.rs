//! What the address says: which page is open, and the one dialog that has an address of its own.
use gloo_events::EventListener;
use yew::prelude::*;

use super::link;
use crate::state::address::Route;
use crate::state::support::FRAGMENT;

/// The page that the address names. Following a link from one to another keeps the document.
#[hook]
pub fn use_route() -> Route {
    let look = || Route::of_address(&link::current_href());
    let route = use_state_eq(look);
    {
        let route = route.setter();
        use_effect_with((), move |()| {
            let listener =
                web_sys::window().map(|window| EventListener::new(&window, "hashchange", move |_| route.set(look())));
            move || drop(listener)
        });
    }
    (*route).clone()
}

/// Calls `onopen` when the address names the list of what is modelled (`#commands`): at the start, and when a link leads there.
#[hook]
pub fn use_support_address(onopen: Callback<()>) {
    use_effect_with((), move |()| {
        let look = move || {
            if link::current_fragment() == FRAGMENT {
                // The same link can be followed again, and a reload shows the page.
                link::clear_rest();
                onopen.emit(());
            }
        };
        look();
        let listener = web_sys::window().map(|window| EventListener::new(&window, "hashchange", move |_| look()));
        move || drop(listener)
    });
}
