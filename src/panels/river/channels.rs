//! Channels as a table: one row per message, one column per current or former subscriber. A cell says whether the client received the
//! message.
use std::cell::RefCell;
use std::rc::Rc;

use world::{Act, ClientIndex, Input, NodeIndex};
use yew::prelude::*;

use super::stream::{clipped, signed};
use super::times;
use crate::hooks::assets::Chunk;
use crate::hooks::{SessionHandle, SessionPart, Show, use_lang, use_session_for, use_window};
use crate::i18n::messages::{RiverBuffer, RiverBufferOf, RiverSubscriber};
use crate::i18n::{Lang, code};
use crate::panels::client::slot_of;
use crate::state::followed::Followed;
use crate::state::inside::Mark;
use crate::state::river::{Broadcast, Broadcasts, Buffer, Channels, Fate, Held, Subscriber};
use crate::ui::{Button, ButtonLook, Picture, client_mark, html, later};

/// Maximum number of clients with a column.
const COLUMNS_MAX: usize = 12;

/// Properties of [`ChannelsView`].
#[derive(Clone, Properties)]
pub struct ChannelsViewProps {
    /// The node of the channels.
    pub node: NodeIndex,
    /// Its channels.
    pub channels: Channels,
    /// The published messages.
    pub said: Rc<RefCell<Followed<Broadcasts>>>,
}

impl PartialEq for ChannelsViewProps {
    // Each step creates a new picture, so comparing is not worthwhile.
    fn eq(&self, _: &ChannelsViewProps) -> bool {
        false
    }
}

/// The channels.
#[component]
pub fn ChannelsView(props: &ChannelsViewProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let (channels, said) = (&props.channels, props.said.borrow());
    let scroller = use_node_ref();
    let place = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
    let count = place(channels.count);
    let new = &channels.new;
    let units = place(new.start)..place(new.end);
    let show = (!new.is_empty()).then(|| Show { units, head: 0, occasion: session.revision() });
    let window = use_window(&scroller, count, show);
    let range = window.range.start as usize..window.range.end as usize;
    let position = session.timeline().position();
    let messages = said.messages(props.node, position, range);
    let fate = |held: &Held| said.fate(props.node, held, position);
    let columns = channels.subscribers.get(..COLUMNS_MAX).unwrap_or(&channels.subscribers);
    let hidden = channels.subscribers.len().saturating_sub(columns.len());
    let least = 14_usize.saturating_add(columns.len().saturating_mul(7));
    let style =
        format!("--columns: minmax(14rem, 1.6fr){}; --least: {least}rem", " minmax(7rem, 1fr)".repeat(columns.len()));
    html! {
        <div class="river-stream" {style} data-testid="river-channels">
            <p class="soft small river-count">
                { t.river_said(channels.count as u64) }
                if hidden > 0 { { " · " }{ t.river_subscribers_more(hidden as u64) } }
            </p>
            <div class="river-table" role="table" aria-label={t.river_channels_table()} aria-rowcount={count.saturating_add(1).to_string()}>
                <div class="river-row river-head" role="row">
                    <span role="columnheader">{ t.river_message() }</span>
                    { for columns.iter().map(|each| head(t, &session, each)) }
                </div>
                <div class="river-scroll" ref={scroller} onscroll={window.onscroll.clone()} tabindex="0" role="rowgroup">
                    <div style={window.style(count)} role="presentation">
                        { for messages.iter().map(|(number, each)| row(t, &session, columns, *number, each, &fate, new.contains(number))) }
                    </div>
                    { window.probe.clone() }
                </div>
            </div>
        </div>
    }
}

/// A client: its subscriptions, and how many messages it received and missed.
fn head(t: Lang, session: &SessionHandle, each: &Subscriber) -> Html {
    let is_paused = session.world().is_paused(each.client);
    let sums = t.say(RiverSubscriber { heard: each.heard as u64, missed: each.missed as u64 });
    let names = each.names.iter().map(|name| html! { <code>{ clipped(name) }</code> });
    html! {
        <span role="columnheader">
            <span class="river-listener">
                <span class="river-reader" data-away={(!each.is_here).then_some("")}>
                    { client_mark(slot_of(each.client)) }<b>{ session.name_of(each.client) }</b>
                </span>
                <span class="river-names">
                    { for names }
                    if each.names.is_empty() { <small class="soft">{ t.river_subscribes_none() }</small> }
                </span>
                if is_paused || (each.is_here && !each.names.is_empty()) { { reading(t, session, each.client, is_paused) } }
            </span>
            <small class="soft">{ sums }</small>
            if let Some(full) = &each.buffer { { buffer(t, full) } }
        </span>
    }
}

