//! `Bytes`: a byte string that is cheap to clone. Short strings are stored inline, long ones are shared.
//!
//! ```text
//!  up to 23 bytes   Short   │ len │ bytes …               │   a clone copies them
//!  longer, static   Long    │ pointer │ length │ owner │ … │   a clone adds one reference
//! ```
//!
//! Nearly all arguments, keys and elements are short. An inline string needs no allocation, cloning it needs no atomic counter, and
//! comparing it follows no pointer. The type has the name and interface of the type in the `bytes` crate, which it wraps, so callers need
//! no changes.
use std::{
    borrow::Borrow,
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    ops::{Bound, Deref, RangeBounds},
};

use shared::BytesMut;

/// Longest string stored inline, in bytes: the size of the shared form, minus the pointer that distinguishes the two forms and one byte for
/// the length. 23 on 64-bit machines.
pub const SHORT_BYTES_MAX: usize = 3 * size_of::<usize>() - 1;

/// An immutable byte string.
///
/// ```
/// use lockstep_bytes::Bytes;
/// let key = Bytes::copy_from_slice(b"user:1000");
/// assert_eq!((key.slice(5..), key.len()), (Bytes::from("1000"), 9));
/// ```
#[derive(Clone)]
pub struct Bytes(Repr);

#[derive(Clone)]
enum Repr {
    Short { len: u8, bytes: [u8; SHORT_BYTES_MAX] },
    Long(shared::Bytes),
}

impl Bytes {
    /// An empty string.
    pub const fn new() -> Bytes {
        Bytes(Repr::Short { len: 0, bytes: [0; SHORT_BYTES_MAX] })
    }

    /// A string known at compile time; always in the long form, which points to the static data.
    pub const fn from_static(bytes: &'static [u8]) -> Bytes {
        Bytes(Repr::Long(shared::Bytes::from_static(bytes)))
    }

    /// Copies `bytes`: inline up to [`SHORT_BYTES_MAX`] bytes, otherwise into a shared allocation.
    pub fn copy_from_slice(bytes: &[u8]) -> Bytes {
        Bytes::short(bytes).unwrap_or_else(|| Bytes(Repr::Long(shared::Bytes::copy_from_slice(bytes))))
    }

    fn short(bytes: &[u8]) -> Option<Bytes> {
        // Filled in place: the array is too long to be moved for no reason.
        let mut made = Bytes(Repr::Short { len: bytes.len() as u8, bytes: [0; SHORT_BYTES_MAX] });
        let Repr::Short { bytes: place, .. } = &mut made.0 else { return None };
        let whole = place.get_mut(..bytes.len())?;
        // Copying a front and a back that may overlap takes two instructions; copying a length known only at run time is a call.
        match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
            (Some(front), Some(back)) => {
                if let Some((middle, _)) = bytes.get(8..).and_then(<[u8]>::split_first_chunk::<8>) {
                    whole.get_mut(8..16)?.copy_from_slice(middle);
                }
                *whole.last_chunk_mut()? = *back;
                *whole.first_chunk_mut()? = *front;
            }
            _ => fewer_than_eight(bytes, whole)?,
        }
        Some(made)
    }

    /// Number of bytes.
    pub const fn len(&self) -> usize {
        match &self.0 {
            Repr::Short { len, .. } => *len as usize,
            Repr::Long(bytes) => bytes.len(),
        }
    }

    /// Is the length 0?
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn as_slice(&self) -> &[u8] {
        match &self.0 {
            Repr::Short { len, bytes } => bytes.get(..usize::from(*len)).unwrap_or_default(),
            Repr::Long(bytes) => bytes,
        }
    }

    /// A part of the bytes. A short part is a copy and keeps nothing else alive; a long part shares the allocation.
    ///
    /// # Panics
    /// If the range ends before it starts or after the last byte.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Bytes {
        let start = match range.start_bound() {
            Bound::Included(start) => *start,
            Bound::Excluded(start) => start.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(end) => end.saturating_add(1),
            Bound::Excluded(end) => *end,
            Bound::Unbounded => self.len(),
        };
        match &self.0 {
            Repr::Long(bytes) if end.saturating_sub(start) > SHORT_BYTES_MAX => {
                Bytes(Repr::Long(bytes.slice(start..end)))
            }
            #[expect(clippy::indexing_slicing, reason = "a wrong range is the caller's mistake, as in a slice")]
            _ => Bytes::copy_from_slice(&self.as_slice()[start..end]),
        }
    }

    /// Converts the bytes into a mutable buffer without copying a long string.
    ///
    /// # Errors
    /// Returns the bytes unchanged if their storage is shared.
    pub fn try_into_mut(self) -> Result<BytesMut, Bytes> {
        match self.0 {
            Repr::Short { .. } => Ok(BytesMut::from(self.as_slice())),
            Repr::Long(bytes) => bytes.try_into_mut().map_err(|bytes| Bytes(Repr::Long(bytes))),
        }
    }
}

