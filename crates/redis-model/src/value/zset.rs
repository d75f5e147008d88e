//! `ZSet`: the value of type sorted set: a listpack in order of score while small, then a skip list and a hash table.
//!
//! Both encodings use the same two structures, since only their names, sizes and visualisations differ: members in order of (score,
//! member) in a counted tree, which finds ranks and counts in O(log n), and scores by member in a table.
use crate::sorting;
use crate::value::limits::Limits;
use crate::value::range::{LexRange, ScoreRange};
use crate::value::table::{self, Table};
use crate::value::tree::{self, Tree};
use crate::value::{listpack, memory};
use bytes::Bytes;
use std::ops::Range;

/// Maximum number of levels of a skip list (`ZSKIPLIST_MAXLEVEL`).
pub const LEVEL_MAX: usize = 32;

/// The exact bits of a score, so that scores can be compared for equality and hashed: `-0` stays `-0`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Score(u64);

impl Score {
    fn new(score: f64) -> Self {
        Self(score.to_bits())
    }

    fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl std::fmt::Debug for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.get().fmt(f)
    }
}

/// Sort key of a member: score, then member.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct ScorePosition {
    /// The score mapped to an integer with the same order; both zeros map to one.
    order: i64,
    member: Bytes,
}

/// Maps scores to integers in the same order. Doubles with greater bits are farther from zero, so negative ones are mirrored.
fn order(score: f64) -> i64 {
    let bits = (score + 0.0).to_bits().cast_signed();
    if bits < 0 { i64::MIN - bits } else { bits }
}

impl ScorePosition {
    fn new(score: f64, member: Bytes) -> Self {
        Self { order: order(score), member }
    }

    fn score(&self) -> f64 {
        let bits = if self.order < 0 { i64::MIN - self.order } else { self.order };
        f64::from_bits(bits.cast_unsigned())
    }
}

/// A sorted set. Clones cost O(1).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ZSet {
    ranked: Tree<ScorePosition, Score>,
    scores: Table<Score>,
    skiplist: bool,
    /// For a listpack: all its bytes. For a skip list: the bytes of members and nodes.
    bytes: usize,
}

impl Default for ZSet {
    fn default() -> Self {
        Self::new()
    }
}

fn pair_bytes(member: &[u8], score: f64) -> usize {
    listpack::entry_bytes(member) + listpack::score_bytes(score)
}

/// The score as the encoding stores it: a listpack stores a whole score as an integer, and there is no integer -0.
fn storable(score: f64, skiplist: bool) -> f64 {
    if skiplist { score } else { score + 0.0 }
}

fn member_payload(member: &[u8]) -> usize {
    memory::sds(member.len()) + memory::skiplist_node(level(member))
}

/// Number of levels of the member's node in the skip list: 1, and one more with probability 1/4 each time. Redis draws it at random;
/// here it is derived from the member, so that the visualisation never changes.
pub fn level(member: &[u8]) -> usize {
    // Uses other bits of the hash than the bucket.
    let zeros = table::hash(member).rotate_left(32).trailing_zeros() as usize;
    (1 + zeros / 2).min(LEVEL_MAX)
}

impl ZSet {
    /// An empty sorted set, stored as a listpack.
    pub fn new() -> Self {
        Self { ranked: Tree::new(), scores: Table::new(), skiplist: false, bytes: listpack::EMPTY_BYTES }
    }

