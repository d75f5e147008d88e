//! A node of the map: its state, its contents, the clients blocked there, and its menu.
use world::{CLOCK_JUMP_MS, ClientIndex, Input, NodeAct, NodeIndex, NodeKind, NodeSettings, World};
use yew::prelude::*;

use super::Map;
use crate::hooks::{SessionPart, use_lang, use_session_for};
use crate::i18n::Lang;
use crate::i18n::messages::NodesDatabaseBusy;
use crate::panels::client::slot_of;
use crate::state::lab::description::jump;
use crate::state::network::{persistence, waiting};
use crate::ui::{Button, Menu, MenuProps, Picture, client_mark, html, part, part_of};

/// Maximum number of marks of waiting clients; the others are only counted.
const MARKS_MAX: usize = 6;

/// The facts about a node as text.
struct Facts {
    name: String,
    is_up: bool,
    /// What runs on the node, and what it recovers after a restart.
    kind: String,
    /// Number of keys or rows; `None` for a node that is down.
    holds: Option<String>,
    /// How far its clock is ahead; `None` if it is not.
    ahead: Option<String>,
}

impl Facts {
    fn of(t: Lang, world: &World, node: NodeIndex) -> Facts {
        let settings = world.nodes().zip(&world.settings().nodes).find(|(each, _)| *each == node);
        let ahead_ms = i64::try_from(world.clock_ahead_ms(node)).unwrap_or(i64::MAX);
        let is_up = world.is_up(node);
        Facts {
            name: world.settings().name_of_node(node).to_owned(),
            is_up,
            kind: settings.map(|(_, settings)| kind(t, settings)).unwrap_or_default(),
            holds: is_up.then(|| holds(t, world, node)),
            ahead: (ahead_ms > 0).then(|| t.programs_clock_ahead(&jump(t, ahead_ms))),
        }
    }

    fn state(&self, t: Lang) -> &'static str {
        if self.is_up { t.nodes_up() } else { t.nodes_down() }
    }
}

/// A node with its menu.
pub fn node(map: &Map<'_>, node: NodeIndex) -> Html {
    let (t, world) = (map.t, map.session.world());
    let facts = Facts::of(t, world, node);
    let waiting = waiting(world, map.messages, node);
    let wait = (!waiting.is_empty()).then(|| t.nodes_waiting(waiting.len() as u64));
    let id = format!("menu-node-{node}");
    let draw = Callback::from(move |()| part::<NodeActs>(NodeActsProps { node }));
    html! {
        <li key={node.to_string()} data-testid={format!("node-{node}")}>
            <button type="button" class="net-node" popovertarget={id.clone()} data-status={if facts.is_up { "ready" } else { "crashed" }}
                data-testid="node-open">
                <span class="net-node-head">
                    <span class="net-dot" aria-hidden="true" />
                    <b class="net-name">{ &facts.name }</b>
                    { " " }<span class="net-state">{ facts.state(t) }</span>{ " " }
                    if let Some(ahead) = &facts.ahead { <span class="chip">{ ahead.clone() }</span>{ " " } }
                    if let Some(wait) = &wait { <span class="net-waiting">{ marks(&waiting) }{ wait.clone() }</span>{ " " } }
                </span>
                <span class="soft small">
                    if let Some(holds) = &facts.holds { { holds.clone() } }
                    <span class="net-kind">if facts.is_up { { " · " } }{ &facts.kind }</span>
                </span>
            </button>
            { part_of::<Menu>(&"", MenuProps { id, label: facts.name.into(), testid: "node-menu", draw }) }
        </li>
    }
}

fn marks(clients: &[ClientIndex]) -> Html {
    html! { <span class="row-tight">{ for clients.iter().take(MARKS_MAX).map(|client| client_mark(slot_of(*client))) }</span> }
}

/// Number of keys or rows of a node.
fn holds(t: Lang, world: &World, node: NodeIndex) -> String {
    match (world.server(node), world.table(node)) {
        (Some(server), _) => {
            let keys = server.databases().iter().fold(0_usize, |keys, db| keys.saturating_add(db.len()));
            t.count_keys(keys as u64)
        }
        (None, Some(database)) => t.tables_rows(database.tables().map(|table| table.len() as u64).sum()),
        (None, None) => String::new(),
    }
}

/// What runs on a node, and what it recovers after a restart.
fn kind(t: Lang, settings: &NodeSettings) -> String {
    match &settings.kind {
        NodeKind::Redis(durability) => persistence(t, *durability),
        NodeKind::Table(table) if table.service_ms > 0 => {
            t.say(NodesDatabaseBusy { ms: table.service_ms, workers: table.workers.into() })
        }
        NodeKind::Table(_) => t.nodes_database().to_owned(),
    }
}

/// Properties of [`NodeActs`].
#[derive(Clone, Copy, PartialEq, Eq, Properties)]
pub struct NodeActsProps {
    /// The node of the menu.
    pub node: NodeIndex,
}

/// The menu of a node: its facts and the possible actions.
#[component]
pub fn NodeActs(props: &NodeActsProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let node = props.node;
    let facts = Facts::of(t, session.world(), node);
    let act = |act: NodeAct| {
        let session = session.clone();
        Callback::from(move |_: MouseEvent| session.push(Input::Node { node, act }))
    };
    let by = jump(t, CLOCK_JUMP_MS);
    let (crash, restart) = (t.nodes_crash_hint(&facts.name), t.nodes_restart_hint(&facts.name));
    let more = facts.holds.iter().chain(&facts.ahead);
    html! {
        <>
            <h3>{ &facts.name }{ " " }<span class="net-state">{ facts.state(t) }</span></h3>
            <ul class="menu-facts">
                <li>{ facts.kind.clone() }</li>
                { for more.map(|fact| html! { <li>{ fact.clone() }</li> }) }
            </ul>
            if facts.is_up {
                { Button::words(t.programs_crash()).picture(Picture::Close).title(crash).testid("node-crash").on(act(NodeAct::Crash)) }
            } else {
                { Button::words(t.programs_restart()).picture(Picture::Undo).title(restart).testid("node-restart").on(act(NodeAct::Restart)) }
            }
            { Button::words(t.nodes_clock(&by)).picture(Picture::Clock).title(t.lanes_clock(&by)).testid("node-clock")
                .on(act(NodeAct::ShiftClock { ms: CLOCK_JUMP_MS.unsigned_abs() })) }
        </>
    }
}
