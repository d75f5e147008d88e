//! `Str`: the value of type string, in Redis' three encodings.
use crate::value::{
    memory, number,
    raw::{self, PIECE_BYTES, Raw},
};
use bytes::Bytes;
use std::{io::Write, ops::Range};

/// Maximum length of a string that shares the allocation of its object (`OBJ_ENCODING_EMBSTR_SIZE_LIMIT`).
pub const EMBSTR_BYTES_MAX: usize = 44;

/// A string value. Clones share the bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Str {
    /// `int`: the text of a 64-bit integer, stored as the number.
    Int(i64),
    /// `embstr`: at most 44 bytes, never changed in place.
    Embstr(Bytes),
    /// `raw`: longer, or changed in place at some time.
    Raw(Raw),
}

impl Str {
    /// Encodes a value as `SET` does (`tryObjectEncoding`): an integer if the text is exactly one, else `embstr` up to 44
    /// bytes, else `raw`.
    pub fn new(value: impl Into<Bytes>) -> Self {
        let value = value.into();
        match number::parse_i64(&value) {
            Some(integer) => Self::Int(integer),
            None => Self::plain(value),
        }
    }

    /// A value that stays text even if it is an integer, as `INCRBYFLOAT` leaves it: `embstr` up to 44 bytes, else `raw`.
    pub fn plain(value: impl Into<Bytes>) -> Self {
        let value = value.into();
        if value.len() <= EMBSTR_BYTES_MAX { Self::Embstr(value) } else { Self::Raw(value.into()) }
    }

    /// The bytes as one buffer. Shared if possible; an integer is printed, and the pieces of a long changed string are copied together.
    pub fn to_bytes(&self) -> Bytes {
        match self {
            Self::Int(integer) => Bytes::from(integer.to_string()),
            Self::Embstr(bytes) => bytes.clone(),
            Self::Raw(raw) => raw.to_bytes(),
        }
    }

    /// Calls `read` with the bytes as one buffer, without allocating for an integer.
    pub fn with_bytes<T>(&self, read: impl FnOnce(&[u8]) -> T) -> T {
        let view = self.view();
        match &view {
            View::Raw(raw) if raw.len() > PIECE_BYTES => read(&raw.to_bytes()),
            short => read(short.piece(0)),
        }
    }

    /// A view of the bytes for reading piece by piece, without copying.
    pub fn view(&self) -> View<'_> {
        match self {
            Self::Int(integer) => {
                let mut text = [0; number::I64_TEXT_MAX];
                let mut rest = &mut text[..];
                // 20 bytes hold every integer: writing cannot fail.
                let _ = write!(rest, "{integer}");
                let len = number::I64_TEXT_MAX - rest.len();
                View::Number(text, len)
            }
            Self::Embstr(bytes) => View::Short(bytes),
            Self::Raw(raw) => View::Raw(raw),
        }
    }

    /// A part of the bytes as one buffer; the range is clamped to the bytes.
    pub fn slice(&self, range: Range<usize>) -> Bytes {
        match self {
            Self::Raw(raw) => raw.slice(range),
            short => Raw::from(short.to_bytes()).slice(range),
        }
    }

    /// Length in bytes. O(1).
    pub fn len(&self) -> usize {
        self.view().len()
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value as an integer, by Redis' strict parsing.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Int(integer) => Some(*integer),
            Self::Embstr(bytes) => number::parse_i64(bytes),
            Self::Raw(raw) if raw.len() > number::I64_TEXT_MAX => None,
            Self::Raw(raw) => number::parse_i64(raw.piece(0)),
        }
    }

    /// Changes the bytes in place; the value is `raw` from then on, even if nothing changed (`dbUnshareStringValue`).
    pub fn edit<T>(&mut self, change: impl FnOnce(&mut Raw) -> T) -> T {
        let mut raw = match std::mem::replace(self, Self::Int(0)) {
            Self::Raw(raw) => raw,
            short => Raw::from(short.to_bytes()),
        };
        let outcome = change(&mut raw);
        *self = Self::Raw(raw);
        outcome
    }

    /// Appends bytes. Amortised O(added) while the value is not shared.
    pub fn append(&mut self, tail: &[u8]) {
        self.edit(|raw| raw.append(tail));
    }

    /// Overwrites from `offset` on, filling a gap with zero bytes. The caller has checked `offset`.
    pub fn set_range(&mut self, offset: usize, patch: &[u8]) {
        self.edit(|raw| raw.set_range(offset, patch));
    }

    /// Verifies that the bytes fit their encoding: for tests and debug assertions.
    ///
    /// # Errors
    /// A description of the first mismatch.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Int(_) => Ok(()),
            Self::Embstr(bytes) if bytes.len() > EMBSTR_BYTES_MAX => Err(format!("embstr of {} bytes", bytes.len())),
            Self::Embstr(_) => Ok(()),
            Self::Raw(raw) => raw.check(),
        }
    }

    /// As `OBJECT ENCODING` prints it.
    pub fn encoding(&self) -> &'static str {
        match self {
            Self::Int(_) => "int",
            Self::Embstr(_) => "embstr",
            Self::Raw(_) => "raw",
        }
    }

    /// Bytes that Redis would use. O(1).
    pub fn memory(&self) -> usize {
        match self {
            Self::Int(_) => memory::OBJECT_BYTES,
            // Object, three-byte header, text and zero byte in one allocation.
            Self::Embstr(bytes) => memory::allocated(memory::OBJECT_BYTES + 3 + bytes.len() + 1),
            Self::Raw(raw) => memory::OBJECT_BYTES + raw.memory(),
        }
    }
}

