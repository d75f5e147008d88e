//! Random scripts and functions: calls of random commands, conversions of values, errors, the cache and libraries.
use bytes::Bytes;
use redis_model::command::{self, Command, Flags, Group};
use redis_model::rng::Rng;

use super::grammar;
use super::pools::{key, one_in, pick};
use super::rules::{Rule, rule};

/// Return values of scripts, for every kind of conversion to a reply.
const VALUES: &[&str] = &[
    "1",
    "3.99",
    "-3.99",
    "-0.5",
    "2^53",
    "1e300",
    "0/0",
    "'text'",
    "''",
    "true",
    "false",
    "nil",
    "{}",
    "{1,2,3}",
    "{1,nil,3}",
    "{1,false,3}",
    "{1,{2,{3,{}}}}",
    "{ok='FINE'}",
    "{err='ERR broken'}",
    "{err='broken'}",
    "{ok='a\\nb'}",
    "{a=1}",
    "{double=3.5}",
    "{double=1e100}",
    "{double=1/0}",
    "{map={}}",
    "{map={a=1}}",
    "{set={}}",
    "{set={a=true}}",
    "{big_number='12345678901234567890'}",
    "{verbatim_string={string='text',format='txt'}}",
    "redis.status_reply('FINE')",
    "redis.error_reply('ERR broken')",
    "redis.error_reply('BROKEN')",
    "redis.error_reply('-X y')",
    "redis.sha1hex('abc')",
    "#KEYS",
    "KEYS",
    "ARGV",
    "KEYS[1]",
    "ARGV[1]",
    "#ARGV[1]",
    "ARGV[1]..'x'",
    "tostring(ARGV[1])",
    "tonumber(ARGV[1])",
    "tonumber('0x10')",
    "tostring(0.1)",
    "tostring(1e15)",
    "tostring(-0.0)",
    "string.format('%5.1f|%d|%s|%q',3.14159,42,'a','b')",
    "string.rep('ab',3,',')",
    "('hello'):upper()",
    "('a,b,c'):find(',',1,true)",
    "select('#',1,nil,3)",
    "table.concat({1,2,3},'-')",
    "#table.concat(ARGV)",
    "math.floor(-3.5)",
    "math.max(1,2.5)",
    "type(redis.call)",
    "bit.band(0xff,0x0f)",
    "bit.tohex(255)",
    "struct.pack('>I2',258)",
    "struct.unpack('>I2','\\1\\2')",
    "cjson.encode({1,2,'x',true})",
    "cjson.encode(1.5)",
    "cjson.encode({a=1})",
    "cjson.decode('[1,2.5,\"x\",null,true]')[2]",
    "cjson.decode('{\"a\":[1,2]}').a",
    "cmsgpack.unpack(cmsgpack.pack({1,2,'x'}))",
    "#cmsgpack.pack(1.5)",
    "{pcall(error,'inner')}",
    "{pcall(function() error('inner') end)}",
    "{pcall(redis.call,'nosuch')}",
];

/// Code that raises an error or does not compile.
const FAILURES: &[&str] = &[
    "error('boom')",
    "error('boom',0)",
    "error({err='boom'})",
    "error({err='CODE boom'})",
    "error()",
    "return nil + 1",
    "return {} .. ''",
    "local t = nil return t.x",
    "return undefined",
    "undefined = 1",
    "return redis.call()",
    "return redis.call('get',{})",
    "return redis.pcall('get',nil)",
    "return redis.call('nosuch')",
    "return redis.call('get')",
    "return redis.call('config','get','port')",
    "return redis.call('blpop','k',0)",
    "return redis.setresp(4)",
    "return redis.sha1hex()",
    "return redis.log('x')",
    "return cjson.decode('{')",
    "return cjson.encode(function() end)",
    "return string.rep()",
    "return ('x'):bad()",
    "return (",
    "retur 1",
    "return 'open",
    "x = = 1",
    "local function f() return f() + 1 end return f()",
    "assert(false)",
    "assert(nil,'said')",
    "\n\nerror('on line three')",
];

/// First lines of scripts.
const FIRST_LINES: &[&str] = &[
    "#!lua\n",
    "#!lua flags=no-writes\n",
    "#!lua flags=allow-oom,allow-stale\n",
    "#!lua flags=bad\n",
    "#!lua name=x\n",
    "#!lua",
    "#!python\n",
];

