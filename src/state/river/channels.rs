//! Channels: what was published, which clients got it, and which former subscribers missed it.
//!
//! ```text
//!   c3> PUBLISH news a      c1 gets it, c2 gets it
//!   c2 disconnects
//!   c3> PUBLISH news b      c1 gets it, c2 misses it: Redis does not store it, and a client that comes back has to subscribe again
//!   c1> UNSUBSCRIBE news
//!   c3> PUBLISH news c      c2 misses it; c1 has unsubscribed
//!
//!   c2 subscribes again, and pauses
//!   c3> PUBLISH news d      it waits in the output buffer of c2, until c2 resumes and reads it or loses its connection
//! ```
//! The calls inside a script are unknown: of its messages only those with subscribers are seen, through the clients that get them.
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bytes::Bytes;
use redis_model::ClientId;
use redis_model::value::glob;
use resp::Value;
use world::{ClientIndex, Event, EventKind, NodeIndex, ProgramEvent, Step, StepId, World};

use super::asked::Asked;
use super::past::{Noted, cut, latest};
use crate::state::followed::Derive;

/// A published message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broadcast {
    /// The client that published it; `None`: a script, or the server itself.
    pub from: Option<ClientIndex>,
    /// Its channel.
    pub channel: Bytes,
    /// Its payload.
    pub text: Bytes,
    /// Clients that got it, each with the matching channels and patterns: a client with several gets it several times.
    pub heard: Vec<(ClientIndex, Vec<Bytes>)>,
    /// Clients that had subscribed, but lost the subscription with their connection.
    pub missed: Vec<ClientIndex>,
    /// Subscribers that did not read it at once; see [`Broadcasts::fate`].
    pub held: Vec<Held>,
}

/// A message in the output buffer of a client that does not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The client.
    pub client: ClientIndex,
    /// The channels and patterns that matched.
    pub ways: Vec<Bytes>,
    /// Its number among all messages ever held for the client.
    number: usize,
}

/// The fate of a message that a client did not read at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It waits in the output buffer.
    Waits,
    /// The client has read it.
    Heard,
    /// The connection was closed first.
    Dropped,
}

/// The output buffer of a client that does not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// How many messages and replies it holds.
    pub count: usize,
    /// Their size, in bytes.
    pub bytes: u64,
    /// Memory that counts towards the limit, in bytes.
    pub memory: u64,
    /// The hard limit, in bytes; 0: no limit.
    pub hard_bytes: u64,
    /// When the server closes the connection if the client does not read, Unix time of the world in ms.
    pub closes_ms: Option<u64>,
}

impl Buffer {
    fn of(world: &World, client: ClientIndex) -> Option<Buffer> {
        let connection = world.unread(client)?;
        let unread = connection.unread.as_deref()?;
        let node = world.client(client)?.node;
        let limit = world.server(node)?.output_limit(connection);
        Some(Buffer {
            count: unread.count(),
            bytes: unread.bytes() as u64,
            memory: unread.memory() as u64,
            hard_bytes: limit.hard_bytes as u64,
            closes_ms: unread.closes_ms(limit).map(|clock_ms| world.world_ms(node, clock_ms)),
        })
    }
}

/// A client that subscribes, or that got or missed a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscriber {
    /// The client.
    pub client: ClientIndex,
    /// Its current subscriptions: channels, then patterns.
    pub names: Vec<Bytes>,
    /// Whether it is connected.
    pub is_here: bool,
    /// Its output buffer, while it does not read.
    pub buffer: Option<Buffer>,
    /// How many messages it got.
    pub heard: usize,
    /// How many messages it missed.
    pub missed: usize,
}

/// The channels of a node at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channels {
    /// The clients, by number.
    pub subscribers: Vec<Subscriber>,
    /// How many messages were published.
    pub count: usize,
    /// The messages that the last step published.
    pub new: Range<usize>,
}

/// All messages published on a path.
#[derive(Debug, Default)]
pub struct Broadcasts {
    said: Noted<(NodeIndex, Broadcast)>,
    /// For each message held for a client, in order: whether it is the first copy of a message that matched several subscriptions.
    held: BTreeMap<(NodeIndex, ClientIndex), Noted<bool>>,
    /// Fates of held messages: each entry covers all numbers below its own that earlier entries do not cover.
    fates: BTreeMap<(NodeIndex, ClientIndex), Noted<(usize, Fate)>>,
    /// How many messages each client got and missed.
    totals: BTreeMap<(NodeIndex, ClientIndex), Noted<(usize, usize)>>,
    /// When a client subscribed or published, by node.
    changed: Noted<NodeIndex>,
    now: Now,
}

