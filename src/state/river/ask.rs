//! What commands say by themselves about messages and those who read them, and what is in the replies to them.
use std::rc::Rc;

use bytes::Bytes;
use redis_model::value::stream::Id;
use resp::Value;
use world::NodeIndex;

use super::past::GroupName;

/// A command whose answer tells something.
#[derive(Clone, Debug)]
pub enum Ask {
    /// `XREAD`.
    Read { node: NodeIndex, db: usize },
    /// One that names a consumer. `passing` are the keys that are read with `NOACK` and `>`: what a consumer reads again is pending.
    As { node: NodeIndex, db: usize, keys: Vec<Bytes>, group: Bytes, consumer: Bytes, passing: Vec<Bytes> },
    /// `XACK`.
    Ack(Vec<(GroupName, Id)>),
    /// One that takes out of a list. `names_key`: its reply begins with the key.
    Take { node: NodeIndex, db: usize, keys: Vec<Bytes>, into: Option<Bytes>, names_key: bool },
}

/// What commands acknowledge.
pub fn acks_of<'a>(asked: impl Iterator<Item = &'a Ask>) -> Vec<(GroupName, Id)> {
    let acks = asked.filter_map(|ask| match ask {
        Ask::Ack(acks) => Some(acks),
        _ => None,
    });
    acks.flatten().cloned().collect()
}

/// What a command asks for, if its answer tells something.
pub fn ask(node: NodeIndex, db: usize, command: &[u8], argv: &[Bytes]) -> Option<Ask> {
    match (command, argv) {
        (b"XREAD", _) => Some(Ask::Read { node, db }),
        (b"XREADGROUP", _) => {
            let (group, consumer) = group_of(argv)?;
            let keys = streams_of(argv).map(|(key, _)| key.clone()).collect();
            let is_noack = options(argv).any(|word| word.eq_ignore_ascii_case(b"NOACK"));
            let fresh = streams_of(argv).filter(|(_, id)| is_noack && id.as_ref() == b">");
            let passing = fresh.map(|(key, _)| key.clone()).collect();
            Some(Ask::As { node, db, keys, group, consumer, passing })
        }
        (b"XCLAIM" | b"XAUTOCLAIM", [_, key, group, consumer, ..]) => {
            let (keys, group, consumer) = (vec![key.clone()], group.clone(), consumer.clone());
            Some(Ask::As { node, db, keys, group, consumer, passing: Vec::new() })
        }
        (b"XACK", [_, key, group, ids @ ..]) => {
            let name = (node, db, key.clone(), group.clone());
            Some(Ask::Ack(ids.iter().filter_map(|id| Some((name.clone(), Id::parse(id, 0)?))).collect()))
        }
        (b"LPOP" | b"RPOP", [_, key, ..]) => Some(take(node, db, std::slice::from_ref(key), None, false)),
        (b"BLPOP" | b"BRPOP", [_, keys @ .., _]) => Some(take(node, db, keys, None, true)),
        (b"LMPOP", [_, count, rest @ ..]) | (b"BLMPOP", [_, _, count, rest @ ..]) => {
            let count: usize = std::str::from_utf8(count).ok()?.parse().ok()?;
            Some(take(node, db, rest.get(..count)?, None, true))
        }
        (b"LMOVE" | b"RPOPLPUSH" | b"BLMOVE" | b"BRPOPLPUSH", [_, from, into, ..]) => {
            Some(take(node, db, std::slice::from_ref(from), Some(into), false))
        }
        _ => None,
    }
}

fn take(node: NodeIndex, db: usize, keys: &[Bytes], into: Option<&Bytes>, names_key: bool) -> Ask {
    Ask::Take { node, db, keys: keys.to_vec(), into: into.cloned(), names_key }
}

/// The list and the elements in a reply to a command that takes from these lists; nothing where it took nothing.
pub fn elements_of(keys: &[Bytes], names_key: bool, value: &Value) -> Option<(Bytes, Rc<[Bytes]>)> {
    let bulk = |value: &Value| match value {
        Value::Bulk(element) => Some(element.clone()),
        _ => None,
    };
    let (key, elements) = match value {
        Value::Array(pair) if names_key => (bulk(pair.first()?)?, pair.get(1)?),
        value => (keys.first()?.clone(), value),
    };
    let elements: Rc<[Bytes]> = match elements {
        Value::Array(elements) => elements.iter().filter_map(bulk).collect(),
        element => [bulk(element)?].into(),
    };
    (!elements.is_empty()).then_some((key, elements))
}

/// The words between the command and `STREAMS`.
fn options(argv: &[Bytes]) -> impl Iterator<Item = &Bytes> {
    argv.iter().skip(1).take_while(|word| !word.eq_ignore_ascii_case(b"STREAMS"))
}

/// Group and consumer behind `GROUP`.
pub fn group_of(argv: &[Bytes]) -> Option<(Bytes, Bytes)> {
    let mut words = options(argv).skip_while(|word| !word.eq_ignore_ascii_case(b"GROUP")).skip(1);
    Some((words.next()?.clone(), words.next()?.clone()))
}

/// The keys behind `STREAMS`, each with its id.
fn streams_of(argv: &[Bytes]) -> impl Iterator<Item = (&Bytes, &Bytes)> {
    let at = argv.iter().position(|word| word.eq_ignore_ascii_case(b"STREAMS"));
    let rest = at.and_then(|at| argv.get(at.saturating_add(1)..)).unwrap_or_default();
    rest.iter().take(rest.len() / 2).zip(rest.iter().skip(rest.len() / 2))
}

/// The ids of the entries in an answer to `XREAD` or `XREADGROUP`, by stream.
pub fn given(value: &Value) -> Vec<(Bytes, Vec<Id>)> {
    let of_stream = |key: &Value, entries: &Value| {
        let (Value::Bulk(key), Value::Array(entries)) = (key, entries) else { return None };
        Some((key.clone(), entries.iter().filter_map(id_of).collect()))
    };
    match value {
        Value::Array(streams) => {
            let pair = |stream: &Value| match stream {
                Value::Array(pair) => of_stream(pair.first()?, pair.get(1)?),
                _ => None,
            };
            streams.iter().filter_map(pair).collect()
        }
        Value::Map(streams) => streams.iter().filter_map(|(key, entries)| of_stream(key, entries)).collect(),
        _ => Vec::new(),
    }
}

fn id_of(entry: &Value) -> Option<Id> {
    let Value::Array(entry) = entry else { return None };
    let Value::Bulk(id) = entry.first()? else { return None };
    Id::parse(id, 0)
}
