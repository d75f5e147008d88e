//! Programs of virtual clients: where they stop, what is seen of them there, and how they end.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
use bytes::Bytes;
use lua_machine::LuaPlayer;
use resp::Value;
use script::program::{Answer, Failed, History, Player, Reply, Request, Scene, State, Thread, Unplayable};

/// A client that takes a lock, works, and gives it back.
const LOCK: &str = r#"
local token = uuid()
if redis.call('SET', 'lock', token, 'NX', 'PX', 3000) then
  enter('checkout')
  local left = tonumber(redis.call('GET', 'stock'))
  work(5000)
  redis.call('SET', 'stock', left - 1)
  leave('checkout')
  redis.call('DEL', 'lock')
end
"#;

/// Plays a program answer by answer, with what `reply` says to each request of thread 0.
fn story(text: &str, mut reply: impl FnMut(&Request) -> Reply) -> (Vec<(Request, u32)>, Scene) {
    let (mut player, mut history, mut told) = (LuaPlayer::new(), History::default(), Vec::new());
    loop {
        let scene = player.play(&Bytes::from(text.to_owned()), &history).expect("it plays");
        let State::Requests(request) = &scene.threads[0].state else { return (told, scene) };
        told.push((request.clone(), scene.threads[0].frames[0].line));
        history = history.push(Answer { thread: 0, reply: reply(request) });
        assert!(history.len() < 1000, "it goes on and on");
    }
}

/// As a server with a stock of 7 would.
fn usual(request: &Request) -> Reply {
    match request {
        Request::Call { argv } if argv[0].as_ref() == b"GET" => Reply::Value(Value::bulk("7")),
        Request::Call { .. } => Reply::Value(Value::OK),
        Request::Uuid => Reply::Text(Bytes::from_static(b"token-1")),
        Request::Now | Request::Random { .. } => Reply::Integer(42),
        Request::WaitMessage { .. } => Reply::Value(Value::Null),
        _ => Reply::Nothing,
    }
}

fn play(text: &str, history: &[(Thread, Reply)]) -> Result<Scene, Unplayable> {
    let history: History =
        history.iter().map(|(thread, reply)| Answer { thread: *thread, reply: reply.clone() }).collect();
    LuaPlayer::new().play(&Bytes::from(text.to_owned()), &history)
}

fn failure(text: &str) -> (Failed, Vec<u32>) {
    let (_, scene) = story(text, usual);
    let State::Failed(failed) = scene.threads[0].state.clone() else { panic!("{:?}", scene.threads[0]) };
    (failed, scene.threads[0].frames.iter().map(|frame| frame.line).collect())
}

fn message(text: &str) -> String {
    match failure(text).0 {
        Failed::Error(message) => String::from_utf8_lossy(&message).into_owned(),
        other => panic!("{other:?}"),
    }
}

fn argv(words: &[&str]) -> Request {
    Request::Call { argv: words.iter().map(|word| Bytes::from((*word).to_owned())).collect() }
}

#[test]
fn a_program_stops_at_each_request_with_its_line() {
    let (told, scene) = story(LOCK, usual);
    let section = Bytes::from_static(b"checkout");
    let expected = [
        (Request::Uuid, 2),
        (argv(&["SET", "lock", "token-1", "NX", "PX", "3000"]), 3),
        (Request::Enter { section: section.clone() }, 4),
        (argv(&["GET", "stock"]), 5),
        (Request::Work { ms: 5000 }, 6),
        (argv(&["SET", "stock", "6"]), 7),
        (Request::Leave { section }, 8),
        (argv(&["DEL", "lock"]), 9),
    ];
    assert_eq!(told, expected);
    assert_eq!(scene.threads[0].state, State::Done);
}

#[test]
fn nothing_is_nil_and_a_status_is_a_text() {
    let (told, _) = story(LOCK, |request| match request {
        Request::Call { .. } => Reply::Value(Value::Null),
        request => usual(request),
    });
    assert_eq!(told.len(), 2, "who does not get the lock goes away");
    let (told, _) = story("note(redis.call('PING'))", |request| match request {
        Request::Call { .. } => Reply::Value(Value::simple("PONG")),
        request => usual(request),
    });
    assert_eq!(told[1].0, Request::Note { text: Bytes::from_static(b"PONG") });
}

