//! Any text as a script, as a library and for `SCRIPT LOAD`: it ends within its limits, and the next script runs.
use bytes::Bytes;
use redis_model::{Config, Output, Server};
use resp::Value;

use crate::{engine, memory};

/// Maximum bytes that an input may allocate: the machine's limit, the excess of a single instruction, and the replies.
const BYTES_MAX: usize = 256 << 20;
const NOW_MS: u64 = 1_767_268_800_000;

/// Runs the text on a server that holds a key of each type.
pub fn run(bytes: &[u8]) {
    let engine = engine::scripts();
    let text = Bytes::copy_from_slice(bytes);
    memory::within(BYTES_MAX, || {
        let config = Config { maxmemory: 4 << 20, proto_max_bulk_len: 1 << 20, ..Config::default() };
        let mut server = Server::new(config, NOW_MS).with_engine(engine);
        let (client, other) = (server.connect(NOW_MS), server.connect(NOW_MS));
        let mut now_ms = NOW_MS;
        let mut send = |client, words: &[&[u8]]| {
            // Each command takes longer than `busy-reply-threshold`.
            now_ms += 6000;
            let argv = words.iter().map(|word| Bytes::copy_from_slice(word)).collect();
            let outputs = server.handle(now_ms, client, argv);
            if let Err(wrong) = server.check() {
                panic!("{wrong}");
            }
            outputs
        };
        for words in [
            &[b"SET".as_slice(), b"s", b"x"][..],
            &[b"RPUSH", b"l", b"1", b"2"],
            &[b"HSET", b"h", b"f", b"1"],
            &[b"ZADD", b"z", b"1.5", b"m"],
        ] {
            send(client, words);
        }
        if text.starts_with(b"#!lua name=") {
            send(client, &[b"FUNCTION", b"LOAD", b"REPLACE", &text]);
            send(client, &[b"FCALL", b"f", b"1", b"s", b"arg"]);
        } else {
            send(client, &[b"SCRIPT", b"LOAD", &text]);
            send(client, &[b"EVAL", &text, b"1", b"s", b"arg"]);
        }
        // A script that reached a limit leaves the server busy; then it can be killed, unless it has written.
        send(other, &[b"SCRIPT", b"KILL"]);
        send(other, &[b"FUNCTION", b"KILL"]);
        let next = send(other, &[b"EVAL", b"return 7", b"0"]);
        // A key to which the first script gave a TTL may expire here: compare only the reply.
        let replies: Vec<&Value> = next
            .iter()
            .filter_map(|output| match output {
                Output::Reply { client, value } if *client == other => Some(value),
                _ => None,
            })
            .collect();
        let went_on = matches!(replies.as_slice(), [Value::Integer(7)]);
        let is_busy = matches!(replies.as_slice(), [Value::Error(text)] if text.starts_with(b"BUSY"));
        assert!(went_on || is_busy, "the next script does not run: {next:?}");
    });
}
