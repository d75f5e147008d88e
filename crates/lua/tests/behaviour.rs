//! Behaviour that `EVAL` on a real server cannot record: protocols, random numbers, function libraries, the byte encoding.
mod support;

use bytes::Bytes;
use proptest::prelude::*;
use resp::{Protocol, Value};
use script::{Engine, Function, Job, Level, Limits, RANDOM_AT_START, Remote, Repl, ScriptOutcome, Work, serve};
use support::{Bench, reply, show};

fn bytes(text: &str) -> Bytes {
    Bytes::copy_from_slice(text.as_bytes())
}

fn eval(script: &str) -> String {
    match Bench::new().script(script).outcome {
        ScriptOutcome::Reply(value) => format!("{value:?}"),
        other => format!("{other:?}"),
    }
}

#[test]
fn keys_and_arguments() {
    let work = Work::Script {
        text: bytes("return {#KEYS, KEYS[1], #ARGV, ARGV[1], ARGV[2]}"),
        keys: vec![bytes("k")],
        args: vec![bytes("a"), Bytes::from_static(b"\0\xff")],
    };
    assert_eq!(show(&reply(Bench::new().run(work).outcome, "")), r#"[1, "k", 2, "a", "\x00\xff"]"#);
}

#[test]
fn replies_by_both_protocols() {
    for (script, two, three) in [
        ("redis.call('debug','protocol','double')", "Bulk(b\"3.25\")", "Double(3.25)"),
        ("redis.call('debug','protocol','true')", "Integer(1)", "Boolean(true)"),
        ("redis.call('debug','protocol','false')", "Integer(0)", "Boolean(false)"),
        ("redis.call('debug','protocol','null')", "Null", "Null"),
        ("type(redis.call('debug','protocol','null'))", "Bulk(b\"boolean\")", "Bulk(b\"nil\")"),
        ("redis.call('debug','protocol','set')", "Array([Integer(0), Integer(1), Integer(2)])", ""),
        (
            "redis.call('debug','protocol','map')",
            "Array([Integer(0), Integer(0), Integer(1), Integer(1), Integer(2), Integer(0)])",
            "",
        ),
        ("redis.call('debug','protocol','map').map[1]", "", "Boolean(true)"),
        ("redis.call('debug','protocol','set').set[2]", "", "Boolean(true)"),
        (
            "redis.call('debug','protocol','bignum')",
            "Bulk(b\"1234567999999999999999999999999999999\")",
            "BigNumber(b\"1234567999999999999999999999999999999\")",
        ),
        (
            "redis.call('debug','protocol','verbatim')",
            "Bulk(b\"This is a verbatim\\nstring\")",
            "Verbatim([116, 120, 116], b\"This is a verbatim\\nstring\")",
        ),
        ("redis.call('debug','protocol','verbatim').verbatim_string.format", "", "Bulk(b\"txt\")"),
        ("redis.call('ping')", "Simple(b\"PONG\")", "Simple(b\"PONG\")"),
        ("true", "Integer(1)", "Boolean(true)"),
        ("false", "Null", "Boolean(false)"),
    ] {
        if !two.is_empty() {
            assert_eq!(eval(&format!("return {script}")), two, "{script}");
        }
        if !three.is_empty() {
            assert_eq!(eval(&format!("redis.setresp(3) return {script}")), three, "{script}");
        }
    }
}

#[test]
fn the_host_gets_protocol_and_replication_targets() {
    let mut bench = Bench::new();
    bench.script("redis.call('ping') redis.setresp(3) redis.set_repl(redis.REPL_AOF) redis.pcall('get', 5, 0.5)");
    let [first, second] = bench.server.calls.as_slice() else { panic!("{:?}", bench.server.calls) };
    assert_eq!((first.protocol, first.repl), (Protocol::Resp2, Repl::default()));
    assert_eq!((second.protocol, second.repl), (Protocol::Resp3, Repl { aof: true, replicas: false }));
    assert_eq!(second.argv, [bytes("get"), bytes("5"), bytes("0.5")]);
    bench.script("redis.log(redis.LOG_WARNING, 'a', 2, {}, 'b')");
    assert_eq!(bench.server.log, [(Level::Warning, bytes("a 2 b"))]);
}

#[test]
fn permissions() {
    assert_eq!(eval("return redis.acl_check_cmd('get', 'k')"), "Integer(1)");
    assert_eq!(eval("return redis.acl_check_cmd('incr', 'k')"), "Null");
}

/// Recorded from a freshly started Redis 7.0.15.
#[test]
fn random_numbers_equal_those_of_redis() {
    let mut bench = Bench::new();
    let ran = bench.script("return {math.random(100), math.random(100), tostring(math.random()), math.random(5, 9)}");
    assert_eq!(show(&reply(ran.outcome, "")), r#"[40, 85, "0.35333609737146", 7]"#);
    let ran = bench.script("math.randomseed(5) return {math.random(100), math.random(100)}");
    assert_eq!(show(&reply(ran.outcome, "")), "[53, 28]");
    let text = bytes("return math.random(100)");
    let mut random = RANDOM_AT_START;
    let mut numbers = Vec::new();
    for _ in 0..2 {
        let work = Work::Script { text: text.clone(), keys: Vec::new(), args: Vec::new() };
        let ran = bench.machine.run(&Job { work, limits: Limits::USUAL, random }, &mut bench.server);
        random = ran.random;
        numbers.push(show(&reply(ran.outcome, "")));
    }
    assert_eq!(numbers, ["40", "85"]);
}

/// Loads a library as `FUNCTION LOAD` does.
fn load(body: &str) -> ScriptOutcome {
    Bench::new().run(Work::Load { text: bytes(&format!("#!lua name=lib\n{body}")) }).outcome
}

/// The error messages of Redis 7.0.15 for these function bodies.
#[test]
fn forbidden_actions_of_a_library_fail() {
    for (body, message) in [
        ("x=1", "ERR user_function:2: Attempt to modify a readonly table"),
        ("return y", "ERR user_function:2: Script attempted to access nonexistent global variable 'y'"),
        ("redis.call('get','a')", "ERR user_function:2: Script attempted to access nonexistent global variable 'call'"),
        ("redis.setresp(3)", "ERR user_function:2: Script attempted to access nonexistent global variable 'setresp'"),
        ("string.foo=1", "ERR user_function:2: Script attempted to access nonexistent global variable 'string'"),
        ("redis.foo=1", "ERR user_function:2: Attempt to modify a readonly table"),
        ("local t=nil; t.x=1", "ERR user_function:2: attempt to index local 't' (a nil value)"),
        ("redis.register_function()", "ERR wrong number of arguments to redis.register_function"),
        ("redis.register_function('a',function() end,3)", "ERR wrong number of arguments to redis.register_function"),
        ("redis.register_function('a',1)", "ERR second argument to redis.register_function must be a function"),
        (
            "redis.register_function({},function() end)",
            "ERR first argument to redis.register_function must be a string",
        ),
        (
            "redis.register_function('f')",
            "ERR calling redis.register_function with a single argument is only applicable to Lua table (representing named arguments).",
        ),
        (
            "redis.register_function('a b',function() end)",
            "ERR Library names can only contain letters, numbers, or underscores(_) and must be at least one character long",
        ),
        (
            "redis.register_function('f',function() end) redis.register_function('f',function() end)",
            "ERR Function already exists in the library",
        ),
        ("redis.register_function{function_name='a'}", "ERR redis.register_function must get a callback argument"),
        (
            "redis.register_function{callback=function() end}",
            "ERR redis.register_function must get a function name argument",
        ),
        (
            "redis.register_function{function_name='a',callback=1}",
            "ERR callback argument given to redis.register_function must be a function",
        ),
        (
            "redis.register_function{function_name='a',callback=function() end,foo=1}",
            "ERR unknown argument given to redis.register_function",
        ),
        (
            "redis.register_function{function_name='a',callback=function() end,flags='x'}",
            "ERR flags argument to redis.register_function must be a table representing function flags",
        ),
        ("redis.register_function{function_name='a',callback=function() end,flags={'x'}}", "ERR unknown flag given"),
        ("redis.register_function{function_name='a',callback=function() end,flags={1}}", "ERR unknown flag given"),
    ] {
        match load(body) {
            ScriptOutcome::Failed(failure) => assert_eq!(failure.message, bytes(message), "{body}"),
            other => panic!("{body}: {other:?}"),
        }
    }
    assert_eq!(load("a b"), ScriptOutcome::DoesNotCompile(bytes("user_function:2: '=' expected near 'b'")));
    assert!(matches!(load("while true do end"), ScriptOutcome::BudgetSpent(Some(_))));
    assert_eq!(load("local a = 1"), ScriptOutcome::Loaded(Vec::new()));
}

#[test]
fn a_library_registers_functions() {
    let function = |name: &str, description: Option<&str>, flags: &[&str]| Function {
        name: bytes(name),
        description: description.map(bytes),
        flags: flags.iter().map(|flag| bytes(flag)).collect(),
    };
    assert_eq!(
        load(
            "redis.register_function('f', function() end) redis.register_function(1, function() end) \
             redis.register_function{function_name='g', callback=redis.log, flags={'no-writes', 'ALLOW-OOM'}, description='d'}"
        ),
        ScriptOutcome::Loaded(vec![
            function("f", None, &[]),
            function("1", None, &[]),
            function("g", Some("d"), &["no-writes", "allow-oom"]),
        ])
    );
}

#[test]
fn a_function_runs() {
    let mut bench = Bench::new();
    let mut call = |body: &str| {
        let work = Work::Call {
            text: bytes(&format!("#!lua name=lib\n{body}")),
            function: bytes("f"),
            keys: vec![bytes("k")],
            args: vec![bytes("a")],
        };
        show(&reply(bench.run(work).outcome, "f"))
    };
    for (body, answer) in [
        ("redis.register_function('f', function(k, a) k[2] = 'z' return {k, a} end)", r#"[["k", "z"], ["a"]]"#),
        (
            "redis.register_function('f', function() return KEYS end)",
            r"-ERR user_function:2: Script attempted to access nonexistent global variable \'KEYS\' script: f, on @user_function:2.",
        ),
        (
            "local function g() return nosuch end\nredis.register_function('f', g)",
            r"-ERR user_function:2: Script attempted to access nonexistent global variable \'nosuch\' script: f, on @user_function:2.",
        ),
        (
            "redis.register_function('f', function()\n return redis.call('nosuch') end)",
            "-ERR Unknown Redis command called from script script: f, on @user_function:3.",
        ),
        (
            "redis.register_function('f', function()\n return redis.register_function('q', 1) end)",
            r"-ERR user_function:3: attempt to call field \'register_function\' (a nil value) script: f, on @user_function:3.",
        ),
        (
            "local a = redis.register_function\nredis.register_function('f', function() a('x', function() end) end)",
            "-ERR redis.register_function can only be called on FUNCTION LOAD command script: f, on @user_function:3.",
        ),
        ("redis.register_function('f', redis.log)", "-ERR First argument must be a number (log level)."),
        ("redis.register_function('g', redis.log)", "-ERR NoSuchFunction"),
        (
            "redis.register_function('f', function() local t={} for k in pairs(redis) do t[#t+1]=k end table.sort(t) return table.concat(t,' ') end)",
            "\"LOG_DEBUG LOG_NOTICE LOG_VERBOSE LOG_WARNING REDIS_VERSION REDIS_VERSION_NUM REPL_ALL REPL_AOF REPL_NONE REPL_REPLICA REPL_SLAVE acl_check_cmd call error_reply log pcall set_repl setresp sha1hex status_reply\"",
        ),
        (
            "redis.register_function('f', function() local t={} for k in pairs(_G) do t[#t+1]=k end table.sort(t) return table.concat(t,' ') end)",
            "\"_G _VERSION assert bit cjson cmsgpack collectgarbage coroutine error gcinfo getmetatable ipairs load loadstring math next pairs pcall rawequal rawget rawset redis select setmetatable string struct table tonumber tostring type unpack xpcall\"",
        ),
    ] {
        assert_eq!(call(body), answer, "{body}");
    }
}

#[test]
fn compiling_does_not_run_the_script() {
    let mut bench = Bench::new();
    assert_eq!(bench.machine.compile(&bytes("while true do end")), Ok(()));
    assert_eq!(bench.machine.compile(&bytes("x=")), Err(bytes("user_script:1: unexpected symbol near '<eof>'")));
    let long = "-".repeat(2 << 20);
    assert_eq!(bench.machine.compile(&bytes(&long)), Err(bytes("user_script:1: script is too long")));
}

#[test]
fn remote_machine_gives_the_same_results() {
    let mut far = lua_machine::LuaMachine::new();
    let mut remote = Remote::new(move |order: &[u8], ask: script::Ask<'_>| Some(serve(&mut far, order, ask)));
    for text in [
        "return {1, 'a', redis.call('get', 's'), redis.pcall('nosuch')}",
        "return redis.call('incr', 's')",
        "local t = {3, 1, 2} table.sort(t, function(a, b) redis.call('ping') return a < b end) return t",
        "x =",
        "while true do end",
        "redis.log(1, 'x') return redis.acl_check_cmd('get')",
        // A reply of maximum depth, and a deeper one.
        "local t = {} for i = 1, 511 do t = {t} end return t",
        "local t = {} for i = 1, 512 do t = {t} end return t",
        "local t = {} for i = 1, 5000 do t = {t} end return t",
    ] {
        let mut near = Bench::new();
        let work = Work::Script { text: bytes(text), keys: Vec::new(), args: Vec::new() };
        let job = Job { work, limits: Limits::USUAL, random: 5 };
        let mut server = support::Server::default();
        server.strings.insert(bytes("s"), bytes("x"));
        assert_eq!(remote.run(&job, &mut server), near.machine.run(&job, &mut near.server), "{text}");
        assert_eq!(server.calls, near.server.calls);
    }
}

/// Lua literals of values that survive JSON and MessagePack without loss.
fn literal() -> impl Strategy<Value = String> {
    let text = prop::collection::vec(any::<u8>(), 0..12).prop_map(|bytes| {
        let escaped: Vec<String> = bytes.iter().map(|byte| format!("\\{byte:03}")).collect();
        format!("\"{}\"", escaped.concat())
    });
    let leaf = prop_oneof![
        (-1_000_000_000_i64..1_000_000_000).prop_map(|number| number.to_string()),
        (-4000_i64..4000).prop_map(|number| (number as f64 / 16.0).to_string()),
        Just("true".to_owned()),
        Just("false".to_owned()),
        text.clone(),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(|items| format!("{{{}}}", items.join(","))),
            prop::collection::vec((text.clone(), inner), 1..4).prop_map(|pairs| {
                let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("[\"k\"..{key}]={value}")).collect();
                format!("{{{}}}", pairs.join(","))
            }),
        ]
    })
}

/// Compares two Lua values of any type.
const SAME: &str = "local function same(a, b) \
    if type(a) ~= type(b) then return false end \
    if type(a) ~= 'table' then return a == b end \
    for k, v in pairs(a) do if not same(v, b[k]) then return false end end \
    for k in pairs(b) do if a[k] == nil then return false end end \
    return true end ";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn values_survive_json_and_message_pack(value in literal()) {
        for codec in ["cjson.decode(cjson.encode(v))", "cmsgpack.unpack(cmsgpack.pack(v))"] {
            let script = format!("{SAME} local v = {value} return same(v, {codec})");
            prop_assert_eq!(eval(&script), "Integer(1)", "{}", script);
        }
    }

    /// Lua tokens in random order, mostly invalid: each run ends, and none crashes the machine.
    #[test]
    fn random_tokens_do_no_harm(words in prop::collection::vec(prop::sample::select(WORDS), 1..24)) {
        let mut bench = Bench::new();
        bench.limits = Limits { instructions: 20_000, memory_bytes: 4 << 20 };
        let outcome = bench.script(words.join(" ")).outcome;
        prop_assert!(outcome != ScriptOutcome::Broken, "{}", words.join(" "));
        prop_assert_eq!(bench.script("return 1").outcome, ScriptOutcome::Reply(Value::Integer(1)));
    }

    #[test]
    fn any_bytes_do_no_harm(text in prop::collection::vec(any::<u8>(), 0..64)) {
        prop_assert!(Bench::new().script(text).outcome != ScriptOutcome::Broken);
    }

    /// Library functions with any arguments.
    #[test]
    fn any_arguments_do_no_harm(
        function in prop::sample::select(FUNCTIONS),
        arguments in prop::collection::vec(prop::sample::select(ARGUMENTS), 0..5),
    ) {
        let mut bench = Bench::new();
        bench.limits = Limits { instructions: 100_000, memory_bytes: 4 << 20 };
        let script = format!("return {function}({})", arguments.join(", "));
        let outcome = bench.script(&script).outcome;
        prop_assert!(outcome != ScriptOutcome::Broken, "{}", script);
    }
}

