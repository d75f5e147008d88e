//! Chooses the entries of a log that are drawn: the latest ones, and earlier ones that the reader has selected or unfolded.
use web_sys::{Element, Node};
use world::StepId;

/// Entries that are drawn at first, and how many more each time the reader asks.
pub const DRAWN: usize = 100;
/// Entries that stay drawn while others come. Beyond, the older half goes, so that most commands take nothing away.
const KEPT: usize = 400;
/// Maximum number of earlier entries that stay because the reader has selected or unfolded them.
const HELD_MAX: usize = 1_000;

/// An entry, by its place in the transcript and its step. After a step back, the same place can hold another entry.
pub type EntryRef = (usize, StepId);

/// What of a log is drawn.
#[derive(Default)]
pub struct Drawn {
    /// How many entries lie before the latest ones.
    hidden: Option<usize>,
    /// Which of those are drawn all the same, ascending.
    held: Vec<EntryRef>,
}

impl Drawn {
    /// The places of the entries to draw, ascending, in a log of this length. `step` returns the step of an entry. `in_hand` returns the
    /// drawn entries that the reader has selected or unfolded; it is only called if some entries would go.
    pub fn places(
        &mut self,
        length: usize,
        asked: usize,
        step: impl Fn(usize) -> Option<StepId>,
        in_hand: impl FnOnce() -> Vec<EntryRef>,
    ) -> Vec<usize> {
        let hidden = hidden_of(length, self.hidden, asked);
        if self.hidden.is_some_and(|before| before < hidden) {
            self.held = in_hand();
        }
        self.held.retain(|(place, of)| *place < hidden && step(*place) == Some(*of));
        let beyond = self.held.len().saturating_sub(HELD_MAX);
        self.held.drain(..beyond);
        self.hidden = Some(hidden);
        self.held.iter().map(|(place, _)| *place).chain(hidden..length).collect()
    }
}

/// How many entries of a log of this length are hidden, where so many were hidden before and the reader has asked for so many more.
fn hidden_of(length: usize, before: Option<usize>, asked: usize) -> usize {
    let at_least = DRAWN.saturating_add(asked);
    let Some(before) = before else { return length.saturating_sub(at_least) };
    let drawn = length.saturating_sub(before);
    if drawn > KEPT.saturating_add(asked) {
        length.saturating_sub((KEPT / 2).saturating_add(asked))
    } else if drawn < at_least {
        before.min(length.saturating_sub(at_least))
    } else {
        before
    }
}

/// The drawn entries that the reader has selected or unfolded. `children` has the entry of each child of `list`.
pub fn in_hand(list: &Element, children: &[Option<EntryRef>]) -> Vec<EntryRef> {
    let selection = web_sys::window().and_then(|window| window.get_selection().ok().flatten());
    let selection = selection.filter(|selection| !selection.is_collapsed());
    let is_selected = |node: &Node| {
        let found = selection.as_ref().map(|all| all.contains_node_with_allow_partial_containment(node, true));
        found.is_some_and(|found| found.unwrap_or(false))
    };
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

    fn step(place: usize) -> Option<StepId> {
        StepId::try_from(place).ok()
    }

    #[test]
    fn a_log_that_grows_takes_nothing_away_until_it_is_long() {
        let mut hidden = hidden_of(500, None, 0);
        assert_eq!(hidden, 500 - DRAWN);
        let mut changes = 0;
        for length in 500..2_500 {
            let next = hidden_of(length, Some(hidden), 0);
            changes += usize::from(next != hidden);
            hidden = next;
            assert!((DRAWN..=KEPT).contains(&(length - hidden)), "{length}");
        }
        assert!(changes <= 10, "{changes}");
    }

    #[test]
    fn going_back_and_asking_bring_earlier_entries() {
        assert_eq!(hidden_of(1_000, Some(960), 0), 900);
        assert_eq!(hidden_of(40, Some(900), 0), 0);
        assert_eq!(hidden_of(1_000, Some(900), DRAWN), 800);
    }

    #[test]
    fn what_is_in_hand_stays_however_long_the_log_becomes() {
        let mut drawn = Drawn::default();
        let mut most = 0;
        for length in 1..10_000 {
            let places = drawn.places(length, 0, step, || vec![(7, 7), (8, 8)]);
            assert!(places.starts_with(&[7, 8]) || length <= KEPT, "{length}");
            assert!(places.is_sorted_by(|one, next| one < next) && places.last() == Some(&(length - 1)));
            most = most.max(places.len());
        }
        assert_eq!(most, KEPT + 2);
    }

    #[test]
    fn what_is_let_go_goes_with_the_next_ones() {
        let mut drawn = Drawn::default();
        drawn.places(KEPT, 0, step, Vec::new);
        assert_eq!(drawn.places(2 * KEPT, 0, step, || vec![(7, 7)]).first(), Some(&7));
        assert_eq!(drawn.places(2 * KEPT + 1, 0, step, Vec::new).first(), Some(&7));
        assert_ne!(drawn.places(3 * KEPT, 0, step, Vec::new).first(), Some(&7));
    }

    #[test]
    fn another_entry_in_the_same_place_is_not_held() {
        let mut drawn = Drawn::default();
        drawn.places(KEPT, 0, step, Vec::new);
        drawn.places(2 * KEPT, 0, step, || vec![(7, 7)]);
        assert_ne!(drawn.places(2 * KEPT, 0, |place| step(place + 1), Vec::new).first(), Some(&7));
    }
}
