//! Crashes of machines: what is lost and what stays, conservation, equal results for any slicing, and a slow plain second opinion.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use proptest::prelude::*;
use script::fingerprint;

use super::*;
use crate::traffic::TrafficAct;
use crate::traffic::settings::{Handler, TrafficSettings};
use crate::traffic::subscribers::tests::{advance, faults, step_for, traffic_events, typed, world_of};
use crate::traffic::tests::{check_conservation_of, lua, steady};
use crate::{Event, Input, NodeAct, NodeIndex, StepError, World};

const REDIS: NodeIndex = NodeIndex::FIRST;
const DATABASE: NodeIndex = NodeIndex(1);

/// Loads an item under a lock that never expires, and keeps a copy in the memory of the machine.
const LOCKS: &str = "local db, seen = connect('db'), memory('seen')
function start() redis.call('INCR', 'started') subscribe('changes') end
function message(channel, text) redis.call('INCR', 'heard') end
function get(id)
  local own = seen:get(id)
  if own then return own end
  while not redis.call('SET', 'lock:' .. id, client.id, 'NX') do sleep(20) end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  local value = rows[1].value
  seen:set(id, value)
  redis.call('DEL', 'lock:' .. id)
  return value
end";

fn settings(handler: &str) -> TrafficSettings {
    TrafficSettings {
        rate: steady(200),
        items: 5,
        machines: 4,
        workers: 4,
        handler: lua(handler),
        ..Default::default()
    }
}

fn act(world: &mut World, act: TrafficAct) -> Result<Vec<Event>, StepError> {
    let result = world.step(&Input::Traffic { act });
    if let Some(traffic) = world.traffic() {
        check_conservation_of(traffic);
    }
    result
}

fn crash(world: &mut World, machine: u32) -> u64 {
    let events = act(world, TrafficAct::Crash { target: CrashTarget::Machine(machine) }).unwrap();
    match traffic_events(&events).as_slice() {
        [
            (_, TrafficEvent { what: RequestEvent::Crashes { lost }, machine: Some(which), request: 0, worker: None }),
        ] => {
            assert_eq!(*which, machine);
            *lost
        }
        other => panic!("{other:?}"),
    }
}

fn restart(world: &mut World, machine: Option<u32>) -> usize {
    traffic_events(&act(world, TrafficAct::Restart { machine }).unwrap()).len()
}

fn text(value: &str) -> Value {
    Value::Bulk(Bytes::copy_from_slice(value.as_bytes()))
}

#[test]
fn requests_memory_and_subscription_are_lost_and_start_runs_again() {
    let mut world = world_of(&settings(LOCKS));
    advance(&mut world, 3_000);
    assert_eq!(faults(world.traffic().unwrap()), []);
    assert!((0..4).all(|machine| world.traffic().unwrap().memory(machine).unwrap().entries() > 0));
    assert_eq!(typed(&mut world, "GET started"), text("4"));
    let before = world.traffic().unwrap().series().total();
    crash(&mut world, 2);
    let traffic = world.traffic().unwrap();
    assert!(traffic.is_down(2) && !traffic.is_down(1));
    assert_eq!((traffic.down_count(), traffic.queues().down, traffic.queues().workers), (1, 1, 12));
    assert_eq!(traffic.memory(2).unwrap().entries(), 0);
    assert!(traffic.memory(1).unwrap().entries() > 0);
    advance(&mut world, 2_000);
    let after = world.traffic().unwrap().series().total();
    // A quarter of the requests finds no one.
    let (refused, arrived) = (after.refused - before.refused, after.arrived - before.arrived);
    assert!(refused * 5 > arrived && refused * 3 < arrived, "{refused} of {arrived}");
    assert_eq!(typed(&mut world, "PUBSUB NUMSUB changes"), Value::Array(vec![text("changes"), Value::Integer(3)]));
    assert_eq!(restart(&mut world, Some(2)), 1);
    advance(&mut world, 1_000);
    let traffic = world.traffic().unwrap();
    assert!(!traffic.is_down(2) && traffic.memory(2).unwrap().entries() > 0);
    assert_eq!(traffic.series().total().refused, after.refused);
    assert_eq!(typed(&mut world, "GET started"), text("5"));
    assert_eq!(typed(&mut world, "PUBLISH changes x"), Value::Integer(4));
    advance(&mut world, 10);
    assert_eq!(typed(&mut world, "GET heard"), text("4"));
}

