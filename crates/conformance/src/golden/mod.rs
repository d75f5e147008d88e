//! Golden scripts: transcripts of several clients, valid on the model and on a real Redis.
mod pattern;
mod run;
mod script;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

pub use run::{GoldenResult, Mismatch, Side, run};
pub use script::{Action, Expected, Item, Only, ReplyOrder, Script, ScriptError, ScriptErrorKind, Step};

use crate::target::{ModelTarget, RealTarget, Target, TargetError};

/// Number of real servers that run in parallel, so that the waits of scripts do not add up.
const REAL_SERVERS: usize = 8;

/// How often a script runs on a real server before a difference counts. Replies depend on real time, and a busy machine can delay either
/// process.
const REAL_TRIES: usize = 3;

/// The directory of the scripts in the repository.
pub fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../redis-model/tests/golden")
}

/// Runs all scripts of a directory (or one script) on the model.
///
/// # Errors
/// When the directory cannot be read.
pub fn run_model(path: &Path) -> Result<Summary, GoldenError> {
    let started = Instant::now();
    let mut target = ModelTarget::default();
    let reports = scripts(path)?.into_iter().map(|path| report(path, &mut target, Side::Model, false));
    Ok(Summary { side: Side::Model, reports: reports.collect(), took: started.elapsed() })
}

/// Runs all scripts of a directory (or one script) on real servers that it starts.
///
/// # Errors
/// When the directory cannot be read, or no server can be started.
pub fn run_real(path: &Path) -> Result<Summary, GoldenError> {
    on_real(path, false)
}

/// Runs all scripts of a directory (or one script) on real servers and writes their replies as the new expectations. Patterns that still
/// match stay.
///
/// # Errors
/// When the directory cannot be read or written, or no server can be started.
pub fn update(path: &Path) -> Result<Summary, GoldenError> {
    on_real(path, true)
}

fn on_real(path: &Path, update: bool) -> Result<Summary, GoldenError> {
    let started = Instant::now();
    let paths = scripts(path)?;
    let next = AtomicUsize::new(0);
    let reports = Mutex::new(Vec::new());
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..REAL_SERVERS.min(paths.len()) {
            scope.spawn(|| {
                let mut target = match RealTarget::start() {
                    Ok(target) => target,
                    Err(error) => {
                        failure.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(error);
                        return;
                    }
                };
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let report = report(path.clone(), &mut target, Side::Real, update);
                    reports.lock().unwrap_or_else(|e| e.into_inner()).push(report);
                }
            });
        }
    });
    if let Some(error) = failure.into_inner().unwrap_or_else(|e| e.into_inner()) {
        return Err(GoldenError::Target(error));
    }
    let mut reports = reports.into_inner().unwrap_or_else(|e| e.into_inner());
    reports.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Summary { side: Side::Real, reports, took: started.elapsed() })
}

fn report(path: PathBuf, target: &mut dyn Target, side: Side, update: bool) -> Report {
    let mut tries = 1;
    let result = std::fs::read_to_string(&path).map_err(GoldenError::Io).and_then(|text| {
        let mut script = Script::parse(&text).map_err(GoldenError::Script)?;
        let mut outcome = run(&mut script, target, side, update).map_err(GoldenError::Target)?;
        while side == Side::Real && !update && !outcome.mismatches.is_empty() && tries < REAL_TRIES {
            tries += 1;
            outcome = run(&mut script, target, side, update).map_err(GoldenError::Target)?;
        }
        let written = script.to_string();
        if update && outcome.skipped.is_none() && written != text {
            std::fs::write(&path, written).map_err(GoldenError::Io)?;
        }
        Ok(outcome)
    });
    Report { path, tries, result }
}

/// All `.txt` files below a directory, by name.
fn scripts(path: &Path) -> Result<Vec<PathBuf>, GoldenError> {
    let mut found = Vec::new();
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            for entry in std::fs::read_dir(&path).map_err(GoldenError::Io)? {
                open.push(entry.map_err(GoldenError::Io)?.path());
            }
        } else if path.extension().is_some_and(|extension| extension == "txt") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Why scripts cannot run.
