//! Points in time as `2026-01-31 12:00:00.123`. There are no zones: the server's clock counts from 1970 in UTC.

const DAY_MICROS: i64 = 86_400_000_000;

/// Days from 1970-01-01 to a date. Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year - era * 400;
    let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The date this many days after 1970-01-01: year, month, day.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days - era * 146_097;
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// Formats a time with this number of digits of a second's fraction.
pub(crate) fn format(micros: i64, digits: u8) -> String {
    let (year, month, day) = date(micros.div_euclid(DAY_MICROS));
    let rest = micros.rem_euclid(DAY_MICROS);
    let seconds = rest / 1_000_000;
    let mut text = String::with_capacity(26);
    let mut part = |before: &str, n: i64, width: usize| {
        text.push_str(before);
        let digits = n.to_string();
        for _ in digits.len()..width {
            text.push('0');
        }
        text.push_str(&digits);
    };
    part("", year, 4);
    part("-", month, 2);
    part("-", day, 2);
    part(" ", seconds / 3600, 2);
    part(":", seconds / 60 % 60, 2);
    part(":", seconds % 60, 2);
    if digits > 0 {
        part(".", rest % 1_000_000, 6);
        text.truncate(20 + usize::from(digits));
    }
    text
}

fn of_parts(parts: [i64; 6], micros: i64) -> Option<i64> {
    let [year, month, day, hour, minute, second] = parts;
    let number = days(year, month, day);
    let fits =
        (0..=9999).contains(&year) && (0..24).contains(&hour) && (0..60).contains(&minute) && (0..60).contains(&second);
    // A day beyond the end of the month gives another date.
    (fits && (1..=12).contains(&month) && date(number) == (year, month, day))
        .then(|| number * DAY_MICROS + (hour * 3600 + minute * 60 + second) * 1_000_000 + micros)
}

/// Parses `2026-01-31`, `2026-01-31 12:00:00` and `2026-01-31 12:00:00.5`: microseconds since 1970, and digits of the fraction.
pub(crate) fn parse(text: &[u8]) -> Option<(i64, u8)> {
    let mut parts = [0i64; 6];
    let mut rest = text.trim_ascii();
    for (index, part) in parts.iter_mut().enumerate() {
        if index > 0 {
            rest = match (index, rest) {
                (1 | 2, [b'-', rest @ ..]) | (3, [b' ' | b'T', rest @ ..]) | (4 | 5, [b':', rest @ ..]) => rest,
                (3 | 5, []) => break,
                _ => return None,
            };
        }
        let length = rest.iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
        if length == 0 {
            return None;
        }
        let (digits, behind) = rest.split_at_checked(length)?;
        *part = digits.iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
        rest = behind;
    }
    let (mut micros, mut digits) = (0, 0u8);
    if let [b'.', fraction @ ..] = rest {
        if fraction.iter().any(|byte| !byte.is_ascii_digit()) {
            return None;
        }
        digits = 6;
        for place in 0..6 {
            micros = micros * 10 + i64::from(fraction.get(place).map_or(0, |digit| digit - b'0'));
        }
    } else if !rest.is_empty() {
        return None;
    }
    Some((of_parts(parts, micros)?, digits))
}

/// Parses `20260131120000` and `20260131`.
pub(crate) fn of_number(number: i64) -> Option<i64> {
    let number = if number < 100_000_000 { number.checked_mul(1_000_000)? } else { number };
    if number < 0 {
        return None;
    }
    let part = |below: i64, size: i64| number / below % size;
    of_parts(
        [
            number / 10_000_000_000,
            part(100_000_000, 100),
            part(1_000_000, 100),
            part(10_000, 100),
            part(100, 100),
            part(1, 100),
        ],
        0,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_times_are_written_and_read() {
        for (text, micros) in [
            ("1970-01-01 00:00:00", 0),
            ("2024-02-29 23:59:59", 1_709_251_199_000_000),
            ("1969-12-31 23:59:59", -1_000_000),
            ("9999-12-31 23:59:59", 253_402_300_799_000_000),
        ] {
            assert_eq!((format(micros, 0).as_str(), parse(text.as_bytes())), (text, Some((micros, 0))));
        }
        for text in ["2023-02-29", "2024-13-01", "2024-01-01 24:00:00", "2024-01-01 1", "x", "", "2024-01-01x"] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
        assert_eq!(of_number(20_240_228_101_112), parse(b"2024-02-28 10:11:12").map(|(micros, _)| micros));
    }

    proptest! {
        #[test]
        fn what_is_written_can_be_read(micros in -60_000_000_000_000_000i64..250_000_000_000_000_000) {
            prop_assert_eq!(parse(format(micros, 6).as_bytes()), Some((micros, 6)));
        }
    }
}
