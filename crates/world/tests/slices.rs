//! Long scripts and long handlers within traffic: slices of any size leave the same worlds, events and text as one piece.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
use std::cell::Cell;
use std::rc::Rc;

use bytes::Bytes;
use lua_machine::{LuaMachine, LuaPlayer};
use proptest::prelude::*;
use redis_model::rehearsal::Attempt;
use script::program::{History, Player, ProgramState, Unplayable};
use world::timeline::Stretch;
use world::traffic::settings::{Handler, RatePoint, TrafficSettings};
use world::traffic::{Site, TrafficAct};
use world::{Engines, Input, NodeKind, NodeSettings, Settings, Timeline};

fn nodes() -> Settings {
    let database = table::Settings { service_ms: 3, workers: 4, connections_max: 1_000, ..table::Settings::default() };
    let database = NodeSettings { name: "db".to_owned(), kind: NodeKind::Table(database) };
    Settings { nodes: vec![NodeSettings::redis("redis", world::Durability::None), database], ..Settings::default() }
}

fn settings(handler: &str) -> TrafficSettings {
    TrafficSettings {
        rate: vec![RatePoint { at_ms: 0, per_s: 60 }],
        items: 30,
        writes_ppm: 100_000,
        machines: 2,
        workers: 3,
        handler: Handler::Lua(Bytes::copy_from_slice(handler.as_bytes())),
        ..TrafficSettings::default()
    }
}

/// A session in which traffic with this handler has begun.
fn session(handler: &str, engines: &Engines) -> Timeline {
    let mut timeline = Timeline::with_engines(nodes(), engines);
    timeline.push(Input::Connect { client: 0, name: "a".to_owned() }).unwrap();
    timeline.push(Input::Traffic { act: TrafficAct::Begin { settings: Rc::new(settings(handler)) } }).unwrap();
    timeline
}

/// Scripts of every kind, from reads to transactions: short ones, ones that keep the server busy so that others wait for it, and errors.
const SCRIPTS: &str = "
local fill = [[for n = 1, tonumber(ARGV[1]) do redis.call('SET', 'k' .. n, n) end return redis.call('DBSIZE')]]
local spin = [[for n = 1, 150000 do end return redis.call('INCR', KEYS[1])]]
function get(id)
  local n = tonumber(id)
  if n % 5 == 0 then return tostring(redis.call('EVAL', fill, 0, n * 10)) end
  if n % 5 == 1 then return tostring(redis.call('EVAL', spin, 1, 'n')) end
  if n % 5 == 2 then
    redis.call('MULTI')
    redis.call('EVAL', fill, 0, 20)
    redis.call('INCR', 'n')
    redis.call('EVAL', spin, 1, 'n')
    local replies = redis.call('EXEC')
    return tostring(replies[2])
  end
  if n % 5 == 3 then redis.call('EVAL', 'for n = 1, 100 do redis.call(\"INCR\", \"n\") end error(\"no\")', 0) end
  return redis.call('GET', 'n') or 'none'
end
function put(id, value) redis.call('SET', 'k' .. id, value) end
";

