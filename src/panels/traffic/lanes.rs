//! Requests of traffic in the lanes: the lines of a step, and the heads of the machines' columns.
use std::cell::RefCell;
use std::ops::Range;

use bytes::Bytes;
use resp::Value;
use world::Timeline;
use world::traffic::arrivals::Wish;
use world::traffic::event::{RequestEvent, Service, TrafficEvent};
use world::traffic::truth::Worth;
use yew::prelude::*;

use crate::hooks::SessionHandle;
use crate::i18n::messages::{TrafficLaneAnswered, TrafficLaneAnsweredBadly};
use crate::i18n::{Lang, late, unmarked};
use crate::panels::client::slot_of;
use crate::panels::lanes::columns::Columns;
use crate::state::lab::lanes::{LINES_MAX, Picture, Row, Shown, label};
use crate::state::traffic::lanes::{Arrow, Place, arrow, lines as events, machines as choose, node, place};
use crate::ui::html;

/// The style sheet of these lines.
pub const STYLE: &str = late!("traffic", "/src/panels/traffic/lanes.css");

/// What a line says.
#[derive(Default)]
struct Line {
    sign: &'static str,
    words: String,
    /// The whole text, if `words` is shortened.
    whole: Option<String>,
    is_code: bool,
    is_bad: bool,
}

/// The rows in view.
pub struct Seen<'a> {
    /// All rows.
    pub picture: &'a Picture,
    /// The rows that are drawn.
    pub shown: &'a Shown,
    /// Which of these are in view.
    pub range: Range<usize>,
    /// The one at the cursor.
    pub here: Option<usize>,
}

/// Which machines have a column, if there is room for `fit` lanes beside one node, and `clients` of them are taken.
// Not inlined, so that it can be in a deferred chunk; so are the others.
#[inline(never)]
pub fn machines(
    timeline: &Timeline,
    seen: Seen<'_>,
    fit: usize,
    clients: usize,
    before: &RefCell<Vec<Option<u32>>>,
) -> Vec<Option<u32>> {
    let Seen { picture, shown, range, here } = seen;
    let row_at = |place: usize| shown.rows.get(place).and_then(|row| picture.rows.get(*row));
    let now = if range.clone().filter_map(row_at).any(|row| row.requests > 0) {
        // Nearest to the cursor first.
        let here = here.map_or(range.start, |here| here.saturating_add(1)).clamp(range.start, range.end);
        let near = (range.start..here).rev().chain(here..range.end).filter_map(row_at);
        let steps = near.filter_map(|row| timeline.step(row.id)).map(AsRef::as_ref);
        let taken = timeline.world().nodes().count().saturating_add(clients);
        let most = fit.saturating_add(1).saturating_sub(taken).max(1);
        choose(steps, most, &before.borrow())
    } else {
        Vec::new()
    };
    before.replace(now.clone());
    now
}

/// The heads of the columns of machines.
#[inline(never)]
pub fn heads(t: Lang, columns: &Columns) -> Html {
    let is_alone = columns.machines().count() == 1;
    let head = |(machine, column): (Option<u32>, usize)| {
        let name = match machine {
            Some(machine) => t.traffic_lane_machine(u64::from(machine).saturating_add(1)),
            None if is_alone => t.traffic_lane_machines().to_owned(),
            None => t.traffic_lane_others().to_owned(),
        };
        html! { <span class="lane-name" style={format!("grid-column: {column}")}><b>{ name }</b></span> }
    };
    html! {
        <>
            <style>{ unmarked(STYLE) }</style>
            { for columns.machines().map(head) }
        </>
    }
}

