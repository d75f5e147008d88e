//! The event loop of a node: the queue of waiting requests, and the one that is executed.
use world::{ClientIndex, EventKind, Input};
use yew::prelude::*;

use crate::hooks::{SessionPart, use_lang, use_session_for};
use crate::panels::NodeProps;
use crate::panels::client::slot_of;
use crate::state::lab::lanes::label;
use crate::ui::{Button, Picture, client_mark, html};

/// Maximum number of queued requests that are shown.
const SHOWN_MAX: usize = 12;

/// The queue, and the requests that the last step executed.
#[component]
pub fn EventLoop(props: &NodeProps) -> Html {
    let node = props.node;
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let queue = session.world().queue(node);
    let current = session.current();
    let ran: Vec<(ClientIndex, String, String)> = current
        .iter()
        .flat_map(|(_, step)| &step.events)
        .filter(|event| event.node == Some(node))
        .filter_map(|event| match &event.kind {
            EventKind::Command { client, argv, .. } => {
                Some((*client, label::command(argv), label::whole_command(argv)))
            }
            _ => None,
        })
        .collect();
    let serve = {
        let session = session.clone();
        Callback::from(move |_: MouseEvent| session.push(Input::Serve { node }))
    };
    let request = |client: ClientIndex, words: String, whole: String| {
        html! {
            <span class="loop-request" data-client={slot_of(client).to_string()} title={whole}>
                { client_mark(slot_of(client)) }<b>{ session.name_of(client) }</b><code>{ words }</code>
            </span>
        }
    };
    html! {
        <section class="panel eventloop" aria-label={t.loop_title()} data-testid="eventloop">
            <div class="panel-head">
                <h2>{ t.loop_title() }</h2>
                <span class="spacer" />
                { Button::words(t.programs_serve()).picture(Picture::Next).title(t.loop_serve_hint()).disabled(queue.is_empty()).testid("serve").on(serve) }
            </div>
            <div class="panel-body loop-body" tabindex="0">
                <div class="loop-queue">
                    <h3 class="soft small">{ t.loop_queue() }</h3>
                    if queue.is_empty() { <p class="soft">{ t.loop_queue_empty() }</p> }
                    <ol>
                        { for queue.iter().take(SHOWN_MAX).enumerate().map(|(place, queued)| html! {
                            <li key={place}>{ request(queued.client, label::command(&queued.argv), label::whole_command(&queued.argv)) }</li>
                        }) }
                        if queue.len() > SHOWN_MAX { <li class="soft">{ t.lanes_more(queue.len().saturating_sub(SHOWN_MAX) as u64) }</li> }
                    </ol>
                </div>
                <span class="loop-arrow" aria-hidden="true">{ "→" }</span>
                <div class="loop-now" data-idle={ran.is_empty().then_some("")}>
                    <h3 class="soft small">{ t.loop_running() }</h3>
                    if ran.is_empty() { <p class="soft">{ t.loop_idle() }</p> }
                    { for ran.into_iter().map(|(client, words, whole)| request(client, words, whole)) }
                </div>
                <p class="loop-why soft small">{ t.loop_why() }</p>
            </div>
        </section>
    }
}
