//! A sorted set: its leaderboard, its members along an axis of scores, and its listpack or the levels of its skip list.
use bytes::Bytes;
use redis_model::value::number::format_double;
use redis_model::value::zset::{ZSet, level};
use yew::prelude::*;

use super::board;
use super::cell::{mark_word, pair, px, short, shown};
use super::pack;
use crate::i18n::Lang;
use crate::i18n::messages::{InsideAxis, InsideSkiplist};
use crate::state::inside::board::Board;
use crate::state::inside::{DRAWN_MAX, Look, Mark};
use crate::ui::html;

/// Maximum number of members on the axis.
const AXIS_MAX: usize = 200;
/// Maximum number of members with a name on the axis.
const NAMED_MAX: usize = 14;
/// Maximum number of towers of the skip list that are drawn.
const TOWERS_MAX: usize = 24;
/// Maximum number of removed members that are shown, and of members that are searched for them.
const GONE_MAX: usize = 20;
const COMPARED_MAX: usize = 5_000;

/// The picture of a sorted set. `why` is the reason for its encoding.
#[inline(never)]
pub fn picture(t: Lang, look: &Look, before: Option<&ZSet>, now: &ZSet, why: Html) -> Html {
    let is_changed = look.is_changed();
    let mark = |member: &Bytes, score: f64| {
        let was = before.and_then(|before| before.score(member));
        Mark::of(is_changed, was.as_ref(), &score)
    };
    let gone: Vec<Html> = before
        .filter(|before| is_changed && before.len() <= COMPARED_MAX)
        .map(|before| {
            let gone = before.iter().filter(|(member, _)| !now.contains(member)).take(GONE_MAX);
            gone.map(|(member, score)| pair(t, member, format_double(score).as_bytes(), None, Mark::Gone, false))
                .collect()
        })
        .unwrap_or_default();
    let draw = |(member, score): (&Bytes, f64)| {
        let mark = mark(member, score);
        let was = before.and_then(|before| before.score(member)).filter(|_| mark == Mark::Changed).map(format_double);
        pair(t, member, format_double(score).as_bytes(), was.as_ref().map(|was| was.as_bytes()), mark, false)
    };
    let structure = match now.listpack_bytes() {
        Some(bytes) => pack::listpack(t, bytes, now.len(), now.iter().take(DRAWN_MAX).map(draw).collect()),
        None => skiplist(t, now, mark),
    };
    html! {
        <div class="inside-picture">
            if !gone.is_empty() { <div class="cells inside-gone">{ gone }</div> }
            <div class="ranking">
                { board::picture(t, &look.key.key, &Board::of(before, now, is_changed)) }
                <div>
                    { why }
                    <div class="inside-picture">
                        { axis(t, now, mark) }
                        { structure }
                    </div>
                </div>
            </div>
        </div>
    }
}

/// Members on an axis of scores, the smallest on the left.
fn axis(t: Lang, now: &ZSet, mark: impl Fn(&Bytes, f64) -> Mark) -> Html {
    const WIDTH: f64 = 600.0;
    const EDGE: f64 = 24.0;
    // Half of the longest name in the largest letters: a name that is nearer to an end begins or ends there.
    const NAME: f64 = 60.0;
    let members: Vec<(&Bytes, f64)> = now.iter().take(AXIS_MAX).filter(|(_, score)| score.is_finite()).collect();
    let (Some(first), Some(last)) = (members.first(), members.last()) else { return Html::default() };
    let (least, most) = (first.1, last.1);
    let span = most - least;
    let x = |score: f64| if span > 0.0 { EDGE + (score - least) / span * (WIDTH - 2.0 * EDGE) } else { WIDTH / 2.0 };
    let is_named = members.len() <= NAMED_MAX;
    let dots = members.iter().enumerate().map(|(i, (member, score))| {
        let mark = mark(member, *score);
        // Names of neighbours alternate between two lines.
        let y = if i % 2 == 0 { 10.0 } else { 33.0 };
        let title = format!("{} {}", shown(member), format_double(*score));
        let end = match x(*score) {
            at if at < NAME => Some("first"),
            at if at > WIDTH - NAME => Some("last"),
            _ => None,
        };
        html! {
            <g data-mark={mark.word()}>
                <title>{ title }</title>
                <line x1={px(x(*score))} x2={px(x(*score))} y1={px(if is_named { y + 5.0 } else { 44.0 })} y2="58" />
                <circle cx={px(x(*score))} cy="58" r={if mark == Mark::Same { "4" } else { "6" }} />
                if is_named { <text data-end={end} x={px(x(*score))} y={px(y)}>{ short(member) }</text> }
            </g>
        }
    });
    let dots: Vec<Html> = dots.collect();
    let label = t.say(InsideAxis { least: &format_double(least), most: &format_double(most) });
    html! {
        <svg class="axis" viewBox="0 -8 600 96" role="img" aria-label={label}>
            <line class="axis-line" x1="8" x2="592" y1="58" y2="58" />
            { dots }
            if span > 0.0 {
                <text class="axis-end" data-end="first" x="0" y="82">{ format_double(least) }</text>
                <text class="axis-end" data-end="last" x="600" y="82">{ format_double(most) }</text>
            } else {
                <text class="axis-end" x="300" y="82">{ format_double(least) }</text>
            }
        </svg>
    }
}

