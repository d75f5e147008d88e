//! `cargo xtask fuzz`: inputs made at random, kept where they reach something new. The targets stand in `fuzz/`.
//!
//! The engine is libFuzzer. Coverage is compiled in with flags that the stable compiler has; they belong to the engine, so
//! `fuzz/` is a workspace of its own, built here and nowhere else.
//!
//! ```text
//!   fuzz/corpus/<target>/              inputs that reach what the seeds do not, and what has failed once
//!   target/fuzz/run/<target>/seeds     from golden scripts, recorded scripts and sessions: made again each time
//!   target/fuzz/run/<target>/found     what runs on this machine have kept
//!   target/fuzz/finds/                 inputs that failed
//! ```
use crate::{paths, run, setup};
use anyhow::{Context, Result, bail};
use clap::Args;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// What `fuzz` understands.
#[derive(Args)]
pub struct Options {
    /// Only this target (may be repeated): resp_decode, split_line, commands, lua, session, programs, traffic, lessons, statements
    #[arg(long = "target")]
    targets: Vec<String>,
    /// How long each target runs, in seconds
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Where chance begins; without it each run is another
    #[arg(long)]
    seed: Option<u32>,
    /// Run this one input (of the one target named) and show what happens
    #[arg(long)]
    input: Option<PathBuf>,
    /// Run nothing; rewrite fuzz/corpus/ with the fewest inputs that reach what is reached by now
    #[arg(long)]
    minimise: bool,
}

/// A target.
#[derive(Debug)]
pub struct Target {
    /// Its name, which is that of its program.
    pub name: &'static str,
    /// Longest input that is made, in bytes.
    bytes_max: u32,
    /// Inputs that the layer `fuzz` makes.
    tries: u32,
}

/// All targets.
pub const TARGETS: [Target; 9] = [
    Target { name: "resp_decode", bytes_max: 1024, tries: 100_000 },
    Target { name: "split_line", bytes_max: 256, tries: 100_000 },
    Target { name: "commands", bytes_max: 4096, tries: 2_000 },
    Target { name: "lua", bytes_max: 2048, tries: 8_000 },
    Target { name: "session", bytes_max: 4096, tries: 2_000 },
    Target { name: "programs", bytes_max: 3072, tries: 1_000 },
    Target { name: "traffic", bytes_max: 2048, tries: 600 },
    Target { name: "lessons", bytes_max: 32768, tries: 2_000 },
    Target { name: "statements", bytes_max: 3072, tries: 3_000 },
];

/// Coverage for libFuzzer: counters of edges with their places in the program, and what is compared with what.
const COVERAGE: [&str; 5] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
];

/// What the process may take, in MB: several times what an input may allocate, which the targets count themselves.
const RSS_MB_MAX: u32 = 2048;

/// What a single input may take; everything takes milliseconds, so this holds on any machine.
const INPUT_SECONDS_MAX: u32 = 60;

/// What a target's part of `fuzz/corpus/` may weigh.
const CORPUS_BYTES_MAX: u64 = 80_000;

/// How a run went.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Inputs that ran: seeds, corpus and new ones.
    pub runs: u64,
    /// Edges of the program that were reached.
    pub edges: u64,
    /// Inputs that reached something new and were kept.
    pub kept: u64,
    /// Wall time in seconds.
    pub seconds: u64,
}

/// Runs targets, one input, or makes the corpus small.
///
/// # Errors
/// When a target does not exist, cannot be built, or fails; the error names the input and how to run it again.
pub fn fuzz(options: &Options) -> Result<()> {
    if let Some(stranger) = options.targets.iter().find(|name| TARGETS.iter().all(|target| target.name != **name)) {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        bail!("there is no target named {stranger}; there are {}", names.join(", "));
    }
    let wanted =
        |target: &&Target| options.targets.is_empty() || options.targets.iter().any(|name| name == target.name);
    let targets: Vec<&Target> = TARGETS.iter().filter(wanted).collect();
    let programs = build()?;
    if let Some(input) = &options.input {
        let [target] = targets.as_slice() else { bail!("--input wants one --target") };
        return run::interactive(Command::new(programs.join(target.name)).arg(input).arg(timeout()));
    }
    for target in targets {
        prepare(&programs, target)?;
        if options.minimise {
            minimise(&programs, target)?;
            continue;
        }
        let mut command = command(&programs, target, true)?;
        command.arg(format!("-max_total_time={}", options.seconds));
        if let Some(seed) = options.seed {
            command.arg(format!("-seed={seed}"));
        }
        let limit = Duration::from_secs(options.seconds.saturating_add(1800));
        let finished = run::quiet(target.name, &mut command, limit)?;
        let summary = verdict(target, &finished)?;
        println!("{}", line(target, &summary));
    }
    Ok(())
}

