//! `Elements`: the elements of a list from head to tail, packed into chunks.
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Bound, Range, RangeBounds};

use bytes::Bytes;

use super::chunk::{CHUNK_MAX, Chunk, Element, Part, Side};
use super::deque::Deque;

/// A persistent sequence of byte strings. Access at its ends is O(1); elsewhere it walks over chunks from the nearer end.
#[derive(Clone)]
pub(super) struct Elements {
    chunks: Deque<Chunk>,
    len: usize,
}

/// Position of an element: its chunk, and the number of elements before it in that chunk.
#[derive(Clone, Copy)]
struct ElementPosition {
    chunk: usize,
    offset: usize,
}

impl Elements {
    pub(super) const fn new() -> Self {
        Self { chunks: Deque::new(), len: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    fn place(&self, index: usize) -> Option<ElementPosition> {
        if index >= self.len {
            return None;
        }
        if index < self.len / 2 {
            let mut offset = index;
            for (chunk, count) in self.chunks.iter().map(Chunk::count).enumerate() {
                if offset < count {
                    return Some(ElementPosition { chunk, offset });
                }
                offset -= count;
            }
            return None;
        }
        let (mut chunk, mut start) = (self.chunks.len(), self.len);
        for count in self.chunks.iter().rev().map(Chunk::count) {
            (chunk, start) = (chunk - 1, start - count);
            if index >= start {
                return Some(ElementPosition { chunk, offset: index - start });
            }
        }
        None
    }

    pub(super) fn get(&self, index: usize) -> Option<Element<'_>> {
        let ElementPosition { chunk, offset } = self.place(index)?;
        self.chunks.nth(chunk)?.nth(offset)
    }

    /// The elements with the indices `range`, clamped to those that exist.
    pub(super) fn range(&self, range: impl RangeBounds<usize>) -> Iter<'_> {
        let start = match range.start_bound() {
            Bound::Included(start) => *start,
            Bound::Excluded(start) => start.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(end) => end.saturating_add(1).min(self.len),
            Bound::Excluded(end) => (*end).min(self.len),
            Bound::Unbounded => self.len,
        };
        let none = Iter {
            chunks: &self.chunks,
            next: 0..0,
            front: Part::default(),
            back: Part::default(),
            surplus: 0,
            left: 0,
        };
        let (Some(first), Some(last)) = (self.place(start), end.checked_sub(1).and_then(|at| self.place(at))) else {
            return none;
        };
        let (Some(chunk), Some(last_chunk), true) =
            (self.chunks.nth(first.chunk), self.chunks.nth(last.chunk), start < end)
        else {
            return none;
        };
        let mut front = chunk.elements();
        for _ in 0..first.offset {
            front.next();
        }
        let is_one = first.chunk == last.chunk;
        Iter {
            next: first.chunk + 1..last.chunk.max(first.chunk + 1),
            front,
            back: if is_one { Part::default() } else { last_chunk.elements() },
            surplus: last_chunk.count() - last.offset - 1,
            left: end - start,
            ..none
        }
    }

    pub(super) fn push(&mut self, element: &Bytes, side: Side) {
        let end = if side == Side::Front { self.chunks.first_mut() } else { self.chunks.last_mut() };
        let element = Element::from(element);
        if !end.is_some_and(|chunk| chunk.push(element, side)) {
            let chunk = Chunk::new(element, side, self.len * element.len() > CHUNK_MAX / 2);
            match side {
                Side::Front => self.chunks.push_front(chunk),
                Side::Back => self.chunks.push_back(chunk),
            }
        }
        self.len += 1;
    }

    pub(super) fn pop(&mut self, side: Side) -> Option<Bytes> {
        let end = if side == Side::Front { self.chunks.first_mut() } else { self.chunks.last_mut() }?;
        self.len -= 1;
        if end.count() > 1 {
            return end.pop(side);
        }
        let chunk = if side == Side::Front { self.chunks.pop_front() } else { self.chunks.pop_back() }?;
        chunk.nth(0).map(Element::to_bytes)
    }

    /// Inserts an element before the one at `index`; returns whether that one exists.
    pub(super) fn insert(&mut self, index: usize, element: &Bytes) -> bool {
        self.splice(index, 0, Some(element)).is_some()
    }

    /// Replaces the element at an index; returns the previous one, if it exists.
    pub(super) fn set(&mut self, index: usize, element: &Bytes) -> Option<Bytes> {
        self.splice(index, 1, Some(element))?
    }

    /// Removes the element at an index.
    pub(super) fn remove(&mut self, index: usize) -> Option<Bytes> {
        self.splice(index, 1, None)?
    }

