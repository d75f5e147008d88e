//! A list that is a queue: both ends, who waits for it, and what is in whose hands.
use std::rc::Rc;

use bytes::Bytes;
use redis_model::value::list::Element as ListElement;
use redis_model::value::{List, Value};
use world::{ClientIndex, EventKind, Step, World};

use super::past::{Past, Taken};
use super::stream::Waits;
use crate::state::inside::{Mark, list_changes};
use crate::state::key::{Database, KeyName};

/// Elements of each end that are listed.
pub const END_MAX: usize = 12;
/// In a longer list a taken element is not looked for.
const LOOKED_AT_MAX: usize = 2_000;

/// A queue where the cursor stands. An empty one has no key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue {
    /// Its key.
    pub key: KeyName,
    /// How many elements it has.
    pub len: usize,
    /// The first elements, from the left end; all of them, where there are few.
    pub left: Vec<Element>,
    /// The last elements, up to the right end.
    pub right: Vec<Element>,
    /// Who waits for it, in the order in which they are served.
    pub waiting: Vec<InLine>,
    /// What clients took out last, by client.
    pub hands: Vec<Hand>,
}

/// An element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// What it says.
    pub text: Bytes,
    /// What the last step did to it.
    pub mark: Mark,
}

/// A client that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InLine {
    /// The client.
    pub client: ClientIndex,
    /// The name of its command, as it was typed.
    pub command: Bytes,
    /// Since when, and until when.
    pub waits: Waits,
}

/// What a client has in its hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hand {
    /// The client.
    pub client: ClientIndex,
    /// The elements.
    pub elements: Rc<[Bytes]>,
    /// How long ago it took them, in ms.
    pub held_ms: u64,
    /// Who else has them.
    pub kept: Kept,
    /// Did it take them in the last step?
    pub is_new: bool,
}

/// Whether something that was taken is safe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Only the client has it.
    Nowhere,
    /// Only the client had it, and it has left.
    Lost,
    /// It was moved to this list and is there still, as far as can be told.
    In(Bytes),
    /// It was moved to this list and has been removed there.
    Removed(Bytes),
}

impl Queue {
    /// The queue of this key, if it is one and holds nothing but elements. `last` is the step before the cursor, whose marks are shown;
    /// `position` is the cursor's.
    pub fn of(world: &World, key: &KeyName, last: Option<&Step>, past: &Past, position: usize) -> Option<Queue> {
        if !past.is_queue(key, position) {
            return None;
        }
        let none = List::new(&world.server(key.database.node)?.config().limits);
        let list = match key.entry(world).map(|entry| &entry.value) {
            Some(Value::List(list)) => list,
            None => &none,
            Some(_) => return None,
        };
        let changed = last.filter(|step| step.events.iter().any(|event| key.is_in(event))).map_or(0..0, |step| {
            let before = before(step, key).unwrap_or(&none);
            list_changes(Some(before), list).0
        });
        let element = |(place, text): (usize, Bytes)| {
            let mark = if changed.contains(&place) { Mark::New } else { Mark::Same };
            Element { text, mark }
        };
        let listed = |from: usize, until: usize| {
            let texts = list.range(from..until).map(ListElement::to_bytes);
            (from..).zip(texts).map(element).collect()
        };
        let until = if list.len() <= END_MAX.saturating_mul(2) { list.len() } else { END_MAX };
        let from = if until == list.len() { until } else { list.len().saturating_sub(END_MAX) };
        let hand = |(client, at, taken): (ClientIndex, usize, Taken)| Hand {
            client,
            held_ms: world.now_ms().saturating_sub(taken.at_ms),
            kept: kept(world, key.database, client, &taken),
            is_new: at == position,
            elements: taken.elements,
        };
        Some(Queue {
            key: key.clone(),
            len: list.len(),
            left: listed(0, until),
            right: listed(from, list.len()),
            waiting: waiting(world, key),
            hands: past.taken(key, position).into_iter().map(hand).collect(),
        })
    }

    /// How many elements lie between those that are listed.
    pub fn left_out(&self) -> usize {
        self.len.saturating_sub(self.left.len()).saturating_sub(self.right.len())
    }
}

/// Everybody who waits for this key, in the order in which they are served.
fn waiting(world: &World, key: &KeyName) -> Vec<InLine> {
    let node = key.database.node;
    let line = key.database.find(world).map_or(&[][..], |db| db.waiting(&key.key));
    let waiting = line.iter().filter_map(|id| {
        let client = world.client_of_connection(node, *id)?;
        let blocked = world.connection(client)?.blocked.as_ref()?;
        let waits = Waits { since_ms: blocked.since_ms, until_ms: blocked.wait.deadline_ms };
        Some(InLine { client, command: blocked.argv.first()?.clone(), waits })
    });
    waiting.collect()
}

fn kept(world: &World, database: Database, client: ClientIndex, taken: &Taken) -> Kept {
    let Some(into) = &taken.into else {
        return if world.connection(client).is_some() { Kept::Nowhere } else { Kept::Lost };
    };
    let list = match database.key(into.clone()).entry(world).map(|entry| &entry.value) {
        Some(Value::List(list)) => list,
        _ => return Kept::Removed(into.clone()),
    };
    let is = |element: ListElement| taken.elements.iter().any(|taken| element == *taken);
    let is_there = list.len() > LOOKED_AT_MAX || list.iter().any(is);
    if is_there { Kept::In(into.clone()) } else { Kept::Removed(into.clone()) }
}

/// The list before a step that changed it.
fn before<'a>(step: &'a Step, key: &KeyName) -> Option<&'a List> {
    let mut changes = step.events.iter().filter(|event| key.is_in(event));
    let before = match &changes.next()?.kind {
        EventKind::KeyChanged { before, .. }
        | EventKind::KeyExpired { before, .. }
        | EventKind::KeyEvicted { before, .. } => before.as_ref(),
        _ => None,
    };
    match &before?.value {
        Value::List(list) => Some(list),
        _ => None,
    }
}
