//! `Kind`: the type of a configuration parameter: parsing a value, Redis' error texts, and the form in which it is shown.
use bytes::Bytes;
use resp::decimal::fixed;

use crate::{notify::Notify, value::number};

/// The type of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// `yes` or `no`.
    YesNo,
    /// An integer.
    Integer {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// Bytes, optionally with a unit (`64mb`).
    Memory {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// Bytes with a unit, any 64-bit number.
    BigMemory,
    /// Bytes with a unit, 16 KB at least (`repl-backlog-size`).
    Backlog,
    /// Bytes with a unit, or a share of `maxmemory` (`5%`).
    MemoryOrPercent,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Any number of these words.
    Words(&'static [&'static str]),
    /// Any text.
    Text,
    /// A password: redacted in the slow log.
    Secret,
    /// `save`: pairs of seconds and changes.
    SavePoints,
    /// `client-output-buffer-limit`: class, hard limit, soft limit, seconds.
    BufferLimits,
    /// `oom-score-adj-values`: three numbers.
    OomScores,
    /// `latency-tracking-info-percentiles`
    Percentiles,
    /// `notify-keyspace-events`: letters.
    EventClasses,
    /// `hz`: a number that is clamped to the range the server supports.
    Hertz,
    /// `watchdog-period`: 0, or milliseconds that are raised to the minimum.
    Watchdog,
    /// Cannot be changed after the server has started.
    Immutable,
    /// Cannot be changed while the server runs, unless it was started with permission.
    Protected,
}

impl Kind {
    /// Parses a value; returns the form in which `CONFIG GET` shows it. `now` is the form shown before.
    ///
    /// # Errors
    /// The reason, as `CONFIG SET` words it.
    pub fn read(self, value: &Bytes, now: &str) -> Result<Bytes, String> {
        let text = String::from_utf8_lossy(value);
        let shown = match self {
            Kind::YesNo => word(&["yes", "no"], &text).ok_or("argument must be 'yes' or 'no'")?,
            Kind::Integer { min, max } => integer(value, min, max)?.to_string(),
            Kind::Watchdog => match integer(value, 0, i64::from(i32::MAX))? {
                0 => "0".to_owned(),
                period_ms => period_ms.max(200).to_string(),
            },
            Kind::Hertz => integer(value, 0, i64::from(i32::MAX))?.clamp(1, 500).to_string(),
            Kind::Memory { min, max } => {
                let bytes = memory(&text).ok_or(NOT_MEMORY)?;
                let bytes = i64::try_from(bytes).unwrap_or(-1);
                in_range(bytes, min, max)?.to_string()
            }
            Kind::BigMemory => memory(&text).ok_or(NOT_MEMORY)?.to_string(),
            Kind::Backlog => {
                let bytes = memory(&text).ok_or(NOT_MEMORY)?;
                let bytes = i64::try_from(bytes).unwrap_or(-1);
                in_range(bytes, 1, i64::MAX)?.max(16_384).to_string()
            }
            Kind::MemoryOrPercent => memory_or_percent(&text)?,
            Kind::Word(words) => word(words, &text).ok_or_else(|| one_of(words))?,
            Kind::Words(words) => {
                let shown = some_words(words, &text).ok_or_else(|| one_of(words))?;
                if shown.starts_with("save nosave") {
                    return Err("shutdown options SAVE and NOSAVE can't be used simultaneously".into());
                }
                shown
            }
            Kind::Text | Kind::Secret => return Ok(value.clone()),
            Kind::SavePoints => save_points(&text).ok_or("Invalid save parameters")?,
            Kind::BufferLimits => buffer_limits(&text, now)?,
            Kind::OomScores => oom_scores(&text)?,
            Kind::Percentiles => percentiles(&text)?,
            Kind::EventClasses => {
                Notify::parse(value).ok_or("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.")?.letters()
            }
            Kind::Immutable => return Err("can't set immutable config".into()),
            Kind::Protected => return Err("can't set protected config".into()),
        };
        Ok(Bytes::from(shown))
    }
}

const NOT_MEMORY: &str = "argument must be a memory value";

fn word(words: &[&str], text: &str) -> Option<String> {
    words.iter().find(|word| word.eq_ignore_ascii_case(text)).map(|word| (*word).to_owned())
}

fn some_words(words: &[&str], text: &str) -> Option<String> {
    let given = text.split(' ').map(|given| word(words, given)).collect::<Option<Vec<String>>>()?;
    let shown: Vec<&str> = words.iter().copied().filter(|word| given.iter().any(|given| given == word)).collect();
    Some(shown.join(" "))
}

fn one_of(words: &[&str]) -> String {
    format!("argument(s) must be one of the following: {}", words.join(", "))
}

fn integer(value: &[u8], min: i64, max: i64) -> Result<i64, String> {
    in_range(number::parse_i64(value).ok_or("argument couldn't be parsed into an integer")?, min, max)
}