    /// Replaces `gone` elements (none or one) at `index` by `element`, if given; returns the removed one.
    fn splice(&mut self, index: usize, gone: usize, element: Option<&Bytes>) -> Option<Option<Bytes>> {
        let ElementPosition { chunk: at, offset } = self.place(index)?;
        let (left, rest) = self.chunks.remove_at(at)?.cut(offset);
        let (taken, right) = rest.cut(gone);
        let new = element.map(|element| Chunk::new(element.into(), Side::Back, false));
        self.len = self.len + usize::from(new.is_some()) - gone;
        let pieces = [Some(left), new, Some(right)].into_iter().flatten().filter(|piece| piece.count() > 0);
        let mut end = at;
        for piece in pieces {
            self.chunks.insert_at(end, piece);
            end += 1;
        }
        for right in (at.max(1)..=end).rev() {
            self.join(right - 1, right);
        }
        Some(taken.nth(0).map(Element::to_bytes))
    }

    /// Merges two neighbouring chunks if they fit into one.
    fn join(&mut self, left: usize, right: usize) {
        let (Some(first), Some(second)) = (self.chunks.nth(left), self.chunks.nth(right)) else { return };
        let Some(joined) = first.joined(second) else { return };
        self.chunks.remove_at(right);
        if let Some(place) = self.chunks.nth_mut(left) {
            *place = joined;
        }
    }

    /// Verifies the stored counts, and that no chunk is empty.
    pub(super) fn check(&self) -> Result<(), String> {
        let mut counted = 0;
        for (at, chunk) in self.chunks.iter().enumerate() {
            let (forth, back) = (chunk.elements().count(), chunk.elements().rev().count());
            if chunk.count() == 0 || (forth, back) != (chunk.count(), chunk.count()) {
                return Err(format!("chunk {at}: {} elements noted, {forth} and {back} counted", chunk.count()));
            }
            counted += forth;
        }
        if counted == self.len { Ok(()) } else { Err(format!("{} elements noted, {counted} counted", self.len)) }
    }

    /// Keeps only the elements `start..end`, at least one of them. Copies nothing.
    pub(super) fn keep_range(&mut self, start: usize, end: usize) {
        let (Some(first), Some(last)) = (self.place(start), self.place(end - 1)) else { return };
        self.chunks.keep_range(first.chunk, last.chunk + 1);
        // Cut at the end first, so that the indices in front stay valid.
        if let Some(chunk) = self.chunks.last_mut() {
            *chunk = chunk.cut(last.offset + 1).0;
        }
        if let Some(chunk) = self.chunks.first_mut() {
            *chunk = chunk.cut(first.offset).1;
        }
        self.len = end - start;
    }
}

impl FromIterator<Bytes> for Elements {
    fn from_iter<I: IntoIterator<Item = Bytes>>(elements: I) -> Self {
        let mut all = Self::new();
        elements.into_iter().for_each(|element| all.push(&element, Side::Back));
        all
    }
}

impl PartialEq for Elements {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.range(..).eq(other.range(..))
    }
}

impl Eq for Elements {}

impl Hash for Elements {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len.hash(state);
        self.range(..).for_each(|element| element.hash(state));
    }
}

impl fmt::Debug for Elements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.range(..).map(Element::to_bytes)).finish()
    }
}

/// Double-ended iterator over elements of a list.
#[derive(Clone)]
pub struct Iter<'a> {
    chunks: &'a Deque<Chunk>,
    /// The chunks between the two chunks being read.
    next: Range<usize>,
    front: Part<'a>,
    back: Part<'a>,
    /// Elements after the last one in its chunk, to skip before the first step from the back.
    surplus: usize,
    left: usize,
}

impl<'a> Iterator for Iter<'a> {
    type Item = Element<'a>;

    fn next(&mut self) -> Option<Element<'a>> {
        self.left = self.left.checked_sub(1)?;
        loop {
            if let Some(element) = self.front.next() {
                return Some(element);
            }
            self.front = match self.next.next() {
                Some(at) => self.chunks.nth(at)?.elements(),
                None if self.back.is_empty() => return None,
                None => std::mem::take(&mut self.back),
            };
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }

    /// Works chunk by chunk, so that no check for the end of a chunk is needed before each element.
    fn fold<B, F: FnMut(B, Element<'a>) -> B>(mut self, start: B, mut step: F) -> B {
        let mut sum = start;
        while let Some(first) = self.next() {
            sum = step(sum, first);
            for element in self.front.by_ref().take(self.left) {
                sum = step(sum, element);
                self.left -= 1;
            }
        }
        sum
    }
}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        loop {
            let part = if self.back.is_empty() && self.next.is_empty() { &mut self.front } else { &mut self.back };
            for _ in 0..std::mem::take(&mut self.surplus) {
                part.next_back();
            }
            if let Some(element) = part.next_back() {
                return Some(element);
            }
            self.back = self.chunks.nth(self.next.next_back()?)?.elements();
        }
    }
}

impl ExactSizeIterator for Iter<'_> {}
