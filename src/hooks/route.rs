//! What the URL names: the open page, and the one dialog that has a URL of its own.
use gloo_events::EventListener;
use yew::prelude::*;

use super::link;
use crate::state::address::Route;
use crate::state::support::FRAGMENT;

/// The page that the URL names. A link to another page does not reload the document.
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

/// Calls `onopen` when the URL names the list of supported commands (`#commands`): at start, and when a link leads there.
#[hook]
pub fn use_support_address(onopen: Callback<()>) {
    use_effect_with((), move |()| {
        let look = move || {
            if link::current_fragment() == FRAGMENT {
                // Afterwards the same link works again, and a reload shows the page without the dialog.
                link::clear_rest();
                onopen.emit(());
            }
        };
        look();
        let listener = web_sys::window().map(|window| EventListener::new(&window, "hashchange", move |_| look()));
        move || drop(listener)
    });
}
