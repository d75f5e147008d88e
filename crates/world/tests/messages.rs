//! Messages through lists and streams: losses, repeats and disorder, as searches find them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
mod fixture;

use fixture::Fixture;
use world::explore::{Explorer, Limits, SearchOutcome};
use world::{Act, Breach, Faults, Input};

const NO_FAULTS: Faults = Faults::NONE;
const PAUSE: Faults = Faults { pauses: 1, ..NO_FAULTS };
const CRASH: Faults = Faults { crashes: 1, ..NO_FAULTS };

/// Two jobs through a list.
const LIST: &str = "for id = 1, 2 do redis.call('LPUSH', 'q', id) produced(id, 'k' .. id) end";
const POP: &str = "while true do
    local got = redis.call('BRPOP', 'q', 1)
    if not got then break end
    redis.call('INCR', 'shipped')
    processed(got[2])
end";

/// Two orders through a stream; the group exists before them.
const STREAM: &str = "for _ = 1, 2 do produced(redis.call('XADD', 's', '*', 'order', 'book'), 'book') end";
/// Reads, and when nothing is left, claims entries that others have held for a minute.
const GROUP: &str = "local me = uuid()
local function ship(id) redis.call('INCR', 'shipped') processed(id) redis.call('XACK', 's', 'g', id) end
redis.pcall('XGROUP', 'CREATE', 's', 'g', '0', 'MKSTREAM')
while true do
    local got = redis.call('XREADGROUP', 'GROUP', 'g', me, 'COUNT', 1, 'BLOCK', 100000, 'STREAMS', 's', '>')
    if not got then break end
    ship(got[1][2][1][1])
end
for _, entry in ipairs(redis.call('XAUTOCLAIM', 's', 'g', me, 60000, '0')[2]) do ship(entry[1]) end";

