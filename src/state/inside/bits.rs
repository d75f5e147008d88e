//! A string as a row of bits: how many are 1, where they are dense, which ones the last step changed, and the fields that a `BITFIELD`
//! names.
use std::ops::Range;

use bytes::Bytes;
use redis_model::value::bits::{self, Width};
use redis_model::value::number::parse_u64;
use redis_model::value::raw::PIECE_BYTES;
use redis_model::value::string::{Str, View};

/// Size of one window, in bytes.
pub const WINDOW_BYTES: usize = 64;
const WINDOW_BITS: u64 = WINDOW_BYTES as u64 * 8;
/// Columns of the overview of a long string.
pub const COLUMNS: usize = 128;
/// How many fields of a `BITFIELD` are outlined.
const FIELDS_MAX: usize = 8;

/// Statistics over all bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// Length of the string, in bytes.
    pub len: usize,
    /// How many bits are 1.
    pub ones: u64,
    /// How many bits are 1 in each column of the overview; empty if one window shows everything.
    pub columns: Vec<u64>,
    /// The first bit that the step changed.
    pub changed: Option<u64>,
    /// The window that the view starts with: the first changed bit, or else the first 1.
    pub home: u64,
}

impl Survey {
    /// Reads every bit once. `before` is the string before the step.
    pub fn of(before: Option<&Str>, now: &Str) -> Survey {
        let view = now.view();
        let len = view.len();
        let columns: Vec<u64> = if len > WINDOW_BYTES {
            let share = (len as u64 * 8).div_ceil(COLUMNS as u64);
            let column =
                |i: u64| bits::count(&view, i * share, ((i + 1) * share).min(len as u64 * 8).saturating_sub(1));
            (0..COLUMNS as u64).map(column).collect()
        } else {
            Vec::new()
        };
        let last = (len as u64 * 8).saturating_sub(1);
        let ones = if columns.is_empty() { bits::count(&view, 0, last) } else { columns.iter().sum() };
        let changed = before.and_then(|before| first_difference(&before.view(), &view));
        let shown = changed.or_else(|| bits::find(&view, true, 0, last).filter(|_| len > 0)).unwrap_or(0);
        Survey { len, ones, columns, changed, home: shown / WINDOW_BITS }
    }

    /// How many bits there are.
    pub fn bits(&self) -> u64 {
        self.len as u64 * 8
    }

    /// How many windows there are; at least one.
    pub fn windows(&self) -> u64 {
        self.len.div_ceil(WINDOW_BYTES).max(1) as u64
    }

    /// The window to show: the reader's choice if [`Survey::home`] has not changed since, otherwise the home window.
    pub fn window(&self, chosen: Option<(u64, u64)>) -> u64 {
        let held = chosen.filter(|(_, home)| *home == self.home).map(|(window, _)| window);
        held.unwrap_or(self.home).min(self.windows().saturating_sub(1))
    }

    /// The bytes of a window.
    pub fn bytes_of(&self, window: u64) -> Range<usize> {
        let first = usize::try_from(window).unwrap_or(usize::MAX).saturating_mul(WINDOW_BYTES).min(self.len);
        first..first.saturating_add(WINDOW_BYTES).min(self.len)
    }

    /// The next window after this one that contains a 1.
    pub fn next_one(&self, now: &Str, window: u64) -> Option<u64> {
        let from = window.saturating_add(1).saturating_mul(WINDOW_BITS);
        let last = self.bits().checked_sub(1).filter(|last| from <= *last)?;
        bits::find(&now.view(), true, from, last).map(|bit| bit / WINDOW_BITS)
    }
}

/// The first bit that differs; beyond the end of a string all bits are 0.
fn first_difference(before: &View<'_>, now: &View<'_>) -> Option<u64> {
    let longest = before.len().max(now.len());
    let at = (0..longest.div_ceil(PIECE_BYTES)).find_map(|nth| {
        let (was, is) = (before.piece(nth), now.piece(nth));
        // Unchanged parts share their memory.
        if std::ptr::eq(was, is) {
            return None;
        }
        let byte = |piece: &[u8], i: usize| piece.get(i).copied().unwrap_or(0);
        let inside = (0..was.len().max(is.len())).find(|i| byte(was, *i) != byte(is, *i))?;
        Some(nth.saturating_mul(PIECE_BYTES).saturating_add(inside))
    })?;
    let turned = before.byte(at) ^ now.byte(at);
    Some(at as u64 * 8 + u64::from(turned.leading_zeros()))
}

/// An integer field that a `BITFIELD` names.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its type as it was typed, such as `u8`.
    pub name: String,
    /// Its bits.
    pub bits: Range<u64>,
    /// Its current value.
    pub value: i64,
}

