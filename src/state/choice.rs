//! Which of several fixes a learner has ticked as surviving.
//!
//! ```text
//! 0,2        the first and the third; stored as it was when the answer was given
//! none       not one of them
//! ```
use std::collections::BTreeSet;

use lesson::repair::Fix;

/// Places of the fixes that are ticked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ticks(BTreeSet<usize>);

const NONE: &str = "none";

impl Ticks {
    /// Is this one ticked?
    pub fn has(&self, nth: usize) -> bool {
        self.0.contains(&nth)
    }

    /// The same with this one ticked, or no longer.
    #[must_use]
    pub fn toggled(&self, nth: usize) -> Ticks {
        let mut ticks = self.clone();
        if !ticks.0.remove(&nth) {
            ticks.0.insert(nth);
        }
        ticks
    }

    /// Are just those ticked that survive?
    pub fn are_right(&self, fixes: &[Fix]) -> bool {
        fixes.iter().enumerate().all(|(nth, fix)| fix.survives == self.has(nth))
    }

    /// The stored form.
    pub fn to_text(&self) -> String {
        let places: Vec<String> = self.0.iter().map(usize::to_string).collect();
        if places.is_empty() { NONE.to_owned() } else { places.join(",") }
    }

    /// Reads the stored form; nothing where it is something else.
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
    fn an_answer_is_right_when_every_tick_is() {
        let fixes = [true, false, true].map(|survives| Fix { survives, ..Fix::default() });
        let ticks = |places: &[usize]| places.iter().fold(Ticks::default(), |ticks, nth| ticks.toggled(*nth));
        assert!(ticks(&[0, 2]).are_right(&fixes));
        for wrong in [&[][..], &[0], &[0, 1, 2], &[1], &[2, 0, 0]] {
            assert!(!ticks(wrong).are_right(&fixes), "{wrong:?}");
        }
    }

    #[test]
    fn ticks_are_stored_as_places() {
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
