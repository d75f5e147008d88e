//! Requests as a server reads them: multibulk and inline commands, with Redis' own protocol errors.
use std::fmt;

use bytes::Bytes;

use super::buffer::{Buffer, Line};
use super::strict_integer;
use crate::split::split;

/// Longest line that a request may contain, in bytes (`PROTO_INLINE_MAX_SIZE`).
const LINE_BYTES_MAX: usize = 64 * 1024;
/// Most arguments that a client may announce before it has authenticated.
const UNAUTHENTICATED_ARGUMENTS_MAX: i64 = 10;
/// Longest argument that a client may announce before it has authenticated, in bytes.
const UNAUTHENTICATED_BULK_BYTES_MAX: i64 = 16384;

/// Room is made for this many arguments when they are announced, for more as they come.
const ARGUMENTS_AT_ONCE: usize = 64;

/// A word up to this length belongs to a small command.
const SMALL_BYTES: usize = 4096;

/// How much a client may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestLimits {
    /// Longest argument in bytes: `proto-max-bulk-len`.
    pub bulk_bytes_max: u64,
    /// Most arguments of one command. Redis allows 2^31 - 1.
    pub arguments_max: u64,
    /// Most bytes that may be waiting or belong to an unfinished command: `client-query-buffer-limit`.
    pub buffered_bytes_max: usize,
    /// The client has yet to authenticate, so only small commands are read.
    pub unauthenticated: bool,
}

impl Default for RequestLimits {
    /// Redis' defaults: 512 MB an argument, 2^31 - 1 arguments, 1 GB in all, no password.
    fn default() -> RequestLimits {
        RequestLimits {
            bulk_bytes_max: 512 << 20,
            arguments_max: 0x7fff_ffff,
            buffered_bytes_max: 1 << 30,
            unauthenticated: false,
        }
    }
}

/// Why a connection cannot go on. The server answers with the text, if there is one, and closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RequestError {
    /// An inline command without a line end in 64 KB.
    InlineTooBig,
    /// An inline command with unbalanced quotes.
    UnbalancedQuotes,
    /// `*` without a line end in 64 KB.
    MultibulkCountTooBig,
    /// `*` followed by no number, or by one past the limit.
    InvalidMultibulkLength,
    /// More than ten arguments before authentication.
    UnauthenticatedMultibulkLength,
    /// `$` without a line end in 64 KB.
    BulkCountTooBig,
    /// Something else where `$` must stand.
    ExpectedBulk(u8),
    /// `$` followed by no number, by a negative one or by one past the limit.
    InvalidBulkLength,
    /// More than 16 KB in one argument before authentication.
    UnauthenticatedBulkLength,
    /// More bytes are waiting than a client may have. Redis closes the connection without a word.
    QueryBufferLimit,
}

impl RequestError {
    /// The error reply that Redis sends before it closes the connection, without the minus sign;
    /// `None` where it closes without a word.
    ///
    /// ```
    /// use resp::decode::RequestError;
    /// let reply = RequestError::ExpectedBulk(b'x').reply().unwrap();
    /// assert_eq!(reply, resp::Value::error("ERR Protocol error: expected '$', got 'x'"));
    /// ```
    pub fn reply(&self) -> Option<crate::Value> {
        let detail: &[u8] = match self {
            RequestError::QueryBufferLimit => return None,
            RequestError::ExpectedBulk(got) => {
                // The byte goes out as it came in, except that an error reply holds no line end
                // and, being a C string, stops at a zero byte.
                let mut text = b"ERR Protocol error: expected '$', got '".to_vec();
                match got {
                    0 => {}
                    b'\r' | b'\n' => text.extend_from_slice(b" '"),
                    other => text.extend_from_slice(&[*other, b'\'']),
                }
                return Some(crate::Value::Error(Bytes::from(text)));
            }
            other => other.detail().as_bytes(),
        };
        let mut text = b"ERR Protocol error: ".to_vec();
        text.extend_from_slice(detail);
        Some(crate::Value::Error(Bytes::from(text)))
    }

    const fn detail(&self) -> &'static str {
        match self {
            RequestError::InlineTooBig => "too big inline request",
            RequestError::UnbalancedQuotes => "unbalanced quotes in request",
            RequestError::MultibulkCountTooBig => "too big mbulk count string",
            RequestError::InvalidMultibulkLength => "invalid multibulk length",
            RequestError::UnauthenticatedMultibulkLength => "unauthenticated multibulk length",
            RequestError::BulkCountTooBig => "too big bulk count string",
            RequestError::ExpectedBulk(_) => "expected '$'",
            RequestError::InvalidBulkLength => "invalid bulk length",
            RequestError::UnauthenticatedBulkLength => "unauthenticated bulk length",
            RequestError::QueryBufferLimit => "query buffer limit exceeded",
        }
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestError::ExpectedBulk(got) => {
                write!(f, "Protocol error: expected '$', got '{}'", got.escape_ascii())
            }
            other => write!(f, "Protocol error: {}", other.detail()),
        }
    }
}

