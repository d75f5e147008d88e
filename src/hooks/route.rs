//! The one dialog that has an address of its own: `#commands` opens the list of what is modelled, from a link anywhere.
use gloo_events::EventListener;
use yew::prelude::*;

use super::link;
use crate::state::support::FRAGMENT;

/// Calls `onopen` when the address names the list: at the start, and whenever a link leads there.
#[hook]
pub fn use_route(onopen: Callback<()>) {
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
