//! Requests as a server reads them: multibulk and inline commands, with Redis' own protocol errors.
use std::fmt;

use bytes::Bytes;

use super::buffer::{Buffer, FoundLine};
use super::strict_integer;
use crate::split::split;

/// Longest line that a request may contain, in bytes (`PROTO_INLINE_MAX_SIZE`).
const LINE_BYTES_MAX: usize = 64 * 1024;
/// Most arguments that a client may announce before it has authenticated.
const UNAUTHENTICATED_ARGUMENTS_MAX: i64 = 10;
/// Longest argument that a client may announce before it has authenticated, in bytes.
const UNAUTHENTICATED_BULK_BYTES_MAX: i64 = 16384;

/// Space for up to this many arguments is reserved when a count is announced; further space is allocated as arguments arrive.
const ARGUMENTS_AT_ONCE: usize = 64;

/// Longest argument of a small command (see `small_command`), in bytes.
const SMALL_BYTES: usize = 4096;

/// Limits on what a client may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestLimits {
    /// Longest argument, in bytes: `proto-max-bulk-len`.
    pub bulk_bytes_max: u64,
    /// Most arguments of one command. Redis allows 2^31 - 1.
    pub arguments_max: u64,
    /// Most bytes that may be buffered or belong to an unfinished command: `client-query-buffer-limit`.
    pub buffered_bytes_max: usize,
    /// The client has not authenticated yet, so only small commands are accepted.
    pub unauthenticated: bool,
}

impl Default for RequestLimits {
    /// Redis' defaults: 512 MB per argument, 2^31 - 1 arguments, 1 GB in total, no password.
    fn default() -> RequestLimits {
        RequestLimits {
            bulk_bytes_max: 512 << 20,
            arguments_max: 0x7fff_ffff,
            buffered_bytes_max: 1 << 30,
            unauthenticated: false,
        }
    }
}

/// Why a connection cannot continue. The server sends the error reply, if there is one, and closes the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RequestError {
    /// An inline command without a line end in 64 KB.
    InlineTooBig,
    /// An inline command with unbalanced quotes.
    UnbalancedQuotes,
    /// `*` without a line end in 64 KB.
    MultibulkCountTooBig,
    /// `*` without a number, or with one above the limit.
    InvalidMultibulkLength,
    /// More than ten arguments before authentication.
    UnauthenticatedMultibulkLength,
    /// `$` without a line end in 64 KB.
    BulkCountTooBig,
    /// Another byte where `$` is required.
    ExpectedBulk(u8),
    /// `$` without a number, or with one that is negative or above the limit.
    InvalidBulkLength,
    /// More than 16 KB in one argument before authentication.
    UnauthenticatedBulkLength,
    /// More bytes are buffered than `client-query-buffer-limit` allows. Redis closes the connection without a reply.
    QueryBufferLimit,
}

impl RequestError {
    /// The error reply that Redis sends before it closes the connection; `None` if it closes without a reply.
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
                // The byte is sent unchanged, except that a line end becomes a space and a zero byte ends the text, because Redis builds it
                // as a C string.
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

/// Decodes the bytes that a client sends into commands.
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
    /// Total bytes in `arguments`.
    arguments_bytes: usize,
    /// Arguments not yet received; 0 between commands.
    remaining: u64,
    /// Length of the argument being read, once it is known.
    bulk: Option<usize>,
    failed: Option<RequestError>,
}

impl RequestDecoder {
    /// A decoder with these limits.
    pub fn new(limits: RequestLimits) -> RequestDecoder {
        RequestDecoder { limits, ..RequestDecoder::default() }
    }

    /// Changes the limits, starting with the next read, for instance once the client has authenticated.
    pub fn set_limits(&mut self, limits: RequestLimits) {
        self.limits = limits;
    }

    /// Adds received bytes. Above the query buffer limit they are dropped and the connection fails.
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

    /// The next complete command; `None` if more bytes are needed. A command is never empty: Redis skips empty lines and `*0` without a
    /// reply.
    ///
    /// # Errors
    /// A protocol error. Every later call returns the same error.
    pub fn next_command(&mut self) -> Result<Option<Vec<Bytes>>, RequestError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        match self.advance() {
            Err(error) => Err(self.fail(error)),
            fine => fine,
        }
    }

    /// Number of received bytes not yet parsed.
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
        let FoundLine::Whole(end) = self.buffer.find(b'\n', true) else {
            let too_big = self.buffer.len() > LINE_BYTES_MAX;
            return if too_big { Err(RequestError::InlineTooBig) } else { Ok(None) };
        };
        let line = self.buffer.unread().get(..end).unwrap_or_default();
        let arguments = split(line.strip_suffix(b"\r").unwrap_or(line)).map_err(|_| RequestError::UnbalancedQuotes)?;
        self.buffer.take(end.saturating_add(1));
        Ok(Some(arguments))
    }

    /// Reads `*3\r\n`; false if it has not fully arrived.
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
                // An announced count reserves only a little memory; the rest grows with the data received.
                self.arguments.reserve_exact(usize::try_from(count).unwrap_or(0).min(ARGUMENTS_AT_ONCE));
                Ok(true)
            }
            _ => Err(RequestError::InvalidMultibulkLength),
        }
    }

    /// Reads one argument, its length first; false if it has not fully arrived.
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

    /// Examines a line like `*3\r\n`: returns its length with the line end, and its number if it is valid.
    fn read_length(&mut self, too_big: RequestError) -> Result<Option<(usize, Option<i64>)>, RequestError> {
        if let Some((whole, number)) = short_length(self.buffer.unread()) {
            return Ok(Some((whole, Some(number))));
        }
        let FoundLine::Whole(end) = self.buffer.find(b'\r', true) else {
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

/// Fast path for a complete command of few, short arguments, the usual case. Returns the command and its length in bytes; `None` if it is
/// anything else or has not fully arrived.
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

/// Fast path for a complete line with a few digits, the usual case; `None` for anything else.
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
