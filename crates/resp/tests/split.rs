//! Compares the splitter with the behaviour of redis-cli on the same lines.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
use resp::split::{Quote, Repeat, SplitError, split, tokens};

#[test]
fn lines_are_split_as_redis_cli_splits_them() {
    for (line, expected) in [
        (&b""[..], vec![]),
        (b"  \t ", vec![]),
        (b"GET k", vec![&b"GET"[..], b"k"]),
        (b" GET  k ", vec![b"GET", b"k"]),
        (br#"a "" ''"#, vec![b"a", b"", b""]),
        (br#""\x41\x4g\n\r\t\b\a\q\"""#, vec![b"Ax4g\n\r\t\x08\x07q\""]),
        (br#"'\x41 \' "'"#, vec![br#"\x41 ' ""#]),
        (br#"ab"c d" e"#, vec![b"abc d", b"e"]),
        (br"a\n\b", vec![br"a\n\b"]),
        (b"a\x0bb \x0bc", vec![b"a\x0bb", b"c"]),
        (b"a\0b", vec![b"a"]),
        ("设 值".as_bytes(), vec!["设".as_bytes(), "值".as_bytes()]),
    ] {
        assert_eq!(split(line).unwrap(), expected, "{}", line.escape_ascii());
    }
}

#[test]
fn unbalanced_quotes_are_refused_with_their_position() {
    let unclosed = |quote, opened_at| SplitError::Unclosed { quote, opened_at };
    let text_after = |quote, opened_at, closed_at| SplitError::TextAfterQuote { quote, opened_at, closed_at };
    for (line, error) in [
        (r#"a "b"#, unclosed(Quote::Double, 2)),
        (r#"""#, unclosed(Quote::Double, 0)),
        (r#""\""#, unclosed(Quote::Double, 0)),
        (r#""\"#, unclosed(Quote::Double, 0)),
        (r"x '\'", unclosed(Quote::Single, 2)),
        (r#""a"b"#, text_after(Quote::Double, 0, 2)),
        (r#"'a'"b""#, text_after(Quote::Single, 0, 2)),
    ] {
        assert_eq!(split(line.as_bytes()), Err(error), "{line}");
    }
}

#[test]
fn tokens_have_their_byte_range() {
    let found = tokens(br#" SET "a b" c"#).unwrap();
    let ranges: Vec<_> = found.into_iter().map(|token| token.range).collect();
    assert_eq!(ranges, [1..4, 5..10, 11..12]);
}

#[test]
fn a_repeat_count_is_what_strtol_reads_to_its_end() {
    for (line, expected) in [
        ("3 PING", Repeat::Times(3)),
        ("+3 PING", Repeat::Times(3)),
        ("\" 3\" PING", Repeat::Times(3)),
        ("3", Repeat::Once),
        ("3x PING", Repeat::Once),
        ("\"3 \" PING", Repeat::Once),
        ("- PING", Repeat::Once),
        ("\" \" PING", Repeat::Once),
        ("\"\" PING", Repeat::Invalid),
        ("0 PING", Repeat::Invalid),
        ("-1 PING", Repeat::Invalid),
        ("9223372036854775807 PING", Repeat::Times(i64::MAX as u64)),
        ("99999999999999999999 PING", Repeat::Invalid),
    ] {
        assert_eq!(Repeat::of(&split(line.as_bytes()).unwrap()), expected, "{line}");
    }
}