const WORDS: &[&str] = &[
    "local",
    "x",
    "=",
    "y",
    "1",
    "'a'",
    "{",
    "}",
    "(",
    ")",
    "function",
    "end",
    "if",
    "then",
    "else",
    "while",
    "do",
    "for",
    "in",
    "pairs",
    "return",
    "..",
    "+",
    "-",
    "==",
    "<",
    "#",
    "not",
    "and",
    "or",
    ",",
    ";",
    "[",
    "]",
    ".",
    ":",
    "redis",
    "call",
    "pcall",
    "error",
    "string",
    "rep",
    "gsub",
    "table",
    "concat",
    "coroutine",
    "wrap",
    "yield",
    "setmetatable",
    "getmetatable",
    "KEYS",
    "nil",
    "true",
    "...",
    "break",
    "repeat",
    "until",
    "1e9",
    "cjson",
    "encode",
    "_G",
    "tostring",
    "select",
    "unpack",
    "next",
    "rawset",
    "loadstring",
    "'%d'",
    "'return 1'",
];

const FUNCTIONS: &[&str] = &[
    "string.rep",
    "string.sub",
    "string.byte",
    "string.char",
    "string.format",
    "string.find",
    "string.match",
    "string.gmatch",
    "string.gsub",
    "string.len",
    "string.lower",
    "string.reverse",
    "table.concat",
    "table.insert",
    "table.remove",
    "table.sort",
    "table.getn",
    "table.maxn",
    "table.foreach",
    "table.foreachi",
    "math.random",
    "math.floor",
    "math.ldexp",
    "math.fmod",
    "math.max",
    "select",
    "unpack",
    "tostring",
    "tonumber",
    "rawget",
    "rawset",
    "rawequal",
    "next",
    "pairs",
    "ipairs",
    "setmetatable",
    "getmetatable",
    "pcall",
    "xpcall",
    "error",
    "assert",
    "load",
    "loadstring",
    "collectgarbage",
    "coroutine.create",
    "coroutine.resume",
    "coroutine.wrap",
    "coroutine.status",
    "coroutine.yield",
    "coroutine.running",
    "redis.call",
    "redis.pcall",
    "redis.log",
    "redis.sha1hex",
    "redis.setresp",
    "redis.set_repl",
    "redis.error_reply",
    "redis.status_reply",
    "redis.acl_check_cmd",
    "cjson.encode",
    "cjson.decode",
    "cjson.encode_sparse_array",
    "cjson.encode_max_depth",
    "cjson.encode_invalid_numbers",
    "cjson.new",
    "cmsgpack.pack",
    "cmsgpack.unpack",
    "cmsgpack.unpack_one",
    "cmsgpack.unpack_limit",
    "bit.tobit",
    "bit.tohex",
    "bit.band",
    "bit.lshift",
    "bit.bswap",
    "struct.pack",
    "struct.unpack",
    "struct.size",
];

const ARGUMENTS: &[&str] = &[
    "nil",
    "true",
    "0",
    "1",
    "-1",
    "2.5",
    "1e9",
    "1e300",
    "-1e300",
    "1/0",
    "0/0",
    "2^31",
    "2^53",
    "''",
    "'a'",
    "'%d'",
    "'%s%s'",
    "'(.-)'",
    "'%'",
    "'[a'",
    "'\\0'",
    "'>i4'",
    "'!8d'",
    "'c0'",
    "'i33'",
    "'\\145\\145'",
    "'\\223\\255\\255\\255\\255'",
    "'[1,2'",
    "'{\"a\":null}'",
    "string.rep('ab', 1000)",
    "string.rep('[', 2000)",
    "{}",
    "{1,2,3}",
    "{a=1}",
    "{[1]=1,[1000]=2}",
    "setmetatable({}, {__index=error})",
    "function() end",
    "error",
    "string",
    "_G",
    "redis",
    "KEYS",
    "cjson.null",
    "coroutine.create(function() coroutine.yield() end)",
    "'return 1'",
    "'get'",
];
