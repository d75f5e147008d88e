//! A list or a sorted set used as a queue: both ends, due elements, waiting clients, and the elements that clients have taken.
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Bound, Range};
use std::rc::Rc;

use bytes::Bytes;
use redis_model::Blocked;
use redis_model::value::list::Element as ListElement;
use redis_model::value::number::format_double;
use redis_model::value::range::ScoreRange;
use redis_model::value::{List, Value, ZSet};
use world::{ClientIndex, Step, World};

use super::past::{Past, Taken};
use super::waits::{Waits, waiting_for};
use crate::state::inside::{Mark, list_changes};
use crate::state::key::{Database, KeyName};

/// How many elements of each end are listed.
pub const END_MAX: usize = 12;
/// Ten years, in ms.
const YEARS_MS: u64 = 10 * 365 * 86_400_000;
/// In a longer list, a taken element is not searched for.
const LOOKED_AT_MAX: usize = 2_000;

/// A queue at the cursor. An empty queue has no key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue {
    /// Its key.
    pub key: KeyName,
    /// How many elements it has.
    pub len: usize,
    /// The first elements, from the left end; all of them if there are few.
    pub left: Vec<Element>,
    /// The last elements, up to the right end.
    pub right: Vec<Element>,
    /// In a sorted set whose scores are times: how many elements are due.
    pub due: Option<usize>,
    /// Clients that wait for it, in the order in which they will be served.
    pub waiting: Vec<InLine>,
    /// What each client last took out, by client.
    pub hands: Vec<Hand>,
}

/// An element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its content.
    pub text: Bytes,
    /// What the last step did to it.
    pub mark: Mark,
    /// Its score, in a sorted set.
    pub score: Option<Score>,
}

/// The score of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// As redis-cli prints it.
    pub text: String,
    /// Time until it is due, if it is a time, in ms; negative: overdue.
    pub due_in_ms: Option<i64>,
}

/// A client that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InLine {
    /// The client.
    pub client: ClientIndex,
    /// The name of its command, as typed.
    pub command: Bytes,
    /// The start and the timeout of its wait.
    pub waits: Waits,
}

/// The elements that a client has taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hand {
    /// The client.
    pub client: ClientIndex,
    /// The elements.
    pub elements: Rc<[Bytes]>,
    /// How long ago it took them, in ms.
    pub held_ms: u64,
    /// Where else they are.
    pub kept: ItemSafety,
    /// Whether it took them in the last step.
    pub is_new: bool,
}

/// Whether a taken element is safe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemSafety {
    /// Only the client has it.
    Nowhere,
    /// Only the client had it, and the client has disconnected.
    Lost,
    /// It was moved to this list and is still there, as far as can be known.
    In(Bytes),
    /// It was moved to this list and has been removed from it.
    Removed(Bytes),
}

impl Queue {
    /// The queue with this key, if it is one and contains only elements. `last` is the step before the cursor, which gives the marks;
    /// `position` is the cursor's.
    pub fn of(world: &World, key: &KeyName, last: Option<&Step>, past: &Past, position: usize) -> Option<Queue> {
        if !past.is_queue(key, position) {
            return None;
        }
        let before =
            last.and_then(|step| key.before(&step.events)).map(|before| before.as_ref().map(|entry| &entry.value));
        let ends = match key.entry(world).map(|entry| &entry.value) {
            Some(Value::List(list)) => Ends::of_list(list, before),
            Some(Value::ZSet(zset)) => Ends::of_sorted_set(zset, before, world.clock_ms(key.database.node)),
            None => Ends::default(),
            Some(_) => return None,
        };
        let mut targets = Targets { world, database: key.database, held: BTreeMap::new() };
        let hand = |(client, at, taken): (ClientIndex, usize, Taken)| Hand {
            client,
            held_ms: world.now_ms().saturating_sub(taken.at_ms),
            kept: match taken.into {
                Some(list) if targets.holds_any(&list, &taken.elements) => ItemSafety::In(list),
                Some(list) => ItemSafety::Removed(list),
                None if past.has_left_since(client, at, position) => ItemSafety::Lost,
                None => ItemSafety::Nowhere,
            },
            is_new: at == position,
            elements: taken.elements,
        };
        Some(Queue {
            key: key.clone(),
            len: ends.len,
            left: ends.left,
            right: ends.right,
            due: ends.due,
            waiting: waiting(world, key),
            hands: past.taken(key, position).into_iter().map(hand).collect(),
        })
    }

