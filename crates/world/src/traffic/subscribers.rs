//! Subscriptions: each machine has one connection to the Redis server for messages, and handles them one at a time, in order.
//!
//! ```text
//!   start(): subscribe('c') ──SUBSCRIBE c──▶ Redis ──confirmed──▶ subscribed('c')
//!                             PUBLISH c x ──▶ Redis ──x──────────▶ [waiting …] ─▶ message('c', 'x')
//!   connection lost ─▶ 100 ms later SUBSCRIBE c again ─▶ subscribed('c'): messages in between never come
//! ```
//!
//! `message` and `subscribed` run beside the workers of the machine, like the listener thread of a client library: no request waits for
//! them, and they take no worker. The connection is an ordinary one of the server, at the place of the thread [`SUBSCRIBER`].
#[cfg(test)]
pub(super) mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::hash::{Hash, Hasher};

use bytes::Bytes;
use resp::Value;
use script::program::{Programs, Reply, Thread};

use super::event::RequestEvent;
use super::limit::HandlerLimit;
use super::machines::{Job, Task, Worker};
use super::pieces::Piece;
use super::{Around, Due, MS, Message, Traffic, US, WorkerThread};

/// The thread that has the subscriber's connection. Threads of handlers are numbered from 0.
pub(super) const SUBSCRIBER: Thread = Thread::MAX;
/// A machine that lost its subscription subscribes again after this time, in ms.
pub const RESUBSCRIBE_MS: u64 = 100;
/// Maximum number of channels of a machine.
const CHANNELS_MAX: usize = 100;
/// Maximum length of a channel's name, in bytes.
const CHANNEL_BYTES_MAX: usize = 1_024;
/// Maximum number of messages that wait at one machine, and at all machines together.
const WAITING_MAX: usize = 10_000;
const ALL_WAITING_MAX: usize = 200_000;
/// Maximum size of the messages that wait at one machine: a soft limit of `client-output-buffer-limit pubsub` in Redis.
const WAITING_BYTES_MAX: usize = 8 << 20;
/// Maximum number of messages in flight to all machines.
const IN_FLIGHT_MAX: u64 = 200_000;

/// The subscribers of all machines; empty unless a handler subscribes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Subscribers {
    machines: BTreeMap<u32, Subscriber>,
    /// Messages in flight from the server.
    in_flight: u64,
}

impl Hash for Subscribers {
    /// Traffic without subscribers has the hash that it had before there were subscribers.
    fn hash<H: Hasher>(&self, state: &mut H) {
        if !self.machines.is_empty() {
            self.machines.hash(state);
            self.in_flight.hash(state);
        }
    }
}

/// The subscriber of one machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Subscriber {
    /// Its channels, in the order of subscription.
    channels: Vec<Bytes>,
    /// Number of connections that it has lost. What was sent on a lost connection is ignored.
    lost: u64,
    /// Commands sent and not yet confirmed, oldest first.
    unconfirmed: VecDeque<Unconfirmed>,
    /// Will it subscribe again?
    is_due: bool,
    /// More messages came than it may keep: it closes the connection.
    is_overrun: bool,
    /// What `message` or `subscribed` must still be called with, and its size in bytes.
    waiting: VecDeque<Notice>,
    waiting_bytes: usize,
    /// What the running call is for.
    current: Option<Notice>,
    worker: Worker,
}

/// A `SUBSCRIBE` that is not confirmed yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Unconfirmed {
    /// Number of channels that are not confirmed.
    channels: usize,
    /// The thread of `start` that waits for it, with the number of its question.
    asker: Option<(WorkerThread, u64)>,
}

/// What happened to a subscription.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Notice {
    /// Messages of this channel come from now on.
    Subscribed { channel: Bytes },
    /// A message.
    Message { channel: Bytes, text: Bytes },
}

impl Notice {
    fn bytes(&self) -> usize {
        match self {
            Notice::Subscribed { channel } => channel.len(),
            Notice::Message { channel, text } => channel.len().saturating_add(text.len()),
        }
    }
}

impl Subscriber {
    /// A machine of this many has too many messages waiting.
    fn is_full(&self, machines: u32) -> bool {
        let most = ALL_WAITING_MAX / machines.max(1) as usize;
        self.waiting.len() >= most.min(WAITING_MAX) || self.waiting_bytes > WAITING_BYTES_MAX
    }

    fn take_notice(&mut self) -> Option<Notice> {
        let notice = self.waiting.pop_front()?;
        self.waiting_bytes = self.waiting_bytes.saturating_sub(notice.bytes());
        Some(notice)
    }
}

impl Subscribers {
    pub(super) fn worker(&self, machine: u32) -> Option<&Worker> {
        self.machines.get(&machine).map(|found| &found.worker)
    }

    pub(super) fn worker_mut(&mut self, machine: u32) -> Option<&mut Worker> {
        self.machines.get_mut(&machine).map(|found| &mut found.worker)
    }

    /// What the running call of a machine is for.
    pub(super) fn current(&self, machine: u32) -> Option<&Notice> {
        self.machines.get(&machine)?.current.as_ref()
    }
}

