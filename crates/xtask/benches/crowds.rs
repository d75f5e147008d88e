//! Crowds of virtual clients under a random schedule: the flash sale with a thousand buyers, the requests per acquisition as the number of
//! retrying clients grows, the lease that a watchdog renews, and 100,000 messages to a hundred consumers. All but the last run the programs
//! of lessons.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
use lesson::{ClientGroup, Lesson, source};
use page_bench::crowd::{EXPECTED, ledger};
use redis_model::rng::Rng;
use std::path::Path;
use std::time::Instant;
use world::{Act, Engines, EventKind, Input, NodeIndex, ProgramEvent, Timeline, World};

/// Retries without a deadline, like a program that must get the lock.
const RETRY: &str = "
local token = uuid()
while not redis.call('SET', 'lock', token, 'NX', 'PX', 10000) do
  sleep(100)
end
enter('checkout')
work(50)
leave('checkout')
redis.call('DEL', 'lock')
";

fn main() {
    flash_sale();
    retry();
    watchdog();
    messages();
}

/// A lesson from its folder, in English.
fn lesson(folder: &str) -> Lesson {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lessons").join(folder);
    let [lesson, _] = source::read_lesson(&root).expect("a lesson without mistakes").lessons;
    lesson
}

fn opened(lesson: &Lesson) -> World {
    let engines = Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
    Timeline::from_text(&lesson.session(&[]), &engines).expect("a lesson that opens").world().clone()
}

/// The result of a run.
#[derive(Default)]
struct Run {
    steps: usize,
    requests: usize,
    /// Requests of each client until it first entered a section, in the order of entering.
    until_in: Vec<usize>,
}

/// Steps randomly chosen clients until all programs have ended.
fn run(world: &mut World, seed: u64) -> Run {
    let (mut rng, mut run) = (Rng::new(seed), Run::default());
    let mut sent = std::collections::BTreeMap::new();
    while !world.is_end() {
        let ready: Vec<Input> = world.ready().collect();
        let input = match ready.get(rng.index(ready.len())) {
            Some(input) => input.clone(),
            None => Input::Advance { ms: world.until_next_ms().expect("time brings something") },
        };
        run.steps += 1;
        for event in world.step(&input).expect("what is enabled can be done") {
            match event.kind {
                EventKind::Program { client, what: ProgramEvent::Sent { .. }, .. } => {
                    run.requests += 1;
                    *sent.entry(client).or_insert(0) += 1;
                }
                EventKind::Program { client, what: ProgramEvent::Entered { .. }, .. } => {
                    run.until_in.push(sent.get(&client).copied().unwrap_or(0));
                }
                _ => {}
            }
        }
    }
    run
}

fn flash_sale() {
    let lesson = lesson("transactions/flash-sale");
    println!("flash sale, 20 workers, 1000 buyers, 20 items");
    println!(
        "| seed | won | conflict | sold out | broken | steps | requests | time |\n|---|---|---|---|---|---|---|---|"
    );
    for seed in 1..=3 {
        let mut world = opened(&lesson);
        let begun = Instant::now();
        let run = run(&mut world, seed);
        let took = begun.elapsed();
        let tally = |name: &str| world.watch().tally(name.as_bytes());
        let broken = world.watch().verdicts().filter(|(_, breach)| breach.is_some()).count();
        assert_eq!(tally("won"), 20, "exactly as many winners as items");
        println!(
            "| {seed} | {} | {} | {} | {broken} | {} | {} | {took:.0?} |",
            tally("won"),
            tally("conflict"),
            tally("sold-out"),
            run.steps,
            run.requests
        );
    }
}

fn retry() {
    println!("\nretry every 100 ms, section of 50 ms: requests until one is in");
    println!("| clients | mean | least | most | all in after | requests in all |\n|---|---|---|---|---|---|");
    let mut chart = String::new();
    for clients in [2, 4, 8, 16, 32, 64] {
        let program = lesson::Program { name: "retry".into(), text: RETRY.into() };
        let group = ClientGroup { name: "c".into(), program: "retry".into(), count: clients };
        let mut world = opened(&Lesson { programs: vec![program], clients: vec![group], ..Lesson::default() });
        let begun_ms = world.now_ms();
        let run = run(&mut world, 1);
        let (least, most) = (run.until_in.iter().min().unwrap(), run.until_in.iter().max().unwrap());
        let mean = run.until_in.iter().sum::<usize>() as f64 / run.until_in.len() as f64;
        let took_ms = world.now_ms() - begun_ms;
        println!("| {clients} | {mean:.1} | {least} | {most} | {:.1} s | {} |", took_ms as f64 / 1000.0, run.requests);
        chart += &format!("{clients:>3} {} {mean:.1}\n", bar(mean));
    }
    println!("\nrequests until one is in, by clients\n{chart}");
}

/// A bar as long as a number, in halves.
fn bar(length: f64) -> String {
    let halves = (length * 2.0).round() as usize;
    "█".repeat(halves / 2) + if halves % 2 == 1 { "▌" } else { "" }
}

/// The TTL of the lock second by second, while its holder works for 65 seconds.
fn watchdog() {
    let mut lesson = lesson("locks/redisson");
    let text = lesson.programs[0].text.replace("work_ms = 35000", "work_ms = 65000");
    assert_ne!(text, lesson.programs[0].text, "the program works for 35 s");
    lesson.programs[0].text = text;
    lesson.clients[0].count = 1;
    let mut world = opened(&lesson);
    let mut series = Vec::new();
    world.step(&Input::Program { client: 1, act: Act::Step { thread: 0 } }).unwrap();
    for _ in 0..=60 {
        loop {
            let Some(input) = world.ready().next() else { break };
            world.step(&input).unwrap();
        }
        let at_ms = world.server(NodeIndex::FIRST).expect("there is a first node").databases()[0]
            .expires_ms(b"lock")
            .expect("the lock is held");
        series.push(at_ms.saturating_sub(world.now_ms()).div_ceil(1000));
        world.step(&Input::Advance { ms: 1000 }).unwrap();
    }
    println!("\nTTL of a lock with a watchdog, lease 30 s, once a second: {series:?}");
    assert_eq!(series[..12], [30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 30, 29]);
}

/// Messages through a list: no message is lost or repeated, and a hundred consumers do not keep the order. `bench page` finds the same in a
/// browser.
fn messages() {
    println!("\n100,000 messages, 100 consumers, a list");
    println!(
        "| seed | produced | processed | more than once | lost | out of order | of one key | steps | time |\n|---|---|---|---|---|---|---|---|---|"
    );
    for (seed, expected) in (1..).zip(EXPECTED.lines()) {
        let begun = Instant::now();
        let found = ledger(seed);
        let took = begun.elapsed();
        assert_eq!(found, expected, "the ledger of seed {seed}");
        println!("| {} | {took:.0?} |", found.replace(' ', " | "));
    }
}
