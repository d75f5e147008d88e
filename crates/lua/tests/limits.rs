//! Endless and memory-hungry scripts are stopped, even if they catch errors; the machine then runs the next script.
#![allow(clippy::disallowed_methods, reason = "how long it takes until a script is stopped is what is tested")]
mod support;

use script::{Limits, ScriptOutcome, SourceLocation, Work};
use std::time::{Duration, Instant};
use support::Bench;

/// Runs a script and returns its outcome; asserts that it ended soon and that the machine works afterwards.
fn ends(script: &str) -> ScriptOutcome {
    let mut bench = Bench::new();
    let begin = Instant::now();
    let outcome = bench.script(script).outcome;
    // One second in a release build; this is a debug build on a busy machine.
    assert!(begin.elapsed() < Duration::from_secs(30), "{script}: {:?}", begin.elapsed());
    assert_eq!(bench.script("return 7").outcome, ScriptOutcome::Reply(resp::Value::Integer(7)), "after {script}");
    outcome
}

#[test]
fn endless_loops() {
    for script in [
        "while true do end",
        "repeat until false",
        "for i=1,1/0 do end",
        "while true do pcall(function() while true do end end) end",
        "local function f() return f() end return f()",
        "while true do pcall(error) end",
        "local co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() end",
        "local co = coroutine.create(function() while true do end end) while true do coroutine.resume(co) end",
        "while true do local co = coroutine.create(function() while true do end end) coroutine.resume(co) end",
        "pcall(function() coroutine.wrap(function() coroutine.yield() end)() end) while true do pcall(pcall, pcall) end",
        "local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) while true do pcall(function() return t[1] end) end",
        "while true do string.format('%99d', 1) end",
        "while true do redis.call('ping') end",
        "while true do redis.pcall('nosuch') end",
        "while true do cjson.decode('[]') end",
        "while true do loadstring('return 1') end",
        "string.find(string.rep('a', 100000), string.rep('a-', 100) .. 'b')",
        "string.find(string.rep('a', 20000), '.-.-.-.-b')",
        "table.sort({1,2,3,4,5}, function() while true do end end)",
        "string.gsub('aaa', 'a', function() while true do end end)",
        "local t = {} for i = 1, 1000 do t[i] = i end while true do table.concat(t) end",
        "local t = {} for i = 1, 1e9 do table.insert(t, 1, i) end",
        "xpcall(function() while true do end end, function() while true do end end)",
        // The text has no loops; only the code that it compiles is endless.
        "return loadstring('while true do end')()",
        "return pcall(loadstring('while true do pcall(error) end'))",
        "return coroutine.wrap(loadstring('while true do end'))()",
        "return xpcall(loadstring('while true do end'), type)",
        "return string.gsub('aaa', 'a', loadstring('while true do end'))",
        "return table.sort({3, 2, 1}, loadstring('while true do end'))",
        "return setmetatable({}, {__index = loadstring('while true do end')}).x",
        "return loadstring('return loadstring(\"while true do end\")')()()",
        "local f = loadstring('local f = ... return f(f)') return f(f)",
        // The results are garbage, so that only time is used.
        "local t = {} while true do t[#t + 0] = ('x'):rep(100000) .. #t end",
    ] {
        let outcome = ends(script);
        assert!(matches!(outcome, ScriptOutcome::BudgetSpent(_)), "{script}: {outcome:?}");
    }
}

