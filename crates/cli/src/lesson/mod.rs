//! `lockstep lesson`: reads, plays and searches lessons and reports each mistake with its file and line; judges functions.
//!
//! ```text
//! lockstep lesson check                          all lessons
//! lockstep lesson check lessons/locks/setnx      one of them
//! lockstep lesson check lessons/types --redis    their terminal tasks, on a real Redis that it starts
//! lockstep lesson judge lessons/locks/oversell mine.lua
//!                                                functions of your own, as the page judges them
//! ```
mod check;
mod forecast;
mod handling;
mod judge;
mod mutants;
pub mod play;
mod proofs;
mod real;
mod scripting;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on fails")]
mod shortest;
mod ways;
mod written;

use std::net::ToSocketAddrs;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use lesson::TaskKind;
use lesson::source::{self, Mistake, Source};

use crate::output::say;
use written::Judged;

/// Subcommands of `lockstep lesson`.
#[derive(Subcommand)]
pub enum Task {
    /// Read, play and search lessons: stories, verdicts, solutions and wrong answers
    Check(Options),
    /// Judge functions, a handler or a script of your own as the page does: on every variation of the task
    Judge(JudgeOptions),
}

/// Options of `lockstep lesson check`.
#[derive(Args)]
pub struct Options {
    /// The folder of a lesson, or of all lessons
    #[arg(default_value = "lessons")]
    folder: PathBuf,
    /// Print the schedules that searches find, as lines of a session
    #[arg(long)]
    schedules: bool,
    /// Do not check that mutated solutions fail
    #[arg(long)]
    no_mutants: bool,
    /// Play the terminal tasks on a real Redis instead, and compare verdicts and replies with the model's: on the server at this address,
    /// which must hold no key, or without an address on redis-servers that are started and stopped (the program in REDIS_SERVER, or
    /// redis-server)
    #[arg(long, value_name = "HOST:PORT", num_args = 0..=1, require_equals = true)]
    #[arg(conflicts_with_all = ["schedules", "no_mutants"])]
    redis: Option<Option<String>>,
}

/// Options of `lockstep lesson judge`.
#[derive(Args)]
pub struct JudgeOptions {
    /// The folder of a lesson
    folder: PathBuf,
    /// A file of functions
    functions: PathBuf,
    /// The task; the default is the first one of the lesson in which something is written
    #[arg(long)]
    task: Option<String>,
}

/// Runs the subcommand.
///
/// # Errors
/// The number of mistakes, or why functions do not pass.
pub fn run(task: &Task) -> Result<(), String> {
    match task {
        Task::Check(options) => run_check(options),
        Task::Judge(options) => run_judge(options),
    }
}

fn run_judge(options: &JudgeOptions) -> Result<(), String> {
    let source = match source::read_lesson(&options.folder) {
        Ok(source) => source,
        Err(faults) => return refuse(&faults),
    };
    let functions = std::fs::read_to_string(&options.functions)
        .map_err(|error| format!("{}: {error}", options.functions.display()))?;
    // A complete program of the folder has its own frame, which the frame of the lesson replaces.
    let functions = lesson::repair::split(&functions).map_or(functions.as_str(), |(functions, _)| functions);
    let [lesson, _] = &source.lessons;
    let is_meant = |task: &&lesson::Task| options.task.as_ref().is_none_or(|id| task.id == *id);
    let judged = lesson.tasks.iter().filter(is_meant).find_map(|task| match &task.kind {
        TaskKind::Repair(repair) => {
            Some(judge::judge(lesson, repair, functions, judge::Search::Reduced).map(|found| told(&found)))
        }
        TaskKind::Handler(handling) => Some(handling::judge(lesson, handling, functions).map(|found| told(&found))),
        TaskKind::Script(scripting) => Some(scripting::judge(lesson, scripting, functions).map(|found| told(&found))),
        _ => None,
    });
    let has_passed = judged.ok_or("this lesson has no such task")??;
    if has_passed { Ok(()) } else { Err("it does not pass".to_owned()) }
}

/// Says a judgement; returns whether it is a good one.
fn told(judgement: &impl Judged) -> bool {
    say(judgement.describe());
    judgement.has_passed()
}

fn run_check(options: &Options) -> Result<(), String> {
    let lessons = match read(&options.folder) {
        Ok(lessons) => lessons,
        Err(faults) => return refuse(&faults),
    };
    if let Some(redis) = &options.redis {
        return on_real(&lessons, redis.as_deref());
    }
    let mut faults = Vec::new();
    for source in &lessons {
        say(source.folder.display());
        let report = check::check(source, !options.no_mutants);
        for line in &report.lines {
            say(format_args!("  {line}"));
        }
        if options.schedules {
            report.schedules.iter().for_each(say);
        }
        faults.extend(report.faults);
    }
    if faults.is_empty() {
        say(format_args!("{} lessons, nothing to object to", lessons.len()));
        return Ok(());
    }
    refuse(&faults)
}

/// Plays the terminal tasks on a real Redis.
fn on_real(lessons: &[Source], redis: Option<&str>) -> Result<(), String> {
    let at = redis.map(|redis| {
        let found = redis.to_socket_addrs().map(|mut found| found.next());
        found.ok().flatten().ok_or_else(|| format!("`{redis}` is no address of a server; write HOST:PORT"))
    });
    let (faults, summary) =
        real::check(lessons, at.transpose()?).map_err(|error| format!("no real Redis to play on: {error}"))?;
    if faults.is_empty() {
        say(format_args!("{summary}; nothing to object to"));
        return Ok(());
    }
    say(summary);
    refuse(&faults)
}

/// The lessons in a folder: one lesson, a track or the whole course.
///
/// # Errors
/// All mistakes of the lessons.
pub fn read(folder: &Path) -> Result<Vec<Source>, Vec<Mistake>> {
    if folder.join("lesson.toml").exists() {
        return source::read_lesson(folder).map(|lesson| vec![lesson]);
    }
    if folder.join("track.toml").exists() {
        return source::read_track(folder).map(|track| track.lessons);
    }
    let course = source::read_course(folder)?;
    Ok(course.tracks.into_iter().flat_map(|track| track.lessons).collect())
}

fn refuse(faults: &[Mistake]) -> Result<(), String> {
    faults.iter().for_each(|fault| eprintln!("{fault}"));
    Err(format!("{} mistakes in the lessons", faults.len()))
}