/// What the layer `fuzz` runs for a target, in a fixed order of chance: everything that is kept, then some new inputs.
///
/// # Errors
/// When the target cannot be made ready.
pub fn short(programs: &Path, target: &Target) -> Result<Command> {
    prepare(programs, target)?;
    let mut command = command(programs, target, false)?;
    let kept = files(&folder(target).join("seeds"))?.len() + files(&corpus(target))?.len();
    let runs = u64::from(target.tries).saturating_add(kept as u64);
    // Whatever comes first: the machine may be slow.
    command.args([format!("-runs={runs}"), "-max_total_time=15".to_owned(), "-seed=1".to_owned()]);
    Ok(command)
}

/// Compiles all targets; returns the folder of their programs.
///
/// # Errors
/// When there is no C++ compiler for the engine, or something does not compile.
pub fn build() -> Result<PathBuf> {
    setup::for_fuzzing()?;
    let rustc = run::first_line(Command::new("rustc").args(["--print", "host-tuple"]).current_dir(paths::root()));
    let host = rustc.context("rustc does not say what machine this is")?;
    let folder = paths::target().join("fuzz");
    let mut cargo = Command::new(paths::cargo());
    // Not `--locked`: a new dependency of the product has to find its way into the second lock file by itself.
    cargo.args(["build", "--release", "--bins", "--target", &host, "--manifest-path"]);
    cargo.arg(paths::root().join("fuzz/Cargo.toml")).arg("--target-dir").arg(&folder);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", COVERAGE.join("\u{1f}")).env("CARGO_TERM_COLOR", "never");
    run::step("the fuzz targets", cargo.current_dir(paths::root()), Duration::from_secs(3600))?;
    Ok(folder.join(host).join("release"))
}

/// Where a target's runs on this machine are kept.
fn folder(target: &Target) -> PathBuf {
    paths::target().join("fuzz/run").join(target.name)
}

fn corpus(target: &Target) -> PathBuf {
    paths::root().join("fuzz/corpus").join(target.name)
}

fn timeout() -> String {
    format!("-timeout={INPUT_SECONDS_MAX}")
}

/// Seeds and dictionary, made again by the target's program.
fn prepare(programs: &Path, target: &Target) -> Result<()> {
    let folder = folder(target);
    let seeds = folder.join("seeds");
    if seeds.is_dir() {
        fs::remove_dir_all(&seeds).context("cannot clear the old seeds")?;
    }
    for needed in [folder.join("found"), corpus(target), finds()] {
        fs::create_dir_all(&needed).with_context(|| format!("cannot make {}", needed.display()))?;
    }
    let mut command = Command::new(programs.join(target.name));
    command.env("LOCKSTEP_FUZZ_SEEDS", &folder);
    run::step("seeds", &mut command, Duration::from_secs(600)).map(|_| ())
}

fn finds() -> PathBuf {
    paths::target().join("fuzz/finds")
}

/// The target's program with its limits, its dictionary and its inputs. What it finds is kept for later runs, if wanted.
fn command(programs: &Path, target: &Target, keeps: bool) -> Result<Command> {
    let folder = folder(target);
    let found = if keeps { folder.join("found") } else { folder.join("found-in-tests") };
    if !keeps && found.is_dir() {
        fs::remove_dir_all(&found).context("cannot clear what the last test has found")?;
    }
    fs::create_dir_all(&found).context("cannot make the folder for what is found")?;
    let mut command = Command::new(programs.join(target.name));
    command.arg(found).arg(folder.join("seeds")).arg(corpus(target)).arg(timeout());
    command.arg(format!("-dict={}", folder.join("words.dict").display()));
    command.arg(format!("-artifact_prefix={}/{}-", finds().display(), target.name));
    command.args([format!("-rss_limit_mb={RSS_MB_MAX}"), format!("-max_len={}", target.bytes_max)]);
    command.args(["-print_final_stats=1", "-reload=0"]).env("RUST_BACKTRACE", "1");
    Ok(command)
}

/// How a run went.
///
/// # Errors
/// When an input failed: what was said, where the input is, and the command that runs it again.
pub fn verdict(target: &Target, finished: &run::Finished) -> Result<Summary> {
    if finished.status.success() {
        return Ok(summary(&finished.text));
    }
    let said = failure(&finished.text);
    let name = target.name;
    match finished.text.lines().find_map(|line| line.split_once("Test unit written to ")).map(|(_, path)| path.trim()) {
        Some(input) => {
            bail!("{name}: {said}\n  the input: {input}\n  again: cargo xtask fuzz --target {name} --input {input}")
        }
        None => bail!("{name}: {said}\n{}", run::tail(&finished.text, 40)),
    }
}

