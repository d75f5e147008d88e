//! Inside a key: its value as the structure that Redis keeps it in.
use yew::prelude::*;

use crate::hooks::use_lang;

/// The inside of the selected key.
#[component]
pub fn Inside() -> Html {
    let t = use_lang();
    html! {
        <section class="panel inside" aria-label={t.panel_inside()}>
            <div class="panel-head"><h2>{ t.panel_inside() }</h2></div>
            <div class="panel-body"></div>
        </section>
    }
}
