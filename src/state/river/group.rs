//! A consumer group: how far it has been delivered, and what each consumer holds.
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
    /// The last id that was delivered to it.
    pub last_id: Id,
    /// How many places of the log lie before its cursor.
    pub place: usize,
    /// The same before the last step, if that moved it. A new group has come from nowhere.
    pub was_at: Option<usize>,
    /// Was it made by the last step?
    pub is_new: bool,
    /// How many entries it has still to read; nothing where Redis cannot tell either.
    pub lag: Option<u64>,
    /// How many entries were delivered and are not acknowledged.
    pub pending: usize,
    /// Its consumers, by name.
    pub consumers: Vec<Consumer>,
    /// Who waits for it to have something new, in the order in which they are served. A consumer that was never given anything need not
    /// be known to the group.
    pub waiting: Vec<Waiter>,
    /// How many pending entries lie before the first node of the log: they were trimmed, or deleted with their node.
    pub lost: usize,
    /// What the last step did to entries in it, by id, at most [`MOVES_MAX`].
    pub moves: Vec<Move>,
}

impl Group {
    /// The oldest entry that somebody holds: a consumer of Kafka would have committed what is before it, and no more.
    pub fn oldest_pending(&self) -> Option<Id> {
        self.consumers.iter().filter_map(|consumer| consumer.chips.first()).map(|chip| chip.id).min()
    }
}

/// A client that waits in a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiter {
    /// The client.
    pub client: ClientIndex,
    /// The consumer as which it reads.
    pub consumer: Bytes,
    /// Since when, and until when.
    pub waits: Waits,
}

/// A member of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consumer {
    /// Its name.
    pub name: Bytes,
    /// The client that has spoken for it last.
    pub client: Option<ClientIndex>,
    /// Is that client still connected?
    pub is_here: bool,
    /// For how long it has been silent, in ms.
    pub silent_ms: u64,
    /// How many entries it holds.
    pub pending: usize,
    /// How many it was given with `NOACK`, which are never pending.
    pub passed: usize,
    /// The first ones of those that it holds.
    pub chips: Vec<Chip>,
}

/// An entry in somebody's hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chip {
    /// Its id.
    pub id: Id,
    /// How long ago it was delivered, in ms; negative where that was set into the future.
    pub idle_ms: i64,
    /// How often it was delivered.
    pub deliveries: u64,
    /// Is the entry still in the log? What was deleted can be held, and no longer be read.
    pub is_in_log: bool,
    /// What the last step did to it: delivered it, or took it from another consumer or delivered it again.
    pub mark: Mark,
    /// Who held it before the last step, if that was somebody else.
    pub from: Option<Bytes>,
}

/// What has become of an entry in a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stand {
    /// It lies ahead of the cursor.
    Ahead,
    /// A consumer holds it.
    Held {
        /// Which.
        consumer: Bytes,
        /// Since when, and how often it was delivered.
        chip: Chip,
    },
    /// It was delivered and is no longer pending.
    Done {
        /// Who held it before the last step.
        by: Option<Bytes>,
    },
    /// It was handed out with `NOACK`: no one ever held it.
    Passed,
    /// The cursor was set behind it: no one was given it.
    Skipped,
    /// It was held and never acknowledged: deleted, or gone with its consumer.
    Dropped,
}

/// What the last step did to an entry in a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Its id.
    pub id: Id,
    /// Who held it before; nothing: it was delivered.
    pub from: Option<Bytes>,
    /// Who holds it now; nothing: it was acknowledged, or went with its consumer.
    pub to: Option<Bytes>,
}

/// Moves that are listed: a group of thousands may be destroyed at once.
pub const MOVES_MAX: usize = 1_000;

/// The client that speaks for a consumer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Speaker {
    /// The client.
    pub client: Option<ClientIndex>,
    /// Whether it is connected.
    pub is_here: bool,
    /// How many entries it was given with `NOACK`.
    pub passed: usize,
}

/// How much of a stream is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// Groups: those that the last step changed before the others.
    pub groups: usize,
    /// Entries of one consumer: the oldest.
    pub chips: usize,
}

/// The groups of a stream, and how many more there are. `speaker` knows who speaks for a consumer of a group.
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

/// Has a step changed this group, which was so before? A new one counts where the step changed the stream.
pub fn is_moved(was: Option<&stream::Group>, group: &stream::Group, is_changed: bool) -> bool {
    was.map_or(is_changed, |was| was.last_id() != group.last_id() || group.pending_since(was).next().is_some())
}

/// What has become of an entry in a group.
pub fn stand(log: &Log, name: &Bytes, id: Id, now_ms: u64, how: Option<How>) -> Stand {
    let Some(group) = log.stream().group(name) else { return Stand::Ahead };
    let was = log.stream_before().and_then(|before| before.group(name));
    let is_changed = log.stream_before().is_some();
    if let (Some(held), Some(chip)) = (group.pending_entry(id), chip(log, group, was, is_changed, id, now_ms)) {
        return Stand::Held { consumer: held.consumer.clone(), chip };
    }
    let held_before = was.and_then(|was| was.pending_entry(id)).map(|held| held.consumer.clone());
    match how {
        _ if id > group.last_id() => Stand::Ahead,
        Some(How::Passed) => Stand::Passed,
        Some(How::Skipped) => Stand::Skipped,
        Some(How::Dropped) => Stand::Dropped,
        Some(How::Delivered) | None => Stand::Done { by: held_before },
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
