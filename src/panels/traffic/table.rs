//! The figures as a table, for screen readers and for exact numbers.
use yew::prelude::*;

use super::words::heading;
use crate::i18n::Lang;
use crate::state::traffic::compared::table as rows;
use crate::state::traffic::numbers::{bare, moment};
use crate::state::traffic::{Figure, RunShown};
use crate::ui::html;

/// Shown in place of a missing number.
pub const NONE: &str = "–";

/// The table: one row per interval and run, one column per figure. `start` as in [`moment`].
pub fn table(t: Lang, runs: &[RunShown], start: Option<u64>) -> Html {
    let is_pair = runs.len() > 1;
    let rows = rows(runs);
    html! {
        <div class="traffic-wide" tabindex="0" role="region" aria-label={t.traffic_table_of()}>
            <table class="traffic-table" data-testid="traffic-table">
                <thead>
                    <tr>
                        <th scope="col">{ t.traffic_table_from() }</th>
                        if is_pair { <th scope="col">{ t.traffic_table_run() }</th> }
                        { for Figure::ALL.map(|figure| html! { <th scope="col">{ heading(t, figure) }</th> }) }
                    </tr>
                </thead>
                { for rows.iter().map(|row| html! {
                    <tbody key={row.from_ms.to_string()}>
                        { for runs.iter().zip(&row.runs).enumerate().map(|(nth, (run, row_of))| html! {
                            <tr>
                                if nth == 0 {
                                    <th scope="row" rowspan={runs.len().to_string()}>{ moment(start, row.from_ms) }</th>
                                }
                                if is_pair { <th scope="row" class="traffic-run">{ run.name.to_string() }</th> }
                                { for Figure::ALL.map(|figure| {
                                    let milli = row_of.as_ref().and_then(|row| figure.milli_of(&row.figures, row.length_ms));
                                    html! { <td>{ milli.map_or_else(|| NONE.to_owned(), |milli| bare(t, figure.unit(), milli)) }</td> }
                                }) }
                            </tr>
                        }) }
                    </tbody>
                }) }
            </table>
        </div>
    }
}
