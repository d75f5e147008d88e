//! From registers to a count: Ertl's improved raw estimator (Algorithm 6 of "New cardinality estimation algorithms for
//! HyperLogLog sketches", 2017), which needs no correction of small or large counts.
use super::REGISTERS;

/// The maximum of a register is one more than this (`q` in the paper).
const Q: usize = 50;
/// 1 / (2 ln 2), as Redis writes it.
const ALPHA_INF: f64 = 0.721_347_520_444_481_7;

const PAST_63_BITS: f64 = 9_223_372_036_854_775_808.0;

/// Adds `times` registers of this value to a histogram.
pub(super) fn count(histogram: &mut [u32; 64], value: u8, times: u32) {
    if let Some(slot) = histogram.get_mut(usize::from(value)) {
        *slot = slot.saturating_add(times);
    }
}

/// The estimated count; `histogram[v]` is the number of registers with the value `v`.
pub fn estimate(histogram: &[u32; 64]) -> u64 {
    let m = REGISTERS as f64;
    let times = |value: usize| f64::from(histogram.get(value).copied().unwrap_or(0));
    let mut z = m * tau((m - times(Q + 1)) / m);
    for value in (1..=Q).rev() {
        z = (z + times(value)) * 0.5;
    }
    z += m * sigma(times(0) / m);
    // For an empty HyperLogLog z is infinite, and the count is 0.
    let count = (ALPHA_INF * m * m / z).round();
    // Only corrupt data counts past 63 bits; the conversion in C makes 2^63 of it.
    if count < PAST_63_BITS { count as u64 } else { 1 << 63 }
}

/// The correction for the share `x` of empty registers: a sum over all shorter runs (σ in the paper).
fn sigma(mut x: f64) -> f64 {
    if x == 1.0 {
        return f64::INFINITY;
    }
    let (mut y, mut z) = (1.0, x);
    loop {
        x *= x;
        let before = z;
        z += x * y;
        y += y;
        if z == before {
            return z;
        }
    }
}

/// The correction for the share `1 - x` of full registers: a sum over all longer runs (τ in the paper).
fn tau(mut x: f64) -> f64 {
    if x == 0.0 || x == 1.0 {
        return 0.0;
    }
    let (mut y, mut z) = (1.0, 1.0 - x);
    loop {
        x = x.sqrt();
        let before = z;
        y *= 0.5;
        z -= (1.0 - x) * (1.0 - x) * y;
        if z == before {
            return z / 3.0;
        }
    }
}