    /// How many elements between the two ends are not listed.
    pub fn left_out(&self) -> usize {
        self.len.saturating_sub(self.left.len()).saturating_sub(self.right.len())
    }
}

/// Both ends of a queue.
#[derive(Default)]
struct Ends {
    len: usize,
    left: Vec<Element>,
    right: Vec<Element>,
    due: Option<usize>,
}

impl Ends {
    /// Which elements are listed: the first and the last ones, or all of them if there are few.
    fn ranges(len: usize) -> [Range<usize>; 2] {
        match len.checked_sub(END_MAX) {
            Some(from) if len > END_MAX.saturating_mul(2) => [0..END_MAX, from..len],
            _ => [0..len, len..len],
        }
    }

    /// `before`: the value before the last step, if the step changed it.
    fn of_list(list: &List, before: Option<Option<&Value>>) -> Ends {
        let changed = match before {
            None => 0..0,
            Some(Some(Value::List(before))) => list_changes(Some(before), list).0,
            Some(_) => 0..list.len(),
        };
        let listed = |range: Range<usize>| {
            let element = |(place, text): (usize, Bytes)| {
                let mark = if changed.contains(&place) { Mark::New } else { Mark::Same };
                Element { text, mark, score: None }
            };
            (range.start..).zip(list.range(range).map(ListElement::to_bytes)).map(element).collect()
        };
        let [left, right] = Ends::ranges(list.len());
        Ends { len: list.len(), left: listed(left), right: listed(right), due: None }
    }

    fn of_sorted_set(zset: &ZSet, before: Option<Option<&Value>>, now_ms: u64) -> Ends {
        let clock = zset.nth(0).zip(zset.nth(zset.len().saturating_sub(1))).and_then(|((_, first), (_, last))| {
            Clock::ALL.into_iter().find(|clock| clock.is_near(first, now_ms) && clock.is_near(last, now_ms))
        });
        let listed = |range: Range<usize>| {
            let element = |(member, score): (&Bytes, f64)| {
                let is_same = match before {
                    None => true,
                    Some(Some(Value::ZSet(before))) => before.score(member) == Some(score),
                    Some(_) => false,
                };
                let mark = if is_same { Mark::Same } else { Mark::New };
                let due_in_ms = clock.map(|clock| clock.until_ms(score, now_ms));
                let score = Score { text: format_double(score), due_in_ms };
                Element { text: member.clone(), mark, score: Some(score) }
            };
            zset.range(range).map(element).collect()
        };
        let due = clock.map(|clock| {
            let until = Bound::Included(clock.score(now_ms));
            zset.ranks_by_score(&ScoreRange { min: Bound::Unbounded, max: until }).len()
        });
        let [left, right] = Ends::ranges(zset.len());
        Ends { len: zset.len(), left: listed(left), right: listed(right), due }
    }
}

/// The unit of a score that is a time.
#[derive(Clone, Copy)]
enum Clock {
    Milliseconds,
    Seconds,
}

impl Clock {
    const ALL: [Clock; 2] = [Clock::Milliseconds, Clock::Seconds];

    fn unit_ms(self) -> f64 {
        match self {
            Clock::Milliseconds => 1.0,
            Clock::Seconds => 1_000.0,
        }
    }

    /// The current time as a score.
    fn score(self, now_ms: u64) -> f64 {
        now_ms as f64 / self.unit_ms()
    }

    /// Time until a score is due, in ms.
    fn until_ms(self, score: f64, now_ms: u64) -> i64 {
        (score * self.unit_ms() - now_ms as f64) as i64
    }

    /// Whether this score can be a time: it is within ten years from now.
    fn is_near(self, score: f64, now_ms: u64) -> bool {
        self.until_ms(score, now_ms).unsigned_abs() < YEARS_MS
    }
}

/// The clients that wait for this key, in the order in which they will be served.
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
    /// The elements of each list; `None`: too many to search.
    held: BTreeMap<Bytes, Option<BTreeSet<Bytes>>>,
}

impl Targets<'_> {
    /// Whether any of these elements is in this list, as far as can be known.
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
