//! Programs of virtual clients: where they stop, the visible state there, and how they end.
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
use script::program::{
    Answer, Failed, Frame, History, MemoryCommand, Outline, Player, ProgramState, Reply, Request, State, Target,
    Thread, Unplayable,
};

/// A client that acquires a lock, works, and releases it.
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

/// Plays a program step by step; `reply` answers each request of thread 0.
fn story(text: &str, mut reply: impl FnMut(&Request) -> Reply) -> (Vec<(Request, u32)>, ProgramState) {
    let (mut player, mut history, mut requests) = (LuaPlayer::new(), History::default(), Vec::new());
    loop {
        let scene = player.play(&Bytes::from(text.to_owned()), &history).expect("it plays");
        let State::Requests(request) = &scene.threads[0].state else { return (requests, scene) };
        requests.push((request.clone(), scene.threads[0].frames.first().map_or(0, |frame| frame.line)));
        history = history.push(Answer { thread: 0, reply: reply(request) });
        assert!(history.len() < 1000, "it goes on and on");
    }
}

/// Answers like a server with a stock of 7.
fn usual(request: &Request) -> Reply {
    match request {
        Request::Call { argv, .. } if argv[0].as_ref() == b"GET" => Reply::Value(Value::bulk("7")),
        Request::Call { .. } => Reply::Value(Value::OK),
        Request::Uuid => Reply::Text(Bytes::from_static(b"token-1")),
        Request::Now | Request::Random { .. } => Reply::Integer(42),
        Request::WaitMessage { .. } => Reply::Value(Value::Null),
        _ => Reply::Nothing,
    }
}

fn play(text: &str, history: &[(Thread, Reply)]) -> Result<ProgramState, Unplayable> {
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
    Request::Call { to: None, argv: words.iter().map(|word| Bytes::from((*word).to_owned())).collect() }
}

#[test]
fn program_stops_at_each_request_with_its_line() {
    let (requests, scene) = story(LOCK, usual);
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
    assert_eq!(requests, expected);
    assert_eq!(scene.threads[0].state, State::Done);
}

#[test]
fn null_becomes_nil_and_a_status_becomes_a_string() {
    let (requests, _) = story(LOCK, |request| match request {
        Request::Call { .. } => Reply::Value(Value::Null),
        request => usual(request),
    });
    assert_eq!(requests.len(), 2, "who does not get the lock goes away");
    let (requests, _) = story("note(redis.call('PING'))", |request| match request {
        Request::Call { .. } => Reply::Value(Value::simple("PONG")),
        request => usual(request),
    });
    assert_eq!(requests[1].0, Request::Note { text: Bytes::from_static(b"PONG") });
}

#[test]
fn lost_reply_is_a_distinct_error() {
    let text = "local ok, why = pcall(redis.call, 'INCR', 'x')\nif why:match('timeout') then print('who knows') end";
    let (requests, _) = story(text, |request| match request {
        Request::Call { .. } => Reply::Value(Value::error("timeout: no reply within 1000 ms")),
        request => usual(request),
    });
    assert_eq!(requests[1].0, Request::Note { text: Bytes::from_static(b"who knows") });
}

#[test]
fn statuses_in_transaction_replies_are_strings_and_nulls_in_lists_are_false() {
    let replies =
        Value::Array(vec![Value::OK, Value::Null, Value::Integer(3), Value::Array(vec![Value::simple("PONG")])]);
    let (requests, _) = story("local r = redis.call('EXEC')\nprint(r, r[4][1], #r)", |request| match request {
        Request::Call { .. } => Reply::Value(replies.clone()),
        request => usual(request),
    });
    let text = Bytes::from_static(b"{\"OK\", false, 3, {...}}\tPONG\t4");
    assert_eq!(requests[1].0, Request::Note { text });
}

/// Frames as `name:line variable=value …`.
fn seen(frames: &[Frame]) -> Vec<String> {
    let text = |bytes: &Bytes| String::from_utf8_lossy(bytes).into_owned();
    let requests = frames.iter().map(|frame| {
        let locals: Vec<String> =
            frame.locals.iter().map(|local| format!("{}={}", text(&local.name), text(&local.shown))).collect();
        let name = frame.name.as_ref().map_or_else(String::new, text);
        format!("{name}:{} {}", frame.line, locals.join(" "))
    });
    requests.collect()
}

