//! Scripts that a learner writes, and the cases in which their replies and effects are checked.
//!
//! ```text
//!   case.setup                                    commands before the case
//!   case.inputs    c1> EVAL {script} 1 item:1     `{script}` stands for the learner's script
//!   case.checks                                   claims that must hold at the end
//! ```
use serde::{Deserialize, Serialize};

use super::Lesson;
use super::achieve::Check;
use super::opening::quoted;
use super::repair::Wrong;

/// Placeholder in the inputs of a case for the script, which is one word there.
pub const SCRIPT: &str = "{script}";

/// A script to write.
#[derive(Clone, Debug, Default, Eq, Deserialize, Serialize)]
pub struct Scripting {
    /// The initial script; it fails in some case.
    pub start: String,
    /// The script of the solution.
    pub solution: String,
    /// Plausible scripts that fail. [`Wrong::variation`] is the first case in which they do; `property` and `way` are empty.
    pub wrong: Vec<Wrong>,
    /// A script must pass in all of these cases.
    pub cases: Vec<Case>,
}

/// A case in which the script runs. The learner sees it only when it has been tried.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Case {
    /// Its id in wrong answers.
    pub id: String,
    /// What is special about it, plain text.
    pub title: String,
    /// Commands that are sent before.
    pub setup: Vec<String>,
    /// The inputs, as lines of the world's text form, with [`SCRIPT`] in place of the script.
    pub inputs: Vec<String>,
    /// What must hold at the end.
    pub checks: Vec<Check>,
}

impl PartialEq for Scripting {
    // Written by hand: derived, it is part of each comparison of tasks.
    #[inline(never)]
    fn eq(&self, other: &Scripting) -> bool {
        let Scripting { start, solution, wrong, cases } = self;
        (start, solution, wrong, cases) == (&other.start, &other.solution, &other.wrong, &other.cases)
    }
}

impl Case {
    /// The lesson as it is before the inputs of the case.
    pub fn stage(&self, lesson: &Lesson) -> Lesson {
        let mut stage = lesson.clone();
        stage.setup.clone_from(&self.setup);
        stage
    }

    /// The inputs with this script.
    pub fn inputs_with(&self, script: &str) -> Vec<String> {
        let script = quoted(script);
        self.inputs.iter().map(|line| line.replace(SCRIPT, &script)).collect()
    }

    /// The whole session in the world's text form.
    ///
    /// ```
    /// use lesson::{Lesson, scripting::Case};
    /// let case = Case { setup: vec!["SET n 1".into()], inputs: vec!["c1> EVAL {script} 1 n".into()], ..Case::default() };
    /// let text = case.session(&Lesson::default(), "return 1\n");
    /// assert!(text.contains("setup> SET n 1\n") && text.contains("c1> EVAL \"return 1\\n\" 1 n\n"));
    /// ```
    pub fn session(&self, lesson: &Lesson, script: &str) -> String {
        self.stage(lesson).session(&self.inputs_with(script))
    }
}
