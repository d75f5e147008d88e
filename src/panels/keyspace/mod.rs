//! The keyspace: every key with its type and how long it has to live.
use yew::prelude::*;

use crate::hooks::use_lang;

/// The keys of the active client's database.
#[component]
pub fn Keyspace() -> Html {
    let t = use_lang();
    html! {
        <section class="panel keyspace" aria-label={t.panel_keyspace()}>
            <div class="panel-head"><h2>{ t.panel_keyspace() }</h2></div>
            <div class="panel-body"></div>
        </section>
    }
}