impl std::error::Error for RequestError {}

/// Turns what a client sends into commands.
///
/// ```
/// use resp::decode::RequestDecoder;
/// let mut decoder = RequestDecoder::default();
/// decoder.feed(b"*2\r\n$3\r\nGET\r\n$1\r\n");
/// assert_eq!(decoder.next_command(), Ok(None));
/// decoder.feed(b"k\r\nPING 'a b'\r\n");
/// assert_eq!(decoder.next_command().unwrap().unwrap(), ["GET", "k"]);
/// assert_eq!(decoder.next_command().unwrap().unwrap(), ["PING", "a b"]);
/// assert_eq!(decoder.next_command(), Ok(None));
/// ```
#[derive(Clone, Debug, Default)]
pub struct RequestDecoder {
    limits: RequestLimits,
    buffer: Buffer,
    arguments: Vec<Bytes>,
    /// Bytes that `arguments` hold.
    arguments_bytes: usize,
    /// Arguments still to come; 0 between commands.
    remaining: u64,
    /// Length of the argument being read, once it is known.
    bulk: Option<usize>,
    failed: Option<RequestError>,
}

impl RequestDecoder {
    /// A decoder with limits of its own.
    pub fn new(limits: RequestLimits) -> RequestDecoder {
        RequestDecoder { limits, ..RequestDecoder::default() }
    }

    /// Changes the limits from the next read on, for instance once the client has authenticated.
    pub fn set_limits(&mut self, limits: RequestLimits) {
        self.limits = limits;
    }

    /// Takes bytes in. Past the query buffer limit they are dropped and the connection fails.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.failed.is_some() {
            return;
        }
        let held = self.buffer.len().saturating_add(self.arguments_bytes).saturating_add(bytes.len());
        if held > self.limits.buffered_bytes_max {
            self.fail(RequestError::QueryBufferLimit);
            return;
        }
        self.buffer.feed(bytes);
    }

    /// The next whole command, `None` until more bytes have come. Never an empty command: Redis
    /// passes over empty lines and `*0` without an answer.
    ///
    /// # Errors
    /// A protocol error, and the same again from then on.
    pub fn next_command(&mut self) -> Result<Option<Vec<Bytes>>, RequestError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        match self.advance() {
            Err(error) => Err(self.fail(error)),
            fine => fine,
        }
    }

    /// How many bytes wait to be understood.
    pub fn buffered_bytes(&self) -> usize {
        self.buffer.len()
    }

    fn fail(&mut self, error: RequestError) -> RequestError {
        self.buffer.clear();
        self.arguments = Vec::new();
        self.failed = Some(error);
        error
    }

    fn advance(&mut self) -> Result<Option<Vec<Bytes>>, RequestError> {
        if self.remaining == 0
            && !self.limits.unauthenticated
            && let Some((arguments, bytes)) = small_command(self.buffer.unread(), &self.limits)
        {
            self.buffer.take(bytes);
            return Ok(Some(arguments));
        }
        loop {
            if self.remaining == 0 {
                match self.buffer.first() {
                    None => return Ok(None),
                    Some(b'*') => {
                        if !self.read_count()? {
                            return Ok(None);
                        }
                    }
                    Some(_) => match self.read_inline()? {
                        None => return Ok(None),
                        Some(arguments) if arguments.is_empty() => {}
                        Some(arguments) => return Ok(Some(arguments)),
                    },
                }
            } else {
                if !self.read_argument()? {
                    return Ok(None);
                }
                if self.remaining == 0 {
                    self.arguments_bytes = 0;
                    return Ok(Some(std::mem::take(&mut self.arguments)));
                }
            }
        }
    }

    fn read_inline(&mut self) -> Result<Option<Vec<Bytes>>, RequestError> {
        let Line::Whole(end) = self.buffer.find(b'\n', true) else {
            let too_big = self.buffer.len() > LINE_BYTES_MAX;
            return if too_big { Err(RequestError::InlineTooBig) } else { Ok(None) };
        };
        let line = self.buffer.unread().get(..end).unwrap_or_default();
        let arguments = split(line.strip_suffix(b"\r").unwrap_or(line)).map_err(|_| RequestError::UnbalancedQuotes)?;
        self.buffer.take(end.saturating_add(1));
        Ok(Some(arguments))
    }

    /// Reads `*3\r\n`; false until it is there.
    fn read_count(&mut self) -> Result<bool, RequestError> {
        let Some((end, count)) = self.read_length(RequestError::MultibulkCountTooBig)? else { return Ok(false) };
        let limit = i64::try_from(self.limits.arguments_max).unwrap_or(i64::MAX);
        match count {
            Some(count) if count <= limit => {
                if self.limits.unauthenticated && count > UNAUTHENTICATED_ARGUMENTS_MAX {
                    return Err(RequestError::UnauthenticatedMultibulkLength);
                }
                self.buffer.take(end);
                self.remaining = u64::try_from(count).unwrap_or(0);
                // What is announced is believed only so far: memory grows with what is received.
                self.arguments.reserve_exact(usize::try_from(count).unwrap_or(0).min(ARGUMENTS_AT_ONCE));
                Ok(true)
            }
            _ => Err(RequestError::InvalidMultibulkLength),
        }
    }

    /// Reads one argument, its length first; false until it is there.
    fn read_argument(&mut self) -> Result<bool, RequestError> {
        let length = match self.bulk {
            Some(length) => length,
            None => {
                let Some((end, length)) = self.read_length(RequestError::BulkCountTooBig)? else { return Ok(false) };
                match self.buffer.first() {
                    Some(b'$') => {}
                    other => return Err(RequestError::ExpectedBulk(other.unwrap_or(0))),
                }
                let length = self.check_bulk_length(length)?;
                self.buffer.take(end);
                self.bulk = Some(length);
                length
            }
        };
        if self.buffer.len() < length.saturating_add(2) {
            return Ok(false);
        }
        self.arguments.push(self.buffer.cut_bulk(length));
        self.arguments_bytes = self.arguments_bytes.saturating_add(length);
        self.bulk = None;
        self.remaining = self.remaining.saturating_sub(1);
        Ok(true)
    }

    fn check_bulk_length(&self, length: Option<i64>) -> Result<usize, RequestError> {
        let length = length.filter(|&n| n >= 0).ok_or(RequestError::InvalidBulkLength)?;
        if u64::try_from(length).map_or(true, |n| n > self.limits.bulk_bytes_max) {
            return Err(RequestError::InvalidBulkLength);
        }
        if self.limits.unauthenticated && length > UNAUTHENTICATED_BULK_BYTES_MAX {
            return Err(RequestError::UnauthenticatedBulkLength);
        }
        usize::try_from(length).map_err(|_| RequestError::InvalidBulkLength)
    }

    /// Looks at a line like `*3\r\n`: how long it is with its end, and the number in it if it is one.
    fn read_length(&mut self, too_big: RequestError) -> Result<Option<(usize, Option<i64>)>, RequestError> {
        if let Some((whole, number)) = short_length(self.buffer.unread()) {
            return Ok(Some((whole, Some(number))));
        }
        let Line::Whole(end) = self.buffer.find(b'\r', true) else {
            return if self.buffer.len() > LINE_BYTES_MAX { Err(too_big) } else { Ok(None) };
        };
        let whole = end.saturating_add(2);
        if self.buffer.len() < whole {
            return Ok(None);
        }
        let number = self.buffer.unread().get(1..end).and_then(strict_integer);
        Ok(Some((whole, number)))
    }
}

