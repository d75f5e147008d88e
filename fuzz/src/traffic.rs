//! Any text as the handler of traffic, any numbers as its settings: no request is lost, every run ends, and the result does not depend on
//! the slices in which time passes or on cached coroutines.
//!
//! An input consists of the functions, a line `%%`, and bytes that choose the settings.
use bytes::Bytes;
use lua_machine::LuaPlayer;
use world::Engines;
use world::traffic::settings::{Handler, Popularity, RatePoint, Service, TrafficSettings};
use world::traffic::{CrashTarget, Site};

use crate::{engine, memory};

/// Separator between the two parts of an input.
const BETWEEN: &str = "\n%%\n";
/// Maximum bytes that an input may allocate: two players, and a server with keys for each.
const BYTES_MAX: usize = 512 << 20;
/// Duration of traffic in ms.
const UNTIL_MS: u64 = 2_000;
/// Events per slice.
const EVENTS: u64 = 97;

/// Runs traffic with the handler and settings of an input.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (functions, chosen) = text.split_once(BETWEEN).unwrap_or((&text, "2345678"));
    memory::within(BYTES_MAX, || {
        let (settings, database) = settings(functions, chosen.as_bytes());
        let begin = |engines: &Engines| {
            Site::begin(settings.clone(), database.clone(), 4 << 20, engines)
                .expect("the settings are within their ranges")
        };
        let mut whole = begin(&engine::engines(LuaPlayer::for_traffic()));
        for (until_ms, act) in acts(chosen.as_bytes()) {
            whole.run(until_ms);
            check(&whole);
            act.happen(&mut whole);
        }
        let mut sliced = begin(&engine::engines(LuaPlayer::without_cache()));
        for (until_ms, act) in acts(chosen.as_bytes()) {
            while !sliced.run_slice(until_ms, EVENTS) {
                check(&sliced);
            }
            act.happen(&mut sliced);
            check(&sliced);
        }
        assert!(whole == sliced, "in stretches something else happens");
    });
}

/// What happens to the machines at a time.
enum Act {
    Crash(CrashTarget),
    Restart,
    Nothing,
}

impl Act {
    fn happen(&self, site: &mut Site) {
        match self {
            Act::Crash(target) => drop(site.crash(*target)),
            Act::Restart => site.restart(),
            Act::Nothing => {}
        }
    }
}

/// The acts chosen by these bytes, each with its time in ms; the last one is the end.
fn acts(chosen: &[u8]) -> Vec<(u64, Act)> {
    let mut at_ms = 0;
    let mut acts: Vec<(u64, Act)> = Vec::new();
    for byte in chosen.iter().skip(16) {
        at_ms += u64::from(byte % 16) * 25;
        let act = match byte / 16 {
            2 => Act::Crash(CrashTarget::Loader),
            3 => Act::Crash(CrashTarget::Machine(u32::from(byte % 3))),
            _ => Act::Restart,
        };
        acts.push((at_ms.min(UNTIL_MS), act));
    }
    acts.push((UNTIL_MS, Act::Nothing));
    acts
}

/// Checks that every request that arrived has ended, is in progress or waits.
fn check(site: &Site) {
    let (total, settings) = (site.traffic().series().total(), site.traffic().settings());
    let (at_work, waiting) = site.traffic().unfinished();
    let open = at_work as u64 + waiting;
    let ended = total.answered + total.errors();
    assert!(ended <= total.arrived, "{total:?}");
    assert!(total.arrived <= ended + total.too_late + open || settings.patience_ms > 0, "{total:?}");
    assert!(total.hits + total.misses <= total.answered && total.latency.count() == total.answered, "{total:?}");
    assert!(site.traffic().faults().len() <= 16);
}

/// The settings chosen by these bytes.
fn settings(functions: &str, chosen: &[u8]) -> (TrafficSettings, table::Settings) {
    let byte = |nth: usize| u32::from(chosen.get(nth).copied().unwrap_or(b'0'));
    let settings = TrafficSettings {
        seed: u64::from(byte(0)),
        rate: vec![RatePoint { at_ms: 0, per_s: byte(1) % 64 }, RatePoint { at_ms: 1_000, per_s: byte(2) % 64 }],
        items: 1 + byte(3) % 40,
        popularity: match byte(4) % 3 {
            0 => Popularity::Uniform,
            1 => Popularity::Zipf { exponent_milli: 1_000 },
            _ => Popularity::Hot { share_ppm: 700_000 },
        },
        absent_ppm: byte(5) % 4 * 100_000,
        absent_ids: 10,
        writes_ppm: byte(5) % 5 * 100_000,
        machines: 1 + byte(6) % 3,
        workers: 1 + byte(7) % 5,
        backlog: byte(8) % 6,
        patience_ms: byte(9) % 3 * 80,
        retries: byte(9) % 4,
        network_us: byte(10) % 3 * 700,
        redis_us: byte(11) % 3 * 900,
        service: if byte(12) % 2 == 0 { Service::Fixed } else { Service::Exponential },
        handler: Handler::Lua(Bytes::copy_from_slice(functions.as_bytes())),
        interval_ms: 100,
    };
    let database = table::Settings {
        service_ms: u64::from(byte(13) % 20),
        workers: byte(14) % 4,
        connections_max: byte(15) % 20,
        ..table::Settings::default()
    };
    (settings, database)
}