#[test]
fn memory_bombs() {
    for script in [
        "return string.rep('x', 1e9)",
        "local s = 'x' while true do s = s .. s end",
        "local t = {} for i = 1, 1e9 do t[i] = {i} end",
        "local t = {} while true do t[#t + 1] = string.rep('x', 100000) .. #t end",
        "local s = string.rep('x', 1000000) return string.gsub(s, 'x', s)",
        "local s = string.rep('x', 1000000) return string.gsub(s, 'x', function() return s end)",
        "local s = string.rep('x', 1000000) return string.gsub(s, 'x', {x = s})",
        "local s = string.rep('x', 1000000) return string.gsub(s, '(.*)', string.rep('%1', 100))",
        "local t = {} for i = 1, 1000 do t[i] = string.rep('x', 100000) end return table.concat(t)",
        "local s, t = string.rep('x', 1000000), {} for i = 1, 1000 do t[i] = s end return table.concat(t)",
        "local s, t = string.rep('x', 1000000), {} for i = 1, 1000 do t[i] = s end return cjson.encode(t)",
        "local s, t = string.rep('x', 1000000), {} for i = 1, 1000 do t[i] = s end return cmsgpack.pack(t)",
        "local s = string.rep('x', 1000000) return string.format(string.rep('%s', 100), s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s)",
        "local s = string.rep('x', 10000000) local t = s:upper() return t:lower() .. t",
        "local s = string.rep('x', 4000000) local t = {s:upper(), s:lower(), s:reverse(), s:sub(2), s:sub(3)} return #t",
        "local s = string.rep('x', 4000000) local t = s .. s local u = t .. t local v = u .. u return #v:sub(2)",
        "local s = string.rep('x', 4000000) return {redis.error_reply(s), redis.status_reply(s), redis.error_reply(s .. s), 1 + redis.sha1hex(s)}",
        "return loadstring('local t = {} for i = 1, 1e9 do t[i] = {i} end')()",
        "local s = string.rep('x', 1000000) return #(s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s)",
        "while true do pcall(function() local s = 'x' while true do s = s .. s end end) end",
        "local t = {} while true do t = {t, t} end",
        "local t = {} for i = 1, 1e9 do t[i] = coroutine.create(function() end) end",
        "local t = {} for i = 1, 1e9 do t[i] = cjson.new() end",
    ] {
        let outcome = ends(script);
        assert!(matches!(outcome, ScriptOutcome::OutOfMemory | ScriptOutcome::BudgetSpent(_)), "{script}: {outcome:?}");
    }
}

#[test]
fn only_live_memory_of_the_current_script_counts() {
    let held = "local t = {} for i = 1, 120 do t[#t + 1] = ('x'):rep(100000) .. i end return #t";
    let close_to_the_cap = "local t = {} for i = 1, 162 do t[i] = ('x'):rep(100000) .. i end \
                            for i = 1, 3000 do t[0] = ('y'):rep(1000) .. i end return #t";
    let text = "local t = {} local ok = coroutine.wrap(function() while true do t[#t + 1] = ('x'):rep(100000) .. #t \
                redis.call('incr', 'n') end end)()";
    let before = [
        "return 1",
        "local t = {} for i = 1, 2000 do t[i] = {i} end return 1",
        "local s = ('x'):rep(200000) return #s",
        "local s for i = 1, 140 do s = ('x'):rep(100000) .. i end return #s",
    ];
    for script in [held, close_to_the_cap, text] {
        // The machine caches compiled texts.
        let texts = (0..200).map(|nth| format!("return {{ {} }} --{nth}", "function() end,".repeat(40)));
        let many = [texts.collect(), vec!["return 1".to_owned()]];
        let outcomes: Vec<_> = before
            .map(|before| vec![before.to_owned()])
            .into_iter()
            .chain(many)
            .map(|before| {
                let mut bench = Bench::new();
                before.iter().for_each(|before| drop(bench.script(before)));
                let ran = bench.script(script);
                (ran.outcome, ran.instructions, bench.server.strings)
            })
            .collect();
        assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]), "{script}: {outcomes:?}");
        assert_eq!(outcomes[0].0 == ScriptOutcome::OutOfMemory, script == text, "{script}: {outcomes:?}");
    }
}

#[test]
fn deep_recursion_is_an_ordinary_error() {
    for script in [
        "local function f() return 1 + f() end return pcall(f)",
        "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k] end return pcall(function() return t.x end)",
        "local s = '1' for i = 1, 1000 do s = '(' .. s .. ')' end return loadstring('return ' .. s)",
        "local s = string.rep('{', 5000) return loadstring('return ' .. s)",
        "return pcall(string.find, 'a', string.rep('(', 100))",
        "return pcall(string.find, 'a', string.rep('a?', 100000))",
        "local t = {} for i = 1, 100000 do t = {t} end return t",
        "local function f() return pcall(f) end return f()",
        "local function f(a) return string.gsub('x', 'x', f) end return pcall(f)",
        "local function f() return coroutine.wrap(f)() end return pcall(f)",
        "local t = {} for i = 1, 2000 do t = {t} end return pcall(cjson.encode, t)",
        "return pcall(cjson.decode, string.rep('[', 100000))",
    ] {
        let outcome = ends(script);
        assert!(!matches!(outcome, ScriptOutcome::Broken | ScriptOutcome::OutOfMemory), "{script}: {outcome:?}");
    }
}

