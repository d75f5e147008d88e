//! A consumer group: how far it has been delivered, and which entries each consumer holds.
use std::rc::Rc;

use bytes::Bytes;
use redis_model::value::Stream;
use redis_model::value::stream::{self, Id};
use world::ClientIndex;

use super::log::Log;
use super::past::How;
use super::waits::Waits;
use crate::state::few::few;
use crate::state::inside::Mark;

/// A group of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name.
    pub name: Bytes,
    /// The last delivered id.
    pub last_id: Id,
    /// How many places of the log are before its cursor.
    pub place: usize,
    /// That number before the last step, if the step changed it; `None` for a new group.
    pub was_at: Option<usize>,
    /// Whether the last step created it.
    pub is_new: bool,
    /// How many entries it has yet to read; `None` where Redis does not know it either.
    pub lag: Option<u64>,
    /// How many entries were delivered and not acknowledged.
    pub pending: usize,
    /// Its consumers, by name.
    pub consumers: Vec<Consumer>,
    /// Clients blocked on it, in the order in which they will be served. The group may not know a consumer yet that never got an entry.
    pub waiting: Vec<Waiter>,
    /// How many pending entries are older than the first node of the log: they were trimmed, or deleted with their node.
    pub lost: usize,
    /// What the last step did to its entries, by id, at most [`MOVES_MAX`].
    pub moves: Vec<Move>,
}

impl Group {
    /// The oldest pending entry: a Kafka consumer could commit only what comes before it.
    pub fn oldest_pending(&self) -> Option<Id> {
        self.consumers.iter().filter_map(|consumer| consumer.chips.first()).map(|chip| chip.id).min()
    }
}

/// A client that is blocked in a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiter {
    /// The client.
    pub client: ClientIndex,
    /// The consumer that it reads as.
    pub consumer: Bytes,
    /// The start and the timeout of its wait.
    pub waits: Waits,
}

/// A member of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consumer {
    /// Its name.
    pub name: Bytes,
    /// The client that last acted as this consumer.
    pub client: Option<ClientIndex>,
    /// Whether that client is still connected.
    pub is_here: bool,
    /// Time since its last activity, in ms.
    pub silent_ms: u64,
    /// How many entries it holds.
    pub pending: usize,
    /// How many entries it got with `NOACK`; they are never pending.
    pub passed: usize,
    /// The first entries that it holds.
    pub chips: Vec<Chip>,
}

/// A pending entry of a consumer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chip {
    /// Its id.
    pub id: Id,
    /// Time since its delivery, in ms; negative if that time was set into the future.
    pub idle_ms: i64,
    /// How often it was delivered.
    pub deliveries: u64,
    /// Whether the entry is still in the log. A deleted entry can still be pending, but not read.
    pub is_in_log: bool,
    /// What the last step did to it: delivered it, or claimed it from another consumer or delivered it again.
    pub mark: Mark,
    /// The consumer that held it before the last step, if it was another one.
    pub from: Option<Bytes>,
}

/// The status of an entry in a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryStatus {
    /// It is ahead of the cursor.
    Ahead,
    /// A consumer holds it.
    Held {
        /// The consumer.
        consumer: Bytes,
        /// Its delivery time and count.
        chip: Chip,
    },
    /// It was delivered and is no longer pending.
    Done {
        /// The consumer that held it before the last step.
        by: Option<Bytes>,
    },
    /// It was delivered with `NOACK`, so it was never pending.
    Passed,
    /// The cursor was set past it: no consumer got it.
    Skipped,
    /// It was pending and never acknowledged: it was deleted, or its consumer was.
    Dropped,
}

/// What the last step did to an entry in a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Its id.
    pub id: Id,
    /// The consumer that held it before; `None`: it was delivered.
    pub from: Option<Bytes>,
    /// The consumer that holds it now; `None`: it was acknowledged, or removed with its consumer.
    pub to: Option<Bytes>,
}

/// Most moves that are listed: a step may destroy a group with thousands of entries.
pub const MOVES_MAX: usize = 1_000;

/// The client that acts as a consumer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Speaker {
    /// The client.
    pub client: Option<ClientIndex>,
    /// Whether it is connected.
    pub is_here: bool,
    /// How many entries it got with `NOACK`.
    pub passed: usize,
}

/// How much of a stream is shown.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// Most groups; groups that the last step changed come first.
    pub groups: usize,
    /// Most entries per consumer; the oldest come first.
    pub chips: usize,
}

