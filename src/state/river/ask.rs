//! What a command shows about messages and their readers, and what its reply contains.
use std::rc::Rc;

use bytes::Bytes;
use redis_model::value::stream::Id;
use resp::Value;
use world::NodeIndex;

use super::past::GroupName;

/// A command with a meaningful reply.
#[derive(Clone, Debug)]
pub enum Ask {
    /// `XREAD`.
    Read { node: NodeIndex, db: usize },
    /// A command of a consumer. `passing` are the keys read with `NOACK` and `>`; entries that a consumer reads again are pending.
    As { node: NodeIndex, db: usize, keys: Vec<Bytes>, group: Bytes, consumer: Bytes, passing: Vec<Bytes> },
    /// `XACK`.
    Ack(Vec<(GroupName, Id)>),
    /// A command that takes elements out of a list or a sorted set.
    Take { node: NodeIndex, db: usize, keys: Vec<Bytes>, into: Option<Bytes>, shape: Shape },
    /// `ZREM`: it removed these members from a sorted set if its reply is their number.
    Remove { node: NodeIndex, db: usize, key: Bytes, members: Rc<[Bytes]> },
    /// A command that reads the due elements of a sorted set.
    Look { node: NodeIndex, db: usize, key: Bytes },
}

/// The shape of the reply to a command that takes elements.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shape {
    /// It starts with the key.
    pub names_key: bool,
    /// Each element is followed by its score.
    pub has_scores: bool,
}

/// The entries that these commands acknowledge.
pub fn acks_of<'a>(asked: impl Iterator<Item = &'a Ask>) -> Vec<(GroupName, Id)> {
    let acks = asked.filter_map(|ask| match ask {
        Ask::Ack(acks) => Some(acks),
        _ => None,
    });
    acks.flatten().cloned().collect()
}

/// Classifies a command; `None` if its reply is not needed.
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
        (b"LPOP" | b"RPOP", [_, key, ..]) => Some(take(node, db, std::slice::from_ref(key), None, Shape::default())),
        (b"ZPOPMIN" | b"ZPOPMAX", [_, key, ..]) => {
            let shape = Shape { names_key: false, has_scores: true };
            Some(take(node, db, std::slice::from_ref(key), None, shape))
        }
        (b"BLPOP" | b"BRPOP" | b"BZPOPMIN" | b"BZPOPMAX", [_, keys @ .., _]) => {
            let shape = Shape { names_key: true, has_scores: command.starts_with(b"BZ") };
            Some(take(node, db, keys, None, shape))
        }
        (b"ZREM", [_, key, members @ ..]) => Some(Ask::Remove { node, db, key: key.clone(), members: members.into() }),
        (b"ZRANGEBYSCORE", [_, key, ..]) => Some(Ask::Look { node, db, key: key.clone() }),
        (b"ZRANGE", [_, key, words @ ..]) if words.iter().any(|word| word.eq_ignore_ascii_case(b"BYSCORE")) => {
            Some(Ask::Look { node, db, key: key.clone() })
        }
        (b"ZMPOP", [_, count, rest @ ..]) | (b"BZMPOP", [_, _, count, rest @ ..]) => {
            let count: usize = std::str::from_utf8(count).ok()?.parse().ok()?;
            Some(take(node, db, rest.get(..count)?, None, Shape { names_key: true, has_scores: true }))
        }
        (b"LMPOP", [_, count, rest @ ..]) | (b"BLMPOP", [_, _, count, rest @ ..]) => {
            let count: usize = std::str::from_utf8(count).ok()?.parse().ok()?;
            Some(take(node, db, rest.get(..count)?, None, Shape { names_key: true, has_scores: false }))
        }
        (b"LMOVE" | b"RPOPLPUSH" | b"BLMOVE" | b"BRPOPLPUSH", [_, from, into, ..]) => {
            Some(take(node, db, std::slice::from_ref(from), Some(into), Shape::default()))
        }
        _ => None,
    }
}

fn take(node: NodeIndex, db: usize, keys: &[Bytes], into: Option<&Bytes>, shape: Shape) -> Ask {
    Ask::Take { node, db, keys: keys.to_vec(), into: into.cloned(), shape }
}

/// The key and the elements in the reply to a command that takes from these keys; `None` if it took nothing.
pub fn elements_of(keys: &[Bytes], shape: Shape, value: &Value) -> Option<(Bytes, Rc<[Bytes]>)> {
    let (key, items) = match value {
        Value::Array(words) if shape.names_key => (bulk(words.first()?)?, words.get(1..)?),
        Value::Array(words) => (keys.first()?.clone(), words.as_slice()),
        value => (keys.first()?.clone(), std::slice::from_ref(value)),
    };
    let items = match items {
        [Value::Array(inner)] => inner,
        items => items,
    };
    // Scores follow their members, or come in pairs with them.
    let elements: Rc<[Bytes]> = match items.first() {
        Some(Value::Array(_)) => items.iter().filter_map(first_of).collect(),
        _ if shape.has_scores => items.iter().step_by(2).filter_map(bulk).collect(),
        _ => items.iter().filter_map(bulk).collect(),
    };
    (!elements.is_empty()).then_some((key, elements))
}

fn bulk(value: &Value) -> Option<Bytes> {
    match value {
        Value::Bulk(element) => Some(element.clone()),
        _ => None,
    }
}

fn first_of(pair: &Value) -> Option<Bytes> {
    match pair {
        Value::Array(pair) => bulk(pair.first()?),
        _ => None,
    }
}

/// The words between the command and `STREAMS`.
fn options(argv: &[Bytes]) -> impl Iterator<Item = &Bytes> {
    argv.iter().skip(1).take_while(|word| !word.eq_ignore_ascii_case(b"STREAMS"))
}

/// Group and consumer after `GROUP`.
pub fn group_of(argv: &[Bytes]) -> Option<(Bytes, Bytes)> {
    let mut words = options(argv).skip_while(|word| !word.eq_ignore_ascii_case(b"GROUP")).skip(1);
    Some((words.next()?.clone(), words.next()?.clone()))
}

/// The keys after `STREAMS`, each with its id.
fn streams_of(argv: &[Bytes]) -> impl Iterator<Item = (&Bytes, &Bytes)> {
    let at = argv.iter().position(|word| word.eq_ignore_ascii_case(b"STREAMS"));
    let rest = at.and_then(|at| argv.get(at.saturating_add(1)..)).unwrap_or_default();
    rest.iter().take(rest.len() / 2).zip(rest.iter().skip(rest.len() / 2))
}

/// The ids of the entries in a reply to `XREAD` or `XREADGROUP`, by stream.
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
