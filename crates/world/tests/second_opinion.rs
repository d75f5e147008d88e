//! The explorer compared with a plain search without reductions, which treats worlds as equal only if everything in them is, histories and
//! clocks included. Deadlock verdicts are compared with random runs: after a deadlock no client makes progress; otherwise some client does.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on fails")]
mod fixture;

use std::cell::Cell;
use std::collections::BTreeSet;

use fixture::Fixture;
use proptest::prelude::*;
use world::explore::{Cut, Explorer, Limits, SearchOutcome, starved};
use world::{
    Act, Breach, ClientIndex, Condition, Durability, EventKind, Faults, Input, LinkAct, NodeIndex, NodeKind,
    NodeSettings, ProgramEvent, Settings, World,
};

const NO_FAULTS: Faults = Faults::NONE;

/// The result of a bounded search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    /// In this many steps.
    Broken(usize),
    /// Not within the depth.
    Nothing,
    /// There were too many worlds.
    Unknown,
}

/// The plain search: breadth first, every input, only bit-identical worlds merged.
fn plainly(start: &World, faults: Faults, depth: usize, most: usize, is_broken: &dyn Fn(&World) -> bool) -> Found {
    let mut layer = vec![(start.clone(), faults)];
    let mut seen = BTreeSet::new();
    for steps in 0..=depth {
        if layer.iter().any(|(world, _)| is_broken(world)) {
            return Found::Broken(steps);
        }
        let mut next = Vec::new();
        for (world, faults) in layer {
            for input in world.enabled(faults) {
                let (mut after, left) = (world.clone(), faults.after(&input).unwrap());
                after.step(&input).unwrap();
                if seen.insert((after.fingerprint().0, left)) {
                    next.push((after, left));
                }
            }
        }
        if seen.len() > most {
            return Found::Unknown;
        }
        layer = next;
    }
    Found::Nothing
}

fn explored(start: &World, limits: Limits) -> SearchOutcome {
    Explorer::new(start.clone(), Some(0), limits).finish().0
}

fn within(outcome: &SearchOutcome, depth: usize) -> Found {
    match outcome {
        SearchOutcome::Broken { schedule, .. } if schedule.len() <= depth => Found::Broken(schedule.len()),
        SearchOutcome::Nothing { cut: Some(Cut::States | Cut::Memory | Cut::Stopped) } => Found::Unknown,
        _ => Found::Nothing,
    }
}

fn is_broken(world: &World) -> bool {
    world.watch().verdicts().any(|(_, breach)| breach.is_some())
}

/// Three Redis servers, the last two with every durability in turn, and a database, which is sometimes slow and full.
fn nodes(seed: u64) -> Vec<NodeSettings> {
    let mut nodes = fixture::nodes(3);
    for (node, place) in nodes.iter_mut().zip(0..).skip(1) {
        let nth = usize::try_from((seed >> 5).wrapping_add(place) % 3).unwrap();
        node.kind = NodeKind::Redis(Durability::ALL[nth].1);
    }
    let (service_ms, workers, connections_max) = if seed % 3 == 2 { (20, 1, 3) } else { (0, 0, 151) };
    let settings = table::Settings { service_ms, workers, connections_max, lock_wait_ms: 100 };
    nodes.push(NodeSettings { name: "db".into(), kind: NodeKind::Table(settings) });
    nodes
}

/// The tables of the database.
const TABLES: [&str; 3] = [
    "CREATE TABLE t (id INT PRIMARY KEY, n INT NOT NULL, until DATETIME(3))",
    "INSERT INTO t (id, n) VALUES (1, 0), (3, 0)",
    "CREATE TABLE u (id VARCHAR(40) PRIMARY KEY)",
];

fn stage_of(texts: &[String], property: &str, seed: u64) -> Fixture {
    let mut stage = Fixture::of(Vec::new());
    let settings = Settings { seed, nodes: nodes(seed), ..Settings::default() };
    stage.world = World::with_engines(settings, stage.world.engines());
    stage.step(Input::Connect { client: 9, name: "setup".into() });
    stage.step(Input::SwitchNode { client: 9, node: "3".parse().unwrap() });
    for statement in TABLES {
        stage.step(Input::Command { client: 9, argv: vec![statement.into()] });
        stage.step(Input::Advance { ms: 20 });
    }
    stage.step(Input::Disconnect { client: 9 });
    stage.watch(property);
    for (client, text) in (0..).zip(texts) {
        stage.step(Input::Connect { client, name: format!("c{client}") });
        // Some clients get an argument, which is all that tells them from a twin.
        let args = if (seed >> (3 + client)) & 1 == 1 { vec!["33".into()] } else { Vec::new() };
        stage.program(client, Act::Load { text: text.clone().into(), args });
    }
    if seed % 5 == 4 {
        // The link of the first client is cut from the beginning, which tells it from its twin too.
        stage.step(Input::Link { client: 0, node: NodeIndex::FIRST, act: LinkAct::Cut });
    }
    stage
}