#[test]
fn server_replies_count_towards_the_memory_cap() {
    let mut bench = Bench::new();
    let mut deep = resp::Value::Null;
    for _ in 0..1_000 {
        deep = resp::Value::Array(vec![deep]);
    }
    struct Deep(resp::Value);
    impl script::Host for Deep {
        fn call(&mut self, _: script::Call) -> resp::Value {
            self.0.clone()
        }
        fn log(&mut self, _: script::Level, _: bytes::Bytes) {}
        fn may(&mut self, _: Vec<bytes::Bytes>) -> script::Permission {
            script::Permission::Denied
        }
    }
    let work =
        Work::Script { text: bytes::Bytes::from_static(b"return redis.call('x')"), keys: Vec::new(), args: Vec::new() };
    let job = script::Job { work, limits: Limits::USUAL, random: 0 };
    let ran = script::Engine::run(&mut bench.machine, &job, &mut Deep(deep));
    assert!(matches!(ran.outcome, ScriptOutcome::Failed(_)), "{ran:?}");
}

#[test]
fn the_job_sets_the_budget() {
    let mut bench = Bench::new();
    let loops = "for i = 1, 1000 do end return 1";
    let taken = bench.script(loops).instructions;
    assert!((1000..2000).contains(&taken), "{taken}");
    bench.limits = Limits { instructions: 500, ..Limits::USUAL };
    let ran = bench.script(loops);
    let place = SourceLocation { source: bytes::Bytes::from_static(b"@user_script"), line: 1 };
    assert_eq!((ran.outcome, ran.instructions), (ScriptOutcome::BudgetSpent(Some(place)), 500));
    bench.limits = Limits { instructions: taken + 8, ..Limits::USUAL };
    assert_eq!(bench.script(loops).instructions, taken);
    bench.limits = Limits { memory_bytes: 1 << 20, ..Limits::USUAL };
    assert_eq!(bench.script("return #string.rep('x', 2000000)").outcome, ScriptOutcome::OutOfMemory);
}

/// The counts are the same on every platform; they were also measured in wasm32.
#[test]
fn instruction_counts_are_the_same_on_every_platform() {
    for (script, instructions) in [
        ("return 1", 5),
        ("local function fib(n) if n<2 then return n end return fib(n-1)+fib(n-2) end return fib(18)", 45985),
        ("local s = 0 for w in string.gmatch('a b c', '%a') do s = s + #w end return s", 26),
        ("for i = 1, 10 do pcall(error, i) end return cjson.encode({1, {a = 2}})", 225),
        ("local co = coroutine.wrap(function() for i = 1, 9 do coroutine.yield(i) end end) return co() + co()", 121),
        ("return redis.call('get', 's')", 41),
    ] {
        let ran = Bench::new().script(script);
        assert!(matches!(ran.outcome, ScriptOutcome::Reply(_)), "{ran:?}");
        assert_eq!(ran.instructions, instructions, "{script}");
    }
}

#[test]
fn exhausted_machine_is_replaced() {
    let mut bench = Bench::new();
    for number in 0..600 {
        let ran = bench.script(format!("return {number}"));
        assert_eq!(ran.outcome, ScriptOutcome::Reply(resp::Value::Integer(number)));
    }
    for _ in 0..4 {
        let ran = bench.script("for i = 1, 40000 do string.gmatch('a', 'a') end return 1");
        assert_eq!(ran.outcome, ScriptOutcome::Reply(resp::Value::Integer(1)));
    }
}

