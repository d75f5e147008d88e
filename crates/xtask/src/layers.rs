//! `cargo xtask test`: every layer of tests, fast ones first, one line each, and a table at the end.
//!
//! No layer is skipped silently: a layer that cannot run fails with a sentence that says why.
use crate::dist::Weight;
use crate::run::{self, Finished};
use crate::{build, clients, fuzz, paths, setup, single, tidy, weights};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// Options of `test`.
#[derive(Args)]
pub struct Options {
    /// Layers to run (all without names): fmt, tidy, clippy, clippy-wasm, unit, golden, golden-real, values-real, diff, fuzz, explorer, clients, lessons, build, e2e, firefox
    layers: Vec<String>,
}

/// One layer: its name, and how to run it. The text it returns says in a few words what ran.
struct Layer {
    name: &'static str,
    run: fn(&Log) -> Result<String>,
}

/// All layers in the order in which they run: fast layers and those that fail most often come first.
const LAYERS: [Layer; 16] = [
    Layer { name: "fmt", run: fmt },
    Layer { name: "tidy", run: tidy_layer },
    Layer { name: "clippy", run: clippy },
    Layer { name: "clippy-wasm", run: clippy_wasm },
    Layer { name: "unit", run: unit },
    Layer { name: "golden", run: golden },
    Layer { name: "golden-real", run: golden_real },
    Layer { name: "values-real", run: values_real },
    Layer { name: "diff", run: diff },
    Layer { name: "fuzz", run: fuzz_layer },
    Layer { name: "explorer", run: explorer },
    Layer { name: "clients", run: clients_layer },
    Layer { name: "lessons", run: lessons_layer },
    Layer { name: "build", run: build_layer },
    Layer { name: "e2e", run: e2e },
    Layer { name: "firefox", run: firefox },
];

/// With this layer the release begins to be built: that keeps little more than one core busy, and so do this layer and those after it.
const BUILD_STARTS_AT: &str = "golden";

/// The layers that only check the source text.
const LINT: [&str; 4] = ["fmt", "tidy", "clippy", "clippy-wasm"];

/// The result of a layer.
struct LayerResult {
    name: &'static str,
    what: String,
    passed: bool,
    took: Duration,
}

/// Runs the named layers, or all.
///
/// # Errors
/// If a name is not the name of a layer. The exit code reports failures of layers.
pub fn test(options: &Options) -> Result<ExitCode> {
    let known = |name: &String| LAYERS.iter().any(|layer| layer.name == *name);
    if let Some(stranger) = options.layers.iter().find(|name| !known(name)) {
        let names: Vec<&str> = LAYERS.iter().map(|layer| layer.name).collect();
        bail!("there is no layer named {stranger}; there are {}", names.join(", "));
    }
    run_layers(|layer| options.layers.is_empty() || options.layers.iter().any(|name| name == layer.name))
}

/// Runs the layers that only check the source text.
///
/// # Errors
/// If the folder of logs cannot be created.
pub fn lint() -> Result<ExitCode> {
    run_layers(|layer| LINT.contains(&layer.name))
}

