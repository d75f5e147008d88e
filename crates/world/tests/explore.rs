//! The explorer: state spaces counted by hand, the broken locks of the course, and counterexamples that replay as reported.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]
mod fixture;
mod scenarios;

use fixture::Fixture;
use proptest::prelude::*;
use scenarios::{Scenario, scenarios};
use world::explore::{
    Cut, Exchanges, Explorer, Limits, Progress, SearchOutcome, decisive, is_dead, is_stuck, starved, way,
};
use world::{Act, Breach, Durability, EventKind, Faults, Input, LinkAct, NodeIndex};

const NO_FAULTS: Faults = Faults::NONE;

fn limits(faults: Faults, symmetry: bool) -> Limits {
    Limits { faults, symmetry, independence: symmetry, ..Limits::default() }
}

fn space<const N: usize>(programs: [&str; N], faults: Faults, symmetry: bool) -> Progress {
    let (outcome, progress) = Explorer::new(Fixture::new(programs).world, None, limits(faults, symmetry)).finish();
    assert_eq!(outcome, SearchOutcome::Nothing { cut: None });
    progress
}

#[test]
fn state_spaces_have_the_size_counted_by_hand() {
    // One request each without effect on the server: which clients have run, 2 × 2 and 2 × 2 × 2.
    let ping = "redis.call('PING')";
    assert_eq!(space([ping, ping], NO_FAULTS, false).states, 4);
    assert_eq!(space([ping, ping, ping], NO_FAULTS, false).states, 8);
    // Identical clients: only the number that have run counts: 0, 1, 2, 3.
    assert_eq!(space([ping, ping, ping], NO_FAULTS, true).states, 4);
    // Three requests each: 4 × 4.
    let three = "for i = 1, 3 do redis.call('PING') end";
    assert_eq!(space([three, three], NO_FAULTS, false).states, 16);
    // Replies are forgotten at the end: start, a, b, both.
    let incr = "redis.call('INCR', 'n')";
    assert_eq!(space([incr, incr], NO_FAULTS, false).states, 4);
    assert_eq!(space([incr, incr], NO_FAULTS, true).states, 3);
    // Asleep, awake, done.
    assert_eq!(space(["sleep(10)"], NO_FAULTS, false).states, 3);
    // Different times: both asleep; one awake; one done; finally both done, in one order only.
    assert_eq!(space(["sleep(10)", "sleep(20)"], NO_FAULTS, false).states, 5);
    // Crashed before its request, or done and then unable to crash.
    let crash = Faults { crashes: 1, ..NO_FAULTS };
    assert_eq!(space([ping], crash, false).states, 3);
    // Paused and resumed differs from never paused, because a pause has been used: start, paused, resumed; done with and without a pause.
    let pause = Faults { pauses: 1, ..NO_FAULTS };
    assert_eq!(space([ping], pause, false).states, 5);
    // The request is lost, or the reply (for PING there is no difference): waits, times out; done.
    let loss = Faults { losses: 1, ..NO_FAULTS };
    assert_eq!(space(["pcall(redis.call, 'PING')"], loss, false).states, 5);
}

