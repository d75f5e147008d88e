//! One lesson in one language.
pub mod achieve;
pub mod forecast;
pub mod handling;
pub(crate) mod opening;
mod read;
pub mod repair;
mod stage;
mod write;

use achieve::Achieve;
use forecast::Row;
use handling::Handling;
use repair::{Fix, Repair};
pub use stage::{Break, Stage};
use std::sync::Arc;

/// HTML that was made from a lesson's Markdown: safe to be put into the document.
pub type Html = String;

/// A lesson in one language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lesson {
    /// Folder of its track: `locks`.
    pub track: String,
    /// Its own folder: `setnx`.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// A sentence on what it is about, plain text.
    pub summary: String,
    /// How traffic is set up that begins with it, with its handler, as words after `@traffic begin`; empty: there is none.
    pub traffic: String,
    /// Panels that stand open, the most important first.
    pub panels: Vec<Panel>,
    /// The explanation: problem, application code, commands, why it breaks, what is kept and what is not.
    pub sections: Vec<Section>,
    /// Ids of sections and tasks in the order in which a learner meets them. A section behind a task explains what the task
    /// has shown: it opens when the task was tried, or when somebody asks for it.
    pub flow: Vec<String>,
    /// Programs of the clients.
    pub programs: Vec<Program>,
    /// Who is on the stage.
    pub clients: Vec<ClientGroup>,
    /// Nodes as in the head of the world's text form: `r1 none`. Empty: one without a disk.
    pub nodes: Vec<String>,
    /// Commands that are sent before the programs begin, as one types them.
    pub setup: Vec<String>,
    /// What the world watches.
    pub properties: Vec<Property>,
    /// How far "find a bug" looks.
    pub budget: Budget,
    /// Stages beside the lesson's own, for tasks that name one.
    pub stages: Vec<Stage>,
    /// What happens when one goes through it step by step.
    pub story: Vec<Step>,
    /// What the learner is asked to do.
    pub tasks: Vec<Task>,
}

/// A panel of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    /// Who sends what to whom, and when.
    Lanes,
    /// The programs with their lines.
    Programs,
    /// The server's queue.
    Queue,
    /// Which properties hold.
    Verdict,
    /// The keys.
    Keyspace,
    /// The inside of a key.
    Inside,
    /// Terminals to type into.
    Terminals,
    /// Messages on their way.
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

    /// The panel that is called so.
    pub fn named(name: &str) -> Option<Panel> {
        Panel::ALL.iter().find(|(other, _)| *other == name).map(|(_, panel)| *panel)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Panel::ALL.iter().find(|(_, panel)| *panel == self).map_or("", |(name, _)| name)
    }
}

/// A headed piece of text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// What it is called in links.
    pub id: String,
    /// Its heading, plain text.
    pub title: String,
    /// What it says.
    pub html: Html,
}

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Lua, comments in the lesson's language.
    pub text: String,
}

/// Clients that run the same program, or that only have a terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientGroup {
    /// What they are called before their numbers: `c` for c1, c2 …
    pub name: String,
    /// The program that they run; empty: none.
    pub program: String,
    /// How many they are.
    pub count: u32,
}

/// Something that should hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Property {
    /// What tasks call it.
    pub id: String,
    /// What people call it, plain text.
    pub title: String,
    /// The words after `@watch` in the world's text form.
    pub text: String,
    /// What "find a bug" finds.
    pub verdict: Verdict,
}

/// What a search within the budget finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// No schedule that breaks it.
    #[default]
    Holds,
    /// A schedule that breaks it.
    Broken {
        /// The steps of the shortest one.
        steps: u32,
    },
}

/// How often each fault may happen in one schedule; `docs/properties.md` says what each is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "source",
    derive(serde::Deserialize),
    serde(default, deny_unknown_fields, rename_all = "kebab-case")
)]
pub struct Faults {
    /// Crashes of clients.
    pub crashes: u32,
    /// Pauses ("stop-the-world").
    pub pauses: u32,
    /// Lost requests and replies.
    pub losses: u32,
    /// Crashed clients that are started again.
    pub restarts: u32,
    /// Clocks of clients that jump ahead.
    pub clock_jumps: u32,
    /// Requests that are held up.
    pub delays: u32,
    /// Crashes of nodes.
    pub node_crashes: u32,
    /// Crashed nodes that are started again.
    pub node_restarts: u32,
    /// Clocks of nodes that jump ahead.
    pub node_clock_jumps: u32,
    /// Links between clients and nodes that are cut.
    pub cuts: u32,
    /// Replies that are held up.
    pub reply_delays: u32,
}

