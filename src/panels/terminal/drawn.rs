//! Chooses the entries of a log that are rendered: the latest ones, and earlier ones that the reader has selected or expanded.
use web_sys::{Element, Node};
use world::StepId;

/// Maximum number of entries that are rendered at first, and number of further ones per request of the reader.
pub const DRAWN: usize = 100;
/// Lines rendered at first beyond those that fill the view, and minimum number of entries regardless of their length: the reader must be
/// able to scroll back, and a reply follows its command.
const SPARE: usize = 4;
/// Maximum number of entries that stay rendered while others are added, if none has more than [`ROWS`] lines. Beyond that the older half is
/// removed at once, so that most commands remove nothing.
const KEPT: usize = 400;
/// An entry counts once per this many lines, because the cost of rendering depends on lines.
const ROWS: usize = 3;
/// Maximum number of earlier entries that stay because the reader has selected or expanded them.
const HELD_MAX: usize = 1_000;

/// An entry, by its index in the transcript and its step. After a step back, another entry can have the same index.
pub type EntryRef = (usize, StepId);

/// The rendered entries of a log.
#[derive(Default)]
pub struct Drawn {
    /// At the last render: the number of entries, and how many of them came before the rendered latest ones.
    before: Option<(usize, usize)>,
    /// Number of steps of the session at the last render.
    steps: usize,
    /// Earlier entries that are still rendered, ascending.
    held: Vec<EntryRef>,
}

impl Drawn {
    /// The indices of the entries to render, ascending, of a log in a session of `steps` steps. `step` returns the step of an entry.
    /// `in_hand` returns the rendered entries that the reader has selected or expanded; it is called only if some entries would be removed.
    pub fn places(
        &mut self,
        log: &Entries<'_>,
        steps: usize,
        step: impl Fn(usize) -> Option<StepId>,
        in_hand: impl FnOnce() -> Vec<EntryRef>,
    ) -> Vec<usize> {
        let is_seek = std::mem::replace(&mut self.steps, steps) == steps;
        let (length, hidden) = (log.length, log.hidden(self.before, is_seek));
        if self.before.is_some_and(|(_, before)| before < hidden) {
            self.held = in_hand();
        }
        self.held.retain(|(place, of)| *place < hidden && step(*place) == Some(*of));
        let beyond = self.held.len().saturating_sub(HELD_MAX);
        self.held.drain(..beyond);
        self.before = Some((length, hidden));
        self.held.iter().map(|(place, _)| *place).chain(hidden..length).collect()
    }
}

/// The entries of a log, and how many of them the reader needs.
pub struct Entries<'a> {
    /// Number of entries.
    pub length: usize,
    /// Number of lines in view.
    pub lines: usize,
    /// Number of additional entries that the reader has requested.
    pub asked: usize,
    /// Number of lines of an entry, by its index: at least one.
    pub rows: &'a dyn Fn(usize) -> usize,
}

impl Entries<'_> {
    /// Number of hidden entries. `before` has the length of the log and the number of hidden entries at the last render; `is_seek` means
    /// that no command was run since.
    fn hidden(&self, before: Option<(usize, usize)>, is_seek: bool) -> usize {
        let Entries { length, lines, asked, rows } = *self;
        let kept = |most: usize| self.last(most, |place| rows(place).div_ceil(ROWS));
        let view = lines.saturating_add(SPARE).min(DRAWN);
        let least = self.last(view, rows).min(length.saturating_sub(SPARE)).saturating_sub(asked);
        // After a jump none of the old entries is in view. After commands the reader may scroll back to see all their output.
        let jump = match (lines, is_seek) {
            (0, _) => length.saturating_sub(SPARE),
            (_, true) => least,
            (_, false) => kept(KEPT / 2),
        };
        let Some((_, hidden)) = before.filter(|(before, _)| *before >= jump) else { return least };
        if hidden < kept(KEPT).saturating_sub(asked) {
            kept(KEPT / 2).saturating_sub(asked).min(least)
        } else {
            hidden.min(least)
        }
    }

    /// Index of the first of the last entries whose weights sum up to `much`.
    fn last(&self, much: usize, weight: impl Fn(usize) -> usize) -> usize {
        let mut sum = 0_usize;
        let before = |place: &usize| {
            let is_before = sum < much;
            sum = sum.saturating_add(weight(*place).max(1));
            is_before
        };
        (0..self.length).rev().take_while(before).last().unwrap_or(self.length)
    }
}