/// The same keys at other nodes: connections with and without a timeout, majorities, transactions, threads.
fn line_to_other_nodes() -> impl Strategy<Value = String> {
    let key = || prop::sample::select(vec!["a", "b"]);
    let node = || {
        prop::sample::select(vec!["connect('r1')", "connect('r2')", "connect('r2', { timeout = 50 })", "connect('r3')"])
    };
    prop_oneof![
        (node(), key()).prop_map(|(node, key)| format!("local r = {node} redis.call('INCR', '{key}') r.call('INCR', '{key}')")),
        (node(), key()).prop_map(|(node, key)| format!("redis.call('INCRBY', '{key}', tonumber({node}.call('INCR', '{key}')) % 2)")),
        (node(), key()).prop_map(|(node, key)| format!("if not pcall({node}.call, 'SET', '{key}', 1) then tally('failed') end")),
        (node(), key()).prop_map(|(node, key)| format!(
            "if {node}.call('SET', '{key}', uuid(), 'NX', 'PX', 60) then enter() sleep(33) leave() {node}.pcall('DEL', '{key}') end"
        )),
        key().prop_map(|key| format!(
            "local won = 0 for _, r in ipairs({{ redis, connect('r2', {{ timeout = 30 }}), connect('r3') }}) do \
             if r.pcall('SETNX', '{key}', 1) == 1 then won = won + 1 end end if won > 1 then enter() redis.call('INCR', 'a') leave() end"
        )),
        key().prop_map(|key| format!(
            "local r = connect('r2') r.pcall('MULTI') redis.pcall('INCR', '{key}') r.pcall('INCR', '{key}') r.pcall('EXEC') check(r.pcall('GET', '{key}') == '1')"
        )),
        (node(), key()).prop_map(|(node, key)| format!("local r = {node} spawn(function() r.call('INCR', '{key}') tally('spawned') end) r.call('DEL', '{key}')")),
        (node(), key()).prop_map(|(node, key)| format!("while {node}.call('SETNX', '{key}', 1) == 0 do sleep(60) end")),
        node().prop_map(|node| format!("check({node}.call('CLIENT', 'ID') <= 2)")),
        node().prop_map(|node| format!("if {node}.call('BLPOP', 'l', 1) then tally('first') end")),
        node().prop_map(|node| format!("{node}.call('RPUSH', 'l', 1)")),
    ]
}

/// Statements to a database: locks by index and by row, conflicting transactions, waits, clocks, orders, connection numbers.
fn statement() -> impl Strategy<Value = String> {
    let id = || prop::sample::select(vec![1, 2, 3]);
    let db = || prop::sample::select(vec!["connect('db')", "connect('db', { timeout = 50 })"]);
    prop_oneof![
        (db(), id()).prop_map(|(db, id)| format!(
            "local db = {db} if not db.pquery('INSERT INTO t (id, n) VALUES (?, 1)', {id}).err then enter() sleep(33) leave() db.pquery('DELETE FROM t WHERE id = ?', {id}) end"
        )),
        (db(), id()).prop_map(|(db, id)| format!(
            "local db = {db} db.pquery('BEGIN') db.pquery('SELECT n FROM t WHERE id = {id} FOR UPDATE') enter() redis.pcall('INCR', 'a') leave() db.pquery('COMMIT')"
        )),
        (db(), id()).prop_map(|(db, id)| format!("if {db}.pquery('UPDATE t SET n = n + 1 WHERE id = {id}').err then tally('failed') end")),
        (db(), id(), id()).prop_map(|(db, one, other)| format!(
            "local db = {db} db.pquery('BEGIN') db.pquery('UPDATE t SET n = n + 1 WHERE id = {one}') db.pquery('UPDATE t SET n = n + 1 WHERE id = {other}') db.pquery('COMMIT')"
        )),
        (db(), id()).prop_map(|(db, id)| format!(
            "local rows = {db}.pquery('SELECT n FROM t WHERE id = {id}') if rows[1] then redis.pcall('INCRBY', 'b', rows[1].n) end"
        )),
        (db(), id()).prop_map(|(db, id)| format!(
            "local db = {db} local done = db.pquery('UPDATE t SET until = NOW(3) + INTERVAL 1 SECOND WHERE id = {id} AND (until IS NULL OR until < NOW(3))') \
             if done.affected == 1 then enter() sleep(33) leave() end"
        )),
        db().prop_map(|db| format!(
            "local db, id = {db}, uuid() db.pquery('INSERT INTO u VALUES (?)', id) local rows = db.pquery('SELECT id FROM u ORDER BY id LIMIT 1') check(rows.err or not rows[1] or rows[1].id == id)"
        )),
        Just("local rows = connect('db').pquery('SELECT CONNECTION_ID() AS n') check(rows.err or rows[1].n <= 3)".to_owned()),
        (db(), id()).prop_map(|(db, id)| format!("{db}.pquery('DELETE FROM t WHERE id = {id}')")),
        db().prop_map(|db| format!("local db = {db} db.pquery('BEGIN') db.pquery('UPDATE t SET n = 5') sleep(10) db.pquery('ROLLBACK')")),
        (db(), id()).prop_map(|(db, id)| format!("local db = {db} spawn(function() db.pquery('UPDATE t SET n = n + 1 WHERE id = {id}') tally('spawned') end) db.pquery('UPDATE t SET n = 0 WHERE id = {id}')")),
    ]
}

/// Lines to one node, or to several.
fn any_line() -> impl Strategy<Value = String> {
    prop_oneof![3 => line(), 2 => line_to_other_nodes(), 2 => statement()]
}

