//! Invariants of all traffic: no request is lost, slices make no difference, Lua and plain handlers agree, queues follow theory.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
use lua_machine::{LuaMachine, LuaPlayer};
use proptest::prelude::*;
use table::Settings as DatabaseSettings;

use super::handler::CACHE_ASIDE;
use super::series::Interval;
use super::settings::{Popularity, RatePoint, Service};
use super::*;
use crate::Engines;

pub(super) fn engines() -> Engines {
    Engines::new(LuaMachine::new(), LuaPlayer::for_one_schedule())
}

pub(super) fn database(service_ms: u64, workers: u32) -> DatabaseSettings {
    DatabaseSettings { service_ms, workers, connections_max: 5_000, ..DatabaseSettings::default() }
}

pub(super) fn steady(per_s: u32) -> Vec<RatePoint> {
    vec![RatePoint { at_ms: 0, per_s }]
}

pub(super) fn lua(text: &str) -> Handler {
    Handler::Lua(Bytes::copy_from_slice(text.as_bytes()))
}

/// A site after this many ms.
pub(super) fn after(settings: TrafficSettings, database: DatabaseSettings, ms: u64) -> Site {
    let mut site = Site::begin(settings, database, 0, &engines()).unwrap();
    site.run(ms);
    site
}

/// No request is lost or counted twice, and no request sends more than it should.
pub(super) fn check_conservation(site: &Site) {
    check_conservation_of(site.traffic());
}

/// The same for traffic in a world.
pub(super) fn check_conservation_of(traffic: &Traffic) {
    let total = traffic.series().total();
    let (at_work, waiting) = traffic.unfinished();
    let Interval { arrived, answered, hits, misses, refused, given_up, failed, .. } = total;
    let open = if traffic.settings().patience_ms > 0 {
        traffic.callers.iter().filter(|caller| !caller.is_over()).count() as u64
    } else {
        at_work as u64 + waiting
    };
    assert_eq!(arrived, answered + refused + given_up + failed + open, "{total:?}");
    assert_eq!(total.latency.count(), answered);
    assert!(hits + misses <= answered);
    assert!(traffic.settings().writes_ppm > 0 || hits + misses == answered, "{total:?}");
    // The same for each interval, apart from requests open across intervals.
    let sum = |of: fn(&Interval) -> u64| traffic.series().over().iter().map(|interval| of(interval)).sum::<u64>();
    assert_eq!(sum(|interval| interval.arrived) + traffic.series().now().arrived, arrived);
    assert_eq!(traffic.waiting.iter().map(VecDeque::len).sum::<usize>() as u64, waiting);
    let busy = traffic.workers.iter().filter(|worker| worker.task.is_some()).count();
    assert_eq!(busy + traffic.free.iter().map(Vec::len).sum::<usize>(), traffic.workers.len());
}

/// Handlers that begin and end in every way: with questions whose answers do or do not follow from the item, with several answers or none,
/// with errors before and after the answer, with threads that end before and after it.
const BEGINNINGS_AND_ENDS: [&str; 12] = [
    CACHE_ASIDE,
    "function get(id) return redis.call('INCR', 'n' .. id) end",
    "local lucky = random(1, 3)\nfunction get(id) return tostring(lucky) .. id end",
    "local me = uuid()\nfunction get(id) redis.call('SET', 'last', me) return me end",
    "local db = connect('db')\nlocal begun = now()\nlocal other = connect('redis')\nfunction get(id) sleep(begun % 3) return id end",
    "function get(id) return tostring(client.id) .. redis.call('INCR', 'k') end",
    "local seen = memory('seen')\nfunction get(id) local n = (seen:get(id) or 0) + 1 seen:set(id, n, 60) return tostring(n) end",
    "local nowhere = connect('nowhere')\nfunction get(id) return id end",
    "function get(id) answer(id) redis.call('INCR', 'after') answer('again') note('seen') end",
    "function get(id) note('begins') answer(id) error('after the answer') end",
    "function get(id) spawn(function() sleep(2) redis.call('INCR', 'later') end) spawn(function() error('alone') end) return id end",
    "function get(id) if tonumber(id) % 2 == 0 then error('even') end answer() end",
];

