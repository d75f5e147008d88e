//! The river: messages on their way, and who holds which. One file a kind of flow.
mod group;
mod queue;
mod stream;

use yew::prelude::*;

use crate::hooks::{Side, use_derived, use_lang, use_session_for};
use crate::panels::NodeProps;
use crate::state::followed::Followed;
use crate::state::key::KeyName;
use crate::state::river::{Past, Picture, Queue};
use crate::ui::{html, part_of, time_ring};
use stream::{StreamView, StreamViewProps};

/// Streams that can be chosen.
const CHOICE_MAX: usize = 8;
/// Entries of one consumer that its group's head knows of: the oldest.
const CHIPS_MAX: usize = 1;

/// What has been held for so long has a full ring, in ms.
const RING_MS: u64 = 60_000;

/// What messages go through.
#[derive(Clone)]
enum Flow {
    Stream(Picture),
    Queue(Queue),
}

impl Flow {
    fn key(&self) -> &KeyName {
        match self {
            Flow::Stream(stream) => &stream.key,
            Flow::Queue(queue) => &queue.key,
        }
    }
}

/// The streams and queues of a node: the one that the reader has chosen, or else the one that changed last.
#[component]
pub fn River(props: &NodeProps) -> Html {
    let node = props.node;
    let t = use_lang();
    let session = use_session_for(&[Side::Steps, Side::Look]);
    let chosen = use_state_eq(|| None::<KeyName>);
    let kept = use_derived::<Followed<Past>>(|| "past".to_owned());
    kept.borrow_mut().follow(session.timeline(), ());
    let past = kept.borrow();
    let position = session.timeline().position();
    let current = session.current();
    let last = current.as_ref().map(|(_, step)| step.as_ref());
    let flow = |key: &KeyName| {
        let stream = Picture::of(session.world(), key, last, &past, position, CHIPS_MAX).map(Flow::Stream);
        stream.or_else(|| Queue::of(session.world(), key, last, &past, position).map(Flow::Queue))
    };
    let is_there = |key: &KeyName| key.entry(session.world()).is_some() || past.is_queue(key, position);
    let streams: Vec<KeyName> = past.latest(node, position, CHOICE_MAX).into_iter().filter(is_there).collect();
    let looked_at = session.selected().filter(|key| key.database.node == node);
    let wanted = chosen.iter().chain(looked_at).chain(&streams);
    let shown = wanted.into_iter().find_map(flow);
    let choice = |key: &KeyName| {
        let choose = {
            let (chosen, key) = (chosen.clone(), key.clone());
            Callback::from(move |_: MouseEvent| chosen.set(Some(key.clone())))
        };
        let is_shown = shown.as_ref().is_some_and(|shown| shown.key() == key);
        let name = resp::split::quote_argument(&key.key);
        html! {
            <button key={name.clone()} type="button" class="chip river-choice" aria-pressed={is_shown.to_string()} onclick={choose}>
                <code>{ name }</code>
            </button>
        }
    };
    html! {
        <section class="panel river" aria-label={t.river_title()} data-testid="river">
            <div class="panel-head" data-bare={(streams.len() < 2).then_some("")}>
                <h2>{ t.river_title() }</h2>
                if streams.len() > 1 { { for streams.iter().map(choice) } }
            </div>
            <div class="panel-body river-body">
                {
                    match &shown {
                        Some(Flow::Stream(picture)) => part_of::<StreamView>(&name_of(&picture.key), StreamViewProps { picture: picture.clone(), past: kept.clone() }),
                        Some(Flow::Queue(queue)) => queue::view(t, &session, queue),
                        None => html! {
                            <div class="panel-empty"><p>{ crate::i18n::rich(&t.river_empty(&crate::i18n::code("XADD orders * item book"))) }</p></div>
                        },
                    }
                }
            </div>
        </section>
    }
}

/// How long a message has been held, as a ring.
fn held_ring(held_ms: u64) -> Html {
    time_ring(held_ms.min(RING_MS), RING_MS)
}

fn name_of(key: &KeyName) -> String {
    format!("{}-{}", key.database.db, resp::split::quote_argument(&key.key))
}
