//! The Redis server's event loop while the reader steps through traffic event by event: readable sockets, the command that its one thread
//! executes, and replies on their way.
//!
//! Every command is one element from the moment it waits until its reply arrives (its key is the number of the command), so it moves from
//! place to place with the steps. Elements are in the order of their keys, for an element that changes its place in the document would not
//! move but jump. The drawing is decoration; the lists below it have the same facts as text.
use redis_model::sorting;
use world::traffic::seen::Sender;
use yew::prelude::*;

use crate::hooks::TrafficHandle;
use crate::i18n::Lang;
use crate::i18n::messages::{TrafficLineFrom, TrafficLineReply};
use crate::panels::client::slot_of;
use crate::state::lab::lanes::label;
use crate::state::traffic::queue::{Queued, RedisQueue};
use crate::ui::html;

/// The fewest rows of a zone, so that its size does not change with every step.
const ROWS_MIN: usize = 3;
/// The rows of the thread: the command that it executes, and how long that takes.
const THREAD_ROWS: usize = 2;
/// Most waiting commands that are drawn; the list for screen readers has more.
const DRAWN_MAX: usize = 5;
/// Most replies that are drawn.
const REPLIES_MAX: usize = 4;

/// Where a command is.
#[derive(Clone, Copy)]
enum Zone {
    Sockets,
    Thread,
    Replies,
}

/// A command or its reply in the drawing.
struct Token {
    sender: Sender,
    zone: Zone,
    /// Its row in the zone, from 0.
    row: usize,
    words: String,
    whole: String,
}

/// The event loop; empty unless the reader steps through traffic event by event.
pub fn queue(t: Lang, traffic: &TrafficHandle) -> Html {
    let Some(queue) = traffic.redis_queue() else { return html! { <></> } };
    html! {
        <section class="traffic-line" aria-label={t.traffic_line()} data-testid="traffic-line">
            <h3>{ t.traffic_line() }</h3>
            { drawing(t, &queue) }
            { words(t, &queue) }
        </section>
    }
}

/// All commands and replies that are drawn, in the order of their numbers.
fn tokens(queue: &RedisQueue) -> Vec<Token> {
    let command = |zone: Zone, row: usize, (sender, argv): &Queued| Token {
        sender: *sender,
        zone,
        row,
        words: label::command(argv),
        whole: label::whole_command(argv),
    };
    let waiting =
        queue.waiting.iter().take(DRAWN_MAX).enumerate().map(|(row, queued)| command(Zone::Sockets, row, queued));
    let executed = queue.executes.iter().map(|queued| command(Zone::Thread, 0, queued));
    let replies = queue.replies.iter().take(REPLIES_MAX).enumerate().map(|(row, (sender, value))| Token {
        sender: *sender,
        zone: Zone::Replies,
        row,
        words: label::reply(value),
        whole: label::said(resp::cli::text(value, resp::Protocol::Resp3).as_bytes()),
    });
    let mut all: Vec<Token> = waiting.chain(executed).chain(replies).collect();
    sorting::sort_by(&mut all, |a, b| a.sender.ask.cmp(&b.sender.ask));
    all
}

