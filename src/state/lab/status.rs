//! The status of a program, for its card: what each thread waits for, and the client's overall status.
use bytes::Bytes;
use script::program::{Failed, Reply, Request, State, Thread};
use world::{Act, ClientIndex, Condition, InFlight, Phase, Process, RequestStage, World};

use super::lanes::label;

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThreadStatus {
    /// It is about to send this command.
    Ready(String),
    /// Its command waits in the server's queue, at this place from 1.
    Queued(usize, String),
    /// Its command was executed, and the client is blocked without a reply.
    Blocked(String),
    /// The reply is about to arrive.
    Answered(String),
    /// A request or a reply is travelling over a slow network.
    Travels {
        /// Whether it is the reply.
        is_reply: bool,
        /// The command or the reply.
        words: String,
        /// Time left in ms.
        left_ms: u64,
    },
    /// It sleeps or works.
    Rests {
        /// Whether it works.
        is_busy: bool,
        /// Time left in ms.
        left_ms: u64,
    },
    /// Its reply was lost, and it waits for the timeout.
    TimesOut {
        /// Time left in ms.
        left_ms: u64,
    },
    /// It waits for a message.
    Listens {
        /// Time left in ms; `None`: no timeout.
        left_ms: Option<u64>,
        /// How many messages are in the inbox.
        messages: usize,
    },
    /// It has ended.
    Done,
    /// Another thread has cancelled it.
    Cancelled,
    /// It failed.
    Failed(ProgramError),
}

/// What went wrong with a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramError {
    /// It does not compile as Lua.
    DoesNotCompile(String),
    /// An uncaught error.
    Error(String),
    /// It ran too long without a request.
    Endless,
    /// It used too much memory.
    OutOfMemory,
    /// It made a thousand requests in a row that have no effect on others.
    RanAway,
    /// The interpreter broke down.
    Broken,
}

/// The overall status of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClientStatus {
    /// It is ready to take a step.
    Ready,
    /// It waits for a reply, for its time or for a message.
    Waits,
    /// It is in a critical section.
    Inside,
    /// It is paused.
    Paused,
    /// It has crashed.
    Crashed,
    /// It has ended.
    Done,
    /// It failed.
    Failed,
}

impl ClientStatus {
    /// All values, in the order in which they are listed.
    pub const ALL: [ClientStatus; 7] = [
        ClientStatus::Ready,
        ClientStatus::Waits,
        ClientStatus::Inside,
        ClientStatus::Paused,
        ClientStatus::Done,
        ClientStatus::Failed,
        ClientStatus::Crashed,
    ];
}

/// The status of a client that has a program.
pub fn client_status(world: &World, client: ClientIndex) -> Option<ClientStatus> {
    Some(client_status_of(world, client, world.process(client)?))
}

fn client_status_of(world: &World, client: ClientIndex, process: &Process) -> ClientStatus {
    let failed = |process: &Process| {
        process
            .scene()
            .map_or(true, |scene| scene.threads.iter().any(|thread| matches!(thread.state, State::Failed(_))))
    };
    match process.condition() {
        Condition::Crashed => ClientStatus::Crashed,
        Condition::RanAway => ClientStatus::Failed,
        _ if process.is_over() => {
            if failed(process) {
                ClientStatus::Failed
            } else {
                ClientStatus::Done
            }
        }
        Condition::Paused => ClientStatus::Paused,
        Condition::Runs if !process.inside().is_empty() => ClientStatus::Inside,
        Condition::Runs => {
            let can_go_on = process.phases().any(|(thread, _)| world.can_go_on(client, thread));
            if can_go_on { ClientStatus::Ready } else { ClientStatus::Waits }
        }
    }
}

