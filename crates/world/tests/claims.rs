//! Properties of many words: their text form, their meaning, the number of steps in which a program breaks each, and programs that do not
//! test them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
mod fixture;

use bytes::Bytes;
use fixture::Fixture;
use proptest::prelude::*;
use resp::split;
use world::explore::{self, Explorer, Limits, SearchOutcome};
use world::{Atom, Bound, Breach, Faults, Formula, Input, Operand, Property, Term, When};

const NO_FAULTS: Faults = Faults::NONE;
const CRASH: Faults = Faults { crashes: 1, ..NO_FAULTS };

/// The result of a complete search.
#[derive(Debug, PartialEq)]
enum Verdict {
    /// Broken in this many steps.
    Broken(usize, Breach),
    Holds,
    Untested,
}

fn said(programs: &[&str], property: &str, faults: Faults) -> Verdict {
    let mut stage = Fixture::of(programs.iter().map(|text| (*text).to_owned()).collect());
    stage.watch(property);
    let ways = [(true, true), (true, false), (false, true), (false, false)].map(|(symmetry, independence)| {
        let limits = Limits { faults, symmetry, independence, ..Limits::default() };
        let (outcome, progress) = Explorer::new(stage.world.clone(), Some(0), limits).finish();
        match outcome {
            SearchOutcome::Broken { schedule, breach, .. } => {
                // The schedule leads to the breach.
                let mut world = stage.world.clone();
                schedule.iter().for_each(|input| _ = world.step(input).unwrap());
                let seen = world.watch().verdicts().next().unwrap().1.cloned();
                let starved = || explore::starved(&world).map(|client| Breach::Starved { client });
                assert_eq!(seen.or_else(starved), Some(breach.clone()), "{property}");
                Verdict::Broken(schedule.len(), breach)
            }
            SearchOutcome::Nothing { cut: None } if progress.untested != 0 => Verdict::Untested,
            SearchOutcome::Nothing { cut } => {
                assert_eq!(cut, None, "{property}");
                Verdict::Holds
            }
        }
    });
    let [first, rest @ ..] = ways;
    let kind = |said: &Verdict| match said {
        Verdict::Broken(steps, _) => Some(*steps),
        _ => None,
    };
    assert!(rest.iter().all(|other| kind(other) == kind(&first)), "{property}: {first:?} {rest:?}");
    first
}

fn steps(programs: &[&str], property: &str, faults: Faults) -> usize {
    match said(programs, property, faults) {
        Verdict::Broken(steps, _) => steps,
        other => panic!("{property}: {other:?}"),
    }
}

fn read(text: &str) -> Option<Property> {
    Property::from_words(&split::split(text.as_bytes()).unwrap())
}

fn name() -> impl Strategy<Value = Bytes> {
    let words =
        ["then", "if", "and", "or", "key", "field", "sum", "text", "=", "5", "-2", "", "a b", "\"", "a\0\u{ff}\n"];
    prop_oneof![
        prop::sample::select(words.to_vec()).prop_map(|word| Bytes::copy_from_slice(word.as_bytes())),
        prop::collection::vec(any::<u8>(), 0..4).prop_map(Bytes::from),
    ]
}

fn sum() -> impl Strategy<Value = (Vec<(i32, Term)>, Bound)> {
    let term = prop_oneof![
        name().prop_map(Term::Key),
        (name(), name()).prop_map(|(key, field)| Term::Field(key, field)),
        name().prop_map(Term::Length),
        name().prop_map(Term::Tally),
    ];
    let factor = prop_oneof![Just(1), any::<i32>().prop_filter("nothing times", |factor| *factor != 0)];
    let bound = prop_oneof![
        any::<i64>().prop_map(Bound::Equals),
        any::<i64>().prop_map(Bound::AtMost),
        any::<i64>().prop_map(Bound::AtLeast)
    ];
    (prop::collection::vec((factor, term), 1..4), bound)
}