    /// A stored result of a command, from members that the caller guarantees to be distinct. The encoding depends on all
    /// members together. O(n log n), faster than inserting one by one.
    pub fn from_members(members: impl IntoIterator<Item = (Bytes, f64)>, limits: &Limits) -> Self {
        let members: Vec<(Bytes, f64)> = members.into_iter().collect();
        let is_long = |(member, _): &(Bytes, f64)| member.len() > limits.zset_max_listpack_value;
        let skiplist = members.len() > limits.zset_max_listpack_entries || members.iter().any(is_long);
        let ranked = members.into_iter().map(|(member, score)| {
            let score = storable(score, skiplist);
            (ScorePosition::new(score, member), Score::new(score))
        });
        let mut ranked: Vec<(ScorePosition, Score)> = ranked.collect();
        sorting::sort_by(&mut ranked, |a, b| a.0.cmp(&b.0));
        let scores = Table::from_entries(ranked.iter().map(|(place, score)| (place.member.clone(), *score)));
        let mut zset = Self { ranked: Tree::from_sorted(ranked), scores, skiplist, ..Self::new() };
        let bytes = zset.iter().map(|(member, score)| zset.bytes_of(member, score)).sum();
        zset.bytes = if skiplist { bytes } else { listpack::EMPTY_BYTES + bytes };
        zset
    }

    /// Turns a listpack into a skip list.
    fn convert(&mut self) {
        self.skiplist = true;
        self.bytes = self.ranked.keys().map(|place| member_payload(&place.member)).sum();
    }

    /// The bytes that a member adds to `bytes`.
    fn bytes_of(&self, member: &[u8], score: f64) -> usize {
        if self.skiplist { member_payload(member) } else { pair_bytes(member, score) }
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.ranked.len()
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.ranked.is_empty()
    }

    /// The score of a member.
    pub fn score(&self, member: &[u8]) -> Option<f64> {
        self.scores.get(member).map(|score| score.get())
    }

    /// Whether it contains `member`.
    pub fn contains(&self, member: &[u8]) -> bool {
        self.scores.contains(member)
    }

    /// Sets a member's score, which must not be NaN; returns the previous score. A new member that is too long, or one too
    /// many, converts the sorted set to a skip list. O(log n).
    pub fn insert(&mut self, member: Bytes, score: f64, limits: &Limits) -> Option<f64> {
        debug_assert!(!score.is_nan(), "scores are checked where they are computed");
        if let Some(known) = self.scores.get_mut(&member) {
            let old = known.get();
            // In Redis -0 and 0 are equal, and an equal score is not written.
            if old != score {
                let new = storable(score, self.skiplist);
                *known = Score::new(new);
                self.ranked.remove(&ScorePosition::new(old, member.clone()));
                self.bytes -= self.bytes_of(&member, old);
                self.enter(member, new);
            }
            return Some(old);
        }
        if !self.skiplist {
            let too_many = self.len() >= limits.zset_max_listpack_entries;
            if too_many || member.len() > limits.zset_max_listpack_value {
                self.convert();
            }
        }
        let score = storable(score, self.skiplist);
        self.scores.insert(member.clone(), Score::new(score));
        self.enter(member, score);
        None
    }

    /// Inserts a member into `ranked` and adds its bytes; it must not be in there.
    fn enter(&mut self, member: Bytes, score: f64) {
        self.bytes += self.bytes_of(&member, score);
        self.ranked.insert(ScorePosition::new(score, member), Score::new(score));
    }

    /// Removes a member; returns its score. O(log n).
    pub fn remove(&mut self, member: &[u8]) -> Option<f64> {
        let (member, score) = self.scores.remove_entry(member)?;
        let score = score.get();
        self.bytes -= self.bytes_of(&member, score);
        self.ranked.remove(&ScorePosition::new(score, member));
        Some(score)
    }

    /// Removes the member at a rank, from 0 for the lowest. O(log n).
    pub fn remove_nth(&mut self, rank: usize) -> Option<(Bytes, f64)> {
        let (place, score) = self.ranked.remove_at(rank)?;
        let score = score.get();
        self.scores.remove(&place.member);
        self.bytes -= self.bytes_of(&place.member, score);
        Some((place.member, score))
    }

    /// Removes the members with these ranks (clamped to existing ones); returns how many. O(log n) per member.
    pub fn remove_range(&mut self, ranks: Range<usize>) -> usize {
        let end = ranks.end.min(self.len());
        let count = end.saturating_sub(ranks.start);
        for _ in 0..count {
            self.remove_nth(ranks.start);
        }
        count
    }

