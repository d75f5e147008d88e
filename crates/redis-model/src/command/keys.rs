//! Which words of a call are keys: read from the rows' key specifications, with Redis' own exceptions.
//!
//! A specification cannot say everything: `SORT … STORE dst` has its second key anywhere, `SET … GET` reads as well as
//! writes. The rows mark those (`INCOMPLETE`, `VARIABLE_FLAGS`), and for them a few commands are looked at by name.
use bytes::Bytes;

use super::{Begin, Command, Find, Flags, KeyFlags, KeySpec, find};
use crate::value::number;

/// A key among the words of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyAt {
    /// Which word, the name being word 0.
    pub index: usize,
    /// What the command does with it.
    pub flags: KeyFlags,
}

/// The keys of a call, in the order of the specifications; empty when there are none or the words make no sense.
///
/// ```
/// use bytes::Bytes;
/// let argv = ["GET", "name"].map(Bytes::from);
/// assert_eq!(redis_model::command::keys_of(&argv)[0].index, 1);
/// ```
pub fn keys_of(argv: &[Bytes]) -> Vec<KeyAt> {
    let Ok(row) = find(argv) else { return Vec::new() };
    keys_of_row(row, argv).unwrap_or_default()
}

/// The keys of a call of this row; `None` when the words make no sense.
pub(crate) fn keys_of_row(row: &Command, argv: &[Bytes]) -> Option<Vec<KeyAt>> {
    let is_reliable = row.keys.iter().all(|spec| !spec.flags.contains(KeyFlags::VARIABLE_FLAGS));
    let specified = is_reliable.then(|| specified_keys(row, argv)).flatten();
    specified.or_else(|| exceptional_keys(row, argv)).filter(|keys| !keys.is_empty()).or_else(|| {
        // A number of keys of 0 is no mistake where the command can do without.
        row.flags.contains(Flags::NO_MANDATORY_KEYS).then(Vec::new)
    })
}

/// Which word is the key of a command that has exactly one, wherever it is called.
pub(crate) const fn only_key(row: &Command) -> Option<usize> {
    match row.keys {
        [KeySpec { flags, begin: Begin::Index(index), find: Find::Range { last: 0, .. }, .. }]
            if !flags.intersects(KeyFlags::INCOMPLETE.union(KeyFlags::NOT_KEY)) =>
        {
            Some(*index)
        }
        _ => None,
    }
}

fn specified_keys(row: &Command, argv: &[Bytes]) -> Option<Vec<KeyAt>> {
    let mut keys = Vec::new();
    for spec in row.keys.iter().filter(|spec| !spec.flags.contains(KeyFlags::NOT_KEY)) {
        let (first, last, step) = extent(spec, argv)?;
        if last >= argv.len() || last < first || spec.flags.contains(KeyFlags::INCOMPLETE) {
            return None;
        }
        keys.extend((first..=last).step_by(step.max(1)).map(|index| KeyAt { index, flags: spec.flags }));
    }
    Some(keys)
}

/// First key, last key, distance.
fn extent(spec: &KeySpec, argv: &[Bytes]) -> Option<(usize, usize, usize)> {
    let first = match spec.begin {
        Begin::Index(index) => index,
        Begin::Keyword(word, from) => keyword(argv, word, from)?.checked_add(1)?,
        Begin::Unknown => return None,
    };
    match spec.find {
        Find::Range { last, step, limit } => {
            let last = match usize::try_from(last) {
                Ok(further) => first.checked_add(further)?,
                Err(_) if limit > 1 => {
                    let rest = argv.len().checked_sub(first)?.checked_div(limit)?;
                    first.checked_add(rest)?.checked_sub(1)?
                }
                Err(_) => argv.len().checked_add_signed(isize::try_from(last).ok()?)?,
            };
            Some((first, last, step))
        }
        Find::Keynum { index, first: offset, step } => {
            let count = number::parse_i64(argv.get(first.checked_add(index)?)?)?;
            let first = first.checked_add(offset)?;
            let last = first.checked_add(usize::try_from(count).ok()?)?.checked_sub(1)?;
            Some((first, last, step))
        }
        Find::Unknown => None,
    }
}

