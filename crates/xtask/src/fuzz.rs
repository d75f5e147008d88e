//! `cargo xtask fuzz`: generates random inputs and keeps those that reach new code. The targets are in `fuzz/`.
//!
//! The engine is libFuzzer. Coverage is compiled in with flags of the stable compiler; they work only together with the engine, so `fuzz/`
//! is a separate workspace that only this task builds.
//!
//! ```text
//!   fuzz/corpus/<target>/              inputs that reach code the seeds do not, and inputs that once failed
//!   target/fuzz/run/<target>/seeds     from golden scripts, recorded scripts and sessions; generated again each time
//!   target/fuzz/run/<target>/found     inputs kept by runs on this machine
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

/// Options of `fuzz`.
#[derive(Args)]
pub struct Options {
    /// Only this target (may be repeated): resp_decode, split_line, codec, commands, lua, session, programs, traffic, lessons, statements
    #[arg(long = "target")]
    targets: Vec<String>,
    /// How long each target runs, in seconds
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Random seed; without it each run differs
    #[arg(long)]
    seed: Option<u32>,
    /// Run this one input (of the named target) and show the result
    #[arg(long)]
    input: Option<PathBuf>,
    /// Only minimise: rewrite fuzz/corpus/ with the fewest inputs that reach all code reached so far
    #[arg(long)]
    minimise: bool,
}

/// A target.
#[derive(Debug)]
pub struct Target {
    /// Its name, which is also the name of its program.
    pub name: &'static str,
    /// Maximum length of generated inputs, in bytes.
    bytes_max: u32,
    /// Number of inputs that the layer `fuzz` generates.
    tries: u32,
}

/// All targets.
pub const TARGETS: [Target; 10] = [
    Target { name: "resp_decode", bytes_max: 1024, tries: 100_000 },
    Target { name: "split_line", bytes_max: 256, tries: 100_000 },
    Target { name: "codec", bytes_max: 4096, tries: 100_000 },
    Target { name: "commands", bytes_max: 4096, tries: 2_000 },
    Target { name: "lua", bytes_max: 2048, tries: 8_000 },
    Target { name: "session", bytes_max: 4096, tries: 2_000 },
    Target { name: "programs", bytes_max: 3072, tries: 1_000 },
    Target { name: "traffic", bytes_max: 2048, tries: 600 },
    Target { name: "lessons", bytes_max: 32768, tries: 2_000 },
    Target { name: "statements", bytes_max: 3072, tries: 3_000 },
];

/// Coverage for libFuzzer: edge counters with their addresses, and the operands of comparisons.
const COVERAGE: [&str; 5] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
];

/// Memory limit of the process in MB: several times the limit per input, which the targets enforce themselves.
const RSS_MB_MAX: u32 = 2048;

/// Time limit per input; inputs take milliseconds, so this is enough on any machine.
const INPUT_SECONDS_MAX: u32 = 60;

/// Maximum size of a target's part of `fuzz/corpus/`.
const CORPUS_BYTES_MAX: u64 = 80_000;

/// The result of a run.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Inputs that ran: seeds, corpus and new ones.
    pub runs: u64,
    /// Edges of the program that were reached.
    pub edges: u64,
    /// Inputs that reached new code and were kept.
    pub kept: u64,
    /// Wall time in seconds.
    pub seconds: u64,
}

/// Runs targets or one input, or minimises the corpus.
///
/// # Errors
/// If a target does not exist, cannot be built, or fails; the error names the input and the command that runs it again.
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

/// The part of the layer `fuzz` for one target, with a fixed seed: the whole corpus, then some new inputs.
///
/// # Errors
/// If the target cannot be prepared.
pub fn short(programs: &Path, target: &Target) -> Result<Command> {
    prepare(programs, target)?;
    let mut command = command(programs, target, false)?;
    let kept = files(&folder(target).join("seeds"))?.len() + files(&corpus(target))?.len();
    let runs = u64::from(target.tries).saturating_add(kept as u64);
    // Stop at the first limit reached: the machine may be slow.
    command.args([format!("-runs={runs}"), "-max_total_time=15".to_owned(), "-seed=1".to_owned()]);
    Ok(command)
}

