//! One lesson in one language.
use serde::{Deserialize, Serialize};

pub mod achieve;
pub mod forecast;
pub mod handling;
pub(crate) mod opening;
pub mod repair;
pub mod scripting;
mod stage;

use crate::packed::{self, Unreadable};
use achieve::Achieve;
use forecast::Row;
use handling::Handling;
use repair::{Fix, Repair};
use scripting::Scripting;
pub use stage::{Break, Stage};
use std::sync::Arc;

/// HTML generated from a lesson's Markdown: safe to insert into the document.
pub type Html = String;

/// A lesson in one language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Lesson {
    /// Folder of its track: `locks`.
    pub track: String,
    /// Its own folder: `setnx`.
    pub id: String,
    /// The language of its texts: `en`.
    pub language: String,
    /// Its title.
    pub title: String,
    /// One sentence about its subject, plain text.
    pub summary: String,
    /// Settings of the traffic that starts with the lesson, including its handler, as words after `@traffic begin`; empty: no traffic.
    pub traffic: String,
    /// Panels that are open at the start, the most important first.
    pub panels: Vec<Panel>,
    /// The explanation: problem, application code, commands, why it breaks, which guarantees hold and which do not.
    pub sections: Vec<Section>,
    /// Ids of sections and tasks in reading order. A section after a task explains the result of
    /// the task: it opens when the learner has tried the task or opens it explicitly.
    pub flow: Vec<String>,
    /// Programs of the clients.
    pub programs: Vec<Program>,
    /// The clients on the stage.
    pub clients: Vec<ClientGroup>,
    /// Nodes in the syntax of the world's text form: `r1 none`. Empty: one node without a disk.
    pub nodes: Vec<String>,
    /// The time of day at which the clock starts, in minutes since midnight; `None`: as in any session.
    pub clock: Option<u32>,
    /// Commands that are sent before the programs begin, as typed.
    pub setup: Vec<String>,
    /// The properties that the world watches.
    pub properties: Vec<Property>,
    /// The budget of "find a bug".
    pub budget: Budget,
    /// Additional stages, for tasks that name one.
    pub stages: Vec<Stage>,
    /// The steps of the guided demonstration.
    pub story: Vec<Step>,
    /// The learner's tasks.
    pub tasks: Vec<Task>,
}

/// A panel of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Panel {
    /// Messages between clients and nodes over time.
    Lanes,
    /// The programs with their current lines.
    Programs,
    /// The server's queue.
    Queue,
    /// The status of the properties.
    Verdict,
    /// The keys.
    Keyspace,
    /// The internal representation of a key.
    Inside,
    /// The clients' terminals.
    Terminals,
    /// Messages in transit.
    River,
    /// Traffic and its figures.
    Traffic,
}

impl Panel {
    /// Every panel with its name in `lesson.toml`.
    pub const ALL: [(&'static str, Panel); 9] = [
        ("lanes", Panel::Lanes),
        ("programs", Panel::Programs),
        ("queue", Panel::Queue),
        ("verdict", Panel::Verdict),
        ("keyspace", Panel::Keyspace),
        ("inside", Panel::Inside),
        ("terminals", Panel::Terminals),
        ("river", Panel::River),
        ("traffic", Panel::Traffic),
    ];

    /// The panel with this name.
    pub fn named(name: &str) -> Option<Panel> {
        Panel::ALL.iter().find(|(other, _)| *other == name).map(|(_, panel)| *panel)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Panel::ALL.iter().find(|(_, panel)| *panel == self).map_or("", |(name, _)| name)
    }
}

/// A text with a heading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Section {
    /// Its id in links.
    pub id: String,
    /// Its heading, plain text.
    pub title: String,
    /// The text.
    pub html: Html,
}

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Lua, comments in the lesson's language.
    pub text: String,
}

/// Clients that run the same program, or that have only a terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct ClientGroup {
    /// Prefix of their names: `c` for c1, c2 …
    pub name: String,
    /// The name of their program; empty: none.
    pub program: String,
    /// Number of clients.
    pub count: u32,
}

/// A property that should hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Property {
    /// Its id in tasks.
    pub id: String,
    /// Its title, plain text.
    pub title: String,
    /// The words after `@watch` in the world's text form.
    pub text: String,
    /// The expected result of "find a bug".
    pub verdict: Verdict,
}

/// The result of a search within the budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub enum Verdict {
    /// No schedule breaks it.
    #[default]
    Holds,
    /// Some schedule breaks it.
    Broken {
        /// The number of steps of the shortest one.
        steps: u32,
    },
}

/// How often each fault may happen in one schedule; `docs/properties.md` describes the faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Faults {
    /// Crashes of clients.
    pub crashes: u32,
    /// Pauses ("stop-the-world").
    pub pauses: u32,
    /// Lost requests and replies.
    pub losses: u32,
    /// Restarts of crashed clients.
    pub restarts: u32,
    /// Forward jumps of clients' clocks.
    pub clock_jumps: u32,
    /// Delayed requests.
    pub delays: u32,
    /// Crashes of nodes.
    pub node_crashes: u32,
    /// Restarts of crashed nodes.
    pub node_restarts: u32,
    /// Forward jumps of nodes' clocks.
    pub node_clock_jumps: u32,
    /// Cut links between clients and nodes.
    pub cuts: u32,
    /// Delayed replies.
    pub reply_delays: u32,
}

impl Faults {
    /// All counts, in the order of the world.
    pub fn counts(mut self) -> [u32; 11] {
        self.in_order().map(|count| *count)
    }

