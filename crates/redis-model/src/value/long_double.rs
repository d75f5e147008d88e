//! `LongDouble`: the 80-bit floating point number of x87, which Redis uses for `INCRBYFLOAT` and `HINCRBYFLOAT`.
//!
//! Redis computes the sum in a C `long double` (on x86-64: 64 bits of mantissa, 15 of exponent) and prints it with
//! 17 decimal places, without trailing zeros. That is why `0.1 + 0.2` is `0.3` there and not `0.30000000000000004`. A browser
//! has no such type, so the sum is computed exactly in integers, then rounded once, to nearest, ties to even.
use crate::value::number::{self, Literal, Unrounded, Width};
use std::fmt;

const X87: Width = Width { digits: 64, exponent_min: -16445, exponent_max: 16320 };
/// Texts this long or longer are refused (`MAX_LONG_DOUBLE_CHARS`).
const TEXT_MAX: usize = 5 * 1024;
/// Decimal exponents beyond these (of the leading digit) are certainly infinite or zero.
const DECIMAL_MAX: i64 = 5_000;

/// A finite or infinite 80-bit number: ± `mantissa` × 2^`exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LongDouble {
    negative: bool,
    infinite: bool,
    mantissa: u64,
    exponent: i64,
}

impl From<i64> for LongDouble {
    fn from(value: i64) -> Self {
        Self::rounded(value < 0, Unrounded { bits: value.unsigned_abs().into(), sticky: false, exponent: 0 })
    }
}

impl LongDouble {
    fn rounded(negative: bool, number: Unrounded) -> Self {
        match number.round(X87) {
            Some((mantissa, exponent)) => Self { negative, infinite: false, mantissa, exponent },
            None => Self { negative, infinite: true, mantissa: 0, exponent: 0 },
        }
    }

    /// Parses what `strtold` parses, with Redis' restrictions (`string2ld`): no leading space, nothing after it, no overflow, no
    /// underflow to zero, no NaN. `inf` is accepted here; adding it fails.
    pub fn parse(text: &[u8]) -> Option<Self> {
        if text.len() >= TEXT_MAX || text.first().is_none_or(|byte| number::is_space(*byte)) {
            return None;
        }
        let (negative, literal, used) = number::literal(text);
        if used != text.len() {
            return None;
        }
        let (value, is_zero) = match literal {
            Literal::None | Literal::Nan => return None,
            Literal::Infinity => return Some(Self { negative, infinite: true, mantissa: 0, exponent: 0 }),
            Literal::Hexadecimal { whole, fraction, exponent } => {
                let number = Unrounded::from_hexadecimal(whole, fraction, exponent);
                (Self::rounded(negative, number), number.bits == 0)
            }
            Literal::Decimal { whole, fraction, exponent } => {
                let digits: Vec<u8> =
                    whole.iter().chain(fraction).copied().skip_while(|digit| *digit == b'0').collect();
                let exponent = exponent.saturating_sub(fraction.len() as i64);
                (Self::rounded(negative, decimal(&digits, exponent)?), digits.is_empty())
            }
        };
        (!value.infinite && (value.mantissa != 0 || is_zero)).then_some(value)
    }

    /// Is it one of the infinities?
    pub const fn is_infinite(self) -> bool {
        self.infinite
    }

    /// The sum, rounded to nearest, ties to even; `None` when it is infinite or not a number.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        if self.infinite || other.infinite {
            return None;
        }
        if self.mantissa == 0 || other.mantissa == 0 {
            return Some(if self.mantissa == 0 { other } else { self });
        }
        let (high, low) = if (self.exponent, self.mantissa) >= (other.exponent, other.mantissa) {
            (self, other)
        } else {
            (other, self)
        };
        // 63 extra bits: more than enough, so that of the bits cut off only "zero or not" matters.
        const ROOM: u32 = 63;
        let distance = high.exponent - low.exponent;
        let wide = u128::from(low.mantissa) << ROOM;
        let shifted = if distance < 128 { wide >> distance } else { 0 };
        let sticky = distance >= 128 || shifted << distance != wide;
        let top = u128::from(high.mantissa) << ROOM;
        let bits = if high.negative == low.negative { top + shifted } else { top - shifted - u128::from(sticky) };
        let exponent = high.exponent - i64::from(ROOM);
        let sum = Self::rounded(high.negative && bits != 0, Unrounded { bits, sticky, exponent });
        (!sum.infinite).then_some(sum)
    }

    /// |value| × 10^17 in decimal digits, rounded to an integer.
    fn scaled_digits(self) -> String {
        const SCALE: u128 = 100_000_000_000_000_000;
        let scaled = u128::from(self.mantissa) * SCALE;
        if self.exponent >= 0 {
            let mut number = Natural::from(scaled);
            number.shift_left(self.exponent as usize);
            return number.into_decimal();
        }
        let drop = self.exponent.unsigned_abs();
        let drop = if drop >= 127 { 127 } else { drop as u32 };
        let (kept, lost, half) = (scaled >> drop, scaled & ((1 << drop) - 1), 1u128 << (drop - 1));
        (kept + u128::from(lost > half || lost == half && kept & 1 == 1)).to_string()
    }
}

