//! Replies as a client reads them: every type of RESP2 and RESP3, attributes and streamed values included.
use std::fmt;

use bytes::Bytes;

use super::buffer::{Buffer, FoundLine};
use crate::Value;

/// Limits on what a server may send in one reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplyLimits {
    /// Longest bulk string, verbatim text or bulk error, in bytes.
    pub bulk_bytes_max: usize,
    /// Longest line (status, error, number, length), in bytes.
    pub line_bytes_max: usize,
    /// Most elements of one array, set, push, map (two per pair) or attribute.
    pub items_max: usize,
    /// Deepest nesting of aggregates.
    pub depth_max: usize,
    /// Most bytes of one whole reply.
    pub reply_bytes_max: usize,
}

impl Default for ReplyLimits {
    /// 512 MB per string, 64 KB per line, 2^31 - 1 elements, nesting of 128, 1 GB per reply.
    fn default() -> ReplyLimits {
        ReplyLimits {
            bulk_bytes_max: 512 << 20,
            line_bytes_max: 64 << 10,
            items_max: 0x7fff_ffff,
            depth_max: 128,
            reply_bytes_max: 1 << 30,
        }
    }
}

/// Why bytes are not a valid reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReplyError {
    /// What is wrong.
    pub kind: ReplyErrorKind,
    /// Where, in bytes from the start of the stream.
    pub offset: u64,
}

/// What is wrong with a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReplyErrorKind {
    /// No type starts with this byte.
    UnknownType(u8),
    /// `:` without a 64-bit integer.
    BadInteger,
    /// A length that is not a number, or negative other than -1.
    BadLength,
    /// `,` without a number.
    BadDouble,
    /// `#` without `t` or `f`.
    BadBoolean,
    /// `_` followed by more text.
    BadNull,
    /// `(` without digits.
    BadBigNumber,
    /// `=` whose text does not start with three characters and a colon.
    BadVerbatim,
    /// A carriage return, or the end of a bulk string, without the rest of the line end.
    BadLineEnd,
    /// `.` outside a streamed aggregate, `;` outside a streamed string, or an odd streamed map.
    BadStream,
    /// A line longer than the limit.
    LineTooLong,
    /// A string longer than the limit.
    BulkTooLong,
    /// An aggregate with more elements than the limit.
    TooManyItems,
    /// Aggregates nested deeper than the limit.
    TooDeep,
    /// A reply with more bytes than the limit.
    ReplyTooLong,
}

impl fmt::Display for ReplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.kind {
            ReplyErrorKind::UnknownType(byte) => {
                return write!(f, "no reply type starts with '{}' (byte {})", byte.escape_ascii(), self.offset);
            }
            ReplyErrorKind::BadInteger => "not an integer of 64 bits",
            ReplyErrorKind::BadLength => "not a length",
            ReplyErrorKind::BadDouble => "not a double",
            ReplyErrorKind::BadBoolean => "not a boolean",
            ReplyErrorKind::BadNull => "not a null",
            ReplyErrorKind::BadBigNumber => "not a big number",
            ReplyErrorKind::BadVerbatim => "not a verbatim string",
            ReplyErrorKind::BadLineEnd => "line end missing",
            ReplyErrorKind::BadStream => "misplaced part of a streamed value",
            ReplyErrorKind::LineTooLong => "line too long",
            ReplyErrorKind::BulkTooLong => "string too long",
            ReplyErrorKind::TooManyItems => "too many elements",
            ReplyErrorKind::TooDeep => "nested too deeply",
            ReplyErrorKind::ReplyTooLong => "reply too long",
        };
        write!(f, "{text} (byte {})", self.offset)
    }
}

impl std::error::Error for ReplyError {}

/// Decodes the bytes that a server sends into replies and pushes.
///
/// Attributes (`|`) are parsed and dropped: no caller uses them yet.
///
/// ```
/// use resp::{Value, decode::ReplyDecoder};
/// let mut decoder = ReplyDecoder::default();
/// decoder.feed(b"*2\r\n:1\r\n$3\r\nab");
/// assert_eq!(decoder.next_reply(), Ok(None));
/// decoder.feed(b"c\r\n+OK\r\n");
/// assert_eq!(decoder.next_reply(), Ok(Some(Value::Array(vec![Value::Integer(1), Value::bulk("abc")]))));
/// assert_eq!(decoder.next_reply(), Ok(Some(Value::OK)));
/// assert_eq!(decoder.next_reply(), Ok(None));
/// ```
#[derive(Clone, Debug, Default)]
pub struct ReplyDecoder {
    limits: ReplyLimits,
    buffer: Buffer,
    stack: Vec<Frame>,
    /// A string whose length is known but whose bytes have not all arrived.
    bulk: Option<(BulkKind, usize)>,
    /// Bytes parsed since the start of the stream, and the offset at which the current reply started.
    offset: u64,
    reply_start: u64,
    failed: Option<ReplyError>,
}

