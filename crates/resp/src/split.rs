//! Splitting a typed line into arguments exactly as redis-cli and Redis' inline protocol do, and quoting arguments for it.
//!
//! The rules (`sdssplitargs` of Redis 7.0):
//! - arguments are separated by whitespace;
//! - inside `"…"` the escapes `\xHH`, `\n`, `\r`, `\t`, `\b`, `\a` are decoded, and a backslash before any other byte stands for that byte;
//! - inside `'…'` only `\'` is an escape;
//! - a closing quote must be followed by whitespace or the end of the line;
//! - outside quotes a backslash is an ordinary byte, and a quote may open in the middle of a word;
//! - a zero byte ends the line.
use std::fmt;
use std::ops::Range;

use bytes::Bytes;

/// The kind of quote in a [`SplitError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quote {
    /// `'`
    Single,
    /// `"`
    Double,
}

impl Quote {
    /// The character itself.
    pub const fn as_char(self) -> char {
        match self {
            Quote::Single => '\'',
            Quote::Double => '"',
        }
    }

    const fn byte(self) -> u8 {
        match self {
            Quote::Single => b'\'',
            Quote::Double => b'"',
        }
    }
}

/// What is wrong with the quotes of a line. redis-cli prints `Invalid argument(s)` for each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SplitError {
    /// The quote that opened at byte `opened_at` is never closed.
    Unclosed {
        /// The kind of quote.
        quote: Quote,
        /// Byte offset of the opening quote in the line.
        opened_at: usize,
    },
    /// The quote closes at byte `closed_at`, but the next byte is not whitespace.
    TextAfterQuote {
        /// The kind of quote.
        quote: Quote,
        /// Byte offset of the opening quote in the line.
        opened_at: usize,
        /// Byte offset of the closing quote in the line.
        closed_at: usize,
    },
}

impl fmt::Display for SplitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SplitError::Unclosed { quote, opened_at } => {
                write!(f, "the quote {} opened at byte {opened_at} is not closed", quote.as_char())
            }
            SplitError::TextAfterQuote { quote, closed_at, .. } => {
                write!(f, "the closing quote {} at byte {closed_at} must be followed by a space", quote.as_char())
            }
        }
    }
}

impl std::error::Error for SplitError {}

/// One argument of a line, with its position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    /// The argument, quotes and escapes resolved.
    pub bytes: Bytes,
    /// Byte range in the line, quotes included.
    pub range: Range<usize>,
}

/// Splits a line into arguments.
///
/// # Errors
/// [`SplitError`] when quotes are not balanced.
///
/// ```
/// use resp::split::split;
/// assert_eq!(split(br#"SET 'a b' "\x41\n""#).unwrap(), ["SET", "a b", "A\n"]);
/// assert_eq!(split(b"SET k \"abc").unwrap_err().to_string(), "the quote \" opened at byte 6 is not closed");
/// ```
pub fn split(line: &[u8]) -> Result<Vec<Bytes>, SplitError> {
    Ok(tokens(line)?.into_iter().map(|token| token.bytes).collect())
}

/// Splits a line into arguments with their positions.
///
/// # Errors
/// [`SplitError`] when quotes are not balanced.
pub fn tokens(line: &[u8]) -> Result<Vec<Token>, SplitError> {
    let end = memchr::memchr(0, line).unwrap_or(line.len());
    let mut reader = WordReader { line: line.get(..end).unwrap_or_default(), at: 0 };
    let mut found = Vec::new();
    loop {
        while reader.peek().is_some_and(is_blank) {
            reader.skip(1);
        }
        if reader.peek().is_none() {
            return Ok(found);
        }
        let start = reader.at;
        let bytes = word(&mut reader)?;
        found.push(Token { bytes: Bytes::from(bytes), range: start..reader.at });
    }
}

/// C's `isspace` in the C locale.
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

struct WordReader<'a> {
    line: &'a [u8],
    at: usize,
}

impl WordReader<'_> {
    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    fn ahead(&self, distance: usize) -> Option<u8> {
        self.line.get(self.at.saturating_add(distance)).copied()
    }

    fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count).min(self.line.len());
    }
}

fn word(reader: &mut WordReader<'_>) -> Result<Vec<u8>, SplitError> {
    let mut bytes = Vec::new();
    while let Some(byte) = reader.peek() {
        match byte {
            // As in `sdssplitargs`, vertical tab and form feed are skipped between words but do not end a word.
            b' ' | b'\n' | b'\r' | b'\t' => break,
            b'"' => {
                quoted_part(reader, Quote::Double, &mut bytes)?;
                break;
            }
            b'\'' => {
                quoted_part(reader, Quote::Single, &mut bytes)?;
                break;
            }
            other => {
                bytes.push(other);
                reader.skip(1);
            }
        }
    }
    Ok(bytes)
}

