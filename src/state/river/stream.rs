//! A stream and its users: log, groups, and clients that read it without a group.
use std::rc::Rc;

use bytes::Bytes;
use redis_model::value::stream::Id;
use redis_model::value::{Stream, Value};
use redis_model::{Blocked, Reading, WaitReason};
use world::{ClientIndex, Step, World};

use super::ask::group_of;
use super::group::{EntryStatus, Group, Most, Speaker, Waiter, entry_status, groups};
use super::log::Log;
use super::past::Past;
use super::waits::{Waits, waiting_for};
use crate::state::key::KeyName;

/// A client that reads a stream without a group (`XREAD`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamReader {
    /// The client.
    pub client: ClientIndex,
    /// The id after which it waits, or else the last one that it got.
    pub last_id: Id,
    /// How many places of the log are at or before that id.
    pub place: usize,
    /// How many entries it got.
    pub taken: usize,
    /// Whether it is still connected.
    pub is_here: bool,
    /// Its wait for new entries, if it is blocked.
    pub waits: Option<Waits>,
}

/// A stream at the cursor.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Its key.
    pub key: KeyName,
    /// Its log.
    pub log: Log,
    /// Its groups, by name.
    pub groups: Vec<Group>,
    /// How many groups are left out.
    pub more_groups: usize,
    /// Clients that read it without a group, by client.
    pub readers: Vec<StreamReader>,
    /// The clock of its node, Unix time in ms.
    pub clock_ms: u64,
    /// The world's clock, Unix time in ms.
    pub now_ms: u64,
    /// The cursor's position on the path.
    pub position: usize,
}

impl Picture {
    /// The picture of this key, if it holds a stream. `last` is the step before the cursor, which gives the marks; `position` is the
    /// cursor's.
    pub fn of(
        world: &World,
        key: &KeyName,
        last: Option<&Step>,
        past: &Past,
        position: usize,
        most: Most,
    ) -> Option<Picture> {
        let Value::Stream(now) = &key.entry(world)?.value else { return None };
        // A stream that the step created was empty before.
        let before = last.and_then(|step| key.before(&step.events)).map(|before| {
            match before.as_ref().map(|entry| &entry.value) {
                Some(Value::Stream(stream)) => Rc::clone(stream),
                _ => Rc::new(Stream::new()),
            }
        });
        let log = Log::of(now, before.as_ref());
        let (clock_ms, now_ms) = (world.clock_ms(key.database.node), world.now_ms());
        let waiting = waiting(world, key);
        let speaker = |group: &Bytes, consumer: &Bytes| {
            let client = past.of(key, group, consumer, position);
            let is_here = client.is_some_and(|client| is_here(world, client));
            Speaker { client, is_here, passed: past.passed(key, group, consumer, position) }
        };
        let (mut groups, more_groups) = groups(&log, now, before.as_ref(), clock_ms, most, &speaker);
        for Waiting { client, waits, what } in &waiting {
            if let Awaited::In(name, consumer) = what
                && let Some(group) = groups.iter_mut().find(|group| group.name == *name)
            {
                group.waiting.push(Waiter { client: *client, consumer: consumer.clone(), waits: *waits });
            }
        }
        let readers = readers(world, key, &log, &waiting, past, position);
        Some(Picture { key: key.clone(), log, groups, more_groups, readers, clock_ms, now_ms, position })
    }

    /// The status of an entry in a group.
    pub fn entry_status(&self, group: &Group, id: Id, past: &Past) -> EntryStatus {
        let how = past.how(&self.key, &group.name, id, self.position);
        entry_status(&self.log, &group.name, id, self.clock_ms, how)
    }

    /// The places that the last step changed, from the first to the last.
    pub fn changed(&self) -> Option<(usize, usize)> {
        let place = |id: Id| self.log.places_until(id).checked_sub(1);
        let moves = self.groups.iter().flat_map(|group| &group.moves).filter_map(|moved| place(moved.id));
        let new = self.log.changed_at_end();
        let all: Vec<usize> = moves.chain(new).collect();
        Some((*all.iter().min()?, *all.iter().max()?))
    }
}

/// A client that waits for a stream to grow.
struct Waiting {
    client: ClientIndex,
    waits: Waits,
    what: Awaited,
}

enum Awaited {
    /// For entries after this id.
    Behind(Id),
    /// For entries that are new to this group, as this consumer.
    In(Bytes, Bytes),
}

/// The clients that wait for this stream to grow, in the order in which they will be served.
fn waiting(world: &World, key: &KeyName) -> Vec<Waiting> {
    let waiting = waiting_for(world, key);
    waiting
        .filter_map(|(client, blocked, waits)| Some(Waiting { client, waits, what: awaited(blocked, key)? }))
        .collect()
}

fn awaited(blocked: &Blocked, key: &KeyName) -> Option<Awaited> {
    let WaitReason::Keys { keys, reading: Some(reading), .. } = &blocked.wait.reason else { return None };
    let nth = keys.iter().position(|name| *name == key.key)?;
    Some(match reading {
        Reading::After(ids) => Awaited::Behind(*ids.get(nth)?),
        Reading::Group(group) => Awaited::In(group.clone(), group_of(&blocked.argv)?.1),
    })
}

fn readers(
    world: &World,
    key: &KeyName,
    log: &Log,
    waiting: &[Waiting],
    past: &Past,
    position: usize,
) -> Vec<StreamReader> {
    let mut readers: Vec<StreamReader> = Vec::new();
    for (client, last_id, taken) in past.readers(key, position) {
        let is_here = is_here(world, client);
        readers.push(StreamReader { client, last_id, place: log.places_until(last_id), taken, is_here, waits: None });
    }
    for Waiting { client, waits, what } in waiting {
        let Awaited::Behind(id) = what else { continue };
        let place = log.places_until(*id);
        match readers.iter_mut().find(|reader| reader.client == *client) {
            Some(reader) => {
                (reader.last_id, reader.place, reader.waits) = (*id, place, Some(*waits));
            }
            None => readers.push(StreamReader {
                client: *client,
                last_id: *id,
                place,
                taken: 0,
                is_here: true,
                waits: Some(*waits),
            }),
        }
    }
    readers.sort_by_key(|reader| reader.client);
    readers
}

fn is_here(world: &World, client: ClientIndex) -> bool {
    world.connection(client).is_some()
}