fn drawing(t: Lang, queue: &RedisQueue) -> Html {
    let more_replies = more_replies(queue);
    let hidden = queue.more.saturating_add(queue.waiting.len().saturating_sub(DRAWN_MAX) as u64);
    let waiting = queue.waiting.len().min(DRAWN_MAX).saturating_add(usize::from(hidden > 0)).max(ROWS_MIN);
    let replies = queue.replies.len().min(REPLIES_MAX).saturating_add(usize::from(more_replies > 0)).max(ROWS_MIN);
    // Below one another, each zone begins after the rows of those before it, and their headings.
    let before = |zone: Zone| match zone {
        Zone::Sockets => 0,
        Zone::Thread => waiting.saturating_add(1),
        Zone::Replies => waiting.saturating_add(THREAD_ROWS).saturating_add(2),
    };
    // The commands of a subscriber have no numbers of their own.
    let key = |token: &Token| match token.sender.worker {
        Some(_) => token.sender.ask.to_string(),
        None => format!("{}-{}-{}", token.sender.machine, token.zone as u8, token.row),
    };
    let place = |zone: Zone, row: usize| format!("--zone: {}; --before: {}; --row: {row}", zone as u8, before(zone));
    let token = |token: &Token| {
        let Sender { request, machine, worker, .. } = token.sender;
        let from = from(t, machine, worker);
        html! {
            <span key={key(token)} class="line-token" style={place(token.zone, token.row)} title={format!("{} · {from}", token.whole)}
                data-client={slot_of((request % 8) as u32).to_string()} data-now={matches!(token.zone, Zone::Thread).then_some("")}>
                if request > 0 { <b class="request-number">{ request.to_string() }</b> }
                <code>{ token.words.clone() }</code>
            </span>
        }
    };
    let more = |zone: Zone, row: usize, n: u64| {
        html! { <span class="line-more soft" style={place(zone, row)}>{ t.traffic_line_more(n) }</span> }
    };
    let zone = |title: &'static str, rows: usize, note: Option<String>| {
        html! {
            <div class="line-zone" style={format!("--rows: {rows}")}>
                <b>{ title }</b>
                if let Some(note) = note { <span class="soft">{ note }</span> }
            </div>
        }
    };
    html! {
        <div class="line-loop" aria-hidden="true" data-idle={(queue.busy_ns == 0).then_some("")} data-testid="traffic-loop">
            { zone(t.traffic_loop_sockets(), waiting, queue.waiting.is_empty().then(|| t.traffic_line_empty().to_owned())) }
            { zone(t.traffic_loop_thread(), THREAD_ROWS, Some(at_work(t, queue))) }
            { zone(t.traffic_loop_replies(), replies, queue.replies.is_empty().then(|| t.traffic_loop_none().to_owned())) }
            <p class="line-back"><span>{ t.traffic_loop_back() }</span></p>
            { for tokens(queue).iter().map(token) }
            if hidden > 0 { { more(Zone::Sockets, DRAWN_MAX, hidden) } }
            if more_replies > 0 { { more(Zone::Replies, REPLIES_MAX, more_replies) } }
        </div>
    }
}

/// How many replies are not drawn.
fn more_replies(queue: &RedisQueue) -> u64 {
    queue.more_replies.saturating_add(queue.replies.len().saturating_sub(REPLIES_MAX) as u64)
}

/// What the thread does, beside the command that it executes.
fn at_work(t: Lang, queue: &RedisQueue) -> String {
    match (&queue.executes, queue.busy_ns) {
        (_, 0) => t.traffic_line_idle().to_owned(),
        (Some(_), busy_ns) => t.traffic_line_busy(&micros(t, busy_ns)),
        (None, _) => t.traffic_line_unknown().to_owned(),
    }
}

/// The same as text.
fn words(t: Lang, queue: &RedisQueue) -> Html {
    let more_replies = more_replies(queue);
    html! {
        <div class="sr-only">
            <div data-testid="traffic-line-now">
                <p>{ t.traffic_line_executes() }</p>
                if let Some(command) = &queue.executes { { shown(t, command) } }
                <p>{ at_work(t, queue) }</p>
            </div>
            <div data-testid="traffic-line-waiting">
                <p>{ t.traffic_line_waiting() }</p>
                if queue.waiting.is_empty() { <p>{ t.traffic_line_empty() }</p> }
                <ol>
                    { for queue.waiting.iter().map(|command| html! { <li>{ shown(t, command) }</li> }) }
                    if queue.more > 0 { <li>{ t.traffic_line_more(queue.more) }</li> }
                </ol>
            </div>
            <div data-testid="traffic-line-replies">
                <p>{ t.traffic_loop_replies() }</p>
                if queue.replies.is_empty() { <p>{ t.traffic_loop_none() }</p> }
                <ol>
                    { for queue.replies.iter().take(REPLIES_MAX).map(|(sender, value)| {
                        let (request, value) = (sender.request.to_string(), label::reply(value));
                        html! { <li>{ t.say(TrafficLineReply { request: &request, value: &value }) }</li> }
                    }) }
                    if more_replies > 0 { <li>{ t.traffic_line_more(more_replies) }</li> }
                </ol>
            </div>
        </div>
    }
}

fn shown(t: Lang, (sender, argv): &Queued) -> Html {
    html! { <p><code>{ label::command(argv) }</code>{ " " }{ from(t, sender.machine, sender.worker) }</p> }
}

fn from(t: Lang, machine: u32, worker: Option<u32>) -> String {
    let from_one = |number: u32| u64::from(number).saturating_add(1);
    match worker {
        Some(worker) => t.say(TrafficLineFrom { machine: from_one(machine), worker: from_one(worker) }),
        None => t.traffic_line_from_subscriber(from_one(machine)),
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