/// Reads a whole command of few and short words in one go, as nearly every one is, and says how many bytes it had; `None` where it is
/// anything else, or not there yet.
fn small_command(bytes: &[u8], limits: &RequestLimits) -> Option<(Vec<Bytes>, usize)> {
    let length_after = |kind: u8, line: &[u8]| {
        let (head, length) = short_length(line).filter(|_| line.first() == Some(&kind))?;
        Some((head, usize::try_from(length).ok()?))
    };
    let (head, count) = length_after(b'*', bytes)?;
    if count == 0 || count > ARGUMENTS_AT_ONCE || count as u64 > limits.arguments_max {
        return None;
    }
    let mut rest = bytes.get(head..)?;
    let mut arguments = Vec::with_capacity(count);
    for _ in 0..count {
        let (head, length) = length_after(b'$', rest)?;
        if length > SMALL_BYTES || length as u64 > limits.bulk_bytes_max {
            return None;
        }
        let (word, behind) = rest.get(head..)?.split_at_checked(length)?;
        rest = behind.get(2..)?;
        arguments.push(Bytes::copy_from_slice(word));
    }
    Some((arguments, bytes.len().saturating_sub(rest.len())))
}

/// Reads a whole line of a few digits, as nearly every one is; `None` where it is anything else.
fn short_length(line: &[u8]) -> Option<(usize, i64)> {
    const DIGITS_MAX: usize = 9;
    let digit = |byte: &u8| i64::from(byte & 15);
    match line {
        [_, one @ b'0'..=b'9', b'\r', b'\n', ..] => return Some((4, digit(one))),
        [_, ten @ b'1'..=b'9', one @ b'0'..=b'9', b'\r', b'\n', ..] => return Some((5, digit(ten) * 10 + digit(one))),
        _ => {}
    }
    let mut number = 0i64;
    for (at, byte) in line.iter().enumerate().skip(1).take(DIGITS_MAX + 1) {
        match byte {
            b'0'..=b'9' if at == 1 || number > 0 => number = number * 10 + i64::from(byte - b'0'),
            b'\r' if at > 1 && line.get(at + 1) == Some(&b'\n') => return Some((at + 2, number)),
            _ => return None,
        }
    }
    None
}
