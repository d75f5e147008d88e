//! `lockstep explore`: all schedules of some programs, until one breaks what should hold.
//!
//! ```text
//! lockstep explore lessons/locks/set-nx-ex
//! lockstep explore lock.lua --clients 2 --watch mutual-exclusion --pauses 1
//! lockstep explore seller.lua --clients 3 --run 'SET stock 5' --watch 'sum end = 5 key stock tally sold' --json
//! ```
mod report;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bytes::Bytes;
use clap::{Args, ValueEnum};
use lesson::Budget;
use lesson::source::{Fault, Source};
use lua_machine::{LuaMachine, LuaPlayer};
use resp::split;
use world::explore::{Explorer, Limits, Outcome, Progress};
use world::{Act, ClientIndex, Input, Process, Property, Settings, Timeline, World};

use crate::lesson::{play, read};

/// The client that runs what `--run` says, before the programs begin.
const HAND: ClientIndex = 1023;

/// What to search.
#[derive(Args)]
pub struct Options {
    /// Lessons (folders of one or of many), or Lua programs of virtual clients, which then run together
    #[arg(required = true, value_name = "LESSON OR PROGRAM")]
    paths: Vec<PathBuf>,
    /// Clients a program; without it 2, or as many as the lesson says
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=64))]
    clients: Option<u32>,
    /// A command that is run before the programs begin; may be given several times
    #[arg(long, value_name = "COMMAND")]
    run: Vec<String>,
    /// A property that should hold, such as mutual-exclusion, 'only-owner-releases lock', no-deadlock, 'everyone-gets-in critical',
    /// checks, no-errors, nothing-lost, processed-once, in-order, in-order-by-key, 'sum end = 5 key stock tally sold'; may be given several times. Lessons have their own
    #[arg(long, value_name = "PROPERTY")]
    watch: Vec<String>,
    /// How often a client may crash; without it never, or as often as the lesson says; so the next two
    #[arg(long)]
    crashes: Option<u32>,
    /// How often a client may be paused
    #[arg(long)]
    pauses: Option<u32>,
    /// How often a request or a reply may be lost
    #[arg(long)]
    losses: Option<u32>,
    /// Steps of the longest schedule; without it 100, or as the lesson says
    #[arg(long)]
    depth: Option<u32>,
    /// Worlds that are looked at
    #[arg(long, default_value_t = 2_000_000)]
    states: usize,
    /// Tell clients apart that are alike
    #[arg(long)]
    no_symmetry: bool,
    /// Try steps that touch different things in every order
    #[arg(long)]
    no_independence: bool,
    /// Start of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// For people
    Text,
    /// For programs
    Json,
}

/// What is searched: a world in which programs stand at their beginning.
struct Subject {
    /// What it is called: `locks/setnx`, or the programs' paths.
    name: String,
    start: World,
    limits: Limits,
}

/// What came of the search for one property.
struct Finding {
    property: Property,
    outcome: Outcome,
    progress: Progress,
    took: Duration,
}

/// Searches for a breach of each property, and prints what is found. True when all of them hold as far as was looked.
///
/// # Errors
/// When a file cannot be read, a program is none, or a command or a property is not understood.
pub fn explore(options: &Options) -> Result<bool, Box<dyn Error>> {
    script::install(Box::new(LuaMachine::new()));
    script::program::install(Box::new(LuaPlayer::new()));
    let mut searched = Vec::new();
    for subject in subjects(options)? {
        let findings = search(&subject);
        if matches!(options.format, Form::Text) {
            print!("{}", report::text(&subject, &findings));
        }
        searched.push((subject, findings));
    }
    if matches!(options.format, Form::Json) {
        println!("{:#}", report::json(&searched));
    }
    let mut findings = searched.iter().flat_map(|(_, findings)| findings);
    Ok(findings.all(|finding| matches!(finding.outcome, Outcome::Nothing { .. })))
}

fn search(subject: &Subject) -> Vec<Finding> {
    let properties = subject.start.watch().verdicts().map(|(property, _)| property.clone()).enumerate();
    let search = |(number, property)| {
        let begun = Instant::now();
        let (outcome, progress) = Explorer::new(subject.start.clone(), Some(number), subject.limits).finish();
        Finding { property, outcome, progress, took: begun.elapsed() }
    };
    properties.map(search).collect()
}

