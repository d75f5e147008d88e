//! The index of all lessons in order, for the map of the course.
use serde::{Deserialize, Serialize};

use crate::packed::{self, Unreadable};

const WHAT: &str = "lockstep-lessons";

/// The course in one language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Index {
    /// In the order of the course.
    pub tracks: Vec<Track>,
}

/// A track of the course.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Track {
    /// Its folder: `locks`.
    pub id: String,
    /// Its title.
    pub title: String,
    /// A sentence on what it is about, plain text.
    pub summary: String,
    /// Its lessons in the recommended order.
    pub lessons: Vec<Entry>,
}

/// A lesson on the map.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Entry {
    /// Its folder: `setnx`.
    pub id: String,
    /// Its title.
    pub title: String,
    /// A sentence on what it is about, plain text.
    pub summary: String,
    /// The ids of its tasks, to count the finished ones.
    pub tasks: Vec<String>,
}

impl Index {
    /// The path of the compiled index, relative to the page's document.
    pub fn path(language: &str) -> String {
        format!("lessons/index.{language}.bin")
    }

    /// The lesson with this track and name.
    pub fn entry(&self, track: &str, id: &str) -> Option<&Entry> {
        self.tracks.iter().find(|other| other.id == track)?.lessons.iter().find(|lesson| lesson.id == id)
    }

    /// Encodes the index.
    pub fn write(&self) -> Vec<u8> {
        packed::write(WHAT, None, self)
    }

    /// Decodes a compiled index.
    ///
    /// # Errors
    /// [`Unreadable`]
    pub fn read(file: &[u8]) -> Result<Index, Unreadable> {
        packed::read(WHAT, file)
    }
}
