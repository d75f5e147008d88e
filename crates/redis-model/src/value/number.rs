//! Redis' own conversions between numbers and text: strict integers, doubles as `strtod` parses and `%.17g` prints them.
//!
//! The 80-bit numbers of `INCRBYFLOAT` are in [`super::long_double`].

/// Maximum text length of an `i64`: a sign and 19 digits.
pub const I64_TEXT_MAX: usize = 20;

/// Parses an integer as Redis does nearly everywhere (`string2ll`): decimal digits with an optional `-`, but no `+`,
/// no leading zeros, no spaces and no `-0`.
pub fn parse_i64(text: &[u8]) -> Option<i64> {
    if text.len() > I64_TEXT_MAX {
        return None;
    }
    let (negative, digits) = match text {
        [b'0'] => return Some(0),
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if !matches!(digits.first(), Some(b'1'..=b'9')) {
        return None;
    }
    digits.iter().try_fold(0i64, |value, byte| {
        let digit = i64::from(byte.wrapping_sub(b'0'));
        if digit > 9 {
            return None;
        }
        let shifted = value.checked_mul(10)?;
        if negative { shifted.checked_sub(digit) } else { shifted.checked_add(digit) }
    })
}

/// Parses an unsigned integer as Redis does for stream ids (`string2ull`): first strictly, then with C's `strtoull`, which
/// also accepts leading spaces, signs and zeros (and wraps a negative number).
pub fn parse_u64(text: &[u8]) -> Option<u64> {
    if let Some(value) = parse_i64(text) {
        return u64::try_from(value).ok();
    }
    let text = text.trim_ascii_start_c();
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() {
        return None;
    }
    let value = digits.iter().try_fold(0u64, |value, byte| {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value.checked_mul(10)?.checked_add(u64::from(digit))
    })?;
    Some(if negative { value.wrapping_neg() } else { value })
}

/// Parses a double as Redis parses scores and increments (`getDoubleFromObject`): everything `strtod` accepts (decimal, hexadecimal,
/// `inf`), but no leading space, nothing after it, no overflow, no underflow to zero, no NaN.
pub fn parse_double(text: &[u8]) -> Option<f64> {
    if text.first().is_none_or(|byte| is_space(*byte)) {
        return None;
    }
    let scan = strtod(text);
    (scan.used == text.len() && !scan.out_of_range && !scan.value.is_nan()).then_some(scan.value)
}

/// Parses a double as `ZRANGEBYSCORE` parses its bounds: plain `strtod` on a C string. Leading spaces are ignored, the empty text
/// is 0, too large a number is infinite, and the text ends at its first zero byte.
pub fn parse_double_loosely(text: &[u8]) -> Option<f64> {
    let text = text.split(|byte| *byte == 0).next().unwrap_or_default();
    let scan = strtod(text);
    (scan.used == text.len() && !scan.value.is_nan()).then_some(scan.value)
}

/// Prints a double as Redis 7.0 does in replies (`%.17g`): `3`, `0.10000000000000001`, `1e+20`, `inf`, `-inf`.
pub fn format_double(value: f64) -> String {
    let mut text = Vec::with_capacity(24);
    resp::encode::double_text(value, &mut text);
    String::from_utf8(text).unwrap_or_default()
}

/// Is it white space for C's `isspace`?
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

trait TrimStart {
    fn trim_ascii_start_c(&self) -> &[u8];
}

impl TrimStart for [u8] {
    fn trim_ascii_start_c(&self) -> &[u8] {
        let start = self.iter().position(|byte| !is_space(*byte)).unwrap_or(self.len());
        self.get(start..).unwrap_or_default()
    }
}

/// The number literal at the start of a text, before conversion to some width.
#[derive(Debug, PartialEq)]
pub(super) enum Literal<'a> {
    /// There is no number.
    None,
    Nan,
    Infinity,
    /// `whole` `.` `fraction` × 10^`exponent`, digits only.
    Decimal {
        whole: &'a [u8],
        fraction: &'a [u8],
        exponent: i64,
    },
    /// `whole` `.` `fraction` in base 16, × 2^`exponent`.
    Hexadecimal {
        whole: &'a [u8],
        fraction: &'a [u8],
        exponent: i64,
    },
}