#[test]
fn upvalues_and_globals_are_shown_too() {
    let text = "local held, tries = {}, 0\nlocal function help() end\nfenced = 7\nfunction bump()\n  local x = 1\n  \
        held.lock, tries = x, tries + 1\n  help()\n  sleep(1)\nend\nspawn(bump)\nwork(2)";
    let scene = play(text, &[(0, Reply::Nothing), (1, Reply::Nothing)]).unwrap();
    // The thread's frame shows variables of the program's main chunk and globals, but no functions.
    assert_eq!(seen(&scene.threads[1].frames), [":8 x=1 held={lock = 1} tries=1 fenced=7"]);
    // The first thread shows their current values.
    assert_eq!(seen(&scene.threads[0].frames), [":11 held={lock = 1} tries=1 help=function fenced=7"]);
    // A variable that another frame of the thread shows is not shown twice.
    let scene = play(&text.replace("spawn(bump)", "bump()"), &[]).unwrap();
    let lines = ["bump:8 x=1 fenced=7", ":10 held={lock = 1} tries=1 help=function"];
    assert_eq!(seen(&scene.threads[0].frames), lines);
}

#[test]
fn local_variables_are_listed_from_the_innermost_function() {
    let text = "local list = {1, 'two', name = 'x'}\nlocal function take(key)\n  local tries = 3\n  sleep(10)\nend\ntake('lock:1')";
    let scene = play(text, &[]).unwrap();
    assert_eq!(
        seen(&scene.threads[0].frames),
        ["take:4 key=\"lock:1\" tries=3", ":6 list={1, \"two\", name = \"x\"} take=function"]
    );
}

#[test]
fn program_state_depends_only_on_text_and_history() {
    let text = Bytes::from_static(LOCK.as_bytes());
    let mut used = LuaPlayer::new();
    let mut history = History::default();
    loop {
        let scene = used.play(&text, &history).unwrap();
        assert_eq!(LuaPlayer::new().play(&text, &history).unwrap(), scene);
        // Play another program, and an earlier moment of this one, in between.
        used.play(&Bytes::from_static(b"x = 1 note(x) redis.call = nil"), &History::default()).unwrap();
        used.play(&text, &history.answers().into_iter().take(history.len() / 2).collect()).unwrap();
        assert_eq!(used.play(&text, &history).unwrap(), scene);
        let State::Requests(request) = &scene.threads[0].state else { break };
        history = history.push(Answer { thread: 0, reply: usual(request) });
    }
    let scene = used.play(&Bytes::from_static(b"note(rawget(_G, 'x'))"), &History::default()).unwrap();
    let nil = State::Requests(Request::Note { text: Bytes::from_static(b"nil") });
    assert_eq!(scene.threads[0].state, nil, "globals of one program are not another's");
}

#[test]
fn server_error_is_raised_with_its_line_and_can_be_caught() {
    let refuse = |request: &Request| match request {
        Request::Call { .. } => Reply::Value(Value::error("WRONGTYPE no such luck")),
        request => usual(request),
    };
    let (_, scene) = story("\n\nredis.call('INCR', 'x')", refuse);
    let failed = Failed::Error(Bytes::from_static(b"program:3: WRONGTYPE no such luck"));
    assert_eq!(scene.threads[0].state, State::Failed(failed));
    // A caught error is the server's message, which begins with the error code.
    for call in ["redis.call, 'INCR', 'x'", "function() return redis.call('INCR', 'x') end"] {
        let (requests, scene) = story(&format!("local ok, why = pcall({call})\nnote(tostring(ok) .. why)"), refuse);
        assert_eq!(requests[1].0, Request::Note { text: Bytes::from_static(b"falseWRONGTYPE no such luck") });
        assert_eq!(scene.threads[0].state, State::Done);
    }
    let (requests, _) = story("local r = redis.pcall('INCR', 'x') note(r.err)", refuse);
    assert_eq!(requests[1].0, Request::Note { text: Bytes::from_static(b"WRONGTYPE no such luck") });
}

#[test]
fn mistakes_are_reported_with_their_line() {
    assert_eq!(
        message("\nsleep(-1)"),
        "program:2: bad argument #1 to 'sleep' (a time in milliseconds expected, 0 or more)"
    );
    assert_eq!(message("random(5, 1)"), "program:1: bad argument #2 to 'random' (interval is empty)");
    assert_eq!(message("redis.call()"), "program:1: bad argument #1 to 'call' (string expected, got no value)");
    assert_eq!(
        message("local key\nredis.call('SET', key, 1)"),
        "program:2: bad argument #2 to 'call' (string or number expected, got nil)"
    );
    assert_eq!(
        message("table.sort({1, 2, 3}, function(a, b) sleep(1) return a < b end)"),
        "program:1: nothing can be asked for inside of table.sort, string.gsub and the like"
    );
    assert_eq!(
        message("\ncoroutine.yield(1)"),
        "program:2: attempt to yield from outside a coroutine: sleep(ms) waits"
    );
    assert_eq!(message("cancel(7)"), "program:1: bad argument #1 to 'cancel' (there is no such thread)");
    assert_eq!(
        message("coroutine.wrap(function() sleep(1) end)()"),
        "program:1: a coroutine of the program's own cannot wait for an answer: use spawn"
    );
    assert_eq!(message("\nerror({code = 1})"), "program:2: {code = 1}");
    assert_eq!(message("local t = {}\nt.name.first = 1"), "program:2: attempt to index field 'name' (a nil value)");
    let unplayable = play("local x =\n\nend", &[]).unwrap_err();
    let Unplayable::DoesNotCompile(why) = unplayable else { panic!("{unplayable:?}") };
    assert!(why.starts_with(b"program:3:"), "{why:?}");
}

