//! Diagram of the flow: callers, machines, Redis and the database, with links whose width shows the throughput, and queues; also the
//! buttons that continue the traffic.
//!
//! ```text
//!  callers ══ 199/s ══▶ machines ══ 203/s ══▶ Redis       On a narrow panel from top to bottom, with both servers side by side.
//!                               ╰── 12/s ───▶ database    The diagram is decoration; a list next to it has the same facts as text.
//! ```
use std::fmt::Write as _;

use world::traffic::limit::{ANSWERS_MAX, HandlerLimit, RECEIVED_BYTES_MAX};
use yew::prelude::*;

use crate::hooks::TrafficHandle;
use crate::i18n::Lang;
use crate::i18n::messages::{FaultLine, TrafficFlowAtDatabase, TrafficFlowBusy, TrafficFlowMeasured, TrafficFlowWords};
use crate::state::traffic::Unit;
use crate::state::traffic::flow::{Flow, Presence, blocks, blocks_of, speed, thickness};
use crate::state::traffic::numbers::{bare, moment};
use crate::ui::{Button, html};

/// Virtual times by which traffic can continue, in ms.
const TIMES_MS: [u64; 4] = [10, 1_000, 60_000, 3_600_000];

/// A place of the diagram.
struct FlowNode<'a> {
    id: &'static str,
    name: &'a str,
    /// Whether its node is up.
    is_up: bool,
    /// A short warning, such as that it is overloaded.
    alarm: Option<&'a str>,
    /// How busy it is: number of filled blocks of ten, and as text.
    busy: Option<(u64, String)>,
    /// Length of its queue: number of filled blocks of ten, and as text.
    queue: Option<(u64, String)>,
    /// Further facts.
    others: Vec<String>,
}

/// A link to a place: its throughput in thousandths per second, and the unit.
struct Link<'a> {
    id: &'static str,
    milli: Option<u64>,
    unit: &'a str,
    note: Option<String>,
}

/// The diagram of the flow.
pub fn flow(t: Lang, traffic: &TrafficHandle) -> Html {
    let Some(flow) = traffic.flow() else { return html! { <></> } };
    let parts = parts(t, &flow);
    let servers = parts.iter().skip(2).count();
    let measured = match flow.rates {
        Some(rates) => t.say(TrafficFlowMeasured {
            from: &moment(traffic.clock, rates.from_ms),
            to: &moment(traffic.clock, rates.to_ms),
        }),
        None => t.traffic_flow_unmeasured().to_owned(),
    };
    html! {
        <div class="traffic-now" data-testid="traffic-now">
            <p class="flow-time">{ t.traffic_now(&moment(traffic.clock, flow.at_ms)) }</p>
            <div class="flow" aria-hidden="true" data-servers={servers.to_string()} data-still={(!traffic.is_moving()).then_some("")}
                data-testid="traffic-flow">
                { for parts.iter().flat_map(|(link, place)| [link.as_ref().map(drawn_link(t)), Some(drawn_place(t, place))]).flatten() }
            </div>
            <ul class="sr-only" data-testid="traffic-flow-words">
                { for words(t, &parts).into_iter().map(|line| html! { <li>{ line }</li> }) }
            </ul>
            <p class="soft small">{ measured }</p>
            { super::queue::queue(t, traffic) }
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
            { super::crash::crash(traffic) }
        </div>
    }
}

/// The places from left to right, each with the link that leads to it. Servers that the session does not have are omitted.
fn parts<'a>(t: Lang, flow: &Flow) -> Vec<(Option<Link<'a>>, FlowNode<'a>)> {
    let (queues, rates, places) = (flow.queues, flow.rates, flow.places);
    let rate = |milli: u64| bare(t, Unit::Rate, milli);
    let callers = FlowNode {
        id: "callers",
        name: t.traffic_flow_callers(),
        is_up: true,
        alarm: None,
        busy: None,
        queue: None,
        others: rates.map_or_else(Vec::new, |rates| {
            vec![t.traffic_flow_answered(&rate(rates.answered)), t.traffic_flow_errors(&rate(rates.errors))]
        }),
    };
    let machines = FlowNode {
        id: "machines",
        name: t.traffic_flow_machines(),
        is_up: true,
        alarm: flow.is_full().then(|| t.traffic_flow_full()),
        busy: Some((
            blocks_of(queues.busy, queues.workers),
            t.say(TrafficFlowBusy { busy: queues.busy, all: queues.workers }),
        )),
        queue: Some((blocks(queues.waiting, flow.is_full()), t.traffic_flow_waiting(queues.waiting))),
        others: (queues.down > 0).then(|| t.traffic_flow_machines_down(queues.down)).into_iter().collect(),
    };
    let requests =
        Link { id: "requests", milli: rates.map(|rates| rates.requests), unit: t.traffic_flow_requests(), note: None };
    let mut parts = vec![(None, callers), (Some(requests), machines)];
    if places.redis != Presence::Absent {
        let commands = Link {
            id: "commands",
            milli: rates.map(|rates| rates.commands),
            unit: t.traffic_flow_commands(),
            note: rates.and_then(|rates| rates.hits).map(|hits| t.traffic_flow_hits(&bare(t, Unit::Percent, hits))),
        };
        let redis = FlowNode {
            id: "redis",
            name: t.traffic_redis(),
            is_up: places.redis == Presence::Up,
            alarm: None,
            busy: None,
            queue: Some((blocks(queues.at_redis, false), t.traffic_flow_at_redis(queues.at_redis))),
            others: Vec::new(),
        };
        parts.push((Some(commands), redis));
    }
    if places.database != Presence::Absent {
        let (n, workers) = (queues.at_database, places.database_workers);
        let waiting = flow.waiting_at_database();
        let statements = Link {
            id: "statements",
            milli: rates.map(|rates| rates.statements),
            unit: t.traffic_flow_statements(),
            note: places.capacity_milli.map(|milli| t.traffic_flow_capacity(&rate(milli))),
        };
        let database = FlowNode {
            id: "database",
            name: t.traffic_flow_database(),
            is_up: places.database == Presence::Up,
            alarm: flow.is_overloaded().then(|| t.traffic_flow_overloaded()),
            busy: Some(match workers {
                0 => (0, t.traffic_flow_at_unlimited(n)),
                workers => (blocks_of(n, workers), t.say(TrafficFlowAtDatabase { n, workers })),
            }),
            queue: Some((blocks(waiting, false), t.traffic_flow_waiting(waiting))),
            others: Vec::new(),
        };
        parts.push((Some(statements), database));
    }
    parts
}

