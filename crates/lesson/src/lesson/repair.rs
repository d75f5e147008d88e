//! Repairs: functions that a learner writes, the frame that calls them, and the variations of the stage on which they must pass.
//!
//! ```text
//!   the stage's program             a variation                       the searched program
//!   functions  ──────────────────▶  the learner's functions  ──────▶  functions
//!   ---- frame ----                                                   ---- frame ----
//!   frame      ──────────────────▶  the same frame, or another  ───▶  frame
//! ```
//!
//! The frame enters, works, counts and leaves; the learner cannot edit it. The first variation is the stage itself; the others have
//! other working times, more clients, faults or another seed.
use serde::{Deserialize, Serialize};

use super::{Budget, ClientGroup, Html, Lesson, Property};

/// The line between functions and frame; the machine that plays programs uses the same text.
pub const FRAME_MARK: &str = "---- frame ----";

/// Most worlds per search of a variation: the same everywhere, so that the verdict does not depend on the platform.
pub const STATES_MAX: usize = 300_000;

/// Maximum length of a schedule in a variation, in steps: more than a search within [`STATES_MAX`] reaches.
pub const DEPTH_MAX: u32 = 100_000;

/// A repair.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Repair {
    /// The program of the stage whose functions are edited.
    pub program: String,
    /// The initial functions; they violate a property.
    pub start: String,
    /// The functions of the solution.
    pub solution: String,
    /// Plausible functions that fail.
    pub wrong: Vec<Wrong>,
    /// A repair must pass on all of these variations; the first one is the stage.
    pub variations: Vec<Variation>,
}

/// Plausible functions that fail.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Wrong {
    /// The first variation in which they fail.
    pub variation: String,
    /// The property that they violate there.
    pub property: String,
    /// The commands of the failing client, by which this mistake is recognised: see `Way` in the explorer.
    pub way: String,
    /// Its heading, plain text.
    pub title: String,
    /// Why they fail.
    pub html: Html,
    /// The functions.
    pub text: String,
}

/// A stage on which a repair must pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Variation {
    /// Its id in wrong answers.
    pub id: String,
    /// The difference from the stage, plain text.
    pub title: String,
    /// The frame.
    pub frame: String,
    /// Commands that are sent before the programs begin.
    pub setup: Vec<String>,
    /// The random seed; 0: that of the stage.
    pub seed: u64,
    /// Limits of clients and faults.
    pub budget: Budget,
    /// The properties that must hold.
    pub properties: Vec<Property>,
}

/// One of the choices; some of them pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Fix {
    /// Its heading, plain text; it does not give the answer away.
    pub title: String,
    /// Why it passes or fails.
    pub html: Html,
    /// The functions.
    pub text: String,
    /// Whether it passes on every variation of the repair.
    pub survives: bool,
}

/// The functions above a program's frame, and the frame; `None` if it has no frame.
pub fn split(program: &str) -> Option<(&str, &str)> {
    let mut start = 0_usize;
    let mut found = None;
    for line in program.split_inclusive('\n') {
        let end = start.saturating_add(line.len());
        if line.trim() == FRAME_MARK {
            found = Some((start, end));
        }
        start = end;
    }
    let (start, end) = found?;
    Some((program.get(..start)?, program.get(end..)?))
}

/// Joins functions and a frame to a program.
///
/// ```
/// use lesson::repair::{join, split};
/// let program = join("function acquire() end", "acquire()\n");
/// assert_eq!(program, "function acquire() end\n\n---- frame ----\nacquire()\n");
/// assert_eq!(split(&program), Some(("function acquire() end\n\n", "acquire()\n")));
/// ```
pub fn join(functions: &str, frame: &str) -> String {
    format!("{}\n\n{FRAME_MARK}\n{frame}", functions.trim_end())
}

impl Repair {
    /// The lesson in this variation, with these functions.
    pub fn varied(&self, lesson: &Lesson, variation: &Variation, functions: &str) -> Lesson {
        let mut varied = lesson.with_program(&self.program, &join(functions, &variation.frame));
        varied.setup.clone_from(&variation.setup);
        varied.properties.clone_from(&variation.properties);
        varied.budget = variation.budget;
        let is_varied = |clients: &&mut ClientGroup| variation.budget.clients > 0 && clients.program == self.program;
        for clients in varied.clients.iter_mut().filter(is_varied) {
            clients.count = variation.budget.clients;
        }
        varied
    }

    /// The variation with this id.
    pub fn variation(&self, id: &str) -> Option<&Variation> {
        self.variations.iter().find(|variation| variation.id == id)
    }
}

/// Tracks which properties were exercised. A property that no schedule of any variation exercises holds trivially: functions
/// that leave a property idle do not pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tested {
    /// Ids of the properties in the order in which variations name them, each with its first variation.
    seen: Vec<(String, String, bool)>,
}

impl Tested {
    /// Records the properties that a search of a variation has left idle: bit n represents its property with index n.
    pub fn note(&mut self, variation: &Variation, untested: u32) {
        for (number, property) in (0_u32..).zip(&variation.properties) {
            let is_tested = untested.checked_shr(number).unwrap_or_default() & 1 == 0;
            match self.seen.iter_mut().find(|(id, ..)| *id == property.id) {
                Some((_, _, known)) => *known |= is_tested,
                None => self.seen.push((property.id.clone(), variation.id.clone(), is_tested)),
            }
        }
    }

    /// The first property that was never exercised, and the first variation that names it.
    pub fn idle(&self) -> Option<(&str, &str)> {
        self.seen.iter().find(|(.., is_tested)| !is_tested).map(|(id, variation, _)| (id.as_str(), variation.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Property, Tested, Variation};

    fn variation(id: &str, properties: &[&str]) -> Variation {
        let properties = properties.iter().map(|id| Property { id: (*id).to_owned(), ..Property::default() });
        Variation { id: id.to_owned(), properties: properties.collect(), ..Variation::default() }
    }

    #[test]
    fn property_is_idle_if_no_variation_exercises_it() {
        let mut tested = Tested::default();
        tested.note(&variation("stage", &["alive", "own"]), 0b10);
        assert_eq!(tested.idle(), Some(("own", "stage")));
        tested.note(&variation("quick", &["own", "free"]), 0b10);
        assert_eq!(tested.idle(), Some(("free", "quick")));
        tested.note(&variation("again", &["free"]), 0);
        assert_eq!(tested.idle(), None);
    }
}
