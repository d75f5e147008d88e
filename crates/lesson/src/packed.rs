//! The form in which compiled lessons travel: named pieces of text, each with its length before it.
//!
//! ```text
//! lockstep-lesson 3 38          what it is, version, bytes that follow
//! title 12                      name of a piece, bytes of its value
//! Overselling.
//! step 18                       the value of a piece may be pieces again
//! id 4
//! read
//! ```
//!
//! It can be read with the eye, costs next to nothing to read in the page, and whatever was cut off or changed is an error.
use std::fmt::{self, Write as _};

/// Version that is written, and the only one that is read: lessons are compiled together with the page.
pub const VERSION: u32 = 3;

/// Why a text is not what it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is something else altogether.
    Foreign,
    /// It belongs to another version of the page.
    OtherVersion,
    /// It was cut off or changed.
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

/// What follows the head, if the head says that it is this.
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

/// Puts the head before what [`Writer`] has written.
pub fn close(what: &str, body: &str) -> String {
    format!("{what} {VERSION} {}\n{body}", body.len())
}

/// Reads one piece after the other.
pub struct Pieces<'a> {
    rest: &'a str,
}

impl<'a> Pieces<'a> {
    /// The pieces of a value.
    pub const fn of(value: &'a str) -> Pieces<'a> {
        Pieces { rest: value }
    }

    /// Name and value of the next piece.
    ///
    /// # Errors
    /// When what follows is no piece.
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

/// Writes one piece after the other.
#[derive(Default)]
pub struct Writer {
    text: String,
}

impl Writer {
    /// A piece.
    pub fn put(&mut self, name: &str, value: &str) {
        debug_assert!(!name.is_empty() && !name.contains([' ', '\n']), "{name:?} is no name");
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{name} {}\n{value}", value.len());
    }

    /// A piece for each.
    pub fn put_all<T: AsRef<str>>(&mut self, name: &str, values: &[T]) {
        values.iter().for_each(|value| self.put(name, value.as_ref()));
    }

    /// A piece that is made of pieces.
    pub fn group(&mut self, name: &str, write: impl FnOnce(&mut Writer)) {
        let mut inner = Writer::default();
        write(&mut inner);
        self.put(name, &inner.text);
    }

    /// What was written.
    pub fn finish(self) -> String {
        self.text
    }
}
