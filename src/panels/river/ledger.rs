//! The ledger: what happened to the messages that programs report, as counts, and as a list on request.
use world::{KeySums, Message};
use yew::prelude::*;

use super::stream::clipped;
use crate::hooks::{SessionHandle, SessionPart, use_lang, use_session_for};
use crate::i18n::Lang;
use crate::state::river::ledger::{Sums, keyed, listed};
use crate::ui::html;

/// The ledger; empty if no program reports messages.
#[component]
pub fn LedgerView() -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let asked = use_state_eq(|| None::<bool>);
    let is_listed = use_state_eq(|| false);
    let Some(sums) = Sums::of(session.world()) else { return Html::default() };
    let keys = keyed(session.world().watch().ledger());
    // With keys the details are open at first; the reader's choice is kept.
    let is_open = asked.unwrap_or(!keys.is_empty());
    let ontoggle = Callback::from(move |event: Event| {
        if is_now_open(&event) != is_open {
            asked.set(Some(!is_open));
        }
    });
    let list = {
        let is_listed = is_listed.clone();
        Callback::from(move |event: Event| is_listed.set(is_now_open(&event)))
    };
    // With keys, order matters only within a key: messages of other keys may overtake.
    let disordered = match keys.as_slice() {
        [] => sums.disordered,
        keys => keys.iter().fold(0, |all, key| key.disordered.saturating_add(all)),
    };
    let open = if sums.is_end { t.river_ledger_lost() } else { t.river_ledger_open() };
    html! {
        <details class="river-ledger" open={is_open} {ontoggle} data-testid="river-ledger">
            <summary>
                <b>{ t.river_ledger() }</b>
                { sum(t, t.river_ledger_produced(), sums.produced, false) }
                { sum(t, t.river_ledger_processed(), sums.processed, false) }
                { sum(t, t.river_ledger_repeated(), sums.repeated, true) }
                { sum(t, open, sums.open, sums.is_end) }
                { sum(t, t.river_ledger_disordered(), disordered, true) }
            </summary>
            if is_open {
                if keys.is_empty() {
                    { table(t, &session) }
                } else {
                    { by_key(t, &sums, &keys) }
                    // The list of messages is closed at first to save space.
                    <details ontoggle={list}>
                        <summary>{ t.river_ledger_messages() }</summary>
                        if *is_listed { { table(t, &session) } }
                    </details>
                }
            }
        </details>
    }
}

/// Whether the `<details>` of a toggle event are open.
fn is_now_open(event: &Event) -> bool {
    event.target_dyn_into::<web_sys::Element>().is_some_and(|details| details.has_attribute("open"))
}

/// A count with its name. If it should be 0 but is not, it is marked.
fn sum(t: Lang, name: &'static str, count: u64, should_be_none: bool) -> Html {
    let is_bad = should_be_none && count > 0;
    html! {
        <span class="river-sum" data-bad={is_bad.then_some("")}>
            if is_bad { <i aria-hidden="true">{ "✕" }</i> }
            { name }{ " " }<b class="tabular">{ t.number(count) }</b>
        </span>
    }
}

/// A key for use in a sentence: quoted only if it contains invisible characters.
fn key_name(key: &[u8]) -> String {
    let quoted = clipped(key);
    match quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        Some(text) if text.as_bytes() == key => text.to_owned(),
        _ => quoted,
    }
}

/// The counts for each key.
fn by_key(t: Lang, sums: &Sums, keys: &[KeySums]) -> Html {
    let open = if sums.is_end { t.river_ledger_lost() } else { t.river_ledger_open() };
    html! {
        <table class="river-keys" data-testid="river-keys">
            <thead>
                <tr>
                    <th scope="col">{ t.river_ledger_key() }</th>
                    <th scope="col">{ t.river_ledger_produced() }</th>
                    <th scope="col">{ t.river_ledger_processed() }</th>
                    <th scope="col">{ t.river_ledger_repeated() }</th>
                    <th scope="col">{ open }</th>
                    <th scope="col">{ t.river_ledger_disordered() }</th>
                </tr>
            </thead>
            <tbody>{ for keys.iter().map(|of| html! {
                <tr>
                    <th scope="row">{ key_name(&of.key) }</th>
                    { figure(t, of.produced, false) }
                    { figure(t, of.processed, false) }
                    { figure(t, of.repeated, true) }
                    { figure(t, of.open(), sums.is_end) }
                    { figure(t, of.disordered, true) }
                </tr>
            }) }</tbody>
        </table>
    }
}

/// A count in a cell. If it should be 0 but is not, it is marked.
fn figure(t: Lang, count: u64, should_be_none: bool) -> Html {
    let is_bad = should_be_none && count > 0;
    html! {
        <td class="tabular" data-bad={is_bad.then_some("")}>
            if is_bad { <i aria-hidden="true">{ "✕" }</i> }
            { t.number(count) }
        </td>
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
            <td>{ message.key.as_ref().map_or_else(|| "–".to_owned(), |key| key_name(key)) }</td>
            <td class="tabular">{ place(message.produced) }</td>
            <td class="tabular">{ place(message.processed) }</td>
            <td class="tabular" data-bad={(message.times > 1).then_some("")}>{ message.times.to_string() }</td>
        </tr>
    }
}
