//! `Chunk`: consecutive elements of a list, packed into one byte buffer.
//!
//! ```text
//!  room │ 3 a b c 3 │ 2 d e 2 │ 1 f 1 │ room         the length on both sides allows reading, pushing and popping at both ends
//! ```
//!
//! A long element has a chunk of its own and stays the byte string it came as: copying it would gain nothing.
use std::ops::Deref;
use std::rc::Rc;

use bytes::Bytes;

/// Longest element that is packed, in bytes: the largest length that fits one byte.
const PACKED_MAX: usize = u8::MAX as usize;
/// Bytes that a packed element takes in addition to its own: the two lengths.
const FRAME_BYTES: usize = 2;
/// Maximum bytes of a chunk: a kilobyte with the allocator's header. Changing a chunk that a clone shares copies it.
pub(super) const CHUNK_MAX: usize = 1008;
/// Initial buffer size of the first chunk of a list, in bytes.
const CHUNK_FIRST: usize = 48;

/// An end of a chunk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Front,
    Back,
}

#[derive(Clone, Debug)]
pub(super) enum Chunk {
    /// `count` elements, in the bytes `start..end`.
    Packed { bytes: Rc<[u8]>, start: u16, end: u16, count: u16 },
    /// One long element.
    Alone(Bytes),
}

/// A borrowed element.
#[derive(Clone, Copy, Debug)]
pub struct Element<'a> {
    bytes: &'a [u8],
    alone: Option<&'a Bytes>,
}

impl Element<'_> {
    /// An owned copy; a long element is shared instead.
    pub fn to_bytes(self) -> Bytes {
        self.alone.cloned().unwrap_or_else(|| Bytes::copy_from_slice(self.bytes))
    }

    fn room(&self) -> usize {
        self.bytes.len() + FRAME_BYTES
    }
}

impl<'a> From<&'a Bytes> for Element<'a> {
    fn from(whole: &'a Bytes) -> Self {
        Self { bytes: whole, alone: (whole.len() > PACKED_MAX).then_some(whole) }
    }
}

impl Deref for Element<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.bytes
    }
}

impl<T: AsRef<[u8]> + ?Sized> PartialEq<T> for Element<'_> {
    fn eq(&self, other: &T) -> bool {
        self.bytes == other.as_ref()
    }
}

impl AsRef<[u8]> for Element<'_> {
    fn as_ref(&self) -> &[u8] {
        self.bytes
    }
}

/// The elements of a chunk, from both ends.
#[derive(Clone, Default)]
pub(super) struct Part<'a> {
    packed: &'a [u8],
    alone: Option<&'a Bytes>,
}

impl Part<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.packed.is_empty() && self.alone.is_none()
    }
}

impl<'a> Iterator for Part<'a> {
    type Item = Element<'a>;

    fn next(&mut self) -> Option<Element<'a>> {
        let Some((len, rest)) = self.packed.split_first() else { return self.alone.take().map(Element::from) };
        let (bytes, rest) = rest.split_at_checked(usize::from(*len))?;
        self.packed = rest.get(1..)?;
        Some(Element { bytes, alone: None })
    }
}

impl DoubleEndedIterator for Part<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let Some((len, rest)) = self.packed.split_last() else { return self.alone.take().map(Element::from) };
        let (rest, bytes) = rest.split_at_checked(rest.len().checked_sub(usize::from(*len))?)?;
        self.packed = rest.split_last()?.1;
        Some(Element { bytes, alone: None })
    }
}

fn blank(len: usize) -> Rc<[u8]> {
    std::iter::repeat_n(0, len).collect()
}

impl Chunk {
    /// A chunk with one element and free space at one side: much of it if the list is known to be long.
    pub(super) fn new(element: Element<'_>, room_at: Side, is_long: bool) -> Self {
        if let Some(alone) = element.alone {
            return Self::Alone(alone.clone());
        }
        let len = if is_long { CHUNK_MAX } else { CHUNK_FIRST.max(element.room()) };
        let at = if room_at == Side::Front { len as u16 } else { 0 };
        let mut chunk = Self::Packed { bytes: blank(len), start: at, end: at, count: 0 };
        chunk.push(element, room_at);
        chunk
    }

