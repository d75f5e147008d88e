//! How redis-cli 7.0 shows a reply: on a terminal, with `--raw`, and as spans that the page can colour and link.
//!
//! One traversal of the value sends pieces of text with their meaning to a [`Sink`], so the plain text always equals the concatenation of
//! the spans.
//!
//! ```
//! use resp::{Protocol, Value, cli};
//! let reply = Value::Array(vec![Value::bulk("a\""), Value::Array(vec![Value::Integer(1), Value::Null])]);
//! assert_eq!(cli::text(&reply, Protocol::Resp2), "1) \"a\\\"\"\n2) 1) (integer) 1\n   2) (nil)");
//! ```
mod lines;
mod raw;
mod standard;

use bytes::Bytes;

use crate::split::hex_escape;
use crate::{Protocol, Value};
pub use lines::{Line, Span, lines};
pub use raw::{prints_raw, raw};

/// The meaning of a piece of rendered text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpanKind {
    /// Spaces before a nested element.
    Indent,
    /// `1) `, `1# `, `1~ `: the number of an element.
    Index,
    /// `(integer) `, `(double) `, `(error) `: the type before a value.
    Tag,
    /// The digits of an integer.
    Integer,
    /// The digits of a double or a big number.
    Double,
    /// `OK` and other status lines.
    Status,
    /// The text of an error.
    Error,
    /// A quoted string.
    String,
    /// Text shown as it is: a verbatim string, or a raw reply.
    Text,
    /// `(nil)`
    Nil,
    /// `(true)`, `(false)`
    Boolean,
    /// `(empty array)`, `(empty hash)`, `(empty set)`, `(empty push)`
    Empty,
    /// ` => ` between a key and its value, and the punctuation of an invalidation message.
    Punctuation,
}

/// Receives rendered text piece by piece.
trait Sink {
    /// A piece of text. `source` holds the original bytes if the piece shows a string.
    fn span(&mut self, kind: SpanKind, text: &[u8], source: Option<&Bytes>);
    /// The end of a line.
    fn newline(&mut self);
}

impl Sink for Vec<u8> {
    fn span(&mut self, _: SpanKind, text: &[u8], _: Option<&Bytes>) {
        self.extend_from_slice(text);
    }

    fn newline(&mut self) {
        self.push(b'\n');
    }
}

/// The bytes that redis-cli prints for a reply on a terminal, the last line end included.
///
/// Two values that redis-cli 7.0 cannot show are shown here: a NaN as `(double) nan`, and a big number as `(big number) 123`.
pub fn standard(value: &Value, protocol: Protocol) -> Vec<u8> {
    let mut out = Vec::new();
    standard::reply(value, protocol, &mut out);
    out
}

/// The bytes that redis-cli prints on a terminal for a push that arrives between replies, the last
/// line end included. It differs from [`standard`] for invalidation messages.
pub fn push(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    standard::push(value, &mut out);
    out
}

/// [`standard`] as text, without the last line end. Bytes that are not UTF-8 (only in status lines, errors and verbatim strings) become
/// U+FFFD.
pub fn text(value: &Value, protocol: Protocol) -> String {
    let mut bytes = standard(value, protocol);
    bytes.truncate(bytes.len().saturating_sub(1));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A string as redis-cli shows it: in double quotes, with `\\`, `\"`, `\n`, `\r`, `\t`, `\a`,
/// `\b`, and `\xHH` for every other byte that is not printable ASCII.
///
/// ```
/// assert_eq!(resp::cli::quoted("a\"中\n".as_bytes()), r#""a\"\xe4\xb8\xad\n""#);
/// ```
pub fn quoted(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().saturating_add(2));
    out.push('"');
    for &byte in bytes {
        match byte {
            b'\\' | b'"' => out.extend(['\\', char::from(byte)]),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x07 => out.push_str("\\a"),
            0x08 => out.push_str("\\b"),
            0x20..=0x7e => out.push(char::from(byte)),
            other => hex_escape(other, &mut out),
        }
    }
    out.push('"');
    out
}
