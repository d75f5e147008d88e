//! A string as bits: each byte with its eight bits, the bits that the last step changed or its command named, and the fields of a
//! `BITFIELD`. A long string is shown as one window, below an overview of the whole string.
use redis_model::value::bits;
use redis_model::value::string::Str;
use yew::prelude::*;

use super::cell::{digit, px};
use super::choose::Chooser;
use super::rows::rows;
use crate::i18n::Lang;
use crate::i18n::messages::{InsideBitChanged, InsideBits, InsideBitsNamed, InsideBitsShown, InsideBitsWindow};
use crate::state::inside::Look;
use crate::state::inside::bits::{COLUMNS, Field, Survey, fields};
use crate::state::inside::rows::named;
use crate::ui::{Button, ButtonLook, Picture, html};

/// Up to this many bytes each bit is drawn large with its number: a bitmap of a month has four bytes.
const LARGE_BYTES_MAX: usize = 8;
/// Maximum number of bits that screen readers read out one by one.
const LISTED_MAX: usize = 40;

/// The picture of a string as bits.
#[inline(never)]
pub fn picture(t: Lang, look: &Look, before: Option<&Str>, now: &Str, choose: &Chooser) -> Html {
    let before = before.filter(|_| look.is_changed());
    let survey = Survey::of(before, now);
    let window = survey.window(choose.now.window);
    let shown = survey.bytes_of(window);
    let (first, end) = (shown.start as u64 * 8, shown.end as u64 * 8);
    let (view, was) = (now.view(), before.map(Str::view));
    let bit = |i: u64| bits::get(&view, i);
    let changed = |i: u64| was.as_ref().is_some_and(|was| bits::get(was, i) != bit(i));
    let is_large = survey.len <= LARGE_BYTES_MAX;
    let fields = fields(&look.words, now);
    let named = named(look, now);
    let field_of = |i: u64| fields.iter().position(|field| field.bits.contains(&i));
    let byte = |at: usize| {
        let start = at as u64 * 8;
        let cell = |i: u64| {
            let field = field_of(i).map(|nth| if nth.is_multiple_of(2) { "even" } else { "odd" });
            html! {
                <span class="bit" data-one={bit(i).then_some("")} data-mark={changed(i).then_some("changed")}
                    data-ring={named.contains(&i).then_some("")} data-field={field} title={i.to_string()}>
                    { digit(bit(i)) }
                    if is_large { <small>{ i.to_string() }</small> }
                </span>
            }
        };
        html! {
            <div class="bits-byte">
                <small>{ start.to_string() }</small>
                <small>{ format!("{:02x}", view.byte(at)) }</small>
                { for (start..start.saturating_add(8)).map(cell) }
            </div>
        }
    };
    let first_one = || bits::find(&view, true, first, end.saturating_sub(1)).filter(|_| end > first);
    let home = survey.changed.or(named.first().copied()).or_else(first_one).unwrap_or(first);
    let ones: Vec<String> = (first..end).filter(|i| bit(*i)).take(LISTED_MAX).map(|i| i.to_string()).collect();
    html! {
        <div class="inside-picture" data-testid="bits">
            <p>
                <strong>{ t.say(InsideBits { ones: survey.ones, n: survey.bits() }) }</strong>
                if let Some(first) = survey.changed {
                    { " " }<span class="inside-step">
                        { t.say(InsideBitChanged { n: first, was: digit(!bit(first)), now: digit(bit(first)) }) }
                    </span>
                }
            </p>
            if !named.is_empty() { <p class="inside-named" data-testid="named-bits">{ named_line(t, &named, &bit) }</p> }
            { overview(t, &survey, window, now, choose) }
            <div class={if is_large { "bits bits-large" } else { "bits" }} role="img" data-testid="bit-cells"
                aria-label={t.say(InsideBitsShown {
                    first: &first.to_string(),
                    last: &end.saturating_sub(1).max(first).to_string(),
                    ones: &ones.join(" "),
                })}>
                { for shown.map(byte) }
            </div>
            <p class="soft small">{ t.inside_bits_order() }</p>
            { rows(t, look, now, home, &|i| (changed(i), named.contains(&i)), choose) }
            if !fields.is_empty() { <ul class="cells inside-list" data-testid="bit-fields">{ for fields.iter().map(field_cell) }</ul> }
        </div>
    }
}

/// The bits that the last command named, with their values now.
fn named_line(t: Lang, named: &[u64], bit: &dyn Fn(u64) -> bool) -> String {
    let words: Vec<String> = named.iter().map(|i| format!("{i} = {}", digit(bit(*i)))).collect();
    let ones = named.iter().filter(|i| bit(**i)).count() as u64;
    t.say(InsideBitsNamed { bits: &words.join(" · "), n: named.len() as u64, ones })
}

/// `u8 · 0–7 = 5`
fn field_cell(field: &Field) -> Html {
    let last = field.bits.end.saturating_sub(1);
    html! { <li class="cell"><b>{ &field.name }</b><small>{ format!("{}–{last}", field.bits.start) }</small>{ "= " }{ field.value.to_string() }</li> }
}

/// Overview of a long string in columns, with the position of the window.
fn overview(t: Lang, survey: &Survey, window: u64, now: &Str, choose: &Chooser) -> Html {
    let last = survey.windows().saturating_sub(1);
    if last == 0 {
        return Html::default();
    }
    /// Height of the drawing, equal to that of its `viewBox`.
    const HIGH: f64 = 24.0;
    let most = survey.columns.iter().max().copied().unwrap_or(0).max(1);
    let bar = |(i, ones): (usize, &u64)| {
        // A single 1 among millions has to stay visible.
        let high = if *ones == 0 { 0.0 } else { 2.0 + *ones as f64 / most as f64 * (HIGH - 2.0) };
        format!("M{i}.5 24v-{}", px(high))
    };
    let bars: String = survey.columns.iter().enumerate().filter(|(_, ones)| **ones > 0).map(bar).collect();
    let share = survey.bits().div_ceil(COLUMNS as u64);
    let at = window as f64 / last as f64 * (COLUMNS as f64 - 1.0);
    let bytes = survey.bytes_of(window);
    let place = t.say(InsideBitsWindow {
        first: &t.number(bytes.start as u64 * 8),
        last: &t.number((bytes.end as u64 * 8).saturating_sub(1)),
    });
    let next_one = survey.next_one(now, window);
    let button = |picture: Picture, label: &'static str, to: Option<u64>| {
        let click = choose.window(to.unwrap_or(window), survey.home);
        Button::icon(picture, label).look(ButtonLook::Quiet).disabled(to.is_none_or(|to| to == window)).on(click)
    };
    html! {
        <div class="bits-overview">
            <svg viewBox="0 0 128 24" preserveAspectRatio="none" role="img" aria-label={t.inside_bits_columns(share)}>
                <rect x={px(at)} y="0" width="1" height="24" />
                <path d={bars} />
            </svg>
            <input type="range" min="0" max={last.to_string()} value={window.to_string()} oninput={choose.slide(survey.home)}
                aria-label={t.inside_bits_move()} aria-valuetext={place.clone()} data-testid="bits-window" />
            <p class="bits-controls">
                { button(Picture::Previous, t.inside_window_before(), window.checked_sub(1)) }
                <span class="tabular small">{ &place }</span>
                { button(Picture::Next, t.inside_window_after(), Some(window.saturating_add(1).min(last))) }
                { Button::words(t.inside_next_one()).disabled(next_one.is_none()).on(choose.window(next_one.unwrap_or(window), survey.home)) }
            </p>
        </div>
    }
}
