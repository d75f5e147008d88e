//! Glob patterns exactly as Redis matches them (`KEYS`, `SCAN … MATCH`, `PSUBSCRIBE`, ACL): `*`, `?`, `[a-z]`, `[^a-z]`, `\`.
//!
//! Every token but `*` matches exactly one byte, so only the last `*` ever has to be retried: the time is
//! bounded by pattern length × text length for any input.

/// A pattern with more `*` than this, each followed by something, matches nothing: Redis recurses for each, and stops there.
const STARS_MAX: usize = 1000;

/// Whether `text` matches `pattern`, byte by byte; with `ignore_case`, ASCII letters match in either case.
pub fn matches(pattern: &[u8], text: &[u8], ignore_case: bool) -> bool {
    // In Redis no pattern matches an empty text, not even `*`.
    if text.is_empty() {
        return pattern.is_empty();
    }
    let (mut rest, mut left) = (pattern, text);
    // The pattern after the last `*`, and the text where it was last tried.
    let mut retry: Option<(&[u8], &[u8])> = None;
    // Number of `*` before it, several in a row counting as one. It only grows.
    let mut stars = 0_usize;
    let mut furthest = pattern.len();
    loop {
        match (rest, left) {
            ([b'*', after @ ..], _) => {
                if after.is_empty() {
                    return true;
                }
                if after.first() != Some(&b'*') && after.len() < furthest {
                    furthest = after.len();
                    stars = stars.saturating_add(1);
                    if stars > STARS_MAX {
                        return false;
                    }
                }
                retry = Some((after, left));
                rest = after;
                continue;
            }
            ([], []) => return true,
            ([_, ..], [byte, after @ ..]) => {
                if let Some(next) = take_one(rest, *byte, ignore_case) {
                    (rest, left) = (next, after);
                    continue;
                }
            }
            _ => {}
        }
        let Some((star, [_, after @ ..])) = retry else { return false };
        retry = Some((star, after));
        (rest, left) = (star, after);
    }
}

/// Matches one byte against the first token of `pattern`; returns the pattern after it.
fn take_one(pattern: &[u8], byte: u8, ignore_case: bool) -> Option<&[u8]> {
    let fold = |byte: u8| if ignore_case { byte.to_ascii_lowercase() } else { byte };
    match pattern {
        [b'?', rest @ ..] => Some(rest),
        [b'[', class @ ..] => {
            let (matched, rest) = take_class(class, byte, ignore_case);
            matched.then_some(rest)
        }
        [b'\\', literal, rest @ ..] | [literal, rest @ ..] => (fold(*literal) == fold(byte)).then_some(rest),
        [] => None,
    }
}

/// Matches one byte against a class whose `[` was just read; returns the pattern after its `]`, or an empty one
/// if the class is not closed.
fn take_class(class: &[u8], byte: u8, ignore_case: bool) -> (bool, &[u8]) {
    let fold = |byte: u8| if ignore_case { byte.to_ascii_lowercase() } else { byte };
    let (negated, mut rest) = match class {
        [b'^', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let mut matched = false;
    loop {
        match rest {
            // After a backslash, case always matters, as in Redis.
            [b'\\', literal, after @ ..] => {
                matched |= *literal == byte;
                rest = after;
            }
            [b']', after @ ..] => return (matched != negated, after),
            [] => return (matched != negated, rest),
            [from, b'-', to, after @ ..] => {
                // Redis compares bytes as C's signed `char`, and accepts a range in either direction.
                let signed = |byte: u8| byte.cast_signed();
                let (from, to) = (signed(*from), signed(*to));
                let (low, high) = (from.min(to), from.max(to));
                let folded =
                    |byte: i8| if ignore_case { byte.cast_unsigned().to_ascii_lowercase().cast_signed() } else { byte };
                matched |= (folded(low)..=folded(high)).contains(&signed(fold(byte)));
                rest = after;
            }
            [literal, after @ ..] => {
                matched |= fold(*literal) == fold(byte);
                rest = after;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn matches_what_redis_matches() {
        for (pattern, text, expected) in [
            ("*", "anything", true),
            ("*", "", false),
            ("", "", true),
            ("", "a", false),
            ("h?llo", "hello", true),
            ("h?llo", "hllo", false),
            ("h*llo", "hllo", true),
            ("h*llo", "heeeello", true),
            ("h[ae]llo", "hallo", true),
            ("h[ae]llo", "hillo", false),
            ("h[^e]llo", "hallo", true),
            ("h[^e]llo", "hello", false),
            ("h[a-b]llo", "hbllo", true),
            ("h[b-a]llo", "hallo", true),
            ("a\\*c", "a*c", true),
            ("a\\*c", "abc", false),
            ("a\\", "a\\", true),
            ("[abc", "b", true),
            ("[abc", "d", false),
            ("[", "[", false),
            ("[^", "x", true),
            ("[]", "]", false),
            ("[\\]]", "]", true),
            ("[a-]", "-", false),
            ("[a-]", "]", true),
            ("[a-]]", "]", true),
            ("a**b***", "axxb", true),
            ("*a*b*c", "zzazzbzzc", true),
            ("*a*b*c", "zzazzbzz", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), text.as_bytes(), false), expected, "{pattern:?} {text:?}");
        }
        assert!(matches(b"HeL[K-M]o", b"hello", true));
        assert!(!matches(b"[\\A]", b"a", true));
        assert!(matches(b"[\x01-\xff]", b"\x00", false), "signed: -1 to 1");
    }

    #[test]
    fn stars_cost_no_more_than_the_product_of_lengths() {
        let pattern = "a*".repeat(2_000) + "b";
        let text = "a".repeat(20_000);
        assert!(!matches(pattern.as_bytes(), text.as_bytes(), false));
    }

    /// Reference implementation with plain backtracking.
    fn naive(pattern: &[u8], text: &[u8]) -> bool {
        match (pattern, text) {
            ([], []) => true,
            ([b'*', rest @ ..], _) => (0..=text.len()).any(|skip| naive(rest, &text[skip..])),
            (_, [byte, after @ ..]) => take_one(pattern, *byte, false).is_some_and(|rest| naive(rest, after)),
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn backtracking_over_one_star_is_enough(
            pattern in prop::collection::vec(prop::sample::select(b"ab*?[]^-\\".to_vec()), 0..10),
            text in prop::collection::vec(prop::sample::select(b"ab]-".to_vec()), 1..12),
        ) {
            prop_assert_eq!(matches(&pattern, &text, false), naive(&pattern, &text));
        }
    }
}
