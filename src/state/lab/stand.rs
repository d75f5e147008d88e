//! Where a program stands, for its card: what each thread waits for, and how the client is as a whole.
use bytes::Bytes;
use script::program::{Failed, Reply, Request, State, Thread};
use world::{Act, ClientIndex, Condition, InFlight, Phase, Process, Stage, World};

use super::lanes::label;

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stand {
    /// It is about to send this command.
    Ready(String),
    /// Its command waits in the server's queue, in this place from 1.
    Queued(usize, String),
    /// Its command was executed and has no answer yet.
    Blocked(String),
    /// The answer is on its way back.
    Answered(String),
    /// The request (`is_reply`: the answer) travels over a slow network.
    Travels {
        /// Is it the answer?
        is_reply: bool,
        /// The command or the answer.
        words: String,
        /// Time left in ms.
        left_ms: u64,
    },
    /// It sleeps or works for so long.
    Rests {
        /// Does it work?
        is_busy: bool,
        /// Time left in ms.
        left_ms: u64,
    },
    /// It waits for an answer that was lost, for so long.
    TimesOut {
        /// Time left in ms.
        left_ms: u64,
    },
    /// It waits for a message.
    Listens {
        /// Time left in ms; nothing: for ever.
        left_ms: Option<u64>,
        /// Messages that are there.
        messages: usize,
    },
    /// It has come to its end.
    Done,
    /// Another thread has ended it.
    Cancelled,
    /// It broke off.
    Failed(Fault),
}

/// What went wrong with a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is no Lua.
    DoesNotCompile(String),
    /// An error that no one caught.
    Error(String),
    /// It ran for too long without a request.
    Endless,
    /// It takes too much memory.
    OutOfMemory,
    /// It asked for a thousand things in a row that no one else notices.
    RanAway,
    /// The machine broke down.
    Broken,
}

/// How a client is as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mood {
    /// It can go on.
    Ready,
    /// It waits: for an answer, for its time, for a message.
    Waits,
    /// It is in a critical section.
    Inside,
    /// The world stands still for it.
    Paused,
    /// It is dead.
    Crashed,
    /// It has come to its end.
    Done,
    /// It broke off.
    Failed,
}

impl Mood {
    /// All of them, as they are listed.
    pub const ALL: [Mood; 7] =
        [Mood::Ready, Mood::Waits, Mood::Inside, Mood::Paused, Mood::Done, Mood::Failed, Mood::Crashed];
}

/// How a client with a program is.
pub fn mood(world: &World, client: ClientIndex) -> Option<Mood> {
    Some(mood_of(world, client, world.process(client)?))
}

fn mood_of(world: &World, client: ClientIndex, process: &Process) -> Mood {
    let failed = |process: &Process| {
        process.scene().map_or(true, |scene| scene.threads.iter().any(|stand| matches!(stand.state, State::Failed(_))))
    };
    match process.condition() {
        Condition::Crashed => Mood::Crashed,
        Condition::RanAway => Mood::Failed,
        _ if process.is_over() => {
            if failed(process) {
                Mood::Failed
            } else {
                Mood::Done
            }
        }
        Condition::Paused => Mood::Paused,
        Condition::Runs if !process.inside().is_empty() => Mood::Inside,
        Condition::Runs => {
            let can_go_on = process.phases().any(|(thread, _)| world.can_go_on(client, thread));
            if can_go_on { Mood::Ready } else { Mood::Waits }
        }
    }
}