#[test]
fn unknown_name_is_reported_with_advice() {
    let cases = [
        ("\nslep(1)", "program:2: there is no 'slep' here: did you mean 'sleep'?"),
        ("redis.cal('PING')", "program:1: there is no 'redis.cal': did you mean 'redis.call'?"),
        ("redis.get('x')", "program:1: there is no 'redis.get': a command is written redis.call('GET', ...)"),
        ("local token = 1\nnote(tocken)", "program:2: there is no 'tocken' here: did you mean 'token'?"),
        (
            "local limit = 1\nlocal function f()\n  return limit + limt\nend\nf()",
            "program:3: there is no 'limt' here: did you mean 'limit'?",
        ),
        ("function acquire() end\naquire()", "program:2: there is no 'aquire' here: did you mean 'acquire'?"),
        ("note(stock)", "program:1: there is no 'stock' here: nothing was assigned to that name"),
        ("os.time()", "program:1: there is no 'os' here: now() tells the time in ms, sleep(ms) waits"),
        ("io.write('x')", "program:1: there is no 'io' here: note(text) shows a text beside the program"),
        ("require('redis')", "program:1: there is no 'require' here: a program is this one text"),
        (
            "note(KEYS[1])",
            "program:1: there is no 'KEYS' here: a program is not a script: it passes its keys to redis.call itself",
        ),
        ("string.fromat('x')", "program:1: attempt to call field 'fromat' (a nil value)"),
        (
            "math.random()",
            "program:1: math.random is not here: random(from, to) asks the world, which plays it again the same",
        ),
        ("string.len = nil", "program:1: Attempt to modify a readonly table"),
        ("redis.call = nil", "program:1: Attempt to modify a readonly table"),
        ("setmetatable(_G, {})", "program:1: cannot change a protected metatable"),
    ];
    for (text, requests) in cases {
        assert_eq!(message(text), requests, "{text}");
    }
}

/// The notes of a program, in order.
fn notes(text: &str) -> Vec<String> {
    let (requests, scene) = story(text, usual);
    assert_eq!(scene.threads[0].state, State::Done, "{text}");
    let note = |request: Request| match request {
        Request::Note { text } => Some(String::from_utf8_lossy(&text).into_owned()),
        _ => None,
    };
    requests.into_iter().filter_map(|(request, _)| note(request)).collect()
}

#[test]
fn any_name_can_be_assigned_to() {
    assert_eq!(notes("function twice(x) return 2 * x end\nn = twice(4)\nprint(n)"), ["8"]);
    // An assigned name is known, even if its value is nil.
    assert_eq!(notes("found = nil\nprint(found)\nn = 1\nn = nil\nprint(n)\nn = 2\nprint(n)"), ["nil", "nil", "2"]);
}

#[test]
fn printed_values_are_noted_as_displayed() {
    assert_eq!(notes("print('a', 1, nil, true, {1, 'b', c = 2})"), ["a\t1\tnil\ttrue\t{1, \"b\", c = 2}"]);
    assert_eq!(notes("note(redis.call('GET', 'x'))\nnote()"), ["7", ""]);
    assert_eq!(notes("print(setmetatable({}, {__tostring = function() return 'me' end}))"), ["me"]);
    assert_eq!(notes("print(setmetatable({}, {}), print)"), ["{}\tfunction"]);
}

#[test]
fn lua_libraries_are_available() {
    let text = "print(string.format('%05.1f|%q', 3.14159, 'x'), ('x'):rep(3), tostring(12), tonumber('0x10'))\n\
        local t = {3, 1, 2}\ntable.sort(t)\ntable.insert(t, 4)\nprint(table.concat(t, ','), #t, unpack(t))\n\
        print(math.floor(7 / 2), math.max(1, 9), 7 % 3, 2 ^ 10)\n\
        for k, v in ipairs(t) do if v == 2 then print(k) end end\n\
        print(cjson.encode({a = 1}), cjson.decode('[1]')[1], select('#', 1, 2), type(os_time))\n";
    let text = text.replace("type(os_time)", "type(print)");
    assert_eq!(
        notes(&text),
        ["003.1|\"x\"\txxx\t12\t16", "1,2,3,4\t4\t1\t2\t3\t4", "3\t9\t1\t1024", "2", "{\"a\":1}\t1\t2\tfunction"]
    );
}

