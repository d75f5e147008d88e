//! Long-running scripts: the replies that other clients get meanwhile, and how scripts are stopped. No test asserts a duration; a test that
//! waits polls the server.
use std::thread::{self, JoinHandle};
use std::time::Duration;

use redis::{Commands, Connection, RedisResult, Value};

use crate::Target;

/// A target that reports early that it is busy.
fn target() -> Target {
    let target = Target::new();
    let mut c = target.connection();
    redis::cmd("CONFIG").arg(&["SET", "busy-reply-threshold", "5"]).exec(&mut c).unwrap();
    redis::cmd("FUNCTION").arg("FLUSH").exec(&mut c).unwrap();
    target
}

/// Sends a command whose reply comes later.
fn later(target: &Target, words: &[&str]) -> JoinHandle<RedisResult<Value>> {
    let mut connection = target.connection();
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    thread::spawn(move || command(&words).query(&mut connection))
}

fn command(words: &[impl AsRef<str>]) -> redis::Cmd {
    let mut command = redis::Cmd::new();
    words.iter().for_each(|word| _ = command.arg(word.as_ref()));
    command
}

/// The reply of a command on one line.
fn says(c: &mut Connection, words: &[&str]) -> String {
    line(command(words).query(c))
}

fn line(answer: RedisResult<Value>) -> String {
    match answer {
        Ok(value) => format!("{value:?}"),
        Err(error) => format!("{} {}", error.code().unwrap_or_default(), error.detail().unwrap_or_default()),
    }
}

