//! The keyspace in another order, of one type only, or as a tree by the parts of the names between colons.
use std::rc::Rc;

use bytes::Bytes;
use redis_model::{Db, sorting};
use world::EventKind;

use super::{Arrangement, Listing, Order, Row, Wanted, matches};
use crate::state::key::Database;
use crate::state::session::Session;

/// Up to this many keys are arranged. Longer lists keep the order of `SCAN`, which costs nothing.
const ARRANGED_MAX: usize = 20_000;
/// Maximum number of groups around a key.
const DEPTH_MAX: usize = 8;
/// How many of the last steps are asked which keys they changed.
const STEPS_MAX: usize = 2_000;

/// Lists the keys of a database as wanted.
#[inline(never)]
pub fn arrange(session: &Session, database: Database, db: &Db, wanted: &Wanted) -> Listing {
    let is_listed = |key: &Bytes, kind: &str| {
        wanted.kind.is_none_or(|wanted| wanted == kind) && (wanted.filter.is_empty() || matches(key, &wanted.filter))
    };
    let keys = db.entries().iter().filter(|(key, entry)| is_listed(key, entry.value.type_name()));
    let keys: Vec<Bytes> = keys.map(|(key, _)| key.clone()).collect();
    if keys.len() > ARRANGED_MAX {
        return Listing::Keys { keys: keys.into(), order: None };
    }
    let keys = match wanted.arrangement.order {
        Order::Name => ordered(keys, |_| 0),
        Order::Expiry => ordered(keys, |key| db.expires_ms(key).unwrap_or(u64::MAX)),
        Order::Size => ordered(keys, |key| u64::MAX.saturating_sub(db.key_memory(key).unwrap_or(0) as u64)),
        Order::Recent => {
            let recent = recent(session, database);
            let rank =
                |key: &Bytes| recent.binary_search_by(|(name, _)| name.cmp(key)).ok().and_then(|at| recent.get(at));
            ordered(keys, |key| rank(key).map_or(u64::MAX, |(_, rank)| *rank))
        }
    };
    if wanted.arrangement.is_tree {
        return Listing::Rows(tree(keys, wanted.arrangement.order == Order::Name, &wanted.folded).into());
    }
    Listing::Keys { keys: keys.into(), order: Some(wanted.arrangement.order) }
}

/// The keys with the smallest rank first, equal ranks by name.
fn ordered(keys: Vec<Bytes>, rank: impl Fn(&Bytes) -> u64) -> Vec<Bytes> {
    let mut ranked: Vec<(u64, Bytes)> = keys.into_iter().map(|key| (rank(&key), key)).collect();
    sorting::sort(&mut ranked);
    ranked.into_iter().map(|(_, key)| key).collect()
}

/// The keys that the last steps changed, by name, each with how many changes ago that was.
fn recent(session: &Session, database: Database) -> Vec<(Bytes, u64)> {
    let steps = session.timeline().taken().rev().take(STEPS_MAX);
    let events = steps.flat_map(|(_, step)| step.events.iter().rev());
    let names = events.filter_map(|event| match &event.kind {
        EventKind::KeyChanged { key: (db, key), .. } => {
            (event.node == Some(database.node) && *db == database.db).then(|| key.clone())
        }
        _ => None,
    });
    let mut found: Vec<(Bytes, u64)> = names.zip(0..).collect();
    sorting::sort(&mut found);
    // The first of equal names is the latest change.
    found.dedup_by(|later, earlier| later.0 == earlier.0);
    found
}

/// Groups keys by the parts of their names that end in a colon. A group stands where its first key would stand, and the keys in it keep
/// their order. Groups that are folded hide what is in them.
///
/// ```text
/// cart:7              cart:7
/// user:1              user:            3 keys; `user:` itself may be one of them
/// user:1:name           user:1
/// user:2                user:1:name    a group of one key would only be in the way
/// ```
pub fn tree(keys: Vec<Bytes>, is_by_name: bool, folded: &[Bytes]) -> Vec<Row> {
    let mut ranked: Vec<(Bytes, usize)> = keys.into_iter().zip(0..).collect();
    if !is_by_name {
        sorting::sort(&mut ranked);
    }
    let mut rows = Vec::new();
    put(&mut rows, &ranked, 0, 0, folded);
    rows
}

