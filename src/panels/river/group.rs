//! The header of a group's column: its lag, its consumers, and the clients that wait for entries.
use std::collections::BTreeSet;

use bytes::Bytes;
use yew::prelude::*;

use super::stream::{clipped, text};
use super::times;
use crate::hooks::SessionHandle;
use crate::i18n::Lang;
use crate::i18n::messages::{RiverConsumer, RiverSums};
use crate::panels::client::slot_of;
use crate::state::few::few;
use crate::state::river::{Consumer, Group, Picture, Sums, Waiter};
use crate::ui::{Picture as Sign, client_mark, html, icon};

/// Maximum number of consumers that are listed.
const CONSUMERS_MAX: usize = 6;

/// The header of a group's column.
pub fn head(t: Lang, session: &SessionHandle, picture: &Picture, group: &Group, sums: Sums, has_kafka: bool) -> Html {
    let lag = group.lag.map_or_else(|| t.inside_lag_unknown().to_owned(), |lag| t.inside_lag(lag));
    let is_cursor = group.place == 0 && picture.log.places() > 0;
    // Consumers that gained or lost entries in the last step come first, then those with pending entries.
    let moved: BTreeSet<&Bytes> = group.moves.iter().flat_map(|moved| moved.from.iter().chain(&moved.to)).collect();
    let rank = |consumer: &&Consumer| match moved.contains(&consumer.name) {
        true => 0,
        false => 1 + u8::from(consumer.pending == 0),
    };
    let (consumers, hidden) = few(&group.consumers, CONSUMERS_MAX, rank);
    let lost = group.lost;
    html! {
        <div class="river-group" role="columnheader" key={clipped(&group.name)} data-cursor={is_cursor.then_some("")} data-mark={group.is_new.then_some("new")}>
            <p><b>{ clipped(&group.name) }</b>{ " " }<small class="soft">{ lag }</small></p>
            if has_kafka { <p><small class="river-kafka">{ committed(t, group) }</small></p> }
            { ledger(t, sums) }
            <ul class="river-consumers">
                { for consumers.into_iter().map(|consumer| member(t, session, consumer)) }
                if hidden > 0 { <li class="soft">{ t.inside_more(hidden as u64) }</li> }
                { for group.waiting.iter().take(CONSUMERS_MAX).map(|waiter| waits(t, waiter)) }
                if lost > 0 { <li class="river-lost">{ t.river_lost(lost as u64) }</li> }
            </ul>
        </div>
    }
}

/// Totals of the group, once an entry was delivered to it.
fn ledger(t: Lang, sums: Sums) -> Html {
    let Sums { delivered, passed, again, acknowledged, dropped } = sums;
    if delivered == 0 {
        return Html::default();
    }
    let said = t.say(RiverSums { delivered, done: acknowledged.saturating_add(passed) });
    html! {
        <p class="river-sums" data-testid="river-sums">
            <small>{ said }</small>
            if again > 0 { <small class="river-again">{ t.river_sums_again(again) }</small> }
            if dropped > 0 { <small class="river-lost">{ t.river_sums_dropped(dropped) }</small> }
        </p>
    }
}

/// The offset that a Kafka consumer would have committed: it can only commit everything before an offset.
fn committed(t: Lang, group: &Group) -> String {
    match group.oldest_pending() {
        Some(id) => t.river_kafka_before(&text(id)),
        None => t.river_kafka_until(&text(group.last_id)),
    }
}

fn member(t: Lang, session: &SessionHandle, consumer: &Consumer) -> Html {
    let is_away = consumer.client.is_some() && !consumer.is_here;
    let client = consumer.client.map(|client| session.name_of(client)).unwrap_or_default();
    let title = if client.is_empty() {
        None
    } else {
        Some(if is_away { t.river_speaker_away(&client) } else { t.river_speaker(&client) })
    };
    let said = t.say(RiverConsumer { pending: consumer.pending as u64, passed: consumer.passed as u64 });
    html! {
        <li {title} data-away={is_away.then_some("")}>
            if let Some(client) = consumer.client { { client_mark(slot_of(client)) } }
            <b>{ clipped(&consumer.name) }</b>{ " " }<small>{ said }</small>
        </li>
    }
}

/// A client that is blocked waiting for entries.
fn waits(t: Lang, waiter: &Waiter) -> Html {
    html! {
        <li class="river-waits">
            { client_mark(slot_of(waiter.client)) }<b>{ clipped(&waiter.consumer) }</b>{ " " }
            { icon(Sign::Clock) }{ times::waits(t, waiter.waits.until_ms) }
        </li>
    }
}
