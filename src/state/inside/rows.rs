//! Bitmaps of one family below each other, so that equal bits stand in one column: a row per day, or the sources and the result of a
//! `BITOP`. Also, which bits the last command named.
use bytes::Bytes;
use redis_model::value::Value;
use redis_model::value::bits;
use redis_model::value::number::parse_u64;
use redis_model::value::string::Str;

use super::Look;
use super::beside::{family_of, natural};

/// How many rows are shown.
const ROWS_MAX: usize = 14;
/// Bits of a row.
pub const ROW_BITS: u64 = 32;
/// How many named bits are marked.
const NAMED_MAX: usize = 64;

/// A bitmap as a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The key.
    pub name: Bytes,
    /// The value; a missing key has no bits.
    pub string: Option<Str>,
    /// Whether it is the key that the panel shows.
    pub is_key: bool,
    /// Whether a `BITOP` has written it.
    pub is_result: bool,
}

/// Rows that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// The rows, at least two.
    pub rows: Vec<Row>,
    /// The operation of the `BITOP`, if its result is among the rows.
    pub operation: Option<String>,
    /// How many of the family are not shown.
    pub hidden: usize,
}

impl Rows {
    /// The rows for the key of a look, whose value is `now`; `None` if it stands alone.
    pub fn of(look: &Look, now: &Str) -> Option<Rows> {
        let found = Rows::of_operation(look, now).or_else(|| Rows::of_family(look, now))?;
        (found.rows.len() > 1).then_some(found)
    }

    /// The sources of a `BITOP` and its result.
    fn of_operation(look: &Look, now: &Str) -> Option<Rows> {
        let [name, operation, target, sources @ ..] = look.words.as_slice() else { return None };
        if !name.eq_ignore_ascii_case(b"bitop") || sources.is_empty() {
            return None;
        }
        let row = |key: &Bytes, is_result: bool| {
            let is_key = *key == look.key.key;
            let string = if is_key { Some(now.clone()) } else { string_of(look, key) };
            Row { name: key.clone(), string, is_key, is_result }
        };
        // A target that is also a source has lost what it held.
        let sources: Vec<&Bytes> = sources.iter().filter(|key| *key != target).collect();
        let rows = sources.iter().take(ROWS_MAX).map(|key| row(key, false)).chain([row(target, true)]).collect();
        let operation = String::from_utf8_lossy(operation).to_ascii_uppercase();
        Some(Rows { rows, operation: Some(operation), hidden: sources.len().saturating_sub(ROWS_MAX) })
    }

    /// The keys of the same family, in the order of their names.
    fn of_family(look: &Look, now: &Str) -> Option<Rows> {
        let key = &look.key.key;
        let family = family_of(key);
        let mut rows = vec![Row { name: key.clone(), string: Some(now.clone()), is_key: true, is_result: false }];
        rows.extend(look.beside.iter().filter(|(name, _)| family_of(name) == family).filter_map(|(name, value)| {
            let Value::String(string) = value else { return None };
            Some(Row { name: name.clone(), string: Some(string.clone()), is_key: false, is_result: false })
        }));
        rows.sort_by(|a, b| natural(&a.name).cmp(&natural(&b.name)));
        let hidden = rows.len().saturating_sub(ROWS_MAX);
        let place = rows.iter().position(|row| row.is_key)?;
        let first = place.saturating_sub(ROWS_MAX / 2).min(hidden);
        let rows = rows.into_iter().skip(first).take(ROWS_MAX).collect();
        Some(Rows { rows, operation: None, hidden })
    }

    /// How many bits the longest row has.
    pub fn bits(&self) -> u64 {
        self.rows.iter().filter_map(|row| row.string.as_ref()).map(|string| string.len() as u64 * 8).max().unwrap_or(0)
    }

    /// How many blocks of [`ROW_BITS`] there are; at least one.
    pub fn blocks(&self) -> u64 {
        self.bits().div_ceil(ROW_BITS).max(1)
    }

    /// The block to show: the reader's choice if `home`, the block that the view would start with, has not changed since.
    pub fn block(&self, chosen: Option<(u64, u64)>, home: u64) -> u64 {
        let held = chosen.filter(|(_, of)| *of == home).map(|(block, _)| block);
        held.unwrap_or(home).min(self.blocks().saturating_sub(1))
    }
}

impl Row {
    /// A bit; `None` behind the end of the string.
    pub fn bit(&self, index: u64) -> Option<bool> {
        let string = self.string.as_ref().filter(|string| index < string.len() as u64 * 8)?;
        Some(bits::get(&string.view(), index))
    }

    /// How many bits are 1.
    pub fn ones(&self) -> u64 {
        let all = |string: &Str| bits::count(&string.view(), 0, (string.len() as u64 * 8).saturating_sub(1));
        self.string.as_ref().filter(|string| !string.is_empty()).map_or(0, all)
    }
}

fn string_of(look: &Look, key: &Bytes) -> Option<Str> {
    look.beside.iter().find(|(name, _)| name == key).and_then(|(_, value)| match value {
        Value::String(string) => Some(string.clone()),
        _ => None,
    })
}