/// Conflicting lines, and everything that reductions could get wrong: clocks, sorted texts, deadlines, attempts, nested tables, polling,
/// threads, what a program knows of itself.
fn line() -> impl Strategy<Value = String> {
    let key = || prop::sample::select(vec!["a", "b"]);
    let ms = || prop::sample::select(vec![10_u32, 33, 60, 100]);
    prop_oneof![
        key().prop_map(|key| format!("redis.call('INCR', '{key}')")),
        key().prop_map(|key| format!("redis.call('DEL', '{key}')")),
        (key(), ms()).prop_map(|(key, ms)| format!("redis.call('SET', '{key}', 1, 'PX', {ms})")),
        ms().prop_map(|ms| format!("sleep({ms})")),
        ms().prop_map(|ms| format!("local t = now() redis.call('PING') check(now() - t < {ms})")),
        (key(), ms()).prop_map(|(key, ms)| format!("local t = redis.call('TIME') sleep({ms}) redis.call('INCRBY', '{key}', t[1] % 2)")),
        Just("local id = uuid() redis.call('ZADD', 'q', 0, id) check(redis.call('ZRANGE', 'q', 0, 0)[1] == id)".to_owned()),
        Just("mine = mine or uuid() redis.call('RPUSH', 'l', mine) if redis.call('LINDEX', 'l', 0) < mine then tally('less') end".to_owned()),
        Just("redis.call('SADD', 'u', uuid()) tally('first', #redis.call('SMEMBERS', 'u')[1]:gsub('[0-7]', ''))".to_owned()),
        (key(), ms()).prop_map(|(key, ms)| format!(
            "local deadline = now() + {ms} while not redis.call('GET', '{key}') do if now() >= deadline then check(false) break end sleep(20) end"
        )),
        (key(), 1..3_u32).prop_map(|(key, most)| format!(
            "local state = {{ tries = {{ n = 0 }} }} while not redis.call('GET', '{key}') do state.tries.n = state.tries.n + 1 \
             if state.tries.n > {most} then tally('gave-up') break end sleep(10) end"
        )),
        (key(), ms()).prop_map(|(key, ms)| format!("while redis.call('SETNX', '{key}', 1) == 0 do sleep({ms}) end")),
        key().prop_map(|key| format!("spawn(function() redis.call('INCR', '{key}') tally('spawned') end)")),
        (key(), ms()).prop_map(|(key, ms)| format!("redis.call('XADD', 's', '*', 'k', '{key}') sleep({ms})")),
        key().prop_map(|key| format!("local f = function() mine = (mine or '') .. 'x' return mine end redis.call('APPEND', '{key}', f())")),
        Just("check(redis.call('CLIENT', 'ID') <= tonumber(redis.call('INCR', 'a')) + 1)".to_owned()),
        Just("if not pcall(redis.call, 'INCR', 'a') then tally('failed') end".to_owned()),
        key().prop_map(|key| format!("enter() redis.call('INCR', '{key}') leave()")),
        (key(), ms()).prop_map(|(key, ms)| format!(
            "if redis.call('SET', '{key}', uuid(), 'NX', 'PX', {ms}) then enter() sleep(33) leave() redis.call('DEL', '{key}') end"
        )),
        prop::sample::select(vec!["1", "2"]).prop_map(|id| format!("redis.call('LPUSH', 'm', {id}) produced({id}, 'x')")),
        Just("if redis.call('BLPOP', 'l', 1) then tally('first') end".to_owned()),
        Just("redis.call('RPUSH', 'l', 1)".to_owned()),
        key().prop_map(|key| format!("redis.call('SET', '{key}', client.id) redis.call('PING') check(redis.call('GET', '{key}') ~= '1')")),
        (key(), ms()).prop_map(|(key, ms)| format!("if client.id > 1 then redis.call('INCR', '{key}') else sleep({ms}) end")),
        key().prop_map(|key| format!("if redis.call('SETNX', '{key}', client.id) == 0 then check(redis.call('GET', '{key}') == '2') end")),
        key().prop_map(|key| format!("redis.call('INCRBY', '{key}', #args) sleep(tonumber(args[1] or 10))")),
        (key(), ms()).prop_map(|(key, ms)| format!("if tonumber(redis.call('GET', '{key}') or 0) < now() then redis.call('SET', '{key}', now() + {ms}) tally('gave-up') end")),
        (key(), ms()).prop_map(|(key, ms)| format!("pcall(redis.call, 'SET', '{key}', 1, 'PXAT', 1767268800000 + {ms})")),
        key().prop_map(|key| format!("redis.call('MULTI') redis.pcall('INCR', '{key}') redis.pcall('EXEC')")),
        key().prop_map(|key| format!("if not pcall(redis.call, 'DEL', '{key}') then redis.call('INCR', '{key}') end")),
        Just("if args[1] then redis.call('DEL', 'a') tally('gave-up') else redis.call('INCR', 'a') end".to_owned()),
        Just("local id = redis.call('RPOP', 'm') if id then sleep(10) processed(id) end".to_owned()),
        Just("local id = redis.call('LINDEX', 'm', -1) if id then processed(id) redis.call('LREM', 'm', 1, id) end".to_owned()),
    ]
}

fn property() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "checks",
        "sum always <= 1 key a",
        "sum always <= 1 cell t 1 n",
        "sum end <= 2 cell t 1 n cell t 3 n",
        "sum always <= 0 cell t 2 n -1 tally gave-up",
        "sum always <= 1 tally gave-up",
        "sum always = 0 tally less",
        "sum always <= 9 tally first",
        "no-errors",
        "sum always <= 1 length l",
        "sum end >= 1 key a",
        "mutual-exclusion",
        "only-owner-releases a",
        "everyone-gets-in critical",
        "nothing-lost",
        "processed-once",
        "in-order",
        "in-order-by-key",
        "sum always <= 0 2 key a -3 key b",
        "sum end <= 0 -2 key a 3 tally spawned key b",
        "always if exists key a then missing key b",
        "always same key a key b or sum <= 1 length l",
        "always if missing key a and sum >= 1 tally gave-up then exists key b",
        "end if exists key a then same key a key b",
        "end different key a key b or same key a text 1",
        "always if same key a text 1 then sum = 0 tally failed",
        "at-most 1 inside critical",
        "at-most 2 inside critical",
        "everyone-gets-in critical c0",
        "everyone-gets-in critical c1",
        "everyone-gets-in critical c1 c2 c9",
        "nobody-gives-up critical",
    ])
}

