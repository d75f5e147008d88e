//! `lockstep lesson`: every lesson is read, played and searched, and each mistake told with its file and line; functions are judged.
//!
//! ```text
//! lockstep lesson check                          all lessons
//! lockstep lesson check lessons/locks/setnx      one of them
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
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on fails")]
mod shortest;
mod ways;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use lesson::source::{self, Fault, Source};

use crate::output::say;

/// What can be done with lessons.
#[derive(Subcommand)]
pub enum Task {
    /// Read, play and search lessons: stories, verdicts, solutions and wrong answers
    Check(Options),
    /// Judge functions of your own as the page does: on every variation of a repair
    Judge(JudgeOptions),
}

/// Which lessons.
#[derive(Args)]
pub struct Options {
    /// The folder of a lesson, or of all lessons
    #[arg(default_value = "lessons")]
    folder: PathBuf,
    /// Print the schedules that searches find, as lines of a session
    #[arg(long)]
    schedules: bool,
    /// Do not change the solutions of repairs to see whether the changed ones fail
    #[arg(long)]
    no_mutants: bool,
}

/// What is judged.
#[derive(Args)]
pub struct JudgeOptions {
    /// The folder of a lesson
    folder: PathBuf,
    /// A file of functions
    functions: PathBuf,
    /// The repair; without it, the lesson's first
    #[arg(long)]
    task: Option<String>,
}

/// Does it; the error says how many mistakes there are, or why functions do not pass.
///
/// # Errors
/// When there is a mistake, or when functions do not pass.
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
    // A whole program of the folder has a frame of its own, which the lesson's take the place of.
    let functions = lesson::repair::split(&functions).map_or(functions.as_str(), |(functions, _)| functions);
    let [lesson, _] = &source.lessons;
    let handling = match &options.task {
        Some(id) => lesson.handling(id),
        None => lesson.tasks.iter().find_map(|task| lesson.handling(&task.id)),
    };
    if let Some(handling) = handling {
        let judgement = handling::judge(lesson, handling, functions)?;
        say(judgement.told());
        return match judgement {
            handling::Judgement::Passes { .. } => Ok(()),
            handling::Judgement::Fails { .. } => Err("this handler does not pass".to_owned()),
        };
    }
    let repair = match &options.task {
        Some(id) => lesson.repair(id),
        None => lesson.tasks.iter().find_map(|task| lesson.repair(&task.id)),
    };
    let repair = repair.ok_or("this lesson has no such repair")?;
    let judgement = judge::judge(lesson, repair, functions, judge::Search::Reduced)?;
    say(judgement.told());
    match judgement {
        judge::Judgement::Passes { .. } => Ok(()),
        judge::Judgement::Fails { .. } => Err("these functions do not pass".to_owned()),
    }
}

fn run_check(options: &Options) -> Result<(), String> {
    let lessons = match read(&options.folder) {
        Ok(lessons) => lessons,
        Err(faults) => return refuse(&faults),
    };
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

/// The lessons in the folder of one, of a track or of the course.
///
/// # Errors
/// All their mistakes.
pub fn read(folder: &Path) -> Result<Vec<Source>, Vec<Fault>> {
    if folder.join("lesson.toml").exists() {
        return source::read_lesson(folder).map(|lesson| vec![lesson]);
    }
    if folder.join("track.toml").exists() {
        return source::read_track(folder).map(|track| track.lessons);
    }
    let course = source::read_course(folder)?;
    Ok(course.tracks.into_iter().flat_map(|track| track.lessons).collect())
}

fn refuse(faults: &[Fault]) -> Result<(), String> {
    faults.iter().for_each(|fault| eprintln!("{fault}"));
    Err(format!("{} mistakes in the lessons", faults.len()))
}