/// The lines of a row, below that of the time that passed.
#[inline(never)]
pub fn lines(t: Lang, session: &SessionHandle, row: &Row, columns: &Columns) -> Html {
    let Some(step) = session.timeline().step(row.id) else { return html! { <></> } };
    let first = usize::from(row.passed_ms.is_some());
    let hidden = row.requests.saturating_sub(LINES_MAX);
    let kept = if hidden > 0 { LINES_MAX.saturating_sub(1) } else { LINES_MAX };
    html! {
        <>
            { for events(step).take(kept).enumerate().map(|(nth, event)| drawn(t, session, columns, event, nth.saturating_add(first))) }
            if hidden > 0 {
                <span class="lane-cell lane-everywhere" style={format!("--line: {}", kept.saturating_add(first))}>
                    <span class="lane-line soft">{ t.lanes_more(hidden.saturating_add(1) as u64) }</span>
                </span>
            }
        </>
    }
}

/// An event on a line of its row, with its arrow.
fn drawn(t: Lang, session: &SessionHandle, columns: &Columns, event: &TrafficEvent, line: usize) -> Html {
    let world = session.world();
    let node_column = |server: Service| columns.node(node(world, server)?);
    let words = says(t, event);
    let number = number(event);
    match place(event) {
        Place::Everywhere => html! {
            <span class="lane-cell lane-everywhere" style={format!("--line: {line}")}>
                { text(t, &words, number, None, None) }
            </span>
        },
        Place::Server(server) => html! {
            <span class="lane-cell lane-cell-server lane-served" style={format!("grid-column: {}; --line: {line}", node_column(server).unwrap_or(2))}>
                { text(t, &words, number, None, None) }
            </span>
        },
        Place::Machine(machine) => {
            let own = columns.machine(Some(machine));
            let Some(column) = own.or_else(|| columns.machine(None)) else { return html! { <></> } };
            let is_before = columns.is_before(column);
            let side = if is_before { "before" } else { "behind" };
            let pointer = arrow(event).and_then(|arrow| {
                let (kind, fate, server) = match arrow {
                    Arrow::To(server) => ("out", "queued", server),
                    Arrow::From(server) => ("in", "arrives", server),
                };
                let node = node_column(server)?;
                let span = if is_before {
                    format!("{column} / {node}")
                } else {
                    format!("{} / {}", node.saturating_add(1), column.saturating_add(1))
                };
                Some((kind, fate, span))
            });
            let kind = pointer.as_ref().map(|(kind, ..)| *kind);
            html! {
                <>
                    { for pointer.map(|(kind, fate, span)| html! {
                        <span class="lane-arrow" data-side={side} data-arrow={kind} data-fate={fate}
                            style={format!("grid-column: {span}; --line: {line}")} />
                    }) }
                    <span class="lane-cell" data-side={side} style={format!("grid-column: {column}; --line: {line}")}>
                        { text(t, &words, number, own.is_none().then_some(machine), kind) }
                    </span>
                </>
            }
        }
    }
}

/// The text of a line: the request's number, the machine if its column does not say it, and what happens.
fn text(t: Lang, line: &Line, number: Option<u64>, machine: Option<u32>, arrow: Option<&'static str>) -> Html {
    let machine = machine.map(|machine| t.traffic_lane_short(u64::from(machine).saturating_add(1)));
    // In a lane that machines share, only a failure has room for its sign.
    let has_room = machine.is_none() || line.is_bad;
    let title = line.whole.clone().unwrap_or_else(|| line.words.clone());
    html! {
        <span class="lane-line" {title} data-bad={line.is_bad.then_some("")} data-arrow={arrow}>
            <span class="lane-words" data-code={line.is_code.then_some("")}>
                if let Some(number) = number {
                    <b class="request-number" data-client={slot_of((number % 8) as u32).to_string()}>{ number.to_string() }</b>
                }
                if let Some(machine) = machine { <small>{ machine }{ " " }</small> }
                if !line.sign.is_empty() && has_room { <span class="soft">{ line.sign }{ " " }</span> }
                { line.words.clone() }
            </span>
        </span>
    }
}

/// The number of a request; work of a machine before its first request has none.
fn number(event: &TrafficEvent) -> Option<u64> {
    (event.request > 0).then_some(event.request)
}

