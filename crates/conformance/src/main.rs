//! `conformance`: golden scripts on the model or a real Redis, and differential runs of both.
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use conformance::golden::{self, Summary};

#[derive(Parser)]
#[command(version, about = "Golden scripts and differential runs: the model and a real Redis side by side.")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run golden scripts (on the model, unless told otherwise).
    Golden(GoldenArgs),
}

#[derive(Args)]
struct GoldenArgs {
    /// On a real redis-server, started for this.
    #[arg(long)]
    real: bool,
    /// On a real redis-server, and write its answers into the scripts.
    #[arg(long)]
    update: bool,
    /// Files or directories; all scripts when left out.
    paths: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let result = match Cli::parse().task {
        Task::Golden(args) => run_golden(&args),
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
        // What an update finds different it has just written.
        is_fine &= args.update || summary.failures() == 0;
    }
    Ok(is_fine)
}