#[test]
fn loader_is_the_machine_that_has_waited_longest_for_the_database() {
    let handler = "local db = connect('db')
        function get(id)
          redis.call('SET', 'loads', client.id)
          sleep(10)
          db.query('SELECT value FROM item WHERE id = ?', id)
        end";
    let mut world = world_of(&TrafficSettings { rate: steady(150), ..settings(handler) });
    advance(&mut world, 1_000);
    let mut hits = 0;
    for _ in 0..200 {
        advance(&mut world, 3);
        let mut stepped = world.clone();
        // A second opinion: the events of the last 40 ms, read one after the other.
        let Some(victim) = stepped.traffic().unwrap().crash_victim(CrashTarget::Loader, world.table(DATABASE)) else {
            panic!("all machines run")
        };
        let at_database = stepped.traffic().unwrap().at_database;
        let events = traffic_events(&step_for(&mut stepped, 60));
        let answered = events.iter().find(|(_, event)| match &event.what {
            RequestEvent::Hears { server, .. } => *server == Some(Service::Database),
            _ => false,
        });
        if at_database > 0 {
            hits += 1;
            // Statements take equally long, so the first reply is for the one that has waited longest.
            assert_eq!(answered.unwrap().1.machine, Some(victim));
        }
    }
    assert!(hits > 50, "{hits}");
    // No one waits for the database: the first machine that runs.
    let mut world = world_of(&TrafficSettings { rate: steady(1), ..settings("function get(id) return id end") });
    for expected in 0..4 {
        let events = act(&mut world, TrafficAct::Crash { target: CrashTarget::Loader }).unwrap();
        assert_eq!(traffic_events(&events)[0].1.machine, Some(expected));
    }
    let none = act(&mut world, TrafficAct::Crash { target: CrashTarget::Loader });
    assert_eq!(none, Err(StepError::MachineCannot(None)));
    assert_eq!(restart(&mut world, None), 4);
}

#[test]
fn crash_ends_connections_and_drops_the_running_statement_after_what_was_sent() {
    let handler = "local db = connect('db')
        function get(id)
          if redis.call('INCR', 'asked') == 5 then db.query('UPDATE item SET value = 1 WHERE id = 1') end
          redis.call('BLPOP', 'never', 0)
        end";
    let settings = TrafficSettings { network_us: 5_000, rate: steady(20), ..settings(handler) };
    let mut world = world_of(&settings);
    world.step(&Input::Command { client: 0, argv: resp::split::split(b"CLIENT LIST").unwrap() }).unwrap();
    advance(&mut world, 1_000);
    let own = |world: &World, machine: u32| {
        let traffic = world.traffic().unwrap();
        traffic.redis_connections.iter().filter(|(place, _)| traffic.machine_of(place.worker) == machine).count()
    };
    let (mine, clients) = (own(&world, 1), world.server(REDIS).unwrap().clients().count());
    assert!(mine >= 3, "{mine}");
    let lost = crash(&mut world, 1);
    assert!(lost >= mine as u64, "{lost}");
    // The server learns of it one way of the network later.
    assert_eq!(world.server(REDIS).unwrap().clients().count(), clients);
    assert_eq!(restart(&mut world, Some(1)), 1);
    assert!(world.traffic().unwrap().is_down(1), "until the servers know");
    assert_eq!(restart_error(&mut world, Some(1)), StepError::MachineCannot(Some(1)));
    advance(&mut world, 4);
    assert_eq!(own(&world, 1), mine);
    advance(&mut world, 7);
    assert!(!world.traffic().unwrap().is_down(1));
    assert_eq!(own(&world, 1), 0);
    assert_eq!(world.server(REDIS).unwrap().clients().count(), clients - mine);
}

fn restart_error(world: &mut World, machine: Option<u32>) -> StepError {
    act(world, TrafficAct::Restart { machine }).unwrap_err()
}

