//! What the inside panel shows of a key: its value now, its value before the last step, their difference, which of several views fits, and
//! the keys beside it that are drawn with it.
pub mod beside;
pub mod bits;
pub mod board;
pub mod card;
pub mod chart;
pub mod edit;
pub mod geo;
pub mod leaving;
pub mod limits;
mod meant;
pub mod rows;
pub mod sketch;
pub mod venn;
pub mod view;

use std::ops::Range;

use bytes::Bytes;
use redis_model::Entry;
use redis_model::command::Group;
use redis_model::value::Value;
use redis_model::value::list::{Element, List};
use world::{Event, EventKind, KeyState, NodeIndex};

use super::key::KeyName;
use super::session::Session;
use beside::Neighbour;
use leaving::Leaving;
pub use view::{Choice, View};

/// Lists up to this length are compared element by element; longer ones only at their ends.
const COMPARED_MAX: usize = 4_000;
/// How many elements are drawn; the rest are counted.
pub const DRAWN_MAX: usize = 160;

/// A key to look into.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// The key.
    pub key: KeyName,
    /// Its state before the last step, if that step changed it.
    pub before: Option<KeyState>,
    /// Its state now.
    pub now: KeyState,
    /// The words of the last step's command, if they name the key.
    pub words: Vec<Bytes>,
    /// The elements of the reply to this command, one by one.
    pub answer: Vec<Bytes>,
    /// The numbers in the reply to this command, if it is a list of unsigned numbers.
    pub numbers: Vec<u64>,
    /// The family of the last command that named the key and shows how its value is used.
    pub family: Option<Group>,
    /// The keys that can be drawn with it.
    pub beside: Vec<Neighbour>,
    /// How the key can leave.
    pub leaving: Leaving,
}

impl Look {
    /// What the panel of a node shows; `None` while no key of that node is selected.
    pub fn of(session: &Session, node: NodeIndex) -> Option<Look> {
        let key = session.selected().filter(|key| key.database.node == node)?.clone();
        let now = key.entry(session.world()).cloned();
        let current = session.current();
        let before = current.and_then(|(_, step)| key.before(&step.events)).cloned();
        let words = current.and_then(|(_, step)| meant::words_about(&step.events, &key)).unwrap_or_default().to_vec();
        let answer =
            current.filter(|_| !words.is_empty()).map(|(_, step)| first_words(&step.events)).unwrap_or_default();
        let numbers = current.filter(|_| !words.is_empty()).and_then(|(_, step)| numbers(&step.events));
        let numbers = numbers.unwrap_or_default();
        let family = meant::family(session, &key);
        let mut look =
            Look { key, before, now, words, answer, numbers, family, beside: Vec::new(), leaving: Leaving::default() };
        if let Some(db) = look.key.database.find(session.world()) {
            look.beside = beside::beside(db, &look);
        }
        look.leaving = leaving::leaving(session, &look);
        Some(look)
    }

    /// The key in its earlier state, to draw it once more after it is gone.
    pub fn earlier(&self) -> Look {
        Look {
            before: None,
            now: self.before.clone().flatten(),
            words: Vec::new(),
            leaving: Leaving::default(),
            ..self.clone()
        }
    }

    /// The value now.
    pub fn value(&self) -> Option<&Value> {
        self.now.as_ref().map(|entry| &entry.value)
    }

    /// The value before the last step, if that step changed the key.
    pub fn value_before(&self) -> Option<&Value> {
        self.before.as_ref()?.as_ref().map(|entry: &Entry| &entry.value)
    }

    /// Whether the last step changed the key.
    pub fn is_changed(&self) -> bool {
        self.before.is_some()
    }
}

/// The first array reply of a step.
fn first_array(events: &[Event]) -> Option<&[resp::Value]> {
    events.iter().find_map(|event| match &event.kind {
        EventKind::Reply { value: resp::Value::Array(items), .. } => Some(items.as_slice()),
        _ => None,
    })
}

/// The first array reply of a step, if it is a list of unsigned numbers.
fn numbers(events: &[Event]) -> Option<Vec<u64>> {
    let number = |item: &resp::Value| match item {
        resp::Value::Integer(number) => u64::try_from(*number).ok(),
        _ => None,
    };
    first_array(events)?.iter().map(number).collect()
}

