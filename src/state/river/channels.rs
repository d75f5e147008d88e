//! Channels: what was published, who heard it, and who had subscribed before and was not there.
//!
//! ```text
//!   c3> PUBLISH news a      c1 hears it, c2 hears it
//!   c2 disconnects
//!   c3> PUBLISH news b      c1 hears it, c2 misses it: nothing keeps it, and who comes back has to subscribe again
//!   c1> UNSUBSCRIBE news
//!   c3> PUBLISH news c      c2 misses it; c1 did not want it
//! ```
//! Scripts do not tell what they call: of what they publish only those who hear it are known, and what nobody hears is not seen.
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bytes::Bytes;
use redis_model::ClientId;
use redis_model::value::glob;
use resp::Value;
use world::{ClientIndex, Event, EventKind, NodeIndex, Step, StepId, World};

use super::asked::Asked;
use super::past::{Noted, cut, latest};
use crate::state::followed::Derive;

/// Something that was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broadcast {
    /// Who published it; nothing: a script, or the server itself.
    pub from: Option<ClientIndex>,
    /// Where.
    pub channel: Bytes,
    /// What it says.
    pub text: Bytes,
    /// Who heard it, each with the channels and patterns by way of which it did: one who has several hears it several times.
    pub heard: Vec<(ClientIndex, Vec<Bytes>)>,
    /// Who had subscribed, and whose subscription had gone with its connection.
    pub missed: Vec<ClientIndex>,
}

/// A client that subscribes, or that heard or missed something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscriber {
    /// The client.
    pub client: ClientIndex,
    /// What it subscribes to now: channels, then patterns.
    pub names: Vec<Bytes>,
    /// Is it connected?
    pub is_here: bool,
    /// How many messages it heard.
    pub heard: usize,
    /// How many messages it missed.
    pub missed: usize,
}

/// The channels of a node where the cursor stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channels {
    /// The clients, by number.
    pub subscribers: Vec<Subscriber>,
    /// How many messages were published.
    pub count: usize,
    /// Those that the last step published.
    pub new: Range<usize>,
}

/// All that was published on a path.
#[derive(Debug, Default)]
pub struct Broadcasts {
    said: Noted<(NodeIndex, Broadcast)>,
    /// How many messages each client heard and missed.
    totals: BTreeMap<(NodeIndex, ClientIndex), Noted<(usize, usize)>>,
    /// Where somebody subscribed or published.
    changed: Noted<NodeIndex>,
    now: Now,
}

/// What can still change.
#[derive(Clone, Debug, Default)]
pub struct Now {
    /// What clients have subscribed to and not given up.
    wanted: BTreeMap<(NodeIndex, ClientIndex), Wanted>,
    open: BTreeMap<ClientIndex, Asked<Ask>>,
}

#[derive(Clone, Debug, Default)]
struct Wanted {
    channels: BTreeSet<Bytes>,
    patterns: BTreeSet<Bytes>,
    shard_channels: BTreeSet<Bytes>,
}

#[derive(Clone, Debug)]
enum Ask {
    Publish(Bytes, Bytes),
    Reset,
    Other,
}

/// What a step publishes by a command.
struct Said {
    from: ClientIndex,
    channel: Bytes,
    text: Bytes,
}

impl Broadcasts {
    /// The channels of a node at a position of the path; nothing where no client has subscribed or published.
    pub fn at(&self, world: &World, node: NodeIndex, position: usize) -> Option<Channels> {
        self.changed_at(node, position)?;
        let range = self.until(position);
        let of_node =
            |range: &[(usize, (NodeIndex, Broadcast))]| range.iter().filter(|(_, (of, _))| *of == node).count();
        let count = of_node(range);
        let last = range.len().saturating_sub(range.iter().rev().take_while(|(at, _)| *at == position).count());
        let new = of_node(range.get(..last).unwrap_or_default())..count;
        let mut subscribers: BTreeMap<ClientIndex, Subscriber> = BTreeMap::new();
        let subscriber = |client: ClientIndex| {
            let (heard, missed) = self.total(node, client, position);
            let is_here = world.connection(client).is_some();
            Subscriber { client, names: Vec::new(), is_here, heard, missed }
        };
        for ((_, client), noted) in self.totals.iter().filter(|((of, _), _)| *of == node) {
            if noted.first().is_some_and(|(at, _)| *at <= position) {
                subscribers.insert(*client, subscriber(*client));
            }
        }
        let pubsub = world.server(node)?.pubsub();
        let lists: [&BTreeMap<Bytes, Vec<ClientId>>; 3] = [&pubsub.channels, &pubsub.patterns, &pubsub.shard_channels];
        for (name, connections) in lists.into_iter().flatten() {
            for client in connections.iter().filter_map(|id| world.client_of_connection(node, *id)) {
                subscribers.entry(client).or_insert_with(|| subscriber(client)).names.push(name.clone());
            }
        }
        Some(Channels { subscribers: subscribers.into_values().collect(), count, new })
    }

