//! Scripts that never end or use too many resources, and the scripts that a server stores: on a test VM.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a test fails by panicking"
)]
mod machine;
mod time;

use bytes::Bytes;
use redis_model::{ClientId, Config, Output, ScriptEngine, ScriptTime, Server, command::needs_machine};
use resp::Value;

/// A server with clients, and its clock.
struct TestServer {
    server: Server,
    now_ms: u64,
}

const BUSY: &str = "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";
const BUSY_FUNCTION: &str = "BUSY Redis is busy running a script. You can only call FUNCTION KILL or SHUTDOWN NOSAVE.";

impl TestServer {
    fn new() -> TestServer {
        TestServer::with(Config::default())
    }

    fn with(config: Config) -> TestServer {
        let engine = ScriptEngine::new(machine::Toy);
        TestServer { server: Server::new(config, 1_000_000).with_engine(engine), now_ms: 1_000_000 }
    }

    fn connect(&mut self) -> ClientId {
        self.server.connect(self.now_ms)
    }

    /// Sends a command; returns what each client receives.
    fn send(&mut self, client: ClientId, words: &[&str]) -> Vec<(ClientId, Value)> {
        let argv = words.iter().map(|word| Bytes::copy_from_slice(word.as_bytes())).collect();
        let outputs = self.server.handle(self.now_ms, client, argv);
        self.server.check().unwrap();
        seen(outputs)
    }

    fn advance(&mut self, ms: u64) -> Vec<(ClientId, Value)> {
        self.now_ms += ms;
        let outputs = self.server.advance(self.now_ms);
        self.server.check().unwrap();
        seen(outputs)
    }

    /// Sends a command; returns its reply, which must be the only output.
    fn ask(&mut self, client: ClientId, words: &[&str]) -> Value {
        let mut seen = self.send(client, words);
        assert_eq!(seen.len(), 1, "{words:?}: {seen:?}");
        seen.remove(0).1
    }
}

fn seen(outputs: Vec<Output>) -> Vec<(ClientId, Value)> {
    let message = |output| match output {
        Output::Reply { client, value } | Output::Push { client, value } => Some((client, value)),
        _ => None,
    };
    outputs.into_iter().filter_map(message).collect()
}

fn killed(text: &str) -> Value {
    let sha = sha_of(text);
    Value::error(format!("ERR Script killed by user with SCRIPT KILL... script: {sha}, on @user_script:1."))
}