/// The elements of the first array reply of a step; of elements with attributes, the element alone.
fn first_words(events: &[Event]) -> Vec<Bytes> {
    let word = |item: &resp::Value| match item {
        resp::Value::Bulk(word) => Some(word.clone()),
        resp::Value::Array(parts) => match parts.first() {
            Some(resp::Value::Bulk(word)) => Some(word.clone()),
            _ => None,
        },
        _ => None,
    };
    first_array(events).unwrap_or_default().iter().filter_map(word).collect()
}

/// What the last step did to a part of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// It is unchanged.
    #[default]
    Same,
    /// It is new.
    New,
    /// Its content changed.
    Changed,
    /// It is gone.
    Gone,
}

impl Mark {
    /// The mark of a part that is there now; `was`: what it was before the step, if it was there.
    pub fn of<T: PartialEq>(is_changed: bool, was: Option<&T>, now: &T) -> Mark {
        match was {
            _ if !is_changed => Mark::Same,
            None => Mark::New,
            Some(was) if was != now => Mark::Changed,
            Some(_) => Mark::Same,
        }
    }

    /// A word for style sheets and tests.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Mark::Same => None,
            Mark::New => Some("new"),
            Mark::Changed => Some("changed"),
            Mark::Gone => Some("gone"),
        }
    }
}

/// The bytes or elements that differ: everything between the common start and the common end. The first range is in `now`, the second in
/// `before`.
pub fn changed_middle<T: PartialEq>(before: &[T], now: &[T]) -> (Range<usize>, Range<usize>) {
    let head = before.iter().zip(now).take_while(|(a, b)| a == b).count();
    let room = before.len().min(now.len()).saturating_sub(head);
    let tail = before.iter().rev().zip(now.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
    (head..now.len().saturating_sub(tail), head..before.len().saturating_sub(tail))
}

/// Which elements of a list the step added, and how many it removed.
pub fn list_changes(before: Option<&List>, now: &List) -> (Range<usize>, Range<usize>) {
    let Some(before) = before else { return (0..now.len(), 0..0) };
    if before.len() > COMPARED_MAX || now.len() > COMPARED_MAX {
        return ends_of_long(before, now);
    }
    let (was, is): (Vec<Element<'_>>, Vec<Element<'_>>) = (before.iter().collect(), now.iter().collect());
    changed_middle(&was, &is)
}

/// For a long list: how much was pushed or popped at one end, judged by the elements there.
fn ends_of_long(before: &List, now: &List) -> (Range<usize>, Range<usize>) {
    let grown = now.len().saturating_sub(before.len());
    let shrunk = before.len().saturating_sub(now.len());
    if now.get(0) == before.get(0) {
        (now.len().saturating_sub(grown)..now.len(), before.len().saturating_sub(shrunk)..before.len())
    } else {
        (0..grown, 0..shrunk)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use world::{Input, NodeIndex, Settings};
    use yew::Reducible;

    use super::{Look, changed_middle};
    use crate::state::session::{Session, SessionAction};

    pub(super) fn engines() -> world::Engines {
        world::Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new())
    }

    /// What the panel shows after these lines of the first client; a number of milliseconds lets time pass.
    pub(super) fn look_after(lines: &[&str]) -> Look {
        let mut session = Rc::new(Session::fresh(Settings::default(), &engines()));
        for line in lines {
            let input = match line.parse() {
                Ok(ms) => Input::Advance { ms },
                Err(_) => Input::Command { client: 0, argv: resp::split::split(line.as_bytes()).unwrap() },
            };
            session = session.reduce(SessionAction::Push { input, ahead_ms: 0 });
        }
        Look::of(&session, NodeIndex::FIRST).unwrap()
    }

    #[test]
    fn common_start_and_end_are_unchanged() {
        let middle = |before: &str, now: &str| {
            let (is, was) = changed_middle(before.as_bytes(), now.as_bytes());
            (now[is].to_owned(), before[was].to_owned())
        };
        assert_eq!(middle("stock:5", "stock:4"), ("4".to_owned(), "5".to_owned()));
        assert_eq!(middle("abc", "abXc"), ("X".to_owned(), String::new()));
        assert_eq!(middle("aa", "aaa"), ("a".to_owned(), String::new()));
        assert_eq!(middle("same", "same"), (String::new(), String::new()));
        assert_eq!(middle("", "new"), ("new".to_owned(), String::new()));
    }
}