#[test]
fn local_variables_are_seen_innermost_function_first() {
    let text = "local list = {1, 'two', name = 'x'}\nlocal function take(key)\n  local tries = 3\n  sleep(10)\nend\ntake('lock:1')";
    let scene = play(text, &[]).unwrap();
    let text = |bytes: &Bytes| String::from_utf8_lossy(bytes).into_owned();
    let told = scene.threads[0].frames.iter().map(|frame| {
        let locals: Vec<String> =
            frame.locals.iter().map(|local| format!("{}={}", text(&local.name), text(&local.shown))).collect();
        let name = frame.name.as_ref().map_or_else(String::new, text);
        format!("{name}:{} {}", frame.line, locals.join(" "))
    });
    assert_eq!(
        told.collect::<Vec<_>>(),
        ["take:4 key=\"lock:1\" tries=3", ":6 list={1, \"two\", name = \"x\"} take=function"]
    );
}

#[test]
fn a_scene_follows_from_text_and_history_whatever_was_played_before() {
    let text = Bytes::from_static(LOCK.as_bytes());
    let mut used = LuaPlayer::new();
    let mut history = History::default();
    loop {
        let scene = used.play(&text, &history).unwrap();
        assert_eq!(LuaPlayer::new().play(&text, &history).unwrap(), scene);
        // Another program, and an earlier moment of this one, in between.
        used.play(&Bytes::from_static(b"x = (x or 0) + 1 note(x) string.len = nil"), &History::default()).unwrap();
        used.play(&text, &history.answers().into_iter().take(history.len() / 2).collect()).unwrap();
        assert_eq!(used.play(&text, &history).unwrap(), scene);
        let State::Requests(request) = &scene.threads[0].state else { break };
        history = history.push(Answer { thread: 0, reply: usual(request) });
    }
    let scene = used.play(&Bytes::from_static(b"note(tostring(x))"), &History::default()).unwrap();
    let nil = State::Requests(Request::Note { text: Bytes::from_static(b"nil") });
    assert_eq!(scene.threads[0].state, nil, "globals of one program are not another's");
}

#[test]
fn an_error_of_the_server_is_raised_with_its_line_and_can_be_caught() {
    let refuse = |request: &Request| match request {
        Request::Call { .. } => Reply::Value(Value::error("WRONGTYPE no such luck")),
        request => usual(request),
    };
    let (_, scene) = story("\n\nredis.call('INCR', 'x')", refuse);
    let failed = Failed::Error(Bytes::from_static(b"program:3: WRONGTYPE no such luck"));
    assert_eq!(scene.threads[0].state, State::Failed(failed));
    let (told, scene) = story("local ok, why = pcall(redis.call, 'INCR', 'x')\nnote(tostring(ok) .. why)", refuse);
    assert_eq!(told[1].0, Request::Note { text: Bytes::from_static(b"falseWRONGTYPE no such luck") });
    assert_eq!(scene.threads[0].state, State::Done);
    let (told, _) = story("local r = redis.pcall('INCR', 'x') note(r.err)", refuse);
    assert_eq!(told[1].0, Request::Note { text: Bytes::from_static(b"WRONGTYPE no such luck") });
}

#[test]
fn mistakes_are_told_with_their_line() {
    assert_eq!(
        message("\nsleep(-1)"),
        "program:2: bad argument #1 to 'sleep' (a time in milliseconds expected, 0 or more)"
    );
    assert_eq!(message("\nslep(1)"), "program:2: attempt to call global 'slep' (a nil value)");
    assert_eq!(message("random(5, 1)"), "program:1: bad argument #2 to 'random' (interval is empty)");
    assert_eq!(message("redis.call()"), "program:1: Please specify at least one argument for this redis lib call");
    assert_eq!(message("cancel(7)"), "program:1: bad argument #1 to 'cancel' (there is no such thread)");
    assert_eq!(
        message("coroutine.wrap(function() sleep(1) end)()"),
        "program:1: a coroutine of the program's own cannot wait for an answer: use spawn"
    );
    assert_eq!(message("error({code = 1})"), "{code = 1}");
    let unplayable = play("local x =\n\nend", &[]).unwrap_err();
    let Unplayable::DoesNotCompile(why) = unplayable else { panic!("{unplayable:?}") };
    assert!(why.starts_with(b"program:3:"), "{why:?}");
}

