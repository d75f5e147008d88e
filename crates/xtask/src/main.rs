//! The project's automation; `cargo xtask --help` lists what it does.
//!
//! Architecture invariant: every task of newcomers, maintainers and CI is a subcommand here, so that the README needs only two commands and
//! no one needs a private script. Nothing here is part of the product: no other package depends on this one, and this one depends on none
//! of the others (it starts them with cargo), so it compiles in seconds even while the model is rebuilt.
mod bench;
mod bench_tcp;
mod build;
mod clients;
mod dist;
mod editor;
mod fuzz;
mod layers;
mod pack;
mod paths;
mod ports;
mod run;
mod rust_source;
mod serve;
mod servers;
mod setup;
mod single;
mod split;
mod tidy;
mod weights;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use std::process::ExitCode;

/// All tasks of the Lockstep project.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install what is missing, build the page, serve it on this machine and print its address
    Serve(serve::Options),
    /// Install what is missing and run every layer of tests, fast ones first (or only the named layers)
    Test(layers::Options),
    /// Build the release of the page into dist/ (it works under any path) and print its size; --single-file writes it as one file too
    Build(build::Options),
    /// Run the benches and print the figures of BENCHMARKS.md
    Bench(bench::Options),
    /// Run the golden scripts on the model, or on a real Redis; --update rewrites their expectations
    Golden(Passed),
    /// Send random commands to the model and to a real Redis and compare every reply
    Diff(Passed),
    /// Try random inputs, guided by coverage: no panic, no hang, no memory above the limit
    Fuzz(fuzz::Options),
    /// Bundle the script editor and the charts from static/editor/ and static/charts/ (both are committed); --check only compares
    Editor(editor::Options),
    /// Run only the layers that check the source text: fmt, clippy, clippy-wasm, tidy
    Lint,
    /// Check house rules that the compiler does not know; --update lowers the numbers in the list of large files
    Tidy(tidy::Options),
    /// Install what `serve` and `test` need, and say what was found
    Setup,
}

/// Arguments that are passed on unchanged.
#[derive(Args)]
#[command(disable_help_flag = true)]
struct Passed {
    /// Arguments of the runner; `--help` lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

fn main() -> ExitCode {
    match dispatch(Cli::parse().task) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(task: Task) -> Result<ExitCode> {
    match task {
        Task::Serve(options) => serve::serve(&options)?,
        Task::Test(options) => return layers::test(&options),
        Task::Build(options) => build::build(&options)?,
        Task::Bench(options) => bench::bench(&options)?,
        Task::Golden(passed) => conformance("golden", &passed.args)?,
        Task::Diff(passed) => conformance("diff", &passed.args)?,
        Task::Fuzz(options) => fuzz::fuzz(&options)?,
        Task::Editor(options) => editor::editor(&options)?,
        Task::Lint => return layers::lint(),
        Task::Tidy(options) => tidy::tidy(&options)?,
        Task::Setup => setup::everything()?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Passes a task to the runner of golden scripts and differential runs, built with optimisation.
fn conformance(task: &str, args: &[String]) -> Result<()> {
    run::interactive(layers::conformance_command(task)?.args(args))
}
