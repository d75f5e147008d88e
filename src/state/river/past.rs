//! What keys do not store: which client acts as which consumer, what plain readers have read, how groups moved past entries, and which
//! client took what out of a list. Derived from the commands of a path, their replies and the keys they changed.
use std::collections::BTreeMap;
use std::rc::Rc;

use bytes::Bytes;
use redis_model::WaitReason;
use redis_model::value::Stream;
use redis_model::value::stream::{Group, Id, Node};
use resp::Value;
use world::{ClientIndex, Event, EventKind, KeyState, NodeIndex, Step, StepId};

use super::ask::{Ask, acks_of, ask, elements_of, given};
use super::asked::Asked;
use super::sums::Sums;
use crate::state::followed::Derive;
use crate::state::key::{Database, KeyName};

/// A stream, or a list used as a queue.
type StreamName = (NodeIndex, usize, Bytes);
/// A group of a stream.
pub type GroupName = (NodeIndex, usize, Bytes, Bytes);
/// A consumer of a group of a stream.
type ConsumerName = (NodeIndex, usize, Bytes, Bytes, Bytes);
/// A client and a stream that it reads without a group.
type ReaderName = (ClientIndex, NodeIndex, usize, Bytes);
/// A client and a list that it takes elements from.
type TakerName = (ClientIndex, NodeIndex, usize, Bytes);

/// Recorded values, each with the position of the path from which it holds.
pub type Noted<V> = Vec<(usize, V)>;

/// All records, each with the position of the path from which it holds.
#[derive(Debug, Default)]
pub struct Past {
    /// The client that acted as a consumer.
    spoken: BTreeMap<ConsumerName, Noted<ClientIndex>>,
    /// How many entries a consumer got with `NOACK`, in total.
    passed: BTreeMap<ConsumerName, Noted<usize>>,
    /// The last id that a plain reader got, and how many entries in total.
    read: BTreeMap<ReaderName, Noted<(Id, usize)>>,
    /// When a stream was created under a key: earlier records belong to another stream.
    made: BTreeMap<StreamName, Noted<()>>,
    /// How groups moved past entries; if there are several records for an entry, the latest counts.
    ways: BTreeMap<GroupName, Noted<Passage>>,
    /// The totals of groups.
    sums: BTreeMap<GroupName, Noted<Sums>>,
    /// What clients took out of lists.
    taken: BTreeMap<TakerName, Noted<Taken>>,
    /// Lists that a client took from or waited for: queues.
    queues: BTreeMap<StreamName, Noted<()>>,
    /// Which clients lost their connection.
    left: BTreeMap<ClientIndex, Noted<()>>,
    /// Which stream or queue changed.
    changed: Noted<StreamName>,
    /// Whether the current step runs a script or a transaction, which may deliver and acknowledge at once.
    is_compound: bool,
    /// What the commands of the current step acknowledge.
    acks: Vec<(GroupName, Id)>,
    /// Unanswered commands of each client, including those queued by its transaction.
    open: BTreeMap<ClientIndex, Open>,
}

/// How a group moved past entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// They were delivered to a consumer and became pending.
    Delivered,
    /// They were delivered with `NOACK`.
    Passed,
    /// The cursor was set past them (`XGROUP CREATE`, `XGROUP SETID`): no consumer got them.
    Skipped,
    /// They were pending and never acknowledged: they were deleted, or their consumer was.
    Dropped,
}

/// What a client took out of a list with one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The elements, in the order of the reply.
    pub elements: Rc<[Bytes]>,
    /// The list that they were moved to, if any.
    pub into: Option<Bytes>,
    /// When, Unix time in ms.
    pub at_ms: u64,
}

/// The entries after one id, up to another, and how the group moved past them; `None`: earlier records no longer count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Passage {
    behind: Id,
    until: Id,
    how: Option<How>,
}

/// The unanswered commands of a client.
pub type Open = Asked<Option<Ask>>;

impl Past {
    /// The client that last acted as a consumer, at a position of the path.
    pub fn of(&self, key: &KeyName, group: &Bytes, consumer: &Bytes, position: usize) -> Option<ClientIndex> {
        self.since(key, latest(&self.spoken, &name(key, group, consumer), position), position)
    }