fn formula() -> impl Strategy<Value = Formula> {
    let place = || {
        prop_oneof![name().prop_map(Operand::Key), (name(), name()).prop_map(|(key, field)| Operand::Field(key, field))]
    };
    let second = prop_oneof![place(), name().prop_map(Operand::Text)];
    let two = (place(), second).prop_filter("itself", |(one, other)| one != other);
    let atom = prop_oneof![
        place().prop_map(Atom::Exists),
        place().prop_map(Atom::Missing),
        (two, any::<bool>()).prop_map(|((one, other), same)| {
            if same { Atom::Same(one, other) } else { Atom::Different(one, other) }
        }),
        sum().prop_map(|(terms, bound)| Atom::Sum(terms, bound)),
    ];
    (prop::collection::vec(atom, 1..4), any::<bool>())
        .prop_map(|(atoms, is_any)| Formula { is_any: is_any && atoms.len() > 1, atoms })
}

fn property() -> impl Strategy<Value = Property> {
    let when = || prop::sample::select(vec![When::Always, When::End]);
    prop_oneof![
        (sum(), when()).prop_map(|((terms, bound), when)| Property::Sum { terms, bound, when }),
        (when(), prop::option::of(formula()), formula()).prop_map(|(when, premise, claim)| Property::Claim {
            when,
            premise,
            claim
        }),
        (1..=u32::MAX, name()).prop_map(|(most, section)| Property::AtMost { most, section }),
        (name(), prop::collection::btree_set(name(), 0..4)).prop_map(|(section, clients)| {
            Property::EveryoneGetsIn { section, clients: clients.into_iter().collect() }
        }),
        name().prop_map(|section| Property::NoClientGivesUp { section }),
        name().prop_map(|key| Property::OnlyOwnerReleases { key }),
        Just(Property::EveryoneGetsOn),
        Just(Property::NoDeadlock),
    ]
}

proptest! {
    /// One text for each property and one property for each text, also through the quotes of a line.
    #[test]
    fn property_text_round_trips(property in property()) {
        let words = property.to_words();
        prop_assert_eq!(Property::from_words(&words), Some(property));
        let line = split::quote_command(&words);
        prop_assert_eq!(split::split(line.as_bytes()).unwrap(), words);
    }

    /// A truncated text, or one with a foreign word, is either invalid or the canonical text of another property.
    #[test]
    fn property_has_exactly_one_text(
        property in property(),
        at in any::<prop::sample::Index>(),
        foreign in prop::option::of(name()),
    ) {
        let mut words = property.to_words();
        let at = at.index(words.len());
        match foreign {
            Some(word) => words[at] = word,
            None => words.truncate(at),
        }
        if let Some(other) = Property::from_words(&words) {
            prop_assert_eq!(other.to_words(), words);
        }
    }

    #[test]
    fn parsing_arbitrary_words_never_panics(words in prop::collection::vec(name(), 0..12), when in any::<bool>()) {
        let mut all = vec![Bytes::from_static(if when { b"always" } else { b"sum" })];
        all.extend(words);
        if let Some(property) = Property::from_words(&all) {
            prop_assert_eq!(property.to_words(), all);
        }
    }
}

