//! The sparse form: runs of equal registers, in one or two bytes each.
//!
//! ```text
//!  ZERO   00nnnnnn             1 … 64 registers of 0
//!  XZERO  01nnnnnn nnnnnnnn    1 … 16384 registers of 0
//!  VAL    1vvvvvnn             1 … 4 registers of the value 1 … 32
//! ```
//! (Each number is stored minus one.) Raising a register splits its run into up to three. Neighbours of equal value are
//! merged afterwards, but only within five runs, as in Redis: the result depends on the order in which elements were added.
use bytes::BytesMut;

use super::{Corrupted, HEADER_BYTES, REGISTERS, Registers};

const ZERO_LEN_MAX: usize = 64;
const VALUE_MAX: u8 = 32;
const VALUE_LEN_MAX: usize = 4;
/// Number of runs to check for merging, from the one before the change on.
const JOINED_MAX: usize = 5;

/// A run of equal registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opcode {
    /// `ZERO`: this many registers of 0.
    Zero(usize),
    /// `XZERO`: this many registers of 0, in two bytes.
    ZeroLong(usize),
    /// `VAL`: a value, and the number of registers that have it.
    Value(u8, usize),
}

impl Opcode {
    /// The run that begins here. The missing byte of a truncated `XZERO` is 0, like the byte after every Redis string.
    fn read(bytes: &[u8]) -> Option<Opcode> {
        let (first, rest) = bytes.split_first()?;
        let low = usize::from(first & 0x3f);
        Some(match first >> 6 {
            0 => Opcode::Zero(low + 1),
            1 => Opcode::ZeroLong((low << 8 | usize::from(rest.first().copied().unwrap_or(0))) + 1),
            _ => Opcode::Value((first >> 2 & 0x1f) + 1, usize::from(first & 3) + 1),
        })
    }

    /// Appends the run.
    pub(super) fn write(self, bytes: &mut impl Extend<u8>) {
        // Lengths are stored minus one; every run is created within its limits.
        let less_one = |len: usize| len.saturating_sub(1);
        match self {
            Opcode::Zero(len) => bytes.extend([less_one(len) as u8 & 0x3f]),
            Opcode::ZeroLong(len) => bytes.extend([(less_one(len) >> 8) as u8 & 0x3f | 0x40, less_one(len) as u8]),
            Opcode::Value(value, len) => {
                bytes.extend([0x80 | (value.saturating_sub(1) & 0x1f) << 2 | less_one(len) as u8 & 3]);
            }
        }
    }

    /// Number of registers of the run.
    pub fn len(self) -> usize {
        match self {
            Opcode::Zero(len) | Opcode::ZeroLong(len) | Opcode::Value(_, len) => len,
        }
    }

    /// Always false: a run has at least one register.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The value of its registers.
    pub fn value(self) -> u8 {
        if let Opcode::Value(value, _) = self { value } else { 0 }
    }

    /// Number of bytes of the encoded run.
    pub fn bytes(self) -> usize {
        if matches!(self, Opcode::ZeroLong(_)) { 2 } else { 1 }
    }
}

/// The runs of a sparse body, in order.
pub fn opcodes(body: &[u8]) -> impl Iterator<Item = Opcode> {
    let mut rest = body;
    std::iter::from_fn(move || {
        let opcode = Opcode::read(rest)?;
        rest = rest.get(opcode.bytes()..).unwrap_or_default();
        Some(opcode)
    })
}

/// Raises `registers` to those of a sparse body.
pub(super) fn unpack(body: &[u8], registers: &mut Registers) -> Result<(), Corrupted> {
    let mut at = 0usize;
    for opcode in opcodes(body) {
        let end = at.saturating_add(opcode.len());
        if let Opcode::Value(value, _) = opcode {
            registers.0.get_mut(at..end).ok_or(Corrupted)?.fill(value);
        }
        at = end;
    }
    if at == REGISTERS { Ok(()) } else { Err(Corrupted) }
}