/// The output buffer of a client that does not read: how full it is, and when Redis closes the connection because of it.
fn buffer(t: Lang, buffer: &Buffer) -> Html {
    let (n, bytes) = (buffer.count as u64, t.bytes(buffer.bytes));
    let most = t.bytes(buffer.hard_bytes);
    // Bytes in the connection's fixed buffer do not count towards the limit.
    let said = match buffer.hard_bytes.min(buffer.memory) {
        0 => t.say(RiverBuffer { n, bytes: &bytes }),
        _ => t.say(RiverBufferOf { n, bytes: &t.bytes(buffer.memory), most: &most }),
    };
    let share = buffer.memory.saturating_mul(100).checked_div(buffer.hard_bytes).unwrap_or(0).min(100);
    html! {
        <span class="river-buffer" data-testid="river-buffer">
            <span class="river-full" aria-hidden="true"><i style={format!("inline-size: {share}%")} /></span>
            <span class="river-names">
                <small>{ said }</small>
                { for buffer.closes_ms.map(times::closes) }
            </span>
        </span>
    }
}

/// A button that pauses or resumes reading of a client.
fn reading(t: Lang, session: &SessionHandle, client: ClientIndex, is_paused: bool) -> Html {
    let (act, word, picture) = match is_paused {
        true => (Act::Resume, t.river_read_on(), Picture::Next),
        false => (Act::Pause, t.river_stop_reading(), Picture::Pause),
    };
    let title = if is_paused { String::new() } else { t.river_stop_reading_hint(&session.name_of(client)) };
    let session = session.clone();
    // Actions on clients are part of the chunk of the course.
    later(Chunk::Course, move || {
        let (session, act) = (session.clone(), act.clone());
        let onclick = Callback::from(move |_: MouseEvent| session.push(Input::Program { client, act: act.clone() }));
        let button = Button::words(word).picture(picture).look(ButtonLook::Quiet).title(title.clone());
        button.testid("river-reading").on(onclick)
    })
}

fn row(
    t: Lang,
    session: &SessionHandle,
    columns: &[Subscriber],
    number: usize,
    each: &Broadcast,
    fate: &dyn Fn(&Held) -> Fate,
    is_new: bool,
) -> Html {
    let mark = if is_new { Mark::New } else { Mark::Same };
    let nobody = each.heard.is_empty() && each.held.is_empty();
    html! {
        <div class="river-row" role="row" key={number} aria-rowindex={number.saturating_add(2).to_string()} data-mark={mark.word()}>
            <span class="river-entry" role="rowheader">
                if let Some(from) = each.from { { client_mark(slot_of(from)) }<span class="sr-only">{ session.name_of(from) }</span> }
                <code class="river-channel">{ clipped(&each.channel) }</code>
                <span class="river-pair">{ clipped(&each.text) }</span>
                if nobody { <small class="river-lost">{ t.river_unheard() }</small> }
            </span>
            { for columns.iter().map(|column| cell(t, each, column, fate, mark)) }
        </div>
    }
}

fn cell(t: Lang, each: &Broadcast, column: &Subscriber, fate: &dyn Fn(&Held) -> Fate, mark: Mark) -> Html {
    let at_once = each.heard.iter().find(|(client, _)| *client == column.client).map(|(_, ways)| ways);
    let held = each.held.iter().find(|held| held.client == column.client).map(|held| (held, fate(held)));
    let heard = at_once.or(held.filter(|(_, fate)| *fate == Fate::Heard).map(|(held, _)| &held.ways));
    let (word, drawn) = match (heard, held) {
        (Some(ways), _) => {
            let by = ways.iter().map(|way| code(&clipped(way))).collect::<Vec<_>>().join(" ");
            let title = crate::i18n::plain(&t.river_heard(&by));
            let times = (ways.len() > 1).then(|| format!("×{}", ways.len()));
            (
                "done",
                html! {
                    <span title={title.clone()}><i aria-hidden="true">{ "✓" }</i>{ for times }<span class="sr-only">{ title }</span></span>
                },
            )
        }
        (None, Some((_, Fate::Waits))) => ("held", signed("⋯", t.river_buffer_held())),
        (None, Some(_)) => ("dropped", signed("✕", t.river_buffer_lost())),
        (None, None) if each.missed.contains(&column.client) => ("dropped", signed("✕", t.river_missed())),
        (None, None) => ("ahead", html! { <span class="sr-only">{ t.river_not_subscribed() }</span> }),
    };
    html! { <span class="river-cell" role="cell" data-status={word} data-mark={mark.word()}>{ drawn }</span> }
}