#[test]
fn command_on_its_way_is_still_executed_and_belongs_to_no_request() {
    let handler = "function get(id) redis.call('SET', 'key:' .. id, 1) return id end";
    let mut world = world_of(&TrafficSettings { network_us: 50_000, items: 1, rate: steady(10), ..settings(handler) });
    while world.traffic().unwrap().to_redis.is_empty() {
        advance(&mut world, 5);
    }
    assert_eq!(typed(&mut world, "EXISTS key:1"), Value::Integer(0));
    let machine = {
        let traffic = world.traffic().unwrap();
        traffic.machine_of(traffic.to_redis[0].1.place.worker)
    };
    assert_eq!(crash(&mut world, machine), 1);
    let events = traffic_events(&step_for(&mut world, 49));
    let taken: Vec<&TrafficEvent> = events
        .iter()
        .map(|(_, event)| event)
        .filter(|event| event.machine.is_none() && matches!(event.what, RequestEvent::Taken { .. }))
        .collect();
    assert_eq!((taken.len(), taken[0].request, taken[0].worker), (1, 0, None));
    assert_eq!(typed(&mut world, "EXISTS key:1"), Value::Integer(1));
}

#[test]
fn reply_to_a_crashed_machine_belongs_to_no_request() {
    let handler = "local db = connect('db')
        function get(id) db.query('SELECT value FROM item WHERE id = ?', id) end";
    let mut world = world_of(&TrafficSettings { network_us: 50_000, rate: steady(10), ..settings(handler) });
    while world.traffic().unwrap().at_database == 0 {
        advance(&mut world, 1);
    }
    let events = act(&mut world, TrafficAct::Crash { target: CrashTarget::Loader }).unwrap();
    let victim = traffic_events(&events)[0].1.machine.unwrap();
    let running = |world: &World| {
        let traffic = world.traffic().unwrap();
        let open = traffic.database_connections.iter().filter(|(_, found)| is_active(world.table(DATABASE), *found));
        open.filter(|(place, _)| traffic.machine_of(place.worker) == victim).count()
    };
    assert_eq!(running(&world), 1);
    // Its statement takes 5 ms, and the end of its connection arrives after 50 ms.
    let events = traffic_events(&step_for(&mut world, 40));
    assert_eq!(running(&world), 0);
    let replies = events.iter().filter(|(_, event)| matches!(event.what, RequestEvent::Answers { .. }));
    assert_eq!(replies.filter(|(_, event)| event.machine == Some(victim)).count(), 0);
}

#[test]
fn lock_without_expiry_stays_for_ever_after_its_holder() {
    let mut world = world_of(&TrafficSettings { items: 1, rate: steady(50), ..settings(LOCKS) });
    // At the first statement, before anything is in a memory.
    while world.traffic().unwrap().at_database == 0 {
        advance(&mut world, 1);
    }
    let events = act(&mut world, TrafficAct::Crash { target: CrashTarget::Loader }).unwrap();
    let victim = traffic_events(&events)[0].1.machine;
    advance(&mut world, 1_000);
    restart(&mut world, victim);
    advance(&mut world, 20_000);
    let traffic = world.traffic().unwrap();
    assert_eq!(traffic.series().total().answered, 0);
    assert_eq!(typed(&mut world, "EXISTS lock:1"), Value::Integer(1));
    // The same without the crash.
    let mut world = world_of(&TrafficSettings { items: 1, rate: steady(50), ..settings(LOCKS) });
    advance(&mut world, 20_000);
    assert!(world.traffic().unwrap().series().total().answered > 900);
}

#[test]
fn callers_of_lost_requests_try_again() {
    let handler = "function get(id) sleep(50) return 'v0-' .. id end";
    let of = |retries: u32| {
        let mut world = world_of(&TrafficSettings { retries, ..settings(handler) });
        advance(&mut world, 1_000);
        let lost = crash(&mut world, 0);
        restart(&mut world, None);
        advance(&mut world, 5_000);
        check_conservation_of(world.traffic().unwrap());
        let total = world.traffic().unwrap().series().total();
        assert_eq!(total.failed, lost);
        (lost, total.arrived)
    };
    let ((lost, without), (lost_too, with)) = (of(0), of(1));
    assert!(lost > 0 && lost == lost_too && with > without);
}

