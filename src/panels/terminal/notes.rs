//! What the terminal itself has to say: answers to `HELP`, lines that could not be read. It is not part of the
//! session; it hangs on the step after which it was said and is hidden while the cursor stands before that.
use std::rc::Rc;

use bytes::Bytes;
use resp::split::SplitError;
use world::StepId;
use yew::Reducible;

/// `100 INCR n` runs that often; more is refused, the timeline is for people.
pub const REPEATS_MAX: u64 = 1_000;
/// Notes that are kept.
const NOTES_MAX: usize = 200;

/// Something said by the terminal, after a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// Nothing up to here is shown any more.
    Clear {
        /// The step.
        after: StepId,
    },
    /// `HELP`
    Help {
        /// The step.
        after: StepId,
        /// As typed.
        line: String,
        /// What help is wanted on.
        topic: Vec<Bytes>,
    },
    /// `HELP` at a database.
    Statements {
        /// The step.
        after: StepId,
        /// As typed.
        line: String,
    },
    /// A line with unbalanced quotes.
    Unbalanced {
        /// The step.
        after: StepId,
        /// As typed.
        line: String,
        /// What is wrong.
        why: SplitError,
    },
    /// `0 INCR n`
    BadRepeat {
        /// The step.
        after: StepId,
        /// As typed.
        line: String,
    },
    /// `--eval` of a file of the editor: the command that it became is shown as it was typed.
    Evaluated {
        /// The step before the command.
        after: StepId,
        /// As typed.
        line: String,
        /// The words of the command.
        argv: Vec<Bytes>,
    },
    /// `--eval` without a file, or of one that there is not.
    NoFile {
        /// The step.
        after: StepId,
        /// As typed.
        line: String,
        /// The name that was given.
        name: Option<Bytes>,
    },
    /// More than [`REPEATS_MAX`].
    TooManyRepeats {
        /// The step.
        after: StepId,
    },
}

impl Note {
    /// The step after which it was said.
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
    /// The step up to which nothing is shown.
    pub fn cleared(&self) -> StepId {
        let cleared = self.notes.iter().rev().find(|note| matches!(note, Note::Clear { .. }));
        cleared.map_or(0, Note::after)
    }

    /// Commands that were typed as something else (`--eval release.lua …`): their words, and what was typed.
    pub fn evaluated(&self) -> impl Iterator<Item = (&[Bytes], &str)> {
        self.notes.iter().filter_map(|note| match note {
            Note::Evaluated { line, argv, .. } => Some((argv.as_slice(), line.as_str())),
            _ => None,
        })
    }

    /// The notes that were said at or after `from` and before `until`, since the last clearing.
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
    fn a_clearing_hides_what_was_said_before() {
        let notes = [bad(1), Note::Clear { after: 2 }, bad(2), bad(5)]
            .into_iter()
            .fold(Rc::new(Notes::default()), Notes::reduce);
        assert_eq!(notes.cleared(), 2);
        assert_eq!(notes.between(0, 9).count(), 2);
        assert_eq!(notes.between(0, 5).count(), 1);
    }

    #[test]
    fn a_command_is_known_by_what_was_typed_for_it() {
        let argv = vec![Bytes::from("EVAL"), Bytes::from("x"), Bytes::from("0")];
        let evaluated = Note::Evaluated { after: 1, line: "--eval f".into(), argv: argv.clone() };
        let notes = [bad(1), evaluated].into_iter().fold(Rc::new(Notes::default()), Notes::reduce);
        assert_eq!(notes.evaluated().collect::<Vec<_>>(), [(argv.as_slice(), "--eval f")]);
    }

    #[test]
    fn old_notes_go() {
        let notes = (0..300).map(bad).fold(Rc::new(Notes::default()), Notes::reduce);
        assert_eq!(notes.between(0, u32::MAX).count(), NOTES_MAX);
    }
}
