//! The format of compiled lessons: named, length-prefixed pieces of text.
//!
//! ```text
//! lockstep-lesson 3 38          format, version, number of following bytes
//! title 12                      name of a piece, length of its value in bytes
//! Overselling.
//! step 18                       a value may itself consist of pieces
//! id 4
//! read
//! ```
//!
//! The format is human-readable and cheap to parse in the page; truncated or modified files are errors.
use std::fmt::{self, Write as _};

/// The only version that is written and accepted: lessons are compiled together with the page.
pub const VERSION: u32 = 3;

/// Why a file cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is not a file of this format.
    Foreign,
    /// It has a different format version.
    OtherVersion,
    /// It is truncated or modified.
    Damaged,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unreadable::Foreign => "this is no compiled lesson",
            Unreadable::OtherVersion => "this lesson was compiled for another version of the page",
            Unreadable::Damaged => "this lesson is damaged",
        })
    }
}

impl std::error::Error for Unreadable {}

/// The content after the header, if the header has this format name.
///
/// # Errors
/// [`Unreadable`]
pub fn open<'a>(text: &'a str, what: &str) -> Result<&'a str, Unreadable> {
    let (head, body) = text.split_once('\n').ok_or(Unreadable::Foreign)?;
    let mut words = head.split(' ');
    if words.next() != Some(what) {
        return Err(Unreadable::Foreign);
    }
    if words.next().and_then(|version| version.parse().ok()) != Some(VERSION) {
        return Err(Unreadable::OtherVersion);
    }
    let bytes = words.next().and_then(|bytes| bytes.parse().ok());
    if bytes == Some(body.len()) && words.next().is_none() { Ok(body) } else { Err(Unreadable::Damaged) }
}

/// Prepends the header to the output of a [`Writer`].
pub fn close(what: &str, body: &str) -> String {
    format!("{what} {VERSION} {}\n{body}", body.len())
}

/// Reads pieces one after another.
pub struct Pieces<'a> {
    rest: &'a str,
}

impl<'a> Pieces<'a> {
    /// A reader of the pieces in a value.
    pub const fn of(value: &'a str) -> Pieces<'a> {
        Pieces { rest: value }
    }

    /// Name and value of the next piece; `None` at the end.
    ///
    /// # Errors
    /// If the remaining text does not begin with a piece.
    pub fn piece(&mut self) -> Result<Option<(&'a str, &'a str)>, Unreadable> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let piece = self.cut().ok_or(Unreadable::Damaged)?;
        Ok(Some(piece))
    }

    fn cut(&mut self) -> Option<(&'a str, &'a str)> {
        let (head, rest) = self.rest.split_once('\n')?;
        let (name, bytes) = head.split_once(' ')?;
        let (value, rest) = rest.split_at_checked(bytes.parse().ok()?)?;
        self.rest = rest.strip_prefix('\n')?;
        Some((name, value))
    }
}

/// Writes pieces one after another.
#[derive(Default)]
pub struct Writer {
    text: String,
}

impl Writer {
    /// Writes a piece.
    pub fn put(&mut self, name: &str, value: &str) {
        debug_assert!(!name.is_empty() && !name.contains([' ', '\n']), "{name:?} is no name");
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{name} {}\n{value}", value.len());
    }

    /// Writes a piece for each value.
    pub fn put_all<T: AsRef<str>>(&mut self, name: &str, values: &[T]) {
        values.iter().for_each(|value| self.put(name, value.as_ref()));
    }

    /// Writes a piece that consists of pieces.
    pub fn group(&mut self, name: &str, write: impl FnOnce(&mut Writer)) {
        let mut inner = Writer::default();
        write(&mut inner);
        self.put(name, &inner.text);
    }

    /// The written text.
    pub fn finish(self) -> String {
        self.text
    }
}
