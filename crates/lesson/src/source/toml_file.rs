//! `lesson.toml` and `track.toml`: their fields and positions.
use super::Mistake;
use crate::lesson::Faults;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
pub use toml::Spanned;

/// A text in both languages.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Both {
    en: String,
    #[serde(rename = "zh-CN")]
    zh_cn: String,
}

impl Both {
    /// The text in one of [`crate::LANGUAGES`].
    pub fn of(&self, language: usize) -> &str {
        if language == 0 { &self.en } else { &self.zh_cn }
    }
}

/// `track.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrackToml {
    pub order: u32,
    pub title: Both,
    pub summary: Both,
}

/// `lesson.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LessonToml {
    pub order: u32,
    pub title: Both,
    pub summary: Both,
    pub panels: Vec<Spanned<String>>,
    pub sections: Vec<Spanned<String>>,
    #[serde(default)]
    pub nodes: Vec<Spanned<String>>,
    /// The time of day at which the clock of the stage starts: `23:00`.
    pub clock: Option<Spanned<String>>,
    #[serde(default)]
    pub setup: Vec<String>,
    /// Settings of the traffic that starts with the lesson, without its handler.
    pub traffic: Option<Spanned<String>>,
    /// The file of its handler.
    pub handler: Option<Spanned<String>>,
    #[serde(default)]
    pub budget: Option<BudgetToml>,
    #[serde(rename = "client", default)]
    pub clients: Vec<ClientToml>,
    #[serde(rename = "stage", default)]
    pub stages: Vec<StageToml>,
    #[serde(rename = "property", default)]
    pub properties: Vec<PropertyToml>,
    /// Properties that only variations of repairs watch.
    #[serde(rename = "check", default)]
    pub checks: Vec<PropertyToml>,
    /// Reading order of sections and tasks; by default, sections come first.
    #[serde(default)]
    pub flow: Option<Vec<Spanned<String>>>,
    #[serde(rename = "step", default)]
    pub steps: Vec<StepToml>,
    #[serde(rename = "task", default)]
    pub tasks: Vec<TaskToml>,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetToml {
    #[serde(default)]
    pub clients: u32,
    #[serde(default)]
    pub faults: Faults,
    pub depth: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientToml {
    pub name: Spanned<String>,
    pub program: Option<Spanned<String>>,
    pub count: Spanned<u32>,
}

/// An additional stage.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageToml {
    pub id: Spanned<String>,
    #[serde(default)]
    pub nodes: Vec<Spanned<String>>,
    #[serde(default)]
    pub setup: Vec<String>,
    #[serde(rename = "client")]
    pub clients: Vec<ClientToml>,
    pub budget: BudgetToml,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PropertyToml {
    pub id: Spanned<String>,
    pub title: Both,
    pub watch: String,
    pub broken: Option<u32>,
    #[serde(rename = "broken-by")]
    pub broken_by: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepToml {
    pub id: Spanned<String>,
    #[serde(rename = "do")]
    pub inputs: Vec<String>,
    #[serde(default)]
    pub breaks: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskToml {
    pub id: Spanned<String>,
    pub kind: Spanned<String>,
    #[serde(default)]
    pub hints: u32,
    pub property: Option<Spanned<String>>,
    pub stage: Option<Spanned<String>>,
    pub broken: Option<Spanned<u32>>,
    pub faults: Option<Spanned<Faults>>,
    pub program: Option<Spanned<String>>,
    pub properties: Option<Vec<Spanned<String>>>,
    pub start: Option<Spanned<String>>,
    pub solution: Option<Spanned<SolutionToml>>,
    pub right: Option<Spanned<Vec<Spanned<String>>>>,
    pub wrong: Option<Spanned<Vec<WrongToml>>>,
    pub cheats: Option<Spanned<Vec<WrongToml>>>,
    #[serde(rename = "variation", default)]
    pub variations: Vec<VariationToml>,
    #[serde(default)]
    pub harmless: Vec<HarmlessToml>,
    #[serde(default)]
    pub when: Vec<Spanned<ClaimToml>>,
    pub ways: Option<Spanned<Vec<Vec<String>>>>,
    pub of: Option<Spanned<String>>,
    pub after: Option<Spanned<Vec<String>>>,
    pub then: Option<Spanned<Vec<String>>>,
    pub choices: Option<Spanned<Vec<Spanned<String>>>>,
    pub answer: Option<Spanned<String>>,
    pub shows: Option<Spanned<String>>,
    pub breaks: Option<Spanned<String>>,
    /// A claim about the running traffic: `traffic queries-peak in 900 1100`.
    pub counts: Option<Spanned<String>>,
    #[serde(rename = "do")]
    pub inputs: Option<Spanned<Vec<String>>>,
    pub rows: Option<Spanned<Vec<RowToml>>>,
}

/// A row of a *forecast* table: messages with the same key.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowToml {
    pub key: Spanned<String>,
    /// One line of Markdown.
    pub title: Both,
    pub expect: Vec<Spanned<String>>,
}

/// The solution: for a repair a file of functions, for a state to reach session lines.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "a solution is the file of functions or, for a state to reach, a list of lines of a session"
)]
pub enum SolutionToml {
    File(String),
    Lines(Vec<String>),
}