    /// How many entries a consumer got with `NOACK`.
    pub fn passed(&self, key: &KeyName, group: &Bytes, consumer: &Bytes, position: usize) -> usize {
        let passed = latest(&self.passed, &name(key, group, consumer), position);
        self.since(key, passed, position).unwrap_or(0)
    }

    /// How a group moved past an entry, if known.
    pub fn how(&self, key: &KeyName, group: &Bytes, id: Id, position: usize) -> Option<How> {
        let Database { node, db } = key.database;
        let ways = self.ways.get(&(node, db, key.key.clone(), group.clone()))?;
        let until = ways.partition_point(|(at, _)| *at <= position);
        let is_past = |way: &Passage| way.behind < id && id <= way.until;
        ways.get(..until)?.iter().rev().find(|(_, way)| is_past(way)).and_then(|(_, way)| way.how)
    }

    /// The totals of a group.
    pub fn sums(&self, key: &KeyName, group: &Bytes, position: usize) -> Sums {
        let Database { node, db } = key.database;
        let name = (node, db, key.key.clone(), group.clone());
        latest(&self.sums, &name, position).map(|(_, sums)| sums).unwrap_or_default()
    }

    /// Clients that have read a stream without a group: the last id that each got, and how many entries in total.
    pub fn readers(&self, key: &KeyName, position: usize) -> Vec<(ClientIndex, Id, usize)> {
        let Database { node, db } = key.database;
        let of_key = self.read.keys().filter(|(_, at, in_db, name)| (*at, *in_db, name) == (node, db, &key.key));
        let read = |name: &ReaderName| {
            let (id, count) = self.since(key, latest(&self.read, name, position), position)?;
            Some((name.0, id, count))
        };
        of_key.filter_map(read).collect()
    }

    /// What each client last took out of a list, by client, each with the position after the step.
    pub fn taken(&self, key: &KeyName, position: usize) -> Vec<(ClientIndex, usize, Taken)> {
        let Database { node, db } = key.database;
        let of_key = self.taken.keys().filter(|(_, at, in_db, name)| (*at, *in_db, name) == (node, db, &key.key));
        let last = |name: &TakerName| latest(&self.taken, name, position).map(|(at, taken)| (name.0, at, taken));
        of_key.filter_map(last).collect()
    }

    /// Whether a client lost its connection in the step before position `since`, or in a later one.
    pub fn has_left_since(&self, client: ClientIndex, since: usize, position: usize) -> bool {
        latest(&self.left, &client, position).is_some_and(|(at, ())| at >= since)
    }

    /// Whether a client has taken from this list or waited for it.
    pub fn is_queue(&self, key: &KeyName, position: usize) -> bool {
        let Database { node, db } = key.database;
        latest(&self.queues, &(node, db, key.key.clone()), position).is_some()
    }

    /// At most `most` streams and queues of a node that have changed, each once, the most recent first.
    pub fn latest(&self, node: NodeIndex, position: usize, most: usize) -> Vec<KeyName> {
        let until = self.changed.partition_point(|(at, _)| *at <= position);
        let mut found: Vec<KeyName> = Vec::new();
        for (_, (of, db, key)) in self.changed.iter().take(until).rev().filter(|(_, (of, ..))| *of == node) {
            let name = Database { node: *of, db: *db }.key(key.clone());
            if found.len() < most && !found.contains(&name) {
                found.push(name);
            }
        }
        found
    }

    /// The last position at which a stream or queue of a node changed.
    pub fn changed_at(&self, node: NodeIndex, position: usize) -> Option<usize> {
        let until = self.changed.partition_point(|(at, _)| *at <= position);
        self.changed.get(..until)?.iter().rev().find(|(_, (of, ..))| *of == node).map(|(at, _)| *at)
    }

    /// The record, if it belongs to the stream that exists at this position.
    fn since<T>(&self, key: &KeyName, noted: Option<(usize, T)>, position: usize) -> Option<T> {
        let Database { node, db } = key.database;
        let made = self.made_at(&(node, db, key.key.clone()), position);
        noted.filter(|(at, _)| *at >= made).map(|(_, what)| what)
    }

    /// The position from which a stream exists.
    fn made_at(&self, stream: &StreamName, position: usize) -> usize {
        latest(&self.made, stream, position).map_or(0, |(at, ())| at)
    }