/// Copies up to seven bytes.
fn fewer_than_eight(from: &[u8], to: &mut [u8]) -> Option<()> {
    if let (Some(front), Some(back)) = (from.first_chunk::<4>(), from.last_chunk::<4>()) {
        *to.last_chunk_mut()? = *back;
        *to.first_chunk_mut()? = *front;
    } else if let (Some(first), Some(middle), Some(last)) = (from.first(), from.get(from.len() / 2), from.last()) {
        // At most three bytes: of two bytes the middle one is also the last, and a single byte is all three.
        *to.get_mut(from.len() / 2)? = *middle;
        *to.last_mut()? = *last;
        *to.first_mut()? = *first;
    }
    Some(())
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Borrow<[u8]> for Bytes {
    fn borrow(&self) -> &[u8] {
        self
    }
}

impl Default for Bytes {
    fn default() -> Bytes {
        Bytes::new()
    }
}

// Byte strings are compared, hashed and shown by content, in either form.

impl<T: AsRef<[u8]> + ?Sized> PartialEq<T> for Bytes {
    fn eq(&self, other: &T) -> bool {
        self.as_slice() == other.as_ref()
    }
}

impl PartialEq<Bytes> for [u8] {
    fn eq(&self, other: &Bytes) -> bool {
        self == other.as_slice()
    }
}

impl PartialEq<Bytes> for &[u8] {
    fn eq(&self, other: &Bytes) -> bool {
        *self == other.as_slice()
    }
}

impl PartialEq<Bytes> for str {
    fn eq(&self, other: &Bytes) -> bool {
        self.as_bytes() == other.as_slice()
    }
}

impl PartialEq<Bytes> for &str {
    fn eq(&self, other: &Bytes) -> bool {
        self.as_bytes() == other.as_slice()
    }
}

impl PartialEq<Bytes> for Vec<u8> {
    fn eq(&self, other: &Bytes) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Bytes {}

impl PartialOrd for Bytes {
    fn partial_cmp(&self, other: &Bytes) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialOrd<Bytes> for [u8] {
    fn partial_cmp(&self, other: &Bytes) -> Option<Ordering> {
        self.partial_cmp(other.as_slice())
    }
}

impl Ord for Bytes {
    fn cmp(&self, other: &Bytes) -> Ordering {
        self.as_slice().cmp(other.as_slice())
    }
}

impl Hash for Bytes {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.escape_ascii())
    }
}

impl From<shared::Bytes> for Bytes {
    fn from(bytes: shared::Bytes) -> Bytes {
        Bytes::short(&bytes).unwrap_or(Bytes(Repr::Long(bytes)))
    }
}

impl From<BytesMut> for Bytes {
    fn from(bytes: BytesMut) -> Bytes {
        bytes.freeze().into()
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        Bytes::short(&bytes).unwrap_or_else(|| Bytes(Repr::Long(bytes.into())))
    }
}

impl From<String> for Bytes {
    fn from(text: String) -> Bytes {
        text.into_bytes().into()
    }
}

impl From<&'static [u8]> for Bytes {
    fn from(bytes: &'static [u8]) -> Bytes {
        Bytes::from_static(bytes)
    }
}

impl From<&'static str> for Bytes {
    fn from(text: &'static str) -> Bytes {
        Bytes::from_static(text.as_bytes())
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Bytes {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Bytes {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Bytes, D::Error> {
        shared::Bytes::deserialize(from).map(Bytes::from)
    }
}

impl FromIterator<u8> for Bytes {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Bytes {
        bytes.into_iter().collect::<Vec<u8>>().into()
    }
}

impl<'a> IntoIterator for &'a Bytes {
    type Item = &'a u8;
    type IntoIter = std::slice::Iter<'a, u8>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

    #[test]
    fn short_and_long_form_have_the_same_size() {
        assert_eq!(size_of::<Bytes>(), size_of::<shared::Bytes>());
    }

    proptest! {
        #[test]
        fn behaves_as_a_vector_in_both_forms(
            bytes in prop::collection::vec(any::<u8>(), 0..60), other in prop::collection::vec(any::<u8>(), 0..60),
            cut in any::<(prop::sample::Index, prop::sample::Index)>(),
        ) {
            let hasher = BuildHasherDefault::<DefaultHasher>::default();
            let copied = Bytes::copy_from_slice(&bytes);
            // The long form of a short string, as text known at compile time has.
            let long = Bytes(Repr::Long(shared::Bytes::copy_from_slice(&bytes)));
            let (a, b) = (cut.0.index(bytes.len() + 1), cut.1.index(bytes.len() + 1));
            let (start, end) = (a.min(b), a.max(b));
            let another = Bytes::from(other.clone());
            for made in [copied.clone(), long.clone(), Bytes::from(bytes.clone()), bytes.iter().copied().collect()] {
                prop_assert_eq!(&made, &bytes);
                prop_assert_eq!((made.len(), made.is_empty()), (bytes.len(), bytes.is_empty()));
                prop_assert_eq!(made.cmp(&another), bytes.cmp(&other));
                prop_assert_eq!(made == another, bytes == other);
                prop_assert_eq!(hasher.hash_one(&made), hasher.hash_one(&bytes));
                prop_assert_eq!(format!("{made:?}"), format!("{:?}", &copied));
                prop_assert_eq!(made.slice(start..end), &bytes[start..end]);
                let mut changed = made.try_into_mut().unwrap_or_else(|held| BytesMut::from(&held[..]));
                changed.extend_from_slice(b"!");
                prop_assert_eq!(Bytes::from(changed), [&bytes[..], b"!"].concat());
            }
            prop_assert_eq!((copied, long), (Bytes::from(bytes.clone()), Bytes::from(bytes)));
        }
    }

    #[test]
    fn long_strings_are_shared_and_become_mutable_only_without_other_clones() {
        let long = Bytes::from(vec![b'x'; 100]);
        let clone = long.clone();
        assert_eq!(long.as_ptr(), clone.as_ptr());
        assert_eq!(long.slice(10..90).as_ptr(), long.get(10..).unwrap_or_default().as_ptr());
        assert!(long.try_into_mut().is_err(), "the clone holds them too");
        assert!(clone.try_into_mut().is_ok());
    }
}
