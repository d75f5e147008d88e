//! The pane of one client: its name, its state and its terminal.
use bytes::Bytes;
use redis_model::{Blocked, Client, Multi, WaitReason};
use world::{ClientIndex, EventKind, Input};
use yew::prelude::*;

use super::nodes::{NodePicker, NodePickerProps};
use super::tables::AtTable;
use super::terminal::{Departed, Terminal, TerminalProps};
use crate::hooks::assets::Chunk;
use crate::hooks::{SessionHandle, SessionPart, use_brought_into_view, use_clock, use_lang, use_session_for};
use crate::i18n::{Lang, code, rich};
use crate::state::session::{CLIENTS_MAX, Session};
use crate::ui::{
    Button, ButtonLook, NameField, NameFieldProps, Picture, client_mark, html, icon, later, part, part_of, time_ring,
};

/// Slot of a client among the eight shapes and colours, from 1; beyond eight it wraps around.
pub fn slot_of(client: ClientIndex) -> u8 {
    u8::try_from(client % 8).unwrap_or_default().saturating_add(1)
}

/// Properties of [`ClientPane`].
#[derive(Clone, PartialEq, Properties)]
pub struct ClientPaneProps {
    /// The client of the pane.
    pub client: ClientIndex,
}

/// Header, state and terminal of one client.
#[component]
pub fn ClientPane(props: &ClientPaneProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps, SessionPart::Active, SessionPart::Waiting]);
    let client = props.client;
    let is_active = session.active() == client;
    let name = session.name_of(client);
    let pane = use_node_ref();
    use_brought_into_view(&pane, is_active.then_some(()));
    html! {
        <section ref={pane} class="client" data-client={slot_of(client).to_string()} data-active={is_active.then_some("")}
            aria-label={t.client_pane(&name)} data-testid={format!("client-{client}")}>
            { part::<ClientHead>(ClientPaneProps { client }) }
            { state(t, &session, client) }
            { part::<Terminal>(TerminalProps { client, is_active }) }
        </section>
    }
}

#[component]
fn ClientHead(props: &ClientPaneProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let is_renaming = use_state_eq(|| false);
    let client = props.client;
    let name = session.name_of(client);
    let connection = session.world().connection(client);
    let start_renaming = {
        let is_renaming = is_renaming.clone();
        Callback::from(move |_: MouseEvent| is_renaming.set(true))
    };
    let renamed = {
        let (session, is_renaming, old) = (session.clone(), is_renaming.clone(), name.clone());
        Callback::from(move |name: Option<String>| {
            is_renaming.set(false);
            if let Some(name) = name.filter(|name| *name != old) {
                session.push(Input::Rename { client, name });
            }
            session.activate(client);
        })
    };
    let close = {
        let session = session.clone();
        Callback::from(move |_: MouseEvent| {
            // The next client with this number begins with an empty line.
            session.keep_draft(client, "");
            session.push(Input::Disconnect { client });
        })
    };
    let is_only = session.world().clients().count() <= 1;
    html! {
        <div class="client-head">
            { client_mark(slot_of(client)) }
            if *is_renaming {
                { part::<NameField>(NameFieldProps {
                    name: name.clone(), label: t.client_rename_field(&name), most: 32, ondone: renamed,
                }) }
            } else {
                <h2 class="client-name" ondblclick={start_renaming.clone()}>{ &name }</h2>
            }
            if let Some(connection) = connection {
                if connection.db > 0 { <span class="chip">{ t.state_database(&connection.db.to_string()) }</span> }
                if connection.protocol == resp::Protocol::Resp3 { <span class="chip">{ t.state_resp3() }</span> }
            }
            if session.world().settings().has_several_nodes() {
                { later(Chunk::Nodes, move || part::<NodePicker>(NodePickerProps { client })) }
            }
            <span class="spacer" />
            { Button::icon(Picture::Pencil, t.client_rename(&name)).on(start_renaming) }
            if !is_only {
                { Button::icon(Picture::Close, t.client_close(&name)).on(close) }
            }
        </div>
    }
}

/// The state of a client: blocked, subscribed, queueing, watching. Empty for a client in its normal state.
fn state(t: Lang, session: &SessionHandle, client: ClientIndex) -> Html {
    if session.database_of(client).is_some() {
        return later(Chunk::Table, move || part::<AtTable>(ClientPaneProps { client }));
    }
    let Some(connection) = session.world().connection(client) else {
        return html! { <p class="client-state" data-kind="closed">{ t.state_closed() }</p> };
    };
    html! {
            <div class="client-states">
                if let Some(blocked) = &connection.blocked {
                    { part::<BlockedState>(BlockedStateProps {
                    client, blocked: blocked.clone(), typed_ahead: session.typed_ahead(client) as u64,
                }) }
                }
                if connection.is_subscriber() {
                    <div class="client-state" data-kind="listens">
                        <div class="client-words">
    <span>{ rich(&t.state_listens(&channels(t, connection))) }</span>
                        <span class="soft">{ t.state_messages(messages(session, client)) }</span>
                        </div>
    { interrupt_button(t, session, client) }
                    </div>
                }
                if connection.is_monitor {
                    <div class="client-state" data-kind="listens">
                        <span>{ t.state_monitors() }</span>
                        { interrupt_button(t, session, client) }
                    </div>
                }
                if !connection.watched.is_empty() { { watched(t, connection) } }
                if let Some(multi) = &connection.multi { { queue(t, multi) } }
            </div>
        }
}

