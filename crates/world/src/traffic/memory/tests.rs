//! Memory of machines: regions compared with a naive model, and students' handlers compared with what they promise.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
use proptest::prelude::*;
use script::fingerprint;

use super::region::{Refusal, Region};
use super::*;
use crate::traffic::Site;
use crate::traffic::arrivals::{Arrivals, Wish};
use crate::traffic::handler::CACHE_ASIDE;
use crate::traffic::series::Interval;
use crate::traffic::settings::{Popularity, RatePoint, Service};
use crate::traffic::tests::{after, check_conservation, database, engines, lua, steady};

/// The handlers in the folder with this name.
macro_rules! handlers {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../handlers/", $name, ".lua")))),*]
    };
}

const HANDLERS: [(&str, &str); 11] = handlers![
    "null-cache",
    "jitter",
    "bloom-memory",
    "bloom-redis",
    "mutex",
    "coalesce",
    "limiter",
    "local-cache",
    "logical-expiry",
    "warm-up",
    "keys"
];

fn handler(name: &str) -> &'static str {
    HANDLERS.iter().find(|(other, _)| *other == name).unwrap().1
}

fn bytes(text: &str) -> Bytes {
    Bytes::copy_from_slice(text.as_bytes())
}

/// The faults that a site reports, with their counts.
fn faults(site: &Site) -> Vec<(String, u64)> {
    let found = |fault: &crate::traffic::HandlerError| (String::from_utf8_lossy(&fault.what).into_owned(), fault.count);
    site.traffic().faults().iter().map(found).collect()
}

fn total(site: &Site) -> Interval {
    site.traffic().series().total()
}

// ---- regions ----

/// Entries as a list, least recently used first: the simplest model of a region.
#[derive(Default)]
struct Naive {
    most: Option<usize>,
    entries: Vec<(Bytes, Bytes, Option<u64>)>,
    changed: Vec<Bytes>,
}

impl Naive {
    fn take(&mut self, key: &Bytes) -> Option<(Bytes, Bytes, Option<u64>)> {
        let at = self.entries.iter().position(|(other, ..)| other == key)?;
        Some(self.entries.remove(at))
    }

    fn look(&mut self, key: &Bytes) -> Option<Bytes> {
        let entry = self.take(key)?;
        self.entries.push(entry.clone());
        Some(entry.1)
    }

    fn put(&mut self, key: &Bytes, value: Bytes, until_ns: Option<u64>) {
        self.take(key);
        if self.most.is_some_and(|most| self.entries.len() >= most) {
            self.changed.push(self.entries.remove(0).0);
        }
        self.entries.push((key.clone(), value, until_ns));
        self.changed.push(key.clone());
    }

    fn answer(&mut self, now_ns: u64, most: Option<u32>, command: &MemoryCommand) -> Result<Value, Refusal> {
        self.entries.retain(|(_, _, until_ns)| until_ns.is_none_or(|until_ns| until_ns > now_ns));
        self.most = most.map(|most| most as usize).or(self.most);
        while self.most.is_some_and(|most| self.entries.len() > most) {
            self.changed.push(self.entries.remove(0).0);
        }
        let until_ns = |ttl_ms: &Option<u64>| ttl_ms.map(|ms| now_ns + ms * MS);
        Ok(match command {
            MemoryCommand::Get { key } => self.look(key).map_or(Value::Null, Value::Bulk),
            MemoryCommand::Set { key, value, ttl_ms } => {
                self.put(key, value.clone(), until_ns(ttl_ms));
                Value::Simple(bytes("OK"))
            }
            MemoryCommand::Add { key, value, ttl_ms } => {
                let is_absent = self.look(key).is_none();
                if is_absent {
                    self.put(key, value.clone(), until_ns(ttl_ms));
                }
                Value::Integer(i64::from(is_absent))
            }
            MemoryCommand::Incr { key, n } => {
                let found = self.entries.iter().find(|(other, ..)| other == key).cloned();
                let before = found.as_ref().map_or(Some(0), |(_, value, _)| {
                    String::from_utf8(value.to_vec()).ok().and_then(|text| text.parse::<i64>().ok())
                });
                let sum = before.and_then(|before| before.checked_add(*n)).ok_or(Refusal::NoNumber)?;
                self.put(key, Bytes::from(sum.to_string()), found.and_then(|(_, _, until_ns)| until_ns));
                Value::Integer(sum)
            }
            MemoryCommand::Delete { key } => {
                let was_there = self.take(key).is_some();
                self.changed.extend(was_there.then(|| key.clone()));
                Value::Integer(i64::from(was_there))
            }
            MemoryCommand::Clear => {
                self.changed.extend(std::mem::take(&mut self.entries).into_iter().map(|(key, ..)| key));
                Value::Simple(bytes("OK"))
            }
            _ => Value::Null,
        })
    }
}