#[test]
fn equivalent_but_noncanonical_text_is_rejected() {
    for text in [
        "sum always = 0 1 key a",
        "sum always = 0 0 key a",
        "sum always = 0 +2 key a",
        "sum always = 0 02 key a",
        "sum always = 0 -0 key a",
        "sum always = 0 2147483648 key a",
        "sum always = 0 2",
        "sum always = 0 2 2 key a",
        "at-most 0 inside s",
        "at-most 4294967296 inside s",
        "at-most 3 s",
        "everyone-gets-in s c1 c1",
        "always",
        "always if exists key a",
        "always if exists key a then",
        "always exists key a exists key b",
        "always exists key a and exists key b or exists key c",
        "always same text a text b",
        "always exists text a",
        "always same key a key a",
        "end if exists key a then exists key b then exists key c",
        "always if if exists key a then exists key b",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
    // The number of names decides how many words are names, whatever the words are.
    let property =
        read("always if sum = 5 key then tally and or exists key or then same field key text text if").unwrap();
    let Property::Claim { premise: Some(premise), claim, .. } = property else { panic!() };
    assert!(premise.is_any && premise.atoms.len() == 2 && claim.atoms.len() == 1);
}

#[test]
fn factors_apply_and_sums_never_overflow() {
    let pay = "redis.call('INCRBY', 'money', 10) redis.call('INCR', 'boxes')";
    assert_eq!(said(&[pay, pay], "sum end = 0 10 key boxes -1 key money", NO_FAULTS), Verdict::Holds);
    assert_eq!(steps(&[pay, pay], "sum always = 0 10 key boxes -1 key money", NO_FAULTS), 1);
    // Neither the largest numbers nor sums beyond 64 bits hide a breach, in any order of addition.
    let large = "redis.call('SET', 'a', '9223372036854775807') redis.call('SET', 'b', '9223372036854775807')";
    for (property, is) in [
        ("sum end = 0 key a key b -1 key a", i128::from(i64::MAX)),
        ("sum end <= 9223372036854775807 key a key b", 2 * i128::from(i64::MAX)),
        ("sum end >= -9223372036854775808 -2147483648 key a -2147483648 key b", -(1_i128 << 32) * i128::from(i64::MAX)),
    ] {
        assert_eq!(said(&[large], property, NO_FAULTS), Verdict::Broken(2, Breach::Sum { is }), "{property}");
    }
    assert_eq!(said(&[large], "sum end = 0 2147483647 key a -2147483647 key b", NO_FAULTS), Verdict::Holds);
}

#[test]
fn claim_is_checked_only_if_premise_is_true() {
    let cached = "always if exists key cache then same key cache key db";
    // The cache is cleared after the write to the database: in between it is outdated.
    let write = "redis.call('SET', 'db', 2) redis.call('DEL', 'cache')";
    let read = "local v = redis.call('GET', 'cache') or redis.call('GET', 'db') redis.call('SET', 'cache', v)";
    let first = |text: &str| format!("redis.call('SET', 'db', 1) {text}");
    let at_end = "end if exists key cache then same key cache key db";
    // The old value is read, written, cleared, and then put into the cache: GET GET SET DEL SET, after SET db 1.
    assert_eq!(steps(&[&first(read), write], at_end, NO_FAULTS), 6);
    assert_eq!(steps(&[&first(read), write], cached, NO_FAULTS), 5);
    // Cleared and written in one script.
    let at_once = "redis.call('EVAL', [[redis.call('SET', 'db', 2) redis.call('DEL', 'cache')]], 0)";
    let whole = "redis.call('EVAL', [[local v = redis.call('GET', 'db') or '0' redis.call('SET', 'db', v) redis.call('SET', 'cache', v)]], 0)";
    assert_eq!(said(&[whole, at_once], cached, NO_FAULTS), Verdict::Holds);
    assert_eq!(said(&[whole, at_once], at_end, NO_FAULTS), Verdict::Holds);
}

#[test]
fn false_premise_does_not_test_a_claim() {
    let write = "redis.call('SET', 'db', 2)";
    for (property, program, expected) in [
        ("always if exists key cache then same key cache key db", write, Verdict::Untested),
        ("end if exists key cache then same key cache key db", write, Verdict::Untested),
        ("end if missing key cache then exists key db", write, Verdict::Holds),
        ("always if missing key cache then exists key db", write, Verdict::Holds),
        // Always true, and none of its keys ever changes.
        ("always if missing key cache then missing key other", write, Verdict::Untested),
        ("always missing key cache", write, Verdict::Untested),
        ("always exists key db", write, Verdict::Holds),
        ("end exists key db", "while true do sleep(10) end", Verdict::Untested),
        ("always if sum >= 1 tally n then exists key db", "redis.call('SET', 'db', 1) tally('n')", Verdict::Holds),
        ("always if sum >= 2 tally n then exists key db", "redis.call('SET', 'db', 1) tally('n')", Verdict::Untested),
        // Only keys in database 0 count.
        (
            "always if exists key db then missing key db",
            "redis.call('SELECT', 1) redis.call('SET', 'db', 1)",
            Verdict::Untested,
        ),
    ] {
        let found = said(&[program], property, NO_FAULTS);
        match &expected {
            // It was broken before the key existed.
            Verdict::Holds if property.starts_with("always exists") => assert!(matches!(found, Verdict::Broken(0, _))),
            Verdict::Holds if property.starts_with("always if missing") => {
                assert!(matches!(found, Verdict::Broken(0, _)))
            }
            _ => assert_eq!(found, expected, "{property}"),
        }
    }
}

/// Is the claim true with the data in database 0 after these commands?
fn is_true(commands: &[&str], claim: &str) -> bool {
    let mut stage = Fixture::of(Vec::new());
    stage.step(Input::Connect { client: 0, name: "c1".into() });
    for command in commands {
        stage.step(Input::Command { client: 0, argv: split::split(command.as_bytes()).unwrap() });
    }
    stage.watch(&format!("always {claim}"));
    stage.verdicts() == ["holds"]
}

#[test]
fn values_are_equal_if_clients_read_the_same() {
    let both: [&[&str]; 9] = [
        &[],
        &["SET a 5", "SET b 4", "INCR b"],
        &["SET a 5", "APPEND b 5"],
        &["RPUSH a x y z", "LPUSH b z y x q", "LPOP b"],
        &["SADD a 1 2", "SADD b 2 1 x", "SREM b x"],
        &["HSET a f 1 g 2", "HSET b g 2 f 1", "EXPIRE b 100"],
        &["ZADD a 1 x 2 y", "ZADD b 2 y 7 x", "ZADD b 1 x"],
        &["XADD a 1-1 f v", "XADD b 1-1 f v", "XADD b 2-2 f v", "XDEL b 2-2", "XGROUP CREATE b g 0"],
        &["HSET b f 1", "HDEL b f"],
    ];
    for commands in both {
        assert!(is_true(commands, "same key a key b") && is_true(commands, "same key b key a"), "{commands:?}");
        assert!(!is_true(commands, "different key a key b"), "{commands:?}");
    }
    let different: [&[&str]; 9] = [
        &["SET a 1"],
        &["SET a 5", "SET b 05"],
        &["SET a x", "RPUSH b x"],
        &["RPUSH a x y", "RPUSH b y x"],
        &["SADD a x", "SADD b y"],
        &["SADD a x", "HSET b x x"],
        &["HSET a f 1", "HSET b f 2"],
        &["ZADD a 1 x", "ZADD b 2 x"],
        &["XADD a 1-1 f v", "XADD b 1-1 f w"],
    ];
    for commands in different {
        assert!(
            is_true(commands, "different key a key b") && is_true(commands, "different key b key a"),
            "{commands:?}"
        );
    }
    let item = ["HSET item state paid", "SET state paid"];
    for (claim, expected) in [
        ("same field item state key state", true),
        ("same field item state text paid", true),
        ("different field item state text Paid", true),
        ("same field item other text \"\"", false),
        ("same field state state field item other", true),
        ("missing field state state and exists field item state", true),
        ("missing key item or exists field item state", true),
        ("missing key item or exists field item other", false),
        ("sum = 1 length item and sum >= 1 length state", true),
    ] {
        assert_eq!(is_true(&item, claim), expected, "{claim}");
    }
    let binary = ["SET \"a b\" \"\\x00\\xff\"", "SET then \"\\x00\\xff\""];
    assert!(is_true(&binary, "same key \"a b\" key then and same key then text \"\\x00\\xff\""));
}

#[test]
fn tallies_are_not_compared_with_keys_while_a_reply_is_in_flight() {
    let mut stage = Fixture::new(["redis.call('INCR', 'sold') tally('sold')"]);
    stage.watch("always if exists key sold then sum = 0 key sold -1 tally sold");
    stage.watch("always if exists key sold then sum = 0 key sold");
    stage.program(0, world::Act::Send { thread: 0 });
    stage.step(Input::Serve { node: world::NodeIndex::FIRST });
    assert_eq!(stage.verdicts(), ["holds", "broken"]);
    stage.program(0, world::Act::Deliver { thread: 0 });
    assert_eq!(stage.verdicts(), ["holds", "broken"]);
}

/// Takes one of this many permits, or gives up.
const POOL: &str = "local function pool(most)
  if redis.call('INCR', 'permits') <= most then enter('pool') sleep(10) leave('pool') end
  redis.call('DECR', 'permits')
end ";

#[test]
fn section_holds_at_most_the_given_number_of_threads() {
    let room = |most: u32| format!("{POOL} pool({most})");
    let two = room(2);
    let three = [two.as_str(); 3];
    assert_eq!(said(&three, "at-most 2 inside pool", NO_FAULTS), Verdict::Holds);
    let Verdict::Broken(2, Breach::Crowd { section, last, inside }) = said(&three, "at-most 1 inside pool", NO_FAULTS)
    else {
        panic!()
    };
    assert_eq!((section.as_ref(), last.client, inside), (b"pool".as_slice(), 1, 2));
    let wide = room(4);
    assert_eq!(steps(&[wide.as_str(); 4], "at-most 3 inside pool", NO_FAULTS), 4);
    // Each name is a section of its own, and threads in other sections do not count.
    assert_eq!(said(&[&wide, "redis.call('PING') enter('other')"], "at-most 1 inside pool", NO_FAULTS), Verdict::Holds);
    assert_eq!(said(&["redis.call('PING') enter('other')"], "at-most 1 inside pool", NO_FAULTS), Verdict::Untested);
    // A thread that enters twice counts once; two threads of one client count twice.
    assert_eq!(
        said(&["redis.call('PING') enter('pool') enter('pool')"], "at-most 1 inside pool", NO_FAULTS),
        Verdict::Holds
    );
    let both = "spawn(function() redis.call('PING') enter('pool') sleep(5) end) enter('pool') sleep(5)";
    assert_eq!(steps(&[both], "at-most 1 inside pool", NO_FAULTS), 1);
    // Crashed clients are not inside; a permit that is released twice lets in one client too many.
    let cheat = format!("{POOL} redis.call('DECR', 'permits') pool(1)");
    assert_eq!(steps(&[cheat.as_str(); 2], "at-most 1 inside pool", NO_FAULTS), 4);
}

const LOCK: &str =
    "while redis.call('SETNX', 'lock', 1) == 0 do sleep(10) end enter('s') leave('s') redis.call('DEL', 'lock')";
const TRY: &str = "if redis.call('SETNX', 'lock', 1) == 1 then enter('s') leave('s') redis.call('DEL', 'lock') end";

#[test]
fn property_applies_only_to_named_clients() {
    assert_eq!(said(&[LOCK, LOCK], "everyone-gets-in s", NO_FAULTS), Verdict::Holds);
    assert_eq!(said(&[LOCK, LOCK], "everyone-gets-in s c1 c0", NO_FAULTS), Verdict::Holds);
    // One client takes the lock, the other comes too late, the first releases it.
    assert_eq!(
        said(&[TRY, TRY], "everyone-gets-in s c1", NO_FAULTS),
        Verdict::Broken(3, Breach::NeverIn { client: 1 })
    );
    // Not the client that begins by symmetry, but the other one.
    assert_eq!(
        said(&[TRY, TRY], "everyone-gets-in s c0", NO_FAULTS),
        Verdict::Broken(3, Breach::NeverIn { client: 0 })
    );
    assert_eq!(said(&[LOCK, TRY], "everyone-gets-in s c0", NO_FAULTS), Verdict::Holds);
    assert_eq!(said(&[TRY, TRY], "everyone-gets-in s nobody", NO_FAULTS), Verdict::Untested);
    // A crashed client need not enter, and does not affect the others.
    assert_eq!(
        said(&["redis.call('PING') enter('s')", "redis.call('PING')"], "everyone-gets-in s c0", CRASH),
        Verdict::Holds
    );
    let (least, other) = ("redis.call('PING') redis.call('PING')", "redis.call('PING')");
    assert_eq!(steps(&[least, other], "everyone-gets-in s c0", CRASH), 3);
}

#[test]
fn client_that_gives_up_is_reported() {
    assert_eq!(said(&[LOCK, LOCK], "nobody-gives-up s", NO_FAULTS), Verdict::Holds);
    assert_eq!(said(&[TRY, TRY], "nobody-gives-up s", NO_FAULTS), Verdict::Broken(2, Breach::GaveUp { client: 1 }));
    // A crash is not giving up, nor is an error, nor is waiting forever, which also tests nothing.
    assert_eq!(said(&["redis.call('PING') enter('s')"], "nobody-gives-up s", CRASH), Verdict::Holds);
    assert_eq!(said(&["redis.call('PING') error('no')"], "nobody-gives-up s", NO_FAULTS), Verdict::Untested);
    assert_eq!(said(&["redis.call('BLPOP', 'q', 0)"], "nobody-gives-up s", NO_FAULTS), Verdict::Untested);
    // Another section does not count; an empty program gives up at once.
    assert_eq!(steps(&["redis.call('PING') enter('t')"], "nobody-gives-up s", NO_FAULTS), 1);
    assert_eq!(steps(&[""], "nobody-gives-up s", NO_FAULTS), 0);
    // A program ends when all its threads have ended.
    let helper = "spawn(function() redis.call('PING') enter('s') end) redis.call('PING')";
    assert_eq!(said(&[helper], "nobody-gives-up s", NO_FAULTS), Verdict::Holds);
}

#[test]
fn starving_client_is_reported_while_others_make_progress() {
    let on = "everyone-gets-on";
    assert_eq!(said(&[LOCK, LOCK], on, NO_FAULTS), Verdict::Holds);
    // One client keeps the lock and goes on counting: there is no deadlock, but the other client starves.
    let greedy = "while redis.call('SETNX', 'lock', 1) == 0 do sleep(10) end while true do tally('n', 0) sleep(10) end";
    assert_eq!(said(&[greedy, LOCK], "no-deadlock", NO_FAULTS), Verdict::Holds);
    assert_eq!(said(&[greedy, LOCK], on, NO_FAULTS), Verdict::Broken(1, Breach::Starved { client: 1 }));
    assert_eq!(said(&[LOCK, greedy], on, NO_FAULTS), Verdict::Broken(1, Breach::Starved { client: 0 }));
    // Crashed clients do not starve; clients that wait for them do.
    assert_eq!(said(&[LOCK, LOCK], on, CRASH), Verdict::Broken(2, Breach::Starved { client: 1 }));
    assert_eq!(said(&["redis.call('PING')", "redis.call('PING')"], on, CRASH), Verdict::Holds);
    let lease = LOCK.replace("'SETNX', 'lock', 1) == 0", "'SET', 'lock', 1, 'NX', 'PX', 100) == false");
    let lease = lease.replace("while redis.call", "while not redis.call").replace(" == false", "");
    assert_eq!(said(&[&lease, &lease], on, CRASH), Verdict::Holds);
    // Two locks in opposite order: both clients starve once each holds one.
    let both = |one: &str, two: &str| {
        let take = |key: &str| format!("while redis.call('SETNX', '{key}', 1) == 0 do sleep(10) end ");
        format!("{}{}enter() leave() redis.call('DEL', '{two}') redis.call('DEL', '{one}')", take(one), take(two))
    };
    assert_eq!(steps(&[&both("a", "b"), &both("b", "a")], on, NO_FAULTS), 2);
    assert_eq!(said(&[&both("a", "b"), &both("a", "b")], on, NO_FAULTS), Verdict::Holds);
    // A client that polls makes no progress, but it can: the other client only has to act.
    assert_eq!(
        said(&["while not redis.call('GET', 'go') do sleep(10) end", "redis.call('SET', 'go', 1)"], on, NO_FAULTS),
        Verdict::Holds
    );
    assert_eq!(steps(&["while not redis.call('GET', 'go') do sleep(10) end", "redis.call('PING')"], on, NO_FAULTS), 0);
    // A message that no client will send.
    let pop = "redis.call('BLPOP', 'q', 0)";
    assert_eq!(said(&[pop, "redis.call('RPUSH', 'q', 1)"], on, NO_FAULTS), Verdict::Holds);
    assert_eq!(steps(&[pop, pop, "redis.call('RPUSH', 'q', 1)"], on, NO_FAULTS), 2);
    assert_eq!(steps(&[pop, "redis.call('RPUSH', 'q', 1)"], on, CRASH), 1);
    // Endless progress.
    assert_eq!(said(&["while true do redis.call('PING') tally('n', 0) sleep(10) end"], on, NO_FAULTS), Verdict::Holds);
}
