//! The tail of a stored session: the lines that a timeline has got since its text was stored, so that a step can be stored before it is seen.
//!
//! ```text
//! after 41 of 42           the stored text has 42 steps; its first 41 stay, the last may have changed since
//! a> GET lock              the steps after these
//! end 43 at 43 of 43
//! ```
use std::rc::Rc;

use super::lines::Names;
use super::text;
use super::{Step, StepId, Timeline};

/// Which steps a stored text has, and what is needed to write the lines after it.
#[derive(Clone)]
pub struct StoredText {
    version: u32,
    /// Its number of steps.
    count: StepId,
    /// The last step but one: time may still be added to the last one.
    kept: StepId,
    /// That step itself, by which the same timeline is recognised later.
    last_kept: Rc<Step>,
    /// The names of clients at that step.
    names: Names,
}

impl Timeline {
    /// The text form, and what [`Timeline::text_since`] needs; without it if there are fewer than two steps.
    pub fn to_stored_text(&self) -> (String, Option<StoredText>) {
        let count = self.tree.newest();
        let kept = count.saturating_sub(1);
        let version = self.version_since(0);
        let mut names = Names::default();
        let mut out = text::head(self.settings(), version);
        self.write_steps(&mut out, &mut names, 0, kept);
        let stored = self.step(kept).map(|last_kept| StoredText {
            version,
            count,
            kept,
            last_kept: Rc::clone(last_kept),
            names: names.clone(),
        });
        self.write_steps(&mut out, &mut names, kept, count);
        (out + &self.last_line(), stored)
    }

    /// The lines of the steps since a text of this timeline was stored. `None` if the text is of another timeline, or if a new step needs a
    /// newer version.
    ///
    /// ```
    /// use world::{Input, Settings, Timeline, timeline::with_tail};
    /// let mut timeline = Timeline::new(Settings::default());
    /// timeline.push(Input::Connect { client: 0, name: "a".into() })?;
    /// timeline.push(Input::Command { client: 0, argv: vec!["INCR".into(), "k".into()] })?;
    /// let (text, stored) = timeline.to_stored_text();
    /// timeline.push(Input::Command { client: 0, argv: vec!["GET".into(), "k".into()] })?;
    /// let tail = stored.and_then(|stored| timeline.text_since(&stored)).unwrap_or_default();
    /// assert_eq!(tail, "after 1 of 2\na> INCR k\na> GET k\nend 3 at 3 of 3\n");
    /// assert_eq!(with_tail(&text, &tail), Some(timeline.to_text()));
    /// # Ok::<(), world::StepError>(())
    /// ```
    // Not inlined, because the page loads it later.
    #[inline(never)]
    pub fn text_since(&self, stored: &StoredText) -> Option<String> {
        let StoredText { version, count, kept, last_kept, names } = stored;
        let is_same = self.step(*kept).is_some_and(|step| Rc::ptr_eq(step, last_kept));
        if !is_same || self.version_since(*kept) > *version {
            return None;
        }
        let mut out = format!("after {kept} of {count}\n");
        self.write_steps(&mut out, &mut names.clone(), *kept, self.tree.newest());
        Some(out + &self.last_line())
    }
}

