//! Two or three sets as circles with their members in the regions, and a table that says the same in words, with exact counts and the
//! command that replies each region.
use bytes::Bytes;
use redis_model::value::Value;
use redis_model::value::set::Set;
use resp::split::quote_command;
use yew::prelude::*;

use super::cell::{more, px, short, shown};
use super::choose::Chooser;
use crate::i18n::Lang;
use crate::i18n::messages::{InsideVennCount, InsideVennPicture, InsideVennWithout};
use crate::state::inside::venn::{
    Circles, LINE, Region, SETS_MAX, Spot, WIDTH, circles, command_of, is_algebra, regions, selected,
};
use crate::state::inside::{Choice, Look};
use crate::ui::{choice, html};

/// Maximum number of members in a row of the table.
const LISTED_MAX: usize = 40;
/// Width of a character in the drawing; Chinese characters are wider.
const NARROW: f64 = 10.3;
const WIDE: f64 = 17.5;

/// The picture of a set among others.
#[inline(never)]
pub fn picture(t: Lang, look: &Look, before: Option<&Set>, now: &Set, choose: &Chooser) -> Html {
    let offered: Vec<(&Bytes, &Set)> = look
        .beside
        .iter()
        .filter_map(|(name, value)| if let Value::Set(set) = value { Some((name, &**set)) } else { None })
        .collect();
    let chosen = chosen(look, &offered, &choose.now);
    let sets: Vec<&Set> = [now].into_iter().chain(chosen.iter().map(|(_, set)| *set)).collect();
    let names: Vec<Bytes> =
        [look.key.key.clone()].into_iter().chain(chosen.iter().map(|(name, _)| (*name).clone())).collect();
    let is_new = |member: &[u8]| {
        look.is_changed() && now.contains(member) && before.is_none_or(|before| !before.contains(member))
    };
    let total: usize = sets.iter().map(|set| set.len()).fold(0, usize::saturating_add);
    html! {
        <div class="inside-picture" data-testid="venn">
            { selects(t, &offered, &names, choose) }
            {
                match regions(&sets) {
                    None => html! { <p class="inside-step">{ t.inside_venn_large(total as u64) }</p> },
                    Some(regions) => {
                        let found = selected(&look.words, &names, &regions);
                        let is_found = |region: &Region| found.iter().flatten().any(|found| found.sets == region.sets);
                        let count = found.iter().flatten().map(|region| region.count).sum::<usize>();
                        html! {
                            <>
                                if found.is_some() {
                                    <p class="inside-step"><code>{ quote_command(&look.words) }</code>{ " → " }{ t.inside_venn_members(count as u64) }</p>
                                }
                                { drawing(t, &names, &sets, &regions, &is_new, &is_found) }
                                { table(t, &names, &regions, &is_new, &is_found) }
                            </>
                        }
                    }
                }
            }
        </div>
    }
}

/// The sets beside the key: those that the reader chose, or that the last command names, or the next one.
fn chosen<'a>(look: &Look, offered: &[(&'a Bytes, &'a Set)], choice: &Choice) -> Vec<(&'a Bytes, &'a Set)> {
    let others = SETS_MAX.saturating_sub(1);
    if let Some(names) = &choice.sets {
        let found = names.iter().filter_map(|name| offered.iter().find(|(other, _)| *other == name).copied());
        let found: Vec<_> = found.take(others).collect();
        if !found.is_empty() {
            return found;
        }
    }
    let named = if is_algebra(&look.words) {
        offered.iter().take_while(|(name, _)| look.words.iter().skip(1).any(|word| word == *name)).count()
    } else {
        0
    };
    offered.iter().take(named.clamp(1, others)).copied().collect()
}

