//! A line that says that something is being fetched, or traffic replayed, once that takes longer than a moment, and when the network does not
//! answer.
use yew::prelude::*;

use crate::hooks::assets::use_waiting;
use crate::hooks::{Replayed, use_lang, use_replayed};
use crate::i18n::messages::TrafficReplayed;
use crate::ui::html;

/// Shown while somebody waits for a part of the page.
#[component]
pub fn Loading() -> Html {
    let t = use_lang();
    let (replayed, waiting) = (use_replayed(), use_waiting());
    if let Some(Replayed { requests, percent }) = replayed {
        return html! {
            <div class="loading" role="status" data-testid="replaying">{ t.say(TrafficReplayed { requests, percent }) }</div>
        };
    }
    let Some(waiting) = waiting else { return Html::default() };
    html! {
        <div class="loading" role="status" data-testid="loading" data-kind={waiting.has_failed.then_some("warning")}>
            <span>{ if waiting.has_failed { t.assets_unreachable().to_owned() } else { t.assets_fetching(waiting.bytes) } }</span>
        </div>
    }
}