/// The rendered entries that the reader has selected or expanded. `children` has the entry of each child of `list`.
pub fn in_hand(list: &Element, children: &[Option<EntryRef>]) -> Vec<EntryRef> {
    // Use the range: methods of the selection would force a layout of the page.
    let selected = web_sys::window()
        .and_then(|window| window.get_selection().ok().flatten())
        .and_then(|selection| selection.get_range_at(0).ok())
        .filter(|range| !range.collapsed());
    let is_selected = |node: &Node| selected.as_ref().is_some_and(|range| range.intersects_node(node).unwrap_or(false));
    let is_unfolded = |child: &Element| child.matches("[data-whole]").unwrap_or(false);
    let drawn = list.children();
    let each = (0..drawn.length()).zip(children);
    each.filter_map(|(nth, entry)| {
        let (child, entry) = (drawn.item(nth)?, (*entry)?);
        (is_unfolded(&child) || is_selected(&child)).then_some(entry)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of hidden entries in a log of this length whose entries have one line each.
    fn hidden_of(length: usize, before: Option<(usize, usize)>, lines: usize, asked: usize, is_seek: bool) -> usize {
        Entries { length, lines, asked, rows: &|_| 1 }.hidden(before, is_seek)
    }

    fn log(length: usize) -> Entries<'static> {
        Entries { length, lines: 10, asked: 0, rows: &|_| 1 }
    }

    fn step(place: usize) -> Option<StepId> {
        StepId::try_from(place).ok()
    }

    #[test]
    fn growing_log_removes_nothing_until_it_is_long() {
        let mut before = None;
        let mut changes = 0;
        for length in 500..2_500 {
            let hidden = hidden_of(length, before, 10, 0, false);
            changes += usize::from(before.is_some_and(|(_, before)| before != hidden));
            before = Some((length, hidden));
            assert!((10..=KEPT).contains(&(length - hidden)), "{length}");
        }
        assert!((5..=10).contains(&changes), "{changes}");
    }

    #[test]
    fn seeking_back_and_requests_show_earlier_entries() {
        assert_eq!(hidden_of(1_000, Some((1_001, 960)), DRAWN, 0, true), 900);
        assert_eq!(hidden_of(40, Some((1_000, 900)), DRAWN, 0, true), 0);
        assert_eq!(hidden_of(1_000, Some((1_000, 900)), DRAWN, DRAWN, true), 800);
    }

    #[test]
    fn after_a_jump_only_entries_that_fill_the_view_are_rendered() {
        for (length, before) in [(9_000, (1_000, 700)), (1_300, (1_000, 700)), (9_000, (20, 0))] {
            assert_eq!(length - hidden_of(length, Some(before), 10, 0, true), 10 + SPARE, "{length}");
        }
        assert_eq!(1_000 - hidden_of(1_000, Some((9_000, 8_800)), 10, 0, true), 10 + SPARE);
        // Even a view higher than any screen renders at most `DRAWN` entries.
        assert_eq!(hidden_of(9_000, None, 5_000, 0, true), 9_000 - DRAWN);
    }

    #[test]
    fn long_replies_count_as_several_entries() {
        let long = |length: usize, lines: usize, before: Option<(usize, usize)>, is_seek: bool| {
            length - Entries { length, lines, asked: 0, rows: &|_| 60 }.hidden(before, is_seek)
        };
        // Two such entries are higher than the view, and some more are needed to scroll back.
        assert_eq!(long(1_000, 100, None, true), SPARE);
        assert_eq!(long(1_000, 10, Some((10, 0)), true), SPARE);
        assert_eq!(long(1_000, 0, None, true), SPARE);
        // They are removed ten at a time, once they have as many lines as the maximum number of short ones.
        let (mut before, mut changes, mut most) = (None, 0, 0);
        for length in 500..700 {
            let shown = long(length, 10, before, false);
            changes += usize::from(before.is_some_and(|(_, hidden)| hidden != length - shown));
            most = most.max(shown);
            before = Some((length, length - shown));
        }
        assert_eq!(most, KEPT / 20);
        assert!((15..=20).contains(&changes), "{changes}");
    }

    #[test]
    fn selected_entries_stay_in_any_length_of_log() {
        let mut drawn = Drawn::default();
        let mut most = 0;
        for length in 1..10_000 {
            let places = drawn.places(&log(length), length, step, || vec![(7, 7), (8, 8)]);
            assert!(places.starts_with(&[7, 8]) || length <= KEPT, "{length}");
            assert!(places.is_sorted_by(|one, next| one < next) && places.last() == Some(&(length - 1)));
            most = most.max(places.len());
        }
        assert_eq!(most, KEPT + 2);
    }

    #[test]
    fn deselected_entries_are_removed_with_the_next_ones() {
        let mut drawn = Drawn::default();
        drawn.places(&log(KEPT), 1, step, Vec::new);
        assert_eq!(drawn.places(&log(2 * KEPT), 2, step, || vec![(7, 7)]).first(), Some(&7));
        assert_eq!(drawn.places(&log(2 * KEPT + 1), 3, step, Vec::new).first(), Some(&7));
        assert_ne!(drawn.places(&log(3 * KEPT), 4, step, Vec::new).first(), Some(&7));
    }

    #[test]
    fn another_entry_at_the_same_index_is_not_kept() {
        let mut drawn = Drawn::default();
        drawn.places(&log(KEPT), 1, step, Vec::new);
        drawn.places(&log(2 * KEPT), 2, step, || vec![(7, 7)]);
        assert_ne!(drawn.places(&log(2 * KEPT), 2, |place| step(place + 1), Vec::new).first(), Some(&7));
    }
}
