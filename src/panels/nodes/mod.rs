//! The nodes of a world: how each is, what it holds, and what can happen to it and to its links; and the picker of a terminal's node.
mod links;
mod picker;

use world::{CLOCK_JUMP_MS, Durability, Input, NodeAct, NodeIndex, NodeKind, NodeSettings};
use yew::prelude::*;

use crate::hooks::{SessionHandle, Side, use_kept_focus, use_lang, use_session_for};
use crate::i18n::Lang;
use crate::i18n::messages::NodesDatabaseBusy;
use crate::state::lab::told::jump;
use crate::ui::{Button, Picture, html};
pub use picker::{NodePicker, NodePickerProps};

/// A row a node.
#[component]
pub fn Nodes() -> Html {
    let t = use_lang();
    let session = use_session_for(&[Side::Steps]);
    let list = use_node_ref();
    use_kept_focus(&list);
    let world = session.world();
    html! {
        <section class="panel nodes-panel" aria-label={t.nodes_title()} data-testid="nodes">
            <div class="panel-head"><h2>{ t.nodes_title() }</h2></div>
            <div class="panel-body">
                <ul class="nodes-list" ref={list} tabindex="-1">
                    { for world.nodes().zip(&world.settings().nodes).map(|(node, settings)| row(t, &session, node, settings)) }
                </ul>
            </div>
        </section>
    }
}

fn row(t: Lang, session: &SessionHandle, node: NodeIndex, settings: &NodeSettings) -> Html {
    let world = session.world();
    let act = |act: NodeAct| {
        let session = session.clone();
        Callback::from(move |_: MouseEvent| session.push(Input::Node { node, act }))
    };
    let (is_up, name) = (world.is_up(node), settings.name.as_str());
    let (mood, state) = if is_up { ("ready", t.nodes_up()) } else { ("crashed", t.nodes_down()) };
    let holds = match (world.server(node), world.table(node)) {
        (Some(server), _) => {
            let keys = server.databases().iter().fold(0_usize, |keys, db| keys.saturating_add(db.len()));
            t.count_keys(keys as u64)
        }
        (None, Some(database)) => t.tables_rows(database.tables().map(|table| table.len() as u64).sum()),
        (None, None) => String::new(),
    };
    let ahead_ms = i64::try_from(world.clock_ahead_ms(node)).unwrap_or(i64::MAX);
    let (crash, restart) = (t.nodes_crash_hint(name), t.nodes_restart_hint(name));
    html! {
        <li key={node.to_string()} class="node-row" role="group" aria-label={name.to_owned()} data-mood={mood} data-testid={format!("node-{node}")}>
            <h3>{ name.to_owned() }</h3>
            <span class="node-state">{ state }</span>
            <span class="soft small">{ kind(t, settings) }</span>
            if ahead_ms > 0 { <span class="chip">{ t.programs_clock_ahead(&jump(t, ahead_ms)) }</span> }
            if is_up { <span class="soft small">{ holds }</span> }
            { links::of_node(t, session, node, name) }
            <span class="node-acts">
                { Button::words(t.nodes_clock(&jump(t, CLOCK_JUMP_MS))).picture(Picture::Clock).title(t.lanes_clock(&jump(t, CLOCK_JUMP_MS))).testid("node-clock")
                    .on(act(NodeAct::ShiftClock { ms: CLOCK_JUMP_MS.unsigned_abs() })) }
                if is_up {
                    { Button::words(t.programs_crash()).picture(Picture::Close).title(crash).testid("node-crash").on(act(NodeAct::Crash)) }
                } else {
                    { Button::words(t.programs_restart()).picture(Picture::Undo).title(restart).testid("node-restart").on(act(NodeAct::Restart)) }
                }
            </span>
        </li>
    }
}

/// What runs on a node, and what a restart finds.
fn kind(t: Lang, settings: &NodeSettings) -> String {
    match &settings.kind {
        NodeKind::Redis(durability) => persistence(t, *durability),
        NodeKind::Table(table) if table.service_ms > 0 => {
            t.say(NodesDatabaseBusy { ms: table.service_ms, workers: table.workers.into() })
        }
        NodeKind::Table(_) => t.nodes_database().to_owned(),
    }
}

/// What a restart finds, by the words of the server's settings.
pub fn persistence(t: Lang, durability: Durability) -> String {
    match durability {
        Durability::None => t.nodes_no_disk().to_owned(),
        Durability::EverySecond | Durability::Always => format!("appendfsync {}", durability.word()),
    }
}