/// The status of a client's thread.
pub fn thread_status(world: &World, client: ClientIndex, thread: Thread) -> Option<ThreadStatus> {
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
        Phase::Ready => ThreadStatus::Ready(words()),
        Phase::Sent => sent(world, client, thread, world.in_flight(client, thread)?, words()),
        Phase::Until { at_ms, .. } => match process.request(thread) {
            Some(Request::Sleep { .. }) => ThreadStatus::Rests { is_busy: false, left_ms: left(*at_ms) },
            Some(Request::Work { .. }) => ThreadStatus::Rests { is_busy: true, left_ms: left(*at_ms) },
            _ => ThreadStatus::TimesOut { left_ms: left(*at_ms) },
        },
        Phase::Listening { until_ms } => {
            ThreadStatus::Listens { left_ms: until_ms.map(left), messages: process.inbox().len() }
        }
        Phase::Over => match process.thread(thread).map(|thread| &thread.state) {
            Some(State::Failed(why)) => ThreadStatus::Failed(fault_of(why)),
            Some(State::Cancelled) => ThreadStatus::Cancelled,
            _ => ThreadStatus::Done,
        },
    })
}

/// The status of a thread with a request in flight.
fn sent(world: &World, client: ClientIndex, thread: Thread, request: &InFlight, words: String) -> ThreadStatus {
    let left = |at_ms: u64| at_ms.saturating_sub(world.now_ms());
    match &request.stage {
        RequestStage::ToNode { at_ms } => ThreadStatus::Travels { is_reply: false, words, left_ms: left(*at_ms) },
        RequestStage::Queued => {
            let mut queue = world.queue(request.node).iter();
            let place = queue.position(|queued| (queued.client, queued.thread) == (client, thread));
            ThreadStatus::Queued(place.map_or(0, |place| place.saturating_add(1)), words)
        }
        RequestStage::AtNode => ThreadStatus::Blocked(words),
        RequestStage::ToClient { at_ms, reply } if left(*at_ms) == 0 => ThreadStatus::Answered(answer(reply)),
        RequestStage::ToClient { at_ms, reply } => {
            ThreadStatus::Travels { is_reply: true, words: answer(reply), left_ms: left(*at_ms) }
        }
    }
}

fn answer(reply: &Reply) -> String {
    if let Reply::Value(value) = reply { label::reply(value) } else { String::new() }
}

fn fault_of(why: &Failed) -> ProgramError {
    match why {
        Failed::Error(text) => ProgramError::Error(split_place(text).1),
        Failed::Endless => ProgramError::Endless,
        Failed::OutOfMemory => ProgramError::OutOfMemory,
    }
}

/// The error of a program, and its line if known: of several failed threads, the first.
pub fn fault(process: &Process) -> Option<(ProgramError, Option<u32>)> {
    use script::program::Unplayable;
    let scene = match process.scene() {
        Ok(scene) => scene,
        Err(Unplayable::DoesNotCompile(text)) => {
            let (line, text) = split_place(text);
            return Some((ProgramError::DoesNotCompile(text), line));
        }
        Err(_) => return Some((ProgramError::Broken, None)),
    };
    let failed = scene.threads.iter().find_map(|thread| match &thread.state {
        State::Failed(why) => {
            let named = if let Failed::Error(text) = why { split_place(text).0 } else { None };
            Some((fault_of(why), named.or_else(|| thread.frames.first().map(|frame| frame.line))))
        }
        _ => None,
    });
    failed.or_else(|| (process.condition() == Condition::RanAway).then_some((ProgramError::RanAway, None)))
}

/// Splits `program:3: message` into line and message.
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

/// The client's next step: that of its first ready thread.
pub fn next_act(world: &World, client: ClientIndex) -> Option<Act> {
    let process = world.process(client)?;
    let mut threads = process.phases().map(|(thread, _)| thread);
    threads.find(|thread| world.can_go_on(client, *thread)).map(|thread| Act::Step { thread })
}

/// The threads that have not ended, each with the line it is at.
pub fn lines(process: &Process) -> Vec<(Thread, u32)> {
    let Ok(scene) = process.scene() else { return Vec::new() };
    let places = (0..).zip(&scene.threads).filter(|(_, thread)| matches!(thread.state, State::Requests(_)));
    // The line in the program's own text: the innermost frame has it.
    places.filter_map(|(thread, stand)| Some((thread, stand.frames.first()?.line))).collect()
}

