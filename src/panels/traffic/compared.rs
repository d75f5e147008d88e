//! Comparison of two runs in numbers: the differences, and which run is better.
use yew::prelude::*;

use super::table::NONE;
use super::words::measure;
use crate::i18n::Lang;
use crate::i18n::messages::{TrafficLessPercent, TrafficMorePercent};
use crate::state::traffic::columns::Totals;
use crate::state::traffic::compared::{Better, Compared, Difference, compare};
use crate::state::traffic::numbers::{bare, written};
use crate::state::traffic::{RunShown, Unit};
use crate::ui::html;

/// The comparison.
pub fn compared(t: Lang, [first, second]: [&RunShown; 2], totals: [&Totals; 2]) -> Html {
    let rows = compare(totals[0], totals[1]);
    let value = |milli: Option<u64>, unit| milli.map_or_else(|| NONE.to_owned(), |milli| written(t, unit, milli));
    html! {
        <div class="traffic-compared">
            <h3>{ t.traffic_compared() }</h3>
            <div class="traffic-wide" tabindex="0" role="region" aria-label={t.traffic_compared()}>
            <table class="traffic-table" data-testid="traffic-compared">
                <thead>
                    <tr>
                        <th scope="col">{ t.traffic_measure() }</th>
                        <th scope="col">{ first.name.to_string() }</th>
                        <th scope="col">{ second.name.to_string() }</th>
                        <th scope="col">{ t.traffic_difference() }</th>
                        <th scope="col">{ t.traffic_better() }</th>
                    </tr>
                </thead>
                <tbody>
                    { for rows.iter().map(|row| html! {
                        <tr>
                            <th scope="row">{ measure(t, row.measure) }</th>
                            <td>{ value(row.milli[0], row.measure.unit()) }</td>
                            <td>{ value(row.milli[1], row.measure.unit()) }</td>
                            <td>{ difference(t, row) }</td>
                            <td class="traffic-better">{ better(t, row.difference, [first, second]) }</td>
                        </tr>
                    }) }
                </tbody>
            </table>
            </div>
        </div>
    }
}

fn difference(t: Lang, row: &Compared) -> String {
    let Some(difference) = row.difference else { return NONE.to_owned() };
    if difference.better == Better::Neither {
        return NONE.to_owned();
    }
    let unit = row.measure.unit();
    let much = if unit == Unit::Percent {
        t.traffic_points(bare(t, unit, difference.milli).trim_end_matches('%'))
    } else {
        written(t, unit, difference.milli)
    };
    match (difference.is_more, difference.percent_milli) {
        (false, None) => t.traffic_less(&much),
        (true, None) => t.traffic_more(&much),
        (false, Some(milli)) => t.say(TrafficLessPercent { much: &much, percent: &bare(t, Unit::Percent, milli) }),
        (true, Some(milli)) => t.say(TrafficMorePercent { much: &much, percent: &bare(t, Unit::Percent, milli) }),
    }
}

fn better(t: Lang, difference: Option<Difference>, [first, second]: [&RunShown; 2]) -> String {
    match difference.map(|difference| difference.better) {
        None => NONE.to_owned(),
        Some(Better::Neither) => t.traffic_alike().to_owned(),
        Some(Better::First) => first.name.to_string(),
        Some(Better::Second) => second.name.to_string(),
    }
}
