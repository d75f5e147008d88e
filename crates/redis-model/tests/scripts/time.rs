//! Scripts that take time on the server's clock: 100,000 instructions per millisecond.
use redis_model::{Config, ScriptTime};
use resp::Value;

use super::{BUSY, BUSY_FUNCTION, TestServer, killed};

/// Two seconds.
const TWO_S: &str = "spend 200000000";

/// A server that replies `BUSY` after 100 ms.
fn stage() -> TestServer {
    let mut stage = TestServer::new();
    let a = stage.connect();
    assert_eq!(stage.ask(a, &["CONFIG", "SET", "busy-reply-threshold", "100"]), Value::OK);
    stage
}

fn holds(stage: &TestServer, key: &[u8]) -> bool {
    stage.server.db(0).unwrap().value(key).is_some()
}

#[test]
fn a_short_script_takes_no_time() {
    let mut stage = TestServer::new();
    let a = stage.connect();
    assert_eq!(stage.ask(a, &["EVAL", "spend 99000\ncall SET k v\nreturn done", "0"]), Value::bulk("done"));
    assert!(stage.server.busy().is_none() && holds(&stage, b"k"));
    assert_eq!(stage.server.next_deadline_ms(), None);
}

#[test]
fn reply_changes_and_queued_commands_take_effect_when_the_script_ends() {
    let mut stage = stage();
    let (a, b) = (stage.connect(), stage.connect());
    assert_eq!(stage.send(a, &["EVAL", "call SET k v\nspend 5000000\nreturn done", "0"]), []);
    let busy = stage.server.busy().expect("it is busy");
    assert_eq!((busy.client, busy.since_ms, busy.ends_ms(), busy.has_written), (a, 1_000_000, Some(1_000_050), true));
    assert!(!holds(&stage, b"k"), "nobody sees what it will have done");
    assert_eq!(stage.server.next_deadline_ms(), Some(1_000_050));
    assert_eq!(stage.send(b, &["GET", "k"]), []);
    assert_eq!(stage.send(b, &["SET", "k", "w"]), []);
    assert_eq!(stage.advance(49), []);
    let replies = [(a, Value::bulk("done")), (b, Value::bulk("v")), (b, Value::OK)];
    assert_eq!(stage.advance(1), replies);
    assert!(stage.server.busy().is_none() && holds(&stage, b"k"));
    assert_eq!(stage.server.stats().calls_by_command.iter().map(|(_, calls)| calls.0).sum::<u64>(), 5);
}

#[test]
fn other_clients_get_busy_after_the_threshold() {
    let mut stage = stage();
    let (a, b, c) = (stage.connect(), stage.connect(), stage.connect());
    stage.send(a, &["EVAL", &format!("{TWO_S}\ncall SET k v\nreturn done"), "0"]);
    assert_eq!(stage.send(b, &["GET", "k"]), []);
    assert_eq!(stage.advance(100), [(b, Value::error(BUSY))]);
    assert_eq!(stage.ask(c, &["MULTI"]), Value::OK);
    assert_eq!(stage.ask(c, &["PING"]), Value::error(BUSY));
    assert_eq!(stage.server.next_deadline_ms(), Some(1_002_000));
    assert_eq!(stage.advance(1_900), [(a, Value::bulk("done"))]);
    let aborted = "EXECABORT Transaction discarded because of previous errors.";
    assert_eq!(stage.ask(c, &["EXEC"]), Value::error(aborted));
    assert_eq!(stage.ask(b, &["GET", "k"]), Value::bulk("v"));
    assert_eq!(stage.ask(b, &["SCRIPT", "KILL"]), Value::error("NOTBUSY No scripts in execution right now."));
}

#[test]
fn kill_before_the_first_write_discards_all_changes() {
    let text = format!("call GET k\n{TWO_S}\ncall SET k v\n{TWO_S}\nreturn done");
    let mut stage = stage();
    let (a, b) = (stage.connect(), stage.connect());
    let before = stage.server.db(0).unwrap().clone();
    stage.send(a, &["EVAL", &text, "0"]);
    stage.advance(1_999);
    assert_eq!(stage.send(b, &["SCRIPT", "KILL"]), [(b, Value::OK), (a, killed(&text))]);
    assert_eq!(*stage.server.db(0).unwrap(), before);
    assert_eq!(stage.server.next_deadline_ms(), None);
    assert_eq!(stage.ask(b, &["GET", "k"]), Value::Null);
}

#[test]
fn script_cannot_be_killed_after_its_first_write() {
    let mut stage = stage();
    let (a, b) = (stage.connect(), stage.connect());
    stage.send(a, &["EVAL", &format!("{TWO_S}\ncall SET k v\n{TWO_S}\nreturn done"), "0"]);
    stage.advance(2_000);
    let Value::Error(text) = stage.ask(b, &["SCRIPT", "KILL"]) else { panic!("it must be refused") };
    assert!(text.starts_with(b"UNKILLABLE "), "{text:?}");
    assert!(!holds(&stage, b"k"));
    assert_eq!(stage.advance(2_000), [(a, Value::bulk("done"))]);
    assert!(holds(&stage, b"k"));
}

