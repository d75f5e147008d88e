//! A schedule in words: the time, client, source line and event of each step; and, for a deadlock, what each thread waits for.
use resp::{Protocol, Value, split};
use script::program::{Failed, Request, Thread};
use world::{
    Act, Breach, ClientIndex, ClientThread, Condition, Direction, Event, EventKind, Input, NodeAct, NodeIndex, Phase,
    Process, ProgramEvent, RequestStage, World,
};

use super::tokens::Tokens;

/// A script is shown by its first line, up to this many characters.
const SCRIPT_CHARS: usize = 40;
/// A reply on one line is shown in full up to this many characters.
const REPLY_CHARS: usize = 72;

/// A step of a schedule.
pub struct ScheduleStep {
    /// Time in ms since the start.
    pub at_ms: u64,
    /// The client, with the thread if it has several; or `time`.
    pub who: String,
    /// The line of the program before the step.
    pub line: Option<u32>,
    /// The event in words.
    pub what: String,
}

/// A time for display: `5.000 s`.
pub fn seconds(ms: u64) -> String {
    format!("{}.{:03} s", ms / 1_000, ms % 1_000)
}

/// Describes each step of a schedule, with names for these tokens; also returns the final world.
pub fn describe(start: &World, schedule: &[Input], tokens: &Tokens) -> (Vec<ScheduleStep>, World) {
    let mut world = start.clone();
    let mut steps = Vec::new();
    for input in schedule {
        let line_before = current_line(&world, input);
        let deadlines = deadlines(&world, input);
        let events = world.step(input).unwrap_or_default();
        let gone = deadlines.into_iter().filter(|(at_ms, _)| *at_ms <= world.now_ms());
        let gone =
            gone.map(|(at_ms, key)| format!("{key} expires at {}", seconds(at_ms.saturating_sub(start.now_ms()))));
        let at_ms = world.now_ms().saturating_sub(start.now_ms());
        let who = match (input, input.client(), thread_of(input)) {
            (Input::Node { node, .. }, ..) => world.settings().name_of_node(*node).to_owned(),
            (_, Some(client), Some(thread)) => place(&world, ClientThread { client, thread }),
            (_, Some(client), None) => name(&world, client),
            _ => "time".to_owned(),
        };
        let what = what(start, input, &events, tokens).into_iter().chain(gone).collect::<Vec<_>>().join("; ");
        let what = tokens.named(what);
        steps.push(ScheduleStep { at_ms, who, line: line_before, what });
    }
    (steps, world)
}

fn thread_of(input: &Input) -> Option<Thread> {
    match input {
        Input::Program {
            act:
                Act::Step { thread }
                | Act::Send { thread }
                | Act::Deliver { thread }
                | Act::Lose { thread, .. }
                | Act::HoldUp { thread, .. },
            ..
        } => Some(*thread),
        _ => None,
    }
}

/// The current line of the thread of this input.
fn current_line(world: &World, input: &Input) -> Option<u32> {
    let thread = thread_of(input)?;
    line(world.process(input.client()?)?, thread)
}

fn line(process: &Process, thread: Thread) -> Option<u32> {
    process.thread(thread)?.frames.first().map(|frame| frame.line)
}

/// The name of a client.
pub fn name(world: &World, client: ClientIndex) -> String {
    world.client(client).map_or_else(|| client.to_string(), |found| found.name.to_string())
}

/// A client, with its thread if it has several.
fn place(world: &World, ClientThread { client, thread }: ClientThread) -> String {
    let has_several = world.process(client).is_some_and(|process| process.thread_count() > 1);
    let name = name(world, client);
    if has_several { format!("{name} thread {thread}") } else { name }
}

