//! `PFSELFTEST`: registers keep what is written to them, and counts are right to within their error.
use bytes::BytesMut;

use super::{Corrupted, HyperLogLog, REGISTERS, add, dense, empty, to_dense};

/// Number of elements to count: enough to fill most registers, few enough to be fast.
const ELEMENTS: u64 = 1 << 15;
/// Allowed relative error: six standard errors of 1.04 / √16384, which chance never exceeds.
const ERROR_MAX: f64 = 6.0 * 1.04 / 128.0;

/// Tests the registers, then counts of growing numbers of elements in both forms.
///
/// # Errors
/// A description of the first mismatch.
pub fn self_test() -> Result<(), String> {
    registers()?;
    counts().map_err(|Corrupted| "a HyperLogLog corrupted itself".to_owned())?
}

/// Writes all registers several times and reads them back.
fn registers() -> Result<(), String> {
    let value = |index: usize, round: usize| ((index.wrapping_mul(31).wrapping_add(round.wrapping_mul(17))) % 64) as u8;
    let mut packed = vec![0; dense::BYTES];
    for round in 0..8 {
        for index in 0..REGISTERS {
            dense::set(&mut packed, index, value(index, round));
        }
        if let Some(wrong) = (0..REGISTERS).find(|index| dense::get(&packed, *index) != value(*index, round)) {
            return Err(format!("register {wrong} holds {}, not {}", dense::get(&packed, wrong), value(wrong, round)));
        }
    }
    Ok(())
}

/// Adds numbers to a sparse and to a dense HyperLogLog, and compares their counts with each other and with the exact count.
fn counts() -> Result<Result<(), String>, Corrupted> {
    let (mut sparse, mut dense) = (BytesMut::from(&empty()[..]), BytesMut::from(&empty()[..]));
    to_dense(&mut dense)?;
    let mut checkpoint = 1;
    for n in 1..=ELEMENTS {
        add(&mut sparse, &n.to_le_bytes(), 3000)?;
        add(&mut dense, &n.to_le_bytes(), 3000)?;
        if n < checkpoint {
            continue;
        }
        checkpoint = checkpoint.saturating_mul(2);
        let count = |bytes: &[u8]| HyperLogLog::of(bytes).map_or(Err(Corrupted), |hll| hll.count());
        let (a, b) = (count(&sparse)?, count(&dense)?);
        let error = (b as f64 - n as f64).abs() / n as f64;
        if a != b || error > ERROR_MAX {
            return Ok(Err(format!("of {n} elements {a} are counted sparsely and {b} densely")));
        }
    }
    Ok(Ok(()))
}