/// An aggregate that is being read.
#[derive(Clone, Debug)]
struct Frame {
    kind: FrameKind,
    /// Elements not yet received; `None` for a streamed aggregate, which ends with `.`.
    remaining: Option<usize>,
    items: Vec<Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FrameKind {
    Array,
    Set,
    Push,
    Map,
    Attribute,
    /// A streamed string: `;` chunks, the last one empty.
    Chunks,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BulkKind {
    String,
    Error,
    Verbatim,
    Chunk,
}

/// Result of reading one header or string.
enum Piece {
    /// More bytes are needed.
    Wait,
    /// Something was parsed, but no value is complete yet.
    Progress,
    Value(Value),
}

impl ReplyDecoder {
    /// A decoder with these limits.
    pub fn new(limits: ReplyLimits) -> ReplyDecoder {
        ReplyDecoder { limits, ..ReplyDecoder::default() }
    }

    /// Adds received bytes. After an error they are ignored.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.failed.is_none() {
            self.buffer.feed(bytes);
        }
    }

    /// True if no bytes are buffered and no reply is partially read.
    pub fn is_idle(&self) -> bool {
        self.buffer.is_empty() && self.stack.is_empty() && self.bulk.is_none()
    }

    /// The next complete reply or push; `None` if more bytes are needed.
    ///
    /// # Errors
    /// The first input that is not RESP or exceeds a limit. Every later call returns the same error.
    pub fn next_reply(&mut self) -> Result<Option<Value>, ReplyError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.advance().map_err(|kind| {
            let error = ReplyError { kind, offset: self.offset };
            self.buffer.clear();
            self.stack = Vec::new();
            self.failed = Some(error);
            error
        })
    }

    fn advance(&mut self) -> Result<Option<Value>, ReplyErrorKind> {
        loop {
            match self.read_piece()? {
                Piece::Wait => {
                    self.check_reply_bytes(self.buffer.len())?;
                    return Ok(None);
                }
                Piece::Progress => self.check_reply_bytes(0)?,
                Piece::Value(value) => {
                    self.check_reply_bytes(0)?;
                    if let Some(whole) = self.place(value) {
                        self.reply_start = self.offset;
                        return Ok(Some(whole));
                    }
                }
            }
        }
    }

    fn check_reply_bytes(&self, waiting: usize) -> Result<(), ReplyErrorKind> {
        let so_far = self.offset.saturating_sub(self.reply_start);
        let bytes = usize::try_from(so_far).unwrap_or(usize::MAX).saturating_add(waiting);
        if bytes > self.limits.reply_bytes_max { Err(ReplyErrorKind::ReplyTooLong) } else { Ok(()) }
    }

    /// Adds a value to the aggregate it belongs to, and every aggregate that this completes to the next outer one. Returns the value if it
    /// is at the top level.
    fn place(&mut self, value: Value) -> Option<Value> {
        let mut value = value;
        loop {
            let Some(frame) = self.stack.last_mut() else { return Some(value) };
            frame.items.push(value);
            if let Some(remaining) = frame.remaining.as_mut() {
                *remaining = remaining.saturating_sub(1);
            }
            if frame.remaining != Some(0) {
                return None;
            }
            value = self.close_frame()?;
        }
    }

    /// Takes the innermost aggregate off the stack as a value; `None` for an attribute.
    fn close_frame(&mut self) -> Option<Value> {
        let frame = self.stack.pop()?;
        match frame.kind {
            FrameKind::Array => Some(Value::Array(frame.items)),
            FrameKind::Set => Some(Value::Set(frame.items)),
            FrameKind::Push => Some(Value::Push(frame.items)),
            FrameKind::Map => Some(Value::Map(pairs(frame.items))),
            FrameKind::Attribute => None,
            FrameKind::Chunks => {
                let mut whole = Vec::new();
                for item in &frame.items {
                    if let Value::Bulk(bytes) = item {
                        whole.extend_from_slice(bytes);
                    }
                }
                Some(Value::Bulk(Bytes::from(whole)))
            }
        }
    }

    fn read_piece(&mut self) -> Result<Piece, ReplyErrorKind> {
        if let Some((kind, length)) = self.bulk {
            return self.read_bulk(kind, length);
        }
        // The first byte is checked before the line is complete, so garbage without a line end is refused at once.
        if let Some(first) = self.buffer.first() {
            known_type(first)?;
        }
        let FoundLine::Whole(end) = self.buffer.find(b'\r', false) else {
            return self.wait_for_line(self.buffer.len());
        };
        self.wait_for_line(end)?;
        match self.buffer.unread().get(end.saturating_add(1)) {
            None => return Ok(Piece::Wait),
            Some(b'\n') => {}
            Some(_) => return Err(ReplyErrorKind::BadLineEnd),
        }
        let line = self.buffer.unread().get(..end).unwrap_or_default();
        let Some((&first, rest)) = line.split_first() else { return Err(ReplyErrorKind::UnknownType(b'\r')) };
        known_type(first)?;
        let header = self.parse_header(first, rest)?;
        self.consume(end.saturating_add(2));
        self.enter(header)
    }

    fn wait_for_line(&self, length: usize) -> Result<Piece, ReplyErrorKind> {
        if length > self.limits.line_bytes_max { Err(ReplyErrorKind::LineTooLong) } else { Ok(Piece::Wait) }
    }

    fn consume(&mut self, count: usize) {
        self.buffer.take(count);
        self.offset = self.offset.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
    }

    fn parse_header(&self, first: u8, rest: &[u8]) -> Result<Header, ReplyErrorKind> {
        let in_chunks = self.stack.last().is_some_and(|frame| frame.kind == FrameKind::Chunks);
        if in_chunks != (first == b';') {
            return Err(ReplyErrorKind::BadStream);
        }
        match first {
            b'+' => Ok(Header::Value(Value::Simple(Bytes::copy_from_slice(rest)))),
            b'-' => Ok(Header::Value(Value::Error(Bytes::copy_from_slice(rest)))),
            b':' => Ok(Header::Value(Value::Integer(integer(rest).ok_or(ReplyErrorKind::BadInteger)?))),
            b'_' if rest.is_empty() => Ok(Header::Value(Value::Null)),
            b'_' => Err(ReplyErrorKind::BadNull),
            b'#' => match rest {
                b"t" => Ok(Header::Value(Value::Boolean(true))),
                b"f" => Ok(Header::Value(Value::Boolean(false))),
                _ => Err(ReplyErrorKind::BadBoolean),
            },
            b',' => {
                let value = double(rest).ok_or(ReplyErrorKind::BadDouble)?;
                Ok(Header::Value(Value::double_as_written(value, rest)))
            }
            b'(' => {
                let digits = rest.strip_prefix(b"-").or_else(|| rest.strip_prefix(b"+")).unwrap_or(rest);
                if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
                    return Err(ReplyErrorKind::BadBigNumber);
                }
                Ok(Header::Value(Value::BigNumber(Bytes::copy_from_slice(rest))))
            }
            b'.' => match self.stack.last() {
                Some(frame) if rest.is_empty() && frame.remaining.is_none() && frame.is_even() => Ok(Header::End),
                _ => Err(ReplyErrorKind::BadStream),
            },
            _ => self.parse_length(first, rest),
        }
    }

    /// Headers that announce a length.
    fn parse_length(&self, first: u8, rest: &[u8]) -> Result<Header, ReplyErrorKind> {
        if rest == b"?" {
            return match first {
                b'$' => Ok(Header::Frame(FrameKind::Chunks, None)),
                b'*' | b'~' | b'%' | b'>' => Ok(Header::Frame(frame_kind(first), None)),
                _ => Err(ReplyErrorKind::BadLength),
            };
        }
        let length = integer(rest).ok_or(ReplyErrorKind::BadLength)?;
        match (first, length) {
            (b'$', -1) => return Ok(Header::Value(Value::Null)),
            (b'*', -1) => return Ok(Header::Value(Value::NullArray)),
            _ => {}
        }
        let length = usize::try_from(length).map_err(|_| ReplyErrorKind::BadLength)?;
        let bulk_kind = match first {
            b'$' => BulkKind::String,
            b'!' => BulkKind::Error,
            b'=' => BulkKind::Verbatim,
            b';' if length == 0 => return Ok(Header::End),
            b';' => BulkKind::Chunk,
            b'%' | b'|' => {
                let items = length.checked_mul(2).ok_or(ReplyErrorKind::TooManyItems)?;
                return self.frame(frame_kind(first), items);
            }
            _ => return self.frame(frame_kind(first), length),
        };
        if length > self.limits.bulk_bytes_max {
            return Err(ReplyErrorKind::BulkTooLong);
        }
        Ok(Header::Bulk(bulk_kind, length))
    }

    fn frame(&self, kind: FrameKind, items: usize) -> Result<Header, ReplyErrorKind> {
        if items > self.limits.items_max {
            return Err(ReplyErrorKind::TooManyItems);
        }
        Ok(Header::Frame(kind, Some(items)))
    }

    fn enter(&mut self, header: Header) -> Result<Piece, ReplyErrorKind> {
        match header {
            Header::Value(value) => {
                self.check_items()?;
                Ok(Piece::Value(value))
            }
            Header::Bulk(kind, length) => {
                self.check_items()?;
                self.bulk = Some((kind, length));
                Ok(Piece::Progress)
            }
            Header::End => Ok(self.close_frame().map_or(Piece::Progress, Piece::Value)),
            Header::Frame(kind, remaining) => {
                self.check_items()?;
                if self.stack.len() >= self.limits.depth_max {
                    return Err(ReplyErrorKind::TooDeep);
                }
                self.stack.push(Frame { kind, remaining, items: Vec::new() });
                if remaining == Some(0) {
                    return Ok(self.close_frame().map_or(Piece::Progress, Piece::Value));
                }
                Ok(Piece::Progress)
            }
        }
    }

    /// A streamed aggregate announces no length, so its elements are counted as they arrive.
    fn check_items(&self) -> Result<(), ReplyErrorKind> {
        match self.stack.last() {
            Some(frame) if frame.items.len() >= self.limits.items_max => Err(ReplyErrorKind::TooManyItems),
            _ => Ok(()),
        }
    }

    fn read_bulk(&mut self, kind: BulkKind, length: usize) -> Result<Piece, ReplyErrorKind> {
        let unread = self.buffer.unread();
        match (unread.get(length), unread.get(length.saturating_add(1))) {
            (Some(b'\r'), Some(b'\n')) => {}
            (None, _) | (Some(b'\r'), None) => return Ok(Piece::Wait),
            _ => return Err(ReplyErrorKind::BadLineEnd),
        }
        if kind == BulkKind::Verbatim && unread.get(..length).and_then(|text| text.get(3)) != Some(&b':') {
            return Err(ReplyErrorKind::BadVerbatim);
        }
        let bytes = self.buffer.cut_bulk(length);
        self.offset = self.offset.saturating_add(u64::try_from(length).unwrap_or(u64::MAX)).saturating_add(2);
        self.bulk = None;
        Ok(Piece::Value(match kind {
            BulkKind::String | BulkKind::Chunk => Value::Bulk(bytes),
            BulkKind::Error => Value::Error(bytes),
            BulkKind::Verbatim => {
                let mut format = *b"txt";
                for (slot, byte) in format.iter_mut().zip(&bytes) {
                    *slot = *byte;
                }
                Value::Verbatim(format, bytes.slice(4.min(bytes.len())..))
            }
        }))
    }
}