#[cfg(test)]
mod tests {
    use world::{Act, Direction};

    use super::super::fixture::{Fixture, LEASE};
    use super::{ClientStatus, ProgramError, ThreadStatus, client_status, fault, lines, thread_status};

    fn statuses(stage: &Fixture) -> Vec<ClientStatus> {
        let world = stage.world();
        world.clients().filter_map(|(client, _)| client_status(world, client)).collect()
    }

    #[test]
    fn lease_lock_program_from_start_to_end() {
        let mut stage = Fixture::new([LEASE, LEASE]);
        let at = |stage: &Fixture, client| thread_status(stage.world(), client, 0).unwrap();
        assert_eq!(at(&stage, 0), ThreadStatus::Ready("SET lock … NX".into()));
        assert_eq!(statuses(&stage), [ClientStatus::Ready, ClientStatus::Ready]);
        stage.program(1, Act::Send { thread: 0 });
        assert_eq!(at(&stage, 1), ThreadStatus::Queued(1, "SET lock … NX".into()));
        stage.step(0);
        assert_eq!(at(&stage, 1), ThreadStatus::Answered("OK".into()));
        assert_eq!(statuses(&stage), [ClientStatus::Done, ClientStatus::Ready]);
        stage.program(1, Act::Deliver { thread: 0 });
        assert_eq!(at(&stage, 1), ThreadStatus::Rests { is_busy: true, left_ms: 15_000 });
        assert_eq!(statuses(&stage), [ClientStatus::Done, ClientStatus::Inside]);
        assert_eq!(lines(stage.world().process(1).unwrap()), [(0, 5)]);
        stage.program(1, Act::Pause);
        assert_eq!(statuses(&stage), [ClientStatus::Done, ClientStatus::Paused]);
        stage.program(1, Act::Crash);
        assert_eq!(statuses(&stage), [ClientStatus::Done, ClientStatus::Crashed]);
    }

    #[test]
    fn lost_reply_is_waited_for() {
        let mut stage = Fixture::new(["redis.call('PING')"]);
        stage.program(0, Act::Lose { thread: 0, direction: Direction::Request });
        assert_eq!(thread_status(stage.world(), 0, 0), Some(ThreadStatus::TimesOut { left_ms: world::TIMEOUT_MS }));
        assert_eq!(statuses(&stage), [ClientStatus::Waits]);
    }

    #[test]
    fn messages_travel_over_a_slow_network() {
        let mut stage = Fixture::new(["redis.call('PING')"]);
        stage.program(0, Act::Delay { ms: 300 });
        stage.step(0);
        let travels =
            |is_reply, words: &str, left_ms| Some(ThreadStatus::Travels { is_reply, words: words.into(), left_ms });
        assert_eq!(thread_status(stage.world(), 0, 0), travels(false, "PING", 300));
        assert_eq!(statuses(&stage), [ClientStatus::Waits]);
        stage.pass(300);
        assert_eq!(thread_status(stage.world(), 0, 0), travels(false, "PING", 0));
        stage.step(0);
        assert_eq!(thread_status(stage.world(), 0, 0), travels(true, "PONG", 300));
    }

    #[test]
    fn errors_are_reported_with_their_line() {
        let stage = Fixture::new([
            "local a = 1\nerror('too bad')",
            "redis.call('PING'",
            "\nwhile true do end",
            "while true do now() end",
        ]);
        let of = |client| fault(stage.world().process(client).unwrap()).unwrap();
        assert_eq!(of(0), (ProgramError::Error("too bad".into()), Some(2)));
        assert!(matches!(of(1), (ProgramError::DoesNotCompile(_), Some(1))), "{:?}", of(1));
        assert_eq!(of(2), (ProgramError::Endless, Some(2)));
        assert_eq!(of(3), (ProgramError::RanAway, None));
        assert_eq!(statuses(&stage), [ClientStatus::Failed; 4]);
    }
}