/// A borrowed view of a string's bytes.
#[derive(Clone, Debug)]
pub enum View<'a> {
    /// The text of an integer, and its length in bytes.
    Number([u8; number::I64_TEXT_MAX], usize),
    /// At most 44 bytes (`embstr`).
    Short(&'a [u8]),
    /// A `raw` string, possibly in pieces.
    Raw(&'a Raw),
}

impl View<'_> {
    /// Length in bytes. O(1).
    pub fn len(&self) -> usize {
        match self {
            Self::Number(_, len) => *len,
            Self::Short(bytes) => bytes.len(),
            Self::Raw(raw) => raw.len(),
        }
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The `nth` piece of [`PIECE_BYTES`] bytes: shorter at the end, empty past it.
    pub fn piece(&self, nth: usize) -> &[u8] {
        match self {
            Self::Raw(raw) => raw.piece(nth),
            _ if nth > 0 => &[],
            Self::Number(text, len) => text.get(..*len).unwrap_or_default(),
            Self::Short(bytes) => bytes,
        }
    }

    /// The bytes of a range in order, piece by piece.
    pub fn parts(&self, range: Range<usize>) -> impl Iterator<Item = &[u8]> {
        raw::parts(|nth| self.piece(nth), range)
    }

    /// The byte at `index`; zero past the end.
    pub fn byte(&self, index: usize) -> u8 {
        self.piece(index / PIECE_BYTES).get(index % PIECE_BYTES).copied().unwrap_or(0)
    }
}

impl From<i64> for Str {
    fn from(integer: i64) -> Self {
        Self::Int(integer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn takes_the_encoding_that_redis_would_take() {
        for (text, encoding) in [
            ("12", "int"),
            ("-9223372036854775808", "int"),
            ("9223372036854775808", "embstr"),
            ("012", "embstr"),
            ("", "embstr"),
            (&"x".repeat(44), "embstr"),
            (&"x".repeat(45), "raw"),
        ] {
            let value = Str::new(Bytes::copy_from_slice(text.as_bytes()));
            assert_eq!(value.encoding(), encoding, "{text}");
            assert_eq!(value.to_bytes(), text);
            assert_eq!(value.len(), text.len());
        }
        assert_eq!(Str::plain(Bytes::from_static(b"12")).encoding(), "embstr");
        let mut short = Str::new(Bytes::from_static(b"1"));
        short.append(b"2");
        assert_eq!((short.encoding(), short.as_i64()), ("raw", Some(12)));
    }

    proptest! {
        #[test]
        fn edits_behave_as_on_a_vector_and_clones_never_change(
            start in prop::collection::vec(any::<u8>(), 0..60),
            edits in prop::collection::vec((prop::option::of(0usize..200), prop::collection::vec(any::<u8>(), 1..30)), 0..20),
        ) {
            let mut model = start.clone();
            let mut value = Str::new(Bytes::from(start));
            let mut earlier = vec![(value.clone(), model.clone())];
            for (at, (offset, bytes)) in edits.into_iter().enumerate() {
                match offset {
                    None => { value.append(&bytes); model.extend(&bytes); }
                    Some(offset) => {
                        value.set_range(offset, &bytes);
                        model.resize(model.len().max(offset + bytes.len()), 0);
                        model[offset..offset + bytes.len()].copy_from_slice(&bytes);
                    }
                }
                if at % 3 == 0 { earlier.push((value.clone(), model.clone())); }
            }
            for (value, model) in earlier {
                prop_assert_eq!(value.to_bytes(), model);
            }
            prop_assert_eq!(value.to_bytes(), model);
        }
    }
}
