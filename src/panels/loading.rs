//! A line that says that something is being fetched, once that takes longer than a moment, and when the network does not answer.
use yew::prelude::*;

use crate::hooks::assets::use_waiting;
use crate::hooks::use_lang;
use crate::ui::html;

/// Shown while somebody waits for a part of the page.
#[component]
pub fn Loading() -> Html {
    let t = use_lang();
    let Some(waiting) = use_waiting() else { return Html::default() };
    html! {
        <div class="loading" role="status" data-testid="loading" data-kind={waiting.has_failed.then_some("warning")}>
            <span>{ if waiting.has_failed { t.assets_unreachable().to_owned() } else { t.assets_fetching(waiting.bytes) } }</span>
        </div>
    }
}
