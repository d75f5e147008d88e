//! What happens to requests of traffic, in sentences.
use resp::Value;
use world::traffic::TrafficAct;
use world::traffic::arrivals::Wish;
use world::traffic::told::{Service, Told, What};
use world::traffic::truth::Worth;
use world::{Event, EventKind};

use super::{Teller, short, short_bytes};
use crate::i18n::code;
use crate::i18n::messages::{
    TrafficToldAnswered, TrafficToldAnswers, TrafficToldAsks, TrafficToldBeginsWith, TrafficToldCameAgain,
    TrafficToldCameGet, TrafficToldCamePut, TrafficToldHears, TrafficToldQueued, TrafficToldRan, TrafficToldTaken,
    TrafficToldTimesOut, TrafficToldWoke,
};
use crate::state::lab::lanes::label;
use crate::state::sql;

/// What an input does to traffic, with the first thing that happens.
// Functions of their own, so that they can be part of a chunk.
#[inline(never)]
pub(super) fn head(teller: &Teller, act: &TrafficAct, events: &[Event]) -> String {
    let t = teller.t;
    match act {
        TrafficAct::Begin { .. } => t.traffic_told_begins().to_owned(),
        TrafficAct::End => t.traffic_told_ends().to_owned(),
        TrafficAct::Step => match told(events).next() {
            Some(told) => happens(teller, told),
            None => t.traffic_told_quiet().to_owned(),
        },
    }
}

/// What else happens, of a step; and what came of a stretch.
#[inline(never)]
pub(super) fn clauses(teller: &Teller, events: &[Event]) -> Vec<String> {
    let ran = events.iter().find_map(|event| match event.kind {
        EventKind::TrafficRan { ran } => Some(ran),
        _ => None,
    });
    let ran = ran.map(|ran| {
        let (arrived, answered, errors, queries) = (ran.arrived, ran.answered, ran.errors, ran.queries);
        teller.t.say(TrafficToldRan { arrived, answered, errors, queries })
    });
    let first = told(events).next();
    let mut all: Vec<String> = first.and_then(|first| adds(teller, first)).into_iter().collect();
    all.extend(told(events).skip(1).map(|told| follows(teller, told)));
    ran.into_iter().chain(all).collect()
}

fn told(events: &[Event]) -> impl Iterator<Item = &Told> {
    events.iter().filter_map(|event| match &event.kind {
        EventKind::Traffic { told } => Some(told.as_ref()),
        _ => None,
    })
}

fn server(teller: &Teller, server: Service) -> &'static str {
    match server {
        Service::Redis => teller.t.traffic_redis(),
        Service::Database => teller.t.traffic_database(),
    }
}

fn command(server: Service, argv: &[bytes::Bytes]) -> String {
    match server {
        Service::Redis => short(&resp::split::quote_command(argv)),
        Service::Database => short(&sql::whole(argv)),
    }
}

fn reply(value: &Value) -> String {
    code(&label::reply(value))
}

/// The number of a request; what a machine does before its first one has none.
fn named(told: &Told) -> String {
    if told.request == 0 { code("start()") } else { told.request.to_string() }
}

/// Microseconds as milliseconds: `12.34`.
fn in_ms(us: u64) -> String {
    format!("{}.{:02}", us / 1_000, us % 1_000 / 10)
}

/// What happens to a request, named.
fn happens(teller: &Teller, told: &Told) -> String {
    let t = teller.t;
    let request = &named(told);
    let machine = &told.machine.map_or(String::new(), |machine| machine.saturating_add(1).to_string());
    match &told.what {
        What::Came { wish, id, tries } => {
            let item = &code(&id.to_string());
            match wish {
                _ if *tries > 0 => t.say(TrafficToldCameAgain { request, item, machine }),
                Wish::Get => t.say(TrafficToldCameGet { request, item, machine }),
                Wish::Put => t.say(TrafficToldCamePut { request, item, machine }),
            }
        }
        What::Begins => t.say(TrafficToldBeginsWith { machine, request }),
        What::Taken { server: at, argv, .. } => {
            t.say(TrafficToldTaken { server: server(teller, *at), command: &command(*at, argv), request })
        }
        What::Answers { server: at, value } => {
            t.say(TrafficToldAnswers { server: server(teller, *at), request, value: &reply(value) })
        }
        What::Hears { value } => t.say(TrafficToldHears { machine, value: &reply(value), request }),
        What::Woke => t.say(TrafficToldWoke { machine, request }),
        What::TimesOut => t.say(TrafficToldTimesOut { machine, request }),
        What::GaveUp => t.traffic_told_gave_up(request),
        What::Failed => t.traffic_told_failed(request),
        What::Waits { .. }
        | What::Refused
        | What::Asks { .. }
        | What::Queued { .. }
        | What::Rests { .. }
        | What::Answered { .. }
        | What::Broke { .. } => follows(teller, told),
    }
}

/// What is to be said of the first thing that happens beside its name.
fn adds(teller: &Teller, told: &Told) -> Option<String> {
    match &told.what {
        What::Taken { value: Some(value), .. } => Some(teller.t.traffic_told_replies(&reply(value))),
        _ => None,
    }
}

/// What happens next, where the request has been named.
fn follows(teller: &Teller, told: &Told) -> String {
    let t = teller.t;
    match &told.what {
        What::Waits { waiting } => t.traffic_told_waits(u64::from(*waiting)),
        What::Refused => t.traffic_told_refused().to_owned(),
        What::Asks { server: at, argv } => {
            t.say(TrafficToldAsks { server: server(teller, *at), command: &command(*at, argv) })
        }
        What::Queued { server: at } => t.say(TrafficToldQueued { server: server(teller, *at), request: &named(told) }),
        What::Rests { ms } => t.traffic_told_rests(*ms),
        What::Answered { answer, took_us, worth, is_heard } => {
            let answer = answer.as_ref().map_or_else(|| code("nil"), |answer| short_bytes(answer));
            let request = &named(told);
            let mut parts = vec![t.say(TrafficToldAnswered { answer: &answer, request, took: &in_ms(*took_us) })];
            match worth {
                Worth::True => {}
                Worth::Stale(ns) => parts.push(t.traffic_told_stale(ns.div_ceil(1_000_000))),
                Worth::Wrong => parts.push(t.traffic_told_wrong().to_owned()),
            }
            if !is_heard {
                parts.push(t.traffic_told_too_late().to_owned());
            }
            parts.join(t.told_comma())
        }
        What::Broke { why } => t.traffic_told_broke(&short_bytes(why)),
        _ => happens(teller, told),
    }
}
