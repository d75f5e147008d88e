//! The format of compiled lessons: a line of text, and the value in the `postcard` format.
//!
//! ```text
//! lockstep-lesson 5 38 programs format, version, number of following bytes, and a note, if any
//! …                             the value
//! ```
//!
//! The note is for the script that loads the page, before there is a program to read the value (static/assets.js).
//!
//! Lessons are compiled together with the page, so only one version is written and accepted; truncated or modified files are errors.
use std::fmt;

use serde::{Serialize, de::DeserializeOwned};

/// The version of the format; a new one for every change of a type in it.
pub const VERSION: u32 = 5;

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

/// The note of a lesson whose clients run programs.
pub(crate) const PROGRAMS: &str = "programs";

/// Encodes a value as a file of this format name, with a note.
pub(crate) fn write<T: Serialize>(what: &str, note: Option<&str>, value: &T) -> Vec<u8> {
    // Fails only for lists of unknown length; the types of lessons have none.
    let body = postcard::to_allocvec(value).unwrap_or_default();
    let note = note.map(|note| format!(" {note}")).unwrap_or_default();
    let mut file = format!("{what} {VERSION} {}{note}\n", body.len()).into_bytes();
    file.extend(body);
    file
}

/// Decodes a file of this format name.
///
/// # Errors
/// [`Unreadable`]
pub(crate) fn read<T: DeserializeOwned>(what: &str, file: &[u8]) -> Result<T, Unreadable> {
    let body = open(what, file)?;
    match postcard::take_from_bytes(body) {
        Ok((value, [])) => Ok(value),
        _ => Err(Unreadable::Damaged),
    }
}

/// The bytes after the header, if the header has this format name.
fn open<'a>(what: &str, file: &'a [u8]) -> Result<&'a [u8], Unreadable> {
    let end = file.iter().position(|byte| *byte == b'\n').ok_or(Unreadable::Foreign)?;
    let (head, body) = file.split_at_checked(end).ok_or(Unreadable::Foreign)?;
    let body = body.get(1..).unwrap_or_default();
    let head = str::from_utf8(head).map_err(|_| Unreadable::Foreign)?;
    let mut words = head.split(' ');
    if words.next() != Some(what) {
        return Err(Unreadable::Foreign);
    }
    if words.next().and_then(|version| version.parse().ok()) != Some(VERSION) {
        return Err(Unreadable::OtherVersion);
    }
    let bytes = words.next().and_then(|bytes| bytes.parse().ok());
    let is_known = words.next().is_none_or(|note| note == PROGRAMS) && words.next().is_none();
    if bytes == Some(body.len()) && is_known { Ok(body) } else { Err(Unreadable::Damaged) }
}
