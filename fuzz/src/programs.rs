//! Any texts as the programs of one to three clients under any schedule: they stop within their limits, and the same steps lead to the same
//! state, with and without cached coroutines.
//!
//! An input consists of the texts, each followed by a line `%%`, and a last part whose bytes are the scheduler's choices:
//!
//! ```text
//! redis.call('SET', 'k', 1)
//! %%
//! note(redis.call('GET', 'k'))
//! %%
//! 0120abc
//! ```
use bytes::Bytes;
use lua_machine::LuaPlayer;
use script::program::{State, Unplayable};
use world::{
    Act, Direction, Durability, Engines, Faults, Fingerprint, Input, LinkAct, NodeAct, NodeIndex, NodeSettings,
    Property, Settings, StepError, Timeline, World,
};

use crate::{engine, memory};

/// Separator between two parts of an input.
const BETWEEN: &str = "\n%%\n";
/// Maximum number of programs per input.
const PROGRAMS_MAX: usize = 3;
/// Maximum number of scheduler choices used.
const CHOICES_MAX: usize = 48;
/// Maximum bytes that an input may allocate: two players with a machine for each program, keys, and the events of every step.
const BYTES_MAX: usize = 512 << 20;

/// Plays an input.
pub fn play(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (programs, choices) = parts(&text);
    memory::within(BYTES_MAX, || {
        let mut timeline = staged(&programs, &engine::engines(LuaPlayer::new()));
        for choice in choices.iter().take(CHOICES_MAX) {
            let input = chosen(timeline.world(), *choice, &programs);
            if let Err(why) = timeline.push(input.clone()) {
                // Every offered step is possible; an invented one may be impossible.
                let is_offered = timeline.world().enabled(faults()).contains(&input);
                assert!(!is_offered || matches!(why, StepError::TimelineFull(_)), "{input:?}: {why}");
            }
            look_at(timeline.world());
        }
        // Replay the steps: from the middle with cached coroutines, and from the beginning without.
        let end = (timeline.world().fingerprint(), scenes(timeline.world()));
        timeline.seek(timeline.len() / 2);
        let middle = (timeline.world().fingerprint(), scenes(timeline.world()));
        timeline.seek(timeline.len());
        same(&end, timeline.world(), "back and forth");
        let written = timeline.to_text();
        let without_cache = engine::engines(LuaPlayer::without_cache());
        let mut again = Timeline::from_text(&written, &without_cache)
            .unwrap_or_else(|why| panic!("{why}, in what was written:\n{written}"));
        same(&end, again.world(), "played from the beginning each time");
        again.seek(again.len() / 2);
        same(&middle, again.world(), "the middle, played from the beginning");
    });
}

/// The programs and the choices of an input.
fn parts(text: &str) -> (Vec<&str>, &[u8]) {
    let mut parts: Vec<&str> = text.splitn(PROGRAMS_MAX + 1, BETWEEN).collect();
    let choices = if parts.len() > 1 { parts.pop().unwrap_or_default() } else { "0123456789abcdefghijklmnop" };
    parts.truncate(PROGRAMS_MAX);
    (parts, choices.as_bytes())
}

/// A world whose clients have these programs, with a key of each type and watched properties.
fn staged(programs: &[&str], engines: &Engines) -> Timeline {
    // A restarted node has lost at most the last second (`everysec`).
    let nodes = vec![NodeSettings::redis("redis", Durability::EverySecond)];
    let settings = Settings { maxmemory: 4 << 20, proto_max_bulk_len: 1 << 20, nodes, ..Settings::default() };
    let mut timeline = Timeline::with_engines(settings, engines);
    let mut push =
        |input| timeline.push(input).map(|_| ()).unwrap_or_else(|why| panic!("the stage cannot be set: {why}"));
    for (client, name) in (0_u32..).zip(["a", "b", "c"]).take(programs.len()) {
        push(Input::Connect { client, name: name.to_owned() });
    }
    for words in [&["SET", "k", "5"][..], &["RPUSH", "l", "1", "2"], &["HSET", "h", "f", "1"], &["ZADD", "z", "1", "m"]]
    {
        let argv = words.iter().map(|word| Bytes::from((*word).to_owned())).collect();
        push(Input::Command { client: 0, argv });
    }
    for property in [Property::Checks, Property::MutualExclusion, Property::NoErrors] {
        push(Input::Watch { property });
    }
    for (client, text) in (0_u32..).zip(programs) {
        push(Input::Program { client, act: Act::load(Bytes::from((*text).to_owned())) });
    }
    timeline
}

