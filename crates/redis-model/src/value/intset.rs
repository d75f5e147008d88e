//! `IntSet`: a sorted set of integers as Redis stores a small set of numbers: all members have the width of the widest one so far.
use crate::value::tree::{self, Tree};

/// Bytes in front of an intset's members: width and length.
const HEADER_BYTES: usize = 8;

/// A sorted set of integers. Clones cost O(1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct IntSet {
    members: Tree<i64, ()>,
    wide: Width,
}

/// Bytes per member. It grows when a member needs more, and never shrinks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Width {
    /// 16 bits.
    #[default]
    Two = 2,
    /// 32 bits.
    Four = 4,
    /// 64 bits.
    Eight = 8,
}

impl Width {
    /// The width that `member` needs.
    pub fn of(member: i64) -> Self {
        if i16::try_from(member).is_ok() {
            Self::Two
        } else if i32::try_from(member).is_ok() {
            Self::Four
        } else {
            Self::Eight
        }
    }

    /// Bytes per member.
    pub fn bytes(self) -> usize {
        self as usize
    }
}

impl IntSet {
    /// Number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The width of every member.
    pub fn width(&self) -> Width {
        self.wide
    }

    /// Adds a member, widening the set if needed; returns whether it is new.
    pub fn insert(&mut self, member: i64) -> bool {
        self.wide = self.wide.max(Width::of(member));
        self.members.insert(member, ()).is_none()
    }

    /// Removes a member; returns whether it was present.
    pub fn remove(&mut self, member: i64) -> bool {
        self.members.remove(&member).is_some()
    }

    /// Removes the member at an index in order.
    pub fn remove_nth(&mut self, index: usize) -> Option<i64> {
        self.members.remove_at(index).map(|(member, ())| member)
    }

    /// Whether it contains `member`.
    pub fn contains(&self, member: i64) -> bool {
        self.members.contains(&member)
    }

    /// The member at an index in order.
    pub fn nth(&self, index: usize) -> Option<i64> {
        self.members.nth(index).map(|(member, ())| *member)
    }

    /// The members in ascending order.
    pub fn iter(&self) -> Iter<'_> {
        Iter(self.members.iter())
    }

    /// Bytes of the intset itself, header and members.
    pub fn bytes(&self) -> usize {
        HEADER_BYTES + self.len() * self.wide.bytes()
    }
}

/// The members of an intset in ascending order.
#[derive(Clone)]
pub struct Iter<'a>(tree::Iter<'a, i64, ()>);

impl Iterator for Iter<'_> {
    type Item = i64;

    fn next(&mut self) -> Option<i64> {
        self.0.next().map(|(member, ())| *member)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<i64> {
        self.0.next_back().map(|(member, ())| *member)
    }
}

impl ExactSizeIterator for Iter<'_> {}
