//! A program state is a function of text and history, independent of the player's cache and of what else it has played.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
mod histories;

use bytes::Bytes;
use histories::next;
use lua_machine::LuaPlayer;
use proptest::prelude::*;
use resp::Value;
use script::program::{Answer, Failed, History, Player, ProgramState, Reply, Request, State, Unplayable};

/// Programs that would detect missing isolation between programs.
const TEXTS: [&str; 10] = [
    // Its own variables, and the counter of `tostring`.
    "seen = {}\nfor i = 1, 4 do\n  seen[i] = redis.call('GET', i)\n  note(tostring({}) .. tostring(seen[i]) .. tostring(#seen))\nend",
    "seen = 7\nlocal old = tostring(function() end)\nsleep(1)\nnote(old .. tostring({}) .. seen)\nwork(2)\nerror({err = 'no'})",
    // Settings of cjson.
    "cjson.encode_number_precision(3)\nfor i = 1, 3 do\n  note(cjson.encode({i / 3}))\nend",
    "note(cjson.encode({1 / 3}))\nnote(cjson.encode({2 / 3}))",
    // Iteration order of a table.
    "local t, said = {alice = 1, bob = 2, carol = 3, dave = 4, [2.5] = 5, [true] = 6}, {}\nt[uuid()] = 7\nt.bob = nil\nt.erin = now()\nfor name, n in pairs(t) do\n  said[#said + 1] = tostring(name) .. n\nend\nnote(table.concat(said, ' '))\nnote(cjson.encode(t))",
    // Threads that cancel each other, shared variables.
    "local n, threads = 0, {}\nfor i = 1, 3 do\n  threads[i] = spawn(function()\n    while n < 5 do\n      sleep(i)\n      n = n + 1\n    end\n  end)\nend\nwork(random(1, 9))\ncancel(threads[2])\nlocal channel, text = wait_message(5)\nnote(tostring(n) .. tostring(text))",
    // Native functions created by the program, and its own coroutines.
    "local words = {}\nfor word in string.gmatch('a b c', '%a') do\n  words[#words + 1] = word .. tostring(redis.pcall('GET', word))\nend\nlocal co = coroutine.wrap(function() coroutine.yield(table.concat(words)) end)\nnote(co())\nuuid()",
    // Limits.
    "local n = now()\nspawn(function() sleep(5) note('still here') end)\nif n % 2 == 0 then\n  while true do n = n + 1 end\nend\nnote(n)",
    "local s = 'x'\nfor i = 1, 3 do\n  sleep(i)\n  s = s .. string.rep(s, now() % 2 == 0 and 1000000 or 10)\nend\nlocal hog = {}\nwhile #s > 2000000 do\n  hog[#hog + 1] = s .. #hog\nend\nnote(#s)",
    "local function deep(n) if n == 0 then return now() end return 1 + deep(n - 1) end\nnote(deep(20))\nlocal function over() return 1 + over() end\nnote(tostring(pcall(over)))\nenter()\nover()",
];

/// A step of the test: a text, how many answers to go back, and the next answer.
#[derive(Clone, Debug)]
struct Going {
    text: usize,
    back: usize,
    thread: u8,
    choice: u8,
}