fn watched(t: Lang, connection: &Client) -> Html {
    let keys = joined(t, connection.watched.iter().map(|watched| &watched.key));
    if connection.is_dirty {
        html! { <p class="client-state" data-kind="broken"><span>{ rich(&t.state_watches_dirty(&keys)) }</span></p> }
    } else {
        html! { <p class="client-state" data-kind="watches"><span>{ rich(&t.state_watches(&keys)) }</span></p> }
    }
}

fn queue(t: Lang, multi: &Multi) -> Html {
    html! {
        <div class="client-state" data-kind={if multi.is_aborted { "broken" } else { "multi" }}>
            <div class="client-queue">
                <span>{ t.state_multi(multi.queue.len() as u64) }</span>
                <ol>{ for multi.queue.iter().map(|argv| html! { <li><code>{ resp::split::quote_command(argv) }</code></li> }) }</ol>
                if multi.is_aborted { <span>{ t.state_multi_broken() }</span> }
            </div>
        </div>
    }
}

fn channels(t: Lang, connection: &Client) -> String {
    joined(t, connection.channels.iter().chain(&connection.patterns).chain(&connection.shard_channels))
}

fn joined<'a>(t: Lang, names: impl Iterator<Item = &'a Bytes>) -> String {
    let names: Vec<String> = names.map(|name| code(&resp::split::quote_argument(name))).collect();
    names.join(t.step_comma())
}

/// Number of messages that a client has received on its subscriptions since its connection began.
fn messages(session: &Session, client: ClientIndex) -> u64 {
    let is_message = |kind: &EventKind| match kind {
        EventKind::Push { value: resp::Value::Push(parts), .. } => matches!(
            parts.first(),
            Some(resp::Value::Bulk(word)) if matches!(word.as_ref(), b"message" | b"pmessage" | b"smessage")
        ),
        _ => false,
    };
    session
        .timeline()
        .events_of(client)
        .rev()
        .take_while(|(_, kind)| !matches!(kind, EventKind::Connected { .. }))
        .filter(|(_, kind)| is_message(kind))
        .count() as u64
}

#[derive(Clone, PartialEq, Properties)]
struct BlockedStateProps {
    client: ClientIndex,
    blocked: Blocked,
    typed_ahead: u64,
}

#[component]
fn BlockedState(props: &BlockedStateProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let now_ms = use_clock().now_ms;
    let Blocked { wait, since_ms, .. } = &props.blocked;
    let world = session.world();
    let world_ms =
        |clock_ms| world.client(props.client).map_or(clock_ms, |client| world.world_ms(client.node, clock_ms));
    let since_ms = world_ms(*since_ms);
    let what = match &wait.reason {
        WaitReason::Keys { keys, .. } => t.state_waits_keys(&joined(t, keys.iter())),
        WaitReason::Pause => t.state_waits_pause().to_owned(),
        WaitReason::Sleep => t.state_waits_sleep().to_owned(),
        WaitReason::Script { ends_ms: Some(_) } => t.state_waits_script_end().to_owned(),
        WaitReason::Script { ends_ms: None } => t.state_waits_script().to_owned(),
        WaitReason::Replicas => t.state_waits_replicas().to_owned(),
    };
    let ends_ms = match &wait.reason {
        WaitReason::Script { ends_ms } => *ends_ms,
        _ => wait.deadline_ms,
    }
    .map(world_ms);
    html! {
            <div class="client-state" data-kind="waits" data-testid="blocked">
                <div class="client-words">
    <span>{ rich(&what) }</span>
                <span class="soft tabular">{ t.state_since(tenths(now_ms.saturating_sub(since_ms))) }</span>
                if let Some(deadline_ms) = ends_ms {
                    <span class="soft tabular row-tight">
                        { time_ring(deadline_ms.saturating_sub(now_ms), deadline_ms.saturating_sub(since_ms)) }
                        { t.state_left(tenths(deadline_ms.saturating_sub(now_ms))) }
                    </span>
                } else {
                    <span class="soft">{ t.state_forever() }</span>
                }
                if props.typed_ahead > 0 { <span class="soft">{ t.state_typed_ahead(props.typed_ahead) }</span> }
                </div>
    { interrupt_button(t, &session, props.client) }
            </div>
        }
}

/// Rounds to tenths of a second, because faster digits cannot be read.
pub fn tenths(ms: u64) -> u64 {
    ms / 100 * 100
}

/// A button that sends Ctrl-C.
pub fn interrupt_button(t: Lang, session: &SessionHandle, client: ClientIndex) -> Html {
    let session = session.clone();
    let onclick = Callback::from(move |_: MouseEvent| {
        session.interrupt(client);
        session.activate(client);
    });
    html! {
        <button type="button" class="button interrupt" title={t.client_interrupt_hint()} {onclick}>
            { icon(Picture::Stop) }{ t.client_interrupt() }
        </button>
    }
}

/// The panes of all clients, and a button that adds a client.
#[component]
pub fn Clients() -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let clients: Vec<ClientIndex> = session.world().clients().map(|(client, _)| client).collect();
    let add = {
        let session = session.clone();
        Callback::from(move |_: MouseEvent| session.add_client())
    };
    let is_full = clients.len() >= CLIENTS_MAX;
    html! {
        <section class="terminals" aria-label={t.panel_terminals()} data-empty={clients.is_empty().then_some("")}>
            <div class="terminals-grid" data-count={clients.len().to_string()}>
                { for clients.iter().map(|client| part_of::<ClientPane>(client, ClientPaneProps { client: *client })) }
            </div>
            if session.is_of_sandbox() { { later(Chunk::Rest, || part::<Departed>(())) } }
            if !is_full {
                <div class="terminals-foot">
                    { Button::words(t.client_add()).picture(Picture::Add).look(ButtonLook::Quiet).testid("add-client").on(add) }
                </div>
            }
        </section>
    }
}