impl Traffic {
    /// The machine whose subscriber this is; `None` for a worker. Subscribers are numbered after the workers.
    pub(super) fn subscriber_of(&self, worker: u32) -> Option<u32> {
        (worker as usize).checked_sub(self.workers.len()).and_then(|machine| u32::try_from(machine).ok())
    }

    /// The place of a machine's subscriber connection.
    fn subscriber_place(&self, machine: u32) -> WorkerThread {
        let workers = u32::try_from(self.workers.len()).unwrap_or(u32::MAX);
        WorkerThread { worker: workers.saturating_add(machine), thread: SUBSCRIBER }
    }

    /// The number of the connection at a subscriber's place.
    pub(super) fn subscription(&self, place: WorkerThread) -> u64 {
        let machine = self.subscriber_of(place.worker);
        machine.and_then(|machine| self.subscribers.machines.get(&machine)).map_or(0, |found| found.lost)
    }

    /// A thread of `start` subscribes its machine; returns the answer if there is one at once.
    pub(super) fn subscribe(&mut self, place: WorkerThread, task: &mut Task, channels: &[Bytes]) -> Option<Reply> {
        let error = |text: String| Some(Reply::Value(Value::error(text)));
        if !task.is_start() || self.subscriber_of(place.worker).is_some() {
            return error("subscribe only works in start(), for the machine as a whole".to_owned());
        }
        if channels.iter().any(|channel| channel.len() > CHANNEL_BYTES_MAX) {
            return error(format!("the name of a channel has at most {CHANNEL_BYTES_MAX} bytes"));
        }
        let machine = self.machine_of(place.worker);
        let subscriber = self.subscribers.machines.entry(machine).or_default();
        let mut all = subscriber.channels.clone();
        for channel in channels {
            if !all.contains(channel) {
                all.push(channel.clone());
            }
            if all.len() > CHANNELS_MAX {
                return error(format!("a machine subscribes to at most {CHANNELS_MAX} channels"));
            }
        }
        subscriber.channels = all;
        let ask = self.note_ask(place, task);
        self.send_subscribe(machine, channels.to_vec(), Some((place, ask)));
        None
    }

    /// Sends the command that subscribes.
    fn send_subscribe(&mut self, machine: u32, channels: Vec<Bytes>, asker: Option<(WorkerThread, u64)>) {
        let place = self.subscriber_place(machine);
        let arrives_ns = self.now_ns.saturating_add(u64::from(self.settings.network_us).saturating_mul(US));
        let Some(subscriber) = self.subscribers.machines.get_mut(&machine) else { return };
        subscriber.unconfirmed.push_back(Unconfirmed { channels: channels.len(), asker });
        let ask = subscriber.lost;
        self.emit_for(place, None, || RequestEvent::Subscribes { channels: channels.clone() });
        let mut said = vec![Bytes::from_static(b"SUBSCRIBE")];
        said.extend(channels);
        self.to_redis.push_back((arrives_ns, Message { place, ask, said }));
    }

    /// A machine that lost its subscription subscribes again.
    pub(super) fn resubscribe(&mut self, machine: u32) {
        let Some(subscriber) = self.subscribers.machines.get_mut(&machine) else { return };
        subscriber.is_due = false;
        let channels = subscriber.channels.clone();
        self.send_subscribe(machine, channels, None);
    }

    /// The server sends a message or a confirmation to a subscriber.
    pub(super) fn push_to_subscriber(&mut self, place: WorkerThread, value: Value) {
        let Some(machine) = self.subscriber_of(place.worker).filter(|machine| !self.is_down(*machine)) else { return };
        let Some(subscriber) = self.subscribers.machines.get_mut(&machine) else { return };
        if subscriber.is_overrun {
            return;
        }
        let value = if self.subscribers.in_flight < IN_FLIGHT_MAX {
            self.subscribers.in_flight = self.subscribers.in_flight.saturating_add(1);
            value
        } else {
            subscriber.is_overrun = true;
            Value::error("overrun")
        };
        let ask = subscriber.lost;
        // It leaves when the current command ends, as the reply does. A message that took no time could cause itself for ever.
        let network_ns = u64::from(self.settings.network_us).saturating_mul(US).max(US);
        let at_ns = self.now_ns.max(self.redis_busy_ns).saturating_add(network_ns);
        let at = self.from_redis.partition_point(|(other_ns, _)| *other_ns <= at_ns);
        self.from_redis.insert(at, (at_ns, Message { place, ask, said: Reply::Value(value) }));
    }