/// The keys whose TTL ends while time passes, by expiry time: the server deletes them later, on access.
fn deadlines(world: &World, input: &Input) -> Vec<(u64, String)> {
    if !matches!(input, Input::Advance { .. }) {
        return Vec::new();
    }
    let timed = world.servers().flat_map(|(node, server)| {
        let entries = server.databases().iter().flat_map(|database| database.entries().iter());
        let timed = entries.filter_map(|(key, entry)| Some((entry.expires_ms?, key)));
        let name = |key: &bytes::Bytes| on_node(world, key.escape_ascii().to_string(), Some(node));
        timed.map(|(at_ms, key)| (world.world_ms(node, at_ms), name(key))).collect::<Vec<_>>()
    });
    let mut keys: Vec<(u64, String)> = timed.filter(|(at_ms, _)| *at_ms > world.now_ms()).collect();
    keys.sort();
    keys
}

/// A text about a node, with its name if there are several.
fn on_node(world: &World, what: String, node: Option<NodeIndex>) -> String {
    match node.and_then(|node| world.settings().shown_name_of_node(node)) {
        Some(node) => format!("{what} on {node}"),
        None => what,
    }
}

fn what(start: &World, input: &Input, events: &[Event], tokens: &Tokens) -> Vec<String> {
    let head = match input {
        Input::Advance { ms } => Some(format!("{} pass", seconds(*ms))),
        Input::Program { act, .. } => match act {
            Act::Crash => Some("crashes".to_owned()),
            Act::Pause => Some("stands still".to_owned()),
            Act::Resume => Some("goes on".to_owned()),
            Act::Lose { direction: Direction::Request, .. } => Some("its request is lost".to_owned()),
            Act::Restart => Some("starts again".to_owned()),
            Act::ShiftClock { ms } => {
                let (far, way) = (seconds(ms.unsigned_abs()), if *ms < 0 { "back" } else { "ahead" });
                Some(format!("its clock jumps {far} {way}"))
            }
            Act::HoldUp { direction: Direction::Request, .. } => {
                Some(format!("its request is held up: {}", sent(start, events)))
            }
            Act::HoldUp { direction: Direction::Reply, .. } => {
                Some(format!("the reply is held up: {}", sent(start, events)))
            }
            Act::Arrive { .. } => {
                let is_request = events.iter().any(|event| matches!(event.kind, EventKind::Command { .. }));
                Some(format!("a {} arrives that was held up", if is_request { "request" } else { "reply" }))
            }
            _ => None,
        },
        Input::Node { act: NodeAct::Crash, .. } => Some("crashes".to_owned()),
        Input::Node { act: NodeAct::Restart, .. } => Some("starts again".to_owned()),
        Input::Node { act: NodeAct::ShiftClock { ms }, .. } => Some(format!("its clock jumps {} ahead", seconds(*ms))),
        _ => None,
    };
    let is_lost = matches!(input, Input::Program { act: Act::Lose { direction: Direction::Reply, .. }, .. });
    let lost = is_lost.then(|| "its reply is lost".to_owned());
    let happened = events.iter().filter_map(|event| happened(start, event, tokens));
    head.into_iter().chain(happened).chain(lost).collect()
}

/// The command sent in a step.
fn sent(world: &World, events: &[Event]) -> String {
    let sent = events.iter().find_map(|event| match &event.kind {
        EventKind::Program { what: ProgramEvent::Sent { argv }, .. } => Some(on_node(world, command(argv), event.node)),
        _ => None,
    });
    sent.unwrap_or_default()
}