    fn hear(&mut self, position: usize, now_ms: u64, event: &Event) {
        match &event.kind {
            EventKind::Command { client, argv, db, is_in_multi } => {
                let Some(node) = event.node else { return };
                let command = argv.first().map(|name| name.to_ascii_uppercase()).unwrap_or_default();
                self.is_compound |= command == b"EXEC" || command.starts_with(b"EVAL") || command.starts_with(b"FCALL");
                let ask = ask(node, *db, &command, argv);
                let open = self.open.entry(*client).or_default();
                if !*is_in_multi {
                    self.acks.extend(acks_of(ask.iter()));
                } else if command == b"EXEC" {
                    self.acks.extend(acks_of(open.queued().flatten()));
                }
                open.send(argv, *is_in_multi, ask);
            }
            EventKind::Reply { client, value, .. } => {
                let Some(open) = self.open.get_mut(client) else { return };
                for (ask, value) in open.answer(value) {
                    self.note_answer(position, now_ms, *client, ask.as_ref(), value);
                }
            }
            EventKind::Blocked { client, wait } => {
                if let Some(open) = self.open.get_mut(client) {
                    open.wait();
                }
                if let (Some(node), WaitReason::Keys { db, keys, type_name: "list" | "zset", .. }) =
                    (event.node, &wait.reason)
                {
                    for key in keys {
                        self.note_queue(position, (node, *db, key.clone()));
                    }
                }
            }
            EventKind::KeyChanged { key: (db, key), before, after } => {
                let Some(node) = event.node else { return };
                let stream = (node, *db, key.clone());
                if !is_stream(after) {
                    if self.is_known(&stream) {
                        self.note_change(position, stream);
                    }
                    return;
                }
                if !is_stream(before) {
                    self.made.entry(stream.clone()).or_default().push((position, ()));
                }
                self.note_ways(position, &stream, stream_of(before), stream_of(after));
                self.note_change(position, stream);
            }
            EventKind::Disconnected { client, .. } => {
                self.forget_asked(*client);
                self.left.entry(*client).or_default().push((position, ()));
            }
            EventKind::Connected { client } => self.forget_asked(*client),
            _ => {}
        }
    }

    /// The client's unanswered commands will not be answered.
    fn forget_asked(&mut self, client: ClientIndex) {
        if let Some(open) = self.open.get_mut(&client) {
            *open = Open::default();
        }
    }

    /// Whether it is known as a queue.
    fn is_known(&self, queue: &StreamName) -> bool {
        self.queues.get(queue).is_some_and(|noted| !noted.is_empty())
    }

    fn note_change(&mut self, position: usize, stream: StreamName) {
        if self.changed.last().is_none_or(|(_, last)| *last != stream) {
            self.changed.push((position, stream));
        }
    }

    fn note_queue(&mut self, position: usize, queue: StreamName) {
        let known = self.queues.entry(queue.clone()).or_default();
        if known.is_empty() {
            known.push((position, ()));
        }
        self.note_change(position, queue);
    }

