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

    /// A value without items, or a container with the number of its items or pairs.
    #[derive(Serialize, Deserialize)]
    enum Part {
        Simple(Bytes),
        Error(Bytes),
        Integer(i64),
        Bulk(Bytes),
        Null,
        NullArray,
        Array(usize),
        Map(usize),
        Set(usize),
        Double(f64),
        WideDouble(Bytes),
        Boolean(bool),
        BigNumber(Bytes),
        Verbatim([u8; 3], Bytes),
        Push(usize),
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
            parts.push(match value {
                Value::Simple(text) => Part::Simple(text.clone()),
                Value::Error(text) => Part::Error(text.clone()),
                Value::Integer(number) => Part::Integer(*number),
                Value::Bulk(bytes) => Part::Bulk(bytes.clone()),
                Value::Null => Part::Null,
                Value::NullArray => Part::NullArray,
                Value::Array(items) => {
                    open.extend(items);
                    Part::Array(items.len())
                }
                Value::Map(pairs) => {
                    open.extend(pairs.iter().flat_map(|(key, value)| [key, value]));
                    Part::Map(pairs.len())
                }
                Value::Set(items) => {
                    open.extend(items);
                    Part::Set(items.len())
                }
                Value::Double(number) => Part::Double(*number),
                Value::WideDouble(digits) => Part::WideDouble(digits.clone()),
                Value::Boolean(yes) => Part::Boolean(*yes),
                Value::BigNumber(digits) => Part::BigNumber(digits.clone()),
                Value::Verbatim(format, text) => Part::Verbatim(*format, text.clone()),
                Value::Push(items) => {
                    open.extend(items);
                    Part::Push(items.len())
                }
            });
        }
        parts.reverse();
        parts
    }

    /// The value with these parts. `None`: there is no such value, or it is nested deeper than [`DEPTH_MAX`].
    fn joined(parts: Vec<Part>) -> Option<Value> {
        // Values that are not yet items of a container, each with the levels of containers in it.
        let mut done: Vec<(Value, usize)> = Vec::new();
        for part in parts {
            let mut levels = 0;
            let mut take = |count: usize| {
                let items = done.split_off(done.len().checked_sub(count)?);
                levels = 1 + items.iter().map(|(_, levels)| *levels).max().unwrap_or(0);
                (levels <= DEPTH_MAX).then(|| items.into_iter().map(|(value, _)| value))
            };
            let value = match part {
                Part::Simple(text) => Value::Simple(text),
                Part::Error(text) => Value::Error(text),
                Part::Integer(number) => Value::Integer(number),
                Part::Bulk(bytes) => Value::Bulk(bytes),
                Part::Null => Value::Null,
                Part::NullArray => Value::NullArray,
                Part::Array(count) => Value::Array(take(count)?.collect()),
                Part::Map(count) => {
                    let mut items = take(count.checked_mul(2)?)?;
                    Value::Map((0..count).map_while(|_| items.next().zip(items.next())).collect())
                }
                Part::Set(count) => Value::Set(take(count)?.collect()),
                Part::Double(number) => Value::Double(number),
                Part::WideDouble(digits) => Value::WideDouble(digits),
                Part::Boolean(yes) => Value::Boolean(yes),
                Part::BigNumber(digits) => Value::BigNumber(digits),
                Part::Verbatim(format, text) => Value::Verbatim(format, text),
                Part::Push(count) => Value::Push(take(count)?.collect()),
            };
            done.push((value, levels));
        }
        let (value, _) = done.pop()?;
        done.is_empty().then_some(value)
    }
}
