//! HyperLogLog: estimates the number of distinct elements to within 0.81 % in at most 12 KB, stored in a string as in Redis.
//!
//! Each element is hashed to 64 bits. The low 14 bits choose one of 16384 registers; a register stores the longest run of
//! zeros (plus one) at the start of the other 50 bits of any of its elements. Long runs are rare, so their lengths indicate
//! the number of distinct elements; adding the same element again changes nothing.
//!
//! ```text
//!  byte    0 … 3   4          5 … 7    8 … 15                           16 …
//!        ┌───────┬──────────┬────────┬────────────────────────────────┬──────────────────────────────────────┐
//!        │ HYLL  │ 0 dense  │ unused │ the last count, little-endian; │ dense:  16384 × 6 bits = 12288 bytes │
//!        │       │ 1 sparse │        │ top bit set: it is out of date │ sparse: runs of registers            │
//!        └───────┴──────────┴────────┴────────────────────────────────┴──────────────────────────────────────┘
//! ```
//!
//! Sources: Flajolet et al., "HyperLogLog" (2007); Heule et al., "HyperLogLog in Practice" (2013); Ertl, "New cardinality
//! estimation algorithms for HyperLogLog sketches" (2017), whose estimator Redis uses. The bytes are those of Redis 7.0.
mod dense;
mod element;
mod estimate;
mod self_test;
mod sparse;

use bytes::BytesMut;

pub use element::{RegisterUpdate, murmur64a};
pub use estimate::estimate;
pub use self_test::self_test;
pub use sparse::{Opcode, opcodes};

/// Number of registers of every HyperLogLog.
pub const REGISTERS: usize = 16384;
/// Bytes before the registers.
pub const HEADER_BYTES: usize = 16;
/// Length of the dense form, header included.
pub const DENSE_BYTES: usize = HEADER_BYTES + dense::BYTES;

const MAGIC: &[u8] = b"HYLL";
/// Offset of the encoding byte, and its two values.
const ENCODING_AT: usize = 4;
const DENSE: u8 = 0;
const SPARSE: u8 = 1;
/// Offset of the last count.
const COUNT_AT: usize = 8;
/// Bit in the last byte of the count: set when the count is out of date.
const OUT_OF_DATE: u8 = 0x80;

/// The string is not a HyperLogLog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotHyperLogLog;

/// The header is valid, but the runs of registers after it do not add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corrupted;

/// How the registers are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Six bits per register.
    Dense,
    /// Runs of equal registers.
    Sparse,
}

impl Encoding {
    /// As `PFDEBUG ENCODING` prints it.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Dense => "dense",
            Encoding::Sparse => "sparse",
        }
    }
}

/// All registers, unpacked.
#[derive(Clone, PartialEq, Eq)]
pub struct Registers([u8; REGISTERS]);

impl Default for Registers {
    fn default() -> Registers {
        Registers([0; REGISTERS])
    }
}

impl Registers {
    /// The values of the registers in order, each 0 … 63.
    pub fn as_slice(&self) -> &[u8] {
        &self.0
    }

    /// Raises a register to `value` if it is lower. True if it was raised.
    pub fn raise(&mut self, index: usize, value: u8) -> bool {
        match self.0.get_mut(index) {
            Some(register) if *register < value => {
                *register = value;
                true
            }
            _ => false,
        }
    }

    /// Raises each register to the other's value if that is higher: the result describes the union.
    pub fn merge(&mut self, other: &Registers) {
        for (register, other) in self.0.iter_mut().zip(&other.0) {
            *register = (*register).max(*other);
        }
    }

    /// Estimates the number of distinct elements.
    pub fn estimate(&self) -> u64 {
        let mut histogram = [0u32; 64];
        for register in &self.0 {
            estimate::count(&mut histogram, *register, 1);
        }
        estimate(&histogram)
    }
}

/// The bytes of a HyperLogLog, for reading.
#[derive(Clone, Copy, Debug)]
pub struct HyperLogLog<'a> {
    bytes: &'a [u8],
    encoding: Encoding,
}

impl<'a> HyperLogLog<'a> {
    /// Checks the header, and the length of the dense form.
    ///
    /// # Errors
    /// [`NotHyperLogLog`]
    pub fn of(bytes: &'a [u8]) -> Result<HyperLogLog<'a>, NotHyperLogLog> {
        if bytes.len() < HEADER_BYTES || !bytes.starts_with(MAGIC) {
            return Err(NotHyperLogLog);
        }
        let encoding = match bytes.get(ENCODING_AT) {
            Some(&DENSE) if bytes.len() == DENSE_BYTES => Encoding::Dense,
            Some(&SPARSE) => Encoding::Sparse,
            _ => return Err(NotHyperLogLog),
        };
        Ok(HyperLogLog { bytes, encoding })
    }

    /// How the registers are kept.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The bytes after the header.
    fn body(&self) -> &'a [u8] {
        self.bytes.get(HEADER_BYTES..).unwrap_or_default()
    }