/// The state that can still change.
#[derive(Clone, Debug, Default)]
pub struct Now {
    /// Subscriptions of clients that they have not given up.
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

/// A message that a command of the step publishes.
struct Publication {
    from: ClientIndex,
    channel: Bytes,
    text: Bytes,
}

impl Broadcasts {
    /// The channels of a node at a position of the path; `None` if no client has subscribed or published.
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
            Subscriber { client, names: Vec::new(), is_here, buffer: Buffer::of(world, client), heard, missed }
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

    /// The messages of a node with these numbers.
    pub fn messages(&self, node: NodeIndex, position: usize, numbers: Range<usize>) -> Vec<(usize, &Broadcast)> {
        let of_node = self.until(position).iter().filter(|(_, (of, _))| *of == node).map(|(_, (_, said))| said);
        of_node.enumerate().skip(numbers.start).take(numbers.len()).collect()
    }

    /// The fate of a message that a client did not read at once.
    pub fn fate(&self, node: NodeIndex, held: &Held, position: usize) -> Fate {
        let fates = self.fates.get(&(node, held.client)).map(Vec::as_slice).unwrap_or_default();
        let first = fates.get(fates.partition_point(|(_, (below, _))| *below <= held.number));
        first.filter(|(at, _)| *at <= position).map_or(Fate::Waits, |(_, (_, fate))| *fate)
    }

    /// How many of the messages held for a client have met their fate.
    fn met(&self, who: (NodeIndex, ClientIndex)) -> usize {
        self.fates.get(&who).and_then(|noted| noted.last()).map_or(0, |(_, (below, _))| *below)
    }

    /// All messages below this number meet this fate.
    fn meet(&mut self, position: usize, who: (NodeIndex, ClientIndex), below: usize, fate: Fate) {
        let met = self.met(who);
        let firsts = self.held.get(&who).and_then(|held| held.get(met..below)).unwrap_or_default();
        let messages = firsts.iter().filter(|(_, is_first)| *is_first).count();
        if below > met {
            self.fates.entry(who).or_default().push((position, (below, fate)));
            self.add(position, who, if fate == Fate::Heard { (messages, 0) } else { (0, messages) });
            self.changed.push((position, who.0));
        }
    }

    /// A connection is closed, and its output buffer is lost.
    fn drop_held(&mut self, position: usize, client: ClientIndex) {
        let of_client: Vec<(NodeIndex, ClientIndex)> =
            self.held.keys().filter(|(_, whose)| *whose == client).copied().collect();
        for who in of_client {
            let below = self.held.get(&who).map_or(0, Vec::len);
            self.meet(position, who, below, Fate::Dropped);
        }
    }

    /// A message is held for a client that does not read.
    fn note_held(
        &mut self,
        position: usize,
        all: &mut Vec<(NodeIndex, Broadcast)>,
        who: (NodeIndex, ClientIndex),
        words: (&Bytes, &Bytes, &Bytes),
    ) {
        let (node, client) = who;
        let (way, channel, text) = words;
        let noted = self.held.entry(who).or_default();
        let broadcast = said_by(all, node, client, way, channel, text);
        let is_first = match broadcast.held.iter_mut().find(|held| held.client == client) {
            Some(held) => {
                held.ways.push(way.clone());
                false
            }
            None => {
                broadcast.held.push(Held { client, ways: vec![way.clone()], number: noted.len() });
                true
            }
        };
        noted.push((position, is_first));
    }

    /// The last position at which a client subscribed or published.
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

