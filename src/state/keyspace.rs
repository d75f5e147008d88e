//! Which keys the keyspace panel lists, in which order, and how it filters them. `arrange` has what differs from the usual list.
pub mod arrange;

use std::rc::Rc;

use bytes::Bytes;
use redis_model::value::glob;
use redis_model::{Db, Entry};
use world::{EventKind, Step};

use super::key::Database;

/// Up to this many keys are sorted by name. Longer lists keep the order of `SCAN`, which costs nothing.
const SORTED_MAX: usize = 5_000;

/// The order of the keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By name.
    #[default]
    Name,
    /// What changed last comes first.
    Recent,
    /// What expires next comes first.
    Expiry,
    /// What takes most memory comes first.
    Size,
}

/// How the panel lists keys: a preference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// Whether keys are grouped by the parts of their names.
    pub is_tree: bool,
    /// Their order.
    pub order: Order,
}

impl Arrangement {
    /// The stored form: `tree expiry`.
    pub fn to_words(self) -> String {
        let order = match self.order {
            Order::Name => "name",
            Order::Recent => "recent",
            Order::Expiry => "expiry",
            Order::Size => "size",
        };
        format!("{} {order}", if self.is_tree { "tree" } else { "list" })
    }

    /// Reads the stored form.
    pub fn from_words(words: &str) -> Option<Arrangement> {
        let (shape, order) = words.split_once(' ')?;
        let order = match order {
            "name" => Order::Name,
            "recent" => Order::Recent,
            "expiry" => Order::Expiry,
            "size" => Order::Size,
            _ => return None,
        };
        matches!(shape, "tree" | "list").then_some(Arrangement { is_tree: shape == "tree", order })
    }
}

/// Which keys are wanted, and how.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// A part of the name, or a pattern; empty for all keys.
    pub filter: String,
    /// Only keys of this type.
    pub kind: Option<&'static str>,
    /// Order and shape.
    pub arrangement: Arrangement,
    /// Prefixes of the groups that are folded.
    pub folded: Rc<[Bytes]>,
}

impl Wanted {
    /// Whether the usual list is wanted: all types, by name, no groups.
    pub fn is_usual(&self) -> bool {
        self.kind.is_none() && self.arrangement == Arrangement::default()
    }
}

/// A row of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// Keys that begin alike.
    Group {
        /// How they begin, up to and including a colon.
        prefix: Bytes,
        /// Number of groups around it.
        depth: usize,
        /// Number of keys in it, those in its groups included.
        count: usize,
        /// Whether its rows follow.
        is_open: bool,
    },
    /// A key.
    Key {
        /// The key.
        key: Bytes,
        /// Number of groups around it.
        depth: usize,
        /// Length of the prefix that its group shows already.
        start: usize,
    },
}

impl Row {
    /// Number of groups around it.
    pub fn depth(&self) -> usize {
        match self {
            Row::Group { depth, .. } | Row::Key { depth, .. } => *depth,
        }
    }
}

/// What the panel lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listing {
    /// These keys.
    Keys {
        /// The keys.
        keys: Rc<[Bytes]>,
        /// Their order; `None`: that of `SCAN`, because there are too many.
        order: Option<Order>,
    },
    /// The whole database in the order of `SCAN`, with the number of keys. The `i`th key is looked up when it is drawn.
    Everything(usize),
    /// A tree of groups and keys.
    Rows(Rc<[Row]>),
}

impl Listing {
    /// Lists the keys of a database that pass a filter.
    pub fn of(db: &Db, filter: &str) -> Listing {
        if filter.is_empty() && db.len() > SORTED_MAX {
            return Listing::Everything(db.len());
        }
        let mut keys: Vec<Bytes> =
            db.entries().keys().filter(|key| filter.is_empty() || matches(key, filter)).cloned().collect();
        let is_sorted = keys.len() <= SORTED_MAX;
        if is_sorted {
            redis_model::sorting::sort(&mut keys);
        }
        Listing::Keys { keys: keys.into(), order: is_sorted.then_some(Order::Name) }
    }

    /// How many rows are listed.
    pub fn len(&self) -> usize {
        match self {
            Listing::Keys { keys, .. } => keys.len(),
            Listing::Rows(rows) => rows.len(),
            Listing::Everything(len) => *len,
        }
    }

    /// Whether nothing is listed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether there are too many keys to sort them.
    pub fn is_long(&self) -> bool {
        match self {
            Listing::Keys { order, .. } => order.is_none(),
            Listing::Everything(_) => true,
            Listing::Rows(_) => false,
        }
    }

    /// The rows, if it is a tree.
    pub fn rows(&self) -> Option<&[Row]> {
        if let Listing::Rows(rows) = self { Some(rows) } else { None }
    }

    /// The key in the `i`th row; `None` if it is a group.
    pub fn key(&self, db: &Db, i: usize) -> Option<Bytes> {
        match self {
            Listing::Keys { keys, .. } => keys.get(i).cloned(),
            Listing::Rows(rows) => match rows.get(i)? {
                Row::Key { key, .. } => Some(key.clone()),
                Row::Group { .. } => None,
            },
            Listing::Everything(_) => db.entries().nth(i).map(|(key, _)| key.clone()),
        }
    }