/// Where a keyword stands, searched from a word on; backwards when that is counted from the end.
fn keyword(argv: &[Bytes], word: &str, from: i32) -> Option<usize> {
    let is_it = |i: &usize| argv.get(*i).is_some_and(|arg| arg.eq_ignore_ascii_case(word.as_bytes()));
    match usize::try_from(from) {
        Ok(start) => (start..argv.len()).find(is_it),
        Err(_) => {
            let start = argv.len().checked_add_signed(isize::try_from(from).ok()?)?;
            (1..=start).rev().find(is_it)
        }
    }
}

/// The commands whose specifications do not tell everything.
fn exceptional_keys(row: &Command, argv: &[Bytes]) -> Option<Vec<KeyAt>> {
    if !row.container.is_empty() {
        return None;
    }
    let read = KeyFlags::RO.union(KeyFlags::ACCESS);
    let read_write = KeyFlags::RW.union(KeyFlags::ACCESS).union(KeyFlags::UPDATE);
    let has =
        |words: &[&str]| argv.iter().skip(2).any(|arg| words.iter().any(|w| arg.eq_ignore_ascii_case(w.as_bytes())));
    let first = |flags| Some(vec![KeyAt { index: 1, flags }]);
    match row.name {
        "set" if has(&["get"]) => first(read_write),
        "set" => first(KeyFlags::OW.union(KeyFlags::UPDATE)),
        "bitfield" if !only_gets(argv) => first(read_write),
        "bitfield" | "sort_ro" => first(read),
        "sort" => Some(with_destination(argv, 2, &["store"], &[("limit", 2), ("get", 1), ("by", 1)])),
        "georadius" => Some(with_destination(argv, 6, &["store", "storedist"], &[])),
        "georadiusbymember" => Some(with_destination(argv, 5, &["store", "storedist"], &[])),
        "migrate" => migrated(argv),
        _ => None,
    }
}

/// Key 1 is read, and the word after the last of these tokens written; some options are followed by words to pass over.
fn with_destination(argv: &[Bytes], from: usize, tokens: &[&str], skipped: &[(&str, usize)]) -> Vec<KeyAt> {
    let mut destination = None;
    let mut i = from;
    while let Some(word) = argv.get(i) {
        let is_one = |known: &str| word.eq_ignore_ascii_case(known.as_bytes());
        if let Some((_, words)) = skipped.iter().find(|(known, _)| is_one(known)) {
            i = i.saturating_add(*words);
        } else if tokens.iter().any(|known| is_one(known)) && i.saturating_add(1) < argv.len() {
            destination = Some(i.saturating_add(1));
        }
        i = i.saturating_add(1);
    }
    let read = KeyAt { index: 1, flags: KeyFlags::RO.union(KeyFlags::ACCESS) };
    let written = destination.map(|index| KeyAt { index, flags: KeyFlags::OW.union(KeyFlags::UPDATE) });
    [Some(read), written].into_iter().flatten().collect()
}

/// Does a `BITFIELD` consist of `GET type offset` and nothing else?
fn only_gets(argv: &[Bytes]) -> bool {
    argv.get(2..).unwrap_or_default().chunks(3).all(|op| matches!(op, [get, _, _] if get.eq_ignore_ascii_case(b"get")))
}

/// `MIGRATE host port key …`, or with an empty key everything after `KEYS`.
fn migrated(argv: &[Bytes]) -> Option<Vec<KeyAt>> {
    let flags = KeyFlags::RW.union(KeyFlags::ACCESS).union(KeyFlags::DELETE);
    let is_key_empty = argv.get(3).is_some_and(Bytes::is_empty);
    match keyword(argv, "keys", 6) {
        Some(at) if is_key_empty => {
            Some((at.saturating_add(1)..argv.len()).map(|index| KeyAt { index, flags }).collect())
        }
        Some(_) => None,
        None => Some(vec![KeyAt { index: 3, flags }]),
    }
}
