//! Hashes and sets: a listpack or an intset while small, then a hash table with its buckets.
use bytes::Bytes;
use redis_model::value::hash::Hash;
use redis_model::value::set::Set;
use redis_model::value::table::Table;
use yew::prelude::*;

use super::card;
use super::cell::{cell, more, pair};
use super::choose::Chooser;
use super::pack;
use crate::i18n::Lang;
use crate::i18n::messages::InsideBuckets;
use crate::state::inside::card::Card;
use crate::state::inside::{DRAWN_MAX, Look, Mark};
use crate::ui::html;

/// Maximum number of buckets that are shown.
const BUCKETS_MAX: usize = 128;
/// Maximum number of removed elements that are shown, and of elements that a value may have to be searched for them.
const GONE_MAX: usize = 20;
const COMPARED_MAX: usize = 5_000;

/// The picture of a hash, and beside it the card of the record that it describes, if its fields fit on one. `why` is the reason for its
/// encoding.
pub fn hash(t: Lang, look: &Look, before: Option<&Hash>, now: &Hash, choose: &Chooser, why: Html) -> Html {
    let is_changed = look.is_changed();
    let card = Card::of(before, now, is_changed);
    let is_picked = |field: &Bytes| card.is_some() && choose.now.member.as_ref() == Some(field);
    let draw = |field: &Bytes, value: &Bytes| {
        let was = before.and_then(|before| before.get(field));
        let mark = Mark::of(is_changed, was, value);
        let was = was.filter(|_| mark == Mark::Changed);
        pair(t, field, value, was.map(AsRef::as_ref), mark, is_picked(field))
    };
    let gone: Vec<Html> = before
        .filter(|before| is_changed && before.len() <= COMPARED_MAX)
        .map(|before| {
            let gone = before.iter().filter(|(field, _)| !now.contains(field)).take(GONE_MAX);
            gone.map(|(field, value)| pair(t, field, value, None, Mark::Gone, is_picked(field))).collect()
        })
        .unwrap_or_default();
    let body = match now.as_table() {
        Some(table) => buckets(t, table, draw),
        None => {
            let cells: Vec<Html> = now.iter().take(DRAWN_MAX).map(|(field, value)| draw(field, value)).collect();
            pack::listpack(t, now.listpack_bytes().unwrap_or(0), now.len(), cells)
        }
    };
    html! {
        <div class="record" data-card={card.is_some().then_some("")}>
            if let Some(card) = &card { { card::picture(t, &look.key.key, card, choose) } }
            <div>{ why }{ framed(gone, body) }</div>
        </div>
    }
}

/// The picture of a set.
pub fn set(t: Lang, before: Option<&Set>, now: &Set, is_changed: bool) -> Html {
    let mark = |member: &[u8]| {
        if is_changed && before.is_none_or(|before| !before.contains(member)) { Mark::New } else { Mark::Same }
    };
    let gone: Vec<Html> = before
        .filter(|before| is_changed && before.len() <= COMPARED_MAX)
        .map(|before| {
            let gone = before.iter().filter(|member| !now.contains(member)).take(GONE_MAX);
            gone.map(|member| cell(t, &member, None, Mark::Gone)).collect()
        })
        .unwrap_or_default();
    let body = match (now.as_intset(), now.as_table()) {
        (Some(intset), _) => pack::intset(t, intset, |member| mark(member.to_string().as_bytes())),
        (None, Some(table)) => buckets(t, table, |member, ()| cell(t, member, None, mark(member))),
        (None, None) => Html::default(),
    };
    framed(gone, body)
}

fn framed(gone: Vec<Html>, body: Html) -> Html {
    html! {
        <div class="inside-picture">
            if !gone.is_empty() { <div class="cells inside-gone">{ gone }</div> }
            { body }
        </div>
    }
}

/// The buckets of a hash table in order, each with its chain of elements.
fn buckets<V: Clone>(t: Lang, table: &Table<V>, draw: impl Fn(&Bytes, &V) -> Html) -> Html {
    let count = table.bucket_count();
    let mut drawn = 0usize;
    let rows: Vec<Html> = (0..count)
        .take(BUCKETS_MAX)
        .map(|i| {
            let room = DRAWN_MAX.saturating_sub(drawn);
            let chain: Vec<Html> = table.bucket(i).take(room).map(|(key, value)| draw(key, value)).collect();
            drawn = drawn.saturating_add(chain.len());
            html! {
                <li class="bucket" data-empty={chain.is_empty().then_some("")}>
                    <span class="bucket-number">{ i.to_string() }</span>
                    <span class="cells">{ chain }</span>
                </li>
            }
        })
        .collect();
    let hidden = table.len().saturating_sub(drawn);
    html! {
        <>
            <p class="node-head">{ t.say(InsideBuckets { buckets: count, n: table.len() as u64 }) }</p>
            <ol class="buckets">{ rows }</ol>
            { more(t, hidden) }
        </>
    }
}