/// The meaning of a header line.
enum Header {
    Value(Value),
    Bulk(BulkKind, usize),
    Frame(FrameKind, Option<usize>),
    /// The end of a streamed value.
    End,
}

impl Frame {
    /// False for a map whose last key has no value.
    fn is_even(&self) -> bool {
        self.kind != FrameKind::Map || self.items.len().is_multiple_of(2)
    }
}

const fn frame_kind(first: u8) -> FrameKind {
    match first {
        b'~' => FrameKind::Set,
        b'>' => FrameKind::Push,
        b'%' => FrameKind::Map,
        b'|' => FrameKind::Attribute,
        _ => FrameKind::Array,
    }
}

fn known_type(first: u8) -> Result<(), ReplyErrorKind> {
    match first {
        b'+' | b'-' | b':' | b'$' | b'*' | b'_' | b'#' | b',' | b'(' | b'!' | b'=' | b'%' | b'~' | b'>' | b'|'
        | b';' | b'.' => Ok(()),
        other => Err(ReplyErrorKind::UnknownType(other)),
    }
}

/// An integer as in the RESP specification: an optional sign (`+` or `-`) and digits.
fn integer(text: &[u8]) -> Option<i64> {
    match text {
        [b'+', b'+' | b'-', ..] => None,
        _ => std::str::from_utf8(text).ok()?.parse().ok(),
    }
}

fn double(text: &[u8]) -> Option<f64> {
    match text {
        b"inf" | b"+inf" => return Some(f64::INFINITY),
        b"-inf" => return Some(f64::NEG_INFINITY),
        b"nan" => return Some(f64::NAN),
        b"-nan" => return Some(-f64::NAN),
        _ => {}
    }
    // Rust also parses "infinity" and "NaN"; the specification does not allow them.
    if !text.iter().all(|b| matches!(b, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')) {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

fn pairs(items: Vec<Value>) -> Vec<(Value, Value)> {
    let mut pairs = Vec::with_capacity(items.len() / 2);
    let mut items = items.into_iter();
    while let (Some(key), Some(value)) = (items.next(), items.next()) {
        pairs.push((key, value));
    }
    pairs
}

/// Reads exactly one reply; `None` if the bytes end too early or continue after the reply.
///
/// # Errors
/// The errors of [`ReplyDecoder::next_reply`].
pub fn decode_reply(bytes: &[u8]) -> Result<Option<Value>, ReplyError> {
    let mut decoder = ReplyDecoder::default();
    decoder.feed(bytes);
    let reply = decoder.next_reply()?;
    Ok(reply.filter(|_| decoder.is_idle()))
}