fn faults() -> Faults {
    Faults { crashes: 1, pauses: 1, losses: 1, restarts: 1, clock_jumps: 1, delays: 1, reply_delays: 1, ..Faults::NONE }
}

/// The step for a byte of the scheduler: mostly an offered one.
fn chosen(world: &World, choice: u8, programs: &[&str]) -> Input {
    let client = u32::from(choice) % programs.len().max(1) as u32;
    let thread = u32::from(choice) / 3 % 4;
    let program = |act| Input::Program { client, act };
    match choice {
        b'A' => Input::Advance { ms: 1 },
        b'B' => Input::Advance { ms: 40_000 },
        b'C'..=b'E' => program(Act::Crash),
        b'F'..=b'H' => program(Act::Restart),
        b'I'..=b'K' => program(Act::Send { thread }),
        b'L'..=b'N' => program(Act::Deliver { thread }),
        b'O'..=b'P' => program(Act::Lose { thread, direction: Direction::Request }),
        b'Q'..=b'R' => program(Act::Lose { thread, direction: Direction::Reply }),
        b'S' => Input::Serve { node: NodeIndex::FIRST },
        b'!' => Input::Node { node: NodeIndex::FIRST, act: NodeAct::Crash },
        b'"' => Input::Node { node: NodeIndex::FIRST, act: NodeAct::Restart },
        b'#' => Input::Node { node: NodeIndex::FIRST, act: NodeAct::ShiftClock { ms: 40_000 } },
        b'$' => Input::Link { client, node: NodeIndex::FIRST, act: LinkAct::Cut },
        b'%' => Input::Link { client, node: NodeIndex::FIRST, act: LinkAct::Mend },
        b'&' => Input::Link { client, node: NodeIndex::FIRST, act: LinkAct::Delay { ms: 700 } },
        b'\'' => Input::Command { client, argv: ["INCR", "typed"].map(Into::into).to_vec() },
        b'(' => Input::Command { client, argv: ["SUBSCRIBE", "news"].map(Into::into).to_vec() },
        b')' => Input::Command { client, argv: ["PUBLISH", "news", "typed"].map(Into::into).to_vec() },
        b'*' => Input::Interrupt { client },
        b'+' => Input::Advance { ms: 700 },
        b'T'..=b'U' => program(Act::ShiftClock { ms: -90_000 }),
        b'V'..=b'W' => program(Act::Pause),
        b'X'..=b'Y' => program(Act::Resume),
        b'Z' => program(Act::load(Bytes::from(programs.last().copied().unwrap_or_default().to_owned()))),
        _ => {
            let offered = world.enabled(faults());
            let at = usize::from(choice).checked_rem(offered.len());
            at.and_then(|at| offered.get(at)).cloned().unwrap_or(Input::Advance { ms: 1000 })
        }
    }
}

/// Checks that no machine has failed, and that each thread's line is a line of the text (or of a text that it has loaded).
fn look_at(world: &World) {
    for (_, client) in world.clients() {
        let Some(process) = client.program.as_ref() else { continue };
        match process.scene() {
            Err(why) => assert!(matches!(why, Unplayable::DoesNotCompile(_)), "{why:?}"),
            Ok(scene) => {
                let lines = process.text().iter().filter(|byte| **byte == b'\n').count() + 1;
                let loads = process.text().windows(4).any(|word| word == b"load");
                for stand in &scene.threads {
                    let stands = matches!(stand.state, State::Requests(_));
                    let is_in_text = stand.frames.iter().all(|frame| (1..=lines).contains(&(frame.line as usize)));
                    assert!(is_in_text || !stands || loads, "lines 1 to {lines}: {stand:?}");
                }
            }
        }
    }
    for (_, server) in world.servers() {
        if let Err(wrong) = server.check() {
            panic!("{wrong}");
        }
    }
}

fn scenes(world: &World) -> Vec<String> {
    let programs = world.clients().filter_map(|(_, client)| client.program.as_ref());
    programs.map(|process| format!("{:?}", process.scene())).collect()
}

fn same(expected: &(Fingerprint, Vec<String>), world: &World, how: &str) {
    assert_eq!(scenes(world), expected.1, "other scenes: {how}");
    assert_eq!(world.fingerprint(), expected.0, "another world: {how}");
}