fn command() -> impl Strategy<Value = MemoryCommand> {
    let key = || (0_u32..12).prop_map(|n| Bytes::from(format!("k{n}")));
    let value = || prop_oneof![(-5_i64..5).prop_map(|n| Bytes::from(n.to_string())), Just(Bytes::from_static(b"x"))];
    let ttl = || prop::option::of(1_u64..20);
    prop_oneof![
        4 => key().prop_map(|key| MemoryCommand::Get { key }),
        4 => (key(), value(), ttl()).prop_map(|(key, value, ttl_ms)| MemoryCommand::Set { key, value, ttl_ms }),
        2 => (key(), value(), ttl()).prop_map(|(key, value, ttl_ms)| MemoryCommand::Add { key, value, ttl_ms }),
        2 => (key(), prop_oneof![-3_i64..3, Just(i64::MAX)]).prop_map(|(key, n)| MemoryCommand::Incr { key, n }),
        1 => key().prop_map(|key| MemoryCommand::Delete { key }),
        1 => Just(MemoryCommand::Clear),
    ]
}

proptest! {
    #[test]
    fn region_agrees_with_naive_list(steps in prop::collection::vec((0_u64..8, prop::option::weighted(0.3, 1_u32..9), command()), 1..200)) {
        let (mut region, mut naive, mut now_ns, mut clone) = (Region::default(), Naive::default(), 0, None);
        for (nth, (ms, most, command)) in steps.into_iter().enumerate() {
            now_ns += ms * MS;
            if nth == 50 {
                clone = Some((region.clone(), fingerprint(&region)));
            }
            let mut changed = Vec::new();
            region.expire(now_ns);
            if let Some(most) = most {
                region.limit(most, &mut changed);
            }
            let answered = region.answer(now_ns, usize::MAX, &command, &mut changed);
            prop_assert_eq!(answered, naive.answer(now_ns, most, &command));
            prop_assert_eq!(changed, std::mem::take(&mut naive.changed));
            prop_assert_eq!(region.by_last_use(), naive.entries.clone());
            region.check();
        }
        if let Some((clone, before)) = clone {
            prop_assert_eq!(fingerprint(&clone), before, "a clone stays as it was");
        }
    }

    #[test]
    fn bits_agree_with_set_of_positions(lists in prop::collection::vec((any::<bool>(), prop::collection::vec(0_u32..20_000, 0..20)), 1..40)) {
        let (mut region, mut set) = (Region::default(), std::collections::BTreeSet::new());
        for (is_set, places) in lists {
            if is_set {
                region.answer(0, usize::MAX, &MemoryCommand::SetBits { places: places.clone() }, &mut Vec::new()).unwrap();
                set.extend(places);
            } else {
                let has = places.iter().all(|place| set.contains(place));
                let answered = region.answer(0, usize::MAX, &MemoryCommand::HasBits { places }, &mut Vec::new());
                prop_assert_eq!(answered, Ok(Value::Integer(i64::from(has))));
            }
            region.check();
        }
    }
}

