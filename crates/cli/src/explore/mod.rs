//! `lockstep explore`: searches all schedules of some programs for one that breaks a property.
//!
//! ```text
//! lockstep explore lessons/locks/set-nx-ex
//! lockstep explore lock.lua --clients 2 --watch mutual-exclusion --pauses 1
//! lockstep explore 'lease.lua:2 30 fast' 'lease.lua:1 60' --watch mutual-exclusion
//! lockstep explore seller.lua --clients 3 --run 'SET stock 5' --watch 'sum end = 5 key stock tally sold' --json
//! ```
//!
//! `verdict.rs` derives the verdict and notes that weaken it; `report.rs` prints it, `schedule.rs` describes a schedule step by step,
//! `tokens.rs` gives readable names to tokens, `progress.rs` reports the progress of a long search, `grammar.rs` explains errors in a
//! property, `link.rs` writes the address that opens a schedule in the page.
mod grammar;
mod link;
mod progress;
mod report;
mod schedule;
mod tokens;
mod verdict;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bytes::Bytes;
use clap::Args;
use lesson::Budget;
use lesson::source::{Mistake, Source};
use lua_machine::{LuaMachine, LuaPlayer};
use progress::ProgressLine;
use resp::{Value, split};
use world::explore::{Explorer, Limits, Progress, SearchOutcome};
use world::{
    Act, ClientIndex, Durability, Engines, EventKind, Input, NodeIndex, NodeSettings, Process, Property, Settings,
    Timeline, World,
};

use crate::lesson::{play, read};
use crate::output::say;

/// The client that runs the commands of `--run` before the programs start.
const HAND: ClientIndex = 1023;

/// Options of `lockstep explore`.
#[derive(Args)]
pub struct Options {
    /// Lessons (folders of one or of many), or Lua programs of virtual clients, which run together: lock.lua, or lock.lua:3 for
    /// three clients, or 'lock.lua:3 30 fast' for three whose args are 30 and fast. Client c1 reads 1 from client.id, c2 reads 2 …
    #[arg(required = true, value_name = "LESSON OR PROGRAM")]
    paths: Vec<PathBuf>,
    /// Clients per program; the default is 2, or the number in the lesson
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=64))]
    clients: Option<u32>,
    /// A command that runs before the programs start; may be given several times. '@db SELECT 1' is a statement for the database
    #[arg(long, value_name = "COMMAND")]
    run: Vec<String>,
    /// A property that should hold, such as mutual-exclusion or 'sum end = 5 key stock tally sold'; may be given several times. An invalid
    /// property prints the list of all. Lessons have their own
    #[arg(long, value_name = "PROPERTY")]
    watch: Vec<String>,
    /// How often a client may crash; the default of this and of all faults below is 0, or the number in the lesson
    #[arg(long)]
    crashes: Option<u32>,
    /// How often a crashed client may be restarted: its program starts from the beginning
    #[arg(long)]
    restarts: Option<u32>,
    /// How often a client may be paused
    #[arg(long)]
    pauses: Option<u32>,
    /// How often a request or a reply may be lost
    #[arg(long)]
    losses: Option<u32>,
    /// How often a request may be delayed: it arrives later, possibly after its client has given up or crashed
    #[arg(long)]
    delays: Option<u32>,
    /// How often a reply may be delayed: other clients take steps before it arrives
    #[arg(long)]
    reply_delays: Option<u32>,
    /// How often a client's clock may jump an hour ahead. now() reads it; the server's clock stays right
    #[arg(long)]
    clock_jumps: Option<u32>,
    /// Nodes of the programs, named r1, r2 …: redis.call goes to r1, and connect('r2') to the second
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    nodes: u32,
    /// Which data a node keeps across a crash: none, everysec or always (appendfsync)
    #[arg(long, default_value = "none", value_parser = ["none", "everysec", "always"])]
    durability: String,
    /// A database in addition to the nodes, for connect('db'); its settings are those of a session, such as 'service 5 workers 2'
    #[arg(long, value_name = "SETTINGS", num_args = 0..=1, default_missing_value = "")]
    database: Option<String>,
    /// How often a node may crash: it loses the data that is not on its disk, and its connections are closed
    #[arg(long)]
    node_crashes: Option<u32>,
    /// How often a crashed node may be restarted
    #[arg(long)]
    node_restarts: Option<u32>,
    /// How often a node's clock may jump an hour ahead, so that leases on it expire
    #[arg(long)]
    node_clock_jumps: Option<u32>,
    /// How often the link between a client and a node may be cut: messages on it are lost until it is restored
    #[arg(long)]
    cuts: Option<u32>,
    /// Maximum steps of a schedule; the default is 100, or the number in the lesson
    #[arg(long)]
    depth: Option<u32>,
    /// Maximum number of worlds to search
    #[arg(long, default_value_t = 2_000_000)]
    states: usize,
    /// Do not treat identical clients as interchangeable
    #[arg(long)]
    no_symmetry: bool,
    /// Try independent steps in every order
    #[arg(long)]
    no_independence: bool,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Print progress even if standard error is not a terminal
    #[arg(long)]
    progress: bool,
    /// Print a link that opens each schedule in the page at this address: https://school.example/redis/
    #[arg(long, value_name = "ADDRESS")]
    link: Option<String>,
}

