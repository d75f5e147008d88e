//! `lockstep serve` as a process: the protocol, the limits of connections, and how the server stops.
mod support;

use std::io::Write;
use std::time::Duration;

use support::{Peer, Served};

#[test]
fn both_protocols_inline_commands_and_pipelines_are_understood() {
    let server = Served::start(&[]);
    let mut peer = server.connect();
    peer.send(b"PING\r\n*2\r\n$4\r\nECHO\r\n$2\r\nhi\r\nset 'a key' \"v\\x00\"\r\n");
    peer.expect(b"+PONG\r\n$2\r\nhi\r\n+OK\r\n");
    peer.send(b"GET 'a key'\r\nZADD z 1.5 m\r\nZRANGE z 0 -1 WITHSCORES\r\n");
    peer.expect(b"$2\r\nv\x00\r\n:1\r\n*2\r\n$1\r\nm\r\n$3\r\n1.5\r\n");
    peer.send(b"HELLO 3\r\n");
    peer.expect_start(b"%7\r\n$6\r\nserver\r\n$5\r\nredis\r\n");
    peer.send(b"ZRANGE z 0 -1 WITHSCORES\r\nGET none\r\n");
    peer.expect(b"*1\r\n*2\r\n$1\r\nm\r\n,1.5\r\n_\r\n");
}

#[test]
fn a_request_in_many_pieces_is_one_request() {
    let server = Served::start(&[]);
    let mut peer = server.connect();
    for byte in b"*2\r\n$4\r\nECHO\r\n$3\r\na\r\n\r\n" {
        peer.send(&[*byte]);
        std::thread::sleep(Duration::from_millis(1));
    }
    peer.expect(b"$3\r\na\r\n\r\n");
}

#[test]
fn invalid_resp_gets_the_error_of_redis_and_ends_the_connection() {
    let server = Served::start(&[]);
    for (request, answer) in [
        (&b"*1\r\n!4\r\n"[..], &b"-ERR Protocol error: expected '$', got '!'\r\n"[..]),
        (b"*x\r\n", b"-ERR Protocol error: invalid multibulk length\r\n"),
        (b"*1\r\n$-2\r\n", b"-ERR Protocol error: invalid bulk length\r\n"),
        (b"PING \"\r\n", b"-ERR Protocol error: unbalanced quotes in request\r\n"),
        (b"PING\r\n*1\r\n!4\r\nPING\r\n", b"+PONG\r\n-ERR Protocol error: expected '$', got '!'\r\n"),
        (b"POST / HTTP/1.1\r\n", b""),
    ] {
        let mut peer = server.connect();
        peer.send(request);
        peer.expect(answer);
        peer.expect_end();
    }
}

#[test]
fn commands_sent_while_blocked_run_after_unblocking() {
    let server = Served::start(&[]);
    let (mut waiting, mut other) = (server.connect(), server.connect());
    waiting.send(b"BLPOP q 0\r\nLLEN q\r\nPING\r\n");
    waiting.expect_silence();
    other.send(b"RPUSH q a b\r\n");
    other.expect(b":2\r\n");
    waiting.expect(b"*2\r\n$1\r\nq\r\n$1\r\na\r\n:1\r\n+PONG\r\n");
    waiting.send(b"BLPOP none 0.1\r\n");
    waiting.expect(b"*-1\r\n");
}

#[test]
fn a_blocked_client_that_disconnects_stops_waiting() {
    let server = Served::start(&[]);
    let mut waiting = server.connect();
    waiting.send(b"BLPOP q 0\r\n");
    let mut other = server.connect();
    other.until("CLIENT LIST", |list| list.contains("cmd=blpop"));
    drop(waiting);
    other.until("CLIENT LIST", |list| !list.contains("cmd=blpop"));
    other.send(b"RPUSH q a\r\nLLEN q\r\n");
    other.expect(b":1\r\n:1\r\n");
}

#[test]
fn messages_and_monitor_lines_reach_their_clients() {
    let server = Served::start(&[]);
    let (mut listener, mut watcher, mut speaker) = (server.connect(), server.connect(), server.connect());
    listener.send(b"SUBSCRIBE news\r\nPSUBSCRIBE n*\r\n");
    listener.expect(b"*3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n*3\r\n$10\r\npsubscribe\r\n$2\r\nn*\r\n:2\r\n");
    watcher.send(b"MONITOR\r\n");
    watcher.expect(b"+OK\r\n");
    speaker.send(b"PUBLISH news hi\r\n");
    speaker.expect(b":2\r\n");
    listener.expect(b"*3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$2\r\nhi\r\n");
    listener.expect(b"*4\r\n$8\r\npmessage\r\n$2\r\nn*\r\n$4\r\nnews\r\n$2\r\nhi\r\n");
    assert!(watcher.line().ends_with("\"PUBLISH\" \"news\" \"hi\"\r\n"));
}