#[test]
fn command_beyond_limits_is_rejected_without_effect() {
    let mut memory = Memory::default();
    let mut ask = |most: Option<u32>, command: MemoryCommand| {
        let before = memory.clone();
        let answered = memory.answer(0, 20_000, (&bytes("r"), most), &command, &mut Vec::new());
        if answered.is_err() && !before.regions.is_empty() {
            assert_eq!(memory, before, "{command:?}");
        }
        assert!(memory.bytes() <= 20_000);
        (answered, memory.entries())
    };
    let set =
        |key: &str, size: usize| MemoryCommand::Set { key: bytes(key), value: vec![b'x'; size].into(), ttl_ms: None };
    let full = Err("the memory of the machine is full: it has 19 KB".to_owned());
    assert_eq!(ask(None, set("a", 10_000)).0, Ok(Value::Simple(bytes("OK"))));
    assert_eq!(ask(None, set("b", 10_000)), (full.clone(), 1));
    assert_eq!(ask(None, MemoryCommand::SetBits { places: (0..99).map(|page| page * 4_096).collect() }).0, full);
    assert_eq!(ask(None, set("a", 19_000)).1, 1, "what it replaces does not count");
    assert_eq!(ask(None, set("b", 10_000)), (full.clone(), 1));
    assert_eq!(ask(Some(1), set("b", 19_000)), (Ok(Value::Simple(bytes("OK"))), 1), "nor does what goes");
    assert_eq!(ask(None, set(&"k".repeat(1_025), 0)).0, Err("a key has at most 1024 bytes".to_owned()));
    assert_eq!(
        ask(None, MemoryCommand::Wait { key: "k".repeat(1_025).into(), timeout_ms: None }).0,
        Err("a key has at most 1024 bytes".to_owned())
    );
    let beyond = Err("at most 10000 places, each below 134217728".to_owned());
    assert_eq!(ask(None, MemoryCommand::SetBits { places: vec![MEMORY_BITS] }).0, beyond);
    assert_eq!(ask(None, MemoryCommand::HasBits { places: vec![0; MEMORY_PLACES_MAX + 1] }).0, beyond);
    let no_number = Err("the value is not a whole number, or the sum would be too great".to_owned());
    assert_eq!(ask(None, MemoryCommand::Incr { key: bytes("b"), n: 1 }).0, no_number);
    let mut many = Memory::default();
    let get = MemoryCommand::Get { key: bytes("k") };
    let answers =
        (0..=REGIONS_MAX).map(|n| many.answer(0, 1 << 20, (&Bytes::from(n.to_string()), None), &get, &mut Vec::new()));
    assert_eq!(answers.last(), Some(Err("a machine has at most 100 memories".to_owned())));
}

// ---- handlers ----

#[test]
fn no_request_is_lost_with_any_handler() {
    for (name, text) in HANDLERS {
        let settings = TrafficSettings {
            rate: steady(300),
            items: 500,
            absent_ppm: 100_000,
            writes_ppm: 30_000,
            machines: 3,
            workers: 8,
            patience_ms: 400,
            retries: 1,
            handler: lua(text),
            ..TrafficSettings::default()
        };
        let mut whole = Site::begin(settings.clone(), database(20, 4), 0, &engines()).unwrap();
        let mut sliced = Site::begin(settings, database(20, 4), 0, &engines()).unwrap();
        // In the middle, a clone goes on instead.
        for at_ms in (0..4_300).step_by(701) {
            whole.run(at_ms);
            check_conservation(&whole);
            while !sliced.run_slice(at_ms, 37) {}
            sliced = sliced.clone();
        }
        assert_eq!(whole, sliced, "{name}");
        assert_eq!(fingerprint(&whole), fingerprint(&sliced), "{name}");
        let total = total(&whole);
        let errors = if name == "limiter" { total.failed } else { 0 };
        assert_eq!(faults(&whole).iter().map(|(_, count)| count).sum::<u64>(), errors, "{name} {:?}", faults(&whole));
        assert!(total.answered > 900 && total.wrong == 0, "{name} {total:?}");
    }
}

