//! The ledger: what became of the messages that programs tell of, counted, and listed when somebody asks.
use world::Message;
use yew::prelude::*;

use super::stream::clipped;
use crate::hooks::{SessionHandle, Side, use_lang, use_session_for};
use crate::i18n::Lang;
use crate::state::river::ledger::{Sums, listed};
use crate::ui::html;

/// The ledger, where there is one.
#[component]
pub fn LedgerView() -> Html {
    let t = use_lang();
    let session = use_session_for(&[Side::Steps]);
    let is_open = use_state_eq(|| false);
    let Some(sums) = Sums::of(session.world()) else { return Html::default() };
    let ontoggle = {
        let is_open = is_open.clone();
        Callback::from(move |event: Event| {
            let details = event.target_dyn_into::<web_sys::Element>();
            is_open.set(details.is_some_and(|details| details.has_attribute("open")));
        })
    };
    let open = if sums.is_end { t.river_ledger_lost() } else { t.river_ledger_open() };
    html! {
        <details class="river-ledger" {ontoggle} data-testid="river-ledger">
            <summary>
                <b>{ t.river_ledger() }</b>
                { sum(t, t.river_ledger_produced(), sums.produced, false) }
                { sum(t, t.river_ledger_processed(), sums.processed, false) }
                { sum(t, t.river_ledger_repeated(), sums.repeated, true) }
                { sum(t, open, sums.open, sums.is_end) }
                { sum(t, t.river_ledger_disordered(), sums.disordered, true) }
            </summary>
            if *is_open { { table(t, &session) } }
        </details>
    }
}

/// A sum with its name. What should be 0 and is not is marked.
fn sum(t: Lang, name: &'static str, count: u64, should_be_none: bool) -> Html {
    let is_bad = should_be_none && count > 0;
    html! {
        <span class="river-sum" data-bad={is_bad.then_some("")}>
            if is_bad { <i aria-hidden="true">{ "✕" }</i> }
            { name }{ " " }<b class="tabular">{ t.number(count) }</b>
        </span>
    }
}

fn table(t: Lang, session: &SessionHandle) -> Html {
    let (messages, count) = listed(session.world().watch().ledger());
    let hidden = count.saturating_sub(messages.len());
    html! {
        <div class="river-ledger-list">
            <table>
                <thead>
                    <tr>
                        <th scope="col">{ t.river_ledger_message() }</th>
                        <th scope="col">{ t.river_ledger_key() }</th>
                        <th scope="col">{ t.river_ledger_produced() }</th>
                        <th scope="col">{ t.river_ledger_processed() }</th>
                        <th scope="col">{ t.river_ledger_times() }</th>
                    </tr>
                </thead>
                <tbody>{ for messages.iter().map(|(id, message)| row(id, message)) }</tbody>
            </table>
            if hidden > 0 { <p class="soft small">{ t.inside_more(hidden as u64) }</p> }
        </div>
    }
}

fn row(id: &[u8], message: &Message) -> Html {
    let place = |place: Option<u64>| place.map_or_else(|| "–".to_owned(), |place| place.to_string());
    html! {
        <tr>
            <th scope="row"><code>{ clipped(id) }</code></th>
            <td>{ message.key.as_ref().map_or_else(|| "–".to_owned(), |key| clipped(key)) }</td>
            <td class="tabular">{ place(message.produced) }</td>
            <td class="tabular">{ place(message.processed) }</td>
            <td class="tabular" data-bad={(message.times > 1).then_some("")}>{ message.times.to_string() }</td>
        </tr>
    }
}
