//! Chooses the entries of a log that are drawn: the latest ones, and earlier ones that the reader has selected or unfolded.
use web_sys::{Element, Node};
use world::StepId;

/// Maximum number of entries that are drawn at first, and how many more each time the reader asks.
pub const DRAWN: usize = 100;
/// Lines that are drawn at first beyond those that fill the view, and entries that are drawn however long they are: there must be something to
/// scroll back to, and an answer stands behind its command.
const SPARE: usize = 4;
/// Entries that stay drawn while others come, where none has more than [`ROWS`] lines. Beyond, the older half goes, so that most
/// commands take nothing away.
const KEPT: usize = 400;
/// An entry of more lines counts for several: what a browser draws is lines.
const ROWS: usize = 3;
/// Maximum number of earlier entries that stay because the reader has selected or unfolded them.
const HELD_MAX: usize = 1_000;

/// An entry, by its place in the transcript and its step. After a step back, the same place can hold another entry.
pub type EntryRef = (usize, StepId);

/// What of a log is drawn.
#[derive(Default)]
pub struct Drawn {
    /// How many entries the log had, and how many of them lay before the latest ones.
    before: Option<(usize, usize)>,
    /// How many steps the session had.
    steps: usize,
    /// Which of those are drawn all the same, ascending.
    held: Vec<EntryRef>,
}

impl Drawn {
    /// The places of the entries to draw, ascending, of a log in a session of `steps` steps. `step` returns the step of an entry. `in_hand`
    /// returns the drawn entries that the reader has selected or unfolded; it is only called if some entries would go.
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

/// The entries of a log, and how much of it is wanted.
pub struct Entries<'a> {
    /// How many there are.
    pub length: usize,
    /// Lines that are in view.
    pub lines: usize,
    /// How many entries more than usual the reader has asked for.
    pub asked: usize,
    /// Lines of an entry, by its place: at least one.
    pub rows: &'a dyn Fn(usize) -> usize,
}

impl Entries<'_> {
    /// How many entries are hidden. `before` is the length of the log so far and how many were hidden then; `is_seek` says that nothing was run since.
    fn hidden(&self, before: Option<(usize, usize)>, is_seek: bool) -> usize {
        let Entries { length, lines, asked, rows } = *self;
        let kept = |most: usize| self.last(most, |place| rows(place).div_ceil(ROWS));
        let view = lines.saturating_add(SPARE).min(DRAWN);
        let least = self.last(view, rows).min(length.saturating_sub(SPARE)).saturating_sub(asked);
        // A jump leaves nothing in view of what was there. Where commands were run, the reader may scroll back to see all they said.
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

    /// Where the last entries begin that weigh as much as this.
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

/// The drawn entries that the reader has selected or unfolded. `children` has the entry of each child of `list`.
pub fn in_hand(list: &Element, children: &[Option<EntryRef>]) -> Vec<EntryRef> {
    // The range is asked, not the selection, which would have the page laid out first.
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

    /// How many are hidden in a log of this length whose entries have one line each.
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
    fn a_log_that_grows_takes_nothing_away_until_it_is_long() {
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
    fn going_back_and_asking_bring_earlier_entries() {
        assert_eq!(hidden_of(1_000, Some((1_001, 960)), DRAWN, 0, true), 900);
        assert_eq!(hidden_of(40, Some((1_000, 900)), DRAWN, 0, true), 0);
        assert_eq!(hidden_of(1_000, Some((1_000, 900)), DRAWN, DRAWN, true), 800);
    }

    #[test]
    fn after_a_jump_only_what_fills_the_view_is_drawn() {
        for (length, before) in [(9_000, (1_000, 700)), (1_300, (1_000, 700)), (9_000, (20, 0))] {
            assert_eq!(length - hidden_of(length, Some(before), 10, 0, true), 10 + SPARE, "{length}");
        }
        assert_eq!(1_000 - hidden_of(1_000, Some((9_000, 8_800)), 10, 0, true), 10 + SPARE);
        // A view higher than any screen draws no more than before.
        assert_eq!(hidden_of(9_000, None, 5_000, 0, true), 9_000 - DRAWN);
    }

    #[test]
    fn long_answers_count_for_several() {
        let long = |length: usize, lines: usize, before: Option<(usize, usize)>, is_seek: bool| {
            length - Entries { length, lines, asked: 0, rows: &|_| 60 }.hidden(before, is_seek)
        };
        // Two of them are higher than the view, and some are there to scroll back to.
        assert_eq!(long(1_000, 100, None, true), SPARE);
        assert_eq!(long(1_000, 10, Some((10, 0)), true), SPARE);
        assert_eq!(long(1_000, 0, None, true), SPARE);
        // They go ten at a time, when they have as many lines as short ones.
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
    fn what_is_in_hand_stays_however_long_the_log_becomes() {
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
    fn what_is_let_go_goes_with_the_next_ones() {
        let mut drawn = Drawn::default();
        drawn.places(&log(KEPT), 1, step, Vec::new);
        assert_eq!(drawn.places(&log(2 * KEPT), 2, step, || vec![(7, 7)]).first(), Some(&7));
        assert_eq!(drawn.places(&log(2 * KEPT + 1), 3, step, Vec::new).first(), Some(&7));
        assert_ne!(drawn.places(&log(3 * KEPT), 4, step, Vec::new).first(), Some(&7));
    }

    #[test]
    fn another_entry_in_the_same_place_is_not_held() {
        let mut drawn = Drawn::default();
        drawn.places(&log(KEPT), 1, step, Vec::new);
        drawn.places(&log(2 * KEPT), 2, step, || vec![(7, 7)]);
        assert_ne!(drawn.places(&log(2 * KEPT), 2, |place| step(place + 1), Vec::new).first(), Some(&7));
    }
}
