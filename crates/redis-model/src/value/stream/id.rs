//! `Id`: the id of a stream entry, a time in milliseconds and a sequence number within it.
use crate::value::number::parse_u64;
use bytes::Bytes;
use std::fmt;

/// An entry's id. Ids of a stream only grow, so they also define the order of its entries.
///
/// ```
/// use redis_model::value::stream::Id;
/// let id = Id::new(1_700_000_000_000, 3);
/// assert_eq!((id.to_string(), id.next()), ("1700000000000-3".into(), Some(Id::new(1_700_000_000_000, 4))));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id {
    /// Unix time in milliseconds, if Redis generated the id.
    pub ms: u64,
    /// The sequence number within the millisecond.
    pub seq: u64,
}

/// Bytes of an id as a key of Redis' radix tree.
pub(super) const ID_BYTES: usize = 16;

/// Maximum length of a text that Redis parses as an id, in bytes.
const TEXT_MAX: usize = 127;

impl Id {
    /// `0-0`, which no entry has.
    pub const MIN: Id = Id { ms: 0, seq: 0 };
    /// The greatest id.
    pub const MAX: Id = Id { ms: u64::MAX, seq: u64::MAX };

    /// `ms-seq`
    pub const fn new(ms: u64, seq: u64) -> Id {
        Id { ms, seq }
    }

    /// Is it `0-0`?
    pub fn is_zero(self) -> bool {
        self == Id::MIN
    }

    /// The next id; `None` after [`Id::MAX`].
    pub const fn next(self) -> Option<Id> {
        match (self.seq.checked_add(1), self.ms.checked_add(1)) {
            (Some(seq), _) => Some(Id { ms: self.ms, seq }),
            (None, Some(ms)) => Some(Id { ms, seq: 0 }),
            (None, None) => None,
        }
    }

    /// The previous id; `None` before `0-0`.
    pub const fn previous(self) -> Option<Id> {
        match (self.seq.checked_sub(1), self.ms.checked_sub(1)) {
            (Some(seq), _) => Some(Id { ms: self.ms, seq }),
            (None, Some(ms)) => Some(Id { ms, seq: u64::MAX }),
            (None, None) => None,
        }
    }

    /// Parses `ms-seq`, or `ms` alone with `missing_seq` as its sequence number. As in Redis, parsing stops at a zero byte.
    pub fn parse(text: &[u8], missing_seq: u64) -> Option<Id> {
        let (ms, seq) = halves(text)?;
        Some(Id { ms, seq: seq.map_or(Some(missing_seq), parse_u64)? })
    }

    /// Parses the id of `XADD`: like [`Id::parse`], but also `ms-*`, which leaves the sequence number open (`None`).
    pub fn parse_open(text: &[u8]) -> Option<(u64, Option<u64>)> {
        match halves(text)? {
            (ms, None) => Some((ms, Some(0))),
            (ms, Some(b"*")) => Some((ms, None)),
            (ms, Some(seq)) => Some((ms, Some(parse_u64(seq)?))),
        }
    }

    /// The id as Redis prints it, `ms-seq`.
    pub fn text(self) -> Bytes {
        Bytes::from(self.to_string())
    }

    /// Both numbers in big-endian order: the key in Redis' radix tree.
    pub(super) fn key(self) -> [u8; ID_BYTES] {
        (u128::from(self.ms) << 64 | u128::from(self.seq)).to_be_bytes()
    }
}

/// The time, and the text after the first dash if there is one.
fn halves(text: &[u8]) -> Option<(u64, Option<&[u8]>)> {
    if text.len() > TEXT_MAX {
        return None;
    }
    let text = text.split(|byte| *byte == 0).next()?;
    let mut halves = text.splitn(2, |byte| *byte == b'-');
    Some((parse_u64(halves.next()?)?, halves.next()))
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.ms, self.seq)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_and_previous_cross_milliseconds_and_stop_at_the_limits() {
        assert_eq!(Id::new(5, u64::MAX).next(), Some(Id::new(6, 0)));
        assert_eq!(Id::new(6, 0).previous(), Some(Id::new(5, u64::MAX)));
        assert_eq!((Id::MAX.next(), Id::MIN.previous()), (None, None));
    }

    #[test]
    fn reads_what_redis_reads() {
        let whole = |text: &str| Id::parse(text.as_bytes(), 7);
        assert_eq!(whole("5"), Some(Id::new(5, 7)));
        assert_eq!(whole("5-6"), Some(Id::new(5, 6)));
        assert_eq!(whole(" 5-+6"), Some(Id::new(5, 6)));
        assert_eq!(whole("18446744073709551615-18446744073709551615"), Some(Id::MAX));
        for wrong in ["", "-", "+", "-5", "5-", "5--6", "5-6-7", "5-*", "x", "18446744073709551616", "1.5"] {
            assert_eq!(whole(wrong), None, "{wrong}");
        }
        assert_eq!(Id::parse(b"5-6\x00rest", 0), Some(Id::new(5, 6)));
        assert_eq!(Id::parse(&[b'0'; 128], 0), None);
        assert_eq!(Id::parse_open(b"5-*"), Some((5, None)));
        assert_eq!(Id::parse_open(b"5"), Some((5, Some(0))));
    }
}
