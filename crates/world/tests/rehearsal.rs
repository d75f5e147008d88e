//! A long script that is rehearsed in slices leaves the same session as one that runs in one go: same worlds, events and text.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
use lua_machine::{LuaMachine, LuaPlayer};
use proptest::prelude::*;
use redis_model::rehearsal::Attempt;
use world::{Act, Engines, Input, Settings, Timeline};

fn command(client: u32, line: &str) -> Input {
    Input::Command { client, argv: resp::split::split(line.as_bytes()).unwrap() }
}

fn connect(client: u32) -> Input {
    Input::Connect { client, name: format!("c{client}") }
}

/// Repeats the attempt until it succeeds; returns the number of rehearsed scripts.
fn patiently<T>(engines: &Engines, act: impl Fn() -> T) -> (T, usize) {
    let mut attempt = engines.scripts.attempt(&act);
    let mut scripts = 0;
    loop {
        match attempt {
            Attempt::Done(done) => return (done, scripts),
            Attempt::Paused(mut rehearsal) => {
                scripts += 1;
                while !rehearsal.go_on() {}
                attempt = rehearsal.attempt_again(&act);
            }
        }
    }
}

/// Plays a session in one go, and in slices of this many instructions; every step must be equal. Returns the number of rehearsed scripts.
fn same(settings: &Settings, inputs: &[Input], slice: u64) -> usize {
    let engines = Engines::new(LuaMachine::new(), LuaPlayer::new());
    let in_slices = Engines::new(LuaMachine::in_slices(slice), LuaPlayer::new());
    let mut whole = Timeline::with_engines(settings.clone(), &engines);
    let mut sliced = Timeline::with_engines(settings.clone(), &in_slices);
    let mut scripts = 0;
    for input in inputs {
        let through = whole.push(input.clone());
        let ((next, pushed), ran_ahead) = patiently(&in_slices, || {
            let mut next = sliced.clone();
            let pushed = next.push(input.clone());
            (next, pushed)
        });
        sliced = next;
        scripts += ran_ahead;
        assert_eq!(pushed, through, "{input:?}");
        assert_eq!(sliced.step(sliced.cursor()), whole.step(whole.cursor()), "{input:?}");
        assert_eq!(sliced.world(), whole.world(), "{input:?}");
        assert_eq!(sliced.world().fingerprint(), whole.world().fingerprint(), "{input:?}");
    }
    let text = whole.to_text();
    let (read, _) = patiently(&in_slices, || Timeline::from_text(&text, &in_slices));
    assert_eq!(read.unwrap(), whole);
    scripts
}

#[test]
fn sliced_scripts_of_every_kind_end_as_in_one_go() {
    let library = "\"#!lua name=lib\\nredis.register_function('fill', function(keys, args) for i = 1, tonumber(args[1]) do redis.call('RPUSH', keys[1], i) end return redis.call('LLEN', keys[1]) end)\"";
    let inputs = [
        connect(0),
        connect(1),
        command(0, "EVAL \"for i=1,500 do redis.call('SET','k'..i,i) end return redis.call('DBSIZE')\" 0"),
        // Virtual time: other clients wait, get BUSY, and kill the script.
        command(0, "EVAL \"for i=1,600000 do end redis.call('SET','late',1) return math.random(1000)\" 0"),
        command(1, "GET k1"),
        Input::Advance { ms: 3 },
        Input::Advance { ms: 5_000 },
        command(1, "GET late"),
        command(0, "EVAL \"while true do end\" 0"),
        Input::Advance { ms: 6_000 },
        command(1, "SCRIPT KILL"),
        // Two scripts in one transaction, with a failing command between them.
        command(0, "WATCH k1"),
        command(0, "MULTI"),
        command(0, "EVAL \"for i=1,300 do redis.call('INCR','n') end return redis.call('GET','n')\" 0"),
        command(0, "LPUSH n x"),
        command(0, "EVAL \"local t={} for i=1,300 do t[i]=redis.call('DECR','n') end return t\" 0"),
        command(0, "EXEC"),
        command(0, &format!("FUNCTION LOAD {library}")),
        command(0, "FCALL fill 1 list 200"),
        // Other clients wait for a script's pushes, listen to its messages, and watch its keys.
        command(1, "BLPOP queue 0"),
        connect(2),
        command(2, "SUBSCRIBE news"),
        connect(3),
        command(3, "WATCH w"),
        command(3, "MULTI"),
        command(3, "SET seen 1"),
        command(
            0,
            "EVAL \"for i=1,50 do redis.call('RPUSH','queue',i) redis.call('PUBLISH','news',i) redis.call('INCR','w') end return redis.error_reply('MY error')\" 0",
        ),
        command(3, "EXEC"),
        // Databases, protocols, caught errors, random picks, TTLs and expiry on access.
        command(0, "SET gone x PX 10"),
        Input::Advance { ms: 11 },
        command(
            0,
            "EVAL \"redis.setresp(3) redis.call('SELECT',3) for i=1,99 do pcall(redis.call,'INCR','gone') redis.call('SADD','s',i) redis.pcall('LPUSH','s',1) end return {redis.call('SRANDMEMBER','s',-3),redis.call('SPOP','s'),redis.call('TTL','gone'),redis.call('HGETALL','nothing')}\" 0",
        ),
        command(0, "GET gone"),
        command(0, "INFO"),
        command(0, "SLOWLOG GET"),
        // Sorting and coroutines pause like any other code.
        command(
            0,
            "EVAL \"local t={} for i=1,500 do t[i]=(i*7919)%503 end table.sort(t,function(a,b) redis.call('PING') return a<b end) local c=coroutine.wrap(function() for i=1,400 do redis.call('INCR','co') coroutine.yield(i) end end) for i=1,400 do c() end return t\" 0",
        ),
        command(0, "EVAL \"local x = redis.call('SET','a','b') error({err='NO way'})\" 0"),
        command(0, "EVAL \"for i=1,100 do redis.call('SET','x'..i,1) end return nothing\" 0"),
        // Past the bound it never ends.
        command(0, "EVAL \"redis.call('SET','half','way') while true do redis.pcall('GET','half') end\" 0"),
        Input::Advance { ms: 6_000 },
        command(1, "SCRIPT KILL"),
        command(1, "GET half"),
    ];
    let settings = Settings { script_bound: 5_000_000, ..Settings::default() };
    for slice in [1, 1_000] {
        let ran_ahead = same(&settings, &inputs, slice);
        assert!(ran_ahead >= 8, "{ran_ahead}");
    }
    // Slow scripts, and sessions from before scripts took time.
    same(&Settings { script_rate: 20, ..settings }, &inputs, 100);
    same(&Settings { script_rate: 0, ..Settings::default() }, &inputs, 100);
}