#[test]
fn acts_that_are_impossible_are_refused_and_change_nothing() {
    let mut world = world_of(&settings(LOCKS));
    advance(&mut world, 100);
    let before = world.clone();
    let error = |world: &mut World, of: TrafficAct| act(world, of).unwrap_err();
    assert_eq!(
        error(&mut world, TrafficAct::Crash { target: CrashTarget::Machine(4) }),
        StepError::MachineCannot(Some(4))
    );
    assert_eq!(restart_error(&mut world, None), StepError::MachineCannot(None));
    assert_eq!(restart_error(&mut world, Some(0)), StepError::MachineCannot(Some(0)));
    assert!(world == before);
    crash(&mut world, 3);
    assert_eq!(
        error(&mut world, TrafficAct::Crash { target: CrashTarget::Machine(3) }),
        StepError::MachineCannot(Some(3))
    );
    assert_eq!(restart_error(&mut world, Some(0)), StepError::MachineCannot(Some(0)));
    act(&mut world, TrafficAct::End).unwrap();
    assert_eq!(restart_error(&mut world, None), StepError::NoTraffic);
    assert_eq!(StepError::MachineCannot(Some(3)).to_string(), "this cannot be done to machine 4 now");
}

#[test]
fn words_round_trip() {
    let all = [
        (TrafficAct::Crash { target: CrashTarget::Machine(0) }, "crash 1"),
        (TrafficAct::Crash { target: CrashTarget::Machine(49) }, "crash 50"),
        (TrafficAct::Crash { target: CrashTarget::Loader }, "crash loader"),
        (TrafficAct::Restart { machine: None }, "restart"),
        (TrafficAct::Restart { machine: Some(1) }, "restart 2"),
    ];
    let words = |line: &str| line.split(' ').map(|word| Bytes::copy_from_slice(word.as_bytes())).collect::<Vec<_>>();
    for (act, line) in all {
        assert_eq!(act.to_words(), words(line));
        assert_eq!(TrafficAct::from_words(&words(line)), Some(act));
    }
    for line in [
        "crash",
        "crash 0",
        "crash -1",
        "crash +1",
        "crash 1 2",
        "crash x",
        "crash 99999999999",
        "restart 0",
        "restart loader",
    ] {
        assert_eq!(TrafficAct::from_words(&words(line)), None, "{line}");
    }
}

#[test]
fn traffic_without_crashes_has_the_hash_that_it_had() {
    assert_eq!(fingerprint(&(1, Crashed::default(), 2)), fingerprint(&(1, 2)));
}

#[test]
fn what_a_machine_was_about_to_do_is_lost() {
    // Before it has started.
    let mut world = world_of(&settings(LOCKS));
    crash(&mut world, 2);
    advance(&mut world, 1_000);
    assert!(world.traffic().unwrap().is_down(2));
    assert_eq!(typed(&mut world, "GET started"), text("3"));
    // While it is about to subscribe again.
    typed(&mut world, "CLIENT KILL TYPE pubsub");
    advance(&mut world, 5);
    crash(&mut world, 1);
    advance(&mut world, 1_000);
    assert_eq!(typed(&mut world, "PUBSUB NUMSUB changes"), Value::Array(vec![text("changes"), Value::Integer(2)]));
    // While it waits for something in its memory.
    let waits = "function get(id) memory('m'):wait('k', 100000) end";
    let mut world = world_of(&settings(waits));
    advance(&mut world, 1_000);
    let due = world.traffic().unwrap().due.len();
    assert!(due >= 16, "{due}");
    for machine in 0..4 {
        crash(&mut world, machine);
    }
    let traffic = world.traffic().unwrap();
    assert!(traffic.due.len() + 16 <= due, "{} of {due}", traffic.due.len());
    assert!((0..4).all(|machine| traffic.memory(machine).unwrap().waits() == 0));
}

#[test]
fn requests_at_workers_and_in_the_queue_fail() {
    let handler = "function get(id) sleep(1000) end";
    let mut world = world_of(&TrafficSettings { rate: steady(100), workers: 2, ..settings(handler) });
    advance(&mut world, 500);
    let unfinished = |world: &World| world.traffic().unwrap().unfinished();
    let ((at_work, waiting), queue) = (unfinished(&world), world.traffic().unwrap().waiting[3].len() as u64);
    assert!(at_work == 8 && queue > 3, "{at_work} {queue}");
    assert_eq!(crash(&mut world, 3), 2 + queue);
    assert_eq!(unfinished(&world), (6, waiting - queue));
    assert_eq!(world.traffic().unwrap().series().total().failed, 2 + queue);
}

