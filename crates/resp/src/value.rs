//! A reply as a value: the result of a command before it is encoded for a protocol.
use bytes::Bytes;

/// A reply or a push with the types of RESP3. It is converted to RESP2 (a map becomes a flat array, a double a bulk string, and so on) only
/// when it is encoded or shown.
///
/// Source: the RESP3 specification, and `addReply*` of Redis 7.0 for the form of each type in RESP2.
#[derive(Clone, Debug)]
pub enum Value {
    /// `+OK`
    Simple(Bytes),
    /// `-ERR …`, without the minus sign and line end.
    Error(Bytes),
    /// `:1`
    Integer(i64),
    /// `$3 foo`
    Bulk(Bytes),
    /// Null: `$-1` in RESP2, `_` in RESP3.
    Null,
    /// Null in place of an array: `*-1` in RESP2, `_` in RESP3.
    NullArray,
    /// `*2 …`
    Array(Vec<Value>),
    /// `%1 …`: pairs in order; a flat array in RESP2.
    Map(Vec<(Value, Value)>),
    /// `~2 …`; an array in RESP2.
    Set(Vec<Value>),
    /// `,3.5`; a bulk string in RESP2.
    Double(f64),
    /// `,3.50000000000000001`: a double with other digits than [`Value::Double`] prints, as Redis writes coordinates; a bulk string in
    /// RESP2.
    WideDouble(Bytes),
    /// `#t`; `:1` in RESP2.
    Boolean(bool),
    /// `(123…`: decimal digits; a bulk string in RESP2.
    BigNumber(Bytes),
    /// `=7 txt:…`: three-letter format and text; a bulk string in RESP2.
    Verbatim([u8; 3], Bytes),
    /// `>3 …`: out-of-band data; an array in RESP2.
    Push(Vec<Value>),
}

impl Value {
    /// `+OK`
    pub const OK: Value = Value::Simple(Bytes::from_static(b"OK"));
    /// `+QUEUED`
    pub const QUEUED: Value = Value::Simple(Bytes::from_static(b"QUEUED"));

    /// A status line from text known at compile time.
    pub const fn simple(text: &'static str) -> Value {
        Value::Simple(Bytes::from_static(text.as_bytes()))
    }

    /// A bulk string.
    pub fn bulk(bytes: impl Into<Bytes>) -> Value {
        Value::Bulk(bytes.into())
    }

    /// An error line; the text starts with its code (`ERR`, `WRONGTYPE` …).
    pub fn error(text: impl Into<String>) -> Value {
        Value::Error(Bytes::from(text.into()))
    }

    /// A double that was received as `text`: a [`Value::WideDouble`] if [`Value::Double`] would print other digits.
    pub fn double_as_written(value: f64, text: &[u8]) -> Value {
        let is_plain =
            text.contains(&b'.') && text.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'));
        let mut usual = Vec::with_capacity(24);
        crate::encode::double_text(value, &mut usual);
        if is_plain && usual != text { Value::WideDouble(Bytes::copy_from_slice(text)) } else { Value::Double(value) }
    }

    /// `:1` or `:0`, as most Redis commands answer yes and no in both RESP2 and RESP3.
    pub const fn flag(yes: bool) -> Value {
        Value::Integer(yes as i64)
    }

    /// Approximate size when sent, in bytes: the texts, plus a constant for each element.
    pub fn approximate_bytes(&self) -> usize {
        const ELEMENT_BYTES: usize = 16;
        let mut sum = 0usize;
        let mut open = vec![self];
        while let Some(value) = open.pop() {
            let text = match value {
                Value::Array(items) | Value::Set(items) | Value::Push(items) => {
                    open.extend(items);
                    0
                }
                Value::Map(pairs) => {
                    open.extend(pairs.iter().flat_map(|(key, value)| [key, value]));
                    0
                }
                Value::Simple(text)
                | Value::Error(text)
                | Value::Bulk(text)
                | Value::WideDouble(text)
                | Value::BigNumber(text)
                | Value::Verbatim(_, text) => text.len(),
                Value::Integer(_) | Value::Null | Value::NullArray | Value::Double(_) | Value::Boolean(_) => 0,
            };
            sum = sum.saturating_add(text).saturating_add(ELEMENT_BYTES);
        }
        sum
    }

    /// Is this an error line?
    pub const fn is_error(&self) -> bool {
        matches!(self, Value::Error(_))
    }
}

impl From<i64> for Value {
    fn from(n: i64) -> Value {
        Value::Integer(n)
    }
}

impl From<usize> for Value {
    fn from(n: usize) -> Value {
        Value::Integer(i64::try_from(n).unwrap_or(i64::MAX))
    }
}

// Floats compare and hash by their bits: two equal NaNs are the same reply, and 0 differs from -0 because they are written differently.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Simple(a), Value::Simple(b))
            | (Value::Error(a), Value::Error(b))
            | (Value::Bulk(a), Value::Bulk(b))
            | (Value::WideDouble(a), Value::WideDouble(b))
            | (Value::BigNumber(a), Value::BigNumber(b)) => a == b,
            (Value::Integer(a), Value::Integer(b)) => a == b,
            (Value::Null, Value::Null) | (Value::NullArray, Value::NullArray) => true,
            (Value::Array(a), Value::Array(b)) | (Value::Set(a), Value::Set(b)) | (Value::Push(a), Value::Push(b)) => {
                a == b
            }
            (Value::Map(a), Value::Map(b)) => a == b,
            (Value::Double(a), Value::Double(b)) => a.to_bits() == b.to_bits(),
            (Value::Boolean(a), Value::Boolean(b)) => a == b,
            (Value::Verbatim(f, a), Value::Verbatim(g, b)) => f == g && a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}

impl std::hash::Hash for Value {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Value::Simple(b) | Value::Error(b) | Value::Bulk(b) | Value::WideDouble(b) | Value::BigNumber(b) => {
                b.hash(state)
            }
            Value::Integer(n) => n.hash(state),
            Value::Null | Value::NullArray => {}
            Value::Array(items) | Value::Set(items) | Value::Push(items) => items.hash(state),
            Value::Map(pairs) => pairs.hash(state),
            Value::Double(d) => d.to_bits().hash(state),
            Value::Boolean(b) => b.hash(state),
            Value::Verbatim(format, b) => (format, b).hash(state),
        }
    }
}
