//! What `SCAN`, `SSCAN`, `HSCAN` and `ZSCAN` share: cursor, options, how far one call scans, and the form of the reply.
//!
//! Redis looks the key up after parsing the cursor and before parsing the options: with a missing key, the scan is done even if the options
//! are wrong. So cursor and options are parsed by separate functions.
use bytes::Bytes;
use resp::Value as Reply;

use crate::{
    Answer, Error,
    ctx::is_word,
    value::{glob, number},
};

/// Most steps of one call per requested element: in a nearly empty table, a call ends before it has found `COUNT` elements.
const STEPS_PER_ELEMENT: u64 = 10;

/// Parses a cursor like C's `strtoul`, but without leading spaces.
///
/// # Errors
/// [`Error::InvalidCursor`]
pub(super) fn cursor(word: &[u8]) -> Result<u64, Error> {
    let word = word.split(|byte| *byte == 0).next().unwrap_or_default();
    let (is_negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() {
        // `strtoul` does not consume a sign without digits, so Redis refuses it; an empty text is consumed completely and means 0.
        return if word.is_empty() { Ok(0) } else { Err(Error::InvalidCursor) };
    }
    let value = digits.iter().try_fold(0u64, |value, byte| {
        let digit = u64::from(byte.wrapping_sub(b'0'));
        if digit > 9 { None } else { value.checked_mul(10)?.checked_add(digit) }
    });
    let value = value.ok_or(Error::InvalidCursor)?;
    Ok(if is_negative { value.wrapping_neg() } else { value })
}

/// `[MATCH pattern] [COUNT count]`, and `[TYPE type]` if allowed.
pub(super) struct Options {
    pattern: Option<Bytes>,
    count: u64,
    /// The type of `TYPE`, in any case.
    pub type_name: Option<Bytes>,
}

impl Options {
    /// Parses the options of `SSCAN`, `HSCAN` and `ZSCAN`.
    ///
    /// # Errors
    /// [`Error::Syntax`], [`Error::NotInteger`]
    pub(super) fn parse(words: &[Bytes]) -> Result<Options, Error> {
        Options::parse_with(words, false)
    }

    /// Parses the options; `TYPE` is allowed only for `SCAN` itself.
    ///
    /// # Errors
    /// [`Error::Syntax`], [`Error::NotInteger`]
    pub(super) fn parse_with(mut words: &[Bytes], takes_type: bool) -> Result<Options, Error> {
        let mut options = Options { pattern: None, count: 10, type_name: None };
        while let [option, value, rest @ ..] = words {
            if is_word(option, "count") {
                let count = number::parse_i64(value).ok_or(Error::NotInteger)?;
                options.count = u64::try_from(count).ok().filter(|count| *count > 0).ok_or(Error::Syntax)?;
            } else if is_word(option, "match") {
                options.pattern = (value.as_ref() != b"*").then(|| value.clone());
            } else if takes_type && is_word(option, "type") {
                options.type_name = Some(value.clone());
            } else {
                return Err(Error::Syntax);
            }
            words = rest;
        }
        if words.is_empty() { Ok(options) } else { Err(Error::Syntax) }
    }

    /// Does an element match the `MATCH` pattern?
    pub(super) fn matches(&self, element: &[u8]) -> bool {
        self.pattern.as_ref().is_none_or(|pattern| glob::matches(pattern, element, false))
    }

    /// Steps from `cursor` until enough elements were seen or the end is reached; returns the next cursor. A step receives the cursor and a
    /// counter, to which it adds the elements it saw, matching or not (a field with its value counts once).
    pub(super) fn walk(&self, mut cursor: u64, mut step: impl FnMut(u64, &mut u64) -> u64) -> u64 {
        let mut seen = 0;
        let mut steps_left = self.count.saturating_mul(STEPS_PER_ELEMENT);
        loop {
            cursor = step(cursor, &mut seen);
            if cursor == 0 || steps_left == 0 || seen >= self.count {
                return cursor;
            }
            steps_left = steps_left.saturating_sub(1);
        }
    }
}

/// A reply of the next cursor and the elements found.
pub(super) fn reply(cursor: u64, found: Vec<Reply>) -> Answer {
    Reply::Array(vec![Reply::Bulk(Bytes::from(cursor.to_string())), Reply::Array(found)]).into()
}