#[test]
fn client_commands_act_on_other_connections() {
    let server = Served::start(&[]);
    let (mut victim, mut waiting, mut boss) = (server.connect(), server.connect(), server.connect());
    let victim_id = victim.ask_number("CLIENT ID");
    let waiting_id = waiting.ask_number("CLIENT ID");
    boss.send(format!("CLIENT KILL ID {victim_id}\r\n").as_bytes());
    boss.expect(b":1\r\n");
    victim.expect_end();
    waiting.send(b"BLPOP q 0\r\n");
    boss.until("CLIENT LIST", |list| list.contains("cmd=blpop"));
    boss.send(format!("CLIENT UNBLOCK {waiting_id} ERROR\r\n").as_bytes());
    boss.expect(b":1\r\n");
    waiting.expect(b"-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n");
    waiting.send(b"CLIENT REPLY OFF\r\nPING\r\nCLIENT REPLY ON\r\n");
    waiting.expect(b"+OK\r\n");
    boss.send(b"CLIENT PAUSE 200 WRITE\r\n");
    boss.expect(b"+OK\r\n");
    waiting.send(b"GET k\r\nSET k v\r\nGET k\r\n");
    waiting.expect(b"$-1\r\n");
    waiting.expect_silence();
    waiting.expect(b"+OK\r\n$1\r\nv\r\n");
    waiting.send(b"HELLO 3\r\n");
    waiting.expect_start(b"%7\r\n");
    waiting.send(b"RESET\r\nGET none\r\nQUIT\r\nPING\r\n");
    waiting.expect(b"+RESET\r\n$-1\r\n+OK\r\n");
    waiting.expect_end();
}

#[test]
fn the_limits_of_connections_hold() {
    let server = Served::start(&["--set", "maxclients=2", "--set", "client-query-buffer-limit=1mb"]);
    let (mut first, mut greedy) = (server.connect(), server.connect());
    first.send(b"PING\r\n");
    first.expect(b"+PONG\r\n");
    greedy.send(b"PING\r\n");
    greedy.expect(b"+PONG\r\n");
    let mut third = server.connect();
    third.expect(b"-ERR max number of clients reached\r\n");
    third.expect_end();
    // Two bulks, because a single one of this size is allowed.
    greedy.send(b"*3\r\n$3\r\nSET\r\n$1048576\r\n");
    greedy.send_if_it_takes_it(&vec![b'x'; 2 << 20]);
    greedy.expect_end();
    // An idle client is disconnected, a blocked client is not.
    let mut waiting = server.connect();
    waiting.send(b"CONFIG SET timeout 1\r\nSUBSCRIBE c\r\n");
    waiting.expect_start(b"+OK\r\n");
    first.expect_end();
    waiting.send(b"PING\r\n");
    waiting.expect(b"*2\r\n$4\r\npong\r\n$0\r\n\r\n");
}

#[test]
fn an_unauthenticated_client_has_a_small_output_limit() {
    let server = Served::start(&["--requirepass", "secret"]);
    let mut friend = server.connect();
    friend.send(b"AUTH secret\r\n");
    friend.expect(b"+OK\r\n");
    let mut stranger = std::net::TcpStream::connect(("127.0.0.1", server.port())).unwrap();
    stranger.set_write_timeout(Some(std::time::Duration::from_secs(20))).unwrap();
    // Each command has a reply of about 70 bytes that is never read; the server disconnects long before 300 MB.
    let asks = b"GET x\r\n".repeat(2_000);
    let refused = (0..2_000).find_map(|_| stranger.write_all(&asks).err()).expect("it is sent away");
    assert!(
        matches!(refused.kind(), std::io::ErrorKind::ConnectionReset | std::io::ErrorKind::BrokenPipe),
        "{refused}"
    );
    friend.send(b"PING\r\n");
    friend.expect(b"+PONG\r\n");
}

