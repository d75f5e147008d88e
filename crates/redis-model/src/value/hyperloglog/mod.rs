//! HyperLogLog: how many different elements there were, to within 0.81 %, in at most 12 KB, kept in a string as Redis keeps it.
//!
//! Each element is hashed to 64 bits. The low 14 choose one of 16384 registers; a register remembers the longest run of
//! zeros (plus one) that the other 50 bits of any of its elements began with. Long runs are rare, so their lengths tell
//! how many different elements there were; the same element again changes nothing.
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

pub use element::{Place, murmur64a};
pub use estimate::estimate;
pub use self_test::self_test;
pub use sparse::{Opcode, opcodes};

/// Registers of every HyperLogLog.
pub const REGISTERS: usize = 16384;
/// Bytes before the registers.
pub const HEADER_BYTES: usize = 16;
/// Length of the dense form, header included.
pub const DENSE_BYTES: usize = HEADER_BYTES + dense::BYTES;

const MAGIC: &[u8] = b"HYLL";
/// Where the encoding stands, and its two values.
const ENCODING_AT: usize = 4;
const DENSE: u8 = 0;
const SPARSE: u8 = 1;
/// Where the last count stands.
const COUNT_AT: usize = 8;
/// Set in the last byte of the count when it is out of date.
const OUT_OF_DATE: u8 = 0x80;

/// The string is no HyperLogLog at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotHyperLogLog;

/// The header is that of a HyperLogLog, but the runs of registers behind it do not add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corrupted;

/// How the registers are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Six bits a register.
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
    /// The registers in order, each 0 … 63.
    pub fn as_slice(&self) -> &[u8] {
        &self.0
    }

    /// A register that is lower than `value` becomes it. True when it was.
    pub fn raise(&mut self, index: usize, value: u8) -> bool {
        match self.0.get_mut(index) {
            Some(register) if *register < value => {
                *register = value;
                true
            }
            _ => false,
        }
    }

    /// Each register becomes the higher one of its own and the other's: the registers of the union.
    pub fn merge(&mut self, other: &Registers) {
        for (register, other) in self.0.iter_mut().zip(&other.0) {
            *register = (*register).max(*other);
        }
    }

    /// How many different elements there were.
    pub fn estimate(&self) -> u64 {
        let mut histogram = [0u32; 64];
        for register in &self.0 {
            estimate::tell(&mut histogram, *register, 1);
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
    /// Looks at the header, and at the length where it is fixed.
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

    /// What stands behind the header.
    fn body(&self) -> &'a [u8] {
        self.bytes.get(HEADER_BYTES..).unwrap_or_default()
    }

    /// The last count, unless it is out of date.
    pub fn cached_count(&self) -> Option<u64> {
        let count = self.bytes.get(COUNT_AT..HEADER_BYTES)?.try_into().map(u64::from_le_bytes).ok()?;
        (count >> 63 == 0).then_some(count)
    }

    /// The runs of the sparse form in order; none of the dense one.
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

    /// Counts again how many different elements there were.
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
                    estimate::tell(&mut histogram, opcode.value(), u32::try_from(opcode.len()).unwrap_or(u32::MAX));
                }
                if registers == REGISTERS { Ok(estimate(&histogram)) } else { Err(Corrupted) }
            }
        }
    }
}

/// A HyperLogLog of nothing: one run of 16384 zeros, and the right count.
pub fn empty() -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.push(SPARSE);
    bytes.resize(HEADER_BYTES, 0);
    Opcode::ZeroLong(REGISTERS).write(&mut bytes);
    bytes
}

/// Adds an element. True when a register changed; the count is then out of date.
///
/// `sparse_bytes_max` is `hll-sparse-max-bytes`: a longer sparse form becomes dense, and so does one that would have to hold a
/// register above 32.
///
/// # Errors
/// [`Corrupted`]; nothing has changed then.
pub fn add(bytes: &mut BytesMut, element: &[u8], sparse_bytes_max: usize) -> Result<bool, Corrupted> {
    let Place { register, run } = Place::of(element);
    raise(bytes, register, run, sparse_bytes_max)
}

/// A register that is lower than `value` becomes it. True when it was; see [`add`].
///
/// # Errors
/// [`Corrupted`]; nothing has changed then.
pub fn raise(bytes: &mut BytesMut, index: usize, value: u8, sparse_bytes_max: usize) -> Result<bool, Corrupted> {
    if bytes.get(ENCODING_AT) == Some(&SPARSE) {
        match sparse::raise(bytes, index, value, sparse_bytes_max)? {
            sparse::Outcome::Same => return Ok(false),
            sparse::Outcome::Raised => {
                forget_count(bytes);
                return Ok(true);
            }
            sparse::Outcome::TooMuch => _ = to_dense(bytes)?,
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

/// Makes the form dense. True when it was not.
///
/// # Errors
/// [`Corrupted`]; nothing has changed then.
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

/// Marks the count as out of date; its lower bits stay.
pub fn forget_count(bytes: &mut [u8]) {
    if let Some(last) = bytes.get_mut(HEADER_BYTES - 1) {
        *last |= OUT_OF_DATE;
    }
}

/// Remembers a count.
pub fn remember_count(bytes: &mut [u8], count: u64) {
    if let Some(place) = bytes.get_mut(COUNT_AT..HEADER_BYTES) {
        place.copy_from_slice(&count.to_le_bytes());
    }
}

#[cfg(test)]
mod tests;