#[test]
fn what_never_ends_is_stopped_and_its_line_told() {
    let (failed, lines) = failure("local n = 0\nwhile true do\n  n = n + 1\nend");
    assert_eq!(failed, Failed::Endless);
    assert!(matches!(lines[..], [2 | 3]), "{lines:?}");
    // Inside of a pcall the place is lost: what is told is where the program came to afterwards, or its last request.
    let spin = "local x\nnote('x')\nlocal function spin()\n  while true do end\nend\npcall(spin)";
    assert_eq!(failure(spin), (Failed::Endless, vec![2]));
    assert_eq!(failure(&format!("{spin}\nnote('on')")), (Failed::Endless, vec![7]));
    assert_eq!(failure("\n\nwhile true do pcall(error) end"), (Failed::Endless, vec![3]));
    let (failed, _) = failure("local s = 'x' while true do s = s .. s end");
    assert_eq!(failed, Failed::OutOfMemory);
    let (failed, _) = failure("local function f() return 1 + f() end f()");
    assert!(matches!(failed, Failed::Error(_)), "{failed:?}");
}

#[test]
fn threads_share_variables_and_one_can_cancel_another() {
    // A watchdog that renews until the work is done.
    let text = r#"
local renewed = 0
local dog = spawn(function()
  while true do
    sleep(1000)
    redis.call('PEXPIRE', 'lock', 3000)
    renewed = renewed + 1
  end
end)
work(2500)
cancel(dog)
note('renewed ' .. renewed)
"#;
    let begin = [(0, Reply::Nothing)];
    let scene = play(text, &begin).unwrap();
    assert_eq!(scene.threads[0].state, State::Requests(Request::Work { ms: 2500 }));
    assert_eq!(scene.threads[1].state, State::Requests(Request::Begin));
    let one = (1, Reply::Value(Value::Integer(1)));
    let renew = [(1, Reply::Nothing), one];
    let history = [&begin[..], &[(1, Reply::Nothing)], &renew, &renew].concat();
    let scene = play(text, &history).unwrap();
    assert_eq!(scene.threads[1].state, State::Requests(Request::Sleep { ms: 1000 }));
    assert_eq!(scene.threads[1].frames[0].line, 5);
    let history = [&history[..], &[(0, Reply::Nothing), (0, Reply::Nothing)]].concat();
    let scene = play(text, &history).unwrap();
    assert_eq!(scene.threads[1].state, State::Cancelled);
    let note = Request::Note { text: Bytes::from_static(b"renewed 2") };
    assert_eq!(scene.threads[0].state, State::Requests(note));
    let after = [&history[..], &[(1, Reply::Nothing)]].concat();
    assert_eq!(play(text, &after), Err(Unplayable::Diverged { at: history.len() }), "it is not there any more");
}

#[test]
fn a_message_is_channel_and_text_or_nil() {
    let text =
        "subscribe('freed')\nlocal channel, text = wait_message(500)\nnote(tostring(channel) .. '/' .. tostring(text))";
    let (told, _) = story(text, usual);
    assert_eq!(told[1].0, Request::WaitMessage { ms: Some(500) });
    assert_eq!(told[2].0, Request::Note { text: Bytes::from_static(b"nil/nil") });
    let (told, _) = story(text, |request| match request {
        Request::WaitMessage { .. } => Reply::Value(Value::Array(vec![Value::bulk("freed"), Value::bulk("1")])),
        request => usual(request),
    });
    assert_eq!(told[2].0, Request::Note { text: Bytes::from_static(b"freed/1") });
}

#[test]
fn a_tally_counts_whole_numbers() {
    let (told, _) = story("tally('sold') tally('sold', 3) tally('sold', -2)", usual);
    let sold = |n| Request::Tally { name: Bytes::from_static(b"sold"), n };
    assert_eq!(told, [(sold(1), 1), (sold(3), 1), (sold(-2), 1)]);
    assert_eq!(message("tally('sold', 0.5)"), "program:1: bad argument #2 to 'tally' (a whole number expected)");
    assert_eq!(message("tally('sold', 1e300)"), "program:1: bad argument #2 to 'tally' (a whole number expected)");
    assert_eq!(message("tally()"), "program:1: bad argument #1 to 'tally' (string expected, got no value)");
}

#[test]
fn a_history_that_does_not_fit_is_refused() {
    assert_eq!(play(LOCK, &[(0, Reply::Nothing)]), Err(Unplayable::Diverged { at: 0 }), "a uuid is a text");
    assert_eq!(play(LOCK, &[(3, Reply::Nothing)]), Err(Unplayable::Diverged { at: 0 }), "there is no thread 3");
    assert_eq!(play("", &[(0, Reply::Nothing)]), Err(Unplayable::Diverged { at: 0 }), "it has ended");
}