/// The subject of a search: a world in which all programs are at their start.
struct Subject {
    /// Its name: `locks/setnx`, or the paths of the programs.
    name: String,
    /// The timeline up to the start; the cursor is at its end.
    timeline: Timeline,
    /// The part of a link between the address of the page and the session.
    fragment: String,
    limits: Limits,
}

impl Subject {
    fn start(&self) -> &World {
        self.timeline.world()
    }
}

/// The result of the search for one property.
struct PropertyResult {
    /// The index of the property in the world.
    number: usize,
    property: Property,
    outcome: SearchOutcome,
    progress: Progress,
    /// The names of clients whose programs cannot be inspected.
    by_history: Vec<String>,
    took: Duration,
}

/// The result of all searches, worst first; it determines the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ended {
    /// A schedule breaks a property.
    Broken,
    /// A property is undecided: the search was not complete, or nothing tested it.
    Undecided,
    /// Every property holds.
    Holds,
}

impl From<Ended> for ExitCode {
    fn from(ended: Ended) -> ExitCode {
        match ended {
            Ended::Holds => ExitCode::SUCCESS,
            Ended::Broken => ExitCode::from(1),
            Ended::Undecided => ExitCode::from(2),
        }
    }
}

/// Searches for a violation of each property, and prints the results.
///
/// # Errors
/// If a file cannot be read, a program does not compile, or a command or a property is invalid.
pub fn explore(options: &Options) -> Result<Ended, Box<dyn Error>> {
    let mut searched = Vec::new();
    for subject in subjects(options)? {
        if subject.start().watch().is_empty() {
            return Err(format!("{}: nothing is watched there, so there is nothing to search for", subject.name).into());
        }
        let findings = search(&subject, &ProgressLine::new(options.progress));
        let notes = verdict::notes(subject.start());
        if !options.json {
            say(report::text(&subject, &findings, &notes, options.link.as_deref()).trim_end_matches('\n'));
            say("");
        }
        searched.push((subject, findings, notes));
    }
    let findings = || searched.iter().flat_map(|(_, findings, _)| findings);
    if options.json {
        say(format_args!("{:#}", report::json(&searched, options.link.as_deref())));
    } else {
        say(report::summary(&findings().collect::<Vec<_>>()));
    }
    let worst = findings().map(|finding| finding.verdict().ended()).min();
    worst.ok_or_else(|| "there is nothing to search".into())
}

/// Worlds searched between two reads of the clock.
const WORLDS_AT_ONCE: usize = 512;

fn search(subject: &Subject, line: &ProgressLine) -> Vec<PropertyResult> {
    let properties = subject.start().watch().verdicts().map(|(property, _)| property.clone()).enumerate();
    let search = |(number, property): (usize, Property)| {
        let begun = Instant::now();
        let mut explorer = Explorer::new(subject.start().clone(), Some(number), subject.limits);
        while explorer.carry_on(WORLDS_AT_ONCE).is_none() {
            line.show(&property, explorer.progress(), begun.elapsed());
        }
        line.wipe();
        let by_history = explorer.compared_by_history().map(|client| schedule::name(subject.start(), client)).collect();
        let (outcome, progress) = explorer.finish();
        PropertyResult { number, property, outcome, progress, by_history, took: begun.elapsed() }
    };
    properties.map(search).collect()
}

fn subjects(options: &Options) -> Result<Vec<Subject>, Box<dyn Error>> {
    let (folders, programs): (Vec<_>, Vec<_>) = options.paths.iter().partition(|path| path.is_dir());
    let mut subjects = Vec::new();
    let listed = |faults: Vec<Mistake>| faults.iter().map(|fault| format!("\n  {fault}")).collect::<String>();
    for folder in folders {
        let lessons = read(folder).map_err(listed)?;
        let (searchable, empty): (Vec<_>, Vec<_>) =
            lessons.into_iter().partition(|source| !source.lessons[0].properties.is_empty());
        if searchable.is_empty() {
            let why =
                if empty.is_empty() { "there is no lesson here" } else { "this lesson has no property to search for" };
            return Err(format!("{}: {why}", folder.display()).into());
        }
        for source in searchable {
            subjects.push(of_lesson(&source, options)?);
        }
    }
    if !programs.is_empty() {
        subjects.push(of_programs(&programs, options)?);
    }
    Ok(subjects)
}