fn run_layers(wanted: impl Fn(&Layer) -> bool) -> Result<ExitCode> {
    fs::create_dir_all(paths::logs()).context("cannot make the folder of logs")?;
    let mut outcomes = Vec::new();
    let needs_build = LAYERS.iter().any(|layer| layer.name == "build" && wanted(layer));
    for layer in LAYERS.iter().filter(|layer| wanted(layer)) {
        if layer.name == BUILD_STARTS_AT && needs_build {
            start_build();
        }
        let started = Instant::now();
        let log = Log { file: paths::logs().join(format!("{}.log", layer.name)) };
        let (passed, what) = match (layer.run)(&log) {
            Ok(what) => (true, what),
            Err(error) => {
                println!("{error:#}\n");
                (false, short(&format!("{error:#}")))
            }
        };
        let outcome = LayerResult { name: layer.name, what, passed, took: started.elapsed() };
        println!("{}", line(&outcome));
        outcomes.push(outcome);
    }
    print!("{}", table(&outcomes));
    let failed = outcomes.iter().any(|outcome| !outcome.passed);
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn line(outcome: &LayerResult) -> String {
    let verdict = if outcome.passed { "ok" } else { "FAILED" };
    format!("{verdict:<7} {:<12} {:>12}  {}", outcome.name, run::seconds(outcome.took), outcome.what)
}

/// The final table, and the count of layers as its last line.
fn table(outcomes: &[LayerResult]) -> String {
    let mut text = String::from("\n");
    for outcome in outcomes {
        text.push_str(&line(outcome));
        text.push('\n');
    }
    let failed = outcomes.iter().filter(|outcome| !outcome.passed).count();
    text.push_str(&format!("{} passed, {failed} failed\n", outcomes.len() - failed));
    text
}

/// First line of an error, cut to fit a table.
fn short(error: &str) -> String {
    error.lines().next().unwrap_or_default().chars().take(90).collect()
}

/// The file with the full output of a layer.
struct Log {
    file: PathBuf,
}

impl Log {
    /// Runs a program quietly and stores its output. If it fails, the error shows the end of the output.
    fn run(&self, label: &str, command: &mut Command, minutes: u64) -> Result<Finished> {
        let finished = run::quiet(label, command, Duration::from_secs(minutes * 60))?;
        fs::write(&self.file, &finished.text).context("cannot write the log")?;
        if !finished.status.success() {
            let whole = self.file.display();
            let (first, end) = (first_complaint(&finished.text), run::tail(&finished.text, 80));
            bail!("{label}: {first}\n`{}` failed:\n{end}\n(all of it: {whole})", run::shown(command));
        }
        Ok(finished)
    }
}

fn cargo(words: &[&str]) -> Command {
    let mut command = Command::new(paths::cargo());
    command.args(words).current_dir(paths::root()).env("CARGO_TERM_COLOR", "never");
    command
}

fn fmt(log: &Log) -> Result<String> {
    log.run("rustfmt", &mut cargo(&["fmt", "--all", "--check"]), 5)?;
    log.run("rustfmt", &mut cargo(&["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"]), 5)?;
    Ok("every Rust file is formatted".to_owned())
}

fn tidy_layer(log: &Log) -> Result<String> {
    // In a separate process, so that its findings go into the log like other output.
    let program = std::env::current_exe().context("cannot find our own program")?;
    let finished = log.run("tidy", Command::new(program).arg("tidy").current_dir(paths::root()), 5)?;
    Ok(finished.text.lines().last().unwrap_or_default().trim_start_matches("tidy: ").to_owned())
}

fn clippy(log: &Log) -> Result<String> {
    log.run("clippy", &mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]), 30)?;
    Ok("whole workspace, all targets, no warning".to_owned())
}

fn clippy_wasm(log: &Log) -> Result<String> {
    setup::for_compiling()?;
    let mut words = vec!["clippy", "--target", "wasm32-unknown-unknown"];
    let rooms = ["lockstep-page", "world", "redis-model", "resp"];
    words.extend(rooms.iter().flat_map(|room| ["--package", room]));
    words.extend(["--", "-D", "warnings"]);
    log.run("clippy for wasm32", &mut cargo(&words), 30)?;
    Ok(format!("{}: no warning on wasm32", rooms.join(", ")))
}

fn unit(log: &Log) -> Result<String> {
    // They include a short differential run, which fails without a real server.
    setup::for_real_redis()?;
    let finished = log.run("unit, property and doc tests", tests(None).arg("--no-fail-fast"), 45)?;
    let count = passed_tests(&finished.text);
    if count == 0 {
        bail!("cargo test has run no test");
    }
    Ok(format!("{count} unit, property and doc tests"))
}

/// Sum of `test result: ok. 12 passed; …` over all test programs. Messages of cargo may occur in the middle of such a line.
pub fn passed_tests(text: &str) -> usize {
    let counts = text.split("ok. ").skip(1).filter_map(|rest| rest.split_once(" passed;"));
    counts.filter_map(|(count, _)| count.parse::<usize>().ok()).sum()
}