/// Scripts that are loaded and called by their SHA1.
const CACHED: &[(&str, &str)] = &[
    ("return 1", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db"),
    ("return redis.call('incr',KEYS[1])", "6f5ade10a69975e903c6d07b10ea44c6382381a5"),
    ("return redis.call('get',KEYS[1])", "fd758d1589d044dd850a6f05d52f2eefd27f033f"),
    ("return {KEYS[1],ARGV[1]}", "bfbf458525d6a0b19200bfd6db3af481156b367b"),
    ("error('boom')", "82903a0434f1503e152f89c03c9acd881a0e8150"),
];

const LIBRARIES: &[&str] = &[
    "#!lua name=lib1\nredis.register_function('f1',function(keys,args) return {keys,args} end)",
    "#!lua name=lib2\nredis.register_function('f2',function(keys,args) return redis.call('set',keys[1],args[1]) end)",
    "#!lua name=lib3\nredis.register_function{function_name='f3',callback=function(keys) return redis.call('get',keys[1]) end,flags={'no-writes'},description='reads'}",
    "#!lua name=lib4\nredis.register_function{function_name='f4',callback=function(keys) return redis.call('set',keys[1],'x') end,flags={'no-writes'}}",
    "#!lua name=lib1\nredis.register_function('f1',function() error('boom') end)",
    "#!lua name=lib5\nredis.register_function('F1',function() return 'another' end)",
    "#!lua name=lib6\nredis.register_function('f6',function() return redis.pcall('lpush','s1','x') end)",
    "#!lua name=lib7\n",
    "#!lua name=lib8\nreturn (",
    "#!lua name=lib9\nundefined()",
    "#!lua name=a-b\n",
    "#!lua\n",
    "return 1",
];

/// A call of a command of the family; `rows` are the commands that scripts may call.
pub(super) fn call(rng: &mut Rng, row: &'static Command, rows: &[&'static Command]) -> Vec<Bytes> {
    let is_strange = one_in(rng, 30);
    let mut words = match (row.container, row.name) {
        (_, "eval" | "eval_ro") => {
            let script = script(rng, rows);
            vec![script]
        }
        (_, "evalsha" | "evalsha_ro") => vec![sha(rng)],
        (_, "fcall" | "fcall_ro") => vec![name(rng, &["f1", "f2", "f3", "f4", "F1", "f6", "f7", "nosuch"])],
        ("script", "load") => vec![Bytes::from_static(cached(rng).0.as_bytes())],
        ("script", "exists") => (0..rng.below(3).saturating_add(1)).map(|_| sha(rng)).collect(),
        ("function", "load") => {
            let mut words = vec![name(rng, LIBRARIES)];
            if !one_in(rng, 3) {
                words.insert(0, Bytes::from_static(b"REPLACE"));
            }
            words
        }
        ("function", "delete") => vec![name(rng, &["lib1", "lib2", "lib3", "lib4", "lib5", "nosuch", "LIB1"])],
        _ => return grammar::call(rng, row),
    };
    if row.container.is_empty() {
        let (keys, args) = (rng.below(3), rng.below(3));
        let numkeys = if is_strange { name(rng, &["-1", "x", "9", ""]) } else { Bytes::from(keys.to_string()) };
        words.push(numkeys);
        words.extend((0..keys).map(|_| key(rng, row.group)).collect::<Vec<_>>());
        words.extend((0..args).map(|_| name(rng, &["1", "x", "", "2.5", "a b", "中文"])).collect::<Vec<_>>());
    }
    let names = [row.container, row.name].into_iter().filter(|name| !name.is_empty());
    names.map(|name| Bytes::from(name.to_ascii_uppercase())).chain(words).collect()
}

fn cached(rng: &mut Rng) -> (&'static str, &'static str) {
    CACHED.get(rng.index(CACHED.len())).copied().unwrap_or_default()
}

/// The SHA1 of a script that may be in the cache.
fn sha(rng: &mut Rng) -> Bytes {
    match rng.below(8) {
        0 => name(rng, &["abc", "", "ffffffffffffffffffffffffffffffffffffffff"]),
        1 => Bytes::from(cached(rng).1.to_ascii_uppercase()),
        _ => Bytes::from_static(cached(rng).1.as_bytes()),
    }
}