#[test]
fn script_of_a_program_is_rehearsed_too() {
    let program = "local n = redis.call('EVAL', \"for i=1,2000 do redis.call('INCR','n') end return redis.call('GET','n')\", 0)\nnote(n)";
    let act = |act| Input::Program { client: 0, act };
    let inputs =
        [connect(0), act(Act::load(program.into())), act(Act::Step { thread: 0 }), act(Act::Step { thread: 0 })];
    assert!(same(&Settings::default(), &inputs[..3], 50) >= 1);
}

#[test]
fn abandoned_rehearsal_has_no_effect_and_machine_still_works() {
    let engines = Engines::new(LuaMachine::in_slices(10), LuaPlayer::new());
    let mut timeline = Timeline::with_engines(Settings::default(), &engines);
    timeline.push(connect(0)).unwrap();
    let long = command(0, "EVAL \"for i=1,100000 do redis.call('SET',i,i) end\" 0");
    let before = timeline.world().fingerprint();
    let Attempt::Paused(mut rehearsal) = engines.scripts.attempt(|| timeline.clone().push(long)) else { panic!() };
    for _ in 0..100 {
        assert!(!rehearsal.go_on());
    }
    assert!(rehearsal.commands() >= 100);
    drop(rehearsal);
    assert_eq!(timeline.world().fingerprint(), before);
    let (pushed, _) = patiently(&engines, || {
        let mut next = timeline.clone();
        next.push(command(0, "EVAL \"for i=1,10 do redis.call('INCR','n') end return redis.call('GET','n')\" 0"))
            .unwrap();
        next.step(next.cursor()).unwrap().events.clone()
    });
    assert!(format!("{pushed:?}").contains("10"), "{pushed:?}");
}

/// Statements of scripts.
fn statement() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec!["a", "b", "c"]);
    (key, 1_u32..40, 0_usize..9).prop_map(|(key, n, kind)| match kind {
        0 => format!("for i=1,{n} do redis.call('INCR','{key}') end "),
        1 => format!("for i=1,{n} do redis.pcall('RPUSH','{key}',i) end "),
        2 => format!("redis.call('DEL','{key}') "),
        3 => format!("redis.call('SET','{key}',{n},'PX',{n}) "),
        4 => format!("for i=1,{n}00 do end "),
        5 => format!("t[#t+1]=redis.pcall('GET','{key}') "),
        6 => format!("pcall(function() for i=1,{n} do redis.call('SADD','{key}',math.random({n})) end end) "),
        7 => format!("redis.call('PUBLISH','{key}',{n}) "),
        _ => format!("t[#t+1]=math.random({n}) "),
    })
}

/// Inputs with scripts among them.
fn input() -> impl Strategy<Value = Input> {
    let script = (0_u32..3, prop::collection::vec(statement(), 1..5))
        .prop_map(|(client, body)| command(client, &format!("EVAL \"local t={{}} {}return t\" 0", body.concat())));
    let other = (0_u32..3, 0_usize..10).prop_map(|(client, kind)| match kind {
        0 => command(client, "MULTI"),
        1 => command(client, "EXEC"),
        2 => command(client, "WATCH a b"),
        3 => command(client, "BLPOP a b 1"),
        4 => command(client, "SUBSCRIBE a"),
        5 => command(client, "SCRIPT KILL"),
        6 => Input::Interrupt { client },
        7 => command(client, "INCR c"),
        8 => command(client, "EVAL \"while true do redis.pcall('GET','a') end\" 0"),
        _ => Input::Advance { ms: u64::from(client) * 3_000 + 7 },
    });
    prop_oneof![script, other]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]
    #[test]
    fn random_sessions_are_the_same(inputs in prop::collection::vec(input(), 1..20), slice in 1_u64..3_000, rate in 1_u64..2_000) {
        let settings = Settings { script_rate: rate, script_bound: 60_000, ..Settings::default() };
        let inputs: Vec<Input> = (0..3).map(connect).chain(inputs).collect();
        same(&settings, &inputs, slice);
    }
}