/// The engines that run scripts and play programs, for one subject.
fn engines() -> Engines {
    Engines::new(LuaMachine::new(), LuaPlayer::new())
}

/// A lesson at its start, with its own budget unless the options override it.
fn of_lesson(source: &Source, options: &Options) -> Result<Subject, Box<dyn Error>> {
    let [lesson, _] = &source.lessons;
    let own = lesson.budget;
    let budget = budget(options, own);
    let name = format!("{}/{}", lesson.track, lesson.id);
    let opened = Timeline::from_text(&lesson.with_clients_of(&budget).session(&[]), &engines());
    let timeline = opened.map_err(|error| format!("{name}: {error}"))?;
    let fragment = format!("#learn/{name}?");
    Ok(Subject { name, timeline, fragment, limits: limits(options, budget) })
}

/// Prefix of a statement for the database.
const AT_DATABASE: &str = "@db ";

/// Programs that start together.
fn of_programs(paths: &[&PathBuf], options: &Options) -> Result<Subject, Box<dyn Error>> {
    if options.watch.is_empty() {
        return Err("--watch PROPERTY: what should hold?".into());
    }
    let settings = Settings { seed: options.seed, nodes: nodes(options)?, ..Settings::default() };
    let mut timeline = Timeline::with_engines(settings, &engines());
    if !options.run.is_empty() {
        timeline.push(Input::Connect { client: HAND, name: "hand".to_owned() })?;
        for command in &options.run {
            let (node, argv) = match command.strip_prefix(AT_DATABASE) {
                Some(statement) => {
                    let node = timeline.settings().tables().next();
                    let node =
                        node.ok_or_else(|| format!("--run {command}: there is no database without --database"))?;
                    (node, vec![Bytes::copy_from_slice(statement.as_bytes())])
                }
                None => {
                    let argv = split::split(command.as_bytes());
                    (NodeIndex::FIRST, argv.map_err(|_| format!("--run {command}: a quote is not closed"))?)
                }
            };
            if timeline.world().client(HAND).is_some_and(|hand| hand.node != node) {
                timeline.push(Input::SwitchNode { client: HAND, node })?;
            }
            timeline.push(Input::Command { client: HAND, argv })?;
            if let Some(why) = refusal(&timeline) {
                return Err(format!("--run {command}: {why}").into());
            }
        }
        timeline.push(Input::Disconnect { client: HAND })?;
    }
    for words in &options.watch {
        let argv = split::split(words.as_bytes()).map_err(|_| format!("--watch {words}: a quote is not closed"))?;
        let property = grammar::property(&argv).map_err(|why| format!("--watch {words}: {why}"))?;
        timeline.push(Input::Watch { property })?;
    }
    let mut number: ClientIndex = 0;
    for path in paths {
        let ProgramArg { path, count, args } = ProgramArg::of(path)?;
        let text = Bytes::from(std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?);
        for _ in 0..count.or(options.clients).unwrap_or(2) {
            let client = number;
            number = number.saturating_add(1);
            timeline.push(Input::Connect { client, name: format!("c{number}") })?;
            let act = Act::Load { text: text.clone(), args: args.clone() };
            timeline.push(Input::Program { client, act }).map_err(|why| format!("{}: {why}", path.display()))?;
            check(&path, timeline.world().process(client))?;
        }
    }
    let budget = budget(options, Budget { depth: 100, ..Budget::default() });
    let name = paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" ");
    Ok(Subject { name, timeline, fragment: "#".to_owned(), limits: limits(options, budget) })
}

/// Maximum number of clients per program.
const CLIENTS: std::ops::RangeInclusive<u32> = 1..=64;

/// A program with the number of clients that run it, if given, and their arguments.
struct ProgramArg {
    path: PathBuf,
    count: Option<u32>,
    args: Vec<Bytes>,
}