    /// The row of a key, if it can be found quickly.
    pub fn position(&self, key: &Bytes) -> Option<usize> {
        match self {
            Listing::Keys { keys, order: Some(Order::Name) } => keys.binary_search(key).ok(),
            Listing::Keys { keys, .. } => keys.iter().position(|found| found == key),
            Listing::Rows(rows) => {
                rows.iter().position(|row| matches!(row, Row::Key { key: found, .. } if found == key))
            }
            Listing::Everything(_) => None,
        }
    }
}

/// Whether a key passes the filter. With `*`, `?` or `[` the filter is a Redis glob pattern, otherwise a part of the name in any case.
pub fn matches(key: &[u8], filter: &str) -> bool {
    if filter.contains(['*', '?', '[']) {
        return glob::matches(filter.as_bytes(), key, false);
    }
    let (key, filter) = (key.to_ascii_lowercase(), filter.as_bytes().to_ascii_lowercase());
    key.windows(filter.len().max(1)).any(|window| window == filter) || filter.is_empty()
}

/// What the last step did to a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It was created.
    Came,
    /// Its value or its TTL changed.
    Changed,
    /// It was deleted.
    Went,
    /// It expired.
    Expired,
    /// It was evicted because memory ran out.
    Evicted,
}

impl Change {
    /// Whether the key is gone.
    pub fn is_going(self) -> bool {
        matches!(self, Change::Went | Change::Expired | Change::Evicted)
    }

    /// A word for style sheets and tests.
    pub fn word(self) -> &'static str {
        match self {
            Change::Came => "came",
            Change::Changed => "changed",
            Change::Went => "deleted",
            Change::Expired => "expired",
            Change::Evicted => "evicted",
        }
    }
}

/// Whether to show how much memory is left: only if it is nearly used up or the limit was changed.
pub fn limit_matters(used: u64, most: u64, most_at_first: u64) -> bool {
    most > 0 && (most != most_at_first || used >= most / 2)
}

/// What a step did to the keys of a database, in order, and the entries before that; a key may occur more than once.
fn changes(step: &Step, database: Database) -> impl Iterator<Item = (&Bytes, Change, Option<&Entry>)> {
    step.events.iter().filter_map(move |event| {
        let (key, change, before) = match &event.kind {
            EventKind::KeyExpired { key, before } => (key, Change::Expired, before),
            EventKind::KeyEvicted { key, before } => (key, Change::Evicted, before),
            EventKind::KeyChanged { key, before: before @ None, .. } => (key, Change::Came, before),
            EventKind::KeyChanged { key, after: None, before } => (key, Change::Went, before),
            EventKind::KeyChanged { key, before, .. } => (key, Change::Changed, before),
            _ => return None,
        };
        let is_here = event.node == Some(database.node) && key.0 == database.db;
        is_here.then_some((&key.1, change, before.as_ref()))
    })
}

/// The first key that a step created or changed.
pub fn first_changed(step: &Step, database: Database) -> Option<&Bytes> {
    changes(step, database).find(|(_, change, _)| !change.is_going()).map(|(key, ..)| key)
}

/// What a step did to each of these keys, and the entry before the step. Reads the step only once, however many keys it changed.
pub fn changes_of<'a>(step: &'a Step, database: Database, names: &[Bytes]) -> Vec<Option<(Change, Option<&'a Entry>)>> {
    let mut by_name: Vec<(&Bytes, usize)> = names.iter().zip(0..).collect();
    redis_model::sorting::sort(&mut by_name);
    let mut found = vec![None; names.len()];
    for (key, change, before) in changes(step, database) {
        if let Ok(at) = by_name.binary_search_by(|(name, _)| (*name).cmp(key))
            && let Some((_, place)) = by_name.get(at)
            && let Some(known) = found.get_mut(*place)
        {
            let first = known.map_or(before, |(_, first)| first);
            *known = Some((change, first));
        }
    }
    found
}

/// The first `most` keys that a step removed, and how many more it removed.
pub fn gone(step: &Step, database: Database, most: usize) -> (Vec<(Bytes, Change)>, usize) {
    let (mut gone, mut more): (Vec<(Bytes, Change)>, usize) = (Vec::new(), 0);
    for (key, change, _) in changes(step, database) {
        gone.retain(|(name, _)| name != key);
        match change.is_going() {
            true if gone.len() < most => gone.push((key.clone(), change)),
            true => more = more.saturating_add(1),
            false => {}
        }
    }
    (gone, more)
}

#[cfg(test)]
mod tests {
    use redis_model::{Config, Entry, Server};
    use world::{Input, NodeIndex, Settings, Step, World};

    use super::{Change, Database, Listing, SORTED_MAX, changes_of, first_changed, gone, limit_matters, matches};
    use crate::state::preview::preview;

    const FIRST: Database = Database { node: NodeIndex::FIRST, db: 0 };