    /// Removes the member with the lowest score.
    pub fn pop_min(&mut self) -> Option<(Bytes, f64)> {
        self.remove_nth(0)
    }

    /// Removes the member with the highest score.
    pub fn pop_max(&mut self) -> Option<(Bytes, f64)> {
        self.remove_nth(self.len().checked_sub(1)?)
    }

    /// The rank of a member, from 0 for the lowest. O(log n).
    pub fn rank(&self, member: &[u8]) -> Option<usize> {
        let order = order(self.score(member)?);
        self.ranked.rank_by(|place| place.order.cmp(&order).then_with(|| place.member.as_ref().cmp(member))).ok()
    }

    /// The member at a rank, from 0 for the lowest: a uniform rank gives a uniformly random member. O(log n).
    pub fn nth(&self, rank: usize) -> Option<(&Bytes, f64)> {
        self.ranked.nth(rank).map(|(place, score)| (&place.member, score.get()))
    }

    /// Double-ended iterator over all members in order.
    pub fn iter(&self) -> Iter<'_> {
        Iter(self.ranked.iter())
    }

    /// Double-ended iterator over the members with these ranks (clamped to existing ones). Starting costs O(log n).
    pub fn range(&self, ranks: Range<usize>) -> Iter<'_> {
        Iter(self.ranked.range(ranks))
    }

    /// The members that are new or have another score since this set was `before`, from the lowest score. O(changes · log n), if this set
    /// grew out of `before`.
    pub fn changed_since<'a>(&'a self, before: &'a ZSet) -> impl Iterator<Item = &'a Bytes> {
        self.ranked.since(&before.ranked).filter(|entry| entry.now.is_some()).map(|entry| &entry.key.member)
    }

    /// The ranks of the members with scores in a range, as `ZCOUNT` counts them. O(log n).
    pub fn ranks_by_score(&self, range: &ScoreRange) -> Range<usize> {
        let start = self.ranked.lower_bound(|place| range.is_above(place.score()));
        let end = self.ranked.lower_bound(|place| range.reaches(place.score()));
        start..end.max(start)
    }

    /// The ranks of the members in a range by member, if all have the same score. O(log n).
    ///
    /// With different scores Redis leaves the result unspecified. It walks a listpack from the head: from the first member that is not
    /// before the range to the first one after it. The model returns the same.
    pub fn ranks_by_lex(&self, range: &LexRange) -> Range<usize> {
        if self.misses(range) {
            return 0..0;
        }
        if self.skiplist {
            let start = self.ranked.lower_bound(|place| range.is_above(&place.member));
            let end = self.ranked.lower_bound(|place| range.reaches(&place.member));
            return start..end.max(start);
        }
        let mut members = self.ranked.keys();
        let start = members.position(|place| !range.is_above(&place.member)).unwrap_or(self.len());
        let count = self.ranked.range(start..).take_while(|(place, _)| range.reaches(&place.member)).count();
        start..start + count
    }

    /// Like `ranks_by_lex`, but for a walk from the tail (`ZREVRANGEBYLEX`): the same unless scores differ.
    pub fn ranks_by_lex_from_tail(&self, range: &LexRange) -> Range<usize> {
        if self.skiplist || self.misses(range) {
            return self.ranks_by_lex(range);
        }
        let behind = self.ranked.keys().rev().take_while(|place| !range.reaches(&place.member)).count();
        let end = self.len() - behind;
        let count = self.ranked.range(..end).rev().take_while(|(place, _)| !range.is_above(&place.member)).count();
        end - count..end
    }

    /// The rest of `ranks_by_lex` (or `ranks_by_lex_from_tail`) after the first `skipped` members. If scores of a listpack
    /// differ, Redis skips members without checking them, and may then reach more members that are in the range.
    pub fn ranks_by_lex_behind(&self, range: &LexRange, skipped: usize, from_tail: bool) -> Range<usize> {
        let found = if from_tail { self.ranks_by_lex_from_tail(range) } else { self.ranks_by_lex(range) };
        if skipped == 0 || found.is_empty() {
            return found;
        }
        if from_tail {
            let end = found.end.saturating_sub(skipped);
            let walk = self.ranked.range(..end).rev().take_while(|(place, _)| !range.is_above(&place.member));
            let start = if self.skiplist { found.start.min(end) } else { end - walk.count() };
            return start..end;
        }
        let start = found.start.saturating_add(skipped).min(self.len());
        let walk = self.ranked.range(start..).take_while(|(place, _)| range.reaches(&place.member));
        let end = if self.skiplist { found.end.max(start) } else { start + walk.count() };
        start..end
    }

    /// Whether the range is empty, or lies before the first member or after the last.
    fn misses(&self, range: &LexRange) -> bool {
        range.is_empty()
            || self.ranked.last().is_none_or(|(place, _)| range.is_above(&place.member))
            || self.ranked.first().is_none_or(|(place, _)| !range.reaches(&place.member))
    }

    /// One step of `ZSCAN`: emits members and scores and returns the next cursor, 0 at the end. A listpack is emitted in one step.
    pub fn scan(&self, cursor: u64, mut emit: impl FnMut(&Bytes, f64)) -> u64 {
        if self.skiplist {
            return self.scores.scan(cursor, |member, score| emit(member, score.get()));
        }
        self.iter().for_each(|(member, score)| emit(member, score));
        0
    }

    /// The number of buckets of the hash table, if the encoding has one: for the visualisation.
    pub fn buckets(&self) -> Option<u64> {
        self.skiplist.then(|| self.scores.bucket_count())
    }

    /// Bytes of the listpack, if the encoding is one: for the visualisation.
    pub fn listpack_bytes(&self) -> Option<usize> {
        (!self.skiplist).then_some(self.bytes)
    }

    /// As `OBJECT ENCODING` prints it.
    pub fn encoding(&self) -> &'static str {
        if self.skiplist { "skiplist" } else { "listpack" }
    }

    /// Converts it to a skip list regardless of its size, as `SORT` does. There is no conversion back.
    pub fn make_skiplist(&mut self) {
        if !self.skiplist {
            self.convert();
        }
    }

    /// Bytes that Redis would use. O(1).
    pub fn memory(&self) -> usize {
        if !self.skiplist {
            return memory::OBJECT_BYTES + memory::allocated(self.bytes);
        }
        let header = memory::skiplist_node(LEVEL_MAX);
        let fixed = memory::OBJECT_BYTES + memory::ZSET_BYTES + memory::SKIPLIST_BYTES + header;
        fixed + memory::dict(&self.scores) + self.bytes
    }

    /// Verifies that both structures have the same contents, and the stored sizes.
    ///
    /// # Errors
    /// A description of the first mismatch.
    pub fn check(&self) -> Result<(), String> {
        if self.ranked.len() != self.scores.len() {
            return Err(format!("{} members ranked, {} with scores", self.ranked.len(), self.scores.len()));
        }
        let mut bytes = if self.skiplist { 0 } else { listpack::EMPTY_BYTES };
        for (place, score) in &self.ranked {
            if self.scores.get(&place.member) != Some(score) || place.score() != score.get() {
                return Err(format!("{place:?} has score {score:?}, {:?} by member", self.scores.get(&place.member)));
            }
            bytes += self.bytes_of(&place.member, score.get());
        }
        if bytes != self.bytes {
            return Err(format!("{} bytes noted, {bytes} counted", self.bytes));
        }
        Ok(())
    }
}

/// Double-ended iterator over members and their scores, in order.
#[derive(Clone)]
pub struct Iter<'a>(tree::Iter<'a, ScorePosition, Score>);

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a Bytes, f64);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(place, score)| (&place.member, score.get()))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.0.nth(n).map(|(place, score)| (&place.member, score.get()))
    }
}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(place, score)| (&place.member, score.get()))
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl<'a> IntoIterator for &'a ZSet {
    type Item = (&'a Bytes, f64);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

#[cfg(test)]
#[path = "zset_tests.rs"]
mod tests;
