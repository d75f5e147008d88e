//! The nodes of a world, their clients and the links between them, as a map; each node and each link has a menu of actions. Also the picker
//! of a terminal's node.
mod link;
mod node;
mod picker;
mod place;

use world::{ClientIndex, NodeIndex};
use yew::prelude::*;

use crate::hooks::{SessionHandle, SessionPart, Size, use_kept_focus, use_lang, use_session_for, use_sizes};
use crate::i18n::Lang;
use crate::panels::client::slot_of;
use crate::state::network::{OnTheWay, on_the_way, shown};
use crate::ui::{client_mark, html};
pub use node::{NodeActs, NodeActsProps};
pub use picker::{NodePicker, NodePickerProps};
use place::{CLIENTS_MAX, Field, fitting};

/// The map of nodes and links.
#[component]
pub fn Nodes() -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps, SessionPart::Active]);
    let map = use_node_ref();
    use_kept_focus(&map);
    let (links, probe) = (use_node_ref(), use_node_ref());
    let most = use_fitting(&links, &probe);
    let world = session.world();
    let (clients, hidden) = shown(world, session.active(), most);
    let nodes: Vec<NodeIndex> = world.nodes().collect();
    let messages = on_the_way(world);
    let field = Field { clients: clients.len(), nodes: nodes.len() };
    let map_of = Map { t, session: &session, messages: &messages, field };
    let pairs = || {
        let of_client = |(at, client): (usize, &ClientIndex)| {
            let client = *client;
            nodes.iter().enumerate().map(move |(node_at, node)| (client, *node, (at, node_at))).collect::<Vec<_>>()
        };
        clients.iter().enumerate().flat_map(of_client)
    };
    html! {
        <section class="panel nodes-panel" aria-label={t.nodes_title()} data-testid="nodes">
            <div class="panel-head" data-bare=""><h2>{ t.nodes_title() }</h2></div>
            <div class="panel-body">
                <div class="net" ref={map} tabindex="-1" style={format!("--rows: {}", nodes.len().max(clients.len()))}>
                    <ul class="net-clients" aria-label={t.nodes_clients()}>
                        { for clients.iter().map(|client| map_of.client(*client)) }
                    </ul>
                    <div class="net-field">
                        <svg class="net-lines" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
                            { for pairs().map(|(client, node, at)| map_of.line(client, node, at)) }
                        </svg>
                        <ul class="net-links" aria-label={t.nodes_links()} ref={links}>
                            { for pairs().map(|(client, node, at)| link::link(&map_of, client, node, at)) }
                        </ul>
                        <i class="net-probe" ref={probe} aria-hidden="true" />
                    </div>
                    <ul class="net-nodes" aria-label={t.nodes_title()}>
                        { for nodes.iter().map(|node| node::node(&map_of, *node)) }
                    </ul>
                </div>
                if hidden > 0 { <p class="net-hidden soft small">{ t.nodes_links_more(hidden as u64) }</p> }
            </div>
        </section>
    }
}

/// How many clients fit without overlapping symbols.
#[hook]
fn use_fitting(links: &NodeRef, probe: &NodeRef) -> usize {
    let fit = use_state_eq(|| CLIENTS_MAX);
    let set = fit.setter();
    use_sizes(
        links,
        probe,
        Callback::from(move |[field, sign]: [Size; 2]| {
            if let Some(fit) = fitting(field.width, sign.width) {
                set.set(fit);
            }
        }),
    );
    *fit
}

/// The data of the map.
struct Map<'a> {
    t: Lang,
    session: &'a SessionHandle,
    messages: &'a [OnTheWay],
    field: Field,
}

impl Map<'_> {
    fn client(&self, client: ClientIndex) -> Html {
        let is_active = self.session.active() == client;
        html! {
            <li key={client.to_string()} class="net-client" data-active={is_active.then_some("")}>
                { client_mark(slot_of(client)) }<span class="net-name">{ self.session.name_of(client) }</span>
            </li>
        }
    }

    fn line(&self, client: ClientIndex, node: NodeIndex, at: (usize, usize)) -> Html {
        let world = self.session.world();
        let link = world.link(client, node);
        // Commands typed by the reader use this link.
        let is_own = world.client(client).is_some_and(|found| found.node == node && found.program.is_none());
        let state = if link.is_cut { Some("cut") } else { (link.delay_ms > 0).then_some("slow") };
        html! {
            <path key={format!("{client}-{node}")} d={self.field.line(at.0, at.1).path(link.is_cut)} data-client={slot_of(client).to_string()}
                data-state={state} data-own={is_own.then_some("")} />
        }
    }
}