fn happened(start: &World, event: &Event, tokens: &Tokens) -> Option<String> {
    Some(match &event.kind {
        EventKind::Command { argv, .. } => on_node(start, command(argv), event.node),
        EventKind::Reply { value, .. } => {
            let is_of_table = event.node.is_some_and(|node| start.settings().is_table(node));
            let answer = table::Answer::from_value(value).filter(|_| is_of_table);
            format!("→ {}", answer.map_or_else(|| short(value, tokens), |answer| printed(&answer, tokens)))
        }
        EventKind::RowWait { table, key, .. } => {
            format!("waits for row {} of {}", key.escape_ascii(), table.escape_ascii())
        }
        EventKind::Program { what, .. } => match what {
            ProgramEvent::Entered { section } => format!("enters {}", section.escape_ascii()),
            ProgramEvent::Left { section } => format!("leaves {}", section.escape_ascii()),
            ProgramEvent::Noted { text } => format!("says {}", text.escape_ascii()),
            ProgramEvent::Checked { holds: true, text } => format!("checks: {}", text.escape_ascii()),
            ProgramEvent::Checked { holds: false, text } => {
                format!("checks, and it does not hold: {}", text.escape_ascii())
            }
            ProgramEvent::Tallied { name, n, total } => {
                format!("counts {n} {}, {total} in all", name.escape_ascii())
            }
            ProgramEvent::Produced { id, .. } => format!("produced {}", id.escape_ascii()),
            ProgramEvent::Processed { id, times: 1 } => format!("processed {}", id.escape_ascii()),
            ProgramEvent::Processed { id, times } => format!("processed {} for time {times}", id.escape_ascii()),
            ProgramEvent::Spawned { thread } => format!("begins thread {thread}"),
            ProgramEvent::Rests { is_busy, until_ms } => {
                let until = seconds(until_ms.saturating_sub(start.now_ms()));
                if *is_busy { format!("works until {until}") } else { format!("sleeps until {until}") }
            }
            ProgramEvent::Woke => "wakes".to_owned(),
            ProgramEvent::Listens { until_ms: None } => "waits for a message".to_owned(),
            ProgramEvent::Listens { until_ms: Some(until_ms) } => {
                format!("waits for a message until {}", seconds(until_ms.saturating_sub(start.now_ms())))
            }
            ProgramEvent::Heard { words } if words.is_empty() => "has heard no message in that time".to_owned(),
            ProgramEvent::Heard { words } => format!("hears {}", split::quote_command(words)),
            ProgramEvent::Ended => "is done".to_owned(),
            ProgramEvent::Failed(Failed::Error(why)) => format!("fails: {}", why.escape_ascii()),
            ProgramEvent::Failed(Failed::Endless) => "fails: it runs forever without sending a request".to_owned(),
            ProgramEvent::Failed(Failed::OutOfMemory) => "fails: it takes too much memory".to_owned(),
            ProgramEvent::RanAway => "fails: a thousand requests in a row that no other client can notice".to_owned(),
            _ => return None,
        },
        _ => return None,
    })
}

/// A command as typed, a script by its first line.
fn command(argv: &[bytes::Bytes]) -> String {
    let is_script = argv
        .first()
        .is_some_and(|name| ["eval", "eval_ro"].iter().any(|script| name.eq_ignore_ascii_case(script.as_bytes())));
    let [name, script, rest @ ..] = argv else { return split::quote_command(argv) };
    if !is_script {
        return split::quote_command(argv);
    }
    let text = String::from_utf8_lossy(script);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let mut shown: String = first.chars().take(SCRIPT_CHARS).collect();
    if lines.next().is_some() || first.chars().count() > SCRIPT_CHARS {
        shown.push('…');
    }
    format!("{} \"{shown}\" {}", String::from_utf8_lossy(name), split::quote_command(rest))
}

/// A reply on one line, shortened if it is long.
fn short(value: &Value, tokens: &Tokens) -> String {
    // Replace tokens before cutting: half a token would not be recognised.
    let text = tokens.named(resp::cli::text(value, Protocol::Resp2));
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let whole = lines.join(" ");
    if whole.chars().count() <= REPLY_CHARS {
        return whole;
    }
    let first: String = lines.first().copied().unwrap_or_default().chars().take(REPLY_CHARS).collect();
    format!("{first} … ({} lines)", lines.len())
}

/// A database reply on one line, without borders and duration.
fn printed(answer: &table::Answer, tokens: &Tokens) -> String {
    let text = tokens.named(answer.print(0));
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('+')).map(str::trim).collect();
    let whole = lines.join(" ").replace(" (0.00 sec)", "");
    if whole.chars().count() <= REPLY_CHARS {
        return whole;
    }
    let cut: String = whole.chars().take(REPLY_CHARS).collect();
    format!("{cut}…")
}