    fn server(keys: usize) -> Server {
        let mut server = Server::new(Config::default(), 0);
        let client = server.connect(0);
        for i in 0..keys {
            server.handle(0, client, vec!["SET".into(), format!("key:{i:05}").into(), "v".into()]);
        }
        server
    }

    #[test]
    fn few_keys_are_sorted_by_name() {
        let server = server(30);
        let db = server.db(0).unwrap();
        let listing = Listing::of(db, "");
        assert!(!listing.is_long());
        assert_eq!(listing.key(db, 7).unwrap(), "key:00007");
        assert_eq!(listing.position(&"key:00029".into()), Some(29));
    }

    #[test]
    fn many_keys_are_listed_once_each_in_scan_order() {
        let server = server(SORTED_MAX + 1);
        let db = server.db(0).unwrap();
        let listing = Listing::of(db, "");
        assert_eq!((listing.len(), listing.is_long()), (SORTED_MAX + 1, true));
        let mut keys: Vec<_> = (0..listing.len()).filter_map(|i| listing.key(db, i)).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), SORTED_MAX + 1);
        assert_eq!(Listing::of(db, "key:0000?").len(), 10);
    }

    #[test]
    fn memory_limit_is_shown_when_near_or_changed() {
        for (used, most, at_first, expected) in
            [(1, 64, 64, false), (32, 64, 64, true), (1, 10, 64, true), (99, 0, 64, false), (9, 0, 0, false)]
        {
            assert_eq!(limit_matters(used, most, at_first), expected, "{used} of {most}");
        }
    }

    #[test]
    fn evicted_and_expired_keys_are_marked_as_such() {
        let mut world = World::new(Settings::default());
        let mut run = |input: Input| {
            let events = world.step(&input).unwrap();
            gone(&Step { parent: 0, depth: 1, events, input, now_ms: 0 }, FIRST, 1).0
        };
        let line = |text: &str| Input::Command { client: 0, argv: resp::split::split(text.as_bytes()).unwrap() };
        run(Input::Connect { client: 0, name: "c1".into() });
        run(line("SET old 1"));
        run(line("CONFIG SET maxmemory-policy allkeys-lru"));
        assert_eq!(run(line("CONFIG SET maxmemory 1")), [("old".into(), Change::Evicted)]);
        run(line("CONFIG SET maxmemory 0"));
        run(line("SET short 1 PX 10"));
        assert_eq!(run(Input::Advance { ms: 1_000 }), [("short".into(), Change::Expired)]);
    }

    #[test]
    fn changes_of_asked_keys_are_found_among_many() {
        let mut world = World::new(Settings::default());
        let mut run = |input: Input| {
            let events = world.step(&input).unwrap();
            Step { parent: 0, depth: 1, events, input, now_ms: 0 }
        };
        let line = |text: &str| Input::Command { client: 0, argv: resp::split::split(text.as_bytes()).unwrap() };
        run(Input::Connect { client: 0, name: "c1".into() });
        run(line("SET b 1"));
        let step = run(line("MSET a 1 b 2 c 3"));
        let names: Vec<_> = ["c", "nothing", "b", "a"].map(Into::into).to_vec();
        let values = |changes: Vec<Option<(Change, Option<&Entry>)>>| {
            let value = |before: Option<&Entry>| before.map(|entry| preview(&entry.value));
            changes.into_iter().map(|found| found.map(|(change, before)| (change, value(before)))).collect::<Vec<_>>()
        };
        let expected =
            [Some((Change::Came, None)), None, Some((Change::Changed, Some("1".into()))), Some((Change::Came, None))];
        assert_eq!(values(changes_of(&step, FIRST, &names)), expected);
        assert_eq!(first_changed(&step, FIRST), Some(&"a".into()));
        assert_eq!(changes_of(&step, Database { db: 1, ..FIRST }, &names), [None; 4]);
        assert_eq!(changes_of(&step, Database { node: "1".parse().unwrap(), ..FIRST }, &names), [None; 4]);
        // The entry before the step, not before the last of its changes.
        run(line("MULTI"));
        run(line("INCR b"));
        run(line("INCR b"));
        let step = run(line("EXEC"));
        assert_eq!(values(changes_of(&step, FIRST, &["b".into()])), [Some((Change::Changed, Some("2".into())))]);
        let step = run(line("DEL a b c"));
        let went = |value: &str| Some((Change::Went, Some(value.to_owned())));
        assert_eq!(values(changes_of(&step, FIRST, &names)), [went("3"), None, went("4"), went("1")]);
        assert_eq!(first_changed(&step, FIRST), None);
        assert_eq!(gone(&step, FIRST, 2), (vec![("a".into(), Change::Went), ("b".into(), Change::Went)], 1));
    }

    #[test]
    fn filter_is_a_part_of_the_name_or_a_pattern() {
        assert!(matches(b"User:1", "user"));
        assert!(!matches(b"User:1", "user*"));
        assert!(matches(b"user:1", "user:[0-9]"));
        assert!(matches("库存".as_bytes(), "库"));
        assert!(!matches(b"a", "ab"));
    }
}