    /// Messages of a node by their number, from the first on.
    pub fn messages(&self, node: NodeIndex, position: usize, numbers: Range<usize>) -> Vec<(usize, &Broadcast)> {
        let of_node = self.until(position).iter().filter(|(_, (of, _))| *of == node).map(|(_, (_, said))| said);
        of_node.enumerate().skip(numbers.start).take(numbers.len()).collect()
    }

    /// When somebody subscribed or published last.
    pub fn changed_at(&self, node: NodeIndex, position: usize) -> Option<usize> {
        let until = self.changed.partition_point(|(at, _)| *at <= position);
        self.changed.get(..until)?.iter().rev().find(|(_, of)| *of == node).map(|(at, _)| *at)
    }

    fn until(&self, position: usize) -> &[(usize, (NodeIndex, Broadcast))] {
        self.said.get(..self.said.partition_point(|(at, _)| *at <= position)).unwrap_or_default()
    }

    fn total(&self, node: NodeIndex, client: ClientIndex, position: usize) -> (usize, usize) {
        latest(&self.totals, &(node, client), position).map_or((0, 0), |(_, total)| total)
    }

    fn hear(&mut self, position: usize, event: &Event, heard: &mut Vec<(NodeIndex, Broadcast)>, said: &mut Vec<Said>) {
        match &event.kind {
            EventKind::Command { client, argv, is_in_multi, .. } => {
                self.now.open.entry(*client).or_default().send(argv, *is_in_multi, ask(argv));
            }
            EventKind::Blocked { client, .. } => {
                if let Some(open) = self.now.open.get_mut(client) {
                    open.wait();
                }
            }
            EventKind::Reply { client, value, .. } => {
                let Some(node) = event.node else { return };
                self.note_subscription(position, node, *client, value);
                let Some(open) = self.now.open.get_mut(client) else { return };
                for (ask, value) in open.answer(value) {
                    match (ask, value) {
                        (Ask::Publish(channel, text), Value::Integer(_)) => {
                            said.push(Said { from: *client, channel, text })
                        }
                        (Ask::Reset, Value::Simple(_)) => {
                            self.now.wanted.remove(&(node, *client));
                        }
                        _ => {}
                    }
                }
            }
            EventKind::Push { client, value, .. } => {
                let Some(node) = event.node else { return };
                match message(value) {
                    Some((way, channel, text)) => {
                        note_heard(heard, node, *client, way, channel, text);
                    }
                    None => self.note_subscription(position, node, *client, value),
                }
            }
            EventKind::Disconnected { client, .. } | EventKind::Connected { client } => {
                self.now.open.remove(client);
            }
            _ => {}
        }
    }

    /// What a confirmation says: `[subscribe, news, 1]`.
    fn note_subscription(&mut self, position: usize, node: NodeIndex, client: ClientIndex, value: &Value) {
        let (Value::Push(words) | Value::Array(words)) = value else { return };
        let [Value::Bulk(what), Value::Bulk(name), Value::Integer(_)] = words.as_slice() else { return };
        let wanted = self.now.wanted.entry((node, client)).or_default();
        match what.as_ref() {
            b"subscribe" => wanted.channels.insert(name.clone()),
            b"psubscribe" => wanted.patterns.insert(name.clone()),
            b"ssubscribe" => wanted.shard_channels.insert(name.clone()),
            // Who leaves by itself does not want it any more.
            b"unsubscribe" => wanted.channels.remove(name),
            b"punsubscribe" => wanted.patterns.remove(name),
            b"sunsubscribe" => wanted.shard_channels.remove(name),
            _ => return,
        };
        self.changed.push((position, node));
    }

    fn publish(&mut self, position: usize, node: NodeIndex, mut broadcast: Broadcast) {
        let is_missed = |(of, client): &(NodeIndex, ClientIndex), wanted: &Wanted| {
            *of == node
                && (wanted.channels.contains(&broadcast.channel)
                    || wanted.shard_channels.contains(&broadcast.channel)
                    || wanted.patterns.iter().any(|pattern| glob::matches(pattern, &broadcast.channel, false)))
                && broadcast.heard.iter().all(|(other, _)| other != client)
        };
        let missed =
            self.now.wanted.iter().filter(|(who, wanted)| is_missed(who, wanted)).map(|((_, client), _)| *client);
        broadcast.missed = missed.collect();
        let heard = broadcast.heard.iter().map(|(client, _)| (*client, (1, 0)));
        for (client, (more_heard, more_missed)) in heard.chain(broadcast.missed.iter().map(|client| (*client, (0, 1))))
        {
            let noted = self.totals.entry((node, client)).or_default();
            let (heard, missed) = noted.last().map_or((0, 0), |(_, total)| *total);
            let total = (heard.saturating_add(more_heard), missed.saturating_add(more_missed));
            match noted.last_mut().filter(|(at, _)| *at == position) {
                Some(last) => last.1 = total,
                None => noted.push((position, total)),
            }
        }
        self.said.push((position, (node, broadcast)));
        self.changed.push((position, node));
    }
}