/// The breach that a search finds with these faults, and whether the search was cut.
fn found<const N: usize>(programs: [&str; N], property: &str, faults: Faults) -> Option<Breach> {
    let world = Fixture::new(programs).watching(&[property]).world;
    let limits = Limits { faults, ..Limits::default() };
    match Explorer::new(world, Some(0), limits).finish() {
        (SearchOutcome::Broken { breach, .. }, _) => Some(breach),
        (SearchOutcome::Nothing { cut: None }, progress) => {
            assert_eq!(progress.untested, 0, "{property}");
            None
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn list_loses_popped_message_when_consumer_crashes() {
    assert_eq!(found([LIST, POP], "nothing-lost", NO_FAULTS), None);
    assert!(matches!(found([LIST, POP], "nothing-lost", CRASH), Some(Breach::Lost { count: 1.., .. })));
    assert_eq!(found([LIST, POP], "processed-once", CRASH), None);
}

#[test]
fn two_consumers_of_one_list_reorder_but_not_with_one_list_per_key() {
    let breach = found([LIST, POP, POP], "in-order", NO_FAULTS);
    assert_eq!(breach, Some(Breach::OutOfOrder { late: "1".into(), early: "2".into() }));
    assert_eq!(found([LIST, POP], "in-order", NO_FAULTS), None);
    let same_key = LIST.replace("'k' .. id", "'k'");
    assert!(found([&same_key, POP, POP], "in-order-by-key", NO_FAULTS).is_some());
    // Each key has its own list, and each list one consumer.
    let by_key = "for id = 1, 4 do redis.call('LPUSH', 'q' .. id % 2, id) produced(id, id % 2) end";
    let (even, odd) = (POP.replace("'q'", "'q0'"), POP.replace("'q'", "'q1'"));
    assert_eq!(found([by_key, &even, &odd], "in-order-by-key", NO_FAULTS), None);
    assert!(found([by_key, &even, &odd], "in-order", NO_FAULTS).is_some());
}

#[test]
fn a_group_delivers_at_least_once() {
    assert_eq!(found([STREAM, GROUP], "nothing-lost", NO_FAULTS), None);
    assert_eq!(found([STREAM, GROUP], "processed-once", NO_FAULTS), None);
    // A client that crashes between shipping and `XACK` has shipped; the other one claims the entry and ships again.
    let one = STREAM.replace("1, 2", "1, 1");
    assert!(matches!(found([&one, GROUP, GROUP], "processed-once", CRASH), Some(Breach::Repeated { .. })));
    assert_eq!(found([&one, GROUP, GROUP], "nothing-lost", CRASH), None);
    // A consumer that is paused for a minute loses its entry to the other one, and then processes it too.
    assert!(matches!(found([&one, GROUP, GROUP], "processed-once", PAUSE), Some(Breach::Repeated { .. })));
    // If no consumer claims it, it is lost.
    let alone = GROUP.replace("XAUTOCLAIM', 's', 'g', me, 60000", "XAUTOCLAIM', 's', 'g', me, 600000");
    assert!(matches!(found([&one, &alone, &alone], "nothing-lost", CRASH), Some(Breach::Lost { count: 1, .. })));
}

#[test]
fn message_properties_are_untested_without_messages() {
    let idle = |program: &str, property: &str| {
        let world = Fixture::new([program]).watching(&[property]).world;
        Explorer::new(world, Some(0), Limits::default()).finish().1.untested
    };
    for property in ["nothing-lost", "processed-once", "in-order", "in-order-by-key"] {
        assert_eq!(idle("redis.call('PING')", property), 1, "{property}");
        assert_eq!(
            idle("redis.call('PING') produced(1, 1) processed(1)", property),
            u32::from(property.starts_with("in-")),
            "{property}"
        );
    }
    assert_eq!(idle("produced(1) produced(2) processed(1) redis.call('PING') processed(2)", "in-order"), 0);
    assert_eq!(idle("produced(1) produced(2) processed(1) redis.call('PING') processed(2)", "in-order-by-key"), 1);
}

#[test]
fn the_first_breach_names_messages_and_clients() {
    let mut stage = Fixture::new([
        "produced('a') produced('b') produced('c') processed('b') redis.call('PING') processed('a') processed('b')",
        "sleep(1)",
    ]);
    // Events before the watch do not count.
    for words in ["nothing-lost", "processed-once", "in-order"] {
        stage.watch(words);
    }
    assert_eq!(stage.verdicts(), ["holds", "holds", "holds"]);
    stage.program(0, Act::Step { thread: 0 });
    assert_eq!(stage.verdicts(), ["holds", "broken", "broken"]);
    stage.step(Input::Advance { ms: 1 });
    stage.program(1, Act::Step { thread: 0 });
    let breaches: Vec<&Breach> = stage.world.watch().verdicts().filter_map(|(_, breach)| breach).collect();
    assert_eq!(
        breaches,
        [
            &Breach::Lost { id: "c".into(), count: 1 },
            &Breach::Repeated { id: "b".into(), client: 0 },
            &Breach::OutOfOrder { late: "a".into(), early: "b".into() },
        ]
    );
    let ledger = stage.world.watch().ledger();
    assert_eq!(
        (ledger.produced(), ledger.processed(), ledger.repeated(), ledger.open(), ledger.disordered()),
        (3, 2, 1, 1, 1)
    );
}

/// A crowd as a session: 5,000 messages in batches to a hundred consumers, which read them in turn and finish in the opposite order; three
/// of them crash while holding a message. `e2e/tests/crowd.spec.ts` writes the same text, line by line.
fn crowd() -> String {
    let mut lines: Vec<String> = vec!["+ p 0".into()];
    let load = |name: &str, text: &str| format!("{name}< load {}", resp::split::quote_argument(text.as_bytes()));
    lines.push(load(
        "p",
        "for batch = 0, 49 do local ids = {} for n = 1, 100 do ids[n] = batch * 100 + n end \
         redis.call('LPUSH', 'jobs', unpack(ids)) for n = 1, 100 do produced(ids[n], ids[n] % 10) end end",
    ));
    for c in 1..=100 {
        lines.push(format!("+ c{c} {c}"));
        lines.push(load(
            &format!("c{c}"),
            "while true do local job = redis.call('BRPOP', 'jobs', 0) work(1) processed(job[2]) end",
        ));
    }
    lines.extend((0..50).map(|_| "p< step 0".to_owned()));
    for round in 0..50 {
        lines.extend((1..=100).map(|c| format!("c{c}< step 0")));
        if round == 20 {
            lines.extend([7, 50, 93].iter().flat_map(|c| [format!("c{c}< crash"), format!("c{c}< restart")]));
        }
        lines.push("@+1ms".into());
        let is_there = |c: &u32| round != 20 || ![7, 50, 93].contains(c);
        lines.extend((1..=100).rev().filter(is_there).map(|c| format!("c{c}< step 0")));
    }
    let steps = lines.len();
    format!("lockstep 1\n\n{}\nend {steps} at {steps} of {steps}\n", lines.join("\n"))
}

#[test]
fn crowd_has_same_result_as_in_the_page() {
    let engines = world::Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
    let timeline = world::Timeline::from_text(&crowd(), &engines).unwrap();
    let ledger = timeline.world().watch().ledger();
    assert_eq!((ledger.produced(), ledger.processed(), ledger.repeated(), ledger.open()), (5000, 4997, 0, 3));
    assert_eq!((ledger.disordered(), ledger.disordered_of_keys()), (4947, 4497));
}