/// Compiles all targets; returns the folder of their programs.
///
/// # Errors
/// If there is no C++ compiler for the engine, or a target does not compile.
pub fn build() -> Result<PathBuf> {
    setup::for_fuzzing()?;
    let rustc = run::first_line(Command::new("rustc").args(["--print", "host-tuple"]).current_dir(paths::root()));
    let host = rustc.context("rustc does not say what machine this is")?;
    let folder = paths::target().join("fuzz");
    let mut cargo = Command::new(paths::cargo());
    // Not `--locked`: a new dependency of the product must be added to the second lock file automatically.
    cargo.args(["build", "--release", "--bins", "--target", &host, "--manifest-path"]);
    cargo.arg(paths::root().join("fuzz/Cargo.toml")).arg("--target-dir").arg(&folder);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", COVERAGE.join("\u{1f}")).env("CARGO_TERM_COLOR", "never");
    run::step("the fuzz targets", cargo.current_dir(paths::root()), Duration::from_secs(3600))?;
    Ok(folder.join(host).join("release"))
}

/// The folder for a target's runs on this machine.
fn folder(target: &Target) -> PathBuf {
    paths::target().join("fuzz/run").join(target.name)
}

fn corpus(target: &Target) -> PathBuf {
    paths::root().join("fuzz/corpus").join(target.name)
}

fn timeout() -> String {
    format!("-timeout={INPUT_SECONDS_MAX}")
}

/// Seeds and dictionary, generated again by the target's program.
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

/// The target's program with its limits, its dictionary and its inputs. Its new inputs are optionally kept for later runs.
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

/// The result of a run.
///
/// # Errors
/// If an input failed: the message, the path of the input, and the command that runs it again.
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

/// The failure in the engine's output: the message of a panic, or the engine's own error.
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

/// One line for display.
pub fn line(target: &Target, summary: &Summary) -> String {
    let Summary { runs, edges, kept, seconds } = summary;
    let rate = runs / (*seconds).max(1);
    let name = target.name;
    format!(
        "{name:<12} {runs:>9} inputs in {seconds} s ({rate}/s), {edges} edges reached, {kept} inputs kept, no failure"
    )
}

/// Writes to `fuzz/corpus/` the smallest inputs that reach code that neither seeds nor smaller inputs reach. Files with a descriptive name
/// stay: they once failed.
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

/// Is the name a hash of 40 hexadecimal digits?
fn is_named_by_engine(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.len() == 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Sorted files of a folder; empty if it does not exist.
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
    fn figures_come_from_the_last_lines() {
        let text = "#2\tINITED cov: 10 ft: 12\n#9\tDONE   cov: 814 ft: 2242 corp: 85/13440b\nDone 311 runs in 4 second(s)\n\
                    stat::number_of_executed_units: 311\nstat::new_units_added:          7\n";
        assert_eq!(summary(text), Summary { runs: 311, edges: 814, kept: 7, seconds: 4 });
    }

    #[test]
    fn a_failure_shows_the_message_of_the_panic_or_of_the_engine() {
        let panic = "x\nthread '<unnamed>' (1) panicked at src/a.rs:1:2:\nthe sums are wrong\nstack backtrace:\n";
        assert_eq!(failure(panic), "the sums are wrong");
        assert_eq!(failure("==5== ERROR: libFuzzer: timeout after 60 seconds\n"), "timeout after 60 seconds");
    }

    #[test]
    fn only_files_named_by_the_engine_are_replaced() {
        assert!(is_named_by_engine(Path::new("a/191a27185c0e3e7807ee7db33f7483ff163f4322")));
        assert!(!is_named_by_engine(Path::new("a/randomkey-while-paused")));
    }
}
