//! The rendering on a terminal (redis-cli's standard output mode).
use bytes::Bytes;

use super::{Sink, SpanKind, quoted};
use crate::encode::double_text;
use crate::{Protocol, Value};

/// Shows a reply and ends the line.
pub(super) fn reply(value: &Value, protocol: Protocol, sink: &mut impl Sink) {
    show(value, protocol, &mut String::new(), sink);
    sink.newline();
}

/// Shows a push that arrived between replies.
pub(super) fn push(value: &Value, sink: &mut impl Sink) {
    match invalidated_keys(value) {
        Some(keys) => invalidation(keys, sink),
        None => reply(value, Protocol::Resp3, sink),
    }
}

/// The keys of an invalidation message of client-side caching.
fn invalidated_keys(value: &Value) -> Option<&[Value]> {
    let Value::Push(items) = value else { return None };
    match items.as_slice() {
        [Value::Bulk(kind), Value::Array(keys)] if kind.starts_with(b"invalidate") => Some(keys),
        _ => None,
    }
}

fn invalidation(keys: &[Value], sink: &mut impl Sink) {
    sink.span(SpanKind::Punctuation, b"-> invalidate: ", None);
    for (nth, key) in keys.iter().enumerate() {
        sink.span(SpanKind::Punctuation, if nth == 0 { b"'" } else { b", '" }, None);
        if let Value::Bulk(key) = key {
            sink.span(SpanKind::Text, key, Some(key));
        }
        sink.span(SpanKind::Punctuation, b"'", None);
    }
    sink.newline();
}

/// Shows a value without its last line end. Every line after the first starts with `indent`.
fn show(value: &Value, protocol: Protocol, indent: &mut String, sink: &mut impl Sink) {
    let resp3 = protocol == Protocol::Resp3;
    match value {
        Value::Simple(text) => sink.span(SpanKind::Status, text, Some(text)),
        Value::Error(text) => {
            sink.span(SpanKind::Tag, b"(error) ", None);
            sink.span(SpanKind::Error, text, Some(text));
        }
        Value::Integer(n) => integer(*n, sink),
        Value::Bulk(bytes) => string(bytes, sink),
        Value::Null | Value::NullArray => sink.span(SpanKind::Nil, b"(nil)", None),
        Value::Double(d) => {
            let mut text = Vec::new();
            double_text(*d, &mut text);
            if resp3 {
                sink.span(SpanKind::Tag, b"(double) ", None);
                sink.span(SpanKind::Double, &text, None);
            } else {
                string(&Bytes::from(text), sink);
            }
        }
        Value::WideDouble(digits) if resp3 => {
            sink.span(SpanKind::Tag, b"(double) ", None);
            sink.span(SpanKind::Double, digits, None);
        }
        Value::Boolean(yes) if resp3 => sink.span(SpanKind::Boolean, if *yes { b"(true)" } else { b"(false)" }, None),
        Value::Boolean(yes) => integer(i64::from(*yes), sink),
        Value::BigNumber(digits) if resp3 => {
            sink.span(SpanKind::Tag, b"(big number) ", None);
            sink.span(SpanKind::Double, digits, None);
        }
        Value::Verbatim(_, text) if resp3 => sink.span(SpanKind::Text, text, Some(text)),
        Value::WideDouble(text) | Value::BigNumber(text) | Value::Verbatim(_, text) => string(text, sink),
        Value::Array(items) => elements(items, ')', b"(empty array)", protocol, indent, sink),
        Value::Set(items) if resp3 => elements(items, '~', b"(empty set)", protocol, indent, sink),
        Value::Push(items) if resp3 => elements(items, ')', b"(empty push)", protocol, indent, sink),
        Value::Set(items) | Value::Push(items) => elements(items, ')', b"(empty array)", protocol, indent, sink),
        Value::Map(pairs) if resp3 => map(pairs, indent, sink),
        Value::Map(pairs) => {
            let items = pairs.iter().flat_map(|(key, value)| [key, value]);
            numbered(items, pairs.len().saturating_mul(2), ')', b"(empty array)", protocol, indent, sink);
        }
    }
}

fn integer(n: i64, sink: &mut impl Sink) {
    sink.span(SpanKind::Tag, b"(integer) ", None);
    sink.span(SpanKind::Integer, itoa::Buffer::new().format(n).as_bytes(), None);
}

fn string(bytes: &Bytes, sink: &mut impl Sink) {
    sink.span(SpanKind::String, quoted(bytes).as_bytes(), Some(bytes));
}

fn elements(items: &[Value], mark: char, empty: &[u8], protocol: Protocol, indent: &mut String, sink: &mut impl Sink) {
    numbered(items.iter(), items.len(), mark, empty, protocol, indent, sink);
}

fn numbered<'a>(
    items: impl Iterator<Item = &'a Value>,
    count: usize,
    mark: char,
    empty: &[u8],
    protocol: Protocol,
    indent: &mut String,
    sink: &mut impl Sink,
) {
    if count == 0 {
        sink.span(SpanKind::Empty, empty, None);
        return;
    }
    let width = digits(count);
    for (nth, item) in items.enumerate() {
        index(nth, width, mark, indent, sink);
        nested(item, width, protocol, indent, sink);
    }
}

fn map(pairs: &[(Value, Value)], indent: &mut String, sink: &mut impl Sink) {
    if pairs.is_empty() {
        sink.span(SpanKind::Empty, b"(empty hash)", None);
        return;
    }
    let width = digits(pairs.len());
    for (nth, (key, value)) in pairs.iter().enumerate() {
        index(nth, width, '#', indent, sink);
        nested(key, width, Protocol::Resp3, indent, sink);
        sink.span(SpanKind::Punctuation, b" => ", None);
        if is_multiline(value) {
            sink.newline();
            let inner = " ".repeat(width.saturating_add(2));
            sink.span(SpanKind::Indent, format!("{indent}{inner}").as_bytes(), None);
        }
        nested(value, width, Protocol::Resp3, indent, sink);
    }
}

/// The number before an element. All elements but the first start with a line end and `indent`; the
/// first continues its parent's line.
fn index(nth: usize, width: usize, mark: char, indent: &str, sink: &mut impl Sink) {
    if nth > 0 {
        sink.newline();
        if !indent.is_empty() {
            sink.span(SpanKind::Indent, indent.as_bytes(), None);
        }
    }
    let number = nth.saturating_add(1);
    sink.span(SpanKind::Index, format!("{number:>width$}{mark} ").as_bytes(), None);
}

fn nested(item: &Value, width: usize, protocol: Protocol, indent: &mut String, sink: &mut impl Sink) {
    let outer = indent.len();
    indent.extend(std::iter::repeat_n(' ', width.saturating_add(2)));
    show(item, protocol, indent, sink);
    indent.truncate(outer);
}

/// Number of digits of the largest index.
fn digits(count: usize) -> usize {
    count.checked_ilog10().map_or(1, |log| usize::try_from(log).unwrap_or(0).saturating_add(1))
}

/// Does redis-cli start this map value on its own line?
fn is_multiline(value: &Value) -> bool {
    match value {
        Value::Array(items) | Value::Set(items) | Value::Push(items) => match items.as_slice() {
            [] => false,
            [only] => is_multiline(only),
            _ => true,
        },
        Value::Map(pairs) => match pairs.as_slice() {
            [] => false,
            [(_, value)] => is_multiline(value),
            _ => true,
        },
        _ => false,
    }
}