fn in_range(n: i64, min: i64, max: i64) -> Result<i64, String> {
    if (min..=max).contains(&n) { Ok(n) } else { Err(format!("argument must be between {min} and {max} inclusive")) }
}

/// Parses `100`, `100b`, `1k` (1000), `1kb` (1024) and the same with `m` and `g`. A result past 64 bits becomes the largest number.
fn memory(text: &str) -> Option<u64> {
    let digits_end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at_checked(digits_end)?;
    let factor: u64 = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" => 1000,
        "kb" => 1 << 10,
        "m" => 1_000_000,
        "mb" => 1 << 20,
        "g" => 1_000_000_000,
        "gb" => 1 << 30,
        _ => return None,
    };
    let count = if digits.is_empty() { 0 } else { digits.parse().unwrap_or(u64::MAX) };
    Some(if count == u64::MAX { count } else { count.saturating_mul(factor) })
}

fn memory_or_percent(text: &str) -> Result<String, String> {
    let Some(percent) = text.strip_suffix('%') else {
        return memory(text).map(|bytes| bytes.to_string()).ok_or("argument must be a memory or percent value".into());
    };
    match number::parse_i64(percent.as_bytes()) {
        Some(percent @ 0..=100) => Ok(format!("{percent}%")),
        Some(101..) => Err("percentage argument must be less or equal to 100".into()),
        _ => Err("argument must be a memory or percent value".into()),
    }
}

fn save_points(text: &str) -> Option<String> {
    // C's strtoll reads nothing as 0, and takes a plus sign and leading zeros.
    let number = |word: &str| if word.is_empty() { Some(0i64) } else { word.parse().ok().filter(|n| *n >= 0) };
    let numbers = words(text).map(number).collect::<Option<Vec<i64>>>()?;
    let are_pairs = numbers.chunks(2).all(|pair| matches!(pair, [seconds, _] if *seconds >= 1));
    let shown: Vec<String> = numbers.iter().map(i64::to_string).collect();
    are_pairs.then(|| shown.join(" "))
}

/// Sets the classes that are named; the others stay as in `now`.
fn buffer_limits(text: &str, now: &str) -> Result<String, String> {
    let given: Vec<&str> = words(text).collect();
    if !given.len().is_multiple_of(4) {
        return Err("Wrong number of arguments in buffer limit configuration.".into());
    }
    let mut classes: Vec<String> = words(now).map(str::to_owned).collect();
    for limit in given.chunks(4) {
        let [class, hard, soft, seconds] = limit else { continue };
        let class = if class.eq_ignore_ascii_case("replica") { "slave".to_owned() } else { class.to_ascii_lowercase() };
        let place = classes.iter().position(|known| *known == class && known.parse::<u64>().is_err());
        let Some(place) = place.and_then(|at| classes.get_mut(at.saturating_add(1)..at.saturating_add(4))) else {
            return Err("Invalid client class specified in buffer limit configuration.".into());
        };
        let invalid = "Error in hard, soft or soft_seconds setting in buffer limit configuration.";
        let seconds = number::parse_i64(seconds.as_bytes()).filter(|seconds| *seconds >= 0).ok_or(invalid)?;
        let numbers = [memory(hard).ok_or(invalid)?, memory(soft).ok_or(invalid)?, seconds.unsigned_abs()];
        for (shown, number) in place.iter_mut().zip(numbers) {
            *shown = number.to_string();
        }
    }
    Ok(classes.join(" "))
}

fn oom_scores(text: &str) -> Result<String, String> {
    let given: Vec<&str> = words(text).collect();
    if given.len() != 3 {
        return Err("wrong number of arguments".into());
    }
    let invalid = "Invalid oom-score-adj-values, elements must be between -2000 and 2000.";
    for word in &given {
        if !number::parse_i64(word.as_bytes()).is_some_and(|score| (-2000..=2000).contains(&score)) {
            return Err(invalid.into());
        }
    }
    Ok(given.join(" "))
}

fn percentiles(text: &str) -> Result<String, String> {
    let mut shown = Vec::new();
    for word in words(text) {
        let percentile = Some(word)
            .filter(|word| !word.is_empty())
            .and_then(|word| number::parse_double_loosely(word.as_bytes()))
            .ok_or("Invalid latency-tracking-info-percentiles parameters")?;
        if !(0.0..=100.0).contains(&percentile) {
            return Err("latency-tracking-info-percentiles parameters should sit between [0.0,100.0]".into());
        }
        // Up to six decimal places, without trailing zeros.
        let text = fixed(percentile, 6);
        shown.push(text.trim_end_matches('0').trim_end_matches('.').to_owned());
    }
    Ok(shown.join(" "))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    // Redis splits at single spaces; two spaces have an empty word between them.
    text.split(' ').take(if text.is_empty() { 0 } else { usize::MAX })
}