impl ProgramArg {
    /// Parses `lock.lua:3 30 fast`, whose words are quoted as in redis-cli. If the whole text is the name of a file, it is only that.
    fn of(written: &Path) -> Result<ProgramArg, String> {
        let whole = || ProgramArg { path: written.to_owned(), count: None, args: Vec::new() };
        let Some(text) = written.to_str().filter(|_| !written.exists()) else { return Ok(whole()) };
        if let Some((path, count)) = text.rsplit_once(':').filter(|(path, _)| Path::new(path).exists())
            && let Some(count) = count.parse().ok().filter(|count| CLIENTS.contains(count))
        {
            return Ok(ProgramArg { path: path.into(), count: Some(count), args: Vec::new() });
        }
        let words = split::split(text.as_bytes()).map_err(|_| format!("{text}: a quote is not closed"))?;
        let Some((program, args)) = words.split_first() else { return Ok(whole()) };
        let program = String::from_utf8_lossy(program).into_owned();
        let (path, count) = match program.rsplit_once(':').filter(|_| !Path::new(&program).exists()) {
            Some((path, count)) if count.bytes().all(|byte| byte.is_ascii_digit()) => {
                let number = count.parse().ok().filter(|number| CLIENTS.contains(number));
                let [least, most] = [CLIENTS.start(), CLIENTS.end()];
                let why = || format!("{program}: behind the colon stands how many clients run it, {least} to {most}");
                (path.to_owned(), Some(number.ok_or_else(why)?))
            }
            _ => (program, None),
        };
        Ok(ProgramArg { path: path.into(), count, args: args.to_vec() })
    }
}

/// The error reply of the last command, if any.
fn refusal(timeline: &Timeline) -> Option<String> {
    let step = timeline.step_at(timeline.position().checked_sub(1)?)?;
    step.events.iter().find_map(|event| match &event.kind {
        EventKind::Reply { value: value @ Value::Error(_), .. } => {
            Some(resp::cli::text(value, resp::Protocol::Resp2).trim().to_owned())
        }
        EventKind::Blocked { .. } => Some("it waits for something that no client sends".to_owned()),
        _ => None,
    })
}

/// The nodes that programs connect to.
fn nodes(options: &Options) -> Result<Vec<NodeSettings>, String> {
    let durability = Durability::ALL.into_iter().find(|(word, _)| *word == options.durability);
    let durability = durability.map_or(Durability::None, |(_, durability)| durability);
    let mut nodes = match options.nodes {
        // A single node without a disk is what version 1 means.
        1 if durability == Durability::None => vec![NodeSettings::default()],
        count => (1..=count).map(|number| NodeSettings::redis(format!("r{number}"), durability)).collect(),
    };
    if let Some(settings) = &options.database {
        let node = NodeSettings::from_words(&format!("db table {settings}"));
        nodes.push(node.ok_or_else(|| {
            format!("--database {settings}: it has service, workers, connections and lock-wait, each with a number behind it")
        })?);
    }
    Ok(nodes)
}

/// The budget, unless the options override it.
fn budget(options: &Options, own: Budget) -> Budget {
    Budget {
        clients: options.clients.unwrap_or(own.clients),
        faults: lesson::Faults {
            crashes: options.crashes.unwrap_or(own.faults.crashes),
            pauses: options.pauses.unwrap_or(own.faults.pauses),
            losses: options.losses.unwrap_or(own.faults.losses),
            restarts: options.restarts.unwrap_or(own.faults.restarts),
            clock_jumps: options.clock_jumps.unwrap_or(own.faults.clock_jumps),
            delays: options.delays.unwrap_or(own.faults.delays),
            node_crashes: options.node_crashes.unwrap_or(own.faults.node_crashes),
            node_restarts: options.node_restarts.unwrap_or(own.faults.node_restarts),
            node_clock_jumps: options.node_clock_jumps.unwrap_or(own.faults.node_clock_jumps),
            cuts: options.cuts.unwrap_or(own.faults.cuts),
            reply_delays: options.reply_delays.unwrap_or(own.faults.reply_delays),
        },
        depth: options.depth.unwrap_or(own.depth),
    }
}

fn limits(options: &Options, budget: Budget) -> Limits {
    Limits {
        states: options.states,
        symmetry: !options.no_symmetry,
        independence: !options.no_independence,
        ..play::limits(&budget)
    }
}

/// Rejects a program that does not compile.
fn check(path: &Path, process: Option<&Process>) -> Result<(), Box<dyn Error>> {
    match process.map(Process::scene) {
        Some(Err(script::program::Unplayable::DoesNotCompile(why))) => {
            Err(format!("{}: {}", path.display(), String::from_utf8_lossy(why)).into())
        }
        Some(Err(_)) | None => Err(format!("{}: this program cannot be played", path.display()).into()),
        Some(Ok(_)) => Ok(()),
    }
}