    /// Records how the groups of a stream moved on.
    fn note_ways(&mut self, position: usize, stream: &StreamName, before: Option<&Stream>, after: Option<&Stream>) {
        let (node, db, key) = stream;
        for (name, group) in after.into_iter().flat_map(Stream::groups) {
            let full_name = (*node, *db, key.clone(), name.clone());
            let was = before.and_then(|before| before.group(name));
            let dropped: Vec<Id> = match was {
                Some(was) => self.dropped(&full_name, after, group, was).collect(),
                None => Vec::new(),
            };
            let mut sums = match was {
                Some(_) => self.sums_now(&full_name),
                None => Sums::at_first(group),
            };
            if let Some(was) = was {
                sums.change(was, group, &dropped, |id| self.was_delivered(&full_name, id));
            }
            self.set_sums(position, &full_name, sums);
            let ways = self.ways.entry(full_name.clone()).or_default();
            // What this step delivered with `NOACK` was recorded with its reply.
            let is_passed = |(at, way): &&(usize, Passage)| *at == position && way.how == Some(How::Passed);
            let passed: Vec<(usize, Passage)> = ways.iter().rev().take_while(is_passed).copied().collect();
            for id in dropped {
                let way = Passage { behind: id.previous().unwrap_or(Id::MIN), until: id, how: Some(How::Dropped) };
                add_way(ways, position, way);
            }
            if was.is_none() {
                ways.push((position, Passage { behind: Id::MIN, until: Id::MAX, how: None }));
            }
            // A stream that arrives with entries and groups (`RENAME`, `COPY`) does not show how its groups moved there.
            let has_come_whole = before.is_none() && after.is_some_and(|stream| stream.entries_added() > 0);
            let behind = match was {
                Some(was) => was.last_id(),
                None if has_come_whole => group.last_id(),
                None => Id::MIN,
            };
            // Entries added before a cursor (it was set beyond the end, or `XSETID` moved the end back) are never delivered.
            let end = before.map_or(Id::MIN, Stream::last_id);
            let until = after.map_or(Id::MIN, Stream::last_id).min(behind);
            if before.is_some() && end < until {
                let ways = self.ways.entry(full_name.clone()).or_default();
                add_way(ways, position, Passage { behind: end, until, how: Some(How::Skipped) });
            }
            if group.last_id() <= behind {
                continue;
            }
            let at_once = was.map_or(0, |was| self.delivered_and_done(position, &full_name, was, group, after));
            if at_once > 0 {
                sums.do_at_once(at_once);
                self.set_sums(position, &full_name, sums);
            }
            let ways = self.ways.entry(full_name).or_default();
            let is_passed = passed.first().is_some_and(|(_, way)| way.until == group.last_id() && way.behind <= behind);
            if !is_passed {
                let is_new = |id: &Id| *id > behind;
                let is_delivered = match was {
                    Some(was) => group.pending_since(was).any(|change| change.before.is_none() && is_new(change.key)),
                    None => group.pending_len() > 0,
                } || at_once > 0;
                let how = if is_delivered { How::Delivered } else { How::Skipped };
                add_way(ways, position, Passage { behind, until: group.last_id(), how: Some(how) });
            }
            // A transaction may deliver some entries normally and others with `NOACK`.
            if !is_passed || was.is_none() {
                ways.extend(passed.into_iter().rev());
            }
            // Entries deleted before the cursor arrived were never delivered.
            let marked = after.into_iter().flat_map(Stream::nodes).filter(|node| node.deleted() > 0);
            for (id, _) in marked.flat_map(Node::entries).filter(|(_, entry)| entry.is_deleted()) {
                if id > behind && id <= group.last_id() && group.pending_entry(id).is_none() {
                    add_way(
                        ways,
                        position,
                        Passage { behind: id.previous().unwrap_or(Id::MIN), until: id, how: Some(How::Skipped) },
                    );
                }
            }
        }
    }

    fn sums_now(&self, group: &GroupName) -> Sums {
        self.sums.get(group).and_then(|noted| noted.last()).map(|(_, sums)| *sums).unwrap_or_default()
    }

    fn set_sums(&mut self, position: usize, group: &GroupName, sums: Sums) {
        let noted = self.sums.entry(group.clone()).or_default();
        match noted.last_mut() {
            Some((at, last)) if *at == position => *last = sums,
            Some((_, last)) if *last == sums => {}
            _ => noted.push((position, sums)),
        }
    }

    /// How many entries a script or a transaction has read and acknowledged, or read with `NOACK`, within this one step: the cursor moved
    /// past them by reading, which Redis counts, and they are not pending.
    fn delivered_and_done(
        &self,
        position: usize,
        name: &GroupName,
        was: &Group,
        group: &Group,
        after: Option<&Stream>,
    ) -> usize {
        let has_read = group.entries_read().is_some() && group.entries_read() != was.entries_read();
        let Some(stream) = after.filter(|_| self.is_compound && has_read) else { return 0 };
        let (behind, until) = (was.last_id(), group.last_id());
        let in_between = |id: &Id| *id > behind && *id <= until;
        let nodes = stream.nodes().filter(|node| node.id() <= until);
        let live = nodes.flat_map(Node::entries).filter(|(id, entry)| in_between(id) && !entry.is_deleted()).count();
        let held = group.pending_since(was).filter(|change| change.before.is_none() && in_between(change.key)).count();
        // Entries delivered with `NOACK` were counted with their reply.
        let noted = self.sums.get(name).map(Vec::as_slice).unwrap_or_default();
        let passed = |of: Option<&(usize, Sums)>| of.map_or(0, |(_, sums)| sums.passed);
        let passed_now = passed(noted.last()).saturating_sub(passed(noted.iter().rev().find(|(at, _)| *at < position)));
        live.saturating_sub(held).saturating_sub(usize::try_from(passed_now).unwrap_or(usize::MAX))
    }