/// A stored text with the lines of its tail; `None` if the tail belongs to another text.
// Not inlined, because the page loads it later.
#[inline(never)]
pub fn with_tail(text: &str, tail: &str) -> Option<String> {
    let (head, added) = tail.split_once('\n')?;
    let (kept, count) = head.strip_prefix("after ")?.split_once(" of ")?;
    let kept: usize = kept.parse().ok()?;
    if !text.lines().next_back()?.starts_with(&format!("end {count} at ")) {
        return None;
    }
    let mut at = text.find("\n\n")?.checked_add(2)?;
    let mut lines = text.get(at..)?.split_inclusive('\n');
    for _ in 0..kept {
        // A step may have a line above it that names its parent.
        loop {
            let line = lines.next()?;
            at = at.checked_add(line.len())?;
            if !line.starts_with("^ ") {
                break;
            }
        }
    }
    Some([text.get(..at)?, added].concat())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::with_tail;
    use crate::{Input, Settings, Timeline};

    /// An act of a user: an input at the cursor, or a move of the cursor.
    fn act(timeline: &mut Timeline, (kind, which): (u8, u8)) {
        let client = u32::from(which % 3);
        let argv = |words: &str| words.split(' ').map(|word| word.to_owned().into()).collect();
        let input = match kind {
            0 => Input::Connect { client, name: format!("c{client}") },
            1 => Input::Disconnect { client },
            2 => Input::Rename { client, name: format!("n{which}") },
            3 | 4 => Input::Advance { ms: u64::from(which) },
            5 => Input::Command { client, argv: argv("BLPOP q 0") },
            6 => Input::Interrupt { client },
            7 => return timeline.seek(usize::from(which) % timeline.len().saturating_add(1)),
            8 => {
                let branches = timeline.branches();
                let Some(branch) = branches.get(usize::from(which) % branches.len().max(1)) else { return };
                let _ = timeline.switch_to(branch.head);
                return;
            }
            _ => Input::Command { client, argv: argv("INCR k") },
        };
        // The world refuses some of them.
        let _ = timeline.push(input);
    }

    proptest! {
        /// After any acts, the stored text with its tail is the whole text.
        #[test]
        fn text_and_tail_are_the_text(
            before in prop::collection::vec((0_u8..12, any::<u8>()), 0..60),
            after in prop::collection::vec((0_u8..12, any::<u8>()), 0..60),
        ) {
            let mut timeline = Timeline::new(Settings::default());
            act(&mut timeline, (0, 0));
            for each in before {
                act(&mut timeline, each);
            }
            let (text, stored) = timeline.to_stored_text();
            prop_assert_eq!(&text, &timeline.to_text());
            let Some(stored) = stored else { return Ok(()) };
            for each in after {
                act(&mut timeline, each);
                let tail = timeline.text_since(&stored).expect("it is the same timeline");
                prop_assert_eq!(with_tail(&text, &tail), Some(timeline.to_text()));
            }
        }

        #[test]
        fn no_text_breaks_the_reader(text in "[a-z^ \n0-9]{0,60}", tail in "(after [0-9]{1,3} of [0-9]{1,3}\n)?[a-z \n]{0,20}") {
            let _ = with_tail(&text, &tail);
        }
    }

    fn typed(words: &[&'static str]) -> Input {
        Input::Command { client: 0, argv: words.iter().map(|word| (*word).into()).collect() }
    }

    #[test]
    fn tail_of_another_text_is_none() {
        let mut timeline = Timeline::new(Settings::default());
        act(&mut timeline, (0, 0));
        assert!(timeline.to_stored_text().1.is_none(), "the only step may still change");
        timeline.push(typed(&["PING"])).unwrap();
        let (text, stored) = timeline.to_stored_text();
        let stored = stored.unwrap();
        let mut other = Timeline::new(Settings::default());
        act(&mut other, (0, 0));
        other.push(typed(&["PING"])).unwrap();
        assert_eq!(other.text_since(&stored), None, "equal, but not the same");
        let tail = timeline.text_since(&stored).unwrap();
        timeline.push(typed(&["GET", "k"])).unwrap();
        let newer = timeline.to_text();
        assert_eq!(with_tail(&newer, &tail), None, "stored after the tail");
        for cut in 0..tail.len() {
            let read = with_tail(&text, &tail[..cut])
                .and_then(|text| Timeline::from_text(&text, &crate::Engines::default()).ok());
            assert!(read.is_none() || cut + 1 == tail.len(), "{cut}");
        }
    }

    #[test]
    fn step_of_a_newer_version_needs_a_new_text() {
        let mut timeline = Timeline::new(Settings::default());
        act(&mut timeline, (0, 0));
        timeline.push(typed(&["PING"])).unwrap();
        let (_, stored) = timeline.to_stored_text();
        timeline.push(Input::Node { node: crate::NodeIndex(0), act: crate::NodeAct::Crash }).unwrap();
        assert_eq!(timeline.text_since(&stored.unwrap()), None);
    }
}
