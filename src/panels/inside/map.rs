//! A sorted set of geohashes as a map: places with their names, the searched area with its results, and for one member the boxes that the
//! bits of its score stand for.
use redis_model::value::geohash::{Form, Point, Shape};
use redis_model::value::number::format_double;
use redis_model::value::zset::ZSet;
use resp::decimal::fixed;
use yew::prelude::*;

use super::cell::{digit, mark_word, more, px, short, shown};
use super::choose::Chooser;
use crate::i18n::Lang;
use crate::i18n::messages::{InsideMapBox, InsideMapCircle, InsideMapScore};
use crate::state::inside::chart::{Chart, HEIGHT, WIDTH, spots};
use crate::state::inside::geo::{GeoMember, Places, bits_of, box_of};
use crate::state::inside::{Choice, Look, Mark};
use crate::ui::html;

/// Maximum number of places with a name on the map.
const NAMED_MAX: usize = 24;
/// Most meridians with a name.
const MERIDIANS_NAMED_MAX: usize = 6;
/// Maximum number of places in the list below the map.
const LISTED_MAX: usize = 60;
/// Minimum height of a drawn box, in units of the drawing: smaller boxes would be hidden by the dot.
const BOX_LEAST: f64 = 10.0;

/// The picture of a sorted set as a map.
#[inline(never)]
pub fn picture(t: Lang, look: &Look, before: Option<&ZSet>, now: &ZSet, choose: &Chooser) -> Html {
    let Places { places, area } = Places::of(look, before.filter(|_| look.is_changed()), now);
    let chart = Chart::of(places.iter().map(|place| place.point), area.as_ref());
    let wanted = choose.now.member.as_ref();
    let picked = places.iter().find(|place| Some(&place.member) == wanted);
    let picked = picked.or_else(|| places.iter().find(|place| place.mark != Mark::Same && area.is_none()));
    let found = places.iter().filter(|place| place.is_found == Some(true)).count();
    let strange = places.iter().filter(|place| !place.is_real()).count();
    let is_picked = |place: &GeoMember| picked.is_some_and(|picked| picked.member == place.member);
    let label = t.inside_map(now.len() as u64);
    html! {
        <div class="inside-picture" data-testid="map">
            if let Some(area) = &area { <p class="inside-step">{ searched(t, area, found, now.len()) }</p> }
            if strange > 0 { <p class="soft small">{ t.inside_map_strange(strange as u64) }</p> }
            <svg class="map" viewBox="0 0 480 240" role="img" aria-label={label}>
                { graticule(&chart) }
                if let Some(area) = &area { { searched_area(&chart, area) } }
                if let Some(picked) = picked { { boxes(&chart, picked.point) } }
                { dots(t, &chart, &places, &is_picked) }
                { scale(&chart) }
            </svg>
            if let Some(picked) = picked { { explained(t, picked) } }
            <ul class="cells inside-list">
                { for places.iter().take(LISTED_MAX).map(|place| listed(place, is_picked(place), choose)) }
                <li>{ more(t, now.len().saturating_sub(places.len().min(LISTED_MAX))) }</li>
            </ul>
        </div>
    }
}

/// `2 of 3 within 500 km of 120°E 30°N`
fn searched(t: Lang, area: &Shape, found: usize, all: usize) -> String {
    let (found, all, middle) = (found as u64, all as u64, degrees(area.center));
    match area.form {
        Form::Circle { radius } => t.say(InsideMapCircle { found, all, radius: &length(radius), middle: &middle }),
        Form::Rectangle { width, height } => {
            t.say(InsideMapBox { found, all, sides: &[length(width), length(height)].join(" × "), middle: &middle })
        }
    }
}

fn graticule(chart: &Chart) -> Html {
    let (meridians, parallels) = chart.graticule();
    // On a phone the names of neighbouring meridians would touch.
    let each = meridians.len().div_ceil(MERIDIANS_NAMED_MAX).max(1);
    let down = |(nth, (x, name)): (usize, &(f64, String))| {
        let name = if nth.is_multiple_of(each) { name.as_str() } else { "" };
        html! { <><line x1={px(*x)} x2={px(*x)} y1="0" y2={px(HEIGHT)} /><text x={px(*x + 3.0)} y={px(HEIGHT - 4.0)}>{ name }</text></> }
    };
    let across = |(y, name): &(f64, String)| {
        html! { <><line x1="0" x2={px(WIDTH)} y1={px(*y)} y2={px(*y)} /><text x="3" y={px(*y - 3.0)}>{ name }</text></> }
    };
    html! { <g class="map-grid">{ for meridians.iter().enumerate().map(down) }{ for parallels.iter().map(across) }</g> }
}

fn searched_area(chart: &Chart, area: &Shape) -> Html {
    let (x, y) = chart.place(area.center);
    let cross = format!("M{} {}h12m-6 -6v12", px(x - 6.0), px(y));
    html! { <g class="map-area" data-testid="map-area"><path d={chart.outline(area)} /><path class="map-middle" d={cross} /></g> }
}