/// The profile of tests, which is also their folder in `target/`.
const PROFILE: &str = "checked";

/// `cargo test` over all tests or the named test file. Always the whole workspace in one profile, so that no layer compiles anything again.
pub fn tests(file: Option<&str>) -> Command {
    let mut command = cargo(&["test", "--profile", PROFILE, "--workspace"]);
    command.args(file.map(|file| ["--test", file]).into_iter().flatten());
    command
}

/// Path of a compiled program of the workspace. Cargo compiles it with the tests that run it.
fn program(name: &str, tested_by: &str) -> Result<PathBuf> {
    let label = format!("compiling {name}");
    run::step(&label, tests(Some(tested_by)).arg("--no-run"), Duration::from_secs(45 * 60))?;
    let program = paths::target().join(PROFILE).join(name);
    if !program.is_file() {
        bail!("{} is not there, though cargo has built it", program.display());
    }
    Ok(program)
}

/// The runner of golden scripts and differential runs, compiled.
///
/// # Errors
/// If it does not compile.
pub fn conformance_command(task: &str) -> Result<Command> {
    let mut command = Command::new(program("conformance", "golden")?);
    command.arg(task).current_dir(paths::root());
    Ok(command)
}

/// The command line tool, compiled.
fn lockstep() -> Result<PathBuf> {
    program("lockstep", "clients")
}

/// Plays and searches every lesson, mutates every solution, and plays the terminal tasks on a real Redis too.
fn lessons_layer(log: &Log) -> Result<String> {
    setup::for_real_redis()?;
    let lockstep = lockstep()?;
    let check = |label: &str, minutes: u64, words: &[&str]| {
        let mut command = Command::new(&lockstep);
        log.run(label, command.args(["lesson", "check"]).args(words).current_dir(paths::root()), minutes)
    };
    // The short run comes first: the file of the log belongs to the last one.
    let real = last_line(&check("lesson check on a real Redis", 10, &["--redis"])?.text);
    let (_, played) = real.split_once(" on Redis ").with_context(|| format!("no lesson was played: {real}"))?;
    if played.contains(": 0 tasks") {
        bail!("no task was played on a real Redis: {real}");
    }
    let last = last_line(&check("lesson check", 30, &[])?.text);
    if !last.ends_with(" lessons, nothing to object to") || last.starts_with('0') {
        bail!("no lesson was checked: {last}");
    }
    Ok(format!("{last}; on Redis {}", played.trim_end_matches("; nothing to object to")))
}

fn golden(log: &Log) -> Result<String> {
    let finished = log.run("golden scripts on the model", &mut conformance_command("golden")?, 30)?;
    Ok(last_line(&finished.text))
}

fn golden_real(log: &Log) -> Result<String> {
    setup::for_real_redis()?;
    let finished = log.run("golden scripts on a real Redis", conformance_command("golden")?.arg("--real"), 30)?;
    Ok(last_line(&finished.text))
}

/// Compares encodings, sizes, numbers and globs of the model's values with those of a real Redis.
fn values_real(log: &Log) -> Result<String> {
    setup::for_real_redis()?;
    let mut command = tests(Some("values_like_redis"));
    let finished = log.run("values beside a real Redis", command.args(["--", "--ignored"]), 30)?;
    Ok(format!("{} random trials of values beside a real Redis", passed_tests(&finished.text)))
}

fn diff(log: &Log) -> Result<String> {
    setup::for_real_redis()?;
    let mut command = conformance_command("diff")?;
    command.args(["--commands", "200000", "--seed", "1"]);
    let finished = log.run("differential run", &mut command, 30)?;
    Ok(last_line(&finished.text))
}

/// Number of random programs for each of the two comparisons of the explorer with a simpler method.
const EXPLORED: &str = "2000";

/// Compares the explorer with a plain search that skips nothing, on programs that are the same in every run.
fn explorer(log: &Log) -> Result<String> {
    let mut command = tests(Some("second_opinion"));
    command.env("PROPTEST_CASES", EXPLORED).env("PROPTEST_RNG_SEED", "1");
    let finished = log.run("the explorer beside a plain search", &mut command, 40)?;
    let passed = passed_tests(&finished.text);
    Ok(format!(
        "{passed} tests, two of them on {EXPLORED} random programs each: verdicts and shortest lengths of a plain search"
    ))
}

