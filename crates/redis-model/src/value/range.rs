//! Ranges of a sorted set as commands write them: by score (`1`, `(1`, `-inf`), and by member (`[a`, `(b`, `-`, `+`).
use crate::value::number;
use bytes::Bytes;
use std::ops::Bound;

/// A range of scores. Scores are never NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreRange {
    /// Lowest score.
    pub min: Bound<f64>,
    /// Highest score.
    pub max: Bound<f64>,
}

impl ScoreRange {
    /// Parses both bounds as `ZRANGEBYSCORE` does; `None` if either is not a number.
    pub fn parse(min: &[u8], max: &[u8]) -> Option<Self> {
        Some(Self { min: score_bound(min)?, max: score_bound(max)? })
    }

    /// Whether `score` lies before the range.
    pub(super) fn is_above(&self, score: f64) -> bool {
        match self.min {
            Bound::Included(min) => score < min,
            Bound::Excluded(min) => score <= min,
            Bound::Unbounded => false,
        }
    }

    /// Whether `score` does not lie after the range.
    pub(super) fn reaches(&self, score: f64) -> bool {
        match self.max {
            Bound::Included(max) => score <= max,
            Bound::Excluded(max) => score < max,
            Bound::Unbounded => true,
        }
    }
}

/// Parses a bound by score: a number, exclusive after `(`. As in Redis, an empty text is 0.
pub fn score_bound(text: &[u8]) -> Option<Bound<f64>> {
    match text {
        [b'(', rest @ ..] => number::parse_double_loosely(rest).map(Bound::Excluded),
        rest => number::parse_double_loosely(rest).map(Bound::Included),
    }
}

/// One end of a range of members.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LexBound {
    /// `-`: before all members.
    Lowest,
    /// `[member`.
    Included(Bytes),
    /// `(member`.
    Excluded(Bytes),
    /// `+`: after all members.
    Highest,
}

impl LexBound {
    /// Parses a bound by member; `None` if it is neither `-`, `+`, `[…` nor `(…`.
    pub fn parse(text: &Bytes) -> Option<Self> {
        match &text[..] {
            [b'-'] | [b'-', 0, ..] => Some(Self::Lowest),
            [b'+'] | [b'+', 0, ..] => Some(Self::Highest),
            [b'[', ..] => Some(Self::Included(text.slice(1..))),
            [b'(', ..] => Some(Self::Excluded(text.slice(1..))),
            _ => None,
        }
    }
}

/// A range of members of equal score.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LexRange {
    /// Lowest member.
    pub min: LexBound,
    /// Highest member.
    pub max: LexBound,
}

impl LexRange {
    /// Parses both bounds as `ZRANGEBYLEX` does; `None` if either is invalid.
    pub fn parse(min: &Bytes, max: &Bytes) -> Option<Self> {
        Some(Self { min: LexBound::parse(min)?, max: LexBound::parse(max)? })
    }

    /// Whether `member` lies before the range.
    pub(super) fn is_above(&self, member: &[u8]) -> bool {
        match &self.min {
            LexBound::Lowest => false,
            LexBound::Included(min) => member < min,
            LexBound::Excluded(min) => member <= min,
            LexBound::Highest => true,
        }
    }

    /// Whether `member` does not lie after the range.
    pub(super) fn reaches(&self, member: &[u8]) -> bool {
        match &self.max {
            LexBound::Lowest => false,
            LexBound::Included(max) => member <= max,
            LexBound::Excluded(max) => member < max,
            LexBound::Highest => true,
        }
    }

    /// Whether the bounds alone exclude every member.
    pub(super) fn is_empty(&self) -> bool {
        match (&self.min, &self.max) {
            (LexBound::Included(min), LexBound::Included(max)) => min > max,
            (LexBound::Included(min) | LexBound::Excluded(min), LexBound::Included(max) | LexBound::Excluded(max)) => {
                min >= max
            }
            (LexBound::Highest, _) | (_, LexBound::Lowest) => true,
            _ => false,
        }
    }
}
