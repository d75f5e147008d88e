//! `lesson.toml` and `track.toml`: their fields, and where each stands.
use super::Fault;
use serde::Deserialize;
use serde::de::DeserializeOwned;
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
    pub setup: Vec<String>,
    #[serde(default)]
    pub budget: Option<BudgetToml>,
    #[serde(rename = "client", default)]
    pub clients: Vec<ClientToml>,
    #[serde(rename = "property", default)]
    pub properties: Vec<PropertyToml>,
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
    pub crashes: u32,
    #[serde(default)]
    pub pauses: u32,
    #[serde(default)]
    pub losses: u32,
    pub depth: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientToml {
    pub name: Spanned<String>,
    pub program: Spanned<String>,
    pub count: Spanned<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PropertyToml {
    pub id: Spanned<String>,
    pub title: Both,
    pub watch: String,
    pub broken: Option<u32>,
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
    pub program: Option<Spanned<String>>,
    pub properties: Option<Vec<Spanned<String>>>,
    pub start: Option<Spanned<String>>,
    pub solution: Option<Spanned<String>>,
    pub wrong: Option<Spanned<Vec<WrongToml>>>,
    pub budget: Option<Spanned<BudgetToml>>,
    pub after: Option<Spanned<Vec<String>>>,
    pub then: Option<Spanned<Vec<String>>>,
    pub choices: Option<Spanned<Vec<Spanned<String>>>>,
    pub answer: Option<Spanned<String>>,
    pub shows: Option<Spanned<String>>,
    pub breaks: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrongToml {
    pub program: Spanned<String>,
    pub property: Spanned<String>,
}

/// Lines of a file.
pub struct Lines {
    path: PathBuf,
    text: String,
}

impl Lines {
    /// A mistake at these bytes of the file.
    pub fn fault(&self, span: Range<usize>, what: impl Into<String>) -> Fault {
        let before = self.text.as_bytes().get(..span.start).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count().saturating_add(1);
        Fault { path: self.path.clone(), line, what: what.into() }
    }
}

/// Reads a file; what is wrong with it is added to the faults.
pub fn read<T: DeserializeOwned>(path: &Path, faults: &mut Vec<Fault>) -> Option<(T, Lines)> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            faults.push(Fault { path: path.to_path_buf(), line: 0, what: error.to_string() });
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
