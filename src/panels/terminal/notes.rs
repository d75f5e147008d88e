//! Messages of the terminal itself: replies to `HELP`, lines that could not be parsed. They are not part of the session: each belongs to
//! the step after which it was shown, and is hidden while the cursor is before that step.
use std::rc::Rc;

use bytes::Bytes;
use resp::split::SplitError;
use world::StepId;
use yew::Reducible;

/// Maximum count of `100 INCR n`; more is refused, because people have to be able to read the timeline.
pub const REPEATS_MAX: u64 = 1_000;
/// Maximum number of notes; older ones are removed.
const NOTES_MAX: usize = 200;

/// A message of the terminal after a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// Ctrl-L: hides everything up to here.
    Clear {
        /// The step after which it was shown.
        after: StepId,
    },
    /// `HELP`
    Help {
        /// The step after which it was shown.
        after: StepId,
        /// The line as typed.
        line: String,
        /// The words after `HELP`.
        topic: Vec<Bytes>,
    },
    /// `HELP` in a terminal of a database.
    Statements {
        /// The step after which it was shown.
        after: StepId,
        /// The line as typed.
        line: String,
    },
    /// A line with unbalanced quotes.
    Unbalanced {
        /// The step after which it was shown.
        after: StepId,
        /// The line as typed.
        line: String,
        /// The error.
        why: SplitError,
    },
    /// `0 INCR n`
    BadRepeat {
        /// The step after which it was shown.
        after: StepId,
        /// The line as typed.
        line: String,
    },
    /// `--eval` of a file of the editor: its command is shown as the line that was typed.
    Evaluated {
        /// The step before the command.
        after: StepId,
        /// The line as typed.
        line: String,
        /// The words of the command.
        argv: Vec<Bytes>,
    },
    /// `--eval` without a file, or of a file that does not exist.
    NoFile {
        /// The step after which it was shown.
        after: StepId,
        /// The line as typed.
        line: String,
        /// The name that was given.
        name: Option<Bytes>,
    },
    /// More than [`REPEATS_MAX`].
    TooManyRepeats {
        /// The step after which it was shown.
        after: StepId,
    },
}

impl Note {
    /// The step after which it was shown.
    pub fn after(&self) -> StepId {
        match self {
            Note::Clear { after }
            | Note::Help { after, .. }
            | Note::Statements { after, .. }
            | Note::Unbalanced { after, .. }
            | Note::BadRepeat { after, .. }
            | Note::Evaluated { after, .. }
            | Note::NoFile { after, .. }
            | Note::TooManyRepeats { after } => *after,
        }
    }
}

/// All notes of a terminal, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    notes: Rc<Vec<Note>>,
}

impl Notes {
    /// The step up to which everything is hidden; 0 if the log was never cleared.
    pub fn cleared(&self) -> StepId {
        let cleared = self.notes.iter().rev().find(|note| matches!(note, Note::Clear { .. }));
        cleared.map_or(0, Note::after)
    }

    /// Commands that were typed as another line (`--eval release.lua …`): their words, and the typed line.
    pub fn evaluated(&self) -> impl Iterator<Item = (&[Bytes], &str)> {
        self.notes.iter().filter_map(|note| match note {
            Note::Evaluated { line, argv, .. } => Some((argv.as_slice(), line.as_str())),
            _ => None,
        })
    }

    /// The notes shown at or after step `from` and before `until`, since the log was last cleared.
    pub fn between(&self, from: StepId, until: StepId) -> impl Iterator<Item = &Note> {
        let start = self.notes.iter().rposition(|note| matches!(note, Note::Clear { .. })).map_or(0, |i| i + 1);
        self.notes.iter().skip(start).filter(move |note| note.after() >= from && note.after() < until)
    }
}

impl Reducible for Notes {
    type Action = Note;

    fn reduce(self: Rc<Self>, note: Note) -> Rc<Self> {
        let mut notes = (*self.notes).clone();
        notes.push(note);
        let surplus = notes.len().saturating_sub(NOTES_MAX);
        notes.drain(..surplus);
        Rc::new(Notes { notes: Rc::new(notes) })
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use bytes::Bytes;
    use yew::Reducible;

    use super::{NOTES_MAX, Note, Notes};

    fn bad(after: u32) -> Note {
        Note::BadRepeat { after, line: String::new() }
    }

    #[test]
    fn clearing_hides_earlier_notes() {
        let notes = [bad(1), Note::Clear { after: 2 }, bad(2), bad(5)]
            .into_iter()
            .fold(Rc::new(Notes::default()), Notes::reduce);
        assert_eq!(notes.cleared(), 2);
        assert_eq!(notes.between(0, 9).count(), 2);
        assert_eq!(notes.between(0, 5).count(), 1);
    }

    #[test]
    fn commands_are_mapped_to_their_typed_lines() {
        let argv = vec![Bytes::from("EVAL"), Bytes::from("x"), Bytes::from("0")];
        let evaluated = Note::Evaluated { after: 1, line: "--eval f".into(), argv: argv.clone() };
        let notes = [bad(1), evaluated].into_iter().fold(Rc::new(Notes::default()), Notes::reduce);
        assert_eq!(notes.evaluated().collect::<Vec<_>>(), [(argv.as_slice(), "--eval f")]);
    }

    #[test]
    fn oldest_notes_are_removed() {
        let notes = (0..300).map(bad).fold(Rc::new(Notes::default()), Notes::reduce);
        assert_eq!(notes.between(0, u32::MAX).count(), NOTES_MAX);
    }
}