    fn hear(
        &mut self,
        position: usize,
        event: &Event,
        heard: &mut Vec<(NodeIndex, Broadcast)>,
        said: &mut Vec<Publication>,
    ) {
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
                            said.push(Publication { from: *client, channel, text })
                        }
                        (Ask::Reset, Value::Simple(_)) => {
                            self.now.wanted.insert((node, *client), Wanted::default());
                        }
                        _ => {}
                    }
                }
            }
            EventKind::Held { client, value: value @ Value::Push(_) } => {
                let Some(node) = event.node else { return };
                if let Some(words) = message(value) {
                    self.note_held(position, heard, (node, *client), words);
                }
            }
            EventKind::Push { client, value, .. } => {
                let Some(node) = event.node else { return };
                let who = (node, *client);
                let met = self.met(who);
                let waits = self.held.get(&who).is_some_and(|held| held.len() > met);
                match message(value) {
                    // Held messages are read in order.
                    Some(_) if waits => self.meet(position, who, met.saturating_add(1), Fate::Heard),
                    Some((way, channel, text)) => {
                        note_heard(heard, node, *client, way, channel, text);
                    }
                    None => self.note_subscription(position, node, *client, value),
                }
            }
            EventKind::Disconnected { client, .. } | EventKind::Connected { client } => {
                self.now.open.insert(*client, Asked::default());
                self.drop_held(position, *client);
            }
            EventKind::Program {
                client,
                what:
                    ProgramEvent::Deafened { .. } | ProgramEvent::Crashed | ProgramEvent::Loaded | ProgramEvent::Restarted,
                ..
            } => self.drop_held(position, *client),
            _ => {}
        }
    }

    /// Records a confirmation: `[subscribe, news, 1]`.
    fn note_subscription(&mut self, position: usize, node: NodeIndex, client: ClientIndex, value: &Value) {
        let (Value::Push(words) | Value::Array(words)) = value else { return };
        let [Value::Bulk(what), Value::Bulk(name), Value::Integer(_)] = words.as_slice() else { return };
        let wanted = self.now.wanted.entry((node, client)).or_default();
        match what.as_ref() {
            b"subscribe" => wanted.channels.insert(name.clone()),
            b"psubscribe" => wanted.patterns.insert(name.clone()),
            b"ssubscribe" => wanted.shard_channels.insert(name.clone()),
            // A client that unsubscribes does not want the channel.
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
                && broadcast.held.iter().all(|held| held.client != *client)
        };
        let missed =
            self.now.wanted.iter().filter(|(who, wanted)| is_missed(who, wanted)).map(|((_, client), _)| *client);
        broadcast.missed = missed.collect();
        let heard = broadcast.heard.iter().map(|(client, _)| (*client, (1, 0)));
        for (client, more) in heard.chain(broadcast.missed.iter().map(|client| (*client, (0, 1)))) {
            self.add(position, (node, client), more);
        }
        self.said.push((position, (node, broadcast)));
        self.changed.push((position, node));
    }

    /// Adds to the counts of messages that a client got and missed.
    fn add(&mut self, position: usize, who: (NodeIndex, ClientIndex), (more_heard, more_missed): (usize, usize)) {
        let noted = self.totals.entry(who).or_default();
        let (heard, missed) = noted.last().map_or((0, 0), |(_, total)| *total);
        let total = (heard.saturating_add(more_heard), missed.saturating_add(more_missed));
        match noted.last_mut().filter(|(at, _)| *at == position) {
            Some(last) => last.1 = total,
            None => noted.push((position, total)),
        }
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
        // Match each publishing command with a message that was received; unmatched ones reached no client.
        for Publication { from, channel, text } in said {
            let is_it = |(_, other): &(NodeIndex, Broadcast)| {
                other.from.is_none() && other.channel == channel && other.text == text
            };
            match heard.iter_mut().find(|other| is_it(other)) {
                Some((_, broadcast)) => broadcast.from = Some(from),
                None => {
                    let node =
                        step.events.iter().find(|event| event.kind.client() == Some(from)).and_then(|event| event.node);
                    let broadcast = Broadcast { from: Some(from), ..Broadcast::new(channel, text) };
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
        cut(&mut self.held, *position);
        cut(&mut self.fates, *position);
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

/// The subscription that matched, the channel and the payload of a message.
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

fn note_heard(
    all: &mut Vec<(NodeIndex, Broadcast)>,
    node: NodeIndex,
    client: ClientIndex,
    way: &Bytes,
    channel: &Bytes,
    text: &Bytes,
) {
    let broadcast = said_by(all, node, client, way, channel, text);
    match broadcast.heard.iter_mut().find(|(other, _)| *other == client) {
        Some((_, ways)) => ways.push(way.clone()),
        None => broadcast.heard.push((client, vec![way.clone()])),
    }
}

/// The message of this step for a push to a client. If the client already got this one through the same subscription, it is another
/// message.
fn said_by<'a>(
    all: &'a mut Vec<(NodeIndex, Broadcast)>,
    node: NodeIndex,
    client: ClientIndex,
    way: &Bytes,
    channel: &Bytes,
    text: &Bytes,
) -> &'a mut Broadcast {
    let is_it = |(of, broadcast): &(NodeIndex, Broadcast)| {
        *of == node && broadcast.channel == *channel && broadcast.text == *text && !broadcast.has(client, way)
    };
    let at = all.iter().rposition(is_it).unwrap_or(all.len());
    if at == all.len() {
        all.push((node, Broadcast::new(channel.clone(), text.clone())));
    }
    // The index is valid: found, or just pushed.
    #[expect(clippy::indexing_slicing, reason = "the place was just found or filled")]
    &mut all[at].1
}

impl Broadcast {
    fn new(channel: Bytes, text: Bytes) -> Broadcast {
        Broadcast { from: None, channel, text, heard: Vec::new(), missed: Vec::new(), held: Vec::new() }
    }

    /// Whether it reached the client through this subscription.
    fn has(&self, client: ClientIndex, way: &Bytes) -> bool {
        self.heard.iter().any(|(other, ways)| *other == client && ways.contains(way))
            || self.held.iter().any(|held| held.client == client && held.ways.contains(way))
    }
}
