//! The Redis server's event loop while traffic runs event by event: readable sockets, the command that its thread executes, and replies.
//!
//! ```text
//!   readable sockets        the thread          replies on their way
//!   #9 GET item:4    ─────▶  #7 KEYS sale:*  ─────▶  #5 v0-12
//!   #8 GET item:1
//! ```
//! Waiting commands and replies are part of the world. The words of the executing command are known only from the steps: it is the last
//! command that the server took, if all steps since then are single events, no other client sent a command, and it has not finished.
use bytes::Bytes;
use resp::Value;
use world::traffic::TrafficAct;
use world::traffic::event::{RequestEvent, Service, TrafficEvent};
use world::traffic::seen::Sender;
use world::{EventKind, Input, Step, Timeline};

/// Most waiting commands that are shown, and most replies.
pub const SHOWN_MAX: usize = 8;
/// How many steps are searched for the executing command.
const STEPS_MAX: usize = 1_000;

/// The queue as shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RedisQueue {
    /// The executing command; `None` if there is none or it is unknown.
    pub executes: Option<Queued>,
    /// How much longer the server is busy, in ns.
    pub busy_ns: u64,
    /// The first waiting commands, the next one first.
    pub waiting: Vec<Queued>,
    /// How many more wait.
    pub more: u64,
    /// The first replies on their way, the next one to arrive first.
    pub replies: Vec<(Sender, Value)>,
    /// How many more replies there are.
    pub more_replies: u64,
}

/// A command and its sender.
pub type Queued = (Sender, Vec<Bytes>);

/// The steps up to the cursor, the last one first.
fn back(timeline: &Timeline) -> impl Iterator<Item = &Step> {
    (0..timeline.position()).rev().take(STEPS_MAX).filter_map(|place| timeline.step_at(place)).map(AsRef::as_ref)
}

/// Whether traffic may have advanced in this step. Other inputs take no time.
fn takes_time(step: &Step) -> bool {
    let takes = |act: &TrafficAct| !matches!(act, TrafficAct::Crash { .. } | TrafficAct::Restart { .. });
    match &step.input {
        Input::Traffic { act } => takes(act),
        other => matches!(other, Input::Advance { .. }),
    }
}

/// Whether this step is a single traffic event.
fn is_event(step: &Step) -> bool {
    matches!(step.input, Input::Traffic { act: TrafficAct::Step })
}

/// Whether traffic runs event by event at the cursor. Then the reader's clock is stopped.
pub fn is_by_event(timeline: &Timeline) -> bool {
    back(timeline).find(|step| takes_time(step)).is_some_and(is_event)
}

/// The queue at the cursor; `None` if traffic does not run event by event.
pub fn queue(timeline: &Timeline) -> Option<RedisQueue> {
    let traffic = timeline.world().traffic().filter(|_| is_by_event(timeline))?;
    let line = traffic.redis_line(SHOWN_MAX);
    Some(RedisQueue {
        executes: line.executes.and_then(|sender| Some((sender, taken_last(timeline, &sender)?))),
        busy_ns: line.busy_ns,
        waiting: line.waiting,
        more: line.more,
        replies: line.replies,
        more_replies: line.more_replies,
    })
}

/// The words of the last command that the server took, if it is this sender's and the steps since then leave no doubt.
fn taken_last(timeline: &Timeline, sender: &Sender) -> Option<Vec<Bytes>> {
    let is_typed = |step: &Step| step.events.iter().any(|event| matches!(event.kind, EventKind::Command { .. }));
    let mut events = back(timeline).take_while(|step| if takes_time(step) { is_event(step) } else { !is_typed(step) });
    let (event, argv) = events.find_map(|step| step.events.iter().rev().find_map(taken))?;
    (event.request == sender.request && event.machine == Some(sender.machine)).then(|| argv.to_vec())
}

/// The command that the server took in this event.
fn taken(event: &world::Event) -> Option<(&TrafficEvent, &[Bytes])> {
    let EventKind::Traffic { event } = &event.kind else { return None };
    let RequestEvent::Taken { server: Service::Redis, argv, .. } = &event.what else { return None };
    Some((event.as_ref(), argv.as_slice()))
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use world::traffic::settings::{RatePoint, TrafficSettings};
    use world::{Engines, NodeSettings, Settings};

    use super::*;

    /// Traffic with commands that take longer than the time between requests.
    fn timeline() -> Timeline {
        let nodes = vec![NodeSettings::default(), NodeSettings::table("db")];
        let mut timeline = Timeline::with_engines(Settings { nodes, ..Settings::default() }, &Engines::default());
        let rate = vec![RatePoint { at_ms: 0, per_s: 1_000 }];
        let settings = TrafficSettings { rate, redis_us: 5_000, ..TrafficSettings::default() };
        timeline.push(Input::Traffic { act: TrafficAct::Begin { settings: Rc::new(settings) } }).unwrap();
        timeline
    }

    fn step(timeline: &mut Timeline) {
        timeline.push(Input::Traffic { act: TrafficAct::Step }).unwrap();
    }

    #[test]
    fn commands_are_executed_in_queue_order() {
        let mut timeline = timeline();
        assert_eq!(queue(&timeline), None);
        step(&mut timeline);
        assert_eq!(queue(&timeline), Some(RedisQueue::default()));
        let mut executed = 0;
        let mut before: Option<RedisQueue> = None;
        for _ in 0..400 {
            step(&mut timeline);
            let now = queue(&timeline).unwrap();
            assert_eq!(now.executes.is_some(), now.busy_ns > 0, "{now:?}");
            assert!(now.waiting.len() <= SHOWN_MAX && (now.more == 0 || now.waiting.len() == SHOWN_MAX));
            if let Some(before) = before.filter(|before| before.executes != now.executes)
                && let Some(next) = before.waiting.first()
            {
                assert_eq!(now.executes.as_ref(), Some(next));
                // The reply to the command before is on its way: the same number, so its picture moves there.
                let (last, _) = before.executes.unwrap_or_else(|| next.clone());
                assert!(last == next.0 || now.replies.iter().any(|(sender, _)| *sender == last), "{now:?}");
                executed += 1;
            }
            before = Some(now);
        }
        assert!(executed > 10 && before.unwrap().more > 0);
    }

    #[test]
    fn unknown_executing_command_is_left_out() {
        let mut timeline = timeline();
        timeline.push(Input::Advance { ms: 50 }).unwrap();
        assert_eq!(queue(&timeline), None);
        step(&mut timeline);
        // The executing command was taken while time passed, unless this step itself took one.
        let first = timeline.step_at(timeline.position() - 1).unwrap();
        let is_taken = first.events.iter().any(|event| taken(event).is_some());
        let now = queue(&timeline).unwrap();
        assert!(!now.waiting.is_empty() && now.busy_ns > 0);
        assert_eq!(now.executes.is_some(), is_taken);
        // A typed input in between takes no time.
        timeline.push(Input::Connect { client: 0, name: "c1".to_owned() }).unwrap();
        assert_eq!(queue(&timeline), Some(now.clone()));
        // Then the server is busy with a typed command.
        while queue(&timeline).unwrap().executes.is_none() {
            step(&mut timeline);
        }
        let argv = vec![Bytes::from_static(b"PING")];
        let busy_ns = queue(&timeline).unwrap().busy_ns;
        timeline.push(Input::Command { client: 0, argv }).unwrap();
        let after = queue(&timeline).unwrap();
        assert_eq!((after.executes, after.busy_ns), (None, busy_ns + 5_000_000));
    }
}