/// The whole fuzz corpus, and some thousand new inputs.
fn fuzz_layer(log: &Log) -> Result<String> {
    let programs = fuzz::build()?;
    let (mut runs, mut lines) = (0, String::new());
    for target in &fuzz::TARGETS {
        let mut command = fuzz::short(&programs, target)?;
        let finished = run::quiet(target.name, &mut command, Duration::from_secs(1800))?;
        fs::write(&log.file, format!("{lines}{}", finished.text)).context("cannot write the log")?;
        let summary = fuzz::verdict(target, &finished)?;
        runs += summary.runs;
        lines.push_str(&format!("{}\n", fuzz::line(target, &summary)));
    }
    fs::write(&log.file, lines).context("cannot write the log")?;
    Ok(format!("{runs} inputs of {} targets: no panic, no hang, no memory past the bound", fuzz::TARGETS.len()))
}

/// Redis clients against a real server, which proves the tests, and against the model behind TCP.
fn clients_layer(log: &Log) -> Result<String> {
    let needs = clients::prepare()?;
    let lockstep = lockstep()?;
    let mut counts = Vec::new();
    for server in clients::servers(&lockstep)? {
        let mut passed = 0;
        for mut suite in clients::suites(&needs, server.port) {
            let finished = log.run(&format!("{} on {}", suite.name, server.name), &mut suite.command, 20)?;
            let count = (suite.passed)(&finished.text);
            if count == 0 {
                bail!("{} has run no test on {}", suite.name, server.name);
            }
            passed += count;
        }
        counts.push(format!("{passed} on {}", server.name));
    }
    Ok(format!("redis-cli, redis-benchmark, redis-py, ioredis, node-redis, redis-rs: {}", counts.join(", ")))
}

/// A guess at the first error in the output of a program: the first line that looks like an error, or the last line.
fn first_complaint(text: &str) -> String {
    let says_so = |line: &&str| {
        let start = ["error", "FAILED", "thread '", "---- ", "Diff in"].iter().any(|word| line.starts_with(word));
        start && !line.starts_with("error: could not compile")
    };
    text.lines().find(says_so).map_or_else(|| last_line(text), str::to_owned)
}

fn last_line(text: &str) -> String {
    text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("nothing was printed").trim().to_owned()
}

/// Builds the release, in a folder and as one file, at most once per run: the browser tests use the build that the layer `build` has measured.
fn built() -> Result<&'static Weight> {
    static BUILT: OnceLock<Result<Weight, String>> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let built = build::build_and_weigh().and_then(|weight| single::write().map(|_| weight));
        built.map_err(|error| format!("{error:#}"))
    });
    built.as_ref().map_err(|error| anyhow!("{error}"))
}

/// Starts the build in the background. The layer `build` waits for it and reports what went wrong. Its tools are installed before, because
/// two installations at a time would disturb each other.
fn start_build() {
    if setup::for_building().is_ok() && setup::for_packing().is_ok() {
        thread::spawn(built);
    }
}

fn build_layer(log: &Log) -> Result<String> {
    let weight = built()?;
    let bounds = weights::bounds()?;
    let table = build::table(weight, &bounds);
    fs::write(&log.file, &table).context("cannot write the log")?;
    build::check_budget(weight, &bounds).context(table)?;
    tidy::check_dist()?;
    let (first, most) = (build::kilobytes(weight.first_load()), build::kilobytes(bounds.sandbox));
    Ok(format!("{} files, first load {first} of {most}, no other host", weight.files.len()))
}

/// Playwright's runner in `e2e/`.
pub fn playwright(words: &[&str]) -> Command {
    let mut command = Command::new("npx");
    command.args(["--no-install", "playwright", "test"]).args(words).current_dir(paths::root().join("e2e"));
    if let Some(program) = setup::chromium() {
        command.env("CHROMIUM", program);
    }
    command
}