#[test]
fn functions_take_time_too_and_are_killed_by_function_kill() {
    let mut stage = stage();
    let (a, b) = (stage.connect(), stage.connect());
    let library = format!("#!lua name=lib\nregister slow no-writes\ndef slow\n{TWO_S}\nreturn done");
    assert_eq!(stage.ask(a, &["FUNCTION", "LOAD", &library]), Value::bulk("lib"));
    stage.send(a, &["FCALL", "slow", "0"]);
    stage.advance(500);
    assert_eq!(stage.ask(b, &["GET", "k"]), Value::error(BUSY_FUNCTION));
    assert_eq!(stage.ask(b, &["SCRIPT", "KILL"]), Value::error(BUSY_FUNCTION));
    assert!(matches!(stage.ask(b, &["FUNCTION", "STATS"]), Value::Map(_)));
    assert_eq!(stage.advance(1_500), [(a, Value::bulk("done"))]);
    stage.send(a, &["FCALL", "slow", "0"]);
    stage.advance(500);
    let line = "ERR Script killed by user with SCRIPT KILL... script: slow, on @user_function:2.";
    assert_eq!(stage.send(b, &["FUNCTION", "KILL"]), [(b, Value::OK), (a, Value::error(line))]);
}

#[test]
fn transaction_continues_when_its_script_has_ended() {
    let mut stage = stage();
    let (a, b) = (stage.connect(), stage.connect());
    let text = format!("call INCR k\n{TWO_S}\nlast");
    for words in [&["MULTI"][..], &["SET", "k", "1"], &["EVAL", &text, "0"], &["INCR", "k"], &["EVAL", &text, "0"]] {
        stage.send(a, words);
    }
    assert_eq!(stage.send(a, &["EXEC"]), []);
    assert_eq!(stage.send(b, &["GET", "k"]), []);
    assert_eq!(stage.advance(100), [(b, Value::error(BUSY))]);
    assert_eq!(stage.advance(1_900), [], "its second script begins");
    assert_eq!(stage.server.busy().map(|busy| (busy.since_ms, busy.ends_ms())), Some((1_002_000, Some(1_004_000))));
    let answers = Value::Array(vec![Value::OK, Value::Integer(2), Value::Integer(3), Value::Integer(4)]);
    assert_eq!(stage.advance(2_000), [(a, answers)]);
    assert_eq!(stage.ask(b, &["GET", "k"]), Value::bulk("4"));
}

#[test]
fn blocked_watching_and_subscribed_clients_are_notified_at_the_end() {
    let mut stage = stage();
    let (a, b, c, d) = (stage.connect(), stage.connect(), stage.connect(), stage.connect());
    stage.send(b, &["BLPOP", "jobs", "1"]);
    stage.send(c, &["WATCH", "k"]);
    stage.send(d, &["SUBSCRIBE", "news"]);
    let text = format!("call SET k v\ncall RPUSH jobs x\ncall PUBLISH news hi\n{TWO_S}\nreturn done");
    assert_eq!(stage.send(a, &["EVAL", &text, "0"]), []);
    assert_eq!(stage.advance(1_999), [], "not even the timeout of BLPOP ends");
    let words = |words: &[&str]| words.iter().map(|word| Value::bulk(word.to_string())).collect::<Vec<_>>();
    let seen = stage.advance(1);
    let expected = [
        (d, Value::Push(words(&["message", "news", "hi"]))),
        (a, Value::bulk("done")),
        (b, Value::Array(words(&["jobs", "x"]))),
    ];
    assert_eq!(seen.len(), 3, "{seen:?}");
    assert!(expected.iter().all(|what| seen.contains(what)), "{seen:?}");
    stage.send(c, &["MULTI"]);
    assert_eq!(stage.ask(c, &["EXEC"]), Value::NullArray);
}

#[test]
fn watch_during_the_script_also_makes_exec_fail() {
    let mut stage = stage();
    let (a, b) = (stage.connect(), stage.connect());
    stage.send(a, &["EVAL", &format!("{TWO_S}\ncall SET k v"), "0"]);
    stage.advance(500);
    assert_eq!(stage.ask(b, &["WATCH", "k"]), Value::OK);
    stage.advance(1_500);
    stage.send(b, &["MULTI"]);
    assert_eq!(stage.ask(b, &["EXEC"]), Value::NullArray);
}

