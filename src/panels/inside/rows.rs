//! Bitmaps below each other, equal bits in one column: a row per day, or the sources of a `BITOP` and its result.
use redis_model::value::string::Str;
use yew::prelude::*;

use super::cell::{digit, shown};
use super::choose::Chooser;
use crate::i18n::Lang;
use crate::i18n::messages::{InsideBitsWindow, InsideRow};
use crate::state::inside::rows::{ROW_BITS, Row, Rows};
use crate::state::inside::{Choice, Look};
use crate::ui::{Button, ButtonLook, Picture, html};

/// The rows below the picture of a bitmap; `home` is the bit with which they begin, and `mark` says what the last step did to a bit of the
/// key.
#[inline(never)]
pub fn rows(t: Lang, look: &Look, now: &Str, home: u64, mark: &dyn Fn(u64) -> (bool, bool), choose: &Chooser) -> Html {
    let Some(found) = Rows::of(look, now) else { return Html::default() };
    let home = home / ROW_BITS;
    let block = found.block(choose.now.block, home);
    let first = block.saturating_mul(ROW_BITS);
    let end = first.saturating_add(ROW_BITS).min(found.bits().max(first.saturating_add(8)));
    let last = found.blocks().saturating_sub(1);
    let place = t.say(InsideBitsWindow { first: &t.number(first), last: &t.number(end.saturating_sub(1)) });
    let button = |picture: Picture, label: &'static str, to: u64| {
        let click = choose.click(Choice { block: Some((to, home)), ..choose.now.clone() });
        Button::icon(picture, label).look(ButtonLook::Quiet).disabled(to == block).on(click)
    };
    let bytes = || (first..end).step_by(8);
    html! {
        <div class="bit-rows" data-testid="bit-rows">
            <p class="node-head">
                { match &found.operation { Some(operation) => t.inside_rows_operation(operation), None => t.inside_rows().to_owned() } }
            </p>
            if last > 0 {
                <p class="bits-controls">
                    { button(Picture::Previous, t.inside_rows_before(), block.saturating_sub(1)) }
                    <span class="tabular small">{ place }</span>
                    { button(Picture::Next, t.inside_rows_after(), block.saturating_add(1).min(last)) }
                </p>
            }
            <div class="bit-row" aria-hidden="true">
                <span></span>
                <span class="bit-groups">{ for bytes().map(|byte| html! { <small>{ byte.to_string() }</small> }) }</span>
            </div>
            <ul>{ for found.rows.iter().map(|row| drawn(t, row, found.operation.as_deref(), first..end, mark)) }</ul>
            if found.hidden > 0 { <p class="soft small">{ t.inside_more(found.hidden as u64) }</p> }
        </div>
    }
}

/// A row: its name, its bits and how many of all its bits are 1.
fn drawn(
    t: Lang,
    row: &Row,
    operation: Option<&str>,
    shown_bits: std::ops::Range<u64>,
    mark: &dyn Fn(u64) -> (bool, bool),
) -> Html {
    let cell = |i: u64| {
        let (is_changed, is_named) = if row.is_key { mark(i) } else { (false, false) };
        let bit = row.bit(i);
        html! {
            <i class="bit" data-one={(bit == Some(true)).then_some("")} data-beyond={bit.is_none().then_some("")}
                data-mark={is_changed.then_some("changed")} data-ring={is_named.then_some("")}>
                { bit.map_or("·", digit) }
            </i>
        }
    };
    let bytes = shown_bits.clone().step_by(8).map(|byte| {
        html! { <span>{ for (byte..byte.saturating_add(8).min(shown_bits.end)).map(cell) }</span> }
    });
    let ones: Vec<String> = shown_bits.clone().filter(|i| row.bit(*i) == Some(true)).map(|i| i.to_string()).collect();
    let name = shown(&row.name);
    let label = t.say(InsideRow {
        name: &name,
        first: &shown_bits.start.to_string(),
        last: &shown_bits.end.saturating_sub(1).to_string(),
        ones: &ones.join(" "),
    });
    let sign = operation.filter(|_| row.is_result);
    html! {
        <li class="bit-row" data-result={row.is_result.then_some("")} aria-current={row.is_key.then_some("true")}>
            <span class="bit-name">
                if let Some(sign) = sign { <b>{ sign }{ " → " }</b> }
                <code>{ name }</code>
                <small class="soft">{ t.inside_row_ones(row.ones()) }</small>
            </span>
            <span class="bit-groups" role="img" aria-label={label}>{ for bytes }</span>
        </li>
    }
}