/// Appends the rows of these keys, sorted by name, which all begin with the same `start` bytes.
fn put(rows: &mut Vec<Row>, keys: &[(Bytes, usize)], start: usize, depth: usize, folded: &[Bytes]) {
    let mut parts: Vec<(usize, &[(Bytes, usize)])> = Vec::new();
    let mut rest = keys;
    while let Some((first, _)) = rest.first() {
        let group = (depth < DEPTH_MAX).then(|| part_of(first, start)).flatten();
        let len = group.map_or(1, |group| rest.partition_point(|(key, _)| key.starts_with(group)).max(1));
        let (part, others) = rest.split_at(len.min(rest.len()));
        parts.push((part.iter().map(|(_, rank)| *rank).min().unwrap_or(0), part));
        rest = others;
    }
    sorting::sort_by(&mut parts, |a, b| a.0.cmp(&b.0));
    for (_, part) in parts {
        let (Some((first, _)), Some((last, _))) = (part.first(), part.last()) else { continue };
        if part.len() == 1 {
            rows.push(Row::Key { key: first.clone(), depth, start });
            continue;
        }
        // As long as possible: `a:b:` instead of `a:` with nothing in it but `a:b:`.
        let common = first.iter().zip(last.iter()).take_while(|(a, b)| a == b).count();
        let colon = first.iter().take(common).rposition(|byte| *byte == b':');
        let prefix = first.slice(..colon.map_or(start, |colon| colon.saturating_add(1)));
        let is_open = !folded.contains(&prefix);
        let end = prefix.len();
        rows.push(Row::Group { prefix, depth, count: part.len(), is_open });
        if is_open {
            put(rows, part, end, depth.saturating_add(1), folded);
        }
    }
}

/// A name up to its first colon from `start` on.
fn part_of(key: &Bytes, start: usize) -> Option<&[u8]> {
    let colon = key.iter().skip(start).position(|byte| *byte == b':')?;
    key.get(..=start.saturating_add(colon))
}

/// The types of the keys that pass the filter, and how many keys of each there are.
pub fn kinds(db: &Db, filter: &str) -> Vec<(&'static str, usize)> {
    let mut kinds: Vec<(&'static str, usize)> = Vec::new();
    for (_, entry) in db.entries().iter().filter(|(key, _)| filter.is_empty() || matches(key, filter)) {
        let kind = entry.value.type_name();
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => kinds.push((kind, 1)),
        }
    }
    sorting::sort(&mut kinds);
    kinds
}

/// What a key press does in a tree, besides moving up and down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Fold or unfold this group.
    Toggle(Bytes),
    /// Go to this row.
    Go(usize),
}

/// What a key press does at a row, as in the trees of operating systems: right unfolds and enters, left folds and leaves.
#[inline(never)]
pub fn turn(rows: &[Row], at: usize, key: &str) -> Option<Turn> {
    let row = rows.get(at)?;
    let group = match row {
        Row::Group { prefix, is_open, .. } => Some((prefix, *is_open)),
        Row::Key { .. } => None,
    };
    match (key, group) {
        ("ArrowRight", Some((prefix, false)))
        | ("ArrowLeft", Some((prefix, true)))
        | ("Enter" | " ", Some((prefix, _))) => Some(Turn::Toggle(prefix.clone())),
        ("ArrowRight", Some((_, true))) => Some(Turn::Go(at.saturating_add(1))),
        ("ArrowLeft", _) => {
            let is_around = |other: &Row| matches!(other, Row::Group { depth, .. } if *depth < row.depth());
            rows.get(..at)?.iter().rposition(is_around).map(Turn::Go)
        }
        _ => None,
    }
}

/// The folded groups without those around this key; `None` if none of them is.
#[inline(never)]
pub fn unfolded(folded: &[Bytes], key: &Bytes) -> Option<Rc<[Bytes]>> {
    let left: Vec<Bytes> = folded.iter().filter(|prefix| !key.starts_with(prefix)).cloned().collect();
    (left.len() != folded.len()).then(|| left.into())
}

