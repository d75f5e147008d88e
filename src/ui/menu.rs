//! A menu of actions in the browser's top layer. The browser opens and closes it, by mouse and keyboard, one at a time. Its content is
//! rendered only while it is open, so that closed menus cost nothing per step.
//!
//! ```ignore
//! <button type="button" popovertarget={id.clone()}>{ … }</button>
//! { part_of::<Menu>(&id, MenuProps { id, label, testid: "node-menu", draw }) }
//! ```
use yew::prelude::*;

use super::html;
use crate::hooks::{close_after_choice, is_open_now};

/// Properties of [`Menu`].
#[derive(Clone, PartialEq, Properties)]
pub struct MenuProps {
    /// Its id, unique in the page; the `popovertarget` of its button.
    pub id: String,
    /// Its accessible name.
    pub label: AttrValue,
    /// Id for browser tests (`data-testid`).
    pub testid: &'static str,
    /// Renders its content.
    pub draw: Callback<(), Html>,
}

/// The menu; the button that opens it comes before it in the document.
#[component]
pub fn Menu(props: &MenuProps) -> Html {
    let is_open = use_state_eq(|| false);
    let ontoggle = {
        let is_open = is_open.setter();
        Callback::from(move |event: Event| is_open.set(is_open_now(&event)))
    };
    let onclick = Callback::from(|event: MouseEvent| close_after_choice(&event));
    html! {
        <div class="menu" id={props.id.clone()} popover="auto" role="group" aria-label={props.label.clone()} {ontoggle} {onclick}
            data-testid={props.testid}>
            if *is_open { { props.draw.emit(()) } }
        </div>
    }
}