fn e2e(log: &Log) -> Result<String> {
    setup::for_browser_tests()?;
    built().context("the browser tests need what the layer `build` builds")?;
    let finished = log.run("tests in Chromium", &mut playwright(&[]), 120)?;
    Ok(format!("{} in Chromium", browser_tests(&finished.text)?))
}

/// The most important tests again in Firefox, driven by WebDriver BiDi.
fn firefox(log: &Log) -> Result<String> {
    let program = setup::for_tests_in_firefox()?;
    built().context("the browser tests need what the layer `build` builds")?;
    let mut command = playwright(&["--config=firefox.config.ts", "--project=core"]);
    let finished = log.run("tests in Firefox", command.env("FIREFOX", program), 20)?;
    Ok(format!("{} in Firefox", browser_tests(&finished.text)?))
}

/// `36 passed`: the count at the end of what Playwright prints.
///
/// # Errors
/// If no test passed, or a test passed only on a retry, was interrupted, skipped or did not run: a flaky test counts as failed.
fn browser_tests(text: &str) -> Result<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let counts = |word: &str| lines.iter().position(|line| counted(line) == Some(word));
    for word in ["flaky", "interrupted", "skipped", "did not run", "failed"] {
        if let Some(at) = counts(word) {
            let names = lines.iter().skip(at + 1).copied().take_while(|line| line.contains(".spec.ts"));
            let names: Vec<&str> = names.collect();
            bail!("{}: {}", lines.get(at).copied().unwrap_or_default(), names.join("; "));
        }
    }
    let passed = counts("passed").and_then(|at| lines.get(at)).context("no browser test has passed")?;
    let passed = passed.split(" (").next().unwrap_or_default();
    if passed.starts_with("0 ") {
        bail!("no browser test has passed");
    }
    Ok(passed.to_owned())
}

/// The word after the number in a summary line: `flaky` of `1 flaky`, `passed` of `36 passed (2m)`.
fn counted(line: &str) -> Option<&str> {
    let (number, what) = line.split_once(' ')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| what.split(" (").next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_summed_over_all_programs() {
        let text = "test result: ok. 12 passed; 0 failed\nx\ntest result: ok. 3 passed; 0 failed\ntest result: FAILED. 9 passed; 1 failed\n";
        assert_eq!(passed_tests(text), 15);
        assert_eq!(passed_tests("test result:    Doc-testsok. 49 passed; 0 failed\n"), 49);
    }

    #[test]
    fn browser_tests_pass_only_if_all_pass_on_the_first_try() {
        assert_eq!(browser_tests("x\n  37 passed (1.4m)\n").unwrap(), "37 passed");
        let text = "  1 flaky\n    tests/a.spec.ts:3:1 › a thing ───\n  36 passed (2m)\n";
        let error = browser_tests(text).unwrap_err().to_string();
        assert_eq!(error, "1 flaky: tests/a.spec.ts:3:1 › a thing ───");
        for bad in ["1 skipped\n36 passed (2m)\n", "2 did not run\n36 passed\n", "0 passed (1s)\n", "nothing\n", ""] {
            assert!(browser_tests(bad).is_err(), "{bad}");
        }
        // The name of a test may contain any text.
        assert!(browser_tests("  ✓  1 flaky words in a title\n  37 passed (1.4m)\n").is_ok());
    }

    #[test]
    fn the_table_shows_the_first_error() {
        let text = "   Checking x\nerror: this is wrong\n --> x.rs\nerror: could not compile `x`\nwarning: build failed, waiting\n";
        assert_eq!(first_complaint(text), "error: this is wrong");
        assert_eq!(first_complaint("a\nb\n\n"), "b");
    }

    #[test]
    fn the_table_ends_with_the_count_of_layers() {
        let outcome = |passed| LayerResult { name: "fmt", what: "x".to_owned(), passed, took: Duration::from_secs(1) };
        let text = table(&[outcome(true), outcome(false), outcome(true)]);
        assert!(text.ends_with("\n2 passed, 1 failed\n"), "{text}");
        assert!(text.contains("FAILED  fmt"), "{text}");
    }
}