/// Fault budgets: every fault by itself, with the faults it needs, and with others.
fn some_faults() -> impl Strategy<Value = Faults> {
    let crash = Faults { crashes: 1, ..NO_FAULTS };
    let delay = Faults { delays: 1, ..NO_FAULTS };
    let node_crash = Faults { node_crashes: 1, ..NO_FAULTS };
    let jump = Faults { clock_jumps: 1, ..NO_FAULTS };
    let cut = Faults { cuts: 1, ..NO_FAULTS };
    prop::sample::select(vec![
        NO_FAULTS,
        crash,
        Faults { pauses: 1, ..NO_FAULTS },
        Faults { losses: 1, ..NO_FAULTS },
        Faults { crashes: 1, pauses: 2, losses: 1, ..NO_FAULTS },
        Faults { restarts: 1, ..crash },
        Faults { crashes: 2, restarts: 2, ..NO_FAULTS },
        jump,
        Faults { clock_jumps: 2, pauses: 1, ..NO_FAULTS },
        Faults { crashes: 1, restarts: 1, ..jump },
        delay,
        Faults { delays: 2, ..NO_FAULTS },
        Faults { reply_delays: 2, ..NO_FAULTS },
        Faults { delays: 1, reply_delays: 1, ..NO_FAULTS },
        Faults { pauses: 1, reply_delays: 1, ..crash },
        Faults { restarts: 1, reply_delays: 1, ..crash },
        Faults { losses: 1, reply_delays: 1, ..cut },
        Faults { node_restarts: 1, reply_delays: 1, ..node_crash },
        Faults { crashes: 1, ..delay },
        Faults { crashes: 1, restarts: 1, ..delay },
        Faults { losses: 1, pauses: 1, ..delay },
        Faults { crashes: 1, restarts: 1, clock_jumps: 1, ..delay },
        node_crash,
        Faults { node_restarts: 1, ..node_crash },
        Faults { node_crashes: 2, node_restarts: 2, ..NO_FAULTS },
        Faults { node_clock_jumps: 1, ..NO_FAULTS },
        cut,
        Faults { cuts: 2, ..NO_FAULTS },
        Faults { crashes: 1, restarts: 1, ..cut },
        Faults { pauses: 1, delays: 1, ..cut },
        Faults { losses: 1, node_crashes: 1, node_restarts: 1, ..cut },
        Faults { node_restarts: 1, losses: 1, pauses: 1, ..node_crash },
        Faults { node_restarts: 1, node_clock_jumps: 1, delays: 1, ..node_crash },
    ])
}

/// Number of random programs, unless `PROPTEST_CASES` says otherwise: the layer `explorer` tests thousands.
fn config() -> ProptestConfig {
    let config = ProptestConfig { max_shrink_iters: 400, ..ProptestConfig::default() };
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { config.cases } else { 20 };
    ProptestConfig { cases, ..config }
}

proptest! {
    #![proptest_config(config())]

    /// No reduction changes a verdict or makes a schedule longer.
    #[test]
    fn reductions_miss_no_breach(
        programs in prop::collection::vec(prop::collection::vec(any_line(), 1..4), 1..3),
        twins in any::<bool>(),
        property in property(),
        faults in some_faults(),
        seed in 0_u64..1_000,
    ) {
        let mut texts: Vec<String> = programs.iter().map(|lines| lines.join("\n")).collect();
        if twins {
            texts.push(texts[0].clone());
        }
        let depth = if texts.len() > 2 { 6 } else { 9 };
        let stage = stage_of(&texts, property, seed);
        // Three times as many worlds take twice the time and find hardly another breach.
        let plain = plainly(&stage.world, faults, depth, 10_000, &is_broken);
        if plain == Found::Unknown {
            return Ok(());
        }
        for (symmetry, independence) in [(true, true), (false, false)] {
            let limits = Limits { faults, symmetry, independence, depth: depth as u32 + 1, states: 30_000, ..Limits::default() };
            let outcome = explored(&stage.world, limits);
            let found = within(&outcome, depth);
            prop_assert!(
                found == Found::Unknown || found == plain,
                "{:#?} {}: plain {:?}, explored {:?} {:?}", texts, property, plain, found, outcome
            );
        }
    }

    /// Steps that are saved because they commute with others lose no world.
    #[test]
    fn commuting_steps_lose_no_world(
        programs in prop::collection::vec(prop::collection::vec(any_line(), 1..4), 2..4),
        faults in prop_oneof![
            (0_u32..2, 0_u32..3, 0_u32..2).prop_map(|(crashes, pauses, losses)| Faults { crashes, pauses, losses, ..NO_FAULTS }),
            some_faults(),
        ],
        seed in 0_u64..1_000,
    ) {
        let texts: Vec<String> = programs.iter().map(|lines| lines.join("\n")).collect();
        let stage = stage_of(&texts, "sum end >= 0 key a", seed);
        let [spared, whole] = [true, false].map(|independence| {
            let limits = Limits { faults, symmetry: false, independence, states: 4_000, ..Limits::default() };
            Explorer::new(stage.world.clone(), Some(0), limits).finish()
        });
        if whole.0 == (SearchOutcome::Nothing { cut: None }) {
            prop_assert_eq!((&spared.0, spared.1.states), (&whole.0, whole.1.states), "{:#?} {:?}", texts, faults);
            prop_assert!(spared.1.steps <= whole.1.steps);
        }
    }

    /// A reported deadlock is one: random runs find no progress. In a world reported free of deadlocks they always find some.
    #[test]
    fn random_runs_agree_on_deadlocks(
        programs in prop::collection::vec(prop::collection::vec(any_line(), 1..4), 1..3),
        (crashes, delays, cuts) in (0_u32..2, 0_u32..2, 0_u32..2),
        seed in any::<u64>(),
    ) {
        let texts: Vec<String> = programs.iter().map(|lines| lines.join("\n")).collect();
        let stage = stage_of(&texts, "no-deadlock", seed);
        let faults = Faults { crashes, delays, cuts, ..NO_FAULTS };
        let outcome = explored(&stage.world, Limits { faults, states: 20_000, ..Limits::default() });
        let mut chance = seed;
        match &outcome {
            SearchOutcome::Broken { schedule, .. } => {
                let mut world = stage.world.clone();
                schedule.iter().for_each(|input| _ = world.step(input).unwrap());
                // Some clients may still have steps left; after them no client makes progress.
                for _ in 0..20 {
                    let mut world = world.clone();
                    for _ in 0..1_000 {
                        let Some(input) = any_of(&world.enabled(NO_FAULTS), &mut chance) else { break };
                        world.step(&input).unwrap();
                    }
                    prop_assert!(!world.is_end() && !gets_on(&world, None, &mut chance, 200), "{:#?} {:?}", texts, schedule);
                }
            }
            SearchOutcome::Nothing { cut: None } => {
                for _ in 0..20 {
                    let mut world = stage.world.clone();
                    for _ in 0..(random(&mut chance) % 30) {
                        let Some(input) = any_of(&world.enabled(NO_FAULTS), &mut chance) else { break };
                        world.step(&input).unwrap();
                    }
                    let gets_on = world.is_end() || (0..50).any(|_| gets_on(&world, None, &mut chance, 1_000));
                    prop_assert!(gets_on, "{:#?}", texts);
                }
            }
            SearchOutcome::Nothing { .. } => {}
        }
    }
}

