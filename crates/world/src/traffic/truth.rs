//! The true values of items over time, to compare answers with.
use std::collections::BTreeMap;

use bytes::Bytes;

/// Number of former values to remember; a still older answer counts as outdated since the oldest.
const FORMER_MAX: usize = 8;

/// The accuracy of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Worth {
    /// It was true when the request came, or became true later.
    True,
    /// It had been outdated for this long when the request came, in ns.
    Stale(u64),
    /// The item never had this value.
    Wrong,
}

/// The database's values of the items that were changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Truth {
    changed: BTreeMap<u32, Item>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Item {
    value: Option<Bytes>,
    /// Former values with the time until which each was true, oldest first.
    former: Vec<(Option<Bytes>, u64)>,
}

/// The initial value of an item.
pub fn first_value(id: u32) -> Bytes {
    Bytes::from(format!("v0-{id}"))
}

/// The initial values of the items after `from`, up to `to`. A thousand of them are parts of one text, which saves an allocation for each.
pub(super) fn first_values(from: u32, to: u32) -> impl Iterator<Item = Bytes> {
    (from..to).step_by(VALUES_PER_TEXT).flat_map(move |before| {
        let most = u32::try_from(VALUES_PER_TEXT).unwrap_or(u32::MAX);
        let (mut text, mut ends) = (String::new(), Vec::with_capacity(VALUES_PER_TEXT));
        for id in before.saturating_add(1)..=before.saturating_add(most).min(to) {
            text.push_str("v0-");
            text.push_str(&id.to_string());
            ends.push(text.len());
        }
        let (text, mut start) = (Bytes::from(text), 0);
        ends.into_iter().map(move |end| {
            let value = text.slice(start..end);
            start = end;
            value
        })
    })
}

/// Number of initial values per text.
const VALUES_PER_TEXT: usize = 1_000;

/// The value that this request writes to an item.
pub fn value_of(number: u64, id: u32) -> Bytes {
    Bytes::from(format!("v{number}-{id}"))
}

impl Truth {
    /// The database has committed a new value. Items up to `items` exist from the beginning.
    pub fn change(&mut self, items: u32, id: u32, value: Option<Bytes>, now_ns: u64) {
        let item = self
            .changed
            .entry(id)
            .or_insert_with(|| Item { value: (id <= items).then(|| first_value(id)), former: Vec::new() });
        let before = std::mem::replace(&mut item.value, value);
        if item.former.len() >= FORMER_MAX {
            item.former.remove(0);
        }
        item.former.push((before, now_ns));
    }

    /// The accuracy of an answer to a request that came at `came_ns`. Items up to `items` exist from the beginning.
    pub fn worth(&self, items: u32, id: u32, answer: Option<&Bytes>, came_ns: u64) -> Worth {
        let Some(item) = self.changed.get(&id) else {
            let is_true = match answer {
                None => id > items,
                Some(answer) => id <= items && is_value(answer, 0, id),
            };
            return if is_true { Worth::True } else { Worth::Wrong };
        };
        if item.value.as_ref() == answer {
            return Worth::True;
        }
        match item.former.iter().rev().find(|(value, _)| value.as_ref() == answer) {
            Some((_, until_ns)) if *until_ns >= came_ns => Worth::True,
            Some((_, until_ns)) => Worth::Stale(came_ns.saturating_sub(*until_ns)),
            // Some value from long ago.
            None => match (answer.is_some_and(|answer| has_form(answer, id)), item.former.first()) {
                (true, Some((_, until_ns))) if item.former.len() >= FORMER_MAX => {
                    Worth::Stale(came_ns.saturating_sub(*until_ns))
                }
                _ => Worth::Wrong,
            },
        }
    }
}

/// Is this the value that the request writes to the item? Checked without allocation.
fn is_value(text: &[u8], number: u64, id: u32) -> bool {
    let parts = text.strip_prefix(b"v").and_then(|rest| {
        let dash = rest.iter().position(|byte| *byte == b'-')?;
        Some((rest.get(..dash)?, rest.get(dash.saturating_add(1)..)?))
    });
    parts.is_some_and(|(first, second)| is_number(first, number) && is_number(second, u64::from(id)))
}

/// Could some request have written this value?
fn has_form(text: &[u8], id: u32) -> bool {
    let dash = text.iter().position(|byte| *byte == b'-').and_then(|dash| text.get(dash.saturating_add(1)..));
    text.first() == Some(&b'v') && dash.is_some_and(|rest| is_number(rest, u64::from(id)))
}

/// Are these the digits of this number?
fn is_number(digits: &[u8], number: u64) -> bool {
    let read = digits.iter().try_fold(0_u64, |so_far, digit| {
        let digit = digit.is_ascii_digit().then(|| u64::from(digit - b'0'))?;
        so_far.checked_mul(10)?.checked_add(digit)
    });
    let has_one_form = digits.len() == 1 || digits.first().is_some_and(|first| *first != b'0');
    read == Some(number) && has_one_form
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initial_values_of_many_items_are_those_of_each() {
        for items in [1, 999, 1_000, 1_001, 2_500] {
            assert!(first_values(0, items).eq((1..=items).map(first_value)), "{items}");
        }
    }

    #[test]
    fn answers_are_true_stale_or_wrong() {
        let mut truth = Truth::default();
        let worth = |truth: &Truth, id, answer: Option<&str>, came_ns| {
            truth.worth(10, id, answer.map(|text| Bytes::copy_from_slice(text.as_bytes())).as_ref(), came_ns)
        };
        assert_eq!(worth(&truth, 7, Some("v0-7"), 5), Worth::True);
        for wrong in [Some("v0-8"), Some("v00-7"), Some("v0-07"), Some("v1-7"), Some(""), Some("v"), Some("v-7"), None]
        {
            assert_eq!(worth(&truth, 7, wrong, 5), Worth::Wrong, "{wrong:?}");
        }
        assert_eq!(worth(&truth, 11, None, 5), Worth::True);
        assert_eq!(worth(&truth, 11, Some("v0-11"), 5), Worth::Wrong);

        truth.change(10, 7, Some(value_of(3, 7)), 100);
        assert_eq!(worth(&truth, 7, Some("v3-7"), 50), Worth::True);
        assert_eq!(worth(&truth, 7, Some("v0-7"), 100), Worth::True);
        assert_eq!(worth(&truth, 7, Some("v0-7"), 130), Worth::Stale(30));
        assert_eq!(worth(&truth, 7, Some("v2-7"), 130), Worth::Wrong, "no one wrote it");
        for number in 4..20 {
            truth.change(10, 7, Some(value_of(number, 7)), number * 100);
        }
        assert_eq!(
            worth(&truth, 7, Some("v3-7"), 2_000),
            Worth::Stale(2_000 - 1_200),
            "at least as old as the oldest known"
        );
        truth.change(10, 7, None, 3_000);
        assert_eq!(worth(&truth, 7, None, 3_500), Worth::True);
        assert_eq!(worth(&truth, 7, Some("v19-7"), 3_500), Worth::Stale(500));

        // A new item.
        truth.change(10, 11, Some(value_of(9, 11)), 4_000);
        assert_eq!(worth(&truth, 11, Some("v9-11"), 4_500), Worth::True);
        assert_eq!(worth(&truth, 11, None, 4_500), Worth::Stale(500));
        assert_eq!(worth(&truth, 11, Some("v0-11"), 4_500), Worth::Wrong);
    }
}
