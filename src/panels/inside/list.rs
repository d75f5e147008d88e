//! A list: the nodes of its quicklist from head to tail, each a listpack with its elements.
use redis_model::value::list::List;
use yew::prelude::*;

use super::cell::{cell, more};
use crate::i18n::Lang;
use crate::i18n::messages::InsideNode;
use crate::state::inside::{DRAWN_MAX, Mark, list_changes};
use crate::ui::html;

/// Elements of one node that are shown at each end.
const NODE_ENDS: usize = 12;
/// Nodes that are shown at each end of the list.
const LIST_ENDS: usize = 6;

/// The picture of a list.
pub fn picture(t: Lang, before: Option<&List>, now: &List, is_changed: bool) -> Html {
    let (new, was) = if is_changed { list_changes(before, now) } else { (0..0, 0..0) };
    let gone: Vec<Html> = before
        .map(|before| before.range(was.clone()).take(20).map(|element| cell(t, &element, None, Mark::Gone)).collect())
        .unwrap_or_default();
    let nodes: Vec<_> = now.nodes().collect();
    let mut start = 0usize;
    let mut drawn = 0usize;
    let boxes = nodes.iter().enumerate().map(|(i, node)| {
        let first = start;
        start = start.saturating_add(node.count);
        let is_end = i < LIST_ENDS || i.saturating_add(LIST_ENDS) >= nodes.len();
        if !is_end {
            return if i == LIST_ENDS {
                html! { <li class="node-gap">{ "…" }</li> }
            } else {
                Html::default()
            };
        }
        let room = DRAWN_MAX.saturating_sub(drawn);
        let whole = node.count <= NODE_ENDS * 2 && node.count <= room;
        let head = if whole { node.count } else { NODE_ENDS.min(node.count) };
        let tail = if whole { 0 } else { NODE_ENDS.min(node.count.saturating_sub(head)) };
        drawn = drawn.saturating_add(head).saturating_add(tail);
        let end = first.saturating_add(node.count);
        let elements = |from: usize, to: usize| -> Vec<Html> {
            let mark = |i: usize| if new.contains(&i) { Mark::New } else { Mark::Same };
            now.range(from..to)
                .enumerate()
                .map(|(i, element)| {
                    cell(t, &element, Some(from.saturating_add(i).to_string()), mark(from.saturating_add(i)))
                })
                .collect()
        };
        let hidden = node.count.saturating_sub(head).saturating_sub(tail);
        html! {
            <li class="node">
                <p class="node-head">{ t.say(InsideNode { n: node.count as u64, bytes: &t.bytes(node.bytes as u64) }) }</p>
                <div class="cells">
                    { elements(first, first.saturating_add(head)) }
                    { more(t, hidden) }
                    { elements(end.saturating_sub(tail), end) }
                </div>
            </li>
        }
    });
    let boxes: Vec<Html> = boxes.collect();
    html! {
        <div class="inside-picture">
            if !gone.is_empty() { <div class="cells inside-gone">{ gone }</div> }
            <p class="soft small">{ t.inside_head() }</p>
            <ol class="nodes">{ boxes }</ol>
            <p class="soft small">{ t.inside_tail() }</p>
        </div>
    }
}