fn going() -> impl Strategy<Value = Going> {
    // Mostly forward, sometimes back to an earlier moment.
    let back = prop_oneof![6 => Just(0usize), 1 => 0usize..12];
    (0..TEXTS.len(), back, any::<u8>(), any::<u8>()).prop_map(|(text, back, thread, choice)| Going {
        text,
        back,
        thread,
        choice,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn cached_snapshots_give_the_same_results(ways in prop::collection::vec(going(), 1..40)) {
        let mut player = LuaPlayer::new();
        let mut ends = vec![History::default(); TEXTS.len()];
        for Going { text, back, thread, choice } in ways {
            let mut history = ends[text].clone();
            for _ in 0..back {
                history = history.parent().cloned().unwrap_or_default();
            }
            let source = Bytes::from_static(TEXTS[text].as_bytes());
            let scene = player.play(&source, &history);
            prop_assert_eq!(&scene, &LuaPlayer::new().play(&source, &history), "{:?} of {}", history, TEXTS[text]);
            ends[text] = scene.ok().and_then(|scene| next(&scene, &history, (thread, choice))).unwrap_or_default();
        }
    }
}

/// Plays to the end with the same choice each time; cached and fresh players must agree at every `nth` step.
fn to_the_end(player: &mut LuaPlayer, text: &'static str, choice: u8, nth: usize) -> ProgramState {
    let source = Bytes::from_static(text.as_bytes());
    let mut history = History::default();
    loop {
        let scene = player.play(&source, &history).expect("it plays");
        let on = next(&scene, &history, (0, choice));
        if on.is_none() || history.len() % nth == 0 {
            assert_eq!(LuaPlayer::new().play(&source, &history).as_ref(), Ok(&scene), "{history:?}");
        }
        match on {
            Some(on) => history = on,
            None => return scene,
        }
    }
}

#[test]
fn program_at_a_limit_does_not_affect_others() {
    let mut player = LuaPlayer::new();
    let modest = Bytes::from_static(b"local n = 0\nwhile true do\n  n = n + redis.call('INCR', 'n')\nend");
    let mut history = History::default();
    for text in [TEXTS[7], TEXTS[8], TEXTS[9], "local t = {} while true do t[#t + 1] = {} end", "while true do end"] {
        let before = player.play(&modest, &history).unwrap();
        let end = to_the_end(&mut player, text, 0, 1);
        assert!(matches!(end.threads[0].state, State::Failed(_)), "{:?}", end.threads[0]);
        assert_eq!(player.play(&modest, &history).unwrap(), before);
        history = history.push(Answer { thread: 0, reply: Reply::Value(Value::Integer(1)) });
        let after = player.play(&modest, &history).unwrap();
        assert_eq!(after.threads[0].frames[0].locals[0].shown, format!("{}", history.len()));
        assert_eq!(LuaPlayer::new().play(&modest, &history), Ok(after));
    }
}

#[test]
fn request_of_an_evicted_program_is_not_given_to_another() {
    // One answer exceeds the share, and the next request comes before the next check.
    let text = Bytes::from_static(b"local u = uuid\nu() u() u() u() u() u() u() u()");
    let mut player = LuaPlayer::new();
    let mut history = History::default();
    for n in 0..6 {
        let scene = player.play(&text, &history).unwrap();
        assert_eq!(scene.threads[0].state, State::Requests(Request::Uuid));
        let other = player.play(&Bytes::from(format!("local n = {n}")), &History::default()).unwrap();
        assert_eq!(other.threads[0].state, State::Done);
        history = history.push(Answer { thread: 0, reply: Reply::Text(Bytes::from(vec![n; 700_000])) });
    }
}

#[test]
fn memory_is_full_only_when_the_program_itself_has_filled_it() {
    // Garbage does not count: 24 MB are allocated and freed.
    let wasteful = "for i = 1, 24 do\n  local s = string.rep('x', 1000000) .. i\n  sleep(#s)\nend";
    let end = to_the_end(&mut LuaPlayer::new(), wasteful, 0, 8);
    assert_eq!(end.threads[0].state, State::Done);
    // Live memory counts completely.
    let greedy = "local held = {}\nfor i = 1, 24 do\n  held[i] = string.rep('x', 1000000) .. i\n  sleep(i)\nend";
    let end = to_the_end(&mut LuaPlayer::new(), greedy, 0, 8);
    assert_eq!(end.threads[0].state, State::Failed(Failed::OutOfMemory));
}

#[test]
fn first_unfitting_answer_of_a_history_is_reported() {
    let text = Bytes::from_static(TEXTS[0].as_bytes());
    let mut player = LuaPlayer::new();
    let mut history = History::default();
    for _ in 0..4 {
        let scene = player.play(&text, &history).unwrap();
        let wrong = history.push(Answer { thread: 0, reply: Reply::Text(Bytes::new()) });
        let refused = Err(Unplayable::Diverged { at: history.len() });
        assert_eq!(player.play(&text, &wrong), refused);
        assert_eq!(player.play(&text, &wrong), refused);
        assert_eq!(player.play(&text, &wrong.push(Answer { thread: 0, reply: Reply::Nothing })), refused);
        assert_eq!(player.play(&text, &history).unwrap(), scene);
        history = next(&scene, &history, (0, 3)).unwrap();
    }
}
