//! `Raw`: the bytes of a string that Redis stores in an allocation of its own and changes in place.
//!
//! ```text
//!  short, or never changed   Flat     one contiguous buffer, shared with the reply or argument it came from
//!  changed past 64 KB        Pieces   [ 16 KB │ 16 KB │ … │ rest ]   each shared between clones
//! ```
//!
//! A bitmap of 100 million users takes 12.5 MB. In one buffer, every `SETBIT` after a keyframe would copy all of it,
//! and every keyframe would hold its own copy. With pieces, a change copies one piece and the list of pieces. All pieces
//! that were never anything but zeros share one buffer.
use std::{
    fmt,
    hash::{Hash, Hasher},
    ops::Range,
    rc::Rc,
};

use bytes::{Bytes, BytesMut};

use crate::value::memory;

/// Length of every piece but the last, in bytes.
pub const PIECE_BYTES: usize = 16 * 1024;

/// A longer flat buffer is split into pieces when it is changed.
const FLAT_BYTES_MAX: usize = 4 * PIECE_BYTES;

/// Bytes that can be changed in place. Clones share them; equality and hash cover the bytes, not how they are stored.
#[derive(Clone)]
pub struct Raw {
    repr: Repr,
    /// Capacity of Redis' allocation in bytes, once the string has grown; 0: as created, without spare capacity.
    room: usize,
}

#[derive(Clone)]
enum Repr {
    Flat(Bytes),
    /// Every piece but the last has [`PIECE_BYTES`] bytes, the last has at least one.
    Pieces(Rc<Vec<Rc<Vec<u8>>>>),
}

impl Raw {
    fn of(repr: Repr) -> Raw {
        Raw { repr, room: 0 }
    }

    /// Bytes that Redis would allocate, spare capacity included.
    pub fn memory(&self) -> usize {
        memory::sds(self.room.max(self.len()))
    }

    /// Redis allocates twice the length (or a megabyte more) when a string grows past its capacity; a new empty string that is about
    /// to be filled gets only what it needs.
    fn make_room(&mut self, len: usize) {
        let room = if self.room > 0 { self.room } else { memory::sds_room(self.len()) };
        if len > room && !self.is_empty() {
            self.room = memory::sds_room_ahead(len);
        }
    }