#[test]
fn untested_property_is_reported() {
    let untested = |program: &str, property: &str| {
        let world = Fixture::new([program, program]).watching(&[property]).world;
        let (outcome, progress) = Explorer::new(world, None, Limits::default()).finish();
        (matches!(outcome, SearchOutcome::Nothing { cut: None }), progress.untested)
    };
    let (holds, idle) = ((true, 0), (true, 1));
    let lock = "while redis.call('SETNX', 'lock', 'x') == 0 do sleep(10) end enter() leave() redis.call('DEL', 'lock')";
    for property in
        ["mutual-exclusion", "only-owner-releases lock", "no-deadlock", "no-errors", "everyone-gets-in critical"]
    {
        assert_eq!(untested(lock, property), holds, "{property}");
    }
    for property in ["mutual-exclusion", "only-owner-releases lock", "no-deadlock", "no-errors", "checks"] {
        assert_eq!(untested("", property), idle, "{property}");
    }
    // The end was reached, and a client had never entered.
    assert_eq!(untested("", "everyone-gets-in critical"), (false, 1));
    // No client releases a lock that only expires.
    let lapsing = "if redis.call('SET', 'lock', uuid(), 'NX', 'PX', 50) then enter() leave() end sleep(100)";
    assert_eq!(untested(lapsing, "only-owner-releases lock"), idle);
    // A term must change; a tally with an upper bound only needs a command.
    assert_eq!(untested("redis.call('GET', 'n')", "sum always = 0 key n"), idle);
    assert_eq!(untested("redis.call('SET', 'n', 0)", "sum always = 0 key n"), holds);
    assert_eq!(untested("redis.call('GET', 'n')", "sum always <= 0 tally conflicts"), holds);
    assert_eq!(untested("redis.call('GET', 'n') tally('sold', 0)", "sum always = 0 tally sold"), holds);
    assert_eq!(untested("redis.call('GET', 'n')", "sum always = 0 tally sold"), idle);
    assert_eq!(untested("redis.call('PING') check(true)", "checks"), holds);
}

#[test]
fn way_of_a_schedule_lists_faults_and_commands() {
    let searched = |programs: [&str; 2], property: &str, faults: Faults| {
        let world = Fixture::new(programs).watching(&[property]).world;
        let limits = Limits { faults, ..Limits::default() };
        let (outcome, _) = Explorer::new(world.clone(), None, limits).finish();
        let SearchOutcome::Broken { schedule, .. } = outcome else { panic!("{outcome:?}") };
        way(&world, &schedule)
    };
    let race = "local n = redis.call('GET', 'n') redis.call('set', 'n', (n or 0) + 1) tally('n')";
    assert_eq!(searched([race, race], "sum end = 2 key n", NO_FAULTS), "GET SET | GET SET");
    // Repeats of one command in a row count once: a program that reads twice makes the same mistake.
    let twice = race.replace("local n", "redis.call('GET', 'n') local n");
    assert_eq!(searched([&twice, race], "sum end = 2 key n", NO_FAULTS), "GET SET | GET SET");
    let lock = "while redis.call('SETNX', 'lock', 'x') == 0 do sleep(10) end enter() leave() redis.call('DEL', 'lock')";
    let crash = Faults { crashes: 1, ..NO_FAULTS };
    assert_eq!(searched([lock, lock], "no-deadlock", crash), "crash: SETNX");
}

#[test]
fn exhausted_limits_are_reported() {
    // One state, on every path.
    let forever = Fixture::new(["while true do redis.call('PING') end"]).world;
    let (outcome, progress) = Explorer::new(forever, None, Limits::default()).finish();
    assert_eq!((outcome, progress.states), (SearchOutcome::Nothing { cut: None }, 1));
    let forever = "local n = 0 while true do n = n + 1 redis.call('PING') end";
    let limits = Limits { depth: 5, ..Limits::default() };
    let (outcome, progress) = Explorer::new(Fixture::new([forever]).world, None, limits).finish();
    assert_eq!(outcome, SearchOutcome::Nothing { cut: Some(Cut::Depth) });
    assert_eq!((progress.states, progress.depth), (6, 5));
    let limits = Limits { states: 3, ..Limits::default() };
    let (outcome, progress) = Explorer::new(Fixture::new([forever]).world, None, limits).finish();
    assert_eq!(outcome, SearchOutcome::Nothing { cut: Some(Cut::States) });
    assert_eq!(progress.states, 3);
}

fn search(scenario: &Scenario, limits: Limits) -> (Fixture, SearchOutcome, Progress) {
    let mut stage = Fixture::new::<0>([]);
    scenario.inputs().into_iter().for_each(|input| _ = stage.step(input));
    let limits = Limits { faults: scenario.faults, ..limits };
    let (outcome, progress) = Explorer::new(stage.world.clone(), Some(0), limits).finish();
    (stage, outcome, progress)
}