/// The lists of the sets that can be compared with the key's.
fn selects(t: Lang, offered: &[(&Bytes, &Set)], names: &[Bytes], choose: &Chooser) -> Html {
    let (second, third) = (names.get(1).cloned(), names.get(2).cloned());
    let all = || offered.iter().map(|(name, _)| Some((*name).clone()));
    let word = |name: &Option<Bytes>| match name {
        Some(name) => shown(name),
        None => t.inside_venn_none().to_owned(),
    };
    let first: Vec<Option<Bytes>> = all().collect();
    let also: Vec<Option<Bytes>> = [None].into_iter().chain(all().filter(|name| *name != second)).collect();
    let (set_first, set_also) = (choose.sets(), choose.sets());
    let (kept_first, kept_also) = (second.clone(), third.clone());
    let pick_first = move |name: Option<Bytes>| {
        let third = kept_also.clone().filter(|third| Some(third) != name.as_ref());
        set_first(name.into_iter().chain(third).collect());
    };
    let pick_also = move |name: Option<Bytes>| set_also(kept_first.clone().into_iter().chain(name).collect());
    html! {
        <div class="venn-choice" role="group" aria-label={t.inside_venn_choose()}>
            <span class="soft small">{ t.inside_venn_with() }</span>
            { choice(Some(t.inside_venn_with()), "venn-with", &first, &second, word, pick_first) }
            if also.len() > 1 {
                <span class="soft small">{ t.inside_venn_and() }</span>
                { choice(Some(t.inside_venn_and()), "venn-and", &also, &third, word, pick_also) }
            }
        </div>
    }
}

/// The width of a text in the drawing.
fn wide(text: &str) -> f64 {
    text.chars().map(|c| if c.is_ascii() { NARROW } else { WIDE }).sum()
}

/// The circles; the numbers of members that do not fit stand in bold.
fn drawing(
    t: Lang,
    names: &[Bytes],
    sets: &[&Set],
    regions: &[Region],
    is_new: &dyn Fn(&[u8]) -> bool,
    is_found: &dyn Fn(&Region) -> bool,
) -> Html {
    let circles = circles(names.len());
    let words: Vec<String> = names.iter().map(|name| shown(name)).collect();
    let circle = |(nth, (x, y)): (usize, &(f64, f64))| {
        html! { <circle data-set={nth.to_string()} cx={px(*x)} cy={px(*y)} r={px(circles.radius)} /> }
    };
    let label = |((name, set), (x, y)): ((&String, &&Set), &(f64, f64))| {
        let text = t.say(InsideVennCount { name: &clipped(name), n: set.len() as u64 });
        html! { <text class="venn-name" x={px(*x)} y={px(*y)} text-anchor="middle">{ text }</text> }
    };
    html! {
        <svg class="venn" viewBox={format!("0 0 {} {}", px(WIDTH), px(circles.height))} role="img" data-testid="venn-circles"
            aria-label={t.say(InsideVennPicture { names: &words.join(", "), n: names.len() as u64 })}>
            { for circles.middles.iter().enumerate().map(circle) }
            { for words.iter().zip(sets).zip(circles.labels).map(label) }
            { for regions.iter().map(|region| drawn(t, &circles, region, is_new, is_found(region))) }
        </svg>
    }
}

/// The members of a region, or their number and as many of them as fit.
fn drawn(t: Lang, circles: &Circles, region: &Region, is_new: &dyn Fn(&[u8]) -> bool, is_found: bool) -> Html {
    let mut words: Vec<String> = region.members.iter().map(|member| short(member)).collect();
    if region.count > region.members.len() {
        // The members that are not kept cannot fit either.
        words.push("x".repeat(LISTED_MAX));
    }
    let widths: Vec<f64> = words.iter().map(|word| wide(word)).collect();
    let number = t.number(region.count as u64);
    let (at, spots) = circles.spots(region.sets, &widths, wide(&number));
    let found = is_found.then_some("");
    let word = |spot: &Spot| {
        let (Some(text), Some(member)) = (words.get(spot.word), region.members.get(spot.word)) else {
            return Html::default();
        };
        let width = wide(text) + 6.0;
        html! {
            <>
                if is_new(member) {
                    <rect class="venn-new" x={px(spot.x - width / 2.0)} y={px(spot.y - LINE / 2.0 + 1.0)} width={px(width)} height={px(LINE - 2.0)} rx="4" />
                }
                <text data-found={found} x={px(spot.x)} y={px(spot.y + 6.0)} text-anchor="middle">{ text }</text>
            </>
        }
    };
    html! {
        <g data-testid={format!("region-{}", region.sets)}>
            if let Some((x, y)) = at {
                <text class="venn-number" data-found={found} x={px(x)} y={px(y + 6.0)} text-anchor="middle">{ number }</text>
            }
            { for spots.iter().map(word) }
        </g>
    }
}

