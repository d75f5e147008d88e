//! Lessons as data: the source files that authors write, and the compiled files that the page fetches.
//!
//! ```text
//!   lessons/locks/track.toml                 title and place of a track
//!   lessons/locks/setnx/lesson.toml          stage, programs, properties with their verdicts, story, tasks
//!                       text.en.md           all texts, under headings; the same headings in both languages
//!                       text.zh-CN.md
//!                       *.lua                programs, comments in both languages
//!        │
//!        │  source (native, feature `source`): reads, checks, reports file and line of every mistake
//!        ▼
//!   dist/lessons/index.en.bin                Index: all lessons, for the map of the course
//!   dist/lessons/locks/setnx.en.bin          Lesson: one lesson in one language, Markdown turned into safe HTML
//!        │
//!        │  read (the page); garbage is an error
//!        ▼
//!   Index, Lesson
//! ```
//!
//! The page fetches [`Index::path`] for the map and [`Lesson::path`] when a lesson is opened, and reads them with [`Index::read`]
//! and [`Lesson::read`] ([`packed`]). Their HTML ([`Html`]) comes from Markdown in which raw HTML, pictures and
//! links to other hosts are rejected, so it can be inserted into the document unchanged.
//!
//! Architecture invariant: adding a lesson touches only its folder.
pub mod index;
pub mod lesson;
pub mod packed;
#[cfg(feature = "source")]
pub mod source;

pub use index::{Entry, Index, Track};
pub use lesson::achieve::{Achieve, Check, WrongWay};
pub use lesson::forecast::{self, Row};
pub use lesson::handling::{self, Handling, Load};
pub use lesson::repair::{self, Fix, Repair, Variation, Wrong};
pub use lesson::scripting::{self, Case, Scripting};
pub use lesson::{
    Break, Budget, Choice, ClientGroup, Faults, Html, Lesson, Panel, Program, Property, Section, Stage, Step, Task,
    TaskKind, Verdict,
};
pub use packed::Unreadable;

/// The languages of every lesson.
pub const LANGUAGES: [&str; 2] = ["en", "zh-CN"];