    /// Something arrives at a subscriber: a message, a confirmation, or the end of its connection.
    pub(super) fn hear_subscription(&mut self, message: Message<Reply>, around: &mut Around<'_>) {
        let Message { place, ask, said } = message;
        let (Some(machine), Reply::Value(value)) = (self.subscriber_of(place.worker), said) else { return };
        let is_push = matches!(value, Value::Push(_) | Value::Array(_));
        if is_push {
            self.subscribers.in_flight = self.subscribers.in_flight.saturating_sub(1);
        }
        if self.subscriptions_lost(machine) != Some(ask) {
            return;
        }
        match value {
            Value::Push(words) | Value::Array(words) => match words.as_slice() {
                [Value::Bulk(kind), Value::Bulk(channel), Value::Bulk(text)] if kind.as_ref() == b"message" => {
                    let (channel, text) = (channel.clone(), text.clone());
                    self.emit_for(place, None, || RequestEvent::Message {
                        channel: channel.clone(),
                        text: text.clone(),
                    });
                    self.notify(machine, Notice::Message { channel, text }, around);
                }
                [Value::Bulk(kind), Value::Bulk(channel), _] if kind.as_ref() == b"subscribe" => {
                    self.confirm(machine, channel.clone(), around);
                }
                _ => {}
            },
            Value::Error(why) => self.lose_subscription(machine, why.as_ref(), around),
            _ => {}
        }
    }

    fn subscriptions_lost(&self, machine: u32) -> Option<u64> {
        self.subscribers.machines.get(&machine).map(|found| found.lost)
    }

    /// The server has confirmed a channel.
    fn confirm(&mut self, machine: u32, channel: Bytes, around: &mut Around<'_>) {
        let place = self.subscriber_place(machine);
        self.emit_for(place, None, || RequestEvent::Subscribed { channel: channel.clone() });
        self.pieces.push(Piece::Confirmed { machine });
        self.notify(machine, Notice::Subscribed { channel }, around);
    }

    /// A subscriber has handled the confirmation of a channel, or has put it off.
    pub(super) fn has_confirmed(&mut self, machine: u32, programs: &Programs) {
        let Some(subscriber) = self.subscribers.machines.get_mut(&machine) else { return };
        let Some(oldest) = subscriber.unconfirmed.front_mut() else { return };
        oldest.channels = oldest.channels.saturating_sub(1);
        if oldest.channels == 0
            && let Some(Unconfirmed { asker: Some((asker, ask)), .. }) = subscriber.unconfirmed.pop_front()
        {
            self.hear(asker, ask, (None, Reply::Nothing), programs);
        }
    }

    /// A subscriber has lost its connection, or the server rejected its command: it subscribes again later.
    fn lose_subscription(&mut self, machine: u32, why: &[u8], around: &mut Around<'_>) {
        let place = self.subscriber_place(machine);
        self.emit_for(place, None, || RequestEvent::Unsubscribed);
        let Some(subscriber) = self.subscribers.machines.get_mut(&machine) else { return };
        subscriber.lost = subscriber.lost.saturating_add(1);
        let askers: Vec<_> = subscriber.unconfirmed.drain(..).filter_map(|command| command.asker).collect();
        let was_due = std::mem::replace(&mut subscriber.is_due, true);
        if std::mem::take(&mut subscriber.is_overrun) {
            subscriber.waiting.clear();
            subscriber.waiting_bytes = 0;
            self.blame(HandlerLimit::Messages.message(None));
            self.disconnect_redis(place, around);
        }
        if !was_due {
            self.asks = self.asks.saturating_add(1);
            let at_ns = self.now_ns.saturating_add(RESUBSCRIBE_MS.saturating_mul(MS));
            self.due.insert((at_ns, self.asks), Due::Subscribe { machine });
        }
        // The first asker comes first.
        for (place, ask) in askers.into_iter().rev() {
            let said = Value::error(String::from_utf8_lossy(why).into_owned());
            self.pieces.push(Piece::Hear { place, ask, said });
        }
    }

    /// A machine has crashed: its subscriber is as new. What is in flight to it is ignored when it arrives.
    pub(super) fn lose_subscriber(&mut self, machine: u32) {
        if let Some(subscriber) = self.subscribers.machines.get_mut(&machine) {
            *subscriber = Subscriber { lost: subscriber.lost.saturating_add(1), ..Subscriber::default() };
        }
    }

    /// A machine handles a notice, once it has handled what came before.
    fn notify(&mut self, machine: u32, notice: Notice, around: &mut Around<'_>) {
        let machines = self.settings.machines;
        let Some(subscriber) = self.subscribers.machines.get_mut(&machine) else { return };
        if subscriber.is_full(machines) {
            subscriber.is_overrun = true;
            return self.lose_subscription(machine, b"", around);
        }
        subscriber.waiting_bytes = subscriber.waiting_bytes.saturating_add(notice.bytes());
        subscriber.waiting.push_back(notice);
        if subscriber.worker.task.is_none() {
            self.handle_next(machine, around.programs);
        }
    }

    fn handle_next(&mut self, machine: u32, programs: &Programs) {
        let worker = self.subscriber_place(machine).worker;
        if self.take_on_notice(worker) {
            self.serve(worker, None, programs);
        }
    }

    /// A subscriber starts a call for the next notice; returns whether there is one.
    pub(super) fn take_on_notice(&mut self, worker: u32) -> bool {
        let subscriber = self.subscriber_of(worker).and_then(|machine| self.subscribers.machines.get_mut(&machine));
        let Some(subscriber) = subscriber else { return false };
        subscriber.current = subscriber.take_notice();
        let has_notice = subscriber.current.is_some();
        if has_notice {
            self.take_on(worker, Job::start());
        }
        has_notice
    }
}