/// Runs a stretch to its end in pieces of this many events, and scripts in slices. Returns the number of scripts that ran ahead.
fn finish(stretch: &mut Stretch, events: u64) -> usize {
    let (mut ahead, mut scripts) = (None, 0);
    loop {
        match stretch.attempt(events, ahead.take()) {
            Attempt::Done(true) => return scripts,
            Attempt::Done(false) => {}
            Attempt::Paused(mut rehearsal) => {
                scripts += 1;
                stretch.set_checkpoint();
                while !rehearsal.go_on() {}
                ahead = Some(rehearsal);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn traffic_with_scripts_in_slices_is_the_same(ms in 200_u64..2_500, events in 1_u64..60, slice in 50_u64..5_000) {
        let whole_engines = Engines::new(LuaMachine::new(), LuaPlayer::for_traffic());
        let engines = Engines::new(LuaMachine::in_slices(slice), LuaPlayer::for_traffic());
        let (mut whole, mut sliced) = (session(SCRIPTS, &whole_engines), session(SCRIPTS, &engines));
        for _ in 0..2 {
            whole.push(Input::Advance { ms }).unwrap();
            let mut stretch = sliced.stretch(ms).unwrap();
            let ran_ahead = finish(&mut stretch, events);
            prop_assert!(ran_ahead > 2, "{}", ran_ahead);
            sliced.push_stretch(stretch).unwrap().unwrap();
            prop_assert!(sliced == whole);
            prop_assert!(sliced.world() == whole.world());
            prop_assert_eq!(sliced.world().fingerprint(), whole.world().fingerprint());
            // A terminal sees what scripts have left, and keeps the server busy too.
            for line in ["GET n", "EVAL 'for n = 1, 200000 do end return 1' 0"] {
                let input = Input::Command { client: 0, argv: resp::split::split(line.as_bytes()).unwrap() };
                for timeline in [&mut whole, &mut sliced] {
                    timeline.push(input.clone()).unwrap();
                }
            }
            prop_assert!(sliced == whole && sliced.world() == whole.world());
        }
        prop_assert_eq!(whole.to_text(), sliced.to_text());
    }

    #[test]
    fn stretch_ended_before_a_script_equals_a_shorter_one(events in 1_u64..60, nth in 0_usize..40, keeps in any::<bool>()) {
        let engines = Engines::new(LuaMachine::in_slices(500), LuaPlayer::for_traffic());
        let mut timeline = session(SCRIPTS, &engines);
        let mut stretch = timeline.stretch(2_000).unwrap();
        let (mut ahead, mut left) = (None, nth);
        loop {
            match stretch.attempt(events, ahead.take()) {
                Attempt::Done(is_over) => prop_assert!(!is_over, "it has more scripts"),
                Attempt::Paused(rehearsal) if left == 0 => {
                    // The reader stops it while the script runs.
                    drop(rehearsal);
                    break;
                }
                Attempt::Paused(mut rehearsal) => {
                    left -= 1;
                    if keeps {
                        stretch.set_checkpoint();
                    }
                    while !rehearsal.go_on() {}
                    ahead = Some(rehearsal);
                }
            }
        }
        let reached_ms = stretch.passed_ms();
        stretch.stop_before_script();
        prop_assert!(stretch.ms() <= reached_ms);
        prop_assert!(!keeps || nth < 3 || stretch.ms() > 0);
        let ms = stretch.ms();
        let mut other = timeline.clone();
        if ms == 0 {
            return Ok(());
        }
        other.push_stretch(stretch).unwrap().unwrap();
        timeline.push(Input::Advance { ms }).unwrap();
        prop_assert!(other == timeline && other.world() == timeline.world());
        // What follows is the same, also from its cached worlds.
        for timeline in [&mut other, &mut timeline] {
            let mut rest = timeline.stretch(2_000 - ms).unwrap();
            finish(&mut rest, 100);
            timeline.push_stretch(rest).unwrap().unwrap();
        }
        prop_assert!(other.world() == timeline.world());
    }
}

/// Requests that ask for many things that are answered at once, among commands, scripts, statements and messages.
const MIXED: &str = "
local fill = [[for n = 1, 300 do redis.call('SET', 'k' .. n, n) end return redis.call('PUBLISH', 'news', 'filled')]]
local db = connect('db')
function start() subscribe('news') end
function message(channel, text)
  for n = 1, 10 do memory('heard'):set(tostring(random(1, 1000)), text) end
end
function get(id)
  local sum = 0
  for n = 1, 15 do sum = sum + random(1, 100) memory('sums'):set(id, tostring(sum)) end
  local value = redis.call('GET', 'item:' .. id)
  for n = 1, 15 do sum = sum + random(1, 100) now() end
  if tonumber(id) % 4 == 0 then redis.call('EVAL', fill, 0) end
  if tonumber(id) % 4 == 1 then error('no ' .. sum) end
  if not value then
    value = db.query('SELECT value FROM item WHERE id = ?', tonumber(id))[1].value
    redis.call('SET', 'item:' .. id, value, 'PX', 200)
  end
  if tonumber(id) % 4 == 2 then redis.call('PUBLISH', 'news', id) end
  return value
end
function put(id, value) return get(id) end
";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn event_in_slices_is_the_same_and_can_be_dropped(
        ms in 0_u64..600,
        events in 1_u64..40,
        dropped_after in 0_u64..20,
        handler in prop::sample::select(vec![MIXED, GREEDY, SCRIPTS]),
        watcher in prop::sample::select(vec!["MONITOR", "SUBSCRIBE news", "PING"]),
    ) {
        let whole_engines = Engines::new(LuaMachine::new(), LuaPlayer::for_traffic());
        let engines = Engines::new(LuaMachine::in_slices(700), LuaPlayer::for_traffic());
        let (mut whole, mut sliced) = (session(handler, &whole_engines), session(handler, &engines));
        let watch = Input::Command { client: 0, argv: resp::split::split(watcher.as_bytes()).unwrap() };
        for input in [watch, Input::Advance { ms }] {
            whole.push(input.clone()).unwrap();
            sliced.push(input).unwrap();
        }
        for _ in 0..60 {
            let before = sliced.clone();
            let mut dropped = sliced.stretch_of_event().unwrap();
            let is_over = dropped_after > 0 && matches!(dropped.attempt(dropped_after, None), Attempt::Done(true));
            dropped.stop();
            prop_assert!(dropped.run(1));
            prop_assert_eq!(sliced.push_stretch(dropped).is_some(), is_over);
            prop_assert!(is_over || sliced == before && sliced.world() == before.world());
            sliced = before;

            whole.push(Input::Traffic { act: TrafficAct::Step }).unwrap();
            let mut stretch = sliced.stretch_of_event().unwrap();
            finish(&mut stretch, events);
            sliced.push_stretch(stretch).unwrap().unwrap();
            prop_assert!(sliced == whole, "{:#?}\n{:#?}", sliced.taken().last(), whole.taken().last());
            prop_assert!(sliced.world() == whole.world());
            prop_assert_eq!(sliced.world().fingerprint(), whole.world().fingerprint());
        }
        // A file with these steps is read in slices.
        let read = Timeline::from_text(&whole.to_text(), &engines);
        prop_assert!(read.is_ok_and(|read| read.world() == whole.world()));
    }
}

/// A player that counts how often it plays.
struct Counting {
    player: LuaPlayer,
    count: Rc<Cell<u64>>,
}

impl Player for Counting {
    fn play(&mut self, text: &Bytes, history: &History) -> Result<ProgramState, Unplayable> {
        self.count.set(self.count.get() + 1);
        self.player.play(text, history)
    }
}

/// While the machine starts, requests wait; then all of them fail or end at once, and each asks for many things that are answered at once.
const GREEDY: &str = "
function start() sleep(900) end
function get(id)
  local sum = 0
  for n = 1, 20 do sum = sum + random(1, 100) memory('sums'):set(id, tostring(sum)) end
  if tonumber(id) % 3 == 0 then error('no ' .. sum) end
  if tonumber(id) % 3 == 1 then sleep(sum) end
  return tostring(sum)
end
function put(id, value) return get(id) end
";

#[test]
fn piece_of_an_event_runs_lua_once_and_pieces_make_no_difference() {
    let counted = |count: &Rc<Cell<u64>>| {
        let player = Counting { player: LuaPlayer::for_traffic(), count: Rc::clone(count) };
        Engines::new(LuaMachine::new(), player)
    };
    let database = table::Settings { connections_max: 1_000, ..table::Settings::default() };
    let count = Rc::new(Cell::new(0));
    let begin = |engines: &Engines| Site::begin(settings(GREEDY), database.clone(), 0, engines).unwrap();
    let mut whole = begin(&counted(&count));
    whole.run(3_000);
    assert!(count.get() > 1_000, "{}", count.get());
    let expected = count.replace(0);

    let mut sliced = begin(&counted(&count));
    let (mut before, mut pieces) = (0, 0);
    while !sliced.run_slice(3_000, 1) {
        assert!(count.get() - before <= 1, "a piece has run Lua {} times", count.get() - before);
        before = count.get();
        pieces += 1;
    }
    assert!(pieces > count.get());
    assert_eq!(count.get(), expected, "nothing is played twice");
    assert_eq!(sliced.traffic().faults().len(), whole.traffic().faults().len());
    assert!(!sliced.traffic().faults().is_empty());
    assert!(sliced == whole);

    // A slice of many events runs Lua as often as a fraction of them.
    let mut coarse = begin(&counted(&count));
    before = count.get();
    while !coarse.run_slice(3_000, 50) {
        assert!(count.get() - before <= 2);
        before = count.get();
    }
    assert!(coarse == whole);
}
