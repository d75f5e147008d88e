//! The keys beside a key: others of its type in its database, to be drawn with it. Keys that the last command names come first, then those
//! of its family (`friends:1`, `friends:2` …), then the rest; each group begins after the key and goes on from the first one.
use bytes::Bytes;
use redis_model::Db;
use redis_model::value::Value;

use super::Look;

/// How many keys of the database are looked at.
const SCANNED_MAX: usize = 5_000;
/// How many keys are offered.
const OFFERED_MAX: usize = 60;
/// How many words of a command may name keys.
const NAMED_MAX: usize = 16;

/// A key with its value.
pub type Neighbour = (Bytes, Value);

/// The part of a name that a family shares: `day:1` and `day:2` have `day:`, `log-2026-05-01` has `log`.
pub fn family_of(name: &[u8]) -> &[u8] {
    match name.iter().rposition(|byte| *byte == b':') {
        Some(at) => name.get(..=at).unwrap_or_default(),
        None => {
            let is_number = |byte: &&u8| byte.is_ascii_digit() || matches!(**byte, b'-' | b'.' | b'_' | b'/');
            let tail = name.iter().rev().take_while(is_number).count();
            name.get(..name.len().saturating_sub(tail)).unwrap_or_default()
        }
    }
}

/// The place of a name in an order in which `day:9` comes before `day:10`.
pub fn natural(name: &[u8]) -> (&[u8], usize, &[u8]) {
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (stem, number) = name.split_at_checked(name.len().saturating_sub(digits)).unwrap_or((name, &[]));
    (stem, number.len(), number)
}

/// The keys beside the one of `look`, which are drawn with it: other sets of a set, and other strings of a string.
pub fn beside(db: &Db, look: &Look) -> Vec<Neighbour> {
    let Some(value) = look.value().or_else(|| look.value_before()) else { return Vec::new() };
    if !matches!(value, Value::Set(_) | Value::String(_)) {
        return Vec::new();
    }
    let key = &look.key.key;
    let is_alike = |other: &Value| std::mem::discriminant(other) == std::mem::discriminant(value);
    let mut found: Vec<Neighbour> = Vec::new();
    for word in look.words.iter().skip(1).take(NAMED_MAX) {
        let named = db.value(word).filter(|other| word != key && is_alike(other));
        if let Some(named) = named.filter(|_| found.iter().all(|(known, _)| known != word)) {
            found.push((word.clone(), named.clone()));
        }
    }
    let family = family_of(key);
    let is_family = |name: &[u8]| !family.is_empty() && family_of(name) == family;
    let is_set = matches!(value, Value::Set(_));
    let others = db.entries().iter().take(SCANNED_MAX).filter(|(name, entry)| {
        *name != key
            && is_alike(&entry.value)
            && (is_set || is_family(name))
            && found.iter().all(|(known, _)| known != *name)
    });
    let mut others: Vec<(&Bytes, &Value)> = others.map(|(name, entry)| (name, &entry.value)).collect();
    let rank = |name: &'_ Bytes| (!is_family(name), natural(name) < natural(key));
    let order = |(a, _): &(&Bytes, &Value), (b, _): &(&Bytes, &Value)| {
        rank(a).cmp(&rank(b)).then_with(|| natural(a).cmp(&natural(b)))
    };
    // This runs at every step: of thousands of keys, only those that are offered are sorted and copied.
    if others.len() > OFFERED_MAX {
        others.select_nth_unstable_by(OFFERED_MAX, order);
        others.truncate(OFFERED_MAX);
    }
    others.sort_by(order);
    found.extend(others.into_iter().map(|(name, value)| (name.clone(), value.clone())));
    found.truncate(OFFERED_MAX);
    found
}

#[cfg(test)]
mod tests {
    use super::super::tests::look_after;
    use super::{family_of, natural};

    fn names(lines: &[&str]) -> Vec<String> {
        let look = look_after(lines);
        look.beside.iter().map(|(name, _)| String::from_utf8_lossy(name).into_owned()).collect()
    }

    #[test]
    fn family_is_what_names_share() {
        for (name, family) in [
            ("day:1", "day:"),
            ("active:2026-05-01", "active:"),
            ("log-2026-05-01", "log"),
            ("got", "got"),
            ("2026", ""),
            ("a:b:c", "a:b:"),
            ("", ""),
        ] {
            assert_eq!(String::from_utf8_lossy(family_of(name.as_bytes())), family, "{name}");
        }
        assert!(natural(b"day:9") < natural(b"day:10"));
    }

    #[test]
    fn named_keys_come_first_then_the_family_after_the_key() {
        let sets = [
            "SADD got 5",
            "SADD friends:1 2",
            "SADD friends:3 1",
            "SADD friends:10 1",
            "SET friends:4 x",
            "SADD friends:2 1",
        ];
        assert_eq!(names(&sets), ["friends:3", "friends:10", "friends:1", "got"]);
        let stored = [&sets[..], &["SUNIONSTORE friends:5 friends:1 got friends:1"]].concat();
        assert_eq!(names(&stored), ["friends:1", "got", "friends:10", "friends:2", "friends:3"]);
        assert_eq!(
            names(&[&sets[..], &["SADD got 6"]].concat()),
            ["friends:1", "friends:2", "friends:3", "friends:10"]
        );
    }

    #[test]
    fn of_many_keys_the_next_ones_are_offered() {
        let lines: Vec<String> =
            (1..=300).rev().map(|n| format!("SADD day:{n} x")).chain(["SADD day:40 y".into()]).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let expected: Vec<String> = (41..=100).map(|n| format!("day:{n}")).collect();
        assert_eq!(names(&lines), expected);
    }

    #[test]
    fn a_string_has_only_its_family_and_what_the_command_names() {
        let days = ["SETBIT day:2 1 1", "SETBIT day:10 1 1", "SET other x", "RPUSH day:3 a", "SETBIT day:1 1 1"];
        assert_eq!(names(&days), ["day:2", "day:10"]);
        assert_eq!(names(&[&days[..], &["BITOP OR any day:1 day:10"]].concat()), ["day:1", "day:10"]);
        assert!(names(&["RPUSH a x", "RPUSH b x"]).is_empty());
    }
}