#[test]
fn a_killed_script_makes_no_transaction_fail() {
    let mut stage = stage();
    let (a, b) = (stage.connect(), stage.connect());
    stage.send(b, &["WATCH", "k"]);
    stage.send(a, &["EVAL", &format!("{TWO_S}\ncall SET k v"), "0"]);
    stage.advance(500);
    let c = stage.connect();
    stage.send(c, &["SCRIPT", "KILL"]);
    stage.send(b, &["MULTI"]);
    assert_eq!(stage.ask(b, &["EXEC"]), Value::Array(Vec::new()));
}

#[test]
fn script_takes_effect_after_its_caller_disconnects() {
    let mut stage = stage();
    let (a, b) = (stage.connect(), stage.connect());
    stage.send(a, &["EVAL", &format!("{TWO_S}\ncall SET k v"), "0"]);
    stage.server.disconnect(stage.now_ms, a);
    stage.server.check().unwrap();
    stage.advance(500);
    assert_eq!(stage.ask(b, &["GET", "k"]), Value::error(BUSY));
    assert_eq!(stage.advance(1_500), []);
    assert_eq!(stage.ask(b, &["GET", "k"]), Value::bulk("v"));
    assert!(stage.server.client(a).is_none());
}

#[test]
fn clone_of_a_server_with_a_running_script_behaves_the_same() {
    let mut stage = stage();
    let (a, b) = (stage.connect(), stage.connect());
    stage.send(a, &["EVAL", &format!("call SET k v\n{TWO_S}\nreturn done"), "0"]);
    let mut other = TestServer { server: stage.server.clone(), now_ms: stage.now_ms };
    assert_eq!(stage.server, other.server);
    assert_eq!(stage.advance(700), other.advance(700));
    assert_eq!(stage.send(b, &["PING"]), other.send(b, &["PING"]));
    assert_eq!(stage.advance(7_000), other.advance(7_000));
    assert_eq!(stage.server, other.server);
    // One long step and many short steps give the same state.
    let mut at_once = super::TestServer { server: stage.server.clone(), now_ms: stage.now_ms };
    for stage in [&mut stage, &mut at_once] {
        stage.send(a, &["EVAL", &format!("call INCR n\n{TWO_S}"), "0"]);
    }
    (0..2_000).for_each(|_| drop(stage.advance(1)));
    at_once.advance(2_000);
    assert_eq!(stage.server, at_once.server);
}

#[test]
fn commands_add_to_script_time() {
    let mut stage = stage();
    let a = stage.connect();
    // 100 instructions and two units of work each: the key, and the reply.
    stage.send(a, &["EVAL", "call INCR n\nagain 9999", "0"]);
    assert_eq!(stage.server.busy().and_then(|busy| busy.ends_ms()), Some(1_000_010));
    stage.advance(10);
    assert_eq!(stage.ask(a, &["GET", "n"]), Value::bulk("10000"));
}

#[test]
fn keys_adds_to_script_time_for_each_name() {
    let mut stage = stage();
    let a = stage.connect();
    for n in 0..10_000 {
        stage.send(a, &["SET", &format!("k{n}"), "v"]);
    }
    // 10,000 names of 30 instructions each.
    stage.send(a, &["EVAL", "call KEYS nothing*", "0"]);
    assert_eq!(stage.server.busy().and_then(|busy| busy.ends_ms()), Some(1_000_003));
}

#[test]
fn instruction_rate_is_configurable() {
    let script_time = ScriptTime::Virtual { per_ms: 1_000, bound: u64::MAX };
    let mut stage = TestServer::with(Config { script_time, ..Config::default() });
    let a = stage.connect();
    stage.send(a, &["EVAL", "spend 3000000", "0"]);
    assert_eq!(stage.server.busy().and_then(|busy| busy.ends_ms()), Some(1_003_000));
    let mut stage = TestServer::with(Config { script_time: ScriptTime::Uncounted, ..Config::default() });
    let a = stage.connect();
    assert_eq!(stage.ask(a, &["EVAL", "spend 3000000\nreturn done", "0"]), Value::bulk("done"));
}

#[test]
fn errors_are_replied_at_the_end_and_counted_once() {
    let mut stage = stage();
    let a = stage.connect();
    stage.send(a, &["SET", "s", "x"]);
    stage.send(a, &["EVAL", &format!("{TWO_S}\ncall LPUSH s x"), "0"]);
    let seen = stage.advance(2_000);
    let [(_, Value::Error(line))] = seen.as_slice() else { panic!("{seen:?}") };
    assert!(line.starts_with(b"WRONGTYPE "), "{line:?}");
    assert_eq!(stage.server.stats().errors_by_code.iter().map(|(_, count)| count).sum::<u64>(), 1);
    let eval: Vec<_> = stage.server.stats().calls_by_command.iter().filter(|(key, _)| key.id.1 == "eval").collect();
    assert_eq!(eval[0].1, &(1, 0, 1));
}
