//! What the inside of a key shows: its value now, its value before the last step, how the two differ, and which of several
//! pictures of it is meant.
pub mod bits;
pub mod chart;
pub mod geo;
mod meant;
pub mod sketch;
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
pub use view::{Choice, View};

/// Elements of a list that are compared one by one; longer ones are compared at their ends only.
const COMPARED_MAX: usize = 4_000;
/// Elements that are drawn; the rest is counted.
pub const DRAWN_MAX: usize = 160;

/// A key to look into.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Which.
    pub key: KeyName,
    /// What it held before the last step, when that step changed it.
    pub before: Option<KeyState>,
    /// What it holds now.
    pub now: KeyState,
    /// The words of the last step's command, when they name the key.
    pub words: Vec<Bytes>,
    /// The elements that this command was answered with, one by one.
    pub answer: Vec<Bytes>,
    /// The family of the last command that named the key and that says how its value is meant.
    pub family: Option<Group>,
}

impl Look {
    /// What the session looks into at a node; nothing while no key of it is selected.
    pub fn of(session: &Session, node: NodeIndex) -> Option<Look> {
        let key = session.selected().filter(|key| key.database.node == node)?.clone();
        let now = key.entry(session.world()).cloned();
        let current = session.current();
        let before = current.and_then(|(_, step)| key.before(&step.events)).cloned();
        let words = current.and_then(|(_, step)| meant::words_about(&step.events, &key)).unwrap_or_default().to_vec();
        let answer =
            current.filter(|_| !words.is_empty()).map(|(_, step)| first_words(&step.events)).unwrap_or_default();
        let family = meant::family(session, &key);
        Some(Look { key, before, now, words, answer, family })
    }

    /// The key as it was, to be drawn once more after it is gone.
    pub fn earlier(&self) -> Look {
        Look { before: None, now: self.before.clone().flatten(), words: Vec::new(), ..self.clone() }
    }

    /// The value now.
    pub fn value(&self) -> Option<&Value> {
        self.now.as_ref().map(|entry| &entry.value)
    }

    /// The value before the last step, when that step changed the key.
    pub fn value_before(&self) -> Option<&Value> {
        self.before.as_ref()?.as_ref().map(|entry: &Entry| &entry.value)
    }

    /// Did the last step change the key?
    pub fn is_changed(&self) -> bool {
        self.before.is_some()
    }
}

/// The elements of the first array that a step was answered with; of those with something beside them, the element alone.
fn first_words(events: &[Event]) -> Vec<Bytes> {
    let items = events.iter().find_map(|event| match &event.kind {
        EventKind::Reply { value: resp::Value::Array(items), .. } => Some(items.as_slice()),
        _ => None,
    });
    let word = |item: &resp::Value| match item {
        resp::Value::Bulk(word) => Some(word.clone()),
        resp::Value::Array(parts) => match parts.first() {
            Some(resp::Value::Bulk(word)) => Some(word.clone()),
            _ => None,
        },
        _ => None,
    };
    items.unwrap_or_default().iter().filter_map(word).collect()
}

/// What the last step did to a part of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// Nothing.
    #[default]
    Same,
    /// It is new.
    New,
    /// It holds something else.
    Changed,
    /// It is gone.
    Gone,
}

impl Mark {
    /// For a style sheet and the tests.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Mark::Same => None,
            Mark::New => Some("new"),
            Mark::Changed => Some("changed"),
            Mark::Gone => Some("gone"),
        }
    }
}

/// Which bytes or elements of `now` are not those of `before`: everything between what both begin with and what both end with.
/// The second range is what stood there before.
pub fn changed_middle<T: PartialEq>(before: &[T], now: &[T]) -> (Range<usize>, Range<usize>) {
    let head = before.iter().zip(now).take_while(|(a, b)| a == b).count();
    let room = before.len().min(now.len()).saturating_sub(head);
    let tail = before.iter().rev().zip(now.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
    (head..now.len().saturating_sub(tail), head..before.len().saturating_sub(tail))
}

/// Which elements of a list the step brought, and how many it took away.
pub fn list_changes(before: Option<&List>, now: &List) -> (Range<usize>, Range<usize>) {
    let Some(before) = before else { return (0..now.len(), 0..0) };
    if before.len() > COMPARED_MAX || now.len() > COMPARED_MAX {
        return ends_of_long(before, now);
    }
    let (was, is): (Vec<Element<'_>>, Vec<Element<'_>>) = (before.iter().collect(), now.iter().collect());
    changed_middle(&was, &is)
}

/// For a long list: how much was pushed or popped at one of its ends, told by the elements there.
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
    use super::changed_middle;

    #[test]
    fn what_both_share_at_the_ends_is_not_changed() {
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