#[test]
fn false_positive_rate_of_filter_matches_formula() {
    let cases = [
        ("bloom-memory", 10_000, 100_000_u32, 7_u32),
        ("bloom-memory", 2_000, 10_000, 2),
        ("bloom-redis", 2_000, 10_000, 4),
    ];
    for (name, items, bits, hashes) in cases {
        let chosen = format!("BITS, HASHES = {bits}, {hashes}");
        let settings = TrafficSettings {
            rate: steady(2_000),
            items,
            // An endless stream of different ids that do not exist.
            absent_ppm: 1_000_000,
            absent_ids: 10_000_000,
            machines: 2,
            patience_ms: 0,
            handler: lua(&handler(name).replace("BITS, HASHES = 100000, 7", &chosen)),
            ..TrafficSettings::default()
        };
        let site = after(settings, database(10, 100), 15_000);
        check_conservation(&site);
        assert_eq!(faults(&site), []);
        let total = total(&site);
        assert_eq!(total.wrong, 0);
        // Each start has sent one statement to the database.
        let starts = if name == "bloom-memory" { 2 } else { 1 };
        let share = (total.queries - starts) as f64 / total.answered as f64;
        // The chance that k bits are all set of m, of which k were set for each of n items.
        let zero = libm::pow(1.0 - 1.0 / f64::from(bits), f64::from(hashes * items));
        let expected = libm::pow(1.0 - zero, f64::from(hashes));
        // Five standard deviations of such a sample, and a twentieth because the number of bits that are set is a sample, too.
        let deviation = (expected * (1.0 - expected) / total.answered as f64).sqrt();
        assert!(
            (share - expected).abs() < 5.0 * deviation + expected / 20.0,
            "{name} {bits} {hashes}: {share} {expected}"
        );
    }
}

#[test]
fn filter_has_no_false_negatives() {
    for name in ["bloom-memory", "bloom-redis"] {
        let settings = TrafficSettings {
            rate: steady(1_000),
            items: 2_000,
            popularity: Popularity::Uniform,
            handler: lua(handler(name)),
            ..TrafficSettings::default()
        };
        let site = after(settings, database(1, 100), 5_000);
        let total = total(&site);
        assert!(total.wrong == 0 && total.answered > 4_800, "{name} {total:?}");
    }
}

#[test]
fn redis_sees_hot_item_only_when_local_caches_expire() {
    let settings = TrafficSettings {
        rate: steady(100_000),
        items: 10,
        popularity: Popularity::Hot { share_ppm: 1_000_000 },
        machines: 50,
        handler: lua(handler("local-cache")),
        ..TrafficSettings::default()
    };
    let mut site = Site::begin(settings, database(10, 10), 0, &engines()).unwrap();
    // By then, requests from before the first cache entry are answered.
    site.run(1_400);
    let first = total(&site);
    site.run(2_400);
    check_conservation(&site);
    let later = total(&site);
    // In this second each of 50 machines sends one GET, and more for requests that arrive while its GET is in flight, some 210 µs.
    let commands = later.commands - first.commands;
    let others = 50.0 * (100_000.0 / 50.0) * 210e-6;
    assert!(commands >= 50 && (commands as f64) < 50.0 + 1.5 * others, "{commands} {others}");
    assert!(later.answered > 230_000 && later.errors() == 0, "{later:?}");
    assert_eq!(site.traffic().series().now().latency.percentile_us(990), Some(0), "at once");
    let memory = site.traffic().memory(0).unwrap();
    assert_eq!((memory.entries(), memory.waits()), (1, 0));
}

#[test]
fn local_cache_is_stale_for_its_ttl() {
    let run = |ttl_ms: u32| {
        let text = handler("local-cache").replace("value, 1000)", &format!("value, {ttl_ms})"));
        let settings = TrafficSettings {
            rate: steady(1_000),
            items: 20,
            writes_ppm: 5_000,
            machines: 10,
            handler: lua(&text),
            ..TrafficSettings::default()
        };
        let total = total(&after(settings, database(2, 10), 30_000));
        assert_eq!(total.wrong, 0);
        (total.stale, total.stale_ms_max)
    };
    let (long, short) = (run(1_000), run(100));
    // Between the UPDATE and the DEL, a machine can read the former value from Redis once more.
    assert!((900..=1_004).contains(&long.1) && (80..=104).contains(&short.1), "{long:?} {short:?}");
    assert!(long.0 > 3 * short.0, "{long:?} {short:?}");
}