impl SolutionToml {
    pub fn file(&self) -> Option<&str> {
        match self {
            SolutionToml::File(file) => Some(file),
            SolutionToml::Lines(_) => None,
        }
    }

    pub fn lines(&self) -> Option<&[String]> {
        match self {
            SolutionToml::File(_) => None,
            SolutionToml::Lines(lines) => Some(lines),
        }
    }
}

/// A plausible but wrong answer: functions for a repair, with the place of their first failure; or a way to a state, with its criteria.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrongToml {
    pub program: Option<Spanned<String>>,
    pub property: Option<Spanned<String>>,
    /// The first failing variation; default: the first one.
    pub variation: Option<Spanned<String>>,
    #[serde(default)]
    pub way: String,
    pub id: Option<Spanned<String>>,
    #[serde(default)]
    pub when: Vec<Spanned<ClaimToml>>,
    /// Session lines that follow this way.
    pub example: Option<Vec<String>>,
}

/// A claim in the author's notation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ClaimToml {
    /// The text for the learner.
    pub text: Option<Both>,
    pub ask: Option<String>,
    pub reply: Option<String>,
    pub is: Option<Texts>,
    pub not: Option<Texts>,
    /// An inclusive range: `1..10`, `1..`, `..10`.
    #[serde(rename = "in")]
    pub within: Option<String>,
    pub at_most: Option<u32>,
    pub at_least: Option<u32>,
    pub without: Option<Texts>,
    pub sent: Option<Texts>,
    pub lacks: Option<Texts>,
    pub by: Option<String>,
    /// A metric of traffic with an optional time span: `queries-peak from 60000`.
    pub traffic: Option<String>,
    /// The file of the running handler.
    pub handler: Option<Spanned<String>>,
    pub closed: Option<String>,
    pub not_closed: Option<String>,
    pub because: Option<Texts>,
}

/// One text or a list.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a text or a list of texts")]
pub enum Texts {
    One(String),
    All(Vec<String>),
}

impl Texts {
    pub fn all(&self) -> &[String] {
        match self {
            Texts::One(text) => std::slice::from_ref(text),
            Texts::All(texts) => texts,
        }
    }
}

/// A variation of the stage.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariationToml {
    pub id: Spanned<String>,
    pub title: Both,
    /// A file with another frame.
    pub frame: Option<Spanned<String>>,
    /// Other values for local variables of the frame, each defined by a line `local name = …`.
    #[serde(default)]
    pub set: BTreeMap<Spanned<String>, String>,
    pub setup: Option<Vec<String>>,
    /// For a handler: nodes in place of the lesson's.
    pub nodes: Option<Vec<Spanned<String>>>,
    /// For a handler: settings that override the lesson's traffic.
    pub traffic: Option<Spanned<String>>,
    /// For a handler: inputs after the start of the traffic. For a script: inputs that run it.
    #[serde(rename = "do")]
    pub inputs: Option<Spanned<Vec<String>>>,
    /// For a script: what must hold at the end.
    #[serde(default)]
    pub when: Vec<Spanned<ClaimToml>>,
    #[serde(default)]
    pub seed: u64,
    #[serde(default)]
    pub clients: u32,
    #[serde(default)]
    pub faults: Faults,
    /// Default: the task's.
    pub properties: Option<Vec<Spanned<String>>>,
}

/// A part of a solution that can be deleted or replaced without making it fail.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HarmlessToml {
    /// The file; default: the solution.
    pub program: Option<Spanned<String>>,
    /// A line of the file, without surrounding whitespace.
    pub line: Spanned<String>,
    /// The constant to replace, as written; without it, the statement is deleted.
    pub what: Option<String>,
    /// Why the change is harmless.
    pub why: String,
}

/// Line index of a file.
pub struct Lines {
    path: PathBuf,
    text: String,
}

impl Lines {
    /// A mistake at this byte range of the file.
    pub fn fault(&self, span: Range<usize>, what: impl Into<String>) -> Mistake {
        let before = self.text.as_bytes().get(..span.start).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count().saturating_add(1);
        Mistake { path: self.path.clone(), line, what: what.into() }
    }
}

/// Parses a file; adds its mistakes to `faults`.
pub fn read<T: DeserializeOwned>(path: &Path, faults: &mut Vec<Mistake>) -> Option<(T, Lines)> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            faults.push(Mistake { path: path.to_path_buf(), line: 0, what: error.to_string() });
            return None;
        }
    };
    let lines = Lines { path: path.to_path_buf(), text };
    match toml::from_str(&lines.text) {
        Ok(value) => Some((value, lines)),
        Err(error) => {
            faults.push(lines.fault(error.span().unwrap_or_default(), error.message()));
            None
        }
    }
}
