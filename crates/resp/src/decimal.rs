//! Correctly rounded decimal digits of doubles, as C prints them.
//!
//! A double is an integer times a power of two, so it has finitely many decimal digits. All of them are computed by long multiplication and
//! division, then rounded once, to nearest, ties to even. The standard library does the same faster with tables and two algorithms; in the
//! page, those are larger than all callers of this module.

/// Base of the intermediate digits: nine decimal digits each.
const BILLION: u32 = 1_000_000_000;
/// 5^13, the largest power of five in 32 bits.
const FIVES: u32 = 1_220_703_125;

/// The magnitude of a finite double in decimal.
pub(crate) struct Decimal {
    /// Values 0 to 9, without leading zeros; empty for the number zero.
    pub digits: Vec<u8>,
    /// Number of digits before the decimal point; negative if zeros come between the point and the first digit.
    pub point: i32,
}

impl Decimal {
    /// All digits of `d`; the sign is ignored.
    pub fn of(d: f64) -> Decimal {
        let bits = d.to_bits();
        let biased = (bits >> 52 & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let mantissa = if biased == 0 { fraction } else { fraction | 1 << 52 };
        let exponent = biased.max(1) - 1_075;
        let mut number = vec![mantissa as u32, (mantissa >> 32) as u32];
        // m·2^-k is m·5^k·10^-k: only the point moves.
        let (factor, step) = if exponent < 0 { (FIVES, 13) } else { (1 << 16, 16) };
        let times = exponent.unsigned_abs();
        for _ in 0..times / step {
            multiply(&mut number, factor);
        }
        let rest = times % step;
        multiply(&mut number, if exponent < 0 { 5_u32.pow(rest) } else { 1 << rest });
        let digits = decimal(number);
        let point = digits.len() as i32 + exponent.min(0);
        Decimal { digits, point }
    }

    /// Rounds to the first `count` digits.
    pub fn keep(&mut self, count: usize) {
        let Some((kept, rest)) = self.digits.split_at_checked(count) else { return };
        let is_odd = kept.last().is_some_and(|digit| digit % 2 == 1);
        let is_up = rest
            .split_first()
            .is_some_and(|(first, tail)| *first > 5 || *first == 5 && (is_odd || tail.iter().any(|digit| *digit != 0)));
        self.digits.truncate(count);
        if is_up {
            for digit in self.digits.iter_mut().rev() {
                if *digit < 9 {
                    *digit += 1;
                    return;
                }
                *digit = 0;
            }
            self.digits.insert(0, 1);
            self.point += 1;
        }
    }

    /// The digit `place` positions after the first one; `0` outside the known digits.
    fn digit(&self, place: i32) -> char {
        let digit = usize::try_from(place).ok().and_then(|place| self.digits.get(place)).copied().unwrap_or(0);
        char::from(b'0' + digit)
    }
}

/// Multiplies `number` (32-bit words, least significant first) by `factor`.
fn multiply(number: &mut Vec<u32>, factor: u32) {
    let mut carry = 0_u64;
    for word in number.iter_mut() {
        carry += u64::from(*word) * u64::from(factor);
        *word = carry as u32;
        carry >>= 32;
    }
    if carry > 0 {
        number.push(carry as u32);
    }
}

/// The decimal digits of a number, without leading zeros.
fn decimal(mut number: Vec<u32>) -> Vec<u8> {
    let mut digits = Vec::new();
    while !number.is_empty() {
        let mut rest = 0_u64;
        for word in number.iter_mut().rev() {
            rest = rest << 32 | u64::from(*word);
            *word = (rest / u64::from(BILLION)) as u32;
            rest %= u64::from(BILLION);
        }
        for _ in 0..9 {
            digits.push((rest % 10) as u8);
            rest /= 10;
        }
        trim(&mut number, 0);
    }
    trim(&mut digits, 0);
    digits.reverse();
    digits
}

/// Cuts zeros from the end.
fn trim<T: PartialEq>(numbers: &mut Vec<T>, zero: T) {
    let len = numbers.iter().rposition(|number| *number != zero).map_or(0, |last| last + 1);
    numbers.truncate(len);
}

/// `d` with `places` digits after the decimal point, as C's `%.2f` prints it. `d` must be finite.
///
/// ```
/// assert_eq!(resp::decimal::fixed(2.0 / 3.0, 2), "0.67");
/// assert_eq!(resp::decimal::fixed(-0.125, 2), "-0.12");
/// assert_eq!(resp::decimal::fixed(99.96, 1), "100.0");
/// assert_eq!(resp::decimal::fixed(7.5, 0), "8");
/// ```
pub fn fixed(d: f64, places: u8) -> String {
    let mut decimal = Decimal::of(d);
    match usize::try_from(decimal.point + i32::from(places)) {
        Ok(count) => decimal.keep(count),
        Err(_) => decimal.digits.clear(),
    }
    let mut text = String::from(if d.is_sign_negative() { "-" } else { "" });
    if decimal.point <= 0 {
        text.push('0');
    }
    text.extend((0..decimal.point).map(|place| decimal.digit(place)));
    if places > 0 {
        text.push('.');
        text.extend((0..i32::from(places)).map(|place| decimal.digit(decimal.point + place)));
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Decimal, fixed};

    proptest! {
        /// Compares with the standard library.
        #[test]
        fn digits_are_those_of_the_standard_library(bits in any::<u64>()) {
            let d = f64::from_bits(bits).abs();
            prop_assume!(d.is_finite());
            let mut decimal = Decimal::of(d);
            decimal.keep(17);
            let digits: String = decimal.digits.iter().take(17).map(|digit| char::from(b'0' + digit)).collect();
            let scientific = format!("{d:.16e}");
            let (mantissa, exponent) = scientific.split_once('e').unwrap_or_default();
            prop_assert_eq!(format!("{digits:0<17}"), mantissa.replace('.', ""));
            prop_assert_eq!(decimal.point - 1, exponent.parse::<i32>().unwrap_or(i32::MAX));
        }

        #[test]
        fn fixed_is_that_of_the_standard_library(d in -1e9_f64..1e9, small in -1.0_f64..1.0, places in 0_u8..6) {
            for d in [d, small, d.trunc() / 8.0, small / 1e4] {
                prop_assert_eq!(fixed(d, places), format!("{d:.0$}", usize::from(places)));
            }
        }
    }

    #[test]
    fn the_ends_of_the_range_are_exact() {
        for d in [0.0, f64::MIN_POSITIVE, 5e-324, f64::MAX, 9.5, 0.5, 1.5, 999.999] {
            assert_eq!(fixed(d, 3), format!("{d:.3}"));
            assert_eq!(fixed(d, 0), format!("{d:.0}"));
        }
    }
}