/// Realistic handlers of traffic, and scripts, each with some settings.
pub fn seeds(scripts: &[Vec<u8>]) -> Vec<Vec<u8>> {
    const CHOICES: [&str; 5] =
        ["0aaa000000000000", "1zz!112233445566", "7~~Zz94210987654", "~~~~~~~~~~~~~~~~", "1zz!112233445566*o4z'<O"];
    let mut inputs: Vec<Vec<u8>> = Vec::new();
    for choices in CHOICES {
        inputs.extend(HANDLERS.iter().map(|text| format!("{text}\n%%\n{choices}").into_bytes()));
    }
    for script in scripts.iter().step_by(9) {
        inputs.push([b"function get(id)\n", script.as_slice(), b"\nend\n%%\n1zz!112233445566"].concat());
    }
    inputs
}

const HANDLERS: &[&str] = &[
    "local db = connect('db') function get(id) local v = redis.call('GET', id) if v then return v end \
     local rows = db.query('SELECT value FROM item WHERE id = ?', id) if not rows[1] then return nil end \
     redis.call('SET', id, rows[1].value, 'EX', 1) return rows[1].value end \
     function put(id, value) db.query('UPDATE item SET value = ? WHERE id = ?', value, id) redis.call('DEL', id) end",
    "function get(id) while not redis.call('SET', 'lock' .. id, uuid(), 'NX', 'PX', 50) do sleep(10) end \
     local r = connect('db', { timeout = 5 }).pquery('SELECT value FROM item WHERE id = ?', id) \
     redis.call('DEL', 'lock' .. id) return r[1] and r[1].value end function put(id, value) work(3) end",
    "function get(id) spawn(function() sleep(20) redis.call('LPUSH', 'q' .. id, now()) end) \
     return redis.call('BLPOP', 'q' .. id, 1)[2] end function put(id) error('no ' .. random(1, 3)) end",
    "function get(id) local t = spawn(function() redis.call('BRPOP', 'q', 0) end) cancel(t) \
     return redis.call('EVAL', 'return redis.call(\"INCR\", KEYS[1])', 1, id) end \
     function put(id, value) connect('db').query('BEGIN') connect('db').query('DELETE FROM item WHERE id = ' .. id) end",
    "local m = memory('m', { most = 3 }) function start() for _, row in ipairs(connect('db').query('SELECT id FROM item')) do \
     memory('bits'):setbits({ hash(row.id) % 999, hash(row.id, 1) % 999 }) end end \
     function get(id) if not memory('bits'):hasbits({ hash(id) % 999, hash(id, 1) % 999 }) then return nil end \
     if not m:add(id, 1, 40) then m:wait(id, 30) return m:get(id) end sleep(20) m:set(id, 'v0-' .. id, 9) return m:get(id) end \
     function put(id) spawn(function() m:wait('n') end) m:incr('n') m:delete(id) end",
    "local m = memory('m') function start() redis.call('INCR', 'started') subscribe('c', 'd') end \
     function message(c, text) m:delete(text) if random(1, 4) == 1 then redis.call('PUBLISH', 'd', text) end end \
     function subscribed(c) m:clear() end \
     function get(id) local v = m:get(id) if not v then v = redis.call('INCR', id) m:set(id, v, 30) end return v end \
     function put(id) redis.call('PUBLISH', 'c', id) if id == '1' then redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub') end end",
];

/// Words of handlers.
pub const WORDS: &[&str] = &[
    "function get(id) ",
    "function put(id, value) ",
    "connect('db')",
    ".query('SELECT value FROM item WHERE id = ?', id)",
    ".pquery('UPDATE item SET value = ? WHERE id = ?', value, id)",
    "{ timeout = 5 }",
    "function start() ",
    "memory('m', { most = 3 })",
    "memory('m')",
    "subscribe('c')",
    "function message(c, text) ",
    "function subscribed(c) ",
    "redis.call('PUBLISH', 'c', id)",
    ":clear()",
    ":get(id)",
    ":set(id, value, 20)",
    ":add(id, 1, 30)",
    ":incr('n', -1)",
    ":delete(id)",
    ":wait(id, 10)",
    ":wait('n')",
    ":setbits({ 1, 134217727 })",
    ":hasbits({ hash(id, 3) % 99 })",
];