/// Reads from an opening quote through its closing quote, which ends the word.
fn quoted_part(reader: &mut WordReader<'_>, quote: Quote, bytes: &mut Vec<u8>) -> Result<(), SplitError> {
    let opened_at = reader.at;
    reader.skip(1);
    while let Some(byte) = reader.peek() {
        if byte == quote.byte() {
            let closed_at = reader.at;
            reader.skip(1);
            return match reader.peek() {
                Some(next) if !is_blank(next) => Err(SplitError::TextAfterQuote { quote, opened_at, closed_at }),
                _ => Ok(()),
            };
        }
        let (taken, length) = match (quote, byte, reader.ahead(1)) {
            (Quote::Double, b'\\', Some(next)) => escape(reader, next),
            (Quote::Single, b'\\', Some(b'\'')) => (b'\'', 2),
            _ => (byte, 1),
        };
        bytes.push(taken);
        reader.skip(length);
    }
    Err(SplitError::Unclosed { quote, opened_at })
}

/// The byte that an escape sequence stands for, and the length of the sequence, backslash included.
fn escape(reader: &WordReader<'_>, next: u8) -> (u8, usize) {
    let hex = |byte: Option<u8>| byte.and_then(|b| char::from(b).to_digit(16)).and_then(|d| u8::try_from(d).ok());
    if next == b'x'
        && let (Some(high), Some(low)) = (hex(reader.ahead(2)), hex(reader.ahead(3)))
    {
        return ((high << 4) | low, 4);
    }
    let byte = match next {
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'b' => 0x08,
        b'a' => 0x07,
        other => other,
    };
    (byte, 2)
}

/// How many times redis-cli runs a typed line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repeat {
    /// No prefix: the line is the command.
    Once,
    /// `5 INCR x`: the command is what follows the first argument.
    Times(u64),
    /// `0 INCR x`, `-3 INCR x`: refused with [`Repeat::INVALID_TEXT`].
    Invalid,
}

impl Repeat {
    /// What redis-cli prints for [`Repeat::Invalid`].
    pub const INVALID_TEXT: &'static str = "Invalid redis-cli repeat command option value.";

    /// Does a line with these arguments start with a repeat count? As in redis-cli, the first argument is a count if C's `strtol` reads all
    /// of it and more arguments follow.
    ///
    /// ```
    /// use resp::split::{Repeat, split};
    /// assert_eq!(Repeat::of(&split(b"5 INCR x").unwrap()), Repeat::Times(5));
    /// assert_eq!(Repeat::of(&split(b"INCR x").unwrap()), Repeat::Once);
    /// assert_eq!(Repeat::of(&split(b"-5 INCR x").unwrap()), Repeat::Invalid);
    /// ```
    pub fn of(arguments: &[Bytes]) -> Repeat {
        let [first, _, ..] = arguments else { return Repeat::Once };
        // C strings end at a zero byte, and `strtol` skips leading whitespace.
        let text = first.split(|&b| b == 0).next().unwrap_or_default();
        let Some(start) = text.iter().position(|&b| !is_blank(b)) else {
            // `strtol` reads all of an empty string, as 0. It does not consume whitespace alone.
            return if text.is_empty() { Repeat::Invalid } else { Repeat::Once };
        };
        let number = text.get(start..).unwrap_or_default();
        let digits = number.strip_prefix(b"-").or_else(|| number.strip_prefix(b"+")).unwrap_or(number);
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return Repeat::Once;
        }
        match std::str::from_utf8(number).ok().and_then(|n| n.parse::<i64>().ok()) {
            Some(count) if count > 0 => u64::try_from(count).map_or(Repeat::Invalid, Repeat::Times),
            _ => Repeat::Invalid,
        }
    }
}

/// Writes an argument so that [`split`] reads it back: unchanged if that is safe, otherwise in double quotes. Text in any script stays
/// readable; bytes that are not UTF-8 and control characters become `\xHH`.
///
/// ```
/// use resp::split::quote_argument;
/// assert_eq!(quote_argument(b"plain:1"), "plain:1");
/// assert_eq!(quote_argument(b"two words"), r#""two words""#);
/// assert_eq!(quote_argument("库存".as_bytes()), "库存");
/// assert_eq!(quote_argument(b"\"\x00\xff\n"), r#""\"\x00\xff\n""#);
/// ```
pub fn quote_argument(argument: &[u8]) -> String {
    let is_plain = |c: char| !c.is_control() && !c.is_whitespace() && c != '"' && c != '\'';
    if !argument.is_empty()
        && let Ok(text) = std::str::from_utf8(argument)
        && text.chars().all(is_plain)
    {
        return text.to_owned();
    }
    let mut out = String::with_capacity(argument.len().saturating_add(2));
    out.push('"');
    for chunk in argument.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                '\u{7}' => out.push_str("\\a"),
                '\u{8}' => out.push_str("\\b"),
                c if c.is_control() => c.encode_utf8(&mut [0; 4]).bytes().for_each(|b| hex_escape(b, &mut out)),
                c => out.push(c),
            }
        }
        chunk.invalid().iter().for_each(|&b| hex_escape(b, &mut out));
    }
    out.push('"');
    out
}

/// Writes a whole command as a line that [`split`] reads back.
pub fn quote_command(argv: &[impl AsRef<[u8]>]) -> String {
    let words: Vec<String> = argv.iter().map(|argument| quote_argument(argument.as_ref())).collect();
    words.join(" ")
}

pub(crate) fn hex_escape(byte: u8, out: &mut String) {
    out.push_str("\\x");
    for digit in [byte >> 4, byte & 15] {
        out.extend(char::from_digit(u32::from(digit), 16));
    }
}