/// A name of a set that fits above its circle.
fn clipped(name: &str) -> String {
    match name.char_indices().nth(14) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
        None => name.to_owned(),
    }
}

/// A row per region: where, how many, which, and the command that replies it.
fn table(
    t: Lang,
    names: &[Bytes],
    regions: &[Region],
    is_new: &dyn Fn(&[u8]) -> bool,
    is_found: &dyn Fn(&Region) -> bool,
) -> Html {
    let row = |region: &Region| {
        let members = region.members.iter().take(LISTED_MAX).map(|member| {
            let mark = is_new(member).then_some("new");
            html! { <span class="cell" data-mark={mark} title={mark.map(|_| t.inside_new())}>{ shown(member) }</span> }
        });
        let command = command_of(region.sets, names);
        html! {
            <tr data-testid={format!("row-{}", region.sets)} data-found={is_found(region).then_some("")}>
                <th scope="row">
                    if is_found(region) { <b aria-label={t.inside_venn_found()} title={t.inside_venn_found()}>{ "✓ " }</b> }
                    { place(t, region.sets, names) }
                    if let Some(command) = command { <code class="soft small">{ quote_command(&command) }</code> }
                </th>
                <td class="tabular">{ t.number(region.count as u64) }</td>
                <td><span class="cells">{ for members }{ more(t, region.count.saturating_sub(region.members.len().min(LISTED_MAX))) }</span></td>
            </tr>
        }
    };
    let union: Vec<Bytes> = ["SUNION".into()].into_iter().chain(names.iter().cloned()).collect();
    let all = regions.iter().map(|region| region.count).sum::<usize>();
    html! {
        <table class="venn-table" data-testid="venn-table">
            <thead><tr><th scope="col">{ t.inside_venn_where() }</th><th scope="col">{ t.inside_venn_number() }</th><th scope="col">{ t.inside_venn_which() }</th></tr></thead>
            <tbody>
                { for regions.iter().map(row) }
                <tr>
                    <th scope="row">{ t.inside_venn_any() }<code class="soft small">{ quote_command(&union) }</code></th>
                    <td class="tabular">{ t.number(all as u64) }</td>
                    <td></td>
                </tr>
            </tbody>
        </table>
    }
}

/// A region in words: `only in a`, `in a and b, not in c`, `in all three`.
fn place(t: Lang, sets: u8, names: &[Bytes]) -> String {
    let is_in = |nth: usize| sets & 1 << nth.min(7) != 0;
    let inside: Vec<String> =
        names.iter().enumerate().filter(|(nth, _)| is_in(*nth)).map(|(_, name)| shown(name)).collect();
    let outside = names.iter().enumerate().find(|(nth, _)| !is_in(*nth)).map(|(_, name)| shown(name));
    match (inside.as_slice(), outside) {
        ([only], _) => t.inside_venn_only(only),
        ([first, second], Some(third)) => t.say(InsideVennWithout { first, second, third: &third }),
        ([_, _], None) => t.inside_venn_both().to_owned(),
        _ => t.inside_venn_all().to_owned(),
    }
}
