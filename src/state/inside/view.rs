//! Which view of a value fits: a string may be text, bits or the registers of a HyperLogLog, a sorted set a ranking or a map. The last
//! command on the key decides, and the reader can choose another view.
use bytes::Bytes;
use redis_model::command::{self, Group};
use redis_model::value::Value;
use redis_model::value::geohash::Point;
use redis_model::value::string::Str;
use redis_model::value::zset::ZSet;
use world::{Event, EventKind};

use super::Look;
use super::{sketch, venn};
use crate::state::key::{Database, KeyName};

/// How many bytes of a string decide whether it is text.
const HEAD_BYTES: usize = 4096;

/// A way to draw a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// A string byte by byte.
    Text,
    /// A string bit by bit.
    Bits,
    /// A string as the registers of a HyperLogLog.
    Registers,
    /// A sorted set by score.
    Ranking,
    /// A sorted set whose scores are geohashes.
    Map,
    /// A set in its encoding.
    Table,
    /// A set as one of several circles.
    Venn,
}

/// The reader's choices in the views of one key; they are reset for another key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// The key.
    pub key: Option<KeyName>,
    /// The chosen view, if it is not the natural one.
    pub view: Option<View>,
    /// The window of a long bitmap that the reader chose, and the window that the view would have started with: if that one changes, the
    /// view follows it.
    pub window: Option<(u64, u64)>,
    /// The block of the rows of bitmaps that the reader chose, and the block that they would have started with.
    pub block: Option<(u64, u64)>,
    /// The member of a map that is explained.
    pub member: Option<Bytes>,
    /// The sets that are drawn beside this one, if the reader chose them.
    pub sets: Option<Vec<Bytes>>,
}

impl Choice {
    /// The choices for a key.
    pub fn of(&self, key: &KeyName) -> Choice {
        if self.key.as_ref() == Some(key) {
            self.clone()
        } else {
            Choice { key: Some(key.clone()), ..Choice::default() }
        }
    }
}

impl View {
    /// The views of a value; empty if there is only one.
    pub fn all_of(look: &Look, value: &Value) -> &'static [View] {
        match value {
            Value::String(string) if sketch::is_sketch(string) => &[View::Text, View::Bits, View::Registers],
            Value::String(_) => &[View::Text, View::Bits],
            Value::ZSet(set) if has_places(set) || View::natural(look, value) == View::Map => {
                &[View::Ranking, View::Map]
            }
            Value::Set(_) if !look.beside.is_empty() => &[View::Table, View::Venn],
            _ => &[],
        }
    }

    /// The view that fits best.
    pub fn natural(look: &Look, value: &Value) -> View {
        match (value, look.family) {
            (Value::String(_), Some(Group::Bitmap)) => View::Bits,
            (Value::String(string), _) if sketch::is_sketch(string) => View::Registers,
            (Value::String(string), _) if !is_text(string) => View::Bits,
            // The result holds distances, not places.
            (Value::ZSet(_), Some(Group::Geo))
                if !look.words.iter().any(|word| word.eq_ignore_ascii_case(b"storedist")) =>
            {
                View::Map
            }
            (Value::ZSet(_), _) => View::Ranking,
            (Value::Set(_), _) if !look.beside.is_empty() && venn::is_algebra(&look.words) => View::Venn,
            (Value::Set(_), _) => View::Table,
            _ => View::Text,
        }
    }

    /// The view to draw.
    pub fn chosen(look: &Look, value: &Value, choice: &Choice) -> View {
        let wanted = choice.view.filter(|view| View::all_of(look, value).contains(view));
        wanted.unwrap_or_else(|| View::natural(look, value))
    }
}

/// Scores below this one are of places far from any land, and of most other sets.
const PLACE_SCORE_MIN: f64 = 1e14;

/// Whether the scores of a sorted set, judged by the first, middle and last of them, are ones that `GEOADD` writes.
fn has_places(set: &ZSet) -> bool {
    let last = set.len().saturating_sub(1);
    [0, last / 2, last].into_iter().all(|rank| {
        set.nth(rank).is_some_and(|(_, score)| score >= PLACE_SCORE_MIN && Point::of_score(score).score() == score)
    })
}

/// Whether a string starts like text.
fn is_text(string: &Str) -> bool {
    let head = string.slice(0..HEAD_BYTES);
    let text = match std::str::from_utf8(&head) {
        Ok(text) => text,
        // The last character may continue beyond the head.
        Err(why) if why.error_len().is_none() && string.len() > HEAD_BYTES => {
            let whole = head.get(..why.valid_up_to()).unwrap_or_default();
            std::str::from_utf8(whole).unwrap_or_default()
        }
        Err(_) => return false,
    };
    text.chars().all(|c| !c.is_control() || c.is_ascii_whitespace())
}