/// What went wrong, from the engine's output: the message of a panic, or the engine's own complaint.
fn failure(text: &str) -> String {
    let mut lines = text.lines();
    if lines.by_ref().any(|line| line.contains("panicked at ")) {
        return lines.next().unwrap_or_default().chars().take(400).collect();
    }
    let complaint = text.lines().find_map(|line| line.split_once("ERROR: libFuzzer: ")).map(|(_, complaint)| complaint);
    complaint.unwrap_or("it has failed").to_owned()
}

/// Figures of the last lines of a run.
fn summary(text: &str) -> Summary {
    let after = |word: &str| {
        let number = |line: &str| line.split_once(word)?.1.split_whitespace().next()?.parse::<u64>().ok();
        text.lines().rev().find_map(number).unwrap_or(0)
    };
    Summary {
        runs: after("stat::number_of_executed_units:"),
        edges: after(" cov: "),
        kept: after("stat::new_units_added:"),
        seconds: after(" runs in "),
    }
}

/// One line for people.
pub fn line(target: &Target, summary: &Summary) -> String {
    let Summary { runs, edges, kept, seconds } = summary;
    let rate = runs / (*seconds).max(1);
    let name = target.name;
    format!(
        "{name:<12} {runs:>9} inputs in {seconds} s ({rate}/s), {edges} edges reached, {kept} inputs kept, no failure"
    )
}

/// Puts into `fuzz/corpus/` the smallest inputs that reach what neither seeds nor smaller ones do. What is there under a name that
/// somebody gave it stays: it has failed once.
fn minimise(programs: &Path, target: &Target) -> Result<()> {
    let (folder, corpus) = (folder(target), corpus(target));
    let merged = folder.join("merged");
    if merged.is_dir() {
        fs::remove_dir_all(&merged).context("cannot clear the last merge")?;
    }
    fs::create_dir_all(&merged).context("cannot make the folder for a merge")?;
    for seed in files(&folder.join("seeds"))? {
        fs::copy(&seed, merged.join(seed.file_name().unwrap_or_default())).context("cannot copy a seed")?;
    }
    let seeds: BTreeSet<PathBuf> = files(&merged)?.into_iter().collect();
    let mut command = Command::new(programs.join(target.name));
    command.args(["-merge=1", "-use_counters=0"]).arg(timeout()).arg(format!("-max_len={}", target.bytes_max));
    command.arg(&merged).arg(&corpus).arg(folder.join("found"));
    run::step("merge", &mut command, Duration::from_secs(3600))?;
    for old in files(&corpus)?.iter().filter(|path| is_named_by_engine(path)) {
        fs::remove_file(old).context("cannot remove an old input")?;
    }
    let mut new: Vec<(u64, PathBuf)> = Vec::new();
    for path in files(&merged)?.into_iter().filter(|path| !seeds.contains(path)) {
        new.push((fs::metadata(&path).context("cannot look at an input")?.len(), path));
    }
    new.sort();
    let (mut bytes, mut count) = (0, 0);
    for (len, path) in new {
        bytes += len;
        if bytes > CORPUS_BYTES_MAX {
            break;
        }
        fs::copy(&path, corpus.join(path.file_name().unwrap_or_default())).context("cannot copy an input")?;
        count += 1;
    }
    println!("{:<12} {count} inputs beyond the seeds", target.name);
    Ok(())
}

/// 40 hexadecimal digits?
fn is_named_by_engine(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.len() == 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Files of a folder, in order; none when it is not there.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = folder.read_dir().with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_those_at_the_end() {
        let text = "#2\tINITED cov: 10 ft: 12\n#9\tDONE   cov: 814 ft: 2242 corp: 85/13440b\nDone 311 runs in 4 second(s)\n\
                    stat::number_of_executed_units: 311\nstat::new_units_added:          7\n";
        assert_eq!(summary(text), Summary { runs: 311, edges: 814, kept: 7, seconds: 4 });
    }

    #[test]
    fn a_failure_says_what_a_panic_said_or_what_the_engine_says() {
        let panic = "x\nthread '<unnamed>' (1) panicked at src/a.rs:1:2:\nthe books are wrong\nstack backtrace:\n";
        assert_eq!(failure(panic), "the books are wrong");
        assert_eq!(failure("==5== ERROR: libFuzzer: timeout after 60 seconds\n"), "timeout after 60 seconds");
    }

    #[test]
    fn only_the_engines_names_are_replaced() {
        assert!(is_named_by_engine(Path::new("a/191a27185c0e3e7807ee7db33f7483ff163f4322")));
        assert!(!is_named_by_engine(Path::new("a/randomkey-while-paused")));
    }
}
