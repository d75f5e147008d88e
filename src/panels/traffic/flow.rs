//! What is where at the cursor: callers, machines, Redis, the database, each with what waits there; and how to go on.
use yew::prelude::*;

use crate::hooks::TrafficHandle;
use crate::i18n::Lang;
use crate::i18n::messages::TrafficFlowBusy;
use crate::state::traffic::numbers::clock;
use crate::ui::{Button, html};

/// Times to go on for, in ms.
const TIMES_MS: [u64; 4] = [10, 1_000, 60_000, 3_600_000];

/// What is where.
pub fn flow(t: Lang, traffic: &TrafficHandle) -> Html {
    let Some((at_ms, queues)) = traffic.now() else { return html! { <></> } };
    let redis = traffic.is_up(true);
    let database = traffic.is_up(false);
    let place = |name: &str, lines: Vec<String>, load: u64, is_up: bool| {
        html! {
            <li class="flow-place" data-load={load.to_string()} data-down={(!is_up).then_some("true")}>
                <b>{ name.to_owned() }</b>
                if is_up {
                    { for lines.into_iter().map(|line| html! { <span>{ line }</span> }) }
                } else {
                    <span>{ t.traffic_flow_down() }</span>
                }
            </li>
        }
    };
    // Of ten, how many parts of a place are taken.
    let tenths = |part: u64, whole: u64| part.saturating_mul(10).checked_div(whole.max(1)).unwrap_or(0).min(10);
    let workers = traffic.database_workers();
    html! {
        <div class="traffic-now" data-testid="traffic-now">
            <p class="flow-time">{ t.traffic_now(&clock(at_ms)) }</p>
            <ol class="flow">
                { place(t.traffic_flow_callers(), vec![t.traffic_flow_rate(traffic.rate_at(at_ms))], 0, true) }
                { place(t.traffic_flow_machines(), vec![
                    t.say(TrafficFlowBusy { busy: queues.busy, all: queues.workers }),
                    t.traffic_flow_waiting(queues.waiting),
                ], tenths(queues.busy.saturating_add(queues.waiting), queues.workers), true) }
                { place(t.traffic_redis(), vec![t.traffic_flow_commands(queues.at_redis)], queues.at_redis.min(10), redis) }
                { place(t.traffic_flow_database(), vec![t.traffic_flow_statements(queues.at_database)], tenths(queues.at_database, workers), database) }
            </ol>
            <div class="traffic-acts">
                { {
                    let traffic = traffic.clone();
                    Button::words(t.traffic_step()).testid("traffic-step").on(Callback::from(move |_: MouseEvent| traffic.step()))
                } }
                { for TIMES_MS.into_iter().map(|ms| {
                    let traffic = traffic.clone();
                    Button::words(t.traffic_go_on(ms)).testid("traffic-go-on").on(Callback::from(move |_: MouseEvent| traffic.go_on(ms)))
                }) }
            </div>
        </div>
    }
}

/// What went wrong in handlers.
pub fn faults(t: Lang, traffic: &TrafficHandle) -> Html {
    let faults = traffic.faults();
    if faults.is_empty() {
        return html! { <></> };
    }
    html! {
        <section class="traffic-faults" data-testid="traffic-faults">
            <h3>{ t.traffic_faults() }</h3>
            <ul>
                { for faults.into_iter().map(|(what, count)| html! { <li><b>{ t.traffic_fault(count) }</b>{ " " }<code>{ what }</code></li> }) }
            </ul>
        </section>
    }
}
