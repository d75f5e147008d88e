//! Number formats for figures: integer arithmetic on thousandths of a unit, so no float is ever formatted.
use std::fmt::Write as _;

use super::Unit;
use super::notation::DAY_MS;
use crate::i18n::Lang;

/// A time since traffic began: `1:05:20`, or `0:00:01.5` with a fraction of a second.
pub fn clock(ms: u64) -> String {
    let (seconds, rest) = (ms / 1_000, ms % 1_000);
    let mut text = format!("{}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
    if rest > 0 {
        push_fraction(&mut text, rest, 3, true);
    }
    text
}

/// A time since traffic began, or the time of day if traffic began at `start`, in ms since midnight: `01:05:20`.
pub fn moment(start: Option<u64>, ms: u64) -> String {
    let Some(start) = start else { return clock(ms) };
    let text = clock(start.saturating_add(ms) % DAY_MS);
    // Hours of a day have two digits.
    if text.find(':') == Some(1) { format!("0{text}") } else { text }
}

/// A point and `digits` digits of a fraction in thousandths, with or without trailing zeros.
fn push_fraction(text: &mut String, milli: u64, digits: u32, is_trimmed: bool) {
    let mut rest = milli % 1_000;
    let mut unit = 100;
    for place in 0..digits {
        if is_trimmed && rest == 0 {
            return;
        }
        if place == 0 {
            text.push('.');
        }
        let _ = write!(text, "{}", rest / unit);
        rest %= unit;
        unit = (unit / 10).max(1);
    }
}

/// Rounded to `digits` digits after the point, in thousandths.
fn rounded(milli: u64, digits: u32) -> u64 {
    let unit = 10_u64.pow(3_u32.saturating_sub(digits));
    milli.saturating_add(unit / 2) / unit * unit
}

fn decimal(t: Lang, milli: u64, digits: u32, is_trimmed: bool) -> String {
    let milli = rounded(milli, digits);
    let mut text = t.number(milli / 1_000);
    push_fraction(&mut text, milli, digits, is_trimmed);
    text
}

/// A short number for an axis with the unit in its heading: `0.05`, `12.5`, `950`, `12k`, `1.5M`. Bytes and percents include their unit.
pub fn shortened(t: Lang, unit: Unit, milli: u64) -> String {
    match unit {
        Unit::Bytes => t.bytes(milli / 1_000),
        Unit::Percent => decimal(t, milli, 1, true) + "%",
        Unit::Count | Unit::Rate | Unit::Ms => {
            let mut scaled = milli;
            let mut sign = "";
            for larger in ["k", "M", "G", "T"] {
                if scaled < 1_000_000 {
                    break;
                }
                scaled /= 1_000;
                sign = larger;
            }
            decimal(t, scaled, if sign.is_empty() { 3 } else { 1 }, true) + sign
        }
    }
}

/// A number with its useful digits, without its unit unless that is part of it.
pub fn bare(t: Lang, unit: Unit, milli: u64) -> String {
    match unit {
        Unit::Bytes => t.bytes(milli / 1_000),
        Unit::Count => t.number(milli / 1_000),
        Unit::Percent => decimal(t, milli, 1, false) + "%",
        Unit::Rate if milli < 1_000_000 => decimal(t, milli, 1, false),
        Unit::Rate => decimal(t, milli, 0, false),
        Unit::Ms if milli < 10_000 => decimal(t, milli, 2, false),
        Unit::Ms if milli < 100_000 => decimal(t, milli, 1, false),
        Unit::Ms => decimal(t, milli, 0, false),
    }
}

/// A number with its unit, in the given language.
pub fn written(t: Lang, unit: Unit, milli: u64) -> String {
    let number = bare(t, unit, milli);
    match unit {
        Unit::Rate => t.traffic_rate(&number),
        Unit::Ms => t.traffic_ms(&number),
        Unit::Count | Unit::Percent | Unit::Bytes => number,
    }
}

/// A number that a chart asks for, in whole units: `axis-ms`, `value-rate`, `axis-time` in seconds. Empty for any other `what`. `start` as
/// in [`moment`].
pub fn asked(t: Lang, start: Option<u64>, what: &str, value: f64) -> String {
    // Negative values and NaN become 0.
    let milli = (value * 1_000.0 + 0.5) as u64;
    let unit_of = |word: &str| Unit::ALL.iter().find(|(_, known)| *known == word).map(|(unit, _)| *unit);
    match what.split_once('-') {
        Some(("axis", "time")) => moment(start, milli),
        Some(("axis", word)) => unit_of(word).map(|unit| shortened(t, unit, milli)).unwrap_or_default(),
        Some(("value", word)) => unit_of(word).map(|unit| written(t, unit, milli)).unwrap_or_default(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Unit, asked, bare, clock, moment, shortened, written};
    use crate::i18n::Lang;

    #[test]
    fn times_of_day_follow_the_start_of_traffic() {
        let from_23 = |ms| moment(Some(82_800_000), ms);
        assert_eq!(from_23(0), "23:00:00");
        assert_eq!(from_23(7_200_000), "01:00:00");
        assert_eq!(from_23(7_204_500), "01:00:04.5");
        assert_eq!(from_23(86_400_000), "23:00:00");
        assert_eq!(moment(None, 7_200_000), "2:00:00");
        assert_eq!(moment(Some(u64::MAX), u64::MAX).len(), "07:50:51.615".len());
    }

    #[test]
    fn times_are_formatted_like_a_clock() {
        for (ms, text) in [
            (0, "0:00:00"),
            (61_000, "0:01:01"),
            (3_920_000, "1:05:20"),
            (86_400_000, "24:00:00"),
            (1_500, "0:00:01.5"),
            (1_005, "0:00:01.005"),
        ] {
            assert_eq!(clock(ms), text);
        }
    }

    #[test]
    fn axes_shorten_their_numbers() {
        for (unit, milli, text) in [
            (Unit::Count, 0, "0"),
            (Unit::Ms, 50, "0.05"),
            (Unit::Ms, 1, "0.001"),
            (Unit::Rate, 12_500, "12.5"),
            (Unit::Rate, 950_000, "950"),
            (Unit::Rate, 1_000_000, "1k"),
            (Unit::Count, 12_340_000, "12.3k"),
            (Unit::Count, 1_500_000_000, "1.5M"),
            (Unit::Count, u64::MAX, "18,446.7T"),
            (Unit::Percent, 50_000, "50%"),
            (Unit::Percent, 99_500, "99.5%"),
            (Unit::Bytes, 1_536_000, "1.5 KB"),
        ] {
            assert_eq!(shortened(Lang::En, unit, milli), text);
        }
    }

    #[test]
    fn values_keep_their_useful_digits() {
        for (unit, milli, text) in [
            (Unit::Rate, 99_940, "99.9"),
            (Unit::Rate, 99_960, "100.0"),
            (Unit::Rate, 1_234_567, "1,235"),
            (Unit::Ms, 414, "0.41"),
            (Unit::Ms, 9_999, "10.00"),
            (Unit::Ms, 12_340, "12.3"),
            (Unit::Ms, 1_234_000, "1,234"),
            (Unit::Percent, 97_349, "97.3%"),
            (Unit::Count, 7_000, "7"),
        ] {
            assert_eq!(bare(Lang::En, unit, milli), text);
        }
        assert_eq!(written(Lang::En, Unit::Rate, 99_940), "99.9/s");
        assert_eq!(written(Lang::ZhCn, Unit::Ms, 414), "0.41 毫秒");
    }

    #[test]
    fn charts_get_an_answer_to_any_question() {
        assert_eq!(asked(Lang::En, None, "axis-time", 61.0), "0:01:01");
        assert_eq!(asked(Lang::En, None, "axis-rate", 2_000.0), "2k");
        assert_eq!(asked(Lang::En, None, "value-ms", 0.4144), "0.41 ms");
        assert_eq!(asked(Lang::En, None, "value-count", f64::NAN), "0");
        assert_eq!(asked(Lang::En, None, "value-count", -1.0), "0");
        for what in ["", "axis", "axis-", "value-time", "pick"] {
            assert_eq!(asked(Lang::En, None, what, 1.0), "");
        }
    }
}