/// Scans the longest prefix of `text` that C's `strtod` and `strtold` accept: whether it is negative, the literal, and its length.
pub(super) fn literal(text: &[u8]) -> (bool, Literal<'_>, usize) {
    let rest = text.trim_ascii_start_c();
    let (negative, rest) = match rest {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let start = text.len() - rest.len();
    let starts_with = |word: &[u8]| rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    if starts_with(b"infinity") {
        return (negative, Literal::Infinity, start + 8);
    }
    if starts_with(b"inf") {
        return (negative, Literal::Infinity, start + 3);
    }
    if starts_with(b"nan") {
        return (negative, Literal::Nan, start + 3);
    }
    if starts_with(b"0x") {
        let digits = rest.get(2..).unwrap_or_default();
        let (whole, fraction, used) = digits_and_point(digits, u8::is_ascii_hexdigit);
        if !whole.is_empty() || !fraction.is_empty() {
            let (exponent, used_exponent) = exponent(digits.get(used..).unwrap_or_default(), b'p');
            return (negative, Literal::Hexadecimal { whole, fraction, exponent }, start + 2 + used + used_exponent);
        }
    }
    let (whole, fraction, used) = digits_and_point(rest, u8::is_ascii_digit);
    if whole.is_empty() && fraction.is_empty() {
        return (false, Literal::None, 0);
    }
    let (exponent, used_exponent) = exponent(rest.get(used..).unwrap_or_default(), b'e');
    (negative, Literal::Decimal { whole, fraction, exponent }, start + used + used_exponent)
}

fn digits_and_point(text: &[u8], is_digit: impl Fn(&u8) -> bool) -> (&[u8], &[u8], usize) {
    let span = |text: &[u8]| text.iter().position(|byte| !is_digit(byte)).unwrap_or(text.len());
    let (whole, rest) = text.split_at_checked(span(text)).unwrap_or((text, &[]));
    match rest {
        [b'.', rest @ ..] => {
            let fraction = rest.get(..span(rest)).unwrap_or_default();
            (whole, fraction, whole.len() + 1 + fraction.len())
        }
        _ => (whole, &[], whole.len()),
    }
}

/// The exponent at the start of `text` and its length; 0 and 0 if there is none. Exponents beyond every width are clamped.
fn exponent(text: &[u8], mark: u8) -> (i64, usize) {
    let [first, rest @ ..] = text else { return (0, 0) };
    if !first.eq_ignore_ascii_case(&mark) {
        return (0, 0);
    }
    let (negative, digits) = match rest {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let span = digits.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len());
    if span == 0 {
        return (0, 0);
    }
    let value = digits.iter().take(span).fold(0i64, |value, byte| {
        value.saturating_mul(10).saturating_add(i64::from(byte.wrapping_sub(b'0'))).min(1 << 40)
    });
    (if negative { -value } else { value }, text.len() - digits.len() + span)
}

/// A number of limited width before rounding: (`bits`, plus a little when `sticky`) × 2^`exponent`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unrounded {
    pub bits: u128,
    pub sticky: bool,
    pub exponent: i64,
}

/// A floating point format: bits of the mantissa, and the exponents of its lowest bit in the smallest and in the largest number.
#[derive(Clone, Copy)]
pub(super) struct Width {
    pub digits: i64,
    pub exponent_min: i64,
    pub exponent_max: i64,
}

/// IEEE 754 double precision.
const DOUBLE: Width = Width { digits: 53, exponent_min: -1074, exponent_max: 971 };

impl Unrounded {
    /// `mantissa` × 10^`exponent`, with an exponent from -19 to 19: numbers as people write them fit 128 bits.
    fn from_short_decimal(mantissa: u64, exponent: i64) -> Self {
        let power = 10u128.pow(exponent.unsigned_abs().min(19) as u32);
        if exponent >= 0 || mantissa == 0 {
            return Self { bits: u128::from(mantissa) * power, sticky: false, exponent: 0 };
        }
        let shift = u128::from(mantissa).leading_zeros();
        let wide = u128::from(mantissa) << shift;
        Self { bits: wide / power, sticky: wide % power != 0, exponent: -i64::from(shift) }
    }

