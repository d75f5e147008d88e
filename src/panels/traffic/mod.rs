//! Requests by the million, and what came of them: the panel, and the figures over time that it shows.
mod charts;
mod compared;
mod figures;
mod table;
mod words;

use yew::prelude::*;

use crate::hooks::{use_lang, use_traffic};
use crate::i18n::late;
use crate::state::traffic::numbers::clock;
use crate::ui::{html, part};
pub use figures::{Figures, FiguresProps};

/// The style sheet of this panel. It is data of the panel's chunk, so it is not named in the registry.
const STYLE: &str = late!("/src/panels/traffic/traffic.css");

/// The panel.
#[component]
pub fn Traffic() -> Html {
    let t = use_lang();
    let shown = use_traffic(t);
    // TO BE REPLACED by opening the moment as steps: here it is only told.
    let picked = use_state_eq(|| None::<u64>);
    let onpick = {
        let picked = picked.setter();
        Callback::from(move |at_ms| picked.set(Some(at_ms)))
    };
    html! {
        <section class="panel traffic" aria-label={t.traffic_title()} data-testid="traffic">
            <style>{ style() }</style>
            <div class="panel-head"><h2>{ t.traffic_title() }</h2></div>
            <div class="panel-body traffic-body">
                if let Some(at_ms) = *picked {
                    <p class="soft traffic-picked" role="status" data-testid="traffic-picked">{ t.traffic_picked(&clock(at_ms)) }</p>
                }
                { part::<Figures>(FiguresProps { runs: shown.runs, capacity_milli: shown.capacity_milli, onpick: Some(onpick) }) }
            </div>
        </section>
    }
}

/// The style sheet without the marks that stand around it.
fn style() -> &'static str {
    STYLE.split('\0').nth(1).unwrap_or_default()
}
