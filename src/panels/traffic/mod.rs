//! Traffic of millions of requests: its settings, figures over time, and single steps from any point in time.
mod charts;
mod compared;
mod crash;
mod figures;
mod flow;
pub mod lanes;
mod queue;
mod setup;
mod table;
mod words;

use yew::prelude::*;

use crate::hooks::{OtherRun, TrafficHandle, use_lang, use_top_after, use_traffic};
use crate::i18n::Lang;
use crate::ui::{choice, html, part};
pub use figures::{Figures, FiguresProps};
use setup::{Setup, SetupProps};

/// The panel of traffic.
#[component]
pub fn Traffic() -> Html {
    let t = use_lang();
    let traffic = use_traffic(t);
    let onpick = {
        let traffic = traffic.clone();
        Callback::from(move |at_ms| traffic.open(at_ms))
    };
    let onrun = {
        let traffic = traffic.clone();
        Callback::from(move |plan| traffic.run(t, plan))
    };
    let has_run = traffic.begun().is_some();
    let body = use_node_ref();
    use_top_after(&body, traffic.begun());
    let setup = SetupProps {
        plan: traffic.plan(),
        has_run,
        stage: traffic.stage(),
        onrun,
        stops_at_fault: traffic.stops_at_fault,
        onfault: traffic.stop_at_fault.clone(),
    };
    let figures = FiguresProps {
        runs: traffic.shown.clone(),
        capacity_milli: traffic.capacity_milli,
        clock: traffic.clock,
        onpick: Some(onpick),
    };
    html! {
        <section class="panel traffic" aria-label={t.traffic_title()} data-testid="traffic">
            <div class="panel-head" data-bare={traffic.others.is_empty().then_some("")}>
                <h2>{ t.traffic_title() }</h2>
                { comparing(t, &traffic) }
            </div>
            <div class="panel-body traffic-body" ref={body}>
                <details class="traffic-set" open={!traffic.has_figures()}>
                    <summary data-testid="traffic-set-open">{ t.traffic_setup() }</summary>
                    { part::<Setup>(setup) }
                </details>
                { flow::flow(t, &traffic) }
                { flow::faults(t, &traffic) }
                if has_run {
                    { part::<Figures>(figures) }
                } else {
                    <p class="soft traffic-empty">{ t.traffic_none() }</p>
                }
            </div>
        </section>
    }
}

/// Selects the run that is compared with the one at the cursor.
fn comparing(t: Lang, traffic: &TrafficHandle) -> Html {
    if traffic.others.is_empty() {
        return html! { <></> };
    }
    let among: Vec<Option<OtherRun>> =
        [None].into_iter().chain(traffic.others.iter().map(|(other, _)| Some(*other))).collect();
    let shown = |chosen: &Option<OtherRun>| {
        let named = traffic.others.iter().find(|(other, _)| Some(*other) == *chosen);
        named.map_or_else(|| t.traffic_compare_none().to_owned(), |(_, name)| name.to_string())
    };
    let compare = traffic.compare.clone();
    html! {
        <label class="traffic-compare">
            <span>{ t.traffic_compare_with() }</span>
            { choice(None, "traffic-compare", &among, &traffic.compared, shown, move |other| compare.emit(other)) }
        </label>
    }
}