/// The key that a step asked about, if its view shows the answer: where bits are, which members are near, how many elements there were,
/// what several sets have in common.
pub fn asked(events: &[Event]) -> Option<KeyName> {
    events.iter().find_map(|event| match &event.kind {
        EventKind::Command { argv, db, is_in_multi: false, .. } => {
            let [name, key, ..] = argv.as_slice() else { return None };
            let command = command::by_name(name)?;
            let database = Database { node: event.node?, db: *db };
            let is_shown = [Group::Bitmap, Group::Hyperloglog, Group::Geo].contains(&command.group)
                || ["sinter", "sunion", "sdiff"].contains(&command.name);
            is_shown.then(|| database.key(key.clone()))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use world::{Input, NodeIndex, Settings};
    use yew::Reducible;

    use super::super::Look;
    use super::super::tests::{engines, look_after};
    use super::{Choice, View};
    use crate::state::key::{Database, KeyName};
    use crate::state::session::{Session, SessionAction};

    fn key(db: usize, key: &'static str) -> KeyName {
        Database { node: NodeIndex::FIRST, db }.key(key.into())
    }

    fn view_after(lines: &[&str]) -> View {
        let look = look_after(lines);
        View::natural(&look, look.value().unwrap())
    }

    #[test]
    fn map_is_offered_for_places_only() {
        for (lines, has_map) in [
            (&["GEOADD k 120.16 30.27 hangzhou -0.1 51.5 london"][..], true),
            (&["GEOADD k 120.16 30.27 hangzhou", "ZRANGE k 0 -1"], true),
            (&["ZADD k 1 a 2 b"], false),
            (&["ZADD k 1764381600000 at"], false),
            (&["GEOADD k 120.16 30.27 hangzhou", "ZADD k 1 a"], false),
            (&["ZADD k inf a -inf b 1e300 c 4503599627370496.5 d"], false),
            (&["ZADD k 1 a", "GEOPOS k a"], true),
        ] {
            let look = look_after(lines);
            let all = View::all_of(&look, look.value().unwrap());
            assert_eq!(all.contains(&View::Map), has_map, "{lines:?}");
            assert_ne!(all.len(), 1, "{lines:?}");
        }
    }

    #[test]
    fn last_command_decides_the_view() {
        for (lines, view) in [
            (&["SET k foobar"][..], View::Text),
            (&["SET k foobar", "BITCOUNT k"], View::Bits),
            (&["SET k foobar", "BITCOUNT k", "TTL k"], View::Bits),
            (&["SET k foobar", "BITCOUNT k", "GET k"], View::Text),
            (&["SETBIT k 1 1"], View::Bits),
            (&["SET k \"\\x00\\xff\""], View::Bits),
            (&["SET k 库存\\n"], View::Text),
            (&["SET k \"\""], View::Text),
            (&["PFADD k a b"], View::Registers),
            (&["PFADD k a b", "GETBIT k 0"], View::Bits),
            (&["SET k HYLL"], View::Text),
            (&["ZADD k 1 a"], View::Ranking),
            (&["GEOADD k 120.16 30.27 hangzhou"], View::Map),
            (&["GEOADD k 120.16 30.27 hangzhou", "ZRANGE k 0 -1"], View::Ranking),
            (&["GEOADD g 120 30 a", "GEOSEARCHSTORE k g FROMMEMBER a BYRADIUS 1 km"], View::Map),
            (&["GEOADD g 120 30 a", "GEOSEARCHSTORE k g FROMMEMBER a BYRADIUS 1 km STOREDIST"], View::Ranking),
            (&["RPUSH k a"], View::Text),
            (&["MULTI", "SET other x", "SETBIT k 1 1", "SETBIT k 2 1", "EXEC"], View::Bits),
            (&["SET k foobar", "MULTI", "GETBIT k 1", "EXEC", "MULTI", "GET other", "EXEC"], View::Bits),
            (&["SET k foobar", "EVAL \"return redis.call('GETBIT', KEYS[1], 1)\" 1 k"], View::Bits),
            (&["SET k foobar", "MULTI", "GETBIT k 1", "DISCARD"], View::Text),
            (&["SET k foobar", "MULTI", "GETBIT k 1"], View::Text),
            (&["MULTI", "GEOADD k 120.16 30.27 hangzhou", "EXEC"], View::Map),
        ] {
            assert_eq!(view_after(lines), view, "{lines:?}");
        }
    }

    #[test]
    fn commands_of_several_sets_show_circles() {
        let sets = ["SADD b 1 2", "SADD a 2 3"];
        for (line, view) in [
            ("SINTER a b", View::Venn),
            ("SDIFFSTORE c a b", View::Venn),
            ("SISMEMBER a 2", View::Table),
            ("SREM a 2", View::Table),
        ] {
            assert_eq!(view_after(&[&sets[..], &[line]].concat()), view, "{line}");
        }
        // The set that was asked about is shown, although another one changed last.
        let look = look_after(&["SADD a 2 3", "SADD b 1 2", "SDIFF a b"]);
        assert_eq!((look.key.key.as_ref(), look.beside.len()), (&b"a"[..], 1));
        let alone = look_after(&["SADD a 2 3", "SET b x", "SINTER a a"]);
        assert_eq!(View::all_of(&alone, alone.value().unwrap()), []);
    }

    #[test]
    fn transaction_selects_the_key_that_it_changed_last() {
        let mut session = Rc::new(Session::fresh(Settings::default(), &engines()));
        for line in ["SET a 1", "MULTI", "SET z 1", "SETBIT b 1 1", "GET a", "EXEC"] {
            let argv = resp::split::split(line.as_bytes()).unwrap();
            session = session.reduce(SessionAction::Push { input: Input::Command { client: 0, argv }, ahead_ms: 0 });
        }
        assert_eq!(session.selected(), Some(&key(0, "b")));
    }

    #[test]
    fn choice_applies_to_its_key_and_to_views_that_exist() {
        let choice = Choice { key: Some(key(0, "k")), view: Some(View::Bits), ..Choice::default() };
        assert_eq!(choice.of(&key(0, "k")), choice);
        assert_eq!(choice.of(&key(1, "k")).view, None);
        let mut session = Rc::new(Session::fresh(Settings::default(), &engines()));
        for line in ["SET k text", "ZADD z 1 a"] {
            let argv = resp::split::split(line.as_bytes()).unwrap();
            session = session.reduce(SessionAction::Push { input: Input::Command { client: 0, argv }, ahead_ms: 0 });
            let look = Look::of(&session, NodeIndex::FIRST).unwrap();
            let view = View::chosen(&look, look.value().unwrap(), &choice);
            assert_eq!(view, if line.starts_with("SET") { View::Bits } else { View::Ranking });
        }
    }
}