#[test]
fn every_broken_lock_has_shortest_counterexample() {
    for scenario in scenarios() {
        let (mut stage, outcome, progress) = search(&scenario, Limits::default());
        let name = format!("{} {:?}\n{:?}\n{:#?}", scenario.property, scenario.faults, progress, outcome);
        let SearchOutcome::Broken { breach, schedule, property } = outcome else {
            assert_eq!(scenario.shortest, None, "{name}");
            assert_eq!(outcome, SearchOutcome::Nothing { cut: None }, "{name}");
            continue;
        };
        assert_eq!(Some(schedule.len()), scenario.shortest, "{name}");
        // The schedule replays to its breach, and not a step earlier.
        for (number, input) in (1..).zip(schedule) {
            let events = stage.step(input);
            let is_broken =
                events.iter().any(|e| matches!(&e.kind, EventKind::Broken { property: p, .. } if *p == property));
            assert_eq!(
                is_broken && breach != Breach::Stuck,
                number == scenario.shortest.unwrap() && breach != Breach::Stuck,
                "{name}"
            );
        }
        if breach == Breach::Stuck {
            assert!(is_stuck(&stage.world), "{name}");
        }
    }
}

/// All search modes: with and without the reductions of worlds and steps.
const WAYS: [(bool, bool); 4] = [(false, false), (false, true), (true, false), (true, true)];

/// Length of the shortest breach; `None`: there is none at all.
fn length(outcome: &SearchOutcome) -> Option<usize> {
    match outcome {
        SearchOutcome::Broken { schedule, .. } => Some(schedule.len()),
        SearchOutcome::Nothing { cut } => {
            assert_eq!(*cut, None);
            None
        }
    }
}

#[test]
fn reductions_change_neither_verdict_nor_shortest_length() {
    for scenario in scenarios() {
        let found = WAYS.map(|(symmetry, independence)| {
            let (_, outcome, progress) = search(&scenario, Limits { symmetry, independence, ..Limits::default() });
            (length(&outcome), progress)
        });
        let name = format!("{} {} {:?}: {found:#?}", scenario.name, scenario.property, scenario.faults);
        for (number, (shortest, progress)) in found.iter().enumerate() {
            assert_eq!(*shortest, scenario.shortest, "{number} {name}");
            // Independence saves steps but not a single world.
            let without = found[number & !1].1;
            assert!(shortest.is_some() || progress.states == without.states, "{number} {name}");
            assert!(progress.states <= found[0].1.states, "{number} {name}");
        }
    }
}

#[test]
fn independence_saves_steps() {
    let program = "for i = 1, 3 do redis.call('INCR', 'mine:' .. uuid()) end";
    let scenario = Scenario { program, clients: 4, property: "checks", ..scenarios().remove(0) };
    let [all, few] = [false, true].map(|independence| {
        let (_, outcome, progress) = search(&scenario, Limits { symmetry: false, independence, ..Limits::default() });
        assert_eq!(length(&outcome), None);
        progress
    });
    // Each of four clients is at one of four positions: 4 × 4 × 4 × 4 worlds; with sleep sets each world has one incoming path.
    assert_eq!((all.states, few.states), (256, 256));
    assert_eq!((all.steps, few.steps), (768, 255));
}

