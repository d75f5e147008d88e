//! Messages of the terminal itself: replies to `HELP`, lines that could not be parsed. They are not steps of the timeline: each belongs to
//! the step after which it was shown, and is hidden while the cursor is before that step.
use std::rc::Rc;

use bytes::Bytes;
use resp::split::SplitError;
use world::StepId;

/// Maximum count of `100 INCR n`; more is refused, because people have to be able to read the timeline.
pub const REPEATS_MAX: u64 = 1_000;
/// Maximum number of notes of a terminal; older ones are removed.
const NOTES_MAX: usize = 200;

/// A message of the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Ctrl-L: hides everything up to here.
    Clear,
    /// `HELP`
    Help {
        /// The line as typed.
        line: String,
        /// The words after `HELP`.
        topic: Vec<Bytes>,
    },
    /// `HELP` in a terminal of a database.
    Statements {
        /// The line as typed.
        line: String,
    },
    /// A line with unbalanced quotes.
    Unbalanced {
        /// The line as typed.
        line: String,
        /// The error.
        why: SplitError,
    },
    /// `0 INCR n`
    BadRepeat {
        /// The line as typed.
        line: String,
    },
    /// `--eval` of a file of the editor: its command, the next step, is shown as the line that was typed.
    Evaluated {
        /// The line as typed.
        line: String,
        /// The words of the command.
        argv: Vec<Bytes>,
    },
    /// `--eval` without a file, or of a file that does not exist.
    NoFile {
        /// The line as typed.
        line: String,
        /// The name that was given.
        name: Option<Bytes>,
    },
    /// More than [`REPEATS_MAX`].
    TooManyRepeats,
}

/// All notes of a terminal, oldest first, each with the step after which it was shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    notes: Rc<Vec<(StepId, Note)>>,
}

impl Notes {
    /// Adds a note after a step.
    pub fn add(&mut self, after: StepId, note: Note) {
        let notes = Rc::make_mut(&mut self.notes);
        notes.push((after, note));
        let surplus = notes.len().saturating_sub(NOTES_MAX);
        notes.drain(..surplus);
    }

    /// The step up to which everything is hidden; 0 if the log was never cleared.
    pub fn cleared(&self) -> StepId {
        let cleared = self.notes.iter().rev().find(|(_, note)| *note == Note::Clear);
        cleared.map_or(0, |(after, _)| *after)
    }

    /// Commands that were typed as another line (`--eval release.lua …`): their words, and the typed line.
    pub fn evaluated(&self) -> impl Iterator<Item = (&[Bytes], &str)> {
        self.notes.iter().filter_map(|(_, note)| match note {
            Note::Evaluated { line, argv } => Some((argv.as_slice(), line.as_str())),
            _ => None,
        })
    }

    /// The notes shown at or after step `from` and before `until`, since the log was last cleared.
    pub fn between(&self, from: StepId, until: StepId) -> impl Iterator<Item = (StepId, &Note)> {
        let start = self.notes.iter().rposition(|(_, note)| *note == Note::Clear).map_or(0, |i| i.saturating_add(1));
        let shown = self.notes.iter().skip(start).map(|(after, note)| (*after, note));
        shown.filter(move |(after, _)| *after >= from && *after < until)
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::{NOTES_MAX, Note, Notes};

    fn notes(all: impl IntoIterator<Item = (u32, Note)>) -> Notes {
        let mut notes = Notes::default();
        for (after, note) in all {
            notes.add(after, note);
        }
        notes
    }

    fn bad(after: u32) -> (u32, Note) {
        (after, Note::BadRepeat { line: String::new() })
    }

    #[test]
    fn clearing_hides_earlier_notes() {
        let notes = notes([bad(1), (2, Note::Clear), bad(2), bad(5)]);
        assert_eq!(notes.cleared(), 2);
        assert_eq!(notes.between(0, 9).count(), 2);
        assert_eq!(notes.between(0, 5).count(), 1);
    }

    #[test]
    fn commands_are_mapped_to_their_typed_lines() {
        let argv = vec![Bytes::from("EVAL"), Bytes::from("x"), Bytes::from("0")];
        let notes = notes([bad(1), (1, Note::Evaluated { line: "--eval f".into(), argv: argv.clone() })]);
        assert_eq!(notes.evaluated().collect::<Vec<_>>(), [(argv.as_slice(), "--eval f")]);
    }

    #[test]
    fn oldest_notes_are_removed() {
        assert_eq!(notes((0..300).map(bad)).between(0, u32::MAX).count(), NOTES_MAX);
    }
}