/// The SHA-1 under which the server caches a script.
fn sha_of(text: &str) -> String {
    let mut stage = TestServer::new();
    let client = stage.connect();
    match stage.ask(client, &["SCRIPT", "LOAD", text]) {
        Value::Bulk(sha) => String::from_utf8_lossy(&sha).into_owned(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn other_clients_wait_then_get_busy_until_script_kill() {
    let mut stage = TestServer::new();
    let (a, b, c) = (stage.connect(), stage.connect(), stage.connect());
    assert_eq!(stage.send(a, &["EVAL", "spin", "0"]), []);
    let busy = stage.server.busy().expect("it is busy");
    assert_eq!((busy.client, busy.since_ms, busy.is_function, busy.has_written), (a, 1_000_000, false, false));
    assert_eq!(stage.server.next_deadline_ms(), Some(1_005_000), "then it answers again");
    // No client gets a reply before busy-reply-threshold has passed.
    assert_eq!(stage.send(b, &["PING"]), []);
    assert_eq!(stage.send(b, &["GET", "k"]), []);
    assert_eq!(stage.send(c, &["SCRIPT", "KILL", "now"]), []);
    assert_eq!(stage.advance(4_999), []);
    let arity = Value::error("ERR wrong number of arguments for 'script|kill' command");
    assert_eq!(stage.advance(1), [(b, Value::error(BUSY)), (b, Value::error(BUSY)), (c, arity)]);
    assert_eq!(stage.server.next_deadline_ms(), None, "nothing happens by itself any more");
    assert_eq!(stage.ask(b, &["PING"]), Value::error(BUSY));
    assert_eq!(stage.ask(b, &["FUNCTION", "KILL"]), Value::error(BUSY));
    assert_eq!(stage.ask(b, &["FUNCTION", "STATS"]), Value::error(BUSY));
    assert_eq!(stage.advance(3_600_000), []);
    assert_eq!(stage.send(b, &["SCRIPT", "KILL"]), [(b, Value::OK), (a, killed("spin"))]);
    assert!(stage.server.busy().is_none());
    assert_eq!(stage.ask(b, &["PING"]), Value::simple("PONG"));
    assert_eq!(stage.ask(b, &["SCRIPT", "KILL"]), Value::error("NOTBUSY No scripts in execution right now."));
}

#[test]
fn script_that_has_written_cannot_be_killed() {
    let mut stage = TestServer::new();
    let (a, b) = (stage.connect(), stage.connect());
    stage.send(a, &["EVAL", "call SET KEY v\nspin", "1", "k"]);
    assert!(stage.server.busy().is_some_and(|busy| busy.has_written));
    assert!(stage.server.db(0).unwrap().value(b"k").is_some(), "what it did is done");
    stage.advance(5_000);
    let Value::Error(text) = stage.ask(b, &["SCRIPT", "KILL"]) else { panic!("it must be refused") };
    assert!(text.starts_with(b"UNKILLABLE Sorry the script already executed write commands"), "{text:?}");
    assert_eq!(stage.ask(b, &["GET", "k"]), Value::error(BUSY));
    assert_eq!(stage.ask(b, &["SHUTDOWN"]), Value::error(BUSY));
}

#[test]
fn no_client_gets_a_reply_with_a_threshold_of_zero() {
    let mut stage = TestServer::new();
    let (a, b) = (stage.connect(), stage.connect());
    assert_eq!(stage.ask(a, &["CONFIG", "SET", "lua-time-limit", "0"]), Value::OK);
    stage.send(a, &["EVAL", "spin", "0"]);
    assert_eq!(stage.send(b, &["SCRIPT", "KILL"]), []);
    assert_eq!(stage.advance(3_600_000), []);
    assert_eq!(stage.server.next_deadline_ms(), None);
}

#[test]
fn functions_are_ended_by_function_kill() {
    let mut stage = TestServer::new();
    let (a, b) = (stage.connect(), stage.connect());
    let library =
        "#!lua name=lib\nregister endless no-writes\nregister quick\ndef endless\nspin\ndef quick\nreturn done";
    assert_eq!(stage.ask(a, &["FUNCTION", "LOAD", library]), Value::bulk("lib"));
    assert_eq!(stage.ask(a, &["FCALL", "QUICK", "0"]), Value::bulk("done"));
    stage.send(a, &["FCALL_RO", "endless", "0"]);
    stage.advance(5_000);
    assert_eq!(stage.ask(b, &["GET", "k"]), Value::error(BUSY_FUNCTION));
    assert_eq!(stage.ask(b, &["SCRIPT", "KILL"]), Value::error(BUSY_FUNCTION));
    let Value::Map(stats) = stage.ask(b, &["FUNCTION", "STATS"]) else { panic!("a map") };
    let Value::Map(running) = &stats[0].1 else { panic!("a function runs") };
    assert_eq!(running[2], (Value::bulk("duration_ms"), Value::Integer(5_000)));
    let line = "ERR Script killed by user with SCRIPT KILL... script: endless, on @user_function:2.";
    assert_eq!(stage.send(b, &["FUNCTION", "KILL"]), [(b, Value::OK), (a, Value::error(line))]);
}

#[test]
fn the_rest_of_a_transaction_runs_after_the_kill() {
    let mut stage = TestServer::new();
    let (a, b) = (stage.connect(), stage.connect());
    for words in [&["MULTI"][..], &["SET", "k", "1"], &["EVAL", "spin", "0"], &["INCR", "k"], &["EVAL", "spin", "0"]] {
        stage.send(a, words);
    }
    assert_eq!(stage.send(a, &["EXEC"]), []);
    stage.advance(5_000);
    // The second script of the queue never ends either, and now keeps the server busy.
    assert_eq!(stage.send(b, &["SCRIPT", "KILL"]), [(b, Value::OK)]);
    assert_eq!(stage.server.busy().map(|busy| busy.since_ms), Some(1_005_000));
    stage.advance(5_000);
    let answers = Value::Array(vec![Value::OK, killed("spin"), Value::Integer(2), killed("spin")]);
    assert_eq!(stage.send(b, &["SCRIPT", "KILL"]), [(b, Value::OK), (a, answers)]);
    assert_eq!(stage.server.stats().commands_processed, 8);
}

#[test]
fn while_it_is_busy_nothing_expires_and_no_timeout_ends() {
    let mut stage = TestServer::new();
    let (a, b, c) = (stage.connect(), stage.connect(), stage.connect());
    stage.send(b, &["SET", "lease", "x", "PX", "100"]);
    stage.send(c, &["BLPOP", "jobs", "1"]);
    stage.send(a, &["EVAL", "call LPUSH other x\nspin", "0"]);
    assert_eq!(stage.advance(60_000), []);
    assert_eq!(stage.server.db(0).unwrap().len(), 2, "the lease is still there");
    let mut stage = TestServer::new();
    let (a, b, c) = (stage.connect(), stage.connect(), stage.connect());
    stage.send(b, &["SET", "lease", "x", "PX", "100"]);
    stage.send(c, &["BLPOP", "jobs", "1"]);
    stage.send(a, &["EVAL", "spin", "0"]);
    stage.advance(60_000);
    // When the script ends, everything that became due happens at once.
    let seen = stage.send(b, &["SCRIPT", "KILL"]);
    assert_eq!(seen, [(b, Value::OK), (a, killed("spin")), (c, Value::NullArray)]);
    stage.advance(200);
    assert_eq!(stage.server.db(0).unwrap().len(), 0);
}

#[test]
fn script_continues_after_its_caller_disconnects() {
    let mut stage = TestServer::new();
    let (a, b) = (stage.connect(), stage.connect());
    stage.send(a, &["EVAL", "spin", "0"]);
    stage.server.disconnect(stage.now_ms, a);
    assert!(stage.server.busy().is_some(), "its script goes on");
    stage.advance(5_000);
    assert_eq!(stage.send(b, &["SCRIPT", "KILL"]), [(b, Value::OK)]);
    assert_eq!(stage.ask(b, &["PING"]), Value::simple("PONG"));
}

#[test]
fn clone_of_a_busy_server_behaves_the_same() {
    let mut stage = TestServer::new();
    let (a, b) = (stage.connect(), stage.connect());
    stage.send(a, &["EVAL", "spin", "0"]);
    stage.send(b, &["PING"]);
    let mut other = TestServer { server: stage.server.clone(), now_ms: stage.now_ms };
    assert_eq!(stage.server, other.server);
    assert_eq!(stage.advance(7_000), other.advance(7_000));
    assert_eq!(stage.send(b, &["SCRIPT", "KILL"]), other.send(b, &["SCRIPT", "KILL"]));
    assert_eq!(stage.server, other.server);
}

#[test]
fn script_beyond_its_work_budget_counts_as_endless() {
    let mut stage = TestServer::with(Config { script_time: ScriptTime::Uncounted, ..Config::default() });
    let a = stage.connect();
    for n in 0..2_000 {
        stage.send(a, &["SET", &format!("k{n}"), "v"]);
    }
    // Each call reads 2,000 keys and replies with them: 2,000 calls are within the budget of a script, 10,000 are not.
    let replies = stage.send(a, &["EVAL", "pcall KEYS *\nagain 2000\nreturn done", "0"]);
    assert_eq!(replies, [(a, Value::bulk("done"))]);
    assert_eq!(stage.send(a, &["EVAL", "pcall KEYS *\nagain 10000\nreturn done", "0"]), []);
    assert!(stage.server.busy().is_some());
}

#[test]
fn writing_script_may_exceed_maxmemory_only_by_a_bounded_amount() {
    let mut stage = TestServer::with(Config { maxmemory: 3 << 20, ..Config::default() });
    let a = stage.connect();
    let text = "call SETRANGE a 900000 x\ncall SETRANGE b 900000 x\ncall SETRANGE c 900000 x\nreturn went";
    assert_eq!(stage.ask(a, &["EVAL", text, "0"]), Value::bulk("went"));
    let text = "call DEL nothing\npcall APPEND a 0123456789\ncall SETRANGE d 1000000 x\nreturn went";
    assert_eq!(stage.ask(a, &["EVAL", text, "0"]), Value::bulk("went"), "it has written before");
    let many: String = (0..200).map(|n| format!("call SETRANGE n{n} 1000000 x\n")).collect();
    let Value::Error(line) = stage.ask(a, &["EVAL", &format!("call DEL nothing\n{many}"), "0"]) else {
        panic!("200 MB of 1")
    };
    assert!(line.starts_with(b"OOM "), "{line:?}");
    assert!(stage.server.used_memory() < 80 << 20, "{}", stage.server.used_memory());
}

#[test]
fn a_memory_bomb_is_an_error() {
    let mut stage = TestServer::new();
    let a = stage.connect();
    let Value::Error(line) = stage.ask(a, &["EVAL", "bomb", "0"]) else { panic!("an error") };
    assert!(line.starts_with(b"ERR not enough memory script: "), "{line:?}");
    assert_eq!(stage.ask(a, &["PING"]), Value::simple("PONG"));
}

#[test]
fn without_a_vm_scripts_fail_and_other_commands_work() {
    std::thread::spawn(|| {
        let mut server = Server::new(Config::default(), 0);
        let client = server.connect(0);
        let mut ask = |words: &[&str]| {
            let argv = words.iter().map(|word| Bytes::copy_from_slice(word.as_bytes())).collect();
            seen(server.handle(0, client, argv)).remove(0).1
        };
        let missing = Value::error("ERR scripts need a Lua machine, and none is installed here");
        assert_eq!(ask(&["EVAL", "return 1", "0"]), missing);
        assert_eq!(ask(&["SCRIPT", "LOAD", "return 1"]), missing);
        assert_eq!(ask(&["FUNCTION", "LOAD", "#!lua name=x\n"]), missing);
        assert_eq!(
            ask(&["EVAL", "return 1", "1"]),
            Value::error("ERR Number of keys can't be greater than number of args")
        );
        assert_eq!(ask(&["SCRIPT", "FLUSH"]), Value::OK);
        assert_eq!(ask(&["FUNCTION", "LIST"]), Value::Array(Vec::new()));
    })
    .join()
    .unwrap();
}

#[test]
fn commands_that_need_a_vm_are_recognised() {
    let needs = |words: &[&'static str]| {
        let argv: Vec<Bytes> = words.iter().map(|word| Bytes::from_static(word.as_bytes())).collect();
        needs_machine(&argv)
    };
    let yes: [&[&str]; 9] = [
        &["eval", "return 1", "0"],
        &["EVALSHA", "x", "0"],
        &["EVAL_RO", "x", "0"],
        &["EVALSHA_RO", "x", "0"],
        &["FCALL", "f", "0"],
        &["FCALL_RO", "f", "0"],
        &["Script", "Load", "x"],
        &["FUNCTION", "LOAD", "x"],
        &["FUNCTION", "RESTORE", "x"],
    ];
    assert!(yes.iter().all(|words| needs(words)));
    let no: [&[&str]; 6] = [&["GET", "k"], &["SCRIPT", "KILL"], &["FUNCTION", "LIST"], &["EXEC"], &["SCRIPT"], &[]];
    assert!(!no.iter().any(|words| needs(words)));

    let mut stage = TestServer::new();
    let a = stage.connect();
    stage.send(a, &["MULTI"]);
    stage.send(a, &["GET", "k"]);
    assert!(!stage.server.needs_machine(a, &[Bytes::from_static(b"exec")]));
    stage.send(a, &["EVAL", "return 1", "0"]);
    assert!(stage.server.needs_machine(a, &[Bytes::from_static(b"exec")]));
}
