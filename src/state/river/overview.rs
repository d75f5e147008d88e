//! A long log at a glance: stretches of entries, and how much of each every group has done, holds, and has ahead.
//!
//! ```text
//!   places 0–999    g ▓▓▓ done         h ▓▓▓ done
//!   1000–1999       g ▓▒▒ 20 held      h ░░░ ahead
//!   2000–2999       g ░░░ ahead        h ░░░ ahead
//! ```
use std::ops::Range;

use redis_model::value::stream::Id;

use super::stream::Picture;

/// A stretch of the log, with its status in each group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Its places.
    pub places: Range<usize>,
    /// The share of each group, in the order of the picture.
    pub shares: Vec<Share>,
}

/// The status of a stretch in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Pending entries, including those that are gone from the log.
    pub pending: usize,
    /// Places that are ahead of the group's cursor.
    pub ahead: usize,
}

impl Picture {
    /// The log as at most `most` stretches of equal length; the last one may be shorter.
    pub fn overview(&self, most: usize) -> Vec<Stretch> {
        let places = self.log.places();
        let length = places.div_ceil(most.max(1)).max(1);
        let ends = (0..places).step_by(length).map(|from| from..places.min(from.saturating_add(length)));
        let stretch = |places: Range<usize>| {
            // The first stretch starts at the smallest id, so it includes pending entries that were trimmed; the last one has no end.
            let from = if places.start == 0 { Some(Id::MIN) } else { self.log.id_at(places.start) };
            let until = self.log.id_at(places.end);
            let share = |name| {
                let group = self.log.stream().group(name)?;
                let below = |id: Option<Id>| id.map_or(group.pending_len(), |id| group.pending_below(id));
                let cursor = self.log.places_until(group.last_id());
                Some(Share {
                    pending: below(until).saturating_sub(below(from)),
                    ahead: places.end.saturating_sub(cursor.max(places.start)),
                })
            };
            let shares = self.groups.iter().filter_map(|group| share(&group.name)).collect();
            Stretch { places: places.clone(), shares }
        };
        ends.map(stretch).collect()
    }
}
