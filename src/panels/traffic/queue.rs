//! The Redis server's queue while the reader steps through traffic event by event: the executed request, and the waiting ones in order.
use yew::prelude::*;

use crate::hooks::TrafficHandle;
use crate::i18n::Lang;
use crate::i18n::messages::TrafficLineFrom;
use crate::state::lab::lanes::label;
use crate::state::traffic::queue::Queued;
use crate::ui::html;

/// The queue; empty unless the reader steps through traffic event by event.
pub fn queue(t: Lang, traffic: &TrafficHandle) -> Html {
    let Some(queue) = traffic.redis_queue() else { return html! { <></> } };
    html! {
        <section class="traffic-line" aria-label={t.traffic_line()} data-testid="traffic-line">
            <h3>{ t.traffic_line() }</h3>
            <div class="line-parts">
                <div class="line-now" data-idle={(queue.busy_ns == 0).then_some("")} data-testid="traffic-line-now">
                    <p class="soft small">{ t.traffic_line_executes() }</p>
                    if let Some(command) = &queue.executes {
                        { shown(t, command) }
                    } else if queue.busy_ns > 0 {
                        <p>{ t.traffic_line_unknown() }</p>
                    } else {
                        <p class="soft">{ t.traffic_line_idle() }</p>
                    }
                    if queue.busy_ns > 0 { <p class="soft small">{ t.traffic_line_busy(&micros(t, queue.busy_ns)) }</p> }
                </div>
                <span class="line-arrow" aria-hidden="true">{ "←" }</span>
                <div class="line-waiting" data-testid="traffic-line-waiting">
                    <p class="soft small">{ t.traffic_line_waiting() }</p>
                    if queue.waiting.is_empty() { <p class="soft">{ t.traffic_line_empty() }</p> }
                    <ol>
                        { for queue.waiting.iter().enumerate().map(|(place, command)| html! { <li key={place}>{ shown(t, command) }</li> }) }
                        if queue.more > 0 { <li class="soft">{ t.traffic_line_more(queue.more) }</li> }
                    </ol>
                </div>
            </div>
        </section>
    }
}

fn shown(t: Lang, command: &Queued) -> Html {
    let machine = command.machine;
    let from = match command.worker {
        Some(worker) => t.say(TrafficLineFrom { machine, worker }),
        None => t.traffic_line_from_subscriber(machine),
    };
    html! {
        <span class="line-command" title={label::whole_command(&command.argv)}>
            <code>{ label::command(&command.argv) }</code>
            <span class="soft small">{ from }</span>
        </span>
    }
}

/// Nanoseconds as microseconds, with one decimal for small values: `9.8`.
fn micros(t: Lang, ns: u64) -> String {
    let tenths = ns.div_ceil(100);
    let whole = t.number(tenths / 10);
    if tenths.is_multiple_of(10) || tenths >= 1_000 { whole } else { whole + "." + &(tenths % 10).to_string() }
}

#[cfg(test)]
mod tests {
    use super::micros;
    use crate::i18n::Lang;

    #[test]
    fn short_times_have_one_decimal() {
        for (ns, text) in [(1, "0.1"), (10_000, "10"), (9_850, "9.9"), (99_900, "99.9"), (15_010_000, "15,010")] {
            assert_eq!(micros(Lang::En, ns), text);
        }
    }
}
