//! `Str`: the value of type string, in the three encodings that Redis gives it.
use crate::value::{memory, number};
use bytes::{Bytes, BytesMut};
use std::io::Write;

/// Strings up to this length lie in the same allocation as their object (`OBJ_ENCODING_EMBSTR_SIZE_LIMIT`).
pub const EMBSTR_BYTES_MAX: usize = 44;

/// A string value. Clones share the bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Str {
    /// `int`: the text of a 64-bit integer, kept as the number.
    Int(i64),
    /// `embstr`: at most 44 bytes, never changed in place.
    Embstr(Bytes),
    /// `raw`: longer, or changed in place at some time.
    Raw(Bytes),
}

impl Str {
    /// What `SET` makes of a value (`tryObjectEncoding`): an integer where the text is exactly one, else `embstr` up to 44
    /// bytes, else `raw`.
    pub fn new(value: impl Into<Bytes>) -> Self {
        let value = value.into();
        match number::parse_i64(&value) {
            Some(integer) => Self::Int(integer),
            None => Self::plain(value),
        }
    }

    /// A value that stays text even where it reads as an integer, as `INCRBYFLOAT` leaves it: `embstr` up to 44 bytes, else `raw`.
    pub fn plain(value: impl Into<Bytes>) -> Self {
        let value = value.into();
        if value.len() <= EMBSTR_BYTES_MAX { Self::Embstr(value) } else { Self::Raw(value) }
    }

    /// The bytes. Shared, except that an integer is printed.
    pub fn to_bytes(&self) -> Bytes {
        match self {
            Self::Int(integer) => Bytes::from(integer.to_string()),
            Self::Embstr(bytes) | Self::Raw(bytes) => bytes.clone(),
        }
    }

    /// Calls `read` with the bytes, without allocating for an integer.
    pub fn with_bytes<T>(&self, read: impl FnOnce(&[u8]) -> T) -> T {
        match self {
            Self::Int(integer) => {
                let mut text = [0; number::I64_TEXT_MAX];
                let mut rest = &mut text[..];
                // 20 bytes hold every integer: writing cannot fail.
                let _ = write!(rest, "{integer}");
                let left = rest.len();
                read(text.get(..number::I64_TEXT_MAX - left).unwrap_or_default())
            }
            Self::Embstr(bytes) | Self::Raw(bytes) => read(bytes),
        }
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.with_bytes(<[u8]>::len)
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The integer that the value is, by Redis' strict reading.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Int(integer) => Some(*integer),
            Self::Embstr(bytes) | Self::Raw(bytes) => number::parse_i64(bytes),
        }
    }

    /// The bytes to be changed; the value is `raw` from here on. In place where nobody else holds them.
    fn edit(&mut self, change: impl FnOnce(&mut BytesMut)) {
        let bytes = match std::mem::replace(self, Self::Int(0)) {
            Self::Int(integer) => Bytes::from(integer.to_string()),
            Self::Embstr(bytes) | Self::Raw(bytes) => bytes,
        };
        let mut bytes = bytes.try_into_mut().unwrap_or_else(|shared| BytesMut::from(&shared[..]));
        change(&mut bytes);
        *self = Self::Raw(bytes.freeze());
    }

    /// Adds bytes at the end. Amortised O(added) while nobody else holds the value.
    pub fn append(&mut self, tail: &[u8]) {
        self.edit(|bytes| bytes.extend_from_slice(tail));
    }

    /// Overwrites from `offset` on, filling a gap with zero bytes. The caller has bounded `offset`.
    pub fn set_range(&mut self, offset: usize, patch: &[u8]) {
        self.edit(|bytes| {
            let end = offset.saturating_add(patch.len());
            if bytes.len() < end {
                bytes.resize(end, 0);
            }
            if let Some(place) = bytes.get_mut(offset..end) {
                place.copy_from_slice(patch);
            }
        });
    }

    /// Changes the bytes in place with `change`, zero-filled to `len_min` first (`SETBIT`, `BITFIELD`). The value is `raw` afterwards.
    pub fn edit_bytes(&mut self, len_min: usize, change: impl FnOnce(&mut [u8])) {
        self.edit(|bytes| {
            if bytes.len() < len_min {
                bytes.resize(len_min, 0);
            }
            change(bytes);
        });
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
            // Object, header of three bytes, bytes and zero byte in one allocation.
            Self::Embstr(bytes) => memory::allocated(memory::OBJECT_BYTES + 3 + bytes.len() + 1),
            Self::Raw(bytes) => memory::OBJECT_BYTES + memory::sds(bytes.len()),
        }
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