/// The bits that the last command named, in its order: the offset of `SETBIT` or `GETBIT`, or what a function or a script replied, if that
/// is a list of numbers which are bits of the string.
pub fn named(look: &Look, now: &Str) -> Vec<u64> {
    let Some(name) = look.words.first() else { return Vec::new() };
    let is = |word: &str| name.eq_ignore_ascii_case(word.as_bytes());
    if is("setbit") || is("getbit") {
        return look.words.get(2).and_then(|word| parse_u64(word)).into_iter().collect();
    }
    let is_call = ["fcall", "fcall_ro", "eval", "eval_ro", "evalsha", "evalsha_ro"].into_iter().any(is);
    let last = now.len() as u64 * 8;
    let is_bits = !look.numbers.is_empty() && look.numbers.iter().all(|number| *number < last);
    let mut bits: Vec<u64> = if is_call && is_bits { look.numbers.clone() } else { Vec::new() };
    bits.truncate(NAMED_MAX);
    bits
}

#[cfg(test)]
mod tests {
    use redis_model::value::Value;

    use super::super::Look;
    use super::super::tests::look_after;
    use super::{ROW_BITS, ROWS_MAX, Rows, named};

    fn rows_after(lines: &[&str]) -> Option<Rows> {
        let look = look_after(lines);
        let Some(Value::String(now)) = look.value() else { panic!("no string") };
        Rows::of(&look, now)
    }

    fn shown(rows: &Rows) -> Vec<String> {
        let sign = |bit: Option<bool>| match bit {
            Some(true) => '1',
            Some(false) => '0',
            None => '.',
        };
        let bits = |row: &super::Row| (0..10).map(|i| sign(row.bit(i))).collect::<String>();
        rows.rows
            .iter()
            .map(|row| format!("{} {} {}", String::from_utf8_lossy(&row.name), bits(row), row.ones()))
            .collect()
    }

    const DAYS: [&str; 4] = ["SETBIT day:10 9 1", "SETBIT day:2 1 1", "SETBIT day:2 4 1", "SETBIT day:1 1 1"];

    #[test]
    fn days_stand_below_each_other() {
        let rows = rows_after(&DAYS).unwrap();
        assert_eq!(shown(&rows), ["day:1 01000000.. 1", "day:2 01001000.. 2", "day:10 0000000001 1"]);
        assert_eq!((rows.operation.as_deref(), rows.hidden, rows.bits(), rows.blocks()), (None, 0, 16, 1));
        assert_eq!(rows.rows.iter().map(|row| row.is_key).collect::<Vec<_>>(), [true, false, false]);
        assert_eq!(rows_after(&["SETBIT alone 1 1"]), None);
    }

    #[test]
    fn the_result_of_an_operation_stands_below_its_sources() {
        let rows = rows_after(&[&DAYS[..], &["BITOP and every day:1 day:2 day:3"]].concat()).unwrap();
        assert_eq!(
            shown(&rows),
            ["day:1 01000000.. 1", "day:2 01001000.. 2", "day:3 .......... 0", "every 00000000.. 0"]
        );
        assert_eq!(rows.operation.as_deref(), Some("AND"));
        assert!(rows.rows.last().unwrap().is_result && rows.rows.last().unwrap().is_key);
        assert_eq!(rows_after(&[&DAYS[..], &["BITOP NOT day:1 day:1"]].concat()), None);
    }

    #[test]
    fn many_days_are_those_around_the_key() {
        let lines: Vec<String> = (1..=30).chain([20]).map(|day| format!("SETBIT day:{day} {} 1", day * 100)).collect();
        let rows = rows_after(&lines.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
        assert_eq!((rows.rows.len(), rows.hidden), (ROWS_MAX, 16));
        assert!(rows.rows.iter().any(|row| row.is_key && row.name == "day:20"));
        let home = 2_000 / ROW_BITS;
        assert_eq!(rows.block(None, home), home);
        assert_eq!(rows.block(Some((3, home)), home), 3);
        assert_eq!(rows.block(Some((3, 1)), home), home, "the picture follows what happens");
        assert_eq!(rows.block(Some((u64::MAX, home)), home), rows.blocks() - 1);
    }

    #[test]
    fn named_bits_are_those_of_the_command_or_of_a_list_in_the_reply() {
        let of = |lines: &[&str]| {
            let look: Look = look_after(lines);
            let Some(Value::String(now)) = look.value() else { panic!("no string") };
            named(&look, now)
        };
        for (line, wanted) in [
            ("SETBIT k 5 1", vec![5]),
            ("GETBIT k 99", vec![99]),
            ("GETBIT k x", vec![]),
            ("BITCOUNT k", vec![]),
            ("EVAL \"return {8, 29, 18}\" 1 k", vec![8, 29, 18]),
            ("EVAL \"return {8, 32}\" 1 k", vec![]),
            ("EVAL \"return {8, 'x'}\" 1 k", vec![]),
            ("EVAL \"return {-1}\" 1 k", vec![]),
            ("EVAL \"return 3\" 1 k", vec![]),
            ("BITFIELD k GET u4 0 GET u4 4", vec![]),
        ] {
            assert_eq!(of(&["SETBIT k 31 1", line]), wanted, "{line}");
        }
    }
}
