//! Additional stages of a lesson with other nodes and clients, for tasks that name one.
use serde::{Deserialize, Serialize};

use super::{Budget, ClientGroup, Faults, Lesson};

/// An additional stage. It shares the lesson's programs, properties and explanations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Stage {
    /// Its id in tasks.
    pub id: String,
    /// Its clients.
    pub clients: Vec<ClientGroup>,
    /// Its nodes, in the syntax of [`Lesson::nodes`].
    pub nodes: Vec<String>,
    /// Setup commands, which are sent before its programs begin.
    pub setup: Vec<String>,
    /// The budget of "find a bug".
    pub budget: Budget,
}

/// A task to violate a property.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Break {
    /// The property.
    pub property: String,
    /// Length of the shortest violating schedule within the budget of [`Lesson::broken_by`], in steps.
    pub shortest: u32,
    /// The id of the stage; empty: the lesson's own.
    pub stage: String,
    /// The faults that may happen. `None`: those of the stage's budget.
    pub faults: Option<Faults>,
}

impl Lesson {
    /// The stage with this id.
    pub fn stage(&self, id: &str) -> Option<&Stage> {
        self.stages.iter().find(|stage| stage.id == id)
    }

    /// The lesson with its stage replaced by the one with this id; unchanged if there is none. The guided steps, which
    /// apply only to the lesson's own stage, are left out.
    pub fn on_stage(&self, id: &str) -> Lesson {
        let mut lesson = self.clone();
        if let Some(stage) = self.stage(id) {
            lesson.clients.clone_from(&stage.clients);
            lesson.nodes.clone_from(&stage.nodes);
            lesson.setup.clone_from(&stage.setup);
            lesson.budget = stage.budget;
            lesson.story.clear();
        }
        lesson
    }

    /// The lesson on the stage of a task to violate a property, with the faults of the task as its budget.
    pub fn broken_by(&self, task: &Break) -> Lesson {
        let mut lesson = self.on_stage(&task.stage);
        lesson.budget.faults = task.faults.unwrap_or(lesson.budget.faults);
        lesson
    }
}
