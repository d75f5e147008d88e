//! The dense form: 16384 registers of six bits each, packed from the low bits of each byte upwards.
//!
//! ```text
//!  byte 0     byte 1     byte 2
//!  11000000   22221111   33333322      the digit is the number of the register
//! ```
use super::REGISTERS;

const BITS: usize = 6;
/// Length of the packed registers.
pub(super) const BYTES: usize = REGISTERS * BITS / 8;
const MASK: u16 = (1 << BITS) - 1;

/// A register; 0 past the end.
pub(super) fn get(packed: &[u8], index: usize) -> u8 {
    let (at, shift) = place(index);
    ((pair(packed, at) >> shift) & MASK) as u8
}

/// Overwrites a register.
pub(super) fn set(packed: &mut [u8], index: usize, value: u8) {
    let (at, shift) = place(index);
    let pair = pair(packed, at) & !(MASK << shift) | (u16::from(value) & MASK) << shift;
    // The last register ends with the last byte: after it there is nothing to write.
    for (byte, new) in packed.iter_mut().skip(at).zip(pair.to_le_bytes()) {
        *byte = new;
    }
}

/// The byte in which a register begins, and the bit within that byte.
fn place(index: usize) -> (usize, u32) {
    let bit = index.saturating_mul(BITS);
    (bit / 8, (bit % 8) as u32)
}

fn pair(packed: &[u8], at: usize) -> u16 {
    let byte = |at: usize| packed.get(at).copied().unwrap_or(0);
    u16::from_le_bytes([byte(at), byte(at.saturating_add(1))])
}
