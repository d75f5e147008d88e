//! Status line shown when a download or a replay of traffic takes longer than a moment, and when the network does not respond.
use yew::prelude::*;

use crate::hooks::assets::use_waiting;
use crate::hooks::{Replayed, use_lang, use_replayed};
use crate::i18n::messages::TrafficReplayed;
use crate::ui::html;

/// The status line.
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