    /// Mutable references to all counts, in the same order.
    pub(crate) fn in_order(&mut self) -> [&mut u32; 11] {
        let Faults {
            crashes,
            pauses,
            losses,
            restarts,
            clock_jumps,
            delays,
            node_crashes,
            node_restarts,
            node_clock_jumps,
            cuts,
            reply_delays,
        } = self;
        [
            crashes,
            pauses,
            losses,
            restarts,
            clock_jumps,
            delays,
            node_crashes,
            node_restarts,
            node_clock_jumps,
            cuts,
            reply_delays,
        ]
    }
}

/// The budget of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Budget {
    /// Most clients per group; in a variation, clients that run the repaired program. 0: all on the stage.
    pub clients: u32,
    /// The faults that may happen.
    pub faults: Faults,
    /// Maximum length of a schedule, in steps.
    pub depth: u32,
}

/// A step of the guided demonstration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Step {
    /// Its id in links.
    pub id: String,
    /// Its heading, plain text.
    pub title: String,
    /// The explanation shown after the step.
    pub html: Html,
    /// The inputs, as lines of the world's text form.
    pub inputs: Vec<String>,
}

/// A task for the learner.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Task {
    /// Its id in links and in the learner's progress.
    pub id: String,
    /// Its heading, plain text.
    pub title: String,
    /// The question or instruction.
    pub html: Html,
    /// Hints, from vague to concrete.
    pub hints: Vec<Html>,
    /// The explanation shown after the task is done.
    pub solution: Html,
    /// The kind of task, with its data.
    pub kind: TaskKind,
}

/// Kinds of tasks.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum TaskKind {
    /// *Break it*: schedule the clients so that a property is violated.
    Break(Break),
    /// *Do it*: reach a state in any valid way.
    Achieve(Achieve),
    /// *Repair it*: write functions that pass on every variation.
    Repair(Repair),
    /// *Write it*: a handler whose metrics stay within bounds under every load.
    Handler(Arc<Handling>),
    /// *Write it*: a script whose replies and effects are right in every case.
    Script(Arc<Scripting>),
    /// *Choose*: which of these functions pass on every variation of a repair?
    Choose {
        /// The id of the task with the variations.
        of: String,
        /// The choices.
        fixes: Vec<Fix>,
    },
    /// *Predict*: what happens next?
    Predict {
        /// The inputs before the question, as lines of the world's text form, from the beginning.
        after: Vec<String>,
        /// The next inputs.
        then: Vec<String>,
        /// The possible answers.
        choices: Vec<Choice>,
    },
    /// *Forecast*: what happens to the messages of each key?
    Forecast {
        /// The inputs, as lines of the world's text form, from the beginning.
        inputs: Vec<String>,
        /// The rows of the table.
        rows: Vec<Row>,
    },
}

impl Default for TaskKind {
    fn default() -> TaskKind {
        TaskKind::Predict { after: Vec::new(), then: Vec::new(), choices: Vec::new() }
    }
}

/// A possible answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Choice {
    /// The text of the answer.
    pub html: Html,
    /// The feedback for this answer.
    pub reply: Html,
    /// Whether it is correct.
    pub is_right: bool,
}

/// The name of the format.
const WHAT: &str = "lockstep-lesson";

impl Lesson {
    /// Encodes the lesson.
    pub fn write(&self) -> Vec<u8> {
        packed::write(WHAT, self.has_programs().then_some(packed::PROGRAMS), self)
    }

    /// Decodes a compiled lesson.
    ///
    /// # Errors
    /// [`Unreadable`]
    pub fn read(file: &[u8]) -> Result<Lesson, Unreadable> {
        packed::read(WHAT, file)
    }

    /// The path of the compiled lesson, relative to the page's document.
    pub fn path(track: &str, id: &str, language: &str) -> String {
        format!("lessons/{track}/{id}.{language}.bin")
    }

    /// The program of this name.
    pub fn program(&self, name: &str) -> Option<&Program> {
        self.programs.iter().find(|program| program.name == name)
    }

    /// The task of this id.
    pub fn task(&self, id: &str) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == id)
    }

    /// The repair of the task of this id.
    pub fn repair(&self, id: &str) -> Option<&Repair> {
        match &self.task(id)?.kind {
            TaskKind::Repair(repair) => Some(repair),
            _ => None,
        }
    }

    /// The handler to write in the task of this id.
    pub fn handling(&self, id: &str) -> Option<&Handling> {
        match &self.task(id)?.kind {
            TaskKind::Handler(handling) => Some(handling),
            _ => None,
        }
    }

    /// The script to write in the task of this id.
    pub fn scripting(&self, id: &str) -> Option<&Scripting> {
        match &self.task(id)?.kind {
            TaskKind::Script(scripting) => Some(scripting),
            _ => None,
        }
    }

    /// The section of this id.
    pub fn section(&self, id: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.id == id)
    }

    /// The task after which a section opens: the last task before it in the flow.
    pub fn opened_by(&self, section: &str) -> Option<&Task> {
        let before = self.flow.iter().take_while(|id| *id != section);
        before.filter_map(|id| self.task(id)).last()
    }

    /// Whether one of its nodes is a database.
    pub fn has_tables(&self) -> bool {
        let nodes = self.nodes.iter().chain(self.stages.iter().flat_map(|stage| &stage.nodes));
        nodes.map(String::as_str).any(|words| words.split(' ').nth(1) == Some("table"))
    }

    /// Whether any client runs a program.
    pub fn has_programs(&self) -> bool {
        self.clients.iter().any(|clients| !clients.program.is_empty())
    }

    /// Names of all clients and of their programs (empty: none), in the order in which the clients are created.
    pub fn clients(&self) -> impl Iterator<Item = (String, &str)> {
        self.clients
            .iter()
            .flat_map(|clients| (1..=clients.count).map(|n| (format!("{}{n}", clients.name), clients.program.as_str())))
    }
}
