//! Sentences about requests of traffic.
use resp::Value;
use world::traffic::TrafficAct;
use world::traffic::arrivals::Wish;
use world::traffic::event::{RequestEvent, Service, TrafficEvent};
use world::traffic::truth::Worth;
use world::{Event, EventKind};

use super::{Describer, short, short_bytes};
use crate::i18n::code;
use crate::i18n::messages::{
    TrafficStepAnswered, TrafficStepAnswers, TrafficStepAsks, TrafficStepBeginsWith, TrafficStepCameAgain,
    TrafficStepCameGet, TrafficStepCamePut, TrafficStepCrashes, TrafficStepHears, TrafficStepMessage,
    TrafficStepQueued, TrafficStepRan, TrafficStepSubscribed, TrafficStepSubscribes, TrafficStepTaken,
    TrafficStepTakenLate, TrafficStepTimesOut, TrafficStepWoke,
};
use crate::state::lab::lanes::label;
use crate::state::sql;

/// What an input does to traffic, with the first event.
// Not inlined, so that it can be in a deferred chunk.
#[inline(never)]
pub(super) fn head(describer: &Describer, act: &TrafficAct, events: &[Event]) -> String {
    let t = describer.t;
    match act {
        TrafficAct::Begin { .. } => t.traffic_step_begins().to_owned(),
        TrafficAct::End => t.traffic_step_ends().to_owned(),
        TrafficAct::Step | TrafficAct::Crash { .. } | TrafficAct::Restart { .. } => match traffic_events(events).next()
        {
            Some(event) => happens(describer, event),
            None => t.traffic_step_quiet().to_owned(),
        },
    }
}

/// The other events of a step, and the summary of a stretch.
#[inline(never)]
pub(super) fn clauses(describer: &Describer, events: &[Event]) -> Vec<String> {
    let ran = events.iter().find_map(|event| match event.kind {
        EventKind::TrafficRan { ran } => Some(ran),
        _ => None,
    });
    let ran = ran.map(|ran| {
        let (arrived, answered, errors, queries) = (ran.arrived, ran.answered, ran.errors, ran.queries);
        describer.t.say(TrafficStepRan { arrived, answered, errors, queries })
    });
    let first = traffic_events(events).next();
    let mut all: Vec<String> = first.and_then(|first| adds(describer, first)).into_iter().collect();
    all.extend(traffic_events(events).skip(1).map(|event| follows(describer, event)));
    ran.into_iter().chain(all).collect()
}

fn traffic_events(events: &[Event]) -> impl Iterator<Item = &TrafficEvent> {
    events.iter().filter_map(|event| match &event.kind {
        EventKind::Traffic { event } => Some(event.as_ref()),
        _ => None,
    })
}