/// Like `%.17Lf` without trailing zeros (`ld2string` in its human form).
impl fmt::Display for LongDouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        if self.infinite {
            return write!(f, "{sign}inf");
        }
        let digits = format!("{:0>18}", self.scaled_digits());
        let (whole, fraction) = digits.split_at_checked(digits.len() - 17).unwrap_or((&digits, ""));
        match fraction.trim_end_matches('0') {
            "" if whole == "0" => f.write_str("0"),
            "" => write!(f, "{sign}{whole}"),
            fraction => write!(f, "{sign}{whole}.{fraction}"),
        }
    }
}

/// Decimal digits (the first not `0`) × 10^`exponent`, as enough bits for rounding. `None` if certainly too large or too small.
pub(super) fn decimal(digits: &[u8], exponent: i64) -> Option<Unrounded> {
    if digits.is_empty() {
        return Some(Unrounded { bits: 0, sticky: false, exponent: 0 });
    }
    let leading = exponent.saturating_add(digits.len() as i64);
    if leading.abs() > DECIMAL_MAX {
        return None;
    }
    let mut number = Natural::from_decimal(digits);
    if exponent >= 0 {
        number.times_power_of_ten(exponent as usize);
        return Some(number.leading_bits());
    }
    let mut divisor = Natural::from(1);
    divisor.times_power_of_ten(exponent.unsigned_abs() as usize);
    Some(number.divide(divisor))
}

/// A natural number of any size, 32 bits per limb, lowest first, no leading zero limb.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Natural(Vec<u32>);

impl From<u128> for Natural {
    fn from(value: u128) -> Self {
        let mut number = Self((0..4).map(|limb| (value >> (32 * limb)) as u32).collect());
        number.trim();
        number
    }
}

impl Natural {
    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    fn from_decimal(digits: &[u8]) -> Self {
        let mut number = Self(Vec::new());
        for chunk in digits.chunks(9) {
            let value = chunk.iter().fold(0u32, |value, digit| value * 10 + u32::from(digit.wrapping_sub(b'0')));
            number.multiply_add(10u32.pow(chunk.len() as u32), value);
        }
        number
    }

    fn multiply_add(&mut self, factor: u32, summand: u32) {
        let mut carry = u64::from(summand);
        for limb in &mut self.0 {
            carry += u64::from(*limb) * u64::from(factor);
            *limb = carry as u32;
            carry >>= 32;
        }
        if carry != 0 {
            self.0.push(carry as u32);
        }
    }

    fn times_power_of_ten(&mut self, exponent: usize) {
        for _ in 0..exponent / 9 {
            self.multiply_add(1_000_000_000, 0);
        }
        self.multiply_add(10u32.pow((exponent % 9) as u32), 0);
    }

    /// Divides in place; returns the remainder.
    fn divide_small(&mut self, divisor: u32) -> u32 {
        let mut rest = 0u64;
        for limb in self.0.iter_mut().rev() {
            let value = rest << 32 | u64::from(*limb);
            *limb = (value / u64::from(divisor)) as u32;
            rest = value % u64::from(divisor);
        }
        self.trim();
        rest as u32
    }

    fn into_decimal(mut self) -> String {
        let mut groups = Vec::new();
        while !self.0.is_empty() {
            groups.push(self.divide_small(1_000_000_000));
        }
        let mut text = groups.pop().unwrap_or(0).to_string();
        for group in groups.iter().rev() {
            text.push_str(&format!("{group:09}"));
        }
        text
    }

    fn bit_length(&self) -> usize {
        self.0.last().map_or(0, |top| self.0.len() * 32 - top.leading_zeros() as usize)
    }

    fn shift_left(&mut self, bits: usize) {
        let (limbs, bits) = (bits / 32, bits % 32);
        let mut carry = 0;
        for limb in &mut self.0 {
            let value = u64::from(*limb) << bits | carry;
            *limb = value as u32;
            carry = value >> 32;
        }
        self.0.push(carry as u32);
        self.0.splice(0..0, std::iter::repeat_n(0, limbs));
        self.trim();
    }

    fn halve(&mut self) {
        let mut carry = 0;
        for limb in self.0.iter_mut().rev() {
            let low = *limb & 1;
            *limb = *limb >> 1 | carry << 31;
            carry = low;
        }
        self.trim();
    }