fn subjects(options: &Options) -> Result<Vec<Subject>, Box<dyn Error>> {
    let (folders, programs): (Vec<_>, Vec<_>) = options.paths.iter().partition(|path| path.is_dir());
    let mut subjects = Vec::new();
    let told = |faults: Vec<Fault>| faults.iter().map(|fault| format!("\n  {fault}")).collect::<String>();
    for folder in folders {
        for source in read(folder).map_err(told)? {
            subjects.push(of_lesson(&source, options)?);
        }
    }
    if !programs.is_empty() {
        subjects.push(of_programs(&programs, options)?);
    }
    Ok(subjects)
}

/// A lesson as it begins, within its own budget where the options say nothing else.
fn of_lesson(source: &Source, options: &Options) -> Result<Subject, Box<dyn Error>> {
    let [lesson, _] = &source.lessons;
    let own = lesson.budget;
    let budget = Budget {
        clients: options.clients.unwrap_or(own.clients),
        crashes: options.crashes.unwrap_or(own.crashes),
        pauses: options.pauses.unwrap_or(own.pauses),
        losses: options.losses.unwrap_or(own.losses),
        depth: options.depth.unwrap_or(own.depth),
    };
    let name = format!("{}/{}", lesson.track, lesson.id);
    let opened = Timeline::from_text(&lesson.with_clients_of(&budget).session(&[]));
    let start = opened.map_err(|error| format!("{name}: {error}"))?.world().clone();
    Ok(Subject { name, start, limits: limits(options, budget) })
}

/// Programs that begin together.
fn of_programs(paths: &[&PathBuf], options: &Options) -> Result<Subject, Box<dyn Error>> {
    if options.watch.is_empty() {
        return Err("--watch PROPERTY: what should hold?".into());
    }
    let mut world = World::new(Settings { seed: options.seed, ..Settings::default() });
    world.step(&Input::Connect { client: HAND, name: "hand".to_owned() })?;
    for command in &options.run {
        let argv = split::split(command.as_bytes()).map_err(|_| format!("--run {command}: a quote is not closed"))?;
        world.step(&Input::Command { client: HAND, argv })?;
    }
    for words in &options.watch {
        let property = split::split(words.as_bytes()).ok().and_then(|words| Property::from_words(&words));
        let property = property.ok_or_else(|| format!("--watch {words}: there is no such property"))?;
        world.step(&Input::Watch { property })?;
    }
    let mut number: ClientIndex = 0;
    for path in paths {
        let text = Bytes::from(std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?);
        for _ in 0..options.clients.unwrap_or(2) {
            let client = number;
            number = number.saturating_add(1);
            world.step(&Input::Connect { client, name: format!("c{number}") })?;
            world.step(&Input::Program { client, act: Act::Load { text: text.clone() } })?;
            check(path, world.process(client))?;
        }
    }
    let budget = Budget {
        clients: 0,
        crashes: options.crashes.unwrap_or(0),
        pauses: options.pauses.unwrap_or(0),
        losses: options.losses.unwrap_or(0),
        depth: options.depth.unwrap_or(100),
    };
    let name = paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" ");
    Ok(Subject { name, start: world, limits: limits(options, budget) })
}

fn limits(options: &Options, budget: Budget) -> Limits {
    Limits {
        states: options.states,
        symmetry: !options.no_symmetry,
        independence: !options.no_independence,
        ..play::limits(&budget)
    }
}

/// A program that is none is not searched.
fn check(path: &Path, process: Option<&Process>) -> Result<(), Box<dyn Error>> {
    match process.map(Process::scene) {
        Some(Err(script::program::Unplayable::DoesNotCompile(why))) => {
            Err(format!("{}: {}", path.display(), String::from_utf8_lossy(why)).into())
        }
        Some(Err(_)) | None => Err(format!("{}: this program cannot be played", path.display()).into()),
        Some(Ok(_)) => Ok(()),
    }
}
