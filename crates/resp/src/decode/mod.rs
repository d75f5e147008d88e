//! Reading RESP from bytes that arrive in pieces: replies ([`ReplyDecoder`]) and requests ([`RequestDecoder`]).
//!
//! Both decoders keep what they have parsed so far, so a value that arrives byte by byte costs no more than one that arrives at once: every
//! byte is examined a bounded number of times. An announced length allocates almost nothing; memory grows only with the bytes received, up
//! to the limits. No input makes a decoder panic.
mod buffer;
mod reply;
mod request;

pub use reply::{ReplyDecoder, ReplyError, ReplyErrorKind, ReplyLimits, decode_reply};
pub use request::{RequestDecoder, RequestError, RequestLimits};

/// Reads a decimal integer as Redis' `string2ll` does: no spaces, no plus sign, no leading zeros, no `-0`.
fn strict_integer(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    match digits {
        [b'0'] if digits.len() == text.len() => return Some(0),
        [b'1'..=b'9', ..] => {}
        _ => return None,
    }
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::strict_integer;

    #[test]
    fn integers_are_read_as_strictly_as_redis_reads_them() {
        for (text, expected) in [
            ("0", Some(0)),
            ("-1", Some(-1)),
            ("9223372036854775807", Some(i64::MAX)),
            ("-9223372036854775808", Some(i64::MIN)),
            ("9223372036854775808", None),
            ("", None),
            ("-", None),
            ("-0", None),
            ("00", None),
            ("01", None),
            ("+1", None),
            (" 1", None),
            ("1 ", None),
        ] {
            assert_eq!(strict_integer(text.as_bytes()), expected, "{text:?}");
        }
    }
}