/// A line of a program, made of a few commands on the same keys.
fn line() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec!["a", "b", "c"]);
    prop_oneof![
        key.clone().prop_map(|key| format!("redis.call('INCR', '{key}')")),
        key.clone().prop_map(|key| format!("redis.call('DEL', '{key}')")),
        key.clone().prop_map(|key| format!("redis.call('SET', '{key}', uuid(), 'PX', 100)")),
        (key.clone(), key.clone())
            .prop_map(|(one, two)| format!("if redis.call('GET', '{one}') then redis.call('SADD', 's{two}', 'x') end")),
        (key.clone(), key.clone()).prop_map(|(one, two)| {
            format!("if redis.call('SETNX', '{one}', 1) == 1 then enter('{two}') redis.call('PING') leave('{two}') end")
        }),
        Just("redis.call('PING')".to_owned()),
        Just("sleep(60)".to_owned()),
        Just("tally('n') redis.call('EVAL', [[return redis.call('INCR', 'a')]], 0)".to_owned()),
        Just("redis.call('MULTI') redis.call('INCR', 'b') redis.call('EXEC')".to_owned()),
        key.clone().prop_map(|key| format!("produced(redis.call('INCR', '{key}'), '{key}')")),
        (key.clone(), 1..3_u32).prop_map(|(key, id)| format!("if redis.call('GET', '{key}') then processed({id}) end")),
        (key, 1..3_u32).prop_map(|(key, id)| format!("redis.call('GET', '{key}') produced({id}, 'k')")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn reductions_agree_with_full_search_for_random_programs(
        programs in prop::collection::vec(prop::collection::vec(line(), 1..4), 2..3),
        twin in any::<bool>(),
        property in prop::sample::select(vec![
            "mutual-exclusion", "sum always <= 1 key a", "sum end <= 1 length sb tally n", "only-owner-releases a", "no-deadlock",
            "checks", "nothing-lost", "processed-once", "in-order", "in-order-by-key",
        ]),
        faults in (0_u32..2, 0_u32..2, 0_u32..2),
    ) {
        let mut stage = Fixture::new::<0>([]);
        stage.watch(property);
        let mut texts: Vec<String> = programs.iter().map(|lines| lines.join("\n")).collect();
        if twin {
            texts.push(texts[0].clone());
        }
        for (client, text) in (0..).zip(&texts) {
            stage.step(Input::Connect { client, name: format!("c{client}") });
            stage.program(client, Act::load(text.clone().into()));
        }
        let (crashes, pauses, losses) = if twin { (0, faults.1, 0) } else { faults };
        let faults = Faults { crashes, pauses, losses, ..Faults::NONE };
        let found = WAYS.map(|(symmetry, independence)| {
            let limits = Limits { faults, symmetry, independence, ..Limits::default() };
            let (outcome, progress) = Explorer::new(stage.world.clone(), Some(0), limits).finish();
            (length(&outcome), progress)
        });
        for (number, (shortest, progress)) in found.iter().enumerate() {
            prop_assert_eq!(*shortest, found[0].0, "{} {:#?} {:#?}", number, texts, found);
            let without = found[number & !1].1;
            prop_assert!(shortest.is_some() || progress.states == without.states, "{} {:#?} {:#?}", number, texts, found);
            prop_assert!(progress.steps <= without.steps || shortest.is_some(), "{} {:#?} {:#?}", number, texts, found);
        }
    }
}

fn dead_lock<const N: usize>(programs: [&str; N], depth: u32) -> SearchOutcome {
    let mut stage = Fixture::new(programs);
    stage.watch("no-deadlock");
    let found = WAYS.map(|(symmetry, independence)| {
        let limits = Limits { depth, symmetry, independence, ..Limits::default() };
        Explorer::new(stage.world.clone(), Some(0), limits).finish().0
    });
    let length = |outcome: &SearchOutcome| match outcome {
        SearchOutcome::Broken { schedule, .. } => Ok(schedule.len()),
        SearchOutcome::Nothing { cut } => Err(*cut),
    };
    let lengths: Vec<_> = found.iter().map(length).collect();
    assert!(lengths.iter().all(|other| *other == lengths[0]), "{lengths:?}");
    if let SearchOutcome::Broken { schedule, breach, .. } = &found[0] {
        assert_eq!(*breach, Breach::Stuck);
        // No deadlock is reported a step earlier.
        for input in schedule {
            assert!(!is_dead(&stage.world));
            stage.step(input.clone());
        }
        assert!(is_dead(&stage.world));
    }
    let [first, ..] = found;
    first
}

fn steps(outcome: &SearchOutcome) -> Option<usize> {
    match outcome {
        SearchOutcome::Broken { schedule, .. } => Some(schedule.len()),
        SearchOutcome::Nothing { .. } => None,
    }
}

#[test]
fn lock_that_its_own_holder_waits_for_is_a_deadlock() {
    // After the first SETNX the client is at the second, which never succeeds: one step.
    let hot =
        "while redis.call('SETNX', 'lock', 1) == 0 do end while redis.call('SETNX', 'lock', 1) == 0 do end enter()";
    let mild = hot.replace("do end", "do sleep(10) end");
    assert_eq!(steps(&dead_lock([hot], 20)), Some(1));
    assert_eq!(steps(&dead_lock([&mild], 20)), Some(1));
    // Every client that comes to such a lock waits with it.
    assert_eq!(steps(&dead_lock([hot, hot], 20)), Some(1));
    assert_eq!(steps(&dead_lock([&mild, &mild], 20)), Some(1));
    // A client that never sleeps lets no time pass: once the other has tried, and sleeps, no new state follows.
    assert_eq!(steps(&dead_lock([hot, &mild], 20)), Some(2));
    // A client that enters first can still progress: the other takes the lock, the first one ends, and then no client is left.
    assert_eq!(steps(&dead_lock([hot, "redis.call('PING') redis.call('PING')"], 20)), Some(3));
}

#[test]
fn two_locks_in_opposite_order_deadlock() {
    let both = |one: &str, two: &str| {
        let take = |key: &str| format!("while redis.call('SETNX', '{key}', 1) == 0 do sleep(10) end ");
        format!("{}{}enter() leave() redis.call('DEL', '{two}') redis.call('DEL', '{one}')", take(one), take(two))
    };
    // One step each.
    assert_eq!(steps(&dead_lock([&both("a", "b"), &both("b", "a")], 20)), Some(2));
    // In the same order there is never a deadlock.
    assert_eq!(dead_lock([&both("a", "b"), &both("a", "b")], 40), SearchOutcome::Nothing { cut: None });
}

#[test]
fn progress_in_another_order_is_no_deadlock() {
    // In turns they take and release forever; one after the other both succeed.
    let polite = |one: &str, two: &str| {
        format!(
            "while true do
               if redis.call('SETNX', '{one}', 1) == 1 then
                 if redis.call('SETNX', '{two}', 1) == 1 then break end
                 redis.call('DEL', '{one}')
               end
               sleep(10)
             end
             enter() leave() redis.call('DEL', '{two}') redis.call('DEL', '{one}')"
        )
    };
    assert_eq!(dead_lock([&polite("a", "b"), &polite("b", "a")], 100), SearchOutcome::Nothing { cut: None });
    // A client that counts its tries only in a local variable gives up in the end.
    let patient = "tries = 0
        redis.call('SET', 'lock', 1)
        while redis.call('SETNX', 'lock', 1) == 0 do tries = tries + 1 if tries > 3 then return end sleep(10) end";
    assert_eq!(dead_lock([patient], 40), SearchOutcome::Nothing { cut: None });
}

#[test]
fn decisive_order_is_one_that_avoids_the_breach_when_exchanged() {
    let mut averted = 0;
    for scenario in scenarios() {
        let (stage, outcome, _) = search(&scenario, limits(scenario.faults, true));
        let SearchOutcome::Broken { schedule, .. } = &outcome else { continue };
        for (first, second) in decisive(&stage.world, schedule, 0) {
            assert!(first < second && second < schedule.len(), "{}", scenario.name);
            // Exchanged by hand: the client's steps in between move too.
            let moved = schedule[second].client();
            let (own, others): (Vec<_>, Vec<_>) =
                schedule[first..second].iter().cloned().partition(|input| input.client() == moved);
            let mut world = stage.world.clone();
            let order = schedule[..first].iter().chain(&own).chain([&schedule[second]]).chain(&others);
            for input in order.chain(&schedule[second + 1..]) {
                let _ = world.step(input);
            }
            assert_eq!(world.watch().first_broken(), None, "{}: {first} {second}", scenario.name);
            averted += 1;
        }
    }
    assert!(averted >= 2, "{averted}");
}

#[test]
fn incremental_exchanges_find_the_same_pairs() {
    for scenario in scenarios() {
        let (stage, outcome, _) = search(&scenario, limits(scenario.faults, true));
        let SearchOutcome::Broken { schedule, .. } = &outcome else { continue };
        let mut exchanges = Exchanges::new(&stage.world, schedule, 0);
        let tried = (0..).take_while(|_| exchanges.carry_on()).count();
        assert!(!exchanges.carry_on() && tried <= schedule.len() * schedule.len(), "{}", scenario.name);
        assert_eq!(exchanges.finish(), decisive(&stage.world, schedule, 0), "{}", scenario.name);
    }
}

#[test]
fn programs_known_only_by_history_are_counted() {
    let searched = |programs: [&str; 2]| {
        let mut explorer = Explorer::new(Fixture::new(programs).world, None, Limits::default());
        explorer.carry_on(usize::MAX);
        (explorer.compared_by_history().collect::<Vec<_>>(), explorer.progress())
    };
    let plain = "redis.call('PING')";
    let (clients, progress) = searched([plain, plain]);
    assert_eq!((clients, progress.by_history), (vec![], 0));
    let own = "for word in string.gmatch('a b', '%a') do redis.call('GET', word) end";
    let (clients, progress) = searched([plain, own]);
    assert_eq!(clients, [1]);
    // At its end no state is left to inspect.
    assert!(progress.by_history > 0 && progress.by_history < progress.states, "{progress:?}");
}

/// A reentrant lock: the same thread can take it any number of times.
const REENTRANT: &str = "
local me = uuid()
local function acquire(id)
  while redis.call('EVAL', [[
    if redis.call('EXISTS', KEYS[1]) == 1 and redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
    redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
    return 1]], 1, 'lock', me .. id) == 0 do
    sleep(100)
  end
end
local function release(id)
  redis.call('EVAL', [[if redis.call('HINCRBY', KEYS[1], ARGV[1], -1) == 0 then redis.call('DEL', KEYS[1]) end]], 1, 'lock', me .. id)
end
local function work(id)
  acquire(id) acquire(id) enter() leave() release(id) release(id)
end
spawn(function() work(':1') end)
work(':0')";

/// Readers share, writers do not; every client polls to enter.
const READER: &str = "
while redis.call('EVAL', [[if redis.call('EXISTS', 'w') == 1 then return 0 end return redis.call('INCR', 'r')]], 0) == 0 do sleep(50) end
check(redis.call('EXISTS', 'w') == 0)
redis.call('EVAL', [[if redis.call('DECR', 'r') == 0 then redis.call('DEL', 'r') end]], 0)";
const WRITER: &str = "
while redis.call('EVAL', [[
  if redis.call('EXISTS', 'w') + redis.call('EXISTS', 'r') > 0 then return 0 end
  redis.call('SET', 'w', 1)
  return 1]], 0) == 0 do sleep(50) end
enter()
redis.call('SET', 'data', 1)
leave()
redis.call('DEL', 'w')";

#[test]
fn who_polls_comes_back_to_where_he_was() {
    // Told apart by their reply history, these had 1,491,513 worlds, and more than a million without an end.
    let spaces: [(&[&str], usize); 2] =
        [(&[REENTRANT, REENTRANT], 5_000), (&[READER, READER, READER, WRITER, WRITER, WRITER], 20_000)];
    for (programs, most) in spaces {
        let stage = Fixture::of(programs.iter().map(|text| (*text).to_owned()).collect())
            .watching(&["mutual-exclusion", "checks"]);
        let (outcome, progress) = Explorer::new(stage.world, None, Limits::default()).finish();
        assert_eq!(outcome, SearchOutcome::Nothing { cut: None });
        assert!(progress.states < most && progress.untested & 1 == 0, "{progress:?}");
    }
}

/// Takes the lock on three nodes in turn, and enters with `needed` of them.
fn lock_on_three(needed: u32) -> String {
    format!(
        "local token, won = uuid(), 0
         for _, node in ipairs({{ redis, connect('r2', {{ timeout = 50 }}), connect('r3', {{ timeout = 50 }}) }}) do
           if node.pcall('SET', 'lock', token, 'NX', 'PX', 10000) == 'OK' then won = won + 1 end
         end
         if won >= {needed} then enter() work(5) leave() end"
    )
}

#[test]
fn majority_lock_excludes_and_any_node_lock_does_not() {
    let searched = |needed: u32, faults: Faults, symmetry: bool| {
        let text = lock_on_three(needed);
        let world = Fixture::on_nodes(3, Durability::None, [&text, &text]).watching(&["mutual-exclusion"]).world;
        Explorer::new(world, None, limits(faults, symmetry)).finish()
    };
    let loss = Faults { losses: 1, ..NO_FAULTS };
    for faults in [NO_FAULTS, loss, Faults { crashes: 1, delays: 1, ..loss }] {
        let [(spared, few), (whole, all)] = [true, false].map(|spares| searched(2, faults, spares));
        assert_eq!(
            (spared, whole),
            (SearchOutcome::Nothing { cut: None }, SearchOutcome::Nothing { cut: None }),
            "{faults:?}"
        );
        assert!(few.states < all.states && few.steps < all.steps, "{faults:?}: {few:?} {all:?}");
        // Each client asks all three nodes: one gets the first, the other the second or third, and each enters after its last reply.
        assert_eq!([true, false].map(|spares| length(&searched(1, faults, spares).0)), [Some(6), Some(6)]);
    }
}

#[test]
fn majority_lock_breaks_when_a_node_loses_its_lock() {
    let searched = |durability: Durability, faults: Faults| {
        let text = lock_on_three(2);
        let mut stage = Fixture::on_nodes(3, durability, [&text, &text]).watching(&["mutual-exclusion"]);
        // Nothing was done in the second before.
        stage.step(Input::Advance { ms: 1_000 });
        let outcomes =
            [true, false].map(|spares| Explorer::new(stage.world.clone(), None, limits(faults, spares)).finish().0);
        assert_eq!(length(&outcomes[0]), length(&outcomes[1]));
        let [outcome, _] = outcomes;
        if length(&outcome).is_none() {
            assert_eq!(outcome, SearchOutcome::Nothing { cut: None }, "{durability:?} {faults:?}");
        }
        length(&outcome)
    };
    let crash = Faults { node_crashes: 1, ..NO_FAULTS };
    let restart = Faults { node_restarts: 1, ..crash };
    // c1 holds r1, which crashes and restarts; c2 gets r1; c1 gets r2 and c2 r3, and each enters after its third reply.
    assert_eq!(searched(Durability::None, restart), Some(8));
    assert_eq!(searched(Durability::EverySecond, restart), Some(8));
    assert_eq!(searched(Durability::Always, restart), None);
    assert_eq!(searched(Durability::None, crash), None, "a node that stays down gives nobody a lock");
    // The lease of c1 on r1 ends at once.
    for (_, durability) in Durability::ALL {
        assert_eq!(searched(durability, Faults { node_clock_jumps: 1, ..NO_FAULTS }), Some(7));
    }
}

/// Takes an element, and puts it back if it cannot count it.
const TAKER: &str = "if pcall(redis.call, 'BLPOP', 'q', 0) then tally('taken') end";

#[test]
fn losses_on_a_cut_link_are_found() {
    let searched = |watched: &str, programs: [&str; 2], faults: Faults| {
        let world = Fixture::on_nodes(3, Durability::None, programs).watching(&[watched]).world;
        let [spared, whole] = [true, false].map(|spares| {
            let (outcome, _) = Explorer::new(world.clone(), None, limits(faults, spares)).finish();
            if length(&outcome).is_none() {
                assert_eq!(outcome, SearchOutcome::Nothing { cut: None }, "{watched}");
            }
            length(&outcome)
        });
        assert_eq!(spared, whole);
        spared
    };
    let cut = Faults { cuts: 1, ..NO_FAULTS };
    // It waits; its link is cut; the element is popped from the list, and the reply is lost; its timeout passes; it gives up.
    let taken = "sum end >= 1 length q tally taken";
    let programs = [TAKER, "redis.call('RPUSH', 'q', 1)"];
    assert_eq!(searched(taken, programs, NO_FAULTS), None);
    assert_eq!(searched(taken, programs, cut), Some(5));
    // A lock stays if its DEL is lost: SET, the cut, a lost DEL, the timeout, the error.
    let lock = "redis.call('SET', 'lock', 1) redis.pcall('DEL', 'lock')";
    assert_eq!(searched("sum end = 0 length q key lock", [lock, ""], NO_FAULTS), None);
    assert_eq!(searched("sum end = 0 length q key lock", [lock, ""], cut), Some(5));
    let again = "redis.call('SET', 'lock', 1) while not pcall(redis.call, 'DEL', 'lock') do end";
    assert_eq!(searched("sum end = 0 key lock", [again, ""], cut), None, "it can only end once the link is mended");
    assert_eq!(searched("no-deadlock", [again, ""], cut), None, "a link that is cut can be mended");
    // A majority tolerates a cut.
    let text = lock_on_three(2);
    assert_eq!(searched("mutual-exclusion", [&text, &text], cut), None);
    // A client that treats a missing reply as success: the cut, a lost SETNX; the other client enters and is paused; time passes to the end
    // of its sleep and then to the timeout, and both are inside.
    let sure = "if redis.pcall('SETNX', 'lock', 1) ~= 0 then enter() sleep(1) leave() end";
    assert_eq!(searched("mutual-exclusion", [sure, sure], NO_FAULTS), None);
    assert_eq!(searched("mutual-exclusion", [sure, sure], Faults { pauses: 1, ..cut }), Some(7));
}

#[test]
fn twins_with_different_links_are_not_alike() {
    let taker = "if redis.pcall('SETNX', 'lock', 1) == 1 then tally('in') end";
    let mut stage = Fixture::new([taker, taker]).watching(&["sum always = 0 tally in"]);
    stage.step(Input::Link { client: 0, node: NodeIndex::FIRST, act: LinkAct::Cut });
    for spares in [true, false] {
        let (outcome, _) = Explorer::new(stage.world.clone(), None, limits(NO_FAULTS, spares)).finish();
        assert_eq!(
            length(&outcome),
            Some(1),
            "the second one goes in at once; the first one's link would have to be mended"
        );
    }
}

#[test]
fn client_that_fails_over_cut_link_is_not_starved() {
    let taker = "while redis.call('SETNX', 'lock', 1) == 0 do sleep(10) end";
    let mut stage = Fixture::new([taker, taker]);
    let link = |act| Input::Link { client: 0, node: NodeIndex::FIRST, act };
    stage.step(link(LinkAct::Cut));
    stage.program(1, Act::Step { thread: 0 });
    assert_eq!((starved(&stage.world), is_stuck(&stage.world)), (None, false));
    // Once messages get through again, it polls a lock that no client releases.
    stage.step(link(LinkAct::Mend));
    assert_eq!((starved(&stage.world), is_stuck(&stage.world)), (Some(0), true));
}
