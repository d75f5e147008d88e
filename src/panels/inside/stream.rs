//! A stream: its listpack nodes with their entries, including deleted ones, and below them each consumer group: the position of its cursor,
//! and the entries that each consumer has received but not acknowledged.
use std::collections::BTreeSet;

use bytes::Bytes;
use redis_model::value::Stream;
use redis_model::value::stream::{Consumer, Entry, Group, Id, Node};
use yew::prelude::*;

use super::cell::{mark_word, more, shown};
use crate::i18n::Lang;
use crate::i18n::messages::{InsideStreamIds, InsideStreamNode};
use crate::state::few::few;
use crate::state::inside::Mark;
use crate::state::river::is_moved;
use crate::ui::html;

/// Nodes that are shown at each end.
const NODE_ENDS: usize = 3;
/// Maximum number of changes of a group's pending entries that are examined.
const CHANGES_MAX: usize = 1_000;
/// Entries of one node that are shown at each end.
const ENTRY_ENDS: usize = 8;
/// Maximum number of groups, and of consumers per group, that are shown; those changed by the last step come first.
const GROUPS_MAX: usize = 12;
const CONSUMERS_MAX: usize = 12;
/// Maximum number of pending entries shown per consumer, and per group; each consumer shows at least a few.
const PENDING_MAX: usize = 24;
const PENDING_ALL: usize = 120;
const PENDING_MIN: usize = 4;

/// The picture of a stream.
#[inline(never)]
pub fn picture(t: Lang, before: Option<&Stream>, now: &Stream, is_changed: bool) -> Html {
    let before = before.filter(|_| is_changed);
    let count = now.nodes().len();
    let hidden = count.saturating_sub(NODE_ENDS * 2);
    let head = now.nodes().take(NODE_ENDS.min(count));
    let tail = now.nodes().skip(NODE_ENDS.saturating_add(hidden));
    let drawn = |node: &Node| node_box(t, before, node, is_changed);
    let (head, tail): (Vec<Html>, Vec<Html>) = (head.map(drawn).collect(), tail.map(drawn).collect());
    let was = |name: &[u8]| before.and_then(|before| before.group(name));
    let rank = |(name, group): &(&Bytes, &Group)| u8::from(!is_moved(was(name), group, is_changed));
    let (groups, more_groups) = few(now.groups(), GROUPS_MAX, rank);
    let groups: Vec<Html> =
        groups.into_iter().map(|(name, group)| group_box(t, was(name), now, name, group, is_changed)).collect();
    html! {
        <div class="inside-picture" data-testid="stream">
            <p class="soft small">
                { t.say(InsideStreamIds { first: &id(now.first_id()), last: &id(now.last_id()), added: now.entries_added() }) }
            </p>
            <ol class="stream-nodes">
                { head }
                if hidden > 0 { <li class="node-gap">{ t.inside_more(hidden as u64) }</li> }
                { tail }
            </ol>
            if groups.is_empty() { <p class="soft small">{ t.inside_no_groups() }</p> }
            <ul class="stream-groups">{ groups }</ul>
            if more_groups > 0 { <p class="soft small">{ t.river_groups_more(more_groups as u64) }</p> }
        </div>
    }
}

fn node_box(t: Lang, before: Option<&Stream>, node: &Node, is_changed: bool) -> Html {
    let count = node.entries().len();
    let hidden = count.saturating_sub(ENTRY_ENDS * 2);
    let line = |(id, entry): (Id, &Entry)| entry_line(t, id, entry, mark_of_entry(before, id, entry, is_changed));
    let head: Vec<Html> = node.entries().take(ENTRY_ENDS).map(line).collect();
    let tail: Vec<Html> = node.entries().skip(ENTRY_ENDS.saturating_add(hidden)).map(line).collect();
    html! {
        <li class="node">
            <p class="node-head">
                { t.say(InsideStreamNode {
                    id: &id(node.id()),
                    live: node.live() as u64,
                    deleted: node.deleted() as u64,
                    bytes: &t.bytes(node.bytes() as u64),
                }) }
            </p>
            <ol class="stream-entries" data-testid="stream-entries">
                { head }
                if hidden > 0 { <li>{ more(t, hidden) }</li> }
                { tail }
            </ol>
        </li>
    }
}

