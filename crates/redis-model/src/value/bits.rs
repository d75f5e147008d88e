//! Bits of a string: counting, finding, combining, and integers of any width.
//!
//! Bit 0 is the most significant bit of byte 0, as in Redis. Past the end of a string all bits are 0.
use crate::value::{
    number,
    raw::{PIECE_BYTES, Raw},
    string::{Str, View},
};

/// The bit at an index.
pub fn get(view: &View<'_>, index: u64) -> bool {
    let byte = usize::try_from(index / 8).map_or(0, |at| view.byte(at));
    byte & mask(index) != 0
}

/// Sets or clears the bit at an index; a string that is too short grows up to that byte.
pub fn set(raw: &mut Raw, index: u64, bit: bool) {
    let Ok(at) = usize::try_from(index / 8) else { return };
    let before = raw.piece(at / PIECE_BYTES).get(at % PIECE_BYTES).copied().unwrap_or(0);
    let byte = if bit { before | mask(index) } else { before & !mask(index) };
    raw.set_range(at, &[byte]);
}

fn mask(index: u64) -> u8 {
    0x80 >> (index % 8)
}

/// Number of 1 bits from `first` to `last`, both included.
pub fn count(view: &View<'_>, first: u64, last: u64) -> u64 {
    if first > last {
        return 0;
    }
    let (from, to) = (byte_of(first), byte_of(last));
    let all: u64 = view.parts(from..to.saturating_add(1)).map(ones).sum();
    let before = view.byte(from) & !(0xff >> (first % 8));
    let behind = view.byte(to) & (0x7f >> (last % 8));
    all.saturating_sub(u64::from(before.count_ones())).saturating_sub(u64::from(behind.count_ones()))
}

fn byte_of(index: u64) -> usize {
    usize::try_from(index / 8).unwrap_or(usize::MAX)
}

/// Counts eight bytes at a time: processors count the bits of a word in one step.
fn ones(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let words: u64 = words.iter().map(|word| u64::from(u64::from_ne_bytes(*word).count_ones())).sum();
    words + rest.iter().map(|byte| u64::from(byte.count_ones())).sum::<u64>()
}

/// Index of the first bit equal to `bit` from `first` to `last`, both included and inside the string.
pub fn find(view: &View<'_>, bit: bool, first: u64, last: u64) -> Option<u64> {
    // Inverts the bytes if needed, so that the search is always for a 1.
    let turn = if bit { 0 } else { 0xff };
    let from = byte_of(first);
    let head = (view.byte(from) ^ turn) & (0xff >> (first % 8));
    let (at, byte) = if head != 0 {
        (from, head)
    } else {
        let rest = from.saturating_add(1);
        let mut at = rest;
        let parts = view.parts(rest..byte_of(last).saturating_add(1));
        let found = parts.into_iter().find_map(|part| {
            let inside = first_other_than(part, turn);
            at = at.saturating_add(inside.unwrap_or(part.len()));
            inside
        });
        found?;
        (at, view.byte(at) ^ turn)
    };
    let index = (at as u64).saturating_mul(8).saturating_add(u64::from(byte.leading_zeros()));
    (index <= last).then_some(index)
}

/// Index of the first byte that is not `dull`.
fn first_other_than(bytes: &[u8], dull: u8) -> Option<usize> {
    let (words, rest) = bytes.as_chunks::<8>();
    let is_bright = |byte: &u8| *byte != dull;
    match words.iter().position(|word| *word != [dull; 8]) {
        Some(nth) => Some(nth * 8 + words.get(nth)?.iter().position(is_bright)?),
        None => Some(words.len() * 8 + rest.iter().position(is_bright)?),
    }
}

/// A bitwise operation on strings; shorter strings are padded with zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// 1 where all strings have a 1.
    And,
    /// 1 where any string has a 1.
    Or,
    /// 1 where an odd number of strings have a 1.
    Xor,
    /// 1 where the only string has a 0.
    Not,
}

/// Combines strings bit by bit; the result is as long as the longest.
pub fn combine(operation: Operation, sources: &[View<'_>]) -> Raw {
    let len = sources.iter().map(View::len).max().unwrap_or(0);
    (0..len.div_ceil(PIECE_BYTES))
        .map(|nth| {
            let piece_len = len.saturating_sub(nth.saturating_mul(PIECE_BYTES)).min(PIECE_BYTES);
            let mut sources = sources.iter().map(|source| source.piece(nth));
            let mut result = sources.next().unwrap_or_default().to_vec();
            result.resize(piece_len, 0);
            if operation == Operation::Not {
                result.iter_mut().for_each(|byte| *byte = !*byte);
            }
            for source in sources {
                fold(operation, &mut result, source);
            }
            result
        })
        .collect()
}

fn fold(operation: Operation, result: &mut [u8], source: &[u8]) {
    let (head, tail) = result.split_at_mut(source.len().min(result.len()));
    let pairs = head.iter_mut().zip(source);
    match operation {
        Operation::And => {
            pairs.for_each(|(byte, other)| *byte &= other);
            tail.fill(0);
        }
        Operation::Or => pairs.for_each(|(byte, other)| *byte |= other),
        Operation::Xor => pairs.for_each(|(byte, other)| *byte ^= other),
        Operation::Not => {}
    }
}

/// Width and signedness of an integer in a bit field: `u1` … `u63`, `i1` … `i64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width {
    /// Whether it is signed, in two's complement.
    pub is_signed: bool,
    /// Number of bits, 1 … 64.
    pub bits: u32,
}