/// The groups of a stream, and how many are left out. `speaker` finds the client that acts as a consumer of a group.
pub fn groups(
    log: &Log,
    now: &Rc<Stream>,
    before: Option<&Rc<Stream>>,
    now_ms: u64,
    most: Most,
    speaker: &dyn Fn(&Bytes, &Bytes) -> Speaker,
) -> (Vec<Group>, usize) {
    let is_changed = before.is_some();
    let group = |(name, group): (&Bytes, &stream::Group)| {
        let was = before.and_then(|before| before.group(name));
        let consumers = group.consumers().map(|(consumer, found)| {
            let speaker = speaker(name, consumer);
            let chips = found.pending_ids().take(most.chips);
            Consumer {
                name: consumer.clone(),
                client: speaker.client,
                is_here: speaker.is_here,
                silent_ms: now_ms.saturating_sub(found.seen_ms()),
                pending: found.pending_len(),
                passed: speaker.passed,
                chips: chips.filter_map(|id| chip(log, group, was, is_changed, id, now_ms)).collect(),
            }
        });
        let consumers = consumers.collect();
        let place = log.places_until(group.last_id());
        let was_at = was.filter(|was| was.last_id() != group.last_id()).map(|was| log.places_until(was.last_id()));
        let holder = |held: Option<&stream::Pending>| held.map(|held| held.consumer.clone());
        let changed = was.into_iter().flat_map(|was| group.pending_since(was));
        let moves = changed.map(|change| Move { id: *change.key, from: holder(change.before), to: holder(change.now) });
        let first = now.nodes().next().map(stream::Node::id);
        Group {
            name: name.clone(),
            last_id: group.last_id(),
            place,
            was_at,
            is_new: is_changed && was.is_none(),
            lag: now.lag(group).map(|lag| lag.max(0).unsigned_abs()),
            pending: group.pending_len(),
            consumers,
            waiting: Vec::new(),
            lost: first.map_or(group.pending_len(), |first| group.pending_below(first)),
            moves: moves.take(MOVES_MAX).collect(),
        }
    };
    let was = |name: &[u8]| before.and_then(|before| before.group(name));
    let (named, more) =
        few(now.groups(), most.groups, |(name, group)| u8::from(!is_moved(was(name), group, is_changed)));
    (named.into_iter().map(group).collect(), more)
}

/// Whether a step changed this group from `was`. A new group counts only if the step changed the stream.
pub fn is_moved(was: Option<&stream::Group>, group: &stream::Group, is_changed: bool) -> bool {
    was.map_or(is_changed, |was| was.last_id() != group.last_id() || group.pending_since(was).next().is_some())
}

/// The status of an entry in a group.
pub fn entry_status(log: &Log, name: &Bytes, id: Id, now_ms: u64, how: Option<How>) -> EntryStatus {
    let Some(group) = log.stream().group(name) else { return EntryStatus::Ahead };
    let was = log.stream_before().and_then(|before| before.group(name));
    let is_changed = log.stream_before().is_some();
    if let (Some(held), Some(chip)) = (group.pending_entry(id), chip(log, group, was, is_changed, id, now_ms)) {
        return EntryStatus::Held { consumer: held.consumer.clone(), chip };
    }
    let held_before = was.and_then(|was| was.pending_entry(id)).map(|held| held.consumer.clone());
    match how {
        _ if id > group.last_id() => EntryStatus::Ahead,
        Some(How::Passed) => EntryStatus::Passed,
        Some(How::Skipped) => EntryStatus::Skipped,
        Some(How::Dropped) => EntryStatus::Dropped,
        Some(How::Delivered) | None => EntryStatus::Done { by: held_before },
    }
}

fn chip(
    log: &Log,
    group: &stream::Group,
    was: Option<&stream::Group>,
    is_changed: bool,
    id: Id,
    now_ms: u64,
) -> Option<Chip> {
    let held = group.pending_entry(id)?;
    let was = was.and_then(|was| was.pending_entry(id));
    let mark = match was {
        None if is_changed => Mark::New,
        Some(was) if was != held => Mark::Changed,
        _ => Mark::Same,
    };
    Some(Chip {
        id,
        idle_ms: held.idle_ms(now_ms),
        deliveries: held.deliveries,
        is_in_log: log.has(id),
        mark,
        from: was.filter(|was| was.consumer != held.consumer).map(|was| was.consumer.clone()),
    })
}
