//! Numbers, durations, sizes and times of day in the format of each language.
use std::fmt::Write as _;

use super::Lang;

const SECOND_MS: u64 = 1_000;
const MINUTE_MS: u64 = 60 * SECOND_MS;
const HOUR_MS: u64 = 60 * MINUTE_MS;
const DAY_MS: u64 = 24 * HOUR_MS;

impl Lang {
    /// Whether `n` takes the singular form. Chinese has a single form.
    pub(super) fn is_one(self, n: u64) -> bool {
        self == Lang::En && n == 1
    }

    /// Writes 1234567 as 1,234,567; both languages group by three.
    pub(super) fn push_number(self, out: &mut String, n: u64) {
        let digits = n.to_string();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                out.push(',');
            }
            out.push(digit);
        }
    }

    /// Writes a duration in its two largest units: `250 ms`, `3.2 s`, `4 min 05 s`, `2 h 30 min`, `3 d 4 h`.
    pub(super) fn push_duration(self, out: &mut String, ms: u64) {
        let [milli, second, minute, hour, day] = match self {
            Lang::En => [" ms", " s", " min", " h", " d"],
            Lang::ZhCn => [" 毫秒", " 秒", " 分", " 小时", " 天"],
        };
        let two = |out: &mut String, large: u64, large_unit: &str, small: u64, small_unit: &str| {
            // 分 if seconds follow, 分钟 without.
            let is_bare_minute = small == 0 && self == Lang::ZhCn && large_unit == minute;
            let _ = write!(out, "{large}{large_unit}{}", if is_bare_minute { "钟" } else { "" });
            if small > 0 {
                let _ = write!(out, " {small}{small_unit}");
            }
        };
        match ms {
            0..SECOND_MS => {
                let _ = write!(out, "{ms}{milli}");
            }
            SECOND_MS..MINUTE_MS => {
                let (whole, tenth) = (ms / SECOND_MS, ms % SECOND_MS / 100);
                let _ =
                    if tenth == 0 { write!(out, "{whole}{second}") } else { write!(out, "{whole}.{tenth}{second}") };
            }
            MINUTE_MS..HOUR_MS => two(out, ms / MINUTE_MS, minute, ms % MINUTE_MS / SECOND_MS, second),
            HOUR_MS..DAY_MS => two(out, ms / HOUR_MS, hour, ms % HOUR_MS / MINUTE_MS, minute),
            _ => two(out, ms / DAY_MS, day, ms % DAY_MS / HOUR_MS, hour),
        }
    }

    /// Writes a size: `512 B`, `1.5 KB`, `64 MB` (powers of 1024, as Redis counts them).
    pub(super) fn push_bytes(self, out: &mut String, bytes: u64) {
        let mut unit = "B";
        let mut tenths = bytes.saturating_mul(10);
        for larger in ["KB", "MB", "GB"] {
            if tenths < 10_240 {
                break;
            }
            tenths /= 1_024;
            unit = larger;
        }
        let (whole, tenth) = (tenths / 10, tenths % 10);
        let _ = if tenth == 0 || whole >= 100 {
            write!(out, "{whole} {unit}")
        } else {
            write!(out, "{whole}.{tenth} {unit}")
        };
    }

    /// `n` with thousands separators.
    pub fn number(self, n: u64) -> String {
        let mut out = String::new();
        self.push_number(&mut out, n);
        out
    }

    /// A duration of `ms` milliseconds in its two largest units.
    pub fn duration(self, ms: u64) -> String {
        let mut out = String::new();
        self.push_duration(&mut out, ms);
        out
    }

    /// A size in bytes with a unit.
    pub fn bytes(self, bytes: u64) -> String {
        let mut out = String::new();
        self.push_bytes(&mut out, bytes);
        out
    }
}

/// The time of day of a virtual clock (milliseconds since the epoch, UTC) as `12:00:03.250`; the same in
/// both languages.
pub fn time_of_day(now_ms: u64) -> String {
    let ms = now_ms % DAY_MS;
    let (hours, minutes, seconds) = (ms / HOUR_MS, ms % HOUR_MS / MINUTE_MS, ms % MINUTE_MS / SECOND_MS);
    format!("{hours:02}:{minutes:02}:{seconds:02}.{:03}", ms % SECOND_MS)
}

#[cfg(test)]
mod tests {
    use super::{Lang, time_of_day};

    #[test]
    fn durations_keep_their_two_largest_units() {
        for (ms, en, zh) in [
            (0, "0 ms", "0 毫秒"),
            (999, "999 ms", "999 毫秒"),
            (3_000, "3 s", "3 秒"),
            (3_250, "3.2 s", "3.2 秒"),
            (60_000, "1 min", "1 分钟"),
            (245_000, "4 min 5 s", "4 分 5 秒"),
            (9_000_000, "2 h 30 min", "2 小时 30 分"),
            (90_000_000, "1 d 1 h", "1 天 1 小时"),
        ] {
            assert_eq!(Lang::En.duration(ms), en);
            assert_eq!(Lang::ZhCn.duration(ms), zh);
        }
        assert!(Lang::En.duration(u64::MAX).starts_with("213503982334 d"));
    }

    #[test]
    fn numbers_and_sizes_are_grouped() {
        assert_eq!(Lang::En.number(0), "0");
        assert_eq!(Lang::En.number(1_234_567), "1,234,567");
        assert_eq!(Lang::En.bytes(512), "512 B");
        assert_eq!(Lang::En.bytes(1_536), "1.5 KB");
        assert_eq!(Lang::En.bytes(64 * 1024 * 1024), "64 MB");
        assert!(!Lang::En.bytes(u64::MAX).is_empty());
    }

    #[test]
    fn the_clock_shows_milliseconds() {
        assert_eq!(time_of_day(12 * 3_600_000 + 3_250), "12:00:03.250");
        assert_eq!(time_of_day(86_400_000), "00:00:00.000");
    }

    #[test]
    fn plurals_follow_the_language() {
        assert_eq!(Lang::En.count_keys(1), "1 key");
        assert_eq!(Lang::En.count_keys(1_000), "1,000 keys");
        assert_eq!(Lang::ZhCn.count_keys(1), "1 个键");
    }
}
