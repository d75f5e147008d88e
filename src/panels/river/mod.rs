//! The river: messages in transit, and which client holds which. One file per kind of flow.
mod channels;
mod group;
mod ledger;
mod overview;
mod queue;
mod stream;
mod times;

use yew::prelude::*;

use crate::hooks::storage::Store;
use crate::hooks::{SessionPart, use_derived, use_lang, use_persisted, use_session_for};
use crate::panels::NodeProps;
use crate::state::followed::Followed;
use crate::state::key::KeyName;
use crate::state::river::{Broadcasts, Channels, Most, Past, Picture, Queue};
use crate::ui::{html, part, part_of};
use channels::{ChannelsView, ChannelsViewProps};
use ledger::LedgerView;
use stream::{StreamView, StreamViewProps};

/// Maximum number of streams and queues to choose from.
const CHOICE_MAX: usize = 8;
/// How much of a stream is shown. A group's header needs only the oldest pending entry of each consumer.
const MOST: Most = Most { groups: 12, chips: 1 };

/// A structure through which messages pass.
#[derive(Clone)]
enum Flow {
    Stream(Picture),
    Queue(Queue),
    Channels(Channels),
}

/// Identifies a flow.
#[derive(Clone, Debug, PartialEq)]
enum Name {
    /// A stream or a list.
    Key(KeyName),
    /// All channels of the node.
    Channels,
}

impl Flow {
    fn name(&self) -> Name {
        match self {
            Flow::Stream(stream) => Name::Key(stream.key.clone()),
            Flow::Queue(queue) => Name::Key(queue.key.clone()),
            Flow::Channels(_) => Name::Channels,
        }
    }
}

/// The streams, queues and channels of a node: the one that the reader has chosen, or else the one that changed last.
#[component]
pub fn River(props: &NodeProps) -> Html {
    let node = props.node;
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps, SessionPart::Look]);
    let chosen = use_state_eq(|| None::<Name>);
    let kept = use_derived::<Followed<Past>>(|| "past".to_owned());
    kept.borrow_mut().follow(session.timeline(), ());
    let said = use_derived::<Followed<Broadcasts>>(|| "broadcasts".to_owned());
    said.borrow_mut().follow(session.timeline(), ());
    let (words, set_words) = use_persisted(Store::Tab, "river-words".to_owned(), "redis");
    let has_kafka = words == "kafka";
    let ontoggle = {
        let other = if has_kafka { "redis" } else { "kafka" };
        set_words.reform(move |_: MouseEvent| other.to_owned())
    };
    let (past, broadcasts) = (kept.borrow(), said.borrow());
    let position = session.timeline().position();
    let current = session.current();
    let last = current.as_ref().map(|(_, step)| step.as_ref());
    let flow = |name: &Name| match name {
        Name::Key(key) => {
            let stream = Picture::of(session.world(), key, last, &past, position, MOST).map(Flow::Stream);
            stream.or_else(|| Queue::of(session.world(), key, last, &past, position).map(Flow::Queue))
        }
        Name::Channels => broadcasts.at(session.world(), node, position).map(Flow::Channels),
    };
    let is_there = |key: &KeyName| key.entry(session.world()).is_some() || past.is_queue(key, position);
    let latest = past.latest(node, position, CHOICE_MAX);
    let mut names: Vec<Name> = latest.into_iter().filter(is_there).map(Name::Key).collect();
    let spoke = broadcasts.changed_at(node, position);
    let is_last = spoke > past.changed_at(node, position);
    names.extend(spoke.map(|_| Name::Channels));
    // An empty queue is shown because of a change, not because the reader once inspected its key.
    let looked_at =
        session.selected().filter(|key| key.database.node == node && !is_last && key.entry(session.world()).is_some());
    let looked_at = looked_at.cloned().map(Name::Key);
    let wanted = chosen.iter().chain(is_last.then_some(&Name::Channels)).chain(&looked_at).chain(&names);
    let shown = wanted.into_iter().find_map(flow);
    let is_stream = matches!(shown, Some(Flow::Stream(_)));
    let choice = |name: &Name| {
        let choose = {
            let (chosen, name) = (chosen.clone(), name.clone());
            Callback::from(move |_: MouseEvent| chosen.set(Some(name.clone())))
        };
        let is_shown = shown.as_ref().is_some_and(|shown| shown.name() == *name);
        let (id, label) = match name {
            Name::Key(key) => (name_of(key), html! { <code>{ resp::split::quote_argument(&key.key) }</code> }),
            // This cannot be the name of a key, which begins with the number of its database.
            Name::Channels => ("channels".to_owned(), html! { { t.river_channels() } }),
        };
        html! {
            <button key={id} type="button" class="chip river-choice" aria-pressed={is_shown.to_string()} onclick={choose}>{ label }</button>
        }
    };
    html! {
        <section class="panel river" aria-label={t.river_title()} data-testid="river" data-again={(session.revision() % 2 == 1).then_some("")}>
            <div class="panel-head" data-bare={(names.len() < 2 && !is_stream).then_some("")}>
                <h2>{ t.river_title() }</h2>
                if names.len() > 1 { { for names.iter().map(choice) } }
                if is_stream {
                    <span class="spacer" />
                    <button type="button" class="chip river-choice" aria-pressed={has_kafka.to_string()} title={t.river_kafka_hint()} onclick={ontoggle}>
                        { "Kafka" }
                    </button>
                }
            </div>
            { part::<LedgerView>(()) }
            <div class="panel-body river-body">
                {
                    match &shown {
                        Some(Flow::Stream(picture)) => part_of::<StreamView>(&name_of(&picture.key), StreamViewProps { picture: picture.clone(), past: kept.clone(), has_kafka }),
                        Some(Flow::Queue(queue)) => queue::view(t, &session, queue),
                        Some(Flow::Channels(channels)) => part_of::<ChannelsView>(&"channels", ChannelsViewProps { node, channels: channels.clone(), said: said.clone() }),
                        // If programs run, the reader does not need a hint on what to type.
                        None if session.world().clients().any(|(_, client)| client.program.is_some()) => html! {
                            <div class="panel-empty"><p>{ t.river_empty_yet() }</p></div>
                        },
                        None => html! {
                            <div class="panel-empty"><p>{ crate::i18n::rich(&t.river_empty(&crate::i18n::code("XADD orders * item book"))) }</p></div>
                        },
                    }
                }
            </div>
        </section>
    }
}

fn name_of(key: &KeyName) -> String {
    format!("{}-{}", key.database.db, resp::split::quote_argument(&key.key))
}
