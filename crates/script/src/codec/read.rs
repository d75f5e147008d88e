//! Decodes untrusted bytes.
use super::{DEPTH_MAX, Malformed};
use bytes::Bytes;

/// The bytes that are not yet read.
#[derive(Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
    depth: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the beginning of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes, depth: 0 }
    }

    /// Checks that all bytes were read.
    ///
    /// # Errors
    /// If bytes remain.
    pub fn end(&self) -> Result<(), Malformed> {
        if self.rest.is_empty() { Ok(()) } else { Err(Malformed::Long) }
    }

    /// Reads one byte.
    ///
    /// # Errors
    /// If no byte is left.
    pub fn byte(&mut self) -> Result<u8, Malformed> {
        let (&byte, rest) = self.rest.split_first().ok_or(Malformed::Short)?;
        self.rest = rest;
        Ok(byte)
    }

    /// Reads an unsigned number.
    ///
    /// # Errors
    /// If the input ends too early or the number has more than 64 bits.
    pub fn number(&mut self) -> Result<u64, Malformed> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Malformed::Number)
    }

    /// Reads a signed number.
    ///
    /// # Errors
    /// As [`Reader::number`].
    pub fn signed(&mut self) -> Result<i64, Malformed> {
        let folded = self.number()?;
        Ok((folded >> 1).cast_signed() ^ -(folded & 1).cast_signed())
    }

    /// Reads `count` bytes.
    ///
    /// # Errors
    /// If fewer bytes are left.
    pub fn raw(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (bytes, rest) = self.rest.split_at_checked(count).ok_or(Malformed::Short)?;
        self.rest = rest;
        Ok(bytes)
    }

    /// Reads a string.
    ///
    /// # Errors
    /// If the input ends too early.
    pub fn string(&mut self) -> Result<Bytes, Malformed> {
        let count = self.number()?;
        let bytes = self.raw(usize::try_from(count).map_err(|_| Malformed::Short)?)?;
        Ok(Bytes::copy_from_slice(bytes))
    }

    /// Reads the length of a list. Each item takes at least one byte, so the length is at most the number of remaining bytes.
    ///
    /// # Errors
    /// If too few bytes are left for that many items.
    pub fn count(&mut self) -> Result<usize, Malformed> {
        let count = usize::try_from(self.number()?).map_err(|_| Malformed::Short)?;
        if count > self.rest.len() { Err(Malformed::Short) } else { Ok(count) }
    }

    /// Reads a value nested in another value of its type.
    ///
    /// # Errors
    /// If the nesting exceeds [`DEPTH_MAX`], and the errors of `read`.
    pub fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Malformed>) -> Result<T, Malformed> {
        if self.depth >= DEPTH_MAX {
            return Err(Malformed::Deep);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }
}
