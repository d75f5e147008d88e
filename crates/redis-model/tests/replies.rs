//! Replies are bounded: a reply that would copy more than `maxmemory` allows is refused before it is built.
#![allow(clippy::indexing_slicing, clippy::expect_used, clippy::panic)] // a test may panic
use redis_model::{ClientId, Config, Output, Server};
use resp::{Value, split::split};

const NOW_MS: u64 = 1_767_268_800_000;

/// A server with a limit of 2 MB, and a key `big` of 900 KB in pieces, which each reply copies.
fn server() -> (Server, ClientId) {
    let mut server = Server::new(Config { maxmemory: 2 << 20, ..Config::default() }, NOW_MS);
    let client = server.connect(NOW_MS);
    ask(&mut server, client, "SETBIT big 7200000 1");
    (server, client)
}

fn ask(server: &mut Server, client: ClientId, line: &str) -> Value {
    let outputs = server.handle(NOW_MS, client, split(line.as_bytes()).expect("a line"));
    let replies = outputs.into_iter().filter_map(|output| match output {
        Output::Reply { value, .. } => Some(value),
        _ => None,
    });
    replies.last().expect("a reply")
}

fn is_refused(value: &Value) -> bool {
    matches!(value, Value::Error(text) if text.starts_with(b"OOM "))
}

#[test]
fn reply_that_copies_a_key_too_often_is_refused() {
    let (mut server, client) = server();
    let Value::Array(twice) = ask(&mut server, client, "MGET big big") else { panic!("both fit") };
    assert!(twice.iter().all(|value| matches!(value, Value::Bulk(bytes) if bytes.len() == 900_001)));
    assert!(is_refused(&ask(&mut server, client, "MGET big big big")));
    ask(&mut server, client, "RPUSH names i i i");
    assert!(is_refused(&ask(&mut server, client, "SORT names BY nosort GET b*g")));
    assert!(is_refused(&ask(&mut server, client, "SORT names BY b*g ALPHA")));
}

#[test]
fn transaction_continues_after_refused_commands() {
    let (mut server, client) = server();
    ask(&mut server, client, "MULTI");
    for line in ["GET big", "GET big", "GET big", "SET after 1", "PING"] {
        ask(&mut server, client, line);
    }
    let Value::Array(answers) = ask(&mut server, client, "EXEC") else { panic!("EXEC answers an array") };
    let refused: Vec<bool> = answers.iter().map(is_refused).collect();
    assert_eq!(refused, [false, false, false, true, true]);
    assert_eq!(ask(&mut server, client, "EXISTS after"), Value::Integer(0));
    assert_eq!(server.check(), Ok(()));
}