/// The numbers of the diagram as sentences, one line per place.
fn words(t: Lang, parts: &[(Option<Link<'_>>, FlowNode<'_>)]) -> Vec<String> {
    let line = |(link, place): &(Option<Link<'_>>, FlowNode<'_>)| {
        let mut clauses: Vec<String> = Vec::new();
        if let Some(link) = link {
            clauses.extend(link.milli.map(|milli| passing(t, milli, link.unit)));
            clauses.extend(link.note.clone());
        }
        if place.is_up {
            clauses.extend(place.alarm.map(ToOwned::to_owned));
            clauses.extend([&place.busy, &place.queue].into_iter().flatten().map(|(_, words)| words.clone()));
            clauses.extend(place.others.iter().cloned());
        } else {
            clauses.push(t.traffic_flow_down().to_owned());
        }
        t.say(TrafficFlowWords { place: place.name, what: &clauses.join(t.step_comma()) })
    };
    parts.iter().map(line).collect()
}

/// `199.0 requests/s`.
fn passing(t: Lang, milli: u64, unit: &str) -> String {
    bare(t, Unit::Rate, milli) + " " + unit
}

/// A link: a pipe whose width shows the throughput, with moving dashes. They are elements and not lines of an SVG, whose movement would be
/// drawn again in each frame by the thread that simulates traffic.
fn drawn_link(t: Lang) -> impl Fn(&Link<'_>) -> Html {
    move |link| {
        let milli = link.milli.unwrap_or_default();
        html! {
            <div class="flow-link" data-link={link.id} data-speed={speed(milli).to_string()} style={format!("--thick: {}", thickness(milli))}>
                <span class="flow-rate">
                    if let Some(milli) = link.milli { <b>{ bare(t, Unit::Rate, milli) }</b>{ " " } }
                    { link.unit }
                </span>
                <span class="flow-arrow">
                    <span class="flow-line">
                        <span class="flow-pipe"></span>
                        <span class="flow-dash"></span>
                    </span>
                    <svg class="flow-head" viewBox="0 0 10 20"><path d="M0 0 10 10 0 20z" /></svg>
                </span>
                if let Some(note) = &link.note { <span class="flow-note">{ note }</span> }
            </div>
        }
    }
}

fn drawn_place(t: Lang, place: &FlowNode<'_>) -> Html {
    let FlowNode { id, name, is_up, alarm, busy, queue, others } = place;
    let alarm = if *is_up { *alarm } else { Some(t.traffic_flow_down()) };
    let sign = if *is_up { "M8 1 15.5 14.5H.5zM8 6v4M8 12v.5" } else { "M3 3 13 13M13 3 3 13" };
    html! {
        <div class="flow-place" data-place={*id} data-down={(!is_up).then_some("")} data-alarm={alarm.is_some().then_some("")}>
            <b class="flow-name">{ *name }</b>
            if let Some(alarm) = alarm {
                <b class="flow-alarm"><svg viewBox="0 0 16 16"><path d={sign} /></svg>{ alarm }</b>
            }
            if *is_up {
                if let Some((filled, words)) = busy { <span>{ meter(*filled, |_| (0, 12)) }{ words }</span> }
                // Each block stands for twice as many requests as the previous one.
                if let Some((filled, words)) = queue { <span>{ meter(*filled, |nth| (9_u64.saturating_sub(nth), nth.saturating_add(3))) }{ words }</span> }
                { for others.iter().map(|words| html! { <span>{ words }</span> }) }
            }
        </div>
    }
}

