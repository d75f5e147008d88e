//! A list that is a queue: both ends, who waits for it, and what is in whose hands.
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use bytes::Bytes;
use redis_model::Blocked;
use redis_model::value::list::Element as ListElement;
use redis_model::value::{List, Value};
use world::{ClientIndex, Step, World};

use super::past::{Past, Taken};
use super::waits::{Waits, waiting_for};
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
        let changed = last.and_then(|step| key.before(&step.events)).map_or(0..0, |before| {
            let before = match before.as_ref().map(|entry| &entry.value) {
                Some(Value::List(before)) => before,
                _ => &none,
            };
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
        let mut targets = Targets { world, database: key.database, held: BTreeMap::new() };
        let hand = |(client, at, taken): (ClientIndex, usize, Taken)| Hand {
            client,
            held_ms: world.now_ms().saturating_sub(taken.at_ms),
            kept: match taken.into {
                Some(list) if targets.holds_any(&list, &taken.elements) => Kept::In(list),
                Some(list) => Kept::Removed(list),
                None if past.has_left_since(client, at, position) => Kept::Lost,
                None => Kept::Nowhere,
            },
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

/// The clients that wait for this key, in the order in which they are served.
fn waiting(world: &World, key: &KeyName) -> Vec<InLine> {
    let in_line = |(client, blocked, waits): (ClientIndex, &Blocked, Waits)| {
        Some(InLine { client, command: blocked.argv.first()?.clone(), waits })
    };
    waiting_for(world, key).filter_map(in_line).collect()
}

/// The lists that elements were moved to.
struct Targets<'a> {
    world: &'a World,
    database: Database,
    /// What each of them holds; nothing: too much to be looked through.
    held: BTreeMap<Bytes, Option<BTreeSet<Bytes>>>,
}

impl Targets<'_> {
    /// Is any of these elements in this list, as far as can be told?
    fn holds_any(&mut self, list: &Bytes, elements: &[Bytes]) -> bool {
        let held = self.held.entry(list.clone()).or_insert_with(|| {
            match self.database.key(list.clone()).entry(self.world).map(|entry| &entry.value) {
                Some(Value::List(list)) if list.len() > LOOKED_AT_MAX => None,
                Some(Value::List(list)) => Some(list.iter().map(ListElement::to_bytes).collect()),
                _ => Some(BTreeSet::new()),
            }
        });
        held.as_ref().is_none_or(|held| elements.iter().any(|element| held.contains(element)))
    }
}