/// How a property was broken.
pub fn describe_breach(world: &World, breach: &Breach) -> String {
    match breach {
        Breach::BothInside { section, first, second } => format!(
            "{} came into {} while {} was inside",
            place(world, *second),
            section.escape_ascii(),
            place(world, *first)
        ),
        Breach::ReleasedByOther { key, owner, by } => {
            format!("{} took {} away, which {} had made", name(world, *by), key.escape_ascii(), name(world, *owner))
        }
        Breach::Crowd { section, last, inside } => {
            format!("{} came into {}, and {inside} are inside", place(world, *last), section.escape_ascii())
        }
        Breach::Sum { is } => format!("the sum is {is}"),
        Breach::Untrue => "what it claims is not true".to_owned(),
        Breach::GaveUp { client } => format!("{} came to its end and had never been inside", name(world, *client)),
        Breach::Starved { client } => {
            format!("from here on {} never gets on, whatever the others do", name(world, *client))
        }
        Breach::NeverIn { client } => format!("{} never got in", name(world, *client)),
        Breach::Stuck => "from here on no client can make progress".to_owned(),
        Breach::Check { client, text } => format!("{} checked: {}", name(world, *client), text.escape_ascii()),
        Breach::Error { client } => format!("{} failed with an error", name(world, *client)),
        Breach::Lost { id, count: 1 } => format!("message {} was never processed", id.escape_ascii()),
        Breach::Lost { id, count } => {
            format!("{count} messages were never processed, the first is {}", id.escape_ascii())
        }
        Breach::Repeated { id, client } => {
            format!("{} processed message {} again", name(world, *client), id.escape_ascii())
        }
        Breach::OutOfOrder { late, early } => format!(
            "message {} was processed after message {}, which was produced later",
            late.escape_ascii(),
            early.escape_ascii()
        ),
    }
}

/// What each thread waits for in a deadlock, one sentence per thread that has not ended.
pub fn waiting(start: &World, world: &World) -> Vec<String> {
    let mut states = Vec::new();
    for node in world.nodes().filter(|node| !world.is_up(*node)) {
        states.push(format!("{} is down", world.settings().name_of_node(node)));
    }
    for (client, found) in world.clients() {
        let Some(process) = found.program.as_ref().filter(|process| process.condition() != Condition::Crashed) else {
            if found.program.is_some() {
                states.push(format!("{} has crashed", found.name));
            }
            continue;
        };
        for (thread, phase) in process.phases() {
            let Some(request) = process.request(thread) else { continue };
            let asked = match request {
                Request::Call { argv, .. } => on_node(world, command(argv), world.node_of_request(client, thread)),
                _ => String::new(),
            };
            let until = |ms: u64| seconds(ms.saturating_sub(start.now_ms()));
            let doing = match phase {
                Phase::Ready if asked.is_empty() => "can go on".to_owned(),
                Phase::Ready => format!("is about to send {asked}"),
                Phase::Sent => match world.in_flight(client, thread).map(|found| &found.stage) {
                    Some(RequestStage::ToNode { .. } | RequestStage::Queued) => format!("has sent {asked}"),
                    Some(RequestStage::ToClient { .. }) => format!("is being answered: {asked}"),
                    Some(RequestStage::AtNode) | None => format!("waits for the answer to {asked}"),
                },
                Phase::Until { at_ms, .. } if asked.is_empty() => format!("sleeps until {}", until(*at_ms)),
                Phase::Until { at_ms, .. } => format!("waits until {} for the answer to {asked}", until(*at_ms)),
                Phase::Listening { until_ms: Some(at_ms) } => format!("waits for a message until {}", until(*at_ms)),
                Phase::Listening { until_ms: None } => "waits for a message".to_owned(),
                Phase::Over => continue,
            };
            let at = line(process, thread).map(|line| format!(" at line {line}")).unwrap_or_default();
            states.push(format!("{}{at} {doing}", place(world, ClientThread { client, thread })));
        }
    }
    states
}