    /// From base-16 digits.
    pub fn from_hexadecimal(whole: &[u8], fraction: &[u8], exponent: i64) -> Self {
        let mut number = Self { bits: 0, sticky: false, exponent };
        for (digits, step) in [(whole, 0), (fraction, -4)] {
            for byte in digits {
                let digit = char::from(*byte).to_digit(16).unwrap_or(0);
                if number.bits >> 120 == 0 {
                    number.bits = number.bits << 4 | u128::from(digit);
                    number.exponent = number.exponent.saturating_add(step);
                } else {
                    number.sticky |= digit != 0;
                    number.exponent = number.exponent.saturating_add(4 + step);
                }
            }
        }
        number
    }

    /// Rounds to nearest, ties to even. Returns mantissa and exponent, or `None` if the number is too large.
    pub fn round(self, width: Width) -> Option<(u64, i64)> {
        if self.bits == 0 {
            return Some((0, width.exponent_min));
        }
        let length = i64::from(128 - self.bits.leading_zeros());
        let drop = (length - width.digits).max(width.exponent_min.saturating_sub(self.exponent));
        let mut exponent = self.exponent.saturating_add(drop);
        let mut mantissa = if drop > length + 1 {
            0
        } else if drop > 0 {
            let kept = self.bits.checked_shr(drop as u32).unwrap_or(0);
            let half = 1u128 << (drop - 1).min(127);
            let lost = self.bits & (half | (half - 1));
            // If all bits and one more are dropped, the rest is below a half.
            let (above, tie) = if drop > length {
                (false, false)
            } else {
                (lost > half || lost == half && self.sticky, lost == half && !self.sticky)
            };
            kept + u128::from(above || tie && kept & 1 == 1)
        } else {
            self.bits << -drop.max(-127)
        };
        if mantissa >> width.digits != 0 {
            mantissa >>= 1;
            exponent += 1;
        }
        (exponent <= width.exponent_max).then_some((mantissa as u64, exponent))
    }
}

struct Scan {
    value: f64,
    used: usize,
    /// Whether C reports ERANGE, with a result of zero or infinity.
    out_of_range: bool,
}

/// C's `strtod`: parses the longest prefix that is a number.
fn strtod(text: &[u8]) -> Scan {
    let (negative, literal, used) = literal(text);
    let (value, out_of_range) = match literal {
        Literal::None => (0.0, false),
        Literal::Nan => (f64::NAN, false),
        Literal::Infinity => (f64::INFINITY, false),
        Literal::Hexadecimal { whole, fraction, exponent } => {
            let number = Unrounded::from_hexadecimal(whole, fraction, exponent);
            let value = number.round(DOUBLE).map_or(f64::INFINITY, |(mantissa, exponent)| compose(mantissa, exponent));
            (value, value.is_infinite() || value == 0.0 && number.bits != 0)
        }
        Literal::Decimal { whole, fraction, exponent } => {
            let value = decimal_double(whole, fraction, exponent);
            let is_zero = whole.iter().chain(fraction).all(|digit| *digit == b'0');
            (value, value.is_infinite() || value == 0.0 && !is_zero)
        }
    };
    Scan { value: if negative { -value } else { value }, used, out_of_range }
}

/// The double nearest to `whole` `.` `fraction` × 10^`exponent`, ties to even.
///
/// Not `str::parse`: in the page its table of powers, which does not compress, would be larger than this whole module.
fn decimal_double(whole: &[u8], fraction: &[u8], exponent: i64) -> f64 {
    /// No double, and no midpoint between two doubles, has more digits: of the rest, only whether it is zero matters.
    const DIGITS_MAX: usize = 800;
    let digits = || whole.iter().chain(fraction).copied().skip_while(|digit| *digit == b'0');
    let length = digits().count();
    let exponent = exponent.saturating_sub(fraction.len() as i64);
    let leading = exponent.saturating_add(length as i64);
    if length == 0 || leading < -330 {
        return 0.0;
    }
    if leading > 310 {
        return f64::INFINITY;
    }
    let number = if length <= 19 && exponent.abs() <= 19 {
        let mantissa = digits().fold(0u64, |value, digit| value * 10 + u64::from(digit.wrapping_sub(b'0')));
        Some(Unrounded::from_short_decimal(mantissa, exponent))
    } else {
        let mut kept: Vec<u8> = digits().take(DIGITS_MAX).collect();
        let mut exponent = exponent.saturating_add(length.saturating_sub(kept.len()) as i64);
        if digits().skip(DIGITS_MAX).any(|digit| digit != b'0') {
            kept.push(b'1');
            exponent = exponent.saturating_sub(1);
        }
        super::long_double::decimal(&kept, exponent)
    };
    let rounded = number.and_then(|number| number.round(DOUBLE));
    rounded.map_or(f64::INFINITY, |(mantissa, exponent)| compose(mantissa, exponent))
}