/// Where a thread of a client stands.
pub fn stand(world: &World, client: ClientIndex, thread: Thread) -> Option<Stand> {
    let process = world.process(client)?;
    let left = |at_ms: u64| at_ms.saturating_sub(world.now_ms());
    let words = || match process.request(thread) {
        Some(Request::Call { argv, .. }) => label::command(argv),
        Some(Request::Subscribe { channels }) => {
            let channels: Vec<String> = channels.iter().map(|channel| label::word(channel)).collect();
            format!("subscribe {}", channels.join(" "))
        }
        _ => String::new(),
    };
    Some(match process.phase(thread)? {
        Phase::Ready => Stand::Ready(words()),
        Phase::Sent => sent(world, client, thread, world.in_flight(client, thread)?, words()),
        Phase::Until { at_ms, .. } => match process.request(thread) {
            Some(Request::Sleep { .. }) => Stand::Rests { is_busy: false, left_ms: left(*at_ms) },
            Some(Request::Work { .. }) => Stand::Rests { is_busy: true, left_ms: left(*at_ms) },
            _ => Stand::TimesOut { left_ms: left(*at_ms) },
        },
        Phase::Listening { until_ms } => {
            Stand::Listens { left_ms: until_ms.map(left), messages: process.inbox().len() }
        }
        Phase::Over => match process.stand(thread).map(|stand| &stand.state) {
            Some(State::Failed(why)) => Stand::Failed(fault_of(why)),
            Some(State::Cancelled) => Stand::Cancelled,
            _ => Stand::Done,
        },
    })
}

/// Where a request is that is in flight.
fn sent(world: &World, client: ClientIndex, thread: Thread, request: &InFlight, words: String) -> Stand {
    let left = |at_ms: u64| at_ms.saturating_sub(world.now_ms());
    match &request.stage {
        Stage::ToNode { at_ms } => Stand::Travels { is_reply: false, words, left_ms: left(*at_ms) },
        Stage::Queued => {
            let mut queue = world.queue(request.node).iter();
            let place = queue.position(|queued| (queued.client, queued.thread) == (client, thread));
            Stand::Queued(place.map_or(0, |place| place.saturating_add(1)), words)
        }
        Stage::AtNode => Stand::Blocked(words),
        Stage::ToClient { at_ms, reply } if left(*at_ms) == 0 => Stand::Answered(answer(reply)),
        Stage::ToClient { at_ms, reply } => {
            Stand::Travels { is_reply: true, words: answer(reply), left_ms: left(*at_ms) }
        }
    }
}

fn answer(reply: &Reply) -> String {
    if let Reply::Value(value) = reply { label::reply(value) } else { String::new() }
}

fn fault_of(why: &Failed) -> Fault {
    match why {
        Failed::Error(text) => Fault::Error(split_place(text).1),
        Failed::Endless => Fault::Endless,
        Failed::OutOfMemory => Fault::OutOfMemory,
    }
}

/// What is wrong with a program as a whole, and in which line where that is known: of threads that broke off, the first.
pub fn fault(process: &Process) -> Option<(Fault, Option<u32>)> {
    use script::program::Unplayable;
    let scene = match process.scene() {
        Ok(scene) => scene,
        Err(Unplayable::DoesNotCompile(text)) => {
            let (line, text) = split_place(text);
            return Some((Fault::DoesNotCompile(text), line));
        }
        Err(_) => return Some((Fault::Broken, None)),
    };
    let failed = scene.threads.iter().find_map(|stand| match &stand.state {
        State::Failed(why) => {
            let named = if let Failed::Error(text) = why { split_place(text).0 } else { None };
            Some((fault_of(why), named.or_else(|| stand.frames.first().map(|frame| frame.line))))
        }
        _ => None,
    });
    failed.or_else(|| (process.condition() == Condition::RanAway).then_some((Fault::RanAway, None)))
}

/// `program:3: what is wrong` as its line and what is wrong.
fn split_place(text: &Bytes) -> (Option<u32>, String) {
    let text = String::from_utf8_lossy(text).into_owned();
    let found = text.strip_prefix("program:").and_then(|rest| {
        let (line, what) = rest.split_once(':')?;
        Some((line.parse().ok()?, what.trim().to_owned()))
    });
    match found {
        Some((line, what)) => (Some(line), what),
        None => (None, text),
    }
}

/// What a client does next when it is its turn: the first of its threads that can go on.
pub fn next_act(world: &World, client: ClientIndex) -> Option<Act> {
    let process = world.process(client)?;
    let mut threads = process.phases().map(|(thread, _)| thread);
    threads.find(|thread| world.can_go_on(client, *thread)).map(|thread| Act::Step { thread })
}