/// A hundred requests for one uncached item within a few ms.
fn stampede(text: &str, machines: u32) -> Site {
    let settings = TrafficSettings {
        rate: vec![
            RatePoint { at_ms: 0, per_s: 20_000 },
            RatePoint { at_ms: 5, per_s: 20_000 },
            RatePoint { at_ms: 6, per_s: 0 },
        ],
        items: 1,
        machines,
        workers: 200,
        patience_ms: 0,
        handler: lua(text),
        ..TrafficSettings::default()
    };
    let site = after(settings, database(50, 100), 2_000);
    check_conservation(&site);
    let total = total(&site);
    assert!(total.answered > 90 && total.answered == total.arrived && total.wrong == 0, "{total:?}");
    assert_eq!(faults(&site), []);
    site
}

#[test]
fn only_one_of_concurrent_misses_queries_database() {
    let queries = |text: &str, machines| total(&stampede(text, machines)).queries;
    assert!(queries(crate::traffic::handler::CACHE_ASIDE, 4) > 90);
    assert_eq!(queries(handler("mutex"), 4), 1);
    assert_eq!(queries(handler("coalesce"), 1), 1);
    // At most once per machine.
    assert!((1..=4).contains(&queries(handler("coalesce"), 4)));
    let site = stampede(handler("coalesce"), 1);
    assert_eq!(site.traffic().memory(0).map(|memory| (memory.entries(), memory.waits())), Some((0, 0)));
    assert!(site.traffic().due.is_empty(), "a wait that is over leaves no timeout behind");
}

#[test]
fn limiter_caps_statements_and_fails_the_rest() {
    let run = |name: &str| {
        let settings = TrafficSettings {
            rate: steady(500),
            items: 100_000,
            popularity: Popularity::Uniform,
            machines: 3,
            workers: 32,
            service: Service::Exponential,
            handler: lua(handler(name)),
            ..TrafficSettings::default()
        };
        let site = after(settings, database(50, 100), 10_000);
        check_conservation(&site);
        site
    };
    let (free, limited) = (run("jitter"), run("limiter"));
    assert!(total(&free).at_database_max > 25, "{:?}", total(&free));
    let found = total(&limited);
    assert_eq!(found.at_database_max, 12, "{found:?}");
    // 3 machines with 4 statements of 50 ms each can do 240 a second, and a bit less because of network time.
    assert!((2_300..2_600).contains(&found.answered) && found.failed > 2_300, "{found:?}");
    // Up to 8 wait for one of 4.
    assert!(found.latency.percentile_us(500).unwrap() > 100_000, "{found:?}");
    assert_eq!(faults(&limited), [("program:10: the database is busy".to_owned(), found.failed)]);
    assert!((0..3).all(|machine| limited.traffic().memory(machine).unwrap().waits() <= 8));
}

#[test]
fn a_stale_item_is_answered_while_it_is_loaded_again() {
    let settings = TrafficSettings {
        rate: steady(60),
        items: 20,
        handler: lua(handler("logical-expiry")),
        ..TrafficSettings::default()
    };
    let site = after(settings, database(50, 10), 130_000);
    let intervals = site.traffic().series().over();
    let queries = |from: usize, to: usize| intervals[from..to].iter().map(|interval| interval.queries).sum::<u64>();
    // All items are loaded, and again every minute, but no caller waits for that.
    assert!(
        queries(0, 30) >= 20 && queries(30, 58) == 0 && (18..=22).contains(&queries(58, 75)),
        "{}",
        queries(58, 75)
    );
    let late = Interval::joined(intervals[30..].iter().map(std::rc::Rc::as_ref));
    assert!(late.latency.percentile_us(1_000).unwrap() < 2_000, "{late:?}");
    assert_eq!(faults(&site), []);
}

