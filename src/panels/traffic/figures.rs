//! Figures of one or two runs: charts over time, a comparison, a table of the same numbers, and downloads.
use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;
use world::traffic::report::csv;
use yew::prelude::*;

use super::charts::spec;
use super::compared::compared;
use super::table::table;
use crate::hooks::{Charting, files, use_charts, use_lang};
use crate::state::traffic::RunShown;
use crate::state::traffic::columns::Table;
use crate::state::traffic::numbers::asked;
use crate::ui::{Button, Picture, html};

/// Properties of [`Figures`].
#[derive(Clone, PartialEq, Properties)]
pub struct FiguresProps {
    /// One or two runs; the second is drawn over the first.
    pub runs: Vec<RunShown>,
    /// Capacity of the database, in thousandths of a statement per second.
    pub capacity_milli: Option<u64>,
    /// The time of day at which traffic began, in ms since midnight; without it, times count from its beginning.
    pub clock: Option<u64>,
    /// Called when the reader picks a point in time, in ms since traffic began.
    pub onpick: Option<Callback<u64>>,
}

/// The figures.
#[component]
pub fn Figures(props: &FiguresProps) -> Html {
    let t = use_lang();
    let FiguresProps { runs, capacity_milli, clock, onpick } = props;
    let host = use_node_ref();
    let columns = use_mut_ref(Table::default);
    let drawn = use_memo(runs.clone(), |runs| columns.borrow_mut().follow(runs));
    let names: Vec<Rc<str>> = runs.iter().map(|run| Rc::clone(&run.name)).collect();
    let spec = use_memo((t, names, *capacity_milli), |(t, names, capacity_milli)| {
        Rc::<str>::from(spec(*t, names.iter().map(AsRef::as_ref), *capacity_milli))
    });
    let charting = Charting {
        spec: Rc::clone(&spec),
        drawn: Rc::clone(&drawn),
        write: asked,
        start: *clock,
        lang: t,
        onpick: onpick.clone(),
    };
    let charts = use_charts(&host, &charting);
    let is_table_open = use_state_eq(|| false);
    let has_failed = use_state_eq(|| false);
    let names = runs.iter().map(|run| run.name.to_string()).collect::<Vec<_>>().join(" / ");
    let save_picture = {
        let (charts, title, set_failed) = (charts.clone(), t.traffic_picture_title(&names), has_failed.setter());
        Callback::from(move |_: MouseEvent| {
            let (charts, title, set_failed) = (charts.clone(), title.clone(), set_failed.clone());
            spawn_local(async move {
                let saved = charts.picture(&title).await.and_then(|blob| files::save("traffic.png", &blob));
                set_failed.set(saved.is_err());
            });
        })
    };
    let ontoggle = {
        let is_open = is_table_open.clone();
        Callback::from(move |event: Event| {
            let details = event.target_dyn_into::<web_sys::Element>();
            is_open.set(details.is_some_and(|details| details.has_attribute("open")));
        })
    };
    let is_table_shown = *is_table_open || charts.is_missing;
    html! {
        <div class="figures" data-testid="figures">
            <div class="figures-acts">
                { for runs.iter().enumerate().map(|(nth, run)| {
                    let words = if runs.len() > 1 { t.traffic_csv_of(&run.name) } else { t.traffic_csv().to_owned() };
                    let file = if runs.len() > 1 { format!("traffic-{}.csv", if nth == 0 { "a" } else { "b" }) } else { "traffic.csv".to_owned() };
                    let series = Rc::clone(&run.series);
                    // If the browser refuses the download, it says so itself.
                    let save = Callback::from(move |_: MouseEvent| _ = files::download(&file, &csv(&series)));
                    html! { <span key={nth.to_string()}>{ Button::words(words).picture(Picture::Download).testid("traffic-csv").on(save) }</span> }
                }) }
                if charts.is_here {
                    { Button::words(t.traffic_png()).picture(Picture::Download).testid("traffic-png").on(save_picture) }
                }
            </div>
            if *has_failed { <p role="alert">{ t.traffic_saved_not() }</p> }
            if charts.is_missing {
                <p class="figures-missing" role="status" data-testid="charts-missing">{ t.traffic_charts_missing() }</p>
            } else {
                if !charts.is_here { <p class="soft" role="status">{ t.traffic_loading() }</p> }
                <div class="charts" ref={host} data-testid="charts" />
                <p class="soft small figures-hint">
                    { t.traffic_hint() }
                    if onpick.is_some() { { " " }{ t.traffic_hint_pick() } }
                </p>
            }
            if let ([first, second], [a, b]) = (runs.as_slice(), drawn.totals.as_slice()) {
                { compared(t, [first, second], [a, b]) }
            }
            <details class="figures-table" open={is_table_shown} {ontoggle}>
                <summary data-testid="traffic-table-open">{ t.traffic_table() }</summary>
                if is_table_shown { { table(t, runs, *clock) } }
            </details>
        </div>
    }
}