    /// Whether this entry was delivered before.
    fn was_delivered(&self, group: &GroupName, id: Id) -> bool {
        let ways = self.ways.get(group).map(Vec::as_slice).unwrap_or_default();
        let way = ways.iter().rev().find(|(_, way)| way.behind < id && id <= way.until);
        way.is_some_and(|(_, way)| matches!(way.how, Some(How::Delivered | How::Passed | How::Dropped)))
    }

    /// Entries that were pending before and were not acknowledged. The calls of a script are unknown: there, an entry counts as
    /// acknowledged if it is still in the log and its consumer still exists.
    fn dropped<'a>(
        &'a self,
        name: &'a GroupName,
        after: Option<&'a Stream>,
        group: &'a Group,
        was: &'a Group,
    ) -> impl Iterator<Item = Id> + 'a {
        let is_acked = move |id: Id| self.acks.iter().any(|(of, acked)| *acked == id && of == name);
        let is_there = move |id: Id| after.is_some_and(|stream| stream.get(id).is_some());
        let gone = group.pending_since(was).filter(|change| change.now.is_none());
        gone.filter_map(move |change| {
            let has_consumer = change.before.is_some_and(|held| group.consumer(&held.consumer).is_some());
            let is_done = is_acked(*change.key) || (has_consumer && is_there(*change.key));
            (!is_done).then_some(*change.key)
        })
    }

    fn note_answer(&mut self, position: usize, now_ms: u64, client: ClientIndex, ask: Option<&Ask>, value: &Value) {
        match ask {
            Some(Ask::Look { node, db, key }) => {
                if matches!(value, Value::Array(members) if !members.is_empty()) {
                    self.note_queue(position, (*node, *db, key.clone()));
                }
            }
            Some(Ask::Remove { node, db, key, members }) => {
                let queue = (*node, *db, key.clone());
                let is_all = matches!(value, Value::Integer(n) if usize::try_from(*n).ok() == Some(members.len()));
                if is_all && self.is_known(&queue) {
                    let taken = Taken { elements: Rc::clone(members), into: None, at_ms: now_ms };
                    self.taken.entry((client, *node, *db, key.clone())).or_default().push((position, taken));
                    self.note_change(position, queue);
                }
            }
            Some(Ask::Take { node, db, keys, into, shape }) => {
                let Some((key, elements)) = elements_of(keys, *shape, value) else { return };
                let taken = Taken { elements, into: into.clone(), at_ms: now_ms };
                self.taken.entry((client, *node, *db, key.clone())).or_default().push((position, taken));
                self.note_queue(position, (*node, *db, key));
            }
            Some(Ask::Read { node, db }) => {
                for (key, ids) in given(value) {
                    let Some(last) = ids.last() else { continue };
                    let made = self.made_at(&(*node, *db, key.clone()), position);
                    let add =
                        |was: Option<(Id, usize)>| (*last, was.map_or(0, |(_, count)| count).saturating_add(ids.len()));
                    note(&mut self.read, (client, *node, *db, key), position, made, add);
                }
            }
            // A client that names a consumer acts as it, unless the command fails.
            Some(Ask::As { node, db, keys, group, consumer, passing }) if !matches!(value, Value::Error(_)) => {
                let name = |key: &Bytes| (*node, *db, key.clone(), group.clone(), consumer.clone());
                for key in keys {
                    let made = self.made_at(&(*node, *db, key.clone()), position);
                    note(&mut self.spoken, name(key), position, made, |_| client);
                }
                if passing.is_empty() {
                    return;
                }
                for (key, ids) in given(value).into_iter().filter(|(key, _)| passing.contains(key)) {
                    let group = (*node, *db, key.clone(), group.clone());
                    let mut sums = self.sums_now(&group);
                    sums.pass(ids.len());
                    self.set_sums(position, &group, sums);
                    if let (Some(first), Some(last)) = (ids.first(), ids.last()) {
                        let ways = self.ways.entry(group).or_default();
                        let way = Passage {
                            behind: first.previous().unwrap_or(Id::MIN),
                            until: *last,
                            how: Some(How::Passed),
                        };
                        add_way(ways, position, way);
                    }
                    let made = self.made_at(&(*node, *db, key.clone()), position);
                    let add = |was: Option<usize>| was.unwrap_or(0).saturating_add(ids.len());
                    note(&mut self.passed, name(&key), position, made, add);
                }
            }
            Some(Ask::As { .. } | Ask::Ack(_)) | None => {}
        }
    }
}