#[derive(Debug)]
pub enum GoldenError {
    /// A file cannot be read or written.
    Io(std::io::Error),
    /// A script does not parse.
    Script(ScriptError),
    /// The server failed.
    Target(TargetError),
}

impl fmt::Display for GoldenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GoldenError::Io(error) => error.fmt(f),
            GoldenError::Script(error) => error.fmt(f),
            GoldenError::Target(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GoldenError {}

/// The result of one script.
#[derive(Debug)]
pub struct Report {
    /// The script's file.
    pub path: PathBuf,
    /// Number of runs; more than one only on a real server ([`REAL_TRIES`]).
    pub tries: usize,
    /// The outcome of the last run.
    pub result: Result<GoldenResult, GoldenError>,
}

impl Report {
    /// True if no step failed.
    pub fn is_fine(&self) -> bool {
        self.result.as_ref().is_ok_and(|outcome| outcome.mismatches.is_empty())
    }
}

/// The results of all scripts. Its text shows each difference and ends with a summary line.
#[derive(Debug)]
pub struct Summary {
    /// The kind of server.
    pub side: Side,
    /// One result per script, by path.
    pub reports: Vec<Report>,
    /// Wall time.
    pub took: Duration,
}

impl Summary {
    /// Scripts that failed.
    pub fn failures(&self) -> usize {
        self.reports.iter().filter(|report| !report.is_fine()).count()
    }

    /// Commands sent.
    pub fn commands(&self) -> usize {
        self.outcomes().map(|outcome| outcome.commands).sum()
    }

    /// Scripts that do not run on this side.
    pub fn skipped(&self) -> usize {
        self.outcomes().filter(|outcome| outcome.skipped.is_some()).count()
    }

    fn outcomes(&self) -> impl Iterator<Item = &GoldenResult> {
        self.reports.iter().filter_map(|report| report.result.as_ref().ok())
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for report in self.reports.iter().filter(|report| !report.is_fine()) {
            let path = short(&report.path);
            match &report.result {
                Err(error) => writeln!(f, "{path}: {error}\n")?,
                Ok(outcome) => {
                    for mismatch in &outcome.mismatches {
                        writeln!(f, "{path}:{}\n  {}", mismatch.line, mismatch.step)?;
                        write_diff(f, &mismatch.expected, &mismatch.actual)?;
                        writeln!(f)?;
                    }
                }
            }
        }
        let side = if self.side == Side::Model { "the model" } else { "a real Redis" };
        write!(f, "{} golden scripts, {} commands on {side}", self.reports.len(), self.commands())?;
        if self.skipped() > 0 {
            write!(f, ", {} scripts not for it", self.skipped())?;
        }
        let again: Vec<_> = self.reports.iter().filter(|report| report.tries > 1).map(|r| short(&r.path)).collect();
        if !again.is_empty() {
            write!(f, ", played again: {}", again.join(" "))?;
        }
        write!(f, ": {} failed, {:.1} s", self.failures(), self.took.as_secs_f64())
    }
}

/// A diff: expected lines with `-`, seen lines with `+`, common lines at both ends with a space.
fn write_diff(f: &mut fmt::Formatter<'_>, expected: &[String], actual: &[String]) -> fmt::Result {
    let same = |pair: &(&String, &String)| pair.0 == pair.1;
    let head = expected.iter().zip(actual).take_while(same).count();
    let (left, right) = (expected.get(head..).unwrap_or_default(), actual.get(head..).unwrap_or_default());
    let tail = left.iter().rev().zip(right.iter().rev()).take_while(same).count();
    for line in expected.iter().take(head) {
        writeln!(f, "    {line}")?;
    }
    for line in left.iter().take(left.len().saturating_sub(tail)) {
        writeln!(f, "  - {line}")?;
    }
    for line in right.iter().take(right.len().saturating_sub(tail)) {
        writeln!(f, "  + {line}")?;
    }
    for line in left.iter().skip(left.len().saturating_sub(tail)) {
        writeln!(f, "    {line}")?;
    }
    Ok(())
}

/// A path for messages: from the directory of its group on.
fn short(path: &Path) -> String {
    let parts: Vec<_> = path.components().rev().take(2).map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.into_iter().rev().collect::<Vec<_>>().join("/")
}
