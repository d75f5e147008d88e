//! How the traffic form writes numbers with units: decimals, times, times of day, amounts of memory, and rates at points in time.
use world::traffic::settings::RatePoint;

/// The length of a day, in ms.
pub const DAY_MS: u64 = 86_400_000;

/// A decimal with at most `digits` digits after the point, in its smallest unit: `1.5` with three digits is 1500.
pub fn fraction(text: &str, digits: u32) -> Option<u64> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let given = u32::try_from(rest.len()).ok()?;
    if !is_digits(whole) || !is_digits(rest) || (whole.is_empty() && rest.is_empty()) || given > digits {
        return None;
    }
    let unit = 10_u64.checked_pow(digits)?;
    let behind =
        if rest.is_empty() { 0 } else { rest.parse::<u64>().ok()?.checked_mul(10_u64.checked_pow(digits - given)?)? };
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    whole.checked_mul(unit)?.checked_add(behind)
}

/// The reverse of [`fraction`], without trailing zeros.
pub fn fraction_text(number: u64, digits: usize) -> String {
    let unit = 10_u64.saturating_pow(u32::try_from(digits).unwrap_or(0)).max(1);
    let (whole, rest) = (number / unit, number % unit);
    if rest == 0 {
        return whole.to_string();
    }
    format!("{whole}.{rest:0digits$}").trim_end_matches('0').to_owned()
}

/// Units of time in ms, the longest first.
const UNITS: [(&str, u64); 4] = [("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// A time with its unit: `90s`.
pub fn time(text: &str) -> Option<u64> {
    let at = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at_checked(at)?;
    let (_, ms) = UNITS.iter().find(|(known, _)| *known == unit.trim_start())?;
    number.parse::<u64>().ok()?.checked_mul(*ms)
}

/// A time in the longest unit that divides it: `90s`.
pub fn time_text(ms: u64) -> String {
    let fits = |unit: u64| ms.is_multiple_of(unit) && (ms > 0 || unit == 1_000);
    let (unit, length) = UNITS.iter().find(|(_, length)| fits(*length)).copied().unwrap_or(("ms", 1));
    format!("{}{unit}", ms / length)
}

/// `100`, or `0s:100, 1h:400`.
pub fn points(text: &str) -> Option<Vec<RatePoint>> {
    let point = |text: &str| {
        let (at_ms, per_s) = match text.split_once(':') {
            Some((at, per_s)) => (time(at.trim())?, per_s),
            None => (0, text),
        };
        Some(RatePoint { at_ms, per_s: per_s.trim().parse().ok()? })
    };
    text.split(',').map(|text| point(text.trim())).collect()
}

/// The reverse of [`points`].
pub fn points_text(points: &[RatePoint]) -> String {
    match points {
        [only] if only.at_ms == 0 => only.per_s.to_string(),
        points => {
            let texts: Vec<String> =
                points.iter().map(|point| format!("{}:{}", time_text(point.at_ms), point.per_s)).collect();
            texts.join(", ")
        }
    }
}

/// A time of day, in ms since midnight: `23:00`, `23:00:30`.
pub fn day(text: &str) -> Option<u64> {
    let mut parts = text.split(':');
    let mut next = |below: u64| -> Option<u64> {
        let part = parts.next()?;
        let is_number = (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<u64>().ok().filter(|number| is_number && *number < below)
    };
    let (hours, minutes) = (next(24)?, next(60)?);
    let seconds = if text.matches(':').count() > 1 { next(60)? } else { 0 };
    parts.next().is_none().then_some(hours * 3_600_000 + minutes * 60_000 + seconds * 1_000)
}

/// The reverse of [`day`].
pub fn day_text(ms: u64) -> String {
    let seconds = ms / 1_000 % (DAY_MS / 1_000);
    let text = format!("{:02}:{:02}", seconds / 3_600, seconds / 60 % 60);
    if seconds.is_multiple_of(60) { text } else { format!("{text}:{:02}", seconds % 60) }
}

/// Units of memory in bytes, the largest first, as in `CONFIG SET maxmemory`.
const MEMORY: [(&str, u64); 3] = [("gb", 1 << 30), ("mb", 1 << 20), ("kb", 1 << 10)];

/// An amount of memory: `64mb`; without a unit in bytes.
pub fn bytes(text: &str) -> Option<u64> {
    let text = text.to_ascii_lowercase();
    let unit = MEMORY.iter().find_map(|(unit, length)| Some((text.strip_suffix(unit)?, *length)));
    let (number, length) = unit.unwrap_or((&text, 1));
    let number = number.trim_end();
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    number.parse::<u64>().ok().filter(|_| is_number)?.checked_mul(length)
}

/// The reverse of [`bytes`], in the largest unit that divides the amount.
pub fn bytes_text(bytes: u64) -> String {
    let unit = MEMORY.iter().find(|(_, length)| bytes > 0 && bytes.is_multiple_of(*length));
    unit.map_or_else(|| bytes.to_string(), |(unit, length)| format!("{}{unit}", bytes / length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_day_and_memory_are_read_and_written() {
        for (text, ms) in [("23:00", 82_800_000), ("00:00", 0), ("01:02:03", 3_723_000), ("23:59:59", 86_399_000)] {
            assert_eq!(day(text), Some(ms), "{text}");
            assert_eq!(day_text(ms), text);
        }
        assert_eq!(day("9:05"), Some(32_700_000));
        for text in ["", "24:00", "1:60", "1", "1:2:3:4", "1:2:", ":1", "+1:00", "001:00", "1:-1", "1 :00"] {
            assert_eq!(day(text), None, "{text}");
        }
        for (text, number) in [("64mb", 64 << 20), ("0", 0), ("1000", 1_000), ("3kb", 3_072), ("1gb", 1 << 30)] {
            assert_eq!(bytes(text), Some(number), "{text}");
            assert_eq!(bytes_text(number), text);
        }
        assert_eq!(bytes("64 MB"), Some(64 << 20));
        for text in ["", "mb", "1.5mb", "-1", "+1", "64tb", "99999999999999999999gb", "18446744073709551615kb"] {
            assert_eq!(bytes(text), None, "{text}");
        }
    }
}
