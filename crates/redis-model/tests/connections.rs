//! Details of connections that a transcript cannot show: which client receives what, and the order of outputs.
use bytes::Bytes;
use redis_model::{ClientId, CloseReason, Config, Output, Server};
use resp::Value;

fn argv(line: &str) -> Vec<Bytes> {
    line.split(' ').map(|word| Bytes::copy_from_slice(word.as_bytes())).collect()
}

fn call(server: &mut Server, client: ClientId, line: &str) -> Vec<Output> {
    server.handle(0, client, argv(line))
}

#[test]
fn monitoring_client_receives_its_reply_before_the_monitor_line() {
    let mut server = Server::new(Config::default(), 0);
    let client = server.connect(0);
    call(&mut server, client, "MONITOR");
    let outputs = call(&mut server, client, "PING");
    let line = "0.000000 [0 127.0.0.1:50001] \"PING\"";
    let expected = [
        Output::Reply { client, value: Value::simple("PONG") },
        Output::Push { client, value: Value::Simple(Bytes::from_static(line.as_bytes())) },
    ];
    assert_eq!(outputs, expected);
}

#[test]
fn killed_client_is_closed_before_the_killer_gets_its_reply() {
    let mut server = Server::new(Config::default(), 0);
    let (killer, killed) = (server.connect(0), server.connect(0));
    let outputs = call(&mut server, killer, &format!("CLIENT KILL ID {killed}"));
    let expected = [
        Output::Closed { client: killed, reason: CloseReason::Killed },
        Output::Reply { client: killer, value: Value::Integer(1) },
    ];
    assert_eq!(outputs, expected);
    assert!(server.client(killed).is_none());
}

#[test]
fn http_request_closes_the_connection_without_a_reply() {
    let mut server = Server::new(Config::default(), 0);
    let client = server.connect(0);
    let outputs = call(&mut server, client, "POST / HTTP/1.1");
    assert_eq!(outputs, [Output::Closed { client, reason: CloseReason::CrossProtocol }]);
}

#[test]
fn a_skipped_reply_stays_skipped_when_its_command_is_paused() {
    let mut server = Server::new(Config::default(), 0);
    let (pauser, client) = (server.connect(0), server.connect(0));
    call(&mut server, client, "CLIENT REPLY SKIP");
    call(&mut server, pauser, "CLIENT PAUSE 1000 WRITE");
    call(&mut server, client, "SET k v");
    let outputs = call(&mut server, pauser, "CLIENT UNPAUSE");
    assert!(!outputs.iter().any(|output| matches!(output, Output::Reply { client: who, .. } if *who == client)));
    assert!(server.db(0).is_some_and(|db| db.entry(b"k").is_some()));
    let outputs = call(&mut server, client, "PING");
    assert_eq!(outputs, [Output::Reply { client, value: Value::simple("PONG") }]);
}

#[test]
fn flushed_and_swapped_databases_are_one_output_each() {
    let mut server = Server::new(Config::default(), 0);
    let client = server.connect(0);
    call(&mut server, client, "SET k v");
    let ok = Output::Reply { client, value: Value::OK };
    assert_eq!(call(&mut server, client, "SWAPDB 0 1"), [Output::Swapped { first: 0, second: 1 }, ok.clone()]);
    assert_eq!(call(&mut server, client, "FLUSHALL"), [Output::Flushed { db: 1 }, ok.clone()]);
    assert_eq!(call(&mut server, client, "FLUSHALL"), [ok]);
}

#[test]
fn transaction_queue_counts_for_maxmemory_until_discarded() {
    let mut server = Server::new(Config { maxmemory: 880_000, ..Config::default() }, 0);
    let client = server.connect(0);
    call(&mut server, client, "MULTI");
    let long = "x".repeat(5000);
    call(&mut server, client, &format!("SET k {long}"));
    assert!(server.used_memory() > 5000);
    let outputs = call(&mut server, client, "SET k v");
    let oom = Value::error("OOM command not allowed when used memory > 'maxmemory'.");
    assert_eq!(outputs, [Output::Reply { client, value: oom }]);
    call(&mut server, client, "DISCARD");
    assert_eq!(server.used_memory(), 0);
}