/// What the last step did to an entry: added it, or marked it as deleted.
fn mark_of_entry(before: Option<&Stream>, id: Id, entry: &Entry, is_changed: bool) -> Mark {
    let was_there = before.is_some_and(|before| before.get(id).is_some());
    match (is_changed, entry.is_deleted(), was_there) {
        (true, false, false) => Mark::New,
        (true, true, true) => Mark::Gone,
        _ => Mark::Same,
    }
}

fn entry_line(t: Lang, entry_id: Id, entry: &Entry, mark: Mark) -> Html {
    let pairs: Vec<Html> = entry
        .pairs()
        .map(|(field, value)| html! { <span class="cell cell-pair"><b>{ shown(field) }</b><span>{ shown(value) }</span></span> })
        .collect();
    html! {
        <li class="stream-entry" data-mark={mark.word()} data-deleted={entry.is_deleted().then_some("yes")} title={mark_word(t, mark)}>
            <code class="stream-id">{ id(entry_id) }</code>
            <span class="cells">{ pairs }</span>
            if entry.is_deleted() { <small>{ t.inside_entry_deleted() }</small> }
        </li>
    }
}

fn group_box(t: Lang, before: Option<&Group>, stream: &Stream, name: &[u8], group: &Group, is_changed: bool) -> Html {
    let lag = stream.lag(group).map(|lag| lag.max(0).unsigned_abs());
    let changes: Vec<_> = before
        .filter(|_| is_changed)
        .into_iter()
        .flat_map(|before| group.pending_since(before))
        .take(CHANGES_MAX)
        .collect();
    let holders = changes.iter().flat_map(|change| change.before.into_iter().chain(change.now));
    let moved: BTreeSet<&Bytes> = holders.map(|pending| &pending.consumer).collect();
    let rank = |(name, _): &(&Bytes, &Consumer)| u8::from(!moved.contains(name));
    let (consumers, more_consumers) = few(group.consumers(), CONSUMERS_MAX, rank);
    let each = PENDING_ALL.checked_div(consumers.len()).unwrap_or(PENDING_MAX).clamp(PENDING_MIN, PENDING_MAX);
    let consumers: Vec<Html> = consumers
        .into_iter()
        .map(|(consumer, state)| {
            let ids: Vec<Html> = state
                .pending_ids()
                .take(each)
                .map(|pending| pending_cell(t, before, group, pending, is_changed))
                .collect();
            let hidden = state.pending_len().saturating_sub(each);
            html! {
                <li>
                    <b>{ shown(consumer) }</b>
                    <span class="cells">
                        if ids.is_empty() { <small class="soft">{ t.inside_nothing_pending() }</small> }
                        { ids }
                        { more(t, hidden) }
                    </span>
                </li>
            }
        })
        .collect();
    let acknowledged: Vec<Html> = changes
        .iter()
        .filter(|change| change.now.is_none())
        .take(PENDING_MAX)
        .map(|change| html! { <span class="cell" data-mark="gone"><i aria-label={t.inside_removed()}>{ "−" }</i><s>{ id(*change.key) }</s></span> })
        .collect();
    html! {
        <li class="stream-group">
            <p class="node-head">
                <b>{ shown(name) }</b>{ " · " }{ t.inside_group_at(&id(group.last_id())) }{ " · " }
                { lag.map_or_else(|| t.inside_lag_unknown().to_owned(), |lag| t.inside_lag(lag)) }
            </p>
            <ul class="stream-consumers" data-testid="consumers">
                { consumers }
                if more_consumers > 0 { <li class="soft small">{ t.inside_more(more_consumers as u64) }</li> }
            </ul>
            if !acknowledged.is_empty() { <div class="cells inside-gone" data-testid="acknowledged">{ acknowledged }</div> }
        </li>
    }
}

/// A pending entry: its id and its delivery count.
fn pending_cell(t: Lang, before: Option<&Group>, group: &Group, pending: Id, is_changed: bool) -> Html {
    let now = group.pending_entry(pending);
    let was = before.and_then(|before| before.pending_entry(pending));
    let mark = match (is_changed, was) {
        (true, None) => Mark::New,
        (true, Some(_)) if was != now => Mark::Changed,
        _ => Mark::Same,
    };
    let deliveries = now.map_or(0, |now| now.deliveries);
    html! {
        <span class="cell" data-mark={mark.word()} title={t.inside_deliveries(deliveries)}>
            <span>{ id(pending) }</span>
            <small>{ t.inside_times(deliveries) }</small>
        </span>
    }
}

/// `1700000000000-0`
fn id(id: Id) -> String {
    String::from_utf8_lossy(&id.text()).into_owned()
}