/// Lines in which threads of a program stand, with the thread; of one that is over, nothing.
pub fn lines(process: &Process) -> Vec<(Thread, u32)> {
    let Ok(scene) = process.scene() else { return Vec::new() };
    let places = (0..).zip(&scene.threads).filter(|(_, stand)| matches!(stand.state, State::Requests(_)));
    // What a thread stands at in the program's own words: the innermost function has the line.
    places.filter_map(|(thread, stand)| Some((thread, stand.frames.first()?.line))).collect()
}

#[cfg(test)]
mod tests {
    use world::{Act, Leg};

    use super::super::stage::{LEASE, Stage};
    use super::{Fault, Mood, Stand, fault, lines, mood, stand};

    fn moods(stage: &Stage) -> Vec<Mood> {
        let world = stage.world();
        world.clients().filter_map(|(client, _)| mood(world, client)).collect()
    }

    #[test]
    fn a_lock_with_a_lease_from_beginning_to_end() {
        let mut stage = Stage::new([LEASE, LEASE]);
        let at = |stage: &Stage, client| stand(stage.world(), client, 0).unwrap();
        assert_eq!(at(&stage, 0), Stand::Ready("SET lock … NX".into()));
        assert_eq!(moods(&stage), [Mood::Ready, Mood::Ready]);
        stage.program(1, Act::Send { thread: 0 });
        assert_eq!(at(&stage, 1), Stand::Queued(1, "SET lock … NX".into()));
        stage.step(0);
        assert_eq!(at(&stage, 1), Stand::Answered("OK".into()));
        assert_eq!(moods(&stage), [Mood::Done, Mood::Ready]);
        stage.program(1, Act::Deliver { thread: 0 });
        assert_eq!(at(&stage, 1), Stand::Rests { is_busy: true, left_ms: 15_000 });
        assert_eq!(moods(&stage), [Mood::Done, Mood::Inside]);
        assert_eq!(lines(stage.world().process(1).unwrap()), [(0, 5)]);
        stage.program(1, Act::Pause);
        assert_eq!(moods(&stage), [Mood::Done, Mood::Paused]);
        stage.program(1, Act::Crash);
        assert_eq!(moods(&stage), [Mood::Done, Mood::Crashed]);
    }

    #[test]
    fn what_was_lost_is_waited_for() {
        let mut stage = Stage::new(["redis.call('PING')"]);
        stage.program(0, Act::Lose { thread: 0, leg: Leg::Request });
        assert_eq!(stand(stage.world(), 0, 0), Some(Stand::TimesOut { left_ms: world::TIMEOUT_MS }));
        assert_eq!(moods(&stage), [Mood::Waits]);
    }

    #[test]
    fn over_a_slow_network_messages_are_under_way() {
        let mut stage = Stage::new(["redis.call('PING')"]);
        stage.program(0, Act::Delay { ms: 300 });
        stage.step(0);
        let travels = |is_reply, words: &str, left_ms| Some(Stand::Travels { is_reply, words: words.into(), left_ms });
        assert_eq!(stand(stage.world(), 0, 0), travels(false, "PING", 300));
        assert_eq!(moods(&stage), [Mood::Waits]);
        stage.pass(300);
        assert_eq!(stand(stage.world(), 0, 0), travels(false, "PING", 0));
        stage.step(0);
        assert_eq!(stand(stage.world(), 0, 0), travels(true, "PONG", 300));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let stage = Stage::new([
            "local a = 1\nerror('too bad')",
            "redis.call('PING'",
            "\nwhile true do end",
            "while true do now() end",
        ]);
        let of = |client| fault(stage.world().process(client).unwrap()).unwrap();
        assert_eq!(of(0), (Fault::Error("too bad".into()), Some(2)));
        assert!(matches!(of(1), (Fault::DoesNotCompile(_), Some(1))), "{:?}", of(1));
        assert_eq!(of(2), (Fault::Endless, Some(2)));
        assert_eq!(of(3), (Fault::RanAway, None));
        assert_eq!(moods(&stage), [Mood::Failed; 4]);
    }
}
