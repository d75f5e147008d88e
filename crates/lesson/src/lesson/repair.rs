//! Repairs: functions that a learner writes, the frame that calls them, and the variations of the stage on which they have to hold.
//!
//! ```text
//!   the stage's program             a variation                       what is searched
//!   functions  ──────────────────▶  the learner's functions  ──────▶  functions
//!   ---- frame ----                                                   ---- frame ----
//!   frame      ──────────────────▶  the same frame, or another  ───▶  frame
//! ```
//!
//! The frame enters, works, counts and leaves, and no one edits it. The first variation is the stage itself; the others have
//! other lengths of work, more clients, faults or another seed.
use super::{Budget, ClientGroup, Html, Lesson, Property};

/// The line between functions and frame; the machine that plays programs knows it by the same text.
pub const FRAME_MARK: &str = "---- frame ----";

/// Worlds that the search of one variation looks at, wherever it runs, so that a program is judged alike everywhere.
pub const STATES_MAX: usize = 300_000;

/// Steps of the longest schedule that is tried in a variation: more than a search within [`STATES_MAX`] gets to.
pub const DEPTH_MAX: u32 = 100_000;

/// A repair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repair {
    /// The program of the stage whose functions are edited.
    pub program: String,
    /// The functions that one begins with; they break something.
    pub start: String,
    /// Functions that pass.
    pub solution: String,
    /// Functions that look good and fail.
    pub wrong: Vec<Wrong>,
    /// On all of these a repair has to hold; the first one is the stage.
    pub variations: Vec<Variation>,
}

/// Functions that look good and fail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wrong {
    /// The variation in which it shows first.
    pub variation: String,
    /// The property that is broken there.
    pub property: String,
    /// What the client sends that breaks it, as one can recognise it: see `Way` in the explorer.
    pub way: String,
    /// Its heading, plain text.
    pub title: String,
    /// Why it fails.
    pub html: Html,
    /// The functions.
    pub text: String,
}

/// A stage on which a repair has to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variation {
    /// What wrong answers call it.
    pub id: String,
    /// What is different, plain text.
    pub title: String,
    /// The frame.
    pub frame: String,
    /// Commands that are sent before the programs begin.
    pub setup: Vec<String>,
    /// Start of all randomness; 0: as on the stage.
    pub seed: u64,
    /// Clients and faults.
    pub budget: Budget,
    /// What has to hold.
    pub properties: Vec<Property>,
}

/// One of several functions of which some survive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fix {
    /// Its heading, plain text; it does not give the answer away.
    pub title: String,
    /// Why it survives, or why not.
    pub html: Html,
    /// The functions.
    pub text: String,
    /// Does it hold on every variation of the repair?
    pub survives: bool,
}

/// The functions above a program's frame, and the frame; `None` where it has none.
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

/// A program of these functions and this frame.
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
    /// The lesson as one variation has it, with these functions.
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

    /// The variation of this name.
    pub fn variation(&self, id: &str) -> Option<&Variation> {
        self.variations.iter().find(|variation| variation.id == id)
    }
}

/// Which properties were put to the test. One that no schedule of any variation ever puts to the test is true of anything: functions
/// that leave it idle do not pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tested {
    /// Ids of properties in the order in which variations name them, each with the variation that does so first.
    seen: Vec<(String, String, bool)>,
}

impl Tested {
    /// Notes what a search of a variation has left idle: bit n stands for its property of number n.
    pub fn note(&mut self, variation: &Variation, untested: u32) {
        for (number, property) in (0_u32..).zip(&variation.properties) {
            let is_tested = untested.checked_shr(number).unwrap_or_default() & 1 == 0;
            match self.seen.iter_mut().find(|(id, ..)| *id == property.id) {
                Some((_, _, known)) => *known |= is_tested,
                None => self.seen.push((property.id.clone(), variation.id.clone(), is_tested)),
            }
        }
    }

    /// The first property that was never put to the test, and the variation that names it first.
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
    fn a_property_is_idle_that_no_variation_puts_to_the_test() {
        let mut tested = Tested::default();
        tested.note(&variation("stage", &["alive", "own"]), 0b10);
        assert_eq!(tested.idle(), Some(("own", "stage")));
        tested.note(&variation("quick", &["own", "free"]), 0b10);
        assert_eq!(tested.idle(), Some(("free", "quick")));
        tested.note(&variation("again", &["free"]), 0);
        assert_eq!(tested.idle(), None);
    }
}
