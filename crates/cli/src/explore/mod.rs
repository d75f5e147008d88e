//! `lockstep explore`: all schedules of some programs, until one breaks what should hold.
//!
//! ```text
//! lockstep explore lock.lua --clients 2 --watch mutual-exclusion --pauses 1
//! lockstep explore seller.lua --clients 3 --run 'SET stock 5' --watch 'sum end = 5 key stock tally sold' --json
//! ```
mod report;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bytes::Bytes;
use clap::{Args, ValueEnum};
use lua_machine::{LuaMachine, LuaPlayer};
use resp::split;
use world::explore::{Explorer, Limits, Outcome, Progress};
use world::{Act, ClientIndex, Faults, Input, Process, Property, Settings, World};

/// The client that runs what `--run` says, before the programs begin.
const HAND: ClientIndex = 1023;

/// What to search.
#[derive(Args)]
pub struct Options {
    /// Lua programs of virtual clients, each run by --clients of them
    #[arg(required = true)]
    programs: Vec<PathBuf>,
    /// Clients a program
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=64))]
    clients: u32,
    /// A command that is run before the programs begin; may be given several times
    #[arg(long, value_name = "COMMAND")]
    run: Vec<String>,
    /// A property that should hold, such as mutual-exclusion, 'only-owner-releases lock', no-deadlock, 'everyone-gets-in critical',
    /// checks, no-errors, 'sum end = 5 key stock tally sold'; may be given several times
    #[arg(long, value_name = "PROPERTY", required = true)]
    watch: Vec<String>,
    /// How often a client may crash
    #[arg(long, default_value_t = 0)]
    crashes: u32,
    /// How often a client may be paused
    #[arg(long, default_value_t = 0)]
    pauses: u32,
    /// How often a request or a reply may be lost
    #[arg(long, default_value_t = 0)]
    losses: u32,
    /// Steps of the longest schedule
    #[arg(long, default_value_t = 100)]
    depth: u32,
    /// Worlds that are looked at
    #[arg(long, default_value_t = 2_000_000)]
    states: usize,
    /// Tell clients apart that are alike
    #[arg(long)]
    no_symmetry: bool,
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
    let world = stage(options)?;
    let limits = Limits {
        faults: Faults { crashes: options.crashes, pauses: options.pauses, losses: options.losses },
        depth: options.depth,
        states: options.states,
        symmetry: !options.no_symmetry,
    };
    let properties: Vec<Property> = world.watch().verdicts().map(|(property, _)| property.clone()).collect();
    let search = |(number, property): (usize, Property)| {
        let begun = Instant::now();
        let (outcome, progress) = Explorer::new(world.clone(), Some(number), limits).finish();
        Finding { property, outcome, progress, took: begun.elapsed() }
    };
    let findings: Vec<Finding> = properties.into_iter().enumerate().map(search).collect();
    match options.format {
        Form::Text => print!("{}", report::text(&world, &findings)),
        Form::Json => println!("{:#}", report::json(&world, &findings)),
    }
    Ok(findings.iter().all(|finding| matches!(finding.outcome, Outcome::Nothing { .. })))
}

/// The world in which the programs begin.
fn stage(options: &Options) -> Result<World, Box<dyn Error>> {
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
    for path in &options.programs {
        let text = Bytes::from(std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?);
        for _ in 0..options.clients {
            let client = number;
            number = number.saturating_add(1);
            world.step(&Input::Connect { client, name: format!("c{number}") })?;
            world.step(&Input::Program { client, act: Act::Load { text: text.clone() } })?;
            check(path, world.process(client))?;
        }
    }
    Ok(world)
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