fn any_settings() -> impl Strategy<Value = (TrafficSettings, DatabaseSettings)> {
    let popularity = prop_oneof![
        Just(Popularity::Uniform),
        (0_u32..2_000).prop_map(|exponent_milli| Popularity::Zipf { exponent_milli }),
        (0_u32..1_000_000).prop_map(|share_ppm| Popularity::Hot { share_ppm }),
    ];
    let requests = (any::<u64>(), 1_u32..400, 1_u32..300, popularity, 0_u32..300_000, 0_u32..300_000);
    let machines = (1_u32..4, 1_u32..6, 0_u32..20, prop_oneof![Just(0_u32), 1_u32..300], 0_u32..3);
    let servers = (0_u32..3_000, 0_u32..3_000, any::<bool>(), 0_u64..40, 0_u32..5);
    (requests, machines, servers).prop_map(|(requests, machines, servers)| {
        let (seed, per_s, items, popularity, absent_ppm, writes_ppm) = requests;
        let (machines, workers, backlog, patience_ms, retries) = machines;
        let (network_us, redis_us, is_exponential, service_ms, database_workers) = servers;
        let settings = TrafficSettings {
            seed,
            rate: steady(per_s),
            items,
            popularity,
            absent_ppm,
            absent_ids: 50,
            writes_ppm,
            machines,
            workers,
            backlog,
            patience_ms,
            retries,
            network_us,
            redis_us,
            service: if is_exponential { Service::Exponential } else { Service::Fixed },
            handler: Handler::CacheAside { ttl_s: 1 },
            interval_ms: 500,
        };
        (settings, database(service_ms, database_workers))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_request_is_lost_and_slices_make_no_difference((settings, database) in any_settings(), cuts in prop::collection::vec(1_u64..400, 0..20)) {
        let whole = after(settings.clone(), database.clone(), 5_000);
        check_conservation(&whole);
        let mut sliced = Site::begin(settings, database, 0, &engines()).unwrap();
        let mut at_ms = 0;
        for (nth, cut) in cuts.into_iter().enumerate() {
            at_ms = (at_ms + cut).min(5_000);
            // By time, and by number of events.
            if nth % 2 == 0 { sliced.run(at_ms) } else { sliced.run_slice(at_ms, 17); }
            sliced = sliced.clone();
        }
        sliced.run(5_000);
        prop_assert_eq!(&whole, &sliced);
        prop_assert_eq!(script::fingerprint(&whole), script::fingerprint(&sliced));
    }

    #[test]
    fn cached_scenes_make_no_difference(
        (settings, database) in any_settings(),
        handler in prop::sample::select(BEGINNINGS_AND_ENDS.to_vec()),
        every_ms in 1_u64..60,
    ) {
        // At one request a second, none may come.
        let rate = steady(settings.rate.first().map_or(0, |point| point.per_s).max(20));
        let settings = TrafficSettings { handler: lua(handler), rate, items: settings.items.min(8), writes_ppm: 0, ..settings };
        let cached = after(settings.clone(), database.clone(), 1_500);
        let mut forgetful = Site::begin(settings, database, 0, &engines()).unwrap();
        for at_ms in (0..1_500).step_by(usize::try_from(every_ms).unwrap()) {
            forgetful.forget_scenes();
            forgetful.run(at_ms);
        }
        forgetful.run(1_500);
        prop_assert!(cached.traffic().requests() > 0);
        prop_assert_eq!(&cached, &forgetful);
        prop_assert_eq!(script::fingerprint(&cached), script::fingerprint(&forgetful));
    }

    #[test]
    fn handler_in_lua_agrees_with_plain_handler((settings, database) in any_settings()) {
        let plain = after(TrafficSettings { handler: Handler::CacheAside { ttl_s: 7_200 }, ..settings.clone() }, database.clone(), 3_000);
        let lua = after(TrafficSettings { handler: lua(CACHE_ASIDE), ..settings }, database, 3_000);
        prop_assert_eq!(plain.traffic().series(), lua.traffic().series());
        prop_assert_eq!(plain.redis().db(0).map(|db| db.len()), lua.redis().db(0).map(|db| db.len()));
    }
}

#[test]
fn requests_are_independent_of_the_handler() {
    let settings = TrafficSettings { rate: steady(300), retries: 0, writes_ppm: 50_000, ..TrafficSettings::default() };
    let one = after(settings.clone(), database(5, 4), 20_000);
    let other = after(
        TrafficSettings {
            handler: lua("function get(id) return uuid() .. random(1, 9) end function put() sleep(5) end"),
            ..settings
        },
        database(5, 4),
        20_000,
    );
    let arrived =
        |site: &Site| site.traffic().series().over().iter().map(|interval| interval.arrived).collect::<Vec<_>>();
    assert_eq!(arrived(&one), arrived(&other));
    assert!(other.traffic().series().total().wrong > 0);
}

/// The share of requests that take longer than `means` mean service times in a queue M/M/c with `erlangs` Erlangs (Kleinrock, "Queueing
/// Systems", volume 1, 1975, section 3.5).
fn longer(servers: u32, erlangs: f64, means: f64) -> f64 {
    let c = f64::from(servers);
    let mut term = 1.0;
    let mut sum = 0.0;
    for n in 0..servers {
        sum += term;
        term *= erlangs / f64::from(n + 1);
    }
    let waits = term * c / (c - erlangs);
    let delayed = waits / (sum + waits);
    let rest = c - 1.0 - erlangs;
    let alone = libm::exp(-means);
    alone * (1.0 + delayed * (1.0 - libm::exp(-means * rest)) / rest)
}

#[test]
fn database_behaves_as_mmc_queue() {
    for (per_s, workers) in [(31, 4_u32), (36, 4), (5, 1), (72, 8)] {
        let settings = TrafficSettings {
            seed: u64::from(per_s),
            rate: steady(per_s),
            // No item exists, so each request is one statement, and nothing is written.
            absent_ppm: 1_000_000,
            machines: 1,
            workers: 4_000,
            patience_ms: 0,
            network_us: 0,
            redis_us: 0,
            service: Service::Exponential,
            interval_ms: 10_000,
            ..TrafficSettings::default()
        };
        let mean_ms = 100.0;
        let mut site = Site::begin(settings, database(100, workers), 0, &engines()).unwrap();
        // Samples the number of statements present.
        let (mut seen, mut looks) = (0_usize, 0_usize);
        for at_ms in (0..6_000_000).step_by(500) {
            site.run(at_ms);
            seen += site.traffic().unfinished().0;
            looks += 1;
        }
        let total = site.traffic().series().total();
        let erlangs = f64::from(per_s) * mean_ms / 1e3;
        for milli in [500, 900, 990] {
            let us = total.latency.percentile_us(milli).unwrap();
            let expected = 1.0 - f64::from(milli) / 1e3;
            // A class is at most a sixteenth too high, times are whole ms, and six million ms are a sample, small for rare cases.
            let error = if milli == 990 { 1.25 } else { 1.1 };
            let bounds = [us as f64 * 15.0 / 16.0 - 1_000.0, us as f64 + 1_000.0];
            let [most, least] = bounds.map(|us| longer(workers, erlangs, us / 1e3 / mean_ms));
            assert!(least / error <= expected && expected <= most * error, "{per_s} {workers} {milli}: {least} {most}");
        }
        // Little's law: the average number present is the arrival rate times the average time in the system.
        let there = seen as f64 / looks as f64;
        let little = total.answered as f64 / 6_000.0 * (total.latency.sum_us() as f64 / total.answered as f64 / 1e6);
        assert!((there - little).abs() < 0.03 * little, "{there} and {little}");
    }
}

#[test]
fn callers_time_out_and_retry_unnoticed_by_machines() {
    // The database can do 100 statements a second, and 200 arrive.
    let settings = TrafficSettings {
        rate: steady(200),
        absent_ppm: 1_000_000,
        patience_ms: 300,
        backlog: 50,
        machines: 2,
        workers: 8,
        ..TrafficSettings::default()
    };
    let once = after(settings.clone(), database(10, 1), 30_000);
    let total = once.traffic().series().total();
    assert!(total.given_up > 1_000 && total.too_late > 500 && total.refused > 500, "{total:?}");
    assert!((2_900..3_100).contains(&total.queries), "{total:?}");
    check_conservation(&once);
    // Retries make it worse: more requests arrive, and fewer are answered in time.
    let again = after(TrafficSettings { retries: 3, ..settings }, database(10, 1), 30_000);
    let more = again.traffic().series().total();
    assert!(more.arrived > total.arrived * 2 && more.answered <= total.answered + total.answered / 10, "{more:?}");
    check_conservation(&again);
}

#[test]
fn handler_errors_report_line_and_count() {
    let outcome_of = |text: &str| {
        let settings =
            TrafficSettings { rate: steady(20), handler: lua(text), writes_ppm: 200_000, ..TrafficSettings::default() };
        let site = after(settings, database(1, 4), 5_000);
        check_conservation(&site);
        let faults = site
            .traffic()
            .faults()
            .iter()
            .map(|fault| (String::from_utf8_lossy(&fault.what).into_owned(), fault.count));
        (faults.collect::<Vec<_>>(), site.traffic().series().total())
    };
    let (faults, total) = outcome_of("function get(id)\n  error('no')\nend\nfunction put() end");
    assert_eq!(faults, [("program:2: no".to_owned(), total.failed)]);
    assert!(total.failed > 50 && total.answered > 5);
    let (faults, total) = outcome_of("function get(id)\n  while true do end\nend\nfunction put() end");
    assert_eq!(faults[0].0, "program:2: it runs for too long without asking for anything");
    assert!(total.failed > 50);
    for endless in ["while now() > 0 do end", "while true do sleep(0) end", "while true do note('x') end"] {
        let (faults, total) = outcome_of(&format!("function get(id) {endless} end\nfunction put() end"));
        assert_eq!(faults, [("program:1: it asks for more than 1000 things for one request".to_owned(), total.failed)]);
    }
    let (faults, _) = outcome_of(
        "function get(id) for n = 1, 9 do redis.call('EVAL', 'return string.rep(\"x\", 1000000)', 0) end end function put() end",
    );
    assert_eq!(faults[0].0, "program:1: it receives more than 4 MB for one request");
    let (faults, _) =
        outcome_of("function get(id)\n  local function f() return f() + 1 end return f()\nend\nfunction put() end");
    assert_eq!(faults[0].0, "program:2: stack overflow");
    let (faults, _) = outcome_of("function get(id) return redis.call('NO') end\nfunction put() end");
    assert!(faults[0].0.contains("unknown command"), "{faults:?}");
    let (faults, total) = outcome_of("function get(id return end");
    assert!(faults[0].0.starts_with("program:1:") && total.answered == 0, "{faults:?}");
    let (faults, _) = outcome_of("function get(id) return connect('r7').call('GET', 'x') end");
    assert!(faults.iter().any(|(what, _)| what.contains("no node is called 'r7'")), "{faults:?}");
    assert!(faults.iter().any(|(what, _)| what.contains("put")), "{faults:?}");
    // A handler that never answers gives no answer.
    let (_, total) = outcome_of("function get(id) subscribe('x') return id end function put() end");
    assert!(total.failed > 50, "{total:?}");
    // No player is installed.
    let settings = TrafficSettings { handler: lua(CACHE_ASIDE), ..TrafficSettings::default() };
    let mut site = Site::begin(settings, database(1, 1), 0, &Engines::default()).unwrap();
    site.run(1_000);
    assert_eq!(site.traffic().faults()[0].what.as_ref(), b"nothing plays handlers in Lua here");
    check_conservation(&site);
}

#[test]
fn threads_scripts_and_blocking_commands_work_in_handlers() {
    let run = |text: &str, per_s: u32| {
        let settings = TrafficSettings { rate: steady(per_s), handler: lua(text), ..TrafficSettings::default() };
        let site = after(settings, database(5, 4), 20_000);
        check_conservation(&site);
        assert_eq!(site.traffic().faults(), []);
        site
    };
    // The caller has its answer before the worker has finished.
    let site =
        run("function get(id) spawn(function() sleep(500) redis.call('INCR', 'later') end) return 'v0-' .. id end", 20);
    let total = site.traffic().series().total();
    assert!(total.wrong == 0 && total.latency.percentile_us(1_000).unwrap() < 1_000, "{total:?}");
    assert!(total.commands > 300);
    // Two threads wait at the same time.
    let site = run(
        "function get(id) spawn(function() redis.call('INCR', 'x') redis.call('LPUSH', 'q:' .. id, 'v0-' .. id) end) \
         return redis.call('BLPOP', 'q:' .. id, 0)[2] end",
        20,
    );
    let total = site.traffic().series().total();
    assert!(total.answered > 300 && total.wrong == 0 && total.given_up == 0, "{total:?}");
    let site = run("function get(id) return redis.call('EVAL', 'return ARGV[1]', 0, 'v0-' .. id) end", 20);
    assert_eq!(site.traffic().series().total().wrong, 0);
}

#[test]
fn a_slow_command_delays_the_others() {
    let run = |text: &str| {
        let settings = TrafficSettings {
            rate: steady(50),
            handler: lua(text),
            items: 20_000,
            popularity: Popularity::Uniform,
            ..TrafficSettings::default()
        };
        after(settings, database(1, 4), 30_000).traffic().series().total().latency.percentile_us(990).unwrap()
    };
    let get = "function get(id) if redis.call('GET', 'full') == false then end return 'v0-' .. id end";
    let fill = "local function fill(id) redis.call('SET', 'k' .. id, 1) end ";
    let quick = run(get);
    let slow = run(&format!(
        "{fill} function get(id) fill(id) if random(1, 5) == 1 then redis.call('KEYS', '*') end return 'v0-' .. id end"
    ));
    assert!(slow > 2 * quick, "{slow} {quick}");
}

#[test]
fn statement_past_its_timeout_is_dropped() {
    let text = "function get(id) local rows = connect('db', { timeout = 50 }).pquery('SELECT value FROM item WHERE id = ?', id) \
                if rows.err then return nil end return rows[1].value end";
    let settings = TrafficSettings {
        rate: steady(100),
        handler: lua(text),
        patience_ms: 0,
        machines: 1,
        workers: 64,
        ..TrafficSettings::default()
    };
    let site = after(settings, database(20, 1), 20_000);
    let total = site.traffic().series().total();
    // Half of the load is too much for the database.
    assert!(total.wrong > 700 && total.answered - total.wrong > 300, "{total:?}");
    assert!(total.latency.percentile_us(1_000).unwrap() <= 54_000, "{total:?}");
    assert_eq!(site.traffic().faults(), []);
    assert!(site.traffic().at_database <= 8, "{}", site.traffic().at_database);
    check_conservation(&site);
}

#[test]
fn answers_are_stale_after_write_without_invalidation() {
    let careless = CACHE_ASIDE.replace("  redis.call('DEL', 'item:' .. id)\n", "");
    let run = |text: &str| {
        let settings = TrafficSettings {
            rate: steady(400),
            items: 50,
            writes_ppm: 20_000,
            handler: lua(text),
            ..TrafficSettings::default()
        };
        after(settings, database(5, 8), 60_000).traffic().series().total()
    };
    let (careful, careless) = (run(CACHE_ASIDE), run(&careless));
    assert!(careless.stale > 5_000 && careless.wrong == 0, "{careless:?}");
    assert!(careless.stale_ms_max > 30_000 && careless.stale_ms_max <= 60_000, "{careless:?}");
    // A request that reads before the write and stores its value after it leaves an old value behind: rare, but possible.
    assert!(careful.stale < careless.stale / 10 && careful.wrong == 0, "{careful:?}");
}

#[test]
fn avalanche_hits_database_and_jitter_prevents_it() {
    // All items are loaded within a minute, for two minutes.
    let load = "local db = connect('db') function get(id) local value = redis.call('GET', 'item:' .. id) if value then return value end \
                local rows = db.query('SELECT value FROM item WHERE id = ?', id) \
                redis.call('SET', 'item:' .. id, rows[1].value, 'EX', TTL) return rows[1].value end";
    let run = |ttl: &str| {
        let settings = TrafficSettings {
            rate: vec![
                RatePoint { at_ms: 0, per_s: 2_000 },
                RatePoint { at_ms: 10_000, per_s: 2_000 },
                RatePoint { at_ms: 10_001, per_s: 500 },
            ],
            items: 2_000,
            popularity: Popularity::Uniform,
            handler: lua(&load.replace("TTL", ttl)),
            ..TrafficSettings::default()
        };
        let site = after(settings, database(20, 8), 240_000);
        let late = site.traffic().series().over().iter().skip(60).map(|interval| interval.queries).max().unwrap();
        (late, site.traffic().series().total().errors())
    };
    let (together, _) = run("120");
    let (spread, _) = run("120 + random(0, 100)");
    assert!(together > 4 * spread, "{together} {spread}");
}

#[test]
fn setting_out_of_range_is_rejected_with_its_range() {
    let refused = |change: fn(&mut TrafficSettings)| {
        let mut settings = TrafficSettings::default();
        change(&mut settings);
        Traffic::begin(settings, 0).unwrap_err().to_string()
    };
    assert_eq!(refused(|settings| settings.items = 0), "items has to be from 1 to 200000");
    assert_eq!(refused(|settings| settings.rate.clear()), "the number of points of the rate has to be from 1 to 256");
    assert!(refused(|settings| settings.rate = steady(2_000_000)).starts_with("a rate has to be"));
    assert!(refused(|settings| settings.rate = [steady(1), steady(2)].concat()).starts_with("the time of a rate"));
    assert!(refused(|settings| settings.machines = 0).starts_with("machines"));
    assert!(refused(|settings| settings.workers = 2_000).starts_with("workers of all machines"));
    assert!(
        refused(|settings| (settings.absent_ppm, settings.writes_ppm) = (600_000, 600_000)).starts_with("the shares")
    );
    assert!(refused(|settings| settings.interval_ms = 0).starts_with("the interval"));
}

#[test]
fn memory_does_not_grow_with_number_of_requests() {
    let settings = TrafficSettings { rate: steady(2_000), interval_ms: 1, ..TrafficSettings::default() };
    let mut site = Site::begin(settings, database(2, 10), 0, &engines()).unwrap();
    let mut sizes = Vec::new();
    for at_ms in [20_000, 40_000, 80_000] {
        site.run(at_ms);
        let traffic = site.traffic();
        let queues = traffic.to_redis.len() + traffic.from_redis.len() + traffic.due.len() + traffic.callers.len();
        sizes.push((traffic.series().over().len(), queues));
    }
    assert!(
        sizes.iter().all(|(intervals, queues)| *intervals < super::series::INTERVALS_MAX && *queues < 5_000),
        "{sizes:?}"
    );
}

#[test]
fn full_redis_server_rejects_writes_or_evicts_and_no_request_is_lost() {
    // What the server takes without keys counts as well.
    const MAXMEMORY: u64 = STARTUP + 60_000;
    const STARTUP: u64 = 876_216;
    let run = |policy: &str| {
        let start = format!("function start() redis.call('CONFIG', 'SET', 'maxmemory-policy', '{policy}') end\n");
        let settings = TrafficSettings {
            rate: steady(400),
            items: 2_000,
            popularity: Popularity::Uniform,
            writes_ppm: 20_000,
            handler: lua(&(start + CACHE_ASIDE)),
            ..TrafficSettings::default()
        };
        let mut site = Site::begin(settings, database(2, 8), MAXMEMORY, &engines()).unwrap();
        site.run(20_000);
        check_conservation(&site);
        let total = site.traffic().series().total();
        let memory = site.redis().db(0).unwrap().memory();
        assert!((20_000..70_000).contains(&memory), "{policy}: {memory}");
        assert_eq!((total.wrong, total.given_up, total.refused), (0, 0, 0), "{policy}");
        site
    };
    // Without eviction a miss fails when it writes to Redis; hits are still answered.
    let full = run("noeviction");
    let total = full.traffic().series().total();
    assert!(total.failed > 2_000 && total.hits > 500, "{total:?}");
    let faults = full.traffic().faults();
    assert!(faults.iter().all(|fault| fault.what.as_ref().windows(3).any(|part| part == b"OOM")), "{faults:?}");
    assert_eq!(full.traffic().fault_count(), total.failed);
    // With eviction none fails, but evicted items are read again.
    let evicting = run("allkeys-lru");
    let total = evicting.traffic().series().total();
    assert_eq!((evicting.traffic().faults(), total.failed), (&[][..], 0));
    assert!(total.misses > 3_000 && total.hits > 500, "{total:?}");
}

#[test]
fn database_without_free_connection_fails_requests_and_none_is_lost() {
    let few = DatabaseSettings { connections_max: 10, ..database(50, 4) };
    for handler in [Handler::CacheAside { ttl_s: 1 }, lua(CACHE_ASIDE)] {
        let settings = TrafficSettings {
            rate: steady(200),
            items: 500,
            writes_ppm: 50_000,
            machines: 1,
            workers: 64,
            handler,
            ..TrafficSettings::default()
        };
        let mut site = Site::begin(settings, few.clone(), 0, &engines()).unwrap();
        for at_ms in (0..20_000).step_by(50) {
            site.run(at_ms);
            assert!(site.traffic().queues().at_database <= 10);
        }
        check_conservation(&site);
        let total = site.traffic().series().total();
        let faults = site.traffic().faults();
        assert!(total.failed > 50 && total.answered > 500 && total.wrong == 0, "{total:?}");
        assert!(
            faults.iter().all(|fault| String::from_utf8_lossy(&fault.what).contains("Too many connections")),
            "{faults:?}"
        );
        assert_eq!(site.traffic().fault_count(), total.failed);
        // A rejected request sends one statement, which counts although it is not executed.
        assert!(total.queries >= total.misses + total.failed, "{total:?}");
    }
}
