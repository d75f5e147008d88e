//! A link of the map: its symbol, the messages on it, and its menu.
use web_sys::HtmlInputElement;
use world::{ClientIndex, DELAY_MAX_MS, Direction, Input, Link, LinkAct, NodeIndex};
use yew::prelude::*;

use super::Map;
use crate::hooks::{SessionPart, use_lang, use_session_for};
use crate::i18n::Lang;
use crate::i18n::messages::{NodesArrivesIn, NodesLinkHint, NodesLinkName, NodesRequestWaits};
use crate::panels::client::slot_of;
use crate::state::network::{How, OnTheWay, on_the_way};
use crate::ui::{Button, Menu, MenuProps, Picture, client_mark, html, part, part_of};

/// The delays to choose from, in ms per direction, with ids for tests.
const DELAYS_MS: [(u64, &str); 5] =
    [(0, "delay-0"), (10, "delay-10"), (60, "delay-60"), (200, "delay-200"), (500, "delay-500")];

/// The symbol of a link with its menu, and the messages on it.
pub fn link(map: &Map<'_>, client: ClientIndex, node: NodeIndex, at: (usize, usize)) -> Html {
    let (t, world) = (map.t, map.session.world());
    let (link, line) = (world.link(client, node), map.field.line(at.0, at.1));
    let own = |message: &&OnTheWay| (message.client, message.node) == (client, node) && !message.words.is_empty();
    let messages: Vec<&OnTheWay> = map.messages.iter().filter(own).collect();
    let (who, of_node) = (map.session.name_of(client), world.settings().name_of_node(node));
    let name = t.say(NodesLinkName { who: &who, node: of_node });
    let description: Vec<String> = std::iter::once(name.clone())
        .chain(state_words(t, link))
        .chain(messages.iter().map(|message| message_words(t, message, of_node)))
        .collect();
    let description = description.join(t.step_comma());
    let id = format!("menu-link-{client}-{node}");
    let draw = Callback::from(move |()| part::<LinkActs>(LinkActsProps { client, node }));
    html! {
        <li key={format!("{client}-{node}")}>
            <button type="button" class="net-sign" style={line.sign()} title={description.clone()} aria-label={description} popovertarget={id.clone()}
                data-cut={link.is_cut.then_some("")} data-slow={(link.delay_ms > 0).then_some("")} data-testid={format!("link-{client}-{node}")}>
                { client_mark(slot_of(client)) }
                if link.is_cut { <b aria-hidden="true">{ "×" }</b><span>{ t.nodes_link_cut() }</span>{ " " } }
                if link.delay_ms > 0 { <span>{ t.duration(link.delay_ms) }</span> }
            </button>
            { for [Direction::Request, Direction::Reply].map(|direction| {
                let of_direction: Vec<&OnTheWay> = messages.iter().copied().filter(|message| message.direction == direction && message.how != How::Waits).collect();
                mark(&of_direction, direction, |way| line.message(way))
            }) }
            { part_of::<Menu>(&"", MenuProps { id, label: name.into(), testid: "link-menu", draw }) }
        </li>
    }
}

/// The mark of all messages in one direction, at the position of the first.
fn mark(messages: &[&OnTheWay], direction: Direction, place: impl Fn(u8) -> String) -> Html {
    let way = |message: &&&OnTheWay| match (message.how, direction) {
        (How::Travels { done, .. }, Direction::Request) => done,
        (How::Travels { done, .. }, Direction::Reply) => 100_u8.saturating_sub(done),
        (How::HeldUp | How::Waits, _) => 50,
    };
    let Some(first) = messages.iter().max_by_key(|message| match message.how {
        How::Travels { done, .. } => done,
        How::HeldUp | How::Waits => 0,
    }) else {
        return Html::default();
    };
    let (sign, direction) = if direction == Direction::Request { ("→", "request") } else { ("←", "reply") };
    let is_held = first.how == How::HeldUp;
    html! {
        <span class="net-message" style={place(way(&first))} aria-hidden="true" data-direction={direction} data-held={is_held.then_some("")}
            data-testid="message">
            { sign }if messages.len() > 1 { { messages.len().to_string() } }
        </span>
    }
}

