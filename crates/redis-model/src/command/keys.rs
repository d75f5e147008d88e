//! Which words of a call are keys: from the rows' key specifications, with Redis' own exceptions.
//!
//! A specification cannot express everything: the destination key of `SORT … STORE dst` can be anywhere, and `SET … GET` also reads. Rows
//! mark such specifications (`INCOMPLETE`, `VARIABLE_FLAGS`), and `exceptional_keys` handles these commands by name.
use bytes::Bytes;

use super::{Begin, Command, Find, Flags, KeyFlags, KeySpec, find};
use crate::value::number;

/// A key among the words of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyAt {
    /// Index of the word; the name is word 0.
    pub index: usize,
    /// How the command uses the key.
    pub flags: KeyFlags,
}

/// The keys of a call, in the order of the specifications; empty if there are none or the call is invalid.
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

/// The keys of a call of this row; `None` if the call is invalid.
pub(crate) fn keys_of_row(row: &Command, argv: &[Bytes]) -> Option<Vec<KeyAt>> {
    let is_reliable = row.keys.iter().all(|spec| !spec.flags.contains(KeyFlags::VARIABLE_FLAGS));
    let specified = is_reliable.then(|| specified_keys(row, argv)).flatten();
    specified.or_else(|| exceptional_keys(row, argv)).filter(|keys| !keys.is_empty()).or_else(|| {
        // Zero keys are valid if the command does not need any.
        row.flags.contains(Flags::NO_MANDATORY_KEYS).then(Vec::new)
    })
}

/// The index of the key of a command whose calls always have exactly one, at a fixed position.
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

/// (first key, last key, step)
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

/// The position of a keyword, searched forwards from word `from`, or backwards from the end if `from` is negative.
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

/// The keys of commands whose specifications are incomplete.
fn exceptional_keys(row: &Command, argv: &[Bytes]) -> Option<Vec<KeyAt>> {
    if !row.container.is_empty() {
        return None;
    }
    let read = KeyFlags::READ;
    let read_write = KeyFlags::MODIFY;
    let has =
        |words: &[&str]| argv.iter().skip(2).any(|arg| words.iter().any(|w| arg.eq_ignore_ascii_case(w.as_bytes())));
    let first = |flags| Some(vec![KeyAt { index: 1, flags }]);
    match row.name {
        "set" if has(&["get"]) => first(read_write),
        "set" => first(KeyFlags::OVERWRITE),
        "bitfield" if !only_gets(argv) => first(read_write),
        "bitfield" | "sort_ro" => first(read),
        "sort" => Some(with_destination(argv, 2, &["store"], &[("limit", 2), ("get", 1), ("by", 1)])),
        "georadius" => Some(with_destination(argv, 6, &["store", "storedist"], &[])),
        "georadiusbymember" => Some(with_destination(argv, 5, &["store", "storedist"], &[])),
        "migrate" => migrated(argv),
        _ => None,
    }
}

/// Word 1 is a key to read, and the word after the last of `tokens` is a key to write. `skipped` lists options with the number of words
/// after them to skip.
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
    let read = KeyAt { index: 1, flags: KeyFlags::READ };
    let written = destination.map(|index| KeyAt { index, flags: KeyFlags::OVERWRITE });
    [Some(read), written].into_iter().flatten().collect()
}

/// Does a `BITFIELD` call consist of `GET type offset` only?
fn only_gets(argv: &[Bytes]) -> bool {
    argv.get(2..).unwrap_or_default().chunks(3).all(|op| matches!(op, [get, _, _] if get.eq_ignore_ascii_case(b"get")))
}

/// The key of `MIGRATE host port key …`, or all words after `KEYS` if that key is empty.
fn migrated(argv: &[Bytes]) -> Option<Vec<KeyAt>> {
    let flags = KeyFlags::TAKE;
    let is_key_empty = argv.get(3).is_some_and(Bytes::is_empty);
    match keyword(argv, "keys", 6) {
        Some(at) if is_key_empty => {
            Some((at.saturating_add(1)..argv.len()).map(|index| KeyAt { index, flags }).collect())
        }
        Some(_) => None,
        None => Some(vec![KeyAt { index: 3, flags }]),
    }
}
