//! Moments: Unix times in commands and replies, moved between the clock of the world and that of a real server.
use bytes::Bytes;
use resp::Value;

/// Numbers this near to the clock count as moments, in ms: 30 days.
const NEAR_MS: i64 = 30 * 24 * 3_600_000;

/// Moments this near to each other count as the same, in ms.
pub const TOLERANCE_MS: u64 = 2_000;

/// The distance of two clocks.
#[derive(Clone, Copy)]
pub struct Clocks {
    /// The clock of the world, Unix time in ms.
    pub world_ms: i64,
    /// The clock of the server, Unix time in ms.
    pub real_ms: i64,
    /// What must be added to a moment of the server for the one of the world, in ms.
    pub ahead_ms: i64,
}

impl Clocks {
    /// The words of a command, for the server.
    pub fn for_server(self, argv: &[Bytes]) -> Vec<Bytes> {
        let moved = |word: &Bytes| moved(word, self.world_ms, self.ahead_ms.saturating_neg());
        argv.iter().map(|word| moved(word).unwrap_or_else(|| word.clone())).collect()
    }

    /// A reply of the server, for the world.
    pub fn of_server(self, value: Value) -> Value {
        let word = |word: Bytes| moved(&word, self.real_ms, self.ahead_ms).unwrap_or(word);
        match value {
            Value::Bulk(text) => Value::Bulk(word(text)),
            Value::Simple(text) => Value::Simple(word(text)),
            Value::Integer(n) => {
                let moved = moved(n.to_string().as_bytes(), self.real_ms, self.ahead_ms);
                let moved = moved.and_then(|text| std::str::from_utf8(&text).ok()?.parse().ok());
                Value::Integer(moved.unwrap_or(n))
            }
            Value::Array(items) => Value::Array(items.into_iter().map(|item| self.of_server(item)).collect()),
            other => other,
        }
    }
}

/// A moment in s, in ms, or the id of a stream's entry: in ms, its unit in ms, and what follows it.
fn moment(word: &[u8]) -> Option<(i64, i64, &[u8])> {
    let digits = word.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(word.len());
    let (number, rest) = word.split_at_checked(digits)?;
    let is_id = rest.split_first().is_some_and(|(dash, sequence)| {
        *dash == b'-' && !sequence.is_empty() && sequence.iter().all(u8::is_ascii_digit)
    });
    let unit_ms = match digits {
        10 if rest.is_empty() => 1_000,
        13 if rest.is_empty() || is_id => 1,
        _ => return None,
    };
    let number: i64 = std::str::from_utf8(number).ok()?.parse().ok()?;
    Some((number.saturating_mul(unit_ms), unit_ms, rest))
}

/// Is any word of the command a moment near this clock?
pub fn has_moment(argv: &[Bytes], clock_ms: i64) -> bool {
    argv.iter().any(|word| moved(word, clock_ms, 0).is_some())
}

/// A word that is a moment near this clock, moved; otherwise `None`.
fn moved(word: &[u8], clock_ms: i64, by_ms: i64) -> Option<Bytes> {
    let (at_ms, unit_ms, rest) = moment(word)?;
    if at_ms.abs_diff(clock_ms) > NEAR_MS.unsigned_abs() {
        return None;
    }
    let half = unit_ms.checked_div(2)?;
    let at = at_ms.saturating_add(by_ms).saturating_add(half).checked_div(unit_ms)?;
    Some(Bytes::from([at.to_string().as_bytes(), rest].concat()))
}

/// Are the replies equal, except that moments may differ by the tolerance?
pub fn same_but_for_moments(one: &Value, other: &Value) -> bool {
    let near = |one: &[u8], other: &[u8]| match (moment(one), moment(other)) {
        (Some((one, ..)), Some((other, ..))) => one.abs_diff(other) <= TOLERANCE_MS,
        _ => one == other,
    };
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same_but_for_moments(one, other))
        }
        (Value::Bulk(one), Value::Bulk(other)) | (Value::Simple(one), Value::Simple(other)) => near(one, other),
        (Value::Integer(one), Value::Integer(other)) => near(one.to_string().as_bytes(), other.to_string().as_bytes()),
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCKS: Clocks =
        Clocks { world_ms: 1_767_268_800_000, real_ms: 1_795_000_000_000, ahead_ms: -27_731_200_000 };

    #[test]
    fn moments_move_there_and_back() {
        let argv = ["SET", "k", "1767270000", "EXAT", "1767270000"].map(Bytes::from);
        let sent = CLOCKS.for_server(&argv);
        assert_eq!(sent, ["SET", "k", "1795001200", "EXAT", "1795001200"].map(Bytes::from));
        let reply =
            Value::Array(vec![Value::Integer(1_795_001_200), Value::bulk("1795001200000-1"), Value::bulk("17")]);
        let seen = [Value::Integer(1_767_270_000), Value::bulk("1767270000000-1"), Value::bulk("17")];
        assert_eq!(CLOCKS.of_server(reply), Value::Array(seen.to_vec()));
    }

    #[test]
    fn other_numbers_stay() {
        for word in ["5", "4102444800000-0", "1767270000x", "-1767270000", "01767270000", "1767270000-1", ""] {
            assert_eq!(CLOCKS.for_server(&[Bytes::from(word)]), [Bytes::from(word)]);
        }
    }

    #[test]
    fn moments_agree_within_the_tolerance() {
        let ids =
            |one: &str, other: &str| same_but_for_moments(&Value::bulk(one.to_owned()), &Value::bulk(other.to_owned()));
        assert!(ids("1767270000000-0", "1767270001999-0"));
        assert!(!ids("1767270000000-0", "1767270002001-0"));
        assert!(ids("7", "7") && !ids("7", "8"));
    }
}