impl Derive for Past {
    type Context = ();
    type Checkpoint = (usize, BTreeMap<ClientIndex, Open>);

    fn take(&mut self, position: usize, _: StepId, step: &Step, (): &()) {
        self.acks.clear();
        self.is_compound = false;
        for event in &step.events {
            self.hear(position, step.now_ms, event);
        }
    }

    fn checkpoint(&self) -> Self::Checkpoint {
        let changed = self.changed.last().map_or(0, |(at, _)| *at);
        let ends =
            [end(&self.spoken), end(&self.passed), end(&self.read), end(&self.made), end(&self.ways), end(&self.sums)];
        let ends = ends.into_iter().chain([end(&self.taken), end(&self.queues), end(&self.left), changed]);
        (ends.max().unwrap_or(0), self.open.clone())
    }

    fn go_back(&mut self, (position, open): &Self::Checkpoint) {
        cut(&mut self.spoken, *position);
        cut(&mut self.passed, *position);
        cut(&mut self.read, *position);
        cut(&mut self.made, *position);
        cut(&mut self.ways, *position);
        cut(&mut self.sums, *position);
        cut(&mut self.taken, *position);
        cut(&mut self.queues, *position);
        cut(&mut self.left, *position);
        self.changed.truncate(self.changed.partition_point(|(at, _)| at <= position));
        self.open = open.clone();
    }
}

fn is_stream(state: &KeyState) -> bool {
    stream_of(state).is_some()
}

fn stream_of(state: &KeyState) -> Option<&Stream> {
    match state.as_ref().map(|entry| &entry.value)? {
        redis_model::value::Value::Stream(stream) => Some(stream),
        _ => None,
    }
}

/// Adds a record, and merges it with the last one if it continues that.
fn add_way(ways: &mut Noted<Passage>, position: usize, mut way: Passage) {
    if let Some((_, last)) = ways.last().filter(|(_, last)| last.how == way.how && last.until == way.behind) {
        way.behind = last.behind;
    }
    ways.push((position, way));
}

/// The last position of any record.
fn end<K, V>(all: &BTreeMap<K, Noted<V>>) -> usize {
    all.values().filter_map(|noted| noted.last()).map(|(at, _)| *at).max().unwrap_or(0)
}

fn name(key: &KeyName, group: &Bytes, consumer: &Bytes) -> ConsumerName {
    (key.database.node, key.database.db, key.key.clone(), group.clone(), consumer.clone())
}

/// The record that holds at a position, and the position from which it holds.
pub fn latest<K: Ord, V: Clone>(all: &BTreeMap<K, Noted<V>>, name: &K, position: usize) -> Option<(usize, V)> {
    let noted = all.get(name)?;
    let until = noted.partition_point(|(at, _)| *at <= position);
    noted.get(until.checked_sub(1)?).cloned()
}

/// Adds a record computed from the previous one, if that belongs to the stream created at `made`.
fn note<K: Ord, V: Copy + PartialEq>(
    all: &mut BTreeMap<K, Noted<V>>,
    name: K,
    position: usize,
    made: usize,
    change: impl FnOnce(Option<V>) -> V,
) {
    let noted = all.entry(name).or_default();
    let last = noted.last().copied().filter(|(at, _)| *at >= made);
    let what = change(last.map(|(_, what)| what));
    if last.is_none_or(|(_, last)| last != what) {
        if noted.last().is_some_and(|(at, _)| *at == position) {
            noted.pop();
        }
        noted.push((position, what));
    }
}

/// Removes the records after a position. Names without records stay: code to remove from a map would add some kilobytes for each type of
/// map.
pub fn cut<K: Ord, V>(all: &mut BTreeMap<K, Noted<V>>, position: usize) {
    for noted in all.values_mut() {
        noted.truncate(noted.partition_point(|(at, _)| *at <= position));
    }
}