#[test]
fn waiting_thread_wakes_on_change_expiry_or_timeout() {
    // Request 1 of the machine sets up; later ones report how long they waited and what they got.
    let wait = |setup: &str, wait: &str| {
        let text = format!(
            "local m = memory('m') function get(id) if m:incr('count') == 1 then {setup} return 'v0-' .. id end \
             local begun = now() local heard = {wait} note(heard) if heard then redis.call('RPUSH', 'true', now() - begun) \
             else redis.call('RPUSH', 'false', now() - begun) end return 'v0-' .. id end"
        );
        let settings = TrafficSettings {
            rate: vec![
                RatePoint { at_ms: 0, per_s: 100 },
                RatePoint { at_ms: 100, per_s: 100 },
                RatePoint { at_ms: 101, per_s: 0 },
            ],
            machines: 1,
            patience_ms: 0,
            handler: lua(&text),
            ..TrafficSettings::default()
        };
        let site = after(settings, database(1, 1), 10_000);
        check_conservation(&site);
        assert_eq!(faults(&site), [], "{text}");
        let mut redis = site.redis().clone();
        let client = redis.connect(2_000_000_000_000);
        let mut list = |key: &'static str| {
            let argv = ["LRANGE", key, "0", "-1"].map(|word| Bytes::from_static(word.as_bytes())).to_vec();
            let outputs = redis.handle(2_000_000_000_000, client, argv);
            outputs
                .into_iter()
                .find_map(|output| match output {
                    redis_model::Output::Reply { value: Value::Array(items), .. } => Some(
                        items
                            .iter()
                            .map(|item| match item {
                                Value::Bulk(text) => String::from_utf8_lossy(text).parse().unwrap(),
                                _ => 0_u64,
                            })
                            .collect::<Vec<_>>(),
                    ),
                    _ => None,
                })
                .unwrap()
        };
        (list("true"), list("false"), site.traffic().unfinished().0)
    };
    let spawn = |what: &str| format!("spawn(function() sleep(500) {what} end)");
    let (heard, timeouts, open) = wait("", "m:wait('k', 300)");
    assert!(
        heard.is_empty() && timeouts.len() > 3 && timeouts.iter().all(|ms| *ms == 300) && open == 0,
        "{timeouts:?}"
    );
    for change in ["m:set('k', 1)", "m:add('k', 1)", "m:incr('k')"] {
        let (heard, timeouts, open) = wait(&spawn(change), "m:wait('k', 3000)");
        assert!(timeouts.is_empty() && heard.len() > 3 && open == 0, "{change}: {heard:?} {timeouts:?}");
        assert!(heard.iter().all(|ms| (390..=501).contains(ms)), "{change}: {heard:?}");
    }
    let (heard, timeouts, _) = wait(&format!("m:set('k', 1) {}", spawn("m:delete('k')")), "m:wait('k', 3000)");
    assert!(timeouts.is_empty() && heard.iter().all(|ms| (390..=501).contains(ms)), "{heard:?}");
    let (heard, timeouts, _) = wait("m:set('k', 1, 500)", "m:wait('k', 3000)");
    assert!(timeouts.is_empty() && heard.iter().all(|ms| (390..=501).contains(ms)), "{heard:?}");
    let (heard, timeouts, _) = wait("m:set('k', 1, 500)", "m:wait('k', 100)");
    assert!(heard.is_empty() && timeouts.iter().all(|ms| *ms == 100), "{timeouts:?}");
    // The less recently used entry is evicted.
    let evict = "memory('m', { most = 2 }):set('k', 1) spawn(function() sleep(500) m:set('l', 1) end)";
    let (heard, timeouts, _) = wait(evict, "m:wait('k', 3000)");
    assert!(timeouts.is_empty() && heard.len() > 3 && heard.iter().all(|ms| (390..=501).contains(ms)), "{heard:?}");
    // What a waiting handler does itself: cancel its own thread, and let a thread go on after the answer.
    let (heard, timeouts, open) =
        wait("", "(function() local t = spawn(function() m:wait('k') end) sleep(100) cancel(t) return true end)()");
    assert!(timeouts.is_empty() && heard.iter().all(|ms| *ms == 100) && open == 0, "{heard:?}");
}

