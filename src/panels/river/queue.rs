//! A list used as a queue: its elements from end to end, the waiting clients in order, and the elements that clients took.
use yew::prelude::*;

use super::stream::clipped;
use super::times;
use crate::hooks::SessionHandle;
use crate::i18n::messages::RiverTook;
use crate::i18n::{Lang, code, rich};
use crate::panels::client::slot_of;
use crate::state::river::queue::Element;
use crate::state::river::{Hand, InLine, ItemSafety, Queue};
use crate::ui::{Picture as Sign, client_mark, html, icon};

/// Maximum number of listed clients, both of those that wait and of those that took elements.
const CLIENTS_MAX: usize = 50;
/// Maximum number of listed elements that one client took with one command.
const TAKEN_MAX: usize = 6;

/// The queue with its waiting clients and taken elements.
pub fn view(t: Lang, session: &SessionHandle, queue: &Queue) -> Html {
    let is_scored = queue.left.iter().any(|element| element.score.is_some());
    let (from, to) = if is_scored { (t.river_lowest(), t.river_highest()) } else { (t.river_left(), t.river_right()) };
    let left_out = queue.left_out();
    let before_right = queue.len.saturating_sub(queue.right.len());
    // The line of the clock comes before the first element that is not due, which may be in the hidden part between the two ends.
    let is_hidden = queue.due.is_some_and(|due| due > queue.left.len() && due < before_right);
    let listed = |elements: &[Element], first: usize| {
        let with_line = |(place, each): (usize, &Element)| {
            html! { <>if queue.due == Some(place) { { due_line(t) } } { element(t, each) }</> }
        };
        (first..).zip(elements).map(with_line).collect::<Vec<_>>()
    };
    html! {
        <div class="river-queue" tabindex="0" role="group" aria-label={t.river_queue_of(&clipped(&queue.key.key))} data-testid="river-queue">
            <p class="soft small river-count">
                { t.river_queue(queue.len as u64) }
                if let Some(due) = queue.due { { " · " }{ t.river_due(due as u64) } }
            </p>
            <div class="river-line">
                <span class="soft small">{ from }</span>
                <ol class="river-elements" aria-label={t.river_elements()}>
                    { for listed(&queue.left, 0) }
                    if is_hidden { { due_line(t) } }
                    if left_out > 0 { <li class="soft small">{ t.river_left_out(left_out as u64) }</li> }
                    { for listed(&queue.right, before_right) }
                    if queue.due == Some(queue.len) && queue.len > 0 { { due_line(t) } }
                </ol>
                <span class="soft small">{ to }</span>
            </div>
            <div class="river-sides">
                { people(t, t.river_line(), t.river_line_empty(), &queue.waiting, |each| in_line(t, session, each)) }
                { people(t, t.river_hands(), t.river_hands_empty(), &queue.hands, |each| hand(t, session, each)) }
            </div>
        </div>
    }
}

fn element(t: Lang, each: &Element) -> Html {
    let score = each.score.as_ref().map(|score| match score.due_in_ms {
        None => score.text.clone(),
        Some(ms) if ms > 0 => t.river_due_in(&t.duration(ms.unsigned_abs())),
        Some(ms) => t.river_due_since(&t.duration(ms.unsigned_abs())),
    });
    let is_late = each.score.as_ref().and_then(|score| score.due_in_ms).is_some_and(|ms| ms <= 0);
    html! {
        <li class="river-element" data-mark={each.mark.word()} data-due={is_late.then_some("")}>
            <code>{ clipped(&each.text) }</code>
            { for score.map(|score| html! { <small>{ " " }{ score }</small> }) }
        </li>
    }
}

/// The current time among the scores: elements before it are due.
fn due_line(t: Lang) -> Html {
    html! { <li class="river-now">{ t.river_now() }</li> }
}

/// A list of clients with a title, or a message that there are none.
fn people<T>(t: Lang, title: &'static str, none: &'static str, all: &[T], line: impl Fn(&T) -> Html) -> Html {
    let hidden = all.len().saturating_sub(CLIENTS_MAX);
    html! {
        <section>
            <h3>{ title }</h3>
            if all.is_empty() { <p class="soft small">{ none }</p> }
            <ol class="river-people" aria-label={title}>
                { for all.iter().take(CLIENTS_MAX).map(line) }
                if hidden > 0 { <li class="soft">{ t.inside_more(hidden as u64) }</li> }
            </ol>
        </section>
    }
}

/// A waiting client.
fn in_line(t: Lang, session: &SessionHandle, each: &InLine) -> Html {
    html! {
        <li>
            { client_mark(slot_of(each.client)) }<b>{ session.name_of(each.client) }</b>
            <code>{ clipped(&each.command.to_ascii_uppercase()) }</code>
            { icon(Sign::Clock) }{ times::waits(t, each.waits.until_ms) }
        </li>
    }
}

/// The elements that a client took.
fn hand(t: Lang, session: &SessionHandle, each: &Hand) -> Html {
    let client = session.name_of(each.client);
    let listed = each.elements.iter().take(TAKEN_MAX).map(|element| code(&clipped(element)));
    let elements = listed.collect::<Vec<_>>().join(" ");
    let hidden = each.elements.len().saturating_sub(TAKEN_MAX);
    let (word, fate) = match &each.kept {
        ItemSafety::Nowhere => ("nowhere", t.river_only(&client)),
        ItemSafety::Lost => ("lost", t.river_gone(&client)),
        ItemSafety::In(list) => ("kept", t.river_kept(&code(&clipped(list)))),
        ItemSafety::Removed(list) => ("removed", t.river_removed(&code(&clipped(list)))),
    };
    html! {
        <li data-kept={word} data-mark={each.is_new.then_some("new")}>
            { client_mark(slot_of(each.client)) }
            <span>{ rich(&t.say(RiverTook { who: &client, what: &elements })) }</span>
            if hidden > 0 { <small class="soft">{ t.inside_more(hidden as u64) }</small> }
            { times::held(session.world().now_ms().saturating_sub(each.held_ms)) }
            <small>{ rich(&fate) }</small>
        </li>
    }
}