/// What happens if a result does not fit (`OVERFLOW`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// Only the low bits are stored.
    Wrap,
    /// The result is clamped to the range.
    Sat,
    /// Nothing is written.
    Fail,
}

impl Width {
    /// Parses `i8`, `u63`: a letter and a number, as Redis reads them.
    pub fn parse(word: &[u8]) -> Option<Width> {
        let (sign, number) = word.split_first()?;
        let is_signed = match sign {
            b'i' => true,
            b'u' => false,
            _ => return None,
        };
        // Redis reads a C string, which ends at a zero byte.
        let number = number.split(|byte| *byte == 0).next()?;
        let bits = u32::try_from(number::parse_i64(number)?).ok()?;
        // An unsigned 64-bit integer would not fit into a reply.
        let bits_max = if is_signed { 64 } else { 63 };
        (1..=bits_max).contains(&bits).then_some(Width { is_signed, bits })
    }

    /// Largest integer of this width.
    fn max(self) -> i64 {
        i64::MAX >> if self.is_signed { 64 - self.bits } else { 63 - self.bits }
    }

    /// Smallest integer of this width.
    fn min(self) -> i64 {
        if self.is_signed { -1 - self.max() } else { 0 }
    }

    /// The low bits of a number, read as an integer of this width.
    fn cut(self, number: i64) -> i64 {
        let above = 64 - self.bits;
        if self.is_signed { number << above >> above } else { number & self.max() }
    }

    /// The sum of a value of this width and any integer, handled by `overflow` if it does not fit; `None`: write nothing.
    pub fn add(self, value: i64, increment: i64, overflow: Overflow) -> Option<i64> {
        let sum = i128::from(value) + i128::from(increment);
        let nearest = sum.clamp(self.min().into(), self.max().into());
        if nearest == sum {
            return i64::try_from(sum).ok();
        }
        self.instead(overflow, value.wrapping_add(increment), nearest)
    }

    /// Any integer converted to this width, handled by `overflow` if it does not fit; `None`: write nothing.
    pub fn fit(self, number: i64, overflow: Overflow) -> Option<i64> {
        let is_inside = (self.min()..=self.max()).contains(&number);
        if is_inside {
            return Some(number);
        }
        // Redis computes the distance to the upper end, which overflows far below zero; and for an unsigned width it reads the number
        // as unsigned, so that a negative number is a very large one.
        let is_above = number > 0 || !self.is_signed || self.max().wrapping_sub(number) < 0;
        let nearest = if is_above { self.max() } else { self.min() };
        self.instead(overflow, number, nearest.into())
    }

    fn instead(self, overflow: Overflow, wrapped: i64, nearest: i128) -> Option<i64> {
        match overflow {
            Overflow::Wrap => Some(self.cut(wrapped)),
            Overflow::Sat => i64::try_from(nearest).ok(),
            Overflow::Fail => None,
        }
    }

    /// Reads the integer of this width that begins at bit `offset`.
    pub fn read(self, view: &View<'_>, offset: u64) -> i64 {
        let (bytes, first, above) = self.place(offset);
        let run = (0..bytes).fold(0u128, |run, nth| run << 8 | u128::from(view.byte(first.saturating_add(nth))));
        self.cut((run >> above) as u64 as i64)
    }

    /// Writes the low bits of a number at bit `offset`, growing the string if needed.
    pub fn write(self, string: &mut Str, offset: u64, number: i64) {
        let (bytes, first, above) = self.place(offset);
        let ones = u128::from(u64::MAX >> (64 - self.bits)) << above;
        let patch = u128::from(number as u64) << above & ones;
        let view = string.view();
        let run = (0..bytes).fold(0u128, |run, nth| run << 8 | u128::from(view.byte(first.saturating_add(nth))));
        let run = (run & !ones | patch).to_be_bytes();
        string.set_range(first, run.get(run.len().saturating_sub(bytes)..).unwrap_or_default());
    }

    /// The bytes that an integer occupies: how many (at most 9), the first one, and how many bits of the last byte are not part of it.
    fn place(self, offset: u64) -> (usize, usize, u32) {
        let inside = (offset % 8) as u32;
        let bits = inside + self.bits;
        (bits.div_ceil(8) as usize, byte_of(offset), bits.next_multiple_of(8) - bits)
    }
}

#[cfg(test)]
#[path = "bits_tests.rs"]
mod tests;