/// The nested boxes that more and more bits of the score select around the place.
fn boxes(chart: &Chart, point: Point) -> Html {
    let drawn = (1..=redis_model::value::geohash::STEP_MAX).map(|halvings| chart.rectangle(box_of(point, halvings)));
    let drawn = drawn.filter(|[_, _, wide, high]| *wide < 2.0 * WIDTH && *high > BOX_LEAST);
    let rect = |[left, top, wide, high]: [f64; 4]| {
        html! { <rect x={px(left)} y={px(top)} width={px(wide)} height={px(high)} /> }
    };
    html! { <g class="map-boxes">{ for drawn.map(rect) }</g> }
}

fn dots(t: Lang, chart: &Chart, places: &[GeoMember], is_picked: &dyn Fn(&GeoMember) -> bool) -> Html {
    let at: Vec<(f64, f64)> = places.iter().map(|place| chart.place(place.point)).collect();
    let named = places.iter().filter(|place| is_picked(place)).chain(places.iter().filter(|place| !is_picked(place)));
    let names: Vec<(String, (f64, f64))> =
        named.take(NAMED_MAX).map(|place| (short(&place.member), chart.place(place.point))).collect();
    // Chinese characters are twice as wide.
    let wide = |name: &String| name.chars().map(|c| if c.is_ascii() { 7.4 } else { 13.0 }).sum::<f64>();
    let rooms: Vec<((f64, f64), f64)> = names.iter().map(|(name, at)| (*at, wide(name))).collect();
    let written = names.iter().zip(spots(&rooms)).filter_map(|((name, _), spot)| {
        let spot = spot?;
        let anchor = if spot.is_end { "end" } else { "start" };
        Some(html! { <text x={px(spot.x)} y={px(spot.y)} text-anchor={anchor}>{ name }</text> })
    });
    let dot = |(place, (x, y)): (&GeoMember, &(f64, f64))| {
        let is_missed = (place.is_found == Some(false)).then_some("");
        let title =
            [shown(&place.member), degrees(place.point), mark_word(t, place.mark).unwrap_or_default().to_owned()];
        html! {
            <g data-mark={place.mark.word()} data-missed={is_missed} data-picked={is_picked(place).then_some("")}>
                <title>{ title.join(" ") }</title>
                <circle cx={px(*x)} cy={px(*y)} r={if is_picked(place) { "6" } else { "4" }} />
            </g>
        }
    };
    // Places that were found are drawn last, on top.
    html! { <><g class="map-dots">{ for places.iter().zip(&at).rev().map(dot) }</g><g class="map-names">{ for written }</g></> }
}

fn scale(chart: &Chart) -> Html {
    let (units, metres) = chart.scale_bar();
    let path = format!("M{} 21v4h{}v-4", px(WIDTH - 12.0 - units), px(units));
    html! { <g class="map-scale"><path d={path} /><text x={px(WIDTH - 12.0)} y="17" text-anchor="end">{ length(metres) }</text></g> }
}

/// The score of a member, bit by bit.
fn explained(t: Lang, place: &GeoMember) -> Html {
    let bits: Vec<bool> = bits_of(place.score).collect();
    let pair =
        |[longitude, latitude]: &[bool; 2]| html! { <li><b>{ digit(*longitude) }</b><i>{ digit(*latitude) }</i></li> };
    html! {
        <div class="node" data-testid="place">
            <p class="node-head">
                { t.say(InsideMapScore {
                    member: &shown(&place.member),
                    degrees: &degrees(place.point),
                    score: &format_double(place.score),
                    letters: &place.point.letters(),
                }) }
            </p>
            <ol class="map-bits" data-testid="map-bits">{ for bits.as_chunks::<2>().0.iter().map(pair) }</ol>
            <p class="soft small">{ t.inside_map_bits() }</p>
        </div>
    }
}

/// A member in the list below the map, as a button that selects it.
fn listed(place: &GeoMember, is_picked: bool, choose: &Chooser) -> Html {
    let click = choose.click(Choice { member: Some(place.member.clone()), ..choose.now.clone() });
    let sign = match place.is_found {
        Some(true) => "✓ ",
        Some(false) => "✗ ",
        None => "",
    };
    html! {
        <li><button type="button" class="cell" data-mark={place.mark.word()} aria-pressed={if is_picked { "true" } else { "false" }} onclick={click}>
            <span>{ sign }{ shown(&place.member) }</span>
            <small>{ place.distance.map_or_else(|| degrees(place.point), length) }</small>
        </button></li>
    }
}

/// `120.16°E 30.28°N`
fn degrees(point: Point) -> String {
    let one = |value: f64, positive: &str, negative: &str| {
        format!("{}°{}", fixed(value.abs(), 2), if value < 0.0 { negative } else { positive })
    };
    [one(point.longitude, "E", "W"), one(point.latitude, "N", "S")].join(" ")
}

/// Metres as `850 m`, `34.8 km`, `500 km`.
fn length(metres: f64) -> String {
    if !metres.is_finite() {
        return "∞".to_owned();
    }
    let (value, unit) = if metres < 1000.0 { (metres, "m") } else { (metres / 1000.0, "km") };
    let text = fixed(value, if value < 100.0 { 1 } else { 0 });
    format!("{} {unit}", text.strip_suffix(".0").unwrap_or(&text))
}
