//! The encoding of types of other crates.
use resp::Protocol;
use serde::{Deserialize, Serialize};

/// The variants of [`Protocol`], for serde.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Protocol")]
pub(crate) enum ProtocolDef {
    Resp2,
    Resp3,
}

/// A reply as a flat list of its parts, each container after its items. So decoding needs no recursion, and a reply that is nested too
/// deeply is rejected before it is built.
///
/// ```text
/// 1) "a"                     Bulk "a"
/// 2) 1) (integer) 7          Integer 7
///                            Array 1
///                            Array 2
/// ```
pub(crate) mod value {
    use crate::codec::DEPTH_MAX;
    use bytes::Bytes;
    use resp::Value;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// A value without its items. An enum with the fields of each kind adds 1.1 KB to a lesson's first load.
    #[derive(Serialize, Deserialize)]
    struct Part {
        kind: Kind,
        /// An integer, the bits of a double, 1 for true, or how many items or pairs a container has.
        number: u64,
        /// The text; a verbatim one after its format.
        text: Bytes,
    }

    #[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
    enum Kind {
        Simple,
        Error,
        Integer,
        Bulk,
        Null,
        NullArray,
        Array,
        Map,
        Set,
        Double,
        WideDouble,
        Boolean,
        BigNumber,
        Verbatim,
        Push,
    }

    pub fn serialize<S: Serializer>(value: &Value, to: S) -> Result<S::Ok, S::Error> {
        parts(value).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
        joined(Deserialize::deserialize(from)?).ok_or_else(|| D::Error::custom("no reply has these parts"))
    }

    fn parts(value: &Value) -> Vec<Part> {
        let (mut parts, mut open) = (Vec::new(), vec![value]);
        while let Some(value) = open.pop() {
            let (kind, number, text) = match value {
                Value::Simple(text) => (Kind::Simple, 0, text.clone()),
                Value::Error(text) => (Kind::Error, 0, text.clone()),
                Value::Integer(number) => (Kind::Integer, number.cast_unsigned(), Bytes::new()),
                Value::Bulk(bytes) => (Kind::Bulk, 0, bytes.clone()),
                Value::Null => (Kind::Null, 0, Bytes::new()),
                Value::NullArray => (Kind::NullArray, 0, Bytes::new()),
                Value::Array(items) => (Kind::Array, opened(&mut open, items), Bytes::new()),
                Value::Map(pairs) => {
                    open.extend(pairs.iter().flat_map(|(key, value)| [key, value]));
                    (Kind::Map, pairs.len() as u64, Bytes::new())
                }
                Value::Set(items) => (Kind::Set, opened(&mut open, items), Bytes::new()),
                Value::Double(number) => (Kind::Double, number.to_bits(), Bytes::new()),
                Value::WideDouble(digits) => (Kind::WideDouble, 0, digits.clone()),
                Value::Boolean(yes) => (Kind::Boolean, u64::from(*yes), Bytes::new()),
                Value::BigNumber(digits) => (Kind::BigNumber, 0, digits.clone()),
                Value::Verbatim(format, text) => (Kind::Verbatim, 0, [format.as_slice(), text].concat().into()),
                Value::Push(items) => (Kind::Push, opened(&mut open, items), Bytes::new()),
            };
            parts.push(Part { kind, number, text });
        }
        parts.reverse();
        parts
    }

    /// Queues the items of a container and returns how many they are.
    fn opened<'a>(open: &mut Vec<&'a Value>, items: &'a [Value]) -> u64 {
        open.extend(items);
        items.len() as u64
    }

    /// The value with these parts. `None`: there is no such value, or it is nested deeper than [`DEPTH_MAX`].
    fn joined(parts: Vec<Part>) -> Option<Value> {
        // Values that are not yet items of a container, each with the levels of containers in it.
        let mut done: Vec<(Value, usize)> = Vec::new();
        for Part { kind, number, text } in parts {
            let mut levels = 0;
            let value = match kind {
                Kind::Simple => Value::Simple(text),
                Kind::Error => Value::Error(text),
                Kind::Bulk => Value::Bulk(text),
                Kind::WideDouble => Value::WideDouble(text),
                Kind::BigNumber => Value::BigNumber(text),
                Kind::Verbatim => {
                    let (format, text) = text.split_first_chunk()?;
                    Value::Verbatim(*format, Bytes::copy_from_slice(text))
                }
                Kind::Integer => Value::Integer(number.cast_signed()),
                Kind::Double => Value::Double(f64::from_bits(number)),
                Kind::Boolean => Value::Boolean(number != 0),
                Kind::Null => Value::Null,
                Kind::NullArray => Value::NullArray,
                Kind::Array | Kind::Map | Kind::Set | Kind::Push => {
                    let count = usize::try_from(number).ok()?;
                    let count = if kind == Kind::Map { count.checked_mul(2)? } else { count };
                    let items = done.split_off(done.len().checked_sub(count)?);
                    levels = 1 + items.iter().map(|(_, levels)| *levels).max().unwrap_or(0);
                    if levels > DEPTH_MAX {
                        return None;
                    }
                    let mut items = items.into_iter().map(|(value, _)| value);
                    match kind {
                        Kind::Map => Value::Map(std::iter::from_fn(|| items.next().zip(items.next())).collect()),
                        Kind::Array => Value::Array(items.collect()),
                        Kind::Set => Value::Set(items.collect()),
                        _ => Value::Push(items.collect()),
                    }
                }
            };
            done.push((value, levels));
        }
        let (value, _) = done.pop()?;
        done.is_empty().then_some(value)
    }
}