    /// The cached count, unless it is out of date.
    pub fn cached_count(&self) -> Option<u64> {
        let count = self.bytes.get(COUNT_AT..HEADER_BYTES)?.try_into().map(u64::from_le_bytes).ok()?;
        (count >> 63 == 0).then_some(count)
    }

    /// The runs of the sparse form in order; none for the dense form.
    pub fn opcodes(&self) -> impl Iterator<Item = Opcode> + use<'a> {
        opcodes(if self.encoding == Encoding::Sparse { self.body() } else { &[] })
    }

    /// All registers.
    ///
    /// # Errors
    /// [`Corrupted`]
    pub fn registers(&self) -> Result<Registers, Corrupted> {
        let mut registers = Registers::default();
        match self.encoding {
            Encoding::Dense => {
                for (index, register) in registers.0.iter_mut().enumerate() {
                    *register = dense::get(self.body(), index);
                }
            }
            Encoding::Sparse => sparse::unpack(self.body(), &mut registers)?,
        }
        Ok(registers)
    }

    /// Estimates the number of distinct elements from the registers, without the cached count.
    ///
    /// # Errors
    /// [`Corrupted`]
    pub fn count(&self) -> Result<u64, Corrupted> {
        match self.encoding {
            Encoding::Dense => self.registers().map(|registers| registers.estimate()),
            Encoding::Sparse => {
                let mut histogram = [0u32; 64];
                let mut registers = 0usize;
                for opcode in self.opcodes() {
                    registers = registers.saturating_add(opcode.len());
                    estimate::count(&mut histogram, opcode.value(), u32::try_from(opcode.len()).unwrap_or(u32::MAX));
                }
                if registers == REGISTERS { Ok(estimate(&histogram)) } else { Err(Corrupted) }
            }
        }
    }
}

/// An empty HyperLogLog: one run of 16384 zeros, and a valid cached count.
pub fn empty() -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.push(SPARSE);
    bytes.resize(HEADER_BYTES, 0);
    Opcode::ZeroLong(REGISTERS).write(&mut bytes);
    bytes
}

/// Adds an element. True if a register changed; the cached count is then out of date.
///
/// `sparse_bytes_max` is `hll-sparse-max-bytes`: a longer sparse form is converted to dense, and so is one that needs a
/// register above 32.
///
/// # Errors
/// [`Corrupted`]; then nothing has changed.
pub fn add(bytes: &mut BytesMut, element: &[u8], sparse_bytes_max: usize) -> Result<bool, Corrupted> {
    let RegisterUpdate { register, run } = RegisterUpdate::of(element);
    raise(bytes, register, run, sparse_bytes_max)
}

/// Raises a register to `value` if it is lower. True if it was raised; see [`add`].
///
/// # Errors
/// [`Corrupted`]; then nothing has changed.
pub fn raise(bytes: &mut BytesMut, index: usize, value: u8, sparse_bytes_max: usize) -> Result<bool, Corrupted> {
    if bytes.get(ENCODING_AT) == Some(&SPARSE) {
        match sparse::raise(bytes, index, value, sparse_bytes_max)? {
            sparse::RaiseResult::Same => return Ok(false),
            sparse::RaiseResult::Raised => {
                forget_count(bytes);
                return Ok(true);
            }
            sparse::RaiseResult::TooMuch => _ = to_dense(bytes)?,
        }
    }
    let body = bytes.get_mut(HEADER_BYTES..).unwrap_or_default();
    let is_raised = dense::get(body, index) < value;
    if is_raised {
        dense::set(body, index, value);
        forget_count(bytes);
    }
    Ok(is_raised)
}

/// Converts to the dense form. True if it was sparse.
///
/// # Errors
/// [`Corrupted`]; then nothing has changed.
pub fn to_dense(bytes: &mut BytesMut) -> Result<bool, Corrupted> {
    let Ok(sparse @ HyperLogLog { encoding: Encoding::Sparse, .. }) = HyperLogLog::of(bytes) else { return Ok(false) };
    let registers = sparse.registers()?;
    bytes.truncate(HEADER_BYTES);
    bytes.resize(DENSE_BYTES, 0);
    if let Some(encoding) = bytes.get_mut(ENCODING_AT) {
        *encoding = DENSE;
    }
    let body = bytes.get_mut(HEADER_BYTES..).unwrap_or_default();
    for (index, register) in registers.0.iter().enumerate() {
        if *register > 0 {
            dense::set(body, index, *register);
        }
    }
    Ok(true)
}

/// Marks the cached count as out of date; its lower bits stay.
pub fn forget_count(bytes: &mut [u8]) {
    if let Some(last) = bytes.get_mut(HEADER_BYTES - 1) {
        *last |= OUT_OF_DATE;
    }
}

/// Caches a count.
pub fn remember_count(bytes: &mut [u8], count: u64) {
    if let Some(place) = bytes.get_mut(COUNT_AT..HEADER_BYTES) {
        place.copy_from_slice(&count.to_le_bytes());
    }
}

#[cfg(test)]
mod tests;