#[test]
fn programs_cannot_access_the_collector_or_coroutines_of_threads() {
    assert_eq!(
        message("setmetatable({}, {__mode = 'k'})"),
        "program:1: weak tables are not here: a program must not see the collector at work"
    );
    let text = "print(collectgarbage('count'), collectgarbage(), coroutine.running())\n\
        local co = coroutine.create(function() print(1) end)\nprint(coroutine.resume(co))";
    let refused = "program:2: a coroutine of the program's own cannot wait for an answer: use spawn";
    assert_eq!(notes(text), ["64\t0\tnil".to_owned(), format!("false\t{refused}")]);
}

#[test]
fn programs_cannot_observe_address_order() {
    let refused = "cannot go through a table with tables or functions as keys: their order would be another one each time \
                   (use numbers or strings as keys)";
    for way in [
        "for k in pairs(t) do note(k) end",
        "note(next(t))",
        "for k in next, t do note(k) end",
        "table.foreach(t, print)",
        "note(cmsgpack.pack(t))",
    ] {
        for keys in ["t[{}] = 1\nt[{}] = 2", "t.a = 1\nt[print] = 2", "t[1] = 1\nt[coroutine.create(print)] = 2"] {
            // `coroutine.create` requires a Lua function.
            let keys = keys.replace("create(print)", "create(function() end)");
            assert_eq!(
                message(&format!("local t = {{}}\n{keys}\n{way}")),
                format!("program:4: {refused}"),
                "{keys} {way}"
            );
        }
    }
    // Tables without a reproducible order, and entries added during the iteration.
    assert_eq!(notes("local t = {[{}] = 1}\nfor _, v in pairs(t) do print(v) end\nprint(next({}))"), ["1", "nil"]);
    let grown = message("local t = {1, 2, 3}\nfor k in pairs(t) do\n  if k == 1 then t[{}] = 1 end\nend");
    assert_eq!(grown, format!("program:2: {refused}"));
    assert_eq!(
        notes("local t = {b = 1, 2, [true] = 3}\nlocal n = 0\nfor k in pairs(t) do n = n + 1 end\nprint(n)"),
        ["3"]
    );
}