#[test]
fn endless_wait_occupies_worker_while_time_passes() {
    let text = "local m = memory('m') function get(id) if id == '1' then m:wait('never') end return 'v0-' .. id end";
    let settings = TrafficSettings {
        rate: steady(100),
        popularity: Popularity::Hot { share_ppm: 100_000 },
        machines: 2,
        workers: 4,
        backlog: 10,
        patience_ms: 500,
        handler: lua(text),
        ..TrafficSettings::default()
    };
    let site = after(settings, database(1, 1), 20_000);
    check_conservation(&site);
    let found = total(&site);
    assert_eq!(site.traffic().unfinished(), (8, 20));
    let waits: usize = (0..2).filter_map(|machine| site.traffic().memory(machine)).map(Memory::waits).sum();
    assert_eq!(waits, 8);
    assert!(found.given_up >= 28 && found.refused > 1_500 && found.answered > 20, "{found:?}");
    assert_eq!(faults(&site), []);
}

#[test]
fn database_executes_a_statement_per_miss_and_write() {
    let per_s = |at_ms, per_s| RatePoint { at_ms, per_s };
    for (name, text) in HANDLERS.into_iter().chain([("cache-aside", CACHE_ASIDE)]) {
        let settings = TrafficSettings {
            // Requests come for four seconds; all of them have ended after ten.
            rate: vec![per_s(0, 400), per_s(4_000, 400), per_s(4_001, 0)],
            items: 300,
            writes_ppm: 50_000,
            patience_ms: 0,
            handler: lua(text),
            ..TrafficSettings::default()
        };
        let mut arrivals = Arrivals::new(&settings);
        let all: Vec<_> = std::iter::from_fn(|| arrivals.take(&settings)).collect();
        let writes = all.iter().filter(|arrival| arrival.wish == Wish::Put).count() as u64;
        let site = after(settings, database(1, 0), 10_000);
        check_conservation(&site);
        let total = total(&site);
        assert_eq!((total.arrived, total.answered), (all.len() as u64, all.len() as u64), "{name}");
        assert_eq!(total.hits + total.misses, total.answered - writes, "{name}: {total:?}");
        // Each machine loads its items, or fills its Bloom filter, by a statement; or the first one does for all. A request that waits for the statement of another
        // one executes none and counts as a hit.
        let loads = match name {
            "bloom-memory" | "warm-up" => 4,
            "bloom-redis" => 1,
            _ => 0,
        };
        assert_eq!(total.queries, total.misses + writes + loads, "{name}: {total:?}");
    }
}

#[test]
fn waits_of_failed_handler_are_removed() {
    // Its other thread exceeds a limit.
    let text = "local m = memory('m') function get(id) spawn(function() m:wait('k', 100000) end) while true do sleep(0) end end";
    let settings = TrafficSettings { rate: steady(50), handler: lua(text), ..TrafficSettings::default() };
    let site = after(settings, database(1, 1), 5_000);
    check_conservation(&site);
    assert!(total(&site).failed > 200);
    assert_eq!(faults(&site)[0].0, "program:1: it asks for more than 1000 things for one request");
    for machine in 0..4 {
        assert_eq!(site.traffic().memory(machine).unwrap().waits(), 0);
    }
    assert!(site.traffic().due.len() < 10, "{}", site.traffic().due.len());
}

