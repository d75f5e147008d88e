//! Stages beside the lesson's own: other nodes and clients, for a task that names one.
use super::{Budget, ClientGroup, Faults, Lesson};

/// Another stage of a lesson. Programs, properties and explanations are the lesson's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    /// What tasks call it.
    pub id: String,
    /// Its clients.
    pub clients: Vec<ClientGroup>,
    /// Its nodes, as those of a lesson.
    pub nodes: Vec<String>,
    /// Commands that are sent before its programs begin.
    pub setup: Vec<String>,
    /// How far "find a bug" looks on it.
    pub budget: Budget,
}

/// A task to break a property.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Break {
    /// The property.
    pub property: String,
    /// Steps of the shortest schedule within [`Lesson::broken_by`]'s budget.
    pub shortest: u32,
    /// The stage on which it happens; empty: the lesson's own.
    pub stage: String,
    /// What may go wrong, if not what the stage's budget says.
    pub faults: Option<Faults>,
}

impl Lesson {
    /// The stage of this id.
    pub fn stage(&self, id: &str) -> Option<&Stage> {
        self.stages.iter().find(|stage| stage.id == id)
    }

    /// The lesson with the stage of this id in place of its own; the lesson itself where there is none. Its story, which happens on its
    /// own stage only, is left out.
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

    /// The lesson on the stage of a task to break something, with what may go wrong in it as its budget.
    pub fn broken_by(&self, task: &Break) -> Lesson {
        let mut lesson = self.on_stage(&task.stage);
        lesson.budget.faults = task.faults.unwrap_or(lesson.budget.faults);
        lesson
    }
}