/// The fields that the words of a `BITFIELD` name, each once.
pub fn fields(words: &[Bytes], now: &Str) -> Vec<Field> {
    let is_field = |name: &&Bytes| name.eq_ignore_ascii_case(b"bitfield") || name.eq_ignore_ascii_case(b"bitfield_ro");
    let mut found: Vec<Field> = Vec::new();
    let mut rest = if words.first().as_ref().is_some_and(is_field) { words.get(2..).unwrap_or_default() } else { &[] };
    while let Some((verb, behind)) = rest.split_first() {
        let is = |word: &str| verb.eq_ignore_ascii_case(word.as_bytes());
        let used = if is("get") {
            2
        } else if is("overflow") {
            1
        } else {
            3
        };
        if let (false, [width, offset, ..]) = (is("overflow"), behind)
            && let Some(field) = field(width, offset, now)
            && found.len() < FIELDS_MAX
            && !found.contains(&field)
        {
            found.push(field);
        }
        rest = behind.get(used..).unwrap_or_default();
    }
    found
}

fn field(name: &[u8], offset: &[u8], now: &Str) -> Option<Field> {
    let width = Width::parse(name)?;
    let first = match offset.strip_prefix(b"#") {
        Some(nth) => parse_u64(nth)?.checked_mul(width.bits.into())?,
        None => parse_u64(offset)?,
    };
    let bits = first..first.checked_add(width.bits.into())?;
    let name = String::from_utf8_lossy(name).into_owned();
    Some(Field { name, bits, value: width.read(&now.view(), first) })
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use proptest::prelude::*;
    use redis_model::value::string::Str;

    use super::{Survey, WINDOW_BYTES, fields};

    fn string(bytes: impl Into<Vec<u8>>) -> Str {
        Str::plain(Bytes::from(bytes.into()))
    }

    #[test]
    fn one_window_holds_a_month() {
        let mut month = string([]);
        month.set_range(0, &[0b1010_0000, 0, 1, 0b10]);
        let survey = Survey::of(Some(&string([0b1000_0000])), &month);
        assert_eq!((survey.ones, survey.bits(), survey.windows()), (4, 32, 1));
        assert_eq!((survey.changed, survey.home), (Some(2), 0));
        assert!(survey.columns.is_empty());
        assert_eq!(survey.bytes_of(survey.window(Some((99, 0)))), 0..4);
    }

    #[test]
    fn long_string_starts_at_its_first_change_or_one() {
        let mut long = string([]);
        long.set_range(2_000_000, &[1]);
        let survey = Survey::of(None, &long);
        assert_eq!((survey.ones, survey.changed, survey.home), (1, None, 31_250));
        assert_eq!(survey.columns.iter().filter(|ones| **ones > 0).count(), 1);
        assert_eq!(survey.window(Some((7, 31_250))), 7);
        assert_eq!(survey.window(Some((7, 12))), 31_250, "the picture follows what happens");
        assert_eq!(survey.next_one(&long, 7), Some(31_250));
        assert_eq!(survey.next_one(&long, 31_250), None);
        assert_eq!(survey.next_one(&long, u64::MAX), None);
        let before = long.clone();
        long.set_range(1_999_999, &[0x40]);
        assert_eq!(Survey::of(Some(&before), &long).changed, Some(15_999_993));
    }

    #[test]
    fn fields_are_those_named_by_the_command() {
        let words = |line: &str| resp::split::split(line.as_bytes()).unwrap();
        let now = string([5, 0xff, 0]);
        let of = |line: &str| -> Vec<(String, u64, i64)> {
            fields(&words(line), &now).into_iter().map(|field| (field.name, field.bits.start, field.value)).collect()
        };
        let found = of("BITFIELD k SET u8 0 5 OVERFLOW SAT INCRBY i8 #1 1 GET u4 4 GET u4 4");
        assert_eq!(found, [("u8".into(), 0, 5), ("i8".into(), 8, -1), ("u4".into(), 4, 5)]);
        for line in [
            "BITFIELD k",
            "BITFIELD",
            "BITFIELD k GET u8",
            "BITFIELD k GET u99 0",
            "SET k u8 0",
            "BITFIELD k GET i64 #99999999999999999999",
        ] {
            assert_eq!(of(line), []);
        }
        assert_eq!(of("bitfield k get i64 18446744073709551615"), []);
    }

    proptest! {
        #[test]
        fn every_bit_is_counted_and_every_change_found(
            before in prop::collection::vec(any::<u8>(), 0..400),
            now in prop::collection::vec(any::<u8>(), 0..400),
            window in any::<u64>(),
        ) {
            let (was, is) = (string(before.clone()), string(now.clone()));
            let survey = Survey::of(Some(&was), &is);
            prop_assert_eq!(survey.ones, now.iter().map(|byte| u64::from(byte.count_ones())).sum::<u64>());
            let bit = |bytes: &[u8], i: usize| bytes.get(i / 8).is_some_and(|byte| byte & (0x80 >> (i % 8)) != 0);
            let expected = (0..3200).find(|i| bit(&before, *i) != bit(&now, *i));
            prop_assert_eq!(survey.changed, expected.map(|i| i as u64));
            let shown = survey.bytes_of(survey.window(Some((window, survey.home))));
            prop_assert!(shown.len() <= WINDOW_BYTES && shown.end <= now.len());
            prop_assert!(survey.bytes_of(window).end <= now.len());
        }
    }
}