/// The folded groups after this one is folded or unfolded.
#[inline(never)]
pub fn toggled(folded: &[Bytes], prefix: &Bytes) -> Rc<[Bytes]> {
    let left: Vec<Bytes> = folded.iter().filter(|other| *other != prefix).cloned().collect();
    let is_new = left.len() == folded.len();
    left.into_iter().chain(is_new.then(|| prefix.clone())).collect()
}

impl Arrangement {
    /// All orders, in the order of the menu.
    pub const ORDERS: [Order; 4] = [Order::Name, Order::Recent, Order::Expiry, Order::Size];
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use redis_model::sorting;
    use redis_model::value::Value;
    use world::{Input, NodeIndex, Settings, Timeline};

    use super::{ARRANGED_MAX, Turn, arrange, kinds, toggled, tree, turn, unfolded};
    use crate::state::key::Database;
    use crate::state::keyspace::{Arrangement, Listing, Order, Row, Wanted};
    use crate::state::session::Session;

    const FIRST: Database = Database { node: NodeIndex::FIRST, db: 0 };

    fn keys(names: &[&str]) -> Vec<Bytes> {
        names.iter().map(|name| Bytes::copy_from_slice(name.as_bytes())).collect()
    }

    /// The rows as lines: two spaces for each group around, `prefix count` or what is shown of a key in bars.
    fn drawn(rows: &[Row]) -> Vec<String> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let line = |row: &Row| match row {
            Row::Group { prefix, depth, count, is_open } => {
                format!("{}{} {count}{}", "  ".repeat(*depth), text(prefix), if *is_open { "" } else { " …" })
            }
            Row::Key { key, depth, start } => format!("{}|{}|", "  ".repeat(*depth), text(&key[*start..])),
        };
        rows.iter().map(line).collect()
    }

    fn sorted(names: &[&str]) -> Vec<Bytes> {
        let mut keys = keys(names);
        sorting::sort(&mut keys);
        keys
    }

    #[test]
    fn keys_that_begin_alike_are_a_group() {
        let names = ["user:2", "user:1:name", "cart:7", "user:1", "user:1:city", "stock"];
        let rows = tree(sorted(&names), true, &[]);
        let expected = ["|cart:7|", "|stock|", "user: 4", "  |1|", "  user:1: 2", "    |city|", "    |name|", "  |2|"];
        assert_eq!(drawn(&rows), expected);
    }

    #[test]
    fn groups_with_nothing_else_in_them_are_one() {
        let rows = tree(sorted(&["app:cache:a", "app:cache:b", "x:only:one"]), true, &[]);
        assert_eq!(drawn(&rows), ["app:cache: 2", "  |a|", "  |b|", "|x:only:one|"]);
    }

    #[test]
    fn odd_names_are_keys_too() {
        let names = ["", ":", "::", "a::b", "a::c", "a:", "a:\u{7}:x", "a", "库存:1", "库存:2"];
        let rows = tree(sorted(&names), true, &[]);
        let expected = [
            "||",
            ": 2",
            "  ||",
            "  |:|",
            "|a|",
            "a: 4",
            "  ||",
            "  |\u{7}:x|",
            "  a:: 2",
            "    |b|",
            "    |c|",
            "库存: 2",
            "  |1|",
            "  |2|",
        ];
        assert_eq!(drawn(&rows), expected);
    }

    #[test]
    fn folded_groups_hide_what_is_in_them() {
        let sorted = sorted(&["user:1", "user:1:a", "user:1:b", "user:2", "z"]);
        assert_eq!(drawn(&tree(sorted.clone(), true, &keys(&["user:"]))), ["user: 4 …", "|z|"]);
        let expected = ["user: 4", "  |1|", "  user:1: 2 …", "  |2|", "|z|"];
        assert_eq!(drawn(&tree(sorted, true, &keys(&["user:1:", "gone:"]))), expected);
    }

    #[test]
    fn groups_stand_where_their_first_key_would() {
        let rows = tree(keys(&["b:2", "a:1", "z", "b:1", "a:2"]), false, &[]);
        assert_eq!(drawn(&rows), ["b: 2", "  |2|", "  |1|", "a: 2", "  |1|", "  |2|", "|z|"]);
    }

    /// Names from a generator of Knuth's, made of few letters and many colons, some of them no text.
    fn random_names(count: usize, mut seed: u64) -> Vec<Bytes> {
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let mut names: Vec<Bytes> = (0..count)
            .map(|_| {
                (0..next(14))
                    .map(|_| [b':', b':', b'a', b'b', b'1', 0, 0xff][next(7) as usize])
                    .collect::<Vec<u8>>()
                    .into()
            })
            .collect();
        names.sort_unstable();
        names.dedup();
        // In any order.
        names.sort_by_key(|name| {
            name.iter().fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(*byte)))
        });
        names
    }

    #[test]
    fn each_key_is_there_exactly_once_and_in_its_groups() {
        for seed in 0..60 {
            let names = random_names(if seed == 0 { 10_000 } else { 120 }, seed);
            let rows = tree(names.clone(), false, &[]);
            let mut found: Vec<Bytes> = Vec::new();
            let mut around: Vec<(Bytes, usize, usize)> = Vec::new();
            for row in &rows {
                around.truncate(row.depth());
                assert_eq!(around.len(), row.depth());
                match row {
                    Row::Group { prefix, count, is_open, .. } => {
                        assert!(*count > 1 && *is_open && prefix.ends_with(b":"));
                        assert!(around.last().is_none_or(|(outer, ..)| prefix.starts_with(outer) && prefix != outer));
                        around.push((prefix.clone(), *count, 0));
                    }
                    Row::Key { key, start, .. } => {
                        assert_eq!(around.last().map_or(0, |(prefix, ..)| prefix.len()), *start);
                        assert!(around.iter().all(|(prefix, ..)| key.starts_with(prefix)));
                        found.push(key.clone());
                    }
                }
            }
            // The same order for the same keys, and folding everything leaves the outermost rows.
            assert_eq!(rows, tree(names.clone(), false, &[]));
            for row in &rows {
                if let Row::Group { prefix, count, .. } = row {
                    assert_eq!(names.iter().filter(|name| name.starts_with(prefix)).count(), *count);
                }
            }
            let groups: Vec<Bytes> = rows
                .iter()
                .filter_map(|row| if let Row::Group { prefix, .. } = row { Some(prefix.clone()) } else { None })
                .collect();
            if seed > 0 {
                let outer = rows.iter().filter(|row| row.depth() == 0).count();
                assert_eq!(tree(names.clone(), false, &groups).len(), outer);
            }
            let sorted = |mut keys: Vec<Bytes>| {
                keys.sort_unstable();
                keys
            };
            assert_eq!(sorted(found), sorted(names));
        }
    }

    fn session(lines: &[&str]) -> Session {
        let mut timeline = Timeline::new(Settings::default());
        timeline.push(Input::Connect { client: 0, name: "c1".into() }).unwrap();
        for line in lines {
            let input = match line.strip_prefix('+') {
                Some(ms) => Input::Advance { ms: ms.parse().unwrap() },
                None => Input::Command { client: 0, argv: resp::split::split(line.as_bytes()).unwrap() },
            };
            timeline.push(input).unwrap();
        }
        Session::of(timeline)
    }

    fn listed(session: &Session, wanted: &Wanted) -> Vec<String> {
        let db = FIRST.find(session.world()).unwrap();
        match arrange(session, FIRST, db, wanted) {
            Listing::Keys { keys, .. } => keys.iter().map(|key| String::from_utf8_lossy(key).into_owned()).collect(),
            Listing::Rows(rows) => drawn(&rows),
            Listing::Everything(count) => vec![count.to_string()],
        }
    }

    #[test]
    fn orders_types_and_filters_go_together() {
        let session = session(&[
            "SET b:2 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "SET a 1 EX 100",
            "HSET b:1 f 1",
            "SET c 1 EX 10",
            "SET a 2 KEEPTTL",
        ]);
        let by = |order, kind| Wanted { kind, arrangement: Arrangement { is_tree: false, order }, ..Wanted::default() };
        assert_eq!(listed(&session, &by(Order::Name, None)), ["a", "b:1", "b:2", "c"]);
        assert_eq!(listed(&session, &by(Order::Recent, None)), ["a", "c", "b:1", "b:2"]);
        assert_eq!(listed(&session, &by(Order::Expiry, None)), ["c", "a", "b:1", "b:2"]);
        assert_eq!(listed(&session, &by(Order::Size, None))[0], "b:2");
        assert_eq!(listed(&session, &by(Order::Name, Some("hash"))), ["b:1"]);
        assert_eq!(listed(&session, &by(Order::Recent, Some("stream"))), [""; 0]);
        let filtered = Wanted { filter: "b*".into(), ..by(Order::Name, Some("string")) };
        assert_eq!(listed(&session, &filtered), ["b:2"]);
        let tree = Wanted { arrangement: Arrangement { is_tree: true, order: Order::Expiry }, ..Wanted::default() };
        assert_eq!(listed(&session, &tree), ["|c|", "|a|", "b: 2", "  |1|", "  |2|"]);
        let db = FIRST.find(session.world()).unwrap();
        assert_eq!(kinds(db, ""), [("hash", 1), ("string", 3)]);
        assert_eq!(kinds(db, "b:"), [("hash", 1), ("string", 1)]);
        assert!(matches!(db.value(b"b:1"), Some(Value::Hash(_))));
    }

    #[test]
    fn too_many_keys_are_listed_as_they_are() {
        let many: Vec<String> = (0..=ARRANGED_MAX).map(|nth| format!("k:{nth} v")).collect();
        let session = session(&[&format!("MSET {}", many.join(" "))]);
        let db = FIRST.find(session.world()).unwrap();
        let wanted = Wanted { arrangement: Arrangement { is_tree: true, order: Order::Name }, ..Wanted::default() };
        let listing = arrange(&session, FIRST, db, &wanted);
        assert_eq!((listing.len(), listing.is_long(), listing.rows().is_none()), (ARRANGED_MAX + 1, true, true));
    }

    #[test]
    fn arrow_keys_fold_enter_and_leave_groups() {
        let names = sorted(&["a:1", "a:2", "z"]);
        let open = tree(names.clone(), true, &[]);
        let prefix = Bytes::from("a:");
        let toggle = Some(Turn::Toggle(prefix.clone()));
        assert_eq!(turn(&open, 0, "ArrowLeft"), toggle);
        assert_eq!(turn(&open, 0, "ArrowRight"), Some(Turn::Go(1)));
        assert_eq!(turn(&open, 2, "ArrowLeft"), Some(Turn::Go(0)));
        assert_eq!(turn(&open, 0, "Enter"), toggle);
        assert_eq!((turn(&open, 3, "ArrowLeft"), turn(&open, 3, "Enter"), turn(&open, 9, " ")), (None, None, None));
        let folded = toggled(&[], &prefix);
        let shut = tree(names, true, &folded);
        assert_eq!((turn(&shut, 0, "ArrowRight"), turn(&shut, 0, "ArrowLeft")), (toggle, None));
        assert_eq!(toggled(&folded, &prefix).len(), 0);
        assert_eq!(unfolded(&folded, &"a:7".into()).map(|left| left.len()), Some(0));
        assert_eq!(unfolded(&folded, &"z".into()), None);
    }

    #[test]
    fn stored_arrangements_are_read() {
        for order in Arrangement::ORDERS {
            for is_tree in [false, true] {
                let arrangement = Arrangement { is_tree, order };
                assert_eq!(Arrangement::from_words(&arrangement.to_words()), Some(arrangement));
            }
        }
        for words in ["", "tree", "bush name", "tree colour", "list name more"] {
            assert_eq!(Arrangement::from_words(words), None, "{words}");
        }
    }
}
