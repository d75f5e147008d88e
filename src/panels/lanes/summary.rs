//! Summary of many clients: the number of clients in each status, their counters, and the requests of each client, with buttons that open
//! lanes.
use world::ClientIndex;
use yew::prelude::*;

use super::words;
use crate::hooks::SessionHandle;
use crate::i18n::messages::{LanesOpenStatus, LanesRequestsBucket, LanesSome};
use crate::i18n::{Lang, late, unmarked};
use crate::panels::client::slot_of;
use crate::state::lab::lanes::{LaneKey, Picture, label};
use crate::state::lab::status::{ClientStatus, client_status};
use crate::state::lab::summary::histogram;
use crate::ui::{client_mark, html};

/// Maximum number of listed clients; the others are only counted.
const LISTED_MAX: usize = 120;

/// The styles of a crowd and of two lines beside each other.
#[inline(never)]
pub fn style() -> Html {
    html! { <style>{ unmarked(late!("rest", "/src/panels/lanes/crowd.css")) }</style> }
}

/// The summary, with a button per client that opens or closes its lane.
#[inline(never)]
pub fn summary(
    t: Lang,
    session: &SessionHandle,
    picture: &Picture,
    chosen: &UseStateHandle<Vec<ClientIndex>>,
    fit: usize,
) -> Html {
    let world = session.world();
    let statuses: Vec<(ClientIndex, ClientStatus)> =
        picture.clients().filter_map(|client| Some((client, client_status(world, client)?))).collect();
    let requests: Vec<u32> = picture
        .clients()
        .filter_map(|client| picture.lane(LaneKey::Client(client)))
        .map(|lane| lane.requests)
        .collect();
    let buckets = histogram(&requests);
    let most = buckets.iter().map(|bucket| bucket.clients).max().unwrap_or(0).max(1);
    let counts =
        ClientStatus::ALL.into_iter().map(|each| (each, statuses.iter().filter(|(_, status)| *status == each).count()));
    html! {
        <div class="lanes-summary" data-testid="lanes-summary">
            { style() }
            <dl class="lanes-counts">
                { for counts.filter(|(_, count)| *count > 0).map(|(each, count)| html! {
                    <div key={words::status_tag(each)} data-status={words::status_tag(each)}>
                        <dt>{ words::status(t, each) }</dt><dd class="tabular">{ t.number(count as u64) }</dd>
                    </div>
                }) }
                { for world.watch().tallies().map(|(name, count)| html! {
                    <div key={label::said(name)} class="lanes-tally" title={t.lanes_tally(&label::said(name))}>
                        <dt>{ label::said(name) }</dt><dd class="tabular">{ count.to_string() }</dd>
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
                { for statuses.iter().take(LISTED_MAX).map(|(client, status)| choice(t, session, chosen, chosen, *client, Some(*status), fit)) }
                if statuses.len() > LISTED_MAX { <li class="soft small">{ t.lanes_more(statuses.len().saturating_sub(LISTED_MAX) as u64) }</li> }
            </ul>
        </div>
    }
}

/// For a few clients whose lanes do not all fit: a button per client that opens or closes its lane.
#[inline(never)]
pub fn some(
    t: Lang,
    session: &SessionHandle,
    clients: &[ClientIndex],
    open: &[ClientIndex],
    chosen: &UseStateHandle<Vec<ClientIndex>>,
    fit: usize,
) -> Html {
    let world = session.world();
    let status = |client: ClientIndex| client_status(world, client);
    let said = LanesSome { open: open.len() as u64, all: clients.len() as u64 };
    html! {
        <div class="lanes-some" data-testid="lanes-some">
            { style() }
            <span class="soft small">{ t.say(said) }</span>
            <ul class="lanes-choice">
                { for clients.iter().map(|client| choice(t, session, chosen, open, *client, status(*client), fit)) }
            </ul>
        </div>
    }
}

/// The button of a client. At most `fit` lanes are open: opening another one closes the first.
fn choice(
    t: Lang,
    session: &SessionHandle,
    chosen: &UseStateHandle<Vec<ClientIndex>>,
    open: &[ClientIndex],
    client: ClientIndex,
    status: Option<ClientStatus>,
    fit: usize,
) -> Html {
    let is_open = open.contains(&client);
    let name = session.name_of(client);
    let toggle = {
        let (chosen, open) = (chosen.clone(), open.to_vec());
        Callback::from(move |_: MouseEvent| {
            let mut next = open.clone();
            if is_open {
                next.retain(|other| *other != client);
            } else {
                if next.len() >= fit {
                    next.remove(0);
                }
                next.push(client);
                next.sort_unstable();
            }
            chosen.set(next);
        })
    };
    let title = match status {
        Some(status) => t.say(LanesOpenStatus { name: &name, status: words::status(t, status) }),
        None => t.lanes_open(&name),
    };
    html! {
        <li key={client}>
            <button type="button" class="lanes-chip" onclick={toggle} aria-pressed={if is_open { "true" } else { "false" }}
                title={title} data-status={status.map(words::status_tag)}
                data-client={slot_of(client).to_string()}>
                { client_mark(slot_of(client)) }{ name }
            </button>
        </li>
    }
}
