//! `conformance`: golden scripts on the model or a real Redis, and differential runs of both.
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use conformance::diff;
use conformance::golden::{self, Summary};

#[derive(Parser)]
#[command(version, about = "Golden scripts and differential runs: the model and a real Redis side by side.")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run golden scripts, by default on the model.
    Golden(GoldenArgs),
    /// Run random commands on the model and on a real redis-server that it starts, and compare.
    Diff(DiffArgs),
    /// Print how the replies of each command are compared in a differential run.
    Rules,
}

#[derive(Args)]
struct DiffArgs {
    /// Commands to run on each side.
    #[arg(long, default_value_t = 10_000)]
    commands: usize,
    /// The same seed gives the same run.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Families of commands (string, list, hash, set, sorted-set, generic, transactions, pubsub …); the default is all.
    #[arg(long, value_delimiter = ',')]
    families: Vec<String>,
    /// Commands per round; each round starts from an empty server.
    #[arg(long, default_value_t = 400)]
    round: usize,
    /// Number of kinds of differences after which to stop.
    #[arg(long, default_value_t = 10)]
    differences: usize,
    /// Print how often each command ran, and its share of errors.
    #[arg(long)]
    coverage: bool,
    /// Run only the round with this number.
    #[arg(long)]
    only_round: Option<u64>,
}

#[derive(Args)]
struct GoldenArgs {
    /// Run on a real redis-server that it starts.
    #[arg(long)]
    real: bool,
    /// Run on a real redis-server, and write its replies into the scripts.
    #[arg(long)]
    update: bool,
    /// Files or directories; the default is all scripts.
    paths: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let result = match Cli::parse().task {
        Task::Golden(args) => run_golden(&args),
        Task::Diff(args) => run_diff(args),
        Task::Rules => {
            print!("{}", diff::rules::table());
            Ok(true)
        }
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run_golden(args: &GoldenArgs) -> Result<bool, Box<dyn std::error::Error>> {
    let task: fn(&Path) -> Result<Summary, golden::GoldenError> = match (args.update, args.real) {
        (true, _) => golden::update,
        (false, true) => golden::run_real,
        (false, false) => golden::run_model,
    };
    let paths = if args.paths.is_empty() { vec![golden::directory()] } else { args.paths.clone() };
    let mut is_fine = true;
    for path in paths {
        let summary = task(&path)?;
        println!("{summary}");
        // An update has just written all differences that it found.
        is_fine &= summary.commands() > 0 && (args.update || summary.failures() == 0);
    }
    Ok(is_fine)
}

fn run_diff(args: DiffArgs) -> Result<bool, Box<dyn std::error::Error>> {
    let report = diff::run(&diff::Options {
        commands: args.commands,
        seed: args.seed,
        families: args.families,
        round: args.round,
        differences_max: args.differences,
        only_round: args.only_round,
        server: None,
    })?;
    if args.coverage {
        print!("{}", report.coverage());
    }
    println!("{report}");
    // One round is shorter than a run.
    let wanted = if args.only_round.is_some() { 1 } else { args.commands };
    if let Err(why) = report.verdict(wanted) {
        if report.differences.is_empty() {
            eprintln!("{why}");
        }
        return Ok(false);
    }
    Ok(true)
}