#[test]
fn running_call_and_waiting_messages_of_a_subscriber_are_lost() {
    let handler = "function start() subscribe('changes') end
        function message(channel, text) redis.call('INCR', 'begun') sleep(50) redis.call('INCR', 'done') end
        function get(id) end";
    let mut world = world_of(&TrafficSettings { rate: steady(1), ..settings(handler) });
    advance(&mut world, 10);
    for _ in 0..5 {
        assert_eq!(typed(&mut world, "PUBLISH changes x"), Value::Integer(4));
    }
    advance(&mut world, 25);
    assert_eq!(typed(&mut world, "GET begun"), text("4"));
    crash(&mut world, 0);
    assert_eq!(restart(&mut world, Some(0)), 1);
    advance(&mut world, 1_000);
    assert_eq!(typed(&mut world, "GET done"), text("15"), "five of each of the others");
    assert_eq!(typed(&mut world, "GET begun"), text("16"));
    // It hears what is sent from now on.
    assert_eq!(typed(&mut world, "PUBLISH changes y"), Value::Integer(4));
    advance(&mut world, 1_000);
    assert_eq!(typed(&mut world, "GET done"), text("19"));
}

/// The connections of a machine at both servers, and the ends of such that have not arrived.
fn connections_and_ends(traffic: &Traffic, machine: u32) -> (usize, usize) {
    let is_own = |place: WorkerThread| traffic.machine_of(place.worker) == machine;
    let at_redis = traffic.redis_connections.iter().filter(|(place, _)| is_own(*place)).count();
    let at_database = traffic.database_connections.iter().filter(|(place, _)| is_own(*place)).count();
    let to_redis = traffic.to_redis.iter().map(|(_, message)| message).chain(&traffic.redis_queue);
    let to_database = traffic.to_database.iter().map(|(_, message)| message);
    let ends = to_redis.chain(to_database).filter(|message| is_end(message) && is_own(message.place)).count();
    (at_redis + at_database, ends)
}

/// What happens at a moment of a random run.
#[derive(Clone, Debug)]
enum Fault {
    Crash(CrashTarget),
    Restart(Option<u32>),
    CrashNode(usize),
    RestartNode(usize),
}

fn any_fault() -> impl Strategy<Value = Fault> {
    prop_oneof![
        4 => prop_oneof![Just(CrashTarget::Loader), (0_u32..4).prop_map(CrashTarget::Machine)].prop_map(Fault::Crash),
        4 => prop::option::of(0_u32..4).prop_map(Fault::Restart),
        1 => (0_usize..2).prop_map(Fault::CrashNode),
        2 => (0_usize..2).prop_map(Fault::RestartNode),
    ]
}

