//! The links of a node: a switch for each client, which cuts the link between the two and mends it, and how long messages take on it.
use world::{ClientIndex, Input, LinkAct, NodeIndex, VirtualClient};
use yew::prelude::*;

use crate::hooks::SessionHandle;
use crate::i18n::Lang;
use crate::i18n::messages::{NodesLink, NodesLinkHint};
use crate::panels::client::slot_of;
use crate::ui::{choice, client_mark, html};

/// Delays that are offered, in ms each way.
const DELAYS_MS: [u64; 6] = [0, 5, 20, 60, 200, 1_000];

/// With more clients than this only the first ones have a switch, and those whose link is cut.
const SHOWN_MAX: usize = 12;

/// The switches of one node.
pub fn of_node(t: Lang, session: &SessionHandle, node: NodeIndex, name: &str) -> Html {
    let world = session.world();
    let (mut shown, mut hidden) = (Vec::new(), 0_u64);
    for (client, found) in world.clients() {
        if shown.len() < SHOWN_MAX || world.is_cut(client, node) {
            shown.push((client, found));
        } else {
            hidden = hidden.saturating_add(1);
        }
    }
    html! {
        <>
            <span class="node-links" role="group" aria-label={t.nodes_links()}>
                { for shown.iter().map(|found| switch(t, session, *found, (node, name))) }
                if hidden > 0 { <span class="soft small">{ t.nodes_links_more(hidden) }</span> }
            </span>
            <details class="node-delays" data-testid={format!("delays-{node}")}>
                <summary>{ t.nodes_delays() }</summary>
                <span class="node-links">{ for shown.iter().map(|found| delay(t, session, *found, node)) }</span>
            </details>
        </>
    }
}

/// How long each message between a client and a node takes.
fn delay(t: Lang, session: &SessionHandle, (client, found): (ClientIndex, &VirtualClient), node: NodeIndex) -> Html {
    let now_ms = session.world().link(client, node).delay_ms;
    // One that a file has set may be none of these.
    let mut offered = DELAYS_MS.to_vec();
    if !offered.contains(&now_ms) {
        offered.push(now_ms);
    }
    let session = session.clone();
    let choose = move |ms: u64| session.push(Input::Link { client, node, act: LinkAct::Delay { ms } });
    let shown = |ms: &u64| if *ms == 0 { t.nodes_no_delay().to_owned() } else { t.duration(*ms) };
    html! {
        <label key={client.to_string()} class="row-tight">
            { client_mark(slot_of(client)) }<span class="node-link-name">{ found.name.clone() }</span>
            { choice(None, "link-delay", &offered, &now_ms, shown, choose) }
        </label>
    }
}

fn switch(
    t: Lang,
    session: &SessionHandle,
    (client, found): (ClientIndex, &VirtualClient),
    (node, name): (NodeIndex, &str),
) -> Html {
    let link = session.world().link(client, node);
    let act = if link.is_cut { LinkAct::Mend } else { LinkAct::Cut };
    let onclick = {
        let session = session.clone();
        Callback::from(move |_: MouseEvent| session.push(Input::Link { client, node, act }))
    };
    let who = found.name.as_str();
    html! {
        <button key={client.to_string()} type="button" class="button node-link" aria-pressed={if link.is_cut { "true" } else { "false" }}
            aria-label={t.say(NodesLink { who, node: name })} title={t.say(NodesLinkHint { who, node: name })} {onclick}
            data-testid={format!("link-{client}-{node}")}>
            { client_mark(slot_of(client)) }
            <span class="node-link-line" aria-hidden="true"></span>
            <span class="node-link-name">{ who.to_owned() }</span>
            if link.is_cut { <span class="node-link-state">{ t.nodes_link_cut() }</span> }
            if link.delay_ms > 0 { <span class="soft">{ t.duration(link.delay_ms) }</span> }
        </button>
    }
}
