//! The boxes that a learner has ticked: which of several fixes work, which cells of a table come true.
//!
//! ```text
//! 0,2        the first and the third; stored as they were when the learner answered
//! none       no box is ticked
//! ```
use std::collections::BTreeSet;

/// The indexes of the ticked boxes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ticks(BTreeSet<usize>);

const NONE: &str = "none";

impl Ticks {
    /// Whether this box is ticked.
    pub fn has(&self, nth: usize) -> bool {
        self.0.contains(&nth)
    }

    /// A copy with this box toggled.
    #[must_use]
    pub fn toggled(&self, nth: usize) -> Ticks {
        let mut ticks = self.clone();
        if !ticks.0.remove(&nth) {
            ticks.0.insert(nth);
        }
        ticks
    }

    /// For each box, whether the tick matches the answer.
    fn marks(&self, answers: impl Iterator<Item = bool>) -> impl Iterator<Item = bool> {
        answers.enumerate().map(|(nth, answer)| answer == self.has(nth))
    }

    /// Whether exactly the right boxes are ticked.
    pub fn are_right(&self, answers: impl Iterator<Item = bool>) -> bool {
        self.marks(answers).all(|is_right| is_right)
    }

    /// How many boxes are ticked or left empty correctly.
    pub fn right_count(&self, answers: impl Iterator<Item = bool>) -> usize {
        self.marks(answers).filter(|is_right| *is_right).count()
    }

    /// The stored form.
    pub fn to_text(&self) -> String {
        let places: Vec<String> = self.0.iter().map(usize::to_string).collect();
        if places.is_empty() { NONE.to_owned() } else { places.join(",") }
    }

    /// Reads the stored form; `None` if the text is anything else.
    pub fn from_text(text: &str) -> Option<Ticks> {
        if text == NONE {
            return Some(Ticks::default());
        }
        text.split(',').map(|place| place.parse().ok()).collect::<Option<_>>().map(Ticks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_is_right_when_every_tick_is_right() {
        let answers = || [true, false, true].into_iter();
        let ticks = |places: &[usize]| places.iter().fold(Ticks::default(), |ticks, nth| ticks.toggled(*nth));
        assert!(ticks(&[0, 2]).are_right(answers()));
        assert_eq!(ticks(&[0, 2]).right_count(answers()), 3);
        for (wrong, right) in [(&[][..], 1), (&[0], 2), (&[0, 1, 2], 2), (&[1], 0), (&[2, 0, 0], 2)] {
            assert!(!ticks(wrong).are_right(answers()), "{wrong:?}");
            assert_eq!(ticks(wrong).right_count(answers()), right, "{wrong:?}");
        }
    }

    #[test]
    fn ticks_are_stored_as_indexes() {
        for (places, text) in [(&[][..], "none"), (&[2, 0], "0,2")] {
            let ticks = places.iter().fold(Ticks::default(), |ticks, nth| ticks.toggled(*nth));
            assert_eq!(ticks.to_text(), text);
            assert_eq!(Ticks::from_text(text), Some(ticks));
        }
        for text in ["", "a", "0,", "-1"] {
            assert_eq!(Ticks::from_text(text), None, "{text}");
        }
    }
}