    fn is_below(&self, other: &Self) -> bool {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev())).is_lt()
    }

    /// Subtracts a number that is not greater than `self`.
    fn subtract(&mut self, other: &Self) {
        let mut borrow = 0i64;
        let mut others = other.0.iter();
        for limb in &mut self.0 {
            let value = i64::from(*limb) - i64::from(others.next().copied().unwrap_or(0)) + borrow;
            *limb = value as u32;
            borrow = value >> 32;
        }
        self.trim();
    }

    /// The highest 96 to 128 bits, and whether any bit below them is set.
    fn leading_bits(&self) -> Unrounded {
        let below = self.0.len().saturating_sub(4);
        let bits = self.0.iter().skip(below).rev().fold(0u128, |bits, limb| bits << 32 | u128::from(*limb));
        let sticky = self.0.iter().take(below).any(|limb| *limb != 0);
        Unrounded { bits, sticky, exponent: below as i64 * 32 }
    }

    /// The quotient with at least 66 significant bits. Long division, one bit per round: operands have 17,000 bits at most.
    fn divide(mut self, mut divisor: Self) -> Unrounded {
        const ROUNDS: usize = 68;
        // Shift both so that the quotient has about as many bits as there are rounds.
        let (have, want) = (self.bit_length(), divisor.bit_length() + ROUNDS - 2);
        let shift = want as i64 - have as i64;
        if shift > 0 {
            self.shift_left(shift.unsigned_abs() as usize);
        } else {
            divisor.shift_left(shift.unsigned_abs() as usize);
        }
        divisor.shift_left(ROUNDS - 1);
        let mut bits = 0u128;
        for _ in 0..ROUNDS {
            bits <<= 1;
            if !self.is_below(&divisor) {
                self.subtract(&divisor);
                bits |= 1;
            }
            divisor.halve();
        }
        Unrounded { bits, sticky: !self.0.is_empty(), exponent: -shift }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sum(a: &str, b: &str) -> String {
        let (a, b) = (LongDouble::parse(a.as_bytes()).unwrap(), LongDouble::parse(b.as_bytes()).unwrap());
        a.checked_add(b).map_or("none".to_owned(), |sum| sum.to_string())
    }

    #[test]
    fn adds_and_prints_as_redis_does() {
        // Each line was taken from Redis 7.0.15.
        for (a, b, expected) in [
            ("0.1", "0.2", "0.3"),
            ("10.50", "0.1", "10.6"),
            ("5.0e3", "200", "5200"),
            ("-1.1", "1.1", "0"),
            ("-0.0", "-0.0", "0"),
            ("1e-20", "0", "0"),
            ("-1e-20", "0", "0"),
            ("3.0e-17", "0", "0.00000000000000003"),
            ("0.5e-17", "0", "0"),
            ("512.00719065854", "0", "512.00719065854000001"),
            ("18446744073709551615", "1", "18446744073709551616"),
            ("18446744073709551617", "0", "18446744073709551616"),
            ("1e30", "1", "1000000000000000000024696061952"),
            ("0x10", "0x.8p1", "17"),
        ] {
            assert_eq!(sum(a, b), expected, "{a} + {b}");
        }
        assert_eq!(sum("1e4932", "1.1e4932"), "none");
        assert_eq!(sum("inf", "1"), "none");
        for refused in ["", " 1", "1 ", "nan", "1e5000", "1e-5000", "1e999999999999", "abc", "0x", "1e", "--1"] {
            assert_eq!(LongDouble::parse(refused.as_bytes()), None, "{refused:?}");
        }
        let one = |length: usize| LongDouble::parse(format!("1.{:0<1$}", "", length - 2).as_bytes()).is_some();
        assert_eq!((one(TEXT_MAX - 1), one(TEXT_MAX)), (true, false));
        assert_eq!(LongDouble::from(i64::MIN).to_string(), "-9223372036854775808");
    }

    proptest! {
        #[test]
        fn whole_numbers_add_exactly(a in -(1i64 << 61)..1 << 61, b in -(1i64 << 61)..1 << 61) {
            let sum = LongDouble::from(a).checked_add(LongDouble::from(b)).unwrap();
            prop_assert_eq!(sum.to_string(), (a + b).to_string());
        }

        #[test]
        fn decimals_with_few_digits_read_back(whole in -99i64..99, fraction in 0u64..99_999_999_999) {
            let text = format!("{whole}.{fraction:011}");
            let shown = LongDouble::parse(text.as_bytes()).unwrap().to_string();
            let trimmed = text.trim_end_matches('0').trim_end_matches('.');
            let trimmed = if trimmed == "-0" { "0" } else { trimmed };
            prop_assert_eq!(shown, trimmed);
        }

        #[test]
        fn any_number_prints_as_one_that_reads_back(text in prop::collection::vec(prop::sample::select(b"0123456789.-+eExXpPinfa".to_vec()), 0..40)) {
            if let Some(value) = LongDouble::parse(&text) {
                let sums = value.checked_add(LongDouble::from(1));
                for number in [Some(value), sums].into_iter().flatten() {
                    let shown = number.to_string();
                    // 17 decimal places are printed, so from then on reading and printing agree.
                    let again = LongDouble::parse(shown.as_bytes()).map(|again| again.to_string());
                    prop_assert_eq!(again.as_ref(), Some(&shown));
                }
            }
        }
    }
}