fn server(describer: &Describer, server: Service) -> &'static str {
    match server {
        Service::Redis => describer.t.traffic_redis(),
        Service::Database => describer.t.traffic_database(),
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

/// The number of a request. Work of a machine before its first request, and beside its workers, has none.
fn named(event: &TrafficEvent) -> String {
    match (event.request, event.worker) {
        (0, None) => code("message()"),
        (0, Some(_)) => code("start()"),
        (number, _) => number.to_string(),
    }
}

/// Microseconds as milliseconds: `12.34`.
fn in_ms(us: u64) -> String {
    format!("{}.{:02}", us / 1_000, us % 1_000 / 10)
}

/// The first event of a request, with its number.
fn happens(describer: &Describer, event: &TrafficEvent) -> String {
    let t = describer.t;
    let request = &named(event);
    let machine = &event.machine.map_or(String::new(), |machine| machine.saturating_add(1).to_string());
    match &event.what {
        RequestEvent::Came { wish, id, tries } => {
            let item = &code(&id.to_string());
            match wish {
                _ if *tries > 0 => t.say(TrafficStepCameAgain { request, item, machine }),
                Wish::Get => t.say(TrafficStepCameGet { request, item, machine }),
                Wish::Put => t.say(TrafficStepCamePut { request, item, machine }),
            }
        }
        RequestEvent::Begins => t.say(TrafficStepBeginsWith { machine, request }),
        RequestEvent::Taken { server: at, argv, .. } if event.machine.is_none() => {
            t.say(TrafficStepTakenLate { server: server(describer, *at), command: &command(*at, argv) })
        }
        RequestEvent::Taken { server: at, argv, .. } => {
            t.say(TrafficStepTaken { server: server(describer, *at), command: &command(*at, argv), request })
        }
        RequestEvent::Answers { server: at, value } => {
            t.say(TrafficStepAnswers { server: server(describer, *at), request, value: &reply(value) })
        }
        RequestEvent::Hears { value, .. } => t.say(TrafficStepHears { machine, value: &reply(value), request }),
        RequestEvent::Woke => t.say(TrafficStepWoke { machine, request }),
        RequestEvent::TimesOut => t.say(TrafficStepTimesOut { machine, request }),
        RequestEvent::GaveUp => t.traffic_step_gave_up(request),
        RequestEvent::Subscribes { channels } => {
            t.say(TrafficStepSubscribes { channels: &short(&resp::split::quote_command(channels)), machine })
        }
        RequestEvent::Subscribed { channel } => {
            t.say(TrafficStepSubscribed { channel: &short_bytes(channel), machine })
        }
        RequestEvent::Message { channel, text } => {
            t.say(TrafficStepMessage { channel: &short_bytes(channel), machine, text: &short_bytes(text) })
        }
        RequestEvent::Unsubscribed => t.traffic_step_unsubscribed(machine),
        RequestEvent::Crashes { lost } => t.say(TrafficStepCrashes { lost: *lost, machine }),
        RequestEvent::Restarts => t.traffic_step_restarts(machine),
        RequestEvent::Failed => t.traffic_step_failed(request),
        RequestEvent::Waits { .. }
        | RequestEvent::Refused
        | RequestEvent::Unreachable
        | RequestEvent::Asks { .. }
        | RequestEvent::Queued { .. }
        | RequestEvent::Rests { .. }
        | RequestEvent::Answered { .. }
        | RequestEvent::Broke { .. } => follows(describer, event),
    }
}

/// A detail of the first event, if it has one.
fn adds(describer: &Describer, event: &TrafficEvent) -> Option<String> {
    match &event.what {
        RequestEvent::Taken { value: Some(value), .. } => Some(describer.t.traffic_step_replies(&reply(value))),
        _ => None,
    }
}

/// A further event of a request that was already named.
fn follows(describer: &Describer, event: &TrafficEvent) -> String {
    let t = describer.t;
    match &event.what {
        RequestEvent::Waits { waiting } => t.traffic_step_waits(u64::from(*waiting)),
        RequestEvent::Refused => t.traffic_step_refused().to_owned(),
        RequestEvent::Unreachable => t.traffic_step_unreachable().to_owned(),
        RequestEvent::Asks { server: at, argv } => {
            t.say(TrafficStepAsks { server: server(describer, *at), command: &command(*at, argv) })
        }
        RequestEvent::Queued { server: at } => {
            t.say(TrafficStepQueued { server: server(describer, *at), request: &named(event) })
        }
        RequestEvent::Rests { ms } => t.traffic_step_rests(*ms),
        RequestEvent::Answered { answer, took_us, worth, is_heard } => {
            let answer = answer.as_ref().map_or_else(|| code("nil"), |answer| short_bytes(answer));
            let request = &named(event);
            let mut parts = vec![t.say(TrafficStepAnswered { answer: &answer, request, took: &in_ms(*took_us) })];
            match worth {
                Worth::True => {}
                Worth::Stale(ns) => parts.push(t.traffic_step_stale(ns.div_ceil(1_000_000))),
                Worth::Wrong => parts.push(t.traffic_step_wrong().to_owned()),
            }
            if !is_heard {
                parts.push(t.traffic_step_too_late().to_owned());
            }
            parts.join(t.step_comma())
        }
        RequestEvent::Broke { why } => t.traffic_step_broke(&short_bytes(why)),
        _ => happens(describer, event),
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::i18n::{Lang, plain};

    #[test]
    fn messages_to_machines_are_described_in_both_languages() {
        let word = |text: &str| Bytes::copy_from_slice(text.as_bytes());
        let said = |what: RequestEvent| {
            let event = TrafficEvent { request: 0, machine: Some(2), worker: None, what };
            [Lang::En, Lang::ZhCn].map(|t| {
                let settings = world::Settings::default();
                let describer = Describer { t, name_of: &|_| String::new(), settings: &settings };
                plain(&happens(&describer, &event))
            })
        };
        assert_eq!(
            said(RequestEvent::Message { channel: word("changes"), text: word("7") }),
            ["machine 3 receives the message 7 of channel changes", "机器 3 收到频道 changes 的消息 7"]
        );
        assert_eq!(
            said(RequestEvent::Subscribes { channels: vec![word("a"), word("b c")] }),
            ["machine 3 subscribes to a \"b c\"", "机器 3 订阅 a \"b c\""]
        );
        assert_eq!(
            said(RequestEvent::Subscribed { channel: word("a") }),
            ["machine 3 is subscribed to a", "机器 3 已订阅 a"]
        );
        assert_eq!(
            said(RequestEvent::Unsubscribed),
            ["machine 3 loses its subscriptions; it will subscribe again", "机器 3 的订阅断开，稍后重新订阅"]
        );
    }

    #[test]
    fn crashes_of_machines_are_described_in_both_languages() {
        let said = |machine: Option<u32>, what: RequestEvent| {
            let event = TrafficEvent { request: 0, machine, worker: None, what };
            [Lang::En, Lang::ZhCn].map(|t| {
                let settings = world::Settings::default();
                let describer = Describer { t, name_of: &|_| String::new(), settings: &settings };
                plain(&happens(&describer, &event))
            })
        };
        assert_eq!(
            said(Some(2), RequestEvent::Crashes { lost: 1 }),
            ["machine 3 crashes, one request fails", "机器 3 宕机，1 个请求失败"]
        );
        assert_eq!(
            said(Some(2), RequestEvent::Crashes { lost: 0 }),
            ["machine 3 crashes, 0 requests fail", "机器 3 宕机，0 个请求失败"]
        );
        assert_eq!(said(Some(2), RequestEvent::Restarts), ["machine 3 starts again", "机器 3 重新启动"]);
        let argv = vec![Bytes::from_static(b"DEL"), Bytes::from_static(b"lock")];
        assert_eq!(
            said(None, RequestEvent::Taken { server: Service::Redis, argv, value: None }),
            [
                "Redis executes DEL lock, which a machine sent before it crashed",
                "Redis 执行 DEL lock，这是一台机器在宕机前发出的"
            ]
        );
    }
}