fn name(rng: &mut Rng, pool: &[&'static str]) -> Bytes {
    pick(rng, pool).map_or_else(Bytes::new, |name| Bytes::from_static(name.as_bytes()))
}

/// A script.
fn script(rng: &mut Rng, rows: &[&'static Command]) -> Bytes {
    let first_line = if one_in(rng, 15) { pick(rng, FIRST_LINES).unwrap_or_default() } else { "" };
    let resp = if one_in(rng, 5) { "redis.setresp(3) " } else { "" };
    let body = match rng.below(13) {
        12 => list_with_holes(rng),
        0..4 => format!("return {}", command_call(rng, rows)),
        4..7 => {
            let calls: Vec<String> = (0..rng.below(3).saturating_add(2)).map(|_| command_call(rng, rows)).collect();
            format!("return {{{}}}", calls.join(","))
        }
        7 => format!("local r = {} return {{type(r),type(r) == 'table' and #r or r}}", command_call(rng, rows)),
        8 => format!("{} return {}", command_call(rng, rows), pick(rng, VALUES).unwrap_or_default()),
        9 => pick(rng, FAILURES).unwrap_or_default().to_owned(),
        _ => format!("return {}", pick(rng, VALUES).unwrap_or_default()),
    };
    Bytes::from(format!("{first_line}{resp}{body}"))
}

/// Lists that contain nil, whose reported length varies: from a reply, and from MessagePack.
fn list_with_holes(rng: &mut Rng) -> String {
    let count = 1 + if one_in(rng, 8) { rng.below(120) } else { rng.below(9) };
    let odds = 1 + rng.below(4);
    let list = if one_in(rng, 2) {
        let word =
            |rng: &mut Rng| if rng.below(5) < odds { key(rng, Group::String) } else { Bytes::from_static(b"nosuch") };
        let keys: Vec<String> = (0..count).map(|_| literal(&word(rng))).collect();
        format!("redis.call('mget',{})", keys.join(","))
    } else {
        let items: String = (0..count).map(|_| if rng.below(5) < odds { "\\1" } else { "\\192" }).collect();
        format!("cmsgpack.unpack('\\220\\0\\{count:03}{items}')")
    };
    format!(
        "redis.setresp(3) local r = {list} local n = 0 for _ in ipairs(r) do n = n + 1 end \
         return {{#r,n,table.getn(r),table.maxn(r),select('#',unpack(r)),r}}"
    )
}

/// `redis.call(…)` of a command whose reply is compared exactly.
fn command_call(rng: &mut Rng, rows: &[&'static Command]) -> String {
    for _ in 0..50 {
        let Some(row) = rows.get(rng.index(rows.len())) else { break };
        if row.flags.contains(Flags::NOSCRIPT) && !one_in(rng, 20) {
            continue;
        }
        let argv = grammar::call(rng, row);
        let is_exact = command::find(&argv).is_ok_and(|found| found.full_name() == row.full_name())
            && rule(&argv) == Rule::Exact
            && !argv.iter().any(|word| word.len() > 200);
        if is_exact && !is_left_open(row) {
            let words: Vec<String> = argv.iter().map(|word| literal(word)).collect();
            let function = if one_in(rng, 3) { "call" } else { "pcall" };
            return format!("redis.{function}({})", words.join(","));
        }
    }
    "redis.call('ping')".to_owned()
}

/// Does a call from a script have a reply or effect that Redis does not define?
fn is_left_open(row: &Command) -> bool {
    // An id of `XADD` may be the time. A map becomes a table, which has no order; a lexicographic range over different scores is undefined;
    // the others delete all keys or send messages to all clients.
    row.container == "xinfo"
        || row.name.contains("lex")
        || matches!(row.name, "lcs" | "xadd" | "flushall" | "flushdb" | "swapdb" | "publish" | "spublish" | "sort")
}

/// Bytes as a string of Lua.
fn literal(bytes: &[u8]) -> String {
    let escaped = bytes.iter().map(|byte| match byte {
        b'\'' | b'\\' => format!("\\{}", char::from(*byte)),
        b' '..=b'~' => char::from(*byte).to_string(),
        _ => format!("\\{byte:03}"),
    });
    format!("'{}'", escaped.collect::<String>())
}
