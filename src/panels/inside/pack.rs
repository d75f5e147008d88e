//! Small collections in one block of memory: listpack and intset.
use redis_model::value::intset::IntSet;
use yew::prelude::*;

use super::cell::more;
use crate::i18n::Lang;
use crate::i18n::messages::InsideIntset;
use crate::state::inside::{DRAWN_MAX, Mark};
use crate::ui::html;

use super::cell::cell;

/// A strip of cells between header and terminator: the memory layout of a listpack.
pub fn listpack(t: Lang, bytes: usize, count: usize, cells: Vec<Html>) -> Html {
    let hidden = count.saturating_sub(cells.len());
    html! {
        <div class="node">
            <p class="node-head">{ t.inside_pack(&t.bytes(bytes as u64)) }</p>
            <div class="cells">
                <span class="block">{ t.inside_pack_header() }<small>{ "6 B" }</small></span>
                { cells }
                { more(t, hidden) }
                <span class="block">{ "0xff" }</span>
            </div>
        </div>
    }
}

/// A set of integers: sorted, all of the same width.
pub fn intset(t: Lang, now: &IntSet, mark: impl Fn(i64) -> Mark) -> Html {
    let width = now.width().bytes();
    html! {
        <div class="node">
            <p class="node-head">{ t.say(InsideIntset { width: &(width * 8).to_string(), bytes: &t.bytes(now.bytes() as u64) }) }</p>
            <div class="cells">
                { for now.iter().take(DRAWN_MAX).map(|member| cell(t, member.to_string().as_bytes(), None, mark(member))) }
                { more(t, now.len().saturating_sub(DRAWN_MAX)) }
            </div>
        </div>
    }
}