impl Derive for Broadcasts {
    type Context = ();
    type Checkpoint = (usize, Now);

    fn take(&mut self, position: usize, _: StepId, step: &Step, (): &()) {
        let (mut heard, mut said) = (Vec::new(), Vec::new());
        for event in &step.events {
            self.hear(position, event, &mut heard, &mut said);
        }
        // Each command that published is one of those that were heard, or nobody heard it.
        for Said { from, channel, text } in said {
            let is_it = |(_, other): &(NodeIndex, Broadcast)| {
                other.from.is_none() && other.channel == channel && other.text == text
            };
            match heard.iter_mut().find(|other| is_it(other)) {
                Some((_, broadcast)) => broadcast.from = Some(from),
                None => {
                    let node =
                        step.events.iter().find(|event| event.kind.client() == Some(from)).and_then(|event| event.node);
                    let (heard_by, missed) = (Vec::new(), Vec::new());
                    let broadcast = Broadcast { from: Some(from), channel, text, heard: heard_by, missed };
                    heard.extend(node.map(|node| (node, broadcast)));
                }
            }
        }
        for (node, broadcast) in heard {
            self.publish(position, node, broadcast);
        }
    }

    fn checkpoint(&self) -> Self::Checkpoint {
        (self.changed.last().map_or(0, |(at, _)| *at), self.now.clone())
    }

    fn go_back(&mut self, (position, now): &Self::Checkpoint) {
        self.said.truncate(self.said.partition_point(|(at, _)| at <= position));
        self.changed.truncate(self.changed.partition_point(|(at, _)| at <= position));
        cut(&mut self.totals, *position);
        self.now = now.clone();
    }
}

fn ask(argv: &[Bytes]) -> Ask {
    let name = argv.first().map(|name| name.to_ascii_uppercase()).unwrap_or_default();
    match (name.as_slice(), argv) {
        (b"PUBLISH" | b"SPUBLISH", [_, channel, text]) => Ask::Publish(channel.clone(), text.clone()),
        (b"RESET", _) => Ask::Reset,
        _ => Ask::Other,
    }
}

/// By way of which channel or pattern, on which channel, and what: of a message.
fn message(value: &Value) -> Option<(&Bytes, &Bytes, &Bytes)> {
    let (Value::Push(words) | Value::Array(words)) = value else { return None };
    match words.as_slice() {
        [Value::Bulk(kind), Value::Bulk(channel), Value::Bulk(text)]
            if matches!(kind.as_ref(), b"message" | b"smessage") =>
        {
            Some((channel, channel, text))
        }
        [Value::Bulk(kind), Value::Bulk(pattern), Value::Bulk(channel), Value::Bulk(text)]
            if kind.as_ref() == b"pmessage" =>
        {
            Some((pattern, channel, text))
        }
        _ => None,
    }
}

/// Who hears the same in the same way again hears another message.
fn note_heard(
    all: &mut Vec<(NodeIndex, Broadcast)>,
    node: NodeIndex,
    client: ClientIndex,
    way: &Bytes,
    channel: &Bytes,
    text: &Bytes,
) {
    let is_other = |broadcast: &Broadcast| {
        let has = |(other, ways): &(ClientIndex, Vec<Bytes>)| *other == client && ways.contains(way);
        broadcast.channel != *channel || broadcast.text != *text || broadcast.heard.iter().any(has)
    };
    let last = all.iter_mut().rev().find(|(of, broadcast)| *of == node && !is_other(broadcast));
    let broadcast = match last {
        Some((_, broadcast)) => broadcast,
        None => {
            let (channel, text) = (channel.clone(), text.clone());
            all.push((node, Broadcast { from: None, channel, text, heard: Vec::new(), missed: Vec::new() }));
            let Some((_, broadcast)) = all.last_mut() else { return };
            broadcast
        }
    };
    match broadcast.heard.iter_mut().find(|(other, _)| *other == client) {
        Some((_, ways)) => ways.push(way.clone()),
        None => broadcast.heard.push((client, vec![way.clone()])),
    }
}