/// Ten blocks, the first `filled` of them filled; `block` returns the position and the height of each.
fn meter(filled: u64, block: impl Fn(u64) -> (u64, u64)) -> Html {
    let mut paths = [String::new(), String::new()];
    for nth in 0..10 {
        let (top, height) = block(nth);
        let [full, empty] = &mut paths;
        let path = if nth < filled { full } else { empty };
        let _ = write!(path, "M{} {top}h9v{height}h-9z", nth.saturating_mul(11).saturating_add(1));
    }
    let [full, empty] = paths;
    html! {
        <svg class="flow-meter" viewBox="0 -1 110 14"><path class="flow-empty" d={empty} /><path class="flow-filled" d={full} /></svg>
    }
}

/// The errors of handlers.
pub fn faults(t: Lang, traffic: &TrafficHandle) -> Html {
    let faults = traffic.faults();
    let idle = asks_nothing(traffic);
    if faults.is_empty() && idle.is_none() {
        return html! { <></> };
    }
    html! {
        <section class="traffic-faults" data-testid="traffic-faults">
            <h3>{ t.traffic_faults() }</h3>
            <ul>
                { for faults.into_iter().map(|(what, count)| html! { <li><b>{ t.traffic_fault(count) }</b>{ " " }{ fault(t, &what) }</li> }) }
                if let Some(answers) = idle { <li>{ t.traffic_asks_nothing(answers) }</li> }
            </ul>
        </section>
    }
}

/// How many answers of the shown run came from its handler alone, if no request asked a server.
fn asks_nothing(traffic: &TrafficHandle) -> Option<u64> {
    let total = traffic.shown.first()?.series.total();
    (total.commands == 0 && total.queries == 0 && total.answered > 0).then_some(total.answered)
}

/// An error of a handler: a limit in the reader's language, anything else as Lua says it.
fn fault(t: Lang, message: &str) -> Html {
    let Some((line, limit)) = HandlerLimit::of(message) else { return html! { <code>{ message.to_owned() }</code> } };
    let what = match limit {
        HandlerLimit::Endless => t.fault_endless().to_owned(),
        HandlerLimit::Memory => t.fault_memory().to_owned(),
        HandlerLimit::Answers => t.fault_answers(u64::try_from(ANSWERS_MAX).unwrap_or(u64::MAX)),
        HandlerLimit::Messages => t.traffic_fault_messages().to_owned(),
        HandlerLimit::Received => t.fault_received(&(RECEIVED_BYTES_MAX >> 20).to_string()),
    };
    let text = match line {
        Some(n) => t.say(FaultLine { n: &n.to_string(), what: &what }),
        None => what,
    };
    html! { { text } }
}

#[cfg(test)]
mod tests {
    use world::traffic::Queues;

    use super::*;
    use crate::state::traffic::flow::{Places, Rates};

    fn flow() -> Flow {
        Flow {
            at_ms: 600_000,
            queues: Queues { busy: 3, workers: 64, waiting: 1, at_redis: 1, at_database: 37, down: 0 },
            backlog: 4_000,
            rates: Some(Rates {
                from_ms: 599_000,
                to_ms: 600_000,
                requests: 199_000,
                answered: 180_500,
                errors: 2_000,
                commands: 1_234_000,
                statements: 240_000,
                hits: Some(81_250),
            }),
            places: Places {
                redis: Presence::Up,
                database: Presence::Up,
                database_workers: 4,
                capacity_milli: Some(200_000),
            },
        }
    }

    #[test]
    fn text_has_the_numbers_of_the_diagram() {
        let clauses = |lang: Lang, flow: &Flow| words(lang, &parts(lang, flow));
        assert_eq!(
            clauses(Lang::En, &flow()),
            [
                "Callers: 180.5 answered/s, 2.0 errors/s",
                "Machines: 199.0 requests/s, 3 of 64 workers busy, 1 waiting",
                "Redis: 1,234 commands/s, hit ratio 81.3%, 1 command waiting",
                "Database: 240.0 statements/s, capacity 200.0/s, overloaded, 37 statements, 4 workers, 33 waiting",
            ]
        );
        assert_eq!(
            clauses(Lang::ZhCn, &flow()).last().map(String::as_str),
            Some("数据库：240.0 语句/秒，处理能力 200.0/秒，过载，37 条语句，4 个工作线程，33 个排队")
        );
    }

    #[test]
    fn servers_that_are_down_are_marked_and_absent_ones_omitted() {
        let places = Places { redis: Presence::Absent, database: Presence::Down, ..flow().places };
        let queues = Queues { workers: 32, down: 2, ..flow().queues };
        let flow = Flow { queues, places, rates: None, ..flow() };
        let clauses = words(Lang::En, &parts(Lang::En, &flow));
        assert_eq!(clauses.len(), 3);
        assert_eq!(clauses[0], "Callers: ");
        assert_eq!(clauses[1], "Machines: 3 of 32 workers busy, 1 waiting, 2 machines down");
        assert_eq!(clauses[2], "Database: capacity 200.0/s, down");
    }
}
