//! `lockstep serve --record`: a recording opens as a timeline, and its replay gives the replies of the server.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
// A test that cannot go on should stop, loudly.
mod support;

use std::path::PathBuf;
use std::time::Duration;

use resp::encode::encode;
use support::Served;
use world::{EventKind, Input, Timeline};

/// A temporary file of this test.
struct Recording(PathBuf);

impl Recording {
    fn new(name: &str) -> Recording {
        let path = std::env::temp_dir().join(format!("lockstep-{}-{name}.lockstep", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Recording(path)
    }

    fn timeline(&self) -> Timeline {
        let engines = world::Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
        Timeline::from_text(&std::fs::read_to_string(&self.0).unwrap(), &engines).unwrap()
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// All replies of the replay to a client, as bytes.
fn transcript_of(timeline: &Timeline, name: &str) -> String {
    let client = timeline.taken().find_map(|(_, step)| match &step.input {
        Input::Connect { client, name: given } if given == name => Some(*client),
        _ => None,
    });
    let mut bytes = Vec::new();
    for (_, event) in timeline.events_of(client.expect(name)) {
        if let EventKind::Reply { value, protocol, .. } | EventKind::Push { value, protocol, .. } = event {
            encode(value, *protocol, &mut bytes);
        }
    }
    bytes.escape_ascii().to_string()
}

#[test]
fn a_replay_gives_the_replies_of_the_server() {
    let file = Recording::new("replay");
    let server = Served::start(&["--seed", "7", "--maxmemory", "10mb", "--record", file.0.to_str().unwrap()]);
    let (mut a, mut b) = (server.connect(), server.connect());
    // One after the other, so that the ids of the two clients are known.
    a.send(b"PING\r\n");
    a.expect(b"+PONG\r\n");
    b.send(b"PING\r\n");
    b.expect(b"+PONG\r\n");
    let mut heard_by_a = String::from("+PONG\\r\\n");
    let mut heard_by_b = heard_by_a.clone();

    a.send(b"SET 'a key' \"\\xff\\r\\n\" PX 120\r\nCLIENT LIST\r\nCONFIG GET maxmemory\r\nTIME\r\n");
    heard_by_a += &a.everything();
    a.send(b"BLPOP q 0\r\nINCR served\r\n");
    a.expect_silence();
    b.send(b"HELLO 3\r\nSADD s 1 2 3 4 5 6 7 8 9\r\nSRANDMEMBER s 3\r\nSPOP s\r\nMULTI\r\nRPUSH q x\r\nEXEC\r\n");
    heard_by_b += &b.everything();
    heard_by_a += &a.everything();
    a.send(b"BLPOP none 0.05\r\nPTTL 'a key'\r\n");
    heard_by_a += &a.everything();
    std::thread::sleep(Duration::from_millis(250));
    a.send(b"DBSIZE\r\nTIME\r\nQUIT\r\n");
    heard_by_a += &a.everything_until_the_end();
    b.send(b"SCAN 0\r\nINFO keyspace\r\nOBJECT ENCODING s\r\n");
    heard_by_b += &b.everything();

    let text = server.stop_by("-TERM");
    assert!(text.contains("steps ("), "{text}");
    let timeline = file.timeline();
    assert_eq!(transcript_of(&timeline, "c1"), heard_by_a);
    assert_eq!(transcript_of(&timeline, "c2"), heard_by_b);
    assert_eq!(timeline.settings().seed, 7);
    assert!(timeline.world().clients().count() == 1, "who quit is gone");
    // The timeline writes the same text again.
    assert_eq!(timeline.to_text(), std::fs::read_to_string(&file.0).unwrap());
}

#[test]
fn clients_have_the_names_that_they_gave_themselves() {
    let file = Recording::new("names");
    let server = Served::start(&["--record", file.0.to_str().unwrap()]);
    let mut clients: Vec<_> = (0..5)
        .map(|_| {
            let mut client = server.connect();
            client.send(b"PING\r\n");
            client.expect(b"+PONG\r\n");
            client
        })
        .collect();
    let orders: [&[u8]; 5] = [
        b"CLIENT SETNAME worker\r\n",
        b"client setname worker\r\nCLIENT SETNAME worker\r\n",
        b"HELLO 3 AUTH default x SETNAME mine\r\nHELLO 2 SETNAME c4\r\n",
        // What the server refuses names no one, and not every name can stand in a session.
        b"CLIENT SETNAME 'not a name'\r\nCLIENT SETNAME a>b\r\nCLIENT SETNAME x y\r\nHELLO 9 SETNAME z\r\nMULTI\r\nCLIENT SETNAME q\r\nDISCARD\r\n",
        b"CLIENT SETNAME temporary\r\nRESET\r\n",
    ];
    for (client, orders) in clients.iter_mut().zip(orders) {
        client.send(orders);
        client.everything();
    }
    server.stop_by("-TERM");
    let timeline = file.timeline();
    let names: Vec<String> = timeline.world().clients().map(|(_, client)| client.name.to_string()).collect();
    assert_eq!(names, ["worker", "worker-2", "c4-2", "c4", "c5"]);
}

#[test]
fn scripts_take_the_same_time_in_the_replay() {
    let file = Recording::new("scripts");
    let server = Served::start(&["--record", file.0.to_str().unwrap()]);
    let (mut a, mut b) = (server.connect(), server.connect());
    a.send(b"CONFIG SET busy-reply-threshold 20\r\n");
    a.expect(b"+OK\r\n");
    let mut heard_by_a = String::from("+OK\\r\\n");
    b.send(b"PING\r\n");
    b.expect(b"+PONG\r\n");
    let mut heard_by_b = String::from("+PONG\\r\\n");
    // The same client sends its next command right after the reply of the script, on a fast or slow machine.
    for script in ["for i=1,30000000 do end return 1", "for i=1,100000 do redis.call('INCR','n') end return 2"] {
        a.send(format!("EVAL \"{script}\" 0\r\nGET n\r\n").as_bytes());
        heard_by_a += &a.everything();
    }
    assert!(heard_by_a.ends_with(":2\\r\\n$6\\r\\n100000\\r\\n"), "{heard_by_a}");
    a.send(b"EVAL \"while true do end\" 0\r\nGET n\r\n");
    loop {
        b.send(b"PING\r\n");
        let heard = b.everything();
        heard_by_b += &heard;
        if heard.starts_with("-BUSY") {
            break;
        }
    }
    b.send(b"SCRIPT KILL\r\nPING\r\n");
    heard_by_b += &b.everything();
    heard_by_a += &a.everything();
    assert!(heard_by_a.contains("Script killed by user"), "{heard_by_a}");
    server.stop_by("-TERM");
    let timeline = file.timeline();
    assert_eq!(transcript_of(&timeline, "c1"), heard_by_a);
    assert_eq!(transcript_of(&timeline, "c2"), heard_by_b);
}

#[test]
fn an_unfinished_recording_can_be_opened() {
    let file = Recording::new("open");
    let server = Served::start(&["--record", file.0.to_str().unwrap()]);
    assert_eq!(file.timeline().step_count(), 0);
    let mut peer = server.connect();
    peer.send(b"SET k v\r\n");
    peer.expect(b"+OK\r\n");
    let started = std::time::Instant::now();
    while says_something(&file) != "+OK\\r\\n" {
        assert!(started.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(50));
    }
    // A second server does not overwrite it.
    drop(server);
    let outcome = std::process::Command::new(env!("CARGO_BIN_EXE_lockstep"))
        .args(["serve", "--port", "0", "--record", file.0.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(!outcome.status.success());
    assert!(String::from_utf8_lossy(&outcome.stderr).contains("cannot record to"), "{outcome:?}");
}

fn says_something(file: &Recording) -> String {
    let timeline = file.timeline();
    if timeline.is_empty() { String::new() } else { transcript_of(&timeline, "c1") }
}

#[test]
fn a_full_recording_ends_and_the_server_continues() {
    let file = Recording::new("full");
    let server = Served::start(&["--record", file.0.to_str().unwrap()]);
    let mut peer = server.connect();
    let batch = "PING\r\n".repeat(10_000);
    for _ in 0..11 {
        peer.send(batch.as_bytes());
        peer.expect("+PONG\r\n".repeat(10_000).as_bytes());
    }
    let text = server.stop_by("-INT");
    assert!(text.contains("holds 100000 steps") && text.contains("It ends early: it holds as much as"), "{text}");
    let text = std::fs::read_to_string(&file.0).unwrap();
    assert!(text.ends_with("\nend 100000 at 100000 of 100000\n"));
}