#[test]
fn run_is_independent_of_earlier_runs() {
    let script = "local t = {} for i = 1, 100 do t['k' .. i] = i end local s = '' for k in pairs(t) do s = s .. k end \
                  return {s, #KEYS, #ARGV, type(KEYS.rep), type(ARGV.y), tostring({}), tostring(t), math.random(1000), cjson.encode(t), collectgarbage('count')}";
    let alone = Bench::new().script(script);
    let mut bench = Bench::new();
    for before in [
        "return 1",
        script,
        "cjson.encode_max_depth(3) redis.setresp(3) redis.set_repl(0) math.randomseed(7) return tostring({})",
        "error('x')",
        "while true do end",
        "local t = {} for i = 1, 50000 do t[i] = {} end",
        "KEYS[1] = 'x' ARGV.y = 1",
        "setmetatable(KEYS, {__index = string}) KEYS[1] = nil",
        "_ENV = nil",
        "return string.rep('x', 1e9)",
    ] {
        bench.script(before);
        assert_eq!(bench.script(script), alone, "after {before}");
    }
}

fn function(body: &str) -> Work {
    Work::Call {
        text: bytes::Bytes::from(format!("#!lua name=lib\n{body}")),
        function: bytes::Bytes::from_static(b"f"),
        keys: vec![bytes::Bytes::from_static(b"s")],
        args: Vec::new(),
    }
}

/// With any state in the library, cached or not: the same outcome, the same number of instructions.
#[test]
fn function_call_is_independent_of_earlier_calls() {
    for body in [
        "redis.register_function('f', function(keys) return redis.call('get', keys[1]) end)",
        "redis.register_function('f', function(keys, args) keys[2] = 'z' args.x = 1 return {#keys, #args, keys[2], args.x} end)",
        "local n = 0 redis.register_function('f', function() n = n + 1 return n end)",
        "local t = {} redis.register_function('f', function() t[#t + 1] = 1 return #t end)",
        "local n = 0 local function g() n = n + 1 return n end redis.register_function('f', function() return g() end)",
        "local function g(n) if n == 0 then return 0 end return 1 + g(n - 1) end redis.register_function('f', function() return g(20) end)",
        "local c = coroutine.wrap(function() for i = 1, 9 do coroutine.yield(i) end end) redis.register_function('f', function() return c() end)",
        "local w = string.gmatch('a b c', '%a') redis.register_function('f', function() return w() end)",
        "local r = math.random redis.register_function('f', function() return r(1000000) end)",
        "local r = math.random(1000000) redis.register_function('f', function() return {r, math.random(1000000)} end)",
        "math.randomseed(7) redis.register_function('f', function() return math.random(1000000) end)",
        "local s = tostring({}) redis.register_function('f', function() return {s, tostring({})} end)",
        "cjson.encode_max_depth(2) redis.register_function('f', function() return pcall(cjson.encode, {{{}}}) end)",
        "redis.log(redis.LOG_WARNING, 'loaded') redis.register_function('f', function() return 1 end)",
        "local g = loadstring('local n = 0 return function() n = n + 1 return n end')() redis.register_function('f', g)",
        "local g = loadstring('return redis.call(\"get\", \"s\")') redis.register_function('f', function() return g() end)",
        "local t = setmetatable({}, {__index = function(t, k) t[k] = k return k end}) redis.register_function('f', function() return {rawget(t, 1), t[1]} end)",
        "local r, s = redis, string redis.register_function('f', function() return {s.rep('x', 3), r.log ~= nil, redis.call ~= nil} end)",
        "redis.register_function('f', function() redis.call = nil end)",
        "redis.register_function('f', function() x = 1 end)",
        "redis.register_function('f', function() return nosuch end)",
        "redis.register_function('f', function() return pcall(function() _G.x = 1 end) end)",
        "redis.register_function('g', function() return 1 end) redis.register_function('f', function() return 2 end)",
        "redis.register_function('g', function() return 1 end)",
        "redis.register_function('f', print)",
        "redis.register_function('f', function() while true do end end)",
        "redis.register_function('f', function() return loadstring('while true do end')() end)",
        "local function g() return g end redis.register_function('f', function() return loadstring('return 5')() end)",
        "redis.register_function('f', function() return string.rep('x', 1e9) end)",
        "for i = 1, 1000 do end redis.register_function('f', function() return 1 end)",
        "while true do end",
        "redis.register_function('f', redis.register_function)",
        "redis.register_function('f', function() redis.register_function('h', function() end) end)",
        "_ENV = nil",
    ] {
        for instructions in [3_000_000, 3000, 60] {
            let mut bench = Bench::new();
            bench.limits.instructions = instructions;
            let alone = bench.run(function(body));
            let log = bench.server.log.clone();
            for round in 0..3 {
                // Run another job, another limit and a load of the same text before.
                bench.script("KEYS[1] = 'x' ARGV.y = 1 return redis.call('set', 'other', 'x')");
                bench.limits.instructions = 2_000_000;
                bench.run(function(body));
                if round == 1 {
                    let Work::Call { text, .. } = function(body) else { return };
                    bench.run(Work::Load { text });
                }
                bench.limits.instructions = instructions;
                bench.server.log.clear();
                assert_eq!(bench.run(function(body)), alone, "{body} within {instructions}");
                assert_eq!(bench.server.log, log, "{body}");
            }
        }
    }
}

