//! Programs in two parts: the functions above a frame cannot change the frame's behaviour.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
use bytes::Bytes;
use lua_machine::LuaPlayer;
use resp::Value;
use script::program::{Answer, Failed, History, Player, ProgramState, Reply, Request, State, Unplayable};

const FRAME: &str = "
local held = acquire()
enter('checkout')
work(100)
if held then
  tally('sold', tonumber('2') + #tostring(10))
end
leave('checkout')
release()
";

fn program(functions: &str) -> Bytes {
    format!("{functions}\n---- frame ----{FRAME}").into()
}

fn play(text: &Bytes) -> (Vec<(Request, u32)>, ProgramState) {
    let (mut player, mut history, mut requests) = (LuaPlayer::new(), History::default(), Vec::new());
    loop {
        let scene = player.play(text, &history).unwrap();
        let Some(thread) = scene.threads.iter().position(|thread| matches!(thread.state, State::Requests(_))) else {
            return (requests, scene);
        };
        let State::Requests(request) = &scene.threads[thread].state else { panic!("it requests") };
        requests.push((request.clone(), scene.threads[thread].frames.first().map_or(0, |frame| frame.line)));
        let reply = match request {
            Request::Call { .. } => Reply::Value(Value::OK),
            Request::WaitMessage { .. } => Reply::Value(Value::Null),
            Request::Now | Request::Random { .. } => Reply::Integer(1),
            Request::Uuid => Reply::Text(Bytes::from_static(b"token")),
            _ => Reply::Nothing,
        };
        history = history.push(Answer { thread: u32::try_from(thread).unwrap(), reply });
        assert!(history.len() < 200, "it goes on and on");
    }
}

/// The frame's requests that decide the verdict, and the end of the first thread.
fn counted(functions: &str) -> (Vec<Request>, State) {
    let (requests, scene) = play(&program(functions));
    let counts = |request: &Request| {
        matches!(request, Request::Enter { .. } | Request::Leave { .. } | Request::Work { .. } | Request::Tally { .. })
    };
    let requests = requests.into_iter().map(|(request, _)| request).filter(counts).collect();
    (requests, scene.threads[0].state.clone())
}

fn as_written() -> Vec<Request> {
    let section = Bytes::from_static(b"checkout");
    vec![
        Request::Enter { section: section.clone() },
        Request::Work { ms: 100 },
        Request::Tally { name: Bytes::from_static(b"sold"), n: 4 },
        Request::Leave { section },
    ]
}

fn error(functions: &str) -> String {
    match counted(functions).1 {
        State::Failed(Failed::Error(why)) => String::from_utf8_lossy(&why).into_owned(),
        other => panic!("{functions}: {other:?}"),
    }
}

#[test]
fn frame_calls_functions_and_sees_their_globals() {
    let functions = "
local token = uuid()
function acquire() lock = token return redis.call('SET', 'lock', token) end
function release() redis.call('DEL', lock) end";
    let (requests, scene) = play(&program(functions));
    assert_eq!(scene.threads[0].state, State::Done);
    let lines: Vec<u32> = requests.iter().map(|(_, line)| *line).collect();
    // uuid, SET, enter, work, tally, leave, DEL: each with its line number in the whole text.
    assert_eq!(lines, [2, 3, 7, 8, 10, 12, 4]);
    let Request::Call { argv, .. } = &requests[6].0 else { panic!("{requests:?}") };
    assert_eq!(argv[1], "token");
    assert_eq!(counted(functions).0, as_written());
}

#[test]
fn functions_cannot_use_names_of_the_frame() {
    for name in ["enter", "leave", "work", "tally", "check"] {
        for functions in [
            format!("{name}('checkout')"),
            format!("_G.{name}('checkout')"),
            format!("loadstring(\"{name}('checkout')\")()"),
            format!("load(function() return nil end) loadstring(\"return {name}\")()('checkout')"),
            format!("coroutine.wrap(function() {name}('checkout') end)()"),
            format!("local t = setmetatable({{}}, {{ __index = _G }}) t.{name}('checkout')"),
        ] {
            let why = error(&functions);
            assert!(why.contains(&format!("'{name}'")) && why.contains("only the frame"), "{functions}: {why}");
        }
    }
    let in_a_thread =
        "spawn(function() enter('checkout') end) function acquire() return true end function release() end";
    let (requests, scene) = play(&program(in_a_thread));
    let entered = requests.iter().filter(|(request, _)| matches!(request, Request::Enter { .. })).count();
    assert_eq!(entered, 1, "the frame's");
    assert!(matches!(&scene.threads[1].state, State::Failed(Failed::Error(_))));
}

#[test]
fn functions_cannot_replace_names_of_the_frame() {
    let spoilers = [
        "function enter() end function leave() end function tally() end function work() end",
        "_G.enter = function() end _G['tally'] = function() end",
        "rawset(_G, 'tally', function() end) rawset(_G, 'enter', function() end)",
        "tonumber = function() return 0 end tostring = function() return '' end",
        "redis = { call = function() return 1 end }",
        "for name in pairs(_G) do _G[name] = nil end",
        "pcall(setmetatable, _G, { __index = function() return function() end end })",
        "pcall(function() string.rep = 1 end) pcall(rawset, string, 'rep', 1) pcall(function() getmetatable('').__index = {} end)",
        "pcall(function() table.insert(_G, 1) end)",
        "local f = loadstring('enter = 1') f()",
    ];
    for spoiler in spoilers {
        let functions = format!("{spoiler}\nfunction acquire() return true end\nfunction release() end");
        let (requests, state) = counted(&functions);
        assert_eq!((requests, state), (as_written(), State::Done), "{spoiler}");
    }
}

#[test]
fn each_part_must_be_complete() {
    for functions in
        ["do", "end", "--[[", "x = [==[", "function acquire() end end while true do", "return acquire, (", "if x then"]
    {
        let played = LuaPlayer::new().play(&program(functions), &History::default());
        assert!(matches!(played, Err(Unplayable::DoesNotCompile(_))), "{functions}: {played:?}");
    }
    // An early `return` ends only the functions' part, not the frame.
    let functions = "function acquire() return true end function release() end do return end enter = nil";
    assert_eq!(counted(functions), (as_written(), State::Done));
}

#[test]
fn the_last_mark_divides_the_program() {
    let functions = "function acquire() return true end\n---- frame ----\nfunction release() end";
    assert_eq!(counted(functions), (as_written(), State::Done));
    // An earlier mark is an ordinary comment, even if a fake frame follows it.
    let why = error("function acquire() end\n---- frame ----\nenter('checkout')");
    assert!(why.contains("program:3:") && why.contains("only the frame"), "{why}");
}

#[test]
fn missing_function_is_reported_with_its_line() {
    let why = error("function aquire() return true end\nfunction release() end");
    assert!(why.starts_with("program:4:") && why.contains("'acquire'"), "{why}");
    let why = error("");
    assert!(why.starts_with("program:3:") && why.contains("needed above"), "{why}");
    let why = error("function acquire() return aquired end");
    assert!(why.starts_with("program:1:") && why.contains("'aquired'"), "{why}");
}