    /// Length in bytes. O(1).
    pub fn len(&self) -> usize {
        match &self.repr {
            Repr::Flat(bytes) => bytes.len(),
            Repr::Pieces(pieces) => {
                let whole = pieces.len().saturating_sub(1).saturating_mul(PIECE_BYTES);
                whole.saturating_add(pieces.last().map_or(0, |last| last.len()))
            }
        }
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes as one buffer: shared if they are flat, else copied together.
    pub fn to_bytes(&self) -> Bytes {
        self.slice(0..self.len())
    }

    /// A part of the bytes as one buffer; the range is clamped to the bytes.
    pub fn slice(&self, range: Range<usize>) -> Bytes {
        let end = range.end.min(self.len());
        let start = range.start.min(end);
        match &self.repr {
            Repr::Flat(bytes) => bytes.slice(start..end),
            Repr::Pieces(_) => {
                let mut run = BytesMut::with_capacity(end.saturating_sub(start));
                for part in parts(|nth| self.piece(nth), start..end) {
                    run.extend_from_slice(part);
                }
                run.into()
            }
        }
    }

    /// The `nth` piece of [`PIECE_BYTES`] bytes: shorter at the end, empty past it.
    pub fn piece(&self, nth: usize) -> &[u8] {
        match &self.repr {
            Repr::Flat(bytes) => bytes.chunks(PIECE_BYTES).nth(nth).unwrap_or_default(),
            Repr::Pieces(pieces) => pieces.get(nth).map_or(&[], |piece| piece.as_slice()),
        }
    }

    /// Appends bytes. Amortised O(added) while the bytes are not shared.
    pub fn append(&mut self, tail: &[u8]) {
        self.set_range(self.len(), tail);
    }

    /// Overwrites from `offset` on, filling a gap with zero bytes. The caller has checked `offset`.
    pub fn set_range(&mut self, offset: usize, patch: &[u8]) {
        let end = offset.saturating_add(patch.len());
        self.grow(end);
        if end > FLAT_BYTES_MAX {
            self.cut();
        }
        match &mut self.repr {
            Repr::Flat(bytes) => edit(bytes, |bytes| {
                if let Some(place) = bytes.get_mut(offset..end) {
                    place.copy_from_slice(patch);
                }
            }),
            Repr::Pieces(pieces) => overwrite(Rc::make_mut(pieces).as_mut_slice(), offset, patch),
        }
    }

    /// Appends zero bytes up to the length `len_min`, which the caller has checked.
    pub fn grow(&mut self, len_min: usize) {
        if len_min <= self.len() {
            return;
        }
        self.make_room(len_min);
        if len_min > FLAT_BYTES_MAX {
            self.cut();
        }
        match &mut self.repr {
            Repr::Flat(bytes) => edit(bytes, |bytes| bytes.resize(len_min, 0)),
            Repr::Pieces(pieces) => extend(Rc::make_mut(pieces), len_min),
        }
    }

    /// Calls `change` with the bytes as one buffer: for insertions and removals inside, which are short.
    pub fn edit_flat<T>(&mut self, change: impl FnOnce(&mut BytesMut) -> T) -> T {
        let mut bytes = match std::mem::replace(&mut self.repr, Repr::Flat(Bytes::new())) {
            Repr::Flat(bytes) => bytes,
            pieces @ Repr::Pieces(_) => Raw::of(pieces).to_bytes(),
        };
        let before = self.room.max(bytes.len());
        let outcome = edit(&mut bytes, change);
        if bytes.len() > before {
            self.room = memory::sds_room_ahead(bytes.len());
        }
        self.repr = Repr::Flat(bytes);
        outcome
    }

    /// Verifies that pieces are full and the last one is not empty.
    ///
    /// # Errors
    /// A description of the first mismatch.
    pub(super) fn check(&self) -> Result<(), String> {
        let Repr::Pieces(pieces) = &self.repr else { return Ok(()) };
        let last = pieces.len().saturating_sub(1);
        let is_right = |(nth, piece): (usize, &Rc<Vec<u8>>)| match piece.len() {
            PIECE_BYTES => true,
            len => nth == last && (1..PIECE_BYTES).contains(&len),
        };
        match pieces.iter().enumerate().position(|piece| !is_right(piece)) {
            Some(nth) => Err(format!("piece {nth} of {} has the wrong length", pieces.len())),
            None => Ok(()),
        }
    }

    /// Splits a flat buffer into pieces.
    fn cut(&mut self) {
        if let Repr::Flat(bytes) = &self.repr {
            let pieces = bytes.chunks(PIECE_BYTES).map(|piece| Rc::new(piece.to_vec())).collect();
            self.repr = Repr::Pieces(Rc::new(pieces));
        }
    }
}

/// Changes a flat buffer: in place if it is not shared.
fn edit<T>(bytes: &mut Bytes, change: impl FnOnce(&mut BytesMut) -> T) -> T {
    let mut run = std::mem::take(bytes).try_into_mut().unwrap_or_else(|shared| BytesMut::from(&shared[..]));
    let outcome = change(&mut run);
    *bytes = run.into();
    outcome
}

/// Appends zero bytes to pieces up to `len`, which must be more than their length.
fn extend(pieces: &mut Vec<Rc<Vec<u8>>>, len: usize) {
    let (whole, rest) = (len / PIECE_BYTES, len % PIECE_BYTES);
    // The piece that was the last one becomes full, unless it is still the last one.
    if let Some(last) = pieces.len().checked_sub(1)
        && let Some(piece) = pieces.get_mut(last)
    {
        let full = if last < whole { PIECE_BYTES } else { rest };
        if piece.len() < full {
            Rc::make_mut(piece).resize(full, 0);
        }
    }
    if pieces.len() < whole {
        pieces.resize(whole, Rc::new(vec![0; PIECE_BYTES]));
    }
    if pieces.len() == whole && rest > 0 {
        pieces.push(Rc::new(vec![0; rest]));
    }
}

/// Overwrites bytes of pieces, which must reach the end of the patch.
fn overwrite(pieces: &mut [Rc<Vec<u8>>], offset: usize, patch: &[u8]) {
    let (mut at, mut patch) = (offset, patch);
    while !patch.is_empty() {
        let Some(piece) = pieces.get_mut(at / PIECE_BYTES) else { return };
        let inside = at % PIECE_BYTES;
        let fits = patch.len().min(PIECE_BYTES - inside);
        let (now, later) = patch.split_at(fits);
        if let Some(place) = Rc::make_mut(piece).get_mut(inside..inside + fits) {
            place.copy_from_slice(now);
        }
        (at, patch) = (at.saturating_add(fits), later);
    }
}

/// The bytes of a range in order, piece by piece.
pub(super) fn parts<'a>(piece: impl Fn(usize) -> &'a [u8], range: Range<usize>) -> impl Iterator<Item = &'a [u8]> {
    let first = range.start / PIECE_BYTES;
    let behind = if range.is_empty() { first } else { range.end.div_ceil(PIECE_BYTES) };
    (first..behind).map(move |nth| {
        let starts_at = nth.saturating_mul(PIECE_BYTES);
        let piece = piece(nth);
        let end = range.end.saturating_sub(starts_at).min(piece.len());
        let start = range.start.saturating_sub(starts_at).min(end);
        piece.get(start..end).unwrap_or_default()
    })
}