/// The state of a link: cut, delayed; empty for an unchanged link.
fn state_words(t: Lang, link: Link) -> impl Iterator<Item = String> {
    let cut = link.is_cut.then(|| t.nodes_link_cut().to_owned());
    cut.into_iter().chain((link.delay_ms > 0).then(|| t.duration(link.delay_ms)))
}

/// A message and its position as text.
fn message_words(t: Lang, message: &OnTheWay, node: &str) -> String {
    let what = message.words.as_str();
    match (message.how, message.direction) {
        (How::Waits, _) => t.say(NodesRequestWaits { what, node }),
        (How::HeldUp, _) => t.nodes_request_held(what),
        (How::Travels { left_ms, .. }, direction) => {
            let what = if direction == Direction::Request { t.nodes_request(what) } else { t.nodes_reply(what) };
            if left_ms > 0 { t.say(NodesArrivesIn { what: &what, ms: left_ms }) } else { what }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Properties)]
struct LinkActsProps {
    client: ClientIndex,
    node: NodeIndex,
}

/// The menu of a link: its messages and the possible actions.
#[component]
fn LinkActs(props: &LinkActsProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let LinkActsProps { client, node } = *props;
    let world = session.world();
    let (link, of_node) = (world.link(client, node), world.settings().name_of_node(node));
    let who = session.name_of(client);
    let push = {
        let session = session.clone();
        move |act: LinkAct| session.push(Input::Link { client, node, act })
    };
    let act = |act: LinkAct| {
        let push = push.clone();
        Callback::from(move |_: MouseEvent| push(act))
    };
    let onchange = {
        let push = push.clone();
        Callback::from(move |event: Event| {
            let typed = event.target_unchecked_into::<HtmlInputElement>().value();
            if let Some(ms) = typed.trim().parse().ok().filter(|ms| *ms <= DELAY_MAX_MS) {
                push(LinkAct::Delay { ms });
            }
        })
    };
    let own = |message: &OnTheWay| (message.client, message.node) == (client, node) && !message.words.is_empty();
    let messages: Vec<OnTheWay> = on_the_way(world).into_iter().filter(own).collect();
    let hint = t.say(NodesLinkHint { who: &who, node: of_node });
    let (words, picture, cut) = match link.is_cut {
        true => (t.nodes_mend(), Picture::Check, LinkAct::Mend),
        false => (t.nodes_cut(), Picture::Close, LinkAct::Cut),
    };
    html! {
        <>
            <h3>{ t.say(NodesLinkName { who: &who, node: of_node }) }</h3>
            if !messages.is_empty() {
                <ul class="menu-facts">{ for messages.iter().map(|message| html! { <li>{ message_words(t, message, of_node) }</li> }) }</ul>
            }
            { Button::words(words).picture(picture).title(hint).testid("link-cut").on(act(cut)) }
            <div class="net-delays" role="group" aria-label={t.nodes_delay()}>
                <span class="soft small">{ t.nodes_delay() }</span>
                <span class="row-tight">
                    { for DELAYS_MS.map(|(ms, testid)| {
                        let words = if ms == 0 { t.nodes_no_delay().to_owned() } else { t.duration(ms) };
                        Button::words(words).pressed(link.delay_ms == ms).testid(testid).on(act(LinkAct::Delay { ms }))
                    }) }
                </span>
                <label class="row-tight small">
                    <input class="field" type="number" min="0" max={DELAY_MAX_MS.to_string()} value={link.delay_ms.to_string()} {onchange}
                        data-testid="link-delay-ms" />
                    { t.nodes_delay_field(DELAY_MAX_MS) }
                </label>
            </div>
        </>
    }
}