#[test]
fn handler_starts_once_per_machine_before_first_request() {
    let text = "local m = memory('m') \
        function start() redis.call('INCR', 'starts') sleep(700) m:set('ready', client.id) m:incr('starts') end \
        function get(id) if m:get('ready') ~= tostring(client.id) or m:get('starts') ~= '1' then error('too early') end return 'v0-' .. id end";
    let settings = TrafficSettings {
        rate: steady(100),
        machines: 5,
        patience_ms: 300,
        handler: lua(text),
        ..TrafficSettings::default()
    };
    let mut site = Site::begin(settings.clone(), database(1, 1), 0, &engines()).unwrap();
    site.run(600);
    check_conservation(&site);
    let early = total(&site);
    assert!(early.answered == 0 && early.given_up > 10 && early.arrived > 40, "{early:?}");
    assert_eq!(site.traffic().unfinished(), (5, early.arrived));
    site.run(5_000);
    check_conservation(&site);
    assert_eq!(faults(&site), []);
    let found = total(&site);
    assert_eq!((found.commands, found.failed), (5, 0));
    assert!(found.answered + found.too_late == found.arrived && found.too_late == found.given_up, "{found:?}");
    // A handler that cannot start reports why, and still serves requests.
    let broken = "function start()\n  error('no')\nend\nfunction get(id) return 'v0-' .. id end";
    let site = after(TrafficSettings { handler: lua(broken), ..settings.clone() }, database(1, 1), 5_000);
    assert_eq!(faults(&site), [("program:2: no".to_owned(), 5)]);
    assert_eq!(total(&site).answered, total(&site).arrived);
    // A handler with an endless start serves no requests.
    let endless = "function start() memory('m'):wait('k') end function get(id) return 'v0-' .. id end";
    let site = after(TrafficSettings { handler: lua(endless), backlog: 20, ..settings }, database(1, 1), 5_000);
    check_conservation(&site);
    assert_eq!((total(&site).answered, site.traffic().unfinished()), (0, (5, 100)));
}

#[test]
fn memory_errors_report_their_line() {
    let found = |body: &str| {
        let settings = TrafficSettings {
            rate: steady(20),
            handler: lua(&format!("local m = memory('m')\nfunction get(id)\n  {body}\nend")),
            ..TrafficSettings::default()
        };
        let site = after(settings, database(1, 1), 1_000);
        check_conservation(&site);
        assert!(total(&site).answered == 0 && total(&site).failed > 10);
        faults(&site)[0].0.clone()
    };
    assert_eq!(
        found("m:set('k', 'x') m:incr('k')"),
        "program:3: the value is not a whole number, or the sum would be too great"
    );
    assert_eq!(found("m:get(('k'):rep(2000)) m:set(('k'):rep(2000), 1)"), "program:3: a key has at most 1024 bytes");
    assert_eq!(
        found("for n = 1, 101 do memory('m' .. n):get('k') end"),
        "program:3: a machine has at most 100 memories"
    );
    assert_eq!(
        found("for n = 1, 80 do m:set(n, ('x'):rep(500000)) end"),
        "program:3: the memory of the machine is full: it has 32768 KB"
    );
    assert_eq!(
        found("return m.get('k')"),
        "program:3: a method of a memory is called with a colon, as in cache:get(key)"
    );
}

#[test]
fn memory_stays_within_its_bounds() {
    // Every request leaves something else behind.
    let text = "local m = memory('m', { most = 100 }) local all = memory('all') \
        function get(id) m:set(uuid(), ('x'):rep(1000)) pcall(function() all:set(uuid(), ('x'):rep(50000), 60000) end) \
        m:wait(uuid(), 5) m:delete('no') return 'v0-' .. id end";
    let settings = TrafficSettings {
        rate: steady(1_000),
        machines: 1,
        workers: 100,
        handler: lua(text),
        ..TrafficSettings::default()
    };
    let mut site = Site::begin(settings, database(1, 1), 0, &engines()).unwrap();
    for at_ms in [1_500, 2_500] {
        site.run(at_ms);
        let memory = site.traffic().memory(0).unwrap();
        assert!(memory.bytes() <= MACHINE_BYTES_MAX && memory.waits() <= 100, "{} {}", memory.bytes(), memory.waits());
        assert!(memory.bytes() > MACHINE_BYTES_MAX - 60_000 && memory.entries() < 800, "{}", memory.entries());
        assert!(site.traffic().due.len() < 200);
    }
    assert_eq!(faults(&site), []);
    assert_eq!(total(&site).failed, 0);
}

#[test]
fn memory_of_all_machines_together_is_bounded() {
    let of = |machines| Memories::new(&TrafficSettings { machines, ..TrafficSettings::default() }).bytes_max;
    assert_eq!([1, 8, 64, 4_096].map(of), [32 << 20, 32 << 20, 4 << 20, 64 << 10]);
}
