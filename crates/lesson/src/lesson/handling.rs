//! Traffic handlers that a learner writes, and the variations under which their metrics must stay within bounds.
//!
//! ```text
//!   lesson.traffic  +  variation.traffic  +  the learner's handler  ─▶  @traffic begin …
//!                      variation.inputs                             ─▶  elapsed time, crashes, statements of other clients
//!                      variation.bounds                             ─▶  metrics measured at the end
//! ```
use serde::{Deserialize, Serialize};

use super::opening::quoted;
use super::repair::Wrong;
use super::{Lesson, Property};

/// A handler to write.
#[derive(Clone, Debug, Default, Eq, Deserialize, Serialize)]
pub struct Handling {
    /// The initial handler; one of its metrics is out of bounds.
    pub start: String,
    /// The handler of the solution.
    pub solution: String,
    /// Plausible handlers that fail. [`Wrong::property`] is the violated bound; `way` is empty.
    pub wrong: Vec<Wrong>,
    /// A handler must pass under all of these variations.
    pub variations: Vec<Load>,
}

/// The traffic of one variation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Load {
    /// Its id in wrong answers.
    pub id: String,
    /// The difference from the lesson's traffic, plain text.
    pub title: String,
    /// Nodes, in the syntax of [`Lesson::nodes`].
    pub nodes: Vec<String>,
    /// Commands that are sent before traffic begins.
    pub setup: Vec<String>,
    /// Settings of the traffic, without the handler.
    pub traffic: String,
    /// The inputs after the start, as lines of the world's text form.
    pub inputs: Vec<String>,
    /// The bounds that must hold at the end; [`Property::text`] is a claim.
    pub bounds: Vec<Property>,
}

impl PartialEq for Handling {
    // Written by hand: derived, it is part of each comparison of tasks.
    #[inline(never)]
    fn eq(&self, other: &Handling) -> bool {
        let Handling { start, solution, wrong, variations } = self;
        (start, solution, wrong, variations) == (&other.start, &other.solution, &other.wrong, &other.variations)
    }
}

impl Handling {
    /// The variation with this id.
    pub fn variation(&self, id: &str) -> Option<&Load> {
        self.variations.iter().find(|load| load.id == id)
    }
}

impl Load {
    /// The lesson with this load and handler, after the start of the traffic.
    pub fn varied(&self, lesson: &Lesson, handler: &str) -> Lesson {
        let mut varied = lesson.clone();
        varied.nodes.clone_from(&self.nodes);
        varied.setup.clone_from(&self.setup);
        varied.traffic = with_handler(&self.traffic, handler);
        varied
    }

    /// The whole session in the world's text form.
    ///
    /// ```
    /// use lesson::{Lesson, handling::Load};
    /// let load = Load { traffic: "rate 50".into(), inputs: vec!["@+1000ms".into()], ..Load::default() };
    /// let text = load.session(&Lesson::default(), "function get(id) return 1 end\n");
    /// assert!(text.contains("@traffic begin rate 50 lua \"function get(id) return 1 end\\n\"\n@+1000ms\n"));
    /// ```
    pub fn session(&self, lesson: &Lesson, handler: &str) -> String {
        self.varied(lesson, handler).session(&self.inputs)
    }
}

/// Settings of the traffic including a handler.
pub fn with_handler(traffic: &str, handler: &str) -> String {
    let words = [traffic.trim(), "lua", &quoted(handler)];
    words.iter().filter(|word| !word.is_empty()).copied().collect::<Vec<_>>().join(" ")
}
