//! Programs with the same live state behave alike, even after different histories; observable differences give different live states.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
mod histories;

use std::collections::BTreeMap;

use bytes::Bytes;
use histories::next;
use lua_machine::LuaPlayer;
use proptest::prelude::*;
use script::program::{History, Player, ProgramState, State};

/// Programs that forget their past: many histories lead to one state.
const TEXTS: [&str; 11] = [
    "while true do local n = redis.call('GET', 'n') if n == '7' then tally('seven') end sleep(1) end",
    // Variables shared by functions and threads, and a closure that is created again each time.
    "local n = 0\nlocal function up() n = (n + 1) % 3 return n end\nspawn(function() while true do sleep(up()) end end)\nwhile true do local f = function() return n end redis.call('PING') note(f()) end",
    // Nested tables, a metatable, a table that contains itself.
    "local s = setmetatable({ tries = { n = 0 } }, { __index = function(_, name) return name .. '?' end })\ns.me = s\nwhile true do s.tries.n = (s.tries.n + now()) % 2 note(s.x .. s.me.tries.n) redis.call('PING') end",
    // The identity of two equal tables.
    "local a, b = {}, {}\nwhile true do if now() % 2 == 0 then a, b = b, a end local t = { a, b } t[1].n = (t[1].n or 0) % 2 + 1 note(tostring(a.n) .. tostring(b.n)) redis.call('PING') end",
    // The iteration order of a table depends on its history.
    "local t = {}\nwhile true do local key = 'k' .. now() t[key] = not t[key] or nil local said = '' for name in pairs(t) do said = said .. name end note(said) redis.call('PING') end",
    // Globals, assigned names, the counter of `tostring`, the settings of cjson.
    "seen = false while true do local n = now() if n == 1 then seen = (seen or 0) % 2 + 1 elseif n == 2 then note(tostring({})) elseif n == 3 then cjson.encode_number_precision(3) end note(tostring(seen) .. cjson.encode({ 1 / 3 })) redis.call('PING') end",
    // Errors, nested calls, varargs.
    "local function deep(k, ...) if k == 0 then return redis.pcall('GET', (...)) end return (deep(k - 1, ...)) end\nwhile true do local ok, why = pcall(function() local r = deep(now(), 'a', 'b') if type(r) == 'table' then error('no') end end) sleep(ok and 1 or 2) end",
    // Threads that end and are cancelled, messages.
    "local threads = {}\nfor i = 1, 2 do threads[i] = spawn(function() while true do local r = redis.call('GET', i) if not r then return end end end) end\nwhile true do local channel, text = wait_message(5) if text then cancel(threads[1]) end end",
    // `client.id` and `args`.
    "while true do local n = tonumber(redis.call('GET', args[1])) or client.id args[2] = n note(#args .. client.id) sleep(n) end",
    // Connections to several nodes, in varying order.
    "local nodes = { connect('r1'), connect('r2', { timeout = 50 }) }\nwhile true do local r = nodes[1].pcall('GET', 'n') if r == '7' then nodes[1], nodes[2] = nodes[2], nodes[1] elseif r then nodes[2] = connect('r2') end end",
    // Its own coroutine, and native functions that it creates: these states are identified by their history.
    "while true do local co = coroutine.wrap(function() coroutine.yield(now and 1) end) co() for w in string.gmatch('a b', '%a') do redis.call('GET', w) end end",
];

/// The part of a state that affects the future: the frames of a failed thread do not.
fn seen(scene: &ProgramState) -> (Option<u128>, Vec<&State>) {
    (scene.live, scene.threads.iter().map(|thread| &thread.state).collect())
}

fn choices(most: usize) -> impl Strategy<Value = Vec<(u8, u8)>> {
    prop::collection::vec((0_u8..3, any::<u8>()), 1..most)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn programs_with_equal_live_states_behave_alike(
        text in 0..TEXTS.len(),
        ways in prop::collection::vec(choices(14), 2..8),
        further in choices(12),
    ) {
        let source = Bytes::from_static(TEXTS[text].as_bytes());
        let mut player = LuaPlayer::new();
        let mut known: BTreeMap<u128, History> = BTreeMap::new();
        for way in ways {
            let mut history = History::default();
            for choice in way {
                let scene = player.play(&source, &history).unwrap();
                if let Some(live) = scene.live {
                    let same = known.entry(live).or_insert_with(|| history.clone()).clone();
                    let (mut one, mut other) = (history.clone(), same);
                    for choice in &further {
                        let (here, there) = (player.play(&source, &one).unwrap(), player.play(&source, &other).unwrap());
                        prop_assert_eq!(seen(&here), seen(&there), "{:?} and {:?} of {}", one, other, TEXTS[text]);
                        let (Some(on), Some(along)) = (next(&here, &one, *choice), next(&there, &other, *choice)) else { break };
                        (one, other) = (on, along);
                    }
                }
                let Some(on) = next(&scene, &history, choice) else { break };
                history = on;
            }
        }
    }
}

/// Number of live states after this many rounds with all choices; `None` if the program has no live state.
fn count(text: &'static str, rounds: usize) -> Option<usize> {
    let source = Bytes::from_static(text.as_bytes());
    let mut player = LuaPlayer::new();
    let mut seen = BTreeMap::new();
    let mut open = vec![History::default()];
    for _ in 0..rounds {
        for history in std::mem::take(&mut open) {
            let scene = player.play(&source, &history).unwrap();
            if seen.insert(scene.live?, ()).is_some() {
                continue;
            }
            let answers = (0..3).flat_map(|thread| (0..4).map(move |choice| (thread, choice)));
            open.extend(answers.filter_map(|choice| next(&scene, &history, choice)));
        }
    }
    assert!(open.is_empty(), "{text}: no end after {rounds} rounds and {} states", seen.len());
    Some(seen.len())
}

#[test]
fn programs_that_forget_have_few_states() {
    // Two positions; the reply is forgotten at the end of its block.
    assert_eq!(count("while true do do local n = redis.pcall('GET', 'n') end sleep(1) end", 9), Some(2));
    assert_eq!(count("while true do redis.pcall('PING') end", 3), Some(1));
    // A counter up to three: each position with each count.
    assert_eq!(count("for i = 1, 3 do redis.pcall('PING') end", 9), Some(4));
    assert_eq!(count("local n = 0 while true do n = (n + 1) % 5 sleep(n) end", 9), Some(5));
    // Each position of a loop over a list.
    assert_eq!(
        count("while true do for _, key in ipairs({ 'a', 'b', 'c' }) do redis.pcall('GET', key) end end", 9),
        Some(3)
    );
    // The connection to each of four nodes.
    assert_eq!(count("local r = connect('r2') while true do r.pcall('PING') end", 9), Some(5));
    // The program's own coroutines cannot be captured.
    assert_eq!(count("local co = coroutine.create(function() end) redis.call('PING')", 9), None);
    assert_eq!(count("local f = loadstring('return 1') redis.call('PING')", 9), None);
    assert_eq!(count("local t = { [{}] = 1 } redis.call('PING')", 9), None);
    // All other programs have finitely many states, except one in which the counter of `tostring` grows forever.
    for text in TEXTS.into_iter().take(8).filter(|text| !text.contains("tostring({})")) {
        assert!(count(text, 60).is_some(), "{text}");
    }
}
