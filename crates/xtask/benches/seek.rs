//! The timeline: the cost of a step, a clone, a list of branches and a seek in long sessions, and the bytes kept per step.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#[path = "shared/allocated.rs"]
mod allocated;
mod harness;

use bytes::Bytes;
use harness::{median, nanoseconds, percentile, shown};
use std::hint::black_box;
use std::time::Instant;
use world::{Act, Engines, Input, Settings, Timeline};

/// Lengths of the sessions, in steps.
const SHORT: usize = 10_000;
const LONG: usize = 99_900;

/// Number of measured seeks.
const SEEKS: usize = 2_000;

/// The program of the session with programs: it acquires a lock, works and releases it, for ever.
const PROGRAMS: usize = 8;

fn main() {
    for steps in [SHORT, LONG] {
        measured("five types, two clients", &mixed(), steps, mixed_step);
        measured("SET into 10,000 keys", &keyspace(), steps, |i| vec![command(1, &set(i))]);
        if steps == SHORT {
            measured("eight programs", &programs(), steps, program_step);
        }
    }
}

/// Records a session, and measures the operations on it.
fn measured(name: &str, start: &[Input], steps: usize, step: impl Fn(usize) -> Vec<Input>) {
    println!("\n{name}, {steps} steps");
    let engines = Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
    let mut timeline = Timeline::with_engines(Settings::default(), &engines);
    start.iter().for_each(|input| _ = timeline.push(input.clone()).unwrap());
    let before = (allocated::bytes(), timeline.len());
    let mut cloned = timeline.clone();
    let mut push = Vec::new();
    for i in 0.. {
        if timeline.len() >= steps {
            break;
        }
        for input in step(i) {
            // As in the page, the previous session is still alive.
            cloned = timeline.clone();
            push.push(timed(|| _ = timeline.push(input).unwrap()));
        }
    }
    drop(cloned);
    let (bytes, taken) = (allocated::bytes() - before.0, timeline.len() - before.1);
    report("a step", &mut push);
    println!("  {:<28} {} bytes a step, its input and events among them", "memory", bytes / taken);
    let mut random: Vec<f64> = (0..SEEKS).map(|i| timed(|| timeline.seek(i.wrapping_mul(7_919) % steps))).collect();
    report("seek to a random step", &mut random);
    timeline.seek(steps / 2);
    let mut near: Vec<f64> =
        (0..SEEKS).map(|i| timed(|| assert!(if i % 2 == 0 { timeline.back() } else { timeline.forward() }))).collect();
    report("one step back, one forward", &mut near);
    timeline.seek(steps / 2);
    let mut back: Vec<f64> = (0..SEEKS).map(|_| timed(|| assert!(timeline.back()))).collect();
    report("back and back", &mut back);
    timeline.seek(steps);
    println!("  {:<28} {:>10}", "clone", shown(nanoseconds(|_| _ = black_box(timeline.clone()))));
    println!("  {:<28} {:>10}", "branches, of one", shown(nanoseconds(|_| _ = black_box(timeline.branches()))));
    let end = u32::try_from(steps).unwrap();
    for i in 0..9 {
        timeline.switch_to(end);
        timeline.seek(steps / 10 * i + steps / 20);
        timeline.push(connect(100 + i)).unwrap();
        timeline.push(command(u32::try_from(100 + i).unwrap(), "ECHO branch")).unwrap();
    }
    println!("  {:<28} {:>10}", "branches, of ten", shown(nanoseconds(|_| _ = black_box(timeline.branches()))));
    let mut switch: Vec<f64> =
        (0..100).map(|i| timed(|| assert!(timeline.switch_to(if i % 2 == 0 { end } else { end + 18 })))).collect();
    report("switch", &mut switch);
}

fn connect(client: usize) -> Input {
    Input::Connect { client: u32::try_from(client).unwrap(), name: format!("c{client}") }
}

fn command(client: u32, line: &str) -> Input {
    Input::Command { client, argv: harness::words(line) }
}

/// Two clients.
fn mixed() -> Vec<Input> {
    vec![connect(1), connect(2)]
}

/// Strings, lists, hashes and sorted sets over a thousand keys; sometimes time passes.
fn mixed_step(i: usize) -> Vec<Input> {
    let key = i.wrapping_mul(7_919) % 1_000;
    let line = match i % 6 {
        0 => format!("SET string:{key} value-{i}"),
        1 => format!("INCR counter:{key}"),
        2 => format!("RPUSH list:{key} element-{i}"),
        3 => format!("HSET hash:{key} field-{} {i}", i % 50),
        4 => format!("ZADD zset:{} {i} member-{key}", key % 20),
        _ => format!("EXPIRE string:{key} {}", 10 + i % 100),
    };
    let mut inputs = vec![command(1 + u32::from(i.is_multiple_of(2)), &line)];
    if i.is_multiple_of(10) {
        inputs.push(Input::Advance { ms: 250 });
    }
    inputs
}

/// A client, and ten thousand keys.
fn keyspace() -> Vec<Input> {
    let fill = (0..100).map(|i| {
        let words = (0..100).flat_map(|j| [format!("key:{:05}", i * 100 + j), "value".to_owned()]).map(Bytes::from);
        Input::Command { client: 1, argv: [Bytes::from_static(b"MSET")].into_iter().chain(words).collect() }
    });
    [connect(1)].into_iter().chain(fill).collect()
}

fn set(i: usize) -> String {
    format!("SET key:{:05} value-{i}", i.wrapping_mul(7_919) % 10_000)
}

fn programs() -> Vec<Input> {
    let text = "while true do
        local token = uuid()
        if redis.call('SET', 'lock', token, 'NX', 'PX', 30000) then
            enter('stock')
            local left = tonumber(redis.call('GET', 'stock')) or 100
            work(20)
            redis.call('SET', 'stock', left - 1)
            leave('stock')
            if redis.call('GET', 'lock') == token then redis.call('DEL', 'lock') end
        else
            sleep(50)
        end
    end";
    let load = |client| Input::Program { client, act: Act::load(Bytes::from_static(text.as_bytes())) };
    (0..PROGRAMS).flat_map(|client| [connect(client), load(u32::try_from(client).unwrap())]).collect()
}

/// Each client takes a step in turn, and then some time passes.
fn program_step(i: usize) -> Vec<Input> {
    let client = i % (PROGRAMS + 1);
    if client == PROGRAMS {
        return vec![Input::Advance { ms: 50 }];
    }
    vec![Input::Program { client: u32::try_from(client).unwrap(), act: Act::Step { thread: 0 } }]
}

fn timed(work: impl FnOnce()) -> f64 {
    let started = Instant::now();
    work();
    started.elapsed().as_nanos() as f64
}

fn report(name: &str, figures: &mut [f64]) {
    let (middle, late) = (median(figures), percentile(figures, 99));
    println!("  {name:<28} p50 {:>10}   p99 {:>10}", shown(middle), shown(late));
}