impl Fault {
    /// Refused faults change nothing.
    fn happen(&self, world: &mut World) {
        let node = |place: usize| if place == 0 { REDIS } else { DATABASE };
        let _ = world.step(&match self {
            Fault::Crash(target) => Input::Traffic { act: TrafficAct::Crash { target: *target } },
            Fault::Restart(machine) => Input::Traffic { act: TrafficAct::Restart { machine: *machine } },
            Fault::CrashNode(place) => Input::Node { node: node(*place), act: NodeAct::Crash },
            Fault::RestartNode(place) => Input::Node { node: node(*place), act: NodeAct::Restart },
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_request_is_lost_and_result_is_independent_of_slices_and_steps(
        seed in any::<u64>(),
        network_us in 0_u32..20_000,
        redis_us in prop_oneof![Just(20_u32), 1_000_u32..4_000],
        retries in 0_u32..3,
        is_plain in any::<bool>(),
        faults in prop::collection::vec((1_u64..300, any_fault()), 1..14),
        slices in prop::collection::vec(1_u64..60, 1..4),
    ) {
        let handler = if is_plain { Handler::CacheAside { ttl_s: 1 } } else { lua(LOCKS_FOR_A_TIME) };
        // Few enough requests that a backlog is worked off.
        let settings = TrafficSettings { rate: steady(30), seed, network_us, redis_us, retries, writes_ppm: 50_000, handler, ..settings("") };
        let (mut whole, mut sliced, mut stepped) = (world_of(&settings), world_of(&settings), world_of(&settings));
        for (ms, fault) in &faults {
            advance(&mut whole, *ms);
            let mut left = *ms;
            for slice in slices.iter().copied().cycle() {
                let now = slice.min(left);
                left -= now;
                advance(&mut sliced, now);
                if left == 0 { break }
            }
            let from_ms = stepped.now_ms();
            // An event in the last ms may come after its beginning.
            step_for(&mut stepped, *ms - 1);
            let rest = *ms - (stepped.now_ms() - from_ms);
            advance(&mut stepped, rest);
            for world in [&mut whole, &mut sliced, &mut stepped] {
                fault.happen(world);
                check_conservation_of(world.traffic().unwrap());
            }
            prop_assert!(whole == sliced);
            prop_assert!(whole == stepped);
            prop_assert_eq!(fingerprint(&whole), fingerprint(&stepped));
        }
        // All is well again, whatever has happened.
        for fault in [Fault::RestartNode(0), Fault::RestartNode(1), Fault::Restart(None)] {
            fault.happen(&mut whole);
        }
        advance(&mut whole, 8_000);
        let before = whole.traffic().unwrap().series().total();
        prop_assert_eq!(whole.traffic().unwrap().down_count(), 0);
        advance(&mut whole, 2_000);
        check_conservation_of(whole.traffic().unwrap());
        let traffic = whole.traffic().unwrap();
        let after = traffic.series().total();
        prop_assert!(after.answered > before.answered);
        let at_database = whole.table(DATABASE).unwrap();
        let active = traffic.database_connections.iter().filter(|(_, connection)| is_active(Some(at_database), *connection));
        prop_assert_eq!(traffic.at_database, active.count() as u64);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn all_connections_of_a_crashed_machine_end_before_it_starts_again(
        at_ms in 0_u64..200,
        network_us in prop_oneof![0_u32..300, 0_u32..40_000],
        redis_us in prop_oneof![Just(20_u32), 1_000_u32..12_000],
        restarts in any::<bool>(),
        handler in prop::sample::select(vec![LOCKS_FOR_A_TIME, LITTLE_REDIS]),
        seed in any::<u64>(),
    ) {
        let settings = TrafficSettings {
            rate: steady(100),
            seed,
            network_us,
            redis_us,
            machines: 2,
            writes_ppm: 200_000,
            ..settings(handler)
        };
        let mut world = world_of(&settings);
        advance(&mut world, at_ms);
        crash(&mut world, 1);
        if restarts {
            assert_eq!(restart(&mut world, None), 1);
        }
        let mut was_up = false;
        for _ in 0..400 {
            advance(&mut world, 1);
            let traffic = world.traffic().unwrap();
            let (connections, ends) = connections_and_ends(traffic, 1);
            was_up |= !traffic.is_down(1);
            prop_assert!(!was_up || ends == 0, "{} ends are on their way to the servers", ends);
            prop_assert!(was_up || connections <= ends, "{} connections, {} ends", connections, ends);
        }
        advance(&mut world, 5_000);
        prop_assert!(world.traffic().unwrap().is_down(1) != restarts);
    }
}

/// A machine has more connections to the database than to Redis.
const LITTLE_REDIS: &str = "local db = connect('db')
function get(id)
  if id == '1' then redis.call('INCR', 'n') end
  db.query('SELECT value FROM item WHERE id = ?', id)
end";

const LOCKS_FOR_A_TIME: &str = "local db, seen = connect('db'), memory('seen')
function start() redis.call('INCR', 'started') subscribe('changes') end
function message(channel, text) seen:delete(text) end
function get(id)
  local own = seen:get(id)
  if own then return own end
  while not redis.call('SET', 'lock:' .. id, client.id, 'NX', 'PX', 500) do sleep(20) end
  local value = db.query('SELECT value FROM item WHERE id = ?', id)[1].value
  seen:set(id, value, 300)
  redis.call('DEL', 'lock:' .. id)
  return value
end
function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
  redis.call('PUBLISH', 'changes', id)
end";