/// The double `mantissa` × 2^`exponent`, both as `Unrounded::round` gives them.
fn compose(mantissa: u64, exponent: i64) -> f64 {
    const IMPLICIT: u64 = 1 << 52;
    if mantissa < IMPLICIT {
        return f64::from_bits(mantissa);
    }
    let biased = (exponent - DOUBLE.exponent_min + 1) as u64;
    f64::from_bits(biased << 52 | (mantissa & (IMPLICIT - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn integers_are_strict() {
        for (text, value) in [
            ("0", Some(0)),
            ("7", Some(7)),
            ("-1", Some(-1)),
            ("9223372036854775807", Some(i64::MAX)),
            ("-9223372036854775808", Some(i64::MIN)),
            ("9223372036854775808", None),
            ("-9223372036854775809", None),
            ("18446744073709551617", None),
            ("", None),
            ("-", None),
            ("+1", None),
            ("01", None),
            ("-0", None),
            ("00", None),
            (" 1", None),
            ("1 ", None),
            ("1.0", None),
            ("1e3", None),
            ("0x10", None),
        ] {
            assert_eq!(parse_i64(text.as_bytes()), value, "{text:?}");
        }
        assert_eq!(parse_u64(b"18446744073709551615"), Some(u64::MAX));
        assert_eq!(parse_u64(b"18446744073709551616"), None);
        assert_eq!(parse_u64(b"-1"), None);
        assert_eq!(parse_u64(b"007"), Some(7));
        // `XADD k "5- -1" f v` makes the entry 5-18446744073709551615.
        assert_eq!(parse_u64(b" -1"), Some(u64::MAX));
        assert_eq!(parse_u64(b""), None);
    }

    #[test]
    fn doubles_are_read_as_c_reads_them() {
        for (text, value) in [
            ("3", Some(3.0)),
            ("+3.5", Some(3.5)),
            (".5", Some(0.5)),
            ("5.", Some(5.0)),
            ("1e3", Some(1000.0)),
            ("0x10", Some(16.0)),
            ("0x1.8p1", Some(3.0)),
            ("-0X.8", Some(-0.5)),
            ("0x1p-1074", Some(f64::from_bits(1))),
            ("0x1.fffffffffffffp1023", Some(f64::MAX)),
            ("0x1.00000000000008p0", Some(1.0)),
            ("0x1.000000000000081p0", Some(1.0 + f64::EPSILON)),
            ("0x1p1024", None),
            ("0x1p-1075", None),
            ("0x1.8p-1075", Some(f64::from_bits(1))),
            ("0x", None),
            ("inf", Some(f64::INFINITY)),
            ("-Infinity", Some(f64::NEG_INFINITY)),
            ("infinit", None),
            ("nan", None),
            ("1e400", None),
            ("1e-400", None),
            ("5e-324", Some(f64::from_bits(1))),
            ("0e-400", Some(0.0)),
            ("0e99999999999999999999", Some(0.0)),
            ("1e", None),
            ("1e+", None),
            (".", None),
            ("", None),
            (" 1", None),
            ("1 ", None),
            ("1a", None),
        ] {
            assert_eq!(parse_double(text.as_bytes()), value, "{text:?}");
        }
        assert_eq!(parse_double_loosely(b""), Some(0.0));
        assert_eq!(parse_double_loosely(b" 7"), Some(7.0));
        assert_eq!(parse_double_loosely(b"1e400"), Some(f64::INFINITY));
        assert_eq!(parse_double_loosely(b"5\0x"), Some(5.0));
        assert_eq!(parse_double_loosely(b" "), None);
        assert_eq!(parse_double_loosely(b"nan"), None);
    }

    #[test]
    fn doubles_are_printed_as_c_prints_them() {
        for (value, text) in [
            (3.0, "3"),
            (0.1, "0.10000000000000001"),
            (1e20, "1e+20"),
            (1e16, "10000000000000000"),
            (1e17, "1e+17"),
            (123456789.25, "123456789.25"),
            (-0.0, "-0"),
            (0.0001, "0.0001"),
            (0.00001, "1.0000000000000001e-05"),
            (1.5e300, "1.5000000000000001e+300"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            // A tie at the 17th digit rounds to the even digit.
            (1.0 + 2.0f64.powi(-17), "1.0000076293945312"),
            (1.0 + 3.0 * 2.0f64.powi(-17), "1.0000228881835938"),
        ] {
            assert_eq!(format_double(value), text);
        }
    }

    proptest! {
        #[test]
        fn printing_and_reading_is_the_identity(bits in any::<u64>()) {
            let value = f64::from_bits(bits);
            prop_assume!(!value.is_nan());
            prop_assert_eq!(parse_double(format_double(value).as_bytes()).map(f64::to_bits), Some(bits));
        }

        #[test]
        fn decimals_are_rounded_once(
            whole in "[0-9]{0,25}", fraction in "[0-9]{0,40}", zeros in 0usize..30, exponent in -360i64..330, plain in any::<bool>(),
        ) {
            let exponent = if plain { 0 } else { exponent };
            let fraction = format!("{}{fraction}", "0".repeat(zeros));
            let expected: f64 = format!("0{whole}.{fraction}e{exponent}").parse().unwrap();
            let ours = decimal_double(whole.as_bytes(), fraction.as_bytes(), exponent);
            prop_assert_eq!(ours.to_bits(), expected.to_bits());
        }

        #[test]
        fn midpoint_between_two_doubles_rounds_to_even(half in 1u128 << 53..1u128 << 54, power in 0u32..30, last in 0u8..2) {
            // An odd 54-bit number is a midpoint; a last digit far behind it moves the value above it.
            let half = half | 1;
            for (digits, exponent) in [(half << power, 0), (half * 5u128.pow(power), -i64::from(power))] {
                let (whole, fraction) = (digits.to_string(), format!("{:0>60}{last}", ""));
                let expected: f64 = format!("{whole}.{fraction}e{exponent}").parse().unwrap();
                let ours = decimal_double(whole.as_bytes(), fraction.as_bytes(), exponent);
                prop_assert_eq!(ours.to_bits(), expected.to_bits());
                let expected: f64 = format!("{whole}e{exponent}").parse().unwrap();
                prop_assert_eq!(decimal_double(whole.as_bytes(), b"", exponent).to_bits(), expected.to_bits());
            }
        }

        #[test]
        fn integers_read_back(value in any::<i64>(), unsigned in any::<u64>()) {
            prop_assert_eq!(parse_i64(value.to_string().as_bytes()), Some(value));
            prop_assert_eq!(parse_u64(unsigned.to_string().as_bytes()), Some(unsigned));
        }

        #[test]
        fn strict_integers_accept_only_the_canonical_text(text in prop::collection::vec(prop::sample::select(b"0123456789.-+eExXpPinfa \0".to_vec()), 0..30)) {
            if let Some(value) = parse_i64(&text) {
                prop_assert_eq!(value.to_string().into_bytes(), text.clone());
                prop_assert_eq!(parse_u64(&text), u64::try_from(value).ok());
            }
            // A score may be infinite but is never NaN, and a text that the strict parser accepts means the same to both.
            prop_assert!(parse_double(&text).is_none_or(|value| !value.is_nan()));
            if let Some(value) = parse_double(&text) {
                prop_assert_eq!(parse_double_loosely(&text).map(f64::to_bits), Some(value.to_bits()));
            }
        }
    }
}