#[test]
fn config_set_port_moves_the_socket_or_says_that_it_cannot() {
    let (server, other) = (Served::start(&[]), Served::start(&[]));
    let mut peer = server.connect();
    peer.send(format!("CONFIG SET maxmemory 1gb port {}\r\n", other.port()).as_bytes());
    peer.expect(
        b"-ERR CONFIG SET failed (possibly related to argument 'port') - Unable to listen on this port. Check server logs.\r\n",
    );
    peer.send(b"CONFIG GET maxmemory\r\n");
    peer.expect(b"*2\r\n$9\r\nmaxmemory\r\n$1\r\n0\r\n");
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    peer.send(format!("CONFIG SET port {free}\r\n").as_bytes());
    peer.expect(b"+OK\r\n");
    peer.send(b"PING\r\n");
    peer.expect(b"+PONG\r\n");
    std::net::TcpStream::connect(("127.0.0.1", free)).unwrap();
}

#[test]
fn a_client_that_does_not_read_is_closed_at_the_output_limit() {
    let server = Served::start(&["--set", "client-output-buffer-limit=pubsub 1mb 0 0"]);
    let (mut deaf, mut speaker) = (server.connect(), server.connect());
    deaf.send(b"SUBSCRIBE news\r\n");
    deaf.expect_start(b"*3\r\n");
    let message = vec![b'x'; 1 << 20];
    let mut receivers = 1;
    for _ in 0..64 {
        speaker.send(b"*3\r\n$7\r\nPUBLISH\r\n$4\r\nnews\r\n$1048576\r\n");
        speaker.send(&message);
        speaker.send(b"\r\n");
        receivers = speaker.number();
        if receivers == 0 {
            break;
        }
    }
    assert_eq!(receivers, 0, "64 MB wait for a client that may have one");
}

#[test]
fn it_stops_cleanly_when_asked_to() {
    for signal in ["-INT", "-TERM"] {
        let server = Served::start(&[]);
        let mut peer = server.connect();
        peer.send(b"BLPOP q 0\r\n");
        let text = server.stop_by(signal);
        assert!(text.contains(&format!("Stopped by SIG{}", &signal[1..])), "{text}");
        peer.expect_end();
    }
    let server = Served::start(&[]);
    let mut peer = server.connect();
    peer.send(b"SHUTDOWN SOON\r\nSHUTDOWN ABORT\r\nMULTI\r\nSHUTDOWN\r\nDISCARD\r\n");
    peer.expect(
        b"-ERR syntax error\r\n-ERR No shutdown in progress.\r\n+OK\r\n\
          -ERR Command not allowed inside a transaction\r\n+OK\r\n",
    );
    peer.send(b"SHUTDOWN NOSAVE\r\n");
    peer.expect_end();
    assert!(server.wait().contains("Stopped by SHUTDOWN"));
}

#[test]
fn shutdown_nosave_ends_a_server_that_a_script_keeps_busy() {
    let server = Served::start(&[]);
    let (mut caller, mut other) = (server.connect(), server.connect());
    other.send(b"CONFIG SET busy-reply-threshold 20\r\n");
    other.expect(b"+OK\r\n");
    caller.send(b"EVAL \"redis.call('SET','k','v') while true do end\" 0\r\n");
    loop {
        other.send(b"PING\r\n");
        if other.everything().starts_with("-BUSY") {
            break;
        }
    }
    // The script has written, so only this can stop it.
    other.send(b"SCRIPT KILL\r\n");
    assert!(other.everything().starts_with("-UNKILLABLE"));
    other.send(b"SHUTDOWN\r\n");
    assert!(other.everything().starts_with("-BUSY"));
    other.send(b"SHUTDOWN NOSAVE\r\n");
    other.expect_end();
    caller.expect_end();
    assert!(server.wait().contains("Stopped by SHUTDOWN"));
}

#[test]
fn keys_expire_by_the_wall_clock() {
    let server = Served::start(&[]);
    let (mut peer, mut listener): (Peer, Peer) = (server.connect(), server.connect());
    listener.send(b"CONFIG SET notify-keyspace-events Ex\r\nSUBSCRIBE __keyevent@0__:expired\r\n");
    listener.expect_start(b"+OK\r\n*3\r\n");
    peer.send(b"SET k v PX 150\r\nGET k\r\n");
    peer.expect(b"+OK\r\n$1\r\nv\r\n");
    // No client reads the key: the expire cycle deletes it.
    listener.expect(b"*3\r\n$7\r\nmessage\r\n$22\r\n__keyevent@0__:expired\r\n$1\r\nk\r\n");
    peer.send(b"EXISTS k\r\n");
    peer.expect(b":0\r\n");
}