impl From<Bytes> for Raw {
    fn from(bytes: Bytes) -> Raw {
        Raw::of(Repr::Flat(bytes))
    }
}

/// Concatenates pieces; all but the last have [`PIECE_BYTES`] bytes.
impl FromIterator<Vec<u8>> for Raw {
    fn from_iter<I: IntoIterator<Item = Vec<u8>>>(pieces: I) -> Raw {
        let mut pieces = pieces.into_iter().filter(|piece| !piece.is_empty());
        let Some(first) = pieces.next() else { return Raw::from(Bytes::new()) };
        let mut all = vec![Rc::new(first)];
        all.extend(pieces.map(Rc::new));
        let raw = Raw::of(Repr::Pieces(Rc::new(all)));
        if raw.len() > FLAT_BYTES_MAX { raw } else { Raw::from(raw.to_bytes()) }
    }
}

impl fmt::Debug for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_bytes().fmt(f)
    }
}

impl PartialEq for Raw {
    fn eq(&self, other: &Raw) -> bool {
        if let (Repr::Pieces(a), Repr::Pieces(b)) = (&self.repr, &other.repr) {
            // Shared pieces are equal without comparing bytes.
            return a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| Rc::ptr_eq(a, b) || a == b);
        }
        let count = self.len().div_ceil(PIECE_BYTES);
        self.len() == other.len() && (0..count).all(|nth| self.piece(nth) == other.piece(nth))
    }
}

impl Eq for Raw {}

impl Hash for Raw {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        for nth in 0..self.len().div_ceil(PIECE_BYTES) {
            state.write(self.piece(nth));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::hash::DefaultHasher;

    fn hash_of(raw: &Raw) -> u64 {
        let mut hasher = DefaultHasher::new();
        raw.hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn far_zeros_take_almost_no_memory() {
        let mut raw = Raw::from(Bytes::from_static(b"x"));
        raw.set_range(536_870_911, &[1]);
        assert_eq!(raw.len(), 536_870_912);
        let Repr::Pieces(pieces) = &raw.repr else { panic!("one run of 512 MB") };
        assert!(Rc::ptr_eq(&pieces[1], &pieces[30_000]));
        assert_eq!(raw.slice(0..3).as_ref(), b"x\0\0");
        assert_eq!(raw.slice(536_870_910..600_000_000).as_ref(), b"\0\x01");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn behaves_as_a_vector_across_the_limits_and_clones_never_change(
            start in 0usize..3 * FLAT_BYTES_MAX / 2,
            edits in prop::collection::vec((0usize..2 * FLAT_BYTES_MAX, 0usize..2 * PIECE_BYTES, any::<u8>(), 0u8..4), 1..12),
            cut in (0usize..FLAT_BYTES_MAX, 0usize..FLAT_BYTES_MAX),
        ) {
            let mut model = vec![7; start];
            let mut raw = Raw::from(Bytes::from(model.clone()));
            let mut earlier = vec![(raw.clone(), model.clone())];
            for (offset, len, fill, kind) in edits {
                let patch = vec![fill; len];
                match kind {
                    0 => { raw.append(&patch); model.extend(&patch); }
                    1 => {
                        raw.set_range(offset, &patch);
                        model.resize(model.len().max(offset + len), 0);
                        model[offset..offset + len].copy_from_slice(&patch);
                    }
                    2 => { raw.grow(offset); model.resize(model.len().max(offset), 0); }
                    _ => { raw.edit_flat(|bytes| bytes.truncate(offset)); model.truncate(offset); }
                }
                prop_assert_eq!(raw.len(), model.len());
                prop_assert_eq!(raw.check(), Ok(()));
                earlier.push((raw.clone(), model.clone()));
            }
            for (raw, model) in earlier {
                let flat = Raw::from(Bytes::from(model.clone()));
                prop_assert!(raw == flat);
                prop_assert_eq!(hash_of(&raw), hash_of(&flat));
                prop_assert!(raw.to_bytes() == model);
                let end = (cut.0 + cut.1).min(model.len());
                prop_assert!(raw.slice(cut.0..cut.0 + cut.1) == model[cut.0.min(end)..end]);
                let pieces: Raw = model.chunks(PIECE_BYTES).map(<[u8]>::to_vec).collect();
                prop_assert!(pieces == raw);
            }
        }
    }
}