#[test]
fn endless_program_is_stopped_and_its_line_reported() {
    let (failed, lines) = failure("local n = 0\nwhile true do\n  n = n + 1\nend");
    assert_eq!(failed, Failed::Endless);
    assert!(matches!(lines[..], [2 | 3]), "{lines:?}");
    // Inside a pcall the position is lost: the error reports a later position of the program, or its last request.
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
fn threads_stop_on_lines_of_the_outline() {
    let long = "local r = redis.call(\n  'SET',\n  'x',\n  1\n)\nif redis.pcall('GET',\n  'x') then sleep(1)\n  work(\n    2)\nend\n\
        print(1, pcall(redis.call, 'GET',\n  'x'))\nlocal t = {\n  redis.call('GET', 'x'),\n  redis.call('GET', 'x')}\n\
        subscribe\n'freed' wait_message(5)\nlocal redis_call = redis.call";
    for text in [LOCK, long] {
        let outline = Outline::of(text.as_bytes());
        let (requests, scene) = story(text, usual);
        assert_eq!(scene.threads[0].state, State::Done);
        let mut lines: Vec<u32> =
            requests.into_iter().filter(|(request, _)| stands(request)).map(|(_, line)| line).collect();
        lines.sort_unstable();
        lines.dedup();
        let unused = outline.stands.last().filter(|_| text == long).copied();
        assert_eq!(lines.into_iter().chain(unused).collect::<Vec<_>>(), outline.stands, "{text}");
    }
    assert_eq!(Outline::of(LOCK.as_bytes()).sections, ["checkout"]);
}

/// Whether the request blocks the thread until it is answered.
fn stands(request: &Request) -> bool {
    matches!(
        request,
        Request::Call { .. }
            | Request::Sleep { .. }
            | Request::Work { .. }
            | Request::Subscribe { .. }
            | Request::WaitMessage { .. }
    )
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
    let (requests, _) = story(text, usual);
    assert_eq!(requests[1].0, Request::WaitMessage { ms: Some(500) });
    assert_eq!(requests[2].0, Request::Note { text: Bytes::from_static(b"nil/nil") });
    let (requests, _) = story(text, |request| match request {
        Request::WaitMessage { .. } => Reply::Value(Value::Array(vec![Value::bulk("freed"), Value::bulk("1")])),
        request => usual(request),
    });
    assert_eq!(requests[2].0, Request::Note { text: Bytes::from_static(b"freed/1") });
}

#[test]
fn a_tally_counts_whole_numbers() {
    let (requests, _) = story("tally('sold') tally('sold', 3) tally('sold', -2)", usual);
    let sold = |n| Request::Tally { name: Bytes::from_static(b"sold"), n };
    assert_eq!(requests, [(sold(1), 1), (sold(3), 1), (sold(-2), 1)]);
    assert_eq!(message("tally('sold', 0.5)"), "program:1: bad argument #2 to 'tally' (a whole number expected)");
    assert_eq!(message("tally('sold', 1e300)"), "program:1: bad argument #2 to 'tally' (a whole number expected)");
    assert_eq!(message("tally()"), "program:1: bad argument #1 to 'tally' (string expected, got no value)");
}

#[test]
fn every_repeats_until_the_function_returns_false() {
    let text = "local n = 0\nevery(100, function()\n  n = n + 1\n  redis.call('LPUSH', 'q', n)\n  if n == 2 then return false end\nend)\nnote('over')";
    let (requests, scene) = story(text, usual);
    let push = |n: &str| Request::Call {
        to: None,
        argv: ["LPUSH", "q", n].map(|word| Bytes::copy_from_slice(word.as_bytes())).to_vec(),
    };
    let expected = [
        (push("1"), 4),
        (Request::Sleep { ms: 100 }, 2),
        (push("2"), 4),
        (Request::Note { text: Bytes::from_static(b"over") }, 7),
    ];
    assert_eq!(requests, expected);
    assert_eq!(scene.threads[0].state, State::Done);
    // A program may define a function with this name, with its own errors.
    assert_eq!(notes("function every(n) return n end note(every(7))"), ["7"]);
    assert_eq!(message("every(100)"), "program:1: bad argument #2 to 'every' (function expected)");
    for ms in ["'x'", "-1", "0/0", "1e300"] {
        let requests = message(&format!("every({ms}, function() end)"));
        assert_eq!(requests, "program:1: bad argument #1 to 'every' (a time in milliseconds expected, 0 or more)");
    }
    assert_eq!(message("every(1, function() error('no') end)"), "program:1: no");
}

#[test]
fn message_ids_are_strings_or_numbers() {
    let (requests, _) = story("produced('7-0') produced(7, 'book') processed(7)", usual);
    let id = |text: &'static str| Bytes::from_static(text.as_bytes());
    let expected = [
        (Request::Produced { id: id("7-0"), key: None }, 1),
        (Request::Produced { id: id("7"), key: Some(id("book")) }, 1),
        (Request::Processed { id: id("7") }, 1),
    ];
    assert_eq!(requests, expected);
    assert_eq!(
        message("produced()"),
        "program:1: bad argument #1 to 'produced' (string or number expected, got no value)"
    );
    assert_eq!(
        message("processed({})"),
        "program:1: bad argument #1 to 'processed' (string or number expected, got table)"
    );
}

#[test]
fn handler_answers_with_a_string_a_number_or_nil() {
    let (requests, _) = story("answer('x') answer(7) answer() answer(nil)", usual);
    let answers = [Some("x"), Some("7"), None, None].map(|value| value.map(|text| Bytes::from_static(text.as_bytes())));
    assert_eq!(requests, answers.map(|value| (Request::Answer { value }, 1)));
    assert_eq!(message("answer({})"), "program:1: bad argument #1 to 'answer' (string or number expected, got table)");
    // Only the frame can send a handler's answer.
    assert!(message("answer(1)\n---- frame ----\n").contains("only the frame below calls it"));
}

#[test]
fn handler_uses_the_memory_of_its_machine() {
    let text = "local cache = memory('items', { most = 10 })\n\
        note(cache:get('a')) note(cache:set('a', 1, 500)) note(cache:add('a', 'x')) note(cache:incr('n', -2))\n\
        note(cache:delete('a')) note(cache:wait('a', 0)) note(memory('bits'):setbits({ 0, 7 })) note(memory('bits'):hasbits({ 9 })) note(cache:clear())";
    let replies = |request: &Request| match request {
        Request::Memory { command, .. } => Reply::Value(match command {
            MemoryCommand::Get { .. } => Value::Null,
            MemoryCommand::Set { .. } | MemoryCommand::SetBits { .. } | MemoryCommand::Clear => {
                Value::Simple(Bytes::from_static(b"OK"))
            }
            MemoryCommand::Incr { n, .. } => Value::Integer(*n),
            MemoryCommand::Add { .. } | MemoryCommand::HasBits { .. } => Value::Integer(0),
            MemoryCommand::Delete { .. } | MemoryCommand::Wait { .. } => Value::Integer(1),
        }),
        other => usual(other),
    };
    let (requests, _) = story(text, replies);
    let key = || Bytes::from_static(b"a");
    let asked: Vec<&Request> =
        requests.iter().map(|(request, _)| request).filter(|r| matches!(r, Request::Memory { .. })).collect();
    let items = |command| Request::Memory { region: Bytes::from_static(b"items"), most: Some(10), command };
    let bits = |command| Request::Memory { region: Bytes::from_static(b"bits"), most: None, command };
    let expected = [
        items(MemoryCommand::Get { key: key() }),
        items(MemoryCommand::Set { key: key(), value: Bytes::from_static(b"1"), ttl_ms: Some(500) }),
        items(MemoryCommand::Add { key: key(), value: Bytes::from_static(b"x"), ttl_ms: None }),
        items(MemoryCommand::Incr { key: Bytes::from_static(b"n"), n: -2 }),
        items(MemoryCommand::Delete { key: key() }),
        items(MemoryCommand::Wait { key: key(), timeout_ms: Some(0) }),
        bits(MemoryCommand::SetBits { places: vec![0, 7] }),
        bits(MemoryCommand::HasBits { places: vec![9] }),
        items(MemoryCommand::Clear),
    ];
    assert_eq!(asked, expected.iter().collect::<Vec<_>>());
    let notes: Vec<String> = requests
        .iter()
        .filter_map(|(request, _)| match request {
            Request::Note { text } => Some(String::from_utf8_lossy(text).into_owned()),
            _ => None,
        })
        .collect();
    assert_eq!(notes, ["nil", "", "false", "-2", "true", "true", "", "false", ""]);
}

#[test]
fn invalid_memory_commands_are_reported_with_their_line() {
    for (text, expected) in [
        ("memory()", "bad argument #1 to 'memory' (a name expected)"),
        ("memory('x', 5)", "bad argument #2 to 'memory' (a table expected, like { most = 1000 })"),
        ("memory('x', { ttl = 5 })", "memory has no option 'ttl', only 'most'"),
        ("memory('x', { most = 0.5 })", "'most' of a memory is a whole number from 1 to 1000000"),
        ("memory('x').get('k')", "a method of a memory is called with a colon, as in cache:get(key)"),
        (
            "memory('x'):put('k')",
            "a memory has no 'put', only get, set, add, incr, delete, clear, wait, setbits and hasbits",
        ),
        ("memory('x'):get()", "bad argument #1 to 'get' (string or number expected, got no value)"),
        ("memory('x'):set('k', nil)", "bad argument #2 to 'set' (string or number expected, got nil)"),
        ("memory('x'):set('k', 1, 0)", "bad argument #3 to 'set' (a time in milliseconds expected, 1 or more)"),
        ("memory('x'):incr('k', 1.5)", "bad argument #2 to 'incr' (a whole number expected)"),
        ("memory('x'):wait('k', -1)", "bad argument #2 to 'wait' (a time in milliseconds expected, 0 or more)"),
        ("memory('x'):setbits(7)", "bad argument #1 to 'setbits' (table expected, got number)"),
        (
            "memory('x'):setbits({ 1, 2^27 })",
            "bad argument #1 to 'setbits' (whole numbers from 0 to 134217727 expected)",
        ),
        ("memory('x'):hasbits({ 'a' })", "bad argument #1 to 'hasbits' (whole numbers from 0 to 134217727 expected)"),
        (
            "local t = {} for n = 1, 10001 do t[n] = n end memory('x'):hasbits(t)",
            "bad argument #1 to 'hasbits' (a list of at most 10000 places expected)",
        ),
        ("hash({})", "bad argument #1 to 'hash' (string or number expected, got table)"),
        ("hash('x', 2^32)", "bad argument #2 to 'hash' (a whole number from 0 to 4294967295 expected)"),
        ("getmetatable(memory('x')).__index = 1", "attempt to index a boolean value"),
    ] {
        assert_eq!(message(text), format!("program:1: {expected}"), "{text}");
    }
    assert_eq!(notes("note(hash('test'), hash('test', 1), hash(12) == hash('12'))"), ["3127628307\t2579507938\ttrue"]);
}

#[test]
fn unfitting_history_is_rejected() {
    assert_eq!(play(LOCK, &[(0, Reply::Nothing)]), Err(Unplayable::Diverged { at: 0 }), "a uuid is a text");
    assert_eq!(play(LOCK, &[(3, Reply::Nothing)]), Err(Unplayable::Diverged { at: 0 }), "there is no thread 3");
    assert_eq!(play("", &[(0, Reply::Nothing)]), Err(Unplayable::Diverged { at: 0 }), "it has ended");
}

#[test]
fn program_may_use_its_own_coroutines_and_long_strings() {
    let text = "local sum, step = 0, coroutine.wrap(function() for i = 1, 100 do coroutine.yield(i) end end)\n\
        for _ = 1, 100 do sum = sum + step() end\n\
        print(sum, #('x'):rep(600000))";
    assert_eq!(notes(text), ["5050\t600000"]);
}

/// Answers for the third client, which has two arguments.
fn as_the_third(request: &Request) -> Reply {
    match request {
        Request::Who { number, args } => {
            let number = if *number { Value::Integer(3) } else { Value::Null };
            let args = ["30", "fast"].into_iter().filter(|_| *args).map(Value::bulk);
            Reply::Value(Value::Array(std::iter::once(number).chain(args).collect()))
        }
        other => usual(other),
    }
}

/// The notes of that client's program.
fn noted_by_the_third(text: &str) -> Vec<String> {
    let note = |(request, _): (Request, u32)| match request {
        Request::Note { text } => Some(String::from_utf8_lossy(&text).into_owned()),
        _ => None,
    };
    story(text, as_the_third).0.into_iter().filter_map(note).collect()
}

#[test]
fn program_reads_its_client_id_and_arguments() {
    for (text, noted) in [
        ("note(client.id + 1)", "4"),
        ("note(#args, args[1] * 2, args[2], args[3])", "2\t60\tfast\tnil"),
        ("note(table.concat(args, client.id))", "303fast"),
        ("local function f() return client.id end note(select(2, pcall(f)))", "3"),
        ("for n, word in ipairs(args) do if n == 2 then note(word) end end", "fast"),
        ("note(_G.client.id .. _G.args[1])", "330"),
        ("note(client.id, loadstring('return client.id')())", "3\t3"),
        ("local co = coroutine.wrap(function() return client.id end) note(co())", "3"),
        ("args = nil note(args)", "nil"),
        ("note(type(client), type(args))", "table\ttable"),
        // Each part has its own copies.
        (
            "function f() args[1] = 'x' client = nil return client end\n---- frame ----\nf() note(args[1] .. client.id)",
            "303",
        ),
        ("function f() return client.id .. args[2] end\n---- frame ----\nnote(f())", "3fast"),
    ] {
        assert_eq!(noted_by_the_third(text), [noted], "{text}");
    }
}

#[test]
fn program_without_these_names_makes_no_request() {
    assert_eq!(story("note('client and args')", as_the_third).0.len(), 1);
    let (requests, scene) = story("note(#args)\nerror('on purpose')", as_the_third);
    assert_eq!(requests[0].0, Request::Who { number: false, args: true });
    // The program cannot see how the names are set.
    assert_eq!(
        scene.threads[0].frames.iter().map(|frame| (frame.name.clone(), frame.line)).collect::<Vec<_>>(),
        [(None, 2)]
    );
    let wrong = [Reply::Nothing, Reply::Integer(3), Reply::Value(Value::Null)];
    for reply in wrong {
        assert_eq!(play("note(client.id)", &[(0, reply)]), Err(Unplayable::Diverged { at: 0 }));
    }
}

#[test]
fn similar_names_are_not_confused() {
    let broken = |text: &str| {
        let (_, scene) = story(text, as_the_third);
        match &scene.threads[0].state {
            State::Failed(Failed::Error(why)) => String::from_utf8_lossy(why).into_owned(),
            other => panic!("{text}: {other:?}"),
        }
    };
    assert_eq!(broken("note(clinet.id)"), "program:1: there is no 'clinet' here: did you mean 'client'?");
    assert_eq!(broken("note(arg[1])"), "program:1: there is no 'arg' here: did you mean 'args'?");
    assert_eq!(broken("note(client.name)"), "program:1: there is no 'client.name': client.id is the client's number");
    let by_name = "program:1: there is no 'client' here: only a program whose own text has this name is told";
    assert_eq!(broken("note(_G['client'])"), by_name);
    assert_eq!(
        broken("note(ARGV[1])"),
        "program:1: there is no 'ARGV' here: a program is not a script: its arguments are in args"
    );
}

/// Answers like a world with the nodes r1 and r2.
fn two_nodes(request: &Request) -> Reply {
    match request {
        Request::Connect { node } => Reply::Value(match node.as_ref() {
            b"r1" => Value::Integer(0),
            b"r2" => Value::Integer(1),
            _ => Value::error("no node is called so"),
        }),
        Request::Call { argv, .. } if argv[0].as_ref() == b"FAIL" => Reply::Value(Value::error("ERR no")),
        request => usual(request),
    }
}

fn to(node: u32, timeout_ms: Option<u64>, words: &[&str]) -> Request {
    let Request::Call { argv, .. } = argv(words) else { panic!("a command") };
    Request::Call { to: Some(Target { node, timeout_ms }), argv }
}

#[test]
fn connection_sends_commands_to_its_node() {
    let text = "local r2 = connect('r2', { timeout = 50 })\nlocal others = { connect('r1') }\nlocal ok = r2.call('SET', 'k', 1)\n\
                others[1].pcall('GET', 'k')\nredis.call('PING')\nnote(ok)\nlocal call = r2.call\ncall('GET', 'k')";
    let (requests, scene) = story(text, two_nodes);
    let connect = |name: &'static str| Request::Connect { node: Bytes::from_static(name.as_bytes()) };
    let expected = [
        (connect("r2"), 1),
        (connect("r1"), 2),
        (to(1, Some(50), &["SET", "k", "1"]), 3),
        (to(0, None, &["GET", "k"]), 4),
        (argv(&["PING"]), 5),
        (Request::Note { text: Bytes::from_static(b"OK") }, 6),
        (to(1, Some(50), &["GET", "k"]), 8),
    ];
    assert_eq!(requests, expected);
    assert_eq!(scene.threads[0].state, State::Done);
    // As in `redis.call` and `redis.pcall`, an error is raised or returned.
    let (requests, _) =
        story("local r = connect('r2')\nnote(r.pcall('FAIL').err)\nnote(select(2, pcall(r.call, 'FAIL')))", two_nodes);
    let notes: Vec<_> = requests.iter().filter(|(request, _)| matches!(request, Request::Note { .. })).collect();
    assert_eq!(notes.len(), 2);
    assert!(notes.iter().all(|(request, _)| *request == Request::Note { text: Bytes::from_static(b"ERR no") }));
}

#[test]
fn query_returns_rows_by_column_name_or_counts_and_errors_with_code() {
    let bulk = |text: &'static str| Value::Bulk(Bytes::from_static(text.as_bytes()));
    let database = move |request: &Request| match request {
        Request::Call { argv, .. } => Reply::Value(match argv[0].as_ref() {
            b"SELECT" => Value::Array(vec![
                Value::Array(vec![bulk("id"), Value::Integer(1), bulk("v"), Value::Integer(2)]),
                Value::Array(vec![Value::Integer(7), Value::Null]),
                Value::Array(vec![Value::Integer(8), bulk("x")]),
            ]),
            b"NONE" => Value::Array(vec![Value::Array(vec![bulk("id"), Value::Integer(1)])]),
            b"INSERT" => Value::Array(vec![bulk("affected"), Value::Integer(2), Value::Integer(5), Value::Integer(0)]),
            _ => Value::error("1062 (23000): Duplicate entry"),
        }),
        request => two_nodes(request),
    };
    let notes = |text: &str| -> Vec<String> {
        let (requests, scene) = story(text, database);
        assert_eq!(scene.threads[0].state, State::Done, "{text}");
        let note = |(request, _): &(Request, u32)| match request {
            Request::Note { text } => Some(String::from_utf8_lossy(text).into_owned()),
            _ => None,
        };
        requests.iter().filter_map(note).collect()
    };
    let db = "local db = connect('r2')\n";
    assert_eq!(
        notes(&format!(
            "{db}local rows = db.query('SELECT') note(#rows, rows[1].id, rows[1].v, rows[2].id, rows[2].v)"
        )),
        ["2\t7\tnil\t8\tx"]
    );
    assert_eq!(notes(&format!("{db}note(#db.query('NONE'))")), ["0"]);
    assert_eq!(
        notes(&format!("{db}local done = db.pquery('INSERT', 1) note(done.affected, done.insert_id, done.err)")),
        ["2\t5\tnil"]
    );
    assert_eq!(
        notes(&format!(
            "{db}local failed = db.pquery('FAIL') note(failed.code + 0, failed.err) note(select(2, pcall(db.query, 'FAIL')))"
        )),
        ["1062\t1062 (23000): Duplicate entry", "1062 (23000): Duplicate entry"]
    );
}

#[test]
fn mistakes_with_connections_are_reported_with_their_line() {
    let message = |text: &str| {
        let (_, scene) = story(text, two_nodes);
        let State::Failed(Failed::Error(message)) = scene.threads[0].state.clone() else { panic!("{scene:?}") };
        String::from_utf8_lossy(&message).into_owned()
    };
    for (text, requests) in [
        ("connect()", "program:1: bad argument #1 to 'connect' (the name of a node expected)"),
        ("\nconnect(2)", "program:2: bad argument #1 to 'connect' (the name of a node expected)"),
        ("connect('r9')", "program:1: no node is called so"),
        ("connect('r1', 50)", "program:1: bad argument #2 to 'connect' (a table expected, like { timeout = 50 })"),
        ("connect('r1', { timeuot = 50 })", "program:1: connect has no option 'timeuot', only 'timeout'"),
        ("connect('r1', { timeout = 0 })", "program:1: the timeout of connect is a time in milliseconds, 1 or more"),
        ("connect('r1', { timeout = '5' })", "program:1: the timeout of connect is a time in milliseconds, 1 or more"),
        ("connect('r1', { timeout = 0/0 })", "program:1: the timeout of connect is a time in milliseconds, 1 or more"),
    ] {
        assert_eq!(message(text), requests, "{text}");
    }
    assert!(message("connect('r1').call()").ends_with("(string expected, got no value)"));
    assert!(message("connect('r1').call('GET', {})").contains("string or number expected"));
    // Functions that replace library names for themselves do not affect connections.
    let (requests, _) = story("error = nil type = nil next = nil connect('r2').call('PING')", two_nodes);
    assert_eq!(requests.last().unwrap().0, to(1, None, &["PING"]));
}
