//! How far a value is from the limits at which its encoding changes.
use redis_model::value::Value;
use redis_model::value::hash::Hash;
use redis_model::value::limits::Limits;
use redis_model::value::list::Node;
use redis_model::value::string::{EMBSTR_BYTES_MAX, Str};
use redis_model::value::zset::ZSet;

/// Collections with more elements than this are not searched for the longest one: their number alone decides.
const SEARCHED_MAX: usize = 2_000;
/// Bytes of a node of a list for `list-max-listpack-size` -1 … -5 (`optimization_level` of Redis' quicklist.c).
const NODE_BYTES: [usize; 5] = [4096, 8192, 16_384, 32_768, 65_536];

/// What a limit is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Fields of a hash.
    Fields,
    /// Members of a set or a sorted set.
    Members,
    /// Bytes of the longest field or value.
    LongestField,
    /// Bytes of the longest member.
    LongestMember,
    /// Bytes of a string.
    Length,
    /// Elements of the last node of a list.
    NodeElements,
    /// Bytes of the last node of a list.
    NodeBytes,
}

/// A value against one limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meter {
    /// What is measured.
    pub measure: Measure,
    /// How much there is.
    pub now: usize,
    /// How much there may be.
    pub most: usize,
}

impl Meter {
    /// Whether the limit is passed.
    pub fn is_beyond(&self) -> bool {
        self.now > self.most
    }

    /// The filled part of the meter, in percent.
    pub fn percent(&self) -> usize {
        self.now.saturating_mul(100).checked_div(self.most).unwrap_or(100).min(100)
    }
}

/// The meters of a value; empty if no limit changes its encoding.
pub fn meters(value: &Value, limits: &Limits) -> Vec<Meter> {
    let meter = |measure, now, most| Meter { measure, now, most };
    match value {
        Value::String(Str::Int(_)) | Value::Stream(_) => Vec::new(),
        Value::String(string) => vec![meter(Measure::Length, string.len(), EMBSTR_BYTES_MAX)],
        Value::Hash(hash) => {
            let longest = longest_of_hash(hash);
            let longest = longest.map(|now| meter(Measure::LongestField, now, limits.hash_max_listpack_value));
            let entries = meter(Measure::Fields, hash.len(), limits.hash_max_listpack_entries);
            [entries].into_iter().chain(longest).collect()
        }
        Value::Set(set) => vec![meter(Measure::Members, set.len(), limits.set_max_intset_entries)],
        Value::ZSet(set) => {
            let longest = longest_of_zset(set);
            let longest = longest.map(|now| meter(Measure::LongestMember, now, limits.zset_max_listpack_value));
            let entries = meter(Measure::Members, set.len(), limits.zset_max_listpack_entries);
            [entries].into_iter().chain(longest).collect()
        }
        Value::List(list) => list.nodes().next_back().map(|node| node_meter(node, limits)).into_iter().collect(),
    }
}

fn longest_of_hash(hash: &Hash) -> Option<usize> {
    let is_few = hash.len() <= SEARCHED_MAX;
    is_few.then(|| hash.iter().map(|(field, value)| field.len().max(value.len())).max().unwrap_or(0))
}

fn longest_of_zset(set: &ZSet) -> Option<usize> {
    (set.len() <= SEARCHED_MAX).then(|| set.iter().map(|(member, _)| member.len()).max().unwrap_or(0))
}

/// The last node of a list against the limit of a node.
fn node_meter(node: Node, limits: &Limits) -> Meter {
    match usize::try_from(limits.list_max_listpack_size) {
        Ok(most) => Meter { measure: Measure::NodeElements, now: node.count, most },
        Err(_) => {
            let at = usize::try_from(limits.list_max_listpack_size.unsigned_abs()).unwrap_or(usize::MAX);
            let most = NODE_BYTES.get(at.clamp(1, NODE_BYTES.len()).saturating_sub(1)).copied().unwrap_or(0);
            Meter { measure: Measure::NodeBytes, now: node.bytes, most }
        }
    }
}

#[cfg(test)]
mod tests {
    use redis_model::value::limits::Limits;

    use super::super::tests::look_after;
    use super::{Measure, meters};

    fn after(lines: &[&str]) -> (&'static str, Vec<(Measure, usize, usize, bool)>) {
        let look = look_after(lines);
        let value = look.value().unwrap();
        let shown = meters(value, &Limits::DEFAULT).into_iter();
        (value.encoding(), shown.map(|meter| (meter.measure, meter.now, meter.most, meter.is_beyond())).collect())
    }

    #[test]
    fn meters_say_what_the_encoding_says() {
        let fill = |name: &str, count: usize| {
            let members: Vec<String> = (1..=count).map(|i| format!("{i} m{i}")).collect();
            format!("{name} {}", members.join(" "))
        };
        let (most, more) = (fill("ZADD z", 128), fill("ZADD z", 129));
        assert_eq!(
            after(&[&most]),
            ("listpack", vec![(Measure::Members, 128, 128, false), (Measure::LongestMember, 4, 64, false)])
        );
        assert_eq!(
            after(&[&more]),
            ("skiplist", vec![(Measure::Members, 129, 128, true), (Measure::LongestMember, 4, 64, false)])
        );
        let long = format!("HSET h f {}", "x".repeat(65));
        assert_eq!(
            after(&[&long]),
            ("hashtable", vec![(Measure::Fields, 1, 512, false), (Measure::LongestField, 65, 64, true)])
        );
        // It never goes back, so the meters alone do not give the encoding.
        let (encoding, meters) = after(&[&long, "HSET h g 1", "HDEL h f"]);
        assert_eq!((encoding, meters.iter().any(|meter| meter.3)), ("hashtable", false));
        assert_eq!(after(&["SADD s 1 2 3"]), ("intset", vec![(Measure::Members, 3, 512, false)]));
        assert_eq!(after(&["SET s 12345"]), ("int", vec![]));
        assert_eq!(after(&[&format!("SET s {}", "x".repeat(44))]), ("embstr", vec![(Measure::Length, 44, 44, false)]));
        assert_eq!(after(&[&format!("SET s {}", "x".repeat(45))]), ("raw", vec![(Measure::Length, 45, 44, true)]));
        assert_eq!(after(&["RPUSH l a b c"]), ("quicklist", vec![(Measure::NodeBytes, 16, 8192, false)]));
        assert_eq!(after(&["XADD s * a 1"]).1, []);
        let ten_thousand = fill("ZADD z", 10_000);
        assert_eq!(after(&[&ten_thousand]).1, [(Measure::Members, 10_000, 128, true)]);
    }

    #[test]
    fn limits_of_the_configuration_count() {
        let look = look_after(&["RPUSH l a b c"]);
        let mut limits = Limits { list_max_listpack_size: 2, ..Limits::DEFAULT };
        let of = |limits: &Limits| meters(look.value().unwrap(), limits);
        assert_eq!(of(&limits)[0].most, 2);
        assert_eq!(of(&limits)[0].measure, Measure::NodeElements);
        limits.list_max_listpack_size = -99;
        assert_eq!(of(&limits)[0].most, 65_536);
        let look = look_after(&["HSET h a 1 b 2"]);
        let limits = Limits { hash_max_listpack_entries: 0, ..Limits::DEFAULT };
        let meter = meters(look.value().unwrap(), &limits)[0];
        assert_eq!((meter.percent(), meter.is_beyond()), (100, true));
        let limits = Limits { hash_max_listpack_entries: 8, ..Limits::DEFAULT };
        assert_eq!(meters(look.value().unwrap(), &limits)[0].percent(), 25);
    }
}