/// Polls until the server replies that it is busy.
fn wait_until_busy(c: &mut Connection) -> String {
    loop {
        let said = says(c, &["PING"]);
        if said.starts_with("BUSY") {
            return said;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

const BUSY: &str = "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";
const BUSY_FUNCTION: &str = "BUSY Redis is busy running a script. You can only call FUNCTION KILL or SHUTDOWN NOSAVE.";

#[test]
fn a_script_of_a_hundred_thousand_commands_returns_its_reply() {
    let target = target();
    let mut c = target.connection();
    let text = "for i=1,100000 do redis.call('SET','k'..i,i) end return redis.call('DBSIZE')";
    assert_eq!(says(&mut c, &["EVAL", text, "0"]), "int(100000)");
    assert_eq!(c.get::<_, String>("k100000").unwrap(), "100000");
    let () = redis::cmd("FLUSHALL").query(&mut c).unwrap();
}

#[test]
fn commands_sent_during_a_script_run_after_it() {
    let target = target();
    let mut c = target.connection();
    redis::cmd("CONFIG").arg(&["SET", "busy-reply-threshold", "60000"]).exec(&mut c).unwrap();
    let script =
        later(&target, &["EVAL", "for i=1,200000 do redis.call('INCR','n') end return redis.call('GET','n')", "0"]);
    let mut seen = c.get::<_, Option<String>>("n").unwrap();
    while seen.is_none() {
        seen = c.get("n").unwrap();
    }
    // No client sees an intermediate state.
    assert_eq!(seen.as_deref(), Some("200000"));
    assert_eq!(line(script.join().unwrap()), "bulk-string('\"200000\"')");
}

#[test]
fn an_endless_script_is_killed_and_the_server_goes_on() {
    for text in [
        "while true do end",
        "while true do pcall(function() while true do redis.call('GET', 'k') end end) end",
        "while true do pcall(redis.call, 'nosuch') end",
        "while true do local ok = pcall(error, 'x') end",
        "local co = coroutine.wrap(function() while true do end end) co()",
        "table.sort({3, 2, 1}, function(a, b) while true do end end)",
    ] {
        let target = target();
        let mut c = target.connection();
        let script = later(&target, &["EVAL", text, "0"]);
        assert_eq!(wait_until_busy(&mut c), BUSY);
        assert_eq!(says(&mut c, &["GET", "k"]), BUSY);
        assert_eq!(says(&mut c, &["FUNCTION", "KILL"]), BUSY);
        assert_eq!(says(&mut c, &["FUNCTION", "STATS"]), BUSY);
        assert_eq!(says(&mut c, &["SHUTDOWN"]), BUSY);
        assert_eq!(says(&mut c, &["SCRIPT", "KILL"]), "ok");
        let said = line(script.join().unwrap());
        assert!(said.contains("Script killed by user with SCRIPT KILL... script: "), "{text}: {said}");
        assert!(said.ends_with(", on @user_script:1."), "{text}: {said}");
        assert_eq!(says(&mut c, &["PING"]), "simple-string(\"PONG\")");
        assert_eq!(says(&mut c, &["SCRIPT", "KILL"]), "NOTBUSY No scripts in execution right now.");
    }
}

#[test]
fn a_script_that_has_written_cannot_be_killed_and_ends_by_itself() {
    let target = target();
    let mut c = target.connection();
    let text = "redis.call('SET', 'k', 'half') for i = 1, 3e7 do end redis.call('SET', 'k', 'done') return 'end'";
    let script = later(&target, &["EVAL", text, "0"]);
    wait_until_busy(&mut c);
    let said = says(&mut c, &["SCRIPT", "KILL"]);
    let refused = "UNKILLABLE Sorry the script already executed write commands against the dataset. ";
    assert!(said.starts_with(refused), "{said}");
    assert_eq!(line(script.join().unwrap()), "bulk-string('\"end\"')");
    assert_eq!(c.get::<_, String>("k").unwrap(), "done");
}

#[test]
fn transactions_around_a_killed_script() {
    let target = target();
    let (mut b, mut c) = (target.connection(), target.connection());
    let calls = target.connection();
    let exec = thread::spawn(move || {
        let mut calls = calls;
        let text = "while true do pcall(redis.call, 'GET', 'n') end";
        for words in [&["MULTI"][..], &["SET", "n", "1"], &["EVAL", text, "0"], &["INCR", "n"]] {
            let _ = says(&mut calls, words);
        }
        says(&mut calls, &["EXEC"])
    });
    wait_until_busy(&mut c);
    assert_eq!(says(&mut b, &["MULTI"]), "ok");
    assert_eq!(says(&mut b, &["SET", "n", "7"]), BUSY);
    assert_eq!(
        says(&mut b, &["EXEC"]),
        "EXECABORT Transaction discarded because of: BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE."
    );
    assert_eq!(says(&mut b, &["WATCH", "n"]), "ok");
    assert_eq!(says(&mut c, &["SCRIPT", "KILL"]), "ok");
    // This client library turns an array that contains an error into an error.
    let answers = exec.join().unwrap();
    assert!(answers.contains("Script killed by user"), "{answers}");
    assert_eq!(c.get::<_, String>("n").unwrap(), "2", "the rest of the transaction ran");
    // The rest of the first transaction changed `n` after that, so this one fails.
    assert_eq!(says(&mut b, &["MULTI"]), "ok");
    assert_eq!(says(&mut b, &["EXEC"]), "nil");
}

#[test]
fn functions_are_killed_by_function_kill() {
    let target = target();
    let mut c = target.connection();
    let library = "#!lua name=lib\nredis.register_function('spin', function() while true do end end)";
    assert_eq!(says(&mut c, &["FUNCTION", "LOAD", "REPLACE", library]), "bulk-string('\"lib\"')");
    let call = later(&target, &["FCALL", "spin", "0"]);
    assert_eq!(wait_until_busy(&mut c), BUSY_FUNCTION);
    assert_eq!(says(&mut c, &["SCRIPT", "KILL"]), BUSY_FUNCTION);
    assert!(says(&mut c, &["FUNCTION", "STATS"]).contains("spin"));
    assert_eq!(says(&mut c, &["FUNCTION", "KILL"]), "ok");
    let said = line(call.join().unwrap());
    assert!(said.ends_with(" script: spin, on @user_function:2."), "{said}");
}

#[test]
fn a_script_continues_after_its_caller_disconnects() {
    let target = target();
    let mut c = target.connection();
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", target.port)).unwrap();
    let text = "redis.call('SELECT', 3) for i = 1, 3e7 do end redis.call('SET', 'k', 'done')";
    let request = format!("*3\r\n$4\r\nEVAL\r\n${}\r\n{text}\r\n$1\r\n0\r\n", text.len());
    std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
    wait_until_busy(&mut c);
    drop(stream);
    while says(&mut c, &["PING"]).starts_with("BUSY") {
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(says(&mut c, &["SELECT", "3"]), "ok");
    assert_eq!(c.get::<_, String>("k").unwrap(), "done");
}