/// The reported line is in the script's own code, or in the code that it was calling.
#[test]
fn stopped_script_reports_its_line() {
    for (script, line) in [
        ("while true do end", 1),
        ("#!lua\nlocal n = 1\nwhile true do end\nreturn n", 3),
        ("local n = 1\n\nwhile true do pcall(function() while true do end end) end", 3),
        ("local function f()\n  while true do end\nend\nf()", 2),
        ("local co = coroutine.wrap(function() while true do end end)\nco()", 2),
        ("\nwhile true do redis.pcall('ping') end", 2),
        ("local n = 1\nreturn string.find(string.rep('a', 20000), '.-.-.-.-b')", 2),
        ("local n = 1\nreturn loadstring('while true do end')()", 1),
    ] {
        let ran = Bench::new().script(script);
        let ScriptOutcome::BudgetSpent(Some(place)) = &ran.outcome else { panic!("{script}: {ran:?}") };
        assert_eq!(place.line, line, "{script}: {place:?}");
    }
}

/// A chain of the maximum length is stopped long before it is complete, whether the machine or the script compiles it.
#[test]
fn long_chains_are_stopped_before_they_are_complete() {
    let chain = format!("local s = string.rep('x', 1000000) return #({}s)", "s .. ".repeat(190));
    for script in [
        chain.clone(),
        format!("return loadstring({chain:?})()"),
        format!("return coroutine.wrap(function() {chain} end)()"),
    ] {
        let mut bench = Bench::new();
        bench.limits.memory_bytes = 64 << 20;
        assert_eq!(bench.script(&script).outcome, ScriptOutcome::OutOfMemory, "{script}");
    }
    // Each part adds one string, and is charged as four instructions.
    let short =
        Bench::new().script(format!("local s = 'x' while #s < 2 do s = {}s end return #s", "s .. ".repeat(190)));
    assert_eq!(short.outcome, ScriptOutcome::Reply(resp::Value::Integer(191)));
    assert!((300..400).contains(&short.instructions), "{short:?}");
}

/// An error after, in or before a long chain has the line number of the source.
#[test]
fn long_chains_keep_their_line_numbers() {
    let chain = "'a' ..\n".repeat(20);
    for (script, line) in [
        (format!("local x = {chain}'a'\nerror('x')"), 22),
        (format!("local t\nlocal x = {chain}'a'\nlocal y = t.x"), 23),
        (format!("local x = {chain}nosuch"), 21),
        (format!("local function f()\n local s = {chain}'a'\n error('x')\nend\nf()"), 23),
        (format!("local t = {{}}\nlocal x = {}t .. 'a'\nreturn x", "'a' .. ".repeat(20)), 2),
    ] {
        let ran = Bench::new().script(&script);
        let ScriptOutcome::Failed(failure) = &ran.outcome else { panic!("{script}: {ran:?}") };
        assert_eq!(failure.place.as_ref().map(|place| place.line), Some(line), "{script}: {failure:?}");
    }
}

/// Arguments that nearly fill the memory are freed before the next run.
#[test]
fn long_arguments_are_freed_after_the_run() {
    let mut bench = Bench::new();
    for count in [1, 2, 3, 1, 3] {
        let args = (0..count).map(|_| bytes::Bytes::from(vec![b'x'; (12 << 20) / count])).collect();
        let text =
            bytes::Bytes::from_static(b"local n = 0 for i = 1, #ARGV do n = n + #ARGV[i] end return n > 12000000");
        let ran = bench.run(Work::Script { text, keys: Vec::new(), args });
        assert_eq!(ran.outcome, ScriptOutcome::Reply(resp::Value::Integer(1)), "{count}");
    }
}