impl Faults {
    /// All of them, in the order in which the world has them, and a compiled lesson.
    pub fn counts(mut self) -> [u32; 11] {
        self.in_order().map(|count| *count)
    }

    /// The same, to be changed.
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

/// How far a search goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Clients of each clients at most, in a variation of those that run the repaired program; 0: as many as are on the stage.
    pub clients: u32,
    /// What may go wrong.
    pub faults: Faults,
    /// The longest schedule, in steps.
    pub depth: u32,
}

/// A step of the story.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// What it is called in links.
    pub id: String,
    /// Its heading, plain text.
    pub title: String,
    /// What is told after it has happened.
    pub html: Html,
    /// What happens, as lines of the world's text form.
    pub inputs: Vec<String>,
}

/// What the learner is asked to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// What it is called in links and in the learner's progress.
    pub id: String,
    /// Its heading, plain text.
    pub title: String,
    /// What is asked.
    pub html: Html,
    /// From vague to plain.
    pub hints: Vec<Html>,
    /// What is told once it is done.
    pub solution: Html,
    /// What kind of task it is.
    pub kind: TaskKind,
}

/// Kinds of tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskKind {
    /// *Break it*: as scheduler, bring about a violation.
    Break(Break),
    /// *Do it*: reach a state, in any right way.
    Achieve(Achieve),
    /// *Repair it*: write functions that hold on every variation.
    Repair(Repair),
    /// *Write it*: a handler whose figures stay within bounds under every load.
    Handler(Arc<Handling>),
    /// *Choose*: which of these functions hold on every variation of a repair?
    Choose {
        /// The id of the task with the variations.
        of: String,
        /// What there is to choose from.
        fixes: Vec<Fix>,
    },
    /// *Predict*: what happens next?
    Predict {
        /// What has happened, as lines of the world's text form, from the beginning.
        after: Vec<String>,
        /// What happens next.
        then: Vec<String>,
        /// What may come of it.
        choices: Vec<Choice>,
    },
    /// *Forecast*: what becomes of the messages of each key?
    Forecast {
        /// What happens, as lines of the world's text form, from the beginning.
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

/// An answer to choose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// What it says.
    pub html: Html,
    /// What is said to the one who chooses it.
    pub reply: Html,
    /// Is it the right one?
    pub is_right: bool,
}

impl Lesson {
    /// Where the page finds it, relative to its document.
    pub fn path(track: &str, id: &str, language: &str) -> String {
        format!("lessons/{track}/{id}.{language}.txt")
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

    /// The section of this id.
    pub fn section(&self, id: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.id == id)
    }

    /// The task that opens a section: the last one before it in the flow.
    pub fn opened_by(&self, section: &str) -> Option<&Task> {
        let before = self.flow.iter().take_while(|id| *id != section);
        before.filter_map(|id| self.task(id)).last()
    }

    /// Is one of its nodes a database?
    pub fn has_tables(&self) -> bool {
        let nodes = self.nodes.iter().chain(self.stages.iter().flat_map(|stage| &stage.nodes));
        nodes.map(String::as_str).any(|words| words.split(' ').nth(1) == Some("table"))
    }

    /// Does any client run a program?
    pub fn has_programs(&self) -> bool {
        self.clients.iter().any(|clients| !clients.program.is_empty())
    }

    /// Names of all clients and of the programs that they run (empty: none), in the order in which they come onto the stage.
    pub fn clients(&self) -> impl Iterator<Item = (String, &str)> {
        self.clients
            .iter()
            .flat_map(|clients| (1..=clients.count).map(|n| (format!("{}{n}", clients.name), clients.program.as_str())))
    }
}
