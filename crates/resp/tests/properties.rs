//! Properties: encoded values decode to the same values, for any split of the bytes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
use bytes::Bytes;
use proptest::prelude::*;
use resp::decode::{ReplyDecoder, RequestDecoder};
use resp::split::{quote_argument, quote_command, split, tokens};
use resp::{Protocol, Value, cli, encode};

fn line_text() -> impl Strategy<Value = Bytes> {
    "[^\r\n]{0,12}".prop_map(Bytes::from)
}

fn any_bytes() -> impl Strategy<Value = Bytes> {
    proptest::collection::vec(any::<u8>(), 0..20).prop_map(Bytes::from)
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        line_text().prop_map(Value::Simple),
        line_text().prop_map(Value::Error),
        any::<i64>().prop_map(Value::Integer),
        any_bytes().prop_map(Value::Bulk),
        Just(Value::Null),
        any::<f64>().prop_filter("NaN has many bit patterns", |d| !d.is_nan()).prop_map(Value::Double),
        any::<bool>().prop_map(Value::Boolean),
        "-?[1-9][0-9]{0,30}".prop_map(|digits| Value::BigNumber(digits.into())),
        any_bytes().prop_map(|text| Value::Verbatim(*b"txt", text)),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::Set),
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::Push),
            proptest::collection::vec((inner.clone(), inner), 0..4).prop_map(Value::Map),
        ]
    })
}

/// Calls `each` with the pieces of `bytes`, whose sizes repeat `sizes`.
fn in_pieces(bytes: &[u8], sizes: &[usize], mut each: impl FnMut(&[u8])) {
    let mut rest = bytes;
    for size in sizes.iter().cycle() {
        if rest.is_empty() {
            return;
        }
        let (piece, tail) = rest.split_at((*size).clamp(1, rest.len()));
        each(piece);
        rest = tail;
    }
}

proptest! {
    #[test]
    fn in_resp2_equals_what_a_resp2_client_decodes(value in value()) {
        let mut bytes = Vec::new();
        encode::encode(&value, Protocol::Resp2, &mut bytes);
        prop_assert_eq!(resp::decode::decode_reply(&bytes), Ok(Some(encode::in_resp2(value))));
    }

    #[test]
    fn replies_decode_the_same_for_any_split(
        values in proptest::collection::vec(value(), 1..4),
        sizes in proptest::collection::vec(1_usize..40, 1..6),
    ) {
        let mut bytes = Vec::new();
        for value in &values {
            encode::encode(value, Protocol::Resp3, &mut bytes);
        }
        let mut decoder = ReplyDecoder::default();
        let mut read = Vec::new();
        in_pieces(&bytes, &sizes, |piece| {
            decoder.feed(piece);
            while let Some(value) = decoder.next_reply().unwrap() {
                read.push(value);
            }
        });
        prop_assert_eq!(read, values);
        prop_assert!(decoder.is_idle());
    }

    #[test]
    fn resp2_and_resp3_are_always_readable(value in value()) {
        for protocol in [Protocol::Resp2, Protocol::Resp3] {
            let mut bytes = Vec::new();
            encode::encode(&value, protocol, &mut bytes);
            let read = resp::decode::decode_reply(&bytes).unwrap();
            prop_assert!(read.is_some());
            // The decoded reply is rendered like the original value.
            prop_assert_eq!(cli::standard(&read.unwrap(), protocol), cli::standard(&value, protocol));
        }
    }

    #[test]
    fn commands_decode_the_same_for_any_split(
        commands in proptest::collection::vec(proptest::collection::vec(any_bytes(), 1..5), 1..5),
        sizes in proptest::collection::vec(1_usize..40, 1..6),
    ) {
        let mut bytes = Vec::new();
        for argv in &commands {
            encode::encode_command(argv, &mut bytes);
        }
        let mut decoder = RequestDecoder::default();
        let mut read = Vec::new();
        in_pieces(&bytes, &sizes, |piece| {
            decoder.feed(piece);
            while let Some(argv) = decoder.next_command().unwrap() {
                read.push(argv);
            }
        });
        prop_assert_eq!(read, commands);
    }

    #[test]
    fn splitting_arbitrary_bytes_never_changes_the_result(
        bytes in any_protocol_bytes(),
        sizes in proptest::collection::vec(1_usize..9, 1..6),
    ) {
        let run = |sizes: &[usize]| {
            let (mut requests, mut replies) = (RequestDecoder::default(), ReplyDecoder::default());
            let (mut commands, mut values) = (Vec::new(), Vec::new());
            in_pieces(&bytes, sizes, |piece| {
                requests.feed(piece);
                while let Ok(Some(argv)) = requests.next_command() {
                    commands.push(argv);
                }
                replies.feed(piece);
                while let Ok(Some(value)) = replies.next_reply() {
                    values.push(value);
                }
            });
            (commands, requests.next_command(), values, replies.next_reply())
        };
        prop_assert_eq!(run(&[usize::MAX]), run(&sizes));
    }

    #[test]
    fn quoted_arguments_are_read_back(argv in proptest::collection::vec(any_bytes(), 0..5)) {
        prop_assert_eq!(split(quote_command(&argv).as_bytes()).unwrap(), argv);
    }

    #[test]
    fn quoted_text_is_read_back(text in "\\PC{0,20}") {
        prop_assert_eq!(split(quote_argument(text.as_bytes()).as_bytes()).unwrap(), [text]);
    }

    #[test]
    fn shown_strings_are_read_back(bytes in any_bytes()) {
        prop_assert_eq!(split(cli::quoted(&bytes).as_bytes()).unwrap(), [bytes]);
    }

    #[test]
    fn token_ranges_match_the_line(line in "[a-z '\"\\\\x0-9\t]{0,30}") {
        if let Ok(found) = tokens(line.as_bytes()) {
            let mut end = 0;
            for token in found {
                prop_assert!(token.range.start >= end);
                prop_assert_eq!(split(&line.as_bytes()[token.range.clone()]).unwrap(), [token.bytes]);
                end = token.range.end;
            }
        }
    }

    #[test]
    fn lines_joined_equal_the_text(value in value()) {
        for protocol in [Protocol::Resp2, Protocol::Resp3] {
            if matches!(value, Value::Push(_)) { continue; }
            let lines: Vec<String> = cli::lines(&value, protocol).iter().map(cli::Line::text).collect();
            prop_assert_eq!(lines.join("\n"), cli::text(&value, protocol));
        }
    }
}

/// Bytes that often look like RESP.
fn any_protocol_bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"\r\n".to_vec()),
        Just(b"*2\r\n".to_vec()),
        Just(b"$3\r\nabc\r\n".to_vec()),
        Just(b"PING \"a\"\r\n".to_vec()),
        Just(b"*?\r\n".to_vec()),
        Just(b"$?\r\n;1\r\na\r\n;0\r\n".to_vec()),
        Just(b"|1\r\n".to_vec()),
        Just(b".\r\n".to_vec()),
        "[*$:+_#,(!=%~>|;.][0-9?-]{0,2}(\r\n)?".prop_map(String::into_bytes),
        proptest::collection::vec(any::<u8>(), 0..6),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}
