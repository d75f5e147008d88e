//! Bars by track: the bars of one track follow one another, so the visible ones are found without looking at all others.
use std::ops::RangeInclusive;

use super::Bar;

/// The track for bars when no other is free: there they may overlap.
pub const LAST: u8 = u8::MAX;

/// For each track, the indexes of its bars, in the order in which they start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tracks(Vec<Vec<usize>>);

impl Tracks {
    /// Starts a bar with this index on a track.
    pub fn begin(&mut self, track: u8, at: usize) {
        let track = usize::from(track);
        if self.0.len() <= track {
            self.0.resize_with(track.saturating_add(1), Vec::new);
        }
        if let Some(places) = self.0.get_mut(track) {
            places.push(at);
        }
    }

    /// Keeps only the first `bars` bars.
    pub fn truncate(&mut self, bars: usize) {
        for places in &mut self.0 {
            let kept = places.partition_point(|at| *at < bars);
            places.truncate(kept);
        }
        while self.0.last().is_some_and(Vec::is_empty) {
            self.0.pop();
        }
    }

    /// Bars that overlap these rows, each with its index.
    pub fn between<'a>(
        &'a self,
        bars: &'a [Bar],
        rows: RangeInclusive<usize>,
    ) -> impl Iterator<Item = (usize, &'a Bar)> {
        let (first, last) = rows.into_inner();
        self.0.iter().enumerate().flat_map(move |(track, places)| {
            let is_before = |at: &usize| bars.get(*at).and_then(|bar| bar.to).is_some_and(|to| to < first);
            let skipped = if track == usize::from(LAST) { 0 } else { places.partition_point(is_before) };
            let found = places.iter().skip(skipped).filter_map(|at| Some((*at, bars.get(*at)?)));
            found
                .take_while(move |(_, bar)| bar.from <= last)
                .filter(move |(_, bar)| bar.to.is_none_or(|to| to >= first))
        })
    }
}
