//! Compares our rendering with the recorded output of redis-cli for the same bytes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
use resp::decode::decode_reply;
use resp::{Protocol, cli, encode};

fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        if first == b'\\' {
            let digits = std::str::from_utf8(&tail[1..3]).unwrap();
            out.push(u8::from_str_radix(digits, 16).unwrap());
            rest = &tail[3..];
        } else {
            out.push(first);
            rest = tail;
        }
    }
    out
}

/// Protocol, bytes of the reply, what a terminal shows, what `--raw` prints.
type Recorded = (Protocol, Vec<u8>, Vec<u8>, Vec<u8>);

fn recorded() -> Vec<Recorded> {
    let text = include_str!("data/redis_cli.txt");
    let blocks = text.split("\n\n").filter(|block| block.starts_with("resp"));
    blocks
        .map(|block| {
            let mut lines = block.lines();
            let (protocol, bytes) = lines.next().unwrap().split_once(' ').unwrap();
            let protocol = if protocol == "resp3" { Protocol::Resp3 } else { Protocol::Resp2 };
            let tty = lines.next().unwrap().strip_prefix("tty ").unwrap();
            let raw = lines.next().unwrap().strip_prefix("raw ").unwrap();
            (protocol, unescape(bytes), unescape(tty), unescape(raw))
        })
        .collect()
}

#[test]
fn the_rendering_equals_what_redis_cli_printed() {
    let cases = recorded();
    assert!(cases.len() > 90, "the recording is there");
    for (protocol, bytes, tty, raw) in cases {
        let value = decode_reply(&bytes).unwrap().expect("one whole reply");
        let shown = bytes.escape_ascii();
        assert_eq!(
            String::from_utf8_lossy(&cli::standard(&value, protocol)),
            String::from_utf8_lossy(&tty),
            "terminal: {shown}"
        );
        assert_eq!(String::from_utf8_lossy(&cli::raw(&value, protocol)), String::from_utf8_lossy(&raw), "raw: {shown}");
        let lines: Vec<String> = cli::lines(&value, protocol).iter().map(cli::Line::text).collect();
        assert_eq!(lines.join("\n"), cli::text(&value, protocol), "lines: {shown}");
    }
}

#[test]
fn recorded_replies_are_encoded_back_to_the_same_bytes() {
    for (protocol, bytes, _, _) in recorded() {
        let value = decode_reply(&bytes).unwrap().expect("one whole reply");
        let mut written = Vec::new();
        encode::encode(&value, protocol, &mut written);
        if protocol == Protocol::Resp3 {
            // RESP3 has only one null.
            let read = String::from_utf8_lossy(&bytes).replace("*-1\r\n", "_\r\n").replace("$-1\r\n", "_\r\n");
            assert_eq!(String::from_utf8_lossy(&written), read);
        } else {
            assert_eq!(written.escape_ascii().to_string(), bytes.escape_ascii().to_string());
        }
    }
}

#[test]
fn an_invalidation_between_replies_has_its_own_form() {
    let push = decode_reply(b">2\r\n$10\r\ninvalidate\r\n*2\r\n$1\r\na\r\n$2\r\nb\"\r\n").unwrap().unwrap();
    assert_eq!(cli::push(&push), b"-> invalidate: 'a', 'b\"'\n");
    let flush = decode_reply(b">2\r\n$10\r\ninvalidate\r\n*-1\r\n").unwrap().unwrap();
    assert_eq!(cli::push(&flush), b"1) \"invalidate\"\n2) (nil)\n");
    let message = decode_reply(b">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n").unwrap().unwrap();
    assert_eq!(cli::push(&message), b"1) \"message\"\n2) \"c\"\n3) \"m\"\n");
}
