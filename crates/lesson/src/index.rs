//! The index of all lessons in order, for the map of the course.
use crate::packed::{self, Pieces, Unreadable, Writer};

const WHAT: &str = "lockstep-lessons";

/// The course in one language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Index {
    /// In the order of the course.
    pub tracks: Vec<Track>,
}

/// A track of the course.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
        format!("lessons/index.{language}.txt")
    }

    /// The lesson with this track and name.
    pub fn entry(&self, track: &str, id: &str) -> Option<&Entry> {
        self.tracks.iter().find(|other| other.id == track)?.lessons.iter().find(|lesson| lesson.id == id)
    }

    /// Encodes the index.
    pub fn write(&self) -> String {
        let mut writer = Writer::default();
        for track in &self.tracks {
            writer.group("track", |writer| {
                writer.put("id", &track.id);
                writer.put("title", &track.title);
                writer.put("summary", &track.summary);
                for lesson in &track.lessons {
                    writer.group("lesson", |writer| {
                        writer.put("id", &lesson.id);
                        writer.put("title", &lesson.title);
                        writer.put("summary", &lesson.summary);
                        writer.put_all("task", &lesson.tasks);
                    });
                }
            });
        }
        packed::close(WHAT, &writer.finish())
    }

    /// Decodes a compiled index.
    ///
    /// # Errors
    /// [`Unreadable`]
    pub fn read(text: &str) -> Result<Index, Unreadable> {
        let mut index = Index::default();
        let mut pieces = Pieces::of(packed::open(text, WHAT)?);
        while let Some((name, value)) = pieces.piece()? {
            match name {
                "track" => index.tracks.push(read_track(value)?),
                _ => return Err(Unreadable::Damaged),
            }
        }
        Ok(index)
    }
}

fn read_track(text: &str) -> Result<Track, Unreadable> {
    let mut track = Track::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "id" => track.id = value.to_owned(),
            "title" => track.title = value.to_owned(),
            "summary" => track.summary = value.to_owned(),
            "lesson" => track.lessons.push(read_entry(value)?),
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(track)
}

fn read_entry(text: &str) -> Result<Entry, Unreadable> {
    let mut entry = Entry::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "id" => entry.id = value.to_owned(),
            "title" => entry.title = value.to_owned(),
            "summary" => entry.summary = value.to_owned(),
            "task" => entry.tasks.push(value.to_owned()),
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(entry)
}