/// The first towers of the skip list: each member is on level 1, and about a quarter of each level is also on the next.
fn skiplist(t: Lang, now: &ZSet, mark: impl Fn(&Bytes, f64) -> Mark) -> Html {
    const STEP: f64 = 74.0;
    const ROW: f64 = 24.0;
    let towers: Vec<(&Bytes, f64, usize)> =
        now.iter().take(TOWERS_MAX).map(|(member, score)| (member, score, level(member))).collect();
    let height = towers.iter().map(|tower| tower.2).max().unwrap_or(1);
    let top = |level: usize| (height.saturating_sub(level)) as f64 * ROW + 4.0;
    let base = height as f64 * ROW + 4.0;
    let width = (towers.len() as f64 + 1.0) * STEP;
    let left = |i: usize| (i as f64 + 1.0) * STEP;
    let levels = (1..=height).map(|level| {
        // Arrows from the head and from each tower of this level to the next tower.
        let mut from = 0.0 + 40.0;
        let arrows: Vec<Html> = towers
            .iter()
            .enumerate()
            .filter(|(_, tower)| tower.2 >= level)
            .map(|(i, _)| {
                let to = left(i);
                let arrow = html! { <line class="skip-arrow" x1={px(from)} x2={px(to)} y1={px(top(level) + ROW / 2.0)} y2={px(top(level) + ROW / 2.0)} /> };
                from = to + 52.0;
                arrow
            })
            .collect();
        html! { <>{ arrows }</> }
    });
    let levels: Vec<Html> = levels.collect();
    let label = t.say(InsideSkiplist { height: height as u64, n: now.len() as u64 });
    html! {
        <>
            <p class="node-head">{ &label }</p>
            <div class="skiplist-scroll">
                <svg class="skiplist" viewBox={format!("0 0 {} {}", px(width), px(base + 44.0))} style={format!("width: {}rem", px(width / 16.0))} role="img" aria-label={label.clone()}>
                    { levels }
                    <rect class="skip-head" x="4" y={px(top(height))} width="36" height={px(base - top(height))} rx="4" />
                    { for towers.iter().enumerate().map(|(i, (member, score, levels))| {
                        let mark = mark(member, *score);
                        html! {
                            <g data-mark={mark.word()}>
                                <title>{ format!("{} {} {}", shown(member), format_double(*score), mark_word(t, mark).unwrap_or_default()) }</title>
                                <rect class="skip-tower" x={px(left(i))} y={px(top(*levels))} width="52" height={px(base - top(*levels))} rx="4" />
                                <text x={px(left(i) + 26.0)} y={px(base + 16.0)}>{ short(member) }</text>
                                <text class="soft" x={px(left(i) + 26.0)} y={px(base + 34.0)}>{ format_double(*score) }</text>
                            </g>
                        }
                    }) }
                </svg>
            </div>
            if now.len() > TOWERS_MAX { <p class="soft small">{ t.inside_more(now.len().saturating_sub(TOWERS_MAX) as u64) }</p> }
            if let Some(buckets) = now.buckets() { <p class="soft small">{ t.inside_zset_table(buckets) }</p> }
        </>
    }
}
