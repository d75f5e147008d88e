//! Many clients at a glance: how many are ready, waiting, inside, done; what they have counted; how many requests each has sent; and each can be opened.
use world::ClientIndex;
use yew::prelude::*;

use super::words;
use crate::hooks::SessionHandle;
use crate::i18n::Lang;
use crate::i18n::messages::LanesRequestsBucket;
use crate::panels::client::slot_of;
use crate::state::lab::lanes::{LaneKey, Picture, label};
use crate::state::lab::stand::{Mood, mood};
use crate::state::lab::summary::histogram;
use crate::ui::{client_mark, html};

/// Lanes that can be open at once.
const OPEN_MAX: usize = 8;
/// Clients that are listed; more are counted.
const LISTED_MAX: usize = 120;

/// The summary, with a button for each client that opens and closes its lane.
pub fn summary(t: Lang, session: &SessionHandle, picture: &Picture, chosen: &UseStateHandle<Vec<ClientIndex>>) -> Html {
    let world = session.world();
    let moods: Vec<(ClientIndex, Mood)> =
        picture.clients().filter_map(|client| Some((client, mood(world.process(client)?, world.now_ms())))).collect();
    let requests: Vec<u32> = picture
        .clients()
        .filter_map(|client| picture.lane(LaneKey::Client(client)))
        .map(|lane| lane.requests)
        .collect();
    let buckets = histogram(&requests);
    let most = buckets.iter().map(|bucket| bucket.clients).max().unwrap_or(0).max(1);
    let counts = Mood::ALL.into_iter().map(|each| (each, moods.iter().filter(|(_, mood)| *mood == each).count()));
    html! {
        <div class="lanes-summary" data-testid="lanes-summary">
            <dl class="lanes-counts">
                { for counts.filter(|(_, count)| *count > 0).map(|(each, count)| html! {
                    <div key={words::mood_tag(each)} data-mood={words::mood_tag(each)}>
                        <dt>{ words::mood(t, each) }</dt><dd class="tabular">{ t.number(count as u64) }</dd>
                    </div>
                }) }
                { for world.watch().tallies().map(|(name, count)| html! {
                    <div key={label::word(name)} class="lanes-tally">
                        <dt>{ "Σ " }{ label::word(name) }</dt><dd class="tabular">{ count.to_string() }</dd>
                    </div>
                }) }
            </dl>
            <figure class="lanes-histogram">
                <figcaption class="soft small">{ t.lanes_requests() }</figcaption>
                <ul>
                    { for buckets.iter().map(|bucket| {
                        let range = if bucket.from == bucket.to { bucket.from.to_string() } else { format!("{}–{}", bucket.from, bucket.to) };
                        html! {
                            <li key={bucket.from} title={t.say(LanesRequestsBucket { range: &range, n: bucket.clients as u64 })}
                                style={format!("--share: {}", bucket.clients.saturating_mul(100) / most)}>
                                <span class="tabular">{ t.number(bucket.clients as u64) }</span><i /><span class="tabular soft">{ range }</span>
                            </li>
                        }
                    }) }
                </ul>
            </figure>
            <p class="soft small">{ t.lanes_summary_hint() }</p>
            <ul class="lanes-choice">
                { for moods.iter().take(LISTED_MAX).map(|(client, mood)| choice(t, session, chosen, *client, *mood)) }
                if moods.len() > LISTED_MAX { <li class="soft small">{ t.lanes_more(moods.len().saturating_sub(LISTED_MAX) as u64) }</li> }
            </ul>
        </div>
    }
}

fn choice(
    t: Lang,
    session: &SessionHandle,
    chosen: &UseStateHandle<Vec<ClientIndex>>,
    client: ClientIndex,
    mood: Mood,
) -> Html {
    let is_open = chosen.contains(&client);
    let name = session.name_of(client);
    let toggle = {
        let chosen = chosen.clone();
        Callback::from(move |_: MouseEvent| {
            let mut next = Vec::clone(&chosen);
            if is_open {
                next.retain(|other| *other != client);
            } else {
                if next.len() >= OPEN_MAX {
                    next.remove(0);
                }
                next.push(client);
                next.sort_unstable();
            }
            chosen.set(next);
        })
    };
    html! {
        <li key={client}>
            <button type="button" class="lanes-chip" onclick={toggle} aria-pressed={if is_open { "true" } else { "false" }}
                title={format!("{}: {}", t.lanes_open(&name), words::mood(t, mood))} data-mood={words::mood_tag(mood)}
                data-client={slot_of(client).to_string()}>
                { client_mark(slot_of(client)) }{ name }
            </button>
        </li>
    }
}