fn says(t: Lang, event: &TrafficEvent) -> Line {
    let plain = |sign: &'static str, words: String| Line { sign, words, ..Line::default() };
    let bad = |words: String| Line { sign: "✕", words, is_bad: true, ..Line::default() };
    let code = |sign: &'static str, words: String, whole: String| Line {
        sign,
        words,
        whole: Some(whole),
        is_code: true,
        ..Line::default()
    };
    let reply = |sign: &'static str, value: &Value| Line {
        is_bad: matches!(value, Value::Error(_)),
        ..code(sign, label::reply(value), label::said(resp::cli::text(value, resp::Protocol::Resp3).as_bytes()))
    };
    match &event.what {
        RequestEvent::Came { wish, id, tries } => {
            let item = id.to_string();
            let words = match wish {
                _ if *tries > 0 => t.traffic_lane_again(&item),
                Wish::Get => t.traffic_lane_get(&item),
                Wish::Put => t.traffic_lane_put(&item),
            };
            plain("●", words)
        }
        RequestEvent::Waits { waiting } => plain("…", t.traffic_lane_waits(u64::from(*waiting))),
        RequestEvent::Refused => bad(t.traffic_lane_refused().to_owned()),
        RequestEvent::Begins if event.request == 0 => code("▷", "start()".to_owned(), "start()".to_owned()),
        RequestEvent::Begins => plain("▷", t.lanes_begins().to_owned()),
        RequestEvent::Asks { argv, .. } => code("", label::command(argv), label::whole_command(argv)),
        RequestEvent::Queued { .. } => plain("…", t.traffic_lane_queued().to_owned()),
        RequestEvent::Taken { argv, .. } => code("", label::command(argv), label::whole_command(argv)),
        RequestEvent::Answers { value, .. } => reply("◂", value),
        RequestEvent::Hears { value, .. } => reply("", value),
        RequestEvent::TimesOut => Line { is_bad: true, ..plain("◷", t.lanes_timed_out().to_owned()) },
        RequestEvent::Rests { ms } => plain("☾", t.duration(*ms)),
        RequestEvent::Woke => plain("▷", t.lanes_goes_on().to_owned()),
        RequestEvent::Answered { answer, took_us, worth, is_heard } => {
            let took = format!("{}.{:02}", took_us / 1_000, took_us % 1_000 / 10);
            let answer = answer.as_ref().map_or_else(|| "nil".to_owned(), |answer| label::word(answer));
            let note = match worth {
                _ if !is_heard => Some(t.traffic_lane_late()),
                Worth::True => None,
                Worth::Stale(_) => Some(t.traffic_stale()),
                Worth::Wrong => Some(t.traffic_wrong()),
            };
            let words = t.say(TrafficLaneAnswered { answer: &answer, took: &took });
            match note {
                None => plain("✓", words),
                Some(what) => {
                    let whole = t.say(TrafficLaneAnsweredBadly { what, answer: &words });
                    Line { whole: Some(whole), ..bad(what.to_owned()) }
                }
            }
        }
        RequestEvent::Failed => bad(t.lanes_failed().to_owned()),
        RequestEvent::Broke { why } => bad(label::said(why)),
        RequestEvent::GaveUp => bad(t.traffic_lane_gave_up().to_owned()),
        RequestEvent::Subscribes { channels } => {
            let argv: Vec<Bytes> = std::iter::once(Bytes::from_static(b"SUBSCRIBE")).chain(channels.clone()).collect();
            code("", label::command(&argv), label::whole_command(&argv))
        }
        RequestEvent::Subscribed { channel } => {
            let call = format!("subscribed({})", label::word(channel));
            code("", call.clone(), call)
        }
        RequestEvent::Message { channel, text } => {
            let call = format!("message({}, {})", label::word(channel), label::word(text));
            code("", call.clone(), call)
        }
        RequestEvent::Unreachable => bad(t.traffic_lane_unreachable().to_owned()),
        RequestEvent::Crashes { .. } => bad(t.lanes_crashed().to_owned()),
        RequestEvent::Restarts => plain("▷", t.traffic_lane_restarts().to_owned()),
        RequestEvent::Unsubscribed => bad(t.traffic_lane_unsubscribed().to_owned()),
    }
}