proptest! {
    // Each of these takes as long as several of the others: a search checks every world for every client.
    #![proptest_config(ProptestConfig { cases: config().cases.div_ceil(4), ..config() })]

    /// A client reported as starved is starved: no order of steps helps it, as far as a plain search and random runs can tell. No client
    /// that starves earlier is missed, and if none is reported, random runs find progress for each.
    #[test]
    fn every_starving_client_is_found(
        programs in prop::collection::vec(prop::collection::vec(line(), 1..3), 1..3),
        twins in any::<bool>(),
        faults in some_faults(),
        seed in 0_u64..1_000,
    ) {
        let mut texts: Vec<String> = programs.iter().map(|lines| lines.join("\n")).collect();
        if twins {
            texts.push(texts[0].clone());
        }
        let stage = stage_of(&texts, "everyone-gets-on", seed);
        let [outcome, other] = [(true, true), (false, false)].map(|(symmetry, independence)| {
            explored(&stage.world, Limits { faults, symmetry, independence, states: 200, ..Limits::default() })
        });
        let (found, as_found) = (within(&outcome, 100), within(&other, 100));
        prop_assert!(found == as_found || [found, as_found].contains(&Found::Unknown), "{:#?} {:?} {:?}", texts, outcome, other);
        let (depth, is_vague) = (if texts.len() > 2 { 2 } else { 4 }, Cell::new(false));
        let is_starved = |world: &World| clients_that_go_on(world).into_iter().any(|client| {
            let is_starved = never_gets_on(world, client, 100);
            is_vague.set(is_vague.get() || is_starved.is_none());
            is_starved == Some(true)
        });
        let plain = plainly(&stage.world, faults, depth, 100, &is_starved);
        let found = within(&outcome, depth);
        // The plain search sees no end for polling clients; where it ends, it is right.
        let is_known = plain != Found::Unknown && found != Found::Unknown;
        let is_same = found == plain || is_vague.get() && matches!((found, plain), (Found::Broken(at), Found::Broken(seen)) if at < seen)
            || is_vague.get() && plain == Found::Nothing;
        prop_assert!(!is_known || is_same, "{:#?}: plain {:?}, explored {:?} {:?}", texts, plain, found, outcome);
        let mut chance = seed;
        match &outcome {
            SearchOutcome::Broken { schedule, breach: Breach::Starved { client }, .. } => {
                let mut world = stage.world.clone();
                for input in schedule {
                    world.step(input).unwrap();
                }
                let world = resumed(&world);
                prop_assert_eq!(starved(&world), Some(*client));
                for _ in 0..10 {
                    prop_assert!(!gets_on(&world, Some(*client), &mut chance, 300), "{:#?} {:?}", texts, outcome);
                }
            }
            SearchOutcome::Nothing { cut: None } => {
                for _ in 0..5 {
                    let (mut world, mut faults) = (stage.world.clone(), faults);
                    for _ in 0..(random(&mut chance) % 20) {
                        let Some(input) = any_of(&world.enabled(faults), &mut chance) else { break };
                        faults = faults.after(&input).unwrap();
                        world.step(&input).unwrap();
                    }
                    let world = resumed(&world);
                    for client in clients_that_go_on(&world) {
                        let gets_on = (0..50).any(|_| gets_on(&world, Some(client), &mut chance, 1_000));
                        prop_assert!(gets_on, "{:#?} {}", texts, client);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Clients that have not ended.
fn clients_that_go_on(world: &World) -> Vec<ClientIndex> {
    let clients = world.clients().map(|(client, _)| client);
    clients.filter(|client| world.process(*client).is_some_and(|process| !process.is_over())).collect()
}

/// The same world with no client paused.
fn resumed(world: &World) -> World {
    let mut world = world.clone();
    for client in clients_that_go_on(&world) {
        if world.process(client).unwrap().condition() == Condition::Paused {
            world.step(&Input::Program { client, act: Act::Resume }).unwrap();
        }
    }
    world
}

/// Does this client never make progress, in any order, once no client is paused? `None`: there are more than `most` worlds; only
/// bit-identical worlds count as equal.
fn never_gets_on(from: &World, client: ClientIndex, most: usize) -> Option<bool> {
    let world = resumed(from);
    let mut seen = BTreeSet::new();
    let mut open = vec![world];
    while let Some(world) = open.pop() {
        for input in world.enabled(NO_FAULTS) {
            let mut after = world.clone();
            let events = after.step(&input).unwrap();
            if events.iter().any(|event| is_gain(&event.kind, Some(client))) || after.process(client).unwrap().is_over()
            {
                return Some(false);
            }
            if seen.insert(after.fingerprint().0) {
                open.push(after);
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(true)
}

fn random(chance: &mut u64) -> u64 {
    *chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *chance >> 33
}

fn any_of(inputs: &[Input], chance: &mut u64) -> Option<Input> {
    let count = u64::try_from(inputs.len()).unwrap();
    (count > 0).then(|| inputs[usize::try_from(random(chance) % count).unwrap()].clone())
}

/// Does the event mean progress for this client? `None`: for any client?
fn is_gain(kind: &EventKind, of: Option<ClientIndex>) -> bool {
    let EventKind::Program { client, what, .. } = kind else { return false };
    let is_gain = matches!(
        what,
        ProgramEvent::Entered { .. }
            | ProgramEvent::Tallied { .. }
            | ProgramEvent::Produced { .. }
            | ProgramEvent::Processed { times: 1, .. }
            | ProgramEvent::Ended
            | ProgramEvent::Failed(_)
    );
    is_gain && of.is_none_or(|of| of == *client)
}

/// Does this client, or any client, make progress within this many random steps?
fn gets_on(from: &World, of: Option<ClientIndex>, chance: &mut u64, steps: usize) -> bool {
    let mut world = from.clone();
    let is_over = |world: &World| match of {
        Some(client) => world.process(client).unwrap().is_over(),
        None => world.is_end(),
    };
    for _ in 0..steps {
        let Some(input) = any_of(&world.enabled(NO_FAULTS), chance) else { return is_over(&world) };
        if world.step(&input).unwrap().iter().any(|event| is_gain(&event.kind, of)) || is_over(&world) {
            return true;
        }
    }
    false
}

fn steps(texts: &[&str], property: &str, faults: Faults) -> Result<usize, Option<Cut>> {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    let stage = stage_of(&texts, property, 7);
    match explored(&stage.world, Limits { faults, states: 50_000, ..Limits::default() }) {
        SearchOutcome::Broken { schedule, .. } => Ok(schedule.len()),
        SearchOutcome::Nothing { cut } => Err(cut),
    }
}

#[test]
fn sorted_texts_tell_clients_apart() {
    let texts = vec![
        "local id = uuid() redis.call('ZADD', 'q', 0, id) check(redis.call('ZRANGE', 'q', 0, 0)[1] == id)"
            .to_owned();
        2
    ];
    for seed in 0..20 {
        let stage = stage_of(&texts, "checks", seed);
        let plain = plainly(&stage.world, NO_FAULTS, 6, 30_000, &is_broken);
        assert_eq!(within(&explored(&stage.world, Limits::default()), 6), plain, "seed {seed}");
        assert!(matches!(plain, Found::Broken(3 | 4)), "seed {seed}: {plain:?}");
    }
}

#[test]
fn rereading_a_clock_tells_times_apart() {
    // The lease has expired if the client was held up for as long as the other one sleeps.
    let holder = "local begun = now() redis.call('PING') sleep(10) redis.call('PING') check(now() - begun < 50)";
    let pause = Faults { pauses: 1, ..NO_FAULTS };
    let found = steps(&[holder, "sleep(40) sleep(40)"], "checks", pause);
    let stage = stage_of(&[holder.to_owned(), "sleep(40) sleep(40)".to_owned()], "checks", 7);
    assert_eq!(plainly(&stage.world, pause, 12, 200_000, &is_broken), Found::Broken(found.unwrap()));
}

#[test]
fn client_that_gives_up_is_not_deadlocked() {
    let deadline = "local deadline = now() + 1000 while not redis.call('GET', 'x') do if now() >= deadline then return end sleep(100) end";
    let attempts = "local s = { tries = { n = 0 } } while not redis.call('GET', 'x') do s.tries.n = s.tries.n + 1 if s.tries.n > 9 then return end sleep(100) end";
    for program in [deadline, attempts] {
        assert_eq!(steps(&[program], "no-deadlock", NO_FAULTS), Err(None));
        assert_eq!(steps(&[program, program], "no-deadlock", NO_FAULTS), Err(None));
        assert_eq!(steps(&[program], "no-deadlock", Faults { crashes: 1, ..NO_FAULTS }), Err(None));
    }
}

#[test]
fn every_deadlock_has_shortest_counterexample() {
    let poll = |key: &str, ms: u32| format!("while redis.call('SETNX', '{key}', 1) == 0 do sleep({ms}) end ");
    let both = |one: &str, two: &str, ms: u32| {
        format!(
            "{}{}enter() leave() redis.call('DEL', '{two}') redis.call('DEL', '{one}')",
            poll(one, ms),
            poll(two, ms)
        )
    };
    // Polling in opposite order, each with its own interval.
    assert_eq!(steps(&[&both("a", "b", 100), &both("b", "a", 33)], "no-deadlock", NO_FAULTS), Ok(2));
    // The reply to the lock is lost: no client knows that it holds the lock.
    let once = format!("{}enter() leave() redis.call('DEL', 'a')", poll("a", 20));
    let lost = Faults { losses: 1, ..NO_FAULTS };
    assert_eq!(
        steps(
            &[&once.replace("redis.call('SETNX', 'a', 1) == 0", "select(2, pcall(redis.call, 'SETNX', 'a', 1)) ~= 1")],
            "no-deadlock",
            lost
        ),
        Ok(1)
    );
    // A majority of three, and no client releases what it has.
    let majority = |order: [&str; 3]| {
        let take = |key: &str| format!("if redis.call('SETNX', '{key}', 1) == 1 then got = got + 1 end ");
        format!("local got = 0 while got < 2 do {} sleep(10) end enter()", order.map(take).concat())
    };
    let three = [majority(["a", "b", "c"]), majority(["b", "c", "a"]), majority(["c", "a", "b"])];
    assert_eq!(
        steps(&three.each_ref().map(String::as_str), "no-deadlock", NO_FAULTS).map(|steps| steps >= 3),
        Ok(true)
    );
    // A client that releases what it has can always make progress.
    let polite = |one: &str, two: &str| {
        format!(
            "while true do if redis.call('SETNX', '{one}', 1) == 1 then if redis.call('SETNX', '{two}', 1) == 1 then break end \
         redis.call('DEL', '{one}') end sleep(10) end enter() leave() redis.call('DEL', '{two}') redis.call('DEL', '{one}')"
        )
    };
    assert_eq!(steps(&[&polite("a", "b"), &polite("b", "a")], "no-deadlock", NO_FAULTS), Err(None));
}

#[test]
fn growing_counter_gives_no_verdict() {
    for program in
        ["local n = 0 while true do n = n + 1 redis.call('PING') end", "while true do redis.call('INCR', 'n') end"]
    {
        assert!(matches!(steps(&[program], "no-errors", NO_FAULTS), Err(Some(Cut::Depth | Cut::States))), "{program}");
    }
}

/// The shortest breach, by the explorer, by the explorer without reductions, and by the plain search.
fn shortest(texts: &[&str], property: &str, faults: Faults) -> Found {
    let owned: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    let stage = stage_of(&owned, property, 0);
    let whole = Limits { faults, symmetry: false, independence: false, states: 300_000, ..Limits::default() };
    let found = within(&explored(&stage.world, Limits { symmetry: true, independence: true, ..whole }), 100);
    assert_eq!(found, within(&explored(&stage.world, whole), 100), "{texts:#?} {property} {faults:?}");
    if let Found::Broken(steps) = found {
        let plain = plainly(&stage.world, faults, steps, 300_000, &is_broken);
        assert!([found, Found::Unknown].contains(&plain), "{texts:#?}: {found:?}, plainly {plain:?}");
    }
    found
}

#[test]
fn restarted_holder_enters_twice() {
    // A client that finds its own name in the lock takes the lock for its own, even after a crash halfway.
    let lock = "local me = 'c' .. client.id
redis.call('SET', 'lock', me, 'NX')
if redis.call('GET', 'lock') == me then tally('paid') enter() redis.call('INCR', 'visits') leave() end";
    let crash = Faults { crashes: 1, ..NO_FAULTS };
    let property = "sum always <= 1 tally paid";
    assert_eq!(shortest(&[lock, lock], property, NO_FAULTS), Found::Nothing);
    assert_eq!(shortest(&[lock, lock], property, crash), Found::Nothing);
    assert_eq!(shortest(&[lock, lock], property, Faults { restarts: 1, ..NO_FAULTS }), Found::Nothing);
    // SET, GET, crash, restart, SET, GET.
    assert_eq!(shortest(&[lock, lock], property, Faults { restarts: 1, ..crash }), Found::Broken(6));
    // Its memory is lost, so a client that does not know it holds the lock never releases it.
    let holder = "if redis.call('SET', 'lock', uuid(), 'NX') then enter() redis.call('PING') leave() redis.call('DEL', 'lock') end";
    let both = Faults { restarts: 1, ..crash };
    assert_eq!(shortest(&[holder], "end missing key lock", NO_FAULTS), Found::Nothing);
    assert_eq!(shortest(&[holder], "end missing key lock", both), Found::Broken(2));
}

#[test]
fn lease_by_client_clock_breaks_when_clock_jumps() {
    let lease = "local ends = tonumber(redis.call('GET', 'until') or 0)
if ends < now() then
  redis.call('SET', 'until', now() + 5000)
  enter() redis.call('PING') leave()
end";
    let holder = "redis.call('SET', 'until', now() + 5000) enter() redis.call('PING') leave()";
    let jump = Faults { clock_jumps: 1, ..NO_FAULTS };
    // The holder took the lock before, so no client runs between GET and SET.
    let taker = format!("repeat until redis.call('EXISTS', 'until') == 1 {lease}");
    let property = "mutual-exclusion";
    assert_eq!(shortest(&[holder, &taker], property, NO_FAULTS), Found::Nothing);
    assert_eq!(shortest(&[holder, &taker], property, Faults { pauses: 1, ..NO_FAULTS }), Found::Nothing);
    // SET, EXISTS, the taker's clock jumps, GET, SET: the holder is still inside.
    assert_eq!(shortest(&[holder, &taker], property, jump), Found::Broken(5));
    // No jump is tried for a clock that no program reads.
    assert_eq!(shortest(&["sleep(10)"], "no-errors", jump), Found::Nothing);
}

#[test]
fn late_delete_removes_lock_of_another_client() {
    let lock = "if redis.call('SET', 'lock', uuid(), 'NX', 'PX', 1000) then
  enter() redis.call('PING') leave()
  redis.pcall('DEL', 'lock')
end";
    let next = "repeat sleep(900) until redis.call('SET', 'lock', uuid(), 'NX', 'PX', 1000) enter() redis.call('PING') leave()";
    let delay = Faults { delays: 1, ..NO_FAULTS };
    let property = "only-owner-releases lock";
    assert_eq!(shortest(&[lock, next], property, NO_FAULTS), Found::Nothing);
    // A lost request does no harm: it must arrive late.
    assert_eq!(shortest(&[lock, next], property, Faults { losses: 1, ..NO_FAULTS }), Found::Nothing);
    // The sleep ends, SET, PING, DEL is held up, SET fails, twice sleep and time to the lease's end, SET, and then DEL arrives.
    assert_eq!(shortest(&[lock, next], property, delay), Found::Broken(11));
    // Its sender may have crashed by then; that takes one more step.
    let stage = stage_of(&[lock.to_owned(), next.to_owned()], property, 0);
    let limits = Limits { faults: delay, ..Limits::default() };
    let SearchOutcome::Broken { schedule, breach, .. } = explored(&stage.world, limits) else { panic!("it is broken") };
    assert_eq!(breach, Breach::ReleasedByOther { key: "lock".into(), owner: 1, by: 0 });
    let held_up =
        schedule.iter().position(|input| matches!(input, Input::Program { act: Act::HoldUp { .. }, .. })).unwrap();
    let mut world = stage.world.clone();
    for (place, input) in schedule.iter().enumerate() {
        let is_senders = input.client() == Some(0) && place > held_up;
        if !is_senders || place + 1 == schedule.len() {
            world.step(input).unwrap();
        }
        if place == held_up {
            world.step(&Input::Program { client: 0, act: Act::Crash }).unwrap();
        }
    }
    assert!(is_broken(&world));
}

#[test]
fn held_up_request_is_answered_in_time_or_never() {
    let text = "note(redis.pcall('INCR', 'a')) note(redis.call('INCR', 'a'))";
    let mut stage = stage_of(&[text.to_owned()], "no-errors", 0);
    let arrive = Act::Arrive { late: 0 };
    assert_eq!(stage.refused(0, arrive.clone()), world::StepError::NotNow(0));
    stage.program(0, Act::HoldUp { thread: 0, direction: world::Direction::Request });
    assert_eq!(
        stage.refused(0, Act::HoldUp { thread: 0, direction: world::Direction::Request }),
        world::StepError::NotNow(0)
    );
    let beginning = stage.world.clone();
    // In time.
    stage.program(0, arrive.clone());
    stage.program(0, Act::Step { thread: 0 });
    assert_eq!((stage.log.last().unwrap().as_str(), stage.get("a")), ("Noted 1", "1".to_owned()));
    // After the client's timeout: it opens another connection, and the old one closes when everything has arrived.
    stage.world = beginning.clone();
    stage.step(Input::Advance { ms: world::TIMEOUT_MS });
    stage.program(0, Act::Step { thread: 0 });
    stage.program(0, Act::Step { thread: 0 });
    assert_eq!(
        (stage.log.iter().rfind(|log| log.starts_with("Noted")).unwrap().as_str(), stage.get("a")),
        ("Noted 1", "1".to_owned())
    );
    let connections = |world: &World| world.servers().map(|(_, server)| server.clients().count()).sum::<usize>();
    assert!(!stage.world.is_end() && connections(&stage.world) == 2);
    assert_eq!(stage.world.enabled(NO_FAULTS), [Input::Program { client: 0, act: arrive.clone() }]);
    stage.program(0, arrive.clone());
    assert!(stage.world.is_end() && connections(&stage.world) == 1 && stage.get("a") == "2");
    // After a crash and a restart.
    stage.world = beginning.clone();
    for act in [Act::Crash, Act::Restart, Act::Step { thread: 0 }, arrive.clone()] {
        stage.program(0, act);
    }
    assert_eq!((stage.get("a"), connections(&stage.world)), ("2".to_owned(), 1));
    // If the client leaves, its held-up requests go into the server's queue.
    stage.world = beginning;
    stage.step(Input::Disconnect { client: 0 });
    stage.step(Input::Serve { node: world::NodeIndex::FIRST });
    assert_eq!((stage.get("a"), connections(&stage.world)), ("1".to_owned(), 0));
}

#[test]
fn held_up_reply_arrives_while_its_thread_waits() {
    let text = "note(redis.pcall('INCR', 'a')) note(redis.pcall('BLPOP', 'q', 0))";
    let mut stage = stage_of(&[text.to_owned()], "no-errors", 0);
    let hold_up = Act::HoldUp { thread: 0, direction: world::Direction::Reply };
    let arrive = Act::Arrive { late: 0 };
    stage.program(0, hold_up.clone());
    assert_eq!(stage.get("a"), "1", "the request was carried out");
    assert_eq!(stage.refused(0, Act::Step { thread: 0 }), world::StepError::NotNow(0));
    assert_eq!(stage.refused(0, hold_up.clone()), world::StepError::NotNow(0));
    let beginning = stage.world.clone();
    // In time, and not while the client is paused.
    stage.step(Input::Advance { ms: world::TIMEOUT_MS - 1 });
    stage.program(0, Act::Pause);
    assert_eq!(stage.refused(0, arrive.clone()), world::StepError::NotNow(0));
    stage.program(0, Act::Resume);
    stage.program(0, arrive.clone());
    assert_eq!(stage.log.last().unwrap(), "Noted 1");
    // A reply that is not immediate cannot be held up; once it exists, it can.
    stage.program(0, hold_up.clone());
    assert_eq!(stage.world.held_up(0).count(), 0);
    let argv = ["RPUSH", "q", "x"].map(bytes::Bytes::from).to_vec();
    stage.step(Input::Connect { client: 1, name: "hand".into() });
    stage.step(Input::Command { client: 1, argv });
    stage.program(0, hold_up.clone());
    assert_eq!(stage.world.held_up(0).count(), 1);
    stage.program(0, arrive.clone());
    assert!(stage.world.process(0).unwrap().is_over());
    // After a timeout or a crash, no thread waits for it.
    stage.world = beginning.clone();
    stage.step(Input::Advance { ms: world::TIMEOUT_MS });
    stage.program(0, Act::Step { thread: 0 });
    assert_eq!(stage.refused(0, arrive.clone()), world::StepError::NotNow(0));
    assert_eq!(stage.get("a"), "1");
    stage.world = beginning;
    stage.program(0, Act::Crash);
    assert_eq!(stage.refused(0, arrive), world::StepError::NotNow(0));
    assert!(stage.world.is_end());
}

#[test]
fn late_reply_breaks_what_no_loss_breaks() {
    // The lease expires while the reply that grants it is in flight.
    let text = "
while not redis.call('SET', 'lock', 'x', 'NX', 'PX', 1000) do
  sleep(1001)
end
enter('critical')
work(0)
leave('critical')";
    let stage = stage_of(&[text.to_owned(), text.to_owned()], "at-most 1 inside critical", 0);
    let search = |faults| {
        let limits = Limits { faults, ..Limits::default() };
        Explorer::new(stage.world.clone(), None, limits).finish().0
    };
    for faults in [NO_FAULTS, Faults { losses: 2, ..NO_FAULTS }, Faults { delays: 1, ..NO_FAULTS }] {
        assert!(matches!(search(faults), SearchOutcome::Nothing { cut: None }), "{faults:?}");
    }
    let SearchOutcome::Broken { schedule, .. } = search(Faults { reply_delays: 1, ..NO_FAULTS }) else { panic!() };
    // The reply is held up, the other client is refused, sleeps, wakes and enters; then the reply arrives.
    assert_eq!(schedule.len(), 6, "{schedule:?}");
}
