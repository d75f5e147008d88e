//! Random picks: the two sides may pick different elements, but only existing ones, without repetition where required, and as many as
//! requested.
use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use redis_model::Server;
use redis_model::value::Value as Stored;
use resp::Value;

/// The elements before the pick, each with its value or score.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Universe {
    pub(super) elements: BTreeMap<Bytes, Beside>,
}

/// The value or score that a pick shows for an element on request.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Beside {
    /// A member of a set, a key.
    Nothing,
    /// The value of a field.
    Value(Bytes),
    /// The score of a member.
    Score(f64),
}

impl Universe {
    /// The elements from which this command picks; `None` if it is no pick, or the key has another type.
    pub(super) fn of(server: &Server, db: usize, argv: &[Bytes]) -> Option<Universe> {
        let name = argv.first()?.to_ascii_lowercase();
        let db = server.db(db)?;
        if name == b"randomkey" {
            let elements = db.entries().iter().map(|(key, _)| (key.clone(), Beside::Nothing)).collect();
            return Some(Universe { elements });
        }
        let value = db.value(argv.get(1)?);
        let elements = match (name.as_slice(), value) {
            (b"spop" | b"srandmember" | b"hrandfield" | b"zrandmember", None) => BTreeMap::new(),
            (b"spop" | b"srandmember", Some(Stored::Set(set))) => {
                set.iter().map(|member| (member, Beside::Nothing)).collect()
            }
            (b"hrandfield", Some(Stored::Hash(hash))) => {
                hash.iter().map(|(field, value)| (field.clone(), Beside::Value(value.clone()))).collect()
            }
            (b"zrandmember", Some(Stored::ZSet(zset))) => {
                zset.iter().map(|(member, score)| (member.clone(), Beside::Score(score))).collect()
            }
            _ => return None,
        };
        Some(Universe { elements })
    }

    /// Is this a possible reply of the pick?
    pub(super) fn allows(&self, argv: &[Bytes], answer: &Value) -> bool {
        let is_key = argv.first().is_some_and(|name| name.eq_ignore_ascii_case(b"randomkey"));
        let Some(count) = argv.get(2).filter(|_| !is_key) else {
            return match answer {
                Value::Null => self.elements.is_empty(),
                Value::Bulk(element) => self.elements.contains_key(element),
                _ => false,
            };
        };
        let Some(count) = std::str::from_utf8(count).ok().and_then(|count| count.parse::<i64>().ok()) else {
            return false;
        };
        let (Value::Array(items) | Value::Set(items)) = answer else { return false };
        let Some(picked) = pairs(items, argv.len() > 3) else { return false };
        let are_there = picked.iter().all(|(element, beside)| self.has(element, *beside));
        let different: BTreeSet<&Bytes> = picked.iter().map(|(element, _)| *element).collect();
        let asked = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX);
        let length = match (count < 0, self.elements.is_empty()) {
            (_, true) => 0,
            (true, false) => asked,
            (false, false) => asked.min(self.elements.len()),
        };
        are_there && picked.len() == length && (count < 0 || different.len() == picked.len())
    }

    fn has(&self, element: &Bytes, beside: Option<&Value>) -> bool {
        let Some(known) = self.elements.get(element) else { return false };
        let number = |text: &Bytes| std::str::from_utf8(text).ok().and_then(|text| text.parse::<f64>().ok());
        match (known, beside) {
            (_, None) => true,
            (Beside::Value(known), Some(Value::Bulk(shown))) => known == shown,
            (Beside::Score(known), Some(Value::Double(shown))) => known == shown,
            (Beside::Score(known), Some(Value::Bulk(shown) | Value::WideDouble(shown))) => {
                number(shown) == Some(*known)
            }
            _ => false,
        }
    }
}

/// Elements with their values or scores: after each element in RESP2, in an array of two in RESP3.
fn pairs(items: &[Value], are_pairs: bool) -> Option<Vec<(&Bytes, Option<&Value>)>> {
    if !are_pairs {
        return items.iter().map(|item| Some((element(item)?, None))).collect();
    }
    let is_nested = items.iter().all(|item| matches!(item, Value::Array(_)));
    if is_nested {
        let inner = items.iter().map(|item| match item {
            Value::Array(inner) => pair(inner),
            _ => None,
        });
        return inner.collect();
    }
    items.chunks(2).map(pair).collect()
}

fn pair(words: &[Value]) -> Option<(&Bytes, Option<&Value>)> {
    match words {
        [first, second] => Some((element(first)?, Some(second))),
        _ => None,
    }
}

fn element(value: &Value) -> Option<&Bytes> {
    if let Value::Bulk(element) = value { Some(element) } else { None }
}