/// The result of raising a register.
pub(super) enum RaiseResult {
    /// It was at least as high already.
    Same,
    /// It was raised.
    Raised,
    /// The sparse form cannot hold it; nothing has changed.
    TooMuch,
}

/// A run and its position.
struct PositionedRun {
    opcode: Opcode,
    /// Its offset in the bytes.
    at: usize,
    /// Its first register.
    first: usize,
    /// The offset of the run before it, or its own if it is the first.
    joins_from: usize,
}

/// Raises a register to `value`.
pub(super) fn raise(bytes: &mut BytesMut, index: usize, value: u8, bytes_max: usize) -> Result<RaiseResult, Corrupted> {
    if value > VALUE_MAX {
        return Ok(RaiseResult::TooMuch);
    }
    let PositionedRun { opcode, at, first, joins_from } = find(bytes, index).ok_or(Corrupted)?;
    if opcode.value() >= value {
        return Ok(RaiseResult::Same);
    }
    let mut new = Vec::with_capacity(5);
    if opcode.len() == 1 && opcode.bytes() == 1 {
        Opcode::Value(value, 1).write(&mut new);
    } else {
        run_like(opcode, index.saturating_sub(first), &mut new);
        Opcode::Value(value, 1).write(&mut new);
        let last = first.saturating_add(opcode.len()).saturating_sub(1);
        run_like(opcode, last.saturating_sub(index), &mut new);
    }
    let grows = new.len() > opcode.bytes();
    if grows && bytes.len().saturating_add(new.len()).saturating_sub(opcode.bytes()) > bytes_max {
        return Ok(RaiseResult::TooMuch);
    }
    replace(bytes, at, opcode.bytes(), &new);
    join(bytes, joins_from);
    Ok(RaiseResult::Raised)
}

/// Finds the run of a register.
fn find(bytes: &[u8], index: usize) -> Option<PositionedRun> {
    let (mut at, mut first, mut joins_from) = (HEADER_BYTES, 0usize, HEADER_BYTES);
    loop {
        let opcode = Opcode::read(bytes.get(at..)?)?;
        let behind = first.saturating_add(opcode.len());
        if index < behind {
            return Some(PositionedRun { opcode, at, first, joins_from });
        }
        (joins_from, first, at) = (at, behind, at.saturating_add(opcode.bytes()));
    }
}

/// Appends a run of another length but of the same value; none of length 0.
fn run_like(opcode: Opcode, len: usize, bytes: &mut Vec<u8>) {
    match opcode {
        _ if len == 0 => {}
        Opcode::Value(value, _) => Opcode::Value(value, len).write(bytes),
        _ if len > ZERO_LEN_MAX => Opcode::ZeroLong(len).write(bytes),
        _ => Opcode::Zero(len).write(bytes),
    }
}

/// Replaces `len` bytes by `new`.
fn replace(bytes: &mut BytesMut, at: usize, len: usize, new: &[u8]) {
    let tail = bytes.split_off(at.min(bytes.len()));
    bytes.extend_from_slice(new);
    bytes.extend_from_slice(tail.get(len..).unwrap_or_default());
}

/// Merges neighbours of equal value, up to the maximum length of a run, within five runs.
fn join(bytes: &mut BytesMut, from: usize) {
    let mut at = from;
    for _ in 0..JOINED_MAX {
        let read = |at: usize| bytes.get(at..).and_then(Opcode::read);
        let Some(opcode) = read(at) else { return };
        let next = at.saturating_add(opcode.bytes());
        match (opcode, read(next)) {
            (Opcode::Value(a, len), Some(Opcode::Value(b, more))) if a == b && len + more <= VALUE_LEN_MAX => {
                let mut joined = Vec::with_capacity(1);
                Opcode::Value(a, len + more).write(&mut joined);
                replace(bytes, at, 2, &joined);
            }
            _ => at = next,
        }
    }
}