    /// Number of elements.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Packed { count, .. } => usize::from(*count),
            Self::Alone(_) => 1,
        }
    }

    pub(super) fn elements(&self) -> Part<'_> {
        match self {
            Self::Packed { bytes, start, end, .. } => {
                Part { packed: bytes.get(usize::from(*start)..usize::from(*end)).unwrap_or_default(), alone: None }
            }
            Self::Alone(bytes) => Part { packed: &[], alone: Some(bytes) },
        }
    }

    pub(super) fn nth(&self, at: usize) -> Option<Element<'_>> {
        let from_back = self.count().checked_sub(at + 1)?;
        if at <= from_back { self.elements().nth(at) } else { self.elements().nth_back(from_back) }
    }

    /// Adds an element at one side; false if it does not fit.
    pub(super) fn push(&mut self, element: Element<'_>, side: Side) -> bool {
        let Self::Packed { bytes, start, end, count } = self else { return false };
        if element.alone.is_some() {
            return false;
        }
        let room = element.room() as u16;
        let has_room = |start: u16, end: u16, len: usize| match side {
            Side::Front => start >= room,
            Side::Back => usize::from(end + room) <= len,
        };
        if !has_room(*start, *end, bytes.len()) && !make_room(bytes, start, end, room, side) {
            return false;
        }
        let at = if side == Side::Front { *start - room } else { *end };
        let place = Rc::make_mut(bytes).get_mut(usize::from(at)..usize::from(at + room));
        let Some([head, middle @ .., tail]) = place else { return false };
        *head = element.bytes.len() as u8;
        *tail = *head;
        middle.copy_from_slice(element.bytes);
        match side {
            Side::Front => *start = at,
            Side::Back => *end = at + room,
        }
        *count += 1;
        true
    }

    /// Removes the element at one end; there must be several. Clones that share the bytes keep them.
    pub(super) fn pop(&mut self, side: Side) -> Option<Bytes> {
        let mut elements = self.elements();
        let element = if side == Side::Front { elements.next() } else { elements.next_back() }?;
        let (room, taken) = (element.room() as u16, element.to_bytes());
        let Self::Packed { start, end, count, .. } = self else { return None };
        match side {
            Side::Front => *start += room,
            Side::Back => *end -= room,
        }
        *count -= 1;
        Some(taken)
    }

    /// Splits into the elements before `offset` and the rest; both share the bytes.
    pub(super) fn cut(&self, offset: usize) -> (Self, Self) {
        let none = Self::Packed { bytes: Rc::default(), start: 0, end: 0, count: 0 };
        let Self::Packed { bytes, start, end, count } = self else {
            return if offset == 0 { (none, self.clone()) } else { (self.clone(), none) };
        };
        let mut behind = self.elements();
        for _ in 0..offset {
            behind.next();
        }
        let (at, before) = (*end - behind.packed.len() as u16, (offset as u16).min(*count));
        let left = Self::Packed { bytes: Rc::clone(bytes), start: *start, end: at, count: before };
        (left, Self::Packed { bytes: Rc::clone(bytes), start: at, end: *end, count: *count - before })
    }

    /// Both merged into one chunk, if they fit.
    pub(super) fn joined(&self, next: &Self) -> Option<Self> {
        let (Self::Packed { count, .. }, Self::Packed { count: more, .. }) = (self, next) else { return None };
        let (left, right) = (self.elements().packed, next.elements().packed);
        let end = left.len() + right.len();
        let bytes = || Rc::from([left, right].concat());
        (end <= CHUNK_MAX).then(|| Self::Packed { bytes: bytes(), start: 0, end: end as u16, count: count + more })
    }
}

/// Makes free space at one side of the bytes `start..end`: moves them to the other side if that leaves enough for a while, otherwise
/// into a larger buffer. False if the chunk is full.
#[cold]
fn make_room(bytes: &mut Rc<[u8]>, start: &mut u16, end: &mut u16, room: u16, side: Side) -> bool {
    let (from, to) = (usize::from(*start), usize::from(*end));
    let used = to - from;
    let needed = used + usize::from(room);
    let len = if needed <= bytes.len() / 2 { bytes.len() } else { (bytes.len() * 2).max(needed).min(CHUNK_MAX) };
    if needed > len || (len == bytes.len() && needed > len / 2) {
        return false;
    }
    let at = if side == Side::Front { len - used } else { 0 };
    let mut moved = blank(len);
    if let (Some(target), Some(source)) =
        (Rc::get_mut(&mut moved).and_then(|moved| moved.get_mut(at..at + used)), bytes.get(from..to))
    {
        target.copy_from_slice(source);
    }
    (*bytes, *start, *end) = (moved, at as u16, (at + used) as u16);
    true
}
